"""Commands of the life of entries: promote, demote, decay, checkin, maintain."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from remember_me.app import shapes
from remember_me.cli.options import Globals
from remember_me.cli.output import (
    answer_json,
    answer_line,
    command,
    headline,
    on_terminal,
    place,
    remark,
    report_write,
    session_of,
    tell_uncommitted,
    writer_of,
)
from remember_me.cli.words import SessionName, globals_of, project
from remember_me.errors import InvalidInput

if TYPE_CHECKING:
    from remember_me.app.life import DecayRow
    from remember_me.app.maintain import Maintenance
    from remember_me.app.promotion import PromotionRow
    from remember_me.model.entry import Entry
    from remember_me.store.store import Applied

MaybeId = Annotated[str | None, typer.Argument(metavar="[ID]", help="An id, ^id, or its unique beginning.")]


def promote(
    ctx: typer.Context,
    entry: MaybeId = None,
    apply: Annotated[bool, typer.Option("--apply", help="Promote all that is due.")] = False,
    explain: Annotated[str | None, typer.Option("--explain", metavar="ID", help="Say why, or why not.")] = None,
) -> None:
    """Show what is due for MEMORY.md and why; with an ID or --apply, put it there."""
    from remember_me.app import promotion

    given = globals_of(ctx)
    if sum((entry is not None, apply, explain is not None)) > 1:
        raise InvalidInput("ID, --apply and --explain do not go together.", hint="Give one of them, or none.")
    if entry is not None:
        opened = writer_of(given)
        report_write(given, opened, promotion.promote(opened, entry), "Promoted", "is in MEMORY.md already")
    elif explain is not None:
        _explain(given, explain)
    elif apply:
        opened = writer_of(given)
        rows, applied = promotion.promote_due(opened)
        _report_rows(given, rows, "Promoted", applied, [shapes.promotion_document(r, opened.view()) for r in rows])
    else:
        opened = session_of(given)
        rows = promotion.due(opened)
        _show(
            given,
            [shapes.promotion_document(row, opened.view()) for row in rows],
            ("id", "tag", "title", "reasons"),
            [(row.entry.id, row.entry.tag.value, row.entry.title, ", ".join(row.promotion.reasons)) for row in rows],
            "Nothing is due for MEMORY.md.",
            "Promote all of it: {}",
            "promote --apply",
        )


def _explain(given: Globals, wanted: str) -> None:
    from remember_me.app import promotion

    opened = session_of(given)
    row = promotion.explain(opened, wanted)
    if given.json:
        answer_json([shapes.promotion_document(row, opened.view())])
        return
    answer_line(headline(row.entry))
    answer_line(f"  {place(row.entry)} · {'due' if row.promotion.due else 'not due'} for MEMORY.md")
    for reason in row.promotion.reasons:
        answer_line(f"  for it: {reason}")
    for obstacle in row.promotion.obstacles:
        answer_line(f"  against it: {obstacle}")
    if not row.promotion.reasons:
        answer_line("  nothing speaks for it yet")


def demote(
    ctx: typer.Context,
    entry: MaybeId = None,
    reason: Annotated[
        str | None, typer.Option(metavar="WORD", help="contradicted, abandoned, replaced or expired.")
    ] = None,
    scope: Annotated[str | None, typer.Option(metavar="KEY", help="All long-term entries of that project.")] = None,
) -> None:
    """Take an entry out of MEMORY.md: it is stale in today's note from now on."""
    from remember_me.app import promotion
    from remember_me.policy.tiers import DemoteReason

    given = globals_of(ctx)
    if reason is None:
        raise InvalidInput("A reason is needed to demote.", hint=f"Give --reason {'|'.join(DemoteReason)}.")
    opened = writer_of(given)
    report_write(given, opened, promotion.demote(opened, entry, project(scope), reason), "Demoted", "is stale already")


def decay(
    ctx: typer.Context,
    at: Annotated[str | None, typer.Option("--at", metavar="DATE", help="As on that day, YYYY-MM-DD.")] = None,
) -> None:
    """Show how sure each guess reads now, or on a day. Changes nothing."""
    from remember_me.app import life

    given = globals_of(ctx)
    rows = life.decay(session_of(given), at)
    _show(
        given,
        [shapes.decay_document(row) for row in rows],
        ("id", "stored", "reads", "days", "due", "title"),
        [_decay_cells(row) for row in rows],
        "There is no live guess.",
        "Discard what is due: {}" if any(row.decayed.due for row in rows) else "",
        "maintain --apply",
    )


def _decay_cells(row: DecayRow) -> tuple[str, ...]:
    decayed = row.decayed
    days = "-" if decayed.age_days is None else str(decayed.age_days)
    due = "; ".join(decayed.reasons) or ("confirmed" if row.entry.validated else "-")
    return row.entry.id, decayed.stored.value, decayed.effective.value, days, due, row.entry.title


def checkin(
    ctx: typer.Context,
    entry: MaybeId = None,
    word: Annotated[str | None, typer.Argument(metavar="[yes|no|later]", help="The answer.")] = None,
    mood: Annotated[str, typer.Option(metavar="MOOD", help="calm or frustrated: then nothing is asked.")] = "calm",
    session: SessionName = None,
    quote: Annotated[
        str | None, typer.Option("--quote", metavar="QUOTE", help="The user's answer, where an agent gives it.")
    ] = None,
) -> None:
    """Ask at most one question in a session, never twice about the same entry; or answer it."""
    from remember_me.app import checkin as questions

    given = globals_of(ctx)
    if entry is None:
        opened = writer_of(given)
        question = questions.ask(opened, session, mood)
        if given.json:
            answer_json({"id": question.entry.id, "question": question.words} if question else None)
        elif question is None:
            remark(given, "There is nothing to ask now.")
        else:
            answer_line(f"^{question.entry.id} {question.words}")
            remark(given, f"Answer it: {command(given, f'checkin {question.entry.id} yes|no|later')}")
        return
    if word is None:
        raise InvalidInput("An answer is missing.", hint=f"{command(given, f'checkin {entry} yes|no|later')}")
    opened = writer_of(given)
    applied = questions.answer(opened, entry, word, quote)
    if applied is None:
        remark(given, f"^{entry} waits for review; it is not asked about again.")
        return
    already = "waits; it is not asked about again" if word == questions.LATER else "has that answer already"
    report_write(given, opened, applied, "Confirmed" if word == questions.YES else "Discarded", already)


def maintain(
    ctx: typer.Context,
    apply: Annotated[bool, typer.Option("--apply", help="Do it, as one operation.")] = False,
) -> None:
    """Show what is due in the whole store, or do it: merge, discard, end what expired, promote."""
    from remember_me.app import maintain as maintenance

    given = globals_of(ctx)
    opened = writer_of(given) if apply else session_of(given)
    found = maintenance.maintain(opened, apply=apply, environ=dict(os.environ))
    if given.json:
        answer_json(shapes.maintenance_document(found, opened.view()))
    else:
        _table(given, ("id", "what", "title", "reasons"), list(_maintenance_cells(found)))
        _tell_size(given, found)
        if not found.anything:
            answer_line("Nothing is due.")
        elif found.applied is not None:
            answer_line(f"Done · take it back: {command(given, f'undo {found.applied.operation.id}')}")
        else:
            remark(given, f"Do it: {command(given, 'maintain --apply')}")
    if found.applied is not None:
        tell_uncommitted(found.applied)


def _maintenance_cells(found: Maintenance) -> Iterable[tuple[str, ...]]:
    for pair in found.merge:
        yield pair.later.id, "merge", pair.later.title, f"says what ^{pair.kept.id} says"
    for row in found.discard:
        yield row.entry.id, "discard", row.entry.title, "; ".join(row.decayed.reasons)
    for entry in found.expire:
        yield entry.id, "expire", entry.title, f"it expired on {entry.field('expires')}"
    for due in found.room.promote:
        yield due.entry.id, "promote", due.entry.title, ", ".join(due.promotion.reasons)
    for due in found.room.held:
        yield due.entry.id, "hold", due.entry.title, "MEMORY.md has no room for it"


def _tell_size(given: Globals, found: Maintenance) -> None:
    room = found.room
    if room.demote:
        full = f"more than {room.limit}" if room.tokens > room.limit else f"and no room for more within {room.limit}"
        answer_line(f"MEMORY.md has {room.tokens} tokens, {full}. What matters least:")
    for entry in room.demote:
        answer_line(f"  ^{entry.id} {entry.title} · {command(given, f'demote {entry.id} --reason abandoned')}")


def _show(
    given: Globals,
    documents: Sequence[object],
    headers: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    nothing: str,
    next_step: str,
    words: str,
) -> None:
    """Rows as JSON, as a table, or as lines; and what to do next."""
    if given.json:
        answer_json(documents)
        return
    _table(given, headers, rows)
    if not rows:
        remark(given, nothing)
    elif next_step:
        remark(given, next_step.format(command(given, words)))


def _table(given: Globals, headers: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
    if rows and on_terminal():
        from remember_me.cli.render import rows_table

        rows_table(headers, rows)
        return
    for row in rows:
        answer_line(" · ".join(row))


def _report_rows(
    given: Globals, rows: Sequence[PromotionRow], done: str, applied: Applied | None, documents: Sequence[object]
) -> None:
    """What was done with many entries, in as many lines as are read."""
    if given.json:
        operation = applied.operation.id if applied else None
        answer_json({"rows": documents, "operation": operation, "committed": applied.committed if applied else None})
    elif applied is None:
        remark(given, "Nothing is due for MEMORY.md.")
    else:
        _list_done(given, [row.entry for row in rows], done)
        answer_line(f"  take it back: {command(given, f'undo {applied.operation.id}')}")
    if applied is not None:
        tell_uncommitted(applied)


_MOST_LISTED = 20


def _list_done(given: Globals, entries: Sequence[Entry], done: str) -> None:
    for entry in entries[:_MOST_LISTED]:
        answer_line(entry.id if given.quiet else f"{done} {headline(entry)}")
    if len(entries) > _MOST_LISTED and not given.quiet:
        answer_line(f"  and {len(entries) - _MOST_LISTED} more")
