"""The one runner of the git program."""

from __future__ import annotations

import contextlib
import copy
import os
import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from remember_me.store.gitdir import GitDir
from remember_me.store.gitmarker import Marker
from remember_me.store.gitsafe import OPTIONS, clean_environment, program, switched_off
from remember_me.store.gitwords import (
    HEADS,
    FileChange,
    GitFailed,
    GitProblem,
    Head,
    Identity,
    ObjectFormat,
    batched_blobs,
    blob_id,
    checked_id,
    clean_ident,
    commit_stream,
    decoded,
    index_line,
    listed_files,
    listed_settings,
    nul_joined,
    person_line,
)

if TYPE_CHECKING:
    import subprocess

__all__ = ["FileChange", "Git", "GitFailed", "GitProblem", "Head", "Identity", "blob_id", "clean_environment"]

_FALLBACK_NAME, _FALLBACK_EMAIL = "remember-me", "remember-me@localhost"
_GRACE_SECONDS = 0.5
_SEARCHED_COMMITS = 200
_LONG_SECONDS = 1800.0  # for one call of git that goes through the whole repository


class _Answer(NamedTuple):
    code: int
    out: bytes
    err: str


class Git:
    """git in the store `root`. Every method but `recover_locks` may raise GitFailed.

    `pass_fds` gives the descriptors that each child inherits (the store lock). `marker` is a file that exists
    only while a child of ours writes; its folder must exist. `timeout_seconds` is for one call of git.
    `folder` is .git, `own_folder` that of the marker.
    """

    def __init__(
        self,
        root: Path,
        *,
        environ: Mapping[str, str],
        marker: Path,
        pass_fds: Callable[[], tuple[int, ...]] = tuple,
        timeout_seconds: float = 10.0,
    ) -> None:
        self._root = os.path.realpath(root)
        self.folder = GitDir(self._root)
        self._environ = clean_environment(environ)
        # Not --git-dir, with which git does not look at who owns the repository. This keeps it from going up.
        self._environ["GIT_CEILING_DIRECTORIES"] = os.path.dirname(self._root)
        self.own_folder = marker.parent
        self._marker = Marker(marker, self.folder)
        self._pass_fds = pass_fds
        self._timeout_seconds = timeout_seconds
        self._identity: Identity | None = None
        self._format: ObjectFormat | None = None

    # Reading

    def init(self, branch: str = "main") -> None:
        """Makes the folder a repository, from no template, so without git hooks. No effect if it is one.

        It is made aside and put into its place as a whole, so that a killed command leaves none or all of it.
        """
        begun = os.path.lexists(self.folder.path)
        if begun:
            self.folder.refuse_redirected()
            if self.folder.is_whole():
                return
        self._settings(anywhere=True)
        with self._marker.aside() as made:
            where = () if begun else (os.fspath(made),)
            self._run("init", "--quiet", "--template=", f"--initial-branch={branch}", *where, anywhere=True)
            if not begun:
                self.folder.take(made)

    def head(self) -> Head:
        """Where the next commit goes. Where no branch is checked out: DETACHED, or MERGING in a rebase."""
        listed = self._run("for-each-ref", "--format=%(HEAD)%00%(objectname)%00%(refname)", "refs/heads")
        for line in listed.out.split(b"\n"):
            if line.startswith(b"*"):
                _, commit, branch = line.split(b"\0")
                return self._seen(Head(decoded(branch), commit.decode()))
        return self._unlisted_head(listed.err)

    def ready(self) -> Head:
        """`head`, where a commit could be made on it now. Also MERGING, LOCKED, BUSY."""
        head = self.head()
        self.folder.refuse_operation_under_way()
        self.folder.refuse_locks(head.branch)
        return head

    def tree(self, commit: str, under: Sequence[str] = ()) -> dict[str, tuple[str, str]]:
        """Path to (mode, object id) of the files in `commit`; with `under` of these files and folders."""
        answer = self._run("ls-tree", "-r", "-z", "--full-tree", checked_id(commit), "--", *under)
        return listed_files(answer.out)

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """Object id to bytes. Raises GitFailed (FAILED) if one is missing or is no blob."""
        wanted = [checked_id(oid) for oid in dict.fromkeys(oids)]
        if not wanted:
            return {}
        out = self._run("cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in wanted).encode()).out
        found = batched_blobs(out)
        lacking = next((oid for oid in wanted if oid not in found), None)
        if lacking is not None:
            reason = f"the repository lacks the file content {lacking}"
            raise GitFailed(GitProblem.FAILED, reason, hint=self.folder.fsck_hint())
        return found

    def contains_operation(self, head: Head, operation: str) -> bool:
        """Whether one of the last 200 commits has the trailer "Operation-Id: `operation`"."""
        if head.commit is None:
            return False
        limit = f"--max-count={_SEARCHED_COMMITS}"
        out = self._run("rev-list", "--header", limit, checked_id(head.commit), "--").out
        # --header indents each line of a message by four, so no header line can look like the trailer.
        return f"    Operation-Id: {operation}".encode() in out.split(b"\n")

    def commit_before(self, seconds: int) -> str | None:
        """The newest commit of the branch that is not later than that moment (Unix time); None where all are later."""
        head = self.head().commit
        if head is None or seconds < 0:
            return None
        out = self._run("rev-list", "-1", "--first-parent", f"--min-age={seconds}", checked_id(head), "--").out
        return out.decode().strip() or None

    def ignored(self, paths: Sequence[str]) -> list[str]:
        """Those of `paths` that the ignore rules of the repository or the machine leave out."""
        out = self._run("check-ignore", "--no-index", "-z", "--stdin", stdin=nul_joined(paths), codes=(0, 1)).out
        return [decoded(path) for path in out.split(b"\0") if path]

    def messages(self, commit: str, since: str | None = None) -> list[str]:
        """The messages of the commits that lead to `commit`, newest first; with `since` only those behind it."""
        behind = [f"^{checked_id(since)}"] if since is not None else []
        options = ("--format=%B%x00", "--no-commit-header", "--first-parent")
        out = self._run("rev-list", *options, checked_id(commit), *behind, "--").out
        return [decoded(message).lstrip("\n") for message in out.split(b"\0") if message.strip()]

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
        self.folder.check_layout(head.branch)
        stream = commit_stream(head, changes, message, person_line(self._learn(), at, utc_offset))
        with self._marker.writing(head.branch):
            self.folder.refuse_operation_under_way()
            self.folder.refuse_locks(head.branch)
            self._refuse_moved(head)
            try:
                answer = self._run("fast-import", "--quiet", "--done", stdin=stream)
            except GitFailed as failure:
                if failure.problem is GitProblem.FAILED and not failure.killed:
                    self._refuse_moved(head)
                raise
        commit = checked_id(answer.out.decode().strip())
        self._seen(Head(head.branch, commit))
        return commit

    def refresh_staging(self, changes: Sequence[FileChange]) -> bool:
        """Puts committed `changes` into the person's staging area, so that git sees no difference in them.

        All else that is staged stays. False if index.lock is in the way.
        """
        if not changes:
            return True
        self.identity()  # and with it the programs that are configured
        lines = [index_line(change, self.object_format()) for change in changes]
        with self._marker.writing(None):
            if self.folder.exists("index.lock"):
                return False
            try:
                self._run("update-index", "-z", "--index-info", stdin=b"".join(lines))
            except GitFailed as failure:
                if failure.problem is GitProblem.LOCKED:
                    return False
                raise
        return True

    def recover_locks(self) -> tuple[str, ...]:
        """Removes what a killed child of ours left, and gives the names of its lock files within .git.

        Call it only while the store lock is held, so that no child of ours lives (see Marker.recover).
        """
        return self._marker.recover()

    # The whole repository, for store/erase.py

    @contextlib.contextmanager
    def writing(self, locks: Sequence[str] = ()) -> Iterator[None]:
        """Says on disk that children of ours write, and which lock files within .git they may take."""
        self._learn()  # and with it the programs that are configured
        with self._marker.writing(None, locks):
            yield

    def staging(self, file: str) -> Git:
        """This git with another staging area, that of a linked work tree."""
        other = copy.copy(self)
        other._environ = {**self._environ, "GIT_INDEX_FILE": file}
        return other

    def ask(self, *arguments: str, stdin: bytes = b"", codes: tuple[int, ...] = (0,)) -> bytes:
        """What git prints, however long it takes."""
        return self._run(*arguments, stdin=stdin, codes=codes, seconds=_LONG_SECONDS).out

    @contextlib.contextmanager
    def stream(self, *arguments: str, stdin: IO[bytes] | None = None) -> Iterator[IO[bytes]]:
        """What git prints, while it prints it: read it to its end. git reads `stdin` from where it stands."""
        import threading

        self.folder.check_layout()
        process = self._start((f"--work-tree={self._root}", *arguments), stdin or b"")
        assert process.stdout is not None
        assert process.stderr is not None
        watch = threading.Timer(_LONG_SECONDS, _signal, (process,), {"ask": False})
        watch.start()
        try:
            yield process.stdout
            # Here alone: what git says about a fault fits into the pipe, so it never waits for us to read it.
            said = process.stderr.read().decode("utf-8", "replace")
            process.communicate()
        except BaseException:
            _kill(process)
            raise
        finally:
            watch.cancel()
        if process.returncode:
            raise self.folder.failure(process.returncode, said)

    # The child

    def _run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        codes: tuple[int, ...] = (0,),
        anywhere: bool = False,
        seconds: float | None = None,
    ) -> _Answer:
        """Runs git in the repository of the store and in no other; `anywhere`: where there is none yet."""
        import subprocess

        if not anywhere:
            program(self._environ)  # what is missing first is said first: a repository is made by the next write
            self.folder.check_layout()
            arguments = (f"--work-tree={self._root}", *arguments)
        seconds = seconds or self._timeout_seconds
        process = self._start(arguments, stdin)
        try:
            out, err = process.communicate(stdin or None, timeout=seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            reason = f"git did not finish within {seconds:g} seconds"
            raise GitFailed(GitProblem.TIMEOUT, reason, killed=True) from None
        except BaseException:
            _kill(process)
            raise
        answer = _Answer(process.returncode, out, err.decode("utf-8", "replace"))
        if answer.code not in codes:
            raise self.folder.failure(answer.code, answer.err)
        return answer

    def _start(self, arguments: tuple[str, ...], stdin: bytes | IO[bytes]) -> subprocess.Popen[bytes]:
        import subprocess

        try:
            return subprocess.Popen(
                [program(self._environ), *OPTIONS, *arguments],
                cwd=self._root,
                env=self._environ,
                stdin=(subprocess.PIPE if stdin else subprocess.DEVNULL) if isinstance(stdin, bytes) else stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # A session of its own: no terminal to ask on, no Ctrl-C halfway, and one group to kill.
                start_new_session=True,
                pass_fds=self._pass_fds(),
            )
        except OSError as error:
            raise self.folder.not_started(error) from error

    def _refuse_moved(self, head: Head) -> None:
        # git itself refuses only to lose commits: a branch that went back would get them again.
        if (self.folder.glance() or self.head()) != head:
            short = head.branch.removeprefix(HEADS)
            reason = f"the branch {short} was moved by another command at the same time"
            raise GitFailed(GitProblem.MOVED, reason)

    def _unlisted_head(self, said: str) -> Head:
        """HEAD where no branch with a commit is checked out."""
        answer = self._run("symbolic-ref", "-q", "HEAD", codes=(0, 1, 128))
        branch = decoded(answer.out.strip()) or self.folder.named_branch()
        if branch and f"broken ref {branch}\n" in said:
            short = branch.removeprefix(HEADS)
            raise GitFailed(GitProblem.FAILED, f"git cannot read its branch {short}", hint=self.folder.fsck_hint())
        if answer.code == 0 and branch.startswith(HEADS):
            return Head(branch, None)
        if answer.code == 128:
            raise self.folder.failure(answer.code, answer.err)
        self.folder.refuse_operation_under_way()
        hint = f"Check out a branch: git -C {shlex.quote(self._root)} switch BRANCH"
        raise GitFailed(GitProblem.DETACHED, "no branch is checked out (HEAD is detached)", hint=hint)

    def _seen(self, head: Head) -> Head:
        if head.commit is not None:
            self._format = "sha256" if len(head.commit) == 64 else "sha1"
        return head

    # Identity and configured programs

    def _learn(self) -> Identity:
        settings = self._settings()
        name = clean_ident(settings.get("committer.name") or settings.get("user.name", ""))
        email = clean_ident(settings.get("committer.email") or settings.get("user.email", ""))
        self._identity = Identity(name, email) if name and email else self._guessed_identity()
        return self._identity

    def _settings(self, *, anywhere: bool = False) -> dict[str, str]:
        """What is configured about persons, hooks and filters. The latter are off for the next calls."""
        pattern = r"^(user|committer|hook|filter)\."
        answer = self._run("config", "-z", "--get-regexp", pattern, codes=(0, 1), anywhere=anywhere)
        settings = listed_settings(answer.out)
        self._environ |= switched_off(settings)
        return settings

    def _guessed_identity(self) -> Identity:
        """What git makes of the machine's names, else a name of our own."""
        answer = self._run("var", "GIT_COMMITTER_IDENT", codes=(0, 128))
        found = re.match(r"(.+) <(.+)> \d+ [+-]\d{4}$", decoded(answer.out.strip()))
        return Identity(found[1], found[2]) if found else Identity(_FALLBACK_NAME, _FALLBACK_EMAIL)


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
