"""Which entries rest on another one: by what they link to, and by what they took the place of."""

from __future__ import annotations

import re
from typing import NamedTuple

from remember_me.model.entry import Entry, Tier

_NOTE = re.compile(r"\[\[([^\[\]|#]*)(?:#\^([^\[\]|#]+)|#[^\[\]|]*)?(?:\|[^\[\]]*)?\]\]")
"""`[[note]]`, `[[note#^id]]`, `[[note#heading]]`, each also with `|words to show`."""


class Link(NamedTuple):
    """What an entry links to: an entry by its `id`, else a note by its name, in lower case and without a folder."""

    id: str | None
    note: str | None = None


def links_of(entry: Entry) -> tuple[Link, ...]:
    """What stands in `links` and `supersedes`, in that order, each once."""
    given = f"{entry.field('links') or ''},{entry.field('supersedes') or ''}"
    return tuple(dict.fromkeys(_link(part.strip()) for part in given.split(",") if part.strip()))


def _link(part: str) -> Link:
    found = _NOTE.fullmatch(part)
    if found is None:
        return Link(part.removeprefix("^").lower())
    if found[2] is not None:
        return Link(found[2].strip().lower())
    return Link(None, note_name(found[1]))


def note_name(path: str) -> str:
    """The name of a note as links have it."""
    return path.strip().rpartition("/")[2].removesuffix(".md").lower()


def rests_on(entry: Entry, other: Entry) -> bool:
    """Whether `entry` links to `other`, or took its place. A link to a whole note is one to the entry of a topic note
    only."""
    wanted = {Link(other.id)} | ({Link(None, note_name(other.note))} if other.tier is Tier.TOPIC else set())
    return entry.id != other.id and not wanted.isdisjoint(links_of(entry))
