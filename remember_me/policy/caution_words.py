"""What reduces caution: texts of which an agent's write always waits for a person (DESIGN section 5)."""

from __future__ import annotations

import re

_GUARDS = r"""(?:unit\ |integration\ |safety\ |security\ |type\ |pre-?commit\ |code\ )?(?:
    tests?|checks?|warnings?|alerts?|reviews?|safety|safeguards?|security|lint(?:er|ing)?|hooks?|validations?|errors?
    |verifications?|approvals?|confirm\w*|permissions?|guard\ ?rails?|polic(?:y|ies)|rules?|instructions?|prompts?
    |prompting|sandbox(?:ing)?|firewall|backups?|two-factor|2fa|mfa|authentication|auth|encryption|ci|limits?
    |restrictions?|certificates?|tls|ssl|antivirus|logging|audits?|dry[- ]?runs?|staging)"""
_RISKY = r"""(?:delet\w*|remov\w*|overwrit\w*|drop\w*|push\w*|deploy\w*|merg\w*|releas\w*|publish\w*|execut\w*|runs?
    |running|install\w*|send\w*|pays?|buys?|commit\w*|edit\w*|chang\w*|modify\w*|wip\w*|format\w*|reset\w*|kill\w*
    |access\w*|sudo|spend\w*|transfer\w*|shares?|posts?|email\w*|upload\w*)"""
_ASKING = r"""(?:ask\w*|check\w*|confirm\w*|verif\w*|warn\w*|test\w*|review\w*|validat\w*|prompt\w*|wait\w*|stop\w*
    |back(?:ing|s)?\ up|backups?)"""
_TELLING = r"""(?:show\w*|tell\w*|notif\w*|inform\w*|report\w*|mention\w*|preview\w*|consult\w*|involv\w*|announc\w*
    |log(?:ging)?\b|list\w*|diff\w*|double|alert\w*|run\ it|explain\ what|document\w*)"""
_NO = r"(?:do\ not|does\ not|don'?t|doesn'?t|need\ not|needn'?t|never|not|without|stop|no\ longer|avoid|no|cease)"
_SKIP = r"""(?:skip|bypass|disabl|ignor|disregard|overrid|suppress|omit|silenc|circumvent|mut|forget|relax|loosen|weaken
    |evad)(?:e|es|ing|ped|ping|s|ed|ted|ting|ten)?"""

_REDUCING = re.compile(
    rf"""
    \bwithout\ (?:\w+\ ){{0,3}}?(?:{_ASKING}|permission|approval|consent|noti\w+|telling|supervision|oversight
        |hesitation)
    |\b{_NO}\ (?:\w+\ ){{0,3}}?{_ASKING}\b(?!\ (?:in|into|out|off|secrets?|passwords?)\b)
    |\b(?:no|without|zero)\ (?:more\ )?{_GUARDS}\b
    |\b{_SKIP}\ (?:\S+\ ){{0,4}}?{_GUARDS}\b
    |\b(?:ignor|bypass|skip|disregard|overrid)\w*
    |\b(?:turn|switch|shut|leav)(?:e|s|ing)?\ (?:\S+\ ){{0,4}}?off\b|\boff\ (?:\S+\ ){{0,4}}?{_GUARDS}\b
    |\b(?:auto|automatic(?:ally)?|always|blindly|blanket|all|every|any)[ -]?(?:allow\w*|approv\w*|accept\w*|trust\w*
        |grant\w*|permit\w*|execut\w*|runs?|say\ yes|merg\w*|deploy\w*|push\w*|yes)\b
    |(?<!not\ )(?<!n't\ )(?<!never\ )\b(?:allow|approve|accept|trust|grant|permit|authori[sz]e)[sd]?\b
    |\b(?:can|may|could|free|welcome|allowed|permitted|authori[sz]ed|fine|okay|ok|able)\ (?:to\ )?(?:\w+\ ){{0,2}}?
        {_RISKY}\b
    |--(?:force|no-\w+|yes|yolo|hard|dangerously\S*|skip\S*)|\bforce[- ]?push\w*|\brm\ -\w*|\bsudo\b|\bchmod\b|\byolo\b
    |\bdangerous\w*|\b(?:root|admin)\ (?:access|rights|shell)
    |\bwhatever\ (?:you|it|is)\b|\bgo\ ahead\b|\bjust\ do\ it\b|\bfull\ (?:access|control|permission|autonomy)
    |\bfree\ (?:rein|hand)\b|\bcarte\ blanche\b|\bno\ questions\b|\b(?:as|however)\ you\ (?:like|see|want|think|please)
    |\bassume\ (?:yes|consent|approval)|\bon\ (?:your|its)\ own\b|\bautonomous\w*|\bunattended\b|\bunsupervised\b
    |\bpre-?(?:approv|authori[sz])\w*|\b(?:don'?t|do\ not)\ (?:worry|care|bother|mind|hesitate)\b
    |\bcare\ about\ (?:security|safety|tests|warnings)
    |\b(?:straight|direct(?:ly)?)\ (?:in)?to\ (?:main|master|prod\w*|live)\b|\bpush(?:es)?\ to\ (?:main|master|prod\w*)
    |\b(?:no\ need\ to|(?:not|n't)\ (?:need|have)\ to|needn't|needs?\ no|without|stop)\ (?:me\ |ever\ |always\ )?
        {_TELLING}
    |\b{_NO}\ (?:\w+\ )?(?:notif\w*|inform|alert|consult|double|preview|diffs?|previews?|disclaimers?)\b
    |\b(?:less|fewer|not\ so|too|overly|stop\ being)\ (?:\w+\ )?(?:careful|cautious|paranoid|strict|asking|questions
        |{_GUARDS})\b|\bask\w*\ (?:me\ )?(?:less|rarely|seldom|later|afterwards)
    |\b(?:decid\w*|judge)\ (?:it\ |that\ |everything\ )?(?:for\ )?(?:yourself|itself|alone|freely)|\byou\ decide\b
    |\b(?:your|own|its)\ (?:own\ )?(?:judge?ment|call|discretion)\b
    |\b{_GUARDS}\ (?:is|are|can|may|do|does)(?:n't)?\ (?:\w+\ )?(?:fine|ok|okay|noise|optional|un\w+|useless
        |annoying|overkill
        |a\ waste|wasted?|wait|needed|matter|required|necessary)\b
    |\bno\ (?:\w+\ ){{1,3}}(?:is|are)\ (?:needed|necessary|required)\b
    |\b(?:never|not|n't|rarely)\ (?:read|look|see|want\ to\ see|open)\w*\ (?:\w+\ ){{0,3}}?(?:diffs?|logs?
        |changes|code)\b
    |\bpasswords?\b|\bon\ \S+(?:\ \S+)?\ behalf\b|\bconsents?\b
        |\b(?:agrees?|yes)\ (?:to|with)\ (?:all|every\w*|any\w*|whatever)\b
    |\b(?:failing|failed|broken|red)\ (?:tests?|builds?|checks?|ci|pipelines?)\b
    |\b(?:keep\ going|continue|carry\ on|proceed)\b|\b(?:hid|swallow|drop|dismiss|mask)(?:e|es|s|ing)?\ {_GUARDS}\b
    |\b(?:commit|store|keep|sav|shar|send|put|log|print|writ|leav)\w*\ (?:\S+\ ){{0,3}}?(?:passwords?|secrets?|tokens?
        |credentials?|\.env|private\ keys?|api\ keys?)\b
    |\banswers?\ (?:is|are)\ (?:always\ )?yes|\bassume\ (?:i|the\ user)\b|\b(?:take|accept|run)\w*\ risks?\b
    |\bmove\ fast\b|\bas\ (?:root|admin\w*)\b|\b{_RISKY}\ (?:\S+\ ){{0,4}}?(?:whenever|any\ ?time|at\ will|freely
        |right\ away|immediately|instantly|at\ once)\b
    |\bsystem\ prompt\b|\bprevious\ instructions\b|\bjailbreak\w*|\b(?:plaintext|plain\ text)\ passwords?
    |\bohne\ (?:\w+\ ){{0,2}}(?:(?:nach|rück)?fragen?|test\w*|prüf\w*|bestätig\w*|erlaubnis)|\bignorier\w*
    |\büberspring\w*
    |\bimmer\ (?:erlaub\w*|akzeptier\w*|zulassen)|\bnicht\ (?:nach)?fragen|\bfrag\w*\ (?:mich\ )?(?:nie|nicht)
    |\bkeine\ (?:tests|rückfragen|warnungen|bestätigung\w*)
    |\bsans\ (?:me\ )?(?:demander|confirm\w*|valid\w*|test\w*|permission|vérif\w*)|\btoujours\ (?:autoris|accept)\w*
    |\bne\ (?:me\ )?demande\w*\ (?:pas|jamais)|\bsaute\w*\ les\ tests|\bpas\ de\ (?:tests|confirmation)
    |確認(?:なし|せず|しない|不要)|聞かずに|許可(?:なし|なく)|無視|スキップ|省略|自動承認
    |忽略|跳过|不用问|无需确认|直接执行
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ASKS_FOR_MORE = re.compile(
    rf"""\b(?:never|don'?t|do\ not|must\ not|mustn'?t|should\ not|no)(?:\ \S+){{1,6}}?\ without\ (?:\w+\ ){{0,3}}?
    (?:{_ASKING}|permission|approval|telling|consent)""",
    re.IGNORECASE | re.VERBOSE,
)
_TURNED = re.compile(
    r"\b(?:hesitat|worr|mind|afraid|bother|stop|wait|fear|shy|problem|issue|need|ask)\w*", re.IGNORECASE
)
_PERMISSION = re.compile(
    r"\b(?:you(?:'re| are)? (?:can|may|free|allowed|welcome|could)|feel free|go ahead)\b(?! (?:call|address)\b)", re.I
)
_STRAIGHT = str.maketrans("‘’ʼ‐‑–—", "'''----")


_SAFEGUARDS = re.compile(
    r"\b(?:firewalls?|permissions?|root|sudo|secrets?|backups?|dry[- ]?runs?|sandbox|credentials?|ssh|encryption"
    r"|antivirus|two-factor|2fa|mfa|safeguards?)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"(?:please )?(?:never|do not|don'?t|must not|no) (?!.*\bwithout\b)", re.IGNORECASE)


def reduces_caution(text: str) -> bool:
    """Whether a text asks an agent for less asking, checking or warning, or allows it to act.

    So does whatever speaks of a safeguard, unless it forbids something ("never touch the firewall"). A prohibition that
    asks for more ("never push without asking") does not. English, with the plainest forms of German,
    French, Japanese and Chinese; it rather finds too much, which costs a review card.
    """

    def left(match: re.Match[str]) -> str:
        rest = match.group().rsplit(" without ", 1)[0]
        return match.group() if _TURNED.search(rest) else " "

    plain = _ASKS_FOR_MORE.sub(left, _plain(text))
    if _REDUCING.search(plain) is not None:
        return True
    return _SAFEGUARDS.search(plain) is not None and _FORBIDS.match(plain) is None


def is_permission(text: str) -> bool:
    """Whether a text allows an agent something: what it allows waits for a person, however harmless it looks."""
    return _PERMISSION.search(_plain(text)) is not None


def _plain(text: str) -> str:
    return " ".join(text.translate(_STRAIGHT).split())
