"""A state machine of trust: agents, a person, late jobs and hands in any order; who may bring which text in (DESIGN 5).

The model knows for each text whether somebody stands behind it. What is shown beyond that is a fault.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from remember_me.app import capture, erase, forget, proposals, recall, review
from remember_me.app.draft import Draft
from remember_me.app.grounding import receipts_of
from remember_me.app.proposals import Card
from remember_me.app.wiring import Session
from remember_me.errors import EntryNotFound, InvalidInput, Refused, WaitsForReview
from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.model.text import join_title
from remember_me.policy.likeness import normal_form
from remember_me.store.erase import prove
from remember_me.store.plan import UndoConflict
from remember_me.store.review import Fenced
from remember_me.store.store import Applied
from tests.state.lab import TODAY, Lab
from tests.state.machine import run_machine

ROUNDS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "1"))

WORDS = ("quagga", "numbat", "bilby", "okapi", "tapir")
TEXTS = tuple(f"I feed the {word}" for word in WORDS)
PERSON: dict[str, str] = {}
texts = st.sampled_from(TEXTS)
sessions = st.sampled_from(["s1", "s2"])


class Job(NamedTuple):
    """A capture that was prepared: how to deliver it, what it says, and whether an agent sends it."""

    deliver: Callable[[], object]
    text: str
    by_agent: bool


def agent(session: str) -> dict[str, str]:
    """What a client adds to the environment of a command that its agent runs."""
    return {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session}


class TrustMachine(RuleBasedStateMachine):
    """`backed` are the texts behind which somebody stands: a person's act, or the user's quoted words. `gone` were
    forgotten and not said anew, `rejected` turned down and not taken up by a person since. `typed` of the forgotten
    were typed by a hand since."""

    def __init__(self) -> None:
        super().__init__()
        self.backed: set[str] = set()
        self.ever: set[str] = set()
        self.gone: set[str] = set()
        self.rejected: set[str] = set()
        self.typed: set[str] = set()
        self.jobs: list[Job] = []
        self.messages = 0

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="remember-me-trust-"))
        self.lab = Lab(self.folder).start()

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder, ignore_errors=True)

    # What is there

    def standing(self) -> set[str]:
        """The texts that live entries say, in whatever letters."""
        said = {normal_form(entry.title) for entry in self.lab.session().store.entries() if entry.live}
        return {text for text in TEXTS if normal_form(text) in said}

    def shown(self) -> dict[str, str]:
        """What an agent reads, by the way it reads it."""
        session = self.lab.session(**agent("s3"))
        view, state = session.view(), session.state
        asked = recall.Asked(scopes=None, prompt=". ".join(TEXTS))
        found = {
            "index": recall.index(view, state, self.lab.environ, asked).text,
            "recall": recall.recall(view, state, self.lab.environ, asked).text,
        }
        for word in WORDS:
            wanted = recall.wanted_of(word, tags=(), scopes=None, statuses=(), since=None, limit=None)
            found[f"search {word}"] = "\n".join(repr(hit) for hit in recall.search(view, wanted))
        return found

    def cards(self) -> list[Card]:
        return [card for card in proposals.cards(self.lab.session()) if card.fault is None and card.entry is not None]

    def stand_behind(self, text: str) -> None:
        self.backed.add(text)
        self.ever.add(text)

    def by_person(self, text: str) -> None:
        """A person said it, and not that it may come again where it was forgotten."""
        self.stand_behind(text)
        self.rejected.discard(text)

    # Writing

    @rule(text=texts, anew=st.booleans())
    def person_writes(self, text: str, anew: bool) -> None:
        try:
            applied = capture.add(self.lab.session(), Draft(text, "FACT", anew=anew))
        except Fenced:
            assert text in self.gone
            assert not anew
            return
        assert anew or text not in self.gone
        assert applied.committed
        self.gone.discard(text)
        self.by_person(text)
        assert text in self.standing()

    def _types(self, session: Session, name: str, text: str) -> None:
        self.messages += 1
        kept = receipts_of(session)
        assert kept.keep(f"claude-code/{name}", f"m{self.messages}", f"{text}.", self.lab.now, source="hook")

    @rule(text=texts, name=sessions, typed_in=st.sampled_from(["s1", "s2", "nowhere"]), quotes=st.booleans())
    def agent_writes(self, text: str, name: str, typed_in: str, quotes: bool) -> None:
        session = self.lab.session(**agent(name))
        receipts_of(session).clear()
        if typed_in != "nowhere":
            self._types(session, typed_in, text)
        grounded = quotes and typed_in == name
        stood = text in self.standing()
        try:
            capture.add(session, Draft(text, "FACT", quotes=(text,) if quotes else ()))
        except Fenced:
            assert text in self.gone | self.rejected
        except WaitsForReview:
            assert not grounded
            assert text in [card.entry.title for card in self.cards() if card.entry]
            assert text not in self.gone | self.rejected
        else:
            assert grounded or stood
            assert stood or text not in self.gone | self.rejected
            if grounded:
                self.stand_behind(text)
            assert text in self.standing()

    @rule(data=st.data(), text=texts, who=st.sampled_from(["person", "s1", "grounded"]))
    def correct(self, data: st.DataObject, text: str, who: str) -> None:
        entries = [entry for entry in self.lab.session().store.entries() if entry.live]
        if not entries or text in self.standing():
            return
        entry = data.draw(st.sampled_from(entries), label="entry")
        session = self.lab.session(**(PERSON if who == "person" else agent("s1")))
        if who == "grounded":
            self._types(session, "s1", text)
        try:
            capture.correct(session, entry.id, text, (text,) if who == "grounded" else ())
        except Fenced:
            assert text in self.gone or (who != "person" and text in self.rejected)
            return
        except WaitsForReview:
            assert who != "person"
            return
        assert who != "s1"
        assert text not in self.gone
        assert who == "person" or text not in self.rejected
        self.stand_behind(text)
        if who == "person":
            self.by_person(text)
        assert text in self.standing()

    # Review

    @rule(data=st.data(), text=texts)
    def edit_card(self, data: st.DataObject, text: str) -> None:
        """A hand writes other words into the file of a proposal."""
        cards = self.cards()
        if cards:
            card = data.draw(st.sampled_from(cards), label="card")
            assert card.entry is not None
            path = self.lab.root / ".remember-me" / "pending" / f"{card.id}.md"
            path.write_text(path.read_text().replace(f"FACT: {card.entry.title}", f"FACT: {text}"))

    @rule(data=st.data(), anew=st.booleans())
    def keep(self, data: st.DataObject, anew: bool) -> None:
        cards = self.cards()
        if not cards:
            return
        card = data.draw(st.sampled_from(cards), label="card")
        assert card.entry is not None
        text = join_title(card.entry.title, card.entry.body)
        try:
            proposals.keep(self.lab.session(), card.id, anyway=True, anew=anew)
        except Fenced:
            assert text in self.gone
            assert not anew
        except EntryNotFound:
            assert card.verb == "correct"
            assert card.current is None
        else:
            self.gone.discard(text)
            self.by_person(text)
            assert text in self.standing()
            assert card.id not in [one.id for one in self.cards()]

    @rule(data=st.data(), name=sessions)
    def agent_decides(self, data: st.DataObject, name: str) -> None:
        """An agent keeps and restores nothing."""
        cards = self.cards()
        if cards:
            card = data.draw(st.sampled_from(cards), label="card")
            for decide in (proposals.keep, proposals.restore):
                with pytest.raises(Refused):
                    decide(self.lab.session(**agent(name)), card.id)
            assert card.id in [one.id for one in self.cards()]

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        cards = proposals.cards(self.lab.session(), everything=True)
        found = [card for card in cards if card.entry is not None]
        if not found:
            return
        card = data.draw(st.sampled_from(found), label="card")
        assert card.entry is not None
        (text,) = (one for one in TEXTS if normal_form(one) == normal_form(card.entry.title))
        before = self.standing()
        proposals.restore(self.lab.session(), card.id)
        self.rejected.add(text)
        if card.proposal is None:
            assert card.id not in [entry.id for entry in self.lab.session().store.entries()]
            if text not in self.standing():  # somebody else may say so, too
                self.backed.discard(text)
        else:
            assert self.standing() == before

    # Forgetting

    @rule(text=texts, erases=st.booleans())
    def forget(self, text: str, erases: bool) -> None:
        session = self.lab.session()
        try:
            found = forget.find(session, forget.Wanted(match=text))
        except EntryNotFound:
            assert text not in self.standing()
            assert text not in [card.entry and card.entry.title for card in self.cards()]
            return
        erase.forget(session, found)
        self.backed.discard(text)
        self.rejected.discard(text)
        self.gone.add(text)
        self.typed.discard(text)
        assert text not in self.standing()
        assert text not in [card.entry and card.entry.title for card in self.cards()]
        if erases:
            self.erase()
            assert prove(session.store.git, [text]) == ()
            assert not [path for path in self._files() if text.encode() in path.read_bytes()]

    @rule()
    def erase(self) -> None:
        session = self.lab.session()
        waiting = erase.pending(session).said
        try:
            report = erase.erase(session)
        except InvalidInput:
            return
        assert report.erased is not None, report
        assert self.lab.git("fsck", "--strict", "--no-dangling") == ""
        for text in {*waiting} & self.gone - self.typed:
            assert prove(session.store.git, [text]) == (), text

    def _files(self) -> list[Path]:
        return [path for path in self.lab.root.rglob("*") if path.is_file() and path.suffix != ".sqlite"]

    # Undo and redo

    @rule(who=st.sampled_from(["person", "s1", "s2"]), verb=st.sampled_from(["undo", "redo"]))
    def reverse(self, who: str, verb: str) -> None:
        session = self.lab.session(**(PERSON if who == "person" else agent(who)))
        self._reverse(session, None, verb, by_person=who == "person")

    @rule(data=st.data(), who=st.sampled_from(["person", "s1"]), verb=st.sampled_from(["undo", "redo"]))
    def reverse_any(self, data: st.DataObject, who: str, verb: str) -> None:
        session = self.lab.session(**(PERSON if who == "person" else agent(who)))
        named = [one.operation.id for one in self.lab.log() if one.operation.verb != "init"]
        if named:
            operation = data.draw(st.sampled_from(named), label="operation")
            self._reverse(session, operation, verb, by_person=who == "person")

    def _reverse(self, session: Session, operation: str | None, verb: str, *, by_person: bool) -> None:
        before = self.standing()
        try:
            if verb == "undo":
                review.undo(session, operation, only=None, overwrite=False)
            else:
                review.redo(session, operation, overwrite=False)
        except (EntryNotFound, Refused, UndoConflict, WaitsForReview):
            assert self.standing() == before
            return
        brought = self.standing() - before
        assert not brought & self.gone
        if by_person:
            assert brought <= self.ever
            for text in brought:
                self.by_person(text)
        else:
            assert brought <= self.ever - self.rejected
            self.backed |= brought

    # Late jobs

    @rule(text=texts, by_agent=st.booleans())
    def spool_a_job(self, text: str, by_agent: bool) -> None:
        """A capture waits in the spool; its record is carried away, and comes back later."""
        session = self.lab.session(**(agent("s1") if by_agent else PERSON))
        before = set(session.store.spool.names())
        change = self._change(session, text)
        request = session.request("add")._replace(grounded=True)
        with self.lab.busy():
            try:
                applied = session.store.apply([change], request, wait_seconds=0)
            except Fenced:
                assert text in self.gone or (by_agent and text in self.rejected)
                return
        assert applied.waiting
        (name,) = set(session.store.spool.names()) - before
        path = session.store.spool_folder / name
        data = path.read_bytes()
        path.unlink()
        self.jobs.append(Job(lambda: path.write_bytes(data), text, by_agent))

    @rule(text=texts, by_agent=st.booleans())
    def open_a_job(self, text: str, by_agent: bool) -> None:
        """A command has read the store, tombstones and all, and does not come to write before much else happened."""
        session = self.lab.session(**(agent("s1") if by_agent else PERSON))
        session.store.entries()
        change = self._change(session, text)
        request = session.request("add")._replace(grounded=True)

        def deliver() -> Applied | None:
            with suppress(Fenced):
                return session.store.apply([change], request)
            return None

        self.jobs.append(Job(deliver, text, by_agent))

    def _change(self, session: Session, text: str) -> Add:
        return Add(session.new_entry_id(), Tag.FACT, text, "", (), session.now())

    @rule(data=st.data())
    def deliver(self, data: st.DataObject) -> None:
        if not self.jobs:
            return
        job = self.jobs.pop(data.draw(st.integers(0, len(self.jobs) - 1), label="job"))
        fenced = job.text in self.gone or (job.by_agent and job.text in self.rejected)
        before = self.standing()
        job.deliver()
        assert self.lab.settle() is None
        assert self.lab.session().store.spool.names() == []
        if fenced:
            assert self.standing() == before
        else:
            assert job.text in self.standing()
            self.stand_behind(job.text)
            if not job.by_agent:
                self.by_person(job.text)

    # A hand

    @rule(text=texts, shouts=st.booleans())
    def type_by_hand(self, text: str, shouts: bool) -> None:
        """A hand types an entry; of a forgotten text nothing is served, in whatever letters."""
        note = self.lab.path(TODAY)
        known = note.read_bytes() if note.exists() else b"---\ndate: 2026-11-29\n---\n"
        note.parent.mkdir(exist_ok=True)
        note.write_bytes(known.rstrip(b"\n") + f"\n\n- FACT: {text.upper() if shouts else text}\n".encode())
        if text in self.gone:
            self.typed.add(text)
        else:
            self.by_person(text)

    # What must hold

    @invariant()
    def nothing_is_served_that_nobody_stands_behind(self) -> None:
        if not hasattr(self, "lab"):
            return
        for where, out in self.shown().items():
            served = {text for text in TEXTS if normal_form(text) in normal_form(out)}
            assert served <= self.backed, (where, served - self.backed)
            assert not served & self.gone, where
        assert self.standing() <= self.backed

    @invariant()
    def the_notes_parse_and_hold_no_card(self) -> None:
        if not hasattr(self, "lab"):
            return
        snapshot = self.lab.session().store.read()
        assert not [problem for note in snapshot.notes.values() for problem in note.problems]
        live = [entry.id for note in snapshot.notes.values() for entry in note.entries if entry.live]
        assert len(live) == len(set(live))
        assert not {card.id for card in self.cards() if card.proposal and not card.proposal.target} & set(live)


@pytest.mark.slow
def test_nothing_comes_in_without_a_person_or_the_users_words() -> None:
    run_machine(TrustMachine, examples=6 * ROUNDS, steps=20)


@pytest.mark.parametrize("spooled", [True, False])
@pytest.mark.parametrize("verb", ["forget", "restore"])
def test_a_late_job_writes_nothing_that_was_taken_out_meanwhile(spooled: bool, verb: str) -> None:
    """A job that was prepared before, by an agent, on the user's words; delivered after. Nothing of it stays."""
    machine = TrustMachine()
    machine.start()
    text = TEXTS[0]
    try:
        session = machine.lab.session(**agent("s1"))
        machine._types(session, "s1", text)
        entry = capture.add(session, Draft(text, "FACT", quotes=(text,))).entries[0].id
        machine.stand_behind(text)
        if spooled:
            machine.spool_a_job(text, by_agent=True)
        else:
            machine.open_a_job(text, by_agent=True)
        if verb == "forget":
            machine.forget(text, erases=True)
        else:
            proposals.restore(machine.lab.session(), entry)
            machine.rejected.add(text)
        machine.jobs.pop().deliver()
        assert machine.lab.settle() is None
        assert machine.standing() == set()
        assert machine.lab.session().state.refusals() == {"forgotten" if verb == "forget" else "rejected": 1}
        assert prove(machine.lab.session().store.git, [text]) == () or verb == "restore"
    finally:
        machine.teardown()
