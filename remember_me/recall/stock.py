"""The entries that a prompt may bring to mind, in the cache. Loaded by a hook: see `trigger_words`."""

from __future__ import annotations

from remember_me.recall.keys import ENDED, GROUP_BITS, LAST_SCOPE, LOW_BITS, ORDER_BITS
from remember_me.recall.phrases import Said, read_filed, token_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from remember_me.recall.phrases import Terms

_SCOPE_SHIFT = GROUP_BITS + ORDER_BITS
_AT_ONCE = 500
_COLUMNS = """key, id, tag, title, coalesce(description, ''), coalesce(aliases, ''), confidence, validated,
  coalesce(seen, ''), scope, note, start, length"""


class Known:
    """An entry that may come to mind. `confidence` is the effective one of a HYPOTHESIS; `note` is a number in the
    cache, `start` and `length` are bytes in that note."""

    __slots__ = (
        *("key", "id", "tag", "title", "description", "aliases", "confidence", "validated"),
        *("seen", "scope", "note", "start", "length", "_spoken"),
    )
    key: int
    id: str
    tag: str
    title: str
    description: str
    aliases: str
    confidence: str | None
    validated: int
    seen: str
    scope: str | None
    note: int
    start: int
    length: int

    def __init__(self, row: Sequence[object]) -> None:
        for name, value in zip(self.__slots__[:-1], row, strict=True):
            setattr(self, name, value)

    @property
    def spoken(self) -> Collection[str]:
        """The terms of its phrases."""
        return {term for stems in Said(self.title, "", self.aliases).phrases for term in stems}


class Stock:
    """What `trigger.match` asks of a fresh cache.

    `scopes` are the projects that are seen beside the entries of none; all where it is None. `today` is the UTC date
    in ISO form. `sure` gives the effective confidence of a HYPOTHESIS, None for one that is due for discard.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        scopes: Sequence[str] | None,
        today: str,
        sure: Callable[[Known], str | None],
    ) -> None:
        self.db = db
        self.today = today
        self.sure = sure
        rows = db.execute("SELECT name, number, entries FROM scope WHERE number <> 1").fetchall()
        seen = [row for row in rows if scopes is None or not row[0] or row[0] in scopes]
        self._scopes = None if scopes is None else {number for _, number, _ in seen}
        self.entries: int = sum(count for _, _, count in seen)
        self.filed: int = db.execute("SELECT phrases FROM meta").fetchone()[0]
        self._loaded: dict[int, Known | None] = {}
        self._spelled: dict[str, list[str]] = {}

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many entries of the store each term is, where it is in one."""
        tokens = {token_of(term): term for term in terms}
        return {
            tokens[token]: count
            for token, count in self._among("SELECT term, df FROM term WHERE term", list(tokens))
            if count > 0
        }

    def phrases(self, terms: Collection[str]) -> Iterator[tuple[Terms, Sequence[int]]]:
        """The phrases that `terms` make up, with the keys of their entries, in the order of their words."""
        for term in sorted(terms):
            keys: dict[str, list[int]] = {}
            bounds = (term, f"{term}!")
            for text, key in self.db.execute("SELECT words, key FROM phrase WHERE words >= ? AND words < ?", bounds):
                if self._sees(key):
                    keys.setdefault(text, []).append(key)
            for text, found in keys.items():
                stems = read_filed(text)
                if all(stem in terms for stem in stems):
                    yield stems, found

    def having(self, terms: Iterable[str]) -> dict[int, set[str]]:
        """The keys of the entries that have some of `terms`, and which."""
        found: dict[int, set[str]] = {}
        for term in terms:
            quoted = f'"{token_of(term)}"'
            for (rowid,) in self.db.execute("SELECT rowid FROM word WHERE word MATCH ?", (quoted,)):
                key = rowid >> LOW_BITS
                if self._sees(key):
                    found.setdefault(key, set()).add(term)
        return found

    def spelled(self, head: str) -> list[str]:
        """The words of phrases that begin with these letters and forgive a slip."""
        if head not in self._spelled:
            sql = "SELECT word FROM spelled WHERE word >= ? AND word < ?"
            bounds = (head, head[:-1] + chr(ord(head[-1]) + 1))
            self._spelled[head] = [word for (word,) in self.db.execute(sql, bounds)]
        return self._spelled[head]

    def linked(self, key: int) -> list[Known]:
        """The entries that the one of this key links to by their ids, as far as they are shown at all."""
        sql = """SELECT json_extract(value, '$[1]') FROM json_each((SELECT fields FROM stored WHERE key = ?))
            WHERE json_extract(value, '$[0]') = 'links'"""
        rows = self.db.execute(sql, (key,)).fetchall()
        ids = [part.strip(" ^[]") for (text,) in rows for part in text.split(",")]
        found = dict(self._among("SELECT id, key FROM stored WHERE id", ids))
        return self.load(there for link in ids if (there := found.get(link)) is not None and self._sees(there))

    def load(self, keys: Iterable[int]) -> list[Known]:
        """The entries of these keys that are shown at all, in the order of the keys."""
        wanted = list(keys)
        new = [key for key in wanted if key not in self._loaded]
        self._loaded.update(dict.fromkeys(new))
        for row in self._among(f"SELECT {_COLUMNS}, expires FROM entry WHERE key", new):
            known = Known(row[:-1])
            if row[-1] is not None and row[-1] < self.today:
                continue
            if known.tag == "HYPOTHESIS":
                known.confidence = self.sure(known)
                if known.confidence is None:
                    continue
            else:
                known.confidence = None
            self._loaded[known.key] = known
        return [found for key in wanted if (found := self._loaded[key]) is not None]

    def _sees(self, key: int) -> bool:
        if key >= ENDED:
            return False
        return self._scopes is None or key >> _SCOPE_SHIFT & LAST_SCOPE in self._scopes

    def _among(self, sql: str, values: Sequence[object]) -> Iterator[Any]:
        for first in range(0, len(values), _AT_ONCE):
            some = values[first : first + _AT_ONCE]
            yield from self.db.execute(f"{sql} IN ({','.join('?' * len(some))})", some)
