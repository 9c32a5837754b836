"""What `doctor` finds: a fault, a warning or a note, where it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from remember_me.app.wiring import Session

FAULT, WARNING, NOTE = "fault", "warning", "note"
"""Severities. A note is no problem: it says what is, where that may surprise."""


class Finding(NamedTuple):
    """One thing. `what` is a sentence without its period, `where` is path, path:line or path:line:column.

    `hint` is the next step, of which `command` are the words behind `remember-me`. `fix` mends it and says what it did;
    None where only a person can know what is right.
    """

    severity: str
    what: str
    where: str | None = None
    hint: str | None = None
    command: str | None = None
    fix: Callable[[Session], str] | None = None


def is_problem(finding: Finding) -> bool:
    """Whether something is wrong."""
    return finding.severity != NOTE
