"""Front matter: what people and other tools write at the top of a note, and what is never made of it."""

from __future__ import annotations

import tracemalloc

import pytest

from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.notes.frontmatter import FrontMatter, parse_front_matter, read_front_matter
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import encode, parse_note
from remember_me.notes.splice import CannotSplice, adopt_topic_note, correct, set_fields
from tests.timing import assert_growth

NOTE = "memory/2026-03-01.md"


def front(block: str) -> FrontMatter:
    found = parse_front_matter(f"---\n{block}---\n", NOTE)
    assert found is not None
    return found


def reasons(block: str) -> list[str]:
    return [str(problem) for problem in read_front_matter(f"---\n{block}---\nText\n", NOTE)[1]]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("no", "no"),
        ("off", "off"),
        ("yes", "yes"),
        ("y", "y"),
        ("true", "true"),
        ("null", "null"),
        ("~", "~"),
        ("0123", "0123"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("1e3", "1e3"),
        ("0x1F", "0x1F"),
        (".inf", ".inf"),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T23:30:00-05:00", "2026-03-01T23:30:00-05:00"),
        ("2026-03-01 09:05:00", "2026-03-01 09:05:00"),
        ("2026-03-01T23:30:00Z", "2026-03-01T23:30:00Z"),
        ('"quoted: with a colon"', "quoted: with a colon"),
        ("'it''s'", "it's"),
        ('"tab\\tand \\"quotes\\""', 'tab\tand "quotes"'),
        ('"\\u00e9\\x41\\e"', "éA\x1b"),
        ('"kept"   # remark', "kept"),
        ("plain   # remark", "plain"),
        ("not#a remark", "not#a remark"),
        ("http://example.org/a:b", "http://example.org/a:b"),
        ("a - b, c", "a - b, c"),
        ("-5", "-5"),
        ("", ""),
        ("   ", ""),
        ("~5 euros", "~5 euros"),
        ("line\u2028separator", "line\u2028separator"),
        ("lone\rreturn", "lone\rreturn"),
        ("next\x85line", "next\x85line"),
        ('"quoted\u2028separator" ', "quoted\u2028separator"),
        ("|", "|"),
    ],
)
def test_a_scalar_stays_the_string_that_was_written(written: str, read: str) -> None:
    found = front(f"key: {written}\nother: [a]\n") if written != "|" else front("key: '|'\n")
    assert (found.text("key"), found.lenient, found.problems) == (read, False, ())
    assert front(f"key: {written}\n").text("key") == (read if written != "|" else "")


def test_lists_and_nested_keys_are_strings_too() -> None:
    found = front("tags: [no, on, 0123, y]\nmeta:\n  type: user\n  at: 2026-01-01\nmore:\n- off\n- '1'\n")
    assert found.get("tags") == ["no", "on", "0123", "y"]
    assert found.get("meta") == {"type": "user", "at": "2026-01-01"}
    assert found.get("more") == ["off", "1"]
    assert found.text("tags") is None


def test_text_over_several_lines() -> None:
    found = front('a: one\n  two\nb: |\n  # kept\n  x: y\nc: >-\n  folded\n  text\nd: "over\n  lines"\ne: last\n')
    assert [found.text(key) for key in "abcde"] == ["one two", "# kept\nx: y\n", "folded text", "over lines", "last"]


def test_comments_and_blank_lines_are_no_keys() -> None:
    found = front("# first\n\na: 1\n# between\n   # indented\nb: 2\n\n")
    assert [key.name for key in found.keys] == ["a", "b"]
    assert [key.line for key in found.keys] == [4, 7]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("key with spaces: x", "key with spaces"),
        ('"quoted: key": x', "quoted: key"),
        ("'single': x", "single"),
        ("content: x", "content"),
        ("handler: x", "handler"),
        ("on: x", "on"),
        ("1: x", "1"),
        ("2026-01-01: x", "2026-01-01"),
        ("12:30: x", "12:30"),
        ("-dash: x", "-dash"),
        ("a.b/c: x", "a.b/c"),
        ("ключ: x", "ключ"),
        ("spaced   : x", "spaced"),
        ("tab:\tx", "tab"),
    ],
)
def test_harmless_keys_are_keys(line: str, name: str) -> None:
    found = front(f"{line}\nother: [a]\n")
    assert (found.text(name), found.lenient, found.problems) == ("x", False, ())


@pytest.mark.parametrize(
    "block",
    [
        "- milk\n- eggs\n",
        "just one sentence here\n",
        '{\n"id": "m"\n}\n',
        "[a, b]\n",
        "<p>x</p>\n",
        "  id: x\n",
        ": x\n",
    ],
)
def test_a_block_that_is_no_list_of_keys_is_text_and_is_reported(block: str) -> None:
    assert reasons(block) == [f"{NOTE}:2: the block between the --- lines is no list of keys; read as text"]
    note = parse_note(NOTE, f"---\n{block}---\n\nBody.\n".encode())
    assert note.front_matter is None
    assert block.strip().split("\n")[-1] in "".join(passage.text for passage in note.passages())


def test_json_at_the_top_is_text() -> None:
    note = parse_note(NOTE, b'{\n"id": "m-ky06"\n}\n\nBody.\n')
    assert (note.front_matter, note.problems) == (None, ())
    assert [passage.text for passage in note.passages()] == ['{\n"id": "m-ky06"\n}\n\nBody.']


@pytest.mark.parametrize(
    "text", ["", "text", "----\na: 1\n---\n", " ---\na: 1\n---\n", "--- x\na: 1\n---\n", "\n---\na: 1\n---\n"]
)
def test_no_block(text: str) -> None:
    assert read_front_matter(text, NOTE) == (None, ())


def test_a_block_that_is_never_closed_is_text_and_is_reported() -> None:
    found, problems = read_front_matter("---\nid: abcdef\ntag: FACT\n\nText.\n", NOTE)
    assert found is None
    assert [str(problem) for problem in problems] == [f"{NOTE}:1: the front matter is never closed; read as text"]
    assert read_front_matter("---\nA rule at the top of a page.\n", NOTE) == (None, ())


@pytest.mark.parametrize("closing", ["---", "...", "---  ", "...\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_bom_line_ends_and_both_closings(bom: str, newline: str, closing: str) -> None:
    text = f"{bom}---{newline}a: 1{newline}b: 'x'{newline}{closing}{newline}Body"
    found = parse_front_matter(text, NOTE)
    assert found is not None
    assert [found.text("a"), found.text("b")] == ["1", "x"]
    assert text[found.end :] == "Body"
    assert text[found.closing : found.end] == closing + newline


def test_a_closing_line_may_end_the_file() -> None:
    for text in ("---\na: 1\n---", "---\n---", "---\na: 1\n---\r\n"):
        found = parse_front_matter(text, NOTE)
        assert found is not None
        assert found.end == len(text)


def test_an_empty_block_has_no_keys() -> None:
    found = parse_front_matter("---\n---\nx", NOTE)
    assert found is not None
    assert (found.keys, found.end, found.problems) == ((), 8, ())


# Twice the same key (case B09)


def test_of_a_repeated_key_the_first_counts_and_each_other_is_reported() -> None:
    found = front(
        "type: FACT\nlevel: high\ntags: [a]\ntype: GOAL\nlevel: low\ntags: [b]\nmeta:\n  x: 1\nmeta:\n  x: 2\n"
    )
    assert (found.text("type"), found.text("level"), found.get("tags")) == ("FACT", "high", ["a"])
    assert found.get("meta") == {"x": "1"}
    assert found.repeated == {"type", "level", "tags", "meta"}
    assert [str(problem) for problem in found.problems] == [
        f"{NOTE}:5:1: type stands twice in the front matter; the first one counts",
        f"{NOTE}:6:1: level stands twice in the front matter; the first one counts",
        f"{NOTE}:7:1: tags stands twice in the front matter; the first one counts",
        f"{NOTE}:10:1: meta stands twice in the front matter; the first one counts",
    ]


def test_a_repeated_key_is_never_written() -> None:
    text = "---\nid: k7m2pq\ntag: FACT\ntitle: One\ntitle: Two\n---\n\nBody\n"
    note = parse_note("memory/x.md", text.encode())
    assert (note.kind, note.entries[0].title) == (NoteKind.TOPIC, "One")
    with pytest.raises(CannotSplice, match=r"^title stands twice in its front matter$"):
        correct(note, 0, "Three", note.entries[0].body, "zzzzz0")
    assert set_fields(note, 0, [("pinned", "true")], "zzzzz0") == text.replace("---\n\n", "pinned: true\n---\n\n")


# What YAML refuses is read line by line


@pytest.mark.parametrize(
    ("block", "values", "reason"),
    [
        ("d: Fix first: report later\nt: x\n", {"d": "Fix first: report later", "t": "x"}, "2:13: unquoted ': ' in d"),
        ("a: x\nd: one: two\n", {"a": "x", "d": "one: two"}, "3:7: unquoted ': ' in d"),
        ('a: "open\nb: 1\n', {"a": '"open', "b": "1"}, "4:1: no valid YAML"),
        ("a: [1, 2\nb: 'x: y'\n", {"a": "[1, 2", "b": "x: y"}, "3:2: no valid YAML"),
        ("a: %x\nb: 1\n", {"a": "%x", "b": "1"}, "2:4: no valid YAML"),
        ("a: @x\nb: 1\n", {"a": "@x", "b": "1"}, "2:4: no valid YAML"),
        ("a: *bold* text\nb: 1\n", {"a": "*bold* text", "b": "1"}, "2:9: no valid YAML"),
        ("a: 1\nthis is no key\nb: 2\nc: 3\n", {"a": "1", "b": "2", "c": "3"}, "4:1: no valid YAML"),
        ("d: x: y\nmeta:\n  type: user\n", {"meta": {"type": "user"}}, "2:5: unquoted ': ' in d"),
        ("@odd: 1\nb: 2\n", {"@odd": "1", "b": "2"}, "2:1: no valid YAML"),
    ],
)
def test_what_yaml_refuses_is_read_line_by_line_and_reported(block: str, values: dict[str, str], reason: str) -> None:
    found = front(block)
    assert found.lenient
    assert {key: found.get(key) for key in values} == values
    assert reasons(block) == [f"{NOTE}:{reason}; read leniently, never rewritten"]
    assert all(key.value_span is None for key in found.keys)


def test_a_block_with_more_sentences_than_keys_is_text() -> None:
    assert parse_front_matter("---\nNote: remember the milk\nand some prose\n---\n", NOTE) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda note: set_fields(note, 0, [("pinned", "true")], "zzzzz0"),
        lambda note: correct(note, 0, "x", "y", "zzzzz0"),
    ],
)
def test_a_leniently_read_block_is_never_rewritten(change) -> None:
    note = parse_note("memory/x.md", b"---\nid: k7m2pq\ntag: FACT\ntitle: Fix: now\n---\n\nBody\n")
    assert note.entries[0].title == "Fix: now"
    with pytest.raises(CannotSplice, match=r"^its front matter is no valid YAML$"):
        change(note)
    document = "---\ntitle: Fix: now\n---\n"
    add = Add("k7m2pq", Tag.FACT, "Fix: now", "", (), None)  # type: ignore[arg-type]
    with pytest.raises(CannotSplice, match=r"^its front matter is no valid YAML$"):
        adopt_topic_note(document, add, "x.md")


# Anchors and aliases: a few lines can stand for gigabytes

BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
SPREAD_BOMB = "a:\n  &a\n  [x, x]\nb:\n  &b\n  [\n  *a\n  ,\n  *a\n  ]\n"


@pytest.mark.parametrize(
    ("block", "line"), [(BOMB, 2), (SPREAD_BOMB, 3), ("a: &x 1\n<<: *x\n", 2), ("a: [1]\nb: *é\n", 3)]
)
def test_an_alias_is_reported_and_never_expanded(block: str, line: int) -> None:
    tracemalloc.start()
    found = front(block)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.lenient
    assert reasons(block)[0].startswith(f"{NOTE}:{line}")
    assert all(isinstance(key.value, str | dict) for key in found.keys)
    assert peak < 20_000_000


def test_an_ampersand_or_a_star_inside_words_is_no_alias() -> None:
    found = front("a: salt & pepper\nb: [R&D, 2*3]\nc: 'x *y'\n")
    assert (found.lenient, found.get("b"), found.text("a")) == (False, ["R&D", "2*3"], "salt & pepper")


@pytest.mark.parametrize("value", ["[" * 100_000, "{a: " * 20_000, "- " * 20_000 + "x"])
def test_deep_nesting_is_refused(value: str) -> None:
    assert front(f"a: {value}\nb: 1\n").lenient


def test_a_tag_makes_no_object() -> None:
    found = front("a: !!python/object/apply:os.system ['exit 3']\nb: !!int '5'\nc: !mine x\n")
    assert (found.get("a"), found.get("b"), found.get("c")) == (["exit 3"], "5", "x")


# What is written


BLOCK = """# hand-written, keep
title: "Quoted on purpose"   # trailing remark
id: 'k7m2pq'
tag: PREFERENCE
zeta: 1
confidence: high
alpha: 2

# section two
pinned: false   # not yet
aliases: [a, b]
empty:
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("values", "old", "new"),
    [
        ([("confidence", "medium")], "confidence: high", "confidence: medium"),
        ([("pinned", "true")], "pinned: false   # not yet", "pinned: true   # not yet"),
        ([("title", "x: y")], 'title: "Quoted on purpose"   # trailing', 'title: "x: y"   # trailing'),
        ([("id", "abcdef")], "id: 'k7m2pq'", "id: abcdef"),
        ([("empty", "filled")], "empty:", "empty: filled"),
        ([("since", "2026-03-01")], "empty:\n", "empty:\nsince: 2026-03-01\n"),
        ([("zeta", None)], "zeta: 1\n", ""),
        ([("pinned", None)], "pinned: false   # not yet\n", ""),
        ([("absent", None)], "", ""),
    ],
)
def test_one_value_changes_and_nothing_else(
    values: list[tuple[str, str | None]], old: str, new: str, newline: str
) -> None:
    text = f"---\n{BLOCK}---\n\nLikes short answers.\n".replace("\n", newline)
    note = parse_note("memory/x.md", encode(text))
    wanted = text.replace(old.replace("\n", newline), new.replace("\n", newline), 1)
    assert set_fields(note, 0, values, "zzzzz0") == wanted


@pytest.mark.parametrize("value", ["new", None])
@pytest.mark.parametrize(
    "key",
    [
        "aliases: [a, b]",
        "aliases:\n- a\n- b",
        "aliases: |\n  a\n  # last",
        "aliases: a\n  b",
        "aliases: &x a",
        "aliases: {a: b}",
    ],
)
def test_a_value_that_is_more_than_one_plain_line_is_left_alone(key: str, value: str | None) -> None:
    text = f"---\nid: k7m2pq\ntag: FACT\ntitle: x\n{key}\n---\n"
    with pytest.raises(
        CannotSplice, match=r"^(the value of aliases in its .*one plain line|its front matter is no .*YAML)$"
    ):
        set_fields(parse_note("memory/x.md", text.encode()), 0, [("aliases", value)], "zzzzz0")


@pytest.mark.parametrize("value", ["x", "[a, b]", "x: y"])
def test_ten_thousand_keys_take_linear_time(value: str) -> None:
    def read(count: int) -> None:
        block = "".join(f"key{number % (count - 5)}: {value}\n" for number in range(count))
        assert len(front(block).keys) == count

    assert_growth(read, 1_000, 10_000, at_most=40)
