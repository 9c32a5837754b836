"""A command that stops at any step: each note is old or new, the next command finishes, nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from remember_me.errors import RememberMeError
from remember_me.store.files import HalfWritten
from remember_me.store.store import Applied
from tests.store import driver
from tests.store.driver import DAILY, OPERATIONS, PROBED, Steps, open_store, prepare, probe
from tests.store.soundness import assert_sound, multiplied

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the set-up uses POSIX signals")

PROJECT = Path(__file__).resolve().parents[2]
NOTES = (DAILY, "MEMORY.md")
FULL = multiplied(1, 10) > 1


class Case:
    """One operation: a store that is ready for it, and what its notes are before and after."""

    def __init__(self, folder: Path, operation: str) -> None:
        self.operation = operation
        self.ready = folder / "ready"
        prepare(self.ready, operation)
        self.old = notes_of(self.ready)
        done = self.copy(folder / "done")
        steps = Steps()
        assert OPERATIONS[operation](open_store(done, steps, steps)).committed
        self.new = notes_of(done)
        self.steps = steps.names
        self.made = [commit.verb for commit in assert_sound(done)]
        settled = self.copy(folder / "settled")
        assert open_store(settled).settle() == (None, None)
        self.settled = notes_of(settled)
        self.before = [commit.verb for commit in assert_sound(settled)]

    def copy(self, to: Path) -> Path:
        shutil.copytree(self.ready, to, symlinks=True)
        return to


def notes_of(store: Path) -> dict[str, bytes]:
    return {path: (store / path).read_bytes() for path in NOTES}


@pytest.fixture(scope="module", params=list(OPERATIONS))
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    return Case(tmp_path_factory.mktemp(request.param), request.param)


def run_faulted(case: Case, store: Path, steps: Steps) -> tuple[Applied | None, BaseException | None]:
    """What the operation gives, or raises."""
    try:
        return OPERATIONS[case.operation](open_store(store, steps, steps)), None
    except (Exception, KeyboardInterrupt) as error:
        return None, error


def assert_old_or_new(case: Case, store: Path, where: str) -> None:
    """No note is torn: each has the bytes before, the bytes after, or those that the catching up leaves."""
    for path, data in notes_of(store).items():
        assert data in (case.old[path], case.settled[path], case.new[path]), f"{path} is torn {where}"


def assert_next_command_finishes(case: Case, store: Path, where: str, *, done: bool | None) -> None:
    """`done`: whether the operation must have taken place; None if nobody was told."""
    told = probe(open_store(store))
    assert (told.committed, told.reason) == (True, None), where
    now = notes_of(store)
    assert now in (case.settled, case.new), f"one part of the operation is there, another is not, {where}"
    made = now == case.new
    assert done in (None, made), where
    assert (store / PROBED).read_bytes().count(b"Probe 0") == 1
    verbs = [commit.verb for commit in assert_sound(store, fsck=FULL)]
    assert sorted(verbs) == sorted([*(case.made if made else case.before), "add"]), where


def chosen(case: Case, fits: Callable[[str], bool], every: int) -> list[int]:
    """The numbers of the steps to stop at: all in a full run, else every n-th, each operation from another on."""
    offset = list(OPERATIONS).index(case.operation) % every
    numbers = [number for number, name in enumerate(case.steps, start=1) if fits(name)]
    return numbers if FULL else numbers[offset::every]


STOPS: dict[str, tuple[Callable[[], None], int, Callable[[str], bool]]] = {
    # A disk that refuses does it before it has an effect, or amid a write.
    "EIO": (driver.eio, 2, lambda name: "git" not in name and not name.startswith("behind")),
    "Ctrl-C": (driver.interrupt, 6, lambda name: True),
    "git fails": (driver.git_fails, 1, lambda name: name.startswith("before git") or name == "behind git fast-import"),
    "git hangs": (driver.git_hangs, 2, lambda name: "git" in name),
}


@pytest.mark.parametrize("how", STOPS)
def test_operation_that_stops_at_any_step(case: Case, how: str, tmp_path: Path) -> None:
    stop, every, fits = STOPS[how]
    for number in chosen(case, fits, every):
        store = case.copy(tmp_path / str(number))
        steps = Steps(number, stop)
        applied, error = run_faulted(case, store, steps)
        place = f"after {how} at step {number}, {steps.names[number - 1]}"
        assert fits(steps.names[number - 1]), f"{place} is not {case.steps[number - 1]}"
        assert_old_or_new(case, store, place)
        assert isinstance(error, (RememberMeError, KeyboardInterrupt)) or error is None, f"{error!r} {place}"
        done = None
        if applied is not None or isinstance(error, HalfWritten):
            done = True
        elif isinstance(error, RememberMeError):
            done = False
        assert_next_command_finishes(case, store, place, done=done)
        shutil.rmtree(store)


# Killed


@pytest.fixture(scope="module")
def killer() -> Iterator[Callable[[Path, str, str, int], str]]:
    """Runs an operation in a process that is killed at its n-th step; gives the name of that step."""
    environ = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-P", str(Path(driver.__file__))]
    with subprocess.Popen(command, env=environ, stdin=PIPE, stdout=PIPE, text=True, start_new_session=True) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None

        def kill(store: Path, operation: str, who: str, number: int) -> str:
            stdin.write(f"{store}\t{operation}\t{who}\t{number}\n")
            stdin.flush()
            return stdout.readline().rstrip("\n")

        yield kill
        stdin.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux")
def test_process_that_is_killed_at_any_step(
    case: Case, killer: Callable[[Path, str, str, int], str], tmp_path: Path
) -> None:
    for number in chosen(case, lambda name: True, 4):
        for who in ("group", "git") if "during git" in case.steps[number - 1] else ("group",):
            store = case.copy(tmp_path / f"{number}-{who}")
            name = killer(store, case.operation, who, number)
            place = f"after SIGKILL of the {who} at step {number}, {name}"
            assert name.split()[:2] == case.steps[number - 1].split()[:2], place
            assert_old_or_new(case, store, place)
            assert_next_command_finishes(case, store, place, done=None)
            shutil.rmtree(store)


# Two faults, one behind the other


def stop_at(name: str, stop: Callable[[], None]) -> Steps:
    """Steps that stop at the first of that name, or one that begins like it."""

    def look() -> None:
        if steps.names[-1].startswith(name):
            steps.stop = None
            stop()

    steps = Steps(-1, look)
    return steps


@pytest.fixture
def store(tmp_path: Path) -> Path:
    prepare(tmp_path / "store")
    return tmp_path / "store"


def verbs_of(store: Path) -> list[str]:
    return [commit.verb for commit in assert_sound(store)]


READY = ["init", "edit", "add", "add"]


def test_what_waits_for_git_is_no_hand_edit_though_the_manifest_could_not_be_saved(store: Path) -> None:
    """Twice: of the operations that wait only the newest can be finished by its own record."""
    lock = store / ".git" / "HEAD.lock"
    lock.touch()
    for number, operation in enumerate((driver.pin_long_term, driver.add)):
        steps = stop_at("before create .manifest", driver.eio)
        applied = operation(open_store(store, steps))
        assert (applied.committed, steps.stop) == (False, None), number
    lock.unlink()
    assert open_store(store).settle() == (None, None)
    assert verbs_of(store) == [*READY, "pin", "add"]


def test_record_of_an_operation_that_is_committed_does_not_undo_what_came_later(store: Path) -> None:
    """Its file could not be removed, and the manifest could not be saved."""
    steps = stop_at("before unlink", driver.eio)
    assert driver.correct(open_store(store, steps)).committed
    assert steps.stop is None
    corrected = notes_of(store)
    (store / ".remember-me" / "manifest.json").unlink()
    assert driver.add(open_store(store)).committed
    added = notes_of(store)
    assert added[DAILY].startswith(corrected[DAILY])
    assert open_store(store).settle() == (None, None)
    assert notes_of(store) == added
    assert verbs_of(store) == [*READY, "correct", "add"]


def test_capture_that_was_written_and_taken_out_since_does_not_come_back(tmp_path: Path) -> None:
    store = tmp_path / "store"
    prepare(store, "capture")
    (name,) = open_store(store).spool.captures()
    record = store / ".remember-me" / "spool" / name
    data = record.read_bytes()
    assert open_store(store).settle() == (None, None)
    record.write_bytes(data)  # as if the command was killed before it could remove it
    note = store / DAILY
    lines = [line for line in note.read_text().splitlines(keepends=True) if driver.WAITING not in line]
    note.write_text("".join(lines))
    assert open_store(store).settle() == (None, None)
    assert note.read_text() == "".join(lines)
    assert verbs_of(store) == [*READY, "add", "edit"]


def test_late_capture_that_cannot_be_written_is_no_failure_of_the_command_that_unlocks(store: Path) -> None:
    """The command is done and committed; the capture of another stays where it is, and is shown."""
    opened = open_store(store)
    release = opened.lock.release

    def capture_and_release() -> None:
        if opened.lock.held and not opened.spool.captures():
            late = driver.entry(driver.WAITING, "Came late")
            assert driver.apply(open_store(store), "add", late, wait_seconds=0).waiting
            steps.stop_at = len(steps.names) + 1
        release()

    steps = Steps(0, driver.eio)
    opened.tools.disk.steps = steps  # type: ignore[attr-defined]
    opened.lock.release = capture_and_release  # type: ignore[method-assign]
    assert driver.add(opened).committed
    assert len(steps.names) >= steps.stop_at > 0
    assert open_store(store).find(driver.WAITING).entry.title == "Came late"
    assert open_store(store).settle() == (None, None)
    assert verbs_of(store) == [*READY, "add", "add"]


@pytest.mark.parametrize(
    "name", ["spool/.01795987445232737129-pv76y5wz-journal.json.1def2d69", ".manifest.json.941bdd0c"]
)
def test_half_of_a_file_of_ours_is_removed_by_the_next_command(store: Path, name: str) -> None:
    """It may hold text, and what is forgotten must not live on in it."""
    (store / ".remember-me" / name).write_bytes(b'{"half')
    assert driver.add(open_store(store)).committed
    assert verbs_of(store) == [*READY, "add"]


def test_half_of_a_capture_is_removed_once_nobody_can_be_writing_it(store: Path) -> None:
    half = store / ".remember-me" / "spool" / ".01795987445232737129-pv76y5wz-capture.json.1def2d69"
    half.write_bytes(b'{"half')
    assert driver.add(open_store(store)).committed
    assert half.exists()
    os.utime(half, (half.stat().st_mtime - 61, half.stat().st_mtime - 61))
    assert open_store(store).settle() == (None, None)
    assert verbs_of(store) == [*READY, "add"]
