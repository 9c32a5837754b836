"""references/note-format.md and the sample notes say what the reader does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from remember_me.model.entry import CHOICES, FIELD_KEYS, Tag
from remember_me.notes.layout import HEADINGS, NoteKind
from remember_me.notes.note import parse_note
from remember_me.notes.scanner import scan

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "references" / "note-format.md").read_text(encoding="utf-8")
PATHS = {"daily": "memory/2026-11-29.md", "long-term": "MEMORY.md", "topic": "memory/x.md"}

_BLOCK = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_INFO = re.compile(
    r"markdown (?P<kind>daily|long-term|topic) entries=(?P<entries>[0-9]+)(?: problems=(?P<problems>[0-9]+))?"
)
BLOCKS = [(match["info"], match["text"]) for match in _BLOCK.finditer(PAGE)]


def test_every_example_says_what_it_is() -> None:
    assert len(BLOCKS) >= 8
    assert [info for info, _ in BLOCKS if _INFO.fullmatch(info) is None] == []
    assert {info.split()[1] for info, _ in BLOCKS} == set(PATHS)
    assert PAGE.count("```") == 2 * len(BLOCKS)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_each_example_is_read_as_it_says(number: int) -> None:
    info, text = BLOCKS[number]
    wanted = _INFO.fullmatch(info)
    assert wanted is not None
    note = parse_note(PATHS[wanted["kind"]], text.encode())
    assert note.kind == wanted["kind"]
    assert len(note.entries) == int(wanted["entries"])
    assert len(note.problems) == int(wanted["problems"] or 0)
    assert all(entry.title for entry in note.entries)


def test_the_page_shows_each_field_and_its_values() -> None:
    rows = dict(re.findall(r"^\| `([a-z]+)` \| (.*?) \| .*? \|$", PAGE, re.MULTILINE))
    assert sorted(rows) == sorted(FIELD_KEYS)
    for key, values in CHOICES.items():
        assert re.findall(r"[a-z0-9-]+", rows[key].split(";")[0]) == list(values) or key == "impact"


def test_the_page_names_the_tags_and_the_headings() -> None:
    assert all(f"`{tag}`" in PAGE for tag in Tag)
    assert all(heading in " ".join(PAGE.split()) for heading in HEADINGS.values())


@pytest.mark.parametrize(
    ("name", "kind", "entries", "passages"),
    [("daily", NoteKind.DAILY, 4, 1), ("long-term", NoteKind.LONG_TERM, 7, 2), ("topic", NoteKind.TOPIC, 1, 0)],
)
def test_the_sample_notes_are_read_without_a_problem(name: str, kind: NoteKind, entries: int, passages: int) -> None:
    data = (PROJECT / "templates" / f"{name}.md").read_bytes()
    note = parse_note(PATHS[name], data)
    assert (note.kind, len(note.entries), len(list(note.passages()))) == (kind, entries, passages)
    assert (note.problems, note.data()) == ((), data)
    assert all(entry.live for entry in note.entries)


def test_the_long_term_sample_has_the_eight_headings_and_each_entry_under_its_own() -> None:
    from remember_me.notes.layout import heading_for

    text = (PROJECT / "templates" / "long-term.md").read_text(encoding="utf-8")
    headings = scan(text, 0, assumptions=True).headings
    assert [heading.title for heading in headings[1:]] == list(HEADINGS.values())
    for entry in parse_note("MEMORY.md", text.encode()).entries:
        above = [heading.title for heading in headings if heading.line < entry.line][-1]
        assert above == heading_for(entry.tag, entry.signal, entry.basis)


def test_no_id_is_used_twice_in_one_sample_and_the_same_one_means_the_same() -> None:
    titles: dict[str, str] = {}
    for name, path in PATHS.items():
        entries = parse_note(path, (PROJECT / "templates" / f"{name}.md").read_bytes()).entries
        real = [entry.id for entry in entries if not entry.provisional]
        assert len(real) == len(set(real))
        for entry in entries:
            assert titles.setdefault(entry.id, entry.title) == entry.title
