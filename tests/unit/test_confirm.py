"""What the person's word, or behaviour that aligned again, makes of an entry."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from remember_me.errors import Refused
from remember_me.model.change import Revised
from remember_me.model.entry import Confidence, Entry, Status, Tag, Tier
from remember_me.policy.confirm import (
    Sighting,
    changed,
    decide_confirmation,
    decide_reinforcement,
    decide_rejection,
    is_soft,
    origin,
    terminal_session,
)
from remember_me.policy.decay import decide_decay
from remember_me.policy.limits import Limits

ON = date(2026, 11, 29)
NOW = datetime(2026, 11, 29, 14, 32, tzinfo=UTC)
BEGAN = date(2026, 11, 1)
LIMITS = Limits()
ENDED = [status for status in Status if status is not Status.ACTIVE]
OBSERVED = ("basis", "observed")


def said(
    tag: Tag,
    *fields: tuple[str, str],
    on: date | None = BEGAN,
    at: datetime | None = None,
    tier: Tier = Tier.DAILY,
) -> Entry:
    return Entry("k7m2pq", tag, "Likes tea", "", fields, "memory/2026-11-01.md", 1, tier, on, at)


def guess(*fields: tuple[str, str], on: date | None = BEGAN) -> Entry:
    return said(Tag.HYPOTHESIS, *fields, on=on)


def refusal(error: Refused) -> tuple[str, str, str | None]:
    return error.rule, str(error), error.hint


def over(entry: Entry, rule: str) -> tuple[str, str, str]:
    """What is said about an entry that has ended."""
    reason = f" ({entry.field('reason')})" if entry.field("reason") else ""
    return (
        rule,
        f"k7m2pq is {entry.field('status')}{reason}, so nothing more can be made of it [{rule}].",
        "`remember-me history k7m2pq` shows what became of it.",
    )


# Soft


@pytest.mark.parametrize("tag", list(Tag))
@pytest.mark.parametrize("basis", ["stated", "observed", "inferred", "gossip", None])
def test_only_an_observed_preference_is_soft(tag: Tag, basis: str | None) -> None:
    fields = [("basis", basis)] if basis is not None else []
    assert is_soft(said(tag, *fields)) is (tag is Tag.PREFERENCE and basis == "observed")


# Confirm


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        ([], (("validated", "2026-11-29"), ("confidence", "high"))),
        ([("confidence", "low")], (("validated", "2026-11-29"), ("confidence", "high"))),
        ([("confidence", "high")], (("validated", "2026-11-29"),)),
        ([OBSERVED], (("validated", "2026-11-29"), ("confidence", "high"))),
        ([("validated", "")], (("validated", "2026-11-29"), ("confidence", "high"))),
        ([("validated", "soon"), ("confidence", "high")], (("validated", "2026-11-29"),)),
        ([("asked", "2026-11-28")], (("validated", "2026-11-29"), ("confidence", "high"))),
        ([("validated", "2026-11-02")], ()),
        ([("validated", "true")], ()),
    ],
)
@pytest.mark.parametrize("tag", [None, Tag.HYPOTHESIS])
def test_a_confirmed_hypothesis_is_high(
    fields: list[tuple[str, str]], values: tuple[tuple[str, str], ...], tag: Tag | None
) -> None:
    entry = guess(*fields)
    revised = decide_confirmation(entry, tag, ON)
    assert revised == Revised(values)
    after = entry._replace(fields=(*[pair for pair in fields if pair[0] not in dict(values)], *values))
    assert decide_confirmation(after, tag, ON) == Revised()
    decayed = decide_decay(after, NOW + timedelta(days=1000), LIMITS, later_sessions=99)
    assert decayed is not None
    assert (decayed.effective, decayed.due) == (Confidence.HIGH, False)


@pytest.mark.parametrize("tag", [Tag.FACT, Tag.PREFERENCE, Tag.GOAL])
@pytest.mark.parametrize(
    ("fields", "values"),
    [
        ([], (("validated", "2026-11-29"),)),
        ([("confidence", "medium")], (("validated", "2026-11-29"), ("confidence", None))),
        ([("basis", "inferred")], (("validated", "2026-11-29"), ("basis", None))),
        (
            [OBSERVED, ("confidence", "high"), ("impact", "2")],
            (("validated", "2026-11-29"), ("basis", None), ("confidence", None)),
        ),
        ([("validated", "2026-11-02"), ("confidence", "high")], (("validated", "2026-11-29"), ("confidence", None))),
        ([("validated", "2026-11-29")], ()),
    ],
)
def test_a_confirmed_hypothesis_becomes_another_tag(
    fields: list[tuple[str, str]], values: tuple[tuple[str, str | None], ...], tag: Tag
) -> None:
    """It loses what only a guess has, so that its basis is the tag's own: stated."""
    assert decide_confirmation(guess(*fields), tag, ON) == Revised(values, tag=tag)


@pytest.mark.parametrize("tag", [None, Tag.PREFERENCE, Tag.FACT, Tag.GOAL])
def test_a_confirmed_soft_preference_is_a_stated_one(tag: Tag | None) -> None:
    entry = said(Tag.PREFERENCE, OBSERVED, ("confidence", "low"))
    values = (("validated", "2026-11-29"), ("basis", None), ("confidence", None))
    assert decide_confirmation(entry, tag, ON) == Revised(values, tag=tag)
    assert is_soft(said(Tag.PREFERENCE, ("validated", "2026-11-29"))) is False


def test_a_soft_preference_that_says_validated_already_stays() -> None:
    entry = said(Tag.PREFERENCE, OBSERVED, ("validated", "2026-11-02"))
    assert decide_confirmation(entry, None, ON) == decide_confirmation(entry, Tag.PREFERENCE, ON) == Revised()
    values = (("validated", "2026-11-29"), ("basis", None))
    assert decide_confirmation(entry, Tag.FACT, ON) == Revised(values, tag=Tag.FACT)


def test_a_confirmed_preference_never_becomes_a_guess() -> None:
    """DESIGN: `confirm --as PREFERENCE|FACT|GOAL`."""
    try:
        revised = decide_confirmation(said(Tag.PREFERENCE, OBSERVED), Tag.HYPOTHESIS, ON)
    except Refused:
        return
    assert revised.tag is not Tag.HYPOTHESIS


@pytest.mark.parametrize("as_tag", [None, *Tag])
@pytest.mark.parametrize(
    ("tag", "fields"),
    [
        (Tag.FACT, []),
        (Tag.FACT, [OBSERVED]),
        (Tag.GOAL, []),
        (Tag.GOAL, [OBSERVED]),
        (Tag.PREFERENCE, []),
        (Tag.PREFERENCE, [("basis", "stated")]),
        (Tag.PREFERENCE, [("basis", "inferred")]),
        (Tag.FACT, [("status", "discarded")]),  # what it is goes before what became of it
    ],
)
def test_only_a_guess_can_be_confirmed(tag: Tag, fields: list[tuple[str, str]], as_tag: Tag | None) -> None:
    with pytest.raises(Refused) as refused:
        decide_confirmation(said(tag, *fields), as_tag, ON)
    assert refusal(refused.value) == (
        "confirm-guess",
        f"k7m2pq is a {tag.value}; only a HYPOTHESIS or an observed PREFERENCE can be confirmed [confirm-guess].",
        "To say that it still holds: remember-me reinforce k7m2pq",
    )


@pytest.mark.parametrize("status", ENDED)
@pytest.mark.parametrize("reason", [None, "rejected", "60 days without reinforcement"])
@pytest.mark.parametrize("validated", [False, True])
@pytest.mark.parametrize("as_tag", [None, Tag.FACT])
def test_what_has_ended_cannot_be_confirmed(
    status: Status, reason: str | None, validated: bool, as_tag: Tag | None
) -> None:
    more = [("reason", reason)] if reason else []
    more += [("validated", "2026-11-02")] if validated else []
    for entry in (guess(("status", status), *more), said(Tag.PREFERENCE, OBSERVED, ("status", status), *more)):
        with pytest.raises(Refused) as refused:
            decide_confirmation(entry, as_tag, ON)
        assert refusal(refused.value) == over(entry, "confirm-live")


# Reject


@pytest.mark.parametrize("entry", [guess(), guess(("validated", "2026-11-02")), said(Tag.PREFERENCE, OBSERVED)])
def test_a_no_discards(entry: Entry) -> None:
    assert decide_rejection(entry) == Revised((("status", "discarded"), ("reason", "rejected")))


@pytest.mark.parametrize("reason", [[], [("reason", "60 days without reinforcement")]])
def test_a_second_no_changes_nothing(reason: list[tuple[str, str]]) -> None:
    assert decide_rejection(guess(("status", "discarded"), *reason)) == Revised()


@pytest.mark.parametrize("status", [status for status in ENDED if status is not Status.DISCARDED])
def test_what_has_ended_otherwise_cannot_be_rejected(status: Status) -> None:
    entry = guess(("status", status), ("reason", "replaced"))
    with pytest.raises(Refused) as refused:
        decide_rejection(entry)
    assert refusal(refused.value) == over(entry, "checkin-live")


# Reinforce


def reinforced(entry: Entry, session: str = "s/2", at: datetime = NOW, counted: bool | None = False) -> Revised:
    return decide_reinforcement(entry, Sighting(session, at, counted), LIMITS)


def after(entry: Entry, revised: Revised) -> Entry:
    kept = [pair for pair in entry.fields if pair[0] not in dict(revised.values)]
    written = [(key, value) for key, value in revised.values if value is not None]
    return entry._replace(fields=(*kept, *written))


@pytest.mark.parametrize("tag", [Tag.FACT, Tag.PREFERENCE, Tag.GOAL])
@pytest.mark.parametrize(
    ("fields", "counted", "value"),
    [
        ([], False, "2026-11-29, 2 sessions"),
        ([], None, "2026-11-29, 2 sessions"),
        ([], True, "2026-11-29, 1 session"),
        ([("session", "s/1")], False, "2026-11-29, 2 sessions"),
        ([("session", "s/2")], False, "2026-11-29, 1 session"),
        ([("session", "s/2")], None, "2026-11-29, 1 session"),
        ([("reinforced", "2026-11-28, 2 sessions")], False, "2026-11-29, 3 sessions"),
        ([("reinforced", "2026-11-28, 2 sessions")], None, "2026-11-29, 3 sessions"),
        ([("reinforced", "2026-11-28, 2 sessions")], True, "2026-11-29, 2 sessions"),
        ([("reinforced", "2026-11-28, 2 sessions"), ("session", "s/2")], False, "2026-11-29, 2 sessions"),
        ([("reinforced", "2026-11-28")], False, "2026-11-29, 2 sessions"),
        ([("reinforced", "2026-11-28, many")], False, "2026-11-29, 2 sessions"),
        ([("reinforced", "2026-11-28, 0 sessions")], False, "2026-11-29, 2 sessions"),
        ([("reinforced", "2026-11-28, 99 sessions")], False, "2026-11-29, 100 sessions"),
        ([("reinforced", "yesterday")], False, "2026-11-29, 2 sessions"),
        ([("reinforced", "")], True, "2026-11-29, 1 session"),
        # The same day: known to be another session, or not known and so not counted.
        ([("reinforced", "2026-11-29, 2 sessions")], False, "2026-11-29, 3 sessions"),
        ([("reinforced", "2026-11-29, 2 sessions")], True, None),
        ([("reinforced", "2026-11-29, 2 sessions")], None, None),
        # A date ahead stays.
        ([("reinforced", "2026-12-24, 2 sessions")], False, "2026-12-24, 3 sessions"),
        ([("reinforced", "2026-12-24, 2 sessions")], True, None),
    ],
)
def test_a_session_counts_once(
    tag: Tag, fields: list[tuple[str, str]], counted: bool | None, value: str | None
) -> None:
    revised = reinforced(said(tag, *fields), counted=counted)
    assert revised == Revised((("reinforced", value),) if value is not None else (), verb="reinforce")


def test_what_is_counted_comes_again_without_counting() -> None:
    entry = said(Tag.FACT)
    once = after(entry, reinforced(entry, "s/2", counted=False))
    assert once.reinforced == (ON, 2)
    assert reinforced(once, "s/2", counted=True) == Revised(verb="reinforce")
    tomorrow = after(once, reinforced(once, "s/2", NOW + timedelta(days=1), counted=True))
    assert tomorrow.reinforced == (date(2026, 11, 30), 2)
    other = after(tomorrow, reinforced(tomorrow, "s/3", NOW + timedelta(days=1), counted=False))
    assert other.reinforced == (date(2026, 11, 30), 3)


@pytest.mark.parametrize("sessions", [["s/1"], ["s/1", "s/2"], ["s/1", "s/2", "s/1", "s/3"]])
def test_without_the_state_a_day_counts_less_and_never_more(sessions: list[str]) -> None:
    entry = lost = said(Tag.FACT)
    seen: set[str] = set()
    for session in sessions:
        entry = after(entry, reinforced(entry, session, counted=session in seen))
        lost = after(lost, reinforced(lost, session, counted=None))
        seen.add(session)
    assert entry.reinforced == (ON, 1 + len(seen))
    assert lost.reinforced == (ON, 2)


def test_without_the_state_a_date_ahead_does_not_count_each_time() -> None:
    entry = said(Tag.FACT, ("reinforced", "2026-12-24, 2 sessions"))
    for _ in range(3):
        entry = after(entry, reinforced(entry, "s/2", counted=None))
    assert entry.reinforced[1] <= 3


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 11, 30, 0, 30, tzinfo=timezone(timedelta(hours=1))), "2026-11-29"),
        (datetime(2026, 11, 29, 20, 0, tzinfo=timezone(timedelta(hours=-5))), "2026-11-30"),
        (datetime(2026, 3, 29, 0, 30, tzinfo=timezone(timedelta(hours=1))), "2026-03-28"),
        (datetime(2028, 2, 29, 23, 59, tzinfo=UTC), "2028-02-29"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01"),
        (datetime(9999, 12, 31, 23, 59, tzinfo=UTC), "9999-12-31"),
    ],
)
def test_the_day_of_a_reinforcement_is_that_of_utc(moment: datetime, day: str) -> None:
    assert reinforced(said(Tag.FACT), at=moment).values == (("reinforced", f"{day}, 2 sessions"),)


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(1, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1))), "0001-01-01"),
        (datetime(9999, 12, 31, 23, 30, tzinfo=timezone(timedelta(hours=-1))), "9999-12-31"),
    ],
)
def test_a_reinforcement_at_the_ends_of_the_calendar(moment: datetime, day: str) -> None:
    """`maintain` merges two entries of the note 0001-01-01.md with the time that the later one has."""
    assert reinforced(guess(), at=moment).values[0] == ("reinforced", f"{day}, 2 sessions")


@pytest.mark.parametrize(
    ("stored", "age", "level"),
    [
        ("low", 0, "medium"),
        ("low", 59, "medium"),
        (None, 0, "medium"),
        ("medium", 0, "high"),
        ("medium", 29, "high"),
        ("medium", 30, None),  # it reads as low, so it is medium again
        ("high", 0, None),
        ("high", 13, None),
        ("high", 14, None),  # it reads as medium, so it is high again
        ("high", 29, None),
        ("high", 30, "medium"),
        ("high", 60, "medium"),
        ("medium", 60, None),
    ],
)
def test_another_session_sets_one_level_above_the_effective_one(
    stored: str | None, age: int, level: str | None
) -> None:
    fields = [("confidence", stored)] if stored else []
    entry = guess(*fields, on=ON - timedelta(days=age))
    values = [("reinforced", "2026-11-29, 2 sessions"), *([("confidence", level)] if level else [])]
    assert reinforced(entry) == Revised(tuple(values), verb="reinforce")


def test_from_low_to_high_in_two_sessions() -> None:
    entry = guess(("session", "s/1"))
    levels = []
    for number, session in enumerate(("s/2", "s/3", "s/4")):
        entry = after(entry, reinforced(entry, session, NOW + timedelta(days=number)))
        levels.append((entry.confidence, entry.reinforced))
    assert levels == [
        ("medium", (date(2026, 11, 29), 2)),
        ("high", (date(2026, 11, 30), 3)),
        ("high", (date(2026, 12, 1), 4)),
    ]


@pytest.mark.parametrize("counted", [True, None])
def test_the_same_session_restarts_the_clock_and_gains_no_level(counted: bool | None) -> None:
    entry = guess(("session", "s/2"), ("confidence", "low"))
    assert reinforced(entry, counted=counted) == Revised((("reinforced", "2026-11-29, 1 session"),), verb="reinforce")


@pytest.mark.parametrize(("stored", "age"), [("high", 30), ("high", 59)])
def test_a_session_that_does_not_count_gains_no_more_than_one_that_does(stored: str, age: int) -> None:
    entry = guess(("session", "s/2"), ("confidence", stored), on=ON - timedelta(days=age))
    rank = {Confidence.LOW: 0, Confidence.MEDIUM: 1, Confidence.HIGH: 2}
    same = decide_decay(after(entry, reinforced(entry, "s/2")), NOW, LIMITS)
    other = decide_decay(after(entry, reinforced(entry, "s/3")), NOW, LIMITS)
    assert same is not None
    assert other is not None
    assert rank[same.effective] <= rank[other.effective]


def test_a_confirmed_hypothesis_keeps_its_level() -> None:
    entry = guess(("validated", "2026-11-02"), ("confidence", "low"))
    assert reinforced(entry) == Revised((("reinforced", "2026-11-29, 2 sessions"),), verb="reinforce")


def test_a_confidence_that_counts_for_nothing_is_left_alone() -> None:
    entry = said(Tag.FACT, ("confidence", "low"))
    assert reinforced(entry) == Revised((("reinforced", "2026-11-29, 2 sessions"),), verb="reinforce")


@pytest.mark.parametrize("status", ENDED)
@pytest.mark.parametrize("tag", list(Tag))
def test_what_has_ended_cannot_be_reinforced(status: Status, tag: Tag) -> None:
    entry = said(tag, ("status", status))
    with pytest.raises(Refused) as refused:
        reinforced(entry)
    assert refusal(refused.value) == over(entry, "reinforce-live")


# Where an entry comes from


@pytest.mark.parametrize(
    ("entry", "session"),
    [
        (said(Tag.FACT, ("session", "claude-code/1")), "claude-code/1"),
        (said(Tag.FACT, ("session", "")), "terminal/2026-11-01"),
        (said(Tag.FACT), "terminal/2026-11-01"),
        (said(Tag.FACT, tier=Tier.LONG_TERM), "terminal/2026-11-01"),
        (said(Tag.FACT, tier=Tier.TOPIC), None),
        (said(Tag.FACT, ("session", "claude-code/1"), tier=Tier.TOPIC), "claude-code/1"),
        (said(Tag.FACT, on=None), None),
        (
            said(Tag.FACT, on=date(2026, 11, 2), at=datetime(2026, 11, 2, 0, 30, tzinfo=timezone(timedelta(hours=1)))),
            "terminal/2026-11-01",
        ),
        (said(Tag.FACT, on=date(2026, 11, 2), at=datetime(2026, 11, 2, 0, 30)), "terminal/2026-11-02"),
    ],
)
def test_the_session_that_an_entry_comes_from(entry: Entry, session: str | None) -> None:
    assert origin(entry) == session


def test_all_terminals_of_one_day_are_one_session() -> None:
    assert terminal_session(date(2026, 2, 3)) == "terminal/2026-02-03"
    entry = said(Tag.FACT)
    assert reinforced(entry, terminal_session(BEGAN)).values == (("reinforced", "2026-11-29, 1 session"),)
    assert reinforced(entry, terminal_session(ON)).values == (("reinforced", "2026-11-29, 2 sessions"),)


def test_only_what_differs_is_written() -> None:
    entry = said(Tag.FACT, ("impact", "2"), ("impact", "3"))
    assert changed(entry, {"impact": "2", "scope": None, "reason": "x"}) == (("reason", "x"),)
    assert changed(entry, {"impact": None, "scope": ""}) == (("impact", None), ("scope", ""))
