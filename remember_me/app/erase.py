"""Erase: out of git's history what was forgotten, with a proof, and a list of what is out of reach (DESIGN 5)."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from remember_me.app import forget as notes
from remember_me.app.contextfile import contexts_of
from remember_me.app.forget import Found
from remember_me.app.wiring import Session
from remember_me.errors import InvalidInput, Refused, RememberMeError, WaitsForReview
from remember_me.model.entry import PROVISIONAL_PREFIX, Entry
from remember_me.notes.layout import LONG_TERM_NAME
from remember_me.policy.duplicates import text_of
from remember_me.policy.likeness import needle, normal_form
from remember_me.store import erase as engine
from remember_me.store.git import GitFailed
from remember_me.store.intent import Intent, load_intent, save_intent
from remember_me.store.store import Applied, StoreBusy

MAP_NAME = "erase.map"


class Reach(NamedTuple):
    """A place that still has the text, and what to do about it."""

    place: str
    advice: str


class Report(NamedTuple):
    """What became of it. `erased` is None where the history could not be reached; `reason` and `hint` say why.

    `elsewhere` are copies out of our reach, `others` other entries and files of the person that contain the words.
    """

    erased: engine.Erased | None
    elsewhere: tuple[Reach, ...]
    others: tuple[str, ...]
    reason: str | None = None
    hint: str | None = None


def forget(session: Session, found: Found) -> Applied:
    """Forget, and remember what is to be erased: before anything is taken out of a note, so that no crash loses it.

    Where nothing was forgotten, nothing is to be erased: the same was refused, or waits for review.
    """
    store = session.store
    before = load_intent(store.own_folder)
    save_intent(store.own_folder, before | _intent(found), store.tools.disk)
    try:
        return notes.forget(session, found)
    except (WaitsForReview, Refused, StoreBusy):
        save_intent(store.own_folder, before, store.tools.disk)
        raise


def _intent(found: Found) -> Intent:
    ids = tuple(one for one in found.ids if not one.startswith(PROVISIONAL_PREFIX))
    said = tuple(text_of(entry) for entry in found.entries)
    return Intent(ids, found.texts, said, (found.match,) if found.match else ())


def pending(session: Session) -> Intent:
    """What is still to be erased; empty where nothing is."""
    return load_intent(session.store.own_folder)


def _target(wanted: Intent) -> engine.Target:
    forms = {normal_form(text) for text in wanted.said}

    def forgotten(entry: Entry) -> bool:
        return normal_form(text_of(entry)) in forms

    needles = tuple({found for text in wanted.said if (found := needle(text))})
    return engine.Target(frozenset(wanted.ids), forgotten, needles, wanted.texts)


def plan(session: Session) -> engine.Erasure | None:
    """What erasing would do; None where nothing is to be erased. Raises CannotCommit."""
    wanted = pending(session)
    if wanted == Intent():
        return None
    target = _target(wanted)
    store = session.store
    return engine.plan_erasure(
        store.git, target, engine.entry_rule(store.shape, target), notes_dir=store.shape.notes_dir
    )


def erase(session: Session) -> Report:
    """Erase what is to be erased, prove that it is gone, and say where it still is. Raises InvalidInput for nothing.

    It may be called again after any interruption.
    """
    wanted, store = pending(session), session.store
    if wanted == Intent():
        raise InvalidInput("Nothing waits to be erased.", hint="`remember-me forget` says what is to be.")
    store.settle()  # a crash may have come behind the journal of the forgetting
    standing = notes.standing(session, wanted.ids, wanted.said)
    if standing.entries:  # or between the intent and that
        notes.forget(session, standing)
    notes.clear_parts(session, wanted.ids, (*wanted.texts, *wanted.matches))  # or behind the notes
    target = _target(wanted)
    rule = engine.entry_rule(store.shape, target)
    erased, reason, hint = None, None, None
    others: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    try:
        remotes = engine.remotes_of(store.git)
        with store.settled():
            erased = engine.erase(store.git, target, rule, map_path=store.own_folder / MAP_NAME)
            if store.anchor is not None:
                store.anchor.set(store.git.head().commit)
    except RememberMeError as error:
        reason, hint = str(error), error.hint
    _drop_cache(session)
    if erased is not None:
        save_intent(store.own_folder, Intent(), store.tools.disk)
    found = _still(session, wanted)
    listing = store.files.scan()
    served = {os.path.realpath(store.root / path) for path in (*listing.notes, *listing.beside)}
    others = tuple(_name(store.root, place.path) for place in found if place.kind == "file" and place.path in served)
    elsewhere = list(_reaches(session, [one for one in found if one.path not in served])) if erased is not None else []
    if erased is not None:
        elsewhere += [_remote(store.root, name, erased.refs) for name in remotes]
        elsewhere += [Reach(path, "clean it by hand") for path in erased.left]
    return Report(erased, tuple(dict.fromkeys(elsewhere)), others, reason, hint)


def _still(session: Session, wanted: Intent) -> Sequence[engine.Place]:
    """Where the texts still stand: in git, and in any file of the folder, ours or not."""
    store = session.store
    parts = [path for path in sorted(store.root.iterdir()) if path.name != ".git"]
    linked = store.root / LONG_TERM_NAME
    parts += [Path(os.path.realpath(linked))] if linked.is_symlink() else []
    parts += [
        Path(row.file) for row in contexts_of(session.environ, store.tools.disk).rows() if os.path.exists(row.file)
    ]
    try:
        return engine.prove(store.git, wanted.texts, parts)
    except GitFailed:
        return ()


def _reaches(session: Session, places: Sequence[engine.Place]) -> Iterator[Reach]:
    """Each file by itself; of the objects of a kind the first, for a note has one for each of its revisions."""
    root = session.store.root
    objects: dict[str, list[str]] = {}
    for place in places:
        if place.kind in ("file", "name", "debris", "unreadable"):
            yield Reach(_name(root, place.path), _advice(root, place))
        else:
            objects.setdefault(place.kind, []).append(place.path[:12])
    for kind, names in objects.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        show = f"git -C {shlex.quote(str(root))} log --all --name-only --find-object={names[0]}"
        advice = f"another entry or file has the words; which: {show}"
        if kind != "blob":
            advice = f"see what it says: git -C {shlex.quote(str(root))} cat-file -p {names[0]}"
        yield Reach(f"{kind} {names[0]}{more}", advice)


def _advice(root: Path, place: engine.Place) -> str:
    """The next command for a file."""
    path = Path(place.path)
    if place.kind == "unreadable":
        return f"it cannot be read: ls -l {shlex.quote(place.path)}"
    if place.kind != "debris" and path.is_relative_to(root / ".git"):
        return "take the words out of it by hand; git needs the rest"
    remove = f"rm {shlex.quote(place.path)}"
    if path.suffix.startswith(".sw"):
        return f"close its editor, then {remove}"
    leftover = place.kind == "debris" or path.name.endswith("~") or path.suffix in (".bak", ".orig", ".tmp")
    return remove if leftover else f"take the words out of it, or {remove}"


def _remote(root: Path, name: str, moved: Iterable[str]) -> Reach:
    kinds = ["--all"] + (["--tags"] if any(ref.startswith("refs/tags/") for ref in moved) else [])
    pushes = [f"git -C {shlex.quote(str(root))} push --force {kind} {shlex.quote(name)}" for kind in kinds]
    return Reach(f"the remote {name}", f"{' && '.join(pushes)}, then ask its owner to prune")


def _name(root: Path, place: str) -> str:
    """A file as a person knows it: as the store has it, else its whole path."""
    path = Path(place)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else place


def _drop_cache(session: Session) -> None:
    from remember_me.recall.cache import Cache

    Cache(session.store).drop()
