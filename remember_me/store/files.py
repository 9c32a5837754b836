"""The notes on disk: what lies there, reading by name, and atomic replacement under a content hash.

The only module that opens notes (DESIGN section 9, rule 2).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import StoreDamaged, WriteFailed
from remember_me.notes import layout
from remember_me.notes.note import content_hash
from remember_me.store.listing import (
    NOTE_LIMIT_BYTES,
    Listing,
    Stat,
    long_term_target,
    reason_of,
    scan_folders,
    stat_key,
)

_NEW_FILE_MODE = 0o666
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class Raced(Exception):
    """The note changed on disk since it was read; `data` are the bytes that stand there now (None: no file)."""

    def __init__(self, path: str, data: bytes | None) -> None:
        super().__init__(path)
        self.path = path
        self.data = data


class HalfWritten(WriteFailed):
    """An operation over several notes was interrupted behind its first rename: the journal finishes it later."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.reason = reason
        self.args = (f"Could not write {path}: {reason}. The next command finishes the operation.",)
        self.hint = "`remember-me status` shows what waits."


class Disk:
    """The effects of the writer, one method each, so that a test can let the n-th of them fail."""

    def create(self, path: Path) -> int:
        """A new file that must not exist yet; returns its descriptor."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOEXEC | _NOFOLLOW | _BINARY, _NEW_FILE_MODE)

    def write(self, descriptor: int, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]

    def fsync(self, descriptor: int) -> None:
        os.fsync(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        os.replace(source, target)

    def unlink(self, path: Path) -> None:
        os.unlink(path)

    def fsync_folder(self, folder: Path) -> None:
        """Make a rename in `folder` durable, where the system can."""
        if os.name == "nt":
            return
        descriptor = os.open(folder, os.O_RDONLY | _CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Replacement(NamedTuple):
    """New bytes for one note (None deletes it), to be applied only if its content hash still is `expected`."""

    path: str
    data: bytes | None
    expected: str | None


class NoteFiles:
    """The files of one store. `root` is its real path; `notes_dir` is `memory` or `.`."""

    def __init__(self, root: Path, notes_dir: str, disk: Disk) -> None:
        self.root = root
        self.notes_dir = notes_dir
        self.disk = disk

    def scan(self) -> Listing:
        """One pass over the folders; reads no file."""
        return scan_folders(self.root, self.notes_dir)

    def read(self, path: str) -> bytes | None:
        """The bytes of the note `path`, or None where there is no such file. Raises StoreDamaged by name."""
        try:
            return read_regular(self.target(path), NOTE_LIMIT_BYTES)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise StoreDamaged(
                f"{path} {error}.", hint="Move it out of the store, or make it an ordinary file."
            ) from None
        except OSError as error:
            raise StoreDamaged(
                f"Could not read {path}: {reason_of(error)}.",
                hint="Check its permissions; the other notes are not affected.",
            ) from None

    def stat(self, path: str) -> Stat | None:
        """The stat of one note as `scan` gives it, or None where there is no such file."""
        try:
            return stat_key(os.stat(self.target(path)))
        except OSError:
            return None

    def is_executable(self, path: str) -> bool:
        """Whether the note has the owner's execute bit, which git keeps."""
        try:
            return os.name != "nt" and bool(os.stat(self.root / path).st_mode & stat.S_IXUSR)
        except OSError:
            return False

    def target(self, path: str) -> Path:
        """The real file behind `path`. Raises StoreDamaged where a link leads somewhere it must not."""
        file = self.root / path
        if path == layout.LONG_TERM_NAME and file.is_symlink():
            return long_term_target(file)
        folder = file.parent
        if os.path.realpath(folder) != str(folder) or file.is_symlink():
            raise StoreDamaged(
                f"{path} is a link out of the notes and is not followed.",
                hint="Put the file itself into the store.",
            )
        return file

    def apply(self, replacements: Sequence[Replacement]) -> None:
        """Write all replacements: each is prepared and synced first, then all are renamed into place.

        Raises Raced before the first rename if a note no longer has its expected bytes, and WriteFailed
        with all notes as before if the system refuses.
        """
        prepared: list[tuple[Replacement, Path, Path | None]] = []
        path = ""
        renamed = False
        try:
            for replacement in replacements:
                path = replacement.path
                target = self.target(path)
                temporary = self._prepare(target, replacement.data) if replacement.data is not None else None
                prepared.append((replacement, target, temporary))
            for replacement, target, _ in prepared:
                path = replacement.path
                self._compare(replacement, target)
            for replacement, target, temporary in prepared:
                path = replacement.path
                if temporary is None:
                    self.disk.unlink(target)
                else:
                    self.disk.replace(temporary, target)
                renamed = True
            for folder in {target.parent for _, target, _ in prepared}:
                self.disk.fsync_folder(folder)
        except BaseException as error:
            self._discard([temporary for _, _, temporary in prepared if temporary is not None])
            if isinstance(error, OSError):
                raise HalfWritten(path, reason_of(error)) if renamed else write_failed(path, error) from None
            raise

    def _prepare(self, target: Path, data: bytes) -> Path:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.parent / layout.temporary_name(target.name, os.urandom(4).hex())
        try:
            descriptor = self.disk.create(temporary)
            try:
                self.disk.write(descriptor, data)
                keep_owner_and_mode(descriptor, target)
                self.disk.fsync(descriptor)
            finally:
                os.close(descriptor)
        except BaseException:
            self._discard([temporary])
            raise
        return temporary

    def _compare(self, replacement: Replacement, target: Path) -> None:
        try:
            data: bytes | None = read_regular(target, NOTE_LIMIT_BYTES)
        except FileNotFoundError:
            data = None
        found = None if data is None else content_hash(data)
        if found != replacement.expected:
            raise Raced(replacement.path, data)

    def _discard(self, temporaries: Sequence[Path]) -> None:
        for temporary in temporaries:
            try:
                os.unlink(temporary)
            except FileNotFoundError:
                continue
            except OSError:
                return

    def remove_temporaries(self) -> int:
        """Delete what a killed writer of ours left beside the notes; returns how many. The lock must be held."""
        count = 0
        folders = {self.root, self.root / self.notes_dir}
        long_term = self.root / layout.LONG_TERM_NAME
        if long_term.is_symlink():
            folders.add(Path(os.path.realpath(long_term)).parent)
        for folder in folders:
            if not folder.is_dir():
                continue
            for name in os.listdir(folder):
                if layout.is_temporary(name):
                    try:
                        self.disk.unlink(folder / name)
                    except OSError:
                        continue
                    count += 1
        return count


def read_regular(path: Path, limit_bytes: int) -> bytes:
    """The bytes of an ordinary file. Raises ValueError (a reason) for anything else or a file above the limit."""
    descriptor = os.open(path, os.O_RDONLY | _CLOEXEC | _NONBLOCK | _BINARY)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("is no ordinary file")
        if found.st_size > limit_bytes:
            raise ValueError(f"is larger than {limit_bytes // (1024 * 1024)} MiB")
        pieces: list[bytes] = []
        while piece := os.read(descriptor, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def write_private(path: Path, data: bytes, disk: Disk, *, sync: bool = True) -> None:
    """Replace a file of our own atomically; mode 0600. Without `sync` a power cut may leave it empty."""
    temporary = path.parent / f".{path.name}.{os.urandom(4).hex()}"
    try:
        descriptor = disk.create(temporary)
        try:
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, 0o600)
            disk.write(descriptor, data)
            if sync:
                disk.fsync(descriptor)
        finally:
            os.close(descriptor)
        disk.replace(temporary, path)
        if sync:
            disk.fsync_folder(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_failed(path: str, error: OSError) -> WriteFailed:
    """The error that names the note and what to do about it."""
    hints = {
        errno.ENOSPC: "The disk is full: free some space and run the command again.",
        errno.EDQUOT: "The disk quota is used up: free some space and run the command again.",
        errno.EROFS: "The file system is read-only: mount it for writing and run the command again.",
        errno.EFBIG: "The size of files is limited: raise the limit (ulimit -f) and run the command again.",
        errno.EIO: "The disk reports an error: check the disk, then run the command again.",
        errno.EACCES: "Check the permissions of the folder.",
        errno.EPERM: "Check the permissions of the folder.",
    }
    usual = "Look at that file and its folder, then run the command again."
    return WriteFailed(path, reason_of(error), hint=hints.get(error.errno or 0, usual))


def keep_owner_and_mode(descriptor: int, target: Path) -> None:
    """Give a file that is to take the place of `target` its owner and mode, as far as that is possible."""
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return
    if not hasattr(os, "fchmod"):
        return
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) != (found.st_uid, found.st_gid):
        try:
            os.fchown(descriptor, found.st_uid, found.st_gid)
        except PermissionError:
            os.fchmod(descriptor, stat.S_IMODE(found.st_mode))
            return
    os.fchmod(descriptor, stat.S_IMODE(found.st_mode))
