"""Make a store, adopt a folder that has notes already, and the throw-away store of `demo`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from remember_me.app.actor import Channel
from remember_me.app.config import find_setting, with_value
from remember_me.app.inventory import Inventory, count
from remember_me.app.resources import template
from remember_me.app.wiring import Session, Surroundings, assemble, is_store, open_session, refuse_links, store_path
from remember_me.errors import InvalidInput, StoreDamaged, WriteFailed
from remember_me.model.change import Change, Merge
from remember_me.notes import layout
from remember_me.notes.frontmatter import parse_front_matter
from remember_me.notes.note import decode, topic_tag
from remember_me.store.files import read_regular
from remember_me.store.git import GitFailed
from remember_me.store.listing import NOTE_LIMIT_BYTES
from remember_me.store.reader import OWN_FOLDER
from remember_me.store.store import Applied
from remember_me.store.undo import INIT_VERB

_IGNORE_NAME = ".gitignore"
_IGNORE_TEXT = f"{OWN_FOLDER}/\n"


class Started(NamedTuple):
    """A store that is ready. `made` says that nothing was there before, `adopted` that a folder with notes became
    one; neither: it was one already."""

    session: Session
    inventory: Inventory
    applied: Applied
    made: bool
    adopted: bool


def init(around: Surroundings, *, inside_repository: bool = False) -> Started:
    """Make a store at the chosen place, or adopt what is there without changing a byte of its notes.

    Raises StoreDamaged for a folder that is neither empty nor has the shape of a store, and for one that
    lies in another repository's work tree unless `inside_repository` allows it.
    """
    path = store_path(around)
    if os.path.lexists(path) and not path.is_dir():
        raise StoreDamaged(
            f"{path} is a file, not a folder.", hint="Give another folder with --store or REMEMBER_ME_HOME."
        )
    shaped = path.is_dir() and is_store(path)
    known = shaped and (path / OWN_FOLDER).is_dir() and os.path.lexists(path / layout.SETTINGS_NAME)
    if path.is_dir() and not shaped and (strangers := _strangers(path)):
        raise StoreDamaged(
            f"{path} holds other files ({', '.join(strangers[:3])}) and no notes, so it was left alone.",
            hint=f"Choose an empty folder, or create {layout.LONG_TERM_NAME} there if it is to become a store.",
        )
    outer = _outer_repository(path)
    if outer is not None and not inside_repository and not os.path.lexists(path / ".git"):
        raise StoreDamaged(
            f"{path} lies in the work tree of the repository {outer}.",
            hint="Choose a place outside of it, or add --inside-repository for a repository of its own in there.",
        )
    try:
        _make_folders(path)
        notes_dir = _notes_dir(path)
    except OSError as error:
        raise WriteFailed(
            str(path), (error.strerror or "refused").lower(), hint="Check the permissions of the folder."
        ) from None
    return _start(Path(os.path.realpath(path)), notes_dir, around, made=not shaped, adopted=shaped and not known)


def _start(root: Path, notes_dir: str, around: Surroundings, *, made: bool, adopted: bool) -> Started:
    changes: list[Change] = []
    if not os.path.lexists(root / layout.SETTINGS_NAME):
        text = template(layout.SETTINGS_NAME)
        if notes_dir != "memory":
            text = with_value(text, find_setting("store.notes"), notes_dir)
        changes.append(Merge(layout.SETTINGS_NAME, None, text.encode()))
    if not os.path.lexists(root / _IGNORE_NAME):
        changes.append(Merge(_IGNORE_NAME, None, _IGNORE_TEXT.encode()))
    session = assemble(root, around)
    if notes_dir != session.store.shape.notes_dir and not os.path.lexists(root / layout.SETTINGS_NAME):
        session = _reshaped(session, notes_dir)
    try:
        session.store.git.init()
        ignored = session.store.git.ignored([layout.LONG_TERM_NAME, session.store.shape.note_path("2026-01-01.md")])
    except GitFailed:
        ignored = []
    if ignored:
        raise StoreDamaged(
            f"The repository at {root} ignores {ignored[0]}, so it could keep no history.",
            hint="Take that rule out of its .gitignore, or choose another folder.",
        )
    applied = session.store.apply(changes, session.request(INIT_VERB))
    return Started(assemble(root, around), count(session.store.read()), applied, made, adopted)


def _reshaped(session: Session, notes_dir: str) -> Session:
    store = session.store
    shape = type(store.shape)(notes_dir, store.shape.timezone)
    return Session(type(store)(store.root, shape, store.git, store.lock, store.tools), session.settings, session.actor)


def open_for_writing(around: Surroundings, *, create: bool) -> Session:
    """The session of a command that writes. `created` says so where the store had to be made for it.

    A folder that has the shape of a store is adopted on the first write; with `create` a new one is made.
    """
    path = store_path(around)
    known = is_store(path)
    if (known and (path / OWN_FOLDER).is_dir()) or not (known or create):
        return open_session(around)
    started = init(around)
    did = "Made a new store in" if started.made else "Adopted the notes in"
    return started.session._replace(created=f"{did} {path}.")


def _make_folders(path: Path) -> None:
    """The store's own folder, private."""
    path.mkdir(parents=True, exist_ok=True)
    own = path / OWN_FOLDER
    own.mkdir(mode=0o700, exist_ok=True)
    refuse_links(path)
    (own / "spool").mkdir(mode=0o700, exist_ok=True)


def _notes_dir(path: Path) -> str:
    """`memory`, or `.` where topic notes lie beside MEMORY.md and there is no such folder."""
    if (path / "memory").is_dir() or not (path / layout.LONG_TERM_NAME).exists():
        return "memory"
    return "." if any(_is_topic(file) for file in sorted(path.glob("*.md"))) else "memory"


def _is_topic(file: Path) -> bool:
    try:
        front = parse_front_matter(decode(read_regular(file, NOTE_LIMIT_BYTES)), file.name)
    except (OSError, ValueError):
        return False
    return front is not None and topic_tag(front) is not None


def _strangers(path: Path) -> list[str]:
    ours = (".git", _IGNORE_NAME, OWN_FOLDER, ".DS_Store")
    return sorted(name for name in os.listdir(path) if name not in ours and not layout.is_temporary(name))


def _outer_repository(path: Path) -> Path | None:
    for folder in Path(os.path.realpath(path)).parents:
        if os.path.lexists(folder / ".git"):
            return folder
    return None


def demo(around: Surroundings) -> Session:
    """Make a store with sample notes. Raises InvalidInput for a store that is there already.

    Whoever calls it, the samples count as the person's: they are ours, and nothing of them waits for review.
    """
    from remember_me.app import capture
    from remember_me.app.draft import Draft

    path = store_path(around)
    if path.is_dir() and is_store(path):
        raise InvalidInput(
            f"{path} is a store already, and the demo would mix its samples into it.",
            hint="Leave --store out, or give a new folder.",
        )
    session = init(around._replace(channel=Channel((), terminal=True))).session
    for text, options in demo_entries():
        tag = options.pop("tag")
        capture.add(session, Draft(text, tag, fields=tuple(options.items())))
    return session


def demo_entries() -> Iterable[tuple[str, dict[str, str]]]:
    """The sample entries of the demo: (text, options of `add`)."""
    yield "Repairs mechanical clocks and music boxes for a living", {"tag": "FACT", "signal": "personal"}
    yield "Replies in Italian when the talk is about food", {"tag": "PREFERENCE", "impact": "2"}
    yield (
        "Never name customers in notes or commit messages",
        {"tag": "PREFERENCE", "signal": "boundary", "impact": "3"},
    )
    yield "Release cogwork 2.0 before the winter fair", {"tag": "GOAL", "scope": "cogwork"}
    yield "Decides faster with two options than with five", {"tag": "HYPOTHESIS", "confidence": "medium"}
