"""Erasing from a long history: CPU seconds, children included. By hand: python tests/benchmarks/erasure.py [N ...]

With --command it is `remember-me forget`, on a store that has the secret wherever something may keep it, too, and what
is left is checked; without, the engine alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from remember_me.model.entry import Entry
from remember_me.model.text import join_title
from remember_me.store.erase import Target, entry_rule, erase, plan_erasure, prove
from remember_me.store.git import Git
from remember_me.store.shape import Shape
from tests.cli_runner import trust_scripts
from tests.conftest import seal
from tests.shared import SHARED
from tests.store.erase_setting import ERASED_ELSEWHERE, QUOTE, SECRET, SECRET_ID, Setting, stream


def build(root: Path, commits: int, at: int, *, loose: bool, promoted: bool) -> Git:
    """A store with that history, packed or as loose objects."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    (root / ".remember-me").mkdir(parents=True)
    limit = "-c", f"fastimport.unpackLimit={10**9 if loose else 1}"
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, env=environ, check=True)
    data = b"".join(stream(commits, at, promoted=promoted))
    subprocess.run(["git", *limit, "fast-import", "--quiet"], cwd=root, env=environ, input=data, check=True)
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, env=environ, check=True)
    if not loose:
        subprocess.run(["git", "gc", "-q"], cwd=root, env=environ, check=True)
    return Git(root, environ=environ, marker=root / ".remember-me" / "git-running")


def target() -> Target:
    """What forgetting the secret looks for."""

    def same(entry: Entry) -> bool:
        return join_title(entry.title, entry.body).casefold() == SECRET.casefold()

    return Target(frozenset({SECRET_ID}), same, ("calendar",), (SECRET, QUOTE))


def measured(what: str, action: Callable[[], object]) -> None:
    """Runs and prints CPU seconds of this process, of its children, and wall seconds."""
    before, began = os.times(), time.monotonic()
    result = action()
    after = os.times()
    own = after.user + after.system - before.user - before.system
    children = after.children_user + after.children_system - before.children_user - before.children_system
    wall = time.monotonic() - began
    print(
        f"  {what:8} {own + children:6.2f} CPU s ({own:.2f} own, {children:.2f} of children), {wall:.2f} s"
        f"  {str(result)[:90]}"
    )


def measure(commits: int, share: float, *, loose: bool = False, promoted: bool = False) -> None:
    """Plans, erases and proves in one store."""
    print(
        f"{commits} commits, secret at {share:.0%}, {'loose' if loose else 'packed'}{', promoted' if promoted else ''}:"
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "store")
        git, rule = (
            build(root, commits, int(commits * share), loose=loose, promoted=promoted),
            entry_rule(Shape(), target()),
        )
        measured("plan", lambda: plan_erasure(git, target(), rule)._replace(foreign_paths=()))
        measured("erase", lambda: erase(git, target(), rule, map_path=root / ".remember-me" / "erase-map"))
        measured("prove", lambda: prove(git, [SECRET], [root / "memory"]))
        subprocess.run(["git", "-C", os.fspath(root), "fsck", "--strict", "--full", "--no-dangling"], check=True)


def measure_command(commits: int, share: float, *, promoted: bool = False) -> None:
    """Forgets through the command, and checks that what has to go is gone and that the rest is as it was."""
    print(f"{commits} commits, secret at {share:.0%}{', promoted' if promoted else ''}:")
    with tempfile.TemporaryDirectory() as folder:
        made = Setting(Path(folder))
        made.build(commits, int(commits * share), promoted=promoted)
        made.hide_in_git()
        made.hide_beside_git()
        places = made.hide_out_of_reach()
        number, expected = len(made.commits()), made.states(expected=True)
        measured("forget", lambda: _forgotten(made))
        after = made.states()
        assert len(after) == number + 1
        assert [state for state in after if b"remember-me: forget" not in state.head] == expected
        for file in places.values():
            file.unlink()
        assert made.holding() == []
        assert made.fsck() == ""
        script = SHARED / "tools" / "erasure_check.sh"
        if script.exists():
            assert made.checked_by_another_hand(script) == ""
        print(f"  {number} commits as they were but for the secret, and one more; 0 hits{_by(script)}; fsck is clean")


def _forgotten(made: Setting) -> str:
    done = made.forget()
    assert done.code == ERASED_ELSEWHERE, done.err
    return done.out.splitlines()[-1]


def _by(script: Path) -> str:
    return f" by {script.name}, too" if script.exists() else ""


def main(arguments: list[str]) -> None:
    """Measures each number of commits with the secret early and late."""
    command = "--command" in arguments
    for size in [int(word) for word in arguments if word != "--command"] or [1_000, 10_000]:
        for share in (0.1, 0.9):
            if command:
                measure_command(size, share)
            else:
                measure(size, share)
                measure(size, share, loose=True)
        (measure_command if command else measure)(size, 0.1, promoted=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        seal(Path(home))
        trust_scripts(Path(home))
        os.environ["REMEMBER_ME_TEST_PROCESSES"] = "real"
        main(sys.argv[1:])
