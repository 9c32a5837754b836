"""Commands that read: get, list, history."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from remember_me.app import read, review, shapes
from remember_me.cli.output import (
    answer,
    answer_json,
    answer_line,
    entry_text,
    globals_of,
    list_lines,
    remark,
    session_of,
)
from remember_me.model.text import join_title

_Id = Annotated[str, typer.Argument(metavar="ID", help="An id, ^id, or its unique beginning.")]


def get(
    ctx: typer.Context,
    entry: _Id,
    text: Annotated[bool, typer.Option("--text", help="Only the words of the entry, byte for byte.")] = False,
) -> None:
    """Show one entry in full."""
    opened = session_of(ctx)
    found = opened.store.find(entry).entry
    if globals_of(ctx).json:
        answer_json(shapes.entry_document(found, opened.store.actor_of(found.id)))
    elif text:
        words = join_title(found.title, found.body)
        answer(words) if sys.stdout.isatty() else print(words)
    else:
        answer(entry_text(found, opened.store.actor_of(found.id)))


def list_entries(
    ctx: typer.Context,
    tag: Annotated[list[str] | None, typer.Option(help="Only this tag; may repeat.")] = None,
    scope: Annotated[str | None, typer.Option(help="Only this project key.")] = None,
    status: Annotated[str | None, typer.Option(help="Only this status, live or not.")] = None,
    tier: Annotated[str | None, typer.Option(help="Only daily, long-term or topic.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Only entries from that day on.")] = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only pinned entries.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Also what is no longer live.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many.")] = None,
) -> None:
    """List the entries, one line each: pinned ones first, then the newest."""
    opened = session_of(ctx)
    wanted = read.Filter(tuple(tag or ()), scope, status, tier, since, pinned, everything)
    entries = read.list_entries(opened.store, wanted)
    shown = entries[:limit]
    if globals_of(ctx).json:
        answer_json([shapes.entry_document(entry, opened.store.actor_of(entry.id)) for entry in shown])
        return
    if shown and sys.stdout.isatty():
        from remember_me.cli.render import list_table

        list_table(shown)
    else:
        for line in list_lines(shown):
            answer_line(line)
    if not entries:
        remark(ctx, "No entry fits.")
    elif len(shown) < len(entries):
        remark(ctx, f"{len(entries) - len(shown)} more are not shown.")


def history(
    ctx: typer.Context,
    entry: _Id,
) -> None:
    """Show every revision of an entry, newest first: who, when, and what changed."""
    opened = session_of(ctx)
    found = review.revisions(opened, entry)
    if globals_of(ctx).json:
        answer_json([shapes.revision_document(revision) for revision in found])
        return
    for revision in found:
        operation = revision.operation
        when = f"{operation.at:%Y-%m-%d %H:%M %z}"
        answer_line(f"{operation.id} {when} {operation.verb} by {operation.actor} in {revision.note}")
        for line in review.changed_lines(revision):
            answer_line(f"  {line}")
