"""What an agent client is to us: files of its user that we add to, and that read again as before when we are gone."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import EditConflict

Memo = tuple[str, ...]
"""Words about a file as it was before we came, that an `Edit` finds again when it takes out what is ours."""

TAKE_OUT = "Take out by hand what is shown above."

NO_FILE = "no file"
"""The word for: there was none."""


class Surroundings(NamedTuple):
    """Whose clients: the environment and the home folder. `command` is the absolute path of our program, `store` the
    store that the hooks name with --store, or None for the one that they find by themselves."""

    environ: Mapping[str, str]
    home: Path
    command: str
    store: Path | None = None

    def folder(self, variable: str, *below_home: str) -> Path:
        """The folder that a variable of the client's names, else the one below the home."""
        given = self.environ.get(variable, "")
        return Path(given) if os.path.isabs(given) else self.home.joinpath(*below_home)

    def has_program(self, name: str) -> bool:
        """Whether a program of that name is on the PATH."""
        return shutil.which(name, path=self.environ.get("PATH", os.defpath)) is not None

    def line(self, words: str) -> str:
        """A command of ours to type, for the store that was given."""
        store = f" --store {shlex.quote(str(self.store))}" if self.store else ""
        return f"remember-me{store} {words}"

    def hook_words(self, client: str, event: str) -> list[str]:
        """The words of the command that a client runs at one of our events."""
        store = ["--store", str(self.store)] if self.store else []
        return [self.command, "hook", client, event, *store]

    def hook_command(self, client: str, event: str) -> str:
        """The same as one line for a shell."""
        return shlex.join(self.hook_words(client, event))


class Edit(NamedTuple):
    """What becomes of one file. The functions are pure, from bytes to bytes; None is no file.

    `add` gives the bytes with what is ours, and what it is given where that is there already. `remove` takes out what
    is ours and nothing else. All raise CannotMerge for bytes that they cannot change without losing anything.

    `what` says what the file is to us. A file that is `own` is ours as a whole: `add` and `remove` know nothing of what
    a hand has changed in it. With the words that `memo` finds in a file before it is changed, `remove_with` restores
    also what cannot be seen in it any more, as that a list was there and empty.
    """

    path: Path
    add: Callable[[bytes | None], bytes]
    remove: Callable[[bytes], bytes | None]
    what: str = "settings"
    own: bool = False
    memo: Callable[[bytes | None], Memo] = lambda data: ()
    remove_with: Callable[[bytes, Memo], bytes | None] | None = None

    def remove_by(self, data: bytes, memo: Memo) -> bytes | None:
        """`remove_with` where there is one, else `remove`."""
        return self.remove(data) if self.remove_with is None else self.remove_with(data, memo)


class Client(NamedTuple):
    """One agent client. `name` is that of `remember-me hook NAME` and of the actor `agent:NAME`.

    `events` maps its own event names to ours, in the order in which they are registered. `is_there` says whether it
    seems to be in use here: its program is on the PATH or its folder exists. `edits` are the files that installing
    changes, `advice` the sentences for the person after installing. `index_file` is kept up to date
    for a client that can only read files.
    """

    name: str
    title: str
    program: str
    events: Mapping[str, str]
    is_there: Callable[[Surroundings], bool]
    edits: Callable[[Surroundings], tuple[Edit, ...]]
    advice: Callable[[Surroundings], tuple[str, ...]]
    index_file: Callable[[Surroundings], Path] | None = None


class CannotMerge(EditConflict):
    """A settings file that cannot be changed without losing something of it; `snippet` is what to paste by hand."""

    def __init__(self, path: Path, reason: str, snippet: str, *, hint: str | None = None) -> None:
        self.path = path
        self.snippet = snippet
        self.details = {"path": str(path), "snippet": snippet}
        super().__init__(
            f"{path} {reason}; it was left alone.", hint=hint or "Paste what is shown above into it by hand."
        )


def own_file(path: Path, data: bytes, what: str) -> Edit:
    """A file that is ours as a whole."""

    def remove(_: bytes) -> None:
        return None

    return Edit(
        path, lambda _: data, remove, what, own=True, memo=lambda found: () if found is not None else (NO_FILE,)
    )
