"""Receipts: bounded, for seven days, once each, many at once, damaged; and what is forgotten leaves no byte."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from remember_me.model.receipt import Receipt
from remember_me.store.receipts import Receipts
from remember_me.store.tables import (
    KEPT_IN_ALL,
    KEPT_PER_SESSION,
    RECEIPTS_NAME,
    RECEIPTS_SCHEMA,
    RECEIPTS_VERSION,
    TEXT_BYTES,
    keep_receipt,
    prepare,
    stamp,
)

INSERT = "INSERT INTO receipt (session, message, at, source, text) VALUES (?, ?, ?, ?, ?)"

PROJECT = Path(__file__).parents[2]
AT = datetime(2026, 11, 29, 14, 32, tzinfo=UTC)
WEEK = timedelta(days=7)
INSTANT = timedelta(microseconds=1)
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


@pytest.fixture
def receipts(tmp_path: Path) -> Receipts:
    return Receipts(tmp_path / RECEIPTS_NAME)


def keep(receipts: Receipts, text: str, *, session: str = "s/1", message: str | None = None, at: datetime = AT) -> bool:
    return receipts.keep(session, text if message is None else message, text, at, source="claude-code")


def texts(receipts: Receipts, session: str = "s/1", count: int = 100, now: datetime = AT) -> list[str]:
    return [receipt.text for receipt in receipts.last(session, count, now=now)]


def test_the_newest_come_first_and_whole(receipts: Receipts) -> None:
    here = timezone(timedelta(hours=2))
    assert receipts.keep("s/1", "m1", "I like tabs\r\n\x00\u2028", AT.astimezone(here), source="hook")
    keep(receipts, "b")
    keep(receipts, "of another session", session="s/2")
    keep(receipts, "c", at=AT - timedelta(hours=1))  # a clock that was set back: the order is that of arrival
    keep(receipts, "d")
    assert texts(receipts, count=3) == ["d", "c", "b"]
    assert receipts.last("s/1", 4, now=AT)[-1] == Receipt("s/1", "m1", "I like tabs\r\n\x00\u2028", AT, "hook")
    assert texts(receipts, count=0) == []
    assert texts(receipts, "unknown") == []


def test_nothing_kept_makes_no_file(receipts: Receipts) -> None:
    assert (texts(receipts), receipts.forget(lambda text: True), receipts.expire(AT)) == ([], 0, 0)
    receipts.clear()
    assert not receipts.path.exists()


def test_a_message_is_kept_once(receipts: Receipts) -> None:
    assert keep(receipts, "first", message="m1")
    keep(receipts, "second", message="m2")
    assert not keep(receipts, "first again", message="m1", at=AT + timedelta(hours=1))
    assert keep(receipts, "first", message="m1", session="s/2")
    assert texts(receipts) == ["second", "first"]


def test_a_session_keeps_its_last_twenty(receipts: Receipts) -> None:
    for number in range(KEPT_PER_SESSION + 3):
        keep(receipts, str(number))
        keep(receipts, "other", session="s/2")
    assert texts(receipts) == [str(number) for number in range(KEPT_PER_SESSION + 2, 2, -1)]
    assert texts(receipts, "s/2") == ["other"]


def test_five_hundred_are_kept_in_all(receipts: Receipts) -> None:
    keep(receipts, "first", session="s/first")
    with closing(sqlite3.connect(receipts.path)) as db, db:
        rows = [(f"s/{number}", "m", AT.isoformat(timespec="microseconds"), "hook", "x") for number in range(600)]
        db.executemany(INSERT, rows)
    keep(receipts, "newest")
    with closing(sqlite3.connect(receipts.path)) as db:
        assert db.execute("SELECT count(*) FROM receipt").fetchone() == (KEPT_IN_ALL,)
    assert texts(receipts, "s/first") == texts(receipts, "s/100") == []
    assert texts(receipts, "s/101") == ["x"]
    assert texts(receipts) == ["newest"]


@pytest.mark.parametrize("unit", ["a", "é", "日", "🙂"])
def test_a_long_text_is_cut_at_a_character(receipts: Receipts, unit: str) -> None:
    size = len(unit.encode())
    keep(receipts, "x" + unit * TEXT_BYTES)
    assert texts(receipts) == ["x" + unit * ((TEXT_BYTES - 1) // size)]


def test_a_lone_surrogate_moves_no_offset(receipts: Receipts) -> None:
    keep(receipts, "a\ud800b", session="s/\udcff", message="\udcff")
    assert texts(receipts, "s/\udcff") == ["a?b"]


@pytest.mark.parametrize(
    ("age", "given"),
    [
        (WEEK - INSTANT, True),
        (WEEK, True),
        (WEEK + INSTANT, False),
        (timedelta(0), True),
        (timedelta(days=-1), True),
        (timedelta(days=-1) - INSTANT, False),  # a clock that was wrong
    ],
)
def test_seven_days_at_the_boundary(receipts: Receipts, age: timedelta, given: bool) -> None:
    keep(receipts, "secretly typed")
    assert texts(receipts, now=AT + age) == ["secretly typed"] * given
    keep(receipts, "later", session="s/2", at=AT + age)
    assert texts(receipts) == ["secretly typed"] * given
    assert (b"secretly typed" in receipts.path.read_bytes()) is given


def test_expire_deletes_without_a_write(receipts: Receipts) -> None:
    keep(receipts, "secretly typed")
    assert receipts.expire(AT + WEEK) == 0
    assert receipts.expire(AT + WEEK + INSTANT) == 1
    assert b"secretly typed" not in receipts.path.read_bytes()


@posix
def test_only_the_owner_reads_the_file(receipts: Receipts) -> None:
    before = os.umask(0)
    try:
        keep(receipts, "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE(receipts.path.stat().st_mode) == 0o600
    receipts.path.chmod(0o644)
    keep(receipts, "b")
    assert stat.S_IMODE(receipts.path.stat().st_mode) == 0o600


def test_what_is_forgotten_leaves_no_byte(receipts: Receipts) -> None:
    """Texts of all sizes, moved about by deletions, and half of them forgotten: the file holds the other half only."""
    dice = random.Random(7)
    names = [f"word{number:04}" for number in range(300)]
    for number, name in enumerate(names):
        text = f"{name} " * dice.choice([1, 3, 20, 60, 200, 2000])
        keep(receipts, text, session=f"s/{number % 9}", message=name)
        if number % 40 == 39:
            gone = {name for name in names if dice.random() < 0.5}
            before = {text.split()[0] for session in range(9) for text in texts(receipts, f"s/{session}")}
            assert receipts.forget(lambda text, gone=gone: text.split()[0] in gone) == len(before & gone)
            raw = b"".join(path.read_bytes() for path in receipts.path.parent.iterdir())
            assert {name for name in names if name.encode() + b" " in raw} == before - gone


def test_clear_leaves_no_file(receipts: Receipts) -> None:
    keep(receipts, "secretly typed")
    receipts.path.with_name(RECEIPTS_NAME + "-journal").write_bytes(b"secretly typed")
    receipts.clear()
    assert list(receipts.path.parent.iterdir()) == []
    assert keep(receipts, "a")


def test_a_write_leaves_one_file(receipts: Receipts) -> None:
    keep(receipts, "a" * 9000)
    receipts.forget(lambda text: True)
    assert [path.name for path in receipts.path.parent.iterdir()] == [RECEIPTS_NAME]


def damage(path: Path, kind: str) -> None:
    if kind == "noise":
        path.write_bytes(b"secretly typed, and no database" * 99)
    elif kind == "short":
        path.write_bytes(path.read_bytes()[:5000])
    elif kind == "flipped":
        raw = path.read_bytes()
        path.write_bytes(raw[:100] + bytes(byte ^ 0x5A for byte in raw[100:]))
    else:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("DROP TABLE receipt")


@pytest.mark.parametrize("kind", ["noise", "short", "flipped", "no table"])
def test_a_damaged_file_is_replaced_and_never_blocks(receipts: Receipts, kind: str) -> None:
    for number in range(9):
        keep(receipts, f"{number} " * 900)
    damage(receipts.path, kind)
    texts(receipts)
    assert keep(receipts, "new")
    assert texts(receipts, count=1) == ["new"]
    damage(receipts.path, kind)
    receipts.forget(lambda text: True)
    assert texts(receipts) == []
    assert not receipts.path.exists() or b"typed" not in receipts.path.read_bytes()


def test_a_file_that_cannot_be_used_blocks_nothing(receipts: Receipts) -> None:
    receipts.path.mkdir()
    assert not keep(receipts, "a")
    assert texts(receipts) == []
    missing = Receipts(receipts.path / "no" / "folder" / RECEIPTS_NAME)
    assert not keep(missing, "a")
    assert texts(missing) == []


def test_a_locked_file_blocks_nothing_but_forget_says_so(receipts: Receipts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remember_me.store.receipts._WAIT_SECONDS", 0.01)
    keep(receipts, "a")
    with closing(sqlite3.connect(receipts.path)) as db:
        db.execute("BEGIN EXCLUSIVE")
        assert not keep(receipts, "b")
        assert texts(receipts) == []
        with pytest.raises(OSError, match="locked"):
            receipts.forget(lambda text: True)
    assert texts(receipts) == ["a"]


def test_the_file_of_a_later_version_is_left_alone(receipts: Receipts) -> None:
    keep(receipts, "a")
    with closing(sqlite3.connect(receipts.path)) as db:
        db.execute(f"PRAGMA user_version = {RECEIPTS_VERSION + 1}")
    before = receipts.path.read_bytes()
    assert not keep(receipts, "b")
    assert texts(receipts) == []
    assert receipts.path.read_bytes() == before


def test_a_hook_writes_the_same_table_without_this_module(receipts: Receipts) -> None:
    at = stamp(AT.timestamp())
    assert at == AT.isoformat(timespec="microseconds")
    with closing(sqlite3.connect(receipts.path)) as db:
        assert prepare(db, RECEIPTS_VERSION, RECEIPTS_SCHEMA)
        assert keep_receipt(db, ("s/1", "m1", at, "hook", "typed", "/t.jsonl"), at, at)
        assert not keep_receipt(db, ("s/1", "m1", at, "hook", "typed", ""), at, at)
    assert receipts.last("s/1", 9, now=AT) == (Receipt("s/1", "m1", "typed", AT, "hook", "/t.jsonl"),)


def test_a_file_of_the_first_version_is_read_on(receipts: Receipts) -> None:
    with closing(sqlite3.connect(receipts.path)) as db, db:
        db.execute(RECEIPTS_SCHEMA[0].replace(" transcript TEXT NOT NULL DEFAULT '',", ""))
        db.execute(INSERT, ("s/1", "m1", AT.isoformat(timespec="microseconds"), "hook", "typed"))
        db.execute("PRAGMA user_version = 1")
    assert keep(receipts, "later")
    assert texts(receipts) == ["later", "typed"]


def test_four_processes_keep_theirs_at_once(receipts: Receipts) -> None:
    script = (
        "import sys; from datetime import UTC, datetime; from pathlib import Path\n"
        "from remember_me.store.receipts import Receipts\n"
        "receipts, name = Receipts(Path(sys.argv[1])), sys.argv[2]\n"
        "at = datetime(2026, 11, 29, tzinfo=UTC)\n"
        "kept = [receipts.keep(f's/{name}', str(n % 15), f'{name} {n % 15}', at, source='x') for n in range(30)]\n"
        "shared = [receipts.keep('s/all', str(n), str(n), at, source='x') for n in range(10)]\n"
        "print(sum(kept), sum(shared))\n"
    )
    command = [sys.executable, "-c", script, str(receipts.path)]
    running = [
        subprocess.Popen([*command, str(number)], cwd=PROJECT, stdout=subprocess.PIPE, text=True) for number in range(4)
    ]
    counts = [[int(count) for count in process.communicate()[0].split()] for process in running]
    assert [kept for kept, _ in counts] == [15] * 4
    assert sum(shared for _, shared in counts) == 10
    for number in range(4):
        assert texts(receipts, f"s/{number}") == [f"{number} {n}" for n in range(14, -1, -1)]
    assert sorted(texts(receipts, "s/all"), key=int) == [str(n) for n in range(10)]


def test_the_module_is_cheap_to_import() -> None:
    script = "import sys, remember_me.store.receipts; print('sqlite3' in sys.modules, 'yaml' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]
