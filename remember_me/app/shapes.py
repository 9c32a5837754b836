"""The shapes of `--json`: documented in references/json.md, stable, absent values are null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remember_me.app.edit import Edited
    from remember_me.model.entry import Entry
    from remember_me.model.revision import Operation, Revision
    from remember_me.notes.merge import Conflict
    from remember_me.notes.problem import Problem
    from remember_me.store.store import Applied

Document = dict[str, object]

ENTRY_KEYS = (
    "id", "tag", "title", "description", "body", "signal", "basis", "confidence", "impact", "scope", "status",
    "pinned", "evidence", "sessions", "created_at", "reinforced_on", "expires_on", "actor", "tier", "note", "line",
)  # fmt: skip
"""The keys of an entry, in their order (DESIGN section 8)."""


def entry_document(entry: Entry, actor: str | None) -> Document:
    """One entry. `actor` is who wrote its present state, where that is known."""
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
        "confidence": entry.confidence,
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


def write_document(applied: Applied, actor: str | None) -> Document:
    """A write: the first entry as it now stands (all null where none stands), and its operation (null where nothing
    was changed). `reason` says why it is not committed yet."""
    return _entry_or_nulls(applied.entries, actor) | {
        "operation": applied.operation.id if applied.changed else None,
        "entries": list(applied.operation.entries),
        "committed": applied.committed,
        "waiting": applied.waiting,
        "reason": applied.reason,
    }


def edit_document(edited: Edited) -> Document:
    """A hand edit, in the shape of a write."""
    operation = edited.operation
    return _entry_or_nulls(edited.entries, edited.actor) | {
        "operation": operation.id if operation else None,
        "entries": list(operation.entries) if operation else [],
        "committed": edited.reason is None,
        "waiting": False,
        "reason": edited.reason,
    }


def _entry_or_nulls(entries: Sequence[Entry], actor: str | None) -> Document:
    return entry_document(entries[0], actor) if entries else dict.fromkeys(ENTRY_KEYS)


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
