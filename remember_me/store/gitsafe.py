"""How git is called so that nothing that a repository or a machine configures runs (DESIGN section 5)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping

from remember_me.store.gitwords import GitFailed, GitProblem

# Off is whatever could run a program or use the network.
_OFF = (
    "core.hooksPath=/dev/null",
    # Hooks that are configured (git 2.54) live beside core.hooksPath. These are the events that our commands
    # raise; git 2.54 itself lacks this switch, for it see switched_off.
    "hook.reference-transaction.enabled=false",
    "hook.post-index-change.enabled=false",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.askPass=",
    "credential.helper=",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
)
_SETTINGS = (
    # A power cut must not leave a branch that points at an empty object.
    "core.fsync=committed,reference",
    # Small commits become loose objects, as git's own do, and not a pack each.
    "fastimport.unpackLimit=100",
    "core.untrackedCache=keep",
    # What we read of messages is UTF-8, whatever the person's terminal likes.
    "i18n.logOutputEncoding=UTF-8",
)
OPTIONS = ("--no-pager", *(part for setting in (*_OFF, *_SETTINGS) for part in ("-c", setting)))


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """A copy for git: no inherited GIT_* variable, no prompts, no network, English messages.

    Kept is GIT_TEST_ASSUME_DIFFERENT_OWNER, a switch of git's own that only makes it stricter.
    """
    kept = {
        key: value
        for key, value in environ.items()
        if not key.upper().startswith("GIT_") or key == "GIT_TEST_ASSUME_DIFFERENT_OWNER"
    }
    return kept | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        # protocol.allow loses to protocol.ext.allow of the repository; this wins over both.
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }


def switched_off(keys: Iterable[str]) -> dict[str, str]:
    """Variables for git that switch off by name what has no switch of its own. `keys` are what is configured.

    A filter may run whenever the staging area is written: git then compares files as young as it is.
    """
    off: dict[str, str] = {}
    for key in keys:
        kind, _, name = key.rpartition(".")[0].partition(".")
        if kind == "hook" and name:
            off[f"hook.{name}.enabled"] = "false"
        elif kind == "filter" and name:
            off |= {f"filter.{name}.{what}": "" for what in ("clean", "smudge", "process")}
            off[f"filter.{name}.required"] = "false"
    # In the environment, since `-c` cannot carry a name with "=".
    variables = {"GIT_CONFIG_COUNT": str(len(off))}
    for number, (key, value) in enumerate(off.items()):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


def program(environ: Mapping[str, str]) -> str:
    """The git program. A relative folder in PATH would be one in the store, so it does not count."""
    name = "git.exe" if sys.platform == "win32" else "git"
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise no_git()


def no_git() -> GitFailed:
    """There is no git program."""
    return GitFailed(GitProblem.NO_GIT, "git was not found on this machine", hint="Install git.")
