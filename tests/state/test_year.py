"""A year with one store: what the promises say of one command still holds after 640 (DESIGN sections 4 and 7)."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import groupby
from pathlib import Path

import pytest

from remember_me.app import review, settings
from remember_me.app.maintain import maintain
from remember_me.model.entry import Entry, Status, Tag, Tier
from remember_me.model.revision import Operation, Revision
from remember_me.model.text import join_title
from remember_me.notes.note import parse_note
from remember_me.policy.duplicates import fold
from remember_me.recall.tokens import token_counter
from remember_me.store.undo import ASK_VERB
from tests.state.lab import Lab
from tests.state.year import CAPTURES, HOLIDAY, SESSIONS, Step, Year, visitors

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).with_name("year.md")
REFRESH = bool(os.environ.get("REFRESH_GOLDEN"))
UNDOS = 40
ROUNDS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "1"))
LONG_TERM_TOKENS = 4000

HEAD = """\
# A year with one store

What `tests/state/year.py` did, one line per operation: date, session, verb, entry, what became of it.
Written anew by `REFRESH_GOLDEN=1 python -m pytest tests/state/test_year.py`; read the diff.

```text
"""


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    return Year(tmp_path_factory.mktemp("year")).run()


def test_the_year_is_as_long_as_it_says() -> None:
    sessions = list(visitors())
    assert len(sessions) == SESSIONS
    assert len({who.name for _, who in sessions}) > SESSIONS * 3 // 4
    assert len({at.date() for at, _ in sessions}) > SESSIONS * 3 // 4
    assert len(HOLIDAY) * 7 > 60


def test_a_year(year: Year) -> None:
    """One test, so that the year is lived through once wherever the tests run."""
    check_transcript(year)
    check_long_term_size(year)
    check_everything_happened(year)
    check_what_stands(year)
    check_size(year)
    check_nothing_is_lost(year)
    check_history(year)
    check_undo_and_redo(year)
    year.lab.assert_settled()


def check_transcript(year: Year) -> None:
    told = HEAD + "".join(f"{line}\n" for line in year.lines) + "```\n"
    if REFRESH:
        GOLDEN.write_text(told, encoding="utf-8")
    assert told.encode() == GOLDEN.read_bytes(), "the year went differently; REFRESH_GOLDEN=1 writes it anew"


def check_everything_happened(year: Year) -> None:
    """The script would prove little if its dice left out what it is about."""
    assert len(year.captured) == CAPTURES
    assert {statement.tag for _, statement in year.captured} == set(Tag)
    told = "\n".join(year.lines)
    for happened in (
        "refused: agent-confirm", "refused: hypotheses-per-session", "merge into", "days without reinforcement",
        "later sessions without validation", "expire ", "promote ", "hold ", "too large, demote", r"\(abandoned\)",
        r"\(contradicted\)", r"\(rejected\)", "later: nothing changed", "yes: (low|medium) → high",
        "frustrated: nothing changed", "other words",
        "HYPOTHESIS → PREFERENCE", "HYPOTHESIS → (GOAL|FACT)", "low → medium", "daily → long-term",
        "new: long-term", "disabled → active", "pinned true",
    ):  # fmt: skip
        assert re.search(happened, told), happened
    verbs = Counter(step.verb for steps in year.steps.values() for step in steps)
    assert verbs.keys() >= {"add", "reinforce", "confirm", "contradict", "checkin", "maintain", "demote", "promote"}
    assert verbs["reinforce"] > 80


def check_what_stands(year: Year) -> None:
    snapshot = year.lab.session().store.read()
    assert snapshot.problems() == []
    live = [entry for note in snapshot.notes.values() for entry in note.entries if entry.live]
    assert [entry_id for entry_id, number in Counter(entry.id for entry in live).items() if number > 1] == []
    for entry in live:
        if entry.tier is Tier.LONG_TERM and entry.tag is Tag.HYPOTHESIS:
            assert entry.validated, entry


def check_long_term_size(year: Year) -> None:
    """The long-term note keeps within its limit."""
    count = token_counter(year.lab.environ)
    assert count.exact
    assert count.count(year.notes()["MEMORY.md"].decode()) <= LONG_TERM_TOKENS
    for counted, real in year.sizes:
        assert real <= max(counted, LONG_TERM_TOKENS)


@pytest.fixture
def full(tmp_path: Path) -> tuple[Lab, str]:
    """A store whose long-term note is full of preferences of impact 1, and a boundary that was stated since."""
    lab = Lab(tmp_path).start()
    for number in range(5):
        lab.added(f"Prefers lists for plans of kind {number}", tag="PREFERENCE", signal="preference")
    maintain(lab.session(), apply=True, environ=lab.environ)
    tokens = token_counter(lab.environ).count(lab.path("MEMORY.md").read_text())
    settings.change(lab.around(), "maintain.long_term_tokens", str(tokens + 5))
    return lab, lab.added("Never send drawings to customers", tag="PREFERENCE", signal="boundary")


def test_what_to_demote_is_named_where_something_has_no_room(full: tuple[Lab, str]) -> None:
    lab, boundary = full
    found = maintain(lab.session(), apply=False, environ=lab.environ)
    assert boundary in [row.entry.id for row in found.room.held]
    assert found.room.demote


def test_what_was_held_is_named_until_it_has_room(full: tuple[Lab, str]) -> None:
    lab, boundary = full
    for number in range(8):
        lab.now += timedelta(days=1)
        lab.added(f"The clamp is in drawer {number}")
    found = maintain(lab.session(), apply=False, environ=lab.environ)
    assert boundary in [row.entry.id for row in (*found.room.held, *found.room.promote)]


def check_size(year: Year) -> None:
    """The limit was nearly reached, so that it had to be kept."""
    assert max(real for _, real in year.sizes) > LONG_TERM_TOKENS - 200


def check_nothing_is_lost(year: Year) -> None:
    """Each captured text stands in a note; what is served no more says why."""
    served = {entry.id: entry for entry in year.lab.session().store.read().entries()}
    everything = "\n".join(data.decode() for data in year.notes().values())
    for entry_id, words in year.words.items():
        entry = served[entry_id]
        assert fold(join_title(entry.title, entry.body)) == fold(words)
        if not entry.live:
            assert entry.status in set(Status) - {Status.ACTIVE, Status.PROMOTED}
            assert entry.field("reason"), entry
    for entry_id, statement in year.captured:
        if fold(year.words[entry_id]) == fold(statement.text):
            assert statement.text in everything
    assert {entry_id for entry_id, _ in year.captured} <= year.words.keys()


# History


def check_history(year: Year) -> None:
    """What `history` shows of an entry is what was seen of it, step by step; the quiet ones in a full run only."""
    for number, (entry_id, steps) in enumerate(year.steps.items()):
        if ROUNDS < 3 and len(steps) < 4 and number % 4:
            continue
        revisions = review.revisions(year.lab.session(), entry_id)
        told = list(_told(revisions))
        assert [_shown(step) for step in told] == [_shown(step) for step in steps], entry_id
        for step in told:
            if not step.entry.live:
                assert step.entry.field("reason"), step


def _shown(step: Step) -> object:
    entry = step.entry
    return step.verb, step.actor, step.session, entry.tier, entry.tag, entry.status, entry.title, entry.fields


def _told(revisions: list[Revision]) -> Iterator[Step]:
    """The steps of an entry as its revisions tell them: after each operation the occurrence that is served."""
    standing: dict[str, Entry] = {}
    for operation, group in groupby(reversed(revisions), key=lambda revision: revision.operation):
        before = _served(standing)
        for revision in group:
            old = parse_note(revision.note, revision.before.encode()).entries if revision.before is not None else []
            assert [entry.fields for entry in old] == [e.fields for e in [standing.get(revision.note)] if e is not None]
            standing.pop(revision.note, None)
            if revision.after is not None:
                (standing[revision.note],) = parse_note(revision.note, revision.after.encode()).entries
        after = _served(standing)
        assert after is not None
        if before is None or _read(before) != _read(after):
            yield _step(operation, after)


def _served(standing: Mapping[str, Entry]) -> Entry | None:
    """The live one, else the newest."""
    order = sorted(standing.values(), key=lambda entry: (entry.live, str(entry.created_on)))
    return order[-1] if order else None


def _read(entry: Entry) -> object:
    return entry.tag, entry.title, entry.body, entry.fields, entry.tier


def _step(operation: Operation, entry: Entry) -> Step:
    return Step(operation.verb, operation.actor, operation.session, entry)


# Undo


def check_undo_and_redo(year: Year) -> None:
    """After n undos the notes are byte for byte what they were n operations ago, and n redos bring them back."""
    done = list(year.before)[-UNDOS:]
    assert len(done) == UNDOS
    apart = {"memory/diary.md"}  # of the editor: an undo leaves it
    last = year.notes()

    def notes() -> dict[str, bytes]:
        return {path: data for path, data in year.notes().items() if path not in apart}

    for operation, before in reversed(done):
        named = operation.id if operation.verb == ASK_VERB else None  # `undo` alone never means a question
        assert year.lab.undo(named) == operation.id
        assert notes() == {path: data for path, data in before.items() if path not in apart}, operation
        assert year.notes()["memory/diary.md"] == last["memory/diary.md"]
    for number, (operation, _) in enumerate(done, 1):
        assert year.lab.redo() == operation.id
        after = done[number][1] if number < len(done) else last
        assert notes() == {path: data for path, data in after.items() if path not in apart}, operation
    assert year.notes() == last
