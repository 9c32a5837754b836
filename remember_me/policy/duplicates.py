"""Duplicates: the same statement again (DESIGN section 4)."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from remember_me.model.entry import Basis, Entry, Status, Tag, Tier, composed
from remember_me.model.text import join_title

_APART = re.compile(r"[^0-9a-z$+<=>|~#]+|(?<![0-9a-z])#+")
"""What keeps words apart in folded ASCII text: punctuation, but neither `+` nor `$`, nor the `#` of C#."""

_KEPT = ("L", "M", "N", "Sm", "Sc", "So")
_JOINERS = "\u200c\u200d"
_SELECTORS = range(0xFE00, 0xFE10)


class Statement(NamedTuple):
    """What is said anew: its words, tag and scope. `confirms` says that a person said it, not as a guess of theirs,
    so that a HYPOTHESIS of the same words is confirmed by it. `source` is the message that it comes from, or None."""

    text: str
    tag: Tag
    scope: str | None
    confirms: bool = False
    source: str | None = None


def fold(text: str) -> str:
    """The form in which two statements are the same: NFKC, case, white space and punctuation folded.

    Marks and symbols stay: they tell words of many scripts apart, and C++ from C. Text that is only punctuation
    keeps its characters.
    """
    if text.isascii():
        folded = text.lower()
        words = " ".join(_APART.sub(" ", folded).split())
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        words = " ".join("".join(_parts(folded)).split())
    return words or " ".join(folded.split())


def _parts(folded: str) -> Iterator[str]:
    """The characters that tell statements apart; a space for the others, nothing for what is not to be seen."""
    before = ""
    for character in folded:
        kind = unicodedata.category(character)
        if ord(character) in _SELECTORS or (kind == "Cf" and character not in _JOINERS):
            continue
        kept = character in _JOINERS or kind.startswith(_KEPT) or (character == "#" and before.isalnum())
        yield character if kept else " "
        before = character


def digest(text: str) -> str:
    """Eight hex digits of the folded text: equal statements have equal ones, and few others do."""
    return f"{zlib.crc32(fold(text).encode('utf-8', 'surrogatepass')):08x}"


def text_of(entry: Entry) -> str:
    """What an entry says: its title, or its long form."""
    return join_title(entry.title, entry.body)


def find_duplicate(entries: Iterable[Entry], statement: Statement) -> Entry | None:
    """The entry that says the same as `statement` already, or None.

    First one that was taken from the same source in these words (a retry, whatever became of it since), then a live one
    of the same tag and scope, then a live HYPOTHESIS that the statement confirms.
    """
    wanted, every = fold(statement.text), list(entries)
    scope = composed(statement.scope or "")
    same = [entry for entry in every if composed(entry.scope or "") == scope and fold(text_of(entry)) == wanted]
    for found in (
        (entry for entry in every if statement.source is not None and _is_from(entry, statement.source, wanted)),
        (entry for entry in same if entry.live and entry.tag is statement.tag),
        (entry for entry in same if entry.live and entry.tag is Tag.HYPOTHESIS and statement.confirms),
    ):
        entry = next(found, None)
        if entry is not None:
            return entry
    return None


def _is_from(entry: Entry, source: str, wanted: str) -> bool:
    """Whether the entry was taken from that message in these words, whatever it says by now."""
    quotes = [fold(one.quote) for one in entry.evidence if one.source and one.source.partition(",")[0] == source]
    return bool(quotes) and (wanted in quotes or fold(text_of(entry)) == wanted)


def digests_of(entry: Entry) -> Iterator[str]:
    """The digests under which `find_duplicate` may find the entry: of its words, and of quotes it was taken from."""
    yield digest(text_of(entry))
    yield from (digest(one.quote) for one in entry.evidence if one.source)


def sources(entry: Entry) -> Iterator[str]:
    """The messages that an entry's evidence names: what stands in front of the time behind each quote."""
    return (evidence.source.partition(",")[0] for evidence in entry.evidence if evidence.source)


class Repeated(NamedTuple):
    """A statement that stands twice: `later` says what `kept` says already."""

    kept: Entry
    later: Entry


def find_repeated(entries: Iterable[Entry]) -> list[Repeated]:
    """Live entries that say the same as an earlier live one of their tag, scope and basis; topic notes are left out."""
    first: dict[tuple[Tag, str | None, str, str], Entry] = {}
    found: list[Repeated] = []
    for entry in entries:
        if entry.status is not Status.ACTIVE or entry.tier is Tier.TOPIC:
            continue
        basis = Basis.OBSERVED.value if entry.basis == Basis.OBSERVED else Basis.STATED.value
        kept = first.setdefault((entry.tag, entry.scope, basis, fold(text_of(entry))), entry)
        if kept is not entry:
            found.append(Repeated(kept, entry))
    return found
