"""A person at the terminal types to the real clients: their words are kept, and a compaction loses nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.clients import Client
from tests.e2e.product import Product
from tests.e2e.terminal import Terminal
from tests.e2e.test_recall import BLOCK, count


def test_what_a_person_types_is_kept(client: Client, product: Product) -> None:
    """The other side of `test_where_nobody_sits_nothing_is_kept_of_a_prompt`."""
    with Terminal(client) as terminal:
        request = terminal.ask("Say hello to the quokka")

    assert product.receipts() == ["Say hello to the quokka"]
    assert count(request, BLOCK) == 1


@pytest.mark.parametrize("name", ["gemini", "copilot"])
def test_after_a_compaction_at_the_terminal_the_block_is_there_again(make: Callable[[str], Client], name: str) -> None:
    """These clients do not tell of a new start then: it comes with the next prompt."""
    client = make(name)
    with Terminal(client) as terminal:
        terminal.ask("Say hello to the quokka")
        terminal.type(client.compacts_at)
        request = terminal.ask("Say goodbye to the quokka")

    assert any(BLOCK in text for text in request.said()[-4:])
