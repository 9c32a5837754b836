"""Which tag goes with which basis."""

from __future__ import annotations

import pytest

from remember_me.errors import Refused
from remember_me.model.entry import Basis, Tag
from remember_me.policy.tagging import check_basis

REFUSED = {
    Tag.FACT: (
        "fact-stated",
        "A FACT is what the user said; it is never observed or inferred [fact-stated].",
        "Save it as a HYPOTHESIS, or give the basis stated.",
    ),
    Tag.PREFERENCE: (
        "preference-basis",
        "A PREFERENCE is stated or observed, never inferred [preference-basis].",
        "Save it as a HYPOTHESIS, or give the basis stated.",
    ),
    Tag.GOAL: (
        "goal-basis",
        "A GOAL is stated or observed, never inferred [goal-basis].",
        "Save it as a HYPOTHESIS, or give the basis stated.",
    ),
    Tag.HYPOTHESIS: (
        "hypothesis-inferred",
        "A HYPOTHESIS is a guess; what the user stated is a FACT or a PREFERENCE [hypothesis-inferred].",
        "Save it as another tag, or give the basis inferred.",
    ),
}


@pytest.mark.parametrize(
    ("tag", "allowed"),
    [
        (Tag.FACT, {"stated"}),
        (Tag.PREFERENCE, {"stated", "observed"}),
        (Tag.GOAL, {"stated", "observed"}),
        (Tag.HYPOTHESIS, {"inferred"}),
    ],
)
@pytest.mark.parametrize("basis", [*(basis.value for basis in Basis), "gossip", "", "Stated"])
def test_each_tag_with_each_basis(tag: Tag, allowed: set[str], basis: str) -> None:
    if basis in allowed:
        check_basis(tag, basis)
        check_basis(tag, Basis(basis))
        return
    with pytest.raises(Refused) as refused:
        check_basis(tag, basis)
    assert (refused.value.rule, str(refused.value), refused.value.hint) == REFUSED[tag]
    assert (refused.value.exit_code, refused.value.details) == (4, {"rule": REFUSED[tag][0]})


@pytest.mark.parametrize("tag", list(Tag))
def test_without_a_basis_a_tag_has_its_default(tag: Tag) -> None:
    check_basis(tag, None)
