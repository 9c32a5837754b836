"""A change: an intended transition of an entry, before it is applied. A closed union."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from remember_me.model.entry import Tag


class Add(NamedTuple):
    """A new entry with a real id. `at` is aware and decides the daily note.

    `topic` names the file of a topic note (a plain file name ending in `.md`); None means the daily note.
    `fields` are in the order in which they are written. `document` is the whole text of a file that a person
    handed over; the topic note is that file with what is missing in its front matter.
    """

    id: str
    tag: Tag
    title: str
    body: str
    fields: tuple[tuple[str, str], ...]
    at: datetime
    topic: str | None = None
    document: str | None = None


class Correct(NamedTuple):
    """New words for an entry, under the same id; the fields stay. `new_id` is used if it has no real one."""

    id: str
    title: str
    body: str
    new_id: str


class SetFields(NamedTuple):
    """Fields to write into an entry; None takes a field away. `new_id` is used if it has no real one."""

    id: str
    values: tuple[tuple[str, str | None], ...]
    new_id: str


class Merge(NamedTuple):
    """Bring into a note, entry by entry, what leads from `base` to `target` (undo, redo, a raced write).

    Both are bytes of the whole note; None means that the note does not exist. `only` limits the merge to one
    entry; with `overwrite` the target wins where the note was changed since.
    """

    note: str
    base: bytes | None
    target: bytes | None
    only: str | None = None
    overwrite: bool = False


Change = Add | Correct | SetFields | Merge
