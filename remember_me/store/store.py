"""The store: the one write gateway, and reading.

`Store.apply` is the only way that anything gets into the notes (DESIGN section 7): lock, finish what was
started, commit hand edits, plan, journal, write, commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from remember_me.errors import CannotCommit, Refused, RememberMeError, StoreDamaged, WriteFailed
from remember_me.model.change import Add, Change
from remember_me.model.entry import Entry, is_id
from remember_me.model.revision import EDITOR, Operation
from remember_me.model.text import join_title
from remember_me.notes import layout
from remember_me.notes.note import content_hash
from remember_me.policy.decay import utc_date
from remember_me.policy.duplicates import digest
from remember_me.store import bounds, gate, review
from remember_me.store.anchor import Anchor
from remember_me.store.files import HalfWritten, Raced, Replacement, write_failed, write_private
from remember_me.store.git import Git, GitFailed
from remember_me.store.ledger import HandEdits, Ledger
from remember_me.store.listing import reason_of
from remember_me.store.lock import StoreLock
from remember_me.store.plan import Plan, Sources
from remember_me.store.proposals import Proposals
from remember_me.store.reader import OWN_FOLDER, Reader
from remember_me.store.request import Applied, Request, Tools, Visit
from remember_me.store.shape import Shape
from remember_me.store.spool import Captured, Journalled, NoteBytes, Spool
from remember_me.store.state import STATE_NAME, State

__all__ = ["Applied", "Request", "Store", "StoreBusy", "Tools", "Visit"]

LOCK_WAIT_SECONDS = 2.0
OPERATION_ID_CHARACTERS = 8
_MAX_RACES = 8
_BUSY = "another command is working in the store"


class StoreBusy(RememberMeError):
    """Another command holds the lock, and this one cannot wait in the spool."""

    exit_code = 1
    hint = "Another remember-me command is still running; try again when it has ended."


class Store(Reader):
    """One store on disk, for a command that writes."""

    def __init__(self, root: Path, shape: Shape, git: Git, lock: StoreLock, tools: Tools) -> None:
        super().__init__(root, shape, tools.disk)
        self.git = git
        self.lock = lock
        self.tools = tools
        self.spool = Spool(self.spool_folder, tools.disk)
        self.ledger = self._new_ledger()
        self.state = State(self.own_folder / STATE_NAME)
        self.proposals = Proposals(self.own_folder, tools.disk)
        self.anchor: Anchor | None = None
        """Where the history stood, outside of the store; None where nobody keeps it."""
        self.after_write: Callable[[], None] = lambda: None  # called once a write is done and the lock is free

    def _new_ledger(self) -> Ledger:
        return Ledger(self.manifest_path, self.git, self.files, self.spool, self.shape, self.tools.disk)

    # Writing

    def apply(self, changes: Sequence[Change], request: Request, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> Applied:
        """Apply `changes` as one operation. Raises the documented errors; then nothing was changed.

        A single Add that cannot have the lock in `wait_seconds` goes to the spool and counts as done. What a rule
        refuses is counted (`State.refusals`).
        """
        try:
            gate.check(changes, actor=request.actor, anyway=request.anyway)
            bounds.check_changes(self, changes)
            applied = self._apply(changes, request, wait_seconds)
        except Refused as refusal:
            self.state.count_refusal(refusal.rule)
            raise
        if applied.changed:
            self.after_write()
        return applied

    def _apply(self, changes: Sequence[Change], request: Request, wait_seconds: float) -> Applied:
        if self._take_lock(wait_seconds):
            try:
                return self._apply_locked(changes, request)
            finally:
                self._release()
        if len(changes) == 1 and isinstance(changes[0], Add):
            return self._capture(changes[0], request)
        raise StoreBusy(f"The store is in use by another command for more than {wait_seconds:g} seconds.")

    def settle(self, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> tuple[str | None, str | None]:
        """Finish what waits and commit hand edits; (why the commit could not be made or None, its hint)."""
        if not self._take_lock(wait_seconds):
            return _BUSY, StoreBusy.hint
        try:
            self._catch_up()
            return self._commit_waiting()
        finally:
            self._release()

    @contextmanager
    def locked(self, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> Iterator[None]:
        """Hold the lock, for what is kept beside the notes. Raises StoreBusy."""
        if not self._take_lock(wait_seconds):
            raise StoreBusy(f"The store is in use by another command for more than {wait_seconds:g} seconds.")
        try:
            yield
        finally:
            self._release()

    @contextmanager
    def settled(self, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> Iterator[None]:
        """Hold the lock with everything committed, for what works on the history. Raises StoreBusy, CannotCommit."""
        with self.locked(wait_seconds=wait_seconds):
            self._catch_up()
            reason, hint = self._commit_waiting()
            if reason is not None:
                raise CannotCommit(f"git cannot commit now: {reason}.", hint=hint)
            yield

    def _take_lock(self, wait_seconds: float) -> bool:
        try:
            return self.lock.acquire(wait_seconds)
        except OSError as error:
            raise write_failed(f"{OWN_FOLDER}/lock", error) from None

    def _release(self) -> None:
        """Unlock, and see to it that no capture that came to the spool meanwhile is left behind."""
        self.lock.release()
        self._drain_captures()

    def _drain_captures(self) -> tuple[str | None, str | None]:
        """Write what waits in the spool, if the lock is free; (why it could not be committed or None, its hint).

        One that cannot be written stays there, and is no failure of the command that tries.
        """
        left: list[str] = []
        told: tuple[str | None, str | None] = (None, None)
        while (waiting := self.spool.captures()) and waiting != left and self._take_lock(0):
            left = waiting
            try:
                self._catch_up()
                told = self._commit_waiting()
            except RememberMeError:
                break
            finally:
                self.lock.release()
        return told

    def _capture(self, change: Add, request: Request) -> Applied:
        """Keep a capture in the spool: policy was checked before, and is again when it is drained."""
        self._forget_fence()
        review.check_capture(self, change, request)
        operation = self._operation(request, (change.id,))
        try:
            self.spool.capture(operation, change)
        except OSError as error:
            raise write_failed(f"{OWN_FOLDER}/spool", error) from None
        reason, hint = self._drain_captures()
        entry = self.find(change.id).entry
        if any(f"-{operation.id}-" in name for name in self.spool.captures()):
            return Applied(operation, (entry,), committed=False, waiting=True)
        if any(f"-{operation.id}-" in name for name in self.spool.names()):
            return Applied(operation, (entry,), False, reason or _BUSY, hint or StoreBusy.hint)
        return Applied(operation, (entry,), committed=True)

    def _apply_locked(self, changes: Sequence[Change], request: Request) -> Applied:
        self._catch_up()
        operation_id = self.tools.new_id(OPERATION_ID_CHARACTERS)
        for _ in range(_MAX_RACES):
            try:
                plan = self._plan(changes)
                self._check(plan, changes, request)
            except RememberMeError:
                self._commit_waiting()
                raise
            verb = plan.verb or request.verb
            touched = (*plan.entries, *request.acknowledges)
            operation = self._operation(request, touched)._replace(id=operation_id, verb=verb)
            self._log_visit(request, operation.at)
            if not (plan.touched or request.undoes or request.redoes or request.acknowledges):
                return self._applied(operation, plan, *self._commit_waiting())
            try:
                self._write(plan, operation)
            except Raced:
                self._note_hand_edits()
                continue
            return self._applied(operation, plan, *self._commit_waiting())
        raise StoreDamaged(
            "The notes keep changing while they are written; nothing was changed.",
            hint="Try again in a moment.",
        )

    def _check(self, plan: Plan, changes: Sequence[Change], request: Request) -> None:
        """Raise for what is planned and may not be written, or not without a person."""
        bounds.check_plan(self, plan)
        review.check_fence(self, plan, request)
        review.check_review(self, plan, changes, request)

    def _log_visit(self, request: Request, at: datetime) -> None:
        """Log the session of an operation; once, for the commands of a session follow each other."""
        if request.visit is not None:
            session, scope = request.visit
            if self.ledger.is_new_visit(f"{session}\n{scope or ''}\n{utc_date(at)}"):
                self.state.note_session(session, scope, at)

    def _plan(self, changes: Sequence[Change]) -> Plan:
        taken = self.ledger.taken_ids()
        fresh = [self._with_free_id(change, taken) for change in changes]
        plan = Plan(self.shape, Sources(self.files.read, self._locate, self._same, self._every), self.tools.zone_name)
        plan.run(fresh)
        return plan

    def _locate(self, ids: Iterable[str]) -> list[str]:
        """The notes that hold one of the ids, by what is accounted for; all of them for a provisional one."""
        wanted = set(ids)
        rows = self.ledger.manifest.rows
        if any(not is_id(entry_id) for entry_id in wanted):
            return list(rows)
        return [path for path, row in rows.items() if not wanted.isdisjoint(row.ids.split())]

    def _every(self) -> list[str]:
        """All notes, by what is accounted for."""
        rows = self.ledger.manifest.rows
        return [path for path in rows if layout.is_note_path(path, self.shape.notes_dir)]

    def _same(self, change: Add) -> list[str]:
        """The notes in which an entry may say what the new one says."""
        return self.ledger.manifest.saying(digest(join_title(change.title, change.body)))

    def _with_free_id(self, change: Change, taken: set[str]) -> Change:
        if not isinstance(change, Add) or change.id not in taken:
            return change
        entry_id = change.id
        while entry_id in taken:
            entry_id = self.tools.new_id(len(change.id))
        return change._replace(id=entry_id)

    def _operation(self, request: Request, entries: tuple[str, ...]) -> Operation:
        return Operation(
            id=self.tools.new_id(OPERATION_ID_CHARACTERS),
            verb=request.verb,
            actor=request.actor,
            at=self.tools.now(),
            entries=entries,
            session=request.session,
            undoes=request.undoes,
            redoes=request.redoes,
        )

    def _write(self, plan: Plan, operation: Operation) -> None:
        """Journal, then write the notes. Raises Raced or WriteFailed with the notes as they were."""
        notes = [NoteBytes(path, _hash(plan.before[path]), plan.after[path]) for path in plan.touched]
        try:
            record = self.spool.journal(operation, notes)
        except OSError as error:
            raise write_failed(notes[0].path if notes else f"{OWN_FOLDER}/spool", error) from None
        try:
            self._write_notes(record)
        except (Raced, RememberMeError) as error:
            if not isinstance(error, HalfWritten):
                self._withdraw(record)
            raise
        self.ledger.wrote(record)
        self._forget_fence()

    def _forget_fence(self) -> None:
        """It may have changed: the next look reads it again."""
        self.__dict__.pop("fence", None)

    def _withdraw(self, record: Journalled) -> None:
        try:
            self.spool.remove(record)
        except OSError as error:
            raise HalfWritten(record.notes[0].path, reason_of(error)) from None

    def _write_notes(self, record: Journalled) -> None:
        self.files.apply([Replacement(note.path, note.after, note.before) for note in record.notes])

    def _applied(self, operation: Operation, plan: Plan, reason: str | None, hint: str | None) -> Applied:
        wanted = dict.fromkeys(operation.entries)
        standing: dict[str, Entry] = {}
        for note in (note for path in plan.after if (note := plan.note(path)) is not None):
            for entry in note.entries:
                if entry.id in wanted and (entry.id not in standing or (entry.live and not standing[entry.id].live)):
                    standing[entry.id] = entry
        entries = tuple(standing[entry_id] for entry_id in wanted if entry_id in standing)
        changed = bool(plan.touched)
        return Applied(operation, entries, reason is None, reason, hint, changed=changed)

    # Catching up: what a crash left, what waits, what a hand changed

    def _catch_up(self) -> None:
        """Under the lock: finish journalled operations, take in hand edits, write waiting captures."""
        self._forget_fence()  # a command that read the store before it had the lock may know an older one
        try:
            self._finish_and_drain()
        except HalfWritten as error:  # it is an earlier operation; of the one to come nothing was changed
            raise WriteFailed(error.path, error.reason) from None

    def _tidy(self) -> None:
        """Remove what killed commands left in our own folder, and see to it that git leaves that folder out."""
        self.git.recover_locks()
        self.spool.remove_temporaries()
        ignore = self.own_folder / ".gitignore"
        try:
            for name in (self.manifest_path.name, ignore.name):
                for half in self.own_folder.glob(f".{name}.*"):
                    half.unlink()
            if not ignore.exists():
                write_private(ignore, b"*\n", self.tools.disk)
        except OSError:
            return  # nothing depends on it; the next command tries again

    def _finish_and_drain(self) -> None:
        self._tidy()
        records, _ = self.spool.records()
        self.ledger.load([record for record in records if isinstance(record, Journalled)], make_repository=True)
        unwritten = self.ledger.unwritten()
        if unwritten is not None:
            self.files.remove_temporaries()
            self.ledger.finish(unwritten)
        self._note_hand_edits()
        for waiting in records:
            if isinstance(waiting, Captured):
                self._drain(waiting)

    def _drain(self, waiting: Captured) -> None:
        """Write a waiting capture; if a killed command wrote it already, only its record is left to remove.

        One that cannot be written stays, is shown by reads and counted by `status`, and blocks nothing. Where
        another entry got its id meanwhile, it gets a new one.
        """
        if self.ledger.knows(waiting.operation):
            self.spool.finished(waiting)
            return
        try:
            gate.check([waiting.change], actor=waiting.operation.actor, anyway=True)
            plan = self._plan([waiting.change])
            review.check_fence(self, plan, Request(waiting.operation.verb, waiting.operation.actor))
            self._write(plan, waiting.operation._replace(entries=tuple(plan.entries)))
        except HalfWritten:
            raise
        except review.Fenced as refusal:  # it was forgotten while it waited
            self.state.count_refusal(refusal.rule)
        except (Raced, RememberMeError):
            return
        self.spool.finished(waiting)

    def _note_hand_edits(self) -> None:
        """Journal what a hand changed in the notes since the last operation, as an operation of the editor."""
        edits = self.ledger.hand_edits()
        if not edits.notes:
            return
        operation = Operation(
            id=self.tools.new_id(OPERATION_ID_CHARACTERS),
            verb="edit",
            actor=EDITOR,
            at=self.tools.now(),
            entries=edits.entries,
            removed=edits.removed,
        )
        try:
            self.ledger.wrote(self.spool.journal(operation, edits.notes))
        except OSError as error:
            raise write_failed(edits.notes[0].path, error) from None

    def _commit_waiting(self) -> tuple[str | None, str | None]:
        """Commit every journalled operation, each on its own; (why not, hint) where git does not do it."""
        self._seen = None
        try:
            self.ledger.commit_waiting()
        except GitFailed as failure:
            return failure.reason, failure.hint
        if self.anchor is not None and self.ledger.head is not None:
            self.anchor.set(self.ledger.head.commit)
        return None, None

    def uncommitted(self) -> tuple[int, tuple[str, ...], HandEdits]:
        """(operations that wait for a commit, spool files that cannot be read, hand edits that no command saw)."""
        records, damaged = self.spool.records()
        ledger = self._new_ledger()
        ledger.load([record for record in records if isinstance(record, Journalled)])
        return len(records), tuple(damaged), ledger.hand_edits()


def _hash(data: bytes | None) -> str | None:
    return None if data is None else content_hash(data)
