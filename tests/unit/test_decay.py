"""How a hypothesis fades, at each boundary and over every oddity of calendars and clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.entry import Confidence, Entry, Status, Tag, Tier
from remember_me.policy.decay import (
    Decayed,
    age_days,
    created_on_utc,
    decide_decay,
    effective_confidence,
    last_seen_on,
    raised,
)
from remember_me.policy.limits import Limits

HIGH, MEDIUM, LOW = Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW
BEGAN = date(2026, 3, 1)
LIMITS = Limits()


def guess(
    *fields: tuple[str, str], on: date | None = BEGAN, at: datetime | None = None, tag: Tag = Tag.HYPOTHESIS
) -> Entry:
    return Entry("k7m2pq", tag, "Likes tea", "", fields, "memory/2026-03-01.md", 1, Tier.DAILY, on, at)


def on_day(number: int, began: date = BEGAN) -> datetime:
    """Noon UTC, so many days later."""
    return datetime(began.year, began.month, began.day, 12, tzinfo=UTC) + timedelta(days=number)


def offset(hours: float) -> timezone:
    return timezone(timedelta(hours=hours))


TABLE = [
    (0, HIGH, MEDIUM, LOW, False),
    (1, HIGH, MEDIUM, LOW, False),
    (13, HIGH, MEDIUM, LOW, False),
    (14, MEDIUM, MEDIUM, LOW, False),
    (15, MEDIUM, MEDIUM, LOW, False),
    (29, MEDIUM, MEDIUM, LOW, False),
    (30, LOW, LOW, LOW, False),
    (31, LOW, LOW, LOW, False),
    (59, LOW, LOW, LOW, False),
    (60, LOW, LOW, LOW, True),
    (61, LOW, LOW, LOW, True),
    (20_000, LOW, LOW, LOW, True),
]
"""Days; how one written as high, medium and low reads; whether it is due for discard."""


@pytest.mark.parametrize("clock", [(0, 0), (0, 1), (12, 0), (23, 59)])
@pytest.mark.parametrize(("days", "high", "medium", "low", "due"), TABLE)
def test_each_level_at_each_boundary(
    days: int, high: Confidence, medium: Confidence, low: Confidence, due: bool, clock: tuple[int, int]
) -> None:
    now = on_day(days).replace(hour=clock[0], minute=clock[1])
    reasons = (f"{days} days without reinforcement",) if due else ()
    for stored, effective in ((HIGH, high), (MEDIUM, medium), (LOW, low)):
        entry = guess(("confidence", stored))
        assert decide_decay(entry, now, LIMITS) == Decayed(stored, effective, days, due, reasons)
        assert effective_confidence(entry, now, LIMITS) == effective.value


@pytest.mark.parametrize("written", [[], [("confidence", "certain")], [("confidence", "")], [("confidence", "HIGH")]])
def test_without_a_readable_level_it_is_low(written: list[tuple[str, str]]) -> None:
    assert decide_decay(guess(*written), on_day(0), LIMITS) == Decayed(LOW, LOW, 0, False, ())


@pytest.mark.parametrize("tag", [Tag.FACT, Tag.PREFERENCE, Tag.GOAL])
def test_only_a_hypothesis_decays(tag: Tag) -> None:
    entry = guess(("confidence", "high"), tag=tag)
    assert decide_decay(entry, on_day(1000), LIMITS, later_sessions=100) is None
    assert effective_confidence(entry, on_day(1000), LIMITS) is None


# UTC dates


@pytest.mark.parametrize(
    ("created", "now", "age"),
    [
        # One minute on each side of midnight UTC is one day.
        ("2026-03-01T23:59:00+00:00", "2026-03-02T00:00:00+00:00", 1),
        ("2026-03-01T00:00:00+00:00", "2026-03-01T23:59:59+00:00", 0),
        # East of UTC the date is that of the evening before.
        ("2026-03-02T00:30:00+01:00", "2026-03-01T23:45:00+00:00", 0),
        ("2026-03-02T00:30:00+01:00", "2026-03-02T00:00:00+00:00", 1),
        ("2026-03-02T01:00:00+01:00", "2026-03-02T23:59:00+00:00", 0),
        # West of UTC it is that of the morning after.
        ("2026-03-01T20:00:00-05:00", "2026-03-02T12:00:00+00:00", 0),
        ("2026-03-01T18:59:00-05:00", "2026-03-02T12:00:00+00:00", 1),
        # The moment of now counts in UTC too.
        ("2026-03-01T12:00:00+00:00", "2026-03-02T00:30:00+01:00", 0),
        ("2026-03-01T12:00:00+00:00", "2026-03-01T19:00:00-05:00", 1),
        ("2026-03-01T12:00:00+14:00", "2026-03-01T12:00:00-12:00", 2),
        # Both changes of the clock in Europe: each day is one day, also those of 23 and of 25 hours.
        ("2026-03-28T12:00:00+01:00", "2026-03-29T12:00:00+02:00", 1),
        ("2026-03-28T23:30:00+01:00", "2026-03-29T23:30:00+02:00", 1),
        ("2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00", 0),
        ("2026-03-29T00:30:00+01:00", "2026-03-30T01:30:00+02:00", 1),
        ("2026-03-29T01:30:00+01:00", "2026-03-30T01:30:00+02:00", 0),
        ("2026-10-24T12:00:00+02:00", "2026-10-25T12:00:00+01:00", 1),
        ("2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", 0),
        ("2026-10-25T01:30:00+02:00", "2026-10-25T01:30:00+01:00", 1),
        ("2026-10-25T00:30:00+02:00", "2026-11-07T00:30:00+01:00", 13),
        ("2026-10-25T00:30:00+02:00", "2026-11-07T01:00:00+01:00", 14),
        # Months, years and the leap day.
        ("2026-01-31T12:00:00+00:00", "2026-02-01T12:00:00+00:00", 1),
        ("2026-01-31T12:00:00+00:00", "2026-03-01T12:00:00+00:00", 29),
        ("2026-02-28T12:00:00+00:00", "2026-03-01T12:00:00+00:00", 1),
        ("2028-02-28T12:00:00+00:00", "2028-03-01T12:00:00+00:00", 2),
        ("2028-02-29T12:00:00+00:00", "2028-03-30T12:00:00+00:00", 30),
        ("2028-02-29T12:00:00+00:00", "2029-02-28T12:00:00+00:00", 365),
        ("2026-12-31T23:59:59+00:00", "2027-01-01T00:00:00+00:00", 1),
        ("1900-02-28T12:00:00+00:00", "1900-03-01T12:00:00+00:00", 1),
        # The clock was set back, or a note comes from the future.
        ("2026-03-02T12:00:00+00:00", "2026-03-01T12:00:00+00:00", 0),
        ("2026-03-02T12:00:00+00:00", "1970-01-01T00:00:00+00:00", 0),
        ("9999-12-31T12:00:00+00:00", "2026-03-01T12:00:00+00:00", 0),
        # A stamp without an offset counts as it is written, whatever the local date would be.
        ("2026-03-01T23:59:00", "2026-03-02T00:00:00+00:00", 1),
        ("2026-03-01T00:00:00", "2026-03-01T23:59:00+00:00", 0),
    ],
)
def test_age_in_days_of_utc(created: str, now: str, age: int) -> None:
    began = datetime.fromisoformat(created)
    entry = guess(("confidence", "high"), on=began.date(), at=began)
    moment = datetime.fromisoformat(now)
    assert age_days(entry, moment) == age
    decayed = decide_decay(entry, moment, LIMITS)
    assert decayed is not None
    assert (decayed.age_days, decayed.effective, decayed.due) == (
        age,
        HIGH if age < 14 else MEDIUM if age < 30 else LOW,
        age >= 60,
    )


ROME, APIA = ZoneInfo("Europe/Rome"), ZoneInfo("Pacific/Apia")


@pytest.mark.parametrize(
    ("created", "day"),
    [
        (datetime(2026, 3, 29, 0, 30, tzinfo=ROME), date(2026, 3, 28)),
        (datetime(2026, 3, 29, 1, 30, tzinfo=ROME), date(2026, 3, 29)),
        (datetime(2026, 3, 29, 2, 30, tzinfo=ROME), date(2026, 3, 29)),  # an hour that there never was
        (datetime(2026, 3, 30, 1, 30, tzinfo=ROME), date(2026, 3, 29)),
        (datetime(2026, 10, 25, 1, 30, tzinfo=ROME), date(2026, 10, 24)),
        (datetime(2026, 10, 25, 2, 30, tzinfo=ROME), date(2026, 10, 25)),
        (datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ROME), date(2026, 10, 25)),
        (datetime(2026, 10, 26, 0, 59, tzinfo=ROME), date(2026, 10, 25)),
        (datetime(2026, 10, 26, 1, 0, tzinfo=ROME), date(2026, 10, 26)),
        (datetime(2011, 12, 29, 23, 0, tzinfo=APIA), date(2011, 12, 30)),  # the day before the one that Samoa left out
        (datetime(2011, 12, 31, 0, 0, tzinfo=APIA), date(2011, 12, 30)),
    ],
)
def test_the_creation_in_a_zone_has_a_utc_date(created: datetime, day: date) -> None:
    entry = guess(at=created)
    assert created_on_utc(entry) == day
    assert last_seen_on(entry) == day
    assert age_days(entry, on_day(14, day).astimezone(ROME)) == 14


def test_a_date_without_a_time_counts_as_it_is_written() -> None:
    entry = guess(on=BEGAN)
    assert created_on_utc(entry) == BEGAN
    assert [age_days(entry, on_day(number)) for number in (0, 13, 14)] == [0, 13, 14]


def test_nothing_is_discarded_without_a_known_date() -> None:
    entry = guess(("confidence", "high"), on=None)
    assert (created_on_utc(entry), last_seen_on(entry), age_days(entry, on_day(0))) == (None, None, None)
    for now in (datetime(1, 1, 1, tzinfo=UTC), on_day(0), datetime(9999, 12, 31, 23, 59, tzinfo=UTC)):
        assert decide_decay(entry, now, LIMITS) == Decayed(HIGH, HIGH, None, False, ())


FIRST, LAST = date(1, 1, 1), date(9999, 12, 31)


@pytest.mark.parametrize("hours", [-12, -0.5, 0, 0.5, 14, 23.9])
@pytest.mark.parametrize(
    ("day", "clock", "age"),
    [(FIRST, (0, 0), (date(2026, 3, 1) - FIRST).days), (LAST, (23, 59), 0)],
)
def test_the_first_and_the_last_day_that_there_is(day: date, clock: tuple[int, int], age: int, hours: float) -> None:
    entry = guess(at=datetime(day.year, day.month, day.day, *clock, tzinfo=offset(hours)))
    assert abs((created_on_utc(entry) or date(2026, 1, 1)) - day) <= timedelta(days=1)
    found = age_days(entry, on_day(0))
    assert found is not None
    assert abs(found - age) <= 1
    decayed = decide_decay(entry, on_day(0), LIMITS)
    assert decayed is not None
    assert decayed.due is (day == FIRST)


@pytest.mark.parametrize(
    ("created", "day"),
    [
        (datetime(1, 1, 1, 0, 30, tzinfo=offset(1)), FIRST),
        (datetime(1, 1, 1, 0, 30, tzinfo=offset(-1)), FIRST),
        (datetime(9999, 12, 31, 23, 30, tzinfo=offset(-1)), LAST),
        (datetime(9999, 12, 31, 23, 30, tzinfo=offset(1)), LAST),
        (datetime(9999, 12, 31, 0, 30, tzinfo=offset(1)), date(9999, 12, 30)),
        (datetime(1, 1, 1, 23, 30, tzinfo=offset(-1)), date(1, 1, 2)),
        (datetime(1, 1, 1, 0, 0, tzinfo=ROME), FIRST),
        (datetime(9999, 12, 31, 23, 59, tzinfo=ZoneInfo("America/New_York")), LAST),
    ],
)
def test_beyond_the_calendar_the_local_date_stands(created: datetime, day: date) -> None:
    assert created_on_utc(guess(at=created)) == day


@pytest.mark.parametrize(
    "now", [datetime(1, 1, 1, 0, 30, tzinfo=offset(1)), datetime(9999, 12, 31, 23, 30, tzinfo=offset(-1))]
)
def test_a_moment_at_the_ends_of_the_calendar(now: datetime) -> None:
    """A moment need not be the clock's: `maintain` takes it from a note."""
    expected = 0 if now.year == 1 else (LAST - BEGAN).days
    assert age_days(guess(), now) == expected


def test_since_is_the_creation_also_where_the_head_has_a_time() -> None:
    """As a demotion writes it, or a person who copies an older entry into a later note."""
    entry = guess(("since", "2026-01-01"), on=date(2026, 1, 1), at=on_day(0))
    assert created_on_utc(entry) == date(2026, 1, 1)


# Reinforcement


@pytest.mark.parametrize(
    ("reinforced", "seen"),
    [
        ("2026-03-10, 2 sessions", date(2026, 3, 10)),
        ("2026-03-10", date(2026, 3, 10)),
        (" 2026-03-10 , 2 sessions", date(2026, 3, 10)),
        ("2026-03-10T23:30:00-05:00, 2 sessions", date(2026, 3, 10)),
        ("2026-03-01, 2 sessions", BEGAN),
        ("2026-02-01, 2 sessions", BEGAN),  # before the creation: a hand edit; the later of the two counts
        ("0001-01-01, 2 sessions", BEGAN),
        ("9999-12-31, 2 sessions", date(9999, 12, 31)),
        ("", BEGAN),
        ("yesterday", BEGAN),
        ("2026-02-30, 2 sessions", BEGAN),
        ("10.03.2026, 2 sessions", BEGAN),
        (", 2 sessions", BEGAN),
        ("2026-03-100", BEGAN),
    ],
)
def test_the_last_reinforcement_starts_the_clock_anew(reinforced: str, seen: date) -> None:
    entry = guess(("confidence", "high"), ("reinforced", reinforced))
    assert last_seen_on(entry) == seen
    assert age_days(entry, on_day(100)) == max(0, (date(2026, 6, 9) - seen).days)


def test_a_reinforcement_is_a_date_also_where_the_creation_has_none() -> None:
    entry = guess(("reinforced", "2026-03-10, 2 sessions"), on=None)
    assert last_seen_on(entry) == date(2026, 3, 10)
    assert age_days(entry, datetime(2026, 5, 9, tzinfo=UTC)) == 60


def test_a_reinforcement_in_the_future_counts_as_today_until_then() -> None:
    """The rule: a `reinforced` date that lies ahead gives the age 0, so nothing fades before it has passed."""
    entry = guess(("confidence", "high"), ("reinforced", "2026-12-24, 2 sessions"))
    christmas = date(2026, 12, 24)
    assert decide_decay(entry, on_day(61), LIMITS) == Decayed(HIGH, HIGH, 0, False, ())
    assert decide_decay(entry, on_day(0, christmas), LIMITS) == Decayed(HIGH, HIGH, 0, False, ())
    assert decide_decay(entry, on_day(14, christmas), LIMITS) == Decayed(HIGH, MEDIUM, 14, False, ())


@pytest.mark.parametrize(("days", "effective"), [(13, HIGH), (14, MEDIUM), (29, MEDIUM), (30, LOW)])
def test_the_boundaries_count_from_the_reinforcement(days: int, effective: Confidence) -> None:
    entry = guess(("confidence", "high"), ("reinforced", "2026-05-20, 2 sessions"))
    assert decide_decay(entry, on_day(days, date(2026, 5, 20)), LIMITS) == Decayed(HIGH, effective, days, False, ())


@pytest.mark.parametrize(("level", "above"), [(LOW, MEDIUM), (MEDIUM, HIGH), (HIGH, HIGH)])
def test_one_level_above(level: Confidence, above: Confidence) -> None:
    assert raised(level) is above


# Validated, ended, sessions, limits


@pytest.mark.parametrize("validated", ["2026-03-02", "true", "2030-01-01"])
@pytest.mark.parametrize("stored", [HIGH, MEDIUM, LOW])
def test_a_confirmed_one_is_high_for_ever(validated: str, stored: Confidence) -> None:
    entry = guess(("confidence", stored), ("validated", validated))
    for days in (0, 14, 30, 60, 100_000):
        decayed = decide_decay(entry, on_day(days), LIMITS, later_sessions=99)
        assert decayed == Decayed(stored, HIGH, days, False, ())


@pytest.mark.parametrize("validated", ["", "yes", "false", "soon", "2026-02-30"])
def test_what_is_no_date_confirms_nothing(validated: str) -> None:
    decayed = decide_decay(guess(("validated", validated)), on_day(60), LIMITS)
    assert decayed == Decayed(LOW, LOW, 60, True, ("60 days without reinforcement",))


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACTIVE])
def test_one_that_ended_is_not_due_again(status: Status) -> None:
    entry = guess(("confidence", "high"), ("status", status))
    assert decide_decay(entry, on_day(60), LIMITS, later_sessions=5) == Decayed(HIGH, LOW, 60, False, ())


@pytest.mark.parametrize(
    ("sessions", "reasons"),
    [
        (0, ()),
        (4, ()),
        (5, ("5 later sessions without validation",)),
        (6, ("6 later sessions without validation",)),
    ],
)
def test_later_sessions(sessions: int, reasons: tuple[str, ...]) -> None:
    decayed = decide_decay(guess(("confidence", "high")), on_day(1), LIMITS, later_sessions=sessions)
    assert decayed == Decayed(HIGH, HIGH, 1, bool(reasons), reasons)


def test_both_reasons_at_once() -> None:
    decayed = decide_decay(guess(), on_day(61), LIMITS, later_sessions=7)
    assert decayed is not None
    assert decayed.reasons == ("61 days without reinforcement", "7 later sessions without validation")


@pytest.mark.parametrize(
    ("limits", "days", "effective", "due"),
    [
        (Limits(fade_high_days=2), 1, HIGH, False),
        (Limits(fade_high_days=2), 2, MEDIUM, False),
        (Limits(fade_medium_days=20), 19, MEDIUM, False),
        (Limits(fade_medium_days=20), 20, LOW, False),
        (Limits(fade_high_days=40), 29, HIGH, False),
        (Limits(fade_high_days=40), 30, LOW, False),  # high never outlives medium
        (Limits(discard_days=3), 2, HIGH, False),
        (Limits(discard_days=3), 3, HIGH, True),
        (Limits(discard_days=90), 89, LOW, False),
        (Limits(discard_days=90), 90, LOW, True),
    ],
)
def test_changed_limits(limits: Limits, days: int, effective: Confidence, due: bool) -> None:
    reasons = (f"{days} days without reinforcement",) if due else ()
    assert decide_decay(guess(("confidence", "high")), on_day(days), limits) == Decayed(
        HIGH, effective, days, due, reasons
    )


@pytest.mark.parametrize(("sessions", "due"), [(1, False), (2, True), (3, True)])
def test_changed_limit_of_sessions(sessions: int, due: bool) -> None:
    limits = Limits(unvalidated_sessions=2)
    decayed = decide_decay(guess(), on_day(0), limits, later_sessions=sessions)
    assert decayed is not None
    assert decayed.due is due


def test_the_limits_are_those_of_the_design() -> None:
    assert Limits() == (14, 30, 60, 5, 2, 7, 7, 4000, 2)
    assert Limits._fields == (
        "fade_high_days",
        "fade_medium_days",
        "discard_days",
        "unvalidated_sessions",
        "promote_sessions",
        "reviewed_notes",
        "maintain_every_days",
        "long_term_tokens",
        "hypotheses_per_session",
    )


_RANK = {LOW: 0, MEDIUM: 1, HIGH: 2}
moments = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)).map(lambda at: at.replace(tzinfo=UTC))


@given(
    st.sampled_from([HIGH, MEDIUM, LOW]),
    st.datetimes(),
    st.integers(-14 * 60, 14 * 60),
    moments,
    moments,
)
def test_it_only_fades_and_never_overflows(
    stored: Confidence, created: datetime, minutes: int, one: datetime, other: datetime
) -> None:
    zone = timezone(timedelta(minutes=minutes))
    entry = guess(("confidence", stored), on=created.date(), at=created.replace(tzinfo=zone))
    earlier, later = (decide_decay(entry, now, LIMITS) for now in sorted((one, other)))
    assert earlier is not None
    assert later is not None
    assert _RANK[stored] >= _RANK[earlier.effective] >= _RANK[later.effective]
    assert later.due >= earlier.due
    assert (later.age_days or 0) >= (earlier.age_days or 0) >= 0
    assert later.stored is stored
