"""What the long-term note has room for: its size in tokens, what fits, and what would have to leave it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from remember_me.app.promotion import PromotionRow
from remember_me.model.entry import Entry, Signal
from remember_me.notes.longterm import NEW_LONG_TERM_NOTE, Placed, insert_entries, remove_entries
from remember_me.notes.note import Note, encode
from remember_me.policy.decay import last_seen_on
from remember_me.recall.tokens import count_bytes, token_counter
from remember_me.store.moves import promoted_fields
from remember_me.store.shape import Shape

_REINFORCED_TOKENS = 20
"""What a line `reinforced` adds to an entry, at most."""


class Room(NamedTuple):
    """`promote` are the rows that fit, `held` those that do not. `tokens` is the size that the note will have, at most;
    exact where that matters. `demote` are the entries that would have to leave it, the least important first."""

    promote: tuple[PromotionRow, ...]
    held: tuple[PromotionRow, ...]
    tokens: int
    limit: int
    demote: tuple[Entry, ...] = ()


def fit(
    shape: Shape,
    note: Note | None,
    due: Sequence[PromotionRow],
    *,
    leaving: set[str],
    reinforced: int,
    limit: int,
    environ: Mapping[str, str],
) -> Room:
    """Which of the rows `due` fit into the long-term note below `limit` tokens, those that matter most first.

    `leaving` are ids that leave it in the same operation, `reinforced` is the number of entries that get a line more.
    """
    path = "MEMORY.md" if note is None else note.path
    text = NEW_LONG_TERM_NOTE if note is None and due else "" if note is None else note.text
    if note is not None:
        text = remove_entries(note, [n for n, entry in enumerate(note.entries) if entry.id in leaving])
    standing = shape.parse(path, encode(text))
    rows = sorted(due, key=_order)
    more = reinforced * _REINFORCED_TOKENS
    whole = _with(standing, rows)
    if count_bytes(whole) + more <= limit:
        return Room(tuple(rows), (), count_bytes(whole) + more, limit)
    count = token_counter(environ).count
    chosen, held = _choose(standing, rows, limit - more, count)
    tokens = count(_with(standing, chosen)) + more
    while tokens > limit and chosen:
        held.insert(0, chosen.pop())
        tokens = count(_with(standing, chosen)) + more
    demote = tuple(_to_demote(standing.entries, held, tokens, limit, count))
    return Room(tuple(chosen), tuple(held), tokens, limit, demote)


def _choose(
    standing: Note, rows: Sequence[PromotionRow], limit: int, count: Callable[[str], int]
) -> tuple[list[PromotionRow], list[PromotionRow]]:
    """The rows that fit by their own sizes; a smaller one may fit where a larger one did not."""
    chosen: list[PromotionRow] = []
    held: list[PromotionRow] = []
    tokens = count(standing.text)
    for row in rows:
        cost = _cost(row.entry, count)
        (chosen if tokens + cost <= limit else held).append(row)
        tokens += cost if tokens + cost <= limit else 0
    return chosen, held


def _with(standing: Note, rows: Iterable[PromotionRow]) -> str:
    placed = [Placed(row.entry, promoted_fields(row.entry)) for row in rows]
    return insert_entries(standing, placed) if placed else standing.text


def _cost(entry: Entry, count: Callable[[str], int]) -> int:
    from remember_me.notes.longterm import render_long_term_entry

    return count(render_long_term_entry(Placed(entry, promoted_fields(entry)), "\n") + "\n")


def _order(row: PromotionRow) -> tuple[bool, int, str, int]:
    entry = row.entry
    return (*_rank(entry), entry.note, entry.line)


def _rank(entry: Entry) -> tuple[bool, int]:
    """What matters more comes first: boundaries, then impact."""
    return entry.signal != Signal.BOUNDARY, -entry.impact


def _to_demote(
    entries: Iterable[Entry], held: Sequence[PromotionRow], tokens: int, limit: int, count: Callable[[str], int]
) -> Iterable[Entry]:
    """What matters least, until the note is below its limit and has room for what is held and matters more.

    Never what is pinned, and no boundary.
    """
    candidates = [entry for entry in entries if entry.live and not entry.pinned and entry.signal != Signal.BOUNDARY]
    candidates.sort(key=lambda entry: (entry.impact, str(last_seen_on(entry) or ""), entry.line))
    free = limit - tokens
    waiting = [(row.entry, _cost(row.entry, count)) for row in held]
    for entry in candidates:
        missing = next((one for one, cost in waiting if _rank(one) < _rank(entry)), None)
        if free >= 0 and missing is None:
            return
        yield entry
        free += _cost(entry, count)
        while waiting and free >= waiting[0][1]:
            free -= waiting.pop(0)[1]
