"""The file in which a client keeps a session: whether the user said something in it (DESIGN section 5, "Receipts").

Every client has a form of its own, one JSON document a line (measured for Claude Code, Codex, Gemini and Copilot). What
they share is read: a line of the user's says so, and what a tool gave back stands in an element that says that.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from typing import Any

TAIL_BYTES = 16_000_000
"""How much of the end is looked at: the last messages stand there."""

_USER = ("user", "user.message", "human")
_OF_TOOLS = ("tool_result", "tool_use", "function_call_output", "functionResponse", "tool-result")


def holds(path: str, text: str) -> bool | None:
    """Whether a line of the user's in that file has all lines of `text`; None where there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            data = file.read(TAIL_BYTES)
    except (OSError, ValueError):
        return None
    wanted = [line.strip() for line in text.splitlines() if line.strip()]
    first = json.dumps(wanted[0], ensure_ascii=False)[1:-1].encode("utf-8", "replace") if wanted else b""
    escaped = json.dumps(wanted[0])[1:-1].encode() if wanted else b""
    for line in data.split(b"\n"):
        if first in line or escaped in line:
            said = "\n".join(_said_by_user(line))
            if wanted and all(one in said for one in wanted):
                return True
    return False


def _said_by_user(line: bytes) -> Iterator[str]:
    """The texts of a line that is the user's."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return
    if isinstance(document, dict):
        inner = document.get("payload")
        roles = [document.get("type"), document.get("role")]
        roles += [inner.get("role"), inner.get("type")] if isinstance(inner, dict) else []
        if any(role in _USER for role in roles):
            yield from _texts(document)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict) and value.get("type") not in _OF_TOOLS:
        for name, one in value.items():
            if name not in _OF_TOOLS and name != "toolUseResult":
                yield from _texts(one)
