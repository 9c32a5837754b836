"""The finding: which objects of a census hold what is to be forgotten, and which lead to one that does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from remember_me.model.entry import Entry
from remember_me.policy.likeness import TELLING_BYTES
from remember_me.store.census import Census, Step, contents
from remember_me.store.git import Git
from remember_me.store.gitwords import decoded

Rule = Callable[[str, bytes], bytes | None]
"""(path, bytes) -> the bytes without what is forgotten, the same bytes if it holds none, None to remove the file.
The path is relative to the store, and empty where nobody knows it any more."""

_ENCODING = re.compile(rb"^encoding ([^\n]+)$", re.MULTILINE)
_OURS = re.compile(
    rb"^remember-me: [a-z]+(?: [0-9a-z-]+)*$|^(?:Operation-Id|Entries|Actor|Removed|Undoes|Redoes): [0-9a-z :-]*$",
    re.MULTILINE,
)
"""A line that we write into a commit message."""
_OUR_SUBJECT = b"remember-me: "
_DASHES_AND_QUOTES = re.compile(rb"\xe2\x80[\x93-\x95\x98-\x9e]")
"""Punctuation that is common in notes and that folding leaves alone: without it most notes are ASCII."""

_UNSEEN = re.compile(
    "[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]+"
)
"""What the normal form of a statement leaves out (policy/duplicates.py): it may stand in the middle of a word."""


class Target(NamedTuple):
    """What is to be erased.

    `ids` are of the forgotten entries. `forgotten` says whether an entry of another id says the same; it is pure.
    `needles` are words, case folded: at least one stands in every text that `forgotten` can accept (none: every
    note is parsed). `texts` are the exact texts, which also go out of the messages of commits and tags.
    """

    ids: frozenset[str]
    forgotten: Callable[[Entry], bool]
    needles: tuple[str, ...]
    texts: tuple[str, ...]


class Sieve:
    """Which bytes may hold what a target forgets, told without parsing, and how its exact texts are taken out."""

    def __init__(self, target: Target) -> None:
        self._texts = tuple(text for text in target.texts if text.strip())
        self._raw = tuple(text.encode("utf-8", "surrogateescape").lower() for text in self._texts)
        self._words = tuple(sorted({_folded(word) for word in (*target.needles, *target.ids)}))
        self._plain = tuple(word.encode() for word in self._words if word.isascii())
        self._all = not target.needles
        self._literal = _pattern(self._raw)
        self._telling = _pattern(list(filter(is_long, self._raw)))
        # Not the word that is to be erased itself: it would be found again for ever.
        self._instead = next((put for put in (b"[erased]", b"[...]") if not self.holds_text(put)), b"")

    def holds_text(self, data: bytes) -> bool:
        """Whether one of the exact texts stands in `data`, in whatever case of ASCII letters."""
        low = data.lower()
        return any(text in low for text in self._raw) and self._literal is not None and bool(self._literal.search(low))

    def may_hold(self, data: bytes) -> bool:
        """False only where no entry in `data` can be a forgotten one."""
        if self._all:
            return True
        low = data.lower()
        if any(word in low for word in self._plain):
            return True
        if low.isascii() or _DASHES_AND_QUOTES.sub(b" ", low).isascii():
            return False
        text = _folded(decoded(data))
        return any(word in text for word in self._words)

    def cleaned(self, message: bytes, encoding: str | None = None) -> bytes:
        """A message with each exact text replaced. `encoding` is what the commit names, if it is not UTF-8."""
        if self._literal is None:
            return message
        if encoding is not None:
            try:
                raw = tuple(text.encode(encoding) for text in self._texts)
            except (LookupError, UnicodeEncodeError):
                raw = ()  # it cannot stand there in that encoding
            pattern = _pattern(raw)
            message = pattern.sub(self._instead, message) if pattern is not None else message
        return self._literal.sub(self._instead, message)

    def cleaned_commit(self, raw: bytes) -> bytes:
        """A commit or tag as git has it, with its message cleaned. What we write there is ids, and no short word of
        such a line is a text."""
        head, blank, message = raw.partition(b"\n\n")
        named = _ENCODING.search(head)
        encoding = decoded(named[1]) if named else None
        if encoding is None and not self.holds_text(message):
            return raw
        done, at = [head, blank], 0
        for ours in _OURS.finditer(message) if message.startswith(_OUR_SUBJECT) else ():
            line = self._telling.sub(self._instead, ours[0]) if self._telling is not None else ours[0]
            done += [self.cleaned(message[at : ours.start()], encoding), line]
            at = ours.end()
        return b"".join([*done, self.cleaned(message[at:], encoding)])


def without_ours(raw: bytes) -> bytes:
    """A commit as git has it, without the lines of its message that we write."""
    head, blank, message = raw.partition(b"\n\n")
    return head + blank + _OURS.sub(b"", message) if message.startswith(_OUR_SUBJECT) else raw


def _folded(text: str) -> str:
    text = _UNSEEN.sub("", text)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _pattern(raw: Collection[bytes]) -> re.Pattern[bytes] | None:
    longest_first = sorted(set(raw), key=lambda text: (-len(text), text))
    return re.compile(b"|".join(map(literally, longest_first)), re.IGNORECASE) if longest_first else None


def is_long(raw: bytes) -> bool:
    """Whether a text is known wherever its bytes stand."""
    return len(raw.strip()) >= TELLING_BYTES


def literally(raw: bytes) -> bytes:
    """The pattern of a text; of a short one, as whole words. What stands before it may be an escape of JSON."""
    if is_long(raw):
        return re.escape(raw)
    before = rb"(?:(?<![0-9A-Za-z])|(?<=\\[bfnrt]))" if raw[:1].isalnum() else b""
    return before + re.escape(raw) + (rb"(?![0-9A-Za-z])" if raw[-1:].isalnum() else b"")


class Finding:
    """What of a census is to go: `doomed` are the objects that hold it, or lead to one that does.

    `cleaned` are the blobs that a rule changes, with their new bytes; `held` the entries of each tree that are
    doomed; `literal` the reachable blobs that hold an exact text and stay, because no rule changes them or
    because another entry has the words too.
    """

    def __init__(self, git: Git, census: Census, target: Target, rule: Rule) -> None:
        self._census = census
        self.sieve = Sieve(target)
        self.cleaned: dict[str, bytes | None] = {}
        self.literal: list[str] = []
        self.held: dict[str, frozenset[bytes]] = {}
        self._marks: set[bytes] = set()
        self._read_blobs(git, rule)
        for steps in reversed(census.levels):
            self._follow(steps)
        self._follow_strays()
        self._follow_commits()

    @property
    def doomed(self) -> set[str]:
        return {mark.hex() for mark in self._marks}

    def is_doomed(self, oid: str) -> bool:
        return bytes.fromhex(oid) in self._marks

    def commits(self) -> list[str]:
        """The reachable commits that are doomed, parents first."""
        return [oid for oid in self._census.order[: self._census.reachable] if self.is_doomed(oid)]

    def _mark(self, oid: str) -> None:
        self._marks.add(bytes.fromhex(oid))

    def _read_blobs(self, git: Git, rule: Rule) -> None:
        census, sieve = self._census, self.sieve
        for oid, data in contents(git, census.of_kind("blob")):
            new: bytes | None = data
            if sieve.may_hold(data):
                for path in sorted(census.paths.get(oid, {"": None})):
                    new = rule(path, new) if new is not None else None
            if new != data:
                self.cleaned[oid] = new
                self._mark(oid)
            if new is None or not sieve.holds_text(new):
                continue
            if census.is_reachable(oid):
                self.literal.append(oid)
            else:
                self._mark(oid)

    def _follow(self, steps: Iterable[Step]) -> None:
        width, marks = self._census.width, self._marks
        held: frozenset[bytes] = frozenset()
        for step in steps:
            if step.first:
                held = frozenset()
            new = [entry for entry in step.added if entry[-width:] in marks]
            if new or not held.isdisjoint(step.removed):
                held = (held - step.removed).union(new)
            if held:
                self.held[step.oid] = held
                self._mark(step.oid)

    def _follow_strays(self) -> None:
        width, waiting = self._census.width, dict(self._census.stray)
        found = True
        while found:
            found = False
            for oid, entries in list(waiting.items()):
                if any(entry[-width:] in self._marks for entry in entries):
                    del waiting[oid]
                    self._mark(oid)
                    found = True

    def _follow_commits(self) -> None:
        census, sieve = self._census, self.sieve
        for oid in census.order:
            commit = census.commits[oid]
            if (
                self.is_doomed(commit.tree)
                or any(self.is_doomed(parent) for parent in commit.parents)
                or sieve.cleaned_commit(commit.raw) != commit.raw
            ):
                self._mark(oid)
        found = True
        while found:
            found = False
            for oid, raw in census.tags.items():
                named = census.tagged(oid)
                spoilt = (named is not None and self.is_doomed(named)) or sieve.cleaned_commit(raw) != raw
                if spoilt and not self.is_doomed(oid):
                    self._mark(oid)
                    found = True
