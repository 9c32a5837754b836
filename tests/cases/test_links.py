"""B54: nothing behind a link out of the store is read or written, and a bomb in front matter is not expanded."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.cases.support import add, failed, ids, known, problems, put, run_powerless, sampled, sound, today, topic
from tests.cli_runner import Cli, bytes_of, command_line, git
from tests.shared import shared_path

SECRET = "SECRET-OUTSIDE"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder of somebody else's, with notes."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "topic.md").write_text(topic("mgk001", SECRET, SECRET))
    (folder / "daily.md").write_text(f"- FACT: {SECRET} ^mgk002\n")
    return folder


def test_b54_a_store_behind_a_link_works(tmp_path: Path, bare: Cli) -> None:
    real = tmp_path / "real"
    real.mkdir()
    bare.store.symlink_to(real)
    bare.ok("init")
    entry = add(bare, "x")
    assert ids(bare) == [entry]
    assert bare.json("status")["store"] == str(real)
    assert bare.store.is_symlink()
    sound(Cli(real, bare.environ))


def test_b54_links_in_the_notes_are_neither_read_nor_written(cli: Cli, outside: Path) -> None:
    daily = f"memory/{today(cli)}.md"
    put(cli, "memory/fine.md", topic("mfn001", "Healthy note"))
    links = {
        "memory/2026-03-03.md": outside / "daily.md",
        "memory/leak.md": outside / "topic.md",
        "memory/relative.md": Path("..", "..", "outside", "topic.md"),
        "memory/hostname.md": Path("/etc/hostname"),
        "memory/dangling.md": Path("nowhere.md"),
        "memory/inside.md": Path("fine.md"),
        "memory/zero.md": Path("/dev/zero"),
        "memory/folder.md": outside,
        "memory/deep": outside,
        "memory/loop": Path("."),
        daily: outside / "daily.md",
    }
    for path, target in links.items():
        (cli.store / path).symlink_to(target)
    os.mkfifo(cli.store / "memory" / "fifo.md")
    (cli.store / "memory" / "note.md").mkdir()
    before = bytes_of(outside)
    assert ids(cli) == ["mfn001"]
    reasons = dict.fromkeys(links, "is a link and is not followed")
    reasons |= {
        "memory/fifo.md": "is no ordinary file and is not read",
        "memory/note.md": "is a folder and is not read",
    }
    assert problems(cli) == [f"{path}: {reasons[path]}" for path in sorted(reasons)]
    for entry in ("mgk001", "mgk002"):
        failed(cli.run("get", entry), 3, f"There is no entry {entry}.")
        failed(cli.run("disable", entry), 3, f"There is no entry {entry}.")
    done = failed(cli.run("add", "write through?"), 8, f"{daily} is a link out of the notes and is not followed.")
    assert done.err.endswith("Hint: Put the file itself into the store.\n")
    cli.ok("pin", "mfn001")
    cli.ok("undo")
    assert bytes_of(outside) == before
    assert SECRET not in git(cli.store, "log", "-p")
    assert "120000" not in git(cli.store, "ls-tree", "-r", "HEAD")
    assert [path for path in git(cli.store, "ls-files").split() if path.startswith("memory/")] == ["memory/fine.md"]


@pytest.mark.parametrize("what", ["memory", ".remember-me", ".remember-me/spool", ".git", ".git/objects", ".git/refs"])
def test_b54_a_part_of_the_store_that_leads_elsewhere(cli: Cli, tmp_path: Path, what: str) -> None:
    """Nothing is written there, and the notes of now do not count as deleted."""
    entry = add(cli, "x")
    head = git(cli.store, "rev-parse", "HEAD")
    elsewhere = tmp_path / "elsewhere"
    (cli.store / what).rename(elsewhere)
    (cli.store / what).symlink_to(elsewhere)
    before = bytes_of(elsewhere, but=())
    for words in (("status",), ("add", "y"), ("config", "store.timezone", "UTC")):
        done = known(cli.run(*words))
        if words[0] == "add" and "git" not in what:
            assert done.code == 8
            assert " is a link" in done.err
    assert bytes_of(elsewhere, but=()) == before
    (cli.store / what).unlink()
    elsewhere.rename(cli.store / what)
    assert entry in ids(cli)
    assert git(cli.store, "diff", "--name-only", "--diff-filter=D", head.strip(), "HEAD") == ""
    add(cli, "z")
    sound(cli)


@pytest.mark.parametrize("part", ["pack", "info", "fan-out"])
def test_b54_no_object_of_git_is_written_elsewhere(cli: Cli, tmp_path: Path, part: str) -> None:
    """A store that is handed over as a folder may have links among the objects, too."""
    add(cli, "x")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    objects = cli.store / ".git" / "objects"
    for name in [format(number, "02x") for number in range(256)] if part == "fan-out" else [part]:
        folder = objects / name
        if folder.is_dir():
            shutil.move(folder, tmp_path / f"moved-{name}")
            for file in (tmp_path / f"moved-{name}").iterdir():
                shutil.copy(file, elsewhere)
        folder.symlink_to(elsewhere)
    before = bytes_of(elsewhere, but=())
    done = known(cli.run("add", "y"))
    assert done.code == 0
    assert bytes_of(elsewhere, but=()) == before
    assert " leads elsewhere, and remember-me does not follow it" in done.err


def test_b54_a_git_file_that_points_elsewhere(cli: Cli, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (cli.store / ".git").rename(elsewhere)
    (cli.store / ".git").write_text(f"gitdir: {elsewhere}\n")
    before = bytes_of(elsewhere, but=())
    done = cli.run("add", "y")
    reason = ".git of the store leads elsewhere, and remember-me does not follow it"
    assert (done.code, done.err.splitlines()[0]) == (0, f"saved, not yet committed: {reason}.")
    failed(cli.run("undo"), 6, f"Nothing was undone or redone, because git cannot commit: {reason}.")
    failed(cli.run("log"), 6, f"There is no history to read: {reason}.")
    assert cli.json("status")["reason"] == reason
    assert cli.run("init").code == 0
    assert bytes_of(elsewhere, but=()) == before


def test_b54_a_note_that_may_not_be_read_is_none_that_is_gone(cli: Cli) -> None:
    """Its text stays in the history as it was; the other notes are served and written."""
    put(cli, "memory/closed.md", topic("mch001", "closed"))
    put(cli, "memory/fine.md", topic("mfn001", "fine"))
    cli.ok("pin", "mfn001")
    closed = cli.store / "memory" / "closed.md"
    closed.chmod(0)
    done = run_powerless(cli, "list").ok()
    assert "mch001" not in done.out
    assert (
        "Problem: memory/closed.md: Could not read memory/closed.md: permission denied\n"
        in run_powerless(cli, "status").out
    )
    failed(run_powerless(cli, "pin", "mch001"), 3, "There is no entry mch001.")
    run_powerless(cli, "unpin", "mfn001").ok()
    closed.chmod(0o644)
    assert ids(cli) == ["mch001", "mfn001"]
    assert git(cli.store, "show", "HEAD:memory/closed.md") == topic("mch001", "closed")
    sound(cli)


def test_b54_a_folder_that_may_not_be_read_loses_no_note(cli: Cli) -> None:
    entry = add(cli, "x")
    folder = cli.store / "memory"
    folder.chmod(0)
    head = git(cli.store, "rev-parse", "HEAD")
    done = run_powerless(cli, "status").ok()
    assert "Problem: memory/: could not be listed: permission denied\n" in done.out
    done = known(run_powerless(cli, "add", "y"))
    assert done.code == 8
    assert done.err.startswith("Error: Could not read memory/")
    known(run_powerless(cli, "config", "store.timezone", "UTC"))
    folder.chmod(0o755)
    assert git(cli.store, "diff", "--name-only", "--diff-filter=D", head.strip(), "HEAD") == ""
    assert ids(cli) == [entry]
    add(cli, "z")
    sound(cli)


def bomb(entry_id: str) -> str:
    """Nine to the power of seven, were it expanded."""
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in zip("abcdef", "bcdefg", strict=True)]
    return "\n".join(["---", *lines, f"id: {entry_id}", "tag: FACT", "title: *g", "---", "", "boom", ""])


BOMBS = {
    "aliases": bomb("mbmb01"),
    "nesting": f"---\nid: mbmb01\ntag: FACT\ntitle: x\ndeep: {'[' * 50_000}\n---\n",
    "merge keys": "---\nid: mbmb01\ntag: FACT\ntitle: x\na: &a {k: v}\nb: {<<: [*a, *a, *a]}\n---\n",
    "many keys": "---\nid: mbmb01\ntag: FACT\ntitle: x\n" + "".join(f"k{n}: v\n" for n in range(20_000)) + "---\n",
    "one long key": f"---\nid: mbmb01\ntag: FACT\ntitle: x\n{'k' * 1_000_000}: v\n---\n",
    "a tag": "---\nid: mbmb01\ntag: FACT\ntitle: !!python/object/apply:os.system [touch pwned]\n---\n",
}


@pytest.mark.parametrize("name", sampled(BOMBS))
def test_b54_a_bomb_ends_within_seconds_and_a_gigabyte(cli: Cli, name: str) -> None:
    put(cli, "memory/bomb.md", BOMBS[name])
    put(cli, f"memory/{today(cli)}.md", BOMBS[name] + "\n- FACT: beside it ^mbmb02\n")
    put(cli, "memory/fine.md", topic("mfn001", "Healthy note"))

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))

    began = time.monotonic()
    done = subprocess.run(
        command_line("--store", str(cli.store), "list"),
        env=cli.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
        preexec_fn=limited,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "mfn001 FACT Healthy note" in done.stdout
    assert time.monotonic() - began < 20
    assert not list(cli.store.parent.rglob("pwned"))
    before = (cli.store / "memory" / "bomb.md").read_bytes()
    add(cli, "goes on")
    done2 = known(cli.run("pin", "mbmb01"))
    assert done2.code in (0, 3, 7)
    if done2.code:
        assert (cli.store / "memory" / "bomb.md").read_bytes() == before
    if name == "aliases":
        assert "memory/bomb.md:2: anchors and aliases are not expanded; read leniently, never rewritten" in "\n".join(
            problems(cli)
        )
    sound(cli)


def test_the_inputs_of_the_case(cli: Cli) -> None:
    source = shared_path("cases", "inputs", "B54")
    put(cli, "memory/2026-03-02.md", (source / "2026-03-02.md").read_bytes())
    put(cli, "memory/2026-03-05.md", (source / "2026-03-05.md").read_bytes())
    text = (source / "2026-03-05.md").read_text().replace("m-bomb", "mbmb01").replace("title:", "tag: FACT\ntitle:")
    put(cli, "memory/bomb.md", text)
    assert ids(cli) == ["mbmb01"]
    assert any("memory/bomb.md" in problem for problem in problems(cli))
    assert len(cli.ok("get", "mbmb01").out) < 1000
