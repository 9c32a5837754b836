"""Whatever a client sends, each adapter answers with one object in its form or with nothing."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from remember_me.hook.main import Call, answer
from tests.cli_runner import Cli
from tests.hook.support import CLIENTS, EVENTS, context_of, document

ROUNDS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "150"))
"""Documents for each adapter; 10,000 were run by hand."""

_ODD = (
    None, True, -1, 10**400, 1e308, float("nan"), "", "\0", "\ud800", "../..", "x" * 70_000, [], {}, [[[]]],
    {"a": {"b": []}}, "<remember-me>", "</remember-me>", "trains of platform 3", "\u202e\u200b",
    "remember that I work in Lisbon",
)  # fmt: skip


def documents(client: str, event: str, cwd: Path, dice: random.Random) -> bytes:
    """One document: of the client's own shape with odd values, cut, mangled, or nothing of the kind."""
    kind = dice.randrange(6)
    if kind == 0:
        return dice.randbytes(dice.randrange(200))
    if kind == 1:
        return b"[" * dice.choice([1, 50, 5_000]) + b'{"a":' * dice.choice([0, 1, 5_000])
    found: dict[str, object] = document(client, event, cwd)
    for _ in range(dice.randrange(4)):
        key = dice.choice([*found, "prompt", "session_id", "cwd", "trigger", "unknown"])
        found[key] = dice.choice([*_ODD, document(client, event, cwd)])
    data = json.dumps(found).encode()
    if kind == 2:
        return data[: dice.randrange(len(data))]
    if kind == 3:
        place = dice.randrange(len(data))
        return data[:place] + dice.randbytes(3) + data[place:]
    return data + dice.choice([b"", b"\n", b" {}", b"\xff"])


@pytest.fixture
def stdin() -> Iterator[object]:
    """Give bytes to the process as its standard input."""
    kept = os.dup(0)

    def give(data: bytes) -> None:
        reader, writer = os.pipe()
        os.dup2(reader, 0)
        os.close(reader)

        def write() -> None:
            with os.fdopen(writer, "wb") as file:
                file.write(data)

        threading.Thread(target=write).start()

    yield give
    os.dup2(kept, 0)
    os.close(kept)


@pytest.mark.parametrize("client", CLIENTS)
def test_any_document_at_all(cli: Cli, work: Path, client: str, stdin, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(f"{client} 7")
    monkeypatch.setattr("remember_me.hook.events.run_detached", lambda store, cwd, words: None)
    spoke = 0
    for _ in range(ROUNDS):
        event = dice.choice([*EVENTS, "session-start", "prompt"])
        data = documents(client, event, work, dice)
        stdin(data)
        out = answer(Call(["--store", str(cli.store), client, event]), time.monotonic())
        told = context_of(client, event, out.decode())
        assert not told or (told.startswith("<remember-me") and told.endswith("</remember-me>\n"))
        assert told.count("<remember-me") == told.count("</remember-me>") <= 1
        spoke += bool(told)
    assert spoke
