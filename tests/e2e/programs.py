"""The programs of the agent clients, in the versions that the tests were written for: where they lie, how to get them.

    python -m tests.e2e.programs

installs each into a folder of its own with npm and leaves alone what is there already. Each of them is some 100 MB, so
only `make e2e` does it. Nothing of this is needed by the product.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

FOLDER_VARIABLE = "REMEMBER_ME_E2E_CLIENTS"
"""Where the clients are, when not in `.e2e/` of the checkout."""

_CHECKOUT = Path(__file__).resolve().parents[2]


class Program(NamedTuple):
    """An npm package and the command it brings; `folder` is its own below that of the clients."""

    folder: str
    package: str
    version: str
    command: str


PROGRAMS = {
    "claude-code": Program("claude-code", "@anthropic-ai/claude-code", "2.1.332", "claude"),
    "codex": Program("codex", "@openai/codex", "0.171.0", "codex"),
    "gemini": Program("gemini-cli", "@google/gemini-cli", "0.61.0", "gemini"),
    "copilot": Program("copilot", "@github/copilot", "1.0.102", "copilot"),
    "opencode": Program("opencode-ai", "opencode-ai", "1.18.33", "opencode"),
}
"""By the names that `remember-me install` knows."""


def clients_folder() -> Path:
    """The folder that holds one folder for each client."""
    return Path(os.environ.get(FOLDER_VARIABLE) or _CHECKOUT / ".e2e").resolve()


def find_program(name: str) -> Path | None:
    """The command of that client, or None where it is not installed."""
    program = PROGRAMS[name]
    path = clients_folder() / program.folder / "node_modules" / ".bin" / program.command
    return path if path.is_file() else None


def installed_version(name: str) -> str | None:
    """What the package in the folder says that it is, or None where it is not installed."""
    program = PROGRAMS[name]
    path = clients_folder() / program.folder / "node_modules" / program.package / "package.json"
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError):
        return None


def main() -> int:
    """Install what is missing. One line for each; what cannot be had is left out, and its tests skip."""
    npm = shutil.which("npm")
    for name, program in PROGRAMS.items():
        if installed_version(name) == program.version and find_program(name):
            print(f"{name} {program.version} is there")
        elif npm is None:
            print(f"{name} is not there and cannot be installed without npm (Node.js 20 or newer); its tests skip")
        else:
            _install(npm, name, program)
    return 0


def _install(npm: str, name: str, program: Program) -> None:
    folder = clients_folder() / program.folder
    folder.mkdir(parents=True, exist_ok=True)
    words = [npm, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(folder)]
    words.append(f"{program.package}@{program.version}")
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode == 0:
        print(f"{name} {program.version} installed")
    else:
        last = [line for line in done.stderr.splitlines() if line.strip()][:1]
        print(f"{name} {program.version} could not be installed; its tests skip: {''.join(last) or done.returncode}")


if __name__ == "__main__":
    sys.exit(main())
