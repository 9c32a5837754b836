"""Change one entry's bytes in a note and nothing else (DESIGN 3.1, Writing). Pure: text in, text out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from remember_me.model.change import Add
from remember_me.model.entry import FIELD_KEYS, Entry, Tag
from remember_me.model.text import inner_span, split_title
from remember_me.notes.clock import render_clock
from remember_me.notes.frontmatter import FrontMatter, parse_front_matter
from remember_me.notes.grammar import (
    HEAD,
    SKILL_HEAD,
    SKILL_KEYS,
    FieldLine,
    Form,
    Item,
    escape_title,
    is_indented,
    line_break,
)
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note, newline_of

Values = Sequence[tuple[str, str | None]]

_SKILL_LABELS = {key: label for label, key in SKILL_KEYS.items()}
_INDENT = re.compile(r"[ \t]*")


class CannotSplice(Exception):
    """The note's form does not allow a change of just these bytes; `str()` says why, without a period."""


class _Edits:
    """Replacements of spans of one text, applied at once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[tuple[int, int, str]] = []

    def replace(self, start: int, end: int, new: str) -> None:
        self.parts.append((start, end, new))

    def result(self) -> str:
        pieces: list[str] = []
        at = 0
        for start, end, new in sorted(self.parts, key=lambda part: (part[0], part[1])):
            pieces += [self.text[at:start], new]
            at = max(at, end)
        return "".join(pieces) + self.text[at:]


def render_entry(change: Add, newline: str) -> str:
    """The lines of a new entry for a daily note, the last line end included."""
    time = render_clock(change.at)
    lines = [f"- [{time}] {change.tag}: {escape_title(change.title)} ^{change.id}"]
    lines += [f"  - {key}: {value}".rstrip(" ") for key, value in change.fields]
    if change.body:
        lines += ["", *_indented(change.body)]
    return newline.join(lines) + newline


def _indented(body: str) -> list[str]:
    return [f"  {line}" if line else "" for line in body.split("\n")]


def append_entry(note: Note, change: Add) -> str:
    """The note's text with the entry at its end, or before a fence or comment that nobody closed.

    Such a fence may be indented like a body; an empty comment then keeps it out of the new entry.
    """
    text, newline = note.text, note.newline
    at = len(text) if note.scan.open_at is None else note.scan.open_at
    before, after = text[:at], text[at:]
    gap = ""
    if before.removeprefix("\ufeff"):
        if not before.endswith("\n"):
            gap = line_break(before, newline)
        if not _ends_blank(before):
            gap += newline
    if after:
        after = newline + (f"<!-- -->{newline}" if is_indented(after) else "") + after
    return before + gap + render_entry(change, newline) + after


def _ends_blank(text: str) -> bool:
    """Whether the last line of `text` is blank, so that no further blank line is needed."""
    return text.endswith("\n") and not text[text.rfind("\n", 0, len(text) - 1) + 1 :].strip(" \t\r\n")


def correct(note: Note, index: int, title: str, body: str, new_id: str) -> str:
    """New words for entry `index` of the note."""
    entry = note.entries[index]
    if note.kind is NoteKind.TOPIC:
        return _correct_topic(note, entry, title, body, new_id)
    item = note.items[index]
    edits = _Edits(note.text)
    if title != item.title:
        edits.replace(*item.title_span, _title_text(note, item, title))
    _give_id(edits, item, new_id)
    if body != item.body:
        _replace_body(edits, note, item, body)
    return edits.result()


def _title_text(note: Note, item: Item, title: str) -> str:
    if item.form is Form.NATIVE:
        return escape_title(title)
    if item.form is Form.ASSUMPTION:
        line = note.text[item.start : item.title_span[0]] + title
        if HEAD.match(line) or SKILL_HEAD.match(line):
            raise CannotSplice("a line of its form cannot begin with a tag")
    return title


def corrected_words(entry: Entry, text: str) -> tuple[str, str]:
    """(title, body) that a correction to `text` gives: a body that is more than the title's long form stays."""
    title, body = split_title(text)
    separate = entry.body and split_title(entry.body)[0] != entry.title
    return title, body or (entry.body if separate else "")


def _replace_body(edits: _Edits, note: Note, item: Item, body: str) -> None:
    """Write, change or take away the body; a blank line keeps its first line from being read as a field."""
    start, end = item.body_span
    newline = note.newline
    lines = newline.join(_indented(body))
    if not body:
        edits.replace(item.fields_end, end, "")
    elif start == end:
        at = item.fields_end
        closed = _ends_line(note.text, at)
        first = newline if closed else line_break(note.text, newline) + newline
        edits.replace(at, at, first + lines + (newline if closed else ""))
    else:
        lead = newline if start == item.fields_end else ""
        edits.replace(start, end, lead + lines + (newline if _ends_line(note.text, end) else ""))


def _ends_line(text: str, at: int) -> bool:
    return text[at - 1 : at] == "\n"


def _give_id(edits: _Edits, item: Item, new_id: str) -> None:
    if item.id is None:
        edits.replace(item.head_end, item.head_end, f" ^{new_id}")


class FieldEdit(NamedTuple):
    """What to change about one entry: fields (None takes one away), lines to add, a tag; `new_id` if it has none."""

    values: Values
    new_id: str
    added: Sequence[tuple[str, str]] = ()
    tag: Tag | None = None


def set_fields(note: Note, index: int, values: Values, new_id: str) -> str:
    """Fields of entry `index` written, changed (only the value's characters) or taken away (None)."""
    return edit_fields(note, {index: FieldEdit(values, new_id)})


def edit_fields(note: Note, wanted: Mapping[int, FieldEdit]) -> str:
    """The note's text with the fields and tags of several entries changed, in one pass."""
    if note.kind is NoteKind.TOPIC:
        edit = wanted[0]
        tag = [("tag", edit.tag.value)] if edit.tag is not None else []
        return _set_topic_keys(note, [*edit.values, *tag], edit.new_id, edit.added)
    edits = _Edits(note.text)
    open_end = False
    for index, edit in wanted.items():
        open_end |= _edit_item(edits, note, note.items[index], edit)
    text = edits.result()
    if open_end and not note.text.endswith("\n"):
        return text.removesuffix("\n").removesuffix("\r")
    return text


def _edit_item(edits: _Edits, note: Note, item: Item, edit: FieldEdit) -> bool:
    """Collect the edits of one entry; whether a line at the very end of the note goes away."""
    if edit.tag is not None and edit.tag is not item.tag:
        _retag(edits, note, item, edit)
    else:
        _give_id(edits, item, edit.new_id)
    added: list[str] = []
    gone: list[FieldLine] = []
    for key, value in edit.values:
        lines = item.field_lines(key)
        if value is None:
            gone += [line for line in lines if not line.implied]
        elif lines and lines[0].value_span != (item.head_end, item.head_end) and not (lines[0].implied and edit.tag):
            _replace_value(edits, lines[0].value_span, value)
        else:
            added.append(_field_text(note, item, key, value))
    for line in gone:
        edits.replace(line.start, line.end, "")
    bare = any(line.end == item.fields_end for line in gone)
    if added:
        _insert_lines(edits, note, item, added, bare=bare)
    if edit.added:
        more = [_field_text(note, item, key, value) for key, value in edit.added]
        _insert_at(edits, note, item.fields_end, more, bare=bare and not added)
    return any(line.end == len(note.text) for line in gone)


def _retag(edits: _Edits, note: Note, item: Item, edit: FieldEdit) -> None:
    """Another tag in the head; an assumption, which has none, becomes a head of our own form."""
    assert edit.tag is not None
    if item.form is Form.ASSUMPTION:
        marker = note.text[item.start : item.title_span[0]]
        head = f"{marker}{edit.tag}: {escape_title(item.title)} ^{item.id or edit.new_id}"
        edits.replace(item.start, item.head_end, head)
        return
    end = item.head_end if item.form is Form.SKILL else item.title_span[0]
    at = note.text.rindex(item.tag, item.start, end)
    edits.replace(at, at + len(item.tag), edit.tag.value)
    _give_id(edits, item, edit.new_id)


def _replace_value(edits: _Edits, span: tuple[int, int], value: str) -> None:
    lead = " " if span[0] == span[1] else ""
    edits.replace(*span, lead + value)


def _field_text(note: Note, item: Item, key: str, value: str) -> str:
    real = next((line for line in item.fields if not line.implied), None)
    written = _INDENT.match(note.text, real.start) if real is not None else None
    indent = written[0] if written is not None else "  "
    if item.form is Form.SKILL:
        if key not in _SKILL_LABELS:
            raise CannotSplice(f"its form has no label for {key}")
        return f"{indent}{_SKILL_LABELS[key]}: {value}"
    return f"{indent}- {key}: {value}"


def _insert_lines(edits: _Edits, note: Note, item: Item, lines: Iterable[str], *, bare: bool) -> None:
    """New field lines in front of the evidence that ends the fields, else behind the last field."""
    at = item.fields_end
    for line in reversed(item.fields):
        if line.key != "evidence" or line.implied:
            break
        at = line.start
    _insert_at(edits, note, at, lines, bare=bare)


def _insert_at(edits: _Edits, note: Note, at: int, lines: Iterable[str], *, bare: bool) -> None:
    """Whole lines at `at`; `bare` says that the line above goes away, so that a last one needs no line end there."""
    newline = note.newline
    if _ends_line(note.text, at):
        edits.replace(at, at, "".join(line + newline for line in lines))
    else:
        edits.replace(at, at, ("" if bare else line_break(note.text, newline)) + newline.join(lines))


def _front(note: Note) -> FrontMatter:
    front = note.front_matter
    if front is None:
        raise CannotSplice("it has no front matter")
    if front.lenient:
        raise CannotSplice("its front matter is no valid YAML")
    return front


def _correct_topic(note: Note, entry: Entry, title: str, body: str, new_id: str) -> str:
    values: list[tuple[str, str | None]] = []
    if title != entry.title:
        front = _front(note)
        values.append(("title" if front.key("title") or not front.key("name") else "name", title))
    text = _set_topic_keys(note, values, new_id)
    if body == entry.body:
        return text
    start = len(text) - (len(note.text) - _front(note).end)
    return text[:start] + _with_body(text[start:], body, note.newline)


def _with_body(text: str, body: str, newline: str) -> str:
    """`text`, all that stands behind the front matter, with other words between its outer blank lines."""
    start, end = inner_span(text)
    words = body.replace("\n", newline)
    if start < end:
        return text[:start] + words + text[end:]
    lead = text if _ends_line(text, len(text)) else text + line_break(text, newline)
    return lead + words + newline if body else text


def _set_topic_keys(note: Note, values: Values, new_id: str, more: Sequence[tuple[str, str]] = ()) -> str:
    """Keys of the front matter written, changed or taken away; of `more` only those that are not there yet."""
    front = _front(note)
    edits = _Edits(note.text)
    added: list[str] = []
    wanted = list(values)
    if note.entries[0].provisional:
        wanted.append(("id", new_id))
    for name, value in wanted:
        key = front.key(name)
        if name in front.repeated:
            raise CannotSplice(f"{name} stands twice in its front matter")
        if key is None:
            added += [] if value is None else _topic_lines([(name, value)])
        elif key.value_span is None:
            raise CannotSplice(f"the value of {name} in its front matter is more than one plain line")
        elif value is None:
            edits.replace(key.start, _line_end(note.text, key.end), "")
        else:
            _replace_value(edits, key.value_span, _topic_value(name, value))
    added += _topic_lines((name, value) for name, value in more if front.key(name) is None)
    if added:
        edits.replace(front.closing, front.closing, "".join(line + note.newline for line in added))
    return edits.result()


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def render_topic_note(change: Add, newline: str = "\n") -> str:
    """A new topic note: the fields as front matter, then the body."""
    body = ["", *change.body.split("\n")] if change.body else []
    return newline.join(["---", *_topic_lines(_topic_values(change)), "---", *body, ""])


def _topic_lines(values: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{key}: {_topic_value(key, value)}" for key, value in values]


def _topic_value(key: str, value: str) -> str:
    from remember_me.notes.yamlblock import render_value  # entries in lists are written without

    return render_value(key, value)


def _topic_values(change: Add) -> list[tuple[str, str]]:
    values = [("id", change.id), ("tag", change.tag.value), ("title", change.title), *change.fields]
    if not any(key == "since" for key, _ in values):
        values.append(("since", change.at.date().isoformat()))
    return values


def adopt_topic_note(text: str, change: Add, path: str) -> str:
    """A person's own file as a topic note: missing keys are added to its front matter, the rest keeps its bytes."""
    front = parse_front_matter(text, path)
    newline = newline_of(text)
    if front is None:
        bom = "\ufeff" if text.startswith("\ufeff") else ""
        head = newline.join(["---", *_topic_lines(_topic_values(change)), "---", "", ""])
        return bom + head + text.removeprefix("\ufeff")
    if front.lenient:
        raise CannotSplice("its front matter is no valid YAML")
    missing = [(key, value) for key, value in _topic_values(change) if front.key(key) is None]
    added = "".join(line + newline for line in _topic_lines(missing))
    return text[: front.closing] + added + text[front.closing :]


def ordered_fields(values: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """`values` in the order in which our own fields are written; unknown keys keep their order behind them."""
    rank = {key: number for number, key in enumerate(FIELD_KEYS)}
    last = rank["evidence"]
    return tuple(sorted(values, key=lambda pair: rank.get(pair[0], last - 0.5)))


def entry_lines(note: Note, index: int) -> str:
    """Entry `index` as it stands in the note, with LF line ends and none behind it; a topic note is its whole text.

    So a note that an editor saved with other line ends or with a BOM holds the same entries.
    """
    whole = note.kind is NoteKind.TOPIC
    text = note.text.removeprefix("\ufeff") if whole else note.text[note.items[index].start : note.items[index].end]
    return text.replace("\r\n", "\n").rstrip("\n")
