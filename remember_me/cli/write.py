"""Commands that write: add, edit, correct, pin, unpin, enable, disable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from remember_me.app import capture
from remember_me.app.wiring import Session
from remember_me.cli.output import globals_of, remark, report_write, session_of, tell_uncommitted
from remember_me.errors import EntryNotFound, InvalidInput
from remember_me.notes.layout import NoteKind

_Id = Annotated[str, typer.Argument(metavar="ID", help="An id, ^id, or its unique beginning.")]


def add(
    ctx: typer.Context,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="What to remember; - reads it from stdin.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="X.md", help="Take a markdown file in as a topic note.")
    ] = None,
    tag: Annotated[str | None, typer.Option(help="FACT, PREFERENCE, GOAL or HYPOTHESIS; guessed if not given.")] = None,
    title: Annotated[str | None, typer.Option(help="One line; taken from the text if not given.")] = None,
    description: Annotated[str | None, typer.Option(help="One line: what it is about, when it matters.")] = None,
    signal: Annotated[
        str | None, typer.Option(help="preference, boundary, goal, project, blocker or personal.")
    ] = None,
    basis: Annotated[str | None, typer.Option(help="stated, observed or inferred.")] = None,
    confidence: Annotated[str | None, typer.Option(help="high, medium or low, of a HYPOTHESIS.")] = None,
    impact: Annotated[str | None, typer.Option(help="1 cosmetic, 2 workflow, 3 outcome-critical.")] = None,
    scope: Annotated[str | None, typer.Option(help="A project key; everywhere if not given.")] = None,
    session: Annotated[str | None, typer.Option(help="The agent session, as client/id.")] = None,
    evidence: Annotated[
        list[str] | None, typer.Option(metavar="QUOTE", help="The user's exact words; may repeat.")
    ] = None,
    facet: Annotated[str | None, typer.Option(help="tone, brevity, workflow, constraint or decision-style.")] = None,
    expires: Annotated[str | None, typer.Option(metavar="DATE", help="When it ends, as 2026-12-31.")] = None,
    probe: Annotated[str | None, typer.Option(help="A question that would test an assumption.")] = None,
    aliases: Annotated[str | None, typer.Option(help="Phrases that should bring it to mind, with commas.")] = None,
    links: Annotated[str | None, typer.Option(help="Other notes or ids, with commas.")] = None,
    supersedes: Annotated[str | None, typer.Option(metavar="ID", help="The entry that it replaces.")] = None,
    field: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="A field of your own; may repeat.")
    ] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Show it to agents every time.")] = False,
) -> None:
    """Save something worth remembering, in today's note.

    The store is made on first use. Without --tag, tag and signal are guessed from the words.
    """
    named = {
        "description": description, "signal": signal, "basis": basis, "confidence": confidence, "impact": impact,
        "scope": scope, "facet": facet, "expires": expires, "probe": probe, "aliases": aliases, "links": links,
        "supersedes": supersedes, "pinned": "true" if pin else None,
    }  # fmt: skip
    fields = [(key, value) for key, value in named.items() if value is not None]
    fields += [_pair(given) for given in field or []]
    words = _text(text, needed=file is None and title is None)
    draft = capture.Draft(words, tag, title, tuple(fields), tuple(evidence or ()), session)
    if file is None:
        capture.check_draft(draft)
        opened = session_of(ctx, create=True)
        applied = capture.add(opened, draft)
    else:
        if words:
            raise InvalidInput("A text and --file were both given.", hint="Give one of the two.")
        opened = session_of(ctx, create=True)
        applied = capture.add_file(opened, file, draft)
    report_write(ctx, opened, applied, "Saved")


def _pair(given: str) -> tuple[str, str]:
    key, equals, value = given.partition("=")
    if not equals:
        raise InvalidInput(f"{given} is no field.", hint="Write it as key=value.")
    return key, value


def _text(words: list[str] | None, *, needed: bool) -> str:
    if words == ["-"]:
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if not words and needed:
        raise InvalidInput("There is nothing to save.", hint="Give a text, - to read it from stdin, or --file X.md.")
    return " ".join(words or [])


def edit(
    ctx: typer.Context,
    entry: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="An id; without one the newest daily note opens.")
    ] = None,
) -> None:
    """Open a note in $VISUAL or $EDITOR, at the entry's line; what you save becomes an operation of its own."""
    from remember_me.cli.editor import open_editor

    opened = session_of(ctx, writes=True)
    path, line = _place(opened, entry)
    open_editor(opened.store.files.target(path), line)
    reason, hint = opened.store.settle()
    if reason is not None:
        print(f"saved, not yet committed: {reason}.", file=sys.stderr)
        if hint:
            print(f"Hint: {hint}", file=sys.stderr)


def _place(opened: Session, given: str | None) -> tuple[str, int]:
    if given is not None:
        found = opened.store.find(given).entry
        return found.note, found.line
    daily = [note for note in opened.store.read().notes.values() if note.kind is NoteKind.DAILY]
    if not daily:
        raise EntryNotFound("daily", kind="note", hint="Save something with `remember-me add` first.")
    newest = max(daily, key=lambda note: note.path)
    return newest.path, newest.text.count("\n") + 1


def correct(
    ctx: typer.Context,
    entry: _Id,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="The new words; - reads them from stdin.")],
) -> None:
    """Replace the text of an entry. Its id, its fields and its history stay."""
    words = _text(text, needed=True)
    capture.check_text(words)
    opened = session_of(ctx, writes=True)
    report_write(ctx, opened, capture.correct(opened, entry, words), "Corrected")


def pin(ctx: typer.Context, entry: _Id) -> None:
    """Show an entry to agents every time."""
    _set(ctx, "pin", entry, {"pinned": "true"}, "Pinned")


def unpin(ctx: typer.Context, entry: _Id) -> None:
    """Take the pin off an entry."""
    _set(ctx, "unpin", entry, {"pinned": None}, "Unpinned")


def enable(ctx: typer.Context, entry: _Id) -> None:
    """Serve a disabled entry again."""
    _set(ctx, "enable", entry, {"status": None, "reason": None}, "Enabled", only_from="disabled")


def disable(
    ctx: typer.Context,
    entry: _Id,
    reason: Annotated[str | None, typer.Option(help="Why, in one line.")] = None,
) -> None:
    """Stop serving an entry, without deleting it."""
    values: dict[str, str | None] = {"status": "disabled"}
    if reason is not None:
        values["reason"] = capture.field_value("reason", reason)
    _set(ctx, "disable", entry, values, "Disabled", only_from="active")


def _set(
    ctx: typer.Context,
    verb: str,
    given: str,
    values: dict[str, str | None],
    done: str,
    *,
    only_from: str | None = None,
) -> None:
    opened = session_of(ctx, writes=True)
    found = opened.store.find(given).entry
    if only_from is not None and found.status != only_from:
        raise InvalidInput(
            f"{found.id} is {found.status}, not {only_from}.", hint=f"`remember-me get {found.id}` shows it."
        )
    applied = capture.set_fields(opened, verb, given, values)
    if not applied.entries and not globals_of(ctx).json:
        remark(ctx, f"{found.id} was so already; nothing was changed.")
        tell_uncommitted(ctx, applied)
        return
    report_write(ctx, opened, applied, done)
