"""The entry point as a process: global options, exit codes, errors, streams, and what is never imported."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from remember_me.cli.commands import COMMANDS, Command
from remember_me.cli.group import build_app

PROJECT = Path(__file__).parents[2]


def call(*words: str, shell: str = "", code: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the sample program, or `code`, with `words`; `shell` is appended to the command line."""
    program = f'"{sys.executable}" -P ' + ('-c "$CODE"' if code else "-m tests.cli.sample")
    return subprocess.run(
        ["bash", "-c", f'set -o pipefail; {program} "$@" {shell}', "bash", *words],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "CODE": code, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=60,
    )


def imported(*words: str, program: str = "tests.cli.sample") -> set[str]:
    """The modules that a call has loaded when it ends."""
    done = call(
        *words,
        code=(
            "import sys, atexit, runpy\n"
            "atexit.register(lambda: sys.__stderr__.write(repr(sorted(sys.modules))))\n"
            f"runpy.run_module({program!r}, run_name='__main__', alter_sys=True)\n"
        ),
    )
    return set(ast.literal_eval(done.stderr[done.stderr.index("[") :]))


@pytest.mark.parametrize(
    "words",
    [
        ("--store", "/s", "--json", "-q", "-y", "show-all", "a"),
        ("show-all", "a", "--store", "/s", "--json", "-q", "-y"),
        ("--json", "show-all", "--store=/s", "a", "-yq"),
        ("--store", "/other", "-qy", "show-all", "--json", "--store", "/s", "a"),
    ],
)
def test_global_options_stand_anywhere(words: tuple[str, ...]) -> None:
    done = call(*words)
    assert done.stdout == (
        "show-all text=['a'] title=None loud=False\nGlobals(store=PosixPath('/s'), json=True, quiet=True, yes=True)\n"
    )


@pytest.mark.parametrize(
    ("words", "understood"),
    [
        (("show-all", "--", "--json", "-y"), "text=['--json', '-y'] title=None"),
        (("show-all", "--title", "--json"), "text=None title='--json'"),
        (("show-all", "-t", "--store=/s", "a"), "text=['a'] title='--store=/s'"),
        (("show-all", "--title=-q", "--soft"), "text=None title='-q'"),
        (("show-all", "--title", "--", "a"), "text=['a'] title='--'"),
        (("show-all", "-"), "text=['-'] title=None"),
        (("show-all", "-t-y"), "text=None title='-y'"),
    ],
)
def test_the_words_of_a_command_are_its_own(words: tuple[str, ...], understood: str) -> None:
    done = call(*words)
    assert done.stdout == (
        f"show-all {understood} loud=False\nGlobals(store=None, json=False, quiet=False, yes=False)\n"
    )


def test_an_alias_is_the_command() -> None:
    assert call("put", "1").stdout == "line 0\n"
    assert call("put").stderr.endswith("Hint: `remember-me write --help` shows how it is called.\n")


@pytest.mark.parametrize(
    ("words", "exit_code"),
    [
        (("write", "1"), 0),
        (("write", "1", "--code", "5"), 5),
        (("fail", "nothing"), 0),
        (("fail", "true"), 0),
        (("fail", "exit"), 7),
        (("fail", "not-found"), 3),
        (("fail", "interrupt"), 130),
        (("fail", "prompt"), 130),
        (("fail", "pipe"), 1),
        (("fail",), 2),
        (("write", "x"), 2),
        (("gone",), 2),
        (("secret", "exit"), 7),
    ],
)
def test_exit_codes(words: tuple[str, ...], exit_code: int) -> None:
    done = call(*words)
    assert done.returncode == exit_code
    assert "Traceback" not in done.stderr


def test_an_error_is_a_sentence_and_a_hint() -> None:
    done = call("fail", "not-found")
    assert done.stdout == ""
    assert done.stderr == ("Error: There is no entry k7\\x1b[31m\\u202e\\nm2.\nHint: Look at the\\u200blist.\n")


def test_an_error_in_json_is_one_object() -> None:
    done = call("fail", "not-found", "--json")
    assert done.returncode == 3
    assert done.stderr.isascii()
    assert json.loads(done.stderr) == {
        "error": "entry_not_found",
        "message": "There is no entry k7\x1b[31m\u202e\nm2.",
        "hint": "Look at the\u200blist.",
        "exit_code": 3,
    }


@pytest.mark.parametrize(
    ("words", "first_line", "hint"),
    [
        (("write",), "Error: Missing argument 'lines'.", "remember-me write --help"),
        (("write", "1", "--bad"), "Error: No such option: --bad.", "remember-me write --help"),
        (("fail", "parameter"), "Error: Invalid value: Not like this.", "remember-me fail --help"),
        (("writ",), "Error: There is no command 'writ'.", "Did you mean write? `remember-me --help` lists"),
        (("stor",), "Error: There is no command 'stor'.", "Did you mean store? `remember-me --help` lists"),
        (("secre",), "Error: There is no command 'secre'.", "`remember-me --help` lists the commands."),
        (("--json=1", "write"), "Error: --json takes no value.", ""),
        (("write", "--store"), "Error: --store needs a directory.", ""),
        (("write", "--store", "--json"), "", ""),
        (("--store=", "write", "1"), "Error: --store needs a directory.", ""),
    ],
)
def test_usage_errors(words: tuple[str, ...], first_line: str, hint: str) -> None:
    done = call(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{first_line}\n" if first_line else '{"error": "invalid_input"')
    assert hint in done.stderr
    assert done.stderr.count("\n") <= 2


def test_version_counts_alone_wherever_it_stands() -> None:
    for words in (("--version",), ("--json", "--version"), ("write", "--version")):
        assert call(*words).stdout == call("--version").stdout


def test_output_comes_before_the_error() -> None:
    assert call("fail", "after-output", shell="2>&1").stdout == "some output\nError: There is no entry x.\n"


class TestCrash:
    def test_a_crash_is_one_line_and_a_log(self, home: Path) -> None:
        done = call("fail", "chain")
        log = home / ".local/state/remember-me/crash.log"
        assert done.returncode == 1
        assert done.stderr == (
            "Error: unexpected: ValueError: more text of an entry\n"
            f"Hint: This is a bug in remember-me. Where it happened is in {log}\n"
        )
        assert log.stat().st_mode & 0o777 == 0o600
        assert log.parent.stat().st_mode & 0o777 == 0o700

    def test_the_log_names_places_and_holds_no_text(self, home: Path) -> None:
        call("fail", "chain")
        text = (home / ".local/state/remember-me/crash.log").read_text()
        assert "builtins.ValueError, message left out" in text
        assert "builtins.KeyError, message left out" in text
        assert "in fail\n" in text
        assert not any(line.startswith(("ValueError:", "KeyError:")) for line in text.splitlines())

    def test_without_the_variable_it_goes_under_the_home(self, home: Path) -> None:
        for state in ("", "relative/path"):
            call("fail", "full", XDG_STATE_HOME=state)
            log = home / ".local/state/remember-me/crash.log"
            assert "builtins.OSError (errno 28)" in log.read_text()
            log.unlink()

    def test_a_log_that_cannot_be_written_is_said(self, home: Path) -> None:
        (home / ".local").write_text("in the way")
        done = call("fail", "chain")
        assert done.returncode == 1
        assert "its log could not be written to" in done.stderr
        assert done.stderr.count("\n") == 2

    def test_the_next_crash_replaces_the_log_even_a_link(self, home: Path, tmp_path: Path) -> None:
        log = home / ".local/state/remember-me/crash.log"
        log.parent.mkdir(parents=True)
        log.symlink_to(tmp_path / "elsewhere")
        call("fail", "chain")
        assert not log.is_symlink()
        assert not (tmp_path / "elsewhere").exists()

    def test_an_error_without_words_is_told_all_the_same(self) -> None:
        assert call("fail", "unprintable").stderr.startswith("Error: unexpected: Unprintable\n")

    def test_a_missing_module_is_a_crash_of_that_command_alone(self) -> None:
        assert call("absent").returncode == 1
        assert call("write", "1").returncode == 0


class TestStreams:
    @pytest.mark.parametrize("lines", [1, 100_000])
    def test_a_reader_that_has_gone_is_no_error(self, lines: int) -> None:
        done = call("write", str(lines), shell="| head -1")
        assert (done.returncode, done.stdout, done.stderr) == (0, "line 0\n", "")

    def test_a_reader_that_reads_nothing_is_no_error(self) -> None:
        done = call("write", "100000", shell="| true", PYTHONUNBUFFERED="1")
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
    @pytest.mark.parametrize("lines", [1, 100_000])
    def test_a_full_disk_is_said(self, lines: int) -> None:
        done = call("write", str(lines), shell="> /dev/full")
        assert done.returncode == 1
        assert done.stderr == "Error: could not write the output: No space left on device.\n"

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
    def test_help_and_version_say_it_too(self) -> None:
        for word in ("--help", "--version"):
            done = call(word, shell="> /dev/full")
            assert (done.returncode, done.stderr.count("\n")) == (1, 1)

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
    def test_a_lost_remark_is_no_error(self) -> None:
        assert call("fail", "surrogate", shell="2> /dev/full").returncode == 0
        assert call("fail", "not-found", shell="2> /dev/full").returncode == 3
        assert call("fail", "not-found", shell="> /dev/full").returncode == 3

    @pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8", "en_US.ISO-8859-1"])
    def test_output_is_utf8_in_every_locale(self, locale: str) -> None:
        done = call("fail", "surrogate", LC_ALL=locale, PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
        assert done.returncode == 0
        assert "日本" in done.stdout
        assert "日本" in done.stderr
        assert "Traceback" not in done.stderr

    def test_a_closed_descriptor_is_not_given_to_a_file(self) -> None:
        assert int(call("fail", "descriptor", shell=">&- <&-").stderr) > 2
        assert call("fail", "not-found", shell=">&- 2>&-").returncode == 3


class TestImports:
    def test_help_and_version_import_neither_typer_nor_a_command(self) -> None:
        for word in ("--help", "--version"):
            modules = imported(word, program="remember_me")
            ours = {name for name in modules if name.startswith("remember_me")}
            assert ours <= {
                "remember_me",
                "remember_me.cli",
                "remember_me.cli.commands",
                "remember_me.cli.main",
                "remember_me.cli.overview",
                "remember_me.cli.streams",
            }
            assert not modules & {"typer", "rich", "dataclasses", "inspect", "git", "yaml"}

    def test_a_command_imports_its_own_module_and_no_rich(self) -> None:
        modules = imported("--quiet", "write", "0", program="tests.cli.sample")
        assert "typer" in modules
        assert not {name for name in modules if name.split(".")[0] in ("rich", "pydantic", "git", "yaml")}
        assert not {
            name for name in modules if name.startswith("remember_me.cli.") and name.endswith(("read", "write"))
        }


class TestHelp:
    @pytest.mark.parametrize("width", [40, 60, 80, 200])
    def test_no_line_is_wider_than_the_terminal(self, width: int) -> None:
        for words in (("--help",), ("show-all", "--help")):
            lines = call(*words, COLUMNS=str(width)).stdout.splitlines()
            assert max(map(len, lines)) <= width

    @pytest.mark.parametrize("width", [40, 80, 200])
    @pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
    def test_no_help_of_a_command_is_wider_than_the_terminal(self, row: Command, width: int) -> None:
        app = build_app(COMMANDS)
        with app.make_context("remember-me", [row.name], terminal_width=width) as above:
            command = app.get_command(above, row.name)
            assert command is not None
            with command.make_context(
                row.name, [], parent=above, terminal_width=width, resilient_parsing=True
            ) as context:
                text = command.get_help(context)
        assert text.startswith(f"Usage: remember-me {row.name} ")
        assert max(map(len, text.splitlines())) <= width
        assert not [line for line in text.splitlines() if line.endswith(" ")]

    def test_a_command_tells_its_own_options_and_where_the_others_are(self) -> None:
        done = call("show-all", "-h")
        assert done.returncode == 0
        assert "Usage: remember-me show-all [OPTIONS] [text]..." in done.stdout
        assert "-t, --title" in done.stdout
        assert "Also --store, --json, --quiet and --yes: see remember-me --help" in done.stdout

    def test_both_ways_to_the_overview_give_the_same_text(self) -> None:
        assert call("--quiet", "--help").stdout == call("--help").stdout

    def test_aliases_and_hidden_commands_are_not_listed(self) -> None:
        text = call().stdout
        assert "Write many lines." in text
        assert "put" not in text
        assert "secret" not in text
