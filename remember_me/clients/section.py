"""The marked section of a file that an agent reads, AGENTS.md say: found, put in, taken out. Pure, text to text.

A marker is a line of its own at the margin. What only shows one, in a code fence or a comment, is none. Where there is
anything else than one ordered pair, nobody knows what is ours, and the file is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from remember_me.errors import EditConflict

BEGIN, END = "<!-- remember-me:begin -->", "<!-- remember-me:end -->"
SECTION_BYTES = 9_500
"""The section with its markers takes no more than that: clients cut what is longer."""

NOTICE = "<!-- Written by remember-me. What is typed in here is lost. -->"

_BOM = "\ufeff"
_MARKER = re.compile(r"<!--[ \t]*remember-me:(begin|end)[ \t]*-->[ \t]*", re.IGNORECASE)
_MENTION = re.compile(r"<!--\s*remember-me:(?:begin|end)", re.IGNORECASE)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])??\1(?!`)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BLOCK = re.compile(r'^<remember-me etag="[^"\n]*">\r?\n.*?^</remember-me>$', re.DOTALL | re.MULTILINE)
_TO_ITS_END = re.compile(r" {0,3}<(?:!|\?|(?:script|pre|style|textarea)(?:[\s>]|\Z))", re.IGNORECASE)
"""HTML that goes on until something closes it, and not only to the next blank line (CommonMark 4.6)."""
_IMPORT = re.compile(r"(?<![\w.+-])@")


class SectionFault(EditConflict):
    """The section of a file cannot be told. `line` is 1-based; the sentence has no file yet.

    `kind` says why: the markers are not one ordered pair (`marker`), something before them is never closed (`open`), or
    there are words of somebody else in it (`text`).
    """

    def __init__(self, line: int, reason: str, kind: str = "marker") -> None:
        self.line = line
        self.kind = kind
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


class Section(NamedTuple):
    """Where the section stands: its first line begins at `start` and its last one ends at `end`, line end included;
    what is ours lies between `inner` and `inner_end`. `newline` is that of the first line."""

    start: int
    inner: int
    inner_end: int
    end: int
    newline: str


class _Line(NamedTuple):
    number: int
    start: int
    end: int
    text: str


def find_section(text: str) -> Section | None:
    """The section of a file; None where there is no marker at all. Raises SectionFault."""
    if not _MENTION.search(text):
        return None
    marks: list[tuple[str, _Line]] = []
    shown: list[int] = []
    lines = list(_split(text))
    hidden = _hidden(lines)
    for line in lines:
        marker = _MARKER.fullmatch(line.text)
        if line.number in hidden:
            shown += [line.number] * bool(_MENTION.search(line.text))
        elif marker is not None:
            marks.append((marker[1].lower(), line))
        elif _MENTION.search(_CODE.sub("", line.text)):
            raise SectionFault(line.number, "a marker of remember-me stands there among other words")
    if not marks:
        if shown:
            raise SectionFault(shown[0], "the markers of remember-me stand in a code fence or a comment only")
        return None
    kinds = [kind for kind, _ in marks]
    if kinds != ["begin", "end"]:
        raise SectionFault(marks[0][1].number, _what_is_wrong(kinds))
    (_, first), (_, last) = marks
    newline = "\r\n" if text[first.start : first.end].endswith("\r\n") else "\n"
    section = Section(first.start, first.end, last.start, last.end, newline)
    inner = text[section.inner : section.inner_end].replace("\r\n", "\n")
    if _COMMENT.sub("", _BLOCK.sub("", inner)).strip():
        raise SectionFault(
            first.number, "there is other text in the section of remember-me, which would be lost", "text"
        )
    return section


def with_section(text: str, content: str) -> tuple[str, str | None]:
    """(the file with `content` in its section, what was put before a section that was not there; else None).

    `content` has LF line ends. Raises SectionFault.
    """
    found = find_section(text)
    if found is not None:
        inner = _lines(content, found.newline)
        return text[: found.inner] + inner + text[found.inner_end :], None
    plain = text.removeprefix(_BOM)
    newline = usual_newline(plain)
    lead = _lead(plain, newline)
    section = _lines(f"{BEGIN}\n{content}{END}\n", newline)
    if plain and not plain.endswith("\n"):
        section = section.removesuffix(newline)  # a file without a last line end stays one
    changed = text + lead + section
    try:
        find_section(changed)
    except SectionFault:
        raise _never_closed(plain) from None
    return changed, lead


def without_section(text: str, lead: str | None) -> str:
    """The file without its section, and without the `lead` that was put before it; None where that is not known: then
    what would have been put there. The file as it is where there is no section. Raises SectionFault.
    """
    found = find_section(text)
    if found is None:
        return text
    before, after = text[: found.start], text[found.end :]
    if lead is None:
        lead = "" if after else _guessed_lead(text[: found.end], found.newline)
    if before.endswith(lead):
        kept = before[: len(before) - len(lead)]
        if not after or not kept.removeprefix(_BOM) or kept.endswith("\n"):
            before = kept
    return before + after


def section_content(block: str) -> str:
    """What stands between the markers for a recall block, or nothing for none.

    Beyond what the block escapes already: no stored text opens a comment, which would hide the last marker, and none
    names a file to import, as clients read `@path`.
    """
    if not block:
        return ""
    first, newline, rest = block.partition("\n")
    safe = _IMPORT.sub(_escaped, rest.replace("<!--", "\\x3c!--"))
    return f"{NOTICE}\n{first}{newline}{safe}\n"  # the blank line ends the HTML that the block is to Markdown


def usual_newline(text: str) -> str:
    """CRLF where most lines end in it."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _escaped(match: re.Match[str]) -> str:
    return f"\\x{ord(match.group()):02x}"


def _lines(text: str, newline: str) -> str:
    return text if newline == "\n" else text.replace("\n", newline)


def _lead(plain: str, newline: str) -> str:
    """What makes a blank line before the section."""
    if not plain:
        return ""
    if not plain.endswith("\n"):
        return newline * 2
    return "" if not plain.rsplit("\n", 2)[-2].strip() else newline


def _guessed_lead(until_end: str, newline: str) -> str:
    return newline if until_end.endswith("\n") else newline * 2


def _what_is_wrong(kinds: list[str]) -> str:
    if kinds == ["end", "begin"]:
        return "the end marker of remember-me stands before its begin marker"
    if kinds == ["begin"]:
        return "the begin marker of remember-me has no end marker"
    if kinds == ["end"]:
        return "the end marker of remember-me has no begin marker"
    counted = " and ".join(f"{kinds.count(kind)} {kind}" for kind in ("begin", "end"))
    return f"there are {counted} markers of remember-me instead of one pair"


def _hidden(lines: list[_Line]) -> set[int]:
    """The numbers of the lines in code, or in a comment or the like that began on an earlier line."""
    hidden: set[int] = set()
    for kind, first, end in _blocks(lines):
        if kind != "html_block":
            hidden.update(range(first, end))
        elif _TO_ITS_END.match(lines[first - 1].text):
            hidden.update(range(first + 1, end))
    return hidden


def _never_closed(text: str) -> SectionFault:
    """What would take a section at the end into itself."""
    kind, line, _ = max(_blocks(list(_split(text))), key=lambda block: block[1])
    what = "a code fence" if kind == "fence" else "a comment or other HTML"
    return SectionFault(line, f"{what} begins there and is never closed", "open")


def _blocks(lines: list[_Line]) -> Iterator[tuple[str, int, int]]:
    """(kind, number of the first line, number behind the last one) of all code and HTML, as CommonMark has it."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.disable("inline")
    for token in parser.parse("".join(f"{line.text.replace(chr(13), ' ')}\n" for line in lines)):
        if token.type in ("fence", "code_block", "html_block") and token.map is not None:
            yield token.type, token.map[0] + 1, token.map[1] + 1


def _split(text: str) -> Iterator[_Line]:
    """The lines; only LF and CRLF end one."""
    at = len(_BOM) if text.startswith(_BOM) else 0
    number = 0
    while at < len(text):
        number += 1
        newline = text.find("\n", at)
        end = newline + 1 if newline >= 0 else len(text)
        yield _Line(number, at, end, text[at:end].removesuffix("\n").removesuffix("\r"))
        at = end
