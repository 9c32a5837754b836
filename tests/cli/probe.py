"""Tells what a process is, or ends it in some way: `python -m tests.cli.probe WORD` (see test_zygote.py)."""

from __future__ import annotations

import atexit
import json
import locale
import os
import random
import signal
import subprocess
import sys
import time
import warnings

ORDER = ("encoding", "errors", "line_buffering", "write_through", "name", "mode", "newlines")


def state() -> dict[str, object]:
    """Everything that a command could take from its process, but for ids and random numbers."""
    umask = os.umask(0)
    os.umask(umask)
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return {
        "argv": sys.argv,
        "orig_argv": sys.orig_argv,
        "path": sys.path,
        "flags": str(sys.flags),
        "options": (sys.warnoptions, sys._xoptions, str(warnings.filters)),
        "main": (__name__, sys.modules["__main__"].__dict__["main"] is main, __file__),
        "streams": [[str(getattr(stream, name)) for name in ORDER] for stream in streams],
        "buffers": [str(type(stream.buffer)) for stream in streams],
        "raw": [str(getattr(stream.buffer, "raw", stream.buffer).name) for stream in streams],
        "originals": [sys.__stdin__ is sys.stdin, sys.__stdout__ is sys.stdout, sys.__stderr__ is sys.stderr],
        "terminals": [stream.isatty() for stream in streams],
        "environ": dict(sorted(os.environ.items())),
        "children": sorted(os.fsdecode(subprocess.check_output(["env"])).splitlines()),
        "cwd": os.getcwd(),
        "umask": umask,
        "signals": {number.name: str(signal.getsignal(number)).split(" at ")[0] for number in signal.valid_signals()
                    if isinstance(number, signal.Signals)},
        "mask": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "leader": os.getsid(0) == os.getpid() == os.getpgid(0),
        "zone": (time.tzname, time.localtime(0).tm_hour),
        "locale": (locale.setlocale(locale.LC_ALL), locale.getpreferredencoding(), sys.getfilesystemencoding()),
        "input": os.read(0, 100).decode() if "read" in sys.argv else "",
        "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:3],
    }  # fmt: skip


def main() -> None:
    word = sys.argv[1]
    if word == "state":
        print(json.dumps(state()))
    elif word == "random":
        print(random.random(), os.urandom(8).hex())
    elif word == "exit":
        atexit.register(print, "at exit")
        print("é\udce9", file=sys.stderr)
        sys.stdout.write("no line end")
        sys.exit(int(sys.argv[2]) if sys.argv[2].lstrip("-").isdigit() else sys.argv[2])
    elif word == "none":
        print("nothing")
    elif word == "raise":
        print("before")
        raise ValueError("as said")
    elif word == "kill":
        os.kill(os.getpid(), signal.SIGTERM)
    elif word == "lost":
        print("into the pipe")
        os.close(0)
        sys.exit(3)
    elif word == "wait":
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        time.sleep(60)


if __name__ == "__main__":
    main()
