"""The store lock, with real processes and real signals."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from remember_me.store.lock import StoreLock

ROOT = Path(__file__).resolve().parents[2]

HOLD = """
import sys
from pathlib import Path
from remember_me.store.lock import StoreLock
lock = StoreLock(Path(sys.argv[1]))
print(lock.acquire(float(sys.argv[2])), flush=True)
sys.stdin.read()
"""

HOLD_WITH_CHILD = """
import subprocess, sys
from pathlib import Path
from remember_me.store.lock import StoreLock
lock = StoreLock(Path(sys.argv[1]))
assert lock.acquire(0)
child = subprocess.Popen(["sleep", "60"], pass_fds=lock.inheritable_fds, start_new_session=True)
print(child.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        with process:
            process.kill()


def start(processes: list[subprocess.Popen[str]], script: str, *arguments: object) -> tuple[subprocess.Popen[str], str]:
    """Starts `script` and gives it with the first line that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    processes.append(process)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def free_within(path: Path, seconds: float) -> bool:
    lock = StoreLock(path)
    taken = lock.acquire(seconds)
    lock.release()
    return taken


def test_lock_is_taken_and_given_back(path: Path) -> None:
    lock = StoreLock(path)
    assert not lock.held
    assert lock.acquire(0)
    assert lock.held
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    lock.release()
    assert not lock.held
    lock.release()
    assert lock.acquire(0)
    lock.release()


def test_two_objects_of_one_process_exclude_each_other(path: Path) -> None:
    first, second = StoreLock(path), StoreLock(path)
    assert first.acquire(0)
    assert not second.acquire(0)
    assert not second.held
    first.release()
    assert second.acquire(0)
    second.release()


def test_taking_it_twice_is_a_mistake_of_the_caller(path: Path) -> None:
    lock = StoreLock(path)
    assert lock.acquire(0)
    with pytest.raises(RuntimeError):
        lock.acquire(0)
    assert lock.held
    lock.release()


def test_two_processes_exclude_each_other(path: Path, started: list[subprocess.Popen[str]]) -> None:
    _, took = start(started, HOLD, path, 0)
    assert took == "True"
    _, took = start(started, HOLD, path, 0.1)
    assert took == "False"
    assert not StoreLock(path).acquire(0)


def test_waits_no_longer_than_it_was_told(path: Path) -> None:
    holder, waiter = StoreLock(path), StoreLock(path)
    assert holder.acquire(0)
    began = time.monotonic()
    assert not waiter.acquire(0.2)
    assert 0.19 <= time.monotonic() - began < 2
    holder.release()


def test_who_waits_longer_tries_more_often() -> None:
    """Else one of many waiters may have no luck for longer than it can wait."""
    from remember_me.store.lock import _pause

    pauses = [_pause(waited) for waited in (0, 0.05, 0.1, 0.2, 0.5, 1, 2, 60)]
    assert pauses == sorted(pauses, reverse=True)
    assert pauses[0] >= 10 * pauses[5]
    assert pauses[-1] > 0


def test_waiting_ends_when_the_holder_lets_go(path: Path, started: list[subprocess.Popen[str]]) -> None:
    holder, took = start(started, HOLD, path, 0)
    assert took == "True"
    assert holder.stdin is not None
    holder.stdin.close()
    assert free_within(path, 10)


def test_killed_holder_frees_it_at_once(path: Path, started: list[subprocess.Popen[str]]) -> None:
    holder, took = start(started, HOLD, path, 0)
    assert took == "True"
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert free_within(path, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="pass_fds is POSIX")
def test_child_keeps_it_after_the_parent_is_killed(path: Path, started: list[subprocess.Popen[str]]) -> None:
    parent, child = start(started, HOLD_WITH_CHILD, path)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    try:
        assert not free_within(path, 0.1)
    finally:
        os.kill(int(child), signal.SIGKILL)
    assert free_within(path, 10)


@pytest.mark.skipif(sys.platform == "win32", reason="pass_fds is POSIX")
def test_release_does_not_take_it_from_a_child(path: Path) -> None:
    lock = StoreLock(path)
    assert lock.acquire(0)
    child = subprocess.Popen(["sleep", "60"], pass_fds=lock.inheritable_fds)
    try:
        lock.release()
        assert not free_within(path, 0)
    finally:
        child.kill()
        child.wait()
    assert free_within(path, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="pass_fds is POSIX")
def test_other_children_do_not_hold_it(path: Path) -> None:
    lock = StoreLock(path)
    assert lock.acquire(0)
    child = subprocess.Popen(["sleep", "60"], close_fds=False)
    try:
        lock.release()
        assert free_within(path, 0)
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize("content", ["", "1\n", "{half"])
def test_dead_lock_file_is_no_obstacle(path: Path, content: str) -> None:
    """Case B31."""
    path.write_text(content)
    assert free_within(path, 0)
    assert path.read_text() == content


def test_symlink_is_refused(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("")
    path.symlink_to(target)
    with pytest.raises(OSError, match="lock"):
        StoreLock(path).acquire(0)
    path.unlink()
    path.symlink_to(tmp_path / "nothing-there")
    with pytest.raises(OSError, match="lock"):
        StoreLock(path).acquire(0)
    assert not (tmp_path / "nothing-there").exists()


def test_fifo_and_directory_are_refused_without_waiting(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a regular file"):
        StoreLock(path).acquire(0)
    path.unlink()
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        StoreLock(path).acquire(0)


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        StoreLock(tmp_path / "gone" / "lock").acquire(0)


def test_holder_sees_that_its_file_was_deleted(path: Path) -> None:
    holder, other = StoreLock(path), StoreLock(path)
    assert holder.acquire(0)
    path.unlink()
    assert not holder.held
    assert other.acquire(0)
    assert other.held
    holder.release()
    assert other.held
    other.release()


def test_lock_on_a_deleted_file_does_not_count(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The waiter opened the file before it was deleted: the lock on it guards nothing, so it opens again."""
    from remember_me.store import lock as module

    real, opened = module._open, []

    def open_and_delete(where: Path) -> int:
        fd = real(where)
        if not opened:
            where.unlink()
        opened.append(fd)
        return fd

    monkeypatch.setattr(module, "_open", open_and_delete)
    waiter = StoreLock(path)
    assert waiter.acquire(0)
    assert len(opened) == 2
    assert waiter.held
    assert not StoreLock(path).acquire(0)
    waiter.release()
