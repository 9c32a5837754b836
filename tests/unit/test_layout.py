"""What file names say, and where a new entry goes."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from remember_me.model.entry import Tag
from remember_me.notes import layout
from remember_me.notes.layout import HEADINGS


@pytest.mark.parametrize(
    ("name", "on"),
    [
        ("2026-11-29.md", date(2026, 11, 29)),
        ("2024-02-29.md", date(2024, 2, 29)),
        ("2026-02-29.md", None),
        ("2026-13-45.md", None),
        ("2026-11-29.MD", None),
        ("2026-11-29.md ", None),
        ("2026-11-29.markdown", None),
        ("2026-11-29 .md", None),
        ("x2026-11-29.md", None),
        ("2026-11-29-notes.md", None),
        ("٢٠٢٦-11-29.md", None),
    ],
)
def test_date_of(name: str, on: date | None) -> None:
    assert layout.date_of(name) == on


def test_an_impossible_date_still_looks_dated() -> None:
    assert layout.looks_dated("2026-13-45.md")
    assert not layout.looks_dated("2026-1-1.md")


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("2026-11-20 2.md", "2026-11-20.md"),
        ("2026-11-20 10.md", "2026-11-20.md"),
        ("2026-11-20 (1).md", "2026-11-20.md"),
        ("2026-11-20 copy.md", "2026-11-20.md"),
        ("2026-11-20 copy 2.md", "2026-11-20.md"),
        ("2026-11-20 - Copy.md", "2026-11-20.md"),
        ("MEMORY 2.md", "MEMORY.md"),
        ("MEMORY (3).md", "MEMORY.md"),
        ("bird box 2.md", "bird box.md"),
        ("chapter 2.md", "chapter.md"),
        ("2026-11-20.sync-conflict-20261120-181502-K3VQ7TA.md", "2026-11-20.md"),
        ("2026-11-20.md.sync-conflict-20261120-181502-K3VQ7TA", "2026-11-20.md"),
        ("2026-11-20 (conflicted copy 2026-11-20 181502).md", "2026-11-20.md"),
        ("bird (Neva's conflicted copy 2026-11-20).md", "bird.md"),
        ("bird (Case Conflict).md", "bird.md"),
        ("bird (SFConflict neva@example.org 2026-11-20-18-15-02).md", "bird.md"),
        ("bird(conflicted).md", "bird.md"),
        ("bird_conf(1).md", "bird.md"),
        ("bird conflict 2026-11-20.md", "bird.md"),
        ("bird_conflict-20261120-181502.md", "bird.md"),
        ("2026-11-20.md~", "2026-11-20.md"),
        ("bird~.md", "bird.md"),
        (".bird.md.swp", "bird.md"),
        (".bird.md.swo", "bird.md"),
        (".#bird.md", "bird.md"),
        ("#bird.md#", "bird.md"),
        ("bird.md.orig", "bird.md"),
        ("bird.md.rej", "bird.md"),
        ("bird.md.BAK", "bird.md"),
        ("bird.md.tmp", "bird.md"),
        ("bird.md.1", "bird.md"),
        (".bird.md.icloud", "bird.md"),
    ],
)
def test_copies_and_their_originals(name: str, original: str) -> None:
    assert layout.is_copy(name)
    assert layout.original_of(name) == original
    assert not layout.is_note_path(f"memory/{name}", "memory")


@pytest.mark.parametrize(
    "name",
    [
        "2026-03-01.md",
        "MEMORY.md",
        "2.md",
        "a-2.md",
        "v1.2.md",
        "chapter 12.md",
        "chapter 1.md",
        "chapter two.md",
        "x (2).md",
        "hard copy.md",
        "copy.md",
        "conflict.md",
        "no conflict.md",
        "my conflicted feelings.md",
        "notes (conflict resolution).md",
        "2026-11-20 meeting.md",
        "2026-11.md",
        "backup.md",
        "tmp.md",
        "C# notes.md",
        "#1 idea.md",
        "orig.md",
    ],
)
def test_near_misses_are_notes(name: str) -> None:
    assert not layout.is_copy(name)
    assert layout.original_of(name) is None
    assert layout.is_note_path(f"memory/{name}", "memory")


@pytest.mark.parametrize(
    ("path", "notes_dir", "read"),
    [
        ("MEMORY.md", "memory", True),
        ("memory/2026-11-29.md", "memory", True),
        ("memory/archive/2025-12.md", "memory", True),
        ("USER.md", "memory", False),
        ("other/x.md", "memory", False),
        ("memory/x.txt", "memory", False),
        ("memory/.hidden.md", "memory", False),
        ("memory/.obsidian/x.md", "memory", False),
        ("memory/forgotten.md", "memory", False),
        ("forgotten.md", ".", False),
        ("memory/deep/forgotten.md", "memory", True),
        ("bird.md", ".", True),
        ("2026-11-29.md", ".", True),
        ("sub/bird.md", ".", False),
        (".remember-me/x.md", ".", False),
    ],
)
def test_is_note_path(path: str, notes_dir: str, read: bool) -> None:
    assert layout.is_note_path(path, notes_dir) is read
    assert layout.is_tracked_path(path, notes_dir) is (read or path == layout.tombstones_path(notes_dir))


def test_the_settings_are_tracked_and_no_note() -> None:
    assert layout.is_tracked_path("remember-me.toml", "memory")
    assert not layout.is_note_path("remember-me.toml", "memory")


def test_a_temporary_file_is_never_a_note() -> None:
    name = layout.temporary_name("2026-11-29.md", "0f3a")
    assert layout.is_temporary(name)
    assert not layout.is_note_path(f"memory/{name}", "memory")
    assert not layout.is_temporary("2026-11-29.md")


def test_a_new_daily_note() -> None:
    at = datetime(2026, 11, 29, 23, 59, tzinfo=UTC)
    assert layout.render_daily_note(at, "Europe/Rome") == "---\ndate: 2026-11-29\ntimezone: Europe/Rome\n---\n"
    assert layout.render_daily_note(at, None) == "---\ndate: 2026-11-29\n---\n"
    assert layout.daily_name(at.date()) == "2026-11-29.md"


@pytest.mark.parametrize(
    ("tag", "signal", "basis", "heading"),
    [
        (Tag.FACT, None, "stated", "facts"),
        (Tag.FACT, "personal", "stated", "facts"),
        (Tag.FACT, "project", "stated", "priorities"),
        (Tag.FACT, "blocker", "stated", "frictions"),
        (Tag.PREFERENCE, None, "stated", "preferences"),
        (Tag.PREFERENCE, "preference", "observed", "patterns"),
        (Tag.PREFERENCE, "boundary", "stated", "boundaries"),
        (Tag.PREFERENCE, "boundary", "observed", "boundaries"),
        (Tag.GOAL, None, "stated", "priorities"),
        (Tag.GOAL, "goal", "observed", "priorities"),
        (Tag.HYPOTHESIS, "boundary", "inferred", "assumptions"),
        (Tag.HYPOTHESIS, None, "inferred", "assumptions"),
    ],
)
def test_the_heading_for_a_new_entry(tag: Tag, signal: str | None, basis: str, heading: str) -> None:
    assert layout.heading_for(tag, signal, basis) == HEADINGS[heading]
