"""Tombstones: what stays of a forgotten or rejected entry, one line each, without its text (DESIGN section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, unquote

FORGOTTEN, REJECTED, ALLOWED = "forgotten", "rejected", "allowed"
"""Kinds of tombstones. `allowed` lifts the fence of a text for the entry of its id: a person stated it anew."""

_HASH, _SOURCE = "hmac-sha256:", "src:"
_UNRESERVED = "/:@+-._~"

HEADING = """\
# Forgotten

What was forgotten or rejected here, without its text: when, which entry, and a keyed hash by which the same text is
known again and not taken in anew. The key is in no copy of this file. Please leave the lines as they are.

"""


class Tombstone(NamedTuple):
    """One line. `at` is UTC as `2026-11-29T14:40:00Z`; `digests` are keyed hashes of normal forms; `sources` name the
    messages that the text came from."""

    at: str
    id: str
    kind: str
    digests: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def parse_tombstones(text: str) -> list[Tombstone]:
    """The tombstones of the file, in its order; other lines are a person's and mean nothing."""
    found: list[Tombstone] = []
    for line in text.split("\n"):
        words = line.split()
        if len(words) < 4 or words[0] != "-" or words[3] not in (FORGOTTEN, REJECTED, ALLOWED):
            continue
        digests = tuple(word.removeprefix(_HASH) for word in words[4:] if word.startswith(_HASH))
        origins = tuple(unquote(word.removeprefix(_SOURCE)) for word in words[4:] if word.startswith(_SOURCE))
        found.append(Tombstone(words[1], words[2].removeprefix("^"), words[3], digests, origins))
    return found


def render_tombstone(tombstone: Tombstone) -> str:
    """The line of a tombstone, without a line end."""
    words = ["-", tombstone.at, f"^{tombstone.id}", tombstone.kind]
    words += [f"{_HASH}{digest}" for digest in tombstone.digests]
    words += [f"{_SOURCE}{quote(source, safe=_UNRESERVED)}" for source in tombstone.sources]
    return " ".join(words)


def with_lines(text: str, lines: Iterable[str]) -> str:
    """The text of the file with more rendered tombstones at its end, which is where the latest belong."""
    text = text or HEADING
    newline = "\r\n" if "\r\n" in text else "\n"
    if not text.endswith("\n"):
        text += newline
    return text + "".join(f"{line}{newline}" for line in lines)
