"""The fence that tombstones make, and the key of their hashes (DESIGN sections 3.4, 5)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from remember_me.model.entry import Entry
from remember_me.notes.tombstones import ALLOWED, FORGOTTEN, Tombstone
from remember_me.policy.duplicates import sources, text_of
from remember_me.store.files import Disk, read_regular, write_private

KEY_NAME = "key"
KEY_BYTES = 32
_KEY_LIMIT_BYTES = 1000


class Fence:
    """Tells what must not come in again. Without a key only ids and sources are known."""

    def __init__(self, tombstones: Iterable[Tombstone], key: bytes | None) -> None:
        self.tombstones = tuple(tombstones)
        self.key = key

    @property
    def empty(self) -> bool:
        """Whether it fences nothing."""
        return not self.tombstones

    def digest(self, text: str) -> str | None:
        """The keyed hash of the normal form of a text; None without a key."""
        if self.key is None:
            return None
        import hashlib
        import hmac

        from remember_me.policy.likeness import normal_form

        words = normal_form(text).encode("utf-8", "surrogatepass")
        return hmac.new(self.key, words, hashlib.sha256).hexdigest()

    def find(self, entry: Entry) -> Tombstone | None:
        """What forbids this entry: of its id, else of its text, else, where no text can be known, of its sources."""
        known = self._by_id.get(entry.id)
        if known is not None:
            return None if known.kind == ALLOWED else known
        digest = self.digest(text_of(entry)) if self._by_digest else None
        if digest is not None:
            found = self._by_digest.get(digest)
            return None if found is None or found.kind == ALLOWED else found
        if self.key is None:
            return next((self._by_source[one] for one in sources(entry) if one in self._by_source), None)
        return None

    def forgets(self, entry_id: str) -> bool:
        """Whether the entry of that id was forgotten."""
        known = self._by_id.get(entry_id) if self.tombstones else None
        return known is not None and known.kind == FORGOTTEN

    def hides(self, entry: Entry) -> bool:
        """Whether the entry is not to be served: it says what was forgotten. What was rejected fences agents only."""
        found = self.find(entry) if self.tombstones else None
        return found is not None and found.kind == FORGOTTEN

    # The later tombstone of an id, a text or a source counts.

    @cached_property
    def _by_id(self) -> dict[str, Tombstone]:
        return {one.id: one for one in self.tombstones}

    @cached_property
    def _by_digest(self) -> dict[str, Tombstone]:
        return {digest: one for one in self.tombstones for digest in one.digests}

    @cached_property
    def _by_source(self) -> dict[str, Tombstone]:
        return {source: one for one in self.tombstones if one.kind == FORGOTTEN for source in one.sources}


def load_key(own_folder: Path) -> bytes | None:
    """The key of this store on this machine, or None."""
    try:
        return bytes.fromhex(read_regular(own_folder / KEY_NAME, _KEY_LIMIT_BYTES).decode("ascii")) or None
    except (OSError, ValueError):
        return None


def make_key(own_folder: Path, disk: Disk) -> bytes:
    """The key, made on first use: random, in no git and no export. The store lock must be held. Raises OSError."""
    for half in own_folder.glob(f".{KEY_NAME}.*"):
        half.unlink(missing_ok=True)  # of a killed command
    known = load_key(own_folder)
    if known is None:
        known = os.urandom(KEY_BYTES)
        write_private(own_folder / KEY_NAME, known.hex().encode(), disk)
    return known
