"""Run the real command line in a process of its own, as a person's script would.

Most of the processes are forked from one that has imported the product: see tests/zygote.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import zygote

TRUST_SCRIPTS = '[trust]\nscripts = "person"\n'


@dataclass(frozen=True)
class Result:
    """What a command left: its exit code and the text of both streams."""

    arguments: tuple[str, ...]
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)

    def ok(self) -> Result:
        """This result, after asserting that the command ended with 0 and said nothing on stderr."""
        assert (self.code, self.err) == (0, ""), f"{' '.join(self.arguments)}: {self.code}\n{self.out}\n{self.err}"
        return self


def command_line(*arguments: str) -> list[str]:
    """The words of a call of the product from this checkout, whatever lies in the current folder."""
    return [sys.executable, "-P", "-m", "remember_me", *arguments]


def run_words(
    words: Sequence[str], *, input: bytes, env: Mapping[str, str], cwd: Path | None, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """Run the product in a session of its own and catch what it prints."""
    if zygote.serves(words, env):
        return zygote.run(words, input=input, env=env, cwd=cwd, timeout=timeout)
    return subprocess.run(
        command_line(*words),
        input=input,
        capture_output=True,
        env=env,
        cwd=cwd,
        timeout=timeout,
        start_new_session=True,
        check=False,
    )


def start_words(
    words: Sequence[str], *, streams: int, env: Mapping[str, str]
) -> zygote.Process | subprocess.Popen[bytes]:
    """Start the product in a session of its own, all its streams on the descriptor `streams`."""
    if zygote.serves(words, env):
        return zygote.start(words, stdin=streams, stdout=streams, stderr=streams, env=env)
    return subprocess.Popen(
        command_line(*words), stdin=streams, stdout=streams, stderr=streams, env=env, start_new_session=True
    )


def trust_scripts(home: Path) -> None:
    """Let writes of scripts count as the person's, as this machine's settings under `home` say."""
    folder = home / ".config" / "remember-me"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(TRUST_SCRIPTS, encoding="utf-8")


def trust_agents(home: Path) -> None:
    """Let writes of agents take effect without review, and those of scripts count as the person's."""
    trust_scripts(home)
    path = home / ".config" / "remember-me" / "config.toml"
    path.write_text(f'{TRUST_SCRIPTS}\n[review]\nagent = "never"\n', encoding="utf-8")


class Cli:
    """The command line on one store. `environ` goes over the sealed environment of the test."""

    def __init__(self, store: Path, environ: Mapping[str, str] | None = None) -> None:
        self.store = store
        self.environ = dict(environ or {})

    def environment(self, **over: str) -> dict[str, str]:
        """What the child sees: the sealed environment, this checkout's modules, and what was given."""
        return {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1]), **self.environ, **over}

    def run(
        self,
        *arguments: str,
        stdin: str | bytes = b"",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        timeout: float = 60,
    ) -> Result:
        """Run one command; its streams are decoded as UTF-8 with surrogate escapes."""
        words = ("--store", str(self.store), *arguments)
        data = stdin.encode() if isinstance(stdin, str) else stdin
        environ = self.environment(**(env or {}))
        done = run_words(words, input=data, env=environ, cwd=cwd, timeout=timeout)
        return Result(
            arguments,
            done.returncode,
            done.stdout.decode("utf-8", "surrogateescape"),
            done.stderr.decode("utf-8", "surrogateescape"),
        )

    def ok(self, *arguments: str, stdin: str | bytes = b"", env: Mapping[str, str] | None = None) -> Result:
        """Run one command that must end with 0 and an empty stderr."""
        return self.run(*arguments, stdin=stdin, env=env).ok()

    def json(self, *arguments: str) -> Any:
        """The document that a command prints with --json."""
        return self.ok("--json", *arguments).json()


def git(folder: Path, *arguments: str) -> str:
    """What git says in `folder`, with none of anyone's settings."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        capture_output=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        check=True,
    )
    return done.stdout.decode("utf-8", "surrogateescape")


def bytes_of(folder: Path, *, but: Sequence[str] = (".git", ".remember-me")) -> dict[str, bytes]:
    """The bytes of every file under `folder` by relative path, without the folders in `but`."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in but
    }
