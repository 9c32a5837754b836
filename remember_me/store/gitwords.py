"""The words between the store and git: the values of the runner, its failures, what git reads and says."""

from __future__ import annotations

import enum
import hashlib
import os
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

ObjectFormat = Literal["sha1", "sha256"]

HEADS = "refs/heads/"

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_UTC_OFFSET = re.compile(r"[+-]\d{4}")
_IDENT_CRUD = " .,:;\"'\\" + "".join(map(chr, range(32)))


class GitProblem(enum.Enum):
    """Why git did not do it."""

    NO_GIT = "no-git"
    NO_REPOSITORY = "no-repository"
    FOREIGN_OWNER = "foreign-owner"
    REDIRECTED = "redirected"  # .git, or a part of it, leads elsewhere
    DETACHED = "detached"
    MERGING = "merging"  # or a rebase, cherry-pick, revert
    BUSY = "busy"  # a live git process works in this repository
    LOCKED = "locked"  # a lock file that is not ours
    MOVED = "moved"  # the branch, or HEAD, is not where it was
    TIMEOUT = "timeout"
    FAILED = "failed"


class GitFailed(Exception):
    """git did not do it. `reason` fits behind "saved, not yet committed: ": no capital, no period.

    `killed`: git did not end by itself, so it may have left lock files.
    """

    def __init__(self, problem: GitProblem, reason: str, *, hint: str | None = None, killed: bool = False) -> None:
        super().__init__(reason)
        self.problem = problem
        self.reason = reason
        self.hint = hint
        self.killed = killed


class Head(NamedTuple):
    """The branch that is checked out ("refs/heads/main") and its commit, None as long as it has none."""

    branch: str
    commit: str | None


class _FileChange(NamedTuple):
    path: str
    data: bytes | None
    executable: bool


class FileChange(_FileChange):
    """New content of one file, or None to delete it. `path` is relative to the store, with slashes.

    Raises ValueError for a path that git could not keep, or that leads out of the store or into .git.
    """

    __slots__ = ()

    def __new__(cls, path: str, data: bytes | None, executable: bool = False) -> FileChange:
        parts = path.split("/")
        if "\0" in path or any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
            raise ValueError(f"not a path in the store: {path!r}")
        return super().__new__(cls, path, data, executable)

    @property
    def mode(self) -> str:
        return "100755" if self.executable else "100644"


class Identity(NamedTuple):
    """Who commits."""

    name: str
    email: str


def blob_id(data: bytes, object_format: ObjectFormat = "sha1") -> str:
    """The id that git gives to a file with these bytes."""
    return hashlib.new(object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def is_object_id(text: str) -> bool:
    """Whether it has the form of an object id."""
    return _ID.fullmatch(text) is not None


def checked_id(oid: str) -> str:
    """The object id as it is. Raises ValueError for anything else: it might be read as an option."""
    if not is_object_id(oid):
        raise ValueError(f"not an object id: {oid!r}")
    return oid


# What git reads from us


def commit_stream(head: Head, changes: Sequence[FileChange], message: str, person: bytes) -> bytes:
    """The commit in the language of git fast-import. Without `from` the branch must be new (no --force)."""
    text = message.replace("\0", "\ufffd").encode("utf-8", "replace")
    parts = [b"commit " + os.fsencode(head.branch), b"mark :1", b"author " + person, b"committer " + person]
    parts.append(_data(text if text.endswith(b"\n") else text + b"\n"))
    if head.commit is not None:
        parts.append(b"from " + checked_id(head.commit).encode())
    # Deletions first: "a" may go so that "a/b" can come.
    parts += [b"D " + _quoted(change.path) for change in changes if change.data is None]
    for change in changes:
        if change.data is not None:
            parts.append(f"M {change.mode} inline ".encode() + _quoted(change.path))
            parts.append(_data(change.data))
    return b"\n".join([*parts, b"get-mark :1", b"done", b""])


def _data(content: bytes) -> bytes:
    return b"data %d\n%b" % (len(content), content)


def _quoted(path: str) -> bytes:
    escaped = re.sub(rb'[\\"\x00-\x1f\x7f]', lambda found: b"\\%03o" % found[0][0], os.fsencode(path))
    return b'"' + escaped + b'"'


def index_line(change: FileChange, object_format: ObjectFormat) -> bytes:
    """One record for git update-index -z --index-info."""
    if change.data is None:
        mode, oid = "0", "0" * len(blob_id(b"", object_format))
    else:
        mode, oid = change.mode, blob_id(change.data, object_format)
    return f"{mode} {oid}\t".encode() + os.fsencode(change.path) + b"\0"


def person_line(identity: Identity, at: int, utc_offset: str) -> bytes:
    """Who and when, as a commit has it. Raises ValueError for an offset that is none."""
    if not _UTC_OFFSET.fullmatch(utc_offset):
        raise ValueError(f"not an offset like +0100: {utc_offset!r}")
    name, email = clean_ident(identity.name), clean_ident(identity.email)
    return f"{name} <{email}> {at} {utc_offset}".encode("utf-8", "surrogateescape")


def clean_ident(value: str) -> str:
    """A name or address without what git does not let into a commit."""
    return re.sub(r"[<>\n\0]", "", value).strip(_IDENT_CRUD)


def nul_joined(paths: Sequence[str]) -> bytes:
    """Paths for a command's --stdin -z."""
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


# What git says


def decoded(raw: bytes) -> str:
    """As text that gives the same bytes again."""
    return raw.decode("utf-8", "surrogateescape")


def listed_files(out: bytes) -> dict[str, tuple[str, str]]:
    """What ls-tree -z lists: path to (mode, object id)."""
    files = {}
    for record in out.split(b"\0")[:-1]:
        meta, path = record.split(b"\t", 1)
        mode, _, oid = meta.decode().split(" ")
        files[decoded(path)] = (mode, oid)
    return files


def batched_blobs(out: bytes) -> dict[str, bytes]:
    """The blobs in what cat-file --batch prints; what is missing, or is no blob, is left out."""
    found, at = {}, 0
    while at < len(out):
        end = out.index(b"\n", at)
        words = out[at:end].decode().split(" ")
        at = end + 1
        if len(words) == 3:
            size = int(words[2])
            if words[1] == "blob":
                found[words[0]] = out[at : at + size]
            at += size + 1
    return found


def listed_settings(out: bytes) -> dict[str, str]:
    """What config -z lists: key to value, the last of each."""
    settings = {}
    for record in decoded(out).split("\0")[:-1]:
        key, _, value = record.partition("\n")
        settings[key] = value
    return settings


def first_line(said: str) -> str:
    """The line of git's words that names the fault, on one line and printable."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines
    line = telling[0].removeprefix("fatal: ").removeprefix("error: ") if telling else ""
    return "".join(char if char.isprintable() else "?" for char in line)[:200].rstrip(".")
