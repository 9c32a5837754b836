"""Acceptance, scope: what belongs to one project is absent from another, whatever an agent asks for."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from remember_me.store.state import STATE_NAME, State
from tests.cli_runner import Cli, Result, git, trust_agents

A, B = "example.org/ada/alpha", "example.org/ada/bells"
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}
REFUSED, NOT_FOUND = 4, 3


class Project:
    """A work tree, and the commands that an agent runs in it."""

    def __init__(self, cli: Cli, folder: Path, key: str) -> None:
        self.cli, self.folder, self.key = cli, folder, key
        folder.mkdir()
        git(folder, "init", "-q")
        git(folder, "remote", "add", "origin", f"https://ada:secret@{key}.git")

    def run(self, *words: str, stdin: str = "") -> Result:
        """A command of an agent that works in this project."""
        return self.cli.run(*words, stdin=stdin, env=AGENT, cwd=self.folder)

    def ok(self, *words: str) -> str:
        """What such a command prints; it must end with 0."""
        done = self.run(*words)
        assert done.code == 0, (words, done.err)
        return done.out


@pytest.fixture(autouse=True)
def agents_write(home: Path, cli: Cli) -> None:
    """What an agent writes takes effect, so that it is the project that holds it back, and not the review."""
    trust_agents(home)


@pytest.fixture
def alpha(cli: Cli, tmp_path: Path) -> Project:
    return Project(cli, tmp_path / "alpha", A)


@pytest.fixture
def bells(cli: Cli, tmp_path: Path) -> Project:
    return Project(cli, tmp_path / "bells", B)


def add(cli: Cli, text: str, *options: str) -> str:
    """Save a text as the person and return its id."""
    return str(cli.ok("add", "--quiet", *options, text).out.strip())


SECRET = "The quagga escapement of alpha needs a ruby pallet"
"""What stands in the entry of project A; `quagga` and `pallet` stand nowhere else."""
TELLING = ("quagga", "pallet", "ruby")


def tells(done: Result) -> bool:
    """Whether anything of the entry of A was given away."""
    return any(word in (done.out + done.err).casefold() for word in TELLING)


@pytest.fixture
def secret(cli: Cli) -> str:
    """The entry of project A, pinned and with a facet, so that every part of a block wants to show it."""
    return add(
        cli, f"{SECRET}\n\nThe ruby comes from the old quagga clock.", "--tag", "PREFERENCE", "--scope", A, "--pin",
        "--facet", "workflow", "--aliases", "quagga clock", "--description", "a pallet of ruby", "--impact", "3",
    )  # fmt: skip


READS: tuple[tuple[str, ...], ...] = (
    ("index",),
    ("index", "--json"),
    ("index", "--tokens", "100000"),
    ("index", "--at", "{today}"),
    ("search", "quagga", "escapement", "pallet"),
    ("search", "quagga", "--json", "--limit", "1000"),
    ("search", "quagga", "--status", "active", "--tag", "PREFERENCE", "--since", "2020-01-01"),
    ("search", "the"),
    ("recall",),
    ("recall", "--prompt", "what of the quagga escapement and its ruby pallet?"),
    ("recall", "--prompt", "quagga clock", "--json", "--bytes", "1000000"),
    ("tokens", "--top", "1000"),
    ("tokens", "--json"),
    ("list",),
    ("list", "--all", "--json"),
    ("profile",),
)


def filled(words: tuple[str, ...]) -> list[str]:
    return [word.replace("{today}", datetime.now(UTC).date().isoformat()) for word in words]


def test_scope_cross_scope_absent(cli: Cli, secret: str, alpha: Project, bells: Project) -> None:
    """It would match best of all; in B it is absent, and in A (the control) each way of reading gives it."""
    own = add(cli, "The escapement of bells needs oil", "--tag", "FACT", "--scope", B)
    shared = add(cli, "Oil for any escapement is in the cupboard", "--tag", "FACT")
    for words in READS:
        seen = alpha.run(*filled(words))
        assert seen.code == 0, (words, seen.err)
        assert secret in seen.out or (words[0] == "profile" and SECRET in seen.out), words
        assert own not in seen.out
        other = bells.run(*filled(words))
        assert other.code == 0, (words, other.err)
        assert secret not in other.out + other.err, words
        # What was asked for is repeated where nothing was found; nothing else of the words is there.
        assert not tells(Result((), 0, other.out, "")), words
        if words[0] in ("index", "recall", "list", "tokens"):
            assert own in other.out, words
            assert shared in other.out, words
    for words in (("get", secret), ("get", f"^{secret}"), ("get", secret[:5]), ("get", secret, "--json")):
        other = bells.run(*words)
        assert other.code == NOT_FOUND, words
        assert not tells(other), words
        assert SECRET in alpha.ok(*words)
    # The person, who names a project, gets that one; and everything where none is named.
    assert secret not in cli.ok("index", "--scope", B).out
    assert secret in cli.ok("index").out
    assert secret not in cli.ok("search", "quagga", "escapement", "--scope", B).out
    assert secret in cli.ok("search", "quagga", "escapement").out


def test_scope_cross_scope_absent_outside_of_any_project(cli: Cli, secret: str, alpha: Project, tmp_path: Path) -> None:
    """A folder without git is a project too: it sees what belongs to none."""
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    shared = add(cli, "Oil is in the cupboard", "--tag", "FACT")
    seen = cli.run("index", env=AGENT, cwd=nowhere)
    assert seen.ok().out == f"{shared} FACT Oil is in the cupboard\n"
    assert secret in alpha.ok("index")


WIDER = (A, "*", "", "%", "example.org", "example.org/ada/", f"{A},{B}", A.upper(), f" {A}", f"{A}/")
ASKED: dict[str, tuple[str, ...]] = {
    "index": ("index",),
    "search": ("search", "quagga", "escapement", "oil"),
    "recall": ("recall", "--prompt", "quagga escapement"),
    "tokens": ("tokens",),
    "list": ("list",),
    "list --all": ("list", "--all"),
    "index --at": ("index", "--at", "{today}"),
}


@pytest.mark.parametrize("command", ASKED)
def test_scope_caller_cannot_widen(cli: Cli, secret: str, bells: Project, command: str) -> None:
    """An agent bound to B asks for A, for everything, for nothing; its own call (the control) works."""
    words = filled(ASKED[command])
    own = add(cli, "The bells need oil", "--tag", "FACT", "--scope", B)
    for wanted in WIDER if command in ("index", "search", "list") else WIDER[:3]:
        done = bells.run(*words, "--scope", wanted)
        assert done.code in (0, 2, REFUSED), (wanted, done.err)
        assert secret not in done.out + done.err, wanted
        assert not tells(Result((), 0, done.out, "")), wanted
    for wanted in (B, "here"):
        assert own in bells.ok(*words, "--scope", wanted)


def test_scope_caller_cannot_widen_by_a_folder(
    cli: Cli, secret: str, alpha: Project, bells: Project, tmp_path: Path
) -> None:
    """Neither `--cwd` nor variables that tell git of another repository move an agent."""
    own = add(cli, "The bells need oil", "--tag", "FACT", "--scope", B)
    for folder in ("../alpha", str(alpha.folder), str(tmp_path)):
        done = bells.run("recall", "--prompt", "quagga escapement", "--cwd", folder)
        assert done.code == REFUSED, folder
        assert not tells(done)
    assert own in bells.ok("recall", "--cwd", ".")
    there = str(alpha.folder)
    moved = {**AGENT, "GIT_DIR": f"{there}/.git", "GIT_WORK_TREE": there, "PWD": there}
    done = cli.run("index", env=moved, cwd=bells.folder)
    assert own in done.ok().out
    assert not tells(done)


@pytest.mark.parametrize("wanted", [A, "*", ""])
def test_scope_caller_cannot_widen_by_adding(cli: Cli, alpha: Project, bells: Project, wanted: str) -> None:
    """What an agent in B writes for A must not turn up in A: refused, or kept in B."""
    done = bells.run("add", "--tag", "FACT", "--scope", wanted, "A planted sentence")
    assert done.code in (0, 2, REFUSED)
    assert "planted" not in alpha.ok("index")
    standing = [row["scope"] for row in cli.json("list", "--all")]
    assert standing in ([], [B]), "a script or a later session reads it as if the project itself had said so"
    own = json.loads(bells.ok("add", "--json", "--tag", "FACT", "--scope", "here", "Our own sentence"))
    assert own["scope"] == B


BY_ID: dict[str, tuple[str, ...]] = {
    "get": ("get", "{entry}"),
    "history": ("history", "{entry}"),
    "correct": ("correct", "{entry}", "other words"),
    "contradict": ("contradict", "{entry}"),
    "contradict with": ("contradict", "{entry}", "other words"),
    "reinforce": ("reinforce", "{entry}", "--session", "c/1"),
    "pin": ("pin", "{entry}"),
    "unpin": ("unpin", "{entry}"),
    "disable": ("disable", "{entry}"),
    "link": ("link", "{entry}", "[[elsewhere]]"),
    "demote": ("demote", "{entry}", "--reason", "abandoned"),
    "edit": ("edit", "{entry}"),
    "demote scope": ("demote", "--scope", "{key}", "--reason", "abandoned"),
}


ONLY_THE_USER = ("edit",)
"""What an agent does not do to its own entries either."""


@pytest.mark.parametrize("command", BY_ID)
def test_scope_caller_cannot_widen_by_an_id(cli: Cli, bells: Project, secret: str, command: str) -> None:
    """An id of A is known to the agent in B, from an old transcript say; to it there is no such entry."""
    own = add(
        cli, "The bells need oil every spring", "--tag", "PREFERENCE", "--scope", B, "--pin", "--impact", "3",
        "--facet", "tone",
    )  # fmt: skip
    if command == "demote scope" or command == "demote":
        for entry in (secret, own):
            cli.run("promote", entry)
    before = cli.json("get", secret)

    def call(entry: str, key: str) -> Result:
        words = [word.format(entry=entry, key=key) for word in BY_ID[command]]
        return cli.run(*words, env={**AGENT, "EDITOR": "true"}, cwd=bells.folder)

    done = call(secret, A)
    assert done.code in (NOT_FOUND, REFUSED), done.out
    assert not tells(done)
    assert cli.json("get", secret) == before
    control = call(own, B)
    assert control.code == (REFUSED if command in ONLY_THE_USER else 0), control.err
    assert "There is no entry" not in control.err


@pytest.mark.parametrize(
    "words",
    [
        *(("log",), ("diff",), ("promote",), ("promote", "--apply"), ("decay",), ("maintain",)),
        *(("log", "--json"), ("undo",), ("checkin",), ("status",)),
    ],
    ids=" ".join,
)
def test_scope_caller_cannot_widen_by_commands_over_all(
    cli: Cli, bells: Project, alpha: Project, words: tuple[str, ...]
) -> None:
    """Overviews that name entries name those of the agent's project."""
    for key, what in ((B, "oil"), (A, "quagga")):
        add(cli, f"Wants the {what} by spring", "--tag", "GOAL", "--scope", key, "--impact", "1")
        add(cli, f"Seems to like {what}", "--tag", "HYPOTHESIS", "--scope", key)
    before = alpha.ok("index")
    done = bells.run(*words)
    assert not tells(done), done.out
    assert alpha.ok("index") == before
    assert before.count("quagga") == 2
    assert "oil" in bells.ok("index")


def test_scope_caller_cannot_widen_by_undo(cli: Cli, alpha: Project, bells: Project) -> None:
    """`undo` goes past what was done in another project; by its id, and with `redo`, it is refused by the gateway."""
    mine = json.loads(bells.ok("add", "--json", "--tag", "FACT", "--scope", "here", "The bells need oil"))["id"]
    secret = alpha.ok(
        "add", "--quiet", "--tag", "FACT", "--scope", "here", "The quagga build takes ten minutes"
    ).strip()
    everybodys = bells.ok("add", "--quiet", "--tag", "FACT", "Answers on Fridays").strip()
    operation = next(row["operation"] for row in cli.json("log") if row["entries"] == [secret])
    for entry in (everybodys, mine):
        assert entry in bells.ok("undo")
    assert bells.run("undo").code == NOT_FOUND
    done = bells.run("undo", operation)
    assert (done.code, done.out) == (REFUSED, "")
    assert "[scope-agent]" in done.err
    assert [row["id"] for row in cli.json("list")] == [secret]
    assert secret in alpha.ok("undo")
    assert bells.run("redo").code == REFUSED
    assert cli.json("list") == []


def test_scope_caller_cannot_widen_by_a_file(cli: Cli, bells: Project, tmp_path: Path) -> None:
    """The scope stands in the front matter of the document, not among the options."""
    file = tmp_path / "planted.md"
    file.write_text(f"---\ntag: FACT\ntitle: Planted\nscope: {A}\n---\n\nWords\n")
    done = bells.run("add", "--tag", "FACT", "--file", str(file))
    assert A not in {row["scope"] for row in cli.json("list", "--all")}, done.err


def test_scope_background_respects_boundary(cli: Cli, alpha: Project, bells: Project) -> None:
    """Entries of both projects overlap, side by side in one note; maintenance and a rebuild mix nothing."""
    same = "Deploys the clock server on Tuesdays after the tests"
    kept: dict[str, list[str]] = {}
    for key, only in ((A, "quagga"), (B, "numbat")):
        kept[key] = [
            add(cli, same, "--tag", "PREFERENCE", "--scope", key, "--source", f"s-{key}/m1"),
            add(cli, f"The {only} build takes ten minutes", "--tag", "FACT", "--scope", key, "--impact", "3"),
            add(cli, "The clock server has two workers", "--tag", "FACT", "--scope", key),
        ]
    assert len({*kept[A], *kept[B]}) == 6, "the same words in two projects are two entries"
    cli.ok("maintain", "--apply")
    cli.run("promote", "--apply")

    def check() -> None:
        for project, key, other, own, foreign in (
            (alpha, A, B, "quagga", "numbat"),
            (bells, B, A, "numbat", "quagga"),
        ):
            for words in (("index",), ("recall", "--prompt", same), ("search", *same.split(), own)):
                seen = project.ok(*words)
                assert [entry for entry in kept[key] if entry not in seen] == [], (key, words)
                assert [entry for entry in kept[other] if entry in seen] == [], (key, words)
                assert foreign not in seen
            # Neighbours of one day find each other only within their project.
            assert project.ok("search", foreign, "--json").strip() == "[]"
            neighbours = {row["id"] for row in json.loads(project.ok("search", own, "--json"))}
            assert kept[key][1] in neighbours <= set(kept[key])
        for row in cli.json("list", "--all"):
            assert row["scope"] == (A if row["id"] in kept[A] else B)
            assert row["status"] == "active"
            others = kept[B if row["id"] in kept[A] else A]
            assert not any(entry in json.dumps(row) for entry in others)

    check()
    for name in ("cache.sqlite", "cache.stamp", "manifest.json"):
        (cli.store / ".remember-me" / name).unlink()
    check()
    (cli.store / ".remember-me" / "cache.sqlite").write_bytes(b"no database")
    cli.ok("maintain", "--apply")
    check()


def test_scope_background_respects_boundary_of_sessions(cli: Cli, alpha: Project, bells: Project) -> None:
    """Sessions in B let a guess of B lapse, and count nothing against a guess of A."""
    began = datetime.now(UTC) - timedelta(days=9)
    note = cli.store / f"memory/{began.date()}.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text(
        f"- [10:00] HYPOTHESIS: Prefers the quagga ^qbcdfg\n  - confidence: medium\n  - scope: {A}\n\n"
        f"- [10:00] HYPOTHESIS: Prefers the numbat ^nbcdfg\n  - confidence: medium\n  - scope: {B}\n"
    )
    assert "qbcdfg" in alpha.ok("index")
    assert "nbcdfg" in bells.ok("index")
    state = State(cli.store / ".remember-me" / STATE_NAME)
    for day in range(1, 8):
        state.note_session(f"claude-code/{day}", B, began + timedelta(days=day))
    assert bells.run("index").out == ""
    assert alpha.ok("index") == "qbcdfg HYPOTHESIS (medium) Prefers the quagga\n"
    cli.ok("maintain", "--apply")
    assert "qbcdfg" in alpha.ok("index")
    assert cli.json("get", "nbcdfg")["status"] != "active"
