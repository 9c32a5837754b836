"""The line grammar of daily and long-term notes: which lines are entries, and the spans of their parts.

Line-based and total: no text raises. Only LF and CRLF end a line (DESIGN 3.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from remember_me.model.entry import ID_PATTERN, Tag, is_id
from remember_me.notes.clock import looks_like_stamp


class Form(StrEnum):
    """How an entry is written: our own form, the skill's field form, or an assumption of the skill."""

    NATIVE = "native"
    SKILL = "skill"
    ASSUMPTION = "assumption"


Span = tuple[int, int]

_TAGS = "FACT|PREFERENCE|GOAL|HYPOTHESIS"
_BULLET = r"[-*+] {1,4}"
_HEAD = re.compile(rf"{_BULLET}(?:\[(?P<time>[^\]]{{1,40}})\][ \t]+)?(?P<tag>{_TAGS}):[ \t]+(?P<title>[^ \t].*)\Z")
_SKILL_HEAD = re.compile(
    rf"{_BULLET}\[(?P<time>[^\]]{{1,40}})\][ \t]+Tag:[ \t]*(?P<tag>{_TAGS})(?:[ \t]+\^(?P<id>{ID_PATTERN}))?\Z"
)
_ASSUMPTION = re.compile(
    rf"{_BULLET}(?P<title>[^ \t].*?)[ \t]+\(confidence:[ ]*(?P<confidence>high|medium|low),[ ]*"
    rf"status:[ ]*(?P<status>[a-z-]+)\)(?:[ \t]+\^(?P<id>{ID_PATTERN}))?\Z"
)
_ID_AT_END = re.compile(rf"[ \t]+\^({ID_PATTERN})\Z")
_ESCAPED_CARET = re.compile(r"(?:^|(?<=[ \t]))\\(\\*\^[^ \t]+)\Z")
_CARET_TOKEN = re.compile(r"(?:^|(?<=[ \t]))(\\*\^[^ \t]+)\Z")
_FIELD = re.compile(r"(?:  |\t)- (?P<key>[a-z][a-z0-9_-]*):(?:[ \t]+(?P<value>.*))?\Z")
_SKILL_FIELD = re.compile(r"(?: {2,8}|\t+)(?P<key>[A-Z][A-Za-z]*(?:[/-][A-Za-z]+)?):(?:[ \t]+(?P<value>.*))?\Z")
_LIST_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|\Z)")
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}(?=[^`]*\Z)|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))?(?:[ \t]+#+)?[ \t]*\Z")

SKILL_KEYS = {
    "Signal": "signal",
    "Memory": "title",
    "Confidence": "confidence",
    "Impact-Score": "impact",
    "Outcome/TODO": "outcome",
    "Basis": "basis",
    "Scope": "scope",
    "Session": "session",
    "Pinned": "pinned",
    "Status": "status",
    "Reason": "reason",
    "Since": "since",
    "Reinforced": "reinforced",
    "Validated": "validated",
    "Asked": "asked",
    "Description": "description",
    "Evidence": "evidence",
    "Expires": "expires",
    "Facet": "facet",
    "Links": "links",
    "Supersedes": "supersedes",
    "Aliases": "aliases",
    "Probe": "probe",
}
"""The labels of the skill's form and the fields they stand for; the first five are the skill's own."""


@dataclass(frozen=True, slots=True)
class FieldLine:
    """One field as it stands: the span of its whole lines (line end included) and of its value."""

    key: str
    value: str
    start: int
    end: int
    value_span: Span


@dataclass(frozen=True, slots=True)
class Item:
    """One entry as it stands in a note's text. All offsets are in characters of that text.

    `start` is where its first line begins, `end` is behind its last non-blank line. `head_end` is the end
    of the first line before its line end. New fields go in at `fields_end`. `body` is dedented and
    normalized; `body_span` covers its lines as written, or is empty at the place where a body would go.
    """

    form: Form
    tag: Tag
    title: str
    id: str | None
    time: str | None
    line: int
    start: int
    end: int
    head_end: int
    title_span: Span
    fields: tuple[FieldLine, ...]
    fields_end: int
    body: str
    body_span: Span

    def field_line(self, key: str) -> FieldLine | None:
        """The first field `key`, or None."""
        for line in self.fields:
            if line.key == key:
                return line
        return None


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    title: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scan:
    """What stands where in a note. `open_at` is where an unclosed fence or comment begins, or None.

    `hidden` are the spans of HTML comments, `untitled` the lines of heads that the grammar had to refuse.
    """

    items: tuple[Item, ...]
    headings: tuple[Heading, ...]
    hidden: tuple[Span, ...]
    open_at: int | None
    untitled: tuple[int, ...]


def unescape_title(title: str) -> str:
    """The title that was given: the writer escapes a caret token at its end (DESIGN 3.1, Writing)."""
    return _ESCAPED_CARET.sub(r"\1", title) if title.find("\\^") >= 0 else title


def escape_title(title: str) -> str:
    """The inverse of `unescape_title`."""
    return _CARET_TOKEN.sub(r"\\\1", title) if "^" in title else title


def is_assumptions(heading: str) -> bool:
    """Whether a long-term heading holds the skill's assumptions."""
    return heading.lower().startswith("assumptions")


class _Scanner:
    """One pass over the lines of a note."""

    def __init__(self, text: str, start: int, *, assumptions: bool) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.offsets: list[int] = []
        offset = 0
        for line in self.lines:
            self.offsets.append(offset)
            offset += len(line) + 1
        if self.lines[-1] == "":
            self.lines.pop()
        if text.startswith("\ufeff"):
            self.lines[0], self.offsets[0] = self.lines[0][1:], 1
        self.first = text.count("\n", 0, start)
        self.read_assumptions = assumptions
        self.items: list[Item] = []
        self.headings: list[Heading] = []
        self.hidden: list[Span] = []
        self.untitled: list[int] = []
        self.open_at: int | None = None

    def end_of(self, number: int) -> int:
        """The offset behind line `number` (0-based), its line end included."""
        return min(self.offsets[number] + len(self.lines[number]) + 1, len(self.text))

    def content(self, number: int) -> str:
        """Line `number` without its line end and without white space at its end."""
        return self.lines[number].rstrip(" \t\r")

    def run(self) -> Scan:
        number, count = self.first, len(self.lines)
        in_assumptions = False
        while number < count:
            line = self.lines[number]
            first = line[:1]
            if first in "-*+" and first:
                number = self._list_item(number, in_assumptions)
            elif first == "#" or first == " ":
                heading = _HEADING.match(line.rstrip("\r")) if "#" in line[:4] else None
                if heading is not None:
                    self._heading(number, heading)
                    in_assumptions = self.read_assumptions and is_assumptions(self.headings[-1].title)
                    number += 1
                else:
                    number = self._block(number)
            elif first in "`~<" and first:
                number = self._block(number)
            elif first.isdigit() and _LIST_ITEM.match(line):
                number = self._continuation(number)[0]
            else:
                number += 1
        return Scan(tuple(self.items), tuple(self.headings), tuple(self.hidden), self.open_at, tuple(self.untitled))

    def _heading(self, number: int, match: re.Match[str]) -> None:
        title = (match["title"] or "").strip(" \t")
        start = self.offsets[number]
        self.headings.append(Heading(len(match["marks"]), title, number + 1, start, self.end_of(number)))

    def _block(self, number: int) -> int:
        """Skip a top-level fence or HTML comment that begins on line `number`; else just that line."""
        line = self.lines[number].rstrip("\r")
        fence = _FENCE.match(line)
        if fence is not None:
            marks = fence["marks"]
            closing = re.compile(rf" {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}[ \t]*\Z")
            return self._skip(number, lambda text: closing.match(text) is not None)
        if _COMMENT.match(line):
            start = self.offsets[number]
            end = (
                number + 1
                if "-->" in line[line.index("<!--") + 4 :]
                else self._skip(number, lambda text: "-->" in text)
            )
            self.hidden.append((start, self.end_of(end - 1)))
            return end
        return number + 1

    def _skip(self, number: int, closes: Callable[[str], bool]) -> int:
        for at in range(number + 1, len(self.lines)):
            if closes(self.lines[at].rstrip("\r")):
                return at + 1
        self.open_at = self.offsets[number]
        return len(self.lines)

    def _continuation(self, number: int) -> tuple[int, int]:
        """(line behind the list item that begins on `number`, its last non-blank line)."""
        lines, count = self.lines, len(self.lines)
        last = number
        at = number + 1
        while at < count:
            line = lines[at]
            if line[:2] == "  " or line[:1] == "\t" or line[:2] == " \t":
                if line.strip(" \t\r"):
                    last = at
            elif line.strip(" \t\r"):
                break
            at += 1
        return last + 1, last

    def _list_item(self, number: int, in_assumptions: bool) -> int:
        line = self.content(number)
        if not _LIST_ITEM.match(line):
            return number + 1
        behind, last = self._continuation(number)
        head = _HEAD.match(line)
        item: Item | None = None
        if head is not None and (head["time"] is None or looks_like_stamp(head["time"])):
            item = self._native(number, last, head)
        elif "Tag:" in line:
            skill = _SKILL_HEAD.match(line)
            if skill is not None and looks_like_stamp(skill["time"]):
                item = self._skill(number, last, skill)
                if item is None:
                    self.untitled.append(number + 1)
        elif in_assumptions:
            assumption = _ASSUMPTION.match(line)
            if assumption is not None:
                item = self._assumption(number, last, assumption)
        if item is not None:
            self.items.append(item)
        return behind

    def _native(self, number: int, last: int, head: re.Match[str]) -> Item:
        title, start = head["title"], self.offsets[number]
        title_start = start + head.start("title")
        found = _ID_AT_END.search(title)
        identity = found[1] if found is not None and is_id(found[1]) else None
        if identity is not None and found is not None:
            title = title[: found.start()]
        span = (title_start, title_start + len(title))
        return self._item(Form.NATIVE, number, last, head["tag"], unescape_title(title), identity, head["time"], span)

    def _assumption(self, number: int, last: int, head: re.Match[str]) -> Item:
        start = self.offsets[number]
        span = (start + head.start("title"), start + head.end("title"))
        item = self._item(Form.ASSUMPTION, number, last, "HYPOTHESIS", head["title"], head["id"], None, span)
        at = start + head.start("confidence")
        implied = [
            FieldLine(
                "confidence",
                head["confidence"],
                item.head_end,
                item.head_end,
                (at, at + len(head["confidence"])),
            )
        ]
        if head["status"] == "validated":
            implied.append(FieldLine("validated", "true", item.head_end, item.head_end, (item.head_end, item.head_end)))
        own = {line.key for line in item.fields}
        fields = tuple(line for line in implied if line.key not in own) + item.fields
        return Item(
            item.form, item.tag, item.title, item.id, item.time, item.line, item.start, item.end, item.head_end,
            item.title_span, fields, item.fields_end, item.body, item.body_span,
        )  # fmt: skip

    def _item(
        self,
        form: Form,
        number: int,
        last: int,
        tag: str,
        title: str,
        identity: str | None,
        time: str | None,
        span: Span,
    ) -> Item:
        fields: list[FieldLine] = []
        at = number + 1
        while at <= last:
            match = _FIELD.match(self.content(at))
            if match is None:
                break
            fields.append(self._field_line(at, match["key"], match))
            at += 1
        body, body_span = self._body(at, last)
        head_end = self.offsets[number] + len(self.content(number))
        return Item(
            form, Tag(tag), title, identity, time, number + 1, self.offsets[number], self.end_of(last), head_end,
            span, tuple(fields), self.end_of(at - 1), body, body_span,
        )  # fmt: skip

    def _field_line(self, at: int, key: str, match: re.Match[str]) -> FieldLine:
        start = self.offsets[at]
        value = match["value"] or ""
        value_start = start + match.start("value") if match["value"] else start + match.end()
        return FieldLine(key, value, start, self.end_of(at), (value_start, value_start + len(value)))

    def _body(self, first: int, last: int) -> tuple[str, Span]:
        while first <= last and not self.lines[first].strip(" \t\r"):
            first += 1
        if first > last:
            at = self.end_of(first - 1)
            return "", (at, at)
        lines = [_dedent(self.lines[at].removesuffix("\r")) for at in range(first, last + 1)]
        return "\n".join(lines), (self.offsets[first], self.end_of(last))

    def _skill(self, number: int, last: int, head: re.Match[str]) -> Item | None:
        fields: list[FieldLine] = []
        title: list[str] = []
        span: Span = (0, 0)
        open_title = False
        at = number + 1
        while at <= last and self.lines[at].strip(" \t\r"):
            line = self.content(at)
            match = _SKILL_FIELD.match(line)
            if match is not None and match["key"] in SKILL_KEYS:
                key = SKILL_KEYS[match["key"]]
                open_title = key == "title" and not title
                if open_title:
                    found = self._field_line(at, key, match)
                    title, span = [found.value], found.value_span
                else:
                    fields.append(self._field_line(at, key, match))
            elif open_title:
                title.append(line.strip(" \t"))
                span = (span[0], self.offsets[at] + len(line))
            else:
                break
            at += 1
        if not any(title):
            return None
        body, body_span = self._body(at, last)
        return Item(
            Form.SKILL, Tag(head["tag"]), " ".join(filter(None, title)), head["id"], head["time"], number + 1,
            self.offsets[number], self.end_of(last), self.offsets[number] + len(self.content(number)), span,
            tuple(fields), self.end_of(at - 1), body, body_span,
        )  # fmt: skip


def _dedent(line: str) -> str:
    if line[:2] == "  ":
        return line[2:]
    return line[1:] if line[:1] == "\t" else line


def scan(text: str, start: int, *, assumptions: bool) -> Scan:
    """Find the entries, headings and comments of `text` from offset `start` on (a line start).

    `assumptions` says whether list items under an Assumptions heading are read as the skill's hypotheses.
    """
    return _Scanner(text, start, assumptions=assumptions).run()
