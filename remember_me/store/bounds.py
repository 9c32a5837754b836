"""The project that an agent works in holds for its writes too: it makes and touches entries of no other one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from remember_me.model.change import Add, Change

if TYPE_CHECKING:
    from remember_me.store.plan import Plan
    from remember_me.store.reader import Reader


def check_changes(reader: Reader, changes: Sequence[Change]) -> None:
    """Raise Refused for a new entry of another project than the agent's, also where it will wait in the spool."""
    for change in changes:
        if isinstance(change, Add) and (scope := dict(change.fields).get("scope")):
            reader.check_scope(scope)


def check_plan(reader: Reader, plan: Plan) -> None:
    """Raise Refused where the plan touches an entry of another project than the agent's, as it was or will be."""
    if reader.bound_to is None:
        return
    for path in plan.touched:
        for data in (plan.before[path], plan.after[path]):
            for entry in reader.shape.parse(path, data or b"").entries:
                if entry.id in plan.entries and entry.scope is not None and reader.hides(entry):
                    reader.check_scope(entry.scope)
