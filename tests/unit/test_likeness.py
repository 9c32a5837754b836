"""Which texts can be known again outside of their entry."""

from __future__ import annotations

import pytest

from remember_me.policy.likeness import is_own, is_telling


@pytest.mark.parametrize(
    ("text", "telling", "own"),
    [
        ("yes", False, False),
        ("yes, please", False, False),
        ("go ahead then", False, False),
        ("my PIN is 4711", False, True),
        ("123456789 12345", False, False),
        ("123456789 123456", True, True),
        (" 123456789 12345  ", False, False),
        ("住在热那亚", False, False),
        ("我住在热那亚", True, True),
        ("", False, False),
    ],
)
def test_telling(text: str, telling: bool, own: bool) -> None:
    assert (is_telling(text), is_own(text)) == (telling, own)
