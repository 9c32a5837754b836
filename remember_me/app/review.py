"""Look back and take back: log, history, diff, undo and redo."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from remember_me.app.wiring import Session
from remember_me.errors import CannotCommit, EntryNotFound, Refused
from remember_me.model.entry import is_id
from remember_me.model.revision import Operation, Revision
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import decode, encode
from remember_me.policy.trust import reviews
from remember_me.store.history import FOREIGN_VERB, History
from remember_me.store.store import Applied
from remember_me.store.undo import NothingLeft, link, merges, next_to_redo, next_to_undo, resolve, with_state


class Logged(NamedTuple):
    """One line of the log."""

    operation: Operation
    undone: bool


class Reversed(NamedTuple):
    """An operation that was undone or redone."""

    target: Operation
    applied: Applied


class NoteDiff(NamedTuple):
    """What an operation changed in one note, as the lines of a unified diff without line ends."""

    path: str
    lines: tuple[str, ...]


_WHERE = "`remember-me log` shows the operations, `remember-me list` the entries."

Reversal = Callable[[bool], Reversed]
"""Runs an undo or redo; the argument says whether to overwrite what was edited since."""


def history(session: Session) -> History:
    return History(session.store.root, session.store.git, session.store.shape)


def log(session: Session, limit: int | None) -> list[Logged]:
    """The operations, newest first, with the commits that others made to the notes."""
    found = with_state(history(session).operations(foreign=True))
    return [Logged(operation, undone) for operation, undone in itertools.islice(found, limit)]


def revisions(session: Session, given: str) -> list[Revision]:
    """All revisions of an entry, newest first; also of one that is no longer in the notes, but for a forgotten one."""
    wanted = given.removeprefix("^").lower()
    try:
        wanted = session.store.find(given).entry.id
    except EntryNotFound:
        if not is_id(wanted):
            raise
    found = [] if session.store.fence.forgets(wanted) else history(session).revisions(wanted)
    if not found:
        session.store.find(given)
    elif _seen(session, found[0].note, encode(found[0].after or found[0].before or "")) == b"":
        raise EntryNotFound(given)
    return found


def _seen(session: Session, path: str, data: bytes | None) -> bytes | None:
    """The bytes of a note without what was forgotten, and without entries of other projects than that of the agent."""
    store = session.store
    if data is None or (store.bound_to is None and store.fence.empty):
        return data
    note = store.shape.parse(path, data)
    hidden = [store.hides(entry) or store.fence.hides(entry) for entry in note.entries]
    if note.kind is NoteKind.TOPIC:
        return b"" if any(hidden) else data
    text = note.text
    for item, hide in reversed(list(zip(note.items, hidden, strict=True))):
        if hide:
            text = text[: item.start] + text[item.end :]
    return encode(text)


def changed_lines(revision: Revision) -> Iterator[str]:
    """What a revision changed, as lines that begin with `-`, `+` or a space."""
    old = (revision.before or "").split("\n") if revision.before is not None else []
    new = (revision.after or "").split("\n") if revision.after is not None else []
    found = difflib.unified_diff(old, new, lineterm="", n=0)
    return (line for line in itertools.islice(found, 2, None) if not line.startswith("@@"))


def diff(session: Session, given: str | None) -> tuple[Operation, list[NoteDiff]]:
    """(an operation, what it changed): the one named, the newest one of an entry, or the newest of all."""
    past = history(session)
    operation = _named(session, past, given)
    return operation, [
        NoteDiff(state.path, tuple(_unified(state.path, *(_seen(session, state.path, data) for data in sides))))
        for state in past.states(operation)
        for sides in [(state.before, state.after)]
    ]


def _named(session: Session, past: History, given: str | None) -> Operation:
    if given is None:
        newest = next(past.operations(foreign=True), None)
        if newest is None:
            raise EntryNotFound("newest", kind="operation", hint="Save something with `remember-me add` first.")
        return newest
    try:
        return past.find(given)
    except EntryNotFound:
        try:
            found = revisions(session, given)
        except EntryNotFound:
            raise EntryNotFound(given, kind="operation or entry", hint=_WHERE) from None
        if not found:
            raise EntryNotFound(given, kind="operation yet of", hint=_WHERE) from None
        return past.find(found[0].operation.id)


def _unified(path: str, before: bytes | None, after: bytes | None) -> Iterator[str]:
    old, new = (_lines(data) for data in (before, after))
    names = ("/dev/null" if before is None else f"a/{path}", "/dev/null" if after is None else f"b/{path}")
    for line in difflib.unified_diff(old, new, *names):
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(data: bytes | None) -> list[str]:
    """The lines of a note with their ends; only LF ends one."""
    *lines, last = decode(data or b"").split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def undo(session: Session, given: str | None, *, only: str | None, overwrite: bool) -> Reversed:
    """Take an operation back: the newest that is ours and not undone, or the one named, also out of order."""
    past = _settled_history(session)
    wanted = session_id(session, only)
    if given is None:
        ours = (
            one
            for one in past.operations()
            if _may_reverse(session, one) and not _is_of_another_project(session, past, one)
        )
        target, again = next_to_undo(ours) if wanted is None else _newest_of(past, wanted), False
    else:
        target, one, again = resolve(past.find(given), past.operations(foreign=True))
        wanted = wanted or one
    return _reverse(session, past, target, redo=again, only=wanted, overwrite=overwrite)


def _may_reverse(session: Session, operation: Operation) -> bool:
    """Whether the actor may take that operation back: an agent only what it did in this session (DESIGN section 5)."""
    if not reviews(session.actor):
        return True
    known = session.client_session
    return operation.actor == session.actor and known is not None and operation.session == known


def _check_reverse(session: Session, operation: Operation) -> None:
    if not _may_reverse(session, operation):
        sentence = f"An agent takes back only what it did in its own session, and {operation.id} is not that."
        raise session.counted(Refused("undo-session", sentence, hint="Ask the user to run the command in a terminal."))


def _is_of_another_project(session: Session, past: History, operation: Operation) -> bool:
    """Whether an operation touched an entry that the agent does not see."""
    if session.store.bound_to is None:
        return False
    touched = past.kinds(operation)
    return any(
        entry.id in touched and session.store.hides(entry)
        for state in past.states(operation)
        for data in (state.before, state.after)
        for entry in session.store.shape.parse(state.path, data or b"").entries
    )


def _newest_of(past: History, entry: str) -> Operation:
    """The newest operation that touched the entry and is not undone for it, a hand's or another's commit too."""
    for operation, undone in with_state(past.operations(foreign=True), entry):
        touched = past.kinds(operation) if operation.verb == FOREIGN_VERB else operation.entries
        if entry in touched and not undone and not (operation.undoes or operation.redoes):
            return operation
    raise NothingLeft("undo")


def redo(session: Session, given: str | None, *, overwrite: bool) -> Reversed:
    """Bring back what was undone last, or the operation named."""
    past = _settled_history(session)
    operations = list(past.operations(foreign=True))
    target, only = next_to_redo(operations) if given is None else resolve(past.find(given), operations)[:2]
    undone = any(undone for one, undone in with_state(operations) if one.id == target.id)
    if given is not None and only is None and not undone:
        raise EntryNotFound(given, kind="undone operation", hint="`remember-me log` shows what is undone.")
    return _reverse(session, past, target, redo=True, only=only, overwrite=overwrite)


def _settled_history(session: Session) -> History:
    """The history with everything in it: what waits is committed first. Raises CannotCommit."""
    reason, hint = session.store.settle()
    if reason is not None:
        raise CannotCommit(f"Nothing was undone or redone, because git cannot commit: {reason}.", hint=hint)
    return history(session)


def _reverse(
    session: Session, past: History, target: Operation, *, redo: bool, only: str | None, overwrite: bool
) -> Reversed:
    _check_reverse(session, target)
    states = past.states(target)
    if only is not None and only not in past.kinds(target):
        raise EntryNotFound(
            f"{only} in {target.id}", kind="change to", hint=f"`remember-me diff {target.id}` shows it."
        )
    changes = merges(states, redo=redo, only=only, overwrite=overwrite)
    name = link(target, only)
    request = session.request("redo", redoes=name) if redo else session.request("undo", undoes=name)
    applied = session.store.apply(changes, request)
    return Reversed(target, applied)


def session_id(session: Session, given: str | None) -> str | None:
    """The real id that `given` stands for, also of an entry that is no longer there; None for None."""
    if given is None:
        return None
    wanted = given.removeprefix("^").lower()
    try:
        return session.store.find(wanted).entry.id
    except EntryNotFound:
        if not is_id(wanted):
            raise
        return wanted
