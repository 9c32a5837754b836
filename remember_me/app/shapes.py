"""The shapes of `--json`: documented in references/json.md, stable, absent values are null."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remember_me.model.entry import Entry
    from remember_me.model.revision import Operation, Revision
    from remember_me.notes.merge import Conflict
    from remember_me.notes.problem import Problem
    from remember_me.store.store import Applied

Document = dict[str, object]


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


def write_document(applied: Applied, actor: str) -> Document:
    """A write: the first entry as it now stands, and its operation."""
    entry = entry_document(applied.entries[0], actor) if applied.entries else {}
    return entry | operation_state(applied)


def operation_state(applied: Applied) -> Document:
    """What became of an operation: `reason` says why it is not committed yet."""
    return {
        "operation": applied.operation.id,
        "entries": list(applied.operation.entries),
        "committed": applied.committed,
        "waiting": applied.waiting,
        "reason": applied.reason,
    }


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
    return {"id": conflict.key, "base": conflict.base, "current": conflict.current, "target": conflict.target}


def problem_document(problem: Problem) -> Document:
    return {"path": problem.path, "line": problem.line, "column": problem.column, "reason": problem.reason}
