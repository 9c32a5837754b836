"""Words into terms, and the stemmer."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.recall.snippet import WIDTH, snippet
from remember_me.recall.stemmer import porter
from remember_me.recall.terms import (
    ENDS_IN_QUESTION,
    HAS_NAME,
    HAS_NUMBER,
    HAS_QUESTION,
    fold,
    stem,
    stop_words,
    terms_of,
    traits_of,
    words,
)

STEMS = """caresses caress ponies poni ties ti caress caress cats cat feed feed agreed agre plastered plaster bled bled
motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss
fizzed fizz failing fail filing file happy happi sky sky relational relat conditional condit rational ration
valenci valenc digitizer digit radicalli radic differentli differ vileli vile analogousli analog vietnamization vietnam
predication predic operator oper feudalism feudal decisiveness decis hopefulness hope callousness callous
formaliti formal sensitiviti sensit sensibiliti sensibl triplicate triplic formative form formalize formal
electriciti electr electrical electr hopeful hope goodness good revival reviv allowance allow inference infer
airliner airlin gyroscopic gyroscop adjustable adjust defensible defens irritant irrit replacement replac
adjustment adjust dependent depend adoption adopt homologou homolog communism commun activate activ
angulariti angular homologous homolog effective effect bowdlerize bowdler probate probat rate rate cease ceas
controll control roll roll yes ye toy toi enjoyed enjoi say sai by by 2nd 2nd"""
PAIRS = list(zip(STEMS.split()[::2], STEMS.split()[1::2], strict=True))


@pytest.mark.parametrize(("word", "wanted"), PAIRS)
def test_the_examples_of_the_paper(word: str, wanted: str) -> None:
    assert porter(word) == wanted


@given(st.text("abcdeiouyslngtz", max_size=14))
def test_a_stem_is_never_longer_than_the_word_and_never_empty(word: str) -> None:
    assert len(porter(word)) <= len(word) + 1
    assert bool(porter(word)) == bool(word)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Café", "cafe"),
        ("Zürich", "ZU\u0308RICH"),
        ("STRASSE", "Straße"),
        ("İstanbul", "istanbul"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("서울", unicodedata.normalize("NFD", "서울")),
        ("がっこう", unicodedata.normalize("NFD", "がっこう")),
        ("went", "going"),
        ("Mother's", "mom"),
        ("colour", "colors"),
        ("seven", "7"),
        ("don\u2019t worry", "don't worry"),
        ("run-time", "run time"),
    ],
)
def test_the_same_terms(text: str, other: str) -> None:
    assert terms_of(fold(text)) == terms_of(fold(other)) != []


@given(st.text(max_size=40))
def test_composed_and_decomposed_are_the_same(text: str) -> None:
    forms = {tuple(terms_of(fold(unicodedata.normalize(form, text)))) for form in ("NFC", "NFD")}
    assert len(forms) == 1


@given(st.text(max_size=60))
def test_a_term_is_letters_and_digits(text: str) -> None:
    for term in terms_of(fold(text)):
        assert term
        assert len(term) <= 64
        assert all(letter.isalnum() or unicodedata.combining(letter) for letter in term)
        assert '"' not in term


def test_cjk_is_cut_into_pairs_and_in_the_index_into_single_characters_too() -> None:
    assert words("京都の寺") == ["京都", "都の", "の寺"]
    assert words("京都の寺", index=True) == ["京", "都", "の", "寺", "京都", "都の", "の寺"]
    assert words("茶") == ["茶"]
    assert words("v2の寺x") == ["v2", "の寺", "x"]


def test_stop_words_are_no_terms() -> None:
    assert terms_of(fold("What would you do with it?")) == []
    assert not stop_words() & {"well", "hell", "ill", "shell", "may"}


@pytest.mark.parametrize(
    ("text", "head", "flags"),
    [
        ("Anna: I saw it", stem("anna"), 0),
        ("Anna Maria: I saw it", stem("anna"), 0),
        ("Is it so?", "", ENDS_IN_QUESTION | HAS_QUESTION),
        ("Is it so? No", "", HAS_QUESTION),
        ("それは何？", "", ENDS_IN_QUESTION | HAS_QUESTION),
        ("We met on sunday", "", HAS_NUMBER),
        ("Costs 20 euro", "", HAS_NUMBER),
        ("Then Anna came, in Rome", "", HAS_NAME),
        ("", "", 0),
    ],
)
def test_traits(text: str, head: str, flags: int) -> None:
    traits = traits_of(text)
    assert (traits.head, traits.flags) == (head, flags)
    assert traits.length == len(traits.terms.split())


def test_a_very_long_word_is_one_short_term() -> None:
    assert len(terms_of("x" * 100_000)[0]) <= 64


def test_it_is_imported_without_compiling_a_pattern() -> None:
    code = """import re, sys, time, unicodedata, typing, functools
re.compile = lambda *a: 1 / 0
import remember_me.recall.terms
assert not {'json', 'sqlite3', 'datetime', 'dataclasses'} & set(sys.modules)"""
    subprocess.run([sys.executable, "-c", code], check=True)


# Snippets


def marked(text: str, *terms: str) -> list[str]:
    shown, marks = snippet([text], [stem(fold(term)) for term in terms])
    return [shown[start:end] for start, end in marks]


@pytest.mark.parametrize(
    ("text", "term", "wanted"),
    [
        ("She went home", "go", ["went"]),
        ("The Clock's clocks", "clock", ["Clock's", "clocks"]),
        ("Zu\u0308rich, Zürich", "zurich", ["Zu\u0308rich", "Zürich"]),
        ("妹と京都の寺", "京都", ["京都"]),
        ("nothing", "clock", []),
    ],
)
def test_matched_words_are_marked(text: str, term: str, wanted: list[str]) -> None:
    assert marked(text, term) == wanted


def test_overlapping_pairs_are_one_mark() -> None:
    shown, marks = snippet(["私は京都の寺へ行く"], words("京都の寺"))
    assert [shown[start:end] for start, end in marks] == ["京都の寺"]


def test_a_long_text_is_cut_around_the_best_match() -> None:
    text = " ".join(["filler"] * 100 + ["clock"] + ["filler"] * 100 + ["clock", "of", "brass"] + ["filler"] * 100)
    shown, marks = snippet([text], ["clock", "brass"])
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= WIDTH + 2
    assert [shown[start:end] for start, end in marks] == ["clock", "brass"]


@given(st.text(max_size=400), st.lists(st.text(max_size=5), max_size=4))
def test_marks_lie_within_the_snippet_in_their_order(text: str, asked: list[str]) -> None:
    shown, marks = snippet([text], terms_of(fold(" ".join(asked))))
    assert len(shown) <= WIDTH + 2
    assert "\n" not in shown
    ends = [0, *(place for mark in marks for place in mark)]
    assert ends == sorted(ends)
    assert ends[-1] <= len(shown)
