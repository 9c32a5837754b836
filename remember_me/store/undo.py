"""Undo and redo: which operation is meant, and the merges that take it back or bring it again.

Undo is per entry, not a textual revert, and undoing again goes further back (DESIGN section 7). What `undoes`
or `redoes` names is an operation, or an operation and one entry of it: then the operation still counts as done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from remember_me.errors import EntryNotFound, InvalidInput, Refused
from remember_me.model.change import Change, Merge
from remember_me.model.revision import EDITOR, Operation
from remember_me.store.history import FOREIGN_VERB, NoteState

INIT_VERB = "init"
FORGET_VERB = "forget"
UNDO_VERB, REDO_VERB = "undo", "redo"
ASK_VERB = "ask"
"""A check-in that only wrote down that it asked: nobody means that by `undo` alone."""


def with_state(newest_first: Iterable[Operation], entry: str | None = None) -> Iterator[tuple[Operation, bool]]:
    """Each operation and whether it is undone now, as a whole or for `entry`.

    The last undo or redo of it decides, and both are newer.
    """
    decided: dict[str, bool] = {}
    for operation in newest_first:
        yield operation, decided.get(operation.id, False)
        named = operation.redoes or operation.undoes
        if named:
            decided.setdefault(named.removesuffix(f" {entry}") if entry else named, not operation.redoes)


def next_to_undo(newest_first: Iterable[Operation]) -> Operation:
    """The newest operation that is not an editor's, an undo, a redo or undone. Raises EntryNotFound."""
    for operation, undone in with_state(newest_first):
        if _is_ours(operation) and not undone and not (operation.undoes or operation.redoes or _is_question(operation)):
            return operation
    raise NothingLeft("undo")


def _is_question(operation: Operation) -> bool:
    return operation.verb == ASK_VERB


def next_to_redo(newest_first: Iterable[Operation]) -> tuple[Operation, str | None]:
    """What was undone last, as long as nothing new was done since: (operation, its entry or None for all).

    Raises EntryNotFound.
    """
    operations = list(newest_first)
    decided: dict[str, bool] = {}
    for operation in operations:
        if operation.redoes:
            decided.setdefault(operation.redoes, False)
        elif operation.undoes:
            if decided.setdefault(operation.undoes, True):
                return _linked(operations, operation.undoes)
        elif _is_ours(operation) and not _is_question(operation):
            break
    raise NothingLeft("redo")


def resolve(operation: Operation, operations: Iterable[Operation]) -> tuple[Operation, str | None, bool]:
    """(the operation meant, its entry or None for all, whether to redo it) for an operation named to `undo`.

    Undoing an undo is a redo. Raises InvalidInput for the start of the store, Refused for what was forgotten.
    """
    if operation.verb == INIT_VERB:
        raise InvalidInput(
            f"{operation.id} started the store, and that cannot be undone.",
            hint="Delete the folder of the store to be rid of it.",
        )
    if operation.verb == FORGET_VERB:
        raise Refused(
            "forgotten", f"{operation.id} forgot {' '.join(operation.entries)}, and that cannot be undone.",
            hint="Say it anew with `remember-me add --anew`.",
        )  # fmt: skip
    if operation.undoes:
        return *_linked(operations, operation.undoes), True
    if operation.redoes:
        return *_linked(operations, operation.redoes), False
    return operation, None, False


def link(operation: Operation, entry: str | None) -> str:
    """How an undo or redo names its target; `entry` limits it to one of several entries."""
    return operation.id if entry is None or operation.entries == (entry,) else f"{operation.id} {entry}"


def merges(states: Iterable[NoteState], *, redo: bool, only: str | None, overwrite: bool) -> list[Change]:
    """The changes that take an operation back, or with `redo` bring it again."""
    return [
        Merge(
            state.path,
            base=state.before if redo else state.after,
            target=state.after if redo else state.before,
            only=only,
            overwrite=overwrite,
        )
        for state in states
    ]


class NothingLeft(EntryNotFound):
    """There is no operation left to undo or redo."""

    def __init__(self, verb: str) -> None:
        super().__init__(verb)
        self.args = (f"There is nothing to {verb}.",)
        self.hint = "`remember-me log` shows the operations; name one to take it back out of order."


def _is_ours(operation: Operation) -> bool:
    return operation.actor != EDITOR and operation.verb not in (INIT_VERB, FORGET_VERB, FOREIGN_VERB)


def _linked(operations: Iterable[Operation], named: str) -> tuple[Operation, str | None]:
    wanted, _, entry = named.partition(" ")
    for operation in operations:
        if operation.id == wanted:
            return operation, entry or None
    raise EntryNotFound(wanted, kind="operation", hint="`remember-me log` shows the operations.")
