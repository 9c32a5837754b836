"""A person's file outside of the store: read, and replaced as a whole with its link, mode and owner kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from remember_me.store.files import Disk, read_regular

LIMIT_BYTES = 8 * 1024 * 1024
_PRIVATE, _NEW = 0o600, 0o666


class ChangedMeanwhile(Exception):
    """The file does not have the bytes any more that were read."""


def read_outside(path: Path) -> bytes | None:
    """The bytes of the file behind `path`; None where there is none. Raises OSError, and ValueError with a reason."""
    try:
        return read_regular(path, LIMIT_BYTES)
    except FileNotFoundError:
        return None


def replace_outside(path: Path, data: bytes, before: bytes | None, disk: Disk, *, private: bool = False) -> None:
    """Put `data` in the place of `before` (None: no file). A link is followed and stays.

    A new file is the person's alone with `private`. Raises OSError, and ChangedMeanwhile with the file as it is.
    """
    target = Path(os.path.realpath(path))
    temporary = target.parent / f".{target.name[:100]}.remember-me-{os.urandom(4).hex()}"
    descriptor = disk.create(temporary)
    try:
        try:
            disk.write(descriptor, data)
            _keep_owner_and_mode(descriptor, target, private)
            disk.fsync(descriptor)
        finally:
            os.close(descriptor)
        if read_outside(target) != before:
            raise ChangedMeanwhile
        disk.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    disk.fsync_folder(target.parent)


def remove_outside(path: Path, before: bytes, disk: Disk) -> None:
    """Delete the file behind `path` if it still has the bytes `before`. Raises OSError and ChangedMeanwhile."""
    if read_outside(path) != before:
        raise ChangedMeanwhile
    disk.unlink(Path(os.path.realpath(path)))


def _keep_owner_and_mode(descriptor: int, target: Path, private: bool) -> None:
    if not hasattr(os, "fchmod"):
        return
    try:
        found = os.stat(target)
    except FileNotFoundError:
        if private:
            os.fchmod(descriptor, _PRIVATE)
        return
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) != (found.st_uid, found.st_gid):
        try:
            os.fchown(descriptor, found.st_uid, found.st_gid)
        except PermissionError:
            pass  # a file of another user in a folder of ours: what can be kept is its mode
    os.fchmod(descriptor, _PRIVATE if private else stat.S_IMODE(found.st_mode))
