"""What of a prompt is the user's, and whether they state something that they want kept. Without `re`: see `wire`."""

from __future__ import annotations

from remember_me.hook.adapters import Payload

MARKER = "remember-me"

_WRAPPERS = (MARKER, "hook_context", "system-reminder", "system_reminder")
"""What clients and we put around text that the user did not type."""

_LOOKED_AT_CHARACTERS = 2_000
_RECALLING = (" i", " we", " you", " they", " he", " she", " don't", " can't", " cannot", " not", " never", " still")
"""Words before "remember that" with which it asks for nothing."""

_ANYWHERE = (
    "from now on", "going forward", "for future reference", "in the future always", "keep in mind that", "don't ever",
    "do not ever", "never ever", "i always want", "i never want", "i prefer", "i'd prefer", "i would prefer",
    "i don't want you to", "i do not want you to", "make a note", "take a note", "note to self", "add to your memory",
    "save to memory", "save this preference", "don't forget that", "do not forget that", "off limits",
    "ab jetzt", "ab sofort", "von jetzt an", "von nun an", "merk dir", "merke dir", "vergiss nicht", "nie wieder",
    "ich bevorzuge", "ich möchte nie", "ich will nie", "à partir de maintenant", "désormais", "dorénavant",
    "souviens-toi", "retiens que", "n'oublie pas", "je préfère", "a partir de ahora", "de ahora en adelante",
    "recuerda que", "no olvides", "prefiero", "d'ora in poi", "da ora in poi", "ricordati", "ricorda che",
    "non dimenticare", "preferisco",
)  # fmt: skip
_AT_THE_START = (
    "remember", "please remember", "don't", "do not", "you must not", "but don't", "never", "but never",
    "and never", "please never", "please don't", "please do not",
    "always", "please always", "you must never", "you must always", "stop", "niemals", "bitte nie", "bitte immer",
    "nunca", "siempre",
)  # fmt: skip
"""What says so only at the beginning of a clause: "it never works" states nothing."""
_NOT_THEN = (
    "don't know", "don't think", "don't worry", "don't bother", "don't understand", "don't remember", "do not worry",
    "remember when", "remember how", "remember where", "remember to ", "never mind", "stop here", "always the",
)  # fmt: skip

_SECRET_WORDS = (
    "pass", "pw", "psk", "mdp", "key", "secret", "token", "credential", "login", "iban", "recovery", "seed", "phrase",
    "kennwort", "codewort", "wachtwoord", "passord", "adgangskod", "kodeord", "contrase", "senha", "clave", "chiave",
    "parol", "losen", "heslo", "hasl", "salasana", "jelszo", "geslo", "lozink", "sifre", "community string", "wi-fi",
    "wifi", "wlan", "admin", "user", "wpa", "ssid", "hotspot", "mot de", "://", " -u ", "auth", "wallet", "mnemonic",
)  # fmt: skip
_CODE_WORDS = (
    "code", "codice", "kod", "pin", "puk", "cvv", "cvc", "lock", "alarm", "combo", "combination", "card", "carte",
    "karte", "visa", "amex", "keypad", "crypto", "safe", "gate", "door", "tan", "otp", "number", "nummer", "ssn",
    "social", "passport",
)  # fmt: skip
_CODE_DIGITS = 3
_LONG_WORD_CHARACTERS = 16
_NUMBER_DIGITS = 8
_PHRASE_WORDS = 12
_WRAPPED = [
    *((f"<{name}", f"</{name}>") for name in _WRAPPERS),
    *((f"&lt;{name}", f"&lt;/{name}&gt;") for name in _WRAPPERS),  # one client escapes what hooks say
]


def own_words(text: str) -> str:
    """The prompt without our own block and without what clients wrap, closed or not: an open one goes to the end."""
    while True:
        found = [(at, closing) for opening, closing in _WRAPPED if (at := text.find(opening)) >= 0]
        if not found:
            return text
        at, closing = min(found)
        end = text.find(closing, at)
        text = text[:at] + (text[end + len(closing) :] if end >= 0 else "")


def typed(payload: Payload) -> str:
    """What the user typed of a prompt; empty for a command to the client itself."""
    text = own_words(payload.prompt).strip()
    return "" if text.startswith("/") and " " not in text.split("\n", 1)[0].rstrip() else text


def states_something(text: str) -> bool:
    """Whether the words ask to keep something, or state what holds from now on. Questions and quoted text do not."""
    if len(text) > 2 * _LOOKED_AT_CHARACTERS:
        text = f"{text[:_LOOKED_AT_CHARACTERS]}\n{text[-_LOOKED_AT_CHARACTERS:]}"
    return any(_is_statement(clause) for clause in _clauses(text))


def _is_statement(clause: str) -> bool:
    before, asks, _ = clause.partition(" remember that ")
    if asks and not before.endswith(_RECALLING):
        return True
    if any(f" {phrase} " in clause for phrase in _ANYWHERE):
        return True
    return any(clause.startswith(f" {word} ") for word in _AT_THE_START) and not any(
        clause.startswith(f" {words}") for words in _NOT_THEN
    )


def _clauses(text: str) -> list[str]:
    """The clauses of what was typed, in lower case with single spaces, a space before and behind; no questions."""
    found, is_fenced = [], False
    for line in text.casefold().replace("’", "'").split("\n"):
        line = line.strip()
        if line.startswith(("```", "~~~")):
            is_fenced = not is_fenced
        if is_fenced or line.startswith((">", "```", "~~~", "|")):
            continue
        for mark in "!;:,":
            line = line.replace(mark, ".")
        for sentence in line.replace("? ", "?.").split("."):
            words = sentence.strip(" \t-*\"'“”„()")
            if words and not words.endswith("?"):
                found.append(f" {' '.join(words.split())} ")
    return found


def may_hold_secret(text: str) -> bool:
    """Whether it is worth while to load the rules about secrets: it takes longer than all the rest of a hook.

    Letters of other scripts, look-alikes and invisible ones are left to the rules, and so is any long word.
    """
    if not text.isascii():
        return True
    low = text.lower()
    if any(word in low for word in _SECRET_WORDS):
        return True
    is_about_code = any(word in low for word in _CODE_WORDS)
    digits, words = 0, 0
    for word in low.split():
        numbers = sum(character.isdigit() for character in word)
        digits = digits + numbers if numbers else 0
        letters = word.strip(",.;:")
        words = words + 1 if letters.isalpha() and 3 <= len(letters) <= 8 else 0
        is_code = is_about_code and digits >= _CODE_DIGITS
        is_long = len(word) >= _LONG_WORD_CHARACTERS
        if is_long or is_code or digits >= _NUMBER_DIGITS or words >= _PHRASE_WORDS:
            return True
    return False
