"""Plan an operation: from changes and the notes they touch to the new bytes. No effects."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from remember_me.errors import EditConflict, InvalidInput, StoreDamaged
from remember_me.model.change import Add, Change, Correct, Merge, SetFields
from remember_me.notes import layout, splice
from remember_me.notes.layout import NoteKind
from remember_me.notes.merge import Conflict, merge
from remember_me.notes.note import Note, encode
from remember_me.store.listing import NOTE_LIMIT_BYTES
from remember_me.store.shape import Shape
from remember_me.store.snapshot import Occurrence

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


class Plan:
    """Collects the new bytes of the notes that an operation touches.

    `load` gives the bytes of a note as they stand (None: no such file); `find` gives the occurrence of an id.
    """

    def __init__(
        self,
        shape: Shape,
        load: Callable[[str], bytes | None],
        find: Callable[[str], Occurrence],
        zone_name: str | None,
    ) -> None:
        self.shape = shape
        self.load = load
        self.find = find
        self.zone_name = zone_name
        self.before: dict[str, bytes | None] = {}
        self.after: dict[str, bytes | None] = {}
        self.entries: dict[str, None] = {}
        self.conflicts: list[Conflict] = []

    def run(self, changes: Sequence[Change]) -> None:
        """Plan `changes` one behind the other."""
        for change in changes:
            match change:
                case Add():
                    self._add(change)
                case Correct():
                    self._correct(change)
                case SetFields():
                    self._set_fields(change)
                case Merge():
                    self._merge(change)
        if self.conflicts:
            raise UndoConflict(tuple(self.conflicts))

    @property
    def touched(self) -> list[str]:
        """The notes whose bytes change."""
        return [path for path, data in self.after.items() if data != self.before[path]]

    def note(self, path: str) -> Note | None:
        """The note as planned so far."""
        data = self._data(path)
        return None if data is None else self.shape.parse(path, data)

    def _data(self, path: str) -> bytes | None:
        if path not in self.after:
            self.before[path] = self.after[path] = self.load(path)
        return self.after[path]

    def _put(self, path: str, text: str) -> Note:
        data = encode(text)
        if len(data) > max(NOTE_LIMIT_BYTES, len(self._data(path) or b"")):
            raise InvalidInput(
                f"{path} would be larger than {NOTE_LIMIT_BYTES // (1024 * 1024)} MiB.",
                hint="Keep a text of that size as a file outside of the notes.",
            )
        self.after[path] = data
        return self.shape.parse(path, data)

    def _add(self, change: Add) -> None:
        if change.topic is not None:
            self._add_topic(change, change.topic)
            return
        path = self.shape.note_path(layout.daily_name(change.at.date()))
        note = self.note(path)
        if note is None:
            note = self.shape.parse(path, layout.render_daily_note(change.at, self.zone_name).encode())
        if "\0" in note.text:
            raise StoreDamaged(
                f"{path} holds NUL bytes, so nothing can be added to it.",
                hint="Save it again as UTF-8 in your editor.",
            )
        self._check(self._put(path, splice.append_entry(note, change)), change)

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
        note = self._put(path, text)
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

    def _occurrence(self, entry_id: str) -> tuple[Note, int]:
        """The occurrence to change, in its note as planned so far."""
        found = self.find(entry_id)
        note = self.note(found.note.path)
        if note is None:
            return found.note, found.number
        for index, entry in enumerate(note.entries):
            if entry.id == found.entry.id and (index == found.number or len(note.entries) != len(found.note.entries)):
                return note, index
        return note, found.number

    def _correct(self, change: Correct) -> None:
        note, index = self._occurrence(change.id)
        with _Splicing(note.path):
            text = splice.correct(note, index, change.title, change.body, change.new_id)
        self._changed(note, index, text, change.new_id, (change.title, change.body))

    def _set_fields(self, change: SetFields) -> None:
        note, index = self._occurrence(change.id)
        with _Splicing(note.path):
            text = splice.set_fields(note, index, change.values, change.new_id)
        words = note.entries[index].title, note.entries[index].body
        self._changed(note, index, text, change.new_id, words)

    def _changed(self, note: Note, index: int, text: str, new_id: str, words: tuple[str, str]) -> None:
        """Nothing is acknowledged that does not read back: the same entry, with these words."""
        old = note.entries[index]
        written = self._put(note.path, text)
        wanted = new_id if old.provisional else old.id
        new = written.entries[index] if len(written.entries) == len(note.entries) else None
        if new is None or new.id != wanted or (new.title, new.body) != words:
            raise StoreDamaged(f"The change would not read back from {note.path}.", hint="Edit the note by hand.")
        self.entries[wanted] = None

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


class _Splicing:
    """Turns a note's refusal to be spliced into the documented error."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, splice.CannotSplice):
            raise EditConflict(
                f"{self.path} was left as it is: {error}.",
                hint="Mend the note with `remember-me edit`, then run the command again.",
            ) from None


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
