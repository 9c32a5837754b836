"""Hypothesis strategies for what people write: hostile text, and notes that hold all forms of entries."""

from __future__ import annotations

from hypothesis import strategies as st

from remember_me.model.entry import ID_ALPHABET, is_id
from remember_me.model.text import normalize_text

GRAMMAR = (
    "FACT: x ^abc123",
    "[14:32] GOAL: y",
    "- FACT: x ^abc123",
    "- status: disabled",
    "  - pinned: true",
    "- [08:05 CET] Tag: FACT",
    "Signal: boundary",
    "Memory: z",
    "x (confidence: low, status: untested)",
    "---",
    "```",
    "<!--",
    "^abc123",
    "\\^abc123",
    "# Assumptions",
    "title: x",
)
"""What the grammar itself takes for more than words, where it begins or ends a line."""

PIECES = (
    "- FACT: x ^abc123",
    "* [09:00] GOAL: y",
    '  - evidence: "',
    "- status: disabled",
    "  - pinned: true",
    "- [08:05 CET] Tag: FACT",
    "  Memory: z",
    "Signal: boundary",
    "x (confidence: low, status: untested)",
    "```",
    "````markdown",
    "~~~",
    "---",
    "...",
    "-->",
    "<!--",
    "<!-- x -->",
    "# Assumptions",
    "## Facts",
    "> - FACT: quoted",
    "1. FACT: z",
    "^abc123",
    "^k7m2pq",
    " ^abc",
    "\\^abc123",
    "\\\\^abc",
    "\\",
    "^",
    "[[2026-11-29#^k7m2pq]]",
    "key: value: more",
    "#label",
    "\u2028",
    "\u2029",
    "\x85",
    "\x0b",
    "\x0c",
    "\r",
    "\r\n",
    "\n",
    "\n\n",
    "\n   \n",
    "\t",
    " ",
    "  ",
    "    ",
    "\xa0",
    "\ufeff",
    "\u202e",
    "\u2066",
    "\u200d",
    "\u200c",
    "\u200b",
    "\x1b[31m",
    "می‌خواهم",
    "👩‍🔧",
    "기어 비율",
    "e\u0301",
    "\U000e0041",
    '"',
    "'",
    "“”",
    "{{",
    "%",
    "&a",
    "*a",
    "- ",
    "off",
    "0123",
    "a" * 250,
    "word " * 60,
)
"""Fragments that have broken a store of somebody's."""

characters = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
fragments = st.one_of(st.sampled_from(PIECES), st.text(characters, max_size=8), st.text("ab ^\\-`:\n\t", max_size=6))
raw_texts = st.lists(fragments, min_size=1, max_size=8).map("".join)
"""What somebody types or pastes; never NUL and never a lone surrogate, which `add` refuses."""

grammar_lines = st.lists(st.sampled_from(GRAMMAR), min_size=1, max_size=3).map("\n".join)
texts = st.one_of(raw_texts, grammar_lines).map(normalize_text).filter(bool)
"""A text as `add` keeps it."""

lines = (
    st.one_of(raw_texts, st.sampled_from(GRAMMAR))
    .map(lambda text: " ".join(text.split("\n")).replace("\r", " ").strip(" \t"))
    .filter(bool)
)
"""One line of words: a title."""

field_values = raw_texts.map(
    lambda text: " ".join(text.replace("\r", " ").replace("\t", " ").split("\n")).strip(" ")
).filter(lambda value: bool(value.strip(" ")))

dirty_bytes = st.lists(
    st.one_of(
        st.sampled_from([piece.encode() for piece in PIECES]),
        st.sampled_from(
            [b"\xff\xfe", b"\xed\xa0\x80", b"\0", b"\xef\xbb\xbf", b"\xc3", b"---\n", b"id: k7m2pq\n", b"tag: FACT\n"]
        ),
        st.binary(max_size=8),
    ),
    max_size=14,
).map(b"".join)
"""Bytes of a file that nobody checked."""

ids = st.text(ID_ALPHABET, min_size=6, max_size=8).filter(is_id)

TAGS = st.sampled_from(["FACT", "PREFERENCE", "GOAL", "HYPOTHESIS"])
TIMES = st.sampled_from(["", "[14:32 +01:00] ", "[9:05] ", "[25:61] ", "[2026-11-29 14:32 +01:00] ", "[08:05 CET] "])
FIELDS = st.sampled_from(
    [
        "  - signal: boundary",
        "  - impact: 3",
        "  - impact: seven",
        "  - pinned: true",
        "\t- colour: brass",
        "  - status: disabled",
        '  - evidence: "said so" — claude-code/1, 2026-11-29',
        "  - description:",
    ]
)
BODIES = st.sampled_from(
    [
        "",
        "  one line",
        "\n  two\n\n  lines",
        "\n  - FACT: not an entry ^fake01\n  ---",
        "\n  ```\n  code\n\n  ```",
        "\n\ttabbed\n\t\tdeeper",
        "\n  <!-- hidden\n  still -->",
        "\n  trailing spaces   \n     \n  after",
    ]
)
PROSE = st.sampled_from(
    [
        "",
        "",
        "\n",
        "Prose at the margin.",
        "- a plain item\n  with more",
        "1. ordered\n   more",
        "- [ ] GOAL: a box",
        "- Goal: not a tag",
        "# Heading",
        "## Assumptions (Hypotheses)",
        "```markdown\n- FACT: fenced ^fake02\n```",
        "~~~\n- FACT: fenced ^fake03\n```\n~~~",
        "<!-- - FACT: hidden ^fake04 -->",
        "<!--\n- FACT: hidden ^fake05\n-->",
        "> - FACT: quoted ^fake06",
        "---",
        "...",
        "  indented prose",
        "\tmore",
        "   ",
        "key: value",
        " - FACT: one space",
        "-",
        "\u2028- FACT: no line\x0c",
    ]
)
OPEN_ENDS = st.sampled_from(
    ["```", "   ~~~~", "  ```py\ncode", "<!-- never closed", "  <!-- nor this\n- FACT: x ^fake07"]
)
FRONTS = st.sampled_from(
    [
        "",
        "",
        "---\ndate: 2026-11-29\ntimezone: Europe/Rome\n---\n",
        "---\n# a remark\ncountry: no   # kept\n\ntags: [a, b]\n---\n",
        "---\n---\n",
        "---\ndescription: Fix first: report later\n---\n",
        "---\n- milk\n---\n",
        "---\nnever closed\n",
    ]
)


@st.composite
def native_entries(draw: st.DrawFn) -> str:
    """An entry of our own form, with or without an id."""
    bullet = draw(st.sampled_from(["- ", "* ", "+ ", "-   "]))
    identity = draw(st.one_of(st.just(""), ids.map(lambda found: f" ^{found}")))
    fields = "".join(f"\n{line}" for line in draw(st.lists(FIELDS, max_size=4)))
    body = draw(BODIES)
    title = draw(lines)
    return f"{bullet}{draw(TIMES)}{draw(TAGS)}: {title}{identity}{fields}" + (f"\n{body}" if body else "")


@st.composite
def skill_entries(draw: st.DrawFn) -> str:
    """An entry of the remember-me skill's form."""
    identity = draw(st.one_of(st.just(""), ids.map(lambda found: f" ^{found}")))
    wrapped = draw(st.sampled_from(["", "\n    and goes on"]))
    rest = draw(st.sampled_from(["", "\n  Confidence: high", "\n  Impact-Score: 2\n  Outcome/TODO: none"]))
    word = draw(st.sampled_from(["Prefers short answers.", "x: y ^abc", "“quoted” - dash"]))
    body = draw(st.sampled_from(["", "\n\n  a body"]))
    return f"- [08:05 CET] Tag: {draw(TAGS)}{identity}\n  Signal: project\n  Memory: {word}{wrapped}{rest}{body}"


@st.composite
def assumptions(draw: st.DrawFn) -> str:
    """An assumption as the skill's long-term note has it."""
    identity = draw(st.one_of(st.just(""), ids.map(lambda found: f" ^{found}")))
    level = draw(st.sampled_from(["high", "medium", "low"]))
    status = draw(st.sampled_from(["untested", "testing", "validated"]))
    title = draw(st.sampled_from(["Decides fast", "a ^b (confidence: low, status: x) c", "[ ] x"]))
    field = draw(st.sampled_from(["", "\n  - asked: 2026-11-29", "\n  - confidence: medium"]))
    return f"- {title} (confidence: {level}, status: {status}){identity}{field}"


@st.composite
def note_texts(draw: st.DrawFn, *, with_open_end: bool = True) -> str:
    """The text of a daily or long-term note: any mix of entries and prose, of line ends, with or without a BOM."""
    blocks = draw(
        st.lists(st.one_of(native_entries(), skill_entries(), assumptions(), PROSE, lines), min_size=0, max_size=7)
    )
    gap = draw(st.sampled_from(["\n", "\n\n"]))
    text = draw(FRONTS) + gap.join(blocks)
    if with_open_end and draw(st.integers(0, 5)) == 0:
        text += gap + draw(OPEN_ENDS)
    text += draw(st.sampled_from(["", "\n", "\n\n", "\n  \n", "\r"]))
    if draw(st.integers(0, 3)) == 0:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return draw(st.sampled_from(["", "", "\ufeff"])) + text


@st.composite
def topic_texts(draw: st.DrawFn) -> str:
    """The text of a topic note, ours or Claude Code's, flat or nested."""
    title = draw(st.sampled_from(["Bird box", '"Quoted: with a colon"', "'it''s'", "plain # remark"]))
    ours = f"id: {draw(ids)}\ntag: {draw(TAGS)}\ntitle: {title}\n"
    flat = f"name: {title}\ndescription: what: it is\ntype: feedback\n"
    nested = f"name: {title}\nmetadata: \n  node_type: memory\n  type: user\n"
    keys = draw(st.sampled_from([ours, ours, flat.replace("what: it is", "what it is"), nested]))
    more = draw(
        st.sampled_from(
            ["", "# remark\npinned: false  # on purpose\n", "aliases: [a, b]\n", "links:\n- x\n- y\n", "\n"]
        )
    )
    body = draw(st.one_of(st.just(""), texts))
    text = (
        f"---\n{keys}{more}---\n"
        + draw(st.sampled_from(["", "\n", "\n\n", "  \n"]))
        + body
        + draw(st.sampled_from(["", "\n", "\n\n"]))
    )
    if draw(st.integers(0, 3)) == 0:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text
