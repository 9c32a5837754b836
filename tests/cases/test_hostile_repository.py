"""A store that somebody else prepared: whatever its repository configures, no program of it ever runs.

Each command of the table is called in a repository full of traps; each trap leaves a marker when it runs. That they
do run when git is called without our care is shown by one test.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from remember_me.cli.commands import COMMANDS
from tests.cases.support import add, failed, ids, known, like, put, today
from tests.cli_runner import Cli, git

HOOKS = (
    "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg",
    "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update",
    "proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc",
    "post-rewrite", "sendemail-validate", "fsmonitor-watchman", "post-index-change",
)  # fmt: skip

CALLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "init": (("init",),),
    "demo": (("demo", "--store", "{other}"),),
    "status": (("status",),),
    "doctor": (("doctor",), ("doctor", "--fix")),
    "config": (("config",), ("config", "store.timezone", "UTC")),
    "add": (("add", "words"), ("add", "--file", "{file}")),
    "edit": (("edit", "{entry}"), ("edit",)),
    "correct": (("correct", "{entry}", "other words"),),
    "contradict": (("contradict", "{entry}", "instead"),),
    "confirm": (("confirm", "{guess}"),),
    "reinforce": (("reinforce", "{entry}"),),
    "pin": (("pin", "{entry}"),),
    "unpin": (("unpin", "{pinned}"),),
    "enable": (("enable", "{entry}"),),
    "disable": (("disable", "{entry}"),),
    "link": (("link", "{entry}", "[[x]]"),),
    "index": (("index",), ("index", "--at", "{today}")),
    "get": (("get", "{entry}"), ("get", "{entry}", "--json")),
    "list": (("list",), ("list", "--all", "--json")),
    "search": (("search", "words"),),
    "recall": (("recall",), ("recall", "--prompt", "words")),
    "profile": (("profile",),),
    "history": (("history", "{entry}"),),
    "tokens": (("tokens",),),
    "promote": (("promote",), ("promote", "--apply"), ("promote", "{entry}")),
    "demote": (("demote", "mht001", "--reason", "replaced"),),
    "decay": (("decay",),),
    "checkin": (("checkin",), ("checkin", "{guess}", "later")),
    "maintain": (("maintain",), ("maintain", "--apply")),
    "forget": (("forget", "{entry}", "--yes"), ("forget", "--match", "guess", "--yes", "--later")),
    "erase": (("forget", "{entry}", "--yes", "--later"), ("erase", "--yes")),
    "review": (("review",), ("review", "--all", "--json")),
    "keep": (("keep", "{waiting}"),),
    "restore": (("restore", "{waiting}"),),
    "undo": (("undo",), ("undo", "--entry", "{entry}"), ("undo", "{operation}")),
    "redo": (("redo",),),
    "log": (("log",), ("log", "--json")),
    "diff": (("diff",), ("diff", "{entry}"), ("diff", "{operation}", "--json")),
    "install": (("install", "aider"),),
    "uninstall": (("install", "aider"), ("uninstall", "aider")),
    "context": (("context", "{file}"), ("context", "--refresh"), ("context",), ("context", "{file}", "--remove")),
}
"""How each command is called here; a new command must get a line."""

REMOTE_HAS_IT = 9
"""The repository names a remote, which may have a copy of what was erased."""


class Traps:
    """Programs that leave a marker each, and the repository that wants them run."""

    def __init__(self, cli: Cli) -> None:
        self.store = cli.store
        self.programs = cli.store.parent / "traps"
        self.markers = cli.store.parent / "markers"
        self.programs.mkdir()
        self.markers.mkdir()

    def program(self, name: str, does: str = "cat") -> str:
        file = self.programs / name
        file.write_text(f"#!/bin/sh\ntouch {self.markers}/{name}\n{does}\n")
        file.chmod(0o755)
        return str(file)

    def sprung(self) -> list[str]:
        return sorted(marker.name for marker in self.markers.iterdir())

    def set(self) -> None:
        """Prepare the repository; all that is in it so far stays."""
        folder = self.store / ".git"
        (folder / "hooks").mkdir(exist_ok=True)
        for name in HOOKS:
            shutil.copy(self.program(f"hook-{name}", "exit 1"), folder / "hooks" / name)
        included = self.programs / "included"
        included.write_text(
            f"[core]\n\tfsmonitor = {self.program('included-fsmonitor')}\n"
            f'[filter "included"]\n\tclean = {self.program("included-clean")}\n'
        )
        with (folder / "config").open("a") as config:
            config.writelines(f"[{section}]\n\t{key} = {value}\n" for section, key, value in self.settings())
            config.write(f"[include]\n\tpath = {included}\n")
        attributes = (
            "* filter=evil diff=evil merge=evil ident\n*.md filter=evil-process diff=evil\nMEMORY.md filter=included\n"
        )
        (self.store / ".gitattributes").write_text(attributes)
        (folder / "info").mkdir(exist_ok=True)
        (folder / "info" / "attributes").write_text(attributes)
        ext = f"ext::{self.program('ext')} %S"
        (self.store / ".gitmodules").write_text(
            f'[submodule "x"]\n\tpath = x\n\turl = {ext}\n\tupdate = !{self.program("submodule")}\n'
        )

    def settings(self) -> list[tuple[str, str, str]]:
        ext = f"ext::{self.program('ext')} %S"
        return [
            ("core", "fsmonitor", self.program("fsmonitor")),
            ("core", "hooksPath", str(self.store / ".git" / "hooks")),
            ("core", "pager", self.program("pager")),
            ("core", "editor", self.program("core-editor")),
            ("core", "askPass", self.program("askpass")),
            ("core", "sshCommand", self.program("ssh")),
            ("core", "gitProxy", self.program("proxy")),
            ("core", "alternateRefsCommand", self.program("alternate-refs")),
            ("core", "attributesFile", str(self.store / ".gitattributes")),
            ("core", "worktree", str(self.store.parent)),
            ("core", "untrackedCache", "true"),
            ("sequence", "editor", self.program("sequence-editor")),
            ("gpg", "program", self.program("gpg", "exit 1")),
            ('gpg "ssh"', "program", self.program("gpg-ssh", "exit 1")),
            ('gpg "ssh"', "defaultKeyCommand", self.program("gpg-key")),
            ("commit", "gpgSign", "true"),
            ("tag", "gpgSign", "true"),
            ("log", "showSignature", "true"),
            ("diff", "external", self.program("external-diff")),
            ('diff "evil"', "textconv", self.program("textconv")),
            ('diff "evil"', "command", self.program("diff-command")),
            ('filter "evil"', "clean", self.program("clean")),
            ('filter "evil"', "smudge", self.program("smudge")),
            ('filter "evil"', "required", "true"),
            ('filter "evil-process"', "process", self.program("process", "exit 1")),
            ('merge "evil"', "driver", self.program("merge-driver")),
            ("alias", "add", f"!{self.program('alias-add')}"),
            ("alias", "fast-import", f"!{self.program('alias-fast-import')}"),
            ("alias", "ls-tree", f"!{self.program('alias-ls-tree')}"),
            ("alias", "log", f"!{self.program('alias-log')}"),
            ("pager", "log", self.program("pager-log")),
            ("pager", "diff", self.program("pager-diff")),
            ("interactive", "diffFilter", self.program("diff-filter")),
            ("credential", "helper", f"!{self.program('credential')}"),
            ("uploadpack", "packObjectsHook", self.program("pack-objects-hook")),
            ("trailer", "ifexists", "add"),
            ('trailer "sign"', "command", self.program("trailer")),
            ('trailer "sign"', "key", "Actor"),
            ('hook "evil"', "command", self.program("configured-hook")),
            ('hook "evil"', "event", "reference-transaction"),
            ('hook "evil"', "event", "pre-commit"),
            ('remote "origin"', "url", ext),
            ('remote "origin"', "promisor", "true"),
            ('remote "origin"', "partialclonefilter", "blob:none"),
            ('remote "origin"', "uploadpack", self.program("uploadpack")),
            ("extensions", "partialClone", "origin"),
            ("protocol", "allow", "always"),
            ('protocol "ext"', "allow", "always"),
            ("gc", "auto", "1"),
            ("gc", "autoDetach", "false"),
            ("maintenance", "auto", "true"),
            ("init", "templateDir", str(self.programs)),
        ]


@pytest.fixture(scope="module")
def names(preparing: Cli) -> dict[str, str]:
    """What the prepared store holds: an entry, the operation that made it, a pinned entry, one that waits."""
    row = preparing.ok("add", "--json", "--tag", "FACT", "before").json()
    return {
        "entry": row["id"],
        "operation": row["operation"],
        "guess": add(preparing, "guess", "--tag", "HYPOTHESIS"),
        "pinned": add(preparing, "pinned", "--pin"),
        "waiting": preparing.ok("add", "--json", "waiting", env={"CLAUDECODE": "1"}).json()["id"],
    }


@pytest.fixture
def traps(cli: Cli) -> Traps:
    return Traps(cli)


def test_every_command_is_called() -> None:
    assert list(CALLS) == [row.name for row in COMMANDS]


@pytest.mark.parametrize("command", CALLS)
def test_no_program_of_the_repository_runs(
    cli: Cli, preparing: Cli, names: dict[str, str], traps: Traps, tmp_path: Path, command: str
) -> None:
    """A hand edit lies there too, so that each write has something to commit before its own."""
    like(preparing, cli)
    entry = names["entry"]
    if command == "redo":
        cli.ok("undo")
    if command == "enable":
        cli.ok("disable", entry)
    put(cli, "MEMORY.md", "- FACT: by hand ^mht001\n")
    given = tmp_path / "given.md"
    given.write_text("Some words.\n")
    traps.set()
    places = {"file": str(given), "other": str(tmp_path / "other"), "today": today(cli)}
    head = git(cli.store, "-c", "core.fsmonitor=false", "rev-parse", "HEAD")
    for words in CALLS[command]:
        done = cli.run(*(word.format_map(names | places) for word in words), env={"EDITOR": "true"})
        expected = REMOTE_HAS_IT if words[0] in ("forget", "erase") and "--later" not in words else 0
        assert done.code == expected, (words, done.err)
        assert "unexpected" not in done.err
    assert traps.sprung() == []
    if command in ("add", "correct", "pin", "unpin", "enable", "disable", "undo", "redo", "config"):
        assert git(cli.store, "-c", "core.fsmonitor=false", "rev-parse", "HEAD") != head
        assert "remember-me: edit mht001" in git(
            cli.store, "-c", "core.fsmonitor=false", "rev-list", "--header", "HEAD"
        )
    assert traps.sprung() == []


@pytest.mark.parametrize("command", ["history", "undo", "log", "add"])
def test_what_is_missing_is_not_fetched(cli: Cli, traps: Traps, command: str) -> None:
    """A promised object that is not there makes git ask the remote for it, by a program that the store names."""
    entry = add(cli, "one", "--tag", "FACT")
    cli.ok("correct", entry, "two")
    path = cli.json("get", entry)["note"]
    blob = git(cli.store, "rev-parse", f"HEAD~1:{path}").strip()
    traps.set()
    (cli.store / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    words = {"history": ("history", entry), "add": ("add", "three")}.get(command, (command,))
    done = known(cli.run(*words))
    assert traps.sprung() == []
    if command in ("log", "status", "add"):
        assert done.code == 0
    else:
        failed(done, 6, "The history cannot be read: git lacks some of it.")
        assert done.err.endswith(f"Hint: See what is damaged: git --git-dir={cli.store}/.git fsck\n")


def test_a_bare_repository_around_the_notes_is_not_taken(cli: Cli, traps: Traps) -> None:
    """Without .git, git would take the folder itself for a repository if it has the parts of one."""
    add(cli, "one")
    traps.set()
    for part in ("HEAD", "config", "objects", "refs", "hooks", "info"):
        shutil.move(cli.store / ".git" / part, cli.store / part)
    shutil.rmtree(cli.store / ".git")
    for words in (("status",), ("list",), ("add", "two"), ("pin", ids(cli)[0])):
        known(cli.run(*words))
    assert traps.sprung() == []
    assert (cli.store / ".git" / "HEAD").exists()


def test_editors_of_the_repository_do_not_count(cli: Cli, traps: Traps) -> None:
    entry = add(cli, "one")
    traps.set()
    chosen = traps.program("chosen", "true")
    assert cli.run("edit", entry, env={"EDITOR": chosen}).code == 0
    assert traps.sprung() == ["chosen"]


def test_the_traps_bite(cli: Cli, traps: Traps) -> None:
    """Plain git in the same repository, so that the tests above cannot pass by accident."""
    add(cli, "one")
    traps.set()
    put(cli, "memory/2026-01-01.md", "- FACT: by hand ^mht001\n")
    here = ["git", "-C", str(cli.store), f"--work-tree={cli.store}"]

    def plain_git(*words: str) -> None:
        subprocess.run(
            [*here, *words], env=cli.environment(), capture_output=True, stdin=subprocess.DEVNULL, timeout=60
        )

    plain_git("status")
    plain_git("add", "memory")
    assert {"included-fsmonitor", "clean", "process"} <= set(traps.sprung()), traps.sprung()
    (cli.store / ".gitattributes").unlink()
    (cli.store / ".git" / "info" / "attributes").unlink()
    for words in (["config", "--unset", "extensions.partialClone"], ["diff", "HEAD~1", "HEAD"], ["commit", "-m", "x"]):
        plain_git(*words)
    assert "external-diff" in traps.sprung()
    assert [name for name in traps.sprung() if name.startswith("hook-")], traps.sprung()
