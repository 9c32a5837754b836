"""Expand the place holders of ``secrets.json`` into invented tokens, keys and numbers.

The corpus never holds a well-formed credential verbatim, so that the push protection of git hosts stays quiet.
A text holds ``{{kind:seed}}`` instead; :func:`expand` replaces each by a value built from the kind's prefix and a tail
of the right alphabet and length. The value depends on kind and seed alone: the same place holder always gives the
same value. Nothing built here was ever issued by anyone. Cards and IBANs carry right check digits (wrong ones for
the ``bad_`` kinds); of the IBANs only the international check digits are right, not the national ones.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import random
import re
import string
import struct
import urllib.parse
import zlib
from collections.abc import Callable

Builder = Callable[[random.Random], str]

DIGITS = string.digits
UPPER = string.ascii_uppercase
LOWER = string.ascii_lowercase
LETTERS = string.ascii_letters
HEX = string.digits + "abcdef"
HEX_UPPER = string.digits + "ABCDEF"
ALNUM = LETTERS + DIGITS
ALNUM_LOWER = LOWER + DIGITS
ALNUM_UPPER = UPPER + DIGITS
URLSAFE = ALNUM + "-_"
WORD = ALNUM + "_"
BASE64 = ALNUM + "+/"
BASE32 = UPPER + "234567"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
BASE62 = DIGITS + UPPER + LOWER

PLACE_HOLDER = re.compile(r"\{\{([a-z0-9_]+):([^{}]+)\}\}")

BIP39_SAMPLE = (
    "abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid "
    "acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance "
    "badge bag balance balcony ball bamboo banana banner bar barely bargain barrel base basic basket battle beach bean "
    "cabbage cabin cable cactus cage cake call calm camera camp canal cancel candy cannon canoe canvas canyon capable "
    "damage damp dance danger daring dash daughter dawn day deal debate debris decade december decide decline decorate "
    "eager eagle early earn earth easily east easy echo ecology economy edge edit educate effort egg eight either "
    "fabric face faculty fade faint faith fall false fame family famous fan fancy fantasy farm fashion fat fatal "
    "garden garlic garment gas gasp gate gather gauge gaze general genius genre gentle genuine gesture ghost giant "
    "habit hair half hammer hamster hand happy harbor hard harsh harvest hat have hawk hazard head health heart heavy "
    "kangaroo keen keep ketchup key kick kid kidney kind kingdom kiss kit kitchen kite kitten kiwi knee knife knock "
    "lab label labor ladder lady lake lamp language laptop large later latin laugh laundry lava law lawn lawsuit layer "
    "ocean october odor off offer office often oil okay old olive olympic omit once one onion online only open opera "
    "saddle sadness safe sail salad salmon salon salt salute same sample sand satisfy satoshi sauce sausage save say"
)
WORDS = tuple(BIP39_SAMPLE.split())


def _tail(rng: random.Random, alphabet: str, length: int) -> str:
    """Return ``length`` characters drawn from ``alphabet``."""
    return "".join(rng.choice(alphabet) for _ in range(length))


def _mixed(rng: random.Random, alphabet: str, length: int) -> str:
    """Return a tail that holds a digit and, where the alphabet has them, an upper and a lower case letter."""
    needed = [group for group in (DIGITS, UPPER, LOWER) if set(group) & set(alphabet)]
    while True:
        tail = _tail(rng, alphabet, length)
        if all(set(tail) & set(group) for group in needed):
            return tail


def _b64url(data: bytes) -> str:
    """Return ``data`` in URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _base62(number: int, width: int) -> str:
    """Return ``number`` in base 62, padded with zeros to ``width``."""
    out = ""
    while number:
        number, rest = divmod(number, 62)
        out = BASE62[rest] + out
    return out.rjust(width, "0")


def _simple(prefix: str, alphabet: str, length: int, suffix: str = "") -> Builder:
    """Return a builder of prefix, tail and suffix."""
    return lambda rng: prefix + _mixed(rng, alphabet, length) + suffix


def _checksummed(prefix: str) -> Builder:
    """Return a builder of tokens with a tail of 30 characters and a CRC-32 of it in base 62 (GitHub, npm)."""

    def build(rng: random.Random) -> str:
        body = _mixed(rng, ALNUM, 30)
        return prefix + body + _base62(zlib.crc32(body.encode()), 6)

    return build


def _parts(*parts: str | tuple[str, int]) -> Builder:
    """Return a builder that joins literal parts and tails given as (alphabet, length)."""

    def build(rng: random.Random) -> str:
        return "".join(part if isinstance(part, str) else _tail(rng, *part) for part in parts)

    return build


def _luhn_digit(body: str) -> str:
    """Return the Luhn check digit of ``body``."""
    total = 0
    for position, char in enumerate(reversed(body)):
        value = int(char) * (2 if position % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def _card(prefixes: tuple[str, ...], length: int, separator: str = "", *, wrong: bool = False) -> Builder:
    """Return a builder of card numbers; ``wrong`` shifts the check digit."""

    def build(rng: random.Random) -> str:
        prefix = rng.choice(prefixes)
        body = prefix + _tail(rng, DIGITS, length - len(prefix) - 1)
        check = _luhn_digit(body)
        number = body + (str((int(check) + rng.randint(1, 9)) % 10) if wrong else check)
        cuts = (4, 10, 15) if length == 15 else (4, 8, 12, 16)
        starts = (0, *cuts[:-1])
        return separator.join(number[start:cut] for start, cut in zip(starts, cuts, strict=True))

    return build


IBAN_SHAPES: dict[str, tuple[tuple[str, int], ...]] = {
    "de": ((DIGITS, 18),),
    "at": ((DIGITS, 16),),
    "ch": ((DIGITS, 17),),
    "fr": ((DIGITS, 10), (ALNUM_UPPER, 11), (DIGITS, 2)),
    "it": ((UPPER, 1), (DIGITS, 22)),
    "es": ((DIGITS, 20),),
    "gb": ((UPPER, 4), (DIGITS, 14)),
    "nl": ((UPPER, 4), (DIGITS, 10)),
    "be": ((DIGITS, 12),),
}


def _iban(country: str, *, spaced: bool = False, wrong: bool = False) -> Builder:
    """Return a builder of IBANs of one country; ``wrong`` shifts the check digits."""

    def build(rng: random.Random) -> str:
        body = "".join(_tail(rng, alphabet, length) for alphabet, length in IBAN_SHAPES[country])
        digits = "".join(str(int(char, 36)) for char in body + country.upper() + "00")
        check = 98 - int(digits) % 97
        if wrong:
            check = (check - 2 + rng.randint(1, 96)) % 97 + 2
        number = f"{country.upper()}{check:02d}{body}"
        return " ".join(number[at : at + 4] for at in range(0, len(number), 4)) if spaced else number

    return build


def _ean(prefix: str, groups: tuple[int, ...] = (13,)) -> Builder:
    """Return a builder of EAN-13 or ISBN-13 numbers with a right check digit, cut into groups by hyphens."""

    def build(rng: random.Random) -> str:
        body = prefix + _tail(rng, DIGITS, 12 - len(prefix))
        total = sum(int(char) * (3 if position % 2 else 1) for position, char in enumerate(body))
        number = body + str(-total % 10)
        out, at = [], 0
        for size in groups:
            out.append(number[at : at + size])
            at += size
        return "-".join(out)

    return build


def _jwt(claims: dict[str, object]) -> Builder:
    """Return a builder of JSON web tokens with the given claims and a random signature."""

    def build(rng: random.Random) -> str:
        header = {"alg": "HS256", "typ": "JWT"}
        issued = rng.randint(1_700_000_000, 1_780_000_000)
        body = {"sub": _tail(rng, HEX, 12), **claims, "iat": issued, "exp": issued + 86_400}
        chunks = [_b64url(json.dumps(part, separators=(",", ":")).encode()) for part in (header, body)]
        return ".".join([*chunks, _b64url(rng.randbytes(32))])

    return build


def _armour(label: str, data: bytes, width: int = 64, newline: str = "\n", extra: str = "") -> str:
    """Return ``data`` as an armoured block."""
    text = base64.b64encode(data).decode()
    lines = [text[at : at + width] for at in range(0, len(text), width)]
    head = [f"-----BEGIN {label}-----", *([""] if extra else [])]
    return newline.join([*head, *lines, *([extra] if extra else []), f"-----END {label}-----"])


def _pem(label: str, head: str, length: int, newline: str = "\n") -> Builder:
    """Return a builder of PEM blocks: DER head in hex, then random bytes."""
    return lambda rng: _armour(label, binascii.unhexlify(head) + rng.randbytes(length), newline=newline)


def _ssh_string(data: bytes) -> bytes:
    """Return ``data`` with its length in front, as SSH writes strings."""
    return struct.pack(">I", len(data)) + data


def _ssh_public_blob(rng: random.Random) -> bytes:
    """Return the blob of an Ed25519 public key."""
    return _ssh_string(b"ssh-ed25519") + _ssh_string(rng.randbytes(32))


def _openssh_private(rng: random.Random) -> str:
    """Return an OpenSSH private key block."""
    public = _ssh_public_blob(rng)
    check = rng.randbytes(4)
    private = check + check + public + _ssh_string(rng.randbytes(64)) + _ssh_string(b"me@desktop") + b"\x01\x02\x03"
    none = _ssh_string(b"none")
    data = b"openssh-key-v1\x00" + none + none + _ssh_string(b"") + struct.pack(">I", 1)
    return _armour("OPENSSH PRIVATE KEY", data + _ssh_string(public) + _ssh_string(private), width=70)


def _ssh_public(rng: random.Random) -> str:
    """Return an SSH public key line without comment."""
    return "ssh-ed25519 " + base64.b64encode(_ssh_public_blob(rng)).decode()


def _pgp(label: str) -> Builder:
    """Return a builder of PGP blocks."""

    def build(rng: random.Random) -> str:
        crc = "=" + base64.b64encode(rng.randbytes(3)).decode()
        return _armour(label, b"\x95\x01\xd8\x04" + rng.randbytes(470), extra=crc)

    return build


def _putty(rng: random.Random) -> str:
    """Return a PuTTY private key file."""
    public = base64.b64encode(_ssh_public_blob(rng)).decode()
    return "\n".join(
        [
            "PuTTY-User-Key-File-3: ssh-ed25519",
            "Encryption: none",
            "Comment: eddsa-key",
            "Public-Lines: 2",
            public[:64],
            public[64:],
            "Private-Lines: 1",
            base64.b64encode(b"\x00\x00\x00\x20" + rng.randbytes(32)).decode(),
            "Private-MAC: " + _tail(rng, HEX, 64),
        ]
    )


def _bech32(prefix: str, data: list[int]) -> str:
    """Return a Bech32 string with its checksum."""

    def polymod(values: list[int]) -> int:
        check = 1
        for value in values:
            top = check >> 25
            check = (check & 0x1FFFFFF) << 5 ^ value
            for bit, part in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
                check ^= part if top >> bit & 1 else 0
        return check

    expanded = [ord(char) >> 5 for char in prefix] + [0] + [ord(char) & 31 for char in prefix]
    check = polymod(expanded + data + [0] * 6) ^ 1
    tail = [check >> 5 * (5 - at) & 31 for at in range(6)]
    return prefix + "1" + "".join(BECH32[value] for value in data + tail)


def _age(prefix: str) -> Builder:
    """Return a builder of age keys (32 bytes in 52 groups of five bits)."""

    def build(rng: random.Random) -> str:
        data = [rng.randrange(32) for _ in range(51)] + [rng.choice((0, 16))]
        return _bech32(prefix, data)

    return build


def _words(count: int, separator: str = " ") -> Builder:
    """Return a builder of recovery phrases (words of BIP-39; the checksum of the phrase is not computed)."""
    return lambda rng: separator.join(rng.sample(WORDS, count))


def _png(rng: random.Random) -> str:
    """Return a real PNG of one pixel in base64."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\x00" + rng.randbytes(3))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


def _uuid(rng: random.Random) -> str:
    """Return a UUID of version 4."""
    text = _tail(rng, HEX, 32)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{rng.choice('89ab')}{text[17:20]}-{text[20:]}"


def _ssn(rng: random.Random) -> str:
    """Return a United States social security number of the allowed ranges."""
    area = rng.choice([number for number in range(1, 900) if number != 666])
    return f"{area:03d}-{rng.randint(1, 99):02d}-{rng.randint(1, 9999):04d}"


def _discord(rng: random.Random) -> str:
    """Return a Discord bot token: base64 of a snowflake, time stamp, signature."""
    snowflake = "1" + _tail(rng, DIGITS, 17)
    return f"{_b64url(snowflake.encode())}.G{_tail(rng, URLSAFE, 5)}.{_tail(rng, URLSAFE, 38)}"


def _basic(rng: random.Random) -> str:
    """Return user and password in base64, as HTTP basic authentication sends them."""
    return base64.b64encode(f"svc-{_tail(rng, LOWER, 5)}:{_mixed(rng, ALNUM, 14)}".encode()).decode()


def _b64bytes(length: int, prefix: str = "") -> Builder:
    """Return a builder of ``length`` random bytes in base64."""
    return lambda rng: prefix + base64.b64encode(rng.randbytes(length)).decode()


def _fingerprint(rng: random.Random) -> str:
    """Return a PGP fingerprint in groups of four."""
    return " ".join(_tail(rng, HEX_UPPER, 4) for _ in range(10))


def _mac(rng: random.Random) -> str:
    """Return a MAC address."""
    return ":".join(_tail(rng, HEX, 2) for _ in range(6))


VISA = ("4",)
MASTERCARD = ("51", "52", "53", "54", "55")
AMEX = ("34", "37")
RSA_HEAD = "308204a40201000282010100"
PKCS8_RSA_HEAD = "308204be020100300d06092a864886f70d0101010500048204a8"
PKCS8_ED_HEAD = "302e020100300506032b657004220420"
EC_HEAD = "30770201010420"
SPKI_HEAD = "30820122300d06092a864886f70d01010105000382010f00"
SPKI_ED_HEAD = "302a300506032b6570032100"

KINDS: dict[str, Builder] = {
    # clouds
    "aws_key_id": _simple("AKIA", BASE32, 16),
    "aws_temp_id": _simple("ASIA", BASE32, 16),
    "aws_secret": _simple("", BASE64, 40),
    "aws_session": _simple("IQoJb3JpZ2luX2Vj", BASE64, 240, "=="),
    "google_api_key": _simple("AIza", URLSAFE, 35),
    "google_oauth_secret": _simple("GOCSPX-", URLSAFE, 28),
    "google_refresh": _simple("1//0", URLSAFE, 98),
    "azure_storage_key": _b64bytes(64),
    "azure_client_secret": _parts((ALNUM, 3), "8Q~", (ALNUM + "-_~.", 34)),
    "digitalocean": _simple("dop_v1_", HEX, 64),
    "cloudflare": _simple("", URLSAFE, 40),
    "heroku": _simple("HRKU-AA", URLSAFE, 58),
    "vercel": _simple("", ALNUM, 24),
    "netlify": _simple("nfp_", ALNUM, 36),
    "supabase_pat": _simple("sbp_", HEX, 40),
    "supabase_secret": _simple("sb_secret_", URLSAFE, 31),
    "supabase_jwt": _jwt({"iss": "supabase", "role": "service_role"}),
    "vault": _simple("hvs.", URLSAFE, 90),
    "databricks": _simple("dapi", HEX, 32),
    "tailscale": _parts("tskey-auth-k", (ALNUM, 11), "CNTRL-", (ALNUM, 32)),
    # forges and registries
    "github_classic": _checksummed("ghp_"),
    "github_app": _checksummed("ghs_"),
    "github_oauth": _checksummed("gho_"),
    "github_fine": _parts("github_pat_11", (ALNUM_UPPER, 9), "0", (ALNUM, 10), "_", (ALNUM, 59)),
    "gitlab": _simple("glpat-", URLSAFE, 20),
    "gitlab_runner": _simple("glrt-", URLSAFE, 20),
    "bitbucket": _simple("ATBB", ALNUM, 32),
    "npm": _checksummed("npm_"),
    "pypi": _simple("pypi-AgEIcHlwaS5vcmc", URLSAFE, 150),
    "rubygems": _simple("rubygems_", HEX, 48),
    "dockerhub": _simple("dckr_pat_", URLSAFE, 27),
    # chat and mail
    "slack_bot": _parts("xoxb-2", (DIGITS, 11), "-5", (DIGITS, 12), "-", (ALNUM, 24)),
    "slack_user": _parts("xoxp-3", (DIGITS, 11), "-4", (DIGITS, 11), "-6", (DIGITS, 12), "-", (HEX, 32)),
    "slack_webhook": _parts(
        "https://hooks.slack.com/services/T0", (ALNUM_UPPER, 9), "/B0", (ALNUM_UPPER, 9), "/", (ALNUM, 24)
    ),
    "discord_bot": _discord,
    "discord_webhook": _parts("https://discord.com/api/webhooks/11", (DIGITS, 17), "/", (URLSAFE, 68)),
    "telegram": _parts("6", (DIGITS, 9), ":AA", (URLSAFE, 33)),
    "twilio_sid": _simple("AC", HEX, 32),
    "twilio_api_key": _simple("SK", HEX, 32),
    "sendgrid": _parts("SG.", (URLSAFE, 22), ".", (URLSAFE, 43)),
    "mailgun": _simple("key-", HEX, 32),
    # payments and shops
    "stripe_live": _simple("sk_live_51", ALNUM, 97),
    "stripe_restricted": _simple("rk_live_51", ALNUM, 97),
    "stripe_webhook": _simple("whsec_", ALNUM, 32),
    "paypal_secret": _simple("E", URLSAFE, 79),
    "braintree": _parts("access_token$production$", (ALNUM_LOWER, 16), "$", (HEX, 32)),
    "square": _simple("EAAA", URLSAFE, 60),
    "square_secret": _simple("sq0csp-", URLSAFE, 43),
    "shopify": _simple("shpat_", HEX, 32),
    # models and tools
    "openai": _parts("sk-proj-", (URLSAFE, 74), "T3BlbkFJ", (URLSAFE, 74)),
    "openai_old": _parts("sk-", (ALNUM, 20), "T3BlbkFJ", (ALNUM, 20)),
    "anthropic": _simple("sk-ant-api03-", URLSAFE, 93, "AA"),
    "huggingface": _simple("hf_", LETTERS, 34),
    "notion": _simple("ntn_", ALNUM, 46),
    "notion_old": _simple("secret_", ALNUM, 43),
    "linear": _simple("lin_api_", ALNUM, 40),
    "figma": _simple("figd_", URLSAFE, 40),
    "atlassian": _parts("ATATT3xFfGF0", (URLSAFE, 171), "=", (HEX_UPPER, 8)),
    "postman": _parts("PMAK-", (HEX, 24), "-", (HEX, 34)),
    "airtable": _parts("pat", (ALNUM, 14), ".", (HEX, 64)),
    "newrelic": _simple("NRAK-", ALNUM_UPPER, 27),
    "grafana": _parts("glsa_", (ALNUM, 32), "_", (HEX, 8)),
    "sentry_user": _simple("sntryu_", HEX, 64),
    # generic shapes
    "hex16": _simple("", HEX, 16),
    "hex32": _simple("", HEX, 32),
    "hex40": _simple("", HEX, 40),
    "hex64": _simple("", HEX, 64),
    "alnum12": _simple("", ALNUM, 12),
    "alnum26": _simple("", ALNUM_LOWER, 26),
    "alnum32": _simple("", ALNUM, 32),
    "urlsafe43": _simple("", URLSAFE, 43),
    "pw": _simple("", ALNUM, 14),
    "jwt": _jwt({"scope": "read write"}),
    "basic": _basic,
    "totp16": _simple("", BASE32, 16),
    "totp32": _simple("", BASE32, 32),
    "django_session": _simple("", ALNUM_LOWER, 32),
    "flask_session": _parts("eyJ1c2VyX2lkIjo0Mn0.Z", (URLSAFE, 5), ".", (URLSAFE, 27)),
    "connect_sid": _parts("s%3A", (URLSAFE, 32), ".", (ALNUM, 43)),
    "php_session": _simple("", ALNUM_LOWER, 26),
    # keys
    "pem_rsa": _pem("RSA PRIVATE KEY", RSA_HEAD, 1180),
    "pem_ec": _pem("EC PRIVATE KEY", EC_HEAD, 114),
    "pem_pkcs8": _pem("PRIVATE KEY", PKCS8_ED_HEAD, 32),
    "pem_pkcs8_rsa": _pem("PRIVATE KEY", PKCS8_RSA_HEAD, 1190),
    "pem_pkcs8_line": _pem("PRIVATE KEY", PKCS8_RSA_HEAD, 400, "\\n"),
    "pem_openssh": _openssh_private,
    "pgp_private": _pgp("PGP PRIVATE KEY BLOCK"),
    "putty": _putty,
    "age_secret": lambda rng: _age("age-secret-key-")(rng).upper(),
    "wireguard_private": _b64bytes(32),
    # money, people, phrases
    "visa": _card(VISA, 16),
    "visa_sp": _card(VISA, 16, " "),
    "visa_dash": _card(VISA, 16, "-"),
    "mastercard": _card(MASTERCARD, 16),
    "mastercard_sp": _card(MASTERCARD, 16, " "),
    "amex": _card(AMEX, 15),
    "amex_sp": _card(AMEX, 15, " "),
    "ssn": _ssn,
    "bip12": _words(12),
    "bip12_comma": _words(12, ", "),
    "bip24": _words(24),
    # near misses
    "bad_visa": _card(VISA, 16, wrong=True),
    "bad_visa_sp": _card(VISA, 16, " ", wrong=True),
    "bad_mastercard_sp": _card(MASTERCARD, 16, " ", wrong=True),
    "bad_amex": _card(AMEX, 15, wrong=True),
    "sha1": _simple("", HEX, 40),
    "sha1_short": _simple("", HEX, 8),
    "sha256": _simple("", HEX, 64),
    "md5": _simple("", HEX, 32),
    "sri512": _b64bytes(64, "sha512-"),
    "sri256": _b64bytes(32, "sha256-"),
    "ssh_fingerprint": lambda rng: "SHA256:" + base64.b64encode(rng.randbytes(32)).decode().rstrip("="),
    "uuid": _uuid,
    "ulid": _parts("01H", (CROCKFORD, 23)),
    "isbn": _ean("978", (3, 1, 4, 4, 1)),
    "ean": _ean("400"),
    "png": _png,
    "ssh_public": _ssh_public,
    "pem_public": _pem("PUBLIC KEY", SPKI_HEAD, 270),
    "pem_public_ed": _pem("PUBLIC KEY", SPKI_ED_HEAD, 32),
    "certificate": _pem("CERTIFICATE", "308203153082", 520),
    "pgp_public": _pgp("PGP PUBLIC KEY BLOCK"),
    "pgp_fingerprint": _fingerprint,
    "age_public": _age("age"),
    "wireguard_public": _b64bytes(32),
    "mac": _mac,
    "github_masked": lambda _: "ghp_" + "x" * 36,
    "openai_masked": lambda _: "sk-" + "." * 3,
    "slack_masked": lambda _: "xoxb-" + "-".join(("0" * 12, "0" * 12, "x" * 24)),
    "stripe_masked": lambda _: "sk_live_" + "*" * 24,
    "aws_example_id": lambda _: "AKIA" + "IOSFODNN7EXAMPLE",
    "stripe_customer": _simple("cus_", ALNUM, 14),
    "stripe_intent": _simple("pi_3", ALNUM, 23),
    "ec2_instance": _simple("i-0", HEX, 16),
    "docker_digest": _simple("sha256:", HEX, 64),
    "nix_path": _simple("/nix/store/", "0123456789abcdfghijklmnpqrsvwxyz", 32),
    "youtube": _simple("", URLSAFE, 11),
    "etag": lambda rng: f'W/"{_tail(rng, HEX, 32)}"',
    "trace": lambda rng: f"00-{_tail(rng, HEX, 32)}-{_tail(rng, HEX, 16)}-01",
    "ipfs": _simple("bafybei", LOWER + "234567", 52),
}
KINDS |= {f"iban_{country}": _iban(country) for country in IBAN_SHAPES}
KINDS |= {f"iban_{country}_sp": _iban(country, spaced=True) for country in IBAN_SHAPES}
KINDS |= {f"bad_iban_{country}": _iban(country, wrong=True) for country in IBAN_SHAPES}
KINDS |= {f"bad_iban_{country}_sp": _iban(country, spaced=True, wrong=True) for country in IBAN_SHAPES}

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def _base58check(payload: bytes) -> str:
    """Return ``payload`` with its double SHA-256 check in base 58."""
    data = payload + hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
    number, out = int.from_bytes(data, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        out = BASE58[rest] + out
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + out


def _nsec(rng: random.Random) -> str:
    """Return a Nostr private key (32 bytes in 52 groups of five bits)."""
    return _bech32("nsec", [rng.randrange(32) for _ in range(51)] + [rng.choice((0, 16))])


KINDS |= {
    "doppler": _simple("dp.pt.", ALNUM, 43),
    "pulumi": _simple("pul-", HEX, 40),
    "terraform": _parts((ALNUM, 14), ".atlasv1.", (URLSAFE, 67)),
    "groq": _simple("gsk_", ALNUM, 52),
    "openrouter": _simple("sk-or-v1-", HEX, 64),
    "resend": _parts("re_", (ALNUM, 8), "_", (ALNUM, 24)),
    "brevo": _parts("xkeysib-", (HEX, 64), "-", (ALNUM, 16)),
    "mailchimp": _simple("", HEX, 32, "-us14"),
    "circleci": _parts("CCIPAT_", (ALNUM, 22), "_", (HEX, 40)),
    "onepassword": _simple("ops_eyJ", ALNUM, 250),
    "crates": _simple("cio", ALNUM, 32),
    "slack_app": _parts("xapp-1-A0", (ALNUM_UPPER, 9), "-", (DIGITS, 13), "-", (HEX, 64)),
    "bitcoin_wif": lambda rng: _base58check(b"\x80" + rng.randbytes(32)),
    "nsec": _nsec,
    "recovery_code": _parts((HEX, 5), "-", (HEX, 5)),
    "sas_sig": lambda rng: urllib.parse.quote(base64.b64encode(rng.randbytes(32)).decode(), safe=""),
    # near misses
    "stripe_publishable": _simple("pk_live_51", ALNUM, 97),
    "bitcoin_address": lambda rng: _base58check(b"\x00" + rng.randbytes(20)),
    "npub": lambda rng: _bech32("npub", [rng.randrange(32) for _ in range(51)] + [rng.choice((0, 16))]),
}


def expand(text: str) -> str:
    """Return ``text`` with each ``{{kind:seed}}`` replaced by its value; an unknown kind raises ``KeyError``."""

    def value(match: re.Match[str]) -> str:
        kind, seed = match.groups()
        return KINDS[kind](random.Random(f"{kind}:{seed}"))

    return PLACE_HOLDER.sub(value, text)
