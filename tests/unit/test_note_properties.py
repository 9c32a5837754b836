"""Reading is total: any bytes in any file are read, nothing raises, and every byte comes back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.entry import Entry
from remember_me.notes.frontmatter import read_front_matter
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note, content_hash, decode, encode, parse_note
from tests.texts import dirty_bytes, note_texts, topic_texts

PATHS = st.sampled_from(
    [
        "MEMORY.md",
        "memory/2026-11-29.md",
        "memory/2026-13-45.md",
        "memory/bird-box.md",
        "memory/forgotten.md",
        "memory/archive/2025-12.md",
        "USER.md",
        "2026-11-29.md",
    ]
)
FOLDERS = st.sampled_from(["memory", "."])
ZONES = st.sampled_from([None, "Europe/Rome", "No/Where"])
DATA = st.one_of(dirty_bytes, note_texts().map(encode), topic_texts().map(encode), st.binary(max_size=60))


def everything(note: Note) -> list[object]:
    """Ask a note for all it knows; whatever raises here is a fault."""
    asked: list[object] = [str(problem) for problem in note.problems]
    for entry in note.entries:
        asked += [entry.evidence, entry.reinforced, entry.status, entry.confidence, entry.basis, entry.impact]
        asked += [entry.date_field(key) for key in ("since", "expires")]
    return asked + list(note.passages())


@given(PATHS, DATA, FOLDERS, ZONES)
def test_any_bytes_are_read_and_come_back(path: str, data: bytes, notes_dir: str, timezone: str | None) -> None:
    note = parse_note(path, data, notes_dir=notes_dir, timezone=timezone)
    assert note.data() == data
    assert content_hash(note.data()) == content_hash(data)
    assert everything(note) == everything(parse_note(path, data, notes_dir=notes_dir, timezone=timezone))


@given(PATHS, DATA)
def test_what_an_entry_says_stands_where_it_says(path: str, data: bytes) -> None:
    note = parse_note(path, data)
    lines = note.text.split("\n")
    for number, entry in enumerate(note.entries):
        if note.kind is NoteKind.TOPIC:
            continue
        item = note.items[number]
        text = note.text[item.start : item.end]
        assert lines[entry.line - 1].removeprefix("\ufeff") == text.split("\n")[0]
        assert text[-1:] != "\n" or text[:-1].split("\n")[-1].strip(" \t\r")
        assert note.text[slice(*item.body_span)].count("\n") >= entry.body.count("\n")
        for line in item.fields:
            assert note.text[slice(*line.value_span)] == line.value or line.implied
        _never_overlaps(note, number, entry)


def _never_overlaps(note: Note, number: int, entry: Entry) -> None:
    item = note.items[number]
    assert item.start <= item.head_end <= item.fields_end <= item.end
    assert item.title_span[0] >= item.start
    assert item.body_span == (item.fields_end, item.fields_end) or item.fields_end <= item.body_span[0] < item.end
    if number:
        assert note.items[number - 1].end <= item.start
        assert note.entries[number - 1].line < entry.line


@given(PATHS, DATA)
def test_problems_have_a_place_in_the_note(path: str, data: bytes) -> None:
    note = parse_note(path, data)
    count = note.text.count("\n") + 1
    for problem in note.problems:
        assert problem.path == path
        assert problem.line is None or 1 <= problem.line <= count
        assert problem.column is None or problem.column >= 1
        assert not problem.reason.endswith(".")


@given(PATHS, DATA)
def test_passages_hold_no_entry_and_begin_where_they_say(path: str, data: bytes) -> None:
    note = parse_note(path, data)
    lines = note.text.split("\n")
    passages = list(note.passages())
    assert [passage.line for passage in passages] == sorted(passage.line for passage in passages)
    inside = {
        number
        for item in note.items
        for number in range(item.line, item.line + note.text.count("\n", item.start, item.end - 1) + 1)
    }
    for passage in passages:
        assert passage.line not in inside
        assert passage.text.strip(" \t\r\n")
        first = passage.text.split("\n")[0]
        assert first in lines[passage.line - 1] or "<!--" in lines[passage.line - 1]


@given(dirty_bytes)
def test_front_matter_of_any_bytes_is_read(data: bytes) -> None:
    for text in (
        decode(data),
        decode(b"---\n" + data + b"\n---\n"),
        decode(b"---\nid: k7m2pq\nx: " + data + b"\n---\n"),
    ):
        front, problems = read_front_matter(text, "x.md")
        assert front is None or text[front.closing :].startswith(("---", "..."))
        assert front is None or front.problems == problems
        for key in front.keys if front is not None else ():
            assert text[key.start : key.end].count("\n") == 0 or key.value_span is None
            if key.value_span is not None:
                assert key.start < key.value_span[0] <= key.value_span[1] <= key.end


@given(note_texts())
def test_an_entry_without_an_id_is_served_under_the_same_one_while_it_stands(text: str) -> None:
    note = parse_note("memory/2026-11-29.md", encode(text))
    again = parse_note("memory/2026-11-29.md", encode(text + "\n\nProse behind it.\n"))
    if note.scan.open_at is None:
        assert [entry.id for entry in again.entries] == [entry.id for entry in note.entries]
    provisional = [entry.id for entry in note.entries if entry.provisional]
    assert len(set(provisional)) == len(provisional)
