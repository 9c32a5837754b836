"""Secrets: keys, tokens, passwords, card numbers and IBANs are never stored, on any path that we write.

DESIGN section 4, "Never stored". Three ways to see one: a form of its own (`secret_rules`), a value behind a label
(`secret_labels`), and the shape of a number or of a recovery phrase (here). All of them read a folded copy of the
text, so that full-width digits, accents and invisible characters make no difference.
Linear time: pieces of bounded length, labels that look only at the few characters around them, and not at more than
`LABELS_OF_A_TEXT` of them.
"""

# No `from __future__ import annotations`: a NamedTuple would compile its annotations, a millisecond in a fresh process.

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from remember_me.policy.secret_checks import (
    COMMON_WORDS,
    FUNCTION_WORDS,
    VERB,
    Found,
    compiled,
    is_card_number,
    windows,
    words,
)
from remember_me.policy.secret_rules import RULES, pattern_of

PIECE_CHARACTERS = 20_000
"""A longer text is looked at in pieces that overlap."""

LABELS_OF_A_TEXT = 2_000
"""How many labels are looked at in one text, so that a hostile one of a megabyte costs about a second."""

_OVERLAP_CHARACTERS = 1_000
_TOGETHER = 40


class Secret(NamedTuple):
    """Where a secret stands: the rule that found it, the 1-based line, and the span in that line, end exclusive.

    A secret that goes on over a line break is given up to the end of its first line. The text itself is never here.
    """

    rule: str
    line: int
    start: int
    end: int


def rule_names() -> tuple[str, ...]:
    """The names of all rules, each once, in the order of the table."""
    others = ("national-id", "card-number", "recovery-phrase")
    return tuple(dict.fromkeys([*(rule.name for rule in RULES), *_LABEL_WORDS, *others]))


def find_secrets(text: str) -> list[Secret]:
    """All secrets in `text`, in their order; at most one per place.

    After `LABELS_OF_A_TEXT` labels the values behind further ones are not looked for; all other rules still hold.
    """
    folded, origins = _fold(text)
    found: list[Found] = []
    budget = iter(range(LABELS_OF_A_TEXT))
    for offset in range(0, max(1, len(folded) - _OVERLAP_CHARACTERS), PIECE_CHARACTERS - _OVERLAP_CHARACTERS):
        piece = folded[offset : offset + PIECE_CHARACTERS]
        found += [(rule, offset + start, offset + end) for rule, start, end in _in_piece(piece, budget)]
    if not found:
        return []
    if origins is not None:
        found = [(rule, origins[start], origins[end - 1] + 1) for rule, start, end in found]
    return _placed(text, found)


def which_hold_secrets(texts: Sequence[str]) -> set[int]:
    """The places in `texts` of those that hold a secret; many clean ones are looked at together, which is cheaper."""
    found: set[int] = set()
    for first in range(0, len(texts), _TOGETHER):
        group = texts[first : first + _TOGETHER]
        if find_secrets("\n.\n".join(group)):
            found.update(first + number for number, text in enumerate(group) if find_secrets(text))
    return found


def _placed(text: str, found: list[Found]) -> list[Secret]:
    """Offsets as lines and columns, without overlaps; the earlier and then the longer one wins."""
    secrets: list[Secret] = []
    line, line_start, seen, last_end = 1, 0, 0, 0
    for rule, start, end in sorted(found, key=lambda item: (item[1], -item[2])):
        if start < last_end:
            continue
        line += text.count("\n", seen, start)
        line_start = max(line_start, text.rfind("\n", seen, start) + 1)
        line_end = text.find("\n", start, end)
        secrets.append(Secret(rule, line, start - line_start, (end if line_end < 0 else line_end) - line_start))
        seen, last_end = start, end
    return secrets


_SAME_LENGTH = str.maketrans("‘’‚“”„«»‐‑‒–—―−\u00a0ł", '\'\'\'"""""------- l')


def _fold(text: str) -> tuple[str, list[int] | None]:
    """`text` without accents, width variants and invisible characters, and where each character came from.

    No origins where every character kept its place. Escaped line breaks and quotes (JSON in a string) open up.
    """
    if "\\" in text:
        text = text.replace("\\n", " \n").replace("\\r", "  ").replace("\\t", "  ").replace('\\"', ' "')
    if text.isascii():
        return text, None
    import unicodedata

    characters: list[str] = []
    origins: list[int] = []
    known: dict[str, str] = {}
    for place, character in enumerate(text.translate(_SAME_LENGTH)):
        plain = character
        if not character.isascii():
            if character not in known:
                parts = unicodedata.normalize("NFKD", character)
                known[character] = "".join(c for c in parts if unicodedata.category(c) not in {"Mn", "Cf"})
            plain = known[character]
        characters.append(plain)
        origins += [place] * len(plain)
    return "".join(characters), origins


def _in_piece(piece: str, budget: Iterator[int]) -> Iterator[Found]:
    lowered = piece.lower()
    digits = sum(map(piece.count, "0123456789"))
    for rule in RULES:
        haystack = piece if rule.prefixed else lowered
        if digits < rule.digits or not any(literal in haystack for literal in rule.literals):
            continue
        for match in pattern_of(rule).finditer(piece):
            group = "secret" if match.re.groupindex and match["secret"] is not None else 0
            if rule.check(match[group]):
                yield rule.name, match.start(group), match.end(group)
    for name, (least, label_words) in _LABEL_WORDS.items():
        if digits >= least and any(word in lowered for word in label_words):
            if name == "code":
                yield from _codes(piece, budget)
                continue
            from remember_me.policy.secret_labels import FINDERS

            yield from FINDERS[name](piece, budget)
    if digits >= 6 and any(word in lowered for word in _ID_WORDS):
        yield from _national_ids(piece)
    if digits >= 14:
        yield from _cards(piece)
    if piece.count(" ") + piece.count("\n") >= 11:
        yield from _recovery_phrases(piece)


# Labels: a text that has none of these words, or too few digits, needs no `secret_labels`

_PASSWORD_WORDS = words(
    "pass phrase community pw mdp psk kennwort wachtwoord losenord adgangskode kodeord contrasen clave senha "
    "heslo haslo salasana jelszo geslo lozink sifre parol пароль пароля κωδικος wlan wi-fi wifi wpa pre-shared "
    "пароли losung codewort ssid hotspot"
)
_LOGIN_WORDS = words(
    "login|log in|logs in|logged in|sign in|signs in|logon|cred|admin|root|sudo|account|user|unlock|zugang|nas|vpn"
    "|portal|ssh|ftp|imap|"
    "wlan|wi-fi|wifi|ssid|hotspot|anmeld|einloggen|identifiant|benutzer|utente|usuario|acceso|router",
    "|",
)
_KEY_WORDS = words(
    "key token secret auth cred cookie sess sid schlussel jeton cle clave chiave chave klucz nyckel sleutel "
    "nokkel login oauth _pat licen hook ключ токен"
)
_CODE_WORDS = words(
    "pin|alarm|allarme|cryptogram|criptograma|disarm|opens|keypad|puk|cvv|cvc|tan|code|kode|codigo|codice|kombination"
    "|combination|geheimzahl|nip|unlock|combo|bike lock|punch| gate|key in|garage "
    "|cancello|portone|tapez|compose|tresor|cassaforte|coffre|eintippen|eingeben"
    "|digita|teclea|marcar|pulsa",
    "|",
)
_LABEL_WORDS = {
    "password": (0, _PASSWORD_WORDS),
    "login": (1, _LOGIN_WORDS),
    "assigned-key": (0, _KEY_WORDS),
    "code": (3, _CODE_WORDS),
}
"""For each rule behind a label the digits and the words that a text must have."""


# Numbers

_ID_WORDS = words(
    "ssn social insurance nino tax steuer sozialvers fiscale dni nie nif securite bsn burgerservice "
    "personnummer fodsels cpr henkilo pesel cpf passport reisepass ausweis licen aadha"
)
_NATIONAL_ID = (
    r"(?i)(?<![a-z])(?:ssn|social security(?: number| no\.?)?|national insurance(?: number| no\.?)?|nino"
    r"|tax[ -]?(?:id|payer)\S*|steuer-?id\w*"
    r"|steuer(?:identifikations)?nummer|sozialversicherungs\w*|codice fiscale|dni|nie|nif|numero de securite sociale"
    r"|bsn"
    r"|burgerservicenummer|personnummer|fodselsnummer|cpr(?:-nummer)?|henkilotunnus|pesel|cpf|passport(?: number"
    r"| no\.?)?"
    r"|reisepass\w*|(?:personal)?ausweis\w*|driv(?:er|ing)\S* licen[cs]e(?: number)?|aadhaar)(?![a-z])"
    r"[^0-9\n.;]{0,25}?(?<![A-Za-z0-9])(?=[A-Z]{0,6}\s?[0-9])(?P<secret>[A-Z0-9](?:[ ./-]?[A-Z0-9]){7,19})(?![A-Z0-9])"
)
_CARD_NOT_BEFORE = (
    r"(?i)\b(?:meter|serial|order|tracking|counter|timestamp|invoice|sensor|isbn|ean|imei|parcel|sku|barcode|epoch"
    r"|nanosecond|run id"
    r"|record|ticket|event|customer|part|gtin|upc|job|build|message)\b[^\n]{0,30}$"
)


def _national_ids(piece: str) -> Iterator[Found]:
    for match in compiled(_NATIONAL_ID).finditer(piece):
        digits = sum(map(str.isdigit, match["secret"]))
        if digits >= 6 and not compiled(
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}\b|[0-9]{1,2}([ ./-])[0-9]{1,2}\1(?:19|20)[0-9]{2}\b"
        ).search(match["secret"]):
            yield "national-id", *match.span("secret")


def _cards(piece: str) -> Iterator[Found]:
    for match in compiled(r"(?<![\w.,+-])[0-9](?:[ -]?[0-9]){13,18}(?![\w-])").finditer(piece):
        if is_card_number(match[0]) and not compiled(_CARD_NOT_BEFORE).search(
            piece, max(0, match.start() - 45), match.start()
        ):
            yield "card-number", *match.span()


# PINs and codes behind a label

_PLACES = (
    r"(?:door|gate|alarm|safe|lock|vault|locker|garage|entry|entrance|unlock|access|security|keypad|padlock|voicemail"
    r"|verification|disarm|lock ?box|alarme"
    r"|key ?box|tur|haustur|tor|zugangs|sicherheits|tresor|schloss|porte|portail|coffre|immeuble|porta|cancello"
    r"|cassaforte|puerta"
    r"|alarma|allarme|alarmanlage|cancelletto|portone|portal|garaje|caja fuerte|phone|house|office|shed|suitcase"
    r"|briefcase|bike|card|sim|screen|tablet|deur|kluis|dor|puerta|cofre|telefono)"
)
_CODE_LABEL = (
    r"(?i)(?:(?<![a-z])(?:pin|puk|cvv2?|cvc2?|tan|geheimzahl|nip|cryptogramme(?: visuel)?"
    r"|criptograma)(?:[ -]?(?:code|nummer|number|kode))?s?|digicode"
    r"|(?:garage |gate |door )?keypad|bike lock"
    rf"|(?<![a-z]){_PLACES}[ -]?(?:panel |screen |lock |door )?(?:s?code|kombination|combination|combo|zahl|pin|kode)"
    r"|unlock(?:s|ed)? [^\n.:=]{0,30}?(?:with|by|using)"
    rf"|(?<![a-z]){_PLACES}[^\n.:=]{{0,20}} (?:opens?|unlocks?|is disarmed|gets disarmed) (?:with|by|using)"
    rf"|(?:combination|code|kode|codigo|codice|kod|kombination|clave"
    rf"|zahl) [^\n.:=]{{0,40}}?(?<![a-z]){_PLACES})(?![a-z])"
)
_BACKUP_LABEL = (
    r"(?i)(?:backup|recovery|rescue|wiederherstellungs?|notfall|scratch|one-time|emergency|restore|2fa"
    r"|ersatz)[ -]?(?:pass)?codes?(?![a-z])"
    r"|codes? de (?:secours|recuperation)|codici di (?:backup|recupero)|codigos de (?:respaldo|recuperacion)"
)


_DOORS = (
    r"(?i)(?<![a-z])(?:alarm\w{0,7}|(?:front |back |side )?(?:door|gate)s?|safe|lock(?:box|er)?|garage|keypad|vault"
    r"|shutters?|padlock|barrier|(?:haus|garagen|keller)?tur|tor|tresor|schloss|schliessfach|schranke|porte|portail"
    r"|coffre|digicode|immeuble|barriere|interphone|porta|porton|portone|cancello|cassaforte|allarme|puerta|verja"
    r"|cerradura|garaje|caja fuerte|taquilla)(?![a-z])"
)
_TYPED = (
    r"(?<![a-z])(?:types?|typing|enters?|entering|press(?:es|ing)?|punch(?:es)?|key(?:s|ing)?|dials?"
    r"|tapez|tape[rz]?|composer?z?|saisir|faites|eingeben|eintippen|tippen?|druckt?"
    r"|marcar|marca|marque|marcando|teclear|teclea|teclee|pulsar|pulsa|introducir|introduce|digitare|digita"
    r"|digitando|premere|comporre|inserire|inserisci|(?:open|unlock|disarm|arm|off|apr|ouvr|abr|desactiv|disattiv"
    r"|disinser|apag|offne|geht|schalt|entscharf)\w{0,8}(?: \w{1,8}){0,2} (?:with|by|using|mit|avec|con))"
    r"(?: in| ein| out)?(?: (?:the|den|le|il|el))?(?: (?:code|kode|codice|codigo|zahl|number|pin))?:? "
)
_TYPED_BEHIND = (
    r"(?=[.,;!)]|\s*\Z|\n| (?:within|and|then|to|in|on|at|before|after|or|followed|first|und|dann|ab|aus|ein|auf|zu"
    r"|innerhalb|et|puis|pour|dans|sur|avant|e|poi|per|entro|y|luego|para|antes|en|when|by)(?![a-z])|#|\*)"
)
_TYPED_LATER = (
    r" (?:eintippen|eingeben|tippen|drucken|(?:aus|ab)schalt\w+|entscharf\w+|offnen|deaktivier\w+|marcar|teclear"
    r"|digitare)(?![a-z])"
)


def _codes(piece: str, budget: Iterator[int]) -> Iterator[Found]:
    for label, end in windows(_CODE_LABEL, piece, budget):
        match = compiled(
            rf"(?is)(?P<gap>[\s\"'`*_:=>|)]{{1,12}}|[^\n.;?!]{{0,60}}?(?:[:=]|\s{VERB})[\s\"'`*]{{1,6}})"
            r"(?P<secret>[0-9](?:[ -]?[0-9#*]|(?-i:[A-F])){2,13})(?![\w-]|[.,][0-9])(?!\s?(?:digit|char|mm|kg|volt|hz"
            r"|stell|to\b|and\b))"
        ).match(piece, label.end(), end)
        if compiled(r"(?i)(?:zip|post|postal|error|status|exit|country|area|promo|bar|qr|dress|source)[ -]?$").search(
            piece, max(0, label.start() - 10), label.start()
        ):
            continue
        digits = sum(map(str.isdigit, match["secret"])) if match else 0
        if match and (
            digits >= 4 or (digits == 3 and (":" in match["gap"] or "=" in match["gap"] or label[0][0] in "cC"))
        ):
            yield "code", *match.span("secret")
    for match in compiled(
        rf"(?i)(?<![\w.,-])(?P<secret>[0-9]{{4,8}}[#*]?) (?:on|into|at|in) (?:the |that )?(?:\w+ )?{_PLACES}(?![a-z])"
    ).finditer(piece):
        if not match["secret"].startswith(("19", "20")):
            yield "code", *match.span("secret")
    for label, _ in windows(_DOORS, piece, budget):
        number = r"(?P<secret>(?-i:[0-9][0-9A-F]{3,7})[#*]?)"
        typed = rf"{_TYPED}{number}{_TYPED_BEHIND}(?![.,][0-9])"
        behind = compiled(rf"(?i)[^\n.;!?]{{0,60}}?{typed}").match(piece, label.end()) or compiled(
            rf"(?i)[^\n.;!?]{{0,40}}? {number}{_TYPED_LATER}"
        ).match(piece, label.end())
        before = compiled(rf"(?i){typed}[^\n.;!?]{{0,40}}$").search(piece, max(0, label.start() - 90), label.start())
        for match in (behind, before):
            if match and not compiled(r"(?:19|20)[0-9]{2}|[0-9]+[A-F]{2,}.*").fullmatch(match["secret"]):
                yield "code", *match.span("secret")
                break
    for label, end in windows(_BACKUP_LABEL, piece, budget):
        match = compiled(
            r"(?i)(?<![\w-])(?:[0-9]{4}[ -][0-9]{4}|[0-9]{6,10}|(?=[a-z-]*[0-9])[a-z0-9]{4,6}(?:-[a-z0-9]{4,6})+"
            r"|(?=[a-z]{0,9}[0-9])[a-z0-9]{8,12})(?![\w-])"
        ).search(piece, label.end(), end)
        if match:
            yield "code", *match.span()


# Recovery phrases

_PHRASE_LABEL = (
    r"(?i)seed|recovery|mnemonic|wallet|bip-?39|ledger nano|trezor|metamask|wiederherstellung|cartera"
    r"|(?:secret|backup|these|following) (?:phrase|words)"
)


def _recovery_phrases(piece: str) -> Iterator[Found]:
    """Twelve small words or more without one of grammar (BIP 39 has 3 to 8 letters); unlabelled only a whole count."""
    run: list[tuple[str, int, int]] = []
    for match in [*compiled(r"\S+").finditer(piece), None]:
        word = match[0].lstrip("0123456789.()").rstrip(",;|") if match else "."
        if match and not word:
            continue
        if match and 3 <= len(word) <= 8 and word.isascii() and word.isalpha() and word not in FUNCTION_WORDS and (
            word.islower() or not run or run[-1][0].istitle()
        ):  # fmt: skip
            run.append((word, match.start(), match.end()))
            continue
        if len(run) >= 12:
            first, last = run[0][1], run[-1][2]
            plain = len(run) in {12, 15, 18, 21, 24} and not any(
                w in COMMON_WORDS or not w.islower() for w, _, _ in run
            )
            if compiled(_PHRASE_LABEL).search(piece, max(0, first - 150), run[3][2]) or (
                plain and "," not in piece[first:last]
            ):
                yield "recovery-phrase", first, last
        run = []
