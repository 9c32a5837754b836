"""Where an operation of an agent or a script becomes a proposal instead, and what a tombstone keeps out.

Part of the gateway: it sees what is planned, before a byte is written (DESIGN sections 5, 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from typing import TYPE_CHECKING

from remember_me.errors import AmbiguousId, EntryNotFound, Refused, WaitsForReview
from remember_me.model.change import Add, Change, Demote
from remember_me.model.entry import Entry, Tier, is_id
from remember_me.model.revision import SCRIPT
from remember_me.model.text import join_title
from remember_me.notes import layout
from remember_me.notes.layout import NoteKind
from remember_me.notes.longterm import remove_entries
from remember_me.notes.note import content_hash, decode, encode
from remember_me.notes.splice import adopt_topic_note, entry_lines, render_entry
from remember_me.notes.tombstones import ALLOWED, FORGOTTEN, Tombstone, render_tombstone
from remember_me.policy.duplicates import text_of
from remember_me.policy.likeness import normal_form
from remember_me.policy.links import Link, links_of
from remember_me.policy.tiers import DemoteReason
from remember_me.policy.trust import Asking, Touched, decide_review, reviews
from remember_me.store.fence import Fence
from remember_me.store.plan import Plan
from remember_me.store.proposals import Proposal, entry_of

if TYPE_CHECKING:
    from remember_me.store.store import Request, Store

FORGOTTEN_RULE, REJECTED_RULE = "forgotten", "rejected"


class Fenced(Refused):
    """The text was forgotten, or rejected by the person. A person may say it anew."""

    def __init__(self, tombstone: Tombstone) -> None:
        self.tombstone = tombstone
        forgotten = tombstone.kind == FORGOTTEN
        super().__init__(
            FORGOTTEN_RULE if forgotten else REJECTED_RULE,
            f"This was {tombstone.kind} on {tombstone.at[:10]} as {tombstone.id}.",
            hint="Only the person can say it anew: in a terminal, or with --anew.",
        )


def check_fence(store: Store, plan: Plan, request: Request) -> None:
    """Keep out what was forgotten. Raises Fenced; undo and redo leave such entries out instead.

    `request.anew` lets a person's new statement in. What a person does is not fenced by a rejection.
    """
    fence = store.fence
    if fence.empty:
        return
    said_anew: dict[str, Entry] = {}
    for path in plan.touched:
        for number, entry, fenced in reversed(list(_fenced(plan, path, fence, reviews(request.actor)))):
            if request.undoes or request.redoes:
                _leave_out(plan, path, number, entry)
            elif not request.anew:
                raise Fenced(fenced)
            else:
                said_anew[entry.id] = entry
    _allow(store, plan, said_anew.values())
    if (request.undoes or request.redoes) and not plan.touched and plan.left_out:
        raise Refused(
            FORGOTTEN_RULE,
            "Nothing of that operation is left but what was forgotten.",
            hint="What was forgotten does not come back.",
        )


def _allow(store: Store, plan: Plan, entries: Iterable[Entry]) -> None:
    """Lift the fence for what a person says anew, in the same operation."""
    at = store.tools.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = [
        render_tombstone(Tombstone(at, entry.id, ALLOWED, tuple(filter(None, [store.fence.digest(text_of(entry))]))))
        for entry in entries
    ]
    if lines:
        plan.bury(lines)


def _fenced(plan: Plan, path: str, fence: Fence, both: bool) -> Iterator[tuple[int, Entry, Tombstone]]:
    """(number, entry, tombstone) of each entry that the plan brings in and a tombstone keeps out."""
    before = {(entry.id, entry.title, entry.body) for entry in _entries(plan, plan.before[path], path)}
    note = plan.note(path)
    for number, entry in enumerate(note.entries if note is not None else ()):
        if (entry.id, entry.title, entry.body) not in before:
            found = fence.find(entry)
            if found is not None and (both or found.kind == FORGOTTEN):
                yield number, entry, found


def _entries(plan: Plan, data: bytes | None, path: str) -> Sequence[Entry]:
    return () if data is None else plan.shape.parse(path, data).entries


def _leave_out(plan: Plan, path: str, number: int, entry: Entry) -> None:
    note = plan.note(path)
    assert note is not None
    if note.kind is NoteKind.TOPIC:
        plan.after[path] = None
    else:
        plan.put(path, remove_entries(note, [number]))
        if not plan.shape.parse(path, plan.after[path] or b"").entries and plan.before[path] is None:
            plan.after[path] = None
    plan.entries.pop(entry.id, None)
    plan.left_out.append(entry.id)


def check_review(store: Store, plan: Plan, changes: Sequence[Change], request: Request) -> None:
    """Raise WaitsForReview where a person has to decide; the proposal is written by then."""
    if not reviews(request.actor) or not plan.touched or request.answered:
        return
    request = request._replace(verb=plan.verb or request.verb)  # the same again reinforces
    reason = decide_review(_asking(request), list(touched(store, plan)))
    if reason is not None:
        propose(store, _proposal(store, plan, changes, request, reason), request)


def check_capture(store: Store, change: Add, request: Request) -> None:
    """The same for a new entry that cannot have the lock: raise Fenced, or WaitsForReview with its proposal written."""
    entry = Entry(change.id, change.tag, change.title, change.body, change.fields, "", 0, Tier.DAILY)
    fenced = None if store.fence.empty else store.fence.find(entry)
    if fenced is not None and (fenced.kind == FORGOTTEN or reviews(request.actor)):
        raise Fenced(fenced)  # also what is said anew: the fence is lifted under the lock only
    reason = decide_review(_asking(request), [Touched(None, entry)])
    if reason is not None:
        item = render_entry(change, "\n")
        if change.document is not None:
            with Plan.splicing(change.topic or ""):
                item = adopt_topic_note(change.document, change, change.topic or "")
        proposal = Proposal(change.id, request.verb, request.actor, change.at, reason, request.session, item=item)
        propose(store, proposal._replace(file=change.topic), request)


def _asking(request: Request) -> Asking:
    return Asking(request.verb, request.actor, request.review, request.grounded, request.because)


def touched(store: Store, plan: Plan) -> Iterator[Touched]:
    """Each entry of the plan, as it was and as it would be."""
    before, after = _standing(plan, plan.before), _standing(plan, plan.after)
    for entry_id in plan.entries:
        old = before.get(plan.renamed.get(entry_id, entry_id))
        yield Touched(old, after.get(entry_id), store.ledger.manifest.actors.get(entry_id) if old else None)


def _standing(plan: Plan, sides: dict[str, bytes | None]) -> dict[str, Entry]:
    """Each entry of one side of the plan, the live occurrence first."""
    found: dict[str, Entry] = {}
    for path in plan.touched:
        for entry in _entries(plan, sides[path], path):
            if entry.id not in found or (entry.live and not found[entry.id].live):
                found[entry.id] = entry
    return found


def propose(store: Store, proposal: Proposal, request: Request) -> None:
    """Write the proposal, unless it waits already, and raise WaitsForReview."""
    proposal = proposal._replace(rests=_rests(store, proposal))
    for waiting in store.proposals.all():
        if isinstance(waiting, Proposal) and _same(store, waiting, proposal):
            raise waits(waiting, request.actor)
    store.proposals.expire(store.tools.now())
    store.proposals.put(proposal)
    raise waits(proposal, request.actor)


def waits(proposal: Proposal, actor: str) -> WaitsForReview:
    """The answer to whoever asked for an operation that waits."""
    return WaitsForReview(proposal.id, proposal.verb, proposal.target, proposal.because, is_done=actor != SCRIPT)


def _same(store: Store, one: Proposal, other: Proposal) -> bool:
    if (one.verb, one.target, one.file) != (other.verb, other.target, other.file):
        return False
    entries = [entry_of(proposal, store.shape) for proposal in (one, other)]
    words = [
        (normal_form(join_title(entry.title, entry.body)), entry.tag, entry.scope) if isinstance(entry, Entry) else None
        for entry in entries
    ]
    return words[0] == words[1] and (one.target is None or one.item == other.item)


def _proposal(store: Store, plan: Plan, changes: Sequence[Change], request: Request, reason: str) -> Proposal:
    added = next((change for change in changes if isinstance(change, Add)), None)
    moved = next((change for change in changes if isinstance(change, Demote)), None)
    names = {plan.renamed.get(entry_id, entry_id): entry_id for entry_id in plan.entries}
    old = next((entry for entry in _standing(plan, plan.before).values() if entry.id in names), None)
    found = Proposal(
        id=added.id if added is not None else store.tools.new_id(6),
        verb=request.verb,
        actor=request.actor,
        at=added.at if added is not None else store.tools.now(),
        because=reason,
        session=request.session,
        target=old.id if old is not None else None,
        base=base_of(store, old.id) if old is not None else None,
        reason=moved.reason if moved is not None else None,
    )
    if added is not None and added.topic is not None:
        path = next(path for path in plan.touched if plan.before[path] is None)
        return found._replace(file=path.rpartition("/")[2], item=decode(plan.after[path] or b""))
    if moved is not None and added is None:
        return found
    shown = added.id if added is not None else names.get(found.target or "", "")
    return found._replace(item=_lines(plan, shown))


def _lines(plan: Plan, entry_id: str) -> str:
    """The lines of an entry as it is planned, the live occurrence first."""
    found = ""
    for path in plan.touched:
        note = plan.note(path)
        for number, entry in enumerate(note.entries if note is not None else ()):
            if entry.id == entry_id and (entry.live or not found):
                assert note is not None
                found = entry_lines(note, number)
    return found.strip("\n") + "\n" if found.strip() else ""


def base_of(store: Store, entry_id: str) -> str | None:
    """The hash of an entry's lines as it stands, by which a proposal knows that it was changed since."""
    occurrence = store.find(entry_id)
    return content_hash(encode(entry_lines(occurrence.note, occurrence.number)))[:16]


def _rests(store: Store, proposal: Proposal) -> str | None:
    """What the proposal rests on: the entry that it changes, and those that its own links to."""
    entry = entry_of(proposal, store.shape)
    named = [Link(proposal.target)] if proposal.target is not None else []
    found = [_linked(store, link) for link in [*named, *(links_of(entry) if isinstance(entry, Entry) else ())]]
    return " ".join(dict.fromkeys(f"{one.id}={_words_of(one)}" for one in found if one is not None)) or None


def _linked(store: Store, link: Link) -> Entry | None:
    """The entry that a link leads to: by its id, or the one of a topic note."""
    if link.note is not None:
        path = store.shape.note_path(f"{link.note}.md")
        data = store.bytes_on_disk(path)
        note = (
            store.parse(path, data) if data is not None and layout.is_note_path(path, store.shape.notes_dir) else None
        )
        return note.entries[0] if note is not None and note.kind is NoteKind.TOPIC and note.entries else None
    try:
        return store.find(link.id).entry if link.id is not None and is_id(link.id) else None
    except (EntryNotFound, AmbiguousId):
        return None


def _words_of(entry: Entry) -> str:
    """The hash of what an entry says, or said before it was contradicted."""
    ended = not entry.live and entry.field("reason") == DemoteReason.CONTRADICTED
    return content_hash(encode(f"{'ended ' if ended else ''}{text_of(entry)}"))[:16]


def corrected_since(store: Store, proposal: Proposal) -> tuple[str, ...]:
    """The ids of what the proposal rests on and what says something else by now, or was contradicted."""
    pairs = [pair.partition("=")[::2] for pair in (proposal.rests or "").split()]
    standing = [(_linked(store, Link(entry_id)), words) for entry_id, words in pairs]
    return tuple(entry.id for entry, words in standing if entry is not None and _words_of(entry) != words)
