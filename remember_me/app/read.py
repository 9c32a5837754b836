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
    since = _since(wanted.since)
    tags = _tags(wanted.tags)
    _check(wanted.status, tuple(Status), "status")
    _check(wanted.tier, tuple(Tier), "tier")
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


def _since(text: str | None) -> date | None:
    if text is None:
        return None
    day = parse_date(text)
    if day is None:
        raise InvalidInput(f"{shorten(text)} is no date.", hint="Write it as YYYY-MM-DD.")
    return day


def _tags(given: Iterable[str]) -> frozenset[str]:
    wanted = frozenset(tag.upper() for tag in given)
    for tag in wanted:
        _check(tag, tuple(Tag), "tag")
    return wanted


def _check(value: str | None, choices: tuple[str, ...], what: str) -> None:
    if value is not None and value not in choices:
        raise InvalidInput(f"{shorten(value)} is no {what}.", hint=f"Possible are {', '.join(choices)}.")
