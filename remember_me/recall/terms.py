"""Words into terms: what the search indexes of a text, and what it knows of an entry besides.

NFC and case folded, Latin diacritics dropped, English stop words left out, a light stemmer (Porter 1980) after a table
of irregular and British forms. CJK text is cut into pairs of characters, in the index into single ones too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from remember_me.recall.stemmer import porter

_STOP_WORDS = """a about above after again all also am an and any are as at be because been being below between both but
by can could did do does doing down during each either else ever for from further get got had has have having he her
here hers herself him himself his how i if in into is it its itself just let me might more most must my myself no nor
not of off on once only or other our ours ourselves out over own same shall she should so some such than that the their
theirs them themselves then there these they this those through to too under until up us very was we were what when
where which while who whom whose why will with would you your yours yourself yourselves s t ll ve re d m cant couldnt
didnt doesnt dont hadnt hasnt havent hed hes id im ive isnt arent shes shouldnt thats theres theyd theyll theyre theyve
wasnt wed weve werent whats wont wouldnt youd youll youre youve lets"""
"""Words that say nothing of what a text is about; without well, hell, ill and shell, which are words of their own."""

_FORMS = """go went gone goes|buy bought|take took taken|make made|see saw seen|come came|know knew known|think thought|
give gave given|find found|tell told|become became|leave left|feel felt|bring brought|begin began begun|keep kept|
hold held|write wrote written|stand stood|hear heard|mean meant|meet met|run ran|pay paid|sit sat|speak spoke spoken|
lead led|grow grew grown|lose lost|fall fell fallen|send sent|build built|understand understood|draw drew drawn|
break broke broken|spend spent|rise rose risen|drive drove driven|wear wore worn|choose chose chosen|eat ate eaten|
sing sang sung|swim swam swum|win won|teach taught|catch caught|fight fought|sell sold|seek sought|sleep slept|
fly flew flown|throw threw thrown|forget forgot forgotten|forgive forgave forgiven|hide hid hidden|ride rode ridden|
ring rang rung|shake shook shaken|steal stole stolen|wake woke woken|bite bit bitten|blow blew blown|drink drank drunk|
freeze froze frozen|hang hung|lend lent|light lit|shoot shot|shine shone|show shown|sink sank sunk|stick stuck|
strike struck|swear swore sworn|sweep swept|tear tore torn|bend bent|bind bound|dig dug|feed fed|flee fled|kneel knelt|
lay laid|lie lain|say said|child children|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|
person people|life lives|wife wives|knife knives|leaf leaves|half halves|shelf shelves|wolf wolves|mom mum mother|
dad father|tv television|photo photograph picture|color colour|favorite favourite|neighbor neighbour|center centre|
theater theatre|realize realise|organize organise|program programme|gray grey|behavior behaviour|honor honour|
humor humour|labor labour|flavor flavour|harbor harbour|tire tyre|license licence|defense defence|catalog catalogue|
dialog dialogue|jewelry jewellery|plow plough|check cheque|pajamas pyjamas|airplane aeroplane plane|deal dealt|
dream dreamt|learn learnt|burn burnt|spell spelt|spill spilt|smell smelt|overcome overcame|undergo underwent|
withdraw withdrew|arise arose|bear bore borne|beat beaten|creep crept|leap leapt|shrink shrank|spin spun|
spring sprang sprung|sting stung|swing swung|weave wove woven|weep wept|zero 0|1 one|2 two|3 three|4 four|5 five|6 six|
7 seven|8 eight|9 nine|10 ten|11 eleven|12 twelve"""
"""Irregular, British and near forms: the first of each group stands for the others."""

_TIME_WORDS = """yesterday today tomorrow tonight last next ago week weeks weekend month months year years monday
tuesday wednesday thursday friday saturday sunday january february march april june july august september october
november december one two three four five six seven eight nine ten couple first once twice"""
_NAME_INSIDE = r"[a-z,] (?!I\b)[A-Z][a-z]+"
_HEAD = r"\s*([^\W_][^\W_'\u2019.-]*)[^:\n]{0,24}:\s"
_WORD = r"[^\W_]+(?:['\u2019][^\W_]+)*"
_CJK = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
_NO_TEXT = "[\ud800-\udfff]"
_MARKS = "[\u0300-\u036f]"

BREAKS = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) != "'"}
"""ASCII characters between words, for `str.translate`: all but letters, digits and the apostrophe."""
_LONGEST_TERM = 64
"""What is longer is no word; two that begin alike are taken for one."""

_MOST_KNOWN = 100_000

ENDS_IN_QUESTION, HAS_QUESTION, HAS_NUMBER, HAS_NAME = 1, 2, 4, 8
"""Bits of `Traits.flags`."""


class Traits(NamedTuple):
    """What the search knows of an entry: its terms in their order, joined by spaces, how many, the term that it begins
    with where that is a name before a colon, and what `flags` say of it."""

    terms: str
    length: int
    head: str
    flags: int


def traits_of(*parts: str) -> Traits:
    """The traits of a text that is given in parts, the most important first."""
    text = "\n".join([part for part in parts if part])
    folded = fold(text)
    found = words(folded, index=True)
    terms = list(filter(None, map(_TERMS.__getitem__, found)))
    begins = pattern(_HEAD).match(folded) if ":" in folded else None
    name = words(begins[1]) if begins is not None else []
    asks = "?" in text or "\uff1f" in text
    flags = HAS_QUESTION if asks else 0
    if asks and text.rstrip()[-1:] in ("?", "\uff1f"):
        flags |= ENDS_IN_QUESTION
    if not _time_words().isdisjoint(found) or pattern(r"\d").search(folded):
        flags |= HAS_NUMBER
    if pattern(_NAME_INSIDE).search(text, begins.end() if begins is not None else 0):
        flags |= HAS_NAME
    return Traits(" ".join(terms), len(terms), stem(name[0]) if name else "", flags)


def fold(text: str) -> str:
    """NFC, case folded, without Latin diacritics: composed and decomposed, Cafe and café are the same."""
    if text.isascii():
        return text.lower()
    text = pattern(_MARKS).sub("", unicodedata.normalize("NFD", text.casefold()))
    return unicodedata.normalize("NFC", text).replace("\u2019", "'")


def words(folded: str, *, index: bool = False) -> list[str]:
    """Words without a possessive s; a run of CJK characters as pairs, in the index one by one too."""
    if folded.isascii():
        found = folded.translate(BREAKS).split()
        return found if "'" not in folded else [part for word in found for part in _without_apostrophes(word)]
    parts: list[str] = []
    for word in _plain_words(folded):
        if word.isascii() or not pattern(_CJK).search(word):
            parts.append(word)
            continue
        for part in pattern(f"({_CJK})").split(word):
            if pattern(_CJK).match(part):
                parts += part if index and len(part) > 1 else ""
                parts += [part[at : at + 2] for at in range(max(1, len(part) - 1))]
            elif part:
                parts.append(part)
    return parts


def _plain_words(text: str) -> list[str]:
    found = pattern(_WORD).findall(text)
    if "'" not in text:
        return found
    return [word[:-2] if word.endswith("'s") else word.replace("'", "") for word in found]


def _without_apostrophes(word: str) -> list[str]:
    return _plain_words(word) if "'" in word else [word]


def terms_of(folded: str) -> list[str]:
    """The terms of a folded text, in its order, repeats included."""
    return list(filter(None, map(_TERMS.__getitem__, words(folded, index=True))))


def stem(word: str) -> str:
    """The stem of a folded word; words of other scripts stay."""
    plain = _base_forms().get(word, word)[:_LONGEST_TERM]
    return porter(plain) if plain.isascii() else plain


class _Terms(dict[str, str]):
    """The term of each folded word, '' for a stop word; what was asked before is known."""

    def __missing__(self, word: str) -> str:
        if len(self) > _MOST_KNOWN:
            self.clear()
        term = self[word] = "" if word in stop_words() else stem(word)
        return term


_TERMS = _Terms()


@cache
def stop_words() -> frozenset[str]:
    """The folded words that are no terms."""
    return frozenset(_STOP_WORDS.split())


@cache
def _time_words() -> frozenset[str]:
    return frozenset(_TIME_WORDS.split())


@cache
def _base_forms() -> dict[str, str]:
    groups = [group.split() for group in _FORMS.split("|")]
    return {form: group[0] for group in groups for form in group[1:]}


def clean(text: str) -> str:
    """`text` as a database can hold it: a byte that is no UTF-8 becomes U+FFFD."""
    return text if text.isascii() else pattern(_NO_TEXT).sub("\ufffd", text)


@cache
def pattern(source: str) -> re.Pattern[str]:
    """The compiled pattern, compiled when it is first needed: an import of this module shall cost nothing."""
    return re.compile(source)
