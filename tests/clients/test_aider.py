"""The `read:` item in aider's settings: in, once, and out again to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from remember_me.clients.aider import add, index_path, memo_of, remove
from remember_me.clients.base import CannotMerge, Surroundings

PATH = Path("/home/ada/.aider.conf.yml")
INDEX = Path("/home/ada/.local/state/remember-me/aider-index.md")

LAYOUTS = {
    "empty": ("", f"read:\n  - {INDEX}\n"),
    "absent": ("dark-mode: true\n", f"dark-mode: true\nread:\n  - {INDEX}\n"),
    "absent, no final line end": ("# mine\ndark-mode: true", f"# mine\ndark-mode: true\nread:\n  - {INDEX}"),
    "absent, CRLF": ("a: 1\r\n", f"a: 1\r\nread:\r\n  - {INDEX}\r\n"),
    "comments only": ("# read: x\n", f"# read: x\nread:\n  - {INDEX}\n"),
    "a word": ("read: CONVENTIONS.md  # ours\nb: 2\n", f"read: [CONVENTIONS.md, {INDEX}]  # ours\nb: 2\n"),
    "a word in quotes": ("read: 'a #b.md'\n", f"read: ['a #b.md', {INDEX}]\n"),
    "a list": ("read: [a.md, 'b, c.md'] # x\n", f"read: [a.md, 'b, c.md', {INDEX}] # x\n"),
    "a list with spaces": ("read: [ a.md, b.md ]\n", f"read: [ a.md, b.md, {INDEX} ]\n"),
    "a list on lines": ("read: [a,  # x\n  b # ]\n  ]\n", f"read: [a,  # x\n  b, {INDEX} # ]\n  ]\n"),
    "one line": ("{read: a, b: 1}\n", f"{{read: [a, {INDEX}], b: 1}}\n"),
    "an empty list": ("read: []\n", f"read: [{INDEX}]\n"),
    "a block": (
        "read:\n  - a.md # x\n  # y\n  - b.md\nmodel: x\n",
        f"read:\n  - a.md # x\n  # y\n  - b.md\n  - {INDEX}\nmodel: x\n",
    ),
    "a block without indentation": ("read:\n- a.md\nb: 1\n", f"read:\n- a.md\n- {INDEX}\nb: 1\n"),
    "a block at the end": ("read:\n    -   a.md", f"read:\n    -   a.md\n    -   {INDEX}"),
    "a block, CRLF": ("read:\r\n  - a.md\r\nb: 1\r\n", f"read:\r\n  - a.md\r\n  - {INDEX}\r\nb: 1\r\n"),
    "empty read": ("read:\nb: 1\n", f"read:\n  - {INDEX}\nb: 1\n"),
    "quoted key": ('"read": a.md\n', f'"read": [a.md, {INDEX}]\n'),
    "a document marker": ("---\nb: 1\n", f"---\nb: 1\nread:\n  - {INDEX}\n"),
    "unicode": ("read: [ä.md]\n", f"read: [ä.md, {INDEX}]\n"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_in_and_out_again_gives_the_bytes_of_before(name: str) -> None:
    before, after = (text.encode() for text in LAYOUTS[name])
    changed = add(PATH, before, INDEX)
    assert changed.decode() == after.decode()
    assert str(INDEX) in yaml.safe_load(changed)["read"]
    assert add(PATH, changed, INDEX) == changed
    assert remove(PATH, changed, memo_of(before), INDEX) == before


def test_no_file_is_made_and_gone() -> None:
    made = add(PATH, None, INDEX)
    assert made == f"read:\n  - {INDEX}\n".encode()
    assert remove(PATH, made, memo_of(None), INDEX) is None
    assert remove(PATH, made, (), INDEX) == b""


def test_an_older_path_of_ours_is_replaced() -> None:
    old = "/elsewhere/remember-me/aider-index.md"
    for before in (f"read: [a.md, {old}]\n", f"read:\n  - {old}\n  - a.md\n", f"read: {old}\n"):
        changed = yaml.safe_load(add(PATH, before.encode(), INDEX))["read"]
        assert changed == (["a.md", str(INDEX)] if "a.md" in before else [str(INDEX)])


def test_a_path_that_yaml_would_misread_is_put_in_quotes() -> None:
    odd = Path("/home/a: b #c, d/remember-me/aider-index.md")
    for before in (b"", b"read: [x]\n"):
        changed = add(PATH, before, odd)
        assert yaml.safe_load(changed)["read"][-1] == str(odd)
        assert remove(PATH, changed, memo_of(before), odd) == before


def test_nothing_of_ours_is_nothing_to_take_out() -> None:
    for text in (b"a: 1\n", b"read: x\n", b"broken: [\n", b"\xff"):
        assert remove(PATH, text, (), INDEX) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("read: [a\n", "is no valid YAML"),
        ("a: b: c\n", "is no valid YAML"),
        ("- a\n- b\n", "holds no keys with values"),
        ("a: 1\n---\nb: 1\n", "holds several documents"),
        ("read: a\nread: b\n", "has `read` twice"),
        ("read: &x a\n", "has `read` in a form that is not changed by a program"),
        ("read: |\n  a\n", "has `read` in a form that is not changed by a program"),
        ("read:\n  a: b\n", "has `read` in a form that is not changed by a program"),
        ("{a: 1}\n", "has no `read`, and a form to which a program adds none"),
        ("a: 1\n...\n", "has no `read`, and a form to which a program adds none"),
        ("a: |\n  text", "has no `read`, and a form to which a program adds none"),
        (b"\xff\xfea\x00", "is no UTF-8"),
    ],
)
def test_what_is_not_clear_is_left_alone(text: str | bytes, reason: str) -> None:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(CannotMerge) as refused:
        add(PATH, data, INDEX)
    assert str(refused.value) == f"{PATH} {reason}; it was left alone."
    assert refused.value.snippet == f"read:\n  - {INDEX}"


def test_the_index_lies_in_the_users_state() -> None:
    assert index_path(Surroundings({}, Path("/home/ada"), "x")) == INDEX
    other = index_path(Surroundings({"XDG_STATE_HOME": "/state"}, Path("/home/ada"), "x"))
    assert other == Path("/state/remember-me/aider-index.md")
