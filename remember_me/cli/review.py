"""Commands that look back and take back: undo, redo, log, diff."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from remember_me.app import review, shapes
from remember_me.app.wiring import Session
from remember_me.cli.output import (
    answer_json,
    answer_line,
    confirmed,
    globals_of,
    headline,
    remark,
    session_of,
    tell_uncommitted,
)
from remember_me.model.text import visible
from remember_me.notes.merge import Conflict
from remember_me.store.plan import UndoConflict

_Operation = Annotated[
    str | None,
    typer.Argument(metavar="[OPERATION]", help="Its id or commit, or their unique beginning; else the newest."),
]
_Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Take the other version where the entry was edited since.")
]


def undo(
    ctx: typer.Context,
    operation: _Operation = None,
    entry: Annotated[
        str | None, typer.Option("--entry", metavar="ID", help="Take back only what it did to this entry.")
    ] = None,
    overwrite: _Overwrite = False,
) -> None:
    """Take back the newest operation, or any by its id; undo again goes further back."""
    opened = session_of(ctx, writes=True)
    _reverse(
        ctx,
        opened,
        lambda force: review.undo(opened, operation, only=entry, overwrite=force),
        "Undone",
        overwrite,
    )


def redo(ctx: typer.Context, operation: _Operation = None, overwrite: _Overwrite = False) -> None:
    """Apply again what undo took back."""
    opened = session_of(ctx, writes=True)
    _reverse(ctx, opened, lambda force: review.redo(opened, operation, overwrite=force), "Redone", overwrite)


def _reverse(ctx: typer.Context, opened: Session, run: review.Reversal, done: str, overwrite: bool) -> None:
    try:
        found = run(overwrite)
    except UndoConflict as conflict:
        _show_conflicts(ctx, conflict)
        if not _asks() or not confirmed(ctx, "Overwrite the version that stands there now?"):
            raise
        found = run(True)
    operation, applied = found.target, found.applied
    if globals_of(ctx).json:
        answer_json(shapes.write_document(applied, opened.actor) | {"target": operation.id, "verb": operation.verb})
    elif globals_of(ctx).quiet:
        answer_line(operation.id)
    else:
        names = " ".join(operation.entries)
        answer_line(f"{done}: {operation.verb} {names}".rstrip() + f" ({operation.id}, {operation.at:%Y-%m-%d %H:%M}).")
        for standing in applied.entries:
            answer_line(f"  now {headline(standing)}")
        other = "redo" if done == "Undone" else "undo"
        answer_line(f"  take that back: remember-me {other}")
    tell_uncommitted(ctx, applied)


def _asks() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _show_conflicts(ctx: typer.Context, conflict: UndoConflict) -> None:
    if globals_of(ctx).json:
        print(visible(_json(conflict)), file=sys.stderr)
        return
    for one in conflict.conflicts:
        for label, text in (("as it stands", one.current), ("as it would become", one.target)):
            print(f"--- {conflict.path}, {one.key or 'prose'}, {label}:", file=sys.stderr)
            print(visible(text.rstrip("\n")) if text is not None else "(gone)", file=sys.stderr)


def _json(conflict: UndoConflict) -> str:
    import json

    def document(one: Conflict) -> object:
        return shapes.conflict_document(one)

    return json.dumps({"note": conflict.path, "conflicts": [document(one) for one in conflict.conflicts]})


def log(
    ctx: typer.Context,
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="At most so many.")] = None,
) -> None:
    """List the operations, newest first."""
    opened = session_of(ctx)
    found = review.log(opened, limit)
    if globals_of(ctx).json:
        answer_json([shapes.operation_document(one.operation, undone=one.undone) for one in found])
        return
    for one in found:
        operation = one.operation
        names = " ".join(operation.entries[:5]) + (" …" if len(operation.entries) > 5 else "")
        target = operation.undoes or operation.redoes
        parts = [
            operation.id,
            f"{operation.at:%Y-%m-%d %H:%M %z}",
            operation.verb,
            names,
            f"of {target}" if target else "",
        ]
        who = f"by {operation.actor}" + (" (undone)" if one.undone else "")
        answer_line(" ".join(part for part in [*parts, who] if part))
    if not found:
        remark(ctx, "Nothing was done in this store yet.")


def diff(
    ctx: typer.Context,
    operation: Annotated[
        str | None,
        typer.Argument(metavar="[OPERATION|ID]", help="An operation, or an entry for its newest one; else the newest."),
    ] = None,
) -> None:
    """Show what an operation changed."""
    opened = session_of(ctx)
    found, notes = review.diff(opened, operation)
    if globals_of(ctx).json:
        shown = [{"path": note.path, "lines": list(note.lines)} for note in notes]
        answer_json(shapes.operation_document(found, undone=False) | {"notes": shown})
        return
    for note in notes:
        for line in note.lines:
            answer_line(line)
