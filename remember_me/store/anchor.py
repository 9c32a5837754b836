"""The anchor: where the history stood after our last operation, kept outside of the store (DESIGN section 5).

Whoever changes or puts back a store can make its own files agree with each other; this one tells that they are not as
they were left. It guards against nothing that has the user's own rights everywhere.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from remember_me.store.files import Disk, read_regular, write_private
from remember_me.store.git import Git, GitFailed
from remember_me.store.gitwords import is_object_id

CONTEXTS_NAME = "contexts.json"
"""The registry of the files that are kept up to date, in the same folder: see contexts.py."""

_FOLDER = "anchors"
_LIMIT_BYTES = 10_000
_NAME_CHARACTERS = 24


class Moved(NamedTuple):
    """How the history stands to the anchor. `commits` were made by others since; `rewritten` says that what we
    committed last is no longer part of it."""

    commits: int = 0
    rewritten: bool = False


class Anchor:
    """The anchor of the store at the real path `root`; `folder` is our folder in the user's state."""

    def __init__(self, folder: Path, root: Path, disk: Disk) -> None:
        name = hashlib.sha256(os.fsencode(root)).hexdigest()[:_NAME_CHARACTERS]
        self.path = folder / _FOLDER / f"{name}.json"
        self.root = root
        self.disk = disk

    def set(self, commit: str | None) -> None:
        """The history stands there now. Where that cannot be written, nothing is: no write waits for it."""
        if commit is None or commit == self.load():
            return
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            document = json.dumps({"store": os.fspath(self.root), "commit": commit})
            write_private(self.path, document.encode(), self.disk, sync=False)
        except OSError:
            return

    def load(self) -> str | None:
        """The commit of the last operation, or None where that is not known."""
        try:
            found = json.loads(read_regular(self.path, _LIMIT_BYTES))["commit"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if isinstance(found, str) and is_object_id(found) else None

    def compare(self, git: Git, head: str | None) -> Moved:
        """How the branch at `head` stands to the anchor. Raises GitFailed."""
        known = self.load()
        if known is None or known == head:
            return Moved()
        if head is None:
            return Moved(rewritten=True)
        try:
            listed = git.ask("rev-list", "--count", head, f"^{known}", "--")
            git.ask("merge-base", "--is-ancestor", known, head)
        except GitFailed:
            return Moved(rewritten=True)  # the commit is gone, or lies beside the branch
        return Moved(commits=int(listed))


def state_folder(environ: Mapping[str, str], home: Path) -> Path:
    """Our folder in the user's state (XDG)."""
    configured = environ.get("XDG_STATE_HOME", "")
    base = Path(configured) if os.path.isabs(configured) else home / ".local" / "state"
    return base / "remember-me"
