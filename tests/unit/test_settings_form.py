"""The settings files: the short way of reading them gives what tomllib gives, or leaves the file to it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.app.config import _plain_document

TEMPLATES = Path(__file__).parents[2] / "templates"

LINES = st.sampled_from(
    [
        "",
        "  ",
        "# a comment",
        "[store]",
        "[trust]  # with a comment",
        "[a.b]",
        'notes = "memory"',
        'notes="memory" # where',
        'timezone = ""',
        "mode = 'off'",
        "mode = off",
        'word = "a\\\\b"',
        'word = "tab\there"',
        'word = "Zürich #1"',
        "number = 3",
        "[store",
        'key = "open',
        "\ufeff[store]",
        'key = "x"\r',
        "x = { y = 1 }",
        '"quoted" = "x"',
        "\x0c",
        "# bell \x07",
    ]
)


@pytest.mark.parametrize("name", ["remember-me.toml", "config.toml"])
def test_our_own_files_take_the_short_way(name: str) -> None:
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    assert _plain_document(text) == tomllib.loads(text)


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_the_short_way_never_differs_from_tomllib(text: str) -> None:
    found = _plain_document(text)
    if found is not None:
        assert found == tomllib.loads(text)
