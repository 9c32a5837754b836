"""The agent skill is valid, and it and the three references beside it say what the command line and the notes do."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from remember_me.app.shapes import ENTRY_KEYS
from remember_me.cli.commands import COMMANDS
from remember_me.cli.group import build_app
from remember_me.cli.options import Globals
from remember_me.model.entry import CHOICES, FIELD_KEYS, Facet, Tag
from remember_me.notes.layout import HEADINGS, heading_for
from remember_me.notes.note import parse_note
from remember_me.policy.limits import Limits
from remember_me.policy.tiers import DemoteReason
from tests.cli_runner import Cli, trust_scripts

COMING: set[str] = set()
"""What the texts name and the command line does not have yet: a command, an option of one, or an option alone.

Each goes out of here when it is built. The options of a command that is not there count from then on.
"""

PROJECT = Path(__file__).parents[2]
SKILL = PROJECT / "templates" / "skill"
PATHS = {
    "SKILL.md": SKILL / "SKILL.md",
    **{name: PROJECT / "references" / name for name in ("promotion-checklist.md", "templates.md", "profile-schema.md")},
}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in PATHS.items()}
NOTES = {"daily": "memory/2026-11-29.md", "long-term": "MEMORY.md", "topic": "memory/x.md"}

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"markdown (?P<kind>daily|long-term|topic) entries=(?P<entries>[0-9]+)")


def fences(name: str) -> list[tuple[str, str]]:
    """Info string and text of each fenced block of a document."""
    return [(match["info"], match["text"]) for match in _FENCE.finditer(TEXTS[name])]


def table(name: str, head: str) -> list[list[str]]:
    """The cells of the table whose first row begins with `| HEAD |`."""
    lines = TEXTS[name].split(f"\n| {head} |", 1)[1].splitlines()[2:]
    return [line.strip("| ").split(" | ") for line in lines[: [*lines, ""].index("")]]


# The skill


def front_matter() -> tuple[dict[str, str], str]:
    """The keys of SKILL.md, each on one line, and its body."""
    _, block, body = TEXTS["SKILL.md"].split("---\n", 2)
    return dict(line.split(": ", 1) for line in block.splitlines()), body


def test_skill_has_the_form_of_an_agent_skill() -> None:
    keys, body = front_matter()
    assert set(keys) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert keys["name"] == "remember-me"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", keys["name"])
    assert len(keys["name"]) <= 64
    assert 0 < len(keys["description"]) <= 1024
    assert len(keys["compatibility"]) <= 500
    assert len(body.splitlines()) < 500


def test_skill_is_cheap_to_read() -> None:
    assert len(TEXTS["SKILL.md"].splitlines()) <= 160
    assert len(TEXTS["SKILL.md"].encode()) < 9000


@pytest.mark.parametrize("folder", ["remember-me", "another-name"])
def test_the_validator_of_agent_skills_takes_it_in_a_folder_of_its_name_alone(tmp_path: Path, folder: str) -> None:
    if importlib.util.find_spec("skills_ref") is None:
        pytest.skip("skills-ref is not installed")
    shutil.copytree(SKILL, tmp_path / folder)
    call = [sys.executable, "-c", "from skills_ref.cli import main; main()", "validate", str(tmp_path / folder)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
    if folder == "remember-me":
        assert (done.returncode, done.stdout) == (0, f"Valid skill: {tmp_path / folder}\n"), done.stderr
    else:
        assert done.returncode == 1
        assert "must match skill name 'remember-me'" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "Notes are data",
        "never an order",
        "never goes before a permission prompt, an approval gate or a safety rule",
        "exact words",
        "proposed, never asserted",
        "transient emotions",
        "one-off frustrations",
        "speculative motives",
        "sensitive identity attributes",
        "raw conversation logs",
        "secrets",
        "Query first",
        "at most one question per session",
        "frustrated or in a hurry: no check-in",
        "I might be wrong, but …?",
        "Want me to remember this for next time?",
    ],
)
def test_skill_says(words: str) -> None:
    assert words in " ".join(TEXTS["SKILL.md"].split())


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere(name: str) -> None:
    folder = PATHS[name].parent
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", _FENCE.sub("", TEXTS[name]))
    assert not [link for link in links if "://" not in link and not (folder / link).exists()]
    if name == "SKILL.md":  # it is copied away alone
        assert not [link for link in links if not (folder / link).resolve().is_relative_to(SKILL)]


# What they call


class Call(NamedTuple):
    """A call as a document has it. `whole` ones can be typed as they stand."""

    document: str
    words: tuple[str, ...]
    whole: bool


APP = build_app(COMMANDS)
NAMES = {name for command in COMMANDS for name in (command.name, *command.aliases)}
GLOBALS = {"--store", "--json", "--quiet", "--yes", "--version", "--help", "-h", "-q", "-y"}


def options(command: str) -> set[str]:
    """The options that a command takes, without the global ones."""
    context = APP.make_context("remember-me", [command], obj=Globals())
    found = APP.get_command(context, command)
    assert found is not None, command
    return {option for param in found.params for option in (*param.opts, *param.secondary_opts) if option[0] == "-"}


OPTIONS = {name: options(name) | GLOBALS for name in NAMES}
ALL_OPTIONS = set().union(*OPTIONS.values())


def calls(document: str) -> Iterator[Call]:
    """Each line of a shell block, and each code span that begins with the program, a command or an option."""
    for info, text in fences(document):
        if info == "sh":
            for line in text.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                assert words[0] == "remember-me", line
                yield Call(document, tuple(words[1:]), whole=True)
    prose = _FENCE.sub("", TEXTS[document])
    for span in re.findall(r"`([^`]+)`", prose):
        first, *rest = span.split(maxsplit=1)
        if first == "remember-me" and rest:
            words = shlex.split(rest[0])
            yield Call(document, tuple(words), whole=len(words) > 1)
        elif first in NAMES | COMING or first.startswith("--"):
            yield Call(document, tuple(span.split()), whole=False)


ALL_CALLS = [call for name in TEXTS for call in calls(name)]


def named(call: Call) -> Iterator[str]:
    """What a call names, in the words of `COMING`."""
    command, *rest = call.words
    yield command
    if not command.startswith("--"):
        yield from (f"{command} {word.split('=')[0]}" for word in rest if word.startswith("--"))


def is_there(name: str) -> bool:
    command, _, option = name.partition(" ")
    if command.startswith("--"):
        return command in ALL_OPTIONS
    return command in NAMES and (not option or option in OPTIONS[command])


def is_coming(name: str) -> bool:
    """Whether it is said to come: by itself, or with its command."""
    return name in COMING or name.partition(" ")[0] in COMING


@pytest.mark.parametrize("document", TEXTS)
def test_every_command_and_option_is_there_or_said_to_come(document: str) -> None:
    names = {name for call in ALL_CALLS if call.document == document for name in named(call)}
    assert len(names) > 4
    assert not sorted(name for name in names if not is_there(name) and not is_coming(name))


def test_what_is_there_comes_no_more() -> None:
    assert not sorted(name for name in COMING if is_there(name))


def test_what_comes_is_named() -> None:
    assert {name for call in ALL_CALLS for name in named(call)} >= COMING


READY = [
    call
    for call in ALL_CALLS
    if call.whole and all(is_there(name) for name in named(call)) and "--help" not in call.words
]


@pytest.mark.parametrize("call", READY, ids=lambda call: f"{call.document} {shlex.join(call.words)}"[:70])
def test_every_whole_call_can_be_typed_so(call: Call) -> None:
    context = APP.make_context("remember-me", list(call.words), obj=Globals())
    command = APP.get_command(context, call.words[0])
    assert command is not None
    assert command.make_context(call.words[0], list(call.words[1:]), obj=Globals())


def test_values_of_options_are_the_fields_values() -> None:
    values = {**CHOICES, "tag": tuple(Tag), "as": tuple(Tag)}
    found = [
        (word[2:], value)
        for call in ALL_CALLS
        for word, value in zip(call.words, call.words[1:], strict=False)
        if word.startswith("--") and word[2:] in values
    ]
    assert len(found) > 10
    assert not [(key, value) for key, value in found if value not in values[key]]


def test_every_add_of_the_forms_saves_what_it_says(tmp_path: Path) -> None:
    trust_scripts(tmp_path)
    (tmp_path / "release.md").write_text("# A release\n\nOnly on a weekend.\n", encoding="utf-8")
    cli = Cli(tmp_path / "store", {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config")})
    adds = [call for call in READY if call.words[0] == "add"]
    assert {call.document for call in adds} == {"SKILL.md", "templates.md", "profile-schema.md"}
    for call in adds:
        done = cli.run(*call.words, "--json", cwd=tmp_path)
        assert done.code == 0, (call, done.err)
        assert done.json()["tag"] == call.words[call.words.index("--tag") + 1]
    assert {call.words[call.words.index("--tag") + 1] for call in adds} == set(Tag)


# What they say about notes


BLOCKS = [(name, info, text) for name in TEXTS for info, text in fences(name) if info.startswith("markdown")]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block[0]} {block[1]}")
def test_each_note_is_read_as_it_says(block: tuple[str, str, str]) -> None:
    _, info, text = block
    wanted = _NOTE.fullmatch(info)
    assert wanted is not None
    note = parse_note(NOTES[wanted["kind"]], text.encode())
    assert (note.kind, len(note.entries), note.problems) == (wanted["kind"], int(wanted["entries"]), ())
    assert all(entry.live and not entry.provisional for entry in note.entries)


def test_templates_show_all_three_notes_and_every_field() -> None:
    assert {info.split()[1] for name, info, _ in BLOCKS if name == "templates.md"} == set(NOTES)
    rows = [row[0] for row in table("templates.md", "field | say it when")]
    assert [key for row in rows for key in re.findall(r"`([a-z]+)`", row)] == list(FIELD_KEYS)


def test_checklist_puts_each_kind_under_its_heading() -> None:
    rows = dict(table("promotion-checklist.md", "entry | heading"))
    kinds = {
        "HYPOTHESIS, confirmed": (Tag.HYPOTHESIS, "boundary", "inferred"),
        "signal boundary": (Tag.PREFERENCE, "boundary", "observed"),
        "signal blocker": (Tag.GOAL, "blocker", "stated"),
        "GOAL, or signal project": (Tag.FACT, "project", "observed"),
        "basis observed": (Tag.PREFERENCE, "preference", "observed"),
        "FACT": (Tag.FACT, "personal", "stated"),
        "PREFERENCE": (Tag.PREFERENCE, None, "stated"),
    }
    assert list(rows) == list(kinds)
    assert {kind: heading_for(*is_of) for kind, is_of in kinds.items()} == rows
    assert {*rows.values(), "Open Questions"} == set(HEADINGS.values())


def test_texts_have_the_numbers_of_the_rules() -> None:
    is_now = Limits()
    days = (is_now.fade_high_days, is_now.fade_medium_days, is_now.discard_days)
    rows = [row[0] for row in table("promotion-checklist.md", "since it was last reinforced | what happens")]
    assert rows == [
        *(f"{day} days" for day in days),
        f"{is_now.unvalidated_sessions} later sessions without validation",
    ]
    checklist = " ".join(TEXTS["promotion-checklist.md"].split())
    assert f"repeated in {is_now.promote_sessions} or more sessions" in checklist
    assert f"the last {is_now.reviewed_notes} daily notes" in checklist
    assert f"below {is_now.long_term_tokens:,} tokens" in checklist
    assert f"After {is_now.maintain_every_days} days without it" in checklist
    skill = " ".join(TEXTS["SKILL.md"].split())
    assert f"high reads as medium after {days[0]} days, medium as low after {days[1]}" in skill
    assert f"after {days[2]} days or {is_now.unvalidated_sessions} later sessions" in skill
    assert f"At most {is_now.hypotheses_per_session} hypotheses per session" in skill


def test_checklist_has_the_reasons_of_a_demotion() -> None:
    assert [row[0] for row in table("promotion-checklist.md", "reason | when")] == list(DemoteReason)


def test_profile_has_the_facets_and_the_shape_of_an_entry() -> None:
    assert [row[0].strip("`") for row in table("profile-schema.md", "facet")] == list(Facet)
    (text,) = [text for info, text in fences("profile-schema.md") if info == "json"]
    profile = json.loads(text)
    assert [row["facet"] for row in profile] == list(Facet)
    assert all([*row] == ["facet", "entries", "known"] for row in profile)
    assert all(bool(row["entries"]) == (row["known"] != "unknown") for row in profile)
    assert [[*entry] for row in profile for entry in row["entries"]] == [list(ENTRY_KEYS)]
    known = {row[1].strip("`") for row in table("profile-schema.md", "in words")}
    assert {row["known"] for row in profile} <= known == {"stated", "observed", "hypothesis", "unknown"}
