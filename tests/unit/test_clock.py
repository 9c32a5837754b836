"""Times as people write them: what is one, what is an impossible one, and what is none."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.notes.clock import ZONE_HOURS, looks_like_stamp, parse_stamp, render_clock, render_offset, zone


def hours(count: float) -> timezone:
    return timezone(timedelta(hours=count))


@pytest.mark.parametrize(
    ("text", "on", "clock", "offset"),
    [
        ("14:32", None, time(14, 32), None),
        ("9:05", None, time(9, 5), None),
        ("00:00", None, time(0, 0), None),
        ("23:59:59", None, time(23, 59, 59), None),
        ("14:32 +01:00", None, time(14, 32), hours(1)),
        ("14:32+01:00", None, time(14, 32), hours(1)),
        ("14:32 -0330", None, time(14, 32), hours(-3.5)),
        ("14:32 +05:45", None, time(14, 32), hours(5.75)),
        ("14:32 +14:00", None, time(14, 32), hours(14)),
        ("14:32 Z", None, time(14, 32), UTC),
        ("14:32Z", None, time(14, 32), UTC),
        ("09:14 CET", None, time(9, 14), hours(1)),
        ("09:14 CEST", None, time(9, 14), hours(2)),
        ("09:14 UTC+1", None, time(9, 14), hours(1)),
        ("09:14 GMT-11", None, time(9, 14), hours(-11)),
        ("09:14 IST", None, time(9, 14), hours(5.5)),
        ("2026-11-29", date(2026, 11, 29), None, None),
        ("2024-02-29", date(2024, 2, 29), None, None),
        ("2026-11-29 14:32", date(2026, 11, 29), time(14, 32), None),
        ("2026-11-29T14:32:58+01:00", date(2026, 11, 29), time(14, 32, 58), hours(1)),
        ("2026-11-29 14:32 +01:00", date(2026, 11, 29), time(14, 32), hours(1)),
    ],
)
def test_times(text: str, on: date | None, clock: time | None, offset: timezone | None) -> None:
    assert parse_stamp(text) == (on, clock, offset)
    assert looks_like_stamp(text)


@pytest.mark.parametrize(
    "text",
    [
        "24:00", "25:61", "12:60", "12:30:60", "2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01",
        "2026-11-29 24:00",
        "14:32 +24:00", "14:32 +99:99", "14:32 XYZ", "14:32 UTC+25", "14:32 MEZ", "2:32 PM",
    ],
)  # fmt: skip
def test_impossible_times_look_like_one_and_are_none(text: str) -> None:
    assert parse_stamp(text) is None
    assert looks_like_stamp(text)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "x", " 14:32", "14:32 ", "14", "14:3", "014:32", "14.32", "14:32pm", "14:32  +01:00",
        "14:32 +1",
        "14:32 cet", "Z", "CET", "+01:00", "29/11", "2026-1-1", "2026-11-29x", "tomorrow", "١٤:٣٢", "14:32\n",
        "14:32 CET CET", "14:32 TOOLONG",
    ],
)  # fmt: skip
def test_no_times(text: str) -> None:
    assert parse_stamp(text) is None
    assert not looks_like_stamp(text)


@given(st.text(max_size=40))
def test_no_text_raises(text: str) -> None:
    stamp = parse_stamp(text)
    assert stamp is None or looks_like_stamp(text)


@given(st.datetimes(timezones=st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))))
def test_what_is_written_reads_back(at: datetime) -> None:
    stamp = parse_stamp(render_clock(at))
    assert stamp is not None
    assert (stamp.clock, stamp.on) == (time(at.hour, at.minute), None)
    assert datetime.combine(at.date(), at.time(), stamp.offset).utcoffset() == at.utcoffset()


@pytest.mark.parametrize(
    ("offset", "text"),
    [(hours(1), "+01:00"), (hours(-3.5), "-03:30"), (UTC, "+00:00"), (timezone(timedelta(seconds=-1172)), "-00:20")],
)
def test_render_offset(offset: timezone, text: str) -> None:
    assert render_offset(datetime(2026, 11, 29, tzinfo=offset)) == text


@pytest.mark.parametrize("name", sorted(ZONE_HOURS))
def test_every_zone_of_the_table_is_possible(name: str) -> None:
    stamp = parse_stamp(f"12:00 {name}")
    assert stamp is not None
    assert stamp.offset is not None
    assert stamp.offset.utcoffset(None) == timedelta(hours=ZONE_HOURS[name])


def test_a_zone_by_its_name_knows_summer_and_winter() -> None:
    rome = zone("Europe/Rome")
    assert rome is not None
    assert datetime(2026, 7, 1, tzinfo=rome).utcoffset() == timedelta(hours=2)
    assert datetime(2026, 12, 1, tzinfo=rome).utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize(
    "name",
    ["Nowhere/Town", "", ".", "..", "../etc", "/etc/localtime", "Europe", "Europe/", "a\0b", "\udc80", "é", "x" * 5000],
)
def test_an_unknown_zone_is_none(name: str) -> None:
    assert zone(name) is None
