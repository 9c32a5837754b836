"""What each event of a client does: what its agent is told, what is kept, and what is not."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from remember_me.app.aftersession import DUE_LINE
from tests.cli_runner import Cli, command_line
from tests.hook.support import (
    CLIENTS,
    EVENTS,
    PINNED,
    PLATFORM,
    Agent,
    configure,
    document,
    log_of,
    queue,
    receipts,
    rows,
)

LINE = f"abcd11 FACT {PLATFORM}\n"
SAYS = "From now on answer in one line"


@pytest.fixture(params=CLIENTS)
def agent(request: pytest.FixtureRequest, cli: Cli, work: Path) -> Agent:
    return Agent(cli, request.param, work)


@pytest.fixture
def claude(cli: Cli, work: Path) -> Agent:
    return Agent(cli, "claude-code", work)


def comes(what: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it becomes true: it is the work of a detached process."""
    until = time.monotonic() + seconds
    while not what() and time.monotonic() < until:
        time.sleep(0.05)
    return what()


# What the agent is told


def test_a_session_begins_with_the_block(agent: Agent) -> None:
    told = agent.told("session-start")
    assert told == agent.cli.run("recall", "--cwd", str(agent.cwd)).ok().out
    assert told.startswith("<remember-me ")
    assert told.endswith("</remember-me>\n")
    assert LINE in told
    assert f"abcd22 PREFERENCE {PINNED}\n    With a body\n" in told


def test_a_prompt_brings_what_the_session_has_not_seen(agent: Agent) -> None:
    prompt = "Which platform do the trains leave from?"
    told = agent.told("prompt", prompt=prompt)
    assert told.startswith("<remember-me>\n")
    assert told.endswith(f"\n{LINE}</remember-me>\n")
    assert agent.told("prompt", prompt=prompt) == ""
    assert agent.told("prompt", prompt="Please fix the failing test in the parser") == ""
    agent.session = "s2"
    assert LINE in agent.told("session-start")
    assert agent.told("prompt", prompt=prompt) == ""


def test_what_was_saved_since_the_start_comes_with_its_prompt(claude: Agent) -> None:
    claude.told("session-start")
    new = claude.cli.run("add", "--quiet", "--tag", "FACT", "The gotenberg server").ok().out.strip()
    assert f"{new} FACT The gotenberg server\n" in claude.told("prompt", prompt="is the gotenberg server up?")


def test_no_more_than_three_at_once_and_the_rest_with_the_next_prompt(cli: Cli, claude: Agent) -> None:
    lines = "".join(f"- FACT: Gotenberg{n} ^abce1{n}\n  - aliases: gotenberg\n" for n in range(5))
    (cli.store / "memory" / "2026-01-15.md").write_text(lines)
    cli.run("recall", "--cwd", str(claude.cwd)).ok()
    first, second = (claude.told("prompt", prompt="gotenberg") for _ in range(2))
    assert [f"abce1{n}" in first for n in range(5)] == [True, True, True, False, False]
    assert [f"abce1{n}" in second for n in range(5)] == [False, False, False, True, True]


def test_words_that_ask_to_keep_something_bring_the_way_to_do_it(agent: Agent) -> None:
    told = agent.told("prompt", prompt=SAYS)
    assert told == (
        "<remember-me>\nIf the user states here what they want remembered, save it in their own words and tell them so"
        " in one line: remember-me add 'TEXT' --tag FACT|PREFERENCE|GOAL --quote 'THEIR EXACT WORDS'\n</remember-me>\n"
    )


@pytest.mark.parametrize("event", ["pre-compact", "stop", "session-end", "permission"])
def test_the_other_events_say_nothing(agent: Agent, event: str) -> None:
    assert agent.fires(event).out == ""


@pytest.mark.parametrize("client", CLIENTS)
def test_after_a_compaction_the_block_is_there_again(cli: Cli, work: Path, client: str) -> None:
    """Some clients start the session anew; with the others it comes with the next prompt."""
    agent = Agent(cli, client, work)
    agent.told("session-start")
    agent.fires("pre-compact", trigger="manual")
    assert LINE in agent.told("prompt", prompt="Go on with the parser")
    assert agent.told("prompt", prompt="Go on with the parser") == ""


def test_where_a_start_follows_the_compaction_the_block_comes_once(claude: Agent) -> None:
    claude.told("session-start")
    claude.fires("pre-compact")
    assert LINE in claude.told("session-start", source="compact")
    assert claude.told("prompt", prompt="Go on with the parser") == ""


def test_gemini_tells_of_a_compression_at_every_turn(cli: Cli, work: Path) -> None:
    gemini = Agent(cli, "gemini", work)
    gemini.told("session-start")
    gemini.fires("pre-compact", trigger="auto")
    assert gemini.told("prompt", prompt="Go on with the parser") == ""


# What is kept


def test_a_prompt_leaves_a_receipt_that_carries_a_quote(claude: Agent) -> None:
    claude.fires("prompt", prompt="I prefer short answers, please.", transcript_path="")
    assert receipts(claude.cli) == [("claude-code/s1", "I prefer short answers, please.")]
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
    words = ("add", "--json", "--tag", "PREFERENCE", "--quote", "I prefer short answers", "Prefers short answers")
    assert claude.cli.run(*words, env=env).ok().json().get("state") != "pending"


def test_the_same_message_leaves_one(claude: Agent) -> None:
    for _ in range(3):
        claude.fires("prompt", prompt="hello", prompt_id="p1")
    claude.fires("prompt", prompt="hello", prompt_id="p2")
    assert receipts(claude.cli) == [("claude-code/s1", "hello")] * 2


@pytest.mark.parametrize(
    "wrapped",
    [
        "<hook_context>&lt;remember-me&gt; {block}</hook_context>\n\n{typed}",
        '<remember-me etag="x">\n{block}\n</remember-me>\n{typed}',
        "&lt;remember-me&gt;\n{block}\n&lt;/remember-me&gt;\n{typed}",
        "{typed}\n<system-reminder>{block}</system-reminder>",
        "{typed}\n<remember-me>\n{block}",
    ],
)
def test_our_own_block_and_wrappers_around_it_are_no_words_of_the_user(claude: Agent, wrapped: str) -> None:
    claude.fires("prompt", prompt=wrapped.format(block="Never push to main, from now on", typed="fix the parser"))
    assert receipts(claude.cli) == [("claude-code/s1", "fix the parser")]


@pytest.mark.parametrize(
    "prompt",
    ["My token is ghp_x9Qv2Lr7Tz4Kc8Wm1Nb5Yd3Hs6Jf0Pa2Re4U", "the password is hunter2-Blue7!", "/compact", "  \n"],
)
def test_secrets_and_commands_to_the_client_leave_none(claude: Agent, prompt: str) -> None:
    claude.fires("prompt", prompt=prompt)
    assert receipts(claude.cli) == []


@pytest.mark.parametrize(
    ("client", "env", "over"),
    [
        ("claude-code", {"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "cli"}, {}),
        ("claude-code", {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {}),
        ("opencode", {}, {"interactive": False}),
    ],
)
def test_a_run_without_a_person_is_read_for_and_leaves_none(
    cli: Cli, work: Path, home: Path, client: str, env: dict[str, str], over: dict[str, object]
) -> None:
    agent = Agent(cli, client, work)
    prompt = "Which platform do the trains leave from?"
    assert LINE in agent.told("prompt", prompt=prompt, env=env, **over)
    agent.fires("stop", env=env, **over)
    assert (receipts(cli), queue(cli)) == ([], [])
    configure(home, 'receipts = "all"')
    agent.fires("prompt", prompt=prompt, env=env, **over)
    agent.fires("stop", env=env, **over)
    assert receipts(cli) == [(f"{client}/s1", prompt)]
    assert len(queue(cli)) == 1


def test_a_person_at_the_terminal_of_the_client_leaves_one(claude: Agent) -> None:
    """Also below a client that was started by a script: its own variable says so."""
    env = {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    claude.fires("prompt", prompt="hello", env=env)
    assert receipts(claude.cli) == [("claude-code/s1", "hello")]


@pytest.mark.parametrize(("head", "kept"), [('"originator":"codex_exec","source":"exec"', 0), ('"source":"cli"', 1)])
def test_codex_says_in_its_file_whether_somebody_is_there(cli: Cli, work: Path, head: str, kept: int) -> None:
    rollout = work.parent / "rollout.jsonl"
    rollout.write_text(f'{{"type":"session_meta","payload":{{{head},"x":"{"y" * 40_000}"}}}}\n')
    Agent(cli, "codex", work).fires("prompt", prompt="hello", transcript_path=str(rollout))
    assert len(receipts(cli)) == kept


@pytest.mark.parametrize(
    "env",
    [
        {"AI_AGENT": "claude-code_2-1-332_agent"},
        {"CODEX_THREAD_ID": "s1"},
        {"COPILOT_AGENT_SESSION_ID": "s1"},
        {"GEMINI_CLI": "1"},
        {"OPENCODE_SESSION_ID": "s1"},
    ],
)
def test_an_agent_that_calls_the_hook_from_its_shell_types_nothing(claude: Agent, env: dict[str, str]) -> None:
    claude.fires("prompt", prompt=SAYS, env=env)
    claude.fires("stop", env=env)
    assert (receipts(claude.cli), queue(claude.cli)) == ([], [])
    claude.fires("prompt", prompt=SAYS, env={"AI_AGENT": "claude-code_2-1-332_harness", "CLAUDECODE": "1"})
    assert len(receipts(claude.cli)) == 1


@pytest.mark.parametrize("event", ["stop", "pre-compact"])
def test_a_turn_is_queued_once(claude: Agent, event: str) -> None:
    for _ in range(3):
        claude.fires(event, prompt_id="p1")
    claude.fires("stop", prompt_id="p2")
    assert queue(claude.cli) == [("claude-code/s1", "p1", event), ("claude-code/s1", "p2", "stop")]


def test_a_permission_event_stops_the_capture_of_its_session_and_keeps_what_was(claude: Agent) -> None:
    claude.fires("prompt", prompt="before", prompt_id="p1")
    claude.fires("stop", prompt_id="p1")
    claude.fires("permission")
    claude.fires("prompt", prompt="after", prompt_id="p2")
    claude.fires("stop", prompt_id="p2")
    other = Agent(claude.cli, "claude-code", claude.cwd, "s2")
    other.fires("prompt", prompt="elsewhere")
    assert receipts(claude.cli) == [("claude-code/s1", "before"), ("claude-code/s2", "elsewhere")]
    assert queue(claude.cli) == [("claude-code/s1", "p1", "stop")]
    assert LINE in claude.told("prompt", prompt="Which platform do the trains leave from?")


def test_each_run_is_noted(agent: Agent) -> None:
    for event in EVENTS:
        agent.fires(event, prompt="Which platform do the trains leave from?")
    fired = rows(agent.cli, "sessions.sqlite", "SELECT client, event, outcome, took_ms < 1000 FROM fired")
    spoke = {"session-start": "spoke"}
    assert fired == [(agent.client, event, spoke.get(event, "silent"), 1) for event in sorted(EVENTS)]


# Modes and folders


def test_off_prints_and_stores_nothing(agent: Agent, home: Path) -> None:
    configure(home, 'mode = "off"')
    before = sorted(path.name for path in (agent.cli.store / ".remember-me").iterdir())
    for event in EVENTS:
        assert agent.fires(event, prompt=SAYS).out == ""
    assert sorted(path.name for path in (agent.cli.store / ".remember-me").iterdir()) == before


def test_shadow_does_all_but_print(agent: Agent, home: Path) -> None:
    """What the user states is queued, because the agent is not told to save it."""
    configure(home, 'mode = "shadow" # to see what it would do\nreceipts = "all"')
    for event in EVENTS:
        assert agent.fires(event, prompt=f"{SAYS}. Which platform do the trains leave from?").out == ""
    assert len(receipts(agent.cli)) == 1
    assert queue(agent.cli)[0][2] == "prompt"
    outcomes = dict(rows(agent.cli, "sessions.sqlite", "SELECT event, outcome FROM fired"))
    spoke = {"session-start": "shadow", "prompt": "shadow"}
    assert outcomes == {event: spoke.get(event, "silent") for event in EVENTS}
    configure(home, 'mode = "enabled"')
    assert LINE in agent.told("prompt", prompt="Which platform do the trains leave from?")


@pytest.mark.parametrize("mode", ['mode = "Off"', 'mode = "of"', "mode = false", 'mode = "off', "mode = ["])
def test_what_is_no_mode_is_no_default_either(claude: Agent, home: Path, mode: str) -> None:
    configure(home, mode)
    assert claude.fires("session-start").out == ""
    assert not (claude.cli.store / ".remember-me" / "sessions.sqlite").exists()
    assert log_of(home).count("claude-code session-start ") == 1


def test_settings_in_another_form_are_read_too(claude: Agent, home: Path) -> None:
    configure(home, "mode = '''off'''")
    assert claude.fires("session-start").out == ""
    configure(home, "mode = '''enabled'''")
    assert LINE in claude.told("session-start")


def test_hooks_act_in_the_allowed_folders_alone(claude: Agent, home: Path, tmp_path: Path) -> None:
    (home / "inside").mkdir()
    (tmp_path / "work-not").mkdir()
    (home / "link").symlink_to(claude.cwd)
    configure(home, f'folders = "~/inside:{claude.cwd}"')
    allowed = (claude.cwd, home / "inside", home / "link")
    for folder in (*allowed, tmp_path / "work-not", home):
        acts = folder in allowed
        claude.session = str(len(receipts(claude.cli)))
        before = len(receipts(claude.cli))
        assert (LINE in claude.told("session-start", cwd=str(folder))) is acts, folder
        claude.fires("prompt", prompt="hello", cwd=str(folder))
        assert (len(receipts(claude.cli)) > before) is acts, folder


# The end of a session


def test_after_the_last_word_sessions_are_counted_and_the_old_goes(claude: Agent) -> None:
    old = "UPDATE receipt SET at = '2020-01-01T00:00:00.000000+00:00'"
    claude.fires("session-start", env={"CLAUDE_CODE_SESSION_ATTENDED": "1"})
    claude.fires("prompt", prompt="long ago")
    rows_changed(claude.cli, "receipts.sqlite", old)
    for _ in range(3):
        claude.fires("session-end")
    assert comes(lambda: receipts(claude.cli) == [])
    assert comes(lambda: rows(claude.cli, "state.sqlite", "SELECT name FROM session WHERE name LIKE 'claude%'") != [])
    assert rows(claude.cli, "sessions.sqlite", "SELECT counted FROM session") == [(1,)]


def rows_changed(cli: Cli, file: str, sql: str) -> None:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(cli.store / ".remember-me" / file)) as db, db:
        db.execute(sql)


def test_maintenance_that_is_due_is_told_at_the_next_start_until_it_is_done(cli: Cli, claude: Agent) -> None:
    """The store is of January, and two statements in it can be promoted."""
    notice = f"{DUE_LINE}\n</remember-me>\n"
    claude.fires("session-start")
    claude.fires("session-end")
    assert comes(lambda: bool(rows(cli, "sessions.sqlite", "SELECT 1 FROM notice")))
    told = claude.told("session-start")
    assert told.endswith(notice)
    assert told.count("</remember-me>") == 1
    cli.run("maintain", "--apply")
    assert DUE_LINE not in claude.told("session-start")


def test_maintenance_is_done_where_the_settings_say_so(cli: Cli, claude: Agent) -> None:
    cli.run("config", "maintain.auto", "apply")
    claude.fires("session-start")
    claude.fires("session-end", env={"CLAUDECODE": "1"})
    assert comes(lambda: any(row["verb"] == "maintain" for row in cli.json("log")))
    maintained = next(row for row in cli.json("log") if row["verb"] == "maintain")
    assert maintained["actor"] == "policy"
    assert DUE_LINE not in claude.told("session-start")


# Bad input


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("claude-code", "no-such-event"), "claude-code ? LookupError"),
        (("no-such-client", "prompt"), "? prompt LookupError"),
        (("../../x", "prompt"), "? prompt LookupError"),
        (("stop",), "- stop LookupError"),
        ((), "- ? LookupError"),
    ],
)
def test_an_unknown_client_or_event_is_silence_and_a_line_in_the_log(
    cli: Cli, home: Path, words: tuple[str, ...], line: str
) -> None:
    done = cli.run("hook", *words, stdin="{}")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert log_of(home).split(" ", 1)[1] == f"{line}\n"


@pytest.mark.parametrize(
    "stdin", [b"no json", b"[]", b"null", b'"x"', b"{", b'{"a": 1} {"b": 2}', b"\xff\xfe", b"[" * 100_000, b"{}}"]
)
def test_what_is_no_json_object_is_silence_and_a_line_in_the_log(cli: Cli, home: Path, stdin: bytes) -> None:
    done = cli.run("hook", "claude-code", "prompt", stdin=stdin)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert log_of(home).split(" ", 1)[1] == "claude-code prompt NotJson\n"


def test_fifty_megabytes_are_taken_and_thrown_away(cli: Cli, work: Path, home: Path) -> None:
    sent = json.dumps({**document("claude-code", "prompt", work), "prompt": "x" * 50_000_000}).encode()
    done = cli.run("hook", "claude-code", "prompt", stdin=sent)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert log_of(home).split(" ", 1)[1] == "claude-code prompt OverflowError\n"
    assert receipts(cli) == []


@pytest.mark.parametrize(
    "session", ["../../etc/passwd", "a/b", "a b", "..", "x" * 300, "a\nb", "", None, 7.5, ["s"], "\u202e"]
)
def test_a_session_that_is_no_name_is_none(claude: Agent, session: object) -> None:
    sent = {
        **document("claude-code", "prompt", claude.cwd),
        "session_id": session,
        "prompt": "the trains of platform 3",
    }
    done = claude.cli.run("hook", "claude-code", "prompt", stdin=json.dumps(sent))
    assert "abcd11" in done.ok().out
    assert receipts(claude.cli) == []


def test_lone_surrogates_are_no_reason_to_lose_a_prompt(claude: Agent) -> None:
    assert LINE in claude.told("prompt", prompt="the trains of platform 3 \ud83d and \udc00")
    assert receipts(claude.cli) == [("claude-code/s1", "the trains of platform 3 ? and ?")]


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_a_home_that_cannot_be_written_stops_nothing(claude: Agent, home: Path) -> None:
    env = {"XDG_STATE_HOME": os.path.join(os.devnull, "state")}
    assert LINE in claude.told("session-start", env=env)
    assert claude.cli.run("hook", "claude-code", "prompt", stdin="no json", env=env).ok().out == ""


@pytest.mark.parametrize("name", ["cache.sqlite", "sessions.sqlite", "receipts.sqlite", "cache.stamp"])
def test_a_file_that_never_answers_ends_with_the_deadline(claude: Agent, home: Path, name: str) -> None:
    path = claude.cli.store / ".remember-me" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    began = time.monotonic()
    claude.fires("prompt", prompt="the trains of platform 3")
    assert time.monotonic() - began < 5


def test_damaged_files_of_hooks_are_made_anew(claude: Agent) -> None:
    for name in ("sessions.sqlite", "receipts.sqlite"):
        (claude.cli.store / ".remember-me" / name).write_bytes(b"no database" * 999)
    claude.fires("prompt", prompt="hello")
    assert receipts(claude.cli) == [("claude-code/s1", "hello")]
    assert rows(claude.cli, "sessions.sqlite", "SELECT event FROM fired") == [("prompt",)]


# What an agent may quote


def test_where_the_client_has_a_file_of_the_session_it_must_hold_the_message(claude: Agent) -> None:
    """A message that was only handed to the hook is in no file of the client's."""
    path = claude.cwd / "s1.jsonl"
    said = "I prefer short answers"
    claude.fires("prompt", prompt=said, transcript_path=str(path))
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
    words = ("add", "--json", "--tag", "PREFERENCE", "--quote", said, "Prefers short answers")
    path.write_text(json.dumps({"type": "assistant", "message": {"content": said}}) + "\n")
    assert claude.cli.run(*words, env=env).ok().json()["state"] == "pending"
    path.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": said}}) + "\n")
    assert claude.cli.run(*words, env=env).ok().json().get("state") != "pending"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the system does not tell about processes")
@pytest.mark.usefixtures("real_processes")
def test_a_session_is_known_by_its_process_where_the_shell_does_not_name_it(cli: Cli, work: Path) -> None:
    """Gemini's way: the hook and the agent's shell are children of one process, and nothing else connects them."""
    said = "I prefer short answers"
    sent = {**document("gemini", "session-start", work), "prompt": said, "transcript_path": ""}
    script = work.parent / "gemini"
    script.write_text(
        "import json, subprocess, sys\n"
        "calls = json.loads(sys.argv[1])\n"
        "for words, stdin, env in calls:\n"
        "    print(subprocess.run(words, input=stdin.encode(), env=env, capture_output=True).stdout.decode())\n"
    )
    environ = cli.environment()
    product = command_line("--store", str(cli.store))
    hook = [[*product, "hook", "gemini", event] for event in ("session-start", "prompt")]
    add = [*product, "add", "--json", "--tag", "PREFERENCE", "--quote", said, "Prefers short answers"]
    agents = {**environ, "GEMINI_CLI": "1"}
    # A pseudo-terminal: without one the client is taken for a run without a person.
    calls = [[words, json.dumps(sent), environ] for words in hook]
    own, other = ([*calls, [add, "", agents]], [[add, "", agents]])
    assert '"state": "pending"' in run_in_terminal([sys.executable, str(script), json.dumps(other)], environ, work)
    assert '"state": "pending"' not in run_in_terminal([sys.executable, str(script), json.dumps(own)], environ, work)


def run_in_terminal(words: list[str], environ: dict[str, str], cwd: Path) -> str:
    """What a program prints on a pseudo-terminal of its own."""
    found: list[bytes] = []
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(cwd)
        os.execvpe(words[0], words, environ)
    with contextlib.suppress(OSError):
        while data := os.read(terminal, 4096):
            found.append(data)
    os.waitpid(child, 0)
    os.close(terminal)
    return b"".join(found).decode("utf-8", "replace")


# Forgetting


def test_forgetting_clears_receipts_files_of_clients_and_the_turns_of_a_source(claude: Agent, tmp_path: Path) -> None:
    """Until the command returns: nobody waits for a refresh behind it."""
    cli = claude.cli
    project = tmp_path / "project"
    project.mkdir()
    assert cli.run("context", str(project / "AGENTS.md")).code == 0
    claude.fires("prompt", prompt="I keep a quaggazebra in the yard", transcript_path="", prompt_id="m1")
    claude.fires("stop", prompt_id="m1")
    Agent(cli, "claude-code", claude.cwd, "s2").fires("stop", prompt_id="m1")
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
    words = ("--tag", "FACT", "--quote", "I keep a quaggazebra in the yard", "I keep a quaggazebra in the yard")
    assert cli.run("add", "--json", *words, env=env).ok().json().get("state") != "pending"
    assert comes(lambda: "quaggazebra" in (project / "AGENTS.md").read_text())
    done = cli.run("forget", "--source", "claude-code/s1", "--yes")
    assert "quaggazebra" not in (project / "AGENTS.md").read_text()
    assert (done.code, receipts(cli)) == (0, []), done.err
    assert queue(cli) == [("claude-code/s2", "m1", "stop")]


def test_a_file_of_a_client_that_refuses_is_named(claude: Agent, tmp_path: Path) -> None:
    cli, file = claude.cli, tmp_path / "AGENTS.md"
    new = cli.run("add", "--quiet", "--tag", "FACT", "Keeps a quaggazebra in the yard").ok().out.strip()
    assert cli.run("context", str(file)).code == 0
    file.write_text(f"{file.read_text()}<!-- remember-me:begin -->\n")
    done = cli.run("forget", new, "--yes")
    assert done.code == 9
    assert str(file) in done.out + done.err


# What the hook holds against those who call it oddly


def test_the_log_is_of_the_user_and_never_in_the_way(claude: Agent, tmp_path: Path) -> None:
    """A relative state folder is none, and a log that cannot be written is done without."""
    state = tmp_path / "state"
    (state / "remember-me").mkdir(parents=True)
    os.mkfifo(state / "remember-me" / "hook.log")
    began = time.monotonic()
    for where in (str(state), "state"):
        done = claude.cli.run(
            "hook", "claude-code", "stop", stdin="no json", env={"XDG_STATE_HOME": where}, cwd=claude.cwd
        )
        assert (done.code, done.out, done.err) == (0, "", "")
    assert time.monotonic() - began < 10
    assert list(claude.cwd.iterdir()) == []


def test_a_folder_of_ours_that_leads_elsewhere_is_not_followed(claude: Agent, tmp_path: Path) -> None:
    own = claude.cli.store / ".remember-me"
    moved = own.rename(tmp_path / "elsewhere")
    own.symlink_to(moved)
    before = sorted(path.name for path in moved.iterdir())
    assert claude.fires("prompt", prompt="hello").out == ""
    assert sorted(path.name for path in moved.iterdir()) == before


def test_a_project_whose_name_is_written_in_two_ways_is_one(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "cafe\u0301"
    folder.mkdir()
    cli.run("add", "--tag", "FACT", "--scope", "here", "Of this project", cwd=folder)
    assert "Of this project" in Agent(cli, "claude-code", folder).told("session-start")


def test_blocked_sessions_cost_no_block_and_stop_the_capture(claude: Agent) -> None:
    import sqlite3
    from contextlib import closing

    claude.fires("permission")
    with closing(sqlite3.connect(claude.cli.store / ".remember-me" / "sessions.sqlite")) as db:
        db.execute("BEGIN EXCLUSIVE")
        assert LINE in claude.told("session-start")
        claude.fires("prompt", prompt="hello")
    assert receipts(claude.cli) == []


def test_an_agent_cannot_choose_the_session_whose_words_it_quotes(claude: Agent) -> None:
    said = "I prefer short answers"
    Agent(claude.cli, "claude-code", claude.cwd, "other").fires("prompt", prompt=said, transcript_path="")
    call = shlex.join(
        command_line(
            "--store", str(claude.cli.store), "add", "--json", "--tag", "PREFERENCE", "--quote", said, said[2:]
        )
    )
    own = {**claude.cli.environment(), "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "mine"}
    shell = f"CLAUDE_CODE_SESSION_ID=other {call}; true"
    done = subprocess.run(["sh", "-c", f"sh -c {shlex.quote(shell)}; true"], env=own, capture_output=True, text=True)
    assert json.loads(done.stdout)["state"] == "pending", done.stderr


@pytest.mark.parametrize("made", [None, "fifo"])
def test_a_file_of_the_session_that_is_none_holds_nothing(claude: Agent, tmp_path: Path, made: str | None) -> None:
    path = tmp_path / "s1.jsonl"
    if made:
        os.mkfifo(path)
    claude.fires("prompt", prompt="I prefer short answers", transcript_path=str(path))
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
    words = ("add", "--json", "--tag", "PREFERENCE", "--quote", "I prefer short answers", "Prefers short answers")
    assert claude.cli.run(*words, env=env).ok().json()["state"] == "pending"


def test_after_a_compaction_what_is_stated_is_not_passed_over(cli: Cli, work: Path) -> None:
    agent = Agent(cli, "copilot", work)
    agent.told("session-start")
    agent.fires("pre-compact")
    told = agent.told("prompt", prompt=SAYS)
    assert LINE in told
    assert told.endswith("'THEIR EXACT WORDS'\n</remember-me>\n")


def test_an_interrupt_is_no_failure(claude: Agent) -> None:
    call = command_line("--store", str(claude.cli.store), "hook", "claude-code", "prompt")
    process = subprocess.Popen(
        call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=claude.cli.environment()
    )
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert (process.wait(10), process.stdout.read(), process.stderr.read()) == (0, b"", b"")  # type: ignore[union-attr]
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()  # type: ignore[union-attr]


def test_a_tombstone_that_comes_by_hand_or_from_elsewhere_counts_at_once(claude: Agent) -> None:
    """In place, so that neither the folder nor the note changes."""
    cli = claude.cli
    new = cli.run("add", "--quiet", "--tag", "FACT", "Sings at dawn").ok().out.strip()
    cli.run("forget", new, "--yes")
    claude.told("session-start")
    graves = cli.store / "memory" / "forgotten.md"
    text = graves.read_text()
    line = next(line for line in text.splitlines() if f"^{new}" in line)
    with graves.open("a") as file:
        file.write(line.replace(new, "abcd11") + "\n")
    assert "abcd11" not in claude.told("session-start")
    graves.write_text(graves.read_text().replace("\n", " \n", 1))  # which says nothing else
    assert "abcd11" not in claude.told("session-start")
    before = (cli.store / ".remember-me" / "cache.stamp").read_text()
    assert "abcd11" not in claude.told("session-start")
    assert (cli.store / ".remember-me" / "cache.stamp").read_text() == before
