"""Whatever is written into whatever note reads back as it was given, and nothing else moves."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from remember_me.model.change import Add
from remember_me.model.entry import Entry, Tag
from remember_me.model.text import split_title
from remember_me.notes.grammar import Form
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note, encode, parse_note
from remember_me.notes.splice import CannotSplice, append_entry, correct, render_topic_note, set_fields
from tests.texts import field_values, lines, note_texts, texts, topic_texts

AT = datetime(2026, 11, 29, 14, 32, tzinfo=timezone(timedelta(hours=1)))
NEW = "zzzzz0"
PATHS = st.sampled_from(["memory/2026-11-29.md", "MEMORY.md"])


def read(path: str, text: str) -> Note:
    note = parse_note(path, encode(text))
    assert note.text == text
    return note


def words(entry: Entry) -> tuple[object, ...]:
    """What an entry says, without where it stands and the id that stands in for a missing one."""
    identity = None if entry.provisional else entry.id
    return identity, entry.tag, entry.title, entry.body, entry.fields, entry.created_at


def others(note: Note, but: int) -> list[tuple[object, ...]]:
    return [words(entry) for number, entry in enumerate(note.entries) if number != but]


def split_at(note: Note, index: int) -> tuple[str, str]:
    """The text before and behind entry `index`."""
    item = note.items[index]
    return note.text[: item.start], note.text[item.end :]


def pick(data: st.DataObject, note: Note) -> int:
    assume(note.entries)
    return data.draw(st.integers(0, len(note.entries) - 1))


@given(note_texts(), PATHS, texts, st.sampled_from(list(Tag)), st.lists(field_values, max_size=2))
def test_an_added_text_is_one_more_entry_and_moves_nothing(
    text: str, path: str, given_text: str, tag: Tag, values: list[str]
) -> None:
    title, body = split_title(given_text)
    note = read(path, text)
    fields = tuple((f"key-{number}", value) for number, value in enumerate(values))
    after = read(path, append_entry(note, Add(NEW, tag, title, body, fields, AT)))
    assert len(after.entries) == len(note.entries) + 1
    (added,) = [number for number, entry in enumerate(after.entries) if entry.id == NEW]
    assert words(after.entries[added])[:5] == (NEW, tag, title, body, fields)
    assert others(after, added) == [words(entry) for entry in note.entries]
    before, behind = split_at(after, added)
    at = len(text) if note.scan.open_at is None else note.scan.open_at
    assert before.rstrip("\r\n") == text[:at].rstrip("\r\n")
    assert before.startswith(text[:at])
    assert behind.endswith(text[at:])
    assert behind.removesuffix(text[at:]).strip("\r\n") in ("", "<!-- -->")


@given(note_texts(), PATHS, texts, st.data())
def test_a_corrected_entry_reads_back_and_nothing_else_moves(
    text: str, path: str, new: str, data: st.DataObject
) -> None:
    note = read(path, text)
    index = pick(data, note)
    title, body = split_title(new)
    old = note.entries[index]
    try:
        after = read(path, correct(note, index, title, body, NEW))
    except CannotSplice:
        assert note.items[index].form is Form.ASSUMPTION
        return
    expected = (NEW if old.provisional else old.id, old.tag, title, body, old.fields, old.created_at)
    assert words(after.entries[index]) == expected
    assert others(after, index) == others(note, index)
    assert split_at(after, index) == split_at(note, index)


KEYS = st.sampled_from(["pinned", "status", "confidence", "signal", "validated", "colour", "asked"])


@given(note_texts(), PATHS, KEYS, field_values, st.data())
def test_a_field_that_is_set_reads_back_and_nothing_else_moves(
    text: str, path: str, key: str, value: str, data: st.DataObject
) -> None:
    note = read(path, text)
    index = pick(data, note)
    old = note.entries[index]
    if note.items[index].form is Form.SKILL and key == "colour":
        with pytest.raises(CannotSplice):
            set_fields(note, index, [(key, value)], NEW)
        return
    if note.items[index].form is Form.ASSUMPTION and key == "confidence":
        value = "medium"
    after = read(path, set_fields(note, index, [(key, value)], NEW))
    new = after.entries[index]
    assert new.field(key) == value
    assert [pair for pair in new.fields if pair[0] != key] == [pair for pair in old.fields if pair[0] != key]
    assert (new.tag, new.title, new.body) == (old.tag, old.title, old.body)
    assert new.id == (NEW if old.provisional else old.id)
    assert others(after, index) == others(note, index)
    before, behind = split_at(after, index)
    assert (before, behind) == split_at(note, index)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(note_texts(), PATHS, KEYS, field_values, st.data())
def test_a_field_set_and_taken_away_again_leaves_the_first_bytes(
    text: str, path: str, key: str, value: str, data: st.DataObject
) -> None:
    note = read(path, text)
    index = pick(data, note)
    assume(not note.entries[index].provisional)
    assume(not text.endswith("\r"))
    assume(note.entries[index].field(key) is None)
    assume(not (note.items[index].form is Form.SKILL and key == "colour"))
    after = read(path, set_fields(note, index, [(key, value)], NEW))
    assert set_fields(after, index, [(key, None)], NEW) == text


@given(note_texts(), PATHS, KEYS, st.data())
def test_a_field_that_is_taken_away_is_gone(text: str, path: str, key: str, data: st.DataObject) -> None:
    note = read(path, text)
    index = pick(data, note)
    old = note.entries[index]
    after = read(path, set_fields(note, index, [(key, None)], NEW))
    implied = [line.key for line in note.items[index].fields if line.implied]
    left = [pair[0] for pair in after.entries[index].fields if pair[0] == key]
    assert left == [name for name in implied if name == key] or note.items[index].form is Form.ASSUMPTION
    assert [pair for pair in after.entries[index].fields if pair[0] != key] == [p for p in old.fields if p[0] != key]
    assert others(after, index) == others(note, index)


@given(topic_texts(), texts)
def test_a_corrected_topic_note_reads_back(text: str, new: str) -> None:
    note = read("memory/x.md", text)
    assume(note.kind is NoteKind.TOPIC)
    title, body = split_title(new)
    old = note.entries[0]
    after = read("memory/x.md", correct(note, 0, title, body, NEW))
    assert words(after.entries[0]) == (
        NEW if old.provisional else old.id, old.tag, title, body, old.fields, old.created_at
    )  # fmt: skip


@given(topic_texts(), lines)
def test_a_topic_notes_title_is_all_that_changes(text: str, title: str) -> None:
    note = read("memory/x.md", text)
    assume(note.kind is NoteKind.TOPIC)
    old = note.entries[0]
    after = read("memory/x.md", correct(note, 0, title, old.body, NEW))
    assert (after.entries[0].title, after.entries[0].body) == (title, old.body)
    key = "title" if note.front_matter is not None and note.front_matter.key("title") else "name"
    changed = [line for line in after.text.split("\n") if line not in note.text.split("\n")]
    assert [line.split(":", 1)[0] for line in changed] in ([key], [key, "id"], ["id"], [])


@given(topic_texts(), KEYS, field_values)
def test_a_topic_notes_field_set_and_taken_away_leaves_the_first_bytes(text: str, key: str, value: str) -> None:
    note = read("memory/x.md", text)
    assume(note.kind is NoteKind.TOPIC and not note.entries[0].provisional)
    assume(note.entries[0].field(key) is None)
    after = read("memory/x.md", set_fields(note, 0, [(key, value)], NEW))
    assert after.entries[0].field(key) == value
    assert set_fields(after, 0, [(key, None)], NEW) == text


@given(texts, lines, st.lists(field_values, max_size=2))
def test_a_new_topic_note_reads_back(body: str, title: str, values: list[str]) -> None:
    fields = tuple((f"key-{number}", value) for number, value in enumerate(values))
    text = render_topic_note(Add(NEW, Tag.GOAL, title, body, fields, AT))
    (entry,) = read("memory/x.md", text).entries
    assert words(entry)[:4] == (NEW, Tag.GOAL, title, body)
    assert entry.fields == (*fields, ("since", "2026-11-29"))
