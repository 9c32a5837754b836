"""Where the shipped templates and references are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

import remember_me


def template(name: str) -> str:
    """The text of `templates/NAME`."""
    return _folder("templates").joinpath(name).read_text(encoding="utf-8")


def _folder(name: str) -> Path:
    package = Path(remember_me.__file__).resolve().parent
    checkout = package.parent / name
    if (package.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return package / f"_{name}"
