"""Confirm and reinforce: what the person's word, or behaviour that aligned again, makes of an entry (DESIGN 4)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import NamedTuple

from remember_me.errors import Refused
from remember_me.model.change import Revised, Values
from remember_me.model.entry import Basis, Confidence, Entry, Status, Tag, Tier
from remember_me.policy.decay import created_on_utc, decide_decay, raised, utc_date
from remember_me.policy.limits import Limits

REJECTED = "rejected"
"""The reason of an entry that the person answered with no."""


class Sighting(NamedTuple):
    """One session that carries an entry again: its name, the moment (aware), and whether it was counted for this
    entry before; None where nothing is known of any session of the entry."""

    session: str
    at: datetime
    counted: bool | None


def is_soft(entry: Entry) -> bool:
    """Whether an entry is an observed preference, which is soft until it is confirmed."""
    return entry.tag is Tag.PREFERENCE and entry.basis == Basis.OBSERVED


def decide_confirmation(entry: Entry, tag: Tag | None, on: date) -> Revised:
    """The person said that it is so. A hypothesis is high and decays no more, or becomes `tag`, under its id.

    Raises Refused for what is no guess, and for what is no longer live. Nothing becomes a guess by it.
    """
    tag = None if tag is Tag.HYPOTHESIS else tag
    if entry.live and entry.validated and tag in (None, entry.tag):
        return Revised()
    if entry.validated:
        refuse_ended(entry, "confirm-live")
    if entry.tag is not Tag.HYPOTHESIS and not is_soft(entry):
        raise Refused(
            "confirm-guess",
            f"{entry.id} is a {entry.tag}; only a HYPOTHESIS or an observed PREFERENCE can be confirmed.",
            hint=f"To say that it still holds: remember-me reinforce {entry.id}",
        )
    refuse_ended(entry, "confirm-live")
    values: dict[str, str | None] = {"validated": on.isoformat()}
    if entry.tag is Tag.HYPOTHESIS and tag is None:
        return Revised(changed(entry, values | {"confidence": Confidence.HIGH.value}))
    return Revised(changed(entry, values | {"basis": None, "confidence": None}), tag=tag)


def decide_rejection(entry: Entry) -> Revised:
    """The person said that it is not so."""
    if entry.status is Status.DISCARDED:
        return Revised()
    refuse_ended(entry, "checkin-live")
    return Revised((("status", Status.DISCARDED.value), ("reason", REJECTED)))


def decide_reinforcement(entry: Entry, seen: Sighting, limits: Limits) -> Revised:
    """Behaviour aligned again. The clock of a hypothesis starts anew, at the effective level; in another session it
    gains one. Raises Refused for an entry that is no longer live.

    A session counts once for an entry. Where it is not known which ones counted, a second reinforcement on one
    UTC day does not, so that what is lost only counts less.
    """
    refuse_ended(entry, "reinforce-live")
    on = utc_date(seen.at)
    last, sessions = entry.reinforced
    counted = seen.counted if seen.counted is not None else last is not None and last >= on
    fresh = not counted and seen.session != origin(entry)
    number = max(sessions, 1) + (1 if fresh else 0)
    day = on if last is None else max(last, on)
    values: dict[str, str | None] = {"reinforced": f"{day}, {number} session{'' if number == 1 else 's'}"}
    decayed = decide_decay(entry, seen.at, limits)
    if decayed is not None and not entry.validated:
        level = raised(decayed.effective) if fresh else decayed.effective
        if level.value != entry.confidence:
            values["confidence"] = level.value
    return Revised(changed(entry, values), verb="reinforce")


def origin(entry: Entry) -> str | None:
    """The session that an entry comes from: as written, else the terminal's session of the day it was made."""
    if entry.session:
        return entry.session
    created = created_on_utc(entry)
    return terminal_session(created) if created is not None and entry.tier is not Tier.TOPIC else None


def terminal_session(on: date) -> str:
    """The name of the session that all commands at terminals have in common on one UTC day."""
    return f"terminal/{on.isoformat()}"


def refuse_ended(entry: Entry, rule: str) -> None:
    """Raise Refused for an entry that is no longer live."""
    if not entry.live:
        raise ended_already(entry, rule)


def ended_already(entry: Entry, rule: str) -> Refused:
    """The refusal to make more of an entry that is no longer live."""
    reason = f" ({entry.field('reason')})" if entry.field("reason") else ""
    sentence = f"{entry.id} is {entry.status}{reason}, so nothing more can be made of it."
    return Refused(rule, sentence, hint=f"`remember-me history {entry.id}` shows what became of it.")


def changed(entry: Entry, values: Mapping[str, str | None]) -> Values:
    """Those of `values` that the entry does not have yet."""
    return tuple((key, value) for key, value in values.items() if entry.field(key) != value)
