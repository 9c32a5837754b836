"""What an agent or a script may write by itself, and what waits for a person (DESIGN section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from remember_me.model.entry import Basis, Entry, Signal, Status, Tag
from remember_me.model.revision import AGENT_PREFIX, SCRIPT
from remember_me.model.text import hidden_characters, join_title

UNGROUNDED, ALWAYS, NEVER = "ungrounded", "always", "never"
"""The settings of `review.agent`: which writes of agents wait. Whatever it says, an agent pins, enables and confirms
nothing, and changes nothing of a person's."""

NO_QUOTE = "there is no quote of yours for it"
BY_RULE = frozenset(("promote", "maintain", "ask", "reinforce", "undo", "redo"))
"""Verbs whose effect a rule decides, or that have a check of their own: they may touch a person's entry."""


class Touched(NamedTuple):
    """One entry of an operation, before and after; None is not there. `owner` is the actor who stands behind it."""

    before: Entry | None
    after: Entry | None
    owner: str | None = None


class Asking(NamedTuple):
    """Who asks for an operation. `grounded` says that the user's own words carry what is new in it; else `because` says
    why they do not."""

    verb: str
    actor: str
    review: str = UNGROUNDED
    grounded: bool = False
    because: str = NO_QUOTE


def reviews(actor: str) -> bool:
    """Whether writes of that actor may have to wait."""
    return actor == SCRIPT or actor.startswith(AGENT_PREFIX)


def decide_review(asking: Asking, touched: Sequence[Touched]) -> str | None:
    """Why the operation waits for a person, as half a sentence; None where it takes effect."""
    if asking.actor == SCRIPT:
        return "a script wrote it" if touched else None
    if not asking.actor.startswith(AGENT_PREFIX):
        return None
    found = (_new(asking, one.after) if one.before is None else _changed(asking, one) for one in touched)
    return next((reason for reason in found if reason is not None), None)


def _new(asking: Asking, entry: Entry | None) -> str | None:
    if entry is None:
        return None
    if asking.review == ALWAYS:
        return "everything of an agent waits here"
    if entry.pinned:
        return "only you pin an entry"
    if entry.validated:
        return "only you confirm an entry"
    if hidden_characters(join_title(entry.title, entry.body)):
        return "it holds characters that are not to be seen"
    if asking.review == NEVER:
        return None
    if entry.tag is Tag.HYPOTHESIS:
        return "it is a guess"
    if entry.basis == Basis.OBSERVED:
        return "it was observed, not said"
    return None if asking.grounded else asking.because


def _changed(asking: Asking, one: Touched) -> str | None:
    before, after = one.before, one.after
    assert before is not None
    if after is not None:
        for is_so, reason in (
            (after.pinned and not before.pinned, "only you pin an entry"),
            (before.status is Status.DISABLED and after.live, "only you enable an entry"),
            (after.validated and not before.validated, "only you confirm an entry"),
            (after.tag is not before.tag, "only you make another tag of an entry"),
        ):
            if is_so:
                return reason
    if asking.verb in BY_RULE:
        return None
    if asking.review == ALWAYS:
        return "everything of an agent waits here"
    protected = _protected(asking, one)
    if protected is not None:
        return protected
    if after is not None and (after.title, after.body) != (before.title, before.body):
        if hidden_characters(join_title(after.title, after.body)):
            return "it holds characters that are not to be seen"
        return None if asking.grounded or asking.review == NEVER else asking.because
    return None


def _protected(asking: Asking, one: Touched) -> str | None:
    """Why an agent does not change that entry by itself."""
    assert one.before is not None
    if one.before.signal == Signal.BOUNDARY:
        return "the entry is a boundary"
    if one.before.pinned:
        return "the entry is pinned"
    if one.before.impact == 3:
        return "the entry has impact 3"
    return None if one.owner == asking.actor else "the entry is not the agent's own"
