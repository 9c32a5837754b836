"""Which entries a prompt brings to mind: phrases that occur in it, then a strict search (DESIGN section 6, recall).

*phrase*: an alias, or a title short enough to be a name ("Redis cache"). *cover*: the search for what no phrase
catches: a sentence of the prompt shares enough rare words with a title or a description.

A pure function of entries and prompt. `Stock` holds the entries in memory, made for one call; what `match` asks of it
is all that an index in the cache would have to answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from math import log
from typing import NamedTuple

from remember_me.recall.index import Line
from remember_me.recall.trigger_words import (
    COMMON,
    COMMON_TERMS,
    SLIP_HEAD,
    STOP,
    Word,
    content,
    content_term,
    forgives_slip,
    is_slip,
    plain_words,
    term_of,
    without_quotes,
    words_of,
)

NAME_WORDS = 5
"""A title of at most so many content words is a phrase."""
SLACK = 3
"""A phrase of n words must stand within n + SLACK words."""
FLOOD = 8
"""A phrase that more entries share needs one more word of the entry in the prompt."""
SUPPORT = 0.5
"""How many more words of the entry are "one more word"; a common word counts half."""
SLIPS_ALONE = 300
"""In a stock of more phrases a word met only by a slip needs one more word of the entry: false slips grow with it."""
COVER_WORDS = 2
COVER_PRODUCT = 0.25
"""The share of the title times the share of the sentence, both weighted by rarity, must reach it."""
RARE_ENTRIES = 400
"""Words of more entries are not looked up by the cover search."""
RARE_WORDS = 24
COVERED = 12
PROMPT_WORDS = 240
"""Of a longer prompt the first and the last half of so many words are read: people ask at the top or at the end."""
SLIP_WORDS = 24
SLIP_KNOWN = 3
"""A word of so many entries is no slip; a word of a phrase never is."""

_SMALL_STORE = 50
_COMMON_WEIGHT = 0.35
_SLIP_WEIGHT = 0.8

Terms = tuple[str, ...]


class Hit(NamedTuple):
    """An entry that the prompt brings to mind. `kind` is alias, name, acronym or cover; `why` the terms that met."""

    line: Line
    kind: str
    score: float
    why: str


class Phrase(NamedTuple):
    """Folded words without stop words; an acronym in capitals behind `=`."""

    kind: str
    words: Terms


class Texts(NamedTuple):
    """The terms of one entry: of its title, its description, its phrases."""

    title: frozenset[str]
    about: frozenset[str]
    spoken: frozenset[str]


def aliases_of(line: Line) -> list[str]:
    return [alias for part in line.aliases.split(",") if (alias := part.strip(" \t\"'[]"))]


def phrases_of(line: Line, title: Sequence[str]) -> list[Phrase]:
    """The phrases of an entry whose title has these words, each once."""
    found: dict[Terms, str] = {}
    for alias in aliases_of(line) if line.aliases else ():
        for kind, words in _alias_phrases(alias):
            found.setdefault(words, kind)
    name = tuple(filter(content_term, title))
    if 0 < len(name) <= NAME_WORDS and _is_name(name):
        found.setdefault(name, "name")
    return [Phrase(kind, words) for words, kind in found.items()]


def _is_name(words: Terms) -> bool:
    """Whether the content words of a short title call an entry to mind; common ones alone do not."""
    return not COMMON.issuperset(words) and (len(words) > 1 or len(words[0]) > 2)


def _alias_phrases(alias: str) -> Iterator[tuple[str, Terms]]:
    every = plain_words(alias)
    kept = tuple(filter(content_term, every))
    if len(kept) == 1 < len(every):
        yield "alias", tuple(every)  # "on call" is more than "call"
    elif kept:
        yield "alias", kept
    elif len(every) == 1 and alias.isupper() and len(alias) > 1:
        yield "alias", (f"={alias}",)  # "IT"
    if len(every) == 2 and all(len(word) > 1 for word in every):
        yield "alias", (every[0] + every[1],)
    if len(every) >= 3 and len(every) == len(kept):
        yield "acronym", ("=" + "".join(word[0] for word in every).upper(),)


class Stock:
    """The entries that a prompt may bring to mind, with the words of all of them."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.phrases: dict[Terms, list[tuple[int, str]]] = {}
        self.words: dict[str, set[str]] = {}
        """Words of phrases that forgive a slip, by their first letters."""
        self.spoken: set[str] = set()
        self.filed = 0
        self._terms: list[set[str]] = []
        self._spoken_by: dict[int, set[str]] = {}
        for number, line in enumerate(lines):
            self._file(number, line)
        self.entries = Counter(chain.from_iterable(self._terms))

    def _file(self, number: int, line: Line) -> None:
        title = plain_words(line.title)
        terms = set(map(content_term, title))
        terms.update(map(content_term, plain_words(line.description) if line.description else ()))
        terms.discard("")
        self._terms.append(terms)
        for phrase in phrases_of(line, title):
            stems = tuple(map(term_of, phrase.words))
            rows = self.phrases.setdefault(stems, [])
            if not rows or rows[-1][0] != number:
                rows.append((number, phrase.kind))
                self.filed += 1
            self._spoken_by.setdefault(number, set()).update(stems)
            terms.update(stems)
            self.spoken.update(stems)
            for word in filter(forgives_slip, phrase.words):
                self.words.setdefault(word[:SLIP_HEAD], set()).add(word)

    def texts(self, number: int) -> Texts:
        line = self.lines[number]
        spoken = frozenset(self._spoken_by.get(number, ()))
        return Texts(frozenset(_terms(line.title)), frozenset(_terms(line.description)), spoken)

    def occurring(self, terms: Collection[str]) -> Iterator[tuple[Terms, list[tuple[int, str]]]]:
        """The phrases that `terms` make up, with their entries."""
        for stems, rows in self.phrases.items():
            if all(term in terms for term in stems):
                yield stems, rows

    def having(self, terms: Collection[str]) -> Iterator[tuple[int, set[str]]]:
        """The entries that have some of `terms`, and which."""
        wanted = set(terms)
        for number, own in enumerate(self._terms):
            if not own.isdisjoint(wanted):
                yield number, own & wanted

    def meant(self, written: str) -> list[str]:
        """The words of phrases of which a word is a slip."""
        return sorted(word for word in self.words.get(written[:SLIP_HEAD], ()) if is_slip(written, word))


def _terms(text: str) -> set[str]:
    found = set(map(content_term, plain_words(text)))
    found.discard("")
    return found


class _Sense(NamedTuple):
    """A term that a word of the prompt may stand for."""

    term: str
    at: int
    sentence: int
    slip: bool


class _Asked:
    """A prompt as read against a stock: which terms its words may stand for, and how rare they are."""

    def __init__(self, stock: Stock, words: Sequence[Word]) -> None:
        self.stock = stock
        self.kept = content(words)
        self.named = {word.term for word in words if word.named}
        self.by_term: dict[str, list[_Sense]] = {}
        self._weights: dict[str, float] = dict.fromkeys(STOP, 0.0)
        for sense in (*_senses(words, self.kept), *self._slips()):
            if stock.entries[sense.term]:
                self.by_term.setdefault(sense.term, []).append(sense)
        for word in words if self.by_term else ():
            if word.text in STOP:
                self.by_term.setdefault(word.term, []).append(_Sense(word.term, word.at, word.sentence, False))

    def _slips(self) -> Iterator[_Sense]:
        """What unknown words may have been meant as."""
        odd = dict.fromkeys(word.text for word in self.kept if self._is_odd(word))
        meant = {text: self.stock.meant(text) for text in list(odd)[:SLIP_WORDS]}
        for word in self.kept:
            for other in meant.get(word.text, ()):
                if term_of(other) != word.term:
                    yield _Sense(term_of(other), word.at, word.sentence, True)

    def _is_odd(self, word: Word) -> bool:
        if len(word.text) < 4 or not word.text.isalpha() or word.text in COMMON:
            return False
        return word.term not in self.stock.spoken and self.stock.entries[word.term] < SLIP_KNOWN

    def weight(self, term: str) -> float:
        """Inverse frequency among the entries, with a prior for words that are common in any prompt."""
        known = self._weights.get(term)
        if known is None:
            count, total = self.stock.entries[term], max(len(self.stock.lines), _SMALL_STORE)
            common = term in COMMON_TERMS
            known = _COMMON_WEIGHT * log(1 + total / (count + 1)) if common else log(1 + total / (count + 0.5))
            self._weights[term] = known
        return known

    def only_slip(self, term: str) -> bool:
        return all(sense.slip for sense in self.by_term[term])

    def sentences(self) -> list[list[set[str]]]:
        """For each sentence the terms that each of its words may stand for."""
        found: dict[int, dict[int, set[str]]] = {}
        for word in self.kept:
            found.setdefault(word.sentence, {})[word.at] = {word.term}
        for senses in self.by_term.values():
            for sense in senses:
                spot = found.get(sense.sentence, {}).get(sense.at)
                if spot is not None:
                    spot.add(sense.term)
        return [list(spots.values()) for spots in found.values()]


def _senses(words: Sequence[Word], kept: Iterable[Word]) -> Iterator[_Sense]:
    """Each word itself, the acronym that it may be, and its join with the next one."""
    for word in kept:
        yield _Sense(word.term, word.at, word.sentence, False)
    for word in words:
        if word.shout:
            yield _Sense(f"={word.text.upper()}", word.at, word.sentence, False)
    for one, next_one in pairwise(words):
        if next_one.at == one.at + 1 and all(len(w.text) > 1 and w.text not in STOP for w in (one, next_one)):
            yield _Sense(term_of(one.text + next_one.text), one.at, one.sentence, False)


def match(stock: Stock, prompt: str, most: int, shown: Collection[str] = ()) -> list[Hit]:
    """At most `most` entries that `prompt` brings to mind, best first, without the ids that are `shown` anyway."""
    words = words_of(without_quotes(prompt))
    if len(words) > PROMPT_WORDS:
        words = words[: PROMPT_WORDS // 2] + words[-PROMPT_WORDS // 2 :]
    asked = _Asked(stock, words)
    if not asked.by_term or most < 1:
        return []
    hits = _phrase_hits(asked, shown)
    if len(hits) < most:
        hits.update(_cover_hits(asked, {*shown, *(stock.lines[number].id for number in hits)}))
    ordered = sorted(hits.values(), key=lambda hit: (hit.kind == "cover", -hit.score, hit.line.id))
    return ordered[:most]


def _phrase_hits(asked: _Asked, shown: Collection[str]) -> dict[int, Hit]:
    stock = asked.stock
    hits: dict[int, Hit] = {}
    for stems, rows in stock.occurring(asked.by_term):
        weight = _occurs(stems, asked)
        if weight <= 0:
            continue
        vague = len(rows) > FLOOD
        if len(stems) == 1:
            vague = vague or (stems[0] in COMMON_TERMS and stems[0] not in asked.named)
            vague = vague or (asked.only_slip(stems[0]) and stock.filed > SLIPS_ALONE)
        for number, kind in rows:
            line = stock.lines[number]
            if line.id in shown:
                continue
            extra = _support(stock.texts(number), stems, asked) if vague else 0.0
            if vague and extra < SUPPORT:
                continue
            hit = Hit(line, kind, weight + extra, " ".join(stems))
            if number not in hits or (hits[number].score, hits[number].why) < (hit.score, hit.why):
                hits[number] = hit
    return hits


def _occurs(stems: Terms, asked: _Asked) -> float:
    """The weight of a phrase whose terms stand together in the prompt, 0 if they do not."""
    places = [[sense.at for sense in asked.by_term[term]] for term in stems]
    if len(stems) > 1:
        one_place = len(places[0]) == 1 and all(some == places[0] for some in places)
        if one_place and len(set(stems)) == len(stems):
            return 0.0  # one word of the prompt cannot be two words of the phrase
        if _tightest(places) > len(stems) + (0 if any(term in STOP for term in stems) else SLACK):
            return 0.0
    certain = _SLIP_WEIGHT if any(asked.only_slip(term) for term in stems) else 1.0
    return certain * sum(map(asked.weight, stems))


def _tightest(places: Sequence[Sequence[int]]) -> int:
    """The shortest stretch of words that holds one place of each list."""
    events = sorted((at, which) for which, ats in enumerate(places) for at in ats)
    best, last = 1 << 30, dict[int, int]()
    for at, which in events:
        last[which] = at
        if len(last) == len(places):
            best = min(best, at - min(last.values()) + 1)
    return best


def _support(texts: Texts, stems: Terms, asked: _Asked) -> float:
    """How many further words of the entry stand in the prompt; a common one counts half."""
    own = (texts.title | texts.about | texts.spoken).difference(stems)
    further = {term for term in own if term in asked.by_term and term not in STOP}
    return len(further) - len(further & COMMON_TERMS) / 2


def _cover_hits(asked: _Asked, taken: Collection[str]) -> dict[int, Hit]:
    """Entries whose title or description shares enough of its rare words with one sentence of the prompt."""
    stock = asked.stock
    rare = [
        term
        for term in asked.by_term
        if term not in STOP and not term.startswith("=") and 0 < stock.entries[term] <= RARE_ENTRIES
    ]
    rare = sorted(rare, key=lambda term: (stock.entries[term], term))[:RARE_WORDS]
    chosen: list[tuple[float, str, int]] = []
    for number, met in stock.having(rare):
        line = stock.lines[number]
        if line.id not in taken and len(met) >= COVER_WORDS and not met <= COMMON_TERMS:
            chosen.append((-sum(map(asked.weight, sorted(met))), line.id, number))
    hits: dict[int, Hit] = {}
    sentences = asked.sentences() if chosen else []
    for _, _, number in sorted(chosen)[:COVERED]:
        texts = stock.texts(number)
        best, why = max((_covered(texts, spots, asked) for spots in sentences), key=lambda pair: pair[0])
        if best >= COVER_PRODUCT:
            hits[number] = Hit(stock.lines[number], "cover", best, " ".join(sorted(why)))
    return hits


def _covered(texts: Texts, spots: Sequence[set[str]], asked: _Asked) -> tuple[float, set[str]]:
    """(share of the entry times share of the sentence, the shared terms); 0 where the terms are too few or common."""
    said = set[str]().union(*spots)
    shared = said & (texts.title | texts.spoken | texts.about)
    if len(shared) < COVER_WORDS or shared <= COMMON_TERMS or said.isdisjoint(texts.title):
        return 0.0, shared
    beside = shared & (texts.spoken | texts.about)
    of_entry = _sum(asked, (said & texts.title) | beside) / _sum(asked, texts.title | beside)
    weights = [max(map(asked.weight, spot)) for spot in spots]
    met = sum(weight for weight, spot in zip(weights, spots, strict=True) if spot & shared)
    return of_entry * met / sum(weights), shared


def _sum(asked: _Asked, terms: Iterable[str]) -> float:
    return sum(map(asked.weight, sorted(terms)))
