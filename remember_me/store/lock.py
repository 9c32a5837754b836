"""The kernel lock of a store: dies with its holder; git children hold it too."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LONGEST_PAUSE_SECONDS = 0.008
_SHORTEST_PAUSE_SECONDS = 0.0005
_HALVED_AFTER_SECONDS = 0.050


class StoreLock:
    """An exclusive lock on the file `path` (`.remember-me/lock`), between processes and between objects.

    What the file holds is never read, so a file that a dead process left behind is no lock. Not re-entrant.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd: int | None = None

    def acquire(self, timeout_seconds: float) -> bool:
        """Waits at most `timeout_seconds` for the lock; 0 is one try. True if it is held now.

        The file is created with mode 0600. Raises OSError where the path cannot be opened or is no regular
        file (a symlink is not followed), RuntimeError if this object holds the lock already.
        """
        if self._fd is not None:
            raise RuntimeError("the store lock is held already")
        began = time.monotonic()
        while not self._try():
            waited = time.monotonic() - began
            if waited >= timeout_seconds:
                return False
            import random  # only where the lock is taken: it loads more than the rest of this module

            time.sleep(min(timeout_seconds - waited, _pause(waited) * random.uniform(0.5, 1.5)))
        return True

    def release(self) -> None:
        """Gives the lock up; a child that inherited it keeps it until it ends. Without a lock: no effect."""
        if self._fd is None:
            return
        fd, self._fd = self._fd, None
        # On POSIX only close: LOCK_UN would take the lock away from a git child that still writes.
        if sys.platform == "win32":
            os.lseek(fd, 0, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
        os.close(fd)

    @property
    def held(self) -> bool:
        """Whether the lock is ours and still guards `path`: not once the file was deleted or replaced."""
        return self._fd is not None and _is_at(self._fd, self._path)

    @property
    def inheritable_fds(self) -> tuple[int, ...]:
        """What a child gets through `pass_fds` to hold the lock too; empty without a lock and on Windows."""
        return () if self._fd is None or sys.platform == "win32" else (self._fd,)

    def _try(self) -> bool:
        """One try. Opens again as long as the file that was locked is no longer the one at the path."""
        while True:
            fd = _open(self._path)
            try:
                locked = _lock(fd)
                current = locked and _is_at(fd, self._path)
            except BaseException:
                os.close(fd)
                raise
            if current:
                self._fd = fd
                return True
            os.close(fd)
            if not locked:
                return False


def _pause(waited_seconds: float) -> float:
    """Who waits longer tries more often, so that of many waiters none waits for ever."""
    shorter = _LONGEST_PAUSE_SECONDS / (1 + waited_seconds / _HALVED_AFTER_SECONDS)
    return max(_SHORTEST_PAUSE_SECONDS, shorter)


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    # O_NONBLOCK so that a FIFO at the path is an error and not a wait.
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    fd = os.open(path, flags, 0o600)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(f"{path} is not a regular file")
    return fd


def _lock(fd: int) -> bool:
    """Takes the kernel lock without waiting; False if another holds it."""
    try:
        if sys.platform == "win32":
            os.lseek(fd, 0, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _is_at(fd: int, path: Path) -> bool:
    """Whether the open file is the one at `path` now."""
    try:
        there = os.lstat(path)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(fd), there)
