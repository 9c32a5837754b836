"""What hooks left of sessions: read, counted, dropped after seven days, and never in the way."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from remember_me.hook.keep import Sessions
from remember_me.store.sessions import AgentSessions, Turn
from remember_me.store.tables import QUEUE_ROWS, SESSION_ROWS, SESSIONS_NAME, SESSIONS_VERSION

WEEK = timedelta(days=7)


@pytest.fixture
def hook(tmp_path: Path) -> Sessions:
    """The side of the hooks."""
    return Sessions(str(tmp_path))


@pytest.fixture
def ours(tmp_path: Path) -> AgentSessions:
    """The side of the commands."""
    return AgentSessions(tmp_path / SESSIONS_NAME)


def now() -> datetime:
    return datetime.now(UTC)


def test_nothing_left_makes_no_file(hook: Sessions, ours: AgentSessions) -> None:
    assert (ours.fired(), ours.queue(), ours.uncounted(), ours.notice("x")) == ((), (), (), None)
    assert (hook.state("c/1"), hook.notice()) == ((set(), False, False), "")
    ours.expire(now())
    ours.set_notice("x", None, now())
    assert ours.forget("c/1") == 0
    assert not ours.path.exists()


def test_what_hooks_write_is_read(hook: Sessions, ours: AgentSessions) -> None:
    before = now()
    hook.fired("codex", "prompt", 12, "spoke")
    hook.fired("codex", "prompt", 13, "silent")
    hook.queue("codex/1", "m1", "stop", "~/p", "/t.jsonl")
    hook.queue("codex/1", "m1", "stop", "~/p", "")
    (fired,) = ours.fired()
    (turn,) = ours.queue()
    assert (fired.client, fired.event, fired.took_ms, fired.outcome) == ("codex", "prompt", 13, "silent")
    assert turn == Turn("codex/1", "m1", "stop", turn.at, "~/p", "/t.jsonl")
    assert before <= turn.at <= now()
    assert before <= fired.at <= now()


def test_what_a_session_has_seen(hook: Sessions) -> None:
    hook.has_seen("c/1", "~/p", None, {"b", "a"}, "")
    assert hook.state("c/1") == ({"a", "b"}, False, False)
    hook.compact("c/1", "~/p")
    assert hook.state("c/1") == (set(), False, True)
    hook.has_seen("c/1", "~/p", None, {"c"}, "")
    hook.stop("c/1", "~/p")
    assert hook.state("c/1") == ({"c"}, True, False)
    assert hook.state("c/2") == (set(), False, False)


def test_the_end_is_told_once_until_the_session_goes_on(hook: Sessions) -> None:
    assert [hook.end("c/1", "") for _ in range(3)] == [True, False, False]
    hook.has_seen("c/1", "", None, set(), "")
    assert hook.end("c/1", "")


def test_interactive_sessions_are_counted_once(hook: Sessions, ours: AgentSessions) -> None:
    hook.has_seen("c/1", "~/p", True, set(), "")
    hook.has_seen("c/2", "~/p", None, set(), "")
    hook.has_seen("c/1", "~/p", None, set(), "")
    assert [(one.session, one.scope) for one in ours.uncounted()] == [("c/1", "~/p")]
    ours.count("c/1")
    assert ours.uncounted() == ()


def test_a_session_is_found_by_the_process_of_its_client(hook: Sessions, ours: AgentSessions) -> None:
    hook.has_seen("gemini/1", "", None, set(), "7:100")
    hook.has_seen("gemini/2", "", None, set(), "8:100")
    assert ours.of_process("gemini", "7:100") == "gemini/1"
    assert ours.of_process("codex", "7:100") is None
    assert ours.of_process("gemini", "") is None


def test_the_newest_are_kept(hook: Sessions, ours: AgentSessions) -> None:
    hook.has_seen("c/first", "", True, set(), "")
    hook.queue("c/first", "m", "stop", "", "")
    with closing(sqlite3.connect(ours.path)) as db, db:
        turns = [(f"c/{n}", "m", "stop", now().isoformat(), "", "") for n in range(QUEUE_ROWS + 5)]
        db.executemany("INSERT INTO queue (session, message, event, at, scope, transcript) VALUES (?,?,?,?,?,?)", turns)
        sessions = [(f"c/{n}", "", f"2999-01-01T00:00:{n:05d}") for n in range(SESSION_ROWS + 5)]
        db.executemany("INSERT INTO session (name, scope, started) VALUES (?, ?, ?)", sessions)
    hook.queue("c/last", "m", "stop", "", "")
    hook.has_seen("c/last", "", True, set(), "")
    assert len(ours.queue()) == QUEUE_ROWS
    assert ours.queue()[-1].session == "c/last"
    assert [one.session for one in ours.uncounted()] == ["c/last"]


def test_seven_days_at_the_boundary(hook: Sessions, ours: AgentSessions) -> None:
    hook.queue("c/1", "m", "stop", "", "")
    hook.has_seen("c/1", "", True, set(), "")
    at = ours.queue()[0].at
    ours.expire(at + WEEK)
    assert len(ours.queue()) == 1
    ours.expire(at + WEEK + timedelta(microseconds=1))
    assert ours.queue() == ()
    ours.expire(now() + WEEK)
    assert ours.uncounted() == ()


def test_a_source_is_forgotten_whole_or_by_message(hook: Sessions, ours: AgentSessions) -> None:
    for session, message in (("c/1", "m1"), ("c/1", "m2"), ("c/2", "m1")):
        hook.queue(session, message, "stop", "", "")
    assert ours.forget("c/1/m1") == 1
    assert ours.forget("c/1") == 1
    assert [turn.session for turn in ours.queue()] == ["c/2"]


def test_a_notice_stands_until_it_is_taken_back(hook: Sessions, ours: AgentSessions) -> None:
    ours.set_notice("maintain", "Something is due.", now())
    ours.set_notice("other", "Another.", now())
    assert hook.notice() == "Something is due.\nAnother.\n"
    ours.set_notice("maintain", None, now())
    assert hook.notice() == "Another.\n"


@pytest.mark.parametrize("damage", [b"no database" * 999, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_made_anew_by_either_side(hook: Sessions, ours: AgentSessions, damage: bytes) -> None:
    ours.path.write_bytes(damage)
    assert ours.queue() == ()
    hook.queue("c/1", "m", "stop", "", "")
    ours.path.write_bytes(damage)
    hook.queue("c/2", "m", "stop", "", "")
    assert [turn.session for turn in ours.queue()] == ["c/2"]


def test_the_file_of_a_later_version_is_left_alone(hook: Sessions, ours: AgentSessions) -> None:
    hook.queue("c/1", "m", "stop", "", "")
    with closing(sqlite3.connect(ours.path)) as db:
        db.execute(f"PRAGMA user_version = {SESSIONS_VERSION + 1}")
    before = ours.path.read_bytes()
    hook.queue("c/2", "m", "stop", "", "")
    assert ours.queue() == ()
    assert ours.path.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_only_the_owner_reads_the_file(hook: Sessions, ours: AgentSessions) -> None:
    before = os.umask(0)
    try:
        hook.queue("c/1", "m", "stop", "", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE(ours.path.stat().st_mode) == 0o600
