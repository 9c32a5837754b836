"""What is known beside the notes: every method, many at once, and a file that is damaged, locked or read-only."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from remember_me.store import state as state_module
from remember_me.store.state import STATE_NAME, VERSION, SessionDays, State
from tests.store.test_disk import read_only

PROJECT = Path(__file__).parents[2]
AT = datetime(2026, 11, 29, 14, 32, tzinfo=UTC)
DAY = timedelta(days=1)
posix = pytest.mark.skipif(sys.platform == "win32", reason="the set-up uses POSIX permissions and mounts")


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path / STATE_NAME)


READS: list[tuple[Callable[[State], object], object]] = [
    (lambda state: state.session_days(), SessionDays({})),
    (lambda state: state.was_counted("k7m2pq", "s/1"), None),
    (lambda state: state.guesses("s/1"), 0),
    (lambda state: state.asked(), set()),
    (lambda state: state.refusals(), {}),
    (lambda state: state.mark("maintain"), None),
]
"""Every way to ask, and the answer where nothing is known."""

WRITES: list[Callable[[State], object]] = [
    lambda state: state.note_session("s/1", "cogwork", AT),
    lambda state: state.note_sightings(["k7m2pq"], "s/1", AT),
    lambda state: state.note_guess("s/1", "k7m2pq"),
    lambda state: state.give_back_question("s/1"),
    lambda state: state.note_question("s/1", "k7m2pq"),
    lambda state: state.count_refusal("secret"),
    lambda state: state.set_mark("maintain", AT),
]


def assert_nothing_known(state: State) -> None:
    for ask, nothing in READS:
        assert ask(state) == nothing


def fill(state: State) -> None:
    """One of everything."""
    state.note_session("s/1", None, AT)
    state.note_sightings(["k7m2pq"], "s/1", AT)
    state.note_guess("s/1", "abc123")
    state.take_question("s/1", AT)
    state.note_question("s/1", "xyz789")
    state.count_refusal("secret")
    state.set_mark("maintain", AT)


def assert_filled(state: State) -> None:
    assert state.session_days() == SessionDays({"": ["2026-11-29"]})
    assert state.was_counted("k7m2pq", "s/1") is True
    assert state.guesses("s/1") == 1
    assert state.asked() == {"xyz789"}
    assert state.refusals() == {"secret": 1}
    assert state.mark("maintain") == AT


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Each method


def test_sessions_by_scope_and_day(state: State) -> None:
    for session, scope, at in (
        ("s/3", None, AT + DAY),
        ("s/1", None, AT),
        ("s/1", None, AT),
        ("s/2", None, AT),
        ("s/2", "cogwork", AT),
        ("s/2", "", AT + 2 * DAY),
        ("s/4", "bells", AT - DAY),
    ):
        state.note_session(session, scope, at)
    assert state.session_days() == SessionDays(
        {"": ["2026-11-29", "2026-11-30", "2026-12-01"], "bells": ["2026-11-28"], "cogwork": ["2026-11-29"]}
    )


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (datetime(2026, 11, 30, 0, 30, tzinfo=timezone(timedelta(hours=1))), "2026-11-29"),
        (datetime(2026, 11, 29, 20, 0, tzinfo=timezone(timedelta(hours=-5))), "2026-11-30"),
        (datetime(2026, 3, 29, 1, 30, tzinfo=timezone(timedelta(hours=2))), "2026-03-28"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01"),
        (datetime(9999, 12, 31, 23, 59, tzinfo=UTC), "9999-12-31"),
    ],
)
def test_the_day_of_a_session_is_that_of_utc(state: State, at: datetime, day: str) -> None:
    state.note_session("s/1", None, at)
    assert state.session_days().by_scope == {"": [day]}


@pytest.mark.parametrize(
    ("at", "day"),
    [
        (datetime(1, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))), "0001-01-01"),
        (datetime(9999, 12, 31, 23, 30, tzinfo=timezone(timedelta(hours=-1))), "9999-12-31"),
    ],
)
def test_a_session_at_the_ends_of_the_calendar(state: State, at: datetime, day: str) -> None:
    state.note_session("s/1", None, at)
    assert state.session_days().by_scope == {"": [day]}


DAYS = SessionDays({"": ["2026-11-01", "2026-11-03"], "bells": ["2026-11-03", "2026-11-04", "2026-11-05"]})


@pytest.mark.parametrize(
    ("scope", "day", "number"),
    [
        (None, "2026-10-31", 4),
        (None, "2026-11-01", 3),
        (None, "2026-11-02", 3),
        (None, "2026-11-03", 2),
        (None, "2026-11-05", 0),
        ("bells", "2026-10-31", 4),
        ("bells", "2026-11-03", 2),
        ("cogwork", "2026-10-31", 2),
        ("cogwork", "2026-11-01", 1),
        ("cogwork", "2026-11-03", 0),
        ("", "2026-11-01", 1),
        (None, "0001-01-01", 4),
        (None, "9999-12-31", 0),
    ],
)
def test_later_sessions_are_days_after_the_day(scope: str | None, day: str, number: int) -> None:
    """Whatever the scopes, one day counts once; the day itself does not."""
    assert DAYS.later(scope, day) == number
    assert SessionDays({}).later(scope, day) == 0


def test_sightings_say_which_sessions_counted(state: State) -> None:
    assert state.was_counted("k7m2pq", "s/1") is None
    state.note_sightings(iter(["k7m2pq", "abc123"]), "s/1", AT)
    state.note_sightings(["k7m2pq"], "s/1", AT + DAY)
    state.note_sightings(["k7m2pq"], "s/2", AT)
    state.note_sightings([], "s/3", AT)
    found = {(entry, session): state.was_counted(entry, session) for entry in ("k7m2pq", "abc123", "xyz789")
             for session in ("s/1", "s/2", "s/3")}  # fmt: skip
    assert found == {
        ("k7m2pq", "s/1"): True,
        ("k7m2pq", "s/2"): True,
        ("k7m2pq", "s/3"): False,
        ("abc123", "s/1"): True,
        ("abc123", "s/2"): False,
        ("abc123", "s/3"): False,
        ("xyz789", "s/1"): None,
        ("xyz789", "s/2"): None,
        ("xyz789", "s/3"): None,
    }


def test_guesses_of_a_session(state: State) -> None:
    for session, entry in (("s/1", "k7m2pq"), ("s/1", "k7m2pq"), ("s/1", "abc123"), ("s/2", "k7m2pq")):
        state.note_guess(session, entry)
    assert [state.guesses(session) for session in ("s/1", "s/2", "s/3")] == [2, 1, 0]


def test_one_question_in_a_session(state: State) -> None:
    assert state.asked() == set()
    assert [state.take_question("s/1", AT), state.take_question("s/1", AT + DAY)] == [True, False]
    assert state.asked() == set()
    state.note_question("s/1", "k7m2pq")
    assert state.asked() == {"k7m2pq"}
    assert [state.take_question("s/1", AT), state.take_question("s/2", AT)] == [False, True]


def test_a_question_that_was_not_asked_is_given_back(state: State) -> None:
    state.take_question("s/1", AT)
    state.take_question("s/2", AT)
    state.give_back_question("s/1")
    assert [state.take_question("s/1", AT), state.take_question("s/2", AT)] == [True, False]


def test_a_question_that_was_asked_stays_taken(state: State) -> None:
    state.take_question("s/1", AT)
    state.note_question("s/1", "k7m2pq")
    state.give_back_question("s/1")
    assert state.take_question("s/1", AT) is False
    assert state.asked() == {"k7m2pq"}
    state.note_question("s/9", "abc123")  # nothing was taken there
    assert state.asked() == {"k7m2pq"}


def test_refusals_are_counted_by_rule(state: State) -> None:
    for rule in ("secret", "agent-confirm", "secret", "secret"):
        state.count_refusal(rule)
    assert list(state.refusals().items()) == [("agent-confirm", 1), ("secret", 3)]


def test_a_mark_is_when_something_was_done_last(state: State) -> None:
    assert state.mark("maintain") is None
    state.set_mark("maintain", AT)
    rome = datetime(2026, 11, 30, 0, 30, tzinfo=timezone(timedelta(hours=1)))
    state.set_mark("other", rome)
    assert (state.mark("maintain"), state.mark("other"), state.mark("third")) == (AT, rome, None)
    assert str(state.mark("other")) == "2026-11-30 00:30:00+01:00"
    state.set_mark("maintain", AT - DAY)
    assert state.mark("maintain") == AT - DAY


@pytest.mark.parametrize(
    "value",
    [
        "yesterday",
        "",
        "2026-13-01T00:00:00+00:00",
        "1",
        pytest.param(None),
        pytest.param(b"x"),
    ],
)
def test_a_mark_that_cannot_be_read_is_none(state: State, value: object) -> None:
    state.set_mark("maintain", AT)
    with closing(sqlite3.connect(state.path)) as db, db:
        db.execute("UPDATE mark SET at = ?", (value,))
    assert state.mark("maintain") is None


def test_everything_is_there_for_the_next_command(state: State) -> None:
    fill(state)
    assert_filled(state)
    assert_filled(State(state.path))
    assert files(state.path.parent) == [STATE_NAME]
    assert state.set_aside() == []


HOSTILE = ["'; DROP TABLE session; --", "a\0b", "", "é 👍 \u202e", "x" * 10_000, "\ufeff", 'a"b', "%_"]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_any_name(state: State, name: str) -> None:
    state.note_session(name, f"{name}1", AT)
    state.note_sightings([name], name, AT)
    state.note_guess(name, name)
    state.count_refusal(name)
    state.set_mark(name, AT)
    assert state.session_days().by_scope == {f"{name}1": ["2026-11-29"]}
    assert (state.was_counted(name, name), state.was_counted(name, f"{name}1")) == (True, False)
    assert (state.guesses(name), state.refusals(), state.mark(name)) == (1, {name: 1}, AT)
    assert [state.take_question(name, AT), state.take_question(name, AT)] == [True, False]


def test_a_name_that_is_no_utf_8(state: State) -> None:
    """As a terminal hands over `--session` with a byte that is no UTF-8."""
    state.note_session("s\udcff", None, AT)
    assert state.guesses("s\udcff") == 0


# The file


def test_reads_make_no_file(state: State) -> None:
    assert_nothing_known(state)
    assert state.set_aside() == []
    assert files(state.path.parent) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    state = State(tmp_path / "gone" / STATE_NAME)
    for write in WRITES:
        write(state)
    assert state.take_question("s/1", AT) is False
    assert_nothing_known(state)
    assert state.set_aside() == []
    assert files(tmp_path) == []


def test_a_folder_in_its_place(state: State) -> None:
    state.path.mkdir()
    for write in WRITES:
        write(state)
    assert_nothing_known(state)
    assert files(state.path.parent) == [STATE_NAME]


@posix
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_reads_it(state: State, mask: int) -> None:
    old = os.umask(mask)
    try:
        fill(state)
    finally:
        os.umask(old)
    assert stat.S_IMODE(state.path.stat().st_mode) == 0o600


def test_an_empty_file_is_a_new_one(state: State) -> None:
    state.path.touch()
    assert_nothing_known(state)
    fill(state)
    assert_filled(state)
    assert state.set_aside() == []


def test_a_later_version_is_left_alone(state: State) -> None:
    fill(state)
    with closing(sqlite3.connect(state.path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = state.path.read_bytes()
    for write in WRITES:
        write(state)
    assert_nothing_known(state)
    assert state.path.read_bytes() == before
    assert files(state.path.parent) == [STATE_NAME]


# Many at once


def test_many_threads_lose_nothing(state: State) -> None:
    """Also the file is made by all of them at once."""

    def work(number: int) -> bool:
        for turn in range(5):
            state.count_refusal("secret")
            state.note_guess("s/1", f"{number}-{turn}")
        return state.take_question("s/1", AT)

    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(work, range(4)))
    assert sorted(taken) == [False, False, False, True]
    assert state.refusals() == {"secret": 20}
    assert state.guesses("s/1") == 20
    assert files(state.path.parent) == [STATE_NAME]


WORKER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from remember_me.store.state import State
state, name = State(Path(sys.argv[1])), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for turn in range(10):
    state.count_refusal("secret")
    state.note_sightings([f"{name}-{turn}"], name, datetime.now(UTC))
print(state.take_question("s/1", datetime.now(UTC)), flush=True)
"""


def test_two_processes_lose_nothing(state: State) -> None:
    command = [sys.executable, "-c", WORKER, str(state.path)]
    workers = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PROJECT)
        for name in ("s/1", "s/2")
    ]
    try:
        assert [worker.stdout.readline() for worker in workers if worker.stdout] == ["ready\n"] * 2
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        answers = sorted(worker.communicate(timeout=60)[0] for worker in workers)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    assert answers == ["False\n", "True\n"]
    assert [worker.returncode for worker in workers] == [0, 0]
    assert state.refusals() == {"secret": 20}
    for name, other in (("s/1", "s/2"), ("s/2", "s/1")):
        for turn in range(10):
            assert state.was_counted(f"{name}-{turn}", name) is True
            assert state.was_counted(f"{name}-{turn}", other) is False


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program holds the file for itself."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield
        db.execute("ROLLBACK")


def test_a_locked_file_gives_empty_answers(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(state)
    monkeypatch.setattr(state_module, "_WAIT_SECONDS", 0.01)
    with locked(state.path):
        for write in WRITES:
            write(state)
        assert_nothing_known(state)
        assert state.take_question("s/2", AT) is False
    assert_filled(state)
    assert files(state.path.parent) == [STATE_NAME]


def test_a_file_that_is_locked_for_a_moment_is_waited_for(state: State) -> None:
    fill(state)
    with ThreadPoolExecutor(1) as pool:
        with locked(state.path):
            counted = pool.submit(state.count_refusal, "secret")
            with pytest.raises(TimeoutError):
                counted.result(timeout=0.2)
        counted.result(timeout=30)
    assert state.refusals() == {"secret": 2}


# Read-only


@posix
def test_a_read_only_folder_gives_empty_answers_and_no_exception(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    state = State(folder / STATE_NAME)
    with read_only(folder):
        for write in WRITES:
            write(state)
        assert state.take_question("s/1", AT) is False
        assert_nothing_known(state)
    assert files(folder) == []
    fill(state)
    before = state.path.read_bytes()
    with read_only(folder):
        for write in WRITES:
            write(state)
        assert_nothing_known(state)
    assert state.path.read_bytes() == before
    assert_filled(state)


NOT_CAUGHT = "what setting a damaged file aside raises is not caught: it happens inside the except clause"


def test_a_damaged_file_that_cannot_be_set_aside(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder that is read-only while its files are not."""

    def refuse(source: object, target: object) -> None:
        raise PermissionError(13, "Permission denied")

    state.path.write_bytes(b"garbage" * 1000)
    monkeypatch.setattr(os, "replace", refuse)
    assert_nothing_known(state)
    assert state.path.read_bytes() == b"garbage" * 1000


def test_a_damaged_file_with_tables_of_another_shape(state: State) -> None:
    """A column more than ours, as a later version may have added without changing the number."""
    fill(state)
    with closing(sqlite3.connect(state.path)) as db, db:
        db.execute("ALTER TABLE mark ADD COLUMN more TEXT")
        db.executemany("INSERT INTO session VALUES (?, '', '2026-01-01')", [(f"s/{n:06}",) for n in range(1000)])
    data = state.path.read_bytes()
    state.path.write_bytes(data[:-4096] + b"\xff" * 4096)
    state.session_days()
    assert state.refusals() == {"secret": 1}


# Damaged


GARBAGE = [b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 5000, b"\0" * 100, b"# markdown\n" * 50, b"x" * 512]


@pytest.mark.parametrize("data", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_set_aside_and_a_new_file_begins(state: State, data: bytes) -> None:
    state.path.write_bytes(data)
    assert_nothing_known(state)
    (aside,) = state.set_aside()
    assert aside.startswith("state.sqlite.damaged-2")
    assert (state.path.parent / aside).read_bytes() == data
    fill(state)
    assert_filled(state)
    assert files(state.path.parent) == [STATE_NAME, aside]


@posix
def test_the_new_file_is_the_owners_alone_too(state: State) -> None:
    state.path.write_bytes(GARBAGE[0])
    old = os.umask(0)
    try:
        state.count_refusal("secret")
    finally:
        os.umask(old)
    assert stat.S_IMODE(state.path.stat().st_mode) == 0o600


def test_each_damaged_file_is_kept(state: State) -> None:
    for number in range(3):
        state.path.write_bytes(GARBAGE[0] + bytes([number]))
        assert state.refusals() == {}
    found = state.set_aside()
    assert found == sorted(found)
    assert [(state.path.parent / name).read_bytes()[-1] for name in found] == [0, 1, 2]


def large(state: State) -> bytes:
    """One of everything, then so many sessions that they fill the last pages; the bytes of the file."""
    fill(state)
    with closing(sqlite3.connect(state.path)) as db, db:
        rows = [(f"s/{number:06}", f"scope {number:03}") for number in range(1000)]
        db.executemany("INSERT INTO session VALUES (?, ?, '2026-01-01')", rows)
    return state.path.read_bytes()


def test_what_can_be_read_of_a_damaged_file_is_taken_over(state: State) -> None:
    """All of the tables that are whole, and the rows of the damaged one up to the damage."""
    data = large(state)
    whole = list(state.session_days().by_scope)
    assert len(whole) == 1001
    state.path.write_bytes(data[:-4096] + b"\xff" * 4096)
    left = list(state.session_days().by_scope)
    assert 0 < len(left) < 1001
    assert left == whole[: len(left)]
    assert len(state.set_aside()) == 1
    assert state.was_counted("k7m2pq", "s/1") is True
    assert (state.guesses("s/1"), state.asked(), state.refusals()) == (1, {"xyz789"}, {"secret": 1})
    assert state.mark("maintain") == AT
    state.count_refusal("secret")
    assert state.refusals() == {"secret": 2}
    assert list(state.session_days().by_scope) == left
    assert len(state.set_aside()) == 1


def test_a_damaged_file_is_found_by_a_write_too(state: State) -> None:
    state.path.write_bytes(GARBAGE[0])
    state.count_refusal("secret")
    assert state.refusals() == {"secret": 1}
    assert len(state.set_aside()) == 1


CUTS = [0, 1, 15, 16, 99, 100, 101, 511, 512, 1024, 4095, 4096, 4097, 8192, 12_288, 20_000, 40_000]


@pytest.mark.parametrize("cut", [*CUTS, *(random.Random(0).sample(range(60_000), 15))])
def test_a_file_that_was_cut_off_works_again(state: State, cut: int) -> None:
    data = large(state)
    assert len(data) > 60_000
    state.path.write_bytes(data[:cut])
    for ask, _ in READS:
        ask(state)
    state.count_refusal("after")
    assert state.refusals()["after"] == 1
    assert [len((state.path.parent / name).read_bytes()) for name in state.set_aside()] == ([cut] if cut > 1 else [])


@pytest.mark.parametrize("pages", [8, 9, 12])
def test_what_is_left_of_a_file_that_was_cut_off_is_taken_over(state: State, pages: int) -> None:
    """The small tables lie in the first eight pages: one for the schema and one for each table.

    With `PRAGMA writable_schema = ON` SQLite reads what is there.
    """
    data = large(state)
    assert len(data) > 12 * 4096
    state.path.write_bytes(data[: pages * 4096])
    assert state.refusals() == {"secret": 1}
    assert state.mark("maintain") == AT
    assert state.asked() == {"xyz789"}
    assert state.guesses("s/1") == 1
    assert state.was_counted("k7m2pq", "s/1") is True


def assert_works(state: State) -> None:
    for ask, _ in READS:
        ask(state)
    for write in WRITES:
        write(state)
    assert state.refusals()["secret"] >= 1


@pytest.mark.parametrize("seed", range(20))
def test_a_page_of_noise_anywhere(state: State, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(large(state))
    page = chance.randrange(1, len(data) // 4096)
    data[page * 4096 : (page + 1) * 4096] = chance.randbytes(4096)
    state.path.write_bytes(data)
    assert_works(state)
    assert state.session_days() == State(state.path).session_days()
    assert all((state.path.parent / name).read_bytes() == bytes(data) for name in state.set_aside())


NO_UTF8 = "sqlite3 raises UnicodeDecodeError, which is no DatabaseError, for a message that is no UTF-8"
NO_SUCH = "`no such column` and `no such table` are OperationalErrors, so such a file is never set aside"


@pytest.mark.parametrize(
    ("found", "offset", "byte"),
    [
        pytest.param(
            b"guess (session TEXT, entry TEXT, PRIMARY KEY (session, entry)",
            -6,
            b"\xdf",
        ),
        pytest.param(
            b"tableguessguess",
            9,
            b"\xdf",
        ),
        pytest.param(b"rule TEXT", 2, b"\xdf"),
        pytest.param(b"rule TEXT", 2, b"x"),
        (b"CREATE TABLE refusal", 0, b"x"),
        (b"CREATE TABLE refusal", 0, b"\0"),
        (b"tableguessguess", 0, b"x"),
    ],
)
def test_one_byte_of_the_schema(state: State, found: bytes, offset: int, byte: bytes) -> None:
    data = large(state)
    assert data.count(found) == 1
    at = data.index(found) + (offset if offset >= 0 else len(found) + offset)
    state.path.write_bytes(data[:at] + byte + data[at + 1 :])
    assert_works(state)


def test_a_file_without_our_tables(state: State) -> None:
    """As another program may have left it, or a copy of which only the first page arrived."""
    with closing(sqlite3.connect(state.path)) as db, db:
        db.execute("CREATE TABLE other (x TEXT)")
        db.execute(f"PRAGMA user_version = {VERSION}")
    assert_works(state)


# Damaged, and others are there too


def test_another_command_holds_the_new_file(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another command found the damage too, and was faster to make the new file."""
    really = os.replace
    with closing(sqlite3.connect(":memory:")) as nothing:
        held = [nothing]

        def replace(source: Path, target: Path) -> None:
            really(source, target)
            held.append(sqlite3.connect(source, isolation_level=None))
            held[-1].execute("BEGIN EXCLUSIVE")

        state.path.write_bytes(GARBAGE[0])
        monkeypatch.setattr(state_module, "_WAIT_SECONDS", 0.01)
        monkeypatch.setattr(os, "replace", replace)
        try:
            assert state.refusals() == {}
        finally:
            for db in held:
                db.close()


def test_several_find_the_damage_at_once(tmp_path: Path) -> None:
    """The damaged file is set aside once, nobody is hindered, and no count is lost."""
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        state = State(folder / STATE_NAME)
        state.path.write_bytes(GARBAGE[0])
        with ThreadPoolExecutor(4) as pool:
            for future in [pool.submit(state.count_refusal, "secret") for _ in range(4)]:
                future.result()
        assert len(state.set_aside()) == 1
        assert state.refusals() == {"secret": 4}
