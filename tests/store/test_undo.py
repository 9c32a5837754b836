"""Undo and redo over real notes and real git: per entry, further back each time, and never over a person's edit."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from remember_me.app import capture, review, settings
from remember_me.app.draft import Draft
from remember_me.errors import AmbiguousId, CannotCommit, EntryNotFound, InvalidInput
from remember_me.model.change import Add, Merge, SetFields
from remember_me.model.entry import Tag
from remember_me.store.plan import UndoConflict
from remember_me.store.undo import NothingLeft
from tests.cli_runner import Cli, trust_agents
from tests.state.lab import BOM, TODAY, Lab

YESTERDAY = "memory/2026-11-28.md"
HAND_WRITTEN = (
    b"---\r\ndate: 2026-11-29 # a Sunday\r\nmood: calm\r\n---\r\n\r\n# Log\r\n\r\n"
    b"* [08:10] GOAL: Sort the screws ^k1xyz9\r\n\t- impact: 2\r\n\r\n  In boxes.  \r\n\r\nSome prose.\t\r\n"
    b"- [ ] GOAL: no entry\r\n\r\n> a quote"
)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path).start()


def _every_kind_of_operation(lab: Lab) -> list[dict[str, bytes]]:
    """Run one operation of each kind; the notes before the first and after each."""
    file = lab.folder / "lorebook style.md"
    file.write_bytes(b"# Lorebook style\r\n\r\nShort chapters.\r\n")
    seen = [lab.notes()]
    first = lab.added("Likes green tea", impact="2", scope="kitchen")
    seen.append(lab.notes())
    long = lab.added("First line\n\nand a body\n\twith a tab ", tag="PREFERENCE")
    for run in (
        lambda: lab.correct(first, "Likes jasmine tea"),
        lambda: lab.set_fields("pin", first, pinned="true"),
        lambda: lab.correct(long, "One line now"),
        lambda: lab.set_fields("disable", long, status="disabled", reason="moved away"),
        lambda: lab.set_fields("enable", long, status=None, reason=None),
        lambda: capture.add_file(lab.session(), file, Draft("", "PREFERENCE")),
        lambda: lab.set_fields("pin", _topic(lab), pinned="true"),
        lambda: lab.correct(_topic(lab), "Lorebook style\n\nLong chapters."),
        lambda: settings.change(lab.around(), "store.timezone", "Europe/Rome"),
        lambda: lab.set_fields("unpin", first, pinned=None),
    ):
        seen.append(lab.notes())
        run()
    seen.append(lab.notes())
    assert all(one != other for one, other in itertools.pairwise(seen))
    return seen


def _topic(lab: Lab) -> str:
    return next(entry.id for entry in lab.entries().values() if entry.tier == "topic")


@pytest.mark.parametrize("today", [None, HAND_WRITTEN, b"", b"no newline at the end", BOM + b"# Log\r\n"])
def test_n_undos_give_the_first_bytes_and_n_redos_the_last(lab: Lab, today: bytes | None) -> None:
    if today is not None:
        lab.path().parent.mkdir(exist_ok=True)
        lab.path().write_bytes(today)
    lab.path("MEMORY.md").write_bytes(b"# About me\n")
    assert lab.settle() is None
    seen = _every_kind_of_operation(lab)
    for before in reversed(seen[:-1]):
        lab.undo()
        assert lab.notes() == before
    with pytest.raises(NothingLeft, match=r"^There is nothing to undo\.$"):
        lab.undo()
    for after in seen[1:]:
        lab.redo()
        assert lab.notes() == after
    with pytest.raises(NothingLeft, match=r"^There is nothing to redo\.$"):
        lab.redo()
    lab.assert_settled()


def test_undo_again_goes_further_back_also_after_a_new_operation(lab: Lab) -> None:
    one, two = lab.added("One"), lab.added("Two")
    lab.undo()
    assert set(lab.texts()) == {one}
    three = lab.added("Three")
    lab.undo()
    assert set(lab.texts()) == {one}
    lab.undo()
    assert lab.texts() == {}
    assert not {two, three} & set(lab.texts())


def test_undo_of_the_third_last_leaves_the_later_two(lab: Lab) -> None:
    lab.added("One")
    before = lab.path().read_bytes()
    taken = lab.added("Two\n\nwith a body", tag="PREFERENCE", pinned="true")
    lab.added("Three")
    lab.added("Four")
    operation = lab.log()[2].operation
    assert operation.entries == (taken,)
    lab.undo(operation.id)
    assert list(lab.texts().values()) == ["One", "Three", "Four"]
    lab.undo()
    lab.undo()
    assert lab.path().read_bytes() == before
    lab.redo(operation.id)
    assert lab.texts()[taken] == "Two\n\nwith a body"
    lab.assert_settled()


def test_undo_of_an_earlier_change_keeps_what_was_changed_in_the_entry_since(lab: Lab) -> None:
    entry = lab.added("Drinks coffee")
    correction = lab.correct(entry, "Drinks tea").operation.id
    lab.set_fields("pin", entry, pinned="true")
    lab.undo(correction)
    found = lab.entries()[entry]
    assert (found.title, found.pinned) == ("Drinks coffee", True)


def test_undo_of_an_add_that_was_corrected_since_is_a_conflict(lab: Lab) -> None:
    entry = lab.added("Drinks coffee")
    first = lab.log()[0].operation.id
    lab.correct(entry, "Drinks tea")
    before = lab.notes()
    with pytest.raises(UndoConflict) as caught:
        lab.undo(first)
    assert caught.value.exit_code == 7
    assert [conflict.key for conflict in caught.value.conflicts] == [entry]
    assert lab.notes() == before
    lab.undo(first, overwrite=True)
    assert entry not in lab.texts()


def test_an_undo_is_undone_by_its_id_and_a_redo_likewise(lab: Lab) -> None:
    entry = lab.added("One")
    after = lab.notes()
    lab.undo()
    undo = lab.log()[0].operation
    assert undo.verb == "undo"
    lab.undo(undo.id)
    assert lab.notes() == after
    redo = lab.log()[0].operation
    assert (redo.verb, redo.redoes, redo.entries) == ("redo", undo.undoes, (entry,))
    lab.undo(redo.id)
    assert lab.texts() == {}
    with pytest.raises(NothingLeft):
        lab.undo()


def test_redo_after_a_new_operation_has_nothing_to_redo(lab: Lab) -> None:
    lab.added("One")
    two = lab.added("Two")
    lab.undo()
    lab.added("Three")
    before = lab.notes()
    with pytest.raises(NothingLeft, match=r"^There is nothing to redo\.$") as caught:
        lab.redo()
    assert caught.value.exit_code == 3
    assert lab.notes() == before
    operation = next(line.operation.id for line in lab.log() if line.undone)
    lab.redo(operation)
    assert lab.texts()[two] == "Two"


def test_redo_of_what_is_not_undone_is_refused(lab: Lab) -> None:
    lab.added("One")
    operation = lab.log()[0].operation.id
    with pytest.raises(EntryNotFound, match=f"^There is no undone operation {operation}\\.$"):
        lab.redo(operation)


def test_redo_goes_on_over_a_hand_edit(lab: Lab) -> None:
    lab.added("One")
    two = lab.added("Two")
    lab.undo()
    lab.retype("One", "One and a half")
    lab.redo()
    assert list(lab.texts().values()) == ["One and a half", "Two"]
    assert two in lab.texts()


@pytest.mark.parametrize("committed", [False, True], ids=["uncommitted", "committed by the person"])
def test_a_hand_edit_of_the_same_entry_is_shown_and_kept_until_overwritten(lab: Lab, committed: bool) -> None:
    entry = lab.added("Drinks coffee")
    lab.correct(entry, "Drinks tea")
    lab.retype("Drinks tea", "Drinks cocoa")
    if committed:
        lab.git("commit", "-qam", "my own words")
    before = lab.notes()
    with pytest.raises(UndoConflict) as caught:
        lab.undo()
    conflict = caught.value.conflicts[0]
    assert conflict.base is not None
    assert "Drinks tea" in conflict.base
    assert conflict.current is not None
    assert "Drinks cocoa" in conflict.current
    assert conflict.target is not None
    assert "Drinks coffee" in conflict.target
    assert str(caught.value).startswith(f"{TODAY} was changed since, in {entry}; both versions are shown")
    assert lab.notes() == before
    commits = lab.git("rev-list", "--count", "HEAD")
    lab.undo(overwrite=True)
    assert lab.texts() == {entry: "Drinks coffee"}
    assert int(lab.git("rev-list", "--count", "HEAD")) == int(commits) + 1
    lab.redo()
    assert lab.texts() == {entry: "Drinks tea"}
    lab.assert_settled()


@pytest.mark.parametrize("committed", [False, True], ids=["uncommitted", "committed by the person"])
def test_a_hand_edit_of_another_entry_stays(lab: Lab, committed: bool) -> None:
    other = lab.added("Drinks coffee")
    entry = lab.added("Rides a bike")
    lab.correct(entry, "Rides a tandem")
    data = lab.path().read_bytes().replace(b"Drinks coffee", b"Drinks cocoa") + b"\nSome prose by hand.\n"
    lab.vim(TODAY, data)
    if committed:
        lab.git("commit", "-qam", "my own words")
    lab.undo()
    assert lab.path().read_bytes() == data.replace(b"a tandem", b"a bike")
    assert lab.texts() == {other: "Drinks cocoa", entry: "Rides a bike"}
    lab.undo()
    assert lab.texts() == {other: "Drinks cocoa"}
    assert lab.path().read_bytes().endswith(b"\nSome prose by hand.\n")
    lab.assert_settled()


@pytest.mark.parametrize("committed", [False, True], ids=["uncommitted", "committed by the person"])
def test_an_add_whose_entry_was_deleted_by_hand_counts_as_undone(lab: Lab, committed: bool) -> None:
    """Undo again must go further back, and not try the same operation for ever."""
    one = lab.added("One")
    two = lab.added("Two")
    lab.cut(two)
    if committed:
        lab.git("commit", "-qam", "gone")
    before = lab.notes()
    taken = lab.undo()
    assert lab.notes() == before
    assert [line.operation.id for line in lab.log() if line.undone] == [taken]
    assert one in lab.texts()
    lab.undo()
    assert lab.texts() == {}


def test_undo_of_the_add_in_a_note_that_was_deleted_by_hand_makes_no_note(lab: Lab) -> None:
    lab.added("One")
    lab.added("Two")
    lab.path().unlink()
    lab.undo()
    assert not lab.path().exists()
    lab.undo()
    assert not lab.path().exists()
    lab.assert_settled()


def test_undo_of_a_change_in_a_note_that_was_deleted_by_hand_is_a_conflict(lab: Lab) -> None:
    entry = lab.added("One")
    lab.correct(entry, "Two")
    lab.path().unlink()
    with pytest.raises(UndoConflict) as caught:
        lab.undo()
    assert caught.value.conflicts[0].current is None
    assert not lab.path().exists()
    lab.undo(overwrite=True)
    assert lab.texts() == {entry: "One"}


def test_an_editors_operation_is_undone_by_its_id(lab: Lab) -> None:
    one, two = lab.added("One"), lab.added("Two")
    before = lab.path().read_bytes()
    lab.vim(TODAY, before.replace(b"FACT: One", b"FACT: Uno") + b"\nProse.\n\n- FACT: By hand\n")
    three = lab.added("Three")
    editors = lab.log()[1].operation
    assert (editors.actor, editors.verb, editors.entries) == ("editor", "edit", (one,))
    lab.undo(editors.id)
    assert lab.texts() == {one: "One", two: "Two", three: "Three"}
    assert b"Prose." not in lab.path().read_bytes()
    lab.undo()
    assert lab.path().read_bytes() == before
    lab.assert_settled()


def test_undo_of_a_whole_notes_deletion_brings_it_back(lab: Lab) -> None:
    one = lab.added("One")
    before = lab.path().read_bytes()
    lab.path().unlink()
    assert lab.settle() is None
    editors = lab.log()[0].operation
    assert editors.removed == (one,)
    lab.undo(editors.id)
    assert lab.path().read_bytes() == before


def test_undo_of_a_persons_own_commit_by_its_hash(lab: Lab) -> None:
    one = lab.added("One")
    lab.retype("One", "Uno")
    lab.git("commit", "-qam", "in Italian")
    commit = lab.git("rev-parse", "HEAD")
    two = lab.added("Two")
    lab.undo(commit[:10])
    assert lab.texts() == {one: "One", two: "Two"}
    assert lab.log()[0].operation.undoes == commit[:8]
    lab.redo()
    assert lab.texts() == {one: "Uno", two: "Two"}
    lab.undo(lab.log()[1].operation.id)
    lab.undo(commit)
    assert lab.texts() == {one: "One", two: "Two"}


def test_undo_of_one_entry_of_an_operation_leaves_the_others(lab: Lab) -> None:
    one, two, three = lab.added("One"), lab.added("Two"), lab.added("Three")
    before = lab.path().read_bytes()
    for entry in (one, three):
        lab.cut(entry)
    assert lab.settle() is None
    editors = lab.log()[0].operation
    assert set(editors.removed) == {one, three}
    lab.undo(editors.id, only=three)
    assert lab.texts() == {two: "Two", three: "Three"}
    assert [gone.entry for gone in lab.state().vanished] == [one]
    lab.undo(editors.id, only=one)
    assert lab.texts() == {one: "One", two: "Two", three: "Three"}
    assert lab.path().read_bytes().rstrip() == before.rstrip()
    assert lab.state().vanished == ()


def test_undo_of_one_entry_of_many_leaves_the_rest_to_undo(lab: Lab) -> None:
    """What was taken back for one entry only is not taken back."""
    session = lab.session()
    adds = [Add(f"k0000{n}x", Tag.FACT, f"Number {n}", "", (), lab.now) for n in (1, 2)]
    session.store.apply(adds, session.request("import"))
    operation = lab.log()[0].operation
    assert operation.entries == ("k00001x", "k00002x")
    lab.undo(operation.id, only="k00001x")
    assert set(lab.texts()) == {"k00002x"}
    lab.undo()
    assert lab.texts() == {}
    lab.redo()
    assert set(lab.texts()) == {"k00001x", "k00002x"}


def test_undo_for_an_entry_takes_back_the_newest_that_touched_it_and_then_goes_further(lab: Lab) -> None:
    one = lab.added("One")
    two = lab.added("Two")
    lab.correct(one, "Uno")
    lab.retype("FACT: Uno", "FACT: Eins")
    lab.retype("FACT: Two", "FACT: Zwei")
    lab.git("commit", "-qam", "both by hand")
    lab.added("Three")
    words = []
    for _ in range(3):
        lab.undo(only=one)
        words.append(lab.texts().get(one))
    assert words == ["Uno", "One", None]
    with pytest.raises(NothingLeft):
        lab.undo(only=one)
    assert lab.texts()[two] == "Zwei"
    for word in ("One", "Uno", "Eins"):
        lab.redo()
        assert lab.texts()[one] == word
    lab.undo(only=one)
    assert lab.texts()[one] == "Uno"
    lab.assert_settled()


def test_undo_for_an_entry_that_the_operation_did_not_touch_says_so(lab: Lab) -> None:
    one = lab.added("One")
    lab.added("Two")
    operation = lab.log()[0].operation.id
    before = lab.notes()
    with pytest.raises(EntryNotFound, match=f"^There is no change to {one} in {operation}\\.$") as caught:
        lab.undo(operation, only=one)
    assert caught.value.exit_code == 3
    assert lab.notes() == before
    assert not any(line.undone for line in lab.log())


def _over_two_notes(lab: Lab) -> tuple[str, str]:
    """An operation that changes one entry in each of two notes, as promoting will."""
    lab.path().parent.mkdir()
    lab.path(YESTERDAY).write_bytes(b"- [10:00] FACT: Old one ^k5x5x5\n")
    young = lab.added("Young one")
    session = lab.session()
    ids = session.new_entry_id()
    changes = [SetFields("k5x5x5", (("pinned", "true"),), ids), SetFields(young, (("impact", "3"),), ids)]
    session.store.apply(changes, session.request("both"))
    return "k5x5x5", young


def test_an_operation_over_two_notes_is_one_to_undo_and_redo(lab: Lab) -> None:
    old, young = _over_two_notes(lab)
    after = lab.notes()
    operation = lab.undo()
    entries = lab.entries()
    assert (entries[old].pinned, entries[young].impact) == (False, 1)
    assert set(lab.log()[0].operation.entries) == {old, young}
    assert lab.redo() == operation
    assert lab.notes() == after
    lab.assert_settled()


def test_a_conflict_in_one_of_two_notes_leaves_both_alone_and_shows_every_place(lab: Lab) -> None:
    old, young = _over_two_notes(lab)
    lab.retype("pinned: true", "pinned: maybe", YESTERDAY)
    lab.retype("impact: 3", "impact: 1", TODAY)
    before = lab.notes()
    with pytest.raises(UndoConflict) as caught:
        lab.undo()
    assert {conflict.key for conflict in caught.value.conflicts} == {old, young}
    assert lab.notes() == before
    lab.undo(overwrite=True)
    assert [b"pinned" in lab.path(YESTERDAY).read_bytes(), b"impact" in lab.path().read_bytes()] == [False, False]


def test_an_entry_that_was_moved_to_another_note_by_hand_is_no_loss(lab: Lab) -> None:
    entry = lab.added("One")
    line = next(line for line in lab.path().read_bytes().splitlines(keepends=True) if b"FACT" in line)
    lab.cut(entry)
    lab.path("MEMORY.md").write_bytes(b"# Facts\n\n" + line)
    assert lab.settle() is None
    editors = lab.log()[0].operation
    assert (editors.entries, editors.removed) == ((entry,), ())
    assert lab.state().vanished == ()
    lab.undo(editors.id)
    assert lab.entries()[entry].note == TODAY
    lab.assert_settled()


def test_an_entry_without_an_id_gets_one_by_a_write_and_loses_it_by_undo(lab: Lab) -> None:
    note = b"- FACT: By hand\n  - colour: red\n\n- FACT: By hand\n"
    lab.path().parent.mkdir(exist_ok=True)
    lab.path().write_bytes(note)
    provisional = [key for key in lab.texts() if key.startswith("u-")]
    assert len(provisional) == 2
    lab.set_fields("pin", provisional[1], pinned="true")
    assert lab.path().read_bytes().startswith(b"- FACT: By hand\n  - colour: red\n\n- FACT: By hand ^k")
    lab.undo()
    assert lab.path().read_bytes() == note
    lab.redo()
    lab.undo()
    assert lab.path().read_bytes() == note


@pytest.mark.parametrize("how", ["vim", "vscode", "notepad", "sync_client"])
def test_undo_in_a_note_that_an_editor_saved_its_way(lab: Lab, how: str) -> None:
    one = lab.added("One\n\nwith a body\n\nof two paragraphs")
    two = lab.added("Two")
    lab.correct(one, "Uno\n\ncon un corpo")
    getattr(lab, how)(TODAY, lab.path().read_bytes() + b"\nProse by hand.\n")
    lab.set_fields("disable", two, status="disabled", reason="no more")
    saved = lab.path().read_bytes()
    lab.undo()
    lab.undo()
    data = lab.path().read_bytes()
    assert lab.texts() == {one: "One\n\nwith a body\n\nof two paragraphs", two: "Two"}
    assert data.startswith(BOM) == (how == "notepad") == saved.startswith(BOM)
    assert data.count(b"\r\n") == (data.count(b"\n") if how == "notepad" else 0)
    lab.undo()
    lab.undo()
    assert lab.texts() == {}
    data = lab.path().read_bytes()
    assert b"Prose by hand." in data
    assert data.count(b"\r\n") == (data.count(b"\n") if how == "notepad" else 0)
    lab.assert_settled()


def test_undo_needs_git_and_says_why(lab: Lab) -> None:
    lab.added("One")
    before = lab.notes()
    with lab.without_git():
        for run in (lab.undo, lab.redo):
            with pytest.raises(CannotCommit) as caught:
                run()
            assert caught.value.exit_code == 6
            assert str(caught.value) == "There is no history to read: git was not found on this machine."
        assert lab.notes() == before
        lab.add("Two")
        before = lab.notes()
        for run in (lab.undo, lab.redo):
            with pytest.raises(CannotCommit) as caught:
                run()
            assert caught.value.exit_code == 6
            assert str(caught.value) == (
                "Nothing was undone or redone, because git cannot commit: git was not found on this machine."
            )
        assert lab.notes() == before
    lab.undo()
    assert list(lab.texts().values()) == ["One"]


def test_what_waited_for_its_commit_can_be_undone(lab: Lab) -> None:
    with lab.without_git():
        assert not lab.add("One").committed
        assert not lab.add("Two").committed
    lab.undo()
    assert list(lab.texts().values()) == ["One"]
    lab.undo()
    assert lab.texts() == {}
    lab.assert_settled()


@pytest.mark.parametrize("given", ["", "p", "nosuch00", "HEAD", "main~1", "../x", "--", "p0000001 ", "٣٣٣٣٣٣٣٣"])
def test_an_operation_that_is_not_there(lab: Lab, given: str) -> None:
    lab.added("One")
    before = lab.notes()
    with pytest.raises(EntryNotFound, match=r"^There is no operation .*\.$") as caught:
        lab.undo(given)
    assert caught.value.exit_code == 3
    assert lab.notes() == before


def test_an_operation_by_its_beginning(lab: Lab) -> None:
    one = lab.added("One")
    operation = lab.log()[0].operation
    two = lab.added("Two")
    with pytest.raises(AmbiguousId, match=r"^p0000 fits 3 entries: ") as caught:
        lab.undo("p0000")
    assert caught.value.exit_code == 3
    assert operation.commit is not None
    lab.undo(operation.commit[:7].upper())
    assert lab.texts() == {two: "Two"}
    lab.redo(operation.id)
    assert set(lab.texts()) == {one, two}


def test_the_start_of_the_store_is_not_taken_back(lab: Lab) -> None:
    lab.added("One")
    before = lab.notes()
    first = lab.log()[-1].operation
    assert first.verb == "init"
    with pytest.raises(InvalidInput, match=f"^{first.id} started the store, and that cannot be undone\\.$") as caught:
        lab.undo(first.id)
    assert caught.value.exit_code == 2
    assert lab.notes() == before


def test_a_setting_is_undone(lab: Lab) -> None:
    before = lab.notes()
    settings.change(lab.around(), "store.timezone", "Europe/Rome")
    after = lab.notes()
    assert b'timezone = "Europe/Rome"' in after["remember-me.toml"]
    lab.undo()
    assert lab.notes() == before
    lab.redo()
    assert lab.notes() == after
    path = "remember-me.toml"
    assert [diff.path for diff in review.diff(lab.session(), None)[1]] == [path]


def test_undo_leaves_the_entry_where_it_stood(lab: Lab) -> None:
    """An entry that was cut out between two others comes back between them."""
    one, two, three = lab.added("One"), lab.added("Two\n\nbody", tag="GOAL"), lab.added("Three")
    before = lab.path().read_bytes()
    lab.cut(two)
    assert lab.settle() is None
    lab.added("Four")
    lab.undo(lab.log()[1].operation.id)
    assert list(lab.texts())[:3] == [one, two, three]
    lab.undo()
    assert lab.path().read_bytes() == before


def test_merge_changes_keep_their_hands_off_a_note_that_has_them_already(lab: Lab) -> None:
    lab.added("One")
    data = lab.path().read_bytes()
    session = lab.session()
    applied = session.store.apply([Merge(TODAY, b"", data)], session.request("merge"))
    assert applied.entries == ()
    assert lab.path().read_bytes() == data


# B59: undoing an agent's write after the person edited the same note


@pytest.mark.parametrize("committed", [False, True], ids=["uncommitted", "committed by the person"])
def test_b59_undo_of_an_agents_write_after_a_hand_edit(tmp_path: Path, home: Path, committed: bool) -> None:
    trust_agents(home)
    person = Cli(tmp_path / "store")
    agent = Cli(tmp_path / "store", {"CLAUDECODE": "1"})
    person.ok("init")
    added = agent.json("add", "Prefers tabs")
    note = tmp_path / "store" / added["note"]
    hand = note.read_bytes().replace(b"Prefers tabs", b"Prefers tabs, of four") + b"\n- FACT: B by hand ^b0b0b0\n"
    note.write_bytes(hand)
    if committed:
        _git(tmp_path / "store", "commit", "-qam", "by hand")
    person.ok("add", "C stays too")
    commits = _git(tmp_path / "store", "rev-list", "HEAD").split()

    refused = person.run("undo", added["operation"])
    assert refused.code == 7
    assert refused.out == ""
    assert "Prefers tabs, of four" in refused.err
    assert refused.err.splitlines()[-2:] == [
        f"Error: {added['note']} was changed since, in {added['id']}; "
        "both versions are shown and nothing was overwritten.",
        "Hint: Edit the note by hand, or add --overwrite to take the earlier version.",
    ]
    before = note.read_bytes()
    assert before.startswith(hand)

    person.ok("undo", added["operation"], "--overwrite")
    text = note.read_text()
    assert "Prefers tabs" not in text
    assert "B by hand ^b0b0b0" in text
    assert "C stays too" in text
    person.ok("undo")
    assert "C stays too" not in note.read_text()
    person.ok("redo")
    assert note.read_text() == text
    assert "B by hand ^b0b0b0" in text
    assert not any(mark in text for mark in ("<<<<<<<", "=======", ">>>>>>>"))
    assert _git(tmp_path / "store", "status", "--porcelain") == ""
    now = _git(tmp_path / "store", "rev-list", "HEAD").split()
    assert now[-len(commits) :] == commits
    assert len(now) == len(commits) + 3
    undo = person.json("log")[2]
    assert undo["undoes"] == added["operation"]
    person.ok("undo", undo["operation"])
    assert "Prefers tabs ^" in note.read_text()


def _git(store: Path, *arguments: str) -> str:
    import os
    import subprocess

    identity = ["-c", "user.name=Anna Test", "-c", "user.email=anna@example.invalid"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=store, env=os.environ, capture_output=True, text=True, check=True
    )
    return done.stdout.rstrip("\n")
