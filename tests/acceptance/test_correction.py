"""Acceptance, correction: what was corrected stays corrected, though everything derived is lost and the source is fed
again. `list` and `get` stand for recall, which is a later issue."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli_runner import Cli, bytes_of


def feed(cli: Cli, source: str, *statements: str) -> list[str]:
    """The ids under which the statements of one message stand; `refused` where it was withdrawn."""
    found = []
    for statement in statements:
        fed = cli.run("--json", "add", "--tag", "FACT", "--source", source, statement)
        assert fed.code in (0, 4), fed.err
        found.append(fed.json()["id"] if fed.code == 0 else "refused")
    return found


def rebuild(cli: Cli) -> None:
    """Everything that is not the notes or git is lost."""
    for name in ("manifest.json", "state.sqlite"):
        (cli.store / ".remember-me" / name).unlink()
        assert not (cli.store / ".remember-me" / name).exists()


def recalled(cli: Cli) -> list[str]:
    """What an agent would read: the titles of the live entries."""
    return sorted(row["title"] for row in cli.json("list"))


def history(cli: Cli, *entries: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every revision of each entry, oldest first."""
    return {
        entry: [
            (row["verb"], row["actor"], row["operation"], row["before"], row["after"])
            for row in reversed(cli.json("history", entry))
        ]
        for entry in entries
    }


def test_correction_survives_rebuild(cli: Cli) -> None:
    """Replaced, negated, withdrawn, partly superseded, limited in time."""
    message = (
        "Lives in Porto",
        "Drinks coffee",
        "Has a van",
        "Works in Vienna and Graz",
        "Rents a stall",
        "Repairs clocks",  # the control: nobody corrects it
    )
    replaced, negated, withdrawn, partly, limited, control = ids = feed(cli, "s-1/m1", *message)
    cli.ok("promote", replaced)
    cli.ok("promote", partly)
    new = {
        "replaced": cli.json("contradict", replaced, "Lives in Lisbon")["id"],
        "negated": cli.json("contradict", negated, "Does not drink coffee")["id"],
        "partly": cli.json("contradict", partly, "Works in Vienna only")["id"],
        "limited": cli.json("contradict", limited, "Rented a stall until the end of 2025")["id"],
    }
    cli.ok("contradict", withdrawn)
    ended = cli.json("add", "--tag", "GOAL", "--expires", "2025-12-31", "Wants a bigger stall")["id"]
    cli.ok("maintain", "--apply")
    wanted = [
        "Does not drink coffee",
        "Lives in Lisbon",
        "Rented a stall until the end of 2025",
        "Repairs clocks",
        "Works in Vienna only",
    ]
    assert recalled(cli) == wanted
    told = history(cli, *ids, *new.values(), ended)
    verbs = {entry: [row[0] for row in rows] for entry, rows in told.items()}
    assert verbs == {
        # A demotion changes two notes: out of the long-term one, and the mark in the daily one.
        replaced: ["add", "promote", "promote", "contradict", "contradict"],
        negated: ["add", "contradict"],
        withdrawn: ["add", "contradict"],
        partly: ["add", "promote", "promote", "contradict", "contradict"],
        limited: ["add", "contradict"],
        control: ["add"],
        **{entry: ["contradict"] for entry in new.values()},
        ended: ["add", "maintain"],
    }
    for entry, words in zip(ids, message, strict=True):
        assert words in told[entry][0][4]
    statuses = {entry: cli.json("get", entry)["status"] for entry in ids}
    assert statuses == {
        replaced: "stale",
        negated: "superseded",
        withdrawn: "superseded",
        partly: "stale",
        limited: "superseded",
        control: "active",
    }
    notes = bytes_of(cli.store)
    rebuild(cli)
    assert recalled(cli) == wanted
    # The source again, as a client that lost its place would feed it.
    assert feed(cli, "s-1/m1", *message) == ["refused"] * 5 + [control]
    cli.ok("maintain", "--apply")
    cli.run("promote", "--apply")
    assert recalled(cli) == wanted
    assert bytes_of(cli.store) == notes
    rebuild(cli)
    assert recalled(cli) == wanted
    assert history(cli, *told) == told
    old = {"replaced": replaced, "negated": negated, "partly": partly, "limited": limited}
    for key, entry in new.items():
        assert f"  - supersedes: {old[key]}\n" in told[entry][0][4] + "\n"


@pytest.mark.parametrize("how", ["correct", "by hand"])
def test_correction_survives_rebuild_under_the_same_id(cli: Cli, how: str) -> None:
    """The words were corrected in place; the quote and its source still stand in the entry."""
    entry, control = feed(cli, "s-1/m1", "Lives in Porto", "Repairs clocks")
    if how == "correct":
        cli.ok("correct", entry, "Lives in Lisbon")
    else:
        note = cli.store / cli.json("get", entry)["note"]
        note.write_text(note.read_text().replace(f"FACT: Lives in Porto ^{entry}", f"FACT: Lives in Lisbon ^{entry}"))
    assert recalled(cli) == ["Lives in Lisbon", "Repairs clocks"]
    rebuild(cli)
    assert recalled(cli) == ["Lives in Lisbon", "Repairs clocks"]
    assert feed(cli, "s-1/m1", "Repairs clocks") == [control]
    feed(cli, "s-1/m1", "Lives in Porto")
    assert recalled(cli) == ["Lives in Lisbon", "Repairs clocks"]


@pytest.mark.parametrize("tier", ["daily", "long-term"])
def test_correction_without_replacement(cli: Cli, tier: str) -> None:
    """“That was wrong”, and no new value: fed again it stays away, and the rest of the message is there."""
    message = ("Has a van", "Repairs clocks", "Lives above the workshop")
    wrong, *rest = feed(cli, "s-1/m1", *message)
    if tier == "long-term":
        cli.ok("promote", wrong)
        cli.ok("promote", rest[0])
    cli.ok("contradict", wrong)
    wanted = ["Lives above the workshop", "Repairs clocks"]
    assert recalled(cli) == wanted
    notes = bytes_of(cli.store)
    for again in (("has a van.", "HAS  A VAN"), ("Ｈas a van",)):
        assert feed(cli, "s-1/m1", *message, *again) == ["refused", *rest, *["refused"] * len(again)]
        for tag in ("PREFERENCE", "HYPOTHESIS"):
            assert cli.run("add", "--tag", tag, "--source", "s-1/m1", "Has a van").code == 4
        cli.ok("maintain", "--apply")
        cli.run("promote", "--apply")
        assert recalled(cli) == wanted
        assert bytes_of(cli.store) == notes
        rebuild(cli)
        assert recalled(cli) == wanted
    assert "Has a van" in cli.json("history", wrong)[-1]["after"]
    # Another message that says so is the user's word, and counts.
    (anew,) = feed(cli, "s-2/m1", "Has a van")
    assert anew not in ("refused", wrong)
    assert recalled(cli) == sorted([*wanted, "Has a van"])
