"""A merge brings what was changed, loses nothing, and does it once."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta, timezone

from hypothesis import assume, given
from hypothesis import strategies as st

from remember_me.model.change import Add
from remember_me.model.entry import Entry, Tag
from remember_me.model.text import split_title
from remember_me.notes.layout import NoteKind
from remember_me.notes.merge import merge
from remember_me.notes.note import Note, encode, parse_note
from remember_me.notes.splice import CannotSplice, append_entry, correct, set_fields
from tests.texts import ids, lines, note_texts, texts, topic_texts

AT = datetime(2026, 11, 29, 14, 32, tzinfo=timezone(timedelta(hours=1)))
DAILY = "memory/2026-11-29.md"


def read(text: str, path: str = DAILY) -> Note:
    return parse_note(path, encode(text))


def words(entry: Entry) -> tuple[object, ...]:
    return entry.id, entry.tag, entry.title, entry.body, entry.fields


def new_entry(identity: str, text: str) -> Add:
    title, body = split_title(text)
    return Add(identity, Tag.FACT, title, body, (("impact", "2"),), AT)


def entries_of(note: Note) -> dict[str, Entry]:
    return {entry.id: entry for entry in note.entries}


def assume_distinct(*notes: Note) -> None:
    for note in notes:
        assume(len(entries_of(note)) == len(note.entries))


def assume_same_top(*notes: Note) -> None:
    """A rule typed in the first line of a note can make front matter of what stands below it."""
    assume(len({note.front_matter is None for note in notes}) == 1)


@st.composite
def edited(draw: st.DrawFn, base: Note, *, prose: bool) -> Note:
    """`base` after a few edits of entries, and of prose, as a person, a command or an agent makes them."""
    note = base
    kinds = ["add", "correct", "set", "unset", "cut", *(["line", "uncut"] if prose else [])]
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(kinds))
        text = note.text
        if kind == "add":
            text = append_entry(note, new_entry(draw(ids), draw(texts)))
        elif kind == "line":
            at = draw(st.sampled_from([note.body_start, *(item.end for item in note.items), len(text)]))
            line = draw(lines)
            lead = "" if at == 0 or text[at - 1] == "\n" else "\n"
            text = f"{text[:at]}{lead}{line}\n{text[at:]}"
        elif kind == "uncut":
            pieces = text.split("\n")
            number = draw(st.integers(0, len(pieces) - 1))
            text = "\n".join(pieces[:number] + pieces[number + 1 :])
        elif note.entries:
            index = draw(st.integers(0, len(note.entries) - 1))
            try:
                if kind == "correct":
                    text = correct(note, index, *split_title(draw(texts)), draw(ids))
                elif kind == "cut":
                    text = text[: note.items[index].start] + text[note.items[index].end :]
                else:
                    value = draw(st.sampled_from(["1", "2", "3"])) if kind == "set" else None
                    key = draw(st.sampled_from(["impact", "signal", "reason"]))
                    text = set_fields(note, index, [(key, value)], draw(ids))
            except CannotSplice:
                text = note.text
        note = read(text, base.path)
    return note


@st.composite
def three_ways(draw: st.DrawFn, *, prose: bool = True) -> tuple[Note, Note, Note]:
    base = read(draw(note_texts()), draw(st.sampled_from([DAILY, "MEMORY.md"])))
    return base, draw(edited(base, prose=prose)), draw(edited(base, prose=prose))


@st.composite
def changed_topic(draw: st.DrawFn, note: Note, change: str) -> str:
    old = note.entries[0]
    try:
        if change == "pinned":
            return set_fields(note, 0, [("pinned", draw(st.sampled_from(["true", None])))], draw(ids))
        title, body = (draw(lines), old.body) if change == "title" else (old.title, draw(texts))
        return correct(note, 0, title, body, draw(ids))
    except CannotSplice:
        return note.text


@st.composite
def topic_ways(draw: st.DrawFn) -> tuple[Note, Note, Note]:
    path = "memory/bird-box.md"
    base = read(draw(topic_texts()), path)
    assume(base.kind is NoteKind.TOPIC)
    sides = []
    for _ in range(2):
        note = base
        for change in draw(st.lists(st.sampled_from(["title", "body", "pinned", "line"]), min_size=1, max_size=2)):
            if change == "line":
                at = draw(st.integers(0, note.text.count("\n")))
                pieces = note.text.split("\n")
                text = "\n".join([*pieces[: at + 1], draw(lines), *pieces[at + 1 :]])
            else:
                text = draw(changed_topic(note, change))
            after = read(text, path)
            note = after if after.kind is NoteKind.TOPIC and not after.front_matter.lenient else note
        sides.append(note)
    return base, sides[0], sides[1]


@given(st.one_of(three_ways(), topic_ways()))
def test_a_merge_into_the_base_is_the_target(ways: tuple[Note, Note, Note]) -> None:
    base, _, target = ways
    merged = merge(base, base, target)
    assert (merged.text, merged.conflicts) == (target.text, ())


@given(st.one_of(three_ways(), topic_ways()))
def test_a_merge_of_no_change_is_the_current_note(ways: tuple[Note, Note, Note]) -> None:
    base, current, _ = ways
    for target in (base, current):
        merged = merge(base, current, target)
        assert (merged.text, merged.conflicts) == (current.text, ())


@given(three_ways(prose=False))
def test_a_merge_again_changes_nothing(ways: tuple[Note, Note, Note]) -> None:
    """Of edits of entries without a conflict, which is a person's to settle: lines of prose have no name, so a line
    that was moved is one gone and one new."""
    base, current, target = ways
    assume_distinct(*ways)
    assume(all(count == 1 for note in ways for line, count in _prose(note).items() if line != "---"))
    assume(all(note.scan.open_at is None for note in ways))
    first = merge(base, current, target)
    assume(first.conflicts == ())
    once = read(first.text, base.path)
    assume_distinct(once)
    assert _said(merge(base, once, target).text) == _said(once.text)


@given(three_ways())
def test_no_entry_of_the_current_note_is_lost(ways: tuple[Note, Note, Note]) -> None:
    base, current, target = ways
    assume_distinct(*ways)
    assume(current.scan.open_at is None and target.scan.open_at is None)
    merged = read(merge(base, current, target).text, base.path)
    assume_same_top(*ways, merged)
    before, there, after = entries_of(base), entries_of(target), entries_of(merged)
    for entry in current.entries:
        unchanged = entry.id in before and words(before[entry.id]) == words(entry)
        if not (unchanged and entry.id not in there):
            assert entry.id in after or entry.provisional
        if entry.id not in before:
            assert entry.provisional or words(after[entry.id]) == words(entry)


@given(three_ways())
def test_every_new_entry_of_the_target_arrives(ways: tuple[Note, Note, Note]) -> None:
    """Or it is a conflict: it is an entry of the base that got its id since, and a hand has deleted that one."""
    base, current, target = ways
    assume_distinct(*ways)
    assume(current.scan.open_at is None and target.scan.open_at is None)
    found = merge(base, current, target)
    merged = read(found.text, base.path)
    assume_same_top(*ways, merged)
    known = {*entries_of(base), *entries_of(current)}
    held = [one.target or "" for one in found.conflicts if one.current is None]
    for entry in target.entries:
        if entry.id not in known and not entry.provisional:
            if any(f"^{entry.id}" in text for text in held):
                assert any(one.provisional for one in base.entries)
            else:
                assert words(entries_of(merged)[entry.id]) == words(entry)


@given(three_ways())
def test_no_line_that_the_person_typed_is_lost(ways: tuple[Note, Note, Note]) -> None:
    base, current, target = ways
    assume_distinct(*ways)
    result = merge(base, current, target)
    typed = _prose(current) - _prose(base)
    assert not typed - _all_lines(result.text)


@given(topic_ways())
def test_a_topic_notes_typed_lines_are_not_lost(ways: tuple[Note, Note, Note]) -> None:
    base, current, target = ways
    typed = _all_lines(current.text) - _all_lines(base.text)
    assert not typed - _all_lines(merge(base, current, target).text)


def _said(text: str) -> list[str]:
    """The lines that are not blank: of equal blank lines nobody can tell which one went."""
    return [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n") if line.strip(" \t\r")]


def _all_lines(text: str) -> Counter[str]:
    return Counter(_said(text))


def _prose(note: Note) -> Counter[str]:
    at, pieces = 0, []
    for item in note.items:
        pieces.append(note.text[at : item.start])
        at = item.end
    return _all_lines("\n".join([*pieces, note.text[at:]]))


@given(note_texts(), st.lists(texts, min_size=2, max_size=4), st.data())
def test_an_insertion_is_taken_back_after_later_ones(text: str, added: list[str], data: st.DataObject) -> None:
    """Undo out of order: the later entries stay, byte for byte, and a redo brings the entry back to its place."""
    states = [read(text)]
    for number, words_of_it in enumerate(added):
        states.append(read(append_entry(states[-1], new_entry(f"zzzzz{number}", words_of_it))))
    assume_distinct(*states)
    taken = data.draw(st.integers(0, len(added) - 1))
    merged = merge(states[taken + 1], states[-1], states[taken])
    assert merged.conflicts == ()
    undone = read(merged.text)
    left = [entry for entry in states[-1].entries if entry.id != f"zzzzz{taken}"]
    assert [words(entry) for entry in undone.entries] == [words(entry) for entry in left]
    again = merge(states[taken], undone, states[taken + 1])
    assert again.conflicts == ()
    assert [words(e) for e in read(again.text).entries] == [words(e) for e in states[-1].entries]
    if states[0].scan.open_at is None and text.removesuffix("\n").rpartition("\n")[2].strip(" \t\r\ufeff"):
        assert again.text == states[-1].text


@given(three_ways(), st.data())
def test_a_merge_of_one_entry_leaves_the_others(ways: tuple[Note, Note, Note], data: st.DataObject) -> None:
    base, current, target = ways
    assume_distinct(*ways)
    assume(current.scan.open_at is None and target.scan.open_at is None)
    known = sorted(key for key in {*entries_of(base), *entries_of(target)} if not key.startswith("u-"))
    assume(known)
    only = data.draw(st.sampled_from(known))
    merged = read(merge(base, current, target, only=only).text, base.path)
    assume_same_top(*ways, merged)
    kept = [words(entry) for entry in current.entries if entry.id != only]
    assert [words(entry) for entry in merged.entries if entry.id != only] == kept
    assert not _prose(current) - _prose(merged)
