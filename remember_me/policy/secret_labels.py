"""Secrets behind a label: passwords, logins, keys and codes ("the password is …", `API_KEY=…`).

Every label looks only at the few characters around it, and takes one from the budget of its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from remember_me.policy.secret_checks import (
    COMMON_WORDS,
    EDGES,
    FUNCTION_WORDS,
    STOP_WORDS,
    VERB,
    Found,
    compiled,
    is_place_holder,
    is_plain_word,
    is_reference,
    looks_random,
    strength,
    windows,
    words,
)

# Passwords behind a label

_PASSWORD_LABEL = (
    r"(?i)(?:pass[ _-]?(?:word|phrase|code)s?|(?<!ch)passwd|community string|key[ -]phrase|passwort(?:er)?"
    r"|kennwort(?:er)?|wachtwoord(?:en)?|losenord(?:et)?"
    r"|passord(?:et)?|adgangskoden?|kodeord(?:et)?|mots? de passe|contrasen[ay]a?s?|palavra[ -]passe|senhas?|heslo"
    r"|hasl[oa]"
    r"|salasana(?:t|n)?|jelszo|geslo|lozink[ae]|sifre(?:si|m)?|пароль|κωδικος|codewort"
    r"|(?<![a-z])(?:pass|pw|pwd|mdp|psk|parol[ae](?: d'ordine| chiave)?|clave|pre-?shared[ _-]?key|userpass|dbpass"
    r"|dbpwd|rootpw|sshpass"
    r"|(?<![a-z])(?:cle|clef|clave|chiave|code|codice) (?:(?:du|de la|del|de|della|d'acces) )?(?:wi-?fi|wlan)"
    r"|(?:wlan|wi-?fi|wpa2?|ssid|hotspot|network|netzwerk|reseau|rete)(?:[ -]?|\b[^\n.]{1,50}?[ -])"
    r"(?:key|code|schlussel|kode|pw|pass|cle|chiave|clave))(?![a-z]))"
)
_NO_LABEL_BEHIND = (
    r"(?i)[ \t_-]?(?:file|path|hash|less|reset|polic|manager|field|prompt|length|database|store|vault|rotation|hint"
    r"|expir"
    r"|protect|strength|stdin|generator|input|box|dialog|form\b|url|link|min|max|ttl|require|valid|check|count"
    r"|through|port\b"
    r"|\w{0,20}\()|[/?#&}]|[\])>]{0,2}@"
)
_CONNECTED = (
    r"(?is)(?:[ \t_-]\w{1,12})?[\s\"'`*_)\]]{0,6}(?:\([^()\n]{0,40}\)[\s\"'`*_:]{0,4})?"
    rf"(?P<verb>=>|:=|={{1,3}}|:|->|>|\||,(?=\s?[\"'])|(?:(?<=\s)(?:{VERB})(?=[\s:]):?)(?:\s(?:now|still|also"
    rf"|currently|:))?)"
    r"(?P<open>[\s>|*_-]{0,12}[\"'`]?)(?:[\s*_]{0,3})(?:!!?(?:str|binary) )?"
)


_TARGET = (
    r" (?:(?:for|of|to|on|at|in|from|fur|furs|vom|von|der|des|zum|zur|im|am|beim|unsere[smnr]|de|du|des|pour|sur|chez"
    r"|del|della|dello|dei|delle|di|per|do|da|para|el|il|la|al|en|our|my)(?![\w'])|(?:d|l|dell|dall|nell|all)'\w+"
    r"|(?-i:[A-Z0-9])[\w.-]{0,20})"
    r"(?: (?!(?:is|are|was|were|has|have|had|must|should|shall|can|cannot|could|may|might|will|would|does|did|that"
    r"|which|who|whose|when|if|because|until|after|before|where|how|why|or|but|not|needs?|wants?|says?|changes?"
    r"|expires?|oder|aber|nicht|hat|muss|soll|kann|darf|wird|dass|wenn|weil|wer|qui|que|quand|mais|pas|doit|peut"
    r"|che|chi|quando|ma|non|deve|puo|cuando|donde|pero|debe|puede)(?![\w'])|\w+(?:'s)? (?:is|ist) not)"
    r"[^\s.:;,!?=\"|/()]{1,20}){0,7}?"
)
_SAID = (
    r"(?:,? |\s?)(?P<verb>(?:it is|it's|that is|that's|this is|which is|namely|namlich|es ist|es lautet|er lautet"
    r"|und zwar|c'est|ce sera|que es|cioe|ossia|is|was|ist|war|lautet|hei(?:ss|ß)t|est|etait|es|era|e|er|ar|jest|esta)"
    r"(?: (?:now|still|currently|just|simply|again|called|jetzt|aktuell|einfach|immer noch|nun|maintenant|toujours"
    r"|desormais|adesso|ora|ahora))?:?|[:=])\s{1,3}(?P<open>[*_]{0,2}[\"'`]?)\s?"
)
_END = (
    r"[\"'`*_)\]}]{0,3}(?:[.;!,]?\s*\Z|[.;!,]?\s*\n|[.;!]\s|[.,]? ?\(|\s#|\s?[|<]|, (?:all |one word|lower|upper"
    r"|capital|no"
    r"|without|klein|gross|alles|zusammen|ohne|tout|sans|tutto|senza|todo|sin|user|login)|,? (?:in one word|and|und"
    r"|et|e|y) (?:(?:the|der|die|le|la|el|il|her|his|my) )?(?:user|log|pin|benutzer|utilis|identif|utente|usuario))"
)
_NO_PHRASE = frozenset(
    words(
        "must should cannot required wrong incorrect invalid expired enter forgotten is are was were "
        "have "
        "has please your password passphrase phrase word words characters"
    )
)


def _passwords(piece: str, budget: Iterator[int]) -> Iterator[Found]:
    for label, end in windows(_PASSWORD_LABEL, piece, budget):
        short = len(label[0]) <= 5 and label[0].lower() not in {"heslo", "haslo", "senha", "sifre"}
        if (
            compiled(_NO_LABEL_BEHIND).match(piece, label.end(), end)
            and piece[label.start() - 1 : label.start()] != "<"
        ) or compiled(r"#\w*$").search(piece, max(0, label.start() - 20), label.start()):
            continue
        spans = (
            _connected_value(piece, label, end),
            _spoken_value(piece, label.end(), end, 3 if short else 2),
            _value_before(piece, label.start()),
            _later_phrase(piece, label, end),
            _given_value(piece, label),
        )
        for span in spans:
            if span is not None:
                yield "password", *span
                break


def _connected_value(piece: str, label: re.Match[str], end: int) -> tuple[int, int] | None:
    """The value behind a label and `:`, `=` or `is`, also with what it is for between them."""
    for pattern in (_CONNECTED, f"(?i)(?:{_TARGET})?{_SAID}"):
        joint = compiled(pattern).match(piece, label.end(), end)
        span = _value_at(piece, label, joint, end) if joint else None
        if span is not None:
            return span
    return None


def _value_at(piece: str, label: re.Match[str], joint: re.Match[str], end: int) -> tuple[int, int] | None:
    """The value right behind a label and its joint; a plain word counts where its clause ends."""
    first, quote = joint.end(), joint["open"][-1:]
    if quote and quote in "\"'`":
        last = piece.find(quote, first, first + 100)
        value = piece[first:last].strip() if last > 0 else ""
        if len(value) >= 4 and not is_reference(value) and value.lower() not in STOP_WORDS:
            least = 2 if joint["verb"] == "," else 1
            return (first, last) if _may_be_quoted(value, "phrase" in label[0].lower(), least) else None
    match = compiled(r"(?:[^\s<|]|<(?=[0-9])){1,100}").match(piece, first)
    if match is None:
        return None
    value = match[0]
    behind = piece[match.end() : match.end() + 40].split("\n", 1)[0]
    if strength(value) >= 2 and not (value.isdecimal() and compiled(r"(?i)[ -](?:char|zeichen|sign|word|digit|day"
        r"|letter|car|min|sec|month|h\b)").match(behind)):  # fmt: skip
        return match.span()
    if _is_dictated(piece, label, joint["verb"].lower(), match):
        return match.span()
    return _phrase(piece, first, end, 3)


def _may_be_quoted(value: str, phrase: bool, least: int = 1) -> bool:
    """A word in quotes, or several without one that only prose has; a pass phrase may have the words of grammar."""
    parts = compiled(r"[\s-]+").split(value.lower())
    if len(parts) == 1 or strength(value) >= 1:
        return strength(value) >= least
    return not any(part in (_NO_PHRASE if phrase else COMMON_WORDS) or "pass" in part for part in parts)


def _is_dictated(piece: str, label: re.Match[str], verb: str, match: re.Match[str]) -> bool:
    """Whether a plain word at the end of its clause is the value: after a verb no adjective, participle or place."""
    name, value = label[0].lower(), match[0].rstrip(EDGES + "!")
    spoken = verb[:1].isalpha()
    network = compiled(r"(?:network|netzwerk|reseau|rete)").match(name) is not None
    if verb in {"to", "on", "auf", "og", "ar", "var", "|"} or (
        spoken and (network or name.endswith(("ds", "es", "er")))
    ):
        return False
    if verb == "e" and not compiled(r"(?i)(?:\b(?:la|mia|sua|tua|nostra|a|minha) )$").search(
        piece, max(0, label.start() - 9), label.start()
    ):
        return False
    return is_plain_word(value, spoken) and compiled(_END).match(piece, match.start() + len(value)) is not None


def _given_value(piece: str, label: re.Match[str]) -> tuple[int, int] | None:
    """A plain word right behind its label: in "logs in … with the password …" and "SSID …, key …"."""
    match = compiled(r"\s(?P<value>[^\s|]{5,64})").match(piece, label.end())
    if match is None:
        return None
    given = compiled(
        r"(?i)(?:(?:log|sign|connect|anmeld|einlogg|meldet|entra|acced|se connect)[^\n.;!?]{0,80}?"
        r" (?:with|mit|avec|con) (?:the|his|her|their|my|dem|seinem|ihrem|meinem|le|son|mon|la|su|mi|sua|mia)"
        r"|(?<![a-z])(?:as|als|user(?:name)?|login|ssid|network|netz(?:werk)?|benutzer(?:name)?|utente|usuario"
        r"|utilisateur"
        r"|identifiant|come|como|comme|rete|reseau):? [\"']?[\w.@-]{2,40}[\"']?(?:,| /| and| und| et| e| y)(?: the)?) $"
    ).search(piece, max(0, label.start() - 110), label.start())
    if not given and not any(mark in label[0] for mark in ",/"):
        return None
    value = match["value"].rstrip(EDGES + "!")
    if (is_plain_word(value, True) or strength(value) >= 2) and compiled(_END).match(
        piece, match.start("value") + len(value)
    ):
        return match.start("value"), match.start("value") + len(value)
    return None


def _spoken_value(piece: str, start: int, end: int, least: int) -> tuple[int, int] | None:
    """A value later in the sentence: behind a verb what may be a password, elsewhere only what must be one."""
    sentence = compiled(r"[.!?;]\s|\n").search(piece, start, end)
    stop = sentence.start() + 1 if sentence else end
    behind_verb = least == 2
    for match in compiled(r"[^\s|]+").finditer(piece, start, stop):
        force = strength(match[0])
        if (
            (force == 3 or (behind_verb and force >= least))
            and match.end() - match.start() >= 5
            and not match[0].isdecimal()
        ):
            return match.span()
        behind_verb = compiled(rf"(?i)(?:{VERB}|.*[:=])").fullmatch(match[0]) is not None
    return None


def _value_before(piece: str, start: int) -> tuple[int, int] | None:
    """`hunter2` in "use hunter2 as the password" and "hunter2 is my password"."""
    match = compiled(
        r"(?i)(?P<value>\S{4,64}),? (?:as|is|was|ist|war|als|est|comme|es|como|e|come|er|ar|on|jest)(?: (?!as "
        r"|not )[\w'-]{1,15}){0,4}[ ']$"
    ).search(piece, max(0, start - 110), start)
    quoted = match is not None and match["value"][0] in "\"'`" and match["value"][-1] == match["value"][0]
    return match.span("value") if match and strength(match["value"]) >= (1 if quoted else 2) else None


def _later_phrase(piece: str, label: re.Match[str], end: int) -> tuple[int, int] | None:
    """A pass phrase right behind the word for it, in quotes, or behind a colon later in the line."""
    phrase = "phrase" in label[0].lower()
    quoted = compiled(r"\s[\"'`](?P<words>[^\"'`\n]{8,80})[\"'`]").match(piece, label.end(), end)
    used = r"(?i)(?:with|mit|avec|con|usa|usar|use|using) (?:\w+ )?\S+$"
    sure = quoted is not None and (" " in quoted["words"] or strength(quoted["words"]) >= 2)
    sure = sure or compiled(used).search(piece, max(0, label.start() - 25), label.end()) is not None
    if quoted and sure and _may_be_quoted(quoted["words"], phrase):
        return quoted.span("words")
    colon = compiled(r"[^\n:.;]{0,60}:\s").match(piece, label.end(), end)
    if colon:
        return _phrase(piece, colon.end(), end, 3)
    if not phrase:
        return None
    for chain in compiled(r"(?<![\w-])[a-z]{3,9}(?:-[a-z]{3,9}){3,7}(?![\w-])").finditer(
        piece, max(0, label.start() - 70), end
    ):
        if is_plain_word(chain[0], True):
            return chain.span()
    return _phrase(piece, label.end(), end, 4)


def _phrase(piece: str, start: int, end: int, least: int) -> tuple[int, int] | None:
    """A pass phrase: `least` plain small words or more up to the end of the line, none of them one of grammar."""
    line = compiled(r"[\s:=\"'`*-]*(?P<words>[^\n.\"'`*]{8,100})").match(piece, start, end)
    words = compiled(r"[ -]+").split(line["words"].strip()) if line else []
    if not least <= len(words) <= 10 or not all(w.isalpha() and w.islower() and len(w) > 2 for w in words):
        return None
    if any(word in COMMON_WORDS or word in FUNCTION_WORDS for word in words):
        return None
    return line.span("words") if line else None


# User names with their password, without a word for it

_LOGIN_LABEL = (
    r"(?i)(?<![a-z])(?:log(?:s|ged)?[ -]?(?:in|on)|sign(?:s|ed)?[ -]in|cred(?:ential)?s?|zugangsdaten|anmeld(?:en"
    r"|edaten|ung)|einloggen"
    r"|identifiants?|admin|root|sudo|account|user(?:name)?|unlocks?|benutzer(?:name)?|utente|usuario|acceso"
    r"|router|nas|vpn|portal|ssh|ftp|imap|wlan|wi-?fi|ssid|hotspot)(?![a-z]|_[a-z])"
)


def _logins(piece: str, budget: Iterator[int]) -> Iterator[Found]:
    for label, end in windows(_LOGIN_LABEL, piece, budget):
        between = r"(?i)(?:[^\n/]{0,60}?(?<![\w./@-])[\w.@-]{2,40})?(?P<joint>"
        behind = r")(?P<secret>[^\s/:'\"]{5,64})(?![^\s]*[/:])"
        pair = compiled(between + " / " + behind).match(piece, label.end(), end) or compiled(
            between + r" ?\| ?|:\s?" + behind
        ).match(piece, label.end(), end)
        if pair:
            glued = pair[0] == ":" + pair["secret"] and not pair["secret"].isdecimal()
            administrator = label[0].lower() in {"root", "admin"}
            likely = label[0].lower().startswith("cred") or pair["joint"] == " / " or (glued and administrator)
            if strength(pair["secret"]) >= (2 if likely else 3):
                yield "login", *pair.span("secret")
                continue
        span = _spoken_value(piece, label.end(), end, 3)
        value = piece[slice(*span)].strip(EDGES) if span else ""
        if (
            span
            and span[0] > label.end()
            and any(map(str.isdigit, value))
            and any(mark in value for mark in "!#$%&?*^~")
        ):
            yield "login", *span


# Keys behind a label

_KEY_LABEL = (
    r"(?i)(?:api[ _-]?(?:key|token|secret)s?|(?:access|auth|private|secret|encryption|signing|master|deploy|account"
    r"|pre-?shared)[ _-]?key"
    r"|(?:access|secret)_?access_?key|secrets?(?:[ _-]?key)?(?:[ _-]base)?|tokens?|authtoken|credentials?"
    r"|(?:set-)?cookie"
    r"|(?:php|j|asp\.net_|(?<!origin))sess(?:ion)?[ _-]?(?:id|key|token)|session(?==)|connect\.sid|(?<![a-z])(?:key"
    r"|sid|auth|cle"
    r"|clave|chiave|chave|login)"
    r"|(?:api-?)?schlussel|jeton|klucz|nyckel|sleutel|nokkel|licen[cs]e|webhook|oauth|(?<=_)pat|ключ|токен)(?![a-z])"
)
_NO_KEY_BEHIND = (
    r"(?i)[ _-]?(?:ids?|names?|count|budget|limit|bucket|type|hash|fingerprint|file|path|size|cache|policy|rotation"
    r"|ttl|expiry"
    r"|url|version|ring|board|signature|cap|plate|figure|point|word)\b"
)
_NO_KEY_BEFORE = (
    r"(?i)(?:public|pub|host|primary|foreign|cache|sort|partition|idempotency|object|row|publishable|site|anon"
    r"|translation|issue"
    r"|jira|dedupe|lookup|cursor|page|continuation|next)[ _-]{0,2}$"
)
_HASH_BEFORE = (
    r"(?i)(?:sha-?\d*|md5|h1|hash|commit|checksum|digest|fingerprint|integrity|public\w*|etag|trace|revision|image"
    r"|run|job|uuid"
    r"|build|blob|object|recipient|ssh-\w+)(?: key)?(?: is| was| of \S{1,40})?[\s:=\"'`(-]{0,6}(?:sha\d+[:-])?$"
)
_KEY_GAP = (
    rf"(?is)(?:[_.-]?\w{{1,12}})?[\s\"'`*_\])]{{0,4}}(?:\([^()\n]{{0,40}}\)\s?)?(?:=>|:=|==?|:|->|>|\||,|{VERB}"
    rf"|is now)?[\s\"'`*|>(+]{{0,12}}"
    r"(?:!!?\w{3,6} )?(?:[a-z_]{1,20}=)?"
)


def _keys(piece: str, budget: Iterator[int]) -> Iterator[Found]:
    for label, end in windows(_KEY_LABEL, piece, budget):
        if compiled(_NO_KEY_BEHIND).match(piece, label.end()):
            continue
        if compiled(_NO_KEY_BEFORE).search(piece, max(0, label.start() - 20), label.start()):
            continue
        span = _key_value(piece, label, end) or _odd_key(piece, label, end) or _key_before(piece, label.start())
        if span:
            yield "assigned-key", *span


def _key_before(piece: str, start: int) -> tuple[int, int] | None:
    """The key in "… is the API key for the tide service"."""
    match = compiled(
        r"(?i)(?<![\w/+-])(?P<value>[A-Za-z0-9/+_-]{20,100}={0,2})[\"'`]? (?:is|as|ist|est|es|e) (?:the|my|our|his"
        r"|her|der|la|le)"
        r"(?: [\w-]{1,15}){0,3} $"
    ).search(piece, max(0, start - 180), start)
    if match and (looks_random(match["value"]) or compiled(r"[0-9a-f]{24,}").fullmatch(match["value"])):
        return match.span("value")
    return None


def _key_value(piece: str, label: re.Match[str], end: int) -> tuple[int, int] | None:
    """The first token behind a label that is a key: by chance where it stands close, by its length elsewhere."""
    cookie = compiled(r"=[\"']?(?P<value>[a-z0-9,]{20,80})(?![\w-])").match(piece, label.end())
    if cookie and "sess" in label[0].lower() and sum(map(str.isdigit, cookie["value"])) >= 2:
        return cookie.span("value")
    for word in compiled(r"\S+").finditer(piece, label.end(), end):
        if "://" in word[0] or "base64," in word[0]:
            continue
        match = compiled(r"[A-Za-z0-9+/_.~%-]{8,}={0,2}").search(piece, word.start(), word.end() + 300)
        if match is None or match.start() >= word.end():
            continue
        gap = piece[label.end() : match.start()]
        if "\n" in gap.strip(" \n\"'`:=>|-") or compiled(_HASH_BEFORE).search(gap[-60:]) or is_reference(match[0][:60]):
            continue
        value = match[0].strip(EDGES)
        direct = compiled(_KEY_GAP).fullmatch(gap) is not None
        spoken = direct or compiled(rf"(?is).*\s(?:{VERB})[\s\"'`*]{{1,4}}").fullmatch(gap) is not None
        if compiled(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{20,}|[0-9a-f]{16}").fullmatch(value):
            if spoken and len(set(value)) >= 6 and not is_place_holder(value) and not value.isdecimal():
                return match.span()
        elif looks_random(value, (12 if value.isalnum() else 16) if spoken else 20) or (
            (
                any(sign in gap for sign in ":=")
                and (direct or "secret" in label[0].lower())
                and label[0][-3:].lower() in {"ret", "ken", "key"}
            )
            and (
                strength(value) == 3
                or (
                    strength(value) == 2
                    and sum(map(str.isdigit, value)) >= (1 if "secret" in label[0].lower() else 2)
                    and "-" not in value
                )
            )
        ):
            return match.span()
    return None


def _odd_key(piece: str, label: re.Match[str], end: int) -> tuple[int, int] | None:
    """A quoted or assigned secret of any characters, such as Django's."""
    match = compiled(r"[\w-]{0,12}[\"']?\s{0,3}[:=]\s{0,3}(?P<quote>[\"'`]?)(?P<value>[^\s\"'`]{8,100})").match(
        piece, label.end(), end
    )
    if (
        match
        and "secret" in label[0].lower()
        and (strength(match["value"]) == 3 or (strength(match["value"]) == 2 and match["quote"]))
    ):
        return match.span("value")
    return None


FINDERS: dict[str, Callable[[str, Iterator[int]], Iterator[Found]]] = {
    "password": _passwords,
    "login": _logins,
    "assigned-key": _keys,
}
"""For each rule what finds it in a piece of text; the label that finds the budget empty is not looked at."""
