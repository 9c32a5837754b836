"""One real store in one process: clock and ids are given, a person's git and editors work beside it."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from remember_me.app import capture, review, status
from remember_me.app.actor import Channel
from remember_me.app.draft import Draft
from remember_me.app.start import init
from remember_me.app.wiring import Session, Surroundings, open_session
from remember_me.model.entry import Entry
from remember_me.model.revision import Operation, parse_message
from remember_me.model.text import join_title
from remember_me.notes import layout
from remember_me.store.files import Disk
from remember_me.store.lock import StoreLock
from remember_me.store.store import Applied

FIRST_MOMENT = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
TODAY = "memory/2026-11-29.md"
BOM = b"\xef\xbb\xbf"

_CROCKFORD = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789abcdefghjkmnpqrstvwxyz")


class Crash(BaseException):
    """The process dies here."""


class SteppingDisk(Disk):
    """A disk that takes a step before each of its effects."""

    def _step(self) -> None:
        raise NotImplementedError

    def create(self, path: Path) -> int:
        self._step()
        return super().create(path)

    def write(self, descriptor: int, data: bytes) -> None:
        self._step()
        super().write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        self._step()
        super().fsync(descriptor)

    def replace(self, source: Path, target: Path) -> None:
        self._step()
        super().replace(source, target)

    def unlink(self, path: Path) -> None:
        self._step()
        super().unlink(path)

    def fsync_folder(self, folder: Path) -> None:
        self._step()
        super().fsync_folder(folder)


class FailingDisk(SteppingDisk):
    """A disk on which the process dies at the n-th effect from now on, and stays dead."""

    def __init__(self, effects: int) -> None:
        self.left = effects

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Crash


@dataclass
class Lab:
    """A store under `folder`. Every command opens it afresh, as a process of its own would."""

    folder: Path
    disk: Disk = field(default_factory=Disk)
    now: datetime = FIRST_MOMENT
    ids: int = 0

    def __post_init__(self) -> None:
        self.root = Path(os.path.realpath(self.folder)) / "store"
        self.home = self.folder / "home"
        self.home.mkdir(parents=True)
        self.environ: dict[str, str] = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }
        (self.home / ".gitconfig").write_text("[user]\n  name = Anna Test\n  email = anna@example.invalid\n")

    # What comes in from outside

    def _clock(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now

    def _new_id(self, characters: int) -> str:
        """Ids in the order of their making; those of entries begin with k, those of operations with p."""
        self.ids += 1
        digits = base64.b32encode(self.ids.to_bytes(5, "big")).decode().translate(_CROCKFORD)
        return ("k" if characters < 8 else "p") + digits[-(characters - 1) :]

    def around(self, **over: str) -> Surroundings:
        environ = self.environ | over
        return Surroundings(
            environ, self.root, Channel((environ,), terminal=True), self._clock, self._new_id, disk=self.disk,
            project=lambda: None,
        )  # fmt: skip

    def session(self, **over: str) -> Session:
        return open_session(self.around(**over))

    # Commands

    def start(self) -> Lab:
        init(self.around())
        return self

    def add(self, text: str, **fields: str) -> Applied:
        tag = fields.pop("tag", "FACT")
        return capture.add(self.session(), Draft(text, tag, fields=tuple(fields.items())))

    def added(self, text: str, **fields: str) -> str:
        """Add an entry that must be committed; its id."""
        applied = self.add(text, **fields)
        assert applied.committed, applied.reason
        return applied.entries[0].id

    def correct(self, entry_id: str, text: str) -> Applied:
        return capture.correct(self.session(), entry_id, text)

    def set_fields(self, verb: str, entry_id: str, **values: str | None) -> Applied:
        session = self.session()
        return capture.set_fields(session, verb, session.store.find(entry_id).entry, values)

    def undo(self, operation: str | None = None, *, only: str | None = None, overwrite: bool = False) -> str:
        """Undo; the id of the operation that was taken back."""
        return review.undo(self.session(), operation, only=only, overwrite=overwrite).target.id

    def redo(self, operation: str | None = None, *, overwrite: bool = False) -> str:
        return review.redo(self.session(), operation, overwrite=overwrite).target.id

    def settle(self) -> str | None:
        """Finish what waits; why that could not be committed, or None."""
        return self.session().store.settle()[0]

    def state(self) -> status.State:
        return status.state(self.session(), self.environ)

    def log(self) -> list[review.Logged]:
        return review.log(self.session(), None)

    # What is there

    def path(self, note: str = TODAY) -> Path:
        return self.root / note

    def notes(self) -> dict[str, bytes]:
        """The bytes of every note, and of the settings, by path."""
        files = (path for path in self.root.rglob("*") if path.is_file())
        named = {path.relative_to(self.root).as_posix(): path for path in files}
        return {name: named[name].read_bytes() for name in sorted(named) if layout.is_tracked_path(name, "memory")}

    def entries(self) -> dict[str, Entry]:
        return {entry.id: entry for entry in self.session().store.read().entries()}

    def texts(self) -> dict[str, str]:
        """The words of every entry by its id."""
        return {key: join_title(entry.title, entry.body) for key, entry in self.entries().items()}

    def debris(self) -> list[str]:
        """Temporary files, markers and waiting records, which only a working command may have."""
        own = self.root / ".remember-me"
        kept = {
            ".gitignore",
            "lock",
            "manifest.json",
            "spool",
            "state.sqlite",
            "key",
            "pending",
            "rejected",
            "erase.json",
        }
        left = [path for path in self.root.rglob("*") if ".git" not in path.relative_to(self.root).parts[:1]]
        return sorted(
            path.relative_to(self.root).as_posix()
            for path in left
            if layout.is_temporary(path.name)
            or (own == path.parent and path.name not in kept)
            or (own / "spool") in path.parents
        )

    # A person's git and editors

    def git(self, *arguments: str, fails: bool = False) -> str:
        """What the person's own git prints in the store."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=self.environ | {"PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert fails or done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    def head_blobs(self) -> dict[str, bytes]:
        """The notes as the commit of HEAD has them."""
        names = self.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
        return {name: self.blob(f"HEAD:{name}") for name in sorted(names) if layout.is_tracked_path(name, "memory")}

    def blob(self, name: str) -> bytes:
        done = subprocess.run(
            ["git", "cat-file", "blob", name], cwd=self.root, env=self.environ, capture_output=True, check=True
        )
        return done.stdout

    def operations(self) -> list[Operation]:
        """The operations of HEAD's history by the person's own git, newest first."""
        log = self.git("log", "--first-parent", "--format=%H%x00%cI%x00%B%x01")
        found = []
        for record in log.split("\x01"):
            if record.strip():
                commit, at, message = record.lstrip("\n").split("\0")
                operation = parse_message(message, at=datetime.fromisoformat(at), commit=commit)
                found += [operation] if operation is not None else []
        return found

    def vim(self, note: str, data: bytes) -> None:
        """Save as vim does: the old file becomes the backup, a new one takes its name, the backup goes."""
        path = self.path(note)
        backup = path.with_name(f"{path.name}~")
        path.rename(backup)
        path.write_bytes(data)
        shutil.copymode(backup, path)
        backup.unlink()

    def vscode(self, note: str, data: bytes) -> None:
        """Save as VS Code does: the same file, cut and written again."""
        with open(self.path(note), "r+b") as file:
            file.truncate()
            file.write(data)

    def notepad(self, note: str, data: bytes) -> None:
        """Save as Notepad may: the whole note with a byte order mark and CRLF."""
        text = data.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        self.path(note).write_bytes(BOM + text)

    def sync_client(self, note: str, data: bytes) -> None:
        """Save as a sync client does: a hidden file beside it, renamed over the note."""
        path = self.path(note)
        beside = path.with_name(f".{path.name}.sync-5f3a")
        beside.write_bytes(data)
        beside.replace(path)

    def retype(self, old: str, new: str, note: str = TODAY) -> None:
        """Change words that stand in a note once, as VS Code saves."""
        data = self.path(note).read_bytes()
        assert data.count(old.encode()) == 1, data
        self.vscode(note, data.replace(old.encode(), new.encode()))

    def cut(self, entry_id: str, note: str = TODAY) -> None:
        """Delete the lines of an entry by hand."""
        data = self.path(note).read_bytes()
        lines = data.splitlines(keepends=True)
        first = next(number for number, line in enumerate(lines) if line.rstrip().endswith(f"^{entry_id}".encode()))
        last = first + 1
        while last < len(lines) and (lines[last][:1] in b" \t" or not lines[last].strip()):
            last += 1
        self.vscode(note, b"".join(lines[:first] + lines[last:]))

    # What stands in the way

    @contextmanager
    def without_git(self) -> Iterator[None]:
        """No git on this machine, as long as it lasts."""
        empty = self.folder / "no-programs"
        empty.mkdir(exist_ok=True)
        before = self.environ["PATH"]
        self.environ["PATH"] = str(empty)
        try:
            yield
        finally:
            self.environ["PATH"] = before

    @contextmanager
    def busy(self) -> Iterator[StoreLock]:
        """Another command holds the lock, as long as it lasts."""
        lock = StoreLock(self.root / ".remember-me" / "lock")
        assert lock.acquire(0)
        try:
            yield lock
        finally:
            lock.release()

    def assert_settled(self) -> None:
        """Everything is committed, nothing lies around, and git agrees with the files."""
        assert self.settle() is None
        assert self.debris() == []
        assert self.git("status", "--porcelain", "--untracked-files=all") == ""
        assert self.head_blobs() == self.notes()
        ids = [operation.id for operation in self.operations()]
        assert len(ids) == len(set(ids))


def only(found: Mapping[str, bytes]) -> bytes:
    """The one note among `found`, the settings left out."""
    notes = [data for name, data in found.items() if name != layout.SETTINGS_NAME]
    assert len(notes) == 1, list(found)
    return notes[0]
