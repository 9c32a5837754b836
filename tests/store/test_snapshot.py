"""How an id is found among the notes, and which of its occurrences is served."""

from __future__ import annotations

import itertools

import pytest

from remember_me.errors import AmbiguousId, EntryNotFound
from remember_me.notes.note import parse_note
from remember_me.store.snapshot import Snapshot, by_path


def snapshot(**notes: str) -> Snapshot:
    """Notes by name: `d28` is a daily note of that day of November 2026, `MEMORY` the long-term note."""
    paths = {
        name: "MEMORY.md" if name == "MEMORY" else f"memory/2026-11-{name[1:]}.md" if name[0] == "d" else name
        for name in notes
    }
    return Snapshot(by_path(parse_note(paths[name], text.encode()) for name, text in notes.items()))


@pytest.mark.parametrize("given", ["k00001", "^k00001", "K00001", "^K00001", "k00001x", "k00001X", "^k00001x"])
def test_an_exact_id_is_found_also_where_it_is_the_beginning_of_another(given: str) -> None:
    notes = snapshot(d28="- FACT: One ^k00001\n- FACT: Two ^k00001x\n")
    assert notes.find(given).entry.title == ("Two" if given.lower().endswith("x") else "One")


@pytest.mark.parametrize(
    ("given", "title"), [("k00001", "One"), ("k", None), ("k00", None), ("x", "Three"), ("^X9", "Three")]
)
def test_a_unique_beginning_is_enough(given: str, title: str | None) -> None:
    notes = snapshot(d28="- FACT: One ^k00001\n- FACT: Two ^k00002\n", d29="- FACT: Three ^x99999\n")
    if title is not None:
        assert notes.find(given).entry.title == title
        return
    with pytest.raises(AmbiguousId, match=rf"^{given} fits 2 entries: k00001, k00002\.$") as caught:
        notes.find(given)
    assert caught.value.exit_code == 3
    assert caught.value.hint == "Give one more character of the id."


@pytest.mark.parametrize("given", ["", "^", "k00003", "k00001y", "u", "u-", "u-zz", "k00001 ", "..", "k0000\u0661"])
def test_what_is_not_there_is_said_to_be_not_there(given: str) -> None:
    notes = snapshot(d28="- FACT: One ^k00001\n- FACT: By hand\n")
    with pytest.raises(EntryNotFound, match=r"^There is no entry .*\.$") as caught:
        notes.find(given)
    assert caught.value.exit_code == 3


def test_a_provisional_id_is_found_by_a_beginning_that_says_something() -> None:
    notes = snapshot(d28="- FACT: By hand\n- FACT: By hand\n- FACT: Another\n")
    ids = [entry.id for entry in notes.entries()]
    assert len(set(ids)) == 3
    for entry in ids:
        assert notes.find(entry).entry.id == entry
        assert notes.find(f"^{entry.upper()}").entry.id == entry


def test_a_beginning_that_two_provisional_ids_share_is_ambiguous() -> None:
    """There are more entries than characters, so two ids must begin alike behind `u-`."""
    notes = snapshot(d28="".join(f"- FACT: By hand {number}\n" for number in range(70)))
    ids = sorted(entry.id for entry in notes.entries())
    shared = next(one[:3] for one, other in itertools.pairwise(ids) if one[:3] == other[:3])
    with pytest.raises(AmbiguousId) as caught:
        notes.find(shared)
    assert set(caught.value.candidates) == {entry for entry in ids if entry.startswith(shared)}


PROMOTED = "- FACT: Old words ^k00001\n  - status: promoted\n"
LIVE = "- FACT: Live words ^k00001\n"


@pytest.mark.parametrize(
    ("notes", "served"),
    [
        ({"d28": PROMOTED, "MEMORY": LIVE}, "MEMORY.md"),
        ({"d28": LIVE, "MEMORY": PROMOTED}, "memory/2026-11-28.md"),
        ({"d27": LIVE, "d28": PROMOTED, "d29": PROMOTED}, "memory/2026-11-27.md"),
        ({"d27": PROMOTED, "d29": PROMOTED, "d28": PROMOTED}, "memory/2026-11-29.md"),
        ({"d28": PROMOTED, "MEMORY": PROMOTED}, "memory/2026-11-28.md"),
    ],
)
def test_the_live_occurrence_is_served_else_the_newest(notes: dict[str, str], served: str) -> None:
    found = snapshot(**notes)
    assert found.find("k00001").entry.note == served
    assert [entry.note for entry in found.entries()] == [served]
    assert found.occurrences("k00001")[0].entry.note == served
    assert len(found.occurrences("k00001")) == len(notes)


def test_entries_are_each_shown_once_in_the_order_of_the_notes() -> None:
    found = snapshot(
        d29="- FACT: Four ^k00004\n",
        d28="- FACT: Two ^k00002\n- FACT: One ^k00001\n- FACT: Two again ^k00002\n",
        MEMORY="# Facts\n\n- FACT: Three ^k00003\n",
    )
    assert [entry.id for entry in found.entries()] == ["k00003", "k00002", "k00001", "k00004"]
    assert found.find("k00002").entry.title == "Two"
