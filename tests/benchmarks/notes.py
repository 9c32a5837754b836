"""Notes for measuring: years of daily notes with any number of entries, the same bytes for the same numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

from remember_me.model.change import Add
from remember_me.model.entry import ID_ALPHABET, Tag, render_evidence
from remember_me.model.entry import Evidence as Quote
from remember_me.notes.layout import daily_name, render_daily_note
from remember_me.notes.splice import render_entry

LAST_DAY = date(2026, 11, 28)
"""No note is of today, so that what a measured command adds gets a note of its own."""

_ZONE = timezone(timedelta(hours=1))
_VOCABULARY = """
    answers short long italian german table list spring autumn clock screws repair brass gear release winter fair
    customer invoice letter garden apples tea coffee bicycle train window review branch commit test notes keyboard
    morning evening walk quiet music piano tuning measure drawing blue green plain exact careful slow fast twice
    never always before after without with under over between until because mostly sometimes every other
"""
_WORDS = _VOCABULARY.split()
_TAGS = (Tag.FACT, Tag.PREFERENCE, Tag.PREFERENCE, Tag.GOAL, Tag.HYPOTHESIS)


def entry_id(number: int) -> str:
    """The id of entry `number`: no two are the same."""
    digits = ""
    for _ in range(5):
        number, digit = divmod(number, 32)
        digits = ID_ALPHABET[digit] + digits
    return "k" + digits


def entries(count: int, days: int) -> Iterator[Add]:
    """`count` entries, spread evenly over the `days` days up to `LAST_DAY`, oldest first."""
    for number in range(count):
        # A string as seed: the same stream in every version of Python.
        yield _entry(number, days, count, random.Random(f"entry {number}"))


def _entry(number: int, days: int, count: int, dice: random.Random) -> Add:
    on = LAST_DAY - timedelta(days=days - 1 - number * days // count)
    at = datetime(on.year, on.month, on.day, dice.randint(7, 22), dice.randint(0, 59), tzinfo=_ZONE)
    tag = dice.choice(_TAGS)
    fields: list[tuple[str, str]] = []
    if dice.random() < 0.5:
        fields.append(("description", _text(dice, 6)))
    if tag is Tag.HYPOTHESIS:
        fields.append(("confidence", "medium"))
    if dice.random() < 0.3:
        fields.append(("impact", "2"))
    if dice.random() < 0.2:
        fields.append(("scope", dice.choice(_WORDS)))
    if dice.random() < 0.3:
        fields.append(("evidence", render_evidence(Quote(_text(dice, 9), f"cli/{number:08x}, {at.isoformat()}"))))
    body = f"{_text(dice, 12)}.\n\n{_text(dice, 14)}." if dice.random() < 0.2 else ""
    return Add(entry_id(number), tag, f"{_text(dice, 9)} {number}".capitalize(), body, tuple(fields), at)


def _text(dice: random.Random, words: int) -> str:
    return " ".join(dice.choice(_WORDS) for _ in range(words))


def daily_notes(count: int, days: int) -> Iterator[tuple[str, bytes]]:
    """(file name, bytes) of each daily note that has an entry, oldest first."""
    on: date | None = None
    pieces: list[str] = []
    for change in entries(count, days):
        if change.at.date() != on:
            if on is not None:
                yield daily_name(on), "".join(pieces).encode()
            on, pieces = change.at.date(), [render_daily_note(change.at, "Europe/Rome")]
        pieces += ["\n", render_entry(change, "\n")]
    if on is not None:
        yield daily_name(on), "".join(pieces).encode()


def write_notes(store: Path, count: int, days: int) -> int:
    """Write the notes into the note folder of `store`; how many there are."""
    folder = store / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for name, data in daily_notes(count, days):
        (folder / name).write_bytes(data)
        number += 1
    return number
