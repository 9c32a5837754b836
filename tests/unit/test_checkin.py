"""Which question comes first, which never comes, and in which words."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import permutations

import pytest

from remember_me.model.entry import Entry, Status, Tag, Tier
from remember_me.policy.checkin import Question, choose_questions, was_asked, words_for
from remember_me.policy.limits import Limits

NOW = datetime(2026, 11, 29, 14, 32, tzinfo=UTC)
OBSERVED = ("basis", "observed")
LIMITS = Limits()
TWICE = ("reinforced", "2026-11-28, 2 sessions")


def said(
    identity: str, *fields: tuple[str, str], tag: Tag = Tag.HYPOTHESIS, days: int = 0, title: str = "Likes tea"
) -> Entry:
    on = NOW.date() - timedelta(days=days)
    return Entry(identity, tag, title, "", fields, f"memory/{on}.md", 1, Tier.DAILY, on, None)


def soft(identity: str, *fields: tuple[str, str]) -> Entry:
    return said(identity, OBSERVED, *fields, tag=Tag.PREFERENCE)


def asked_about(entries: list[Entry], *asked: str, limits: Limits = LIMITS, now: datetime = NOW) -> list[str]:
    """The ids of the questions in their order."""
    return [question.entry.id for question in choose_questions(iter(entries), now, limits, asked=set(asked))]


IN_ORDER = [
    # Impact goes first,
    said("aaaaa1", ("impact", "3"), days=0),
    said("aaaaa2", ("impact", "2"), ("confidence", "high")),
    # then how sure it reads now,
    said("aaaaa3", ("confidence", "high"), days=13),
    said("aaaaa4", ("confidence", "high"), days=14),
    said("aaaaa5", ("confidence", "medium"), days=3),
    # then the age,
    said("aaaaa6", ("confidence", "high"), days=31),
    said("aaaaa7", ("confidence", "medium"), days=30),
    said("aaaaa8", days=2),
    # then where it stands.
    said("aaaac2", days=1)._replace(note="MEMORY.md", line=9),
    said("aaaac1", days=1),
    said("aaaac3", days=1)._replace(line=2),
    said("aaaac0", days=1)._replace(line=10),
]


def test_the_one_that_matters_most_comes_first() -> None:
    wanted = [entry.id for entry in IN_ORDER]
    assert asked_about(IN_ORDER) == wanted
    assert asked_about(IN_ORDER[::-1]) == wanted
    assert asked_about(IN_ORDER[5:] + IN_ORDER[:5]) == wanted


def test_the_order_does_not_depend_on_the_order_of_the_notes() -> None:
    for entries in permutations(IN_ORDER[2:7]):
        assert asked_about(list(entries)) == ["aaaaa3", "aaaaa4", "aaaaa5", "aaaaa6", "aaaaa7"]


def test_hypotheses_come_before_what_keeps_coming_back() -> None:
    entries = [
        soft("bbbbb1", TWICE)._replace(line=10),
        soft("bbbbb2", ("reinforced", "2026-11-28, 3 sessions")),
        soft("bbbbb3", TWICE, ("impact", "3")),
        soft("bbbbb4", TWICE)._replace(line=9),
        soft("bbbbb5", TWICE)._replace(note="MEMORY.md", line=11),
        said("aaaaa1"),
    ]
    assert asked_about(entries) == ["aaaaa1", "bbbbb3", "bbbbb2", "bbbbb5", "bbbbb4", "bbbbb1"]


def test_a_hypothesis_without_a_date_is_the_youngest() -> None:
    unknown = said("aaaaa9")._replace(created_on=None, line=2)
    today = said("aaaaa0")
    assert asked_about([unknown, said("aaaaa1", days=1), today]) == ["aaaaa1", "aaaaa0", "aaaaa9"]


def test_reinforcement_makes_a_hypothesis_young_again() -> None:
    entries = [said("aaaaa1", ("reinforced", "2026-11-28, 2 sessions"), days=50), said("aaaaa2", days=2)]
    assert asked_about(entries) == ["aaaaa2", "aaaaa1"]


# Never


@pytest.mark.parametrize("value", ["2026-11-28", "", "later"])
def test_what_was_asked_by_its_field_never_comes_again(value: str) -> None:
    asked = ("asked", value)
    assert [was_asked(said("aaaaa1", asked)), was_asked(said("aaaaa1"))] == [True, False]
    entries = [said("aaaaa1", asked), soft("bbbbb1", TWICE, asked), said("aaaaa2")]
    assert asked_about(entries) == ["aaaaa2"]


def test_what_was_asked_by_its_id_never_comes_again() -> None:
    entries = [said("aaaaa1"), said("aaaaa2"), soft("bbbbb1", TWICE)]
    assert asked_about(entries, "aaaaa2", "bbbbb1", "ccccc1") == ["aaaaa1"]
    assert asked_about(entries, "aaaaa1", "aaaaa2", "bbbbb1") == []


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ACTIVE])
def test_only_live_ones_are_asked_about(status: Status) -> None:
    assert asked_about([said("aaaaa1", ("status", status)), soft("bbbbb1", TWICE, ("status", status))]) == []


@pytest.mark.parametrize("validated", ["2026-11-02", "true"])
def test_what_is_confirmed_is_not_asked_about(validated: str) -> None:
    field = ("validated", validated)
    assert asked_about([said("aaaaa1", field), soft("bbbbb1", TWICE, field)]) == []


@pytest.mark.parametrize("tag", [Tag.FACT, Tag.GOAL, Tag.PREFERENCE])
def test_what_is_no_guess_is_not_asked_about(tag: Tag) -> None:
    assert asked_about([said("aaaaa1", TWICE, tag=tag), said("aaaaa2", TWICE, ("impact", "3"), tag=tag)]) == []


@pytest.mark.parametrize(
    ("reinforced", "limits", "asked"),
    [
        (None, Limits(), False),
        ("2026-11-28", Limits(), False),
        ("2026-11-28, 1 session", Limits(), False),
        ("2026-11-28, 2 sessions", Limits(), True),
        ("2026-11-28, 3 sessions", Limits(), True),
        ("2026-11-28, 2 sessions", Limits(promote_sessions=3), False),
        ("2026-11-28, 3 sessions", Limits(promote_sessions=3), True),
    ],
)
def test_a_soft_preference_is_offered_when_it_keeps_coming_back(
    reinforced: str | None, limits: Limits, asked: bool
) -> None:
    fields = [("reinforced", reinforced)] if reinforced else []
    assert asked_about([soft("bbbbb1", *fields)], limits=limits) == (["bbbbb1"] if asked else [])


def test_nothing_to_ask() -> None:
    assert asked_about([]) == []


@pytest.mark.parametrize("year", [1, 9999])
def test_the_first_and_the_last_day_that_there_is(year: int) -> None:
    day = date(1, 1, 1) if year == 1 else date(9999, 12, 31)
    minutes = 30 if year == 1 else 23 * 60 + 30
    zone = timezone(timedelta(hours=1 if year == 1 else -1))
    at = datetime(day.year, day.month, day.day, minutes // 60, minutes % 60, tzinfo=zone)
    entry = said("aaaaa9")._replace(created_on=day, created_at=at)
    order = ["aaaaa9", "aaaaa1"] if year == 1 else ["aaaaa1", "aaaaa9"]
    assert asked_about([said("aaaaa1", days=1), entry]) == order


# The words


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (said("aaaaa1"), "I might be wrong, but: “Likes tea”. Is that so?"),
        (said("aaaaa1", title="Likes tea. "), "I might be wrong, but: “Likes tea”. Is that so?"),
        (said("aaaaa1", title="Likes tea..."), "I might be wrong, but: “Likes tea”. Is that so?"),
        (said("aaaaa1", title="Likes tea?"), "I might be wrong, but: “Likes tea?”. Is that so?"),
        (said("aaaaa1", title=".5 mm fits"), "I might be wrong, but: “.5 mm fits”. Is that so?"),
        (soft("bbbbb1", TWICE), "“Likes tea”: want me to remember this for next time?"),
        (said("aaaaa1", ("probe", "Tea or coffee?")), "Tea or coffee?"),
        (soft("bbbbb1", ("probe", "Tea, as ever?")), "Tea, as ever?"),
        (said("aaaaa1", ("probe", "")), "I might be wrong, but: “Likes tea”. Is that so?"),
    ],
)
def test_the_words_of_a_question(entry: Entry, words: str) -> None:
    assert words_for(entry) == words


def test_a_question_carries_its_entry_and_its_words() -> None:
    guess, offered = said("aaaaa1", ("probe", "Tea?")), soft("bbbbb1", TWICE)
    assert choose_questions([offered, guess], NOW, LIMITS, asked=()) == [
        Question(guess, "Tea?"),
        Question(offered, "“Likes tea”: want me to remember this for next time?"),
    ]
