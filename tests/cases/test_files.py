"""B37, B39: links and modes of the person's files are kept, and copies beside a note are never read as notes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from remember_me.notes import layout
from tests.cases.support import add, failed, ids, problems, put, sampled, sound, today, topic
from tests.cli_runner import Cli, bytes_of, git
from tests.shared import shared_path

LONG_TERM = "# Long-term memory\n\n- FACT: long-term ^mkt001\n"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def linked(cli: Cli, tmp_path: Path) -> Path:
    """The file that the store's MEMORY.md is a link to."""
    target = tmp_path / "dotfiles" / "MEMORY.md"
    target.parent.mkdir()
    target.write_text(LONG_TERM)
    (cli.store / "MEMORY.md").symlink_to(target)
    return target


def test_b37_a_linked_long_term_note_and_all_modes_are_kept(cli: Cli, linked: Path) -> None:
    """`promote` is a later issue: `pin`, `correct` and `undo` write into MEMORY.md today.

    git keeps the text and not the link, so `git status` shows a change of type: nothing of where the link leads
    is in the history.
    """
    daily = put(cli, f"memory/{today(cli)}.md", "x\n")
    other = put(cli, "memory/topic.md", topic("mkt002", "topic"))
    executable = put(cli, "memory/run.md", topic("mkt003", "run"))
    modes = {linked: 0o664, daily: 0o660, other: 0o640, executable: 0o755, cli.store / "remember-me.toml": 0o664}
    for path, wanted in modes.items():
        path.chmod(wanted)
    before = bytes_of(cli.store)
    add(cli, "promote me", "--pin")
    for entry in ("mkt001", "mkt002", "mkt003"):
        cli.ok("pin", entry)
    cli.ok("correct", "mkt001", "new words")
    cli.ok("config", "store.timezone", "UTC")
    assert (cli.store / "MEMORY.md").is_symlink()
    assert linked.read_text() == "# Long-term memory\n\n- FACT: new words ^mkt001\n  - pinned: true\n"
    assert {path: mode(path) for path in modes} == modes
    assert os.listdir(linked.parent) == ["MEMORY.md"]
    assert "120000" not in git(cli.store, "ls-tree", "-r", "HEAD")
    assert git(cli.store, "ls-tree", "HEAD", "memory/run.md").startswith("100755 ")
    assert str(linked.parent) not in git(cli.store, "log", "-p")
    for _ in range(6):
        cli.ok("undo")
    assert bytes_of(cli.store) == before
    assert {path: mode(path) for path in modes} == modes
    sound(cli, besides=[" T MEMORY.md"])


@pytest.mark.parametrize(("umask", "wanted"), [("002", 0o664), ("022", 0o644), ("077", 0o600)])
def test_b37_new_notes_follow_the_umask_and_our_own_files_are_private(cli: Cli, umask: str, wanted: int) -> None:
    before = os.umask(int(umask, 8))
    try:
        add(cli, "x")
    finally:
        os.umask(before)
    assert mode(cli.store / "memory" / f"{today(cli)}.md") == wanted
    own = cli.store / ".remember-me"
    assert mode(own) == 0o700
    assert [mode(path) & 0o077 for path in own.rglob("*") if path.is_file() and path.name != ".gitignore"] == [0, 0, 0]


@pytest.mark.parametrize("words", [("pin", "mkt001"), ("correct", "mkt001", "new"), ("undo",)])
def test_b37_a_link_that_dangles_is_an_error_and_no_new_file(cli: Cli, linked: Path, words: tuple[str, ...]) -> None:
    cli.ok("disable", "mkt001")
    linked.unlink()
    done = cli.run(*words)
    if words == ("undo",):
        failed(done, 8, f"MEMORY.md is a link to {linked}, which does not exist.")
        assert "Hint: Create that file, or remove the link.\n" in done.err
    else:
        failed(done, 3, "There is no entry mkt001.")
    assert not linked.exists()
    assert (cli.store / "MEMORY.md").is_symlink()
    assert problems(cli) == [f"MEMORY.md: is a link to {linked}, which does not exist"]
    assert git(cli.store, "show", "HEAD:MEMORY.md") == LONG_TERM + "  - status: disabled\n"
    entry = add(cli, "the others go on")
    assert ids(cli) == [entry]


@pytest.mark.parametrize("target", sampled(["secret.txt", "folder", "/dev/zero", "MEMORY.md", "fifo.md"]))
def test_b37_a_link_to_anything_else_is_refused_by_name(cli: Cli, tmp_path: Path, target: str) -> None:
    (tmp_path / "secret.txt").write_text("- FACT: SECRET ^mkt009\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo.md")
    link = cli.store / "MEMORY.md"
    link.symlink_to("MEMORY.md" if target == "MEMORY.md" else tmp_path / target)
    add(cli, "x")
    (problem,) = problems(cli)
    assert problem.startswith("MEMORY.md: is a link to ")
    assert "SECRET" not in git(cli.store, "log", "-p")
    failed(cli.run("get", "mkt009"), 3, "There is no entry mkt009.")


COPIES = (
    "topic 2.md", "topic (conflicted copy 2026-03-02 070952).md", "topic (Bob's conflicted copy 2026-03-02).md",
    "topic (Case Conflict).md", "topic.sync-conflict-20260302-184717-5RQAITR.md", "topic.md~", "topic~.md",
    ".topic.md.swp", ".topic.md.swo", ".topic.md.icloud", "topic.md.orig", "topic.md.bak", "topic.md.rej",
    "topic.md.tmp",
    "topic.md.1", "#topic.md#", ".#topic.md", "topic_conf(2).md", "topic conflict 2026-03-01.md",
)  # fmt: skip
"""Conflict copies, backups and swap files: listed by status, never read, never deleted."""

STRANGERS = (
    ".goutputstream-ABC", "4913", ".~lock.topic.md#", "topic.md.part", "topic.md.crdownload", "topic.md.save",
    "._topic.md",
    "~$topic.docx", "Thumbs.db", ".DS_Store", ".topic.md.abcdef", "topic.md.sb-1234-abcd", "topic.txt", "TOPIC.MD.zip",
)  # fmt: skip
"""What else lies about in a folder: no note, and no word about it."""


def test_b39_copies_are_listed_and_never_read(cli: Cli) -> None:
    """`index`, `search` and `forget` are later issues: `list`, `get` and the writing commands see one entry."""
    stale = topic("msc001", "Stale", "OLD TEXT")
    put(cli, "memory/topic.md", topic("msc001", "Current", "Current text."))
    put(cli, "memory/2026-03-01.md", "- FACT: Current daily ^msc002\n")
    put(cli, "MEMORY.md", "- FACT: Current long-term ^msc003\n")
    listed = [f"memory/{name}" for name in COPIES]
    for path in listed:
        put(cli, path, stale)
    for name in STRANGERS:
        put(cli, f"memory/{name}", stale)
    for name in ("2026-03-01 2.md", "2026-03-01 (conflicted copy 2026-03-02 070952).md", "2026-03-01.md~"):
        put(cli, f"memory/{name}", "- FACT: OLD TEXT ^msc002\n")
        listed.append(f"memory/{name}")
    for name in ("MEMORY 2.md", "MEMORY (conflicted copy).md", "MEMORY.md~", ".MEMORY.md.swp"):
        put(cli, name, "- FACT: OLD TEXT ^msc003\n")
        listed.append(name)
    for path in ("memory/.obsidian/x.md", "memory/.trash/topic.md", "memory 2/topic.md", ".trash/MEMORY.md"):
        put(cli, path, stale)
    before = bytes_of(cli.store)
    found = cli.json("list", "--all")
    assert sorted((row["id"], row["title"]) for row in found) == [
        ("msc001", "Current"),
        ("msc002", "Current daily"),
        ("msc003", "Current long-term"),
    ]
    state = cli.json("status")
    assert state["copies"] == sorted(listed)
    assert state["problems"] == []
    assert f"Not read, a conflict copy or backup: {sorted(listed)[0]}\n" in cli.ok("status").out
    assert cli.json("get", "msc001")["body"] == "Current text."
    for entry in ("msc001", "msc002", "msc003"):
        cli.ok("pin", entry)
    after = bytes_of(cli.store)
    assert sorted(path for path in after if after[path] != before.get(path)) == [
        "MEMORY.md",
        "memory/2026-03-01.md",
        "memory/topic.md",
    ]
    assert set(git(cli.store, "ls-files").splitlines()) == {
        ".gitignore",
        "MEMORY.md",
        "memory/2026-03-01.md",
        "memory/topic.md",
        "remember-me.toml",
    }
    assert "OLD TEXT" not in git(cli.store, "log", "-p")


@pytest.mark.parametrize("name", ["topic 2.md", "topic~.md", "2026-03-01 2.md"])
def test_b39_no_file_that_we_write_has_the_name_of_a_copy(cli: Cli, tmp_path: Path, name: str) -> None:
    given = tmp_path / name
    given.write_text("Some words.\n")
    cli.ok("add", "--tag", "FACT", "--file", str(given))
    (row,) = cli.json("list")
    assert not layout.is_copy(row["note"].removeprefix("memory/"))
    assert cli.json("status")["copies"] == []


def test_b39_a_name_that_is_no_date_is_reported(cli: Cli) -> None:
    for name in ("2026-13-45.md", "2026-02-30.md", "0000-01-01.md"):
        put(cli, f"memory/{name}", "- FACT: z ^msc099\n")
    assert ids(cli) == []
    assert problems(cli) == [
        f"memory/{day}.md: {day} is no date, so the file is read as prose"
        for day in ("0000-01-01", "2026-02-30", "2026-13-45")
    ]


def test_b39_an_id_that_is_live_in_two_notes_is_reported(cli: Cli) -> None:
    """A copy under a name that nobody knows (`topic copy.md` of a Mac) is a note like any other."""
    put(cli, "memory/topic.md", topic("msc001", "Current"))
    put(cli, "memory/topic copy.md", topic("msc001", "Copy"))
    put(cli, "memory/other.md", topic("msc004", "Not live", more="status: stale\n"))
    put(cli, "MEMORY.md", "- FACT: Live ^msc004\n")
    assert ids(cli) == ["msc001", "msc004"]
    assert problems(cli) == ["memory/topic.md:1: msc001 is live in memory/topic copy.md:1 too, and that one is served"]


def test_the_inputs_of_the_case(cli: Cli) -> None:
    source = shared_path("cases", "inputs", "B39")
    names = sorted(file.name for file in source.iterdir() if file.name != "setup.sh")
    for name in names:
        data = (source / name).read_bytes().replace(b"id: m-sc01", b"id: msc001").replace(b"type:", b"tag:")
        put(cli, f"memory/{name.replace('2026-03-01', 'topic')}", data)
        put(cli, f"memory/{name}", (source / name).read_bytes())
    (row,) = cli.json("list", "--all")
    assert (row["id"], row["title"], row["body"]) == ("msc001", "Current", "Current text.")
    copies = cli.json("status")["copies"]
    left_out = {"2026-03-01.md", "2026-13-45.md"}
    assert copies == sorted(
        f"memory/{form}"
        for name in names
        if name not in left_out
        for form in (name, name.replace("2026-03-01", "topic"))
    )
    cli.ok("pin", "msc001")
    assert "OLD TEXT" not in git(cli.store, "log", "-p")
