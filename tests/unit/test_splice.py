"""Each way of changing one entry's bytes, by example. What holds for all texts is in test_splice_properties.py."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.notes.note import Note, encode, parse_note
from remember_me.notes.splice import (
    CannotSplice,
    adopt_topic_note,
    append_entry,
    correct,
    corrected_words,
    entry_lines,
    ordered_fields,
    render_topic_note,
    set_fields,
)

AT = datetime(2026, 11, 29, 14, 32, tzinfo=timezone(timedelta(hours=1)))
DAILY, LONG_TERM, TOPIC = "memory/2026-11-29.md", "MEMORY.md", "memory/x.md"


def read(text: str, path: str = DAILY) -> Note:
    return parse_note(path, encode(text))


def new(title: str = "New", body: str = "", *fields: tuple[str, str]) -> Add:
    return Add("zzzzz0", Tag.FACT, title, body, fields, AT)


ENTRY = "- [14:32 +01:00] FACT: New ^zzzzz0\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ENTRY),
        ("\ufeff", "\ufeff" + ENTRY),
        ("---\ndate: x\n---\n", "---\ndate: x\n---\n\n" + ENTRY),
        ("Text.", "Text.\n\n" + ENTRY),
        ("Text.\n", "Text.\n\n" + ENTRY),
        ("Text.\n\n", "Text.\n\n" + ENTRY),
        ("Text.\n  \n", "Text.\n  \n" + ENTRY),
        ("Text.\r\n", "Text.\r\n\r\n" + ENTRY.replace("\n", "\r\n")),
        ("Text.\r\n\r\nmore", "Text.\r\n\r\nmore\r\n\r\n" + ENTRY.replace("\n", "\r\n")),
        ("x" * 5000 + "\r\n", "x" * 5000 + "\r\n\r\n" + ENTRY.replace("\n", "\r\n")),
        ("- FACT: x\n\n  body", "- FACT: x\n\n  body\n\n" + ENTRY),
        ("Text.\n```\ncode\n", "Text.\n\n" + ENTRY + "\n```\ncode\n"),
        ("```\ncode\n", ENTRY + "\n```\ncode\n"),
        ("Text.\n\n<!-- open\n", "Text.\n\n" + ENTRY + "\n<!-- open\n"),
        ("Text.\n\n   ```\ncode", "Text.\n\n" + ENTRY + "\n<!-- -->\n   ```\ncode"),
        ("---\nnever closed\n", "---\nnever closed\n\n" + ENTRY),
        ("a\r\nhalf a line end\r", "a\r\nhalf a line end\r\n\r\n" + ENTRY.replace("\n", "\r\n")),
    ],
)
def test_a_new_entry_goes_to_the_end_or_before_what_nobody_closed(before: str, after: str) -> None:
    assert append_entry(read(before), new()) == after
    assert read(after).entries[-1].id == "zzzzz0"


def test_a_new_entry_with_fields_and_a_body() -> None:
    change = new("T", "one\n\n   \n  two", ("signal", "boundary"), ("evidence", '"x"'))
    assert append_entry(read(""), change) == (
        '- [14:32 +01:00] FACT: T ^zzzzz0\n  - signal: boundary\n  - evidence: "x"\n\n  one\n\n     \n    two\n'
    )


@pytest.mark.parametrize("end", ["", "\n", "\n\nafter\n"])
@pytest.mark.parametrize(
    ("item", "title", "body", "changed"),
    [
        ("- FACT: a ^k7m2pq", "b", "", "- FACT: b ^k7m2pq"),
        ("- FACT: a", "b", "", "- FACT: b ^zzzzz0"),
        ("- FACT: a  ", "a", "", "- FACT: a ^zzzzz0  "),
        ("- FACT: a", "b ^abc123", "", "- FACT: b \\^abc123 ^zzzzz0"),
        ("- FACT: a", "a", "x\ny", "- FACT: a ^zzzzz0\n\n  x\n  y"),
        ("- FACT: a ^k7m2pq\n  - impact: 2", "a", "- b: c", "- FACT: a ^k7m2pq\n  - impact: 2\n\n  - b: c"),
        ("- FACT: a ^k7m2pq\n  old", "a", "- pinned: true", "- FACT: a ^k7m2pq\n\n  - pinned: true"),
        ("- FACT: a ^k7m2pq\n\n\n  old\n  two", "a", "new", "- FACT: a ^k7m2pq\n\n\n  new"),
        ("- FACT: a ^k7m2pq\n\n\told", "a", "new", "- FACT: a ^k7m2pq\n\n  new"),
        ("* [9:05]  GOAL: a\n\n  old", "b", "new", "* [9:05]  GOAL: b ^zzzzz0\n\n  new"),
        (
            "- [08:05 CET] Tag: FACT\n  Memory: a\n    wrapped\n  Confidence: low",
            "b",
            "Signal: x",
            "- [08:05 CET] Tag: FACT ^zzzzz0\n  Memory: b\n  Confidence: low\n\n  Signal: x",
        ),
        (
            "- [08:05 CET] Tag: FACT ^k7m2pq\n  Memory: a",
            "a",
            "body",
            "- [08:05 CET] Tag: FACT ^k7m2pq\n  Memory: a\n\n  body",
        ),
    ],
)
def test_new_words_for_an_entry(item: str, title: str, body: str, changed: str, end: str) -> None:
    for newline in ("\n", "\r\n"):
        note = read(f"Before.\n\n{item}{end}".replace("\n", newline))
        text = correct(note, 0, title, body, "zzzzz0")
        assert text == f"Before.\n\n{changed}{end}".replace("\n", newline)
        assert (read(text).entries[0].title, read(text).entries[0].body) == (title, body)


def test_a_body_is_taken_away_with_the_blank_line_above_it() -> None:
    text = "- FACT: a ^k7m2pq\n  - impact: 2\n\n  old\n\n  two\n\n- FACT: b\n"
    assert correct(read(text), 0, "a", "", "zzzzz0") == "- FACT: a ^k7m2pq\n  - impact: 2\n\n- FACT: b\n"


ASSUMPTIONS = "# Assumptions\n\n- Decides fast (confidence: low, status: validated)\n"


@pytest.mark.parametrize("title", ["FACT: x", "[14:32] GOAL: x", "HYPOTHESIS: x"])
def test_an_assumption_cannot_get_a_title_that_would_make_another_entry_of_it(title: str) -> None:
    with pytest.raises(CannotSplice, match=r"^a line of its form cannot begin with a tag$"):
        correct(read(ASSUMPTIONS, LONG_TERM), 0, title, "", "zzzzz0")


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ([("confidence", "high")], "- Decides fast (confidence: high, status: validated) ^zzzzz0\n"),
        (
            [("validated", "2026-11-01")],
            "- Decides fast (confidence: low, status: validated) ^zzzzz0\n  - validated: 2026-11-01\n",
        ),
        ([("validated", None)], "- Decides fast (confidence: low, status: validated) ^zzzzz0\n"),
    ],
)
def test_fields_of_an_assumption(values: list[tuple[str, str | None]], line: str) -> None:
    text = set_fields(read(ASSUMPTIONS, LONG_TERM), 0, values, "zzzzz0")
    assert text == f"# Assumptions\n\n{line}"
    for key, value in values:
        assert value is None or read(text, LONG_TERM).entries[0].field(key) == value


@pytest.mark.parametrize("end", ["", "\n", "\n\n- FACT: after\n"])
@pytest.mark.parametrize(
    ("item", "values", "changed"),
    [
        ("- FACT: a ^k7m2pq", [("pinned", "true")], "- FACT: a ^k7m2pq\n  - pinned: true"),
        ("- FACT: a", [("pinned", "true")], "- FACT: a ^zzzzz0\n  - pinned: true"),
        ("- FACT: a\n  - x: y", [("pinned", "true")], "- FACT: a ^zzzzz0\n  - x: y\n  - pinned: true"),
        ("- FACT: a ^k7m2pq\n\t- x: y", [("pinned", "true")], "- FACT: a ^k7m2pq\n\t- x: y\n\t- pinned: true"),
        (
            "- FACT: a ^k7m2pq\n  - x: y\n  - evidence: z\n  - evidence: z",
            [("status", "disabled"), ("reason", "b")],
            "- FACT: a ^k7m2pq\n  - x: y\n  - status: disabled\n  - reason: b\n  - evidence: z\n  - evidence: z",
        ),
        ("- FACT: a ^k7m2pq\n  - impact: 2  ", [("impact", "3")], "- FACT: a ^k7m2pq\n  - impact: 3  "),
        ("- FACT: a ^k7m2pq\n  - impact:", [("impact", "3")], "- FACT: a ^k7m2pq\n  - impact: 3"),
        (
            "- FACT: a ^k7m2pq\n  - impact: 2\n  - impact: 1",
            [("impact", "3")],
            "- FACT: a ^k7m2pq\n  - impact: 3\n  - impact: 1",
        ),
        (
            "- FACT: a ^k7m2pq\n  - impact: 2\n  - x: y\n  - impact: 1",
            [("impact", None)],
            "- FACT: a ^k7m2pq\n  - x: y",
        ),
        ("- FACT: a ^k7m2pq\n  - x: y\n  - impact: 2", [("impact", None)], "- FACT: a ^k7m2pq\n  - x: y"),
        ("- FACT: a ^k7m2pq\n  - impact: 2\n\n  body", [("impact", None)], "- FACT: a ^k7m2pq\n\n  body"),
        ("- FACT: a ^k7m2pq\n\n  body", [("pinned", "true")], "- FACT: a ^k7m2pq\n  - pinned: true\n\n  body"),
        ("- FACT: a ^k7m2pq\n  body", [("pinned", "true")], "- FACT: a ^k7m2pq\n  - pinned: true\n  body"),
        (
            "- [08:05 CET] Tag: FACT\n    Memory: a\n      b",
            [("pinned", "true")],
            "- [08:05 CET] Tag: FACT ^zzzzz0\n    Memory: a\n      b\n  Pinned: true",
        ),
        (
            "- [08:05 CET] Tag: FACT ^k7m2pq\n    Signal: goal\n    Memory: a",
            [("signal", "boundary"), ("status", "stale")],
            "- [08:05 CET] Tag: FACT ^k7m2pq\n    Signal: boundary\n    Memory: a\n    Status: stale",
        ),
    ],
)
def test_fields_written_changed_and_taken_away(
    item: str, values: list[tuple[str, str | None]], changed: str, end: str
) -> None:
    for newline in ("\n", "\r\n"):
        note = read(f"Before.\n\n{item}{end}".replace("\n", newline))
        text = set_fields(note, 0, values, "zzzzz0")
        assert text == f"Before.\n\n{changed}{end}".replace("\n", newline)
        after = read(text).entries[0]
        assert (after.title, after.body) == (note.entries[0].title, note.entries[0].body)
        assert [after.field(key) for key, _ in values] == [value for _, value in values]


def test_a_field_of_ones_own_has_no_label_in_the_skills_form() -> None:
    note = read("- [08:05 CET] Tag: FACT\n  Memory: a\n")
    with pytest.raises(CannotSplice, match=r"^its form has no label for colour$"):
        set_fields(note, 0, [("colour", "red")], "zzzzz0")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("behind", "body", "changed"),
    [
        ("\n\nold\n", "new\nlines", "\n\nnew\nlines\n"),
        ("\n\n\nold  \n\n\n", "new", "\n\n\nnew\n\n\n"),
        ("\nold", "new", "\nnew"),
        ("\n", "new", "\n\nnew\n"),
        ("", "new", "\nnew\n"),
        ("\n\n", "new", "\n\nnew\n"),
        ("\n  ", "new", "\n  \nnew\n"),
        ("\n\nold\n", "", "\n\n\n"),
        ("\n", "", "\n"),
    ],
)
def test_new_words_for_a_topic_note(behind: str, body: str, changed: str, newline: str) -> None:
    head = "---\nid: k7m2pq\ntag: FACT\ntitle: T # kept\n---"
    note = read((head + behind).replace("\n", newline), TOPIC)
    text = correct(note, 0, "T", body, "zzzzz0")
    assert text == (head + changed).replace("\n", newline)
    assert read(text, TOPIC).entries[0].body == body


def test_a_topic_note_without_an_id_gets_one_and_its_name_stays_its_title() -> None:
    text = "---\nname: Old\ntype: user\n---\n\nBody\n"
    assert correct(read(text, TOPIC), 0, "New: name", "Body", "zzzzz0") == (
        '---\nname: "New: name"\ntype: user\nid: zzzzz0\n---\n\nBody\n'
    )


def test_a_topic_note_whose_id_is_none_of_ours_gets_one_in_its_place() -> None:
    text = "---\nid: m-01  # mine\ntag: FACT\ntitle: T\n---\n"
    note = read(text, TOPIC)
    assert [str(problem) for problem in note.problems] == [
        f"{TOPIC}:2: m-01 is no id; served under {note.entries[0].id}"
    ]
    assert set_fields(note, 0, [("pinned", "true")], "zzzzz0") == (
        "---\nid: zzzzz0  # mine\ntag: FACT\ntitle: T\npinned: true\n---\n"
    )


def test_a_new_topic_note() -> None:
    text = render_topic_note(new("A: title", "one\n\ntwo", ("impact", "3"), ("evidence", '"x" — s')))
    assert text == (
        '---\nid: zzzzz0\ntag: FACT\ntitle: "A: title"\nimpact: 3\nevidence: "\\"x\\" — s"\nsince: 2026-11-29\n---\n'
        "\none\n\ntwo\n"
    )
    (entry,) = read(text, TOPIC).entries
    assert (entry.evidence[0].quote, entry.evidence[0].source) == ("x", "s")
    assert render_topic_note(new("x"), "\r\n") == (
        "---\r\nid: zzzzz0\r\ntag: FACT\r\ntitle: x\r\nsince: 2026-11-29\r\n---\r\n"
    )


@pytest.mark.parametrize(
    ("document", "adopted"),
    [
        ("Body", "---\nid: zzzzz0\ntag: FACT\ntitle: New\nsince: 2026-11-29\n---\n\nBody"),
        (
            "\ufeff# H\r\n\r\nBody\r\n",
            "\ufeff---\r\nid: zzzzz0\r\ntag: FACT\r\ntitle: New\r\nsince: 2026-11-29\r\n---\r\n\r\n# H\r\n\r\nBody\r\n",
        ),
        (
            "---\n# kept\ntitle: Theirs\nx: [a]\n---\nBody\n",
            "---\n# kept\ntitle: Theirs\nx: [a]\nid: zzzzz0\ntag: FACT\nsince: 2026-11-29\n---\nBody\n",
        ),
        ("---\n---\nBody\n", "---\nid: zzzzz0\ntag: FACT\ntitle: New\nsince: 2026-11-29\n---\nBody\n"),
        (
            "---\n- milk\n---\nBody\n",
            "---\nid: zzzzz0\ntag: FACT\ntitle: New\nsince: 2026-11-29\n---\n\n---\n- milk\n---\nBody\n",
        ),
    ],
)
def test_a_persons_file_becomes_a_topic_note_and_keeps_its_bytes(document: str, adopted: str) -> None:
    assert adopt_topic_note(document, new(), TOPIC) == adopted
    assert read(adopted, TOPIC).entries[0].id == "zzzzz0"


def test_corrected_words_keep_a_body_that_is_more_than_the_titles_long_form() -> None:
    separate = read("- FACT: Title ^k7m2pq\n\n  Another text.\n").entries[0]
    assert corrected_words(separate, "New title") == ("New title", "Another text.")
    assert corrected_words(separate, "New\nlines") == ("New", "New\nlines")
    long = read("- FACT: First ^k7m2pq\n\n  First\n  second\n").entries[0]
    assert corrected_words(long, "New title") == ("New title", "")


def test_our_own_fields_have_an_order_and_others_keep_theirs_before_the_evidence() -> None:
    given = [("evidence", "e"), ("z", "1"), ("impact", "2"), ("a", "3"), ("description", "d"), ("evidence", "f")]
    assert [key for key, _ in ordered_fields(given)] == ["description", "impact", "z", "a", "evidence", "evidence"]


@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_an_entrys_lines_are_the_same_whatever_the_line_ends(bom: str) -> None:
    daily = "- FACT: a ^k7m2pq\n  - impact: 2\n\n  body"
    topic = "---\nid: k7m2pq\ntag: FACT\ntitle: a\n---\n\nbody"
    for text, path in ((daily, DAILY), (topic, TOPIC)):
        for ending in ("", "\n"):
            assert entry_lines(read(bom + (text + ending).replace("\n", "\r\n"), path), 0) == text
