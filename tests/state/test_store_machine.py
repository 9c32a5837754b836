"""A state machine over one whole store: commands, hands, crashes and obstacles in any order (STYLE, Tests).

The model knows what each entry must read as, and what each operation changed; undo and redo are played on it
entry by entry and part by part. Whatever the store shows beyond the model, or less, is a fault.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from remember_me.app import capture
from remember_me.app.wiring import Session
from remember_me.errors import CannotCommit
from remember_me.model.change import Add
from remember_me.model.entry import Entry, Tag
from remember_me.model.revision import EDITOR
from remember_me.model.text import normalize_text, split_title
from remember_me.notes.note import Note, parse_note
from remember_me.notes.splice import corrected_words
from remember_me.store.files import Disk
from remember_me.store.plan import UndoConflict
from remember_me.store.spool import Record
from remember_me.store.store import Applied
from remember_me.store.undo import NothingLeft
from tests.state.lab import Crash, FailingDisk, Lab
from tests.state.machine import run_machine

Thing = TypeVar("Thing")

ROUNDS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "1"))

_TRICKY = (
    "- FACT: inner ^k00003",
    "ends in ^k00003",
    "ends in \\^k00003",
    "```\n- FACT: in a fence",
    "<!-- open",
    "---\nid: k00003\n---",
    "# A heading\n\nand text",
    "1. one\n2. two\n\n   three",
    "  - evidence: no field\n  - pinned: true",
    "line one  \n\tline two\n\n\n    line three ",
    "(confidence: low, status: untested)",
    "zwölf Boxkämpfer — 家 \u200d \u2028 end",
)
_characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.one_of(
    st.sampled_from(_TRICKY),
    st.text(st.sampled_from("ab \n-:^`<>#\\\t\r"), min_size=1, max_size=40),
    st.text(_characters, min_size=1, max_size=60),
).filter(lambda text: normalize_text(text) != "")


class Parts(NamedTuple):
    """An entry as it must read. `id` is None for one that a hand added and no command has touched."""

    id: str | None
    title: str
    body: str
    pinned: bool = False
    status: str = "active"


Change = dict[int, tuple[Parts | None, Parts | None]]


@dataclass(eq=False)
class Done:
    """One operation: what it changed, by the number of the entry, and whether it is undone."""

    id: str
    change: Change
    by_hand: bool = False
    undone: bool = False


@dataclass(eq=False)
class Reversal:
    """An undo, or a redo, of an operation."""

    target: Done
    redo: bool


@dataclass
class Expected:
    """What the store must hold."""

    entries: dict[int, Parts] = field(default_factory=dict)
    log: list[Done | Reversal] = field(default_factory=list)
    by_hand: Change = field(default_factory=dict)

    def done(self) -> list[Done]:
        return [step for step in self.log if isinstance(step, Done)]

    def next_to_undo(self) -> Done | None:
        return next((step for step in reversed(self.done()) if not (step.by_hand or step.undone)), None)

    def next_to_redo(self) -> Done | None:
        for step in reversed(self.log):
            if isinstance(step, Reversal):
                if not step.redo and step.target.undone:
                    return step.target
            elif not step.by_hand:
                return None
        return None

    def put(self, change: Change) -> None:
        for number, (_, after) in change.items():
            if after is None:
                self.entries.pop(number, None)
            else:
                self.entries[number] = after

    def edit(self, change: Change) -> None:
        """A hand changed the entries, and no command has seen it yet."""
        for number, (before, after) in change.items():
            first = self.by_hand[number][0] if number in self.by_hand else before
            self.by_hand[number] = (first, after)
        self.put(change)

    def reversed(self, target: Done, *, redo: bool) -> Change | None:
        """What undoing or redoing changes now; None where a later change stands in the way."""
        change: Change = {}
        for number, (before, after) in target.change.items():
            standing = self.entries.get(number)
            source, goal = (before, after) if redo else (after, before)
            result = _merged(source, standing, goal)
            if isinstance(result, str):
                return None
            if result != standing:
                change[number] = (standing, result)
        return change


def _merged(source: Parts | None, standing: Parts | None, goal: Parts | None) -> Parts | str | None:
    """The entry with what leads from `source` to `goal`, or a word where that conflicts."""
    if standing in (source, goal) or source == goal:
        return goal if standing == source else standing
    if source is None or standing is None or goal is None or source.id != goal.id:
        return "conflict"
    parts = []
    for old, now, new in zip(source, standing, goal, strict=True):
        if old != new and now not in (old, new):
            return "conflict"
        parts.append(now if old == new else new)
    return Parts(*parts)


class StoreMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="remember-me-machine-"))
        self.lab = Lab(self.folder)
        self.path = self.lab.environ["PATH"]
        self.expected = Expected()
        self.numbers = 0
        self.known: set[str] = set()
        self.seen: dict[str, bytes] = {}
        self.hand_edited = False

    @initialize()
    def start(self) -> None:
        self.lab.start()
        self.known = set(self._operation_ids())
        self.seen = self.lab.notes()

    def teardown(self) -> None:
        try:
            if self.known:
                self._turn_git_on()
                self.everything_settles()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    # Looking

    @property
    def git_is_there(self) -> bool:
        return self.lab.environ["PATH"] == self.path

    def _operation_ids(self) -> dict[str, bool]:
        """Every operation in the history and in the spool, oldest first, and whether a hand made it."""
        committed = {operation.id: operation.actor == EDITOR for operation in reversed(self.lab.operations())}
        waiting = {record.operation.id: record.operation.actor == EDITOR for record in self._session_records()}
        return committed | waiting

    def _session_records(self) -> list[Record]:
        return self.lab.session().store.spool.records()[0]

    def _standing(self) -> dict[int, Entry]:
        """The entries of the model as the store shows them."""
        shown = list(self.lab.session().store.read().entries())
        found: dict[int, Entry] = {}
        for number, parts in self.expected.entries.items():
            fits = [
                entry
                for entry in shown
                if (entry.id == parts.id if parts.id else entry.provisional and entry.title == parts.title)
            ]
            assert len(fits) == 1, (parts, fits)
            found[number] = fits[0]
        return found

    @staticmethod
    def _one_of(data: st.DataObject, things: list[Thing], label: str) -> Thing:
        return things[data.draw(st.integers(0, len(things) - 1), label=label)]

    def _choose(self, data: st.DataObject) -> int | None:
        numbers = sorted(self.expected.entries)
        return data.draw(st.sampled_from(numbers), label="entry") if numbers else None

    # Taking note

    def _new_number(self) -> int:
        self.numbers += 1
        return self.numbers

    def _take_note(self, change: Change | None) -> None:
        """The command ended: what a hand changed before is an operation now, and so is `change`, if there is one."""
        ids = self._operation_ids()
        new = [identity for identity in ids if identity not in self.known]
        by_hand = [identity for identity in new if ids[identity]]
        ours = [identity for identity in new if not ids[identity]]
        assert len(by_hand) == int(self.hand_edited), by_hand
        assert len(ours) == int(change is not None), (ours, change)
        for identity in by_hand:
            self.expected.log.append(Done(identity, self.expected.by_hand, by_hand=True))
        self.expected.by_hand = {}
        self.hand_edited = False
        self.seen = self.lab.notes()
        if change is not None:
            self.expected.put(change)
            self.expected.log.append(Done(ours[0], change))
        self.known |= set(ids)

    # Commands

    @rule(text=texts, pinned=st.booleans())
    def add(self, text: str, pinned: bool) -> None:
        self._take_note(self._add(text, pinned))

    def _own_scope(self) -> str:
        """A project of its own for each capture, so that the same words again are another entry."""
        return f"project-{self.lab.ids}"

    def _add(self, text: str, pinned: bool) -> Change:
        fields = {"pinned": "true"} if pinned else {}
        applied = self.lab.add(text, **fields, scope=self._own_scope())
        assert applied.committed == self.git_is_there
        return {self._new_number(): (None, _parts(applied.entries[0].id, text, pinned=pinned))}

    @rule(data=st.data(), text=texts)
    def correct(self, data: st.DataObject, text: str) -> None:
        number = self._choose(data)
        if number is not None:
            self._command(self._correction(number, text))

    def _correction(self, number: int, text: str) -> tuple[Change, Callable[[], Applied]]:
        before, entry = self.expected.entries[number], self._standing()[number]
        title, body = corrected_words(entry, normalize_text(text))
        after = before._replace(title=title, body=body)
        return {number: (before, after)}, lambda: capture.correct(self.lab.session(), entry.id, text)

    @rule(data=st.data(), verb=st.sampled_from(["pin", "unpin", "disable", "enable"]))
    def set_field(self, data: st.DataObject, verb: str) -> None:
        number = self._choose(data)
        if number is not None:
            self._command(self._setting(number, verb))

    def _setting(self, number: int, verb: str) -> tuple[Change, Callable[[], Applied]]:
        before, entry = self.expected.entries[number], self._standing()[number]
        runs: dict[str, Callable[[Session], Applied]] = {
            "pin": lambda session: capture.pin(session, entry.id),
            "unpin": lambda session: capture.unpin(session, entry.id),
            "disable": lambda session: capture.disable(session, entry.id, None),
            "enable": lambda session: capture.enable(session, entry.id),
        }
        goals = {"pin": {"pinned": True}, "unpin": {"pinned": False}}
        after = before._replace(**goals.get(verb) or {"status": "active" if verb == "enable" else "disabled"})
        return {number: (before, after)}, lambda: runs[verb](self.lab.session())

    def _command(self, planned: tuple[Change, Callable[[], Applied]]) -> None:
        change, run = planned
        applied = run()
        changed = _with_id(change, applied.entries[0].id)
        assert applied.changed == (changed is not None)
        self._take_note(changed)

    # Undo and redo

    @rule()
    def undo(self) -> None:
        self._reverse(self.expected.next_to_undo(), lambda: self.lab.undo(), redo=False)

    @rule()
    def redo(self) -> None:
        self._reverse(self.expected.next_to_redo(), lambda: self.lab.redo(), redo=True)

    @rule(data=st.data())
    def undo_any(self, data: st.DataObject) -> None:
        done = self.expected.done()
        if done:
            target = self._one_of(data, done, "operation")
            self._reverse(target, lambda: self.lab.undo(target.id), redo=False)

    def _reverse(self, target: Done | None, run: Callable[[], str], *, redo: bool) -> None:
        waits = any(name.endswith("-capture.json") for name in self.lab.session().store.spool.names())
        notes = self.lab.notes()
        try:
            named = run()
        except (CannotCommit, NothingLeft, UndoConflict) as error:
            assert waits or self.lab.notes() == notes
            self._take_note(None)
            if isinstance(error, CannotCommit):
                assert not self.git_is_there
            elif isinstance(error, NothingLeft):
                assert target is None
            else:
                assert target is not None
                # Prose is not in the model, and only a hand changes it.
                assert target.by_hand or self.expected.reversed(target, redo=redo) is None
            return
        assert self.git_is_there
        assert target is not None
        assert named == target.id
        self._reversed(target, redo=redo)

    def _reversed(self, target: Done, *, redo: bool) -> None:
        change = self.expected.reversed(target, redo=redo)
        assert change is not None
        self._take_note(change)
        self.expected.log[-1] = Reversal(target, redo)
        target.undone = not redo

    @precondition(lambda self: self.git_is_there)
    @rule(data=st.data(), count=st.integers(2, 4))
    def n_undos_and_n_redos(self, data: st.DataObject, count: int) -> None:
        """What n operations did is taken back byte for byte by n undos, and comes again by n redos."""
        self.settle()
        seen = [self.lab.notes()]
        while len(seen) <= count:
            number = self._choose(data)
            kind = data.draw(st.sampled_from(["add", "correct", "pin"]), label="kind")
            if number is None or kind == "add":
                self.add(data.draw(texts, label="text"), pinned=False)
            elif kind == "correct":
                self._command(self._correction(number, data.draw(texts, label="text")))
            else:
                pinned = self.expected.entries[number].pinned
                self._command(self._setting(number, "unpin" if pinned else "pin"))
            if self.lab.notes() != seen[-1]:
                seen.append(self.lab.notes())
        for before in reversed(seen[:-1]):
            self.undo()
            assert self.lab.notes() == before
        for after in seen[1:]:
            self.redo()
            assert self.lab.notes() == after

    # A hand

    def _files(self) -> list[tuple[str, Note]]:
        found = [(path, self.lab.path(path).read_bytes()) for path in self.lab.notes() if path.endswith(".md")]
        return [(path, parse_note(path, data)) for path, data in found]

    def _places(self) -> Iterator[tuple[int, str, Note, int]]:
        """(number, path, note, index) of the entries that stand in the files."""
        shown = self._standing()
        for path, note in self._files():
            for index, entry in enumerate(note.entries):
                for number, standing in shown.items():
                    if standing.id == entry.id:
                        yield number, path, note, index

    def _save(self, how: str, path: str, text: str) -> None:
        getattr(self.lab, how)(path, text.encode("utf-8", "surrogateescape"))
        self.hand_edited = self.lab.notes() != self.seen

    @rule(data=st.data(), how=st.sampled_from(["vim", "vscode", "notepad", "sync_client"]))
    def retitle_by_hand(self, data: st.DataObject, how: str) -> None:
        places = [
            (number, path, note, index)
            for number, path, note, index in self._places()
            if "^" not in note.entries[index].title and "\\" not in note.entries[index].title
        ]
        if places:
            number, path, note, index = self._one_of(data, places, "entry")
            at = note.items[index].title_span[1]
            word = f" by hand {self._new_number()}"
            before = self.expected.entries[number]
            after = before._replace(title=note.entries[index].title + word)
            # An entry without an id is known by its words alone: with other words it is another one.
            another = {number: (before, None), self._new_number(): (None, after)}
            self.expected.edit({number: (before, after)} if before.id else another)
            self._save(how, path, note.text[:at] + word + note.text[at:])

    @rule(data=st.data(), how=st.sampled_from(["vim", "vscode", "notepad"]), tagged=st.booleans())
    def write_by_hand(self, data: st.DataObject, how: str, tagged: bool) -> None:
        """An entry without an id, or a thought in prose, at the end of a note."""
        files = self._files()
        if files:
            path, note = self._one_of(data, files, "note")
            number = self._new_number()
            if tagged:
                self.expected.edit({number: (None, Parts(None, f"By hand {number}", ""))})
            line = f"- FACT: By hand {number}" if tagged else f"Thought {number}."
            gap = "" if not note.text or note.text.endswith("\n") else "\n"
            self._save(how, path, f"{note.text}{gap}\n{line}\n")

    @rule(data=st.data(), how=st.sampled_from(["vim", "vscode"]))
    def cut_by_hand(self, data: st.DataObject, how: str) -> None:
        places = list(self._places())
        if places:
            number, path, note, index = self._one_of(data, places, "entry")
            item = note.items[index]
            self.expected.edit({number: (self.expected.entries[number], None)})
            self._save(how, path, note.text[: item.start] + note.text[item.end :])

    @rule(data=st.data())
    def delete_note_by_hand(self, data: st.DataObject) -> None:
        files = self._files()
        if files:
            path, _ = self._one_of(data, files, "note")
            gone = {number for number, where, _, _ in self._places() if where == path}
            self.expected.edit({number: (self.expected.entries[number], None) for number in gone})
            self.lab.path(path).unlink()
            self.hand_edited = self.lab.notes() != self.seen

    @rule(data=st.data())
    def save_with_notepad(self, data: st.DataObject) -> None:
        files = self._files()
        if files:
            path, note = self._one_of(data, files, "note")
            self._save("notepad", path, note.text)

    # What goes wrong

    @rule(
        data=st.data(), effects=st.integers(0, 30), text=texts, kind=st.sampled_from(["add", "correct", "pin", "undo"])
    )
    def crash(self, data: st.DataObject, effects: int, text: str, kind: str) -> None:
        """The process dies at some effect on the disk; the next command finds all of the operation or nothing."""
        number = self._choose(data)
        target = self.expected.next_to_undo() if kind == "undo" else None
        change: Change | None
        if kind == "undo":
            change, run = (self.expected.reversed(target, redo=False) if target else None), self.lab.undo
            if change is None or not self.git_is_there:
                return
        elif kind == "add" or number is None:
            change, run = (
                {self._new_number(): (None, _parts(None, text))},
                lambda: self.lab.add(text, scope=self._own_scope()),
            )
        else:
            change, run = self._correction(number, text) if kind == "correct" else self._setting(number, "pin")
        self.lab.disk = FailingDisk(effects)
        try:
            run()
        except Crash:
            acknowledged = False
        else:
            acknowledged = target is not None or any(before != after for before, after in change.values())
        finally:
            self.lab.disk = Disk()
        self.lab.settle()
        assert len(self._new_operations()) in ((1,) if acknowledged else (0, 1))
        self._take_up(change, target)

    def _new_operations(self) -> list[str]:
        ids = self._operation_ids()
        return [identity for identity in ids if identity not in self.known and not ids[identity]]

    def _is_done(self) -> bool:
        return len(self._new_operations()) == 1

    def _take_up(self, change: Change, target: Done | None) -> None:
        if not self._is_done():
            self._take_note(None)
        elif target is not None:
            self._reversed(target, redo=False)
        else:
            self._take_note(_with_id(change, self._entry_of(self._new_operations()[0])))

    def _entry_of(self, operation: str) -> str:
        for record in self._session_records():
            if record.operation.id == operation:
                return record.operation.entries[0]
        return next(one.entries[0] for one in self.lab.operations() if one.id == operation)

    @precondition(lambda self: self.git_is_there)
    @rule()
    def git_goes(self) -> None:
        empty = self.folder / "no-programs"
        empty.mkdir(exist_ok=True)
        self.lab.environ["PATH"] = str(empty)

    @precondition(lambda self: not self.git_is_there)
    @rule()
    def git_comes(self) -> None:
        self._turn_git_on()

    def _turn_git_on(self) -> None:
        self.lab.environ["PATH"] = self.path

    @rule(text=texts)
    def capture_while_busy(self, text: str) -> None:
        """Another command holds the lock: the capture waits in the spool, and reads show it."""
        session = self.lab.session()
        title, body = split_title(normalize_text(text))
        change = Add(session.new_entry_id(), Tag.FACT, title, body, (), session.store.tools.now())
        with self.lab.busy():
            applied = session.store.apply([change], session.request("add"), wait_seconds=0)
        assert applied.waiting
        number = self._new_number()
        parts = _parts(change.id, text)
        self.expected.put({number: (None, parts)})
        self.expected.log.append(Done(applied.operation.id, {number: (None, parts)}))
        self.known.add(applied.operation.id)

    @rule(days=st.integers(1, 40))
    def days_pass(self, days: int) -> None:
        self.lab.now += timedelta(days=days)

    # What must hold

    @rule()
    def settle(self) -> None:
        reason = self.lab.settle()
        assert (reason is None) == (self.git_is_there or not self._session_records())
        self._take_note(None)

    @precondition(lambda self: self.git_is_there)
    @rule()
    def everything_settles(self) -> None:
        self.settle()
        self.lab.assert_settled()
        everyone_sees_the_model(self)

    @invariant()
    def the_store_shows_the_model(self) -> None:
        if self.known:
            everyone_sees_the_model(self)


def everyone_sees_the_model(machine: StoreMachine) -> None:
    snapshot = machine.lab.session().store.read()
    occurrences = [entry for note in snapshot.notes.values() for entry in note.entries]
    live = [entry.id for entry in occurrences if entry.live]
    assert len(live) == len(set(live))
    standing = machine._standing()
    for number, parts in machine.expected.entries.items():
        entry = standing[number]
        found = Parts(parts.id and entry.id, entry.title, entry.body, entry.pinned, entry.status.value)
        assert found == parts
    assert len(occurrences) == len(standing), (occurrences, standing)
    for path, note in machine._files():
        assert note.data() == machine.lab.path(path).read_bytes()


def _with_id(change: Change, entry_id: str) -> Change | None:
    """The change of one entry, which got that id if it had none; None if it changes nothing."""
    (number, (before, after)) = next(iter(change.items()))
    assert after is not None
    if before == after:
        return None
    return {number: (before, after if after.id else after._replace(id=entry_id))}


def _parts(entry_id: str | None, text: str, *, pinned: bool = False) -> Parts:
    title, body = split_title(normalize_text(text))
    return Parts(entry_id, title, body, pinned)


@pytest.mark.slow
def test_the_store_keeps_its_promises_whatever_happens() -> None:
    run_machine(StoreMachine, examples=10 * ROUNDS, steps=25)
