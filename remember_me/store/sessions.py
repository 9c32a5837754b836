"""What hooks left of agent sessions, in `sessions.sqlite`: when each hook ran, the queue, and what to tell the user.

Hooks write it (`hook/keep.py`); it is read and tidied here. It holds ids, names and places, no text of anybody, and for
seven days. Nothing waits for it: where the file cannot be used it is as if no hook had run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remember_me.store.database import Answer, ask, inode_of
from remember_me.store.tables import KEPT_DAYS, SESSIONS_SCHEMA, SESSIONS_VERSION, prepare, stamp

if TYPE_CHECKING:
    import sqlite3

_WAIT_SECONDS = 1.0
_LEFTOVERS = ("", "-journal", "-wal", "-shm")


class Fired(NamedTuple):
    """The last run of a hook: of which client and event (our names), when (aware, UTC), how long it took without the
    start of the interpreter, and whether it `spoke`, was `silent`, or would have spoken but for the mode `shadow`."""

    client: str
    event: str
    at: datetime
    took_ms: int
    outcome: str


class Turn(NamedTuple):
    """A turn that may be looked through: `session` is client/id, `message` the client's name for it, `scope` the key of
    the project, `transcript` the client's own file of the session or empty. No words of it."""

    session: str
    message: str
    event: str
    at: datetime
    scope: str
    transcript: str


class Visited(NamedTuple):
    """An interactive session that is not counted yet, with the key of its project and its beginning (aware, UTC)."""

    session: str
    scope: str
    started_at: datetime


class AgentSessions:
    """The sessions of one store, in the file `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fired(self) -> tuple[Fired, ...]:
        """The last run of each hook, by client and event."""
        rows = self._read("SELECT client, event, at, took_ms, outcome FROM fired ORDER BY client, event")
        return tuple(Fired(client, event, _at(at), took, outcome) for client, event, at, took, outcome in rows)

    def queue(self) -> tuple[Turn, ...]:
        """The turns that wait, in the order of their arrival."""
        rows = self._read("SELECT session, message, event, at, scope, transcript FROM queue ORDER BY number")
        return tuple(Turn(row[0], row[1], row[2], _at(row[3]), row[4], row[5]) for row in rows)

    def of_process(self, client: str, process: str) -> str | None:
        """The session (client/id) that this process of the client has now, or None."""
        sql = "SELECT name FROM session WHERE process = ? AND name LIKE ? ORDER BY started DESC LIMIT 1"
        return next((name for (name,) in self._read(sql, (process, f"{client}/%"))), None) if process else None

    def uncounted(self) -> tuple[Visited, ...]:
        """The interactive sessions that `count` was not called for."""
        rows = self._read(
            "SELECT name, scope, started FROM session WHERE interactive = 1 AND counted = 0 ORDER BY name"
        )
        return tuple(Visited(name, scope, _at(started)) for name, scope, started in rows)

    def count(self, session: str) -> None:
        """That session is counted from now on."""
        self._write("UPDATE session SET counted = 1 WHERE name = ?", (session,))

    def notice(self, name: str) -> str | None:
        """What is to be told to the user under that name, or None."""
        return next((text for (text,) in self._read("SELECT text FROM notice WHERE name = ?", (name,))), None)

    def set_notice(self, name: str, text: str | None, at: datetime) -> None:
        """Let the next session begin with this line, in the place of an earlier one of that name; None: with none."""
        if text is None:
            if self.path.exists():
                self._write("DELETE FROM notice WHERE name = ?", (name,))
        elif self.notice(name) != text:
            row = (name, text, stamp(at.timestamp()))
            self._write("INSERT OR REPLACE INTO notice (name, text, at) VALUES (?, ?, ?)", row)

    def expire(self, now: datetime) -> None:
        """Drop sessions and turns older than seven days at `now` (aware)."""
        if self.path.exists():
            oldest = stamp((now - timedelta(days=KEPT_DAYS)).timestamp())
            self._write("DELETE FROM queue WHERE at < ?", (oldest,))
            self._write(
                "DELETE FROM session WHERE started < ? AND stopped = 0 AND name NOT IN (SELECT session FROM queue)",
                (oldest,),
            )

    def forget(self, source: str) -> int:
        """Drop the turns of a session (client/id) or of one message of it (client/id/message); how many there were."""
        if not self.path.exists():
            return 0
        sql = "DELETE FROM queue WHERE session = ? OR session || '/' || message = ?"
        return self._write(sql, (source, source))

    def clear(self) -> None:
        """Delete all of it."""
        for suffix in _LEFTOVERS:
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _read(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        if not self.path.exists():
            return []
        # What only reads changes nothing: the next hook makes a damaged file anew.
        return ask(self.path, self._open, lambda db: db.execute(sql, values).fetchall(), [], lambda seen: False)

    def _write(self, sql: str, values: tuple[object, ...]) -> int:
        def write(db: sqlite3.Connection) -> int:
            count = db.execute(sql, values).rowcount
            db.commit()
            return count

        return self._run(write, 0)

    def _run(self, work: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        return ask(self.path, self._open, work, otherwise, self._drop_damaged)

    def _drop_damaged(self, seen: int | None) -> bool:
        with suppress(OSError):
            if inode_of(self.path) == seen:
                self.clear()
            return True
        return False

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        import sqlite3

        self.path.touch(mode=0o600)
        db = sqlite3.connect(os.fspath(self.path), timeout=_WAIT_SECONDS)
        try:
            if not prepare(db, SESSIONS_VERSION, SESSIONS_SCHEMA):
                raise OSError("the sessions were written by a later version")
            yield db
        finally:
            db.close()


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)
