"""B36, B57, B59: bad dates and decay, what was withdrawn stays away, and undo beside a hand edit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases.support import add, failed, ids, known, problems, put, sound, today, topic
from tests.cli_runner import Cli, bytes_of, git, trust_agents
from tests.shared import shared_path

# B36: a date in the future, missing or unreadable

ON = "2026-06-01"

UNREADABLE = {
    "nothing": "",
    "words": 'since: "last tuesday"\n',
    "impossible": 'since: "2026-02-30T25:61:00"\n',
    "no leap year": "since: 2026-02-29\n",
    "year alone": "since: 2026\n",
    "empty": "since:\n",
    "list": "since: [last week, today]\n",
    "full width": "since: ２０２６-01-01\n",
    "reinforced tomorrow": "reinforced: tomorrow, 2 sessions\n",
    "expired never": "expires: never\n",
    "validated by a word": "validated: yes\n",
}


def rows(cli: Cli, on: str = ON) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in cli.json("decay", "--at", on)}


def test_b36_the_files_of_the_case_as_they_are(cli: Cli) -> None:
    """Dated file names make daily notes of them; they hold no entry, and nothing happens to their bytes."""
    folder = shared_path("cases", "inputs", "B36")
    for file in sorted(folder.glob("*.md")):
        put(cli, f"memory/{file.name}", file.read_bytes())
    before = bytes_of(cli.store)
    for command in (["decay", "--at", ON], ["decay"], ["status"], ["list", "--all"], ["promote"], ["maintain"]):
        assert known(cli.run(*command)).code == 0, command
    cli.ok("maintain", "--apply")
    assert cli.json("decay", "--at", ON) == []
    assert bytes_of(cli.store) == before


def test_b36_their_fields_in_topic_notes_of_ours(cli: Cli) -> None:
    """The same bytes under names of topic notes, with our keys: reported, none of them due, none written back."""
    folder = shared_path("cases", "inputs", "B36")
    for file in sorted(folder.glob("*.md")):
        text = file.read_text().replace("type: PREFERENCE", "tag: HYPOTHESIS").replace("m-fu0", "mfv0f")
        put(cli, f"memory/case-{file.stem[-1]}.md", text.replace("created:", "since:"))
    before = bytes_of(cli.store)
    found = rows(cli)
    shown = {key: (row["stored"], row["effective"], row["age_days"], row["due"]) for key, row in found.items()}
    assert shown == {
        "mfv0f1": ("high", "high", 0, False),  # from the future: no negative age
        "mfv0f2": ("high", "high", None, False),
        "mfv0f3": ("high", "high", None, False),
        "mfv0f4": ("high", "high", None, False),
    }
    assert [line.split(": ", 1)[0] for line in problems(cli)] == ["memory/case-3.md:6", "memory/case-4.md:6"]
    cli.ok("maintain", "--apply")
    assert bytes_of(cli.store) == before


def test_b36_nothing_is_discarded_by_a_date_that_cannot_be_read(cli: Cli) -> None:
    for number, lines in enumerate(UNREADABLE.values()):
        more = f"confidence: high\n{lines}"
        put(cli, f"memory/t{number:02}.md", topic(f"mfv0{number:02}", f"t{number}", "A.", more=more, tag="HYPOTHESIS"))
    before = bytes_of(cli.store)
    for on in ("2026-06-01", "0001-01-01", "9999-12-31"):
        found = rows(cli, on)
        assert len(found) == len(UNREADABLE)
        for row in found.values():
            assert (row["stored"], row["effective"], row["age_days"], row["due"]) == ("high", "high", None, False)
    cli.ok("maintain", "--apply")
    assert bytes_of(cli.store) == before


def test_b36_in_a_daily_note_the_day_is_the_notes(cli: Cli) -> None:
    """A time that is none falls back to the date of the file, and that is reported; the day itself is known."""
    note = "".join(
        f"- {stamp}HYPOTHESIS: h{number} ^mfd00{number}\n  - confidence: high\n"
        for number, stamp in enumerate(["[25:61] ", "[14:32 +99:00] ", "", "[10:00 +01:00] "])
    )
    put(cli, "memory/2026-05-01.md", note)
    put(cli, "memory/2026-03-01.md", "- [24:00] HYPOTHESIS: old ^mfd009\n")
    put(cli, "memory/2031-01-01.md", "- [10:00 Z] HYPOTHESIS: future ^mfd00f\n  - confidence: medium\n")
    found = rows(cli)
    assert {key: (row["effective"], row["age_days"], row["due"]) for key, row in found.items()} == {
        "mfd000": ("low", 31, False),
        "mfd001": ("low", 31, False),
        "mfd002": ("low", 31, False),
        "mfd003": ("low", 31, False),
        "mfd009": ("low", 92, True),
        "mfd00f": ("medium", 0, False),
    }
    assert len(problems(cli)) == 3
    cli.ok("pin", "mfd00f")
    assert rows(cli, "2031-03-02")["mfd00f"]["due"] is True
    assert rows(cli, "2031-03-01")["mfd00f"]["due"] is False
    sound(cli)


@pytest.mark.parametrize("given", ["2026-02-30", "tomorrow", "", "2026-06-01T10:00", "２０２６-06-01"])
def test_b36_the_day_that_is_given_to_decay_is_checked(cli: Cli, given: str) -> None:
    failed(cli.run("decay", "--at", given), 2, f"{given or chr(39) * 2} is no date.")


# B57: what was withdrawn stays away

PORTO = "Lives in Porto"


def job() -> tuple[str, str, str]:
    """(source, text, tag) of the capture that was queued before: `add` stands for its delivery."""
    found = json.loads(shared_path("cases", "inputs", "B57", "job.json").read_text())
    return f"{found['session_id']}/{found['message_id']}", found["text"], found["type"]


def restart(cli: Cli) -> None:
    """Nothing is left but the notes and their history."""
    for name in ("manifest.json", "state.sqlite"):
        (cli.store / ".remember-me" / name).unlink(missing_ok=True)


@pytest.mark.parametrize("how", ["contradict", "disable"])
def test_b57_a_late_job_and_maintenance_bring_nothing_back(cli: Cli, how: str) -> None:
    source, text, tag = job()
    entry = add(cli, PORTO, "--tag", tag, "--source", source)
    cli.ok("promote", entry)
    assert cli.json("get", entry)["tier"] == "long-term"
    cli.ok(how, entry)
    before = bytes_of(cli.store)
    for _ in range(2):
        late = cli.run("add", "--tag", tag, "--source", source, "--evidence", "I moved to Porto", text)
        assert late.code == 4, late.err
        assert f"This message was taken in already as {entry}" in late.err
        assert bytes_of(cli.store) == before
        for command in (["decay"], ["promote", "--apply"], ["maintain", "--apply"], ["checkin"]):
            assert known(cli.run(*command)).code == 0, command
        assert bytes_of(cli.store) == before
        assert cli.json("list") == []
        restart(cli)
    assert cli.json("list") == []
    # The user says it anew, in a message of its own.
    anew = add(cli, PORTO, "--tag", tag, "--source", "s-12/u1")
    assert anew != entry
    assert [row["id"] for row in cli.json("list")] == [anew]
    sound(cli)


def test_b57_a_retry_of_the_same_message_is_no_second_entry_and_no_reinforcement(cli: Cli) -> None:
    source, text, tag = job()
    entry = add(cli, PORTO, "--tag", tag, "--source", source)
    before = bytes_of(cli.store)
    for _ in range(2):
        assert add(cli, text, "--tag", tag, "--source", source) == entry
        restart(cli)
    assert bytes_of(cli.store) == before
    assert ids(cli) == [entry]


def test_b57_what_was_undone_may_come_again_only_anew(cli: Cli) -> None:
    """An undone capture leaves no line, so nothing in the notes fences a late job: `forget` will (tombstones)."""
    source, text, tag = job()
    add(cli, PORTO, "--tag", tag, "--source", source)
    cli.ok("undo")
    assert ids(cli) == []
    again = add(cli, text, "--tag", tag, "--source", source)
    assert ids(cli) == [again]
    sound(cli)


def test_b57_forgotten(cli: Cli) -> None:
    """No text in files, queues, cards and history; the job is refused, which is counted; the user may say it anew."""
    source, text, tag = job()
    entry = add(cli, PORTO, "--tag", tag, "--source", source)
    cli.ok("promote", entry)
    assert known(cli.run("forget", entry, "--yes")).code == 0
    assert cli.run("add", "--tag", tag, "--source", source, text).code == 4
    assert not [path for path, data in bytes_of(cli.store, but=()).items() if b"Porto" in data]
    assert cli.json("status")["refusals"] == {"forgotten": 1}
    assert add(cli, PORTO, "--anew", "--tag", tag, "--source", "s-12/u1") != entry
    assert [row["title"] for row in cli.json("list")] == [PORTO]


# B59: undo beside a hand edit

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-9"}


def written_by_an_agent(cli: Cli, text: str) -> tuple[str, str]:
    """(id, operation) of a capture of an agent that takes effect."""
    trust_agents(Path(cli.environment()["HOME"]))
    saved = cli.ok("--json", "add", "--tag", "FACT", "--evidence", text, text, env=AGENT).json()
    assert saved["actor"] == "agent:claude-code"
    return saved["id"], saved["operation"]


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("changes_line", [False, True])
def test_b59_undo_of_an_agents_write_beside_a_hand_edit(cli: Cli, committed: bool, changes_line: bool) -> None:
    entry, operation = written_by_an_agent(cli, "Uses tabs")
    note = cli.store / "memory" / f"{today(cli)}.md"
    text = note.read_text()
    by_hand = text.replace("Uses tabs", "Uses tabs, in Makefiles") if changes_line else text
    by_hand += "\nB, by hand.\n\n- FACT: B has a line of its own\n"
    note.write_text(by_hand)
    if committed:
        git(cli.store, "-c", "user.name=Neva", "-c", "user.email=n@example.invalid", "commit", "-qam", "my own")
    other = add(cli, "C, saved later", "--tag", "FACT")
    before, commits = note.read_text(), git(cli.store, "rev-list", "HEAD").split()
    undone = cli.run("undo", operation)
    if changes_line:
        assert undone.code == 7
        assert "Uses tabs, in Makefiles" in undone.err
        assert note.read_text() == before
    else:
        assert undone.code == 0
        assert entry not in ids(cli)
    now = note.read_text()
    for line in ("B, by hand.\n", "- FACT: B has a line of its own\n", "C, saved later"):
        assert line in now
    # Again, and back: history only grows, and an undo of the undo restores.
    if not changes_line:
        newest = cli.json("log")[0]["operation"]
        cli.ok("undo", newest)
        assert note.read_text() == before
        cli.ok("undo", operation)
        assert note.read_text() == now
        cli.ok("redo")
        assert note.read_text() == before
    cli.ok("undo")
    assert other not in ids(cli)
    cli.ok("redo")
    assert note.read_text() == before
    assert git(cli.store, "rev-list", "HEAD").split()[-len(commits) :] == commits
    assert not [path for path, data in bytes_of(cli.store).items() if b"<<<<<<<" in data or b">>>>>>>" in data]
    sound(cli)


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("promote", []),
        ("contradict", ["Moved to Lisbon"]),
        ("reinforce", ["--session", "s-2"]),
        ("confirm", ["--as", "FACT"]),
        ("maintain", []),
    ],
)
def test_b59_undo_of_a_step_of_life_beside_a_hand_edit(cli: Cli, verb: str, arguments: list[str]) -> None:
    """Each changes lines of an entry, some in two notes; a hand adds prose above and below before the undo."""
    tag = "HYPOTHESIS" if verb == "confirm" else "PREFERENCE"
    entry = add(cli, "Likes short answers", "--tag", tag)
    if verb == "maintain":
        operation = cli.json("maintain", "--apply")["operation"]
    else:
        operation = cli.json(verb, entry, *arguments)["operation"]
    assert operation is not None
    for note in [*(cli.store / "memory").glob("*.md"), cli.store / "MEMORY.md"]:
        if note.exists():
            head, entries = note.read_text().split("\n\n", 1)
            note.write_text(f"{head}\n\nAbove, by hand.\n\n{entries}\nBelow, by hand.\n")
    cli.ok("undo", operation)
    standing = cli.json("get", entry)
    assert (standing["tag"], standing["status"], standing["tier"]) == (tag, "active", "daily")
    assert standing["reinforced_on"] is None
    assert ids(cli) == [entry]
    for note in [*(cli.store / "memory").glob("*.md"), cli.store / "MEMORY.md"]:
        if note.exists():
            assert note.read_text().count("Above, by hand.") == note.read_text().count("Below, by hand.") == 1
    cli.ok("redo")
    cli.ok("undo")
    assert cli.json("get", entry)["status"] == "active"
    sound(cli)
