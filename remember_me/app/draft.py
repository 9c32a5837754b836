"""From what was typed to an entry to be: text, tag, fields and evidence, checked before anything is written."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from remember_me.app.wiring import Session
from remember_me.errors import InvalidInput, shorten
from remember_me.model.change import Add
from remember_me.model.entry import CHOICES, DATE_FIELDS, Evidence, Tag, parse_date, render_evidence
from remember_me.model.revision import PERSON
from remember_me.model.text import join_title, normalize_text, one_line, split_title
from remember_me.notes import layout
from remember_me.notes.frontmatter import parse_front_matter
from remember_me.notes.grammar import parse_heading
from remember_me.notes.note import decode, topic_body, topic_tag
from remember_me.notes.splice import ordered_fields
from remember_me.policy.suggest import suggest
from remember_me.policy.tagging import is_promoted_at_once
from remember_me.store import gate
from remember_me.store.files import read_regular
from remember_me.store.listing import NOTE_LIMIT_BYTES

TITLE_LIMIT_CHARACTERS = 500
"""A title that a person gives may be this long; a longer one is a body."""

DEFAULTS = {"basis": "stated", "impact": "1", "pinned": "false", "status": "active"}
"""A default is not written (DESIGN 3.1); HYPOTHESIS has its own."""

_GUESSED_FROM_CHARACTERS = 2000
_LONGEST_STEM_BYTES = 200
_SURROGATE = re.compile("[\ud800-\udfff]")
_KEY = re.compile(r"[a-z][a-z0-9_-]*")
_NO_TIME = datetime(1, 1, 2, tzinfo=UTC)
_FRONT_MATTER_KEYS = ("id", "tag", "title", "name", "type", "metadata")


class Draft(NamedTuple):
    """What was given to `add`. `fields` are (key, value) as typed; `quotes` become evidence, and `source` names the
    message that they stand in. `anyway` overrules the exclusions, never the secrets. `anew`: it may have been forgotten
    before."""

    text: str
    tag: str | None = None
    title: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    quotes: tuple[str, ...] = ()
    session: str | None = None
    source: str | None = None
    anyway: bool = False
    anew: bool = False

    @property
    def scope(self) -> str | None:
        """The project key that was given, or None."""
        return next((value for key, value in self.fields if key == "scope"), None)


def check_text(given: str) -> str:
    """The text as it will be kept. Raises InvalidInput for an empty one and for what no note can hold."""
    if len(given) > NOTE_LIMIT_BYTES:
        raise InvalidInput(
            f"The text is larger than {NOTE_LIMIT_BYTES // (1024 * 1024)} MiB.",
            hint="Keep a text of that size as a file outside of the notes.",
        )
    _check_characters(given, "The text")
    text = normalize_text(given)
    if not text:
        raise InvalidInput("The text is empty.", hint="Give it as an argument, or `-` to read it from stdin.")
    return text


def _check_characters(given: str, what: str) -> None:
    if "\0" in given:
        raise InvalidInput(f"{what} holds a NUL character.", hint="Remove it; notes are plain text.")
    if _SURROGATE.search(given):
        raise InvalidInput(f"{what} is no valid UTF-8.", hint="Convert it first, for example with iconv -t UTF-8.")


def check_draft(draft: Draft) -> None:
    """Raise what `add` would raise for the draft itself, before a store is made for it."""
    _entry(draft, "", _NO_TIME)


def check_rules(draft: Draft) -> None:
    """Raise Refused where the gateway would, for a store that is not there yet."""
    gate.check([_entry(draft, "", _NO_TIME)], actor=PERSON, anyway=draft.anyway)


def new_entry(session: Session, draft: Draft) -> Add:
    """The change that saves a draft; what is outcome-critical goes into the long-term note at once."""
    draft = draft._replace(session=draft.session or session.client_session)
    change = _entry(draft, session.new_entry_id(), session.now())
    return change._replace(promote=is_promoted_at_once(change.tag, change.fields, change.at))


def _entry(draft: Draft, entry_id: str, at: datetime) -> Add:
    title, body = _words(draft)
    tag, signal = _tag(draft, title, body)
    return Add(entry_id, tag, title, body, _fields(draft, tag, signal, title, body), at)


def new_topic(session: Session, file: Path, draft: Draft) -> Add:
    """The change that takes a markdown file in: its bytes stay, missing front matter is added."""
    text = _read_file(file)
    front = parse_front_matter(text, file.name)
    body = topic_body(text[front.end :] if front is not None else text.removeprefix("\ufeff"))
    if not body:
        raise InvalidInput(f"{file} has no text.", hint="Write something into it first.")
    title = draft.title or _file_title(file, text, body)
    _check_title(title)
    known = topic_tag(front) if front is not None else None
    tag, signal = (known, None) if known and not draft.tag else _tag(draft, title, body)
    fields = _fields(draft._replace(session=draft.session or session.client_session), tag, signal, title, body)
    name = _topic_name(file.name)
    return Add(session.new_entry_id(), tag, title, body, fields, session.now(), topic=name, document=text)


def _words(draft: Draft) -> tuple[str, str]:
    if draft.title is None:
        return split_title(check_text(draft.text))
    _check_title(draft.title)
    _check_characters(draft.text, "The text")
    return draft.title.strip(" \t"), normalize_text(draft.text)


def _check_title(title: str) -> None:
    _check_characters(title, "The title")
    if not title.strip(" \t"):
        raise InvalidInput("The title is empty.", hint="Leave --title out to take it from the text.")
    if "\n" in title or "\r" in title:
        raise InvalidInput("The title has more than one line.", hint="Give the long form as the text.")
    if len(title) > TITLE_LIMIT_CHARACTERS:
        raise InvalidInput(
            f"The title has {len(title)} characters, more than {TITLE_LIMIT_CHARACTERS}.",
            hint="Give the long form as the text.",
        )


def _tag(draft: Draft, title: str, body: str) -> tuple[Tag, str | None]:
    """(tag, signal to write): as given, else guessed from the words."""
    if draft.tag is not None:
        wanted = draft.tag.upper()
        if wanted not in tuple(Tag):
            raise InvalidInput(f"{shorten(draft.tag)} is no tag.", hint=f"The tags are {', '.join(Tag)}.")
        return Tag(wanted), None
    guess = suggest(f"{title}\n{body[:_GUESSED_FROM_CHARACTERS]}")
    return guess.tag, guess.signal.value if guess.signal else None


def _fields(draft: Draft, tag: Tag, signal: str | None, title: str, body: str) -> tuple[tuple[str, str], ...]:
    values = [(key, field_value(key, value)) for key, value in draft.fields]
    given = {key for key, _ in values}
    if signal and "signal" not in given:
        values.append(("signal", signal))
    if draft.session and "session" not in given:
        values.append(("session", field_value("session", draft.session)))
    quotes = draft.quotes or ((join_title(title, body),) if draft.source else ())
    values += [("evidence", evidence_value(quote, draft.source or draft.session)) for quote in quotes]
    defaults = DEFAULTS | ({"basis": "inferred", "confidence": "low"} if tag is Tag.HYPOTHESIS else {})
    return ordered_fields((key, value) for key, value in values if defaults.get(key) != value)


def evidence_value(quote: str, source: str | None) -> str:
    """A quote as it is written in the field `evidence`; `source` is the message or session that it stands in."""
    _check_characters(quote, "The quote")
    text = normalize_text(quote)
    if not text:
        raise InvalidInput("The quote is empty.")
    return render_evidence(Evidence(text, one_line(source) if source else None))


def field_value(key: str, value: str) -> str:
    """The value as it is written in a field. Raises InvalidInput for what the field cannot hold."""
    if not _KEY.fullmatch(key) or key in _FRONT_MATTER_KEYS:
        hint = "A field name is lower-case letters, digits, - and _."
        raise InvalidInput(f"{shorten(key)} is no field name.", hint=hint)
    _check_characters(value, f"The value of {key}")
    text = one_line(value)
    if not text:
        raise InvalidInput(f"The value of {key} is empty.")
    if key in CHOICES and text not in CHOICES[key]:
        raise InvalidInput(f"{key} is {shorten(text)}, not one of {', '.join(CHOICES[key])}.")
    if key in DATE_FIELDS and (parse_date(text) is None or len(text) != len("2026-11-29")):
        raise InvalidInput(f"{key} is {shorten(text)}, which is no date.", hint="Write it as YYYY-MM-DD.")
    return text


def session_of(draft: Draft) -> str | None:
    """The session that was given, on one line."""
    return check_session(draft.session)


def check_session(given: str | None) -> str | None:
    """The name of a session as it is kept, or None. Raises InvalidInput for what a field cannot hold."""
    return field_value("session", given) if given else None


def _read_file(file: Path) -> str:
    try:
        data = read_regular(file, NOTE_LIMIT_BYTES)
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {file}.", hint="Give the path of a markdown file.") from None
    except ValueError as error:
        raise InvalidInput(f"{file} {error}.", hint="Give a markdown file of at most 16 MiB.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidInput(f"Could not read {file}: {reason}.", hint="Check the path and its permissions.") from None
    text = decode(data)
    _check_characters(text, str(file))
    return text


def _file_title(file: Path, text: str, body: str) -> str:
    """The title that the file gives itself: its front matter, else its first heading, else its first words."""
    front = parse_front_matter(text, file.name)
    named = (front.text("title") or front.text("name")) if front is not None else None
    if named:
        return named
    heading = parse_heading(body.split("\n", 1)[0])
    lines = [heading[1]] if heading is not None and heading[1] else normalize_text(body).split("\n")
    words = next((line for line in lines if any(map(str.isalnum, line))), body)
    return split_title(one_line(words))[0]


def _topic_name(name: str) -> str:
    """The file name that a topic note gets: never a date, a name of ours, or the form of a conflict copy."""
    stem = name.rsplit(".", 1)[0] if name.lower().endswith((".md", ".markdown", ".txt")) else name
    stem = re.sub(r"[^\w.-]+", "-", stem).encode("utf-8", "ignore")[:_LONGEST_STEM_BYTES].decode("utf-8", "ignore")
    stem = stem.strip("-._") or "note"
    if layout.is_copy(f"{stem}.md"):
        stem = stem.replace(".", "-")
    reserved = (layout.LONG_TERM_NAME.lower(), layout.TOMBSTONES_NAME)
    if layout.looks_dated(f"{stem}.md") or f"{stem}.md".lower() in reserved:
        stem = f"note-{stem}"
    return f"{stem}.md"
