"""The process of an agent client above this one: the session of a client that names it to hooks but not to its shell.

Shared by hooks and commands. Standard library only, as light as `project`; Linux only, elsewhere nothing is found.
"""

from __future__ import annotations

import os

_ANCESTORS = 12


def find_client(program: str) -> tuple[int, list[str]] | None:
    """(process id, its call) of the nearest process above this one that runs `program`, or None."""
    process = os.getppid()
    for _ in range(_ANCESTORS):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                words = file.read().decode("utf-8", "replace").split("\0")
            if _runs(program, words):
                return process, words
            process = int(_stat(process)[1])
        except (OSError, ValueError, IndexError):
            return None
        if process <= 1:
            return None
    return None


def _runs(program: str, words: list[str]) -> bool:
    """Whether a call is that of the program, itself or as a script, and not one of a shell that only names it."""
    if any(word.startswith("-c") for word in words[1:2]):
        return False
    names = [word for word in words[:3] if not any(letter.isspace() for letter in word)]
    return any(program in os.path.basename(word) or f"/{program}/" in word for word in names)


def client_process(program: str) -> str:
    """The process of the client, as a name that no other process will ever have; empty where there is none."""
    found = find_client(program)
    try:
        return f"{found[0]}:{_stat(found[0])[19].decode()}" if found is not None else ""
    except (OSError, IndexError):
        return ""


def _stat(process: int) -> list[bytes]:
    """What the system says of a process behind its name: state, parent, …; the time of its start is the 20th."""
    with open(f"/proc/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()
