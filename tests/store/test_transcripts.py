"""Transcripts of clients, in their measured forms: the user's own lines count, and what tools gave back does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from remember_me.store.transcripts import TAIL_BYTES, holds

SAID = 'I prefer "short" answers\nand über tabs\\'
USER = {
    "claude-code": {"type": "user", "promptId": "p1", "message": {"role": "user", "content": SAID}},
    "claude-code parts": {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": SAID}]}},
    "codex": {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": SAID}]},
    },
    "gemini": {"type": "user", "content": [{"text": f"<hook_context>x</hook_context>\n\n{SAID}"}]},
    "copilot": {"type": "user.message", "data": {"content": SAID}},
}
OTHERS = {
    "assistant": {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": SAID}]}},
    "tool call": {
        "type": "assistant",
        "message": {"content": [{"type": "tool_use", "input": {"command": f"echo '{SAID}'"}}]},
    },
    "tool result": {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "content": SAID}]},
        "toolUseResult": {"stdout": SAID},
    },
    "codex result": {"type": "response_item", "payload": {"type": "function_call_output", "output": SAID}},
}


def transcript(tmp_path: Path, *lines: object, ascii_only: bool = False) -> str:
    path = tmp_path / "session.jsonl"
    text = "".join(json.dumps(line, ensure_ascii=ascii_only) + "\n" for line in lines)
    path.write_text("no json\n[]\n" + text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("client", USER)
def test_what_the_user_said_is_there(tmp_path: Path, client: str, ascii_only: bool) -> None:
    path = transcript(tmp_path, *OTHERS.values(), USER[client], ascii_only=ascii_only)
    assert holds(path, SAID) is True
    assert holds(path, SAID.split("\n")[1]) is True
    assert holds(path, "I prefer long answers") is False
    assert holds(path, "") is False


@pytest.mark.parametrize("kind", OTHERS)
def test_what_others_said_does_not_count(tmp_path: Path, kind: str) -> None:
    assert holds(transcript(tmp_path, OTHERS[kind]), SAID) is False


def test_without_a_file_nobody_knows(tmp_path: Path) -> None:
    assert holds(str(tmp_path / "none"), SAID) is None
    assert holds(str(tmp_path), SAID) is None
    assert holds("a\0b", SAID) is None


def test_only_the_end_of_a_long_one_is_read(tmp_path: Path) -> None:
    long = {"type": "assistant", "text": "x" * TAIL_BYTES}
    assert holds(transcript(tmp_path, USER["codex"], long), SAID) is False
    assert holds(transcript(tmp_path, long, USER["codex"]), SAID) is True
