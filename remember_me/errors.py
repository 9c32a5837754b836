"""Every error raised on purpose; each class carries its exit code and a hint (DESIGN section 8)."""

from __future__ import annotations


class RememberMeError(Exception):
    """The base: `str()` is one full sentence for a person, `hint` the next step or None.

    `details` are what `--json` says beyond that: plain values by their key.
    """

    exit_code = 1
    hint: str | None = None
    details: dict[str, object] | None = None

    def __init__(self, sentence: str, *, hint: str | None = None) -> None:
        super().__init__(sentence)
        if hint is not None:
            self.hint = hint


class InvalidInput(RememberMeError):
    """What was given cannot be used as it is: a bad option, an empty text, a setting out of range."""

    exit_code = 2


class EntryNotFound(RememberMeError):
    """No entry, operation or note has that name."""

    exit_code = 3

    def __init__(self, given: str, *, kind: str = "entry", hint: str | None = None) -> None:
        self.given = given
        super().__init__(f"There is no {kind} {shorten(given)}.", hint=hint)


class AmbiguousId(RememberMeError):
    """A prefix that several entries share."""

    exit_code = 3

    def __init__(self, given: str, candidates: tuple[str, ...]) -> None:
        self.given = given
        self.candidates = candidates
        self.details = {"candidates": list(candidates)}
        shown = ", ".join(candidates[:5]) + (", …" if len(candidates) > 5 else "")
        super().__init__(
            f"{shorten(given)} fits {len(candidates)} entries: {shown}.",
            hint="Give one more character of the id.",
        )


class Refused(RememberMeError):
    """A rule says no. `rule` is the name that `status` counts; the sentence gives it in brackets."""

    exit_code = 4

    def __init__(self, rule: str, sentence: str, *, hint: str | None = None) -> None:
        self.rule = rule
        self.details = {"rule": rule}
        super().__init__(f"{sentence.removesuffix('.')} [{rule}].", hint=hint)


class WaitsForReview(RememberMeError):
    """A write became a proposal: `proposal` is its id. For an agent that is done (0), for a script it is not (5).

    `target` is the entry that it would change, or None for a new one; `because` says why it waits.
    """

    exit_code = 5

    def __init__(self, proposal: str, verb: str, target: str | None, because: str, *, is_done: bool) -> None:
        self.proposal = proposal
        self.exit_code = 0 if is_done else 5
        self.details = {
            "id": proposal, "state": "pending", "verb": verb, "target": target, "because": because,
        }  # fmt: skip
        what = f"the change of ^{target}" if target is not None else "it"
        super().__init__(f"Waits for review: {verb} ^{proposal}; {because}, so {what} counts once it is kept.")


class CannotCommit(RememberMeError):
    """Undo, redo, erase or sync needs git, and git did not do it."""

    exit_code = 6


class EditConflict(RememberMeError):
    """A hand edit stands in the way; both versions are kept."""

    exit_code = 7


class StoreDamaged(RememberMeError):
    """The store, or one of its notes, cannot be used as it is, or the folder is not a store."""

    exit_code = 8


class WriteFailed(RememberMeError):
    """The operating system refused a write; the note has its old bytes."""

    exit_code = 8

    def __init__(self, path: str, reason: str, *, hint: str | None = None) -> None:
        self.path = path
        super().__init__(f"Could not write {path}: {reason}. Nothing was changed.", hint=hint)


class ErasedElsewhere(RememberMeError):
    """Erased here, but copies are known elsewhere."""

    exit_code = 9


class FoundProblems(RememberMeError):
    """`doctor` or `fmt --check` found something."""

    exit_code = 10


def shorten(given: str, limit: int = 60) -> str:
    """`given` cut to `limit` characters, for a sentence that quotes what was typed; in quotes where it is blank."""
    if not given.strip():
        return f"'{given[:limit]}'"
    return given if len(given) <= limit else given[: limit - 1] + "…"
