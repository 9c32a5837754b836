"""A change: an intended transition of an entry, before it is applied. A closed union."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from remember_me.model.entry import Entry, Tag

Values = tuple[tuple[str, str | None], ...]
"""Fields to write; None takes a field away."""


class Revised(NamedTuple):
    """What a rule makes of an entry: fields to write, lines of repeatable fields to add, a new tag, and the verb of
    the operation where it is not the one that was asked for."""

    values: Values = ()
    added: tuple[tuple[str, str], ...] = ()
    tag: Tag | None = None
    verb: str | None = None


Rule = Callable[[Entry], Revised]
"""Decides about an entry as it stands under the lock; raises Refused."""


class Add(NamedTuple):
    """A new entry with a real id. `at` is aware and decides the daily note.

    `topic` names the file of a topic note (a plain file name ending in `.md`); None means the daily note.
    `fields` are in the order in which they are written. `document` is the whole text of a file that a person
    handed over; the topic note is that file with what is missing in its front matter. `promote` puts it into the
    long-term note at once. `again` decides about the entry that says the same already, if there is one; without it
    a new entry is made in any case. `confirms` says that a live HYPOTHESIS of these words is meant too.
    """

    id: str
    tag: Tag
    title: str
    body: str
    fields: tuple[tuple[str, str], ...]
    at: datetime
    topic: str | None = None
    document: str | None = None
    promote: bool = False
    again: Rule | None = None
    confirms: bool = False


class Correct(NamedTuple):
    """New words for an entry, under the same id; the fields stay. `new_id` is used if it has no real one."""

    id: str
    title: str
    body: str
    new_id: str


class SetFields(NamedTuple):
    """Fields to write into an entry; None takes a field away. `new_id` is used if it has no real one."""

    id: str
    values: Values
    new_id: str


class Revise(NamedTuple):
    """Let a rule decide what becomes of an entry's fields and tag. `new_id` is used if it has no real one."""

    id: str
    rule: Rule
    new_id: str


class Promote(NamedTuple):
    """Put daily entries into the long-term note, where they are the live ones from then on.

    `ids` are (id, new id): the second is used for an entry that has no real one.
    """

    ids: tuple[tuple[str, str], ...]


class Demote(NamedTuple):
    """Take an entry out of the long-term note; it is stale, with the reason, in the daily note of `at` (aware)."""

    id: str
    reason: str
    at: datetime
    new_id: str


class Forget(NamedTuple):
    """Take every occurrence of these entries out of the notes, and every entry that `says_the_same`.

    `tombstones` are the rendered lines that stay of them.
    """

    ids: tuple[str, ...]
    says_the_same: Callable[[Entry], bool]
    tombstones: tuple[str, ...]


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


Change = Add | Correct | SetFields | Revise | Promote | Demote | Forget | Merge
