"""The shapes of `--json`: documented in references/json.md, stable, absent values are null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remember_me.app.edit import Edited
    from remember_me.app.life import DecayRow
    from remember_me.app.maintain import Maintenance
    from remember_me.app.profile import FacetRow
    from remember_me.app.promotion import PromotionRow
    from remember_me.app.proposals import Card
    from remember_me.app.wiring import View
    from remember_me.model.entry import Entry
    from remember_me.model.revision import Operation, Revision
    from remember_me.notes.merge import Conflict
    from remember_me.notes.problem import Problem
    from remember_me.store.reader import Reader
    from remember_me.store.store import Applied

Document = dict[str, object]

ENTRY_KEYS = (
    "id", "tag", "title", "description", "body", "signal", "basis", "confidence", "impact", "scope", "status",
    "pinned", "evidence", "sessions", "created_at", "reinforced_on", "expires_on", "actor", "tier", "note", "line",
)  # fmt: skip
"""The keys of an entry, in their order (DESIGN section 8)."""


def entry_document(entry: Entry, actor: str | None, view: View) -> Document:
    """One entry as it reads now. `actor` is who wrote its present state, where that is known."""
    reinforced_on, sessions = entry.reinforced
    expires = entry.date_field("expires")
    created = entry.created_at or entry.created_on
    return {
        "id": entry.id,
        "tag": entry.tag.value,
        "title": entry.title,
        "description": entry.description,
        "body": entry.body or None,
        "signal": entry.signal,
        "basis": entry.basis,
        "confidence": view.confidence(entry),
        "impact": entry.impact,
        "scope": entry.scope,
        "status": entry.status.value,
        "pinned": entry.pinned,
        "evidence": [{"quote": evidence.quote, "source": evidence.source} for evidence in entry.evidence],
        "sessions": sessions or (1 if entry.session else 0),
        "created_at": created.isoformat() if created else None,
        "reinforced_on": reinforced_on.isoformat() if reinforced_on else None,
        "expires_on": expires.isoformat() if expires else None,
        "actor": actor,
        "tier": entry.tier.value,
        "note": entry.note,
        "line": entry.line,
    }


def card_document(card: Card, view: View, diff: Sequence[str]) -> Document:
    """What waits for a person. `state` is pending, or applied for what an agent wrote by itself."""
    proposal, fault = card.proposal, card.fault
    return {
        "id": card.id,
        "state": "applied" if proposal is None and fault is None else "pending",
        "verb": card.verb or None,
        "target": proposal.target if proposal is not None else None,
        "actor": card.actor or None,
        "session": proposal.session if proposal is not None else None,
        "at": proposal.at.isoformat() if proposal is not None else None,
        "because": card.because or None,
        "entry": entry_document(card.entry, card.actor, view) if card.entry is not None else None,
        "diff": list(diff),
        "changed_since": card.moved,
        "corrected_since": list(card.corrected),
        "fault": {"path": fault.path, "line": fault.line, "reason": fault.reason} if fault is not None else None,
    }


def write_document(applied: Applied, actor: str | None, view: View) -> Document:
    """A write: the first entry as it now stands (all null where none stands), and its operation (null where nothing
    was changed). `reason` says why it is not committed yet. What may correct a text names what rests on it."""
    document = _entry_or_nulls(applied.entries, actor, view) | {
        "operation": applied.operation.id if applied.changed else None,
        "entries": list(applied.operation.entries),
        "committed": applied.committed,
        "waiting": applied.waiting,
        "reason": applied.reason,
    }
    if applied.rests_on_it is not None:
        resting = applied.rests_on_it
        document["rests_on_it"] = [{"id": one.id, "state": "pending" if one.pending else "applied"} for one in resting]
    return document


def edit_document(edited: Edited, view: View) -> Document:
    """A hand edit, in the shape of a write."""
    operation = edited.operation
    return _entry_or_nulls(edited.entries, edited.actor, view) | {
        "operation": operation.id if operation else None,
        "entries": list(operation.entries) if operation else [],
        "committed": edited.reason is None,
        "waiting": False,
        "reason": edited.reason,
    }


def _entry_or_nulls(entries: Sequence[Entry], actor: str | None, view: View) -> Document:
    return entry_document(entries[0], actor, view) if entries else dict.fromkeys(ENTRY_KEYS)


def operation_document(operation: Operation, *, undone: bool) -> Document:
    return {
        "operation": operation.id,
        "verb": operation.verb,
        "actor": operation.actor,
        "session": operation.session,
        "at": operation.at.isoformat(),
        "entries": list(operation.entries),
        "undoes": operation.undoes,
        "redoes": operation.redoes,
        "undone": undone,
        "commit": operation.commit,
    }


def revision_document(revision: Revision) -> Document:
    operation = revision.operation
    return {
        "operation": operation.id,
        "verb": operation.verb,
        "actor": operation.actor,
        "session": operation.session,
        "at": operation.at.isoformat(),
        "note": revision.note,
        "before": revision.before,
        "after": revision.after,
    }


def conflict_document(conflict: Conflict) -> Document:
    return {
        "note": conflict.note,
        "id": conflict.key,
        "base": conflict.base,
        "current": conflict.current,
        "target": conflict.target,
    }


def problem_document(problem: Problem) -> Document:
    return {"path": problem.path, "line": problem.line, "column": problem.column, "reason": problem.reason}


def setting_document(row: Mapping[str, str | None], applied: Applied | None) -> Document:
    """A setting after it was changed; those of this machine have no operation."""
    return {
        **row,
        "operation": applied.operation.id if applied and applied.changed else None,
        "committed": applied.committed if applied else None,
        "reason": applied.reason if applied else None,
    }


def decay_document(row: DecayRow) -> Document:
    """A hypothesis and how it reads: `age_days` is null where no date is known."""
    return _row(row.entry, row.decayed.due, row.decayed.reasons) | {
        "stored": row.decayed.stored.value,
        "effective": row.decayed.effective.value,
        "age_days": row.decayed.age_days,
    }


def promotion_document(row: PromotionRow, view: View) -> Document:
    """An entry and whether it is due for the long-term note; `obstacles` forbid it."""
    return _row(row.entry, row.promotion.due, row.promotion.reasons) | {
        "stored": row.entry.confidence,
        "effective": view.confidence(row.entry),
        "obstacles": list(row.promotion.obstacles),
    }


def _row(entry: Entry, due: bool, reasons: Sequence[str]) -> Document:
    return {
        "id": entry.id,
        "stored": None,
        "effective": None,
        "due": due,
        "reasons": list(reasons),
        "tag": entry.tag.value,
        "title": entry.title,
        "note": entry.note,
        "line": entry.line,
    }


def maintenance_document(found: Maintenance, view: View) -> Document:
    """What maintenance would do or did; `operation` is null for a preview and where nothing was due."""
    applied = found.applied
    return {
        "merge": [{"id": pair.later.id, "kept": pair.kept.id, "title": pair.later.title} for pair in found.merge],
        "discard": [decay_document(row) for row in found.discard],
        "expire": [{"id": e.id, "tier": e.tier.value, "expires": e.field("expires")} for e in found.expire],
        "promote": [promotion_document(row, view) for row in found.room.promote],
        "held": [promotion_document(row, view) for row in found.room.held],
        "long_term_tokens": found.room.tokens,
        "long_term_limit": found.room.limit,
        "demote": [{"id": entry.id, "title": entry.title} for entry in found.room.demote],
        "operation": applied.operation.id if applied else None,
        "committed": applied.committed if applied else None,
        "reason": applied.reason if applied else None,
    }


def facet_document(row: FacetRow, reader: Reader, view: View) -> Document:
    """One facet of the profile."""
    entries = [entry_document(entry, reader.actor_of(entry.id), view) for entry in row.entries]
    return {"facet": row.facet.value, "known": row.known, "entries": entries}
