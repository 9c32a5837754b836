"""Times as people write them in notes: `14:32 +01:00`, `09:14 CET`, `2026-11-29 14:32`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

_STAMP = re.compile(
    r"(?:(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]|\Z))?"
    r"(?:(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?)?"
    r"(?:[ ]?(?P<offset>[+-][0-9]{2}:?[0-9]{2}|Z)|[ ](?P<zone>[A-Z]{2,5}(?:[+-][0-9]{1,2})?))?\Z"
)

ZONE_HOURS = {
    "UTC": 0.0, "GMT": 0.0, "WET": 0.0, "WEST": 1.0, "BST": 1.0, "CET": 1.0, "CEST": 2.0, "EET": 2.0, "EEST": 3.0,
    "MSK": 3.0, "IST": 5.5, "JST": 9.0, "KST": 9.0, "AEST": 10.0, "AEDT": 11.0, "NZST": 12.0, "NZDT": 13.0,
    "EST": -5.0, "EDT": -4.0, "CST": -6.0, "CDT": -5.0, "MST": -7.0, "MDT": -6.0, "PST": -8.0, "PDT": -7.0,
}  # fmt: skip
"""Zone names that the skill's form uses, in hours east of UTC: a fixed table, so a note reads the same anywhere."""


class Stamp(NamedTuple):
    """A time as written. `on` is None where it says no date, `clock` where it says no time of day."""

    on: date | None
    clock: time | None
    offset: tzinfo | None


def parse_stamp(text: str) -> Stamp | None:
    """Read what stands in an entry's brackets; None if it is no time or an impossible one."""
    match = _STAMP.match(text)
    if match is None or not (match["date"] or match["hour"]):
        return None
    try:
        on = date.fromisoformat(match["date"]) if match["date"] else None
        clock = time(int(match["hour"]), int(match["minute"]), int(match["second"] or 0)) if match["hour"] else None
        offset = _offset(match["offset"], match["zone"])
    except ValueError:
        return None
    return Stamp(on, clock, offset)


def looks_like_stamp(text: str) -> bool:
    """Whether the brackets hold a time in form, possible or not (`25:61` is shown as written)."""
    match = _STAMP.match(text)
    return match is not None and bool(match["date"] or match["hour"])


@lru_cache(maxsize=256)
def _offset(offset: str | None, zone: str | None) -> tzinfo | None:
    if offset == "Z":
        return UTC
    if offset:
        digits = offset[1:].replace(":", "")
        delta = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
        return timezone(-delta if offset[0] == "-" else delta)
    if zone is None:
        return None
    match = re.match(r"([A-Z]+)([+-][0-9]{1,2})?\Z", zone)
    if match is None or match[1] not in ZONE_HOURS:
        raise ValueError(zone)  # another zone instead would be a guess
    return timezone(timedelta(hours=ZONE_HOURS[match[1]] + int(match[2] or 0)))


def zone(name: str) -> tzinfo | None:
    """The time zone `name` (`Europe/Rome`), or None where it is unknown here."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def render_clock(at: datetime) -> str:
    """`14:32 +01:00`, the form that a daily entry carries."""
    return f"{at:%H:%M} {render_offset(at)}"


def render_offset(at: datetime) -> str:
    """`+01:00`. `at` is aware."""
    delta = at.utcoffset() or timedelta(0)
    minutes = round(delta.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
