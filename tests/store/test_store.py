"""The gateway over real notes and real git: hand edits, races, whatever git refuses, and what goes missing."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from remember_me.app.start import open_for_writing
from remember_me.errors import EntryNotFound, RememberMeError, StoreDamaged
from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.notes import layout
from remember_me.store.files import Disk
from remember_me.store.plan import UndoConflict
from remember_me.store.store import Applied, StoreBusy
from tests.cli_runner import Cli, trust_scripts
from tests.state.lab import BOM, TODAY, Lab


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path).start()


class EditingDisk(Disk):
    """A hand edits a note while the writer prepares the file that is to take its place."""

    def __init__(self, edit: Callable[[], None], times: int = 1) -> None:
        self.edit = edit
        self.left = times

    def create(self, path: Path) -> int:
        if layout.is_temporary(path.name) and self.left > 0:
            self.left -= 1
            self.edit()
        return super().create(path)


# Hand edits


def test_a_hand_edit_is_the_editors_own_commit_before_the_operation(lab: Lab) -> None:
    one = lab.added("One")
    gone = lab.added("Two")
    first = lab.git("rev-parse", "HEAD")
    lab.cut(gone)
    lab.retype("One", "Uno")
    with open(lab.path(), "ab") as file:
        file.write(b"\nProse.\n- FACT: Four by hand ^f0f0f0\n")
    lab.path("MEMORY.md").write_bytes(b"# Facts\n")
    hand = lab.notes()
    three = lab.added("Three")
    add, edit = lab.operations()[:2]
    assert (add.verb, add.actor, add.entries, add.removed) == ("add", "person", (three,), ())
    assert (edit.verb, edit.actor, edit.removed) == ("edit", "editor", (gone,))
    assert set(edit.entries) == {one, gone, "f0f0f0"}
    assert lab.git("rev-parse", "HEAD~2") == first
    assert lab.blob(f"HEAD~1:{TODAY}") == hand[TODAY]
    assert lab.blob("HEAD~1:MEMORY.md") == b"# Facts\n"
    assert lab.git("diff", "--name-only", "HEAD~1", "HEAD") == TODAY
    assert lab.path().read_bytes().startswith(hand[TODAY])
    session = lab.session()
    assert {session.store.actor_of(entry) for entry in (one, "f0f0f0")} == {"editor"}
    assert session.store.actor_of(three) == "person"
    lab.assert_settled()


@pytest.mark.parametrize("how", ["vim", "vscode", "notepad", "sync_client"])
def test_every_way_of_saving_is_seen_and_kept_byte_for_byte(lab: Lab, how: str) -> None:
    one = lab.added("One")
    getattr(lab, how)(TODAY, lab.path().read_bytes().replace(b"FACT: One", b"FACT: Uno"))
    saved = lab.path().read_bytes()
    two = lab.added("Two")
    assert lab.path().read_bytes().startswith(saved)
    assert lab.texts() == {one: "Uno", two: "Two"}
    assert [operation.actor for operation in lab.operations()[:2]] == ["person", "editor"]
    assert lab.path().read_bytes().startswith(BOM) == (how == "notepad")
    lab.assert_settled()


def test_a_hand_edit_alone_is_committed_by_settle(lab: Lab) -> None:
    lab.added("One")
    lab.retype("One", "Uno")
    assert lab.state().edited == (TODAY,)
    assert lab.settle() is None
    assert lab.state().edited == ()
    assert lab.operations()[0].actor == "editor"
    count = lab.git("rev-list", "--count", "HEAD")
    lab.assert_settled()
    assert lab.git("rev-list", "--count", "HEAD") == count


def test_a_touched_note_is_no_hand_edit(lab: Lab) -> None:
    lab.added("One")
    lab.path().touch()
    lab.path().chmod(0o600)
    shutil.copy(lab.path(), lab.path("memory/x.tmp"))
    lab.path("memory/x.tmp").replace(lab.path())
    assert lab.state().edited == ()
    lab.added("Two")
    assert [operation.verb for operation in lab.operations()] == ["add", "add", "init"]


def test_a_save_that_takes_an_acknowledged_entry_away_is_listed_and_undone(lab: Lab) -> None:
    """A stale buffer: the editor had the note open before the entry came."""
    one = lab.added("One")
    stale = lab.path().read_bytes()
    two = lab.added("Two\n\nwith a body")
    lab.vim(TODAY, stale + b"\nand a thought\n")
    assert two not in lab.texts()
    assert lab.state().vanished == ((two, None, None),)
    assert lab.state().needs_someone
    three = lab.added("Three")
    gone = lab.state().vanished
    assert [(item.entry, item.operation) for item in gone] == [(two, lab.operations()[1].id)]
    lab.undo(gone[0].operation, only=gone[0].entry)
    assert lab.texts() == {one: "One", two: "Two\n\nwith a body", three: "Three"}
    assert b"and a thought" in lab.path().read_bytes()
    assert lab.state().vanished == ()
    lab.assert_settled()


def test_what_vanished_is_named_until_it_is_back_or_thirty_days_are_over(lab: Lab) -> None:
    from datetime import timedelta

    lab.added("One")
    two = lab.added("Two")
    lab.cut(two)
    lab.added("Three")
    assert [item.entry for item in lab.state().vanished] == [two]
    lab.now += timedelta(days=29, hours=23)
    assert [item.entry for item in lab.state().vanished] == [two]
    lab.now += timedelta(days=1)
    assert lab.state().vanished == ()


def _lose(lab: Lab, how: str, entry: str) -> None:
    if how == "the entry":
        lab.cut(entry)
    elif how == "the note":
        lab.path().unlink()
    else:
        shutil.rmtree(lab.root / "memory")


@pytest.mark.parametrize("how", ["the entry", "the note", "the note folder"])
def test_what_vanished_a_moment_ago_comes_back_by_its_id_alone(lab: Lab, how: str) -> None:
    """No command has seen the edit, so it is no operation yet that one could name."""
    kept, gone = lab.added("Stays"), lab.added("Goes\n\nwith a body")
    before = lab.path().read_bytes()
    _lose(lab, how, gone)
    lost = [gone] if how == "the entry" else [kept, gone]
    assert lab.state().vanished == tuple((entry, None, None) for entry in lost)
    for entry in lost:
        lab.undo(only=entry)
    assert lab.state().vanished == ()
    assert lab.path().read_bytes().rstrip() == before.rstrip()
    lab.assert_settled()


@pytest.mark.parametrize("how", ["the entry", "the note", "the note folder"])
@pytest.mark.parametrize("committed", [False, True], ids=["by the next command", "by the person"])
def test_what_vanished_comes_back_entry_by_entry(lab: Lab, how: str, committed: bool) -> None:
    kept, gone = lab.added("Stays"), lab.added("Goes\n\nwith a body")
    before = lab.path().read_bytes()
    _lose(lab, how, gone)
    if committed:
        lab.git("commit", "-qam", "less is more")
    assert lab.settle() is None
    lost = [gone] if how == "the entry" else [kept, gone]
    assert [item.entry for item in lab.state().vanished] == lost
    for entry in reversed(lost):
        operation = next(item.operation for item in lab.state().vanished if item.entry == entry)
        lab.undo(operation, only=entry)
    assert lab.state().vanished == ()
    assert lab.path().read_bytes().rstrip() == before.rstrip()
    lab.assert_settled()


def test_status_names_the_command_that_brings_back_what_vanished(tmp_path: Path, home: Path) -> None:
    trust_scripts(home)
    lab = Lab(tmp_path).start()
    cli = Cli(lab.root)
    gone = cli.json("add", "Goes\n\nwith a body")
    lab.path(gone["note"]).unlink()
    (vanished,) = cli.json("status")["vanished"]
    assert vanished == {"id": gone["id"], "operation": None, "at": None}
    assert any(line.endswith(f"undo --entry {gone['id']}") for line in cli.ok("status").out.splitlines())
    cli.ok("config", "store.timezone", "UTC")
    (vanished,) = cli.json("status")["vanished"]
    assert vanished["id"] == gone["id"]
    command = f"undo {vanished['operation']} --entry {gone['id']}"
    assert any(line.endswith(command) for line in cli.ok("status").out.splitlines())
    cli.ok(*command.split())
    assert cli.ok("get", gone["id"], "--text").out == "Goes\n\nwith a body\n"
    assert cli.json("status")["vanished"] == []


# Races


def _retype(lab: Lab, old: str, new: str) -> Callable[[], None]:
    return lambda: lab.retype(old, new)


def _append(lab: Lab, data: bytes) -> Callable[[], None]:
    return lambda: lab.vim(TODAY, lab.path().read_bytes() + data)


@pytest.mark.parametrize("races", [1, 3])
@pytest.mark.parametrize("how", ["vim", "vscode", "notepad", "sync_client"])
def test_an_edit_right_before_the_rename_is_merged(lab: Lab, how: str, races: int) -> None:
    one = lab.added("One")
    stamps = iter(range(9))

    def edit() -> None:
        getattr(lab, how)(TODAY, lab.path().read_bytes() + b"\nThought %d.\n" % next(stamps))

    lab.disk = EditingDisk(edit, races)
    two = lab.added("Two")
    lab.disk = Disk()
    assert lab.texts() == {one: "One", two: "Two"}
    data = lab.path().read_bytes()
    assert [b"Thought %d." % number in data for number in range(4)] == [number < races for number in range(4)]
    assert [operation.actor for operation in lab.operations()] == ["person", *["editor"] * races, "person", "person"]
    lab.assert_settled()


def test_an_edit_of_the_same_entry_right_before_the_rename_is_kept(lab: Lab) -> None:
    entry = lab.added("One")
    lab.disk = EditingDisk(_retype(lab, "FACT: One", "FACT: Uno"))
    lab.set_fields("pin", entry, pinned="true")
    found = lab.entries()[entry]
    assert (found.title, found.pinned) == ("Uno", True)
    lab.disk = EditingDisk(_retype(lab, "FACT: Uno", "FACT: Eins"))
    lab.correct(entry, "Ein")
    assert lab.texts() == {entry: "Ein"}
    assert lab.operations()[1].actor == "editor"
    assert b"FACT: Eins" in lab.blob(f"HEAD~1:{TODAY}")
    lab.assert_settled()


def test_an_entry_cut_right_before_the_rename_is_not_found_and_its_cut_is_kept(lab: Lab) -> None:
    entry = lab.added("One")
    lab.disk = EditingDisk(lambda: lab.cut(entry))
    with pytest.raises(EntryNotFound):
        lab.correct(entry, "Two")
    lab.disk = Disk()
    assert lab.texts() == {}
    assert [operation.removed for operation in lab.operations()[:1]] == [(entry,)]
    lab.assert_settled()


def test_a_note_deleted_right_before_the_rename_stays_deleted_but_for_the_new_entry(lab: Lab) -> None:
    one = lab.added("One")
    lab.disk = EditingDisk(lambda: lab.path().unlink())
    two = lab.added("Two")
    assert lab.texts() == {two: "Two"}
    assert [gone.entry for gone in lab.state().vanished] == [one]
    lab.assert_settled()


def test_a_note_made_by_hand_right_before_the_first_write_is_kept(lab: Lab) -> None:
    def edit() -> None:
        lab.path().write_bytes(b"# Mine\n\n- FACT: By hand ^f0f0f0\n")

    lab.disk = EditingDisk(edit)
    lab.path().parent.mkdir(exist_ok=True)
    one = lab.added("One")
    assert lab.path().read_bytes().startswith(b"# Mine\n\n- FACT: By hand ^f0f0f0\n")
    assert lab.texts() == {"f0f0f0": "By hand", one: "One"}
    lab.assert_settled()


def test_an_edit_right_before_the_rename_of_an_undo_is_kept_or_shown(lab: Lab) -> None:
    one, two = lab.added("One"), lab.added("Two")
    lab.disk = EditingDisk(_retype(lab, "FACT: One", "FACT: Uno"))
    lab.undo()
    assert lab.texts() == {one: "Uno"}
    lab.disk = Disk()
    lab.redo()
    lab.disk = EditingDisk(_retype(lab, "FACT: Two", "FACT: Due"))
    with pytest.raises(UndoConflict):
        lab.undo()
    lab.disk = Disk()
    assert lab.texts() == {one: "Uno", two: "Due"}
    lab.assert_settled()


def test_a_note_that_never_stands_still_is_left_alone(lab: Lab) -> None:
    one = lab.added("One")
    counter = iter(range(99))

    def edit() -> None:
        lab.vscode(TODAY, lab.path().read_bytes() + b"again %d\n" % next(counter))

    lab.disk = EditingDisk(edit, 99)
    with pytest.raises(StoreDamaged, match=r"^The notes keep changing while they are written; nothing was changed\.$"):
        lab.add("Two")
    lab.disk = Disk()
    assert lab.texts() == {one: "One"}
    assert lab.path().read_bytes().endswith(b"again %d\n" % (next(counter) - 1))
    lab.assert_settled()


# What git refuses


def _detached(lab: Lab) -> Callable[[], object]:
    lab.git("checkout", "-q", "--detach")
    return lambda: lab.git("checkout", "-q", "main")


def _merging(lab: Lab) -> Callable[[], object]:
    lab.git("checkout", "-q", "-b", "side")
    lab.path("other.txt").write_text("one\n")
    lab.git("add", "other.txt")
    lab.git("commit", "-qm", "side")
    lab.git("checkout", "-q", "main")
    lab.path("other.txt").write_text("two\n")
    lab.git("add", "other.txt")
    lab.git("commit", "-qm", "main")
    lab.git("merge", "side", fails=True)
    return lambda: lab.git("merge", "--abort")


def _locked(lab: Lab) -> Callable[[], object]:
    lock = lab.root / ".git" / "refs" / "heads" / "main.lock"
    lock.touch()
    return lock.unlink


def _foreign(lab: Lab) -> Callable[[], object]:
    lab.environ["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
    return lambda: lab.environ.pop("GIT_TEST_ASSUME_DIFFERENT_OWNER")


def _no_git(lab: Lab) -> Callable[[], object]:
    path = lab.environ["PATH"]
    lab.environ["PATH"] = str(lab.home)
    return lambda: lab.environ.__setitem__("PATH", path)


def _elsewhere(lab: Lab) -> Callable[[], object]:
    (lab.root / ".git").rename(lab.folder / "elsewhere")
    (lab.root / ".git").write_text(f"gitdir: {lab.folder / 'elsewhere'}\n")

    def back() -> None:
        (lab.root / ".git").unlink()
        (lab.folder / "elsewhere").rename(lab.root / ".git")

    return back


def _broken_head(lab: Lab) -> Callable[[], object]:
    head = lab.root / ".git" / "HEAD"
    data = head.read_bytes()
    head.write_bytes(b"")
    return lambda: head.write_bytes(data)


OBSTACLES = {
    _detached: "no branch is checked out (HEAD is detached)",
    _merging: "a merge is under way in the repository",
    _locked: "the lock file .git/refs/heads/main.lock, ",
    _foreign: "the repository belongs to another user, and safe.directory does not name ",
    _no_git: "git was not found on this machine",
    _elsewhere: ".git of the store leads elsewhere, and remember-me does not follow it",
    _broken_head: "the git repository of the store is damaged: .git/HEAD cannot be read",
}


@pytest.mark.parametrize("obstacle", OBSTACLES, ids=lambda obstacle: obstacle.__name__.strip("_"))
def test_what_git_refuses_is_written_now_and_committed_by_the_next_command(
    lab: Lab, obstacle: Callable[[Lab], Callable[[], object]]
) -> None:
    first = lab.added("One")
    clear = obstacle(lab)
    commits = lab.git("rev-list", "main", fails=True)

    def refused(applied: Applied) -> str:
        assert not applied.committed
        assert not applied.waiting
        assert applied.reason is not None
        assert applied.reason.startswith(OBSTACLES[obstacle])
        return applied.entries[0].id

    two = refused(lab.add("Two"))
    refused(lab.correct(two, "Due"))
    lab.retype("FACT: One", "FACT: Uno")
    three = refused(lab.add("Three"))
    refused(lab.set_fields("pin", first, pinned="true"))
    assert lab.texts() == {first: "Uno", two: "Due", three: "Three"}
    assert lab.entries()[first].pinned
    state = lab.state()
    assert (state.waiting, state.edited, state.damaged) == (5, (), ())

    clear()
    assert lab.state().waiting == 5
    four = lab.added("Four")
    operations = lab.operations()[:6][::-1]
    assert [(operation.verb, operation.entries) for operation in operations] == [
        ("add", (two,)),
        ("correct", (two,)),
        ("edit", (first,)),
        ("add", (three,)),
        ("pin", (first,)),
        ("add", (four,)),
    ]
    assert [lab.git("rev-list", "--count", f"{one.commit}^..{one.commit}") for one in operations] == ["1"] * 6
    if commits:
        assert lab.git("rev-list", "HEAD~6") == commits
    lab.git("checkout", "-q", "main")
    lab.assert_settled()


@pytest.mark.parametrize("how", ["the note", "the entry"])
def test_what_a_hand_took_away_while_its_commit_waits_is_shown_as_gone(lab: Lab, how: str) -> None:
    """The note has the bytes from before the operation: as if a command had been killed before it wrote them."""
    if how == "the entry":
        lab.added("One")
    before = lab.notes()
    with lab.without_git():
        two = lab.add("Two").entries[0].id
        if how == "the entry":
            lab.vim(TODAY, before[TODAY])
        else:
            lab.path().unlink()
        assert two not in lab.texts()
        with pytest.raises(EntryNotFound):
            lab.session().store.find(two)
    assert lab.settle() is None
    assert lab.notes() == before
    assert [(operation.actor, operation.removed) for operation in lab.operations()[:2]] == [
        ("editor", (two,)),
        ("person", ()),
    ]
    assert [gone.entry for gone in lab.state().vanished] == [two]


def test_no_identity_is_no_obstacle(lab: Lab) -> None:
    (lab.home / ".gitconfig").unlink()
    lab.added("One")
    author = lab.git("log", "-1", "--format=%an <%ae>|%cn <%ce>")
    name, other = author.split("|")
    assert name == other
    assert "@" in name
    lab.assert_settled()


def test_a_store_without_a_repository_gets_one_when_git_comes(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    with lab.without_git():
        lab.start()
        applied = lab.add("One")
        assert (applied.committed, applied.reason) == (False, "git was not found on this machine")
        lab.add("Two")
        assert not (lab.root / ".git").exists()
        assert list(lab.texts().values()) == ["One", "Two"]
    lab.added("Three")
    assert [operation.verb for operation in lab.operations()] == ["add", "add", "add", "init"]
    lab.assert_settled()


def test_what_waits_goes_to_the_branch_that_is_checked_out_then(lab: Lab) -> None:
    lab.added("One")
    with lab.without_git():
        lab.add("Two")
    lab.git("checkout", "-q", "-b", "other")
    lab.added("Three")
    assert [operation.verb for operation in lab.operations()] == ["add", "add", "add", "init"]
    assert lab.git("rev-list", "--count", "main") == "2"
    lab.assert_settled()


# A person's own git


def test_a_persons_own_commits_are_neither_ours_nor_lost(lab: Lab) -> None:
    one = lab.added("One")
    lab.retype("One", "Uno")
    lab.path("plan.txt").write_text("not a note\n")
    lab.git("add", ".")
    lab.git("commit", "-qm", "my own")
    lab.path("draft.txt").write_text("staged\n")
    lab.git("add", "draft.txt")
    lab.path("plan.txt").write_text("changed\n")
    two = lab.added("Two")
    assert lab.texts() == {one: "Uno", two: "Two"}
    assert [operation.verb for operation in lab.operations()] == ["add", "add", "init"]
    assert lab.git("log", "--format=%s", "-2").splitlines()[1] == "my own"
    assert lab.git("status", "--porcelain").splitlines() == ["A  draft.txt", " M plan.txt"]
    assert lab.git("diff", "--name-only", "HEAD~1", "HEAD") == TODAY


def test_a_branch_switch_is_no_hand_edit(lab: Lab) -> None:
    one = lab.added("One")
    lab.git("checkout", "-q", "-b", "other")
    two = lab.added("Two")
    lab.git("checkout", "-q", "main")
    assert lab.texts() == {one: "One"}
    assert lab.state().edited == ()
    three = lab.added("Three")
    assert lab.texts() == {one: "One", three: "Three"}
    lab.assert_settled()
    lab.git("checkout", "-q", "other")
    assert lab.texts() == {one: "One", two: "Two"}
    lab.assert_settled()
    assert [operation.actor for operation in lab.operations()] == ["person"] * 3


def test_a_hand_edit_that_was_carried_to_another_branch_is_one_there(lab: Lab) -> None:
    one = lab.added("One")
    lab.retype("One", "Uno")
    lab.git("checkout", "-q", "-b", "other")
    two = lab.added("Two")
    assert lab.texts() == {one: "Uno", two: "Two"}
    assert [operation.verb for operation in lab.operations()] == ["add", "edit", "add", "init"]
    lab.assert_settled()


def test_a_reset_to_an_older_commit_is_taken_as_it_is(lab: Lab) -> None:
    one = lab.added("One")
    lab.added("Two")
    lab.added("Three")
    lab.git("reset", "-q", "--hard", "HEAD~2")
    assert lab.texts() == {one: "One"}
    state = lab.state()
    assert (state.edited, state.vanished, state.waiting) == ((), (), 0)
    four = lab.added("Four")
    assert [operation.verb for operation in lab.operations()] == ["add", "add", "init"]
    lab.undo()
    lab.undo()
    assert lab.texts() == {}
    assert four
    lab.assert_settled()


def test_a_soft_reset_leaves_the_notes_and_counts_as_a_hand_edit(lab: Lab) -> None:
    one = lab.added("One")
    two = lab.added("Two")
    lab.git("reset", "-q", "--soft", "HEAD~1")
    three = lab.added("Three")
    assert list(lab.texts()) == [one, two, three]
    assert [operation.actor for operation in lab.operations()[:2]] == ["person", "editor"]
    lab.assert_settled()


def test_a_rewritten_and_collected_history_is_no_obstacle(lab: Lab) -> None:
    one = lab.added("One")
    lab.git("commit", "-q", "--amend", "--date=2026-11-30T00:00:00Z", "-C", "HEAD")
    lab.git("reflog", "expire", "--expire=all", "--all")
    lab.git("gc", "-q", "--prune=now")
    two = lab.added("Two")
    assert list(lab.texts()) == [one, two]
    lab.assert_settled()


# What goes missing


def test_a_deleted_note(lab: Lab) -> None:
    one = lab.added("One")
    lab.path().unlink()
    two = lab.added("Two")
    assert lab.texts() == {two: "Two"}
    assert lab.operations()[1].removed == (one,)
    lab.assert_settled()


def test_a_note_folder_that_became_a_link_is_not_taken_for_deleted(lab: Lab) -> None:
    one = lab.added("One")
    (lab.root / "memory").rename(lab.folder / "moved")
    (lab.root / "memory").symlink_to(lab.folder / "moved", target_is_directory=True)
    with pytest.raises(RememberMeError):
        lab.add("Two")
    lab.session().store.settle()
    assert [operation.verb for operation in lab.operations()] == ["add", "init"]
    (lab.root / "memory").unlink()
    (lab.folder / "moved").rename(lab.root / "memory")
    two = lab.added("Two")
    assert list(lab.texts()) == [one, two]
    lab.assert_settled()


def test_our_own_folder_deleted(lab: Lab) -> None:
    one = lab.added("One")
    shutil.rmtree(lab.root / ".remember-me")
    assert lab.texts() == {one: "One"}
    lab.retype("One", "Uno")
    open_for_writing(lab.around(), create=True)
    two = lab.added("Two")
    assert lab.texts() == {one: "Uno", two: "Two"}
    assert (lab.root / ".remember-me").stat().st_mode & 0o777 == 0o700
    assert (lab.root / ".remember-me" / ".gitignore").read_text() == "*\n"
    lab.assert_settled()


def test_our_own_folder_deleted_while_a_commit_waits(lab: Lab) -> None:
    one = lab.added("One")
    with lab.without_git():
        two = lab.add("Two").entries[0].id
    shutil.rmtree(lab.root / ".remember-me")
    open_for_writing(lab.around(), create=True)
    three = lab.added("Three")
    assert lab.texts() == {one: "One", two: "Two", three: "Three"}
    assert lab.operations()[0].entries == (three,)
    lab.assert_settled()


def _with_checksum(text: str) -> bytes:
    data = text.encode()
    return b"%08x\n%b" % (zlib.crc32(data), data)


MANIFESTS: dict[str, Callable[[bytes], bytes | None]] = {
    "gone": lambda _: None,
    "empty": lambda _: b"",
    "zeros": lambda data: bytes(len(data)),
    "cut short": lambda data: data[: len(data) // 2],
    "one byte more": lambda data: data + b"\n",
    "one byte changed": lambda data: data.replace(b'"commit":"', b'"commit":"-', 1),
    "another note in a row": lambda data: data.replace(b"2026-11-29", b"2026-11-28"),
    "no JSON": lambda _: b"{",
    "not UTF-8": lambda _: b"\xff\xfe",
    "nested too deep": lambda _: _with_checksum("[" * 100_000),
    "a list": lambda _: _with_checksum("[]"),
    "another version": lambda _: _with_checksum('{"version": 3}'),
    "no rows": lambda _: _with_checksum('{"version": 4, "commit": null, "staging_behind": [], "looked_ns": 1}'),
}


@pytest.mark.parametrize("kind", MANIFESTS)
def test_a_manifest_that_is_lost_or_damaged_is_made_again(lab: Lab, kind: str) -> None:
    one, two = lab.added("One"), lab.added("Two")
    lab.retype("One", "Uno")
    path = lab.root / ".remember-me" / "manifest.json"
    damaged = MANIFESTS[kind](path.read_bytes())
    assert damaged != path.read_bytes()
    if damaged is None:
        path.unlink()
    else:
        path.write_bytes(damaged)
    assert lab.session().store.find(one).entry.title == "Uno"
    assert lab.state().edited == (TODAY,)
    three = lab.added("Three")
    assert lab.texts() == {one: "Uno", two: "Two", three: "Three"}
    assert [operation.verb for operation in lab.operations()] == ["add", "edit", "add", "add", "init"]
    session = lab.session()
    assert [session.store.actor_of(entry) for entry in (one, two, three)] == ["editor", "person", "person"]
    lab.assert_settled()


@pytest.mark.parametrize("without", ["git", "manifest", "both"])
def test_a_manifest_deleted_while_commits_wait(lab: Lab, without: str) -> None:
    one = lab.added("One")
    with lab.without_git():
        two = lab.add("Two").entries[0].id
        three = lab.add("Three").entries[0].id
        lab.retype("One", "Uno")
        if without != "git":
            (lab.root / ".remember-me" / "manifest.json").unlink()
        if without == "both":
            lab.add("Four")
    five = lab.added("Five")
    texts = lab.texts()
    assert (texts[one], texts[two], texts[three], texts[five]) == ("Uno", "Two", "Three", "Five")
    assert lab.path().read_bytes().count(b"date: 2026-11-29\n") == 1
    lab.assert_settled()
    assert len(texts) == (5 if without == "both" else 4)


# The spool


def _spooled(lab: Lab, name: str, data: bytes) -> Path:
    path = lab.root / ".remember-me" / "spool" / name
    path.write_bytes(data)
    return path


DAMAGED = {
    "empty": b"",
    "cut short": b'{"operation": {"id": "p1", "verb": "a',
    "a list": b"[]",
    "no operation": b'{"notes": []}',
    "a wrong operation": b'{"operation": 7, "notes": []}',
    "no notes": b'{"operation": {"id": "p1"}}',
    "nested too deep": b"[" * 100_000,
}
NAMES = ("00000000000000000001-p1-journal.json", "99999999999999999999-p1-capture.json", "99999999999999999999.json")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_spool_file_is_reported_kept_and_in_nobodys_way(lab: Lab, kind: str, name: str) -> None:
    one = lab.added("One")
    path = _spooled(lab, name, DAMAGED[kind])
    assert lab.state().damaged == (name,)
    two = lab.added("Two")
    lab.correct(one, "Uno")
    assert lab.texts() == {one: "Uno", two: "Two"}
    lab.undo()
    assert lab.texts() == {one: "One", two: "Two"}
    assert path.read_bytes() == DAMAGED[kind]
    assert lab.state().damaged == (name,)
    assert lab.git("status", "--porcelain") == ""


OPERATION = {
    "id": "p7777777", "verb": "add", "actor": "person", "at": "2026-11-29T09:00:00+00:00", "entries": ["k77777"],
    "removed": [], "session": None, "undoes": None, "redoes": None,
}  # fmt: skip


@pytest.mark.parametrize(
    "path", ["../outside.md", "/etc/outside.md", ".git/config", "a\0b.md", "memory/../../x.md", ""]
)
def test_a_spool_file_that_leads_out_of_the_notes_is_reported_and_not_followed(lab: Lab, path: str) -> None:
    document = {"operation": OPERATION, "notes": [{"path": path, "before": None, "after": "eA=="}]}
    one = lab.added("One")
    config = (lab.root / ".git" / "config").read_bytes()
    name = "00000000000000000001-p7777777-journal.json"
    _spooled(lab, name, json.dumps(document).encode())
    assert lab.state().damaged == (name,)
    two = lab.added("Two")
    assert list(lab.texts()) == [one, two]
    assert not (lab.folder / "outside.md").exists()
    assert (lab.root / ".git" / "config").read_bytes() == config
    assert lab.state().damaged == (name,)


def test_a_capture_waits_while_the_store_is_busy(lab: Lab) -> None:
    one = lab.added("One")
    with lab.busy():
        applied = _add_at_once(lab, "kbbbbb", "Two")
        assert (applied.waiting, applied.committed) == (True, False)
        assert [entry.id for entry in applied.entries] == ["kbbbbb"]
        assert lab.texts() == {one: "One", "kbbbbb": "Two"}
        assert lab.session().store.find("kbbb").entry.note == TODAY
        assert b"Two" not in lab.path().read_bytes()
        assert lab.state().waiting == 1
        with pytest.raises(StoreBusy) as caught:
            lab.session().store.apply([], lab.session().request("correct"), wait_seconds=0)
        assert caught.value.exit_code == 1
        assert str(caught.value) == "The store is in use by another command for more than 0 seconds."
    three = lab.added("Three")
    assert list(lab.texts()) == [one, "kbbbbb", three]
    assert [operation.entries for operation in lab.operations()[:2]] == [(three,), ("kbbbbb",)]
    assert lab.operations()[1].id == applied.operation.id
    lab.assert_settled()


def _add_at_once(lab: Lab, entry_id: str, text: str) -> Applied:
    session = lab.session()
    change = Add(entry_id, Tag.FACT, text, "", (), session.store.tools.now())
    return session.store.apply([change], session.request("add"), wait_seconds=0)


def test_two_captures_of_the_same_id_are_both_kept(lab: Lab) -> None:
    """Ids are drawn at random, so two processes may draw the same one."""
    with lab.busy():
        _add_at_once(lab, "kbbbbb", "Two")
        _add_at_once(lab, "kbbbbb", "Three")
        assert set(lab.texts().values()) >= {"Two"}
    lab.added("One")
    assert sorted(lab.texts().values()) == ["One", "Three", "Two"]
    assert len(lab.texts()) == 3
    lab.assert_settled()


def test_a_capture_whose_id_an_entry_has_already_is_kept(lab: Lab) -> None:
    one = lab.added("One")
    with lab.busy():
        _add_at_once(lab, one, "Two")
    lab.added("Three")
    assert sorted(lab.texts().values()) == ["One", "Three", "Two"]
    lab.assert_settled()


def test_a_capture_for_a_note_that_holds_no_text_waits_and_blocks_nothing(lab: Lab) -> None:
    one = lab.added("One", tag="GOAL")
    lab.path("memory/2026-11-28.md").write_bytes(lab.path().read_bytes())
    lab.path().write_bytes(b"\0\0\0")
    assert lab.settle() is None
    with lab.busy():
        session = lab.session()
        change = Add("kbbbbb", Tag.FACT, "Two", "", (), session.store.tools.now())
        session.store.spool.capture(session.store._operation(session.request("add"), ("kbbbbb",)), change)
    assert lab.texts() == {one: "One"}
    assert lab.correct(one, "Uno").committed
    assert lab.state().waiting == 1
    lab.path().unlink()
    lab.set_fields("pin", one, pinned="true")
    assert lab.texts() == {one: "Uno", "kbbbbb": "Two"}
    lab.assert_settled()


# Small things


def test_the_mode_of_a_note_stays_and_the_execute_bit_is_committed(lab: Lab) -> None:
    lab.added("One")
    lab.path().chmod(0o740)
    lab.added("Two")
    assert lab.path().stat().st_mode & 0o777 == 0o740
    assert lab.git("ls-tree", "HEAD", TODAY).startswith("100755 ")
    lab.assert_settled()


def test_nothing_is_written_where_nothing_changes(lab: Lab) -> None:
    one = lab.added("One")
    commit = lab.git("rev-parse", "HEAD")
    before = lab.path().stat()
    applied = lab.correct(one, "One")
    assert (applied.changed, applied.committed) == (False, True)
    after = lab.path().stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert lab.git("rev-parse", "HEAD") == commit


def test_a_sha256_repository_without_git_sees_no_hand_edits(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    lab.root.mkdir()
    lab.git("init", "-q", "-b", "main", "--object-format=sha256")
    lab.path("MEMORY.md").write_bytes(b"# Facts\n")
    lab.start()
    one = lab.added("One")
    assert len(lab.git("rev-parse", "HEAD")) == 64
    with lab.without_git():
        lab.path().touch()
        two = lab.add("Two").entries[0].id
        assert lab.state().waiting == 1
    lab.assert_settled()
    assert list(lab.texts()) == [one, two]
    assert [operation.verb for operation in lab.operations()][:2] == ["add", "add"]


@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize("waits", [False, True], ids=["at once", "after a keep"])
def test_a_quote_goes_to_the_entry_whose_words_it_corrects(home: Path, tmp_path: Path, lines: int, waits: bool) -> None:
    """An entry without an id gets one with its new words; a line that says the same takes over its provisional one."""
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    cli.ok("init")
    note = cli.store / TODAY
    note.parent.mkdir(exist_ok=True)
    note.write_text("- FACT: I feed the quagga\n" * lines)
    first = min(cli.json("list"), key=lambda row: row["line"])["id"]
    assert first.startswith("u-")
    words = ("correct", first, "I feed the okapi", "--quote", "I feed the okapi now")
    done = cli.run(*words, "--json", env={"CLAUDECODE": "1"} if waits else None)
    assert done.code == 0, done.err
    if waits:
        cli.ok("keep", done.json()["id"])
    rows = {row["title"]: row for row in cli.json("list")}
    okapi = rows["I feed the okapi"]
    assert not okapi["id"].startswith("u-")
    assert waits or [one["quote"] for one in okapi["evidence"]] == ["I feed the okapi now"]
    assert len(cli.json("list")) == lines
    if lines == 2:
        assert (rows["I feed the quagga"]["id"], rows["I feed the quagga"]["evidence"]) == (first, [])


def test_a_line_that_a_hand_wrote_is_the_persons_also_without_an_id(home: Path, tmp_path: Path) -> None:
    """An agent with the user's own words in its hand changes it no more than any other entry of theirs."""
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    cli.ok("init")
    (cli.store / TODAY).parent.mkdir(exist_ok=True)
    (cli.store / TODAY).write_text("- FACT: I feed the quagga\n")
    cli.ok("hook", "prompt", "--session", "claude-code/s1", stdin="I feed the okapi")
    (row,) = cli.json("list")
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
    done = cli.run("correct", row["id"], "I feed the okapi", "--quote", "I feed the okapi", "--json", env=env).json()
    assert (done["state"], done["target"]) == ("pending", row["id"])
    assert done["because"] == "the entry is not the agent's own"
    assert [one["title"] for one in cli.json("list")] == ["I feed the quagga"]
