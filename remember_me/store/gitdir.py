"""The folder .git as it lies on the disk: where it leads, what stands in the way, who works in it."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import stat
import time
from collections.abc import Sequence
from pathlib import Path

from remember_me.store.gitsafe import no_git
from remember_me.store.gitwords import HEADS, GitFailed, GitProblem, Head, decoded, first_line, is_object_id

_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NO_SURPRISE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_LONGEST_SMALL_FILE_BYTES = 65_536
_YOUNG_SECONDS = 60.0
_PROC = "/proc"
_PARTS = ("HEAD", "index", "objects", "refs", "refs/heads", "logs", "logs/HEAD", "logs/refs/heads")
UNDER_WAY = (
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
)
"""Files that say that an operation of the person's is under way, and which."""
_HEAD_FILE = re.compile(rb"ref:\s*(refs/\S+)\s*|([0-9a-f]{40}(?:[0-9a-f]{24})?)\s*")


class GitDir:
    """The folder .git of the store at the real path `root`, asked without git. What it refuses raises GitFailed.

    Names of files in it are relative to it, with slashes.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.path = os.path.join(root, ".git")

    def exists(self, name: str) -> bool:
        """Whether there is anything of that name, a dangling link too."""
        return os.path.lexists(os.path.join(self.path, name))

    def small_file(self, name: str) -> bytes:
        """The bytes of a plain file, empty where there is none."""
        return read_small(os.path.join(self.path, name))

    def age_seconds(self, name: str) -> float:
        """How long ago the file was changed; 0 where there is none."""
        try:
            return time.time() - os.lstat(os.path.join(self.path, name)).st_mtime
        except OSError:
            return 0.0

    def is_whole(self) -> bool:
        """Whether it has what makes it a repository, as far as that can be seen."""
        parts = ("objects", "refs")
        return bool(self.small_file("HEAD")) and all(os.path.isdir(os.path.join(self.path, part)) for part in parts)

    def take(self, made: Path) -> None:
        """Puts the repository of the folder `made` into its place, unless another command was first."""
        try:
            os.rename(made / ".git", self.path)
        except OSError as error:
            if not self.is_whole():
                reason = f".git cannot be put into the store ({error.strerror})"
                raise GitFailed(GitProblem.FAILED, reason) from error

    def check_layout(self, branch: str | None = None) -> None:
        """Refuses what is no repository of its own: git would go elsewhere, or ask the wrong questions."""
        self.refuse_redirected(branch)
        parts = ("objects", "refs")
        if not all(os.path.isdir(os.path.join(self.path, part)) for part in parts):
            raise self.no_repository("the store has no git repository")
        # git's own test: a store that fails it would be a plain folder of the repository around it.
        if not _HEAD_FILE.fullmatch(self.small_file("HEAD")):
            raise self.no_repository("the git repository of the store is damaged: .git/HEAD cannot be read")

    def refuse_redirected(self, branch: str | None = None) -> None:
        """Refuses a .git, or a part that `branch` needs, that leads elsewhere."""
        names = self.links()
        if branch is not None and not names:
            paths = [os.path.join(self.path, part) for part in (branch, f"logs/{branch}")]
            names = [os.path.relpath(path, self.root) for path in paths if os.path.realpath(path) != path]
            objects = os.path.join(self.path, "objects")
            if os.path.isdir(objects):
                with os.scandir(objects) as parts:
                    names += [f".git/objects/{part.name}" for part in parts if part.is_symlink()]
        if names:
            reason = f"{names[0]} of the store leads elsewhere, and remember-me does not follow it"
            hint = f"Put what it leads to in its place: {os.path.join(self.root, names[0])}"
            raise GitFailed(GitProblem.REDIRECTED, reason, hint=hint)

    def links(self) -> list[str]:
        """The parts of .git that lead out of the store, .git itself being first."""
        if os.path.islink(self.path) or os.path.isfile(self.path):
            return [".git"]
        names = [name for name in _PARTS if os.path.islink(os.path.join(self.path, name))]
        return [f".git/{name}" for name in names + ["commondir"] * self.exists("commondir")]

    def refuse_operation_under_way(self) -> None:
        """Refuses a merge, rebase, cherry-pick or revert of the person's."""
        for name, operation in UNDER_WAY:
            if self.exists(name):
                hint = f"Finish it or stop it in {self.root}"
                raise GitFailed(GitProblem.MERGING, f"{operation} is under way in the repository", hint=hint)

    def refuse_locks(self, branch: str) -> None:
        """Refuses what keeps a commit on `branch` back."""
        for name in ("HEAD.lock", f"{branch}.lock", "reftable/tables.list.lock"):
            if self.exists(name):
                raise self.locked(name)
        # The commit does not need the index, but a git at work may be about to move the branch.
        if self.exists("index.lock") and self.git_is_alive(["index.lock"]):
            raise GitFailed(GitProblem.BUSY, "another git command is at work in the repository")

    def named_branch(self) -> str:
        """The branch that HEAD names; empty where it names none."""
        head = _HEAD_FILE.fullmatch(self.small_file("HEAD"))
        return decoded(head[1] or b"") if head else ""

    def glance(self) -> Head | None:
        """HEAD without a process; None where its branch is not a plain file of its own."""
        branch = self.named_branch()
        if not branch:
            return None
        commit = self.small_file(branch).strip().decode("ascii", "replace")
        return Head(branch, commit) if branch.startswith(HEADS) and is_object_id(commit) else None

    def git_is_alive(self, locks: Sequence[str]) -> bool:
        """Whether a git process works in this repository; without /proc: whether one of `locks` is young.

        A child of this process does not count: it can only be one that reads for the history.
        """
        if os.path.isdir(f"{_PROC}/self"):
            return any(_works_in(pid, self.root) for pid in os.listdir(_PROC) if pid.isdigit())
        return any(self.age_seconds(name) < _YOUNG_SECONDS for name in locks)

    def fsck_hint(self) -> str:
        """The next step where something of it is damaged."""
        return f"See what is damaged: git -C {shlex.quote(self.root)} fsck"

    def locked(self, name: str) -> GitFailed:
        """A lock file is in the way."""
        reason = f"the lock file .git/{name}, {_ago(self.age_seconds(name))}, is in the way"
        path = shlex.quote(os.path.join(self.path, name))
        return GitFailed(GitProblem.LOCKED, reason, hint=f"If no git command is running there: rm {path}")

    def not_started(self, error: OSError) -> GitFailed:
        """The system did not start git."""
        if not isinstance(error, (FileNotFoundError, PermissionError, NotADirectoryError)):
            return GitFailed(GitProblem.FAILED, f"git could not be started ({error.strerror})")
        if not os.path.isdir(self.root):
            return GitFailed(GitProblem.NO_REPOSITORY, f"there is no folder {self.root}")
        return no_git()

    def failure(self, code: int, said: str) -> GitFailed:
        """What git's exit code and its words mean."""
        low = said.lower()  # the case of messages differs between versions
        if code < 0:
            return GitFailed(GitProblem.FAILED, f"git was ended by signal {-code}", killed=True)
        if "dubious ownership" in low:
            reason = f"the repository belongs to another user, and safe.directory does not name {self.root}"
            hint = f"If you trust it: git config --global --add safe.directory {shlex.quote(self.root)}"
            return GitFailed(GitProblem.FOREIGN_OWNER, reason, hint=hint)
        if "not a git repository" in low:
            return self.no_repository("git finds no repository in the store")
        lock = re.search(r"unable to create '([^']*\.lock)': file exists", said, re.IGNORECASE)
        if lock:
            return self.locked(os.path.relpath(os.path.join(self.root, lock[1]), self.path))
        return GitFailed(GitProblem.FAILED, f"git said: {first_line(said) or f'exit code {code}'}")

    def no_repository(self, reason: str) -> GitFailed:
        """There is none that git would take."""
        hint = f"git -C {shlex.quote(self.root)} init"
        return GitFailed(GitProblem.NO_REPOSITORY, reason, hint=hint)


def read_small(path: str) -> bytes:
    """The first bytes of a plain file; empty where there is none. Follows no symlink, waits for no FIFO."""
    try:
        fd = os.open(path, os.O_RDONLY | _CLOEXEC | _NO_SURPRISE)
    except OSError:
        return b""
    with open(fd, "rb") as file:
        return file.read(_LONGEST_SMALL_FILE_BYTES) if stat.S_ISREG(os.fstat(fd).st_mode) else b""


def _works_in(pid: str, root: str) -> bool:
    """Whether the process is a git, and its folder, -C or --git-dir lies in `root` (Linux)."""
    try:
        with open(f"{_PROC}/{pid}/comm", "rb") as file:
            comm = decoded(file.read().strip())
        names = {comm, os.path.basename(os.readlink(f"{_PROC}/{pid}/exe"))}
        if not any(name == "git" or name.startswith("git-") for name in names):
            return False
        with open(f"{_PROC}/{pid}/stat", "rb") as file:
            parent = int(file.read().rpartition(b")")[2].split()[1])
        if parent == os.getpid():
            return False
        cwd = os.readlink(f"{_PROC}/{pid}/cwd")
        with open(f"{_PROC}/{pid}/cmdline", "rb") as file:
            words = decoded(file.read()).split("\0")
    except OSError:
        return False  # it has ended, or is another user's, whose locks we never take for ours
    places = [cwd, *(word.removeprefix("--git-dir=") for word in words if word.startswith("--git-dir="))]
    places += [after for word, after in itertools.pairwise(words) if word in ("-C", "--git-dir")]
    real = [os.path.realpath(os.path.join(cwd, place)) for place in places]
    return any(place == root or place.startswith(root.rstrip("/") + "/") for place in real)


def _ago(seconds: float) -> str:
    units = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
    unit, size = next((pair for pair in units if seconds >= pair[1]), units[-1])
    count = max(0, int(seconds // size))
    return f"{count} {unit}{'' if count == 1 else 's'} old"
