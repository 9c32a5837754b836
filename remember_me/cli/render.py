"""Text for a terminal. The only module that imports rich; markup is off, so stored text shows as typed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from remember_me.app.wiring import View
from remember_me.cli.output import list_lines, marks, place
from remember_me.model.entry import Entry, Tag
from remember_me.model.text import visible, visible_line
from remember_me.recall.search import Hit

_TAG_STYLES = {Tag.FACT: "cyan", Tag.PREFERENCE: "green", Tag.GOAL: "yellow", Tag.HYPOTHESIS: "magenta"}
_NARROW_COLUMNS = 60
_LEAST_FOR_TITLE = 12


def list_table(entries: Sequence[Entry], view: View) -> None:
    """Print entries as a table that fits the terminal; on a narrow one the place is left out.

    No id is ever cut: where one leaves no room for the title, the entries are printed as lines.
    """
    console = _console()
    narrow = console.width < _NARROW_COLUMNS
    longest = max(len(entry.id) for entry in entries)
    if console.width < longest + len(f"  {Tag.FACT}  ") + _LEAST_FOR_TITLE:
        wrapped("\n".join(visible_line(line) for line in list_lines(entries, view)))
        return
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("id", no_wrap=True)
    table.add_column("tag", no_wrap=True)
    table.add_column("title", overflow="fold", ratio=1)
    if not narrow:
        table.add_column("where", overflow="fold", style="dim", max_width=32)
    for entry in entries:
        title = Text(visible_line(entry.title))
        title.append(marks(entry, view), style="dim")
        tag = entry.tag.value[:4] if narrow else entry.tag.value
        row = [Text(entry.id), Text(tag, style=_TAG_STYLES[entry.tag]), title]
        table.add_row(*row, *([] if narrow else [Text(visible_line(place(entry)))]))
    console.print(table)


def rows_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their headers; the first column is an id, the last one takes what room is left.

    On a narrow terminal each row is printed as one line of words that wraps.
    """
    console = _console()
    if console.width < _NARROW_COLUMNS + 10 * (len(headers) - 3):
        wrapped("\n".join(" · ".join(filter(None, map(visible_line, row))) for row in rows))
        return
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for number, header in enumerate(headers):
        last = number == len(headers) - 1
        table.add_column(header, no_wrap=number == 0, overflow="fold", ratio=1 if last or header == "title" else None)
    for row in rows:
        table.add_row(*(Text(visible_line(cell)) for cell in row))
    console.print(table)


def hits_list(hits: Sequence[Hit]) -> None:
    """Print what a search found: id, tag and title, and below it the place and the snippet with its words marked."""
    console = _console()
    for hit in hits:
        head = Text(hit.id or "-", style="bold")
        head.append(f" {hit.tag or 'PROSE'} ", style=_TAG_STYLES[Tag(hit.tag)] if hit.tag else "dim")
        head.append(visible_line(hit.title))
        console.print(head)
        text = Text("  ", style="dim")
        at = 0
        for start, end in hit.marks:
            text.append(visible_line(hit.snippet[at:start]))
            text.append(visible_line(hit.snippet[start:end]), style="bold not dim")
            at = end
        text.append(visible_line(hit.snippet[at:]))
        text.append(f"  {hit.note}:{hit.line}")
        console.print(text)


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
