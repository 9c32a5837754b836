"""Show and change settings for the command `config`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from remember_me.app.config import (
    MACHINE,
    STORE,
    check_value,
    find_setting,
    load_settings,
    machine_config_path,
    settings_text,
    with_value,
)
from remember_me.app.resources import template
from remember_me.app.wiring import Session, Surroundings, open_session
from remember_me.errors import InvalidInput, Refused, WriteFailed
from remember_me.model.change import Merge
from remember_me.model.revision import AGENT_PREFIX
from remember_me.notes.layout import LONG_TERM_NAME, SETTINGS_NAME
from remember_me.store.files import Disk, write_private
from remember_me.store.store import Applied

Row = dict[str, str | None]


def show(root: Path, environ: Mapping[str, str], key: str | None) -> list[Row]:
    """All settings, or the one of `key`: its value, where that comes from, and the file it is kept in."""
    if key is not None:
        find_setting(key)
    files = {STORE: root / SETTINGS_NAME, MACHINE: machine_config_path(environ)}
    return [
        {
            "key": found.setting.key,
            "value": found.value,
            "default": found.setting.default,
            "origin": str(found.origin) if found.origin else None,
            "file": str(files[found.setting.kept_in]),
        }
        for found in load_settings(root, environ).values()
        if key in (None, found.setting.key)
    ]


def change(around: Surroundings, key: str, value: str) -> tuple[Row, Applied | None]:
    """Change one setting: in the store as an operation that can be undone, else in this machine's file."""
    setting = find_setting(key)
    checked = check_value(setting, value)
    if setting.kept_in == STORE:
        session = open_session(around)
        if setting.key == "store.notes":
            _refuse_to_leave_notes(session, checked)
        data = session.store.files.read(SETTINGS_NAME)
        text = with_value((data or b"").decode("utf-8") or template(SETTINGS_NAME), setting, checked)
        applied = session.store.apply([Merge(SETTINGS_NAME, data, text.encode())], session.request("config"))
        return show(session.store.root, around.environ, key)[0], applied
    path = machine_config_path(around.environ)
    _refuse_agents(around)
    _write_machine(path, setting.key, with_value(settings_text(path) or template("config.toml"), setting, checked))
    return {
        "key": key,
        "value": checked,
        "default": setting.default,
        "origin": str(path),
        "file": str(path),
    }, None


def _refuse_to_leave_notes(session: Session, folder: str) -> None:
    """In another folder the notes of now would be none any more, and their history one of deletions."""
    store = session.store
    left = [path for path in store.files.scan().notes if path != LONG_TERM_NAME]
    if left and folder != store.shape.notes_dir:
        raise InvalidInput(
            f"There are notes in {store.shape.notes_dir} ({left[0]}), which would be left behind.",
            hint=f"Move them to {store.root / folder} first.",
        )


def _refuse_agents(around: Surroundings) -> None:
    """Who is trusted on this machine is a person's to say (DESIGN section 5)."""
    from remember_me.app.actor import decide_actor, this_channel

    actor = decide_actor(around.channel or this_channel(around.environ), scripts_are_persons=False)
    if actor.startswith(AGENT_PREFIX):
        raise Refused(
            "trust-settings",
            "An agent cannot change the settings of this machine.",
            hint="Run the command in a terminal of your own.",
        )


def _write_machine(path: Path, key: str, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_private(Path(os.path.realpath(path)), text.encode(), Disk())
    except OSError as error:
        raise WriteFailed(str(path), (error.strerror or "refused").lower(), hint=f"{key} was not changed.") from None
