"""The seal: no test sees this machine's home, settings, agents or clock zone, and a guard proves it."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests import home_guard

AGENT_VARIABLES = (
    "CLAUDECODE",
    "CLAUDE_CODE",
    "CLAUDE_ENV",
    "CLAUDE_PLUGIN",
    "CLAUDE_PROJECT",
    "CODEX_",
    "GEMINI_CLI",
    "OPENCODE",
    "COPILOT_",
    "AIDER_",
)
"""How the names begin that agent clients set; as long as one is there, the product sees an agent."""

DROPPED = ("GIT_", "XDG_", "LC_", "REMEMBER_ME_", *AGENT_VARIABLES)
KEPT = ("REMEMBER_ME_TEST_ROUNDS", "REMEMBER_ME_TEST_PROCESSES", "REMEMBER_ME_E2E_CLIENTS")
"""What the person who runs the tests tells the tests themselves."""
UNSET = ("VISUAL", "PAGER", "LANG", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")


def sealed_environment(home: Path) -> dict[str, str]:
    """The variables of every test, with the folders of a person under `home`."""
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "EDITOR": "false",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "80",
        "TERM": "dumb",
    }


def seal(home: Path) -> None:
    """Give this process the variables of a test, and take all away that tell of this machine or its agents."""
    for name in list(os.environ):
        if (name.startswith(DROPPED) and name not in KEPT) or name in UNSET:
            del os.environ[name]
    os.environ.update(sealed_environment(home))
    time.tzset()


def pytest_configure() -> None:
    """Seal the process before any test module is imported; each test gets a home of its own later."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell runs us in the background: children would ignore it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    home = Path(tempfile.mkdtemp(prefix="remember-me-tests-"))
    seal(home)
    global _home_of_the_process
    _home_of_the_process = home
    home_guard.install(allowed=(Path(__file__).parents[1], Path(tempfile.gettempdir())))


def pytest_unconfigure() -> None:
    if _home_of_the_process is not None:
        shutil.rmtree(_home_of_the_process, ignore_errors=True)


_home_of_the_process: Path | None = None


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home of this test's own."""
    home = tmp_path_factory.mktemp("home")
    for name, value in sealed_environment(home).items():
        monkeypatch.setenv(name, value)
    return home


@pytest.fixture
def real_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call of the product is a fresh interpreter: for tests in which the process or its time counts."""
    monkeypatch.setenv("REMEMBER_ME_TEST_PROCESSES", "real")


@pytest.fixture(autouse=True)
def _real_home_untouched() -> Iterator[None]:
    """Fail even where the code under test has swallowed what the guard raised."""
    home_guard.touched.clear()
    yield
    touched = list(home_guard.touched)
    home_guard.touched.clear()
    assert not touched, f"the real home was touched: {touched}"


hypothesis.settings.register_profile("dev", max_examples=50, deadline=None)
hypothesis.settings.register_profile("ci", max_examples=500, deadline=None, print_blob=True)
hypothesis.settings.register_profile("deterministic", max_examples=50, deadline=None, derandomize=True, database=None)
# Under CI the same examples each time: a run that decides about a change must not fail by chance.
hypothesis.settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("deterministic" if os.environ.get("CI") else "dev")
)

assert sys.flags.optimize == 0, "tests need assert statements"
