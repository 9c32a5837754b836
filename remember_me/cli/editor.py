"""Open a note in the person's editor, at a line."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from remember_me.errors import RememberMeError

_PLUS_LINE = {
    "vi",
    "vim",
    "nvim",
    "gvim",
    "view",
    "nano",
    "pico",
    "emacs",
    "emacsclient",
    "ed",
    "ex",
    "joe",
    "jed",
    "micro",
    "kak",
    "mg",
    "ne",
    "gedit",
}
_COLON_LINE = {"hx", "helix", "subl", "sublime_text", "zed"}
_GOTO_LINE = {"code", "code-insiders", "codium", "cursor", "windsurf"}
_USUAL = ("nano", "vim", "vi")


class EditorFailed(RememberMeError):
    """The editor could not be started or ended with an error; what it saved is kept."""

    exit_code = 1


def open_editor(file: Path, line: int) -> None:
    """Run `$VISUAL`, else `$EDITOR`, on `file` at `line` (1-based) and wait. Raises EditorFailed."""
    command = _command()
    name = Path(command[0]).name.removesuffix(".exe")
    if name in _PLUS_LINE:
        words = [*command, f"+{line}", str(file)]
    elif name in _COLON_LINE:
        words = [*command, f"{file}:{line}"]
    elif name in _GOTO_LINE:
        words = [*command, "--wait", "--goto", f"{file}:{line}"]
    else:
        words = [*command, str(file)]
    try:
        code = subprocess.run(words, check=False).returncode
    except OSError as error:
        raise EditorFailed(
            f"The editor {command[0]} could not be started: {(error.strerror or str(error)).lower()}.",
            hint="Set VISUAL or EDITOR to your editor.",
        ) from None
    if code != 0:
        how = f"ended with exit code {code}" if code > 0 else f"was ended by signal {-code}"
        raise EditorFailed(
            f"The editor {command[0]} {how}.",
            hint="What it saved is kept; `remember-me status` shows it.",
        )


def _command() -> list[str]:
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if chosen:
        try:
            words = shlex.split(chosen)
        except ValueError:
            words = [chosen]
        if words:
            return words
    if not (os.isatty(0) and os.isatty(1)):  # each of the usual ones would wait for keys that nobody can press
        raise EditorFailed("There is no terminal for an editor.", hint="Set VISUAL or EDITOR to one that needs none.")
    usual = next((name for name in _USUAL if shutil.which(name)), None)
    if usual is None:
        raise EditorFailed("There is no editor.", hint="Set VISUAL or EDITOR to your editor.")
    return [usual]
