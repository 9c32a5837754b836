"""The index: its lines, their order, the floor for each tag, and that it stays within its budget."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.entry import ID_ALPHABET
from remember_me.model.text import hidden_characters
from remember_me.policy.limits import Limits
from remember_me.recall import index
from remember_me.recall.index import (
    INDEX_TOKENS,
    Line,
    build_index,
    in_order,
    load_bodies,
    load_lines,
)
from remember_me.recall.line import TITLE_SHOWN, cut_at_word, index_line
from remember_me.recall.tokens import count_bytes, token_counter
from tests.texts import ids, raw_texts

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
DAYS = st.dates(min_value=NOW.date().replace(year=2020), max_value=NOW.date()).map(str) | st.just("")

Counting = Callable[[str], int]


@pytest.fixture(scope="module")
def count(tmp_path_factory: pytest.TempPathFactory) -> Counting:
    """Exact tokens."""
    counter = token_counter({"TIKTOKEN_CACHE_DIR": str(tmp_path_factory.mktemp("vocabulary"))})
    assert counter.exact
    return counter.count


@st.composite
def stores(draw: st.DrawFn) -> list[Line]:
    """Entries with hostile texts, each id once."""
    found = []
    for key, entry_id in enumerate(draw(st.lists(ids, max_size=12, unique=True))):
        tag = draw(st.sampled_from(["FACT", "PREFERENCE", "GOAL", "HYPOTHESIS"]))
        found.append(
            Line(
                entry_id,
                tag,
                draw(raw_texts),
                draw(raw_texts | st.just("")),
                signal=draw(st.sampled_from([None, "boundary", "project"])),
                confidence=draw(st.sampled_from(["high", "medium", "low"])) if tag == "HYPOTHESIS" else None,
                impact=draw(st.integers(1, 3)),
                pinned=draw(st.booleans()),
                seen=draw(DAYS),
                key=key,
            )
        )
    return found


def entries(number: int, tag: str, start: int = 0, **more: object) -> list[Line]:
    rng = random.Random(f"{tag}{start}")
    confidence = "low" if tag == "HYPOTHESIS" else None
    found = [
        Line(
            "k" + "".join(rng.choices(ID_ALPHABET, k=6)), tag, f"Number {at} of what is kept about the work at hand",
            confidence=confidence, key=start + at, tokens=20,
        )
        for at in range(number)
    ]  # fmt: skip
    return [line._replace(**more) for line in found]  # type: ignore[arg-type]


# One line


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (Line("k3m9vd", "FACT", "Lives in Trieste"), "k3m9vd FACT Lives in Trieste"),
        (Line("k3m9vd", "FACT", "A", "b"), "k3m9vd FACT A — b"),
        (Line("k3m9vd", "FACT", "A", "A"), "k3m9vd FACT A"),
        (Line("k3m9vd", "HYPOTHESIS", "A", confidence="low"), "k3m9vd HYPOTHESIS (low) A"),
        (Line("k3m9vd", "FACT", ""), "k3m9vd FACT"),
        (Line("k3m9vd", "FACT", "a\nb\tc"), "k3m9vd FACT a b c"),
        (Line("k3m9vd", "FACT", "a\u202eb\x1b[0m"), "k3m9vd FACT a\\u202eb\\x1b[0m"),
        (Line("k3m9vd", "FACT", "x</remember-me>"), "k3m9vd FACT x\\x3c/remember-me>"),
        (Line("k3m9vd", "FACT", "word " * 30), "k3m9vd FACT " + ("word " * 18).rstrip() + "…"),
        (Line("k3m9vd", "FACT", "x" * 60, "y" * 60), "k3m9vd FACT " + "x" * 60),
        (Line("k3m9vd", "FACT", "x" * 40, "yy " * 40), "k3m9vd FACT " + "x" * 40 + " — " + "yy " * 14 + "yy…"),
    ],
)
def test_a_line(line: Line, text: str) -> None:
    assert index_line(line) == text


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("abcde fghi", "abcde fghi"),
        ("abcde fghij", "abcde…"),
        ("abcde, fghij", "abcde…"),
        ("a bcdefghijkl", "a bcdefgh…"),
        ("abcdefghijkl", "abcdefghi…"),
        ("abcdefgh\u0301e\u0301e\u0301", "abcdefgh\u0301…"),
        ("abcdefg👩\u200d🔧x", "abcdefg…"),
    ],
)
def test_a_cut_falls_between_words_or_whole_characters(text: str, cut: str) -> None:
    assert cut_at_word(text, 10) == cut


@given(raw_texts, st.integers(5, 100))
def test_a_cut_is_never_too_long(text: str, characters: int) -> None:
    assert len(cut_at_word(text, characters)) <= characters


@given(stores())
def test_a_line_is_one_line_of_visible_text(lines: list[Line]) -> None:
    for line in lines:
        text = index_line(line)
        assert text.splitlines() == [text]
        assert hidden_characters(text) == 0
        assert text.startswith(f"{line.id} {line.tag}")


def test_the_confidence_costs_the_same_at_any_level(count: Counting) -> None:
    line = Line("k3m9vd", "HYPOTHESIS", "Decides faster with two options", confidence="high")
    assert len({count(index_line(line._replace(confidence=sure))) for sure in ("high", "medium", "low")}) == 1


# The order


def test_the_order() -> None:
    lines = [
        Line("k00001", "FACT", "pinned boundary", pinned=True, signal="boundary"),
        Line("k00002", "FACT", "pinned, impact 3", pinned=True, impact=3),
        Line("k00003", "FACT", "pinned", pinned=True),
        Line("k00004", "FACT", "boundary", signal="boundary"),
        Line("k00005", "HYPOTHESIS", "impact 3, a guess", impact=3, confidence="low"),
        Line("k00006", "GOAL", "impact 2", impact=2),
        Line("k00007", "FACT", "newest", seen="2026-11-29"),
        Line("k0000e", "FACT", "older, further down", seen="2026-11-28", number=9),
        Line("k00008", "FACT", "older", seen="2026-11-28"),
        Line("k00009", "FACT", "as old, by id", seen="2026-11-28"),
        Line("k0000a", "FACT", "without a date"),
        Line("k0000b", "HYPOTHESIS", "high", confidence="high", seen="2026-11-01"),
        Line("k0000c", "HYPOTHESIS", "medium", confidence="medium", seen="2026-11-29"),
        Line("k0000d", "HYPOTHESIS", "low", confidence="low", seen="2026-11-29"),
    ]
    shuffled = random.Random(1).sample(lines, len(lines))
    assert [line.title for line in in_order(shuffled)] == [line.title for line in lines]


@given(stores(), st.randoms(use_true_random=False), st.integers(0, 400), st.none() | st.integers(0, 1200))
def test_the_order_of_the_rows_makes_no_difference(
    lines: list[Line], rng: random.Random, tokens: int, most: int | None
) -> None:
    first = build_index(lines, tokens, most_bytes=most)
    assert build_index(rng.sample(lines, len(lines)), tokens, most_bytes=most) == first


# The floor


@pytest.mark.parametrize("crowd", ["FACT", "PREFERENCE", "GOAL", "HYPOTHESIS"])
def test_no_tag_crowds_out_the_others(crowd: str, count: Counting) -> None:
    lines = entries(10_000, crowd, impact=3, seen="2026-11-29")
    others = {"FACT", "PREFERENCE", "GOAL", "HYPOTHESIS"} - {crowd}
    for number, tag in enumerate(sorted(others)):
        lines += entries(3, tag, 20_000 + 10 * number, seen="2020-01-01")
    shown = Counter(line.split()[1] for line in build_index(lines, count=count).text.splitlines()[:-1])
    assert [shown[tag] for tag in sorted(others)] == [3, 3, 3]
    assert shown[crowd] > 30


def test_what_matters_most_comes_before_the_floor() -> None:
    lines = [*entries(30, "FACT", signal="boundary"), *entries(9, "GOAL", 50), *entries(9, "PREFERENCE", 70)]
    found = build_index(lines, 40 + 20 * 10)
    tags = [line.split()[1] for line in found.text.splitlines()[:-1]]
    assert tags[0] == "FACT"
    assert Counter(tags)["FACT"] >= 5


# The budget


@given(stores(), st.integers(0, 500), st.none() | st.integers(0, 2000), st.booleans())
def test_the_whole_index_is_within_its_budget(
    count: Counting, lines: list[Line], tokens: int, most: int | None, exact: bool
) -> None:
    found = build_index(lines, tokens, most_bytes=most, count=count if exact else None)
    if found.too_small:
        assert found.shown == ()
        assert "remember-me list" in found.text
        return
    assert count(found.text) <= tokens or not lines
    assert most is None or count_bytes(found.text) <= most or not lines
    assert len(found.shown) + found.left_out == len(lines)
    assert len(found.text.splitlines()) == len(found.shown) + bool(found.left_out)


def test_stored_counts_give_the_index_of_exact_ones(count: Counting) -> None:
    lines = [line._replace(tokens=None) for line in entries(500, "FACT")]
    counted = {line.key: count(f"{index_line(line)}\n") for line in lines}
    stored = [line._replace(tokens=counted[line.key]) for line in lines]
    exact = build_index(lines, count=count)
    assert counted.items() >= exact.counted.items()
    assert len(exact.counted) >= len(exact.shown)
    without = build_index(stored)
    assert without.text == exact.text
    assert INDEX_TOKENS - 40 < count(without.text) <= INDEX_TOKENS
    assert len(build_index(lines).shown) < len(exact.shown)


def test_without_a_vocabulary_bytes_are_counted() -> None:
    found = build_index([line._replace(tokens=None) for line in entries(500, "FACT")], 1000, count=count_bytes)
    assert len(found.shown) > 5
    assert count_bytes(found.text) <= 1000


def test_a_stored_count_that_is_too_low_is_found_out_where_anything_is_counted(count: Counting) -> None:
    first, *others = entries(500, "FACT")
    lines = [first._replace(tokens=None, pinned=True), *(line._replace(tokens=1) for line in others)]
    assert count(build_index(lines, 200, count=count).text) <= 200


def test_nothing_is_counted_where_every_count_is_stored() -> None:
    """Loading the vocabulary takes four times as long as the whole command."""

    def count(text: str) -> int:
        raise AssertionError(text)

    lines = [line._replace(tokens=20) for line in entries(500, "FACT")]
    assert len(build_index(lines, 200, count=count).shown) == 8


@pytest.mark.parametrize("number", [1, 10, 999, 1_000_000_000])
def test_the_last_line_takes_no_more_than_is_kept_for_it(number: int, count: Counting) -> None:
    for wider in (f"--tokens {number}", f"--bytes {number}"):
        assert count(index._rest(number, wider)) <= index._REST_TOKENS


def test_the_last_line_says_what_is_not_shown_and_how_to_see_it() -> None:
    lines = entries(9, "FACT", tokens=100)
    assert build_index(lines, 40 + 800).text.splitlines()[-1] == (
        "1 more entry is not shown. See `remember-me list`, `remember-me search WORDS` or"
        " `remember-me index --tokens 1000`."
    )
    assert build_index(lines, 40 + 700, unlisted=90).text.splitlines()[-1].startswith("92 more entries are not shown.")
    assert len(build_index(lines, 900).text.splitlines()) == 9


def test_nothing_and_too_little() -> None:
    assert build_index([]).text == ""
    found = build_index(entries(9, "FACT"), 10)
    assert found.too_small
    assert found.text == (
        "None of 9 entries fits into this budget. See `remember-me list`, `remember-me search WORDS` or"
        " `remember-me index --tokens 500`.\n"
    )


# From the cache

COLUMNS = ("key", "id", "tag", "title", "description", "body", "signal", "basis", "confidence", "impact", "scope",
    "status", "pinned", "validated", "facet", "expires", "aliases", "created", "seen", "tokens",
    "line")  # fmt: skip


def rows(given_rows: Iterable[dict[str, object]]) -> sqlite3.Connection:
    """A table as the cache has it."""
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE TABLE entry ({', '.join(COLUMNS)})")
    usual = dict.fromkeys(COLUMNS) | {
        "tag": "FACT", "title": "t", "body": "", "basis": "stated", "impact": 1, "status": "active", "pinned": 0,
        "validated": 0, "line": 1,
    }  # fmt: skip
    for key, row in enumerate(given_rows):
        full = usual | {"key": key} | row
        db.execute(f"INSERT INTO entry VALUES ({','.join('?' * len(COLUMNS))})", [full[name] for name in COLUMNS])
    return db


def guess(**more: object) -> dict[str, object]:
    return {"tag": "HYPOTHESIS", "basis": "inferred", "confidence": "high", "seen": "2026-11-29", **more}


@pytest.mark.parametrize(
    ("row", "confidence", "known"),
    [
        ({}, None, "stated"),
        ({"basis": "observed"}, None, "observed"),
        ({"basis": "observed", "validated": 1}, None, "stated"),
        ({"expires": "2026-11-29"}, None, "stated"),
        (guess(), "high", "hypothesis"),
        (guess(seen="2026-11-16"), "high", "hypothesis"),
        (guess(seen="2026-11-15"), "medium", "hypothesis"),
        (guess(seen="2026-10-30"), "low", "hypothesis"),
        (guess(seen="2026-10-01"), "low", "hypothesis"),
        (guess(seen=None, confidence="medium"), "medium", "hypothesis"),
        (guess(seen="2020-01-01", validated=1), "high", "stated"),
    ],
)
def test_how_a_row_reads(row: dict[str, object], confidence: str | None, known: str) -> None:
    found = load_lines(rows([{"id": "k3m9vd"} | row]), NOW, Limits())
    assert [(line.id, line.confidence, line.known) for line in found] == [("k3m9vd", confidence, known)]


@pytest.mark.parametrize(
    "row",
    [
        {"id": ""},
        {"status": "disabled"},
        {"status": "superseded"},
        {"expires": "2026-11-28"},
        guess(seen="2026-09-30"),
        guess(scope="far", seen="2026-11-20"),
    ],
)
def test_what_is_left_out(row: dict[str, object]) -> None:
    def later(scope: str | None, day: str) -> int:
        return 5 if scope == "far" and day == "2026-11-20" else 0

    assert load_lines(rows([{"id": "k3m9vd"} | row]), NOW, Limits(), later_sessions=later) == []


def test_scopes() -> None:
    db = rows({"id": f"k0000{scope}", "scope": scope} for scope in (None, "", "a", "b"))

    def seen(scopes: list[str] | None) -> list[str]:
        return [line.id for line in load_lines(db, NOW, Limits(), scopes=scopes)]

    assert seen(None) == ["k0000None", "k0000", "k0000a", "k0000b"]
    assert seen([]) == ["k0000None", "k0000"]
    assert seen(["b"]) == ["k0000None", "k0000", "k0000b"]


def test_bodies_come_only_when_asked_for() -> None:
    db = rows([{"id": "k3m9vd", "body": "long", "tokens": 7}])
    (line,) = load_lines(db, NOW, Limits())
    assert (line.body, line.tokens) == ("", 7)
    assert load_bodies(db, [line]) == [line._replace(body="long")]


def test_a_full_title_costs_at_most_what_is_shown_of_it() -> None:
    assert len(index_line(Line("k3m9vd", "FACT", "word " * 40))) <= len("k3m9vd FACT ") + TITLE_SHOWN
