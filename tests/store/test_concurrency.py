"""Many commands at the same moment, through the real command line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Event

import pytest

from remember_me.app.wiring import random_id
from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.store.files import Disk
from remember_me.store.git import Git
from remember_me.store.lock import StoreLock
from remember_me.store.plan import Shape
from remember_me.store.store import Request, Store, Tools
from tests.cli_runner import Cli, Result, bytes_of, git, trust_scripts
from tests.shared import shared_path
from tests.store.soundness import Commit, assert_sound, commits, leftovers, multiplied

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the set-up uses POSIX locks and signals"),
    pytest.mark.usefixtures("real_processes"),  # how long a command takes counts
]

WAITS = "saved in the spool: another command holds the store and will write it.\n"
SLOW_SECONDS = 0.125
"""A machine is slow that needs longer for a command, when eight run at once: then two seconds pass in the queue."""


@pytest.fixture
def cli(home: Path, tmp_path: Path) -> Cli:
    """The command line on a new store, for a script that counts as the person."""
    trust_scripts(home)
    made = Cli(tmp_path / "store")
    made.ok("init")
    return made


def at_once(*workers: Callable[[], list[Result]]) -> list[Result]:
    """Runs the workers side by side and gives all that their commands left."""
    with ThreadPoolExecutor(len(workers)) as pool:
        return [result for future in [pool.submit(worker) for worker in workers] for result in future.result()]


def adds(cli: Cli, writer: int, count: int) -> Callable[[], list[Result]]:
    return lambda: [cli.run("--json", "add", f"writer {writer} item {number}") for number in range(count)]


def titles(cli: Cli) -> list[str]:
    return sorted(entry["title"] for entry in cli.json("list", "--all"))


def assert_each_entry_once(cli: Cli, results: list[Result], wanted: list[str], *, slow: bool = False) -> list[Commit]:
    """All was acknowledged without a word, stands in the notes once, and is one commit each.

    On a machine so slow that eight commands take longer than the lock is waited for, some say that they wait; on a fast
    one a few may, where it stood still for a moment.
    """
    assert {(result.code, result.err) for result in results} <= {(0, ""), (0, WAITS)}
    assert slow or sum(result.err == WAITS for result in results) <= len(results) // 10
    ids = [result.json()["id"] for result in results]
    listed = cli.json("list", "--all")
    assert len(set(ids)) == len(ids) == len(wanted)
    assert sorted(entry["id"] for entry in listed) == sorted(ids)
    assert sorted(entry["title"] for entry in listed) == sorted(wanted)
    found = assert_sound(cli.store)
    made = [commit for commit in found if commit.verb == "add"]
    assert sorted(commit.entries for commit in made) == sorted([entry_id] for entry_id in ids)
    assert {commit.trailers["Actor"] for commit in made} == {"person"}
    return found


def assert_only_appends(store: Path) -> None:
    """No commit of a new entry took a line away or touched a second note."""
    for record in git(store, "log", "--grep=^remember-me: add", "--format=%x00", "--numstat").split("\0")[1:]:
        (line,) = record.strip().splitlines()
        added, removed, path = line.split("\t")
        assert (removed, path.startswith("memory/")) == ("0", True)
        assert int(added) >= 1


def test_eight_processes_lose_nothing(cli: Cli) -> None:
    began = time.monotonic()
    results = at_once(*(adds(cli, writer, 25) for writer in range(8)))
    wanted = [f"writer {writer} item {number}" for writer in range(8) for number in range(25)]
    slow = (time.monotonic() - began) / len(results) > SLOW_SECONDS
    found = assert_each_entry_once(cli, results, wanted, slow=slow)
    assert [commit.verb for commit in found] == ["init"] + ["add"] * 200
    assert_only_appends(cli.store)


def test_status_beside_the_writers_disturbs_nothing_and_is_not_disturbed(cli: Cli) -> None:
    count = multiplied(4, 25)
    over = Event()

    def look() -> list[Result]:
        seen = []
        while not over.is_set():
            seen.append(cli.run("--json", "status"))
        return seen

    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        try:
            results = at_once(*(adds(cli, writer, count) for writer in range(8)))
        finally:
            over.set()
        seen = looking.result()
    wanted = [f"writer {writer} item {number}" for writer in range(8) for number in range(count)]
    slow = (time.monotonic() - began) / len(results) > SLOW_SECONDS
    assert_each_entry_once(cli, results, wanted, slow=slow)
    assert len(seen) > 3
    assert {(result.code, result.err) for result in seen} == {(0, "")}
    counts = [result.json()["entries"] for result in seen]
    assert counts == sorted(counts), "an acknowledged entry was gone for a moment"


# Case B29


@pytest.fixture
def field(home: Path, tmp_path: Path) -> Cli:
    """The store of the case: a repository with a commit of its owner's, and nothing of ours yet."""
    trust_scripts(home)
    store = tmp_path / "store"
    store.mkdir()
    setup = shared_path("cases", "inputs", "B29", "setup.sh")
    environ = {**os.environ, "STORE": str(store), "IN": str(setup.parent), "RM": "unused"}
    subprocess.run(["sh", str(setup)], env=environ, check=True, capture_output=True)
    return Cli(store)


@pytest.mark.parametrize("writers", [2, 4])
def test_b29_two_sessions_write_the_same_note(field: Cli, writers: int) -> None:
    field.ok("init")
    each = 30 // writers
    results = at_once(*(adds(field, writer, each) for writer in range(writers)))
    wanted = [f"writer {writer} item {number}" for writer in range(writers) for number in range(each)]
    found = assert_each_entry_once(field, results, wanted)
    assert [commit.subject for commit in found[:2]] == ["base", "remember-me: init"]


def test_b29_two_different_commands(field: Cli) -> None:
    ids = [f"pxn{number:03}" for number in range(15)]
    note = field.store / "memory" / "2026-03-01.md"
    note.parent.mkdir()
    note.write_text("".join(f"- FACT: pinned {number} ^{entry_id}\n" for number, entry_id in enumerate(ids)))
    field.ok("init")
    pins = lambda: [field.run("--json", "pin", entry_id) for entry_id in ids]  # noqa: E731
    results = at_once(adds(field, 1, 15), pins)
    assert {(result.code, result.err) for result in results} == {(0, "")}
    assert titles(field) == sorted(f"{what} {n}" for what in ("pinned", "writer 1 item") for n in range(15))
    assert sorted(entry["id"] for entry in field.json("list", "--pinned")) == sorted(ids)
    verbs = [commit.verb for commit in assert_sound(field.store)]
    assert [verbs.count(verb) for verb in ("edit", "add", "pin")] == [1, 15, 15]


def test_b29_first_use_by_several_at_once(field: Cli) -> None:
    """The store itself is made in the storm, once."""
    results = at_once(*(lambda n=n: [field.run("--json", "add", f"first {n}")] for n in range(4)))  # type: ignore[misc]
    assert {result.code for result in results} == {0}
    made = f"Made a new store in {field.store}.\n"
    assert {result.err for result in results} <= {"", made}
    assert titles(field) == [f"first {number}" for number in range(4)]
    assert [commit.verb for commit in assert_sound(field.store)[1:]] == ["init"] + ["add"] * 4


# Case B31


@pytest.mark.parametrize("content", ["", "1\n", '{"pid": 1, "host'])
def test_b31_dead_lock_file(cli: Cli, content: str) -> None:
    lock = cli.store / ".remember-me" / "lock"
    lock.write_text(content)
    cli.ok("add", "x")
    assert titles(cli) == ["x"]
    assert lock.read_text() == content
    assert assert_sound(cli.store)[-1].verb == "add"
    assert [name for name in git(cli.store, "ls-files").split() if "lock" in name] == []


HOLD = """
import os, sys
from pathlib import Path
from remember_me.store.lock import StoreLock
lock = StoreLock(Path(sys.argv[1]))
assert lock.acquire(10)
print(os.getpid(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(cli: Cli) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the store's lock until its stdin is closed."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", HOLD, str(cli.store / ".remember-me" / "lock")],
        env=cli.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == str(process.pid)
        yield process
        process.kill()


def let_go(holder: subprocess.Popen[str]) -> None:
    assert holder.stdin is not None
    holder.stdin.close()
    holder.wait(10)


def test_b31_killed_holder(cli: Cli, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait(10)
    cli.ok("add", "y")
    assert titles(cli) == ["y"]
    assert_sound(cli.store)


# A lock that is really held


def test_capture_waits_in_the_spool_and_the_next_command_writes_it(cli: Cli, holder: subprocess.Popen[str]) -> None:
    before = bytes_of(cli.store)
    began = time.monotonic()
    words = ["--json", "add", "Waits its turn\n\nAnd\n\n- FACT: no entry ^abc234\n\nis a body", "--tag", "GOAL"]
    words += ["--impact", "2", "--evidence", 'say "it"', "--session", "cli/1", "--pin", "--field", "mood=bright"]
    kept = cli.run(*words)
    assert 1.9 < time.monotonic() - began < 15
    assert (kept.code, kept.err) == (0, WAITS)
    told = kept.json()
    assert (told["waiting"], told["committed"], told["title"]) == (True, False, "Waits its turn")
    assert bytes_of(cli.store) == before
    assert [commit.verb for commit in commits(cli.store)] == ["init"]

    entry_id = told["id"]
    shown = cli.json("get", entry_id)
    assert cli.json("list") == [shown]
    assert {key: told[key] for key in shown if key in told} == shown
    assert cli.json("status")["uncommitted"] == 1

    let_go(holder)
    second = cli.json("add", "came later")["id"]
    assert cli.json("get", entry_id) == shown
    assert [commit.entries for commit in assert_sound(cli.store)] == [[], [entry_id], [second]]
    assert commits(cli.store)[1].trailers["Operation-Id"] == told["operation"]
    assert cli.json("status")["uncommitted"] == 0


def test_captures_of_several_are_written_in_their_order(
    cli: Cli, holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    file = tmp_path / "handed-over.md"
    file.write_bytes("\ufeff# Handed over\r\n\r\nIts text.\r\n".encode())
    calls = [("add", "one"), ("add", "--file", str(file)), ("add", "two")]
    results = at_once(*(lambda call=call: [cli.run("--json", *call)] for call in calls))  # type: ignore[misc]
    assert {(result.code, result.err) for result in results} == {(0, WAITS)}
    ids = {result.json()["id"] for result in results}
    assert titles(cli) == ["Handed over", "one", "two"]
    spooled = [re.split("[-.]", name)[1] for name in sorted(os.listdir(cli.store / ".remember-me" / "spool"))]
    let_go(holder)
    cli.ok("pin", results[0].json()["id"])
    found = assert_sound(cli.store)
    assert [commit.verb for commit in found] == ["init", "add", "add", "add", "pin"]
    assert [commit.trailers["Operation-Id"] for commit in found[1:4]] == spooled
    assert {commit.entries[0] for commit in found[1:4]} == ids
    assert (cli.store / "memory" / "handed-over.md").read_bytes().endswith(b"\r\nIts text.\r\n")


def test_reading_needs_no_lock(cli: Cli, holder: subprocess.Popen[str]) -> None:
    let_go(holder)
    entry_id = cli.json("add", "there")["id"]
    lock = StoreLock(cli.store / ".remember-me" / "lock")
    assert lock.acquire(5)
    for words in (("get", entry_id), ("list",), ("status",), ("log",), ("history", entry_id), ("diff",)):
        result = cli.run(*words)
        assert (result.code, result.out != "", "Error" in result.err) == (0, True, False), result
    lock.release()


def test_what_cannot_wait_says_so_in_one_line(cli: Cli) -> None:
    entry_id = cli.json("add", "there")["id"]
    cli.ok("pin", entry_id)
    before, told = bytes_of(cli.store), commits(cli.store)
    lock = StoreLock(cli.store / ".remember-me" / "lock")
    assert lock.acquire(5)
    calls = [("correct", entry_id, "new"), ("unpin", entry_id), ("disable", entry_id)]
    reversals = [("undo",), ("redo",), ("undo", "--overwrite")]
    results = at_once(*(lambda call=call: [cli.run(*call)] for call in [*calls, *reversals]))  # type: ignore[misc]
    assert bytes_of(cli.store) == before
    assert leftovers(cli.store) == []
    lock.release()
    hint = "Hint: Another remember-me command is still running; try again when it has ended.\n"
    busy = "Error: The store is in use by another command for more than 2 seconds.\n"
    cannot = (
        "Error: Nothing was undone or redone, because git cannot commit: another command is working in the store.\n"
    )
    for result in results[: len(calls)]:
        assert (result.code, result.out, result.err) == (1, "", busy + hint), result.arguments
    for result in results[len(calls) :]:
        assert (result.code, result.out, result.err) == (6, "", cannot + hint), result.arguments
    assert commits(cli.store) == told
    cli.ok("correct", entry_id, "new")


def test_edit_keeps_what_was_saved_and_says_that_the_commit_waits(cli: Cli) -> None:
    entry_id = cli.json("add", "there")["id"]
    lock = StoreLock(cli.store / ".remember-me" / "lock")
    assert lock.acquire(5)
    result = cli.run("edit", entry_id, env={"EDITOR": "sed -i s/there/everywhere/"})
    lock.release()
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        "saved, not yet committed: another command is working in the store.\n"
        "Hint: Another remember-me command is still running; try again when it has ended.\n"
    )
    assert titles(cli) == ["everywhere"]
    cli.ok("add", "next")
    assert [commit.verb for commit in assert_sound(cli.store)] == ["init", "add", "edit", "add"]


# The moment of unlocking


class LateCapture(StoreLock):
    """A lock whose holder is about to let go when a capture comes that could not have it."""

    def __init__(self, path: Path, cli: Cli) -> None:
        super().__init__(path)
        self.cli = cli
        self.kept: list[Result] = []

    def release(self) -> None:
        if self.held and not self.kept:
            self.kept.append(self.cli.run("--json", "add", "came late"))
        super().release()


@pytest.mark.parametrize("through", ["apply", "settle"])
def test_capture_that_comes_right_before_the_unlock_is_not_left_behind(cli: Cli, through: str) -> None:
    own = cli.store / ".remember-me"
    lock = LateCapture(own / "lock", cli)
    git_runner = Git(cli.store, environ=os.environ, marker=own / "git-running", pass_fds=lambda: lock.inheritable_fds)
    now = lambda: datetime.now().astimezone()  # noqa: E731
    store = Store(cli.store, Shape(), git_runner, lock, Tools(now, random_id, None, Disk()))
    if through == "apply":
        applied = store.apply([Add(random_id(6), Tag.FACT, "first", "", (), now())], Request("add", "person"))
        assert applied.committed
    else:
        assert store.settle() == (None, None)
    assert [(result.code, result.err) for result in lock.kept] == [(0, WAITS)]
    found = assert_sound(cli.store)
    assert found[-1].entries == [lock.kept[0].json()["id"]]
    assert "came late" in titles(cli)
