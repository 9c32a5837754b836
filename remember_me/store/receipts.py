"""The receipts of what the user typed, in `receipts.sqlite`: few, for seven days, in no git (DESIGN section 5).

They only decide whether an agent's write waits for a person, so they never block one: where the file cannot be used
there are none. A damaged file is deleted and not set aside, for it holds what is to be gone after seven days.

A hook that must not import this module needs `RECEIPTS_NAME`, `VERSION`, `SCHEMA`, `PRAGMAS` and `INSERT`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from remember_me.model.receipt import Receipt
from remember_me.store.database import Answer, ask, inode_of, is_damage

if TYPE_CHECKING:
    import sqlite3

RECEIPTS_NAME = "receipts.sqlite"
VERSION = 1
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS receipt (number INTEGER PRIMARY KEY, session TEXT NOT NULL, message TEXT NOT NULL,"
    " at TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (session, message))"
)
"""`number` is the order of arrival; `at` is UTC, ISO 8601 with microseconds, so that it sorts as text."""
PRAGMAS = (
    "PRAGMA secure_delete = ON",
    "PRAGMA journal_mode = MEMORY",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA synchronous = OFF",
)
"""Deleted text is overwritten, and neither a journal nor a temporary file ever holds any. Nothing waits for the disk: a
file that a power cut breaks is replaced."""
INSERT = "INSERT OR IGNORE INTO receipt (session, message, at, source, text) VALUES (?, ?, ?, ?, ?)"

KEPT_DAYS = 7
KEPT_PER_SESSION = 20
KEPT_IN_ALL = 500
TEXT_BYTES = 20_000

_AHEAD_DAYS = 1
"""What is dated later than that was written by a clock that was wrong, and would stay too long."""
_WAIT_SECONDS = 1.0
_LEFTOVERS = ("-journal", "-wal", "-shm")


class Receipts:
    """The receipts of one store, in the file `path`, mode 0600."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, session: str, message_id: str, text: str, at: datetime, *, source: str) -> bool:
        """Keep a message that was typed at `at` (aware), which is taken for now; what is too old or too many goes.

        Never raises. Whether it was kept now: False for a message that is there already, or where it cannot be written.
        """
        row = (_plain(session), _plain(message_id), _stamp(at), _plain(source), _cut(text))

        def write(db: sqlite3.Connection) -> bool:
            kept = db.execute(INSERT, row).rowcount == 1
            expired = db.execute("DELETE FROM receipt WHERE at < ? OR at > ?", _valid_between(at)).rowcount
            db.execute(
                "DELETE FROM receipt WHERE session = ? AND number NOT IN"
                " (SELECT number FROM receipt WHERE session = ? ORDER BY number DESC LIMIT ?)",
                (row[0], row[0], KEPT_PER_SESSION),
            )
            db.execute(
                "DELETE FROM receipt WHERE number NOT IN (SELECT number FROM receipt ORDER BY number DESC LIMIT ?)",
                (KEPT_IN_ALL,),
            )
            db.commit()
            if expired:
                db.execute("VACUUM")
            return kept

        return self._run(write, False)

    def last(self, session: str, count: int, *, now: datetime) -> tuple[Receipt, ...]:
        """The newest `count` messages of that session, newest first, without those older than seven days at `now`.

        `now` is aware. Never raises.
        """
        if not self.path.exists():
            return ()
        values = (_plain(session), *_valid_between(now), max(count, 0))
        sql = (
            "SELECT session, message, text, at, source FROM receipt"
            " WHERE session = ? AND at >= ? AND at <= ? ORDER BY number DESC LIMIT ?"
        )
        return self._run(lambda db: tuple(map(_receipt, db.execute(sql, values).fetchall())), ())

    def expire(self, now: datetime) -> int:
        """Delete what is older than seven days at `now` (aware), for a store where nothing is typed any more."""

        def expire(db: sqlite3.Connection) -> int:
            gone = db.execute("DELETE FROM receipt WHERE at < ? OR at > ?", _valid_between(now)).rowcount
            db.commit()
            if gone:
                db.execute("VACUUM")
            return gone

        return self._run(expire, 0) if self.path.exists() else 0

    def forget(self, matches: Callable[[str], bool]) -> int:
        """Delete every receipt whose text matches, and return how many; its bytes are in the file no more.

        A damaged file goes as a whole, and counts as 0. Raises OSError where the file cannot be rewritten.
        """
        import sqlite3

        if not self.path.exists():
            return 0
        try:
            with self._open() as db:
                db.execute("PRAGMA synchronous = FULL")
                rows = db.execute("SELECT number, text FROM receipt").fetchall()
                gone = [(number,) for number, text in rows if matches(text)]
                db.executemany("DELETE FROM receipt WHERE number = ?", gone)
                db.commit()
                db.execute("VACUUM")  # also where nothing matches: a page may hold a copy of what was moved
                return len(gone)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if not is_damage(error):
                raise OSError(f"the receipts cannot be rewritten: {error}") from error
        self.clear()
        return 0

    def clear(self) -> None:
        """Delete all receipts with their file. Raises OSError where it cannot be deleted."""
        for suffix in ("", *_LEFTOVERS):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _run(self, work: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """What `work` gives; `otherwise` where the file cannot be used. A damaged one is deleted and made anew."""
        return ask(self.path, self._open, work, otherwise, self._drop_damaged)

    def _drop_damaged(self, seen: int | None) -> bool:
        """Delete the file that was found damaged, unless somebody else has replaced it; whether to try again."""
        try:
            if inode_of(self.path) == seen:
                self.clear()
            return True
        except OSError:
            return False

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        import sqlite3

        self.path.touch(mode=0o600)
        if os.name == "posix" and self.path.stat().st_mode & 0o077:
            self.path.chmod(0o600)
        db = sqlite3.connect(self.path, timeout=_WAIT_SECONDS)
        try:
            for pragma in PRAGMAS:
                db.execute(pragma)
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise OSError("the receipts were written by a later version")
            if version < VERSION:
                db.executescript(f"BEGIN IMMEDIATE; {SCHEMA}; PRAGMA user_version = {VERSION}; COMMIT;")
            yield db
        finally:
            db.close()


def _valid_between(now: datetime) -> tuple[str, str]:
    """The first and the last time at which a receipt counts at `now`; exactly seven days ago still does."""
    return _stamp(now - timedelta(days=KEPT_DAYS)), _stamp(now + timedelta(days=_AHEAD_DAYS))


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _plain(text: str) -> str:
    """`text` as SQLite can hold it: each lone surrogate becomes a question mark, so that offsets stay."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _cut(text: str) -> str:
    return text.encode("utf-8", "replace")[:TEXT_BYTES].decode("utf-8", "ignore")


def _receipt(row: tuple[str, str, str, str, str]) -> Receipt:
    session, message, text, at, source = row
    return Receipt(session, message, text, datetime.fromisoformat(at), source)
