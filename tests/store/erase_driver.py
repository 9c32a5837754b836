"""An erasure in a process of its own, which may be killed at its n-th step. As a program: ROOT HOME N (0: at none)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from remember_me.model.entry import Entry
from remember_me.model.text import join_title
from remember_me.store.erase import Target, entry_rule, erase
from remember_me.store.git import Git
from remember_me.store.lock import StoreLock
from remember_me.store.shape import Shape

SECRET = "The safe opens with pelican four"
SECRET_ID = "secret1"
LINES = f"- [14:32 +01:00] FACT: {SECRET} ^{SECRET_ID}\n  - impact: 2\n\n  A body about the safe.\n"
LONGEST_WORK_SECONDS = 0.008


def says_it(entry: Entry) -> bool:
    return join_title(entry.title, entry.body).casefold() == SECRET.casefold()


TARGET = Target(ids=frozenset({SECRET_ID}), forgotten=says_it, needles=("pelican",), texts=(SECRET,))


class Steps:
    """Kills this process at the n-th start of git, removal or rename, or the n-th git while it works, and itself."""

    def __init__(self, stop_at: int) -> None:
        self.left = stop_at
        start = Git._start

        def started(git: Git, arguments: tuple[str, ...], stdin: Any) -> subprocess.Popen[bytes]:
            self.step()
            process = start(git, arguments, stdin)
            self.step(process)
            return process

        Git._start = started  # type: ignore[method-assign]
        os.unlink = self.counted(os.unlink)
        os.replace = self.counted(os.replace)

    def step(self, process: subprocess.Popen[bytes] | None = None) -> None:
        self.left -= 1
        if self.left == 0:
            if process is not None:
                time.sleep(random.uniform(0, LONGEST_WORK_SECONDS))
                os.killpg(process.pid, signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(self, action: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: object, **options: object) -> Any:
            self.step()
            return action(*arguments, **options)

        return step


def main(root: str, home: str, stop_at: str) -> None:
    lock = StoreLock(Path(root, ".remember-me", "lock"))
    assert lock.acquire(5)
    environ = {"PATH": os.environ["PATH"], "HOME": home, "GIT_CONFIG_NOSYSTEM": "1"}
    marker = Path(root, ".remember-me", "git-running")
    git = Git(Path(root), environ=environ, marker=marker, pass_fds=lambda: lock.inheritable_fds)
    print("now", flush=True)
    Steps(int(stop_at))
    erase(git, TARGET, entry_rule(Shape(), TARGET), map_path=Path(root, ".remember-me", "erase-map"))


if __name__ == "__main__":
    main(*sys.argv[1:])
