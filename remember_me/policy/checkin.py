"""Check-ins: at most one light question, about the hypothesis that matters most, and never twice (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import datetime
from typing import NamedTuple

from remember_me.model.entry import Confidence, Entry, Tag
from remember_me.policy.confirm import is_soft
from remember_me.policy.decay import decide_decay
from remember_me.policy.limits import Limits
from remember_me.policy.tiers import is_expired

_WEIGHT = {Confidence.HIGH: 2, Confidence.MEDIUM: 1, Confidence.LOW: 0}


class Question(NamedTuple):
    """What to ask, and about which entry."""

    entry: Entry
    words: str


def choose_questions(
    entries: Iterable[Entry], now: datetime, limits: Limits, *, asked: Container[str]
) -> list[Question]:
    """What could be asked, the question that matters most first.

    An entry that was asked about once, by its field or by `asked` (ids), never comes again. Hypotheses come first,
    by impact, effective confidence and age; then an observed preference that keeps coming back.
    """
    open_ones = [
        entry
        for entry in entries
        if entry.live and not was_asked(entry) and entry.id not in asked and not is_expired(entry, now)
    ]
    guesses = [entry for entry in open_ones if entry.tag is Tag.HYPOTHESIS and not entry.validated]
    coming_back = [
        entry
        for entry in open_ones
        if is_soft(entry) and not entry.validated and entry.reinforced[1] >= limits.promote_sessions
    ]
    guesses.sort(key=lambda entry: _order(entry, now, limits))
    coming_back.sort(key=lambda entry: (-entry.impact, -entry.reinforced[1], entry.note, entry.line))
    return [Question(entry, words_for(entry)) for entry in (*guesses, *coming_back)]


def was_asked(entry: Entry) -> bool:
    """Whether a check-in asked about the entry already, whatever the answer was."""
    return entry.field("asked") is not None


def _order(entry: Entry, now: datetime, limits: Limits) -> tuple[int, int, int, str, int]:
    """What matters most comes first: impact, then how sure it reads, then age."""
    decayed = decide_decay(entry, now, limits)
    assert decayed is not None
    return -entry.impact, -_WEIGHT[decayed.effective], -(decayed.age_days or 0), entry.note, entry.line


def words_for(entry: Entry) -> str:
    """The question in the entry's own words where it has a probe, else by a template of the skill's kind."""
    probe = entry.field("probe")
    if probe:
        return probe
    statement = entry.title.rstrip(" .")
    if entry.tag is Tag.HYPOTHESIS:
        return f"I might be wrong, but: “{statement}”. Is that so?"
    return f"“{statement}”: want me to remember this for next time?"
