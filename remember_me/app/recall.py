"""What an agent reads: the index, search, and the recall block, over the cache (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from remember_me.app.wiring import View
from remember_me.errors import InvalidInput, shorten
from remember_me.model.entry import Status, Tag, parse_date
from remember_me.recall.cache import Cache
from remember_me.recall.context import HOOK_LIMITS, LIMITS, Block, BlockLimits, Parts, compose, leading
from remember_me.recall.index import INDEX_TOKENS, Index, Line, build_index, index_line, load_bodies, load_lines
from remember_me.recall.search import Hit, Wanted
from remember_me.recall.tokens import count_bytes, token_counter

if TYPE_CHECKING:
    import sqlite3

    from remember_me.store.state import State

FEWEST_TOKENS = 1
MOST_TOKENS = 1_000_000


class Asked(NamedTuple):
    """What was asked of `index` and `recall`. `tokens` is the budget of the index, `most_bytes` that of the whole
    answer; None is the default. `scopes` None is every project."""

    tokens: int | None = None
    most_bytes: int | None = None
    scopes: tuple[str, ...] | None = None
    prompt: str = ""


class Cost(NamedTuple):
    """What an entry costs: tokens of its line in the index, and of all of it. `exact` is False without a vocabulary."""

    line: Line
    in_index: int
    in_full: int


class Costs(NamedTuple):
    """Where a budget goes, the largest first; the sums are of all entries."""

    costs: tuple[Cost, ...]
    entries: int
    in_index: int
    in_full: int
    exact: bool


def search(view: View, wanted: Wanted) -> list[Hit]:
    """The entries and passages that answer a query best."""
    from remember_me.recall import search as engine

    with Cache(view.reader).fresh() as db:
        return engine.search(db, wanted)


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
    found = Wanted(
        query,
        limit or Wanted._field_defaults["limit"],
        scopes,
        tuple(_choice(tag.upper(), tuple(Tag), "tag") for tag in tags),
        tuple(_choice(status, tuple(Status), "status") for status in statuses),
    )
    return found if since is None else found._replace(since=_day(since))


def _choice(given: str, choices: tuple[str, ...], what: str) -> str:
    if given not in choices:
        raise InvalidInput(f"{shorten(given)} is no {what}.", hint=f"Possible are {', '.join(choices)}.")
    return given


def _day(given: str) -> date:
    day = parse_date(given)
    if day is None or len(given) != len("2026-11-29"):
        raise InvalidInput(f"{shorten(given)} is no date.", hint="Write it as YYYY-MM-DD.")
    return day


def index(view: View, state: State, environ: Mapping[str, str], asked: Asked) -> Index:
    """The index within its budget; tokens that had to be counted are kept in the cache."""
    cache = Cache(view.reader)
    with cache.fresh() as db:
        listed = _listed(db, view, state, asked.scopes)
        tokens = INDEX_TOKENS if asked.tokens is None else asked.tokens
        count = counting(listed, tokens, environ)
        found = build_index(listed, tokens, most_bytes=asked.most_bytes, count=count)
        _keep_tokens(cache, db, found.counted, count)
        return found


def recall(view: View, state: State, environ: Mapping[str, str], asked: Asked) -> Block:
    """The block that an agent reads: profile, pinned entries, index, and what the prompt brings to mind."""
    from remember_me.recall.trigger import Stock, match

    limits = _limits(asked)
    cache = Cache(view.reader)
    with cache.fresh() as db:
        listed = _listed(db, view, state, asked.scopes)
        first = {line.id: line for line in load_bodies(db, leading(listed))}
        lines = [first.get(line.id, line) for line in listed]
        hits = match(Stock(listed), asked.prompt, limits.triggered, tuple(first)) if asked.prompt.strip() else []
        triggered = load_bodies(db, [hit.line for hit in hits])
        count = counting(listed, limits.index_tokens, environ)
        block = compose(Parts(lines, triggered), limits, count)
        _keep_tokens(cache, db, block.counted, count)
        if limits == LIMITS and not asked.prompt and asked.scopes:
            _keep_for_hook(cache, db, view, Parts(lines), asked.scopes, count)
        return block


def _keep_tokens(cache: Cache, db: sqlite3.Connection, counted: Mapping[int, int], count: Counting | None) -> None:
    if count is not None and count.exact:
        cache.keep_tokens(db, counted)


def _keep_for_hook(
    cache: Cache,
    db: sqlite3.Connection,
    view: View,
    parts: Parts,
    scopes: tuple[str, ...],
    count: Callable[[str], int] | None,
) -> None:
    """Render the block of a project for the hook, which has no time for it."""
    from remember_me.recall.blocks import keep_block

    block = compose(parts, HOOK_LIMITS, count)
    keep_block(cache, db, scopes[0], block.text, block.shown, view.now)


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
    with Cache(view.reader).fresh() as db:
        lines = load_bodies(db, _listed(db, view, state, scopes))
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


def moment_of(given: str, zone: datetime) -> datetime:
    """The end of that day, in the zone of `zone`. Raises InvalidInput."""
    day = _day(given)
    return datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=zone.tzinfo)
