"""The processes above a hook, which tell who called it, and the one that it starts and leaves behind."""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SHELL_VARIABLES = ("CODEX_THREAD_ID", "COPILOT_AGENT_SESSION_ID", "GEMINI_CLI", "OPENCODE_SESSION_ID")
_ROLE = "AI_AGENT"
"""Claude Code says with it who it starts: `…_harness` for hooks, `…_agent` for the agent's shell."""
_ANCESTORS = 8
_TICK_SECONDS = 0.004


def is_agents_shell() -> bool:
    """Whether the process, or one that started it within its session, was started by an agent's tool.

    An agent that hands a hook words of its own as the user's would make receipts of them. Clients set other variables
    for the shell of their agents than for their hooks (measured; see `tests/e2e`). One operating-system user is no
    security boundary: this holds an agent that tries the obvious, not a program that is bent on it.
    """
    return any(_is_shell(environment) for environment in (os.environ, *_of_ancestors()))


def _is_shell(environment: Mapping[str, str]) -> bool:
    if environment.get(_ROLE, "").endswith("_agent"):
        return True
    return any(environment.get(name) for name in _SHELL_VARIABLES)


def _of_ancestors() -> Iterator[dict[str, str]]:
    """What those above were started with, up to the leader of the session; Linux only."""
    if not os.path.isdir("/proc/self"):
        return
    process, session = os.getpid(), os.getsid(0)
    for _ in range(_ANCESTORS):
        if process == session:
            return
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                process = int(file.read().rpartition(b")")[2].split()[1])
            if process <= 1 or os.getsid(process) != session:
                return
            with open(f"/proc/{process}/environ", "rb") as file:
                pairs = (item.partition("=") for item in file.read().decode("utf-8", "replace").split("\0"))
            yield {name: value for name, equals, value in pairs if equals}
        except (OSError, ValueError, IndexError):
            return


def is_attended(program: str) -> bool | None:
    """Whether the client above us has a terminal to read from and was not given its prompt in the call.

    Neither its environment nor what it sends says so. None where the system does not tell about processes.
    """
    from remember_me.store.clientprocess import find_client

    found = find_client(program)
    if found is None:
        return None
    process, words = found
    if any(word in ("-p", "--prompt") or word.startswith("--prompt=") for word in words):
        return False
    try:
        return os.readlink(f"/proc/{process}/fd/0").startswith(("/dev/pts/", "/dev/tty"))
    except OSError:
        return None


def run_detached(store: str, cwd: str, words: list[str]) -> int | None:
    """Start a command of ours that outlives the hook; its process id, or None.

    It runs in the agent's folder, because an agent sees the project that it works in. -P: nothing there is imported.
    """
    null = os.open(os.devnull, os.O_RDWR)
    try:
        os.chdir(cwd)
        return os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", "remember_me", "--store", store, *words],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)],
            setsid=True,
        )
    except OSError:
        return None
    finally:
        os.close(null)


def ends(child: int, until: float) -> bool:
    """Whether the child ends in time."""
    while time.monotonic() < until:
        done, _ = os.waitpid(child, os.WNOHANG)
        if done:
            return True
        time.sleep(_TICK_SECONDS)
    return False
