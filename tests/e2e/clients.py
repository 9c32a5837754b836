"""The agent clients as the tests drive them: without a person, against the model server, in a throw-away home.

All have one interface; a driver knows where its client wants the address of the model and how it is called.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.model_server import REPLY, ModelServer, Request
from tests.e2e.programs import find_program

_TURN_SECONDS = 150
_PASSED = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "GIT_CONFIG_NOSYSTEM", "LC_ALL", "TZ", "TERM")
"""What of the sealed environment a client sees."""


class Turn(NamedTuple):
    """What came of one prompt: the exit code, both streams, and the requests to the model."""

    code: int
    out: str
    err: str
    requests: list[Request]

    def ok(self) -> Turn:
        """This turn, after asserting that the client ended well with the model's answer."""
        assert self.code == 0, f"{self.code}\n{self.out}\n{self.err}"
        assert REPLY in self.out, f"no answer\n{self.out}\n{self.err}"
        assert self.requests, f"no request\n{self.out}\n{self.err}"
        return self

    def asked(self) -> Request:
        """The first request of the agent itself, which holds the prompt."""
        return next(request for request in self.requests if request.has_tools())


class Client:
    """One client in the sealed home of the test. `run` continues the newest session where `resume` says so."""

    name: str
    shell_tool: tuple[str, str]
    """The names of the tool that runs a shell command and of its argument."""
    describes_calls = False
    """Whether a call of that tool must say what it is for."""

    def __init__(self, server: ModelServer, home: Path, project: Path, path: str) -> None:
        program = find_program(self.name)
        assert program is not None
        self.program = program
        self.server = server
        self.home = home
        self.project = project
        self.path = path
        self.prepare()

    def prepare(self) -> None:
        """Write the settings without which the client asks, or calls its maker."""

    def variables(self) -> Mapping[str, str]:
        """What the client takes from its environment."""
        return {}

    def words(self, prompt: str, *, resume: bool) -> list[str]:
        """The arguments of the client for one prompt."""
        raise NotImplementedError

    def call(self, command: str) -> str:
        """A prompt at which the model asks for that shell command."""
        tool, argument = self.shell_tool
        purpose = {"description": "a test"} if self.describes_calls else {}
        return f"CALLTOOL {tool} {json.dumps({argument: command, **purpose})}"

    def run(self, prompt: str, *, resume: bool = False) -> Turn:
        """One prompt, and the client ends."""
        return self.start(self.words(prompt, resume=resume))

    def compacted(self) -> Turn:
        """A turn of the newest session after it was compacted."""
        raise NotImplementedError

    words_for_terminal: tuple[str, ...] = ()
    """The arguments with which a person starts it."""
    ready: str
    """What the person sees when it waits for the first prompt."""
    compacts_at = "/compact"
    """What the person types to have the session compacted."""

    def expect_person(self) -> None:
        """Answer beforehand what it asks a person at its first start in a folder."""

    def environment(self) -> dict[str, str]:
        """All variables of the client's process."""
        passed = {name: os.environ[name] for name in _PASSED}
        return {**passed, "PATH": self.path, "NO_PROXY": "127.0.0.1", "TMPDIR": str(self.scratch()), **self.variables()}

    def scratch(self) -> Path:
        """A folder for what the client puts into the system's one for temporary files."""
        folder = self.home / "tmp"
        folder.mkdir(exist_ok=True)
        return folder

    def start(self, words: list[str]) -> Turn:
        """The client with those arguments, from the project's folder and without a terminal."""
        before = len(self.server.requests)
        with subprocess.Popen(
            [str(self.program), *words],
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                out, err = process.communicate(timeout=_TURN_SECONDS)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, 9)
        return Turn(
            process.returncode,
            out.decode("utf-8", "replace"),
            err.decode("utf-8", "replace"),
            self.server.requests[before:],
        )


class ClaudeCode(Client):
    name = "claude-code"
    ready = "? for shortcuts"
    shell_tool = ("Bash", "command")
    describes_calls = True

    def variables(self) -> Mapping[str, str]:
        return {
            "ANTHROPIC_BASE_URL": self.server.url,
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_MODEL": "claude-sonnet-4-5",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_TMPDIR": str(self.scratch()),
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",  # else it does not let root skip the questions about tools
        }

    def expect_person(self) -> None:
        _write_json(
            self.home / ".claude.json",
            {
                "hasCompletedOnboarding": True,
                "theme": "dark",
                "customApiKeyResponses": {"approved": ["none"], "rejected": []},
                "projects": {
                    str(self.project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
                },
            },
        )

    def words(self, prompt: str, *, resume: bool) -> list[str]:
        return [*(["--continue"] if resume else []), "--dangerously-skip-permissions", "-p", prompt]

    def compacted(self) -> Turn:
        self.start(["--continue", "-p", "/compact"])
        return self.run("Say goodbye", resume=True)


class Codex(Client):
    name = "codex"
    ready = "Ask Codex"
    words_for_terminal = ("--dangerously-bypass-hook-trust",)
    shell_tool = ("exec_command", "cmd")
    sandbox = "danger-full-access"
    limit = 0
    """The tokens after which it compacts before the next prompt; 0 for its own."""

    def prepare(self) -> None:
        folder = self.home / ".codex"
        folder.mkdir()
        (folder / "config.toml").write_text(
            f'model = "gpt-5.2-codex"\nmodel_provider = "fake"\n\n'
            f'[model_providers.fake]\nname = "fake"\nbase_url = "{self.server.url}/v1"\nenv_key = "FAKE_KEY"\n'
            f'wire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n\n'
            f'[analytics]\nenabled = false\n\n[projects."{self.project}"]\ntrust_level = "trusted"\n\n'
            # Without it the folder of the tests, below /tmp, would be one that the sandbox lets anyone write to.
            f"[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n",
            encoding="utf-8",
        )

    def variables(self) -> Mapping[str, str]:
        return {"FAKE_KEY": "none"}

    def words(self, prompt: str, *, resume: bool) -> list[str]:
        limit = ["-c", f"model_auto_compact_token_limit={self.limit}"] if self.limit else []
        first = ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", self.sandbox, *limit]
        return [*first, *(["resume", "--last"] if resume else []), prompt]

    def compacted(self) -> Turn:
        """It compacts in the middle of a turn, when the call of a tool has taken more than the limit."""
        self.limit = 12
        return self.run(self.call("true"))


class Gemini(Client):
    name = "gemini"
    ready = "Type your message"
    words_for_terminal = ("-m", "gemini-2.5-flash")
    compacts_at = "/compress"
    shell_tool = ("run_shell_command", "command")

    def prepare(self) -> None:
        _write_json(
            self.home / ".gemini" / "settings.json",
            {
                "security": {"auth": {"selectedType": "gemini-api-key"}},
                "privacy": {"usageStatisticsEnabled": False},
                "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
                "telemetry": {"enabled": False},
            },
        )

    def variables(self) -> Mapping[str, str]:
        return {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": self.server.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }

    def words(self, prompt: str, *, resume: bool) -> list[str]:
        return ["-m", "gemini-2.5-flash", "--yolo", *(["--resume", "latest"] if resume else []), "-p", prompt]


class Copilot(Client):
    name = "copilot"
    ready = "/ commands"
    shell_tool = ("bash", "command")
    describes_calls = True

    def variables(self) -> Mapping[str, str]:
        return {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{self.server.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "fake-model",
            "COPILOT_AUTO_UPDATE": "false",
        }

    def expect_person(self) -> None:
        _write_json(self.home / ".copilot" / "config.json", {"trusted_folders": [str(self.project)]})

    def words(self, prompt: str, *, resume: bool) -> list[str]:
        return [*(["--continue"] if resume else []), "--allow-all-tools", "-p", prompt]

    def compacted(self) -> Turn:
        self.start(["--continue", "--allow-all-tools", "-p", "/compact"])
        return self.run("Say goodbye", resume=True)


class OpenCode(Client):
    name = "opencode"
    ready = "Ask anything"
    shell_tool = ("bash", "command")
    describes_calls = True

    def prepare(self) -> None:
        model = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "fake",
            "options": {"baseURL": f"{self.server.url}/v1", "apiKey": "none"},
            "models": {"fake-model": {"name": "fake"}},
        }
        _write_json(
            self.home / ".config" / "opencode" / "opencode.json",
            {
                "$schema": "https://opencode.ai/config.json",
                "autoupdate": False,
                "share": "disabled",
                "model": "fake/fake-model",
                "small_model": "fake/fake-model",
                "provider": {"fake": model},
            },
        )

    def variables(self) -> Mapping[str, str]:
        return {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            # It installs a package of types at every start where that is missing, and may wait a minute for a registry
            # that is out of reach: one that has nothing is answer enough.
            "npm_config_registry": f"{self.server.url}/npm/",
        }

    def environment(self) -> dict[str, str]:
        """All variables of the next process, which finds no lock of that installation: the last one may have kept it,
        and it would wait a minute for it."""
        shutil.rmtree(self.home / ".local" / "state" / "opencode" / "locks", ignore_errors=True)
        return super().environment()

    def words(self, prompt: str, *, resume: bool) -> list[str]:
        return ["run", *(["--continue"] if resume else []), "--", *prompt.split(" ")]

    def compacted(self) -> Turn:
        """Through its server, which a program of the person's would ask the same way."""
        with ExitStack() as stack:
            url = self._serve(stack)
            session = _http(f"{url}/session")[0]["id"]
            _http(f"{url}/session/{session}/summarize", {"providerID": "fake", "modelID": "fake-model"})
        return self.run("Say goodbye", resume=True)

    def _serve(self, stack: ExitStack) -> str:
        words = [str(self.program), "serve", "--hostname", "127.0.0.1", "--port", str(_free_port())]
        server = stack.enter_context(
            subprocess.Popen(
                words,
                cwd=self.project,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        )
        stack.callback(server.terminate)
        assert server.stdout is not None
        for line in server.stdout:
            if found := re.search(rb"http://127\.0\.0\.1:\d+", line):
                return found[0].decode()
        raise AssertionError("opencode serve did not start")


CLIENTS: Mapping[str, type[Client]] = {one.name: one for one in (ClaudeCode, Codex, Gemini, Copilot, OpenCode)}


def _write_json(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _http(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")
