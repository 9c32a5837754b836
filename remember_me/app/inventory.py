"""What lies in a store, in numbers."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from remember_me.model.entry import Tag
from remember_me.notes.problem import Problem
from remember_me.store.snapshot import Snapshot


class Inventory(NamedTuple):
    """What lies in a store: numbers for a person. `tags` counts each id once, by the occurrence that is served."""

    notes: int
    entries: int
    passages: int
    tags: dict[str, int]
    problems: tuple[Problem, ...]
    copies: tuple[str, ...]


def count(snapshot: Snapshot) -> Inventory:
    """The inventory of a snapshot."""
    entries = list(snapshot.entries())
    tags = Counter(entry.tag.value for entry in entries)
    return Inventory(
        notes=len(snapshot.notes),
        entries=len(entries),
        passages=sum(1 for _ in snapshot.passages()),
        tags={tag.value: tags.get(tag.value, 0) for tag in Tag},
        problems=tuple(snapshot.problems()),
        copies=snapshot.copies,
    )
