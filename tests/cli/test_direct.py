"""Calls that are answered before Typer is imported give what the long way gives, and load nothing needlessly."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from remember_me.cli.commands import COMMANDS
from remember_me.cli.direct import answered
from tests.cli_runner import Cli, trust_scripts

ENTRY = "abcd11"
NEVER = {"typer", "click", "rich", "git", "yaml", "dataclasses", "inspect", "pydantic", "secrets"}
NEVER_FOR_READING = {*NEVER, "subprocess", "hashlib", "remember_me.store.store", "remember_me.store.git"}


@pytest.fixture
def cli(tmp_path: Path, home: Path) -> Cli:
    trust_scripts(home)
    note = tmp_path / "store" / "memory" / "2026-01-14.md"
    note.parent.mkdir(parents=True)
    note.write_text(f"- FACT: One ^{ENTRY}\n  - pinned: true\n- GOAL: Two ^abcd22\n\n  With a body\n")
    cli = Cli(tmp_path / "store")
    cli.run("init")
    return cli


def modules(cli: Cli, *words: str) -> set[str]:
    """What a call has loaded when it ends."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: sys.__stderr__.write('\\n' + repr(sorted(sys.modules))))\n"
        "from remember_me.cli.main import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, "--store", str(cli.store), *words],
        env=cli.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(ast.literal_eval(done.stderr.rsplit("\n", 1)[1]))


@pytest.mark.parametrize(
    "words",
    [
        ("get", ENTRY),
        ("show", f"^{ENTRY.upper()}"),
        ("get", "abcd1", "--json"),
        ("--quiet", "get", ENTRY),
        ("get", "--yes", ENTRY, "-q"),
        ("get", "abcd"),
        ("get", "zzzz"),
        ("get", "zzzz", "--json"),
        ("get", ""),
        ("list",),
        ("list", "--json"),
        ("-q", "list"),
        ("add", ""),
        ("add", " ", " ", "--json"),
    ],
)
def test_the_answer_is_that_of_the_long_way(cli: Cli, words: tuple[str, ...]) -> None:
    direct, long = cli.run(*words), cli.run(*words, "--")
    assert (direct.code, *told(direct)) == (long.code, *told(long))


def told(result) -> tuple[str, str]:
    """Both streams without what differs from call to call: new ids, and the line and minute of a new entry."""
    strip = re.compile(r"(?<=\^)[0-9a-z]{6}|(?<=edit )[0-9a-z]{6}|(?<=\.md:)\d+")
    return strip.sub("", result.out), strip.sub("", result.err)


@pytest.mark.parametrize("words", [("add", "Likes", "tea"), ("save", "Likes tea", "--quiet"), ("add", "a\tb\nc", "")])
def test_a_write_writes_what_the_long_way_writes(cli: Cli, words: tuple[str, ...]) -> None:
    notes = []
    for more in ((), ("--",)):
        assert cli.run(*words, *more).code == 0
        newest = max((cli.store / "memory").glob("*.md"))
        notes.append(re.sub(r"\d\d:\d\d|\^\w+", "", newest.read_text().split("\n---\n")[1]))
        newest.unlink()
    assert notes[0] == notes[1]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("get",),
        ("get", "a", "b"),
        ("get", "a", "--text"),
        ("get", "--", "a"),
        ("list", "x"),
        ("list", "--all"),
        ("add",),
        ("add", "-"),
        ("add", "x", "--tag", "FACT"),
        ("add", "--title", "--json", "x"),
        ("-qy", "list"),
        ("--version", "list"),
        ("history", "a"),
        ("lst",),
    ],
)
def test_any_other_call_goes_the_long_way(words: tuple[str, ...]) -> None:
    assert not answered(words, COMMANDS)


def test_only_names_of_the_table_count() -> None:
    assert not answered(("get", "a"), [row for row in COMMANDS if row.name != "get"])


def test_reading_loads_neither_typer_nor_git_nor_the_gateway(cli: Cli) -> None:
    for words in (("get", ENTRY), ("list",)):
        loaded = modules(cli, *words)
        assert not loaded & NEVER_FOR_READING
        assert "remember_me.store.reader" in loaded


def test_json_and_a_write_load_no_typer_either(cli: Cli) -> None:
    assert not modules(cli, "get", ENTRY, "--json") & NEVER_FOR_READING
    assert not modules(cli, "add", "Likes tea") & NEVER
    assert "typer" in modules(cli, "get", ENTRY, "--text")
