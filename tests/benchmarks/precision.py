"""What recall brings: PrecisionMemBench through the trigger match, and how much of PrefEval the index shows.

    python tests/benchmarks/precision.py [-v]

The data of others are read where they lie (`../shared/bench`); a part whose data is
missing says so. Entries are written into a store of notes and read back through the cache.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from remember_me.model.entry import ID_ALPHABET
from remember_me.policy.limits import Limits
from remember_me.recall.cache import Cache
from remember_me.recall.context import TRIGGERED
from remember_me.recall.index import Line, build_index, load_lines
from remember_me.recall.line import index_line
from remember_me.recall.stock import Stock
from remember_me.recall.tokens import token_counter
from remember_me.recall.trigger import match
from remember_me.store.files import Disk
from remember_me.store.reader import Reader
from remember_me.store.shape import Shape
from tests.benchmarks.table import Row, render
from tests.shared import SHARED

DATA = SHARED / "bench"
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
BUDGETS = (1_500, 4_000, 20_000)
GOAL_CASES, GOAL_TOKENS = 73, 20

Belief = Mapping[str, Any]


class Found(NamedTuple):
    """The tiers of one case: ids of beliefs, and the text of the prelude."""

    prelude: str
    pinned: list[str]
    relevant: list[str]
    questions: list[str]


# Saving


@contextmanager
def saved(note: str) -> Iterator[tuple[sqlite3.Connection, list[Line]]]:
    """The cache of a store whose note says this, and its lines."""
    with tempfile.TemporaryDirectory(prefix="remember-me-precision-") as folder:
        root = Path(folder)
        (root / "memory").mkdir()
        (root / ".remember-me").mkdir()
        (root / "memory" / "2026-11-29.md").write_text(note, encoding="utf-8")
        with Cache(Reader(root, Shape("memory", "UTC"), Disk())).fresh() as db:
            yield db, load_lines(db, NOW, Limits())


def new_id(rng: random.Random) -> str:
    """An id that is none of a number's looks."""
    return "k" + "".join(rng.choices(ID_ALPHABET, k=5))


def note_of(entry_id: str, belief: Belief, ids: Mapping[str, str]) -> str:
    """A belief as an entry, by the mapping of the researched match; aliases are its names with spaces, and a relation
    links to its participants. `ids` are those of the entries by the names of the beliefs."""
    kind, everywhere = belief["type"], belief["scope"] == ["user:universal"]
    tag = {"preference": "PREFERENCE", "open_question": "GOAL"}.get(kind, "FACT")
    names = [belief["canonical_name"].replace("_", " "), *belief["aliases"]]
    fields = [
        ("description", belief["why_it_matters"]),
        ("scope", "" if everywhere else belief["scope"][0].removeprefix("domain:")),
        ("pinned", "true" if belief["pinned"] else ""),
        ("status", "superseded" if is_superseded(belief) else "stale" if belief["resolved_at"] else ""),
        ("aliases", ", ".join(names)),
        ("facet", "workflow" if everywhere else ""),
        ("signal", "blocker" if kind == "open_question" else ""),
        ("links", ", ".join(ids[name] for name in belief.get("participants", ()) if name in ids)),
    ]
    lines = [f"- [10:00] {tag}: {belief['content']} ^{entry_id}"]
    lines += [f"  - {key}: {value}" for key, value in fields if value]
    return "\n".join(lines) + "\n"


def is_superseded(belief: Belief) -> bool:
    return belief["epistemic_status"] == "superseded" or bool(belief["superseded_by"])


# PrecisionMemBench


class Memory:
    """The beliefs of one user as a store."""

    def __init__(self, beliefs: Sequence[Belief], user: str) -> None:
        self.beliefs = [dict(belief) for belief in beliefs if belief["user_id"] == user]
        self.kept: ExitStack | None = None
        self.build()

    def build(self) -> None:
        rng = random.Random(7)
        self.ids = {new_id(rng): belief for belief in self.beliefs}
        if self.kept is not None:
            self.kept.close()
        self.kept = ExitStack()
        names = {belief["_id"]: entry_id for entry_id, belief in self.ids.items()}
        note = "".join(note_of(entry_id, belief, names) for entry_id, belief in self.ids.items())
        self.db, self.lines = self.kept.enter_context(saved(note))

    def recall(self, scopes: Sequence[str], query: str, most: int) -> Found:
        """The tiers as the benchmark's own adapter makes them; what a prompt triggers is ours."""
        seen = {scope.removeprefix("domain:") for scope in scopes}
        lines = [line for line in self.lines if line.scope is None or line.scope in seen]
        asked = [line for line in lines if line.scope is not None or "user:universal" in scopes]
        questions = [line.id for line in asked if line.pinned and line.signal == "blocker"]
        pinned = [line.id for line in asked if line.pinned and line.signal != "blocker"]
        profile = [line for line in lines if line.facet]
        shown = {*pinned, *questions, *(line.id for line in profile)}
        limit = min(most, TRIGGERED)
        stock = Stock(self.db, sorted(seen), NOW.date().isoformat(), lambda known: known.confidence)
        relevant = [hit.known.id for hit in match(stock, query, limit, shown)] if limit else []
        pinned = pinned[:most]
        prelude = " ".join(self.ids[line.id]["content"] for line in profile)
        return Found(prelude, *map(self._names, (pinned, relevant[: max(0, most - len(pinned))], questions)))

    def _names(self, ids: Sequence[str]) -> list[str]:
        return [self.ids[entry_id]["_id"] for entry_id in ids]


def faults(expect: Mapping[str, Any], found: Found) -> list[str]:
    """What of a case does not hold, by the pass rules of the benchmark's own test."""
    bad: list[str] = []
    relevant, union = expect.get("relevantBeliefs", {}), {*found.pinned, *found.relevant}
    bad += [f"missing {name}" for name in relevant.get("mustInclude", ()) if name not in union]
    bad += [f"forbidden {name}" for name in relevant.get("mustExclude", ()) if name in union]
    if "shouldOnlyInclude" in relevant:
        wanted = set(relevant["shouldOnlyInclude"])
        bad += [f"not wanted or missing {name}" for name in sorted(wanted ^ set(found.relevant))]
    for tier, names in (("pinnedFacts", found.pinned), ("openQuestions", found.questions)):
        bad += [f"{tier} lacks {name}" for name in expect.get(tier, {}).get("mustInclude", ()) if name not in names]
        bad += [f"{tier} has {name}" for name in expect.get(tier, {}).get("mustExclude", ()) if name in names]
    prelude = expect.get("personaPrelude", {})
    if (prelude.get("nonEmpty") and not found.prelude) or (prelude.get("isNull") and found.prelude):
        bad.append("prelude")
    bad += [f"prelude lacks {text}" for text in prelude.get("contains", ()) if text not in found.prelude]
    bad += [f"prelude has {text}" for text in prelude.get("mustNotContain", ()) if text in found.prelude]
    return bad + [f"noise {name}" for name in expect.get("noiseCheck", {}).get("mustNotSurface", ()) if name in union]


def single_turns(folder: Path, tell: Callable[[str], None]) -> tuple[int, int]:
    """(cases passed, cases)."""
    seed, cases = read(folder / "beliefs.seed.json"), read(folder / "retrieval.cases.json")
    memories: dict[str, Memory] = {}
    passed = 0
    for case in cases:
        user = case.get("userId", "test-user")
        memory = memories.get(user) or Memory(seed, user)
        memories[user] = memory
        found = memory.recall(case["scope"], case["query"], case.get("budget", {}).get("maxBeliefs", 20))
        bad = faults(case["expect"], found)
        passed += not bad
        if bad:
            tell(f"{case['caseId']}: {'; '.join(bad)} | {case['query'][:80]}")
    return passed, len(cases)


def session_turns(folder: Path, tell: Callable[[str], None]) -> tuple[int, int]:
    """(turns passed, turns); beliefs and aliases that a turn adds count from the next one on."""
    memory = Memory(read(folder / "beliefs.seed.json"), "test-user")
    passed = turns = 0
    for turn in (turn for case in read(folder / "session-retrieval.cases.json") for turn in case["turns"]):
        bad = faults(turn["expect"], memory.recall(turn["scope"], turn["userMessage"], 20))
        turns, passed = turns + 1, passed + (not bad)
        if bad:
            tell(f"turn {turn['turnIndex']}: {'; '.join(bad)} | {turn['userMessage'][:80]}")
        if new := turn.get("createBeliefAtTurn"):
            memory.beliefs.append(new)
        if change := turn.get("updateBeliefAtTurn"):
            changed = next(belief for belief in memory.beliefs if belief["_id"] == change["beliefId"])
            changed["aliases"] = [*changed["aliases"], *change["addAliases"]]
        memory.build()
    return passed, turns


# PrefEval


def preferences(folder: Path) -> list[str]:
    return [row["preference"] for path in sorted(folder.rglob("*.json")) for row in read(path)]


def index_cost(titles: Sequence[str], count: Callable[[str], int]) -> tuple[float, dict[int, int]]:
    """(tokens per entry in an index of all of them, budget -> entries shown within it)."""
    rng = random.Random(7)
    with saved("".join(f"- [10:00] PREFERENCE: {title} ^{new_id(rng)}\n" for title in titles)) as (_, lines):
        pass
    each = count("".join(f"{index_line(line)}\n" for line in lines)) / len(lines)
    return each, {budget: len(build_index(lines, budget, count=count).shown) for budget in BUDGETS}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def rows(report: Callable[[str], None] = lambda text: None) -> tuple[list[Row], list[str]]:
    """(the figures, what was left out and why). `report` is told of each case that fails."""
    found: list[Row] = []
    left_out: list[str] = []
    folder = DATA / "precisionmembench"
    if folder.is_dir():
        passed, cases = single_turns(folder, report)
        found.append(Row(f"PrecisionMemBench, single turn, of {cases}", passed, "cases", goal=GOAL_CASES, floor=True))
        passed, turns = session_turns(folder, report)
        found.append(Row(f"PrecisionMemBench, in a session, of {turns}", passed, "turns"))
    else:
        left_out.append("PrecisionMemBench: its data are not here")
    folder = DATA / "prefeval"
    counter = token_counter(os.environ)
    if folder.is_dir() and counter.exact:
        titles = preferences(folder)
        each, shown = index_cost(titles, counter.count)
        found.append(Row(f"PrefEval, index of {len(titles):,}", each, "tokens an entry", goal=GOAL_TOKENS))
        found += [Row(f"PrefEval, within {budget:,} tokens", fit, "entries") for budget, fit in shown.items()]
    else:
        left_out.append(f"PrefEval: {'its data are' if counter.exact else 'the vocabulary is'} not here")
    return found, left_out


def main(arguments: Sequence[str]) -> int:
    found, left_out = rows(print if "-v" in arguments else lambda text: None)
    print(render({"Recall of what a prompt needs": found}, [], left_out), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
