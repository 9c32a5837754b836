"""Which project is meant: a key as given, or that of a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from remember_me.errors import InvalidInput
from remember_me.store.project import project_key

HERE = "here"
"""The word for the project of the current folder."""


def resolve(given: str | None, environ: Mapping[str, str]) -> str | None:
    """The project key of `--scope`: as given, or for `here` that of the current folder. None stays None."""
    return key_of_folder(None, environ) if given == HERE else given


def key_of_folder(folder: Path | None, environ: Mapping[str, str]) -> str:
    """The project key of a folder, by default the current one. Raises InvalidInput where there is none."""
    try:
        where = os.path.abspath(folder) if folder is not None else os.getcwd()
    except OSError:
        raise InvalidInput("The current folder is gone.", hint="Change to a folder that is there.") from None
    if not os.path.isdir(where):
        raise InvalidInput(f"There is no folder {folder}.", hint="Give the folder of a project.")
    return project_key(where, environ.get("HOME"))
