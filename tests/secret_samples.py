"""Well-formed secrets for the tests, put together at run time so that no file holds one.

Hosts of git repositories refuse a push that contains a token, also one that was made up.
"""

from __future__ import annotations

import random
import string

ALPHANUMERIC = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
BASE64 = ALPHANUMERIC + "+/"
DIGITS = string.digits


def tail(length: int, alphabet: str = ALPHANUMERIC, seed: int = 0) -> str:
    """The same `length` characters of `alphabet` for the same seed, with a capital, a small letter and a digit
    as often as chance has it."""
    chance = random.Random(f"{seed}/{length}/{alphabet}")
    return "".join(chance.choice(alphabet) for _ in range(length))


def card(prefix: str, length: int) -> str:
    """A card number of that prefix and length whose check digit fits."""
    digits = [int(digit) for digit in prefix + tail(length - len(prefix) - 1, DIGITS)]
    total = 0
    for place, digit in enumerate(reversed(digits), start=1):
        doubled = digit * 2 if place % 2 else digit
        total += doubled - 9 if doubled > 9 else doubled
    return "".join(map(str, digits)) + str(-total % 10)


def iban(country: str, account: str) -> str:
    """An IBAN with its two check digits."""
    number = int("".join(str(int(character, 36)) for character in f"{account}{country}00".upper()))
    return f"{country}{98 - number % 97:02d}{account}"


def spaced(text: str, width: int = 4) -> str:
    """`text` in groups of `width`."""
    return " ".join(text[start : start + width] for start in range(0, len(text), width))


def pem(kind: str, lines: int = 3) -> str:
    """A PEM block of that kind."""
    body = "\n".join(tail(64, BASE64, line) for line in range(lines))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----"
