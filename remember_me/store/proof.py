"""The proof that a text is gone: every place of a repository is read, also what git itself no longer finds."""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import urllib.parse
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from remember_me.store.files import read_regular
from remember_me.store.finding import is_long, literally, without_ours
from remember_me.store.git import Git

_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_INFLATED_BYTES = 64 << 20
_SHORTEST_CORE = 12
_LARGEST_BYTES = 256 << 20
"""Nobody can say what a file above that holds."""


class Place(NamedTuple):
    """Where a text stands. `kind` is text, commit, tree, blob, tag, file, name or debris, or unreadable where nobody
    can say; `path` is an object id or a path; `commit` the first commit that has it, if that is known."""

    kind: str
    path: str
    commit: str = ""


def prove(git: Git, texts: Iterable[str], parts: Iterable[Path] = ()) -> tuple[Place, ...]:
    """The places where one of `texts` still stands: all objects, reachable or not, all other files of .git, what
    killed commands left there, and the files and folders `parts`. Raises GitFailed."""
    return tuple(dict.fromkeys(_Proof(git, texts).places(parts)))


class _Proof:
    def __init__(self, git: Git, texts: Iterable[str]) -> None:
        self._git = git
        self._top = Path(git.folder.path)
        wanted = [text for text in dict.fromkeys(texts) if text.strip()]
        self._plain = tuple(dict.fromkeys(form for text in wanted for form in _plain_forms(text)))
        self._literal = re.compile(b"|".join(map(literally, self._plain)))
        self._coded = tuple(dict.fromkeys(form for text in wanted for form in _coded(text) if form not in self._plain))

    def places(self, parts: Iterable[Path]) -> Iterator[Place]:
        if not self._plain:
            return
        yield from self._objects()
        for file in _files(self._top):
            name = os.path.relpath(file, self._top)
            if name.startswith("objects" + os.sep) and not name.startswith(os.path.join("objects", "info")):
                if is_debris(file) and self.in_debris(read_regular(file, sys.maxsize)):
                    yield Place("debris", os.fspath(file))
            else:
                yield from self._file(file)
        for part in parts:
            for file in _files(part) if part.is_dir() and not part.is_symlink() else [part]:
                yield from self._file(file)

    def _objects(self) -> Iterator[Place]:
        # Coded forms of a text are looked for in files only: what is committed is what people and we write.
        with self._git.stream("cat-file", "--batch-all-objects", "--unordered", "--buffer", "--batch") as out:
            for line in iter(out.readline, b""):
                oid, kind, size = line.split()
                data = out.read(int(size))
                out.read(1)
                if self._says(data) and (kind != b"commit" or self._says_more_than_ours(data)):
                    yield Place(kind.decode(), oid.decode())

    def _file(self, file: Path) -> Iterator[Place]:
        if self._holds(os.fsencode(file.name)):
            yield Place("name", os.fspath(file))
        try:
            data = os.fsencode(os.readlink(file)) if file.is_symlink() else read_regular(file, _LARGEST_BYTES)
        except FileNotFoundError:
            return
        except (OSError, ValueError):
            yield Place("unreadable", os.fspath(file))
            return
        if self._holds(data):
            yield Place("file", os.fspath(file))

    def _holds(self, data: bytes) -> bool:
        low = data.lower()
        return self._says(low) or any(form in low for form in self._coded)

    def _says_more_than_ours(self, commit: bytes) -> bool:
        low = commit.lower()
        return any(form in low for form in self._plain if is_long(form)) or self._says(without_ours(commit))

    def _says(self, data: bytes) -> bool:
        low = data.lower()
        return any(form in low for form in self._plain) and self._literal.search(low) is not None

    def in_debris(self, data: bytes) -> bool:
        """Whether half an object or pack holds a text, as it is or deflated."""
        if self._holds(data):
            return True
        for start in _ZLIB.finditer(data):
            try:
                inflated = zlib.decompressobj().decompress(data[start.start() :], _INFLATED_BYTES)
            except zlib.error:
                continue  # two bytes that only look like the beginning
            if self._holds(inflated):
                return True
        return False


def is_debris(file: Path) -> bool:
    """Whether git no longer finds what is in a file of .git/objects: temporary files, and packs without an index."""
    return file.name.startswith("tmp_") or (file.suffix == ".pack" and not file.with_suffix(".idx").exists())


def remove_debris(git: Git, texts: Sequence[str]) -> None:
    """Deletes what killed commands left in .git/objects and what holds one of `texts`, unless a git is at work."""
    proof = _Proof(git, texts)
    found = [file for file in _files(Path(git.folder.path, "objects")) if is_debris(file)]
    if found and not git.folder.git_is_alive([os.path.relpath(file, git.folder.path) for file in found]):
        for file in found:
            if proof.in_debris(read_regular(file, sys.maxsize)):
                file.unlink(missing_ok=True)


def _files(folder: Path) -> Iterator[Path]:
    """All files below a folder; links are given, not followed."""
    for where, folders, names in os.walk(folder):
        linked = [name for name in folders if os.path.islink(os.path.join(where, name))]
        for name in (*names, *linked):
            file = Path(where, name)
            if file.is_symlink() or file.is_file():
                yield file


def _plain_forms(text: str) -> Iterator[bytes]:
    """How a text stands in notes, messages and JSON; in lower case as far as ASCII goes."""
    yield text.encode("utf-8", "surrogateescape").lower()
    yield json.dumps(text)[1:-1].encode().lower()


def _coded(text: str) -> Iterator[bytes]:
    """UTF-16, hexadecimal, percent signs, and base64 at its three alignments, without the ends that others share."""
    raw = text.encode("utf-8", "surrogateescape")
    yield text.encode("utf-16-le", "surrogatepass").lower()
    yield raw.hex().encode()
    yield urllib.parse.quote(raw).lower().encode()
    for shift, skipped in enumerate((0, 2, 3)):
        core = base64.b64encode(bytes(shift) + raw)[skipped:]
        core = core[:-4] if len(raw) % 3 or shift else core
        if len(core) >= _SHORTEST_CORE:
            yield core.lower()
