"""A note as a whole: what kind it is, what is reported, what its prose is, and topic notes."""

from __future__ import annotations

from datetime import date

import pytest

from remember_me.model.entry import Tag, Tier
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import Note, content_hash, decode, encode, newline_of, parse_note, topic_body, unreadable

DAILY, LONG_TERM = "memory/2026-11-29.md", "MEMORY.md"
TOPIC = "---\nid: k7m2pq\ntag: FACT\ntitle: t\n---\n\nBody.\n"


def read(text: str, path: str = DAILY, **options: str) -> Note:
    return parse_note(path, encode(text), **options)


def reported(text: str, path: str = DAILY, **options: str) -> list[str]:
    return [str(problem) for problem in read(text, path, **options).problems]


@pytest.mark.parametrize(
    ("path", "notes_dir", "text", "kind"),
    [
        ("MEMORY.md", "memory", "", NoteKind.LONG_TERM),
        ("MEMORY.md", "memory", TOPIC, NoteKind.LONG_TERM),
        ("MEMORY.md", ".", "", NoteKind.LONG_TERM),
        ("memory/MEMORY.md", "memory", "- FACT: x", NoteKind.PROSE),
        ("memory/2026-11-29.md", "memory", "", NoteKind.DAILY),
        ("memory/2026-11-29.md", "memory", TOPIC, NoteKind.DAILY),
        ("2026-11-29.md", ".", "", NoteKind.DAILY),
        ("2026-11-29.md", "memory", "", NoteKind.PROSE),
        ("memory/2026-11-29.md", ".", "", NoteKind.PROSE),
        ("memory/2026-13-45.md", "memory", TOPIC, NoteKind.PROSE),
        ("memory/x.md", "memory", TOPIC, NoteKind.TOPIC),
        ("x.md", ".", TOPIC, NoteKind.TOPIC),
        ("x.md", "memory", TOPIC, NoteKind.PROSE),
        ("memory/archive/x.md", "memory", TOPIC, NoteKind.PROSE),
        ("memory/archive/2026-11-29.md", "memory", "- FACT: x", NoteKind.PROSE),
        ("memory/forgotten.md", "memory", TOPIC, NoteKind.PROSE),
        ("memory/x.md", "memory", "- FACT: x", NoteKind.PROSE),
    ],
)
def test_the_kind_of_a_note(path: str, notes_dir: str, text: str, kind: NoteKind) -> None:
    note = read(text, path, notes_dir=notes_dir)
    assert note.kind is kind
    assert bool(note.entries) is (kind is NoteKind.TOPIC)


@pytest.mark.parametrize(
    ("keys", "tag", "title"),
    [
        ("id: k7m2pq\ntag: GOAL\ntitle: t", Tag.GOAL, "t"),
        ("id: k7m2pq\ntag: GOAL", Tag.GOAL, "bird-box"),
        ("id: k7m2pq\ntag: GOAL\nname: n", Tag.GOAL, "n"),
        ("name: n\ntype: user", Tag.FACT, "n"),
        ("name: n\ntype: reference", Tag.FACT, "n"),
        ("name: n\ntype: feedback", Tag.PREFERENCE, "n"),
        ("title: t\ntype: project", Tag.GOAL, "t"),
        ("title: t\nname: n\ntype: project", Tag.GOAL, "t"),
        ("name: n\nmetadata:\n  type: user", Tag.FACT, "n"),
        ("name: n\nmetadata: {type: feedback}", Tag.PREFERENCE, "n"),
        ('"name": "n"\n\'type\': user', Tag.FACT, "n"),
    ],
)
def test_what_makes_a_topic_note(keys: str, tag: Tag, title: str) -> None:
    note = read(f"---\n{keys}\n---\n\nBody.\n", "memory/bird-box.md")
    (entry,) = note.entries
    assert (note.kind, entry.tag, entry.title, entry.body) == (NoteKind.TOPIC, tag, title, "Body.")
    assert (entry.tier, entry.line, entry.created_at) == (Tier.TOPIC, 1, None)
    assert list(note.passages()) == []


@pytest.mark.parametrize(
    "keys",
    [
        "id: k7m2pq\ntitle: t",
        "tag: FACT\ntitle: t",
        "id: k7m2pq\ntag: fact",
        "id: k7m2pq\ntag: NOTE",
        "id: k7m2pq\ntag: [FACT]",
        "id: [k7m2pq]\ntag: FACT",
        "name: n",
        "type: user",
        "name: n\ntype: User",
        "name: n\ntype: other",
        "name: n\nmetadata: x",
        "name: n\nmetadata:\n  kind: user",
        "name:\ntype: user",
        "title: t\ntags: [a]",
    ],
)
def test_any_other_file_is_prose(keys: str) -> None:
    note = read(f"---\n{keys}\n---\n\nBody.\n", "memory/bird-box.md")
    assert (note.kind, note.entries) == (NoteKind.PROSE, ())
    assert [passage.text for passage in note.passages()] == ["Body."]


def test_the_fields_of_a_topic_note() -> None:
    text = (
        "---\nid: k7m2pq\ntag: FACT\ntitle: t\nnode: {a: b}\nImpact: x\nimpact: 3\naliases: [a b, c]\n"
        "evidence:\n- '\"one\" — s'\n- two\nsince: 2026-10-01\nempty:\nlinks: {a: b}\n---\n"
    )
    note = read(text, "memory/x.md")
    entry = note.entries[0]
    assert entry.fields == (
        ("Impact", "x"),
        ("impact", "3"),
        ("aliases", "a b, c"),
        ("evidence", '"one" — s'),
        ("evidence", "two"),
        ("since", "2026-10-01"),
        ("empty", ""),
    )
    assert (entry.impact, entry.created_on) == (3, date(2026, 10, 1))
    assert [(evidence.quote, evidence.source) for evidence in entry.evidence] == [("one", "s"), ("two", None)]
    assert [str(problem) for problem in note.problems] == ["memory/x.md:14: links holds no plain value"]


def test_a_topic_note_is_reported_where_a_value_or_its_id_is_wrong() -> None:
    text = "---\nid: 123456\ntag: FACT\ntitle: t\nimpact: 7\nexpires: soon\n---\n"
    found = read(text, "memory/x.md")
    assert [str(problem) for problem in found.problems] == [
        "memory/x.md:5: impact is 7, not one of 1, 2, 3",
        "memory/x.md:6: expires is soon, which is no date",
        f"memory/x.md:2: 123456 is no id; served under {found.entries[0].id}",
    ]
    assert found.entries[0].provisional


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("\n\nBody.\n\n", "Body."),
        ("  \n\t\n  Body.  \n \n", "  Body.  "),
        ("a\r\n\r\nb\r\n", "a\n\nb"),
        ("", ""),
        ("\n \n", ""),
        ("a\rb", "a\rb"),
        ("- FACT: x ^fake01\n---\n", "- FACT: x ^fake01\n---"),
    ],
)
def test_topic_body(text: str, body: str) -> None:
    assert topic_body(text) == body
    assert read(f"---\nid: k7m2pq\ntag: FACT\n---\n{text}", "memory/x.md").entries[0].body == body


# What is reported


@pytest.mark.parametrize(
    ("text", "path", "problems"),
    [
        ("---\ndate: 2026-11-28\n---\n", DAILY, [f"{DAILY}:2: the front matter says 2026-11-28, the file name wins"]),
        ("---\ndate: 2026-11-29\n---\n", DAILY, []),
        ("---\ndate: 2026-11-29 # Sunday\n---\n", DAILY, []),
        ("---\ndate: soon\n---\n", DAILY, [f"{DAILY}:2: the front matter says soon, the file name wins"]),
        ("---\ndate: soon\n---\n", LONG_TERM, []),
        ("---\ndate:\ntimezone:\n---\n", DAILY, []),
        ("---\na: b\ntimezone: Mars\n---\n", DAILY, [f"{DAILY}:3: the time zone Mars is not known here"]),
        ("x", "memory/2026-13-45.md", ["memory/2026-13-45.md: 2026-13-45 is no date, so the file is read as prose"]),
        ("a\nb\0c\n", DAILY, [f"{DAILY}:2: holds NUL bytes; is it UTF-16 or a binary file?"]),
        ("é\n\udcff\n", DAILY, [f"{DAILY}:2: holds bytes that are no UTF-8; they are kept as they are"]),
        ("é\u2028\ufeff", DAILY, []),
    ],
)
def test_problems(text: str, path: str, problems: list[str]) -> None:
    assert reported(text, path) == problems


def test_the_file_name_wins_over_the_date_in_the_front_matter() -> None:
    note = read("---\ndate: 2026-11-28\n---\n- FACT: x\n")
    assert (note.on, note.entries[0].created_on) == (date(2026, 11, 29), date(2026, 11, 29))


def test_a_utf_16_file_is_reported_and_kept() -> None:
    data = "- FACT: x\n".encode("utf-16")
    note = parse_note(DAILY, data)
    assert (note.data(), note.entries) == (data, ())
    assert "UTF-16" in str(note.problems[0])


def test_a_note_that_could_not_be_read() -> None:
    note = unreadable(DAILY, "Permission denied.")
    assert (note.entries, note.text, list(note.passages())) == ((), "", [])
    assert [str(problem) for problem in note.problems] == [f"{DAILY}: Permission denied"]


def test_bytes_that_are_no_utf_8_come_back() -> None:
    data = bytes(range(256)) + b"\xed\xa0\x80\xf5\xff" + "é\U0001f469".encode()
    assert encode(decode(data)) == data
    assert content_hash(data) != content_hash(data + b"\n")


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        ("", "\n"),
        ("a", "\n"),
        ("a\nb\r\n", "\n"),
        ("a\r\nb\n", "\r\n"),
        ("\r\n", "\r\n"),
        ("\n", "\n"),
        ("x" * 9000 + "\r\n", "\r\n"),
    ],
)
def test_the_first_line_says_how_lines_end(text: str, newline: str) -> None:
    assert newline_of(text) == newline
    assert read(text).newline == newline


# Entries without an id


def test_a_provisional_id_depends_on_note_text_and_ordinal() -> None:
    twice = read("- FACT: x\n- FACT: x\n- FACT: y\n").entries
    assert len({entry.id for entry in twice}) == 3
    moved = read("# Above\n\n- FACT: y\n\n- FACT: x\n  - impact: 3\n\n- FACT: x\n").entries
    assert {entry.id for entry in moved} == {entry.id for entry in twice}
    assert not {entry.id for entry in read("- FACT: x\n", LONG_TERM).entries} & {entry.id for entry in twice}
    assert read("- GOAL: x\n").entries[0].id not in {entry.id for entry in twice}
    assert all(entry.id.startswith("u-") and len(entry.id) == 12 for entry in twice)


# Prose


def test_passages_by_heading_path_with_repeats_numbered() -> None:
    text = (
        "---\ndate: 2026-11-29\n---\nBefore.\n\n# Log\n\n## Heartbeat\n\nFirst.\n\n## Heartbeat\n- FACT: x ^k7m2pq\n\n"
        "Second.\n\n---\n\nStill second.\n\n# Log\n\nAgain.\n### Deep ##\n\n\nA\n\n\n\nB\n"
    )
    passages = list(read(text).passages())
    assert [(passage.address, passage.line, passage.text) for passage in passages] == [
        (DAILY, 4, "Before."),
        (f"{DAILY}#Log > Heartbeat", 10, "First."),
        (f"{DAILY}#Log > Heartbeat~2", 15, "Second.\n\nStill second."),
        (f"{DAILY}#Log~2", 23, "Again."),
        (f"{DAILY}#Log > Deep", 27, "A\n\nB"),
    ]


def test_passages_leave_out_entries_comments_and_rules() -> None:
    text = (
        "a\n- FACT: x ^k7m2pq\n  - impact: 2\n\n  body\nb\n***\n<!--\nhidden\n-->\n_ _ _\n- item\n  more\n"
    ).replace("\n", "\r\n")
    assert [(p.line, p.text) for p in read(text).passages()] == [(1, "a\n\nb\n\n- item\n  more")]
    assert list(read("- FACT: x\n\n---\n\n<!-- c -->\n").passages()) == []


@pytest.mark.parametrize(
    "text", ["# Monday\n\nMy own.\n\n- bread\n", "---\ncssclass: daily\nmood: ok\n---\n\n# Monday\n"]
)
def test_a_daily_note_of_the_persons_own_form_is_no_problem(text: str) -> None:
    note = read(text)
    assert (note.entries, note.problems) == ((), ())
    assert note.body_start == (0 if note.front_matter is None else text.index("\n# Monday"))
