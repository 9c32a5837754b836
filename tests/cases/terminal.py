"""Run the command line on a terminal: a pseudo-terminal of a given width, in a session of its own."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import time
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from tests.cli_runner import Cli, start_words
from tests.zygote import Process

TIMEOUT_SECONDS = 30.0

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Shown(NamedTuple):
    """What stood on the terminal when the call ended: `raw` as it came, `text` without control sequences."""

    code: int
    raw: str

    @property
    def text(self) -> str:
        return _CONTROL.sub("", self.raw).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


def on_terminal(
    cli: Cli, *words: str, columns: int = 80, keys: bytes = b"", environ: Mapping[str, str] | None = None
) -> Shown:
    """Run a command with all three streams on a terminal; `keys` are typed when it asks (`[y/N]`)."""
    ours, theirs = os.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    variables = cli.environment(TERM="xterm-256color")
    del variables["COLUMNS"]  # it would win over the terminal's own width
    given = ("--store", str(cli.store), *words)
    with start_words(given, streams=theirs, env={**variables, **(environ or {})}) as process:
        os.close(theirs)
        try:
            raw = _read(ours, process, keys)
        finally:
            os.close(ours)
            process.kill()
    return Shown(process.returncode, raw.decode("utf-8", "replace"))


def _read(terminal: int, process: Process | subprocess.Popen[bytes], keys: bytes) -> bytes:
    until = time.monotonic() + TIMEOUT_SECONDS
    raw = b""
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 0.1)[0]:
            if process.poll() is not None:
                break
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # Linux says so where the other end is closed
            break
        raw += piece
        if keys and b"[y/N]" in raw:
            os.write(terminal, keys)
            keys = b""
    process.wait(max(1.0, until - time.monotonic()))
    return raw


def width(line: str) -> int:
    """How many columns a line takes on a terminal that draws joined emoji as one."""
    return sum(
        0 if _is_thin(letter) or before == "\u200d" else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for before, letter in zip(" " + line, line, strict=False)
    )


def _is_thin(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me", "Cf")
