"""The options that every command takes, wherever on the line they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from remember_me.errors import InvalidInput

FLAGS = {"--json": "json", "--quiet": "quiet", "-q": "quiet", "--yes": "yes", "-y": "yes"}


class Globals(NamedTuple):
    """What was said for the whole call. `store` is as typed, or None: then the environment and the default decide."""

    store: Path | None = None
    json: bool = False
    quiet: bool = False
    yes: bool = False


class VersionAsked(Exception):
    """`--version` was given; nothing else of the line counts."""


def take_globals(
    words: Sequence[str],
    known: Globals,
    *,
    valued: Mapping[str, int] | None = None,
    until_command: bool = False,
) -> tuple[Globals, list[str]]:
    """(`known` with the global options among `words`, the other words).

    Nothing after `--` is touched, nor the values of a command's own options: `valued` says how many words
    each of them takes. With `until_command`, stop at the first word that is no option.
    Raises InvalidInput and VersionAsked.
    """
    found: dict[str, Any] = {}
    rest: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--" or (until_command and not word.startswith("-")):
            break
        at += 1
        name, has_value, value = word.partition("=")
        if valued and word in valued:
            rest += words[at - 1 : at + valued[word]]
            at += valued[word]
        elif name == "--store":
            if not has_value:
                value = words[at] if at < len(words) and not words[at].startswith("-") else ""
                at += 1
            if not value:
                raise InvalidInput("--store needs a directory.")
            found["store"] = Path(value)
        elif word in FLAGS:
            found[FLAGS[word]] = True
        elif name in FLAGS and has_value:
            raise InvalidInput(f"{name} takes no value.")
        elif word == "--version":
            raise VersionAsked
        elif len(word) > 2 and word[0] == "-" and set(word[1:]) <= {"q", "y"}:
            found |= {FLAGS[f"-{letter}"]: True for letter in word[1:]}
        else:
            rest.append(word)
    return known._replace(**found), [*rest, *words[at:]]
