"""Four sessions at once, each with two hundred prompts: no error, no lost receipt."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path

import pytest

from tests.cli_runner import Cli, command_line
from tests.hook.support import document, log_of, rows

SESSIONS = 4
PROMPTS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "20"))
"""For each session; 200 were run by hand."""


@pytest.mark.usefixtures("real_processes")
def test_four_sessions_at_once(cli: Cli, work: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    environ = cli.environment(CLAUDE_CODE_SESSION_ATTENDED="1")

    def session(number: int) -> None:
        for turn in range(PROMPTS):
            sent = {**document("claude-code", "prompt", work), "session_id": f"s{number}", "prompt_id": f"p{turn}"}
            sent["prompt"] = f"turn {turn} of session {number}"
            done = subprocess.run(
                command_line("--store", str(cli.store), "hook", "claude-code", "prompt"),
                input=json.dumps(sent).encode(), capture_output=True, env=environ, check=False,
            )  # fmt: skip
            if (done.returncode, done.stdout, done.stderr) != (0, b"", b""):
                failed.append(done)

    threads = [threading.Thread(target=session, args=(number,)) for number in range(SESSIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert log_of(home) == ""
    kept = rows(cli, "receipts.sqlite", "SELECT session, text FROM receipt ORDER BY session, number")
    last = range(max(0, PROMPTS - 20), PROMPTS)
    expected = [(f"claude-code/s{n}", f"turn {turn} of session {n}") for n in range(SESSIONS) for turn in last]
    assert kept == expected
    assert rows(cli, "receipts.sqlite", "SELECT max(number) FROM receipt") == [(SESSIONS * PROMPTS,)]  # each one came
    assert rows(cli, "sessions.sqlite", "SELECT outcome FROM fired") == [("silent",)]
