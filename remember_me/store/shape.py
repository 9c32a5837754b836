"""What the settings say about the form of a store's notes."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from remember_me.notes.note import Note, encode, parse_note

_KEPT_NOTES = 512


@lru_cache(maxsize=_KEPT_NOTES)
def _parsed(path: str, data: bytes, notes_dir: str, timezone: str | None) -> Note:
    """One command reads a note for its plan, to check what was written, and for the manifest."""
    return parse_note(path, data, notes_dir=notes_dir, timezone=timezone)


class Shape(NamedTuple):
    """The folder of the notes (`memory` or `.`) and the time zone for times without an offset, or None."""

    notes_dir: str = "memory"
    timezone: str | None = None

    def note_path(self, name: str) -> str:
        """Where the note named `name` lies, relative to the store."""
        return name if self.notes_dir == "." else f"{self.notes_dir}/{name}"

    def parse(self, path: str, data: bytes) -> Note:
        """Read one file of the store."""
        return _parsed(path, data, self.notes_dir, self.timezone)

    def with_line_ends(self, note: Note, newline: str) -> Note:
        """The note with those line ends, so that what a merge takes from it fits into one that has them."""
        if note.newline == newline:
            return note
        return self.parse(note.path, encode(note.text.replace("\r\n", "\n").replace("\n", newline)))
