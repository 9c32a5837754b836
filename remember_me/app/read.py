"""Read the list of entries."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple

from remember_me.errors import InvalidInput, shorten
from remember_me.model.entry import Entry, Status, Tag, Tier, parse_date, same_word
from remember_me.store.reader import Reader

_FIRST_DAY = datetime(1, 1, 2)


class Filter(NamedTuple):
    """Which entries `list` shows. Empty means all; `all_states` also shows what is not live."""

    tags: tuple[str, ...] = ()
    scope: str | None = None
    status: str | None = None
    tier: str | None = None
    since: str | None = None
    pinned: bool = False
    all_states: bool = False


def list_entries(reader: Reader, wanted: Filter) -> list[Entry]:
    """The entries that fit, pinned ones first, then the newest first."""
    since = None if wanted.since is None else parse_day(wanted.since)
    tags = frozenset(check_tags(wanted.tags))
    for value, choices, what in ((wanted.status, Status, "status"), (wanted.tier, Tier, "tier")):
        if value is not None:
            check_choice(value, tuple(choices), what)
    found = [entry for entry in reader.entries() if _fits(entry, wanted, tags, since)]
    return sorted(found, key=_order)


def _fits(entry: Entry, wanted: Filter, tags: frozenset[str], since: date | None) -> bool:
    if wanted.status is not None:
        if entry.status != wanted.status:
            return False
    elif not (wanted.all_states or entry.live):
        return False
    return (
        (not tags or entry.tag in tags)
        and (wanted.scope is None or (entry.scope is not None and same_word(entry.scope, wanted.scope)))
        and (wanted.tier is None or entry.tier == wanted.tier)
        and (not wanted.pinned or entry.pinned)
        and (since is None or (entry.created_on is not None and entry.created_on >= since))
    )


def _order(entry: Entry) -> tuple[bool, int, float, str, int]:
    day = entry.created_on.toordinal() if entry.created_on else 0
    clock = entry.created_at
    seconds = (clock.replace(tzinfo=None) - _FIRST_DAY).total_seconds() if clock else 0.0
    return not entry.pinned, -day, -seconds, entry.note, -entry.line


def parse_day(given: str) -> date:
    """A day as typed. Raises InvalidInput."""
    day = parse_date(given)
    if day is None or len(given) != len("2026-11-29"):
        raise InvalidInput(f"{shorten(given)} is no date.", hint="Write it as YYYY-MM-DD.")
    return day


def check_tags(given: Iterable[str]) -> tuple[str, ...]:
    """Tags as typed, in capitals. Raises InvalidInput."""
    return tuple(check_choice(tag.upper(), tuple(Tag), "tag") for tag in given)


def check_choice(given: str, choices: tuple[str, ...], what: str) -> str:
    """`given`, which must be one of the choices. Raises InvalidInput."""
    if given not in choices:
        raise InvalidInput(f"{shorten(given)} is no {what}.", hint=f"Possible are {', '.join(choices)}.")
    return given
