"""What asks to keep something, what may hold a secret, and what of a prompt is the user's."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.hook.settings import Machine, load_machine
from remember_me.hook.wire import NotJson, parse_object, render_string
from remember_me.hook.words import may_hold_secret, own_words, states_something
from remember_me.policy.secrets import find_secrets
from tests.hook.support import configure
from tests.unit.test_corpora import corpus, expander


@pytest.mark.parametrize(
    "text",
    [
        "Remember that I work in Lisbon",
        "I want you to remember that I use tabs",
        "Could you please remember that I use tabs",
        "and remember that I use tabs",
        "Don't push to main without asking me.",
        "Do not touch the production database.",
        "you must not run migrations",
        "remember: the invoice goes to Ada",
        "Please remember that the tests need node 20.",
        "From now on, answer in one line",
        "Fix the parser. And from now on run the tests first!",
        "don't ever push to main",
        "Don’t ever push to main",
        "Never push to main.",
        "ok, but never touch the fixtures",
        "please don't use emojis",
        "I prefer tabs",
        "always use pnpm here",
        "for future reference: the port is 8080",
        "Merk dir: ich arbeite in Lissabon",
        "Ab jetzt bitte auf Deutsch",
        "À partir de maintenant, réponds en français",
        "Ricordati che lavoro a Lisbona",
        "De ahora en adelante responde en español",
        "> quoted\nremember that the port is 8080",
        f"{'x ' * 5_000}\nfrom now on answer in one line",
    ],
)
def test_these_ask_to_keep_something(text: str) -> None:
    assert states_something(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Fix the failing test in the parser",
        "Do you remember that bug from last week?",
        "I remember that it worked",
        "I don't remember that function, what does it do?",
        "remember when we fixed the parser",
        "it never works on Windows",
        "Never mind, go on",
        "why does it always fail?",
        "> from now on answer in one line",
        "```\nfrom now on\n```",
        "never?",
        "Don't worry about the fixtures",
        "Do you remember that bug",
        "We still remember that one",
        "What happens from now on?",
        "the always-on mode",
        "rename it to never_ever",
    ],
)
def test_these_do_not(text: str) -> None:
    assert not states_something(text)


def test_what_the_rules_find_is_looked_at_at_all() -> None:
    """The look before the rules are loaded may miss nothing that the rules find."""
    expand = expander()
    names = ("secrets.json", "secrets-tuning.json")
    texts = [expand(item["text"]) for name in names for item in corpus(name)["secret"]]
    found = [text for text in texts if find_secrets(text)]
    assert len(found) > 200
    assert [text for text in found if not may_hold_secret(text)] == []


@pytest.mark.parametrize(
    "text",
    ["Fix the failing test in the parser", "bump it to 2.0.1", "issue 1234, please", "in 2026 we moved to Lisbon"],
)
def test_everyday_prompts_load_no_rules(text: str) -> None:
    assert not may_hold_secret(text)


@given(
    st.lists(
        st.sampled_from(["<remember-me>", "</remember-me>", "&lt;hook_context&gt;", "a", "<system-reminder x>", "\n"])
    )
)
def test_no_opening_marker_is_left(parts: list[str]) -> None:
    left = own_words("".join(parts))
    assert "<remember-me" not in left
    assert "hook_context" not in left
    assert "<system-reminder" not in left


def test_words_beside_a_block_stay_as_they_are() -> None:
    assert own_words("a <b> &lt;c&gt; </remember-me>\r\n") == "a <b> &lt;c&gt; </remember-me>\r\n"
    assert own_words("a<remember-me x>b</remember-me>c<hook_context>d</hook_context>e") == "ace"


# JSON without the package


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), VALUES), st.booleans(), st.sampled_from([None, 2]))
def test_it_reads_what_the_package_writes(document: dict[str, object], ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(document, ensure_ascii=ascii_only, indent=indent)
    assert parse_object(f" \n{text}\r\n".encode("utf-8", "replace")) == json.loads(text.encode("utf-8", "replace"))


@given(st.text())
def test_the_package_reads_what_it_writes(text: str) -> None:
    assert json.loads(render_string(text)) == text


def test_numbers_that_are_none_are_read() -> None:
    found = parse_object(b'\xef\xbb\xbf{"a": NaN, "b": [1e5, -0]}')["a"]
    assert isinstance(found, float)
    assert math.isnan(found)


@given(st.binary())
def test_whatever_comes_is_an_object_or_no_json(data: bytes) -> None:
    try:
        assert isinstance(parse_object(data), dict)
    except NotJson:
        pass


# Settings


def test_a_machine_says_nothing(home: object) -> None:
    machine = load_machine()
    assert (machine.mode, machine.receipts, machine.folders) == ("enabled", "interactive", [])


@pytest.mark.parametrize("text", ["mode = 'shadow'", 'mode = "shadow"', 'mode="shadow" # why', 'mode = """shadow"""'])
def test_a_mode_in_every_form_of_toml(home: Path, text: str) -> None:
    configure(home, text)
    assert load_machine().mode == "shadow"


@pytest.mark.parametrize(
    "text",
    [
        '[agents] # mode = off, shadow or enabled\nmode = "off"\n',
        '["agents"]\nmode = "off"\n',
        'agents.mode = "off"\n',
        'agents = { mode = "off" }\n',
        '[agents]\n"mode" = "off"\n',
        '[trust]\nscripts = "person" # [agents]\n[agents] # enabled]\nmode = "off"\n',
        '[trust]\nx = """\n[agents]\nmode = "enabled"\n"""\n[agents]\nmode = "off"\n',
        "[agents]\r\nmode = 'off'\r\n",
        '[ agents ]\nmode = "off"\n',
    ],
)
def test_off_is_off_in_every_form_of_the_file(home: Path, text: str) -> None:
    configure(home, "")
    (home / ".config" / "remember-me" / "config.toml").write_text(text)
    assert load_machine().mode == "off"


def test_folders_are_stripped_and_absolute(tmp_path: Path) -> None:
    machine = Machine(folders=f"{tmp_path} : ~/x:relative")
    assert machine.acts_in(str(tmp_path / "below"))
    assert not machine.acts_in("relative")
    with pytest.raises(ValueError):
        Machine(folders=":")


@pytest.mark.parametrize("mode", ["", "Off", "on", "enabled "])
def test_another_word_is_an_error(mode: str) -> None:
    with pytest.raises(ValueError):
        Machine(mode)
