"""The line grammar of daily and long-term notes: what one line is, and the values that a pass over them gives.

Only LF and CRLF end a line (DESIGN 3.1). Every pattern here reads a line in time linear to its length.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from remember_me.model.entry import ID_PATTERN, Tag, is_id
from remember_me.notes.clock import Stamp


class Form(StrEnum):
    """How an entry is written: our own form, the skill's field form, or an assumption of the skill."""

    NATIVE = "native"
    SKILL = "skill"
    ASSUMPTION = "assumption"


Span = tuple[int, int]

_TAGS = "FACT|PREFERENCE|GOAL|HYPOTHESIS"
_BULLET = r"[-*+](?: {1,4}|\t)"
_TIME = r"\[(?P<time>[^\]]{1,40})\][ \t]+"
HEAD = re.compile(rf"{_BULLET}(?:{_TIME})?(?P<tag>{_TAGS}):[ \t]+(?P<title>[^ \t].*)\Z")
"""The first line of an entry of our own form, without white space at its end."""

SKILL_HEAD = re.compile(rf"{_BULLET}{_TIME}Tag:[ \t]*(?P<tag>{_TAGS})(?:[ \t]+\^(?P<id>{ID_PATTERN}))?\Z")
ASSUMPTION_HEAD = re.compile(rf"{_BULLET}(?=[^ \t])")
ASSUMPTION_TAIL = re.compile(
    r"(?<=[ \t])\(confidence:[ ]*(?P<confidence>high|medium|low),[ ]*status:[ ]*(?P<status>[a-z-]+)\)"
    rf"(?:[ \t]+\^(?P<id>{ID_PATTERN}))?\Z"
)
FIELD = re.compile(r"(?:  |\t)- ([a-z][a-z0-9_-]*):(?=[ \t]|\r?\Z)[ \t]*")
"""A field up to its value."""

SKILL_FIELD = re.compile(r"(?: {2,8}|\t+)([A-Z][A-Za-z]*(?:[/-][A-Za-z]+)?):(?=[ \t]|\r?\Z)[ \t]*")
LIST_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|\r?\Z)")

_ESCAPED_CARET = re.compile(r"(?:^|(?<=[ \t]))\\(\\*\^[^ \t]+)\Z")
_CARET_TOKEN = re.compile(r"(?:^|(?<=[ \t]))(\\*\^[^ \t]+)\Z")
_FENCE = re.compile(r" {0,3}(?:(?P<ticks>`{3,})[^`]*\Z|(?P<tildes>~{3,}))")
_COMMENT = re.compile(r" {0,3}<!--")

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


class FieldLine(NamedTuple):
    """One field as it stands: the span of its whole lines (line end included) and of its value.

    `start` equals `end` where the field is implied by the first line of an assumption.
    """

    key: str
    value: str
    start: int
    end: int
    value_span: Span

    @property
    def implied(self) -> bool:
        return self.start == self.end


class Item(NamedTuple):
    """One entry as it stands in a note's text. All offsets are in characters of that text.

    `start` is where its first line begins, `end` is behind its last non-blank line. `head_end` is the end
    of the first line before its line end. New fields go in at `fields_end`. `body` is dedented and
    normalized; `body_span` covers its lines as written, or is empty at the place where a body would go.
    `time` is what stands in the brackets; `stamp` is None where that is no possible time.
    """

    form: Form
    tag: Tag
    title: str
    id: str | None
    time: str | None
    stamp: Stamp | None
    line: int
    start: int
    end: int
    head_end: int
    title_span: Span
    fields: tuple[FieldLine, ...]
    fields_end: int
    body: str
    body_span: Span

    def field_lines(self, key: str) -> list[FieldLine]:
        """The lines of the field `key`; the first one counts."""
        return [line for line in self.fields if line.key == key]


class Heading(NamedTuple):
    """A heading at the margin; `start` and `end` span its line, line end included."""

    level: int
    title: str
    line: int
    start: int
    end: int


class Scan(NamedTuple):
    """What stands where in a note. `open_at` is where an unclosed fence or comment begins, or None.

    `hidden` are the spans of HTML comments, `untitled` the lines of heads that the grammar had to refuse.
    """

    items: tuple[Item, ...] = ()
    headings: tuple[Heading, ...] = ()
    hidden: tuple[Span, ...] = ()
    open_at: int | None = None
    untitled: tuple[int, ...] = ()


def split_id(title: str) -> tuple[str, str | None]:
    """(title, id) of what stands behind the tag; the id is None where the last word is none."""
    at = title.rfind("^")
    if at > 0 and title[at - 1] in " \t" and is_id(title[at + 1 :]):
        return title[:at].rstrip(" \t"), title[at + 1 :]
    return title, None


def unescape_title(title: str) -> str:
    """The title that was given: the writer escapes a caret token at its end (DESIGN 3.1, Writing)."""
    return _ESCAPED_CARET.sub(r"\1", title) if "\\^" in title else title


def escape_title(title: str) -> str:
    """The inverse of `unescape_title`."""
    return _CARET_TOKEN.sub(r"\\\1", title) if "^" in title else title


def parse_heading(line: str) -> tuple[int, str] | None:
    """(level, title) of a heading of the `#` kind, or None."""
    content = line.lstrip(" ")
    title = content.lstrip("#")
    level = len(content) - len(title)
    if not 1 <= level <= 6 or len(line) - len(content) > 3 or title[:1] not in ("", " ", "\t", "\r"):
        return None
    title = title.strip(" \t\r")
    bare = title.rstrip("#")
    if bare[-1:] in ("", " ", "\t"):
        title = bare.rstrip(" \t")
    return level, title


def opens_fence(line: str) -> str | None:
    """The marks of a code fence that begins on `line`, or None."""
    match = _FENCE.match(line)
    return (match["ticks"] or match["tildes"]) if match is not None else None


def closes_fence(line: str, marks: str) -> bool:
    """Whether `line` ends the fence that `marks` began."""
    content = line.rstrip(" \t\r").lstrip(" ")
    return content.startswith(marks) and not content.strip(marks[0]) and len(line) - len(line.lstrip(" ")) <= 3


def opens_comment(line: str) -> bool:
    """Whether an HTML comment begins on `line`; it ends on the first line that holds `-->`."""
    return _COMMENT.match(line) is not None


def is_assumptions(heading: str) -> bool:
    """Whether a long-term heading holds the skill's assumptions."""
    return heading.lower().startswith("assumptions")


def line_break(before: str, newline: str) -> str:
    """What ends the last line of `before`, which has no LF: a CR there is half of a line end already."""
    return "\n" if before.endswith("\r") else newline


def is_indented(line: str) -> bool:
    """Whether `line` belongs to the item above it."""
    return line[:2] in ("  ", " \t") or line[:1] == "\t"


def dedent(line: str) -> str:
    """A line of a body without the indent that makes it part of the item."""
    if line[:2] in ("  ", " \t"):
        return line[2:]
    return line[1:] if line[:1] == "\t" else line
