"""What a prompt brings to mind out of the cache is what it brings to mind out of the entries themselves."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remember_me.policy.limits import Limits
from remember_me.recall.cache import Cache
from remember_me.recall.index import load_lines
from remember_me.recall.stock import Stock
from remember_me.recall.trigger import FLOOD, match
from remember_me.store.files import Disk
from remember_me.store.reader import Reader
from remember_me.store.shape import Shape
from tests.unit.stock import Stock as PlainStock

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
WORDS = (
    *("gotenberg", "redis", "cache", "postgres", "ferry", "harbor", "lamp", "walnut", "kubernetes", "queue", "dead"),
    *("letter", "file", "project", "on", "call", "the", "of", "IT", "C#", "C++", "Zoë", "京都の寺", "o'clock"),
)
SLIPS = ("gotenburg", "postgras", "kubernets", "queues", "harbour", "lamps", "caches")
PROMPTS = ("who is on call", "the DLQ is full", "can IT fix C# and C++", "京都の寺に行く", "deadletter caches", "zoe")


def store(root: Path, dice: random.Random, entries: int) -> Reader:
    """A store of random entries with aliases, most of them of no project."""
    (root / "memory").mkdir(parents=True)
    (root / ".remember-me").mkdir()
    lines: list[str] = []
    for number in range(entries):
        lines.append(f"- FACT: {' '.join(dice.choices(WORDS, k=dice.randint(1, 7)))} ^k{number:04d}x")
        if dice.random() < 0.3:
            names = [" ".join(dice.choices(WORDS, k=dice.randint(1, 3))) for _ in range(dice.randint(1, 3))]
            lines.append(f"  - aliases: {', '.join(names)}")
        if dice.random() < 0.2:
            lines.append(f"  - description: {' '.join(dice.choices(WORDS, k=4))}")
    (root / "memory" / "2026-11-29.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Reader(root, Shape("memory", "UTC"), Disk())


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("entries", [3, 3 * FLOOD, 400])
def test_out_of_the_cache_comes_what_the_entries_say(tmp_path: Path, seed: int, entries: int) -> None:
    dice = random.Random(f"stock {seed} {entries}")
    found = 0
    with Cache(store(tmp_path / "store", dice, entries)).fresh() as db:
        plain = PlainStock(sorted(load_lines(db, NOW, Limits()), key=lambda line: line.key))
        for _ in range(25):
            words = dice.choices(WORDS + SLIPS, k=dice.randint(1, 9))
            prompt = dice.choice((" ".join(words), ". ".join(words), dice.choice(PROMPTS)))
            kept = Stock(db, (), "2026-11-29", lambda known: None)
            hits = [(hit.known.id, hit.kind, round(hit.score, 9), hit.why) for hit in match(kept, prompt, 8)]
            wanted = [(hit.known.id, hit.kind, round(hit.score, 9), hit.why) for hit in match(plain, prompt, 8)]
            assert hits == wanted, prompt
            found += len(hits)
    assert found or entries == 3


def of(root: Path, text: str) -> Reader:
    (root / "memory").mkdir(parents=True)
    (root / ".remember-me").mkdir()
    (root / "memory" / "2026-11-29.md").write_text(text, encoding="utf-8")
    return Reader(root, Shape("memory", "UTC"), Disk())


def test_only_live_entries_of_the_project_that_are_not_over_come_to_mind(tmp_path: Path) -> None:
    lines = [f"- FACT: Gotenberg{number} ^k0000{number}\n  - aliases: gotenberg\n" for number in range(7)]
    fields = ("status: stale", "scope: other", "scope: here", "expires: 2026-11-28", "expires: 2026-11-29", "", "")
    text = "".join(line + (f"  - {field}\n" if field else "") for line, field in zip(lines, fields, strict=True))
    text += "- HYPOTHESIS: Gotenberg7 ^k00007\n  - aliases: gotenberg\n  - confidence: high\n"
    with Cache(of(tmp_path / "store", text)).fresh() as db:

        def ids(scopes: tuple[str, ...] | None, sure: str | None) -> list[str]:
            hits = match(Stock(db, scopes, "2026-11-29", lambda known: sure), "gotenberg", 20)
            return [hit.known.id for hit in hits]

        assert ids(("here",), None) == ["k00002", "k00004", "k00005", "k00006"]
        assert ids(("here",), "low") == ["k00002", "k00004", "k00005", "k00006", "k00007"]
        assert ids((), None) == ["k00004", "k00005", "k00006"]
        assert ids(None, None) == ["k00001", "k00002", "k00004", "k00005", "k00006"]
        (guess,) = Stock(db, (), "2026-11-29", lambda known: known.tag[0]).load(
            [key for (key,) in db.execute("SELECT key FROM entry WHERE id = 'k00007'")]
        )
        assert (guess.confidence, guess.validated, guess.seen) == ("H", 0, "2026-11-29")


def test_what_an_entry_links_to_comes_along_where_there_is_room(tmp_path: Path) -> None:
    text = "- FACT: Gotenberg ^k00001\n  - links: ^k00003, [[k00002]], k00009, k00004, notes.md, k00001\n"
    text += (
        "- FACT: Lamps ^k00002\n- FACT: Ferries ^k00003\n  - links: k00005\n- FACT: Old ^k00004\n  - status: stale\n"
    )
    with Cache(of(tmp_path / "store", text + "- FACT: Far ^k00005\n")).fresh() as db:

        def found(prompt: str, most: int, shown: tuple[str, ...] = ()) -> list[tuple[str, str]]:
            stock = Stock(db, (), "2026-11-29", lambda known: None)
            return [(hit.known.id, hit.kind) for hit in match(stock, prompt, most, shown)]

        assert found("gotenberg", 8) == [("k00001", "phrase"), ("k00003", "link"), ("k00002", "link")]
        assert found("gotenberg", 2) == [("k00001", "phrase"), ("k00003", "link")]
        assert found("gotenberg", 8, ("k00003",)) == [("k00001", "phrase"), ("k00002", "link")]
        assert found("lamps", 8) == [("k00002", "phrase")]


def test_what_is_taken_out_no_longer_comes_to_mind(tmp_path: Path) -> None:
    reader = of(tmp_path / "store", "- FACT: Gotenberg ^k00001\n- FACT: Postgres ^k00002\n")
    with Cache(reader).fresh() as db:
        assert match(Stock(db, (), "2026-11-29", lambda known: None), "gotenberg", 3)
    note = reader.root / "memory" / "2026-11-29.md"
    note.write_text("- FACT: Postgres ^k00002\n", encoding="utf-8")
    with Cache(reader).fresh() as db:
        assert match(Stock(db, (), "2026-11-29", lambda known: None), "gotenberg", 3) == []
        assert db.execute("SELECT words FROM phrase").fetchall() == [("postgr",)]
        assert db.execute("SELECT word, number FROM spelled").fetchall() == [("postgres", 1)]
