"""Where notes lie and what their names say; the long-term headings; what a new note looks like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from remember_me.model.entry import Basis, Signal, Tag

LONG_TERM_NAME = "MEMORY.md"
TOMBSTONES_NAME = "forgotten.md"
SETTINGS_NAME = "remember-me.toml"


class NoteKind(StrEnum):
    """What a file of the store is read as. `PROSE` holds no entries, only passages."""

    DAILY = "daily"
    LONG_TERM = "long-term"
    TOPIC = "topic"
    PROSE = "prose"


HEADINGS: Mapping[str, str] = {
    "facts": "Facts",
    "preferences": "Preferences",
    "boundaries": "Boundaries",
    "priorities": "Active Priorities",
    "frictions": "Recurring Frictions",
    "patterns": "Behavioral Patterns",
    "assumptions": "Assumptions (Hypotheses)",
    "questions": "Open Questions",
}
"""The long-term headings in their order (DESIGN 3.1)."""

_DATE_NAME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.md\Z")
_COPY = re.compile(
    r"""
    ([0-9]{4}-[0-9]{2}-[0-9]{2}|MEMORY)                             # beside a daily note or the long-term one:
      (?:\ [0-9]{1,3} | \ \([0-9]{1,3}\) | \ (?:-\ )?copy(?:\ [0-9]{1,3})?) \.md  # numbered, or copied by hand
  | (.+) (?:\ [2-9] | _conf\([0-9]+\) | \ conflict\ [0-9-]+ | _conflict-[0-9]{8}-[0-9]{6}) \.md
  | (.+?) \ ? \( (?:[^)]*\b)? (?:conflict(?:ed|ing)?\ copy | conflicted | case\ conflict | sfconflict) \b [^)]* \) .*
  | (.+?) (?:\.md)? \.sync-conflict- .*
  | (.+?) (?:\.md)? ~ (?:\.md)?                                      # an editor's backup
  | \. (.+?) \.sw[a-p] | \.\# (.+) | \# (.+) \#                      # swap, lock and autosave files
  | \.? (.+?) \. (?:orig|bak|rej|tmp|swp|swo|icloud)
  | (.+?) \.md \.[0-9]+
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What sync clients and editors leave beside a note; the group that matches is the note's own name."""

_BEGINNING_BYTES = 100
_OUR_TEMPORARY = re.compile(r"\.[^/]*\.remember-me-[0-9a-f]+\Z")


def date_of(name: str) -> date | None:
    """The date of a daily note named `name` (`2026-11-29.md`), or None if it has no such name or no real date."""
    match = _DATE_NAME.match(name)
    if match is None:
        return None
    try:
        return date.fromisoformat(match[1])
    except ValueError:
        return None


def looks_dated(name: str) -> bool:
    """Whether `name` has the form of a daily note's name, real date or not (`2026-13-45.md`)."""
    return _DATE_NAME.match(name) is not None


def is_copy(name: str) -> bool:
    """Whether `name` is a conflict copy, a backup or a swap file: such files are listed, never read.

    The name alone decides, so that a note is not read on one machine and left out on another: `chapter 2.md`
    counts as a copy too, and `status` says so.
    """
    return _COPY.fullmatch(name) is not None


def original_of(name: str) -> str | None:
    """The name of the note that a copy named `name` belongs to, or None where it is no copy."""
    match = _COPY.fullmatch(name)
    if match is None:
        return None
    stem = next(group for group in match.groups() if group is not None)
    return stem if stem.endswith(".md") else f"{stem}.md"


def is_temporary(name: str) -> bool:
    """Whether `name` is a temporary file of our own writer."""
    return _OUR_TEMPORARY.match(name) is not None


def temporary_name(name: str, token: str) -> str:
    """The name under which the writer prepares the note `name`; never the name of a note, and never too long."""
    beginning = name.encode("utf-8", "surrogateescape")[:_BEGINNING_BYTES].decode("utf-8", "ignore")
    return f".{beginning}.remember-me-{token}"


def daily_name(on: date) -> str:
    return f"{on.isoformat()}.md"


def heading_for(tag: Tag, signal: str | None, basis: str) -> str:
    """The long-term heading that an entry of this kind goes under (DESIGN 3.1)."""
    if tag is Tag.HYPOTHESIS:
        return HEADINGS["assumptions"]
    if signal == Signal.BOUNDARY:
        return HEADINGS["boundaries"]
    if signal == Signal.BLOCKER:
        return HEADINGS["frictions"]
    if tag is Tag.GOAL or signal == Signal.PROJECT:
        return HEADINGS["priorities"]
    if basis == Basis.OBSERVED:
        return HEADINGS["patterns"]
    return HEADINGS["facts"] if tag is Tag.FACT else HEADINGS["preferences"]


def render_daily_note(at: datetime, zone_name: str | None) -> str:
    """What a new daily note starts with. `zone_name` is an IANA name, or None where the machine has none."""
    zone_line = f"timezone: {zone_name}\n" if zone_name else ""
    return f"---\ndate: {at.date().isoformat()}\n{zone_line}---\n"


def is_note_path(path: str, notes_dir: str) -> bool:
    """Whether a path relative to the store is MEMORY.md or a `.md` file of the note folder that is read."""
    parts = path.split("/")
    if not path.endswith(".md") or any(part.startswith(".") for part in parts) or is_copy(parts[-1]):
        return False
    if path == LONG_TERM_NAME:
        return True
    if path == tombstones_path(notes_dir):
        return False
    return len(parts) == 1 if notes_dir == "." else parts[0] == notes_dir and len(parts) > 1


def is_tracked_path(path: str, notes_dir: str) -> bool:
    """Whether hand edits of that file are taken into the history: the notes, the settings, and the tombstones."""
    return path in (SETTINGS_NAME, tombstones_path(notes_dir)) or is_note_path(path, notes_dir)


def tombstones_path(notes_dir: str) -> str:
    """Where the tombstones of a store lie."""
    return TOMBSTONES_NAME if notes_dir == "." else f"{notes_dir}/{TOMBSTONES_NAME}"
