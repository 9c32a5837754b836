"""What must hold of a store on disk after anything that may happen to it, whoever asks."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from remember_me.model.revision import parse_trailers
from tests.cli_runner import git


@dataclass(frozen=True)
class Commit:
    """One commit of a store: its id, the ids of its parents, its subject and its trailers."""

    oid: str
    parents: tuple[str, ...]
    subject: str
    trailers: dict[str, str]

    @property
    def ours(self) -> bool:
        return self.subject.startswith("remember-me: ")

    @property
    def verb(self) -> str:
        return self.subject.removeprefix("remember-me: ").split(" ", 1)[0]

    @property
    def entries(self) -> list[str]:
        return self.trailers.get("Entries", "").split()


def commits(store: Path) -> list[Commit]:
    """The commits of the branch, oldest first."""
    found = []
    for record in git(store, "log", "--reverse", "--format=%H%n%P%n%B%x00").split("\0"):
        if record.strip():
            oid, parents, message = record.lstrip("\n").split("\n", 2)
            subject = message.split("\n", 1)[0]
            found.append(Commit(oid, tuple(parents.split()), subject, parse_trailers(message)))
    return found


def multiplied(default: int, full: int) -> int:
    """`default` rounds, times REMEMBER_ME_TEST_ROUNDS, at most `full`."""
    return min(full, default * max(1, int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "1"))))


def assert_sound(store: Path, *, fsck: bool = True) -> list[Commit]:
    """Everything is committed once, in one line, nothing is left over; returns the commits, oldest first."""
    status, left, found = git(store, "status", "--porcelain"), leftovers(store), commits(store)
    assert status == "", f"git status: {status}"
    assert left == [], f"left over: {left}"
    in_a_line = [(), *[(commit.oid,) for commit in found[:-1]]]
    assert [commit.parents for commit in found] == in_a_line, "the commits are not in a line"
    operations = Counter(commit.trailers["Operation-Id"] for commit in found if commit.ours)
    twice = [operation for operation, times in operations.items() if times > 1]
    assert twice == [], f"committed twice: {twice}"
    if fsck:
        told = git(store, "fsck", "--strict", "--no-dangling")
        assert told == "", f"git fsck: {told}"
    return found


def leftovers(store: Path) -> list[str]:
    """Files that only exist while a command runs, or until what it said is in the history."""
    return sorted(path.relative_to(store).as_posix() for path in _leftovers(store))


def _leftovers(store: Path) -> Iterator[Path]:
    own = store / ".remember-me"
    yield from (own / "spool").iterdir()
    for path in own.iterdir():
        if path.name.startswith("git-running") or (path.name.startswith(".") and path.name != ".gitignore"):
            yield path
    for folder in (store, store / "memory", Path(os.path.realpath(store / "MEMORY.md")).parent):
        if folder.is_dir():
            yield from (path for path in folder.iterdir() if re.search(r"\.remember-me-|\.tmp|~$", path.name))
    for path in (store / ".git").rglob("*"):
        if path.name.endswith(".lock") or path.name.startswith(("tmp_", "fast_import_crash")):
            yield path
