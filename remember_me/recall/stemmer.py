"""The English stemmer of M. F. Porter, "An algorithm for suffix stripping" (1980), with his later `bli` and `logi`."""

from __future__ import annotations

_SECOND = """ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize
ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log"""
_THIRD = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_FOURTH = "al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize"

_CONSONANTS = "bcdfghjklmnpqrstvwxz0123456789"
_KINDS = str.maketrans("aeiou" + _CONSONANTS, "vvvvv" + "c" * len(_CONSONANTS))


def porter(word: str) -> str:
    """The stem of a lower-case word; digits count as consonants."""
    if len(word) < 3:
        return word
    word = _without_plural(word)
    word = _without_past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _SECOND_STEP)
    word = _replaced(word, _THIRD_STEP)
    word = _without_long_suffix(word)
    return _tidied(word)


def _shape(word: str) -> str:
    """`v` and `c` for the vowels and consonants of a word: y is a vowel behind a consonant only."""
    shape = word.translate(_KINDS)
    if "y" in shape:
        kinds = ""
        for kind in shape:
            kinds += kind if kind != "y" else "v" if kinds.endswith("c") else "c"
        return kinds
    return shape


def _measure(word: str) -> int:
    """Porter's m: how often consonants follow on vowels."""
    return _shape(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _ends_short(word: str) -> bool:
    """Whether a word of m = 1 ends in consonant, vowel, consonant, the last of them none of w, x, y."""
    shape = _shape(word)
    return shape.endswith("cvc") and shape.count("vc") == 1 and word[-1] not in "wxy"


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    rest = word.removesuffix("ed") if word.endswith("ed") else word.removesuffix("ing")
    if rest == word or not _has_vowel(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 1 and rest[-1] == rest[-2] and rest[-1] not in "aeioulsz":
        return rest[:-1]
    return rest + "e" if _ends_short(rest) else rest


def _by_last_letters(rules: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """The rules (`suffix:replacement`) by the last two letters of the suffix, the longest first."""
    found: dict[str, list[tuple[str, str]]] = {}
    for rule in sorted(rules.split(), key=lambda rule: -len(rule.partition(":")[0])):
        suffix, _, replacement = rule.partition(":")
        found.setdefault(suffix[-2:], []).append((suffix, replacement))
    return {last: tuple(some) for last, some in found.items()}


_SECOND_STEP = _by_last_letters(_SECOND)
_THIRD_STEP = _by_last_letters(_THIRD)
_FOURTH_STEP = _by_last_letters(_FOURTH)


def _replaced(word: str, rules: dict[str, tuple[tuple[str, str], ...]]) -> str:
    for suffix, replacement in rules.get(word[-2:], ()):
        if word.endswith(suffix) and len(word) > len(suffix):
            stem = word[: -len(suffix)]
            return stem + replacement if _measure(stem) else word
    return word


def _without_long_suffix(word: str) -> str:
    for suffix, _ in _FOURTH_STEP.get(word[-2:], ()):
        if word.endswith(suffix) and len(word) > len(suffix):
            stem = word[: -len(suffix)]
            return stem if _measure(stem) > 1 else word
    if word.endswith(("sion", "tion")) and _measure(word[:-3]) > 1:
        return word[:-3]
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
