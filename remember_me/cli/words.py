"""The words that several commands take, as Typer parses them."""

from __future__ import annotations

from typing import Annotated

import typer

from remember_me.cli.options import Globals


def globals_of(ctx: typer.Context) -> Globals:
    """The global options of this call."""
    given = ctx.obj
    return given if isinstance(given, Globals) else Globals()


def project(given: str | None) -> str | None:
    """The project key of `--scope`; `here` is that of the current folder."""
    import os

    from remember_me.app.scope import resolve

    return None if given is None else resolve(given, dict(os.environ))


def number(given: str | int) -> int:
    """A whole number from 1 on."""
    given = str(given)
    if not (given.isascii() and given.isdigit() and int(given)):
        raise typer.BadParameter(f"{given} is no number from 1 on.")
    return int(given)


EntryId = Annotated[str, typer.Argument(metavar="ID", help="An id, ^id, or its unique beginning.")]

Limit = Annotated[int | None, typer.Option("--limit", "-n", metavar="N", parser=number, help="At most so many.")]

SessionName = Annotated[str | None, typer.Option("--session", metavar="NAME", help="The agent session, as client/id.")]

Anyway = Annotated[bool, typer.Option("--anyway", help="Keep it though a rule says no; never a secret.")]

Anew = Annotated[bool, typer.Option("--anew", help="Keep it though it was forgotten before.")]

OperationName = Annotated[
    str | None,
    typer.Argument(metavar="[OPERATION]", help="Its id or commit, or their unique beginning; else the newest."),
]
