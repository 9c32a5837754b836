"""The life of one entry: confirm, reinforce, contradict and link it, and how hypotheses decay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time
from typing import NamedTuple

from remember_me.app.capture import note_carried
from remember_me.app.draft import Draft, check_session, field_value, new_entry, session_of
from remember_me.app.grounding import ground, ground_entry
from remember_me.app.read import parse_day
from remember_me.app.wiring import Session
from remember_me.errors import InvalidInput, Refused, shorten
from remember_me.model.change import Change, Demote, Revise, Revised
from remember_me.model.entry import Entry, Status, Tag, Tier
from remember_me.model.revision import AGENT_PREFIX
from remember_me.policy.confirm import (
    Sighting,
    changed,
    decide_confirmation,
    decide_reinforcement,
    ended_already,
    refuse_ended,
)
from remember_me.policy.decay import Decayed, decide_decay, last_seen_on
from remember_me.policy.tiers import DemoteReason
from remember_me.policy.trust import NEVER, reviews
from remember_me.store.state import SessionDays
from remember_me.store.store import Applied

INHERITED = ("scope", "signal", "impact", "facet")
"""What a statement has from the one that it takes the place of: where it holds and how much depends on it."""


class DecayRow(NamedTuple):
    """A live hypothesis and how it reads at the moment that was asked for."""

    entry: Entry
    decayed: Decayed


def confirm(session: Session, given: str, as_tag: str | None) -> Applied:
    """The person said that it is so: a hypothesis is high and decays no more, or becomes another tag, under its id."""
    refuse_agents(session, "confirm")
    tag, on = _new_tag(as_tag), session.today()
    entry = session.store.find(given).entry
    change = Revise(entry.id, lambda found: decide_confirmation(found, tag, on), session.new_entry_id())
    return session.store.apply([change], session.request("confirm", scope=entry.scope))


def refuse_agents(session: Session, verb: str) -> None:
    """Raise Refused where an agent wants to do what is the person's (DESIGN section 5)."""
    if session.actor.startswith(AGENT_PREFIX):
        sentence = f"An agent cannot {verb} an entry; that is the user's word."
        hint = "Ask the user to run the command in a terminal."
        raise session.counted(Refused("agent-confirm", sentence, hint=hint))


def _new_tag(given: str | None) -> Tag | None:
    """What a guess becomes when it is confirmed; None: it stays one. Raises InvalidInput."""
    if given is None:
        return None
    possible = [tag for tag in Tag if tag is not Tag.HYPOTHESIS]
    if given.upper() not in possible:
        raise InvalidInput(
            f"{shorten(given)} is nothing that a guess can become.", hint=f"Possible are {', '.join(possible)}."
        )
    return Tag(given.upper())


def reinforce(session: Session, given: str, session_given: str | None, quotes: Sequence[str] = ()) -> Applied:
    """Behaviour aligned again: the clock of a hypothesis starts anew, and in another session it gains a level.

    An agent needs the user's own words for it, unless nothing of agents is reviewed. Raises Refused.
    """
    entry = session.store.find(given).entry
    if reviews(session.actor) and session.review != NEVER:
        found = ground(session, entry.title, "", quotes)
        if not found.grounded:
            sentence = f"An agent reinforces only on the user's own words; {found.because}."
            raise session.counted(Refused("reinforce-quote", sentence, hint="Give them with --quote."))
    session_given = check_session(session_given)
    name, now, limits, state = session.session_name(session_given), session.now(), session.limits, session.state

    def decide(found: Entry) -> Revised:
        return decide_reinforcement(found, Sighting(name, now, state.was_counted(found.id, name)), limits)

    request = session.request("reinforce", session_given, scope=entry.scope)
    applied = session.store.apply([Revise(entry.id, decide, session.new_entry_id())], request)
    note_carried(session, applied, name)
    return applied


def contradict(session: Session, given: str, draft: Draft | None) -> Applied:
    """A new statement ends an old one: long-term becomes stale, a daily one superseded, a hypothesis discarded.

    Without a statement it ends all the same: "that was wrong" is enough. Raises Refused for one that has ended.
    """
    from remember_me.app.resting import naming

    old = session.store.find(given).entry
    if not old.live:
        raise session.counted(ended_already(old, "contradict-live"))
    ended = ended_by(session, old)
    if draft is None:
        applied = session.store.apply([ended], session.request("contradict", scope=old.scope))
        return naming(session, applied, old, ended=True)
    tag = draft.tag or (None if old.tag is Tag.HYPOTHESIS else old.tag.value)
    given_keys = {key for key, _ in draft.fields}
    inherited = tuple((key, value) for key, value in old.fields if key in INHERITED and key not in given_keys)
    fields = (*draft.fields, *inherited, ("supersedes", old.id))
    new, found = ground_entry(session, new_entry(session, draft._replace(tag=tag, fields=fields)), draft.quotes)
    request = session.request("contradict", session_of(draft), anyway=draft.anyway, anew=draft.anew, scope=old.scope)
    return naming(session, session.store.apply([new, ended], found.told(request)), old, ended=True)


def ended_by(session: Session, old: Entry) -> Change:
    """The change that ends an entry which turned out wrong."""
    reason, new_id = DemoteReason.CONTRADICTED.value, session.new_entry_id()
    if old.tier is Tier.LONG_TERM and old.tag is not Tag.HYPOTHESIS:
        return Demote(old.id, reason, session.now(), new_id)
    status = Status.DISCARDED if old.tag is Tag.HYPOTHESIS else Status.SUPERSEDED
    if old.tier is Tier.TOPIC:
        status = Status.STALE

    def decide(found: Entry) -> Revised:
        refuse_ended(found, "contradict-live")
        return Revised((("status", status.value), ("reason", reason)))

    return Revise(old.id, decide, new_id)


def link(session: Session, given: str, targets: Sequence[str]) -> Applied:
    """Add links to notes or other entries; those that are there already stay once."""
    entry = session.store.find(given).entry
    wanted = [field_value("links", target) for target in targets]

    def decide(found: Entry) -> Revised:
        old = [part.strip() for part in (found.field("links") or "").split(",") if part.strip()]
        return Revised(changed(found, {"links": ", ".join(dict.fromkeys([*old, *wanted]))}))

    change = Revise(entry.id, decide, session.new_entry_id())
    return session.store.apply([change], session.request("link", scope=entry.scope))


def decay(session: Session, at: str | None) -> list[DecayRow]:
    """How each live hypothesis reads now, or on a day (at noon UTC); the ones that are due first. Changes nothing."""
    return decayed_at(session, _moment(session, at), session.store.entries())


def decayed_at(session: Session, now: datetime, entries: Iterable[Entry]) -> list[DecayRow]:
    """The live hypotheses among `entries` as they read at `now`; the ones that are due first, then the oldest."""
    days, limits = session.state.session_days(), session.limits
    rows = [
        DecayRow(entry, decayed)
        for entry in entries
        if entry.live
        and (decayed := decide_decay(entry, now, limits, later_sessions=later_sessions(days, entry))) is not None
    ]
    return sorted(rows, key=lambda row: (not row.decayed.due, -(row.decayed.age_days or 0), row.entry.id))


def later_sessions(days: SessionDays, entry: Entry) -> int:
    """The sessions that count against a hypothesis: those after its last reinforcement, else its creation."""
    began = last_seen_on(entry)
    return 0 if began is None else days.later(entry.scope, began.isoformat())


def _moment(session: Session, at: str | None) -> datetime:
    if at is None:
        return session.now()
    return datetime.combine(parse_day(at), time(12), UTC)
