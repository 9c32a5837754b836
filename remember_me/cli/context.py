"""Files that agents read without hooks: context."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from remember_me.app import contextfile
from remember_me.app.contextfile import ABSENT, ADDED, BEHIND, DELETED, MADE, REFUSED, REMOVED, SAME, UPDATED, Kept
from remember_me.cli.options import Globals
from remember_me.cli.output import answer_json, answer_line, command, remark, session_of, surroundings
from remember_me.cli.words import globals_of
from remember_me.errors import EditConflict, InvalidInput

_DONE = {
    MADE: "Made {}.",
    ADDED: "Added a section to {}.",
    UPDATED: "Updated the section of {}.",
    SAME: "Nothing was changed: {} is up to date.",
    REMOVED: "Took the section out of {}.",
    DELETED: "Deleted {}: there was nothing else in it.",
}
_STANDS = {SAME: "up to date", BEHIND: "behind the store"}


def context(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="An AGENTS.md, GEMINI.md or CLAUDE.md; else all are listed.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Take the section out again.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Bring all such files up to date now.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
) -> None:
    """Keep a section of a file up to date: what an agent should know in the project of that folder.

    For agent clients without hooks. The section stands between two marker lines; all else in the file is yours. Each
    write to the store brings it up to date.
    """
    given = globals_of(ctx)
    if refresh and (file is not None or remove or dry_run):
        raise InvalidInput("--refresh takes all files, and nothing beside it.")
    if file is None and (remove or dry_run):
        raise InvalidInput("No file was named.", hint="Give the file, for example AGENTS.md.")
    if refresh:
        _show_refreshed(given)
    elif file is None:
        _show_all(given)
    elif remove:
        _show(given, file, contextfile.remove(surroundings(given), file, dry_run=dry_run), dry_run)
    else:
        _show(given, file, contextfile.keep(session_of(given), file, dry_run=dry_run), dry_run)


def _show(given: Globals, file: Path, kept: Kept, dry_run: bool) -> None:
    if given.json:
        answer_json(document(kept))
    elif dry_run:
        for line in kept.diff:
            answer_line(line)
        if not kept.diff:
            remark(given, "Nothing would change.")
    elif given.quiet:
        answer_line(kept.file)
    else:
        answer_line(_DONE[kept.state].format(file) if kept.reason is None else f"{file}: {kept.reason}.")
        if kept.state not in (REMOVED, DELETED):
            back = command(given, f"context {quote(str(file))} --remove")
            answer_line(f"  kept up to date for the project {kept.scope} · take it out: {back}")
        if kept.state in (MADE, ADDED):
            remark(given, "Whoever gets that file can read it: commit it only where that is meant.")


def _show_all(given: Globals) -> None:
    found = contextfile.check_all(session_of(given))
    if given.json:
        answer_json([document(one) for one in found])
        return
    for one in found:
        stands = _STANDS.get(one.state) or one.reason or one.state
        answer_line(f"{one.file} — {f'project {one.scope}' if one.scope else 'no project'} · {stands}")
    if not found:
        remark(given, f"No file is kept up to date yet. Keep one: {command(given, 'context AGENTS.md')}")


def _show_refreshed(given: Globals) -> None:
    found = contextfile.refresh_all(session_of(given))
    if given.json:
        answer_json([document(one) for one in found])
    else:
        for one in found:
            if one.state == UPDATED:
                answer_line(one.file if given.quiet else _DONE[UPDATED].format(one.file))
    refused = [one for one in found if one.state == REFUSED]
    for one in found:
        if one.state in (REFUSED, ABSENT):
            remark(given, f"{one.file}: {one.reason}; it was left alone.")
    if refused:
        raise EditConflict(
            f"{len(refused)} of {len(found)} files could not be brought up to date.", hint=refused[0].hint
        )


def document(kept: Kept) -> dict[str, object]:
    """The shape of one file for `--json`."""
    return {
        "file": kept.file,
        "scope": kept.scope,
        "kind": kept.kind,
        "state": kept.state,
        "reason": kept.reason,
        "hint": kept.hint,
        "diff": "\n".join(kept.diff) or None,
    }
