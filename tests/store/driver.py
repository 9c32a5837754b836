"""One operation on a store whose disk and git stop at a chosen step: in this process, or in one that is killed.

As a program it reads lines of `STORE, OPERATION, WHO, N` with tabs between, runs each operation in a child that is
a process group of its own and kills that group at its n-th step, and prints the name of that step. WHO is `group`,
or `git` if the git that it started is killed as well: git has a session of its own.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import NoReturn

from remember_me.app import review
from remember_me.app.config import load_settings
from remember_me.app.wiring import Session, random_id
from remember_me.model.change import Add, Change, Correct, Merge, SetFields
from remember_me.model.entry import Tag
from remember_me.model.revision import PERSON
from remember_me.store.files import Disk
from remember_me.store.git import Git, GitFailed, GitProblem
from remember_me.store.lock import StoreLock
from remember_me.store.shape import Shape
from remember_me.store.store import Applied, Request, Store, Tools

AT = datetime(2026, 11, 29, 14, 32, tzinfo=timezone(timedelta(hours=1)))
DAILY = "memory/2026-11-29.md"
PROBED = "memory/2026-12-01.md"
KEPT, TAKEN_BACK, NEW, LONG_TERM, WAITING = "kept01", "back01", "fresh1", "stand1", "wayts1"


class Steps:
    """Counts the steps of the disk and of git, and calls `stop` at the n-th of them, or at each if that is -1."""

    def __init__(self, stop_at: int = 0, stop: Callable[[], None] | None = None) -> None:
        self.stop_at = stop_at
        self.stop = stop
        self.names: list[str] = []

    def step(self, name: str) -> None:
        self.names.append(name)
        if self.stop is not None and self.stop_at in (len(self.names), -1):
            self.stop()


class SteppedDisk(Disk):
    """A disk that counts a step before and behind each of its effects."""

    def __init__(self, steps: Steps) -> None:
        self.steps = steps

    def create(self, path: Path) -> int:
        self.steps.step(f"before create {path.name}")
        descriptor = super().create(path)
        try:
            self.steps.step(f"behind create {path.name}")
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def write(self, descriptor: int, data: bytes) -> None:
        self.steps.step("before write")
        super().write(descriptor, data[: len(data) // 2])
        self.steps.step("amid write")
        super().write(descriptor, data[len(data) // 2 :])
        self.steps.step("behind write")

    def fsync(self, descriptor: int) -> None:
        self.steps.step("before fsync")
        super().fsync(descriptor)
        self.steps.step("behind fsync")

    def replace(self, source: Path, target: Path) -> None:
        self.steps.step(f"before replace {target.name}")
        super().replace(source, target)
        self.steps.step(f"behind replace {target.name}")

    def unlink(self, path: Path) -> None:
        self.steps.step(f"before unlink {path.name}")
        super().unlink(path)
        self.steps.step(f"behind unlink {path.name}")

    def fsync_folder(self, folder: Path) -> None:
        self.steps.step(f"before fsync of {folder.name}")
        super().fsync_folder(folder)
        self.steps.step(f"behind fsync of {folder.name}")


class SteppedGit(Git):
    """A git that counts a step before, during and behind each call of the program."""

    steps: Steps
    child: subprocess.Popen[bytes] | None = None

    def _start(self, arguments: tuple[str, ...], stdin: bytes) -> subprocess.Popen[bytes]:
        name = next(word for word in arguments if not word.startswith("--"))
        self.steps.step(f"before git {name}")
        process = super()._start(arguments, stdin)
        self.child = process
        try:
            self.steps.step(f"during git {name}")
        except BaseException:
            process.kill()
            process.communicate()
            raise
        return process

    def _run(self, *arguments: str, **options: object) -> object:  # type: ignore[override]
        answer = super()._run(*arguments, **options)  # type: ignore[arg-type]
        self.steps.step(f"behind git {arguments[0]}")
        return answer


def open_store(root: Path, disk: Steps | None = None, git: Steps | None = None) -> Store:
    """The store at `root` as a command opens it, with its steps counted."""
    lock = StoreLock(root / ".remember-me" / "lock")
    marker = root / ".remember-me" / "git-running"
    runner = SteppedGit(root, environ=os.environ, marker=marker, pass_fds=lambda: lock.inheritable_fds)
    runner.steps = git or Steps()
    tools = Tools(lambda: AT, random_id, None, SteppedDisk(disk or Steps()))
    return Store(root, Shape(), runner, lock, tools)


def entry(entry_id: str, title: str, at: datetime = AT) -> Add:
    return Add(entry_id, Tag.FACT, title, "", (), at)


def prepare(root: Path, operation: str = "") -> None:
    """A store with three entries in two notes, the newest of which `undo` takes back, ready for `operation`."""
    (root / ".remember-me" / "spool").mkdir(parents=True)
    store = open_store(root)
    store.git.init()
    apply(store, "init", Merge(".gitignore", None, b".remember-me/\n"))
    (root / "MEMORY.md").write_text(f"# Long-term\n\n## Facts\n\n- FACT: Stands there for long ^{LONG_TERM}\n")
    assert store.settle() == (None, None)
    apply(store, "add", entry(KEPT, "Is kept"))
    apply(store, "add", entry(TAKEN_BACK, "Is taken back"))
    if operation == "hand_edit":
        (root / DAILY).write_bytes((root / DAILY).read_bytes() + b"\nA line by hand.\n")
    elif operation == "capture":
        assert store.lock.acquire(0)
        assert apply(open_store(root), "add", entry(WAITING, "Waited"), wait_seconds=0).waiting
        store.lock.release()


def apply(store: Store, verb: str, *changes: Change, wait_seconds: float = 10) -> Applied:
    return store.apply(changes, Request(verb, PERSON), wait_seconds=wait_seconds)


def probe(store: Store, number: int = 0) -> Applied:
    """The next command, in a note of its own: the others can still be compared byte by byte."""
    at = datetime(2026, 12, 1, 9, number, tzinfo=AT.tzinfo)
    return apply(store, "add", entry(f"prb{number:03}", f"Probe {number}", at))


# The operations


def add(store: Store) -> Applied:
    return apply(store, "add", entry(NEW, "Is new"))


def correct(store: Store) -> Applied:
    return apply(store, "correct", Correct(KEPT, "Is corrected", "", "unused"))


def pin(store: Store) -> Applied:
    return apply(store, "pin", SetFields(KEPT, (("pinned", "true"),), "unused"))


def pin_long_term(store: Store) -> Applied:
    return apply(store, "pin", SetFields(LONG_TERM, (("pinned", "true"),), "unused"))


def undo(store: Store) -> Applied:
    environ = dict(os.environ)
    try:
        return review.undo(
            Session(store, load_settings(store.root, {"HOME": str(store.root / "no-home")}), PERSON),
            None,
            only=None,
            overwrite=False,
        ).applied
    finally:  # who reads the history takes the GIT_* variables of this process in hand
        os.environ.clear()
        os.environ.update(environ)


def two_notes(store: Store) -> Applied:
    """Like promote: one operation on the daily and on the long-term note."""
    daily, long_term = (store.root / name for name in (DAILY, "MEMORY.md"))
    old, new = daily.read_bytes(), long_term.read_bytes()
    line = f"- FACT: Is kept ^{KEPT}\n".encode()
    assert old.count(b"Is kept ^") == 1
    promoted = old.replace(f"Is kept ^{KEPT}\n".encode(), f"Is kept ^{KEPT}\n  - status: promoted\n".encode())
    return apply(store, "promote", Merge(DAILY, old, promoted), Merge("MEMORY.md", new, new + line))


def hand_edit(store: Store) -> Applied:
    """An entry comes into a note that a hand has changed since."""
    return add(store)


def capture(store: Store) -> Applied:
    """A capture that could not have the lock waits in the spool; this command writes it first."""
    return pin(store)


OPERATIONS = {operation.__name__: operation for operation in (add, correct, pin, undo, two_notes, hand_edit, capture)}


# The ways to stop


def eio() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def interrupt() -> None:
    raise KeyboardInterrupt


def git_fails() -> None:
    raise GitFailed(GitProblem.FAILED, "git said: injected")


def git_hangs() -> None:
    raise GitFailed(GitProblem.TIMEOUT, "git did not finish within 10 seconds", killed=True)


def main() -> None:
    for line in sys.stdin:
        root, operation, who, number = line.rstrip("\n").split("\t")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            run_and_die(Path(root), operation, who, int(number), writing)
        os.close(writing)
        _, status = os.waitpid(child, 0)
        with open(reading, encoding="utf-8") as told:
            step = told.read()
        assert os.WIFSIGNALED(status), f"{operation} was not killed at step {number}"
        assert os.WTERMSIG(status) == signal.SIGKILL
        print(step, flush=True)


def run_and_die(root: Path, operation: str, who: str, number: int, tell: int) -> NoReturn:
    steps = Steps(number)
    store = open_store(root, steps, steps)
    runner = store.git
    assert isinstance(runner, SteppedGit)

    def kill() -> None:
        os.write(tell, steps.names[-1].encode())
        if who == "git" and runner.child is not None:
            os.kill(runner.child.pid, signal.SIGKILL)
        os.killpg(0, signal.SIGKILL)

    steps.stop = kill
    try:
        OPERATIONS[operation](store)
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
