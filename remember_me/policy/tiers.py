"""Promotion and demotion: which entry belongs in the long-term note, and why or why not (DESIGN section 4)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from remember_me.model.entry import Basis, Entry, Signal, Tag, Tier
from remember_me.policy.decay import utc_date
from remember_me.policy.duplicates import text_of
from remember_me.policy.limits import Limits
from remember_me.policy.secrets import find_secrets
from remember_me.policy.tagging import OUTCOME_CRITICAL


class DemoteReason(StrEnum):
    """Why an entry leaves the long-term note."""

    CONTRADICTED = "contradicted"
    ABANDONED = "abandoned"
    REPLACED = "replaced"
    EXPIRED = "expired"


class Promotion(NamedTuple):
    """Whether an entry is due for the long-term note. `reasons` speak for it, `obstacles` forbid it."""

    due: bool
    reasons: tuple[str, ...]
    obstacles: tuple[str, ...]


def decide_promotion(entry: Entry, now: datetime, limits: Limits, *, holds_secret: bool | None = None) -> Promotion:
    """Whether `entry` is due at `now` (aware). `holds_secret` says what is known of that; None: it is looked for."""
    reasons = tuple(_reasons(entry, limits))
    obstacles = tuple(_obstacles(entry, now, holds_secret))
    return Promotion(bool(reasons) and not obstacles, reasons, obstacles)


def _reasons(entry: Entry, limits: Limits) -> list[str]:
    found: list[str] = []
    if entry.signal == Signal.BOUNDARY:
        found.append("a boundary")
    elif entry.tag is Tag.PREFERENCE and entry.basis == Basis.STATED:
        found.append("a stated preference")
    if entry.impact == OUTCOME_CRITICAL:
        found.append("outcome-critical (impact 3)")
    sessions = max(entry.reinforced[1], 1)
    if sessions >= limits.promote_sessions:
        found.append(f"repeated in {sessions} sessions")
    if entry.signal == Signal.PROJECT or (entry.tag is Tag.GOAL and entry.scope is not None):
        found.append("ongoing project context")
    return found


def _obstacles(entry: Entry, now: datetime, holds_secret: bool | None) -> list[str]:
    found: list[str] = []
    if entry.tier is Tier.LONG_TERM:
        found.append("it is in the long-term note already")
    if entry.tier is Tier.TOPIC:
        found.append("it has a topic note of its own")
    if not entry.live:
        found.append(f"it is {entry.status}")
    if entry.tag is Tag.HYPOTHESIS and not entry.validated:
        found.append("a hypothesis is never promoted before it is confirmed")
    if is_expired(entry, now):
        found.append(f"it expired on {entry.field('expires')}")
    if find_secrets(whole_text(entry)) if holds_secret is None else holds_secret:
        found.append("it holds a secret")
    return found


def whole_text(entry: Entry) -> str:
    """All that is copied into the long-term note: what the entry says, and its fields."""
    return "\n".join([text_of(entry), *(value for _, value in entry.fields)])


def is_expired(entry: Entry, now: datetime) -> bool:
    """Whether the `expires` date lies before today (UTC); the day itself still counts."""
    expires = entry.date_field("expires")
    return expires is not None and expires < utc_date(now)
