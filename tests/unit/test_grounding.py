"""Grounding: what counts as typed, where a quote stands, and which titles say no more than their quote."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.receipt import Receipt
from remember_me.policy.caution_words import reduces_caution
from remember_me.policy.grounding import Grounded, Held, Reason, decide_grounding
from remember_me.policy.orders import is_order_to_act
from remember_me.policy.statement import clauses_of, language_of
from remember_me.policy.typed import MESSAGE_CHARACTERS, find_quote, typed_spans
from tests.timing import assert_growth

TUNING = Path(__file__).parents[1] / "corpora" / "grounding-tuning.json"
AT = datetime(2026, 11, 29, 14, 32, tzinfo=UTC)


def receipt(text: str, number: int = 1) -> Receipt:
    return Receipt("claude-code/7c1e90b2", f"m{number}", text, AT, "claude-code")


def decide(title: str, quote: str, *messages: str, body: str = "") -> Reason | str:
    """The reason why it waits, or the slice that grounds it. Without messages the quote is the message."""
    found = decide_grounding(title, body, quote, [receipt(text) for text in messages or (quote,)])
    return found.reason if isinstance(found, Held) else found.quote


def typed(text: str) -> list[str]:
    return [text[start:end] for start, end in typed_spans(text)]


# What counts as typed


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("I like tabs", ["I like tabs"]),
        ("  \n\n I like tabs \r\n", ["I like tabs"]),
        ("", []),
        (" \n\t", []),
        ("look:\n```\nI like tabs\n```\nthanks", ["look:", "thanks"]),
        ("look:\n~~~py\nI like tabs\n```\n", ["look:"]),
        ("- list\n  ```\n  I like tabs\n  ```\nthanks", ["- list", "thanks"]),
        ("see\n> I like tabs\nno", ["see", "no"]),
        ("see\n\n    I like tabs\n\nno", ["see", "no"]),
        ("see\n\tI like tabs\nno", ["see", "no"]),
        ('ok <remember-me etag="x">\nI like tabs\n</remember-me>\nfine', ["ok", "fine"]),
        ("ok <remember-me>\nI like tabs", ["ok"]),
        ("I like tabs</remember-me>\nfine", ["fine"]),
        ("<system-reminder>I like tabs</system-reminder>fine", ["fine"]),
        ("<local-command-stdout>I like tabs</local-command-stdout>", []),
        ("<command-message>x</command-message>\n<command-name>/x</command-name>\ngo", ["go"]),
        ("<environment_context>\n<cwd>/x</cwd>\n</environment_context>\ngo", ["go"]),
        ("a <tool_result>b <tool_result>c</tool_result> d</tool_result> e", ["a", "e"]),
        ("a <b>bold</b> c <br/> d", ["a", "c", "d"]),
        ("use List<int> and a < b > c", ["use List<int> and a < b > c"]),
        ("a <!-- I like tabs --> b", ["a", "b"]),
        ("a <!-- I like tabs", ["a"]),
        ("what of this?\nOn Mon, 3 Nov 2025, Tom wrote:\nI like tabs", ["what of this?"]),
        ("From: Tom <t@x.org>\nI like tabs", []),
        ("-- Original Message --\nI like tabs", []),
        ("User: I like tabs\nAssistant: Noted.\nUser: thanks", []),
        ("first\n\n" + "x " * 800 + "\n\nlast", ["first", "last"]),
        ("first\n\n" + "line\n" * 16 + "\n\nlast", ["first", "last"]),
        ("short words. \n\n" * 400, []),
    ],
)
def test_what_counts_as_typed(text: str, spans: list[str]) -> None:
    assert typed(text) == spans


# Where a quote stands


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("I like tabs", "well, I like tabs.", "I like tabs"),
        ('say "hi"', "say “hi” now", "say “hi”"),
        ("I don't", "well I don’t", "I don’t"),
        ("I like tabs", "I like\u00a0 \r\n tabs", "I like\u00a0 \r\n tabs"),
        ("  I like\ttabs\n", "I like tabs", "I like tabs"),
        ("yes... no", "yes… no", "yes… no"),
        ("a - b", "a — b", "a — b"),
        ("tabs", "ta\u200bbs", "ta\u200bbs"),
        ("use >= 2", "use ≥ 2 at least", "use ≥ 2"),
        ("use ≥ 2", "use >= 2 at least", "use >= 2"),
        ("x <= 2, x != 1", "x ≤ 2, x ≠ 1", "x ≤ 2, x ≠ 1"),
        ("x >=", "x ≧ 2", "x ≧"),
        (">= 2", "x ≥ 2", "≥ 2"),
        ("= 2", "x ≥ 2", None),
        ("x >", "x ≥ 2", None),
        ("x <= 2", "x ≥ 2", None),
        ("= 2", "x ≥ 2 and y = 2", "= 2"),
        ("x = 2", "x ≠ 2", None),
        ("wait.", "wait… no", "wait…"),
        ("i like tabs", "I like tabs", None),
        ("", "I like tabs", None),
        (" \u200b", "I like tabs", None),
        ("a b", "a\n> quoted\nb", None),
        ("I like tabs", "> I like tabs", None),
    ],
)
def test_where_a_quote_stands(quote: str, text: str, found: str | None) -> None:
    span = find_quote(quote, text)
    assert (None if span is None else text[slice(*span)]) == found


PIECES = st.sampled_from(
    [
        "I like tabs",
        "don’t",
        "“x y”",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "> ",
        "```\n",
        "~~~",
        "<system-reminder>",
        "…",
        "\u00a0",
        "</system-reminder>",
        "<b>",
        "</b>",
        "    ",
        "- ",
        "日本語",
        "≥",
        "\u200b",
        ".",
        "<!--",
        "-->",
        "é",
        "e\u0301",
    ]
)
WORDS = ["I", "like", "don't", "tabs", "no", "never", "my", "wife", ",", ".", "?", "if", "and", "over", "5"]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=9)
MESSAGES = st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join)


@given(MESSAGES)
def test_typed_spans_are_ordered_apart_and_stripped(text: str) -> None:
    spans = typed_spans(text)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@given(MESSAGES, st.data())
def test_what_is_cut_from_a_typed_span_is_found_there_or_at_an_equal_place(text: str, data: st.DataObject) -> None:
    spans = typed_spans(text)
    if not spans:
        return
    start, end = data.draw(st.sampled_from(spans))
    first = data.draw(st.integers(start, end - 1))
    quote = text[first : data.draw(st.integers(first + 1, end))]
    found = find_quote(quote, text)
    if not quote.replace("\u200b", " ").strip() or quote[0] == "\u200b":
        return
    if found is None:
        assert not any(character.isprintable() and not character.isspace() for character in quote)
        return
    again = find_quote(text[slice(*found)], text)
    assert again == found
    assert any(one <= found[0] and found[1] <= other for one, other in spans)


@given(MESSAGES, st.sampled_from(["> {}", "```\n{}\n```", "<system-reminder>\n{}\n</system-reminder>", "    {}"]))
def test_nothing_is_found_in_what_was_not_typed(text: str, frame: str) -> None:
    hidden = "zqzq I like hidden things"
    plain = text.replace("`", "").replace("~", "").replace("<", "")
    assert find_quote(hidden, f"{plain}\n\n{frame.format(hidden)}\n\nend") is None


@given(SENTENCES, MESSAGES)
def test_a_grounded_quote_is_the_slice_of_its_message(words: list[str], text: str) -> None:
    quote = " ".join(words)
    message = f"{text}\n\n{quote}"
    found = decide_grounding(quote, "", quote, [receipt(message)])
    if isinstance(found, Grounded):
        assert found.quote == found.receipt.text[found.start : found.end]
        assert found.quote.split() == quote.split()


@given(MESSAGES, MESSAGES, MESSAGES, st.data())
def test_every_text_gets_a_decision(title: str, body: str, text: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(text)))
    quote = text[first : data.draw(st.integers(first, len(text)))]
    assert isinstance(decide_grounding(title, body, quote, [receipt(text)]), Grounded | Held)


# Titles


@pytest.mark.parametrize(
    ("quote", "title"),
    [
        ("I prefer tabs over spaces", "Prefers tabs over spaces"),
        ("my name is Ada", "User's name is Ada"),
        ("please don't deploy on Fridays", "No deployments on Fridays"),
        ("I don't like mocks", "Dislikes mocks"),
        ("I don't have a car", "Has no car"),
        ("I've got two cats", "Has two cats"),
        ("I have 3 cats", "Has three cats"),
        ("I'd like short answers", "Wants short answers"),
        ("I'd prefer short answers", "Prefers short answers"),
        ("don’t ever use eval", "Never use eval"),
        ("I’m a nurse, I work nights", "Works nights; is a nurse"),
        ("For this project we use Python 3.8", "Uses Python 3.8 for this project"),
        ("never push without asking me", "Never push without asking"),
        ("my wife likes opera", "User's wife likes opera"),
        ("Ich esse kein Fleisch", "Isst kein Fleisch"),
        ("j'utilise des tabulations", "Utilise des tabulations"),
        ("私は東京に住んでいます", "東京に住んでいる"),
        ("I want ≥ 2 reviewers", "Wants >= 2 reviewers"),
        ("I want ≠ 2 reviewers", "Wants ≠ 2 reviewers"),
    ],
)
def test_what_says_no_more_than_its_quote_passes(quote: str, title: str) -> None:
    assert decide(title, quote) == quote


@pytest.mark.parametrize(
    ("message", "quote", "title"),
    [
        ("I'm allergic to nuts, what can I eat?", "I'm allergic to nuts", "Allergic to nuts"),
        ("btw, I live in Rome. Can you fix the test?", "I live in Rome", "Lives in Rome"),
        ("Fix this:\n```\ncode\n```\nAlso I use vim", "I use vim", "Uses vim"),
        ("Some things about me:\n- I use vim\n- I live in Rome", "I live in Rome", "Lives in Rome"),
        ("I'm a nurse and I work nights", "I work nights", "Works nights"),
    ],
)
def test_what_stands_beside_a_quote_may_be_something_else(message: str, quote: str, title: str) -> None:
    assert decide(title, quote, message) == quote


@pytest.mark.parametrize(
    ("title", "quote", "message", "reason"),
    [
        ("Likes tabs", " ", "I like tabs", Reason.NO_QUOTE),
        ("Likes tabs", "I like tabs", "I like spaces", Reason.NOT_SAID),
        ("Likes tabs", "I like tabs", "so:\n```\nI like tabs\n```", Reason.NOT_TYPED),
        ("Likes tabs", "I like tabs", "I like tabs " * 400, Reason.NOT_TYPED),
        ("Yes", "yes", "yes", Reason.TOO_SHORT),
        ("Tabs", "tabs", "tabs", Reason.TOO_SHORT),
        ("Likes tabs", "I like tabs " * 100, "I like tabs " * 100, Reason.TOO_LONG),
        ("Uses tabs", "I use tabs", "should I use tabs?", Reason.QUESTION),
        ("Use tabs", "use tabs", "should I use tabs?", Reason.QUESTION),
        ("Uses tabs", "I use tabs", "I use tabs, right?", Reason.QUESTION),
        ("Teacher in Peru", "I was a teacher in Peru", "imagine I was a teacher in Peru", Reason.HYPOTHETICAL),
        ("Lives in Rome", "I live in Rome", "Translate: I live in Rome", Reason.OTHERS_WORDS),
        ("Never use eval", "never use eval", 'the docs say "never use eval" there', Reason.OTHERS_WORDS),
        ("Likes tabs", "I like tabs", "I like tabs. Just kidding.", Reason.RETRACTED),
        ("Skip the tests", "skip the tests", "skip the tests", Reason.REDUCES_CAUTION),
        ("Edits in docs", "you may edit in docs", "you may edit in docs", Reason.REDUCES_CAUTION),
        ("Likes mocks", "I don't like mocks", "I don't like mocks", Reason.NEGATION),
        ("Has three kids", "I have two kids", "I have two kids", Reason.NUMBER),
        ("Likes opera", "my wife likes opera", "my wife likes opera", Reason.SUBJECT),
        ("Use Python", "in this repo use Python", "in this repo use Python", Reason.LEFT_OUT),
        ("Use Python", "use Python", "use Python. Only in this repo.", Reason.LEFT_OUT),
        ("Use tabs", "use tabs", "please never use tabs", Reason.LEFT_OUT),
        ("Prefers spaces over tabs", "I prefer tabs over spaces", "I prefer tabs over spaces", Reason.ORDER),
        ("Delete files in tmp", "I delete files in tmp", "I delete files in tmp", Reason.ORDER),
        ("Drop the table when done", "drop the table when done", "drop the table when done", Reason.REDUCES_CAUTION),
        ("Agents act first", "I like it: agents act first", "I like it: agents act first", Reason.REDUCES_CAUTION),
        ("コードを消す", "コードを消してください", "全部消してください", Reason.NOT_SAID),
        ("Moved from Canada", "I moved from the US to Canada", "I moved from the US to Canada", Reason.LEFT_OUT),
        ("Does not know C++", "I don't know C++ well", "I don't know C++ well", Reason.LEFT_OUT),
        ("Is formal", "be formal", "be formal", Reason.LEFT_OUT),
        ("Wants 2 reviewers", "I want ≥ 2 reviewers", "I want ≥ 2 reviewers", Reason.LEFT_OUT),
        ("Wants 2 reviewers", "I want ≠ 2 reviewers", "I want ≠ 2 reviewers", Reason.LEFT_OUT),
        ("Wants > 2 reviewers", "I want >= 2 reviewers", "I want ≥ 2 reviewers", Reason.TITLE_SAYS_MORE),
        ("Wants <= 2 reviewers", "I want >= 2 reviewers", "I want ≥ 2 reviewers", Reason.TITLE_SAYS_MORE),
        ("Wants = 2 reviewers", "I want != 2 reviewers", "I want ≠ 2 reviewers", Reason.TITLE_SAYS_MORE),
        ("Likes tabs 🚫", "I like tabs", "I like tabs", Reason.TITLE_SAYS_MORE),
        ("Likes\u202e tabs", "I like tabs", "I like tabs", Reason.HIDDEN),
        ("Lives in Rome, Italy", "I live in Rome", "I live in Rome", Reason.TITLE_SAYS_MORE),
    ],
)
def test_what_waits_says_why(title: str, quote: str, message: str, reason: Reason) -> None:
    found = decide(title, quote, message)
    assert found is reason


def test_every_reason_is_a_sentence() -> None:
    assert all(reason.value.endswith(".") and reason.value[0].isupper() for reason in Reason)


def test_the_body_is_held_to_the_quote_too() -> None:
    quote = "I prefer tabs over spaces"
    assert decide("Prefers tabs over spaces", quote, body="Prefers tabs over spaces.") == quote
    assert decide("Prefers tabs over spaces", quote, body="Reject spaces in review.") is Reason.BODY_SAYS_MORE
    assert decide("Prefers tabs over spaces", quote, body="Skip the tests.") is Reason.REDUCES_CAUTION
    assert decide("Prefers tabs over spaces", quote, body="Prefers spaces over tabs") is Reason.ORDER


def test_the_last_three_messages_count_and_the_newest_decides() -> None:
    said, other = "I like tabs", "fix the test"
    assert decide("Likes tabs", said, other, other, said) == said
    assert decide("Likes tabs", said, other, other, other, said) is Reason.NOT_SAID
    assert decide("Likes tabs", said, "did I say I like tabs?", said) is Reason.QUESTION
    assert decide("Likes tabs", said, "never mind, forget it", said) is Reason.RETRACTED
    assert decide("Likes tabs", said) == said
    found = decide_grounding("Likes tabs", "", said, [receipt(other, 2), receipt("Hi! I like tabs.", 1)])
    assert found == Grounded("I like tabs", receipt("Hi! I like tabs.", 1), 4, 15)


@pytest.mark.parametrize(
    "text",
    [
        "Run commands without asking", "Always allow shell commands", "Skip the tests", "Ignore warnings",
        "Never ask for confirmation", "Don't ask before deleting", "May delete branches", "Push with --force",
        "Turn the linter off", "Auto-approve edits", "Don't hesitate to push without asking", "Do whatever you like",
        "No need to ask", "No need to show diffs", "Fewer confirmations", "Use your own judgement",
        "Warnings are noise",
        "Merge with failing tests", "Keep passwords in the repo", "Push whenever", "Ask less", "Be less careful",
        "Does not need to tell me", "Commit the .env file", "You decide", "Tests are optional",
        "Trust all scripts",
        "Consents to everything", "Permissions of 777 are normal here", "Löschen ohne zu fragen",
        "Pousser sans demander", "確認なしで実行する",
    ],
)  # fmt: skip
def test_less_caution_is_found(text: str) -> None:
    assert reduces_caution(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ask before deleting anything", "Never push without asking", "Never commit generated files", "Prefers tabs",
        "Do not touch the migrations folder", "Tests must pass before merging", "Likes reviews in the morning",
        "Does not trust benchmarks", "Can read Japanese", "Stop apologising", "Allergic to nuts",
        "Never touch the firewall",
        "No need to explain git", "Prefers fewer emojis", "Deploys on Mondays", "Takes notes by hand",
        "Don't mention Tom", "Release day is Thursday", "Goal: publish the app by June",
    ],
)  # fmt: skip
def test_ordinary_words_reduce_no_caution(text: str) -> None:
    assert not reduces_caution(text)


@pytest.mark.parametrize(
    ("quote", "acts"),
    [
        ("drop the table when done", True), ("open port 22", True), ("in prod drop the old tables", True),
        ("I want you to open port 22", True), ("answer my mail", True), ("use my credit card", True),
        ("keep retrying on errors", True), ("please archive everything", True), ("put debug mode on", True),
        ("answer in French", False), ("please use metric units", False), ("never open port 22", False),
        ("do not open port 22", False), ("I open the shop at 8", False), ("my shop opens at 8", False),
        ("tabs are four wide", False), ("in Python always use f-strings", False), ("put the answer first", False),
        ("saving for a house", False), ("14 March is the deadline", False), ("ask before you delete", False),
    ],
)  # fmt: skip
def test_which_orders_act(quote: str, acts: bool) -> None:
    clauses = clauses_of(quote, 0, len(quote), language_of(quote))
    assert any(is_order_to_act(clause.raw) for clause in clauses) is acts


# What turns a statement


def grounded_pairs() -> list[tuple[str, str]]:
    """(quote, title) of the honest pairs of the tuning set that pass as they are."""
    honest = json.loads(TUNING.read_text(encoding="utf-8"))["honest"]
    pairs = [(item["quote"].rstrip(".。"), item["title"]) for item in honest]
    return [(quote, title) for quote, title in pairs if decide(title, quote) == quote]


PAIRS = grounded_pairs()
TURNS = [
    "my boss says {}", "never {}", "not {}", "hardly {}", "nobody thinks {}", "I doubt that {}", "it is false that {}",
    "if {}", "{}, but only on Mondays", "{}. Only on Mondays.", "{} (only at home)", "{}; only at home",
    "{} except in docs", "{}, unless it rains", "{} when I travel", "until Friday {}",
    "{} today", "on weekends, {}", "in this repo {}",
    "maybe {}", "sometimes {}", "{} or not", "{}?", "{}? No.", "{}, just kidding", "{} /s", "{} - not!", "imagine {}",
    "Translate: {}", "Tom: {}", "“{}”, she said", "{} is what Tom says", "> {}", "```\n{}\n```", "{}\nbut not in docs",
]  # fmt: skip


@pytest.mark.parametrize("turn", TURNS)
def test_a_quote_that_is_turned_by_what_stands_around_it_waits(turn: str) -> None:
    passed = [quote for quote, title in PAIRS if isinstance(decide(title, quote, turn.format(quote)), str)]
    assert (passed, len(PAIRS) > 100) == ([], True)


@pytest.mark.parametrize("word", ["Vienna", "not", "never", "only", "always", "three", "without", "his", "must"])
def test_a_title_with_one_more_word_waits(word: str) -> None:
    passed = [
        longer
        for quote, title in PAIRS
        for at in range(len(title.split()) + 1)
        for longer in [" ".join([*title.split()[:at], word, *title.split()[at:]])]
        if isinstance(decide(longer, quote), str)
    ]
    assert passed == []


# Speed


@pytest.mark.parametrize(
    "unit", ["I like tabs. ", "<b ", "<a-b>", "</x>", "```\n", "> a\n", "<!--", "\n \n", "'", "word "]
)
def test_typed_spans_and_quotes_take_linear_time(unit: str) -> None:
    def run(number: int) -> None:
        text = unit * (number // len(unit))
        typed_spans(text)
        find_quote("zq", text[:MESSAGE_CHARACTERS])

    assert_growth(run, 10_000, 40_000, 8)


@pytest.mark.parametrize(
    "unit", ["I like tabs. ", "no ", "I, ", "a; ", "and I ", "without ", "use tabs, use ", '"a ', "can "]
)
def test_a_decision_takes_linear_time(unit: str) -> None:
    def run(number: int) -> None:
        text = unit * (number // len(unit))
        decide_grounding(text, text, text[: number // 2], [receipt(text)])

    assert_growth(run, 400, 1_600, 12)
