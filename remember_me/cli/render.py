"""Tables for a terminal. The only module that imports rich; markup is off, so stored text shows as typed."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from remember_me.cli.output import place
from remember_me.model.entry import Entry, Tag
from remember_me.model.text import visible_line

_TAG_STYLES = {Tag.FACT: "cyan", Tag.PREFERENCE: "green", Tag.GOAL: "yellow", Tag.HYPOTHESIS: "magenta"}
_NARROW_COLUMNS = 60


def list_table(entries: Iterable[Entry]) -> None:
    """Print entries as a table that fits the terminal; on a narrow one the place is left out."""
    console = Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
    narrow = console.width < _NARROW_COLUMNS
    table = Table(box=SIMPLE_HEAD, pad_edge=False, expand=False)
    table.add_column("id", no_wrap=True)
    table.add_column("tag", no_wrap=True)
    table.add_column("title", overflow="fold", ratio=1)
    if not narrow:
        table.add_column("where", overflow="fold", style="dim", max_width=32)
    for entry in entries:
        title = Text(visible_line(entry.title))
        marks = [mark for mark in (entry.confidence, "pinned" if entry.pinned else None) if mark]
        marks += [] if entry.live else [entry.status.value]
        if marks:
            title.append(f" ({', '.join(marks)})", style="dim")
        tag = entry.tag.value[:4] if narrow else entry.tag.value
        row = [Text(entry.id), Text(tag, style=_TAG_STYLES[entry.tag]), title]
        table.add_row(*row, *([] if narrow else [Text(visible_line(place(entry)))]))
    console.print(table)
