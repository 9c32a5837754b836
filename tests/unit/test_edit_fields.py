"""Fields and tags of several entries in one pass: only those bytes change."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from remember_me.model.entry import Entry, Tag
from remember_me.notes.grammar import Form
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note, encode, parse_note
from remember_me.notes.splice import CannotSplice, FieldEdit, edit_fields
from tests.texts import field_values, note_texts, topic_texts

DAILY, LONG_TERM, TOPIC = "memory/2026-11-29.md", "MEMORY.md", "memory/x.md"
PATHS = st.sampled_from([DAILY, LONG_TERM])


def read(text: str, path: str = DAILY) -> Note:
    note = parse_note(path, encode(text))
    assert note.text == text
    return note


def one_after_the_other(note: Note, wanted: Mapping[int, FieldEdit]) -> str:
    for index, edit in wanted.items():
        note = read(edit_fields(note, {index: edit}), note.path)
    return note.text


OPEN_LINE = "taking away the last line, which has no line end, and writing another one leaves a blank line between"

PROMOTED = (("status", "promoted"), ("reason", None))
CONFIRMED = (("validated", "2026-11-29"), ("basis", None), ("confidence", None))

THREE = (
    "# Log\n\n- FACT: a ^aaaaa1\n  - impact: 2\n  - reason: x\n\n  body\n\nProse.\n"
    "- [9:05] HYPOTHESIS: b\n  - confidence: low\n  - evidence: \"q\"\n* GOAL: c ^aaaaa3\n"
)  # fmt: skip


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_several_entries_in_one_pass(order: tuple[int, ...], newline: str) -> None:
    note = read(THREE.replace("\n", newline))
    edits = {
        0: FieldEdit(PROMOTED, "zzzzz0"),
        1: FieldEdit(CONFIRMED, "zzzzz1", tag=Tag.FACT),
        2: FieldEdit((("impact", "3"),), "zzzzz2", added=[("evidence", '"said so" — s/1')], tag=Tag.GOAL),
    }
    wanted = {index: edits[index] for index in order}
    text = edit_fields(note, wanted)
    assert text == (
        "# Log\n\n- FACT: a ^aaaaa1\n  - impact: 2\n  - status: promoted\n\n  body\n\nProse.\n"
        "- [9:05] FACT: b ^zzzzz1\n  - validated: 2026-11-29\n  - evidence: \"q\"\n"
        "* GOAL: c ^aaaaa3\n  - impact: 3\n  - evidence: \"said so\" — s/1\n"
    ).replace("\n", newline)  # fmt: skip
    assert one_after_the_other(note, wanted) == text


def test_no_edit_changes_nothing() -> None:
    for text in ("", "Prose", THREE, "- FACT: a ^aaaaa1"):
        assert edit_fields(read(text), {}) == text
    note = read("- FACT: a ^aaaaa1\r\n\r\n- GOAL: b ^aaaaa2")
    assert edit_fields(note, {0: FieldEdit((), "zzzzz0"), 1: FieldEdit((), "zzzzz1", tag=Tag.GOAL)}) == note.text


# Another tag


@pytest.mark.parametrize("end", ["", "\n", "\n\n- FACT: after\n"])
@pytest.mark.parametrize(
    ("item", "tag", "changed"),
    [
        ("- FACT: a ^k7m2pq", Tag.GOAL, "- GOAL: a ^k7m2pq"),
        ("- FACT: a", Tag.HYPOTHESIS, "- HYPOTHESIS: a ^zzzzz0"),
        ("- FACT: a ^k7m2pq", Tag.FACT, "- FACT: a ^k7m2pq"),
        ("- FACT: a", Tag.FACT, "- FACT: a ^zzzzz0"),
        ("- [9:05]  HYPOTHESIS:   FACT: HYPOTHESIS ", Tag.FACT, "- [9:05]  FACT:   FACT: HYPOTHESIS ^zzzzz0 "),
        ("*\tGOAL:\ta \\^abc123", Tag.FACT, "*\tFACT:\ta \\^abc123 ^zzzzz0"),
        ("- FACT: a ^k7m2pq\n  - x: FACT\n\n  FACT: body", Tag.GOAL, "- GOAL: a ^k7m2pq\n  - x: FACT\n\n  FACT: body"),
        ("- [9:05] Tag: FACT\n  Memory: FACT", Tag.PREFERENCE, "- [9:05] Tag: PREFERENCE ^zzzzz0\n  Memory: FACT"),
        ("- [9:05] Tag:FACT ^k7m2pq\n  Memory: a\n    b", Tag.GOAL, "- [9:05] Tag:GOAL ^k7m2pq\n  Memory: a\n    b"),
    ],
)  # fmt: skip
def test_another_tag_is_all_that_changes(item: str, tag: Tag, changed: str, end: str) -> None:
    for newline in ("\n", "\r\n"):
        note = read(f"Before.\n\n{item}{end}".replace("\n", newline))
        text = edit_fields(note, {0: FieldEdit((), "zzzzz0", tag=tag)})
        assert text == f"Before.\n\n{changed}{end}".replace("\n", newline)
        entry, before = read(text).entries[0], note.entries[0]
        assert (entry.tag, entry.title, entry.body) == (tag, before.title, before.body)
        assert entry.fields == before.fields


@pytest.mark.parametrize("end", ["", "\n", "\n\n## Facts\n"])
@pytest.mark.parametrize(
    ("item", "edit", "changed"),
    [
        (
            "- Decides fast (confidence: low, status: untested)",
            FieldEdit((), "zzzzz0", tag=Tag.FACT),
            "- FACT: Decides fast ^zzzzz0",
        ),
        (
            "- Decides fast (confidence: low, status: validated) ^k7m2pq",
            FieldEdit(CONFIRMED, "zzzzz0", tag=Tag.PREFERENCE),
            "- PREFERENCE: Decides fast ^k7m2pq\n  - validated: 2026-11-29",
        ),
        (
            "*  [ ] x (confidence: high, status: testing)  \n  - asked: 2026-11-28",
            FieldEdit(CONFIRMED, "zzzzz0", tag=Tag.GOAL),
            "*  GOAL: [ ] x ^zzzzz0  \n  - asked: 2026-11-28\n  - validated: 2026-11-29",
        ),
        (
            "- Ends in ^abc123 (confidence: low, status: untested)",
            FieldEdit((), "zzzzz0", tag=Tag.GOAL),
            "- GOAL: Ends in \\^abc123 ^zzzzz0",
        ),
        (
            "- FACT: x (confidence: low, status: untested)",
            FieldEdit((), "zzzzz0", tag=Tag.GOAL),
            "- GOAL: x (confidence: low, status: untested) ^zzzzz0",  # an entry of our own form
        ),
        (
            "- Decides fast (confidence: low, status: untested)",
            FieldEdit((("confidence", "high"), ("validated", "2026-11-29")), "zzzzz0"),
            "- Decides fast (confidence: high, status: untested) ^zzzzz0\n  - validated: 2026-11-29",
        ),
        (
            "- Decides fast (confidence: low, status: untested)\n\n  body",
            FieldEdit((), "zzzzz0", added=[("evidence", '"x"')]),
            '- Decides fast (confidence: low, status: untested) ^zzzzz0\n  - evidence: "x"\n\n  body',
        ),
    ],
)
def test_assumptions(item: str, edit: FieldEdit, changed: str, end: str) -> None:
    """An assumption has no tag in its line; another tag makes an entry of our own form of it."""
    for newline in ("\n", "\r\n"):
        note = read(f"# Assumptions\n\n{item}{end}".replace("\n", newline), LONG_TERM)
        text = edit_fields(note, {0: edit})
        assert text == f"# Assumptions\n\n{changed}{end}".replace("\n", newline)
        entry, before = read(text, LONG_TERM).entries[0], note.entries[0]
        assert (entry.tag, entry.title, entry.body) == (edit.tag or before.tag, before.title, before.body)
        assert entry.id == (before.id if not before.provisional else "zzzzz0")


def test_an_assumption_that_stays_a_hypothesis_keeps_its_form() -> None:
    note = read("# Assumptions\n\n- Decides fast (confidence: low, status: untested)\n", LONG_TERM)
    values = (("validated", "2026-11-29"), ("confidence", "high"))
    text = edit_fields(note, {0: FieldEdit(values, "zzzzz0", tag=Tag.HYPOTHESIS)})
    entry = read(text, LONG_TERM).entries[0]
    assert (entry.id, entry.confidence, entry.validated, entry.title) == ("zzzzz0", "high", True, "Decides fast")
    assert text.startswith("# Assumptions\n\n- Decides fast (confidence: ")


@pytest.mark.parametrize(
    ("front", "edit", "changed"),
    [
        (
            "id: k7m2pq\ntag: FACT  # mine\ntitle: FACT\n",
            FieldEdit((), "zzzzz0", tag=Tag.GOAL),
            "id: k7m2pq\ntag: GOAL  # mine\ntitle: FACT\n",
        ),
        (
            "id: k7m2pq\ntag: 'HYPOTHESIS'\ntitle: T\nconfidence: low\n",
            FieldEdit(CONFIRMED, "zzzzz0", tag=Tag.FACT),
            "id: k7m2pq\ntag: FACT\ntitle: T\nvalidated: 2026-11-29\n",
        ),
        (
            "name: T\ntype: user\n",
            FieldEdit((("impact", "3"),), "zzzzz0", tag=Tag.GOAL),
            "name: T\ntype: user\nimpact: 3\ntag: GOAL\nid: zzzzz0\n",
        ),
        (
            "id: k7m2pq\ntag: FACT\ntitle: T\n",
            FieldEdit((), "zzzzz0", added=[("evidence", '"x" — s')]),
            'id: k7m2pq\ntag: FACT\ntitle: T\nevidence: "\\"x\\" — s"\n',
        ),
        (
            "id: k7m2pq\ntag: FACT\ntitle: T\nevidence: old\n",
            FieldEdit((("impact", "2"),), "zzzzz0", added=[("evidence", "new")]),
            "id: k7m2pq\ntag: FACT\ntitle: T\nevidence: old\nimpact: 2\n",
        ),
    ],
)
@pytest.mark.parametrize("behind", ["", "\n", "\n\nBody: FACT\n"])
def test_topic_notes(front: str, edit: FieldEdit, changed: str, behind: str) -> None:
    for newline in ("\n", "\r\n"):
        note = read(f"---\n{front}---{behind}".replace("\n", newline), TOPIC)
        text = edit_fields(note, {0: edit})
        assert text == f"---\n{changed}---{behind}".replace("\n", newline)
        assert read(text, TOPIC).entries[0].tag is (edit.tag or note.entries[0].tag)


def test_a_topic_note_whose_tag_stands_twice_is_left_alone() -> None:
    note = read("---\nid: k7m2pq\ntag: FACT\ntag: GOAL\ntitle: T\n---\n", TOPIC)
    with pytest.raises(CannotSplice, match=r"^tag stands twice in its front matter$"):
        edit_fields(note, {0: FieldEdit((), "zzzzz0", tag=Tag.GOAL)})


# Added lines


@pytest.mark.parametrize("end", ["", "\n", "\n\n- FACT: after\n"])
@pytest.mark.parametrize(
    ("item", "edit", "changed"),
    [
        ("- FACT: a ^k7m2pq", FieldEdit((), "z", [("evidence", "x")]), "- FACT: a ^k7m2pq\n  - evidence: x"),
        (
            "- FACT: a\n  - evidence: x",
            FieldEdit((("impact", "2"),), "zzzzz0", [("evidence", "y"), ("evidence", "x")]),
            "- FACT: a ^zzzzz0\n  - impact: 2\n  - evidence: x\n  - evidence: y\n  - evidence: x",
        ),
        (
            "- FACT: a\n\t- x: y\n\n  body",
            FieldEdit((("impact", "2"),), "zzzzz0", [("evidence", "y")]),
            "- FACT: a ^zzzzz0\n\t- x: y\n\t- impact: 2\n\t- evidence: y\n\n  body",
        ),
        (
            "- [08:05 CET] Tag: FACT ^k7m2pq\n    Memory: a\n      b",
            FieldEdit((("impact", "2"),), "z", [("evidence", "y")]),
            "- [08:05 CET] Tag: FACT ^k7m2pq\n    Memory: a\n      b\n  Impact-Score: 2\n  Evidence: y",
        ),
        (
            "- FACT: a ^k7m2pq\n  - impact: 2\n  - evidence: x",
            FieldEdit((("evidence", None),), "z", [("evidence", "y")]),
            "- FACT: a ^k7m2pq\n  - impact: 2\n  - evidence: y",
        ),
    ],
)
def test_added_lines(item: str, edit: FieldEdit, changed: str, end: str) -> None:
    for newline in ("\n", "\r\n"):
        note = read(f"Before.\n\n{item}{end}".replace("\n", newline))
        text = edit_fields(note, {0: edit})
        assert text == f"Before.\n\n{changed}{end}".replace("\n", newline)
        assert read(text).entries[0].evidence[-1].quote in ("x", "y")


def test_a_field_without_a_label_in_the_skills_form_stops_the_whole_pass() -> None:
    note = read("- FACT: a ^aaaaa1\n- [08:05 CET] Tag: FACT\n  Memory: a\n")
    wanted = {0: FieldEdit((("impact", "2"),), "z"), 1: FieldEdit((), "zzzzz0", [("colour", "red")])}
    with pytest.raises(CannotSplice, match=r"^its form has no label for colour$"):
        edit_fields(note, wanted)


# The last line has no line end


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("item", "values", "changed"),
    [
        ("- FACT: a\n  - impact: 2", (("impact", None),), "- FACT: a ^zzzzz0"),
        ("- FACT: a\n  - impact: 2\n  - reason: x", PROMOTED[1:], "- FACT: a ^zzzzz0\n  - impact: 2"),
        ("- FACT: a\n  - x: 2\n  - x: 3", (("x", None),), "- FACT: a ^zzzzz0"),
        ("- FACT: a\n  - impact: 2", (("impact", "3"),), "- FACT: a ^zzzzz0\n  - impact: 3"),
        ("- FACT: a\n  - impact:", (("impact", "3"),), "- FACT: a ^zzzzz0\n  - impact: 3"),
        ("- FACT: a\n  - x: 1\n  - y: 2", (("x", None), ("y", "3")), "- FACT: a ^zzzzz0\n  - y: 3"),
    ],
)
def test_a_last_line_without_a_line_end(
    item: str, values: tuple[tuple[str, str | None], ...], changed: str, newline: str
) -> None:
    note = read(f"- GOAL: first ^aaaaa1\n{item}".replace("\n", newline))
    wanted = {0: FieldEdit((("impact", "3"),), "zzzzz1"), 1: FieldEdit(values, "zzzzz0")}
    text = edit_fields(note, wanted)
    assert text == f"- GOAL: first ^aaaaa1\n  - impact: 3\n{changed}".replace("\n", newline)
    assert one_after_the_other(note, wanted) == text


@pytest.mark.parametrize(
    ("item", "values", "changed"),
    [
        (
            "- HYPOTHESIS: a ^k7m2pq\n  - confidence: low",
            CONFIRMED,
            "- FACT: a ^k7m2pq\n  - validated: 2026-11-29",
        ),
        ("- HYPOTHESIS: a ^k7m2pq\n  - reason: x", PROMOTED, "- FACT: a ^k7m2pq\n  - status: promoted"),
    ],
)
def test_a_last_line_that_makes_way_for_another(
    item: str, values: tuple[tuple[str, str | None], ...], changed: str
) -> None:
    """`confirm --as FACT` on a note whose last line an editor left without a line end."""
    text = edit_fields(read(item), {0: FieldEdit(values, "zzzzz0", tag=Tag.FACT)})
    assert text == changed


# For all notes


def words(entry: Entry) -> tuple[object, ...]:
    identity = None if entry.provisional else entry.id
    return identity, entry.tag, entry.title, entry.body, entry.fields, entry.created_at


def between(note: Note, numbers: list[int]) -> list[str]:
    """The text in front of, between and behind these items."""
    pieces, at = [], 0
    for number in sorted(numbers):
        pieces.append(note.text[at : note.items[number].start])
        at = note.items[number].end
    return [*pieces, note.text[at:]]


SET = st.sampled_from(["status", "impact", "validated", "asked", "reinforced"])
UNSET = st.sampled_from(["reason", "basis", "confidence", "signal"])


@st.composite
def edits(draw: st.DrawFn, note: Note) -> dict[int, FieldEdit]:
    """What rules decide about one to four entries of a note."""
    numbers = draw(
        st.lists(st.integers(0, len(note.entries) - 1), min_size=1, max_size=min(4, len(note.entries)), unique=True)
    )
    made: dict[int, FieldEdit] = {}
    for number in numbers:
        values: list[tuple[str, str | None]] = [
            (key, draw(field_values)) for key in draw(st.lists(SET, max_size=2, unique=True))
        ]
        values += [(key, None) for key in draw(st.lists(UNSET, max_size=2, unique=True))]
        added = [("evidence", draw(field_values)) for _ in range(draw(st.integers(0, 2)))]
        tag = draw(st.sampled_from([None, *Tag]))
        made[number] = FieldEdit(values, f"zzzzz{number}", added, tag)
    return made


def rewrites_the_last_line(note: Note, wanted: dict[int, FieldEdit]) -> bool:
    """Whether the last line has no line end, goes away, and another one is written (see `OPEN_LINE`)."""
    last = len(note.items) - 1
    if last not in wanted or note.text.endswith("\n"):
        return False
    edit = wanted[last]
    gone = {key for key, value in edit.values if value is None}
    ends = [line for line in note.items[last].fields if line.end == len(note.text) and line.key in gone]
    return bool(ends) and (bool(edit.added) or any(value is not None for _, value in edit.values))


@given(note_texts(), PATHS, st.data())
def test_one_pass_is_one_after_the_other_and_nothing_else_moves(text: str, path: str, data: st.DataObject) -> None:
    note = read(text, path)
    assume(note.entries)
    wanted = data.draw(edits(note))
    assume(not rewrites_the_last_line(note, wanted))
    after = read(edit_fields(note, wanted), path)
    assert one_after_the_other(note, wanted) == after.text
    assert len(after.entries) == len(note.entries)
    assert between(after, list(wanted)) == between(note, list(wanted))
    for number, (old, new) in enumerate(zip(note.entries, after.entries, strict=True)):
        edit = wanted.get(number)
        if edit is None:
            assert words(new) == words(old)
            continue
        assert new.id == (edit.new_id if old.provisional else old.id)
        assert (new.tag, new.title, new.body) == (edit.tag or old.tag, old.title, old.body)
        assert new.created_at == old.created_at
        for key, value in edit.values:
            if value is not None:
                assert new.field(key) == value
            elif note.items[number].form is not Form.ASSUMPTION:
                assert new.field(key) is None
        quotes = [value for key, value in old.fields if key == "evidence"]
        quotes += [value for _, value in edit.added]
        assert [value for key, value in new.fields if key == "evidence"] == quotes
        if note.items[number].form is not Form.ASSUMPTION:
            touched = {"evidence", *(key for key, _ in edit.values)}
            assert [pair for pair in new.fields if pair[0] not in touched] == [
                pair for pair in old.fields if pair[0] not in touched
            ]


@given(topic_texts(), st.sampled_from(list(Tag)), field_values)
def test_a_topic_notes_tag_and_fields_are_all_that_changes(text: str, tag: Tag, value: str) -> None:
    note = read(text, TOPIC)
    assume(note.kind is NoteKind.TOPIC)
    old = note.entries[0]
    after = read(edit_fields(note, {0: FieldEdit((("impact", "3"), ("reason", value)), "zzzzz0", tag=tag)}), TOPIC)
    new = after.entries[0]
    assert (new.tag, new.title, new.body, new.impact, new.field("reason")) == (tag, old.title, old.body, 3, value)
    assert new.id == ("zzzzz0" if old.provisional else old.id)
    written = ("impact", "reason", "tag", "id")
    kept = [line for line in note.text.split("\n") if not line.startswith(tuple(f"{key}:" for key in written))]
    left = [line for line in after.text.split("\n") if not line.startswith(tuple(f"{key}:" for key in written))]
    assert left == kept
