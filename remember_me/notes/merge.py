"""Three-way merge of one note, by entry: what leads from base to target, brought into the note as it stands.

Undo, redo, a raced write and a crash's last step are all this one operation. A textual merge would not do:
two entries appended one behind the other conflict there (DESIGN section 7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remember_me.model.entry import PROVISIONAL_PREFIX
from remember_me.notes.grammar import Item, is_indented, line_break
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note

Key = tuple[str, str]

_BLANK: Key = ("line", "")


class Conflict(NamedTuple):
    """A place that both sides changed. `key` is the entry's id, or None for prose; None text means gone."""

    note: str
    key: str | None
    base: str | None
    current: str | None
    target: str | None


class Merged(NamedTuple):
    """`text` has every change that does not conflict; where it does, the current text stands."""

    text: str
    conflicts: tuple[Conflict, ...]


class _Unit(NamedTuple):
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
    if only is not None and NoteKind.TOPIC in (base.kind, current.kind, target.kind):
        if all(entry.id != only for note in (base, target) for entry in note.entries):
            return Merged(current.text, ())
        only = None
    return _Merge(_units(base), _units(current), _units(target), current, only=only, overwrite=overwrite).run()


def _units(note: Note) -> list[_Unit]:
    units: list[_Unit] = []
    items = () if note.kind is NoteKind.TOPIC else note.items
    at = len(_bom(note))
    for item, entry in zip(items, note.entries, strict=False):
        prose = note.text[at : item.start]
        said = len(prose.rstrip(" \t\r\n"))
        lead = prose[prose.find("\n", said) + 1 :] if said else prose
        units += [_line_unit(line) for line in _lines(prose[: len(prose) - len(lead)])]
        units.append(_Unit(("entry", entry.id), lead + note.text[item.start : item.end], item, len(lead)))
        at = item.end
    units += [_line_unit(line) for line in _lines(note.text[at:])]
    return units


def _bom(note: Note) -> str:
    return note.text[:1] if note.text.startswith("\ufeff") else ""


def _lines(text: str) -> list[str]:
    pieces = text.split("\n")
    lines = [piece + "\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


def _line_unit(line: str) -> _Unit:
    return _Unit(("line", line.rstrip(" \t\r\n") and line.rstrip("\r\n")), line)


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
        self.base, self.current, self.target, self.note = base, current, target, note
        self.only, self.overwrite = only, overwrite
        self.in_current = _matches(base, current)
        self.in_target = _matches(base, target)
        self.texts: list[str | None] = [unit.text for unit in current]
        self.known = {unit.key for unit in base if unit.item is not None}
        self.standing = {unit.key: number for number, unit in enumerate(current) if unit.item is not None}
        self.twins = _twins(base, target)
        self.renamed = set(_twins(base, current).values())
        self.behind: dict[int, list[_Unit]] = {}
        self.conflicts: list[Conflict] = []

    def run(self) -> Merged:
        for number, unit in enumerate(self.base):
            if unit.item is not None and self.only in (None, unit.key[1]):
                self._entry(number, unit)
        self._prose_and_new_entries()
        units = list(self.behind.get(-1, []))
        for number, text in enumerate(self.texts):
            units += [self.current[number]._replace(text=text)] if text is not None else []
            units += self.behind.get(number, [])
        return Merged(_bom(self.note) + self._join(units), tuple(self.conflicts))

    def _join(self, units: Sequence[_Unit]) -> str:
        """The text of the units; an empty comment keeps indented prose from becoming a part of the entry above it."""
        pieces: list[str] = []
        below_entry = False
        for unit in units:
            if below_entry and unit.item is None and unit.key != _BLANK and is_indented(unit.text):
                pieces.append(f"<!-- -->{self.note.newline}")
            below_entry = unit.item is not None or (below_entry and unit.key == _BLANK)
            pieces.append(unit.text)
        for number in range(len(pieces) - 1):
            if not pieces[number].endswith("\n"):
                pieces[number] += line_break(pieces[number], self.note.newline)
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
                    self.behind.setdefault(self._anchor(number), []).append(target)
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
        self.conflicts.append(Conflict(self.note.path, key, *texts))

    def _prose_and_new_entries(self) -> None:
        for b1, b2, t1, t2 in _differences(self.base, self.target):
            if self.only is not None:
                self._place(b1, t1, t2, here=[])
                continue
            gone = [number for number in range(b1, b2) if self.base[number].item is None]
            said = [number for number in gone if self.base[number].key != _BLANK]
            lost = [number for number in said if number not in self.in_current]
            new = [unit for unit in self.target[t1:t2] if unit.item is None and unit.key != _BLANK]
            if lost and len(lost) == len(said) and not new:
                gone = []
            elif lost and (new or len(lost) < len(said)):
                between = self._prose_between(b1, b2)
                texts = [self.base[number].text for number in gone]
                here = [self.current[number].text for number in between]
                sides = ("".join(side) for side in (texts, here, (unit.text for unit in new)))
                self.conflicts.append(Conflict(self.note.path, None, *sides))
                if not self.overwrite:
                    self._place(b1, t1, t2, here=None, behind=between)
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

    def _place(self, b1: int, t1: int, t2: int, *, here: list[Key] | None, behind: Sequence[int] = ()) -> None:
        """Put what the target inserts before base unit `b1` there, unless the current note has it already.

        Behind an entry that stands before it in the target too, so that entries come back in their order.
        `here` are the lines of prose at that place; None keeps the target's prose out, and its entries `behind` them.
        """
        prose = [unit.key for unit in self.target[t1:t2] if unit.item is None]
        bring_prose = self.only is None and here is not None and not _holds(here, prose)
        anchor = max([self._anchor(b1), *behind])
        for number, unit in enumerate(self.target[t1:t2], t1):
            if unit.item is None:
                wanted = bring_prose
            else:
                wanted = unit.key not in self.known and self.only in (None, unit.key[1])
                twin = self.twins.get(number)
                if wanted and twin is not None and twin not in self.in_current and twin not in self.renamed:
                    self._conflict(self.base[twin], None, unit)  # taken out since, under its other id
                    wanted = self.overwrite
                anchor = self.standing.get(unit.key, anchor)
            if wanted and unit.item is not None and unit.key in self.standing:
                if not _same(self.current[anchor], unit):
                    self._conflict(None, self.current[anchor], unit)
            elif wanted:
                self.behind.setdefault(anchor, []).append(unit)


def _holds(here: list[Key], prose: list[Key]) -> bool:
    """Whether the lines `prose` stand in `here` one behind the other; blank lines do not matter beside words."""
    if any(key != _BLANK for key in prose):
        here, prose = ([key for key in keys if key != _BLANK] for keys in (here, prose))
    return any(here[at : at + len(prose)] == prose for at in range(len(here) - len(prose) + 1)) if prose else False


def _differences(one: Sequence[_Unit], other: Sequence[_Unit]) -> Iterator[tuple[int, int, int, int]]:
    """(begin and end in `one`, begin and end in `other`) of each run of units that the two do not share."""
    first = second = 0
    for begin, start, size in [*_blocks(one, other), (len(one), len(other), 0)]:
        if first < begin or second < start:
            yield first, begin, second, start
        first, second = begin + size, start + size


def _blocks(one: Sequence[_Unit], other: Sequence[_Unit]) -> list[tuple[int, int, int]]:
    """(begin in `one`, begin in `other`, size) of the runs of units that the two share, in their order.

    What is equal at both ends is not compared further, and blank lines begin no run: a note has too many of them.
    """
    from difflib import SequenceMatcher  # `add` imports this module and merges nothing

    old, new = [unit.key for unit in one], [unit.key for unit in other]
    most = min(len(old), len(new))
    head = next((number for number in range(most) if old[number] != new[number]), most)
    most -= head
    tail = next((number for number in range(most) if old[-1 - number] != new[-1 - number]), most)
    middle, opposite = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = SequenceMatcher(lambda key: key == _BLANK, middle, opposite, autojunk=False)
    found = [(head + begin, head + start, size) for begin, start, size in matcher.get_matching_blocks() if size]
    return [(0, 0, head), *found, (len(old) - tail, len(new) - tail, tail)]


def _matches(base: Sequence[_Unit], other: Sequence[_Unit]) -> dict[int, int]:
    """Base unit -> the same unit in `other`: entries by their id, lines of prose by the longest match."""
    matched: dict[int, int] = {}
    for first, second, size in _blocks(base, other):
        matched.update(zip(range(first, first + size), range(second, second + size), strict=True))
    places = {unit.key: number for number, unit in enumerate(other) if unit.item is not None}
    for number, unit in enumerate(base):
        if unit.item is not None and number not in matched and unit.key in places:
            matched[number] = places[unit.key]
    return matched


def _twins(base: Sequence[_Unit], target: Sequence[_Unit]) -> dict[int, int]:
    """Target entry -> the base entry that it is under another id: one of the two has no id of its own yet."""
    known, kept = {unit.key for unit in base}, {unit.key for unit in target}
    found: dict[int, int] = {}
    for b1, b2, t1, t2 in _differences(base, target):
        gone = [at for at in range(b1, b2) if base[at].item is not None and base[at].key not in kept]
        new = [at for at in range(t1, t2) if target[at].item is not None and target[at].key not in known]
        if len(gone) == len(new):
            found.update(
                (there, here)
                for here, there in zip(gone, new, strict=True)
                if _is_provisional(base[here]) != _is_provisional(target[there])
            )
    return found


def _is_provisional(unit: _Unit) -> bool:
    return unit.key[1].startswith(PROVISIONAL_PREFIX)


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
    ends = [line.start for line in lines[1:]] + [item.fields_end] * bool(lines)
    parts = {"head": unit.text[: (lines[0].start if lines else item.fields_end) - shift]}
    counts: dict[str, int] = {}
    for line, stop in zip(lines, ends, strict=True):
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
