"""Plan moves between the tiers: promotion into the long-term note, demotion back to a daily one. No effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from remember_me.errors import EntryNotFound
from remember_me.model.change import Add, Demote
from remember_me.model.entry import Entry, Status
from remember_me.notes import layout, longterm, splice
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note

if TYPE_CHECKING:
    from remember_me.store.plan import Plan

_ENDED = ("status", "reason")


def promote(plan: Plan, wanted: Mapping[str, str], paths: Iterable[str]) -> None:
    """Copy daily entries into the long-term note, where they are live from now on, and mark the daily ones.

    `wanted` is id -> new id, used for one that has no real one; `paths` are the notes that may hold them. One pass
    over each note, so that ten thousand entries cost little more than reading them.
    """
    placed: dict[str, longterm.Placed] = {}
    for path in paths:
        note = plan.note(path)
        if note is None or note.kind is not NoteKind.DAILY:
            continue
        marks: dict[int, splice.FieldEdit] = {}
        for number, entry in enumerate(note.entries):
            if entry.id in wanted and entry.live:
                entry_id = wanted[entry.id] if entry.provisional else entry.id
                placed.setdefault(entry.id, longterm.Placed(entry._replace(id=entry_id), promoted_fields(entry)))
                values = (("status", Status.PROMOTED.value), ("reason", None))
                marks[number] = splice.FieldEdit(values, wanted[entry.id])
        if marks:
            with plan.splicing(path):
                text = splice.edit_fields(note, marks)
            plan.put(path, text)
    in_order = [placed[entry_id] for entry_id in wanted if entry_id in placed]
    if not in_order:
        return
    note = plan.note(layout.LONG_TERM_NAME) or plan.shape.parse(
        layout.LONG_TERM_NAME, longterm.NEW_LONG_TERM_NOTE.encode()
    )
    written = plan.put(layout.LONG_TERM_NAME, longterm.insert_entries(note, in_order))
    _check_arrived(plan, written, in_order)


def promoted_fields(entry: Entry) -> tuple[tuple[str, str], ...]:
    """The fields of an entry in the long-term note: as they were, with the day it began and without its status."""
    fields = [(key, value) for key, value in entry.fields if key not in _ENDED]
    if entry.created_on is not None and not entry.field("since"):
        fields.append(("since", entry.created_on.isoformat()))
    return splice.ordered_fields(fields)


def _check_arrived(plan: Plan, written: Note, placed: Iterable[longterm.Placed]) -> None:
    """Nothing is acknowledged that does not read back with the same words."""
    found = {entry.id: (entry.tag, entry.title, entry.body) for entry in written.entries if entry.live}
    for one in placed:
        entry = one.entry
        if found.get(entry.id) != (entry.tag, entry.title, entry.body):
            raise plan.unreadable(written.path)
        plan.entries[entry.id] = None


def demote(plan: Plan, change: Demote) -> None:
    """Take an entry out of the long-term note and put it, stale and with the reason, into today's daily note."""
    note = plan.note(layout.LONG_TERM_NAME)
    number = _number(note, change.id)
    if note is None or number is None:
        raise EntryNotFound(change.id, kind="long-term entry", hint="`remember-me list --tier long-term` shows them.")
    entry = note.entries[number]
    entry_id = change.new_id if entry.provisional else entry.id
    plan.put(layout.LONG_TERM_NAME, longterm.remove_entries(note, [number]))
    path = plan.shape.note_path(layout.daily_name(change.at.date()))
    today = plan.note(path)
    standing = _number(today, entry.id)
    if today is not None and standing is not None:
        values = (("status", Status.STALE.value), ("reason", change.reason))
        with plan.splicing(path):
            text = splice.set_fields(today, standing, values, entry_id)
        plan.put(path, text)
    else:
        fields = [(key, value) for key, value in entry.fields if key not in _ENDED]
        fields += [("status", Status.STALE.value), ("reason", change.reason)]
        if entry.created_on is not None and not entry.field("since"):
            fields.append(("since", entry.created_on.isoformat()))
        plan.append(Add(entry_id, entry.tag, entry.title, entry.body, splice.ordered_fields(fields), change.at))
    plan.entries[entry_id] = None


def _number(note: Note | None, entry_id: str) -> int | None:
    if note is None:
        return None
    return next((number for number, entry in enumerate(note.entries) if entry.id == entry_id), None)
