"""One adapter per agent client: how it tells an event, and the one form in which it takes an answer.

They contradict each other: what one injects, the next shows as an error, so each has its own. What they send and take
was measured with the real programs; `tests/e2e` holds it.
"""

from __future__ import annotations

import os

from remember_me.hook.process import is_attended
from remember_me.hook.wire import render_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

START, PROMPT, COMPACT, STOP, END, PERMISSION = (
    "session-start", "prompt", "pre-compact", "stop", "session-end", "permission",
)  # fmt: skip
EVENTS = (START, PROMPT, COMPACT, STOP, END, PERMISSION)
"""Our names of the events, whatever a client calls them."""

_NAME_CHARACTERS = 200
_PATH_CHARACTERS = 4_096
_HEAD_BYTES = 4_096


class Payload:
    """What a client says with an event. Empty where it says nothing; `interactive` is None where nobody can know.

    `process` is the client itself, where that is the only way to know its session again from the shell of its agent.
    """

    __slots__ = ("compacts", "cwd", "interactive", "message", "process", "prompt", "session", "transcript")

    def __init__(
        self,
        session: str = "",
        message: str = "",
        prompt: str = "",
        cwd: str = "",
        transcript: str = "",
        interactive: bool | None = None,
        compacts: bool = True,
    ) -> None:
        self.session = session
        self.message = message
        self.prompt = prompt
        self.cwd = cwd
        self.transcript = transcript
        self.interactive = interactive
        self.compacts = compacts
        self.process = ""


class Adapter:
    """The way of Claude Code, which others have taken over in parts. `name` is the client's, as in `agent:NAME`."""

    name = "claude-code"
    session_key, message_key, prompt_key = "session_id", "prompt_id", "prompt"
    cwd_key, transcript_key = "cwd", "transcript_path"
    start_name, prompt_name = "SessionStart", "UserPromptSubmit"
    """The two events at which an answer is taken, as the client calls them."""

    def read(self, document: Mapping[str, object]) -> Payload:
        """The event as the client tells it."""
        return Payload(
            _name(document.get(self.session_key)),
            _name(document.get(self.message_key)),
            _text(document.get(self.prompt_key)),
            _path(document.get(self.cwd_key)),
            _path(document.get(self.transcript_key)),
            self.interactive(document),
            self.compacts(document),
        )

    def interactive(self, document: Mapping[str, object]) -> bool | None:
        """Whether a person sits at this session."""
        attended = os.environ.get("CLAUDE_CODE_SESSION_ATTENDED", "")
        if attended:
            return attended == "1"
        entrypoint = os.environ.get("CLAUDE_CODE_ENTRYPOINT", "")  # where it is older
        return entrypoint == "cli" if entrypoint else None

    def compacts(self, document: Mapping[str, object]) -> bool:
        """Whether the event before a compaction means one."""
        return True

    def render(self, event: str, text: str) -> str:
        """The answer as the client takes it; empty where it takes none at that event."""
        name = {START: self.start_name, PROMPT: self.prompt_name}.get(event)
        if name is None or not text:
            return ""
        return f'{{"hookSpecificOutput":{{"hookEventName":"{name}","additionalContext":{render_string(text)}}}}}\n'


class Codex(Adapter):
    """Codex CLI: one key too many, and the answer is an error to it."""

    name = "codex"
    message_key = "turn_id"

    def interactive(self, document: Mapping[str, object]) -> bool | None:
        """As the first line of the session's file says, whose beginning is short enough to be read here."""
        path = document.get("transcript_path")
        try:
            with open(path if isinstance(path, str) else "", "rb") as file:
                head = file.read(_HEAD_BYTES)
        except (OSError, ValueError):
            return None
        return any(b'"source":"' + source + b'"' in head for source in (b"cli", b"vscode"))


class Gemini(Adapter):
    """Gemini CLI: it tells of a compression at every turn, whether there is one or not, and the shell of its agent does
    not know the session."""

    name = "gemini"
    message_key = "timestamp"
    prompt_name = "BeforeAgent"

    def read(self, document: Mapping[str, object]) -> Payload:
        from remember_me.store.clientprocess import client_process

        payload = super().read(document)
        payload.process = client_process(self.name)
        return payload

    def interactive(self, document: Mapping[str, object]) -> bool | None:
        return is_attended(self.name)

    def compacts(self, document: Mapping[str, object]) -> bool:
        return document.get("trigger") == "manual"


class Copilot(Adapter):
    """GitHub Copilot CLI: names in camel case, and the answer at the top level alone."""

    name = "copilot"
    session_key, message_key, transcript_key = "sessionId", "timestamp", "transcriptPath"

    def interactive(self, document: Mapping[str, object]) -> bool | None:
        return is_attended(self.name)

    def render(self, event: str, text: str) -> str:
        return f'{{"additionalContext":{render_string(text)}}}\n' if text and event in (START, PROMPT) else ""


class OpenCode(Copilot):
    """opencode: our own plugin speaks for it."""

    name = "opencode"
    session_key, message_key = "sessionID", "messageID"

    def interactive(self, document: Mapping[str, object]) -> bool | None:
        found = document.get("interactive")
        return found if isinstance(found, bool) else None


ADAPTERS: Mapping[str, Adapter] = {
    adapter.name: adapter for adapter in (Adapter(), Codex(), Gemini(), Copilot(), OpenCode())
}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _path(value: object) -> str:
    found = _text(value)
    return found if len(found) <= _PATH_CHARACTERS and "\0" not in found else ""


def _name(value: object) -> str:
    """A name, which is short and has no white space and no path parts; else it is as if there were none."""
    found = str(value) if isinstance(value, int) and not isinstance(value, bool) else _text(value)
    is_name = found.isprintable() and not set(found) & set(" /\\") and found.strip(".")
    return found if is_name and len(found) <= _NAME_CHARACTERS else ""
