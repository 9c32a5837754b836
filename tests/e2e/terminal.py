"""A client at a terminal, as a person sees and types to it: within tmux."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from types import TracebackType

import pytest

from tests.e2e.clients import Client
from tests.e2e.model_server import Request

_SECONDS = 60
_TICK = 0.1
_SETTLED = 0.5
"""How long the screen stays as it is when a client waits for the person."""


class Terminal:
    """The client without a prompt, on a terminal of its own, until the `with` statement ends."""

    def __init__(self, client: Client) -> None:
        program = shutil.which("tmux")
        if program is None:
            pytest.skip("tmux is not here")
        self._tmux = [program, "-f", "/dev/null", "-S", str(client.scratch() / "tmux")]
        self._client = client

    def __enter__(self) -> Terminal:
        client = self._client
        client.expect_person()
        pairs = {**client.environment(), "TERM": "xterm-256color"}
        script = client.scratch() / "start.sh"
        environment = " ".join(shlex.quote(f"{name}={value}") for name, value in pairs.items())
        words = shlex.join([str(client.program), *client.words_for_terminal])
        script.write_text(
            f"cd {shlex.quote(str(client.project))} && exec env -i {environment} {words}\n", encoding="utf-8"
        )
        self._run("new-session", "-d", "-x", "160", "-y", "50", "sh", str(script))
        self.wait_for(client.ready)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._run("kill-server")

    def type(self, line: str) -> None:
        """Type a line, as soon as the client waits, and send it."""
        self._settle()
        self._run("send-keys", "-l", line)
        self._settle()
        self._run("send-keys", "Enter")

    def screen(self) -> str:
        """What the person sees."""
        return self._run("capture-pane", "-p")

    def wait_for(self, text: str) -> None:
        """Until the person sees that."""
        until = time.monotonic() + _SECONDS
        while text not in self.screen():
            assert time.monotonic() < until, f"{text} never came:\n{self.screen()}"
            time.sleep(_TICK)

    def ask(self, prompt: str) -> Request:
        """Type a prompt; the agent's request with it."""
        self.type(prompt)
        until = time.monotonic() + _SECONDS
        while True:
            for request in self._client.server.requests:
                if request.has_tools() and prompt in request.text():
                    return request
            assert time.monotonic() < until, f"no request:\n{self.screen()}"
            time.sleep(_TICK)

    def _settle(self) -> None:
        until, seen, since = time.monotonic() + _SECONDS, "", time.monotonic()
        while time.monotonic() < until and time.monotonic() < since + _SETTLED:
            shown = self.screen()
            if shown != seen:
                seen, since = shown, time.monotonic()
            time.sleep(_TICK)

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=30, check=False
        )
        return done.stdout.decode("utf-8", "replace")
