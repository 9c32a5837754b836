"""B53: an id is looked up among the ids that are there; no path is ever built from what was typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from remember_me.cli.commands import COMMANDS
from tests.cases.support import add, failed, ids, insertion, known, like, put, sampled, sound, today, topic
from tests.cli_runner import Cli, bytes_of, git
from tests.shared import shared_path

PATHS = (
    "../../../../etc/passwd", "/etc/passwd", "..%2f..%2fetc%2fpasswd", "memory/../../outside", "../outside.md",
    "2026-03-01/../../outside", ".git/config", "..\\..\\x", "~root", "memory/topic.md", "topic", "MEMORY.md",
)  # fmt: skip
ODDITIES = (
    "-", "^", "a" * 5000, "١٢٣٤٥٦", "ａｂｃｄｅｆ", "mtｐ001", "*", "%s", "u-", "u-../../x", "\u202embp001",
    "m\u200btp001", "a\nb", "\x1b[31mred", "$(touch x)", "HEAD~1", "refs/heads/main",
)  # fmt: skip
SECRET = "SECRET-OUTSIDE"


@pytest.fixture(scope="module")
def prepared(preparing: Cli) -> str:
    """A note and an operation in the prepared store."""
    put(preparing, "memory/topic.md", topic("mtp001", "inside"))
    return add(preparing, "an operation")


@pytest.fixture
def guarded(cli: Cli, preparing: Cli, prepared: str) -> Cli:
    """A store with a note, and a file outside that nobody may read or write."""
    assert prepared
    for place in (cli.store.parent, cli.store.parent.parent):
        (place / "outside.md").write_text(topic("mtp009", SECRET, SECRET))
    return like(preparing, cli)


def everything(cli: Cli) -> dict[str, bytes]:
    return bytes_of(cli.store.parent, but=())


def shown(given: str) -> str:
    """What was typed, as an error shows it."""
    short = given if len(given) <= 60 else given[:59] + "…"
    return short.replace("\n", "\\n").replace("\x1b", "\\x1b").replace("\u202e", "\\u202e").replace("\u200b", "\\u200b")


def test_b53_an_id_is_no_path(guarded: Cli) -> None:
    before = everything(guarded)
    for given in sampled((*PATHS, *ODDITIES)):
        done = failed(guarded.run("get", given), 3, f"There is no entry {shown(given)}.")
        assert done.err.split("\n", 1)[1] == "Hint: `remember-me list` shows the ids.\n"
        assert SECRET not in done.err
    failed(guarded.run("get", ""), 3, "There is no entry ''.")
    assert everything(guarded) == before


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("correct", "{}", "new words"), "entry"),
        (("contradict", "{}", "new words"), "entry"),
        (("confirm", "{}"), "entry"),
        (("reinforce", "{}"), "entry"),
        (("link", "{}", "[[x]]"), "entry"),
        (("promote", "{}"), "entry"),
        (("promote", "--explain", "{}"), "entry"),
        (("demote", "{}", "--reason", "expired"), "entry"),
        (("checkin", "{}", "yes"), "entry"),
        (("pin", "{}"), "entry"),
        (("unpin", "{}"), "entry"),
        (("enable", "{}"), "entry"),
        (("disable", "{}"), "entry"),
        (("edit", "{}"), "entry"),
        (("history", "{}"), "entry"),
        (("undo", "{}"), "operation"),
        (("undo", "--entry", "{}"), "entry"),
        (("redo", "{}"), "operation"),
        (("diff", "{}"), "operation or entry"),
        (("forget", "{}", "--yes"), "entry"),
        (("review", "{}"), "proposal"),
        (("keep", "{}"), "proposal"),
        (("restore", "{}"), "proposal"),
        (("config", "{}"), "setting"),
        (("config", "{}", "value"), "setting"),
        (("get", "--json", "{}"), "json"),
    ],
)
def test_b53_nor_is_it_one_to_any_other_command(guarded: Cli, words: tuple[str, ...], kind: str) -> None:
    before = everything(guarded)
    for given in ("../outside.md", "\x1b[31m*" + "i" * 5000):
        done = guarded.run(*(word.replace("{}", given) for word in words), env={"EDITOR": "touch touched"})
        if kind == "json":
            assert known(done).code == 3
            assert "\x1b" not in done.err
            continue
        failed(done, 2 if kind == "setting" else 3, f"There is no {kind} {shown(given)}.")
        assert SECRET not in done.err
    after = everything(guarded)
    assert {path for path in {*before, *after} if before.get(path) != after.get(path)} <= own_files(guarded, after)


def own_files(cli: Cli, files: dict[str, bytes]) -> set[str]:
    """What a command may write before it finds that there is no such id: the commit of hand edits."""
    return {path for path in files if path.startswith((f"{cli.store.name}/.git/", f"{cli.store.name}/.remember-me/"))}


def test_b53_every_command_that_takes_a_name_is_covered() -> None:
    """A new command must be looked at here: does it take an id, and is that id in the lists above?"""
    takes_none = {
        *("init", "demo", "status", "add", "list", "log", "profile", "decay", "maintain"),
        *("index", "search", "recall", "tokens", "erase", "doctor", "install", "uninstall", "context"),
    }
    covered = {
        "get",
        "correct",
        "contradict",
        "confirm",
        "reinforce",
        "link",
        "promote",
        "demote",
        "checkin",
        "pin",
        "unpin",
        "enable",
        "disable",
        "edit",
        "history",
        "undo",
        "redo",
        "diff",
        "config",
        "forget",
        "review",
        "keep",
        "restore",
    }
    assert {row.name for row in COMMANDS} == takes_none | covered


@pytest.mark.parametrize("words", [("list", "--scope"), ("list", "--tag"), ("list", "--since"), ("list", "--tier")])
def test_b53_nor_a_filter(guarded: Cli, words: tuple[str, ...]) -> None:
    before = everything(guarded)
    for given in ("../../../../etc/passwd", "a" * 5000):
        done = known(guarded.run(*words, given))
        assert done.code == (0 if words[1] == "--scope" else 2)
        assert len(done.err) < 300
    assert everything(guarded) == before


NAMES = {
    "x.md": "x.md",
    "2026-11-29.md": "note-2026-11-29.md",
    "2026-11-29.txt": "note-2026-11-29-2.md",
    "MEMORY.md": "note-MEMORY.md",
    "memory.MD": "note-memory.md",
    "forgotten.md": "note-forgotten.md",
    " 2.md": "2.md",
    ".hidden.md": "hidden.md",
    "...md": "note.md",
    "-.md": "note-2.md",
    "a\x1b[31m.md": "a-31m.md",
    "a:b?*.md": "a-b.md",
    "..\\..\\evil.md": "evil.md",
    "x.sync-conflict-1.md": "x-sync-conflict-1.md",
    "x~": "x-2.md",
    ".git": "git.md",
    "remember-me.toml": "remember-me.toml.md",
    "Café ☕.md": "Café.md",
}
"""The name of a file that a person hands over, and the note that it becomes; in this order in one store."""


def test_b53_a_file_that_is_handed_over_becomes_a_note_in_the_store(cli: Cli, tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    for name, note in NAMES.items():
        (given / name).write_text("Some words.\n")
        row = cli.json("add", "--tag", "FACT", "--file", str(given / name))
        assert row["note"] == f"memory/{note}", name
        assert insertion(b"Some words.\n", (cli.store / "memory" / note).read_bytes()).startswith(b"---\nid: ")
    assert len(ids(cli)) == len(NAMES)
    assert sorted(os.listdir(cli.store / "memory")) == sorted(NAMES.values())
    assert cli.json("status")["copies"] == []
    sound(cli)


def test_b53_a_path_that_leads_out_and_back_is_just_a_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("Some words.\n")
    (cli.store / "memory").mkdir()
    done = cli.run("add", "--tag", "FACT", "--file", "../../x.md", cwd=cli.store / "memory").ok()
    assert "memory/x.md" in done.out
    assert (tmp_path / "x.md").read_text() == "Some words.\n"
    link = tmp_path / "link.md"
    link.symlink_to(tmp_path / "x.md")
    cli.ok("add", "--tag", "FACT", "--file", str(link))
    assert not (cli.store / "memory" / "link.md").is_symlink()
    sound(cli)


@pytest.mark.parametrize("stem", ["a" * 252, "ü" * 126, "名" * 84])
def test_b53_the_longest_name_that_a_file_can_have(cli: Cli, tmp_path: Path, stem: str) -> None:
    """Beside the note the writer needs room for the name of its temporary file."""
    file = tmp_path / f"{stem}.md"
    file.write_text("Some words.\n")
    for _ in range(2):
        cli.ok("add", "--tag", "FACT", "--file", str(file))
    by_hand = put(cli, f"memory/{stem}.md", topic("mtp005", "by hand"))
    cli.ok("pin", "mtp005")
    assert b"pinned: true\n" in by_hand.read_bytes()
    cli.ok("undo")
    assert len(ids(cli)) == 3
    sound(cli)


def refusals(tmp_path: Path) -> dict[str, tuple[Path, str]]:
    """What cannot be taken in: name -> (path, message)."""
    given = tmp_path / "given"
    given.mkdir()

    def file(name: str, data: bytes) -> Path:
        (given / name).write_bytes(data)
        return given / name

    os.mkfifo(given / "fifo.md")
    (given / "folder.md").mkdir()
    (given / "dangling.md").symlink_to("nowhere")
    none = "{path} is no ordinary file."
    nothing = "{path} has no text."
    own = "has an id or a tag of its own in its front matter, which is none of ours."
    return {
        "a fifo": (given / "fifo.md", none),
        "a folder": (given / "folder.md", none),
        "/dev/zero": (Path("/dev/zero"), none),
        "/dev/null": (Path("/dev/null"), none),
        "the current folder": (Path("."), none),
        "nothing there": (given / "gone.md", "There is no file {path}."),
        "a dangling link": (given / "dangling.md", "There is no file {path}."),
        "below a file": (file("f", b"x") / "x.md", "Could not read {path}: not a directory."),
        "20 MB": (file("big.md", b"x" * 20_000_000), "{path} is larger than 16 MiB."),
        "16 MiB": (file("full.md", b"x\n" * 8 * 1024 * 1024), "memory/full.md would be larger than 16 MiB."),
        "empty": (file("empty.md", b""), nothing),
        "blank": (file("blank.md", b"\r\n \t\n"), nothing),
        "front matter alone": (file("front.md", b"---\ntitle: x\n---\n"), nothing),
        "NUL": (file("nul.md", b"a\0b"), "{path} holds a NUL character."),
        "UTF-16": (file("wide.md", "words".encode("utf-16")), "{path} holds a NUL character."),
        "Latin-1": (file("latin.md", b"caf\xe9"), "{path} is no valid UTF-8."),
        "an id of its own": (file("own.md", b"---\nid: other\n---\n\nbody\n"), f"own.md {own}"),
        "broken front matter": (
            file("broken.md", b"---\ntitle: a: b\n\tx: y\n---\n\nbody\n"),
            "broken.md cannot become a topic note: its front matter is no valid YAML.",
        ),
        "a title over 500": (
            file("long.md", b"---\ntitle: " + b"T" * 501 + b"\n---\n\nbody\n"),
            "The title has 501 characters, more than 500.",
        ),
    }  # fmt: skip


def test_b53_what_cannot_be_a_note_is_refused_by_name(cli: Cli, tmp_path: Path) -> None:
    before = bytes_of(cli.store)
    for name, (path, message) in refusals(tmp_path).items():
        done = failed(cli.run("add", "--tag", "FACT", "--file", str(path), timeout=20), 2, message.format(path=path))
        assert done.err.count("\n") == 2, (name, done.err)
    assert bytes_of(cli.store) == before
    sound(cli)


def test_b53_a_heading_that_is_too_long_for_a_title_is_shortened(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "heading.md"
    file.write_text(f"# {'long ' * 200}\n\nbody\n")
    row = cli.json("add", "--tag", "FACT", "--file", str(file))
    assert len(row["title"]) <= 200
    assert row["body"].startswith("# long long")


def test_the_inputs_of_the_case(guarded: Cli) -> None:
    text = shared_path("cases", "inputs", "B53", "ids.txt").read_text(encoding="utf-8")
    before = everything(guarded)
    for given in text.split("\n"):
        failed(guarded.run("disable", given), 3, f"There is no entry {shown(given) or repr('')}.")
    after = everything(guarded)
    assert {path for path in {*before, *after} if before.get(path) != after.get(path)} <= own_files(guarded, after)
    assert SECRET not in git(guarded.store, "log", "-p")
    assert today(guarded)
