"""The product writes a note of each kind, something damages its file, and every command goes on.

The damages are those of `mutate.py` of the cases: what editors, sync clients and hands do to a file.
"""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.support import ROUNDS, add, insertion, known, like, put, sound
from tests.cli_runner import Cli, bytes_of, git
from tests.shared import shared_path

BOM = b"\xef\xbb\xbf"


def behind_the_opening(line: str) -> Callable[[bytes], bytes]:
    """Put a line behind the `---` that opens the front matter, where there is one."""

    def damaged(data: bytes) -> bytes:
        if not data.removeprefix(BOM).startswith(b"---"):
            return line.encode() + b"\n" + data
        at = data.index(b"\n") + 1
        return data[:at] + line.encode() + b"\n" + data[at:]

    return damaged


def crlf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "bom": lambda data: BOM + data,
    "crlf": crlf,
    "bom+crlf": lambda data: BOM + crlf(data),
    "nfd": lambda data: unicodedata.normalize("NFD", data.decode()).encode(),
    "latin1": lambda data: data.decode().encode("latin-1", "replace"),
    "dupkey=title:Other": behind_the_opening("title: Other"),
    "dupkey=id:zzz111": behind_the_opening("id: zzz111"),
    "addkey=mood: ok # mine": behind_the_opening("mood: ok # mine"),
    "addkey=- a list": behind_the_opening("- a list"),
    "badyaml": behind_the_opening("broken: Deploy: use C:\\x `y` *z"),
    "strip-fm": lambda data: data.split(b"\n---\n", 1)[-1],
    "hr-start": lambda data: b"---\n\nKEEP ME first paragraph\n\n---\n\n" + data,
    "second-fm": lambda data: b"---\npermalink: x/y\n---\n\n" + data,
    "conflict": lambda data: data + b"\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n",
    "no-final-newline": lambda data: data.rstrip(b"\r\n"),
    "trailing-blank": lambda data: data + b"\n\n\n",
    "append=\n```\nopen": lambda data: data + b"\n```\nopen",
    "append=\n<!-- open": lambda data: data + b"\n<!-- open",
    "truncate=60": lambda data: data[:60],
    "truncate=5": lambda data: data[:5],
    "empty": lambda data: b"",
}
"""An operation of mutate.py with its argument, and what it does to the bytes."""

LOSES_ENTRIES = {
    "strip-fm",
    "hr-start",
    "second-fm",
    "truncate=60",
    "truncate=5",
    "empty",
    "dupkey=id:zzz111",
    "addkey=- a list",
}
"""Damages after which a note may hold no entry under the id that the product gave."""


LONG_TERM = "# Facts\n\n- [2026-03-01 09:00 +01:00] FACT: Lives in Zürich ^mem001\n\n  More of it.\n\n# Questions\n"


@pytest.fixture(scope="module")
def written(preparing: Cli) -> dict[str, str]:
    """Path to the id of an entry in it: a daily, a topic and a long-term note that the product wrote."""
    add(preparing, "Café opens: at ten", "--tag", "FACT", "--impact", "2")
    file = preparing.store.parent / "topic.md"
    file.write_text("Zoé's notes.\n\nA second paragraph.\n", encoding="utf-8")
    preparing.ok("add", "--quiet", "--tag", "PREFERENCE", "--title", "Likes café", "--file", str(file))
    put(preparing, "MEMORY.md", LONG_TERM)
    preparing.ok("pin", "mem001")
    found = {row["note"]: row["id"] for row in preparing.json("list")}
    assert len(found) == 3
    return found


@pytest.fixture
def notes(cli: Cli, preparing: Cli, written: dict[str, str]) -> dict[str, str]:
    """The same, in a copy of that store."""
    like(preparing, cli)
    return written


def some_of(notes: dict[str, str], damage: str) -> dict[str, str]:
    """Which of the three notes to correct: with three rounds all of them, by default another one for each damage."""
    number = ([*DAMAGES, damage].index(damage)) % 3
    return dict(list(notes.items())[number : number + 1]) if ROUNDS < 3 else notes


def go_on(cli: Cli, notes: dict[str, str], damage: str) -> None:
    """Run list, get, add, correct and undo, and check that nothing of the damaged notes is lost by them."""
    damaged = bytes_of(cli.store)
    standing = {row["id"] for row in known(cli.run("list", "--all", "--json")).json()}
    if damage not in LOSES_ENTRIES:
        assert set(notes.values()) <= standing
    for entry in some_of(notes, damage).values():
        assert known(cli.run("get", entry)).code == (0 if entry in standing else 3)
    assert bytes_of(cli.store) == damaged

    done = known(cli.run("add", "--quiet", "--tag", "FACT", "a new one"))
    assert done.code == 0
    after = bytes_of(cli.store)
    for path in notes:
        added = insertion(damaged[path], after[path])
        assert (done.out.strip().encode() in added) == (path.startswith("memory/2"))
    for path, entry in some_of(notes, damage).items():
        before = bytes_of(cli.store)
        done = known(cli.run("correct", "--json", entry, "corrected words"))
        changed = {name for name, data in bytes_of(cli.store).items() if data != before[name]}
        assert done.code == (0 if entry in standing else 3) or (done.code == 7 and path == "memory/topic.md")
        assert changed == ({path} if done.code == 0 else set())
        if done.code == 0:
            assert (done.json()["id"], done.json()["title"]) == (entry, "corrected words")
            cli.ok("undo")
        assert bytes_of(cli.store) == before
    cli.ok("undo")
    assert bytes_of(cli.store) == damaged
    for path in notes:
        assert git(cli.store, "show", f"HEAD:{path}").encode("utf-8", "surrogateescape") == damaged[path]
    sound(cli)


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damage_is_survived(cli: Cli, notes: dict[str, str], damage: str) -> None:
    for path in notes:
        file = cli.store / path
        file.write_bytes(DAMAGES[damage](file.read_bytes()))
    go_on(cli, notes, damage)


@pytest.mark.parametrize("damage", DAMAGES)
def test_our_damages_are_those_of_the_script(tmp_path: Path, damage: str) -> None:
    script = shared_path("cases", "mutate.py")
    file = tmp_path / "note.md"
    data = "---\nid: mem001\ntag: FACT\ntitle: Café\n---\n\nA body, long enough to be cut somewhere.\n".encode()
    file.write_bytes(data)
    subprocess.run([sys.executable, str(script), damage, str(file)], check=True, timeout=60)
    assert file.read_bytes() == DAMAGES[damage](data)


def test_several_damages_at_once(cli: Cli, notes: dict[str, str]) -> None:
    for path in notes:
        file = cli.store / path
        for damage in ("badyaml", "bom+crlf", "conflict", "no-final-newline"):
            file.write_bytes(DAMAGES[damage](file.read_bytes()))
    go_on(cli, notes, "several")
