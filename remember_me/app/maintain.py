"""Maintenance: what is due in the whole store, shown first, and done as one operation (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from remember_me.app.life import DecayRow, decayed_at
from remember_me.app.promotion import demotion_of, promotion_of, rows_due
from remember_me.app.room import Room, fit
from remember_me.app.wiring import Session
from remember_me.model.change import Change, Revise, Revised, SetFields, Values
from remember_me.model.entry import Entry, Status, Tier
from remember_me.model.revision import POLICY
from remember_me.notes import layout
from remember_me.notes.layout import NoteKind
from remember_me.policy.confirm import Sighting, decide_reinforcement, origin
from remember_me.policy.duplicates import Repeated, find_repeated
from remember_me.policy.tiers import DemoteReason, is_expired
from remember_me.store.snapshot import Snapshot
from remember_me.store.store import Applied

MAINTAIN_MARK = "maintain"
VERB = "maintain"


class Maintenance(NamedTuple):
    """What is due: repeated statements to merge, hypotheses to discard, expired entries to end, entries to promote,
    and what MEMORY.md has room for. `applied` is None for a preview or where nothing is."""

    merge: tuple[Repeated, ...]
    discard: tuple[DecayRow, ...]
    expire: tuple[Entry, ...]
    room: Room
    applied: Applied | None = None

    @property
    def anything(self) -> bool:
        """Whether there is something to do."""
        return bool(self.merge or self.discard or self.expire or self.room.promote)


def maintain(session: Session, *, apply: bool, environ: Mapping[str, str]) -> Maintenance:
    """Review the store; with `apply` do what is due as one operation of the actor `policy`."""
    found = review(session, session.store.read(), environ)
    if not apply:
        return found
    if found.anything:
        request = session.request(VERB)._replace(actor=POLICY, visit=None)
        found = found._replace(applied=session.store.apply(_changes(session, found), request))
    session.agent_sessions.set_notice(MAINTAIN_MARK, None, session.now())
    session.state.set_mark(MAINTAIN_MARK, session.now())
    session.state.set_held([row.entry.id for row in found.room.held])
    return found


def is_due(session: Session, snapshot: Snapshot) -> bool:
    """Whether maintenance was not done for as many days as the settings say; a store younger than that is not due."""
    every = timedelta(days=session.limits.maintain_every_days)
    last = session.state.mark(MAINTAIN_MARK)
    if last is not None:
        return session.now() - last >= every
    first = min((note.on for note in snapshot.notes.values() if note.on is not None), default=None)
    return first is not None and session.today() - first >= every


def review(session: Session, snapshot: Snapshot, environ: Mapping[str, str]) -> Maintenance:
    """What is due at this moment. Changes nothing."""
    now = session.now()
    served = {entry.id: entry for entry in snapshot.entries() if not session.store.hides(entry)}
    expire = [entry for entry in served.values() if entry.live and is_expired(entry, now)]
    ended = {entry.id for entry in expire}
    merge = [pair for pair in find_repeated(_oldest_first(served.values())) if pair.kept.id not in ended]
    ended |= {pair.later.id for pair in merge}
    for pair in merge:
        kept = served[pair.kept.id]
        served[kept.id] = _with_values(kept, _reinforced(session, pair)(kept).values)
    left = [entry for entry in served.values() if entry.id not in ended]
    discard = [row for row in decayed_at(session, now, left) if row.decayed.due]
    ended |= {row.entry.id for row in discard}
    reviewed, held = _reviewed(session, snapshot), session.state.held()
    room = fit(
        session.store.shape,
        snapshot.notes.get(layout.LONG_TERM_NAME),
        rows_due(session, [e for e in left if e.id not in ended and (e.note in reviewed or e.id in held)]),
        leaving={entry.id for entry in expire if entry.tier is Tier.LONG_TERM},
        reinforced=sum(pair.kept.tier is Tier.LONG_TERM for pair in merge),
        limit=session.limits.long_term_tokens,
        environ=environ,
    )
    return Maintenance(tuple(merge), tuple(discard), tuple(expire), room)


def _oldest_first(entries: Iterable[Entry]) -> list[Entry]:
    """Long-term entries first, then by age: the one that stays of two that say the same."""
    return sorted(
        entries,
        key=lambda e: (e.tier is not Tier.LONG_TERM, e.created_on.isoformat() if e.created_on else "", e.note, e.line),
    )


def _reviewed(session: Session, snapshot: Snapshot) -> set[str]:
    """The newest daily notes, and those since the last maintenance: none is left out because it came late."""
    daily = sorted((note for note in snapshot.notes.values() if note.kind is NoteKind.DAILY), key=lambda n: n.path)
    last = session.state.mark(MAINTAIN_MARK)
    since = {note.path for note in daily if last is not None and note.on is not None and note.on >= last.date()}
    return since | {note.path for note in daily[-session.limits.reviewed_notes :]}


def _reinforced(session: Session, pair: Repeated) -> Callable[[Entry], Revised]:
    """The earlier statement counts one session more, if the later one comes from another."""
    later, limits = pair.later, session.limits
    on = later.created_on or session.today()
    at = later.created_at if later.created_at and later.created_at.tzinfo else datetime.combine(on, time(12), UTC)

    def decide(kept: Entry) -> Revised:
        name = origin(later) or ""
        return decide_reinforcement(kept, Sighting(name, at, counted=name == ""), limits)._replace(verb=None)

    return decide


def _with_values(entry: Entry, values: Values) -> Entry:
    new = dict(values)
    kept = [(key, value) for key, value in entry.fields if key not in new]
    return entry._replace(fields=(*kept, *((key, value) for key, value in new.items() if value is not None)))


def _changes(session: Session, found: Maintenance) -> list[Change]:
    changes: list[Change] = []
    ended: list[tuple[Entry, Status, str]] = []
    names: dict[str, str] = {}
    for pair in found.merge:
        kept = pair.kept
        standing = names.get(kept.id, kept.id)  # after the first change a provisional one has a real id
        name = names.setdefault(kept.id, session.new_entry_id() if kept.provisional else kept.id)
        changes.append(Revise(standing, _reinforced(session, pair), name))
        ended.append((pair.later, Status.SUPERSEDED, f"repeats {name}"))
    ended += [(row.entry, Status.DISCARDED, "; ".join(row.decayed.reasons)) for row in found.discard]
    expired = DemoteReason.EXPIRED.value
    ended += [(entry, Status.STALE, expired) for entry in found.expire if entry.tier is not Tier.LONG_TERM]
    for entry, status, reason in ended:
        values = (("status", status.value), ("reason", reason))
        changes.append(SetFields(names.get(entry.id, entry.id), values, session.new_entry_id()))
    changes += [demotion_of(session, entry, expired) for entry in found.expire if entry.tier is Tier.LONG_TERM]
    entries = [row.entry for row in found.room.promote]
    if entries:
        changes.append(promotion_of(session, [e._replace(id=names.get(e.id, e.id)) for e in entries]))
    return changes
