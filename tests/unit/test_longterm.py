"""Entries go under the heading of their kind in the long-term note, leave it again, and nothing else moves."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from remember_me.model.entry import Entry, Tag, Tier
from remember_me.model.text import split_title
from remember_me.notes.longterm import (
    NEW_LONG_TERM_NOTE,
    Placed,
    insert_entries,
    remove_entries,
    render_long_term_entry,
)
from remember_me.notes.note import Note, encode, parse_note
from tests.texts import field_values, note_texts, texts

BOTH = pytest.mark.parametrize("newline", ["\n", "\r\n"])


def read(text: str) -> Note:
    note = parse_note("MEMORY.md", encode(text))
    assert note.text == text
    return note


def placed(identity: str, tag: Tag, title: str, *fields: tuple[str, str], body: str = "") -> Placed:
    on = date(2026, 11, 29)
    return Placed(Entry(identity, tag, title, body, fields, f"memory/{on}.md", 1, Tier.DAILY, on), fields)


FACT = placed("aaaaa1", Tag.FACT, "Has a lathe")
PREFERENCE = placed("aaaaa2", Tag.PREFERENCE, "Likes tea")
BOUNDARY = placed("aaaaa3", Tag.PREFERENCE, "No calls", ("signal", "boundary"))
GOAL = placed("aaaaa4", Tag.GOAL, "Build a clock")
PROJECT = placed("aaaaa5", Tag.FACT, "Cogwork is in Rust", ("signal", "project"))
BLOCKER = placed("aaaaa6", Tag.FACT, "The printer jams", ("signal", "blocker"))
PATTERN = placed("aaaaa7", Tag.PREFERENCE, "Writes at night", ("basis", "observed"))
GUESS = placed("aaaaa8", Tag.HYPOTHESIS, "May like Rust", ("validated", "2026-11-29"))
ALL = (GUESS, PATTERN, BLOCKER, PROJECT, GOAL, BOUNDARY, PREFERENCE, FACT)


def test_a_new_note_has_the_headings_in_their_order() -> None:
    """# Memory

    ## Facts

    - FACT: Has a lathe ^aaaaa1

    ## Preferences

    - PREFERENCE: Likes tea ^aaaaa2

    ## Boundaries

    - PREFERENCE: No calls ^aaaaa3
      - signal: boundary

    ## Active Priorities

    - FACT: Cogwork is in Rust ^aaaaa5
      - signal: project

    - GOAL: Build a clock ^aaaaa4

    ## Recurring Frictions

    - FACT: The printer jams ^aaaaa6
      - signal: blocker

    ## Behavioral Patterns

    - PREFERENCE: Writes at night ^aaaaa7
      - basis: observed

    ## Assumptions (Hypotheses)

    - HYPOTHESIS: May like Rust ^aaaaa8
      - validated: 2026-11-29
    """
    wanted = (test_a_new_note_has_the_headings_in_their_order.__doc__ or "").replace("\n    ", "\n").rstrip(" ")
    text = insert_entries(read(NEW_LONG_TERM_NOTE), ALL)
    assert text == wanted
    for one in reversed(ALL):
        alone = read(insert_entries(read(NEW_LONG_TERM_NOTE), [one]))
        assert [entry.id for entry in alone.entries] == [one.entry.id]
    one_by_one = NEW_LONG_TERM_NOTE
    for one in ALL:
        one_by_one = insert_entries(read(one_by_one), [one])
    assert one_by_one == wanted


F = "- FACT: Has a lathe ^aaaaa1\n"
P = "- PREFERENCE: Likes tea ^aaaaa2\n"
FULL = "## Facts\n\n- FACT: old\n\n## Preferences\n\n- PREFERENCE: old\n"


@BOTH
@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Nothing there yet.
        ("", f"## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("\ufeff", f"\ufeff## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("# Memory", f"# Memory\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("# Memory\n\n\n", f"# Memory\n\n## Facts\n\n{F}\n## Preferences\n\n{P}\n\n"),
        ("Prose, no heading.", f"Prose, no heading.\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("- FACT: old\n", f"- FACT: old\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        # Behind what the headings hold, in front of the next one.
        (FULL, f"## Facts\n\n- FACT: old\n\n{F}\n## Preferences\n\n- PREFERENCE: old\n\n{P}"),
        (FULL.rstrip("\n"), f"## Facts\n\n- FACT: old\n\n{F}\n## Preferences\n\n- PREFERENCE: old\n\n{P}"),
        ("# Facts\n# Preferences\n", f"# Facts\n\n{F}\n# Preferences\n\n{P}"),
        ("## Facts\n\n\n\n## Preferences", f"## Facts\n\n{F}\n\n\n## Preferences\n\n{P}"),
        ("## Facts\nWords.\n## Preferences\nWords.\n", f"## Facts\nWords.\n\n{F}\n## Preferences\nWords.\n\n{P}"),
        ("### FACTS ###\n\n## preferences\n", f"### FACTS ###\n\n{F}\n## preferences\n\n{P}"),
        # A heading that is missing is added where it belongs.
        ("## Preferences\n", f"## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("# M\n\n## Boundaries\n\nX\n", f"# M\n\n## Facts\n\n{F}\n## Preferences\n\n{P}\n## Boundaries\n\nX\n"),
        ("## Facts\n## Open Questions", f"## Facts\n\n{F}\n## Preferences\n\n{P}\n## Open Questions"),
        ("## Facts\n\n## Mine\n\nWords.\n", f"## Facts\n\n{F}\n## Mine\n\nWords.\n\n## Preferences\n\n{P}"),
        # A heading that is none.
        ("```\n## Facts\n```\n", f"```\n## Facts\n```\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("<!--\n## Facts\n-->\n", f"<!--\n## Facts\n-->\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("    ## Facts\n", f"    ## Facts\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("##Facts\n", f"##Facts\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("- item\n  ## Facts\n", f"- item\n  ## Facts\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        # What nobody closed stays at the end.
        ("# M\n\n```\n## Facts\n", f"# M\n\n## Facts\n\n{F}\n## Preferences\n\n{P}\n```\n## Facts\n"),
        ("## Facts\n\n<!-- open\n", f"## Facts\n\n{F}\n## Preferences\n\n{P}\n<!-- open\n"),
        # A fence in a section is part of it.
        ("## Facts\n```\n## Preferences\n```\n", f"## Facts\n```\n## Preferences\n```\n\n{F}\n## Preferences\n\n{P}"),
        # Front matter.
        ("---\nx: y\n---\n", f"---\nx: y\n---\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("---\nx: y\n---", f"---\nx: y\n---\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("\ufeff---\nx: y\n---\n## Facts\n", f"\ufeff---\nx: y\n---\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
        ("---\n# Facts\n---\nText\n", f"---\n# Facts\n---\nText\n\n## Facts\n\n{F}\n## Preferences\n\n{P}"),
    ],
)  # fmt: skip
def test_two_entries_find_their_places(before: str, after: str, newline: str) -> None:
    note = read(before.replace("\n", newline))
    text = insert_entries(note, [PREFERENCE, FACT])
    assert text == after.replace("\n", note.newline)
    assert note.newline == (newline if "\n" in before else "\n")
    new = {entry.id: entry.title for entry in read(text).entries}
    assert (new["aaaaa1"], new["aaaaa2"]) == ("Has a lathe", "Likes tea")
    assert len(new) == len(note.entries) + 2


@BOTH
def test_a_renamed_heading_is_respected(newline: str) -> None:
    """New entries go where their kind already lives: behind the newest of the kind."""
    before = (
        "# M\n\n## What I like\n\n- PREFERENCE: old\n\n## About me\n\n- FACT: old\n\n## Facts\n\n"
        "## More about me\n\n- FACT: newer\n\nWords.\n\n## Last\n"
    )
    after = before.replace("- PREFERENCE: old\n", f"- PREFERENCE: old\n\n{P}").replace("Words.\n", f"Words.\n\n{F}")
    assert insert_entries(read(before.replace("\n", newline)), [FACT, PREFERENCE]) == after.replace("\n", newline)


def test_a_kind_is_more_than_a_tag() -> None:
    before = "## Mine\n\n- PREFERENCE: x\n  - signal: boundary\n\n## Yours\n\n- PREFERENCE: y\n"
    text = insert_entries(read(before), [BOUNDARY, PREFERENCE])
    boundary = "- PREFERENCE: No calls ^aaaaa3\n  - signal: boundary\n"
    assert text == (
        f"## Mine\n\n- PREFERENCE: x\n  - signal: boundary\n\n{boundary}\n## Yours\n\n- PREFERENCE: y\n\n{P}"
    )


def test_an_entry_above_all_headings_names_none() -> None:
    text = insert_entries(read("- FACT: old\n\n# Facts\n"), [FACT])
    assert text == f"- FACT: old\n\n# Facts\n\n{F}"


def test_the_skills_assumptions_are_a_place_for_hypotheses() -> None:
    before = "## Assumptions\n\n- Decides fast (confidence: low, status: untested)\n\n## Facts\n"
    text = insert_entries(read(before), [GUESS])
    guess = "- HYPOTHESIS: May like Rust ^aaaaa8\n  - validated: 2026-11-29\n"
    assert text == before.replace("\n\n## Facts", f"\n\n{guess}\n## Facts")
    assert [entry.title for entry in read(text).entries] == ["Decides fast", "May like Rust"]


def test_an_empty_heading_of_the_skills_is_used() -> None:
    text = insert_entries(read("## Facts\n\n## Assumptions\n\n## Open Questions\n"), [GUESS])
    assert [heading.title for heading in read(text).scan.headings] == ["Facts", "Assumptions", "Open Questions"]


def test_entries_of_one_kind_keep_their_order() -> None:
    more = [placed(f"bbbbb{number}", Tag.FACT, f"Fact {number}") for number in range(5)]
    text = insert_entries(read("## Facts\n"), more)
    assert text == "## Facts\n\n" + "\n".join(f"- FACT: Fact {number} ^bbbbb{number}\n" for number in range(5))


def test_nothing_to_insert_changes_nothing() -> None:
    for text in ("", "Text", "## Facts\r\n\r\n- FACT: x"):
        assert insert_entries(read(text), []) == text
        assert remove_entries(read(text), []) == text


@BOTH
def test_an_entry_is_written_without_a_time(newline: str) -> None:
    one = placed(
        "aaaaa1", Tag.GOAL, "T ^abc123", ("impact", "3"), ("description", ""), body="one\n\n   \n  two\n- FACT: x"
    )
    text = render_long_term_entry(one, newline)
    assert text == (
        "- GOAL: T \\^abc123 ^aaaaa1\n  - impact: 3\n  - description:\n\n  one\n\n     \n    two\n  - FACT: x\n"
    ).replace("\n", newline)


# What is indented like a body


@pytest.mark.parametrize(
    "before",
    [
        "## Facts\n\n   ```\ncode\n",
        "  ```\ncode\n",
        "## Facts\n\n  <!-- open\n",
        "## Facts\n\n   ## Open Questions\n\nWhy?\n",
        "## Facts\n  ## Preferences\n\n- PREFERENCE: old\n",
        "   ## Open Questions\n\nWhy?\n",
    ],
)
def test_what_follows_is_no_part_of_the_entry(before: str) -> None:
    after = read(insert_entries(read(before), [FACT]))
    (found,) = [entry for entry in after.entries if entry.id == "aaaaa1"]
    assert (found.title, found.body) == ("Has a lathe", "")


# Remove


@BOTH
@pytest.mark.parametrize(
    ("before", "numbers", "after"),
    [
        ("- FACT: a\n", [0], ""),
        ("- FACT: a", [0], ""),
        ("\ufeff- FACT: a\n", [0], "\ufeff"),
        ("\n\n- FACT: a\n\n", [0], "\n"),
        ("- FACT: a\n\n- FACT: b\n\n- FACT: c\n", [0], "\n- FACT: b\n\n- FACT: c\n"),
        ("- FACT: a\n\n- FACT: b\n\n- FACT: c\n", [1], "- FACT: a\n\n- FACT: c\n"),
        ("- FACT: a\n\n- FACT: b\n\n- FACT: c\n", [2], "- FACT: a\n\n- FACT: b\n"),
        ("- FACT: a\n\n- FACT: b\n\n- FACT: c", [2], "- FACT: a\n\n- FACT: b\n"),
        ("- FACT: a\n\n- FACT: b\n\n- FACT: c\n", [2, 0], "\n- FACT: b\n"),
        ("- FACT: a\n\n- FACT: b\n\n- FACT: c\n", [0, 1, 2], ""),
        ("- FACT: a\n- FACT: b\n- FACT: c\n", [1], "- FACT: a\n- FACT: c\n"),
        ("## H\n\n\n  \n- FACT: a\n  - impact: 2\n\n  body\n\n\n## I\n", [0], "## H\n\n\n## I\n"),
        ("---\nx: y\n---\n\n- FACT: a\n\nText\n", [0], "---\nx: y\n---\n\nText\n"),
        ("Text\n\n- FACT: a\n\n```\n- FACT: no\n", [0], "Text\n\n```\n- FACT: no\n"),
    ],
)
def test_entries_leave_with_the_blank_lines_above(before: str, numbers: list[int], after: str, newline: str) -> None:
    note = read(before.replace("\n", newline))
    assert remove_entries(note, iter(numbers)) == after.replace("\n", newline)
    assert remove_entries(note, sorted(numbers)) == remove_entries(note, sorted(numbers, reverse=True))


@BOTH
def test_what_was_inserted_under_its_heading_leaves_the_old_bytes(newline: str) -> None:
    for before in (FULL, f"{FULL}\n\n", "## Facts\n\n\n## Preferences\n\n\n\n", f"\ufeff---\n---\n{FULL}"):
        note = read(before.replace("\n", newline))
        after = read(insert_entries(note, [PREFERENCE, FACT]))
        new = [number for number, entry in enumerate(after.entries) if entry.id in ("aaaaa1", "aaaaa2")]
        assert len(new) == 2
        assert remove_entries(after, new) == note.text


# For all notes


KINDS = st.sampled_from(
    [
        (Tag.FACT, ()),
        (Tag.PREFERENCE, ()),
        (Tag.PREFERENCE, (("signal", "boundary"),)),
        (Tag.GOAL, ()),
        (Tag.FACT, (("signal", "blocker"),)),
        (Tag.PREFERENCE, (("basis", "observed"),)),
        (Tag.HYPOTHESIS, (("validated", "2026-11-29"),)),
    ]
)
LEAD = st.sampled_from(["", "# Memory\n\n", "## Facts\n\n", "## Preferences\n", "## Open Questions\n\nWhy?\n\n"])


@st.composite
def to_place(draw: st.DrawFn) -> list[Placed]:
    """One to four new entries of any kind, any words."""
    made = []
    for number in range(draw(st.integers(1, 4))):
        tag, fields = draw(KINDS)
        title, body = split_title(draw(texts))
        more = tuple(("key", value) for value in draw(st.lists(field_values, max_size=1)))
        made.append(placed(f"zzzzz{number}", tag, title, *fields, *more, body=body))
    return made


def words(entry: Entry) -> tuple[object, ...]:
    identity = None if entry.provisional else entry.id
    return identity, entry.tag, entry.title, entry.body, entry.fields, entry.created_at


def is_new(entry: Entry) -> bool:
    return entry.id.startswith("zzzzz")


def has_indented_marks(note: Note) -> bool:
    """Whether a heading, fence or comment stands where the body of an entry would."""
    starts = [heading.start for heading in note.scan.headings]
    starts += [note.scan.open_at] if note.scan.open_at is not None else []
    return any(note.text.startswith("  ", start) for start in starts)


def without(note: Note, numbers: list[int]) -> str:
    """The text without these items, and nothing else."""
    text = note.text
    for number in sorted(numbers, reverse=True):
        item = note.items[number]
        text = text[: item.start] + text[item.end :]
    return text


def full_lines(text: str) -> list[str]:
    """The lines that are not blank, without the CR of their line ends and without a BOM."""
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    return [line for line in lines if line.strip(" \t")]


@given(LEAD, note_texts(), to_place())
def test_inserted_entries_read_back_and_nothing_else_moves(lead: str, text: str, new: list[Placed]) -> None:
    note = read(text if text.startswith(("\ufeff", "---")) else lead + text)
    assume(not has_indented_marks(note))
    assume(not any(is_new(entry) for entry in note.entries))
    after = read(insert_entries(note, new))
    added = {entry.id: entry for entry in after.entries if is_new(entry)}
    assert len(added) == len(new)
    for one in new:
        found = added[one.entry.id]
        assert (found.tag, found.title, found.body, found.fields) == (
            one.entry.tag,
            one.entry.title,
            one.entry.body,
            one.fields,
        )
    assert [words(entry) for entry in after.entries if not is_new(entry)] == [words(entry) for entry in note.entries]
    rest = without(after, [number for number, entry in enumerate(after.entries) if is_new(entry)])
    ours = {heading.title for heading in after.scan.headings} - {heading.title for heading in note.scan.headings}
    headings = {f"## {title}" for title in ours}
    assert [line for line in full_lines(rest) if line not in headings] == full_lines(note.text)


@given(LEAD, note_texts(with_open_end=False), to_place(), st.data())
def test_inserting_and_removing_gives_the_old_bytes(
    lead: str, text: str, new: list[Placed], data: st.DataObject
) -> None:
    """Where the headings are there, and the note ends with a line end: a blank line at the margin is all that stays
    where there was none in front of the next heading."""
    note = read(text if text.startswith(("\ufeff", "---")) else lead + text)
    assume(not has_indented_marks(note) and not any(is_new(entry) for entry in note.entries))
    once = read(insert_entries(note, new))
    gone = [number for number, entry in enumerate(once.entries) if is_new(entry)]
    base = read(remove_entries(once, gone))
    twice = read(insert_entries(base, data.draw(st.permutations(new))))
    gone = [number for number, entry in enumerate(twice.entries) if is_new(entry)]
    assert remove_entries(twice, gone) == base.text


@given(note_texts(), st.data())
def test_removed_entries_are_gone_and_nothing_else_moves(text: str, data: st.DataObject) -> None:
    note = read(text)
    assume(note.entries)
    numbers = data.draw(st.lists(st.integers(0, len(note.entries) - 1), min_size=1, unique=True))
    removed = remove_entries(note, numbers)
    after = read(removed)
    assume((after.front_matter is None) == (note.front_matter is None))
    kept = [words(entry) for number, entry in enumerate(note.entries) if number not in numbers]
    assert [words(entry) for entry in after.entries] == kept
    assert full_lines(removed) == full_lines(without(note, numbers))
    assert removed.startswith("\ufeff") is text.startswith("\ufeff")
