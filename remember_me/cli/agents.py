"""Commands for agent clients: install, uninstall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from remember_me.app import install as installing
from remember_me.app.clientfiles import CHANGED, DELETED, KEPT, LEFT, MADE, RESTORED, SAME
from remember_me.app.install import FAILED, INSTALLED, REMOVED, SKIPPED, UNCHANGED, Asked, Outcome, Part
from remember_me.cli.options import Globals
from remember_me.cli.output import answer, answer_json, answer_line, command, remark, say, surroundings
from remember_me.cli.words import globals_of
from remember_me.clients.base import CannotMerge
from remember_me.clients.claude_code import AUTO
from remember_me.clients.claude_code import NAME as CLAUDE_CODE
from remember_me.clients.known import ALL
from remember_me.errors import EditConflict, InvalidInput, RememberMeError

_NAMES = "claude-code, codex, gemini, opencode, copilot, aider, or all that are in use here."
ClientName = Annotated[str, typer.Argument(metavar="CLIENT", help=_NAMES)]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]

_CHANGES = {
    MADE: "made",
    CHANGED: "changed",
    DELETED: "deleted",
    RESTORED: "as it was before",
    SAME: "nothing to change",
    KEPT: "kept: another client uses it",
    LEFT: "was edited by hand, so it was left alone",
}


def install(
    ctx: typer.Context,
    client: ClientName,
    dry_run: DryRun = False,
    without_auto: Annotated[
        bool, typer.Option("--no-auto-memory", help="Switch off the auto memory of Claude Code.")
    ] = False,
) -> None:
    """Let an agent client read and keep memories: put hooks into its settings, and a skill beside them.

    Everything else in the settings stays as it is, and `uninstall` gives back every byte.
    """
    given = globals_of(ctx)
    if without_auto and client not in (CLAUDE_CODE, ALL):
        raise InvalidInput(f"--no-auto-memory is for {CLAUDE_CODE}, not for {client}.")
    asked = Asked(dry_run, {CLAUDE_CODE: (AUTO,)} if without_auto else {})
    mode = installing.mode(surroundings(given))
    outcomes = _run(given, installing.install, client, asked)
    hooked = [one for one in outcomes if one.state in (INSTALLED, UNCHANGED) and one.client.events]
    if hooked and not given.json and not given.quiet:
        _announce(given, mode, dry_run)
    _raise_failed(given, outcomes, "install")


def uninstall(ctx: typer.Context, client: ClientName, dry_run: DryRun = False) -> None:
    """Take remember-me out of an agent client's settings; what is remembered stays."""
    given = globals_of(ctx)
    outcomes = _run(given, installing.uninstall, client, Asked(dry_run))
    _raise_failed(given, outcomes, "uninstall")


def _run(given: Globals, act: installing.Act, client: str, asked: Asked) -> Sequence[Outcome]:
    try:
        outcomes = act(surroundings(given), client, asked)
    except CannotMerge as error:
        if not given.json:
            answer(error.snippet)
        raise
    if given.json:
        answer_json([_document(one) for one in outcomes])
        return outcomes
    for one in outcomes:
        _show(given, one, asked.dry_run)
    skipped = [one.client.name for one in outcomes if one.state == SKIPPED]
    if len(skipped) == len(outcomes):
        remark(given, f"No agent client seems to be in use here. Name the one that you mean: {', '.join(skipped)}.")
    elif skipped:
        remark(given, f"Not in use here, so skipped: {', '.join(skipped)}.")
    return outcomes


def _show(given: Globals, one: Outcome, dry_run: bool) -> None:
    if one.state == SKIPPED:
        return
    if one.error is not None:
        if isinstance(one.error, CannotMerge):
            answer(one.error.snippet)
        say(f"{one.client.title}: {one.error}")
        if one.error.hint:
            say(f"Hint: {one.error.hint}")
        return
    if given.quiet:
        if one.state != UNCHANGED:
            answer_line(one.client.name)
        return
    if one.state == UNCHANGED:
        answer_line(f"Nothing to change for {one.client.title}.")
    else:
        words = {INSTALLED: ("Installed into", "Would install into"), REMOVED: ("Took out of", "Would take out of")}
        answer_line(f"{words[one.state][dry_run]} {one.client.title}:")
    for part in one.parts:
        if one.state != UNCHANGED or part.change in (KEPT, LEFT):
            _show_part(part)
    if one.state == INSTALLED and not dry_run:
        answer_line(f"  take it back: {command(given, f'uninstall {one.client.name}')}")
    for sentence in one.advice if not dry_run else ():
        answer_line(f"  {sentence}")


def _show_part(part: Part) -> None:
    backup = f"; as it was before: {part.backup}" if part.backup else ""
    answer_line(f"  {part.path} ({part.what}): {_CHANGES[part.change]}{backup}")
    for line in part.diff:
        answer_line(f"    {line}")


def _announce(given: Globals, mode: str, dry_run: bool) -> None:
    """What hooks keep from now on, and how to have less of it."""
    if mode == "off":
        answer_line(f"Hooks are off on this machine. Switch them on: {command(given, 'config agents.mode enabled')}")
    elif mode == "shadow":
        answer_line("Hooks show agents nothing on this machine (shadow).")
        answer_line(f"  let them: {command(given, 'config agents.mode enabled')}")
    if mode != "off" and not dry_run:
        answer_line("What you type to an agent is kept for 7 days on this machine, to tell your words from an agent's.")
        if mode == "enabled":
            answer_line(
                f"  show agents nothing: {command(given, 'config agents.mode shadow')}"
                f" · keep nothing, too: {command(given, 'config agents.mode off')}"
            )
        else:
            answer_line(f"  keep nothing: {command(given, 'config agents.mode off')}")


def _raise_failed(given: Globals, outcomes: Sequence[Outcome], verb: str) -> None:
    """Let the exit code tell that not all clients could be done."""
    failed = [one for one in outcomes if one.state == FAILED]
    if not failed:
        return
    names = ", ".join(one.client.name for one in failed)
    worst = max((one.error for one in failed if one.error is not None), key=lambda error: error.exit_code)
    error: RememberMeError = EditConflict(
        f"Left as it was: {names}.",
        hint=f"Once the reason is gone: {command(given, f'{verb} {failed[0].client.name}')}",
    )
    error.exit_code = worst.exit_code
    raise error


def _document(one: Outcome) -> dict[str, object]:
    """The shape of one client for `--json`."""
    error = one.error
    return {
        "client": one.client.name,
        "state": one.state,
        "files": [_part_document(part) for part in one.parts],
        "advice": list(one.advice),
        "error": None if error is None else {"message": str(error), "hint": error.hint, **(error.details or {})},
    }


def _part_document(part: Part) -> dict[str, object]:
    return {
        "path": str(part.path),
        "what": part.what,
        "change": part.change,
        "backup": str(part.backup) if part.backup else None,
        "diff": "\n".join(part.diff) or None,
    }
