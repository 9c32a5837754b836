"""What the write gateway lets through: no secret on any path, no exclusion that nobody overruled (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from remember_me.errors import Refused
from remember_me.model.change import Add, Change, Correct, Demote, Revise, Revised, SetFields
from remember_me.model.revision import AGENT_PREFIX
from remember_me.model.text import join_title
from remember_me.policy.exclusions import Exclusion, find_exclusion
from remember_me.policy.secrets import find_secrets
from remember_me.policy.tagging import check_basis

SECRET_RULE = "secret"
_NAMING = ("links", "supersedes")
"""Fields of ids: one that ends in `pw` is no label of what stands on the next line."""


class Excluded(Refused):
    """A statement of a kind that is not stored unless a person wants it all the same."""

    def __init__(self, exclusion: Exclusion) -> None:
        self.exclusion = exclusion
        super().__init__(
            exclusion.rule,
            f"This looks like {exclusion.what}, which is not kept.",
            hint=f"{exclusion.instead} A person may add --anyway.",
        )


def check(changes: Sequence[Change], *, actor: str, anyway: bool) -> None:
    """Raise Refused for the first change that no rule lets through. An agent cannot overrule a rule."""
    overruled = anyway and not actor.startswith(AGENT_PREFIX)
    for change in changes:
        for text in _texts(change):
            refuse_secrets(text)
        if isinstance(change, Add):
            check_basis(change.tag, dict(change.fields).get("basis"))
        if isinstance(change, (Add, Correct)) and not overruled:
            refuse_exclusions(change)


def refuse_secrets(text: str) -> None:
    """Raise Refused where `text` holds a secret; it names the rule and the line, never the secret."""
    found = find_secrets(text)
    if found:
        raise Refused(
            SECRET_RULE,
            f"The text holds what looks like a secret ({found[0].rule}, line {found[0].line}), which is never stored.",
            hint="Take it out and say where it is kept instead, for example in a password manager.",
        )


def refuse_exclusions(change: Add | Correct) -> None:
    """Raise Excluded where the words fall under a rule of what is never stored."""
    exclusion = find_exclusion(join_title(change.title, change.body))
    if exclusion is not None:
        raise Excluded(exclusion)


def check_revised(revised: Revised) -> None:
    """The same for what a rule decided under the lock."""
    for _, value in (*revised.values, *revised.added):
        if value is not None:
            refuse_secrets(value)


def _texts(change: Change) -> Iterator[str]:
    """Every text that the change brings into a note."""
    match change:
        case Add():
            yield join_title(change.title, change.body if change.document is None else change.document)
            yield "\n".join(value for key, value in change.fields if key not in _NAMING)
            yield from (value for key, value in change.fields if key in _NAMING)
        case Correct():
            yield join_title(change.title, change.body)
        case SetFields():
            yield "\n".join(value for _, value in change.values if value is not None)
        case Demote():
            yield change.reason
        case Revise():
            return  # its values are checked when the rule has decided
        case _:
            return  # texts that stand in the notes or in their history already
