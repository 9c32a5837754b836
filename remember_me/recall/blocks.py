"""Blocks that are kept in the cache: rendered once, given as long as what stands in them stands in the notes."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from remember_me.notes.layout import LONG_TERM_NAME, tombstones_path
from remember_me.policy.decay import utc_date
from remember_me.recall.cache import Cache
from remember_me.recall.context import Standing

if TYPE_CHECKING:
    import sqlite3

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS block (scope TEXT PRIMARY KEY, day TEXT, etag INTEGER, text TEXT) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS shown (scope TEXT, id TEXT, number INTEGER, start INTEGER, length INTEGER, crc INTEGER,"
    " PRIMARY KEY (scope, id)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS sure (scope TEXT, key INTEGER, confidence TEXT, PRIMARY KEY (scope, key))"
    " WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS folder (path TEXT PRIMARY KEY, mtime_ns INTEGER) WITHOUT ROWID",
)
_STANDING = """CREATE TABLE IF NOT EXISTS standing (form TEXT PRIMARY KEY, etag INTEGER, text TEXT, name TEXT,
  shown TEXT, whole TEXT, total INTEGER) WITHOUT ROWID"""
_MOST_BLOCKS = 50


def load_standing(db: sqlite3.Connection, form: str) -> Standing | None:
    """What `keep_standing` kept for the notes as the fresh cache has them; `form` says all else that it depends on."""
    if not _has_table(db, "standing"):
        return None
    row = db.execute(
        "SELECT text, name, shown, whole, total FROM standing, meta WHERE form = ? AND standing.etag = meta.etag",
        (form,),
    ).fetchone()
    if row is None:
        return None
    text, name, shown, whole, total = row
    return Standing(text, name, tuple(shown.split()), tuple(whole.split()), total, {})


def keep_standing(cache: Cache, db: sqlite3.Connection, form: str, standing: Standing) -> None:
    """Keep it until a note changes; where that cannot be done, nothing is."""
    (state,) = db.execute("SELECT etag FROM meta").fetchone()
    with cache.writing(db) as ours:
        if ours:
            db.execute(_STANDING)
            db.execute("DELETE FROM standing WHERE etag <> ?", (state,))
            db.execute(f"DELETE FROM standing WHERE (SELECT count(*) FROM standing) >= {_MOST_BLOCKS}")
            ids = (" ".join(standing.shown), " ".join(standing.full))
            row = (form, state, standing.text, standing.etag, *ids, standing.total)
            db.execute("INSERT OR REPLACE INTO standing VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _has_table(db: sqlite3.Connection, name: str) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchall())


class Kept(NamedTuple):
    """The block of a project, the ids in it, and (key, effective confidence) of each guess that an agent may see."""

    scope: str
    text: str
    shown: tuple[str, ...]
    sure: tuple[tuple[int, str], ...]


def keep_block(cache: Cache, db: sqlite3.Connection, kept: Kept, now: datetime) -> None:
    """Keep it for the hook, unless it is kept already; where that cannot be done, nothing is.

    `now` (aware) is the moment of the block: how sure a guess reads depends on its UTC day.
    """
    scope, text = kept.scope, kept.text
    (state,) = db.execute("SELECT etag FROM meta").fetchone()
    day = utc_date(now).isoformat()
    folders = _folders(cache)
    if _is_kept(db, scope, day, state, text) and set(db.execute("SELECT path, mtime_ns FROM folder")) >= set(folders):
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
        db.executemany("INSERT OR REPLACE INTO shown VALUES (?, ?, ?, ?, ?, ?)", _spans(cache, db, scope, kept.shown))
        db.execute("DELETE FROM sure WHERE scope = ? OR scope NOT IN (SELECT scope FROM block)", (scope,))
        db.executemany("INSERT INTO sure VALUES (?, ?, ?)", [(scope, *pair) for pair in kept.sure])
        db.executemany("INSERT OR REPLACE INTO folder VALUES (?, ?)", folders)


def _is_kept(db: sqlite3.Connection, scope: str, day: str, state: int, text: str) -> bool:
    if not _has_table(db, "block"):
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
    """The note folder, MEMORY.md and the tombstones, with their times: a new note changes the first."""
    found: list[tuple[str, int]] = []
    notes_dir = cache.reader.shape.notes_dir
    for path in (notes_dir, LONG_TERM_NAME, tombstones_path(notes_dir)):
        try:
            found.append((path, os.stat(cache.reader.root / path).st_mtime_ns))
        except OSError:
            found.append((path, 0))
    return found
