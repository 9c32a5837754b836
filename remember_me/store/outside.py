"""A person's file outside of the store: read, and replaced as a whole with its link, mode and owner kept."""

from __future__ import annotations

import os
from pathlib import Path

from remember_me.store.files import Disk, keep_owner_and_mode, read_regular

LIMIT_BYTES = 8 * 1024 * 1024
_PRIVATE = 0o600


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
            keep_owner_and_mode(descriptor, target)
            if private and hasattr(os, "fchmod"):
                os.fchmod(descriptor, _PRIVATE)
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
