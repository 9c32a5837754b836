"""Change JSON that a person keeps: a member or an item goes in or out, and every other byte stays.

What `insert_member` and `insert_item` put in, `drop` takes out again to the byte, whatever the layout.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

BOM = "\ufeff"
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![0-9A-Za-z_.+-])")
_LAST_INDENT = re.compile(r"(?:\r\n|\n|\r)[ \t]*\Z")
_TWO_SPACES = "  "


class NotPlain(ValueError):
    """A document that is not changed: `str()` says why, as the end of a sentence about the file."""


class Node(NamedTuple):
    """A value and where it stands. `keys` and `starts` are those of the members of an object, with the values in
    `children`; of an array `children` are the items, and `starts` where they begin."""

    kind: str
    start: int
    end: int
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    children: tuple[Node, ...] = ()

    def member(self, key: str) -> Node | None:
        """The value under that key, or None. Raises NotPlain where the key is there twice."""
        found = [child for name, child in zip(self.keys, self.children, strict=False) if name == key]
        if len(found) > 1:
            raise NotPlain(f"has {json.dumps(key)} twice")
        return found[0] if found else None


class Style(NamedTuple):
    """How a document is laid out: its line end, one step of indentation, what stands at a colon and after a comma."""

    newline: str
    unit: str
    colon: str
    gap: str
    one_line: bool


def decode_json(data: bytes) -> str:
    """The text of a file, with its BOM. Raises NotPlain for anything but UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotPlain("is no UTF-8") from None


def parse_json(text: str) -> Node:
    """The root of a document. Raises NotPlain for what is no JSON, with the place."""
    try:
        root = _value(text, _skip(text, len(BOM) if text.startswith(BOM) else 0))
    except RecursionError:
        raise NotPlain("nests too deeply") from None
    end = _skip(text, root.end)
    if end != len(text):
        raise _fault(text, end)
    return root


def value_of(text: str, node: Node) -> Any:
    """The value that stands there. Raises NotPlain where Python cannot hold it."""
    try:
        return json.loads(text[node.start : node.end])
    except RecursionError:
        raise NotPlain("nests too deeply") from None
    except ValueError:
        raise NotPlain("holds a number that is too long") from None


def style_of(text: str, root: Node) -> Style:
    """How the document is laid out, as its root shows; pretty with two spaces where that shows nothing."""
    inside = text[root.start : root.end]
    newline = "\r\n" if "\r\n" in text else "\n"
    if not root.starts:
        return Style(newline, _TWO_SPACES, ": ", " ", False)
    first = text[root.start + 1 : root.starts[0]]
    indent = re.split(r"[\r\n]", first)[-1] if re.search(r"[\r\n]", first) else ""
    colon = ": "
    if root.keys:
        colon = text[_STRING.match(text, root.starts[0]).end() : root.children[0].start]  # type: ignore[union-attr]
        colon = ": " if re.search(r"[\r\n]", colon) else colon
    return Style(newline, indent or _TWO_SPACES, colon, " " if colon != ":" else "", not re.search(r"[\r\n]", inside))


def insert_member(text: str, parent: Node, style: Style, key: str, value: object) -> str:
    """The text with one more member at the end of an object."""
    return _insert(text, parent, style, value, f"{json.dumps(key, ensure_ascii=False)}{style.colon}")


def insert_item(text: str, parent: Node, style: Style, value: object) -> str:
    """The text with one more item at the end of an array."""
    return _insert(text, parent, style, value, "")


def replace_child(text: str, parent: Node, at: int, style: Style, value: object) -> str:
    """The text with another value of the member or item number `at`."""
    old = parent.children[at]
    lead = _space_before(text, parent, at)
    pretty = bool(re.search(r"[\r\n]", lead))
    rendered = _render(value, style, _indent_of(text, parent.starts[at]) if pretty else None)
    return text[: old.start] + rendered + text[old.end :]


def drop_child(text: str, parent: Node, at: int) -> str:
    """The text without the member or item number `at`, its comma and the white space that came with it."""
    if at > 0:
        return text[: parent.children[at - 1].end] + text[parent.children[at].end :]
    if len(parent.starts) > 1:
        return text[: parent.starts[0]] + text[parent.starts[1] :]
    before = text[parent.start + 1 : parent.starts[0]]
    return text[: parent.start + 1] + _LAST_INDENT.sub("", before) + text[parent.end - 1 :]


def _insert(text: str, parent: Node, style: Style, value: object, name: str) -> str:
    if parent.children:
        last = len(parent.children) - 1
        lead = _space_before(text, parent, last)
        pretty = bool(re.search(r"[\r\n]", lead))
        if not pretty:
            lead = lead if last else style.gap
        rendered = _render(value, style, re.split(r"[\r\n]", lead)[-1] if pretty else None)
        at = parent.children[last].end
        return f"{text[:at]},{lead}{name}{rendered}{text[at:]}"
    if style.one_line:
        return f"{text[: parent.end - 1]}{name}{_render(value, style, None)}{text[parent.end - 1 :]}"
    outer = _indent_of(text, parent.start)
    inner = outer + style.unit
    rendered = _render(value, style, inner)
    middle = f"{style.newline}{inner}{name}{rendered}{style.newline}{outer}"
    return text[: parent.end - 1] + middle + text[parent.end - 1 :]


def _space_before(text: str, parent: Node, at: int) -> str:
    """The white space before a child: behind the opening bracket or the comma."""
    if at == 0:
        return text[parent.start + 1 : parent.starts[0]]
    return text[parent.children[at - 1].end : parent.starts[at]].split(",", 1)[1]


def _indent_of(text: str, at: int) -> str:
    """The indentation of the line in which `at` stands."""
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    return re.match(r"[ \t]*", text[start:at])[0]  # type: ignore[index]


def _render(value: object, style: Style, indent: str | None) -> str:
    """A value in the style of the document; on one line where no indentation is given."""
    if indent is None:
        return json.dumps(value, ensure_ascii=False, separators=(f",{style.gap}", style.colon))
    text = json.dumps(value, ensure_ascii=False, indent=style.unit, separators=(",", style.colon))
    return text.replace("\n", style.newline + indent)


def _value(text: str, at: int) -> Node:
    opening = text[at : at + 1]
    if opening == "{" or opening == "[":
        return _container(text, at, opening == "{")
    kind = "string" if opening == '"' else "scalar"
    found = (_STRING if kind == "string" else _SCALAR).match(text, at)
    if found is None:
        raise _fault(text, at)
    return Node(kind, at, found.end())


def _container(text: str, start: int, is_object: bool) -> Node:
    close = "}" if is_object else "]"
    keys: list[str] = []
    starts: list[int] = []
    children: list[Node] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != close or children:
        starts.append(at)
        if is_object:
            found = _STRING.match(text, at)
            if found is None:
                raise _fault(text, at)
            keys.append(json.loads(found[0]))
            at = _skip(text, found.end())
            if text[at : at + 1] != ":":
                raise _fault(text, at)
            at = _skip(text, at + 1)
        child = _value(text, at)
        children.append(child)
        at = _skip(text, child.end)
        if text[at : at + 1] == close:
            break
        if text[at : at + 1] != ",":
            raise _fault(text, at)
        at = _skip(text, at + 1)
        if text[at : at + 1] == close:
            raise NotPlain(f"has a comma too many in line {_line(text, at)}")
    kind = "object" if is_object else "array"
    return Node(kind, start, at + 1, tuple(keys), tuple(starts), tuple(children))


def _skip(text: str, at: int) -> int:
    at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
    if text.startswith(("//", "/*"), at):
        raise NotPlain(f"has a comment in line {_line(text, at)}")
    return at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _fault(text: str, at: int) -> NotPlain:
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return NotPlain(f"is no valid JSON at line {_line(text, at)}, column {column}")
