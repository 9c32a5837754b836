"""JSON without the package `json`, which loads `re` and takes longer than all that a hook does.

The parser and the writer of strings are the interpreter's own, which `json` itself uses; where an interpreter has them
under other names, `json` is taken.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SPACE = " \t\n\r"


class NotJson(ValueError):
    """What came is no JSON object."""


def parse_object(data: bytes) -> dict[str, object]:
    """The JSON object that `data` is. Raises NotJson for anything else, and for what nests too deeply."""
    try:
        text = data.decode("utf-8", "replace").removeprefix("\ufeff").strip(_SPACE)
        found, end = _scanner()(text, 0)
    except (StopIteration, ValueError, RecursionError, SystemError):
        # SystemError: the interpreter's scanner takes its error from a package that nobody has loaded.
        raise NotJson("no JSON") from None
    if not isinstance(found, dict) or end != len(text):
        raise NotJson("no JSON object")
    return found


def _scanner() -> Callable[[str, int], tuple[object, int]]:
    try:
        from _json import make_scanner
    except ImportError:
        import json

        return json.JSONDecoder(strict=False).raw_decode
    return make_scanner(_Context())  # type: ignore[arg-type]


class _Context:
    """What the interpreter's scanner asks of a decoder."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def render_string(text: str) -> str:
    """`text` as a JSON string. Letters stay as they are: clients count what they get."""
    try:
        from _json import encode_basestring
    except ImportError:
        import json

        return json.dumps(text, ensure_ascii=False)
    return str(encode_basestring(text))
