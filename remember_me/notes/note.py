"""A note: its text, the entries in it and the prose between them. Reading is total (DESIGN 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, tzinfo
from typing import NamedTuple

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
from remember_me.model.text import inner_span
from remember_me.notes import clock, layout
from remember_me.notes.frontmatter import FrontMatter, read_front_matter
from remember_me.notes.grammar import Item, Scan
from remember_me.notes.layout import NoteKind
from remember_me.notes.passages import Passage, cut_passages
from remember_me.notes.problem import Problem
from remember_me.notes.scanner import scan

TOPIC_TAGS = {
    "user": Tag.FACT,
    "feedback": Tag.PREFERENCE,
    "project": Tag.GOAL,
    "reference": Tag.FACT,
}
"""Claude Code's auto-memory types and the tags they stand for (DESIGN 3.2)."""

_NO_UTF8 = re.compile("[\udc80-\udcff]")
_CHECKED = frozenset(CHOICES).union(DATE_FIELDS)


class Note(NamedTuple):
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
        if self.kind is NoteKind.TOPIC:
            return iter(())
        left_out = sorted([(item.start, item.end) for item in self.items] + list(self.scan.hidden))
        return cut_passages(self.path, self.text, self.body_start, self.scan.headings, left_out)


def decode(data: bytes) -> str:
    """The text of `data`; bytes that are no UTF-8 become lone surrogates, so that `encode` gives them back."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The inverse of `decode`."""
    return text.encode("utf-8", "surrogateescape")


def content_hash(data: bytes) -> str:
    """The identity of a note's bytes (never its time stamp)."""
    import hashlib  # most reads need no hash, and it loads all of OpenSSL

    return hashlib.sha256(data).hexdigest()


def parse_note(path: str, data: bytes, *, notes_dir: str = "memory", timezone: str | None = None) -> Note:
    """Read one file of the store. `path` is relative to it; `timezone` is the store's default zone."""
    text = decode(data)
    name = path.rpartition("/")[2]
    front, found = read_front_matter(text, path)
    problems = [*found, *_byte_problems(path, text)]
    newline = newline_of(text)
    on = layout.date_of(name)
    kind = _kind(path, name, on, front, notes_dir)
    if kind is NoteKind.TOPIC and front is not None:
        entry = _topic_entry(path, text, front, problems)
        return Note(path, kind, text, on, newline, front, Scan(), (entry,), tuple(problems))
    start = front.end if front is not None else (1 if text.startswith("\ufeff") else 0)
    seen = scan(text, start, assumptions=kind is NoteKind.LONG_TERM)
    if kind is NoteKind.PROSE:
        if on is None and layout.looks_dated(name):
            problems.append(Problem(path, None, None, f"{name[:10]} is no date, so the file is read as prose"))
        seen = seen._replace(items=(), untitled=())
        return Note(path, kind, text, on, newline, front, seen, (), tuple(problems))
    context = _context(path, text, kind, on, front, timezone, problems)
    entries = tuple(_entries(seen, context, problems))
    problems += [Problem(path, line, None, "an entry without words, read as prose") for line in seen.untitled]
    if seen.open_at is not None:
        reason = "a code fence or comment that is never closed; no entry is read below it"
        problems.append(Problem(path, text.count("\n", 0, seen.open_at) + 1, None, reason))
    return Note(path, kind, text, on, newline, front, seen, entries, tuple(problems))


def unreadable(path: str, reason: str) -> Note:
    """A note that the system did not let us read: no entries, one problem."""
    problem = Problem(path, None, None, reason.rstrip("."))
    return Note(path, NoteKind.PROSE, "", None, "\n", None, Scan(), (), (problem,))


def newline_of(text: str) -> str:
    """How the lines of a note end: as the first one does."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _byte_problems(path: str, text: str) -> Iterator[Problem]:
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        yield Problem(path, line, None, "holds NUL bytes; is it UTF-16 or a binary file?")
    elif not text.isascii() and (found := _NO_UTF8.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        yield Problem(path, line, None, "holds bytes that are no UTF-8; they are kept as they are")


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


class _Context:
    """What a note says for all its entries."""

    def __init__(self, path: str, text: str, tier: Tier, on: date | None, zone: tzinfo | None) -> None:
        self.path, self.text, self.tier, self.on, self.zone = path, text, tier, on, zone
        self.repeats: dict[str, int] = {}


def _context(
    path: str,
    text: str,
    kind: NoteKind,
    on: date | None,
    front: FrontMatter | None,
    timezone: str | None,
    problems: list[Problem],
) -> _Context:
    zone_key = front.key("timezone") if front is not None else None
    name = zone_key.value if zone_key is not None and isinstance(zone_key.value, str) else ""
    zone = clock.zone(name) if name else None
    if name and zone is None and zone_key is not None:
        problems.append(Problem(path, zone_key.line, None, f"the time zone {name} is not known here"))
    date_key = front.key("date") if front is not None else None
    written = date_key.value if date_key is not None and isinstance(date_key.value, str) else ""
    if written and on is not None and date_key is not None and parse_date(written) != on:
        problems.append(Problem(path, date_key.line, None, f"the front matter says {written}, the file name wins"))
    tier = Tier.DAILY if kind is NoteKind.DAILY else Tier.LONG_TERM
    return _Context(path, text, tier, on, zone or (clock.zone(timezone) if timezone else None))


def _entries(found: Scan, context: _Context, problems: list[Problem]) -> Iterator[Entry]:
    path, tier = context.path, context.tier
    for item in found.items:
        fields = tuple([(line.key, line.value) for line in item.fields])
        on, at = _created(item, context, problems)
        if fields:
            _check_fields(item, context, problems)
        entry_id = item.id or _provisional_id(context, item)
        yield Entry(entry_id, item.tag, item.title, item.body, fields, path, item.line, tier, on, at)


def _provisional_id(context: _Context, item: Item) -> str:
    text = f"{item.tag}\0{item.title}\0{item.body}"
    ordinal = context.repeats.get(text, 0)
    context.repeats[text] = ordinal + 1
    return provisional_id(context.path, text, ordinal)


def provisional_id(path: str, text: str, ordinal: int) -> str:
    """The id under which an entry without one is served: from the note, the text and the ordinal of repeats."""
    digest = content_hash(encode(f"{path}\0{text}\0{ordinal}"))
    return f"{PROVISIONAL_PREFIX}{digest[:10]}"


def _created(item: Item, context: _Context, problems: list[Problem]) -> tuple[date | None, datetime | None]:
    stamp = item.stamp
    if item.time and stamp is None:
        problems.append(Problem(context.path, item.line, None, f"[{item.time}] is no possible time, shown as written"))
    since = None
    for line in item.fields:
        if line.key == "since":
            since = parse_date(line.value)
            break
    day = (stamp.on if stamp is not None else None) or context.on
    on = since or day
    if stamp is None or stamp.clock is None or on is None:
        return on, None
    zone = stamp.offset if stamp.offset is not None else context.zone
    return on, datetime.combine(day or on, stamp.clock, zone)


def _check_fields(item: Item, context: _Context, problems: list[Problem]) -> None:
    seen: set[str] = set()
    for line in item.fields:
        key, reason = line.key, None
        if key in _CHECKED and not line.implied:
            reason = field_problem(key, line.value)
        if key in seen and key != "evidence":
            reason = f"{key} stands twice; the first one counts"
        seen.add(key)
        if reason is not None:
            number = item.line + context.text.count("\n", item.start, line.start)
            problems.append(Problem(context.path, number, None, reason))


def field_problem(key: str, value: str) -> str | None:
    """Why `value` cannot be the value of our field `key`, or None."""
    if key in CHOICES and value not in CHOICES[key]:
        return f"{key} is {value or 'empty'}, not one of {', '.join(CHOICES[key])}"
    day = value.partition(",")[0] if key == "reinforced" else value
    if (key in DATE_FIELDS or key == "reinforced") and parse_date(day.strip()) is None:
        return f"{key} is {value or 'empty'}, which is no date"
    return None


def _topic_entry(path: str, text: str, front: FrontMatter, problems: list[Problem]) -> Entry:
    tag = topic_tag(front) or Tag.FACT
    stem = path.rpartition("/")[2].removesuffix(".md")
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
    """The body of a topic note, all that is behind the front matter: LF line ends, no outer blank lines."""
    start, end = inner_span(text)
    return text[start:end].replace("\r\n", "\n")


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
        reason = field_problem(key.name, ", ".join(scalars))
        if reason:
            problems.append(Problem(path, key.line, None, reason))
        if key.name == "evidence":
            yield from (("evidence", value) for value in scalars)
        else:
            yield key.name, ", ".join(scalars)
