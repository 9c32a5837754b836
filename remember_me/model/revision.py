"""Who did what, when: the operation behind a commit and the revisions of an entry."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

PERSON = "person"
SCRIPT = "script"
EDITOR = "editor"
POLICY = "policy"
AGENT_PREFIX = "agent:"


def agent(client: str) -> str:
    """The actor of the agent client `client`."""
    return AGENT_PREFIX + client


def stands_behind(known: str | None, verb: str, actor: str) -> str:
    """Who stands behind an entry after an operation: an agent or a script never takes the place of a person, and what a
    rule does takes nobody's."""
    if known is None or known == actor:
        return actor
    by_rule = verb in ("maintain", "ask", "undo", "redo")
    return known if by_rule or actor == SCRIPT or actor.startswith(AGENT_PREFIX) else actor


def note_actor(actors: dict[str, str], entries: Iterable[str], verb: str, actor: str) -> None:
    """Take down who stands behind these entries after an operation."""
    for entry in entries:
        actors[entry] = stands_behind(actors.get(entry), verb, actor)


def verb_of(message: str) -> str:
    """The verb of a commit message of ours."""
    return message.partition("\n")[0].removeprefix("remember-me: ").split(" ", 1)[0]


class Operation(NamedTuple):
    """One applied set of changes: one commit, the unit of undo (DESIGN section 7).

    `verb` is the command (`add`, `undo`, …), `entries` are the ids it touched, `removed` those of them that
    a hand edit took out of the notes, `undoes` and `redoes` name another operation. `commit` is None while it
    waits to be committed.
    """

    id: str
    verb: str
    actor: str
    at: datetime
    entries: tuple[str, ...]
    removed: tuple[str, ...] = ()
    session: str | None = None
    undoes: str | None = None
    redoes: str | None = None
    commit: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """The first line of the commit message; ids only, never text."""
        shown = " ".join(self.entries[:3]) + (f" and {len(self.entries) - 3} more" if len(self.entries) > 3 else "")
        return f"remember-me: {self.verb} {shown}".rstrip()


def render_message(operation: Operation) -> str:
    """The commit message of an operation: its subject and its trailers."""
    lines = [operation.subject, "", f"Operation-Id: {operation.id}"]
    if operation.entries:
        lines.append(f"Entries: {' '.join(operation.entries)}")
    lines.append(f"Actor: {operation.actor}")
    if operation.removed:
        lines.insert(-1, f"Removed: {' '.join(operation.removed)}")
    for key, value in (
        ("Session", operation.session),
        ("Undoes", operation.undoes),
        ("Redoes", operation.redoes),
    ):
        if value:
            lines.append(f"{key}: {value}")
    return "\n".join(lines) + "\n"


def parse_trailers(message: str) -> dict[str, str]:
    """The trailers of a commit message of ours by their key, the first of each; empty where it is not ours."""
    subject, _, rest = message.partition("\n")
    trailers: dict[str, str] = {}
    if not subject.startswith("remember-me: "):
        return trailers
    for line in rest.split("\n"):
        key, colon, value = line.partition(": ")
        if colon:
            trailers.setdefault(key, value.strip())
    return trailers


def parse_message(message: str, *, at: datetime, commit: str) -> Operation | None:
    """The operation that a commit message describes, or None if the commit is not ours."""
    trailers = parse_trailers(message)
    if "Operation-Id" not in trailers:
        return None
    return Operation(
        id=trailers["Operation-Id"],
        verb=verb_of(message),
        actor=trailers.get("Actor", PERSON),
        at=at,
        entries=tuple(trailers.get("Entries", "").split()),
        removed=tuple(trailers.get("Removed", "").split()),
        session=trailers.get("Session"),
        undoes=trailers.get("Undoes"),
        redoes=trailers.get("Redoes"),
        commit=commit,
    )


class Revision(NamedTuple):
    """One committed state of one entry. `before` and `after` are its lines as they stand in the note, or None."""

    operation: Operation
    note: str
    before: str | None
    after: str | None
