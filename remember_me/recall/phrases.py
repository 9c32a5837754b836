"""What a prompt may bring an entry to mind by: the phrases of its aliases and of a short title, and its words.

Pure, and loaded by a hook: see `trigger_words`.
"""

from __future__ import annotations

from remember_me.recall.trigger_words import (
    COMMON,
    COMMON_TERMS,
    STOP,
    content_term,
    forgives_slip,
    plain_words,
    term_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME_WORDS = 5
"""A title of at most so many content words is a phrase."""

_LONGEST = 64
"""Characters of a term that count."""
_MARK = "\u00b6"
_AS_LETTERS = str.maketrans("=+#", "\u00b6\u00ac\u00a4")

Terms = tuple[str, ...]


class Said:
    """What the cache keeps of one entry for the trigger match.

    `terms`: of title, description and phrases. `phrases`: the terms of each in their order. `words`: those of
    phrases that forgive a slip.
    """

    __slots__ = ("phrases", "terms", "words")

    def __init__(self, title: str, description: str, aliases: str) -> None:
        spelled = plain_words(title)
        self.terms = set(map(content_term, spelled))
        if description:
            self.terms.update(map(content_term, plain_words(description)))
        self.terms.discard("")
        self.phrases: dict[Terms, None] = {}
        self.words: set[str] = set()
        for phrase in phrases_of(aliases, spelled):
            stems = tuple(map(term_of, phrase))
            self.phrases[stems] = None
            self.terms.update(stems)
            self.words.update(filter(forgives_slip, phrase))


def aliases_of(written: str) -> list[str]:
    """The aliases of a field: with commas between them, perhaps as a list in front matter has them."""
    return [alias for part in written.split(",") if (alias := part.strip(" \t\"'[]"))]


def phrases_of(aliases: str, title: Sequence[str]) -> Iterator[Terms]:
    """The folded words of each phrase of an entry whose title has these words; an acronym has `=` before it."""
    found: dict[Terms, None] = {}
    for alias in aliases_of(aliases) if aliases else ():
        found.update(dict.fromkeys(_alias_phrases(alias)))
    name = tuple(filter(content_term, title))
    if 0 < len(name) <= NAME_WORDS and _is_name(name):
        found[name] = None
    return iter(found)


def _is_name(words: Terms) -> bool:
    """Whether the content words of a short title call an entry to mind; common ones alone do not."""
    return not COMMON.issuperset(words) and (len(words) > 1 or len(words[0]) > 2)


def _alias_phrases(alias: str) -> Iterator[Terms]:
    every = plain_words(alias)
    kept = tuple(filter(content_term, every))
    if len(kept) == 1 < len(every):
        yield tuple(every)  # "on call" is more than "call"
    elif kept:
        yield kept
    elif len(every) == 1 and alias.isupper() and len(alias) > 1:
        yield (f"={alias}",)  # "IT"
    if len(every) == 2 and all(len(word) > 1 for word in every):
        yield (every[0] + every[1],)
    if len(every) >= 3 and len(every) == len(kept):
        yield ("=" + "".join(word[0] for word in every).upper(),)


# As the cache has them


def token_of(term: str) -> str:
    """A term as a word of the full-text table, apart from the words of the search."""
    return _MARK + term[:_LONGEST].translate(_AS_LETTERS).lower()


def filed_as(stems: Terms) -> str:
    """A phrase as one text that begins with its most telling term: `redis`, or `redis 0 cach` (the 0 is its place)."""
    if len(stems) == 1:
        return stems[0]
    place = max(range(len(stems)), key=lambda at: (_tells(stems[at]), -at))
    return " ".join((stems[place], str(place), *stems[:place], *stems[place + 1 :]))


def _tells(stem: str) -> tuple[bool, bool, int]:
    return stem not in STOP, stem not in COMMON_TERMS, len(stem)


def read_filed(text: str) -> Terms:
    """The inverse of `filed_as`."""
    first, _, rest = text.partition(" ")
    if not rest:
        return (first,)
    place, *others = rest.split(" ")
    return (*others[: int(place)], first, *others[int(place) :])
