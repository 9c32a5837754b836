"""Between the tiers: what is due for the long-term note and why, and what leaves it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from remember_me.app.wiring import Session
from remember_me.errors import InvalidInput, Refused, shorten
from remember_me.model.change import Change, Demote, Promote
from remember_me.model.entry import Entry, Tier
from remember_me.model.revision import AGENT_PREFIX
from remember_me.policy.secrets import which_hold_secrets
from remember_me.policy.tiers import DemoteReason, Promotion, decide_promotion, whole_text
from remember_me.store.store import Applied


class PromotionRow(NamedTuple):
    """An entry and whether it is due for the long-term note."""

    entry: Entry
    promotion: Promotion


def due(session: Session) -> list[PromotionRow]:
    """The live daily entries that are due for the long-term note, with the reasons. Changes nothing."""
    return rows_due(session, session.store.entries())


def rows_due(session: Session, entries: Iterable[Entry]) -> list[PromotionRow]:
    """Those of `entries` that are due for the long-term note."""
    now, limits = session.now(), session.limits
    daily = [entry for entry in entries if entry.tier is Tier.DAILY and entry.live]
    rows = [PromotionRow(entry, decide_promotion(entry, now, limits, holds_secret=False)) for entry in daily]
    found = [row for row in rows if row.promotion.due]
    secret = which_hold_secrets([whole_text(row.entry) for row in found])
    return [row for number, row in enumerate(found) if number not in secret]


def explain(session: Session, given: str) -> PromotionRow:
    """Why an entry is due for the long-term note, or why not."""
    return _row(session, session.store.find(given).entry)


def _row(session: Session, entry: Entry) -> PromotionRow:
    return PromotionRow(entry, decide_promotion(entry, session.now(), session.limits))


def promote(session: Session, given: str) -> Applied:
    """Put one entry into the long-term note. A person may do that with one that is not due, but for no obstacle.

    Raises Refused.
    """
    row = explain(session, given)
    obstacles = row.promotion.obstacles
    if not obstacles and not row.promotion.due and session.actor.startswith(AGENT_PREFIX):
        obstacles = ("nothing speaks for it yet",)
    if obstacles:
        sentence = f"{row.entry.id} cannot be promoted: {'; '.join(obstacles)}."
        raise session.counted(Refused("promote-obstacle", sentence, hint=_way_out(row)))
    return _promote(session, [row.entry], row.entry.scope)


def _way_out(row: PromotionRow) -> str:
    entry = row.entry
    if entry.live and entry.confidence and not entry.validated:
        return f"If the user says that it is so: remember-me confirm {entry.id}"
    return f"`remember-me promote --explain {entry.id}` says more."


def promote_due(session: Session) -> tuple[list[PromotionRow], Applied | None]:
    """Promote all that is due, in one operation."""
    rows = due(session)
    return rows, _promote(session, [row.entry for row in rows], None) if rows else None


def _promote(session: Session, entries: Sequence[Entry], scope: str | None) -> Applied:
    return session.store.apply([promotion_of(session, entries)], session.request("promote", scope=scope))


def promotion_of(session: Session, entries: Iterable[Entry]) -> Promote:
    """The change that promotes these entries."""
    return Promote(tuple((entry.id, session.new_entry_id() if entry.provisional else entry.id) for entry in entries))


def demote(session: Session, given: str | None, scope: str | None, reason: str) -> Applied:
    """Take an entry, or all of a project, out of the long-term note; each is stale in today's note from now on."""
    if reason not in tuple(DemoteReason):
        raise InvalidInput(
            f"{shorten(reason)} is no reason to demote.", hint=f"The reasons are {', '.join(DemoteReason)}."
        )
    if (given is None) == (scope is None):
        raise InvalidInput("Say what to demote.", hint="Give one id, or --scope KEY for a whole project.")
    entries = [_long_term(session, given)] if given is not None else _of_scope(session, scope or "")
    changes: list[Change] = [demotion_of(session, entry, reason) for entry in entries]
    return session.store.apply(changes, session.request("demote", scope=entries[0].scope))


def demotion_of(session: Session, entry: Entry, reason: str) -> Demote:
    """The change that takes an entry out of the long-term note."""
    return Demote(entry.id, reason, session.now(), session.new_entry_id())


def _long_term(session: Session, given: str) -> Entry:
    entry = session.store.find(given).entry
    if entry.tier is not Tier.LONG_TERM:
        sentence = f"{entry.id} is a {entry.tier} entry; only those of the long-term note are demoted."
        hint = f"To stop serving it: remember-me disable {entry.id}"
        raise session.counted(Refused("demote-long-term", sentence, hint=hint))
    return entry


def _of_scope(session: Session, scope: str) -> list[Entry]:
    session.store.check_scope(scope)
    found = [
        entry
        for entry in session.store.entries()
        if entry.tier is Tier.LONG_TERM and entry.live and entry.scope == scope
    ]
    if not found:
        raise InvalidInput(
            f"No long-term entry has the scope {shorten(scope)}.",
            hint="`remember-me list --tier long-term` shows them.",
        )
    return found
