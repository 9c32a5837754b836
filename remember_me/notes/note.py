"""A note: its text, the entries in it and the prose between them. Reading is total (DESIGN 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time

from remember_me.model.entry import (
    CHOICES,
    DATE_FIELDS,
    FIELD_KEYS,
    PROVISIONAL_PREFIX,
    Entry,
    Tag,
    Tier,
    is_id,
    parse_date,
)
from remember_me.notes import clock, layout
from remember_me.notes.frontmatter import FrontMatter, parse_front_matter
from remember_me.notes.grammar import Form, Heading, Item, Scan, scan
from remember_me.notes.layout import NoteKind
from remember_me.notes.problem import Problem

TOPIC_TAGS = {
    "user": Tag.FACT,
    "feedback": Tag.PREFERENCE,
    "project": Tag.GOAL,
    "reference": Tag.FACT,
}
"""Claude Code's auto-memory types and the tags they stand for (DESIGN 3.2)."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of prose: `address` is the note and the heading path, `line` where its text begins (1-based)."""

    address: str
    note: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """One file of the store. `text` is its bytes decoded so that every byte survives (surrogateescape).

    `items` and `entries` run in parallel; a topic note has one entry and no item.
    """

    path: str
    kind: NoteKind
    text: str
    on: date | None
    newline: str
    front_matter: FrontMatter | None
    scan: Scan
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        return self.scan.items

    @property
    def body_start(self) -> int:
        """Where the note begins behind a BOM and the front matter."""
        if self.front_matter is not None:
            return self.front_matter.end
        return 1 if self.text.startswith("\ufeff") else 0

    def data(self) -> bytes:
        """The bytes of the note."""
        return encode(self.text)

    def passages(self) -> Iterator[Passage]:
        """The prose of the note by section, in its order; comments, rules and entries are left out."""
        return _passages(self)


def decode(data: bytes) -> str:
    """The text of `data`; bytes that are no UTF-8 become lone surrogates, so that `encode` gives them back."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The inverse of `decode`."""
    return text.encode("utf-8", "surrogateescape")


def content_hash(data: bytes) -> str:
    """The identity of a note's bytes (never its time stamp)."""
    return hashlib.sha256(data).hexdigest()


def parse_note(path: str, data: bytes, *, notes_dir: str = "memory", timezone: str | None = None) -> Note:
    """Read one file of the store. `path` is relative to it; `timezone` is the store's default zone."""
    text = decode(data)
    name = path.rsplit("/", 1)[-1]
    front = parse_front_matter(text, path)
    problems = list(front.problems) if front is not None else []
    problems += _byte_problems(path, data, text)
    newline = "\r\n" if "\r\n" in text[:4096] and text.find("\r\n") == text.find("\n") - 1 else "\n"
    on = layout.date_of(name)
    kind = _kind(path, name, on, front, notes_dir)
    start = front.end if front is not None else (1 if text.startswith("\ufeff") else 0)
    if kind is NoteKind.TOPIC and front is not None:
        entry = _topic_entry(path, text, front, timezone, problems)
        return Note(path, kind, text, on, newline, front, _NO_SCAN, (entry,), tuple(problems))
    if kind is NoteKind.PROSE:
        if on is None and layout.looks_dated(name):
            problems.append(Problem(path, None, None, f"{name[:10]} is no date, so the file is read as prose"))
        found = scan(text, start, assumptions=False)
        return Note(path, kind, text, on, newline, front, _without_items(found), (), tuple(problems))
    found = scan(text, start, assumptions=kind is NoteKind.LONG_TERM)
    context = _context(path, kind, on, front, timezone, problems)
    entries = tuple(_entries(found, context, problems))
    problems += [Problem(path, line, None, "an entry without words, read as prose") for line in found.untitled]
    return Note(path, kind, text, on, newline, front, found, entries, tuple(problems))


def unreadable(path: str, reason: str) -> Note:
    """A note that the system did not let us read: no entries, one problem."""
    problem = Problem(path, None, None, reason.rstrip("."))
    return Note(path, NoteKind.PROSE, "", None, "\n", None, _NO_SCAN, (), (problem,))


_NO_SCAN = Scan((), (), (), None, ())


def _without_items(found: Scan) -> Scan:
    return Scan((), found.headings, found.hidden, found.open_at, ())


def _byte_problems(path: str, data: bytes, text: str) -> list[Problem]:
    if b"\0" in data:
        return [
            Problem(
                path,
                data.count(b"\n", 0, data.index(b"\0")) + 1,
                None,
                "holds NUL bytes; is it UTF-16 or a binary file?",
            )
        ]
    if not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text):
        at = next(i for i, character in enumerate(text) if "\udc80" <= character <= "\udcff")
        return [
            Problem(
                path,
                text.count("\n", 0, at) + 1,
                None,
                "holds bytes that are no UTF-8; they are kept as they are",
            )
        ]
    return []


def _kind(path: str, name: str, on: date | None, front: FrontMatter | None, notes_dir: str) -> NoteKind:
    folder = path.rpartition("/")[0]
    if path == layout.LONG_TERM_NAME:
        return NoteKind.LONG_TERM
    if folder != ("" if notes_dir == "." else notes_dir) or name == layout.TOMBSTONES_NAME:
        return NoteKind.PROSE
    if on is not None:
        return NoteKind.DAILY
    return (
        NoteKind.TOPIC
        if front is not None and topic_tag(front) is not None and not layout.looks_dated(name)
        else NoteKind.PROSE
    )


def topic_tag(front: FrontMatter) -> Tag | None:
    """The tag of a topic note: `id` and `tag`, or `name` or `title` with a `type` of auto-memory; else None."""
    tag = front.text("tag")
    if tag in tuple(Tag) and front.text("id"):
        return Tag(tag)
    kind = front.text("type")
    nested = front.get("metadata")
    if kind is None and isinstance(nested, dict):
        inner = nested.get("type")
        kind = inner if isinstance(inner, str) else None
    if kind in TOPIC_TAGS and (front.text("name") or front.text("title")):
        return TOPIC_TAGS[kind]
    return None


@dataclass(frozen=True, slots=True)
class _Context:
    """What a note says for all its entries."""

    path: str
    tier: Tier
    on: date | None
    zone: str | None
    seen: dict[tuple[str, str], int] = field(default_factory=dict)


def _context(
    path: str,
    kind: NoteKind,
    on: date | None,
    front: FrontMatter | None,
    timezone: str | None,
    problems: list[Problem],
) -> _Context:
    zone = front.text("timezone") if front is not None else None
    if zone and clock.zone(zone) is None:
        key = front.key("timezone") if front is not None else None
        problems.append(Problem(path, key.line if key else None, None, f"the time zone {zone} is not known here"))
        zone = None
    written = front.text("date") if front is not None else None
    if written and on is not None and parse_date(written) != on:
        key = front.key("date") if front is not None else None
        line = key.line if key else None
        problems.append(Problem(path, line, None, f"the front matter says {written}, the file name wins"))
    tier = Tier.DAILY if kind is NoteKind.DAILY else Tier.LONG_TERM
    return _Context(path, tier, on, zone or timezone)


def _entries(found: Scan, context: _Context, problems: list[Problem]) -> Iterator[Entry]:
    for item in found.items:
        fields = tuple((line.key, line.value) for line in item.fields)
        entry_id = item.id or _provisional_id(context, item)
        on, at = _created(item, fields, context, problems)
        _check_fields(context.path, item, fields, problems)
        yield Entry(entry_id, item.tag, item.title, item.body, fields, context.path, item.line, context.tier, on, at)


def _provisional_id(context: _Context, item: Item) -> str:
    text = f"{item.tag}\0{item.title}\0{item.body}"
    key = (context.path, text)
    ordinal = context.seen.get(key, 0)
    context.seen[key] = ordinal + 1
    return provisional_id(context.path, text, ordinal)


def provisional_id(path: str, text: str, ordinal: int) -> str:
    """The id under which an entry without one is served: from the note, the text and the ordinal of repeats."""
    digest = hashlib.sha256(encode(f"{path}\0{text}\0{ordinal}")).hexdigest()
    return f"{PROVISIONAL_PREFIX}{digest[:10]}"


def _created(
    item: Item, fields: tuple[tuple[str, str], ...], context: _Context, problems: list[Problem]
) -> tuple[date | None, datetime | None]:
    stamp = clock.parse_stamp(item.time) if item.time else None
    if item.time and stamp is None:
        problems.append(Problem(context.path, item.line, None, f"[{item.time}] is no possible time, shown as written"))
    since = next((value for key, value in fields if key == "since"), None)
    on = (parse_date(since) if since else None) or (stamp.on if stamp else None) or context.on
    if stamp is None or stamp.clock is None or on is None:
        return on, None
    day = stamp.on or context.on or on
    return on, _aware(day, stamp.clock, stamp.offset, context.zone)


def _aware(day: date, at: time, offset: object, zone_name: str | None) -> datetime | None:
    zone = offset if offset is not None else (clock.zone(zone_name) if zone_name else None)
    return clock.combine(day, at, zone)  # type: ignore[arg-type]


def _check_fields(path: str, item: Item, fields: tuple[tuple[str, str], ...], problems: list[Problem]) -> None:
    seen: set[str] = set()
    start_line = item.line
    for number, (key, value) in enumerate(fields):
        line = start_line + 1 + number if item.form is not Form.SKILL else start_line
        if key in seen and key != "evidence":
            problems.append(Problem(path, line, None, f"{key} stands twice; the first one counts"))
        seen.add(key)
        reason = field_problem(key, value)
        if reason and not (item.form is Form.ASSUMPTION and key == "validated"):
            problems.append(Problem(path, line, None, reason))


def field_problem(key: str, value: str) -> str | None:
    """Why `value` cannot be the value of our field `key`, or None."""
    if key in CHOICES and value not in CHOICES[key]:
        return f"{key} is {value or 'empty'}, not one of {', '.join(CHOICES[key])}"
    if key in DATE_FIELDS and parse_date(value) is None:
        return f"{key} is {value or 'empty'}, which is no date"
    return None


def _topic_entry(path: str, text: str, front: FrontMatter, timezone: str | None, problems: list[Problem]) -> Entry:
    tag = topic_tag(front) or Tag.FACT
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    title = front.text("title") or front.text("name") or stem
    written = front.text("id") or ""
    fields = tuple(_topic_fields(front, path, problems))
    body = topic_body(text[front.end :])
    identity = written if is_id(written) else provisional_id(path, f"{tag}\0{title}\0{body}", 0)
    if written and not is_id(written):
        key = front.key("id")
        problems.append(Problem(path, key.line if key else None, None, f"{written} is no id; served under {identity}"))
    since = next((value for key, value in fields if key == "since"), "")
    return Entry(identity, tag, title, body, fields, path, 1, Tier.TOPIC, parse_date(since), None)


def topic_body(text: str) -> str:
    """The body of a topic note: LF line ends, no outer blank lines."""
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and not lines[0].strip(" \t"):
        lines.pop(0)
    while lines and not lines[-1].strip(" \t"):
        lines.pop()
    return "\n".join(lines)


def _topic_fields(front: FrontMatter, path: str, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    for key in front.keys:
        if key.name in ("id", "tag", "title", "name", "type", "metadata"):
            continue
        values = key.value if isinstance(key.value, list) else [key.value]
        scalars = [value for value in values if isinstance(value, str)]
        if len(scalars) != len(values):
            if key.name in FIELD_KEYS:
                problems.append(Problem(path, key.line, None, f"{key.name} holds no plain value"))
            continue
        reason = field_problem(key.name, scalars[0]) if isinstance(key.value, str) else None
        if reason:
            problems.append(Problem(path, key.line, None, reason))
        if key.name == "evidence":
            yield from (("evidence", value) for value in scalars)
        else:
            yield key.name, ", ".join(scalars)


def _passages(note: Note) -> Iterator[Passage]:
    """Sections between headings; the text before the first heading is a passage too."""
    if note.kind is NoteKind.TOPIC:
        return
    spans = sorted([(item.start, item.end) for item in note.items] + list(note.scan.hidden))
    path: list[Heading] = []
    counts: dict[str, int] = {}
    starts: list[tuple[int, Heading | None]] = [(note.body_start, None)]
    starts += [(heading.end, heading) for heading in note.scan.headings]
    for index, (start, heading) in enumerate(starts):
        if heading is not None:
            path = [outer for outer in path if outer.level < heading.level] + [heading]
        end = note.scan.headings[index].start if index < len(note.scan.headings) else len(note.text)
        name = " > ".join(part.title for part in path)
        counts[name] = counts.get(name, 0) + 1
        text, at = _prose(note.text, start, end, spans)
        if not text:
            continue
        repeat = f"~{counts[name]}" if counts[name] > 1 else ""
        yield Passage(
            f"{note.path}#{name}{repeat}" if name else note.path,
            note.path,
            note.text.count("\n", 0, at) + 1,
            text,
        )


def _prose(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> tuple[str, int]:
    """(the prose of text[start:end] without the spans, offset of its first line); empty where there is none."""
    pieces: list[str] = []
    first = start
    at = start
    for span_start, span_end in [*spans, (end, end)]:
        if (span_end <= start and span_end < end) or span_start > end:
            continue
        lines = text[at : max(at, span_start)].replace("\r\n", "\n").split("\n")
        offset = at
        kept: list[str] = []
        for line in lines:
            if line.strip(" \t") and not _is_rule(line):
                if not pieces and not kept:
                    first = offset
                kept.append(line)
            elif kept and kept[-1]:
                kept.append("")
            offset += len(line) + 1
        if kept:
            pieces.append("\n".join(kept).rstrip("\n"))
        at = max(at, span_end)
    return "\n\n".join(pieces), first


def _is_rule(line: str) -> bool:
    marks = line.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and marks[0] in "-*_" and marks == marks[0] * len(marks)
