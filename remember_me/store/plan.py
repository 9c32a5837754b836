"""Plan an operation: from changes and the notes they touch to the new bytes. No effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import NamedTuple

from remember_me.errors import EditConflict, InvalidInput, StoreDamaged
from remember_me.model.change import Add, Change, Correct, Demote, Forget, Merge, Promote, Revise, Revised, SetFields
from remember_me.model.entry import Entry, parse_evidence
from remember_me.model.text import join_title
from remember_me.notes import layout, splice
from remember_me.notes.layout import NoteKind
from remember_me.notes.merge import Conflict, merge
from remember_me.notes.note import Note, decode, encode
from remember_me.policy.duplicates import Statement, find_duplicate
from remember_me.store import gate
from remember_me.store.listing import NOTE_LIMIT_BYTES
from remember_me.store.shape import Shape
from remember_me.store.snapshot import Occurrence, Snapshot, by_path

MAX_NAME_TRIES = 1000


class UndoConflict(EditConflict):
    """The note was changed since; `conflicts` hold both versions, nothing was written."""

    def __init__(self, conflicts: tuple[Conflict, ...]) -> None:
        self.conflicts = conflicts
        notes = list(dict.fromkeys(conflict.note for conflict in conflicts))
        what = ", ".join(dict.fromkeys(conflict.key or "prose" for conflict in conflicts))
        super().__init__(
            f"{', '.join(notes)} {'was' if len(notes) == 1 else 'were'} changed since, in {what}; "
            "both versions are shown and nothing was overwritten.",
            hint="Edit the note by hand, or add --overwrite to take the earlier version.",
        )


class Sources(NamedTuple):
    """Where a plan reads: `load` gives the bytes of a note as they stand (None: no such file), `locate` the notes
    that may hold one of some ids, `same` those that may hold an entry that says the same as a new one, `every` all."""

    load: Callable[[str], bytes | None]
    locate: Callable[[Iterable[str]], list[str]]
    same: Callable[[Add], list[str]] = lambda change: []
    every: Callable[[], list[str]] = list


class Plan:
    """Collects the new bytes of the notes that an operation touches. `verb` is what it turned out to be, or None."""

    def __init__(self, shape: Shape, sources: Sources, zone_name: str | None) -> None:
        self.shape = shape
        self.sources = sources
        self.zone_name = zone_name
        self.verb: str | None = None
        self.before: dict[str, bytes | None] = {}
        self.after: dict[str, bytes | None] = {}
        self.entries: dict[str, None] = {}
        self.renamed: dict[str, str] = {}
        """The id that an entry without one gets here, and the provisional id that it had before."""
        self.left_out: list[str] = []
        self.conflicts: list[Conflict] = []
        self._parsed: dict[str, tuple[bytes, Note]] = {}

    def run(self, changes: Sequence[Change]) -> None:
        """Plan `changes` one behind the other; those of fields alone go over each note once."""
        for kind, group in groupby(changes, key=lambda change: isinstance(change, (SetFields, Revise))):
            if kind:
                self._edit_fields([change for change in group if isinstance(change, (SetFields, Revise))])
            else:
                for change in group:
                    self._run_one(change)
        if self.conflicts:
            raise UndoConflict(tuple(self.conflicts))

    def _run_one(self, change: Change) -> None:
        match change:
            case Add():
                self._add(change)
            case Correct():
                self._correct(change)
            case Promote() | Demote():
                self._move(change)
            case Forget():
                self._forget(change)
            case Merge():
                self._merge(change)
            case SetFields() | Revise():
                self._edit_fields([change])

    def _move(self, change: Promote | Demote) -> None:
        from remember_me.store import moves

        if isinstance(change, Promote):
            moves.promote(self, dict(change.ids), self.sources.locate([given for given, _ in change.ids]))
        else:
            moves.demote(self, change)

    @property
    def touched(self) -> list[str]:
        """The notes whose bytes change."""
        return [path for path, data in self.after.items() if data != self.before[path]]

    def note(self, path: str) -> Note | None:
        """The note as planned so far."""
        data = self._data(path)
        if data is None:
            return None
        known = self._parsed.get(path)
        if known is None or known[0] is not data:
            known = self._parsed[path] = (data, self.shape.parse(path, data))
        return known[1]

    def _data(self, path: str) -> bytes | None:
        if path not in self.after:
            self.before[path] = self.after[path] = self.sources.load(path)
        return self.after[path]

    def put(self, path: str, text: str) -> Note:
        """Plan `text` for the note. Raises InvalidInput where that is too large."""
        data = encode(text)
        if len(data) > max(NOTE_LIMIT_BYTES, len(self._data(path) or b"")):
            raise InvalidInput(
                f"{path} would be larger than {NOTE_LIMIT_BYTES // (1024 * 1024)} MiB.",
                hint="Keep a text of that size as a file outside of the notes.",
            )
        self.after[path] = data
        note = self.shape.parse(path, data)
        self._parsed[path] = (data, note)
        return note

    def _add(self, change: Add) -> None:
        if change.topic is not None:
            self._add_topic(change, change.topic)
            return
        if change.again is not None and (found := self._same(change)) is not None:
            self._revise(found, change.again, change.id)
            return
        path = self.append(change)
        if change.promote:
            from remember_me.store import moves  # most captures stay where they are

            moves.promote(self, {change.id: change.id}, [path])

    def append(self, change: Add) -> str:
        """Plan a new entry at the end of its daily note; the note's path. Raises StoreDamaged."""
        path = self.shape.note_path(layout.daily_name(change.at.date()))
        note = self.note(path)
        if note is None:
            note = self.shape.parse(path, layout.render_daily_note(change.at, self.zone_name).encode())
        if "\0" in note.text:
            raise StoreDamaged(
                f"{path} holds NUL bytes, so nothing can be added to it.",
                hint="Save it again as UTF-8 in your editor.",
            )
        self._check(self.put(path, splice.append_entry(note, change)), change)
        return path

    def _same(self, change: Add) -> Occurrence | None:
        """The entry that says the same as a new one would."""
        statement = statement_of(change)
        notes = self._notes(self.sources.same(change))
        found = find_duplicate((entry for note in notes for entry in note.entries), statement)
        return None if found is None else self._occurrence(found.id)

    def _add_topic(self, change: Add, name: str) -> None:
        path = self._free_name(name)
        if change.document is None:
            text = splice.render_topic_note(change)
        else:
            try:
                text = splice.adopt_topic_note(change.document, change, name)
            except splice.CannotSplice as error:
                raise InvalidInput(
                    f"{name} cannot become a topic note: {error}.", hint="Mend the front matter first."
                ) from None
        note = self.put(path, text)
        if note.kind is not NoteKind.TOPIC or note.entries[0].id != change.id:
            raise InvalidInput(
                f"{name} has an id or a tag of its own in its front matter, which is none of ours.",
                hint="Rename these keys in the file, or remove them.",
            )
        self.entries[change.id] = None

    def _free_name(self, name: str) -> str:
        stem = name.removesuffix(".md")
        for number in range(1, MAX_NAME_TRIES):
            path = self.shape.note_path(f"{stem}.md" if number == 1 else f"{stem}-{number}.md")
            if self._data(path) is None:
                return path
        raise InvalidInput(f"There are {MAX_NAME_TRIES} topic notes named {stem} already.", hint="Choose another name.")

    def _check(self, note: Note, change: Add) -> None:
        """Nothing is acknowledged that does not read back: exactly one entry more, with the same words."""
        entries = [entry for entry in note.entries if entry.id == change.id]
        if len(entries) != 1 or (entries[0].title, entries[0].body) != (change.title, change.body):
            raise StoreDamaged(
                f"The entry would not read back from {note.path}.",
                hint="Close open code fences and comments in that note.",
            )
        self.entries[change.id] = None

    def _notes(self, paths: Iterable[str]) -> list[Note]:
        return [note for path in paths if (note := self.note(path)) is not None]

    def _occurrence(self, entry_id: str) -> Occurrence:
        """The occurrence to change, in its note as planned so far, also by an id that it gets here. Raises
        EntryNotFound."""
        paths = dict.fromkeys([*self.sources.locate([entry_id]), *self.after])
        return Snapshot(by_path(self._notes(paths))).find(entry_id)

    def _correct(self, change: Correct) -> None:
        note, index = self._occurrence(change.id)
        with self.splicing(note.path):
            text = splice.correct(note, index, change.title, change.body, change.new_id)
        self._changed(note, index, text, change.new_id, (change.title, change.body))

    def _edit_fields(self, changes: Sequence[SetFields | Revise]) -> None:
        """Fields of several entries, each note in one pass where no rule depends on what is planned here."""
        if len(changes) == 1 or any(isinstance(change, Revise) for change in changes):
            for change in changes:
                rule = change.rule if isinstance(change, Revise) else _as_rule(change)
                self._revise(self._occurrence(change.id), rule, change.new_id)
            return
        served = Snapshot(by_path(self._notes(self.sources.locate([change.id for change in changes])))).served()
        by_note: dict[str, dict[int, splice.FieldEdit]] = {}
        for change in changes:
            note, index = served.get(change.id) or self._occurrence(change.id)
            assert isinstance(change, SetFields)
            by_note.setdefault(note.path, {})[index] = splice.FieldEdit(change.values, change.new_id)
        for path, edits in by_note.items():
            old = self.note(path)
            assert old is not None
            with self.splicing(path):
                text = splice.edit_fields(old, edits)
            written = self.put(path, text)
            for index, edit in edits.items():
                self._check_words(old, written, index, edit.new_id, (old.entries[index].title, old.entries[index].body))

    def _revise(self, found: Occurrence, rule: Callable[[Entry], Revised], new_id: str) -> None:
        """Let the rule decide about the entry as it is planned so far."""
        note, index = found
        entry = note.entries[index]
        revised = rule(entry)
        gate.check_revised(revised)
        self.verb = revised.verb or self.verb
        if not (revised.values or revised.added or revised.tag):
            self.entries[entry.id] = None
            return
        with self.splicing(note.path):
            edit = splice.FieldEdit(revised.values, new_id, revised.added, revised.tag)
            text = splice.edit_fields(note, {index: edit})
        self._changed(note, index, text, new_id, (entry.title, entry.body))

    def _changed(self, note: Note, index: int, text: str, new_id: str, words: tuple[str, str]) -> None:
        self._check_words(note, self.put(note.path, text), index, new_id, words)

    def _check_words(self, before: Note, after: Note, index: int, new_id: str, words: tuple[str, str]) -> None:
        """Nothing is acknowledged that does not read back: the same entry, with these words."""
        old = before.entries[index]
        wanted = new_id if old.provisional else old.id
        new = after.entries[index] if len(after.entries) == len(before.entries) else None
        if new is None or new.id != wanted or (new.title, new.body) != words:
            raise self.unreadable(after.path)
        if old.provisional:
            self.renamed.setdefault(wanted, old.id)
        self.entries[wanted] = None

    @staticmethod
    def unreadable(path: str) -> StoreDamaged:
        """The error for a change that would not read back."""
        return StoreDamaged(f"The change would not read back from {path}.", hint="Edit the note by hand.")

    @staticmethod
    @contextmanager
    def splicing(path: str) -> Iterator[None]:
        """Turns a note's refusal to be spliced into the documented error."""
        try:
            yield
        except splice.CannotSplice as error:
            raise EditConflict(
                f"{path} was left as it is: {error}.",
                hint="Mend the note with `remember-me edit`, then run the command again.",
            ) from None

    def _forget(self, change: Forget) -> None:
        from remember_me.notes.longterm import remove_entries

        for path in self.sources.every():
            note = self.note(path)
            entries = note.entries if note is not None else ()
            gone = [at for at, entry in enumerate(entries) if entry.id in change.ids or change.says_the_same(entry)]
            if note is not None and gone:
                self.entries.update(dict.fromkeys(entries[at].id for at in gone if not entries[at].provisional))
                if note.kind is NoteKind.TOPIC:
                    self.after[path] = None
                else:
                    self.put(path, remove_entries(note, gone))
        if change.tombstones:
            self.bury(change.tombstones)

    def bury(self, lines: Iterable[str]) -> None:
        """Plan more lines of the tombstones."""
        from remember_me.notes.tombstones import with_lines

        path = layout.tombstones_path(self.shape.notes_dir)
        self.after[path] = encode(with_lines(decode(self._data(path) or b""), lines))

    def _merge(self, change: Merge) -> None:
        path = change.note
        data = self._data(path)
        if data == change.base and change.only is None:
            self.after[path] = change.target
            self._note_entries(path, change)
            return
        base, target = self._merge_sides(path, change)
        current = self.shape.parse(path, data if data is not None else encode(base.text[: base.body_start]))
        base, target = (self.shape.with_line_ends(side, current.newline) for side in (base, target))
        merged = merge(base, current, target, only=change.only, overwrite=change.overwrite)
        self.conflicts += [] if change.overwrite else merged.conflicts
        left_over = (change.target is None and merged.text == target.text) or (
            data is None and merged.text == current.text
        )
        self.after[path] = None if left_over else encode(merged.text)
        self._note_entries(path, change)

    def _merge_sides(self, path: str, change: Merge) -> tuple[Note, Note]:
        """Base and target as notes; a side that does not exist counts as the other side's front matter alone."""
        base = self.shape.parse(path, change.base) if change.base is not None else None
        target = self.shape.parse(path, change.target) if change.target is not None else None
        if base is None and target is None:
            empty = self.shape.parse(path, b"")
            return empty, empty
        if base is None:
            assert target is not None
            base = self.shape.parse(path, encode(target.text[: target.body_start]))
        if target is None:
            target = self.shape.parse(path, encode(base.text[: base.body_start]))
        return base, target

    def _note_entries(self, path: str, change: Merge) -> None:
        for entry_id in changed_entries(self.shape, path, self.before[path], self.after[path]):
            self.entries[entry_id] = None


def _as_rule(change: SetFields) -> Callable[[Entry], Revised]:
    return lambda entry: Revised(change.values)


def statement_of(change: Add) -> Statement:
    """What a new entry says, to be compared with what stands already."""
    fields = dict(change.fields)
    evidence = [parse_evidence(value) for key, value in change.fields if key == "evidence"]
    source = next((found.source.partition(",")[0] for found in evidence if found.source), None)
    return Statement(
        join_title(change.title, change.body), change.tag, fields.get("scope"), confirms=change.confirms, source=source
    )


def changed_entries(shape: Shape, path: str, before: bytes | None, after: bytes | None) -> dict[str, str]:
    """The real ids whose lines differ between two states of a note: id -> `added`, `changed` or `removed`."""
    old = _entry_texts(shape, path, before)
    new = _entry_texts(shape, path, after)
    found: dict[str, str] = {}
    for entry_id in [*old, *(key for key in new if key not in old)]:
        if old.get(entry_id) != new.get(entry_id):
            found[entry_id] = "removed" if entry_id not in new else "added" if entry_id not in old else "changed"
    return found


def _entry_texts(shape: Shape, path: str, data: bytes | None) -> dict[str, str]:
    if data is None:
        return {}
    note = shape.parse(path, data)
    texts: dict[str, str] = {}
    for index, entry in enumerate(note.entries):
        if not entry.provisional:
            texts[entry.id] = texts.get(entry.id, "") + splice.entry_lines(note, index)
    return texts
