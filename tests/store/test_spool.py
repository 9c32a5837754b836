"""The spool: what is written down before a note is touched comes back whole, in its order, or not at all."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.model.revision import Operation
from remember_me.store.files import Disk
from remember_me.store.spool import Captured, Journalled, NoteBytes, Spool
from tests.state.lab import Crash, FailingDisk

AT = datetime(2026, 11, 29, 14, 32, 5, tzinfo=timezone(timedelta(hours=5, minutes=30)))
OPERATION = Operation(
    "p0000001", "promote", "agent:codex", AT, ("k00001", "k00002"), ("k00002",), "codex/7c1e", undoes="p0000000"
)
CHANGE = Add("k00001", Tag.HYPOTHESIS, "A title", "A\n\nbody", (("impact", "2"), ("own", "x: y")), AT)


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool", Disk())


def test_a_journalled_operation_comes_back_as_it_was(spool: Spool) -> None:
    notes = (NoteBytes("memory/a b.md", None, b"\xff\x00\r\n"), NoteBytes("MEMORY.md", "ab" * 32, None))
    written = spool.journal(OPERATION, notes)
    (read,), damaged = spool.records()
    assert damaged == []
    assert isinstance(read, Journalled)
    assert (read.name, read.notes, read.found, written.found) == (written.name, notes, True, False)
    assert read.operation == OPERATION._replace(notes=("memory/a b.md", "MEMORY.md"))
    assert read.operation.at.utcoffset() == AT.utcoffset()
    assert read.notes[0].after_hash is not None
    assert read.notes[1].after_hash is None


@given(
    title=st.text(min_size=1),
    body=st.text(),
    fields=st.lists(st.tuples(st.text(), st.text()), max_size=3).map(tuple),
    topic=st.none() | st.text(),
    document=st.none() | st.text(),
)
def test_a_capture_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory,
    title: str,
    body: str,
    fields: tuple[tuple[str, str], ...],
    topic: str | None,
    document: str | None,
) -> None:
    spool = Spool(tmp_path_factory.mktemp("spool"), Disk())
    change = Add("k00001", Tag.GOAL, title, body, fields, AT, topic, document)
    spool.capture(OPERATION, change)
    (read,), damaged = spool.records()
    assert damaged == []
    assert isinstance(read, Captured)
    assert (read.operation, read.change) == (OPERATION, change)


def test_records_are_private_and_in_the_order_in_which_they_came(spool: Spool) -> None:
    assert (spool.names(), spool.captures(), spool.records()) == ([], [], ([], []))
    for number in range(30):
        operation = OPERATION._replace(id=f"p{9 - number % 10}00000{number % 7}")
        if number % 2:
            spool.capture(operation, CHANGE._replace(id=f"k{number:05d}"))
        else:
            spool.journal(operation, [NoteBytes(f"memory/{number}.md", None, b"")])
    records, _ = spool.records()
    order = [r.change.id if isinstance(r, Captured) else r.notes[0].path for r in records]
    assert order == [f"k{number:05d}" if number % 2 else f"memory/{number}.md" for number in range(30)]
    assert spool.captures() == [record.name for record in records if isinstance(record, Captured)]
    assert spool.folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in spool.folder.iterdir()} == {0o600}


@pytest.mark.parametrize("ahead_ns", [1, 3_600_000_000_000, 10**18])
def test_a_clock_that_went_back_keeps_the_order(spool: Spool, ahead_ns: int) -> None:
    spool.journal(OPERATION, [])
    future = f"{time.time_ns() + ahead_ns:020d}-p0000009-journal.json"
    (spool.folder / spool.names()[0]).rename(spool.folder / future)
    second = spool.journal(OPERATION._replace(id="p0000002"), [])
    third = spool.capture(OPERATION._replace(id="p0000003"), CHANGE)
    assert spool.names() == [future, second.name, third.name]


@pytest.mark.parametrize(
    "name", ["99999999999999999999-p1-capture.json", "x.json", "9.json", "²²²²²²²²²²²²²²²²²²²²-.json"]
)
def test_a_strange_name_does_not_disturb_the_order(spool: Spool, name: str) -> None:
    spool.folder.mkdir()
    (spool.folder / name).write_bytes(b"")
    made = [spool.journal(OPERATION._replace(id=f"p000000{number}"), []).name for number in (3, 2, 1)]
    assert [one for one in spool.names() if one != name] == made
    assert spool.records()[1] == [name]


def test_what_may_be_unwritten_is_the_newest_journalled_operation_and_the_captures(spool: Spool) -> None:
    first = spool.capture(OPERATION._replace(id="p0000001"), CHANGE)
    spool.journal(OPERATION._replace(id="p0000002"), [])
    newest = spool.journal(OPERATION._replace(id="p0000003"), [])
    last = spool.capture(OPERATION._replace(id="p0000004"), CHANGE)
    assert [record.name for record in spool.unwritten()] == [first.name, newest.name, last.name]


def test_other_files_and_half_written_records_are_no_records(spool: Spool) -> None:
    kept = spool.journal(OPERATION, [])
    for name in (".x.json.1a2b", "readme.txt", "x.json~"):
        (spool.folder / name).write_bytes(b"{}")
    (spool.folder / "folder.json").mkdir()
    os.mkfifo(spool.folder / "fifo.json")
    records, damaged = spool.records()
    assert [record.name for record in records] == [kept.name]
    assert damaged == ["fifo.json", "folder.json"]


def test_removing_is_done_once_or_more(spool: Spool) -> None:
    record = spool.journal(OPERATION, [])
    spool.remove(record)
    spool.remove(record)
    assert spool.names() == []


def test_half_written_records_are_cleared_away_but_for_a_capture_that_may_be_on_its_way(spool: Spool) -> None:
    kept = spool.journal(OPERATION, [])
    names = (".1-capture.json.1", ".2-capture.json.2", ".3-journal.json.3")
    on_its_way, old, journal = (spool.folder / name for name in names)
    for path in (on_its_way, old, journal):
        path.write_bytes(b"x")
    an_hour_ago = time.time() - 3600
    os.utime(old, (an_hour_ago, an_hour_ago))
    os.utime(spool.folder / kept.name, (an_hour_ago, an_hour_ago))
    spool.remove_temporaries()
    assert sorted(path.name for path in spool.folder.iterdir()) == sorted([on_its_way.name, kept.name])


def test_a_process_that_dies_while_it_writes_leaves_a_whole_record_or_none(tmp_path: Path) -> None:
    outcomes = set()
    for effects in range(20):
        spool = Spool(tmp_path / f"spool-{effects}", FailingDisk(effects))
        spool.folder.mkdir()
        try:
            spool.capture(OPERATION, CHANGE)
        except Crash:
            outcomes.add("died")
        else:
            outcomes.add("done")
        records, damaged = Spool(spool.folder, Disk()).records()
        assert damaged == []
        assert [record.change for record in records if isinstance(record, Captured)] in ([], [CHANGE])
        if "done" in outcomes:
            assert len(records) == 1
            break
    assert outcomes == {"died", "done"}


def test_a_time_in_utc_stays_in_utc(spool: Spool) -> None:
    at = datetime(2026, 11, 29, tzinfo=UTC)
    spool.journal(OPERATION._replace(at=at), [])
    assert spool.records()[0][0].operation.at.isoformat() == "2026-11-29T00:00:00+00:00"
