"""What an agent does with the command in its shell: read an entry, and save one that other clients then read."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.e2e.clients import Client, Codex
from tests.e2e.product import Product

BODY = "Quokka builds are uploaded to the shed server, and the key hangs beside the door"
RING = (
    ("claude-code", "codex"),
    ("codex", "gemini"),
    ("gemini", "copilot"),
    ("copilot", "opencode"),
    ("opencode", "claude-code"),
)
"""Each client once as the one that saves and once as the one that reads."""


@pytest.mark.parametrize(
    ("name", "sandbox"), [("claude-code", None), ("codex", "danger-full-access"), ("codex", "workspace-write")]
)
def test_get_gives_the_agent_the_whole_entry(
    make: Callable[[str], Client], product: Product, name: str, sandbox: str | None
) -> None:
    """In the last of them the command may write to the project alone, and the store is elsewhere."""
    entry = product.add("--tag", "FACT", "--title", "Where quokka builds go", BODY)
    client = make(name)
    if sandbox is not None:
        assert isinstance(client, Codex)
        client.sandbox = sandbox

    turn = client.run(client.call(f"remember-me get {entry}")).ok()

    assert BODY not in turn.asked().text()
    assert BODY in turn.requests[-1].text()


@pytest.mark.parametrize(("writer", "reader"), RING)
def test_what_an_agent_saves_is_in_the_next_session_of_another_client(
    make: Callable[[str], Client], product: Product, writer: str, reader: str
) -> None:
    product.set("review", agent="never")
    one, other = make(writer), make(reader)
    assert "Numbats" not in other.run("Say hello").ok().asked().text()

    one.run(one.call("remember-me add --tag FACT Numbats are the mascots of the shed")).ok()

    assert "FACT Numbats are the mascots" in other.run("Say hello again").ok().asked().text()


GROUNDED = ("claude-code", "codex", "gemini", "copilot", "opencode")
"""Gemini CLI tells the shell of its agent no session: there it is found by the process of the client."""
QUOTE = "I prefer numbat pictures over quokka pictures"


def save_with_quote(client: Client) -> str:
    """Have the agent save what the prompt says; what its command printed."""
    command = f"remember-me add --tag PREFERENCE 'Prefers numbat pictures over quokka pictures' --quote '{QUOTE}'"
    turn = client.run(f"{QUOTE}.\n{client.call(command)}").ok()
    return json.dumps(turn.requests[-1].items()[-1])


@pytest.mark.parametrize("name", GROUNDED)
def test_what_the_user_typed_stands_behind_what_the_agent_saves(
    make: Callable[[str], Client], product: Product, name: str
) -> None:
    """The quote is found in the prompt of its own session, so it takes effect without review (DESIGN section 5)."""
    product.set("agents", receipts="all")

    assert "Saved ^" in save_with_quote(make(name))
    assert "Prefers numbat pictures" in product.run("list")


@pytest.mark.parametrize("name", GROUNDED)
def test_where_nobody_sits_nothing_is_kept_of_a_prompt(
    make: Callable[[str], Client], product: Product, name: str
) -> None:
    """A client that was given its prompt in the call is no proof of what the user wants."""
    assert "Waits for review" in save_with_quote(make(name))
    assert "Prefers numbat pictures" not in product.run("list")
