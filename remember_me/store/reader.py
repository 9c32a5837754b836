"""Reading a store: all notes, or just those that an id needs. Takes no lock, changes nothing, loads no git."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from remember_me.errors import EntryNotFound, Refused, StoreDamaged
from remember_me.model.entry import Entry, is_id, same_word
from remember_me.notes import layout
from remember_me.notes.note import Note, decode, encode, unreadable
from remember_me.notes.problem import Problem
from remember_me.store.files import Disk, NoteFiles
from remember_me.store.manifest import Manifest, load_manifest
from remember_me.store.shape import Shape
from remember_me.store.snapshot import Occurrence, Snapshot, by_path

if TYPE_CHECKING:
    from remember_me.store.fence import Fence

OWN_FOLDER = ".remember-me"
SCOPE_RULE = "scope-agent"

Overlay = Mapping[str, bytes | None]


class Reader:
    """One store as it can be read. `root` is its real path."""

    def __init__(self, root: Path, shape: Shape, disk: Disk) -> None:
        self.root = root
        self.shape = shape
        self.own_folder = root / OWN_FOLDER
        self.manifest_path = self.own_folder / "manifest.json"
        self.spool_folder = self.own_folder / "spool"
        self.files = NoteFiles(root, shape.notes_dir, disk)
        self.bound_to: str | None = None
        """The project that an agent works in: it knows entries of that one and of no project. None for anybody else."""
        self._seen: Manifest | None = None

    def read(self, holding: Iterable[str] = ()) -> Snapshot:
        """All notes, with what waits in the spool already in them; with `holding` only those with one of these words.

        The words are in lower case; in which case they stand in a note does not matter.
        """
        listing = self.files.scan()
        overlay = self._overlay()
        paths = sorted({*listing.notes, *listing.beside, *(path for path, data in overlay.items() if data is not None)})
        words = tuple(map(encode, holding))
        notes = [note for path in paths if (note := self._parse(path, overlay, words)) is not None]
        return Snapshot(by_path(notes), listing.copies, listing.refused)

    @cached_property
    def fence(self) -> Fence:
        """What was forgotten or rejected here, as it stands when this command first asks."""
        from remember_me.notes.tombstones import parse_tombstones
        from remember_me.store.fence import Fence, load_key

        try:
            data = self.files.read(layout.tombstones_path(self.shape.notes_dir))
        except StoreDamaged:
            data = None
        return Fence(parse_tombstones(decode(data or b"")), load_key(self.own_folder) if data else None)

    def parse(self, path: str, data: bytes) -> Note:
        """The note as it is served: without entries that say what was forgotten, also where a hand typed them."""
        note = self.shape.parse(path, data)
        return note if self.fence.empty else self._without_forgotten(note)

    def fenced(self) -> list[Entry]:
        """The entries that a hand typed though they were forgotten: they stand in the notes and are not served."""
        if self.fence.empty:
            return []
        return [entry for entry in self.entries_on_disk()[0] if self.fence.hides(entry)]

    def entries_on_disk(self) -> tuple[list[Entry], tuple[Problem, ...]]:
        """Every occurrence of every entry in the notes, also of what was forgotten; and what could not be read."""
        listing, found = self.files.scan(), list[Entry]()
        unread = list(listing.refused)
        for path in listing.notes:
            try:
                data = self.files.read(path)
            except StoreDamaged as error:
                unread.append(Problem(path, None, None, str(error)))
                continue
            found += self.shape.parse(path, data or b"").entries
        return found, tuple(unread)

    def _without_forgotten(self, note: Note) -> Note:
        hidden = {number for number, entry in enumerate(note.entries) if self.fence.hides(entry)}
        if not hidden:
            return note
        entries = tuple(entry for number, entry in enumerate(note.entries) if number not in hidden)
        items = tuple(item for number, item in enumerate(note.items) if number not in hidden)
        spans = tuple((item.start, item.end) for number, item in enumerate(note.items) if number in hidden)
        scan = note.scan._replace(items=items, hidden=tuple(sorted((*note.scan.hidden, *spans))))
        return note._replace(entries=entries, scan=scan)

    def hides(self, entry: Entry) -> bool:
        """Whether the entry belongs to another project than the one that an agent works in."""
        return self.bound_to is not None and entry.scope is not None and not same_word(entry.scope, self.bound_to)

    def check_scope(self, scope: str) -> None:
        """Raise Refused where an agent asks for another project than the one that it works in."""
        if self.bound_to is not None and not same_word(scope, self.bound_to):
            raise Refused(
                SCOPE_RULE,
                f"An agent in the project {self.bound_to} sees no other project.",
                hint="Leave --scope out, or run the command in the folder of that project.",
            )

    def entries(self) -> list[Entry]:
        """The entries to serve, without those of other projects for an agent."""
        return [entry for entry in self.read().entries() if not self.hides(entry)]

    def find(self, given: str) -> Occurrence:
        """The occurrence to serve for an id, `^id` or unique prefix. Raises EntryNotFound or AmbiguousId; an agent is
        told of nothing in another project."""
        found = self._find(given)
        if self.hides(found.entry):
            raise EntryNotFound(given)
        return found

    def _find(self, given: str) -> Occurrence:
        wanted = given.removeprefix("^").lower()
        if is_id(wanted) and not self._overlay():
            narrow = self._holders(wanted)
            if narrow is not None:
                try:
                    return narrow.find(wanted)
                except EntryNotFound:
                    pass
        return self.read().find(given)

    def actor_of(self, entry_id: str) -> str | None:
        """Who stands behind an entry: who wrote it, or the person who touched it since; None where it is not known."""
        return self._manifest().actors.get(entry_id)

    def bytes_on_disk(self, path: str) -> bytes | None:
        """The bytes of a note; None also for one that cannot be read."""
        try:
            return self.files.read(path)
        except StoreDamaged:
            return None

    def _manifest(self) -> Manifest:
        """The manifest as it stood when this command first looked: only a hint of where to look."""
        if self._seen is None:
            self._seen = load_manifest(self.manifest_path)
            if self._waits():
                from remember_me.store.overlay import waiting_actors

                self._seen.actors.update(waiting_actors(self, self._seen.actors))
        return self._seen

    def _holders(self, prefix: str) -> Snapshot | None:
        """Only the notes that may hold ids beginning with `prefix`, by the manifest and by what changed since."""
        manifest = self._manifest()
        if not manifest.rows:
            return None
        listing = self.files.scan()
        suspects, _ = manifest.changed(listing.notes)
        paths = sorted({*suspects, *(path for path in manifest.holders(prefix) if path in listing.notes)})
        return Snapshot(by_path(note for path in paths if (note := self._parse(path, {})) is not None))

    def _parse(self, path: str, overlay: Overlay, holding: Sequence[bytes] = ()) -> Note | None:
        """The note at `path` with the overlay on top; None where there is none, or where it holds none of the words. An
        unreadable one is empty."""
        try:
            data = overlay[path] if path in overlay else self.files.read(path)
        except StoreDamaged as error:
            return unreadable(path, str(error))
        if data is None or (holding and not any(word in data.lower() for word in holding)):
            return None
        return self.parse(path, data)

    def _overlay(self) -> Overlay:
        """The bytes that notes will have when the spool is drained, where they do not have them yet."""
        if not self._waits():
            return {}
        from remember_me.store.overlay import overlay

        return overlay(self)

    def waiting(self) -> Overlay:
        """The bytes that notes will have when the spool is drained, where they do not have them yet."""
        return self._overlay()

    def _waits(self) -> bool:
        """Whether there is anything in the spool."""
        try:
            return any(name.endswith(".json") for name in os.listdir(self.spool_folder))
        except OSError:
            return False
