"""What commands print: the answer to stdout, remarks to stderr. Stored text is shown with hidden characters escaped."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import typer

from remember_me.app import shapes
from remember_me.app.start import open_for_writing
from remember_me.app.wiring import Session, Surroundings, open_session
from remember_me.cli.options import Globals
from remember_me.model.entry import Entry
from remember_me.model.text import visible, visible_line
from remember_me.store.store import Applied


def globals_of(ctx: typer.Context) -> Globals:
    """The global options of this call."""
    given = ctx.obj
    return given if isinstance(given, Globals) else Globals()


def surroundings(ctx: typer.Context) -> Surroundings:
    """The world of this call: the environment and the store that was given."""
    import os

    return Surroundings(dict(os.environ), globals_of(ctx).store)


def session_of(ctx: typer.Context, *, writes: bool = False, create: bool = False) -> Session:
    """Open the store. With `writes` it is adopted, with `create` made, on first use, and that is said."""
    around = surroundings(ctx)
    session = open_for_writing(around, create=create) if writes or create else open_session(around)
    if session.created:
        remark(ctx, session.created)
    return session


def remark(ctx: typer.Context, sentence: str) -> None:
    """A sentence to stderr, unless --quiet."""
    if not globals_of(ctx).quiet:
        print(visible_line(sentence), file=sys.stderr)


def answer(text: str) -> None:
    """One or more lines to stdout."""
    print(visible(text))


def answer_line(text: str) -> None:
    """One line to stdout, whatever the text holds."""
    print(visible_line(text))


def answer_json(document: object) -> None:
    """A document for machines: plain JSON, never coloured; hidden characters are JSON escapes."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    print(text if visible(text) == text else json.dumps(document, ensure_ascii=True, indent=2))


def report_write(
    ctx: typer.Context, session: Session, applied: Applied, done: str, *, undo: str = "remember-me undo"
) -> None:
    """Tell what a write did: the entry as it stands, where, how to take it back, and whether it is committed."""
    given = globals_of(ctx)
    if given.json:
        answer_json(shapes.write_document(applied, session.actor))
    elif given.quiet:
        for entry in applied.entries:
            answer_line(entry.id)
    elif not applied.entries:
        answer_line(f"{done}.")
    else:
        for entry in applied.entries:
            answer_line(f"{done} {headline(entry)}")
            answer_line(f"  {place(entry)} · take it back: {undo}")
    tell_uncommitted(ctx, applied)


def tell_uncommitted(ctx: typer.Context, applied: Applied) -> None:
    """The saved-not-committed remark, on stderr, also with --quiet: it is no decoration."""
    if applied.waiting:
        print("saved in the spool: another command holds the store and will write it.", file=sys.stderr)
    elif not applied.committed:
        print(visible_line(f"saved, not yet committed: {applied.reason}."), file=sys.stderr)
        if applied.hint:
            print(visible_line(f"Hint: {applied.hint}"), file=sys.stderr)


def headline(entry: Entry) -> str:
    """`^k7m2pq PREFERENCE: Replies in Italian`."""
    return f"^{entry.id} {entry.tag}: {entry.title}"


def place(entry: Entry) -> str:
    """`memory/2026-11-29.md:6`, a form that editors jump to."""
    return f"{entry.note}:{entry.line}"


def entry_text(entry: Entry, actor: str | None) -> str:
    """A full entry for a person or an agent to read."""
    lines = [headline(entry)]
    facts = [entry.status.value, entry.basis, f"impact {entry.impact}"]
    facts += ["pinned"] if entry.pinned else []
    facts += [f"confidence {entry.confidence}"] if entry.confidence else []
    facts += [f"scope {entry.scope}"] if entry.scope else []
    created = entry.created_at or entry.created_on
    when = f", {created:%Y-%m-%d %H:%M %z}".rstrip() if entry.created_at else f", {created}" if created else ""
    lines.append(f"  {' · '.join(facts)}")
    lines.append(f"  {place(entry)}{when}{f', by {actor}' if actor else ''}")
    shown = {"basis", "impact", "status", "pinned", "confidence", "scope"}
    lines += [f"  {key}: {value}" for key, value in entry.fields if key not in shown]
    if entry.body:
        lines += ["", entry.body]
    return "\n".join(lines)


def list_lines(entries: Iterable[Entry]) -> Iterable[str]:
    """The plain lines of `list`: id, tag, title, what is special, and the place."""
    for entry in entries:
        marks = [entry.confidence] if entry.confidence else []
        marks += ["pinned"] if entry.pinned else []
        marks += [] if entry.live else [entry.status.value]
        shown = f" ({', '.join(marks)})" if marks else ""
        yield f"{entry.id} {entry.tag} {entry.title}{shown} — {place(entry)}"


def confirmed(ctx: typer.Context, question: str) -> bool:
    """Ask a person on a terminal; `--yes` answers, anywhere else the answer is no."""
    if globals_of(ctx).yes:
        return True
    if not sys.stdin or not sys.stdin.isatty():
        return False
    print(f"{visible_line(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
