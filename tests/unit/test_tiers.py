"""What is due for the long-term note, each reason and each obstacle alone and together."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import combinations

import pytest

from remember_me.model.entry import Entry, Status, Tag, Tier
from remember_me.policy.limits import Limits
from remember_me.policy.tagging import is_promoted_at_once
from remember_me.policy.tiers import (
    DemoteReason,
    Promotion,
    decide_promotion,
    is_expired,
)
from tests.secret_samples import tail

NOW = datetime(2026, 11, 29, 14, 32, tzinfo=UTC)
LIMITS = Limits()

BOUNDARY = "a boundary"
STATED = "a stated preference"
CRITICAL = "outcome-critical (impact 3)"
PROJECT = "ongoing project context"
TWICE = "repeated in 2 sessions"
GUESS = "a hypothesis is never promoted before it is confirmed"
SECRET = "it holds a secret"


def said(
    tag: Tag, *fields: tuple[str, str], title: str = "Short answers", body: str = "", tier: Tier = Tier.DAILY
) -> Entry:
    return Entry("k7m2pq", tag, title, body, fields, "memory/2026-11-29.md", 1, tier, date(2026, 11, 29), None)


def decide(entry: Entry, now: datetime = NOW, limits: Limits = LIMITS) -> Promotion:
    return decide_promotion(entry, now, limits)


@pytest.mark.parametrize(
    ("tag", "fields", "reasons"),
    [
        (Tag.FACT, [], ()),
        (Tag.GOAL, [], ()),
        (Tag.PREFERENCE, [("basis", "observed")], ()),
        (Tag.FACT, [("impact", "1")], ()),
        (Tag.FACT, [("impact", "2")], ()),
        (Tag.FACT, [("impact", "4")], ()),
        (Tag.FACT, [("scope", "cogwork")], ()),
        (Tag.FACT, [("signal", "personal")], ()),
        (Tag.FACT, [("signal", "blocker")], ()),
        (Tag.FACT, [("signal", "Boundary")], ()),
        (Tag.PREFERENCE, [], (STATED,)),
        (Tag.PREFERENCE, [("basis", "stated")], (STATED,)),
        (Tag.PREFERENCE, [("basis", "gossip")], (STATED,)),
        (Tag.PREFERENCE, [("signal", "boundary")], (BOUNDARY,)),
        (Tag.FACT, [("signal", "boundary")], (BOUNDARY,)),
        (Tag.GOAL, [("signal", "boundary")], (BOUNDARY,)),
        (Tag.FACT, [("impact", "3")], (CRITICAL,)),
        (Tag.PREFERENCE, [("basis", "observed"), ("impact", "3")], (CRITICAL,)),
        (Tag.FACT, [("reinforced", "2026-11-28")], ()),
        (Tag.FACT, [("reinforced", "2026-11-28, 0 sessions")], ()),
        (Tag.FACT, [("reinforced", "2026-11-28, 1 session")], ()),
        (Tag.FACT, [("reinforced", "2026-11-28, 2 sessions")], (TWICE,)),
        (Tag.FACT, [("reinforced", "2026-11-28, 3 sessions")], ("repeated in 3 sessions",)),
        (Tag.FACT, [("signal", "project")], (PROJECT,)),
        (Tag.GOAL, [("signal", "project")], (PROJECT,)),
        (Tag.GOAL, [("scope", "cogwork")], (PROJECT,)),
        (Tag.GOAL, [("scope", "")], ()),
        (Tag.PREFERENCE, [("impact", "3")], (STATED, CRITICAL)),
        (
            Tag.GOAL,
            [("scope", "x"), ("reinforced", "2026-11-28, 2 sessions"), ("impact", "3"), ("signal", "boundary")],
            (BOUNDARY, CRITICAL, TWICE, PROJECT),
        ),
        (
            Tag.PREFERENCE,
            [("signal", "project"), ("reinforced", "2026-11-28, 12 sessions"), ("impact", "3")],
            (STATED, CRITICAL, "repeated in 12 sessions", PROJECT),
        ),
    ],
)
def test_each_reason_alone_and_together(tag: Tag, fields: list[tuple[str, str]], reasons: tuple[str, ...]) -> None:
    assert decide(said(tag, *fields)) == Promotion(bool(reasons), reasons, ())


@pytest.mark.parametrize(("needed", "sessions", "reasons"), [(3, 2, ()), (3, 3, ("repeated in 3 sessions",))])
def test_the_number_of_sessions_is_a_setting(needed: int, sessions: int, reasons: tuple[str, ...]) -> None:
    entry = said(Tag.FACT, ("reinforced", f"2026-11-28, {sessions} sessions"))
    assert decide(entry, limits=Limits(promote_sessions=needed)).reasons == reasons


def token() -> str:
    return f"ghp_{tail(36)}"


OBSTACLES = {
    "it is disabled": ("status", "disabled"),
    GUESS: None,
    "it expired on 2026-11-28": ("expires", "2026-11-28"),
    SECRET: None,
}
"""The obstacles that can stand together, in their order, and the fields that make them."""


def hindered(names: tuple[str, ...]) -> Entry:
    """An entry with a reason and these obstacles."""
    fields = [field for name in names if (field := OBSTACLES[name]) is not None]
    title = f"The key is {token()}" if SECRET in names else "Short answers"
    return said(Tag.HYPOTHESIS if GUESS in names else Tag.FACT, ("impact", "3"), *fields, title=title)


@pytest.mark.parametrize(
    "names", [names for number in range(len(OBSTACLES) + 1) for names in combinations(OBSTACLES, number)]
)
def test_each_obstacle_alone_and_together(names: tuple[str, ...]) -> None:
    assert decide(hindered(names)) == Promotion(not names, (CRITICAL,), names)


@pytest.mark.parametrize(
    ("tier", "obstacle"),
    [
        (Tier.LONG_TERM, "it is in the long-term note already"),
        (Tier.TOPIC, "it has a topic note of its own"),
    ],
)
def test_an_entry_that_has_its_place(tier: Tier, obstacle: str) -> None:
    assert decide(said(Tag.PREFERENCE, tier=tier)) == Promotion(False, (STATED,), (obstacle,))
    both = said(Tag.PREFERENCE, ("status", "stale"), tier=tier)
    assert decide(both) == Promotion(False, (STATED,), (obstacle, "it is stale"))


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACTIVE])
def test_only_a_live_one_is_promoted(status: Status) -> None:
    assert decide(said(Tag.PREFERENCE, ("status", status))) == Promotion(False, (STATED,), (f"it is {status.value}",))


def test_no_reason_and_an_obstacle() -> None:
    assert decide(said(Tag.FACT, ("status", "discarded"))) == Promotion(False, (), ("it is discarded",))


# Hypotheses


@pytest.mark.parametrize(
    ("fields", "due"),
    [
        ([], False),
        ([("validated", "")], False),
        ([("validated", "maybe")], False),
        ([("confidence", "high")], False),
        ([("validated", "2026-11-29")], True),
        ([("validated", "true")], True),
    ],
)
def test_a_hypothesis_is_promoted_only_when_it_is_confirmed(fields: list[tuple[str, str]], due: bool) -> None:
    for reason in (("impact", "3"), ("signal", "boundary"), ("reinforced", "2026-11-28, 9 sessions")):
        found = decide(said(Tag.HYPOTHESIS, reason, *fields))
        assert len(found.reasons) == 1
        assert (found.due, found.obstacles) == (due, () if due else (GUESS,))


def test_a_hypothesis_of_basis_stated_is_no_stated_preference() -> None:
    assert decide(said(Tag.HYPOTHESIS, ("basis", "stated"), ("validated", "true"))) == Promotion(False, (), ())


# Expiry


@pytest.mark.parametrize(
    ("expires", "now", "expired"),
    [
        ("2026-11-28", NOW, True),
        ("2026-11-29", NOW, False),
        ("2026-11-30", NOW, False),
        ("2026-11-29", datetime(2026, 11, 29, 0, 0, tzinfo=UTC), False),
        ("2026-11-29", datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC), False),
        ("2026-11-29", datetime(2026, 11, 30, 0, 0, tzinfo=UTC), True),
        # The day is that of UTC, wherever the person is.
        ("2026-11-29", datetime(2026, 11, 30, 0, 30, tzinfo=timezone(timedelta(hours=1))), False),
        ("2026-11-29", datetime(2026, 11, 30, 1, 0, tzinfo=timezone(timedelta(hours=1))), True),
        ("2026-11-29", datetime(2026, 11, 29, 20, 0, tzinfo=timezone(timedelta(hours=-5))), True),
        ("2028-02-29", datetime(2028, 2, 29, 12, tzinfo=UTC), False),
        ("2028-02-29", datetime(2028, 3, 1, 0, tzinfo=UTC), True),
        ("2027-02-29", datetime(2030, 1, 1, tzinfo=UTC), False),  # no such date
        ("2026-11-28T23:59:00-05:00", NOW, True),
        ("soon", NOW, False),
        ("", NOW, False),
        ("0001-01-01", NOW, True),
        ("9999-12-31", NOW, False),
        ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC), False),
        ("9999-12-31", datetime(9999, 12, 31, 23, 59, tzinfo=UTC), False),
        ("9999-12-30", datetime(9999, 12, 31, tzinfo=UTC), True),
    ],
)
def test_the_day_itself_still_counts_and_the_day_after_does_not(expires: str, now: datetime, expired: bool) -> None:
    entry = said(Tag.PREFERENCE, ("expires", expires))
    assert is_expired(entry, now) is expired
    assert decide(entry, now) == Promotion(not expired, (STATED,), (f"it expired on {expires}",) if expired else ())
    assert is_promoted_at_once(Tag.FACT, [("impact", "3"), ("expires", expires)], now) is not expired


def test_what_has_no_date_of_expiry_never_expires() -> None:
    assert is_expired(said(Tag.FACT), datetime(9999, 12, 31, tzinfo=UTC)) is False


@pytest.mark.parametrize(
    "now",
    [
        datetime(1, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))),
        datetime(9999, 12, 31, 23, 30, tzinfo=timezone(timedelta(hours=-1))),
    ],
)
def test_a_moment_at_the_ends_of_the_calendar(now: datetime) -> None:
    assert is_expired(said(Tag.FACT, ("expires", "2026-11-29")), now) is (now.year == 9999)


# At once


@pytest.mark.parametrize(
    ("tag", "fields", "at_once"),
    [
        (Tag.FACT, [], False),
        (Tag.PREFERENCE, [], False),
        (Tag.PREFERENCE, [("signal", "boundary")], False),
        (Tag.FACT, [("impact", "1")], False),
        (Tag.FACT, [("impact", "2")], False),
        (Tag.FACT, [("impact", "3")], True),
        (Tag.PREFERENCE, [("impact", "3")], True),
        (Tag.GOAL, [("description", "x"), ("impact", "3"), ("signal", "goal")], True),
        (Tag.FACT, [("impact", "03")], False),
        (Tag.FACT, [("impact", "4")], False),
        (Tag.HYPOTHESIS, [("impact", "3")], False),
        (Tag.HYPOTHESIS, [("impact", "3"), ("validated", "2026-11-29")], False),
        (Tag.FACT, [("impact", "3"), ("expires", "2026-11-28")], False),
        (Tag.FACT, [("impact", "3"), ("expires", "2026-11-29")], True),
        (Tag.FACT, [("impact", "3"), ("expires", "soon")], True),
    ],
)
def test_only_what_is_outcome_critical_is_promoted_at_once(
    tag: Tag, fields: list[tuple[str, str]], at_once: bool
) -> None:
    assert is_promoted_at_once(tag, fields, NOW) is at_once
    assert is_promoted_at_once(tag, iter(fields), NOW) is at_once
    if at_once:
        assert decide(said(tag, *fields)).due is True


# Secrets


@pytest.mark.parametrize("place", ["title", "body"])
def test_a_secret_is_never_promoted(place: str) -> None:
    title, body = ("The key", "") if place == "body" else (f"The key is {token()}", "")
    if place == "body":
        body = f"It is\n{token()}"
    assert decide(said(Tag.PREFERENCE, title=title, body=body)) == Promotion(False, (STATED,), (SECRET,))


@pytest.mark.parametrize(("title", "found"), [("Short answers", False), ("key", True)])
def test_what_is_known_of_a_secret_is_believed(title: str, found: bool) -> None:
    entry = said(Tag.PREFERENCE, title=f"The key is {token()}" if title == "key" else title)
    for known in (True, False, None):
        obstacles = (SECRET,) if (found if known is None else known) else ()
        assert decide_promotion(entry, NOW, LIMITS, holds_secret=known) == Promotion(
            not obstacles, (STATED,), obstacles
        )


@pytest.mark.parametrize("key", ["description", "evidence", "probe", "colour"])
def test_a_secret_in_a_field_is_never_promoted(key: str) -> None:
    """All fields go along into the long-term note."""
    assert decide(said(Tag.PREFERENCE, (key, f"it is {token()}"))).obstacles == (SECRET,)


def test_the_reasons_to_demote_are_those_of_the_design() -> None:
    assert list(DemoteReason) == ["contradicted", "abandoned", "replaced", "expired"]
