"""A piece of a text around what was searched, with the matched words marked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from remember_me.recall.terms import BREAKS, fold, pattern, stem, words

WIDTH = 160
"""Characters of a snippet, but for the ellipses."""

_LOOKED_AT = 20_000
_BEFORE = 40
_WORD = "(?:[^\\W_]|[\u0300-\u036f])+(?:['\u2019](?:[^\\W_]|[\u0300-\u036f])+)*"
_LINES = str.maketrans("\n\r\t", "   ")

Spans = tuple[tuple[int, int], ...]


def snippet(pieces: Sequence[str], terms: Sequence[str]) -> tuple[str, Spans]:
    """(at most about `WIDTH` characters of the pieces, the spans of the words in it that are one of `terms`)."""
    text = "\n".join(pieces)[:_LOOKED_AT].translate(_LINES)
    found = _matches(text, frozenset(terms))
    if len(text) <= WIDTH:
        return text, tuple((start, end) for start, end, _ in found)
    begin, end = _window(text, found)
    shown = ("…" if begin else "") + text[begin:end] + ("…" if end < len(text) else "")
    shift = begin - (1 if begin else 0)
    return shown, tuple((one - shift, other - shift) for one, other, _ in found if begin <= one and other <= end)


def _matches(text: str, terms: frozenset[str]) -> list[tuple[int, int, str]]:
    """(start, end, term) of each word of the text that is one of the terms."""
    if text.isascii():
        return sorted(_ascii_matches(text, terms))
    found: list[tuple[int, int, str]] = []
    pairs = [term for term in terms if not term.isascii()]
    for match in pattern(_WORD).finditer(text):
        term = _term(match[0])
        if term in terms:
            found.append((*match.span(), term))
        elif not term and pairs:
            found += _inside(fold(match[0]), *match.span(), pairs)
    return found


def _ascii_matches(text: str, terms: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """The same, faster: the different words first, and then where those stand that match."""
    for word in {word.strip("'") for word in text.translate(BREAKS).split()}:
        term = _term(word)
        if term not in terms:
            continue
        for start in _all(text, word):
            end = start + len(word)
            if not (_goes_on(text, start - 1, -1) or _goes_on(text, end, 1)):
                yield start, end, term


def _goes_on(text: str, at: int, step: int) -> bool:
    """Whether a word goes on at that place, in that direction."""
    if not 0 <= at < len(text):
        return False
    if text[at] == "'":
        at += step
        return 0 <= at < len(text) and text[at].isalnum()
    return text[at].isalnum()


@lru_cache(maxsize=16384)
def _term(word: str) -> str:
    """The term of a word of a text; empty for one that is several."""
    plain = words(fold(word))
    return stem(plain[0]) if len(plain) == 1 else ""


def _inside(word: str, start: int, end: int, terms: Sequence[str]) -> list[tuple[int, int, str]]:
    """Where terms stand in a run of CJK characters; overlapping ones are one span."""
    hits = sorted((at, at + len(term), term) for term in terms for at in _all(word, term))
    if hits and len(word) != end - start:
        return [(start, end, hits[0][2])]
    merged: list[tuple[int, int, str]] = []
    for low, high, term in hits:
        if merged and low + start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high + start), merged[-1][2])
        else:
            merged.append((low + start, high + start, term))
    return merged


def _all(text: str, part: str) -> list[int]:
    places: list[int] = []
    at = text.find(part)
    while at >= 0:
        places.append(at)
        at = text.find(part, at + 1)
    return places


def _window(text: str, found: Sequence[tuple[int, int, str]]) -> tuple[int, int]:
    """The span of the text with the most different terms, the first of these, cut between words."""
    best, most = 0, 0
    for index, (start, _, _) in enumerate(found):
        begin = max(0, start - _BEFORE)
        inside = {term for _, end, term in found[index : index + WIDTH // 2] if end <= begin + WIDTH}
        if len(inside) > most:
            best, most = begin, len(inside)
    begin = best
    if begin:
        gap = text.find(" ", begin, begin + _BEFORE)
        begin = gap + 1 if gap >= 0 else begin
    end = min(len(text), begin + WIDTH)
    if end < len(text):
        gap = text.rfind(" ", begin + WIDTH // 2, end)
        end = gap if gap > 0 and not any(one < gap < other for one, other, _ in found) else end
    return begin, end
