"""Read: one entry, the list, and the state of the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from remember_me.app.start import Inventory, count
from remember_me.app.wiring import Session
from remember_me.errors import CannotCommit, InvalidInput
from remember_me.model.entry import Entry, Status, Tag, Tier, parse_date
from remember_me.store.git import GitFailed
from remember_me.store.history import History
from remember_me.store.snapshot import Snapshot

VANISHED_DAYS = 30
"""For so long `status` names an entry that a hand edit took out of the notes."""

_FIRST_DAY = datetime(1, 1, 2)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries `list` shows. Empty means all; `all_states` also shows what is not live."""

    tags: tuple[str, ...] = ()
    scope: str | None = None
    status: str | None = None
    tier: str | None = None
    since: str | None = None
    pinned: bool = False
    all_states: bool = False


@dataclass(frozen=True, slots=True)
class Vanished:
    """An entry that a hand edit took out of the notes, and the operation whose undo brings it back."""

    entry: str
    operation: str
    at: datetime


@dataclass(frozen=True, slots=True)
class State:
    """What `status` says. `waiting` are operations not committed yet, `edited` notes with uncommitted hand edits."""

    inventory: Inventory
    waiting: int
    damaged: tuple[str, ...]
    edited: tuple[str, ...]
    reason: str | None
    hint: str | None
    vanished: tuple[Vanished, ...]


def list_entries(session: Session, wanted: Filter) -> list[Entry]:
    """The entries that fit, pinned ones first, then the newest first."""
    since = _since(wanted.since)
    tags = _tags(wanted.tags)
    _check(wanted.status, tuple(Status), "status")
    _check(wanted.tier, tuple(Tier), "tier")
    found = [entry for entry in session.store.read().entries() if _fits(entry, wanted, tags, since)]
    return sorted(found, key=_order)


def _fits(entry: Entry, wanted: Filter, tags: frozenset[str], since: date | None) -> bool:
    if wanted.status is not None:
        if entry.status != wanted.status:
            return False
    elif not (wanted.all_states or entry.live):
        return False
    return (
        (not tags or entry.tag in tags)
        and (wanted.scope is None or entry.scope == wanted.scope)
        and (wanted.tier is None or entry.tier == wanted.tier)
        and (not wanted.pinned or entry.pinned)
        and (since is None or (entry.created_on is not None and entry.created_on >= since))
    )


def _order(entry: Entry) -> tuple[bool, int, float, str, int]:
    day = entry.created_on.toordinal() if entry.created_on else 0
    clock = entry.created_at
    seconds = (clock.replace(tzinfo=None) - _FIRST_DAY).total_seconds() if clock else 0.0
    return not entry.pinned, -day, -seconds, entry.note, -entry.line


def _since(text: str | None) -> date | None:
    if text is None:
        return None
    day = parse_date(text)
    if day is None:
        raise InvalidInput(f"{text} is no date.", hint="Write it as 2026-11-29.")
    return day


def _tags(given: Iterable[str]) -> frozenset[str]:
    wanted = frozenset(tag.upper() for tag in given)
    for tag in wanted:
        _check(tag, tuple(Tag), "tag")
    return wanted


def _check(value: str | None, choices: tuple[str, ...], what: str) -> None:
    if value is not None and value not in choices:
        raise InvalidInput(f"{value} is no {what}.", hint=f"Possible are {', '.join(choices)}.")


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
