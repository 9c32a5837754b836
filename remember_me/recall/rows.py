"""What the cache keeps of one note: a row for each entry that is served, and for each passage of prose. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from remember_me.model.entry import Basis, Confidence, Entry, Status, Tag, composed
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note, encode
from remember_me.policy.decay import last_seen_on, utc_date
from remember_me.recall.keys import (
    CHOICES,
    ENDED,
    FIRST_ORDER,
    FLAGS_BIT,
    GROUP_BITS,
    IMPACT_BIT,
    LAST_GROUP,
    LAST_ORDER,
    LAST_SCOPE,
    LENGTH_BITS,
    LOW_BITS,
    ORDER_BITS,
    PASSAGE_SCOPE,
    PINNED_BIT,
    STATUSES,
    TAGS,
    UNDATED,
    VALIDATED_BIT,
    mark_of,
)
from remember_me.recall.phrases import Said, token_of
from remember_me.recall.terms import Traits, clean, traits_of

_IN_COLUMNS = {
    *("description", "signal", "basis", "confidence", "impact", "scope", "pinned"),
    *("status", "validated", "aliases", "facet", "expires", "evidence"),
}


class Row(NamedTuple):
    """One row of the table `stored`, in the order of its columns; the view `entry` shows it with words for numbers.

    A passage has no id and no tag: its title is its address, its body its text. `kind` holds all that has a fixed set
    of values. `created` and `seen` are days as ordinals: `created` None is the day of the note, 0 none at all, and
    `seen` None is the same as `created`. `fields` are those that no column holds, without the evidence, as JSON.
    """

    key: int
    id: str
    note: int
    kind: int
    title: str
    description: str | None
    body: str
    scope: str | None
    expires: str | None
    aliases: str | None
    created: int | None
    seen: int | None
    line: int
    start: int
    length: int
    fields: str | None
    head: str | None


class Served(NamedTuple):
    """A row with its terms, and what a prompt may bring it to mind by; None for a passage and for one that is not
    live."""

    row: Row
    traits: Traits
    said: Said | None

    @property
    def scope_number(self) -> int:
        return self.row.key >> GROUP_BITS + ORDER_BITS & LAST_SCOPE


def rowid_of(key: int, traits: Traits) -> int:
    """The rowid in the full-text table: the key, whether it ends in a question mark, and its length in terms."""
    return key << LOW_BITS | (traits.flags & 1) << LENGTH_BITS | min(traits.length, (1 << LENGTH_BITS) - 1)


_TAG_MARKS = tuple(f" {mark_of(tag)}" if tag else "" for tag in TAGS)
_STATUS_MARKS = tuple("" if status == Status.ACTIVE else f" {mark_of(status)}" for status in STATUSES)


def indexed(traits: Traits, kind: int, said: Said | None) -> str:
    """What the full-text table gets of a row."""
    marked = traits.terms + _TAG_MARKS[kind & 7] + _STATUS_MARKS[kind >> 3 & 7]
    return f"{marked} {' '.join(tokens_of(said))}" if said is not None else marked


def tokens_of(said: Said) -> list[str]:
    """The terms of the trigger match as words of the full-text table, sorted."""
    return sorted(map(token_of, said.terms))


def said_of_row(key: int, title: str, description: str | None, aliases: str | None, *, passage: bool) -> Said | None:
    """What a prompt may bring a row to mind by: the same whenever it is asked."""
    return None if passage or key >= ENDED else Said(title, description or "", aliases or "")


def traits_of_row(title: str, description: str | None, aliases: str | None, body: str, *, passage: bool) -> Traits:
    """What the search knows of a row: the same whenever it is asked, so that a row can be taken out again."""
    return traits_of(body) if passage else traits_of(title, description or "", aliases or "", body)


def group_of(note: Note, number: int) -> int:
    """The day of a daily note as an ordinal; any other note has a group of its own above all days."""
    if note.kind is NoteKind.DAILY and note.on is not None:
        return note.on.toordinal()
    return min(UNDATED + number, LAST_GROUP)


class Keys:
    """Gives keys to the rows of one note: scope, group, and the order among the live or the ended ones of its scope."""

    def __init__(self, group: int) -> None:
        self.group = group
        self._orders: dict[int, int] = {}

    def next(self, scope: int, *, live: bool) -> int | None:
        """The next key, or None where the note holds more than a key can tell."""
        base = (0 if live else ENDED) | (scope << GROUP_BITS | self.group) << ORDER_BITS
        order = self._orders.get(base, FIRST_ORDER)
        if order > LAST_ORDER:
            return None
        self._orders[base] = order + 1
        return base | order


def entry_rows(note: Note, number: int, served: Iterable[int], scopes: dict[str, int]) -> Iterator[Served]:
    """The rows of the entries `served` (their ordinals in the note, rising)."""
    group = group_of(note, number)
    keys = Keys(group)
    spans = _byte_spans(note)
    for ordinal in served:
        entry = note.entries[ordinal]
        fields = dict(reversed(entry.fields))  # of several the first one counts
        status = entry.status if "status" in fields else Status.ACTIVE
        key = keys.next(scopes[composed(clean(fields.get("scope", "")))], live=status is Status.ACTIVE)
        if key is not None:
            yield _row(key, entry, fields, status, group, number, spans[ordinal])


def _row(
    key: int,
    entry: Entry,
    fields: dict[str, str],
    status: Status,
    group: int,
    number: int,
    span: tuple[int, int],
) -> Served:
    title, body = clean(entry.title), clean(entry.body)
    description, aliases = (clean(fields[name]) if fields.get(name) else None for name in ("description", "aliases"))
    traits = traits_of_row(title, description, aliases, body, passage=False)
    created = entry.created_on.toordinal() if entry.created_on is not None else 0
    seen = _seen(entry, fields, created)
    expires = entry.date_field("expires") if "expires" in fields else None
    row = Row(
        key,
        entry.id,
        number,
        _kind(entry, fields, status) | traits.flags << FLAGS_BIT,
        title,
        description,
        body,
        composed(clean(fields.get("scope", ""))) or None,
        expires.isoformat() if expires is not None else None,
        aliases,
        None if created == group else created,
        None if seen == created else seen,
        entry.line,
        span[0],
        span[1] - span[0],
        _other_fields(entry) if not fields.keys() <= _IN_COLUMNS else None,
        traits.head or None,
    )
    return Served(row, traits, said_of_row(key, title, description, aliases, passage=False))


_NUMBERS: dict[str, dict[str | None, int]] = {
    name: {value: number << bit for number, value in enumerate(values)} for name, (bit, values) in CHOICES.items()
}


def _seen(entry: Entry, fields: dict[str, str], created: int) -> int:
    """When it was last reinforced or, without that, made: as a UTC day."""
    if "reinforced" in fields or "since" in fields:
        last = last_seen_on(entry)
        return last.toordinal() if last is not None else 0
    at = entry.created_at
    return utc_date(at).toordinal() if at is not None and at.tzinfo is not None else created


def _kind(entry: Entry, fields: dict[str, str], status: Status) -> int:
    inferred = entry.tag is Tag.HYPOTHESIS
    kind = _NUMBERS["tag"][entry.tag] | _NUMBERS["status"][status]
    basis = confidence = impact = None
    if fields:
        basis, confidence, impact = fields.get("basis"), fields.get("confidence"), fields.get("impact")
        kind |= _NUMBERS["signal"].get(fields.get("signal"), 0) | _NUMBERS["facet"].get(fields.get("facet"), 0)
        kind |= int(fields.get("pinned") == "true") << PINNED_BIT
        kind |= int("validated" in fields and entry.validated) << VALIDATED_BIT
    bases, sure = _NUMBERS["basis"], _NUMBERS["confidence"]
    kind |= bases.get(basis) or bases[Basis.INFERRED if inferred else Basis.STATED]
    kind |= (sure.get(confidence) or sure[Confidence.LOW]) if inferred else 0
    return kind | (int(impact) if impact in ("2", "3") else 1) << IMPACT_BIT


def _other_fields(entry: Entry) -> str:
    import json

    pairs = [(clean(key), clean(value)) for key, value in entry.fields if key not in _IN_COLUMNS]
    return json.dumps(pairs, ensure_ascii=False, separators=(",", ":"))


def _byte_spans(note: Note) -> list[tuple[int, int]]:
    """Where each entry stands in the bytes of its note; a topic note is its whole file."""
    if note.kind is NoteKind.TOPIC:
        return [(0, len(note.data()))]
    text = note.text
    if text.isascii():
        return [(item.start, item.end) for item in note.items]
    spans: list[tuple[int, int]] = []
    at = bytes_before = 0
    for item in note.items:
        bytes_before += len(encode(text[at : item.start]))
        length = len(encode(text[item.start : item.end]))
        spans.append((bytes_before, bytes_before + length))
        at, bytes_before = item.end, bytes_before + length
    return spans


def passage_rows(note: Note, number: int) -> Iterator[Served]:
    """The rows of the passages of a note."""
    group = group_of(note, number)
    keys = Keys(group)
    day = None if group < UNDATED else 0
    for passage in note.passages():
        key = keys.next(PASSAGE_SCOPE, live=True)
        if key is None:
            return
        text = clean(passage.text)
        traits = traits_of_row("", None, None, text, passage=True)
        kind = 1 << IMPACT_BIT | traits.flags << FLAGS_BIT
        row = Row(
            key, "", number, kind, clean(passage.address), None, text, None, None, None, day, None, passage.line,
            0, 0, None, traits.head or None,
        )  # fmt: skip
        yield Served(row, traits, None)
