"""The state of a store: what it holds, what waits for a commit, and what needs the person."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from remember_me.app.inventory import Inventory, count
from remember_me.app.wiring import Session
from remember_me.errors import CannotCommit
from remember_me.store.git import GitFailed
from remember_me.store.history import History
from remember_me.store.snapshot import Snapshot

VANISHED_DAYS = 30
"""For so long `status` names an entry that a hand edit took out of the notes."""


class Vanished(NamedTuple):
    """An entry that a hand edit took out of the notes, and the operation whose undo brings it back."""

    entry: str
    operation: str
    at: datetime


class State(NamedTuple):
    """What `status` says. `waiting` are operations not committed yet, `edited` notes with uncommitted hand edits."""

    inventory: Inventory
    waiting: int
    damaged: tuple[str, ...]
    edited: tuple[str, ...]
    reason: str | None
    hint: str | None
    vanished: tuple[Vanished, ...]


def state(session: Session) -> State:
    """The state of the store. Takes no lock and changes nothing."""
    snapshot = session.store.read()
    waiting, damaged, edited = session.store.uncommitted()
    reason, hint = _why_not_committed(session)
    return State(count(snapshot), waiting, damaged, edited, reason, hint, tuple(_vanished(session, snapshot)))


def _why_not_committed(session: Session) -> tuple[str | None, str | None]:
    try:
        session.store.git.head()
    except GitFailed as failure:
        return failure.reason, failure.hint
    return None, None


def _vanished(session: Session, snapshot: Snapshot) -> Iterable[Vanished]:
    present = {entry.id for entry in snapshot.entries()}
    oldest = session.store.tools.now() - timedelta(days=VANISHED_DAYS)
    try:
        history = History(session.store.root, session.store.git, session.store.shape)
    except CannotCommit:
        return
    seen: set[str] = set()
    for operation in history.operations():
        if operation.at < oldest:
            return
        for entry in operation.entries:
            if entry not in seen:
                seen.add(entry)
                if entry in operation.removed and entry not in present:
                    yield Vanished(entry, operation.id, operation.at)
