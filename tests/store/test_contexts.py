"""The registry of files that are kept up to date, the index file of a client, and that forgetting reaches them."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from remember_me.app import contextfile, erase, forget
from remember_me.app.contextfile import contexts_of, refresh_all, remove_index, write_index
from remember_me.errors import InvalidInput, WriteFailed
from remember_me.store.contexts import SECTION, WHOLE, Contexts, ContextsBusy, Registered
from remember_me.store.files import Disk
from remember_me.store.outside import ChangedMeanwhile, read_outside, replace_outside
from tests.state.lab import Lab

ROW = Registered("/store", "/project/AGENTS.md", "github.com/ada/cogwork", SECTION, "\r\n", True)


@pytest.fixture
def contexts(tmp_path: Path) -> Contexts:
    return Contexts(tmp_path / "state", Disk())


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path).start()


def add_rows(contexts: Contexts, *rows: Registered) -> None:
    with contexts.changing() as standing:
        standing += rows


def test_what_is_registered_is_read_again(contexts: Contexts) -> None:
    assert contexts.rows() == []
    odd = Registered("/st\udcffre", "/p/\udcfe.md", None, WHOLE)
    add_rows(contexts, ROW, odd)
    assert contexts.rows() == contexts.load() == [ROW, odd]
    assert stat.S_IMODE(contexts.path.stat().st_mode) == 0o600
    with contexts.changing() as rows:
        rows.clear()
    assert not contexts.path.exists()


def test_what_is_not_changed_is_not_written(contexts: Contexts) -> None:
    add_rows(contexts, ROW)
    before = contexts.path.stat().st_ino
    with contexts.changing():
        pass
    assert contexts.path.stat().st_ino == before


def test_what_is_interrupted_changes_nothing(contexts: Contexts) -> None:
    add_rows(contexts, ROW)

    def interrupted() -> None:
        with contexts.changing() as rows:
            rows.clear()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert contexts.rows() == [ROW]


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"files": 1}', '{"files": [1]}', '{"files": [{}]}', "\x00",
        json.dumps({"files": [{"store": "/s", "file": "relative.md", "kind": "section"}]}),
        json.dumps({"files": [{"store": "/s", "file": "/f", "kind": "other"}]}),
        json.dumps({"files": [{"store": "/s", "file": "/f\0", "kind": "whole"}]}),
        json.dumps({"files": [{"store": "/s", "file": "/f", "kind": "whole", "lead": 1}]}),
    ],
)  # fmt: skip
def test_a_damaged_registry_is_none(contexts: Contexts, text: str) -> None:
    contexts.path.parent.mkdir()
    contexts.path.write_text(text, encoding="utf-8")
    assert contexts.rows() == []
    with pytest.raises(ValueError):
        contexts.load()
    add_rows(contexts, ROW)
    assert contexts.load() == [ROW]


def test_one_command_at_a_time(contexts: Contexts) -> None:
    with contexts.changing(), pytest.raises(ContextsBusy), contexts.changing(wait_seconds=0):
        pass
    contexts.path.parent.rename(contexts.path.parent.with_name("gone"))
    contexts.path.parent.write_bytes(b"")
    with pytest.raises(WriteFailed), contexts.changing():
        pass


def test_a_file_is_replaced_only_as_it_was_read(tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    with pytest.raises(ChangedMeanwhile):
        replace_outside(file, b"new", b"old", Disk())
    file.write_bytes(b"other")
    with pytest.raises(ChangedMeanwhile):
        replace_outside(file, b"new", b"old", Disk())
    with pytest.raises(ChangedMeanwhile):
        replace_outside(file, b"new", None, Disk())
    assert (file.read_bytes(), os.listdir(tmp_path)) == (b"other", ["AGENTS.md"])
    file.chmod(0o604)
    replace_outside(file, b"new", b"other", Disk())
    assert (read_outside(file), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o604)


def test_a_failing_disk_leaves_the_file(lab: Lab, tmp_path: Path) -> None:
    class Full(Disk):
        def fsync(self, descriptor: int) -> None:
            raise OSError(28, "No space left on device")

    lab.added("Short answers")
    file = tmp_path / "AGENTS.md"
    file.write_bytes(b"Mine.\n")
    session = lab.session()
    session.store.tools = session.store.tools._replace(disk=Full())
    with pytest.raises(WriteFailed) as caught:
        contextfile.keep(session, file)
    assert str(caught.value) == f"Could not write {file}: no space left on device. Nothing was changed."
    assert file.read_bytes() == b"Mine.\n"
    assert sorted(path.name for path in tmp_path.iterdir() if "AGENTS" in path.name) == ["AGENTS.md"]
    assert contexts_of(session.environ, Disk()).rows() == []


def test_an_editor_that_saves_in_between_loses_nothing(lab: Lab, tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_bytes(b"Mine.\n")

    class Racing(Disk):
        raced = False

        def fsync(self, descriptor: int) -> None:
            if not self.raced:
                self.raced = True
                file.write_bytes(b"Mine, and more.\n")

    lab.added("Short answers")
    session = lab.session()
    session.store.tools = session.store.tools._replace(disk=Racing())
    contextfile.keep(session, file)
    assert file.read_bytes().startswith(b"Mine, and more.\n\n<!-- remember-me:begin -->\n")


def test_the_index_file_of_a_client(lab: Lab, tmp_path: Path) -> None:
    shown = lab.added("Short answers")
    hidden = lab.added("Of a project", scope="github.com/ada/cogwork")
    file = tmp_path / "config" / "aider" / "index.md"
    kept = write_index(lab.session(), file)
    assert kept == contextfile.Kept(str(file), None, WHOLE, "made")
    text = file.read_text(encoding="utf-8")
    assert text.startswith('<remember-me etag="')
    assert text.endswith("</remember-me>\n")
    assert (shown in text, hidden in text) == (True, False)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert write_index(lab.session(), file).state == "same"
    later = lab.added("Lives in Rome")
    assert [one.state for one in refresh_all(lab.session())] in (["updated"], ["same"])
    assert later in file.read_text(encoding="utf-8")
    with pytest.raises(InvalidInput):
        contextfile.keep(lab.session(), file)
    with pytest.raises(InvalidInput):
        contextfile.remove(lab.around(), file)
    remove_index(file, lab.environ)
    remove_index(file, lab.environ)
    assert not file.exists()
    assert contexts_of(lab.environ, Disk()).rows() == []
    assert refresh_all(lab.session()) == ()


def test_what_is_forgotten_is_in_no_file(lab: Lab, tmp_path: Path) -> None:
    """Also where a refresh that began before reads the old notes: it holds the lock until its file is written."""
    entry, other = lab.added("Zanzibar"), lab.added("Short answers")
    section, index = tmp_path / "AGENTS.md", tmp_path / "index.md"
    contextfile.keep(lab.session(), section)
    write_index(lab.session(), index)
    old = {file: file.read_bytes() for file in (section, index)}
    assert all(b"Zanzibar" in data for data in old.values())
    session = lab.session()
    held, done = threading.Event(), threading.Event()

    def late_refresh() -> None:
        with contexts_of(lab.environ, Disk()).changing():
            held.set()
            done.wait(5)
            for file, data in old.items():
                file.write_bytes(data)

    thread = threading.Thread(target=late_refresh)
    thread.start()
    held.wait(5)
    threading.Timer(0.2, done.set).start()
    erase.forget(session, forget.find(session, forget.Wanted((entry,))))
    found = refresh_all(lab.session())
    thread.join()
    assert {one.state for one in found} <= {"updated", "same"}
    for file in (section, index):
        text = file.read_text(encoding="utf-8")
        assert "Zanzibar" not in text
        assert entry not in text
        assert other in text
