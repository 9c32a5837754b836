"""Whether an agent's write is grounded in the user's own words, or waits for a person (DESIGN section 5).

A title is laid over the clauses of the sentences that its quote stands in: each of its words must be a word of the
quote, in the same order, and no clause of such a sentence may be left out that could limit it. The bias is towards a
review card: a title that says more than its quote must not pass, an honest one that is put otherwise may wait.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from remember_me.model.receipt import Receipt
from remember_me.model.text import hidden_characters
from remember_me.policy.caution_words import is_permission, reduces_caution
from remember_me.policy.context_of_quote import find_doubt, sentences_around
from remember_me.policy.orders import is_order_to_act, is_wide_order_to_act, speaks_of_agents
from remember_me.policy.statement import Clause, Word, clauses_of, keeps_mood, language_of, same, title_words
from remember_me.policy.statement_words import ENGLISH, NEVER, NOT, Language
from remember_me.policy.typed import find_quote, occurs, typed_spans
from remember_me.policy.wide_script import has_wide_script, says_the_same

RECENT = 3
"""A quote is looked for in the last messages of its session, so many of them."""
QUOTE_CHARACTERS = 1_000
MOST_CLAUSES = 8
LEAST_WORDS = 2
"""One word is an answer to something that was not quoted."""


class Reason(Enum):
    """Why a write waits; the value is a sentence for people."""

    NO_QUOTE = "It has no quote."
    NOT_SAID = "The quote is in none of the last messages."
    NOT_TYPED = "The quote stands only in what was pasted or quoted there."
    TOO_SHORT = "The quote is too short to say anything by itself."
    TOO_LONG = "The quote is too long to be compared."
    QUESTION = "The quote is from a question."
    HYPOTHETICAL = "The quote is about something imagined."
    OTHERS_WORDS = "The quote repeats what somebody else says, or a text to work on."
    RETRACTED = "The quote was taken back, or was not meant seriously."
    HIDDEN = "It holds characters that are not to be seen."
    REDUCES_CAUTION = "It reduces caution, or orders an agent to act."
    NEGATION = "It and the quote do not agree on a 'not'."
    NUMBER = "It and the quote do not agree on a number."
    SUBJECT = "It and the quote do not speak of the same person."
    LEFT_OUT = "It leaves out what limits the quote."
    ORDER = "It has the words of the quote in another order or form."
    TITLE_SAYS_MORE = "The title says more than the quote."
    BODY_SAYS_MORE = "The body says more than the quote."


class Grounded(NamedTuple):
    """The user said it: `quote` is `receipt.text[start:end]`."""

    quote: str
    receipt: Receipt
    start: int
    end: int


class Held(NamedTuple):
    """It waits for a person."""

    reason: Reason


def decide_grounding(title: str, body: str, quote: str, receipts: Sequence[Receipt]) -> Grounded | Held:
    """Whether `title` and `body` (empty where there is none) say no more than `quote`, a part of a recent message.

    `receipts` are the last messages of the session, newest first; the first three count, and of those that hold the
    quote the newest decides.
    """
    if not quote.strip():
        return Held(Reason.NO_QUOTE)
    if len(quote) > QUOTE_CHARACTERS:
        return Held(Reason.TOO_LONG)
    recent = receipts[:RECENT]
    for number, receipt in enumerate(recent):
        span = find_quote(quote, receipt.text)
        if span is not None:
            reason = _find_reason(title, body, receipt.text, span, [later.text for later in recent[:number]])
            if reason is not None:
                return Held(reason)
            return Grounded(receipt.text[slice(*span)], receipt, *span)
    return Held(Reason.NOT_TYPED if any(occurs(quote, receipt.text) for receipt in recent) else Reason.NOT_SAID)


def _find_reason(title: str, body: str, text: str, span: tuple[int, int], later: list[str]) -> Reason | None:
    """Why a write waits whose quote stands there in the text, or None."""
    if hidden_characters(title) or hidden_characters(body):
        return Reason.HIDDEN
    if any(reduces_caution(one) or speaks_of_agents(one) for one in (title, body)):
        return Reason.REDUCES_CAUTION
    typed = next(one for one in typed_spans(text) if one[0] <= span[0] and span[1] <= one[1])
    if any(is_permission(text[start:end]) for start, end in sentences_around(text, typed, span)):
        return Reason.REDUCES_CAUTION
    doubt = find_doubt(text, typed, span, later)
    if doubt is not None:
        return Reason[doubt]
    for written, more in ((title, Reason.TITLE_SAYS_MORE), (body, Reason.BODY_SAYS_MORE)):
        if _symbols(written) - _symbols(text[slice(*span)]):
            return more
        if written.strip() or more is Reason.TITLE_SAYS_MORE:
            reason = _compare(written, text, typed, span)
            if reason is not None:
                return more if reason is Reason.TITLE_SAYS_MORE else reason
    return None


def _symbols(text: str) -> set[str]:
    """Emoji, arrows and other signs that may say something; accents and code marks say nothing."""
    return {one for one in text if not one.isalnum() and not one.isascii() and unicodedata.category(one)[0] == "S"}


def _compare(written: str, text: str, typed: tuple[int, int], span: tuple[int, int]) -> Reason | None:
    """Why `written` does not follow from the sentences around `span`, or None."""
    sentences = sentences_around(text, typed, span)
    if has_wide_script(written) or has_wide_script(text[slice(*span)]):
        said = [text[start:end] for start, end in sentences]
        if any(is_wide_order_to_act(one) for one in said):
            return Reason.REDUCES_CAUTION
        return None if says_the_same(written, said, text[slice(*span)]) else Reason.TITLE_SAYS_MORE
    if len(text[slice(*span)].split()) < LEAST_WORDS:
        return Reason.TOO_SHORT
    language = language_of(text[sentences[0][0] : sentences[-1][1]])
    clauses = [clause for start, end in sentences for clause in clauses_of(text, start, end, language)]
    words = title_words(written, language)
    if len(clauses) > MOST_CLAUSES:
        return Reason.TOO_LONG
    quoted = [clause for clause in clauses if any(span[0] <= word.start < span[1] for word in clause.words)]
    if any(is_order_to_act(clause.raw) for clause in quoted):
        return Reason.REDUCES_CAUTION
    if (
        any(not word.soft for word in words)
        and _keeps_way(written, clauses)
        and _is_laid_over(words, clauses, span, language)
    ):
        return None
    return _explain(words, clauses, span, language)


def _keeps_way(written: str, clauses: list[Clause]) -> bool:
    """Whether a "to" of the title stands in the quote, and one beside a "from" stays: moved from, moved to."""
    there = re.findall(r"\w+", written.casefold()).count("to")
    said = sum(clause.raw.count("to") for clause in clauses)
    return there == said if any("from" in clause.raw for clause in clauses) else there <= said


def _is_laid_over(words: list[Word], clauses: list[Clause], span: tuple[int, int], language: Language) -> bool:
    """Whether the words are those of whole clauses, in any order of these, and no clause is missing that may limit."""
    needed = {number for number, clause in enumerate(clauses) if not clause.loose}

    @cache
    def lay(at: int, used: frozenset[int], third: bool) -> bool:
        if at == len(words):
            return needed <= used and bool(used)
        if at and not words[at].apart:
            return False
        for number, clause in enumerate(clauses):
            if number in used:
                continue
            end = _lay_clause(words, at, clause, span, language)
            ambiguous = third and clause.spoken and not words[at].own
            if end is not None and not ambiguous and lay(end, used | {number}, third or clause.third):
                return True
        return False

    return lay(0, frozenset(), False)


def _lay_clause(words: list[Word], at: int, clause: Clause, span: tuple[int, int], language: Language) -> int | None:
    """Where the words go on behind that clause, or None if they are not its words from `at` on."""
    said: list[Word] = []
    written: list[Word] = []
    end = at
    if clause.words and words[at].text in _added(clause) and not same(clause.words[0], words[at], language):
        end = at + 1
    for word in clause.words:
        found = end < len(words) and same(word, words[end], language)
        if found and span[0] <= word.start and word.end <= span[1]:
            said.append(word)
            written.append(words[end])
            end += 1
        elif not word.soft:
            return None
    owned = any(word.own for word in words[at:end])
    if not said or (owned and not clause.own) or (language is ENGLISH and not keeps_mood(said, written, clause)):
        return None
    return end


def _added(clause: Clause) -> tuple[str, ...]:
    """What a title may put in front of a request: use, and prefers."""
    begins = next(iter(clause.words)).text
    polite = any(word in clause.raw for word in ("please", "pls", "plz"))
    bare = begins in ("use", "write", "keep", "make", "put", "no") and not (clause.spoken or clause.third)
    if not (polite or bare) or clause.spoken or clause.third:
        return ()
    return ("use", "prefers", "prefer") if begins not in ("keep", "make") else ("prefers", "prefer")


def _explain(words: list[Word], clauses: list[Clause], span: tuple[int, int], language: Language) -> Reason:
    """The reason that says most of why the words are not those of the clauses."""
    said = [word for clause in clauses for word in clause.words]
    quoted = [word for word in said if span[0] <= word.start and word.end <= span[1]]
    new = [word for word in words if not any(same(one, word, language) for one in quoted)]
    if any(_is_number(word) for word in new):
        return Reason.NUMBER
    if _negations(words) != _negations(quoted):
        return Reason.NEGATION
    if any(not word.soft for word in new):
        return Reason.TITLE_SAYS_MORE
    left = [one for one in said if not one.soft and not any(same(one, word, language) for word in words)]
    if left:
        third = any(clause.third and not clause.spoken for clause in clauses)
        return Reason.SUBJECT if third and left[0] is said[0] else Reason.LEFT_OUT
    return Reason.ORDER


def _is_number(word: Word) -> bool:
    return re.search(r"\d", word.key) is not None


def _negations(words: Sequence[Word]) -> int:
    return sum(Counter(word.key for word in words)[key] for key in (NOT, NEVER))
