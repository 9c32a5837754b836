"""Letters of other scripts that look like Latin ones, and Latin ones that look like each other."""

from __future__ import annotations

LETTERS: dict[str, str] = {
    "a": "аɑαᴀ",
    "b": "вьъʙƅ",
    "c": "сϲᴄ",
    "d": "ԁᴅ",
    "e": "еєҽəɛэεᴇ",
    "f": "ꜰ",
    "g": "ɡɢ",
    "h": "һнʜ",
    "i": "іιıɪ",
    "j": "јᴊ",
    "k": "кκᴋ",
    "l": "ӏʟ",
    "m": "мϻᴍʍⲙ",
    "n": "пηɴո",
    "o": "оοօσᴏ",
    "p": "рρᴘ",
    "q": "ԛ",
    "r": "гᴦʀⲅ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսцᴜ",
    "v": "νѵᴠ",
    "w": "ѡԝᴡ",
    "x": "хχ",
    "y": "уʏγ",
    "z": "ᴢ",
}
"""Latin letter to the folded letters of Cyrillic, Greek, Armenian, Coptic and small capitals that look like it."""

CAPITALS: dict[str, str] = dict(zip("ABEHKMNPTXYZ", "ΑΒΕΗΚΜΝΡΤΧΥΖ", strict=True))
"""Latin capital to the Greek one that looks like it, whose small letter may look like another one."""

_ALIKE = {"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv"}

_AS_LATIN = {ord(other): letter for letter, others in LETTERS.items() for other in others}
_AS_ONE = str.maketrans(_ALIKE)
_AS_CAPITALS = {ord(other): letter for letter, other in CAPITALS.items()}


def plain_capitals(text: str) -> str:
    """Text that is not folded yet, with Greek capitals as the Latin ones that they look like."""
    return text if text.isascii() else text.translate(_AS_CAPITALS)


def as_latin(folded: str) -> str:
    """Folded text with letters of other scripts as the Latin ones that they look like."""
    return folded if folded.isascii() else folded.translate(_AS_LATIN)


def skeleton(folded: str) -> str:
    """Folded text in which all that looks alike is the same: `paypa1` and `раураl` are."""
    return as_latin(folded).translate(_AS_ONE)
