"""Whether an agent's write stands on the user's own words: its quotes against the receipts of its session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from remember_me.app.wiring import Session
from remember_me.model.change import Add
from remember_me.model.entry import Evidence, render_evidence
from remember_me.model.receipt import Receipt
from remember_me.model.revision import AGENT_PREFIX
from remember_me.policy.trust import NO_QUOTE
from remember_me.store.receipts import Receipts
from remember_me.store.store import Request
from remember_me.store.tables import RECEIPTS_NAME

_TEXT_FIELDS = ("description", "aliases", "probe")
"""Fields whose words an agent chooses and which are found or shown: the quote has to carry them, too."""


class Ground(NamedTuple):
    """What the receipts say of a write. `evidence` are the field values that take the place of the agent's quotes."""

    grounded: bool
    because: str = NO_QUOTE
    evidence: tuple[str, ...] = ()

    def told(self, request: Request) -> Request:
        """The request with it."""
        return request._replace(grounded=self.grounded, because=self.because)


def receipts_of(session: Session) -> Receipts:
    """The receipts of this store."""
    return Receipts(session.store.own_folder / RECEIPTS_NAME)


def recent_messages(session: Session, name: str) -> tuple[Receipt, ...]:
    """The messages of that session that an agent may quote from, newest first.

    Where the client handed over its own file of the session, that must hold the message, too.
    """
    from remember_me.policy.grounding import RECENT
    from remember_me.store.transcripts import holds

    last = receipts_of(session).last(name, RECENT, now=session.now())
    return tuple(one for one in last if not one.transcript or holds(one.transcript, one.text))


def ground(session: Session, title: str, body: str, quotes: Sequence[str]) -> Ground:
    """Whether one of the quotes, found in the last messages of this session, carries what is written.

    The session is that of the client's environment: what an agent says of itself does not count.
    """
    if not session.actor.startswith(AGENT_PREFIX) or not quotes:
        return Ground(False)
    from remember_me.policy.grounding import Grounded, decide_grounding

    name = session.client_session
    if name is None:
        return Ground(False, "its client does not say which session this is")
    recent = recent_messages(session, name)
    because = ""
    for quote in quotes:
        found = decide_grounding(title, body, quote, recent)
        if isinstance(found, Grounded):
            return Ground(True, "", (_evidence(found.quote, found.receipt, found.start, found.end),))
        because = because or _half_sentence(found.reason.value)
    return Ground(False, because)


def _half_sentence(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def _evidence(quote: str, receipt: Receipt, start: int, end: int) -> str:
    """The user's words as they were typed, with the message, its time, and where in it they stand."""
    at = receipt.at.isoformat(timespec="seconds")
    return render_evidence(Evidence(quote, f"{receipt.session}/{receipt.message_id}, {at}, characters {start}-{end}"))


def ground_entry(session: Session, change: Add, quotes: Sequence[str]) -> tuple[Add, Ground]:
    """The same for a new entry; where it is grounded, its evidence is what the user typed, not what the agent says."""
    chosen = [value for key, value in change.fields if key in _TEXT_FIELDS]
    body = "\n".join(part for part in (change.body, *chosen) if part)
    found = ground(session, change.title, body, quotes)
    if found.grounded:
        fields = [pair for pair in change.fields if pair[0] != "evidence"]
        change = change._replace(fields=(*fields, *(("evidence", value) for value in found.evidence)))
    return change, found
