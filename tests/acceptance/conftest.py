"""What the acceptance tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli_runner import Cli, trust_scripts


@pytest.fixture
def cli(home: Path, tmp_path: Path) -> Cli:
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    cli.ok("init")
    return cli
