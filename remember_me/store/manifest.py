"""What each note looked like when it was last accounted for: stat, blob id and entry ids, in one small file.

Derived: it may be deleted at any time and is rebuilt from the commit and the notes. It makes the
nothing-changed check one stat per note, and finds the note of an id without reading the others.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from remember_me.model.entry import ID_PATTERN
from remember_me.store.files import Disk, read_regular, write_private
from remember_me.store.listing import Stat

VERSION = 3
RACY_NS = 50_000_000
"""A note written this close to the manifest is read again: its next change may leave the same time stamp."""

_LIMIT_BYTES = 256 * 1024 * 1024
_IDS = re.compile(rb"(?:\^|^id:[ ]*['\"]?)(" + ID_PATTERN.encode() + rb")(?=['\"]?[ \t]*(?:#.*)?\r?$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """One note: its stat, the blob id of its bytes, and the real ids that stand in it, joined by spaces."""

    stat: Stat
    blob: str
    ids: str


@dataclass(slots=True)
class Manifest:
    """`commit` is the commit that the blobs were compared with; `staging_behind` are notes whose place in the
    person's staging area could not be refreshed yet; `written_ns` is when it was saved; `actors` says who
    made the newest revision of an entry."""

    commit: str | None = None
    rows: dict[str, Row] = field(default_factory=dict)
    staging_behind: tuple[str, ...] = ()
    written_ns: int = 0
    actors: dict[str, str] = field(default_factory=dict)

    def changed(self, found: Mapping[str, Stat]) -> tuple[list[str], list[str]]:
        """(notes that may differ from their row or have none, notes that are gone)."""
        rows, racy = self.rows, self.written_ns - RACY_NS
        suspects = [
            path
            for path, seen in found.items()
            if (row := rows.get(path)) is None or row.stat != seen or seen[1] >= racy or seen[2] >= racy
        ]
        return suspects, [path for path in rows if path not in found]

    def holders(self, prefix: str) -> list[str]:
        """The notes whose ids include one that begins with `prefix`."""
        needle = " " + prefix
        return [path for path, row in self.rows.items() if needle in " " + row.ids]

    def save(self, path: Path, disk: Disk) -> None:
        self.written_ns = time.time_ns()
        document = {
            "version": VERSION,
            "commit": self.commit,
            "staging_behind": self.staging_behind,
            "written_ns": self.written_ns,
            "actors": self.actors,
            "rows": {name: [*row.stat, row.blob, row.ids] for name, row in self.rows.items()},
        }
        write_private(path, json.dumps(document, separators=(",", ":")).encode(), disk, sync=False)


def ids_in(data: bytes) -> str:
    """All that may be a real id in the bytes of a note; more than the grammar finds, never less."""
    return " ".join(dict.fromkeys(match.decode() for match in _IDS.findall(data)))


def load_manifest(path: Path) -> Manifest:
    """The saved manifest, or an empty one where it is missing, damaged or of another version."""
    try:
        document = json.loads(read_regular(path, _LIMIT_BYTES))
        if document["version"] != VERSION:
            return Manifest()
        rows = {
            name: Row((size, mtime, ctime, inode), blob, ids)
            for name, (size, mtime, ctime, inode, blob, ids) in document["rows"].items()
        }
        return Manifest(
            document["commit"],
            rows,
            tuple(document["staging_behind"]),
            document["written_ns"],
            document["actors"],
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Manifest()


def all_ids(rows: Iterable[Row]) -> set[str]:
    """Every real id that stands somewhere in the notes."""
    taken: set[str] = set()
    for row in rows:
        taken.update(row.ids.split())
    return taken
