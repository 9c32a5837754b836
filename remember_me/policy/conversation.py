"""How a pasted conversation looks: turns of named speakers, in the forms that chat programs and agents export.

A form is a pattern that finds a turn's speaker, and what is said where it stands on the same line. A text is a
conversation if the speakers of one form alternate and what they say reads like talk (DESIGN section 4, "Never stored").
"""

from __future__ import annotations

import re

from remember_me.policy.exclusion_keys import phrases

HUMANS = """user|human|me|you|customer|caller|interviewer|prompt|client|utente|nutzer|benutzer|utilisateur|usuario|u|
question|patient|visitor|h|q|student|guest|host|reporter|kunde|applicant|member|interviewee|parent|pupil|passenger"""
AGENTS = """assistant|ai|agent|bot|claude|gpt|chatgpt|gpt-4|gpt-5|gemini|codex|copilot|support|shop|response|
assistente|assistent|asistente|model|assistant's|llm|chatbot|openclaw|hermes|system|tool|a|helpdesk|cursor|siri|alexa|
mistral|llama|deepseek|grok|clerk|operator|reply|gpt-4o|perplexity|qwen|advisor|adviser|receptionist|dispatcher|nurse|
doctor|teacher|tutor|therapist|coach|berater|representative|rep|completion|output|answer|candidate"""
LABELS = """why|how|note|notes|todo|example|result|reason|step|steps|title|name|date|tag|tags|source|url|warning|hint|
when|where|who|what|problem|cause|fix|goal|plan|risk|status|owner|due|memory|signal|confidence|outcome|impact|answer|
question|summary|decision|context|action|pro|con|pros|cons|before|after|input|output|expected|actual|rule|rules|info|
warn|error|debug|trace|monday|tuesday|wednesday|thursday|friday|saturday|sunday|fact|preference|hypothesis|http|https|
tip|important|caution|agenda|attendees|present|minutes|actions|port|password|database|given|then|and|feat|chore|docs|
test|refactor|fatal|critical|notice|x|location|room|item"""

TAGS = "b|i|p|li|td|tr|th|ul|ol|div|span|br|em|strong|code|pre|a|h1|h2|h3"

_CLOCK = (
    r"[\[(]?(?:\d{1,4}[-/.]\d\d?[-/.]\d{2,4},?[ T]\s?|\d{1,2}\.? [A-Z][a-z]{2,8}\.?,?(?: \d{4})?,? )?"
    r"\d\d?[:.]\d\d(?:[:.]\d\d)?(?:[.,]\d{3})?"
    r"(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?Z?[\])]?"
)
_LINE = (
    rf"^[ \t]*(?:[-*>#]{{1,4}}[ \t]+)?(?P<time>{_CLOCK}[ \t]*(?:[-\u2013\u2014|][ \t]*)?)?"
    r"(?:\*\*|__)?(?P<open>[<\[(@\"]?)(?P<who>[^\W\d_][\w.-]{0,18}(?:[ ][\w.-]{1,14}){0,2}?)(?::[\w-]+\.\w+)?"
    r"(?P<mark>[>\])]?(?:[ \t]?[\[(]\w[\w .-]{0,15}[\])])?"
    r"(?:[ \t]?[\[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?[\])]?)?[ \t]?(?:\*\*|__)?"
    r"(?::(?:\*\*)?|[>\])]|[ ][-\u2013\u2014]|[ ](?:said|says|asked|replied|answered|wrote):"
    r"|[ ]?(?:\u2192|->)[ ][^\s:]{1,15}:))"
    r"(?P<said>[ \t]+\S.*)$"
)
_COLUMNS = (
    rf"^[ \t]*(?:[-*][ \t]+)?{_CLOCK}(?:[ \t]+|,[ ]?|[ ]?\|[ ]?)(?P<who>[^\W\d][\w.@+-]{{0,20}})"
    r"(?:[ ]?\|[ ]?|\t|,[ ]?)[ \t]*(?P<said>\S.*)$"
)
_NUMBERED = (
    r"^[ \t]*(?:#{1,6} |\*\*)?(?:turn|message|round|exchange|prompt)[ ]?#?\d{1,3}[ ]?[-\u2013(\[:][ ]?"
    r"(?P<who>\w{1,16})[)\]]?(?:\*\*)?:?(?P<said>.*)$"
)
_TAGGED = (
    r"<(?:turn|message|msg|utterance|u|line|speech|entry|post|said|chat|p)[ ][^<>\n]{0,40}?"
    r"(?:role|speaker|who|from|author|sender|name|user|by)=[\"']?(?P<who>[\w .#@-]{1,20})[\"'][^<>\n]{0,60}>"
    r"(?P<said>.*)$|<v(?:\.\w+)? (?P<voice>[^<>\n]{1,24})>(?P<heard>.*)$"
)
_HEADER = (
    r"^[ \t]*(?:#{1,6}[ \t]+|\*\*)?"
    r"(?P<before>\[?\d\d?:\d\d(?::\d\d)?(?: ?[AP]M)?\]?[ \t]+(?:From[ ])?)?"
    r"(?P<who>[^\W\d_][\w.-]{0,18}(?:,?[ ](?!at |on |to |said|sent|wrote)[A-Z][\w.]{0,14}){0,2})"
    r"(?P<to> to (?:Everyone|me|all|[A-Z]\w+(?: [A-Z]\w+)?)(?: \(direct message\))?)?"
    r"(?P<verb> (?:said|sent|wrote|says))?"
    r"(?:\*\*)?:?(?P<time>[ ,]*(?:[\u2014\u2013-] ?|at |\u2022 ?|\xb7 ?)?"
    r"(?:(?:today|yesterday|[A-Z][a-z]+day)(?: at)? )?"
    rf"{_CLOCK})?(?:\*\*)?:?[ \t]*$"
)
_MARKS = (
    r"<\|im_start\|>\s?(?:user|assistant|system)|<\|(?:user|assistant)\|>|\[/?INST\]|<(?:start_of_turn|turn)>(?:user|model)"
    r"|<\|start_header_id\|>(?:user|assistant)"
    r"|[\"'](?:role|from|sender|speaker|author|type|who|participant)[\"']\s{0,3}:\s{0,3}"
    r"[\"'](?:user|assistant|human|gpt|model|bot|ai|agent|customer|client|caller|support)[\"']"
    r"|</?(?:user|assistant|human)>|^\s{0,6}(?:-\s)?(?:role|speaker|from):\s[\"']?(?:user|assistant|human|bot|model)\b"
)
_KEYS = (
    r"[\"'](user|human|customer|prompt|question|me|client|input|bot|assistant|ai|agent|model|response|answer|completion"
    r"|output|reply)[\"']\s{0,3}:\s{0,3}[\"'](?=([^\"\n]{1,90}))"
)
_INLINE = r"(?:^|[\s\"(>*\u201c|])(user|human|assistant|ai|bot|claude|gpt|chatgpt|agent|me|you):\**\s+[^\s`]"
_INLINE_NAMES = r"(?:^|[.?!\"\u201d/|]\s+)([A-Z][^\W\d_]{1,14}):\s+[^\s`]"
_TALK = (
    r"\?|!(?:\s|$)|\b(?:i|i'm|i'll|i've|you|we|me|my|your|yes|no|ok|okay|k|thanks|thank|thx|ty|sure|please|pls|yep|yeah|yup"
    r"|nope|hi|hey|hello|good|great|omw|np|lol|haha|sorry|brb|btw|congrats|cheers|oops|ah|oh|hmm|wait|morning|cool|nice|let's)\b"
    r"|^\s*(?:how|what|can|could|why|where|who|is|are|do|does|did|should|which|would|tell|show|explain)\b"
)
_SPEECH = (
    r"\b(user|he|she|they|i|assistant|agent|you|customer|bot)\s(?:then\s)?"
    r"(?:asked|said|replied|answered|responded|wrote)\b"
)
_EMAIL = (
    r"^[> ]{0,4}(?:On|Am|Le|El|Il)\s[^\n]{5,90}(?:wrote|schrieb|\xe9crit|escribi\xf3|scritto)\s?[^\n]{0,40}:[ \t]*$"
)
_ORIGINAL = r"^[ >]{0,4}-{2,}\s?(?:Original|Forwarded) [Mm]essage\s?-{2,}|^[ >]{0,4}Begin forwarded message:"
_MAIL_HEADS = r"^[> *]{0,6}(?:From|Von|De):\*{0,2} \S.*\n(?:[> *]{0,6}(?:Sent|Date|To|Cc|Gesendet|An):.*\n){1,4}"
_PROMPTED = r"^[ \t]*(?:(?P<asked>[>\u276f\u203a]) (?!\W*$)|(?P<told>[\u23fa\u25cf\u273b]) )\S"

_Turn = tuple[str, str, bool]


def is_conversation(text: str) -> bool:
    """Several turns of named speakers that come back, or the marks that clients write between turns."""
    if re.search(r"^\s{0,3}\$ ", text, re.M):
        return False
    marked = '"' in text or "'" in text or ":" in text or "<" in text or "INST]" in text
    if marked and (_has_turn_marks(text) or _has_keys(text)):
        return True
    if "\n" not in text:
        return len(text) > 40 and (_is_inline(text) or ("<" in text and _alternates(_tagged(text))))
    labels = frozenset(phrases(LABELS))
    lines = [(match["who"].lower(), match["said"], _is_marked(match)) for match in re.finditer(_LINE, text, re.M)]
    tags = frozenset(phrases(TAGS))
    lines = [turn for turn in lines if turn[0] not in (labels if not turn[2] else labels | tags)]
    if _is_dialogue(lines) or _is_inline(text) or _has_headed_turns(text, labels):
        return True
    return _alternates(_columns(text, labels)) or _alternates(_tagged(text)) or _is_mail(text) or _is_session(text)


def _is_marked(match: re.Match[str]) -> bool:
    """Whether a line has more than a name and a colon: a time, or the brackets of a chat program."""
    return bool(match["time"] or match["open"] in ("<", "@") or re.search(r"\d:\d\d", match["mark"]))


def _columns(text: str, labels: frozenset[str]) -> list[_Turn]:
    found = [*re.finditer(_COLUMNS, text, re.M), *re.finditer(_NUMBERED, text, re.M | re.I)]
    turns = [(match["who"].lower(), match["said"], True) for match in found]
    return [turn for turn in turns if turn[0] not in labels or _roles([turn[0]]) != (0, 0)]


def _tagged(text: str) -> list[_Turn]:
    if "<" not in text:
        return []
    found = re.finditer(_TAGGED, text, re.M)
    return [((match["who"] or match["voice"]).lower(), match["said"] or match["heard"] or "", True) for match in found]


def _has_turn_marks(text: str) -> bool:
    marks = re.findall(_MARKS, text, re.M)
    return len(marks) >= 2 and len({mark[-8:] for mark in marks}) >= 2


def _has_keys(text: str) -> bool:
    """Records with a key for each speaker, whose values read like talk."""
    found = re.findall(_KEYS, text)
    humans, agents = _roles([key for key, _ in found])
    said = [value for _, value in found]
    talk = sum(len(value.split()) > 1 and re.search(_TALK, value.lower()) is not None for value in said)
    return humans > 0 and agents > 0 and talk > 0


def _roles(speakers: list[str]) -> tuple[int, int]:
    """How many turns the person and the agent have."""
    humans, agents = phrases(HUMANS), phrases(AGENTS)
    firsts = [who.rstrip(" .0123456789") or who for who in speakers]
    return sum(who in humans for who in firsts), sum(who in agents for who in firsts)


def _talk(turns: list[_Turn]) -> int:
    return sum(re.search(_TALK, said.lower()) is not None for _, said, _ in turns)


def _alternates(turns: list[_Turn]) -> bool:
    """Whether turns of a form that little else has are more than one speaker's."""
    speakers = [who for who, _, _ in turns]
    if len(set(speakers)) < 2 or not _talk(turns):
        return False
    humans, agents = _roles(speakers)
    return (humans > 0 and agents > 0) or len(set(speakers)) < len(speakers)


def _is_interview(turns: list[_Turn]) -> bool:
    """Questions and answers of two people, not of a list of frequent ones: somebody answers of himself."""
    asked = [said.lower() for who, said, _ in turns if who == "q"]
    told = [said.lower() for who, said, _ in turns if who == "a"]
    if len(asked) < 2 or len(told) < 2:
        return False
    short = sum(re.match(r"\s*(?:yes|no|ok|sure|thanks)\b", said) is not None for said in (*asked, *told))
    if len(turns) >= 6 and short >= 2:
        return True
    of_you = sum(re.search(r"\byour?\b", said) is not None for said in asked)
    of_me = sum(re.search(r"\b(?:i|i'm|i'd|i've|my|me|myself)\b", said) is not None for said in told)
    following = sum(re.match(r"\s*(?:and|so|but|ok|then)\b", said) is not None for said in asked)
    return of_you >= 1 and (of_me >= 1 or (following >= 1 and of_you >= 2))


def _is_dialogue(turns: list[_Turn]) -> bool:
    speakers = [who for who, _, _ in turns]
    if len(speakers) < 2 or len(set(speakers)) < 2:
        return False
    said = [what for _, what, _ in turns]
    talk = _talk(turns)
    if set(speakers) == {"q", "a"}:
        return _is_interview(turns)
    asks = any("?" in what for what in said)
    if sum(timed for _, _, timed in turns) >= 2 and talk and (asks or talk > 1 or _alternates(turns)):
        return True
    sentences = sum(len(what.split()) > 1 and what.rstrip("\"'* ")[-1:] in tuple(".?!") for what in said)
    spoken = sum(re.search(_TALK, what.lower()) is not None or what.rstrip()[-1:] in tuple(".?!") for what in said)
    humans, agents = _roles(speakers)
    returning = len(set(speakers)) < len(speakers)
    if humans and agents:
        phrased = sum(len(what.split()) > 2 for what in said)
        if sentences >= 2 or talk >= 2 or spoken >= 2:
            return True
        return returning and len(speakers) >= 3 and (talk + sentences > 0 or phrased > 2)
    if len(speakers) < 3 or not returning or len(set(speakers)) > len(speakers) * 2 // 3 + 1:
        return False
    return asks or talk >= 2


def _is_inline(text: str) -> bool:
    if text.count(":") < 2:
        said = re.findall(_SPEECH, text.lower()) if text.count(".") > 2 else []
        return len(said) >= 4 and len(set(said)) >= 2
    speakers = [who.lower() for who in re.findall(_INLINE, text, re.I)]
    humans, agents = _roles(speakers)
    ends = re.search(r"[.?!\"]\s+(?:assistant|ai|bot|claude|agent|chatgpt):\s", text, re.I)
    if humans > 0 and agents > 0 and (len(speakers) >= 3 or ends is not None):
        return True
    names = [who.lower() for who in re.findall(_INLINE_NAMES, text)] if "\n" not in text else []
    names = [who for who in names if who not in phrases(LABELS)]
    return len(names) >= 3 and 2 <= len(set(names)) < len(names) and re.search(_TALK, text.lower()) is not None


def _has_headed_turns(text: str, labels: frozenset[str]) -> bool:
    """Turns whose speaker stands on a line of its own, with a time or as a heading, above what is said."""
    lines = [line for line in text.split("\n") if line.strip()]
    heads = [re.match(_HEADER, line, re.I) if len(line) < 90 else None for line in lines]
    found = [
        (head["who"].lower(), bool(head["time"] or head["before"] or head["to"]), bool(head["verb"]))
        for head, after in zip(heads, [*heads, None][1:], strict=True)
        if head
        and not (after and (after["time"] or after["before"]) and not after["who"].islower())
        and head["who"].lower() not in labels
    ]
    timed = [who for who, time, _ in found if time]
    quoted = [who for who, _, verb in found if verb]
    if quoted.count("you") >= 2 or (len(quoted) >= 2 and len(set(quoted)) >= 2):
        return True
    roles = [head["who"].lower() for head in heads if head]
    humans, agents = _roles(roles)
    if humans and agents and humans + agents >= 3:
        return True
    return len(timed) >= 3 and 2 <= len(set(timed)) < len(timed)


def _is_mail(text: str) -> bool:
    """A mail above the one that it answers."""
    quoted = re.search(r"^[ \t]*>", text, re.M) is not None
    chains = len(re.findall(_EMAIL, text, re.M))
    if chains and (quoted or chains > 1):
        return True
    return re.search(_ORIGINAL, text, re.M) is not None or len(re.findall(_MAIL_HEADS, text, re.M)) >= 2


def _is_session(text: str) -> bool:
    """What a coding agent's terminal shows: prompts behind an angle, replies behind a dot."""
    found = [(match["asked"], match["told"]) for match in re.finditer(_PROMPTED, text, re.M)]
    return any(asked for asked, _ in found) and any(told for _, told in found)
