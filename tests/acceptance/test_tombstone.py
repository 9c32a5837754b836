"""Acceptance, tombstone: what was rejected or forgotten stays away, in any spelling, by any way, however late."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.acceptance.trust import (
    AGENT,
    REFUSED,
    add,
    agent,
    objects_with,
    proposed,
    refusals,
    serving,
    titles,
    trust_no_script,
    trust_scripts_again,
    types,
    waiting,
    written,
)
from tests.cli_runner import Cli, bytes_of

TEXT = "I live in the quagga house"
NEIGHBOUR = "I repair numbat clocks"
WORD = "quagga"


def tombstones(cli: Cli) -> list[str]:
    """The lines of the tombstones."""
    path = cli.store / "memory" / "forgotten.md"
    return [line for line in path.read_text().splitlines() if line.startswith("- ")] if path.exists() else []


def forgotten(cli: Cli, *options: str) -> str:
    """The id of an entry that was here, and that the person ordered to be forgotten."""
    entry = add(cli, TEXT, "--tag", "FACT", *options)
    assert cli.run("forget", entry, "--yes").code == 0
    return entry


def said_by_an_agent(cli: Cli, text: str, message: str, session: str = "s1") -> int:
    """The exit code of an agent's write of what the user typed just now."""
    types(cli, f"{text}.", message, session)
    return cli.run("add", "--tag", "FACT", "--quote", text, "--", text, env=agent(session)).code


@pytest.mark.parametrize("source", ["card", "entry"])
def test_tombstone_laundering(cli: Cli, source: str) -> None:
    """A rejected text, proposed again, by a correction of another entry, reinforced and undone: an agent never gets it
    in; the neighbour is recalled."""
    types(cli, f"{NEIGHBOUR}. I sing at dawn.", "m0")
    neighbour = written(cli, NEIGHBOUR, NEIGHBOUR)["id"]
    other = written(cli, "I sing at dawn", "I sing at dawn")["id"]
    if source == "card":
        rejected = proposed(cli, "add", "--tag", "FACT", TEXT)
    else:
        types(cli, f"{TEXT}.", "m1")
        rejected = written(cli, TEXT, TEXT)["id"]
    cli.ok("restore", rejected)
    (tombstone,) = tombstones(cli)
    assert f"^{rejected} rejected hmac-sha256:" in tombstone
    assert TEXT not in tombstone
    types(cli, f"{TEXT}.", "m2")
    before = bytes_of(cli.store)
    tries: list[tuple[str, ...]] = [
        ("add", "--tag", "FACT", "--quote", TEXT, TEXT),
        ("add", "--tag", "FACT", TEXT),
        ("add", "--tag", "PREFERENCE", "--quote", TEXT, TEXT),
        ("add", "--tag", "HYPOTHESIS", TEXT),
        ("add", "--tag", "FACT", "--supersedes", rejected, "--quote", TEXT, TEXT),
        ("add", "--tag", "FACT", "--scope", "here", "--quote", TEXT, TEXT),
        ("add", "--tag", "FACT", "--anew", "--anyway", "--quote", TEXT, TEXT),
        ("correct", other, TEXT, "--quote", TEXT),
        ("contradict", other, TEXT, "--quote", TEXT),
    ]
    for words in tries:
        done = cli.run(*words, env=AGENT, cwd=cli.store)
        assert done.code == REFUSED, (words, done.out, done.err)
        assert "[rejected]" in done.err
        assert TEXT not in done.out + done.err
    assert refusals(cli)["rejected"] == len(tries)
    assert bytes_of(cli.store) == before
    for words in (("reinforce", rejected, "--quote", TEXT), ("undo",), ("redo",), ("enable", rejected)):
        cli.run(*words, env=AGENT)
        assert TEXT not in titles(cli), words
    assert TEXT not in cli.run("review").out
    assert tombstones(cli) == [tombstone]
    assert serving(cli, WORD) == []
    assert neighbour in cli.ok("index").out
    # The control: it fences agents. The person may say so.
    add(cli, TEXT, "--tag", "FACT")
    assert TEXT in titles(cli)


def test_tombstone_laundering_by_way_of_another_statement(cli: Cli) -> None:
    """Superseded by an agent's other words, then these are corrected back to the rejected ones."""
    types(cli, f"{TEXT}. I live in the numbat house.", "m1")
    rejected = written(cli, TEXT, TEXT)["id"]
    cli.ok("restore", rejected)
    other = written(cli, "I live in the numbat house", "I live in the numbat house")["id"]
    done = cli.run("correct", other, TEXT, "--quote", TEXT, env=AGENT)
    assert done.code == REFUSED
    cli.ok("correct", other, "I live in the bilby house")
    assert cli.run("undo", env=AGENT).code in (0, 3, REFUSED, 7)
    assert serving(cli, WORD) == []
    assert TEXT not in titles(cli)


@pytest.mark.parametrize("kind", ["forgotten", "rejected"])
def test_tombstone_survives_expiry(cli: Cli, kind: str) -> None:
    """Years pass: all decay and maintenance runs, the file in `rejected/` goes, the tombstone stays."""
    if kind == "forgotten":
        forgotten(cli)
    else:
        cli.ok("restore", proposed(cli, "add", "--tag", "FACT", TEXT))
        (kept,) = (cli.store / ".remember-me" / "rejected").glob("*.md")
        old = (datetime.now(UTC) - timedelta(days=900)).timestamp()
        os.utime(kept, (old, old))
    path = cli.store / "memory" / "forgotten.md"
    path.write_text(path.read_text().replace(f"- {datetime.now(UTC).year}", "- 2019"))
    add(cli, NEIGHBOUR, "--tag", "FACT")
    aged = cli.store / "memory" / "2019-01-01.md"
    aged.write_text("- HYPOTHESIS: Seems to dance ^danced\n")
    lines = tombstones(cli)
    assert lines[0].startswith("- 2019")
    for words in (("decay", "--at", "2040-01-01"), ("maintain", "--apply"), ("promote", "--apply"), ("checkin",)):
        assert cli.run(*words).code == 0, words
    assert cli.json("get", "danced")["status"] == "discarded", "the control: maintenance does discard what is due"
    proposed(cli, "add", "--tag", "FACT", "Hums at noon")
    assert not list((cli.store / ".remember-me").glob("rejected/*"))
    for name in ("cache.sqlite", "manifest.json", "state.sqlite"):
        (cli.store / ".remember-me" / name).unlink(missing_ok=True)
    done = cli.run("add", "--tag", "FACT", TEXT, env={} if kind == "forgotten" else AGENT)
    assert (done.code, f"[{kind}]" in done.err, "2019" in done.err) == (REFUSED, True, True)
    assert tombstones(cli) == lines
    assert titles(cli) == [NEIGHBOUR]


LOOK_ALIKES = {
    "case": "I LIVE IN THE Quagga HOUSE",
    "spaces": "I  live\tin the   quagga house ",
    "no-break spaces": "I\u00a0live in\u2009the quagga\u3000house",
    "punctuation": "I live, in the quagga-house!",
    "full width": "Ｉ ｌｉｖｅ ｉｎ ｔｈｅ ｑｕａｇｇａ ｈｏｕｓｅ",
    "zero width": "I live in the qua\u200bgga ho\u2060use\ufeff",
    "soft hyphen": "I live in the quag\u00adga house",
    "tags": "I live in the quagga\U000e0041 house",
    "variation selector": "I live in the quagga\ufe0f house",
    "Cyrillic": "I livе in thе quаggа hоusе",
    "Greek": "I live in the quagga hοuse",
    "mathematical": "𝐈 𝐥𝐢𝐯𝐞 𝐢𝐧 𝐭𝐡𝐞 𝐪𝐮𝐚𝐠𝐠𝐚 𝐡𝐨𝐮𝐬𝐞",
    "several lines": "I live in the\nquagga house",
}
PARAPHRASES = ("My home is the quagga house", "I live in the quagga house since May", "I live in a quagga house")


def test_tombstone_look_alikes(cli: Cli) -> None:
    """Every spelling that reads the same is refused to a person and to an agent, and counted; a paraphrase is another
    statement and passes (the control, and documented)."""
    forgotten(cli)
    for kind, text in LOOK_ALIKES.items():
        done = cli.run("add", "--tag", "FACT", "-", stdin=text)
        assert (done.code, "[forgotten]" in done.err) == (REFUSED, True), (kind, done.out, done.err)
    assert refusals(cli)["forgotten"] == len(LOOK_ALIKES)
    assert titles(cli) == []
    for text in PARAPHRASES:
        add(cli, text, "--tag", "FACT")
    assert titles(cli) == sorted(PARAPHRASES)


@pytest.mark.parametrize("kind", ["Cyrillic", "zero width", "full width", "mathematical", "case"])
def test_tombstone_look_alikes_typed_by_hand(cli: Cli, kind: str) -> None:
    """A hand types it in another spelling: it is not served; a paraphrase beside it is."""
    forgotten(cli)
    note = cli.store / "memory" / "2026-11-01.md"
    note.write_text(f"- FACT: {LOOK_ALIKES[kind]}\n- FACT: {PARAPHRASES[0]}\n")
    assert titles(cli) == [PARAPHRASES[0]]
    assert LOOK_ALIKES[kind] not in cli.ok("index").out + cli.ok("recall").out


@pytest.mark.parametrize("channel", ["agent", "agent, grounded", "script", "person"])
def test_tombstone_reextraction(cli: Cli, channel: str) -> None:
    """The source is fed again, late: the text gets in by nobody, the other thing that it says does."""
    forgotten(cli, "--source", "s-9/u4")
    env = AGENT if channel.startswith("agent") else {}
    if channel == "script":
        trust_no_script(cli)
    if channel == "agent, grounded":
        types(cli, f"{TEXT}. {NEIGHBOUR}.", "m5")
    codes = {}
    for text in (TEXT, NEIGHBOUR):
        quoted = ("--quote", text) if channel == "agent, grounded" else ("--source", "s-9/u4")
        codes[text] = cli.run("add", "--tag", "FACT", *quoted, text, env=env).code
    assert codes == {TEXT: REFUSED, NEIGHBOUR: 5 if channel == "script" else 0}
    assert refusals(cli) == {"forgotten": 1}
    trust_scripts_again(cli)
    found = titles(cli) + [row["entry"]["title"] for row in cli.json("review")]
    assert found == [NEIGHBOUR]
    assert serving(cli, WORD) == []
    assert objects_with(cli, TEXT) == []


def test_tombstone_no_second_unit(cli: Cli) -> None:
    """Fed again and again: no new entry, no card, no new commit; each refusal is counted, neighbours are recalled."""
    add(cli, NEIGHBOUR, "--tag", "FACT")
    forgotten(cli, "--source", "s-9/u4")
    before, log = bytes_of(cli.store), cli.json("log")
    for number in range(3):
        for tag in ("FACT", "PREFERENCE", "GOAL"):
            assert cli.run("add", "--tag", tag, "--source", "s-9/u4", TEXT).code == REFUSED
        assert said_by_an_agent(cli, TEXT, f"m{number}", "s2") == REFUSED
    assert refusals(cli) == {"forgotten": 12}
    assert (bytes_of(cli.store), cli.json("log"), waiting(cli)) == (before, log, [])
    assert list((cli.store / ".remember-me").glob("pending/*")) == []
    assert titles(cli) == [NEIGHBOUR]


def test_tombstone_allows_what_the_person_says_anew(cli: Cli) -> None:
    """Not unless asked for; then it is an entry of a new id, and survives the next write."""
    entry = forgotten(cli)
    assert cli.run("add", "--tag", "FACT", TEXT).code == REFUSED
    anew = add(cli, TEXT, "--tag", "FACT", "--anew")
    assert anew != entry
    add(cli, NEIGHBOUR, "--tag", "FACT")
    assert titles(cli) == sorted([TEXT, NEIGHBOUR])
    assert [line.split()[3] for line in tombstones(cli)] == ["forgotten", "allowed"]
    # Forgotten once more, it is gone once more.
    assert cli.run("forget", anew, "--yes").code == 0
    assert cli.run("add", "--tag", "FACT", TEXT).code == REFUSED
    assert titles(cli) == [NEIGHBOUR]


def test_tombstone_of_a_restored_entry_leaves_the_persons_own(cli: Cli) -> None:
    """The person said the same for one project; what an agent wrote for everywhere is restored, and only that."""
    own = add(cli, TEXT, "--tag", "FACT", "--scope", "example.org/ada/alpha")
    types(cli, f"{TEXT}.", "m1")
    theirs = written(cli, TEXT, TEXT)["id"]
    assert own != theirs
    cli.ok("restore", theirs)
    assert [row["id"] for row in cli.json("list")] == [own]


def test_tombstone_key_is_private(cli: Cli) -> None:
    """The key is 0600 and in no git; another key gives another hash, so nobody can try texts against the file."""
    forgotten(cli)
    key = cli.store / ".remember-me" / "key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert len(bytes.fromhex(key.read_text())) == 32
    assert objects_with(cli, key.read_text()) == []
    first = tombstones(cli)[0].rpartition("hmac-sha256:")[2]
    key.write_text("00" * 32)
    other = Path(cli.store / "memory" / "forgotten.md").read_text()
    assert first in other
    assert cli.run("add", "--tag", "FACT", TEXT).code == 0, (
        "another key knows no text; ids and sources are still fenced"
    )
