"""`index --at`: what an agent saw at the end of a day, from the history of the notes; today it is `index`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli_runner import Cli, bytes_of, git, trust_scripts

DAY_BEFORE, FIRST, SECOND, THIRD, FOURTH = (f"2026-03-0{day}" for day in range(1, 6))


@pytest.fixture
def cli(home: Path, tmp_path: Path) -> Cli:
    """A store that was made at noon of the first day."""
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    cli.ok("init")
    dated(cli, FIRST)
    return cli


def dated(cli: Cli, day: str, clock: str = "12:00:00 +0000") -> None:
    """Let the last commit be of that moment."""
    when = f"{day}T{clock.replace(' ', '')}"
    amend = ("commit", "-q", "--amend", "--allow-empty", "--no-edit", "--no-verify", "--date", when)
    subprocess.run(
        ["git", "-C", str(cli.store), "-c", "user.name=x", "-c", "user.email=x@example.invalid", *amend],
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_COMMITTER_DATE": when},
        check=True,
        capture_output=True,
    )


def did(cli: Cli, day: str, *words: str, clock: str = "12:00:00 +0000") -> str:
    """Run a command that writes, as if on that day; returns what it printed."""
    out = cli.ok("--quiet", *words).out.strip()
    dated(cli, day, clock)
    return out


def by_hand(cli: Cli, day: str, path: str, text: str) -> None:
    """A person writes a note and commits it on that day."""
    file = cli.store / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    git(cli.store, "add", "-A")
    git(cli.store, "-c", "user.name=x", "-c", "user.email=x@example.invalid", "commit", "-qm", "by hand", "--no-verify")
    dated(cli, day)


def seen(cli: Cli, day: str, *options: str) -> list[str]:
    """The lines of the index of that day."""
    return cli.ok("--quiet", "index", "--at", day, *options).out.splitlines()


def test_after_edits_and_a_withdrawal(cli: Cli) -> None:
    entry = did(cli, FIRST, "add", "--tag", "FACT", "Lives in Porto")
    other = did(cli, SECOND, "add", "--tag", "FACT", "Repairs clocks")
    did(cli, SECOND, "correct", entry, "Lives in Lisbon")
    did(cli, THIRD, "pin", other)
    did(cli, FOURTH, "disable", entry)
    assert seen(cli, FIRST) == [f"{entry} FACT Lives in Porto"]
    assert sorted(seen(cli, SECOND)) == sorted([f"{entry} FACT Lives in Lisbon", f"{other} FACT Repairs clocks"])
    assert seen(cli, THIRD) == [f"{other} FACT Repairs clocks", f"{entry} FACT Lives in Lisbon"]
    assert seen(cli, FOURTH) == [f"{other} FACT Repairs clocks"]
    assert seen(cli, "2026-11-01") == seen(cli, FOURTH)
    assert seen(cli, FIRST) == [f"{entry} FACT Lives in Porto"], "asking changes nothing"
    document = cli.json("index", "--at", FIRST)
    assert document == {"text": f"{entry} FACT Lives in Porto\n", "shown": [entry], "left_out": 0}


def test_the_last_state_of_a_day_counts(cli: Cli) -> None:
    """The end of the day in the zone of the store."""
    entry = did(cli, SECOND, "add", "--tag", "FACT", "one", clock="00:00:00 +0000")
    did(cli, SECOND, "correct", entry, "two", clock="23:59:59 +0000")
    did(cli, THIRD, "correct", entry, "three", clock="00:00:00 +0000")
    assert cli.run("index", "--at", FIRST).out == ""
    assert seen(cli, SECOND) == [f"{entry} FACT two"]
    assert seen(cli, THIRD) == [f"{entry} FACT three"]
    cli.ok("--quiet", "config", "store.timezone", "America/Los_Angeles")
    assert seen(cli, SECOND) == [f"{entry} FACT three"], "midnight in UTC is the afternoon there"


def test_after_a_promotion_and_a_demotion(cli: Cli) -> None:
    """In both notes it is one entry."""
    entry = did(cli, FIRST, "add", "--tag", "PREFERENCE", "Never on Fridays")
    did(cli, SECOND, "promote", entry)
    assert (cli.store / "MEMORY.md").read_text().count(entry) == 1
    did(cli, THIRD, "demote", entry, "--reason", "abandoned")
    line = f"{entry} PREFERENCE Never on Fridays"
    assert (seen(cli, FIRST), seen(cli, SECOND), seen(cli, THIRD)) == ([line], [line], [])


def test_after_hand_edits(cli: Cli) -> None:
    note = "memory/2026-03-02.md"
    by_hand(cli, FIRST, note, "- FACT: Has a van ^kbcdfg\n\n- GOAL: A stall ^kbcdfh\n")
    by_hand(cli, SECOND, note, "- FACT: Has two vans ^kbcdfg\n  - pinned: true\n")
    by_hand(cli, THIRD, "memory/topic.md", "---\nid: kbcdfj\ntag: GOAL\ntitle: A topic\n---\n\nBody.\n")
    (cli.store / note).unlink()
    by_hand(cli, FOURTH, "memory/prose.md", "Nothing but prose.\n")
    assert sorted(seen(cli, FIRST)) == ["kbcdfg FACT Has a van", "kbcdfh GOAL A stall"]
    assert seen(cli, SECOND) == ["kbcdfg FACT Has two vans"]
    assert seen(cli, THIRD) == ["kbcdfg FACT Has two vans", "kbcdfj GOAL A topic"]
    assert seen(cli, FOURTH) == ["kbcdfj GOAL A topic"]


def test_a_guess_reads_as_sure_as_it_was(cli: Cli) -> None:
    """high for 13 days, medium for 29, then low, and at 60 days it is due for discard; also what has expired since."""
    by_hand(
        cli,
        FIRST,
        f"memory/{FIRST}.md",
        "- [10:00 +00:00] HYPOTHESIS: Likes tea ^kbcdfk\n  - confidence: high\n\n"
        "- [10:00 +00:00] GOAL: The fair ^kbcdfm\n  - expires: 2026-03-10\n",
    )
    began = datetime.fromisoformat(FIRST)
    levels = {0: "high", 13: "high", 14: "medium", 29: "medium", 30: "low", 59: "low", 60: None}
    for days, level in levels.items():
        lines = seen(cli, (began + timedelta(days=days)).date().isoformat())
        wanted = [] if level is None else [f"kbcdfk HYPOTHESIS ({level}) Likes tea"]
        assert [line for line in lines if "kbcdfk" in line] == wanted, days
        assert ("kbcdfm GOAL The fair" in lines) == (days <= 8), days


@pytest.mark.parametrize(
    "day",
    [DAY_BEFORE, "1973-03-03", "1973-03-02", "1970-01-01", "1000-01-01", "0001-01-01"],
)
def test_before_the_store_there_was_none(cli: Cli, day: str) -> None:
    did(cli, SECOND, "add", "--tag", "FACT", "Lives in Porto")
    done = cli.run("index", "--at", day)
    assert (done.code, done.out) == (3, ""), done.err
    assert done.err.startswith(f"Error: There is no state of the store on {day}.\n")
    assert json.loads(cli.run("--json", "index", "--at", day).err)["exit_code"] == 3


def test_no_git_and_no_history(cli: Cli, tmp_path: Path) -> None:
    """Today's index needs neither."""
    did(cli, FIRST, "add", "--tag", "FACT", "Lives in Porto")
    tools = tmp_path / "bin"
    tools.mkdir()
    without = {"PATH": str(tools)}
    assert "Porto" in cli.run("index", env=without).out
    done = cli.run("index", "--at", FIRST, env=without)
    assert (done.code, done.out) == (6, "")
    assert done.err.startswith("Error: git gives no history: git was not found on this machine.\nHint: Install git.")
    shutil.rmtree(cli.store / ".git")
    before = bytes_of(cli.store)
    done = cli.run("index", "--at", FIRST)
    assert (done.code, done.out) in ((3, ""), (6, "")), done.out
    assert re.match(r"Error: .+\.\nHint: ", done.err), done.err
    assert bytes_of(cli.store) == before


def rich(cli: Cli) -> None:
    """Entries of every kind, some saved, some by hand, one not yet committed."""
    for options in (
        ("--tag", "FACT", "Lives in Porto", "--description", "since 2019"),
        ("--tag", "GOAL", "Cast a bell", "--scope", "bells", "--impact", "3"),
        ("--tag", "PREFERENCE", "Never names", "--signal", "boundary", "--pin"),
        ("--tag", "HYPOTHESIS", "Likes tea", "--confidence", "medium"),
        ("--tag", "GOAL", "The fair", "--expires", "2020-01-01"),
        ("--tag", "PREFERENCE", "Short answers", "--facet", "brevity"),
    ):
        cli.ok("--quiet", "add", *options)
    cli.run("promote", "--apply")
    (cli.store / "memory" / "topic.md").write_text("---\nid: kbcdfj\ntag: GOAL\ntitle: A topic\n---\n\nBody.\n")
    (cli.store / "memory" / "2026-02-01.md").write_text(
        "- HYPOTHESIS: Old guess ^kbcdfn\n  - confidence: high\n\n"
        "- FACT: twice ^kbcdfp\n\n- FACT: twice again ^kbcdfp\n"
    )


@pytest.mark.parametrize("options", [(), ("--scope", "bells"), ("--tokens", "60"), ("--bytes", "250"), ("--json",)])
def test_today_it_is_the_index(cli: Cli, options: tuple[str, ...]) -> None:
    """With what was written by hand and is not committed: an agent sees that at once."""
    rich(cli)
    today = datetime.now(UTC).date().isoformat()
    assert cli.ok("index", "--at", today, *options).out == cli.ok("index", *options).out


def test_an_agent_sees_its_own_project_then(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "bells"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "remote", "add", "origin", "https://example.org/ada/bells.git")
    own = did(cli, FIRST, "add", "--tag", "FACT", "--scope", "example.org/ada/bells", "Cast in bronze")
    shared = did(cli, FIRST, "add", "--tag", "FACT", "Lives in Porto")
    did(cli, FIRST, "add", "--tag", "FACT", "--scope", "example.org/ada/alpha", "A quagga clock")
    done = cli.run("index", "--at", FIRST, env={"CLAUDECODE": "1"}, cwd=folder)
    wanted = [f"{own} FACT Cast in bronze", f"{shared} FACT Lives in Porto"]
    assert sorted(done.ok().out.splitlines()) == sorted(wanted)
    assert cli.run("index", "--at", FIRST, "--scope", "*", env={"CLAUDECODE": "1"}, cwd=folder).code == 4
    assert len(seen(cli, FIRST)) == 3


def test_a_day_that_is_still_to_come_is_said(cli: Cli) -> None:
    did(cli, FIRST, "add", "--tag", "FACT", "Lives in Porto")
    for day in ("2099-01-01", "9999-12-31"):
        done = cli.run("index", "--at", day)
        said = f"Error: {day} has not come yet.\nHint: Leave the date out for today.\n"
        assert (done.code, done.out, done.err) == (2, "", said)
