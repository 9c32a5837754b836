"""The entry point of the command `remember-me`."""

from __future__ import annotations

import sys

AFTER_SESSION = "after-session"
"""What the hook of a session's end starts and leaves behind: behind `hook` the one word that is a command of ours."""


def main() -> int:
    """Run the call in `sys.argv` and return its exit code (DESIGN section 8). Nobody sees a traceback."""
    words = sys.argv[1:]
    at = _command_at(words)
    if words[at : at + 1] == ["hook"] and words[at + 1 : at + 2] != [AFTER_SESSION]:  # an agent waits: import no more
        from remember_me.hook.main import main as hook

        return hook(words[:at] + words[at + 1 :])

    from remember_me.cli.streams import flush_answer, standard_streams

    with standard_streams():
        try:
            code = _run(words)
            flush_answer()
        except (Exception, KeyboardInterrupt) as error:
            from remember_me.cli.failure import tell

            return tell(error, words)
        return code


def _command_at(words: list[str]) -> int:
    """Where the command stands in the call: behind the options that stand before it."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] == "--store" else 1
    return at


def _run(words: list[str]) -> int:
    from remember_me.cli.commands import COMMANDS, PROGRAM

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
    from remember_me import __version__
    from remember_me.cli.commands import PROGRAM

    print(f"{PROGRAM} {__version__}")
    return 0
