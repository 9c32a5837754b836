"""How well an entry answers a query: pure arithmetic on the places where the terms of the query stand.

The score of an entry is, for each term of the query, the evidence of the entry itself and the faded evidence of its
neighbours in the same note and scope, saturated for each term, so that a term counts once for a passage however often
it is said there::

    spread(e, t) = [t in e] * norm(length of e) + sum over k of SPREAD[k] * [t in e - k] * norm(length of e - k)
    score(e)     = sum over t of weight(t) * (1 + SATURATION) * spread / (spread + SATURATION), and the date bonus

and then the best ones get a share of the best score in their note, and a factor for each trait that speaks for or
against them. The weights were found on five conversations of LoCoMo and hold on the other five.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import log
from typing import NamedTuple

from remember_me.recall.keys import (
    CHOICES,
    FLAGS_BIT,
    GROUP_BITS,
    IMPACT_BIT,
    LENGTH_BITS,
    LOW_BITS,
    ORDER_BITS,
    UNDATED,
)
from remember_me.recall.terms import (
    ENDS_IN_QUESTION,
    HAS_NAME,
    HAS_NUMBER,
    HAS_QUESTION,
    fold,
    pattern,
    stem,
    stop_words,
    words,
)

SPREAD = {-3: 0.05, -2: 0.1, -1: 0.2, 1: 0.3, 2: 0.35, 3: 0.1, 4: 0.05}
"""What a match gives to the entry k places behind it (k < 0: before it)."""
QUESTION_SPREAD = 0.5
"""More for the entry right behind one that ends in a question mark: the answer follows."""
SATURATION = 0.6
RARITY_POWER = 0.9
LENGTH_SHARE = 0.4
NOTE_SHARE = 0.1
"""Every entry gets this share of the best score in its note and scope."""
HEAD_FACTOR = 1.3
"""The entry begins with a name ("Anna: …") that the query names."""
QUESTION_FACTOR = 0.85
ASKS_FACTOR = 0.9
"""The entry holds a question mark; QUESTION_FACTOR besides where it ends in one."""
NUMBER_FACTOR = 1.3
"""The query asks when or how many, and the entry has a number or a word of time."""
NAME_FACTOR = 1.1
"""The query asks who, where or which, and the entry has a name inside a sentence."""
DAY_BONUS, MONTH_BONUS, YEAR_BONUS = 5.5, 3.7, 1.1
"""The query names the day and month, the month, or the year of the note."""
IMPACT_FACTORS = {1: 1.0, 2: 1.02, 3: 1.04}
CONFIDENCE_FACTORS: dict[str | None, float] = {"low": 0.94, "medium": 0.97}
RECENCY_SHARE = 0.01
"""What an entry can lose by its age at most."""
RECENCY_DAYS = 365
"""Half of that is lost after so many days."""
LEAST_HEADS = 3
"""A word is a known name when it begins this many entries ("Anna: …"). In a query it then weighs by HEAD_FACTOR alone
and is no term, if it is written with a capital there or begins at least half of the entries that have it."""

LONGEST_QUERY = 20_000
"""Characters of a query that are looked at."""

_LENGTH_MASK = (1 << LENGTH_BITS) - 1
_ASKED = 1 << LENGTH_BITS
_GROUP_MASK = (1 << GROUP_BITS) - 1
_MONTHS = "january february march april may june july august september october november december"
_HOW_NUMBER = "many long much old"
_WHAT_NUMBER = "year date day time month often age number far"
_ASKS_NAME = ("who", "where", "whose", "which")
_WORD = r"[^\W_]+(?:['\u2019][^\W_]+)*"
_DAY = r"(\d\d?)(?:st|nd|rd|th)?"
_ISO_DATE = r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b"


class Question(NamedTuple):
    """What a query asks for: its terms in their order, the terms of words with a capital, the date that it names, and
    whether it wants a number or a name for an answer."""

    terms: tuple[str, ...]
    capitals: frozenset[str]
    months: frozenset[int]
    years: frozenset[int]
    days: frozenset[int]
    wants_number: bool
    wants_name: bool


class Place(NamedTuple):
    """What the factors look at in the row of an entry. `kind` is as in the row; `seen` is a day as an ordinal, or 0
    where none is known."""

    head: str
    kind: int
    seen: int


def parse_question(query: str) -> Question:
    """Read a query; total. Whatever it holds besides words counts for nothing."""
    text = unicodedata.normalize("NFC", query[:LONGEST_QUERY])
    folded = fold(text)
    found = words(folded)
    terms = dict.fromkeys(stem(word) for word in found if word not in stop_words())
    capitals = frozenset(
        stem(word)
        for match in pattern(_WORD).finditer(text)
        if match[0][:1].isupper()
        for word in words(fold(match[0]))
    )
    months, years, days = _dates(folded, found)
    first = found[0] if found else ""
    wants_number = (
        first == "when"
        or ("how" in found and not set(_HOW_NUMBER.split()).isdisjoint(found))
        or (first in ("what", "which", "how") and not set(_WHAT_NUMBER.split()).isdisjoint(found[1:4]))
    )
    return Question(tuple(terms), capitals, months, years, days, wants_number, first in _ASKS_NAME)


def _dates(folded: str, found: Sequence[str]) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """(months, years, days) that a query names; days only beside a month."""
    names = _MONTHS.split()
    months = {names.index(word) + 1 for word in found if word in names}
    years = {int(word) for word in found if len(word) == 4 and word.isdecimal() and word[:2] in ("19", "20")}
    days: set[int] = set()
    if months:
        numbers = [match for word in found if (match := pattern(_DAY).fullmatch(word)) is not None]
        days = {int(match[1]) for match in numbers if 0 < int(match[1]) < 32}
    for year, month, day in pattern(_ISO_DATE).findall(folded):
        if 1 <= int(month) <= 12:
            years.add(int(year))
            months.add(int(month))
            if day and 1 <= int(day) <= 31:
                days.add(int(day))
    return frozenset(months), frozenset(years), frozenset(days)


def rarity(entries: int, holding: int) -> float:
    """The weight of a term that `holding` of all `entries` have: the rarer, the more it says."""
    return float(log(1 + (max(0, entries - holding) + 0.5) / (holding + 0.5)) ** RARITY_POWER)


def length_norms(average: float) -> list[float]:
    """The factor of a match in an entry of so many terms: shorter ones say it more plainly."""
    return [(1 - LENGTH_SHARE + LENGTH_SHARE * length / average) ** -0.5 for length in range(_LENGTH_MASK + 1)]


def score_places(
    places: Mapping[str, Iterable[int]], weights: Mapping[str, float], norms: Sequence[float]
) -> dict[int, float]:
    """The score of every key that holds a term or has a neighbour that does; `places` are rowids by term.

    A key beside a match may stand for no entry."""
    total: dict[int, float] = {}
    of_total = total.get
    spread = list(SPREAD.items())
    for term, rowids in places.items():
        evidence: dict[int, float] = {}
        of = evidence.get
        for rowid in rowids:
            key = rowid >> LOW_BITS
            own = norms[rowid & _LENGTH_MASK]
            evidence[key] = of(key, 0.0) + own
            for step, share in spread:
                beside = key + step
                evidence[beside] = of(beside, 0.0) + share * own
            if rowid & _ASKED:
                evidence[key + 1] += QUESTION_SPREAD * own
        weight = weights[term] * (1 + SATURATION)
        for key, some in evidence.items():
            total[key] = of_total(key, 0.0) + weight * some / (some + SATURATION)
    return total


def best_keys(scores: Mapping[int, float], limit: int) -> list[int]:
    """The keys with the highest scores, the newest first among equals."""
    keys = list(scores)
    if len(scores) > limit:
        cut = sorted(scores.values(), reverse=True)[limit - 1]
        keys = [key for key, score in scores.items() if score >= cut]
    keys.sort(key=lambda key: (scores[key], key), reverse=True)
    return keys[:limit]


def add_date_bonus(scores: dict[int, float], question: Question) -> None:
    """More for the entries of days that the query names."""
    known: dict[int, float] = {}
    for key in scores:
        group = key >> ORDER_BITS & _GROUP_MASK
        if group not in known:
            known[group] = _date_bonus(group, question)
        scores[key] += known[group]


def _date_bonus(group: int, question: Question) -> float:
    if not 0 < group < UNDATED or group > date.max.toordinal():
        return 0.0
    on = date.fromordinal(group)
    if (question.years and on.year not in question.years) or (question.months and on.month not in question.months):
        return 0.0
    if on.day in question.days:
        return DAY_BONUS
    return MONTH_BONUS if question.months else YEAR_BONUS


def final_scores(
    scores: Mapping[int, float], places: Mapping[int, Place], question: Question, names: frozenset[str]
) -> dict[int, float]:
    """The scores of the keys in `places` with their note's share and all factors. `names` are the known names in the
    query."""
    peaks: dict[int, float] = {}
    for key in places:
        note = key >> ORDER_BITS
        peaks[note] = max(peaks.get(note, 0.0), scores[key])
    newest = max((place.seen for place in places.values()), default=0)
    return {
        key: (scores[key] + NOTE_SHARE * peaks[key >> ORDER_BITS]) * _factor(place, question, names, newest)
        for key, place in places.items()
    }


def _factor(place: Place, question: Question, names: frozenset[str], newest: int) -> float:
    bit, levels = CHOICES["confidence"]
    confidence = levels[place.kind >> bit & 3]
    factor = IMPACT_FACTORS.get(place.kind >> IMPACT_BIT & 3, 1.0) * CONFIDENCE_FACTORS.get(confidence, 1.0)
    flags = place.kind >> FLAGS_BIT
    if place.head in names:
        factor *= HEAD_FACTOR
    if flags & ENDS_IN_QUESTION:
        factor *= QUESTION_FACTOR
    if flags & HAS_QUESTION:
        factor *= ASKS_FACTOR
    if question.wants_number and flags & HAS_NUMBER:
        factor *= NUMBER_FACTOR
    if question.wants_name and flags & HAS_NAME:
        factor *= NAME_FACTOR
    age_days = newest - place.seen if place.seen else 0
    return float(factor * (1 - RECENCY_SHARE + RECENCY_SHARE * 0.5 ** (age_days / RECENCY_DAYS)))
