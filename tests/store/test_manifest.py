"""What the manifest says was seen: no change of a note escapes it, and an id's note is found by it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.model.entry import is_id
from remember_me.notes.note import parse_note
from remember_me.store.files import Disk
from remember_me.store.listing import stat_key
from remember_me.store.manifest import RACY_NS, Manifest, Row, all_ids, ids_in, load_manifest
from tests.state.lab import TODAY, Lab

TICK_NS = 10_000_000
"""The longest tick of a kernel clock: two writes within it may leave the same time stamps."""


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path).start()


def _saved(lab: Lab) -> Manifest:
    return load_manifest(lab.root / ".remember-me" / "manifest.json")


def _age(lab: Lab) -> None:
    """Wait until the notes are old enough for their time stamps to be trusted, and let a command see them."""
    newest = max(path.stat().st_ctime_ns for path in (lab.root / "memory").iterdir())
    while time.time_ns() < newest + RACY_NS + TICK_NS:
        time.sleep(0.005)
    assert lab.settle() is None


def _suspects(lab: Lab) -> list[str]:
    listing = lab.session().store.files.scan()
    return _saved(lab).changed({**listing.notes, **listing.settings})[0]


def test_notes_that_nobody_changed_are_not_read_again(lab: Lab) -> None:
    lab.added("One")
    _age(lab)
    assert _suspects(lab) == []
    session = lab.session()
    lab.path().chmod(0o000)
    if os.geteuid():
        assert session.store.find("k00003").entry.id == "k00003"
    lab.path().chmod(0o644)


def _in_place(lab: Lab) -> None:
    lab.vscode(TODAY, lab.path().read_bytes().replace(b"FACT: One", b"FACT: Uno"))


def _in_place_with_its_old_time(lab: Lab) -> None:
    found = lab.path().stat()
    _in_place(lab)
    os.utime(lab.path(), ns=(found.st_atime_ns, found.st_mtime_ns))


def _by_rename_with_its_old_time(lab: Lab) -> None:
    found = lab.path().stat()
    lab.sync_client(TODAY, lab.path().read_bytes().replace(b"FACT: One", b"FACT: Uno"))
    os.utime(lab.path(), ns=(found.st_atime_ns, found.st_mtime_ns))


@pytest.mark.parametrize("edit", [_in_place, _in_place_with_its_old_time, _by_rename_with_its_old_time])
def test_an_edit_that_keeps_the_size_is_seen(lab: Lab, edit: object) -> None:
    entry = lab.added("One")
    _age(lab)
    assert callable(edit)
    edit(lab)
    assert _suspects(lab) == [TODAY]
    assert lab.session().store.find(entry).entry.title == "Uno"
    assert lab.settle() is None
    assert lab.operations()[0].actor == "editor"
    lab.assert_settled()


@pytest.mark.parametrize("change", [lambda path: path.touch(), lambda path: path.chmod(0o600)], ids=["touch", "chmod"])
def test_a_note_that_only_looks_changed_is_read_and_then_trusted_again(lab: Lab, change: object) -> None:
    lab.added("One")
    _age(lab)
    assert callable(change)
    change(lab.path())
    assert _suspects(lab) == [TODAY]
    commit = lab.git("rev-parse", "HEAD")
    _age(lab)
    assert _suspects(lab) == []
    assert lab.git("rev-parse", "HEAD") == commit


def _row(path: Path, data: bytes) -> Row:
    return Row(stat_key(path.stat()), "0" * 40, ids_in(data))


@pytest.mark.parametrize(("later_ns", "trusted"), [(0, False), (RACY_NS, False), (RACY_NS + 1, True)])
def test_a_row_is_trusted_if_its_note_was_old_when_the_command_looked(
    tmp_path: Path, later_ns: int, trusted: bool
) -> None:
    """A change in the same tick as the one that was seen leaves size, times and inode as they are."""
    note = tmp_path / "a.md"
    note.write_bytes(b"x")
    changed_ns = max(note.stat().st_mtime_ns, note.stat().st_ctime_ns)
    manifest = Manifest(rows={"a.md": _row(note, b"x")}, looked_ns=changed_ns + later_ns)
    assert manifest.changed({"a.md": stat_key(note.stat())})[0] == ([] if trusted else ["a.md"])


def test_new_and_gone_notes_are_told_apart(tmp_path: Path) -> None:
    note = tmp_path / "a.md"
    note.write_bytes(b"x")
    row = _row(note, b"x")
    manifest = Manifest(rows={"gone.md": row}, looked_ns=row.stat[1] + 2 * RACY_NS)
    assert manifest.changed({"new.md": row.stat}) == (["new.md"], ["gone.md"])


class _SlowCommit(Disk):
    """A hand edits the note at one step of the command, which then takes longer than any tick."""

    def __init__(self, lab: Lab, step: str) -> None:
        self.lab = lab
        self.step = step
        self.edited_ns = 0

    def _edit(self, step: str, path: Path) -> None:
        if step == self.step and not self.edited_ns and path.name != "manifest.json":
            data = self.lab.path().read_bytes()
            self.lab.vscode(TODAY, data.replace(b"FACT: One", b"FACT: Uno"))
            self.edited_ns = time.time_ns()

    def fsync_folder(self, folder: Path) -> None:
        super().fsync_folder(folder)
        self._edit(f"behind the rename in {folder.name}", folder)

    def unlink(self, path: Path) -> None:
        while self.edited_ns and time.time_ns() < self.edited_ns + RACY_NS + TICK_NS:
            time.sleep(0.005)
        super().unlink(path)


def test_a_hand_edit_between_the_rename_and_the_look_at_it_is_seen(lab: Lab) -> None:
    entry = lab.added("One")
    _age(lab)
    lab.disk = _SlowCommit(lab, "behind the rename in memory")
    lab.added("Two")
    assert lab.disk.edited_ns
    lab.disk = Disk()
    assert lab.session().store.find(entry).entry.title == "Uno"
    assert lab.settle() is None
    assert [operation.actor for operation in lab.operations()[:2]] == ["editor", "person"]
    lab.assert_settled()


def test_a_second_hand_edit_while_the_first_is_journalled_is_seen(lab: Lab) -> None:
    entry = lab.added("One")
    _age(lab)
    lab.vim(TODAY, lab.path().read_bytes() + b"\nFirst thought.\n")
    lab.disk = _SlowCommit(lab, "behind the rename in spool")
    assert lab.settle() is None
    assert lab.disk.edited_ns
    lab.disk = Disk()
    assert b"FACT: One" in lab.blob(f"HEAD:{TODAY}")
    assert lab.session().store.find(entry).entry.title == "Uno"
    assert lab.settle() is None
    assert b"FACT: Uno" in lab.blob(f"HEAD:{TODAY}")
    assert [operation.actor for operation in lab.operations()[:3]] == ["editor", "editor", "person"]
    lab.assert_settled()


def test_the_manifest_is_private_and_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    row = Row((1, 2, 3, 4), "a" * 40, "k00001 k00002")
    saved = Manifest("b" * 40, {"memory/ä ö.md": row}, ("MEMORY.md",), 17, {"k00001": "person"})
    saved.save(path, Disk())
    assert load_manifest(path) == saved
    assert path.stat().st_mode & 0o777 == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["manifest.json"]


def test_a_manifest_that_is_no_file_counts_as_none(tmp_path: Path) -> None:
    assert load_manifest(tmp_path / "none") == Manifest()
    assert load_manifest(tmp_path) == Manifest()
    os.mkfifo(tmp_path / "fifo")
    assert load_manifest(tmp_path / "fifo") == Manifest()


@pytest.mark.parametrize(
    ("prefix", "notes"),
    [("k0", ["a.md", "b.md"]), ("k00001", ["a.md"]), ("0001", []), ("k00001 ", ["a.md"]), ("z", []), ("x9", ["b.md"])],
)
def test_holders_are_the_notes_with_an_id_that_begins_so(prefix: str, notes: list[str]) -> None:
    rows = {
        "a.md": Row((0, 0, 0, 0), "", "k00001 k00002"),
        "b.md": Row((0, 0, 0, 0), "", "x99999 k00003"),
        "c.md": Row((0, 0, 0, 0), "", ""),
    }
    assert Manifest(rows=rows).holders(prefix) == notes
    assert all_ids(rows.values()) == {"k00001", "k00002", "x99999", "k00003"}


_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_id = st.text(_ALPHABET, min_size=5, max_size=9)
_end = st.sampled_from(["", " ", "\t ", " \t", "\r", " \r", "\x0b", "\u00a0", "."])
_tag = st.sampled_from(["FACT", "PREFERENCE", "GOAL", "HYPOTHESIS"])
_words = st.text(st.sampled_from("ab ^\\-:[]()#`'\"\tü\u2028\x85"), max_size=12)


@st.composite
def _line(draw: st.DrawFn) -> str:
    """A line that has an id, or almost, in each of the forms in which an entry may have one."""
    tag, words, entry, end = draw(_tag), draw(_words), draw(_id), draw(_end)
    bullet = draw(st.sampled_from(["- ", "* ", "+ ", "-  ", " - ", "1. "]))
    gap = draw(st.sampled_from([" ", "\t", "  ", ""]))
    return draw(
        st.sampled_from(
            [
                f"{bullet}{tag}: {words}{gap}^{entry}{end}",
                f"{bullet}[14:32 +01:00] {tag}: {words}x{gap}^{entry}{end}",
                f"{bullet}[14:32 CET] Tag: {tag}{gap}^{entry}{end}\n  Memory: {words}x",
                f"## Assumptions\n{bullet}{words}x (confidence: low, status: untested){gap}^{entry}{end}",
                f"id: {entry}{end}",
                f"id: '{entry}'{end}",
                f'id:   "{entry}" # why{end}',
                f"tag: {tag}",
                f"  - links: {words}{end}",
                f"{words}^{entry}{end}",
                "---",
                "```",
                "",
            ]
        )
    )


_front = st.builds(
    lambda entry, quote, tag, end: f"---\nid: {quote}{entry}{quote}{end}\ntag: {tag}\ntitle: x\n---\n",
    _id,
    st.sampled_from(["", "'", '"']),
    _tag,
    st.sampled_from(["", " ", " # why", "\t"]),
)


@given(
    front=st.one_of(st.just(""), _front),
    lines=st.lists(_line(), max_size=8),
    newline=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
    path=st.sampled_from(["memory/2026-11-29.md", "MEMORY.md", "memory/topic.md"]),
)
def test_ids_in_finds_at_least_what_the_grammar_finds(
    front: str, lines: list[str], newline: str, bom: bool, path: str
) -> None:
    text = (front + "\n".join(lines)).replace("\n", newline)
    data = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    entries = {entry.id for entry in parse_note(path, data).entries if not entry.provisional}
    assert entries <= set(ids_in(data).split())
    assert all(is_id(entry) for entry in entries)


FORMS = {
    "memory/topic.md": [
        b"---\nid: k00001\ntag: FACT\n---\n",
        b"---\nid:  'k00001'  # mine\r\ntag: FACT\n---\n",
        b'---\nid:\t"k00001"\ntag: FACT\n---\n',
        b"---\r\ntitle: x\r\nid : k00001\r\ntag: FACT\r\n---\r\n",
        b"---\n'id': k00001\ntag: FACT\n---\n",
        b'---\n"id": k00001\ntag: FACT\n---\n',
        b"---\nid: >-\n  k00001\ntag: FACT\n---\n",
        b"---\nid:\n  k00001\ntag: FACT\n---\n",
        b"---\n{id: k00001, tag: FACT}\n---\n",
        b"---\n? id\n: k00001\n? tag\n: FACT\n---\n",
        b"---\nid: !!str k00001\ntag: FACT\n---\n",
        b"---\ntitle: a: b\nid: k00001\ntag: FACT\n---\n",
    ],
    "MEMORY.md": [
        b"- FACT: x ^k00001",
        b"\xef\xbb\xbf- FACT: x ^k00001\r\n",
        b"- [09:14 CET] Tag: FACT ^k00001\n  Memory: x\n",
        b"# Assumptions\n- x (confidence: low, status: untested) ^k00001\n",
    ],
}


@pytest.mark.parametrize(("path", "data"), [(path, data) for path, forms in FORMS.items() for data in forms])
def test_an_id_is_found_in_every_form_in_which_it_is_read(tmp_path: Path, path: str, data: bytes) -> None:
    """Also by a command."""
    lab = Lab(tmp_path).start()
    lab.path("memory").mkdir(exist_ok=True)
    lab.path(path).write_bytes(data)
    assert lab.settle() is None
    read = [entry.id for entry in parse_note(path, data).entries if not entry.provisional]
    assert set(read) <= set(ids_in(data).split())
    for entry in read:
        assert lab.session().store.find(entry).entry.note == path
