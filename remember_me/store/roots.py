"""The roots of a repository: what names an object, in the store and in its linked work trees, and how each moves."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from remember_me.notes import layout
from remember_me.notes.note import content_hash
from remember_me.store.files import Disk, NoteFiles, Replacement, read_regular
from remember_me.store.git import Git, GitFailed, GitProblem, blob_id
from remember_me.store.gitdir import UNDER_WAY
from remember_me.store.gitwords import decoded

REASON = "remember-me: erase"
"""What git writes into the reflogs when we move a ref; these lines are taken out again."""

_LIMIT_BYTES = 16 * 1024 * 1024
_OID = re.compile(rb"\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b")
_LOG_LINE = re.compile(rb"([0-9a-f]+) ([0-9a-f]+) ([^\t\n]*)(?:\t([^\n]*))?\n?")
_PSEUDO = re.compile(r"[A-Z][A-Z_]*")
_REMOTE = "refs/remotes/"
_REPLACE = "refs/replace/"

Moved = Callable[[str], str | None]
"""Object id -> what it is now: itself where it stays, None where it is gone."""


class Staged(NamedTuple):
    """One file in a staging area."""

    mode: str
    oid: str
    stage: str
    path: str


class Staging(NamedTuple):
    """The staging area of the store or of a linked work tree; `lock` is its lock file within .git."""

    file: str
    lock: str
    files: tuple[Staged, ...]


class LinkedTree(NamedTuple):
    """A linked work tree: its name within .git/worktrees and its folder, None where that is gone."""

    name: str
    folder: Path | None


class Roots:
    """What names objects, as it is now."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._top = Path(git.folder.path)
        self._pattern = re.compile(rb"[0-9a-f]{%d}" % (64 if git.object_format() == "sha256" else 40))
        self.linked = tuple(self._linked())
        self.places = ("", *(f"worktrees/{tree.name}/" for tree in self.linked))
        self.refs: dict[str, str] = {}
        self.symbolic: dict[str, str] = {}
        self._read_refs()
        self.logs = tuple(self._logs())
        self.loose_ends = tuple(self._loose_ends())
        self.stagings = tuple(self._stagings())

    def ids(self) -> set[str]:
        """All object ids that are named, but those in staging areas."""
        found = set(self.refs.values())
        for name in self.logs:
            for line in map(_LOG_LINE.fullmatch, self._read(name).splitlines(keepends=True)):
                found |= {line[1].decode(), line[2].decode()} if line else set()
        for name in self.loose_ends:
            found |= {oid.decode() for oid in _OID.findall(self._read(name))}
        return {oid for oid in found if oid.strip("0")}

    def staged(self) -> dict[str, set[str]]:
        """Blob -> its paths in the staging areas."""
        paths: dict[str, set[str]] = {}
        for staging in self.stagings:
            for file in staging.files:
                if file.mode != "160000":
                    paths.setdefault(file.oid, set()).add(file.path)
        return paths

    def obstacles(self) -> Iterator[str]:
        """What keeps us from erasing, as sentences."""
        for name, what in (
            ("shallow", "The repository is a shallow clone"),
            ("objects/info/alternates", "The repository borrows objects of another one"),
            ("info/grafts", "The repository has grafts"),
            ("reftable", "The repository keeps its refs as a reftable"),
            ("modules", "The repository has submodules"),
        ):
            if self._git.folder.exists(name):
                yield f"{what} (.git/{name}), and what it holds cannot be erased."
        if any(self._top.glob("objects/pack/*.promisor")):
            yield "The repository is a partial clone, and what it lacks cannot be erased."
        for place in self.places:
            for name, operation in UNDER_WAY:
                if self._git.folder.exists(place + name):
                    where = f"the linked work tree {place.split('/')[1]}" if place else "the repository"
                    yield f"{operation.capitalize()} is under way in {where}: finish it or stop it."

    def locks(self, names: Iterable[str]) -> list[str]:
        """The lock files that git may take: to move the refs of `names`, to pack all refs, to write staging areas."""
        refs = dict.fromkeys((*names, *self.refs))
        return [*(f"{name}.lock" for name in refs), *(staging.lock for staging in self.stagings)]

    # Moving

    def moves(self, moved: Moved) -> dict[str, str]:
        """Ref -> the words for git update-ref that take it where its object is now."""
        commands: dict[str, str] = {}
        for name, old in self.refs.items():
            new = moved(old)
            if name.startswith(_REPLACE):
                replaced = name.removeprefix(_REPLACE)
                stays = moved(replaced)
                if (stays, new) != (replaced, old):
                    commands[name] = f"delete {name}\0{old}\0"
                    if stays is not None and new is not None:
                        commands[_REPLACE + stays] = f"update {_REPLACE}{stays}\0{new}\0\0"
            elif new != old and (new is None or name.startswith(_REMOTE)):
                # What the remote has is not ours to change, so there is no name for what it would have.
                commands[name] = f"delete {name}\0{old}\0"
            elif new != old:
                commands[name] = f"update {name}\0{new}\0{old}\0"
        for name, target in self.symbolic.items():
            if target.startswith(_REMOTE) and commands.get(target, "").startswith("delete"):
                commands[name] = f"delete {name}\0\0"
        return commands

    def move(self, commands: Mapping[str, str]) -> None:
        """One transaction for all refs: all move, or none. Raises GitFailed (MOVED) if one is not where it was."""
        stdin = "".join(commands.values()).encode("utf-8", "surrogateescape")
        if not stdin:
            return
        try:
            self._git.ask("update-ref", "--no-deref", "-m", REASON, "--stdin", "-z", stdin=stdin)
        except GitFailed as failure:
            if failure.problem is GitProblem.FAILED and not failure.killed and Roots(self._git).refs != self.refs:
                raise GitFailed(GitProblem.MOVED, "a ref was moved by another command at the same time") from failure
            raise

    def pack_refs(self, is_doomed: Callable[[str], bool]) -> None:
        """Takes ids that are gone out of packed-refs, where the place of a moved ref stays as it was."""
        packed = self._read("packed-refs")
        if any(is_doomed(oid.decode()) for oid in self._pattern.findall(packed)):
            self._git.ask("pack-refs", "--all")

    def clean_files(self, moved: Moved, cleaned: Callable[[bytes], bytes]) -> None:
        """Reflogs, ORIG_HEAD and its like, messages that wait for a commit: new ids, and no text."""
        for base in self.places:
            for file in (*(self._top / base).glob(".*"), *(self._top / base / "logs").rglob(".*")):
                if layout.is_temporary(file.name):
                    file.unlink(missing_ok=True)  # of a killed command of ours
        for name in (*self._logs(), *self._loose_ends()):
            old = self._read(name)
            log = "logs/" in name
            new = _mapped_log(old, moved, cleaned) if log else self._mapped_end(name, old, moved, cleaned)
            if new != old:
                gone = not new and not log
                self._replace(name, old, None if gone else new)
        for conflict in self._top.glob("rr-cache/*/*"):
            data = self._read(self._name(conflict))
            if cleaned(data) != data:
                conflict.unlink(missing_ok=True)

    def clean_stagings(self, mapping: Mapping[str, str | None]) -> None:
        """Puts the new bytes' ids into the staging areas; all else that is staged stays."""
        for staging in self.stagings:
            data = self._read(self._name(Path(staging.file)))
            extension = data[data.rfind(b"REUC") :] if b"REUC" in data else b""
            undo = any(bytes.fromhex(oid) in extension for oid in mapping) if extension else False
            lines = []
            for file in staging.files:
                if file.oid in mapping:
                    new = mapping[file.oid]
                    meta = f"{file.mode} {new} {file.stage}" if new else f"0 {'0' * len(file.oid)} 0"
                    lines.append(f"{meta}\t{file.path}\0")
            if lines or undo:
                stdin = "".join(lines).encode("utf-8", "surrogateescape")
                options = ["--clear-resolve-undo"] if undo else []
                self._git.staging(staging.file).ask("update-index", *options, "-z", "--index-info", stdin=stdin)

    def carry_notes(self, mapping: Mapping[str, str]) -> None:
        """Puts the notes of git on commits with new ids where they were on the old ones, in a commit of its own."""
        for name in self.refs:
            if not name.startswith("refs/notes/") or not mapping:
                continue
            listed = self._git.ask("notes", f"--ref={name}", "list").decode().split()[1::2]
            pairs = [(old, mapping[old]) for old in listed if old in mapping and mapping[old] not in listed]
            if pairs:
                who = self._git.identity()
                person = ("-c", f"user.name={who.name}", "-c", f"user.email={who.email}")
                stdin = "".join(f"{old} {new}\n" for old, new in pairs).encode()
                self._git.ask(*person, "notes", f"--ref={name}", "copy", "--stdin", stdin=stdin)

    def clean_linked(self, cleaned: Mapping[str, bytes | None], holds_text: Callable[[bytes], bool]) -> list[str]:
        """Files of linked work trees: new bytes for those that are doomed blobs; gives what stays to be looked at."""
        left = []
        kind = self._git.object_format()
        for tree in self.linked:
            if tree.folder is None:
                continue
            for path in self._files_of(tree):
                try:
                    data = read_regular(tree.folder / path, _LIMIT_BYTES)
                except (OSError, ValueError):
                    continue
                oid = blob_id(data, kind)
                if oid in cleaned:
                    files = NoteFiles(Path(os.path.realpath(tree.folder)), ".", Disk())
                    files.apply([Replacement(path, cleaned[oid], content_hash(data))])
                elif holds_text(data):
                    left.append(f"{tree.folder / path} (change it there: git -C {shlex.quote(str(tree.folder))} diff)")
        return left

    # Reading

    def _read_refs(self) -> None:
        listed = self._git.ask("for-each-ref", "--format=%(objectname)%00%(refname)%00%(symref)")
        for line in listed.split(b"\n")[:-1]:
            oid, name, target = decoded(line).split("\0")
            if target:
                self.symbolic[name] = target
            else:
                self.refs[name] = oid
        for base in self.places:
            head = self._read(base + "HEAD").strip()
            if self._pattern.fullmatch(head):
                self.refs[base + "HEAD"] = head.decode()
            if base:
                for file in (self._top / base / "refs").rglob("*"):
                    value = self._read(self._name(file)).strip() if file.is_file() else b""
                    if self._pattern.fullmatch(value):
                        self.refs[self._name(file)] = value.decode()

    def _linked(self) -> Iterator[LinkedTree]:
        for folder in sorted(self._top.glob("worktrees/*/")):
            if not folder.is_symlink():
                place = self._read(f"worktrees/{folder.name}/gitdir").strip()
                tree = Path(os.fsdecode(place)).parent if place else None
                yield LinkedTree(folder.name, tree if tree is not None and tree.is_dir() else None)

    def _logs(self) -> Iterator[str]:
        for base in self.places:
            for file in sorted((self._top / base / "logs").rglob("*")):
                if file.is_file() and not file.is_symlink() and not layout.is_temporary(file.name):
                    yield self._name(file)

    def _loose_ends(self) -> Iterator[str]:
        """ORIG_HEAD, FETCH_HEAD, COMMIT_EDITMSG and what else git leaves under such names."""
        for base in self.places:
            for name in sorted(os.listdir(self._top / base)):
                file = self._top / base / name
                if _PSEUDO.fullmatch(name) and name != "HEAD" and file.is_file() and not file.is_symlink():
                    yield base + name

    def _stagings(self) -> Iterator[Staging]:
        for base in self.places:
            file = self._top / base / "index"
            if file.is_file() and not file.is_symlink():
                files = []
                for record in decoded(self._git.staging(str(file)).ask("ls-files", "--stage", "-z")).split("\0")[:-1]:
                    meta, _, path = record.partition("\t")
                    mode, oid, stage = meta.split(" ")
                    files.append(Staged(mode, oid, stage, path))
                yield Staging(str(file), f"{base}index.lock", tuple(files))

    def _files_of(self, tree: LinkedTree) -> list[str]:
        file = str(self._top / "worktrees" / tree.name / "index")
        found = [staging.files for staging in self.stagings if staging.file == file]
        return list(dict.fromkeys(staged.path for files in found for staged in files))

    def _name(self, file: Path) -> str:
        return file.relative_to(self._top).as_posix()

    def _read(self, name: str) -> bytes:
        try:
            return read_regular(self._top / name, _LIMIT_BYTES)
        except FileNotFoundError:
            return b""
        except (OSError, ValueError) as error:
            raise GitFailed(GitProblem.FAILED, f".git/{name} cannot be read ({error})") from error

    def _replace(self, name: str, old: bytes, new: bytes | None) -> None:
        NoteFiles(self._top, ".", Disk()).apply([Replacement(name, new, content_hash(old))])

    def _mapped_end(self, name: str, data: bytes, moved: Moved, cleaned: Callable[[bytes], bytes]) -> bytes:
        """A file of ids or of words; a line that names what is gone goes."""
        lines = []
        fetched = name.endswith("FETCH_HEAD")
        for line in cleaned(data).splitlines(keepends=True):
            found = [oid.decode() for oid in self._pattern.findall(line)]
            if all(moved(oid) == oid for oid in found):
                lines.append(line)
            elif not fetched and all(moved(oid) is not None for oid in found):
                lines.append(self._pattern.sub(lambda oid: (moved(oid[0].decode()) or "").encode(), line))
        return b"".join(lines)


def _mapped_log(data: bytes, moved: Moved, cleaned: Callable[[bytes], bytes]) -> bytes:
    """A reflog with the ids of today. A line whose commit is gone goes; one whose former commit is gone begins anew."""
    lines = []
    for raw in data.splitlines(keepends=True):
        line = _LOG_LINE.fullmatch(raw)
        if line is None:
            lines.append(cleaned(raw))
            continue
        if line[4] == REASON.encode():
            continue
        old, new = moved(line[1].decode()), moved(line[2].decode())
        if new is None:
            continue
        head = (old or "0" * len(new)).encode() + b" " + new.encode() + b" " + line[3]
        # "checkout: moving from ID to main" is where `git switch -` reads its way back.
        said = b"" if line[4] is None else b"\t" + _OID.sub(lambda oid: _renamed(oid[0], moved), cleaned(line[4]))
        lines.append(head + said + b"\n")
    return b"".join(lines)


def _renamed(oid: bytes, moved: Moved) -> bytes:
    return (moved(oid.decode()) or oid.decode()).encode()
