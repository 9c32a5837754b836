"""Stored text is data: nothing of it reads as a marker of the recall block or of an agent client (DESIGN 5)."""

from __future__ import annotations

import re
import unicodedata

from remember_me.model.lookalikes import as_latin

MARKER_NAME = "remember-me"

_OPENERS = re.compile(r"[<＜﹤‹«〈⟨〈《≪≺⋖ᐸ˂❮❬⧼⟪]|&(?:lt|laquo|lsaquo|lang|#0*60|#x0*3c)(?![a-z0-9])", re.IGNORECASE)
_AS_LETTERS = str.maketrans("@8310$57", "abeiosst")
"""Digits and signs that stand for letters in a marker that somebody wants to hide."""
_FORGED = (
    "rememberme",
    "systemreminder",
    "systemmessage",
    "imstart",
    "imend",
    "endoftext",
    "endofprompt",
    "antml",
    "functioncalls",
    "functionresults",
    "tooluse",
    "toolresult",
    "userpromptsubmit",
    "sessionstart",
)
"""What markers are called, as a skeleton: ours, those that clients wrap a system's words in, and control tokens."""
_SYSTEM = re.compile(r"\W{0,3}system\W{0,3}>")
_READ_AHEAD = 160


def guard(text: str) -> str:
    """`text` with nothing left that reads as a marker of ours or of a client: what opens one is shown as an escape.

    Case, width, look-alike letters, accents, hidden characters, line breaks and punctuation inside make no difference.
    """
    return _OPENERS.sub(_guarded, text)


def is_forged(text: str) -> bool:
    """Whether something in `text` reads as a marker."""
    return any(_forges(match) for match in _OPENERS.finditer(text))


def _guarded(match: re.Match[str]) -> str:
    if not _forges(match):
        return match.group()
    code = ord(match.group()[0])
    return (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}") + match.group()[1:]


def _forges(match: re.Match[str]) -> bool:
    ahead = match.string[match.end() : match.end() + _READ_AHEAD]
    skeleton = _skeleton(ahead)
    if skeleton.startswith(_FORGED) or skeleton.replace("rn", "m").startswith(_FORGED):
        return True
    return _SYSTEM.match(unicodedata.normalize("NFKC", ahead).casefold()) is not None


def _skeleton(text: str) -> str:
    """The ASCII letters and digits that `text` looks like."""
    plain = as_latin(unicodedata.normalize("NFKD", text.casefold()).casefold()).translate(_AS_LETTERS)
    return "".join(character for character in plain if character.isascii() and character.isalnum())
