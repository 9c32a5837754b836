"""What is accounted for: the bytes of each note that a commit or the journal explains.

Whatever differs from it on disk is a hand edit (DESIGN section 7). Used under the lock only.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import StoreDamaged
from remember_me.model.revision import PERSON, Operation, note_actor, parse_trailers, render_message, verb_of
from remember_me.notes import layout
from remember_me.notes.clock import render_offset
from remember_me.notes.merge import merge
from remember_me.notes.note import content_hash, encode
from remember_me.policy.duplicates import digests_of
from remember_me.store.files import Disk, NoteFiles, Replacement
from remember_me.store.git import FileChange, Git, GitFailed, GitProblem, Head, blob_id
from remember_me.store.manifest import RACY_NS, Manifest, Row, all_ids, ids_in, load_manifest
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
        self.began_ns = 0
        self._dirty = False

    def load(self, waiting: list[Journalled], *, make_repository: bool = False) -> None:
        """Read head and manifest afresh. `waiting` are the journalled operations, oldest first.

        `make_repository` makes one where there is none: git may have come to the machine after the store.
        """
        self.waiting = list(waiting)
        self.began_ns = time.time_ns()
        self.manifest = load_manifest(self.path)
        self._dirty = False
        self._read_head(make_repository)
        if self.head is not None and (self.head.commit != self.manifest.commit or not self.manifest.looked_ns):
            self._rebuild(self.head)
        self._account_waiting()

    def _account_waiting(self) -> None:
        """What waits is accounted for, also where a killed command could not save that in the manifest.

        Not so the newest operation: it may not be written yet (see `unwritten`).
        """
        later: set[str] = set()
        for record in reversed(self.waiting):
            for note in record.notes if record is not self.waiting[-1] else ():
                if note.path not in later and layout.is_tracked_path(note.path, self.shape.notes_dir):
                    self._account_row(note)
            later.update(note.path for note in record.notes)

    def _account_row(self, note: NoteBytes) -> None:
        row = self.manifest.rows.get(note.path)
        if note.after is None:
            self.manifest.rows.pop(note.path, None)
        elif row is None or row.blob != self._blob(note.after):
            self.manifest.rows[note.path] = Row((0, 0, 0, 0), self._blob(note.after), ids_in(note.after))

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
        for record in self.waiting:
            if record is not self.waiting[-1] or self.is_written(record):
                for note in record.notes:
                    self._account(blobs, note)
        rows = {}
        for path, blob in blobs.items():
            row = old.rows.get(path)
            rows[path] = (
                row
                if row is not None and row.blob == blob
                else Row((0, 0, 0, 0), blob, *(row[2:] if row else ("", "")))
            )
        actors = self._actors_since(head, old)
        self.manifest = Manifest(head.commit, rows, old.staging_behind, old.looked_ns, actors, old.visit)
        self._dirty = True

    def _actors_since(self, head: Head, old: Manifest) -> dict[str, str]:
        """Who stands behind each entry, with what the commits since `old` add to it."""
        if head.commit is None:
            return dict(old.actors)
        try:
            messages = self.git.messages(head.commit, old.commit)
        except GitFailed:
            return dict(old.actors)
        actors = dict(old.actors)
        for message in reversed(messages):
            found = parse_trailers(message)
            note_actor(actors, found.get("Entries", "").split(), verb_of(message), found.get("Actor", PERSON))
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
        known = (self.head.commit if self.head is not None else None) or self.manifest.commit
        return blob_id(data, "sha256" if known is not None and len(known) == 64 else "sha1")

    def is_new_visit(self, visit: str) -> bool:
        """Whether that session was not the one that was logged last; from now on it is."""
        before, self.manifest.visit = self.manifest.visit, visit
        self._dirty |= before != visit
        return before != visit

    def taken_ids(self) -> set[str]:
        """Every id that may stand in the notes."""
        return all_ids(self.manifest.rows.values())

    # A crash

    def knows(self, operation: Operation) -> bool:
        """Whether the operation is journalled or committed already, whatever became of its entries since."""
        journalled = any(record.operation.id == operation.id for record in self.waiting)
        return journalled or self._is_committed(operation)

    def _is_committed(self, operation: Operation) -> bool:
        try:
            return self.head is not None and self.git.contains_operation(self.head, operation.id)
        except GitFailed:
            return False

    def unwritten(self) -> Journalled | None:
        """The operation that a killed command journalled and may not have written: only the newest can be one."""
        newest = self.waiting[-1] if self.waiting else None
        if newest is None or self.is_written(newest) or self._is_committed(newest.operation):
            return None
        return newest

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
        current = parse(note.path, data or b"")
        old, new = (self.shape.with_line_ends(parse(note.path, side), current.newline) for side in (base, note.after))
        return encode(merge(old, current, new).text)

    def _content(self, blob: str) -> bytes | None:
        """The bytes of a blob, from what waits or from git; None where neither has them."""
        waiting = (note.after for record in self.waiting for note in record.notes if note.after is not None)
        known = next((data for data in waiting if self._blob(data) == blob), None)
        if known is not None:
            return known
        try:
            return self.git.blobs([blob])[blob]
        except GitFailed:
            return None

    # Hand edits

    def hand_edits(self) -> HandEdits:
        """What differs on disk from the accounted bytes; notes that only look different are noted as seen."""
        listing = self.files.scan()
        suspects, gone = self.manifest.changed({**listing.notes, **listing.settings})
        unseen = tuple(problem.path.rstrip("/") for problem in listing.refused)
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
            if "." not in unseen and not any(path == one or path.startswith(f"{one}/") for one in unseen):
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
        if stat is not None:
            self._dirty |= row is None or row.stat != stat or self.began_ns - RACY_NS > max(stat[1:3])
            self.manifest.rows[path] = Row(stat, blob, ids_in(data), self._texts_in(path, data))

    def _texts_in(self, path: str, data: bytes) -> str:
        """The digests of what the entries of a note say."""
        if not layout.is_note_path(path, self.shape.notes_dir):
            return ""
        return "".join(found for entry in self.shape.parse(path, data).entries for found in digests_of(entry))

    # Commits

    def wrote(self, record: Journalled) -> None:
        """The notes of `record` have its bytes now."""
        if record not in self.waiting:
            self.waiting.append(record)
        operation = record.operation
        note_actor(self.manifest.actors, operation.entries, operation.verb, operation.actor)
        for note in record.notes:
            if note.after is None:
                self.manifest.rows.pop(note.path, None)
            elif layout.is_tracked_path(note.path, self.shape.notes_dir):
                stat = self.files.stat(note.path) or (0, 0, 0, 0)
                texts = self._texts_in(note.path, note.after)
                self.manifest.rows[note.path] = Row(stat, self._blob(note.after), ids_in(note.after), texts)
        self._dirty = True

    def commit_waiting(self) -> None:
        """Commit each journalled operation on its own. Raises GitFailed; what is committed is off the journal."""
        try:
            while self.waiting:
                record = self.waiting[0]
                behind = self.manifest.staging_behind
                self._commit(record)
                if self.manifest.staging_behind != behind:
                    self._save()
                self.spool.finished(record)
                self.waiting.pop(0)
            self._refresh_staging({})
        finally:
            self._save()

    def _save(self) -> None:
        """Write the manifest, if it changed. One that cannot be written is made anew by the next command."""
        if not self._dirty:
            return
        self.manifest.looked_ns = self.began_ns
        try:
            self.manifest.save(self.path, self.disk)
        except OSError:
            return
        self._dirty = False

    def _commit(self, record: Journalled) -> None:
        if self.head is None:
            raise self.failure or GitFailed(GitProblem.FAILED, "git gives no branch")
        operation = record.operation
        if record.found and self.git.contains_operation(self.head, operation.id):
            self._leave_behind({note.path for note in record.notes})
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
                if self.git.contains_operation(self.head, operation.id):  # it was git's last word that failed
                    self._leave_behind({note.path for note in record.notes})
                    return
        self.head = Head(self.head.branch, commit)
        self.manifest.commit = commit
        self._dirty = True
        self._refresh_staging({change.path: change for change in changes})

    def _refresh_staging(self, changes: Mapping[str, FileChange]) -> None:
        """Bring the person's staging area along for our notes; what is locked now is made up for later.

        The commit is there already, so whatever git says to this does not count against it.
        """
        behind = [path for path in self.manifest.staging_behind if path not in changes]
        try:
            due = [*changes.values(), *self._committed(behind)]
            done = not due or self.git.refresh_staging(due)
        except GitFailed:
            done = False
        if not done:
            self._leave_behind(changes)
        elif self.manifest.staging_behind:
            self.manifest.staging_behind = ()
            self._dirty = True

    def _leave_behind(self, paths: Iterable[str]) -> None:
        """The staging area lacks what was committed at these paths; `_refresh_staging` makes up for it."""
        left = tuple(sorted({*self.manifest.staging_behind, *paths}))
        if left != self.manifest.staging_behind:
            self.manifest.staging_behind = left
            self._dirty = True

    def _committed(self, paths: list[str]) -> list[FileChange]:
        """These notes as the newest commit has them, which is not always what stands on the disk by now."""
        if not paths or self.head is None or self.head.commit is None:
            return []
        files = self.git.tree(self.head.commit, paths)
        blobs = self.git.blobs(oid for _, oid in files.values())
        gone = [FileChange(path, None) for path in paths if path not in files]
        return gone + [FileChange(path, blobs[oid], mode == "100755") for path, (mode, oid) in files.items()]
