"""What rests on a corrected text: named by the command that corrects it, and on its card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli_runner import Cli, trust_agents, trust_scripts

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}


@pytest.fixture
def cli(home: Path, tmp_path: Path) -> Cli:
    trust_scripts(home)
    made = Cli(tmp_path / "store")
    made.ok("init")
    return made


def add(cli: Cli, text: str, *options: str) -> str:
    return str(cli.ok("add", "--quiet", "--tag", "FACT", *options, text).out.strip())


def proposed(cli: Cli, *words: str) -> str:
    answer = cli.ok("--json", *words, env=AGENT).json()
    assert answer["state"] == "pending", answer
    return str(answer["id"])


def corrected_since(cli: Cli) -> dict[str, Any]:
    return {card["id"]: card["corrected_since"] for card in cli.json("review")}


def applied(*ids: str) -> list[dict[str, str]]:
    return [{"id": one, "state": "applied"} for one in ids]


def test_links_and_proposals_are_named_once_the_text_is_another(cli: Cli) -> None:
    one = add(cli, "Lives in Genoa")
    linked = add(cli, "Takes the ferry", "--links", f"[[2026-11-29]], ^{one}")
    add(cli, "Mentions k7m2pq and links to nothing")
    ended = add(cli, "Sails on Sundays", "--links", one)
    cli.ok("disable", ended)
    card = proposed(cli, "correct", one, "Lives in Savona")
    other = proposed(cli, "add", "--tag", "FACT", "--links", one, "Knows every tunnel")
    assert corrected_since(cli) == {card: [], other: []}
    cli.ok("pin", one)
    assert corrected_since(cli) == {card: [], other: []}, "another field is no other text"
    done = cli.json("correct", one, "Lives in Trieste")
    pending = [{"id": name, "state": "pending"} for name in (card, other)]
    assert done["rests_on_it"] == applied(linked) + pending
    assert corrected_since(cli) == {card: [one], other: [one]}
    assert cli.json("correct", one, "Lives in Trieste")["rests_on_it"] == []
    assert cli.ok("review", other).out.splitlines()[2] == f"  rests on a text that was corrected since: ^{one}"
    told = cli.run("correct", one, "Lives in Pola")
    assert (
        told.err
        == f"Rests on what it said before: ^{linked}, ^{card} (waits for review), ^{other} (waits for review)\n"
    )
    assert cli.run("--quiet", "correct", one, "Lives in Zara").err == ""
    cli.run("correct", one, "Lives in Genoa")
    assert corrected_since(cli) == {card: [], other: []}, "it says again what it said then"


def test_contradicted(cli: Cli) -> None:
    """What took its place is new and rests on nothing old; a proposal about it does."""
    one = add(cli, "Lives in Genoa")
    linked = add(cli, "Takes the ferry", "--links", one)
    other = proposed(cli, "add", "--tag", "FACT", "--links", one, "Knows every tunnel")
    done = cli.json("contradict", one, "Lives in Trieste")
    assert done["rests_on_it"] == [*applied(linked), {"id": other, "state": "pending"}]
    assert corrected_since(cli) == {other: [one]}
    newer = cli.json("correct", one, "Lived in Genoa")
    assert [row["id"] for row in newer["rests_on_it"]] == [linked, done["id"], other]
    assert cli.json("contradict", linked)["rests_on_it"] == []


@pytest.mark.parametrize("verb", ["correct", "contradict"])
def test_a_correction_that_is_kept(cli: Cli, verb: str) -> None:
    one = add(cli, "Lives in Genoa")
    linked = add(cli, "Takes the ferry", "--links", one)
    card = proposed(cli, verb, one, "Lives in Savona")
    pin = proposed(cli, "pin", one)
    assert cli.json("keep", card)["rests_on_it"] == [*applied(linked), {"id": pin, "state": "pending"}]
    assert corrected_since(cli) == {pin: [one]}


def test_what_is_kept_and_corrects_nothing(cli: Cli) -> None:
    one = add(cli, "Lives in Genoa")
    add(cli, "Takes the ferry", "--links", one)
    assert cli.json("keep", proposed(cli, "pin", one))["rests_on_it"] == []
    assert cli.json("keep", proposed(cli, "add", "--tag", "FACT", "Knows every tunnel"))["rests_on_it"] == []


def test_topic_notes(cli: Cli) -> None:
    """A link to the note of a topic is one to its entry."""
    topic = cli.store / "memory" / "harbour.md"
    topic.parent.mkdir()
    topic.write_text("---\nid: tpc111\ntag: FACT\ntitle: The harbour is deep\n---\nWords.\n")
    linked = add(cli, "Anchors there", "--links", "[[Harbour]]")
    other = proposed(cli, "add", "--tag", "FACT", "--links", "[[harbour]]", "Knows every pier")
    done = cli.json("correct", "tpc111", "The harbour is shallow")
    assert done["rests_on_it"] == [*applied(linked), {"id": other, "state": "pending"}]
    assert corrected_since(cli) == {other: ["tpc111"]}


def test_an_agent_is_told_of_its_own_project_only(cli: Cli, home: Path, tmp_path: Path) -> None:
    trust_agents(home)
    one = cli.ok("--json", "add", "--tag", "FACT", "--evidence", "I use tabs", "Uses tabs", env=AGENT).json()["id"]
    add(cli, "Indents by four", "--links", one, "--scope", "cogwork")
    trust_scripts(home)
    proposed(cli, "add", "--tag", "FACT", "--links", one, "Knows every tunnel")
    trust_agents(home)
    work = tmp_path / "elsewhere"
    work.mkdir()
    agent = AGENT | {"CLAUDE_CODE_SESSION_ID": "s2", "CLAUDE_PROJECT_DIR": str(work)}
    done = cli.run("--json", "correct", one, "Uses spaces only", env=agent, cwd=work)
    assert done.code == 0, done.err
    assert done.json()["rests_on_it"] == [], "neither the other project's entry nor another session's card"
    assert len(cli.json("correct", one, "Uses neither")["rests_on_it"]) == 2, "the control: the person is told of both"


def test_a_card_of_an_older_version(cli: Cli) -> None:
    """Without the words that it rests on, all that is known is whether its entry was changed."""
    one = add(cli, "Lives in Genoa")
    card = proposed(cli, "correct", one, "Lives in Savona")
    file = cli.store / ".remember-me" / "pending" / f"{card}.md"
    lines = file.read_text().splitlines(keepends=True)
    assert [line for line in lines if line.startswith("rests: ")] != []
    file.write_text("".join(line for line in lines if not line.startswith("rests: ")))
    cli.run("correct", one, "Lives in Trieste")
    assert corrected_since(cli) == {card: []}
    assert "  the entry was changed since this was proposed\n" in cli.ok("review", card).out
    file.write_text(file.read_text().replace("base: ", "rests: nothing = =x gone11=1\nbase: "))
    assert corrected_since(cli) == {card: []}
