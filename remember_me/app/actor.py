"""Who calls: the actor comes from the channel, never from what is said (DESIGN section 5)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from remember_me.model.revision import AGENT_PREFIX, PERSON, SCRIPT, agent

CLIENT_VARIABLES: tuple[tuple[str, str], ...] = (
    ("CLAUDECODE", "claude-code"),
    ("CLAUDE_CODE_ENTRYPOINT", "claude-code"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_SANDBOX_NETWORK_DISABLED", "codex"),
    ("CODEX_THREAD_ID", "codex"),
    ("GEMINI_CLI", "gemini"),
    ("OPENCODE", "opencode"),
    ("COPILOT_CLI", "copilot"),
    ("COPILOT_AGENT_SESSION_ID", "copilot"),
)
"""Variables that an agent client sets for the commands it runs, and the client's name."""

SESSION_VARIABLES: Mapping[str, str] = {
    "claude-code": "CLAUDE_CODE_SESSION_ID",
    "codex": "CODEX_THREAD_ID",
    "gemini": "GEMINI_SESSION_ID",
    "opencode": "OPENCODE_SESSION_ID",
    "copilot": "COPILOT_AGENT_SESSION_ID",
}
"""The variable in which a client says which of its sessions runs the command."""

_MOST_ANCESTORS = 32
_LONGEST_SESSION_CHARACTERS = 200


class Channel(NamedTuple):
    """How the command was called. `environments` are the process's own and those of its ancestors."""

    environments: tuple[Mapping[str, str], ...]
    terminal: bool


def decide_actor(channel: Channel, *, scripts_are_persons: bool) -> str:
    """The actor of a channel: a known agent environment, else a terminal, else a script."""
    for environment in channel.environments:
        for variable, client in CLIENT_VARIABLES:
            if environment.get(variable):
                return agent(client)
    return PERSON if channel.terminal or scripts_are_persons else SCRIPT


def client_session(channel: Channel, actor: str) -> str | None:
    """`client/id` of the agent session that the command runs in, as its environment says; None where it does not.

    The outermost environment counts: it is the client's, and what an agent puts before a command is not.
    """
    client = actor.removeprefix(AGENT_PREFIX)
    variable = SESSION_VARIABLES.get(client) if client != actor else None
    for environment in reversed(channel.environments) if variable is not None else ():
        found = environment.get(variable or "", "")
        if found and found.isprintable() and len(found) <= _LONGEST_SESSION_CHARACTERS:
            return f"{client}/{found}"
    return None


def this_channel(environ: Mapping[str, str]) -> Channel:
    """The channel of this process."""
    return Channel((environ, *ancestor_environments()), _is_terminal(0) or _is_terminal(2))


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def ancestor_environments() -> list[Mapping[str, str]]:
    """What the ancestors in the same session were started with, so that `env -i` does not make a person.

    Linux only; up to the session's leader, which is the shell that an agent's tool started.
    """
    if not os.path.isdir("/proc/self"):
        return []
    found: list[Mapping[str, str]] = []
    try:
        session = os.getsid(0)
        pid = os.getpid()
        while len(found) < _MOST_ANCESTORS and pid != session:
            with open(f"/proc/{pid}/stat", "rb") as stat:
                pid = int(stat.read().rpartition(b")")[2].split()[1])
            if pid <= 1 or os.getsid(pid) != session:
                break
            with open(f"/proc/{pid}/environ", "rb") as environ:
                pairs = (item.partition(b"=") for item in environ.read().split(b"\0"))
                found.append({os.fsdecode(key): os.fsdecode(value) for key, equals, value in pairs if equals})
    except OSError:
        return found
    return found
