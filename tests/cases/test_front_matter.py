"""B01, B03, B05, B07, B09, B12: front matter is read as words, and changed by the characters of one value."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.cases.support import add, failed, ids, insertion, known, numstat, problems, put, sampled, sound, today, topic
from tests.cli_runner import Cli, bytes_of
from tests.shared import shared_path

WORDS = (
    "no", "on", "yes", "off", "y", "N", "True", "null", "~", "0123", "0x1F", "1e3", "1_000", "12:30", "2026-03-01",
    "2026-03-01T23:30:00-05:00", "2026-03-01T23:30:00Z", "2026-03-01 09:05:00", ".inf", "=", "<<",
)  # fmt: skip
"""What a YAML 1.1 reader makes booleans, numbers, dates or nothing of."""


def test_b01_words_stay_words(cli: Cli) -> None:
    """`search` and a mode that stops `add` are later issues: here the words of a note, its title and its id."""
    keys = "".join(f"k{number}: {word}\n" for number, word in enumerate(WORDS))
    note = put(cli, "memory/country.md", topic("mn0001", "no", more=f"tags: [no, on, yes, off, y]\n{keys}"))
    before = note.read_bytes()
    shown = cli.ok("get", "mn0001").out
    assert "  tags: no, on, yes, off, y\n" in shown
    for number, word in enumerate(WORDS):
        assert f"\n  k{number}: {word}\n" in shown
    assert cli.json("get", "mn0001")["title"] == "no"
    cli.ok("pin", "mn0001")
    assert insertion(before, note.read_bytes()) == b"pinned: true\n"
    cli.ok("undo")
    assert note.read_bytes() == before


@pytest.mark.parametrize("word", sampled(["off", "2026-03-01", "0123", "~", "a: b", "#x", "'q", "[x]"]))
def test_b01_a_word_that_is_written_reads_back(cli: Cli, word: str) -> None:
    import yaml

    note = put(cli, "memory/word.md", topic("mn0002", "before"))
    row = cli.json("correct", "mn0002", "--", word)
    assert row["title"] == word
    assert yaml.safe_load(note.read_text().split("---\n")[1])["title"] == word or word == "2026-03-01"
    assert numstat(cli) == [(1, 1, "memory/word.md")]


def test_b03_dates_stay_the_strings_that_were_written(cli: Cli) -> None:
    """`export` and `decay` are later issues; `list` compares and sorts dates of every kind today."""
    keys = (
        "created: 2026-03-01\nlast_reinforced: 2026-03-01T23:30:00-05:00\nseen: 2026-03-01T23:30:00Z\n"
        "local: 2026-03-01 09:05:00\nsince: 2026-03-01T23:30:00Z\n"
    )
    note = put(cli, "memory/trip.md", topic("mdt001", "Trip", more=keys, tag="GOAL"))
    put(cli, "memory/2026-03-01.md", "- [09:05] FACT: no offset ^mdt002\n- [09:05 -05:00] FACT: offset ^mdt003\n")
    put(cli, "MEMORY.md", "- [2026-03-01 09:05 Z] FACT: zulu ^mdt004\n- [2026-03-01] FACT: date alone ^mdt005\n")
    before = note.read_bytes()
    shown = cli.ok("get", "mdt001").out
    for line in keys.splitlines():
        assert f"  {line}\n" in shown
    assert cli.json("get", "mdt001")["created_at"] == "2026-03-01"
    found = cli.json("list", "--since", "2026-03-01")
    assert {row["id"] for row in found} == {"mdt001", "mdt002", "mdt003", "mdt004", "mdt005"}
    assert cli.json("list", "--since", "2026-03-02") == []
    cli.ok("disable", "mdt001")
    assert insertion(before, note.read_bytes()) == b"status: disabled\n"


COMMENTED = (
    "---\n# hand-written, keep\ntitle: \"Quoted on purpose\"   # trailing remark\nid: 'mrt001'\ntag: PREFERENCE\n"
    "zeta: 1\nimpact: 1\nalpha: 2\n\n# section two\npinned: false\n---\n\nLikes short answers.\n"
)


CHANGES = [
    (("pin", "mrt001"), "pinned: false\n", "pinned: true\n"),
    (("correct", "mrt001", "New: words"), '"Quoted on purpose"   #', '"New: words"   #'),
    (("disable", "mrt001"), "pinned: false\n", "pinned: false\nstatus: disabled\n"),
    (("correct", "mrt001", "A\nB"), "Likes short answers.\n", "A\nB\n"),
]


@pytest.mark.parametrize("form", ["lf", "crlf", "bom", "no final newline"])
def test_b05_one_value_is_changed_and_no_other_byte(cli: Cli, form: str) -> None:
    def as_saved(text: str) -> bytes:
        text = text.removesuffix("\n") if form == "no final newline" else text
        data = text.replace("\n", "\r\n").encode() if form == "crlf" else text.encode()
        return b"\xef\xbb\xbf" + data if form == "bom" else data

    note = put(cli, "memory/quoted.md", as_saved(COMMENTED))
    for words, old, new in CHANGES if form == "lf" else CHANGES[::3]:
        cli.ok(*words)
        wanted = COMMENTED.replace(old, new)
        if words[-1] == "A\nB":
            wanted = wanted.replace('"Quoted on purpose"', "A")
        assert note.read_bytes() == as_saved(wanted)
        cli.ok("undo")
        assert note.read_bytes() == as_saved(COMMENTED)
    sound(cli)


HAND_WRITTEN = {
    "no front matter": "# Sunday\n\nWrote this by hand.\n\n- bought bread\n",
    "own front matter": "---\ncssclass: daily\nmood: ok\n---\n\n# Monday\n\nMy own front matter.\n",
    "empty": "",
    "blank": "\n\n",
    "no final newline": "# Sunday\n\n- bought bread",
    "empty front matter": "---\n---\n",
    "front matter alone": "---\nmood: ok\n---",
    "a rule first": "---\n\nKEEP ME first paragraph\n\n---\n\nmore\n",
    "open fence": "# Sunday\n\n```\ncode\n",
    "open comment": "# Sunday\n\n<!-- later\n",
    "open list": "- milk\n- eggs\n  - brown",
    "open table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "setext": "Sunday\n------\ntext\n---",
    "toml front matter": "+++\nmood = 'ok'\n+++\n\ntext\n",
    "closed by dots": "---\nmood: ok\n...\n\ntext\n",
}


@pytest.mark.parametrize("name", sampled(HAND_WRITTEN))
def test_b07_a_hand_written_daily_note_keeps_every_byte(cli: Cli, name: str) -> None:
    """`index` is a later issue: `list` and `get` find both entries."""
    note = put(cli, f"memory/{today(cli)}.md", HAND_WRITTEN[name])
    before = note.read_bytes()
    first = add(cli, "Drinks oat milk")
    after = note.read_bytes()
    added = insertion(before, after).decode()
    assert re.fullmatch(rf"\n*- \[[^]]+\] \w+: Drinks oat milk \^{first}\n+", added), added
    assert after.count(b"---") == before.count(b"---")
    assert b"{}" not in after
    cli.ok("undo")
    assert note.read_bytes() == before


def test_b07_two_entries_behind_what_was_written_by_hand(cli: Cli) -> None:
    texts = [HAND_WRITTEN[name] for name in ("no front matter", "own front matter", "open fence")]
    for text in texts:
        note = put(cli, f"memory/{today(cli)}.md", text)
        entries = [add(cli, "Drinks oat milk"), add(cli, "Drinks tea")]
        added = insertion(text.encode(), note.read_bytes()).decode()
        assert re.fullmatch(r"\n*- .*: Drinks oat milk \^\w+\n\n- .*: Drinks tea \^\w+\n+", added), added
        assert ids(cli) == sorted(entries)
    sound(cli)


REPEATED_TOPIC = (
    "---\nid: mdp001\ntitle: Editor\ntag: FACT\nimpact: 1\ntags: [a]\npinned: false\n"
    "tag: HYPOTHESIS\nimpact: 3\ntags: [b]\npinned: true\ntitle: Other\n---\n\nUses Helix.\n"
)
REPEATED_DAILY = (
    "- FACT: Editor ^mdp001\n  - impact: 1\n  - tags: a\n  - pinned: false\n"
    "  - impact: 3\n  - tags: b\n  - pinned: true\n"
)


def test_b09_the_first_of_a_repeated_key_counts_and_it_is_reported(cli: Cli) -> None:
    put(cli, "memory/editor.md", REPEATED_TOPIC)
    put(cli, "memory/fine.md", topic("mfn001", "Healthy note"))
    found = cli.json("get", "mdp001")
    assert (found["tag"], found["impact"], found["pinned"], found["title"]) == ("FACT", 1, False, "Editor")
    assert "  tags: a\n" in cli.ok("get", "mdp001").out
    assert problems(cli) == [
        f"memory/editor.md:{line}: {key} stands twice in the front matter; the first one counts"
        for line, key in ((8, "tag"), (9, "impact"), (10, "tags"), (11, "pinned"), (12, "title"))
    ]
    assert ids(cli) == ["mdp001", "mfn001"]


@pytest.mark.parametrize(
    ("path", "text", "words", "key"),
    [
        ("memory/editor.md", REPEATED_TOPIC, ("pin", "mdp001"), "pinned"),
        ("memory/editor.md", REPEATED_TOPIC, ("unpin", "mdp001"), "pinned"),
        ("memory/editor.md", REPEATED_TOPIC, ("correct", "mdp001", "New"), "title"),
    ],
)
def test_b09_a_repeated_key_of_a_topic_note_is_never_changed(
    cli: Cli, path: str, text: str, words: tuple[str, ...], key: str
) -> None:
    put(cli, "memory/fine.md", topic("mfn001", "Healthy note"))
    note = put(cli, path, text)
    done = cli.run(*words)
    assert done.code == 7
    assert done.err.startswith(f"Error: {path} was left as it is: {key} stands twice in ")
    assert "Hint: Mend the note with" in done.err
    assert note.read_text() == text
    cli.ok("pin", "mfn001")


@pytest.mark.parametrize("path", ["memory/2026-03-01.md", "MEMORY.md"])
def test_b09_to_take_a_repeated_field_away_leaves_no_second_one_to_count(cli: Cli, path: str) -> None:
    note = put(cli, path, REPEATED_DAILY)
    cli.ok("pin", "mdp001")
    assert note.read_text() == REPEATED_DAILY.replace("pinned: false", "pinned: true")
    cli.ok("unpin", "mdp001")
    assert note.read_text() == "".join(line for line in REPEATED_DAILY.splitlines(True) if "pinned" not in line)
    assert cli.json("get", "mdp001")["pinned"] is False
    cli.ok("undo")
    cli.ok("undo")
    assert note.read_text() == REPEATED_DAILY


@pytest.mark.parametrize(
    ("path", "text", "words", "changed"),
    [
        ("memory/editor.md", REPEATED_TOPIC, ("disable", "mdp001"), b"status: disabled\n"),
        ("memory/2026-03-01.md", REPEATED_DAILY, ("disable", "mdp001"), b"  - status: disabled\n"),
    ],
)
def test_b09_another_key_of_such_a_note_may_change(
    cli: Cli, path: str, text: str, words: tuple[str, ...], changed: bytes
) -> None:
    note = put(cli, path, text)
    cli.ok(*words)
    assert insertion(text.encode(), note.read_bytes()) == changed


ODD_KEYS = 'content: summary text\nhandler: me\non: push\n1: one\n2026-01-01: new year\nyes: [a, no]\n"quoted key": v\n'


def test_b12_harmless_keys_are_the_persons(cli: Cli) -> None:
    note = put(cli, "memory/keys.md", topic("mky001", "Has odd keys", "Body.", more=ODD_KEYS))
    before = note.read_bytes()
    shown = cli.ok("get", "mky001").out
    for line in ("content: summary text", "handler: me", "on: push", "1: one", "2026-01-01: new year", "yes: a, no"):
        assert f"\n  {line}\n" in shown
    cli.ok("pin", "mky001")
    assert insertion(before, note.read_bytes()) == b"pinned: true\n"
    assert problems(cli) == []


NO_MAPPING = {
    "a list": ("---\n- milk\n- eggs\n---\n\nBody.\n", "2: the block between the --- lines is no list of keys"),
    "a sentence": ("---\njust one sentence\n---\n\nBody.\n", "2: the block between the --- lines is no list of keys"),
    "never closed": ("---\nid: mky004\ntag: FACT\ntitle: x\n\nBody.\n", "1: the front matter is never closed"),
}
"""A block that was meant as front matter, and what is said of it."""


@pytest.mark.parametrize(("kind", "name"), sampled(itertools.product(("daily", "topic", "long-term"), NO_MAPPING)))
def test_b12_a_block_that_is_no_mapping_is_text_and_reported(cli: Cli, name: str, kind: str) -> None:
    text, reason = NO_MAPPING[name]
    path = {"daily": f"memory/{today(cli)}.md", "topic": "memory/block.md", "long-term": "MEMORY.md"}[kind]
    note = put(cli, path, text)
    state = cli.json("status")
    assert state["entries"] == 0
    assert [f"{row['path']}:{row['line']}: {row['reason']}" for row in state["problems"]] == [
        f"{path}:{reason}; read as text"
    ]
    new = add(cli, "x")
    if kind == "daily":
        assert new.encode() in insertion(text.encode(), note.read_bytes())
    else:
        assert note.read_text() == text


@pytest.mark.parametrize(
    "text",
    [
        '{\n"id": "mky006", "looks": "like JSON front matter"\n}\n\nBody: pasted API answer.\n',
        "---\n\nA rule and not a block.\n\n---\n\nmore\n",
        "--- x\na: b\n---\n",
        "---\n# only a comment\n---\n\nBody.\n",
        "----\na: b\n----\n",
    ],
)
def test_b12_what_never_was_a_block_is_plain_text(cli: Cli, text: str) -> None:
    """Nothing to report: no reader of front matter would look for one here."""
    note = put(cli, f"memory/{today(cli)}.md", text)
    put(cli, "memory/other.md", text)
    assert problems(cli) == []
    new = add(cli, "x")
    assert new.encode() in insertion(text.encode(), note.read_bytes())
    assert ids(cli) == [new]


CASES = [("B01", 1), ("B03", 1), ("B05", 1), ("B07", 0), ("B09", 2), ("B12", 3), ("B36", 4)]


@pytest.mark.parametrize(("case", "entries"), CASES)
def test_the_inputs_of_the_case(cli: Cli, case: str, entries: int) -> None:
    """The hostile bytes as topic notes: their ids get our alphabet and `type` becomes `tag`, all else stays."""
    for source in sorted(shared_path("cases", "inputs", case).glob("2026-*.md")):
        text = source.read_text(encoding="utf-8")
        text = re.sub(
            r"^(id: ['\"]?)m-(\w+)", lambda m: m[1] + m[2].replace("u", "v").replace("o", "0") + "xx", text, flags=re.M
        )
        text = re.sub(r"^type:", "tag:", text, flags=re.M)
        if "\nid:" in text and "tag:" not in text:
            text = text.replace("\nid:", "\ntag: FACT\nid:", 1)
        put(cli, f"memory/case-{source.name}", text)
        put(cli, f"memory/{source.name}", source.read_bytes())
    before = bytes_of(cli.store)
    found = ids(cli)
    assert len(found) == entries
    for entry in found:
        assert known(cli.run("disable", entry)).code in (0, 7)
    after = bytes_of(cli.store)
    for path, data in before.items():
        assert insertion(data, after[path]) in (b"", b"status: disabled\n")
    for _ in found:
        known(cli.run("undo"))
    assert bytes_of(cli.store) == before
    add(cli, "a write that commits the rest")
    sound(cli)


def test_a_foreign_id_is_reported_and_the_note_is_served(cli: Cli) -> None:
    put(cli, "memory/foreign.md", topic("m-no01", "Other tool"))
    (entry,) = cli.json("list")
    assert entry["id"].startswith("u-")
    assert problems(cli) == [f"memory/foreign.md:2: m-no01 is no id; served under {entry['id']}"]
    failed(cli.run("get", "m-no01"), 3, "There is no entry m-no01.")
