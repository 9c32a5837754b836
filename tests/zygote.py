"""Calls of the product without the start of a Python for each: a server that has imported everything, and forks.

The start of an interpreter and its imports take most of the time of a short command. So one child of the
test process, a Python as clean as a call's own, imports the modules of the product, runs none of its code,
and forks for each call. The forked process gets the streams, the folder, the variables, the umask and a
session of its own, as `subprocess` would give them, and runs `python -m remember_me` to its end.

What an interpreter takes from its environment when it starts, or a module when it is imported, cannot be
given to a process that is forked (`settled`): calls that agree in it share a server, and where there is
none for a call, it has to be a process of its own. So has each call under REMEMBER_ME_TEST_PROCESSES=real.

This file is imported by the tests and run by the server, which knows nothing of the tests.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import io
import marshal
import os
import pkgutil
import runpy
import select
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SWITCH = "REMEMBER_ME_TEST_PROCESSES"

SETTLED = ("PYTHON", "LC_", "LANG", "GIT_", "TYPER_USE_RICH", "LD_", "MALLOC_")
"""How the variables begin that count when Python starts or a module is imported."""

_GIT = shutil.which("git")
_HARMLESS = "GIT_CONFIG_NOSYSTEM"

MOST_SERVERS = 3
CALLS_BEFORE = 5
"""A server starts slower than a call: so many calls have to ask for it, but for the first one."""

_LAZY = (
    *("base64", "difflib", "gzip", "importlib.resources", "json", "platform", "random", "shlex", "shutil", "sqlite3"),
    *("tempfile", "textwrap", "tomllib", "traceback", "zoneinfo", "frontmatter", "frontmatter.default_handlers"),
    *("git", "git.db", "rich.box", "rich.console", "rich.table", "rich.text", "tiktoken", "typer", "typer.core"),
    "yaml",
)
"""What the product imports within functions. A name too few costs time, and nothing else."""

_LONGEST_WORD = 100_000
"""Linux takes no longer word than 128 KiB; what it says then is told by a process of its own."""


# In the tests


class Process:
    """A forked call, as far as the tests use a `subprocess.Popen`. Its streams are the caller's."""

    def __init__(self, words: Sequence[str], answers: socket.socket) -> None:
        self.args = list(words)
        self.returncode: int | None = None
        self._answers = answers
        self.pid: int = self._answer()

    def _answer(self) -> int:
        data = self._answers.recv(4, socket.MSG_WAITALL)
        if len(data) != 4:
            raise RuntimeError(f"the server of forked calls has ended; {SWITCH}=real does without it")
        return int(struct.unpack("i", data)[0])

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._answers], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = os.waitstatus_to_exitcode(self._answer())
            self._answers.close()
        return self.returncode

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()


def settled(environ: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    """The variables that the processes forked by a server have in common."""
    return frozenset(item for item in environ.items() if item[0].startswith(SETTLED))


def _usual_git(environ: Mapping[str, str]) -> bool:
    """Whether GitPython would find, when it is imported, what it finds in a server: it runs git then."""
    if any(name.startswith("GIT_") and name != _HARMLESS for name in environ):
        return False
    return _GIT is not None and shutil.which("git", path=environ.get("PATH", os.defpath)) == _GIT


class Server:
    """A server of this test process; it ends when this process does."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        kept = (*SETTLED, "PATH", "HOME")
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                env={name: value for name, value in environ.items() if name.startswith(kept)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                cwd="/",
                start_new_session=True,
            )
        self.pid = self._process.pid
        atexit.register(self.close)

    def close(self) -> None:
        """Let the server end: nobody can ask it any more."""
        atexit.unregister(self.close)
        self._control.close()
        self._process.wait()

    def start(
        self,
        module: str,
        words: Sequence[str],
        streams: tuple[int, int, int],
        environ: Mapping[str, str],
        folder: int,
    ) -> Process:
        umask = os.umask(0o077)
        os.umask(umask)
        variables = {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}
        call = marshal.dumps((module, [os.fsencode(word) for word in words], variables, umask))
        answers, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"\0"], [theirs.fileno(), folder, *streams])
        answers.sendall(struct.pack("q", len(call)) + call)
        return Process(words, answers)


_servers: dict[frozenset[tuple[str, str]], Server] = {}
_refused: Counter[frozenset[tuple[str, str]]] = Counter()


def serves(words: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Whether a call can be forked. `hook` is always a process of its own: what it imports is its point."""
    if os.environ.get(SWITCH) == "real" or not hasattr(os, "fork"):
        return False
    if "hook" in words or any("\0" in word or len(word) > _LONGEST_WORD for word in words):
        return False
    if environ.get("PYTHONPATH") != str(PROJECT) or not _usual_git(environ):
        return False
    wanted = settled(environ)
    if wanted not in _servers:
        _refused[wanted] += 1
        if len(_servers) >= MOST_SERVERS or (_servers and _refused[wanted] < CALLS_BEFORE):
            return False
        _servers[wanted] = Server(environ)
    return True


def start(
    words: Sequence[str],
    *,
    stdin: int,
    stdout: int,
    stderr: int,
    env: Mapping[str, str],
    cwd: str | os.PathLike[str] | None = None,
    module: str = "remember_me",
) -> Process:
    """Fork a call of the product (or of `module`) with these descriptors. `serves` must have said yes."""
    # What an audit hook hears of a process is heard of a forked one: tests/home_guard.py listens.
    sys.audit("subprocess.Popen", sys.executable, list(words), cwd, dict(env))
    folder = os.open("." if cwd is None else cwd, getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY)
    try:
        return _servers[settled(env)].start(module, words, (stdin, stdout, stderr), env, folder)
    finally:
        os.close(folder)


def run(
    words: Sequence[str],
    *,
    input: bytes = b"",
    env: Mapping[str, str],
    cwd: str | os.PathLike[str] | None = None,
    timeout: float = 60,
    module: str = "remember_me",
) -> subprocess.CompletedProcess[bytes]:
    """Fork a call of the product and wait for its end, as `subprocess.run` does with `capture_output`."""
    (theirs_in, ours_in), (ours_out, theirs_out), (ours_err, theirs_err) = os.pipe(), os.pipe(), os.pipe()
    theirs = (theirs_in, theirs_out, theirs_err)
    try:
        process = start(words, stdin=theirs_in, stdout=theirs_out, stderr=theirs_err, env=env, cwd=cwd, module=module)
    except BaseException:
        for descriptor in (ours_in, ours_out, ours_err):
            os.close(descriptor)
        raise
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    try:
        out, err = _communicate(ours_in, ours_out, ours_err, input, timeout)
        return subprocess.CompletedProcess(process.args, process.wait(timeout), out, err)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _communicate(into: int, out: int, err: int, data: bytes, timeout: float) -> tuple[bytes, bytes]:
    """Write `data` and read both streams to their ends; closes all three."""
    until = time.monotonic() + timeout
    found: dict[int, list[bytes]] = {out: [], err: []}
    rest = memoryview(data)
    with (
        open(into, "wb", 0) as writer,
        open(out, "rb", 0),
        open(err, "rb", 0),
        selectors.DefaultSelector() as waiting,
    ):
        os.set_blocking(into, False)
        waiting.register(into, selectors.EVENT_WRITE)
        for descriptor in found:
            waiting.register(descriptor, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(max(0, until - time.monotonic()))
            if not ready and time.monotonic() >= until:
                raise subprocess.TimeoutExpired("a forked call", timeout)
            for key, _ in ready:
                if key.fd == into:
                    try:
                        rest = rest[os.write(into, rest[:65536]) :] if rest else rest
                    except BrokenPipeError:  # it did not want all of it
                        rest = rest[:0]
                    if not rest:
                        waiting.unregister(into)
                        writer.close()
                elif piece := os.read(key.fd, 65536):
                    found[key.fd].append(piece)
                else:
                    waiting.unregister(key.fd)
    return b"".join(found[out]), b"".join(found[err])


# In the server


def preload() -> None:
    """Import the product, and what it imports late. No module of it does anything when it is imported."""
    package = importlib.import_module("remember_me")
    for module in pkgutil.walk_packages(package.__path__, "remember_me."):
        if not module.name.endswith(".__main__"):
            importlib.import_module(module.name)
    for name in _LAZY:
        importlib.import_module(name)


def _serve(control: socket.socket) -> socket.socket:
    """Fork for each call. Comes back in the forked processes alone, with the socket on which the call stands."""
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        for ready in select.select([control, *running], [], [])[0]:
            if ready is not control:  # the process has ended, and with it the last writer of its pipe
                pid, answers = running.pop(ready)
                os.close(ready)
                status = os.waitpid(pid, 0)[1]
                with answers, contextlib.suppress(OSError):  # nobody may wait for it any more
                    answers.sendall(struct.pack("i", status))
                continue
            message, descriptors, _, _ = socket.recv_fds(control, 1, 5)
            if not message:
                os._exit(0)
            answers = socket.socket(fileno=descriptors[0])
            alive, held = os.pipe()
            pid = os.fork()
            if pid == 0:
                control.close()
                os.close(alive)
                for other, (_, its_answers) in running.items():
                    os.close(other)
                    its_answers.close()
                _take_place(*descriptors[1:])
                return answers
            os.close(held)
            for descriptor in descriptors[1:]:
                os.close(descriptor)
            running[alive] = (pid, answers)


def _take_place(folder: int, *streams: int) -> None:
    os.setsid()
    os.fchdir(folder)
    os.close(folder)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
        os.close(descriptor)


def _begin(answers: socket.socket) -> str:
    """Make of this forked process what a fresh interpreter is for the call; returns the module to run."""
    with answers:
        size = struct.unpack("q", answers.recv(8, socket.MSG_WAITALL))[0]
        module, words, variables, umask = marshal.loads(answers.recv(size, socket.MSG_WAITALL))
        os.environ.clear()
        os.environb.update(variables)
        time.tzset()
        os.umask(umask)
        sys.argv = ["-m", *map(os.fsdecode, words)]
        sys.orig_argv = [sys.executable, "-P", "-m", module, *sys.argv[1:]]
        sys.stdin = sys.__stdin__ = _stream(0, sys.stdin)
        sys.stdout = sys.__stdout__ = _stream(1, sys.stdout)
        sys.stderr = sys.__stderr__ = _stream(2, sys.stderr)
        answers.sendall(struct.pack("i", os.getpid()))
        return str(module)


def _stream(number: int, before: io.TextIOWrapper) -> io.TextIOWrapper:
    """A standard stream as the start of this interpreter opened it, on what the descriptor is now."""
    mode = "r" if number == 0 else "w"
    unbuffered = before.write_through  # PYTHONUNBUFFERED
    binary = open(number, f"{mode}b", 0 if unbuffered and number else -1, closefd=False)  # noqa: SIM115
    raw = binary if isinstance(binary, io.FileIO) else binary.raw
    raw.name = before.name
    stream = io.TextIOWrapper(
        binary,
        before.encoding,
        before.errors,
        newline="\n",
        line_buffering=not unbuffered and (number == 2 or raw.isatty()),
        write_through=unbuffered,
    )
    stream.mode = mode
    return stream


def _run(module: str) -> None:
    """`python -m module` up to its end, but without taking all modules apart first."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as end:
        if not isinstance(end.code, int | None) or threading.active_count() > 1:
            raise
        code = end.code or 0
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)  # the interpreter knows what to say
    os._exit(code)


if __name__ == "__main__":
    preload()
    gc.collect()
    gc.freeze()
    _run(_begin(_serve(socket.socket(fileno=int(sys.argv[1])))))
