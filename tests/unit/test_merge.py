"""Merges by example: undo, redo, hand edits, and where both sides changed the same."""

from __future__ import annotations

import pytest

from remember_me.notes.merge import Conflict, Merged, merge
from remember_me.notes.note import Note, encode, parse_note

DAILY, TOPIC = "memory/2026-11-29.md", "memory/x.md"
HEAD = "---\ndate: 2026-11-29\n---\n"
A = "\n- FACT: a ^aaaaa1\n  - impact: 2\n\n  body of a\n"
B = "\n- GOAL: b ^bbbbb1\n"
C = "\n- FACT: c ^ccccc1\n  - impact: 1\n"


def read(text: str, path: str = DAILY) -> Note:
    return parse_note(path, encode(text))


def merged(base: str, current: str, target: str, path: str = DAILY, **options: object) -> Merged:
    return merge(read(base, path), read(current, path), read(target, path), **options)  # type: ignore[arg-type]


def clean(base: str, current: str, target: str, path: str = DAILY, **options: object) -> str:
    found = merged(base, current, target, path, **options)
    assert found.conflicts == ()
    return found.text


def test_undo_of_an_entry_leaves_the_later_ones() -> None:
    assert clean(HEAD + A, HEAD + A + B + C, HEAD) == HEAD + B + C
    assert clean(HEAD + A + B, HEAD + A + B + C, HEAD + A) == HEAD + A + C


def test_redo_brings_an_entry_back_to_its_place() -> None:
    assert clean(HEAD, HEAD + B + C, HEAD + A) == HEAD + A + B + C
    assert clean(HEAD + A, HEAD + A + C, HEAD + A + B) == HEAD + A + B + C


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_boms_and_line_ends_stay(bom: str, newline: str) -> None:
    one, two = "- FACT: a ^aaaaa1\n", "\n- FACT: b ^bbbbb1\n"
    states = [(bom + text).replace("\n", newline) for text in ("", one, one + two, two.removeprefix("\n"))]
    undone = clean(states[1], states[2], states[0])
    assert undone == bom + two.replace("\n", newline)
    assert clean(states[0], undone, states[1]) == states[2]


def test_an_editor_that_changed_line_ends_and_added_a_bom_is_no_conflict() -> None:
    """The store gives base and target the line ends of the current note (Shape.with_line_ends)."""
    base, other, shorter = (
        text.replace("\n", "\r\n") for text in (HEAD + A + B, HEAD + A.replace("a ^", "new ^") + B, HEAD + A)
    )
    notepad = "\ufeff" + base
    assert clean(base, notepad + "more", other) == "\ufeff" + other + "more"
    assert clean(HEAD + A + B, notepad, HEAD + A) == "\ufeff" + shorter


def test_changes_of_different_parts_of_an_entry_meet() -> None:
    here = A.replace("impact: 2", "impact: 3").replace("^aaaaa1\n", "^aaaaa1\n  - pinned: true\n")
    there = A.replace("FACT: a", "FACT: new").replace("body of a", "new body")
    assert clean(HEAD + A, HEAD + here + B, HEAD + there) == HEAD + here.replace("FACT: a", "FACT: new").replace(
        "body of a", "new body"
    ) + B  # fmt: skip


def test_a_field_that_is_taken_away_and_one_that_is_set() -> None:
    assert clean(A, A.replace("FACT: a", "FACT: x"), A.replace("  - impact: 2\n", "")) == A.replace(
        "FACT: a", "FACT: x"
    ).replace("  - impact: 2\n", "")
    pinned = A.replace("impact: 2\n", "impact: 2\n  - pinned: true\n")
    assert clean(A, A.replace("FACT: a", "FACT: x"), pinned) == pinned.replace("FACT: a", "FACT: x")


def test_the_same_part_changed_on_both_sides_is_a_conflict_and_the_current_one_stays() -> None:
    here, there = A.replace("impact: 2", "impact: 3"), A.replace("impact: 2", "impact: 1")
    found = merged(A + B, here + B, there + C)
    assert found.text == here + C
    (conflict,) = found.conflicts
    assert (conflict.note, conflict.key) == (DAILY, "aaaaa1")
    assert conflict.current == here.strip("\n")
    assert (conflict.base, conflict.target) == (A.strip("\n"), there.strip("\n"))
    taken = merged(A + B, here + B, there + C, overwrite=True)
    assert (taken.text, len(taken.conflicts)) == (there + C, 1)


def test_the_same_change_on_both_sides_is_none() -> None:
    here = A.replace("impact: 2", "impact: 3")
    assert clean(A, here + B, here) == here + B


def test_an_entry_that_was_changed_is_not_deleted() -> None:
    here = A.replace("body", "longer body")
    found = merged(A + B, here + B, B)
    assert found.text == here + B
    assert [(conflict.key, conflict.target) for conflict in found.conflicts] == [("aaaaa1", None)]
    assert merged(A + B, here + B, B, overwrite=True).text == B


def test_an_entry_that_was_deleted_is_not_brought_back_by_a_change_of_it() -> None:
    found = merged(A + B, B, A.replace("impact: 2", "impact: 3") + B)
    assert found.text == B
    assert [(conflict.key, conflict.current) for conflict in found.conflicts] == [("aaaaa1", None)]
    assert merged(A + B, B, A.replace("impact: 2", "impact: 3") + B, overwrite=True).text == A.replace(
        "impact: 2", "impact: 3"
    ) + B  # fmt: skip


def test_an_entry_deleted_on_both_sides_is_no_conflict() -> None:
    assert clean(A + B, B + C, B) == B + C


@pytest.mark.parametrize(("base", "target"), [(A, "- FACT: a\n"), ("- FACT: a\n", A)])
def test_an_entry_that_was_deleted_does_not_come_back_under_its_other_id(base: str, target: str) -> None:
    """A change gave an entry of a hand its id; undo and redo of it find that a hand has deleted the entry since."""
    found = merged(HEAD + base + B, HEAD + B, HEAD + target + B)
    (conflict,) = found.conflicts
    assert (conflict.base, conflict.current, conflict.target) == (base.strip("\n"), None, target.strip("\n"))
    assert found.text == HEAD + B
    assert "FACT: a" in merged(HEAD + base + B, HEAD + B, HEAD + target + B, overwrite=True).text
    assert clean(HEAD + base + B, HEAD + base + B + C, HEAD + target + B) == HEAD + target + B + C


def test_prose_typed_meanwhile_stays() -> None:
    typed = HEAD + "\nTyped.\n" + A + "\nMore.\n" + B + "\nEnd.\n"
    assert clean(HEAD + A + B, typed, HEAD + B) == HEAD + "\nTyped.\n" + "\nMore.\n" + B + "\nEnd.\n"
    assert clean(HEAD + A + B, typed, HEAD + A + B + C).count("Typed.\n") == 1


def test_prose_of_both_sides_is_kept() -> None:
    assert clean(HEAD + A, HEAD + "\nMine.\n" + A, HEAD + A + "\nTheirs.\n") == HEAD + "\nMine.\n" + A + "\nTheirs.\n"


def test_a_line_of_prose_changed_on_both_sides_is_a_conflict_and_a_new_entry_arrives_all_the_same() -> None:
    found = merged("One.\n", "Mine.\n", "Theirs.\n" + A)
    assert found.text == "Mine.\n" + A
    (conflict,) = found.conflicts
    assert (conflict.key, conflict.base, conflict.current, conflict.target) == (None, "One.\n", "Mine.\n", "Theirs.\n")
    assert merged("One.\n", "Mine.\n", "Theirs.\n" + A, overwrite=True).text == "Theirs.\n" + A


def test_blank_lines_are_no_conflict() -> None:
    assert clean("\n", "", "\n" + A).strip("\n") == A.strip("\n")
    assert clean("Text.\n\n\n", "Text.\n", "Text.\n\nMore.\n").split() == ["Text.", "More."]


def test_indented_prose_never_becomes_a_part_of_an_entry() -> None:
    """The first line of an item was deleted by hand, what was indented under it is prose now."""
    orphans = "  - impact: 2\n  rest\n\nText.\n"
    assert clean("", orphans, "- FACT: new ^aaaaa1\n") == "- FACT: new ^aaaaa1\n<!-- -->\n" + orphans
    assert clean("- plain\n" + orphans, "- FACT: a ^aaaaa1\n- plain\n" + orphans, orphans) == (
        "- FACT: a ^aaaaa1\n<!-- -->\n" + orphans
    )


def test_only_one_entry() -> None:
    target = HEAD + A.replace("impact: 2", "impact: 3") + C
    assert clean(HEAD + A + B, HEAD + A + B, target, only="aaaaa1") == HEAD + A.replace("impact: 2", "impact: 3") + B
    assert clean(HEAD + A + B, HEAD + A + B, target, only="ccccc1") == HEAD + A + C + B
    assert clean(HEAD + A + B, HEAD + A + B, target, only="bbbbb1") == HEAD + A
    assert clean(HEAD + A + B, HEAD + A + B, target, only="zzzzz1") == HEAD + A + B


TOPIC_TEXT = "---\nid: aaaaa1\ntag: FACT\ntitle: t\n---\n\nBody.\n"


def test_topic_notes() -> None:
    here = TOPIC_TEXT.replace("title: t\n", "title: t\npinned: true\n")
    there = TOPIC_TEXT.replace("Body.", "New body.")
    both = here.replace("Body.", "New body.")
    assert clean(TOPIC_TEXT, here, there, TOPIC) == both
    assert clean(there, both, TOPIC_TEXT, TOPIC) == here
    found = merged(TOPIC_TEXT, TOPIC_TEXT.replace("Body.", "Mine."), there, TOPIC)
    assert found.text == TOPIC_TEXT.replace("Body.", "Mine.")
    assert found.conflicts == (Conflict(TOPIC, None, "Body.\n", "Mine.\n", "New body.\n"),)


def test_only_the_entry_of_a_topic_note() -> None:
    here = TOPIC_TEXT.replace("title: t\n", "title: t\npinned: true\n")
    there = TOPIC_TEXT.replace("Body.", "New body.")
    assert clean(TOPIC_TEXT, here, there, TOPIC, only="aaaaa1") == here.replace("Body.", "New body.")
    assert clean(TOPIC_TEXT, here, there, TOPIC, only="bbbbb1") == here


def test_half_a_line_end_at_the_end_of_a_note_is_completed() -> None:
    """An editor cut the file inside its last CRLF."""
    a, b = "- FACT: a ^aaaaa1\r\n\r\n  body\r", "\r\n- FACT: b ^bbbbb1\r\n"
    assert clean("", a, b.removeprefix("\r\n")) == "- FACT: b ^bbbbb1\r\n" + a
    text = clean(a, a.replace("FACT: a", "FACT: new"), a + "\n" + b)
    assert [entry.body for entry in read(text).entries] == ["body", ""]
