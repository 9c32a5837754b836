"""What an agent reads in its real client: the block at the start, entries that a prompt brings to mind, after a
compaction, and of another client."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.e2e.clients import CLIENTS, Client
from tests.e2e.model_server import Request
from tests.e2e.product import PINNED, Product

BLOCK = "What this user wants remembered."
PROMPTED = "Saved about this prompt."
LIGHT = "Where quokka builds go"


def count(request: Request, words: str) -> int:
    """How often the words stand in what the model is given."""
    return sum(text.count(words) for text in request.said())


def newest_words(request: Request) -> str:
    """What the newest message says."""
    return json.dumps(request.items()[-1])


def test_the_block_is_there_at_the_start_once(client: Client) -> None:
    turn = client.run("Say hello").ok()

    request = turn.asked()
    assert (count(request, BLOCK), count(request, PINNED)) == (1, 1)
    whole = "\n".join(request.said()).replace("&lt;", "<").replace("&gt;", ">")  # as Gemini CLI gives it
    block = whole[whole.index("<remember-me ") : whole.index("</remember-me>")]
    assert PINNED in block
    assert whole.count("<remember-me ") == whole.count("</remember-me>") == 1


def test_a_prompt_brings_an_entry_to_mind_and_another_does_not(client: Client, product: Product) -> None:
    product.add("--tag", "FACT", "--impact", "1", "--title", LIGHT, "--aliases", "quokka build", "To the shed server")
    product.fill_index()

    unrelated = client.run("Say hello").ok().asked()
    assert (count(unrelated, BLOCK), count(unrelated, PROMPTED), count(unrelated, "quokka")) == (1, 0, 0)

    triggered = client.run("Make the quokka build, please", resume=True).ok().asked()
    assert count(triggered, PROMPTED) == 1
    assert count(triggered, LIGHT) == 1

    after = client.run("Say goodbye", resume=True).ok().asked()
    assert count(after, PROMPTED) <= 1
    assert [text for text in after.said() if "Say goodbye" in text and PROMPTED in text] == []


@pytest.mark.parametrize("name", [name for name in CLIENTS if name != "gemini"])
def test_after_a_compaction_the_block_is_there_again(make: Callable[[str], Client], name: str) -> None:
    """Gemini CLI compresses nothing without a terminal: tests of the hook itself hold its part."""
    client = make(name)
    client.run("Say hello").ok()

    turn = client.compacted().ok()

    assert any("summary" in newest_words(request) for request in client.server.requests), "nothing was compacted"
    assert count(turn.requests[-1], BLOCK) == 1
