"""The product as its users have it: the console script, a store in the home, and what can befall the store."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.cli_runner import trust_scripts

PROGRAM = Path(sys.executable).with_name("remember-me")
PINNED = "Answers in British spelling"
"""The preference that each store begins with."""
FILLING = 160
"""More entries than the index has room for."""


class Product:
    """The installed command, run as the person's script. `config` holds the settings of the machine, `bin` is a
    folder with the command alone."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.store = home / "remember-me"
        self.own = self.store / ".remember-me"
        self.config = home / ".config" / "remember-me" / "config.toml"
        self.bin = home / ".local" / "bin"
        self.bin.mkdir(parents=True)
        (self.bin / PROGRAM.name).symlink_to(PROGRAM)
        # The shell of Codex CLI is one of a login, which sets a PATH of its own.
        (home / ".profile").write_text('PATH="$HOME/.local/bin:$PATH"\n', encoding="utf-8")
        trust_scripts(home)

    def run(self, *words: str, code: int = 0) -> str:
        """What the command prints on stdout, after asserting the exit code."""
        done = subprocess.run(
            [str(PROGRAM), *words],
            cwd=self.home,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            timeout=60,
            check=False,
        )
        out, err = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
        assert done.returncode == code, f"{' '.join(words)}: {done.returncode}\n{out}\n{err}"
        return out

    def add(self, *words: str) -> str:
        """Save an entry; its id."""
        found = re.match(r"Saved \^(\w+) ", self.run("add", *words))
        assert found is not None
        return found[1]

    def fill_index(self) -> None:
        """Write so many weightier facts by hand that a light one is not in the index."""
        letters = "bcdfghjkmnpqrstvwxyz"
        facts = "".join(
            f"\n- [09:00 +00:00] FACT: Machine number {number} stands in hall {number % 7} beside the long green bench"
            f" ^zz{letters[number // 20]}{letters[number % 20]}2b\n  - impact: 3\n"
            for number in range(FILLING)
        )
        note = self.store / "memory" / "2026-01-05.md"
        note.write_text(f"---\ndate: 2026-01-05\ntimezone: UTC\n---\n{facts}", encoding="utf-8")
        self.run("index")

    def set(self, table: str, **values: str) -> None:
        """Settings of this machine, beside that scripts are the person's."""
        lines = "".join(f'{name} = "{value}"\n' for name, value in values.items())
        text = self.config.read_text(encoding="utf-8")
        self.config.write_text(f"{text}\n[{table}]\n{lines}", encoding="utf-8")

    def receipts(self) -> list[str]:
        """What is kept of what the user typed, oldest first."""
        path = self.own / "receipts.sqlite"
        if not path.exists():
            return []
        with closing(sqlite3.connect(path)) as db:
            return [text for (text,) in db.execute("SELECT text FROM receipt ORDER BY 1")]

    def replace_in_settings(self, old: str, new: str) -> int:
        """Put another command in the place of ours in every settings file and plugin of a client; in how many."""
        count = 0
        for path in self.home.rglob("*.*"):
            if path.suffix not in (".json", ".toml", ".js", ".ts") or "node_modules" in path.parts:
                continue
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            if old in text:
                path.write_text(text.replace(old, new), encoding="utf-8", errors="surrogateescape")
                count += 1
        return count


_CALLED_BY_CLIENTS = (
    "node",
    "sh",
    "bash",
    "env",
    "cat",
    "dirname",
    "basename",
    "readlink",
    "uname",
    "ps",
    "grep",
    "tr",
)


def path_without_git(folder: Path) -> str:
    """A PATH with what the clients call, but for git."""
    folder.mkdir()
    for name in _CALLED_BY_CLIENTS:
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    return str(folder)
