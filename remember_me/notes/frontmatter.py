"""Front matter: every scalar as the string that was written, and one value changed without a re-render.

python-frontmatter parses what the line reader cannot; it never writes a person's file (DESIGN 3.3).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from remember_me.notes.problem import Problem

Value = str | list["Value"] | dict[str, "Value"]

_FENCE = re.compile(r"---[ \t]*\Z")
_CLOSING = re.compile(r"(?:---|\.\.\.)[ \t]*\Z")
_KEY = re.compile(r"""(?P<key>"[^"]*"|'[^']*'|[^\s#:\-{\["'][^:]*?|-[^\s:][^:]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?\Z""")
_SPECIAL = re.compile(r"""["'\[\]{}&*!|>%@`#?,-]""")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=[ \t]*(?:\Z|[ \t]#))""")
_PLAIN = re.compile(
    r"[^\s\"'\[\]{}&*!|>%@`#?,:\x00-\x1f\x7f-\x9f\u2028\u2029-]"
    r"(?:[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff:#]|:(?! |\Z)|(?<! )#)*\Z"
)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_ANCHOR = re.compile(r"(?:^|[:\[,{\-] *)[&*][A-Za-z0-9_]")


@dataclass(frozen=True, slots=True)
class Key:
    """One top-level key. `start` and `end` span its lines in the note's text, line end included.

    `value_span` is the span of a value that may be replaced on its own, or None where that is unsure.
    """

    name: str
    line: int
    start: int
    end: int
    value: Value
    value_span: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A block between two `---` lines at the top of a note.

    `start` is where the opening line begins (behind a BOM), `end` is behind the closing line, `closing`
    is where the closing line begins. `lenient` says that YAML refused it and it was read line by line.
    """

    start: int
    end: int
    closing: int
    keys: tuple[Key, ...]
    lenient: bool
    problems: tuple[Problem, ...]
    repeated: frozenset[str] = field(default_factory=frozenset)

    def get(self, name: str) -> Value | None:
        """The value of the first key `name`, or None."""
        for key in self.keys:
            if key.name == name:
                return key.value
        return None

    def text(self, name: str) -> str | None:
        """The value of `name` if it is a scalar, or None."""
        value = self.get(name)
        return value if isinstance(value, str) else None

    def key(self, name: str) -> Key | None:
        for key in self.keys:
            if key.name == name:
                return key
        return None


@dataclass(slots=True)
class _Draft:
    name: str
    line: int
    start: int
    end: int
    raw: str
    raw_start: int
    continued: bool


def parse_front_matter(text: str, path: str) -> FrontMatter | None:
    """The block at the top of `text`, or None where there is none or where it is no mapping."""
    start = 1 if text.startswith("\ufeff") else 0
    if not text.startswith("---", start):
        return None
    lines = list(_lines(text, start))
    if not _FENCE.match(lines[0][1]):
        return None
    closing = next((i for i in range(1, len(lines)) if _CLOSING.match(lines[i][1])), None)
    if closing is None:
        return None
    drafts = _split_keys(lines[1:closing])
    if drafts is None:
        return None
    end = lines[closing + 1][0] if closing + 1 < len(lines) else len(text)
    seen = [draft.name for draft in drafts]
    repeated = frozenset(name for name in seen if seen.count(name) > 1) if len(set(seen)) < len(seen) else frozenset()
    problems = [
        Problem(path, draft.line, 1, f"{draft.name} stands twice in the front matter; the first one counts")
        for i, draft in enumerate(drafts)
        if draft.name in seen[:i]
    ]
    values, lenient = _values(text[lines[1][0] : lines[closing][0]] if closing > 1 else "", drafts, path, problems)
    keys = tuple(
        Key(d.name, d.line, d.start, d.end, value, _value_span(d, lenient))
        for d, value in zip(drafts, values, strict=True)
    )
    return FrontMatter(start, end, lines[closing][0], keys, lenient, tuple(problems), repeated)


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    """(offset, line without its line end) from `start` on; a last empty line is not given."""
    while start < len(text):
        end = text.find("\n", start)
        stop = len(text) if end < 0 else end
        yield (
            start,
            text[start : stop - 1] if stop > start and text[stop - 1] == "\r" and end >= 0 else text[start:stop],
        )
        start = stop + 1


def _split_keys(lines: list[tuple[int, str]]) -> list[_Draft] | None:
    """The top-level keys of a block, or None if a line at the margin is no key, comment or continuation."""
    drafts: list[_Draft] = []
    for number, (offset, line) in enumerate(lines, start=2):
        stripped = line.strip(" \t")
        if not stripped or stripped.startswith("#"):
            continue
        if line[0] in " \t" or line.startswith(("- ", "]", "}")) or line == "-":
            if not drafts:
                return None
            drafts[-1].continued = True
            drafts[-1].end = offset + len(line)
            continue
        match = _KEY.match(line)
        if match is None:
            return None
        raw = (match["value"] or "").rstrip(" \t")
        raw_start = offset + match.start("value") if match["value"] else offset + len(line)
        name = match["key"].strip("\"'")
        drafts.append(_Draft(name, number, offset, offset + len(line), raw, raw_start, continued=False))
    return drafts


def _values(block: str, drafts: list[_Draft], path: str, problems: list[Problem]) -> tuple[list[Value], bool]:
    if all(_simple(draft) for draft in drafts):
        return [draft.raw for draft in drafts], False
    anchored = next((d for d in drafts if _ANCHOR.search(d.raw)), None)
    if anchored is not None or _ANCHOR.search(block):
        line = anchored.line if anchored else None
        problems.append(Problem(path, line, None, "anchors and aliases are not expanded; read line by line"))
        return [_lenient(draft, block) for draft in drafts], True
    try:
        loaded = _load_yaml(block)
    except ValueError as error:
        problems.append(_refusal(error, block, path))
        return [_lenient(draft, block) for draft in drafts], True
    return [draft.raw if _simple(draft) else loaded.get(draft.name, draft.raw) for draft in drafts], False


def _simple(draft: _Draft) -> bool:
    """Whether YAML would read the value as just these characters."""
    return (
        not draft.continued
        and not _SPECIAL.match(draft.raw)
        and ": " not in draft.raw
        and " #" not in draft.raw
        and not (draft.raw.endswith(":") or "\t#" in draft.raw)
    )


def _load_yaml(block: str) -> Mapping[str, Value]:
    """The mapping with every scalar as a string. Raises ValueError with `line` and `column` where YAML refuses."""
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        loaded = YAMLHandler().load(block.replace("\t", " "), Loader=loader)
    except (yaml.YAMLError, RecursionError, UnicodeError) as error:
        raise ValueError(error) from error
    if not isinstance(loaded, dict):
        raise ValueError("the block is no mapping")
    return {str(key): value for key, value in loaded.items()}


def _refusal(error: ValueError, block: str, path: str) -> Problem:
    mark = getattr(error.args[0] if error.args else None, "problem_mark", None)
    if mark is None:
        return Problem(path, 1, None, "the front matter is no valid YAML; read leniently, never rewritten")
    lines = block.split("\n")
    line = lines[mark.line] if mark.line < len(lines) else ""
    key = line.split(":", 1)[0].strip() if ":" in line else "front matter"
    reason = f"unquoted ': ' in {key}" if "mapping values are not allowed" in str(error) else "no valid YAML"
    return Problem(path, mark.line + 2, mark.column + 1, f"{reason}; read leniently, never rewritten")


def _lenient(draft: _Draft, block: str) -> Value:
    """What a line says where YAML refuses the block: a scalar, or the `key: value` lines indented under it."""
    quoted = _QUOTED.match(draft.raw)
    if quoted:
        return _unquote(quoted[1])
    if draft.raw or not draft.continued:
        return draft.raw
    lines = block.split("\n")[draft.line - 1 :]
    indented = itertools.takewhile(lambda line: line[:1] in (" ", "\t", ""), lines)
    pairs = (line.strip(" \t\r").partition(":") for line in indented)
    return {key: value.strip(" \t") for key, colon, value in pairs if colon}


def _unquote(quoted: str) -> str:
    inner = quoted[1:-1]
    return inner.replace("''", "'") if quoted[0] == "'" else re.sub(r"\\(.)", r"\1", inner)


def _value_span(draft: _Draft, lenient: bool) -> tuple[int, int] | None:
    if lenient or draft.continued or not draft.raw:
        return None
    quoted = _QUOTED.match(draft.raw)
    if quoted:
        return draft.raw_start, draft.raw_start + quoted.end(1)
    if _SPECIAL.match(draft.raw):
        return None
    comment = re.search(r"[ \t]+#", draft.raw)
    return draft.raw_start, draft.raw_start + (comment.start() if comment else len(draft.raw))


def render_scalar(value: str) -> str:
    """`value` as one YAML scalar on one line: plain where every YAML reader keeps it, else double-quoted."""
    if _PLAIN.match(value) and not value.endswith((" ", "\t")) and not _reads_as_other(value):
        return value
    import json

    return _UNPRINTABLE.sub(lambda m: f"\\u{ord(m.group()):04x}", json.dumps(value, ensure_ascii=False))


def _reads_as_other(value: str) -> bool:
    """Whether a YAML 1.1 reader would make a number, boolean, null or date of the plain `value`.

    Dates and small whole numbers are written plain all the same: this is how people write them here.
    """
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[1-9][0-9]{0,2}|true|false", value):
        return False
    return (
        re.fullmatch(r"[0-9+.~][0-9a-fA-F_:.xo+eE-]*|(?i:y|n|yes|no|on|off|true|false|null|\.inf|\.nan|~|<<|=)", value)
        is not None
    )
