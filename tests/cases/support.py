"""What the cases share: notes put into a store by hand, and what must hold after any command."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

import pytest

from tests.cli_runner import Cli, Result, command_line, git

ROUNDS = float(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "1"))
"""Multiplies the size of the long loops."""

_T = TypeVar("_T")


def sampled(cases: Iterable[_T]) -> list[_T]:
    """Every second case; with three rounds all of them. For tables whose rows go the same way through the code."""
    return list(cases)[:: 1 if ROUNDS >= 3 else 2]


MARKUP_LINES = (
    "prefers [tabs] over [spaces]",
    "model prompt ends with [/INST]",
    "see [[Project Alpha]] and - [x] done",
    "deploy :rocket: at a:b:c ratio",
    "[link=http://x.invalid]y[/link] \\[kept]",
    "[bold red]not red[/] [/] [/bold]",
    "100% {braces} {0} %s $HOME `id`",
    "日本語のメモ、長い行です。日本語のメモ、長い行です。",
    "👩‍🔧 repairs 🎵 boxes",
    "می‌خواهم",
    "a-word-without-any-space-" * 3,
)
"""B45: stored text that a terminal library would read as markup."""

DOCUMENTED_CODES = frozenset(range(11))
"""The exit codes of DESIGN section 8."""


def noon_zone() -> str:
    """The name of a zone in which it is between 11:30 and 12:30 now, so that no day ends within a test."""
    now = datetime.now(UTC)
    hours = round(12 - now.hour - now.minute / 60)
    return f"Etc/GMT{-hours:+d}" if hours else "Etc/GMT"


def today(cli: Cli) -> str:
    """The date in the zone of `cli`, as in the name of a daily note."""
    return datetime.now(ZoneInfo(cli.environ["TZ"])).date().isoformat()


def like(prepared: Cli, cli: Cli) -> Cli:
    """`cli` with a copy of the prepared store, on the same clock."""
    shutil.rmtree(cli.store)
    shutil.copytree(prepared.store, cli.store, symlinks=True)
    cli.environ["TZ"] = prepared.environ["TZ"]
    return cli


def put(cli: Cli, path: str, data: str | bytes) -> Path:
    """Write a file into the store by hand."""
    file = cli.store / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)
    return file


def topic(entry_id: str, title: str, body: str = "", *, more: str = "", tag: str = "FACT") -> str:
    """A topic note as a person writes it."""
    return f"---\nid: {entry_id}\ntag: {tag}\ntitle: {title}\n{more}---\n" + (f"\n{body}\n" if body else "")


def add(cli: Cli, text: str | bytes, *options: str) -> str:
    """Save a text through stdin and return its id."""
    return str(cli.ok("add", "--quiet", *options, "-", stdin=text).out.strip())


def ids(cli: Cli) -> list[str]:
    """The ids that `list --all` shows, sorted."""
    return sorted(entry["id"] for entry in cli.json("list", "--all"))


def problems(cli: Cli) -> list[str]:
    """What `status` reports, as `path:line: reason` without the line where none is known."""
    found = cli.json("status")["problems"]
    return [f"{row['path']}{':' + str(row['line']) if row['line'] else ''}: {row['reason']}" for row in found]


def insertion(before: bytes, after: bytes) -> bytes:
    """The one piece that was put into `before` to get `after`; fails where anything else was changed."""
    both = zip(before, after, strict=False)
    at = next((number for number, (one, other) in enumerate(both) if one != other), min(len(before), len(after)))
    tail = before[at:]
    assert after.endswith(tail), f"more than an insertion: {before!r} -> {after!r}"
    return after[at : len(after) - len(tail)]


def known(result: Result) -> Result:
    """The same result, after checking that it ended as documented: no crash, and each error with its sentence."""
    assert result.code in DOCUMENTED_CODES, (result.arguments, result.code, result.err)
    assert "unexpected" not in result.err, (result.arguments, result.err)
    assert "Traceback" not in result.err + result.out, (result.arguments, result.err)
    assert result.code == 0 or result.err.startswith(("Error: ", '{"error"')), (result.arguments, result.err)
    return result


def failed(result: Result, code: int, message: str) -> Result:
    """The same result, after checking its exit code and the first line of its error; nothing is on stdout."""
    assert (result.code, result.err.split("\n")[0]) == (code, f"Error: {message}"), (result.code, result.err)
    assert result.out == ""
    return result


def sound(cli: Cli, *, besides: Iterable[str] = ()) -> None:
    """The repository is whole, everything is committed, and no file of a writer is left behind.

    `besides` are the lines of `git status --short` that are the person's own.
    """
    assert sorted(git(cli.store, "status", "--short", "--untracked-files=all").splitlines()) == sorted(besides)
    assert git(cli.store, "fsck", "--strict", "--no-dangling") == ""
    assert os.listdir(cli.store / ".remember-me" / "spool") == []
    assert not list(cli.store.rglob("*.remember-me-*"))
    assert not (cli.store / ".git" / "index.lock").exists()


def numstat(cli: Cli, revision: str = "HEAD") -> list[tuple[int, int, str]]:
    """(added lines, removed lines, path) of a commit against its first parent."""
    out = git(cli.store, "show", "--numstat", "--format=", revision)
    rows = [line.split("\t") for line in out.splitlines()]
    return [(int(added), int(removed), path) for added, removed, path in rows]


def run_powerless(cli: Cli, *words: str) -> Result:
    """Run a command without the rights by which root reads and writes everything."""
    prefix: list[str] = []
    if os.getuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("setpriv, which takes root's rights away, is not here")
        prefix = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    done = subprocess.run(
        [*prefix, *command_line("--store", str(cli.store), *words)],
        env=cli.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        start_new_session=True,
    )
    out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    return Result(words, done.returncode, out, err)


def in_shell(cli: Cli, script: str) -> tuple[list[int], str, str]:
    """(the exit codes that the script prints last, stdout before them, stderr); `RM` is the command on this store."""
    words = " ".join(f"'{word}'" for word in command_line("--store", str(cli.store)))
    done = subprocess.run(
        ["bash", "-c", f'RM() {{ {words} "$@"; }}\n{script}'],
        env=cli.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=120,
    )
    *out, codes = done.stdout.splitlines()
    return [int(code) for code in codes.split()], "\n".join(out), done.stderr
