"""GitHub Copilot CLI: hooks in a file of our own, which it reads beside those of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from remember_me.clients.base import Client, Edit, Surroundings
from remember_me.clients.hooks import HookFile
from remember_me.clients.skill import skill_edit

NAME = "copilot"
EVENTS = {
    "sessionStart": "session-start",
    "userPromptSubmitted": "prompt",
    "preCompact": "pre-compact",
    "agentStop": "stop",
    "sessionEnd": "session-end",
}
SECONDS = {"sessionStart": 5, "sessionEnd": 3}
USUAL_SECONDS = 2


def folder(around: Surroundings) -> Path:
    """Where Copilot CLI keeps its settings."""
    return around.folder("COPILOT_HOME", ".copilot")


def _hooks(around: Surroundings) -> dict[str, dict[str, Any]]:
    return {
        event: {
            "type": "command",
            "bash": around.hook_command(NAME, ours),
            "timeoutSec": SECONDS.get(event, USUAL_SECONDS),
        }
        for event, ours in EVENTS.items()
    }


def _edits(around: Surroundings) -> tuple[Edit, ...]:
    path = folder(around) / "hooks" / "remember-me.json"
    hooks = HookFile(path, NAME, _hooks(around), nested=False, head={"version": 1}, private=True)
    return hooks.edit(), skill_edit(around.home / ".agents" / "skills")


COPILOT = Client(
    NAME,
    "GitHub Copilot CLI",
    "copilot",
    EVENTS,
    lambda around: around.has_program("copilot") or folder(around).is_dir(),
    _edits,
    lambda around: (),
)
