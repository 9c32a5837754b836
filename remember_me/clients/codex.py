"""Codex CLI: hooks in its hooks.json, which run only once their user trusts them."""

from __future__ import annotations

from pathlib import Path

from remember_me.clients.base import Client, Edit, Surroundings
from remember_me.clients.claude_code import groups
from remember_me.clients.hooks import HookFile
from remember_me.clients.skill import skill_edit

NAME = "codex"
EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre-compact",
    "Stop": "stop",
    "SessionEnd": "session-end",
    "PermissionRequest": "permission",
}


def folder(around: Surroundings) -> Path:
    """Where Codex keeps its settings."""
    return around.folder("CODEX_HOME", ".codex")


def _edits(around: Surroundings) -> tuple[Edit, ...]:
    hooks = HookFile(folder(around) / "hooks.json", NAME, groups(around, NAME, EVENTS))
    return hooks.edit(), skill_edit(around.home / ".agents" / "skills")


def _advice(around: Surroundings) -> tuple[str, ...]:
    return ("Codex runs no hook before you trust it: start codex, type /hooks, and trust those of remember-me.",)


CODEX = Client(
    NAME,
    "Codex CLI",
    "codex",
    EVENTS,
    lambda around: around.has_program("codex") or folder(around).is_dir(),
    _edits,
    _advice,
)
