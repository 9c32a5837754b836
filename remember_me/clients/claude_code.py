"""Claude Code: hooks in its settings.json, and the skill in its own folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from remember_me.clients.base import Client, Edit, Surroundings
from remember_me.clients.hooks import HookFile
from remember_me.clients.skill import skill_edit
from remember_me.store.outside import read_outside

NAME = "claude-code"
ANY_START = "startup|resume|clear|compact"
AUTO = "autoMemoryEnabled"
"""The setting that says whether Claude Code keeps a memory of its own."""

EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre-compact",
    "Stop": "stop",
    "SessionEnd": "session-end",
    "PermissionRequest": "permission",
    "Elicitation": "permission",
}
_TRUE = ("1", "true", "yes", "on")
SECONDS = {"SessionStart": 5, "SessionEnd": 3}
USUAL_SECONDS = 2


def groups(around: Surroundings, client: str, events: dict[str, str]) -> dict[str, dict[str, Any]]:
    """For each event the group with our hook, in the form of Claude Code and Codex."""
    found: dict[str, dict[str, Any]] = {}
    for event, ours in events.items():
        command = around.hook_command(client, ours)
        hook = {"type": "command", "command": command, "timeout": SECONDS.get(event, USUAL_SECONDS)}
        found[event] = {"matcher": ANY_START, "hooks": [hook]} if event == "SessionStart" else {"hooks": [hook]}
    return found


def folder(around: Surroundings) -> Path:
    """Where Claude Code keeps its settings."""
    return around.folder("CLAUDE_CONFIG_DIR", ".claude")


def _edits(around: Surroundings) -> tuple[Edit, ...]:
    hooks = HookFile(folder(around) / "settings.json", NAME, groups(around, NAME, EVENTS))
    return hooks.edit(), skill_edit(folder(around) / "skills")


def is_alone(settings: Mapping[str, Any], environ: Mapping[str, str]) -> bool:
    """Whether Claude Code keeps no memory of its own, as its settings or the environment say."""
    given = environ.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "").strip().lower()
    return given in _TRUE or settings.get(AUTO) is False


def is_plugin_on(settings: Mapping[str, Any]) -> bool:
    """Whether our plugin is enabled, of whatever marketplace: it runs the same hooks as the settings."""
    plugins = settings.get("enabledPlugins")
    rows = plugins.items() if isinstance(plugins, Mapping) else ()
    return any(name.startswith("remember-me@") and on is True for name, on in rows)


def _advice(around: Surroundings) -> tuple[str, ...]:
    settings, found = _settings(folder(around) / "settings.json"), []
    if is_plugin_on(settings):
        found.append(
            "The plugin remember-me of Claude Code runs the same hooks, so keep one of both. To keep the plugin: "
            + around.line(f"uninstall {NAME}")
        )
    if not is_alone(settings, around.environ):
        found.append(
            "Claude Code keeps an auto memory of its own beside this one. To switch it off: "
            + around.line(f"install {NAME} --no-auto-memory")
        )
    return tuple(found)


def _settings(path: Path) -> dict[str, Any]:
    try:
        settings = json.loads((read_outside(path) or b"").decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return settings if isinstance(settings, dict) else {}


CLAUDE_CODE = Client(
    NAME,
    "Claude Code",
    "claude",
    EVENTS,
    lambda around: around.has_program("claude") or folder(around).is_dir(),
    _edits,
    _advice,
)
