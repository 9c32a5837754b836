"""The profile: entries with a facet say how to answer this user (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from remember_me.model.entry import Basis, Entry, Facet, Tag

STATED, OBSERVED, HYPOTHESIS, UNKNOWN = "stated", "observed", "hypothesis", "unknown"


class FacetRow(NamedTuple):
    """One facet: what is known of it, best known first, and how well: stated, observed, hypothesis or unknown."""

    facet: Facet
    known: str
    entries: tuple[Entry, ...]


def profile(entries: Iterable[Entry]) -> list[FacetRow]:
    """All facets in their order, also those of which nothing is known."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.live and entry.field("facet"):
            found.setdefault(entry.field("facet") or "", []).append(entry)
    return [_row(facet, found.get(facet, [])) for facet in Facet]


def _row(facet: Facet, entries: list[Entry]) -> FacetRow:
    ordered = sorted(entries, key=lambda entry: (_RANK[known(entry)], -entry.impact, entry.id))
    return FacetRow(facet, known(ordered[0]) if ordered else UNKNOWN, tuple(ordered))


_RANK = {STATED: 0, OBSERVED: 1, HYPOTHESIS: 2}


def known(entry: Entry) -> str:
    """How well an entry is known: what the person confirmed counts as stated."""
    if entry.validated:
        return STATED
    if entry.tag is Tag.HYPOTHESIS:
        return HYPOTHESIS
    return OBSERVED if entry.basis == Basis.OBSERVED else STATED
