"""Three commands to try the command line with; `tests/cli/sample.py` is the program."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from remember_me.cli.commands import Command
from remember_me.errors import EntryNotFound

HERE = "tests.cli.sample_commands"
TABLE = (
    Command("show-all", "start", HERE, "show_all", "Show what was understood."),
    Command("write", "write", HERE, "write", "Write many lines.", ("put", "store")),
    Command("fail", "read", HERE, "fail", "Fail in some way."),
    Command("absent", "review", "tests.cli.no_such_module", "absent", "Has no module."),
    Command("secret", "review", HERE, "fail", "Is not listed.", hidden=True),
)


def show_all(
    ctx: typer.Context,
    text: Annotated[list[str] | None, typer.Argument(help="Any words.")] = None,
    title: Annotated[str | None, typer.Option("--title", "-t", help="One line.")] = None,
    loud: Annotated[bool, typer.Option("--loud/--soft", help="How.")] = False,
) -> None:
    """Show what was understood.

    A second paragraph with more words than fit into one line of a narrow terminal.
    """
    print(f"{ctx.info_name} text={text} title={title!r} loud={loud}")
    print(ctx.obj)


def write(ctx: typer.Context, lines: int, code: int = 0) -> int:
    """Write many lines."""
    for number in range(lines):
        print(f"line {number}")
    return code


def fail(ctx: typer.Context, how: str) -> int | bool | None:
    """Fail in some way."""
    if how == "not-found":
        raise EntryNotFound("k7\x1b[31m\u202e\nm2", hint="Look at the\u200blist.")
    if how == "pipe":
        raise BrokenPipeError(32, "Broken pipe")
    if how == "full":
        raise OSError(28, "No space left on device")
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "prompt":
        typer.confirm("Really?", abort=True)
    if how == "exit":
        raise typer.Exit(7)
    if how == "true":
        return True
    if how == "parameter":
        raise typer.BadParameter("Not like\nthis")
    if how == "chain":
        try:
            raise KeyError("the text of an entry")
        except KeyError as error:
            raise ValueError("more text of an entry") from error
    if how == "unprintable":
        raise Unprintable
    if how == "surrogate":
        print(os.fsdecode(b"caf\xe9 \xc3\xa9"), "\u65e5\u672c")
        print(os.fsdecode(b"caf\xe9"), "\u65e5\u672c", file=sys.stderr)
    if how == "descriptor":
        print(os.open(os.devnull, os.O_RDONLY), file=sys.stderr)
    if how == "after-output":
        print("some output")
        raise EntryNotFound("x")
    return None


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")
