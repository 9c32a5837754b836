"""Save, correct, pin and disable: what changes one entry at a person's or an agent's word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from remember_me.app.draft import Draft, check_text, evidence_value, field_value, new_entry, new_topic, session_of
from remember_me.app.grounding import ground, ground_entry
from remember_me.app.wiring import Session
from remember_me.errors import InvalidInput, Refused, WaitsForReview
from remember_me.model.change import Add, Correct, Revise, Revised, Rule, SetFields
from remember_me.model.entry import Entry, Status, Tag
from remember_me.model.revision import AGENT_PREFIX, PERSON
from remember_me.notes.splice import corrected_words
from remember_me.policy.trust import NEVER, reviews
from remember_me.store.store import Applied


def add(session: Session, draft: Draft) -> Applied:
    """Save a draft as an entry of today's note, or reinforce or confirm the one that says the same already."""
    change, ground = ground_entry(session, new_entry(session, draft), draft.quotes)
    name = session.session_name(session_of(draft))
    _check_guesses(session, change, name)
    change = change._replace(
        again=_said_again(session, draft, change, name, grounded=ground.grounded),
        confirms=_confirms(session, draft, change),
    )
    request = session.request("add", session_of(draft), anyway=draft.anyway, anew=draft.anew, scope=draft.scope)
    try:
        applied = session.store.apply([change], ground.told(request))
    except WaitsForReview as waits:
        if change.tag is Tag.HYPOTHESIS:
            session.state.note_guess(name, waits.proposal)
        raise
    note_carried(session, applied, name)
    return applied


def _confirms(session: Session, draft: Draft, change: Add) -> bool:
    """Whether the person means it: a guess of the same words is confirmed by it."""
    return session.actor == PERSON and (draft.tag is None or change.tag is not Tag.HYPOTHESIS)


def _said_again(session: Session, draft: Draft, change: Add, name: str, *, grounded: bool) -> Rule:
    """What becomes of the entry that says the same as `change` already.

    The same message once more changes nothing, and brings nothing back that was taken back since. Without the user's
    own words an agent reinforces nothing.
    """
    limits, state = session.limits, session.state

    def decide(entry: Entry) -> Revised:
        from remember_me.policy.confirm import Sighting, decide_confirmation, decide_reinforcement
        from remember_me.policy.duplicates import sources

        if draft.source is not None and draft.source in sources(entry):
            if not entry.live:
                raise Refused(
                    "withdrawn",
                    f"This message was taken in already as {entry.id}, which is {entry.status} since.",
                    hint="If the user says it anew, save it with the message that says so.",
                )
            return Revised()
        if reviews(session.actor) and not (grounded or (session.review == NEVER and draft.quotes)):
            return Revised()
        quotes = tuple((key, value) for key, value in change.fields if key == "evidence")
        known = {value for key, value in entry.fields if key == "evidence"}
        added = tuple(pair for pair in quotes if pair[1] not in known)
        if entry.tag is Tag.HYPOTHESIS and _confirms(session, draft, change):
            tag = change.tag if draft.tag is not None else None
            return decide_confirmation(entry, tag, session.today())._replace(added=added, verb="confirm")
        seen = Sighting(name, change.at, state.was_counted(entry.id, name))
        return decide_reinforcement(entry, seen, limits)._replace(added=added)

    return decide


def _check_guesses(session: Session, change: Add, name: str) -> None:
    """Hypotheses of agents are few (DESIGN section 4). Raises Refused."""
    if change.tag is not Tag.HYPOTHESIS or not session.actor.startswith(AGENT_PREFIX):
        return
    most = session.limits.hypotheses_per_session
    if session.state.guesses(name) >= most:
        sentence = f"{name} saved {most} hypotheses already, which is the most for one session."
        hint = "Keep the guess for a later session, or ask the user."
        raise session.counted(Refused("hypotheses-per-session", sentence, hint=hint))


def note_carried(session: Session, applied: Applied, name: str) -> None:
    """Log which session carried the entry, for the rules that count sessions."""
    verb, ids = applied.operation.verb, applied.operation.entries
    if applied.changed and verb in ("reinforce", "confirm"):
        session.state.note_sightings(ids, name, applied.operation.at)
    elif applied.entries and applied.entries[0].tag is Tag.HYPOTHESIS and session.actor.startswith(AGENT_PREFIX):
        session.state.note_guess(name, ids[0])


def add_file(session: Session, file: Path, draft: Draft) -> Applied:
    """Take a markdown file into the store as a topic note: its bytes stay, missing front matter is added."""
    request = session.request("add", session_of(draft), anyway=draft.anyway, anew=draft.anew, scope=draft.scope)
    return session.store.apply([new_topic(session, file, draft)], request)


def correct(
    session: Session, given: str, text: str, quotes: Sequence[str] = (), *, anyway: bool = False, anew: bool = False
) -> Applied:
    """New words for an entry; the id stays."""
    from remember_me.app.resting import naming

    words = check_text(text)
    entry = session.store.find(given).entry
    title, body = corrected_words(entry, words)
    change = Correct(entry.id, title, body, session.new_entry_id())
    request = session.request("correct", anyway=anyway, anew=anew, scope=entry.scope)
    found = ground(session, title, body, quotes)
    evidence = tuple(("evidence", value) for value in found.evidence or tuple(evidence_value(q, None) for q in quotes))
    named = change.new_id if entry.provisional else entry.id  # it has that id once its words are changed
    added = [Revise(named, lambda _: Revised(added=evidence), change.new_id)] if evidence else []
    return naming(session, session.store.apply([change, *added], found.told(request)), entry)


def pin(session: Session, given: str) -> Applied:
    """Show an entry to agents every time."""
    return set_fields(session, "pin", session.store.find(given).entry, {"pinned": "true"})


def unpin(session: Session, given: str) -> Applied:
    """Take the pin off an entry."""
    return set_fields(session, "unpin", session.store.find(given).entry, {"pinned": None})


def enable(session: Session, given: str) -> Applied:
    """Serve a disabled entry again. Raises InvalidInput for one that is neither disabled nor active."""
    entry = session.store.find(given).entry
    _check_status(entry, Status.DISABLED, also=Status.ACTIVE)
    return set_fields(session, "enable", entry, {} if entry.live else {"status": None, "reason": None})


def disable(session: Session, given: str, reason: str | None) -> Applied:
    """Stop serving an entry. Raises InvalidInput for one that is neither active nor disabled."""
    values: dict[str, str | None] = {"status": Status.DISABLED.value}
    if reason is not None:
        values["reason"] = field_value("reason", reason)
    entry = session.store.find(given).entry
    _check_status(entry, Status.ACTIVE, also=Status.DISABLED)
    return set_fields(session, "disable", entry, values)


def _check_status(entry: Entry, wanted: Status, *, also: Status) -> None:
    if entry.status not in (wanted, also):
        raise InvalidInput(
            f"{entry.id} is {entry.status}, not {wanted}.", hint=f"`remember-me get {entry.id}` shows it."
        )


def set_fields(session: Session, verb: str, entry: Entry, values: Mapping[str, str | None]) -> Applied:
    """Write fields into an entry; None takes one away."""
    change = SetFields(entry.id, tuple(values.items()), session.new_entry_id())
    return session.store.apply([change], session.request(verb, scope=entry.scope))
