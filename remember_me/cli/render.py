"""Text for a terminal. The only module that imports rich; markup is off, so stored text shows as typed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from remember_me.cli.output import list_lines, marks, place
from remember_me.model.entry import Entry, Tag
from remember_me.model.text import visible, visible_line

_TAG_STYLES = {Tag.FACT: "cyan", Tag.PREFERENCE: "green", Tag.GOAL: "yellow", Tag.HYPOTHESIS: "magenta"}
_NARROW_COLUMNS = 60
_LEAST_FOR_TITLE = 12


def list_table(entries: Sequence[Entry]) -> None:
    """Print entries as a table that fits the terminal; on a narrow one the place is left out.

    No id is ever cut: where one leaves no room for the title, the entries are printed as lines.
    """
    console = _console()
    narrow = console.width < _NARROW_COLUMNS
    longest = max(len(entry.id) for entry in entries)
    if console.width < longest + len(f"  {Tag.FACT}  ") + _LEAST_FOR_TITLE:
        wrapped("\n".join(visible_line(line) for line in list_lines(entries)))
        return
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("id", no_wrap=True)
    table.add_column("tag", no_wrap=True)
    table.add_column("title", overflow="fold", ratio=1)
    if not narrow:
        table.add_column("where", overflow="fold", style="dim", max_width=32)
    for entry in entries:
        title = Text(visible_line(entry.title))
        title.append(marks(entry), style="dim")
        tag = entry.tag.value[:4] if narrow else entry.tag.value
        row = [Text(entry.id), Text(tag, style=_TAG_STYLES[entry.tag]), title]
        table.add_row(*row, *([] if narrow else [Text(visible_line(place(entry)))]))
    console.print(table)


def wrapped(text: str) -> None:
    """Print lines so that none is wider than the terminal; what is wrapped keeps its indent."""
    console = _console()
    for line in visible(text).split("\n"):
        words = line.lstrip(" ")
        indent = line[: min(len(line) - len(words), console.width // 2)]
        for piece in Text(words).wrap(console, console.width - len(indent), overflow="fold") or [Text()]:
            print(f"{indent}{piece.plain}".rstrip(" "))


def _console() -> Console:
    return Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
