"""Global options are found wherever they stand, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.cli.options import Globals, VersionAsked, take_globals
from remember_me.errors import InvalidInput

GLOBAL = st.sampled_from(["--json", "-q", "--quiet", "-y", "--yes", "-qy", "--store=/s"])
OTHER = st.sampled_from(["a", "", "-", "--title=x", "-x", "--jsonx", "-z-q", "ü"])


@pytest.mark.parametrize(
    ("words", "found", "rest"),
    [
        ([], Globals(), []),
        (["a", "--json"], Globals(json=True), ["a"]),
        (["-q", "-y"], Globals(quiet=True, yes=True), []),
        (["-yqy"], Globals(quiet=True, yes=True), []),
        (["--store", "a", "--store", "b"], Globals(store=Path("b")), []),
        (["--store=-odd"], Globals(store=Path("-odd")), []),
        (["--store=a=b"], Globals(store=Path("a=b")), []),
        (["--title", "--json", "--json"], Globals(json=True), ["--title", "--json"]),
        (["--pair", "-q", "-y", "-q"], Globals(quiet=True), ["--pair", "-q", "-y"]),
        (["--title"], Globals(), ["--title"]),
        (["--", "--json"], Globals(), ["--", "--json"]),
        (["-q", "--", "--version"], Globals(quiet=True), ["--", "--version"]),
        (["-qx", "--json-lines", "-"], Globals(), ["-qx", "--json-lines", "-"]),
    ],
)
def test_take(words: list[str], found: Globals, rest: list[str]) -> None:
    assert take_globals(words, Globals(), valued={"--title": 1, "--pair": 2}) == (found, rest)


@pytest.mark.parametrize("words", [["--store"], ["--store="], ["--store", ""], ["--store", "--json"]])
def test_store_needs_a_directory(words: list[str]) -> None:
    with pytest.raises(InvalidInput, match="--store needs a directory"):
        take_globals(words, Globals())


def test_a_flag_takes_no_value() -> None:
    with pytest.raises(InvalidInput, match="--yes takes no value"):
        take_globals(["--yes=1"], Globals())


def test_version_stops() -> None:
    with pytest.raises(VersionAsked):
        take_globals(["a", "--version", "--store"], Globals())


def test_what_is_known_stays_until_said_anew() -> None:
    known = Globals(store=Path("a"), json=True)
    assert take_globals(["--store", "b", "-q"], known) == (Globals(Path("b"), json=True, quiet=True), [])


def test_before_the_command_only() -> None:
    words = ["-q", "get", "--json"]
    assert take_globals(words, Globals(), until_command=True) == (Globals(quiet=True), ["get", "--json"])


@given(st.lists(GLOBAL | OTHER), st.lists(GLOBAL | OTHER))
def test_no_word_is_lost_or_invented(before: list[str], after: list[str]) -> None:
    found, rest = take_globals([*before, "--", *after], Globals())
    assert rest[rest.index("--") + 1 :] == after
    kept = rest[: rest.index("--")]
    assert kept == [word for word in before if word in kept]
    assert (found == Globals()) == (kept == before)
