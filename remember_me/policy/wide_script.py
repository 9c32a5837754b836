"""Statements in Chinese and Japanese, which have no spaces: a title must be its sentence, but for how polite it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_ASKS = re.compile(r"(?:か|かな|吗|嗎|呢)[。.]?\s*$|[?？]\s*$")
_SELF = re.compile(
    r"^(?:(?:私|僕|俺|わたし|ぼく|うち)(?:の|は|が)|(?:我们?的?|请)|(?:ユーザー|利用者)(?:の|は|が)|用户的?)"
)
_POLITE = (
    (re.compile(r"でお願いします$|をお願いします$|お願いします$|にしてください$"), ""),
    (re.compile(r"(?<=[てで])います$"), "いる"),
    (re.compile(r"(?<=[てで])いません$"), "いない"),
    (re.compile(r"であります$|です$"), ""),
    (re.compile(r"だ$"), ""),
)


def has_wide_script(text: str) -> bool:
    """Whether words of the text are not kept apart by spaces."""
    return _WIDE.search(text) is not None


def says_the_same(title: str, sentences: Sequence[str], quote: str) -> bool:
    """Whether the title is one of the statements, all of which are in the quote, in plain instead of polite form."""
    if any(_ASKS.search(one.strip()) for one in sentences):
        return False
    whole = _core("".join(sentences))
    return (
        bool(whole)
        and whole == _core(title)
        and _folded(quote).rstrip("。") == _folded("".join(sentences)).rstrip("。")
    )


def _core(text: str) -> str:
    plain = _SELF.sub("", _folded(text).rstrip("。"))
    for pattern, replacement in _POLITE:
        plain = pattern.sub(replacement, plain)
    return plain


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[\s!.]", "", folded)
