"""What each note looked like when it was last accounted for: stat, blob id and entry ids, in one small file.

Derived: it may be deleted at any time and is rebuilt from the commit and the notes. It makes the
nothing-changed check one stat per note, and finds the note of an id without reading the others.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from remember_me.model.entry import ID_PATTERN
from remember_me.store.files import Disk, read_regular, write_private
from remember_me.store.listing import Stat

VERSION = 7
RACY_NS = 50_000_000
"""A note that changed this close to when we looked is read again: a later change may leave the same time stamp."""

_LIMIT_BYTES = 256 * 1024 * 1024
_IDS = re.compile(rb"\^(" + ID_PATTERN.encode() + rb")(?=[ \t\r]*$)", re.MULTILINE)
_FRONT_MATTER = re.compile(rb"(?:\xef\xbb\xbf)?---.*?^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE | re.DOTALL)
_WORDS = re.compile(rb"(?<![0-9A-Za-z])" + ID_PATTERN.encode() + rb"(?![0-9A-Za-z])")


class Row(NamedTuple):
    """One note: its stat, the blob id of its bytes, the real ids that stand in it, joined by spaces, and the digests
    of what its entries say (eight hex digits each, one behind the other)."""

    stat: Stat
    blob: str
    ids: str
    texts: str = ""


class Manifest:
    """`commit` is the commit that the blobs were compared with; `staging_behind` are notes whose place in the
    person's staging area could not be refreshed yet; `looked_ns` is when the command that saved it began to
    look at the notes, 0 where there is none; `actors` says who stands behind an entry, `visit` which
    session was logged last, so that the next command of it need not."""

    def __init__(
        self,
        commit: str | None = None,
        rows: dict[str, Row] | None = None,
        staging_behind: tuple[str, ...] = (),
        looked_ns: int = 0,
        actors: dict[str, str] | None = None,
        visit: str = "",
    ) -> None:
        self.commit = commit
        self.rows = {} if rows is None else rows
        self.staging_behind = staging_behind
        self.looked_ns = looked_ns
        self.actors = {} if actors is None else actors
        self.visit = visit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Manifest) and vars(self) == vars(other)

    def changed(self, found: Mapping[str, Stat]) -> tuple[list[str], list[str]]:
        """(notes that may differ from their row or have none, notes that are gone)."""
        rows, racy = self.rows, self.looked_ns - RACY_NS
        suspects = [
            path
            for path, seen in found.items()
            if (row := rows.get(path)) is None or row.stat != seen or seen[1] >= racy or seen[2] >= racy
        ]
        return suspects, [path for path in rows if path not in found]

    def holds(self, path: str, data: bytes | None) -> bool:
        """Whether the note was last seen with exactly these bytes; None: whether it was seen to be gone."""
        from remember_me.store.gitwords import blob_id

        row = self.rows.get(path)
        if row is None or data is None:
            return row is None and data is None
        return row.blob == blob_id(data, "sha256" if len(row.blob) == 64 else "sha1")

    def holders(self, prefix: str) -> list[str]:
        """The notes whose ids include one that begins with `prefix`."""
        needle = " " + prefix
        return [path for path, row in self.rows.items() if needle in " " + row.ids]

    def saying(self, text_digest: str) -> list[str]:
        """The notes in which an entry may have that digest."""
        return [path for path, row in self.rows.items() if text_digest in row.texts]

    def save(self, path: Path, disk: Disk) -> None:
        document = {
            "version": VERSION,
            "commit": self.commit,
            "staging_behind": self.staging_behind,
            "looked_ns": self.looked_ns,
            "actors": self.actors,
            "visit": self.visit,
            "notes": list(self.rows),
            "stats": list(zip(*(row.stat for row in self.rows.values()), strict=True)),
            "blobs": [row.blob for row in self.rows.values()],
            "ids": [row.ids for row in self.rows.values()],
            "texts": [row.texts for row in self.rows.values()],
        }
        data = json.dumps(document, separators=(",", ":")).encode()
        write_private(path, b"%08x\n%b" % (zlib.crc32(data), data), disk, sync=False)


def ids_in(data: bytes) -> str:
    """All that may be a real id in the bytes of a note; more than the grammar finds, never less."""
    found = _IDS.findall(data)
    front = _FRONT_MATTER.match(data)
    if front is not None and b"id" in front[0]:
        found += _WORDS.findall(front[0])
    return " ".join(dict.fromkeys(match.decode() for match in found))


def load_manifest(path: Path) -> Manifest:
    """The saved manifest, or an empty one where it is missing, damaged or of another version."""
    try:
        checksum, _, data = read_regular(path, _LIMIT_BYTES).partition(b"\n")
        if int(checksum, 16) != zlib.crc32(data):
            return Manifest()
        document = json.loads(data)
        if document["version"] != VERSION:
            return Manifest()
        # In columns, so that ten thousand notes are put together without a step of Python for each.
        stats = zip(*document["stats"], strict=True)
        columns = zip(stats, document["blobs"], document["ids"], document["texts"], strict=True)
        rows = dict(zip(document["notes"], map(Row._make, columns), strict=True))
        return Manifest(
            document["commit"],
            rows,
            tuple(document["staging_behind"]),
            document["looked_ns"],
            document["actors"],
            document["visit"],
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Manifest()


def all_ids(rows: Iterable[Row]) -> set[str]:
    """Every real id that stands somewhere in the notes."""
    taken: set[str] = set()
    for row in rows:
        taken.update(row.ids.split())
    return taken
