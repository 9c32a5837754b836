"""The numbers of the rules, as named constants that a store's settings can override (DESIGN section 4)."""

from __future__ import annotations

from typing import NamedTuple

FADE_HIGH_DAYS = 14
"""From that age on a high hypothesis reads as medium."""
FADE_MEDIUM_DAYS = 30
"""From that age on a medium one reads as low."""
DISCARD_DAYS = 60
"""From that age on a hypothesis is due for discard."""
UNVALIDATED_SESSIONS = 5
"""After so many later sessions without validation a hypothesis is due for discard."""
PROMOTE_SESSIONS = 2
"""Repeated in so many sessions, an entry is due for promotion."""
REVIEWED_NOTES = 7
"""`maintain` looks at so many of the newest daily notes."""
MAINTAIN_EVERY_DAYS = 7
"""After so many days without it, `status` says that maintenance is due."""
LONG_TERM_TOKENS = 4000
"""`maintain` keeps MEMORY.md below that size."""
HYPOTHESES_PER_SESSION = 2
"""An agent may save so many hypotheses in one session."""


class Limits(NamedTuple):
    """The numbers in force for one store. Days are whole UTC days."""

    fade_high_days: int = FADE_HIGH_DAYS
    fade_medium_days: int = FADE_MEDIUM_DAYS
    discard_days: int = DISCARD_DAYS
    unvalidated_sessions: int = UNVALIDATED_SESSIONS
    promote_sessions: int = PROMOTE_SESSIONS
    reviewed_notes: int = REVIEWED_NOTES
    maintain_every_days: int = MAINTAIN_EVERY_DAYS
    long_term_tokens: int = LONG_TERM_TOKENS
    hypotheses_per_session: int = HYPOTHESES_PER_SESSION
