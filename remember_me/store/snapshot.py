"""The notes of a store as they stood at one moment, and how an id is found in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from remember_me.errors import AmbiguousId, EntryNotFound
from remember_me.model.entry import PROVISIONAL_PREFIX, Entry
from remember_me.notes.note import Note
from remember_me.notes.passages import Passage
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
        least = len(PROVISIONAL_PREFIX) + 1 if wanted[:1] == PROVISIONAL_PREFIX[0] else 1
        ids = {e.id for note in self.notes.values() for e in note.entries if e.id.startswith(wanted)}
        if len(wanted) < least or not ids:
            unread = "".join(f"{one.path} {one.reason}; what stands in it is not found. " for one in self.refused[:1])
            raise EntryNotFound(given, hint=f"{unread}`remember-me list` shows the ids.")
        if len(ids) > 1:
            raise AmbiguousId(given, tuple(sorted(ids)))
        return self.occurrences(ids.pop())[0]

    def entries(self) -> Iterator[Entry]:
        """Each id once, by the occurrence to serve, in the order of the notes."""
        return (occurrence.entry for occurrence in self.served().values())

    def served(self) -> dict[str, Occurrence]:
        """Each id with the occurrence to serve."""
        best: dict[str, Occurrence] = {}
        for note in self.notes.values():
            for index, entry in enumerate(note.entries):
                mine = Occurrence(note, index)
                standing = best.get(entry.id)
                if standing is None or _precedence(mine) > _precedence(standing):
                    best[entry.id] = mine
        return best

    def passages(self) -> Iterator[Passage]:
        """All prose, note by note."""
        for note in self.notes.values():
            yield from note.passages()

    def problems(self) -> list[Problem]:
        """What could not be read as it stands, by path and line."""
        found = [problem for note in self.notes.values() for problem in note.problems]
        everything = [*found, *self.refused, *self._live_twice()]
        return sorted(everything, key=lambda problem: (problem.path, problem.line or 0))

    def _live_twice(self) -> Iterator[Problem]:
        """At most one occurrence of an id is live (DESIGN 3.1); a copied file breaks that."""
        live = Counter(entry.id for note in self.notes.values() for entry in note.entries if entry.live)
        for entry_id in (entry_id for entry_id, number in live.items() if number > 1):
            served, *others = (found.entry for found in self.occurrences(entry_id) if found.entry.live)
            for entry in others:
                reason = f"{entry_id} is live in {served.note}:{served.line} too, and that one is served"
                yield Problem(entry.note, entry.line, None, reason)


def _precedence(occurrence: Occurrence) -> tuple[bool, date]:
    entry = occurrence.entry
    return entry.live, occurrence.note.on or entry.created_on or _NO_DATE


def by_path(notes: Iterable[Note]) -> dict[str, Note]:
    """Notes keyed by path, in the order of their paths."""
    return {note.path: note for note in sorted(notes, key=lambda note: note.path)}
