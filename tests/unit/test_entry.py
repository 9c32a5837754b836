"""One entry: ids, typed fields, evidence."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.entry import (
    CHOICES,
    DATE_FIELDS,
    FIELD_KEYS,
    ID_ALPHABET,
    Entry,
    Evidence,
    Tag,
    Tier,
    is_id,
    parse_date,
    parse_evidence,
    render_evidence,
)
from tests.texts import texts


def entry(*fields: tuple[str, str], tag: Tag = Tag.FACT) -> Entry:
    return Entry("k7m2pq", tag, "x", "", fields, "MEMORY.md", 1, Tier.LONG_TERM)


@pytest.mark.parametrize(
    "text", ["k7m2pq", "abcdef", "00000a", "a00000", "k7m2pqrstvwxyz0123456789", "1e5abc", "0xabcg", "e12345"]
)
def test_ids(text: str) -> None:
    assert is_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "k7m2p", "123456", "0123456789", "1e5000", "12e345", "123456e7", "0x1234", "0xabcdef", "0b1010", "K7M2PQ",
        "k7m2pi",
        "k7m2pl", "k7m2po", "k7m2pu", "k7m2p-", "k7m2p ", " k7m2pq", "k7m2pq\n", "^k7m2pq", "u-242df9", "k7m2pé",
        "k7m2p٣",
        "１２３４５a",
    ],
)  # fmt: skip
def test_no_ids(text: str) -> None:
    assert not is_id(text)


@given(st.text(ID_ALPHABET, min_size=6, max_size=10))
def test_an_id_is_never_like_a_number_in_any_notation(text: str) -> None:
    if is_id(text):
        for convert in (int, float, lambda found: int(found, 0)):
            with pytest.raises(ValueError):
                convert(text)


def test_the_alphabet_is_crockfords() -> None:
    assert ID_ALPHABET == "0123456789abcdefghjkmnpqrstvwxyz"
    assert not set(ID_ALPHABET) & set("ilou-")


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("2026-11-29", date(2026, 11, 29)),
        ("2026-11-29T14:31:58+01:00", date(2026, 11, 29)),
        ("2026-11-29, 3 sessions", date(2026, 11, 29)),
        ("2026-11-29 ", date(2026, 11, 29)),
        ("2024-02-29", date(2024, 2, 29)),
        ("2026-02-29", None),
        ("2026-11-290", None),
        ("2026-11-2", None),
        ("29.11.2026", None),
        ("٢٠٢٦-١١-٢٩", None),
        ("20261129", None),
        ("2026-W48-7", None),
        (" 2026-11-29", None),
        ("", None),
    ],
)
def test_parse_date(text: str, on: date | None) -> None:
    assert parse_date(text) == on


@pytest.mark.parametrize(
    ("value", "quote", "source"),
    [
        ('"said so"', "said so", None),
        ('"said so" — claude-code/1, 2026-11-29', "said so", "claude-code/1, 2026-11-29"),
        ('"said so" - codex/2', "said so", "codex/2"),
        ('"said so" -- codex/2', "said so", "codex/2"),
        ('"a \\"b\\" c\\n\\u00e9"', 'a "b" c\né', None),
        ('"tab\there"', "tab\there", None),
        ("“curly” — s", "curly", "s"),
        ("„unten oben“", "unten oben", None),
        ("«guillemets»", "guillemets", None),
        ("'single' — s", "single", "s"),
        ("‘single curly’", "single curly", None),
        ("no quotes at all — not a source", "no quotes at all — not a source", None),
        ('"unclosed', '"unclosed', None),
        ('"bad \\x escape"', "bad \\x escape", None),
        ('"a"b', "a", None),
        ('""', "", None),
        ('"', '"', None),
        ("", "", None),
        ('"dash — inside" — s', "dash — inside", "s"),
    ],
)  # fmt: skip
def test_parse_evidence(value: str, quote: str, source: str | None) -> None:
    assert parse_evidence(value) == (quote, source)
    assert entry(("evidence", value)).evidence == (Evidence(quote, source),)


@given(texts, st.one_of(st.none(), st.just("claude-code/7c1e90b2, 2026-11-29T14:31:58+01:00")))
def test_evidence_reads_back_from_one_line(quote: str, source: str | None) -> None:
    written = render_evidence(Evidence(quote, source))
    assert "\n" not in written
    assert "\r" not in written
    assert parse_evidence(written) == (quote, source)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("2026-11-12, 3 sessions", (date(2026, 11, 12), 3)),
        ("2026-11-12, 1 session", (date(2026, 11, 12), 1)),
        ("2026-11-12,12", (date(2026, 11, 12), 12)),
        ("2026-11-12", (date(2026, 11, 12), 1)),
        ("2026-11-12, some", (date(2026, 11, 12), 1)),
        ("soon, 3 sessions", (None, 3)),
        ("soon", (None, 0)),
        ("", (None, 0)),
    ],
)
def test_reinforced(value: str, found: tuple[date | None, int]) -> None:
    assert entry(("reinforced", value)).reinforced == found


def test_the_first_of_a_repeated_field_counts() -> None:
    found = entry(("impact", "2"), ("impact", "3"), ("scope", ""), ("scope", "b"))
    assert (found.impact, found.scope) == (2, None)


@pytest.mark.parametrize("key", CHOICES)
def test_each_choice_is_read_and_nothing_else(key: str) -> None:
    for value in CHOICES[key]:
        read = getattr(entry((key, value), tag=Tag.HYPOTHESIS), key, value)
        assert str(read).lower() == value
    for value in ("", "x", CHOICES[key][0].upper() + " "):
        assert getattr(entry((key, value)), key, None) == getattr(entry(), key, None)


def test_our_keys_are_known() -> None:
    assert set(CHOICES) <= set(FIELD_KEYS)
    assert set(DATE_FIELDS) <= set(FIELD_KEYS)
    assert len(FIELD_KEYS) == len(set(FIELD_KEYS))


@pytest.mark.parametrize(
    ("value", "validated"), [("2026-11-01", True), ("true", True), ("false", False), ("soon", False), ("", False)]
)
def test_validated(value: str, validated: bool) -> None:
    assert entry(("validated", value), tag=Tag.HYPOTHESIS).validated is validated
