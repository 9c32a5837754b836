"""What the words of a person suggest where no tag was given."""

from __future__ import annotations

import pytest

from remember_me.model.entry import Signal, Tag
from remember_me.policy.suggest import suggest


@pytest.mark.parametrize(
    ("text", "tag", "signal"),
    [
        ("Never name customers in notes", Tag.PREFERENCE, Signal.BOUNDARY),
        ("Don't call before nine", Tag.PREFERENCE, Signal.BOUNDARY),
        ("Don’t call before nine", Tag.PREFERENCE, Signal.BOUNDARY),
        ("Do not push to main", Tag.PREFERENCE, Signal.BOUNDARY),
        ("Keep this private", Tag.PREFERENCE, Signal.BOUNDARY),
        ("Wants to release cogwork 2.0 before the winter fair", Tag.GOAL, Signal.GOAL),
        ("I plan to learn Korean", Tag.GOAL, Signal.GOAL),
        ("Send the catalogue proofs by Tuesday", Tag.GOAL, Signal.GOAL),
        ("Prefers short answers", Tag.PREFERENCE, Signal.PREFERENCE),
        ("Please reply in Italian", Tag.PREFERENCE, Signal.PREFERENCE),
        ("Likes metric threads", Tag.PREFERENCE, Signal.PREFERENCE),
        ("The printer keeps losing its paper size", Tag.FACT, Signal.BLOCKER),
        ("Allergic to walnut dust", Tag.FACT, Signal.PERSONAL),
        ("Works as a clockmaker", Tag.FACT, Signal.PERSONAL),
        ("Maintains cogwork, a small command", Tag.FACT, Signal.PROJECT),
        ("Maybe thinks about an apprentice", Tag.HYPOTHESIS, None),
        ("She probably likes tea", Tag.HYPOTHESIS, None),
        ("The third bell is a replacement", Tag.FACT, None),
        ("Nevertheless it runs", Tag.FACT, None),
        ("The unstoppable clock", Tag.FACT, None),
        ("Les réponses courtes", Tag.FACT, None),
        ("", Tag.FACT, None),
    ],
)
def test_suggestions(text: str, tag: Tag, signal: Signal | None) -> None:
    assert suggest(text) == (tag, signal)
    assert suggest(text.upper()) == (tag, signal)


def test_a_long_text_is_read_in_linear_time() -> None:
    assert suggest("until the " * 100_000 + "keep " * 100_000 + "release " * 20_000).tag in Tag
