"""Every rule of DESIGN 3.1 with its counter-example. A test's docstring may be the note that it parses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import date

import pytest

from remember_me.model.entry import Entry
from remember_me.notes.grammar import (
    Form,
    closes_fence,
    escape_title,
    opens_fence,
    parse_heading,
    split_id,
    unescape_title,
)
from remember_me.notes.note import Note, encode, parse_note

DAILY, LONG_TERM = "memory/2026-11-29.md", "MEMORY.md"


def read(text: str, path: str = DAILY) -> Note:
    note = parse_note(path, encode(text), timezone="Europe/Rome")
    assert note.text == text
    return note


def documented(test: Callable[[], None], path: str = DAILY) -> Note:
    """The note in the docstring of a test."""
    return read(inspect.cleandoc(test.__doc__ or "") + "\n", path)


def only(text: str, path: str = DAILY) -> Entry:
    (entry,) = read(text, path).entries
    return entry


# The first line


@pytest.mark.parametrize(
    ("line", "tag", "title", "identity"),
    [
        ("- FACT: x", "FACT", "x", None),
        ("* GOAL: x", "GOAL", "x", None),
        ("+ PREFERENCE: x", "PREFERENCE", "x", None),
        ("-  HYPOTHESIS: x", "HYPOTHESIS", "x", None),
        ("-\tFACT: x", "FACT", "x", None),
        ("- FACT:\tx  ", "FACT", "x", None),
        ("- FACT: x ^k7m2pq", "FACT", "x", "k7m2pq"),
        ("- FACT: x ^k7m2pq  ", "FACT", "x", "k7m2pq"),
        ("- FACT: x\t^k7m2pqrst", "FACT", "x", "k7m2pqrst"),
        ("- FACT: x^k7m2pq", "FACT", "x^k7m2pq", None),
        ("- FACT: x ^k7m2pq.", "FACT", "x ^k7m2pq.", None),
        ("- FACT: x ^short", "FACT", "x ^short", None),
        ("- FACT: x ^abc", "FACT", "x ^abc", None),
        ("- FACT: x ^K7M2PQ", "FACT", "x ^K7M2PQ", None),
        ("- FACT: x ^k7m2pu", "FACT", "x ^k7m2pu", None),
        ("- FACT: x ^123456", "FACT", "x ^123456", None),
        ("- FACT: x ^abc123 ^k7m2pq", "FACT", "x ^abc123", "k7m2pq"),
        ("- FACT: x \\^abc123 ^k7m2pq", "FACT", "x ^abc123", "k7m2pq"),
        ("- FACT: x \\\\^abc123", "FACT", "x \\^abc123", None),
        ("- FACT: ^k7m2pq", "FACT", "^k7m2pq", None),
        ("- FACT: \\^k7m2pq ^abcdef", "FACT", "^k7m2pq", "abcdef"),
        ("- FACT: FACT: x", "FACT", "FACT: x", None),
        ("- FACT: [14:32] x", "FACT", "[14:32] x", None),
        ("- [14:32] FACT: x", "FACT", "x", None),
        ("- [14:32 +01:00] FACT: x ^k7m2pq", "FACT", "x", "k7m2pq"),
        ("- [2026-11-29 14:32 +01:00]  FACT: x", "FACT", "x", None),
        ("- [2026-11-29] FACT: x", "FACT", "x", None),
        ("- FACT: a\u2028b\x0cc\x85d", "FACT", "a\u2028b\x0cc\x85d", None),
        ("- FACT: a\rb", "FACT", "a\rb", None),
    ],
)  # fmt: skip
def test_a_line_is_an_entry(line: str, tag: str, title: str, identity: str | None) -> None:
    for ending in ("", "\n", "\r\n"):
        note = read(line + ending)
        (entry,) = note.entries
        assert (entry.tag, entry.title, note.items[0].id) == (tag, title, identity)
        assert entry.provisional is (identity is None)
        assert (entry.line, entry.body, entry.fields) == (1, "", ())


@pytest.mark.parametrize(
    "line",
    [
        "FACT: x",
        "- Fact: x",
        "- fact: x",
        "- FACT x",
        "- FACT:",
        "- FACT: ",
        "- FACT:x",
        "- FACT : x",
        "- FACTS: x",
        "- **FACT**: x",
        "- Goal: x",
        "-FACT: x",
        "-     FACT: indented code in a list",
        " - FACT: one space before the bullet",
        "  - FACT: two",
        "\t- FACT: a tab",
        "1. FACT: x",
        "1) FACT: x",
        "- [ ] GOAL: x",
        "- [x] GOAL: x",
        "- [ ]FACT: x",
        "- [14:32]FACT: x",
        "- [today] FACT: x",
        "- [14.32] FACT: x",
        "- [] FACT: x",
        "> - FACT: x",
        "| - FACT: x |",
        "– FACT: an en dash",
        "• FACT: a bullet",
        "-\xa0FACT: a space that does not break",
        "- \ufeffFACT: x",
        "- NOTE: x",
        "- TODO: x",
    ],
)
def test_a_line_is_prose(line: str) -> None:
    note = read(f"Before.\n\n{line}\n")
    assert note.entries == ()
    assert line.strip(" \t") in "".join(passage.text for passage in note.passages())


def test_the_first_line_of_a_note_counts_also_behind_a_bom() -> None:
    assert only("\ufeff- FACT: x ^k7m2pq").id == "k7m2pq"


# Fields


def test_fields_are_the_lines_directly_under_the_first() -> None:
    """
    - FACT: x ^k7m2pq
      - description: a: b, with ^k7m2pq and "quotes"
      - signal: boundary
      - x-own_key2: {"collapsed": true}
      - empty:
      - evidence: "one"
      - evidence: "two"

      - basis: observed
    """
    entry = documented(test_fields_are_the_lines_directly_under_the_first).entries[0]
    assert entry.fields == (
        ("description", 'a: b, with ^k7m2pq and "quotes"'),
        ("signal", "boundary"),
        ("x-own_key2", '{"collapsed": true}'),
        ("empty", ""),
        ("evidence", '"one"'),
        ("evidence", '"two"'),
    )
    assert entry.body == "- basis: observed"
    assert [evidence.quote for evidence in entry.evidence] == ["one", "two"]
    assert (entry.basis, entry.signal) == ("stated", "boundary")


@pytest.mark.parametrize(
    "line",
    [
        "  - Signal: boundary",
        "  - 2nd: x",
        "  - two words: x",
        "  - signal:boundary",
        "  - signal",
        "  * signal: boundary",
        "  signal: boundary",
        "   - signal: boundary",
        "    - signal: boundary",
        " \t- signal: boundary",
        "  -  signal: boundary",
        "  - [signal]: boundary",
        "  - ключ: x",
    ],
)
def test_any_other_line_ends_the_fields_and_is_body(line: str) -> None:
    entry = only(f"- FACT: x\n  - impact: 2\n{line}\n  - pinned: true\n")
    assert entry.fields == (("impact", "2"),)
    assert entry.body.split("\n")[0].strip(" ") == line.strip(" \t")
    assert entry.body.endswith("\n- pinned: true")
    assert not entry.pinned


@pytest.mark.parametrize("indent", ["  ", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fields_may_be_indented_by_a_tab(indent: str, newline: str) -> None:
    entry = only(f"- FACT: x{newline}{indent}- impact: 3  {newline}{indent}- pinned: true{newline}")
    assert entry.fields == (("impact", "3"), ("pinned", "true"))


def test_a_repeated_field_is_reported_and_the_first_counts() -> None:
    """
    # Log

    - FACT: x ^k7m2pq
      - impact: 2
      - impact: 3
      - colour: red
      - colour: blue
      - evidence: "a"
      - evidence: "b"
    """
    note = documented(test_a_repeated_field_is_reported_and_the_first_counts)
    assert note.entries[0].impact == 2
    assert note.entries[0].field("colour") == "red"
    assert [str(problem) for problem in note.problems] == [
        f"{DAILY}:5: impact stands twice; the first one counts",
        f"{DAILY}:7: colour stands twice; the first one counts",
    ]


@pytest.mark.parametrize(
    ("field", "reason"),
    [
        ("impact: 4", "impact is 4, not one of 1, 2, 3"),
        ("impact:", "impact is empty, not one of 1, 2, 3"),
        ("pinned: yes", "pinned is yes, not one of true, false"),
        ("confidence: High", "confidence is High, not one of high, medium, low"),
        ("status: done", "status is done, not one of active, disabled, stale, discarded, promoted, superseded"),
        ("expires: tomorrow", "expires is tomorrow, which is no date"),
        ("validated: 2026-02-30", "validated is 2026-02-30, which is no date"),
        ("facet: colour", "facet is colour, not one of tone, brevity, workflow, constraint, decision-style"),
    ],
)
def test_a_value_that_a_field_cannot_have_is_reported_kept_and_ignored(field: str, reason: str) -> None:
    note = read(f"\n- HYPOTHESIS: x\n  - colour: red\n  - {field}\n")
    assert [str(problem) for problem in note.problems] == [f"{DAILY}:4: {reason}"]
    key, _, value = field.partition(":")
    entry = note.entries[0]
    assert entry.field(key) == value.strip()
    assert (entry.impact, entry.pinned, entry.confidence, entry.status) == (1, False, "low", "active")
    assert entry.date_field(key) is None


def test_defaults() -> None:
    fact, guess = only("- FACT: x"), only("- HYPOTHESIS: x")
    assert (fact.basis, fact.confidence, fact.impact, fact.scope, fact.pinned, fact.status, fact.live) == (
        "stated", None, 1, None, False, "active", True,
    )  # fmt: skip
    assert (guess.basis, guess.confidence) == ("inferred", "low")
    assert only("- FACT: x\n  - confidence: high").confidence is None


# The body, and where an item ends


def test_the_body_is_the_rest_of_the_item_without_its_indent() -> None:
    """
    - FACT: x ^k7m2pq
      - impact: 2

      First line.

        Indented more.
      - [14:32] FACT: no second entry ^abcdef
      ---
      # no heading

      ```
      - GOAL: no entry

      ```
      <!-- no comment
    - FACT: the next ^abcdeg
    """
    note = documented(test_the_body_is_the_rest_of_the_item_without_its_indent)
    assert [entry.id for entry in note.entries] == ["k7m2pq", "abcdeg"]
    assert note.entries[0].body == (
        "First line.\n\n  Indented more.\n- [14:32] FACT: no second entry ^abcdef\n---\n# no heading\n\n"
        "```\n- GOAL: no entry\n\n```\n<!-- no comment"
    )
    assert note.scan.headings == ()


@pytest.mark.parametrize("line", ["Prose.", " one space", "- item", "# Heading", "> quote", "---", "```", "\u2028  x"])
def test_the_first_line_indented_by_less_than_two_ends_an_item(line: str) -> None:
    note = read(f"- FACT: x\n\n  body\n\n{line}\n  after\n")
    assert note.entries[0].body == "body"
    assert note.items[0].end == len("- FACT: x\n\n  body\n")


def test_a_tab_counts_as_indent() -> None:
    assert only("- FACT: x\n\n\tone\n\t\ttwo\n \tthree\n").body == "one\n\ttwo\nthree"


def test_blank_lines_inside_a_body_keep_their_white_space() -> None:
    assert only("- FACT: x\n\n  a\n\n     \n\t\n  b  \n").body == "a\n\n   \n\nb  "


def test_a_body_may_stand_directly_under_the_first_line() -> None:
    entry = only("- FACT: x ^k7m2pq\n  a body\n  - impact: 3\n")
    assert (entry.title, entry.body, entry.impact) == ("x", "a body\n- impact: 3", 1)


def test_only_lf_and_crlf_end_a_line() -> None:
    entry = only("- FACT: a\x0b- GOAL: b\n\n  one\rtwo\u2028three\x85- FACT: four\n")
    assert entry.title == "a\x0b- GOAL: b"
    assert entry.body == "one\rtwo\u2028three\x85- FACT: four"


def test_plain_and_ordered_items_hold_what_is_indented_under_them() -> None:
    """
    - a plain item

      - FACT: under a plain item

      ```
    1. an ordered item
       - FACT: under an ordered item
       <!--
    - FACT: the only entry ^k7m2pq
    """
    note = documented(test_plain_and_ordered_items_hold_what_is_indented_under_them)
    assert [entry.id for entry in note.entries] == ["k7m2pq"]
    assert note.problems == ()


# Fences, quotes and comments at the margin


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("```", "```"),
        ("```markdown", "```"),
        ("````", "`````"),
        ("~~~", "~~~"),
        ("~~~ `ticks`", "~~~~  "),
        ("   ```", "  ```"),
        ("<!--", "-->"),
        ("<!-- words", "words --> words"),
        ("   <!--", "-->"),
    ],
)
def test_nothing_in_a_fence_or_a_comment_is_an_entry(opening: str, closing: str) -> None:
    inside = "- FACT: x ^fake01\n# Heading\n\n~~\n``\n    ```\n"
    for newline in ("\n", "\r\n"):
        text = f"Text.\n{opening}\n{inside}{closing}\n- FACT: behind ^k7m2pq\n".replace("\n", newline)
        note = read(text)
        assert [entry.id for entry in note.entries] == ["k7m2pq"]
        assert note.scan.headings == ()
        assert (note.scan.open_at, note.problems) == (None, ())


@pytest.mark.parametrize(
    "line",
    [
        "``",
        "``` a ` b",
        "~~",
        "    ```",
        "\\```",
        "> ```",
        "<!-- closed -->",
        "<!--> x",
        "text <!--",
        "    <!--",
        "<! -->",
    ],
)
def test_what_opens_no_fence_and_no_comment(line: str) -> None:
    assert [entry.id for entry in read(f"{line}\n- FACT: x ^k7m2pq\n").entries] == ["k7m2pq"]


@pytest.mark.parametrize("opening", ["```", "~~~~ x", "<!--", "   ```"])
def test_an_unclosed_fence_or_comment_hides_what_follows_and_is_reported(opening: str) -> None:
    note = read(f"- FACT: seen ^k7m2pq\n\nText.\n\n{opening}\n- FACT: hidden ^abcdef\n```x\n~~~\n")
    assert [entry.id for entry in note.entries] == ["k7m2pq"]
    assert note.scan.open_at == note.text.index(opening)
    assert [str(problem) for problem in note.problems] == [
        f"{DAILY}:5: a code fence or comment that is never closed; no entry is read below it"
    ]


def test_comments_are_no_prose_but_fences_are() -> None:
    note = read("<!-- a -->\nb <!-- c --> d <!-- e -->\n<!--\nf\n-->\n```\ng\n```\nh <!-- open\n")
    (passage,) = note.passages()
    assert passage.text.split() == ["b", "d", "```", "g", "```", "h", "<!--", "open"]


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("```", "```"),
        ("````x", "````"),
        ("~~~`", "~~~"),
        ("   ```", "```"),
        ("    ```", None),
        ("```a`", None),
        ("``", None),
    ],
)
def test_opens_fence(line: str, marks: str | None) -> None:
    assert opens_fence(line) == marks


@pytest.mark.parametrize(
    ("line", "marks", "closes"),
    [
        ("```", "```", True),
        ("````\t ", "```", True),
        ("```", "````", False),
        ("~~~", "```", False),
        ("``` x", "```", False),
        ("    ```", "```", False),
        ("   ```\r", "```", True),
    ],
)
def test_closes_fence(line: str, marks: str, closes: bool) -> None:
    assert closes_fence(line, marks) is closes


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# One", (1, "One")),
        ("###### Six", (6, "Six")),
        ("####### Seven", None),
        ("#hashtag", None),
        ("#", (1, "")),
        ("##  ", (2, "")),
        ("## Two ##", (2, "Two")),
        ("## Two ## x", (2, "Two ## x")),
        ("## C#", (2, "C#")),
        ("## ##", (2, "")),
        ("   # Three", (1, "Three")),
        ("    # Four", None),
        ("#\tTab\r", (1, "Tab")),
        ("# Über: a > b", (1, "Über: a > b")),
    ],
)
def test_headings(line: str, heading: tuple[int, str] | None) -> None:
    assert parse_heading(line) == heading
    found = [(heading.level, heading.title) for heading in read(f"x\n{line}\n").scan.headings]
    assert found == ([heading] if heading else [])


# Titles and ids


@pytest.mark.parametrize(
    "title",
    [
        "x",
        "x ^abc123",
        "x ^a",
        "^abc123",
        "x \\^abc",
        "x \\\\^abc",
        "x ^",
        "^",
        "x^abc",
        "a ^b c",
        "x ^a^b",
        "\\^",
        "x \\",
    ],
)
def test_an_escaped_title_reads_back_with_and_without_an_id(title: str) -> None:
    written = escape_title(title)
    assert unescape_title(written) == title
    assert split_id(written) == (written, None)
    for line in (f"- FACT: {written}", f"- FACT: {written} ^k7m2pq"):
        assert only(line).title == title


# Times


@pytest.mark.parametrize(
    ("path", "line", "on", "at"),
    [
        (DAILY, "- FACT: x", "2026-11-29", None),
        (DAILY, "- [14:32 +01:00] FACT: x", "2026-11-29", "2026-11-29T14:32:00+01:00"),
        (DAILY, "- [14:32] FACT: x", "2026-11-29", "2026-11-29T14:32:00+01:00"),
        (DAILY, "- [14:32 Z] FACT: x", "2026-11-29", "2026-11-29T14:32:00+00:00"),
        (DAILY, "- [2026-11-28 14:32] FACT: x", "2026-11-28", "2026-11-28T14:32:00+01:00"),
        (DAILY, "- [14:32] FACT: x\n  - since: 2026-10-01", "2026-10-01", "2026-11-29T14:32:00+01:00"),
        (DAILY, "- [14:32] FACT: x\n  - since: soon", "2026-11-29", "2026-11-29T14:32:00+01:00"),
        (LONG_TERM, "- FACT: x", None, None),
        (LONG_TERM, "- FACT: x\n  - since: 2026-10-01", "2026-10-01", None),
        (LONG_TERM, "- [14:32] FACT: x", None, None),
        (LONG_TERM, "- [2026-11-29] FACT: x", "2026-11-29", None),
        (LONG_TERM, "- [2026-07-01 14:32] FACT: x", "2026-07-01", "2026-07-01T14:32:00+02:00"),
    ],
)
def test_when_an_entry_was_made(path: str, line: str, on: str | None, at: str | None) -> None:
    entry = only(line, path)
    assert entry.created_on == (date.fromisoformat(on) if on else None)
    assert (entry.created_at.isoformat() if entry.created_at else None) == at


def test_the_notes_own_time_zone_goes_before_the_stores() -> None:
    text = "---\ntimezone: Asia/Tokyo\n---\n- [09:00] FACT: x\n"
    entry = only(text)
    assert entry.created_at is not None
    assert entry.created_at.isoformat() == "2026-11-29T09:00:00+09:00"


def test_an_impossible_time_is_shown_as_written_and_no_time_is_invented() -> None:
    note = read("\n- [25:61] FACT: x\n- [2026-02-30 10:00] GOAL: y\n")
    assert [(entry.title, entry.created_at) for entry in note.entries] == [("x", None), ("y", None)]
    assert [str(problem) for problem in note.problems] == [
        f"{DAILY}:2: [25:61] is no possible time, shown as written",
        f"{DAILY}:3: [2026-02-30 10:00] is no possible time, shown as written",
    ]


# Also read: the skill's form


def test_the_skills_form() -> None:
    """
    - [08:05 CET] Tag: FACT ^k7m2pq
      Signal: boundary
      Memory: Don't write names: keep it private
        and wrapped
        twice.
      Confidence: high
      Impact-Score: 3
      Outcome/TODO: [ ] later
      Pinned: true

      A body.
    """
    note = documented(test_the_skills_form)
    (entry,) = note.entries
    assert (note.items[0].form, entry.id) == (Form.SKILL, "k7m2pq")
    assert entry.title == "Don't write names: keep it private and wrapped twice."
    assert (entry.signal, entry.impact, entry.pinned, entry.body) == ("boundary", 3, True, "A body.")
    assert entry.field("outcome") == "[ ] later"
    assert entry.created_at is not None
    assert entry.created_at.isoformat() == "2026-11-29T08:05:00+01:00"


@pytest.mark.parametrize(
    "text",
    [
        "- [08:05 CET] Tag: FACT words\n  Memory: x",
        "- Tag: FACT\n  Memory: x",
        "- [08:05 CET] tag: FACT\n  Memory: x",
        "- [soon] Tag: FACT\n  Memory: x",
        "- [08:05 CET] Tag: NOTE\n  Memory: x",
        "- [08:05 CET] Tag: FACT ^123456\n  Memory: x",
        "- [08:05 CET] Tag: FACT\nMemory: x",
    ],
)
def test_what_is_not_the_skills_form(text: str) -> None:
    assert read(text).entries == ()


def test_an_entry_of_the_skill_without_words_is_prose_and_is_reported() -> None:
    note = read("x\n\n- [08:05 CET] Tag: FACT\n  Signal: boundary\n  Memory:\n")
    assert note.entries == ()
    assert [str(problem) for problem in note.problems] == [f"{DAILY}:3: an entry without words, read as prose"]
    assert "Signal: boundary" in next(note.passages()).text


def test_an_unknown_zone_of_the_skill_is_shown_as_written_and_no_other_is_guessed() -> None:
    note = read("- [08:05 XYZ] Tag: FACT\n  Memory: x\n")
    assert note.entries[0].created_at is None
    assert [str(problem) for problem in note.problems] == [
        f"{DAILY}:1: [08:05 XYZ] is no possible time, shown as written"
    ]


# Also read: the skill's assumptions


def test_assumptions_under_their_heading() -> None:
    """
    ## Assumptions (Hypotheses)

    - Decides fast (confidence: high, status: validated) ^k7m2pq
      - asked: 2026-11-01

      Because.
    - Is (maybe) shy (confidence: low,status: untested)
    - No confidence given
    - (confidence: low, status: untested)
    - FACT: has a tag (confidence: low, status: untested)

    ## Facts

    - Elsewhere (confidence: low, status: untested)
    """
    note = documented(test_assumptions_under_their_heading, LONG_TERM)
    assert [(entry.tag, entry.title) for entry in note.entries] == [
        ("HYPOTHESIS", "Decides fast"),
        ("HYPOTHESIS", "Is (maybe) shy"),
        ("FACT", "has a tag (confidence: low, status: untested)"),
    ]
    first = note.entries[0]
    assert (first.id, first.confidence, first.validated, first.body) == ("k7m2pq", "high", True, "Because.")
    assert first.date_field("asked") == date(2026, 11, 1)
    assert not note.entries[1].validated
    assert note.problems == ()
    assert read(note.text, DAILY).entries[0].tag == "FACT"


def test_an_assumptions_own_fields_go_before_what_its_line_says() -> None:
    text = "# Assumptions\n- x (confidence: low, status: validated)\n  - confidence: high\n  - validated: 2026-11-01\n"
    entry = only(text, LONG_TERM)
    assert (entry.confidence, entry.date_field("validated")) == ("high", date(2026, 11, 1))
    assert [key for key, _ in entry.fields] == ["confidence", "validated"]
