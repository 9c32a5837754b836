"""The text of `remember-me --help`, from the table alone: neither Typer nor any command is imported."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable

from remember_me.cli.commands import PANELS, PROGRAM, Command

OPTIONS = (
    ("--store DIR", "Use this store. Else REMEMBER_ME_HOME counts, else ~/remember-me."),
    ("--json", "Answer in JSON."),
    ("-q, --quiet", "Print no remarks, only the answer."),
    ("-y, --yes", "Answer every question with yes."),
    ("--version", "Show the version."),
    ("-h, --help", "Show this help, or that of a command."),
)


def columns() -> int:
    """The width to wrap at: COLUMNS, else the terminal's, else 80."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


def overview(commands: Iterable[Command], width: int) -> str:
    """The whole help text, without a final line end; no line is longer than `width` where words allow it."""
    shown = [command for command in commands if not command.hidden]
    rows_of = {
        panel: [(command.name, command.summary) for command in shown if command.panel == panel] for panel in PANELS
    }
    left = max(len(label) for label, _ in (*OPTIONS, *(row for rows in rows_of.values() for row in rows)))
    lines = wrap(f"Usage: {PROGRAM} [OPTIONS] COMMAND [ARGS]...", width, indent=2)
    lines += ["", *wrap("Keep what an AI agent should know about you, as plain markdown in git.", width)]
    for panel, rows in rows_of.items():
        if rows:
            lines += ["", f"{panel.capitalize()}:", *_table(rows, left, width)]
    lines += ["", *wrap("Options, before or after the command:", width), *_table(OPTIONS, left, width)]
    lines += ["", *wrap(f"More about one command: {PROGRAM} COMMAND --help", width, indent=2)]
    return "\n".join(lines)


def _table(rows: Iterable[tuple[str, str]], left: int, width: int) -> list[str]:
    """Two columns; the right one wraps under itself."""
    margin = left + 4
    lines = []
    for label, text in rows:
        first, *more = wrap(text, max(width - margin, 16))
        lines.append(f"  {label:<{left}}  {first}")
        lines += [" " * margin + line for line in more]
    return lines


def wrap(text: str, width: int, *, indent: int = 0) -> list[str]:
    """The lines of `text`, all but the first one indented; a word longer than `width` is kept whole."""
    return textwrap.wrap(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
