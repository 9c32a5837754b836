"""What reads show before it is written: operations of a killed command, and captures that wait for the lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remember_me.errors import RememberMeError
from remember_me.notes.note import content_hash
from remember_me.store.plan import Plan
from remember_me.store.spool import Captured, Journalled, Spool

if TYPE_CHECKING:
    from remember_me.store.reader import Reader


def overlay(reader: Reader) -> dict[str, bytes | None]:
    """Path to the bytes that a note will have when the spool is drained, where it does not have them yet."""
    found: dict[str, bytes | None] = {}
    for record in Spool(reader.spool_folder, reader.files.disk).unwritten():
        if isinstance(record, Journalled):
            _add_journalled(reader, record, found)
        else:
            _add_captured(reader, record, found)
    return {path: data for path, data in found.items() if data != reader.bytes_on_disk(path)}


def _add_journalled(reader: Reader, record: Journalled, found: dict[str, bytes | None]) -> None:
    for note in record.notes:
        data = found[note.path] if note.path in found else reader.bytes_on_disk(note.path)
        standing = None if data is None else content_hash(data)
        if standing == note.before and standing != note.after_hash:
            found[note.path] = note.after


def _add_captured(reader: Reader, record: Captured, found: dict[str, bytes | None]) -> None:
    """A capture that could not be written into its note is left out: `status` counts it."""
    plan = Plan(
        reader.shape,
        lambda path: found[path] if path in found else reader.files.read(path),
        reader.find,
        reader.shape.timezone,
    )
    try:
        plan.run([record.change])
    except RememberMeError:
        return
    found.update(plan.after)
