"""Gemini CLI: hooks in its settings.json, with times in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from remember_me.clients.base import Client, Edit, Surroundings
from remember_me.clients.hooks import HookFile
from remember_me.clients.skill import skill_edit

NAME = "gemini"
EVENTS = {
    "SessionStart": "session-start",
    "BeforeAgent": "prompt",
    "PreCompress": "pre-compact",
    "AfterAgent": "stop",
    "SessionEnd": "session-end",
    "Notification": "permission",
}
MATCHERS = {"SessionStart": "*", "Notification": "ToolPermission"}
MILLISECONDS = {"SessionStart": 5000, "SessionEnd": 3000}
USUAL_MILLISECONDS = 2000


def root(around: Surroundings) -> Path:
    """What Gemini CLI takes for the home."""
    return around.folder("GEMINI_CLI_HOME")


def _groups(around: Surroundings) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for event, ours in EVENTS.items():
        hook = {
            "type": "command",
            "name": "remember-me",
            "command": around.hook_command(NAME, ours),
            "timeout": MILLISECONDS.get(event, USUAL_MILLISECONDS),
        }
        found[event] = {"matcher": MATCHERS[event], "hooks": [hook]} if event in MATCHERS else {"hooks": [hook]}
    return found


def _edits(around: Surroundings) -> tuple[Edit, ...]:
    hooks = HookFile(root(around) / ".gemini" / "settings.json", NAME, _groups(around))
    return hooks.edit(), skill_edit(root(around) / ".agents" / "skills")


GEMINI = Client(
    NAME,
    "Gemini CLI",
    "gemini",
    EVENTS,
    lambda around: around.has_program("gemini") or (root(around) / ".gemini").is_dir(),
    _edits,
    lambda around: (),
)
