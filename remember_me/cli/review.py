"""Commands that look back and take back: undo, redo, log, diff."""

from __future__ import annotations

from typing import Annotated

import typer

from remember_me.app import review, shapes
from remember_me.app.wiring import Session
from remember_me.cli.options import Globals
from remember_me.cli.output import (
    answer_json,
    answer_line,
    command,
    confirmed,
    headline,
    marks,
    moment,
    operation_line,
    remark,
    say,
    session_of,
    tell_uncommitted,
    writer_of,
)
from remember_me.cli.words import Limit, OperationName, globals_of
from remember_me.errors import shorten
from remember_me.store.plan import UndoConflict

_Overwrite = Annotated[bool, typer.Option("--overwrite", help="Overwrite what was edited since.")]


def undo(
    ctx: typer.Context,
    operation: OperationName = None,
    entry: Annotated[
        str | None,
        typer.Option(
            "--entry", metavar="ID", help="Only what it did to this entry; alone, the newest that touched it."
        ),
    ] = None,
    overwrite: _Overwrite = False,
) -> None:
    """Take back the newest operation, or any by its id; undo again goes further back."""
    given = globals_of(ctx)
    opened = writer_of(given)
    exact = operation is not None or entry is not None
    _reverse(given, opened, lambda force: review.undo(opened, operation, only=entry, overwrite=force), overwrite, exact)


def redo(ctx: typer.Context, operation: OperationName = None, overwrite: _Overwrite = False) -> None:
    """Apply again what undo took back."""
    given = globals_of(ctx)
    opened = writer_of(given)
    _reverse(given, opened, lambda force: review.redo(opened, operation, overwrite=force), overwrite, exact=True)


def _reverse(given: Globals, opened: Session, run: review.Reversal, overwrite: bool, exact: bool) -> None:
    try:
        found = run(overwrite)
    except UndoConflict as conflict:
        if given.json:
            conflict.details = {"conflicts": [shapes.conflict_document(one) for one in conflict.conflicts]}
            raise
        _show_conflicts(conflict)
        if not confirmed(given, "Overwrite what stands there now?"):
            raise
        found = run(True)
    operation, applied = found.target, found.applied
    if given.json:
        answer_json(
            shapes.write_document(applied, opened.actor, opened.view())
            | {"target": operation.id, "verb": operation.verb}
        )
    elif given.quiet:
        answer_line(operation.id)
    else:
        _tell_reversed(given, opened, found, exact)
    tell_uncommitted(applied)


def _tell_reversed(given: Globals, opened: Session, found: review.Reversed, exact: bool) -> None:
    operation, applied = found.target, found.applied
    redone = applied.operation.verb == "redo"
    name = f"{operation.verb} {' '.join(operation.entries)}".rstrip()
    answer_line(f"{'Redone' if redone else 'Undone'}: {name} ({operation.id}, {moment(operation.at)}).")
    if not applied.changed:
        answer_line("  it was so already: no note was changed")
    standing = {entry.id for entry in applied.entries}
    for entry in applied.entries:
        answer_line(f"  now {headline(entry)}{marks(entry, opened.view())}")
    for gone in applied.operation.entries:
        if gone not in standing:
            answer_line(f"  now ^{gone} is in no note")
    back = f"undo {applied.operation.id}" if exact else "redo"  # `redo` alone means what was undone last
    answer_line(f"  take that back: {command(given, back)}")


def _show_conflicts(conflict: UndoConflict) -> None:
    for one in conflict.conflicts:
        name = f"^{one.key}" if one.key else "Text outside of entries"
        for label, text in (("as it stands", one.current), ("as it would become", one.target)):
            say(f"{name} in {one.note}, {label}:")
            for line in ["(gone)"] if text is None else text.rstrip("\n").split("\n"):
                say(f"  {line}")


def log(ctx: typer.Context, limit: Limit = None) -> None:
    """List the operations, newest first."""
    given = globals_of(ctx)
    opened = session_of(given)
    found = review.log(opened, limit)
    if given.json:
        answer_json([shapes.operation_document(one.operation, undone=one.undone) for one in found])
        return
    titles = {entry.id: entry.title for entry in opened.store.entries()}
    for one in found:
        title = titles.get(one.operation.entries[0]) if len(one.operation.entries) == 1 else None
        shown = f": {shorten(title)}" if title else ""
        answer_line(f"{operation_line(one.operation)}{' (undone)' if one.undone else ''}{shown}")
    if not found:
        remark(given, "Nothing was done in this store yet.")


def diff(
    ctx: typer.Context,
    operation: Annotated[
        str | None,
        typer.Argument(metavar="[OPERATION|ID]", help="An operation, or an entry for its newest one; else the newest."),
    ] = None,
) -> None:
    """Show what an operation changed."""
    given = globals_of(ctx)
    found, notes = review.diff(session_of(given), operation)
    if given.json:
        shown = [{"path": note.path, "lines": list(note.lines)} for note in notes]
        answer_json(shapes.operation_document(found, undone=False) | {"notes": shown})
        return
    remark(given, operation_line(found))
    for note in notes:
        for line in note.lines:
            answer_line(line)
    if not notes:
        remark(given, "It changed no note.")
