"""How well and how fast the search answers, through the product's own cache and search.

`python tests/benchmarks/retrieval.py [--locomo] [--scale N]`: LoCoMo (other people's data, read from where it lies, and
skipped where it is missing), and times at any size of store.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from remember_me.app.wiring import Surroundings, open_view
from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.notes.layout import daily_name, render_daily_note
from remember_me.notes.splice import render_entry
from remember_me.recall.cache import Cache
from remember_me.recall.search import Wanted, search
from tests.benchmarks.measure import calls, tell
from tests.benchmarks.notes import entry_id
from tests.benchmarks.table import Row
from tests.shared import SHARED

LOCOMO = SHARED / "bench" / "locomo10.json"
ADVERSARIAL = 5
"""The category of questions that nothing answers; the evidence is where the answer seems to stand."""
PEERS_FOUND = ("conv-26", "conv-30", "conv-41")
"""The conversations on which other tools were measured."""
FIRST_DAY = date(2016, 1, 1)
DAYS = 3_650
QUERIES = 300


def cache_of(root: Path) -> Cache:
    """The cache of a store, as any command opens it."""
    return Cache(open_view(Surroundings({"HOME": str(root), "TZ": "UTC"}, root)).reader)


def write_days(root: Path, days: Iterable[tuple[date, Iterable[Add]]]) -> None:
    """A store with these entries in its daily notes."""
    folder = root / "memory"
    folder.mkdir(parents=True)
    (root / ".remember-me").mkdir()
    for on, entries in days:
        head = render_daily_note(datetime(on.year, on.month, on.day, tzinfo=UTC), "UTC")
        text = "\n".join([head, *(render_entry(entry, "\n") for entry in entries)])
        (folder / daily_name(on)).write_text(text, encoding="utf-8")


# LoCoMo


class Query(NamedTuple):
    """A question, its category, and the ids of the entries that hold the evidence."""

    text: str
    category: int
    evidence: frozenset[str]


class Conversation(NamedTuple):
    """One conversation: its entries by day, its questions, and the session of each entry."""

    name: str
    days: dict[date, list[Add]]
    queries: tuple[Query, ...]
    sessions: dict[str, str]


@dataclass
class Tally:
    """Sums over questions; `recall` at 1, 5 and 10."""

    asked: int = 0
    recall: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rank: float = 0.0
    any_session: int = 0
    all_sessions: int = 0

    def add(self, query: Query, ids: Sequence[str], sessions: dict[str, str]) -> None:
        self.asked += 1
        found = [len(query.evidence.intersection(ids[:most])) / len(query.evidence) for most in (1, 5, 10)]
        self.recall = tuple(map(sum, zip(self.recall, found, strict=True)))  # type: ignore[assignment]
        self.rank += next((1 / place for place, one in enumerate(ids[:10], 1) if one in query.evidence), 0.0)
        nearest = set(list(dict.fromkeys(sessions[one] for one in ids))[:10])
        wanted = {sessions[one] for one in query.evidence}
        self.any_session += bool(wanted & nearest)
        self.all_sessions += wanted <= nearest

    def __add__(self, other: Tally) -> Tally:
        recall = tuple(map(sum, zip(self.recall, other.recall, strict=True)))
        return Tally(
            self.asked + other.asked,
            recall,  # type: ignore[arg-type]
            self.rank + other.rank,
            self.any_session + other.any_session,
            self.all_sessions + other.all_sessions,
        )


def conversations(path: Path = LOCOMO, *, scoped: bool = False) -> list[Conversation]:
    """LoCoMo as entries: one turn, one captured entry, in the daily note of its session's date."""
    numbers = itertools.count()
    return [_conversation(found, numbers, scoped) for found in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(found: dict[str, object], numbers: Iterator[int], scoped: bool) -> Conversation:
    talk, name = found["conversation"], str(found["sample_id"])
    assert isinstance(talk, dict)
    fields = (("scope", name),) if scoped else ()
    days: dict[date, list[Add]] = {}
    ids: dict[tuple[int, int], str] = {}
    sessions: dict[str, str] = {}
    names = [key for key in talk if re.fullmatch(r"session_\d+", key) and isinstance(talk[key], list)]
    for session in sorted(names, key=lambda key: int(key.removeprefix("session_"))):
        at = datetime.strptime(talk[f"{session}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for turn in talk[session]:
            title = " ".join(f"{turn['speaker']}: {turn['text']}".split())
            body = " ".join((turn.get("blip_caption") or "").split())
            entry = Add(entry_id(next(numbers)), Tag.FACT, title, body, fields, at)
            days.setdefault(at.date(), []).append(entry)
            sessions[entry.id] = session
            place = re.fullmatch(r"D(\d+):(\d+)", turn["dia_id"])
            assert place is not None
            ids[int(place[1]), int(place[2])] = entry.id
    queries: list[Query] = []
    for question in found["qa"]:  # type: ignore[attr-defined]
        places = [(int(a), int(b)) for one in question["evidence"] for a, b in re.findall(r"D:?(\d+):(\d+)", one)]
        evidence = frozenset(ids[place] for place in places if place in ids)
        if evidence:
            queries.append(Query(question["question"], question["category"], evidence))
    return Conversation(name, days, tuple(queries), sessions)


class Scores(NamedTuple):
    """The questions that have an answer, and the adversarial ones."""

    usual: Tally
    adversarial: Tally


def ask(root: Path, talk: Conversation, scopes: tuple[str, ...] | None) -> tuple[Scores, list[float]]:
    """(scores of all questions of one conversation, seconds of each search)."""
    scores = Scores(Tally(), Tally())
    seconds: list[float] = []
    with cache_of(root).fresh() as db:
        for query in talk.queries:
            began = time.perf_counter()
            hits = search(db, Wanted(query.text, scopes=scopes))
            seconds.append(time.perf_counter() - began)
            more = search(db, Wanted(query.text, limit=40, scopes=scopes))
            ids = [hit.id for hit in hits]
            ids += [hit.id for hit in more if hit.id not in ids]
            scores[query.category == ADVERSARIAL].add(query, ids, talk.sessions)
    return scores, seconds


def locomo(folder: Path, path: Path = LOCOMO) -> list[Row]:
    """Every figure of LoCoMo: each conversation in a store of its own, then all in one store, each in its scope."""
    alone: dict[str, Scores] = {}
    seconds: list[float] = []
    for talk in conversations(path):
        tell(f"  {talk.name}")
        write_days(folder / talk.name, talk.days.items())
        alone[talk.name], taken = ask(folder / talk.name, talk, None)
        seconds += taken
    talks = conversations(path, scoped=True)
    days: dict[date, list[Add]] = {}
    for talk in talks:
        for on, entries in talk.days.items():
            days.setdefault(on, []).extend(entries)
    write_days(folder / "pooled", days.items())
    tell("  pooled")
    pooled = {talk.name: ask(folder / "pooled", talk, (talk.name,))[0] for talk in talks}
    names = list(alone)
    rows = [
        *_figures("all ten", alone, names, goals=True),
        *_figures("fold A", alone, names[::2]),
        *_figures("fold B", alone, names[1::2]),
        *_figures(", ".join(PEERS_FOUND), alone, [name for name in names if name in PEERS_FOUND]),
        *_figures("pooled in one store", pooled, names, goals=True),
        *_figures("pooled, fold A", pooled, names[::2]),
        *_figures("pooled, fold B", pooled, names[1::2]),
    ]
    seconds.sort()
    rows.append(Row("search in a conversation, p50", seconds[len(seconds) // 2] * 1e3, "ms"))
    rows.append(Row("search in a conversation, p95", seconds[int(len(seconds) * 0.95)] * 1e3, "ms", goal=1.0))
    return rows


def _figures(label: str, scores: dict[str, Scores], names: Sequence[str], *, goals: bool = False) -> Iterator[Row]:
    """The rows of some conversations."""
    usual = sum((scores[name].usual for name in names), Tally())
    adversarial = sum((scores[name].adversarial for name in names), Tally())
    at_1, at_5, at_10 = (value / usual.asked for value in usual.recall)
    figures = (
        ("R@1", at_1, 0.42),
        ("R@5", at_5, 0.70),
        ("R@10", at_10, 0.78),
        ("MRR at 10", usual.rank / usual.asked, None),
        ("category 5 R@5", adversarial.recall[1] / adversarial.asked, 0.78),
        ("any session at 10", usual.any_session / usual.asked, None),
        ("all sessions at 10", usual.all_sessions / usual.asked, None),
    )
    for name, value, floor in figures:
        goal = floor * 100 if goals and floor is not None else None
        yield Row(f"{label}: {name}", value * 100, "%", goal=goal, floor=True)


# Times at any size

_SYLLABLES = [first + second for first in "bdfgklmnprtvz" for second in "aeiou"]
_VOCABULARY = 60_000
_CUMULATED = list(itertools.accumulate(1 / (place + 2.7) ** 1.07 for place in range(_VOCABULARY)))
_FUNCTION_WORDS = """the and to of in a is that it was for on with as at by an be this from or had not but have he she
    they his her which you were been their has would when who will more if out so about up into than them can only"""
_NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena")


def _word(place: int) -> str:
    letters, place = "", place + 70
    while place:
        place, syllable = divmod(place, len(_SYLLABLES))
        letters += _SYLLABLES[syllable]
    return letters + "k"


def entries(count: int) -> Iterator[Add]:
    """`count` entries of about 30 words, the oldest first, over ten years.

    Words are as frequent as in a language: nearly half are function words, the others follow Zipf's law."""
    dice = random.Random("scale")
    words, plain = [_word(place) for place in range(_VOCABULARY)], _FUNCTION_WORDS.split()
    tags = (Tag.FACT, Tag.PREFERENCE, Tag.PREFERENCE, Tag.GOAL, Tag.HYPOTHESIS)
    for number in range(count):
        on = FIRST_DAY + timedelta(days=number * DAYS // count)
        rare = dice.choices(words, cum_weights=_CUMULATED, k=30)
        text = [dice.choice(plain) if dice.random() < 0.45 else word for word in rare]
        name = f"{dice.choice(_NAMES)}: " if dice.random() < 0.3 else ""
        tag = dice.choice(tags)
        fields = [("confidence", "medium")] if tag is Tag.HYPOTHESIS else []
        fields += [("impact", "2")] if dice.random() < 0.2 else []
        fields += [("scope", f"project-{dice.randrange(5)}")] if dice.random() < 0.2 else []
        at = datetime(on.year, on.month, on.day, dice.randint(7, 22), dice.randint(0, 59), tzinfo=UTC)
        body = f"{' '.join(text[12:])}{'?' if dice.random() < 0.2 else '.'}"
        yield Add(entry_id(number), tag, name + " ".join(text[:12]), body, tuple(fields), at)


def store(root: Path, count: int) -> int:
    """A store of that many entries in daily notes; the bytes of its notes."""
    write_days(root, itertools.groupby(entries(count), key=lambda entry: entry.at.date()))
    return sum(path.stat().st_size for path in (root / "memory").iterdir())


def questions() -> list[str]:
    """Questions about the store: 3 to 7 words, some with a name, some with a month."""
    dice = random.Random("questions")
    found: list[str] = []
    for _ in range(QUERIES):
        places = [place for place in dice.choices(range(_VOCABULARY), cum_weights=_CUMULATED, k=40) if place >= 30]
        words = [_word(place) for place in places[: dice.randint(3, 7)]]
        name = [dice.choice(_NAMES)] if dice.random() < 0.4 else []
        month = "in June 2020" if dice.random() < 0.1 else ""
        found.append(" ".join(["what did", *name, *words, month]))
    return found


_SEARCH_GOALS = {1_000: 1.0, 100_000: 8.0, 1_000_000: 60.0}


def scale(folder: Path, count: int) -> list[Row]:
    """The cold cache, a refresh, and searches at that many entries."""
    root = folder / f"scale-{count}"
    tell(f"  {count:,} entries")
    notes_bytes = store(root, count)
    cache = cache_of(root)
    wall, cpu = _once(lambda: _look(cache))
    each = 1e6 / count
    rows = [
        Row(f"{count:,}: cold cache, per entry", wall * each, "µs", cpu * each, 60.0),
        Row(f"{count:,}: cache, of the notes", cache.path.stat().st_size / notes_bytes, "×", goal=1.5),
    ]
    _wait_until_settled(cache)
    sample = calls(lambda: _look(cache), 15)
    rows.append(Row(f"{count:,}: refresh, nothing changed", *_milliseconds(sample.median())))
    some = sorted((root / "memory").iterdir())[len(list((root / "memory").iterdir())) // 2]
    text = some.read_bytes()
    before = cache.parsed
    sample = calls(lambda: _change(cache, some, text), 9)
    rows.append(Row(f"{count:,}: refresh, one note changed", *_milliseconds(sample.median())))
    rows.append(Row(f"{count:,}: of it notes parsed", (cache.parsed - before) / 10, "notes", goal=1.0))
    with cache.fresh() as db:
        for label, scopes in (("", None), (" in one project", ("project-1",))):
            walls, cpus = _searches(lambda query, s=scopes: search(db, Wanted(query, scopes=s)))  # type: ignore[misc]
            for part in (0.5, 0.95):
                at = int(len(walls) * part)
                goal = _SEARCH_GOALS.get(count) if part > 0.5 else None
                name = f"{count:,}: search{label}, p{part * 100:.0f}"
                rows.append(Row(name, walls[at] * 1e3, "ms", cpus[at] * 1e3, goal))
    return rows


def _look(cache: Cache) -> None:
    with cache.fresh():
        pass


def _change(cache: Cache, note: Path, text: bytes) -> None:
    note.write_bytes(text + f"\nSeen at {time.time_ns()}.\n".encode())
    _look(cache)


def _wait_until_settled(cache: Cache) -> None:
    """A note that is as young as the last look is looked at again."""
    time.sleep(0.1)
    _look(cache)


def _milliseconds(median: tuple[float, float]) -> tuple[float, str, float]:
    wall, cpu = median
    return wall * 1e3, "ms", cpu * 1e3


def _once(call: Callable[[], object]) -> tuple[float, float]:
    began, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - began, time.process_time() - cpu


def _searches(call: Callable[[str], object]) -> tuple[list[float], list[float]]:
    """(wall, CPU) of each question, sorted; after a first pass that does not count."""
    asked = questions()
    for query in asked:
        call(query)
    taken = [_once(lambda q=query: call(q)) for query in asked]  # type: ignore[misc]
    return sorted(wall for wall, _ in taken), sorted(cpu for _, cpu in taken)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", action="store_true", help="only the figures of LoCoMo")
    parser.add_argument("--scale", type=int, metavar="N", help="only the times at N entries (1000000 takes minutes)")
    given = parser.parse_args(words)
    both = not given.locomo and given.scale is None
    with tempfile.TemporaryDirectory(prefix="remember-me-retrieval-") as name:
        folder = Path(name)
        if given.locomo or both:
            if LOCOMO.exists():
                _show("LoCoMo, turn level and session level", locomo(folder))
            else:
                print(f"skipped: there is no {LOCOMO}")
        for count in (1_000, 10_000, 100_000) if both else (given.scale,) if given.scale else ():
            _show(f"{count:,} entries in ten years of daily notes", scale(folder, count))
    return 0


def _show(title: str, rows: Sequence[Row]) -> None:
    print(f"\n{title}")
    for row in rows:
        what, goal, wall, cpu, _ = row.cells()
        print(f"  {what:<60} {wall:<22} {cpu and f'CPU {cpu}':<18} {goal}".rstrip())


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
