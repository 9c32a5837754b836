"""The arithmetic of the ranking."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.entry import Basis, Confidence, Facet, Signal, Status, Tag
from remember_me.recall import rank
from remember_me.recall.keys import CHOICES, FLAGS_BIT, IMPACT_BIT, LOW_BITS, ORDER_BITS, UNDATED
from remember_me.recall.rank import Place, best_keys, final_scores, parse_question, score_places
from remember_me.recall.terms import ENDS_IN_QUESTION, HAS_NAME, HAS_NUMBER, HAS_QUESTION, stem

NORMS = rank.length_norms(10.0)
PLAIN = parse_question("clock")
KEY = date(2023, 5, 7).toordinal() << ORDER_BITS | 10


def rowid(key: int, length: int = 10, *, asks: bool = False) -> int:
    return key << LOW_BITS | asks << 5 | length


def place(head: str = "", flags: int = 0, impact: int = 1, confidence: int = 0, seen: int = 0) -> Place:
    return Place(head, flags << FLAGS_BIT | impact << IMPACT_BIT | confidence << 11, seen)


def test_the_words_of_a_row_are_those_of_an_entry() -> None:
    words = {"tag": ("", *Tag), "status": tuple(Status), "signal": (None, *Signal), "basis": (None, *Basis)}
    words |= {"confidence": (None, *Confidence), "facet": (None, *Facet)}
    assert {name: values for name, (_, values) in CHOICES.items()} == words
    ends = [bit + (len(values) - 1).bit_length() for bit, values in CHOICES.values()]
    begins = [bit for bit, _ in CHOICES.values()]
    assert all(end <= begin for end, begin in zip(ends, [*begins[1:], IMPACT_BIT], strict=True))


# Questions


@pytest.mark.parametrize(
    ("query", "months", "years", "days"),
    [
        ("What happened in May 2023?", {5}, {2023}, set()),
        ("7 June 2024", {6}, {2024}, {7}),
        ("the 3rd of march", {3}, set(), {3}),
        ("2023-05-07", {5}, {2023}, {7}),
        ("2023-05", {5}, {2023}, set()),
        ("2023-99-07", set(), {2023}, set()),
        ("7 apples", set(), set(), set()),
        ("in 1999 or 2001", set(), {1999, 2001}, set()),
        ("31 february", {2}, set(), {31}),
    ],
)
def test_dates(query: str, months: set[int], years: set[int], days: set[int]) -> None:
    question = parse_question(query)
    assert (question.months, question.years, question.days) == (months, years, days)


@pytest.mark.parametrize(
    ("query", "number", "name"),
    [
        ("When did she come?", True, False),
        ("How many clocks?", True, False),
        ("So how long is it?", True, False),
        ("What year was that?", True, False),
        ("How is she?", False, False),
        ("Who repaired it?", False, True),
        ("where is the clock", False, True),
        ("the clock", False, False),
    ],
)
def test_what_a_question_wants(query: str, number: bool, name: bool) -> None:
    question = parse_question(query)
    assert (question.wants_number, question.wants_name) == (number, name)


def test_terms_are_distinct_and_capitals_are_known() -> None:
    question = parse_question("Clocks and a clock of Anna")
    assert question.terms == ("clock", stem("anna"))
    assert question.capitals == {"clock", stem("anna")}


@given(st.text(max_size=300))
def test_any_query_can_be_read(query: str) -> None:
    parse_question(query)


def test_a_long_query_is_cut() -> None:
    assert len(parse_question(" ".join(f"w{number}" for number in range(50_000))).terms) <= rank.LONGEST_QUERY


# Scores


def test_a_rare_term_weighs_more() -> None:
    weights = [rank.rarity(1000, holding) for holding in (1, 10, 500, 1000, 2000)]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_a_shorter_entry_says_it_more_plainly() -> None:
    scores = score_places({"a": [rowid(KEY, 5), rowid(KEY + 1000, 25)]}, {"a": 1.0}, NORMS)
    assert scores[KEY] > scores[KEY + 1000]


def test_neighbours_get_a_part_and_the_match_stays_first() -> None:
    scores = score_places({"a": [rowid(KEY)]}, {"a": 1.0}, NORMS)
    assert max(scores, key=scores.__getitem__) == KEY
    assert set(scores) == {KEY, *(KEY + step for step in rank.SPREAD)}


def test_the_answer_follows_the_question() -> None:
    plain = score_places({"a": [rowid(KEY)]}, {"a": 1.0}, NORMS)
    asked = score_places({"a": [rowid(KEY, asks=True)]}, {"a": 1.0}, NORMS)
    assert asked[KEY + 1] > plain[KEY + 1]
    assert asked[KEY] == plain[KEY]


def test_a_term_counts_once_for_a_passage() -> None:
    often = score_places({"a": [rowid(KEY + step) for step in range(4)]}, {"a": 1.0}, NORMS)
    both = score_places({"a": [rowid(KEY)], "b": [rowid(KEY + 1)]}, {"a": 1.0, "b": 1.0}, NORMS)
    assert max(often.values()) < max(both.values()) < 2 * (1 + rank.SATURATION)


def test_best_keys() -> None:
    scores = {1: 0.5, 2: 2.0, 3: 2.0, 4: 1.0}
    assert best_keys(scores, 2) == [3, 2]
    assert best_keys(scores, 1) == [3]
    assert best_keys(scores, 9) == [3, 2, 4, 1]
    assert best_keys({}, 3) == []


@pytest.mark.parametrize(
    ("query", "bonus"),
    [("7 May 2023", "DAY_BONUS"), ("May", "MONTH_BONUS"), ("2023", "YEAR_BONUS"), ("June 2023", None), ("2022", None)],
)
def test_the_bonus_of_a_date(query: str, bonus: str | None) -> None:
    undated = UNDATED + 3 << ORDER_BITS | 10
    scores = {KEY: 1.0, undated: 1.0}
    rank.add_date_bonus(scores, parse_question(query))
    assert scores == {KEY: 1.0 + (getattr(rank, bonus) if bonus else 0.0), undated: 1.0}


# Factors


@pytest.mark.parametrize(
    ("better", "worse", "query"),
    [
        (place(), place(flags=HAS_QUESTION), "clock"),
        (place(flags=HAS_QUESTION), place(flags=HAS_QUESTION | ENDS_IN_QUESTION), "clock"),
        (place(flags=HAS_NUMBER), place(), "when was it"),
        (place(flags=HAS_NAME), place(), "who was it"),
        (place(head="anna"), place(), "clock of Anna"),
        (place(impact=3), place(impact=2), "clock"),
        (place(impact=2), place(impact=1), "clock"),
        (place(), place(confidence=3), "clock"),
        (place(confidence=2), place(confidence=3), "clock"),
        (place(seen=800_000), place(seen=799_000), "clock"),
    ],
)
def test_what_speaks_for_an_entry(better: Place, worse: Place, query: str) -> None:
    other = KEY + 1000
    found = final_scores(
        {KEY: 1.0, other: 1.0}, {KEY: better, other: worse}, parse_question(query), frozenset({"anna"})
    )
    assert found[KEY] > found[other]


def test_impact_confidence_and_recency_are_small() -> None:
    best, worst = place(impact=3, seen=800_000), place(confidence=3, seen=1)
    found = final_scores({KEY: 1.0, KEY + 1000: 1.15}, {KEY: best, KEY + 1000: worst}, PLAIN, frozenset())
    assert found[KEY + 1000] > found[KEY] * 0.99


def test_an_entry_without_a_date_is_not_old() -> None:
    found = final_scores(
        {KEY: 1.0, KEY + 70_000: 1.0}, {KEY: place(seen=800_000), KEY + 70_000: place()}, PLAIN, frozenset()
    )
    assert found[KEY] == found[KEY + 70_000]
