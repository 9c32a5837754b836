"""Commands that read: get, list, profile, history."""

from __future__ import annotations

from typing import Annotated

import typer

from remember_me.cli.entries import show, show_list
from remember_me.cli.output import answer_json, answer_line, command, list_lines, moment, remark, session_of, view_of
from remember_me.cli.words import EntryId, Limit, globals_of, project


def get(
    ctx: typer.Context,
    entry: EntryId,
    text: Annotated[bool, typer.Option("--text", help="Only the words of the entry, byte for byte.")] = False,
) -> None:
    """Show one entry in full."""
    show(globals_of(ctx), entry, text_alone=text)


def list_entries(
    ctx: typer.Context,
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Only this tag; may repeat.")] = None,
    scope: Annotated[str | None, typer.Option(metavar="KEY", help="Only this project key; here works.")] = None,
    status: Annotated[str | None, typer.Option(metavar="STATUS", help="Only this status, live or not.")] = None,
    tier: Annotated[str | None, typer.Option(metavar="TIER", help="Only daily, long-term or topic.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Only entries from that day on.")] = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only pinned entries.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Also what is no longer live.")] = False,
    limit: Limit = None,
) -> None:
    """List the entries, one line each: pinned ones first, then the newest."""
    from remember_me.app.read import Filter

    wanted = Filter(tuple(tag or ()), project(scope), status, tier, since, pinned, everything)
    show_list(globals_of(ctx), wanted, limit)


def profile(ctx: typer.Context) -> None:
    """Show how to answer you: what is known of each facet, how well, and what is still unknown."""
    from remember_me.app import shapes
    from remember_me.app.profile import profile as profile_of

    given = globals_of(ctx)
    view = view_of(given)
    rows = profile_of(view.reader.entries())
    if given.json:
        answer_json([shapes.facet_document(row, view.reader, view) for row in rows])
        return
    for row in rows:
        answer_line(f"{row.facet}: {row.known}")
        for line in list_lines(row.entries, view):
            answer_line(f"  {line}")
    if not any(row.entries for row in rows):
        remark(given, f"Say how you like it: {command(given, 'add --facet brevity TEXT')}")


def history(ctx: typer.Context, entry: EntryId) -> None:
    """Show every revision of an entry, newest first: who, when, and what changed."""
    from remember_me.app import review, shapes

    given = globals_of(ctx)
    found = review.revisions(session_of(given), entry)
    if given.json:
        answer_json([shapes.revision_document(revision) for revision in found])
        return
    for revision in found:
        operation = revision.operation
        answer_line(f"{operation.id} {moment(operation.at)} {operation.verb} by {operation.actor} in {revision.note}")
        for line in review.changed_lines(revision):
            answer_line(f"  {line}")
    if not found:
        remark(given, "Nothing of it is committed yet.")
        return
    remark(given, f"Take one of them back: {command(given, f'undo OPERATION --entry {entry}')}")
