"""The cache: what is derived from the notes, in one SQLite file that may be deleted at any time (DESIGN section 6).

Refreshed by name, size, times and inode of the notes, and then by their content: only a note whose bytes changed is
parsed again. One writer at a time, readers never wait for a rebuild: a new file takes the place of the old one. A file
that is damaged, of another version, or that anybody else has written to is made anew.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from remember_me.recall.keys import (
    CHOICES,
    FLAGS_BIT,
    IMPACT_BIT,
    LAST_GROUP,
    ORDER_BITS,
    PASSAGE_SCOPE,
    PINNED_BIT,
    VALIDATED_BIT,
)
from remember_me.recall.update import Update
from remember_me.store.files import read_regular, write_private
from remember_me.store.listing import Stat
from remember_me.store.lock import StoreLock
from remember_me.store.manifest import RACY_NS

if TYPE_CHECKING:
    import sqlite3

    from remember_me.store.reader import Reader

CACHE_NAME = "cache.sqlite"
VERSION = 5
WAIT_SECONDS = 2.0

_STAMP_NAME = "cache.stamp"
_LOCK_NAME = "cache.lock"
_NEW_NAME = ".cache.sqlite.new"
_STAMP_BYTES = 1000
_ATTEMPTS = 4
_NO_STAT = (0, 0, 0, 0)

Answer = TypeVar("Answer")


def _word(name: str) -> str:
    """What a part of `kind` stands for, as a column."""
    bit, values = CHOICES[name]
    mask = (1 << (len(values) - 1).bit_length()) - 1
    cases = [f"WHEN {number} THEN '{value}'" for number, value in enumerate(values) if value is not None]
    return f"CASE kind >> {bit} & {mask} {' '.join(cases)} END AS {name}"


def _date(column: str) -> str:
    """A day as the ISO date: NULL is the note's own, 0 none."""
    day = f"coalesce({column}, key >> {ORDER_BITS} & {LAST_GROUP})"
    return f"CASE WHEN {day} > 0 THEN date({day} + 1721424.5) END"


_SCHEMA = f"""
CREATE TABLE meta (entries INTEGER, terms INTEGER, phrases INTEGER, looked_ns INTEGER, etag INTEGER, shape TEXT);
INSERT INTO meta VALUES (0, 0, 0, 0, 0, '');
CREATE TABLE note (number INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER,
  inode INTEGER, digest BLOB, bases TEXT);
CREATE TABLE stored (key INTEGER PRIMARY KEY, id TEXT, note INTEGER, kind INTEGER, title TEXT,
  description TEXT, body TEXT, scope TEXT, expires TEXT, aliases TEXT, created INTEGER, seen INTEGER, line INTEGER,
  start INTEGER, length INTEGER, fields TEXT, head TEXT, tokens INTEGER);
CREATE INDEX stored_id ON stored (id);
CREATE TABLE other (id TEXT, note INTEGER, ordinal INTEGER, live INTEGER, day INTEGER,
  PRIMARY KEY (id, note, ordinal)) WITHOUT ROWID;
CREATE INDEX other_note ON other (note);
CREATE VIRTUAL TABLE word USING fts5 (t, content='', detail=none, columnsize=0, tokenize='ascii');
CREATE TABLE term (term TEXT PRIMARY KEY, df INTEGER, heads INTEGER) WITHOUT ROWID;
CREATE TABLE phrase (words TEXT, key INTEGER, PRIMARY KEY (words, key)) WITHOUT ROWID;
CREATE TABLE spelled (word TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
CREATE TABLE scope (name TEXT PRIMARY KEY, number INTEGER, entries INTEGER) WITHOUT ROWID;
INSERT INTO scope VALUES ('', 0, 0), (char(0), {PASSAGE_SCOPE}, 0);
CREATE VIEW entry AS SELECT key, id, note, title, description, body, scope, expires, aliases,
  {", ".join(map(_word, CHOICES))}, kind >> {IMPACT_BIT} & 3 AS impact, kind >> {PINNED_BIT} & 1 AS pinned,
  kind >> {VALIDATED_BIT} & 1 AS validated, {_date("created")} AS created,
  {_date("coalesce(seen, created)")} AS seen, line, start, length, coalesce(fields, '') AS fields,
  coalesce(head, '') AS head, kind >> {FLAGS_BIT} AS flags, tokens FROM stored;
"""
"""`stored` holds what is served, as `rows.Row` says; `entry` shows it with words and ISO dates. `other` holds the
further occurrences of ids, `phrase` and `spelled` what a prompt may say (`phrases.Said`). `bases` of a note are the
keys of its rows without their order."""


class _Replaced(Exception):
    """The file that we opened is no longer the one at its path, or somebody else has written to it."""


class _Look(NamedTuple):
    """When it began, when the look began that the rows are of, the notes that may have changed, and those that are
    gone."""

    began_ns: int
    known_ns: int
    suspects: dict[str, Stat]
    gone: list[str]


class Cache:
    """The cache of one store. `reader` gives the notes."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.path = reader.own_folder / CACHE_NAME
        self.stamp = reader.own_folder / _STAMP_NAME
        self.parsed = 0
        self._etag = self._inode = 0

    @contextmanager
    def fresh(self) -> Iterator[sqlite3.Connection]:
        """A connection to the cache as the notes stand now. Raises nothing for a damaged file: it is made anew."""
        import sqlite3

        for _ in range(_ATTEMPTS):
            db = self._open_valid() or self._rebuild()
            try:
                self._refresh(db)
                self._etag = db.execute("SELECT etag FROM meta").fetchone()[0]
            except _Replaced:
                db.close()
                continue
            except sqlite3.DatabaseError:
                db.close()
                self._discard()
                continue
            try:
                yield db
            finally:
                db.close()
            return
        with closing(self._without_file()) as db:  # it cannot be written, or somebody replaces it all the time
            yield db

    def answer(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """What `work` gives of the cache as the notes stand now; a file that is damaged meanwhile is made anew."""
        import sqlite3

        for _ in range(_ATTEMPTS):
            try:
                with self.fresh() as db:
                    return work(db)
            except sqlite3.DatabaseError:
                self._discard()
        with closing(self._without_file()) as db:
            return work(db)

    def drop(self) -> None:
        """Delete the cache, so that nothing of what it held is left in a file; the next read makes it anew."""
        self._discard()
        for name in (_NEW_NAME, f"{CACHE_NAME}-journal", f"{CACHE_NAME}-wal", f"{CACHE_NAME}-shm"):
            with suppress(OSError):
                self.path.with_name(name).unlink()

    def keep_tokens(self, db: sqlite3.Connection, counted: Mapping[int, int]) -> None:
        """Keep counts of tokens by the key of the entry; where another command writes, that one counts."""
        if counted:
            with self.writing(db) as ours:
                if ours:
                    rows = [(number, key) for key, number in counted.items()]
                    db.executemany("UPDATE stored SET tokens = ? WHERE key = ?", rows)

    @contextmanager
    def writing(self, db: sqlite3.Connection) -> Iterator[bool]:
        """A transaction for what is kept beside the rows of `fresh`; False where it cannot be had, or they changed."""
        if not db.execute("PRAGMA database_list").fetchone()[2]:
            yield False  # in memory
            return
        with self._locked() as held:
            if not (held and self._is_ours() and db.execute("SELECT etag FROM meta").fetchone()[0] == self._etag):
                yield False
                return
            db.execute("BEGIN IMMEDIATE")
            try:
                yield True
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")
            self._write_stamp()

    # Opening

    def _open_valid(self) -> sqlite3.Connection | None:
        """The file as it stands, if it is ours, whole and of this version."""
        if not self._is_ours():
            with self._locked() as held:
                if not held or not self._is_ours():
                    return None
        import sqlite3

        db: sqlite3.Connection | None = None
        try:
            db = self._opened()
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == VERSION and db.execute("SELECT shape FROM meta").fetchone()[0] == self._shape():
                return db
        except (OSError, sqlite3.DatabaseError):
            pass
        if db is not None:
            db.close()
        return None

    def _shape(self) -> str:
        """What the rows depend on besides the notes: the folder of the notes, the time zone, and what was forgotten."""
        fence = self.reader.fence
        forgotten = () if fence.empty else (fence.tombstones, fence.key is not None)
        return repr((*self.reader.shape, *forgotten))

    def _is_ours(self) -> bool:
        """Whether nobody has written to the file since we did: its size, times and inode are as we left them."""
        try:
            return read_regular(self.stamp, _STAMP_BYTES) == _stamp_of(self.path)
        except (OSError, ValueError):
            return False

    def _connect(self, path: Path) -> sqlite3.Connection:
        import sqlite3

        db = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
        # No journal beside the file, which may be replaced: after a crash the stamp is not right, and it is made anew.
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -65536")
        return db

    @contextmanager
    def _locked(self) -> Iterator[bool | None]:
        """The one writer of the cache; False where another has it for too long, None where there can be no lock."""
        lock = StoreLock(self.reader.own_folder / _LOCK_NAME)
        held: bool | None = None
        with suppress(OSError):
            held = lock.acquire(WAIT_SECONDS)
        try:
            yield held
        finally:
            if held:
                lock.release()

    def _discard(self) -> None:
        for path in (self.stamp, self.path):
            with suppress(OSError):
                path.unlink()

    def _rebuild(self) -> sqlite3.Connection:
        """A new file in place of the old one; who reads that goes on with it. In memory where none can be written."""
        import sqlite3

        new = self.reader.own_folder / _NEW_NAME
        with self._locked() as held:
            try:
                if not held:
                    raise OSError("another command holds the cache")
                new.unlink(missing_ok=True)
                new.touch(mode=0o600)
                db = self._connect(new)
                db.execute("PRAGMA page_size = 8192")
                db.execute("PRAGMA journal_mode = OFF")
                db.execute("PRAGMA synchronous = OFF")
                self._fill(db)
                db.execute("VACUUM")  # rows of many scopes come in turns, which leaves gaps
                db.close()
                for left in ("-journal", "-wal", "-shm"):
                    Path(f"{self.path}{left}").unlink(missing_ok=True)
                os.replace(new, self.path)
                self._write_stamp()
                return self._opened()
            except (OSError, sqlite3.OperationalError):
                return self._without_file()

    def _without_file(self) -> sqlite3.Connection:
        db = self._connect(Path(":memory:"))
        self._fill(db)
        return db

    def _opened(self) -> sqlite3.Connection:
        db = self._connect(self.path)
        self._inode = os.stat(self.path).st_ino
        return db

    def _fill(self, db: sqlite3.Connection) -> None:
        import gc

        db.executescript(_SCHEMA)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("BEGIN")
        db.execute("UPDATE meta SET shape = ?", (self._shape(),))
        collects = gc.isenabled()
        gc.disable()  # what is made here ends by itself, and looking for cycles in it takes a tenth of the time
        try:
            self._bring_up(db, self._look(db))
        finally:
            if collects:
                gc.enable()
        db.execute("COMMIT")

    def _write_stamp(self) -> None:
        with suppress(OSError):
            write_private(self.stamp, _stamp_of(self.path), self.reader.files.disk, sync=False)

    # Refreshing

    def _refresh(self, db: sqlite3.Connection) -> None:
        """Bring the rows up to the notes; without a lock where nothing has changed."""
        seen = self._look(db)
        if not (seen.suspects or seen.gone):
            return
        with self._locked() as held:
            if held is None:
                raise _Replaced  # nothing can be written here
            if not held:
                return  # somebody else is at it; what stands there is served
            on_disk = bool(db.execute("PRAGMA database_list").fetchone()[2])
            if on_disk and not (self._is_ours() and os.stat(self.path).st_ino == self._inode):
                raise _Replaced
            db.execute("BEGIN IMMEDIATE")
            try:
                if db.execute("SELECT looked_ns FROM meta").fetchone()[0] != seen.known_ns:
                    seen = self._look(db)  # somebody else was faster
                self._bring_up(db, seen)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            if on_disk:
                self._write_stamp()

    def _stats(self) -> dict[str, Stat]:
        """Every note with its stat; one that waits in the spool differs from any."""
        listing = self.reader.files.scan()
        found: dict[str, Stat] = {**listing.notes, **listing.beside}
        for path, data in self.reader.waiting().items():
            found[path] = _NO_STAT
            if data is None:
                del found[path]
        return found

    def _look(self, db: sqlite3.Connection) -> _Look:
        """Compare the notes with the rows, by their stats."""
        began, stats = time.time_ns(), self._stats()
        looked = db.execute("SELECT looked_ns FROM meta").fetchone()[0]
        known = {row[0]: row[1:] for row in db.execute("SELECT path, size, mtime_ns, ctime_ns, inode FROM note")}
        racy = looked - RACY_NS
        suspects = {
            path: stat
            for path, stat in stats.items()
            if known.get(path) != stat or stat == _NO_STAT or stat[1] >= racy or stat[2] >= racy
        }
        return _Look(began, looked, suspects, [path for path in known if path not in stats])

    def _bring_up(self, db: sqlite3.Connection, seen: _Look) -> None:
        """In a transaction: parse what changed, and write its rows."""
        update = Update(db, self.reader)
        update.run(seen.suspects, seen.gone)
        self.parsed += update.parsed
        db.execute("UPDATE meta SET looked_ns = ?", (seen.began_ns,))


def _stamp_of(path: Path) -> bytes:
    stat = path.stat()
    return f"{VERSION} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}".encode()
