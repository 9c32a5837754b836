"""The runner of the golden transcripts, on commands of the shell."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.golden import Sandbox, normalize, retell, told


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path / "sandbox")


def block(*lines: str) -> str:
    return "```console\n" + "".join(f"{line}\n" for line in lines) + "```\n"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("echo hello", ["hello"]),
        ("true", []),
        ("echo out; echo err >&2; echo out2; exit 3", ["out", "out2", "2> err", "[exit 3]"]),
        ("printf 'a\\n\\n b '", ["a", "", " b ", "[no line end]"]),
        ("printf 'a\\rb\\n'", ["a\rb"]),
        ("printf '\\xff\\n'", ["\\\\xff"]),
        ("echo '$ x'; echo '> y'; echo '\\z'", ["\\$ x", "\\> y", "\\\\z"]),
        ("pwd; echo $HOME $STORE", ["STORE", "HOME STORE"]),
        ("date +%F; date -Iseconds", ["DATE", "DATETTIME"]),
        ("cat", []),
        ("cat <<E\n$ one\n> two\nE", ["\\$ one", "\\> two"]),
    ],
)
def test_what_a_command_prints(sandbox: Sandbox, command: str, output: list[str]) -> None:
    first, *more = command.split("\n")
    lines = [f"$ {first}", *(f"> {line}" for line in more)]
    told = retell(block(*lines, "old output"), sandbox)
    assert told == block(*lines, *output)
    assert retell(told, sandbox) == told


def test_commands_share_a_folder_and_no_shell(sandbox: Sandbox) -> None:
    told = retell(block("$ echo x > a; cd /; V=1", "$ cat a; echo [$V]"), sandbox)
    assert told == block("$ echo x > a; cd /; V=1", "$ cat a; echo [$V]", "x", "[]")


def test_everything_outside_console_blocks_is_kept(sandbox: Sandbox) -> None:
    text = "# T\n\n```sh\n$ echo no\n```\n\r\n````console\n$ echo '```'\n````\nend without line end"
    assert retell(text, sandbox) == text.replace("$ echo '```'\n", "$ echo '```'\n```\n")


def test_a_fence_grows_with_what_is_in_it(sandbox: Sandbox) -> None:
    told = retell(block("$ echo '````'"), sandbox)
    assert told == "`````console\n$ echo '````'\n````\n`````\n"
    assert retell(told, sandbox) == told


def test_what_is_told_can_be_read_back() -> None:
    text = (
        block("$ cat <<E", "> $ x", "> E", "\\$ x", "[exit 1]", "$ true")
        + "\n```sh\n$ no\n```\n"
        + block("$ b", "2> c")
    )
    assert list(told(text)) == [("cat <<E\n$ x\nE", "$ x\n[exit 1]\n"), ("true", ""), ("b", "2> c\n")]


def test_an_open_block_is_an_error(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="no closing"):
        retell("```console\n$ true\n", sandbox)


def test_ids_are_learned_in_the_order_of_appearance(sandbox: Sandbox) -> None:
    told = retell(
        block(
            "$ echo '- FACT: b ^zzzz2z' > b.md; echo '- FACT: a ^aaaa1a' > a.md; echo zzzz2z 123456",
            "$ echo $ID1 = zzzz2z, $ID2 = aaaa1a, xaaaa1a",
            '$ echo \'{"id": "cccc3c", "operation": "qp99xyz7"}\'; echo ^dddd4d; echo eeee5e FACT x',
            "$ echo cccc3c dddd4d eeee5e $OP1 qp99xyz7",
            "$ echo 'Undone (aaaaaaaa, now); take it back: undo bbbbbbbb'",
        ),
        sandbox,
    )
    outputs = [line for line in told.splitlines() if not line.startswith(("$", "`"))]
    assert outputs == [
        "id-1 123456",
        "id-1 = id-1, id-2 = id-2, xaaaa1a",
        '{"id": "id-3", "operation": "op-1"}',
        "^id-4",
        "id-5 FACT x",
        "id-3 id-4 id-5 op-1 op-1",
        "Undone (op-2, now); take it back: undo op-3",
    ]


def test_commits_and_operations_are_learned_from_git(sandbox: Sandbox) -> None:
    told = retell(
        block(
            "$ git init -q; git config user.name x; git config user.email x@y",
            "$ git commit -q --allow-empty -m 'a' -m 'Operation-Id: 7abc99'",
            "$ git log --format='%H %h %s'; git log --format=%b",
        ),
        sandbox,
    )
    assert told.endswith("\ncommit-1 commit-1 a\nOperation-Id: op-1\n\n```\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-11-29", "DATE"),
        ("2026-11-30.md", "DATE.md"),
        ("2026-11-28", "2026-11-28"),
        ("2026-11-29T14:31:58+01:00 2026-11-29T14:31:58.123Z", "DATETTIME DATETTIME"),
        ("2026-11-29 14:31", "DATE TIME"),
        ("- [14:32 +01:00] x [14:32]", "- [TIME] x [TIME]"),
        ("at 14:32 +01:00, call at 12:30", "at TIME, call at 12:30"),
        ("1:2:3 a12026-11-29", "1:2:3 a12026-11-29"),
    ],
)
def test_dates_and_times(text: str, shown: str) -> None:
    when = datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC)
    assert normalize(text, {}, {}, when) == shown


def test_a_sandbox_holds_nothing_of_this_machine(sandbox: Sandbox) -> None:
    told = retell(block("$ env | cut -d= -f1 | grep -v '^_$\\|^PWD$\\|^SHLVL$\\|^OLDPWD$' | sort"), sandbox)
    assert told.splitlines()[2:-1] == sorted(sandbox.environment())
