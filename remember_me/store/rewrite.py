"""The rewrite: new blobs, trees, commits and tags in the place of those that hold what is forgotten, as one pack.

Objects are written as bytes, not through git fast-import, which drops headers that it does not know and mends what it
finds odd. Trees are deltas against the tree before them, as git's own are.
"""

from __future__ import annotations

import hashlib
import re
import struct
import tempfile
import zlib
from collections.abc import Iterable
from typing import IO

from remember_me.store.census import Census, common_beginning, common_end, contents
from remember_me.store.finding import Finding
from remember_me.store.git import Git
from remember_me.store.gitwords import ObjectFormat

_KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
_OFFSET_DELTA = 6
_LONGEST_CHAIN = 50
_SMALLEST_BASE_BYTES = 512
_COPIED_BYTES = 0xFFFF
_SIGNED = re.compile(rb"^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$", re.MULTILINE)
_SIGNATURES = re.compile(rb"^gpgsig(?:-sha256)? [^\n]*\n(?: [^\n]*\n)*", re.MULTILINE)
_MERGED_TAG = re.compile(rb"^mergetag [^\n]*\n(?: [^\n]*\n)*", re.MULTILINE)
_OID = re.compile(rb"\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b")

Mapping = dict[str, str | None]
"""Old object id -> the new one, or None where nothing takes its place."""


class Pack:
    """A pack that is being written into `file`."""

    def __init__(self, file: IO[bytes], object_format: ObjectFormat) -> None:
        self._file = file
        self._format = object_format
        self._offset = 12
        self._chain: tuple[int, bytes, int] | None = None
        self.count = 0
        file.write(bytes(12))

    def name(self, kind: str, data: bytes) -> str:
        """The id of an object."""
        head = b"%s %d\0" % (kind.encode(), len(data))
        return hashlib.new(self._format, head + data, usedforsecurity=False).hexdigest()

    def add(self, kind: str, data: bytes) -> None:
        """Adds an object; a tree as a delta against the tree that was added before it, where that is shorter."""
        if kind != "tree" or len(data) < _SMALLEST_BASE_BYTES:
            self._write(_KINDS[kind], len(data), b"", data)
            return
        base = self._chain
        delta = _delta(base[1], data) if base is not None and base[2] < _LONGEST_CHAIN else data
        at = self._offset
        if base is not None and len(delta) < len(data) // 2:
            self._write(_OFFSET_DELTA, len(delta), _back(at - base[0]), delta)
            self._chain = (at, data, base[2] + 1)
        else:
            self._write(_KINDS[kind], len(data), b"", data)
            self._chain = (at, data, 0)

    def _write(self, kind: int, size: int, base: bytes, data: bytes) -> None:
        first, rest = (kind << 4) | (size & 15), size >> 4
        head = bytes([first | 128]) + _varint(rest) if rest else bytes([first])
        record = head + base + zlib.compress(data, 1)
        self._file.write(record)
        self._offset += len(record)
        self.count += 1

    def finish(self) -> None:
        """Writes what only the end knows; the file then stands at its beginning."""
        self._file.seek(0)
        self._file.write(struct.pack(">4sII", b"PACK", 2, self.count))
        self._file.seek(0)
        digest = hashlib.new(self._format, usedforsecurity=False)
        while piece := self._file.read(1 << 20):
            digest.update(piece)
        self._file.write(digest.digest())
        self._file.seek(0)


def _varint(size: int) -> bytes:
    out = bytearray()
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    out.append(size)
    return bytes(out)


def _back(distance: int) -> bytes:
    """How far before a delta its base begins."""
    out = [distance & 127]
    while distance := distance >> 7:
        distance -= 1
        out.append(distance & 127 | 128)
    return bytes(reversed(out))


def _delta(old: bytes, new: bytes) -> bytes:
    """`new` as what it shares with `old` at both ends, and the bytes between."""
    head = common_beginning(old, new)
    tail = common_end(old, new, min(len(old), len(new)) - head)
    parts = [_varint(len(old)), _varint(len(new)), *_copied(0, head)]
    between = new[head : len(new) - tail]
    parts += [bytes([len(piece)]) + piece for piece in (between[at : at + 127] for at in range(0, len(between), 127))]
    return b"".join([*parts, *_copied(len(old) - tail, tail)])


def _copied(start: int, size: int) -> Iterable[bytes]:
    for at in range(start, start + size, _COPIED_BYTES):
        length = min(_COPIED_BYTES, start + size - at)
        yield b"\xbf" + struct.pack("<IH", at, length)


class Rewrite:
    """New objects for the reachable ones that are doomed. `mapping` says what became of each."""

    def __init__(self, git: Git, census: Census, finding: Finding) -> None:
        self._git = git
        self._census = census
        self._finding = finding
        self.mapping: Mapping = {}

    def run(self) -> Mapping:
        """Writes the new objects into the repository, where nothing names them yet."""
        with tempfile.TemporaryFile(dir=self._git.own_folder) as file:
            self._pack = Pack(file, self._git.object_format())
            self._blobs()
            self._trees()
            self._commits()
            self._tags()
            self._pack.finish()
            if self._pack.count:
                with self._git.stream("index-pack", "--stdin", stdin=file) as out:
                    out.read()
        return self.mapping

    def _new(self, old: str, kind: str, data: bytes) -> None:
        oid = self._pack.name(kind, data)
        if oid not in self._census.kinds:
            self._pack.add(kind, data)
            self._census.kinds[oid] = kind
        self.mapping[old] = oid

    def _blobs(self) -> None:
        for oid, data in self._finding.cleaned.items():
            if data is None:
                self.mapping[oid] = None
            elif self._census.is_reachable(oid):
                self._new(oid, "blob", data)

    def _trees(self) -> None:
        """Trees below come first, so that what they became is known above."""
        census, held = self._census, self._finding.held
        for steps in reversed(census.levels):
            wanted = [step.oid for step in steps if step.oid in held and census.is_reachable(step.oid)]
            for oid, data in contents(self._git, wanted) if wanted else ():
                if oid in self.mapping:
                    continue
                new = self._mapped_tree(data, held[oid])
                if new:
                    self._new(oid, "tree", new)
                else:
                    self.mapping[oid] = None

    def _mapped_tree(self, data: bytes, held: Iterable[bytes]) -> bytes:
        width = self._census.width
        new = {entry: self._mapped_entry(entry) for entry in held}
        if any(data.count(entry) != 1 for entry in new):
            # A name may end like another whole entry.
            entries = re.findall(rb"[0-7]+ [^\0]+\0.{%d}" % width, data, re.DOTALL)
            return b"".join(new.get(entry, entry) for entry in entries)
        for entry, put in new.items():
            data = data.replace(entry, put)
        return data

    def _mapped_entry(self, entry: bytes) -> bytes:
        width = self._census.width
        new = self.mapping[entry[-width:].hex()]
        return b"" if new is None else entry[:-width] + bytes.fromhex(new)

    def _commits(self) -> None:
        census = self._census
        for oid in self._finding.commits():
            commit = census.commits[oid]
            head, blank, message = self._finding.sieve.cleaned_commit(commit.raw).partition(b"\n\n")
            lines = [f"tree {self._mapped_root(commit.tree)}\n"]
            lines += [f"parent {self.mapping.get(parent) or parent}\n" for parent in commit.parents]
            old_size = 6 + len(commit.tree) + sum(8 + len(parent) for parent in commit.parents)
            rest = _SIGNATURES.sub(b"", head[old_size:] + b"\n")
            rest = _MERGED_TAG.sub(self._kept_tag, rest).removesuffix(b"\n")
            self._new(oid, "commit", "".join(lines).encode() + rest + blank + message)

    def _mapped_root(self, tree: str) -> str:
        if tree in self.mapping and self.mapping[tree] is None:
            self._new(tree, "tree", b"")  # no file is left
        return self.mapping.get(tree) or tree

    def _kept_tag(self, header: re.Match[bytes]) -> bytes:
        """The signed tag that a merge carries, unless it names or says what is gone: it cannot be signed anew."""
        spoilt = any(self._finding.is_doomed(oid.decode()) for oid in _OID.findall(header[0]))
        return b"" if spoilt or self._finding.sieve.holds_text(header[0]) else header[0]

    def _tags(self) -> None:
        """Tags may name tags, so what a tag names is done first."""
        census = self._census
        waiting = [oid for oid in census.tags if oid in census.rooted and self._finding.is_doomed(oid)]
        while waiting:
            ready = [oid for oid in waiting if census.tagged(oid) not in waiting]
            for oid in ready:
                self._tag(oid)
            waiting = [oid for oid in waiting if oid not in ready]

    def _tag(self, oid: str) -> None:
        named = self._census.tagged(oid) or ""
        new = self.mapping.get(named, named)
        if new is None:
            self.mapping[oid] = None
            return
        head, blank, message = self._finding.sieve.cleaned_commit(self._census.tags[oid]).partition(b"\n\n")
        head = _SIGNATURES.sub(b"", head + b"\n").removesuffix(b"\n")
        head = f"object {new}".encode() + head[7 + len(named) :]
        signed = _SIGNED.search(message)
        self._new(oid, "tag", head + blank + (message[: signed.start()] if signed else message))
