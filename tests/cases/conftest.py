"""What the cases start from: an initialised store of a person whose scripts are trusted, at about noon."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from remember_me.model.entry import ID_ALPHABET, is_id

pytest.register_assert_rewrite("tests.cases.support")

from tests.cases.support import noon_zone, put  # noqa: E402
from tests.cli_runner import Cli, trust_scripts  # noqa: E402


@pytest.fixture(scope="session")
def ready_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store, made once by the product; tests get copies of it."""
    folder = tmp_path_factory.mktemp("ready") / "store"
    Cli(folder).ok("init")
    return folder


@pytest.fixture
def cli(home: Path, tmp_path: Path, ready_store: Path) -> Cli:
    """The command line on a store of its own. No day ends while the test runs."""
    trust_scripts(home)
    shutil.copytree(ready_store, tmp_path / "store", symlinks=True)
    return Cli(tmp_path / "store", {"TZ": noon_zone()})


@pytest.fixture
def bare(home: Path, tmp_path: Path) -> Cli:
    """The command line on a folder that does not exist yet."""
    trust_scripts(home)
    return Cli(tmp_path / "store", {"TZ": noon_zone()})


@pytest.fixture(scope="module")
def preparing(tmp_path_factory: pytest.TempPathFactory, ready_store: Path) -> Cli:
    """The command line on a store that a module fills once; `like` then copies it for a test."""
    folder = tmp_path_factory.mktemp("prepared")
    shutil.copytree(ready_store, folder / "store", symlinks=True)
    trust_scripts(folder)
    return Cli(folder / "store", {"TZ": noon_zone(), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config")})


@pytest.fixture
def many(cli: Cli) -> Cli:
    """A store with 3,000 entries, more than a pipe holds."""
    digits = [format(number, "05x") for number in range(3000)]
    names = [f"z{''.join(ID_ALPHABET[int(digit, 16)] for digit in word)}" for word in digits]
    assert all(map(is_id, names))
    put(cli, "memory/2026-01-01.md", "".join(f"- FACT: words of number {name} ^{name}\n" for name in names))
    return cli
