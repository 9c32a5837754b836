"""What a hook writes: receipts, what a session has seen, the queue, and that it ran. Each costs a millisecond or less.

Nothing here raises for a file that cannot be used: the agent goes on, and what was not written is done without.
"""

from __future__ import annotations

import os
import time

from remember_me.hook import db as sqlite
from remember_me.store.tables import (
    KEPT_DAYS,
    QUEUE_ROWS,
    RECEIPTS_NAME,
    RECEIPTS_SCHEMA,
    RECEIPTS_VERSION,
    SESSION_ROWS,
    SESSIONS_NAME,
    SESSIONS_SCHEMA,
    SESSIONS_VERSION,
    cut,
    keep_receipt,
    plain,
    prepare,
    stamp,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Answer = TypeVar("Answer")

_WAIT_SECONDS = 0.6
_SHORT_SECONDS = 0.25
_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_DAY_SECONDS = 86_400


def keep_prompt(own: str, session: str, message: str, text: str, transcript: str) -> bool:
    """Keep what the user typed. Whether it was kept now."""
    now = time.time()
    row = (plain(session), plain(message), stamp(now), "hook", cut(text), plain(transcript))
    bounds = (stamp(now - KEPT_DAYS * _DAY_SECONDS), stamp(now + _DAY_SECONDS))
    path = os.path.join(own, RECEIPTS_NAME)
    kept = _with(path, RECEIPTS_VERSION, RECEIPTS_SCHEMA, lambda db: keep_receipt(db, row, *bounds))
    return bool(kept)


class Sessions:
    """The sessions of one store, in the folder `own`."""

    def __init__(self, own: str) -> None:
        self.path = os.path.join(own, SESSIONS_NAME)
        self.blocked = False

    def state(self, session: str) -> tuple[set[str], bool, bool]:
        """(ids that its agent has before it, whether its capture is stopped, whether its block was compacted away).

        Where that cannot be read, its capture counts as stopped.
        """
        if not os.path.exists(self.path):
            return set(), False, False

        def read(db: sqlite.Connection) -> tuple[set[str], bool, bool]:
            sql = "SELECT seen, stopped, compacted FROM session WHERE name = ?"
            for seen, stopped, compacted in db.execute(sql, (plain(session),)):
                return set(seen.split()), bool(stopped), bool(compacted)
            return set(), False, False

        return self._run(read) or (set(), True, False)

    def has_seen(self, session: str, scope: str, interactive: bool | None, ids: set[str], process: str) -> None:
        """From now on its agent has these ids before it, and no others. `process` is that of the client, or empty."""
        seen = " ".join(sorted(ids))
        self._set(session, scope, interactive, seen=seen, compacted=0, ended="", process=process)

    def stop(self, session: str, scope: str) -> None:
        """Nothing of it is captured any more; what was, stays."""
        self._set(session, scope, None, stopped=1)

    def compact(self, session: str, scope: str) -> None:
        """Its agent has lost sight of what it had seen."""
        self._set(session, scope, None, seen="", compacted=1)

    def end(self, session: str, scope: str) -> bool:
        """It is over. False where that was known: clients say so more than once."""
        rows = self._run(
            lambda db: db.execute("SELECT ended FROM session WHERE name = ?", (plain(session),)).fetchall()
        )
        self._set(session, scope, None, ended=stamp(time.time()))
        return not any(ended for (ended,) in rows or ())

    def queue(self, session: str, message: str, event: str, scope: str, transcript: str) -> None:
        """This turn may be looked through; once for each message."""
        row = (plain(session), plain(message), event, stamp(time.time()), plain(scope), plain(transcript))

        def write(db: sqlite.Connection) -> None:
            sql = (
                "INSERT OR IGNORE INTO queue (session, message, event, at, scope, transcript) VALUES (?, ?, ?, ?, ?, ?)"
            )
            if db.execute(sql, row).rowcount == 1:
                db.execute("DELETE FROM queue WHERE number <= (SELECT max(number) FROM queue) - ?", (QUEUE_ROWS,))
            db.commit()

        self._run(write)

    def notice(self) -> str:
        """What the user is to be told at the start of a session, or nothing."""
        if not os.path.exists(self.path):
            return ""
        rows = self._run(lambda db: db.execute("SELECT text FROM notice ORDER BY name").fetchall())
        return "".join(f"{text}\n" for (text,) in rows or ())

    def fired(self, client: str, event: str, took_ms: int, outcome: str) -> None:
        """The hook ran."""
        row = (client, event, stamp(time.time()), took_ms, outcome)

        def write(db: sqlite.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO fired (client, event, at, took_ms, outcome) VALUES (?, ?, ?, ?, ?)", row)
            db.commit()

        self._run(write)

    def _set(self, session: str, scope: str, interactive: bool | None, **columns: object) -> None:
        name, now = plain(session), stamp(time.time())
        if interactive:
            columns["interactive"] = 1
        changes = ", ".join(f"{column} = ?" for column in columns)

        def write(db: sqlite.Connection) -> None:
            sql = "INSERT OR IGNORE INTO session (name, scope, started) VALUES (?, ?, ?)"
            if db.execute(sql, (name, plain(scope), now)).rowcount == 1:
                db.execute(
                    "DELETE FROM session WHERE name <> ? AND stopped = 0 AND name NOT IN"
                    " (SELECT name FROM session ORDER BY started DESC LIMIT ?)",
                    (name, SESSION_ROWS),
                )
            db.execute(f"UPDATE session SET {changes} WHERE name = ?", (*columns.values(), name))
            db.commit()

        self._run(write)

    def _run(self, work: Callable[[sqlite.Connection], Answer]) -> Answer | None:
        """What `work` gives, or None. Who was blocked once does not wait again: a hook has one second in all."""
        if self.blocked:
            return None
        found = _with(self.path, SESSIONS_VERSION, SESSIONS_SCHEMA, lambda db: (work(db),), _SHORT_SECONDS)
        self.blocked = found is None
        return found[0] if found is not None else None


def _with(
    path: str,
    version: int,
    schema: tuple[str, ...],
    work: Callable[[sqlite.Connection], Answer],
    wait_seconds: float = _WAIT_SECONDS,
) -> Answer | None:
    """What `work` gives on that file; None where it cannot be used. A damaged one is made anew: nothing in it lasts."""
    for attempt in range(2):
        db, seen = None, 0
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_WAIT, 0o600)
            seen = os.fstat(descriptor).st_ino
            os.close(descriptor)
            db = sqlite.connect(path, timeout=wait_seconds)
            return work(db) if prepare(db, version, schema) else None
        except sqlite.OperationalError as error:
            if attempt or not str(error).startswith(("no such table", "no such column", "table ", "malformed")):
                return None
        except sqlite.DatabaseError:
            if attempt:
                return None
        except OSError:
            return None
        finally:
            if db is not None:
                db.close()
        _drop(path, seen)
    return None


def _drop(path: str, seen: int) -> None:
    """Delete the damaged file, unless another hook has put a new one in its place."""
    try:
        if os.stat(path).st_ino == seen:
            for suffix in ("-journal", "-wal", "-shm", ""):
                if os.path.lexists(path + suffix):
                    os.unlink(path + suffix)
    except OSError:
        return
