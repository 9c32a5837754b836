"""What the real clients send to their hooks, as measured, and a store to answer from."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.cli_runner import Cli, Result

CLIENTS = ("claude-code", "codex", "gemini", "copilot", "opencode")
EVENTS = ("session-start", "prompt", "pre-compact", "stop", "session-end", "permission")

NOTE = "memory/2026-01-14.md"
PINNED = "Answers in Italian when we talk about food"
PLATFORM = "Trains leave from platform 3"


def document(client: str, event: str, cwd: Path) -> dict[str, object]:
    """The JSON that this client sends at that event (our name of it), in the session `s1`."""
    if client == "copilot":
        found: dict[str, object] = {"sessionId": "s1", "timestamp": 1764489600123, "cwd": str(cwd)}
        more: Mapping[str, Mapping[str, object]] = {
            "session-start": {"source": "new", "initialPrompt": "hello"},
            "prompt": {"prompt": "hello"},
            "stop": {"transcriptPath": "/t/events.jsonl", "stopReason": "end_turn", "stop_hook_active": False},
            "pre-compact": {"transcriptPath": "/t/events.jsonl", "trigger": "manual", "customInstructions": ""},
            "session-end": {"reason": "complete"},
        }
    elif client == "opencode":
        found = {"sessionID": "s1", "messageID": "msg_1", "cwd": str(cwd), "interactive": True}
        more = {"prompt": {"prompt": "hello"}}
    else:
        found = {"session_id": "s1", "transcript_path": "/t/s1.jsonl", "cwd": str(cwd), "hook_event_name": "X"}
        message = {"claude-code": "prompt_id", "codex": "turn_id", "gemini": "timestamp"}[client]
        if event != "session-start" or client == "gemini":
            found[message] = "2026-11-30T08:00:00.000Z" if client == "gemini" else "p1"
        more = {
            "session-start": {"source": "startup"},
            "prompt": {"prompt": "hello", "permission_mode": "default"},
            "stop": {"stop_hook_active": False, "last_assistant_message": "FAKE-REPLY"},
            "pre-compact": {"trigger": "auto", "custom_instructions": ""},
            "session-end": {"reason": "other"},
        }
    return {**found, **more.get(event, {})}


class Agent:
    """A client whose hooks are run as it would run them."""

    def __init__(self, cli: Cli, client: str, cwd: Path, session: str = "s1") -> None:
        self.cli = cli
        self.client = client
        self.cwd = cwd
        self.session = session

    def fires(self, event: str, *, env: Mapping[str, str] | None = None, **over: object) -> Result:
        """Run the hook of that event; it must exit with 0 and say nothing on stderr."""
        key = {"copilot": "sessionId", "opencode": "sessionID"}.get(self.client, "session_id")
        sent = {**document(self.client, event, self.cwd), key: self.session, **over}
        if self.client == "codex" and "transcript_path" not in over:
            sent["transcript_path"] = self._rollout()
        done = self.cli.run("hook", self.client, event, stdin=json.dumps(sent), env=self._attended(env))
        assert (done.code, done.err) == (0, "")
        return done

    def _attended(self, env: Mapping[str, str] | None) -> dict[str, str]:
        """As a client has it at which a person sits, unless the test says otherwise."""
        found = dict(env or {})
        if self.client == "claude-code" and not any(name.startswith("CLAUDE_CODE_") for name in found):
            found["CLAUDE_CODE_SESSION_ATTENDED"] = "1"
        return found

    def _rollout(self) -> str:
        path = self.cwd.parent / "attended.jsonl"
        if not path.exists():
            path.write_text('{"type":"session_meta","payload":{"originator":"codex-tui","source":"cli"}}\n')
        return str(path)

    def told(self, event: str, *, env: Mapping[str, str] | None = None, **over: object) -> str:
        """What the agent is told then, out of the client's own form."""
        return context_of(self.client, event, self.fires(event, env=env, **over).out)


def context_of(client: str, event: str, out: str) -> str:
    """The context in an answer, which must be empty or one object in exactly the client's form."""
    if not out:
        return ""
    assert out.endswith("}\n")
    assert out.count("\n") == 1
    answer = json.loads(out)
    if client in ("copilot", "opencode"):
        assert list(answer) == ["additionalContext"]
        return str(answer["additionalContext"])
    assert list(answer) == ["hookSpecificOutput"]
    inner = answer["hookSpecificOutput"]
    assert list(inner) == ["hookEventName", "additionalContext"]
    names = {"session-start": "SessionStart", "prompt": "BeforeAgent" if client == "gemini" else "UserPromptSubmit"}
    assert inner["hookEventName"] == names[event]
    return str(inner["additionalContext"])


def rows(cli: Cli, file: str, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """What stands in a database of the store; nothing where there is none."""
    path = cli.store / ".remember-me" / file
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql, values).fetchall()


def receipts(cli: Cli) -> list[tuple[Any, ...]]:
    """(session, text) of what was typed, in its order."""
    return rows(cli, "receipts.sqlite", "SELECT session, text FROM receipt ORDER BY number")


def queue(cli: Cli) -> list[tuple[Any, ...]]:
    """(session, message, event) of what waits to be looked through, in its order."""
    return rows(cli, "sessions.sqlite", "SELECT session, message, event FROM queue ORDER BY number")


def configure(home: Path, agents: str) -> None:
    """Let this machine's settings say this in the section about agents."""
    path = home / ".config" / "remember-me" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'[trust]\nscripts = "person"\n\n[agents]\n{agents}\n', encoding="utf-8")


def log_of(home: Path) -> str:
    """The log of hooks."""
    path = home / ".local" / "state" / "remember-me" / "hook.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""
