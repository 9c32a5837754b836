"""A forked call is the same as a process of its own: to the interpreter, to the product, and to who waits for it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests import home_guard, zygote
from tests.cases.terminal import on_terminal
from tests.cli.golden import PROJECT, Sandbox, plain_words
from tests.cli_runner import Cli, bytes_of, trust_scripts

pytestmark = pytest.mark.skipif(
    os.environ.get(zygote.SWITCH) == "real" or not hasattr(os, "fork"), reason="all processes are real"
)

PROBE = "tests.cli.probe"


@pytest.fixture(autouse=True)
def servers_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that ran before in this process may have used up the usual number."""
    monkeypatch.setattr(zygote, "MOST_SERVERS", 50)


def variables(**over: str) -> dict[str, str]:
    """The sealed variables, with none that would change how Python writes."""
    environ = Cli(Path("none")).environment(**over)
    return {name: value for name, value in environ.items() if name != "PYTHONUNBUFFERED" or name in over}


def served(words: tuple[str, ...], environ: Mapping[str, str]) -> None:
    """Ask so often that there is a server for such calls."""
    assert any(zygote.serves(words, environ) for _ in range(zygote.CALLS_BEFORE)), "no server for these variables"


def both(
    *words: str, over: Mapping[str, str] | None = None, cwd: Path | None = None, input: bytes = b""
) -> list[subprocess.CompletedProcess[bytes]]:
    """What the probe says in a forked process and in a real one."""
    environ = variables(**(over or {}))
    served(words, environ)
    return [
        zygote.run(words, env=environ, cwd=cwd, input=input, module=PROBE),
        subprocess.run(
            [sys.executable, "-P", "-m", PROBE, *words],
            env=environ, cwd=cwd, input=input, capture_output=True, start_new_session=True,
        ),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "over",
    [
        {},
        {"TZ": "Asia/Tokyo", "COLUMNS": "33", "NO_COLOR": "1", "CLAUDECODE": "1", "ODD": "caf\udce9"},
        {"LC_ALL": "C"},
        {"PYTHONUNBUFFERED": "1"},
    ],
    ids=lambda over: " ".join(over),
)
def test_the_process_is_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, over: dict[str, str]) -> None:
    monkeypatch.setattr(zygote, "MOST_SERVERS", 9)
    old = os.umask(0o027)
    try:
        forked, real = both("state", "read", "caf\udce9", over=over, cwd=tmp_path, input=b"given")
    finally:
        os.umask(old)
    assert (forked.returncode, forked.stderr) == (0, b"")
    assert json.loads(forked.stdout) == json.loads(real.stdout)
    told = json.loads(forked.stdout)
    assert (told["cwd"], told["umask"], told["input"], told["leader"]) == (str(tmp_path), 0o027, "given", True)


@pytest.mark.parametrize(
    "words",
    [("exit", "0"), ("exit", "7"), ("exit", "-1"), ("exit", "300"), ("exit", "a sentence"), ("none",), ("kill",)],
    ids=" ".join,
)
def test_a_process_ends_in_the_same_way(words: tuple[str, ...]) -> None:
    forked, real = both(*words)
    assert (forked.returncode, forked.stdout, forked.stderr) == (real.returncode, real.stdout, real.stderr)


def test_an_error_of_the_program_is_told() -> None:
    forked, real = both("raise")
    assert (forked.returncode, forked.stdout) == (real.returncode, real.stdout) == (1, b"before\n")
    assert forked.stderr.splitlines()[-1] == real.stderr.splitlines()[-1] == b"ValueError: as said"


def test_no_two_calls_have_the_same_random_numbers() -> None:
    assert len({both("random")[0].stdout for _ in range(3)}) == 3


def started(real: bool, words: tuple[str, ...], out: int, module: str = PROBE):
    """A call whose stdout is `out` and whose stderr is caught in a pipe: (process, the pipe)."""
    environ = variables()
    ours, theirs = os.pipe()
    served(words, environ)
    with open(os.devnull, "rb") as nothing:
        if real:
            line = [sys.executable, "-P", "-m", module, *words]
            process = subprocess.Popen(
                line, stdin=nothing, stdout=out, stderr=theirs, env=environ, start_new_session=True
            )
        else:
            process = zygote.start(words, stdin=nothing.fileno(), stdout=out, stderr=theirs, env=environ, module=module)
    os.close(theirs)
    return process, ours


def all_of(descriptor: int) -> bytes:
    with open(descriptor, "rb") as file:
        return file.read()


@pytest.mark.parametrize(("module", "words", "code"), [(PROBE, ("lost",), 120), ("remember_me", ("--help",), 0)])
def test_a_reader_that_has_gone(module: str, words: tuple[str, ...], code: int) -> None:
    found = []
    for real in (True, False):
        ours, theirs = os.pipe()
        os.close(ours)
        process, err = started(real, words, theirs, module)
        os.close(theirs)
        found.append((process.wait(30), all_of(err)))
    assert found[0] == found[1]
    assert found[1][0] == code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it(number: signal.Signals) -> None:
    found = []
    for real in (True, False):
        ours, theirs = os.pipe()
        process, err = started(real, ("wait",), theirs)
        os.close(theirs)
        assert os.read(ours, 100) == b"ready\n"
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)
        process.send_signal(number)
        code = process.wait(30)
        assert process.poll() == code
        process.kill()  # it is too late for that, and no error
        os.close(ours)
        found.append((code, all_of(err).splitlines()[-1:]))
    assert found[0] == found[1]
    assert found[1][0] == -number


def test_ctrl_c_while_a_command_reads() -> None:
    words = ("--store", "/nowhere", "add", "-")
    found = []
    for real in (True, False):
        environ = variables()
        ours, theirs = os.openpty()
        if real:
            line = [sys.executable, "-P", "-m", "remember_me", *words]
            process = subprocess.Popen(
                line, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
            )
        else:
            served(words, environ)
            process = zygote.start(words, stdin=theirs, stdout=theirs, stderr=theirs, env=environ)
        os.close(theirs)
        until = time.monotonic() + 20
        while _sleeps_in_read(process.pid) is False and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        found.append(process.wait(30))
        os.close(ours)
    assert found == [130, 130]


def _sleeps_in_read(pid: int) -> bool:
    """Whether a process waits for a terminal; where Linux does not tell, that it sleeps must do."""
    before = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    time.sleep(0.2)
    after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return before[0] == after[0] == "S" and before[11:13] == after[11:13]


def test_a_call_that_takes_too_long_is_killed() -> None:
    environ = variables()
    served(("wait",), environ)
    with pytest.raises(subprocess.TimeoutExpired):
        zygote.run(("wait",), env=environ, timeout=0.5, module=PROBE)


def test_much_input_and_output(tmp_path: Path, home: Path) -> None:
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    cli.ok("init")
    text = "line of words\n" * 5000
    result = cli.run("add", "--tag", "FACT", "-", stdin=text)
    assert result.code == 0, result.err
    [entry] = cli.json("list")
    assert cli.ok("get", entry["id"], "--text").out == text


# The product

COMMANDS = """
remember-me
remember-me init
remember-me init
remember-me add "Prefers short answers, in 日本語 too"
remember-me add --json --tag FACT "Repairs clocks"
remember-me add ""
remember-me list
remember-me list --json
remember-me get $ID1
remember-me get $ID1 --json
remember-me get zzzzzz
remember-me correct $ID1 "Prefers long answers"
remember-me pin $ID2
remember-me history $ID1
remember-me diff
remember-me log
remember-me status
remember-me status --json
remember-me search clocks
remember-me index
remember-me recall
remember-me profile
remember-me maintain
remember-me undo
remember-me redo
remember-me edit $ID1
remember-me config store.timezone Europe/Rome
remember-me lits
remember-me list --wrong --json
remember-me add --help
remember-me --version
""".strip().splitlines()


def test_the_product_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, left = [], []
    for way in ("real", "forked"):
        monkeypatch.setenv(zygote.SWITCH, way)
        sandbox = Sandbox(tmp_path / way)
        served(("list",), sandbox.environment()) if way == "forked" else None
        told.append([(line, re.sub(r"etag=\"\w+", "etag", sandbox.transcribe(line))) for line in COMMANDS])
        files = bytes_of(sandbox.store)
        left.append({_masked(name, sandbox): _masked(data.decode(), sandbox) for name, data in files.items()})
    assert told[0] == told[1]
    assert left[0] == left[1]


def _masked(text: str, sandbox: Sandbox) -> str:
    for word, name in sandbox.names.items():
        text = text.replace(word, name)
    text = re.sub(r"\d\d:\d\d \+00:00|\d{4}-\d\d-\d\d", "now", text)  # the minute may turn between the two
    return "\n".join(line[:12] if line.startswith(("created", "updated", "  - at")) else line for line in
                     text.splitlines())  # fmt: skip


def way_of(real: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(zygote.SWITCH, "real" if real else "forked")


@pytest.mark.parametrize(
    "call",
    [
        lambda cli, _: cli.run("list", env={"LC_ALL": "C"}),
        lambda cli, _: cli.run("list", env={"COLUMNS": "20", "NO_COLOR": "1"}),
        lambda cli, _: cli.run("history", cli.json("list")[0]["id"], env={"TZ": "Asia/Kathmandu"}),
        lambda cli, _: cli.run("log", env={"TZ": "America/Lima"}),
        lambda cli, folder: cli.run("list", "--scope", "here", cwd=folder),
        lambda cli, folder: cli.run("add", "--file", "none.md", cwd=folder),
        lambda cli, _: cli.run("list", env={"PATH": "/nowhere"}),
        lambda cli, _: cli.run("log", env={"PATH": "/nowhere"}),
        lambda cli, _: cli.run("log", env={"GIT_DIR": "/nowhere"}),
        lambda cli, _: cli.run("add", "-", stdin=b"caf\xe9"),
        lambda cli, _: cli.run("status", "--json", env={"CLAUDECODE": "1"}),
        lambda cli, _: cli.run("x" * 200),
        lambda cli, _: on_terminal(cli, "list", columns=40),
        lambda cli, _: on_terminal(cli, "list", environ={"NO_COLOR": "1"}),
        lambda cli, _: on_terminal(cli, "log"),
    ],
)
def test_a_call_says_the_same(
    call: Callable[[Cli, Path], object], tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust_scripts(home)
    cli = Cli(tmp_path / "store")
    cli.ok("init")
    cli.ok("add", "--tag", "FACT", "A title in 日本語, long enough to be cut into two lines or more on a terminal")
    for real in (True, False):  # so that both find caches
        way_of(real, monkeypatch)
        call(cli, tmp_path)
    way_of(True, monkeypatch)
    expected = call(cli, tmp_path)
    way_of(False, monkeypatch)
    assert call(cli, tmp_path) == expected


# The server


def test_what_is_imported_beforehand_reads_no_variable_that_calls_may_differ_in(home: Path) -> None:
    code = (
        "import os, sys\n"
        "kind = type(os.environ); get = kind.__getitem__; read = set()\n"
        "kind.copy = lambda self: {self.decodekey(key): self.decodevalue(value) for key, value in self._data.items()}\n"
        "kind.__getitem__ = lambda self, key: (read.add(key), get(self, key))[1]\n"
        "from tests import zygote\n"
        "read.clear()\n"
        "zygote.preload()\n"
        "print(*sorted(read))\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": str(PROJECT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    others = {name for name in done.stdout.split() if not name.startswith(zygote.SETTLED)}
    assert others <= {"PATH", "HOME", "_PYTHON_PROJECT_BASE", "_PYTHON_SYSCONFIGDATA_NAME"}


def test_the_server_knows_of_no_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    environ = Cli(Path("none")).environment(CLAUDECODE="1", CODEX_SANDBOX="1", ANY="1")
    server = zygote.Server(environ)
    try:
        until = time.monotonic() + 20  # while a process starts the system gives no variables of it
        while not (told := Path(f"/proc/{server.pid}/environ").read_text()) and time.monotonic() < until:
            time.sleep(0.01)
        names = {item.partition("=")[0] for item in told.split("\0")}
        assert {"PATH", "HOME", "PYTHONPATH"} <= names
        assert not names & {"CLAUDECODE", "CODEX_SANDBOX", "ANY"}
    finally:
        server.close()


def test_what_is_no_forked_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environ = variables()
    served(("list",), environ)
    assert not zygote.serves(("hook", "prompt"), environ)
    assert not zygote.serves(("add", "a\0b"), environ)
    assert not zygote.serves(("list",), {**environ, "PYTHONPATH": f"{tmp_path}:{PROJECT}"})
    for over in ({"PATH": str(tmp_path)}, {"GIT_DIR": "/nowhere"}, {"GIT_PYTHON_TRACE": "1"}):
        for _ in range(2 * zygote.CALLS_BEFORE):
            assert not zygote.serves(("list",), {**environ, **over})
    monkeypatch.setattr(zygote, "MOST_SERVERS", 0)
    assert not zygote.serves(("list",), {**environ, "LC_CTYPE": "C"})
    monkeypatch.setenv(zygote.SWITCH, "real")
    assert not zygote.serves(("list",), environ)


def test_the_guard_of_the_home_sees_a_forked_call(home: Path, tmp_path: Path) -> None:
    real_home = home_guard.real_home()
    if real_home == Path("/"):
        pytest.skip("this user has no home")
    try:
        with pytest.raises(AssertionError, match="touches the real home"):
            Cli(tmp_path / "store").run("list", env={"HOME": str(real_home)})
    finally:
        home_guard.touched.clear()


def test_an_error_of_the_folder_is_raised_here(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Cli(tmp_path / "store").run("list", cwd=tmp_path / "none")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("remember-me", []),
        ("remember-me add 'a  b' \"c $ID1's\" ^$ID1 $STORE/x", ["add", "a  b", "c abc1's", "^abc1", "/s/x"]),
        ("remember-me add $(date)", None),
        ("remember-me add x | cat", None),
        ("remember-me add $NONE", None),
        ("remember-me add '$ID1'", None),
        ("remember-me add *.md", None),
        ('remember-me add "a\\b"', None),
        ("X=1 remember-me list", None),
        ("git log", None),
    ],
)
def test_which_golden_commands_need_no_shell(command: str, words: list[str] | None) -> None:
    assert plain_words(command, {"ID1": "abc1", "STORE": "/s"}) == words
