"""The notes of a store as they stood at one moment, and how an id is found in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from remember_me.errors import AmbiguousId, EntryNotFound
from remember_me.model.entry import PROVISIONAL_PREFIX, Entry
from remember_me.notes.note import Note, Passage
from remember_me.notes.problem import Problem

_NO_DATE = date.min


class Occurrence(NamedTuple):
    """Where an entry stands: a note and the number of the entry in its `entries`."""

    note: Note
    number: int

    @property
    def entry(self) -> Entry:
        return self.note.entries[self.number]


class Snapshot(NamedTuple):
    """All notes that were read, by path. `copies` and `refused` name files that were not read."""

    notes: Mapping[str, Note]
    copies: tuple[str, ...] = ()
    refused: tuple[Problem, ...] = ()

    def occurrences(self, entry_id: str) -> list[Occurrence]:
        """All occurrences of the exact id, the one to serve first: live before not live, then by date, newest first."""
        found = [
            Occurrence(note, index)
            for note in self.notes.values()
            for index, entry in enumerate(note.entries)
            if entry.id == entry_id
        ]
        return sorted(found, key=_precedence, reverse=True)

    def find(self, given: str) -> Occurrence:
        """The occurrence to serve for an id, `^id` or unique prefix. Raises EntryNotFound or AmbiguousId."""
        wanted = given.removeprefix("^").lower()
        exact = self.occurrences(wanted)
        if exact:
            return exact[0]
        least = len(PROVISIONAL_PREFIX) + 1 if wanted.startswith(PROVISIONAL_PREFIX) else 1
        ids = {e.id for note in self.notes.values() for e in note.entries if e.id.startswith(wanted)}
        if len(wanted) < least or not ids:
            raise EntryNotFound(given, hint="`remember-me list` shows the ids.")
        if len(ids) > 1:
            raise AmbiguousId(given, tuple(sorted(ids)))
        return self.occurrences(ids.pop())[0]

    def entries(self) -> Iterator[Entry]:
        """Each id once, by the occurrence to serve, in the order of the notes."""
        best: dict[str, Occurrence] = {}
        for note in self.notes.values():
            for index, entry in enumerate(note.entries):
                mine = Occurrence(note, index)
                standing = best.get(entry.id)
                if standing is None or _precedence(mine) > _precedence(standing):
                    best[entry.id] = mine
        return (occurrence.entry for occurrence in best.values())

    def passages(self) -> Iterator[Passage]:
        """All prose, note by note."""
        for note in self.notes.values():
            yield from note.passages()

    def problems(self) -> list[Problem]:
        """What could not be read as it stands, by path and line."""
        found = [problem for note in self.notes.values() for problem in note.problems]
        return sorted([*found, *self.refused], key=lambda problem: (problem.path, problem.line or 0))


def _precedence(occurrence: Occurrence) -> tuple[bool, date]:
    entry = occurrence.entry
    return entry.live, occurrence.note.on or entry.created_on or _NO_DATE


def by_path(notes: Iterable[Note]) -> dict[str, Note]:
    """Notes keyed by path, in the order of their paths."""
    return {note.path: note for note in sorted(notes, key=lambda note: note.path)}
