"""What is done once an agent's session is over, in a process of its own: nobody waits for it (DESIGN section 4)."""

from __future__ import annotations

from collections.abc import Mapping

from remember_me.app import maintain
from remember_me.app.grounding import receipts_of
from remember_me.app.wiring import Session

DUE_LINE = "Maintenance of this memory is due. Tell the user in one line: `remember-me maintain` shows it."


def after_session(session: Session, environ: Mapping[str, str]) -> None:
    """Count the sessions that were, drop what is older than seven days, and see to maintenance.

    Maintenance is nobody's project, and what it does was decided by rules: with `maintain.auto = "apply"` it is done,
    else the next session begins with one line that it is due.
    """
    now, sessions = session.now(), session.agent_sessions
    for visited in sessions.uncounted():
        session.state.note_session(visited.session, visited.scope or None, visited.started_at)
        sessions.count(visited.session)
    sessions.expire(now)
    receipts_of(session).expire(now)
    session.store.bound_to = None
    auto = session.settings["maintain.auto"].value
    snapshot = session.store.read()
    if auto == "off" or not maintain.is_due(session, snapshot):
        sessions.set_notice(maintain.MAINTAIN_MARK, None, now)
    elif auto == "apply":
        maintain.maintain(session, apply=True, environ=environ)
    else:
        found = maintain.review(session, snapshot, environ)
        is_due = found.anything or found.room.demote
        sessions.set_notice(maintain.MAINTAIN_MARK, DUE_LINE if is_due else None, now)
