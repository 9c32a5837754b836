"""The checks that tell a secret from what only looks like one, and the words that are none.

Nothing is compiled at import: each pattern is compiled at its first use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

Found = tuple[str, int, int]
"""A rule's name, and where the secret starts and ends in its piece of text."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """`pattern`, compiled at its first use; `re`'s own cache is too small and is cleared by others."""
    return re.compile(pattern)


def words(text: str, separator: str = " ") -> tuple[str, ...]:
    """The words of a list that is written as one text."""
    return tuple(text.split(separator))


WINDOW_CHARACTERS = 120
"""How far behind its label a value may stand."""


def windows(label: str, piece: str, budget: Iterator[int]) -> Iterator[tuple[re.Match[str], int]]:
    """Each label, as far as the budget goes, with the end of the text that belongs to it: not behind the next label."""
    matches = list(compiled(label).finditer(piece))
    for match, following, _ in zip(matches, [*matches[1:], None], budget, strict=False):
        end = min(match.end() + WINDOW_CHARACTERS, len(piece))
        yield match, min(end, following.start()) if following else end


VERB = (
    r"(?:is|are|was|were|=|:|=>|:=|to|ist|sind|lautet|lauten|war|auf|est|sont|etait|es|era|son|e|sono|jest|to jest|ar"
    r"|er|var|on"
    r"|og|je|och|olur|now|still|reads|says|becomes|remains|set to|changed to|и|это|—|-|c'est|it's|es ist|hei(?:ss|ß)t)"
)

_PLACE_HOLDER = (
    r"(?i)example|place-?holder|change[-_ ]?(?:me|this|it)|replace[-_]?(?:me|this|with)|x{4,}|\*{3,}|\.{3}|0{8}|•{3}"
    r"|_{4,}"
    r"|(?:your|my|the|some|insert|enter|put|add)[-_ ]?(?:\w+[-_ ])?(?:api|key|token|pass|pwd|secret|pin)(?![0-9])"
    r"|<(?![0-9])[^>]*>?|[$%#]?\{|^\$?\$[(A-Za-z_][A-Za-z_.]+$|^\$[({]|^%\w+%|redact|dummy|(?:^|[-_])(?:fake"
    r"|sample)(?:$|[-_])"
    r"|^\[[^\]]*\]$|\.env\b|environ|getenv|^(?:op|vault|ref|secret|file|env|ssm|arn|keyring|pass|https?|s3|gs|bw"
    r"|doppler)://?"
    r"|^(?:arn|env|file|vault|secret):|1234567890|abcdefgh|deadbeef|keychain|^!\w+$|foo-?bar"
)


def is_place_holder(value: str) -> bool:
    """Whether `value` only stands for a secret: `YOUR_API_KEY`, `sk-...`, `${TOKEN}`, `op://vault/item`."""
    return compiled(_PLACE_HOLDER).search(value) is not None


def is_real(value: str) -> bool:
    return len(set(value)) >= 6 and not is_place_holder(value)


_WORDY_PART = (
    r"(?:[a-z]{1,14}|[A-Z]{1,14}|[A-Z][a-z]{1,14})[0-9]{0,4}|[0-9]{1,2}[a-zA-Z]{0,2}|[0-9]{1,8}|v[0-9]+"
    r"|[0-9a-f]{6,10}|[a-z0-9]{0,5}"
)


def looks_random(value: str, floor: int = 16) -> bool:
    """A key and no word, path, model name or place holder: letters and digits mixed as by chance.

    Letters alone are random where their case changes as often as it does by chance.
    """
    if len(value) < floor or not is_real(value):
        return False
    changes = len(compiled(r"[a-z][A-Z]").findall(value))
    if all(compiled(_WORDY_PART).fullmatch(part) for part in compiled(r"[-_./:~+=]").split(value)):
        return changes >= len(value) // 8 and len(value) >= 20 and value.isalpha()
    digits = sum(map(str.isdigit, value))
    if digits == len(value) or compiled(r".*/.*\w\.[a-z]{2,5}(?:\.gz)?").fullmatch(value):
        return False
    if len(compiled(r"[A-Z]?[a-z]{3,}").findall(value)) > max(1, len(value) // 6):
        return False
    by_case = changes >= max(3, len(value) // 8)
    return by_case or (
        digits >= 2 and any(map(str.isalpha, value)) and (digits >= 3 or changes >= 2 or len(value) >= 20)
    )


def is_wide_random(value: str) -> bool:
    return looks_random(value, 12)


STOP_WORDS = frozenset(
    words(
        "a an the in on at by to of for with and or not no now never always still only too very so then there here "
        "this that these required missing empty wrong invalid incorrect correct optional mandatory hidden weak "
        "strong short long safe secure secret public unknown unique known none null true false nil undefined string "
        "str bytes text int bool any needed expired expiring blank set stored kept saved changed shared reset "
        "rotated used asked written due old new same different fine okay good bad important private encrypted hashed "
        "salted masked redacted protected lost gone forgotten everything nothing something yes prompt input random "
        "generated default disabled enabled off case-sensitive required-field todo tbd password passwd username user "
        "name mine yours ours theirs his hers himself herself easy hard simple complex compromised leaked obsolete "
        "verplicht erforderlich falsch richtig geheim sicher leer obligatoire requis incorrecte faux obbligatoria "
        "sbagliata obligatoria incorrecta obrigatoria errada vide vuota vacia abgelaufen necessary enough sufficient "
        "manager"
    )
)

FUNCTION_WORDS = frozenset(
    words(
        "the and for from are was has not but your our his her its which who than per been had were would should "
        "could their them she him does did being nel nella sul sulla della del dei delle dans sur pour avec les des "
        "auf dem den der die das ein eine und ist wird nicht con por para las los una che non gli"
    )
)
COMMON_WORDS = (STOP_WORDS - {"correct", "good", "safe", "easy", "hard", "new", "old", "simple", "secret"}) | frozenset(
    words(
        "with have will when you into after before about can must only each every all any both while where what how "
        "until if ask kept keep use used stays lives goes comes lies minimum least characters words chosen made "
        "changes rotates"
    )
)

EDGES = "\"'`*_()[]{}<>,;:."
MARKS = "!#$%&?*^~+=@|\\§€£"
_TECHNICAL = (
    r"(?i)(?:1password|pkcs#\d+|(?:oauth|argon|sha|auth|fido|pbkdf|wpa|tls|ssl|base|windows|win|utf|md|aes|ed|rsa"
    r"|bcrypt"
    r"|scrypt|http|ipv"
    r"|python|py|node|k8s|s3|ec2|office|microsoft|keepass|vault|u2f|web|tier|level|version|room|box|step|rule|layer"
    r"|port|line"
    r"|page|chapter|section|part|day|week|q|fy|rfc|iso|v|x|nist|sp|pci|gpt|llama|qwen)[-_ ]?[0-9][\w.-]*"
    r"|\d+(?:st|nd|rd|th|px|[gm]hz|[gm]bit|kg|g|mm|cm|m|km|ms|s|h|min|gb|mb|kb|tb|k|x|am|pm|bit|bits|th|er|e|o|a)?"
    r"|[\d.,:/x×-]+%?"
    r"|(?-i:[A-Z]{1,5}-?\d{1,4}))"
)
_NO_VALUE = (
    r"HEAD[~^]\d*|\w+=[\d.]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}|\S*://\S*|[~.]{0,2}(?:/[\w.-]*){2,}"
    r"|[\w.-]+/[\w./-]+"
    r"|\S*\\\S+\\\S*|--?[a-z][\w-]*(?:=\S*)?"
    r"|[\w-]+\.[a-z]{2,5}(?:[/:#]\S*)?|v?\d+(?:\.\d+)+\S{0,12}|[A-Za-z]+(?:[-/+&'.][A-Za-z]+)*(?:'s)?[!?]?"
    r"|[a-z]+(?:_[a-z0-9]+)+"
    r"|(?:Ctrl|Cmd|Alt|Shift|Strg)\S*|#\d+|#?[0-9a-f]{6}|\^[a-z0-9]{6}|@[\w-]+|#[\w/-]+|[\w'-]+[,;].*[(].*"
    r"|[A-Za-z_][\w.]*[(\[].*|[A-Z]+(?:_[A-Z0-9]+)+"
    r"|\d{4}-\d\d-\d\d\S*"
)


def is_reference(value: str) -> bool:
    """Whether `value` is code, a path or an option that leads to a secret, or a place holder."""
    return is_place_holder(value) or compiled(r"[A-Za-z_][\w.]*[(\[].*|(?:self|args|config|settings|cfg|env|os|this"
    r"|req\w*)\.\S+"
        r"|[*•.…x_-]+|/(?:run|etc|home|var|opt|srv|tmp|mnt)/\S+|~/\S+"
        r"|-{1,2}[a-z][\w-]*").fullmatch(value) is not None  # fmt: skip


def strength(word: str) -> int:
    """How much a word looks like a password: 0 no, 1 only where its place says so, 2 likely, 3 wherever it stands."""
    value = word.strip(EDGES).lstrip("=")
    if len(value) < 4 or is_reference(value) or is_reference(word) or value.lower() in STOP_WORDS:
        return 0
    lower, upper = any(map(str.islower, value)), any(map(str.isupper, value))
    digits = sum(map(str.isdigit, value))
    mark = any(c in MARKS for c in value[:-1]) or (value[-1] in "#$%&*^~+=@!" and digits > 0)
    letters = lower or upper or any(map(str.isalpha, value))
    if value.isdecimal():
        return 2 if len(value) >= 4 else 0
    if compiled(_NO_VALUE).fullmatch(value):
        if digits and compiled(r"[a-z]{5,}_[0-9][a-z0-9]{0,3}").fullmatch(value):
            return 1
        humps = lower and upper and value.isalpha() and compiled(r"[a-z][A-Z]").search(value) and len(value) >= 8
        return 1 if value.isalpha() and (value.islower() or humps or value.istitle()) else 0
    if compiled(_TECHNICAL).fullmatch(value):
        return 0
    if any(c in "(){}<>;" for c in value[:-1]) and not digits:
        return 0
    if letters and mark and (digits or (lower and upper and len(value) >= 8)):
        return 2 if compiled(r"[a-z]\w*@[\w.-]+(?::\S*)?").fullmatch(value) else 3
    if (lower and upper and digits >= 2 and len(value) >= 8) or looks_random(value):
        return 3
    return 2 if letters and (digits or mark) else 0


_PROSE_WORDS = frozenset(
    words(
        "valid facil dificil practicar estudiar rubbish nonsense trouble overkill history mandatory overdue "
        "identical similar obvious terrible awful "
        "trivial "
        "useless pending visible invisible available active inactive everywhere nowhere elsewhere upstairs downstairs "
        "inside outside below above online offline local global tomorrow today yesterday weekly monthly daily yearly "
        "first second third alphanumeric numeric lowercase uppercase plaintext alone instead anyway tricky silly "
        "crazy funny stupid confidential handwritten stuck taped known unclear paper later twice again together "
        "pflicht sache chefsache vertrauenssache geheimsache privatsache bekannt immer notwendig tabu gleich lang kurz "
        "note notee ecrit ecrite perdu cache oublie enregistre colle affiche partage garde stocke range sauvegarde "
        "bloque faible court confidentiel identique pareil inconnu secret fort nouveau ancien requis perso commun "
        "segreta segreto sicura nuova vecchia lunga corta stessa uguale debole forte comune diversa "
        "misma igual secreta debil fuerte larga nueva vieja distinta personal comun petra request demand sticker "
        "fridge router label ask siehe voir vedi ver bitwarden keepass lastpass dashlane proton apple google icloud "
        "keychain vaultwarden enpass passkey passkeys fingerprint biometric windows yubikey"
    )
)
_ADJECTIVE = (
    r"(?:\w+(?:ed|ing|able|ible|ive|ous|less|ful|ly|ary|ory|ant|ent|ic|ical|tten|dden|oken|known|shown|drawn|like|wise"
    r"|lich|ig|isch|bar|los|iert|haft|sam|iche|igen?|eux|euse|aire|ique|uelle|ato|ata|ado|ada|ido|ida|uto|uta)"
    r"|(?:auf|aus|an|ab|ein|um|zu|nach|vor|mit|hin|bei)?ge\w{3,}(?:t|en)|(?:ver|ent|hinter|be)\w{3,}(?:t|en)"
    r"|scritt[oa]|escrit[oa]|pers[oa])"
)


def is_plain_word(value: str, spoken: bool) -> bool:
    """Whether a word without digits and marks may be a password: `spoken` behind a verb, where prose has others."""
    value = value.strip(EDGES)
    lowered = value.lower()
    if len(value) < 5 or lowered in COMMON_WORDS or lowered in FUNCTION_WORDS or lowered in _PROSE_WORDS:
        return False
    if strength(value) == 1:
        return not (spoken and value.islower() and compiled(_ADJECTIVE).fullmatch(value))
    parts = lowered.split("-")
    return (
        len(parts) >= (3 if spoken else 2)
        and len(value) >= 10
        and all(part.isalpha() and part not in COMMON_WORDS and part not in FUNCTION_WORDS for part in parts)
        and not is_reference(value)
        and "pass" not in lowered
    )


def passes_luhn(digits: str) -> bool:
    """Whether a card number's check digit fits (ISO/IEC 7812); separators are left out."""
    numbers = [int(digit) for digit in digits if digit.isdecimal()]
    if not 13 <= len(numbers) <= 19 or len(set(numbers)) == 1:
        return False
    total = 0
    for place, number in enumerate(reversed(numbers)):
        doubled = number * 2 if place % 2 else number
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


_CARD_GROUPS = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 1)})
_CARD_BRANDS = (
    r"4(?:[0-9]{15}|[0-9]{18})|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|3(?:0[0-5]|[689][0-9])[0-9]{11}|35[0-9]{14}|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}"
    r"|62[0-9]{14,17}"
)


def is_card_number(text: str) -> bool:
    """A brand's prefix and length, grouped as on a card or not at all, and the check digit."""
    groups = compiled(r"[0-9]+").findall(text)
    if len(groups) > 1 and tuple(map(len, groups)) not in _CARD_GROUPS:
        return False
    return compiled(_CARD_BRANDS).fullmatch("".join(groups)) is not None and passes_luhn("".join(groups))


_IBAN_LENGTHS = (
    "NO15 BE16 DK18 FI18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 CH21 CR21 HR21 LI21 LV21"
    " BG22 BH22 DE22 GB22 GE22 IE22 ME22 RS22 AE23 GI23 IL23 IQ23 OM23 TL23 SO23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 "
    "SE24"
    " SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 BI27 DJ27 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 "
    "HU28"
    " LB28 PL28 SV28 NI28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MN20 FK18 LC32 MT31 SC31 RU33"
)


def passes_iban(text: str) -> bool:
    """Whether an IBAN's length is its country's and its check digits fit (ISO 13616, mod 97)."""
    compact = "".join(text.split()).replace("-", "").upper()
    if not compact.isalnum() or not compact.isascii() or f"{compact[:2]}{len(compact)}" not in _IBAN_LENGTHS.split():
        return False
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1


def starts_with_iban(text: str) -> bool:
    """Whether the words that `text` begins with are an IBAN; what follows in it may be prose."""
    ends = [match.start() for match in compiled(r"[ -]").finditer(text)] + [len(text)]
    return any(passes_iban(text[:end]) for end in ends if end >= 15)


def is_jwt(text: str) -> bool:
    import base64
    import json

    head = text.split(".", 1)[0]
    try:
        fields = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
        return isinstance(fields, dict) and bool({"alg", "typ", "kid", "enc"} & set(fields))
    except (ValueError, RecursionError):
        return False


def is_user_and_password(text: str) -> bool:
    import base64

    try:
        pair = base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode("utf-8")
    except ValueError:
        return looks_random(text)
    return ":" in pair.strip() and not is_place_holder(pair) and pair.isprintable()


def is_query_value(value: str) -> bool:
    return looks_random(value, 10)
