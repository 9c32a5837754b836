"""What is accounted for: the bytes of each note that a commit or the journal explains.

Whatever differs from it on disk is a hand edit (DESIGN section 7). Used under the lock only.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import StoreDamaged
from remember_me.model.revision import PERSON, parse_trailers, render_message
from remember_me.notes import layout
from remember_me.notes.clock import render_offset
from remember_me.notes.merge import merge
from remember_me.notes.note import content_hash, encode
from remember_me.store.files import Disk, NoteFiles, Replacement
from remember_me.store.git import FileChange, Git, GitFailed, GitProblem, Head, blob_id
from remember_me.store.manifest import Manifest, Row, all_ids, ids_in, load_manifest
from remember_me.store.plan import changed_entries
from remember_me.store.shape import Shape
from remember_me.store.spool import Journalled, NoteBytes, Spool

_LINK_MODE = "120000"
_MAX_MOVES = 3


class HandEdits(NamedTuple):
    """Notes that a hand changed, with the real ids it touched and those it took out."""

    notes: tuple[NoteBytes, ...]
    entries: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Ledger:
    """The accounted state of one store: its head, its manifest, and the journalled operations that wait."""

    def __init__(self, path: Path, git: Git, files: NoteFiles, spool: Spool, shape: Shape, disk: Disk) -> None:
        self.path = path
        self.git = git
        self.files = files
        self.spool = spool
        self.shape = shape
        self.disk = disk
        self.manifest = Manifest()
        self.head: Head | None = None
        self.failure: GitFailed | None = None
        self.waiting: list[Journalled] = []
        self.contents: dict[str, bytes] = {}
        self._dirty = False

    def load(self, waiting: list[Journalled], *, make_repository: bool = False) -> None:
        """Read head and manifest afresh. `waiting` are the journalled operations, oldest first.

        `make_repository` makes one where there is none: git may have come to the machine after the store.
        """
        self.waiting = list(waiting)
        self.contents = {}
        self.manifest = load_manifest(self.path)
        self._dirty = False
        self._read_head(make_repository)
        if self.head is not None and (self.head.commit != self.manifest.commit or not self.manifest.written_ns):
            self._rebuild(self.head)

    def _read_head(self, make_repository: bool) -> None:
        self.head, self.failure = None, None
        try:
            self.head = self.git.head()
        except GitFailed as failure:
            if failure.problem is not GitProblem.NO_REPOSITORY or not make_repository:
                self.failure = failure
                return
            try:
                self.git.init()
                self.head = self.git.head()
            except GitFailed as second:
                self.failure = second

    def _rebuild(self, head: Head) -> None:
        """The branch is not where the manifest saw it: take the blobs of its commit, and of what waits."""
        try:
            blobs = self._committed_blobs(head)
        except GitFailed as failure:
            self.head, self.failure = None, failure
            return
        old = self.manifest
        written = old.written_ns
        for record in self.waiting:
            if record is not self.waiting[-1] or self.is_written(record):
                for note in record.notes:
                    self._account(blobs, note)
        rows = {}
        for path, blob in blobs.items():
            row = old.rows.get(path)
            rows[path] = (
                row if row is not None and row.blob == blob else Row((0, 0, 0, 0), blob, row.ids if row else "")
            )
        actors = self._actors_since(head, old)
        self.manifest = Manifest(head.commit, rows, old.staging_behind, written, actors)
        self._dirty = True

    def _actors_since(self, head: Head, old: Manifest) -> dict[str, str]:
        """Who made the newest revision of each entry, with what the commits since `old` add to it."""
        if head.commit is None:
            return dict(old.actors)
        try:
            messages = self.git.messages(head.commit, old.commit)
        except GitFailed:
            return dict(old.actors)
        actors = dict(old.actors)
        for message in reversed(messages):
            found = parse_trailers(message)
            actors.update(dict.fromkeys(found.get("Entries", "").split(), found.get("Actor", PERSON)))
        return actors

    def _account(self, blobs: dict[str, str], note: NoteBytes) -> None:
        if note.after is None:
            blobs.pop(note.path, None)
        else:
            blobs[note.path] = self._blob(note.after)

    def _committed_blobs(self, head: Head) -> dict[str, str]:
        if head.commit is None:
            return {}
        under = (
            () if self.shape.notes_dir == "." else (layout.LONG_TERM_NAME, layout.SETTINGS_NAME, self.shape.notes_dir)
        )
        return {
            path: blob
            for path, (mode, blob) in self.git.tree(head.commit, under).items()
            if mode != _LINK_MODE and layout.is_tracked_path(path, self.shape.notes_dir)
        }

    def _blob(self, data: bytes) -> str:
        head = self.head
        return blob_id(
            data,
            "sha256" if head is not None and head.commit is not None and len(head.commit) == 64 else "sha1",
        )

    def taken_ids(self) -> set[str]:
        """Every id that may stand in the notes."""
        return all_ids(self.manifest.rows.values())

    # A crash

    def unwritten(self) -> Journalled | None:
        """The operation that a killed command journalled and may not have written: only the newest can be one."""
        newest = self.waiting[-1] if self.waiting else None
        return None if newest is None or self.is_written(newest) else newest

    def is_written(self, record: Journalled) -> bool:
        """Whether the notes of the newest journalled operation are known to have been written."""
        for note in record.notes:
            row = self.manifest.rows.get(note.path)
            if not layout.is_tracked_path(note.path, self.shape.notes_dir):
                continue
            if note.after is None:
                if row is not None:
                    return False
            elif row is None or row.blob != self._blob(note.after):
                return False
        return True

    def finish(self, record: Journalled) -> None:
        """Write what a killed command left unwritten; a hand edit since then is kept beside it."""
        replacements: list[Replacement] = []
        for note in record.notes:
            data = self.files.read(note.path)
            found = None if data is None else content_hash(data)
            if found == note.after_hash:
                continue
            after = note.after if found == note.before else self._merged(note, data)
            if after != data:
                replacements.append(Replacement(note.path, after, found))
        if replacements:
            self.files.apply(replacements)
        self.wrote(record)

    def _merged(self, note: NoteBytes, data: bytes | None) -> bytes | None:
        """The note as a hand left it, with what the operation wanted brought into it, entry by entry."""
        row = self.manifest.rows.get(note.path)
        base = self._content(row.blob) if row is not None else b""
        if note.after is None or base is None:
            return data
        parse = self.shape.parse
        sides = parse(note.path, base), parse(note.path, data or b""), parse(note.path, note.after)
        return encode(merge(*sides).text)

    def _content(self, blob: str) -> bytes | None:
        """The bytes of a blob, from what waits or from git; None where neither has them."""
        for record in self.waiting:
            for note in record.notes:
                if note.after is not None and self._blob(note.after) == blob:
                    return note.after
        try:
            return self.git.blobs([blob])[blob]
        except GitFailed:
            return None

    # Hand edits

    def hand_edits(self) -> HandEdits:
        """What differs on disk from the accounted bytes; notes that only look different are noted as seen."""
        listing = self.files.scan()
        suspects, gone = self.manifest.changed({**listing.notes, **listing.settings})
        refused = {problem.path for problem in listing.refused}
        edited: list[NoteBytes] = []
        kinds: dict[str, str] = {}
        for path in sorted(suspects):
            data = self._read(path)
            row = self.manifest.rows.get(path)
            if data is None:
                continue
            blob = self._blob(data)
            if row is not None and row.blob == blob:
                self._see(path, data, blob)
                continue
            edited.append(self._edited(path, row, data, kinds))
        for path in gone:
            if path not in refused:
                edited.append(self._edited(path, self.manifest.rows[path], None, kinds))
        touched = tuple(kinds)
        return HandEdits(tuple(edited), touched, tuple(key for key in touched if kinds[key] == "removed"))

    def _read(self, path: str) -> bytes | None:
        try:
            return self.files.read(path)
        except StoreDamaged:
            return None

    def _edited(self, path: str, row: Row | None, data: bytes | None, kinds: dict[str, str]) -> NoteBytes:
        before = self._content(row.blob) if row is not None else None
        for entry_id, kind in changed_entries(self.shape, path, before, data).items():
            moved = {kinds.get(entry_id), kind} == {"added", "removed"}
            kinds[entry_id] = "changed" if moved else kind
        return NoteBytes(path, None if before is None else content_hash(before), data)

    def _see(self, path: str, data: bytes, blob: str) -> None:
        stat = self.files.stat(path)
        row = self.manifest.rows.get(path)
        if stat is not None and (row is None or row.stat != stat or row.blob != blob):
            self.manifest.rows[path] = Row(stat, blob, ids_in(data))
            self._dirty = True

    # Commits

    def wrote(self, record: Journalled) -> None:
        """The notes of `record` have its bytes now."""
        if record not in self.waiting:
            self.waiting.append(record)
        self.manifest.actors.update(dict.fromkeys(record.operation.entries, record.operation.actor))
        for note in record.notes:
            if note.after is None:
                self.manifest.rows.pop(note.path, None)
            elif layout.is_tracked_path(note.path, self.shape.notes_dir):
                self.manifest.rows[note.path] = Row(
                    self.files.stat(note.path) or (0, 0, 0, 0), self._blob(note.after), ids_in(note.after)
                )
        self._dirty = True

    def commit_waiting(self) -> None:
        """Commit each journalled operation on its own. Raises GitFailed; what is committed is off the journal."""
        try:
            while self.waiting:
                record = self.waiting[0]
                self._commit(record)
                self.spool.remove(record)
                self.waiting.pop(0)
            self._refresh_staging({})
        finally:
            if self._dirty:
                self.manifest.save(self.path, self.disk)
                self._dirty = False

    def _commit(self, record: Journalled) -> None:
        if self.head is None:
            raise self.failure or GitFailed(GitProblem.FAILED, "git gives no branch")
        operation = record.operation
        if record.found and self.git.contains_operation(self.head, operation.id):
            return
        changes = [FileChange(note.path, note.after, self.files.is_executable(note.path)) for note in record.notes]
        offset = render_offset(operation.at).replace(":", "")
        for attempt in range(_MAX_MOVES):
            try:
                commit = self.git.commit(
                    self.head,
                    changes,
                    render_message(operation),
                    at=int(operation.at.timestamp()),
                    utc_offset=offset,
                )
                break
            except GitFailed as failure:
                if failure.problem is not GitProblem.MOVED or attempt == _MAX_MOVES - 1:
                    raise
                self.head = self.git.head()
        self.head = Head(self.head.branch, commit)
        self.manifest.commit = commit
        self._dirty = True
        self._refresh_staging({change.path: change for change in changes})

    def _refresh_staging(self, changes: Mapping[str, FileChange]) -> None:
        """Bring the person's staging area along for our notes; what is locked now is made up for later."""
        behind = [path for path in self.manifest.staging_behind if path not in changes]
        due = [*changes.values(), *(FileChange(path, self._read(path)) for path in behind)]
        if not due:
            return
        done = self.git.refresh_staging(due)
        left = () if done else tuple(sorted({*self.manifest.staging_behind, *changes}))
        if left != self.manifest.staging_behind:
            self.manifest.staging_behind = left
            self._dirty = True
