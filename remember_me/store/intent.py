"""What is still to be erased from the history: kept beside the notes, in no git, until that is done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from remember_me.notes.note import decode
from remember_me.store.files import Disk, read_regular, write_failed, write_private
from remember_me.store.listing import NOTE_LIMIT_BYTES

INTENT_NAME = "erase.json"


class Intent(NamedTuple):
    """`ids` are of the forgotten entries, `texts` must be gone, and an entry that says one of `said` goes, too.

    `matches` are texts by which entries were looked for: they go out of what we keep beside the notes.
    """

    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()

    def __or__(self, other: object) -> Intent:
        """Both together."""
        assert isinstance(other, Intent)
        return Intent(*(tuple(dict.fromkeys((*mine, *theirs))) for mine, theirs in zip(self, other, strict=True)))


def load_intent(own_folder: Path) -> Intent:
    """What is still to be erased; empty where nothing is."""
    try:
        found = json.loads(decode(read_regular(own_folder / INTENT_NAME, NOTE_LIMIT_BYTES)))
        return Intent(*(tuple(map(str, found.get(key, ()))) for key in Intent._fields))
    except (OSError, ValueError, AttributeError, TypeError):
        return Intent()


def save_intent(own_folder: Path, intent: Intent, disk: Disk) -> None:
    """Keep it; an empty one takes the file away. Raises WriteFailed."""
    path = own_folder / INTENT_NAME
    try:
        if intent == Intent():
            path.unlink(missing_ok=True)
            for half in own_folder.glob(f".{INTENT_NAME}.*"):
                half.unlink(missing_ok=True)  # of a killed command
        else:
            write_private(path, json.dumps(intent._asdict()).encode(), disk)
    except OSError as error:
        raise write_failed(f"{own_folder.name}/{INTENT_NAME}", error) from None
