"""Undo and redo: which operation is meant, and the merges that take it back or bring it again.

Undo is per entry, not a textual revert, and undoing again goes further back (DESIGN section 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from remember_me.errors import EntryNotFound
from remember_me.model.change import Change, Merge
from remember_me.model.revision import EDITOR, Operation
from remember_me.store.history import FOREIGN_VERB, NoteState

INIT_VERB = "init"
UNDO_VERB, REDO_VERB = "undo", "redo"


def with_state(newest_first: Iterable[Operation]) -> Iterator[tuple[Operation, bool]]:
    """Each operation and whether it is undone now: the last undo or redo of it decides, and both are newer."""
    decided: dict[str, bool] = {}
    for operation in newest_first:
        yield operation, decided.get(operation.id, False)
        if operation.redoes:
            decided.setdefault(operation.redoes, False)
        elif operation.undoes:
            decided.setdefault(operation.undoes, True)


def next_to_undo(newest_first: Iterable[Operation]) -> Operation:
    """The newest operation that is not an editor's, an undo, a redo or undone. Raises EntryNotFound."""
    for operation, undone in with_state(newest_first):
        if _is_ours(operation) and not undone and not (operation.undoes or operation.redoes):
            return operation
    raise NothingLeft("undo")


def next_to_redo(newest_first: Iterable[Operation]) -> Operation:
    """The operation that was undone last, as long as nothing new was done since. Raises EntryNotFound."""
    operations = list(newest_first)
    decided: dict[str, bool] = {}
    for operation in operations:
        if operation.redoes:
            decided.setdefault(operation.redoes, False)
        elif operation.undoes:
            if decided.setdefault(operation.undoes, True):
                return _by_id(operations, operation.undoes)
        elif _is_ours(operation):
            break
    raise NothingLeft("redo")


def resolve(operation: Operation, operations: Iterable[Operation]) -> tuple[Operation, bool]:
    """(the operation meant, whether to redo it) for an operation named to `undo`: undoing an undo is a redo."""
    if operation.undoes:
        return _by_id(operations, operation.undoes), True
    if operation.redoes:
        return _by_id(operations, operation.redoes), False
    return operation, False


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
    return operation.actor != EDITOR and operation.verb not in (INIT_VERB, FOREIGN_VERB)


def _by_id(operations: Iterable[Operation], wanted: str) -> Operation:
    for operation in operations:
        if operation.id == wanted:
            return operation
    raise EntryNotFound(wanted, kind="operation", hint="`remember-me log` shows the operations.")
