"""Values that YAML refuses, put in quotes: nothing else changes, and each key says what it said before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.notes.frontmatter import parse_front_matter
from remember_me.notes.mend import mend_front_matter


def block(*lines: str) -> str:
    return "---\n" + "".join(f"{line}\n" for line in lines) + "---\n\nBody: with: colons\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (block("title: Style: a guide"), block('title: "Style: a guide"')),
        (block("title:\ta: b  "), block('title:\t"a: b"  ')),
        (block("a: b: c", "# mine: x: y", "d: e: f"), block('a: "b: c"', "# mine: x: y", 'd: "e: f"')),
        (block("title: @x", "name: *y"), block('title: "@x"', 'name: "*y"')),
        (block('title: "un: closed', "tag: FACT"), block('title: "\\"un: closed"', "tag: FACT")),
        (block("title: a: b # c"), block('title: "a: b # c"')),
        (block("title: say: \\ and \""), block('title: "say: \\\\ and \\""')),
        (block("title: a: b", "aliases: [x, y]"), block('title: "a: b"', "aliases: [x, y]")),
        ("\ufeff---\r\nid: a: b\r\n---\r\nx", '\ufeff---\r\nid: "a: b"\r\n---\r\nx'),
        (block("title: a: b\udcff"), block('title: "a: b\\udcff"')),
    ],
)  # fmt: skip
def test_the_refused_value_is_quoted(before: str, after: str) -> None:
    assert mend_front_matter(before, "memory/x.md") == after
    assert mend_front_matter(after, "memory/x.md") is None


@pytest.mark.parametrize(
    "text",
    [
        "No front matter: at: all\n",
        block("title: as it: should", "odd line without a colon"),
        block("title: ok"),
        block("title: 'fine: so'"),
        block("list:", "  - x", "  - y: z: w"),
        block("text: |", "  a: b", "title: [x"),
        block("title: a: b", "  continued: c: d"),
    ],
)
def test_what_is_whole_or_not_sure_is_left_alone(text: str) -> None:
    assert mend_front_matter(text, "memory/x.md") is None


KEYS = st.sampled_from(["id", "tag", "title", "description", "links", "my-key"])
VALUES = st.text(st.sampled_from(list("ab :#\"'[]{}&*!|>%@`?,-\\é")), min_size=1, max_size=12)


@given(st.lists(st.tuples(KEYS, VALUES), min_size=1, max_size=5, unique_by=lambda pair: pair[0]))
def test_no_text_says_something_else_afterwards(pairs: list[tuple[str, str]]) -> None:
    text = block(*(f"{key}: {value}" for key, value in pairs))
    mended = mend_front_matter(text, "memory/x.md")
    if mended is None:
        return
    before, after = parse_front_matter(text, "x"), parse_front_matter(mended, "x")
    assert before is not None
    assert after is not None
    assert (before.lenient, after.lenient) == (True, False)
    for one, two in zip(before.keys, after.keys, strict=True):
        assert one.name == two.name
        assert one.value == two.value or not isinstance(two.value, str)
    assert mended[after.end :] == text[before.end :]
