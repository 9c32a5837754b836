"""What is never stored, though somebody asks for it: each refusal names its rule (DESIGN section 4, "Never stored").

The rules look at the form of a sentence and not at single words: "is tired" is a mood, "is tired of XML" a
preference, "is usually tired before coffee" a habit. So a sentence becomes a row of kinds, one character for each
word or phrase, and a rule is a short pattern over that row. Secrets are apart (`secrets.py`): they are absolute,
these rules a person may overrule.

A mood or a frustration passes where another sentence of the text says something that lasts; a sensitive attribute,
a guess at motives and a conversation are refused wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import NamedTuple

from remember_me.policy.conversation import is_conversation
from remember_me.policy.exclusion_keys import COMMON, IDENTITY_KEYS, MOOD_KEYS, MOTIVE_KEYS, phrases


class Exclusion(NamedTuple):
    """Why a text is not stored: the rule's name, what it saw, and what to keep instead."""

    rule: str
    what: str
    instead: str


TRANSIENT_EMOTION = Exclusion("transient-emotion", "a passing mood", "Keep what lasts: what helps, or what to avoid.")
ONE_OFF_FRUSTRATION = Exclusion("one-off-frustration", "a single frustration", "Keep the friction once it comes back.")
SPECULATIVE_MOTIVE = Exclusion("speculative-motive", "a guess at motives", "Keep what was said or done, not why.")
SENSITIVE_IDENTITY = Exclusion(
    "sensitive-identity", "a sensitive attribute", "It is kept only where the person asks for it."
)
CONVERSATION_LOG = Exclusion(
    "conversation-log", "a raw conversation log", "Keep the one statement that matters, quoted."
)

EXCLUSIONS = (TRANSIENT_EMOTION, ONE_OFF_FRUSTRATION, SPECULATIVE_MOTIVE, SENSITIVE_IDENTITY, CONVERSATION_LOG)

_LIMIT_CHARACTERS = 20_000
_ENDS = frozenset(".!?;\n\u2026")
_Sentence = list[str]
_Kinds = tuple[tuple[str, str], ...]
_Phrases = list[tuple[str, str]]
_Entries = list[tuple[tuple[str, ...], str]]


def find_exclusion(text: str) -> Exclusion | None:
    """The first rule that `text` falls under, or None. Looks at the first 20,000 characters."""
    looked_at = text[:_LIMIT_CHARACTERS].replace("\u2019", "'").replace("\r\n", "\n")
    if is_conversation(looked_at):
        return CONVERSATION_LOG
    found = set(looked_at.lower().translate(_SPACES).split()).difference(phrases(COMMON))
    found |= {word[:-1] for word in found if word[-1] == "s"}
    for exclusion, keys, applies in _CHECKS:
        if _has_key(found, keys) and applies(_sentences(looked_at)):
            return exclusion
    return None


def _has_key(found: set[str], keys: str) -> bool:
    """Whether a rule can apply at all: without one of its keys none of its lists is loaded."""
    if len(found) > 40:
        return not found.isdisjoint(_split(keys))
    return any(f" {word} " in keys for word in found)


@cache
def _split(keys: str) -> frozenset[str]:
    return frozenset(keys.split())


_SPACES = str.maketrans(dict.fromkeys("|/.,;:!?()[]{}<>\"'*_#\u2014\u2013\u2026\u201c\u201d", " "))
_TOKENS = r"'(?:s|re|m)\b|[^\W_]+(?:(?:'(?!(?:s|re|m)\b)|-)[^\W_]+)*|[.](?=\s|$|\")|[!?;:,\n()]|[\u2013\u2014\u2026]"


def _sentences(text: str) -> list[_Sentence]:
    """The words of each sentence, in their own case; commas, colons and brackets count as words."""
    found: list[_Sentence] = [[]]
    for token in re.findall(_TOKENS, text):
        if token in _ENDS:
            found.append([])
        else:
            found[-1].append(":" if token == ":" else "," if token in "()\u2013\u2014" else token)
    return [sentence for sentence in found if any(token[0].isalnum() for token in sentence)]


@cache
def _listed(kinds: _Kinds) -> tuple[dict[str, str], dict[str, _Phrases]]:
    """The kind of each single word, the first that is listed; and the phrases as they are written, by first word."""
    singles: dict[str, str] = {}
    several: dict[str, _Phrases] = {}
    for kind, listed in reversed(kinds):
        singles.update(dict.fromkeys(phrases(listed), kind))
    for kind, listed in kinds:
        for phrase in phrases(listed):
            if not phrase.isalpha() and (" " in phrase or "/" in phrase or "'" in phrase):
                for form in phrase.split(" ", 1)[0].split("/"):
                    first = _apart(form).split()[0] if "'" in form else form
                    several.setdefault(first, []).append((phrase, kind))
    return singles, several


@cache
def _entries(kinds: _Kinds, first: str) -> _Entries:
    """How the phrases that start with a word go on, the longest first; of equal ones the first that is listed."""
    singles, several = _listed(kinds)
    found: _Entries = []
    for phrase, kind in dict.fromkeys(several.get(first, ())):
        for forms in product(*(word.split("/") for word in phrase.split())):
            head, *rest = _apart(" ".join(forms)).split() if "'" in phrase else forms
            if head == first:
                found.append((tuple(rest), kind))
    if first in singles:
        found.append(((), singles[first]))
    return sorted(found, key=lambda entry: -len(entry[0]))


def _apart(phrase: str) -> str:
    """A phrase whose short forms are words of their own, as in a text."""
    return f"{phrase} ".replace("'s ", " 's ").replace("'m ", " 'm ").replace("'re ", " 're ")


def _is_name(token: str) -> bool:
    return token[0].isupper() and not (len(token) > 1 and token.isupper())


def _kinds(sentence: _Sentence, kinds: _Kinds, *, name: str, other: Callable[[str], str], plural: bool = False) -> str:
    """One character for each word or phrase of a sentence; `name` for an unknown word with a capital."""
    lowered = [token.lower() for token in sentence]
    row, at = [], 0
    while at < len(lowered):
        word = lowered[at]
        entries = _entries(kinds, word) or (_entries(kinds, word[:-1]) if plural and word[-1] == "s" else [])
        for rest, kind in entries:
            if not rest or tuple(lowered[at + 1 : at + 1 + len(rest)]) == rest:
                row.append(kind)
                at += 1 + len(rest)
                break
        else:
            token = sentence[at]
            row.append(token if token in ",:" else name if _is_name(token) else other(token))
            at += 1
    return "".join(row)


def _verb(word: str) -> str:
    """A word of unknown meaning: `p` for one that looks like a past tense, `g` for one like a gerund."""
    return "p" if re.search("[^e]ed$", word) else "g" if word.endswith("ing") and len(word) > 5 else "x"


def _mood_kinds(sentence: _Sentence) -> str:
    from remember_me.policy import mood_words as words

    return _kinds(sentence, words.KINDS, name="N", other=_verb)


def _is_habit(row: str) -> bool:
    """Whether words of habit excuse a mood; `every` and `each` do not beside a time."""
    return "L" in row or ("l" in row and "T" not in row)


_SUBJECT = r"(?:^|[SN&,:p]|[SN]B?[TDw])[TDw,]{0,8}"


def _is_of_person(row: str, match: re.Match[str]) -> bool:
    """Whether what follows `and` or a comma is still said of a person."""
    return match[0][0] not in "&,:p" or row[0] not in "xdo" or re.search(r"[SN]", row[: match.start()]) is not None


_IN_A_MOOD = rf"{_SUBJECT}(?:[BPs][TD]*)?(?P<be>[BPFGfs])[TD]*(?:x&)?d?D*[MC](?P<tail>.*)"
_ONLY_A_MOOD = r"^[T,D]*[MC](?:[,&]+D*[MC])*(?P<tail>.*)"
_FEELS_LOW = r"[Ffs][TD]*[AQq](?=$|[T,&ca])|[SN][BP]D+A(?=$|[T,&])|S[BP]A(?=T|$)"
_BAD_DAY = r"[HBPFs][DT]*d?D*(?:[QMRA]{1,4}Y|[QMRAq]{1,4}m)|^[DdT]*[Qq]m|(?<!o)m[TDSB]{0,6}[:BP]D*[MCAQq]"
_IN_TEARS = r"(?:^|[SN&,])[TDd]{0,6}[BPHsFf]{0,2}d?D{0,6}K"
_WORN = r"(?:^|[SNdTBPHs&,])[^,:]{0,3}b"
_BARE = r"^d?[SN]d?[DTx]{0,3}M"


def _is_mood(row: str) -> bool:
    """A person in a mood, and the sentence ends there or says that it is now: no object, no habit, no condition."""
    anchored = "T" in row
    if _is_habit(row) or (row[0] == "c" and not re.search(r"^c.{0,6}T.*[SN]D*[PsB]", row)):
        return False
    if anchored and (re.search(_WORN, row) or re.search(_BARE, row)):
        return True
    if re.search(_BAD_DAY, row) or re.search(_IN_TEARS, row) or (anchored and "K" in row):
        return True
    if re.search(_FEELS_LOW, row) and (anchored or "W" not in row):
        return True
    if anchored and re.search(r"e[dDxMQq&]{0,4}[Er]|qY|[HP][dDx]{0,2}[Er]", row):
        return True
    if (match := re.search(_IN_A_MOOD, row)) and _is_of_person(row, match):
        tail = match["tail"]
        if anchored:
            return tail[:1] != "o" or "T" in tail or match["be"] != "B" or row.startswith("T")
        if match["be"] == "G" or "W" in tail:
            return False
        if match["be"] == "f" or (match["be"] == "s" and tail.startswith("a")):
            return True
        tail = re.sub(r"^(?:[,&]+D*[MC])+", "", tail)
        if not tail or tail[0] in ",&":
            return not tail.startswith(",D")
        return tail[0] == "c" and (match["be"] in "Ps" or re.match(r"c[^B]*p", tail) is not None)
    if match := re.search(_ONLY_A_MOOD, row):
        tail = match["tail"]
        if anchored:
            return tail[:1] in ("", *("T,coa&dS" if row[0] == "D" else "T,coa&"))
        return (not tail and row[0] == "D") or re.match(r"c[^BW]*[pP]", tail) is not None
    return False


_CROSS = rf"(?:{_SUBJECT}(?P<be>[BPFGfs])[TD]*|^[T,D]*)C(?P<tail>.*)"
_OUTBURST = r"^V(?!x)|(?:^[TDw,]|[SN&,:p]|[SN]B?[TDw])[TDw,]{0,8}V|[SN][BP]D{0,3}V|^I(?!N)|[,:]I(?:$|[,xdN])"
_COMPLAINT = rf"{_SUBJECT}v(?P<tail>.*)"
_LASHED_OUT = r"[tV].{0,4}z|k[^,:]{0,7}[jJ]|^[Dd]*r(?:[xp]?:|[oa]).*[pT]"
_TRIED = r"[HPe]d?D*R[xY]|[eHP]D*d?D*r[Toca]"


def _is_frustration(row: str) -> bool:
    """Somebody was cross about one event: it has a time, a past event or one particular thing."""
    if _is_habit(row) or (row[0] == "c" and not re.search(r"^c.*[SN,][TD]*[pVPk]", row)):
        return False
    anchored = "T" in row or "w" in row
    if re.search(_OUTBURST, row) or re.search(_LASHED_OUT, row):
        return True
    if "j" in row and (anchored or re.search(r"c[^B]{0,9}p", row)):
        return True
    if (
        "J" in row
        and (anchored or "W" not in row)
        and (anchored or "p" in row or row.startswith(("S", "J")) or re.search(r"J(?:$|,)", row))
    ):
        return True
    if anchored and re.search(r"[HP]dD*Qx", row):
        return True
    if match := re.search(_TRIED, row):
        return anchored or re.search(r"[pP]", row[match.end() :]) is not None or match[0].endswith("Y")
    if match := re.search(_COMPLAINT, row):
        tail = match["tail"]
        return anchored or not tail or (bool(re.match(r"x?(?:c.*[pP]|D*[oa]d)", tail)) and "W" not in tail)
    if match := re.search(_CROSS, row):
        tail, be = match["tail"], match["be"]
        if anchored or "W" in tail:
            of_an_event = re.match(r"[TD]*[ocad]|[T,D]*[:,].*[pP]", tail) is not None
            return anchored and (of_an_event or "p" in row[: match.start()])
        past_event = bool(re.match(r"[TD]*c[^B]*[pP]|[:,][^W]*p", tail))
        past_event = past_event or re.match(r"[oa]d[^,]{1,3}[oa]d", tail) is not None
        past_event = past_event or ("p" in row[: match.start()] and re.match(r"[oa]d|$", tail) is not None)
        return past_event or (be in ("P", "s") and bool(re.match(r"D*[oa]D?[dNgG]|c", tail)))
    return False


def _lasts(row: str, sentence: _Sentence) -> bool:
    """Whether a sentence beside a mood says something that lasts."""
    from remember_me.policy import mood_words as words

    if "L" in row:
        return True
    if "had" in sentence:
        return False
    if sentence[0].lower() in phrases(words.IMPERATIVES):
        return True
    if "T" in row:
        return False
    return "W" in row or re.search(r"^[SN]?[HB]d[^DQq]", row) is not None


def _passing(test: Callable[[str], bool]) -> Callable[[list[_Sentence]], bool]:
    def applies(sentences: list[_Sentence]) -> bool:
        rows = [_mood_kinds(sentence) for sentence in sentences]
        dated = any("T" in row for row in rows)
        hits = [test(f"T{row}" if dated and re.fullmatch("D*[MC]", row) else row) for row in rows]
        if not any(hits):
            return False
        beside = zip(rows, sentences, hits, strict=True)
        return not any(_lasts(row, sentence) for row, sentence, hit in beside if not hit)

    return applies


_CLAIMED = (
    r"X|(?:^|[RN][^:]{0,12})w[^,:]{0,7}Z|byZ|w[^,:]{0,5}b.{0,5}z"
    r"|R[BD]*h[xoBD]{0,3}Q(?![xN])|[RN][BDh]{1,6}Q(?![xN])|^[BD]*hD*[BD]*Q$"
)
_GUESSED = (
    r"Z|b.{0,14}[ze]|u(?:R|y[Rx])x?n|u.{0,3}z|k.{0,4}z|k.{0,3}f|^hD{0,3}z(?=[o,]|$)|h[RN][BD]{0,3}z(?=$|[,o])"
    r"|(?:^h?|[RN][BDh]{0,4}|,)[tBDR]*Q(?=$|[,ohR])"
)


def _is_motive(sentences: list[_Sentence]) -> bool:
    """A hedge and an inner motive of somebody else, or words that claim to know what is hidden."""
    from remember_me.policy import motive_words as motives

    for sentence in sentences:
        row = _kinds(sentence, motives.KINDS, name="N", other=lambda _: "x")
        if ("i" in row or row[0] == "t") and not re.search(r"[RN]", row):
            continue
        if re.search(_CLAIMED, row) or ("h" in row and re.search(_GUESSED, row)):
            return True
    return False


_ATTRIBUTED = (
    r"Bd*k(?:[,&]k){0,4}(?=$|[,:]|&)|Bd*k,[Kk]",
    r"B[d,]{0,8}K+(?=$|[,:f&BTRdFHVat])",
    r"H[dxNs]{0,2}X(?!x)",
    r"F|g|^d{2,}K,?R|(?<=[RN]),d{0,6}K(?=,|$)|^d+[Kk](?=$|,)|^K(?:$|,(?![^,]{0,3}[Kk&]))",
    r"j[dxNRHKkBOUfa]{0,4}?(?<!s)U|[jBH]d*K[afU]",
    r"V[fdxNRHk]{0,5}[OKW]|Bd*[fd]?[xNKk]{1,2}r|j[dxNRf]{0,4}W|Bd{0,3}W",
    r"[tfH][dxs]{0,3}m(?=$|[,:f&TBRdt])|v[^,:]{0,5}[fd]c",
)
_NO_SUBJECT = r"[df&TBHntaV]*|B[dx]{0,2}"


def _is_said_of_person(row: str, at: int, *, strict: bool) -> bool:
    """Whether the subject before `at` is a person, or left out; `strict`: the person stands right before."""
    before = re.split(r"[,:]", row[max(0, at - 40) : at])[-1]
    if re.fullmatch(_NO_SUBJECT, before):
        return True
    return before.rstrip("dTf")[-1:] in ("R", "N") if strict else re.search(r"[RN]", before) is not None


_LABEL = r"^[dRNB]*l(?:[^:n]{0,3}R[^:]{0,2}:|[^:]{0,6}:d*[KkX])(?P<value>.?)|[RNH]B?d?lBd*(?P<is>.?)"


def _is_identity(sentences: list[_Sentence]) -> bool:
    """A person has a protected attribute: said of a person, and not the name of a thing."""
    from remember_me.policy import attribute_words as attributes

    for sentence in sentences:
        row = _kinds(sentence, attributes.KINDS, name="N", other=lambda _: "x", plural=True)
        for at, pattern in enumerate(_ATTRIBUTED):
            if any(_is_said_of_person(row, match.start(), strict=at == 0) for match in re.finditer(pattern, row)):
                return True
        label = re.search(_LABEL, row)
        if label and ((label["is"] or "n") != "n" or (":" in label[0] and (label["value"] or "x") != "n")):
            return True
    return False


_CHECKS: tuple[tuple[Exclusion, str, Callable[[list[_Sentence]], bool]], ...] = (
    (SENSITIVE_IDENTITY, IDENTITY_KEYS, _is_identity),
    (SPECULATIVE_MOTIVE, MOTIVE_KEYS, _is_motive),
    (ONE_OFF_FRUSTRATION, MOOD_KEYS, _passing(_is_frustration)),
    (TRANSIENT_EMOTION, MOOD_KEYS, _passing(_is_mood)),
)
