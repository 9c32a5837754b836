"""B01 again, in the settings: a word is a word in quotes, and whatever else stands there is named by file and line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases.support import add, failed, ids, put, sampled, sound, today
from tests.cli_runner import Cli, bytes_of
from tests.shared import shared_path

NOT_TOML = "is no valid TOML; words stand in quotes"
MODES = "not one of off, shadow, enabled"
NO_ZONE = "a time zone that is not known here"
MEND = "Hint: Mend the line, or take it out to have the default.\n"


def machine_file(home: Path) -> Path:
    return home / ".config" / "remember-me" / "config.toml"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    sampled(
        [
            ("[agents]\nmode = off\n", 2, NOT_TOML),
            ("[agents]\nmode = no\n", 2, NOT_TOML),
            ("[agents]\nmode = false\n", 2, "agents.mode is false and not a word in quotes"),
            ("[agents]\nmode = 0\n", 2, "agents.mode is 0 and not a word in quotes"),
            ("[agents]\nmode = 2026-01-01\n", 2, "agents.mode is 2026-01-01 and not a word in quotes"),
            ('[agents]\nmode = ["off"]\n', 2, "agents.mode is ['off'] and not a word in quotes"),
            ('[agents]\nmode = "Off"\n', 2, f"agents.mode is Off, {MODES}"),
            ('[agents]\nmode = "off "\n', 2, f"agents.mode is off , {MODES}"),
            ('[agents]\nmode = "on"\n', 2, f"agents.mode is on, {MODES}"),
            ('[agents]\nmode = ""\n', 2, f"agents.mode is '', {MODES}"),
            ('# a\n\n[ agents ]\n"mode" = "no"\n', 4, f"agents.mode is no, {MODES}"),
            ('[agents]\nmode = "off"\nmode = "off"\n', 3, NOT_TOML),
            ('[agents]\nmoda = "off"\n', 2, "there is no setting agents.moda"),
            ('mode = "off"\n', 1, "there is no setting mode"),
            ("[trust]\nscripts = person\n", 2, NOT_TOML),
            ("[trust]\nscripts = true\n", 2, "trust.scripts is true and not a word in quotes"),
            ('[trust]\nscripts = "agent"\n', 2, "trust.scripts is agent, not one of review, person"),
            ('[store]\ntimezone = "UTC"\n', 2, "store.timezone belongs in the settings of the store"),
            ("mode: off\n", 1, NOT_TOML),
            ("x", 1, NOT_TOML),
            ("# a\n[agents\n", 2, NOT_TOML),
        ]
    ),
)
def test_b01_settings_of_this_machine(cli: Cli, home: Path, text: str, line: int, reason: str) -> None:
    """A mode that is not exactly one of the words is an error, never "enabled"; and nothing is written."""
    file = machine_file(home)
    file.write_text(text, encoding="utf-8")
    before = bytes_of(cli.store)
    done = failed(cli.run("add", "x"), 2, f"{file}:{line}: {reason}.")
    assert done.err.endswith(MEND)
    assert bytes_of(cli.store) == before


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    sampled([
        ("[store]\nnotes = no\n", 2, NOT_TOML),
        ("[store]\nnotes = false\n", 2, "store.notes is false and not a word in quotes"),
        ('[store]\nnote = "x"\n', 2, "there is no setting store.note"),
        ('[store]\ntimezone = "Mars"\n', 2, f"store.timezone is Mars, {NO_ZONE}"),
        ('[store]\ntimezone = "../../etc/passwd"\n', 2, f"store.timezone is ../../etc/passwd, {NO_ZONE}"),
        ('[trust]\nscripts = "person"\n', 2, "trust.scripts belongs in the settings of the machine"),
        ('[agents]\nmode = "off"\n', 2, "agents.mode belongs in the settings of the machine"),
        *(
            (f"[store]\nnotes = {name}\n", 2, f"store.notes is {shown}, which is no name for the folder of the notes")
            for name, shown in (
                ('""', "''"), ('".."', ".."), ('"../x"', "../x"), ('"/etc"', "/etc"), ('"a/b"', "a/b"),
                ("'a\\b'", "a\\b"), ('".git"', ".git"), ('".remember-me"', ".remember-me"),
                ('"MEMORY.md"', "MEMORY.md"), ('"x\\u0000y"', "x\\x00y"), ('"x\\u001by"', "x\\x1by"),
                ('" "', "' '"), ('"a:b"', "a:b"), ('"x."', "x."),
                (f'"{"x" * 99}"', "x" * 59 + "…"),
            )
        ),
    ]),
)  # fmt: skip
def test_b01_settings_that_came_with_a_store(cli: Cli, text: str, line: int, reason: str) -> None:
    file = put(cli, "remember-me.toml", text)
    before = bytes_of(cli.store)
    failed(cli.run("list"), 2, f"{file}:{line}: {reason}.")
    assert bytes_of(cli.store) == before


def test_settings_that_are_no_ordinary_file_are_refused_and_never_waited_for(cli: Cli, tmp_path: Path) -> None:
    """A store may be handed over by someone else: git keeps links, and a link may lead to /dev/zero."""
    file = cli.store / "remember-me.toml"
    outside = tmp_path / "outside.toml"
    outside.write_text("SECRET = 1\n", encoding="utf-8")
    for target in (str(outside), "/dev/zero", "/dev/stdin", "nowhere"):
        file.unlink()
        file.symlink_to(target)
        done = failed(cli.run("list"), 2, f"{file}: is a link and is not followed.")
        assert "SECRET" not in done.err
    file.unlink()
    os.mkfifo(file)
    failed(cli.run("add", "x"), 2, f"{file}: is no ordinary file.")
    file.unlink()
    file.mkdir()
    failed(cli.run("status"), 2, f"{file}: is no ordinary file.")
    file.rmdir()
    file.write_bytes(b"# " + b"x" * 2 * 1024 * 1024)
    failed(cli.run("list"), 2, f"{file}: is larger than 1 MiB.")
    file.write_bytes(b'[store]\nnotes = "\xff"\n')
    failed(cli.run("list"), 2, f"{file}: is no UTF-8.")


def test_settings_of_this_machine_may_be_a_link(cli: Cli, home: Path, tmp_path: Path) -> None:
    """A person's dotfiles; the link stays when the setting is changed."""
    file, real = machine_file(home), tmp_path / "dotfiles.toml"
    real.write_text('[trust]\nscripts = "person" # mine\n', encoding="utf-8")
    file.unlink()
    file.symlink_to(real)
    cli.ok("config", "agents.mode", "off")
    assert file.is_symlink()
    assert real.read_text() == '[trust]\nscripts = "person" # mine\n\n[agents]\nmode = "off"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('[agents]\nmode = "off" # now\n', '[agents]\nmode = "shadow" # now\n'),
        ("[ agents ] # mine\n# words\n", '[ agents ] # mine\nmode = "shadow"\n# words\n'),
        ("[agents]", '[agents]\nmode = "shadow"\n'),
        ("# x", '# x\n\n[agents]\nmode = "shadow"\n'),
        ("[agents]\r\nmode = 'off'\r\n", '[agents]\r\nmode = "shadow"\r\n'),
        ("[trust]\r\nscripts = 'person'\r\n", "[trust]\r\nscripts = 'person'\r\n\r\n[agents]\r\nmode = \"shadow\"\r\n"),
    ],
)
def test_one_setting_is_changed_and_no_other_byte(cli: Cli, home: Path, before: str, after: str) -> None:
    file = machine_file(home)
    file.write_bytes(before.encode())
    cli.ok("config", "agents.mode", "shadow")
    assert file.read_bytes() == after.encode()
    assert cli.ok("config", "agents.mode").out == "shadow\n"


@pytest.mark.parametrize(
    "text", ['agents.mode = "off"\n', 'agents = {mode = "off"}\n', '[agents]\n"mode" = """\noff"""\n']
)
def test_a_form_that_only_a_hand_can_change_is_left_alone(cli: Cli, home: Path, text: str) -> None:
    file = machine_file(home)
    file.write_text(text, encoding="utf-8")
    failed(
        cli.run("config", "agents.mode", "shadow"),
        2,
        "The settings file has agents.mode in a form that only a hand can change.",
    )
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("store.notes", 'a"\nb'), 'store.notes is a"\\nb, which is no name for the folder of the notes.'),
        (("store.notes", "a]\n[trust"), "store.notes is a]\\n[trust, which is no name for the folder of the notes."),
        (("store.notes", "../x"), "store.notes is ../x, which is no name for the folder of the notes."),
        (("store.timezone", "Mars"), "store.timezone is Mars, a time zone that is not known here."),
        (("agents.mode", "Off"), f"agents.mode is Off, {MODES}."),
        (("agents.mode", ""), f"agents.mode is '', {MODES}."),
        (("a.b",), "There is no setting a.b."),
        (("x" * 5000,), f"There is no setting {'x' * 59}…."),
    ],
)
def test_a_value_that_cannot_be_is_refused_before_it_is_written(cli: Cli, words: tuple[str, ...], message: str) -> None:
    before = bytes_of(cli.store)
    failed(cli.run("config", *words), 2, message)
    assert bytes_of(cli.store) == before


def test_a_changed_setting_of_the_store_is_taken_back(cli: Cli) -> None:
    before = bytes_of(cli.store)
    cli.ok("config", "store.timezone", "Europe/Rome")
    assert b'timezone = "Europe/Rome"' in bytes_of(cli.store)["remember-me.toml"]
    cli.ok("undo")
    assert bytes_of(cli.store) == before
    sound(cli)


def test_another_folder_for_the_notes_loses_no_entry(cli: Cli) -> None:
    """What lies in the folder so far would be no note any more, and its history one of deletions."""
    entry = add(cli, "in memory/")
    put(cli, "MEMORY.md", "# Facts\n")
    before = bytes_of(cli.store)
    for folder in ("other", "."):
        failed(
            cli.run("config", "store.notes", folder),
            2,
            f"There are notes in memory (memory/{today(cli)}.md), which would be left behind.",
        )
    assert bytes_of(cli.store) == before
    (cli.store / "memory").rename(cli.store / "other")
    cli.ok("config", "store.notes", "other")
    assert cli.json("get", entry)["note"] == f"other/{today(cli)}.md"
    more = add(cli, "one more")
    assert ids(cli) == sorted([entry, more])
    sound(cli)


def test_the_input_of_the_case(cli: Cli, home: Path) -> None:
    text = shared_path("cases", "inputs", "B01", "config.yaml").read_text(encoding="utf-8")
    file = machine_file(home)
    file.write_text(text, encoding="utf-8")
    failed(cli.run("status"), 2, f"{file}:1: {NOT_TOML}.")
    file.write_text(f"[agents]\n{text.replace(':', ' =')}", encoding="utf-8")
    failed(cli.run("status"), 2, f"{file}:2: {NOT_TOML}.")
