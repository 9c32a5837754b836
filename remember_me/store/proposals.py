"""Proposals: changes that wait for a person, as markdown files in `.remember-me/pending/` (DESIGN section 5).

A person may edit such a file, or delete it. What stands in it counts when it is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import EntryNotFound, InvalidInput
from remember_me.model.entry import Entry, is_id
from remember_me.model.text import one_line
from remember_me.notes import layout
from remember_me.notes.note import decode, encode
from remember_me.store.files import Disk, read_regular, write_failed, write_private
from remember_me.store.listing import NOTE_LIMIT_BYTES, reason_of
from remember_me.store.shape import Shape

PENDING, REJECTED = "pending", "rejected"
KEPT_DAYS = 7
"""So long a restored proposal can be read in `rejected/`."""

_BY = "proposal"
_KEYS = ("actor", "session", "at", "because", "target", "base", "reason", "file", "rests")


class Proposal(NamedTuple):
    """A change that waits. `id` names it, and is the id of the entry to be where it adds one.

    `verb` is the command, `because` why it waits. `target` is the entry that it changes and `base` the hash of that
    entry's lines as they stood then. `reason` is that of a demotion. `file` is the name of a topic note to be. `item`
    are the lines of the entry as it would be, or the whole file; empty where the change has no words. `rests` are the
    entries that it rests on, each `id=hash` of the words as they stood then, with spaces between.
    """

    id: str
    verb: str
    actor: str
    at: datetime
    because: str
    session: str | None = None
    target: str | None = None
    base: str | None = None
    reason: str | None = None
    file: str | None = None
    item: str = ""
    rests: str | None = None


class Unreadable(NamedTuple):
    """A file in `pending/` that is no proposal any more. `line` is 1-based, or None."""

    id: str
    path: str
    line: int | None
    reason: str


def render_proposal(proposal: Proposal) -> str:
    """The file of a proposal."""
    values = proposal._replace(at=proposal.at.isoformat(timespec="milliseconds"))._asdict()  # type: ignore[arg-type]
    lines = [f"{_BY}: {proposal.verb}", *(f"{key}: {one_line(values[key])}" for key in _KEYS if values[key])]
    return "---\n" + "".join(f"{line}\n" for line in lines) + "---\n\n" + proposal.item


def parse_proposal(name: str, text: str) -> Proposal | Unreadable:
    """Read the file of the proposal `name`. Total: what is none is told with its line."""
    path = f"{PENDING}/{name}.md"
    plain = text.removeprefix("\ufeff")
    if not plain.startswith("---\n"):  # an editor has changed the line ends; else those of the item stay as they are
        plain = plain.replace("\r\n", "\n")
    head, closing, rest = plain.removeprefix("---\n").partition("\n---\n")
    if not plain.startswith("---\n") or not closing:
        return Unreadable(name, path, 1, "its head is no front matter any more")
    values: dict[str, str] = {}
    for number, line in enumerate(head.split("\n"), 2):
        key, colon, value = line.partition(": ")
        if line.strip() and (not colon or key not in (_BY, *_KEYS)):
            return Unreadable(name, path, number, "no line of a proposal")
        values[key] = value.strip()
    try:
        at = datetime.fromisoformat(values["at"])
        item = rest.removeprefix("\n")
        known = {key: values.get(key) or None for key in ("session", "target", "base", "reason", "file", "rests")}
        return Proposal(name, values[_BY], values["actor"], at, values.get("because", ""), item=item, **known)
    except (KeyError, ValueError):
        return Unreadable(name, path, 2, "its head does not say what is proposed, by whom and when")


def entry_of(proposal: Proposal, shape: Shape) -> Entry | Unreadable | None:
    """The entry as it would be; None where the change has no words. What is no entry any more is told with its line."""
    if not proposal.item.strip():
        return None
    above = render_proposal(proposal._replace(item="")).count("\n")
    path = f"{PENDING}/{proposal.id}.md"
    where = proposal.file or layout.daily_name(proposal.at.date())
    note = shape.parse(shape.note_path(where), encode(proposal.item))
    if len(note.entries) != 1:
        line = note.entries[1].line + above if note.entries else above + 1
        found = f"there are {len(note.entries)} entries" if note.entries else "there is no entry"
        return Unreadable(proposal.id, path, line, f"{found} instead of one")
    return note.entries[0]


class Proposals:
    """The proposals of one store; `own_folder` is its `.remember-me`."""

    def __init__(self, own_folder: Path, disk: Disk) -> None:
        self.own_folder = own_folder
        self.folder = own_folder / PENDING
        self.disk = disk

    def all(self) -> list[Proposal | Unreadable]:
        """All that waits, the oldest first; files that cannot be read last."""
        found = [self._read(name) for name in self._names(self.folder)]
        waiting = sorted((one for one in found if isinstance(one, Proposal)), key=lambda one: (one.at, one.id))
        return [*waiting, *(one for one in found if isinstance(one, Unreadable))]

    def find(self, given: str) -> Proposal | Unreadable:
        """The proposal of that id, `^id` or unique beginning. Raises EntryNotFound."""
        wanted = given.removeprefix("^").lower()
        names = [name for name in self._names(self.folder) if name == wanted] or [
            name for name in self._names(self.folder) if wanted and name.startswith(wanted)
        ]
        if len(names) != 1:
            raise EntryNotFound(given, kind="proposal", hint="`remember-me review` shows what waits.")
        return self._read(names[0])

    def put(self, proposal: Proposal) -> None:
        """Write a proposal; the file is whole or not there. Raises WriteFailed."""
        self._write(self.folder, proposal.id, render_proposal(proposal))

    def remove(self, name: str) -> None:
        """Take a proposal out: it was kept."""
        with suppress(FileNotFoundError):
            self.disk.unlink(self.folder / f"{name}.md")

    def reject(self, name: str) -> None:
        """Take a proposal out: it was restored. For a week it can still be read in `rejected/`."""
        with suppress(OSError):
            data = read_regular(self.folder / f"{name}.md", NOTE_LIMIT_BYTES)
            self._write(self.own_folder / REJECTED, name, decode(data))
        self.remove(name)

    def expire(self, now: datetime) -> None:
        """Delete what was rejected more than a week ago."""
        folder = self.own_folder / REJECTED
        for name in self._names(folder):
            path = folder / f"{name}.md"
            with suppress(OSError):
                if now.timestamp() - path.stat().st_mtime > timedelta(days=KEPT_DAYS).total_seconds():
                    self.disk.unlink(path)

    def forget(self, matches: Callable[[str], bool]) -> int:
        """Delete every proposal, waiting or rejected, whose file matches; how many there were.

        Half of one that a killed command left goes with it.
        """
        gone = 0
        for folder in (self.folder, self.own_folder / REJECTED):
            files = [folder / f"{name}.md" for name in self._names(folder)]
            for file in (*files, *folder.glob(f".*.md.{'[0-9a-f]' * 8}")):
                with suppress(OSError, ValueError):
                    if matches(decode(read_regular(file, NOTE_LIMIT_BYTES))):
                        self.disk.unlink(file)
                        gone += file in files
        return gone

    def _names(self, folder: Path) -> Iterator[str]:
        try:
            found = sorted(os.listdir(folder))
        except OSError:
            return
        yield from (name[:-3] for name in found if name.endswith(".md") and is_id(name[:-3]))

    def _read(self, name: str) -> Proposal | Unreadable:
        path = self.folder / f"{name}.md"
        try:
            return parse_proposal(name, decode(read_regular(path, NOTE_LIMIT_BYTES)))
        except (OSError, ValueError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else str(error)
            return Unreadable(name, f"{PENDING}/{name}.md", None, reason)

    def _write(self, folder: Path, name: str, text: str) -> None:
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            write_private(folder / f"{name}.md", encode(text), self.disk)
        except OSError as error:
            raise write_failed(f"{folder.name}/{name}.md", error) from None


def readable(found: Proposal | Unreadable) -> Proposal:
    """The proposal itself. Raises InvalidInput for a file that is none any more; it stays."""
    if isinstance(found, Unreadable):
        place = f"{found.path}:{found.line}" if found.line else found.path
        raise InvalidInput(
            f"{place}: {found.reason}.", hint=f"It still waits. Mend it, or `remember-me restore {found.id}`."
        )
    return found
