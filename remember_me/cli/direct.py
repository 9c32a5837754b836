"""The commonest calls, answered before Typer is imported: `get ID`, `list`, `index`, `search WORDS`, `recall` and
`add TEXT` with global options alone.

Importing Typer takes four times as long as a bare Python, and agents make these calls all day. Any other option
and any other number of words goes to Typer, which alone says what is wrong with a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from remember_me.cli.commands import Command
from remember_me.cli.options import FLAGS, Globals, take_globals


def answered(words: Sequence[str], table: Iterable[Command]) -> bool:
    """Answer `words` if they are such a call, and say whether. Raises what the command raises."""
    if not all(_is_plain(word) for word in words):
        return False
    given, rest = take_globals(words, Globals())
    if rest == ["hook", "after-session"]:
        _after_session(given)
        return True
    names = [row.name for row in table if rest and rest[0] in (row.name, *row.aliases)]
    match names, rest[1:]:
        case ["get"], [entry]:
            from remember_me.cli.entries import show

            show(given, entry)
        case ["list"], []:
            from remember_me.cli.entries import show_list

            show_list(given)
        case ["index"], []:
            from remember_me.cli.reading import show_index

            show_index(given)
        case ["search"], [_, *_]:
            from remember_me.cli.reading import show_search

            show_search(given, " ".join(rest[1:]))
        case ["recall"], []:
            from remember_me.cli.reading import show_recall

            show_recall(given)
        case ["add"], [_, *_]:
            from remember_me.app.draft import Draft
            from remember_me.cli.entries import save

            save(given, Draft(" ".join(rest[1:])))
        case _:
            return False
    return True


def _after_session(given: Globals) -> None:
    """Do what is due after a session of an agent: detached, and silent."""
    import os

    from remember_me.app.aftersession import after_session
    from remember_me.cli.output import session_of

    after_session(session_of(given), dict(os.environ))


def _is_plain(word: str) -> bool:
    """Whether a word is a global option or no option at all, so that its place on the line does not matter."""
    return not word.startswith("-") or word in FLAGS or word == "--store" or word.startswith("--store=")
