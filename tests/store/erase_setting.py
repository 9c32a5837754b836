"""A store with a secret wherever something may keep it, made with git and the command line, and what has to be left."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from tests.cli_runner import Cli, Result

SECRET = "The safe behind the calendar opens with pelican four"
SECRET_ID = "secret"
QUOTE = "so it is, whatever the calendar says of pelican four"
LINES = (
    f'- [14:32 +01:00] FACT: {SECRET} ^{SECRET_ID}\n  - impact: 2\n  - evidence: "{QUOTE}" — cli, 2026-11-29 14:32\n'
)
"""As the secret stands in a note."""
PROMOTED = f"- FACT: {SECRET} ^{SECRET_ID}\n"
"""As it stands in the long-term note."""

A_DAY = 20
LONG_TERM_EVERY = 25
SINCE = date(2020, 1, 1)
FIRST_SECOND = 1_577_872_800

ERASED_ELSEWHERE = 9


def day_of(number: int) -> str:
    """The note that the commit of this number wrote into."""
    return f"memory/{SINCE + timedelta(days=number // A_DAY)}.md"


def stream(commits: int, at: int, *, promoted: bool = False) -> Iterator[bytes]:
    """A history in the language of git fast-import: one entry a commit, `SECRET` in the commit number `at`.

    `promoted`: it stands in MEMORY.md too, and so in every later revision of it.
    """
    day, long_term = "", "# Facts\n\n"
    for number in range(commits):
        path = day_of(number)
        if number % A_DAY == 0:
            day = f"---\ndate: {path[7:-3]}\ntimezone: Europe/Rome\n---\n"
        entry_id = SECRET_ID if number == at else f"e{number:05d}x"
        title = f"Note number {number} is about topic {number * 7919 % 1000}"
        lines = f'- [14:32 +01:00] FACT: {title} ^{entry_id}\n  - impact: 2\n  - evidence: "yes" — cli, {path[7:-3]}\n'
        day += "\n" + (LINES if number == at else lines)
        message = (
            f"remember-me: add {entry_id}\n\nOperation-Id: op{number}\nEntries: {entry_id}\nActor: person\n".encode()
        )
        seconds = FIRST_SECOND + number * 600
        yield b"commit refs/heads/main\n"
        yield b"author Anna T\xc3\xa9st <anna@example.invalid> %d +0530\n" % seconds
        yield b"committer Anna Test <anna@example.invalid> %d -0300\n" % (seconds + 7)
        yield b"data %d\n%b" % (len(message), message)
        data = day.encode()
        yield b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data)
        if number == at and promoted:
            long_term += PROMOTED
        if number % LONG_TERM_EVERY == 0:
            long_term += f"- FACT: Long-term {number} ^f{number:05d}x\n"
            data = long_term.encode()
            yield b"M 100644 inline MEMORY.md\ndata %d\n%b\n" % (len(data), data)


class State(NamedTuple):
    """A commit without its ids, and what it changed: (path, content before, content after)."""

    head: bytes
    changed: tuple[tuple[bytes, bytes, bytes], ...]


class Setting:
    """A store in `folder`, with a linked work tree and a remote beside it; scripts count as the person."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, folder / "store"
        self.linked, self.remote = folder / "linked", folder / "there.git"
        self.cli = Cli(self.store)

    def git(self, *arguments: str, at: Path | None = None, stdin: bytes = b"", more: Sequence[str] = ()) -> bytes:
        """What the person's git prints."""
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GIT_CONFIG_NOSYSTEM": "1"}
        who = ("-c", "user.name=Anna Test", "-c", "user.email=anna@example.invalid", *more)
        done = subprocess.run(
            ["git", *who, *arguments], cwd=at or self.store, env=environ, input=stdin, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, path: str, text: str, *, at: Path | None = None) -> None:
        file = (at or self.store) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, path: str, text: str, message: str, *options: str) -> None:
        self.write(path, text)
        self.git("add", path)
        self.git("commit", "-qm", message, *options)

    # The set-up

    def build(self, commits: int, at: int, *, promoted: bool = False) -> None:
        """A store with that history, packed, as `remember-me init` adopts it."""
        self.store.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.git("fast-import", "--quiet", stdin=b"".join(stream(commits, at, promoted=promoted)))
        self.git("reset", "-q", "--hard")
        self.git("gc", "-q")
        self.cli.ok("init")

    def hide_in_git(self) -> None:
        """The secret in a stash, a tag's tree, another branch, the staging area of a linked work tree, a commit that
        was amended away, and a reflog."""
        self.commit("memory/2027-01-01.md", LINES + "\n- FACT: Tagged ^tagged1\n", "tagged")
        self.git("tag", "-a", "-m", f"About: {SECRET}", "noted")
        self.git("reset", "-q", "--hard", "HEAD~1")
        self.git("switch", "-qc", "side", "HEAD~2")
        self.commit("memory/2027-01-02.md", LINES + "\n- FACT: Side ^side01\n", f"side: {SECRET}")
        self.git("switch", "-q", "main")
        self.commit("memory/2027-01-03.md", LINES, "to be amended away")
        self.commit("memory/2027-01-03.md", "- FACT: Amended ^amended1\n", "amended", "--amend")
        self.git("worktree", "add", "-q", "--detach", str(self.linked), "HEAD~1")
        self.write("memory/2027-01-04.md", LINES + "- FACT: Linked ^linked1\n", at=self.linked)
        self.git("add", "memory/2027-01-04.md", at=self.linked)
        self.write("memory/2027-01-05.md", LINES + "- FACT: Stashed ^stashed1\n")
        self.git("stash", "push", "-q", "--include-untracked", "-m", f"stashed {SECRET}")

    def hide_beside_git(self) -> None:
        """The secret in the cache, a receipt and a card that waits."""
        self.cli.ok("search", "pelican")
        self.cli.ok("hook", "prompt", "--session", "claude-code/s1", "--message", "m1", stdin=f"I say: {SECRET}.")
        agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
        card = self.cli.ok("--json", "correct", SECRET_ID, f"{SECRET}, or five", env=agent).json()
        assert card["state"] == "pending", card

    def hide_out_of_reach(self) -> dict[str, Path]:
        """The secret where only the person can take it away: what to call it, and the file, if there is one."""
        places = {
            "export.json": json.dumps([SECRET]),
            "exports/2026.md": f"# Export\n\n{LINES}",
            f"memory/.{date(2027, 1, 6)}.md.swp": f"b0VIM 9.0\0\0{SECRET}\0",
            f"memory/{date(2027, 1, 6)}.md~": LINES,
        }
        for path, text in places.items():
            self.write(path, text)
        self.git("clone", "-q", "--bare", str(self.store), str(self.remote))
        self.git("remote", "add", "there", str(self.remote))
        self.git("fetch", "-q", "there")
        return {path: self.store / path for path in places}

    # What it holds

    def commits(self) -> list[str]:
        """All commits that a branch, a tag or the stash leads to, children last."""
        return self.git("rev-list", "--reverse", "--topo-order", *_OURS).decode().split()

    def states(self, *, expected: bool = False) -> list[State]:
        """The same commits without their ids; with `expected` as they have to be when the secret is gone."""
        heads = self._heads()
        told = self.git("log", "-m", "--root", "--raw", "--no-abbrev", "-z", "--no-renames", "--format=%x01%H", *_OURS)
        changes = dict(_parsed(told))
        names = {oid for pairs in changes.values() for _, *both in pairs for oid in both}
        content = self._contents(sorted(names), expected)
        found = []
        for oid in self.commits():
            pairs = [(path, content[old], content[new]) for path, old, new in changes.get(oid, [])]
            head = heads[oid].replace(SECRET.encode(), b"[erased]") if expected else heads[oid]
            found.append(State(head, tuple(sorted(pair for pair in pairs if pair[1] != pair[2]))))
        return found

    def _heads(self) -> dict[str, bytes]:
        told = self.git(
            "log", "-z", "--format=%H%x02%an%x02%ae%x02%ad%x02%cn%x02%ce%x02%cd%x02%B", "--date=raw", *_OURS
        )
        return {record[:40].decode(): record[41:] for record in told.split(b"\0") if record}

    def _contents(self, oids: Sequence[str], expected: bool) -> dict[str, bytes]:
        """A digest of each blob, without the secret's own lines if `expected`."""
        told = self.git("cat-file", "--batch", "--buffer", stdin="".join(f"{oid}\n" for oid in oids).encode())
        found, at = {"0" * 40: b""}, 0
        while at < len(told):
            line, _, _ = told[at : at + 200].partition(b"\n")
            oid, *rest = line.decode().split()
            start = at + len(line) + 1
            if len(rest) != 2:  # nothing on that side
                at = start
                continue
            data = told[start : start + int(rest[1])]
            at = start + len(data) + 1
            if expected:
                data = data.replace(LINES.encode(), b"").replace(PROMOTED.encode(), b"")
            found[oid] = hashlib.sha1(data, usedforsecurity=False).digest()
        return found

    def notes(self) -> dict[str, bytes]:
        """The bytes of all notes on the disk."""
        return {path.name: path.read_bytes() for path in self.store.glob("memory/*.md")}

    # The checks

    def holding(self) -> list[str]:
        """Every file and every object of git with the secret: read by nothing of ours."""
        told = self.git("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)").split()
        data = self.git("cat-file", "--batch", "--buffer", stdin=b"\n".join(told) + b"\n")
        found = ["git"] if any(text.encode() in data for text in (SECRET, QUOTE)) else []
        for root in (self.store, self.linked):
            for file in sorted(root.rglob("*")):
                text = file.read_bytes() if file.is_file() else b""
                if SECRET.encode() in text or QUOTE.encode() in text:
                    found.append(file.relative_to(self.folder).as_posix())
        return found

    def checked_by_another_hand(self, script: Path) -> str:
        """What the independent check prints where it finds anything; empty if it finds nothing."""
        told = ""
        for root in (self.store, self.linked):
            words = ["bash", str(script), str(root), SECRET, QUOTE]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            told += done.stdout if done.returncode else ""
        return told

    def fsck(self) -> str:
        return self.git("fsck", "--strict", "--full", "--no-dangling", "--no-progress").decode()

    def forget(self) -> Result:
        return self.cli.run("forget", SECRET_ID, "--yes", timeout=600)


_OURS = ("--branches", "--tags", "--glob=refs/stash")


def _parsed(told: bytes) -> Iterator[tuple[str, list[tuple[bytes, str, str]]]]:
    """(commit, its (path, blob before, blob after)) of `git log --raw -z`; once for each parent."""
    for record in told.split(b"\1")[1:]:
        oid, *rest = record.split(b"\0")
        words = [word.lstrip(b"\n") for word in rest]
        rows = [word for word in words if word]
        pairs = []
        for meta, path in zip(rows[::2], rows[1::2], strict=True):
            _, _, old, new, _ = meta.lstrip(b":").split(b" ")
            pairs.append((path, old.decode(), new.decode()))
        yield oid.decode()[:40], pairs
