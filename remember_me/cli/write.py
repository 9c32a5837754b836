"""Commands that write: add, edit, correct, contradict, confirm, reinforce, link, pin, unpin, enable, disable."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remember_me.app import capture, life
from remember_me.app.draft import Draft, check_text
from remember_me.cli.entries import insisting, save
from remember_me.cli.output import report_edit, report_write, writer_of
from remember_me.cli.words import Anew, Anyway, EntryId, SessionName, globals_of, project
from remember_me.errors import InvalidInput, shorten

if TYPE_CHECKING:
    from remember_me.store.store import Applied


def _option(metavar: str, text: str) -> Any:
    return typer.Option(metavar=metavar, help=text)


Quotes = Annotated[
    list[str] | None,
    typer.Option("--quote", "--evidence", metavar="QUOTE", help="The user's exact words; may repeat."),
]


def add(
    ctx: typer.Context,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]...", help="What to remember; - reads it from stdin.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", metavar="X.md", help="Take a markdown file in as a topic note.")
    ] = None,
    tag: Annotated[
        str | None,
        _option("TAG", "FACT, PREFERENCE, GOAL or HYPOTHESIS; guessed if not given."),
    ] = None,
    title: Annotated[str | None, _option("LINE", "One line; taken from the text if not given.")] = None,
    description: Annotated[str | None, _option("LINE", "What it is about, when it matters.")] = None,
    signal: Annotated[
        str | None,
        _option("WORD", "preference, boundary, goal, project, blocker or personal."),
    ] = None,
    basis: Annotated[str | None, _option("WORD", "stated, observed or inferred.")] = None,
    confidence: Annotated[str | None, _option("WORD", "high, medium or low, of a HYPOTHESIS.")] = None,
    impact: Annotated[str | None, _option("N", "1 cosmetic, 2 workflow, 3 outcome-critical.")] = None,
    scope: Annotated[str | None, _option("KEY", "A project key, or here; everywhere if not given.")] = None,
    session: SessionName = None,
    source: Annotated[str | None, _option("NAME", "The message that says so, as session/message.")] = None,
    evidence: Quotes = None,
    facet: Annotated[str | None, _option("WORD", "tone, brevity, workflow, constraint or decision-style.")] = None,
    expires: Annotated[str | None, _option("DATE", "When it ends, as YYYY-MM-DD.")] = None,
    probe: Annotated[str | None, _option("LINE", "A question that would test a HYPOTHESIS.")] = None,
    aliases: Annotated[str | None, _option("PHRASES", "What should bring it to mind, with commas.")] = None,
    links: Annotated[str | None, _option("NAMES", "Other notes or ids, with commas.")] = None,
    supersedes: Annotated[str | None, _option("ID", "The entry that it replaces.")] = None,
    field: Annotated[list[str] | None, _option("KEY=VALUE", "A field of your own; may repeat.")] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Show it to agents every time.")] = False,
    anyway: Anyway = False,
    anew: Anew = False,
) -> None:
    """Save something worth remembering, in today's note.

    The store is made on first use. Without --tag, tag and signal are guessed from the words. The same statement
    again reinforces the entry that is there, and confirms a guess.
    """
    named = {
        "description": description, "signal": signal, "basis": basis, "confidence": confidence, "impact": impact,
        "scope": project(scope), "facet": facet, "expires": expires, "probe": probe, "aliases": aliases, "links": links,
        "supersedes": supersedes, "pinned": "true" if pin else None,
    }  # fmt: skip
    fields = [(key, value) for key, value in named.items() if value is not None]
    fields += [_pair(given) for given in field or []]
    if file is not None and text:
        raise InvalidInput("A text and --file were both given.", hint="Give one of the two.")
    words = _text(text, needed=file is None and title is None)
    draft = Draft(words, tag, title, tuple(fields), tuple(evidence or ()), session, source, anyway, anew)
    save(globals_of(ctx), draft, file)


def _pair(given: str) -> tuple[str, str]:
    key, equals, value = given.partition("=")
    if not equals:
        raise InvalidInput(f"{shorten(given)} is no field.", hint="Write it as key=value.")
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
    from remember_me.app import edit as by_hand
    from remember_me.cli.editor import open_editor

    given = globals_of(ctx)
    opened = writer_of(given)
    note, line = by_hand.place(opened, entry)
    known = by_hand.prepare(opened)
    open_editor(opened.store.files.target(note), line)
    report_edit(given, opened, by_hand.take_in(opened, known, entry), note)


def correct(
    ctx: typer.Context,
    entry: EntryId,
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="The new words; - reads them from stdin.")],
    quote: Quotes = None,
    anyway: Anyway = False,
    anew: Anew = False,
) -> None:
    """Replace the text of an entry. Its id, its fields and its history stay."""
    given, words = globals_of(ctx), _text(text, needed=True)
    check_text(words)
    opened = writer_of(given)

    def write(insist: bool, again: bool) -> Applied:
        return capture.correct(opened, entry, words, quote or (), anyway=insist, anew=again)

    applied = insisting(given, opened, write, anyway=anyway, anew=anew)
    report_write(given, opened, applied, "Corrected", "has these words already")


def contradict(
    ctx: typer.Context,
    entry: EntryId,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]...", help="What holds instead; - reads it from stdin.")
    ] = None,
    tag: Annotated[str | None, _option("TAG", "Of the new statement; that of the old one if not given.")] = None,
    session: SessionName = None,
    evidence: Quotes = None,
    anyway: Anyway = False,
    anew: Anew = False,
) -> None:
    """End an entry that turned out wrong, and save what holds instead.

    A long-term entry becomes stale, one of a daily note superseded, a HYPOTHESIS discarded. Without a text nothing
    takes its place.
    """
    given = globals_of(ctx)
    draft = Draft(_text(text, needed=False), tag, quotes=tuple(evidence or ()), session=session) if text else None
    opened = writer_of(given)

    def write(insist: bool, again: bool) -> Applied:
        return life.contradict(opened, entry, draft._replace(anyway=insist, anew=again) if draft else None)

    applied = insisting(given, opened, write, anyway=anyway, anew=anew)
    report_write(given, opened, applied, "Saved" if draft else "Ended", "has ended already")


def confirm(
    ctx: typer.Context,
    entry: EntryId,
    as_tag: Annotated[
        str | None, typer.Option("--as", metavar="TAG", help="Make it a FACT, PREFERENCE or GOAL.")
    ] = None,
) -> None:
    """Say that a guess is right: it decays no more. Its id stays, also under another tag."""
    opened = writer_of(globals_of(ctx))
    report_write(globals_of(ctx), opened, life.confirm(opened, entry, as_tag), "Confirmed", "is confirmed already")


def reinforce(ctx: typer.Context, entry: EntryId, session: SessionName = None, quote: Quotes = None) -> None:
    """Say that behaviour aligned again: a guess starts anew, and gains a level where it is another session."""
    opened = writer_of(globals_of(ctx))
    applied = life.reinforce(opened, entry, session, quote or ())
    report_write(globals_of(ctx), opened, applied, "Reinforced", "was reinforced in this session already")


def link(
    ctx: typer.Context,
    entry: EntryId,
    target: Annotated[list[str], typer.Argument(metavar="TARGET...", help="An id, [[note]] or [[note#^id]].")],
) -> None:
    """Link an entry to notes or other entries."""
    opened = writer_of(globals_of(ctx))
    report_write(globals_of(ctx), opened, life.link(opened, entry, target), "Linked", "has these links already")


def pin(ctx: typer.Context, entry: EntryId) -> None:
    """Show an entry to agents every time."""
    opened = writer_of(globals_of(ctx))
    report_write(globals_of(ctx), opened, capture.pin(opened, entry), "Pinned", "is pinned already")


def unpin(ctx: typer.Context, entry: EntryId) -> None:
    """Take the pin off an entry."""
    opened = writer_of(globals_of(ctx))
    report_write(globals_of(ctx), opened, capture.unpin(opened, entry), "Unpinned", "is not pinned")


def enable(ctx: typer.Context, entry: EntryId) -> None:
    """Serve a disabled entry again."""
    opened = writer_of(globals_of(ctx))
    report_write(globals_of(ctx), opened, capture.enable(opened, entry), "Enabled", "is enabled already")


def disable(
    ctx: typer.Context,
    entry: EntryId,
    reason: Annotated[str | None, typer.Option(metavar="LINE", help="Why.")] = None,
) -> None:
    """Stop serving an entry, without deleting it."""
    opened = writer_of(globals_of(ctx))
    report_write(globals_of(ctx), opened, capture.disable(opened, entry, reason), "Disabled", "is disabled already")
