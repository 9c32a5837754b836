"""The search: a query in words, over the live entries and the prose of the notes, as `cache.py` keeps them.

A query term is looked up in the full-text table, which gives rowids and nothing else; `rank.py` scores them. What a
query may cost is bounded: rare terms are read first, and of many matches only the best passages are scored exactly.
No word of a query is ever read as FTS5 syntax: terms are letters and digits, and they are quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from remember_me.recall import rank
from remember_me.recall.dates import Range, dated
from remember_me.recall.keys import (
    ENDED,
    GROUP_BITS,
    LAST_GROUP,
    LOW_BITS,
    ORDER_BITS,
    PASSAGE_SCOPE,
    STATUSES,
    TAGS,
    UNDATED,
    mark_of,
)
from remember_me.recall.rank import Place, Question, best_keys
from remember_me.recall.snippet import snippet
from remember_me.recall.terms import clean, fold, words

if TYPE_CHECKING:
    import sqlite3

HITS = 10
"""How many answers a search gives."""
POSTING_BUDGET = 5000
"""Rows read from the full-text table for one query, rarest terms first; what the other terms match is looked up around
the best places only."""
BUDGET_SHARE = 0.015
"""In a large store the budget grows to this share of the entries."""
SPREAD_LIMIT = 250
"""Above this many rows only the best passages are scored exactly."""
PASSAGES = 24
"""How many passages (four entries in a row) those are."""
RESCORE = 40
"""Entries whose row is read for the factors."""
MOST_TERMS = 48
"""The rarest terms of a query that count."""
MOST_RANGES = 16
"""Above this many ranges of scopes all scopes are read, and the rows are filtered."""
LITERAL_ROWS = 20_000
"""The newest entries that are looked through for a query of stop words alone."""

KEYWORDS = 2
"""A query of so many terms asks for these words: what only stands beside them is no answer."""

_PASSAGE_BITS = 2
_TIES = 20
_NO_LIMIT = 1 << 30
_SCOPE_SHIFT = GROUP_BITS + ORDER_BITS
_CHUNK = 500


class Wanted(NamedTuple):
    """What to look for. `scopes` None is all, else an entry of one of them or of everywhere; prose belongs to no scope.
    `statuses` empty is live entries only. `since` is a date, inclusive; what has no date is then left out."""

    query: str
    limit: int = HITS
    scopes: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    since: date | None = None
    entries_only: bool = False


class Hit(NamedTuple):
    """An entry or, with the id '', a passage of prose; its title is then its address. `marks` are the spans
    (start, end) of matched words in `snippet`. `created` and `expires` are ISO dates."""

    key: int
    id: str
    score: float
    title: str
    note: str
    line: int
    snippet: str
    marks: tuple[tuple[int, int], ...]
    tag: str
    status: str
    scope: str | None
    created: str | None
    expires: str | None


class _Lexicon(NamedTuple):
    """The terms of a query that some entry has, rarest first, in how many of all entries each is; the names that begin
    entries; and all entries and terms of the cache."""

    holding: dict[str, int]
    names: frozenset[str]
    entries: int
    average: float


def search(db: sqlite3.Connection, wanted: Wanted) -> list[Hit]:
    """The best answers, best first; total: no query is an error."""
    if wanted.limit <= 0:
        return []
    if wanted.scopes is not None:
        wanted = wanted._replace(scopes=tuple(map(clean, wanted.scopes)))
    question = rank.parse_question(wanted.query)
    ranges = _ranges(db, wanted)
    if not question.terms:
        found = _literal(db, wanted, ranges)
    else:
        lexicon = _lexicon(db, question)
        found = _ranked(db, wanted, question, lexicon, ranges)
        if len(found) < wanted.limit and (wanted.tags or wanted.statuses or wanted.since or wanted.scopes):
            narrow = _narrowed(db, wanted, _ranges(db, wanted, _NO_LIMIT))
            found |= _ranked(db, wanted, question, lexicon, narrow, filtered=True) | found
    least = sorted(found.values(), reverse=True)[: wanted.limit][-1:]
    best = sorted((key for key in found if found[key] >= least[0]), key=lambda key: (-found[key], -key))
    hits = _hits(db, best[: wanted.limit + _TIES], found, question)
    # Of equals the newest first; the numbers of notes and scopes say nothing.
    hits.sort(key=lambda hit: (-hit.score, -_day(hit.key, None), hit.note, hit.line))
    return hits[: wanted.limit]


# Where to look


def _ranges(db: sqlite3.Connection, wanted: Wanted, most: int = 0) -> list[Range]:
    """The keys of the wanted scopes, live ones and ended ones."""
    everything = 1 << (ENDED.bit_length() - 1 - _SCOPE_SHIFT)
    first_named = PASSAGE_SCOPE + 1
    prose = not (wanted.entries_only or wanted.tags)
    if wanted.scopes is None:
        pairs = [(0, everything)] if prose else [(0, 1), (first_named, everything)]
    else:
        marks = ",".join("?" * len(wanted.scopes))
        rows = db.execute(f"SELECT number FROM scope WHERE number > 1 AND name IN ({marks})", wanted.scopes)
        numbers = sorted({0, *((PASSAGE_SCOPE,) if prose else ()), *(number for (number,) in rows)})
        pairs = []
        for number in numbers:
            if pairs and pairs[-1][1] == number:
                pairs[-1] = (pairs[-1][0], number + 1)
            else:
                pairs.append((number, number + 1))
        if len(pairs) > (most or MOST_RANGES):
            pairs = [(0, everything)]
    halves = [0] if not wanted.statuses or "active" in wanted.statuses else []
    halves += [ENDED] if any(status != "active" for status in wanted.statuses) else []
    return [Range(half | low << _SCOPE_SHIFT, half + (high << _SCOPE_SHIFT)) for half in halves for low, high in pairs]


def _narrowed(db: sqlite3.Connection, wanted: Wanted, ranges: Sequence[Range]) -> list[Range]:
    """The ranges without the daily notes before `since`: scope by scope."""
    if wanted.since is None:
        return list(ranges)
    numbers = [number for (number,) in db.execute("SELECT DISTINCT number FROM scope ORDER BY number")]
    found: list[Range] = []
    for low, high in ranges:
        half = low & ENDED
        for number in numbers:
            base = half | number << _SCOPE_SHIFT
            if low <= base < high:
                found.append(Range(base | wanted.since.toordinal() << ORDER_BITS, base + (1 << _SCOPE_SHIFT)))
    return found


# Matching


def _lexicon(db: sqlite3.Connection, question: Question) -> _Lexicon:
    entries, terms = db.execute("SELECT entries, terms FROM meta").fetchone()
    known: dict[str, tuple[int, int]] = {}
    for first in range(0, len(question.terms), _CHUNK):
        some = question.terms[first : first + _CHUNK]
        rows = db.execute(f"SELECT term, df, heads FROM term WHERE term IN ({','.join('?' * len(some))})", some)
        known.update((term, (holding, heads)) for term, holding, heads in rows)
    names = frozenset(term for term, (_, heads) in known.items() if heads >= rank.LEAST_HEADS)
    spoken = {term for term in names if term in question.capitals or 2 * known[term][1] >= known[term][0]}
    used = [term for term, (holding, _) in known.items() if holding]
    used = [term for term in used if term not in spoken] or used
    used.sort(key=lambda term: known[term][0])
    average = terms / entries if entries and terms else 10.0
    return _Lexicon({term: known[term][0] for term in used[:MOST_TERMS]}, names, entries, average)


def _ranked(
    db: sqlite3.Connection,
    wanted: Wanted,
    question: Question,
    lexicon: _Lexicon,
    ranges: Sequence[Range],
    *,
    filtered: bool = False,
) -> dict[int, float]:
    """Keys with their scores. `filtered`: read only what has the wanted tags and statuses, and score all of it."""
    weights = {term: rank.rarity(lexicon.entries, holding) for term, holding in lexicon.holding.items()}
    conditions = _conditions(wanted) if filtered else ""
    places, left_over = _postings(db, lexicon, ranges, conditions)
    if left_over or (not filtered and sum(map(len, places.values())) > SPREAD_LIMIT):
        most = max(PASSAGES, wanted.limit) if not filtered else lexicon.entries
        runs = _best_runs(places, weights, most)
        near = {run for low, high in runs for run in range(low >> _PASSAGE_BITS, high >> _PASSAGE_BITS)}
        shift = LOW_BITS + _PASSAGE_BITS
        places = {term: [row for row in rows if row >> shift in near] for term, rows in places.items()}
        for term in left_over:
            places[term] = _within(db, term, runs)
    scores = rank.score_places(places, weights, rank.length_norms(lexicon.average))
    if len(question.terms) <= KEYWORDS:
        scores = {row >> LOW_BITS: scores[row >> LOW_BITS] for rows in places.values() for row in rows}
    if question.months or question.years:
        for key in dated(db, question, ranges):
            scores.setdefault(key, 0.0)
        rank.add_date_bonus(scores, question)
    return rank.final_scores(scores, _places(db, wanted, scores), question, lexicon.names)


def _conditions(wanted: Wanted) -> str:
    """The filters as a part of the full-text query."""
    choices = [[mark_of(tag) for tag in wanted.tags], [mark_of(status) for status in wanted.statuses]]
    if "active" in wanted.statuses:
        choices.pop()
    return "".join(f" AND ({' OR '.join(some)})" for some in choices if some)


def _postings(
    db: sqlite3.Connection, lexicon: _Lexicon, ranges: Sequence[Range], conditions: str
) -> tuple[dict[str, list[int]], list[str]]:
    """(rowids by term, terms that were too common to be read)."""
    budget = max(POSTING_BUDGET, int(BUDGET_SHARE * lexicon.entries))
    share = _share(db, lexicon, ranges)
    left = budget
    places: dict[str, list[int]] = {}
    left_over: list[str] = []
    sql = "SELECT rowid FROM word WHERE word MATCH ? AND rowid BETWEEN ? AND ?"
    for term, holding in lexicon.holding.items():
        expected = 0 if conditions else holding * share
        if expected > left and places:
            left_over.append(term)
            continue
        rows: list[int] = []
        for low, high in ranges:
            more = f" ORDER BY rowid DESC LIMIT {budget}" if conditions or expected > left else ""
            found = db.execute(sql + more, (f'"{term}"{conditions}', low << LOW_BITS, (high << LOW_BITS) - 1))
            rows += [row for (row,) in found]
        left -= len(rows)
        places[term] = rows
    return places, left_over


def _share(db: sqlite3.Connection, lexicon: _Lexicon, ranges: Sequence[Range]) -> float:
    """The part of all entries that stands in the ranges, about."""
    if not lexicon.entries or any(high - low > 1 << _SCOPE_SHIFT + 3 for low, high in ranges):
        return 1.0
    scopes = [[(bound & ENDED - 1) >> _SCOPE_SHIFT for bound in (low, high - 1)] for low, high in ranges]
    where = " OR ".join("number BETWEEN ? AND ?" for _ in scopes)
    bounds = [bound for pair in scopes for bound in pair]
    (inside,) = db.execute(f"SELECT total(entries) FROM scope WHERE {where}", bounds).fetchone()
    return min(1.0, float(inside) / lexicon.entries)


def _best_runs(places: Mapping[str, Iterable[int]], weights: Mapping[str, float], most: int) -> list[Range]:
    """The keys around the passages that hold the most of the query."""
    shift = LOW_BITS + _PASSAGE_BITS
    scores: dict[int, float] = {}
    of = scores.get
    for term, rows in places.items():
        weight = weights[term]
        for passage in {row >> shift for row in rows}:
            scores[passage] = of(passage, 0.0) + weight
    first = best_keys(scores, 4 * most)
    beside = {passage: scores[passage] + 0.5 * (of(passage - 1, 0.0) + of(passage + 1, 0.0)) for passage in first}
    runs: list[Range] = []
    for passage in sorted({near for best in best_keys(beside, most) for near in (best - 1, best, best + 1)}):
        low, high = passage << _PASSAGE_BITS, passage + 1 << _PASSAGE_BITS
        if runs and runs[-1].high == low:
            runs[-1] = Range(runs[-1].low, high)
        else:
            runs.append(Range(low, high))
    return runs


def _within(db: sqlite3.Connection, term: str, runs: Iterable[Range]) -> list[int]:
    """Where a common term stands in the runs."""
    found: list[int] = []
    sql = "SELECT rowid FROM word WHERE word MATCH ? AND rowid BETWEEN ? AND ?"
    for low, high in runs:
        found += [row for (row,) in db.execute(sql, (f'"{term}"', low << LOW_BITS, (high << LOW_BITS) - 1))]
    return found


# Rows


def _places(db: sqlite3.Connection, wanted: Wanted, scores: Mapping[int, float]) -> dict[int, Place]:
    """The rows of the best keys that pass the filters: enough for the limit, where there are that many."""
    first = max(RESCORE, 2 * wanted.limit)
    keys = best_keys(scores, first)
    places = _rows(db, wanted, keys)
    if len(places) < wanted.limit and len(scores) > first:
        rest = best_keys(scores, len(scores))[first:]
        for at in range(0, len(rest), _CHUNK):
            places |= _rows(db, wanted, rest[at : at + _CHUNK])
            if len(places) >= wanted.limit:
                break
    return places


def _rows(db: sqlite3.Connection, wanted: Wanted, keys: Sequence[int]) -> dict[int, Place]:
    passes = _Filter(wanted).passes
    marks = ",".join("?" * len(keys))
    sql = f"SELECT {_FILTERED}, head, seen FROM stored WHERE key IN ({marks})"
    return {
        key: Place(head or "", kind, _day(key, created if seen is None else seen))
        for key, entry_id, kind, scope, created, head, seen in db.execute(sql, keys)
        if passes(key, entry_id, kind, scope, created)
    }


_FILTERED = "key, id, kind, scope, created"


class _Filter:
    """Which rows may be an answer."""

    def __init__(self, wanted: Wanted) -> None:
        tags = {tag.upper() for tag in wanted.tags}
        self.tags = {number for number, tag in enumerate(TAGS) if tag in tags} if tags else set(range(len(TAGS)))
        self.statuses = {STATUSES.index(status) for status in wanted.statuses if status in STATUSES}
        if not wanted.statuses:
            self.statuses = {STATUSES.index("active")}
        self.scopes = wanted.scopes
        self.since = wanted.since.toordinal() if wanted.since is not None else 0
        self.prose = not (wanted.entries_only or tags)

    def passes(self, key: int, entry_id: str, kind: int, scope: str | None, created: int | None) -> bool:
        return (
            (self.prose or bool(entry_id))
            and kind & 7 in self.tags
            and kind >> 3 & 7 in self.statuses
            and (self.scopes is None or not scope or scope in self.scopes)
            and (not self.since or _day(key, created) >= self.since)
        )


def _day(key: int, stored: int | None) -> int:
    """A day as a row holds it: None is that of the note."""
    if stored is not None:
        return stored
    group = key >> ORDER_BITS & LAST_GROUP
    return group if group < UNDATED else 0


def _literal(db: sqlite3.Connection, wanted: Wanted, ranges: Sequence[Range]) -> dict[int, float]:
    """For a query of stop words alone: the newest entries that have these words in this order."""
    asked = words(fold(wanted.query[: rank.LONGEST_QUERY]))
    if not asked or len(asked) > MOST_TERMS:
        return {}
    needle = f" {' '.join(asked)} "
    like = f"%{max(asked, key=len)}%"
    passes = _Filter(wanted).passes
    found: dict[int, float] = {}
    sql = f"""SELECT {_FILTERED}, text FROM (SELECT {_FILTERED}, title || char(10) || coalesce(description, '') ||
        char(10) || body AS text FROM stored WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT {LITERAL_ROWS})
        WHERE text LIKE ? ORDER BY key DESC"""
    for low, high in ranges:
        number = 0
        for *row, text in db.execute(sql, (low, high - 1, like)):
            if number < wanted.limit and needle in f" {' '.join(words(fold(text)))} " and passes(*row):
                found[row[0]] = 1.0
                number += 1
    return found


def _hits(db: sqlite3.Connection, best: Sequence[int], scores: Mapping[int, float], question: Question) -> list[Hit]:
    sql = f"""SELECT key, id, title, description, body, path, line, tag, status, scope, created, expires
        FROM entry JOIN note ON note.number = entry.note WHERE key IN ({",".join("?" * len(best))})"""
    hits: dict[int, Hit] = {}
    for key, entry_id, title, description, body, path, line, tag, status, scope, created, expires in db.execute(
        sql, best
    ):
        pieces = (title, description, body) if entry_id else (body,)
        shown, marks = snippet([piece for piece in pieces if piece], question.terms)
        hits[key] = Hit(
            key, entry_id, round(scores[key], 6), title, path, line, shown, marks, tag, status, scope, created, expires
        )
    return [hits[key] for key in best]
