"""The table of secrets with a form of their own.

The forms are those that the vendors publish for secret scanning (GitHub's list of supported patterns) and that the
rules of gitleaks and detect-secrets know. Publishable forms (`pk_live_`, `phc_`, public keys) are no secrets.
Nothing is compiled here: a rule's pattern is only compiled when one of its literals stands in a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from remember_me.policy.secret_checks import (
    compiled,
    is_jwt,
    is_place_holder,
    is_query_value,
    is_real,
    is_user_and_password,
    is_wide_random,
    looks_random,
    starts_with_iban,
    strength,
)


class Rule:
    """A form: one of `literals` and `digits` digits must stand in the text before `pattern` is tried.

    Literals are written small and found in any case. With `prefixed` they are found as written, and `pattern` is
    what follows them. The group `secret`, else the whole match, must pass `check`. A plain class: `add` pays for
    this import, and a NamedTuple costs more to make than the whole table.
    """

    __slots__ = ("check", "digits", "literals", "name", "pattern", "prefixed")

    def __init__(
        self,
        name: str,
        literals: tuple[str, ...],
        pattern: str,
        check: Callable[[str], bool],
        digits: int = 0,
        prefixed: bool = False,
    ) -> None:
        self.name, self.literals, self.pattern = name, literals, pattern
        self.check, self.digits, self.prefixed = check, digits, prefixed


@cache
def pattern_of(rule: Rule) -> re.Pattern[str]:
    """The rule's pattern, with its prefixes where it has some."""
    if not rule.prefixed:
        return compiled(rule.pattern)
    alternatives = "|".join(re.escape(literal) for literal in sorted(rule.literals, key=len, reverse=True))
    boundary = r"(?<![A-Za-z0-9_+/-])" if rule.check is _is_vendor_key else _BW if "-]" in rule.pattern else _B
    return compiled(f"{boundary}(?:{alternatives}){rule.pattern}")


_B, _E = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
_BW = r"(?<![A-Za-z0-9_-])"
_A, _W, _H = "[A-Za-z0-9]", "[A-Za-z0-9_-]", "[0-9a-fA-F]"

_PREFIXED: tuple[tuple[str, str, str, int], ...] = (
    # rule, prefixes, characters behind, their least number
    ("aws-access-key", "AKIA ASIA ABIA ACCA", "[A-Z0-9]", 16),
    ("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz ABSKQmVkcm9ja0FQSUtle bedrock-api-key-",
        "[A-Za-z0-9+/=]", 30),
    ("alibaba-key", "LTAI AQVN", _W, 16),
    ("google-api-key", "AIza", _W, 30),
    ("google-oauth", "ya29. GOCSPX- 1//0", "[A-Za-z0-9_.-]", 20),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _H, 40),
    ("cloudflare-token", "cfut_ cfat_ cfk_", "[A-Za-z0-9-]", 40),
    ("heroku-key", "HRKU-", _W, 20),
    ("netlify-token", "nfp_ nfc_ nfo_ nfu_ nfb_", _A, 30),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", _A, 20),
    ("supabase-key", "sbp_ sb_secret_", _W, 20),
    ("planetscale-password", "pscale_pw_ pscale_tkn_ pscale_oauth_ pscale_api_", "[A-Za-z0-9_.-]", 20),
    ("neon-password", "npg_ napi_", _A, 12),
    ("fly-token", "fo1_ fm1r_ fm1a_ fm2_", "[A-Za-z0-9+/=_,-]", 30),
    ("hosting-token", "rnd_ ops_eyJ pul- tfp_ mdb_sa_sk_ exo_ EXO", _W, 20),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[A-Za-z0-9_.-]", 30),
    ("vault-token", "hvs. hvb. hvr.", _W, 24),
    ("databricks-token", "dapi dkea dose", "[0-9a-f-]", 32),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", "[A-Za-z0-9_]", 30),
    ("gitlab-token", "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct- GR1348941",
     "[A-Za-z0-9_.-]", 16),
    ("atlassian-token", "ATATT3 ATBB ATCTT3 ATSTT3 ATTA ATOA", "[A-Za-z0-9_=-]", 24),
    ("slack-token", "xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxe- xoxe.xoxp- xoxe.xoxb- xoxc- xoxd- xapp-",
        "[A-Za-z0-9%-]", 20),
    ("matrix-token", "syt_ mct_ mat_", "[A-Za-z0-9_]", 20),
    ("facebook-token", "EAAB EAAC EAAG EAAJ IGQV IGQW", _A, 40),
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_sbox_ whsec_ sup_sk_", "[A-Za-z0-9+/=_]", 16),
    ("square-token", "sq0atp- sq0csp- sq0idp- EAAA", _W, 22),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", _A, 24),
    ("payment-key", "live_ test_ rzp_live_ rzp_test_ FLWSECK- FLWSECK_TEST- pdl_live_apikey_ pdl_sdbx_apikey_ "
        "access_token$production$",
     "[A-Za-z0-9_$-]", 14),
    ("anthropic-key", "sk-ant-", _W, 20),
    ("huggingface-token", "hf_ api_org_", _A, 28),
    ("ai-vendor-key", "gsk_ xai- pplx- r8_ sk-or-v1- tgp_v1_ nvapi- csk- tvly- lsv2_pt_ lsv2_sk_ sk-lf- pcsk_ pa- "
        "jina_ fw_ e2b_"
     " rpa_ bb_live_ fc- crsr_ co_ sk_ key_ esecret_ AQ. wandb_v1_ sk-cp- hyp_ dsk- llx-", _W, 20),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk- sess-", _W, 20),
    ("npm-token", "npm_", _A, 30),
    ("pypi-token", "pypi-AgE pypi-AgN", _W, 40),
    ("package-token", "rubygems_ cio oy2 dckr_pat_ dckr_oat_ CLOJARS_ AKCp cmVmdGtu packagist_ jsr_ jsrp_ expo_", _W,
        20),
    ("mail-key", "xkeysib- xsmtpsib- mlsn. SG. re_ md- key- mandrill- PMAK-", "[A-Za-z0-9_.-]", 20),
    ("monitoring-key", "NRAK- NRII- NRSP- NRIQ- NRRA- sntryu_ sntrys_ sntrya_ sntryi_ glsa_ glc_ hcaik_ hcxik_ "
        "hcalk_ phx_ dt0c01."
     " dt0s01. sqp_ squ_ sqa_ CCIPAT_ CCIPRJ_ bkua_ bkpt_ bkct_ sgp_ pdus+ uptime_ sdk- lce_ essu_ eyJrIjoi",
     "[A-Za-z0-9_.=+/-]", 20),
    ("service-key", "ntn_ secret_ lin_api_ lin_oauth_ figd_ figu_ fio- CFPAT- tskey-auth- tskey-api- tskey-client- "
        "tskey- rdme_ dbtc_"
     " dbtu_ pnu_ pnb_ sl. sl.u. sk.eyJ nsec1 xprv yprv zprv tk_ eyJhIjoi mfa. da2- ico- tfe- zrok- ghat_ gocspx- "
     "ptr_ gto_"
     " pat-na1- pat-eu1- lip_ shippo_live_ shippo_test_ duffel_live_ EZAK EZTK frame_io_ wakatime_ waka_ ak-us- sntl_"
     " sbx_ nb_ dn_ rpk_ todoist_ gum_ hookdeck_ ubi_ ory_st_ ory_at_ zpka_", "[A-Za-z0-9_.=-]", 20),
    ("age-secret-key", "AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1 AGE-PLUGIN-", "[A-Z0-9]", 40),
)  # fmt: skip

_PRIVATE_KEY_BASE64 = (
    "LS0tLS1CRUdJTiBSU0EgUFJJVkFUR|LS0tLS1CRUdJTiBFQyBQUklWQVRF|LS0tLS1CRUdJTiBQUklWQVRF|LS0tLS1CRUdJTiBPUEVOU1NI"
    "|LS0tLS1CRUdJTiBFTkNSWVBURUQ|LS0tLS1CRUdJTiBQR1AgUFJJVkFUR|b3BlbnNzaC1rZXktdjE"
)
_URL_LABEL = (
    r"(?:[a-z]{0,12}[_-]?(?:token|api[_-]?key|apikey|secret|password|passwd|pwd|signature|credential)|key|auth|sig"
    r"|sid|session"
    r"|sessionid|session_id|code|jwt|hash|pass|auth[_-]?key|access[_-]?key)"
)
_URL_WORDS = frozenset({"password", "pass", "passwd", "pwd", "secret", "token", "pw", "port"})
_USER = r"[A-Za-z0-9_.@\\-]{1,60}"

_SHAPED: tuple[Rule, ...] = (
    Rule("private-key", ("private key",), r"-{2,5}\s?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?\s?-{2,5}"
        r"[^-]{0,400}?(?P<secret>[A-Za-z0-9+/=]{20,64})", is_real),
    Rule("private-key", ("private-lines:",), r"(?i)private-lines: ?[0-9]+\s+(?P<secret>[A-Za-z0-9+/]{20,64})",
        is_real),
    Rule("private-key", ("ls0tls1crudjti", "b3blbnnzac1rzxktdje"),
        rf"(?:{_PRIVATE_KEY_BASE64})[A-Za-z0-9+/=\s]{{20,60}}", is_real),
    Rule("private-key", ('"d"',), r'"d"\s{0,3}:\s{0,3}"(?P<secret>[A-Za-z0-9_-]{40,400})"', looks_random),
    Rule("azure-key", ("accountkey", "sharedaccess", "sig=", "jqqj9", "7q~", "8q~"),
        r"(?i:(?:AccountKey|SharedAccessKey|SharedAccessSignature)\s?=\s?(?P<secret>[^\s;\"']{20,200}))"
        r"|[?&]sig=[A-Za-z0-9%+/=]{30,200}|[A-Za-z0-9]{20,76}JQQJ9[A-Za-z0-9]{10,}"
        r"|(?<![\w.~-])[\w.~-]{3}[78]Q~[\w.~-]{31,36}",
        is_real),
    Rule("slack-webhook", ("hooks.slack",), r"hooks\.slack(?:-gov)?\.com/(?:services|workflows"
        r"|triggers)/[A-Za-z0-9_/]{20,}",
        is_real),
    Rule("webhook", ("/webhook", "hooks.zapier", "hook.", "maker.ifttt", "/v1/spaces/", "/ical/", "/private-"),
        r"(?:discord(?:app)?\.com/api(?:/v\d+)?/webhooks/[0-9]{15,}/[A-Za-z0-9_-]{30,}"
        r"|webhook\.office\.com/webhookb2/\S{30,200}"
        r"|hooks\.zapier\.com/hooks/catch/\S{8,100}|/ical/[0-9a-f]{20,64}|hook\.\w+\.make\.com/\w{20,}"
        r"|maker\.ifttt\.com/\S{1,80}/key/[\w-]{15,}"
        r"|chat\.googleapis\.com/v1/spaces/\S{10,200}|/private-[0-9a-f]{16,64}/)", is_real),
    Rule("discord-token", (".",), _BW + r"[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}", is_real,
        2),
    Rule("telegram-token", (":a",), r"(?<![0-9])[0-9]{8,10}:A[A-Za-z0-9_-]{30,40}" + _E, is_real, 8),
    Rule("mailchimp-key", ("-us",), _B + r"[0-9a-f]{32}-us[0-9]{1,2}" + _E, is_real, 4),
    Rule("twilio-key", ("sk",), _B + r"SK[0-9a-f]{32}" + _E, is_real, 4),
    Rule("terraform-token", ("atlasv1",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}", is_real),
    Rule("sendgrid-key", ("sg.",), _BW + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}", is_real),
    Rule("airtable-token", ("pat",), _B + r"pat[A-Za-z0-9]{14}\.[0-9a-f]{40,64}", is_real, 4),
    Rule("twitter-token", ("aaaaaaaaaaaaaaaa",), _B + r"A{18,24}[A-Za-z0-9%]{40,}",
        lambda value: is_real(value[24:])),
    Rule("plaid-token", ("access-",), r"access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{20,}",
        is_real),
    Rule("clickup-token", ("pk_",), _B + r"pk_[0-9]{5,9}_[A-Z0-9]{32}" + _E, is_real),
    Rule("onepassword-key", ("a3-",), _B + r"A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,6}){4,5}" + _E, is_real),
    Rule("wallet-key", ("l", "k", "5"), _B + r"(?:[KL][1-9A-HJ-NP-Za-km-z]{51}|5[1-9A-HJ-NP-Za-km-z]{50})" + _E,
        looks_random, 3),
    Rule("jwt", ("eyj",), _BW + r"eyJ[A-Za-z0-9_-]{8,1000}+\.(?:eyJ)?[A-Za-z0-9_-]{8,}", is_jwt),
    Rule("password-hash", ("$",), r"\$(?:2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{50,}|[156y]\$\S{1,40}\$[./A-Za-z0-9]{20,}"
        r"|apr1\$[^\s$]{1,8}\$[./A-Za-z0-9]{22}|argon2(?:id|i|d)\$\S{20,})", is_real, 1),
    Rule("password-hash", ("{plain}", "{cleartext}", "{ssha", "{sha", "{crypt}", "{md5}", "{smd5}"),
        r"(?i)\{(?:plain|cleartext|ss?ha(?:256|512)?|crypt|s?md5)\}(?P<secret>[^\s\"'{}]{6,200})", is_real),
    Rule("otp-seed", ("otpauth",), r"(?i)otpauth(?:-migration)?://\S{1,200}?(?:secret|data)="
        r"(?P<secret>[A-Z2-7%+/=a-z0-9]{10,})", is_real),
    Rule("otp-seed", ("otp", "2fa", "authenticator", "two-factor", "oath", "mfa", "setup key"),
        r"(?:(?i:\b[th]?otp\b|oathtool|2fa|mfa|authenticator|two-factor|setup key)[^\n]{0,80}?[\s:=\"'`])"
        r"(?P<secret>[A-Z2-7]{16,64}|(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4}"
        r"|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4})(?![\w-])",
        lambda value: len(set(value)) >= 8 and bool(compiled("[2-7]").search(value))),
    Rule("url-password", ("://",), r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s:/@?#]{0,100}:"
        r"(?P<secret>[^\s/@]{3,200})@[^\s/]",
        lambda value: not is_place_holder(value) and not value.startswith("$") and value.lower() not in _URL_WORDS),
    Rule("url-token", ("://",), r"://(?P<secret>[^\s:/@?#]{20,200})(?::x-oauth-basic)?@[^\s/]", looks_random),
    Rule("url-query", ("=",), rf"(?i)[?&;]{_URL_LABEL}=(?P<secret>[^\s&#\"'<>)]{{8,300}})", is_query_value),
    Rule("authorization", ("authorization", "bearer", "basic "),
        r"(?i)(?:\bauthorization[\"']?\s{0,3}[:=,]\s{0,3}[\"']?"
        r"(?:basic|bearer|token|apikey|bot|digest|key)?"
        r"|\bbearer)[\s:=]{1,4}[\"'`]?(?P<secret>[A-Za-z0-9+/=._~:-]{12,})", is_wide_random),
    Rule("basic-auth", ("basic ", '"auth"', "_auth"), r"(?i)(?:\bbasic\s+|\"auth\"\s{0,3}:\s{0,3}\""
        r"|\b_auth\s{0,3}=\s{0,3}\"?)"
        r"(?P<secret>[A-Za-z0-9+/]{8,200}={0,2})(?![\w+/])",
        lambda value: len(value) >= 12 and is_user_and_password(value)),
    Rule("cli-password", ("curl", "wget", "http ", "https "), rf"(?:\s-u\s?|--user[ =]|\s-a\s)[\"']?{_USER}:"
        rf"(?P<secret>[^\s\"'@/]{{3,100}})",
        lambda value: not is_place_holder(value) and not value.startswith("$")),
    Rule("cli-password", ("login", "sshpass", "mysql", "mongo", "psql", "redis-cli", "ldap", "7z", "zip", "unzip",
        "rar", "smb", "az ", "htpasswd", "openssl", "sqlcmd", "net use", "mount",
        "unrar", "mariadb", "rclone", "kinit", "nmcli", "passin",
        "passout"),
        r"(?:\s(?:-p|-P|--pass|-w|-a|-passin|-passout|password)[ =]?|\spass:|\s-U\s?[\"']?[\w.-]{1,40}%"
        r"|\s/user:\S{1,40}\s|\shtpasswd -\w+ \S{1,60} \S{1,40} )[\"']?"
        r"(?P<secret>[^\s\"'$<{*-][^\s\"']{5,100})",
        lambda value: strength(value) >= 2 and not compiled(r"[0-9]+(?::[0-9]+)?").fullmatch(value)),
    Rule("netrc", ("login", "user"), r"(?i)\b(?:login|user|username)\s+\S{1,80}\s+(?:password|passwd)\s+"
        r"(?P<secret>[^\s<$*{]\S{2,100})",
        lambda value: not is_place_holder(value) and value.lower() not in {"and", "are", "for", "from", "the", "to",
            "or", "reset", "field", "fields"}),
    Rule("pgpass", (":",), r"(?m)^[ \t]*(?:[A-Za-z0-9.-]{1,80}|\*):(?:[0-9]{2,5}|\*):[\w*.-]{1,40}:[\w.-]{1,40}:"
        r"(?P<secret>[^\s:]{4,100})[ \t]*$",
        is_real, 1),
    Rule("wifi-code", ("wifi:",), r"(?i)wifi:(?=[^\n]{0,150}\bT:)[^\n]{0,150}?[;:]P:(?P<secret>[^;\n]{4,80})",
        lambda value: not is_place_holder(value)),
    Rule("recovery-key", ("-",), r"(?<![0-9-])[0-9]{6}(?:-[0-9]{6}){7}(?![0-9-])|(?<![A-Z0-9-])[A-Z0-9]{4}"
        r"(?:-[A-Z0-9]{4}){5}(?![A-Z0-9-])|(?<![A-Z0-9-])[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}(?![A-Z0-9-])",
        lambda value: len(set(value)) >= 6 and any(map(str.isdigit, value)), 1),
    Rule("statement-password", ("identified by", "net user", "securestring", "chpasswd", "storepass", "keypass",
        "sqlplus",
        "wpa_passphrase"),
        r"(?i)(?:identified by\s+[\"']|net user \w+ |securestring\s+(?:-string\s+)?[\"']|-(?:store|key)pass[ =]"
        r"|sqlplus \w+/"
        r"|wpa_passphrase \S+ [\"']?"
        r"|echo [\"']?[\w.-]+:(?=[^|\n]+\|\s?(?:sudo )?chpasswd))(?P<secret>[^\s\"'$<{|]{4,64})",
        lambda value: strength(value) >= 1),
    Rule("user-password", ("@",), r"(?<![\w/:.-])[\w.-]{2,40}:(?P<secret>[^\s:/@]{10,100})@[A-Za-z][\w.-]+",
        is_wide_random, 1),
    Rule("user-password", ("@",), r"(?<![\w.+-])[\w.+-]{1,40}@[\w.-]{1,40}\.[a-z]{2,8}\s?[/|:]\s?"
        r"(?P<secret>[^\s/]{6,64})(?!\S*/)",
        lambda value: strength(value) >= 2, 1),
    Rule("oauth-token", ("oauth:", "/", "v1.0-"), _B + r"(?:oauth:[a-z0-9]{30}|v1\.0-[0-9a-f]{24}-[0-9a-f]{80,}"
        r"|[012]/[0-9]{10,20}:[0-9a-f]{32})" + _E, is_real,
        4),
    Rule("iban", ("",), r"(?<![A-Za-z0-9])(?P<secret>[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]){11,30})",
        starts_with_iban, 8),
)  # fmt: skip

_LOOSE = frozenset(
    {"ai-vendor-key", "payment-key", "package-token", "mail-key", "monitoring-key", "service-key", "hosting-token"}
)
"""Prefixes that words have too: what follows must look random."""


def _is_vendor_key(value: str) -> bool:
    """Behind a short prefix only what is random, so that `sk-learn-…` and `test_refuses_…` pass."""
    return looks_random(value) and bool(compiled(r"[A-Za-z0-9+/=]{12}").search(value))


RULES: tuple[Rule, ...] = _SHAPED + tuple(
    Rule(
        name,
        tuple(prefixes.split()),
        f"{characters}{{{least},400}}+",
        _is_vendor_key if name in _LOOSE else is_real,
        prefixed=True,
    )
    for name, prefixes, characters, least in _PREFIXED
)
