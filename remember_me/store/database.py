"""A small SQLite file of our own that nothing waits for: used, mended once where it is damaged, or done without."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import sqlite3

Answer = TypeVar("Answer")


def ask(
    path: Path,
    opened: Callable[[], AbstractContextManager[sqlite3.Connection]],
    work: Callable[[sqlite3.Connection], Answer],
    otherwise: Answer,
    mend: Callable[[int | None], bool],
) -> Answer:
    """What `work` gives; `otherwise` where the file cannot be used. Never raises for the file.

    `mend` is called once for a damaged file, with the inode that was found damaged: somebody else may have replaced it
    by then. It says whether to try again.
    """
    import sqlite3  # half as long to import as a bare Python takes to start, and most reads do without

    for attempt in range(2):
        seen = inode_of(path)
        try:
            with opened() as db:
                return work(db)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if attempt or not is_damage(error) or not mend(seen):
                return otherwise
        except (OSError, UnicodeEncodeError):
            return otherwise
    return otherwise


def inode_of(path: Path) -> int | None:
    """The inode of a file, or None where there is none to be had."""
    try:
        return path.stat().st_ino
    except OSError:
        return None


def is_damage(error: Exception) -> bool:
    """Whether the file is broken, and not locked, read-only or out of space."""
    import sqlite3

    if isinstance(error, sqlite3.OperationalError):
        return str(error).startswith(("no such table", "no such column", "table ", "malformed"))
    return isinstance(error, (sqlite3.DatabaseError, UnicodeDecodeError))
