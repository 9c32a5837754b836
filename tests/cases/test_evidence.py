"""B57, B59, B63 as far as they are about trust: honest quotes, and what an agent wrote, taken back or forgotten."""

from __future__ import annotations

import re

import pytest

from tests.cases.support import add, ids, known, sound, today
from tests.cli_runner import Cli, bytes_of
from tests.shared import shared_path

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}


def types(cli: Cli, prompt: str, message: str = "m1") -> None:
    cli.ok("hook", "prompt", "--session", "claude-code/s1", "--message", message, stdin=prompt)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_b63_quotes_are_found_in_normalised_space(cli: Cli, number: int) -> None:
    """Curly quotes, no-break spaces and CRLF in the source: what is stored is its slice, with offsets in characters."""
    folder = shared_path("cases", "inputs", "B63")
    source = (folder / "source.txt").read_bytes().decode()
    quote = (folder / "quotes.txt").read_text().splitlines()[number]
    types(cli, source)
    done = cli.run("--json", "add", "--tag", "PREFERENCE", "--quote", quote, quote, env=AGENT)
    assert known(done).code == 0, done.err
    answer = done.json()
    if answer.get("state") == "pending":
        assert "quote is in none" not in answer["because"], "it was found; what holds it back is what it says"
        assert "pasted" not in answer["because"]
        return
    (evidence,) = answer["evidence"]
    found = re.search(r"characters (\d+)-(\d+)$", evidence["source"])
    assert found
    start, end = map(int, found.groups())
    assert source[start:end].split() == evidence["quote"].split()


def test_b59_restore_of_an_agents_write_beside_a_hand_edit(cli: Cli) -> None:
    """Restored on its card: the hand's lines, written below and above, keep their bytes, and history only grows."""
    types(cli, "I use tabs.")
    entry = cli.ok("add", "--quiet", "--tag", "FACT", "--quote", "I use tabs", "I use tabs", env=AGENT).out.strip()
    assert ids(cli) == [entry]
    note = cli.store / "memory" / f"{today(cli)}.md"
    note.write_text(note.read_text() + "\nB, by hand.\n\n- FACT: B has a line of its own\n")
    other = add(cli, "C, saved later", "--tag", "FACT")
    cli.ok("restore", entry)
    now = note.read_text()
    for line in ("B, by hand.\n", "- FACT: B has a line of its own\n", "C, saved later"):
        assert line in now
    assert "I use tabs" not in now
    assert "<<<<<<<" not in now
    assert other in ids(cli)
    sound(cli)
    cli.ok("undo")
    assert "I use tabs" in note.read_text(), "the person takes the restore back"
    cli.ok("redo")
    assert note.read_text() == now


@pytest.mark.parametrize("place", ["daily and long-term", "another day", "topic"])
def test_b57_every_copy_is_forgotten(cli: Cli, place: str) -> None:
    """A second copy in MEMORY.md, on another day or in a topic note goes with it; the neighbours keep their bytes."""
    entry = add(cli, "Lives in Porto", "--tag", "FACT")
    neighbour = add(cli, "Repairs clocks", "--tag", "FACT")
    copies = {
        "another day": ("memory/2026-01-02.md", "- FACT: Prose stays ^stays2\n- PREFERENCE: LIVES in Porto! ^secnd2\n"),
        "topic": ("memory/porto.md", "---\nid: topic2\ntag: FACT\ntitle: lives in porto\n---\n"),
    }
    if place in copies:
        path, text = copies[place]
        (cli.store / path).write_text(text)
    else:
        cli.ok("promote", entry)
    assert known(cli.run("forget", entry, "--yes")).code == 0
    assert not [path for path, data in bytes_of(cli.store, but=()).items() if b"porto" in data.lower()[:50_000]] or (
        place == "topic"
    )
    assert "orto" not in cli.ok("list", "--all").out
    assert neighbour in ids(cli)
    if place == "another day":
        assert (cli.store / "memory/2026-01-02.md").read_text() == "- FACT: Prose stays ^stays2\n"
