"""History as git keeps it: operations, the notes before and after each, and the revisions of an entry.

GitPython reads; nothing here writes. Diffs are made here from the bytes, so that no textconv, external diff
or pager of the repository ever runs (DESIGN section 5).
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remember_me.errors import AmbiguousId, CannotCommit, EntryNotFound
from remember_me.model.revision import Operation, Revision, parse_message
from remember_me.notes import layout
from remember_me.notes.splice import entry_lines
from remember_me.store.git import Git, GitFailed, clean_environment
from remember_me.store.plan import changed_entries
from remember_me.store.shape import Shape

if TYPE_CHECKING:
    from git import Commit, Repo, Tree

FOREIGN_VERB = "commit"
"""The verb under which a commit that is not ours is shown."""

_LINK_MODE = 0o120000


class NoteState(NamedTuple):
    """One note before and after an operation; None means that it did not exist."""

    path: str
    before: bytes | None
    after: bytes | None


class History:
    """The commits of the store's branch, newest first. Raises CannotCommit where git gives no history."""

    def __init__(self, root: Path, git: Git, shape: Shape) -> None:
        self.shape = shape
        try:
            self.tip = git.head().commit
        except GitFailed as failure:
            raise CannotCommit(f"There is no history to read: {failure.reason}.", hint=failure.hint) from None
        self.repo = _open(root)
        self._trees: dict[str, dict[str, str]] = {}

    def operations(self, *, foreign: bool = False) -> Iterator[Operation]:
        """Our operations, newest first; with `foreign` the commits of others to the notes as well."""
        for commit in self._commits():
            operation = _operation(commit)
            if operation is not None:
                yield operation
            elif foreign and self._changed(commit):
                yield Operation(
                    id=commit.hexsha[:8],
                    verb=FOREIGN_VERB,
                    actor=str(commit.author.name or "unknown"),
                    at=commit.committed_datetime,
                    entries=(),
                    commit=commit.hexsha,
                )

    def find(self, given: str) -> Operation:
        """The operation with that id or commit, or a unique beginning of one. Raises EntryNotFound or AmbiguousId."""
        wanted = given.lower()
        found = {
            operation.id: operation
            for operation in self.operations(foreign=True)
            if len(wanted) >= 4 and (operation.id.startswith(wanted) or (operation.commit or "").startswith(wanted))
        }
        if wanted in found:
            return found[wanted]
        if not found:
            raise EntryNotFound(given, kind="operation", hint="`remember-me log` shows the operations.")
        if len(found) > 1:
            raise AmbiguousId(given, tuple(sorted(found)))
        return next(iter(found.values()))

    def states(self, operation: Operation) -> list[NoteState]:
        """The notes that an operation changed, with their bytes before and after."""
        commit = self.repo.commit(operation.commit)
        return [
            NoteState(path, self._bytes(before), self._bytes(after)) for path, before, after in self._changed(commit)
        ]

    def kinds(self, operation: Operation) -> dict[str, str]:
        """The real ids that an operation touched, over all its notes: id -> `added`, `changed` or `removed`."""
        kinds: dict[str, str] = {}
        for state in self.states(operation):
            for entry, kind in changed_entries(self.shape, state.path, state.before, state.after).items():
                kinds[entry] = "changed" if {kinds.get(entry), kind} == {"added", "removed"} else kind
        return kinds

    def revisions(self, entry_id: str) -> list[Revision]:
        """Every state that the entry had, newest first, in whatever note it stood."""
        found: list[Revision] = []
        for commit in self._commits():
            operation = _operation(commit)
            if operation is not None and entry_id not in operation.entries:
                continue
            changed = self._changed(commit)
            if operation is None and not changed:
                continue
            shown = operation or Operation(
                commit.hexsha[:8],
                FOREIGN_VERB,
                str(commit.author.name or "unknown"),
                commit.committed_datetime,
                (),
            )
            for path, before, after in changed:
                old = self._entry_text(path, before, entry_id)
                new = self._entry_text(path, after, entry_id)
                if old != new:
                    found.append(Revision(shown, path, old, new))
        return found

    def _commits(self) -> Iterator[Commit]:
        from git import GitCommandError

        try:
            yield from self.repo.iter_commits(self.tip, first_parent=True) if self.tip else ()
        except GitCommandError:
            raise _damaged(self.repo.git_dir) from None

    def _changed(self, commit: Commit) -> list[tuple[str, str | None, str | None]]:
        """(path, blob before, blob after) of each note that a commit changed against its first parent."""
        after = self._note_blobs(commit.tree)
        before = self._note_blobs(commit.parents[0].tree) if commit.parents else {}
        paths = sorted({*before, *after})
        return [(p, before.get(p), after.get(p)) for p in paths if before.get(p) != after.get(p)]

    def _note_blobs(self, tree: Tree) -> dict[str, str]:
        if tree.hexsha not in self._trees:
            if len(self._trees) > 8:
                self._trees.pop(next(iter(self._trees)))
            blobs: dict[str, str] = {}
            self._collect(tree, "", blobs)
            self._trees[tree.hexsha] = blobs
        return self._trees[tree.hexsha]

    def _collect(self, tree: Tree, prefix: str, blobs: dict[str, str]) -> None:
        notes_dir = self.shape.notes_dir
        for item in tree:
            path = prefix + str(item.name)
            if item.type == "tree":
                if notes_dir != "." and (prefix or path == notes_dir):
                    self._collect(item, path + "/", blobs)
            elif item.type == "blob" and item.mode != _LINK_MODE and layout.is_tracked_path(path, notes_dir):
                blobs[path] = item.hexsha

    def _bytes(self, blob: str | None) -> bytes | None:
        if blob is None:
            return None
        data = self.repo.odb.stream(bytes.fromhex(blob)).read()
        return bytes(data)

    def _entry_text(self, path: str, blob: str | None, entry_id: str) -> str | None:
        data = self._bytes(blob)
        if data is None or entry_id.encode() not in data:
            return None
        note = self.shape.parse(path, data)
        for index, entry in enumerate(note.entries):
            if entry.id == entry_id:
                return entry_lines(note, index)
        return None


def _open(root: Path) -> Repo:
    """GitPython's view of the repository.

    GitPython hands the environment of this process on to git and can only add to it. So inherited GIT_*
    variables are taken out of it, for good: nothing here needs them.
    """
    cleaned = clean_environment(os.environ)
    for key in [key for key in os.environ if key.startswith("GIT_") and key not in cleaned]:
        del os.environ[key]
    try:
        from git import Repo
        from git.db import GitCmdObjectDB
    except ImportError:
        raise CannotCommit("There is no history to read: git was not found.", hint="Install git.") from None

    class Objects(GitCmdObjectDB):
        """Objects as git gives them; one that it cannot give is an error of ours."""

        def stream(self, binsha: bytes) -> Any:
            try:
                return super().stream(binsha)
            except ValueError:
                raise _damaged(root / ".git") from None

    repo = Repo(root, odbt=Objects, search_parent_directories=False)
    repo.git.update_environment(**{key: value for key, value in cleaned.items() if os.environ.get(key) != value})
    return repo


def _damaged(repository: str | os.PathLike[str]) -> CannotCommit:
    return CannotCommit(
        "The history cannot be read: git lacks some of it.",
        hint=f"See what is damaged: git --git-dir={shlex.quote(os.fspath(repository))} fsck",
    )


def _operation(commit: Commit) -> Operation | None:
    message = commit.message
    text = message if isinstance(message, str) else message.decode("utf-8", "replace")
    return parse_message(text, at=commit.committed_datetime, commit=commit.hexsha)
