"""The plugin for opencode, run by Node with a program that stands for ours: what it asks and adds, when it is late.

That it works in the real opencode is shown by tests/e2e.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from remember_me.clients.base import Surroundings
from remember_me.clients.opencode import plugin

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not here")

PROGRAM = """#!{python}
import json, os, sys, time
event = sys.argv[3]
document = json.load(sys.stdin)
with open({log!r}, "a") as log:
    log.write(json.dumps([sys.argv[1:], document]) + "\\n")
mode = open({mode!r}).read() if os.path.exists({mode!r}) else ""
if mode == "hangs":
    time.sleep(30)
if mode == "fails":
    print('{{"additionalContext": "x"}}'); sys.exit(1)
if mode == "babbles":
    print("Traceback"); sys.exit(0)
if mode == "odd":
    print('{{"additionalContext": 7}}'); sys.exit(0)
if event in ("session-start", "prompt") and not (event == "prompt" and "quiet" in document["prompt"]):
    print(json.dumps({{"additionalContext": f"{{event}} of {{document['sessionID']}}"}}))
"""
DRIVER = """
const { RememberMe } = await import(process.env.PLUGIN)
const parents = { child: "main" }
const client = { session: { get: async ({ path }) => {
  if (path.id === "unknown") throw new Error("no such session")
  return { data: { id: path.id, parentID: parents[path.id] } }
} } }
const hooks = await RememberMe({ client, directory: process.cwd() })
const out = []
for (const [name, ...given] of JSON.parse(process.env.CALLS)) {
  const started = Date.now()
  const returned = name === "dispose" ? await hooks.dispose() : await hooks[name](...given)
  out.push({ given: given[1] ?? null, returned: returned ?? null, took: Date.now() - started })
}
console.log(JSON.stringify(out))
"""


class Plugin:
    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.log = tmp_path / "log"
        self.mode = tmp_path / "mode"
        self.program = tmp_path / "remember-me"
        self.program.write_text(PROGRAM.format(python=sys.executable, log=str(self.log), mode=str(self.mode)))
        self.program.chmod(0o755)
        around = Surroundings({}, tmp_path, str(self.program), Path("/the store"))
        (tmp_path / "plugin.mjs").write_bytes(plugin(around))
        (tmp_path / "driver.mjs").write_text(DRIVER)

    def call(self, *calls: list[Any], words: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        environ = {"PATH": os.environ["PATH"], "PLUGIN": str(self.folder / "plugin.mjs"), "CALLS": json.dumps(calls)}
        done = subprocess.run(
            [str(NODE), str(self.folder / "driver.mjs"), *words],
            cwd=self.folder, env=environ, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        found: list[dict[str, Any]] = json.loads(done.stdout)
        assert [one["returned"] for one in found] == [None] * len(calls)
        return found

    def asked(self) -> list[tuple[str, dict[str, Any]]]:
        """The events that our program was asked about, with what it was told."""
        rows = [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []
        for words, document in rows:
            assert words[:2] + words[3:] == ["hook", "opencode", "--store", "/the store"]
            assert document.pop("cwd") == str(self.folder)
        return [(words[2], document) for words, document in rows]


@pytest.fixture
def at(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


def event(kind: str, **properties: Any) -> list[Any]:
    return ["event", {"event": {"type": kind, "properties": properties}}]


def system(session: str | None, *texts: str) -> list[Any]:
    texts = texts or ("You are opencode",)
    return ["experimental.chat.system.transform", {"sessionID": session}, {"system": list(texts)}]


def message(session: str, *parts: dict[str, Any]) -> list[Any]:
    output = {"message": {"id": "msg_1", "sessionID": session}, "parts": list(parts)}
    return ["chat.message", {"sessionID": session}, output]


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def test_the_block_is_in_every_request_of_a_session_and_is_asked_for_once(at: Plugin) -> None:
    found = at.call(event("session.created", info={"id": "main"}), system("main"), system("main"))
    assert [one["given"] for one in found[1:]] == [{"system": ["You are opencode", "session-start of main"]}] * 2
    assert at.asked() == [("session-start", {"sessionID": "main", "interactive": True})]


def test_after_a_compaction_it_is_asked_for_anew(at: Plugin) -> None:
    compacting = ["experimental.session.compacting", {"sessionID": "main"}, {"context": []}]
    found = at.call(
        system("main"), compacting, system("main", "You are a context summarization agent. You"),
        event("session.compacted", sessionID="main"), system("main"),
    )  # fmt: skip
    assert found[1]["given"] == {"context": []}
    assert found[2]["given"] == {"system": ["You are a context summarization agent. You"]}
    assert found[4]["given"]["system"][1:] == ["session-start of main"]
    assert [name for name, _ in at.asked()] == ["session-start", "pre-compact", "session-start"]


def test_a_prompt_is_told_and_its_answer_goes_with_it(at: Plugin) -> None:
    parts = [text("Hello"), {"type": "file", "url": "x"}, text("made up", synthetic=True), text("there")]
    (found,) = at.call(message("main", *parts))
    *before, added = found["given"]["parts"]
    assert before == parts
    assert added.pop("id").startswith("prt_")
    assert added == {
        "sessionID": "main", "messageID": "msg_1", "type": "text", "text": "prompt of main", "synthetic": True,
    }  # fmt: skip
    told = {"sessionID": "main", "messageID": "msg_1", "prompt": "Hello\nthere", "interactive": True}
    assert at.asked() == [("session-start", {"sessionID": "main", "interactive": True}), ("prompt", told)]


def test_silence_adds_nothing(at: Plugin) -> None:
    (found,) = at.call(message("main", text("be quiet")))
    assert found["given"]["parts"] == [text("be quiet")]


@pytest.mark.parametrize(
    ("words", "interactive"),
    [((), True), (("run", "hi"), False), (("--print-logs", "run"), False), (("serve",), True)],
)
def test_a_run_without_a_person_is_told(at: Plugin, words: tuple[str, ...], interactive: bool) -> None:
    at.call(message("main", text("Hello")), words=words)
    assert [document["interactive"] for _, document in at.asked()] == [interactive] * 2


def test_of_a_subagent_nothing_is_told(at: Plugin) -> None:
    """Its prompts are the model's words, not the user's."""
    found = at.call(
        event("session.created", info={"id": "other", "parentID": "main"}), message("other", text("Remember that …")),
        message("child", text("Remember that …")), system("child"), event("session.idle", sessionID="child"),
    )  # fmt: skip
    assert [one["given"] for one in found[1:4]] == [
        message("other", text("Remember that …"))[2], message("child", text("Remember that …"))[2], system("child")[2],
    ]  # fmt: skip
    assert at.asked() == []


def test_a_session_of_which_nobody_knows_makes_no_receipt(at: Plugin) -> None:
    at.call(message("unknown", text("Remember that …")))
    assert [document["interactive"] for name, document in at.asked() if name == "prompt"] == [False]


def test_the_other_events(at: Plugin) -> None:
    at.call(
        event("session.idle", sessionID="main"), event("permission.asked", sessionID="main", id="x"),
        event("message.updated"), event("session.idle"), system("main"), event("session.deleted", info={"id": "main"}),
        system("second"), ["dispose"],
    )  # fmt: skip
    assert [name for name, _ in at.asked()] == [
        "stop", "permission", "stop", "session-start", "session-end", "session-start", "session-end",
    ]  # fmt: skip


def test_titles_and_agents_of_its_own_get_nothing(at: Plugin) -> None:
    title = "You are a title generator. You output ONLY a thread title."
    found = at.call(system("main", title), system(None), ["experimental.chat.system.transform", {}, {"system": []}])
    assert [one["given"]["system"] for one in found] == [[title], ["You are opencode"], []]
    assert at.asked() == []


def test_the_shell_of_the_agent_says_in_which_session_it_is(at: Plugin) -> None:
    found = at.call(["shell.env", {"sessionID": "main"}, {"env": {"A": "1"}}], ["shell.env", {}, {"env": {}}])
    assert [one["given"]["env"] for one in found] == [
        {"A": "1", "OPENCODE": "1", "OPENCODE_SESSION_ID": "main"}, {},
    ]  # fmt: skip


@pytest.mark.parametrize("mode", ["fails", "babbles", "odd"])
def test_what_is_no_answer_is_silence(at: Plugin, mode: str) -> None:
    at.mode.write_text(mode)
    found = at.call(system("main"), message("main", text("Hello")))
    assert found[0]["given"] == {"system": ["You are opencode"]}
    assert found[1]["given"]["parts"] == [text("Hello")]


def test_a_program_that_is_gone_or_whose_folder_is(at: Plugin) -> None:
    at.program.unlink()
    found = at.call(system("main"), message("main", text("Hello")), ["dispose"])
    assert found[0]["given"] == {"system": ["You are opencode"]}
    assert found[1]["given"]["parts"] == [text("Hello")]


def test_a_program_that_hangs_is_not_waited_for(at: Plugin) -> None:
    at.mode.write_text("hangs")
    started = time.monotonic()
    found = at.call(system("main"))
    assert found[0]["given"] == {"system": ["You are opencode"]}
    assert 1900 <= found[0]["took"] < 10_000
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("broken", [["event", {}], ["event", {"event": {"type": "session.created"}}],
    ["chat.message", {}, {}], ["experimental.chat.system.transform", {"sessionID": "x"}, {}],
    ["experimental.session.compacting", {}, {}], ["shell.env", {"sessionID": "x"}, {}]])  # fmt: skip
def test_another_form_of_an_event_breaks_nothing(at: Plugin, broken: list[Any]) -> None:
    at.call(broken)
