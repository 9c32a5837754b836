"""The golden transcripts beside this file. `make golden` writes them anew."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

from remember_me.cli.commands import COMMANDS
from tests.cli.golden import Sandbox, retell, told

TRANSCRIPTS = sorted(Path(__file__).parent.glob("*.md"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path) -> None:
    expected = path.read_bytes().decode("utf-8")
    actual = retell(expected, Sandbox(tmp_path))
    if os.environ.get("REFRESH_GOLDEN") == "1":
        path.write_bytes(actual.encode("utf-8"))
        return
    if actual != expected:
        lines = difflib.unified_diff(
            expected.splitlines(), actual.splitlines(), f"{path.name} as written", "as it is now", lineterm=""
        )
        pytest.fail("\n".join([*lines, "If this is meant: make golden"]), pytrace=False)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_told_with_an_answer_and_a_failure_as_json_and_quietly(command) -> None:
    calls = [
        (words, output)
        for path in TRANSCRIPTS
        for words, output in told(path.read_text(encoding="utf-8"))
        if f"remember-me {command.name}" in words and "--help" not in words
    ]
    assert any("[exit" not in output for _, output in calls)
    assert any("[exit" in output and "2> Error: " in output for _, output in calls)
    assert any("--json" in words and output.startswith(("{", "[", "  ")) for words, output in calls)
    assert any("--quiet" in words for words, _ in calls)
