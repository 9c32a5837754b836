"""One member or item in a person's JSON, in and out again: every other byte stays."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.clients.jsonedit import (
    NotPlain,
    drop_child,
    insert_item,
    insert_member,
    parse_json,
    replace_child,
    style_of,
    value_of,
)

NEW = {"type": "command", "list": [1, {"a": "b"}], "empty": {}}


@st.composite
def documents(draw: st.DrawFn, depth: int = 3) -> str:
    """A JSON value with any layout: white space of all kinds wherever it may stand."""
    space = st.sampled_from(["", "", " ", "\n", "\n  ", "\r\n\t", "\t", "\n\n    "])
    kinds = ["scalar"] if depth == 0 else ["scalar", "object", "object", "array", "array"]
    kind = draw(st.sampled_from(kinds))
    if kind == "scalar":
        return draw(st.sampled_from(['"x"', '"}\\"],\\n{"', '"\\u00e4ü"', "0", "-1.5e3", "true", "null", '""']))
    parts = draw(st.lists(documents(depth=depth - 1), max_size=3))
    if kind == "object":
        keys = draw(st.lists(st.sampled_from(["a", "b", "hooks", "\\u0063", "é"]), unique=True, min_size=3, max_size=3))
        parts = [
            f'"{key}"{draw(space)}:{draw(space)}{part}' for key, part in zip(keys[: len(parts)], parts, strict=True)
        ]
    inside = ",".join(f"{draw(space)}{part}{draw(space)}" for part in parts) if parts else draw(space)
    return f"{{{inside}}}" if kind == "object" else f"[{inside}]"


def containers(node):
    if node.kind in ("object", "array"):
        yield node
    for child in node.children:
        yield from containers(child)


@given(documents(), st.sampled_from(["", "\ufeff"]), st.sampled_from(["", "\n", " \r\n"]), st.integers(0, 10**6))
def test_what_goes_in_comes_out_again(document: str, bom: str, end: str, pick: int) -> None:
    text = f"{bom}{document}{end}"
    root = parse_json(text)
    assert value_of(text, root) == json.loads(document)
    places = list(containers(root))
    if not places:
        return
    at = places[pick % len(places)]
    insert = (lambda: insert_member(text, at, style_of(text, root), "new", NEW)) if at.kind == "object" else (
        lambda: insert_item(text, at, style_of(text, root), NEW)
    )  # fmt: skip
    changed = insert()
    again = list(containers(parse_json(changed)))[places.index(at)]
    last = len(again.children) - 1
    assert value_of(changed, again.children[last]) == NEW
    assert len(again.children) == len(at.children) + 1
    assert drop_child(changed, again, last) == text


@given(documents(), st.integers(0, 10**6), st.integers(0, 10**6))
def test_dropping_and_replacing_one_changes_no_other(document: str, pick: int, child: int) -> None:
    root = parse_json(document)
    places = [one for one in containers(root) if one.children]
    if not places:
        return
    at = places[pick % len(places)]
    number = child % len(at.children)
    others = [document[one.start : one.end] for n, one in enumerate(at.children) if n != number]
    for changed, left in (
        (drop_child(document, at, number), others),
        (replace_child(document, at, number, style_of(document, root), 7), [*others[:number], "7", *others[number:]]),
    ):
        now = next(one for one in containers(parse_json(changed)) if one.start == at.start)
        assert [changed[one.start : one.end] for one in now.children] == left


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ('{"a":1}', '{"a":1,"k":[1]}'),
        ('{"a": 1}\n', '{"a": 1, "k": [1]}\n'),
        ('{"a": 1, "b": 2}', '{"a": 1, "b": 2, "k": [1]}'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}'),
        ('{\r\n    "a": 1\r\n}\r\n', '{\r\n    "a": 1,\r\n    "k": [\r\n        1\r\n    ]\r\n}\r\n'),
        ('{\n"a" : 1\n}', '{\n"a" : 1,\n"k" : [\n  1\n]\n}'),
    ],
)
def test_it_looks_like_the_rest(before: str, after: str) -> None:
    root = parse_json(before)
    assert insert_member(before, root, style_of(before, root), "k", [1]) == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no valid JSON at line 1, column 1"),
        ('{"a": 1', "is no valid JSON at line 1, column 8"),
        ('{\n  "a": 1\n  "b": 2\n}', "is no valid JSON at line 3, column 3"),
        ("{'a': 1}", "is no valid JSON at line 1, column 2"),
        ('{"a": NaN}', "is no valid JSON at line 1, column 7"),
        ('{"a": 01}', "is no valid JSON at line 1, column 7"),
        ('{"a": "x\ty"}', "is no valid JSON at line 1, column 7"),
        ('{"a": 1} {}', "is no valid JSON at line 1, column 10"),
        ('{"a": 1,\n}', "has a comma too many in line 2"),
        ("[1, 2, ]", "has a comma too many in line 1"),
        ('{\n  // mine\n  "a": 1\n}', "has a comment in line 2"),
        ('{"a": 1 /* b */}', "has a comment in line 1"),
        ("[" * 100_000, "nests too deeply"),
    ],
)
def test_what_is_no_json_is_refused_with_the_place(text: str, reason: str) -> None:
    with pytest.raises(NotPlain, match=f"^{re.escape(reason)}$"):
        parse_json(text)


def test_the_same_key_twice_is_refused_where_it_is_asked_for() -> None:
    root = parse_json('{"a": 1, "b": 2, "\\u0061": 3}')
    assert root.member("b") is not None
    with pytest.raises(NotPlain, match=r'^has "a" twice$'):
        root.member("a")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1" * 4301, "holds a number that is too long"),
        (f'[{{"a": -{"1" * 5000}}}]', "holds a number that is too long"),
    ],
)
def test_a_value_that_python_cannot_hold_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotPlain, match=f"^{reason}$"):
        value_of(text, parse_json(text))


def test_a_value_that_nests_too_deeply_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(_: str) -> None:
        raise RecursionError

    root = parse_json("[[]]")
    monkeypatch.setattr(json, "loads", too_deep)
    with pytest.raises(NotPlain, match=r"^nests too deeply$"):
        value_of("[[]]", root)
