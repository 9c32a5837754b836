"""Commands to begin with: init, demo, status, config."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from remember_me.app import capture, settings, shapes
from remember_me.app import status as status_of
from remember_me.app.inventory import Inventory
from remember_me.app.start import demo_entries
from remember_me.app.start import init as start_store
from remember_me.app.wiring import Surroundings, store_path
from remember_me.cli.output import (
    answer_json,
    answer_line,
    globals_of,
    list_lines,
    remark,
    session_of,
    surroundings,
    tell_uncommitted,
)

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
    around = surroundings(ctx)
    if folder is not None:
        around = Surroundings(around.environ, folder)
    started = start_store(around, inside_repository=inside_repository)
    found, root = started.inventory, started.session.store.root
    if globals_of(ctx).json:
        answer_json({"store": str(root), "adopted": started.adopted} | _inventory(found))
    else:
        answer_line(f"{'Adopted' if started.adopted else 'Made a new store in'} {root}.")
        if started.adopted:
            answer_line(f"Found {_counts(found)} in {_plural(found.notes, 'note')}; no byte of them was changed.")
        _show_problems(found)
    tell_uncommitted(ctx, started.applied)


def demo(ctx: typer.Context) -> None:
    """Try it out in a throw-away store with sample notes."""
    around = surroundings(ctx)
    folder = globals_of(ctx).store or Path(tempfile.mkdtemp(prefix="remember-me-demo-")) / "store"
    session = start_store(Surroundings(around.environ, folder)).session
    for text, options in demo_entries():
        tag = options.pop("tag")
        capture.add(session, capture.Draft(text, tag, fields=tuple(options.items())))
    root = session.store.root
    if globals_of(ctx).json:
        entries = session.store.read().entries()
        answer_json(
            {
                "store": str(root),
                "entries": [shapes.entry_document(entry, session.actor) for entry in entries],
            }
        )
        return
    answer_line(f"A store to play with: {root}")
    for line in list_lines(session.store.read().entries()):
        answer_line(f"  {line}")
    answer_line("Try:")
    for command in (
        'add "Prefers short answers"',
        "list",
        "get ID",
        'correct ID "Prefers answers of one line"',
        "undo",
    ):
        answer_line(f"  remember-me --store {root} {command}")


def status(ctx: typer.Context) -> None:
    """Say what the store holds and what needs you."""
    session = session_of(ctx)
    found = status_of.state(session)
    if globals_of(ctx).json:
        answer_json(_state_document(str(session.store.root), found))
        return
    answer_line(f"{session.store.root}: {_counts(found.inventory)} in {_plural(found.inventory.notes, 'note')}.")
    tags = ", ".join(f"{number} {tag}" for tag, number in found.inventory.tags.items() if number)
    if tags:
        answer_line(f"  {tags}")
    if found.waiting or found.edited:
        answer_line(f"{_plural(found.waiting + len(found.edited), 'uncommitted change')}; the next write commits them.")
    for path in found.edited[:_MOST_SHOWN]:
        answer_line(f"  {path} was edited by hand")
    if found.reason:
        answer_line(f"git cannot commit now: {found.reason}.")
        if found.hint:
            answer_line(f"  {found.hint}")
    for name in found.damaged:
        answer_line(f"The spool file {name} cannot be read; it was left alone.")
    for gone in found.vanished[:_MOST_SHOWN]:
        answer_line(f"{gone.entry} vanished in a hand edit of {gone.at:%Y-%m-%d %H:%M}.")
        answer_line(f"  bring it back: remember-me undo {gone.operation} --entry {gone.entry}")
    _show_problems(found.inventory)


def _state_document(root: str, found: status_of.State) -> dict[str, object]:
    vanished = [{"id": one.entry, "operation": one.operation, "at": one.at.isoformat()} for one in found.vanished]
    return {
        "store": root,
        **_inventory(found.inventory),
        "uncommitted": found.waiting + len(found.edited),
        "edited": list(found.edited),
        "reason": found.reason,
        "hint": found.hint,
        "damaged": list(found.damaged),
        "vanished": vanished,
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
    return f"{_plural(found.entries, 'entry', 'entries')}, {_plural(found.passages, 'searchable passage')}"


def _plural(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _show_problems(found: Inventory) -> None:
    for problem in found.problems[:_MOST_SHOWN]:
        answer_line(f"Problem: {problem}")
    if len(found.problems) > _MOST_SHOWN:
        answer_line(f"  and {len(found.problems) - _MOST_SHOWN} more; --json lists all")
    for copy in found.copies[:_MOST_SHOWN]:
        answer_line(f"Not read, a conflict copy or backup: {copy}")
    if len(found.copies) > _MOST_SHOWN:
        answer_line(f"  and {len(found.copies) - _MOST_SHOWN} more; --json lists all")


def config(
    ctx: typer.Context,
    key: Annotated[str | None, typer.Argument(metavar="[KEY]", help="One setting, as section.name.")] = None,
    value: Annotated[str | None, typer.Argument(metavar="[VALUE]", help="A new value for it.")] = None,
) -> None:
    """Show the settings and where each is kept, or change one."""
    around = surroundings(ctx)
    if key is not None and value is not None:
        changed, applied = settings.change(around, key, value)
        if globals_of(ctx).json:
            answer_json(changed)
        else:
            answer_line(f"{key} is {value or 'empty'} now, in {changed['origin']}.")
        if applied is not None:
            tell_uncommitted(ctx, applied)
        return
    found = settings.show(store_path(around), around.environ, key)
    if globals_of(ctx).json:
        answer_json(found)
        return
    if key is not None:
        answer_line(str(found[0]["value"]))
        return
    for setting in found:
        answer_line(f'{setting["key"]} = "{setting["value"]}"  ({setting["origin"] or "default"})')
    remark(ctx, f"Settings of the store are in {found[0]['file']}, those of this machine in {found[-1]['file']}.")
