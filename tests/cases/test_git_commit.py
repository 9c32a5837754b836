"""B23, B25, B27: the note is written whatever git does, and what the person prepared for git stays theirs."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from tests.cases.support import add, ids, numstat, put, sampled, sound
from tests.cli_runner import Cli, git
from tests.shared import shared_path

HOOKS = (
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit", "post-rewrite", "pre-auto-gc",
    "post-index-change", "reference-transaction", "fsmonitor-watchman", "update", "post-update",
)  # fmt: skip


def test_b23_a_leftover_index_lock(cli: Cli) -> None:
    """Only the person's staging area needs it: the commit is made, and the staging area is made up for later."""
    lock = cli.store / ".git" / "index.lock"
    lock.touch()
    began = time.monotonic()
    first = add(cli, "one")
    assert time.monotonic() - began < 5
    assert git(cli.store, "show", "--format=%s", "--name-only").startswith(f"remember-me: add {first}\n\nmemory/")
    assert lock.exists()
    lock.unlink()
    second = add(cli, "two")
    assert git(cli.store, "log", "-2", "--format=%s") == f"remember-me: add {second}\nremember-me: add {first}\n"
    sound(cli)


@pytest.mark.parametrize("name", ["HEAD.lock", "refs/heads/main.lock"])
def test_b23_a_leftover_lock_of_the_branch(cli: Cli, name: str) -> None:
    lock = cli.store / ".git" / name
    lock.touch()
    began = time.monotonic()
    done = cli.run("add", "one")
    assert time.monotonic() - began < 5
    assert done.code == 0
    said = done.err.splitlines()
    assert said[0].startswith(f"saved, not yet committed: the lock file .git/{name}, ")
    assert said[0].endswith(" old, is in the way.")
    assert said[1] == f"Hint: If no git command is running there: rm {lock}"
    assert len(said) == 2
    (first,) = ids(cli)
    state = cli.json("status")
    assert state["uncommitted"] == 1
    assert state["reason"].startswith(f"the lock file .git/{name}, ")
    assert state["hint"] == f"If no git command is running there: rm {lock}"
    assert lock.exists()
    lock.unlink()
    second = add(cli, "two")
    assert git(cli.store, "log", "-2", "--format=%s") == f"remember-me: add {second}\nremember-me: add {first}\n"
    sound(cli)


@pytest.mark.parametrize("what", sampled(["a merge", "a cherry-pick", "a rebase", "a revert"]))
def test_b23_an_operation_of_the_persons_own(cli: Cli, what: str) -> None:
    marks = {"a merge": "MERGE_HEAD", "a cherry-pick": "CHERRY_PICK_HEAD", "a revert": "REVERT_HEAD"}
    mark = cli.store / ".git" / marks.get(what, "rebase-merge")
    if what == "a rebase":
        mark.mkdir()
    else:
        mark.write_text(git(cli.store, "rev-parse", "HEAD"))
    done = cli.run("add", "one")
    reason = f"{what} is under way in the repository"
    assert (done.code, done.err) == (
        0,
        f"saved, not yet committed: {reason}.\nHint: Finish it or stop it in {cli.store}\n",
    )
    state = cli.json("status")
    assert (state["uncommitted"], state["reason"]) == (1, reason)
    if mark.is_dir():
        mark.rmdir()
    else:
        mark.unlink()
    add(cli, "two")
    sound(cli)


@pytest.mark.parametrize("source", ["own", "case"])
def test_b23_git_hooks_of_the_store_have_no_say(cli: Cli, tmp_path: Path, source: str) -> None:
    """Nothing is half staged, since no hook runs at all: the store may have come from somebody else."""
    text = f"#!/bin/sh\ntouch {tmp_path}/ran-$(basename $0)\necho 'policy: no' >&2\nexit 1\n"
    if source == "case":
        text = shared_path("cases", "inputs", "B23", "pre-commit").read_text()
    for name in HOOKS:
        hook = cli.store / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(text)
        hook.chmod(0o755)
    entry = add(cli, "three")
    cli.ok("pin", entry)
    cli.ok("undo")
    cli.ok("status")
    assert not list(tmp_path.glob("ran-*"))
    sound(cli)


def test_b25_what_the_person_staged_stays_staged(cli: Cli) -> None:
    put(cli, "private-draft.md", "draft\n")
    put(cli, "memory/picture.png", "png")
    git(cli.store, "add", "private-draft.md", "memory/picture.png")
    put(cli, "untracked.txt", "wip\n")
    put(cli, "memory/untracked.txt", "wip\n")
    theirs = ["A  memory/picture.png", "A  private-draft.md", "?? memory/untracked.txt", "?? untracked.txt"]
    staged = git(cli.store, "ls-files", "--stage", "private-draft.md", "memory/picture.png")
    entry = add(cli, "memory only")
    (note,) = [path for _, _, path in numstat(cli)]
    assert note.startswith("memory/")
    for words in (("pin", entry), ("undo",), ("redo",), ("correct", entry, "new"), ("config", "store.timezone", "UTC")):
        cli.ok(*words)
        assert sorted(git(cli.store, "status", "--short", "--untracked-files=all").splitlines()) == sorted(theirs)
    assert git(cli.store, "ls-files", "--stage", "private-draft.md", "memory/picture.png") == staged
    assert "private-draft.md" not in git(cli.store, "log", "--name-only", "--format=")
    sound(cli, besides=theirs)


def test_b25_a_note_that_is_staged_in_part(cli: Cli) -> None:
    """The person's edit is the note as it stands: it becomes one operation, and nothing is lost of it."""
    note = put(cli, "memory/2026-01-01.md", "- FACT: a ^aaaaa1\n")
    add(cli, "x")
    note.write_text("- FACT: staged ^aaaaa1\n")
    git(cli.store, "add", "memory/2026-01-01.md")
    note.write_text("- FACT: standing ^aaaaa1\n")
    add(cli, "y")
    assert note.read_text() == "- FACT: standing ^aaaaa1\n"
    assert git(cli.store, "show", "HEAD:memory/2026-01-01.md") == "- FACT: standing ^aaaaa1\n"
    assert git(cli.store, "log", "-1", "--format=%s", "HEAD~1") == "remember-me: edit aaaaa1\n"
    sound(cli)


def test_b25_a_removal_and_a_rename_that_are_staged(cli: Cli) -> None:
    for name in ("one.txt", "two.txt"):
        put(cli, name, name)
    git(cli.store, "add", "one.txt", "two.txt")
    git(cli.store, "-c", "user.name=U", "-c", "user.email=u@example.invalid", "commit", "-q", "-m", "theirs")
    git(cli.store, "rm", "-q", "one.txt")
    git(cli.store, "mv", "two.txt", "three.txt")
    theirs = ["D  one.txt", "R  two.txt -> three.txt"]
    add(cli, "memory only")
    assert numstat(cli)[0][2].startswith("memory/")
    sound(cli, besides=theirs)


@pytest.mark.parametrize("program", ["sleeps", "fails", "case"])
def test_b27_commits_are_not_signed_and_nothing_waits(cli: Cli, tmp_path: Path, program: str) -> None:
    """The decision: commits of ours are never signed, so that no passphrase is waited for."""
    ran = tmp_path / "ran"
    gpg = tmp_path / "gpg"
    gpg.write_text(f"#!/bin/sh\ntouch {ran}\n{'exec sleep 600' if program == 'sleeps' else 'exit 1'}\n")
    if program == "case":
        gpg.write_text(f"touch {ran}\n" + shared_path("cases", "inputs", "B27", "fake-gpg").read_text())
    gpg.chmod(0o755)
    for key, value in {
        "commit.gpgSign": "true",
        "tag.gpgSign": "true",
        "gpg.program": str(gpg),
        "gpg.openpgp.program": str(gpg),
        "user.signingKey": "ABCD",
        "log.showSignature": "true",
    }.items():
        git(cli.store, "config", key, value)
    began = time.monotonic()
    entry = add(cli, "signed?")
    for words in (("log",), ("diff",), ("undo",), ("redo",)):
        cli.ok("--quiet", *words)
    assert time.monotonic() - began < 30
    assert git(cli.store, "-c", "gpg.program=false", "log", "-1", "--format=%G? %s") == f"N remember-me: redo {entry}\n"
    assert not ran.exists()
    sound(cli)


def test_b27_the_trap_would_have_caught_a_signed_commit(cli: Cli, tmp_path: Path) -> None:
    gpg = tmp_path / "gpg"
    gpg.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    gpg.chmod(0o755)
    words = (
        "-c",
        f"gpg.program={gpg}",
        "-c",
        "commit.gpgSign=true",
        "-c",
        "user.name=U",
        "-c",
        "user.email=u@x.invalid",
    )
    with pytest.raises(subprocess.CalledProcessError):
        git(cli.store, *words, "commit", "-q", "--allow-empty", "-m", "signed")
    assert (tmp_path / "ran").exists()
