"""What commands print: the answer to stdout, remarks to stderr. Stored text is shown with hidden characters escaped."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from remember_me.app.wiring import Session, Surroundings, View, open_session, open_view
from remember_me.cli.commands import PROGRAM
from remember_me.cli.options import Globals
from remember_me.model.entry import Entry
from remember_me.model.text import visible, visible_line
from remember_me.notes.clock import render_offset

if TYPE_CHECKING:
    from remember_me.app.edit import Edited
    from remember_me.model.revision import Operation
    from remember_me.store.store import Applied


def surroundings(given: Globals) -> Surroundings:
    """The world of this call: the environment and the store that was given."""
    return Surroundings(dict(os.environ), given.store)


def view_of(given: Globals) -> View:
    """Open the store for a command that only reads."""
    return open_view(surroundings(given))


def session_of(given: Globals) -> Session:
    """Open the store for a command that looks into its history."""
    return open_session(surroundings(given))


def writer_of(given: Globals, *, create: bool = False) -> Session:
    """Open the store for a command that writes: it is adopted, and with `create` made, on first use, and that is
    said."""
    from remember_me.app.start import open_for_writing

    session = open_for_writing(surroundings(given), create=create)
    if session.created:
        remark(given, session.created)
    return session


def remark(given: Globals, sentence: str) -> None:
    """A sentence to stderr, unless --quiet."""
    if not given.quiet:
        say(sentence)


def say(sentence: str) -> None:
    """A sentence to stderr, also with --quiet."""
    print(visible_line(sentence), file=sys.stderr)


def answer(text: str) -> None:
    """One or more lines to stdout."""
    print(visible(text))


def answer_line(text: str) -> None:
    """One line to stdout, whatever the text holds."""
    print(visible_line(text))


def answer_json(document: object) -> None:
    """A document for machines: plain JSON, never coloured; hidden characters are JSON escapes."""
    import json

    text = json.dumps(document, ensure_ascii=False, indent=2)
    print(text if visible(text) == text else json.dumps(document, ensure_ascii=True, indent=2))


def on_terminal() -> bool:
    """Whether the answer goes to a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def command(given: Globals, words: str) -> str:
    """A command to type next, for the store of this call."""
    store = f" --store {shlex.quote(str(given.store))}" if given.store else ""
    return f"{PROGRAM}{store} {words}"


def report_write(given: Globals, session: Session, applied: Applied, done: str, already: str) -> None:
    """Tell what a write did: the entry as it stands, where, how to take it back, and whether it is committed.

    `already` is what is said of an entry that was so before: `is pinned already`.
    """
    done = _DONE.get(applied.operation.verb, done)
    if given.json:
        from remember_me.app import shapes

        unchanged = applied.entries and not applied.changed
        actor = session.store.actor_of(applied.entries[0].id) if unchanged else session.actor
        answer_json(shapes.write_document(applied, actor, session.view()))
    elif given.quiet:
        for entry in applied.entries:
            answer_line(entry.id)
    else:
        for entry in applied.entries:
            if applied.changed:
                ended = done == "Saved" and not entry.live
                answer_line(f"{'Ended' if ended else done} {headline(entry)}{f' ({entry.status})' if ended else ''}")
                answer_line(f"  {place(entry)} · take it back: {command(given, 'undo')}")
            else:
                answer_line(f"Nothing was changed: ^{entry.id} {already}.")
        _tell_resting(given, applied)
    tell_uncommitted(applied)


def _tell_resting(given: Globals, applied: Applied) -> None:
    """Name what rests on a text that is another by now."""
    resting = applied.rests_on_it or ()
    names = [f"^{one.id}{' (waits for review)' if one.pending else ''}" for one in resting[:_MOST_NAMED]]
    more = f" and {len(resting) - _MOST_NAMED} more" if len(resting) > _MOST_NAMED else ""
    if names:
        remark(given, f"Rests on what it said before: {', '.join(names)}{more}")


_MOST_NAMED = 10
_DONE = {"reinforce": "Reinforced", "confirm": "Confirmed"}
"""What `add` did where the entry was there already."""


def report_edit(given: Globals, session: Session, found: Edited, note: str) -> None:
    """Tell what became of a hand edit of `note`: the entries as they stand and how to take it back."""
    operation = found.operation
    if given.json:
        from remember_me.app import shapes

        answer_json(shapes.edit_document(found, session.view()))
    elif operation is None:
        if found.reason is None:
            remark(given, f"Nothing was changed in {note}.")
    elif given.quiet:
        for name in operation.entries:
            answer_line(name)
    else:
        for entry in found.entries:
            answer_line(f"Edited {headline(entry)}")
        for gone in operation.removed:
            answer_line(f"Removed ^{gone}")
        if not operation.entries:
            answer_line(f"Edited {note}")
        answer_line(f"  take it back: {command(given, f'undo {operation.id}')}")
    if found.reason is not None:
        tell_not_committed(found.reason, found.hint)


def tell_uncommitted(applied: Applied) -> None:
    """The saved-not-committed remark, on stderr, also with --quiet: it is no decoration."""
    if applied.waiting:
        say("saved in the spool: another command holds the store and will write it.")
    elif not applied.committed:
        tell_not_committed(applied.reason, applied.hint)


def tell_not_committed(reason: str | None, hint: str | None) -> None:
    """That what was saved has no commit yet, why, and what to do about it."""
    say(f"saved, not yet committed: {reason}.")
    if hint:
        say(f"Hint: {hint}")


def headline(entry: Entry) -> str:
    """`^k7m2pq PREFERENCE: Replies in Italian`."""
    return f"^{entry.id} {entry.tag}: {entry.title}"


def place(entry: Entry) -> str:
    """`memory/2026-11-29.md:6`, a form that editors jump to."""
    return f"{entry.note}:{entry.line}"


def marks(entry: Entry, view: View) -> str:
    """What is special about an entry, as ` (medium, pinned)`, or nothing."""
    found = [confidence] if (confidence := view.confidence(entry)) else []
    found += ["pinned"] if entry.pinned else []
    found += [] if entry.live else [entry.status.value]
    return f" ({', '.join(found)})" if found else ""


def moment(at: datetime) -> str:
    """`2026-11-29 14:32 +01:00`; without the offset where none is known."""
    return f"{at:%Y-%m-%d %H:%M} {render_offset(at)}" if at.tzinfo else f"{at:%Y-%m-%d %H:%M}"


def operation_line(operation: Operation) -> str:
    """`p4ws7y02 2026-11-29 14:32 +01:00 add k7m2pq by person`."""
    names = " ".join(operation.entries[:5]) + (" …" if len(operation.entries) > 5 else "")
    other = operation.undoes or operation.redoes
    words = [operation.id, moment(operation.at), operation.verb, names, f"of {other}" if other else ""]
    return " ".join(word for word in [*words, f"by {operation.actor}"] if word)


def entry_text(entry: Entry, actor: str | None, view: View) -> str:
    """A full entry for a person or an agent to read."""
    facts = [entry.status.value, entry.basis, f"impact {entry.impact}"]
    facts += ["pinned"] if entry.pinned else []
    confidence = view.confidence(entry)
    facts += [f"confidence {confidence}"] if confidence else []
    facts += [f"stored {entry.confidence}"] if confidence != entry.confidence else []
    facts += [f"scope {entry.scope}"] if entry.scope else []
    where = [place(entry)]
    where += [moment(entry.created_at)] if entry.created_at else [str(entry.created_on)] if entry.created_on else []
    where += [f"by {actor}"] if actor else []
    lines = [headline(entry), f"  {' · '.join(facts)}", f"  {' · '.join(where)}"]
    shown = {"basis", "impact", "status", "pinned", "confidence", "scope"}
    lines += [f"  {key}: {value}" for key, value in entry.fields if key not in shown]
    if entry.body:
        lines += ["", entry.body]
    return "\n".join(lines)


def list_lines(entries: Iterable[Entry], view: View) -> Iterator[str]:
    """The plain lines of `list`: id, tag, title, what is special, and the place."""
    for entry in entries:
        yield f"{entry.id} {entry.tag} {entry.title}{marks(entry, view)} — {place(entry)}"


def confirmed(given: Globals, question: str) -> bool:
    """Ask a person on a terminal; `--yes` answers, anywhere else the answer is no."""
    if given.yes:
        return True
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    print(f"{visible_line(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
