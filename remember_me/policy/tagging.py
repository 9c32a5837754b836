"""What a new entry may be: which tag goes with which basis, and what is long-term at once (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from remember_me.errors import Refused
from remember_me.model.entry import Basis, Tag, parse_date
from remember_me.policy.decay import utc_date

OUTCOME_CRITICAL = 3
"""The impact that is promoted at once, in the operation that captures it."""

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


def is_promoted_at_once(tag: Tag, fields: Iterable[tuple[str, str]], now: datetime) -> bool:
    """Whether a new entry goes into the long-term note in the operation that captures it."""
    values = dict(fields)
    expires = parse_date(values.get("expires", ""))
    critical = values.get("impact") == str(OUTCOME_CRITICAL) and tag is not Tag.HYPOTHESIS
    return critical and (expires is None or expires >= utc_date(now))
