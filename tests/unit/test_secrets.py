"""What is refused as a secret, what only looks like one, and what it costs to tell."""

from __future__ import annotations

import base64
import itertools
import json
import subprocess
import sys
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.policy.secret_checks import is_card_number, looks_random, passes_iban, passes_luhn, strength
from remember_me.policy.secret_rules import RULES, Rule
from remember_me.policy.secrets import LABELS_OF_A_TEXT, PIECE_CHARACTERS, find_secrets, rule_names
from tests.secret_samples import ALPHANUMERIC, BASE32, BASE64, DIGITS, HEX, card, iban, pem, spaced, tail
from tests.timing import assert_growth


def _rules(text: str) -> set[str]:
    return {secret.rule for secret in find_secrets(text)}


def _token(rule: Rule, prefix: str) -> str:
    alphabet = HEX if "a-f" in rule.pattern else ALPHANUMERIC if "a-z" in rule.pattern else ALPHANUMERIC[26:]
    return prefix + tail(64, alphabet, len(prefix))


PREFIXES = [(rule, prefix) for rule in RULES if rule.prefixed for prefix in rule.literals]


@pytest.mark.parametrize(("rule", "prefix"), PREFIXES, ids=[prefix for _, prefix in PREFIXES])
def test_a_token_is_known_by_its_prefix(rule: Rule, prefix: str) -> None:
    token = _token(rule, prefix)
    for text in (token, f"The build uses {token}.", f"`{token}`", f'{{"k": "{token}"}}', f"line\\n{token}\\n"):
        assert find_secrets(text), text
    assert rule.name in _rules(f"It is {token}, until May")


@pytest.mark.parametrize(("rule", "prefix"), PREFIXES, ids=[prefix for _, prefix in PREFIXES])
def test_a_prefix_alone_or_with_a_place_holder_is_none(rule: Rule, prefix: str) -> None:
    for text in (f"Such keys begin with {prefix}", f"{prefix}...", prefix + "x" * 40, f"{prefix}<your key>"):
        assert not find_secrets(text), text


JWT = ".".join(
    base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
    for part in ({"alg": "HS256", "typ": "JWT"}, {"sub": "neva", "iat": 1795900000})
)
SHAPED = [
    ("private-key", pem("OPENSSH PRIVATE KEY"), "Never paste a -----BEGIN OPENSSH PRIVATE KEY----- block"),
    ("private-key", pem("RSA PRIVATE KEY").replace("\n", " "), pem("PUBLIC KEY")),
    ("private-key", "key: LS0tLS1CRUdJTiBSU0EgUFJJVkFUR" + tail(60, BASE64), "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS" + "x"),
    ("azure-key", f"AccountName=a;AccountKey={tail(86, BASE64)}==", "AccountName=plates;AccountKey=<key>"),
    ("azure-key", f"{tail(3)}8Q~{tail(34)}", "the version 8Q~ of it"),
    ("slack-webhook", f"https://hooks.slack.com/services/T{tail(8)}/B{tail(8)}/{tail(24)}",
        "https://hooks.slack.com/docs"),
    ("webhook", f"https://discord.com/api/webhooks/{tail(18, DIGITS)}/{tail(68)}", "https://discord.com/api/webhooks"),
    ("discord-token", f"N{tail(23)}.{tail(6)}.{tail(38)}", "Notes.are.kept"),
    ("telegram-token", f"bot {tail(10, DIGITS)}:AA{tail(33)}", "At 12345678:AM"),
    ("mailchimp-key", f"{tail(32, HEX)}-us14", "de-us14"),
    ("twilio-key", f"SK{tail(32, HEX)}", "SKU 4711"),
    ("terraform-token", f"{tail(14)}.atlasv1.{tail(60)}", "the atlasv1 format"),
    ("sendgrid-key", f"SG.{tail(22)}.{tail(43)}", "SG. means Singapore"),
    ("airtable-token", f"pat{tail(14)}.{tail(64, HEX)}", "pat.on.the.back"),
    ("twitter-token", "A" * 21 + tail(60), "A" * 90),
    ("plaid-token", f"access-sandbox-{tail(8, HEX)}-{tail(28, HEX)}", "access-sandbox-mode"),
    ("clickup-token", f"pk_12345678_{tail(32, ALPHANUMERIC[26:])}", "pk_1"),
    ("onepassword-key", "-".join(["A3", *(tail(6, BASE32, n) for n in (1, 2)), *(tail(5, BASE32,
        n) for n in range(4))]), "A3-sized paper"),
    ("wallet-key", "K" + tail(51, "123456789ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"), "K" * 52),
    ("jwt", f"{JWT}.{tail(43)}", "a JWT such as eyJ..."),
    ("password-hash", f"$2b$12${tail(53)}", "costs $2b to build"),
    ("url-password", "postgres://app:tidal-Wave9@db.example.net/x", "postgres://app@db.example.net:5432/x"),
    ("url-password", "redis://:tidal-Wave9@cache:6379/0", "postgres://app:${DB_PASSWORD}@db.example.net/x"),
    ("url-token", f"https://{tail(40, HEX)}@git.example.net/x.git", "https://neva@git.example.net/x.git"),
    ("url-query", f"https://x.example.net/feed?a=1&api_key={tail(32)}&b=2",
        "https://x.example.net/?key=winter&token=list"),
    ("authorization", f"Authorization: Bearer {tail(40)}", "Authorization: Bearer $TOKEN"),
    ("basic-auth", "Basic " + base64.b64encode(b"neva:tidalwave").decode(), "Basic authentication is off"),
    ("cli-password", "curl -u neva:tidalwave9 https://x.example.net", 'curl -u "$USER:$PASS" https://x.example.net'),
    ("cli-password", "docker login -u neva -p Tidal9wave", "ssh login -p 2222 box"),
    ("netrc", "machine x.example.net login neva password tidalwave", "user and login password fields"),
    ("pgpass", "db.example.net:5432:shop:neva:tidalwave", "10:15:00:00"),
    ("wifi-code", "WIFI:S:bench;T:WPA;P:brass&gear;;", "WiFi: the bench network"),
    ("otp-seed", f"otpauth://totp/x?secret={tail(32, BASE32)}&issuer=x", "otpauth:// links are QR codes"),
    ("otp-seed", "authenticator setup key " + spaced("cpztfqms7rhovq2n"), "the authenticator app has four more sets"),
    ("recovery-key", "-".join(tail(6, DIGITS, seed) for seed in range(8)), "123456-234567"),
    ("statement-password", "CREATE USER neva IDENTIFIED BY 'tidalwave'", "CREATE USER neva IDENTIFIED BY ?"),
    ("user-password", f"elastic:{tail(20)}@localhost", "neva@example.com"),
    ("oauth-token", f"oauth:{tail(30, ALPHANUMERIC[:26] + DIGITS)}", "oauth: see the manual"),
    ("iban", f"rent to {spaced(iban('DE', tail(18, DIGITS)))} please", "part DE44 6204 2RS C3"),
    ("iban", iban("NL", "WIND" + tail(10, DIGITS)), iban("NL", "WIND" + tail(10, DIGITS))[:-1] + "x"),
    ("iban", iban("NO", tail(11, DIGITS)), "NO15 is an exit"),
    ("card-number", f"Visa {spaced(card('4', 16))}, 04/29", spaced(card("4", 16), 8)),
    ("card-number", f"Amex {card('37', 15)}", f"Meter number {card('37', 15)}"),
    ("card-number", spaced(card("5555", 16)).replace(" ", "-"), "4000 0029 5816 4304"),
]  # fmt: skip
LABELLED = [
    ("password", "my password is hunter2", "The password is required"),
    ("password", "My password is swordfish.", "The password is in the safe"),
    ("password", "the passphrase for the server: correct horse battery staple", "Passphrase: kept on paper only"),
    ("password", "password:\n  hunter2!", "password: ********"),
    ("password", "**Password:** `hunter2`", "password manager: 1Password"),
    ("password", "DB_PASSWORD=swordfish", "DB_PASSWORD=${DB_PASSWORD}"),
    ("password", '{\\"password\\": \\"hunter2\\"}', "password_policy:\n  min_length: 14"),
    ("password", "<password>Tidal9wave</password>", '<input type="password" name="password">'),
    ("password", "Use 'Winter-Ferry-2291' as the password", "Use a passkey as the password"),
    ("password", "Das Passwort für den Drucker lautet Zahnrad!4711", "Das Passwort ist im Tresor"),
    ("password", "Le mot de passe est soleil2020", "Le mot de passe est obligatoire"),
    ("password", "La contraseña es gatito2019", "La contraseña es obligatoria"),
    ("password", "A senha é futebol10", "A senha é obrigatória"),
    ("password", "La password è pippo123", "La password scade ogni 90 giorni"),
    ("password", "Het wachtwoord is tulp2024", "Het wachtwoord staat in de kluis"),
    ("password", "Hasło: Warszawa#12", "Passwords are hashed with Argon2id"),
    ("password", "Пароль: qwerty12345", "password = getpass.getpass('Password: ')"),
    ("password", "Le mot de passe du Wi-Fi est « lavande »", "Le mot de passe est dans le coffre"),
    ("password", "The password for the kids' tablet is butterscotch.", "The password for the tablet is handwritten."),
    ("password", "Das Kennwort fürs Elternportal ist Sonnenblume.", "Das Kennwort ist nur Petra bekannt."),
    ("password", "La password di casa è gattonero.", "La password è scritta nel quaderno."),
    ("password", "clave del wifi: colibriverde (red de casa)", "La clave del wifi está pegada en el router."),
    ("password", 'Passphrase of the disk: "seven herons over the quarry"', "The pass phrase is long"),
    ("password", "It unlocks with correct-walrus-lantern-drift (the passphrase)", "Passphrases: see how-to-choose-one"),
    ("password", "SSID Willow, password springtide", "The Wi-Fi password is changed every spring"),
    ("password", "signs in as kfranke with the password snailhouse", "signs in with the password manager"),
    ("password", "The tablet wants a password, it is marmaladeMoon.", "Keeps passwords in a notebook, it's blue."),
    ("password", "kennwort: tagpfauenauge_9", "https://x.example.net/reset-password?lang=en"),
    ("password", "pw for the printer: inkjetmonster", "#slowfood #password123isnone #spring"),
    ("login", "wifi is Nordlicht-5G / ottersInTheRain7", "The wifi has 2.4 GHz / 5GHz"),
    ("password-hash", "guest:{PLAIN}BlueHeron31", "guest:{PLAIN}"),
    ("url-password", "mysql://app:Tidal9wave@db/x", "mysql://app:[PASSWORD]@db/x"),
    ("assigned-key", f"PHPSESSID={tail(26, BASE32.lower())}", f"originSessionId: {uuid.UUID(int=2**127 - 19**23)}"),
    ("code", "To disarm the alarm type 9317 within 30 seconds", "Type 9317 words about the alarm"),
    ("code", "Para apagar la alarma hay que marcar 8846.", "La alarma sonó en 2019 a las 8846 personas"),
    ("code", "Mon code PIN, c'est 3058.", "Code postal 69007, arrêt Jean Macé"),
    ("code", "Le cryptogramme de ma Visa est 617.", "Le cryptogramme a trois chiffres"),
    ("code", "Am Tor 5581 eintippen, dann warten", "Das Tor ist 5581 mm breit"),
    ("login", "The router wants admin and then Lx!29vvTram", "The router is a FRITZ!Box 7590"),
    ("login", "credentials: root / toor123", "Log in with your account, user neva42"),
    ("assigned-key", f"export SHOP_TOKEN={tail(32)}", "export SHOP_TOKEN=$(cat token.txt)"),
    ("assigned-key", f"wandb login {tail(40, HEX)}", f"Drop token cache, commit {tail(40, HEX)}"),
    ("assigned-key", f"HEROKU_API_KEY={uuid.UUID(int=2**127 - 19**23)}", f"key id {uuid.UUID(int=2**127 - 19**23)}"),
    ("assigned-key", f"PrivateKey = {tail(43, BASE64)}=", f"PublicKey = {tail(43, BASE64)}="),
    ("assigned-key", f"Cookie: sid={tail(32)}", "token budget is 1500"),
    ("assigned-key", f"the weather key is {tail(32, HEX)}", "Token: claude-opus-4-5-20251101"),
    ("code", "The PIN of her card is 4821", "Pin 7 on the header is data, pin 9 is ground"),
    ("code", "gate code 1907", "zip code 10115"),
    ("code", "CVV: 331", "status code 404"),
    ("code", "The combination of the safe is 38-12-74-05", "The combination of oak and brass 1890"),
    ("code", "Backup codes: 6600 7594, 3379 7981", "Backup codes are in the safe"),
    ("national-id", "SSN: 078-05-1120", "SSN field is required"),
    ("national-id", "Steuer-ID: 47 036 892 816", "NIE appointment 2026-12-01 10:30"),
    ("national-id", "Reisepass C01X00T478", "Reisepass bis 14.09.2033, Ausweis bis 2029"),
    (
        "recovery-phrase",
        "Wallet words: offer perfect example crunch sauce timber gospel brief lumber toddler woman burger",
        "The list names apples, pears, plums, grapes, melons, cherries, figs, dates, limes, kiwis, leeks and kale",
    ),
    (
        "recovery-phrase",
        "Seed words\n1. offer\n2. perfect\n3. example\n4. crunch\n5. sauce\n6. timber\n7. gospel\n8. brief\n9. lumber"
        "\n10. toddler\n11. woman\n12. burger",
        "recovery takes time and the words for each of the many steps come from one table that has been long gone",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "secret", "near_miss"), SHAPED + LABELLED)
def test_each_rule_has_its_near_miss(rule: str, secret: str, near_miss: str) -> None:
    assert rule in _rules(secret)
    assert find_secrets(near_miss) == []


def test_the_tables_cover_every_rule() -> None:
    tested = {rule for rule, _, _ in SHAPED + LABELLED} | {rule.name for rule, _ in PREFIXES}
    assert tested == set(rule_names())
    assert len(rule_names()) == len(set(rule_names()))


@pytest.mark.parametrize(
    "text",
    [
        f"The regression came in with commit {tail(40, HEX)}",
        f"sha256 of x.tar.gz: {tail(64, HEX)}",
        f'"integrity": "sha512-{tail(86, BASE64)}=="',
        f"golang.org/x/text v0.21.0 h1:{tail(43, BASE64)}=",
        f"![dot](data:image/png;base64,{tail(400, BASE64)})",
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{tail(43, BASE64)} neva@bench",
        f"The host key fingerprint is SHA256:{tail(43, BASE64)}",
        "Partition UUID=88d1d3db-8666-4749-be02-490d8c13a8d9 mounts at /srv/plates",
        "ISBN 978-5-3939-3663-1, EAN 4052546960443, IMEI 490154203237518",
        "Order 2026-573508, parcel PC923403588NO, phone +44 1632 960417",
        "Links to entries are written as ^8f3wrn; see [token docs](https://example.com/docs/token-2024)",
        "ssh://git@git.example.net:2222/cogwork/cogwork.git and http://localhost:8080/api/token",
        "The model is claude-sonnet-4-5-20250929, gpt-4o-2024-08-06 or meta-llama/Llama-3.1-8B-Instruct",
        "The secret of good bread is time",
        "api_key: YOUR_API_KEY_HERE",
        "token = os.environ['FORGE_TOKEN']",
        "password = op://bench/router/password",
        "- PREFERENCE: Shows the failing test first ^q7m2ra\n  - session: claude-code/7c1e90b2\n  - since: 2026-11-03",
        "",
    ],
)
def test_what_looks_like_a_secret_and_is_none(text: str) -> None:
    assert find_secrets(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "pass\u200bword: hun\u200bter2",
        "password\u00a0is\u00a0hunter2",
        "ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２",
        "contrasen\u0303a: hunter2",
        f"gh\u00adp_{tail(36)}",
        spaced(card("4", 16)).replace(" ", "\u00a0"),
        spaced(card("4", 16)).replace(" ", "–"),
        "".join(chr(ord(digit) + 0xFEE0) for digit in card("4", 16)),
        "the password is “hunter2”.",
        "password:\r\n  hunter2\r\n",
    ],
)
def test_accidental_disguises(text: str) -> None:
    assert find_secrets(text)


def test_a_span_is_in_the_given_text_and_no_secret_holds_its_text() -> None:
    token = f"ghp_{tail(36)}"
    text = f"é\u200b first\nsecond \u200b{token}."
    (secret,) = find_secrets(text)
    assert text.split("\n")[secret.line - 1][secret.start : secret.end] == token
    assert (secret.rule, secret.line) == ("github-token", 2)
    assert token not in repr(secret)


def test_a_secret_over_several_lines_is_given_on_its_first() -> None:
    (secret,) = find_secrets("x\n" + pem("PRIVATE KEY"))
    assert secret.line == 3
    assert secret.end - secret.start == 64


@pytest.mark.parametrize(
    "offset", [PIECE_CHARACTERS - 60, PIECE_CHARACTERS - 20, PIECE_CHARACTERS, 3 * PIECE_CHARACTERS]
)
def test_a_secret_at_the_edge_of_a_piece_is_found_once(offset: int) -> None:
    token = f"ghp_{tail(36)}"
    for filler in (" ", "\n"):
        assert len(find_secrets(filler * offset + token + filler * offset)) == 1


@pytest.mark.parametrize(
    ("number", "right"),
    [
        (card("4", 16), True),
        (card("37", 15), True),
        (spaced(card("4", 16)), True),
        (card("4", 16)[:-1] + str((int(card("4", 16)[-1]) + 1) % 10), False),
        ("0" * 16, False),
        ("4" * 12, False),
        ("", False),
    ],
)
def test_luhn(number: str, right: bool) -> None:
    assert passes_luhn(number) is right


def test_a_card_has_a_brand_and_the_groups_of_a_card() -> None:
    assert is_card_number(card("5105", 16))
    assert not is_card_number(card("8241", 16))
    assert not is_card_number(spaced(card("4", 16), 8))


@given(st.integers(0, 10**18 - 1), st.integers(1, 9), st.integers(0, 21))
def test_any_changed_digit_breaks_an_iban(account: int, change: int, place: int) -> None:
    right = iban("DE", f"{account:018d}")
    assert passes_iban(right)
    assert passes_iban(spaced(right.lower()))
    if place >= 2:
        changed = right[:place] + str((int(right[place]) + change) % 10) + right[place + 1 :]
        assert not passes_iban(changed)


@pytest.mark.parametrize("text", ["", "DE", "DE12", "ZZ12999878132246321486", "DE١٢9987813224632148"])
def test_what_is_no_iban(text: str) -> None:
    assert not passes_iban(text)


@pytest.mark.parametrize(
    ("word", "force"),
    [
        ("required", 0), ("1Password", 0), ("Argon2id", 0), ("neva@example.com", 0), ("v2.3.1", 0), ("/etc/x/y", 0),
        ("os.environ[x]", 0), ("OAuth2", 0), ("90", 0), ("swordfish", 1), ("hunter2", 2),
        ("4711", 2), ("Hk4!vmQz82", 3),
    ],
)  # fmt: skip
def test_how_much_a_word_looks_like_a_password(word: str, force: int) -> None:
    assert strength(word) == force


def test_random_is_what_no_word_or_path_is() -> None:
    assert looks_random(tail(32))
    assert looks_random(tail(40, HEX))
    for value in (
        "getUserTokenFromSession2",
        "us-east-1-production-2026",
        "backups/2026/11/db-20261129T021500Z.tar.gz",
    ):
        assert not looks_random(value)


WORDS = st.sampled_from(
    ["password", "is", ":", "=", "token", "key", "login", "admin", "/", "\n", " ", "4111", "DE12", "eyJ", "\u200b", "é",
     "ﬁ", "-----BEGIN", "PRIVATE KEY-----", "pin", "code", "\\n", "hunter2", "ghp_", "Aa1!bB2?", "://", "@", "seed",
     "word", "`", '"']
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(WORDS, max_size=60).map(" ".join), st.lists(WORDS, max_size=60).map("".join)))
def test_spans_lie_in_their_lines_and_do_not_overlap(text: str) -> None:
    lines = text.split("\n")
    found = find_secrets(text)
    for secret in found:
        assert secret.rule in rule_names()
        assert 0 <= secret.start < secret.end <= len(lines[secret.line - 1])
    for earlier, later in itertools.pairwise(found):
        assert (earlier.line, earlier.end) <= (later.line, later.start) or earlier.line < later.line


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_token_is_found_in_any_text(before: str, after: str) -> None:
    assert find_secrets(f"{before} ghp_{tail(36)} {after}")


@pytest.mark.parametrize(
    "seed",
    ["1", "a", "A", "eyJ", "eyJ-", "-", " ", "\n", "password ", "password is ", "pässword ", "login a password ",
     "token key secret ", "key-", "key=", "user a ", "4111 ", "DE12 ", "a://b:", "a:b@", "/a", "?token=", "-----BEGIN ",
     "abandon ", "pin code ", "authorization: ", "otp ", "wifi:T:", "$2a$", "sqlplus a/", "password: hunter2 ",
     "ssn 1", "0a", '"', "gate type ", "wifi a ", "password for a ", "password of x is a "],
)  # fmt: skip
def test_the_time_grows_with_the_length_and_no_faster(seed: str) -> None:
    def find(length: int) -> None:
        find_secrets((seed * (length // len(seed) + 1))[:length])

    assert_growth(find, 10_000, 40_000, at_most=8)


def test_one_line_of_a_megabyte() -> None:
    token = f"ghp_{tail(36)}"
    text = "word " * 200_000 + token
    (secret,) = find_secrets(text)
    assert (secret.line, secret.start, secret.end) == (1, 1_000_000, 1_000_040)


@pytest.mark.parametrize("label", ["key-", "password is ", "login 1 ", "key a1b2c3d4 e5f6a7b8 "])
def test_a_megabyte_of_labels_costs_no_minutes(label: str) -> None:
    text = label * (1_000_000 // len(label))
    assert not find_secrets(text)
    assert_growth(lambda length: find_secrets(text[:length]), 10_000, len(text), at_most=300, allowance=1)


def test_the_labels_of_one_text_are_limited_and_the_other_rules_are_not() -> None:
    secret = "my password is hunter2\n"
    assert "password" in _rules("key " * (LABELS_OF_A_TEXT // 2) + secret)
    assert _rules("key " * (LABELS_OF_A_TEXT + PIECE_CHARACTERS) + secret) == set()
    assert _rules("key " * (LABELS_OF_A_TEXT + PIECE_CHARACTERS) + f"ghp_{tail(36)}") == {"github-token"}


def test_an_ordinary_sentence_compiles_next_to_nothing() -> None:
    code = (
        "from remember_me.policy import secrets, secret_checks as checks;"
        "assert checks.compiled.cache_info().currsize == 0;"
        "assert not secrets.find_secrets('Prefers short answers in the morning and long ones in the evening when the"
        " shop is closed and quiet again');"
        "assert checks.compiled.cache_info().currsize <= 2;"
        "import sys; assert not {'unicodedata', 'json', 'base64'} & set(sys.modules) - BEFORE"
    )
    code = "import sys; BEFORE = set(sys.modules);" + code
    subprocess.run([sys.executable, "-I", "-c", code], check=True, timeout=60)
