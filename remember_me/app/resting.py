"""What rests on a text that was corrected or contradicted: it is named, so that somebody looks at it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from remember_me.app.proposals import may_see
from remember_me.app.wiring import Session
from remember_me.model.entry import Entry, Tier
from remember_me.policy.links import note_name, rests_on
from remember_me.store.proposals import Proposal, entry_of
from remember_me.store.request import Applied, Resting


def naming(session: Session, applied: Applied, old: Entry, *, ended: bool = False) -> Applied:
    """The answer with what rests on `old`, where that has other words by now or has `ended`."""
    now = next((entry for entry in applied.entries if entry.id == old.id), old)
    if not applied.changed or not (ended or (now.title, now.body) != (old.title, old.body)):
        return applied._replace(rests_on_it=())
    return applied._replace(rests_on_it=tuple(_resting(session, old, applied.operation.entries)))


def _resting(session: Session, old: Entry, but: Collection[str]) -> Iterator[Resting]:
    """Live entries that link to it, and proposals that would change it or link to it."""
    store = session.store
    words = [old.id, note_name(old.note)] if old.tier is Tier.TOPIC else [old.id]
    for entry in store.read(words).entries():
        if entry.live and entry.id not in but and not store.hides(entry) and rests_on(entry, old):
            yield Resting(entry.id)
    for proposal in store.proposals.all():
        if isinstance(proposal, Proposal) and may_see(session, proposal):
            entry_to_be = entry_of(proposal, store.shape)
            linked = isinstance(entry_to_be, Entry) and rests_on(entry_to_be, old)
            if proposal.target == old.id or linked:
                yield Resting(proposal.id, pending=True)
