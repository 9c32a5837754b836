"""Our hooks in a client's settings: beside those of others, once, and out again to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.clients.base import CannotMerge, Surroundings
from remember_me.clients.claude_code import EVENTS, groups
from remember_me.clients.hooks import HookFile, is_ours, our_hooks, put_member_back, set_member

PATH = Path("/home/ada/.claude/settings.json")
NAME = "claude-code"


def hook_file(command: str = "/opt/bin/remember-me", store: str | None = None) -> HookFile:
    around = Surroundings({}, Path("/home/ada"), command, Path(store) if store else None)
    return HookFile(PATH, NAME, groups(around, NAME, EVENTS))


OTHER = {"hooks": [{"type": "command", "command": "other-tool start"}]}
OURS = hook_file().document["hooks"]
LAYOUTS = {
    "no hooks": '{\n  "model": "opus",\n  "permissions": {"allow": ["Bash(ls:*)"]}\n}\n',
    "no final line end": '{\n  "model": "opus"\n}',
    "CRLF and a BOM": '\ufeff{\r\n  "model": "opus"\r\n}\r\n',
    "tabs": '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": []}\n\t\t]\n\t}\n}\n',
    "one line": '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}',
    "one line with spaces": '{"model": "opus", "n": [1, 2]}\n',
    "empty": "{}",
    "empty with a line": "{\n}\n",
    "hooks are empty": '{\n  "hooks": {}\n}\n',
    "hooks are empty with a line": '{\n  "hooks": {\n  }\n}\n',
    "an event is empty": '{\n  "hooks": {\n    "Stop": []\n  },\n  "model": "opus"\n}\n',
    "others": json.dumps({"hooks": {"SessionStart": [OTHER], "Other": [OTHER]}, "z": 1}, indent=4) + "\n",
    "unknown keys and long numbers": '{"a": 1e400, "b": 12345678901234567890.10, "\\u0063": "\\/", "hooks": {}}',
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_in_and_out_again_gives_the_bytes_of_before(name: str) -> None:
    before = LAYOUTS[name].encode()
    file = hook_file()
    changed = file.add(before)
    document = json.loads(changed.decode("utf-8-sig"))
    for event in EVENTS:
        assert document["hooks"][event][-1] == OURS[event][0]
    assert file.add(changed) == changed
    assert file.remove(changed, file.memo(before)) == before


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_another_tool_adds_meanwhile_stays(name: str) -> None:
    before = LAYOUTS[name].encode()
    file = hook_file()
    later = HookFile(PATH, "codex", {"Stop": {"hooks": [{"command": "remember-me hook codex stop"}]}})
    both = later.add(file.add(before))
    left = file.remove(both, file.memo(before))
    assert left is not None
    assert json.loads(left.decode("utf-8-sig"))["hooks"]["Stop"][-1] == later.groups["Stop"]
    assert later.remove(left, later.memo(before)) in (before, later.remove(later.add(before), later.memo(before)))


def test_no_file_is_made_and_gone() -> None:
    file = hook_file()
    made = file.add(None)
    assert made == (json.dumps({"hooks": OURS}, indent=2) + "\n").encode()
    assert file.remove(made, file.memo(None)) is None
    assert file.remove(made, ()) == b"{}\n"
    assert file.add(b"") == file.add(b" \n") == made
    assert file.remove(made, file.memo(b" \n")) == b""


@pytest.mark.parametrize(
    "old",
    [
        hook_file("/old/remember-me").document["hooks"]["Stop"][0],
        {"hooks": [{"type": "command", "command": "remember-me hook claude-code stop", "timeout": 60}]},
        {"hooks": [{"type": "command", "command": "'/a b/remember-me' --store /s hook claude-code stop"}]},
        {"hooks": [{"type": "command", "command": "python -m remember_me hook claude-code stop"}]},
        {"hooks": [{"type": "command", "command": "/x/remember-me", "args": ["hook", "claude-code", "stop"]}]},
        {"hooks": [{"type": "command", "command": "C:\\\\bin\\\\remember-me.exe hook claude-code stop"}]},
        {"hooks": [{"type": "command", "command": "'/a;b/remember-me' hook claude-code stop --store='/a|b\n> $(c)'"}]},
        {"hooks": [{"type": "command", "command": '"$HOME/bin/remember-me" hook claude-code old-event'}]},
        {"matcher": "x", **OURS["Stop"][0]},
    ],
)
def test_an_older_entry_of_ours_is_replaced_where_it_stands(old: object) -> None:
    before = json.dumps({"hooks": {"Stop": [old, OTHER]}}, indent=2).encode()
    changed = json.loads(hook_file().add(before))
    assert changed["hooks"]["Stop"] == [OURS["Stop"][0], OTHER]
    left = hook_file().remove(before, ())
    assert left is not None
    assert json.loads(left) == {"hooks": {"Stop": [OTHER]}}


def test_of_several_one_is_left() -> None:
    ours, old = OURS["Stop"][0], hook_file("/old/remember-me").groups["Stop"]
    before = json.dumps({"hooks": {"Stop": [old, OTHER, ours, old], "PostToolUse": [old]}}, indent=2).encode()
    changed = json.loads(hook_file().add(before))
    assert changed["hooks"]["Stop"] == [OTHER, ours]
    assert changed["hooks"]["PostToolUse"] == []


def test_the_place_of_ours_is_found_again_once_doubles_are_out() -> None:
    """The numbers of groups shift while doubles go: what then stands at the old number is another tool's."""
    old, older = (hook_file(f"/{name}/remember-me").groups["SessionStart"]["hooks"][0] for name in ("old", "older"))
    precious = {"hooks": [{"type": "command", "command": "precious other tool"}]}
    for more in ([precious], []):
        before = {"hooks": {"SessionStart": [{"hooks": [old, older]}, {"hooks": [old]}, *more]}}
        changed = json.loads(hook_file().add(json.dumps(before).encode()))
        assert changed["hooks"]["SessionStart"] == [*OURS["SessionStart"], *more]


def test_one_group_with_anothers_hook_is_shared() -> None:
    shared = {"hooks": [*OTHER["hooks"], *OURS["Stop"][0]["hooks"]]}
    before = json.dumps({"hooks": {**OURS, "Stop": [shared]}}, indent=2).encode()
    assert hook_file().add(before) == before
    left = hook_file().remove(before, ())
    assert left is not None
    assert json.loads(left) == {"hooks": {"Stop": [OTHER]}}
    newer = json.loads(hook_file("/new/remember-me").add(before))
    assert newer["hooks"]["Stop"] == [OTHER, hook_file("/new/remember-me").groups["Stop"]]


@pytest.mark.parametrize(
    "hook",
    [
        {"command": "remember-me hook codex stop"},
        {"command": "remember-me recall"},
        {"command": "echo remember-me-hook claude-code stop"},
        {"command": "my-remember-me hook claude-code stop"},
        {"command": ["remember-me", "hook", "claude-code"]},
        {"command": 7},
        "remember-me hook claude-code stop",
        None,
        {"command": "remember-me hook claude-code stop", "bash": "my-sync --now"},
        {"command": "remember-me hook claude-code stop", "powershell": None},
        {"command": "/x/remember-me", "args": ["hook", "claude-code", "stop", "--now"]},
        {"command": "/x/remember-me", "args": ["hook", "claude-code", 7]},
        *(
            {"command": f"remember-me hook claude-code stop{more}"}
            for more in (
                "; my-sync --now",
                ";my-sync",
                " && my-sync",
                " || my-sync",
                " | my-sync",
                " &",
                "\nmy-sync",
                "\r\nmy-sync",
                " > /tmp/log",
                ">log",
                " 2>&1",
                " < in",
                " --store /a;my-sync",
                " --store /a&my-sync",
                " --store $(my-sync)",
                ' --store "$(my-sync)"',
                " --store `my-sync`",
                ' --store "`my-sync`"',
                " --store\n/a",
                " # mine",
                " x",
                " --store",
                " --store /a --store /b",
                " '",
                "\\\nmy-sync",
            )
        ),
        *(
            {"command": f"{before}remember-me hook claude-code stop"}
            for before in (
                "REMEMBER_ME_HOME=/a ",
                "env A=1 ",
                "sh -c ",
                "my-sync; ",
                "my-sync && ",
                "(",
                "exec ",
                "time ",
            )
        ),
        {"command": "python -m other remember_me hook claude-code stop"},
        {"command": "python script.py -m remember_me hook claude-code stop"},
        {"command": "remember-me --quiet hook claude-code stop"},
        {"command": "remember-me hook claude-code"},
        {"command": ""},
    ],
)
def test_what_is_not_ours(hook: object) -> None:
    assert not is_ours(hook, NAME)
    before = json.dumps({"hooks": {"Stop": [{"hooks": [hook]}, hook]}}).encode()
    assert our_hooks(before, NAME) == []
    assert json.loads(hook_file().add(before))["hooks"]["Stop"] == [{"hooks": [hook]}, hook, *OURS["Stop"]]
    assert hook_file().remove(before, ()) == before


def test_our_hooks_say_where_they_stand_and_what_they_run() -> None:
    stop = OURS["Stop"][0]["hooks"][0]
    document = {"hooks": {"Stop": [OTHER, {"hooks": [*OTHER["hooks"], stop]}], "SessionEnd": [{"bash": "x"}, {
        "bash": "'/a b/remember-me' --store '/s t' hook claude-code session-end"}], "Other": {"hooks": [stop]},
    }}  # fmt: skip
    found = [
        ("Stop", 1, 1, ("/opt/bin/remember-me", "hook", "claude-code", "stop")),
        ("SessionEnd", 1, 0, ("/a b/remember-me", "--store", "/s t", "hook", "claude-code", "session-end")),
    ]
    text = json.dumps(document)
    for form in (document, text, f"\ufeff{text}", text.encode(), f"\ufeff{text}".encode()):
        assert our_hooks(form, NAME) == found
    assert our_hooks(text, "codex") == []
    for broken in (b"", b"\xff", "{", "[]", '{"hooks": []}', "[" * 100_000, '{"a": ' + "1" * 5000 + "}"):
        assert our_hooks(broken, NAME) == []


_PROGRAMS = st.sampled_from(["/opt/bin/remember-me", "/old/remember-me", "remember-me", "'/a b/remember-me'"])
_OUR_HOOKS = st.builds(
    lambda program, event, store, seconds: {
        "type": "command", "command": f"{program} hook claude-code {event}{store}", "timeout": seconds,
    },
    _PROGRAMS, st.sampled_from(sorted({*EVENTS.values(), "gone"})), st.sampled_from(["", " --store /s"]),
    st.sampled_from([2, 5, 60]),
)  # fmt: skip
_OTHER_HOOKS = st.builds(
    lambda command: {"type": "command", "command": command},
    st.sampled_from(["other", "x", "remember-me hook codex stop", "remember-me hook claude-code stop; my-sync"]),
)
_GROUPS = st.builds(
    lambda matcher, hooks: {**matcher, "hooks": hooks},
    st.sampled_from([{}, {"matcher": "startup|resume|clear|compact"}, {"matcher": "mine"}]),
    st.lists(_OUR_HOOKS, min_size=1, max_size=2)
    | st.lists(_OTHER_HOOKS, max_size=2)
    | st.lists(_OUR_HOOKS | _OTHER_HOOKS, max_size=4),
)
_FILES = st.dictionaries(
    st.sampled_from(["SessionStart", "Stop", "PostToolUse"]),
    st.lists(_GROUPS, min_size=2, max_size=4),
    min_size=1,
    max_size=2,
)


def others(data: bytes | None) -> dict[str, list[object]]:
    """The hooks of others by their events, in their order."""
    events = json.loads(data or b"{}").get("hooks", {})
    found = {
        event: [hook for group in groups for hook in group["hooks"] if not is_ours(hook, NAME)]
        for event, groups in events.items()
    }
    return {event: hooks for event, hooks in found.items() if hooks}


@given(_FILES, st.sampled_from([None, 2, "\t"]))
def test_whatever_is_mixed_others_stay_and_ours_is_there_once(
    hooks: dict[str, list[object]], indent: int | str | None
) -> None:
    before = json.dumps({"hooks": hooks}, indent=indent).encode()
    file = hook_file()
    changed = file.add(before)
    assert others(changed) == others(before)
    assert [row.event for row in sorted(our_hooks(changed, NAME))] == sorted(EVENTS)
    found = json.loads(changed)["hooks"]
    for event, group, number, _ in our_hooks(changed, NAME):
        assert found[event][group]["hooks"][number] == OURS[event][0]["hooks"][0]
    assert file.add(changed) == changed
    for data in (before, changed):
        left = file.remove(data, file.memo(before))
        assert others(left) == others(before)
        assert our_hooks(left or b"", NAME) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1,}', "has a comma too many in line 1"),
        ('{\n  // mine\n  "a": 1}', "has a comment in line 2"),
        ('{"a": ', "is no valid JSON at line 1, column 7"),
        ("[]", "holds no JSON object"),
        ('"x"', "holds no JSON object"),
        ('{"hooks": []}', "has hooks as something else than an object"),
        ('{"hooks": null}', "has hooks as something else than an object"),
        ('{"hooks": {"Stop": {}}}', "has hooks.Stop as something else than a list"),
        ('{"hooks": {}, "hooks": {}}', 'has "hooks" twice'),
        ('{"hooks": {"Stop": [], "Stop": []}}', 'has "Stop" twice'),
        ('{"hooks": {"Stop": [' + "1" * 5000 + "]}}", "holds a number that is too long"),
        ('{"hooks": {"Stop": [' + "[" * 3000 + "]" * 3000 + "]}}", "nests too deeply"),
        (b"\xff\xfe{\x00}\x00", "is no UTF-8"),
    ],
)
def test_what_cannot_be_changed_is_left_alone(text: str | bytes, reason: str) -> None:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(CannotMerge) as refused:
        hook_file().add(data)
    assert str(refused.value) == f"{PATH} {reason}; it was left alone."
    assert json.loads(refused.value.snippet) == {"hooks": OURS}
    assert refused.value.exit_code == 7
    assert hook_file().remove(data, ()) == data
    assert hook_file().memo(data) == () or text == '{"hooks": {}, "hooks": {}}'


def test_out_of_a_broken_file_with_ours_in_it_is_refused() -> None:
    with pytest.raises(CannotMerge, match="has a comment in line 1"):
        hook_file().remove(b'{ /* */ "hooks": {"Stop": "remember-me hook claude-code stop"}}', ())


def test_a_store_is_named_in_the_command() -> None:
    group = hook_file(store="/a b/store").groups["Stop"]
    assert group["hooks"][0]["command"] == "/opt/bin/remember-me hook claude-code stop --store '/a b/store'"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)
       | st.dictionaries(st.sampled_from(["hooks", "Stop", "SessionStart", "command", "x"]), inner, max_size=3)),
       st.sampled_from([None, 1, 2, "\t"]), st.sampled_from(["\n", "\r\n"]))  # fmt: skip
def test_any_settings_come_back_or_are_refused(document: object, indent: int | str | None, newline: str) -> None:
    before = json.dumps(document, indent=indent).replace("\n", newline).encode()
    file = hook_file()
    try:
        changed = file.add(before)
    except CannotMerge:
        return
    assert file.add(changed) == changed
    assert file.remove(changed, file.memo(before)) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "k": false\n}\n'),
        ('{"k": true, "a": 1}', '{"k": false, "a": 1}'),
        ('{"k" : "maybe"}', '{"k" : false}'),
        ('{"k": false}', '{"k": false}'),
    ],
)
def test_a_setting_is_set_and_put_back(before: str, after: str) -> None:
    changed, old = set_member(before.encode(), "k", False)
    assert changed.decode() == after
    assert before == after or put_member_back(changed, "k", False, old).decode() == before
    for by_hand in (after.replace("false", value).encode() for value in ("7", "1" * 5000)):
        assert put_member_back(by_hand, "k", False, old) == by_hand
