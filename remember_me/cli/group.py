"""The Typer side: a group that imports a command only when it is asked for."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from remember_me.cli.commands import PROGRAM, Command
from remember_me.cli.options import Globals, take_globals
from remember_me.cli.overview import columns, overview, wrap
from remember_me.errors import InvalidInput, shorten

if TYPE_CHECKING:
    from typer._click import Command as ClickCommand
    from typer._click import Context, HelpFormatter

_CONTEXT = {"help_option_names": ["-h", "--help"]}


class CommandWithGlobals(TyperCommand):
    """A command that finds the global options among its own words and puts them into `ctx.obj`."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        valued = {
            name: param.nargs
            for param in self.get_params(ctx)
            if isinstance(param, TyperOption) and not param.is_flag and not param.count
            for name in param.opts
        }
        ctx.obj, rest = take_globals(args, ctx.obj or Globals(), valued=valued)
        try:
            return super().parse_args(ctx, rest)
        except typer.TyperException as error:
            raise _usage(error, ctx.command_path) from None

    def format_usage(self, ctx: Context, formatter: HelpFormatter) -> None:
        words = " ".join(piece.strip("{}") for piece in self.collect_usage_pieces(ctx))
        formatter.write("\n".join([*wrap(f"Usage: {ctx.command_path} {words}", formatter.width, indent=2), ""]))

    def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:
        formatter.write_paragraph()
        also = f"Also --store, --json, --quiet and --yes: see {PROGRAM} --help."
        formatter.write("\n".join([*wrap(also, formatter.width), ""]))


class LazyGroup(TyperGroup):
    """All commands of a table, listed without importing any of them."""

    def __init__(self, table: Iterable[Command]) -> None:
        super().__init__(name=PROGRAM, rich_markup_mode=None, context_settings=dict(_CONTEXT))
        self._table = tuple(table)
        self._by_name = {name: row for row in self._table for name in (row.name, *row.aliases)}

    def list_commands(self, ctx: Context) -> list[str]:
        return [row.name for row in self._table if not row.hidden]

    def get_command(self, ctx: Context, cmd_name: str) -> ClickCommand | None:
        row = self._by_name.get(cmd_name)
        return None if row is None else _load(row)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, ClickCommand | None, list[str]]:
        row = self._by_name.get(args[0])
        if row is None:
            raise InvalidInput(f"There is no command {shorten(args[0])!r}.", hint=self._near(args[0]))
        return row.name, _load(row), args[1:]

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        formatter.write(overview(self._table, formatter.width))

    def _near(self, typed: str) -> str:
        names = [name for name, row in self._by_name.items() if not row.hidden]
        near = difflib.get_close_matches(typed.lower(), names, n=3)
        question = f"Did you mean {' or '.join(near)}? " if near else ""
        return f"{question}`{PROGRAM} --help` lists the commands."


def build_app(table: Iterable[Command]) -> LazyGroup:
    """The command line over a table."""
    return LazyGroup(table)


def run(app: LazyGroup, words: Sequence[str], given: Globals) -> int:
    """Parse `words`, call the command, return the exit code: the int it returned, else 0.

    Raises InvalidInput for what is wrong with the words, and KeyboardInterrupt for Ctrl-C or the end of input
    at a prompt.
    """
    result: Any
    try:
        with app.make_context(PROGRAM, list(words), obj=given, terminal_width=columns()) as ctx:
            result = app.invoke(ctx)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        context: Context | None = getattr(error, "ctx", None)
        raise _usage(error, PROGRAM if context is None else context.command_path) from None
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _load(row: Command) -> ClickCommand:
    function = getattr(importlib.import_module(row.module), row.function)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(row.name, cls=CommandWithGlobals, context_settings=dict(_CONTEXT))(function)
    return typer.main.get_command(app)


def _usage(error: typer.TyperException, where: str) -> InvalidInput:
    """Click's words as one sentence, with the help of `where` to look at."""
    sentence = " ".join(error.format_message().split())
    if not sentence.endswith((".", "?")):
        sentence += "."
    return InvalidInput(sentence, hint=f"`{where} --help` shows how it is called.")
