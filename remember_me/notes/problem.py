"""What is wrong with a note, as a value: reading never raises (DESIGN 3.3)."""

from __future__ import annotations

from typing import NamedTuple


class Problem(NamedTuple):
    """`line` and `column` are 1-based; None where the whole file is meant."""

    path: str
    line: int | None
    column: int | None
    reason: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        return f"{place}: {self.reason}"
