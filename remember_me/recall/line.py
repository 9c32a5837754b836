"""One line of the index, as a hook prints it too: so nothing is imported that plain words do without."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Titled(Protocol):
        """What a line is made of; `confidence` is the effective one of a HYPOTHESIS."""

        @property
        def id(self) -> str: ...
        @property
        def tag(self) -> str: ...
        @property
        def title(self) -> str: ...
        @property
        def description(self) -> str: ...
        @property
        def confidence(self) -> str | None: ...


TITLE_SHOWN = 90
"""A longer title is cut at a word; a description is shown only where the line stays within it."""

_NAME_SHOWN = 40


def index_line(line: Titled) -> str:
    """`id TAG title — description`, without a line end; a HYPOTHESIS with its effective confidence."""
    sure = f" ({line.confidence})" if line.confidence else ""
    return f"{line.id} {line.tag}{sure} {_label(line)}".rstrip(" ")


def _label(line: Titled) -> str:
    title, description = _one_line(line.title), _one_line(line.description)
    label = cut_at_word(title, TITLE_SHOWN)
    if description and description != title:
        whole = f"{title} — {description}"
        if len(whole) <= TITLE_SHOWN or len(title) <= _NAME_SHOWN:
            label = cut_at_word(whole, TITLE_SHOWN)
    return label if _is_plain(label.replace("—", "").replace("…", "")) else _safe(label)


def _is_plain(text: str) -> bool:
    """Whether nothing in it could be hidden, or open a marker."""
    return text.isascii() and text.isprintable() and "<" not in text and "&" not in text


def _safe(label: str) -> str:
    from remember_me.model.text import visible_line
    from remember_me.recall.guard import guard

    return visible_line(guard(label))


def _one_line(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text.strip(" ")
    from remember_me.model.text import one_line

    return one_line(text)


def cut_at_word(text: str, characters: int) -> str:
    """`text`, or as many of its words as fit with `…` behind them; a single long word is cut between characters."""
    if len(text) <= characters:
        return text
    cut = characters - 1
    space = text.rfind(" ", characters // 2, cut + 1)
    if space < 0:
        from unicodedata import combining

        while cut > 1 and (combining(text[cut]) or text[cut] in "\u200d\ufe0f" or text[cut - 1] == "\u200d"):
            cut -= 1
        space = cut
    return text[:space].rstrip(" \t,;:.–—-") + "…"
