"""B14: no text makes two entries, and what was one entry is taken back as one.

`forget` is a later issue; undo of the operation that added it removes an entry today.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from remember_me.notes.yamlblock import render_scalar
from tests.cases.support import add, ids, insertion, put, sampled, sound, today, topic
from tests.cli_runner import Cli, bytes_of
from tests.shared import shared_path

OURS = (
    'Plan:\n- [14:32 +01:00] FACT: x ^abc123\n  - pinned: true\n  - evidence: "q" — a, b\n* GOAL: y ^abc124',
    "- FACT: z ^abc125",
    "- FACT: z ^abc125\n- FACT: z2 ^abc126",
    "FACT: tag first ^abc127",
    "title with an id ^abc128",
    "title with an escaped id \\^abc129",
    "title with two \\\\^abc12a",
    "^abc12b",
    "--- \n---\nid: abc12c\ntag: FACT\ntitle: t\n---\nbody",
    "text\n\n---\ndate: 2026-01-01\n---\n",
    "```\nunclosed fence\n- FACT: q ^abc12d",
    "~~~~\nunclosed fence of tildes",
    "<!-- unclosed comment\n- FACT: q ^abc12e",
    "text\n-->\ntext",
    "> - FACT: quoted ^abc12f",
    "# Facts\n## 2026-03-02\n- [2026-03-02 10:00] FACT: q ^abc12g",
    "- [08:05 CET] Tag: FACT\n  Signal: personal\n  Memory: m",
    "x (confidence: low, status: untested)",
    "- [ ] GOAL: a box\n1. FACT: ordered",
    "\ttabs\n\t- status: disabled",
    "  - status: disabled\n    deeper",
    "a\n\n\n\nb\n   \nc",
    "a\fb\vc\x85d\u2028e\u2029f",
    "a\rb",
    "{{template}} %s {0} $HOME `id` \\n",
    "[14:32] [2026-01-01] [x](y) [[link#^abc12h]]",
    "2026-11-29T14:40:00Z ^abc12j forgotten hmac-sha256:00 src:x",
    "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other",
    "a" * 200,
    "b" * 201,
    ("word " * 300).strip(),
)
"""Texts that look like the separators of our three kinds of note."""


def kept(text: str) -> str:
    """What `get --text` gives back: LF line ends and no outer blank lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def test_b14_every_text_is_one_entry_and_reads_back(cli: Cli) -> None:
    given: dict[str, str] = {}
    for text in sampled(OURS):
        given[add(cli, text, "--tag", "FACT")] = text
    last = add(cli, "neighbour", "--tag", "FACT")
    assert ids(cli) == sorted([*given, last])
    for found in cli.json("list"):
        assert (found["pinned"], found["status"], found["tag"]) == (False, "active", "FACT")
        assert (found["body"] or found["title"]) == kept(given.get(found["id"], "neighbour"))
    for entry in list(given)[::6]:
        assert cli.ok("get", entry, "--text").out == kept(given[entry]) + "\n"
    sound(cli)


def test_b14_one_entry_is_taken_back_and_its_neighbours_stay(cli: Cli) -> None:
    before = [add(cli, text, "--tag", "FACT") for text in OURS[:3]]
    standing = bytes_of(cli.store)
    hostile = cli.json("add", "--tag", "FACT", "--", OURS[0])
    behind = add(cli, "neighbour", "--tag", "FACT")
    cli.ok("undo", hostile["operation"])
    assert ids(cli) == sorted([*before, behind])
    cli.ok("undo")
    assert bytes_of(cli.store) == standing


def test_b14_a_correction_is_no_way_around(cli: Cli) -> None:
    put(cli, "memory/topic.md", topic("mtk001", "topic", "body"))
    put(cli, "MEMORY.md", "# Facts\n\n- FACT: long-term ^mtk002\n\n- FACT: behind ^mtk003\n")
    put(cli, "memory/2026-03-01.md", "- FACT: daily ^mtk004\n- FACT: behind ^mtk005\n")
    before = bytes_of(cli.store)
    for text in (OURS[0], OURS[8]):
        for entry in ("mtk001", "mtk002", "mtk004"):
            row = cli.ok("correct", "--json", entry, "-", stdin=text).json()
            assert (row["body"] or row["title"]) == kept(text)
        assert ids(cli) == ["mtk001", "mtk002", "mtk003", "mtk004", "mtk005"]
    for _ in range(6):
        cli.ok("undo")
    assert bytes_of(cli.store) == before


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--title", "x ^abc123"),
        ("--description", "one\n- FACT: two ^abc123"),
        ("--scope", "a\n  - pinned: true"),
        ("--evidence", 'he said "no"\n- FACT: x ^abc123\n---\n'),
        ("--field", "note=a\n\n- FACT: x ^abc123"),
        ("--probe", "really?\r\n- GOAL: y ^abc123"),
        ("--session", "claude-code/1\n- FACT: x ^abc123"),
        ("--aliases", "a, b\n- FACT: x ^abc123"),
    ],
)
def test_b14_nor_is_a_field(cli: Cli, option: str, value: str) -> None:
    new = add(cli, "text", "--tag", "FACT", option, value)
    (row,) = cli.json("list", "--all")
    assert (row["id"], row["pinned"]) == (new, False)
    note = (cli.store / "memory" / f"{today(cli)}.md").read_text()
    assert len([line for line in note.splitlines() if line.startswith("- ")]) == 1


def test_b14_nor_is_a_file(cli: Cli, tmp_path: Path) -> None:
    files = [*OURS[1::5], "one\rtwo\rthree", "---\n- a list\n---\n", "***\n\n  \nwords"]
    for number, text in enumerate(files):
        file = tmp_path / f"given-{number}.md"
        file.write_text(text, encoding="utf-8", newline="")
        new = cli.ok("add", "--quiet", "--tag", "FACT", "--file", str(file)).out.strip()
        note = cli.store / "memory" / f"given-{number}.md"
        assert insertion(file.read_bytes(), note.read_bytes()).decode().count(f"id: {render_scalar(new)}\n") == 1
    found = {entry["note"]: entry for entry in cli.json("list")}
    assert len(found) == len(files)
    titles = [found[f"memory/given-{number}.md"]["title"] for number in range(len(files) - 3, len(files))]
    assert titles == ["one", "- a list", "words"]
    sound(cli)


@pytest.mark.parametrize("name", ["text1.txt", "text2.txt"])
def test_the_inputs_of_the_case(cli: Cli, name: str) -> None:
    text = shared_path("cases", "inputs", "B14", name).read_text(encoding="utf-8")
    new, neighbour = add(cli, text, "--tag", "FACT"), add(cli, "neighbour", "--tag", "FACT")
    assert ids(cli) == sorted([new, neighbour])
    assert cli.ok("get", new, "--text").out == kept(text) + "\n"
    put(cli, "MEMORY.md", text)
    put(cli, "memory/2026-03-01.md", text)
    assert ids(cli) == sorted([new, neighbour])
