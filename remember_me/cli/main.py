"""The entry point of the command `remember-me`."""

from __future__ import annotations

import sys

from remember_me import __version__
from remember_me.cli.commands import COMMANDS, PROGRAM
from remember_me.cli.streams import flush_answer, standard_streams


def main() -> int:
    """Run the call in `sys.argv` and return its exit code (DESIGN section 8). Nobody sees a traceback."""
    words = sys.argv[1:]
    with standard_streams():
        try:
            code = _run(words)
            flush_answer()
        except (Exception, KeyboardInterrupt) as error:
            from remember_me.cli.failure import tell

            return tell(error, words)
        return code


def _run(words: list[str]) -> int:
    # The commonest questions are answered before Typer is imported: it costs four times a bare Python.
    if not words or words[0] in ("-h", "--help"):
        from remember_me.cli.overview import columns, overview

        print(overview(COMMANDS, columns()))
        return 0
    if words[0] == "--version":
        return _print_version()

    from remember_me.cli.direct import answered

    if answered(words, COMMANDS):
        return 0

    from remember_me.cli.group import build_app, run
    from remember_me.cli.options import Globals, VersionAsked, take_globals
    from remember_me.errors import InvalidInput

    try:
        given, rest = take_globals(words, Globals(), until_command=True)
        if not rest:
            raise InvalidInput("There is no command.", hint=f"`{PROGRAM} --help` lists the commands.")
        return run(build_app(COMMANDS), rest, given)
    except VersionAsked:
        return _print_version()


def _print_version() -> int:
    print(f"{PROGRAM} {__version__}")
    return 0
