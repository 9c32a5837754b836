"""What the settings of Claude Code say that competes with ours: its own memory, and our plugin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from remember_me.clients.base import Surroundings
from remember_me.clients.claude_code import CLAUDE_CODE, is_alone, is_plugin_on

VARIABLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"


@pytest.mark.parametrize("given", ["1", "true", "TRUE", "yes", "on", " 1 "])
def test_the_auto_memory_is_off_by_the_environment(given: str) -> None:
    assert is_alone({}, {VARIABLE: given})


@pytest.mark.parametrize("given", ["", "0", "false", "no", "2"])
def test_the_auto_memory_is_off_by_the_settings(given: str) -> None:
    assert is_alone({"autoMemoryEnabled": False}, {VARIABLE: given})
    for settings in ({}, {"autoMemoryEnabled": True}, {"autoMemoryEnabled": None}, {"autoMemoryEnabled": 0}):
        assert not is_alone(settings, {VARIABLE: given})
    assert not is_alone({}, {})


@pytest.mark.parametrize(
    ("plugins", "is_on"),
    [
        ({"remember-me@market": True}, True),
        ({"x@y": True, "remember-me@remember-me": True}, True),
        ({"remember-me@market": False, "x@y": True}, False),
        ({"remember-me@market": "yes"}, False),
        ({"remember-me": True, "remember-me-too@y": True}, False),
        ([], False),
        (None, False),
    ],
)
def test_whether_our_plugin_is_on(plugins: object, is_on: bool) -> None:
    assert is_plugin_on({"enabledPlugins": plugins}) is is_on
    assert not is_plugin_on({})


def test_what_the_person_is_told(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    settings = tmp_path / ".claude" / "settings.json"
    around = Surroundings({}, tmp_path, "/x/remember-me", Path("/s"))
    auto = (
        "Claude Code keeps an auto memory of its own beside this one. To switch it off: "
        "remember-me --store /s install claude-code --no-auto-memory"
    )
    plugin = (
        "The plugin remember-me of Claude Code runs the same hooks, so keep one of both. To keep the plugin: "
        "remember-me --store /s uninstall claude-code"
    )
    for found, told in (
        (None, (auto,)),
        ("[", (auto,)),
        ({"enabledPlugins": {"remember-me@m": True}}, (plugin, auto)),
        ({"enabledPlugins": {"remember-me@m": True}, "autoMemoryEnabled": False}, (plugin,)),
        ({"autoMemoryEnabled": False}, ()),
    ):
        if found is not None:
            settings.write_text(found if isinstance(found, str) else json.dumps(found))
        assert CLAUDE_CODE.advice(around) == told
    assert CLAUDE_CODE.advice(around._replace(environ={VARIABLE: "true"})) == ()
