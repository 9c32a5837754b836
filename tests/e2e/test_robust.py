"""Whatever befalls the store or the hook: the client's turn goes on, and the model is told nothing that is not ours."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.clients import CLIENTS, Client
from tests.e2e.model_server import Request
from tests.e2e.product import PINNED, PROGRAM, Product, path_without_git

PROMPT = "Say hello to the quokka"
Condition = Callable[[Product], AbstractContextManager[None]]
SLOW_SECONDS = 40
"""More than all hooks of a turn may take together."""


def told(request: Request) -> list[str]:
    """What the model is given but for our block, without what differs from run to run: numbers, dates and ids."""
    whole = "\n".join(request.said()).replace("&lt;", "<").replace("&gt;", ">")
    whole = re.sub(r"<remember-me[ >].*?</remember-me>", "", whole, flags=re.DOTALL)
    lines = (re.sub(r"[0-9a-f]{4,}|\d+", "#", line).strip() for line in whole.splitlines())
    return [line for line in lines if line and line not in BARE]


BARE = ("<hook_context></hook_context>", "<system_reminder>", "</system_reminder>", "<system-reminder>")


@contextmanager
def blocked(product: Product) -> Iterator[None]:
    """The cache is a pipe that nobody writes to."""
    cache = product.own / "cache.sqlite"
    cache.unlink()
    os.mkfifo(cache)
    yield


@contextmanager
def all_pipes(product: Product) -> Iterator[None]:
    """Every file of ours below the notes is a pipe that nobody writes to."""
    for path in [path for path in product.own.iterdir() if path.is_file()]:
        path.unlink()
        os.mkfifo(path)
    yield


@contextmanager
def locked(product: Product) -> Iterator[None]:
    """Others hold every database and lock of the store and do not let go."""
    with ExitStack() as stack:
        for path in product.own.iterdir():
            if path.suffix == ".sqlite":
                held = sqlite3.connect(path, isolation_level=None)
                stack.callback(held.close)
                held.execute("BEGIN EXCLUSIVE")
            elif stat.S_ISREG(path.stat().st_mode) and "lock" in path.name:
                file = stack.enter_context(open(path, "rb+"))
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def damaged(product: Product) -> Iterator[None]:
    """A note holds bytes that are no text and a head without an end."""
    note = product.store / "memory" / "2026-01-05.md"
    note.write_bytes(b"---\ndate: 2026-01-05\n: [\n\xff\xfe\0- FACT: \x1b[31m^zz\n<remember-me>\n")
    yield


@contextmanager
def off(product: Product) -> Iterator[None]:
    """The person has switched it off on this machine."""
    product.set("agents", mode="off")
    yield


@contextmanager
def gone(product: Product) -> Iterator[None]:
    """The store is not there any more."""
    product.store.rename(product.store.with_name("elsewhere"))
    yield


CONDITIONS: tuple[tuple[Condition, bool | None], ...] = (
    (blocked, None), (all_pipes, None), (locked, None), (damaged, True), (off, False), (gone, False),
)  # fmt: skip
"""With each, whether the agent still gets the block; None where it depends on what can be had in time."""


def check(client: Client, before: Request, is_block_there: bool | None = None) -> None:
    """A new session's turn ends well, and but for our block tells the model what it was told before."""
    asked = client.run(PROMPT).ok().asked()
    assert sorted(set(told(asked)) - set(told(before))) == []
    if is_block_there is not None:
        assert (PINNED in asked.text()) is is_block_there


@pytest.mark.parametrize(("condition", "is_block_there"), CONDITIONS, ids=[one.__name__ for one, _ in CONDITIONS])
@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_the_turn_goes_on(
    make: Callable[[str], Client], product: Product, name: str, condition: Condition, is_block_there: bool | None
) -> None:
    client = make(name)
    before = client.run(PROMPT).ok().asked()
    with condition(product):
        check(client, before, is_block_there)


@pytest.mark.parametrize("name", [name for name in CLIENTS if name not in ("claude-code", "codex")])
def test_the_turn_goes_on_in_the_others_where_the_store_is_blocked(
    make: Callable[[str], Client], product: Product, name: str
) -> None:
    client = make(name)
    before = client.run(PROMPT).ok().asked()
    with all_pipes(product):
        check(client, before)


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_the_turn_goes_on_without_git(
    make: Callable[[str], Client], product: Product, name: str, tmp_path: Path
) -> None:
    client = make(name)
    before = client.run(PROMPT).ok().asked()
    client.path = path_without_git(tmp_path / "bin")
    check(client, before, is_block_there=True)


def test_the_turn_goes_on_where_a_hook_takes_long(client: Client, product: Product, tmp_path: Path) -> None:
    """The client gives up on it in the time that `install` has written: no hook comes to its end before the turn."""
    ended = tmp_path / "ended"
    slow = tmp_path / "slow"
    slow.write_text(
        f"#!{sys.executable}\nimport os, sys, time\ntime.sleep({SLOW_SECONDS})\nopen({str(ended)!r}, 'w').close()\n"
        f"os.execv({str(PROGRAM)!r}, sys.argv)\n",
        encoding="utf-8",
    )
    slow.chmod(0o755)
    assert product.replace_in_settings(str(PROGRAM), str(slow)) >= 1

    turn = client.run(PROMPT).ok()

    assert not ended.exists()
    assert "<remember-me" not in turn.asked().text()
