"""Check-ins: at most one light question in a session, and none twice about the same entry (DESIGN section 4)."""

from __future__ import annotations

from remember_me.app import proposals
from remember_me.app.draft import check_session
from remember_me.app.life import refuse_agents
from remember_me.app.wiring import Session
from remember_me.errors import InvalidInput, Refused, shorten
from remember_me.model.change import Revise, Revised
from remember_me.model.entry import Entry
from remember_me.model.revision import AGENT_PREFIX
from remember_me.policy.checkin import Question, choose_questions, was_asked
from remember_me.policy.confirm import decide_confirmation, decide_rejection
from remember_me.store.store import Applied
from remember_me.store.undo import ASK_VERB

CALM, FRUSTRATED = "calm", "frustrated"
YES, NO, LATER = "yes", "no", "later"


class AskedAlready(Refused):
    """Another command asked about the entry meanwhile."""


def ask(session: Session, session_given: str | None, mood: str) -> Question | None:
    """The one question of this session, or None.

    That it was asked is written before it is given out: whatever crashes, it is not asked a second time.
    """
    if mood not in (CALM, FRUSTRATED):
        raise InvalidInput(f"{shorten(mood)} is no mood.", hint=f"Possible are {CALM} and {FRUSTRATED}.")
    if mood == FRUSTRATED:
        return None
    session_given = check_session(session_given)
    state, name, now = session.state, session.session_name(session_given), session.now()
    entries, known = [*session.store.entries(), *proposals.guesses(session)], state.asked()
    if sum(_asked_today(session, entry) for entry in entries) > state.questions_on(now):
        return None  # in which sessions was asked is lost, so this one may have had its question
    others = [entry for entry in entries if entry.session is None or entry.session != name]
    questions = choose_questions(others, now, session.limits, asked=known)
    if not questions or not state.take_question(name, now):
        return None
    asked: str | None = None
    try:
        for question in questions:
            try:
                entry = _mark(session, question.entry, session_given)
            except AskedAlready:
                continue
            asked = entry.id
            return question._replace(entry=entry)
        return None
    finally:
        if asked is None:
            state.give_back_question(name)
        else:
            state.note_question(name, asked)


def _asked_today(session: Session, entry: Entry) -> bool:
    return entry.field("asked") == session.today().isoformat()


def _mark(session: Session, entry: Entry, session_given: str | None) -> Entry:
    """Write down that the entry is asked about; the entry as it stands then. Raises AskedAlready."""
    today = session.today().isoformat()
    if proposals.waits(session, entry.id):
        if not proposals.mark_asked(session, entry.id, today):
            raise AskedAlready("checkin-once", f"{entry.id} was asked about already.")
        return entry

    def decide(found: Entry) -> Revised:
        if was_asked(found) or not found.live:
            raise AskedAlready("checkin-once", f"{found.id} was asked about already.")
        return Revised((("asked", today),))

    change = Revise(entry.id, decide, session.new_entry_id())
    applied = session.store.apply([change], session.request(ASK_VERB, session_given, scope=entry.scope))
    return applied.entries[0]


def answer(session: Session, given: str, word: str, quote: str | None = None) -> Applied | None:
    """The answer to a check-in: yes confirms, no discards, later waits without asking again.

    A guess that waits for review is kept or turned down by it; None where nothing was done with it. Raises Refused for
    an entry that was not asked about, and for an agent without the user's own words: the answer is the person's.
    """
    if word not in (YES, NO, LATER):
        raise InvalidInput(f"{shorten(word)} is no answer.", hint=f"Possible are {YES}, {NO} and {LATER}.")
    if word != LATER and not _said(session, given, word, quote):
        refuse_agents(session, "answer for")
    if proposals.waits(session, given):
        return _answer_waiting(session, given, word)
    entry, today, known = session.store.find(given).entry, session.today(), session.state.asked()

    def decide(found: Entry) -> Revised:
        if not was_asked(found) and found.id not in known:
            raise Refused(
                "checkin-asked",
                f"{found.id} was not asked about, so there is nothing to answer.",
                hint=f"`remember-me checkin` asks; to confirm it unasked: remember-me confirm {found.id}",
            )
        if word == LATER:
            return Revised()
        if word == NO:
            return decide_rejection(found)
        return Revised() if found.live and found.validated else decide_confirmation(found, None, today)

    change = Revise(entry.id, decide, session.new_entry_id())
    request = session.request("checkin", scope=entry.scope)._replace(answered=quote is not None)
    return session.store.apply([change], request)


def _said(session: Session, given: str, word: str, quote: str | None) -> bool:
    """Whether an agent gives the user's answer: asked in this session, and quoted from a message since (DESIGN 5)."""
    name = session.client_session
    if quote is None or name is None or word != YES or not session.actor.startswith(AGENT_PREFIX):
        return False
    from remember_me.app.grounding import recent_messages
    from remember_me.policy.typed import find_quote

    asked = session.state.question(name)
    if asked is None or asked.entry != given.removeprefix("^").lower():
        return False
    later = [one for one in recent_messages(session, name) if one.at > asked.at]
    return any(find_quote(quote, one.text) is not None for one in later)


def _answer_waiting(session: Session, given: str, word: str) -> Applied | None:
    """The answer about a guess that waits for review."""
    if word == LATER:
        return None
    if word == NO:
        return proposals.restore(session, given)[1]
    return proposals.keep_confirmed(session, given)
