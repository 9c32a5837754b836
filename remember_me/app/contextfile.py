"""Keep a file up to date that agents read: a marked section of an AGENTS.md, say, or an index file of its own.

For clients without hooks. The files are registered (store/contexts.py), so that each write brings them up to date, and
forgetting takes the text out of them.
"""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from remember_me.app import recall
from remember_me.app.actor import decide_actor, this_channel
from remember_me.app.config import home
from remember_me.app.scope import key_of_folder
from remember_me.app.wiring import Session, Surroundings
from remember_me.clients import section
from remember_me.clients.section import SECTION_BYTES, SectionFault
from remember_me.errors import EditConflict, InvalidInput, Refused, RememberMeError
from remember_me.model.entry import composed
from remember_me.model.revision import AGENT_PREFIX
from remember_me.notes.note import decode, encode
from remember_me.store.anchor import state_folder
from remember_me.store.contexts import SECTION, WHOLE, Contexts, Registered
from remember_me.store.files import Disk, write_failed
from remember_me.store.listing import reason_of
from remember_me.store.outside import ChangedMeanwhile, read_outside, remove_outside, replace_outside

MADE, ADDED, UPDATED, SAME, REMOVED, DELETED = "made", "added", "updated", "same", "removed", "deleted"
BEHIND, ABSENT, REFUSED = "behind", "absent", "refused"
"""What becomes of a file, and what it is found to be: `behind` the store, without section (`absent`), or not to be
changed (`refused`)."""

AGENT_RULE = "context-person"
_TRIES = 5
_SHORTENED = 60
_NO_TEXT = (b"\xff\xfe", b"\xfe\xff")
_CLOSE = "Close it, then run the command again."
_TEXT = "Move that text out of the section, or delete it."
_FILE = "Put an ordinary file in its place."
_PAIR = f"Leave one pair of lines, {section.BEGIN} and {section.END}, or none of them."


class Kept(NamedTuple):
    """One file and what became of it. `scope` is its project, None for none; `reason` and `hint` say why it was left
    alone; `diff` are the lines that change, where that was asked for."""

    file: str
    scope: str | None
    kind: str
    state: str
    reason: str | None = None
    hint: str | None = None
    diff: tuple[str, ...] = ()


class LeftAlone(EditConflict):
    """A file that cannot be changed without losing something of it."""

    def __init__(self, place: str, reason: str, *, hint: str | None = None) -> None:
        self.reason = reason
        super().__init__(f"{place}: {reason}; the file was left alone.", hint=hint)


class NoSection(RememberMeError):
    """A file that has no section of ours."""

    exit_code = 3
    hint = "`remember-me context` lists the files that have one."

    def __init__(self, path: Path) -> None:
        super().__init__(f"There is no section of remember-me in {path}.")


def keep(session: Session, given: Path, *, dry_run: bool = False) -> Kept:
    """Bring the section of a file up to date, put it in where there is none, and keep it so from now on.

    With `dry_run` nothing is written. Raises Refused for an agent, InvalidInput for what is no such file, LeftAlone
    where its markers are not one pair, WriteFailed.
    """
    if session.actor.startswith(AGENT_PREFIX):
        raise session.counted(_for_persons())
    path = _checked_path(given, session.store.root)
    scope = key_of_folder(path.parent, session.environ)
    contexts = contexts_of(session.environ, session.store.tools.disk)
    content = _Content(session)
    if dry_run:
        return _bring(content, _row_for(contexts.rows(), session, path, scope), contexts.disk, make=True, dry=True)[0]
    with contexts.changing() as rows:
        old = _row_for(rows, session, path, scope)
        kept, new = _bring(content, old, contexts.disk, make=True)
        rows[:] = [row for row in rows if row.file != new.file] + [new]
    return kept


def remove(around: Surroundings, given: Path, *, dry_run: bool = False) -> Kept:
    """Take the section out of a file again and keep it no more; the other bytes are as before. Needs no store."""
    channel = around.channel or this_channel(around.environ)
    if decide_actor(channel, scripts_are_persons=False).startswith(AGENT_PREFIX):
        raise _for_persons()
    path = Path(os.path.abspath(given))
    contexts = contexts_of(around.environ, around.disk)
    if dry_run:
        return _take_out(contexts.rows(), path, contexts.disk, dry=True)
    with contexts.changing() as rows:
        kept = _take_out(rows, path, contexts.disk)
        rows[:] = [row for row in rows if not _is_file(row, path)]
    return kept


def refresh_all(session: Session) -> tuple[Kept, ...]:
    """Bring every file that is registered for this store up to date, and say what became of each.

    What is not to be changed is left alone and told; nothing is raised for it. After `forget` no file that was changed
    has the text any more, whatever refresh was under way. A file without a section gets none: a person took it out.
    """
    contexts = contexts_of(session.environ, session.store.tools.disk)
    if not contexts.path.exists():
        return ()
    found: list[Kept] = []
    try:
        with contexts.changing() as rows:
            content = _Content(session)
            for row in [row for row in rows if row.store == str(session.store.root)]:
                kept, new = _refreshed(content, row, contexts.disk)
                found.append(kept)
                at = rows.index(row)
                rows[at : at + 1] = [] if _is_gone(row, kept) else [new]
    except RememberMeError as error:
        mine = [row for row in contexts.rows() if row.store == str(session.store.root)]
        return tuple(_told(row, REFUSED, str(error).rstrip("."), error.hint) for row in mine)
    return tuple(found)


def check_all(session: Session) -> tuple[Kept, ...]:
    """What is registered for this store, and whether it is up to date. Changes nothing; an agent sees its project."""
    contexts = contexts_of(session.environ, session.store.tools.disk)
    content, bound = _Content(session), session.store.bound_to
    rows = [row for row in contexts.rows() if row.store == str(session.store.root) and bound in (None, row.scope)]
    return tuple(_refreshed(content, row, contexts.disk, dry=True)[0] for row in rows)


def write_index(session: Session, path: Path) -> Kept:
    """Write the index file of a client that can only read files, and keep it up to date: ours as a whole, mode 0600.

    It shows the entries of no project, as it is read in all of them. Raises WriteFailed.
    """
    file = Path(os.path.abspath(path))
    contexts = contexts_of(session.environ, session.store.tools.disk)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise write_failed(str(file), error) from None
    with contexts.changing() as rows:
        row = Registered(str(session.store.root), str(file), None, WHOLE)
        kept, row = _bring(_Content(session), row, contexts.disk, make=True)
        rows[:] = [one for one in rows if one.file != row.file] + [row]
    return kept


def remove_index(path: Path, environ: Mapping[str, str]) -> None:
    """Delete the index file of a client and keep it no more. Raises WriteFailed."""
    file = Path(os.path.abspath(path))
    contexts = contexts_of(environ, Disk())
    with contexts.changing() as rows:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise write_failed(str(file), error) from None
        rows[:] = [row for row in rows if row.file != str(file)]


def contexts_of(environ: Mapping[str, str], disk: Disk) -> Contexts:
    """The registry of this user."""
    return Contexts(state_folder(environ, home(environ)), disk)


def _for_persons() -> Refused:
    sentence = "Only the user says which file is kept up to date."
    return Refused(AGENT_RULE, sentence, hint="It would carry what is remembered to wherever that file goes.")


def _checked_path(given: Path, root: Path) -> Path:
    path = Path(os.path.abspath(given))
    if path.is_dir():
        raise InvalidInput(f"{given} is a folder.", hint=f"Give a file in it: {given / 'AGENTS.md'}")
    for place in (path, Path(os.path.realpath(path))):
        if place.is_relative_to(root):
            raise InvalidInput(
                f"{given} lies in the store itself.", hint="Give the AGENTS.md, GEMINI.md or CLAUDE.md of a project."
            )
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        folder = os.path.dirname(os.path.realpath(path))
        raise InvalidInput(f"There is no folder {folder}.", hint="Give a file in the folder of a project.")
    return path


def _row_for(rows: Sequence[Registered], session: Session, path: Path, scope: str) -> Registered:
    """The row of a file: as it is registered, for this store from now on, or a new one."""
    for row in rows:
        if row.kind == WHOLE and _is_file(row, path):
            raise InvalidInput(f"{path} is the index file of an agent client.", hint="It is kept up to date already.")
        if not _is_file(row, path):
            continue
        if row.store != str(session.store.root):
            store, file = shlex.quote(row.store), shlex.quote(row.file)
            raise InvalidInput(
                f"{path} is kept up to date for the store {row.store}.",
                hint=f"Take that out first: remember-me --store {store} context {file} --remove",
            )
        return row._replace(scope=scope)
    return Registered(str(session.store.root), str(path), scope)


def _is_file(row: Registered, path: Path) -> bool:
    return row.file == str(path) or os.path.realpath(row.file) == os.path.realpath(path)


def _is_gone(row: Registered, kept: Kept) -> bool:
    """Whether a file need not be looked at any more. One that only is not there now may come back with a branch."""
    return kept.state == ABSENT and (row.kind == WHOLE or not os.path.isdir(os.path.dirname(row.file)))


def _told(row: Registered, state: str, reason: str | None = None, hint: str | None = None) -> Kept:
    return Kept(row.file, row.scope, row.kind, state, reason, hint)


class _Content:
    """What a file is to say, composed once for each project and line end."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known: dict[tuple[str | None, str, str], str] = {}

    def of(self, row: Registered, newline: str) -> str:
        """The lines, with LF line ends; the section with its markers is within its bytes in the file."""
        form = (row.scope, row.kind, newline)
        if form not in self.known:
            self.known[form] = self._compose(*form)
        return self.known[form]

    def _compose(self, scope: str | None, kind: str, newline: str) -> str:
        most = SECTION_BYTES
        around = len(f"{section.BEGIN}{newline}{section.END}{newline}") if kind == SECTION else 0
        for _ in range(_SHORTENED):
            block = self._block(scope, most)
            content = section.section_content(block) if kind == SECTION else block
            size = around + len(encode(content)) + content.count("\n") * (len(newline) - 1)
            if size <= SECTION_BYTES:
                return content
            most -= size - SECTION_BYTES
        return ""

    def _block(self, scope: str | None, most_bytes: int) -> str:
        scopes = () if scope is None else (composed(scope),)
        asked = recall.Asked(most_bytes=most_bytes, scopes=scopes)
        session = self.session
        return recall.recall_for_file(session.view(), session.state, session.environ, asked).text


def _refreshed(content: _Content, row: Registered, disk: Disk, *, dry: bool = False) -> tuple[Kept, Registered]:
    """`_bring` for a file that is registered, with what speaks against it as a value."""
    try:
        kept, new = _bring(content, row, disk, dry=dry)
    except RememberMeError as error:
        reason = error.reason if isinstance(error, LeftAlone) else str(error).rstrip(".")
        return _told(row, REFUSED, reason, error.hint), row
    return (kept._replace(state=BEHIND) if dry and kept.state == UPDATED else kept), new


def _bring(
    content: _Content, row: Registered, disk: Disk, *, make: bool = False, dry: bool = False
) -> tuple[Kept, Registered]:
    """Write what the file is to say, unless it does. Without `make` nothing is put where nothing of ours is."""
    path = Path(row.file)
    for _ in _tries(path):
        before = _read(path)
        if not make and (before is None or (row.kind == SECTION and _found(path, before) is None)):
            return _told(row, ABSENT, "the file is gone" if before is None else "it has no section any more"), row
        after, lead = _composed(content, row, path, before)
        new = row
        if lead is not None:
            new = row._replace(lead=lead, made=before is None)
        state = SAME if after == before else MADE if before is None else UPDATED if lead is None else ADDED
        kept = _told(row, state)
        if dry:
            return kept._replace(diff=tuple(_diff(path.name, before, after))), new
        if state == SAME or _replaced(path, after, before, disk, private=row.kind == WHOLE):
            return kept, new
    raise AssertionError


def _composed(content: _Content, row: Registered, path: Path, before: bytes | None) -> tuple[bytes, str | None]:
    """(the file as it is to be, what was put before a section that was not there)."""
    if row.kind == WHOLE:
        return encode(content.of(row, "\n")), None
    found = _found(path, before or b"")
    text = decode(before or b"")
    newline = found.newline if found is not None else section.usual_newline(text)
    try:
        changed, lead = section.with_section(text, content.of(row, newline))
    except SectionFault as fault:
        raise _left_alone(path, fault) from None
    return encode(changed), lead


def _take_out(rows: Sequence[Registered], path: Path, disk: Disk, *, dry: bool = False) -> Kept:
    row = next((row for row in rows if _is_file(row, path)), None)
    if row is not None and row.kind == WHOLE:
        raise InvalidInput(f"{path} is the index file of an agent client.", hint="`remember-me uninstall` removes it.")
    known = row or Registered("", str(path), None)
    for _ in _tries(path):
        before = _read(path)
        if before is None or _found(path, before) is None:
            if row is None:
                raise NoSection(path)
            return _told(known, REMOVED, "it was gone already")
        after: bytes | None = encode(section.without_section(decode(before), known.lead))
        if not after and known.made:
            after = None
        kept = _told(known, REMOVED if after is not None else DELETED)
        if dry:
            return kept._replace(diff=tuple(_diff(path.name, before, after or b"")))
        if _replaced(path, after, before, disk):
            return kept
    raise AssertionError


def _read(path: Path) -> bytes | None:
    """The bytes of the file. Raises LeftAlone for what is no text, and WriteFailed where it cannot be read."""
    try:
        data = read_outside(path)
    except ValueError as error:
        raise LeftAlone(str(path), str(error), hint=_FILE) from None
    except OSError as error:
        raise LeftAlone(str(path), f"it cannot be read: {reason_of(error)}", hint="Check its permissions.") from None
    if data is not None and (b"\0" in data or data.startswith(_NO_TEXT)):
        raise LeftAlone(str(path), "it is no text in UTF-8", hint="Save it again as UTF-8.")
    return data


def _found(path: Path, data: bytes) -> section.Section | None:
    try:
        return section.find_section(decode(data))
    except SectionFault as fault:
        raise _left_alone(path, fault) from None


def _left_alone(path: Path, fault: SectionFault) -> LeftAlone:
    hint = {"marker": _PAIR, "open": _CLOSE, "text": _TEXT}[fault.kind]
    error = LeftAlone(f"{path}:{fault.line}", fault.reason, hint=hint)
    error.reason = f"line {fault.line}: {fault.reason}"
    return error


def _replaced(path: Path, after: bytes | None, before: bytes | None, disk: Disk, *, private: bool = False) -> bool:
    """Whether the file has the bytes now; False where somebody wrote it meanwhile. Raises WriteFailed."""
    try:
        if after is None:
            remove_outside(path, before or b"", disk)
        else:
            replace_outside(path, after, before, disk, private=private)
    except ChangedMeanwhile:
        return False
    except (OSError, ValueError) as error:
        refused = error if isinstance(error, OSError) else OSError(str(error))
        raise write_failed(str(path), refused) from None
    return True


def _tries(path: Path) -> Iterator[int]:
    yield from range(_TRIES)
    raise LeftAlone(str(path), "it keeps changing while it is written", hint="Try again in a moment.")


def _diff(name: str, before: bytes | None, after: bytes) -> Iterator[str]:
    old, new = (decode(data or b"").splitlines(keepends=False) for data in (before, after))
    yield from difflib.unified_diff(old, new, name if before is not None else "/dev/null", name, lineterm="")
