"""Decay: how much a hypothesis still counts, as a pure function of time (DESIGN section 4).

The stored level never changes by time; the effective one is computed when it is read, so decay makes no
file churn and running it twice changes nothing.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple

from remember_me.model.entry import Confidence, Entry, Tag
from remember_me.policy.limits import Limits


class Decayed(NamedTuple):
    """How a hypothesis reads at one moment.

    `age_days` is None where no date is known: such an entry never decays. `reasons` say why it is `due`
    for discard; they are empty where it is not.
    """

    stored: Confidence
    effective: Confidence
    age_days: int | None
    due: bool
    reasons: tuple[str, ...]


def decide_decay(entry: Entry, now: datetime, limits: Limits, *, later_sessions: int = 0) -> Decayed | None:
    """How `entry` reads at `now` (aware); None for any tag but HYPOTHESIS.

    `later_sessions` are the sessions since its creation that count (at most one a UTC day and scope).
    A confirmed hypothesis is high and does not decay; one that is no longer live is not due again.
    """
    if entry.tag is not Tag.HYPOTHESIS:
        return None
    stored = Confidence(entry.confidence or Confidence.LOW)
    if entry.validated:
        return Decayed(stored, Confidence.HIGH, age_days(entry, now), False, ())
    age = age_days(entry, now)
    effective = _faded(stored, age or 0, limits)
    reasons: list[str] = []
    if age is not None and age >= limits.discard_days:
        reasons.append(f"{age} days without reinforcement")
    if later_sessions >= limits.unvalidated_sessions:
        reasons.append(f"{later_sessions} later sessions without validation")
    if not entry.live:
        reasons = []
    return Decayed(stored, effective, age, bool(reasons), tuple(reasons))


def effective_confidence(entry: Entry, now: datetime, limits: Limits) -> str | None:
    """How sure a HYPOTHESIS reads at `now` (aware); None for the other tags."""
    decayed = decide_decay(entry, now, limits)
    return None if decayed is None else decayed.effective.value


def age_days(entry: Entry, now: datetime) -> int | None:
    """Whole days in UTC dates from the last reinforcement, else the creation, to `now`; never negative.

    None where the entry has no readable date: nothing is discarded on the strength of a date that is not known.
    """
    began = last_seen_on(entry)
    return None if began is None else max(0, (utc_date(now) - began).days)


def last_seen_on(entry: Entry) -> date | None:
    """The UTC date of the last reinforcement or, without one, of the creation."""
    reinforced = entry.reinforced[0]
    created = created_on_utc(entry)
    if reinforced is not None and created is not None:
        return max(reinforced, created)
    return reinforced or created


def created_on_utc(entry: Entry) -> date | None:
    """The UTC date of the creation: `since` where it is written, else the stamp; a naive one counts as it stands."""
    at = entry.created_at
    if at is None or entry.date_field("since") is not None:
        return entry.created_on
    return utc_date(at)


def utc_date(at: datetime) -> date:
    """The UTC date of a moment; that of a naive one as it is written, as on the first and the last day there is."""
    try:
        return at.astimezone(UTC).date() if at.tzinfo is not None else at.date()
    except OverflowError:
        return at.date()


def raised(level: Confidence) -> Confidence:
    """One level above: what a reinforcement in another session makes of the effective level."""
    return Confidence.MEDIUM if level is Confidence.LOW else Confidence.HIGH


def _faded(stored: Confidence, age: int, limits: Limits) -> Confidence:
    """high fades to medium and then to low, medium to low; low stays low."""
    if stored is Confidence.LOW or age >= limits.fade_medium_days:
        return Confidence.LOW
    if stored is Confidence.HIGH and age < limits.fade_high_days:
        return Confidence.HIGH
    return Confidence.MEDIUM
