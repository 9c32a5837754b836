"""What stands around a quote and may turn it: its sentences, and the signs that it is no statement of the user's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from remember_me.policy.duplicates import fold
from remember_me.policy.exclusion_keys import phrases
from remember_me.policy.statement_words import (
    ASKED,
    BOUND_SHORT,
    BOUND_STRONG,
    HYPOTHETICAL,
    LEAD_INS,
    QUESTION_WORDS,
    RETRACTED,
    SARCASTIC,
    SHORT_SENTENCE,
    TAGS,
)

Span = tuple[int, int]

_END = re.compile(
    r"[.!?…]+[\"”»')\]]*(?=\s|$)|[。！？]|\n[ \t\r]*\n"
    r"|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])|(?<=\S[.!?:;,])\r?\n|\n(?=[A-ZÄÖÜÀÉ])"
)
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|dr|mr|mrs|ms|prof|st|vs|etc|approx|no|z\.b|bzw|ca|[A-Za-z])\.$", re.IGNORECASE
)
_BULLET = re.compile(r"[ \t\r\n]*(?:[-*+•]|\d+[.)])[ \t]+")
_QUOTED = re.compile(
    r"[\"“”„«‹「『](?P<inner>[^\"“”«»‹›「」『』\n]{1,400})[\"“”»›」』]|(?<!\w)[‘'](?P<single>[^'’\n]{1,400})[’'](?!\w)|`(?P<code>[^`\n]{1,400})`"
)
_QUOTED_WORDS = 3
_COLON_LINE = re.compile(r"^[ \t]*(.*?):[ \t\r]*$", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_JUST_LOVE = re.compile(r"\b(?:just|absolutely|really|so) (?:love|adore|enjoy) (?:it )?(?:when|how)\b", re.IGNORECASE)
_FROM_OTHERS = re.compile(
    r"\b(?:following|lies?|quot\w+|said|says|wrote|excerpt|lyrics|poem|fiction|fictional|persona"
    r"|dummy|placeholder|lorem|imaginary)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:(?:that|this|it|those|these)\b.{0,30}\b(?:false|lie|wrong|untrue|true|joke|kidding|not|was|were|said|says|told|his|her"
    r"|their|wrote|isn['’]t|wasn['’]t|ain['’]t)\b|no,? (?:i|it|that|they|wait|not)\b)",
    re.IGNORECASE,
)
_SCRIPT_ORDER = re.compile(
    r"\b(?:translate|proofread|rewrite|rephrase|paraphrase|correct|summari[sz]e|reply to|respond to|fix the grammar"
    r"|übersetz\w*|traduis|traduire)\b",
    re.IGNORECASE,
)


def sentences_in(text: str, span: Span) -> Iterator[Span]:
    """The sentences of a span, without outer white space and bullets."""
    start, end = span
    for match in _END.finditer(text, start, end):
        if _ABBREVIATION.search(text, max(start, match.start() - 8), match.start() + 1) and "\n" not in match.group():
            continue
        if match.end() > start:
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    bullet = _BULLET.match(text, start, end)
    if bullet is not None:
        start = bullet.end()
    part = text[start:end]
    inner = part.strip()
    if inner:
        first = start + len(part) - len(part.lstrip())
        yield first, first + len(inner)


def sentences_around(text: str, typed: Span, span: Span) -> list[Span]:
    """The sentences that the quote at `span` is in, at least one."""
    return [one for one in sentences_in(text, typed) if one[0] < span[1] and span[0] < one[1]] or [span]


def find_doubt(text: str, typed: Span, span: Span, later: Sequence[str]) -> str | None:
    """The name of the reason why the quote at `span` is not taken for the user's own statement, or None."""
    every = list(sentences_in(text, typed))
    around = sentences_around(text, typed, span)
    whole = text[around[0][0] : around[-1][1]]
    if _is_imagined(text[typed[0] : around[-1][1]], whole):
        return "HYPOTHETICAL"
    if any(_is_asked(text, one, span) for one in around):
        return "QUESTION"
    if _is_quoted(text, typed, span, around):
        return "OTHERS_WORDS"
    if _is_taken_back(text[span[0] :], text[around[0][0] : around[-1][1] + 60], later):
        return "RETRACTED"
    if _is_others(text, every, around):
        return "OTHERS_WORDS"
    if _is_bounded(text, every, around):
        return "LEFT_OUT"
    return None


def _has_phrase(text: str, listed: str) -> bool:
    folded = f" {fold(text)} "
    return any(f" {fold(phrase)} " in folded for phrase in phrases(listed))


def _is_imagined(before: str, whole: str) -> bool:
    stage = (
        "imagine|pretend|act as|role play|roleplay|you are now|write a story|write a dialogue|angenommen|stell dir vor"
    )
    return _has_phrase(whole, HYPOTHETICAL) or _has_phrase(before, stage)


def _is_asked(text: str, sentence: Span, span: Span) -> bool:
    """Whether the part of a sentence that is quoted asks something."""
    whole = text[slice(*sentence)]
    quoted = text[max(sentence[0], span[0]) : min(sentence[1], span[1])]
    words = [word.casefold() for word in _WORD.findall(quoted)]
    if _begins_question(words) or _begins_question([word.casefold() for word in _WORD.findall(whole)]):
        return True
    if not re.search(r"[?？]", whole):
        return False
    comma = max(
        whole.rfind(mark, 0, whole.rfind("?")) for mark in (",", ";", "\n", " - ", "–", "—", ":", " and ", " so ")
    )
    asked = [
        word.casefold()
        for word in _WORD.findall(whole[comma + 1 :])
        if word.casefold() not in ("and", "so", "now", "but")
    ]
    ends = comma < 0 or sentence[0] + comma < span[1] - 1
    return ends or len(asked) < 3 or asked[0] in TAGS or not _begins_question(asked)


def _begins_question(words: list[str]) -> bool:
    words = [word for word in words[:6] if word not in ("and", "so", "but", "hey", "ok", "or", "please", "well", "hmm")]
    if len(words) < 2:
        return False
    return words[0] in QUESTION_WORDS and (words[1] in ASKED or words[0] in ("why", "what", "how", "which", "where"))


def _is_quoted(text: str, typed: Span, span: Span, around: list[Span]) -> bool:
    """Whether the quote repeats others: inside quotation marks, around a quotation, or behind "translate this:"."""
    first, last = around[0][0], around[-1][1]
    for match in _QUOTED.finditer(text, first, last):
        inner = match["inner"] or match["single"] or match["code"] or ""
        inside = match.start() < span[0] and span[1] < match.end()
        if inside or (len(inner.split()) >= _QUOTED_WORDS or (has_no_spaces(inner) and len(inner) > 6)):
            return True
    if text.count('"', typed[0], first) % 2 or text.count("“", typed[0], first) > text.count("”", typed[0], first):
        return True
    before = text[typed[0] : first]
    leads = [match[1] for match in _COLON_LINE.finditer(before)]
    return _SCRIPT_ORDER.search(text, typed[0], last) is not None or any(not _is_lead_in(lead) for lead in leads)


def has_no_spaces(text: str) -> bool:
    """Whether a passage is of a script without spaces."""
    return not text.isascii() and " " not in text


def _is_lead_in(lead: str) -> bool:
    return all(word.casefold() in LEAD_INS for word in _WORD.findall(lead))


def _is_taken_back(after: str, near: str, later: Sequence[str]) -> bool:
    folded_later = [" ".join(fold(one).split()[:6]) for one in later]
    if _has_phrase(after, RETRACTED) or any(_has_phrase(one, RETRACTED) for one in folded_later):
        return True
    return any(
        re.search(rf"(?<!\S){re.escape(mark)}(?!\w)", near) or (not mark.isascii() and mark in near)
        for mark in SARCASTIC
    ) or (_JUST_LOVE.search(near) is not None)


def _is_others(text: str, every: list[Span], around: list[Span]) -> bool:
    """Whether the sentence before gives the word to somebody else, or the one behind denies it."""
    at = every.index(around[0]) if around[0] in every else 0
    before, behind = every[max(at - 1, 0) : at], every[at + len(around) : at + len(around) + 1]
    return any(_FROM_OTHERS.search(text, *one) for one in before) or any(
        _DENIED.match(text[slice(*one)]) for one in behind
    )


def _is_bounded(text: str, every: list[Span], around: list[Span]) -> bool:
    """Whether the sentence before or behind is a mere limit: "Only on staging.", "In this repo."."""
    at = every.index(around[0]) if around[0] in every else 0
    behind = every[at + len(around) : at + len(around) + 1]
    before = every[at - 1 : at] if at else []
    for number, one in enumerate((*before, *behind)):
        words = [word.casefold() for word in _WORD.findall(text[slice(*one)])]
        follows = number >= len(before)
        if follows and words and words[0] in BOUND_STRONG:
            return True
        if 0 < len(words) <= SHORT_SENTENCE and words[0] in BOUND_SHORT:
            return True
    return False
