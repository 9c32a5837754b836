"""One write gateway: whatever gets into the notes goes through `Store.apply` or `Store.settle` (DESIGN section 7).

Two ways to see it. The source says which functions of `remember_me/app` can write, and that none does by itself;
each of these is then run under an audit hook, and every write below the store must have the gateway on the stack.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remember_me.app import (
    aftersession,
    capture,
    checkin,
    doctor,
    edit,
    erase,
    forget,
    inventory,
    life,
    maintain,
    past,
    profile,
    promotion,
    proposals,
    read,
    recall,
    review,
    settings,
    start,
    status,
)
from remember_me.app.draft import Draft
from remember_me.app.wiring import View, open_view
from remember_me.errors import WaitsForReview
from remember_me.recall.search import Wanted
from remember_me.store.state import STATE_NAME, State
from remember_me.store.store import Store
from tests.state.lab import TODAY, Lab

PACKAGE = Path(__file__).parents[2] / "remember_me"
GATEWAY = {Store.apply.__code__, Store.settle.__code__}
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
PATHS_OF = {
    "open": (0,),
    "os.rename": (0, 1),
    "os.remove": (0,),
    "os.truncate": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.mkdir": (0,),
    "os.rmdir": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.utime": (0,),
    "shutil.copyfile": (1,),
    "shutil.move": (1,),
    "shutil.rmtree": (0,),
}


# What the source says


def _trees(folder: str) -> dict[str, ast.Module]:
    return {path.stem: ast.parse(path.read_bytes()) for path in sorted((PACKAGE / folder).glob("*.py"))}


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in tree.body if isinstance(node, ast.FunctionDef))


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return f"{_dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else "?"


def _names(tree: ast.Module) -> dict[str, str]:
    """What a name in the module stands for: `module` or `module.function` of the use cases."""
    names: dict[str, str] = {node.name: node.name for node in _functions(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("remember_me.app"):
            module = (node.module or "").removeprefix("remember_me.app").lstrip(".")
            for alias in node.names:
                names[alias.asname or alias.name] = f"{module}.{alias.name}".lstrip(".")
    return names


def _calls_of(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """`module.function` to what it calls, as `module.function` or as written."""
    calls: dict[str, set[str]] = {}
    for module, tree in trees.items():
        names = _names(tree)
        for function in _functions(tree):
            found = calls.setdefault(f"{module}.{function.name}", set())
            for node in ast.walk(function):
                if isinstance(node, ast.Call):
                    head, dot, rest = _dotted(node.func).partition(".")
                    target = names.get(head, head) + dot + rest
                    found.add(f"{module}.{target}" if head in names and "." not in target else target)
    return calls


def _writers() -> set[str]:
    """The public functions of the use cases from which the gateway can be reached."""
    calls = _calls_of(_trees("app"))
    reached = {name for name, called in calls.items() if any(_is_gateway(call) for call in called)}
    while more := {name for name, called in calls.items() if called & reached} - reached:
        reached |= more
    return {name for name in reached if not name.split(".")[1].startswith("_")}


def _is_gateway(call: str) -> bool:
    return call.endswith(("store.apply", "store.settle"))


EFFECTS = {
    "write_private", "write_text", "write_bytes", "mkdir", "makedirs", "unlink", "rmdir", "rmtree", "touch", "move",
    "symlink_to", "hardlink_to", "copyfile", "copy", "journal", "capture", "commit", "refresh_staging",
}  # fmt: skip


def _effects(call: str) -> bool:
    """Whether a call by this name changes files, or the history, by itself."""
    name = call.rpartition(".")[2]
    return (
        name in EFFECTS
        or (name in ("rename", "replace") and call.startswith(("os.", "path.", "Path.", "shutil.")))
        or call.endswith(("files.apply", "git.init", "manifest.save", "disk.write", "disk.create"))
    )


ALLOWED = {
    # The store's own folder, which is in no git; notes come after it, through the gateway.
    "app/start._make_folders": {"path.mkdir", "own.mkdir", "?.mkdir"},
    # The repository that the gateway commits to.
    "app/start._start": {"session.store.git.init"},
    # The index file of a client: no part of a store.
    "app/contextfile.write_index": {"file.parent.mkdir"},
    "app/contextfile.remove_index": {"file.unlink"},
    # The settings of clients, and what is kept of them: no part of a store.
    "app/clientfiles._put": {"?.parent.mkdir"},
    "app/clientfiles._remove_folders": {"os.rmdir"},
    "app/installs.save": {"self.folder.mkdir", "write_private", "?.unlink"},
    "app/installs._delete": {"file.unlink", "self.folder.rmdir"},
    "app/installs.alone": {"self.folder.parent.mkdir"},
    # The settings of the machine: no part of a store.
    "app/settings._write_machine": {"path.parent.mkdir", "write_private"},
    # The crash log.
    "cli/failure._log": {"path.parent.mkdir", "path.unlink"},
}


def test_no_use_case_and_no_command_changes_a_file_by_itself() -> None:
    found: dict[str, set[str]] = {}
    for folder in ("app", "cli", "policy", "notes", "model"):
        for module, tree in _trees(folder).items():
            for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
                calls = {_dotted(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
                if effects := {call for call in calls if _effects(call)}:
                    found[f"{folder}/{module}.{function.name}"] = effects
    assert found == ALLOWED


def test_only_the_gateway_and_its_ledger_write_notes_and_commits() -> None:
    found: dict[str, set[str]] = {}
    for module, tree in _trees("store").items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                call = _dotted(node.func)
                for effect in ("files.apply", "git.commit", "spool.journal", "spool.capture", "manifest.save"):
                    if call.endswith(effect):
                        found.setdefault(effect, set()).add(module)
    assert found == {
        "files.apply": {"store", "ledger", "roots"},  # roots: the notes of linked work trees, when a text is erased
        "git.commit": {"ledger"},
        "spool.journal": {"store"},
        "spool.capture": {"store"},
        "manifest.save": {"ledger"},
    }


# What happens when they run


class Recorder:
    """The writes below a folder, but for `.git` and `.remember-me`, and whether the gateway was on the stack."""

    def __init__(self) -> None:
        self.root = ""
        self.writes: list[tuple[str, str, bool]] = []

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.root or event not in PATHS_OF:
            return
        if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & WRITE_FLAGS):
            return
        for position in PATHS_OF[event]:
            path = arguments[position]
            if isinstance(path, (str, bytes, os.PathLike)):
                name = os.path.relpath(os.fsdecode(path), self.root)
                if name.split(os.sep)[0] not in (".", "..", ".git", ".remember-me"):
                    self.writes.append((event, name, _gateway_on_the_stack()))


def _gateway_on_the_stack() -> bool:
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code in GATEWAY:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


_RECORDER = Recorder()
sys.addaudithook(_RECORDER.audit)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    _RECORDER.writes.clear()
    yield _RECORDER
    _RECORDER.root = ""


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


# Each driver sets the scene, and gives the call to watch and what else the use case is about: (lab, entry).


def _fresh(lab: Lab) -> str:
    """No store yet."""
    return ""


def _one(lab: Lab) -> str:
    """A store with one entry; its id."""
    (lab.folder / "x.md").write_text("# Title\n\nText.\n")
    return lab.start().added("One")


def _disabled(lab: Lab) -> str:
    entry = _one(lab)
    capture.disable(lab.session(), entry, None)
    return entry


def _pinned(lab: Lab) -> str:
    entry = _one(lab)
    capture.pin(lab.session(), entry)
    return entry


def _undone(lab: Lab) -> str:
    entry = _one(lab)
    lab.undo()
    return entry


def _set(lab: Lab, entry: str) -> object:
    session = lab.session()
    return capture.set_fields(session, "set", session.store.find(entry).entry, {"impact": "3"})


def _adopted(lab: Lab) -> str:
    """A folder of notes that no command has seen."""
    lab.path("memory").mkdir(parents=True)
    lab.path().write_bytes(b"- FACT: By hand\n")
    return ""


def _guess(lab: Lab) -> str:
    lab.start()
    return lab.added("One", tag="HYPOTHESIS")


def _asked(lab: Lab) -> str:
    entry = _guess(lab)
    assert checkin.ask(lab.session(), None, "calm") is not None
    return entry


def _due(lab: Lab) -> str:
    lab.start()
    return lab.added("One", tag="PREFERENCE")


def _long_due(lab: Lab) -> str:
    """Eight days later, in a store that is to be maintained by itself."""
    entry = _due(lab)
    lab.root.joinpath("remember-me.toml").write_text('[maintain]\nauto = "apply"\n')
    lab.now += timedelta(days=8)
    return entry


def _critical(lab: Lab) -> str:
    lab.start()
    return lab.added("One", impact="3")


def _waiting(lab: Lab) -> str:
    """A guess of an agent that waits for review; the id of its proposal."""
    lab.start().added("One")
    client = lab.session()._replace(actor="agent:claude-code")
    try:
        capture.add(client, Draft("Likes two", "HYPOTHESIS"))
    except WaitsForReview as waits:
        return waits.proposal
    raise AssertionError("it does not wait")


def _forget(lab: Lab, entry: str) -> object:
    session = lab.session()
    return erase.forget(session, forget.find(session, forget.Wanted((entry,))))


def _forgotten(lab: Lab) -> str:
    entry = _one(lab)
    _forget(lab, lab.added("Two"))
    return entry


def _card(lab: Lab, entry: str) -> proposals.Card:
    return proposals.Card(entry, "add", "agent:x", "", entry=lab.session().store.find(entry).entry)


Use = tuple[Callable[[Lab], str], Callable[[Lab, str], object]]


def _view(lab: Lab) -> View:
    return open_view(lab.around())


def _state(lab: Lab) -> State:
    return State(_view(lab).reader.own_folder / STATE_NAME)


def _lenient(lab: Lab) -> str:
    """A topic note whose front matter YAML refuses."""
    entry = _one(lab)
    (lab.root / "memory" / "style.md").write_bytes(b"---\nid: k7m2pq\ntag: FACT\ntitle: Style: a guide\n---\n")
    return entry


WRITERS: dict[str, Use] = {
    "capture.add": (_one, lambda lab, _: capture.add(lab.session(), Draft("Two"))),
    "capture.add_file": (
        _one,
        lambda lab, _: capture.add_file(lab.session(), lab.folder / "x.md", Draft("")),
    ),
    "capture.correct": (_one, lambda lab, entry: capture.correct(lab.session(), entry, "Two")),
    "capture.pin": (_one, lambda lab, entry: capture.pin(lab.session(), entry)),
    "capture.unpin": (_pinned, lambda lab, entry: capture.unpin(lab.session(), entry)),
    "capture.disable": (_one, lambda lab, entry: capture.disable(lab.session(), entry, "why")),
    "capture.enable": (_disabled, lambda lab, entry: capture.enable(lab.session(), entry)),
    "capture.set_fields": (_one, _set),
    "checkin.ask": (_guess, lambda lab, _: checkin.ask(lab.session(), None, "calm")),
    "checkin.answer": (_asked, lambda lab, entry: checkin.answer(lab.session(), entry, "no")),
    "doctor.examine": (_lenient, lambda lab, _: doctor.examine(lab.around(), fix=True)),
    "life.confirm": (_guess, lambda lab, entry: life.confirm(lab.session(), entry, None)),
    "life.reinforce": (_one, lambda lab, entry: life.reinforce(lab.session(), entry, "claude-code/2")),
    "life.contradict": (_one, lambda lab, entry: life.contradict(lab.session(), entry, Draft("Two"))),
    "life.link": (_one, lambda lab, entry: life.link(lab.session(), entry, ["[[x]]"])),
    "aftersession.after_session": (_long_due, lambda lab, _: aftersession.after_session(lab.session(), lab.environ)),
    "maintain.maintain": (_due, lambda lab, _: maintain.maintain(lab.session(), apply=True, environ=lab.environ)),
    "promotion.promote": (_one, lambda lab, entry: promotion.promote(lab.session(), entry)),
    "promotion.promote_due": (_due, lambda lab, _: promotion.promote_due(lab.session())),
    "promotion.demote": (_critical, lambda lab, entry: promotion.demote(lab.session(), entry, None, "abandoned")),
    "review.undo": (_one, lambda lab, _: review.undo(lab.session(), None, only=None, overwrite=False)),
    "review.redo": (_undone, lambda lab, _: review.redo(lab.session(), None, overwrite=False)),
    "erase.forget": (_one, _forget),
    "forget.forget": (
        _one,
        lambda lab, entry: forget.forget(lab.session(), forget.find(lab.session(), forget.Wanted((entry,)))),
    ),
    "forget.rejected": (_one, lambda lab, entry: forget.rejected(lab.session(), _card(lab, entry))),
    "proposals.keep": (_waiting, lambda lab, entry: proposals.keep(lab.session(), entry)),
    "proposals.keep_confirmed": (_waiting, lambda lab, entry: proposals.keep_confirmed(lab.session(), entry)),
    "proposals.restore": (_waiting, lambda lab, entry: proposals.restore(lab.session(), entry)),
    "settings.change": (_one, lambda lab, _: settings.change(lab.around(), "store.timezone", "Europe/Rome")),
    "start.init": (_fresh, lambda lab, _: start.init(lab.around())),
    "start.open_for_writing": (_adopted, lambda lab, _: start.open_for_writing(lab.around(), create=True)),
    "start.demo": (_fresh, lambda lab, _: start.demo(lab.around())),
}

COMMITTERS: dict[str, Use] = {
    "erase.erase": (_forgotten, lambda lab, _: erase.erase(lab.session())),
    "forget.find": (_one, lambda lab, _: forget.find(lab.session(), forget.Wanted(match="Uno"))),
    "edit.prepare": (_one, lambda lab, _: edit.prepare(lab.session())),
    "edit.take_in": (_one, lambda lab, entry: edit.take_in(lab.session(), None, entry)),
    "past.index_at": (
        _one,
        lambda lab, _: past.index_at(lab.session(), _view(lab), str(lab.now.date()), lab.environ, recall.Asked()),
    ),
}
"""They change no note: they commit what a hand has changed."""

READERS: dict[str, Use] = {
    "proposals.cards": (_one, lambda lab, _: proposals.cards(lab.session(), everything=True)),
    "life.decay": (_guess, lambda lab, _: life.decay(lab.session(), "2027-01-01")),
    "maintain.review": (_due, lambda lab, _: maintain.review(lab.session(), lab.session().store.read(), lab.environ)),
    "profile.profile": (_one, lambda lab, _: profile.profile(lab.session().store.read().entries())),
    "promotion.due": (_due, lambda lab, _: promotion.due(lab.session())),
    "promotion.explain": (_one, lambda lab, entry: promotion.explain(lab.session(), entry)),
    "recall.costs": (_one, lambda lab, _: recall.costs(_view(lab), _state(lab), lab.environ, None)),
    "recall.index": (_one, lambda lab, _: recall.index(_view(lab), _state(lab), lab.environ, recall.Asked())),
    "recall.recall": (_one, lambda lab, _: recall.recall(_view(lab), _state(lab), lab.environ, recall.Asked())),
    "recall.search": (_one, lambda lab, _: recall.search(_view(lab), Wanted("one"))),
    "read.list_entries": (_one, lambda lab, _: read.list_entries(lab.session().store, read.Filter())),
    "review.log": (_one, lambda lab, _: review.log(lab.session(), None)),
    "review.revisions": (_one, lambda lab, entry: review.revisions(lab.session(), entry)),
    "review.diff": (_one, lambda lab, _: review.diff(lab.session(), None)),
    "status.state": (_one, lambda lab, _: status.state(lab.session(), lab.environ)),
    "settings.show": (_one, lambda lab, _: settings.show(lab.root, lab.environ, None)),
    "inventory.count": (_one, lambda lab, _: inventory.count(lab.session().store.read())),
    "edit.place": (_one, lambda lab, entry: edit.place(lab.session(), entry)),
}


def test_every_use_case_that_can_write_is_run_below() -> None:
    assert _writers() == {*WRITERS, *COMMITTERS}


def _watched(recorder: Recorder, lab: Lab, use: Use) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Run a use case under the recorder; the notes before and after."""
    prepare, run = use
    entry = prepare(lab)
    before = lab.notes() if lab.root.exists() else {}
    recorder.root = str(lab.root)
    run(lab, entry)
    recorder.root = ""
    return before, lab.notes()


@pytest.mark.parametrize("name", WRITERS)
def test_every_write_goes_through_the_gateway(recorder: Recorder, lab: Lab, name: str) -> None:
    before, after = _watched(recorder, lab, WRITERS[name])
    assert before != after
    assert {path for event, path, _ in recorder.writes if event == "os.rename"} >= _changed(before, after)
    assert [write for write in recorder.writes if not write[2]] == []
    lab.assert_settled()


def _changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """The notes that were written anew."""
    return {path for path, data in after.items() if before.get(path) != data}


@pytest.mark.parametrize("name", COMMITTERS)
def test_a_hand_edit_is_committed_and_no_note_is_touched(recorder: Recorder, lab: Lab, name: str) -> None:
    prepare, run = COMMITTERS[name]

    def prepare_and_edit(lab: Lab) -> str:
        entry = prepare(lab)
        lab.retype("One", "Uno")
        return entry

    before, after = _watched(recorder, lab, (prepare_and_edit, run))
    assert before == after
    assert recorder.writes == []
    assert lab.operations()[0].actor == "editor"


@pytest.mark.parametrize("name", READERS)
def test_reading_writes_nothing(recorder: Recorder, lab: Lab, name: str) -> None:
    def prepare_and_edit(lab: Lab) -> str:
        entry = READERS[name][0](lab)
        lab.retype("One", "Uno")
        return entry

    before, after = _watched(recorder, lab, (prepare_and_edit, READERS[name][1]))
    assert before == after
    assert recorder.writes == []
    assert lab.operations()[0].verb == "add"


def test_the_recorder_sees_a_write_beside_the_gateway(recorder: Recorder, lab: Lab) -> None:
    """The control: without it the tests above could pass blind."""
    lab.start().added("One")
    recorder.root = str(lab.root)
    lab.path().write_bytes(b"beside")
    lab.path("MEMORY.md").write_bytes(b"")
    lab.path("MEMORY.md").rename(lab.path("memory/x.md"))
    os.unlink(lab.path("memory/x.md"))
    recorder.root = ""
    assert recorder.writes == [
        ("open", TODAY, False),
        ("open", "MEMORY.md", False),
        ("os.rename", "MEMORY.md", False),
        ("os.rename", "memory/x.md", False),
        ("os.remove", "memory/x.md", False),
    ]
