"""A disk that is full, read-only or broken, and files that are no notes: told by name, and nothing is half done."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli_runner import Cli, Result, bytes_of, command_line, git, trust_scripts
from tests.shared import shared_path
from tests.store.soundness import assert_sound, commits, leftovers

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the set-up uses POSIX permissions and mounts")

SAVED = "saved, not yet committed: "


@pytest.fixture
def cli(home: Path, tmp_path: Path) -> Cli:
    """The command line on a new store with one entry, for a script that counts as the person."""
    trust_scripts(home)
    return started(tmp_path / "store")


def started(store: Path) -> Cli:
    made = Cli(store, {"PYTHONDONTWRITEBYTECODE": "1"})
    made.ok("init")
    made.ok("add", "before")
    return made


def todays_note(cli: Cli) -> Path:
    """The note that `add` writes into."""
    (note,) = (cli.store / "memory").glob("2*.md")
    return note


def titles(cli: Cli) -> list[str]:
    return sorted(entry["title"] for entry in cli.json("list", "--all"))


def assert_refused(result: Result, named: str, reason: str) -> None:
    """Not done: one line that names the file and why, and one with the next step."""
    assert result.code == 8, result
    assert result.out == ""
    assert result.err.count("\n") == 2, result.err
    error, hint = result.err.splitlines()
    assert error == f"Error: Could not write {named}: {reason}. Nothing was changed."
    assert re.fullmatch(r"Hint: [A-Z].+\.", hint)


def assert_next_command_works(cli: Cli, *kept: str) -> None:
    cli.ok("add", "after")
    assert titles(cli) == sorted(["before", *kept, "after"])
    verbs = [commit.verb for commit in assert_sound(cli.store)]
    assert verbs == ["init", *["add"] * (len(kept) + 2)]


def run_under(cli: Cli, prefix: list[str], *arguments: str) -> Result:
    """Run a command behind another program, such as strace."""
    done = subprocess.run(
        [*prefix, *command_line("--store", str(cli.store), *arguments)],
        env=cli.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,
    )
    return Result(arguments, done.returncode, done.stdout, done.stderr)


# Full


@contextlib.contextmanager
def mounted(folder: Path, *arguments: str) -> Iterator[Path]:
    """Mount something at `folder`; skips by name where that is not allowed."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *arguments, str(folder)], capture_output=True, text=True) if mounts() else None
    if done is None or done.returncode != 0:
        pytest.skip("needs root and the right to mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def mounts() -> bool:
    return os.geteuid() == 0 and shutil.which("mount") is not None


def fill(folder: Path, free_bytes: int) -> Path:
    """Leave just so much of the disk."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    size = filler.stat().st_size
    os.truncate(filler, max(0, size - free_bytes))
    return filler


def test_full_disk_at_any_moment(home: Path, tmp_path: Path) -> None:
    """With a little less free space each time: from all is done down to nothing is done."""
    trust_scripts(home)
    seen = set()
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=2m", "tmpfs") as disk:
        cli = started(disk / "store")
        (cli.store / "memory" / "long.md").write_text("x" * 30_000 + "\n")
        cli.ok("add", "second")
        kept = ["before", "second"]
        for free_kib in (0, 4, 12, 20, 28, 36, 44, 64):
            before = bytes_of(cli.store)
            filler = fill(disk, free_kib * 1024)
            title = f"with {free_kib} KiB"
            result = cli.run("add", title)
            filler.unlink()
            if result.code == 0:
                kept.append(title)
                waits = result.err != ""
                assert not waits or result.err.startswith(SAVED), result.err
                seen.add("waits" if waits else "done")
            else:
                assert_refused(result, todays_note(cli).relative_to(cli.store).as_posix(), "no space left on device")
                assert bytes_of(cli.store) == before
                seen.add("refused")
            assert titles(cli) == sorted(kept)
            cli.ok("add", f"behind {free_kib}")
            kept.append(f"behind {free_kib}")
            assert titles(cli) == sorted(kept)
            assert [commit.verb for commit in assert_sound(cli.store)].count("add") == len(kept)
    assert {"refused", "done"} <= seen


def test_file_size_limit(cli: Cli) -> None:
    """RLIMIT_FSIZE: Python is told so, git is killed by a signal."""
    note = todays_note(cli)
    cli.ok("add", "Long\n\n" + "long words " * 3000)
    before = note.read_bytes()
    limited = ["sh", "-c", 'ulimit -f 8 && exec "$@"', "sh"]
    result = run_under(cli, limited, "add", "too much")
    assert_refused(result, note.relative_to(cli.store).as_posix(), "file too large")
    assert "ulimit" in result.err
    assert note.read_bytes() == before
    assert_next_command_works(cli, "Long")


# Read-only


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing in the folder can be written: by its mode, and for root by a mount."""
    if os.geteuid() == 0:
        with mounted(folder, "--bind", str(folder)):
            subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
            yield
        return
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}
    for path, mode in reversed(modes.items()):
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


REFUSES = "read-only file system" if os.geteuid() == 0 else "permission denied"


def test_note_folder_is_read_only(cli: Cli) -> None:
    before = bytes_of(cli.store)
    entry_id = cli.json("list")[0]["id"]
    with read_only(cli.store / "memory"):
        for words in (("add", "x"), ("correct", entry_id, "y"), ("pin", entry_id)):
            assert_refused(cli.run(*words), f"memory/{todays_note(cli).name}", REFUSES)
            assert bytes_of(cli.store) == before
            assert leftovers(cli.store) == []
        undone = cli.run("undo")
        assert_refused(undone, f"memory/{todays_note(cli).name}", REFUSES)
        cli.ok("list")
    assert_next_command_works(cli)


def test_whole_store_is_read_only(cli: Cli) -> None:
    """Reading goes on; writing says what it could not write."""
    entry_id = cli.json("list")[0]["id"]
    with read_only(cli.store):
        for words in (("list",), ("get", entry_id), ("status",), ("log",), ("history", entry_id), ("diff",)):
            result = cli.run(*words)
            assert (result.code, result.out != "", "Error" in result.err) == (0, True, False), result
        for words in (("add", "x"), ("correct", entry_id, "y"), ("pin", entry_id), ("undo",), ("redo",)):
            assert_refused(cli.run(*words), ".remember-me/lock", REFUSES)
    assert_next_command_works(cli)


def test_own_folder_is_read_only(cli: Cli) -> None:
    before = bytes_of(cli.store)
    with read_only(cli.store / ".remember-me" / "spool"):
        assert_refused(cli.run("add", "x"), f"memory/{todays_note(cli).name}", REFUSES)
        assert bytes_of(cli.store) == before
    with read_only(cli.store / ".remember-me"):
        assert_refused(cli.run("add", "x"), ".remember-me/lock", REFUSES)
        assert bytes_of(cli.store) == before
    assert_next_command_works(cli)


def test_repository_is_read_only(cli: Cli) -> None:
    """The note is the truth: it is written, and the commit waits."""
    with read_only(cli.store / ".git"):
        result = cli.run("add", "meanwhile")
        assert result.code == 0
        assert result.err.startswith(f"{SAVED}git said: ")
        assert titles(cli) == ["before", "meanwhile"]
    assert_next_command_works(cli, "meanwhile")


# Broken


def strace(*inject: str) -> list[str]:
    """strace that lets system calls of the Python process fail; skips by name where it cannot."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip("strace is not here")
    command = [program, "-qq", "-o", os.devnull, *(word for one in inject for word in ("-e", f"inject={one}"))]
    if subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        pytest.skip("strace may not trace here")
    return command


@pytest.mark.parametrize(("call", "least"), [("fsync", 4), ("rename,renameat,renameat2", 3), ("unlink,unlinkat", 1)])
def test_disk_error_at_any_call(cli: Cli, call: str, least: int) -> None:
    kept: list[str] = []
    note = todays_note(cli)
    number = 0
    while True:
        number += 1
        before = note.read_bytes()
        title = f"with a disk error at call {number}"
        trace = cli.store.parent / "trace"
        prefix = strace(f"{call}:error=EIO:when={number}")
        prefix[prefix.index(os.devnull)] = str(trace)
        result = run_under(cli, [*prefix, "-e", f"trace={call}"], "add", title)
        if result.code == 0:
            assert result.err == "", f"call {number}"
            kept.append(title)
        elif note.read_bytes() == before:
            assert_refused(result, f"memory/{note.name}", "input/output error")
        else:
            assert result.code == 8
            assert result.err == (
                f"Error: Could not write memory/{note.name}: input/output error. "
                "The next command finishes the operation.\nHint: `remember-me status` shows what waits.\n"
            )
            kept.append(title)
        cli.ok("add", f"next {number}")
        kept.append(f"next {number}")
        assert titles(cli) == sorted(["before", *kept]), f"call {number}"
        assert [commit.verb for commit in assert_sound(cli.store)] == ["init", "add", *["add"] * len(kept)]
        if "INJECTED" not in trace.read_text():
            break
    assert number > least


def test_disk_error_while_git_writes(cli: Cli, tmp_path: Path) -> None:
    command = strace("fsync:error=EIO")
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {" ".join(command)} {shutil.which("git")} "$@"\n')
    wrapper.chmod(0o755)
    result = cli.run("add", "meanwhile", env={"PATH": f"{wrapper.parent}:{os.environ['PATH']}"})
    assert (result.code, result.err.startswith(f"{SAVED}git said: ")) == (0, True), result
    assert titles(cli) == ["before", "meanwhile"]
    assert_next_command_works(cli, "meanwhile")


# Mode, owner, links


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_mode_and_owner_of_a_note_stay(cli: Cli, mode: int) -> None:
    note = todays_note(cli)
    note.chmod(mode)
    owner = (12345, 23456) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    os.chown(note, *owner)
    entry_id = cli.json("list")[0]["id"]
    for words in (("add", "x"), ("pin", entry_id), ("correct", entry_id, "before"), ("undo",)):
        cli.ok(*words)
        found = note.stat()
        assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (mode, *owner), words
    assert_sound(cli.store)


@pytest.mark.parametrize(("mask", "expected"), [("022", 0o644), ("002", 0o664), ("077", 0o600)])
def test_new_files_follow_the_umask(home: Path, tmp_path: Path, mask: str, expected: int) -> None:
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    under = ["sh", "-c", f'umask {mask} && exec "$@"', "sh"]
    for words in (("init",), ("add", "x")):
        assert run_under(cli, under, *words).code == 0
    assert stat.S_IMODE(todays_note(cli).stat().st_mode) == expected
    assert stat.S_IMODE((cli.store / ".remember-me").stat().st_mode) == 0o700
    for path in (cli.store / ".remember-me").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


@pytest.fixture
def b37(home: Path, tmp_path: Path) -> Cli:
    """MEMORY.md is a link to a person's dotfiles; two modes that others depend on."""
    trust_scripts(home)
    return from_field("B37", tmp_path / "store")


def from_field(case: str, store: Path) -> Cli:
    """The store that the set-up of a bug report makes."""
    setup = shared_path("cases", "inputs", case, "setup.sh")
    store.mkdir()
    environ = {**os.environ, "STORE": str(store), "IN": str(setup.parent), "RM": "unused"}
    subprocess.run(["sh", str(setup)], env=environ, check=True, capture_output=True)
    return Cli(store)


def test_b37_link_and_modes_stay(b37: Cli) -> None:
    link, target = b37.store / "MEMORY.md", Path(f"{b37.store}.dot") / "MEMORY.md"
    target.write_bytes(target.read_bytes() + b"\n- FACT: Lives in the dotfiles ^ddt234\n")
    old = b37.store / "memory" / "2026-03-01.md"
    under = ["sh", "-c", 'umask 002 && exec "$@"', "sh"]
    for words in (("init",), ("add", "--pin", "promote me"), ("pin", "ddt234"), ("correct", "ddt234", "Still lives")):
        result = run_under(b37, under, *words)
        assert (result.code, result.err) == (0, ""), words
        assert link.is_symlink()
        assert os.readlink(link) == str(target)
    assert target.read_bytes().endswith(b"\n- FACT: Still lives ^ddt234\n  - pinned: true\n")
    assert old.read_bytes() == b"x\n"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (target, *(b37.store / "memory").iterdir())}
    assert modes.pop("MEMORY.md") == 0o664
    assert modes.pop("2026-03-01.md") == 0o660
    assert list(modes.values()) == [0o664]
    assert sorted(path.name for path in target.parent.iterdir()) == ["MEMORY.md"]
    b37.ok("undo")
    assert target.read_bytes().endswith(b"\n- FACT: Lives in the dotfiles ^ddt234\n  - pinned: true\n")
    assert git(b37.store, "show", "HEAD:MEMORY.md") == target.read_text()
    assert [commit.verb for commit in commits(b37.store)][-4:] == ["add", "pin", "correct", "undo"]


def test_b37_dangling_link_is_an_error_and_no_new_file(b37: Cli) -> None:
    target = Path(f"{b37.store}.dot") / "MEMORY.md"
    target.write_bytes(b"# Long-term memory\n\n- FACT: Lives in the dotfiles ^ddt234\n")
    b37.ok("init")
    target.unlink()
    result = b37.run("pin", "ddt234")
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith("Error: ")
    assert f"MEMORY.md is a link to {target}, which does not exist; what stands in it is not found." in result.err
    b37.ok("add", "others go on")
    assert not target.exists()
    assert (b37.store / "MEMORY.md").is_symlink()
    status = b37.json("status")
    assert [(problem["path"], problem["reason"]) for problem in status["problems"]] == [
        ("MEMORY.md", f"is a link to {target}, which does not exist")
    ]
    assert titles(b37) == ["others go on"]
    target.write_bytes(b"# Long-term memory\n\n- FACT: Lives in the dotfiles ^ddt234\n")
    b37.ok("pin", "ddt234")


# Files that are no notes


def make(kind: str, path: Path, outside: Path) -> str:
    """Puts such a file at `path`; gives what is said about it."""
    path.unlink(missing_ok=True)
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "device":
            if os.geteuid() != 0:
                pytest.skip("only root can make a device")
            try:
                os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))  # /dev/zero, which has no end
            except PermissionError:
                pytest.skip("no device can be made here")
        case "large":
            with path.open("wb") as file:
                file.write(b"- FACT: large ^large2\n")
                file.truncate(17 * 1024 * 1024)
            return "is larger than 16 MiB and is not read"
        case "link":
            outside.write_text("---\nid: ab23cd\ntag: FACT\ntitle: leak\n---\nSECRET-OUTSIDE\n")
            path.symlink_to(outside)
            return "is a link and is not followed"
    return "is no ordinary file and is not read"


KINDS = ["fifo", "device", "large", "link"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_note_is_named_and_the_others_are_served(cli: Cli, tmp_path: Path, kind: str) -> None:
    entry_id = cli.json("list")[0]["id"]
    reason = make(kind, cli.store / "memory" / "2026-03-03.md", tmp_path / "outside.md")
    problems = cli.json("status")["problems"]
    assert [(one["path"], one["reason"]) for one in problems] == [("memory/2026-03-03.md", reason)]
    assert "SECRET-OUTSIDE" not in cli.ok("list").out
    assert cli.run("get", "ab23cd").code == 3
    cli.ok("add", "x")
    cli.ok("pin", entry_id)
    cli.ok("undo")
    assert titles(cli) == ["before", "x"]
    assert git(cli.store, "ls-files", "memory/2026-03-03.md") == ""
    assert leftovers(cli.store) == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written_into_what_is_no_note(cli: Cli, tmp_path: Path, kind: str) -> None:
    """It lies where today's note is."""
    note, outside = todays_note(cli), tmp_path / "outside.md"
    path = note.relative_to(cli.store).as_posix()
    make(kind, note, outside)
    kept = outside.read_bytes() if outside.exists() else None
    before = note.lstat()
    result = cli.run("add", "through?", timeout=20)
    assert (result.code, result.out) == (8, "")
    assert result.err.startswith(f"Error: {path} is ")
    assert "\nHint: " in result.err
    assert result.err.count("\n") == 2
    assert (note.lstat().st_ino, note.lstat().st_mode) == (before.st_ino, before.st_mode)
    assert (outside.read_bytes() if outside.exists() else None) == kept
    assert leftovers(cli.store) == []
    note.unlink()
    cli.ok("add", "after")
    assert titles(cli) == ["after"]


@pytest.mark.parametrize("kind", KINDS)
def test_note_that_became_no_note_is_not_taken_for_deleted(cli: Cli, tmp_path: Path, kind: str) -> None:
    """Else the history would say that a hand deleted its entries, and undo would be needed to get them back."""
    note = todays_note(cli)
    data = note.read_bytes()
    make(kind, note, tmp_path / "outside.md")
    topic = tmp_path / "topic.md"
    topic.write_text("A topic.\n")
    cli.ok("add", "--file", str(topic))
    assert git(cli.store, "show", f"HEAD:memory/{note.name}").encode() == data
    note.unlink()
    note.write_bytes(data)
    cli.ok("add", "next")
    assert [commit.verb for commit in assert_sound(cli.store)] == ["init", "add", "add", "add"]


def test_b54_link_out_of_a_store_whose_root_is_a_link(home: Path, tmp_path: Path) -> None:
    trust_scripts(home)
    cli = from_field("B54", tmp_path / "store")
    outside = Path(f"{cli.store}.target.md")
    kept = outside.read_bytes()
    assert cli.store.is_symlink()
    (cli.store / "memory" / "2026-03-06.md").write_text("- FACT: This note is well formed ^kk23kk\n")
    cli.ok("init")
    refused = {one["path"]: one["reason"] for one in cli.json("status")["problems"]}
    assert refused["memory/2026-03-03.md"] == refused["memory/2026-03-04.md"] == "is a link and is not followed"
    assert "SECRET-OUTSIDE" not in cli.ok("list", "--all").out
    cli.ok("add", "write through?")
    assert cli.json("get", "kk23kk")["title"] == "This note is well formed"
    assert outside.read_bytes() == kept
    assert cli.store.is_symlink()
    assert not [line for line in git(cli.store, "ls-tree", "-r", "HEAD").splitlines() if line.startswith("120000")]


@pytest.mark.parametrize("name", [".remember-me", ".remember-me/spool", "memory"])
def test_folder_that_leads_out_of_the_store_is_not_followed(cli: Cli, tmp_path: Path, name: str) -> None:
    """A store that somebody hands over may have one."""
    folder, outside = cli.store / name, tmp_path / "outside"
    folder.rename(outside)
    folder.symlink_to(outside)
    before = bytes_of(outside)
    result = cli.run("add", "through?")
    assert (result.code, result.out) == (8, "")
    assert result.err.count("\n") == 2
    assert name in result.err
    assert bytes_of(outside) == before


@pytest.mark.parametrize("kind", ["file", "link"])
def test_git_that_lies_elsewhere_is_not_used(cli: Cli, tmp_path: Path, kind: str) -> None:
    dot_git, elsewhere = cli.store / ".git", tmp_path / "elsewhere.git"
    dot_git.rename(elsewhere)
    before = bytes_of(elsewhere)
    if kind == "file":
        dot_git.write_text(f"gitdir: {elsewhere}\n")
    else:
        dot_git.symlink_to(elsewhere)
    result = cli.run("add", "meanwhile")
    assert result.code == 0
    first, hint = result.err.splitlines()
    assert first == f"{SAVED}.git of the store leads elsewhere, and remember-me does not follow it."
    assert hint.startswith("Hint: ")
    assert titles(cli) == ["before", "meanwhile"]
    assert bytes_of(elsewhere) == before
    dot_git.unlink()
    elsewhere.rename(dot_git)
    assert_next_command_works(cli, "meanwhile")
