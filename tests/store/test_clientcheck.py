"""What `doctor` says of agent clients, with clients of its own whose settings are JSON files."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remember_me.app.actor import Channel
from remember_me.app.clientcheck import Seen, check_clients
from remember_me.app.findings import Finding
from remember_me.app.install import install as install_client
from remember_me.app.wiring import Surroundings as AppSurroundings
from remember_me.clients.base import CannotMerge, Client, Edit, Surroundings
from remember_me.store.sessions import Fired
from tests.cli_runner import Cli, trust_scripts

EVENTS = {"SessionStart": "session-start", "UserPromptSubmit": "prompt"}


def hooks_of(name: str, command: str, store: Path | None) -> dict[str, object]:
    where = f" --store {store}" if store else ""
    return {
        event: [{"hooks": [{"type": "command", "command": f"{command} hook {name} {ours}{where}"}]}]
        for event, ours in EVENTS.items()
    }


def client(name: str, title: str, folder: str, file: str) -> Client:
    def edits(around: Surroundings) -> tuple[Edit, ...]:
        path = around.home / folder / file

        def load(data: bytes) -> dict[str, object]:
            try:
                found: dict[str, object] = json.loads(data)
            except ValueError:
                raise CannotMerge(path, "is no JSON", "{}") from None
            return found

        def add(data: bytes | None) -> bytes:
            return json.dumps({**load(data or b"{}"), "hooks": hooks_of(name, around.command, around.store)}).encode()

        def remove(data: bytes) -> bytes:
            return json.dumps({key: value for key, value in load(data).items() if key != "hooks"}).encode()

        return (Edit(path, add, remove),)

    return Client(
        name, title, name, EVENTS, lambda around: (around.home / folder).is_dir(), edits, lambda around: ("",)
    )


CLAUDE = client("claude-code", "Claude Code", ".claude", "settings.json")
CODEX = client("codex", "Codex", ".codex", "hooks.json")
OPENCODE = client("opencode", "opencode", ".config/opencode", "plugins/x.json")
CLIENTS = (CLAUDE, CODEX, OPENCODE)
NO_MEMORY = {"autoMemoryEnabled": False}


@pytest.fixture
def around(home: Path, tmp_path: Path) -> Surroundings:
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "remember-me"
    command.write_bytes(b"")
    return Surroundings({"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(home)}, home, str(command))


def program(around: Surroundings, name: str, script: str) -> None:
    file = Path(around.command).parent / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def install(around: Surroundings, one: Client, others: Mapping[str, object] | None = None) -> Path:
    """The settings of a client with our hooks in them."""
    (edit,) = one.edits(around)
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    edit.path.write_bytes(edit.add(json.dumps(others or {}).encode()))
    return edit.path


def found(around: Surroundings, seen: Seen | None = None) -> list[Finding]:
    return list(check_clients(CLIENTS, around, seen or Seen(around.home / "remember-me")))


def told(around: Surroundings, seen: Seen | None = None) -> list[str]:
    return [f"{one.severity} {one.where or '-'}: {one.what}" for one in found(around, seen)]


def test_clients_that_are_not_in_use_are_not_named(around: Surroundings) -> None:
    program(around, "codex", "echo codex-cli 0.171.0")
    assert told(around) == []


def test_version_and_last_runs(around: Surroundings) -> None:
    install(around, CLAUDE, NO_MEMORY)
    program(around, "claude-code", 'read x && echo open stdin; echo "2.1.332 (Claude Code)"')
    at = datetime(2026, 11, 29, 13, 31, tzinfo=UTC)
    fired = [Fired("claude-code", "prompt", at, 9, "silent"), Fired("codex", "prompt", at, 9, "spoke")]
    seen = Seen(around.home / "remember-me", fired, "shadow")
    line = "note -: Claude Code 2.1.332: installed; the mode is shadow; last run: prompt 2026-11-29 13:31 +00:00 (9 ms)"
    assert told(around, seen) == [line]
    assert told(around) == ["note -: Claude Code 2.1.332: installed; no hook has run yet"]
    slow = Seen(seen.store, [fired[0]._replace(took_ms=1300)])
    what = "Claude Code: its hook prompt took 1300 ms, and says nothing after 1000 ms"
    assert told(around, slow)[1:] == [f"warning -: {what}"]


@pytest.mark.parametrize("script", ["exit 1", "echo no number", "sleep 30 & sleep 30; echo 1.0", "kill $$"])
def test_a_program_that_does_not_say_its_version(
    around: Surroundings, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remember_me.app.clientcheck.VERSION_SECONDS", 0.3)
    (around.home / ".codex").mkdir()
    program(around, "codex", script)
    (one,) = found(around)
    assert (one.severity, one.what) == ("note", "Codex (does not say its version): not installed")
    assert (one.hint, one.command) == ("Install it:", "install codex")


def test_hooks_that_are_not_as_they_would_be_installed(around: Surroundings) -> None:
    path = install(around, OPENCODE)
    assert told(around._replace(store=around.home / "remember-me"))[0].startswith("note -: opencode")
    other = around._replace(command="/elsewhere/remember-me")
    assert told(other)[0] == f"warning {path}: opencode: has not what would be installed now"
    path.write_bytes(b"{ // comment\n}")
    assert told(around) == [
        f"warning {path}: is no JSON; it was left alone",
        "note -: opencode (not on the PATH): not installed",
    ]
    path.unlink()
    path.mkdir()
    assert told(around)[0] == f"warning {path}: is no ordinary file"


def test_another_store_a_program_that_is_gone_and_hooks_twice(around: Surroundings) -> None:
    store = around.home / "remember-me"
    path = install(around._replace(store=store), CLAUDE, NO_MEMORY)
    (note,) = told(around._replace(store=store))
    assert note == "note -: Claude Code (not on the PATH): installed; no hook has run yet"
    lines = told(around._replace(store=store), Seen(around.home / "elsewhere"))
    assert lines[1:] == [f"warning {path}: Claude Code uses the store {store}, not {around.home / 'elsewhere'}"]
    os.unlink(around.command)
    lines = told(around._replace(store=store), Seen(store))
    assert lines[1:] == [f"warning {path}: Claude Code runs {around.command}, which is gone"]
    Path(around.command).write_bytes(b"")
    data = json.loads(path.read_bytes())
    data["hooks"]["SessionStart"] *= 2
    path.write_text(json.dumps(data), encoding="utf-8")
    assert told(around._replace(store=store))[-1] == f"warning {path}: Claude Code runs the hook session-start 2 times"


def test_codex_says_which_hooks_it_trusts(around: Surroundings) -> None:
    path = install(around, CODEX)
    what = "Codex does not trust our hooks yet: session_start, user_prompt_submit"
    assert told(around)[-1] == f"warning {path}: {what}"
    config = path.parent / "config.toml"
    rows = [f'[hooks.state."{path}:{event}:0:0"]\ntrusted_hash = "sha256:x"\n' for event in ("session_start", "stop")]
    config.write_text("".join(rows), encoding="utf-8")
    assert told(around)[-1] == f"warning {path}: Codex does not trust our hooks yet: user_prompt_submit"
    config.write_text(rows[0] + rows[1].replace("stop", "user_prompt_submit"), encoding="utf-8")
    before = config.read_bytes()
    assert told(around) == ["note -: Codex (not on the PATH): installed; no hook has run yet"]
    assert config.read_bytes() == before
    config.write_text("not toml", encoding="utf-8")
    assert told(around)[-1] == f"warning {path}: {what}"


def test_what_competes_in_claude_code(around: Surroundings) -> None:
    path = install(around, CLAUDE, {"enabledPlugins": {"remember-me@here": True, "other@x": True}})
    assert told(around)[1:] == [
        f"note {path}: Claude Code keeps an auto memory of its own beside this one",
        f"warning {path}: Claude Code runs our hooks twice: from its settings and from the plugin remember-me",
    ]
    install(around, CLAUDE, {"enabledPlugins": {"remember-me@here": False}})
    off = around._replace(environ={**around.environ, "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})
    assert told(off)[1:] == []


UNTRUSTED = ("session_start", "user_prompt_submit", "pre_compact", "stop", "session_end", "permission_request")


def app_surroundings(cli: Cli) -> AppSurroundings:
    """The world of a person who calls `install` for that store."""
    return AppSurroundings(cli.environment(), cli.store, Channel((), terminal=True))


class TestInstalled:
    """The real clients, installed by `install` into an empty home."""

    @pytest.fixture
    def installed(self, home: Path, tmp_path: Path) -> Cli:
        trust_scripts(home)
        for folder in (".claude", ".codex", ".gemini", ".copilot", ".config/opencode", ".aider"):
            (home / folder).mkdir(parents=True)
        cli = Cli(tmp_path / "store", {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"})
        cli.ok("init")
        for name in ("claude-code", "codex", "gemini", "opencode", "copilot", "aider"):
            install_client(app_surroundings(cli), name)
        return cli

    def told(self, cli: Cli) -> list[str]:
        rows = cli.run("doctor", "--json").json()["findings"]
        return [f"{row['severity']} {row['where'] or '-'}: {row['what']}" for row in rows]

    def test_only_what_the_person_has_to_do_is_left(self, installed: Cli, home: Path) -> None:
        lines = self.told(installed)
        assert [line for line in lines if line.startswith("warning")] == [
            f"warning {home}/.codex/hooks.json: Codex does not trust our hooks yet: " + ", ".join(UNTRUSTED)
        ]
        for title in ("Claude Code", "Codex", "Gemini CLI", "opencode", "aider"):
            assert any(line.startswith(f"note -: {title}") and ": installed; " in line for line in lines), title
        assert (
            f"note {home}/.claude/settings.json: Claude Code keeps an auto memory of its own beside this one" in lines
        )

    def test_without_the_store_in_the_call_they_are_for_another_one(self, installed: Cli, home: Path) -> None:
        other = Cli(home / "remember-me", installed.environ)
        other.ok("init")
        lines = self.told(other)
        wrong = [line for line in lines if f"uses the store {installed.store}, not {other.store}" in line]
        assert [line.split(": ")[1].split(" uses")[0] for line in wrong] == [
            "Claude Code", "Codex CLI", "Gemini CLI", "opencode", "GitHub Copilot CLI",
        ]  # fmt: skip

    def test_a_skill_that_was_edited_and_an_index_that_is_gone(self, installed: Cli, home: Path) -> None:
        skill = home / ".claude" / "skills" / "remember-me" / "SKILL.md"
        skill.write_text("My own.\n", encoding="utf-8")
        (index,) = (row["file"] for row in installed.json("context"))
        os.unlink(index)
        lines = self.told(installed)
        assert f"note {skill}: Claude Code: its skill was edited by hand, or is of another version" in lines
        assert f"warning {index}: aider: its index file is gone" in lines

    def test_what_a_hook_left_is_shown_by_status_and_doctor(self, installed: Cli) -> None:
        words = ("hook", "claude-code", "session-start", "--store", str(installed.store))
        event = {"session_id": "s1", "cwd": str(installed.store.parent), "hook_event_name": "SessionStart"}
        assert installed.run(*words, stdin=json.dumps({**event, "source": "startup"})).code == 0
        assert [line for line in self.told(installed) if "last run: session-start 20" in line]
        lines = installed.ok("status").out.splitlines()
        (line,) = (line for line in lines if line.startswith("claude-code: "))
        assert re.fullmatch(r"claude-code: its last hook was session-start at \S+ \S+ \+00:00, in [0-9]+ ms\.", line)
        (fired,) = installed.json("status")["fired"]
        assert (fired["client"], fired["event"]) == ("claude-code", "session-start")


class TestOfOthers:
    """What only looks like ours is nobody's fault."""

    def test_a_store_with_odd_characters_is_the_store(self, home: Path, tmp_path: Path) -> None:
        trust_scripts(home)
        (home / ".codex").mkdir()
        cli = Cli(tmp_path / "it's my store")
        cli.ok("init")
        assert cli.run("install", "codex").code == 0
        rows = [row["what"] for row in cli.run("doctor", "--json").json()["findings"]]
        assert not [what for what in rows if "uses the store" in what]

    def test_hooks_of_others_are_not_counted_as_ours(self, home: Path, tmp_path: Path) -> None:
        trust_scripts(home)
        folder = home / ".codex"
        folder.mkdir()
        others = [{"hooks": [{"type": "command", "command": command}]} for command in (
            "deja-vu hook codex session-start", "othertool --store /data/x; remember-me hook codex session-start",
        )]  # fmt: skip
        (folder / "hooks.json").write_text(json.dumps({"hooks": {"SessionStart": others}}))
        cli = Cli(tmp_path / "store")
        cli.ok("init")
        assert cli.run("install", "codex").code == 0
        rows = [row["what"] for row in cli.run("doctor", "--json").json()["findings"]]
        assert not [what for what in rows if "times" in what or "/data/x" in what]

    def test_a_plugin_is_an_installation(self, home: Path, tmp_path: Path) -> None:
        trust_scripts(home)
        (home / ".claude").mkdir()
        (home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"remember-me@x": true}}')
        cli = Cli(tmp_path / "store")
        cli.ok("init")
        rows = [row["what"] for row in cli.run("doctor", "--json").json()["findings"]]
        assert [what for what in rows if "installed as a plugin; no hook has run yet" in what]
        assert not [what for what in rows if "not installed" in what]
