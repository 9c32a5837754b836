"""The prose of a note, cut at its headings: what is searched besides the entries (DESIGN 3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remember_me.notes.grammar import Heading, Span


class Passage(NamedTuple):
    """A section of prose: `address` is the note and the heading path, `line` where its text begins (1-based)."""

    address: str
    note: str
    line: int
    text: str


def cut_passages(
    path: str, text: str, start: int, headings: Sequence[Heading], left_out: Sequence[Span]
) -> Iterator[Passage]:
    """The sections of `text` from `start` on that have words of their own, in their order.

    `left_out` are the spans of entries and comments, sorted; none of them goes across a heading. The text
    before the first heading is a section too.
    """
    outer: list[Heading] = []
    counts: dict[str, int] = {}
    spans = iter([*left_out, (len(text) + 1, len(text) + 1)])
    span = next(spans)
    counted, line = 0, 1
    for index in range(-1, len(headings)):
        begin = headings[index].end if index >= 0 else start
        end = headings[index + 1].start if index + 1 < len(headings) else len(text)
        if index >= 0:
            outer = [heading for heading in outer if heading.level < headings[index].level] + [headings[index]]
        name = " > ".join(heading.title for heading in outer)
        counts[name] = counts.get(name, 0) + 1
        gaps: list[Span] = []
        while span[0] < end:
            gaps.append((begin, span[0]))
            begin = span[1]
            span = next(spans)
        gaps.append((begin, end))
        words, at = _words(text, gaps)
        if words:
            line += text.count("\n", counted, at)
            counted = at
            repeat = f"~{counts[name]}" if counts[name] > 1 else ""
            yield Passage(f"{path}#{name}{repeat}" if name else path, path, line, words)


def _words(text: str, gaps: list[Span]) -> tuple[str, int]:
    """(the prose in the gaps, offset of its first line); empty where there is none."""
    pieces: list[str] = []
    first = -1
    for begin, end in gaps:
        piece = text[begin:end]
        if not piece.strip(" \t\r\n"):
            continue
        kept: list[str] = []
        offset = begin
        for line in piece.split("\n"):
            shown = _without_comments(line.removesuffix("\r"))
            if shown.strip(" \t") and not _is_rule(shown):
                first = offset if first < 0 else first
                kept.append(shown)
            elif kept and kept[-1]:
                kept.append("")
            offset += len(line) + 1
        if kept:
            pieces.append("\n".join(kept).rstrip("\n"))
    return "\n\n".join(pieces), first


def _without_comments(line: str) -> str:
    """`line` without the HTML comments inside it."""
    at = line.find("<!--")
    if at < 0:
        return line
    kept: list[str] = []
    begin = 0
    while at >= 0 and (end := line.find("-->", at + 4)) >= 0:
        kept.append(line[begin:at])
        begin = end + 3
        at = line.find("<!--", begin)
    return "".join([*kept, line[begin:]])


def _is_rule(line: str) -> bool:
    marks = line.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and marks[0] in "-*_" and marks == marks[0] * len(marks)
