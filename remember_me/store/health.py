"""Whether the small databases of a store can be read; nothing of them is changed."""

from __future__ import annotations

from pathlib import Path

from remember_me.store.database import is_damage

_WAIT_SECONDS = 0.5


def damaged_databases(own_folder: Path, names: tuple[str, ...]) -> list[str]:
    """Those of the files `names` in our own folder that are there and broken. One that is in use counts as whole."""
    return [name for name in names if (own_folder / name).exists() and _is_damaged(own_folder / name)]


def _is_damaged(path: Path) -> bool:
    import sqlite3

    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_WAIT_SECONDS)
        try:
            # Not quick_check: of SQLite 3.40 it reports NULL values in tables WITHOUT ROWID where there are none.
            return bool(db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok")
        finally:
            db.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return is_damage(error)
