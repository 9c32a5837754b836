"""What the gateway lets through: each kind of change is looked at, and by the words that it stands for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from remember_me.errors import Refused
from remember_me.model.change import Add, Change, Correct, Demote, Merge, Promote, Revise, Revised, SetFields
from remember_me.model.entry import Tag
from remember_me.model.revision import PERSON, agent
from remember_me.model.text import split_title
from remember_me.store.gate import Excluded, check, check_revised
from tests.secret_samples import tail

TOKEN = "ghp_" + tail(36)
AT = datetime(2026, 11, 29, 14, 32, tzinfo=UTC)


def add(text: str, *fields: tuple[str, str], tag: Tag = Tag.FACT, document: str | None = None) -> Add:
    title, body = split_title(text)
    return Add("k7m2pq", tag, title, body, fields, AT, document=document)


def secret() -> str:
    return f"The deploy token is {TOKEN}"


@pytest.mark.parametrize(
    "change",
    [
        lambda: add(secret()),
        lambda: add(f"A long form\n\n{secret()}"),
        lambda: add("x", ("description", secret())),
        lambda: add("x", ("evidence", f'"{secret()}"')),
        lambda: add("x", ("supersedes", secret())),
        lambda: add("x", ("links", f"k7m2pq, {TOKEN}")),
        lambda: add("x", document=f"# x\n\n{secret()}\n"),
        lambda: Correct("k7m2pq", secret(), "", "k7m2pr"),
        lambda: Correct("k7m2pq", "x", f"x\n{secret()}", "k7m2pr"),
        lambda: SetFields("k7m2pq", (("reason", secret()),), "k7m2pr"),
        lambda: Demote("k7m2pq", secret(), AT, "k7m2pr"),
    ],
)
@pytest.mark.parametrize("anyway", [False, True])
def test_no_secret_passes_and_none_is_repeated(change, anyway: bool) -> None:
    with pytest.raises(Refused) as refused:
        check([add("An ordinary statement"), change()], actor=PERSON, anyway=anyway)
    assert refused.value.rule == "secret"
    assert refused.value.exit_code == 4
    assert TOKEN not in f"{refused.value}{refused.value.hint}"


def test_an_id_is_no_label_of_the_field_behind_it() -> None:
    fields = (("links", "a1b2pw"), ("supersedes", "jv34pw"), ("evidence", '"I repair numbat clocks" — s1, 2026-11-29'))
    check([add("Repairs numbat clocks", *fields)], actor=agent("x"), anyway=False)


def test_a_rules_own_fields_are_looked_at_when_it_has_decided() -> None:
    check([Revise("k7m2pq", lambda entry: Revised(), "k7m2pr")], actor=PERSON, anyway=False)
    with pytest.raises(Refused, match="secret"):
        check_revised(Revised((("reason", secret()),)))
    with pytest.raises(Refused, match="secret"):
        check_revised(Revised(added=(("evidence", secret()),)))
    check_revised(Revised((("reason", None), ("status", "stale"))))


@pytest.mark.parametrize("change", [add("Is tired today"), Correct("k7m2pq", "Is tired today", "", "k7m2pr")])
def test_a_person_overrules_an_exclusion_and_an_agent_cannot(change: Change) -> None:
    for actor, anyway in ((PERSON, False), (agent("codex"), False), (agent("codex"), True)):
        with pytest.raises(Excluded, match="transient-emotion"):
            check([change], actor=actor, anyway=anyway)
    check([change], actor=PERSON, anyway=True)


def test_an_exclusion_is_looked_for_in_the_words_once() -> None:
    """The title of a long form is its first line: read twice, two labels would look like two who take turns."""
    check([add("  - evidence: no field\n  - pinned: true")], actor=PERSON, anyway=False)


@pytest.mark.parametrize(
    ("tag", "basis", "rule"),
    [
        (Tag.FACT, "inferred", "fact-stated"),
        (Tag.FACT, "observed", "fact-stated"),
        (Tag.PREFERENCE, "inferred", "preference-basis"),
        (Tag.HYPOTHESIS, "stated", "hypothesis-inferred"),
    ],
)
def test_a_tag_and_a_basis_that_do_not_go_together(tag: Tag, basis: str, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        check([add("x", ("basis", basis), tag=tag)], actor=PERSON, anyway=True)
    assert refused.value.rule == rule


def test_what_stands_in_the_notes_already_is_no_new_text() -> None:
    token = secret().encode()
    check([Merge("MEMORY.md", None, token), Promote((("k7m2pq", "k7m2pr"),))], actor=PERSON, anyway=False)
