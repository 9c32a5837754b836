"""The tables that hooks write, and how: shared by the store and by hooks, which must not import more than this.

Standard library only, without `re`, `datetime` and `typing`, which take longer to load than the work takes. All tables
hold little and for seven days: what the user typed (`receipts.sqlite`), and what sessions have seen, what waits to be
looked through and when each hook ran (`sessions.sqlite`). Whoever cannot write them goes on without.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

PRAGMAS = (
    "PRAGMA secure_delete = ON",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA synchronous = OFF",
)
"""Deleted text is overwritten. The journal is a file, because a hook may be killed at any moment; but nothing waits for
the disk: a file that a power cut breaks is replaced."""

RECEIPTS_NAME = "receipts.sqlite"
RECEIPTS_VERSION = 2
RECEIPTS_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS receipt (number INTEGER PRIMARY KEY, session TEXT NOT NULL, message TEXT NOT NULL,"
    " at TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL, transcript TEXT NOT NULL DEFAULT '',"
    " UNIQUE (session, message))",
)
"""`number` is the order of arrival; `at` is UTC, ISO 8601 with microseconds, so that it sorts as text. `transcript` is
the file in which the client keeps the conversation, where it names one."""

KEPT_DAYS = 7
KEPT_PER_SESSION = 20
KEPT_IN_ALL = 500
TEXT_BYTES = 20_000

SESSIONS_NAME = "sessions.sqlite"
SESSIONS_VERSION = 1
SESSIONS_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS session (name TEXT PRIMARY KEY, scope TEXT NOT NULL, started TEXT NOT NULL,"
    " seen TEXT NOT NULL DEFAULT '', interactive INTEGER NOT NULL DEFAULT 0, stopped INTEGER NOT NULL DEFAULT 0,"
    " compacted INTEGER NOT NULL DEFAULT 0, counted INTEGER NOT NULL DEFAULT 0,"
    " process TEXT NOT NULL DEFAULT '',"
    " ended TEXT NOT NULL DEFAULT '') WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS queue (number INTEGER PRIMARY KEY, session TEXT NOT NULL, message TEXT NOT NULL,"
    " event TEXT NOT NULL, at TEXT NOT NULL, scope TEXT NOT NULL, transcript TEXT NOT NULL,"
    " UNIQUE (session, message, event))",
    "CREATE TABLE IF NOT EXISTS fired (client TEXT, event TEXT, at TEXT NOT NULL, took_ms INTEGER NOT NULL,"
    " outcome TEXT NOT NULL, PRIMARY KEY (client, event)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS notice (name TEXT PRIMARY KEY, text TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID",
)
"""`session.seen` are the ids that the agent of the session has before it, between spaces; `interactive` says whether a
person typed in it; a session that is `stopped` is not captured any more, one that was `compacted` has lost its block,
one that was `counted` is in the state as well; `process` is that of its client, where nothing else names the session to
the shell of the agent. A row of `queue` is a turn of a session that may be looked through, by its place and not by its
words. `fired` is the last run of each hook, `notice` what to tell the user."""

QUEUE_ROWS = 1_000
SESSION_ROWS = 500
SESSION_CHARACTERS = 200

_NUMBER_OF_MICROSECONDS = 1_000_000


def stamp(seconds: float) -> str:
    """A moment, in seconds since 1970, as all tables have it: UTC, ISO 8601 with microseconds."""
    import time

    whole, micro = divmod(round(seconds * _NUMBER_OF_MICROSECONDS), _NUMBER_OF_MICROSECONDS)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(whole))}.{micro:06d}+00:00"


def prepare(db: sqlite3.Connection, version: int, schema: Iterable[str]) -> bool:
    """Make the tables where they are missing. False for a file of a later version, which is left alone."""
    for pragma in PRAGMAS:
        db.execute(pragma)
    (found,) = db.execute("PRAGMA user_version").fetchone()
    if found < version:
        db.execute("BEGIN IMMEDIATE")
        (found,) = db.execute("PRAGMA user_version").fetchone()  # somebody else may have been first
        if found == 1 and version == RECEIPTS_VERSION:
            db.execute("ALTER TABLE receipt ADD COLUMN transcript TEXT NOT NULL DEFAULT ''")
        for statement in schema:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("COMMIT")
    return bool(found <= version)


def keep_receipt(db: sqlite3.Connection, row: tuple[str, str, str, str, str, str], oldest: str, latest: str) -> bool:
    """Keep a message (session, message, at, source, text, transcript), unless it is there already.

    What is too many, and what is not from `oldest` to `latest`, goes. Whether it was kept now.
    """
    kept = db.execute(
        "INSERT OR IGNORE INTO receipt (session, message, at, source, text, transcript) VALUES (?, ?, ?, ?, ?, ?)", row
    ).rowcount
    expired = db.execute("DELETE FROM receipt WHERE at < ? OR at > ?", (oldest, latest)).rowcount
    db.execute(
        "DELETE FROM receipt WHERE session = ? AND number NOT IN"
        " (SELECT number FROM receipt WHERE session = ? ORDER BY number DESC LIMIT ?)",
        (row[0], row[0], KEPT_PER_SESSION),
    )
    db.execute(
        "DELETE FROM receipt WHERE number NOT IN (SELECT number FROM receipt ORDER BY number DESC LIMIT ?)",
        (KEPT_IN_ALL,),
    )
    db.commit()
    if expired:
        db.execute("VACUUM")
    return kept == 1


def plain(text: str) -> str:
    """`text` as SQLite can hold it: each lone surrogate becomes a question mark, so that offsets stay."""
    return text.encode("utf-8", "replace").decode("utf-8")


def cut(text: str) -> str:
    """`text` as a receipt keeps it: its end is cut where it is too long."""
    return text.encode("utf-8", "replace")[:TEXT_BYTES].decode("utf-8", "ignore")
