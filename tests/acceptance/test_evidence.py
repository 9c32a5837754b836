"""Acceptance, evidence: what an agent wrote leads back to the user's words, and goes with them."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

import pytest

from tests.acceptance.trust import (
    AGENT,
    add,
    agent,
    files_with,
    proposed,
    serving,
    titles,
    types,
    waiting,
    written,
)
from tests.cli_runner import Cli

SOURCE = re.compile(r"(claude-code/[^/]+/[^,]+), (\S+), characters (\d+)-(\d+)")
PROMPTS = {
    "claude-code/s1/m1": "I live in the quagga house. I repair numbat clocks.",
    "claude-code/s1/m2": "\u201cHello\u201d, as they say.\n\nI never deploy\u00a0on Fridays.\r\nThanks.",
    "claude-code/s2/m1": "I sing at dawn.",
}


def typed(cli: Cli, name: str) -> None:
    """The user types one of the prompts into its session."""
    _, session, message = name.split("/")
    types(cli, PROMPTS[name], message, session)


def sources_of(row: dict[str, Any]) -> list[tuple[str, str]]:
    """(quote, source) of an entry as a document."""
    return [(one["quote"], one["source"]) for one in row["evidence"]]


def test_evidence_claim_resolves_to_source(cli: Cli) -> None:
    """By every path that an agent has: each entry that it reads, and that an agent wrote, leads to the slice of what
    the user typed, its message and time. What has no such words waits; a person's keep is recorded instead."""
    for name in PROMPTS:
        typed(cli, name)
    added = written(cli, "I live in the quagga house", "I live in the quagga house")["id"]
    curly = written(cli, "I never deploy on Fridays", "I never deploy on Fridays")["id"]
    other = cli.run("--json", "add", "--tag", "FACT", "--quote", "I sing at dawn", "I sing at dawn", env=agent("s2"))
    corrected = cli.run(
        "--json", "correct", added, "I repair numbat clocks", "--quote", "I repair numbat clocks", env=AGENT
    ).json()
    assert corrected["id"] == added
    kept = proposed(cli, "add", "--tag", "FACT", "--quote", "never said so", "Whistles at noon")
    cli.ok("keep", kept)
    waits = proposed(cli, "add", "--tag", "FACT", "--quote", "never said that", "Whistles at night")
    add(cli, "Dances on Sundays", "--tag", "FACT")
    injected = {row["id"]: row for row in cli.json("list") if row["id"] in cli.ok("recall").out}
    agents = [row for row in injected.values() if row["actor"] == "agent:claude-code"]
    assert {row["id"] for row in agents} >= {curly, other.json()["id"]}, "the control: some were injected"
    assert waits not in injected
    for row in agents:
        assert sources_of(row), row
        for quote, source in sources_of(row):
            found = SOURCE.fullmatch(source)
            assert found, source
            prompt, (start, end) = PROMPTS[found[1]], map(int, found.groups()[2:])
            assert prompt[start:end].split() == quote.split(), "the slice of what was typed"
            assert datetime.fromisoformat(found[2]).utcoffset() is not None
    assert injected[kept]["actor"] == "person"
    assert [row["actor"] for row in cli.json("history", kept)] == ["person"]


@pytest.mark.parametrize("path", ["correct", "contradict"])
def test_evidence_claim_resolves_to_source_after_a_change(cli: Cli, path: str) -> None:
    """New words stand on their own quote: it is in the entry that holds them now."""
    typed(cli, "claude-code/s1/m1")
    entry = written(cli, "I live in the quagga house", "I live in the quagga house")["id"]
    words = ("I repair numbat clocks", "--quote", "I repair numbat clocks")
    changed = cli.run("--json", path, entry, *words, env=AGENT)
    assert changed.code == 0, changed.err
    assert changed.json().get("state") != "pending", changed.out
    (row,) = [row for row in cli.json("list") if row["title"] == words[0]]
    assert "I repair numbat clocks" in [quote for quote, _ in sources_of(row)]


CLAIMS = {
    "nobody said it": ("I feed the okapi", "I feed the okapi"),
    "more than the quote": ("I live in the quagga house with nine dogs", "I live in the quagga house"),
    "the opposite": ("I do not live in the quagga house", "I live in the quagga house"),
    "a part only": ("I deploy on Fridays", "deploy on Fridays"),
    "less caution": ("Deploy without asking", "deploy"),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_evidence_that_does_not_carry_the_claim_counts_for_nothing(cli: Cli, claim: str) -> None:
    for name in PROMPTS:
        typed(cli, name)
    title, quote = CLAIMS[claim]
    card = proposed(cli, "add", "--tag", "FACT", "--quote", quote, title)
    assert titles(cli) == []
    assert cli.json("review")[0]["because"]
    assert written(cli, "I repair numbat clocks", "I repair numbat clocks")["id"] != card


def test_evidence_is_of_the_last_three_messages_of_the_same_session(cli: Cli) -> None:
    """Neither another session's words, nor older ones, nor pasted ones, nor our own block."""
    quote = "I live in the quagga house"
    words = ("add", "--tag", "FACT", "--quote", quote, quote)
    types(cli, f"{quote}.", "m1", "s2")
    assert cli.run("--json", *words, env=AGENT).json()["state"] == "pending"
    types(cli, f"> {quote}.\n\n```\n{quote}.\n```\nWhat does that mean?", "m1")
    assert cli.run("--json", *words, env=AGENT).json()["state"] == "pending"
    types(cli, f"{quote}.", "m2")
    for number in range(3, 6):
        types(cli, f"And number {number}?", f"m{number}")
    assert cli.run("--json", *words, env=AGENT).json()["state"] == "pending"
    assert titles(cli) == []
    types(cli, f"{quote}.", "m6")  # the control
    cli.run(*words, env=AGENT)
    assert titles(cli) == [quote]


def test_evidence_source_delete_reaches_derived(cli: Cli) -> None:
    """Of one message: an entry, a correction, a promoted one, a card, a rejected card and the receipt. The message is
    forgotten: each is gone, from files too; what comes from a sibling message stays and is served."""
    for name in PROMPTS:
        typed(cli, name)
    entry = written(cli, "I live in the quagga house", "I live in the quagga house")["id"]
    cli.ok("promote", entry)
    second = written(cli, "I repair numbat clocks", "I repair numbat clocks")["id"]
    sibling = written(cli, "I never deploy on Fridays", "I never deploy on Fridays")["id"]
    own = add(cli, "Dances on Sundays", "--tag", "FACT", "--links", entry)
    card = proposed(cli, "add", "--tag", "FACT", "--source", "claude-code/s1/m1", "Has a quagga house key")
    late = proposed(cli, "add", "--tag", "FACT", "--source", "claude-code/s1/m2", "Has Fridays off")
    assert cli.run("forget", "--source", "claude-code/s1/m1", "--yes").code == 0
    assert serving(cli, "quagga") == []
    for gone in (entry, second, card):
        assert cli.run("get", gone).code == 3
    assert files_with(cli, "quagga house") == []
    assert waiting(cli) == [late]
    assert sorted(row["id"] for row in cli.json("list")) == sorted([sibling, own])
    assert "src:claude-code/s1/m1" in (cli.store / "memory" / "forgotten.md").read_text()
    # Its receipt is gone: the quote carries nothing any more.
    text = "I repair numbat clocks"
    assert cli.run("add", "--tag", "FACT", "--quote", text, text, env=AGENT).code == 4
    assert json.loads(cli.ok("--json", "get", sibling).out)["evidence"]


def test_evidence_rebuild_from_retained(cli: Cli) -> None:
    """Cache and index are dropped and made anew from the notes: the words and their sources are all there."""
    typed(cli, "claude-code/s1/m1")
    entry = written(cli, "I repair numbat clocks", "I repair numbat clocks")["id"]
    before = cli.json("get", entry)
    for name in ("cache.sqlite", "cache.stamp", "manifest.json", "receipts.sqlite"):
        (cli.store / ".remember-me" / name).unlink(missing_ok=True)
    assert entry in cli.ok("recall", "--prompt", "numbat clocks").out
    assert sources_of(cli.json("get", entry)) == sources_of(before) != []
