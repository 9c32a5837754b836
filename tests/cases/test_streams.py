"""B47: machine output is plain JSON whatever the environment wishes, and streams that close are no crash.

`export`, `index` and `hook` are later issues: every command of the table that gives JSON is called here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from remember_me.cli.commands import COMMANDS
from tests.cases.support import add, in_shell, like, sound
from tests.cases.terminal import on_terminal
from tests.cli_runner import Cli

COLOURFUL = {
    "FORCE_COLOR": "1",
    "NO_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
}

CALLS: dict[str, tuple[str, ...]] = {
    "init": (),
    "demo": ("--store", "{other}"),
    "status": (),
    "doctor": (),
    "config": (),
    "add": ("ünïcode \U0001f3b5",),
    "edit": ("{entry}",),
    "correct": ("{entry}", "other words"),
    "contradict": ("{entry}",),
    "confirm": ("{guess}",),
    "reinforce": ("{entry}", "--session", "c/1"),
    "pin": ("{entry}",),
    "unpin": ("{entry}",),
    "enable": ("{entry}",),
    "disable": ("{entry}",),
    "link": ("{entry}", "[[x]]"),
    "index": (),
    "get": ("{entry}",),
    "list": (),
    "search": ("words",),
    "recall": (),
    "profile": (),
    "history": ("{entry}",),
    "tokens": (),
    "promote": (),
    "demote": ("{critical}", "--reason", "expired"),
    "decay": (),
    "checkin": (),
    "maintain": (),
    "forget": ("{entry}", "--yes"),
    "erase": (),
    "review": (),
    "keep": ("{waiting}",),
    "restore": ("{waiting}",),
    "undo": (),
    "redo": (),
    "log": (),
    "diff": (),
    "install": ("codex", "--dry-run"),
    "uninstall": ("codex", "--dry-run"),
    "context": ("{other}.md", "--dry-run"),
}
"""How each command is called here; a new command must get a line."""

OTHERS: dict[str, str] = {}
"""The ids of other entries of the prepared store."""


def words_of(command: str, entry: str, tmp_path: Path) -> list[str]:
    places = {"entry": entry, "other": str(tmp_path / "other"), **OTHERS}
    return [command, *(word.format_map(places) for word in CALLS[command])]


@pytest.fixture(scope="module")
def entry(preparing: Cli) -> str:
    """An entry of the prepared store, which has a guess and a long-term entry too."""
    OTHERS["guess"] = add(preparing, "a guess", "--tag", "HYPOTHESIS")
    OTHERS["critical"] = add(preparing, "critical words", "--impact", "3")
    OTHERS["waiting"] = preparing.ok("add", "--json", "waiting", env={"CLAUDECODE": "1"}).json()["id"]
    return add(preparing, "some words")


def test_every_command_is_called() -> None:
    assert list(CALLS) == [row.name for row in COMMANDS]


@pytest.mark.parametrize("command", CALLS)
def test_b47_json_is_plain_in_a_colourful_environment(
    cli: Cli, preparing: Cli, entry: str, tmp_path: Path, command: str
) -> None:
    like(preparing, cli)
    if command in ("redo",):
        cli.ok("undo")
    if command == "enable":
        cli.ok("disable", entry)
    environ = {**COLOURFUL, "EDITOR": "true"}
    done = cli.run(*words_of(command, entry, tmp_path), "--json", env=environ).ok()
    assert "\x1b" not in done.out
    assert json.loads(done.out) is not None


@pytest.mark.parametrize("words", [("list", "--no-such-option"), ("get",), ("add", "x", "--tag", "IDEA"), ("nothing",)])
def test_b47_nor_are_errors_coloured(cli: Cli, words: tuple[str, ...]) -> None:
    done = cli.run(*words, "--json", env=COLOURFUL)
    assert (done.code, done.out) == (2, "")
    assert "\x1b" not in done.err
    assert json.loads(done.err)["exit_code"] == 2


@pytest.mark.parametrize(
    "words", [("list", "--json"), ("get", "{entry}", "--json"), ("status", "--json"), ("log", "--json")]
)
def test_b47_nor_on_a_terminal(cli: Cli, words: tuple[str, ...]) -> None:
    entry = add(cli, "some words")
    shown = on_terminal(cli, *(word.format(entry=entry) for word in words), environ=COLOURFUL)
    assert "\x1b" not in shown.raw
    json.loads(shown.text)


def test_b47_text_in_a_pipe_is_never_coloured(cli: Cli) -> None:
    entry = add(cli, "some words")
    for words in (("list",), ("get", entry), ("diff",), ("history", entry), ("list", "--help")):
        done = cli.run(*words, env=COLOURFUL)
        assert done.code == 0
        assert "\x1b" not in done.out + done.err


READ = ("list", "list --json", "status", "log", "diff", "config", "--help", "undo --help", "add x")


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_b47_a_reader_that_has_gone_is_no_error(many: Cli, reader: str) -> None:
    many.ok("add", "--quiet", "y")
    for call in READ:
        codes, out, err = in_shell(many, f"RM --quiet {call} | {reader}; echo ${{PIPESTATUS[@]}}")
        assert (call, codes, err) == (call, [0, 0], "")
        assert len(out.splitlines()) == (1 if reader == "head -1" else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is not here")
def test_b47_a_full_disk_is_said(cli: Cli) -> None:
    entry = add(cli, "some words")
    for call in ("list", "list --json", f"get {entry}", "status", "log", "--help", "--version"):
        codes, _, err = in_shell(cli, f"RM {call} >/dev/full; echo $?")
        assert (call, codes) == (call, [1])
        message = "could not write the output: No space left on device."
        if "--json" in call:
            assert json.loads(err)["message"] == message
        else:
            assert err.splitlines()[0] == f"Error: {message}"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is not here")
def test_b47_a_write_whose_answer_is_lost_is_written(cli: Cli) -> None:
    codes, _, err = in_shell(cli, "RM add one >/dev/full; echo $?")
    assert codes == [1]
    assert err.startswith("Error: could not write the output: No space left on device.\n")
    assert [row["title"] for row in cli.json("list")] == ["one"]
    sound(cli)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"])
def test_b47_closed_streams(cli: Cli, closed: str) -> None:
    """With a full disk the answer is lost, and the exit code says so; what was done is done."""
    entry = add(cli, "some words")
    lost = 1 if "full" in closed else 0
    calls = [("list", lost), (f"get {entry} --text", lost), ("get nothing", 3), ("diff", lost)]
    for call, code in [*calls, ("add two", lost), ("pin two", 3)]:
        codes, _, err = in_shell(cli, f"RM {call} {closed}; echo $?")
        assert (call, codes) == (call, [code]), err
        assert "unexpected" not in err
    assert sorted(row["title"] for row in cli.json("list")) == ["some words", "two"]
    sound(cli)


def test_b47_no_note_gets_the_words_of_a_closed_stream(cli: Cli) -> None:
    """A descriptor that is closed must not become that of a note, which git or a warning would then write into."""
    codes, _, _ = in_shell(cli, "RM add one <&- >&- 2>&-; echo $?")
    assert codes == [0]
    (row,) = cli.json("list")
    note = (cli.store / row["note"]).read_text()
    assert note.count("\n") == 6
    sound(cli)


def test_b47_stdin_that_is_closed_is_an_empty_text(cli: Cli) -> None:
    codes, _, err = in_shell(cli, "RM add - <&-; echo $?")
    assert codes == [2]
    assert err.startswith("Error: The text is empty.\n")
