"""What is written as a YAML scalar is the same string for every reader of YAML."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from remember_me.notes.frontmatter import parse_front_matter
from remember_me.notes.yamlblock import render_scalar, render_value, unquote
from tests.texts import characters, raw_texts

LOADERS = [yaml.BaseLoader, yaml.SafeLoader, yaml.CBaseLoader, yaml.CSafeLoader]
WORDS = st.sampled_from(
    [
        "no", "Yes", "off", "ON", "y", "N", "true", "False", "null", "~", "", " ", "0", "1", "0123", "0o17",
        "0x1F", "1_000", "1e3", "1.5", ".5", "-1", "+1", "1:30", "190:20:30", ".inf", "-.INF", ".nan",
        "2026-11-29", "2026-1-1", "2026-11-29T14:31:58Z", "2026-11-29 14:31:58.5 +1", "=", "<<", "!", "!x",
        "&a", "*a", "- x", "-", "? x", ": x", "x:", "x: y", "x #y", "x#y", "#x", "---", "...", "[x]", "{x}",
        "a, b", "'x'", '"x"', "`x`", "@x", "%x", "|", ">", "\\", "a\\b", "\t", "a\tb", " x", "x ", "x\n",
        "a\nb", "\u2028", "\x85", "\ufeff", "a\ufeffb", "\x00", "\x7f", "\x1f", "\ufffe", "é", "👩\u200d🔧",
        "字",
    ]
)  # fmt: skip


@given(st.one_of(WORDS, raw_texts, st.text(characters)))
def test_a_scalar_reads_back_as_the_same_string_everywhere(value: str) -> None:
    written = render_scalar(value)
    assert "\n" not in written
    assert "\r" not in written
    for loader in LOADERS:
        assert yaml.load(f"key: {written}\nnext: x\n", Loader=loader) == {"key": value, "next": "x"}
    front = parse_front_matter(f"---\nkey: {written}\nnext: x\n---\n", "x.md")
    assert front is not None
    assert (front.text("key"), front.text("next"), front.lenient, front.problems) == (value, "x", False, ())
    key = front.key("key")
    assert key is not None
    assert key.value_span == (9, 9 + len(written))


@given(st.text(characters))
def test_a_scalar_with_a_remark_behind_it_reads_back(value: str) -> None:
    front = parse_front_matter(f"---\nkey: {render_scalar(value)}  # remark: kept\n---\n", "x.md")
    assert front is not None
    assert front.text("key") == value


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain words", "plain words"),
        ("a, b; c", "a, b; c"),
        ("http://x.org/a", "http://x.org/a"),
        ("C# and F#", "C# and F#"),
        ("it's", "it's"),
        ("2 sugars", "2 sugars"),
        ("[[note]]", '"[[note]]"'),
        ("x: y", '"x: y"'),
        ('say "x"', 'say "x"'),
        ('"x"', '"\\"x\\""'),
        ("2026-11-29", '"2026-11-29"'),
        ("12:30", '"12:30"'),
        ("no", '"no"'),
        ("", '""'),
    ],
)
def test_people_read_plain_words_where_these_are_safe(value: str, written: str) -> None:
    assert render_scalar(value) == written


@pytest.mark.parametrize(
    ("key", "value", "written"),
    [
        ("since", "2026-11-29", "2026-11-29"),
        ("expires", "2026-12-31", "2026-12-31"),
        ("impact", "3", "3"),
        ("pinned", "true", "true"),
        ("title", "2026-11-29", '"2026-11-29"'),
        ("title", "3", '"3"'),
        ("scope", "true", '"true"'),
        ("since", "no", '"no"'),
    ],
)
def test_our_own_dates_numbers_and_booleans_stand_plain(key: str, value: str, written: str) -> None:
    assert render_value(key, value) == written


@pytest.mark.parametrize(
    ("quoted", "value"),
    [
        ("'it''s'", "it's"),
        ("'a\\nb'", "a\\nb"),
        ('"plain"', "plain"),
        ('"a\\nb\\u00e9"', "a\nbé"),
        ('"\\x41"', None),
        ('"\\e"', None),
    ],
)
def test_unquote(quoted: str, value: str | None) -> None:
    assert unquote(quoted) == value
