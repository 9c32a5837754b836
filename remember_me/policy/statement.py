"""A statement as a row of clauses, and each clause as a row of words, so that a title can be laid over its quote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from remember_me.policy.statement_words import (
    ADVERBIAL,
    ADVERBS,
    ARTICLES,
    ASKED,
    ASKED_LIMITS,
    BEING,
    CONNECTIVES,
    CONTRACTIONS,
    DROPPABLE,
    ENDINGS,
    ENGLISH,
    INTENSIFIERS,
    IS_AFTER,
    JOINING,
    LANGUAGES,
    LEAD_INS,
    LEADING,
    LIKE,
    LIMITS,
    MAIN,
    MODAL,
    NEVER,
    NOT,
    NUMBERS,
    OBJECT_VERBS,
    OPENERS,
    OTHERS,
    PAST,
    PHRASES,
    PLACES,
    QUESTION_WORDS,
    SOFT_VERBS,
    SPEAKING,
    STATIVE,
    USER,
    WANT,
    Language,
)

_TOKEN = re.compile(
    r"(?P<word>(?:(?<![\w.])[-+])?\d+(?:[.,:/]\d+|-\d+)*\w*|[^\W\d]\w*(?:['.]\w+)*(?:\+\+|\#(?!\w))?|[<>]=|[$€£¥%<>=≤≥≦≧⩽⩾≠~°]"
    r"|(?<!\S)--?(?=\w))"
    r"|(?P<apart>[,;:.!?()\n\[\]\"]|[–—]|\s-+\s|-&gt;|->|→)"
)
_ONE_SIGN = {**dict.fromkeys((">=", "≧", "⩾"), "≥"), **dict.fromkeys(("<=", "≦", "⩽"), "≤")}
_STRAIGHT = str.maketrans("‘’ʼ“”„", "'''\"\"\"")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LONGEST_PHRASE = 5


class Word(NamedTuple):
    """One word that counts.

    `key` is what it means (`NOT`, a lemma, or the folded word), `text` the word as it is folded, `start` and `end` its
    place in the text. `soft`: it may be left out. `apart`: punctuation or a connective stands before it. Before it
    stands `own`: a word for the user; `single`: an indefinite article; `subject`: I or we; `being`: a form of "be".
    """

    key: str
    text: str
    start: int
    end: int
    soft: bool = False
    apart: bool = False
    own: bool = False
    single: bool = False
    subject: bool = False
    being: bool = False


class Clause(NamedTuple):
    """A part of a sentence that says something by itself.

    `loose`: it may be left out. `own`: the user is spoken of in it. `spoken`: it begins with I or we.
    `third`: it begins with somebody or something else.
    """

    words: tuple[Word, ...]
    loose: bool
    own: bool
    spoken: bool
    third: bool
    raw: tuple[str, ...]


class _Raw(NamedTuple):
    text: str
    start: int
    end: int
    mark: str


def language_of(text: str) -> Language:
    """The language whose small words stand in the text most often; English if there is none."""
    found = [match["word"].casefold() for match in _TOKEN.finditer(text.translate(_STRAIGHT)) if match["word"]]
    parts = [part for word in found for part in word.split("'")]

    def known(language: Language) -> int:
        small = (language.free, language.own, language.negations)
        return sum(any(part in words for words in small) for part in parts)

    return max(LANGUAGES, key=known)


def clauses_of(text: str, start: int, end: int, language: Language) -> list[Clause]:
    """The clauses of the sentence that stands in `text` from `start` to `end`."""
    raw = list(_raw_words(text, start, end))
    return [_clause(part, language) for part in _split(raw, language) if any(not one.mark for one in part)]


def title_words(title: str, language: Language) -> list[Word]:
    """The words of a title that its quote must have."""
    return list(_negated_first(list(_words(list(_raw_words(title, 0, len(title))), language, language.own | USER))))


def _raw_words(text: str, start: int, end: int) -> Iterator[_Raw]:
    """Words, contractions taken apart, and the marks between them."""
    for match in _TOKEN.finditer(text.translate(_STRAIGHT), start, end):
        if match["apart"]:
            yield _Raw("", *match.span(), match["apart"].strip(" ") or "-")
            continue
        word = _THOUSANDS.sub("", match["word"].casefold())
        word = _ONE_SIGN.get(word, word)
        for part in _without_contraction(word):
            country = match["word"] == "US"  # and not the pronoun
            yield _Raw("usa" if country else part, *match.span(), "")


def _without_contraction(word: str) -> list[str]:
    if word in CONTRACTIONS:
        return CONTRACTIONS[word].split()
    if "'" not in word:
        return [word]
    if word.endswith("n't"):
        return [word[:-3], "not"]
    head, _, tail = word.rpartition("'")
    if tail in ENDINGS:
        return [head, ENDINGS[tail]]
    if tail == "s":
        return [head, "is"] if head in IS_AFTER else [head]
    return [part for part in (head, tail) if part]


def _split(raw: list[_Raw], language: Language) -> list[list[_Raw]]:
    """The raw words of a sentence, clause by clause."""
    parts: list[list[_Raw]] = [[]]
    for at, one in enumerate(raw):
        following = next((other.text for other in raw[at + 1 :][:3] if not other.mark), "")
        if one.mark:
            parts[-1].append(one)
            if one.mark != '"' and (one.mark not in ",." or following in language.starters | QUESTION_WORDS):
                parts.append([])
            continue
        words = [other.text for other in parts[-1] if not other.mark]
        joins = one.text in JOINING and following in (MAIN | OTHERS | {"my", "our", "you", "ich", "je"})
        turns = words and words[0] in ADVERBIAL and len(words) > 1 and one.text in MAIN and words[-1] not in ASKED
        if words and (one.text in CONNECTIVES or joins or turns):
            parts.append([])
        parts[-1].append(one)
    return parts


def _clause(raw: list[_Raw], language: Language) -> Clause:
    texts = tuple(one.text for one in raw if not one.mark)
    words = _negated_first(list(_words(raw, language, language.own)))
    first = next((text for text in texts if text not in JOINING | CONNECTIVES | language.soft), "")
    third = first in OTHERS or first in ("my", "our", "the", "mein", "meine", "unser", "mon", "ma", "notre", "le", "la")
    limits = LIMITS - {"not", "no"} if texts[0] == "so" else LIMITS
    begins = texts[0] in DROPPABLE or (texts[0] in JOINING and texts[1:2] and texts[1] in DROPPABLE)
    loose = all(word.soft for word in words) or (begins and not limits.intersection(texts))
    if raw[-1].mark == "?" and texts[0] in QUESTION_WORDS:
        loose = not ASKED_LIMITS.intersection(texts)
    if raw[-1].mark == ":":
        loose = LEAD_INS.issuperset(texts)
    own = any(text in language.own for text in texts)
    return Clause(words, bool(loose), own, first in SPEAKING, third, texts)


def _words(raw: list[_Raw], language: Language, users: frozenset[str]) -> Iterator[Word]:
    """The words that count, each with what stands before it; `users` are words for the user."""
    apart, own, single, subject = True, False, False, False
    negated = any(one.text in language.negations for one in raw)
    at = seen = 0
    texts = [one.text for one in raw]
    while at < len(raw):
        one = raw[at]
        key, width = _phrase(texts, at)
        text = one.text
        if one.mark:
            apart = apart or one.mark != '"'
        elif key == "" or (key is None and _is_free(texts, at, language)):
            apart = apart or text in ("and", "then", "in", "on", "und", "et")
            single = text in ARTICLES
            follows = texts[at + 1] if at + 1 < len(raw) else ""
            if text in ("am", "are", "is", "be") or (text == "do" and follows != "not"):
                subject = False
            elif text == "does":
                subject = True
        elif key is None and text in users:
            own, subject = True, text in SPEAKING
        else:
            meant = key or _key(text, language)
            text = key if key and key.islower() else text
            soft = _is_soft(meant, text, texts, at, seen, negated, language)
            starts = apart or text in ADVERBIAL or text in CONNECTIVES
            being = texts[at - 1 : at] != [] and texts[at - 1] in BEING
            if meant == LIKE and being:
                meant = "ALIKE"
            subject = subject and width == 1
            yield Word(meant, text, one.start, raw[at + width - 1].end, soft, starts, own, single, subject, being)
            seen += 1
            if meant not in ADVERBS and (not soft or text in SOFT_VERBS):
                own = subject = False
            apart, single = text in CONNECTIVES or (text in ("with", "for", "not") and apart), text in ARTICLES
        at += width
    return


def _is_free(texts: list[str], at: int, language: Language) -> bool:
    """Whether a word counts on neither side. "Be" counts where it is an order, as in "be brief"."""
    text = texts[at]
    if text == "be":
        return texts[at - 1 : at] == ["to"]
    if text == "your":
        return not PLACES.isdisjoint(texts[at + 1 : at + 2])
    return text in language.free


def _negated_first(words: list[Word]) -> tuple[Word, ...]:
    """The words with `has no car` in the order of `does not have a car`."""
    for at, (verb, negation) in enumerate(pairwise(words)):
        if negation.text == "no" and not negation.apart and lemmas(verb.key, ENGLISH) & OBJECT_VERBS:
            words[at : at + 2] = (
                negation._replace(apart=verb.apart, own=verb.own),
                verb._replace(apart=False, soft=True),
            )
    return tuple(words)


def _phrase(texts: list[str], at: int) -> tuple[str | None, int]:
    """The key of the longest phrase that begins here, and how many words it has; (None, 1) if there is none."""
    for width in range(_LONGEST_PHRASE + 1, 1, -1):
        key = PHRASES.get(tuple(texts[at : at + width]))
        if key is not None and len(texts) - at >= width:
            return key, width
    return None, 1


def _key(text: str, language: Language) -> str:
    if text in language.negations:
        return language.negations[text]
    if text in language.forms:
        return language.forms[text]
    return NUMBERS.get(text, text) if language is ENGLISH else text


def _is_soft(key: str, text: str, texts: list[str], at: int, seen: int, negated: bool, language: Language) -> bool:
    """Whether a title may leave the word out."""
    following = texts[at + 1] if at + 1 < len(texts) else ""
    if key == "have":
        return (
            negated
            or (following == "been" and texts[at + 2 : at + 3] != [] and texts[at + 2].endswith("ing"))
            or (kind_of(following) == "past" and following != "been")
        )
    if text == "been":
        return following.endswith("ing")
    if key == WANT or key == "need":
        return negated and (following in language.negations or texts[at - 1 : at] == ["not"])
    if text in INTENSIFIERS:
        return not negated
    if text in OPENERS:
        return seen == 0 and SPEAKING.isdisjoint(texts[:at])
    if text == "any":
        return negated
    if text == "own":
        return texts[at - 1 : at] in (["my"], ["our"])
    if text == "just":
        return seen == 0 and following in (LEADING | {"call"})
    if text in LEADING and seen == 0:
        return text in language.soft or not set(texts[:at]) & {"i", "we", "you", "they", "he", "she", "it"}
    if text == "you":
        return texts[at - 1 : at] in (["when"], ["before"], ["after"], ["while"])
    return text in language.soft


def kind_of(text: str) -> str:
    """`past`, `ing` or `plain`."""
    if text in PAST and PAST[text] != text:
        return "past"
    if text.endswith("ing") and len(text) > 4:
        return "ing"
    return "past" if text.endswith("ed") and len(text) > 3 and not text.endswith("eed") else "plain"


def lemmas(text: str, language: Language) -> set[str]:
    """What a word may be a form of."""
    found = {text, PAST.get(text, text)}
    for ending in ("s", "es", "ing", "ed", "d", "ment", "ments"):
        root = text.removesuffix(ending)
        if root != text and len(root) >= (5 if ending.startswith("ment") else 2) and not text.endswith("ss"):
            found.add(root)
            if ending in ("ing", "ed"):
                found |= {root + "e", root[:-1] if root[-1:] == root[-2:-1] else root}
            if ending in ("es", "ed") and root.endswith("i"):
                found.add(root[:-1] + "y")
    for ending in language.endings:
        root = text.removesuffix(ending)
        if root != text and len(root) >= 3:
            found.add(root + "~")
            found.add(root)
    return found | ({text + "~"} if language.endings else set())


def same(said: Word, written: Word, language: Language) -> bool:
    """Whether a word of a title says what a word of its quote says."""
    if written.being and not said.being and kind_of(written.text) == "past":
        return False
    if said.key == written.key:
        return True
    if written.key == NOT:
        return said.key == NEVER
    if not (said.key.islower() and written.key.islower()):
        return False
    if said.single:
        return said.text == written.text
    kinds = kind_of(said.text), kind_of(written.text)
    if kinds[0] != kinds[1] and kinds != ("plain", "ing"):
        return False
    return bool(lemmas(said.text, language) & lemmas(written.text, language))


def keeps_mood(said: list[Word], written: list[Word], clause: Clause) -> bool:
    """Whether what the user does stays what he does, and what he orders stays an order: I run, Runs; run, Run."""
    for one, other in zip(said, written, strict=True):
        if one.key in ADVERBS:
            continue
        if one.subject and one.key not in MODAL and one.key not in STATIVE and kind_of(one.text) == "plain":
            return other.text != one.text or other.subject or one.text.endswith("s")
        if not one.subject and not clause.spoken and not clause.third:
            return other.text not in (one.text + "s", one.text + "es")
        return True
    return True
