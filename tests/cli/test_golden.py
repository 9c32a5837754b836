"""The golden transcripts beside this file. `make golden` writes them anew."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

from tests.cli.golden import Sandbox, retell

TRANSCRIPTS = sorted(Path(__file__).parent.glob("*.md"))


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_transcript(path: Path, tmp_path: Path) -> None:
    expected = path.read_bytes().decode("utf-8")
    actual = retell(expected, Sandbox(tmp_path))
    if os.environ.get("REFRESH_GOLDEN") == "1":
        path.write_bytes(actual.encode("utf-8"))
        return
    if actual != expected:
        lines = difflib.unified_diff(
            expected.splitlines(), actual.splitlines(), f"{path.name} as written", "as it is now", lineterm=""
        )
        pytest.fail("\n".join([*lines, "If this is meant: make golden"]), pytrace=False)
