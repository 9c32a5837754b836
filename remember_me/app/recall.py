"""What an agent reads: the index, search, and the recall block, over the cache (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from remember_me.app.read import check_choice, check_tags, parse_day
from remember_me.app.wiring import View
from remember_me.errors import InvalidInput
from remember_me.model.entry import Status
from remember_me.policy.decay import utc_date
from remember_me.recall.cache import Cache
from remember_me.recall.context import (
    HOOK_LIMITS,
    LIMITS,
    Block,
    BlockLimits,
    Parts,
    Standing,
    complete,
    compose,
    compose_standing,
    leading,
)
from remember_me.recall.index import INDEX_TOKENS, Index, Line, build_index, load_bodies, load_lines
from remember_me.recall.line import index_line
from remember_me.recall.search import HITS, Hit, Wanted
from remember_me.recall.tokens import count_bytes, token_counter

if TYPE_CHECKING:
    import sqlite3

    from remember_me.store.state import State


class Asked(NamedTuple):
    """What was asked of `index` and `recall`. `tokens` is the budget of the index, `most_bytes` that of the whole
    answer; None is the default. `scopes` None is every project. `known` is the etag of a block that the reader has."""

    tokens: int | None = None
    most_bytes: int | None = None
    scopes: tuple[str, ...] | None = None
    prompt: str = ""
    known: str | None = None


class Cost(NamedTuple):
    """What an entry costs: tokens of its line in the index, and of all of it."""

    line: Line
    in_index: int
    in_full: int


class Costs(NamedTuple):
    """Where a budget goes, the largest first; the sums are of all entries. `exact` is False without a vocabulary."""

    costs: tuple[Cost, ...]
    entries: int
    in_index: int
    in_full: int
    exact: bool


def search(view: View, wanted: Wanted) -> list[Hit]:
    """The entries and passages that answer a query best."""
    from remember_me.recall import search as engine

    return Cache(view.reader).answer(lambda db: engine.search(db, wanted))


def wanted_of(
    query: str,
    *,
    tags: Iterable[str],
    scopes: tuple[str, ...] | None,
    statuses: Iterable[str],
    since: str | None,
    limit: int | None,
) -> Wanted:
    """The search that was asked for. Raises InvalidInput for no words, and for one that is no tag, status or date."""
    if not query.strip():
        raise InvalidInput("There is nothing to look for.", hint="Give one word or more.")
    return Wanted(
        query,
        limit or HITS,
        scopes,
        check_tags(tags),
        tuple(check_choice(status, tuple(Status), "status") for status in statuses),
        None if since is None else parse_day(since),
    )


def index(view: View, state: State, environ: Mapping[str, str], asked: Asked) -> Index:
    """The index within its budget; tokens that had to be counted are kept in the cache."""
    cache = Cache(view.reader)
    tokens = INDEX_TOKENS if asked.tokens is None else asked.tokens

    def build(db: sqlite3.Connection) -> Index:
        listed = _listed(db, view, state, asked.scopes)
        count = counting(listed, tokens, environ)
        found = build_index(listed, tokens, most_bytes=asked.most_bytes, count=count)
        _keep_tokens(cache, db, found.counted, count)
        return found

    return cache.answer(build)


def recall(view: View, state: State, environ: Mapping[str, str], asked: Asked) -> Block:
    """The block that an agent reads: profile, pinned entries, index, and what the prompt brings to mind."""
    limits = _limits(asked)
    cache = Cache(view.reader)

    def build(db: sqlite3.Connection) -> Block:
        standing = _standing(cache, db, view, state, environ, asked, limits)
        triggered = _triggered(db, view, state, asked, limits.triggered, standing.full)
        return complete(standing, triggered, limits, known=asked.known)

    return cache.answer(build)


def recall_for_file(view: View, state: State, environ: Mapping[str, str], asked: Asked) -> Block:
    """The block for a file that stands before any prompt: nothing is kept free for what one brings to mind."""
    limits = _limits(asked)._replace(triggered=0)
    cache = Cache(view.reader)
    return complete(cache.answer(lambda db: _standing(cache, db, view, state, environ, asked, limits)), limits=limits)


def _standing(
    cache: Cache,
    db: sqlite3.Connection,
    view: View,
    state: State,
    environ: Mapping[str, str],
    asked: Asked,
    limits: BlockLimits,
) -> Standing:
    """What the block says with any prompt: as it was kept, or made and kept."""
    from remember_me.recall import blocks

    form = repr((utc_date(view.now).isoformat(), asked.scopes, limits, view.limits, state.stamp()))
    kept = blocks.load_standing(db, form)
    if kept is not None:
        return kept
    listed = _listed(db, view, state, asked.scopes)
    first = {line.id: line for line in load_bodies(db, leading(listed))}
    parts = Parts([first.get(line.id, line) for line in listed])
    count = counting(listed, limits.index_tokens, environ)
    standing = compose_standing(parts, limits, count)
    _keep_tokens(cache, db, standing.counted, count)
    for_hook = None
    if limits == LIMITS and asked.scopes:
        block = compose(parts, HOOK_LIMITS, count)
        sure = tuple((line.key, line.confidence) for line in listed if line.confidence is not None)
        for_hook = blocks.Kept(asked.scopes[0], block.text, block.shown, sure)
    if count is None or count.exact:
        blocks.keep_standing(cache, db, form, standing)
    if for_hook is not None:
        blocks.keep_block(cache, db, for_hook, view.now)
    return standing


def _triggered(
    db: sqlite3.Connection, view: View, state: State, asked: Asked, most: int, shown: Sequence[str]
) -> list[Line]:
    """What the prompt brings to mind, best first, with bodies; nothing that is `shown` anyway."""
    if not asked.prompt.strip():
        return []
    from remember_me.recall.stock import Known, Stock
    from remember_me.recall.trigger import match

    later = state.session_days().later

    def lines(keys: Sequence[int]) -> list[Line]:
        return load_lines(db, view.now, view.limits, scopes=asked.scopes, later_sessions=later, keys=keys)

    def sure(known: Known) -> str | None:
        return next((line.confidence for line in lines([known.key])), None)

    hits = match(Stock(db, asked.scopes, utc_date(view.now).isoformat(), sure), asked.prompt, most, shown)
    by_key = {line.key: line for line in lines([hit.known.key for hit in hits])}
    return load_bodies(db, [by_key[hit.known.key] for hit in hits])


def _keep_tokens(cache: Cache, db: sqlite3.Connection, counted: Mapping[int, int], count: Counting | None) -> None:
    if count is not None and count.exact:
        cache.keep_tokens(db, counted)


def _listed(db: sqlite3.Connection, view: View, state: State, scopes: tuple[str, ...] | None) -> list[Line]:
    later = state.session_days().later
    return load_lines(db, view.now, view.limits, scopes=scopes, later_sessions=later)


def _limits(asked: Asked) -> BlockLimits:
    limits = LIMITS
    if asked.tokens is not None:
        limits = limits._replace(index_tokens=asked.tokens)
    if asked.most_bytes is not None:
        limits = limits._replace(block_bytes=asked.most_bytes)
    return limits


class Counting:
    """Counts tokens; the vocabulary, a third of a second, is loaded for the first text. `exact` is False where there is
    none: such counts are not to be kept."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.exact = True

    def __call__(self, text: str) -> int:
        counter = token_counter(self.environ)
        self.exact = counter.exact
        return counter.count(text)


def counting(lines: Sequence[Line], tokens: int, environ: Mapping[str, str]) -> Counting | None:
    """What counts tokens, or None where the bytes settle it."""
    upper = 0
    for line in lines:
        upper += line.tokens if line.tokens is not None else count_bytes(index_line(line)) + 1
        if upper > tokens:
            return Counting(environ)
    return None


def costs(view: View, state: State, environ: Mapping[str, str], scopes: tuple[str, ...] | None) -> Costs:
    """What each entry costs in the index and in full, the largest first."""
    counter = token_counter(environ)
    lines = Cache(view.reader).answer(lambda db: load_bodies(db, _listed(db, view, state, scopes)))
    found = [
        Cost(line, counter.count(f"{index_line(line)}\n"), counter.count(f"{line.title}\n{line.body}\n"))
        for line in lines
    ]
    found.sort(key=lambda cost: (-cost.in_full, cost.line.id))
    return Costs(
        tuple(found),
        len(found),
        sum(cost.in_index for cost in found),
        sum(cost.in_full for cost in found),
        counter.exact,
    )


def moment_of(given: str, now: datetime) -> datetime:
    """The end of that day, in the zone of `now`. Raises InvalidInput, also for a day that has not come yet."""
    day = parse_day(given)
    if day > now.date():
        raise InvalidInput(f"{day} has not come yet.", hint="Leave the date out for today.")
    return datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=now.tzinfo)
