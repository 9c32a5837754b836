"""One entry: the unit of id, tag, confidence, review, history and undo (DESIGN section 3.1)."""

from __future__ import annotations

import re
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple


class Tag(StrEnum):
    FACT = "FACT"
    PREFERENCE = "PREFERENCE"
    GOAL = "GOAL"
    HYPOTHESIS = "HYPOTHESIS"


class Signal(StrEnum):
    PREFERENCE = "preference"
    BOUNDARY = "boundary"
    GOAL = "goal"
    PROJECT = "project"
    BLOCKER = "blocker"
    PERSONAL = "personal"


class Basis(StrEnum):
    STATED = "stated"
    OBSERVED = "observed"
    INFERRED = "inferred"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Status(StrEnum):
    ACTIVE = "active"
    DISABLED = "disabled"
    STALE = "stale"
    DISCARDED = "discarded"
    PROMOTED = "promoted"
    SUPERSEDED = "superseded"


class Facet(StrEnum):
    TONE = "tone"
    BREVITY = "brevity"
    WORKFLOW = "workflow"
    CONSTRAINT = "constraint"
    DECISION_STYLE = "decision-style"


class Tier(StrEnum):
    """Where an entry lies: in a daily note, the long-term note, or a topic note of its own."""

    DAILY = "daily"
    LONG_TERM = "long-term"
    TOPIC = "topic"


FIELD_KEYS = (
    "description",
    "signal",
    "basis",
    "confidence",
    "impact",
    "scope",
    "session",
    "pinned",
    "status",
    "reason",
    "since",
    "reinforced",
    "validated",
    "asked",
    "probe",
    "aliases",
    "facet",
    "expires",
    "links",
    "supersedes",
    "evidence",
)
"""Our own field keys, in the order in which a new entry is written."""

DATE_FIELDS = ("since", "validated", "asked", "expires")

CHOICES: dict[str, tuple[str, ...]] = {
    "signal": tuple(Signal),
    "basis": tuple(Basis),
    "confidence": tuple(Confidence),
    "impact": ("1", "2", "3"),
    "pinned": ("true", "false"),
    "status": tuple(Status),
    "facet": tuple(Facet),
}
"""The values that a field with a fixed set of values may have."""

ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Lower-case Crockford base32."""

ID_PATTERN = r"[0-9a-hjkmnp-tv-z]{6,}"
PROVISIONAL_PREFIX = "u-"

_ID = re.compile(ID_PATTERN)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_LIKE_A_NUMBER = re.compile(r"[0-9]+|[0-9]+e[0-9]+|0x[0-9a-f]+|0b[01]+")
_SOURCE = re.compile(r"[ \t]+(?:—|--|-)[ \t]+(.*)\Z")
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’"}


def composed(word: str) -> str:
    """One form of what a Mac types and stores differently: NFC."""
    if word.isascii():
        return word
    from unicodedata import normalize

    return normalize("NFC", word)


def same_word(one: str, other: str) -> bool:
    """Whether both are one word, composed or decomposed."""
    return one == other or composed(one) == composed(other)


def is_id(text: str) -> bool:
    """Whether `text` has the form of a real id: 6 or more characters of `ID_ALPHABET`, never like a number."""
    return _ID.fullmatch(text) is not None and _LIKE_A_NUMBER.fullmatch(text) is None


class Evidence(NamedTuple):
    """An exact quote of the user; `source` is what stands behind it (`session, time`), or None."""

    quote: str
    source: str | None = None


class Entry(NamedTuple):
    """One occurrence of an entry in a note.

    `id` is real or provisional (`u-…`). `body` has LF line ends, no outer blank lines and no indent.
    `fields` are the (key, value) pairs as written, unknown ones included. `note` is relative to the
    store with `/`; `line` is 1-based. `created_at` is None where no time is known.
    """

    id: str
    tag: Tag
    title: str
    body: str
    fields: tuple[tuple[str, str], ...]
    note: str
    line: int
    tier: Tier
    created_on: date | None = None
    created_at: datetime | None = None

    def field(self, key: str) -> str | None:
        """The first value written for `key`, or None."""
        for name, value in self.fields:
            if name == key:
                return value
        return None

    def _choice(self, key: str) -> str | None:
        value = self.field(key)
        return value if value in CHOICES[key] else None

    @property
    def provisional(self) -> bool:
        return self.id.startswith(PROVISIONAL_PREFIX)

    @property
    def description(self) -> str | None:
        return self.field("description") or None

    @property
    def signal(self) -> str | None:
        return self._choice("signal")

    @property
    def basis(self) -> str:
        inferred = self.tag is Tag.HYPOTHESIS
        return self._choice("basis") or (Basis.INFERRED if inferred else Basis.STATED).value

    @property
    def confidence(self) -> str | None:
        """The stored confidence of a HYPOTHESIS; None for the other tags."""
        if self.tag is not Tag.HYPOTHESIS:
            return None
        return self._choice("confidence") or Confidence.LOW.value

    @property
    def impact(self) -> int:
        return int(self._choice("impact") or 1)

    @property
    def scope(self) -> str | None:
        return self.field("scope") or None

    @property
    def session(self) -> str | None:
        return self.field("session") or None

    @property
    def pinned(self) -> bool:
        return self._choice("pinned") == "true"

    @property
    def validated(self) -> bool:
        """Whether the person confirmed it: `validated` holds the date, or the skill's word for it."""
        return self.field("validated") == "true" or self.date_field("validated") is not None

    @property
    def status(self) -> Status:
        return Status(self._choice("status") or Status.ACTIVE)

    @property
    def live(self) -> bool:
        return self.status is Status.ACTIVE

    @property
    def reinforced(self) -> tuple[date | None, int]:
        """(date of the last reinforcement, number of sessions that carried it)."""
        day, _, rest = (self.field("reinforced") or "").partition(",")
        count = re.match(r"[ ]*([0-9]{1,6})", rest)
        return parse_date(day.strip()), int(count[1]) if count else (1 if parse_date(day.strip()) else 0)

    def date_field(self, key: str) -> date | None:
        """The date in field `key`, or None where it is missing or is no date."""
        return parse_date(self.field(key) or "")

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return tuple(parse_evidence(value) for key, value in self.fields if key == "evidence")


def parse_date(text: str) -> date | None:
    """The date at the start of `text` (`2026-11-29`, or a longer ISO stamp), or None."""
    try:
        return date.fromisoformat(text[:10]) if _DATE.match(text) else None
    except ValueError:
        return None


def parse_evidence(value: str) -> Evidence:
    """Read `"quote" — session, time`; curly quotes and no quotes are read too (DESIGN 3.1)."""
    import json

    if value.startswith('"'):
        try:
            quote, end = json.JSONDecoder(strict=False).raw_decode(value)
        except ValueError:
            pass
        else:
            source = _SOURCE.match(value, end)
            return Evidence(str(quote), source[1] if source else None)
    closing = _QUOTES.get(value[:1])
    end = value.rfind(closing) if closing else -1
    if end > 0:
        source = _SOURCE.match(value, end + 1)
        return Evidence(value[1:end], source[1] if source else None)
    return Evidence(value, None)


def render_evidence(evidence: Evidence) -> str:
    """The inverse of `parse_evidence`: a JSON string, then the source if there is one."""
    import json

    quote = json.dumps(evidence.quote, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{quote} — {evidence.source}" if evidence.source else quote
