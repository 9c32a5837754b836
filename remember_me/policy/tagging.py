"""Which tag goes with which basis: FACT is never inferred, a HYPOTHESIS is nothing else (DESIGN section 4, Tags)."""

from __future__ import annotations

from remember_me.errors import Refused
from remember_me.model.entry import Basis, Tag

_ALLOWED = {
    Tag.FACT: (Basis.STATED,),
    Tag.PREFERENCE: (Basis.STATED, Basis.OBSERVED),
    Tag.GOAL: (Basis.STATED, Basis.OBSERVED),
    Tag.HYPOTHESIS: (Basis.INFERRED,),
}
_RULE = {
    Tag.FACT: ("fact-stated", "A FACT is what the user said; it is never observed or inferred."),
    Tag.PREFERENCE: ("preference-basis", "A PREFERENCE is stated or observed, never inferred."),
    Tag.GOAL: ("goal-basis", "A GOAL is stated or observed, never inferred."),
    Tag.HYPOTHESIS: ("hypothesis-inferred", "A HYPOTHESIS is a guess; what the user stated is a FACT or a PREFERENCE."),
}


def check_basis(tag: Tag, basis: str | None) -> None:
    """Raise Refused where an entry of `tag` cannot have that basis; None is the tag's default."""
    if basis is not None and basis not in _ALLOWED[tag]:
        rule, sentence = _RULE[tag]
        other = "a HYPOTHESIS" if tag is not Tag.HYPOTHESIS else "another tag"
        raise Refused(rule, sentence, hint=f"Save it as {other}, or give the basis {_ALLOWED[tag][0]}.")
