"""The entries of the days that a query names ("in May 2023"): whole ranges of keys, for a key begins with its day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from remember_me.recall.keys import ENDED, GROUP_BITS, ORDER_BITS, UNDATED
from remember_me.recall.rank import Question

if TYPE_CHECKING:
    import sqlite3

ROWS = 300
"""The newest entries of each span of days."""
SPANS = 16
SCOPES = 8
"""The scopes with the most entries are looked at."""
SCOPE_SHIFT = GROUP_BITS + ORDER_BITS


class Range(NamedTuple):
    """Keys from `low` on, below `high`."""

    low: int
    high: int


def dated(db: sqlite3.Connection, question: Question, ranges: Sequence[Range]) -> list[int]:
    """The newest entries of each month or day that the query names, whether they match anything else or not."""
    if not question.months:
        return []
    found: list[int] = []
    sql = "SELECT key FROM stored WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT ?"
    for low, high in _date_spans(db, question, ranges)[-SPANS:]:
        found += [key for (key,) in db.execute(sql, (low, high - 1, ROWS))]
    return found


def _date_spans(db: sqlite3.Connection, question: Question, ranges: Sequence[Range]) -> list[Range]:
    numbers = [row[0] for row in db.execute("SELECT number FROM scope WHERE entries ORDER BY entries DESC")]
    spans: list[Range] = []
    for whole in ranges:
        bases = [(whole.low & ENDED) | number << SCOPE_SHIFT for number in numbers]
        for base in [base for base in bases if whole.low <= base < whole.high][:SCOPES]:
            for first, last in _days(question, question.years or _years(db, base)):
                spans.append(Range(base | first << ORDER_BITS, base + (last + 1 << ORDER_BITS)))
    spans.sort(key=lambda span: (span.low >> ORDER_BITS) & (1 << GROUP_BITS) - 1)
    return spans


def _years(db: sqlite3.Connection, base: int) -> list[int]:
    """The years from the first to the last daily note of a scope."""
    sql = "SELECT key FROM stored WHERE key BETWEEN ? AND ? ORDER BY key"
    bounds = (base, base + (UNDATED << ORDER_BITS) - 1)
    first, last = (db.execute(f"{sql} {way} LIMIT 1", bounds).fetchone() for way in ("ASC", "DESC"))
    if first is None:
        return []
    one, other = ((row[0] - base) >> ORDER_BITS for row in (first, last))
    return list(range(date.fromordinal(one).year, date.fromordinal(other).year + 1))


def _days(question: Question, years: Iterable[int]) -> list[tuple[int, int]]:
    """The spans of day ordinals (inclusive) that a query names."""
    found: list[tuple[int, int]] = []
    for year in sorted(years):
        for month in sorted(question.months):
            first = date(year, month, 1).toordinal()
            last = date(year + month // 12, month % 12 + 1, 1).toordinal() - 1
            days = [first + day - 1 for day in sorted(question.days) if first + day - 1 <= last]
            found += [(day, day) for day in days] or [(first, last)]
    return found
