"""Guess tag and signal from the words, where none was given. A guess is shown and can be corrected at once."""

from __future__ import annotations

import re
from typing import NamedTuple

from remember_me.model.entry import Signal, Tag


class Suggestion(NamedTuple):
    """`signal` is None where the words do not show one."""

    tag: Tag
    signal: Signal | None


_BOUNDARY = re.compile(
    r"\b(?:never|do(?:n't| not| n’t)|don’t|must not|mustn[’']t|no more|stop|off limits|keep (?:it |this )?private)\b",
    re.IGNORECASE,
)
_GOAL = re.compile(
    r"\b(?:(?:wants?|plans?|hopes?|aims?|intends?|going|would like) to|goal|deadline|due (?:on|by)|until (?:the )?\d"
    r"|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|by (?:the end of|next)"
    r"|release .{0,80}? before|ship .{0,80}? (?:by|before))\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\b(?:prefers?|likes?|dislikes?|hates?|loves?|rather|always|please|favou?rs?|instead of|avoid"
    r"|reply in|replies in|answers? in)\b",
    re.IGNORECASE,
)
_BLOCKER = re.compile(
    r"\b(?:keeps? (?:failing|breaking|losing)|blocked|blocks|breaks? (?:after|when)|every update)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"\b(?:allergic|lives in|works? (?:as|at|for)|for a living|born|married|partner|family|name is)\b",
    re.IGNORECASE,
)
_PROJECT = re.compile(r"\b(?:repository|codebase|maintains?|project|pull request|release)\b", re.IGNORECASE)
_HEDGE = re.compile(r"\b(?:maybe|perhaps|probably|seems? to|might|i think|i guess|likely)\b", re.IGNORECASE)


def suggest(text: str) -> Suggestion:
    """The tag and signal that the words of a person suggest; FACT where nothing does."""
    if _HEDGE.search(text):
        return Suggestion(Tag.HYPOTHESIS, None)
    if _BOUNDARY.search(text):
        return Suggestion(Tag.PREFERENCE, Signal.BOUNDARY)
    if _GOAL.search(text):
        return Suggestion(Tag.GOAL, Signal.GOAL)
    if _PREFERENCE.search(text):
        return Suggestion(Tag.PREFERENCE, Signal.PREFERENCE)
    for pattern, signal in (
        (_BLOCKER, Signal.BLOCKER),
        (_PERSONAL, Signal.PERSONAL),
        (_PROJECT, Signal.PROJECT),
    ):
        if pattern.search(text):
            return Suggestion(Tag.FACT, signal)
    return Suggestion(Tag.FACT, None)
