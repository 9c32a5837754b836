"""The index: one line for each entry an agent may know of, in the order of what matters, within a budget (DESIGN 6).

Pure but for `load_lines` and `load_bodies`, which read the cache. Same rows, same moment, same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from remember_me.model.entry import Basis, Entry, Signal, Status, Tag, Tier
from remember_me.policy.decay import decide_decay, utc_date
from remember_me.policy.limits import Limits
from remember_me.recall.line import index_line
from remember_me.recall.tokens import count_bytes

if TYPE_CHECKING:
    import sqlite3

INDEX_TOKENS = 1500
FLOOR_LINES = 5
"""So many lines of each tag have a place, as long as they take no more than half of the budget."""

STATED, OBSERVED, GUESSED = "stated", "observed", "hypothesis"

_REST_TOKENS = 40
"""What the last line takes at most; a test counts it."""
_MISSES = 20
"""After so many lines that do not fit any more, no shorter one is looked for."""
_MANY_TOKENS = 20_000
_USUAL_TOKENS = 25
_USUAL_BYTES = 100
_NO_LIMIT = 1 << 40
_CONFIDENCE_RANK: dict[str | None, int] = {None: 0, "high": 1, "medium": 2, "low": 3}

Counting = Callable[[str], int]
LaterSessions = Callable[[str | None, str], int]
"""(scope, ISO day) -> sessions after that day, as `SessionDays.later`."""


class Line(NamedTuple):
    """What the index and the block know of one entry. Dates are ISO days or empty.

    `confidence` is the effective one of a HYPOTHESIS, None for the other tags. `known` says how well the entry is
    known (stated, observed, hypothesis). `tokens` is the stored count of `index_line` with its line end, or None.
    `number` is the line of the note in which it begins.
    """

    id: str
    tag: str
    title: str
    description: str = ""
    body: str = ""
    signal: str | None = None
    confidence: str | None = None
    impact: int = 1
    scope: str | None = None
    pinned: bool = False
    facet: str | None = None
    known: str = STATED
    seen: str = ""
    created: str = ""
    aliases: str = ""
    tokens: int | None = None
    key: int = 0
    number: int = 0


class Index(NamedTuple):
    """A printed index: whole lines, each with its line end. `counted` are the counts made on the way, by key, so that
    the caller can store them. `too_small`: no entry fits the budget; then the text is one line that says so."""

    text: str
    shown: tuple[str, ...]
    left_out: int
    counted: dict[int, int]
    too_small: bool = False


# The order


def in_order(lines: Iterable[Line]) -> list[Line]:
    """Pinned first, then boundaries, by impact, by confidence, the latest first; of one day the one further down."""
    ordered = sorted(lines, key=lambda line: (-line.number, line.id, line.key))
    ordered.sort(key=lambda line: line.seen, reverse=True)  # each sort keeps the order of equal ones
    ordered.sort(key=_rank)
    return ordered


def _rank(line: Line) -> int:
    place = (0 if line.pinned else 2) + (0 if line.signal == Signal.BOUNDARY else 1)
    return (place * 4 + 3 - line.impact) * 4 + _CONFIDENCE_RANK.get(line.confidence, 3)


def build_index(
    lines: Sequence[Line],
    tokens: int = INDEX_TOKENS,
    *,
    most_bytes: int | None = None,
    count: Counting | None = None,
    unlisted: int = 0,
) -> Index:
    """The index of `lines` (in any order) within `tokens` and `most_bytes`, its last line included.

    Without `count` a line without a stored count takes its bytes, an upper bound. `unlisted` are entries that exist
    and were not loaded. The last line says how many are not shown and how to see them.
    """
    ordered = in_order(lines)
    total = len(ordered) + unlisted
    if not total:
        return Index("", (), 0, {})
    room = _Room(tokens, most_bytes, count)
    chosen = _select(ordered, room, "")
    hint = _wider(total, tokens, most_bytes if room.short_of_bytes else None)
    if len(chosen) < total:
        chosen = _select(ordered, room, _rest(total, hint))
    while chosen:
        left_out = total - len(chosen)
        shown = [ordered[at] for at in sorted(chosen)]
        text = "".join(f"{index_line(line)}\n" for line in shown) + (_rest(left_out, hint) if left_out else "")
        if room.holds(text):
            return Index(text, tuple(line.id for line in shown), left_out, room.counted)
        chosen.pop()
    return Index(_nothing_fits(total, hint), (), total, room.counted, too_small=True)


def _select(ordered: Sequence[Line], room: _Room, rest: str) -> list[int]:
    """Positions in `ordered`, the most important first: the very first, a floor for each tag, and then in order."""
    room.start(rest)
    chosen: list[int] = []
    if ordered and room.take(ordered[0]):
        chosen.append(0)
    floor = _floor(ordered) if rest else []
    for at in floor:
        if at and room.take(ordered[at], half=True):
            chosen.append(at)
    taken, misses = set(chosen), 0
    for at, line in enumerate(ordered):
        if at in taken:
            continue
        if room.take(line):
            chosen.append(at)
        elif (misses := misses + 1) > (_MISSES if rest else 0):
            break
    return chosen


def _floor(ordered: Sequence[Line]) -> list[int]:
    """The positions of the best lines of each tag: the first of all tags, then the second, and so on."""
    by_tag: dict[str, list[int]] = {}
    for at, line in enumerate(ordered):
        best = by_tag.setdefault(line.tag, [])
        if len(best) < FLOOR_LINES:
            best.append(at)
    return sorted(
        (at for best in by_tag.values() for at in best), key=lambda at: (by_tag[ordered[at].tag].index(at), at)
    )


class _Room:
    """What is left of a budget of tokens and bytes."""

    def __init__(self, tokens: int, most_bytes: int | None, count: Counting | None) -> None:
        self.tokens, self.count = tokens, count
        self.most_bytes = _NO_LIMIT if most_bytes is None else most_bytes
        self.counted: dict[int, int] = {}
        self.short_of_bytes = False
        """A line had tokens left, and no bytes."""
        self.tokens_left = self.bytes_left = 0
        self.costs: dict[tuple[int, str], tuple[int, int]] = {}

    def start(self, rest: str) -> None:
        """All of the budget but what the last line takes."""
        # The same with and without a counter, so that stored counts give the same bytes.
        self.tokens_left = self.tokens - (_REST_TOKENS if rest else 0)
        self.bytes_left = self.most_bytes - count_bytes(rest)

    def take(self, line: Line, *, half: bool = False) -> bool:
        """Take a line if it fits; with `half` only into the first half of the budget."""
        tokens, length = self._cost(line)
        if half and (self.tokens_left - tokens < self.tokens // 2 or self.bytes_left - length < self.most_bytes // 2):
            return False
        if tokens > self.tokens_left or length > self.bytes_left:
            self.short_of_bytes = self.short_of_bytes or tokens <= self.tokens_left
            return False
        self.tokens_left -= tokens
        self.bytes_left -= length
        return True

    def _cost(self, line: Line) -> tuple[int, int]:
        known = self.costs.get((line.key, line.id))
        if known is not None:
            return known
        text = f"{index_line(line)}\n"
        length = count_bytes(text)
        tokens = line.tokens
        if tokens is None:
            tokens = self.count(text) if self.count else length
            if self.count:
                self.counted[line.key] = tokens
        self.costs[line.key, line.id] = tokens, length
        return tokens, length

    def holds(self, text: str) -> bool:
        """Whether the whole text is within the budget: counted anew where a line had to be counted."""
        if count_bytes(text) > self.most_bytes:
            return False
        return self.count is None or not self.counted or self.count(text) <= self.tokens


def _wider(total: int, tokens: int, most_bytes: int | None) -> str:
    """The option with a budget that should show all of it, or a large one; `most_bytes` where bytes were short.

    The same with and without stored counts.
    """
    unit, budget, each = "tokens", tokens, _USUAL_TOKENS
    if most_bytes is not None:
        unit, budget, each = "bytes", most_bytes, _USUAL_BYTES
    wanted = -(-max(total * each, budget + 1) // 500) * 500
    most = _MANY_TOKENS * each // _USUAL_TOKENS
    return f"--{unit} {wanted if wanted <= most or budget >= most else most}"


def _rest(left_out: int, wider: str) -> str:
    entries = "1 more entry is" if left_out == 1 else f"{left_out} more entries are"
    return f"{entries} not shown. See `remember-me list`, `remember-me search WORDS` or `remember-me index {wider}`.\n"


def _nothing_fits(total: int, wider: str) -> str:
    entries = "The 1 entry does not fit" if total == 1 else f"None of {total} entries fits"
    return (
        f"{entries} into this budget. See `remember-me list`, `remember-me search WORDS` or"
        f" `remember-me index {wider}`.\n"
    )


# From the cache

_AS_LINES = f"""
SELECT id, tag, title, coalesce(description, ''), '', signal, confidence, impact, scope, pinned, facet,
  CASE WHEN validated THEN '{STATED}' WHEN tag = '{Tag.HYPOTHESIS}' THEN '{GUESSED}'
    WHEN basis = '{Basis.OBSERVED}' THEN '{OBSERVED}' ELSE '{STATED}' END,
  coalesce(seen, ''), coalesce(created, ''), coalesce(aliases, ''), tokens, key, line
FROM entry WHERE id <> '' AND status = '{Status.ACTIVE}' AND (expires IS NULL OR expires >= ?)"""
"""Rows in the order of the fields of a line."""


def load_lines(
    db: sqlite3.Connection,
    now: datetime,
    limits: Limits,
    *,
    scopes: Sequence[str] | None = None,
    later_sessions: LaterSessions | None = None,
    keys: Sequence[int] | None = None,
) -> list[Line]:
    """The live entries of a fresh cache without their bodies, as they read at `now` (aware); with `keys` only those.

    Seen are entries without a scope and those of `scopes`; all where that is None. Hypotheses that are due for
    discard, also by `later_sessions`, and entries whose `expires` lies before today are left out.
    """
    sql, values = _AS_LINES, [utc_date(now).isoformat()]
    if keys is not None:
        sql += f" AND key IN ({','.join(map(str, keys))})"
    if scopes is not None:
        sql += f" AND (scope IS NULL OR scope IN ({','.join('?' * (len(scopes) + 1))}))"
        values += ["", *scopes]
    lines: list[Line] = []
    for line in map(Line._make, db.execute(sql, values)):
        if line.tag != Tag.HYPOTHESIS:
            lines.append(line)
        elif (sure := _effective(line, now, limits, later_sessions)) is not None:
            lines.append(line._replace(confidence=sure))
    return lines


def _effective(line: Line, now: datetime, limits: Limits, later_sessions: LaterSessions | None) -> str | None:
    """How sure a hypothesis reads, or None where it is due for discard."""
    validated = "true" if line.known == STATED else ""
    fields = (("confidence", line.confidence or ""), ("validated", validated), ("reinforced", line.seen))
    entry = Entry(line.id, Tag.HYPOTHESIS, "", "", fields, "", 0, Tier.DAILY)
    later = later_sessions(line.scope, line.seen) if later_sessions is not None and line.seen else 0
    decayed = decide_decay(entry, now, limits, later_sessions=later)
    assert decayed is not None
    return None if decayed.due else decayed.effective.value


def load_bodies(db: sqlite3.Connection, lines: Iterable[Line]) -> list[Line]:
    """The same lines with their bodies."""
    return [line._replace(body=row[0]) if (row := _body(db, line.key)) is not None else line for line in lines]


def _body(db: sqlite3.Connection, key: int) -> tuple[str] | None:
    found: tuple[str] | None = db.execute("SELECT body FROM entry WHERE key = ?", (key,)).fetchone()
    return found
