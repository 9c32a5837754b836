"""No note takes more than linear time: each of these would take minutes or hours with one careless loop or pattern."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from remember_me.model.change import Add
from remember_me.model.entry import Tag
from remember_me.model.text import hidden_characters, normalize_text, split_title, visible
from remember_me.notes.merge import merge
from remember_me.notes.note import encode, parse_note
from remember_me.notes.splice import append_entry, correct
from tests.timing import cpu_seconds

MEGABYTE = 1_000_000
SECONDS = 12
"""Far above what linear time takes here (at most about one), far below what a square takes."""

DAILY = "memory/2026-11-29.md"
ENTRY = "- [14:32 +01:00] FACT: An entry of the usual length, with an id ^k{:05d}\n  - signal: project\n\n"


def line(prefix: str, filler: str, suffix: str) -> str:
    return prefix + filler * (5 * MEGABYTE // len(filler)) + suffix


LONG_LINES = {
    "spaces in a title": line("- FACT: a", " ", "b ^k7m2pq"),
    "spaces behind the tag": line("- FACT: ", " ", "x"),
    "carets in a title": line("- FACT: a", " ^", "b"),
    "ids in a title": line("- FACT: a", " ^k7m2pq", "."),
    "backslashes in a title": line("- FACT: a ", "\\", "^x"),
    "spaces in a heading": line("# a", " ", "b"),
    "hashes in a heading": line("# a ", "# ", "b"),
    "only hashes": line("#", "#", ""),
    "spaces in a field": line("- FACT: a\n  - key:", " ", "b"),
    "a long key": line("- FACT: a\n  - k", "e", "y"),
    "backticks": line("", "`", "\n- FACT: x\n"),
    "backticks and a word": line("```", "a`", "\n- FACT: x\n"),
    "tildes": line("~~~", "~", "\n- FACT: x\n"),
    "comment marks": line("<!--", "<!--", "x"),
    "comments in a line": line("a", "<!-- b -->", "c"),
    "comments never closed in a line": line("a ", "<!-- ", "b"),
    "an assumption": line("# Assumptions\n- a", " (confidence: low,", " status: untested)"),
    "spaces in an assumption": line("# Assumptions\n- a", " ", "(confidence: low, status: untested) x"),
    "brackets": line("- [", "[", "] FACT: x"),
    "spaces in a front matter line": line("---\na", " ", "b\n---\n"),
    "colons in a front matter line": line("---\na", ":", "b\n---\n"),
    "quotes in a front matter value": line("---\na: '", "''", "\n---\n"),
    "escapes in a front matter value": line('---\na: "', '\\"', "\n---\n"),
    "hashes in a front matter value": line("---\na: x", "#", "\n---\n"),
    "spaces in a front matter value": line("---\na: x", " ", "#b\n---\n"),
    "evidence": line("- FACT: a\n  - evidence: x", " —", " y"),
    "one word": line("- FACT: ", "a", ""),
    "no ascii": line("- FACT: ", "字", ""),
    "surrogates": line("- FACT: ", "\udcff", ""),
}

MANY_LINES = {
    "entries": "".join(ENTRY.format(number) for number in range(50_000)),
    "entries without an id, all the same": "- FACT: the same\n" * 100_000,
    "a fence that is never closed": "```\n" + "- FACT: x\n" * 100_000,
    "tildes that never close": "~~~~\n" + "~~~\n" * 100_000,
    "comments that are never closed": "<!--\nx\n" * 10_000,
    "comments": "<!-- x -->\ntext\n" * 50_000,
    "headings": "# A\n## B\ntext\n" * 50_000,
    "headings with entries": "# A\n- FACT: x\n<!-- y -->\ntext\n" * 30_000,
    "blank lines": "- FACT: x\n" + "\n" * 500_000 + "  body\n" + "\n" * 500_000,
    "blank lines with spaces": "- FACT: x\n" + "   \n" * 300_000 + "text\n",
    "fields with problems": "- FACT: x\n  - impact: 9\n  - impact: 8\n" * 30_000,
    "one entry with many fields": "- FACT: x\n" + "  - evidence: y\n" * 100_000,
    "entries of the skill": "- [08:05 CET] Tag: FACT\n  Memory: x\n    y\n" * 30_000,
    "a long memory of the skill": "- [08:05 CET] Tag: FACT\n  Memory: x\n" + "    y\n" * 100_000,
    "a body": "- FACT: x\n\n" + "  text\n" * 200_000,
    "rules": "---\n" * 200_000,
    "a front matter that is never closed": "---\n" + "a: b\n" * 200_000,
    "a long front matter": "---\n" + "a: b\n" * 100_000 + "---\n",
    "a long list in the front matter": "---\na:\n" + "- b\n" * 50_000 + "---\n",
    "carriage returns": "\r" * 5_000_000,
}


def timed(run: Callable[[], object]) -> None:
    assert cpu_seconds(run) < SECONDS


@pytest.mark.parametrize("name", [*LONG_LINES, *MANY_LINES])
def test_a_hostile_note_is_read_in_linear_time(name: str) -> None:
    data = encode((LONG_LINES | MANY_LINES)[name])

    def read() -> None:
        note = parse_note("MEMORY.md", data)
        assert note.data() == data
        for entry in note.entries[:1]:
            assert entry.evidence is not None
        assert list(note.passages()) is not None

    timed(read)


@pytest.mark.parametrize("name", ["comments in a line", "spaces in a title", "one word", "no ascii"])
def test_a_hostile_text_becomes_an_entry_in_linear_time(name: str) -> None:
    text = LONG_LINES[name].removeprefix("- FACT: ")

    def save() -> None:
        title, body = split_title(normalize_text(text))
        note = parse_note(DAILY, b"---\ndate: 2026-11-29\n---\n")
        after = parse_note(DAILY, encode(append_entry(note, _add(title, body))))
        assert (after.entries[0].title, after.entries[0].body) == (title, body)
        assert (visible(body) == body) is (hidden_characters(body) == 0)

    timed(save)


def _add(title: str, body: str) -> Add:
    from datetime import UTC, datetime

    return Add("zzzzz0", Tag.FACT, title, body, (), datetime(2026, 11, 29, tzinfo=UTC))


@pytest.mark.parametrize(
    "text", ["\n" * 3_000_000 + "x" + "\n" * 3_000_000 + "y", " \n" * 2_000_000 + "x", "x" + "\r\n\t" * 1_000_000]
)
def test_blank_lines_are_cut_in_linear_time(text: str) -> None:
    timed(lambda: normalize_text(text))

    def change_topic() -> None:
        note = parse_note("memory/x.md", encode(f"---\nid: k7m2pq\ntag: FACT\ntitle: t\n---\n{text}"))
        assert "new" in correct(note, 0, "t", "new", "zzzzz0")

    timed(change_topic)


@pytest.mark.parametrize("name", ["entries", "blank lines", "headings", "comments", "rules", "a body"])
def test_an_undo_out_of_order_takes_linear_time(name: str) -> None:
    text = MANY_LINES[name][:MEGABYTE].rpartition("\n")[0] + "\n"
    base = parse_note(DAILY, encode(text))
    first = parse_note(DAILY, encode(append_entry(base, _add("first", ""))))
    second = parse_note(DAILY, encode(append_entry(first, _add("second", "")._replace(id="zzzzz1"))))

    def undo() -> None:
        merged = parse_note(DAILY, encode(merge(first, second, base).text))
        assert merged.entries[-1].title == "second"
        assert len(merged.entries) == len(base.entries) + 1

    timed(undo)


def test_a_merge_of_changes_all_over_a_note_takes_linear_time() -> None:
    text = "".join(ENTRY.format(number) for number in range(20_000))
    base = parse_note(DAILY, encode(text))
    here = parse_note(DAILY, encode(text.replace("usual", "normal")))
    there = parse_note(DAILY, encode(text.replace("signal: project", "signal: goal")))

    def both() -> None:
        merged = merge(base, here, there)
        assert merged.conflicts == ()
        assert merged.text == here.text.replace("signal: project", "signal: goal")

    timed(both)
