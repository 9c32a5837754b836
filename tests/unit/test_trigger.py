"""Which entries a prompt brings to mind, and which it does not."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.recall import trigger
from remember_me.recall.index import Line
from remember_me.recall.phrases import aliases_of, filed_as, phrases_of, read_filed
from remember_me.recall.trigger import FLOOD, SLIPS_ALONE, match
from remember_me.recall.trigger_words import is_slip, plain_words, words_of
from tests.texts import raw_texts
from tests.unit.stock import Stock

ROWS = [
    ("톱니바퀴 표기법은 새 것을 쓴다", "톱니바퀴"),
    ("喝咖啡不加糖", "咖啡"),
    ("The IT department is slow", "IT"),
    ("Tasks live in Todoist", "to do"),
    ("Café Zoë is the meeting place", "Café Zoë"),
    ("Queue for failed messages is manual", "dead letter queue"),
    ("Uses C# on Windows only", "C#"),
    ("Rota changes on Monday", "on-call"),
    ("Postgres", ""),
    ("File", ""),
    ("Renders the invoices with Gotenberg on the staging host", ""),
    ("Kubernetes runs in three regions", "K8s, kube cluster"),
]
LINES = [Line(f"k{at:05}", "FACT", title, aliases=aliases, key=at) for at, (title, aliases) in enumerate(ROWS)]
STOCK = Stock(LINES)


def got(prompt: str, stock: Stock = STOCK, most: int = 8) -> list[int]:
    return [stock.lines[hit.known.key].key for hit in match(stock, prompt, most)]


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("오늘 톱니바퀴를 그려줘", [0]),
        ("我想喝咖啡", [1]),
        ("can IT fix it?", [2]),
        ("can it fix the bug", []),
        ("CAN IT FIX IT", []),
        ("I have to do it", []),
        ("show my todo list", [3]),
        ("todos", [3]),
        ("cafe zoe at six", [4]),
        (unicodedata.normalize("NFD", "Café Zoë at six"), [4]),
        ("the DLQ is full", [5]),
        ("dlq", []),
        ("the dead letters in the queue", [5]),
        ("deadletter queue", []),
        ("write it in C#", [6]),
        ("write it in C", []),
        ("call me", []),
        ("who is on call", [7]),
        ("the other call is on", []),
        ("postgress tuning", [8]),
        ("posgres tuning", [8]),
        ("psotgres tuning", []),
        ("open the file", []),
        ("```\npostgres\n```\nwhat is this?", []),
        ("```\npostgres", []),
        ("> postgres\nno", []),
        ("> a\npostgres", [8]),
        ("render invoices with gotenberg", [10]),
        ("the invoices of the staging host", [10]),
        ("who pays the invoices", []),
        ("kubernetes", []),
        ("k8s and postgres", [11, 8]),
        ("cluster of kubes", [11]),
        ("kube. Then start another cluster", []),
        ("", []),
        ("```", []),
        ("the of and", []),
    ],
)
def test_what_a_prompt_brings_to_mind(prompt: str, found: list[int]) -> None:
    assert sorted(got(prompt)) == sorted(found)


def test_what_is_shown_anyway_is_not_brought_again() -> None:
    assert [hit.known.id for hit in match(STOCK, "postgres and k8s", 8, {"k00008"})] == ["k00011"]
    assert match(STOCK, "the invoices of the staging host", 8, {"k00010"}) == []


def test_no_more_than_asked_for() -> None:
    assert len(got("postgres, k8s and todo", most=2)) == 2
    assert got("postgres", most=0) == []


def test_a_hit_says_why() -> None:
    (hit,) = match(STOCK, "k8s", 8)
    assert (hit.kind, hit.why) == ("phrase", "k8s")
    (hit,) = match(STOCK, "the invoices of the staging host", 8)
    assert (hit.kind, hit.why) == ("cover", "host invoic stag")


# Phrases


@pytest.mark.parametrize(
    ("title", "aliases", "phrases"),
    [
        ("Redis cache", "", [("redis", "cache")]),
        ("The Redis cache of the team", "", [("redis", "cache", "team")]),
        ("One two three four five six words that matter lots", "", []),
        ("File", "", []),
        ("The file system", "", []),
        ("", "dead letter", [("dead", "letter"), ("deadletter",)]),
        ("", "dead letter queue", [("dead", "letter", "queue"), ("=DLQ",)]),
        ("", "on call", [("on", "call"), ("oncall",)]),
        ("", "IT", [("=IT",)]),
        ("", "it", []),
        ("", " , ,x1, ", [("x1",)]),
    ],
)
def test_phrases(title: str, aliases: str, phrases: list[tuple[str, ...]]) -> None:
    assert list(phrases_of(aliases, plain_words(title))) == phrases
    assert [read_filed(filed_as(words)) for words in phrases] == phrases


def test_aliases_as_a_list_in_front_matter() -> None:
    assert aliases_of('["K8s", kube cluster]') == ["K8s", "kube cluster"]


@pytest.mark.parametrize("sharers", [FLOOD, FLOOD + 1])
def test_a_phrase_that_many_share_needs_one_more_word(sharers: int) -> None:
    lines = [Line(f"k{at:05}", "FACT", f"Topic{at} of Gotenberg", aliases="gotenberg", key=at) for at in range(sharers)]
    assert len(got("gotenberg", Stock(lines), 20)) == (sharers if sharers <= FLOOD else 0)
    assert 3 in got("gotenberg topic3", Stock(lines), 20)


def test_a_common_alias_needs_one_more_word_or_a_capital() -> None:
    stock = Stock([Line("k00001", "FACT", "Components are functions", aliases="React", key=1)])
    assert got("how do people react to this", stock) == []
    assert got("is this right in React", stock) == [1]
    assert got("react components", stock) == [1]


# Slips


@pytest.mark.parametrize(
    ("written", "meant", "slip"),
    [
        ("postgers", "postgres", True),
        ("postgre", "postgres", True),
        ("postgress", "postgres", True),
        ("postgras", "postgres", True),
        ("postgres", "postgres", False),
        ("psotgres", "postgres", False),
        ("postggers", "postgres", False),
        ("kubernettess", "kubernetes", False),
        ("pogtsres", "postgres", False),
    ],
)
def test_one_slip_behind_the_second_letter(written: str, meant: str, slip: bool) -> None:
    assert is_slip(written, meant) is slip


@given(st.text("ab", max_size=7), st.text("ab", max_size=7))
def test_a_slip_is_one_edit(one: str, other: str) -> None:
    head = "xy"
    edits = {one[:at] + one[at + 1 :] for at in range(len(one))}
    edits |= {one[:at] + letter + one[at:] for at in range(len(one) + 1) for letter in "ab"}
    edits |= {one[:at] + letter + one[at + 1 :] for at in range(len(one)) for letter in "ab"}
    edits |= {one[:at] + one[at + 1] + one[at] + one[at + 2 :] for at in range(len(one) - 1)}
    assert is_slip(head + one, head + other) is (other in edits - {one})


def test_a_word_that_entries_use_is_no_slip() -> None:
    lines = [Line("k00000", "FACT", "t", aliases="gotenberg", key=0)]
    assert got("gotenburg", Stock(lines)) == [0]
    plain = "Somebody in gotenburg has written twice about that late parcel from the harbour, and a letter"
    lines += [Line(f"k0001{at}", "FACT", plain, key=9) for at in range(3)]
    assert got("gotenburg", Stock(lines)) == []


def test_in_a_large_store_a_lone_slip_needs_one_more_word() -> None:
    lines = [Line("k00000", "FACT", "Renders the paper", aliases="gotenberg", key=0)]
    lines += [Line(f"k1{at:04}", "FACT", "t", aliases=f"name{at}", key=at + 1) for at in range(SLIPS_ALONE)]
    assert got("gotenburg", Stock(lines)) == []
    assert got("gotenberg", Stock(lines)) == [0]
    assert got("gotenburg renders", Stock(lines)) == [0]


def test_one_slip_is_not_two_words() -> None:
    stock = Stock([Line("k00000", "FACT", "t", aliases="marten martin", key=0)])
    assert got("martun", stock) == []
    assert got("martun martin", stock) == [0]


# The cover search


@pytest.mark.parametrize(
    ("title", "description", "prompt", "found"),
    [
        ("Nightly gotenberg exports land in the ferry bucket", "", "where do gotenberg exports land", True),
        ("Nightly gotenberg exports land in the ferry bucket", "", "is gotenberg nice", False),
        ("Nightly gotenberg exports land in the ferry bucket", "", "gotenberg is nice. Exports are too", False),
        (
            "Nightly gotenberg exports land in the ferry bucket",
            "",
            "my aunt wants gotenberg souvenirs, cinnamon pastry, exports of herring, tulips and a violin concert",
            False,
        ),
        (
            "Check error messages and test results before each release",
            "",
            "check error messages and test results",
            False,
        ),
        (
            "Rotates weekly between us all, and nobody skips it ever again",
            "gotenberg exports",
            "gotenberg exports",
            False,
        ),
        (
            "The ferry rotates weekly between us all, nobody skips it",
            "gotenberg exports",
            "gotenberg ferry exports",
            True,
        ),
    ],
)
def test_enough_rare_words_of_one_sentence(title: str, description: str, prompt: str, found: bool) -> None:
    assert got(prompt, Stock([Line("k00007", "FACT", title, description, key=7)])) == [7] * found


# The whole


@given(st.lists(raw_texts, max_size=6), raw_texts, st.randoms(use_true_random=False))
def test_any_text_in_any_order(titles: list[str], prompt: str, rng: random.Random) -> None:
    lines = [
        Line(f"k{at:05}", "FACT", title, title[::-1], aliases=title[:30], key=at) for at, title in enumerate(titles)
    ]
    stock, mixed = Stock(lines), Stock(rng.sample(lines, len(lines)))
    hits = match(stock, prompt, 4)
    ids = [hit.known.id for hit in hits]
    assert [hit.known.id for hit in match(mixed, prompt, 4)] == ids
    assert len(set(ids)) == len(ids) <= 4


@given(raw_texts)
def test_both_ways_of_splitting_agree(text: str) -> None:
    assert plain_words(text) == [word.text for word in words_of(text)]


def test_a_long_prompt_is_read_at_both_ends() -> None:
    filler = " ".join(f"filler{at}" for at in range(trigger.PROMPT_WORDS))
    assert sorted(got(f"postgres {filler} k8s")) == [8, 11]
    assert got(f"{filler} postgres {filler}") == []
