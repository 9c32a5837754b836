"""What the gateway is asked for, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from remember_me.model.entry import Entry
from remember_me.model.revision import Operation
from remember_me.policy.trust import NO_QUOTE, UNGROUNDED
from remember_me.store.files import Disk


class Resting(NamedTuple):
    """An entry that rests on a text which is another by now, or `pending`, a proposal."""

    id: str
    pending: bool = False


class Applied(NamedTuple):
    """What became of an operation. `entries` are the touched entries as they now stand.

    `committed` is False while the commit waits; then `reason` and `hint` say why. `waiting` means that
    the capture is in the spool and will be written by whoever gets the lock next. `changed` is False where all
    was so already: then there is no operation. `rests_on_it` names what rests on a text that the operation corrected;
    None where it could correct none.
    """

    operation: Operation
    entries: tuple[Entry, ...]
    committed: bool
    reason: str | None = None
    hint: str | None = None
    waiting: bool = False
    changed: bool = True
    rests_on_it: tuple[Resting, ...] | None = None


class Visit(NamedTuple):
    """An interactive session that an operation belongs to, and the scope of what it touches, if that has one."""

    session: str
    scope: str | None = None


class Request(NamedTuple):
    """Who asks for an operation, and what it is called.

    `anyway` overrules the exclusions, never the secrets. `visit` is logged: the rules count sessions. `anew`: a person
    says again what was forgotten. `review` is the setting of what waits, `grounded` that the user's own words carry
    what is new, else `because` says why they do not. `acknowledges` are entries that a person stands behind from now
    on, though nothing of them changes. `answered`: the user answered a check-in, in words that a receipt holds.
    """

    verb: str
    actor: str
    session: str | None = None
    undoes: str | None = None
    redoes: str | None = None
    anyway: bool = False
    visit: Visit | None = None
    anew: bool = False
    review: str = UNGROUNDED
    grounded: bool = False
    because: str = NO_QUOTE
    acknowledges: tuple[str, ...] = ()
    answered: bool = False


class Tools(NamedTuple):
    """What comes in from outside: the clock (aware local time), ids of a given length, the name of the
    machine's time zone, and the disk's effects."""

    now: Callable[[], datetime]
    new_id: Callable[[int], str]
    zone_name: str | None
    disk: Disk
