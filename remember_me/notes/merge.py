"""Three-way merge of one note, by entry: what leads from base to target, brought into the note as it stands.

Undo, redo, a raced write and a crash's last step are all this one operation. A textual merge would not do:
two entries appended one behind the other conflict there (DESIGN section 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from remember_me.notes.grammar import Item
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that both sides changed. `key` is the entry's id, or None for prose; None text means gone."""

    key: str | None
    base: str | None
    current: str | None
    target: str | None


@dataclass(frozen=True, slots=True)
class Merged:
    """`text` has every change that does not conflict; where it does, the current text stands."""

    text: str
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True, slots=True)
class _Unit:
    """An entry with the blank lines above it, or one line of prose. `item` spans count from the unit's start."""

    key: Key
    text: str
    item: Item | None = None
    lead: int = 0


def merge(base: Note, current: Note, target: Note, *, only: str | None = None, overwrite: bool = False) -> Merged:
    """Bring the changes from `base` to `target` into `current`.

    `only` limits them to the entry of that id. With `overwrite` the target wins where both changed; the
    conflicts are given all the same.
    """
    if only is None and current.text == base.text:
        return Merged(target.text, ())
    if current.text == target.text or base.text == target.text:
        return Merged(current.text, ())
    return _Merge(_units(base), _units(current), _units(target), current, only=only, overwrite=overwrite).run()


def _units(note: Note) -> list[_Unit]:
    units: list[_Unit] = []
    items = () if note.kind is NoteKind.TOPIC else note.items
    at = 0
    for item, entry in zip(items, note.entries, strict=False):
        lines = _lines(note.text[at : item.start])
        lead = ""
        while lines and not lines[-1].strip(" \t\r\n"):
            lead = lines.pop() + lead
        units += [_line_unit(line) for line in lines]
        units.append(_Unit(("entry", entry.id), lead + note.text[item.start : item.end], item, len(lead)))
        at = item.end
    units += [_line_unit(line) for line in _lines(note.text[at:])]
    return units


def _lines(text: str) -> list[str]:
    pieces = text.split("\n")
    lines = [piece + "\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


def _line_unit(line: str) -> _Unit:
    return _Unit(("line", line.rstrip("\r\n")), line)


class _Merge:
    """One merge: decides per unit of the current note, then places what only the target has."""

    def __init__(
        self,
        base: Sequence[_Unit],
        current: Sequence[_Unit],
        target: Sequence[_Unit],
        note: Note,
        *,
        only: str | None,
        overwrite: bool,
    ) -> None:
        self.base, self.current, self.target, self.newline = base, current, target, note.newline
        self.only, self.overwrite = only, overwrite
        self.in_current = _matches(base, current)
        self.in_target = _matches(base, target)
        self.texts: list[str | None] = [unit.text for unit in current]
        self.behind: dict[int, list[str]] = {}
        self.conflicts: list[Conflict] = []

    def run(self) -> Merged:
        for number, unit in enumerate(self.base):
            if unit.item is not None and self.only in (None, unit.key[1]):
                self._entry(number, unit)
        self._prose_and_new_entries()
        pieces = list(self.behind.get(-1, []))
        for number, text in enumerate(self.texts):
            pieces += [text] if text is not None else []
            pieces += self.behind.get(number, [])
        return Merged(self._join(pieces), tuple(self.conflicts))

    def _join(self, pieces: list[str]) -> str:
        for number in range(len(pieces) - 1):
            if not pieces[number].endswith("\n"):
                pieces[number] += self.newline
        return "".join(pieces)

    def _entry(self, number: int, base: _Unit) -> None:
        here, there = self.in_current.get(number), self.in_target.get(number)
        target = self.target[there] if there is not None else None
        current = self.current[here] if here is not None else None
        if target is not None and _same(base, target):
            return
        if current is None or here is None:
            if target is not None:
                self._conflict(base, None, target)
                if self.overwrite:
                    self.behind.setdefault(self._anchor(number), []).append(target.text)
        elif target is None:
            if not _same(base, current):
                self._conflict(base, current, None)
            if _same(base, current) or self.overwrite:
                self.texts[here] = None
        elif not _same(current, target):
            merged = _merge_parts(base, current, target)
            if merged is None:
                self._conflict(base, current, target)
                merged = target.text if self.overwrite else current.text
            self.texts[here] = merged

    def _conflict(self, base: _Unit | None, current: _Unit | None, target: _Unit | None) -> None:
        key = next(unit.key[1] for unit in (base, current, target) if unit is not None)
        texts = [
            unit.text[unit.lead :].rstrip("\r\n") if unit is not None else None for unit in (base, current, target)
        ]
        self.conflicts.append(Conflict(key, *texts))

    def _prose_and_new_entries(self) -> None:
        matcher = SequenceMatcher(None, [u.key for u in self.base], [u.key for u in self.target], autojunk=False)
        for kind, b1, b2, t1, t2 in matcher.get_opcodes():
            if kind == "equal":
                continue
            if self.only is not None:
                self._place(b1, t1, t2, here=[])
                continue
            gone = [number for number in range(b1, b2) if self.base[number].item is None]
            lost = [number for number in gone if number not in self.in_current]
            new = [unit for unit in self.target[t1:t2] if unit.item is None]
            if lost and len(lost) == len(gone) and not new:
                gone = []
            elif lost and (new or len(lost) < len(gone)):
                between = self._prose_between(b1, b2)
                texts = [self.base[number].text for number in gone]
                here = [self.current[number].text for number in between]
                self.conflicts.append(Conflict(None, *("".join(t) for t in (texts, here, (u.text for u in new)))))
                if not self.overwrite:
                    continue
                for number in between:
                    self.texts[number] = None
            for number in gone:
                if number in self.in_current:
                    self.texts[self.in_current[number]] = None
            self._place(b1, t1, t2, here=[self.current[number].key for number in self._prose_between(b1, b2)])

    def _prose_between(self, b1: int, b2: int) -> list[int]:
        """The current lines of prose between the neighbours of base units b1 to b2."""
        before, after = self._anchor(b1), len(self.current)
        for number in range(b2, len(self.base)):
            if number in self.in_current:
                after = self.in_current[number]
                break
        return [number for number in range(before + 1, after) if self.current[number].item is None]

    def _anchor(self, number: int) -> int:
        """The current unit behind which something before base unit `number` belongs; -1 is the beginning."""
        for earlier in range(number - 1, -1, -1):
            if earlier in self.in_current:
                return self.in_current[earlier]
        return -1

    def _place(self, b1: int, t1: int, t2: int, *, here: list[Key]) -> None:
        """Put what the target inserts before base unit `b1` there, unless the current note has it already."""
        prose = [unit.key for unit in self.target[t1:t2] if unit.item is None]
        there_already = bool(prose) and prose == here[: len(prose)]
        known = {unit.key for unit in self.base if unit.item is not None}
        standing = {unit.key: unit for unit in self.current if unit.item is not None}
        anchor = self._anchor(b1)
        for unit in self.target[t1:t2]:
            if (unit.item is not None and unit.key in known) or self.only not in (None, unit.key[1]):
                continue
            if unit.item is None and there_already:
                continue
            if unit.item is not None and unit.key in standing:
                if not _same(standing[unit.key], unit):
                    self._conflict(None, standing[unit.key], unit)
                continue
            self.behind.setdefault(anchor, []).append(unit.text)


def _matches(base: Sequence[_Unit], other: Sequence[_Unit]) -> dict[int, int]:
    """Base unit -> the same unit in `other`: entries by their id, lines of prose by the longest match."""
    matched: dict[int, int] = {}
    matcher = SequenceMatcher(None, [unit.key for unit in base], [unit.key for unit in other], autojunk=False)
    for first, second, size in matcher.get_matching_blocks():
        for step in range(size):
            matched[first + step] = second + step
    places = {unit.key: number for number, unit in enumerate(other) if unit.item is not None}
    for number, unit in enumerate(base):
        if unit.item is not None and number not in matched and unit.key in places:
            matched[number] = places[unit.key]
    return matched


def _same(one: _Unit, other: _Unit) -> bool:
    return _plain(one.text[one.lead :]) == _plain(other.text[other.lead :])


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n")


def _parts(unit: _Unit) -> dict[str, str]:
    """The unit cut into head, fields and body, each as written with its line ends; keys are unique."""
    item = unit.item
    if item is None:
        return {"head": unit.text}
    shift = item.start - unit.lead
    lines = [line for line in item.fields if line.start < line.end]
    starts = [line.start for line in lines[1:]] + [item.fields_end]
    parts = {"head": unit.text[: (lines[0].start if lines else item.fields_end) - shift]}
    counts: dict[str, int] = {}
    for line, stop in zip(lines, starts, strict=True):
        counts[line.key] = counts.get(line.key, 0) + 1
        parts[f"field {line.key} {counts[line.key]}"] = unit.text[line.start - shift : stop - shift]
    parts["body"] = unit.text[item.fields_end - shift :]
    return parts


def _merge_parts(base: _Unit, current: _Unit, target: _Unit) -> str | None:
    """The current entry with the parts that the target changed, or None if both changed the same part."""
    old, here, there = _parts(base), _parts(current), _parts(target)
    result = dict(here)
    for key in [*old, *(key for key in there if key not in old)]:
        before, after = old.get(key), there.get(key)
        if _part(before) == _part(after) or _part(here.get(key)) == _part(after):
            continue
        if _part(here.get(key)) != _part(before):
            return None
        if after is None:
            result.pop(key, None)
        elif key in result:
            result[key] = after
        else:
            result = _insert_part(result, key, after, list(there))
    body = result.pop("body", "")
    pieces = [*result.values(), *([body] if body else [])]
    newline = "\r\n" if "\r\n" in current.text else "\n"
    return "".join(piece if piece.endswith("\n") or piece is pieces[-1] else piece + newline for piece in pieces)


def _part(text: str | None) -> str:
    return _plain(text or "").strip("\n")


def _insert_part(parts: dict[str, str], key: str, text: str, order: list[str]) -> dict[str, str]:
    """`parts` with a new one behind the nearest part that stands before it in `order`."""
    earlier = [name for name in order[: order.index(key)] if name in parts]
    after = earlier[-1] if earlier else next(iter(parts))
    result: dict[str, str] = {}
    for name, value in parts.items():
        result[name] = value
        if name == after:
            result[key] = text
    return result
