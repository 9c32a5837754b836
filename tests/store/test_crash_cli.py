"""kill -9 of the real command line at random times, and what it, or another git, leaves in the repository."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE

import pytest

from remember_me.store.files import Disk
from remember_me.store.reader import Reader
from remember_me.store.shape import Shape
from tests.cli_runner import Cli, Result, command_line, git, trust_scripts
from tests.store.soundness import assert_sound, commits, leftovers, multiplied

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the set-up uses /proc and signals"),
    pytest.mark.usefixtures("real_processes"),  # how long a command takes counts
]

WAITS = "saved in the spool: another command holds the store and will write it.\n"

State = dict[str, tuple[str, bool]]
"""Entry id to (title, pinned)."""


@pytest.fixture
def cli(home: Path, tmp_path: Path) -> Cli:
    """The command line on a new store, for a script that counts as the person."""
    trust_scripts(home)
    made = Cli(tmp_path / "store")
    made.ok("init")
    return made


def state_of(cli: Cli) -> State:
    """What reads show, in this process: each entry, and what waits in the spool."""
    entries = Reader(cli.store, Shape(), Disk()).read().entries()
    return {entry.id: (entry.title, entry.pinned) for entry in entries}


def kill_gits_in(store: Path) -> None:
    """Every git of that store, which has a session of its own."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            inside = os.readlink(f"/proc/{pid}/cwd") == str(store)
            if inside and Path(f"/proc/{pid}/comm").read_text().strip() == "git":
                os.kill(int(pid), signal.SIGKILL)
        except OSError:
            continue


class Storm:
    """Commands on one store, some of them killed, beside what the store must hold by all that was said."""

    def __init__(self, cli: Cli, seed: int) -> None:
        self.cli = cli
        self.dice = random.Random(seed)
        self.state: State = {}
        self.before: list[State] = []  # the states that undo leads back to
        self.done = 0
        self.told: list[str] = []
        self.durations = [0.3]
        self.counts = {"answered": 0, "killed before it was done": 0, "killed after it was done": 0}

    def choose(self) -> tuple[tuple[str, ...], Callable[[State], bool]]:
        """(a command that changes something, whether a state is the one behind it)."""
        verb = self.dice.choice(["add", "add", "correct", "correct", "pin", "undo"])
        if not self.before:
            verb = "add"
        if verb == "undo":
            target = self.before[-1]
            return ("undo",), lambda found: found == target
        if verb == "add" or not self.state:
            title = f"entry {self.done} {self.dice.random()}"
            old = self.state
            return ("add", title), lambda found: _without_new(found, old) == (title, False)
        entry_id = self.dice.choice(list(self.state))
        title, pinned = self.state[entry_id]
        if verb == "correct":
            title = f"corrected {self.done} {self.dice.random()}"
            words: tuple[str, ...] = ("correct", entry_id, title)
        else:
            words = ("unpin" if pinned else "pin", entry_id)
            pinned = not pinned
        new = self.state | {entry_id: (title, pinned)}
        return words, lambda found: found == new

    def kill_one(self) -> str:
        """Kills a command somewhere on its way; the next one reads, the one behind it writes."""
        words, is_new = self.choose()
        process = subprocess.Popen(
            command_line("--store", str(self.cli.store), "--json", *words),
            env=self.cli.environment(),
            stdin=subprocess.DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
        usual = statistics.median(self.durations[-9:])
        if self.dice.random() < 0.7:
            self.wait_for_the_journal(process)
            time.sleep(usual * self.dice.uniform(0, 0.5))
        else:
            time.sleep(usual * self.dice.uniform(0.2, 1.1))
        os.killpg(process.pid, signal.SIGKILL)
        if self.dice.random() < 0.5:
            kill_gits_in(self.cli.store)
        out, err = process.communicate(timeout=30)
        place = f"{' '.join(words)} (command {self.done})"
        assert process.returncode in (0, -signal.SIGKILL), f"{place}: {err!r}"

        found = state_of(self.cli)
        new = is_new(found)
        if process.returncode == 0:
            assert err == b"", place
            assert new, f"{place} was acknowledged and is lost"
            self.told.append(json.loads(out)["operation"])
            self.counts["answered"] += 1
        else:
            assert new or found == self.state, f"{place} is half done"
            self.counts["killed after it was done" if new else "killed before it was done"] += 1
        if new:
            self.note(found, words[0])
        return place

    def wait_for_the_journal(self, process: subprocess.Popen[bytes]) -> None:
        """Most of a command's time goes by before it writes anything."""
        spool = self.cli.store / ".remember-me" / "spool"
        while process.poll() is None and not os.listdir(spool):
            time.sleep(0.0005)

    def run_one(self) -> None:
        """The next command; nobody had to do anything for it."""
        title = f"next {self.done}"
        began = time.monotonic()
        result = self.cli.ok("--json", "add", title).json()
        self.durations.append(time.monotonic() - began)
        assert (result["committed"], result["waiting"]) == (True, False)
        self.told.append(result["operation"])
        self.note(self.state | {result["id"]: (title, False)}, "add")

    def note(self, found: State, verb: str) -> None:
        if verb == "undo":
            self.before.pop()
        else:
            self.before.append(self.state)
        self.state = found
        self.done += 1


def _without_new(found: State, old: State) -> tuple[str, bool] | None:
    """The one entry that `found` has and `old` has not, if that is the whole difference."""
    new = [entry_id for entry_id in found if entry_id not in old]
    return found[new[0]] if len(new) == 1 and {key: found[key] for key in found if key != new[0]} == old else None


def test_random_kills_lose_nothing(cli: Cli) -> None:
    rounds = multiplied(40, 300)
    storm = Storm(cli, seed=rounds)
    for _ in range(3):
        storm.run_one()
    for number in range(rounds):
        place = storm.kill_one()
        storm.run_one()
        assert_sound(cli.store, fsck=number % 10 == 9), place
    found = assert_sound(cli.store)
    assert state_of(cli) == storm.state
    operations = [commit.trailers["Operation-Id"] for commit in found]
    assert len(operations) == 1 + storm.done, "an operation is missing in the history, or is there twice"
    assert set(storm.told) <= set(operations)
    status = cli.json("status")
    assert (status["problems"], status["passages"], status["uncommitted"], status["damaged"]) == ([], 0, 0, [])
    print(f"{rounds} rounds: {storm.counts}")
    assert sum(storm.counts.values()) == rounds
    assert storm.counts["answered"] < rounds


def test_random_kills_of_the_very_first_command(home: Path, tmp_path: Path) -> None:
    """Whatever there is of the store by then, the next command makes the rest of it."""
    trust_scripts(home)
    dice = random.Random(1)
    counts = {"not begun": 0, "half": 0, "whole": 0}
    for number in range(multiplied(8, 60)):
        cli = Cli(tmp_path / f"store{number}")
        process = subprocess.Popen(
            command_line("--store", str(cli.store), "add", "first"),
            env=cli.environment(),
            stdin=subprocess.DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
        while process.poll() is None and not cli.store.exists():
            time.sleep(0.0005)
        time.sleep(dice.uniform(0, 0.25))
        os.killpg(process.pid, signal.SIGKILL)
        if dice.random() < 0.5:
            kill_gits_in(cli.store)
        process.communicate(timeout=30)
        result = cli.run("--json", "add", "second")
        assert (result.code, result.err) in [(0, ""), (0, f"Made a new store in {cli.store}.\n")], number
        titles = [title for title, _ in state_of(cli).values()]
        assert sorted(titles) in (["second"], ["first", "second"]), number
        assert process.returncode != 0 or "first" in titles, number
        found = [commit.verb for commit in assert_sound(cli.store)]
        assert found == ["init", *["add"] * len(titles)], number
        kind = "whole" if "first" in titles else "not begun" if result.err else "half"
        counts[kind] += 1
    print(counts)


# Locks in the repository


def foreign_lock(cli: Cli, name: str) -> Path:
    lock = cli.store / ".git" / name
    lock.write_bytes(b"theirs")
    return lock


def in_the_way(cli: Cli, name: str, result: Result) -> bool:
    """Whether the words are those of a lock that is not ours, whatever its age."""
    first, _, hint = result.err.partition("\n")
    start, end = f"saved, not yet committed: the lock file .git/{name}, ", " old, is in the way."
    path = shlex.quote(str(cli.store / ".git" / name))
    return (
        first.startswith(start)
        and first.endswith(end)
        and hint == (f"Hint: If no git command is running there: rm {path}\n")
    )


@pytest.mark.parametrize("name", ["HEAD.lock", "refs/heads/main.lock"])
def test_foreign_lock_of_the_branch(cli: Cli, name: str) -> None:
    lock = foreign_lock(cli, name)
    first, second = (cli.run("--json", "add", title) for title in ("first", "second"))
    for result in (first, second):
        assert result.code == 0
        assert in_the_way(cli, name, result), result.err
        assert result.json()["committed"] is False
    assert [entry["title"] for entry in cli.json("list")] == ["second", "first"]
    assert [commit.verb for commit in commits(cli.store)] == ["init"]
    undone = cli.run("undo")
    assert (undone.code, undone.out) == (6, "")
    assert undone.err.startswith(
        f"Error: Nothing was undone or redone, because git cannot commit: the lock file .git/{name}, "
    )
    assert lock.read_bytes() == b"theirs"

    lock.unlink()
    cli.ok("pin", first.json()["id"])
    found = assert_sound(cli.store)
    assert [commit.verb for commit in found] == ["init", "add", "add", "pin"]
    assert [commit.trailers["Operation-Id"] for commit in found[1:3]] == [
        result.json()["operation"] for result in (first, second)
    ]


def test_foreign_lock_of_the_staging_area(cli: Cli) -> None:
    """Commits go on; what the staging area lacks is made up for, also for a note that is not touched again."""
    cli.ok("add", "before")
    handed_over = cli.store.parent / "topic.md"
    handed_over.write_text("A topic.\n")
    lock = foreign_lock(cli, "index.lock")
    cli.ok("add", "--file", str(handed_over))
    topic = cli.json("list")[0]["id"]
    cli.ok("pin", topic)
    cli.ok("add", "meanwhile")
    assert [commit.verb for commit in commits(cli.store)] == ["init", "add", "add", "pin", "add"]
    assert git(cli.store, "diff", "--cached", "--name-only").split() != []
    assert lock.read_bytes() == b"theirs"

    lock.unlink()
    cli.ok("undo")
    assert [commit.verb for commit in assert_sound(cli.store)][-1] == "undo"


def test_what_the_staging_area_lacks_is_what_was_committed(cli: Cli) -> None:
    """Not what stands on the disk by then: git has no object for that, and fsck would find it missing."""
    cli.ok("add", "before")
    lock = foreign_lock(cli, "index.lock")
    entry = cli.json("add", "meanwhile")
    lock.unlink()
    note = cli.store / entry["note"]
    note.unlink()
    note.symlink_to(cli.store.parent / "elsewhere.md")
    topic = cli.store.parent / "topic.md"
    topic.write_text("A topic.\n")
    cli.ok("add", "--file", str(topic))
    assert git(cli.store, "diff", "--cached", "--name-status") == ""
    assert git(cli.store, "fsck", "--strict", "--no-dangling") == ""


def test_damaged_staging_area_holds_no_commit_back(cli: Cli) -> None:
    """It is the person's; git itself says what is wrong with it."""
    (cli.store / ".git" / "index").write_bytes(b"garbage")
    cli.ok("add", "first")
    cli.ok("add", "second")
    assert [commit.verb for commit in commits(cli.store)] == ["init", "add", "add"]
    assert leftovers(cli.store) == []
    assert (cli.store / ".git" / "index").read_bytes() == b"garbage"
    (cli.store / ".git" / "index").unlink()
    git(cli.store, "reset", "-q")
    cli.ok("add", "third")
    assert_sound(cli.store)


def test_own_locks_of_a_killed_command_are_removed(cli: Cli) -> None:
    cli.ok("add", "before")
    names = ["index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock"]
    told = {"time_ns": time.time_ns() - 10**9, "locks": names, "existed": []}
    (cli.store / ".remember-me" / "git-running").write_text(json.dumps(told))
    for name in names:
        (cli.store / ".git" / name).write_bytes(b"")
    (cli.store / ".git" / "objects" / "tmp_obj_half").write_bytes(b"half of a note")
    cli.ok("add", "next")
    assert [commit.verb for commit in assert_sound(cli.store)] == ["init", "add", "add"]


# python is killed, its git lives


def slow_git(cli: Cli, folder: Path, seconds: float) -> Path:
    """Puts a git first in PATH that takes its time to commit; gives the file that it makes when it begins."""
    began = folder / "began"
    wrapper = folder / "bin" / "git"
    wrapper.parent.mkdir()
    real = shutil.which("git")
    wrapper.write_text(
        f'#!/bin/sh\ncase "$*" in *fast-import*) echo $$ > {began}.part; mv {began}.part {began}; sleep {seconds};;'
        f' esac\nexec {real} "$@"\n'
    )
    wrapper.chmod(0o755)
    cli.environ["PATH"] = f"{wrapper.parent}:{os.environ['PATH']}"
    return began


def kill_python_while_its_git_works(cli: Cli, began: Path, title: str) -> int:
    """Gives the process id of the git."""
    process = subprocess.Popen(
        command_line("--store", str(cli.store), "add", title),
        env=cli.environment(),
        stdout=PIPE,
        start_new_session=True,
    )
    with process:
        for _ in range(1000):
            if began.exists():
                break
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    return int(began.read_text())


def test_next_command_waits_for_the_git_of_a_killed_one(cli: Cli, tmp_path: Path) -> None:
    """Its commit is made once, by the git that lived on."""
    began = slow_git(cli, tmp_path, 0.7)
    kill_python_while_its_git_works(cli, began, "first")
    assert [commit.verb for commit in commits(cli.store)] == ["init"]
    cli.environ.clear()
    cli.ok("add", "second")
    found = assert_sound(cli.store)
    assert [commit.verb for commit in found] == ["init", "add", "add"]
    assert [entry["title"] for entry in cli.json("list")] == ["second", "first"]


def test_git_that_hangs_after_its_python_was_killed_holds_captures_back_but_loses_none(
    cli: Cli, tmp_path: Path
) -> None:
    began = slow_git(cli, tmp_path, 600)
    stuck = kill_python_while_its_git_works(cli, began, "first")
    cli.environ.clear()
    try:
        kept = cli.run("add", "second")
        assert (kept.code, kept.err) == (0, WAITS)
        assert sorted(entry["title"] for entry in cli.json("list")) == ["first", "second"]
        assert len(leftovers(cli.store)) > 2
    finally:
        os.killpg(stuck, signal.SIGKILL)
    cli.ok("add", "third")
    assert [commit.verb for commit in assert_sound(cli.store)] == ["init", "add", "add", "add"]
    assert sorted(entry["title"] for entry in cli.json("list")) == ["first", "second", "third"]
