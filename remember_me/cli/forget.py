"""Commands that forget: forget, erase."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from remember_me.app import erase as erasing
from remember_me.app import forget as forgetting
from remember_me.app.wiring import Session
from remember_me.cli.options import Globals
from remember_me.cli.output import (
    answer_json,
    answer_line,
    command,
    confirmed,
    headline,
    place,
    remark,
    say,
    tell_uncommitted,
    writer_of,
)
from remember_me.cli.words import globals_of
from remember_me.errors import CannotCommit, ErasedElsewhere, InvalidInput, Refused
from remember_me.policy.trust import reviews
from remember_me.store.intent import Intent

if TYPE_CHECKING:
    from remember_me.store.erase import Erasure


def forget(
    ctx: typer.Context,
    entry: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Entries to forget.")] = None,
    match: Annotated[str | None, typer.Option("--match", metavar="TEXT", help="All that contain this text.")] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="NAME", help="All that came from this session or message.")
    ] = None,
    later: Annotated[bool, typer.Option("--later", help="Leave the history to `erase`.")] = False,
) -> None:
    """Delete entries for good: from notes, caches, proposals and git history; they cannot come back.

    What they say is fenced: the same text is not taken in again, whatever brings it. A terminal shows what would go and
    asks; elsewhere --yes is needed.
    """
    given = globals_of(ctx)
    opened = writer_of(given)
    found = forgetting.find(opened, forgetting.Wanted(tuple(entry or ()), match, source))
    _preview(given, found)
    if not confirmed(given, f"Forget {_many(len(found.ids), 'entry', 'entries')} for good?"):
        if sys.stdin is not None and sys.stdin.isatty():
            say("Nothing was forgotten.")
            return
        raise InvalidInput("Nothing was forgotten.", hint="Add --yes; what is forgotten cannot be undone.")
    _forget(given, opened, found, later=later)


def _preview(given: Globals, found: forgetting.Found) -> None:
    if given.json or given.quiet:
        return
    for one in found.entries:
        say(f"{headline(one)} — {place(one)}")


def _forget(given: Globals, opened: Session, found: forgetting.Found, *, later: bool) -> None:
    applied = erasing.forget(opened, found)
    report = None
    mine = not reviews(opened.actor)
    if not later and mine and _may_erase(given, opened):
        report = erasing.erase(opened)
    if given.json:
        document = {"forgotten": list(found.ids), "operation": applied.operation.id, "committed": applied.committed}
        answer_json(document | _report_document(report))
    elif given.quiet:
        for name in found.ids:
            answer_line(name)
    else:
        for name in found.ids:
            answer_line(f"Forgot ^{name}")
    tell_uncommitted(applied)
    for problem in found.unread:
        say(f"{problem.path} could not be read, so nothing of it was forgotten: {problem.reason}")
    if report is None:
        say(f"The history still has it. Erase it there: {command(given, 'erase')}")
    _tell(given, report, unread=bool(found.unread))


def _may_erase(given: Globals, opened: Session) -> bool:
    """Whether to go on to the history: where the repository is not only ours, a person says so first."""
    try:
        planned = erasing.plan(opened)
    except CannotCommit:
        return True  # erasing says why it cannot
    if planned is None:
        return False
    if not (planned.foreign_commits or planned.foreign_paths or planned.remotes):
        return True
    for sentence in _foreign(planned):
        say(sentence)
    return confirmed(given, "Rewrite them?")


def _foreign(planned: Erasure) -> Iterator[str]:
    """Why a person is asked first, and what would be rewritten."""
    if planned.foreign_commits:
        known = f"for example {planned.foreign_commits[0][:12]}"
        yield f"{_many(len(planned.foreign_commits), 'commit is', 'commits are')} not of remember-me, {known}."
    if planned.foreign_paths:
        yield f"The repository holds other files too, for example {planned.foreign_paths[0]}."
    if planned.remotes:
        yield f"The remotes {', '.join(planned.remotes)} may have a copy."
    refs = ", ".join(planned.refs[:5]) + (", …" if len(planned.refs) > 5 else "")
    yield f"{_many(planned.commits, 'commit', 'commits')} of {refs or 'no branch'} would get new ids."


def erase(ctx: typer.Context) -> None:
    """Finish erasing what was forgotten from git's history, and prove that it is gone."""
    given = globals_of(ctx)
    opened = writer_of(given)
    if reviews(opened.actor):
        sentence = "Only the user may erase from the history."
        raise opened.counted(Refused("erase-person", sentence, hint="Run the command in a terminal."))
    if erasing.pending(opened) == Intent():
        if given.json:
            answer_json(_report_document(None))
        else:
            remark(given, "Nothing waits to be erased.")
        return
    if not _may_erase(given, opened):
        say("Nothing was erased.")
        return
    report = erasing.erase(opened)
    if given.json:
        answer_json(_report_document(report))
    _tell(given, report)


def _tell(given: Globals, report: erasing.Report | None, *, unread: bool = False) -> None:
    """Say what became of the history. Raises ErasedElsewhere where something still has the text."""
    if report is not None:
        if report.erased is not None and not (given.json or given.quiet):
            commits = _many(report.erased.commits, "commit", "commits")
            answer_line(f"Erased from the history: {commits} rewritten, {report.erased.objects} objects deleted.")
        for path in report.others:
            say(f"{path} has the same words in another entry or in prose; that was left alone.")
        for one in report.elsewhere:
            say(f"Still there: {one.place} · {one.advice}")
    if report is not None and report.reason is not None:
        raise ErasedElsewhere(f"The notes are cleared, but not the history: {report.reason}", hint=report.hint)
    if unread or (report is not None and report.elsewhere):
        places = len(report.elsewhere) if report is not None else 0
        raise ErasedElsewhere(
            f"Forgotten here, but {_many(places, 'place', 'places')} out of reach may still have it."
            if places
            else "Forgotten, but for what stands in a note that cannot be read.",
            hint="Do what is said above." if places else "Mend the note, then forget it again.",
        )


def _report_document(report: erasing.Report | None) -> dict[str, object]:
    erased = report.erased if report is not None else None
    return {
        "erased": erased is not None,
        "commits": erased.commits if erased is not None else 0,
        "objects": erased.objects if erased is not None else 0,
        "elsewhere": [{"place": one.place, "advice": one.advice} for one in report.elsewhere] if report else [],
        "others": list(report.others) if report else [],
        "reason": report.reason if report else None,
    }


def _many(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
