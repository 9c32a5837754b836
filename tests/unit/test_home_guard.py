"""The guard of the real home bites, and leaves alone what it should."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests import home_guard

pytestmark = pytest.mark.skipif(home_guard.real_home() == Path("/"), reason="this user has no home")
SECRET = home_guard.real_home() / "remember-me-guard-test"


@pytest.mark.parametrize(
    "touch",
    [
        pytest.param(lambda: open(SECRET).close(), id="open"),
        pytest.param(lambda: SECRET.write_text("x"), id="write"),
        pytest.param(lambda: os.open(os.fsencode(SECRET), os.O_CREAT), id="os.open"),
        pytest.param(lambda: SECRET.mkdir(), id="mkdir"),
        pytest.param(lambda: os.listdir(SECRET.parent), id="listdir"),
        pytest.param(lambda: os.rename(SECRET, "/nowhere/x"), id="rename from"),
        pytest.param(lambda: os.rename("/nowhere/x", SECRET), id="rename to"),
        pytest.param(lambda: os.symlink("/nowhere/x", SECRET), id="symlink"),
        pytest.param(lambda: sqlite3.connect(SECRET), id="sqlite"),
        pytest.param(lambda: subprocess.run(["true"], cwd=SECRET.parent), id="working directory"),
        pytest.param(lambda: subprocess.run(["true"], env={"HOME": str(SECRET.parent)}), id="HOME of a child"),
    ],
)
def test_guard_bites(touch) -> None:
    with pytest.raises(AssertionError, match="real home"):
        touch()
    assert len(home_guard.touched) == 1
    home_guard.touched.clear()
    assert not os.path.lexists(SECRET)


def test_a_swallowed_alarm_is_remembered() -> None:
    try:
        SECRET.mkdir()
    except BaseException:
        pass
    assert home_guard.touched == [f"os.mkdir {SECRET}"]
    home_guard.touched.clear()


def test_the_interpreter_and_the_project_stay_usable(tmp_path: Path) -> None:
    assert Path(os.__file__).read_bytes()
    assert Path(__file__).read_bytes()
    subprocess.run([sys.executable, "-c", "pass"], cwd=tmp_path, check=True)


def test_every_test_has_an_empty_home(home: Path) -> None:
    assert Path.home() == home
    assert list(home.iterdir()) == []


def test_no_agent_and_no_git_setting_is_left() -> None:
    left = [name for name in os.environ if name.startswith(("GIT_", "CLAUDE", "CODEX", "REMEMBER_ME"))]
    assert [name for name in left if name != "REMEMBER_ME_TEST_ROUNDS"] == ["GIT_CONFIG_NOSYSTEM"]
