"""One refresh of the cache: the rows of the notes that changed, and which of several entries with one id is served."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from remember_me.model.entry import composed
from remember_me.notes.note import Note
from remember_me.recall.keys import ENDED, GROUP_BITS, LAST_SCOPE, ORDER_BITS, PASSAGE_SCOPE, UNDATED, mark_of
from remember_me.recall.phrases import filed_as
from remember_me.recall.rows import (
    Row,
    Served,
    entry_rows,
    indexed,
    passage_rows,
    rowid_of,
    said_of_row,
    tokens_of,
    traits_of_row,
)
from remember_me.recall.terms import clean

if TYPE_CHECKING:
    import sqlite3

    from remember_me.recall.phrases import Said
    from remember_me.recall.terms import Traits
    from remember_me.store.listing import Stat
    from remember_me.store.reader import Reader

_IDS_AT_ONCE = 500
_ROWS_AT_ONCE = 20_000
_BASE_SHIFT = ORDER_BITS
_SCOPE_SHIFT = GROUP_BITS + ORDER_BITS

_INSERT = f"INSERT INTO stored ({', '.join(Row._fields)}) VALUES ({', '.join('?' * len(Row._fields))})"

_COUNT_TERMS = (
    "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, word, row)",
    f"INSERT INTO term SELECT term, doc, 0 FROM temp.vocabulary WHERE term NOT GLOB '{mark_of('')}*'",
    "DROP TABLE temp.vocabulary",
)

Rank = tuple[int, int]
"""(whether it is live, its day): the greater one is served."""


class Standing:
    """The best occurrence of an id outside the note at hand, and whether it is the one that is served."""

    __slots__ = ("note", "path", "rank", "served")

    def __init__(self, rank: Rank, path: str, note: int, *, served: bool) -> None:
        self.rank, self.path, self.note, self.served = rank, path, note, served


class Update:
    """Brings the rows in `db` up to the notes, within a transaction of the caller."""

    def __init__(self, db: sqlite3.Connection, reader: Reader) -> None:
        self.db = db
        self.reader = reader
        self.waiting = reader.waiting()
        self.parsed = 0
        self.cold = False
        self.df: Counter[str] = Counter()
        self.heads: Counter[str] = Counter()
        self.sizes: Counter[int] = Counter()
        self.terms = self.filed = 0
        self.spelled: Counter[str] = Counter()
        self.phrases: list[tuple[str, int]] = []
        self.etag = db.execute("SELECT etag FROM meta").fetchone()[0]
        self.scopes = dict(db.execute("SELECT name, number FROM scope"))
        self.freed: set[str] = set()
        self.again: set[int] = set()
        self.words: list[tuple[int, str]] = []

    def run(self, changed: dict[str, Stat], gone: Iterable[str]) -> None:
        """Take in the notes that may have `changed` (by path), and take out those that are `gone`."""
        known = dict(self.db.execute("SELECT path, digest FROM note"))
        self.cold = not known
        for path in gone:
            self._take_out_note(path, known[path])
            self.db.execute("DELETE FROM note WHERE path = ?", (path,))
        fresh: list[tuple[str, Stat, bytes | None]] = []
        for path, stat in sorted(changed.items()):
            if self.cold:
                self._take_in(path, stat, self._bytes(path))
                continue
            data = self._bytes(path)
            if known.get(path) != _digest(data):
                fresh.append((path, stat, data))
            else:
                sql = "UPDATE note SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ? WHERE path = ?"
                self.db.execute(sql, (*stat, path))
        for path, _, _ in fresh:
            if path in known:
                self._take_out_note(path, known[path])
        for path, stat, data in fresh:
            self._take_in(path, stat, data)
        self._settle()
        self._write_words()
        self._save_counts()

    # Notes

    def _bytes(self, path: str) -> bytes | None:
        return self.waiting[path] if path in self.waiting else self.reader.bytes_on_disk(path)

    def _take_out_note(self, path: str, digest: bytes) -> None:
        self.etag ^= _etag_of(path, digest)
        self._take_out(self.db.execute("SELECT number FROM note WHERE path = ?", (path,)).fetchone()[0])

    def _take_in(self, path: str, stat: Stat, data: bytes | None) -> None:
        digest = _digest(data)
        sql = """INSERT INTO note (path, size, mtime_ns, ctime_ns, inode, digest, bases) VALUES (?, ?, ?, ?, ?, ?, '')
            ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns,
            ctime_ns = excluded.ctime_ns, inode = excluded.inode, digest = excluded.digest RETURNING number"""
        (number,) = self.db.execute(sql, (path, *stat, digest)).fetchone()
        self.etag ^= _etag_of(path, digest)
        if data is not None:
            self._write(self.reader.parse(path, data), number)

    # Which of several occurrences is served

    def _write(self, note: Note, number: int) -> None:
        """The rows of a note: of its entries those that are served."""
        self.parsed += 1
        served, others = self._decide(note, number)
        for ordinal in served:
            self._know_scope(composed(clean(note.entries[ordinal].field("scope") or "")))
        found = list(entry_rows(note, number, served, self.scopes))
        if len(found) < len(served):
            written = {one.row.id for one in found}  # there are more than keys can tell apart
            others += [one for one in self._ranks(note) if note.entries[one[0]].id not in written]
        self.db.executemany(
            "INSERT OR REPLACE INTO other VALUES (?, ?, ?, ?, ?)",
            [(note.entries[ordinal].id, number, ordinal, *rank) for ordinal, rank in others],
        )
        found += passage_rows(note, number)
        if not found:
            return
        self.db.executemany(_INSERT, [one.row for one in found])
        self._count(found)
        self.words += [
            (rowid_of(one.row.key, one.traits), indexed(one.traits, one.row.kind, one.said)) for one in found
        ]
        if len(self.words) > _ROWS_AT_ONCE:
            self._write_words()
        bases = sorted({one.row.key >> _BASE_SHIFT for one in found})
        self.db.execute("UPDATE note SET bases = ? WHERE number = ?", (" ".join(map(str, bases)), number))

    @staticmethod
    def _ranks(note: Note) -> Iterator[tuple[int, Rank]]:
        day = note.on.toordinal() if note.on is not None else None
        for ordinal, entry in enumerate(note.entries):
            on = day if day is not None else entry.created_on.toordinal() if entry.created_on is not None else 0
            yield ordinal, (int(entry.live if entry.fields else True), on)

    def _decide(self, note: Note, number: int) -> tuple[list[int], list[tuple[int, Rank]]]:
        """(ordinals of the entries to serve, the other ones with their ranks)."""
        best: dict[str, tuple[Rank, int]] = {}
        others: list[tuple[int, Rank]] = []
        for ordinal, rank in self._ranks(note):
            entry_id = note.entries[ordinal].id
            mine = best.setdefault(entry_id, (rank, ordinal))
            if rank > mine[0]:
                best[entry_id] = (rank, ordinal)
                others.append((mine[1], mine[0]))
            elif mine[1] != ordinal:
                others.append((ordinal, rank))
        if best:
            for entry_id, standing in self._standing(list(best), number).items():
                rank, ordinal = best[entry_id]
                if rank > standing.rank or (rank == standing.rank and note.path < standing.path):
                    if standing.served:
                        self.again.add(standing.note)
                else:
                    del best[entry_id]
                    others.append((ordinal, rank))
                    if not standing.served:
                        self.again.add(standing.note)
        return sorted(ordinal for _, ordinal in best.values()), others

    def _standing(self, ids: Sequence[str], number: int) -> dict[str, Standing]:
        """The best occurrences of the ids in other notes than `number`."""
        found: dict[str, Standing] = {}
        for first in range(0, len(ids), _IDS_AT_ONCE):
            some = ids[first : first + _IDS_AT_ONCE]
            marks = ",".join("?" * len(some))
            sql = f"""SELECT id, path, note, key < {ENDED}, key >> {ORDER_BITS} & {(1 << GROUP_BITS) - 1} AS day,
                created, 1 FROM stored JOIN note ON number = note WHERE id IN ({marks})"""
            rows = self.db.execute(sql, some).fetchall()
            sql = (
                f"SELECT id, path, note, live, day, NULL, 0 FROM other JOIN note ON number = note WHERE id IN ({marks})"
            )
            for entry_id, path, where, live, day, created, served in rows + self.db.execute(sql, some).fetchall():
                if where == number:
                    continue
                rank = (live, day if day < UNDATED or not served else created or 0)
                other = found.get(entry_id)
                if other is None or rank > other.rank or (rank == other.rank and path < other.path):
                    found[entry_id] = Standing(rank, path, where, served=bool(served))
        return found

    def _settle(self) -> None:
        """Write the notes again of which other entries are served now. Once each: everything is known by then."""
        freed = sorted(self.freed)
        for first in range(0, len(freed), _IDS_AT_ONCE):
            some = freed[first : first + _IDS_AT_ONCE]
            sql = f"SELECT DISTINCT note FROM other WHERE id IN ({','.join('?' * len(some))})"
            self.again.update(number for (number,) in self.db.execute(sql, some))
        done: set[int] = set()
        while todo := sorted(self.again - done):
            for number in todo:
                done.add(number)
                self._take_out(number)
                (path,) = self.db.execute("SELECT path FROM note WHERE number = ?", (number,)).fetchone()
                data = self._bytes(path)
                if data is not None:
                    self._write(self.reader.parse(path, data), number)

    # Rows

    def _take_out(self, number: int) -> None:
        """Take out all rows of a note; its ids may be served from elsewhere now."""
        self._write_words()
        (bases,) = self.db.execute("SELECT bases FROM note WHERE number = ?", (number,)).fetchone()
        gone: list[tuple[int, str]] = []
        unfiled: list[tuple[str, int]] = []
        for base in map(int, bases.split()):
            bounds = (base << _BASE_SHIFT, (base + 1 << _BASE_SHIFT) - 1)
            sql = "SELECT key, id, kind, title, description, aliases, body FROM stored WHERE key BETWEEN ? AND ?"
            for key, entry_id, kind, *texts in self.db.execute(sql, bounds):
                traits = traits_of_row(*texts, passage=not entry_id)
                said = said_of_row(key, *texts[:3], passage=not entry_id)
                self._count_out(key >> _SCOPE_SHIFT & LAST_SCOPE, traits, said)
                gone.append((rowid_of(key, traits), indexed(traits, kind, said)))
                unfiled += self._phrases_of(key, said)
                if entry_id:
                    self.freed.add(entry_id)
            self.db.execute("DELETE FROM stored WHERE key BETWEEN ? AND ?", bounds)
        self.db.executemany("INSERT INTO word (word, rowid, t) VALUES ('delete', ?, ?)", sorted(gone))
        self.db.executemany("DELETE FROM phrase WHERE words = ? AND key = ?", unfiled)
        self.db.execute("DELETE FROM other WHERE note = ?", (number,))
        self.db.execute("UPDATE note SET bases = '' WHERE number = ?", (number,))

    def _write_words(self) -> None:
        """In the order of their rowids: FTS5 begins a new segment with each one that is lower than the last."""
        self.words.sort()
        self.db.executemany("INSERT INTO word (rowid, t) VALUES (?, ?)", self.words)
        self.words.clear()
        self.db.executemany("INSERT OR IGNORE INTO phrase VALUES (?, ?)", sorted(self.phrases))
        self.phrases.clear()

    @staticmethod
    def _phrases_of(key: int, said: Said | None) -> list[tuple[str, int]]:
        return [(filed_as(stems), key) for stems in said.phrases] if said is not None else []

    def _know_scope(self, name: str) -> None:
        if name not in self.scopes:
            number = min(max(self.scopes.values()) + 1, LAST_SCOPE)
            self.db.execute("INSERT INTO scope VALUES (?, ?, 0)", (name, number))
            self.scopes[name] = number

    # Counts

    def _count(self, found: Sequence[Served]) -> None:
        if not self.cold:
            self.df.update(chain.from_iterable([set(one.traits.terms.split()) for one in found]))
            self.df.update(chain.from_iterable([tokens_of(one.said) for one in found if one.said is not None]))
        self.heads.update([one.traits.head for one in found if one.traits.head])
        self.sizes.update([one.scope_number for one in found])
        self.terms += sum([one.traits.length for one in found])
        for one in found:
            if one.said is not None and one.said.phrases:
                self.phrases += self._phrases_of(one.row.key, one.said)
                self.spelled.update(one.said.words)
                self.filed += len(one.said.phrases)

    def _count_out(self, scope: int, traits: Traits, said: Said | None) -> None:
        if not self.cold:
            self.df.subtract(set(traits.terms.split()))
            self.df.subtract(tokens_of(said) if said is not None else ())
        if said is not None:
            self.spelled.subtract(said.words)
            self.filed -= len(said.phrases)
        if traits.head:
            self.heads[traits.head] -= 1
        self.sizes[scope] -= 1
        self.terms -= traits.length

    def _save_counts(self) -> None:
        if self.cold:  # FTS5 counts faster
            for sql in _COUNT_TERMS:
                self.db.execute(sql)
        for name, counts in (("df", self.df), ("heads", self.heads)):
            pair = "?, ?, 0" if name == "df" else "?, 0, ?"
            self.db.executemany(
                f"INSERT INTO term (term, df, heads) VALUES ({pair}) ON CONFLICT DO UPDATE SET {name} = {name} + "
                f"excluded.{name}",
                sorted((term, step) for term, step in counts.items() if step),
            )
        sql = "INSERT INTO spelled VALUES (?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number"
        self.db.executemany(sql, sorted((word, step) for word, step in self.spelled.items() if step))
        rare = [(word,) for word, step in self.spelled.items() if step < 0]
        self.db.executemany("DELETE FROM spelled WHERE word = ? AND number <= 0", rare)
        fewer = sorted(term for counts in (self.df, self.heads) for term, step in counts.items() if step < 0)
        self.db.executemany("DELETE FROM term WHERE term = ? AND df <= 0 AND heads <= 0", [(term,) for term in fewer])
        self.db.executemany(
            "UPDATE scope SET entries = entries + ? WHERE number = ?", [(step, n) for n, step in self.sizes.items()]
        )
        self.db.execute("DELETE FROM scope WHERE entries <= 0 AND number > ?", (PASSAGE_SCOPE,))
        sql = "UPDATE meta SET entries = entries + ?, terms = terms + ?, phrases = phrases + ?, etag = ?"
        self.db.execute(sql, (sum(self.sizes.values()), self.terms, self.filed, self.etag))


def _digest(data: bytes | None) -> bytes:
    import hashlib

    return b"" if data is None else hashlib.blake2b(data, digest_size=16).digest()


def _etag_of(path: str, digest: bytes) -> int:
    """What one note gives to the etag of all: the same notes have the same one, in whichever order they came."""
    import hashlib

    return int.from_bytes(
        hashlib.blake2b(path.encode("utf-8", "surrogateescape") + b"\0" + digest, digest_size=7).digest(), "big"
    )
