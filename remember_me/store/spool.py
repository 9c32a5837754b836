"""The spool: operations on their way into notes and commits, one file each, with the bytes to come.

A file here is the journal of its operation (DESIGN section 7). It is written and synced before a note is
touched and removed when the commit is there, so that after a crash the next command finishes it as a
commit of its own. Captures that could not have the lock wait here too.
"""

from __future__ import annotations

import base64
import json
import os
import re
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import StoreDamaged
from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.model.revision import Operation
from remember_me.notes.note import content_hash
from remember_me.store.files import Disk, read_regular, write_private
from remember_me.store.listing import reason_of

_LIMIT_BYTES = 512 * 1024 * 1024
_JOURNAL, _CAPTURE = "journal", "capture"
_NAME = re.compile(r"([0-8][0-9]{19})-")


class NoteBytes(NamedTuple):
    """One note of an operation: the content hash before (None: no file) and the bytes after (None: deleted)."""

    path: str
    before: str | None
    after: bytes | None

    @property
    def after_hash(self) -> str | None:
        return None if self.after is None else content_hash(self.after)


class Journalled(NamedTuple):
    """An operation that was planned: its notes may be written or not, it is not known to be committed.

    `found` says that an earlier command left it, so that it may be committed already.
    """

    name: str
    operation: Operation
    notes: tuple[NoteBytes, ...]
    found: bool = False


class Captured(NamedTuple):
    """A capture that waits for the lock: not planned yet."""

    name: str
    operation: Operation
    change: Add


Record = Journalled | Captured


class Spool:
    """The folder `spool/` of one store."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.folder = folder
        self.disk = disk

    def names(self) -> list[str]:
        """The names of the waiting records, oldest first."""
        try:
            return sorted(name for name in os.listdir(self.folder) if name.endswith(".json") and name[0] != ".")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreDamaged(
                f"The spool {self.folder} cannot be read: {reason_of(error)}.", hint="Check its permissions."
            ) from None

    def captures(self) -> list[str]:
        """The names of the captures that wait."""
        return [name for name in self.names() if name.endswith(f"-{_CAPTURE}.json")]

    def unwritten(self) -> list[Record]:
        """What may not be in the notes yet: the newest journalled operation and the captures, oldest first."""
        names = self.names()
        newest = [name for name in names if name.endswith(f"-{_JOURNAL}.json")][-1:]
        return self._load([name for name in names if name in newest or name.endswith(f"-{_CAPTURE}.json")])[0]

    def journal(self, operation: Operation, notes: Iterable[NoteBytes]) -> Journalled:
        """Write down an operation before any note is touched. The lock must be held. Raises OSError."""
        record = Journalled(self._next_name(operation, _JOURNAL), operation, tuple(notes))
        document = {
            "operation": _operation_document(operation),
            "notes": [
                {"path": note.path, "before": note.before, "after": _encoded(note.after)} for note in record.notes
            ],
        }
        self._write(record.name, document)
        return record

    def capture(self, operation: Operation, change: Add) -> Captured:
        """Keep a capture for whoever gets the lock next. Raises OSError."""
        record = Captured(self._next_name(operation, _CAPTURE), operation, change)
        document = {
            "operation": _operation_document(operation),
            "add": {
                "id": change.id,
                "tag": change.tag.value,
                "title": change.title,
                "body": change.body,
                "fields": [list(pair) for pair in change.fields],
                "at": change.at.isoformat(),
                "topic": change.topic,
                "document": change.document,
                "promote": change.promote,
            },
        }
        self._write(record.name, document)
        return record

    def records(self) -> tuple[list[Record], list[str]]:
        """(the waiting records, oldest first; the names of files that cannot be read)."""
        return self._load(self.names())

    def _load(self, names: list[str]) -> tuple[list[Record], list[str]]:
        records: list[Record] = []
        damaged: list[str] = []
        for name in names:
            try:
                records.append(_load(name, json.loads(read_regular(self.folder / name, _LIMIT_BYTES))))
            except FileNotFoundError:
                continue
            except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
                damaged.append(name)
        return records, damaged

    def remove(self, record: Record) -> None:
        """The operation was withdrawn before a note was touched. Raises OSError."""
        try:
            self.disk.unlink(self.folder / record.name)
        except FileNotFoundError:
            return

    def finished(self, record: Record) -> None:
        """The operation is where it belongs. A record that cannot be removed now is known to be done later."""
        try:
            self.remove(record)
        except OSError:
            return

    def remove_temporaries(self) -> None:
        """Delete half-written records. The lock must be held, so no one else writes into the journal.

        A capture may be on its way all the same, so half of one is debris only when it is old.
        """
        try:
            found = os.listdir(self.folder)
        except OSError:  # `records` is about to say so
            return
        for name in found:
            path = self.folder / name
            if name.startswith(".") and (f"-{_JOURNAL}.json." in name or time.time() - _mtime(path) > 60):
                try:
                    path.unlink()
                except OSError:
                    continue

    def _next_name(self, operation: Operation, kind: str) -> str:
        """A name that sorts behind all that wait already, also when the clock went back."""
        waiting = self.names()
        newest = max((int(found[1]) for name in waiting if (found := _NAME.match(name))), default=0)
        return f"{max(time.time_ns(), newest + 1):020d}-{operation.id}-{kind}.json"

    def _write(self, name: str, document: object) -> None:
        data = json.dumps(document, ensure_ascii=True).encode()
        path = self.folder / name
        try:
            try:
                write_private(path, data, self.disk)
            except FileNotFoundError:
                self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                write_private(path, data, self.disk)
        except OSError:
            path.unlink(missing_ok=True)  # the caller says that nothing was done, so nobody may do it later
            raise


def _mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


def _encoded(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode()


def _operation_document(operation: Operation) -> dict[str, object]:
    return {
        "id": operation.id,
        "verb": operation.verb,
        "actor": operation.actor,
        "at": operation.at.isoformat(),
        "entries": list(operation.entries),
        "removed": list(operation.removed),
        "session": operation.session,
        "undoes": operation.undoes,
        "redoes": operation.redoes,
    }


def _load(name: str, document: dict[str, dict[str, object]]) -> Record:
    found = dict(document["operation"])
    operation = Operation(
        id=str(found["id"]),
        verb=str(found["verb"]),
        actor=str(found["actor"]),
        at=datetime.fromisoformat(str(found["at"])),
        entries=tuple(found["entries"]),  # type: ignore[arg-type]
        removed=tuple(found["removed"]),  # type: ignore[arg-type]
        session=found["session"],  # type: ignore[arg-type]
        undoes=found["undoes"],  # type: ignore[arg-type]
        redoes=found["redoes"],  # type: ignore[arg-type]
    )
    if "add" in document:
        return Captured(name, operation, _load_add(document["add"]))
    notes = []
    for note in document["notes"]:
        after = note["after"]  # type: ignore[index]
        data = None if after is None else base64.b64decode(after)
        notes.append(NoteBytes(_checked(note["path"]), note["before"], data))  # type: ignore[index]
    return Journalled(name, operation._replace(notes=tuple(n.path for n in notes)), tuple(notes), found=True)


def _checked(path: str) -> str:
    """A path that leads out of the notes is none that we wrote."""
    if "\0" in path or any(not part or (part[0] == "." and part != ".gitignore") for part in path.split("/")):
        raise ValueError(path)
    return path


def _load_add(document: dict[str, object]) -> Add:
    return Add(
        id=str(document["id"]),
        tag=Tag(str(document["tag"])),
        title=str(document["title"]),
        body=str(document["body"]),
        fields=tuple((str(key), str(value)) for key, value in document["fields"]),  # type: ignore[attr-defined]
        at=datetime.fromisoformat(str(document["at"])),
        topic=document["topic"],  # type: ignore[arg-type]
        document=document["document"],  # type: ignore[arg-type]
        promote=bool(document.get("promote", False)),
    )
