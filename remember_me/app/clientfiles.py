"""The files of one client on their way: planned as bytes, then written all or none (DESIGN section 7)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from remember_me.app.installs import Installs, Record
from remember_me.clients.base import CannotMerge, Client, Edit, Surroundings
from remember_me.clients.hooks import put_member_back, set_member
from remember_me.clients.jsonedit import NotPlain
from remember_me.clients.known import CLIENTS
from remember_me.clients.skill import SKILL
from remember_me.errors import EditConflict, RememberMeError, WriteFailed
from remember_me.notes.note import content_hash
from remember_me.store.files import Disk, write_failed
from remember_me.store.listing import reason_of
from remember_me.store.outside import ChangedMeanwhile, read_outside, remove_outside, replace_outside

MADE, CHANGED, DELETED, RESTORED, SAME, KEPT, LEFT = (
    "made", "changed", "deleted", "restored", "same", "kept", "left",
)  # fmt: skip
"""What becomes of a file. `restored` has the bytes of before, `kept` is still in use by another client, and `left` was
edited by hand."""

SWITCHES: Mapping[str, object] = {"autoMemoryEnabled": False}
"""The settings that may be asked for, and the value that each is set to."""


class HalfDone(WriteFailed):
    """A write failed, and the files before it could not be put back either."""


class Step(NamedTuple):
    """One file on its way: the bytes that it has, those that it is to have, and the record of it from then on."""

    edit: Edit
    change: str
    before: bytes | None
    after: bytes | None
    record: Record | None = None
    baseline: bytes | None = None

    @property
    def writes(self) -> bool:
        return self.before != self.after


class ClientFiles:
    """The files of the clients of one user."""

    def __init__(self, around: Surroundings, disk: Disk) -> None:
        self.around = around
        self.disk = disk
        self.installs = Installs(around.environ, around.home, disk)

    def plan_in(self, client: Client, switches: Sequence[str] = ()) -> list[Step]:
        """What becomes of each file when the client gets us; `switches` are keys of SWITCHES, to be set in the first.

        Raises before anything is written.
        """
        steps = [self._step_in(edit) for edit in client.edits(self.around)]
        return [self._switched(steps[0], switches), *steps[1:]] if switches else steps

    def _step_in(self, edit: Edit) -> Step:
        before = _read(edit)
        record = self.installs.load(edit.path)
        if edit.own and before is not None and not self._is_untouched(edit, before, record):
            return _left(edit, before)
        after = edit.add(before)
        change = SAME if after == before else MADE if before is None else CHANGED
        return self._recorded(Step(edit, change, before, after), record)

    def _is_untouched(self, edit: Edit, data: bytes, record: Record | None) -> bool:
        return data == edit.add(None) or (record is not None and record.after == content_hash(data))

    def _switched(self, step: Step, switches: Sequence[str]) -> Step:
        """The step with the settings that were asked for."""
        assert step.after is not None
        after, old = step.after, {}
        try:
            for key in switches:
                changed, stood = set_member(after, key, SWITCHES[key])
                if changed != after:
                    old[key] = stood
                after = changed
        except NotPlain as fault:
            raise CannotMerge(step.edit.path, str(fault), f'"{switches[0]}": false') from None
        if after == step.after:
            return step
        change = step.change if step.writes else CHANGED
        new = self._recorded(step._replace(after=after, change=change, record=None), self.installs.load(step.edit.path))
        if new.record is None:
            return new
        known = dict(new.record.switched)
        return new._replace(record=new.record._replace(switched=tuple({**old, **known}.items())))

    def _recorded(self, step: Step, old: Record | None) -> Step:
        """The step with what is to be kept of the file, so that uninstalling finds what was there before."""
        if not step.writes or step.after is None:
            return step
        edit, before = step.edit, step.before
        after = content_hash(step.after)
        if old is not None and before is not None and content_hash(before) == old.after:
            return step._replace(record=old._replace(after=after), baseline=self.installs.load_backup(old))
        known = old if before is not None else None
        memo = known.memo if known is not None else edit.memo(before)
        switched = known.switched if known is not None else ()
        baseline = None if before is None else self._without(edit, before, memo, switched)
        folders = old.folders if old is not None else _missing_folders(edit.path)
        kept = content_hash(baseline) if baseline is not None else None
        found = known.found if known is not None else None
        if known is None and before is not None and baseline != before:
            found = content_hash(before)
        record = Record(str(edit.path), kept, after, memo, folders, switched, found)
        return step._replace(record=record, baseline=baseline)

    def _without(
        self, edit: Edit, data: bytes, memo: Sequence[str], switched: Sequence[tuple[str, str | None]]
    ) -> bytes | None:
        """The bytes without what is ours, by what is known of those of before."""
        for key, old in switched:
            data = put_member_back(data, key, SWITCHES.get(key), old)
        return edit.remove_by(data, tuple(memo))

    def plan_out(self, client: Client) -> list[Step]:
        """What becomes of each file when we leave the client. Raises before anything is written."""
        return [self._step_out(client, edit) for edit in client.edits(self.around)]

    def _step_out(self, client: Client, edit: Edit) -> Step:
        before = _read(edit)
        if before is None:
            return Step(edit, SAME, None, None)
        record = self.installs.load(edit.path)
        if edit.own and self._is_shared(client, edit):
            return Step(edit, KEPT, before, before)
        if record is not None and content_hash(before) == record.after:
            old = self.installs.load_backup(record)
            if record.before is None:
                return Step(edit, DELETED, before, None, record)
            if old is not None:
                return Step(edit, RESTORED, before, old, record)
        if edit.own and not self._is_untouched(edit, before, record):
            return _left(edit, before)
        known = record if record is not None else Record(str(edit.path), None, "")
        after = self._without(edit, before, known.memo, known.switched)
        change = SAME if after == before else DELETED if after is None else CHANGED
        return Step(edit, change, before, after, record)

    def _is_shared(self, client: Client, edit: Edit) -> bool:
        """Whether another client that has us reads the same file."""
        return any(
            other.name != client.name
            and any(os.path.realpath(one.path) == os.path.realpath(edit.path) for one in other.edits(self.around))
            and is_installed(other, self.around)
            for other in CLIENTS
        )

    def write(self, steps: Sequence[Step], *, leaving: bool) -> None:
        """Write all files of a client. Where one fails, those before it get their bytes back, and it raises."""
        done: list[_Done] = []
        try:
            for step in steps:
                if step.writes:
                    self._write(step, done, leaving=leaving)
        except _Failed as fault:
            raise self._taken_back(done, fault.error) from None
        except BaseException:
            self._taken_back(done, WriteFailed("", ""))
            raise
        if leaving:
            self._clear(steps)

    def _write(self, step: Step, done: list[_Done], *, leaving: bool) -> None:
        """Save the record of one file, then write it; each goes to `done` once it may have changed. Raises _Failed."""
        if not leaving and step.record is not None:
            old = self.installs.load(step.edit.path)
            done.append(_Done(step, step.record, old, self.installs.load_backup(old) if old is not None else None))
            try:
                self.installs.save(step.record, step.baseline, step.before)
            except OSError as error:
                raise _Failed(self.installs.failed(error)) from None
        try:
            self._put(step.edit.path, step.after, step.before)
        except ChangedMeanwhile:
            raise _Failed(
                EditConflict(f"{step.edit.path} was changed by another program meanwhile.", hint="Run this again.")
            ) from None
        except BaseException as fault:
            done.append(_Done(step))  # it may stand there already
            if not isinstance(fault, (OSError, ValueError)):
                raise
            refused = fault if isinstance(fault, OSError) else OSError(str(fault))
            raise _Failed(write_failed(str(step.edit.path), refused)) from None
        done.append(_Done(step))

    def _put(self, path: Path, data: bytes | None, before: bytes | None) -> None:
        if data is None:
            remove_outside(path, before or b"", self.disk)
            return
        Path(os.path.realpath(path)).parent.mkdir(parents=True, exist_ok=True)
        replace_outside(path, data, before, self.disk)

    def _taken_back(self, done: Sequence[_Done], error: RememberMeError) -> RememberMeError:
        """`error`, after putting back what was there before a call that failed; it names what could not be."""
        left: list[str] = []
        for one in reversed(done):
            path, step = one.step.edit.path, one.step
            try:
                if one.record is None:
                    if step.before != read_outside(path) == step.after:
                        self._put(path, step.before, step.after)
                elif str(path) not in left:
                    self.installs.put_back(one.record, one.old, one.backup)
            except (OSError, ValueError, ChangedMeanwhile):
                pass  # told below where it matters
            if one.record is None and _differs(step):
                left.append(str(path))
            elif one.record is not None and one.old is None and str(path) not in left:
                _remove_folders(one.record.folders)
        return half_done(error, reversed(left))

    def _clear(self, steps: Sequence[Step]) -> None:
        """Forget files that are as before, and remove the folders that we made for them if they are empty."""
        for step in steps:
            if step.change == KEPT:
                continue
            record = self.installs.load(step.edit.path)
            try:
                self.installs.drop(step.edit.path)
            except OSError as error:
                changed = [str(one.edit.path) for one in steps if one.writes]
                raise half_done(self.installs.failed(error), changed) from None
            if step.change != LEFT:
                own = (str(step.edit.path.parent),) if step.edit.what == SKILL else ()
                _remove_folders(record.folders if record is not None else own)


class _Done(NamedTuple):
    """What was done of a step: its file, or its record where that is given, with the one of before and its backup."""

    step: Step
    record: Record | None = None
    old: Record | None = None
    backup: bytes | None = None


class _Failed(Exception):
    def __init__(self, error: RememberMeError) -> None:
        self.error = error


def _differs(step: Step) -> bool:
    """Whether a file has not the bytes of before; also where that cannot be told."""
    try:
        return read_outside(step.edit.path) != step.before
    except (OSError, ValueError):
        return True


def half_done(error: RememberMeError, changed: Iterable[str]) -> RememberMeError:
    """`error`, which says what was changed nevertheless."""
    names = ", ".join(changed)
    if not names:
        return error
    new = HalfDone("", "", hint=error.hint)
    new.args = (f"{str(error).removesuffix(' Nothing was changed.')} Changed already: {names}.",)
    return new


def is_installed(client: Client, around: Surroundings) -> bool:
    """Whether something of ours is in the settings of a client; false where they cannot be read."""
    edit = client.edits(around)[0]
    try:
        data = read_outside(edit.path)
        return data is not None and edit.remove(data) != data
    except (OSError, ValueError, CannotMerge):
        return False


def _left(edit: Edit, data: bytes) -> Step:
    """What becomes of a file of ours that a hand has edited. Raises EditConflict where it would go on to run."""
    if edit.what == SKILL:
        return Step(edit, LEFT, data, data)
    raise EditConflict(
        f"{edit.path} is not as remember-me wrote it; it was left alone.",
        hint="Move it away or delete it, and run this again.",
    )


def _read(edit: Edit) -> bytes | None:
    """The bytes of a client's file. Raises EditConflict where it is no file or cannot be read."""
    try:
        return read_outside(edit.path)
    except ValueError as error:
        raise EditConflict(f"{edit.path} {error}; it was left alone.", hint="Put an ordinary file there.") from None
    except OSError as error:
        raise EditConflict(
            f"{edit.path} could not be read: {reason_of(error)}; it was left alone.", hint="Check its permissions."
        ) from None


def _missing_folders(path: Path) -> tuple[str, ...]:
    """The folders above a file that are not there yet, the deepest last."""
    missing = []
    folder = Path(os.path.realpath(path)).parent
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    return tuple(reversed(missing))


def _remove_folders(folders: Sequence[str]) -> None:
    for folder in reversed(folders):
        try:
            os.rmdir(folder)
        except OSError:
            return  # not empty, or gone
