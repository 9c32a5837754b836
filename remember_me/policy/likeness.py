"""The normal form in which a forgotten text is known again (DESIGN sections 3.4, 5)."""

from __future__ import annotations

from remember_me.model.lookalikes import plain_capitals, skeleton
from remember_me.policy.duplicates import fold


def normal_form(text: str) -> str:
    """NFKC and case folded, without what is not to be seen, look-alikes as one letter, white space and punctuation as
    single spaces. A paraphrase has another one."""
    return skeleton(fold(plain_capitals(text)))


def needle(text: str) -> str:
    """A word that stands in every text of the same normal form, as far as that is written plainly: the longest of the
    folded words, to look for before anything is parsed; empty where there is none."""
    return max(fold(text).split(), key=len, default="")
