"""Golden transcripts: markdown files whose ```console blocks are run and compared, or written anew.

A block has lines `$ command` (continued by lines `> more`), each followed by what the command printed:
stdout, then each line of stderr behind `2> `, then `[exit N]` unless N is 0. An output line that would read
as a command has a backslash before it.

All commands of a file run as under bash, each in a shell of its own, in one fresh folder, which is also the
store (`$STORE`), with an empty `$HOME`. What differs from run to run is shown by place holders: `id-1`,
`op-1` and `commit-1` in the order of appearance, `DATE` (today), `TIME`, `STORE` and `HOME`. Later commands
may use the real ones as `$ID1` and `$OP1`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests import zygote

PROJECT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 60

_NAME = r"\$[A-Z][A-Z0-9]*"
_WORD = rf"""(?:[\w./:@^+,=-]|{_NAME})+|'[^'$]*'|"(?:[^"$`\\!]|{_NAME})*\""""
_PLAIN = re.compile(rf"remember-me(?: +(?:{_WORD}))*")
"""A call of the product from which bash would only take quotes away and put in variables."""

_FENCE = re.compile(r"^(`{3,}|~{3,})console *$")
_ID = r"(?=[0-9a-z]*[a-z])[0-9a-hjkmnp-tv-z]{6,}"
_ID_IN_NOTE = re.compile(rf"(?:\s\^|^id: *)({_ID})\s*$", re.MULTILINE)
_ID_IN_OUTPUT = re.compile(rf"(?:\^|\"id\": *\")({_ID})\b")
_ID_IN_LIST = re.compile(rf"^ *({_ID}) (?:FACT|PREFERENCE|GOAL|HYPOTHESIS) ", re.MULTILINE)
_OPERATION = re.compile(r"(?:\"operation\": *\"|\bundo |\()([0-9a-hjkmnp-tv-z]{8})\b")
_OFFSET = r"(?: ?(?:[+-]\d\d:\d\d|Z|UTC))"
_CLOCK = r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?"


@dataclass(frozen=True)
class Result:
    """What one command printed, undecoded bytes shown as escapes."""

    stdout: str
    stderr: str
    exit_code: int

    def render(self) -> str:
        """The lines of the transcript, each with its line end."""
        lines = _lines(self.stdout) + [f"2> {line}" for line in _lines(self.stderr)]
        if self.exit_code:
            lines.append(f"[exit {self.exit_code}]")
        return "".join(f"{line}\n" for line in lines)


@dataclass
class Sandbox:
    """The folders, the environment and the place holders of one transcript."""

    root: Path
    names: dict[str, str] = field(default_factory=dict)
    """Real word to place holder."""
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        self.root = self.root.resolve()
        self.home = self.root / "home"
        self.store = self.root / "store"
        for folder in (self.home / ".config" / "remember-me", self.store, self.root / "bin"):
            folder.mkdir(parents=True)
        # A transcript is a person at work, though bash is no terminal (DESIGN section 5).
        settings = self.home / ".config" / "remember-me" / "config.toml"
        settings.write_text('[trust]\nscripts = "person"\n', encoding="utf-8")
        shim = self.root / "bin" / "remember-me"
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m remember_me "$@"\n', encoding="utf-8")
        shim.chmod(0o755)

    def environment(self) -> dict[str, str]:
        """Nothing of this machine but the rest of PATH."""
        return {
            "PATH": f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(PROJECT),
            "HOME": str(self.home),
            "STORE": str(self.store),
            "REMEMBER_ME_HOME": str(self.store),
            "GIT_CONFIG_NOSYSTEM": "1",
            "EDITOR": "false",
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
            "TERM": "dumb",
            **{name.upper().replace("-", ""): word for word, name in self.names.items()},
        }

    def run(self, command: str) -> Result:
        """Run one command line; the place holders are not put in yet."""
        environ = self.environment()
        words = plain_words(command, environ)
        if words is not None and zygote.serves(words, environ):
            forked = zygote.run(words, env=environ, cwd=self.store, timeout=TIMEOUT_SECONDS)
            return _result(forked)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.store,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            start_new_session=True,  # so that an agent that runs the tests is no ancestor of the person in them
        )
        return _result(done)

    def transcribe(self, command: str) -> str:
        """Run one command and return its lines with place holders."""
        text = self.run(command).render()
        self._learn(text)
        return normalize(text, self.names, self._places(), (self.started_at, datetime.now(UTC)))

    def _places(self) -> dict[str, str]:
        return {str(self.store): "STORE", str(self.home): "HOME", str(self.root): "SANDBOX"}

    def _learn(self, output: str) -> None:
        """Give a name to each new id, operation and commit, in the order of the output, else of the notes."""
        commits = self._git("rev-list", "--all", "--reverse").split()
        operations = self._git(
            "log", "--all", "--reverse", "--format=%(trailers:key=Operation-Id,valueonly,separator=%x0A)"
        ).split()
        notes = "".join(path.read_text(encoding="utf-8", errors="replace") for path in sorted(self.store.rglob("*.md")))
        ids = _ID_IN_OUTPUT.findall(output) + _ID_IN_LIST.findall(output) + _ID_IN_NOTE.findall(notes)
        self._name("op", operations + _OPERATION.findall(output), output)
        self._name("id", [word for word in ids if word not in self.names], output)
        self._name("commit", [commit[:7] for commit in commits], output)

    def _name(self, kind: str, words: list[str], output: str) -> None:
        new = [word for word in dict.fromkeys(words) if word not in self.names]
        known = sum(name.startswith(f"{kind}-") for name in self.names.values())
        new.sort(key=lambda word: output.find(word) if word in output else len(output))
        self.names |= {word: f"{kind}-{number}" for number, word in enumerate(new, known + 1)}

    def _git(self, *arguments: str) -> str:
        if not (self.store / ".git").exists():
            return ""
        return subprocess.run(
            ["git", *arguments], cwd=self.store, env=self.environment(), capture_output=True, text=True
        ).stdout


def plain_words(command: str, environ: Mapping[str, str]) -> list[str] | None:
    """The words behind `remember-me`, as bash would give them to it; None where that takes a bash."""
    if not _PLAIN.fullmatch(command):
        return None
    used = re.findall(r"\$([A-Z0-9]+)", command)
    if not all(re.fullmatch(r"[\w./-]+", environ.get(name, "")) for name in used):
        return None
    return shlex.split(re.sub(r"\$([A-Z0-9]+)", lambda name: environ[name[1]], command))[1:]


def _result(done: subprocess.CompletedProcess[bytes]) -> Result:
    stdout, stderr = (text.decode("utf-8", "backslashreplace") for text in (done.stdout, done.stderr))
    return Result(stdout, stderr, done.returncode)


def normalize(text: str, names: Mapping[str, str], places: Mapping[str, str], when: tuple[datetime, datetime]) -> str:
    """`text` with place holders for `places`, the words in `names`, and the dates and times of `when`."""
    for place in sorted(places, key=len, reverse=True):
        text = text.replace(place, places[place])
    for word, name in names.items():
        # A commit is known by its first 7 digits and may be shown with more of them.
        more = r"[0-9a-f]{0,33}" if name.startswith("commit-") else ""
        text = re.sub(rf"(?<![0-9A-Za-z]){re.escape(word)}{more}(?![0-9A-Za-z])", name, text)
    # An id that YAML would read as a number is quoted in front matter.
    text = re.sub(r'^id: "(id-\d+)"$', r"id: \1", text, flags=re.MULTILINE)
    today = "|".join(dict.fromkeys(moment.date().isoformat() for moment in when))
    text = re.sub(rf"\b(?:{today})([T ]){_CLOCK}{_OFFSET}?", r"DATE\1TIME", text)
    text = re.sub(rf"\b(?:{today})\b", "DATE", text)
    text = re.sub(rf"\[{_CLOCK}{_OFFSET}?\]", "[TIME]", text)
    return re.sub(rf"\b{_CLOCK}{_OFFSET}", "TIME", text)


def retell(transcript: str, sandbox: Sandbox) -> str:
    """The transcript as it is now: its commands run again, everything else kept."""
    out: list[str] = []
    lines = iter(transcript.splitlines(keepends=True))
    for line in lines:
        opening = _FENCE.match(line)
        if opening is None:
            out.append(line)
            continue
        inside = []
        for line in lines:
            if line.rstrip() == opening[1]:
                break
            inside.append(line)
        else:
            raise ValueError(f"a console block has no closing {opening[1]}")
        block = "".join(_retell_block(inside, sandbox))
        fence = _longer_than_any(opening[1], block)
        out += [f"{fence}console\n", block, f"{fence}\n"]
    return "".join(out)


def told(transcript: str) -> Iterator[tuple[str, str]]:
    """Each command of the console blocks and what stands there as its output."""
    for block in re.finditer(r"^(`{3,}|~{3,})console *\n(.*?)^\1 *$", transcript, re.MULTILINE | re.DOTALL):
        yield from _told(block[2].splitlines(keepends=True))


def _retell_block(lines: list[str], sandbox: Sandbox) -> Iterator[str]:
    for command, _ in _told(lines):
        yield "> ".join(f"$ {command}\n".splitlines(keepends=True))
        yield "".join(_escape(line) for line in sandbox.transcribe(command).splitlines(keepends=True))


def _told(lines: list[str]) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.startswith("$ "):
            continue
        parts = [line[2:]]
        while at < len(lines) and lines[at].startswith("> "):
            parts.append(lines[at][2:])
            at += 1
        start = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        yield "".join(parts).rstrip("\n"), "".join(line.removeprefix("\\") for line in lines[start:at])


def _escape(line: str) -> str:
    return f"\\{line}" if line.startswith(("$ ", "> ", "\\")) else line


def _longer_than_any(fence: str, block: str) -> str:
    while re.search(rf"^{re.escape(fence)}", block, re.MULTILINE):
        fence += fence[0]
    return fence


def _lines(text: str) -> list[str]:
    """The lines of an output; a missing last line end is worth a line of its own. Only LF ends a line."""
    if not text:
        return []
    *lines, last = text.split("\n")
    return lines if not last else [*lines, last, "[no line end]"]
