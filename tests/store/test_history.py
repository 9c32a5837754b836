"""History as git keeps it: operations, what each changed, and the revisions of an entry, also of a person's commits."""

from __future__ import annotations

import itertools
import os
import shutil
from pathlib import Path

import pytest

from remember_me.app import review
from remember_me.errors import AmbiguousId, CannotCommit, EntryNotFound
from remember_me.store.history import FOREIGN_VERB, History
from tests.state.lab import TODAY, Lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path).start()


def history(lab: Lab) -> History:
    return review.history(lab.session())


def test_operations_are_newest_first_as_they_were_made(lab: Lab) -> None:
    one = lab.added("One")
    lab.correct(one, "Uno")
    lab.retype("Uno", "Eins")
    lab.undo(overwrite=True)
    found = list(history(lab).operations())
    assert [(operation.verb, operation.actor) for operation in found] == [
        ("undo", "person"),
        ("edit", "editor"),
        ("correct", "person"),
        ("add", "person"),
        ("init", "person"),
    ]
    assert found[0].undoes == found[2].id
    assert all(operation.entries == (one,) for operation in found[:4])
    assert [operation.at for operation in found] == sorted((operation.at for operation in found), reverse=True)
    assert [operation.commit for operation in found] == lab.git("rev-list", "HEAD").split()


def test_commits_of_others_are_shown_where_they_touch_what_is_ours(lab: Lab) -> None:
    lab.added("One")
    lab.path("plan.txt").write_text("no note")
    lab.git("add", "plan.txt")
    lab.git("commit", "-qm", "no note")
    lab.retype("One", "Uno")
    lab.git("commit", "-qam", "remember-me: edit k00003\n\nnot one of ours, for want of an id")
    lab.path("remember-me.toml").write_bytes(lab.path("remember-me.toml").read_bytes() + b"# mine\n")
    lab.git("commit", "-qam", "settings")
    verbs = [operation.verb for operation in history(lab).operations(foreign=True)]
    assert verbs == [FOREIGN_VERB, FOREIGN_VERB, "add", "init"]
    assert [operation.verb for operation in history(lab).operations()] == ["add", "init"]
    foreign = next(history(lab).operations(foreign=True))
    assert (foreign.actor, foreign.id) == ("Anna Test", lab.git("rev-parse", "--short=8", "HEAD"))


def test_a_merge_counts_by_what_it_brought_to_the_branch(lab: Lab) -> None:
    one = lab.added("One")
    lab.git("checkout", "-q", "-b", "side")
    lab.path("memory/2026-11-28.md").write_bytes(b"- FACT: Old ^k0d000\n")
    lab.git("add", ".")
    lab.git("commit", "-qm", "on the side")
    lab.git("checkout", "-q", "main")
    two = lab.added("Two")
    lab.git("merge", "-q", "--no-ff", "-m", "bring it in", "side")
    assert lab.settle() is None
    operations = list(history(lab).operations(foreign=True))
    assert [operation.verb for operation in operations] == [FOREIGN_VERB, "add", "add", "init"]
    assert history(lab).kinds(operations[0]) == {"k0d000": "added"}
    lab.undo(operations[0].id)
    assert list(lab.texts()) == [one, two]
    lab.assert_settled()


def test_the_states_of_an_operation_are_the_bytes_before_and_after(lab: Lab) -> None:
    empty = lab.notes()
    lab.added("One")
    after = lab.notes()
    lab.path().unlink()
    lab.path("MEMORY.md").write_bytes(b"\xff\xfe no text \r\n")
    assert lab.settle() is None
    past = history(lab)
    edit, add, init = list(past.operations())
    assert past.states(add) == [(TODAY, None, after[TODAY])]
    assert past.states(edit) == [("MEMORY.md", None, b"\xff\xfe no text \r\n"), (TODAY, after[TODAY], None)]
    assert past.states(init) == [("remember-me.toml", None, empty["remember-me.toml"])]


def test_kinds_say_what_happened_to_each_entry_over_all_notes(lab: Lab) -> None:
    one, two, three = lab.added("One"), lab.added("Two"), lab.added("Three")
    data = lab.path().read_bytes()
    line = next(line for line in data.splitlines(keepends=True) if b"Two" in line)
    lab.cut(one)
    lab.cut(two)
    lab.path("MEMORY.md").write_bytes(line + b"- FACT: New ^k0new0\n- FACT: No id\n")
    lab.retype("Three", "Drei")
    assert lab.settle() is None
    past = history(lab)
    edit = next(past.operations())
    assert past.kinds(edit) == {one: "removed", two: "changed", three: "changed", "k0new0": "added"}
    assert edit.removed == (one,)
    assert set(edit.entries) == {one, two, three, "k0new0"}


def test_revisions_are_every_state_of_one_entry_and_of_no_other(lab: Lab) -> None:
    one = lab.added("One")
    lab.added("Two")
    lab.correct(one, "Uno\n\nwith a body")
    lab.retype("FACT: Uno", "FACT: Eins")
    lab.git("commit", "-qam", "by hand")
    lab.set_fields("pin", one, pinned="true")
    lab.cut(one)
    lab.added("Three")
    found = review.revisions(lab.session(), one)
    assert [(revision.operation.verb, revision.operation.actor) for revision in found] == [
        ("edit", "editor"),
        ("pin", "person"),
        ("commit", "Anna Test"),
        ("correct", "person"),
        ("add", "person"),
    ]
    assert (found[0].after, found[-1].before) == (None, None)
    assert all(newer.before == older.after for newer, older in itertools.pairwise(found))
    head = f"{(found[-1].after or '').partition(' FACT')[0]} FACT: Eins ^{one}"
    assert found[0].before == f"{head}\n  - pinned: true\n\n  Uno\n\n  with a body"
    assert found[2].after == f"{head}\n\n  Uno\n\n  with a body"


def test_revisions_follow_an_entry_from_note_to_note(lab: Lab) -> None:
    one = lab.added("One")
    line = next(line for line in lab.path().read_bytes().splitlines(keepends=True) if b"One" in line)
    lab.cut(one)
    lab.path("MEMORY.md").write_bytes(line)
    assert lab.settle() is None
    found = review.revisions(lab.session(), one)
    assert {(revision.note, revision.before is None, revision.after is None) for revision in found} == {
        (TODAY, True, False),
        (TODAY, False, True),
        ("MEMORY.md", True, False),
    }


def test_an_id_that_was_never_there_has_no_revisions(lab: Lab) -> None:
    lab.added("One")
    for given in ("k99999", "nonsense!", "^zzzzzz"):
        with pytest.raises(EntryNotFound, match=r"^There is no entry .*\.$"):
            review.revisions(lab.session(), given)


def test_an_operation_is_found_by_its_id_its_commit_or_their_beginning(lab: Lab) -> None:
    lab.added("One")
    lab.added("Two")
    past = history(lab)
    newest = next(past.operations())
    assert newest.commit is not None
    for given in (newest.id, newest.id.upper(), newest.commit, newest.commit[:12]):
        assert past.find(given) == newest
    with pytest.raises(AmbiguousId) as caught:
        past.find("p000")
    assert len(caught.value.candidates) == 3
    for given in ("p00", "", "HEAD", newest.commit + "0", "p00000zz"):
        with pytest.raises(EntryNotFound, match=r"^There is no operation .*\.$"):
            past.find(given)


@pytest.mark.parametrize("how", ["no repository", "no git", "elsewhere"])
def test_where_git_gives_no_history_it_is_said_why(lab: Lab, how: str) -> None:
    lab.added("One")
    if how == "no repository":
        shutil.rmtree(lab.root / ".git")
        reason = "the store has no git repository"
    elif how == "no git":
        lab.environ["PATH"] = str(lab.home)
        reason = "git was not found on this machine"
    else:
        (lab.root / ".git").rename(lab.folder / "elsewhere")
        (lab.root / ".git").symlink_to(lab.folder / "elsewhere")
        reason = ".git of the store leads elsewhere, and remember-me does not follow it"
    with pytest.raises(CannotCommit) as caught:
        history(lab)
    assert caught.value.exit_code == 6
    assert str(caught.value) == f"There is no history to read: {reason}."
    assert lab.texts()


def test_a_repository_without_a_commit_has_an_empty_history(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    lab.root.mkdir()
    (lab.root / "memory").mkdir()
    lab.git("init", "-q", "-b", "main")
    assert review.log(lab.session(), None) == []
    with pytest.raises(EntryNotFound, match=r"^There is no operation newest\.$"):
        review.diff(lab.session(), None)


def test_what_others_told_git_by_the_environment_does_not_count(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.added("One")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("GIT_DIR", str(other))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert [operation.verb for operation in history(lab).operations()] == ["add", "init"]
    assert "GIT_DIR" not in os.environ


def test_topic_notes_beside_the_long_term_note_have_a_history_too(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    lab.root.mkdir()
    lab.path("MEMORY.md").write_bytes(b"# Facts\n")
    lab.path("tea.md").write_bytes(b"---\nid: t00001\ntag: FACT\ntitle: Tea\n---\n\nGreen.\n")
    lab.start()
    assert lab.session().store.shape.notes_dir == "."
    lab.set_fields("pin", "t00001", pinned="true")
    past = history(lab)
    newest = next(past.operations())
    assert [state.path for state in past.states(newest)] == ["tea.md"]
    assert past.kinds(newest) == {"t00001": "changed"}
    assert [revision.operation.verb for revision in past.revisions("t00001")] == ["pin", "edit"]
    lab.undo()
    assert lab.path("tea.md").read_bytes() == b"---\nid: t00001\ntag: FACT\ntitle: Tea\n---\n\nGreen.\n"
