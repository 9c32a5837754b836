"""The long-term note: put entries under the heading of their kind, and take them out. Pure: text in, text out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from remember_me.model.entry import Entry
from remember_me.notes.grammar import Heading, escape_title, is_assumptions, is_indented, line_break
from remember_me.notes.layout import HEADINGS, heading_for
from remember_me.notes.note import Note

NEW_LONG_TERM_NOTE = "# Memory\n"
"""What a new MEMORY.md starts with."""


class Placed(NamedTuple):
    """An entry to be put into the long-term note, with the fields it gets there."""

    entry: Entry
    fields: tuple[tuple[str, str], ...]


def render_long_term_entry(placed: Placed, newline: str) -> str:
    """The lines of an entry without a time, the last line end included."""
    entry = placed.entry
    lines = [f"- {entry.tag}: {escape_title(entry.title)} ^{entry.id}"]
    lines += [f"  - {key}: {value}".rstrip(" ") for key, value in placed.fields]
    if entry.body:
        lines += ["", *(f"  {line}" if line else "" for line in entry.body.split("\n"))]
    return newline.join(lines) + newline


def insert_entries(note: Note, placed: Sequence[Placed]) -> str:
    """The note's text with each entry under the heading where its kind already lives, else under its own.

    A heading that is missing is added where the order of the headings wants it.
    """
    groups: dict[str, list[Placed]] = {}
    for one in placed:
        groups.setdefault(heading_for(one.entry.tag, one.entry.signal, one.entry.basis), []).append(one)
    inserts: list[tuple[int, list[str]]] = []
    for title in sorted(groups, key=_rank):
        lines = [render_long_term_entry(one, note.newline) for one in groups[title]]
        heading = _heading_of_kind(note, title)
        if heading is not None:
            at = _section_end(note, heading)
            inserts.append((at, lines))
        else:
            at = _place_of_heading(note, title)
            head = f"## {title}{note.newline}"
            inserts.append((at, [head, *lines]))
    return _with_inserts(note, inserts)


def remove_entries(note: Note, numbers: Iterable[int]) -> str:
    """The note's text without those entries and the blank lines above each."""
    text = note.text
    for number in sorted(numbers, reverse=True):
        item = note.items[number]
        start = item.start
        while (line := text.rfind("\n", 0, max(start - 1, 0)) + 1) < start and not text[line:start].strip(" \t\r\n"):
            start = line
        text = text[:start] + text[item.end :]
    return text


def _rank(title: str) -> int:
    order = list(HEADINGS.values())
    return order.index(title) if title in order else len(order)


def _heading_of_kind(note: Note, title: str) -> Heading | None:
    """The heading under which the newest entries of the same kind stand, else the one with that title."""
    headings = note.scan.headings
    for item, entry in zip(reversed(note.items), reversed(note.entries), strict=True):
        if heading_for(entry.tag, entry.signal, entry.basis) == title:
            above = [heading for heading in headings if heading.start < item.start]
            if above:
                return above[-1]
    guesses = title == HEADINGS["assumptions"]
    named = [
        heading
        for heading in headings
        if heading.title.casefold() == title.casefold() or (guesses and is_assumptions(heading.title))
    ]
    return named[-1] if named else None


def _section_end(note: Note, heading: Heading) -> int:
    """Behind the last line with words of the section, before the next heading, or an unclosed fence."""
    later = [other.start for other in note.scan.headings if other.start > heading.start]
    end = min([*later, len(note.text)] if note.scan.open_at is None else [*later, note.scan.open_at])
    return _behind_words(note.text, heading.end, end)


def _place_of_heading(note: Note, title: str) -> int:
    """Where a missing heading goes: before the first known heading that comes after it, else at the end."""
    ranks = {name.casefold(): number for number, name in enumerate(HEADINGS.values())}
    end = len(note.text) if note.scan.open_at is None else note.scan.open_at
    for heading in note.scan.headings:
        if ranks.get(heading.title.casefold(), -1) > _rank(title) and heading.start < end:
            return _behind_words(note.text, note.body_start, heading.start)
    return _behind_words(note.text, note.body_start, end)


def _behind_words(text: str, start: int, end: int) -> int:
    """The end of the last non-blank line of text[start:end], its line end included; `start` if there is none."""
    words = text[start:end].rstrip(" \t\r\n")
    if not words:
        return start
    behind = text.find("\n", start + len(words), end)
    return end if behind < 0 else behind + 1


def _with_inserts(note: Note, inserts: Sequence[tuple[int, list[str]]]) -> str:
    """The note's text with blocks put in at places, a blank line above and below each block."""
    newline = note.newline
    pieces: list[str] = []
    at = 0
    for place, blocks in sorted(inserts, key=lambda insert: insert[0]):
        before = note.text[at:place]
        above = (pieces[-1] if pieces and not before else "") + before
        pieces += [before, _gap(above, newline), newline.join(blocks)]
        at = place
    after = note.text[at:]
    for number in range(0, len(pieces), 3):
        behind = pieces[number + 3] if number + 3 < len(pieces) else after
        if behind.strip(" \t\r\n") and not behind.startswith(("\n", "\r\n")):
            pieces[number + 2] += newline
        if is_indented(behind[_first_words(behind) :]):  # it would become a part of the entry above it
            pieces[number + 2] += ("" if pieces[number + 2].endswith(newline * 2) else newline) + f"<!-- -->{newline}"
    return "".join(pieces) + after


def _first_words(text: str) -> int:
    """Where the first line begins that is not blank."""
    words = len(text) - len(text.lstrip(" \t\r\n"))
    return text.rfind("\n", 0, words) + 1


def _gap(above: str, newline: str) -> str:
    """What brings a blank line between `above` and a block below it; nothing at the beginning of a note."""
    if not above.removeprefix("\ufeff"):
        return ""
    if not above.endswith("\n"):
        return line_break(above, newline) + newline
    return "" if not above[above.rfind("\n", 0, len(above) - 1) + 1 :].strip(" \t\r\n") else newline
