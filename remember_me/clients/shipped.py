"""Where the shipped templates are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

import remember_me
from remember_me.store.files import read_regular

_LIMIT_BYTES = 1024 * 1024


def template(name: str) -> str:
    """The text of `templates/NAME`."""
    return template_data(name).decode("utf-8").replace("\r\n", "\n")


def template_data(name: str) -> bytes:
    """The bytes of `templates/NAME`."""
    return read_regular(_folder("templates").joinpath(name), _LIMIT_BYTES)


def _folder(name: str) -> Path:
    package = Path(remember_me.__file__).resolve().parent
    checkout = package.parent / name
    if (package.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return package / f"_{name}"
