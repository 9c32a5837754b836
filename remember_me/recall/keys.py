"""What the numbers in the cache mean: the bits of a key, and of what has a fixed set of values. Imports nothing.

A key says where an entry stands: `ended | scope | group | order`, and the rowid in the full-text table is the key, one
bit that says that the entry ends in a question mark, and its length in terms. So neighbours are `key + 1` and
`key - 1`, a day is arithmetic, and a scope or a span of days is one range of keys.
"""

from __future__ import annotations

PASSAGE_SCOPE = 1
"""The number of the scope that passages of prose have: they belong to no project, and are apart from entries."""

GROUP_BITS, ORDER_BITS, ASKED_BITS, LENGTH_BITS = 22, 16, 1, 5
SCOPE_BITS = 14
LOW_BITS = ASKED_BITS + LENGTH_BITS
ENDED = 1 << (SCOPE_BITS + GROUP_BITS + ORDER_BITS)
"""The bit of a key that says that the entry is not live: all of them stand behind all live ones."""
UNDATED = 3_700_000
"""Groups from here on are notes without a date: none is a day."""
LAST_SCOPE = (1 << SCOPE_BITS) - 1
LAST_GROUP = (1 << GROUP_BITS) - 1
FIRST_ORDER = 4
"""Between two groups there is always room for what a match gives to its neighbours."""
LAST_ORDER = (1 << ORDER_BITS) - 5

TAGS = ("", "FACT", "PREFERENCE", "GOAL", "HYPOTHESIS")
STATUSES = ("active", "disabled", "stale", "discarded", "promoted", "superseded")
CHOICES: dict[str, tuple[int, tuple[str | None, ...]]] = {
    "tag": (0, TAGS),
    "status": (3, STATUSES),
    "signal": (6, (None, "preference", "boundary", "goal", "project", "blocker", "personal")),
    "basis": (9, (None, "stated", "observed", "inferred")),
    "confidence": (11, (None, "high", "medium", "low")),
    "facet": (13, (None, "tone", "brevity", "workflow", "constraint", "decision-style")),
}
"""What a row holds in its one number `kind`: the first bit of each, and the words that its values stand for."""
IMPACT_BIT, PINNED_BIT, VALIDATED_BIT, FLAGS_BIT = 16, 18, 19, 20
"""The further ones in it; the last four bits are `terms.Traits.flags`."""


def mark_of(value: str) -> str:
    """The word of the full-text table that every entry of this tag or, where it is not live, status has: no term of a
    text is like it."""
    return f"\u00a7{value.lower()}"
