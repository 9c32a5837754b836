"""Install remember-me into the agent clients of this user, and take it out again without a trace."""

from __future__ import annotations

import difflib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from remember_me.app.actor import decide_actor, this_channel
from remember_me.app.clientfiles import (
    CHANGED,
    DELETED,
    LEFT,
    MADE,
    RESTORED,
    SAME,
    ClientFiles,
    Step,
    half_done,
    is_installed,
)
from remember_me.app.config import home, load_settings
from remember_me.app.wiring import Surroundings, is_store, store_path
from remember_me.clients.base import Client
from remember_me.clients.base import Surroundings as ClientSurroundings
from remember_me.clients.known import ALL, CLIENTS, find_client
from remember_me.errors import InvalidInput, Refused, RememberMeError, StoreDamaged, WriteFailed
from remember_me.model.revision import AGENT_PREFIX
from remember_me.notes.note import decode

INSTALLED, REMOVED, UNCHANGED, SKIPPED, FAILED = "installed", "removed", "unchanged", "skipped", "failed"
PROGRAM = "remember-me"
RULE = "clients-person"


class Part(NamedTuple):
    """One file of a client's and what becomes of it; `backup` has the bytes of before, `diff` the lines that change."""

    path: Path
    what: str
    change: str
    backup: Path | None = None
    diff: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What became of one client; `error` says why nothing did."""

    client: Client
    state: str
    parts: tuple[Part, ...] = ()
    advice: tuple[str, ...] = ()
    error: RememberMeError | None = None


class Asked(NamedTuple):
    """What is asked for. `switches` are, by the name of a client, settings of its own to be set beside the hooks."""

    dry_run: bool = False
    switches: Mapping[str, Sequence[str]] = {}


Act = Callable[[Surroundings, str, Asked], tuple[Outcome, ...]]
"""`install` or `uninstall`."""


def install(around: Surroundings, name: str, asked: Asked = Asked()) -> tuple[Outcome, ...]:  # noqa: B008
    """Install into one client, or all that are in use here. Raises InvalidInput for an unknown one, Refused for an
    agent, StoreDamaged where the store is a file, and what kept a single client from it; of all, each outcome has its
    own."""
    _refuse_file(store_path(around))
    return _each(around, name, asked, _install)


def uninstall(around: Surroundings, name: str, asked: Asked = Asked()) -> tuple[Outcome, ...]:  # noqa: B008
    """Take us out of one client, or of all. Raises as `install` does."""
    return _each(around, name, asked, _uninstall)


def mode(around: Surroundings) -> str:
    """What hooks may do on this machine: off, shadow or enabled (DESIGN section 4). Raises BadSetting, and StoreDamaged
    where the store is a file."""
    path = store_path(around)
    _refuse_file(path)
    return load_settings(path, around.environ)["agents.mode"].value


def client_surroundings(around: Surroundings) -> ClientSurroundings:
    """Whose clients; a store is named in hooks where --store or REMEMBER_ME_HOME says which. Raises InvalidInput."""
    given = around.store_given or around.environ.get("REMEMBER_ME_HOME")
    program = find_program(around.environ)
    return ClientSurroundings(around.environ, home(around.environ), program, store_path(around) if given else None)


def find_program(environ: Mapping[str, str]) -> str:
    """The absolute path of our program for the commands of hooks. Raises InvalidInput where it is not found.

    The one that was called, else the one on the PATH, else the one beside this Python.
    """
    called = shutil.which(sys.argv[0]) if Path(sys.argv[0]).stem == PROGRAM else None
    beside = shutil.which(str(Path(sys.executable).with_name(PROGRAM)))
    found = called or shutil.which(PROGRAM, path=environ.get("PATH", os.defpath)) or beside
    if found is None:
        raise InvalidInput(
            "The program remember-me was not found for the hooks to call.",
            hint="Install the package, so that remember-me is on the PATH, and run this again.",
        )
    return os.path.abspath(found)


def _refuse_file(store: Path) -> None:
    if os.path.lexists(store) and not store.is_dir():
        raise StoreDamaged(
            f"{store} is a file, not a store.", hint="Give another folder with --store or REMEMBER_ME_HOME."
        )


def _each(around: Surroundings, name: str, asked: Asked, act: _Act) -> tuple[Outcome, ...]:
    clients = CLIENTS if name == ALL else (find_client(name),)
    if not asked.dry_run:
        _refuse_agents(around)
    where = client_surroundings(around)
    call = _Call(around, where, asked, ClientFiles(where, around.disk))
    if name != ALL:
        return (_alone(call, clients[0], act),)
    found: list[Outcome] = []
    for client in clients:
        if not client.is_there(where) and not is_installed(client, where):
            found.append(Outcome(client, SKIPPED))
            continue
        try:
            found.append(_alone(call, client, act))
        except RememberMeError as error:
            found.append(Outcome(client, FAILED, error=error))
    return tuple(found)


def _alone(call: _Call, client: Client, act: _Act) -> Outcome:
    """What becomes of one client, while no other process installs: from its files as they are read to their end."""
    if call.asked.dry_run:
        return act(call, client)
    with call.files.installs.alone():
        return act(call, client)


def _refuse_agents(around: Surroundings) -> None:
    """Which store an agent's hooks read, and whether they run, is a person's to say (DESIGN section 5)."""
    channel = around.channel or this_channel(around.environ)
    if decide_actor(channel, scripts_are_persons=False).startswith(AGENT_PREFIX):
        raise Refused(
            RULE,
            "An agent cannot install into agent clients, or take out of them.",
            hint="Run the command in a terminal of your own; --dry-run shows what it would do.",
        )


class _Call(NamedTuple):
    """One call of a command: its surroundings, those of the clients, and what is asked for."""

    around: Surroundings
    where: ClientSurroundings
    asked: Asked
    files: ClientFiles

    def parts(self, steps: Sequence[Step], index: Part | None) -> tuple[Part, ...]:
        return (*(self._part(step) for step in steps), *([index] if index is not None else ()))

    def _part(self, step: Step) -> Part:
        path = step.edit.path
        installs = self.files.installs
        found = installs.copy_of_found(step.record) if step.record is not None else None
        backup = found or (installs.backup(path) if step.change == CHANGED else None)
        shown = backup if backup is not None and not self.asked.dry_run and backup.exists() else None
        diff = tuple(_diff(path, step.before, step.after)) if self.asked.dry_run and step.writes else ()
        return Part(path, step.edit.what, step.change, shown, diff)


_Act = Callable[[_Call, Client], Outcome]


def _install(call: _Call, client: Client) -> Outcome:
    steps = call.files.plan_in(client, call.asked.switches.get(client.name, ()))
    index, created = (None, None) if client.index_file is None else _index(call, client.index_file(call.where))
    try:
        if not call.asked.dry_run:
            call.files.write(steps, leaving=False)
    except BaseException as error:
        if index is not None and not call.asked.dry_run:
            _take_back_index(call, index, created, error)
        raise
    parts = call.parts(steps, index)
    state = INSTALLED if any(part.change not in (SAME, LEFT) for part in parts) else UNCHANGED
    advice = (*([created] if created else ()), *_store_advice(call.where), *client.advice(call.where))
    return Outcome(client, state, parts, advice)


def _store_advice(where: ClientSurroundings) -> Iterator[str]:
    """That the store which hooks name is not there, in one sentence."""
    if where.store is not None and not is_store(where.store):
        yield f"There is no store at {where.store} yet. Make one: {where.line('init')}"


def _uninstall(call: _Call, client: Client) -> Outcome:
    steps = call.files.plan_out(client)
    if not call.asked.dry_run:
        call.files.write(steps, leaving=True)
    try:
        index = None if client.index_file is None else _no_index(call, client.index_file(call.where))
    except WriteFailed as error:
        raise half_done(error, [str(step.edit.path) for step in steps if step.writes]) from None
    parts = call.parts(steps, index)
    state = REMOVED if any(part.change in (CHANGED, DELETED, RESTORED) for part in parts) else UNCHANGED
    return Outcome(client, state, parts)


def _index(call: _Call, path: Path) -> tuple[Part, str | None]:
    """The file that a client without hooks reads: made, and kept up to date from then on; and that its store was made
    for it."""
    there = path.exists()
    if call.asked.dry_run:
        return Part(path, "index", SAME if there else MADE), None
    from remember_me.app.contextfile import SAME as NOTHING_NEW
    from remember_me.app.contextfile import write_index
    from remember_me.app.start import open_for_writing

    session = open_for_writing(call.around, create=True)
    try:
        kept = write_index(session, path)
    except BaseException as error:
        _take_back_index(call, Part(path, "index", CHANGED if there else MADE), session.created, error)
        raise
    change = SAME if kept.state == NOTHING_NEW else CHANGED if there else MADE
    return Part(path, "index", change), session.created


def _take_back_index(call: _Call, index: Part, created: str | None, error: BaseException) -> None:
    """Remove the index that a call made which failed, and let its error tell of a store that it made."""
    from remember_me.app.contextfile import remove_index

    if created and isinstance(error, RememberMeError):
        error.args = (f"{str(error).removesuffix(' Nothing was changed.')} {created}",)
    try:
        if index.change == MADE:
            remove_index(index.path, call.where.environ)
    except RememberMeError:
        return  # the error of the call counts


def _no_index(call: _Call, path: Path) -> Part:
    change = DELETED if path.exists() else SAME
    if not call.asked.dry_run:
        from remember_me.app.contextfile import remove_index

        remove_index(path, call.where.environ)
    return Part(path, "index", change)


def _diff(path: Path, before: bytes | None, after: bytes | None) -> Iterator[str]:
    old, new = (decode(data or b"").splitlines() for data in (before, after))
    name, new_name = (str(path) if data is not None else os.devnull for data in (before, after))
    yield from difflib.unified_diff(old, new, name, new_name, lineterm="")
