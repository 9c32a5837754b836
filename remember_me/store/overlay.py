"""What reads show before it is written: operations of a killed command, and captures that wait for the lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remember_me.errors import RememberMeError
from remember_me.model.revision import stands_behind
from remember_me.notes import layout
from remember_me.notes.note import content_hash
from remember_me.store.manifest import Manifest, load_manifest
from remember_me.store.plan import Plan, Sources
from remember_me.store.spool import Captured, Journalled, Spool

if TYPE_CHECKING:
    from remember_me.store.reader import Reader


def overlay(reader: Reader) -> dict[str, bytes | None]:
    """Path to the bytes that a note will have when the spool is drained, where it does not have them yet."""
    found: dict[str, bytes | None] = {}
    manifest = load_manifest(reader.manifest_path)
    for record in Spool(reader.spool_folder, reader.files.disk).unwritten():
        if isinstance(record, Journalled):
            _add_journalled(reader, record, manifest, found)
        else:
            _add_captured(reader, record, found)
    return {
        path: data
        for path, data in found.items()
        if layout.is_note_path(path, reader.shape.notes_dir) and data != reader.bytes_on_disk(path)
    }


def waiting_actors(reader: Reader, known: dict[str, str]) -> dict[str, str]:
    """Who stands behind the entries of which the spool holds revisions; `known` are those before."""
    found: dict[str, str] = {}
    for record in Spool(reader.spool_folder, reader.files.disk).unwritten():
        operation = record.operation
        for entry in operation.entries:
            found[entry] = stands_behind(found.get(entry, known.get(entry)), operation.verb, operation.actor)
    return found


def _add_journalled(reader: Reader, record: Journalled, manifest: Manifest, found: dict[str, bytes | None]) -> None:
    """A note that was seen as the operation left it was written: if it has its old bytes again, a hand did that."""
    for note in record.notes:
        if manifest.holds(note.path, note.after):
            continue
        data = found[note.path] if note.path in found else reader.bytes_on_disk(note.path)
        standing = None if data is None else content_hash(data)
        if standing == note.before and standing != note.after_hash:
            found[note.path] = note.after


def _add_captured(reader: Reader, record: Captured, found: dict[str, bytes | None]) -> None:
    """A capture that could not be written into its note is left out: `status` counts it."""
    sources = Sources(lambda path: found[path] if path in found else reader.files.read(path), lambda ids: [])
    plan = Plan(reader.shape, sources, reader.shape.timezone)
    try:
        plan.run([record.change])
    except RememberMeError:
        return
    found.update(plan.after)
