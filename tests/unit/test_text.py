"""Normal forms of what people type, and what is shown of characters that nobody sees."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.text import (
    TITLE_CHARACTERS,
    hidden_characters,
    inner_span,
    is_blank,
    join_title,
    normalize_text,
    one_line,
    split_title,
    visible,
    visible_line,
)
from tests.texts import raw_texts, texts


@pytest.mark.parametrize(
    ("given_text", "text"),
    [
        ("x", "x"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\n\n  \nx\n \n\n", "x"),
        ("  x  ", "  x  "),
        ("\n  x\n\n\ty  \n", "  x\n\n\ty  "),
        ("a\n\n\n\nb", "a\n\n\n\nb"),
        ("", ""),
        (" \n\t\r\n ", ""),
        ("\xa0", "\xa0"),
        ("\u2028", "\u2028"),
        ("\x0cx\x0b", "\x0cx\x0b"),
    ],
)
def test_normalize_text(given_text: str, text: str) -> None:
    assert normalize_text(given_text) == text


@given(raw_texts)
def test_normalizing_again_changes_nothing(given_text: str) -> None:
    text = normalize_text(given_text)
    assert normalize_text(text) == text
    assert "\r" not in text
    assert text == "" or not (is_blank(text.split("\n")[0]) or is_blank(text.split("\n")[-1]))
    assert text in given_text.replace("\r\n", "\n").replace("\r", "\n")


@given(st.text(" \t\r\nx", max_size=30))
def test_the_inner_span_leaves_blank_lines_out_and_loses_no_word(text: str) -> None:
    start, end = inner_span(text)
    assert text[:start].strip(" \t\r\n") == text[end:].strip(" \t\r\n") == ""
    assert start == 0 or text[start - 1] == "\n" or start == len(text)
    assert end == len(text) or text[end] in "\r\n"


LONG = "word " * 50


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("one line", "one line", ""),
        ("x" * TITLE_CHARACTERS, "x" * TITLE_CHARACTERS, ""),
        ("one\ntwo", "one", "one\ntwo"),
        ("  indented", "indented", "  indented"),
        ("trailing ", "trailing", "trailing "),
        ("First sentence. " + LONG, "First sentence.", "First sentence. " + LONG),
        ("Really?! " + LONG, "Really?!", "Really?! " + LONG),
        ("最初の文。" + "字" * 300, "最初の文。", "最初の文。" + "字" * 300),
        ("Version 3.5 of " + LONG, ("Version 3.5 of " + LONG)[:199].rpartition(" ")[0] + "…", "Version 3.5 of " + LONG),
        ("x" * 250, "x" * 199 + "…", "x" * 250),
        ("x" * 199 + ".y" + "z" * 50, "x" * 199 + "…", "x" * 199 + ".y" + "z" * 50),
        (LONG + "\nsecond", LONG[:199].rpartition(" ")[0] + "…", LONG + "\nsecond"),
    ],
)
def test_split_title(text: str, title: str, body: str) -> None:
    assert split_title(text) == (title, body)


@given(texts)
def test_nothing_of_a_text_is_lost_in_title_and_body(text: str) -> None:
    title, body = split_title(text)
    assert 0 < len(title) <= TITLE_CHARACTERS
    assert "\n" not in title
    assert title == title.strip(" \t")
    assert (body or title) == text
    assert join_title(title, body) == text


def test_a_hand_written_body_is_joined_with_its_title() -> None:
    assert join_title("Title", "another text") == "Title\n\nanother text"
    assert join_title("Title", "") == "Title"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb", "a b"),
        ("a\r\n  b", "a b"),
        ("a\tb", "a b"),
        ("  a  ", "a"),
        ("a\u2028b", "a\u2028b"),
        ("\n", ""),
        ("a \n b", "a  b"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text) == line


SHOWN_PREFIXES = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Format characters that are seen: signs that stand over Arabic and Kaithi numbers."""


def test_every_control_format_and_separator_character_is_shown() -> None:
    for code in range(0x110000):
        character = chr(code)
        hidden = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs") and character not in SHOWN_PREFIXES
        if hidden and character not in "\t\n":
            assert visible(f"a{character}a") != f"a{character}a", hex(code)
            assert hidden_characters(f"a{character}a") == 1
        elif unicodedata.category(character)[0] in "LN":
            assert visible(character) == character or character in "\u115f\u1160\u3164\uffa0", hex(code)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a\\x00b"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\x7fb\x9b", "a\\x7fb\\x9b"),
        ("a\rb", "a\\x0db"),
        ("a\tb\nc", "a\tb\nc"),
        ("soft\u00adhyphen", "soft\\xadhyphen"),
        ("\u202eevil\u202c", "\\u202eevil\\u202c"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("\u200ex\u200f\u061c", "\\u200ex\\u200f\\u061c"),
        ("zero\u200bwidth\u2060\ufeff", "zero\\u200bwidth\\u2060\\ufeff"),
        ("a\u2028b\u2029", "a\\u2028b\\u2029"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("\u115f\u1160\u3164\uffa0", "\\u115f\\u1160\\u3164\\uffa0"),
        ("\u180e\u034f\u17b4", "\\u180e\\u034f\\u17b4"),
        ("\udc80", "\\udc80"),
        ("a\ufe00\ufe01b", "a\\ufe00\\ufe01b"),
        ("a\u200db", "a\\u200db"),
        ("\u200d", "\\u200d"),
        ("a \u200c b", "a \\u200c b"),
        ("^\u200d^", "^\\u200d^"),
        ("e\u0301\u200d\u0301", "e\u0301\\u200d\u0301"),
        ("می\u200c", "می\\u200c"),
        ("👩\u200dx", "👩\\u200dx"),
        ("字\U000e0100\U000e0101", "字\U000e0100\\U000e0101"),
        ("x\U000e0100", "x\\U000e0100"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert hidden_characters(text) == sum(1 for _ in shown.split("\\")) - 1


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",
        "جعبه\u200cهای",
        "क\u094d\u200dष",
        "क\u094d\u200cष",
        "ක\u0dca\u200dර",
        "👩\u200d🔧",
        "👨\u200d👩\u200d👧\u200d👦",
        "🏴\u200d☠\ufe0f",
        "❤\ufe0f\u200d🔥",
        "👩🏽\u200d🔧",
        "🙂\u200d↔\ufe0f",
        "👋🏽",
        "#\ufe0f\u20e3 1\ufe0f\u20e3",
        "©\ufe0f ™\ufe0e",
        "葛\U000e0100",
        "naïve Zürich Ωmega תיבה",
        "e\u0301",
        "\xa0\u3000",
    ],
)
def test_what_belongs_to_words_and_emoji_stays(text: str) -> None:
    assert visible(text) == text
    assert hidden_characters(text) == 0


@given(raw_texts)
def test_what_is_shown_is_shown_the_same_again(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    assert hidden_characters(shown) == 0
    assert visible(text.replace("\n", "").replace("\t", "")) == visible_line(text.replace("\n", "").replace("\t", ""))
    assert len(visible_line(text).split("\n")) == 1
