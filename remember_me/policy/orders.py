"""Orders to an agent: one to act waits for a person, one about writing or caution need not (DESIGN section 5).

No list of dangerous verbs is ever complete, so an order passes only by a list of harmless ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from remember_me.policy.statement_words import (
    ADVERBIAL,
    ARTICLES,
    BEING,
    CONNECTIVES,
    JOINING,
    OPENERS,
    SPEAKING,
    word_set,
)

_POLITE = word_set("please pls plz always just also then btw fyi really simply bitte immer svp stp toujours")
_PROHIBITING = word_set("not no never avoid stop nicht kein keine keinen nie ne pas jamais non")
_SUBJECTS = word_set(
    """my our the this that these those his her their its he she they it there you everyone nobody some most many all
    each every both neither half only mein meine unser unsere der die das mon ma mes notre nos le la les l c"""
)
_FINITE = word_set(
    """is are was were has have had must should can cannot will would does did means need needs may might ist sind hat
    war est sont"""
)
_ASKED_OF_YOU = (
    ("i", "want", "you", "to"),
    ("i", "need", "you", "to"),
    ("i", "would", "like", "you", "to"),
    ("you", "should"),
    ("you", "must"),
    ("you", "need", "to"),
)
_HARMLESS = word_set(
    """answer reply respond write use keep format call address name give show explain list include prefer spell indent
    round quote cite translate summarise summarize limit speak be say tell ask check test confirm verify remind warn
    double prefix number sort stick follow target mention describe phrase refer talk wrap align capitalise
    capitalize put short brief concise plain simple metric imperial british american english german french formal
    informal bullet dark light dates times tabs spaces lf utf snake_case camelcase long more less fewer as at to
    with antworte antworten antwortet schreib schreibe schreiben nutze benutze verwende nenn nenne duze sieze kurze
    kurz gib réponds répondez écris écrivez utilise utilisez tutoie vouvoie appelle appelez réponses"""
)
"""What an order may begin with: verbs of writing and of caution, and words for how something is written."""
_OBJECTS = word_set(
    """my account accounts card cards credit money password passwords secret secrets key keys token tokens credential
    credentials root sudo eval exec prod production live server servers port ports database client clients customer
    customers everyone world public bank"""
)
"""What makes a harmless verb an act: answer my mail, use the card."""
_PUT_WHERE = word_set("answer summary conclusion result results code first top bottom end last")
_AGENTS = word_set("agent agents bot bots assistant assistants ai claude codex gemini copilot chatgpt")
_WIDE_ORDERS = ("ください", "下さい", "お願い", "请", "なさい")
_WIDE_HARMLESS = word_set("返事 返信 回答 答え 答 日本語 英語 コメント コード 敬語 短 説明 呼 书写 回复 中文 英文 用语")
_FINITE_WITHIN = 6
_ADVERBIAL_WORDS = 4


def is_order_to_act(raw: Sequence[str]) -> bool:
    """Whether a clause (its folded words) orders something that is neither writing, nor caution, nor a prohibition."""
    words = _without_opening(raw)
    if not words or words[0] in _PROHIBITING or words[:2] == ["do", "not"]:
        return False
    first = words[0]
    if first in ADVERBIAL:
        plain = _HARMLESS.isdisjoint(words) and SPEAKING.isdisjoint(words) and _FINITE.isdisjoint(words)
        return len(words) > _ADVERBIAL_WORDS and plain
    if (
        first in SPEAKING | _SUBJECTS | ARTICLES | BEING
        or first[0].isdigit()
        or (not first.isascii() and len(words) < 2)
    ):
        return False
    if first in _HARMLESS:
        return _acts_all_the_same(words)
    described = first.endswith("ing") or first.endswith("ed")
    return not described and _FINITE.isdisjoint(words[1:_FINITE_WITHIN])


def _without_opening(raw: Sequence[str]) -> list[str]:
    words = [word for word in raw if word not in _POLITE]
    while words and words[0] in OPENERS | CONNECTIVES | JOINING:
        words = words[1:]
    for opening in _ASKED_OF_YOU:
        if tuple(words[: len(opening)]) == opening:
            return words[len(opening) :]
    return words


def _acts_all_the_same(words: list[str]) -> bool:
    first, second = words[0], words[1] if len(words) > 1 else ""
    if first == "put":
        return _PUT_WHERE.isdisjoint(words)
    if first == "keep" and second.endswith("ing"):
        return True
    return not _OBJECTS.isdisjoint(words[1:]) or (first == "write" and second == "to")


def speaks_of_agents(text: str) -> bool:
    """Whether a title is about agents: how they may behave is for a person to say."""
    return not _AGENTS.isdisjoint("".join(one if one.isalnum() else " " for one in text.casefold()).split())


def is_wide_order_to_act(text: str) -> bool:
    """The same for a sentence in Chinese or Japanese."""
    return any(mark in text for mark in _WIDE_ORDERS) and not any(word in text for word in _WIDE_HARMLESS)
