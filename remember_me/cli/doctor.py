"""The command doctor."""

from __future__ import annotations

from typing import Annotated

import typer

from remember_me.app import doctor as examination
from remember_me.app.findings import Finding, is_problem
from remember_me.cli.options import Globals
from remember_me.cli.output import answer_json, answer_line, command, surroundings
from remember_me.cli.words import globals_of
from remember_me.errors import FoundProblems


def doctor(
    ctx: typer.Context,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is safe to mend, and say what was done.")] = False,
) -> None:
    """Look for what is wrong with the store and around it. Changes nothing without --fix.

    Exit code 10 where something is wrong; a note is nothing wrong.
    """
    given = globals_of(ctx)
    report = examination.examine(surroundings(given), fix=fix)
    problems = [finding for finding in report.findings if is_problem(finding)]
    if given.json:
        answer_json({"findings": [_document(given, one) for one in report.findings], "mended": list(report.mended)})
    else:
        for done in report.mended:
            answer_line(done if done.startswith("Not mended") else f"Mended: {done}")
        for finding in report.findings:
            _show(given, finding)
        if not problems:
            answer_line("Nothing found." if not report.mended else "Nothing else found.")
    if problems:
        mendable = sum(finding.fix is not None for finding in problems)
        hint = f"{command(given, 'doctor --fix')} mends {mendable} of them." if mendable else None
        found = "1 problem was" if len(problems) == 1 else f"{len(problems)} problems were"
        raise FoundProblems(f"{found} found.", hint=hint)


def _show(given: Globals, finding: Finding) -> None:
    place = f"{finding.where}: " if finding.where else ""
    answer_line(f"{finding.severity.capitalize()}: {place}{finding.what}.")
    hint = _hint(given, finding)
    if hint and not given.quiet:
        answer_line(f"  {hint}")


def _hint(given: Globals, finding: Finding) -> str | None:
    parts = [finding.hint, command(given, finding.command) if finding.command else None]
    return " ".join(part for part in parts if part) or None


def _document(given: Globals, finding: Finding) -> dict[str, object]:
    return {
        "severity": finding.severity,
        "what": finding.what,
        "where": finding.where,
        "hint": _hint(given, finding),
        "fixable": finding.fix is not None,
    }
