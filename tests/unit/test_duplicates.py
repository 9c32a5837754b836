"""When two statements are the same one, and which entry says it already."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.entry import Entry, Status, Tag, Tier
from remember_me.policy.duplicates import (
    Repeated,
    Statement,
    digest,
    find_duplicate,
    find_repeated,
    fold,
    sources,
    text_of,
)
from tests.texts import texts

ENDED = [status for status in Status if status is not Status.ACTIVE]


def said(
    identity: str, *fields: tuple[str, str], title: str = "Likes tea", tag: Tag = Tag.FACT, body: str = ""
) -> Entry:
    return Entry(identity, tag, title, body, fields, "memory/2026-11-29.md", 1, Tier.DAILY, date(2026, 11, 29), None)


# The folded form


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Likes tea", "likes tea"),
        ("  LIKES\t\r\n\n tea.  ", "likes tea"),
        ("likes-tea", "likes tea"),
        ("likes_tea", "likes tea"),
        ("“Likes”: (tea)!?", "likes tea"),
        ("don't", "don t"),
        ("don’t", "don t"),
        ("Likes\u00a0tea", "likes tea"),
        ("Likes\u2028tea\u2029", "likes tea"),
        ("Likes — tea…", "likes tea"),
        ("Ｌｉｋｅｓ　ｔｅａ！", "likes tea"),
        ("ﬁne", "fine"),
        ("x²", "x2"),
        ("Straße", "strasse"),
        ("STRASSE", "strasse"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("Σίσυφος", "σίσυφοσ"),
        ("Cafe\u0301", "caf\u00e9"),
        ("CAFÉ", "caf\u00e9"),
        ("기어 비율", "기어 비율"),
        (unicodedata.normalize("NFD", "기어 비율"), "기어 비율"),
        ("お茶が、好き。", "お茶が 好き"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("喜欢茶", "喜欢茶"),
        # Only punctuation: it keeps its characters.
        ("+", "+"),
        (" - ", "-"),
        ("_", "_"),
        ("… !", "... !"),
        ("?\n!", "? !"),
        ("👍", "👍"),
        ("👩‍🔧", "👩‍🔧"),
        ("！", "!"),
        # Nothing at all.
        ("", ""),
        (" \t\r\n", ""),
        ("\u00a0\u3000", ""),
    ],
)
def test_folded(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert digest(text) == digest(folded)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes tea", "Likes teas"),
        ("Likes tea", "Like stea"),
        ("therapist", "the rapist"),
        ("no one", "noone"),
        ("résumé", "resume"),
        ("1.5 mm", "15 mm"),
        ("+", "-"),
        ("👍", "👎"),
        ("👩‍🔧", "👨‍🔧"),
        ("?", "??"),
        ("ISPARTA", "ısparta"),  # the Turkish i without a dot is a letter of its own
        ("İstanbul", "Istanbul"),
        ("ß", "s"),
        ("기어", "기아"),
        ("喜欢茶", "喜歡茶"),
        ("か", "が"),
        ("", "x"),
        ("", "."),
    ],
)
def test_different(one: str, other: str) -> None:
    assert fold(one) != fold(other)
    assert digest(one) != digest(other)


def test_case_of_the_turkish_i() -> None:
    assert fold("İSTANBUL") == fold("i\u0307stanbul")
    assert fold("ILIK") == fold("ilik") != fold("ılık")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("मेरा बेटा", "मेरी बेटी"),  # my son, my daughter
        ("दिन", "दान"),  # day, gift
        ("ปี", "ปู"),  # year, crab
        ("கல்", "கலி"),
        ("x\u030c", "x\u0302"),
    ],
)
def test_vowels_that_are_combining_marks_make_another_word(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers C++", "Prefers C"),
        ("Answers with 👍", "Answers with 👎"),
        ("Pays in €", "Pays in $"),
        ("Wants a > b", "Wants a < b"),
    ],
)
def test_symbols_beside_words_are_no_punctuation(one: str, other: str) -> None:
    """DESIGN folds NFKC, case, white space and punctuation; these are of the categories Sm, Sc and So."""
    assert fold(one) != fold(other)


@given(texts)
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert folded == folded.strip()


@given(texts, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_the_form_of_composition_does_not_matter(text: str, form: str) -> None:
    assert fold(unicodedata.normalize(form, text)) == fold(text)  # type: ignore[arg-type]


@given(st.text("abcXYZ .,-!\n\t", max_size=20), st.sampled_from([" ", "\n", "\t  ", "\u00a0", "\r\n"]))
def test_case_and_white_space_do_not_matter(text: str, gap: str) -> None:
    assert fold(text.upper()) == fold(text.lower()) == fold(text)
    assert fold(gap + gap.join(text.split()) + gap) == fold(text)


@given(st.lists(texts, min_size=2, max_size=6))
def test_digests_are_equal_exactly_where_the_folded_forms_are(samples: list[str]) -> None:
    samples = [*samples, *(f" {text.upper()} " for text in samples)]
    for one in samples:
        assert re.fullmatch(r"[0-9a-f]{8}", digest(one))
        for other in samples:
            assert (digest(one) == digest(other)) is (fold(one) == fold(other))


def test_a_digest_is_the_same_everywhere_and_takes_any_text() -> None:
    assert digest("Likes tea") == digest("likes, TEA!") == "2df560f9"
    assert digest("") == "00000000"
    assert digest("\udcff") == "ca4dc987"


@pytest.mark.parametrize(
    ("title", "body", "text"),
    [
        ("Likes tea", "", "Likes tea"),
        ("First", "First\nsecond", "First\nsecond"),
        ("Title", "Another text", "Title\n\nAnother text"),
    ],
)
def test_what_an_entry_says(title: str, body: str, text: str) -> None:
    assert text_of(said("aaaaa1", title=title, body=body)) == text


# Which entry says it already


PLAIN = Statement("likes TEA.", Tag.FACT, None)


def found(entries: list[Entry], statement: Statement = PLAIN) -> str | None:
    entry = find_duplicate(iter(entries), statement)
    return entry.id if entry is not None else None


def test_the_first_live_one_of_the_same_tag() -> None:
    assert found([said("aaaaa1"), said("aaaaa2")]) == "aaaaa1"
    assert found([said("aaaaa1", title="Likes coffee"), said("aaaaa2")]) == "aaaaa2"
    assert found([]) is None
    assert found([said("aaaaa1", title="Likes coffee")]) is None


@pytest.mark.parametrize("status", ENDED)
def test_one_that_ended_is_no_duplicate(status: Status) -> None:
    assert found([said("aaaaa1", ("status", status))]) is None
    assert found([said("aaaaa1", ("status", status)), said("aaaaa2")]) == "aaaaa2"


@pytest.mark.parametrize("tag", list(Tag))
@pytest.mark.parametrize("confirms", [False, True])
def test_tags(tag: Tag, confirms: bool) -> None:
    """Another tag is another statement, but for a hypothesis that is confirmed by it."""
    statement = PLAIN._replace(confirms=confirms)
    same = tag is Tag.FACT or (tag is Tag.HYPOTHESIS and confirms)
    assert found([said("aaaaa1", tag=tag)], statement) == ("aaaaa1" if same else None)


def test_the_same_tag_goes_before_a_hypothesis() -> None:
    entries = [said("aaaaa1", tag=Tag.HYPOTHESIS), said("aaaaa2")]
    assert found(entries, PLAIN._replace(confirms=True)) == "aaaaa2"
    assert found(entries[:1], PLAIN._replace(confirms=True)) == "aaaaa1"
    assert found(entries[:1]) is None
    assert found(entries, PLAIN._replace(tag=Tag.HYPOTHESIS)) == "aaaaa1"


@pytest.mark.parametrize("status", ENDED)
def test_a_hypothesis_that_ended_is_not_confirmed(status: Status) -> None:
    entry = said("aaaaa1", ("status", status), tag=Tag.HYPOTHESIS)
    assert found([entry], PLAIN._replace(confirms=True)) is None


@pytest.mark.parametrize(
    ("scope", "asked", "same"),
    [
        (None, None, True),
        ("cogwork", "cogwork", True),
        ("cogwork", None, False),
        (None, "cogwork", False),
        ("cogwork", "bells", False),
        ("cogwork", "Cogwork", False),
        ("", None, True),
    ],
)
def test_scopes(scope: str | None, asked: str | None, same: bool) -> None:
    fields = [("scope", scope)] if scope is not None else []
    statement = PLAIN._replace(scope=asked, source="msg-1", confirms=True)
    sourced = ("evidence", '"tea" — msg-1, 2026-11-29')
    assert found([said("aaaaa1", *fields)], statement) == ("aaaaa1" if same else None)
    assert found([said("aaaaa1", *fields, sourced)], statement) == "aaaaa1"  # the same message, wherever it was filed
    assert found([said("aaaaa1", *fields, tag=Tag.HYPOTHESIS)], statement) == ("aaaaa1" if same else None)


@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("tag", list(Tag))
def test_a_retry_finds_what_it_made_whatever_became_of_it(status: Status, tag: Tag) -> None:
    made = said("aaaaa1", ("status", status), ("evidence", '"I like tea" — msg-1, 2026-11-29T14:32'), tag=tag)
    entries = [said("aaaaa2"), made, said("aaaaa3", tag=Tag.HYPOTHESIS)]
    assert found(entries, PLAIN._replace(source="msg-1", confirms=True)) == "aaaaa1"
    assert found(entries, PLAIN._replace(source="msg-2", confirms=True)) == "aaaaa2"
    assert found(entries, PLAIN._replace(source=None)) == "aaaaa2"


def test_the_same_source_with_other_words_is_another_statement() -> None:
    made = said("aaaaa1", ("evidence", '"x" — msg-1'), title="Likes coffee")
    assert found([made], PLAIN._replace(source="msg-1")) is None


def test_the_messages_that_the_evidence_names() -> None:
    entry = said(
        "aaaaa1",
        ("evidence", '"one" — claude-code/1, 2026-11-29T14:31:58+01:00'),
        ("evidence", "“two” — msg-2"),
        ("evidence", '"three"'),
        ("evidence", "bare words"),
        ("evidence", '"a, b" — msg-3, x, y'),
    )
    assert list(sources(entry)) == ["claude-code/1", "msg-2", "msg-3"]
    assert list(sources(said("aaaaa1"))) == []


# Statements that stand twice


def test_each_later_one_repeats_the_first() -> None:
    first, second, third = said("aaaaa1"), said("aaaaa2", title="LIKES TEA"), said("aaaaa3", title="likes: tea")
    other = said("aaaaa4", title="Likes coffee")
    assert find_repeated([first, other, second, third]) == [Repeated(first, second), Repeated(first, third)]
    assert find_repeated(iter([first, other])) == []
    assert find_repeated([]) == []


@pytest.mark.parametrize("status", ENDED)
def test_only_live_ones_repeat_each_other(status: Status) -> None:
    ended, first, second = said("aaaaa1", ("status", status)), said("aaaaa2"), said("aaaaa3")
    assert find_repeated([ended, first]) == []
    assert find_repeated([first, ended]) == []
    assert find_repeated([ended, first, second]) == [Repeated(first, second)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (said("aaaaa1"), said("aaaaa2", tag=Tag.PREFERENCE), False),
        (said("aaaaa1"), said("aaaaa2", ("scope", "cogwork")), False),
        (said("aaaaa1", ("scope", "cogwork")), said("aaaaa2", ("scope", "cogwork")), True),
        (said("aaaaa1", ("scope", "")), said("aaaaa2"), True),
        (said("aaaaa1"), said("aaaaa2", ("basis", "stated")), True),
        (said("aaaaa1"), said("aaaaa2", ("basis", "observed")), False),
        (said("aaaaa1", ("basis", "observed")), said("aaaaa2", ("basis", "observed")), True),
        (said("aaaaa1", tag=Tag.HYPOTHESIS), said("aaaaa2", ("basis", "inferred"), tag=Tag.HYPOTHESIS), True),
        (said("aaaaa1", tag=Tag.HYPOTHESIS), said("aaaaa2", tag=Tag.FACT), False),
        (said("aaaaa1", ("impact", "3")), said("aaaaa2"), True),
        (said("aaaaa1", title="T", body="x"), said("aaaaa2", title="T\n\nx"), True),
        (said("aaaaa1", title="T", body="x"), said("aaaaa2", title="T"), False),
    ],
)
def test_tag_scope_and_basis_keep_statements_apart(one: Entry, other: Entry, same: bool) -> None:
    assert find_repeated([one, other]) == ([Repeated(one, other)] if same else [])


def test_topic_notes_are_left_out() -> None:
    topic = said("aaaaa1")._replace(tier=Tier.TOPIC)
    assert find_repeated([topic, said("aaaaa2"), topic._replace(id="aaaaa3")]) == []
