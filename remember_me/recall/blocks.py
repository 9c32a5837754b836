"""Blocks kept for the hook: rendered once, printed as long as what stands in them stands in the notes."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from remember_me.notes.layout import LONG_TERM_NAME
from remember_me.policy.decay import utc_date
from remember_me.recall.cache import Cache

if TYPE_CHECKING:
    import sqlite3

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS block (scope TEXT PRIMARY KEY, day TEXT, etag INTEGER, text TEXT) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS shown (scope TEXT, id TEXT, number INTEGER, start INTEGER, length INTEGER, crc INTEGER,"
    " PRIMARY KEY (scope, id)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS folder (path TEXT PRIMARY KEY, mtime_ns INTEGER) WITHOUT ROWID",
)
_MOST_BLOCKS = 50


def keep_block(
    cache: Cache, db: sqlite3.Connection, scope: str, text: str, shown: Iterable[str], now: datetime
) -> None:
    """Keep the block of a project for the hook, unless it is kept already; where that cannot be done, nothing is.

    `now` (aware) is the moment of the block: how sure a guess reads depends on its UTC day.
    """
    (state,) = db.execute("SELECT etag FROM meta").fetchone()
    day = utc_date(now).isoformat()
    if _is_kept(db, scope, day, state, text):
        return
    with cache.writing(db) as ours:
        if not ours:
            return
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute("DELETE FROM block WHERE etag <> ? AND scope <> ?", (state, scope))
        db.execute(f"DELETE FROM block WHERE (SELECT count(*) FROM block) >= {_MOST_BLOCKS}")
        db.execute("INSERT OR REPLACE INTO block VALUES (?, ?, ?, ?)", (scope, day, state, text))
        db.execute("DELETE FROM shown WHERE scope = ? OR scope NOT IN (SELECT scope FROM block)", (scope,))
        db.executemany("INSERT OR REPLACE INTO shown VALUES (?, ?, ?, ?, ?, ?)", _spans(cache, db, scope, shown))
        db.executemany("INSERT OR REPLACE INTO folder VALUES (?, ?)", _folders(cache))


def _is_kept(db: sqlite3.Connection, scope: str, day: str, state: int, text: str) -> bool:
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'block'").fetchall():
        return False
    row = db.execute("SELECT day, etag, text FROM block WHERE scope = ?", (scope,)).fetchone()
    return row is not None and tuple(row) == (day, state, text)


def _spans(
    cache: Cache, db: sqlite3.Connection, scope: str, shown: Iterable[str]
) -> list[tuple[str, str, int, int, int, int]]:
    """Where each entry of the block stands, and the checksum of its bytes there."""
    found: list[tuple[str, str, int, int, int, int]] = []
    data: dict[int, bytes] = {}
    for entry in shown:
        row = db.execute(
            "SELECT number, path, start, length FROM entry JOIN note ON number = note WHERE id = ?", (entry,)
        ).fetchone()
        if row is not None:
            number, path, start, length = row
            if number not in data:
                data[number] = cache.reader.bytes_on_disk(path) or b""
            found.append((scope, entry, number, start, length, zlib.crc32(data[number][start : start + length])))
    return found


def _folders(cache: Cache) -> list[tuple[str, int]]:
    """The note folder and MEMORY.md, with their times: a new note changes the first, a new MEMORY.md is the second."""
    found: list[tuple[str, int]] = []
    for path in (cache.reader.shape.notes_dir, LONG_TERM_NAME):
        try:
            found.append((path, os.stat(cache.reader.root / path).st_mtime_ns))
        except OSError:
            found.append((path, 0))
    return found
