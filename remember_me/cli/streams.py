"""The process's own streams: UTF-8 in every locale, and an output that is lost is known as such."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OutputLost(Exception):
    """stdout could not be written. `error` is the reason.

    Not an OSError: so a broken pipe to git is never taken for a reader that has gone, and no handler of
    file errors takes this for one of its own.
    """

    def __init__(self, error: OSError) -> None:
        self.error = error
        super().__init__(str(error))


@contextmanager
def standard_streams() -> Iterator[None]:
    """Within, the streams are UTF-8 and never fail on a character; stdout raises only OutputLost, and what
    stderr cannot take is dropped."""
    _occupy_descriptors()
    before = sys.stdout, sys.stderr
    _reconfigure(sys.stdin, "surrogateescape")
    for stream in before:
        _reconfigure(stream, "backslashreplace")
    if sys.stdout is not None:
        sys.stdout = _Answer(sys.stdout)
    if sys.stderr is not None:
        sys.stderr = _Remarks(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def flush_answer() -> None:
    """Write out what stdout still holds. Raises OutputLost."""
    if sys.stdout is not None:
        sys.stdout.flush()


def drop_answer() -> None:
    """Send what stdout still holds, and all that follows, nowhere: else Python itself complains at exit."""
    _drop(1)


def _drop(descriptor: int) -> None:
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)
    except OSError:
        pass


class _Answer:
    """stdout, but its OSErrors are OutputLost."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: Any) -> int:
        try:
            return int(self._stream.write(text))
        except OSError as error:
            raise OutputLost(error) from error

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError as error:
            raise OutputLost(error) from error

    @property
    def buffer(self) -> _Answer:
        return type(self)(self._stream.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Remarks(_Answer):
    """stderr, which must not make a command fail that has done its work: what it cannot take is dropped."""

    def write(self, text: Any) -> int:
        try:
            return super().write(text)
        except OutputLost:
            _drop(2)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OutputLost:
            _drop(2)


def _reconfigure(stream: Any, errors: str) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors=errors)


def _occupy_descriptors() -> None:
    """Open what the caller has closed (`>&-`), so that no file of ours gets the number 0, 1 or 2, where
    a git child would write into it."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
