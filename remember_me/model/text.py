"""Normal forms of what people type: line ends, titles, and how hidden characters are shown."""

from __future__ import annotations

import re
import unicodedata

TITLE_CHARACTERS = 200
"""A text of one line up to this length is a title; a longer one becomes a body (DESIGN 3.1)."""

_OUTER_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+|(?:\n[ \t]*)+\Z")
_SENTENCE_END = re.compile(r"[.!?。!?](?=[ \t]|$)")

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"
_EMOJI_PARTS = "\ufe0f\u20e3"


def normalize_text(given: str) -> str:
    """`given` with LF line ends (CRLF and a lone CR become LF) and without outer blank lines."""
    text = given.replace("\r\n", "\n").replace("\r", "\n")
    text = _OUTER_BLANK_LINES.sub("", text)
    return "" if not text.strip(" \t\n") else text


def split_title(text: str) -> tuple[str, str]:
    """(title, body) of a normalized, non-empty text (DESIGN 3.1).

    One line of up to `TITLE_CHARACTERS` without outer white space is the title and there is no body.
    Otherwise the body is the whole text and the title is its first line, first sentence, or as many
    words as fit, so that nothing of the text is lost.
    """
    if "\n" not in text and len(text) <= TITLE_CHARACTERS and text == text.strip(" \t"):
        return text, ""
    first = text.split("\n", 1)[0].strip(" \t")
    if len(first) <= TITLE_CHARACTERS:
        return first, text
    end = _SENTENCE_END.search(first, 0, TITLE_CHARACTERS)
    if end is not None:
        return first[: end.end()], text
    cut = first[: TITLE_CHARACTERS - 1]
    space = cut.rfind(" ")
    return (cut[:space].rstrip(" \t") if space > TITLE_CHARACTERS // 2 else cut) + "…", text


def join_title(title: str, body: str) -> str:
    """The text that an entry stands for: the inverse of `split_title`, also for hand-written bodies."""
    if not body:
        return title
    return body if split_title(body)[0] == title else f"{title}\n\n{body}"


def is_blank(line: str) -> bool:
    """Whether a line holds nothing but spaces, tabs and its own line end."""
    return not line.strip(" \t\r\n")


def one_line(text: str) -> str:
    """`text` with each run of line ends and tabs as one space, for a field value."""
    return re.sub(r"[\r\n\t]+ *", " ", text).strip(" ")


def visible(text: str) -> str:
    """`text` with control, bidi, zero-width and tag characters as escapes (DESIGN section 5).

    Line feeds and tabs stay; so do joiners where they belong: inside Arabic and Indic words and emoji.
    """
    return _HIDDEN.sub(_escape, text)


def visible_line(text: str) -> str:
    """Like `visible`, for one line of output: line feeds and tabs are escaped too."""
    return visible(text).replace("\n", "\\n").replace("\t", " ")


def hidden_characters(text: str) -> int:
    """How many characters `visible` would escape."""
    return sum(1 for match in _HIDDEN.finditer(text) if not _joins(match))


def _escape(match: re.Match[str]) -> str:
    if _joins(match):
        return match.group()
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _joins(match: re.Match[str]) -> bool:
    if match.group() not in _JOINERS:
        return False
    text, at = match.string, match.start()
    return 0 < at < len(text) - 1 and _joinable(text[at - 1]) and _joinable(text[at + 1])


def _joinable(character: str) -> bool:
    if character in _EMOJI_PARTS or unicodedata.category(character) in ("So", "Sk"):
        return True
    code = ord(character)
    if 0x0900 <= code <= 0x0DFF or 0x1000 <= code <= 0x109F or 0x1780 <= code <= 0x18AF:
        return True
    return unicodedata.bidirectional(character) == "AL" or unicodedata.category(character) == "Mn"
