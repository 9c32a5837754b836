"""One pass over the lines of a note: which of them are entries, headings and comments. No text raises."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate

from remember_me.model.entry import Tag, is_id
from remember_me.notes.clock import looks_like_stamp, parse_stamp
from remember_me.notes.grammar import (
    ASSUMPTION_HEAD,
    ASSUMPTION_TAIL,
    FIELD,
    HEAD,
    LIST_ITEM,
    SKILL_FIELD,
    SKILL_HEAD,
    SKILL_KEYS,
    FieldLine,
    Form,
    Heading,
    Item,
    Scan,
    Span,
    closes_fence,
    dedent,
    is_assumptions,
    is_indented,
    opens_comment,
    opens_fence,
    parse_heading,
    split_id,
    unescape_title,
)

_TAG_OF = {tag.value: tag for tag in Tag}
_BLANKS = " \t\r"


def scan(text: str, start: int, *, assumptions: bool) -> Scan:
    """Find the entries, headings and comments of `text` from offset `start` on (a line start).

    `assumptions` says whether list items under an Assumptions heading are read as the skill's hypotheses.
    """
    return _Scanner(text, start, assumptions=assumptions).run()


class _Scanner:
    """`lines` are without LF; `offsets` say where each begins, and last where the text ends."""

    def __init__(self, text: str, start: int, *, assumptions: bool) -> None:
        self.lines = lines = text.split("\n")
        self.offsets = offsets = list(accumulate([len(line) + 1 for line in lines], initial=0))
        if lines[-1] == "":
            lines.pop()
            offsets.pop()
        offsets[-1] = len(text)
        if text.startswith("\ufeff"):
            lines[0], offsets[0] = lines[0][1:], 1
        self.first = text.count("\n", 0, start)
        self.count = len(lines)
        self.read_assumptions = assumptions
        self.items: list[Item] = []
        self.headings: list[Heading] = []
        self.hidden: list[Span] = []
        self.untitled: list[int] = []
        self.open_at: int | None = None

    def run(self) -> Scan:
        number, lines = self.first, self.lines
        in_assumptions = False
        while number < self.count:
            line = lines[number]
            first = line[:1]
            if not first:
                number += 1
            elif first in "-*+":
                number = self._list_item(number, in_assumptions)
            elif first in "# " and "#" in line[:4] and (heading := parse_heading(line)) is not None:
                level, title = heading
                start, end = self.offsets[number], self.offsets[number + 1]
                self.headings.append(Heading(level, title, number + 1, start, end))
                in_assumptions = self.read_assumptions and is_assumptions(title)
                number += 1
            elif first in " `~<":
                number = self._block(number)
            elif first.isdigit() and LIST_ITEM.match(line):
                number = self._behind(number + 1, number) + 1
            else:
                number += 1
        return Scan(tuple(self.items), tuple(self.headings), tuple(self.hidden), self.open_at, tuple(self.untitled))

    def _block(self, number: int) -> int:
        """Skip a top-level fence or HTML comment that begins on line `number`; else just that line."""
        line = self.lines[number]
        marks = opens_fence(line.rstrip("\r"))
        if marks is not None:
            return self._skip(number, number + 1, lambda text: closes_fence(text, marks))
        if opens_comment(line):
            behind = self._skip(number, number, lambda text: "-->" in text)
            self.hidden.append((self.offsets[number], self.offsets[behind]))
            return behind
        return number + 1

    def _skip(self, number: int, at: int, closes: Callable[[str], bool]) -> int:
        while at < self.count:
            if closes(self.lines[at]):
                return at + 1
            at += 1
        self.open_at = self.offsets[number]
        return self.count

    def _behind(self, at: int, last: int) -> int:
        """The last non-blank line, `last` or later, of the item that goes on at line `at`."""
        lines, count = self.lines, self.count
        while at < count:
            line = lines[at]
            if line[:2] == "  " or is_indented(line):
                if line.strip(_BLANKS):
                    last = at
            elif line.strip(_BLANKS):
                break
            at += 1
        return last

    def _list_item(self, number: int, in_assumptions: bool) -> int:
        """Read the list item that begins on line `number`; the line behind it."""
        line = self.lines[number].rstrip(_BLANKS)
        if not LIST_ITEM.match(line):
            return number + 1
        last = self._behind(number + 1, number)
        item: Item | None = None
        head = HEAD.match(line)
        if head is not None and ((time := head["time"]) is None or looks_like_stamp(time)):
            title, identity = split_id(head["title"])
            start = self.offsets[number] + head.start("title")
            span = (start, start + len(title))
            item = self._item(Form.NATIVE, number, last, head["tag"], unescape_title(title), identity, time, span)
        elif (skill := SKILL_HEAD.match(line)) is not None and looks_like_stamp(skill["time"]):
            if skill["id"] is None or is_id(skill["id"]):
                item = self._skill(number, last, skill)
        elif in_assumptions and (tail := ASSUMPTION_TAIL.search(line)) is not None:
            item = self._assumption(number, last, line, tail)
        if item is not None:
            self.items.append(item)
        return last + 1

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
        lines, offsets = self.lines, self.offsets
        fields: list[FieldLine] = []
        at = number + 1
        while at <= last and (match := FIELD.match(lines[at])) is not None:
            fields.append(self._field_line(at, match[1], match))
            at += 1
        body, body_span = self._body(at, last)
        head_end = offsets[number] + len(lines[number].rstrip(_BLANKS))
        return Item(
            form, _TAG_OF[tag], title, identity, time, parse_stamp(time) if time else None, number + 1,
            offsets[number], offsets[last + 1], head_end, span, tuple(fields), offsets[at], body, body_span,
        )  # fmt: skip

    def _field_line(self, at: int, key: str, match: re.Match[str]) -> FieldLine:
        start = self.offsets[at]
        value = self.lines[at][match.end() :].rstrip(_BLANKS)
        value_start = start + (match.end() if value else match.end(1) + 1)
        return FieldLine(key, value, start, self.offsets[at + 1], (value_start, value_start + len(value)))

    def _body(self, first: int, last: int) -> tuple[str, Span]:
        lines, offsets = self.lines, self.offsets
        if first > last:
            return "", (offsets[first], offsets[first])
        while not lines[first].strip(_BLANKS):
            first += 1
        body = [dedent(line[:-1] if line[-1:] == "\r" else line) for line in lines[first : last + 1]]
        return "\n".join(body), (offsets[first], offsets[last + 1])

    def _assumption(self, number: int, last: int, line: str, tail: re.Match[str]) -> Item | None:
        head = ASSUMPTION_HEAD.match(line)
        if head is None or head.end() >= tail.start() or (tail["id"] is not None and not is_id(tail["id"])):
            return None
        start = self.offsets[number]
        title = line[head.end() : tail.start()].rstrip(" \t")
        span = (start + head.end(), start + head.end() + len(title))
        item = self._item(Form.ASSUMPTION, number, last, "HYPOTHESIS", title, tail["id"], None, span)
        end, at = item.head_end, start + tail.start("confidence")
        implied = [FieldLine("confidence", tail["confidence"], end, end, (at, at + len(tail["confidence"])))]
        if tail["status"] == "validated":
            implied.append(FieldLine("validated", "true", end, end, (end, end)))
        own = {field.key for field in item.fields}
        return item._replace(fields=(*(field for field in implied if field.key not in own), *item.fields))

    def _skill(self, number: int, last: int, head: re.Match[str]) -> Item | None:
        """The skill's form: labels instead of keys; the title is the value of `Memory:` with its wrapped lines."""
        lines, offsets = self.lines, self.offsets
        fields: list[FieldLine] = []
        title: list[str] = []
        span: Span = (0, 0)
        open_title = False
        at = number + 1
        while at <= last and lines[at].strip(_BLANKS):
            match = SKILL_FIELD.match(lines[at])
            if match is not None and match[1] in SKILL_KEYS:
                found = self._field_line(at, SKILL_KEYS[match[1]], match)
                open_title = found.key == "title" and not title
                if open_title:
                    title, span = [found.value], found.value_span
                else:
                    fields.append(found)
            elif open_title:
                line = lines[at].rstrip(_BLANKS)
                title.append(line.strip(" \t"))
                span = (span[0], offsets[at] + len(line))
            else:
                break
            at += 1
        if not any(title):
            self.untitled.append(number + 1)
            return None
        body, body_span = self._body(at, last)
        return Item(
            Form.SKILL, _TAG_OF[head["tag"]], " ".join(filter(None, title)), head["id"], head["time"],
            parse_stamp(head["time"]), number + 1, offsets[number], offsets[last + 1],
            offsets[number] + len(lines[number].rstrip(_BLANKS)), span, tuple(fields), offsets[at], body, body_span,
        )  # fmt: skip
