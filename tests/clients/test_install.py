"""`install` and `uninstall`: the files of real clients' users, beside what others put there, and back to the byte."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from remember_me.app.install import Asked, Outcome, install, uninstall
from remember_me.app.installs import Installs, InstallsBusy
from remember_me.app.wiring import Surroundings
from remember_me.clients.claude_code import EVENTS
from remember_me.clients.known import CLIENTS
from remember_me.errors import WriteFailed
from remember_me.store.files import Disk
from tests.cli_runner import Result, command_line, run_words, trust_scripts
from tests.state.lab import SteppingDisk
from tests.store.test_disk import REFUSES, read_only

PROJECT = Path(__file__).parents[2]
SKILL = (PROJECT / "templates" / "skill" / "SKILL.md").read_bytes()
NAMES = [client.name for client in CLIENTS]
HOOKED = [name for name in NAMES if name != "aider"]
FILES = {
    "claude-code": (".claude/settings.json", ".claude/skills/remember-me/SKILL.md"),
    "codex": (".codex/hooks.json", ".agents/skills/remember-me/SKILL.md"),
    "gemini": (".gemini/settings.json", ".agents/skills/remember-me/SKILL.md"),
    "opencode": (".config/opencode/plugins/remember-me.js", ".agents/skills/remember-me/SKILL.md"),
    "copilot": (".copilot/hooks/remember-me.json", ".agents/skills/remember-me/SKILL.md"),
    "aider": (".aider.conf.yml", ".local/state/remember-me/aider-index.md"),
}
FOLDERS = {name: FILES[name][0].split("/")[0] for name in NAMES} | {"opencode": ".config/opencode"}


class Home:
    """A home with our program on the PATH, and the product called in it."""

    def __init__(self, home: Path, tmp_path: Path) -> None:
        self.path = home
        self.bin = tmp_path / "bin"
        self.bin.mkdir()
        self.program = self.bin / "remember-me"
        self.program.write_text("#!/bin/sh\nexit 0\n")
        self.program.chmod(0o755)
        trust_scripts(home)

    def run(self, *words: str, env: Mapping[str, str] | None = None) -> Result:
        environ = {**os.environ, "PYTHONPATH": str(PROJECT), "PATH": f"{self.bin}:/usr/bin:/bin", **(env or {})}
        done = run_words(words, input=b"", env=environ, cwd=self.path, timeout=60)
        return Result(words, done.returncode, done.stdout.decode(), done.stderr.decode())

    def ok(self, *words: str, env: Mapping[str, str] | None = None) -> str:
        return self.run(*words, env=env).ok().out

    def put(self, name: str, text: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def json(self, name: str) -> Any:
        return json.loads((self.path / name).read_bytes().decode("utf-8-sig"))

    def tree(self) -> dict[str, tuple[int, bytes | str | None]]:
        """Everything in the home with its mode: bytes of files, targets of links; without our state and the store."""
        found: dict[str, tuple[int, bytes | str | None]] = {}
        for path in sorted(self.path.rglob("*")):
            name = path.relative_to(self.path).as_posix()
            if name.startswith((".local", "remember-me/", ".cache")) or name == "remember-me":
                continue
            content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            found[name] = (path.lstat().st_mode, content)
        return found

    def times(self) -> dict[str, int]:
        """When each of those files was written."""
        return {name: (self.path / name).lstat().st_mtime_ns for name in self.tree()}


@pytest.fixture
def at_home(home: Path, tmp_path: Path) -> Home:
    return Home(home, tmp_path)


OTHER = '{"hooks": [{"type": "command", "command": "other-tool start"}]}'
SETTINGS = {
    "none": None,
    "no hooks": '{\n  "model": "opus"\n}\n',
    "others": f'{{\n  "hooks": {{\n    "SessionStart": [{OTHER}],\n    "Stop": []\n  }},\n  "unknown": 1.50\n}}',
    "CRLF": '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{"hooks": []}\r\n\t\t]\r\n\t}\r\n}\r\n',
    "one line": '{"hooks":{},"x":[1,2]}',
    "BOM": '\ufeff{ }\n',
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_it_writes_its_files_once_and_takes_them_back(at_home: Home, name: str) -> None:
    before = at_home.tree()
    out = at_home.run("install", name)
    assert out.code == 0
    for file in FILES[name]:
        assert f"{at_home.path / file} (" in out.out
        assert (at_home.path / file).is_file()
    assert f"  take it back: remember-me uninstall {name}\n" in out.out
    for sentence in ("kept for 7 days on this machine", "remember-me config agents.mode off"):
        assert (sentence in out.out) == (name in HOOKED)
    made, times = at_home.tree(), at_home.times()
    again = at_home.ok("install", name)
    assert again.startswith(f"Nothing to change for {next(one.title for one in CLIENTS if one.name == name)}.\n")
    assert (at_home.tree(), at_home.times()) == (made, times)
    assert "deleted" in at_home.ok("uninstall", name)
    assert at_home.tree() == before
    assert not (at_home.path / ".local/state/remember-me/installs").exists()
    assert at_home.ok("uninstall", name).startswith("Nothing to change for ")


@pytest.mark.parametrize("layout", SETTINGS)
@pytest.mark.parametrize("keeps", ["the record", "no record", "a later edit"])
def test_settings_of_others_come_back_to_the_byte(at_home: Home, layout: str, keeps: str) -> None:
    """By the backup, and where that is gone or the file was edited since, by taking out what is ours."""
    text = SETTINGS[layout]
    for name in ("claude-code", "codex", "gemini"):
        if text is not None:
            at_home.put(FILES[name][0], text)
    before = at_home.tree()
    for name in ("claude-code", "codex", "gemini"):
        at_home.ok("install", name)
        if keeps == "a later edit":
            file = at_home.path / FILES[name][0]
            file.write_bytes(file.read_bytes() + b"\n")
    if keeps == "no record":
        shutil.rmtree(at_home.path / ".local")
        if layout in ("none", "others", "one line"):
            return  # whether a list was there and empty is known by the record alone
    for name in ("claude-code", "codex", "gemini"):
        at_home.ok("uninstall", name)
        if keeps == "a later edit" and text is not None:
            file = at_home.path / FILES[name][0]
            assert file.read_bytes() == text.encode() + b"\n"
            file.write_bytes(text.encode())
    after = at_home.tree()
    if keeps == "no record":  # and so are the folders that were made
        after = {name: found for name, found in after.items() if name in before or found[1] is not None}
        assert not (at_home.path / ".agents/skills/remember-me").exists()
    assert after == before


def test_what_is_registered_with_claude_code(at_home: Home) -> None:
    at_home.ok("install", "claude-code")
    hooks = at_home.json(".claude/settings.json")["hooks"]
    assert list(hooks) == list(EVENTS)
    start = {"type": "command", "command": f"{at_home.program} hook claude-code session-start", "timeout": 5}
    assert hooks["SessionStart"] == [{"matcher": "startup|resume|clear|compact", "hooks": [start]}]
    seconds = {event: group[0]["hooks"][0]["timeout"] for event, group in hooks.items()}
    assert seconds == {
        "SessionStart": 5, "UserPromptSubmit": 2, "PreCompact": 2, "Stop": 2, "SessionEnd": 3,
        "PermissionRequest": 2, "Elicitation": 2,
    }  # fmt: skip
    words = {event: group[0]["hooks"][0]["command"].split()[-1] for event, group in hooks.items()}
    assert words == EVENTS
    assert (at_home.path / FILES["claude-code"][1]).read_bytes() == SKILL


def test_what_is_registered_with_codex(at_home: Home) -> None:
    out = at_home.ok("install", "codex")
    assert "start codex, type /hooks, and trust those of remember-me" in out
    assert not (at_home.path / ".codex" / "config.toml").exists()
    hooks = at_home.json(".codex/hooks.json")["hooks"]
    assert {event: group[0]["hooks"][0]["timeout"] for event, group in hooks.items()} == {
        "SessionStart": 5, "UserPromptSubmit": 2, "PreCompact": 2, "Stop": 2, "SessionEnd": 3, "PermissionRequest": 2,
    }  # fmt: skip
    assert hooks["SessionStart"][0]["matcher"] == "startup|resume|clear|compact"
    assert {key for group in hooks.values() for key in group[0]["hooks"][0]} == {"type", "command", "timeout"}


def test_what_is_registered_with_gemini(at_home: Home) -> None:
    at_home.ok("install", "gemini")
    hooks = at_home.json(".gemini/settings.json")["hooks"]
    found = {
        event: (group[0].get("matcher"), group[0]["hooks"][0]["timeout"], group[0]["hooks"][0]["command"].split()[-1])
        for event, group in hooks.items()
    }
    assert found == {
        "SessionStart": ("*", 5000, "session-start"),
        "BeforeAgent": (None, 2000, "prompt"),
        "PreCompress": (None, 2000, "pre-compact"),
        "AfterAgent": (None, 2000, "stop"),
        "SessionEnd": (None, 3000, "session-end"),
        "Notification": ("ToolPermission", 2000, "permission"),
    }


def test_what_is_registered_with_copilot(at_home: Home) -> None:
    at_home.ok("install", "copilot")
    document = at_home.json(".copilot/hooks/remember-me.json")
    assert document["version"] == 1
    found = {event: (hook[0]["timeoutSec"], hook[0]["bash"].split()[-1]) for event, hook in document["hooks"].items()}
    assert found == {
        "sessionStart": (5, "session-start"),
        "userPromptSubmitted": (2, "prompt"),
        "preCompact": (2, "pre-compact"),
        "agentStop": (2, "stop"),
        "sessionEnd": (3, "session-end"),
    }


def test_the_plugin_of_opencode_knows_program_and_store(at_home: Home) -> None:
    at_home.ok("install", "opencode", "--store", "/a b/st'ore")
    plugin = (at_home.path / FILES["opencode"][0]).read_text(encoding="utf-8")
    assert f"\nconst PROGRAM = {json.dumps(str(at_home.program))}\n" in plugin
    assert '\nconst OPTIONS = ["--store", "/a b/st\'ore"]\n' in plugin
    assert "execSync" not in plugin
    assert "spawnSync" not in plugin


@pytest.mark.parametrize(("given", "named"), [
    (("--store", "/a b/store"), " --store '/a b/store'"), (("--store", "~/x"), " --store {home}/x"), ((), ""),
])  # fmt: skip
def test_a_store_is_named_where_it_was_given(at_home: Home, given: tuple[str, ...], named: str) -> None:
    at_home.ok("install", "codex", *given)
    command = at_home.json(".codex/hooks.json")["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command == f"{at_home.program} hook codex stop{named.format(home=at_home.path)}"


def test_a_store_that_is_none_yet_is_told_with_what_makes_it(at_home: Home) -> None:
    advice = "  There is no store at {0} yet. Make one: remember-me --store {0} init\n"
    store, other = at_home.path / "s", at_home.path / "other"
    assert advice.format(store) in at_home.ok("install", "codex", "--store", str(store))
    assert advice.format(other) in at_home.ok("install", "gemini", env={"REMEMBER_ME_HOME": str(other)})
    assert "There is no store" not in at_home.ok("install", "copilot")
    assert "There is no store" not in at_home.ok("install", "aider", "--store", str(other))
    at_home.ok("--store", str(store), "init")
    assert "There is no store" not in at_home.ok("install", "claude-code", "--store", str(store))


def test_a_file_for_a_store_is_refused(at_home: Home) -> None:
    store = at_home.put("s", "mine")
    before = at_home.tree()
    for words in (("install", "codex"), ("install", "codex", "--dry-run"), ("install", "all"), ("install", "aider")):
        done = at_home.run(*words, "--store", str(store))
        assert (done.code, done.out) == (8, "")
        assert done.err == (
            f"Error: {store} is a file, not a store.\nHint: Give another folder with --store or REMEMBER_ME_HOME.\n"
        )
    assert at_home.tree() == before
    at_home.ok("install", "codex")
    at_home.ok("uninstall", "codex", "--store", str(store))
    assert at_home.tree() == before


def test_a_store_of_the_environment_is_named_and_may_change(at_home: Home) -> None:
    at_home.ok("install", "codex", env={"REMEMBER_ME_HOME": "/some/store"})
    hooks = at_home.json(".codex/hooks.json")["hooks"]
    assert hooks["Stop"][0]["hooks"][0]["command"].endswith("hook codex stop --store /some/store")
    assert "changed" in at_home.ok("install", "codex")
    hooks = at_home.json(".codex/hooks.json")["hooks"]
    assert [len(groups) for groups in hooks.values()] == [1] * 6
    assert hooks["Stop"][0]["hooks"][0]["command"] == f"{at_home.program} hook codex stop"
    at_home.ok("uninstall", "codex")
    assert not (at_home.path / ".codex").exists()


@pytest.mark.parametrize(
    ("name", "variable", "file"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("copilot", "COPILOT_HOME", "hooks/remember-me.json"),
        ("opencode", "OPENCODE_CONFIG_DIR", "plugins/remember-me.js"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/remember-me.js"),
    ],
)
def test_the_folder_that_a_client_is_told_is_used(
    at_home: Home, tmp_path: Path, name: str, variable: str, file: str
) -> None:
    env = {variable: str(tmp_path / "else where")}
    done = at_home.run("install", name, env=env)
    assert (done.code, (tmp_path / "else where" / file).is_file()) == (0, True)
    assert not (at_home.path / FILES[name][0]).exists()
    assert at_home.run("uninstall", name, env=env).code == 0
    assert not (tmp_path / "else where").exists()


def test_all_are_those_in_use_here(at_home: Home) -> None:
    (at_home.path / ".claude").mkdir()
    at_home.put(".gemini/settings.json", "{}")
    program = at_home.bin / "copilot"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    done = at_home.run("install", "all")
    assert done.code == 0
    assert done.err == "Not in use here, so skipped: codex, opencode, aider.\n"
    assert {one.name for one in CLIENTS if (at_home.path / FILES[one.name][0]).exists()} == {
        "claude-code", "gemini", "copilot",
    }  # fmt: skip
    program.unlink()
    shutil.rmtree(at_home.path / ".claude")
    done = at_home.run("uninstall", "all")
    assert (done.code, done.err) == (0, "Not in use here, so skipped: claude-code, codex, opencode, aider.\n")
    assert (at_home.path / ".gemini/settings.json").read_bytes() == b"{}"
    assert not (at_home.path / ".copilot").exists()
    assert not (at_home.path / ".agents").exists()


def test_nothing_in_use_is_said(at_home: Home) -> None:
    done = at_home.run("install", "all")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"No agent client seems to be in use here. Name the one that you mean: {', '.join(NAMES)}.\n"


def test_one_that_refuses_does_not_stop_the_others(at_home: Home) -> None:
    broken = at_home.put(".claude/settings.json", '{\n  // mine\n  "model": "opus",\n}\n')
    at_home.put(".gemini/settings.json", "{}")
    done = at_home.run("install", "all")
    assert done.code == 7
    assert f"Claude Code: {broken} has a comment in line 2; it was left alone.\n" in done.err
    assert "Hint: Paste what is shown above into it by hand.\n" in done.err
    assert done.err.endswith(
        "Error: Left as it was: claude-code.\nHint: Once the reason is gone: remember-me install claude-code\n"
    )
    assert broken.read_text() == '{\n  // mine\n  "model": "opus",\n}\n'
    assert not (at_home.path / ".claude/skills").exists()
    assert "hooks" in at_home.json(".gemini/settings.json")
    rows = at_home.run("--json", "install", "all")
    assert rows.code == 7
    found = {row["client"]: row for row in json.loads(rows.out)}
    assert found["claude-code"]["state"] == "failed"
    assert set(json.loads(found["claude-code"]["error"]["snippet"])["hooks"]) == set(EVENTS)
    assert (found["gemini"]["state"], found["codex"]["state"]) == ("unchanged", "skipped")


@pytest.mark.parametrize("text", ['{"a": 1,}', "// x\n{}", '{"hooks": []}', "[]", "{", b"\xff\xfe{\x00}\x00"])
def test_settings_that_cannot_be_changed_are_left_alone(at_home: Home, text: str | bytes) -> None:
    path = at_home.put(".codex/hooks.json", text)
    before, times = at_home.tree(), at_home.times()
    done = at_home.run("install", "codex")
    assert done.code == 7
    assert next(iter(json.loads(done.out)["hooks"])) == "SessionStart"
    assert done.err.count("\n") == 2
    assert done.err.startswith(f"Error: {path} ")
    assert done.err.endswith("; it was left alone.\nHint: Paste what is shown above into it by hand.\n")
    assert (at_home.tree(), at_home.times()) == (before, times)
    error = json.loads(at_home.run("install", "codex", "--json").err)
    assert error["exit_code"] == 7
    assert json.loads(error["snippet"])["hooks"]
    assert at_home.ok("uninstall", "codex") == "Nothing to change for Codex CLI.\n"


def test_dry_run_shows_the_lines_and_writes_nothing(at_home: Home) -> None:
    path = at_home.put(".gemini/settings.json", '{\n  "theme": "x"\n}\n')
    before, times = at_home.tree(), at_home.times()
    out = at_home.ok("install", "gemini", "--dry-run")
    assert out.startswith(
        f"Would install into Gemini CLI:\n  {path} (hooks): changed\n    --- {path}\n    +++ {path}\n"
    )
    assert '\n    -  "theme": "x"\n    +  "theme": "x",\n    +  "hooks": {\n' in out
    assert f"    --- {os.devnull}\n" in out
    assert (at_home.tree(), at_home.times()) == (before, times)
    assert not (at_home.path / ".local").exists()
    at_home.ok("install", "gemini")
    installed = at_home.tree()
    out = at_home.ok("uninstall", "gemini", "--dry-run")
    assert out.startswith(f"Would take out of Gemini CLI:\n  {path} (hooks): as it was before\n")
    assert at_home.tree() == installed
    row = json.loads(at_home.ok("uninstall", "gemini", "--dry-run", "--json"))[0]
    assert [(file["what"], file["change"]) for file in row["files"]] == [("hooks", "restored"), ("skill", "deleted")]
    assert row["files"][0]["diff"].startswith(f"--- {path}\n+++ {path}\n@@ ")


def test_a_link_into_dotfiles_is_followed_and_kept(at_home: Home, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_bytes(b'{"a": 1}\n')
    real.chmod(0o640)
    (at_home.path / ".claude").mkdir()
    link = at_home.path / ".claude" / "settings.json"
    link.symlink_to(real)
    at_home.ok("install", "claude-code")
    assert link.is_symlink()
    assert os.readlink(link) == str(real)
    assert json.loads(real.read_bytes())["hooks"]
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [path.name for path in real.parent.iterdir()] == ["claude.json"]
    at_home.ok("uninstall", "claude-code")
    assert link.is_symlink()
    assert real.read_bytes() == b'{"a": 1}\n'
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_link_that_leads_to_no_file_yet(at_home: Home, tmp_path: Path) -> None:
    (at_home.path / ".codex").mkdir()
    link = at_home.path / ".codex" / "hooks.json"
    link.symlink_to(tmp_path / "dotfiles" / "hooks.json")
    at_home.ok("install", "codex")
    assert link.is_symlink()
    assert at_home.json(".codex/hooks.json")["hooks"]
    at_home.ok("uninstall", "codex")
    assert link.is_symlink()
    assert not (tmp_path / "dotfiles").exists()


def test_a_folder_or_a_loop_where_the_settings_should_be(at_home: Home) -> None:
    (at_home.path / ".codex" / "hooks.json").mkdir(parents=True)
    done = at_home.run("install", "codex")
    assert (done.code, done.err) == (
        7,
        f"Error: {at_home.path}/.codex/hooks.json is no ordinary file; it was left alone.\n"
        "Hint: Put an ordinary file there.\n",
    )
    (at_home.path / ".gemini").mkdir()
    (at_home.path / ".gemini" / "settings.json").symlink_to("settings.json")
    done = at_home.run("install", "gemini")
    assert done.code == 7
    assert "could not be read: too many levels of symbolic links; it was left alone." in done.err


def test_the_auto_memory_of_claude_code(at_home: Home) -> None:
    said = "Claude Code keeps an auto memory of its own beside this one. To switch it off: "
    before = '{\n  "autoMemoryEnabled" : true,\n  "b": 1\n}\n'
    path = at_home.put(".claude/settings.json", before)
    assert said in at_home.ok("install", "claude-code")
    assert at_home.json(".claude/settings.json")["autoMemoryEnabled"] is True
    out = at_home.ok("install", "claude-code", "--no-auto-memory")
    assert said not in out
    assert at_home.json(".claude/settings.json")["autoMemoryEnabled"] is False
    assert at_home.ok("install", "claude-code", "--no-auto-memory").startswith("Nothing to change for Claude Code.\n")
    path.write_bytes(path.read_bytes().replace(b'"b" : 1', b'"b" : 2'))
    at_home.ok("uninstall", "claude-code")
    assert path.read_text() == before.replace('"b": 1', '"b": 1')
    refused = at_home.run("install", "codex", "--no-auto-memory")
    assert (refused.code, refused.err) == (2, "Error: --no-auto-memory is for claude-code, not for codex.\n")


def test_the_auto_memory_comes_back_also_after_an_edit(at_home: Home) -> None:
    path = at_home.put(".claude/settings.json", '{\n  "b": 1\n}\n')
    at_home.ok("install", "claude-code", "--no-auto-memory")
    path.write_text(path.read_text().replace('"b": 1', '"b": 2'))
    at_home.ok("install", "claude-code", "--store", "/x")
    path.write_text(path.read_text().replace('"b": 2', '"b": 3'))
    at_home.ok("uninstall", "claude-code")
    assert path.read_text() == '{\n  "b": 3\n}\n'


def test_a_skill_that_was_edited_is_left_and_said(at_home: Home) -> None:
    at_home.ok("install", "codex")
    skill = at_home.path / FILES["codex"][1]
    skill.write_bytes(SKILL + b"\nMine.\n")
    out = at_home.ok("uninstall", "codex")
    assert f"  {skill} (skill): was edited by hand, so it was left alone\n" in out
    assert skill.read_bytes() == SKILL + b"\nMine.\n"
    out = at_home.ok("install", "codex")
    assert f"  {skill} (skill): was edited by hand, so it was left alone\n" in out
    assert skill.read_bytes() == SKILL + b"\nMine.\n"


def test_a_skill_of_an_older_version_is_brought_up_to_date(at_home: Home) -> None:
    at_home.ok("install", "codex")
    skill = at_home.path / FILES["codex"][1]
    record = next(
        path for path in (at_home.path / ".local/state/remember-me/installs").iterdir()
        if json.loads(path.read_text())["path"] == str(skill)
    )  # fmt: skip
    from remember_me.notes.note import content_hash

    old = b"An older version\n"
    skill.write_bytes(old)
    record.write_text(json.dumps({**json.loads(record.read_text()), "after": content_hash(old)}))
    at_home.ok("install", "codex")
    assert skill.read_bytes() == SKILL
    at_home.ok("uninstall", "codex")
    assert not (at_home.path / ".agents").exists()


def test_the_shared_skill_goes_with_the_last_that_uses_it(at_home: Home) -> None:
    for name in ("codex", "gemini", "opencode", "copilot"):
        at_home.ok("install", name)
    skill = at_home.path / ".agents/skills/remember-me/SKILL.md"
    for name in ("codex", "opencode", "copilot"):
        assert f"  {skill} (skill): kept: another client uses it\n" in at_home.ok("uninstall", name)
        assert skill.read_bytes() == SKILL
    assert f"  {skill} (skill): deleted\n" in at_home.ok("uninstall", "gemini")
    assert not (at_home.path / ".agents").exists()


def test_a_skill_folder_that_clients_share_by_a_link(at_home: Home) -> None:
    at_home.ok("install", "claude-code")
    (at_home.path / ".agents/skills").mkdir(parents=True)
    (at_home.path / ".agents/skills/remember-me").symlink_to(at_home.path / ".claude/skills/remember-me")
    at_home.ok("install", "codex")
    assert "kept: another client uses it" in at_home.ok("uninstall", "codex")
    assert (at_home.path / ".claude/skills/remember-me/SKILL.md").read_bytes() == SKILL


def test_an_edited_plugin_is_left_alone_and_refused(at_home: Home) -> None:
    plugin = at_home.put(FILES["opencode"][0], "// mine\n")
    for verb in ("install", "uninstall"):
        done = at_home.run(verb, "opencode")
        assert (done.code, done.out) == (7, "")
        assert done.err == (
            f"Error: {plugin} is not as remember-me wrote it; it was left alone.\n"
            "Hint: Move it away or delete it, and run this again.\n"
        )
    assert plugin.read_bytes() == b"// mine\n"
    assert not (at_home.path / ".agents").exists()


def test_another_hook_in_copilots_file_stays(at_home: Home) -> None:
    at_home.ok("install", "copilot")
    path = at_home.path / FILES["copilot"][0]
    document = at_home.json(FILES["copilot"][0])
    document["hooks"]["agentStop"].append({"type": "command", "bash": "mine"})
    path.write_text(json.dumps(document))
    at_home.ok("uninstall", "copilot")
    assert json.loads(path.read_text()) == {"version": 1, "hooks": {"agentStop": [{"type": "command", "bash": "mine"}]}}


def test_the_backup_has_the_bytes_of_before_and_is_private(at_home: Home) -> None:
    at_home.put(".claude/settings.json", '{"env": {"TOKEN": "x"}}')
    row = json.loads(at_home.ok("install", "claude-code", "--json"))[0]
    backup = Path(row["files"][0]["backup"])
    assert backup.read_bytes() == b'{"env": {"TOKEN": "x"}}'
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.parent.stat().st_mode) == 0o700
    assert row["files"][1] == {
        "path": str(at_home.path / FILES["claude-code"][1]), "what": "skill", "change": "made",
        "backup": None, "diff": None,
    }  # fmt: skip
    at_home.ok("uninstall", "claude-code")
    assert not backup.exists()


def test_what_was_taken_for_ours_has_a_copy_that_stays(at_home: Home) -> None:
    """A hook of ours that no record knows goes; the bytes with it do not, whatever comes afterwards."""
    text = json.dumps(
        {"hooks": {"Stop": [{"hooks": [{"command": "remember-me hook claude-code stop --store /mine"}]}]}}
    )
    path = at_home.put(".claude/settings.json", text)
    out = at_home.ok("install", "claude-code")
    copy = Path(re.search(r"as it was before: (\S+)", out)[1])  # type: ignore[index]
    assert copy.read_text() == text
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    path.write_text(path.read_text().replace('"timeout": 2', '"timeout": 3'))
    assert f"as it was before: {copy}\n" in at_home.ok("install", "claude-code")
    assert f"as it was before: {copy}\n" in at_home.ok("uninstall", "claude-code")
    assert json.loads(path.read_text()) == {}
    assert copy.read_text() == text
    assert list(copy.parent.iterdir()) == [copy]


def test_a_command_that_a_person_made_of_ours_stays(at_home: Home) -> None:
    mine = {"type": "command", "command": "remember-me hook claude-code stop; my-sync --now"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [mine]}]}})
    path = at_home.put(".claude/settings.json", text)
    at_home.ok("install", "claude-code")
    assert at_home.json(".claude/settings.json")["hooks"]["Stop"][0] == {"hooks": [mine]}
    at_home.ok("uninstall", "claude-code")
    assert path.read_text() == text


def test_a_damaged_record_or_backup_does_no_harm(at_home: Home) -> None:
    path = at_home.put(".claude/settings.json", '{\n  "a": 1\n}\n')
    for damage in (b"", b"[]", b'{"path": 7}', b"\xff"):
        at_home.ok("install", "claude-code")
        for file in (at_home.path / ".local/state/remember-me/installs").iterdir():
            file.write_bytes(damage)
        assert at_home.run("uninstall", "claude-code").code == 0
        assert path.read_bytes() == b'{\n  "a": 1\n}\n'


def test_aider_reads_an_index_that_each_write_keeps_fresh(at_home: Home) -> None:
    at_home.put(".aider.conf.yml", "# mine\r\nread: CONVENTIONS.md\r\n")
    out = at_home.run("install", "aider")
    assert (out.code, out.err) == (0, "")
    assert f"  Made a new store in {at_home.path}/remember-me.\n" in out.out
    index = at_home.path / FILES["aider"][1]
    assert (at_home.path / ".aider.conf.yml").read_bytes() == (
        f"# mine\r\nread: [CONVENTIONS.md, {index}]\r\n".encode()
    )
    assert stat.S_IMODE(index.stat().st_mode) == 0o600
    at_home.ok("add", "Answers in British spelling", "--tag", "PREFERENCE")
    at_home.run("context", "--refresh")  # what a write starts by itself, and what nobody waits for
    assert "Answers in British spelling" in index.read_text(encoding="utf-8")
    at_home.ok("uninstall", "aider")
    assert (at_home.path / ".aider.conf.yml").read_bytes() == b"# mine\r\nread: CONVENTIONS.md\r\n"
    assert not index.exists()
    at_home.ok("add", "Lives in Rome", "--tag", "FACT")
    assert not index.exists()


def test_an_unknown_client_is_named_with_those_that_are_known(at_home: Home) -> None:
    for verb in ("install", "uninstall"):
        done = at_home.run(verb, "vim")
        assert (done.code, done.out) == (2, "")
        assert done.err == (
            "Error: There is no client vim.\n"
            "Hint: The clients are claude-code, codex, gemini, opencode, copilot, aider, all.\n"
        )


def test_an_agent_only_sees_what_it_would_do(at_home: Home) -> None:
    for verb in ("install", "uninstall"):
        done = at_home.run(verb, "codex", env={"CLAUDECODE": "1"})
        assert (done.code, done.out) == (4, "")
        assert done.err == (
            "Error: An agent cannot install into agent clients, or take out of them [clients-person].\n"
            "Hint: Run the command in a terminal of your own; --dry-run shows what it would do.\n"
        )
    assert at_home.run("install", "codex", "--dry-run", env={"CLAUDECODE": "1"}).code == 0
    assert not (at_home.path / ".codex").exists()


@pytest.mark.parametrize(("mode", "says"), [
    ("off", "Hooks are off on this machine. Switch them on: remember-me config agents.mode enabled\n"),
    ("shadow", "Hooks show agents nothing on this machine (shadow).\n"),
])  # fmt: skip
def test_a_mode_that_keeps_hooks_from_working_is_said(at_home: Home, mode: str, says: str) -> None:
    at_home.ok("config", "agents.mode", mode)
    out = at_home.ok("install", "codex")
    assert says in out
    assert ("kept for 7 days" in out) == (mode == "shadow")


def test_settings_of_ours_that_are_wrong_stop_it_before_it_writes(at_home: Home) -> None:
    at_home.put(".config/remember-me/config.toml", '[agents]\nmode = "on"\n')
    assert at_home.run("install", "codex").code == 2
    assert not (at_home.path / ".codex").exists()


def test_quiet_says_only_what_was_changed(at_home: Home) -> None:
    assert at_home.ok("install", "codex", "--quiet") == "codex\n"
    assert at_home.ok("install", "codex", "--quiet") == ""
    assert at_home.ok("uninstall", "codex", "--quiet") == "codex\n"


# What can go wrong while it writes


class FailingDisk(SteppingDisk):
    """Lets the n-th effect fail; `broken` lets all after it fail, too."""

    def __init__(self, fails_at: int, *, broken: bool = False) -> None:
        self.left = fails_at
        self.broken = broken
        self.failed = False

    def _step(self) -> None:
        self.left -= 1
        if self.left == 0 or (self.broken and self.left < 0):
            self.failed = True
            raise OSError(28, "No space left on device")


def call(act: Any, disk: Disk, name: str = "claude-code") -> tuple[Outcome, ...]:
    from remember_me.app.actor import Channel

    return act(Surroundings(dict(os.environ), None, Channel(({},), True), disk=disk), name, Asked())


def failure(act: Any, disk: Disk, name: str = "claude-code") -> WriteFailed | None:
    try:
        call(act, disk, name)
    except WriteFailed as error:
        return error
    return None


def numbers() -> Iterator[int]:
    yield from range(1, 60)


@pytest.mark.parametrize("text", [None, '{\n  "a": 1\n}\n'])
@pytest.mark.parametrize("act", [install, uninstall])
def test_a_failure_at_any_step_leaves_everything_as_it_was(
    at_home: Home, monkeypatch: pytest.MonkeyPatch, text: str | None, act: Any
) -> None:
    monkeypatch.setenv("PATH", f"{at_home.bin}:/usr/bin:/bin")
    if text is not None:
        at_home.put(".claude/settings.json", text)
    if act is uninstall:
        call(install, Disk())
    before = at_home.tree()
    for number in numbers():
        disk = FailingDisk(number)
        error = failure(act, disk)
        if error is None:
            break
        assert str(error).endswith("no space left on device. Nothing was changed.")
        assert error.hint == "The disk is full: free some space and run the command again."
        assert at_home.tree() == before, number
        if act is install:
            assert not list((at_home.path / ".local").rglob("*.json"))
    assert number > 2
    assert not disk.failed
    assert at_home.tree() != before


def test_where_nothing_can_be_put_back_it_is_said(at_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{at_home.bin}:/usr/bin:/bin")
    path = at_home.put(".claude/settings.json", '{\n  "a": 1\n}\n')
    told = set()
    for number in numbers():
        path.write_text('{\n  "a": 1\n}\n')
        error = failure(install, FailingDisk(number, broken=True))
        if error is None:
            break
        assert error.exit_code == 8
        is_changed = path.read_text() != '{\n  "a": 1\n}\n'
        changed = str(error).partition("Changed already: ")[2].removesuffix(".").split(", ")
        assert (str(path) in changed) == is_changed
        assert str(error).endswith("Nothing was changed.") == (not is_changed)
        told.add(is_changed)
    assert told == {True, False}


def test_another_program_that_writes_meanwhile_wins(at_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{at_home.bin}:/usr/bin:/bin")
    path = at_home.put(".claude/settings.json", '{\n  "a": 1\n}\n')

    class Racing(Disk):
        def create(self, target: Path) -> int:
            if target.parent == path.parent:
                path.write_text('{\n  "a": 2\n}\n')
            return super().create(target)

    from remember_me.errors import EditConflict

    with pytest.raises(EditConflict, match="was changed by another program meanwhile"):
        call(install, Racing())
    assert path.read_text() == '{\n  "a": 2\n}\n'
    assert not (at_home.path / ".claude/skills").exists()


def test_a_read_only_home_is_told_and_nothing_is_done(at_home: Home) -> None:
    at_home.put(".claude/settings.json", '{\n  "a": 1\n}\n')
    with read_only(at_home.path):
        for words in (("install", "claude-code"), ("install", "codex"), ("install", "opencode")):
            done = at_home.run(*words)
            assert (done.code, done.out) == (8, "")
            assert re.fullmatch(
                rf"Error: Could not write {at_home.path}/\S+: {REFUSES}\. Nothing was changed\.\nHint: .+\n", done.err
            )
        done = at_home.run("install", "all")
        assert (done.code, done.out) == (8, "")
        assert "Claude Code: Could not write" in done.err
    assert at_home.json(".claude/settings.json") == {"a": 1}


def test_a_state_that_cannot_be_written_is_named_and_not_the_settings(at_home: Home) -> None:
    path = at_home.put(".claude/settings.json", '{\n  "a": 1\n}\n')
    at_home.put(".local", "")
    for verb in ("install", "uninstall"):
        done = at_home.run(verb, "claude-code")
        assert (done.code, done.out) == (8, "")
        assert done.err.startswith(
            f"Error: Could not write {at_home.path}/.local/state/remember-me/installs: not a directory. "
            "Nothing was changed.\nHint: "
        )
    assert path.read_text() == '{\n  "a": 1\n}\n'
    assert not (at_home.path / ".claude/skills").exists()


def test_a_record_that_cannot_be_written_is_named(at_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the folder of the records is a file; what was written of the settings is named only where it stays."""
    monkeypatch.setenv("PATH", f"{at_home.bin}:/usr/bin:/bin")
    installs = at_home.put(".local/state/remember-me/installs", "")
    path = at_home.put(".claude/settings.json", '{\n  "a": 1\n}\n')
    error = failure(install, Disk())
    assert error is not None
    assert str(error) == f"Could not write {installs}: file exists. Nothing was changed."
    installs.unlink()
    call(install, Disk())
    shutil.rmtree(installs)
    installs.write_text("")
    error = failure(uninstall, Disk())
    skill = at_home.path / FILES["claude-code"][1]
    assert str(error) == f"Could not write {installs}: not a directory. Changed already: {path}, {skill}."
    assert path.read_text() == '{\n  "a": 1\n}\n'


def test_a_failed_update_keeps_the_record_of_before(at_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{at_home.bin}:/usr/bin:/bin")
    at_home.put(".claude/settings.json", '{ "a": 1 }')
    call(install, Disk())
    monkeypatch.setenv("REMEMBER_ME_HOME", str(at_home.path / "other"))
    installs = at_home.path / ".local/state/remember-me/installs"
    before, records = at_home.tree(), {file.name: file.read_bytes() for file in installs.iterdir()}
    for number in numbers():
        if failure(install, FailingDisk(number)) is None:
            break
        assert at_home.tree() == before
        assert {file.name: file.read_bytes() for file in installs.iterdir()} == records
    assert number > 2
    assert at_home.tree() != before


def test_aider_is_not_told_of_an_index_that_cannot_be_written(at_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = at_home.put(".aider.conf.yml", "model: x\n")
    at_home.put("remember-me/letter.txt", "mine")
    done = at_home.run("install", "aider")
    assert (done.code, "holds other files" in done.err) == (8, True)
    assert settings.read_text() == "model: x\n"
    assert not (at_home.path / FILES["aider"][1]).exists()
    (at_home.path / "remember-me/letter.txt").unlink()
    index = at_home.path / FILES["aider"][1]
    index.mkdir(parents=True)
    done = at_home.run("install", "aider")
    assert done.code != 0
    assert f"Made a new store in {at_home.path}/remember-me." in done.err
    assert "Nothing was changed" not in done.err
    assert settings.read_text() == "model: x\n"
    index.rmdir()
    monkeypatch.setenv("PATH", f"{at_home.bin}:/usr/bin:/bin")
    told = set()
    for number in range(1, 200):
        disk = FailingDisk(number)
        error = failure(install, disk, "aider")
        if error is None:
            assert settings.read_text() != "model: x\n"
            call(uninstall, Disk(), "aider")
            if not disk.failed:
                break
        else:
            told.add(str(error).partition("space left on device. ")[2])
        assert settings.read_text() == "model: x\n"
        assert not (at_home.path / FILES["aider"][1]).exists()
    assert not disk.failed
    assert told == {"Nothing was changed."}


# Several at once


def at_once(at_home: Home, *calls: tuple[str, ...]) -> list[tuple[int, str]]:
    """Run the commands in processes of their own at the same moment: (exit code, what each said)."""
    environ = {**os.environ, "PYTHONPATH": str(PROJECT), "PATH": f"{at_home.bin}:/usr/bin:/bin"}
    running = [
        subprocess.Popen(
            command_line(*words), cwd=at_home.path, env=environ, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )
        for words in calls
    ]  # fmt: skip
    said = [process.communicate(timeout=60)[0] for process in running]
    return [(process.returncode, text) for process, text in zip(running, said, strict=True)]


@pytest.mark.parametrize("names", [("claude-code", "claude-code"), ("codex", "copilot")])
def test_two_at_once_both_have_their_way(at_home: Home, names: tuple[str, str]) -> None:
    at_home.put(".claude/settings.json", '{\n  "a": 1\n}\n')
    before = at_home.tree()
    for _ in range(5):
        for code, said in at_once(at_home, *(("install", name) for name in names)):
            assert code == 0, said
        for name in names:
            for file in FILES[name]:
                assert (at_home.path / file).is_file(), file
            assert at_home.ok("install", name).startswith("Nothing to change")
        for code, said in at_once(at_home, *(("uninstall", name) for name in names)):
            assert code == 0, said
        assert at_home.tree() == before


def test_one_that_takes_too_long_is_told(at_home: Home) -> None:
    installs = Installs(dict(os.environ), at_home.path, Disk())
    other = Installs(dict(os.environ), at_home.path, Disk())
    busy = pytest.raises(InstallsBusy, match="Another command is installing")
    with installs.alone(), busy, other.alone(wait_seconds=0):
        pass
    with other.alone(wait_seconds=0):
        pass


# The plugin folder for Claude Code

PLUGIN = PROJECT / "templates" / "claude-plugin"


def test_the_claude_plugin_is_what_install_writes(at_home: Home) -> None:
    import remember_me

    assert (PLUGIN / "skills/remember-me/SKILL.md").read_bytes() == SKILL
    at_home.ok("install", "claude-code")
    installed = at_home.json(".claude/settings.json")["hooks"]
    text = json.dumps(installed).replace(str(at_home.program), "remember-me")
    assert json.loads((PLUGIN / "hooks/hooks.json").read_text()) == {"hooks": json.loads(text)}
    plugin = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
    assert (plugin["name"], plugin["version"]) == ("remember-me", remember_me.__version__)
    market = json.loads((PLUGIN / ".claude-plugin/marketplace.json").read_text())
    assert [(one["name"], one["source"]) for one in market["plugins"]] == [("remember-me", "./")]


def claude() -> str | None:
    places = [os.environ.get("REMEMBER_ME_E2E_CLIENTS", ""), str(PROJECT / ".e2e"), "/tmp/x/npm"]
    files = [Path(place) / "claude-code/node_modules/.bin/claude" for place in places if place]
    return next((str(file) for file in files if file.is_file()), shutil.which("claude"))


@pytest.mark.skipif(claude() is None, reason="Claude Code is not here; `make e2e` installs it")
def test_the_claude_plugin_is_valid(at_home: Home) -> None:
    for target in (PLUGIN, PLUGIN / ".claude-plugin/plugin.json"):
        done = subprocess.run(
            [str(claude()), "plugin", "validate", str(target)], capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, "Validation passed" in done.stdout) == (0, True), done.stdout + done.stderr
