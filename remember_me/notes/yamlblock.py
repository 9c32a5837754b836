"""YAML as text: a block with every scalar as a string, and one scalar written so that every reader gives it back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

Value = str | list["Value"] | dict[str, "Value"]

_FIRST_PLAIN = r"[^\s\"'\[\]{}&*!|>%@`#?,:\-\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
_PLAIN = re.compile(
    rf"{_FIRST_PLAIN}(?:[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff:#]|:(?! |\Z)|(?<! )#)*\Z"
)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_NOT_A_STRING = re.compile(
    r"[0-9+.~][0-9a-fA-F_:.xo+eE-]*|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?"
    r"|(?i:y|n|yes|no|on|off|true|false|null|\.inf|\.nan)|<<|="
)
_OUR_OWN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[123]|true|false")
_TYPED_KEYS = frozenset({"since", "validated", "asked", "expires", "impact", "pinned"})

_SHIFT = 0x100000
_STRANGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|\r(?!\n|\\Z)")
_SHIFTED = re.compile("[\U00100000-\U0010ffff]")


class Refused(NamedTuple):
    """Why YAML does not read a block. Line and column are 1-based in the note; the block begins on its line 2."""

    line: int
    column: int | None
    reason: str


def load_block(lines: Sequence[str]) -> Mapping[str, Value] | Refused:
    """The mapping that the lines of a block hold, every scalar as the string that was written.

    Only LF and CRLF end a line here: what YAML takes for a line end or refuses besides stays a character.
    Anchors and aliases are refused, never expanded: a few lines of them can stand for gigabytes.
    """
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    block = "\n".join(lines).replace("\t", " ")
    shifted = not _SHIFTED.search(block)
    if shifted:
        block = _STRANGE.sub(lambda match: chr(ord(match.group()) + _SHIFT), block)
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        if "&" in block or "*" in block:
            for token in yaml.scan(block, Loader=loader):
                if isinstance(token, (yaml.AnchorToken, yaml.AliasToken)):
                    return Refused(token.start_mark.line + 2, None, "anchors and aliases are not expanded")
        loaded = YAMLHandler().load(block, Loader=loader)
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        return _refused(error, lines)
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        return Refused(2, None, "no list of keys")
    return {_shifted_back(str(key)): _unshifted(value) if shifted else value for key, value in loaded.items()}


def _unshifted(value: Value) -> Value:
    if isinstance(value, str):
        return _shifted_back(value)
    if isinstance(value, list):
        return [_unshifted(item) for item in value]
    return {_shifted_back(str(key)): _unshifted(item) for key, item in value.items()}


def _shifted_back(text: str) -> str:
    return text if text.isascii() else _SHIFTED.sub(lambda match: chr(ord(match.group()) - _SHIFT), text)


def _refused(error: Exception, lines: Sequence[str]) -> Refused:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return Refused(2, None, "no valid YAML")
    line = lines[mark.line] if mark.line < len(lines) else ""
    colon = "mapping values are not allowed" in str(error) and ":" in line
    reason = f"unquoted ': ' in {line.partition(':')[0].strip()}" if colon else "no valid YAML"
    return Refused(mark.line + 2, mark.column + 1, reason)


def unquote(quoted: str) -> str | None:
    """What a quoted scalar on one line says, or None where it takes YAML's own escapes to tell."""
    inner = quoted[1:-1]
    if quoted[0] == "'":
        return inner.replace("''", "'")
    if "\\" not in inner:
        return inner
    try:
        value = json.loads(quoted, strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def render_scalar(value: str) -> str:
    """`value` as one YAML scalar on one line: plain where every YAML reader keeps it a string, else double-quoted."""
    if _PLAIN.match(value) and value[-1] not in " \t" and not _NOT_A_STRING.fullmatch(value):
        return value
    return _UNPRINTABLE.sub(lambda m: f"\\u{ord(m.group()):04x}", json.dumps(value, ensure_ascii=False))


def render_value(key: str, value: str) -> str:
    """`value` as it is written for `key`: our own dates, numbers and booleans stand plain, as people write them."""
    return value if key in _TYPED_KEYS and _OUR_OWN.fullmatch(value) else render_scalar(value)
