"""Normal forms of what people type: line ends, titles, and how hidden characters are shown."""

from __future__ import annotations

import re
import unicodedata

TITLE_CHARACTERS = 200
"""A text of one line up to this length is a title; a longer one becomes a body (DESIGN 3.1)."""

_SENTENCE_END = re.compile(r"[.!?](?=[ \t])|[。！？]")

_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Controls, line separators, bidi controls, what is zero characters wide, tags, and lone surrogates."""

_JOINERS = "\u200c\u200d"
_EMOJI_PARTS = "\ufe0f\u20e3"


def inner_span(text: str) -> tuple[int, int]:
    """Where `text` stands without its outer blank lines, and without the line end of the last line that is left."""
    words = len(text) - len(text.lstrip(" \t\r\n"))
    if words == len(text):
        return len(text), len(text)
    end = text.find("\n", len(text.rstrip(" \t\r\n")))
    if end < 0:
        end = len(text)
    elif text[end - 1] == "\r":
        end -= 1
    return text.rfind("\n", 0, words) + 1, end


def normalize_text(given: str) -> str:
    """`given` with LF line ends (CRLF and a lone CR become LF) and without outer blank lines."""
    text = given.replace("\r\n", "\n").replace("\r", "\n")
    start, end = inner_span(text)
    return text[start:end]


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

    Line feeds and tabs stay; so do joiners and variation selectors where they belong: inside Arabic and Indic
    words, emoji and ideographs.
    """
    return _HIDDEN.sub(_escape, text)


def visible_line(text: str) -> str:
    """Like `visible`, for one line of output: line feeds and tabs are escaped too."""
    return visible(text).replace("\n", "\\n").replace("\t", " ")


def hidden_characters(text: str) -> int:
    """How many characters `visible` would escape."""
    return sum(1 for match in _HIDDEN.finditer(text) if not _belongs(match))


def _escape(match: re.Match[str]) -> str:
    if _belongs(match):
        return match.group()
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _belongs(match: re.Match[str]) -> bool:
    """Whether a joiner or a variation selector is part of a word or an emoji, and so not hidden at all."""
    text, at = match.string, match.start()
    before = text[at - 1 : at]
    if match.group() in _JOINERS:
        return _joinable(before) and _joinable(text[at + 1 : at + 2])
    code = ord(match.group())
    if 0xFE00 <= code <= 0xFE0F:
        return _is_emoji(before) or (code >= 0xFE0E and before in tuple("0123456789#*©®‼⁉™ℹ〰〽㊗㊙"))
    return 0xE0100 <= code <= 0xE01EF and _is_ideograph(before)


def _joinable(character: str) -> bool:
    if not character:
        return False
    if character in _EMOJI_PARTS or _is_emoji(character):
        return True
    code = ord(character)
    return (
        0x0600 <= code <= 0x0DFF
        or 0x1000 <= code <= 0x109F
        or 0x1780 <= code <= 0x18AF
        or unicodedata.bidirectional(character) == "AL"
    ) and unicodedata.category(character)[0] in "LM"


def _is_emoji(character: str) -> bool:
    if not character:
        return False
    code = ord(character)
    return 0x1F3FB <= code <= 0x1F3FF or (code >= 0x2190 and unicodedata.category(character) in ("So", "Sm"))


def _is_ideograph(character: str) -> bool:
    return character != "" and unicodedata.name(character, "").startswith("CJK ")
