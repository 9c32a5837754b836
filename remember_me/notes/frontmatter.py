"""Front matter: every scalar as the string that was written, and where it stands, so that one can be changed alone.

What one line says is read here. python-frontmatter parses the rest (lists, nested keys, text over several
lines); it never writes a person's file (DESIGN 3.3).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from remember_me.notes.problem import Problem

if TYPE_CHECKING:
    from remember_me.notes.yamlblock import Refused, Value

_OPENING = re.compile(r"---[ \t]*(?:\r?\n|\Z)")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_COLON = re.compile(r":(?=[ \t]|\Z)")
_QUOTED = re.compile(r"""("[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*')[ \t]*(?:\Z|(?<=[ \t])#)""")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#")

_KEY_NEVER_BEGINS = "#{}[]|>,"
_KEY_HARDLY_BEGINS = "&*!%@`?"
_NOT_PLAIN = "\"'[]{}&*!|>%@`#?,:-"


class Key(NamedTuple):
    """One top-level key. `start` and `end` span its lines in the note's text, the last line end not included.

    `value_span` is the span of a value that may be replaced on its own, or None where that is unsure; it is
    empty where there is no value yet.
    """

    name: str
    line: int
    start: int
    end: int
    value: Value
    value_span: tuple[int, int] | None


class FrontMatter(NamedTuple):
    """A block between two `---` lines at the top of a note.

    `end` is behind the closing line, `closing` is where the closing line begins. `lenient` says that YAML
    refuses the block and that it was read line by line.
    """

    end: int
    closing: int
    keys: tuple[Key, ...]
    lenient: bool
    problems: tuple[Problem, ...]
    repeated: frozenset[str]

    def get(self, name: str) -> Value | None:
        """The value of the first key `name`, or None."""
        key = self.key(name)
        return key.value if key is not None else None

    def text(self, name: str) -> str | None:
        """The value of `name` if it is a scalar, or None."""
        value = self.get(name)
        return value if isinstance(value, str) else None

    def key(self, name: str) -> Key | None:
        """The first key `name`, or None."""
        for key in self.keys:
            if key.name == name:
                return key
        return None


class _Draft:
    """A key while its block is read: `raw` is what stands behind the colon, `last` its last line."""

    __slots__ = ("last", "line", "name", "name_is_odd", "raw", "raw_start", "start")

    def __init__(self, name: str, line: int, start: int, raw: str, raw_start: int, name_is_odd: bool) -> None:
        self.name, self.line, self.start = name, line, start
        self.raw, self.raw_start, self.name_is_odd = raw, raw_start, name_is_odd
        self.last = line

    @property
    def continued(self) -> bool:
        return self.last > self.line


def parse_front_matter(text: str, path: str) -> FrontMatter | None:
    """The block at the top of `text`, or None where there is none or where it is no list of keys."""
    return read_front_matter(text, path)[0]


def read_front_matter(text: str, path: str) -> tuple[FrontMatter | None, tuple[Problem, ...]]:
    """(the block at the top of `text` or None, what is wrong with it)."""
    opening = _OPENING.match(text, 1 if text.startswith("\ufeff") else 0)
    if opening is None:
        return None, ()
    start = opening.end()
    closing = _CLOSING.search(text, start)
    if closing is None:
        line_end = text.find("\n", start)
        first = text[start : line_end if line_end >= 0 else len(text)].rstrip(" \t\r")
        never = Problem(path, 1, None, "the front matter is never closed; read as text")
        return None, (never,) if _split_key(first) is not None else ()
    block = text[start : closing.start()]
    drafts, odd = _split_keys(block, start)
    if drafts and len(odd) >= len(drafts):
        drafts = None
    if drafts is None:
        no_keys = Problem(path, 2, None, "the block between the --- lines is no list of keys; read as text")
        # A blank line behind it makes a rule of the first ---, as Markdown has it.
        return None, (no_keys,) if block.split("\n", 1)[0].strip(" \t\r") else ()
    line_end = text.find("\n", closing.start())
    end = line_end + 1 if line_end >= 0 else len(text)
    front = _front_matter(block, start, drafts, odd, path)
    return front._replace(end=end, closing=closing.start()), front.problems


def _front_matter(block: str, start: int, drafts: list[_Draft], odd: list[int], path: str) -> FrontMatter:
    problems: list[Problem] = []
    seen: set[str] = set()
    repeated: set[str] = set()
    for draft in drafts:
        if draft.name in seen:
            repeated.add(draft.name)
            twice = f"{draft.name} stands twice in the front matter; the first one counts"
            problems.append(Problem(path, draft.line, 1, twice))
        seen.add(draft.name)
    lines = block.split("\n")
    values, refused = _values(lines, drafts, odd, repeated)
    if refused is not None:
        problems.append(
            Problem(path, refused.line, refused.column, f"{refused.reason}; read leniently, never rewritten")
        )
    lenient = refused is not None
    ends = _line_ends(lines, start)
    keys = tuple(
        Key(d.name, d.line, d.start, ends[d.last - 2], value, None if lenient else _value_span(d))
        for d, value in zip(drafts, values, strict=True)
    )
    return FrontMatter(0, 0, keys, lenient, tuple(problems), frozenset(repeated))


def _line_ends(lines: list[str], start: int) -> list[int]:
    ends: list[int] = []
    for line in lines:
        start += len(line)
        ends.append(start)
        start += 1
    return ends


def _split_keys(block: str, start: int) -> tuple[list[_Draft] | None, list[int]]:
    """(the top-level keys of a block, the lines at its margin that are none).

    No list where the first line that says something is no key: such a block is text between two rules.
    """
    drafts: list[_Draft] = []
    odd: list[int] = []
    for number, line in enumerate(block.split("\n"), start=2):
        content = line.rstrip(" \t\r")
        offset, start = start, start + len(line) + 1
        if not content or content[0] == "#":
            continue
        if content[0] in " \t" or content == "-" or content.startswith(("- ", "]", "}")):
            if not drafts:
                return None, odd
            drafts[-1].last = (
                number if drafts[-1].raw[:1] in ("|", ">") or content.strip(" \t")[0] != "#" else drafts[-1].last
            )
            continue
        split = _split_key(content)
        if split is not None:
            name, behind = split
            raw = content[behind:].lstrip(" \t")
            raw_start = offset + (len(content) - len(raw) if raw else behind)
            drafts.append(_Draft(name, number, offset, raw, raw_start, content[0] in _KEY_HARDLY_BEGINS))
        elif drafts:
            odd.append(number)
        else:
            return None, odd
    return drafts, odd


def _split_key(line: str) -> tuple[str, int] | None:
    """(name, offset behind the colon) of a line that begins with a key, or None."""
    first = line[:1]
    if not first or first in _KEY_NEVER_BEGINS or line.startswith(("- ", ": ")):
        return None
    if first in "\"'":
        close = line.find(first, 1)
        name, colon = line[1:close], _COLON.match(line, close + 1) or _COLON.match(line, close + 2)
        if close < 0 or colon is None or line[close + 1 : colon.start()].strip(" \t"):
            return None
        return name, colon.end()
    colon = _COLON.search(line)
    if colon is None or colon.start() == 0:
        return None
    return line[: colon.start()].rstrip(" \t"), colon.end()


def _values(
    lines: list[str], drafts: list[_Draft], odd: list[int], repeated: set[str]
) -> tuple[list[Value], Refused | None]:
    """(what each key says, why YAML refuses the block or None)."""
    scalars = [_scalar(draft) for draft in drafts]
    if None not in scalars and not odd and not any(draft.name_is_odd for draft in drafts):
        return [scalar[0] for scalar in scalars if scalar is not None], None
    from remember_me.notes.yamlblock import Refused, load_block

    loaded = load_block(lines)
    if isinstance(loaded, Refused):
        return [_lenient(d, lines) if s is None else s[0] for d, s in zip(drafts, scalars, strict=True)], loaded
    values: list[Value] = []
    for draft, scalar in zip(drafts, scalars, strict=True):
        if scalar is not None:
            values.append(scalar[0])
            continue
        alone = load_block(lines[draft.line - 2 : draft.last - 1]) if draft.name in repeated else loaded
        values.append(_lenient(draft, lines) if isinstance(alone, Refused) else alone.get(draft.name, draft.raw))
    return values, None


def _scalar(draft: _Draft) -> tuple[str, int] | None:
    """(value, length as written) where one line holds a whole plain or quoted scalar; None leaves it to YAML."""
    raw = draft.raw
    if draft.continued:
        return None
    if raw[:1] in ('"', "'"):
        from remember_me.notes.yamlblock import unquote  # most front matter is plain and needs none of it

        quoted = _QUOTED.match(raw)
        value = unquote(quoted[1]) if quoted is not None else None
        return (value, quoted.end(1)) if quoted is not None and value is not None else None
    if raw and (raw[0] in _NOT_PLAIN or ": " in raw or ":\t" in raw or raw[-1] == ":"):
        return None
    comment = _COMMENT.search(raw) if "#" in raw else None
    plain = raw[: comment.start()].rstrip(" \t") if comment is not None else raw
    return (plain, len(plain)) if plain[-1:] != ":" else None


def _value_span(draft: _Draft) -> tuple[int, int] | None:
    scalar = _scalar(draft)
    return (draft.raw_start, draft.raw_start + scalar[1]) if scalar is not None else None


def _lenient(draft: _Draft, lines: list[str]) -> Value:
    """What the lines of a key say where YAML refuses the block: the raw value, or the `key: value` lines under it."""
    if draft.raw or not draft.continued:
        return draft.raw
    pairs = (line.strip(" \t\r").partition(":") for line in lines[draft.line - 1 : draft.last - 1])
    return {key: value.strip(" \t") for key, colon, value in pairs if colon}
