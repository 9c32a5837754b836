"""Commands that an agent reads with: index, search, recall, tokens."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from remember_me.cli.output import answer_json, answer_line, view_of
from remember_me.cli.reading import show_index, show_recall, show_search, state_of
from remember_me.cli.words import Limit, globals_of, number, project
from remember_me.errors import InvalidInput

Scope = Annotated[str | None, typer.Option(metavar="KEY", help="This project and what belongs to none; here works.")]
Tokens = Annotated[int | None, typer.Option("--tokens", metavar="N", parser=number, help="The budget of the index.")]
Bytes = Annotated[int | None, typer.Option("--bytes", metavar="N", parser=number, help="The most bytes of the answer.")]


def index(
    ctx: typer.Context,
    tokens: Tokens = None,
    most_bytes: Bytes = None,
    scope: Scope = None,
    at: Annotated[str | None, typer.Option("--at", metavar="DATE", help="As an agent saw it on that day.")] = None,
) -> None:
    """List what there is to know, one line for each entry, within a budget of tokens."""
    show_index(globals_of(ctx), tokens=tokens, most_bytes=most_bytes, scope=project(scope), at=at)


def search(
    ctx: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="WORDS...", help="What to look for, in any words.")],
    tag: Annotated[list[str] | None, typer.Option(metavar="TAG", help="Only this tag; may repeat.")] = None,
    scope: Scope = None,
    status: Annotated[list[str] | None, typer.Option(metavar="STATUS", help="Also what is not live.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Only from that day on.")] = None,
    limit: Limit = None,
) -> None:
    """Find entries and passages by words, best first."""
    show_search(
        globals_of(ctx),
        " ".join(query),
        tags=tag or (),
        scope=project(scope),
        statuses=status or (),
        since=since,
        limit=limit,
    )


def recall(
    ctx: typer.Context,
    prompt: Annotated[str, typer.Option("--prompt", metavar="TEXT", help="What the user says now.")] = "",
    tokens: Tokens = None,
    most_bytes: Bytes = None,
    scope: Scope = None,
    cwd: Annotated[Path | None, typer.Option("--cwd", metavar="DIR", help="The project of this folder.")] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="ETAG", help="Print only if it changed.")] = None,
) -> None:
    """Print the block that an agent reads: profile, pinned entries, index, and what a prompt brings to mind."""
    from remember_me.app.scope import key_of_folder

    if cwd is not None and scope is not None:
        raise InvalidInput("--scope and --cwd were both given.", hint="Give one of the two.")
    wanted = key_of_folder(cwd, dict(os.environ)) if cwd is not None else project(scope)
    show_recall(globals_of(ctx), prompt=prompt, tokens=tokens, most_bytes=most_bytes, scope=wanted, since=since)


def tokens(
    ctx: typer.Context,
    top: Annotated[int, typer.Option("--top", metavar="N", parser=number, help="So many of the largest.")] = 10,
    scope: Scope = None,
) -> None:
    """Show where a budget of tokens goes: the largest entries, and the sums."""
    from remember_me.app.recall import costs

    given = globals_of(ctx)
    view = view_of(given)
    found = costs(view, state_of(view), dict(os.environ), view.scopes(project(scope)))
    largest = found.costs[:top]
    if given.json:
        rows = [{"id": c.line.id, "title": c.line.title, "index": c.in_index, "full": c.in_full} for c in largest]
        sums = {"entries": found.entries, "index": found.in_index, "full": found.in_full, "exact": found.exact}
        answer_json(sums | {"top": rows})
        return
    for cost in largest:
        answer_line(f"{cost.line.id} {cost.in_full} in full, {cost.in_index} in the index · {cost.line.title}")
    about = "" if found.exact else " (bytes: there is no vocabulary, so this is an over-estimate)"
    entries = "1 entry" if found.entries == 1 else f"{found.entries} entries"
    answer_line(f"{entries}: {found.in_full} tokens in full, {found.in_index} in the index{about}.")
