"""The census of a repository: every object, and where it hangs.

Objects are read in one pass each: commits and tags, then trees level by level, then file contents. Trees are kept
as their differences from the one before, so that ten thousand of them are not ten thousand listings.
"""

from __future__ import annotations

import bisect
import itertools
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from remember_me.store.git import Git
from remember_me.store.gitwords import decoded

_PARENTS = re.compile(rb"tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)")
_TAGGED = re.compile(rb"object ([0-9a-f]+)\ntype [a-z]+\n")


class Commit(NamedTuple):
    """A commit: `raw` is what git has of it."""

    tree: str
    parents: tuple[str, ...]
    raw: bytes


class Step(NamedTuple):
    """A tree as its difference from the tree before it in the list; `first` starts from nothing.

    `number` is that of the first commit that has it. Entries are as git writes them: mode, name, NUL, id.
    """

    oid: str
    number: int
    first: bool
    removed: frozenset[bytes]
    added: frozenset[bytes]


class _Listing:
    """The entries of a tree. The next tree differs little, so only what is between their common ends is read."""

    def __init__(self, entries: re.Pattern[bytes]) -> None:
        self._entries = entries
        self._data = b""
        self._starts = [0]

    def turn_into(self, new: bytes) -> tuple[frozenset[bytes], frozenset[bytes]]:
        """(removed, added) entries on the way to the tree `new`."""
        old, starts, shift = self._data, self._starts, len(new) - len(self._data)
        first = bisect.bisect_right(starts, common_beginning(old, new)) - 1
        same = common_end(old, new, min(len(old), len(new)) - starts[first])
        behind = bisect.bisect_left(starts, len(old) - same)
        come, ends = self._read(new, starts[first], starts[behind] + shift)
        if ends[-1] != starts[behind] + shift:
            # The name of a new entry ends like a whole entry that was there before.
            first, behind = 0, len(starts) - 1
            come, ends = self._read(new, 0, len(new))
        gone = frozenset(self._entries.findall(old, starts[first], starts[behind]))
        moved = [start + shift for start in starts[behind:]] if shift else starts[behind:]
        self._data, self._starts = new, starts[:first] + ends[:-1] + moved
        return gone - come, come - gone

    def _read(self, data: bytes, begin: int, end: int) -> tuple[frozenset[bytes], list[int]]:
        """The entries between two places, and where they begin; the last of these is where the last one ends."""
        found = self._entries.findall(data, begin, end)
        return frozenset(found), list(itertools.accumulate(map(len, found), initial=begin))


def common_beginning(one: bytes, other: bytes) -> int:
    """How many bytes both begin with, by halving: slices are compared in C."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_end(one: bytes, other: bytes, limit: int) -> int:
    """How many bytes both end with, at most `limit`."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def contents(git: Git, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """(id, bytes) of the objects in the order asked for; what is missing is left out."""
    with tempfile.TemporaryFile(dir=git.own_folder) as wanted:
        wanted.write("".join(f"{oid}\n" for oid in oids).encode())
        wanted.seek(0)
        with git.stream("cat-file", "--batch", "--buffer", stdin=wanted) as out:
            for line in iter(out.readline, b""):
                words = line.split()
                if len(words) == 3:
                    data = out.read(int(words[2]))
                    out.read(1)
                    yield words[0].decode(), data


class Census:
    """All objects of the repository. `roots` are the ids that refs, reflogs and the like name; `staged` are paths
    of the blobs in staging areas."""

    def __init__(self, git: Git, roots: Iterable[str], staged: Mapping[str, Collection[str]]) -> None:
        self._git = git
        self.kinds: dict[str, str] = {}
        self.commits: dict[str, Commit] = {}
        self.tags: dict[str, bytes] = {}
        self.levels: list[list[Step]] = []
        self.stray: dict[str, frozenset[bytes]] = {}
        self.first: dict[str, int] = {}
        self.paths: dict[str, dict[str, None]] = {oid: dict.fromkeys(paths) for oid, paths in staged.items()}
        self._read_names()
        self._read_commits()
        self.rooted = self._peeled([*roots, *staged])
        self.order: list[str] = []
        seen: set[str] = set()
        self._walk(self.rooted, seen)
        self.reachable = len(self.order)
        self._walk(self.commits, seen)
        self._read_trees()

    @property
    def width(self) -> int:
        """Bytes of an object id."""
        return 32 if self._git.object_format() == "sha256" else 20

    def is_reachable(self, oid: str) -> bool:
        """Whether a commit, tree or blob hangs at one of the roots."""
        return oid in self.rooted or self.first.get(oid, self.reachable) < self.reachable

    def where(self, oid: str) -> tuple[str, str]:
        """(path, commit) of a blob: the first commit that has it; empty where there is none."""
        number = self.first.get(oid, -1)
        return next(iter(self.paths.get(oid, {})), ""), self.order[number] if number >= 0 else ""

    def _read_names(self) -> None:
        listing = "--batch-check=%(objectname) %(objecttype)"
        with self._git.stream("cat-file", "--batch-all-objects", "--unordered", "--buffer", listing) as out:
            for line in out:
                oid, kind = line.decode().split()
                self.kinds[oid] = kind

    def of_kind(self, *kinds: str) -> list[str]:
        """The ids of all objects of these kinds, in the order in which git reads them fastest."""
        return [oid for oid, kind in self.kinds.items() if kind in kinds]

    def _read_commits(self) -> None:
        for oid, raw in contents(self._git, self.of_kind("commit", "tag")):
            if self.kinds[oid] == "tag":
                self.tags[oid] = raw
            elif (head := _PARENTS.match(raw)) is not None:
                self.commits[oid] = Commit(head[1].decode(), tuple(head[2].decode().split()[1::2]), raw)

    def tagged(self, oid: str) -> str | None:
        """What a tag names."""
        found = _TAGGED.match(self.tags[oid])
        return found[1].decode() if found else None

    def _peeled(self, roots: Iterable[str]) -> dict[str, None]:
        peeled: dict[str, None] = {}
        for root in roots:
            oid: str | None = root
            while oid is not None and oid not in peeled:
                peeled[oid] = None
                oid = self.tagged(oid) if oid in self.tags else None
        return peeled

    def _walk(self, tips: Iterable[str], seen: set[str]) -> None:
        """Appends what leads to `tips`, parents first, to the order."""
        for tip in tips:
            waiting = [tip] if tip in self.commits else []
            while waiting:
                oid = waiting[-1]
                parents = [p for p in self.commits[oid].parents if p not in seen and p in self.commits]
                if parents and oid not in seen:
                    waiting += reversed(parents)
                    continue
                waiting.pop()
                if oid not in seen:
                    seen.add(oid)
                    self.first[oid] = len(self.order)
                    self.order.append(oid)

    def _read_trees(self) -> None:
        roots = {oid: -1 for oid in self.rooted if self.kinds.get(oid) == "tree"}
        for number, commit in enumerate(self.order):
            roots.setdefault(self.commits[commit].tree, number)
        level = {"": roots}
        entries = re.compile(rb"[0-7]+ [^\0]+\0.{%d}" % self.width, re.DOTALL)
        while level:
            level = self._read_level(level, entries)
        strays = [oid for oid in self.of_kind("tree") if oid not in self.first]
        for oid, data in contents(self._git, strays) if strays else ():
            self.stray[oid] = frozenset(entries.findall(data))

    def _read_level(self, level: dict[str, dict[str, int]], entries: re.Pattern[bytes]) -> dict[str, dict[str, int]]:
        """Reads the trees of one depth, given by folder and in the order of their commits; gives those below."""
        below: dict[str, dict[str, int]] = {}
        asked = [
            (folder, oid, number)
            for folder, trees in level.items()
            for oid, number in trees.items()
            if self.kinds.get(oid) == "tree"
        ]
        steps: list[Step] = []
        listing, last = _Listing(entries), None
        for (oid, data), (folder, _, number) in zip(
            contents(self._git, (oid for _, oid, _ in asked)), asked, strict=True
        ):
            first = folder != last
            if first:
                listing, last = _Listing(entries), folder
            removed, added = listing.turn_into(data)
            steps.append(Step(oid, number, first, removed, added))
            self.first[oid] = min(number, self.first.get(oid, number))
            self._record(added, folder, number, below)
        self.levels.append(steps)
        return below

    def _record(self, added: Iterable[bytes], folder: str, number: int, below: dict[str, dict[str, int]]) -> None:
        width = self.width
        for entry in added:
            mode, _, name = entry[: -width - 1].partition(b" ")
            child, path = entry[-width:].hex(), folder + decoded(name)
            if mode.lstrip(b"0") == b"40000":
                below.setdefault(path + "/", {}).setdefault(child, number)
            elif mode != b"160000":
                self.first[child] = min(number, self.first.get(child, number))
                if mode != b"120000":
                    self.paths.setdefault(child, {})[path] = None
