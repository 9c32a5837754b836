"""What this machine says about agents, read off its settings in the form that we write them.

`app/config.py` reads all settings and says what is wrong with them; a hook has no time for the regular expressions of
either that or of tomllib, which it takes only for a file in another form.
"""

from __future__ import annotations

import os

MODES = ("off", "shadow", "enabled")
RECEIPTS = ("interactive", "all")


class Machine:
    """`mode` is off, shadow or enabled. `receipts` says whose prompts are kept: those of interactive sessions or all.
    `folders` are the real paths in which hooks act; everywhere where there are none."""

    def __init__(self, mode: str = "enabled", receipts: str = "interactive", folders: str = "") -> None:
        if mode not in MODES or receipts not in RECEIPTS:
            raise ValueError("settings of agents")
        self.mode = mode
        self.receipts = receipts
        given = [os.path.expanduser(part.strip()) for part in folders.split(os.pathsep) if part.strip()]
        self.folders = [os.path.realpath(part) for part in given if os.path.isabs(part)]
        if folders.strip() and not self.folders:
            raise ValueError("folders of agents")

    def acts_in(self, folder: str) -> bool:
        """Whether hooks act in that folder."""
        real = os.path.realpath(folder)
        return not self.folders or any(
            real == one or real.startswith(one.rstrip(os.sep) + os.sep) for one in self.folders
        )


def load_machine() -> Machine:
    """The settings of this machine. Raises ValueError for a value that is not exactly one of the possible ones."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".config")
    try:
        with open(os.path.join(base, "remember-me", "config.toml"), "rb") as file:
            text = file.read().decode("utf-8").removeprefix("\ufeff")
    except FileNotFoundError:
        return Machine()
    found = _plain(text)
    if found is None:
        import tomllib

        found = tomllib.loads(text).get("agents", {})
    return Machine(**{name: found[name] for name in ("mode", "receipts", "folders") if name in found})


def _plain(text: str) -> dict[str, str] | None:
    """The words of the section `agents` in a file of the form that we write; None for any other.

    That is: sections, each once, `key = "word"` or a number, and comments; all names of letters, digits, `_` and `-`.
    """
    sections: dict[str, dict[str, str]] = {}
    section: dict[str, str] | None = None
    for line in text.split("\n"):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            name = line[1:].partition("]")[0]
            if line != f"[{name}]" or not _is_name(name) or name in sections:
                return None
            section = sections[name] = {}
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        word = _word(value)
        if not equals or section is None or not _is_name(key) or key in section or word is None:
            return None
        section[key] = word
    return sections.get("agents", {})


def _is_name(name: str) -> bool:
    return name.isascii() and name.replace("_", "").replace("-", "").isalnum()


def _word(value: str) -> str | None:
    """The word in quotes, or the number, that a value is, with a comment behind it; None for anything else."""
    if value.isascii() and value.isdigit():
        return value
    if not value.startswith('"'):
        return None
    word, quote, rest = value[1:].partition('"')
    rest = rest.strip()
    return word if quote and "\\" not in word and (not rest or rest.startswith("#")) else None
