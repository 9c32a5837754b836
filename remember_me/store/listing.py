"""What lies in the folders of a store, and what of it is not read and why. Reads no file."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import StoreDamaged
from remember_me.notes import layout
from remember_me.notes.problem import Problem

NOTE_LIMIT_BYTES = 16 * 1024 * 1024
"""A larger file is refused by name: it is no note that a person keeps (DESIGN section 5)."""

_LINKED = "is a link and is not followed"

Stat = tuple[int, int, int, int]
"""(size, mtime in ns, ctime in ns, inode): a hint that the bytes are the same, never their identity."""

_DAILY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.md\Z")


class Listing(NamedTuple):
    """What lies in a store. Paths are relative to it, with `/`.

    `notes` are MEMORY.md and all `.md` files of the note folder; `beside` are other `.md` files next to
    MEMORY.md, which are read as prose and never written or committed. `settings` are the store's settings
    file and that of the tombstones, which are kept in the history and are no notes. `copies` are conflict copies,
    backups and swap files, `refused` are files that are not read and why.
    """

    notes: Mapping[str, Stat]
    settings: Mapping[str, Stat]
    beside: Mapping[str, Stat]
    copies: tuple[str, ...]
    refused: tuple[Problem, ...]


def scan_folders(root: Path, notes_dir: str) -> Listing:
    """One pass over the folders of the store at the real path `root`."""
    return _Scan(root, notes_dir).run()


def reason_of(error: OSError) -> str:
    """What the system said, as words for a sentence."""
    return (error.strerror or str(error)).lower()


def long_term_target(link: Path) -> Path:
    """Where a linked MEMORY.md leads: a person's dotfiles, say. It must be an existing ordinary `.md` file."""
    target = Path(os.path.realpath(link))
    if target.suffix.lower() != ".md" or (target.exists() and not target.is_file()):
        raise StoreDamaged(
            f"{link.name} is a link to {target.name}, which is no .md file.",
            hint="Point it at a markdown file.",
        )
    if not target.exists():
        raise StoreDamaged(
            f"{link.name} is a link to {target}, which does not exist.",
            hint="Create that file, or remove the link.",
        )
    return target


stat_key: Callable[[os.stat_result], Stat] = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")
"""The stat of a note as it is compared."""


class _Scan:
    """One pass over a store's folders."""

    def __init__(self, root: Path, notes_dir: str) -> None:
        self.root = root
        self.notes_dir = notes_dir
        self.tombstones = layout.tombstones_path(notes_dir)
        self.notes: dict[str, Stat] = {}
        self.beside: dict[str, Stat] = {}
        self.settings: dict[str, Stat] = {}
        self.copies: list[str] = []
        self.refused: list[Problem] = []

    def run(self) -> Listing:
        self._folder(self.root, "", self.notes if self.notes_dir == "." else self.beside)
        if self.notes_dir != ".":
            folder = self.root / self.notes_dir
            if folder.is_symlink():
                self.refused.append(
                    Problem(self.notes_dir, None, None, "is a link out of the store and is not followed")
                )
            elif folder.is_dir():
                self._folder(folder, self.notes_dir + "/", self.notes, deep=True)
        return Listing(self.notes, self.settings, self.beside, tuple(sorted(self.copies)), tuple(self.refused))

    def _folder(self, folder: Path, prefix: str, into: dict[str, Stat], *, deep: bool = False) -> None:
        folders: list[str] = []
        is_copy, take, is_daily = layout.is_copy, self._take, _DAILY.match
        try:
            with os.scandir(folder) as found:
                for item in found:
                    name = item.name
                    if is_daily(name):  # ten years of them: nothing is done twice here
                        seen = item.stat(follow_symlinks=False)
                        if stat.S_ISREG(seen.st_mode) and seen.st_size <= NOTE_LIMIT_BYTES:
                            into[prefix + name] = stat_key(seen)
                        else:
                            take(item, prefix + name, into)
                    elif name.endswith(".md") and name[0] != ".":
                        if is_copy(name):
                            self.copies.append(prefix + name)
                        else:
                            take(item, prefix + name, into)
                    elif name == layout.SETTINGS_NAME and not prefix:
                        take(item, name, self.settings)
                    elif deep and name[0] != "." and item.is_dir(follow_symlinks=False):
                        folders.append(name)
                    elif deep and name[0] != "." and item.is_symlink() and item.is_dir():
                        self._refuse(prefix + name, _LINKED)
                    elif is_copy(name) and ".md" in name and not layout.is_temporary(name):
                        self.copies.append(prefix + name)
        except OSError as error:
            self.refused.append(Problem(prefix or ".", None, None, f"could not be listed: {reason_of(error)}"))
        for name in folders:
            self._folder(folder / name, f"{prefix}{name}/", into, deep=True)

    def _take(self, item: os.DirEntry[str], path: str, into: dict[str, Stat]) -> None:
        if path == layout.LONG_TERM_NAME:
            into = self.notes
            if item.is_symlink():
                self._take_linked(item, path)
                return
        if path == self.tombstones:
            into = self.settings
        found = item.stat(follow_symlinks=False)
        mode = found.st_mode
        if stat.S_ISREG(mode):
            if found.st_size > NOTE_LIMIT_BYTES:
                self._refuse(path, f"is larger than {NOTE_LIMIT_BYTES // (1024 * 1024)} MiB and is not read")
            else:
                into[path] = stat_key(found)
        elif stat.S_ISLNK(mode):
            self._refuse(path, _LINKED)
        elif stat.S_ISDIR(mode):
            self._refuse(path, "is a folder and is not read")
        else:
            self._refuse(path, "is no ordinary file and is not read")

    def _take_linked(self, item: os.DirEntry[str], path: str) -> None:
        try:
            self.notes[path] = stat_key(os.stat(long_term_target(Path(item.path))))
        except StoreDamaged as error:
            self._refuse(path, str(error).removeprefix(f"{path} ").rstrip("."))

    def _refuse(self, path: str, reason: str) -> None:
        self.refused.append(Problem(path, None, None, reason))
