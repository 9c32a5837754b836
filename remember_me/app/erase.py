"""Erase: out of git's history what was forgotten, with a proof, and a list of what is out of reach (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from remember_me.app import forget as notes
from remember_me.app.forget import Found
from remember_me.app.wiring import Session
from remember_me.errors import InvalidInput, Refused, RememberMeError, WaitsForReview
from remember_me.model.entry import PROVISIONAL_PREFIX, Entry
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
    return Intent(ids, found.texts, tuple(text_of(entry) for entry in found.entries))


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
    standing = notes.standing(session, wanted.ids)
    if standing.entries:  # a crash came between the intent and the notes
        notes.forget(session, standing)
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
    served = {str(store.root / path) for path in store.files.scan().notes}
    others = tuple(_name(store.root, place.path) for place in found if place.kind == "file" and place.path in served)
    elsewhere = [_reach(session, place) for place in found if place.path not in served and erased is not None]
    elsewhere += [
        Reach(f"the remote {name}", f"git push --force --all {name}, then ask its owner to prune") for name in remotes
    ]
    elsewhere += [Reach(path, "clean it by hand") for path in (erased.left if erased is not None else ())]
    return Report(erased, tuple(dict.fromkeys(elsewhere)), others, reason, hint)


def _still(session: Session, wanted: Intent) -> Sequence[engine.Place]:
    store = session.store
    parts = [path for path in (store.own_folder, store.root / store.shape.notes_dir) if path.exists()]
    parts += [path for path in store.root.iterdir() if path.is_file()]
    try:
        return engine.prove(store.git, wanted.texts, _outside_git(parts, store.root))
    except GitFailed:
        return ()


def _outside_git(parts: Iterable[Path], root: Path) -> list[Path]:
    """The parts; where the notes lie beside everything else, its single files."""
    found: list[Path] = []
    for part in parts:
        if part == root:
            found += [path for path in root.iterdir() if path.is_file()]
        else:
            found.append(part)
    return list(dict.fromkeys(found))


def _reach(session: Session, place: engine.Place) -> Reach:
    root = session.store.root
    if place.kind in ("file", "name", "unreadable", "debris"):
        return Reach(_name(root, place.path), "delete it, or close the editor that keeps it")
    if place.kind == "blob":
        found = f"git log --all --name-only --find-object={place.path[:12]}"
        return Reach(f"blob {place.path[:12]}", f"another entry or file has the words; which: {found}")
    return Reach(f"{place.kind} {place.path[:12]}", "git keeps it for another file or name; see `git log --all`")


def _name(root: Path, place: str) -> str:
    """A file as a person knows it: as the store has it, else its whole path."""
    path = Path(place)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else place


def _drop_cache(session: Session) -> None:
    from remember_me.recall.cache import Cache

    Cache(session.store).drop()
