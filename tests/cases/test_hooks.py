"""B49: what a hook prints is one JSON object of its client's form or nothing, whatever the store and environment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.support import add
from tests.cli_runner import Cli, trust_scripts
from tests.hook.support import CLIENTS, configure, context_of, document
from tests.shared import shared_path

BROKEN = "---\nid: m-x\ntitle: [unclosed\n---\nx\n"


def empty(cli: Cli) -> None:
    cli.ok("init")


def missing(cli: Cli) -> None:
    """There is no store at all."""


def broken_note(cli: Cli) -> None:
    (cli.store / "memory").mkdir(parents=True)
    (cli.store / "memory" / "2026-03-01.md").write_text(BROKEN)
    cli.run("init")


def full(cli: Cli) -> None:
    add(cli, "Trains leave from platform 3", "--tag", "FACT")


def damaged_cache(cli: Cli) -> None:
    full(cli)
    cli.ok("recall")
    for name in ("cache.sqlite", "sessions.sqlite", "receipts.sqlite", "state.sqlite"):
        (cli.store / ".remember-me" / name).write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)


STORES: tuple[Callable[[Cli], None], ...] = (empty, missing, broken_note, full, damaged_cache)
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "plain": {},
    "no git": {"PATH": "/nonexistent"},
    "warnings": {"PYTHONWARNINGS": "always"},
    "developer": {"PYTHONDEVMODE": "1", "PYTHONVERBOSE": "0"},
    "colours": {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "NO_COLOR": "1"},
    "ascii": {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
}


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    trust_scripts(home)
    return Cli(tmp_path / "store")


def fires(cli: Cli, client: str, event: str, cwd: Path, env: dict[str, str]) -> str:
    sent = {**document(client, event, cwd), "prompt": "Which platform do the trains leave from?"}
    done = cli.run("hook", client, event, stdin=json.dumps(sent), env=env)
    assert done.code == 0, done.err
    return context_of(client, event, done.out)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("store", STORES, ids=lambda make: make.__name__)
def test_B49_one_object_or_nothing(
    cli: Cli, tmp_path: Path, store: Callable[[Cli], None], environment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEMBER_ME_TEST_PROCESSES", "real")
    store(cli)
    env = ENVIRONMENTS[environment]
    for client in CLIENTS:
        for event in ("session-start", "prompt", "stop"):
            told = fires(cli, client, event, tmp_path, env)
            assert not told or told.count("</remember-me>") == 1
            assert "unclosed" not in told
    if store is full:
        assert "Trains leave from platform 3" in fires(cli, "claude-code", "session-start", tmp_path, env)


@pytest.mark.parametrize("mode", ["off", "shadow"])
def test_B49_nothing_is_printed_in_the_modes_that_do_not_speak(cli: Cli, tmp_path: Path, home: Path, mode: str) -> None:
    full(cli)
    configure(home, f'mode = "{mode}"')
    for client in CLIENTS:
        for event in ("session-start", "prompt"):
            assert fires(cli, client, event, tmp_path, {}) == ""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no folder in which nobody can write")
def test_B49_a_home_that_is_read_only(cli: Cli, tmp_path: Path) -> None:
    full(cli)
    names = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    env = dict.fromkeys(names, "/proc/no-home") | {"HOME": "/proc"}
    assert "platform 3" in fires(cli, "claude-code", "session-start", tmp_path, env)
    assert cli.run("hook", "claude-code", "prompt", stdin="no json", env=env).ok().out == ""


def test_B49_with_the_inputs_of_the_field(cli: Cli) -> None:
    folder = shared_path("cases", "inputs", "B49")
    (cli.store / "memory").mkdir(parents=True)
    (cli.store / "memory" / "2026-03-01.md").write_bytes((folder / "bad.md").read_bytes())
    cli.run("init")
    for client in CLIENTS:
        done = cli.run("hook", client, "session-start", stdin=(folder / "start.json").read_bytes())
        assert done.code == 0
        context_of(client, "session-start", done.out)
