"""opencode: it runs no commands as hooks, so a small plugin in its folder does."""

from __future__ import annotations

import json
import os
from pathlib import Path

from remember_me.clients.base import Client, Edit, Surroundings, own_file
from remember_me.clients.shipped import template
from remember_me.clients.skill import skill_edit

NAME = "opencode"
EVENTS = {
    "session.created": "session-start",
    "chat.message": "prompt",
    "experimental.session.compacting": "pre-compact",
    "session.idle": "stop",
    "dispose": "session-end",
    "permission.asked": "permission",
}
PLUGIN = "plugin"
_PROGRAM = 'const PROGRAM = "remember-me"\n'
_OPTIONS = "const OPTIONS = []\n"


def folder(around: Surroundings) -> Path:
    """Where opencode reads its settings and plugins."""
    given = around.environ.get("OPENCODE_CONFIG_DIR", "")
    return Path(given) if os.path.isabs(given) else around.folder("XDG_CONFIG_HOME", ".config") / "opencode"


def plugin(around: Surroundings) -> bytes:
    """The plugin with the path of our program and the store that was given."""
    text = template("clients/opencode.js")
    options = ["--store", str(around.store)] if around.store else []
    for line, value in ((_PROGRAM, around.command), (_OPTIONS, options)):
        name = line.split("=")[0]
        text = text.replace(line, f"{name}= {json.dumps(value, ensure_ascii=False)}\n", 1)
    return text.encode()


def _edits(around: Surroundings) -> tuple[Edit, ...]:
    file = folder(around) / "plugins" / "remember-me.js"
    return own_file(file, plugin(around), PLUGIN), skill_edit(around.home / ".agents" / "skills")


OPENCODE = Client(
    NAME,
    "opencode",
    "opencode",
    EVENTS,
    lambda around: around.has_program("opencode") or folder(around).is_dir(),
    _edits,
    lambda around: (),
)
