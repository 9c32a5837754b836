"""A store with a few entries, and a folder in which agents work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli_runner import Cli, trust_scripts
from tests.hook.support import NOTE, PINNED, PLATFORM


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def cli(tmp_path: Path, home: Path, work: Path) -> Cli:
    """The command line on that store, whose cache is up to its notes."""
    trust_scripts(home)
    note = tmp_path / "store" / NOTE
    note.parent.mkdir(parents=True)
    note.write_text(
        f"- FACT: {PLATFORM} ^abcd11\n- PREFERENCE: {PINNED} ^abcd22\n  - pinned: true\n\n  With a body\n",
        encoding="utf-8",
    )
    cli = Cli(tmp_path / "store")
    cli.run("init")
    cli.run("recall", "--cwd", str(work)).ok()
    return cli
