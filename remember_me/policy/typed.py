"""What of a message the user typed, and where a quote stands in it (DESIGN section 5, "Receipts").

Not typed are: code fences and indented code, block quotes, forwarded mail, the inside of tags (so our own block and
what clients put between markers), comments, conversations, and what is too long to be typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from remember_me.policy.conversation import is_conversation

PARAGRAPH_CHARACTERS = 1_500
PARAGRAPH_LINES = 15
"""A paragraph beyond either is a paste."""
MESSAGE_CHARACTERS = 4_000
"""Of a message with more than that outside of fences nobody knows which part was typed."""

Span = tuple[int, int]

_FENCE = re.compile(r"^[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\uff1e|\|).*$", re.MULTILINE)
_INDENTED_LINE = re.compile(r"^(?: {4}|\t| {1,3}\t).*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--(?:(?!-->).)*(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,63})(?:\s[^<>]{0,500})?(/?)>")
_FORWARDED = re.compile(
    r"^[ \t]*(?:(?:On|Am|Le|El|Il) [^\n]{5,100}(?:wrote|schrieb|a écrit|escribió|ha scritto)[^\n]{0,60}:[ \t\r]*$"
    r"|-{2,} ?(?:Original|Forwarded|Ursprüngliche|Weitergeleitete)|Begin forwarded message"
    r"|(?:From|Von|De): [^\n]*@|\[Pasted text)",
    re.MULTILINE | re.IGNORECASE,
)
_MARKER = re.compile(
    r".*[-_:].*|assistant|attachment|context|document|environment|file|human|image|input|instructions|output|pasted?|result"
    r"|std(?:err|in|out)|system|thinking|tool|user"
)
"""How clients call their markers: several words, or one of these."""
_BLANK_LINES = re.compile(r"\n[ \t\r]*\n\s*")

_RELATIONS = {**dict.fromkeys("≥≧⩾", ">="), **dict.fromkeys("≤≦⩽", "<="), "≠": "!="}
"""Signs that a keyboard has as two; half of one says something else."""
_PLAIN = {
    **_RELATIONS,
    **dict.fromkeys("‘’‚‛′＇ʼ", "'"),
    **dict.fromkeys("“”„‟″＂", '"'),
    **dict.fromkeys("‐‑‒–—−", "-"),
    "…": "...",
    **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff\u00ad", ""),
}
"""What editors and keyboards put in the place of what was typed."""


def typed_spans(text: str) -> tuple[Span, ...]:
    """The spans (start, end) of `text` that count as typed, in their order, none of them blank.

    A paragraph of a typed span may lie beside what was pasted; a span never reaches over it.
    """
    if is_conversation(text):
        return ()
    spans = [span for gap in _between(_not_typed(text), len(text)) for span in _typed_paragraphs(text, gap)]
    if sum(end - start for start, end in spans) > MESSAGE_CHARACTERS:
        return ()
    return tuple(spans)


def find_quote(quote: str, text: str) -> Span | None:
    """Where `quote` stands within one typed span of `text`: offsets into `text` as it is, or None.

    White space of any kind and length, curly and straight quotes, dashes, `>=` and `≥`, and characters of no width are
    the same.
    """
    return next((found for span in typed_spans(text) if (found := _find(quote, text, *span)) is not None), None)


def occurs(quote: str, text: str) -> bool:
    """Whether `quote` stands anywhere in `text`, typed or not."""
    return _find(quote, text, 0, len(text)) is not None


def _find(quote: str, text: str, start: int, end: int) -> Span | None:
    """Where `quote` stands in that part of `text`, by whole characters of it where half of one says something else."""
    wanted = _plain(quote, 0, len(quote))[0].strip()
    plain, offsets = _plain(text, start, end)
    at = plain.find(wanted) if wanted else -1
    while at >= 0:
        behind = at + len(wanted)
        if not any(_splits(text, offsets, place) for place in (at, behind)):
            return offsets[at], offsets[behind - 1] + 1
        at = plain.find(wanted, at + 1)
    return None


def _splits(text: str, offsets: list[int], at: int) -> bool:
    """Whether a sign such as ≥ stands on both sides of that place in normalised space."""
    return 0 < at < len(offsets) and offsets[at] == offsets[at - 1] and text[offsets[at]] in _RELATIONS


def _plain(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """The part of `text` in normalised space, and for each of its characters the offset where it comes from."""
    found: list[str] = []
    offsets: list[int] = []
    for at in range(start, end):
        character = text[at]
        if character.isspace():
            if found and found[-1] == " ":
                continue
            character = " "
        for one in _PLAIN.get(character, character):
            found.append(one)
            offsets.append(at)
    return "".join(found), offsets


def _not_typed(text: str) -> list[Span]:
    """Spans that were not typed, in any order, perhaps overlapping."""
    fences = list(_fences(text))
    spans = [
        *fences,
        *(match.span() for match in _QUOTED_LINE.finditer(text)),
        *(match.span() for match in _INDENTED_LINE.finditer(text)),
        *(match.span() for match in _COMMENT.finditer(text)),
        *_tagged(text),
    ]
    forwarded = _FORWARDED.search(text)
    if forwarded is not None:
        spans.append((forwarded.start(), len(text)))
    return spans


def _fences(text: str) -> Iterator[Span]:
    """Code fences with their marks, an open one up to the end."""
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            if match[1][0] == "~" or "`" not in match[2]:
                opened = match
        elif match[1].startswith(opened[1]) and not match[2].strip():
            yield opened.start(), match.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _tagged(text: str) -> Iterator[Span]:
    """Elements from tag to tag, whatever they are called; an open one with the name of a marker up to the end."""
    opened: dict[str, list[int]] = {}
    for match in _TAG.finditer(text):
        name = match[2].lower()
        starts = opened.setdefault(name, [])
        if match[1]:
            start = starts.pop() if starts else (0 if _is_marker(name) else match.start())
            yield start, match.end()
        elif match[3]:
            yield match.span()
        else:
            starts.append(match.start())
    for name, starts in opened.items():
        if starts and _is_marker(name):
            yield starts[0], len(text)


def _is_marker(name: str) -> bool:
    return _MARKER.fullmatch(name) is not None


def _between(spans: list[Span], length: int) -> Iterator[Span]:
    """What lies between the spans."""
    at = 0
    for start, end in sorted(spans):
        if start > at:
            yield at, start
        at = max(at, end)
    if at < length:
        yield at, length


def _typed_paragraphs(text: str, gap: Span) -> Iterator[Span]:
    """The part of a gap in front of a paste, and the parts after it, without outer white space."""
    start, end = gap
    at = start
    for match in _BLANK_LINES.finditer(text, start, end):
        if _is_paste(text[at : match.start()]):
            yield from _stripped(text, start, at)
            start = match.end()
        at = match.end()
    if not _is_paste(text[at:end]):
        yield from _stripped(text, start, end)
    else:
        yield from _stripped(text, start, at)


def _is_paste(paragraph: str) -> bool:
    return len(paragraph) > PARAGRAPH_CHARACTERS or paragraph.count("\n") >= PARAGRAPH_LINES


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    part = text[start:end]
    inner = part.strip()
    if inner:
        first = start + len(part) - len(part.lstrip())
        yield first, first + len(inner)
