"""What is known beside the notes: sessions, sightings, questions asked and refusals counted, in `state.sqlite`.

Not derived, but nothing in it is needed to read a note: if it is lost, counts start anew and nothing is
discarded or asked too early. A damaged file is set aside, and what can be read of it is taken over (DESIGN section 3).
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remember_me.policy.decay import utc_date
from remember_me.store.database import Answer, ask, inode_of

if TYPE_CHECKING:
    import sqlite3

STATE_NAME = "state.sqlite"
VERSION = 1

_TABLES = {
    "session": "name TEXT, scope TEXT, day TEXT, PRIMARY KEY (scope, day, name)",
    "sighting": "entry TEXT, session TEXT, day TEXT, PRIMARY KEY (entry, session)",
    "question": "session TEXT PRIMARY KEY, entry TEXT, at TEXT",
    "guess": "session TEXT, entry TEXT, PRIMARY KEY (session, entry)",
    "held": "entry TEXT PRIMARY KEY",
    "refusal": "rule TEXT PRIMARY KEY, number INTEGER",
    "mark": "name TEXT PRIMARY KEY, at TEXT",
}
_SCHEMA = "".join(f"CREATE TABLE IF NOT EXISTS {name} ({columns}) WITHOUT ROWID;" for name, columns in _TABLES.items())
_WAIT_SECONDS = 2.0
_MENDING_SECONDS = 2.0
_MENDING_STEPS = 100
_EVERYWHERE = ""
_SET_ASIDE = f"{STATE_NAME}.damaged-"


class SessionDays(NamedTuple):
    """On which UTC days an interactive session was here, by scope; the days are ISO dates in their order."""

    by_scope: dict[str, list[str]]

    def later(self, scope: str | None, day: str) -> int:
        """On how many days after `day` (ISO) a session was here: at most one a day counts.

        For an entry of a scope those of that scope count, and those that had none.
        """
        scopes = self.by_scope if scope is None else (scope, _EVERYWHERE)
        days: set[str] = set()
        for name in scopes:
            known = self.by_scope.get(name, [])
            days.update(known[bisect_right(known, day) :])
        return len(days)


class Question(NamedTuple):
    """A question that was given out: about which entry, and when (aware)."""

    entry: str
    at: datetime


class State:
    """The state of one store. Every method works, at worst with empty answers: the state never blocks a write.

    With `mends` False a damaged file is left as it is, for a command that is to change nothing.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mends = True

    # Sessions

    def note_session(self, session: str, scope: str | None, at: datetime) -> None:
        """This interactive session was here at `at` (aware)."""
        row = (session, scope or _EVERYWHERE, _day(at))

        def note(db: sqlite3.Connection) -> None:
            # Looking first: each command of a session comes here, and a write waits for the disk.
            if not db.execute("SELECT 1 FROM session WHERE name = ? AND scope = ? AND day = ?", row).fetchall():
                db.execute("INSERT OR IGNORE INTO session (name, scope, day) VALUES (?, ?, ?)", row)

        self._run(note, None)

    def session_days(self) -> SessionDays:
        """All days on which an interactive session was here."""
        found: dict[str, list[str]] = {}
        for scope, day in self._read("SELECT DISTINCT scope, day FROM session ORDER BY scope, day"):
            found.setdefault(scope, []).append(day)
        return SessionDays(found)

    def note_sightings(self, entries: Iterable[str], session: str, at: datetime) -> None:
        """The session carried these entries."""
        rows = [(entry, session, _day(at)) for entry in entries]

        def write(db: sqlite3.Connection) -> None:
            db.executemany("INSERT OR IGNORE INTO sighting (entry, session, day) VALUES (?, ?, ?)", rows)

        self._run(write, None)

    def was_counted(self, entry: str, session: str) -> bool | None:
        """Whether the session was counted for that entry; None where no session of the entry is known."""
        known = {row[0] for row in self._read("SELECT session FROM sighting WHERE entry = ?", (entry,))}
        return session in known if known else None

    def note_guess(self, session: str, entry: str) -> None:
        """An agent saved a hypothesis in that session."""
        self._write("INSERT OR IGNORE INTO guess (session, entry) VALUES (?, ?)", (session, entry))

    def guesses(self, session: str) -> int:
        """How many hypotheses the agent of that session saved in it."""
        return next((row[0] for row in self._read("SELECT count(*) FROM guess WHERE session = ?", (session,))), 0)

    # Check-ins

    def take_question(self, session: str, at: datetime) -> bool:
        """Take the one question of this session; False if it was taken already, or if that cannot be known."""

        def take(db: sqlite3.Connection) -> bool:
            sql = "INSERT OR IGNORE INTO question (session, entry, at) VALUES (?, '', ?)"
            return db.execute(sql, (session, at.isoformat())).rowcount == 1

        return self._run(take, False)

    def give_back_question(self, session: str) -> None:
        """Nothing was asked in this session after all."""
        self._write("DELETE FROM question WHERE session = ? AND entry = ''", (session,))

    def note_question(self, session: str, entry: str) -> None:
        """The question of this session was about that entry."""
        self._write("UPDATE question SET entry = ? WHERE session = ?", (entry, session))

    def question(self, session: str) -> Question | None:
        """The question of that session, or None."""
        for entry, at in self._read("SELECT entry, at FROM question WHERE session = ? AND entry <> ''", (session,)):
            with suppress(ValueError, TypeError):
                return Question(entry, datetime.fromisoformat(at))
        return None

    def asked(self) -> set[str]:
        """The entries that a check-in asked about."""
        return {row[0] for row in self._read("SELECT entry FROM question WHERE entry <> ''")}

    def questions_on(self, at: datetime) -> int:
        """In how many sessions a question was taken on that UTC day."""
        rows = self._read("SELECT at FROM question")
        return sum(utc_date(datetime.fromisoformat(row[0])) == utc_date(at) for row in rows)

    # Refusals and marks

    def count_refusal(self, rule: str) -> None:
        """One more refusal by that rule."""
        self._write(
            "INSERT INTO refusal (rule, number) VALUES (?, 1) ON CONFLICT (rule) DO UPDATE SET number = number + 1",
            (rule,),
        )

    def refusals(self) -> dict[str, int]:
        """Rule to the number of its refusals."""
        return dict(self._read("SELECT rule, number FROM refusal ORDER BY rule"))

    def set_mark(self, name: str, at: datetime) -> None:
        """Remember when something was done last."""
        self._write("INSERT OR REPLACE INTO mark (name, at) VALUES (?, ?)", (name, at.isoformat()))

    def mark(self, name: str) -> datetime | None:
        """When something was done last, or None."""
        for row in self._read("SELECT at FROM mark WHERE name = ?", (name,)):
            with suppress(ValueError, TypeError):
                return datetime.fromisoformat(row[0])
        return None

    def set_held(self, entries: Iterable[str]) -> None:
        """These entries are due for the long-term note, which had no room for them; they are looked at again."""
        rows = [(entry,) for entry in entries]

        def write(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM held")
            db.executemany("INSERT OR IGNORE INTO held (entry) VALUES (?)", rows)

        self._run(write, None)

    def held(self) -> set[str]:
        """The entries that the long-term note had no room for."""
        return {row[0] for row in self._read("SELECT entry FROM held")}

    def set_aside(self) -> list[str]:
        """The names of damaged files that were set aside."""
        try:
            names = os.listdir(self.path.parent)
        except OSError:
            return []
        return sorted(name for name in names if name.startswith(_SET_ASIDE))

    # The file

    def stamp(self) -> tuple[int, ...]:
        """What differs once anything was written to the file; empty where there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return ()
        return found.st_size, found.st_mtime_ns, found.st_ino

    def _read(self, sql: str, values: tuple[str, ...] = ()) -> list[Any]:
        if not self.path.exists():
            return []
        return self._run(lambda db: db.execute(sql, values).fetchall(), [])

    def _write(self, sql: str, values: tuple[str, ...]) -> None:
        self._run(lambda db: db.execute(sql, values).rowcount, 0)

    def _run(self, work: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """What `work` gives; `otherwise` where the file cannot be used. A damaged one is replaced once."""
        return ask(self.path, self._open, work, otherwise, self._replace_damaged if self.mends else _leave)

    @contextmanager
    def _open(self, path: Path | None = None) -> Iterator[sqlite3.Connection]:
        import sqlite3

        where = path or self.path
        where.touch(mode=0o600)
        db = sqlite3.connect(where, timeout=_WAIT_SECONDS)
        try:
            found = db.execute("PRAGMA user_version").fetchone()[0]
            if found == 0:
                db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
            elif found > VERSION:
                raise LaterVersion
            with db:
                yield db
        finally:
            db.close()

    def _replace_damaged(self, seen: int | None) -> bool:
        """Set the damaged file aside and put a new one in its place, with the rows that can still be read.

        Whether there is another file to try now. `seen` is the inode that was found damaged: if it is another by now,
        somebody else has replaced it.
        """
        import sqlite3

        mending = self.path.with_name(f".{STATE_NAME}.mending")
        if not _take_folder(mending):
            return True
        aside = self.path.with_name(f"{_SET_ASIDE}{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
        new = self.path.with_name(f".{STATE_NAME}.new")
        try:
            if inode_of(self.path) != seen:
                return True
            new.unlink(missing_ok=True)
            with self._open(new) as db:
                for table in _TABLES:
                    _take_over(db, table, _readable_rows(self.path, table))
            os.link(self.path, aside)
            os.replace(new, self.path)
            return True
        except (OSError, sqlite3.Error):
            return False
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)
                os.rmdir(mending)


def _take_folder(folder: Path) -> bool:
    """Make a folder that only one command can have; False where another has it, after waiting until it is done.

    One that a killed command left is taken over.
    """
    for _ in range(_MENDING_STEPS):
        try:
            os.mkdir(folder)
            return True
        except FileExistsError:
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > _MENDING_SECONDS:
                    os.rmdir(folder)
            time.sleep(_MENDING_SECONDS / _MENDING_STEPS)
            if not folder.exists():
                return False
        except OSError:
            return False
    return False


class LaterVersion(OSError):
    """The file was made by a later version; it is left alone."""


def _take_over(db: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    import sqlite3

    for row in rows:
        marks = ", ".join("?" * len(row))
        try:
            db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", row)
        except sqlite3.Error:
            return  # of another shape


def _readable_rows(path: Path, table: str) -> Iterator[tuple[object, ...]]:
    """The rows of a table up to the first that cannot be read."""
    import sqlite3

    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        db.execute("PRAGMA writable_schema = ON")  # so that a file that is too short is read as far as it goes
        yield from db.execute(f"SELECT * FROM {table}")
    except (sqlite3.Error, UnicodeDecodeError):
        return
    finally:
        db.close()


def _leave(seen: int | None) -> bool:
    return False


def _day(at: datetime) -> str:
    return utc_date(at).isoformat()
