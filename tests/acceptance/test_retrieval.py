"""Acceptance, retrieval: no more than was asked for, within every budget; and all of it again from the notes alone."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from remember_me.app import recall
from remember_me.app.actor import Channel
from remember_me.app.recall import Asked
from remember_me.app.wiring import Surroundings, View, open_view
from remember_me.model.entry import ID_ALPHABET, is_id
from remember_me.recall.context import LIMITS, Block
from remember_me.recall.index import Index
from remember_me.recall.tokens import count_bytes, token_counter
from remember_me.store.state import STATE_NAME, State
from tests.cli_runner import Cli

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


ROUNDS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "30"))


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Where the vocabulary is unpacked, for all tests of this module."""
    return {"TIKTOKEN_CACHE_DIR": str(tmp_path_factory.mktemp("vocabulary"))}


@pytest.fixture(scope="module")
def count(vocabulary: Mapping[str, str]) -> Callable[[str], int]:
    counter = token_counter(vocabulary)
    assert counter.exact
    return counter.count


def identifier(number: int) -> str:
    """An id that stands for a number."""
    name = "k" + "".join(ID_ALPHABET[number >> shift & 15] for shift in (20, 16, 12, 8, 4, 0))
    assert is_id(name)
    return name


def section(text: str, heading: str) -> str:
    """The lines of a block from a heading to the next one or to the end. No stored text begins a line like that."""
    lines = text.splitlines(keepends=True)
    found: list[str] = []
    for line in lines[lines.index(heading) :] if heading in lines else ():
        if found and line in ("For this prompt:\n", "Index:\n", "Pinned:\n", "</remember-me>\n"):
            break
        found.append(line)
    return "".join(found)


def too_small(text: str) -> bool:
    """Whether an index is the one line that says that nothing fits; a budget may be too small for that as well."""
    return text.startswith(("None of ", "The 1 entry does not fit ")) and text.count("\n") == 1


# Over the command line

LONG = "The barometer of shelf {0} was repaired in spring.\n\n" + "It needs a new needle and a glass. " * 40


def test_retrieval_k_is_an_upper_bound(cli: Cli, count: Callable[[str], int]) -> None:
    """Forty long entries match; at most k come, and (the control) as many as fit, not none."""
    note = cli.store / "memory" / "2026-11-01.md"
    note.parent.mkdir(exist_ok=True)
    entries = [f"- FACT: {LONG.format(n)}".rstrip().replace("\n\n", f" ^{identifier(n)}\n\n  ") for n in range(40)]
    note.write_text("\n\n".join(entries) + "\n")
    assert len(cli.json("list")) == 40
    for k in (1, 3, 10, 40, 41):
        hits = cli.json("search", "barometer", "needle", "--limit", str(k))
        assert len(hits) == len({hit["id"] for hit in hits}) == min(k, 40)
    assert len(cli.json("search", "barometer")) == 10
    prompt = "Was the barometer of any shelf repaired in spring?"
    for most in (2_000, 6_000, 17_500, 100_000):
        shown = cli.ok("recall", "--prompt", prompt, "--bytes", str(most)).out
        assert 0 < len(shown.encode()) <= most
        triggered = section(shown, "For this prompt:\n").splitlines()
        heads = [line for line in triggered[1:] if not line.startswith("    ") and line]
        assert len(heads) <= LIMITS.triggered
        if most >= LIMITS.block_bytes:
            assert len(heads) == LIMITS.triggered
    for tokens in (100, 300, 1_500):
        shown = cli.ok("recall", "--prompt", prompt, "--tokens", str(tokens)).out
        assert len(shown.encode()) <= LIMITS.block_bytes
        part = section(shown, "Index:\n")
        assert count(part) <= tokens
        listed = cli.ok("index", "--tokens", str(tokens)).out
        assert count(listed) <= tokens
        assert listed.count(" FACT ") >= (1 if tokens == 100 else 5)
        assert part.count(" FACT ") >= 1
    for most in (300, 1_000, 4_000):
        listed = cli.ok("index", "--bytes", str(most)).out
        assert len(listed.encode()) <= most
        assert listed.count(" FACT ") >= 1


RETAINED = (
    ("The lathe has the serial number", "WX-48213-QK"),
    ("The gate answers to the word", "brumbelstrauch-zwölf"),
    ("The spare part is kept under", "部品棚-九十七"),
    ("The fork of the tuning bench rings at", "441.73921 Hz"),
    ("The archive box of the church clock is", "Zk/77#B-0xfe1d"),
    ("The old till opens with", "🎵-left-left-🔧-19"),
)


def test_evidence_rebuild_from_retained(cli: Cli) -> None:
    """What nobody could guess is in the index, in a search and in a block, though all that is derived was lost."""

    def add(text: str, *options: str) -> str:
        return cli.ok("add", "--quiet", *options, text).out.strip()

    saved = {add(f"{what} {token}", "--tag", "FACT"): token for what, token in RETAINED}
    pinned = add("Short answers\n\nExcept on vx-9931-tt.", "--tag", "PREFERENCE", "--pin")

    def probes() -> list[str]:
        found = [cli.ok("index").out, cli.ok("recall", "--prompt", "the old till, and the lathe?").out]
        found += [cli.ok("search", token).out for token in saved.values()]
        return [*found, cli.ok("search", "vx-9931-tt").out, cli.ok("tokens").out]

    before = probes()
    for (entry, token), hits in zip(saved.items(), before[2:], strict=False):
        for shown in (*before[:2], hits):
            assert token in shown
            assert entry in shown
    assert "Except on vx-9931-tt." in before[1]
    assert pinned in before[-2]
    own = cli.store / ".remember-me"
    for damage in (None, b"", b"no database at all\n", b"SQLite format 3\0" + bytes(200)):
        derived = [name for name in ("cache.sqlite", "cache.stamp", "manifest.json") if (own / name).exists()]
        assert "cache.sqlite" in derived
        for name in derived:
            if damage is None:
                (own / name).unlink()
            else:
                (own / name).write_bytes(damage)
        assert probes() == before
    for name in os.listdir(own):
        if name.startswith("cache"):
            (own / name).unlink()
    (own / "cache.sqlite").mkdir()  # nothing can be put there
    assert probes() == before


# In this process, over many stores


class Opened(NamedTuple):
    """A store as the commands open it."""

    root: Path
    environ: Mapping[str, str]

    def view(self) -> View:
        return open_view(Surroundings(self.environ, self.root, Channel((), True), lambda: NOW))

    def state(self) -> State:
        return State(self.root / ".remember-me" / STATE_NAME)

    def recalled(self, asked: Asked) -> Block:
        return recall.recall(self.view(), self.state(), self.environ, asked)

    def indexed(self, asked: Asked) -> Index:
        return recall.index(self.view(), self.state(), self.environ, asked)


def opened(root: Path, vocabulary: Mapping[str, str]) -> Opened:
    (root / "memory").mkdir(parents=True)
    (root / ".remember-me").mkdir()
    return Opened(root, {**os.environ, **vocabulary})


WORDS = (
    "clock", "barometer", "fair", "release", "never", "Fridays", "<|endoftext|>", "</remember-me>",
    "東京の時計店で働いています", "👩‍🔧", "می‌خواهم", "Cafe\u0301", "ﷺ" * 9, "a-word-without-any-space" * 6,
    "\u202eevil", "\x1b[31m",
    "¯\\_(ツ)_/¯",
    "Zürich", "{}[]`~", "0123456789" * 5, "\U000e0041tag", "x", "the", "ꙮ" * 20, "&lt;system-reminder>",
)  # fmt: skip


def text_of(rng: random.Random, most: int) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(1, most)))


def entry_of(rng: random.Random, number: int) -> str:
    tag = rng.choice(("FACT", "PREFERENCE", "GOAL", "HYPOTHESIS"))
    fields = [
        ("impact", rng.choice("123"), 0.5),
        ("scope", rng.choice(("cogwork", "bells")), 0.3),
        ("description", text_of(rng, 12), 0.4),
        ("signal", rng.choice(("boundary", "project")), 0.2),
        ("aliases", text_of(rng, 4), 0.3),
        ("pinned", "true", 0.25),
        ("facet", rng.choice(("tone", "brevity", "workflow", "constraint", "decision-style")), 0.2),
    ]
    if tag == "HYPOTHESIS":
        fields.append(("confidence", rng.choice(("high", "medium", "low")), 1))
    lines = [f"- {tag}: {text_of(rng, 12)} ^{identifier(number)}"]
    lines += [f"  - {key}: {value}" for key, value, share in fields if rng.random() < share]
    if rng.random() < 0.4:
        lines += ["", *(f"  {text_of(rng, 30)}" for _ in range(rng.choice((1, 3, 60))))]
    return "\n".join(lines)


def filled(store: Opened, rng: random.Random) -> int:
    """Fill a store; returns how many entries it has."""
    entries = [entry_of(rng, number) for number in range(rng.choice((1, 3, 12, 40, 150)))]
    for at in range(0, len(entries), 20):
        day = NOW.date() - timedelta(days=at // 20)
        path = store.root / "memory" / f"{day}.md"
        path.write_text("\n\n".join(entries[at : at + 20]) + "\n", encoding="utf-8")
    return len(entries)


def asked_of(rng: random.Random) -> Asked:
    return Asked(
        rng.choice((None, 1, 30, 60, 61, rng.randint(62, 400), rng.randint(62, 3_000), 50_000)),
        rng.choice((None, 1, 500, 700, rng.randint(700, 2_500), rng.randint(700, 20_000), 200_000)),
        rng.choice((None, ("cogwork",), ("nothing",))),
        rng.choice(("", text_of(rng, 20), "the fair and the barometer release clock of Fridays")),
    )


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_retrieval_k_is_an_upper_bound_in_any_store(
    tmp_path: Path, vocabulary: Mapping[str, str], count: Callable[[str], int], seed: int
) -> None:
    """The whole block is within its bytes, its index within its tokens; counted and uncounted, the same bytes."""
    rng = random.Random(seed)
    store = opened(tmp_path / "store", vocabulary)
    entries = filled(store, rng)
    assert len(list(store.view().reader.read().entries())) == entries
    for _ in range(4):
        asked = asked_of(rng)
        tokens = LIMITS.index_tokens if asked.tokens is None else asked.tokens
        most = LIMITS.block_bytes if asked.most_bytes is None else asked.most_bytes
        block = store.recalled(asked)
        assert count_bytes(block.text) <= most, asked
        part = section(block.text, "Index:\n")
        assert count(part) <= tokens or too_small(part.removeprefix("Index:\n")), asked
        triggered = section(block.text, "For this prompt:\n").splitlines()
        assert len([line for line in triggered if line.startswith("k")]) <= LIMITS.triggered
        assert block.text.count("<remember-me") == block.text.count("</remember-me>") == (1 if block.text else 0)
        index = store.indexed(asked)
        assert count(index.text) <= tokens or too_small(index.text), asked
        assert asked.most_bytes is None or count_bytes(index.text) <= asked.most_bytes or too_small(index.text), asked
        shown = [line.split()[0] for line in index.text.splitlines() if line.startswith("k")]
        assert shown == list(index.shown)
        assert len(shown) + index.left_out <= entries
        # Token counts are stored by now.
        assert store.recalled(asked)[:5] == block[:5]
        assert store.indexed(asked)[:3] == index[:3]
        (store.root / ".remember-me" / "cache.sqlite").unlink()
        assert store.recalled(asked)[:5] == block[:5]
    everything = store.indexed(Asked(tokens=1_000_000))
    assert everything.left_out == 0, "the control: with room for all, all are there"
    assert everything.shown


@pytest.mark.slow
@pytest.mark.parametrize("crowd", ["FACT", "GOAL"])
def test_retrieval_no_tag_crowds_out_the_others(
    tmp_path: Path, vocabulary: Mapping[str, str], count: Callable[[str], int], crowd: str
) -> None:
    """10,000 entries of one tag, the newest of all, and three of each other: those are in the index and the block."""
    store = opened(tmp_path / "store", vocabulary)
    number = 0
    for day in range(100):
        lines = []
        for _ in range(100):
            lines.append(f"- {crowd}: Number {number} of the works kept ^{identifier(number)}\n  - impact: 3\n")
            number += 1
        (store.root / "memory" / f"{NOW.date() - timedelta(days=day)}.md").write_text("\n".join(lines))
    others: list[str] = []
    lines = []
    for tag in ("FACT", "PREFERENCE", "GOAL", "HYPOTHESIS"):
        for _ in range(3 if tag != crowd else 0):
            confidence = "  - confidence: medium\n" if tag == "HYPOTHESIS" else ""
            lines.append(f"- {tag}: One of three ^{identifier(number)}\n{confidence}")
            others.append(identifier(number))
            number += 1
    (store.root / "memory" / f"{NOW.date() - timedelta(days=40)}.md").write_text("\n".join(lines))
    index = store.indexed(Asked())
    assert [entry for entry in others if entry not in index.shown] == []
    assert count(index.text) <= LIMITS.index_tokens
    assert len(index.shown) > 40
    assert index.left_out + len(index.shown) == 9_909
    block = store.recalled(Asked(prompt="number 77 of the works"))
    assert [entry for entry in others if entry not in block.shown] == []
    assert count_bytes(block.text) <= LIMITS.block_bytes
    assert count(section(block.text, "Index:\n")) <= LIMITS.index_tokens
