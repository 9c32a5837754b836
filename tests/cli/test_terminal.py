"""What a person sees on a terminal: no line wider than it, no id cut, stored text as typed. Else plain lines."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios
import unicodedata
from pathlib import Path

import pytest

from tests.cli_runner import Cli, start_words, trust_scripts

LONG_ID = "abcdefghjkmnpqrstvwxyz0123456789"
TITLES = {
    "aaaa11": "日本語のとても長い題名がここにあります。折り返しが必要なほど長いので、端末の幅を超えるはずです。",
    "aaaa22": "Emoji 🎉🎉🎉 and a very long title that goes on and on past the width of a narrow terminal window",
    "aaaa33": "Averyveryverylongwordwithoutanyspaces_abcdefghijklmnopqrstuvwxyz0123456789_abcdefghijklmnop",
    "aaaa44": "[bold red]no markup[/] :smile: and [link=x]y[/link]",
    "aaaa55": "Short",
}
BODY = "First line\n\n    code  that  is  indented and longer than forty columns are\n\tand a tab"


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    trust_scripts(home)
    note = tmp_path / "store" / "memory" / "2026-01-14.md"
    note.parent.mkdir(parents=True)
    lines = [f"- HYPOTHESIS: {title} ^{entry}" for entry, title in TITLES.items()]
    note.write_text("\n".join(["---", "date: 2026-01-14", "---", "", *lines, ""]), encoding="utf-8")
    cli = Cli(tmp_path / "store")
    cli.run("init")
    return cli


def on_terminal(cli: Cli, width: int, *words: str, typed: str = "", exit_code: int = 0, **variables: str) -> list[str]:
    """The lines that a command prints on a terminal of that width, colours taken out."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    environment = cli.environment(TERM="xterm-256color", **variables)
    environment.pop("COLUMNS", None)
    with start_words(("--store", str(cli.store), *words), streams=theirs, env=environment) as child:
        os.close(theirs)
        if typed:
            os.write(ours, typed.encode())
        data = b""
        while piece := _read(ours):
            data += piece
        os.close(ours)
        assert child.wait(60) == exit_code, data
    return re.sub(r"\x1b\[[0-9;]*m", "", data.decode()).replace("\r\n", "\n").removesuffix("\n").split("\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux says EIO when the last writer has gone
        return b""


def cells(text: str) -> int:
    """How wide a terminal shows `text`; joined emoji are not used here, terminals differ about them."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


@pytest.mark.parametrize("width", [10, 26, 40, 80, 200])
def test_list_fits_and_cuts_no_id(cli: Cli, width: int) -> None:
    lines = on_terminal(cli, width, "list")
    assert max(map(cells, lines)) <= width
    assert [line[:6] for line in lines if line.startswith("aaaa")] == list(reversed(TITLES))


@pytest.mark.parametrize("width", [26, 40, 200])
def test_list_wraps_titles_and_cuts_none(cli: Cli, width: int) -> None:
    column = 20 if width == 200 else 14
    shown = "".join(line[column:].replace("memory/", " ") for line in on_terminal(cli, width, "list"))
    assert not [title for title in TITLES.values() if "".join(title.split()) not in "".join(shown.split())]


def test_a_narrow_list_has_short_tags_and_no_place(cli: Cli) -> None:
    lines = on_terminal(cli, 40, "list")
    assert lines[0].split() == ["id", "tag", "title"]
    assert lines[1] == "─" * 40
    assert [line.split()[:2] for line in lines if line.startswith("aaaa")] == [
        [entry, "HYPO"] for entry in reversed(TITLES)
    ]
    assert "2026-01-14" not in "".join(lines)


def test_a_wide_list_says_where(cli: Cli) -> None:
    lines = on_terminal(cli, 200, "list")
    assert lines[0].split() == ["id", "tag", "title", "where"]
    assert lines[2].split() == ["aaaa55", "HYPOTHESIS", "Short", "(low)", "memory/2026-01-14.md:9"]


def test_a_long_id_is_not_cut_either(cli: Cli) -> None:
    note = cli.store / "memory" / "2026-01-14.md"
    note.write_text(note.read_text() + f"- FACT: One with a long name ^{LONG_ID}\n")
    for width in (40, 80, 200):
        lines = on_terminal(cli, width, "list")
        assert max(map(cells, lines)) <= width
        assert any(line.split(" ")[0] == LONG_ID for line in lines)


@pytest.mark.parametrize("width", [10, 40, 200])
def test_get_fits_and_keeps_the_indent(cli: Cli, width: int) -> None:
    entry = cli.run("--quiet", "add", "--tag", "FACT", "--description", TITLES["aaaa22"], "-", stdin=BODY).out.strip()
    lines = on_terminal(cli, width, "get", entry)
    assert max(map(cells, lines)) <= width
    assert f"^{entry} FACT: First line".startswith(lines[0])
    assert "".join(TITLES["aaaa22"].split()) in "".join("".join(lines).split())
    if width == 40:
        assert lines[:2] == [f"^{entry} FACT: First line", "  active · stated · impact 1"]
        assert "    code  that  is  indented and longer" in lines
        assert "    than forty columns are" in lines


def test_get_elsewhere_is_not_wrapped(cli: Cli) -> None:
    assert cli.ok("get", "aaaa33").out.split("\n")[0] == f"^aaaa33 HYPOTHESIS: {TITLES['aaaa33']}"
    assert cli.ok("list", env={"COLUMNS": "20"}).out.split("\n")[0] == (
        "aaaa55 HYPOTHESIS Short (low) — memory/2026-01-14.md:9"
    )


def test_text_alone_is_escaped_on_a_terminal_only(cli: Cli) -> None:
    given = "hidden \u202e and \x1b[31mred"
    entry = cli.run("--quiet", "add", "--tag", "FACT", "-", stdin=given).out.strip()
    assert cli.ok("get", entry, "--text").out == f"{given}\n"
    assert on_terminal(cli, 80, "get", entry, "--text") == ["hidden \\u202e and \\x1b[31mred"]


def test_colours_follow_the_person(cli: Cli) -> None:
    assert "\x1b" not in "".join(on_terminal(cli, 80, "list", NO_COLOR="1"))


@pytest.mark.parametrize(("typed", "exit_code"), [("y\n", 0), ("yes\n", 0), ("n\n", 7), ("\n", 7)])
def test_a_person_is_asked_before_a_hand_edit_is_overwritten(cli: Cli, typed: str, exit_code: int) -> None:
    cli.ok("correct", "aaaa55", "Shorter")
    note = cli.store / "memory" / "2026-01-14.md"
    note.write_text(note.read_text().replace("Shorter", "Shortest"))
    echo, *lines = on_terminal(cli, 80, "undo", typed=typed, exit_code=exit_code)
    assert echo == typed.strip()
    assert lines[:4] == [
        "^aaaa55 in memory/2026-01-14.md, as it stands:",
        "  - HYPOTHESIS: Shortest ^aaaa55",
        "^aaaa55 in memory/2026-01-14.md, as it would become:",
        "  - HYPOTHESIS: Short ^aaaa55",
    ]
    assert lines[4].startswith("Overwrite what stands there now? [y/N] " + ("Error: " if exit_code else "Undone: "))
    assert ("HYPOTHESIS: Short ^aaaa55" in note.read_text()) == (exit_code == 0)


def test_yes_answers_elsewhere_too(cli: Cli) -> None:
    cli.ok("correct", "aaaa55", "Shorter")
    note = cli.store / "memory" / "2026-01-14.md"
    note.write_text(note.read_text().replace("Shorter", "Shortest"))
    assert cli.run("undo").code == 7
    assert cli.run("undo", "--yes").code == 0
    assert "HYPOTHESIS: Short ^aaaa55" in note.read_text()
