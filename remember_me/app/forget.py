"""Forget: out of the notes and of all that is derived from them, fenced, and then out of git's history (DESIGN 5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

from remember_me.app.grounding import receipts_of
from remember_me.app.proposals import RESTORE_VERB, may_see
from remember_me.app.wiring import Session
from remember_me.errors import EntryNotFound, InvalidInput
from remember_me.model.change import Forget
from remember_me.model.entry import Entry
from remember_me.notes.problem import Problem
from remember_me.notes.tombstones import FORGOTTEN, REJECTED, Tombstone, render_tombstone
from remember_me.policy.duplicates import fold, sources, text_of
from remember_me.policy.likeness import is_own, is_telling, normal_form
from remember_me.store.fence import Fence, make_key
from remember_me.store.files import write_failed
from remember_me.store.proposals import PENDING, Proposal, entry_of
from remember_me.store.reader import OWN_FOLDER
from remember_me.store.store import Applied
from remember_me.store.tables import RECEIPTS_NAME
from remember_me.store.undo import FORGET_VERB

if TYPE_CHECKING:
    from remember_me.app.proposals import Card


class Wanted(NamedTuple):
    """What to forget: entries by their ids, those that contain a text, those that came from a session or message."""

    ids: tuple[str, ...] = ()
    match: str | None = None
    source: str | None = None


class Found(NamedTuple):
    """Every occurrence of what is to be forgotten, in the order of the notes, and the notes that could not be read.

    `match` is the text by which they were looked for, or None: it goes from whatever we keep beside the notes, too.
    `source` is the session or message, whose turns are not looked through any more.
    """

    entries: tuple[Entry, ...]
    unread: tuple[Problem, ...]
    match: str | None = None
    source: str | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.id for entry in self.entries))

    @property
    def texts(self) -> tuple[str, ...]:
        """What must be gone: what the entries say, and the quotes that they stand on, but not a mere `yes`."""
        said = [text_of(entry) for entry in self.entries]
        quoted = [one.quote for entry in self.entries for one in entry.evidence if is_own(one.quote)]
        return tuple(dict.fromkeys(text for text in (*said, *quoted) if text.strip()))


def find(session: Session, wanted: Wanted) -> Found:
    """Raises EntryNotFound for an unknown id and where nothing matches, InvalidInput where nothing was named."""
    if not (wanted.ids or wanted.match or wanted.source):
        raise InvalidInput("Nothing to forget was named.", hint="Give an id, --match TEXT or --source SESSION.")
    session.store.settle()  # what waits in the spool is to be found, too
    every, unread = _everything(session)
    ids = {_id_of(session, every, given) for given in wanted.ids}
    if wanted.match is not None:
        ids |= {entry.id for entry in every if _contains(entry, wanted.match)}
    if wanted.source is not None:
        ids |= {entry.id for entry in every if _is_from(entry, wanted.source)}
    if not ids:
        given = wanted.match or wanted.source or ""
        raise EntryNotFound(given, kind="entry with", hint="`remember-me search` looks in all words.")
    same = _sameness([entry for entry in every if entry.id in ids])
    return Found(tuple(entry for entry in every if entry.id in ids or same(entry)), unread, wanted.match, wanted.source)


def standing(session: Session, ids: Sequence[str], said: Iterable[str] = ()) -> Found:
    """Every occurrence of these ids that still stands in a note or waits, and what without an id says one of `said`."""
    every, unread = _everything(session)
    forms = {normal_form(text) for text in said}
    found = [one for one in every if one.id in ids or (one.provisional and normal_form(text_of(one)) in forms)]
    return Found(tuple(found), unread)


def _everything(session: Session) -> tuple[list[Entry], tuple[Problem, ...]]:
    """Every occurrence of every entry, also of what a tombstone hides and of what waits for review."""
    store = session.store
    found, unread = store.entries_on_disk()
    for proposal in store.proposals.all():
        seen = isinstance(proposal, Proposal) and may_see(session, proposal)
        entry = entry_of(proposal, store.shape) if isinstance(proposal, Proposal) and seen else None
        if isinstance(entry, Entry):
            found.append(entry._replace(id=proposal.id, note=f"{PENDING}/{proposal.id}.md"))
    return [entry for entry in found if not store.hides(entry)], unread


def _id_of(session: Session, every: Sequence[Entry], given: str) -> str:
    wanted = given.removeprefix("^").lower()
    if any(entry.id == wanted for entry in every):
        return wanted
    return session.store.find(given).entry.id


def _contains(entry: Entry, text: str) -> bool:
    wanted = fold(text)
    return any(wanted in fold(said) for said in (text_of(entry), *(value for _, value in entry.fields)))


def _is_from(entry: Entry, source: str) -> bool:
    named = {entry.session, *sources(entry)}
    return any(name is not None and (name == source or name.startswith(f"{source}/")) for name in named)


def _sameness(entries: Iterable[Entry]) -> Callable[[Entry], bool]:
    """Whether an entry says the same as one of `entries`, in normal form."""
    forms = {normal_form(text_of(entry)) for entry in entries}
    return lambda entry: normal_form(text_of(entry)) in forms


def forget(session: Session, found: Found) -> Applied:
    """Take the entries out of the notes in one operation, and out of everything of ours that can hold their text.

    What they said is fenced from then on. The history is another matter: see `erase`.
    """
    applied = session.store.apply([_change(session, found, FORGOTTEN)], session.request(FORGET_VERB))
    if found.source is not None:
        session.agent_sessions.forget(found.source)
    clear_parts(session, found.ids, (*found.texts, found.match or ""))
    return applied


def _change(session: Session, found: Found, kind: str) -> Forget:
    fence = _keyed(session)
    at = session.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines: list[str] = []
    for entry_id in found.ids:
        entries = [entry for entry in found.entries if entry.id == entry_id]
        name = session.new_entry_id() if entries[0].provisional else entry_id
        digests = dict.fromkeys(digest for entry in entries if (digest := fence.digest(text_of(entry))) is not None)
        origins = dict.fromkeys(source for entry in entries for source in sources(entry))
        lines.append(render_tombstone(Tombstone(at, name, kind, tuple(digests), tuple(origins))))
    return Forget(found.ids, _sameness(found.entries), tuple(lines))


def _keyed(session: Session) -> Fence:
    try:
        with session.store.locked():
            return Fence((), make_key(session.store.own_folder, session.store.tools.disk))
    except OSError as error:
        raise write_failed(f"{OWN_FOLDER}/key", error) from None


def rejected(session: Session, card: Card) -> Applied:
    """Fence the text of a card for agents; an entry that counts already is taken out of the notes."""
    assert card.entry is not None
    found = Found((card.entry._replace(id=card.id),), ())
    change = _change(session, found, REJECTED)._replace(says_the_same=lambda entry: False)  # others' words stay
    if card.proposal is not None:
        change = change._replace(ids=())
    return session.store.apply([change], session.request(RESTORE_VERB)._replace(acknowledges=(card.id,)))


@contextmanager
def _reported(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise write_failed(f"{OWN_FOLDER}/{name}", error) from None


def clear_parts(session: Session, ids: Collection[str], texts: Iterable[str]) -> None:
    """Take the texts out of what we keep beside the notes: proposals, receipts, the cache, and files of clients.

    A file of a client that cannot be changed is named by `erase`.
    """
    from remember_me.app.contextfile import refresh_all
    from remember_me.recall.cache import Cache

    store = session.store
    forms = [form for text in texts if (form := normal_form(text))]

    def matches(text: str) -> bool:
        said = normal_form(text)
        return any(_stands_in(form, said) for form in forms) or any(entry_id in text for entry_id in ids)

    store.proposals.forget(matches)
    with _reported(RECEIPTS_NAME):
        receipts_of(session).clear()  # the user may have put it in any words
    Cache(store).drop()
    refresh_all(session)


def _stands_in(form: str, said: str) -> bool:
    """Whether a normal form stands in another one; one that is no more than a word or two, as whole words."""
    if is_telling(form) or not form.isascii():
        return form in said
    return f" {form} " in f" {said} "
