"""The normal form in which a forgotten text is known again (DESIGN sections 3.4, 5)."""

from __future__ import annotations

from remember_me.model.lookalikes import plain_capitals, skeleton
from remember_me.policy.duplicates import fold

TELLING_BYTES = 16
OWN_WORDS = 4


def normal_form(text: str) -> str:
    """NFKC and case folded, without what is not to be seen, look-alikes as one letter, white space and punctuation as
    single spaces. A paraphrase has another one."""
    return skeleton(fold(plain_capitals(text)))


def is_telling(text: str) -> bool:
    """Whether a text is long enough to be known by its characters alone. A shorter one is looked for as whole words:
    `Rome` does not stand in `Romeo`."""
    return len(text.strip().encode("utf-8", "surrogateescape")) >= TELLING_BYTES


def is_own(quote: str) -> bool:
    """Whether a quote is more than what everybody says: `yes, please` proves nothing about where it came from."""
    return is_telling(quote) or len(quote.split()) >= OWN_WORDS


def needle(text: str) -> str:
    """A word that stands in every text of the same normal form, as far as that is written plainly: the longest of the
    folded words, to look for before anything is parsed; empty where there is none."""
    return max(fold(text).split(), key=len, default="")
