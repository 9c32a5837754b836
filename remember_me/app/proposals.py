"""Review: what waits for a person, kept or restored (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from remember_me.app.wiring import Session
from remember_me.errors import EditConflict, EntryNotFound, InvalidInput, Refused
from remember_me.model.change import Add, Change, Correct, Demote, Revise, Revised, Rule
from remember_me.model.entry import Entry, Tag
from remember_me.model.revision import PERSON
from remember_me.notes.layout import daily_name
from remember_me.notes.note import encode
from remember_me.notes.splice import ordered_fields, set_fields
from remember_me.policy.checkin import was_asked
from remember_me.policy.confirm import decide_confirmation
from remember_me.policy.tiers import DemoteReason
from remember_me.policy.trust import reviews
from remember_me.store.proposals import Proposal, Unreadable, entry_of, readable
from remember_me.store.review import base_of, corrected_since
from remember_me.store.store import Applied

KEEP_VERB, RESTORE_VERB = "keep", "restore"
_WORDS = ("correct", "contradict")
"""Changes of an entry that bring new words."""


class Card(NamedTuple):
    """What a person decides about.

    `proposal` is None for an entry that an agent wrote by itself, which counts already and can be restored. `entry` is
    as it would be, or is; `current` the entry that it would change, as it stands. `moved` says that this one was
    changed since. `corrected` are the entries that it rests on and whose words are others by now. `fault` is why the
    file of the proposal cannot be read.
    """

    id: str
    verb: str
    actor: str
    because: str
    proposal: Proposal | None = None
    entry: Entry | None = None
    current: Entry | None = None
    moved: bool = False
    fault: Unreadable | None = None
    corrected: tuple[str, ...] = ()


def cards(session: Session, *, everything: bool = False) -> list[Card]:
    """What waits, the oldest first; with `everything` also what agents wrote by themselves and nobody looked at yet."""
    found = [_card(session, one) for one in session.store.proposals.all() if may_see(session, one)]
    return [*found, *_written(session)] if everything and not reviews(session.actor) else found


def may_see(session: Session, found: Proposal | Unreadable) -> bool:
    """Whether the actor may read it: an agent what it proposed itself, for the rest is no text that counts."""
    if not reviews(session.actor):
        return True
    own = session.client_session
    return isinstance(found, Proposal) and own is not None and found.session == own


def card(session: Session, given: str) -> Card:
    """One card. Raises EntryNotFound."""
    try:
        found = session.store.proposals.find(given)
        if not may_see(session, found):
            raise EntryNotFound(given, kind="proposal")
        return _card(session, found)
    except EntryNotFound:
        wanted = given.removeprefix("^").lower()
        for one in _written(session):
            if one.id == wanted:
                return one
        raise


def _card(session: Session, found: Proposal | Unreadable) -> Card:
    if isinstance(found, Unreadable):
        return Card(found.id, "", "", "", fault=found)
    entry = entry_of(found, session.store.shape)
    current, moved = None, False
    if found.target is not None:
        try:
            current = session.store.find(found.target).entry
            moved = found.base != base_of(session.store, found.target)
        except EntryNotFound:
            moved = True
    fault = entry if isinstance(entry, Unreadable) else None
    shown = entry if isinstance(entry, Entry) else None
    corrected = corrected_since(session.store, found)
    return Card(found.id, found.verb, found.actor, found.because, found, shown, current, moved, fault, corrected)


def _written(session: Session) -> list[Card]:
    """The live entries that an agent stands behind."""
    return [
        Card(entry.id, "add", actor, "it counts already", entry=entry)
        for entry in session.store.entries()
        if entry.live and (actor := session.store.actor_of(entry.id)) is not None and reviews(actor)
    ]


def refuse_others(session: Session, verb: str) -> None:
    """Raise Refused where anybody but a person decides (DESIGN section 5)."""
    if session.actor != PERSON:
        sentence = f"Only the user may {verb} what waits for review."
        raise session.counted(Refused(f"{verb}-person", sentence, hint="Run the command in a terminal."))


def keep(session: Session, given: str, *, anyway: bool = False, anew: bool = False) -> Applied:
    """Let a proposal take effect, as it stands in its file. Raises EditConflict where its entry was changed since."""
    from remember_me.app.resting import naming

    refuse_others(session, KEEP_VERB)
    found = card(session, given)
    if found.proposal is None and found.fault is None:
        request = session.request(KEEP_VERB)._replace(acknowledges=(found.id,))
        return session.store.apply([], request)._replace(rests_on_it=())
    if found.fault is not None:
        readable(found.fault)
    assert found.proposal is not None
    if found.proposal.verb == "forget" and found.proposal.target is not None:
        from remember_me.app import erase, forget

        applied = erase.forget(session, forget.find(session, forget.Wanted((found.proposal.target,))))
        session.store.proposals.remove(found.id)
        return applied._replace(rests_on_it=())
    if found.moved and not anyway:
        raise EditConflict(
            f"{found.proposal.target} was changed since {found.id} was proposed; nothing was overwritten.",
            hint=f"See both with `remember-me review {found.id}`, then add --anyway, or restore it.",
        )
    changes = _changes(session, found)
    scope = found.entry.scope if found.entry is not None else None
    applied = session.store.apply(changes, session.request(KEEP_VERB, anyway=True, anew=anew, scope=scope))
    session.store.proposals.remove(found.id)
    if found.current is None:
        return applied._replace(rests_on_it=())
    return naming(session, applied, found.current, ended=found.verb == "contradict")


def _changes(session: Session, found: Card) -> Sequence[Change]:
    """What keeping a proposal does."""
    proposal, entry = found.proposal, found.entry
    assert proposal is not None
    if proposal.target is None:
        if entry is None:
            raise InvalidInput(f"{found.id} holds no entry.", hint=f"`remember-me restore {found.id}` takes it out.")
        return [_added(session, proposal, entry)]
    if found.current is None:
        raise EntryNotFound(proposal.target, hint=f"`remember-me restore {found.id}` takes the proposal out.")
    changes: list[Change] = []
    named = None
    if entry is not None and entry.id != found.current.id:
        if found.current.provisional and proposal.verb != "contradict":
            named, entry = entry.id, entry._replace(id=found.current.id)  # the id that it gets with the change
        else:
            changes.append(_added(session, proposal, entry))
            entry = None
    if proposal.verb == "demote":
        reason = proposal.reason or DemoteReason.CONTRADICTED.value
        return [Demote(found.current.id, reason, session.now(), session.new_entry_id())]
    if proposal.verb == "contradict":
        from remember_me.app.life import ended_by

        return [*changes, ended_by(session, found.current)]
    if entry is None:
        return changes
    new_id = named or session.new_entry_id()
    if (entry.title, entry.body) != (found.current.title, found.current.body):
        changes.append(Correct(entry.id, entry.title, entry.body, new_id))
    standing = new_id if changes and entry.provisional else entry.id  # it has that id once its words are changed
    changes.append(Revise(standing, _as_proposed(entry), new_id))
    return changes


def _as_proposed(wanted: Entry) -> Rule:
    def decide(found: Entry) -> Revised:
        keys = dict.fromkeys([key for key, _ in (*found.fields, *wanted.fields) if key != "evidence"])
        values = tuple((key, wanted.field(key)) for key in keys if found.field(key) != wanted.field(key))
        known = {value for key, value in found.fields if key == "evidence"}
        added = tuple(pair for pair in wanted.fields if pair[0] == "evidence" and pair[1] not in known)
        return Revised(values, added, wanted.tag if wanted.tag is not found.tag else None)

    return decide


def _added(session: Session, proposal: Proposal, entry: Entry) -> Add:
    from remember_me.policy.tagging import is_promoted_at_once

    document = proposal.item if proposal.file is not None else None
    promote = document is None and is_promoted_at_once(entry.tag, entry.fields, proposal.at)
    return Add(
        entry.id if not entry.provisional else session.new_entry_id(),
        entry.tag,
        entry.title,
        entry.body,
        entry.fields,
        proposal.at,
        topic=proposal.file,
        document=document,
        promote=promote,
        again=None if document is not None else lambda standing: Revised(),
    )


def waits(session: Session, given: str) -> bool:
    """Whether that id is of a proposal."""
    wanted = given.removeprefix("^").lower()
    return any(one.id == wanted for one in session.store.proposals.all())


def guesses(session: Session) -> list[Entry]:
    """The hypotheses that wait for review: a check-in is their review, too."""
    found = (entry_of(one, session.store.shape) for one in session.store.proposals.all() if isinstance(one, Proposal))
    new = [entry for entry in found if isinstance(entry, Entry) and entry.tag is Tag.HYPOTHESIS]
    return [entry for entry in new if not entry.provisional and not session.store.hides(entry)]


def mark_asked(session: Session, given: str, today: str) -> bool:
    """Write down that a guess which waits was asked about; False where it was already."""
    store = session.store
    with store.locked():
        proposal = readable(store.proposals.find(given))
        entry = entry_of(proposal, store.shape)
        if not isinstance(entry, Entry) or was_asked(entry):
            return False
        note = store.shape.parse(store.shape.note_path(daily_name(proposal.at.date())), encode(proposal.item))
        store.proposals.put(proposal._replace(item=set_fields(note, 0, [("asked", today)], entry.id)))
    return True


def keep_confirmed(session: Session, given: str) -> Applied:
    """Keep a guess that waits, as the user's answer to a check-in: confirmed, so that it decays no more."""
    found = card(session, given)
    if found.fault is not None:
        readable(found.fault)
    assert found.proposal is not None
    assert found.entry is not None
    added = _added(session, found.proposal, found.entry)
    confirmed = decide_confirmation(found.entry, None, session.today())
    values = dict(found.entry.fields) | {key: value for key, value in confirmed.values if value is not None}
    fields = ordered_fields(
        [pair for pair in found.entry.fields if pair[0] == "evidence"]
        + [(key, value) for key, value in values.items() if key != "evidence"]
    )
    request = session.request("checkin", scope=found.entry.scope)._replace(answered=True)
    applied = session.store.apply([added._replace(fields=fields)], request)
    session.store.proposals.remove(found.id)
    return applied


def restore(session: Session, given: str) -> tuple[Card, Applied | None]:
    """Turn a proposal down, or take back what an agent wrote: its text is fenced for agents from then on."""
    from remember_me.app.forget import rejected

    refuse_others(session, RESTORE_VERB)
    found = card(session, given)
    applied = None
    if found.entry is not None and (found.current is None or found.verb in _WORDS):
        applied = rejected(session, found)
    if found.proposal is not None or found.fault is not None:
        session.store.proposals.reject(found.id)
    return found, applied
