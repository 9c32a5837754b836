"""The receipts of what the user typed, in `receipts.sqlite`: few, for seven days, in no git (DESIGN section 5).

They only decide whether an agent's write waits for a person, so they never block one: where the file cannot be used
there are none. A damaged file is deleted and not set aside, for it holds what is to be gone after seven days.

The table and how a message gets into it are in `tables`, which hooks share.
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
from remember_me.store.tables import (
    KEPT_DAYS,
    RECEIPTS_SCHEMA,
    RECEIPTS_VERSION,
    cut,
    keep_receipt,
    plain,
    prepare,
)

if TYPE_CHECKING:
    import sqlite3

_AHEAD_DAYS = 1
"""What is dated later than that was written by a clock that was wrong, and would stay too long."""
_WAIT_SECONDS = 1.0
_LEFTOVERS = ("-journal", "-wal", "-shm")


class Receipts:
    """The receipts of one store, in the file `path`, mode 0600."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(
        self, session: str, message_id: str, text: str, at: datetime, *, source: str, transcript: str = ""
    ) -> bool:
        """Keep a message that was typed at `at` (aware), which is taken for now; what is too old or too many goes.

        Never raises. Whether it was kept now: False for a message that is there already, or where it cannot be written.
        """
        row = (plain(session), plain(message_id), _stamp(at), plain(source), cut(text), plain(transcript))
        return self._run(lambda db: keep_receipt(db, row, *_valid_between(at)), False)

    def last(self, session: str, count: int, *, now: datetime) -> tuple[Receipt, ...]:
        """The newest `count` messages of that session, newest first, without those older than seven days at `now`.

        `now` is aware. Never raises.
        """
        if not self.path.exists():
            return ()
        values = (plain(session), *_valid_between(now), max(count, 0))
        sql = (
            "SELECT session, message, text, at, source, transcript FROM receipt"
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
            if not prepare(db, RECEIPTS_VERSION, RECEIPTS_SCHEMA):
                raise OSError("the receipts were written by a later version")
            yield db
        finally:
            db.close()


def _valid_between(now: datetime) -> tuple[str, str]:
    """The first and the last time at which a receipt counts at `now`; exactly seven days ago still does."""
    return _stamp(now - timedelta(days=KEPT_DAYS)), _stamp(now + timedelta(days=_AHEAD_DAYS))


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _receipt(row: tuple[str, str, str, str, str, str]) -> Receipt:
    session, message, text, at, source, transcript = row
    return Receipt(session, message, text, datetime.fromisoformat(at), source, transcript)
