"""The marker: on disk while a git child of ours writes, so that what a killed one leaves can be told from others'."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from remember_me.store.gitdir import GitDir, read_small
from remember_me.store.gitwords import GitFailed, GitProblem

_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_FIXED_LOCKS = ("index.lock", "HEAD.lock", "packed-refs.lock", "reftable/tables.list.lock")
_DEBRIS = ("fast_import_crash_*", "packed-refs.new", "objects/tmp_*", "objects/pack/tmp_*", "objects/??/tmp_obj_*")


class Marker:
    """The file `path`, whose folder must exist; `folder` is the .git that it speaks of."""

    def __init__(self, path: Path, folder: GitDir) -> None:
        self.path = path
        self._folder = folder

    @contextlib.contextmanager
    def writing(self, branch: str | None, more: Sequence[str] = ()) -> Iterator[None]:
        """Says on disk that a child of ours writes, as long as it does. `more` are further lock files within .git."""
        if os.path.lexists(self.path):
            self.recover()
        # Still there: another git lives, and the locks that the old marker proves ours must stay provable.
        fresh = not os.path.lexists(self.path)
        if fresh:
            self._write([*([f"{branch}.lock"] if branch else []), *more])
        try:
            yield
        except GitFailed as failure:
            if failure.killed:
                self.recover()
            elif fresh:
                self._remove_debris()
                _removed(self.path)
            raise
        except BaseException:
            self.recover()
            raise
        if fresh:
            _removed(self.path)

    @contextlib.contextmanager
    def aside(self) -> Iterator[Path]:
        """A folder beside the marker that is gone afterwards; its name says which process has it."""
        folder = self.path.with_name(f"{self.path.name}-{os.getpid()}")
        shutil.rmtree(folder, ignore_errors=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _remove_abandoned(self) -> None:
        """The folders `aside` of processes that are dead."""
        for folder in self.path.parent.glob(f"{self.path.name}-*"):
            if not _is_alive(folder.name.rpartition("-")[2]):
                shutil.rmtree(folder, ignore_errors=True)

    def recover(self) -> tuple[str, ...]:
        """Removes the lock files that a killed child of ours left, and gives their names within .git.

        Call it only while the store lock is held, so that no child of ours lives. A lock that was there
        before our child, is older than it, or belongs to another user, stays; so does every one while a git
        process works in this repository. Half-written objects go too, since they may hold text.
        """
        self._remove_abandoned()
        marker = self._read()
        if marker is None or self._folder.links() or not os.path.isdir(self._folder.path):
            return ()
        began_ns, locks = marker
        top = Path(self._folder.path)
        ours = [name for name in (*locks, *self._debris()) if self._is_ours(name, began_ns)]
        if ours and self._folder.git_is_alive(ours):
            return ()
        removed = [name for name in ours if _removed(top / name)]
        if removed == ours:
            _removed(self.path)
        return tuple(name for name in removed if name in locks)

    def _remove_debris(self) -> None:
        """What a git leaves that ends with an error by itself: no locks, but halves of objects."""
        marker = self._read()
        if marker is None or self._folder.links():
            return
        ours = [name for name in self._debris() if self._is_ours(name, marker[0])]
        if ours and not self._folder.git_is_alive(ours):
            for name in ours:
                _removed(Path(self._folder.path, name))

    def _debris(self) -> list[str]:
        top = Path(self._folder.path)
        return [os.path.relpath(path, top) for kind in _DEBRIS for path in top.glob(kind)]

    def _write(self, more: Sequence[str]) -> None:
        locks = [*_FIXED_LOCKS, *more]
        try:
            fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOEXEC, 0o600)
            with open(fd, "wb") as file:
                # The file system's clock, not ours: it is what the lock files will be stamped with.
                began_ns = os.fstat(fd).st_mtime_ns
                existed = [name for name in locks if self._folder.exists(name)]
                file.write(json.dumps({"time_ns": began_ns, "locks": locks, "existed": existed}).encode())
        except OSError as error:
            folder = self.path.parent
            reason = f"{folder.name}/{self.path.name} cannot be written: {(error.strerror or str(error)).lower()}"
            raise GitFailed(GitProblem.FAILED, reason, hint=f"Check the folder {folder}") from error

    def _read(self) -> tuple[int, list[str]] | None:
        """When the child began, in ns, and the locks that it may have taken; None without a marker."""
        try:
            stamp = os.lstat(self.path).st_mtime_ns
        except FileNotFoundError:
            return None
        try:
            told = json.loads(read_small(os.fspath(self.path)))
            began_ns, locks, existed = int(told["time_ns"]), list(told["locks"]), list(told["existed"])
        except (ValueError, TypeError, KeyError, RecursionError):
            # Cut short by a power cut. What it said is lost, so only what is surely newer counts.
            return stamp + 1, list(_FIXED_LOCKS)
        return began_ns, [name for name in locks if _is_lock_name(name) and name not in existed]

    def _is_ours(self, name: str, began_ns: int) -> bool:
        folder, base = os.path.split(os.path.join(self._folder.path, name))
        if os.path.realpath(folder) != folder:
            return False  # a link out of the store
        try:
            found = os.lstat(os.path.join(folder, base))
        except OSError:
            return False
        mine = sys.platform == "win32" or found.st_uid == os.geteuid()
        return mine and stat.S_ISREG(found.st_mode) and found.st_mtime_ns >= began_ns


def _is_alive(pid: str) -> bool:
    try:
        if sys.platform != "win32":  # there it would end the process
            os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _removed(path: Path) -> bool:
    """Removes the file. False where the system refuses; then the next command tries again."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _is_lock_name(name: object) -> bool:
    """Whether our child could have made it. Anyone may have written the marker, and its names get removed."""
    if not isinstance(name, str):
        return False
    parts = name.split("/")
    if parts[0] == "worktrees" and len(parts) > 2:
        parts = parts[2:]
    ours = parts[0] == "refs" or (len(parts) == 1 and parts[0] in _FIXED_LOCKS)
    return name in _FIXED_LOCKS or (ours and name.endswith(".lock") and not {"", ".", ".."} & set(name.split("/")))
