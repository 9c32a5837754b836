"""Quote what YAML refuses in a front matter, so that every reader gives what is read here leniently. Pure."""

from __future__ import annotations

from remember_me.notes.frontmatter import FrontMatter, Key, parse_front_matter
from remember_me.notes.yamlblock import render_scalar

_MOST = 20


def mend_front_matter(text: str, path: str) -> str | None:
    """The note with the refused values in quotes; None where that does not help, or nothing is refused.

    Only the characters of such a value change, and each key says afterwards what it was read as before.
    """
    before = parse_front_matter(text, path)
    if before is None or not before.lenient:
        return None
    front: FrontMatter | None = before
    for _ in range(_MOST):
        quoted = next((one for key in _refused(front) if (one := _quoted(text, key)) is not None), None)
        if quoted is None:
            return None
        text = quoted
        front = parse_front_matter(text, path)
        if front is None or not front.lenient:
            break
    same = front is not None and not front.lenient and _says_the_same(before, front)
    return text if same else None


def _says_the_same(before: FrontMatter, after: FrontMatter) -> bool:
    """Whether each text is as it was read; a list, of which YAML gave nothing before, may be one now."""
    pairs = zip(before.keys, after.keys, strict=False)
    same = all(
        one.name == two.name and (one.value == two.value or not isinstance(two.value, str)) for one, two in pairs
    )
    return same and len(before.keys) == len(after.keys)


def _refused(front: FrontMatter | None) -> list[Key]:
    """The keys at or above the line that YAML stumbles over, the nearest first: a quote that is never closed is noticed
    further down."""
    if front is None:
        return []
    lines = [problem.line for problem in front.problems if problem.line is not None]
    return [key for key in reversed(front.keys) if lines and key.line <= lines[-1]]


def _quoted(text: str, key: Key) -> str | None:
    """The note with the value of a key of one line in quotes; None where it has no such value."""
    line = text[key.start : key.end].rstrip(" \t\r")
    if not isinstance(key.value, str) or not key.value or "\n" in line or not line.endswith(key.value):
        return None
    start = key.start + len(line) - len(key.value)
    quoted = render_scalar(key.value)
    return None if quoted == key.value else text[:start] + quoted + text[start + len(key.value) :]
