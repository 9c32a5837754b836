"""What we wrote into the files of clients, and the bytes that were there before: so that uninstalling puts them back.

One record and one backup for each file, in the user's state; both go when the file is as before. Where we took
something for ours at the first install, the bytes that were found have a copy of their own, which stays.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from remember_me.clients.base import Memo
from remember_me.errors import RememberMeError, WriteFailed
from remember_me.notes.note import content_hash
from remember_me.store.anchor import state_folder
from remember_me.store.contexts import WAIT_SECONDS
from remember_me.store.files import Disk, read_regular, write_failed, write_private
from remember_me.store.lock import StoreLock
from remember_me.store.outside import LIMIT_BYTES

_FOLDER = "installs"
_NAME_CHARACTERS = 24


class Record(NamedTuple):
    """What became of the file at `path`. `before` and `after` are content hashes, of what uninstalling puts back (None:
    no file) and of what we wrote. `memo` are the words of its `Edit`, `folders` those that we made for it, the deepest
    last. `switched` are settings that were asked for, each with the JSON that stood there or None. `found` is the
    content hash of what was there at the first install, where that is not what uninstalling puts back."""

    path: str
    before: str | None
    after: str
    memo: Memo = ()
    folders: tuple[str, ...] = ()
    switched: tuple[tuple[str, str | None], ...] = ()
    found: str | None = None


class InstallsBusy(RememberMeError):
    """Another command installs or uninstalls for longer than one can wait."""

    hint = "Try again in a moment."


class Installs:
    """The records of this user."""

    def __init__(self, environ: Mapping[str, str], home: Path, disk: Disk) -> None:
        self.folder = state_folder(environ, home) / _FOLDER
        self.disk = disk

    def load(self, path: Path) -> Record | None:
        """The record of a file, None where there is none that can be read."""
        try:
            found = json.loads(read_regular(self._file(path, ".json"), LIMIT_BYTES))
            record = Record(
                str(found["path"]),
                None if found["before"] is None else str(found["before"]),
                str(found["after"]),
                tuple(map(str, found["memo"])),
                tuple(map(str, found["folders"])),
                tuple((str(key), None if old is None else str(old)) for key, old in found["switched"]),
                None if found.get("found") is None else str(found["found"]),
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return record if record.path == str(path) else None

    def backup(self, path: Path) -> Path:
        """Where the bytes of before lie."""
        return self._file(path, ".before")

    def copy_of_found(self, record: Record) -> Path | None:
        """Where the bytes lie that were found at the first install, where these are not those of before."""
        if record.found is None:
            return None
        name = hashlib.sha256(record.found.encode()).hexdigest()[:_NAME_CHARACTERS]
        return self._file(Path(record.path), f".{name}.found")

    @contextmanager
    def alone(self, *, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
        """Let no other process install or uninstall meanwhile. Raises InstallsBusy and WriteFailed."""
        lock = StoreLock(self.folder.with_suffix(".lock"))
        try:
            self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not lock.acquire(wait_seconds):
                raise InstallsBusy("Another command is installing into agent clients, or taking out of them.")
        except OSError as error:
            raise self.failed(error) from None
        try:
            yield
        finally:
            lock.release()

    def failed(self, error: OSError) -> WriteFailed:
        """The error of a record that could not be written."""
        return write_failed(str(self.folder), error)

    def load_backup(self, record: Record) -> bytes | None:
        """The bytes of before, None where they are not there or not what was kept."""
        try:
            data = read_regular(self.backup(Path(record.path)), LIMIT_BYTES)
        except (OSError, ValueError):
            return None
        return data if content_hash(data) == record.before else None

    def save(self, record: Record, before: bytes | None, found: bytes | None = None) -> None:
        """Keep a record with the bytes of before; `found` are those of the file as it is. Raises OSError."""
        path = Path(record.path)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        copy = self.copy_of_found(record)
        if copy is not None and found is not None and content_hash(found) == record.found:
            write_private(copy, found, self.disk)
        if before is not None:
            write_private(self.backup(path), before, self.disk)
        write_private(self._file(path, ".json"), json.dumps(record._asdict(), indent=1).encode(), self.disk)
        if before is None:
            self.backup(path).unlink(missing_ok=True)

    def drop(self, path: Path) -> None:
        """Forget a file that is as before. Raises OSError."""
        self._delete(self._file(path, ".json"), self.backup(path))

    def put_back(self, new: Record, old: Record | None, before: bytes | None) -> None:
        """Have the record of before `new` was saved, or none; `before` is its backup. Raises OSError."""
        copy = self.copy_of_found(new)
        if copy is not None and (old is None or old.found != new.found):
            self._delete(copy)
        if old is None:
            self.drop(Path(new.path))
        else:
            self.save(old, before)

    def _delete(self, *files: Path) -> None:
        for file in files:
            file.unlink(missing_ok=True)
        try:
            self.folder.rmdir()
        except OSError:
            return  # there are others

    def _file(self, path: Path, ending: str) -> Path:
        name = hashlib.sha256(os.fsencode(path)).hexdigest()[:_NAME_CHARACTERS]
        return self.folder / f"{name}{ending}"
