"""B19, B22: variables of another repository are never followed, and one of another user is never made safe."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cases.support import add, failed, ids, known, run_powerless, sound
from tests.cli_runner import Cli, bytes_of, command_line, git
from tests.shared import shared_path


def shim(cli: Cli, folder: Path) -> Path:
    """A program that is the command on this store, for a shell script to call."""
    program = folder / "remember-me"
    words = " ".join(f"'{word}'" for word in command_line("--store", str(cli.store)))
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    return program


def project(folder: Path) -> Path:
    """Somebody's own repository with one commit."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "U")
    git(folder, "config", "user.email", "u@example.invalid")
    (folder / "f").write_text("1\n")
    git(folder, "add", "f")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def commit(cli: Cli, folder: Path, program: Path) -> subprocess.CompletedProcess[str]:
    """Change `f` and commit it, as the person does, with the hooks of the repository."""
    with (folder / "f").open("a") as file:
        file.write("more\n")
    return subprocess.run(
        ["git", "commit", "-q", "-a", "-m", "two"],
        cwd=folder,
        env=cli.environment(RM=str(program)),
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("hook", "where"),
    [("pre-commit", "main"), ("pre-commit", "worktree"), ("post-commit", "main"), ("pre-commit", "case")],
)
def test_b19_from_a_hook_of_another_repository(cli: Cli, tmp_path: Path, hook: str, where: str) -> None:
    """`case` runs the hook of the case's inputs, whose `--type` is our `--tag`."""
    theirs = project(tmp_path / "project")
    script = theirs / ".git" / "hooks" / hook
    script.parent.mkdir(exist_ok=True)
    text = '#!/bin/sh\ntest -n "$GIT_INDEX_FILE" || exit 9\nexec "$RM" add --tag fact "captured from a git hook"\n'
    if where == "case":
        text = shared_path("cases", "inputs", "B19", "pre-commit").read_text().replace("--type", "--tag")
    if hook == "post-commit":
        text = text.replace('test -n "$GIT_INDEX_FILE" || exit 9\n', "")
    script.write_text(text)
    script.chmod(0o755)
    folder = theirs
    if where == "worktree":
        folder = tmp_path / "linked"
        git(theirs, "worktree", "add", "-q", str(folder))
    done = commit(cli, folder, shim(cli, tmp_path))
    assert done.returncode == 0, done.stderr
    assert git(folder, "show", "--name-only", "--format=%s") == "two\n\nf\n"
    assert git(folder, "status", "--short") == ""
    assert git(folder, "ls-files") == "f\n"
    assert git(folder, "fsck", "--strict") == ""
    assert [entry["title"] for entry in cli.json("list")] == ["captured from a git hook"]
    assert git(cli.store, "log", "--format=%s").startswith("remember-me: add ")
    sound(cli)


def of_another_repository(theirs: Path) -> dict[str, str]:
    """Every variable with which git can be sent elsewhere, or told otherwise."""
    folder = theirs / ".git"
    return {
        "GIT_DIR": str(folder),
        "GIT_INDEX_FILE": str(folder / "index"),
        "GIT_WORK_TREE": str(theirs),
        "GIT_COMMON_DIR": str(folder),
        "GIT_OBJECT_DIRECTORY": str(folder / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(folder / "objects"),
        "GIT_PREFIX": "memory/",
        "GIT_NAMESPACE": "theirs",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
        "GIT_AUTHOR_NAME": "Somebody",
        "GIT_AUTHOR_EMAIL": "somebody@example.invalid",
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
        "GIT_COMMITTER_NAME": "Somebody",
        "GIT_COMMITTER_DATE": "2001-01-01T00:00:00Z",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "Somebody",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
        "GIT_CONFIG_GLOBAL": str(theirs / "f"),
        "GIT_CONFIG_SYSTEM": str(theirs / "f"),
        "GIT_CONFIG": str(theirs / "f"),
        "GIT_EXEC_PATH": str(theirs),
        "GIT_TEMPLATE_DIR": str(theirs),
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_ICASE_PATHSPECS": "1",
        "GIT_QUARANTINE_PATH": str(theirs),
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_DEFAULT_REF_FORMAT": "reftable",
        "GIT_REPLACE_REF_BASE": "refs/theirs/",
        "GIT_SHALLOW_FILE": str(theirs / "f"),
        "GIT_GRAFT_FILE": str(theirs / "f"),
        "GIT_ATTR_SOURCE": "HEAD",
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_DIFF_OPTS": "--unified=0",
        "GIT_PAGER": "false",
        "GIT_EDITOR": "false",
        "GIT_SEQUENCE_EDITOR": "false",
        "GIT_ASKPASS": "false",
        "GIT_SSH_COMMAND": "false",
        "GIT_PROXY_COMMAND": "false",
        "GIT_TRACE": str(theirs / "trace"),
        "GIT_TRACE2": str(theirs / "trace"),
        "GIT_OPTIONAL_LOCKS": "1",
        "GIT_FLUSH": "0",
        "GIT_INTERNAL_SUPER_PREFIX": "x/",
        "git_dir": str(folder),
    }


def test_b19_no_variable_of_another_repository_is_followed(bare: Cli, tmp_path: Path) -> None:
    theirs = project(tmp_path / "project")
    before = bytes_of(theirs, but=())
    bare.environ |= of_another_repository(theirs)
    bare.ok("init")
    entry = add(bare, "in that environment")
    for words in (("get", entry), ("list",), ("status",), ("log",), ("history", entry), ("diff",), ("pin", entry)):
        assert known(bare.run(*words)).code == 0, words
    bare.ok("undo")
    bare.ok("redo")
    assert ids(bare) == [entry]
    assert bytes_of(theirs, but=()) == before
    authors = set(git(bare.store, "log", "--format=%an %cn %ad", "--date=format:%Y").splitlines())
    assert len(authors) == 1
    assert "Somebody" not in str(authors)
    assert "2001" not in str(authors)
    sound(bare)


FOREIGN = "the repository belongs to another user, and safe.directory does not name {store}"
OTHER = 12345


def _as_another_users(cli: Cli, way: str) -> None:
    if way == "variable":
        cli.environ["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
        return
    for path in [cli.store, *cli.store.rglob("*")]:
        os.chown(path, OTHER, OTHER, follow_symlinks=False)


def _as_ones_own(cli: Cli, way: str) -> None:
    if way == "variable":
        del cli.environ["GIT_TEST_ASSUME_DIFFERENT_OWNER"]
        return
    for path in [cli.store, *cli.store.rglob("*")]:
        os.chown(path, os.getuid(), os.getgid(), follow_symlinks=False)


@pytest.mark.parametrize("way", ["variable", "owner"])
def test_b22_a_repository_of_another_user(cli: Cli, home: Path, way: str) -> None:
    if way == "owner" and os.getuid() != 0:
        pytest.skip("only root can give a repository to another user")
    _as_another_users(cli, way)
    before = bytes_of(home, but=())
    done = cli.run("add", "x")
    reason = FOREIGN.format(store=cli.store)
    hint = f"If you trust it: git config --global --add safe.directory {cli.store}"
    assert (done.code, done.err) == (0, f"saved, not yet committed: {reason}.\nHint: {hint}\n")
    (entry,) = ids(cli)
    state = cli.json("status")
    assert (state["uncommitted"], state["reason"], state["hint"]) == (1, reason, hint)
    assert f"git cannot commit now: {reason}.\n  {hint}\n" in cli.ok("status").out
    assert cli.json("get", entry)["title"] == "x"
    failed(cli.run("undo"), 6, f"Nothing was undone or redone, because git cannot commit: {reason}.")
    for words in (("log",), ("history", entry), ("diff",)):
        failed(cli.run(*words), 6, f"There is no history to read: {reason}.")
    assert bytes_of(home, but=()) == before
    _as_ones_own(cli, way)
    second = add(cli, "y")
    subjects = git(cli.store, "log", "--format=%s").splitlines()
    assert subjects == [f"remember-me: add {second}", f"remember-me: add {entry}", "remember-me: init"]
    sound(cli)


def test_b22_what_the_person_trusts_is_trusted(cli: Cli, home: Path) -> None:
    """The hint, once followed by the person, works: the setting is theirs, in their own configuration."""
    (home / ".gitconfig").write_text(f"[safe]\n\tdirectory = {cli.store}\n")
    cli.environ["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
    add(cli, "x")
    cli.ok("log")
    cli.ok("undo")
    sound(cli)


def test_b22_a_store_that_only_another_user_may_write(cli: Cli) -> None:
    """Each command ends with one line and a hint; what may be read is read."""
    if os.getuid() != 0:
        pytest.skip("only root can give a store to another user")
    entry = add(cli, "x")
    before = bytes_of(cli.store, but=())
    _as_another_users(cli, "owner")
    for words in (("add", "y"), ("pin", entry), ("undo",), ("init",), ("config", "store.timezone", "UTC")):
        done = known(run_powerless(cli, *words))
        assert done.code in (6, 8), done
        assert len(done.err.splitlines()) == 2, done.err
    assert entry in run_powerless(cli, "list").ok().out
    failed(
        run_powerless(cli, "status"), 8, f"The spool {cli.store}/.remember-me/spool cannot be read: permission denied."
    )
    _as_ones_own(cli, "owner")
    assert bytes_of(cli.store, but=()) == before
