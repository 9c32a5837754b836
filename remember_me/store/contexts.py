"""The files outside of the stores that are kept up to date: which, for which store and project (DESIGN section 9).

One registry for all stores, in the user's state; its lock is held while a file is composed and written, so that no
older state of a store comes after a newer one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import RememberMeError
from remember_me.store.anchor import CONTEXTS_NAME
from remember_me.store.files import Disk, read_regular, write_failed, write_private
from remember_me.store.lock import StoreLock

SECTION, WHOLE = "section", "whole"
"""Kinds of files: one with a marked section of ours, and one that is ours as a whole."""

_VERSION = 1
_LIMIT_BYTES = 4 * 1024 * 1024
WAIT_SECONDS = 10.0


class Registered(NamedTuple):
    """One file. `store` is the real path of the store, `file` the absolute one that was given.

    `scope` is the project whose entries it shows beside those of none, or None for these alone. `lead` is what was put
    before the section, None where nothing was; `made` says that the file was not there.
    """

    store: str
    file: str
    scope: str | None
    kind: str = SECTION
    lead: str | None = None
    made: bool = False


class ContextsBusy(RememberMeError):
    """Another command keeps the files up to date for longer than one can wait."""

    hint = "Try again in a moment; `remember-me context --refresh` brings the files up to date."


class Contexts:
    """The registry in `folder`, our folder in the user's state."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.path = folder / CONTEXTS_NAME
        self.disk = disk

    def rows(self) -> list[Registered]:
        """What is registered, in its order; nothing where the file cannot be read."""
        try:
            return self.load()
        except (OSError, ValueError):
            return []

    def load(self) -> list[Registered]:
        """The same. Raises OSError, and ValueError where the file is none of ours any more."""
        try:
            data = read_regular(self.path, _LIMIT_BYTES)
        except FileNotFoundError:
            return []
        try:
            return [_registered(row) for row in json.loads(data)["files"]]
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"is no list of files: {type(error).__name__}") from None

    @contextmanager
    def changing(self, *, wait_seconds: float = WAIT_SECONDS) -> Iterator[list[Registered]]:
        """Hold the lock and give the rows, to be changed in place; they are saved at the end, and without any there is
        no file. Raises ContextsBusy and WriteFailed."""
        lock = StoreLock(self.path.with_suffix(".lock"))
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not lock.acquire(wait_seconds):
                raise ContextsBusy("Another command is writing the files that are kept up to date.")
        except OSError as error:
            raise write_failed(str(self.path), error) from None
        try:
            before = self.rows()
            rows = list(before)
            yield rows
            if rows != before:
                self._save(rows)
        finally:
            lock.release()

    def _save(self, rows: list[Registered]) -> None:
        document = {"version": _VERSION, "files": [row._asdict() for row in rows]}
        try:
            if rows:
                write_private(self.path, json.dumps(document, indent=1).encode(), self.disk)
            else:
                self.path.unlink(missing_ok=True)
        except OSError as error:
            raise write_failed(str(self.path), error) from None


def _registered(row: dict[str, object]) -> Registered:
    found = Registered(**{name: row.get(name) for name in Registered._fields})  # type: ignore[arg-type]
    texts = (found.store, found.file, found.kind)
    if not all(isinstance(text, str) and "\0" not in text for text in texts):
        raise TypeError("no path")
    if not all(isinstance(text, str | None) for text in (found.scope, found.lead)):
        raise TypeError("no text")
    if not os.path.isabs(found.file) or found.kind not in (SECTION, WHOLE):
        raise TypeError("no file of ours")
    return found._replace(made=found.made is True)
