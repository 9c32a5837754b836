"""Check-ins never nag, whatever happens: no entry is asked about twice, one question a session, none in a bad mood.

A question counts as asked when `ask` returned it. What was asked is remembered twice, by the line `asked` of the
entry and by `state.sqlite`; either may be lost, and then the other one must do.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from remember_me.app import checkin, life, promotion
from remember_me.app.checkin import CALM, FRUSTRATED, LATER, NO, YES
from remember_me.app.draft import Draft
from remember_me.errors import Refused
from remember_me.model.entry import Entry, Status, Tag
from remember_me.notes.note import parse_note
from remember_me.policy.checkin import Question
from remember_me.store.files import Disk
from remember_me.store.plan import UndoConflict
from remember_me.store.undo import NothingLeft
from tests.cli_runner import Cli, command_line, trust_scripts
from tests.state.lab import TODAY, Crash, FailingDisk, Lab
from tests.state.machine import run_machine

ROUNDS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "1"))

_ASKED_LINE = re.compile(r"^[ \t]+- asked: .*\n", re.MULTILINE)

DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": lambda path: path.unlink(missing_ok=True),
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:700]),
    "no database": lambda path: path.write_bytes(b"no database at all\n" * 300),
    "pages of zeros": lambda path: path.write_bytes(path.read_bytes()[:4096].ljust(path.stat().st_size, b"\0")),
}
"""What can happen to state.sqlite. Of some of it rows can be salvaged; the machine counts all of them as lost."""


class CheckinMachine(RuleBasedStateMachine):
    """`returned` is what was asked; of those `in_state` are in state.sqlite, and `without_line` lost their line."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="remember-me-checkin-"))
        self.lab = Lab(self.folder)
        self.numbers = itertools.count(1)
        self.session_numbers = itertools.count(3)
        self.sessions = ["s1", "s2"]
        self.returned: list[str] = []
        self.in_state: set[str] = set()
        self.without_line: set[str] = set()
        self.questions: Counter[str] = Counter()

    @initialize()
    def start(self) -> None:
        self.lab.start()

    def teardown(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    # Looking

    def _one(self, data: st.DataObject, wanted: Callable[[Entry], bool] = lambda entry: True) -> Entry | None:
        fits = [entry for entry in self.lab.entries().values() if wanted(entry)]
        return fits[data.draw(st.integers(0, len(fits) - 1), label="entry")] if fits else None

    def _session(self, data: st.DataObject) -> str | None:
        """One of the sessions, or None: that of the terminal, one a day."""
        return data.draw(st.sampled_from([None, *self.sessions[-3:]]), label="session")

    def _name(self, session: str | None) -> str:
        return self.lab.session().session_name(session)

    # What comes up

    @rule(probe=st.booleans(), impact=st.sampled_from("123"), confidence=st.sampled_from(["low", "medium", "high"]))
    def add_hypothesis(self, probe: bool, impact: str, confidence: str) -> None:
        number = next(self.numbers)
        fields = {"impact": impact, "confidence": confidence} | ({"probe": f"Is it {number}?"} if probe else {})
        self.lab.added(f"Seems to like number {number}", tag="HYPOTHESIS", **fields)

    @rule()
    def add_observed_preference_that_comes_back(self) -> None:
        entry_id = self.lab.added(f"Takes number {next(self.numbers)}", tag="PREFERENCE", basis="observed")
        for session in self.sessions[-2:]:
            life.reinforce(self.lab.session(), entry_id, session)
        assert self.lab.entries()[entry_id].reinforced[1] >= 2

    @rule(data=st.data(), what=st.sampled_from(["reinforce", "promote", "contradict", "contradict anew"]))
    def something_happens_to_an_entry(self, data: st.DataObject, what: str) -> None:
        entry = self._one(data, lambda entry: entry.live)
        if entry is None:
            return
        if what == "reinforce":
            life.reinforce(self.lab.session(), entry.id, self._session(data))
        elif what == "promote":
            self._promote(entry)
        else:
            new = Draft(f"Rather number {next(self.numbers)}", "HYPOTHESIS") if what == "contradict anew" else None
            life.contradict(self.lab.session(), entry.id, new)

    def _promote(self, entry: Entry) -> None:
        try:
            promotion.promote(self.lab.session(), entry.id)
        except Refused as error:
            refusal = error.rule
        else:
            refusal = None
        assert refusal in (None, "promote-obstacle")
        assert refusal is not None or entry.tag is not Tag.HYPOTHESIS or entry.validated

    @rule(days=st.integers(1, 20))
    def days_pass(self, days: int) -> None:
        self.lab.now += timedelta(days=days)

    @rule()
    def new_session(self) -> None:
        self.sessions.append(f"s{next(self.session_numbers)}")

    # Questions and answers

    @rule(data=st.data(), mood=st.sampled_from([CALM, CALM, CALM, FRUSTRATED]))
    def ask(self, data: st.DataObject, mood: str) -> None:
        session = self._session(data)
        notes = self.lab.notes()
        question = checkin.ask(self.lab.session(), session, mood)
        if question is None:
            assert self.lab.notes() == notes
        else:
            assert mood == CALM
            self._take_note(question, session)
            assert self.lab.entries()[question.entry.id].field("asked") is not None
            assert question.words

    def _take_note(self, question: Question, session: str | None) -> None:
        entry_id, name = question.entry.id, self._name(session)
        known = entry_id in self.in_state or entry_id not in self.without_line
        assert not (entry_id in self.returned and known), f"{entry_id} is asked about a second time"
        self.returned.append(entry_id)
        self.in_state.add(entry_id)
        self.without_line.discard(entry_id)
        self.questions[name] += 1

    @rule(data=st.data(), effects=st.integers(0, 30))
    def crash_while_asking(self, data: st.DataObject, effects: int) -> None:
        """The process dies before it could give out the question: then nothing was asked, and it may be lost."""
        session = self._session(data)
        self.lab.disk = FailingDisk(effects)
        try:
            question = checkin.ask(self.lab.session(), session, CALM)
        except Crash:
            question = None
        finally:
            self.lab.disk = Disk()
        if question is not None:
            self._take_note(question, session)

    @rule(data=st.data(), word=st.sampled_from([YES, NO, LATER]))
    def answer(self, data: st.DataObject, word: str) -> None:
        entry = self._one(data, lambda entry: entry.id in self.returned)
        if entry is None:
            return
        try:
            checkin.answer(self.lab.session(), entry.id, word)
        except Refused as error:
            refusal = error.rule
        else:
            refusal = None
        if refusal is not None:
            assert refusal in ("checkin-asked", "checkin-live", "confirm-live", "confirm-guess")
            # A hand may have taken the line away: the state knows the question, too.
            known = entry.field("asked") is not None or entry.id in self.lab.session().state.asked()
            assert (refusal == "checkin-asked") == (not known)
            assert refusal == "checkin-asked" or not entry.live
            return
        after = self.lab.entries()[entry.id]
        if word == YES:
            assert after.validated
        elif word == NO:
            assert after.status is Status.DISCARDED
        else:
            assert after == entry

    # What takes back, and what goes wrong

    @rule(run=st.sampled_from(["undo", "redo"]))
    def undo_or_redo(self, run: str) -> None:
        before = self._with_line()
        try:
            self.lab.undo() if run == "undo" else self.lab.redo()
        except (NothingLeft, UndoConflict):
            return
        after = self._with_line()
        # Undoing the question itself takes the line away too: see test_an_undone_question_is_not_asked_again.
        self.without_line = (self.without_line | (before - after)) - after

    def _with_line(self) -> set[str]:
        return {entry.id for entry in self.lab.entries().values() if entry.field("asked") is not None}

    @rule(data=st.data())
    def asked_line_goes_by_hand(self, data: st.DataObject) -> None:
        """From every note that has it, as the notes lie on the disk."""
        notes = [parse_note(path, data) for path, data in self.lab.notes().items() if path.endswith(".md")]
        asked = sorted({one.id for note in notes for one in note.entries if one.field("asked") is not None})
        if not asked:
            return
        entry_id = data.draw(st.sampled_from(asked), label="entry")
        for note in notes:
            for found, item in zip(note.entries, note.items, strict=True):
                if found.id == entry_id and found.field("asked") is not None:
                    lines = note.text[item.start : item.end]
                    text = note.text[: item.start] + _ASKED_LINE.sub("", lines) + note.text[item.end :]
                    self.lab.vscode(note.path, text.encode())
        assert self.lab.entries()[entry_id].field("asked") is None
        self.without_line.add(entry_id)

    @precondition(lambda self: (self.lab.root / ".remember-me" / "state.sqlite").exists())
    @rule(how=st.sampled_from(list(DAMAGES)))
    def state_is_damaged(self, how: str) -> None:
        DAMAGES[how](self.lab.root / ".remember-me" / "state.sqlite")
        self.in_state = set()
        # See test_one_question_in_a_session_though_the_state_is_lost.
        self.questions = Counter()

    # What must hold

    @invariant()
    def at_most_one_question_in_a_session(self) -> None:
        assert all(number == 1 for number in self.questions.values()), self.questions


@pytest.mark.slow
def test_a_check_in_never_nags() -> None:
    run_machine(CheckinMachine, examples=20 * ROUNDS, steps=30)


# What is remembered where


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path).start()


def guesses(lab: Lab, number: int) -> list[str]:
    return [lab.added(f"Seems to like number {one}", tag="HYPOTHESIS") for one in range(number)]


def asked_in(lab: Lab, session: str | None) -> str | None:
    question = checkin.ask(lab.session(), session, CALM)
    return question.entry.id if question else None


def lose_line(lab: Lab, entry_id: str) -> None:
    text = lab.path().read_text()
    assert text.count("  - asked: ") == 1
    lab.vscode(TODAY, _ASKED_LINE.sub("", text).encode())
    assert lab.entries()[entry_id].field("asked") is None


@pytest.mark.parametrize("how", DAMAGES)
def test_the_line_remembers_where_the_state_is_lost(lab: Lab, how: str) -> None:
    (entry,) = guesses(lab, 1)
    assert asked_in(lab, "s1") == entry
    DAMAGES[how](lab.root / ".remember-me" / "state.sqlite")
    assert asked_in(lab, "s2") is None


def test_the_state_remembers_where_the_line_is_lost(lab: Lab) -> None:
    (entry,) = guesses(lab, 1)
    assert asked_in(lab, "s1") == entry
    lose_line(lab, entry)
    assert asked_in(lab, "s2") is None


def test_with_both_lost_nobody_knows(lab: Lab) -> None:
    """The one combination in which an entry is asked about again."""
    (entry,) = guesses(lab, 1)
    assert asked_in(lab, "s1") == entry
    lose_line(lab, entry)
    DAMAGES["deleted"](lab.root / ".remember-me" / "state.sqlite")
    assert asked_in(lab, "s2") == entry


def test_an_undone_question_is_not_asked_again(lab: Lab) -> None:
    """A question is no write of anybody, so `undo` alone takes the write before it back, and the question stays."""
    (entry,) = guesses(lab, 1)
    lab.added("Said in between")
    assert asked_in(lab, "s1") == entry
    lab.undo()
    assert [one.title for one in lab.entries().values() if one.title == "Said in between"] == []
    assert lab.entries()[entry].field("asked") is not None
    assert asked_in(lab, "s2") is None
    DAMAGES["deleted"](lab.root / ".remember-me" / "state.sqlite")
    assert asked_in(lab, "s2") is None


@pytest.mark.parametrize("session", ["s1", None])
def test_one_question_in_a_session_though_the_state_is_lost(lab: Lab, session: str | None) -> None:
    one, other = guesses(lab, 2)
    assert asked_in(lab, session) in (one, other)
    assert asked_in(lab, session) is None
    DAMAGES["deleted"](lab.root / ".remember-me" / "state.sqlite")
    assert asked_in(lab, session) is None


@pytest.mark.parametrize("word", [YES, NO, LATER])
def test_a_question_that_was_given_out_can_be_answered_though_its_line_is_gone(lab: Lab, word: str) -> None:
    (entry,) = guesses(lab, 1)
    assert asked_in(lab, "s1") == entry
    lab.undo(lab.operations()[0].id)
    assert lab.entries()[entry].field("asked") is None
    checkin.answer(lab.session(), entry, word)


def test_an_agents_no_does_not_discard_a_persons_entry(lab: Lab) -> None:
    (entry,) = guesses(lab, 1)
    assert asked_in(lab, "s1") == entry
    try:
        checkin.answer(lab.session(CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="s9"), entry, NO)
    except Refused:
        pass
    assert lab.entries()[entry].live


def test_none_in_a_bad_mood_and_the_question_is_not_used_up_by_it(lab: Lab) -> None:
    (entry,) = guesses(lab, 1)
    notes, log = lab.notes(), len(lab.log())
    assert checkin.ask(lab.session(), "s1", FRUSTRATED) is None
    assert (lab.notes(), len(lab.log())) == (notes, log)
    assert asked_in(lab, "s1") == entry
    assert asked_in(lab, "s1") is None


def test_a_question_that_crashed_anywhere_is_given_out_at_most_once(tmp_path: Path) -> None:
    """At each effect on the disk: afterwards the entry is asked about once, or was marked and never is."""
    outcomes = set()
    for effects in itertools.count():
        lab = Lab(tmp_path / str(effects)).start()
        (entry,) = guesses(lab, 1)
        lab.disk = FailingDisk(effects)
        try:
            first = asked_in(lab, "s1")
        except Crash:
            first = None
        lab.disk = Disk()
        later = [asked_in(lab, "s1"), asked_in(lab, "s2"), asked_in(lab, "s3")]
        assert [first, *later].count(entry) <= 1
        lab.assert_settled()
        marked = lab.entries()[entry].field("asked") is not None
        assert marked
        outcomes.add([first, *later].count(entry))
        if first is not None:
            break
    assert outcomes == {0, 1}


# Many at once


@pytest.mark.parametrize("number_of_guesses", [3, 12])
def test_eight_processes_never_ask_the_same_question(number_of_guesses: int, home: Path, tmp_path: Path) -> None:
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    cli.ok("init")
    for number in range(number_of_guesses):
        cli.ok("add", "--tag", "HYPOTHESIS", f"Seems to like number {number}")
    running = [
        subprocess.Popen(
            command_line("--store", str(cli.store), "checkin", "--session", f"s{number}"),
            env=cli.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        for number in range(8)
    ]
    said = [process.communicate(timeout=60) for process in running]
    codes = [process.returncode for process in running]
    asked = [out[1:7] for out, _ in said if out]
    assert len(asked) == len(set(asked)), asked
    # One that waited in vain for the others, for two seconds, says so and asks nothing.
    assert set(codes) <= {0, 1}
    for code, (out, err) in zip(codes, said, strict=True):
        assert code == 0 or (out == "" and "in use by another command" in err), err
    assert len(asked) == min(number_of_guesses, codes.count(0))
    marked = [entry["id"] for entry in cli.json("list", "--all") if "asked: " in cli.ok("get", entry["id"]).out]
    assert set(asked) <= set(marked)
