"""Edit by hand: which note to open, and what became of what the person saved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from remember_me.app.wiring import Session
from remember_me.errors import CannotCommit, EntryNotFound, Refused
from remember_me.model.entry import Entry
from remember_me.model.revision import EDITOR, Operation
from remember_me.notes.layout import NoteKind
from remember_me.policy.trust import reviews
from remember_me.store.history import History


class Edited(NamedTuple):
    """A hand edit: its operation (None: nothing was changed), the entries as they stand, who made the first of them
    so, and why there is no commit yet."""

    operation: Operation | None
    entries: tuple[Entry, ...]
    actor: str | None
    reason: str | None
    hint: str | None


def place(session: Session, given: str | None) -> tuple[str, int]:
    """(note, line) where the entry stands, or the end of the newest daily note. Raises EntryNotFound."""
    if given is not None:
        found = session.store.find(given).entry
        return found.note, found.line
    daily = [note for note in session.store.read().notes.values() if note.kind is NoteKind.DAILY]
    if not daily:
        raise EntryNotFound("yet", kind="daily note", hint="Save something with `remember-me add` first.")
    newest = max(daily, key=lambda note: note.path)
    return newest.path, newest.text.count("\n") + 1


def prepare(session: Session) -> str | None:
    """Take in what was edited before, so that the edit to come is an operation of its own; the newest one's id.

    Raises Refused for an agent: what a hand edits is the person's word.
    """
    if reviews(session.actor):
        sentence = "Only a person edits by hand."
        hint = "An agent proposes other words: `remember-me correct ID TEXT`."
        raise session.counted(Refused("edit-person", sentence, hint=hint))
    session.store.settle()
    return next((operation.id for operation in _newest_first(session)), None)


def take_in(session: Session, known: str | None, given: str | None) -> Edited:
    """Commit the edit. `known` is what `prepare` gave: the edit is newer. `given` is the entry that was opened."""
    reason, hint = session.store.settle()
    newer = takewhile(lambda operation: operation.id != known, _newest_first(session))
    operation = next((one for one in newer if one.actor == EDITOR), None)
    if operation is None:
        same = () if given is None else (session.store.find(given).entry,)
        return Edited(None, same, session.store.actor_of(same[0].id) if same else None, reason, hint)
    session.store.after_write()
    standing = {entry.id: entry for entry in session.store.read().entries()}
    entries = tuple(standing[entry] for entry in operation.entries if entry in standing)
    return Edited(operation, entries, operation.actor, reason, hint)


def _newest_first(session: Session) -> Iterator[Operation]:
    """What waits for a commit and then, where git gives it, what is committed."""
    yield from (record.operation for record in reversed(session.store.spool.records()[0]))
    try:
        history = History(session.store.root, session.store.git, session.store.shape)
    except CannotCommit:
        return
    yield from history.operations()
