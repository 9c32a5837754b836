"""What is accounted for: the person's staging area, who made an entry what it is, and what only looks like an edit."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from remember_me.app.settings import change
from remember_me.store.files import Disk
from remember_me.store.listing import NOTE_LIMIT_BYTES
from tests.state.lab import TODAY, Crash, FailingDisk, Lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path).start()


def test_what_a_person_has_staged_stays_staged(lab: Lab) -> None:
    lab.added("One")
    lab.path("draft.txt").write_text("mine\n")
    lab.git("add", "draft.txt")
    lab.path("loose.txt").write_text("mine too\n")
    lab.added("Two")
    assert lab.git("status", "--porcelain").splitlines() == ["A  draft.txt", "?? loose.txt"]
    assert lab.git("ls-tree", "-r", "--name-only", "HEAD").splitlines() == [
        ".gitignore",
        TODAY,
        "remember-me.toml",
    ]


def test_a_note_that_a_person_has_staged_halfway_is_committed_as_it_stands_on_disk(lab: Lab) -> None:
    one = lab.added("One")
    lab.retype("One", "Uno")
    lab.git("add", TODAY)
    lab.retype("Uno", "Eins")
    two = lab.added("Two")
    assert lab.texts() == {one: "Eins", two: "Two"}
    lab.assert_settled()


def test_a_locked_staging_area_is_brought_along_later(lab: Lab) -> None:
    lab.added("One")
    lock = lab.root / ".git" / "index.lock"
    lock.touch()
    assert lab.add("Two").committed
    assert lab.add("Three").committed
    lab.path().unlink()
    assert lab.add("Four").committed
    lock.unlink()
    assert lab.git("status", "--porcelain") != ""
    lab.assert_settled()


def test_a_note_that_became_too_large_or_a_link_is_not_taken_for_deleted(lab: Lab) -> None:
    lab.added("One")
    data = lab.path().read_bytes()
    lab.path("memory/big.md").write_bytes(b"# Big\n")
    assert lab.settle() is None
    commits = lab.git("rev-list", "--count", "HEAD")
    os.truncate(lab.path("memory/big.md"), NOTE_LIMIT_BYTES + 1)
    lab.path().rename(lab.folder / "moved.md")
    lab.path().symlink_to(lab.folder / "moved.md")
    assert lab.settle() is None
    assert lab.git("rev-list", "--count", "HEAD") == commits
    assert lab.git("ls-tree", "-r", "--name-only", "HEAD", "memory/").splitlines() == [TODAY, "memory/big.md"]
    lab.path().unlink()
    (lab.folder / "moved.md").rename(lab.path())
    assert lab.path().read_bytes() == data
    assert lab.settle() is None
    assert lab.git("rev-list", "--count", "HEAD") == commits


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads and lists everything")
@pytest.mark.parametrize("what", ["the note", "the folder"])
def test_what_cannot_be_read_is_not_taken_for_deleted(lab: Lab, what: str) -> None:
    lab.added("One")
    commits = lab.git("rev-list", "--count", "HEAD")
    locked = lab.path() if what == "the note" else lab.root / "memory"
    mode = locked.stat().st_mode
    locked.chmod(0)
    assert lab.settle() is None
    locked.chmod(mode)
    assert lab.git("rev-list", "--count", "HEAD") == commits
    lab.assert_settled()


def test_the_actor_of_an_entry_is_who_stands_behind_it(lab: Lab) -> None:
    """Who wrote it, until a person touches it; an agent and a rule never take a person's place."""
    change(lab.around(), "review.agent", "never")
    one, three = lab.added("One"), lab.added("Three")
    lab.environ["CLAUDECODE"] = "1"
    two, four = lab.added("Two"), lab.added("Four")
    lab.set_fields("maintain", one, links="[[x]]")
    del lab.environ["CLAUDECODE"]
    lab.correct(four, "Quattro")
    lab.retype("Three", "Tre")
    actors = {one: "person", two: "agent:claude-code", three: "person", four: "person"}
    assert {entry: lab.session().store.actor_of(entry) for entry in actors} == actors
    assert lab.settle() is None
    actors[three] = "editor"
    assert {entry: lab.session().store.actor_of(entry) for entry in actors} == actors
    (lab.root / ".remember-me" / "manifest.json").unlink()
    assert lab.session().store.actor_of(one) is None
    assert lab.settle() is None
    assert {entry: lab.session().store.actor_of(entry) for entry in actors} == actors


def test_the_actor_of_an_entry_is_known_while_its_commit_waits(lab: Lab) -> None:
    with lab.without_git():
        one = lab.add("One").entries[0].id
        two = lab.add("Two").entries[0].id
        assert [lab.session().store.actor_of(entry) for entry in (one, two)] == ["person", "person"]


def test_an_edit_that_was_taken_back_by_hand_leaves_no_trace(lab: Lab) -> None:
    lab.added("One")
    data = lab.path().read_bytes()
    commit = lab.git("rev-parse", "HEAD")
    lab.vim(TODAY, data + b"\nA thought.\n")
    lab.vscode(TODAY, data)
    lab.assert_settled()
    assert lab.git("rev-parse", "HEAD") == commit


@pytest.mark.parametrize("effects", range(0, 24, 3))
def test_a_hand_edit_behind_a_crash_is_kept_beside_what_the_command_wanted(lab: Lab, effects: int) -> None:
    """The note was edited between the death of a command and the next one."""
    one = lab.added("One\n\nwith a body")
    lab.disk = FailingDisk(effects)
    with contextlib.suppress(Crash):
        lab.add("Two")
    lab.disk = Disk()
    for path in (lab.root / "memory").glob(".*"):
        path.unlink()
    lab.notepad(TODAY, lab.path().read_bytes().replace(b"FACT: One", b"FACT: Uno") + b"\nA thought.\n")
    three = lab.added("Three")
    texts = lab.texts()
    assert texts[one] == "Uno\n\nOne\n\nwith a body"
    assert texts[three] == "Three"
    assert set(texts.values()) <= {texts[one], "Two", "Three"}
    data = lab.path().read_bytes()
    assert data.count(b"A thought.") == 1
    assert data.count(b"\r\n") == data.count(b"\n")
    added = [entry for operation in lab.operations() if operation.verb == "add" for entry in operation.entries]
    assert sorted(added) == sorted(texts)
    lab.assert_settled()


def test_a_commit_of_a_person_between_two_commands_is_the_ground_of_the_next(lab: Lab) -> None:
    one = lab.added("One")
    lab.retype("One", "Uno")
    lab.git("commit", "-qam", "mine")
    mine = lab.git("rev-parse", "HEAD")
    two = lab.added("Two")
    assert lab.git("rev-parse", "HEAD~1") == mine
    assert lab.texts() == {one: "Uno", two: "Two"}
    lab.assert_settled()
