"""What an agent saw on an earlier day: the index of the notes as the history has them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from remember_me.app.recall import Asked, counting, moment_of
from remember_me.app.wiring import Session, View
from remember_me.errors import CannotCommit, EntryNotFound
from remember_me.model.entry import Basis, Entry, Tag
from remember_me.notes import layout
from remember_me.policy.decay import decide_decay, last_seen_on
from remember_me.policy.limits import Limits
from remember_me.policy.tiers import is_expired
from remember_me.recall.index import GUESSED, INDEX_TOKENS, OBSERVED, STATED, Index, Line, build_index
from remember_me.store.git import GitFailed
from remember_me.store.snapshot import Snapshot, by_path


def index_at(session: Session, view: View, given: str, environ: Mapping[str, str], asked: Asked) -> Index:
    """The index at the end of that day; how many sessions there had been is not known any more, and does not count.

    Raises EntryNotFound for a day before the store, CannotCommit without git.
    """
    at = moment_of(given, session.now())
    snapshot = _snapshot_at(session, at)
    lines = [
        line
        for entry in snapshot.entries()
        if (line := line_of(entry, at, view.limits)) is not None and _is_seen(line, asked.scopes)
    ]
    tokens = INDEX_TOKENS if asked.tokens is None else asked.tokens
    return build_index(lines, tokens, most_bytes=asked.most_bytes, count=counting(lines, tokens, environ))


def _is_seen(line: Line, scopes: tuple[str, ...] | None) -> bool:
    return scopes is None or not line.scope or line.scope in scopes


def _snapshot_at(session: Session, at: datetime) -> Snapshot:
    store = session.store
    store.settle()
    try:
        commit = store.git.commit_before(int(at.timestamp()))
        if commit is None:
            raise EntryNotFound(
                f"on {at.date()}", kind="state of the store", hint="The store is younger; leave --at out for today."
            )
        files = store.git.tree(commit, ())
        wanted = {path: oid for path, (_, oid) in files.items() if layout.is_note_path(path, store.shape.notes_dir)}
        blobs = store.git.blobs(wanted.values())
    except GitFailed as failure:
        raise CannotCommit(f"git gives no history: {failure.reason}.", hint=failure.hint) from None
    return Snapshot(by_path(store.shape.parse(path, blobs[oid]) for path, oid in wanted.items()))


def line_of(entry: Entry, at: datetime, limits: Limits) -> Line | None:
    """What the index knew of an entry at that moment; None for what it left out."""
    if not entry.live or is_expired(entry, at):
        return None
    confidence, known = None, STATED if entry.validated or entry.basis != Basis.OBSERVED else OBSERVED
    if entry.tag is Tag.HYPOTHESIS:
        decayed = decide_decay(entry, at, limits)
        if decayed is None or decayed.due:
            return None
        confidence, known = decayed.effective.value, known if entry.validated else GUESSED
    seen = last_seen_on(entry)
    return Line(
        entry.id, entry.tag.value, entry.title, entry.description or "", entry.body, entry.signal, confidence,
        entry.impact, entry.scope, entry.pinned, entry.field("facet"), known, seen.isoformat() if seen else "",
        entry.created_on.isoformat() if entry.created_on else "", entry.field("aliases") or "",
        number=entry.line,
    )  # fmt: skip
