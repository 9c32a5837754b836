"""B45: stored text is never markup: it shows as typed in tables, in full, in errors, at prompts."""

from __future__ import annotations

import re
import unicodedata

import pytest

from tests.cases.support import MARKUP_LINES, add, failed, like, put, topic
from tests.cases.terminal import on_terminal, width
from tests.cli_runner import Cli
from tests.shared import shared_path

HIDDEN = "red\x1b[31m bell\x07 c1\x9b31m bidi\u202eevil zero\u200bwidth tag\U000e0041 tab\there"
HIDDEN_SHOWN = "red\\x1b[31m bell\\x07 c1\\x9b31m bidi\\u202eevil zero\\u200bwidth tag\\U000e0041"


def squeezed(text: str) -> str:
    """The text without white space: a table folds lines."""
    return re.sub(r"\s", "", text)


@pytest.fixture(scope="module")
def prepared(preparing: Cli) -> dict[str, str]:
    return {add(preparing, line, "--tag", "FACT"): line for line in MARKUP_LINES}


@pytest.fixture
def entries(cli: Cli, preparing: Cli, prepared: dict[str, str]) -> dict[str, str]:
    """The id of each line, in a copy of the store with all of them."""
    like(preparing, cli)
    return prepared


def test_b45_every_line_shows_as_typed_in_pipes(cli: Cli, entries: dict[str, str]) -> None:
    shown = cli.ok("list").out
    for entry, line in entries.items():
        assert f"{entry} FACT {line}" in shown
    for entry in list(entries)[1:6:2]:
        assert cli.ok("get", entry).out.startswith(f"^{entry} FACT: {entries[entry]}\n")
        assert cli.ok("get", entry, "--text").out == f"{entries[entry]}\n"


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_b45_the_table_fits_the_terminal_and_cuts_nothing(cli: Cli, entries: dict[str, str], columns: int) -> None:
    shown = on_terminal(cli, "list", columns=columns)
    assert shown.code == 0
    assert max(width(line) for line in shown.lines) <= columns
    rows = {line.split()[0]: number for number, line in enumerate(shown.lines) if line.split()}
    for entry, line in entries.items():
        assert entry in rows, shown.text
        if columns == 200:
            assert line in shown.lines[rows[entry]]
    titles = squeezed("".join(shown.lines))
    if columns == 40:
        for line in entries.values():
            assert squeezed(line) in titles, line


@pytest.mark.parametrize("columns", [40, 200])
def test_b45_one_entry_in_full_on_a_terminal(cli: Cli, columns: int) -> None:
    body = "\n\n".join([*MARKUP_LINES, "- a list\n  - [ ] nested", "```\n[code]   spaced\n```"])
    entry = add(cli, body, "--tag", "FACT", "--title", MARKUP_LINES[0], "--description", MARKUP_LINES[1])
    shown = on_terminal(cli, "get", entry, columns=columns)
    assert shown.code == 0
    assert max(width(line) for line in shown.lines) <= columns
    assert squeezed(body) in squeezed(shown.text)
    assert squeezed(MARKUP_LINES[1]) in squeezed(shown.text)
    assert f"^{entry}" in shown.text
    alone = on_terminal(cli, "get", entry, "--text", columns=columns)
    assert squeezed(alone.text) == squeezed(body)


@pytest.mark.parametrize("given", ["[/nope]", "[red]x[/red]", ":rocket:", "[/INST] [link=http://x.invalid]y[/link]"])
def test_b45_what_was_typed_shows_in_the_error(cli: Cli, given: str) -> None:
    failed(cli.run("get", given), 3, f"There is no entry {given}.")
    shown = on_terminal(cli, "get", given)
    assert (shown.code, shown.lines[0]) == (3, f"Error: There is no entry {given}.")


def test_b45_a_usage_error_shows_as_typed(cli: Cli) -> None:
    for words in (("list", "--[red]x[/red]"), ("[/INST]",), ("list", "--tag", "[bold]")):
        done = cli.run(*words)
        assert done.code == 2
        assert (words[-1] if words[-1] != "[bold]" else "[BOLD]") in done.err
        assert on_terminal(cli, *words).text == done.err


@pytest.mark.parametrize("answer", [b"n\n", b"y\n", b"\n", b"\x04"])
def test_b45_both_versions_of_a_conflict_and_the_question(cli: Cli, answer: bytes) -> None:
    """The person has edited the entry since: undo shows both versions as they stand, and asks."""
    put(cli, "memory/topic.md", topic("mct001", "untouched"))
    operation = cli.json("add", "--tag", "FACT", MARKUP_LINES[1])
    note = cli.store / operation["note"]
    note.write_text(note.read_text().replace(MARKUP_LINES[1], f"{MARKUP_LINES[4]} [/red] :x:"))
    shown = on_terminal(cli, "undo", operation["operation"], keys=answer, columns=40)
    assert squeezed(f"{MARKUP_LINES[4]} [/red] :x:") in squeezed(shown.text)
    assert "[y/N]" in shown.text
    standing = f"{MARKUP_LINES[4]} [/red] :x:" in note.read_text() if note.exists() else False
    if answer == b"y\n":
        assert (shown.code, standing) == (0, False)
    else:
        assert (shown.code, standing) == (7, True)
        assert "Hint: " in shown.text


def test_b45_hidden_characters_show_as_escapes(cli: Cli) -> None:
    """They stay in the note as typed; no terminal ever gets them."""
    entry = add(cli, HIDDEN, "--tag", "FACT", "--description", HIDDEN)
    note = (cli.store / cli.json("get", entry)["note"]).read_text(encoding="utf-8")
    assert HIDDEN in note
    for words in (("list",), ("get", entry), ("log",), ("diff",), ("status",)):
        for raw in (
            cli.ok("--quiet", *words).out,
            on_terminal(cli, *words, columns=200, environ={"NO_COLOR": "1", "TERM": "dumb"}).raw,
        ):
            bad = [c for c in raw if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\r\t\u200c\u200d"]
            assert bad == [], (words, bad)
    assert HIDDEN_SHOWN in cli.ok("get", entry).out
    assert cli.json("get", entry)["title"] == HIDDEN
    assert "\x1b" not in cli.ok("get", entry, "--json").out


def test_the_lines_of_the_case(cli: Cli) -> None:
    lines = shared_path("cases", "inputs", "B45", "lines.txt").read_text(encoding="utf-8").splitlines()
    found = {add(cli, line, "--tag", "FACT"): line for line in lines}
    shown = cli.ok("list").out
    table = on_terminal(cli, "list", columns=200).text
    narrow = squeezed(on_terminal(cli, "list", columns=40).text)
    for entry, line in found.items():
        assert f"{entry} FACT {line}" in shown
        assert line in table
        assert squeezed(line) in narrow
