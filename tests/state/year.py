"""A year with one store, from a script: a given clock, given ids and a fixed seed; every capture is a real commit.

120 sessions of one person and of her agents save 300 statements and live with them: they restate, reinforce,
confirm, contradict and correct, they ask and answer, and a script does the weekly maintenance. Ten weeks in summer
are a holiday. `Year.lines` is what happened, one line per operation, with `e001`, `e002`, … for the entries in the
order of their first appearance.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from remember_me.app import capture, checkin, life, maintain, promotion, settings
from remember_me.app.actor import Channel
from remember_me.app.draft import Draft
from remember_me.app.wiring import Session, open_session
from remember_me.errors import Refused
from remember_me.model.entry import Basis, Entry, Status, Tag, Tier
from remember_me.model.revision import EDITOR, Operation
from remember_me.model.text import join_title
from remember_me.notes.note import Note, parse_note
from remember_me.recall.tokens import token_counter
from remember_me.store.files import Disk
from remember_me.store.snapshot import Snapshot
from remember_me.store.store import Applied
from tests.state.lab import Lab

Thing = TypeVar("Thing")

SEED = 20260105
FIRST_MONDAY = date(2026, 1, 5)
WEEKS = 52
HOLIDAY = range(26, 36)
"""The weeks without any session, so that a guess can become 60 days old before five sessions passed it."""
SESSIONS = 120
CAPTURES = 300
REMEMBERED_OPERATIONS = 60
"""Of so many operations at the end the bytes before each are kept."""


class Step(NamedTuple):
    """One transition of an entry as it was seen from outside: by which operation, and the entry as it stood then."""

    verb: str
    actor: str
    session: str | None
    entry: Entry


class Visitor(NamedTuple):
    """Who comes: what the environment says about an agent, and the name that a person gives to a session."""

    name: str
    environ: dict[str, str]
    session: str | None = None

    @property
    def is_agent(self) -> bool:
        return bool(self.environ)


class QuickDisk(Disk):
    """A disk that is not waited for: nothing crashes in this year."""

    def fsync(self, descriptor: int) -> None:
        return

    def fsync_folder(self, folder: Path) -> None:
        return


class Dice:
    """The same numbers under every Python: of `random` only `random()` is promised to stay as it is."""

    def __init__(self, seed: int) -> None:
        self._roll = Random(seed).random

    def below(self, number: int) -> int:
        return int(self._roll() * number)

    def one(self, things: Sequence[Thing]) -> Thing:
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        return self._roll() * 100 < percent


class Statement(NamedTuple):
    text: str
    tag: str
    fields: dict[str, str]


def statements(dice: Dice) -> Iterator[Statement]:
    """300 statements of all four tags, no two alike, mixed."""
    things = ("clamp", "lathe", "barometer", "songbird box", "oil table", "gear cutter", "catalogue", "label roll")
    places = ("left drawer", "window shelf", "green case", "cellar", "attic", "van", "bench", "hall", "back room")
    others = ("tables", "lists", "photographs", "drawings", "plain text", "diagrams", "short notes", "examples")
    for_what = ("orders", "repairs", "prices", "letters", "plans", "reviews", "releases", "invoices", "travel")
    events = ("winter fair", "spring fair", "stock-taking", "museum visit", "inspection", "open house", "workshop")
    scopes = ("cogwork", "tin-orchard", None, None)
    pools: list[tuple[int, list[tuple[str, str, dict[str, str]]]]] = [
        (70, [(f"The {thing} is kept in the {place}", "FACT", {}) for thing, place in product(things, places)]),
        (
            60,
            [
                (f"Prefers {other} for {what}", "PREFERENCE", {"signal": "preference"})
                for other, what in product(others, for_what)
            ],
        ),
        (
            15,
            [
                (f"Never send {other} about {what} to customers", "PREFERENCE", {"signal": "boundary"})
                for other, what in product(others, for_what[:3])
            ],
        ),
        (
            35,
            [
                (f"Starts {what} with {other}", "PREFERENCE", {"basis": "observed"})
                for other, what in product(others, for_what)
            ],
        ),
        (
            50,
            [
                (f"Wants to finish the {thing} before the {event}", "GOAL", {"signal": "goal"})
                for thing, event in product(things, events)
            ],
        ),
        (
            70,
            [
                (f"Would rather discuss {what} with {other} at hand", "HYPOTHESIS", {})
                for other, what in product(others, for_what)
            ],
        ),
    ]
    bag: list[Statement] = []
    for number, pool in pools:
        for _ in range(number):
            text, tag, fields = pool.pop(dice.below(len(pool)))
            scope = dice.one(scopes)
            more = {"scope": scope} if scope else {}
            roll = dice.below(20)
            if roll == 0 and tag != "HYPOTHESIS":
                more["impact"] = "3"
            elif roll < 5:
                more["impact"] = "2"
            if tag == "HYPOTHESIS":
                more["confidence"] = ("low", "low", "medium", "high")[dice.below(4)]
                if dice.chance(30):
                    more["probe"] = f"Shall we look at it together: {text.removeprefix('Would rather ')}?"
            bag.append(Statement(text, tag, fields | more))
    assert len(bag) == CAPTURES
    while bag:
        yield bag.pop(dice.below(len(bag)))


def visitors() -> Iterator[tuple[datetime, Visitor]]:
    """(when, who) of the 120 sessions; the days and the names differ, some days have two sessions."""
    number = 0
    for week in (week for week in range(WEEKS) if week not in HOLIDAY):
        for day, hour in ((0, 9), (2, 9), (4, 9)) if week % 2 else ((1, 9), (3, 9), (3, 15)):
            number += 1
            if number > SESSIONS:
                return
            on = FIRST_MONDAY + timedelta(weeks=week, days=day)
            name = f"s{number:03}"
            who = (
                Visitor("terminal", {}),
                Visitor(f"claude-code/{name}", {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": name}),
                Visitor(f"work/{name}", {}, f"work/{name}"),
                Visitor(f"codex/{name}", {"CODEX_THREAD_ID": name}),
                Visitor(f"gemini/{name}", {"GEMINI_CLI": "1", "GEMINI_SESSION_ID": name}),
            )[number % 5]
            yield datetime.combine(on, time(hour), UTC), who


class Year:
    """The store, what is expected of it, and the transcript."""

    def __init__(self, folder: Path) -> None:
        self.lab = Lab(folder, QuickDisk(), now=datetime.combine(FIRST_MONDAY, time(5), UTC)).start()
        settings.change(self.lab.around(), "review.agent", "never")
        self.dice = Dice(SEED)
        self.lines: list[str] = []
        self.names: dict[str, str] = {}
        """The id of each entry and its name in the transcript."""
        self.words: dict[str, str] = {}
        """The words of each captured entry, as they were given last."""
        self.captured: list[tuple[str, Statement]] = []
        """(the entry that carries it, the statement) of each of the 300 captures."""
        self.steps: dict[str, list[Step]] = {}
        self.standing: dict[str, Entry] = {}
        self.before: deque[tuple[Operation, dict[str, bytes]]] = deque(maxlen=REMEMBERED_OPERATIONS)
        """The last operations and the notes before each."""
        self.to_demote: list[str] = []
        self.sizes: list[tuple[int, int]] = []
        """(tokens that maintenance counted for MEMORY.md, tokens that it then had) of each week."""
        self.counts: Counter[str] = Counter()
        self.bytes_now = self.notes()
        self._parsed: dict[str, Note] = {}

    def run(self) -> Year:
        """Live through the year."""
        waiting = statements(self.dice)
        coming = list(visitors())
        for week in range(WEEKS):
            monday = datetime.combine(FIRST_MONDAY + timedelta(weeks=week), time(6), UTC)
            self.lab.now = monday
            self._maintain()
            while coming and coming[0][0] < monday + timedelta(weeks=1):
                at, who = coming.pop(0)
                self.lab.now = at
                number = SESSIONS - len(coming)
                self._session(who, [next(waiting) for _ in range(3 if number % 2 else 2)], number)
        self.lab.now = datetime.combine(FIRST_MONDAY + timedelta(weeks=WEEKS), time(9), UTC)
        self._demote_named(Visitor("terminal", {}))
        self._by_hand_in_prose()
        self._maintain()
        self._demote_named(Visitor("terminal", {}))
        return self

    def notes(self) -> dict[str, bytes]:
        """The bytes of every note by path; `Lab.notes` also walks through all of git's objects."""
        found = [*self.lab.root.glob("*.md"), *(self.lab.root / "memory").glob("*.md")]
        return {path.relative_to(self.lab.root).as_posix(): path.read_bytes() for path in sorted(found)}

    def snapshot(self) -> Snapshot:
        """The notes as they lie there; each is parsed when it changes."""
        for path, data in self.bytes_now.items():
            known = self._parsed.get(path)
            if known is None or known.data() != data:
                self._parsed[path] = parse_note(path, data)
        return Snapshot({path: self._parsed[path] for path in self.bytes_now})

    # A session

    def _session(self, who: Visitor, given: list[Statement], number: int) -> None:
        for statement in given:
            self._capture(who, statement)
        dice = self.dice
        actions: list[tuple[int, Callable[[Visitor], None]]] = [
            (60, self._reinforce),
            (35, self._restate),
            (45, self._check_in),
        ]
        if who.is_agent:
            actions += [(5, self._confirm)]
        else:
            self._demote_named(who)
            actions += [
                (45, self._confirm),
                (30, self._contradict),
                (15, self._correct),
                (12, self._pin),
                (8, self._disable),
                (10, self._promote),
                (4, self._promote_all),
            ]
        for percent, action in actions:
            if dice.chance(percent):
                action(who)
        if number % 40 == 20:
            self._by_hand()
            self._copied_by_hand()

    def _open(self, who: Visitor) -> Session:
        return self.lab.session(**who.environ)

    def _capture(self, who: Visitor, statement: Statement) -> None:
        fields = dict(statement.fields)
        if statement.tag == "GOAL" and self.dice.chance(70):
            fields["expires"] = f"{self.lab.now.date() + timedelta(days=10 + self.dice.below(90))}"
        if who.is_agent and statement.tag == "HYPOTHESIS" and self._guesses_of(who) >= 2:
            refused = self._run(who, "add", None, lambda: self._add(who, statement, fields))
            assert refused is None
            who = Visitor("terminal", {})
        applied = self._run(who, "add", None, lambda: self._add(who, statement, fields))
        assert applied is not None
        (entry_id,) = applied.operation.entries
        self.words[entry_id] = statement.text
        self.captured.append((entry_id, statement))

    def _add(self, who: Visitor, statement: Statement, fields: dict[str, str]) -> Applied:
        quotes = (statement.text,) if who.is_agent and statement.tag != "HYPOTHESIS" else ()
        draft = Draft(statement.text, statement.tag, None, tuple(fields.items()), quotes, who.session)
        return capture.add(self._open(who), draft)

    def _guesses_of(self, who: Visitor) -> int:
        return self._open(who).state.guesses(who.name)

    def _reinforce(self, who: Visitor) -> None:
        """Something that holds; in two of three cases one of a few that come back again and again."""
        live = self._live()
        often = live[:: max(len(live) // 8, 1)]
        entry = self.dice.one(often if self.dice.chance(66) else live)
        self._run(who, "reinforce", entry.id, lambda: life.reinforce(self._open(who), entry.id, who.session))

    def _restate(self, who: Visitor) -> None:
        """The same words again, in another spelling; where the entry ended, they are a new one."""
        entry_id, statement = self.dice.one(self.captured)
        text = self.words[entry_id]
        again = Statement(f"{text.upper()}!" if self.dice.chance(50) else text, statement.tag, {})
        scope = self.standing[entry_id].scope
        fields = {"scope": scope} if scope else {}
        if self.standing[entry_id].basis == Basis.OBSERVED:
            fields["basis"] = "observed"
        applied = self._run(who, "add", None, lambda: self._add(who, again, fields))
        if applied is not None and applied.operation.verb == "add":
            self.words.setdefault(applied.operation.entries[0], again.text)

    def _check_in(self, who: Visitor) -> None:
        mood = checkin.FRUSTRATED if self.dice.chance(15) else checkin.CALM
        asked: list[checkin.Question | None] = []

        def ask() -> Applied | None:
            asked.append(checkin.ask(self._open(who), who.session, mood))
            return None

        known = set(self.standing)
        self._run(who, "checkin", None, ask, note=f"{mood}: ")
        assert known == set(self.standing)
        (question,) = asked
        assert question is None or mood == checkin.CALM
        if question is not None:
            word = self.dice.one((checkin.YES, checkin.NO, checkin.LATER))
            entry_id = question.entry.id
            self._run(
                who, "checkin", entry_id, lambda: checkin.answer(self._open(who), entry_id, word), note=f"{word}: "
            )

    def _confirm(self, who: Visitor) -> None:
        """A guess is right; half of them become what they are."""
        guesses = [entry for entry in self._live() if entry.tag is Tag.HYPOTHESIS and not entry.validated]
        guesses += [entry for entry in self._live() if entry.tag is Tag.PREFERENCE and entry.basis == Basis.OBSERVED][
            :3
        ]
        if guesses:
            entry = self.dice.one(guesses)
            retag = entry.tag is Tag.HYPOTHESIS and self.dice.chance(50)
            as_tag = self.dice.one(("PREFERENCE", "FACT", "GOAL")) if retag else None
            self._run(who, "confirm", entry.id, lambda: life.confirm(self._open(who), entry.id, as_tag))

    def _contradict(self, who: Visitor) -> None:
        entry = self.dice.one(self._live())
        new = f"{entry.title.rstrip('.')}, but no longer since {self.lab.now:%B}" if self.dice.chance(60) else None
        draft = Draft(new, None, session=who.session) if new else None
        applied = self._run(who, "contradict", entry.id, lambda: life.contradict(self._open(who), entry.id, draft))
        if applied is not None and new is not None:
            self.words[applied.operation.entries[0]] = new

    def _correct(self, who: Visitor) -> None:
        entry = self.dice.one(self._live())
        new = f"{entry.title.rstrip('.')} (checked in {self.lab.now:%B})"
        self._run(who, "correct", entry.id, lambda: capture.correct(self._open(who), entry.id, new))
        self.words[entry.id] = new

    def _pin(self, who: Visitor) -> None:
        entry = self.dice.one(self._live())
        pin = capture.unpin if entry.pinned else capture.pin
        self._run(who, "unpin" if entry.pinned else "pin", entry.id, lambda: pin(self._open(who), entry.id))

    def _disable(self, who: Visitor) -> None:
        entry = self.dice.one(self._live())
        self._run(who, "disable", entry.id, lambda: capture.disable(self._open(who), entry.id, "not now"))
        if self.dice.chance(50):
            self._run(who, "enable", entry.id, lambda: capture.enable(self._open(who), entry.id))

    def _promote(self, who: Visitor) -> None:
        daily = [entry for entry in self._live() if entry.tier is Tier.DAILY]
        entry = self.dice.one(daily)
        self._run(who, "promote", entry.id, lambda: promotion.promote(self._open(who), entry.id))

    def _promote_all(self, who: Visitor) -> None:
        self._run(who, "promote", None, lambda: promotion.promote_due(self._open(who))[1])

    def _demote_named(self, who: Visitor) -> None:
        """Demote what the last maintenance named."""
        for entry_id in self.to_demote:
            if self.standing[entry_id].tier is Tier.LONG_TERM and self.standing[entry_id].live:
                self._demote(who, entry_id)
        self.to_demote = []

    def _demote(self, who: Visitor, entry_id: str) -> None:
        self._run(who, "demote", entry_id, lambda: promotion.demote(self._open(who), entry_id, None, "abandoned"))

    # Maintenance

    def _maintain(self) -> None:
        """What a timer runs each week: a script, which is no session of anybody."""
        found: list[maintain.Maintenance] = []

        def work() -> Applied | None:
            around = self.lab.around()
            quiet = open_session(around._replace(channel=Channel((around.environ,), terminal=False)))
            found.append(maintain.maintain(quiet, apply=True, environ=self.lab.environ))
            return found[0].applied

        self._run(Visitor("timer", {}), "maintain", None, work, told=lambda: self._told(found[0]))
        self.to_demote = [entry.id for entry in found[0].room.demote]
        long_term = self.notes().get("MEMORY.md", b"").decode()
        self.sizes.append((found[0].room.tokens, token_counter(self.lab.environ).count(long_term)))

    def _told(self, found: maintain.Maintenance) -> str:
        kinds = {
            "merge into": [self._name(pair.kept.id) for pair in found.merge],
            "discard": [f"{self._name(row.entry.id)} ({'; '.join(row.decayed.reasons)})" for row in found.discard],
            "expire": [self._name(entry.id) for entry in found.expire],
            "promote": [self._name(row.entry.id) for row in found.room.promote],
            "hold": [self._name(row.entry.id) for row in found.room.held],
            "too large, demote": [self._name(entry.id) for entry in found.room.demote],
        }
        return "; ".join(f"{kind} {' '.join(ids)}" for kind, ids in kinds.items() if ids) or "nothing is due"

    # A hand

    def _by_hand(self) -> None:
        """Another word for a daily entry, in an editor; the next command commits it."""
        daily = [entry for entry in self._live() if entry.tier is Tier.DAILY and not entry.body]
        entry = self.dice.one(daily)
        words = f"{entry.title} (by hand)"
        self.lab.retype(f"{entry.title} ^{entry.id}", f"{words} ^{entry.id}", entry.note)
        self.words[entry.id] = words
        self._run(Visitor("editor", {}), "edit", entry.id, self._settle)

    def _copied_by_hand(self) -> None:
        """What is known already, written into today's note by hand, without an id: maintenance merges it."""
        entry = self.dice.one([entry for entry in self._live() if not entry.body and entry.basis == Basis.STATED])
        scope = f"  - scope: {entry.scope}\n" if entry.scope else ""
        today = self.lab.path(f"memory/{self.lab.now.date()}.md")
        today.write_text(f"{today.read_text()}\n- {entry.tag}: {entry.title}\n{scope}")
        self._run(Visitor("editor", {}), "edit", None, self._settle)

    def _by_hand_in_prose(self) -> None:
        """A note of the person's own between the last operations."""
        self.lab.path("memory/diary.md").write_text("The year was long.\n")
        self._run(Visitor("editor", {}), "edit", None, self._settle)

    def _settle(self) -> None:
        assert self.lab.settle() is None

    # Taking note

    def _live(self) -> list[Entry]:
        return [entry for entry in self.standing.values() if entry.live]

    def _name(self, entry_id: str) -> str:
        return self.names.setdefault(entry_id, f"e{len(self.names) + 1:03}")

    def _run(
        self,
        who: Visitor,
        verb: str,
        entry_id: str | None,
        work: Callable[[], Applied | None],
        *,
        note: str = "",
        told: Callable[[], str] | None = None,
    ) -> Applied | None:
        """Run one command, see what became of all entries, and write its line."""
        day = self.lab.now.date()
        applied: Applied | None = None
        try:
            applied = work()
        except Refused as refusal:
            effect, ids = f"refused: {refusal.rule}", [entry_id] if entry_id else []
            self._see(None)
        else:
            assert applied is None or applied.committed, applied.reason
            ids, effect = self._see(applied)
            if told is not None:
                ids, effect = [], told()
        self.counts[verb] += 1
        self.lines.append(self._line(day, who, verb, ids[:1], note + effect))
        return applied

    def _line(self, day: date, who: Visitor, verb: str, ids: list[str], effect: str) -> str:
        shown = ""
        for entry_id in ids:
            entry = self.standing[entry_id]
            title = entry.title if len(entry.title) <= 36 else f"{entry.title[:35]}…"
            shown = f"{self._name(entry_id)} {entry.tag:<10} {title}"
        return f"{day} {who.name:<17} {verb:<10} {shown:<52} {effect}".rstrip()

    def _see(self, applied: Applied | None) -> tuple[list[str], str]:
        """(the entries that changed, how the first of them did); each change is a step of its entry."""
        notes = self.notes()
        if notes == self.bytes_now:
            return list(applied.operation.entries) if applied else [], "nothing changed"
        operation = applied.operation if applied is not None and applied.changed else self._newest()
        if operation.actor != EDITOR:
            self.before.append((operation, self.bytes_now))
        self.bytes_now = notes
        entries = {entry.id: entry for entry in self.snapshot().entries() if not entry.provisional}
        assert set(self.standing) <= set(entries), "an entry is gone"
        changed = [key for key, entry in entries.items() if _as_read(entry) != _as_read(self.standing.get(key))]
        changed.sort(key=lambda key: operation.entries.index(key))
        effects = []
        for key in changed:
            self.steps.setdefault(key, []).append(
                Step(operation.verb, operation.actor, operation.session, entries[key])
            )
            effects.append(_effect(self.standing.get(key), entries[key]))
        self.standing = entries
        return changed, " & ".join(dict.fromkeys(effects)) or "nothing changed"

    def _newest(self) -> Operation:
        return self.lab.log()[0].operation


def _as_read(entry: Entry | None) -> object:
    """The entry without the place where it stands."""
    return entry and (entry.tag, entry.title, entry.body, entry.fields, entry.tier)


def _effect(before: Entry | None, after: Entry) -> str:
    sure = f" {after.confidence}" if after.tag is Tag.HYPOTHESIS else ""
    if before is None:
        return f"new: {after.tier}{sure}"
    parts: list[str] = []
    pairs: list[tuple[str, object, object]] = [
        ("", before.tier, after.tier),
        ("", before.tag, after.tag),
        ("", before.status, after.status),
        ("", before.confidence, after.confidence),
    ]
    pairs += [
        (f"{key} ", before.field(key), after.field(key)) for key in ("reinforced", "validated", "asked", "pinned")
    ]
    for label, old, new in pairs:
        if old != new and new is not None:
            parts.append(f"{label}{new}" if label else f"{old} → {new}")
    if before.pinned and not after.pinned:
        parts.append("no longer pinned")
    if join_title(before.title, before.body) != join_title(after.title, after.body):
        parts.append("other words")
    if after.status is not Status.ACTIVE and after.field("reason"):
        parts.append(f"({after.field('reason')})")
    return ", ".join(parts)
