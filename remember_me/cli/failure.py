"""The one place that turns an error into words, an exit code and, if nobody expected it, a log file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

from remember_me.cli.streams import OutputLost, drop_answer, flush_answer
from remember_me.errors import RememberMeError, WaitsForReview


class Failure(NamedTuple):
    """An error as it is shown; `error` is its name in JSON, where `details` are added."""

    error: str
    message: str
    hint: str | None
    exit_code: int
    details: dict[str, object] | None = None


def tell(error: BaseException, words: list[str]) -> int:
    """Say on stderr what went wrong with the call `words` and return the exit code. Never raises."""
    if isinstance(error, KeyboardInterrupt):
        drop_answer()
        return 130
    if isinstance(error, OutputLost):
        drop_answer()
        if isinstance(error.error, BrokenPipeError):  # the reader has seen enough: `list | head -1`
            return 0
    if isinstance(error, WaitsForReview):
        return _tell_waiting(error, words)
    failure = describe(error)
    try:
        flush_answer()
    except OutputLost:
        drop_answer()
    if sys.stderr is not None:
        sys.stderr.write(_as_json(failure) if asks_for_json(words) else _as_text(failure))
        sys.stderr.flush()
    return failure.exit_code


def _tell_waiting(error: WaitsForReview, words: list[str]) -> int:
    """Answer that a write waits for review: that is done, too."""
    try:
        if asks_for_json(words):
            import json

            print(json.dumps(error.details))
        elif {"--quiet", "-q"} & set(words):
            print(error.proposal)
        else:
            from remember_me.cli.commands import PROGRAM

            print(error)
            print(f"  the user sees it with: {PROGRAM} review {error.proposal}")
        flush_answer()
    except OutputLost:
        drop_answer()
    return error.exit_code


def describe(error: BaseException) -> Failure:
    """The words for any error; one that nobody expected leaves a log file."""
    if isinstance(error, RememberMeError):
        return Failure(_snake(type(error).__name__), str(error), error.hint, error.exit_code, error.details)
    if isinstance(error, OutputLost):
        reason = error.error.strerror or str(error.error)
        return Failure("output_lost", f"could not write the output: {reason}.", None, 1)
    kind = type(error).__name__
    try:
        reason = str(error)
    except Exception:
        reason = ""
    sentence = f"unexpected: {kind}: {reason}" if reason else f"unexpected: {kind}"
    return Failure("unexpected", sentence, _log(error), 1)


def asks_for_json(words: list[str]) -> bool:
    """Whether `--json` stands before a `--`: known even where the line could not be parsed."""
    return "--json" in words[: words.index("--") if "--" in words else None]


def _as_text(failure: Failure) -> str:
    from remember_me.model.text import visible_line

    hint = f"Hint: {visible_line(failure.hint)}\n" if failure.hint else ""
    return f"Error: {visible_line(failure.message)}\n{hint}"


def _as_json(failure: Failure) -> str:
    import json

    document = failure._asdict()
    document |= document.pop("details") or {}
    return json.dumps(document) + "\n"  # ASCII only: nothing hidden reaches a terminal


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _log(error: BaseException) -> str:
    """Write the crash log; returns the hint that says where it is, or why there is none."""
    path = _log_folder() / "crash.log"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as log:
            log.write(_crash_text(error))
    except (OSError, ValueError) as why:
        return f"This is a bug in remember-me; its log could not be written to {path}: {why}"
    return f"This is a bug in remember-me. Where it happened is in {path}"


def _log_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if os.path.isabs(state) else Path(os.path.expanduser("~"), ".local", "state")
    return base / "remember-me"


def _crash_text(error: BaseException) -> str:
    """Versions and the places in the code. Neither the words of the call nor the messages of the errors:
    both can hold text of an entry, and what is forgotten must not live on in a log."""
    import platform
    import traceback

    from remember_me import __version__

    parts = [f"remember-me {__version__}, Python {platform.python_version()}, {platform.platform()}\n"]
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        code = f" (errno {current.errno})" if isinstance(current, OSError) else ""
        parts.append(f"\n{type(current).__module__}.{type(current).__qualname__}{code}, message left out\n")
        parts += traceback.format_tb(current.__traceback__)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "".join(parts)
