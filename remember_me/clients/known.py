"""The agent clients that remember-me can be installed into."""

from __future__ import annotations

from remember_me.clients.aider import AIDER
from remember_me.clients.base import Client
from remember_me.clients.claude_code import CLAUDE_CODE
from remember_me.clients.codex import CODEX
from remember_me.clients.copilot import COPILOT
from remember_me.clients.gemini import GEMINI
from remember_me.clients.opencode import OPENCODE
from remember_me.errors import InvalidInput, shorten

CLIENTS: tuple[Client, ...] = (CLAUDE_CODE, CODEX, GEMINI, OPENCODE, COPILOT, AIDER)
ALL = "all"


def find_client(name: str) -> Client:
    """The client of that name. Raises InvalidInput."""
    for client in CLIENTS:
        if client.name == name:
            return client
    known = ", ".join([*(client.name for client in CLIENTS), ALL])
    raise InvalidInput(f"There is no client {shorten(name)}.", hint=f"The clients are {known}.")
