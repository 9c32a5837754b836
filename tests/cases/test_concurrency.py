"""B29, B31: writers at the same moment lose nothing, and what lies where the lock should be holds nobody up.

The storms in full, and the dead and the held locks, are in tests/store/test_concurrency.py; here is the script of
the case, and locks that are no ordinary file.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cases.support import ROUNDS, add, failed, sampled, sound
from tests.cli_runner import Cli, bytes_of, command_line, git
from tests.shared import shared_path


def test_b29_the_script_of_the_case(cli: Cli, tmp_path: Path) -> None:
    """Two writers of 15 each in full; a few of them by default."""
    each = min(15, round(4 * ROUNDS))
    text = shared_path("cases", "inputs", "B29", "storm.sh").read_text()
    assert "-lt 15" in text
    script = tmp_path / "storm.sh"
    script.write_text(text.replace("-lt 15", f"-lt {each}").replace("--type", "--tag"))
    program = tmp_path / "remember-me"
    words = " ".join(f"'{word}'" for word in command_line("--store", str(cli.store)))
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    told = tmp_path / "told"
    environ = cli.environment(RM=str(program), STORE=str(told))
    subprocess.run(["sh", str(script)], env=environ, check=True, timeout=300, start_new_session=True)
    assert Path(f"{told}.err").read_text() == ""
    assert Path(f"{told}.rc").read_text().split() == ["0"] * (2 * each)
    found = cli.json("list")
    assert sorted(entry["title"] for entry in found) == sorted(
        f"writer {w} item {i}" for w in (1, 2) for i in range(each)
    )
    assert len({entry["id"] for entry in found}) == 2 * each
    assert len(git(cli.store, "rev-list", "HEAD").split()) == 2 * each + 1
    sound(cli)


@pytest.mark.parametrize("kind", sampled(["link", "dangling link", "folder", "device", "fifo"]))
def test_b31_a_lock_that_is_no_ordinary_file(cli: Cli, tmp_path: Path, kind: str) -> None:
    entry = add(cli, "x")
    lock = cli.store / ".remember-me" / "lock"
    lock.unlink(missing_ok=True)
    outside = tmp_path / "outside"
    outside.write_bytes(b"theirs")
    if kind == "link":
        lock.symlink_to(outside)
    elif kind == "dangling link":
        lock.symlink_to(tmp_path / "nowhere")
    elif kind == "folder":
        lock.mkdir()
    elif kind == "fifo":
        os.mkfifo(lock)
    elif os.getuid() == 0:
        os.mknod(lock, 0o20666, os.makedev(1, 5))
    else:
        pytest.skip("only root can make a device")
    before = bytes_of(cli.store)
    reasons = {"link": "too many levels of symbolic links", "folder": "is a directory"}
    reason = reasons.get(kind.split()[-1], f"{lock} is not a regular file")
    for words in (("add", "y"), ("undo",)):
        done = failed(cli.run(*words), 8, f"Could not write .remember-me/lock: {reason}. Nothing was changed.")
        assert len(done.err.splitlines()) == 2
    assert cli.ok("list").out.startswith(entry)
    assert bytes_of(cli.store) == before
    assert outside.read_bytes() == b"theirs"
    assert not (tmp_path / "nowhere").exists()
    lock.rmdir() if kind == "folder" else lock.unlink()
    add(cli, "y")
    sound(cli)
