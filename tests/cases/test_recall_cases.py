"""B15, B18, B45, B47 for the commands that agents read with: index, search, recall, tokens.

What `list`, `get` and the writes do with the same inputs is in test_encoding, test_terminal and test_streams. `export`,
`hook` and `forget --match`, which the cases name as well, are later issues.
"""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Literal

import pytest

from tests.cases.support import MARKUP_LINES, add, in_shell, like, put, sound, today, topic
from tests.cases.terminal import on_terminal, width
from tests.cli_runner import Cli, bytes_of
from tests.shared import shared_path

READS: dict[str, tuple[str, ...]] = {
    "index": ("index", "--tokens", "10000"),
    "search": ("search", "words", "notepad", "typed"),
    "recall": ("recall", "--prompt", "the words of notepad", "--tokens", "10000"),
    "tokens": ("tokens", "--top", "100"),
}
COLOURFUL = {
    "FORCE_COLOR": "1",
    "NO_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
}


def windows(text: str) -> bytes:
    """The text as Notepad saves it."""
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()


# B15, B18: encodings


def test_b15_what_notepad_saved_is_read_and_stays(cli: Cli) -> None:
    put(
        cli,
        "memory/win.md",
        windows(topic("mrc001", "Notepad note", "Typed in Notepad.\nSecond line.", more="impact: 2\n")),
    )
    put(
        cli,
        "MEMORY.md",
        windows("# Long-term memory\n\n- PREFERENCE: notepad words ^mrc002\n  - pinned: true\n\n  A body.\n"),
    )
    put(
        cli,
        "memory/2026-01-01.md",
        windows("- [10:00] FACT: typed first ^mrc003\n\n  with notepad\n\nProse of notepad.\n"),
    )
    before = bytes_of(cli.store)
    for name, words in READS.items():
        shown = cli.ok(*words).out
        for entry in ("mrc001", "mrc002", "mrc003"):
            assert entry in shown, name
        assert "\r" not in shown
        assert "\\r" not in shown
        assert "\ufeff" not in shown
        assert "\\ufeff" not in shown
    block = cli.ok("recall", "--prompt", "what did the notepad note say?").out
    assert "    A body.\n" in block
    hits = {hit["id"]: hit for hit in cli.json("search", "notepad")}
    assert hits["mrc001"]["note"] == "memory/win.md"
    assert hits[None]["note"] == "memory/2026-01-01.md"
    assert bytes_of(cli.store) == before


def test_b15_the_inputs_of_the_case(cli: Cli) -> None:
    source = shared_path("cases", "inputs", "B15")
    data = (source / "2026-03-01.md").read_bytes().replace(b"id: m-bm01", b"id: mbm01x").replace(b"type:", b"tag:")
    put(cli, "memory/win.md", data)
    put(cli, "MEMORY.md", (source / "MEMORY.md").read_bytes())
    assert "mbm01x" in cli.ok("index").out
    assert "mbm01x" in cli.ok("search", "Windows").out
    assert "mbm01x" in cli.ok("recall").out


def test_b15_notes_that_cannot_be_read_hide_no_other(cli: Cli) -> None:
    """UTF-16 is reported by `status`; bytes that are no UTF-8 are served with a mark in their place."""
    put(cli, "memory/wide.md", topic("mrc004", "wide words").encode("utf-16"))
    put(cli, "memory/latin.md", topic("mrc005", "caf\xe9 words", "na\xefve").encode("latin-1"))
    put(cli, "memory/fine.md", topic("mrc006", "fine words"))
    for name, words in READS.items():
        shown = cli.ok(*words).out
        assert "mrc004" not in shown, name
        assert "mrc006" in shown, name
        assert "mrc005" in shown, name
        assert "caf\ufffd words" in shown or "caf\\udce9 words" in shown, name
        json.loads(cli.ok("--json", *words).out)


Form = Literal["NFC", "NFD"]
FORMS: tuple[Form, ...] = ("NFC", "NFD")


@pytest.mark.parametrize("form", FORMS)
def test_b18_either_spelling_finds_both(cli: Cli, form: Form) -> None:
    put(cli, "memory/a.md", topic("mrc007", unicodedata.normalize("NFC", "Café Zoé is closed")))
    put(cli, "memory/b.md", topic("mrc008", unicodedata.normalize("NFD", "Café Zoé is closed")))
    put(cli, "memory/c.md", topic("mrc009", "The bakery is open"))
    query = unicodedata.normalize(form, "Café")
    before = bytes_of(cli.store)
    assert {hit["id"] for hit in cli.json("search", query)} == {"mrc007", "mrc008"}
    assert {hit["id"] for hit in cli.json("search", query.casefold(), "--limit", "2")} == {"mrc007", "mrc008"}
    block = cli.json("recall", "--prompt", f"is the {unicodedata.normalize(form, 'Café Zoé')} closed today?")
    assert {"mrc007", "mrc008"} <= set(block["full"])
    assert "mrc009" not in block["full"]
    assert bytes_of(cli.store) == before


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", ["index", "search", "recall", "tokens"])
def test_b18_a_scope_is_one_word_in_either_spelling(cli: Cli, form: Form, command: str) -> None:
    for entry, spelled in zip(("mrc010", "mrc011"), FORMS, strict=True):
        scope = unicodedata.normalize(spelled, "café")
        put(cli, f"memory/{entry}.md", topic(entry, f"typed {entry}", more=f"scope: {scope}\n"))
    put(cli, "memory/other.md", topic("mrc012", "typed elsewhere", more="scope: other\n"))
    shown = cli.ok(*READS[command], "--scope", unicodedata.normalize(form, "café")).out
    assert "mrc012" not in shown
    assert "mrc010" in shown
    assert "mrc011" in shown


# B45: stored text is never markup
SEARCHES = {
    "[/INST]": 1, "[tabs]": 0, "[[Project": 2, ":rocket:": 3, "[/link]": 4, "[/bold]": 5, "{braces}": 6,
    "日本語": 7, "boxes": 8,
    "می‌خواهم": 9,
}  # fmt: skip
"""A query, and the number of the line that must come first."""
HIDDEN = "red\x1b[31m bell\x07 c1\x9b31m bidi\u202eevil zero\u200bwidth tag\U000e0041 end"


@pytest.fixture(scope="module")
def prepared(preparing: Cli) -> dict[str, str]:
    return {add(preparing, line, "--tag", "FACT"): line for line in MARKUP_LINES}


@pytest.fixture
def entries(cli: Cli, preparing: Cli, prepared: dict[str, str]) -> dict[str, str]:
    """The id of each line, in a copy of the store with all of them."""
    like(preparing, cli)
    return prepared


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_b45_every_line_shows_as_typed(cli: Cli, entries: dict[str, str]) -> None:
    for words in (("index",), ("recall",), ("tokens", "--top", "100"), ("tokens", "--json", "--top", "100")):
        shown = cli.ok(*words).out
        for entry, line in entries.items():
            assert entry in shown
            assert (json.dumps(line, ensure_ascii=False)[1:-1] if "--json" in words else line) in shown, words
    found = json.loads(cli.ok("index", "--json").out)["text"]
    for entry, line in entries.items():
        assert f"{entry} FACT {line}\n" in found


def test_b45_every_line_is_found_by_what_it_says(cli: Cli, entries: dict[str, str]) -> None:
    names = list(entries)
    for query, number in SEARCHES.items():
        first = cli.ok("search", query).out.splitlines()[0]
        assert first.startswith(f"{names[number]} FACT {MARKUP_LINES[number]} — "), query


@pytest.mark.parametrize(
    "query", ["[/nope]", "[red]x[/red]", ":rocketship:", '"unclosed', "NEAR(a b)", "a* OR col:b", "%", "'"]
)
def test_b45_a_query_that_finds_nothing_is_said_as_typed(cli: Cli, query: str) -> None:
    done = cli.run("search", query)
    assert (done.code, done.out) == (0, "")
    shown = on_terminal(cli, "search", query, columns=200)
    assert shown.code == 0
    for text in (done.err, shown.text):
        assert query.replace("'", "") in text.replace("'", "")


@pytest.mark.parametrize("columns", [40, 200])
def test_b45_on_a_terminal(cli: Cli, entries: dict[str, str], columns: int) -> None:
    """Nothing is lost or marked up; the list of hits fits the terminal."""
    for words in (("index",), ("recall",), ("tokens", "--top", "100")):
        shown = on_terminal(cli, *words, columns=columns)
        assert shown.code == 0
        for line in entries.values():
            assert squeezed(line) in squeezed(shown.text), words
    for query, number in SEARCHES.items():
        shown = on_terminal(cli, "search", query, columns=columns)
        assert shown.code == 0
        assert max(width(line) for line in shown.lines) <= columns, shown.text
        assert squeezed(MARKUP_LINES[number]) in squeezed(shown.text), shown.text


def test_b45_hidden_characters_show_as_escapes(cli: Cli) -> None:
    add(cli, f"{HIDDEN}\n\n{HIDDEN} body", "--tag", "FACT", "--description", HIDDEN, "--pin")
    calls = (
        ("index",),
        ("search", "evil"),
        ("recall", "--prompt", HIDDEN),
        ("tokens",),
        ("search", HIDDEN),
        ("index", "--at"),
    )
    for words in calls:
        more = (today(cli),) if words[-1] == "--at" else ()
        plain = {"NO_COLOR": "1", "TERM": "dumb"}
        done = cli.run(*words, *more)
        assert done.code == 0, done.err
        for raw in (done.out + done.err, on_terminal(cli, *words, *more, columns=200, environ=plain).raw):
            bad = [c for c in raw if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c not in "\n\r\t\u200c\u200d"]
            assert bad == [], (words, bad)
    assert "red\\x1b[31m bell\\x07" in cli.ok("recall").out


def test_b45_the_lines_of_the_case(cli: Cli) -> None:
    lines = shared_path("cases", "inputs", "B45", "lines.txt").read_text(encoding="utf-8").splitlines()
    found = {add(cli, line, "--tag", "FACT"): line for line in lines}
    listed = cli.ok("index").out
    for entry, line in found.items():
        assert f"{entry} FACT {line}\n" in listed
        hits = cli.ok("search", *line.split()).out
        assert hits.startswith(f"{entry} FACT {line} — ")


# B47: machine output and closed streams


@pytest.mark.parametrize("command", READS)
def test_b47_json_is_plain_in_a_colourful_environment(cli: Cli, command: str) -> None:
    add(cli, "some words ünïcode \U0001f3b5 \x1b[31m", "--tag", "FACT")
    piped = cli.run(*READS[command], "--json", env=COLOURFUL).ok()
    shown = on_terminal(cli, *READS[command], "--json", environ=COLOURFUL, columns=200)
    for raw in (piped.out, shown.raw):
        assert "\x1b" not in raw
    assert json.loads(piped.out) == json.loads(shown.text)
    assert "\x1b" not in cli.run(*READS[command], env=COLOURFUL).ok().out


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_b47_a_reader_that_has_gone_is_no_error(many: Cli, reader: str) -> None:
    calls = (
        "index --tokens 200000",
        "search words --limit 3000",
        "recall --bytes 200000 --tokens 200000",
        "tokens --top 3000",
    )
    for call in (*calls, *(f"{call} --json" for call in calls)):
        codes, out, err = in_shell(many, f"RM {call} | {reader}; echo ${{PIPESTATUS[@]}}")
        assert (call, codes, err) == (call, [0, 0], "")
        assert len(out.splitlines()) == (1 if reader == "head -1" else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is not here")
@pytest.mark.parametrize("command", READS)
def test_b47_a_full_disk_is_said(cli: Cli, command: str) -> None:
    add(cli, "some words", "--tag", "FACT")
    call = " ".join(f"'{word}'" for word in READS[command])
    codes, _, err = in_shell(cli, f"RM {call} >/dev/full; echo $?")
    assert codes == [1]
    assert err.splitlines()[0] == "Error: could not write the output: No space left on device."
    sound(cli)


@pytest.mark.parametrize("command", READS)
def test_b47_closed_streams(cli: Cli, command: str) -> None:
    add(cli, "some words", "--tag", "FACT")
    call = " ".join(f"'{word}'" for word in READS[command])
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        (cli.store / ".remember-me" / "cache.sqlite").unlink(missing_ok=True)
        codes, out, err = in_shell(cli, f"RM {call} {closed}; echo $?")
        assert (codes, err) == ([0], ""), closed
        assert ("words" in out) == (">&-" not in closed.replace("2>&-", "")), closed
    assert "some words" in cli.ok(*READS[command]).out
    sound(cli)
