"""Programs that a use case starts: our own, detached; and those of agent clients, asked for their version."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence

_MOST_BYTES = 10_000


def start_detached(words: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Start this program with `words` in a session of its own, all its streams on the null device, and do not wait.

    -P: nothing of the current folder is imported. Whether it could be started; nothing depends on it.
    """
    null = -1
    try:
        null = os.open(os.devnull, os.O_RDWR)
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-P", "-m", "remember_me", *words],
            dict(environ),
            file_actions=[(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)],
            setsid=True,
        )
    except OSError:
        return False
    finally:
        if null >= 0:
            os.close(null)
    return True


def ask_program(words: Sequence[str], environ: Mapping[str, str], seconds: float) -> str | None:
    """The first line that a program prints, stdin closed; None where it is not there, fails or takes too long."""
    import subprocess

    try:
        process = subprocess.Popen(
            list(words),
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    with process:
        try:
            out, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            out = b""
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)  # with what it started, which would hold our pipe
    lines = out[:_MOST_BYTES].decode("utf-8", "replace").strip().splitlines()
    return lines[0].strip() if lines and process.returncode == 0 else None
