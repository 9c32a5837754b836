"""What `get`, `list` and `add` do once their words are parsed. Does without Typer: see direct.py."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from remember_me.cli.options import Globals
from remember_me.cli.output import (
    answer,
    answer_json,
    answer_line,
    command,
    confirmed,
    entry_text,
    list_lines,
    on_terminal,
    remark,
    report_write,
    surroundings,
    view_of,
    writer_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from remember_me.app.draft import Draft
    from remember_me.app.read import Filter
    from remember_me.app.wiring import Session
    from remember_me.model.entry import Entry
    from remember_me.store.reader import Reader
    from remember_me.store.store import Applied


def show(given: Globals, wanted: str, *, text_alone: bool = False) -> None:
    """Show one entry: as JSON, its words alone, or everything that is known of it."""
    view = view_of(given)
    reader = view.reader
    entry = reader.find(wanted).entry
    if given.json:
        from remember_me.app import shapes

        answer_json(shapes.entry_document(entry, reader.actor_of(entry.id), view))
    elif text_alone:
        from remember_me.model.text import join_title

        words = join_title(entry.title, entry.body)
        answer(words) if on_terminal() else print(words)
    elif on_terminal():
        from remember_me.cli.render import wrapped

        wrapped(entry_text(entry, reader.actor_of(entry.id), view))
    else:
        answer(entry_text(entry, reader.actor_of(entry.id), view))


def show_list(given: Globals, wanted: Filter | None = None, limit: int | None = None) -> None:
    """Show the entries that fit, one line each."""
    from remember_me.app import read

    view = view_of(given)
    reader = view.reader
    entries = read.list_entries(reader, wanted or read.Filter())
    shown = entries[:limit]
    if given.json:
        from remember_me.app import shapes

        answer_json([shapes.entry_document(entry, reader.actor_of(entry.id), view) for entry in shown])
        return
    if shown and on_terminal():
        from remember_me.cli.render import list_table

        list_table(shown, view)
    else:
        for line in list_lines(shown, view):
            answer_line(line)
    if not entries:
        remark(given, _why_none(given, reader, wanted))
    elif len(shown) < len(entries):
        remark(given, f"{len(entries) - len(shown)} more are not shown.")


def _why_none(given: Globals, reader: Reader, wanted: Filter | None) -> str:
    from remember_me.app import read

    if wanted is not None and wanted != read.Filter():
        return "No entry fits."
    others = len(read.list_entries(reader, read.Filter(all_states=True)))
    if others:
        return (
            f"No entry is live, {others} {'is' if others == 1 else 'are'} not. See all: {command(given, 'list --all')}"
        )
    return f"No entry yet. Save one: {command(given, 'add TEXT')}"


def save(given: Globals, draft: Draft, file: Path | None = None) -> None:
    """Save a text, or take a file in, as an entry; the store is made on first use."""
    from remember_me.app import capture
    from remember_me.app.draft import check_draft, check_rules
    from remember_me.app.wiring import is_store, store_path

    if file is None:
        check_draft(draft)
        if not is_store(store_path(surroundings(given))):
            check_rules(draft)
    session = writer_of(given, create=True)

    def write(anyway: bool, anew: bool) -> Applied:
        wanted = draft._replace(anyway=anyway, anew=anew)
        return capture.add(session, wanted) if file is None else capture.add_file(session, file, wanted)

    applied = insisting(given, session, write, anyway=draft.anyway, anew=draft.anew)
    report_write(given, session, applied, "Saved", "is there already")
    guessed = draft.tag is None and file is None and applied.operation.verb == "add" and applied.changed
    if guessed and not given.json and not given.quiet:
        for entry in applied.entries:
            answer_line(f"  {_guess(entry, draft)} · change it: {command(given, f'edit {entry.id}')}")


def insisting(
    given: Globals,
    session: Session,
    write: Callable[[bool, bool], Applied],
    *,
    anyway: bool = False,
    anew: bool = False,
) -> Applied:
    """Do what `write` does; where an exclusion refuses it, or it was forgotten before, a person on a terminal is asked
    and may insist. `write` takes both answers."""
    from remember_me.model.revision import PERSON
    from remember_me.store.gate import Excluded
    from remember_me.store.review import Fenced

    while True:
        try:
            return write(anyway, anew)
        except (Excluded, Fenced) as refusal:
            asked = session.actor == PERSON and sys.stdin is not None and sys.stdin.isatty() and not given.yes
            if not (asked and confirmed(given, f"{refusal} Keep it all the same?")):
                raise
            anyway, anew = anyway or isinstance(refusal, Excluded), anew or isinstance(refusal, Fenced)


def _guess(entry: Entry, draft: Draft) -> str:
    said = any(key == "signal" for key, _ in draft.fields)
    signal = f", signal {entry.signal}" if entry.signal and not said else ""
    return f"guessed from the words: {entry.tag}{signal}"
