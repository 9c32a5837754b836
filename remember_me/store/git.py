"""The one runner of the git program."""

from __future__ import annotations

import contextlib
import enum
import hashlib
import itertools
import json
import os
import re
import shlex
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import subprocess

ObjectFormat = Literal["sha1", "sha256"]

# Off is whatever a repository or a machine configures that could run a program or use the network (DESIGN 5).
_OFF = (
    "core.hooksPath=/dev/null",
    # Hooks that are configured (git 2.54) live beside core.hooksPath. These are the events that our commands
    # raise; git 2.54 itself lacks this switch, for it see Git._settings.
    "hook.reference-transaction.enabled=false",
    "hook.post-index-change.enabled=false",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.askPass=",
    "credential.helper=",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
)
_SETTINGS = (
    # A power cut must not leave a branch that points at an empty object.
    "core.fsync=committed,reference",
    # Small commits become loose objects, as git's own do, and not a pack each.
    "fastimport.unpackLimit=100",
    "core.untrackedCache=keep",
)
_OPTIONS = ("--no-pager", *(part for setting in (*_OFF, *_SETTINGS) for part in ("-c", setting)))

_FALLBACK_NAME, _FALLBACK_EMAIL = "remember-me", "remember-me@localhost"
_GRACE_SECONDS = 0.5
_YOUNG_SECONDS = 60.0
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NO_SURPRISE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_SEARCHED_COMMITS = 200
_LONGEST_MARKER_BYTES = 65_536
_PROC = "/proc"
_HEADS = "refs/heads/"
_FIXED_LOCKS = ("index.lock", "HEAD.lock", "packed-refs.lock", "reftable/tables.list.lock")
_DEBRIS = ("fast_import_crash_*", "objects/tmp_*", "objects/pack/tmp_*", "objects/??/tmp_obj_*")
_PARTS = ("HEAD", "index", "objects", "refs", "refs/heads", "logs", "logs/HEAD", "logs/refs/heads")
_UNDER_WAY = (
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
)
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_UTC_OFFSET = re.compile(r"[+-]\d{4}")
_HEAD_FILE = re.compile(rb"ref:\s*(refs/\S+)\s*|([0-9a-f]{40}(?:[0-9a-f]{24})?)\s*")
_IDENT_CRUD = " .,:;\"'\\" + "".join(map(chr, range(32)))


class GitProblem(enum.Enum):
    """Why git did not do it."""

    NO_GIT = "no-git"
    NO_REPOSITORY = "no-repository"
    FOREIGN_OWNER = "foreign-owner"
    REDIRECTED = "redirected"  # .git, or a part of it, leads elsewhere
    DETACHED = "detached"
    MERGING = "merging"  # or a rebase, cherry-pick, revert
    BUSY = "busy"  # a live git process works in this repository
    LOCKED = "locked"  # a lock file that is not ours
    MOVED = "moved"  # the branch, or HEAD, is not where it was
    TIMEOUT = "timeout"
    FAILED = "failed"


class GitFailed(Exception):
    """git did not do it. `reason` fits behind "saved, not yet committed: ": no capital, no period.

    `killed`: git did not end by itself, so it may have left lock files.
    """

    def __init__(self, problem: GitProblem, reason: str, *, hint: str | None = None, killed: bool = False) -> None:
        super().__init__(reason)
        self.problem = problem
        self.reason = reason
        self.hint = hint
        self.killed = killed


@dataclass(frozen=True, slots=True)
class Head:
    """The branch that is checked out ("refs/heads/main") and its commit, None as long as it has none."""

    branch: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class FileChange:
    """New content of one file, or None to delete it. `path` is relative to the store, with slashes.

    Raises ValueError for a path that git could not keep, or that leads out of the store or into .git.
    """

    path: str
    data: bytes | None
    executable: bool = False

    def __post_init__(self) -> None:
        parts = self.path.split("/")
        if "\0" in self.path or any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
            raise ValueError(f"not a path in the store: {self.path!r}")

    @property
    def mode(self) -> str:
        return "100755" if self.executable else "100644"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who commits."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class _Answer:
    code: int
    out: bytes
    err: str


def blob_id(data: bytes, object_format: ObjectFormat = "sha1") -> str:
    """The id that git gives to a file with these bytes."""
    return hashlib.new(object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """A copy for git: no inherited GIT_* variable, no prompts, no network, English messages.

    Kept is GIT_TEST_ASSUME_DIFFERENT_OWNER, a switch of git's own that only makes it stricter.
    """
    kept = {
        key: value
        for key, value in environ.items()
        if not key.upper().startswith("GIT_") or key == "GIT_TEST_ASSUME_DIFFERENT_OWNER"
    }
    return kept | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        # protocol.allow loses to protocol.ext.allow of the repository; this wins over both.
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }


def _nul_joined(paths: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def _no_fds() -> tuple[int, ...]:
    return ()


class Git:
    """git in the store `root`. Every method but `recover_locks` may raise GitFailed.

    `pass_fds` gives the descriptors that each child inherits (the store lock). `marker` is a file that exists
    only while a child of ours writes; its folder must exist. `timeout_seconds` is for one call of git.
    """

    def __init__(
        self,
        root: Path,
        *,
        environ: Mapping[str, str],
        marker: Path,
        pass_fds: Callable[[], tuple[int, ...]] = _no_fds,
        timeout_seconds: float = 10.0,
    ) -> None:
        self._root = os.path.realpath(root)
        self._dir = os.path.join(self._root, ".git")
        self._environ = clean_environment(environ)
        # Not --git-dir, with which git does not look at who owns the repository. This keeps it from going up.
        self._environ["GIT_CEILING_DIRECTORIES"] = os.path.dirname(self._root)
        self._marker = marker
        self._pass_fds = pass_fds
        self._timeout_seconds = timeout_seconds
        self._identity: Identity | None = None
        self._format: ObjectFormat | None = None

    # Reading

    def init(self, branch: str = "main") -> None:
        """Makes the folder a repository, from no template, so without git hooks. No effect if it is one."""
        if os.path.lexists(self._dir):
            self._refuse_redirected()
            if self._small_file("HEAD"):
                return
        self._settings(anywhere=True)
        self._run("init", "--quiet", "--template=", f"--initial-branch={branch}", anywhere=True)

    def head(self) -> Head:
        """Where the next commit goes. Where no branch is checked out: DETACHED, or MERGING in a rebase."""
        listed = self._run("for-each-ref", "--format=%(HEAD)%00%(objectname)%00%(refname)", "refs/heads")
        for line in listed.out.split(b"\n"):
            if line.startswith(b"*"):
                _, commit, branch = line.split(b"\0")
                return self._seen(Head(_text(branch), commit.decode()))
        return self._unlisted_head(listed.err)

    def tree(self, commit: str, under: Sequence[str] = ()) -> dict[str, tuple[str, str]]:
        """Path to (mode, object id) of the files in `commit`; with `under` of these files and folders."""
        answer = self._run("ls-tree", "-r", "-z", "--full-tree", _checked(commit), "--", *under)
        files = {}
        for record in answer.out.split(b"\0")[:-1]:
            meta, path = record.split(b"\t", 1)
            mode, _, oid = meta.decode().split(" ")
            files[_text(path)] = (mode, oid)
        return files

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """Object id to bytes. Raises GitFailed (FAILED) if one is missing or is no blob."""
        wanted = [_checked(oid) for oid in dict.fromkeys(oids)]
        if not wanted:
            return {}
        out = self._run("cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in wanted).encode()).out
        found, at = {}, 0
        for oid in wanted:
            end = out.index(b"\n", at)
            words = out[at:end].decode().split(" ")
            if len(words) != 3 or words[1] != "blob":
                reason = f"the repository lacks the file content {oid}"
                raise GitFailed(GitProblem.FAILED, reason, hint=self._fsck())
            at = end + 1 + int(words[2])
            found[oid] = out[end + 1 : at]
            at += 1
        return found

    def contains_operation(self, head: Head, operation: str) -> bool:
        """Whether one of the last 200 commits has the trailer "Operation-Id: `operation`"."""
        if head.commit is None:
            return False
        limit = f"--max-count={_SEARCHED_COMMITS}"
        out = self._run("rev-list", "--header", limit, _checked(head.commit), "--").out
        # --header indents each line of a message by four, so no header line can look like the trailer.
        return f"    Operation-Id: {operation}".encode() in out.split(b"\n")

    def ignored(self, paths: Sequence[str]) -> list[str]:
        """Those of `paths` that the ignore rules of the repository or the machine leave out."""
        out = self._run("check-ignore", "--no-index", "-z", "--stdin", stdin=_nul_joined(paths), codes=(0, 1)).out
        return [_text(path) for path in out.split(b"\0") if path]

    def messages(self, commit: str, since: str | None = None) -> list[str]:
        """The messages of the commits that lead to `commit`, newest first; with `since` only those behind it."""
        behind = [f"^{_checked(since)}"] if since is not None else []
        options = ("--format=%B%x00", "--no-commit-header", "--first-parent")
        out = self._run("rev-list", *options, _checked(commit), *behind, "--").out
        return [_text(message).lstrip("\n") for message in out.split(b"\0") if message.strip()]

    def identity(self) -> Identity:
        """Who commits, by git's settings, else by the machine's names, else a name of our own (DESIGN 7).

        Asked once per object, and again by each `commit`.
        """
        return self._identity or self._learn()

    def object_format(self) -> ObjectFormat:
        """The hash of the repository's object ids."""
        if self._format is None:
            named = self._run("rev-parse", "--show-object-format").out.strip()
            self._format = "sha256" if named == b"sha256" else "sha1"
        return self._format

    # Writing

    def commit(self, head: Head, changes: Sequence[FileChange], message: str, *, at: int, utc_offset: str) -> str:
        """Commits `changes` on top of `head` and gives the new commit's id; other files stay as they were.

        `at` is in Unix seconds, `utc_offset` like "+0100". The person's staging area is not used.
        A compare-and-swap: MOVED if HEAD or its branch is not at `head` any more. Also MERGING, LOCKED, BUSY.
        """
        self._check_layout(head.branch)
        stream = _stream(head, changes, message, _person(self._learn(), at, utc_offset))
        with self._writing(head.branch):
            self._refuse_operation_under_way()
            self._refuse_locks(head.branch)
            self._refuse_moved(head)
            try:
                answer = self._run("fast-import", "--quiet", "--done", stdin=stream)
            except GitFailed as failure:
                if failure.problem is GitProblem.FAILED and not failure.killed:
                    self._refuse_moved(head)
                raise
        commit = _checked(answer.out.decode().strip())
        self._seen(Head(head.branch, commit))
        return commit

    def refresh_staging(self, changes: Sequence[FileChange]) -> bool:
        """Puts committed `changes` into the person's staging area, so that git sees no difference in them.

        All else that is staged stays. False if index.lock is in the way.
        """
        if not changes:
            return True
        self.identity()  # and with it the programs that are configured
        lines = [_index_line(change, self.object_format()) for change in changes]
        with self._writing(None):
            if self._exists("index.lock"):
                return False
            try:
                self._run("update-index", "-z", "--index-info", stdin=b"".join(lines))
            except GitFailed as failure:
                if failure.problem is GitProblem.LOCKED:
                    return False
                raise
        return True

    def recover_locks(self) -> tuple[str, ...]:
        """Removes the lock files that a killed child of ours left, and gives their names within .git.

        Call it only while the store lock is held, so that no child of ours lives. A lock that was there
        before our child, is older than it, or belongs to another user, stays; so does every one while a git
        process works in this repository. Half-written objects go too, since they may hold text.
        """
        marker = self._read_marker()
        if marker is None or self._links() or not os.path.isdir(self._dir):
            return ()
        began_ns, locks = marker
        debris = [os.path.relpath(path, self._dir) for kind in _DEBRIS for path in Path(self._dir).glob(kind)]
        ours = [name for name in (*locks, *debris) if self._is_ours(name, began_ns)]
        if ours and self._git_is_alive(ours):
            return ()
        for name in ours:
            Path(self._dir, name).unlink(missing_ok=True)
        self._marker.unlink(missing_ok=True)
        return tuple(name for name in ours if name in locks)

    # The child

    def _run(
        self, *arguments: str, stdin: bytes = b"", codes: tuple[int, ...] = (0,), anywhere: bool = False
    ) -> _Answer:
        """Runs git in the repository of the store and in no other; `anywhere`: where there is none yet."""
        import subprocess

        if not anywhere:
            self._check_layout()
            arguments = (f"--work-tree={self._root}", *arguments)
        process = self._start(arguments, stdin)
        try:
            out, err = process.communicate(stdin or None, timeout=self._timeout_seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            reason = f"git did not finish within {self._timeout_seconds:g} seconds"
            raise GitFailed(GitProblem.TIMEOUT, reason, killed=True) from None
        except BaseException:
            _kill(process)
            raise
        answer = _Answer(process.returncode, out, err.decode("utf-8", "replace"))
        if answer.code not in codes:
            Path(self._dir, f"fast_import_crash_{process.pid}").unlink(missing_ok=True)
            raise self._failure(answer)
        return answer

    def _start(self, arguments: tuple[str, ...], stdin: bytes) -> subprocess.Popen[bytes]:
        import subprocess

        try:
            return subprocess.Popen(
                [_program(self._environ), *_OPTIONS, *arguments],
                cwd=self._root,
                env=self._environ,
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # A session of its own: no terminal to ask on, no Ctrl-C halfway, and one group to kill.
                start_new_session=True,
                pass_fds=self._pass_fds(),
            )
        except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
            if not os.path.isdir(self._root):
                raise GitFailed(GitProblem.NO_REPOSITORY, f"there is no folder {self._root}") from error
            raise _no_git() from error
        except OSError as error:
            raise GitFailed(GitProblem.FAILED, f"git could not be started ({error.strerror})") from error

    def _failure(self, answer: _Answer) -> GitFailed:
        """What git's exit code and its words mean."""
        said = answer.err.lower()  # the case of messages differs between versions
        if answer.code < 0:
            return GitFailed(GitProblem.FAILED, f"git was ended by signal {-answer.code}", killed=True)
        if "dubious ownership" in said:
            return self._foreign_owner()
        if "not a git repository" in said:
            return self._no_repository("git finds no repository in the store")
        lock = re.search(r"unable to create '([^']*\.lock)': file exists", answer.err, re.IGNORECASE)
        if lock:
            return self._locked(os.path.relpath(os.path.join(self._root, lock[1]), self._dir))
        return GitFailed(GitProblem.FAILED, f"git said: {_first_line(answer.err) or f'exit code {answer.code}'}")

    # What stands in the way

    def _check_layout(self, branch: str | None = None) -> None:
        """Refuses what is no repository of its own: git would go elsewhere, or ask the wrong questions."""
        self._refuse_redirected(branch)
        parts = ("objects", "refs")
        if not all(os.path.isdir(os.path.join(self._dir, part)) for part in parts):
            raise self._no_repository("the store has no git repository")
        # git's own test: a store that fails it would be a plain folder of the repository around it.
        if not _HEAD_FILE.fullmatch(self._small_file("HEAD")):
            raise self._no_repository("the git repository of the store is damaged: .git/HEAD cannot be read")

    def _refuse_redirected(self, branch: str | None = None) -> None:
        names = self._links()
        if branch is not None and not names:
            paths = [os.path.join(self._dir, part) for part in (branch, f"logs/{branch}")]
            names = [os.path.relpath(path, self._root) for path in paths if os.path.realpath(path) != path]
        if names:
            reason = f"{names[0]} of the store leads elsewhere, and remember-me does not follow it"
            raise GitFailed(GitProblem.REDIRECTED, reason)

    def _links(self) -> list[str]:
        """The parts of .git that lead out of the store, .git itself being first."""
        if os.path.islink(self._dir) or os.path.isfile(self._dir):
            return [".git"]
        names = [name for name in _PARTS if os.path.islink(os.path.join(self._dir, name))]
        return [f".git/{name}" for name in names + ["commondir"] * self._exists("commondir")]

    def _refuse_operation_under_way(self) -> None:
        for name, operation in _UNDER_WAY:
            if self._exists(name):
                hint = f"Finish it or stop it in {self._root}"
                raise GitFailed(GitProblem.MERGING, f"{operation} is under way in the repository", hint=hint)

    def _refuse_locks(self, branch: str) -> None:
        for name in ("HEAD.lock", f"{branch}.lock", "reftable/tables.list.lock"):
            if self._exists(name):
                raise self._locked(name)
        # The commit does not need the index, but a git at work may be about to move the branch.
        if self._exists("index.lock") and self._git_is_alive(["index.lock"]):
            raise GitFailed(GitProblem.BUSY, "another git command is at work in the repository")

    def _refuse_moved(self, head: Head) -> None:
        # git itself refuses only to lose commits: a branch that went back would get them again.
        if (self._glance() or self.head()) != head:
            short = head.branch.removeprefix(_HEADS)
            reason = f"the branch {short} was moved by another command at the same time"
            raise GitFailed(GitProblem.MOVED, reason)

    def _unlisted_head(self, said: str) -> Head:
        """HEAD where no branch with a commit is checked out."""
        answer = self._run("symbolic-ref", "-q", "HEAD", codes=(0, 1, 128))
        glanced = _HEAD_FILE.fullmatch(self._small_file("HEAD"))
        branch = _text(answer.out.strip() or (glanced and glanced[1]) or b"")
        if branch and f"broken ref {branch}\n" in said:
            short = branch.removeprefix(_HEADS)
            raise GitFailed(GitProblem.FAILED, f"git cannot read its branch {short}", hint=self._fsck())
        if answer.code == 0 and branch.startswith(_HEADS):
            return Head(branch, None)
        if answer.code == 128:
            raise self._failure(answer)
        self._refuse_operation_under_way()
        hint = f"Check out a branch: git -C {shlex.quote(self._root)} switch BRANCH"
        raise GitFailed(GitProblem.DETACHED, "no branch is checked out (HEAD is detached)", hint=hint)

    def _glance(self) -> Head | None:
        """HEAD without a process; None where its branch is not a plain file of its own."""
        head = _HEAD_FILE.fullmatch(self._small_file("HEAD"))
        if head is None or head[1] is None:
            return None
        branch = _text(head[1])
        commit = self._small_file(branch).strip().decode("ascii", "replace")
        return Head(branch, commit) if branch.startswith(_HEADS) and _ID.fullmatch(commit) else None

    def _seen(self, head: Head) -> Head:
        if head.commit is not None:
            self._format = "sha256" if len(head.commit) == 64 else "sha1"
        return head

    # Identity and configured programs

    def _learn(self) -> Identity:
        settings = self._settings()
        name = _ident(settings.get("committer.name") or settings.get("user.name", ""))
        email = _ident(settings.get("committer.email") or settings.get("user.email", ""))
        self._identity = Identity(name, email) if name and email else self._guessed_identity()
        return self._identity

    def _settings(self, *, anywhere: bool = False) -> dict[str, str]:
        """What is configured about persons, hooks and filters. The latter are off for the next calls."""
        pattern = r"^(user|committer|hook|filter)\."
        answer = self._run("config", "-z", "--get-regexp", pattern, codes=(0, 1), anywhere=anywhere)
        settings = {}
        for record in _text(answer.out).split("\0")[:-1]:
            key, _, value = record.partition("\n")
            settings[key] = value
        self._switch_off(settings)
        return settings

    def _switch_off(self, keys: Iterable[str]) -> None:
        """Switches off by name what has no switch of its own.

        A filter may run whenever the staging area is written: git then compares files as young as it is.
        """
        off = {}
        for key in keys:
            kind, _, name = key.rpartition(".")[0].partition(".")
            if kind == "hook" and name:
                off[f"hook.{name}.enabled"] = "false"
            elif kind == "filter" and name:
                off |= {f"filter.{name}.{what}": "" for what in ("clean", "smudge", "process")}
                off[f"filter.{name}.required"] = "false"
        # In the environment, since `-c` cannot carry a name with "=".
        self._environ["GIT_CONFIG_COUNT"] = str(len(off))
        for number, (key, value) in enumerate(off.items()):
            self._environ |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}

    def _guessed_identity(self) -> Identity:
        """What git makes of the machine's names, else a name of our own."""
        answer = self._run("var", "GIT_COMMITTER_IDENT", codes=(0, 128))
        found = re.match(r"(.+) <(.+)> \d+ [+-]\d{4}$", _text(answer.out.strip()))
        return Identity(found[1], found[2]) if found else Identity(_FALLBACK_NAME, _FALLBACK_EMAIL)

    # The marker and what a killed git leaves

    @contextlib.contextmanager
    def _writing(self, branch: str | None) -> Iterator[None]:
        """Says on disk that a child of ours writes, as long as it does."""
        if os.path.lexists(self._marker):
            self.recover_locks()
        # Still there: another git lives, and the locks that the old marker proves ours must stay provable.
        fresh = not os.path.lexists(self._marker)
        if fresh:
            self._write_marker(branch)
        try:
            yield
        except GitFailed as failure:
            if failure.killed:
                self.recover_locks()
            elif fresh:
                self._marker.unlink(missing_ok=True)
            raise
        except BaseException:
            self.recover_locks()
            raise
        if fresh:
            self._marker.unlink(missing_ok=True)

    def _write_marker(self, branch: str | None) -> None:
        locks = [*_FIXED_LOCKS, *([f"{branch}.lock"] if branch else [])]
        try:
            fd = os.open(self._marker, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOEXEC, 0o600)
            with open(fd, "wb") as file:
                # The file system's clock, not ours: it is what the lock files will be stamped with.
                began_ns = os.fstat(fd).st_mtime_ns
                existed = [name for name in locks if self._exists(name)]
                file.write(json.dumps({"time_ns": began_ns, "locks": locks, "existed": existed}).encode())
        except OSError as error:
            reason = f"{self._marker.name} cannot be written ({error.strerror})"
            raise GitFailed(GitProblem.FAILED, reason) from error

    def _read_marker(self) -> tuple[int, list[str]] | None:
        """When the child began, in ns, and the locks that it may have taken; None without a marker."""
        try:
            stamp = os.lstat(self._marker).st_mtime_ns
        except FileNotFoundError:
            return None
        try:
            told = json.loads(_read_small(os.fspath(self._marker)))
            began_ns, locks, existed = int(told["time_ns"]), list(told["locks"]), list(told["existed"])
        except (ValueError, TypeError, KeyError, RecursionError):
            # Cut short by a power cut. What it said is lost, so only what is surely newer counts.
            return stamp + 1, list(_FIXED_LOCKS)
        return began_ns, [name for name in locks if _is_lock_name(name) and name not in existed]

    def _is_ours(self, name: str, began_ns: int) -> bool:
        folder, base = os.path.split(os.path.join(self._dir, name))
        if os.path.realpath(folder) != folder:
            return False  # a link out of the store
        try:
            found = os.lstat(os.path.join(folder, base))
        except OSError:
            return False
        mine = sys.platform == "win32" or found.st_uid == os.geteuid()
        return mine and stat.S_ISREG(found.st_mode) and found.st_mtime_ns >= began_ns

    def _git_is_alive(self, locks: Sequence[str]) -> bool:
        """Whether a git process works in this repository; without /proc: whether one of `locks` is young."""
        if os.path.isdir(f"{_PROC}/self"):
            return any(_works_in(pid, self._root) for pid in os.listdir(_PROC) if pid.isdigit())
        return any(self._age_seconds(name) < _YOUNG_SECONDS for name in locks)

    # Small things

    def _exists(self, name: str) -> bool:
        return os.path.lexists(os.path.join(self._dir, name))

    def _small_file(self, name: str) -> bytes:
        return _read_small(os.path.join(self._dir, name))

    def _age_seconds(self, name: str) -> float:
        try:
            return time.time() - os.lstat(os.path.join(self._dir, name)).st_mtime
        except OSError:
            return 0.0

    def _fsck(self) -> str:
        return f"See what is damaged: git -C {shlex.quote(self._root)} fsck"

    def _locked(self, name: str) -> GitFailed:
        reason = f"the lock file .git/{name}, {_ago(self._age_seconds(name))}, is in the way"
        path = shlex.quote(os.path.join(self._dir, name))
        return GitFailed(GitProblem.LOCKED, reason, hint=f"If no git command is running there: rm {path}")

    def _foreign_owner(self) -> GitFailed:
        reason = f"the repository belongs to another user, and safe.directory does not name {self._root}"
        hint = f"If you trust it: git config --global --add safe.directory {shlex.quote(self._root)}"
        return GitFailed(GitProblem.FOREIGN_OWNER, reason, hint=hint)

    def _no_repository(self, reason: str) -> GitFailed:
        hint = f"git -C {shlex.quote(self._root)} init"
        return GitFailed(GitProblem.NO_REPOSITORY, reason, hint=hint)


def _no_git() -> GitFailed:
    return GitFailed(GitProblem.NO_GIT, "git was not found on this machine", hint="Install git.")


def _program(environ: Mapping[str, str]) -> str:
    """The git program. A relative folder in PATH would be one in the store, so it does not count."""
    name = "git.exe" if sys.platform == "win32" else "git"
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise _no_git()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the child and all that it started; asks first, since git then removes its lock files."""
    import subprocess

    for ask in (True, False):
        _signal(process, ask=ask)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=_GRACE_SECONDS)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def _signal(process: subprocess.Popen[bytes], *, ask: bool) -> None:
    if sys.platform == "win32":
        process.terminate() if ask else process.kill()
    else:
        try:
            os.killpg(process.pid, signal.SIGTERM if ask else signal.SIGKILL)
        except ProcessLookupError:
            pass  # all of the group have ended


def _stream(head: Head, changes: Sequence[FileChange], message: str, person: bytes) -> bytes:
    """The commit in the language of git fast-import. Without `from` the branch must be new (no --force)."""
    text = message.replace("\0", "\ufffd").encode("utf-8", "replace")
    parts = [b"commit " + os.fsencode(head.branch), b"mark :1", b"author " + person, b"committer " + person]
    parts.append(_data(text if text.endswith(b"\n") else text + b"\n"))
    if head.commit is not None:
        parts.append(b"from " + _checked(head.commit).encode())
    # Deletions first: "a" may go so that "a/b" can come.
    parts += [b"D " + _quoted(change.path) for change in changes if change.data is None]
    for change in changes:
        if change.data is not None:
            parts.append(f"M {change.mode} inline ".encode() + _quoted(change.path))
            parts.append(_data(change.data))
    return b"\n".join([*parts, b"get-mark :1", b"done", b""])


def _data(content: bytes) -> bytes:
    return b"data %d\n%b" % (len(content), content)


def _quoted(path: str) -> bytes:
    escaped = re.sub(rb'[\\"\x00-\x1f\x7f]', lambda found: b"\\%03o" % found[0][0], os.fsencode(path))
    return b'"' + escaped + b'"'


def _index_line(change: FileChange, object_format: ObjectFormat) -> bytes:
    if change.data is None:
        mode, oid = "0", "0" * len(blob_id(b"", object_format))
    else:
        mode, oid = change.mode, blob_id(change.data, object_format)
    return f"{mode} {oid}\t".encode() + os.fsencode(change.path) + b"\0"


def _person(identity: Identity, at: int, utc_offset: str) -> bytes:
    if not _UTC_OFFSET.fullmatch(utc_offset):
        raise ValueError(f"not an offset like +0100: {utc_offset!r}")
    name, email = _ident(identity.name), _ident(identity.email)
    return f"{name} <{email}> {at} {utc_offset}".encode("utf-8", "surrogateescape")


def _ident(value: str) -> str:
    """A name or address without what git does not let into a commit."""
    return re.sub(r"[<>\n\0]", "", value).strip(_IDENT_CRUD)


def _checked(oid: str) -> str:
    if not _ID.fullmatch(oid):
        raise ValueError(f"not an object id: {oid!r}")
    return oid


def _is_lock_name(name: object) -> bool:
    """Whether our child could have made it. Anyone may have written the marker, and its names get removed."""
    if not isinstance(name, str):
        return False
    branch = name.startswith(_HEADS) and name.endswith(".lock") and not {"", ".", ".."} & set(name.split("/"))
    return name in _FIXED_LOCKS or branch


def _read_small(path: str) -> bytes:
    """The first bytes of a plain file; empty where there is none. Follows no symlink, waits for no FIFO."""
    try:
        fd = os.open(path, os.O_RDONLY | _CLOEXEC | _NO_SURPRISE)
    except OSError:
        return b""
    with open(fd, "rb") as file:
        return file.read(_LONGEST_MARKER_BYTES) if stat.S_ISREG(os.fstat(fd).st_mode) else b""


def _works_in(pid: str, root: str) -> bool:
    """Whether the process is a git, and its folder, -C or --git-dir lies in `root` (Linux)."""
    try:
        with open(f"{_PROC}/{pid}/comm", "rb") as file:
            comm = _text(file.read().strip())
        names = {comm, os.path.basename(os.readlink(f"{_PROC}/{pid}/exe"))}
        if not any(name == "git" or name.startswith("git-") for name in names):
            return False
        cwd = os.readlink(f"{_PROC}/{pid}/cwd")
        with open(f"{_PROC}/{pid}/cmdline", "rb") as file:
            words = _text(file.read()).split("\0")
    except OSError:
        return False  # it has ended, or is another user's, whose locks we never take for ours
    places = [cwd, *(word.removeprefix("--git-dir=") for word in words if word.startswith("--git-dir="))]
    places += [after for word, after in itertools.pairwise(words) if word in ("-C", "--git-dir")]
    real = [os.path.realpath(os.path.join(cwd, place)) for place in places]
    return any(place == root or place.startswith(root.rstrip("/") + "/") for place in real)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _first_line(said: str) -> str:
    """The line of git's words that names the fault, on one line and printable."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines
    line = telling[0].removeprefix("fatal: ").removeprefix("error: ") if telling else ""
    return "".join(char if char.isprintable() else "?" for char in line)[:200].rstrip(".")


def _ago(seconds: float) -> str:
    units = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
    unit, size = next((pair for pair in units if seconds >= pair[1]), units[-1])
    count = max(0, int(seconds // size))
    return f"{count} {unit}{'' if count == 1 else 's'} old"
