"""Other tools with the same entries, each in an environment of its own, its answers checked to be right."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from remember_me.model.change import Add
from tests.benchmarks.measure import Process, tell

PACKAGES = {"agent-memory-git": "mem", "jrnl": "jrnl"}
"""The package to install, and its program."""

JRNL_SETTINGS = """\
colors: {{body: none, date: none, tags: none, title: none}}
default_hour: 9
default_minute: 0
editor: ''
encrypt: false
highlight: false
indent_character: '|'
journals:
  default:
    journal: {journal}
linewrap: 79
tagsymbols: '@'
template: false
timeformat: '%Y-%m-%d %H:%M'
version: '{version}'
"""


def install(name: str, folder: Path) -> Path | None:
    """The program of the peer `name`, installed in an environment under `folder`; None where that fails."""
    tell(f"installing {name}")
    room = folder / f".venv-peers-{name}"
    program = room / "bin" / PACKAGES[name]
    for command in ([sys.executable, "-m", "venv", str(room)], [str(room / "bin" / "pip"), "install", "-q", name]):
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=600)
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode:
            return None
    return program if program.exists() else None


def version_of(program: Path, name: str) -> str:
    """The version of an installed peer."""
    code = f"import importlib.metadata as m; print(m.version({name!r}))"
    done = subprocess.run([str(program.parent / "python"), "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def agent_memory_git(
    program: Path, folder: Path, entries: Iterable[Add], environ: Mapping[str, str]
) -> dict[str, Process]:
    """Its commands over one file for each entry, committed: `--help`, `get`, `list` and `add`."""
    home = folder / "agent-memory-git"
    environ = {**environ, "HOME": str(home), "AGENT_MEMORY_CONFIG_DIR": str(home / "config")}
    store = home / "data"
    home.mkdir(parents=True)
    _identity(home)
    _run([str(program), "init", str(store)], environ, home)
    wanted: Add | None = None
    count = 0
    for entry in entries:
        file = store / "memories" / f"{entry.at:%Y}" / f"{entry.at:%m}" / f"{entry.at:%Y%m%d}-{entry.id}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f"---\nid: {entry.id}\nname: {entry.title}\ntype: user\nscope: global\ndescription: {entry.title}\n"
            f"created: {entry.at.isoformat()}\n---\n{entry.body or entry.title}\n",
            encoding="utf-8",
        )
        wanted, count = entry, count + 1
    _run(["git", "add", "."], environ, store)
    _run(["git", "commit", "-q", "-m", "all"], environ, store)
    assert wanted is not None
    title, most = wanted.title, count
    base = [str(program)]
    add = [*base, "add", "--name", "new", "--type", "user", "--scope", "global", "--description", "New", "A new one"]
    return {
        "--help": Process([*base, "--help"], environ, home, lambda out: "save a memory" in out),
        "get": Process([*base, "show", wanted.id], environ, home, lambda out: title in out),
        "list": Process([*base, "list", "--all", "--limit", "100000"], environ, home, lambda out: _lines(out) >= most),
        "add": Process(add, environ, home, lambda out: out.strip() == "saved"),
    }


def jrnl(program: Path, folder: Path, entries: Iterable[Add], environ: Mapping[str, str]) -> dict[str, Process]:
    """Its commands over one journal; it has no history: `--help`, `get` (by its words), `list` and `add`."""
    home = folder / "jrnl"
    settings = home / ".config" / "jrnl"
    settings.mkdir(parents=True)
    environ = {**environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
    journal = home / "journal.txt"
    (settings / "jrnl.yaml").write_text(JRNL_SETTINGS.format(journal=journal, version=version_of(program, "jrnl")))
    wanted: Add | None = None
    count = 0
    with open(journal, "w", encoding="utf-8") as file:
        for entry in entries:
            file.write(f"[{entry.at:%Y-%m-%d %H:%M}] {entry.title}.\n")
            file.write(f"{entry.body}\n\n" if entry.body else "\n")
            wanted, count = entry, count + 1
    assert wanted is not None
    title, most = wanted.title, count
    base = [str(program)]
    return {
        "--help": Process([*base, "--help"], environ, home, lambda out: "usage" in out.lower()),
        "get": Process([*base, "-contains", title], environ, home, lambda out: title in " ".join(out.split())),
        "list": Process([*base, "--short"], environ, home, lambda out: _lines(out) >= most),
        "add": Process([*base, "A new one."], environ, home, lambda out: _last_line(journal).endswith("A new one.")),
    }


SET_UP = {"agent-memory-git": agent_memory_git, "jrnl": jrnl}


def _last_line(file: Path) -> str:
    return file.read_text(encoding="utf-8").rstrip().rpartition("\n")[2]


def _lines(out: str) -> int:
    return len(out.splitlines())


def _identity(home: Path) -> None:
    (home / ".gitconfig").write_text("[user]\n  name = Bench\n  email = bench@example.invalid\n")


def _run(command: list[str], environ: Mapping[str, str], cwd: Path) -> None:
    subprocess.run(command, env=dict(environ), cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=True)


def clean_path() -> str:
    """Where programs lie, without the environment that the measurement itself runs in."""
    own = os.path.dirname(sys.executable)
    return os.pathsep.join(folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder != own)
