"""The state of a store: what it holds, what waits for a commit, and what needs the person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from remember_me.app import erase, maintain
from remember_me.app.inventory import Inventory, count
from remember_me.app.maintain import Maintenance
from remember_me.app.wiring import Session
from remember_me.errors import CannotCommit
from remember_me.model.entry import Entry
from remember_me.recall.tokens import has_vocabulary
from remember_me.store.anchor import Moved
from remember_me.store.git import GitFailed, GitProblem
from remember_me.store.history import FOREIGN_VERB, History
from remember_me.store.intent import Intent
from remember_me.store.ledger import HandEdits
from remember_me.store.sessions import Fired
from remember_me.store.snapshot import Snapshot

VANISHED_DAYS = 30
"""For so long `status` names an entry that a hand edit took out of the notes."""


class Vanished(NamedTuple):
    """An entry that a hand edit took out of the notes, and the operation whose undo brings it back.

    Operation and time are None as long as no command has seen the edit: undo for the entry brings it back too.
    """

    entry: str
    operation: str | None
    at: datetime | None


class State(NamedTuple):
    """What `status` says. `waiting` are operations not committed yet, `edited` notes with uncommitted hand edits,
    `maintenance` what is due where maintenance was not done for too long (else None), `refusals` the writes that a
    rule refused, by rule, `set_aside` files of our own that were damaged, and `counts_tokens` says whether tokens are
    counted or over-estimated. `pending` proposals wait for the person, `to_erase` says that the history still has what
    was forgotten, `fenced` are entries that a hand typed though they were forgotten, and `moved` is how the history
    stands to where we left it. `fired` are the last runs of hooks, by client and event."""

    inventory: Inventory
    waiting: int
    damaged: tuple[str, ...]
    edited: tuple[str, ...]
    reason: str | None
    hint: str | None
    vanished: tuple[Vanished, ...]
    maintenance: Maintenance | None
    refusals: Mapping[str, int]
    set_aside: tuple[str, ...]
    counts_tokens: bool
    pending: int = 0
    to_erase: bool = False
    fenced: tuple[Entry, ...] = ()
    moved: Moved = Moved()
    fired: tuple[Fired, ...] = ()

    @property
    def needs_someone(self) -> bool:
        """Whether there is something that a person should look at."""
        found = self.inventory
        files = self.damaged or found.problems or found.copies or self.vanished or self.fenced
        return bool(files or self.reason or self.maintenance or self.pending or self.to_erase or self.moved.rewritten)


def state(session: Session, environ: Mapping[str, str]) -> State:
    """The state of the store. Takes no lock and changes nothing."""
    snapshot = session.store.read()
    waiting, damaged, edited = session.store.uncommitted()
    reason, hint = _why_not_committed(session)
    notes = tuple(note.path for note in edited.notes)
    return State(
        inventory=count(snapshot),
        waiting=waiting,
        damaged=damaged,
        edited=notes,
        reason=reason,
        hint=hint,
        vanished=tuple(_vanished(session, snapshot, edited)),
        maintenance=_maintenance(session, snapshot, environ),
        refusals=session.state.refusals(),
        set_aside=tuple(session.state.set_aside()),
        counts_tokens=has_vocabulary(environ),
        pending=len(session.store.proposals.all()),
        to_erase=erase.pending(session) != Intent(),
        fenced=tuple(session.store.fenced()),
        moved=_moved(session),
        fired=session.agent_sessions.fired(),
    )


def _moved(session: Session) -> Moved:
    """How the history stands to where our last operation left it."""
    store = session.store
    if store.anchor is None:
        return Moved()
    try:
        return store.anchor.compare(store.git, store.git.head().commit)
    except GitFailed as failure:
        gone = failure.problem is GitProblem.NO_REPOSITORY and store.anchor.load() is not None
        return Moved(rewritten=gone)


def _maintenance(session: Session, snapshot: Snapshot, environ: Mapping[str, str]) -> Maintenance | None:
    if session.settings["maintain.auto"].value == "off" or not maintain.is_due(session, snapshot):
        return None
    found = maintain.review(session, snapshot, environ)
    return found if found.anything or found.room.demote else None


def _why_not_committed(session: Session) -> tuple[str | None, str | None]:
    try:
        session.store.git.ready()
    except GitFailed as failure:
        return failure.reason, failure.hint
    return None, None


def _vanished(session: Session, snapshot: Snapshot, edited: HandEdits) -> Iterable[Vanished]:
    present = {entry.id for entry in snapshot.entries()}
    yield from (Vanished(entry, None, None) for entry in edited.removed if entry not in present)
    oldest = session.store.tools.now() - timedelta(days=VANISHED_DAYS)
    try:
        history = History(session.store.root, session.store.git, session.store.shape)
    except CannotCommit:
        return
    seen = set(edited.entries)
    for operation in history.operations(foreign=True):
        if operation.at < oldest:
            return
        kinds = history.kinds(operation) if operation.verb == FOREIGN_VERB else dict.fromkeys(operation.entries, "")
        kinds |= dict.fromkeys(operation.removed, "removed")
        for entry, kind in kinds.items():
            if entry not in seen:
                seen.add(entry)
                if kind == "removed" and entry not in present:
                    yield Vanished(entry, operation.id, operation.at)
