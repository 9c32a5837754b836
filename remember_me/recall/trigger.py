"""Which entries a prompt brings to mind: phrases that occur in it, then a strict search (DESIGN section 6, recall).

*phrase*: an alias, or a title short enough to be a name ("Redis cache"). *cover*: the search for what no phrase
catches: a sentence of the prompt shares enough rare words with a title or a description. *link*: what an entry of
a phrase links to, where there is room.

A pure function of prompt and stock, and loaded by a hook: see `trigger_words`. `stock.Stock` is the stock in the cache.
"""

from __future__ import annotations

from itertools import pairwise
from math import log

from remember_me.recall.phrases import Terms
from remember_me.recall.trigger_words import (
    COMMON,
    COMMON_TERMS,
    SLIP_HEAD,
    STOP,
    Word,
    content,
    content_term,
    is_slip,
    plain_words,
    term_of,
    without_quotes,
    words_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    class Known(Protocol):
        """An entry as far as a prompt can bring it to mind. `key` tells it from all others."""

        key: int
        id: str
        title: str
        description: str

        @property
        def spoken(self) -> Collection[str]:
            """The terms of its phrases."""

    class Stock(Protocol):
        """The entries that a prompt may bring to mind."""

        entries: int
        filed: int
        """Phrases of all entries."""

        def counts(self, terms: Iterable[str]) -> Mapping[str, int]:
            """In how many entries each term is; a term that is in none may be missing."""

        def phrases(self, terms: Collection[str]) -> Iterable[tuple[Terms, Sequence[int]]]:
            """The phrases that `terms` make up, with the keys of their entries."""

        def having(self, terms: Iterable[str]) -> Mapping[int, set[str]]:
            """The keys of the entries that have some of `terms`, and which."""

        def spelled(self, head: str) -> Collection[str]:
            """The words of phrases that begin with these two letters and forgive a slip."""

        def linked(self, key: int) -> Iterable[Known]:
            """The entries that the one of this key links to, as far as they are shown at all."""

        def load(self, keys: Iterable[int]) -> Iterable[Known]:
            """The entries of these keys that are shown at all, in their order."""


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


class Hit:
    """An entry that the prompt brings to mind. `kind` is phrase, cover or link; `why` the terms that met, or the id of
    the entry that links to it."""

    __slots__ = ("kind", "known", "score", "why")

    def __init__(self, known: Known, kind: str, score: float, why: str) -> None:
        self.known, self.kind, self.score, self.why = known, kind, score, why


class Texts:
    """The terms of one entry: of its title, its description, its phrases."""

    __slots__ = ("about", "spoken", "title")

    def __init__(self, known: Known) -> None:
        self.title, self.about, self.spoken = _terms(known.title), _terms(known.description), set(known.spoken)


def _terms(text: str) -> set[str]:
    found = set(map(content_term, plain_words(text)))
    found.discard("")
    return found


class _Sense:
    """A term that a word of the prompt may stand for."""

    __slots__ = ("at", "sentence", "slip", "term")

    def __init__(self, term: str, at: int, sentence: int, slip: bool) -> None:
        self.term, self.at, self.sentence, self.slip = term, at, sentence, slip


class _Asked:
    """A prompt as read against a stock: which terms its words may stand for, and how rare they are."""

    def __init__(self, stock: Stock, words: Sequence[Word]) -> None:
        self.stock = stock
        self.kept = content(words)
        self.named = {word.term for word in words if word.named}
        self.by_term: dict[str, list[_Sense]] = {}
        self._weights: dict[str, float] = dict.fromkeys(STOP, 0.0)
        self.counts: dict[str, int] = {}
        self._hear(list(_senses(words, self.kept)))
        self._hear(list(self._slips()))
        for word in words if self.by_term else ():
            if word.text in STOP:
                self.by_term.setdefault(word.term, []).append(_Sense(word.term, word.at, word.sentence, False))

    def _hear(self, senses: Sequence[_Sense]) -> None:
        """Take in the senses of which there are entries."""
        self._count(sense.term for sense in senses)
        for sense in senses:
            if self.counts[sense.term]:
                self.by_term.setdefault(sense.term, []).append(sense)

    def _count(self, terms: Iterable[str]) -> None:
        new = {term for term in terms if term not in self.counts}
        if new:
            self.counts.update(dict.fromkeys(new, 0))
            self.counts.update(self.stock.counts(new))

    def _slips(self) -> Iterator[_Sense]:
        """What unknown words may have been meant as."""
        odd = [word for word in self.kept if self._is_odd(word)]
        meant: dict[str, list[str]] = {}
        for word in odd:
            if word.text not in meant and len(meant) < SLIP_WORDS:
                spelled = self.stock.spelled(word.text[:SLIP_HEAD])
                known = any(term_of(other) == word.term for other in spelled if abs(len(other) - len(word.text)) < 4)
                meant[word.text] = [] if known else sorted(other for other in spelled if is_slip(word.text, other))
            for other in meant.get(word.text, ()):
                yield _Sense(term_of(other), word.at, word.sentence, True)

    def _is_odd(self, word: Word) -> bool:
        if len(word.text) < 4 or not word.text.isalpha() or word.text in COMMON:
            return False
        return self.counts[word.term] < SLIP_KNOWN

    def count_all(self, texts: Iterable[Texts]) -> None:
        """Ask for the terms of entries at once."""
        self._count({term for one in texts for term in one.title | one.about | one.spoken})

    def weight(self, term: str) -> float:
        """Inverse frequency among the entries, with a prior for words that are common in any prompt."""
        known = self._weights.get(term)
        if known is None:
            self._count((term,))
            count, total = self.counts[term], max(self.stock.entries, _SMALL_STORE)
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
        hits.update(_cover_hits(asked, {*shown, *(hit.known.id for hit in hits.values())}))
    ordered = sorted(hits.values(), key=lambda hit: (hit.kind == "cover", -hit.score, hit.known.id))
    return _with_links(ordered[:most], stock, most, shown)


def _with_links(hits: list[Hit], stock: Stock, most: int, shown: Collection[str]) -> list[Hit]:
    """The hits, and one hop further what those of a phrase link to."""
    taken = {*shown, *(hit.known.id for hit in hits)}
    further: list[Hit] = []
    for hit in hits:
        if hit.kind == "phrase" and len(hits) + len(further) < most:
            for known in stock.linked(hit.known.key):
                if known.id not in taken:
                    taken.add(known.id)
                    further.append(Hit(known, "link", 0.0, hit.known.id))
    return [*hits, *further][:most]


def _phrase_hits(asked: _Asked, shown: Collection[str]) -> dict[int, Hit]:
    hits: dict[int, Hit] = {}
    for stems, keys in asked.stock.phrases(asked.by_term):
        weight = _occurs(stems, asked)
        if weight <= 0:
            continue
        vague = len(keys) > FLOOD
        if vague:
            keys = _supported(keys, stems, asked)
        if len(stems) == 1:
            vague = vague or (stems[0] in COMMON_TERMS and stems[0] not in asked.named)
            vague = vague or (asked.only_slip(stems[0]) and asked.stock.filed > SLIPS_ALONE)
        for known in asked.stock.load(keys):
            if known.id in shown:
                continue
            extra = _support(Texts(known), stems, asked) if vague else 0.0
            if vague and extra < SUPPORT:
                continue
            hit = Hit(known, "phrase", weight + extra, " ".join(stems))
            best = hits.get(known.key)
            if best is None or (best.score, best.why) < (hit.score, hit.why):
                hits[known.key] = hit
    return hits


def _supported(keys: Sequence[int], stems: Terms, asked: _Asked) -> list[int]:
    """Those of many entries that have a further word of the prompt at all."""
    further = asked.stock.having(term for term in asked.by_term if term not in STOP and term not in stems)
    return [key for key in keys if key in further]


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
    rare = [
        term
        for term in asked.by_term
        if term not in STOP and not term.startswith("=") and asked.counts[term] <= RARE_ENTRIES
    ]
    rare = sorted(rare, key=lambda term: (asked.counts[term], term))[:RARE_WORDS]
    chosen: list[tuple[float, int]] = []
    for key, met in asked.stock.having(rare).items():
        if len(met) >= COVER_WORDS and not met <= COMMON_TERMS:
            chosen.append((-sum(map(asked.weight, sorted(met))), key))
    hits: dict[int, Hit] = {}
    sentences = asked.sentences() if chosen else []
    looked_at = [key for _, key in sorted(chosen)[: COVERED + len(taken)]]
    found = [(one, Texts(one)) for one in asked.stock.load(looked_at) if one.id not in taken][:COVERED]
    asked.count_all(texts for _, texts in found)
    for known, texts in found:
        best, why = max((_covered(texts, spots, asked) for spots in sentences), key=lambda pair: pair[0])
        if best >= COVER_PRODUCT:
            hits[known.key] = Hit(known, "cover", best, " ".join(sorted(why)))
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
