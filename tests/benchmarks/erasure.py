"""Erasing from a long history: CPU seconds, children included. Run by hand: python tests/benchmarks/erasure.py"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

from remember_me.model.entry import Entry
from remember_me.model.text import join_title
from remember_me.store.erase import Target, entry_rule, erase, plan_erasure, prove
from remember_me.store.git import Git
from remember_me.store.shape import Shape

SECRET = "The safe behind the calendar opens with pelican four"
SECRET_ID = "secret1"
A_DAY = 20
LONG_TERM_EVERY = 25
SINCE = date(2020, 1, 1)


def stream(commits: int, at: int, promoted: bool) -> Iterator[bytes]:
    """A history in the language of git fast-import: one entry a commit, `SECRET` in the commit number `at`.

    `promoted`: it stands in MEMORY.md too, and so in every later revision of it.
    """
    day, long_term = "", "# Facts\n\n"
    for number in range(commits):
        on = SINCE + timedelta(days=number // A_DAY)
        if number % A_DAY == 0:
            day = f"---\ndate: {on}\ntimezone: Europe/Rome\n---\n"
        title, entry_id = f"Note number {number} is about topic {number * 7919 % 1000}", f"e{number:05d}x"
        if number == at:
            title, entry_id = SECRET, SECRET_ID
        day += f'\n- [14:32 +01:00] FACT: {title} ^{entry_id}\n  - impact: 2\n  - evidence: "so it is" — cli, {on}\n'
        message = (
            f"remember-me: add {entry_id}\n\nOperation-Id: op{number}\nEntries: {entry_id}\nActor: person\n".encode()
        )
        seconds = 1_577_872_800 + number * 600
        yield b"commit refs/heads/main\n"
        yield b"author Anna Test <anna@example.invalid> %d +0100\n" % seconds
        yield b"committer Anna Test <anna@example.invalid> %d +0100\n" % seconds
        yield b"data %d\n%b" % (len(message), message)
        data = day.encode()
        yield b"M 100644 inline memory/%b.md\ndata %d\n%b\n" % (str(on).encode(), len(data), data)
        if number == at and promoted:
            long_term += f"- FACT: {SECRET} ^{SECRET_ID}\n"
        if number % LONG_TERM_EVERY == 0:
            long_term += f"- FACT: Long-term {number} ^f{number:05d}x\n"
            data = long_term.encode()
            yield b"M 100644 inline MEMORY.md\ndata %d\n%b\n" % (len(data), data)


def build(root: Path, commits: int, at: int, *, loose: bool, promoted: bool) -> Git:
    """A store with that history, packed or as loose objects."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    (root / ".remember-me").mkdir(parents=True)
    limit = "-c", f"fastimport.unpackLimit={10**9 if loose else 1}"
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, env=environ, check=True)
    data = b"".join(stream(commits, at, promoted))
    subprocess.run(["git", *limit, "fast-import", "--quiet"], cwd=root, env=environ, input=data, check=True)
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, env=environ, check=True)
    if not loose:
        subprocess.run(["git", "gc", "-q"], cwd=root, env=environ, check=True)
    return Git(root, environ=environ, marker=root / ".remember-me" / "git-running")


def target() -> Target:
    """What forgetting the secret looks for."""

    def same(entry: Entry) -> bool:
        return join_title(entry.title, entry.body).casefold() == SECRET.casefold()

    return Target(frozenset({SECRET_ID}), same, ("calendar",), (SECRET,))


def measured(what: str, action: Callable[[], object]) -> None:
    """Runs and prints CPU seconds of this process, of its children, and wall seconds."""
    before, began = os.times(), time.monotonic()
    result = action()
    after = os.times()
    own = after.user + after.system - before.user - before.system
    children = after.children_user + after.children_system - before.children_user - before.children_system
    wall = time.monotonic() - began
    print(
        f"  {what:8} {own + children:6.2f} CPU s ({own:.2f} own, {children:.2f} git), {wall:.2f} s  {str(result)[:90]}"
    )


def measure(commits: int, share: float, *, loose: bool = False, promoted: bool = False) -> None:
    """Plans, erases and proves in one store."""
    print(
        f"{commits} commits, secret at {share:.0%}, {'loose' if loose else 'packed'}{', promoted' if promoted else ''}:"
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "store")
        git, rule = (
            build(root, commits, int(commits * share), loose=loose, promoted=promoted),
            entry_rule(Shape(), target()),
        )
        measured("plan", lambda: plan_erasure(git, target(), rule)._replace(foreign_paths=()))
        measured("erase", lambda: erase(git, target(), rule, map_path=root / ".remember-me" / "erase-map"))
        measured("prove", lambda: prove(git, [SECRET], [root / "memory"]))
        subprocess.run(["git", "-C", os.fspath(root), "fsck", "--strict", "--full", "--no-dangling"], check=True)


if __name__ == "__main__":
    for size in [int(word) for word in sys.argv[1:]] or [1_000, 10_000]:
        for share in (0.1, 0.9):
            measure(size, share)
            measure(size, share, loose=True)
        measure(size, 0.1, promoted=True)
