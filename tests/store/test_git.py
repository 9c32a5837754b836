"""The git runner, with real git in real repositories, hostile ones too."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from remember_me.store.git import (
    FileChange,
    Git,
    GitFailed,
    GitProblem,
    Head,
    Identity,
    blob_id,
    clean_environment,
)
from remember_me.store.gitdir import GitDir
from remember_me.store.lock import StoreLock

PROJECT = Path(__file__).resolve().parents[2]
NOTE = "memory/2026-11-29.md"
AT = 1_796_000_000

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the set-up uses POSIX shells and signals")


class Sandbox:
    """A store with its own home, and a person's git beside ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.root = folder / "store"
        self.dir = self.root / ".git"
        self.marker = self.root / ".remember-me" / "git-running"
        self.home.mkdir()
        (self.root / ".remember-me").mkdir(parents=True)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        self.configure("user.name", "Anna Test")
        self.configure("user.email", "anna@example.invalid")

    def configure(self, key: str, value: str) -> None:
        self.person("config", "--global", key, value, at=self.folder)

    def person(self, *arguments: str, at: Path | None = None, fails: bool = False) -> str:
        """What the person's own git prints."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=at or self.root,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert fails or done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    def git(self, root: Path | None = None, **options: object) -> Git:
        settings: dict[str, object] = {"environ": self.environ, "marker": self.marker, **options}
        return Git(root or self.root, **settings)  # type: ignore[arg-type]

    def write(self, path: str, text: str) -> FileChange:
        data = text.encode()
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)
        return FileChange(path, data)

    def file(self, name: str, text: str = "", *, old: bool = False) -> Path:
        """A file in .git, and an hour old if `old`."""
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if old:
            os.utime(path, (time.time() - 3600, time.time() - 3600))
        return path

    def log(self) -> list[str]:
        return self.person("log", "--format=%s").splitlines()

    def status(self) -> str:
        return self.person("status", "--porcelain", "--", ".", ":!.remember-me")


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    """A store with one commit."""
    sandbox = empty_store(tmp_path)
    sandbox.write("MEMORY.md", "# Memory\n")
    sandbox.person("add", "MEMORY.md")
    sandbox.person("commit", "-qm", "base")
    return sandbox


@pytest.fixture
def new(tmp_path: Path) -> Sandbox:
    """A store without a commit."""
    return empty_store(tmp_path)


def empty_store(folder: Path) -> Sandbox:
    sandbox = Sandbox(folder)
    sandbox.person("init", "-q", "-b", "main")
    return sandbox


def commit(git: Git, *changes: FileChange, message: str = "remember-me: add k7m2pq\n") -> str:
    return git.commit(git.head(), changes, message, at=AT, utc_offset="+0100")


def save(box: Sandbox, git: Git, path: str = NOTE, text: str = "- FACT: one\n") -> str:
    """One whole write: file, commit, staging area."""
    change = box.write(path, text)
    made = commit(git, change)
    assert git.refresh_staging([change])
    return made


def problem(action: Callable[[], object]) -> GitFailed:
    with pytest.raises(GitFailed) as caught:
        action()
    failure = caught.value
    assert failure.reason
    assert failure.reason[-1] != "."
    assert "\n" not in failure.reason
    return failure


# A commit


def test_commit_is_on_the_branch_with_its_text_and_person(box: Sandbox) -> None:
    git = box.git()
    parent = box.person("rev-parse", "HEAD")
    message = "remember-me: add k7m2pq\n\nOperation-Id: op1\nActor: person\n"
    made = commit(git, FileChange(NOTE, b"- FACT: one\n"), message=message)
    assert box.person("rev-parse", "HEAD", "HEAD~1").split() == [made, parent]
    assert git.head() == Head("refs/heads/main", made)
    assert box.person("show", f"HEAD:{NOTE}") == "- FACT: one"
    assert box.person("show", "HEAD:MEMORY.md") == "# Memory"
    assert box.person("log", "-1", "--format=%an|%ae|%ad|%cn|%ce|%cd", "--date=raw") == (
        f"Anna Test|anna@example.invalid|{AT} +0100|Anna Test|anna@example.invalid|{AT} +0100"
    )
    assert box.person("log", "-1", "--format=%B").strip() == message.strip()
    assert box.person("log", "-1", "--format=%(trailers:key=Operation-Id,valueonly)").strip() == "op1"
    assert box.person("fsck", "--strict") == ""


def test_first_commit_of_an_unborn_branch(new: Sandbox) -> None:
    git = new.git()
    assert git.head() == Head("refs/heads/main", None)
    made = save(new, git)
    assert new.person("rev-list", "--all") == made
    assert new.status() == ""


def test_unborn_head_is_not_taken_for_a_branch_that_came_meanwhile(new: Sandbox) -> None:
    git = new.git()
    unborn = git.head()
    commit(git, FileChange("a.md", b"a"))
    late = [FileChange("b.md", b"b")]
    failure = problem(lambda: git.commit(unborn, late, "late", at=AT, utc_offset="+0000"))
    assert failure.problem is GitProblem.MOVED


def test_status_is_clean_after_each_of_several_writes(box: Sandbox) -> None:
    git = box.git()
    for number in range(3):
        save(box, git, text=f"- FACT: {number}\n")
        assert box.status() == ""
    assert len(box.log()) == 4
    assert box.person("fsck", "--strict") == ""


def test_deleting_changing_and_a_folder_in_place_of_a_file(box: Sandbox) -> None:
    git = box.git()
    first = [FileChange("a", b"file"), FileChange("b/c.md", b"c"), FileChange("keep.md", b"k")]
    commit(git, *first)
    git.refresh_staging(first)
    second = [FileChange("a/new.md", b"n"), FileChange("a", None), FileChange("b/c.md", None)]
    second.append(FileChange("never-there.md", None))
    made = commit(git, *second)
    assert git.refresh_staging(second)
    assert set(git.tree(made)) == {"MEMORY.md", "a/new.md", "keep.md"}
    assert box.person("ls-files").split() == ["MEMORY.md", "a/new.md", "keep.md"]
    assert box.person("fsck", "--strict") == ""


def test_executable_and_empty_files(box: Sandbox) -> None:
    git = box.git()
    made = commit(git, FileChange("run.sh", b"#!/bin/sh\n", executable=True), FileChange("empty.md", b""))
    files = git.tree(made)
    assert files["run.sh"][0] == "100755"
    assert files["empty.md"] == ("100644", blob_id(b""))


@pytest.mark.parametrize(
    "path",
    [
        "a b.md",
        'say "hi".md',
        "back\\slash.md",
        "zwei\nZeilen.md",
        "tab\there.md",
        "Grüße/naïve – ü.md",
        " leading and trailing ",
        '"quoted"',
        "-dash.md",
        "日本語.md",
        "bytes-\udcff.md",
        "\x01\x7f.md",
    ],
)
def test_any_path_that_a_file_system_allows(box: Sandbox, path: str) -> None:
    git = box.git()
    change = FileChange(path, b"x\n")
    (box.root / os.fsdecode(os.fsencode(path))).parent.mkdir(exist_ok=True)
    (box.root / os.fsdecode(os.fsencode(path))).write_bytes(b"x\n")
    made = commit(git, change)
    assert git.refresh_staging([change])
    assert git.tree(made)[path] == ("100644", blob_id(b"x\n"))
    assert git.tree(made, [path]) == {path: ("100644", blob_id(b"x\n"))}
    assert box.status() == ""
    gone = FileChange(path, None)
    assert path not in git.tree(commit(git, gone))


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../out.md", "a/../b", "./a", "a//b", "a/", ".git/config", "x/.GIT/hooks/y", "a\0b"],
)
def test_paths_that_lead_out_of_the_store(path: str) -> None:
    with pytest.raises(ValueError, match="not a path in the store"):
        FileChange(path, b"")


@pytest.mark.parametrize(
    "message",
    ["done", "done\n", "", "subject\n\nget-mark :1\ndone\nfrom x\n", "Grüße\r\n", "nul\0nul", "lone \ud800"],
)
def test_any_message(box: Sandbox, message: str) -> None:
    git = box.git()
    commit(git, FileChange(NOTE, b"x"), message=message)
    told = box.person("log", "-1", "--format=%B").strip()
    assert told == message.replace("\0", "\ufffd").replace("\ud800", "?").strip()
    assert box.person("fsck", "--strict") == ""


def test_contents_that_look_like_the_language_of_fast_import(box: Sandbox) -> None:
    data = b"data 5\ndone\n\0\xff\r\nreset refs/heads/main\n"
    git = box.git()
    made = commit(git, FileChange(NOTE, data))
    oid = git.tree(made)[NOTE][1]
    assert git.blobs([oid]) == {oid: data}


def test_wrong_values_are_mistakes_of_the_caller(box: Sandbox) -> None:
    git = box.git()
    with pytest.raises(ValueError, match="offset"):
        git.commit(git.head(), [], "m", at=AT, utc_offset="Z")
    with pytest.raises(ValueError, match="object id"):
        git.tree("--output=/tmp/x")
    with pytest.raises(ValueError, match="object id"):
        git.blobs(["HEAD\nHEAD"])
    with pytest.raises(ValueError, match="object id"):
        git.commit(Head("refs/heads/main", "main"), [], "m", at=AT, utc_offset="+0000")
    assert not box.marker.exists()


def test_many_files_at_once(box: Sandbox) -> None:
    git = box.git()
    changes = [FileChange(f"memory/{number}.md", b"%d\n" % number) for number in range(250)]
    made = commit(git, *changes)
    assert git.refresh_staging(changes)
    assert len(git.tree(made)) == 251
    assert box.person("fsck", "--strict") == ""


def test_sha256_repository(tmp_path: Path) -> None:
    box = Sandbox(tmp_path)
    box.person("init", "-q", "-b", "main", "--object-format=sha256")
    git = box.git()
    assert git.object_format() == "sha256"
    made = save(box, git)
    assert len(made) == 64
    assert git.tree(made)[NOTE][1] == blob_id(b"- FACT: one\n", "sha256")
    assert box.status() == ""
    assert box.git().object_format() == "sha256"


def test_blob_id_is_gits(box: Sandbox) -> None:
    box.write("x", "Grüße\n")
    assert box.person("hash-object", "x") == blob_id("Grüße\n".encode())


# A race


def test_commit_is_refused_when_the_branch_went_on(box: Sandbox) -> None:
    git = box.git()
    seen = git.head()
    box.person("commit", "-q", "--allow-empty", "-m", "theirs")
    failure = problem(lambda: git.commit(seen, [FileChange(NOTE, b"x")], "late", at=AT, utc_offset="+0000"))
    assert failure.problem is GitProblem.MOVED
    assert box.log() == ["theirs", "base"]
    assert not box.marker.exists()
    assert commit(git, FileChange(NOTE, b"x")) == box.person("rev-parse", "HEAD")


@pytest.mark.parametrize("packed", [False, True])
def test_commit_is_refused_when_the_branch_went_back(box: Sandbox, packed: bool) -> None:
    """fast-import alone would bring back what the person took away."""
    git = box.git()
    save(box, git)
    seen = git.head()
    box.person("reset", "-q", "--hard", "HEAD~1")
    if packed:
        box.person("pack-refs", "--all")
    failure = problem(lambda: git.commit(seen, [FileChange("b.md", b"x")], "late", at=AT, utc_offset="+0000"))
    assert failure.problem is GitProblem.MOVED
    assert box.log() == ["base"]


def test_commit_is_refused_when_another_branch_was_checked_out(box: Sandbox) -> None:
    git = box.git()
    seen = git.head()
    box.person("switch", "-qc", "other")
    failure = problem(lambda: git.commit(seen, [FileChange(NOTE, b"x")], "late", at=AT, utc_offset="+0000"))
    assert failure.problem is GitProblem.MOVED
    assert commit(git, FileChange(NOTE, b"x"))
    assert box.person("rev-list", "--count", "main..other") == "1"


def test_race_that_only_git_can_see(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The branch moves after our own look at it, right before git's."""
    git = box.git()
    seen = git.head()
    box.person("commit", "-q", "--allow-empty", "-m", "theirs")
    looks = [seen]
    monkeypatch.setattr(GitDir, "glance", lambda self: looks.pop() if looks else None)
    failure = problem(lambda: git.commit(seen, [FileChange(NOTE, b"x")], "late", at=AT, utc_offset="+0000"))
    assert failure.problem is GitProblem.MOVED
    assert box.log() == ["theirs", "base"]
    assert not list(box.dir.glob("fast_import_crash_*"))


def test_packed_branch(box: Sandbox) -> None:
    box.person("pack-refs", "--all")
    git = box.git()
    save(box, git)
    assert len(box.log()) == 2


def test_two_writers_lose_no_commit(box: Sandbox) -> None:
    """Each retries when it lost the race; nothing of either is lost."""
    script = (
        "import sys, os\nfrom pathlib import Path\n"
        "from remember_me.store.git import *\n"
        "who, root = sys.argv[1], Path(sys.argv[2])\n"
        "git = Git(root, environ=os.environ, marker=root / '.remember-me' / who)\n"
        "for n in range(15):\n"
        "    while True:\n"
        "        try:\n"
        "            change = FileChange(f'{who}/{n}.md', b'x')\n"
        "            git.commit(git.head(), [change], f'{who} {n}', at=1, utc_offset='+0000')\n"
        "            break\n"
        "        except GitFailed as failure:\n"
        "            assert failure.problem.value in ('moved', 'locked'), failure.reason\n"
    )
    environ = box.environ | {"PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", script]
    writers = [subprocess.Popen([*command, who, str(box.root)], env=environ) for who in ("one", "two")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(box.person("ls-tree", "-r", "--name-only", "HEAD").split()) == 31
    assert len(box.log()) == 31
    assert box.person("fsck", "--strict", "--no-dangling") == ""


# What belongs to the person


def test_staged_and_untracked_files_stay_theirs(box: Sandbox) -> None:
    """Case B25."""
    box.write("private-draft.md", "draft\n")
    box.person("add", "private-draft.md")
    box.write("untracked.txt", "wip\n")
    git = box.git()
    made = save(box, git)
    assert box.person("show", "--format=", "--name-only", made) == NOTE
    assert box.status().splitlines() == ["A  private-draft.md", "?? untracked.txt"]


def test_missing_index_is_made(box: Sandbox) -> None:
    (box.dir / "index").unlink()
    git = box.git()
    change = box.write("MEMORY.md", "# Memory\n\nmore\n")
    commit(git, change)
    assert git.refresh_staging([change])
    assert box.status() == ""


def test_no_changes_need_no_git(box: Sandbox) -> None:
    assert box.git(environ={}).refresh_staging([])


def test_inherited_git_variables_have_no_effect(box: Sandbox, tmp_path: Path) -> None:
    """Case B19: called from a git hook of the user's project."""
    project = tmp_path / "project"
    project.mkdir()
    box.person("init", "-q", "-b", "trunk", at=project)
    (project / "f").write_text("1\n")
    box.person("add", "f", at=project)
    before = (project / ".git" / "index").read_bytes()
    environ = box.environ | {
        "GIT_DIR": str(project / ".git"),
        "GIT_WORK_TREE": str(project),
        "GIT_INDEX_FILE": str(project / ".git" / "index"),
        "GIT_COMMON_DIR": str(project / ".git"),
        "GIT_OBJECT_DIRECTORY": str(project / ".git" / "objects"),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_PREFIX": "sub/",
        "GIT_CONFIG_PARAMETERS": "'core.hooksPath'='/nowhere'",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "Nobody",
        "GIT_AUTHOR_NAME": "Nobody",
        "GIT_COMMITTER_EMAIL": "nobody@example.invalid",
        "GIT_TRACE": str(tmp_path / "trace"),
    }
    git = box.git(environ=environ)
    made = save(box, git)
    assert box.person("rev-parse", "HEAD") == made
    assert box.status() == ""
    assert box.person("log", "-1", "--format=%an %ae") == "Anna Test anna@example.invalid"
    assert (project / ".git" / "index").read_bytes() == before
    assert not list((project / ".git" / "refs" / "heads").iterdir())
    assert not (tmp_path / "trace").exists()


def test_clean_environment_keeps_only_gits_stricter_switch() -> None:
    environ = {
        "HOME": "/h",
        "PATH": "/p",
        "GIT_DIR": "/x",
        "git_dir": "/x",
        "GIT_EDITOR": "vi",
        "GITHUB_TOKEN": "t",
    }
    cleaned = clean_environment(environ | {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_ALLOW_PROTOCOL": "ext"})
    assert cleaned == {
        "HOME": "/h",
        "PATH": "/p",
        "GITHUB_TOKEN": "t",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }
    assert environ["GIT_DIR"] == "/x"


@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
def test_line_ends_stay_as_they_are(box: Sandbox, autocrlf: str) -> None:
    box.configure("core.autocrlf", autocrlf)
    git = box.git()
    for path, text in (
        ("memory/crlf.md", "a\r\nb\r\n"),
        ("memory/lf.md", "a\nb\n"),
        ("memory/mixed.md", "a\r\nb\n"),
    ):
        made = save(box, git, path, text)
        oid = git.tree(made)[path][1]
        assert git.blobs([oid]) == {oid: text.encode()}
        assert box.status() == ""


# Identity


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Identity("Anna Test", "anna@example.invalid")),
        ({"user.name": "Jörg <Ö>\t", "user.email": " j@x "}, Identity("Jörg Ö", "j@x")),
        ({"committer.name": "Robot"}, Identity("Robot", "anna@example.invalid")),
    ],
)
def test_identity_is_the_persons(box: Sandbox, settings: dict[str, str], expected: Identity) -> None:
    for key, value in settings.items():
        box.configure(key, value)
    git = box.git()
    assert git.identity() == expected
    save(box, git)
    assert box.person("log", "-1", "--format=%an|%ae") == f"{expected.name}|{expected.email}"
    assert box.person("fsck", "--strict") == ""


def test_no_identity_does_not_block(box: Sandbox) -> None:
    (box.home / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    git = box.git()
    assert git.identity() == Identity("remember-me", "remember-me@localhost")
    save(box, git)
    assert box.person("log", "-1", "--format=%an|%ae") == "remember-me|remember-me@localhost"


def test_repositorys_own_identity_wins(box: Sandbox) -> None:
    box.person("config", "user.email", "here@example.invalid")
    assert box.git().identity() == Identity("Anna Test", "here@example.invalid")


def test_identity_from_an_included_file(box: Sandbox) -> None:
    (box.home / "work.inc").write_text("[user]\n\tname = Anna at Work\n")
    box.configure("include.path", "work.inc")
    assert box.git().identity().name == "Anna at Work"


# A repository that wants to run something


def test_nothing_that_a_repository_configures_runs(box: Sandbox, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    ran.mkdir()

    def script(name: str, *, code: int = 1) -> str:
        path = tmp_path / f"script-{name}"
        path.write_text(f"#!/bin/sh\ntouch '{ran}/{name}'\ncat\nexit {code}\n")
        path.chmod(0o755)
        return str(path)

    # Younger than the staging area: whoever writes that next compares the file again, through the filter.
    os.utime(box.root / "MEMORY.md", (time.time() + 60, time.time() + 60))
    box.person("add", "MEMORY.md")
    events = "pre-commit post-commit commit-msg prepare-commit-msg reference-transaction post-index-change"
    hooks = box.dir / "hooks"
    hooks.mkdir(exist_ok=True)
    for event in [*events.split(), "pre-auto-gc", "post-rewrite", "fsmonitor-watchman"]:
        shutil.copy(script(event), hooks / event)
        box.person("config", "--add", f"hook.evil={event}.event", event)
        box.person("config", f"hook.evil={event}.command", script(f"configured-{event}"))
    for key, value in {
        "core.fsmonitor": script("fsmonitor"),
        "core.pager": script("pager"),
        "core.editor": script("editor"),
        "core.askPass": script("askpass"),
        "core.sshCommand": script("ssh"),
        "core.gitProxy": script("proxy"),
        "core.alternateRefsCommand": script("alternate"),
        "pager.for-each-ref": script("pager-of-command"),
        "alias.fast-import": f"!{script('alias')}",
        "alias.for-each-ref": f"!{script('alias')}",
        "credential.helper": f"!{script('credential')}",
        "filter.evil.x=y.clean": script("clean"),
        "filter.evil.x=y.smudge": script("smudge"),
        "filter.evil.x=y.process": script("process"),
        "filter.evil.x=y.required": "true",
        "diff.evil.textconv": script("textconv"),
        "diff.evil.command": script("diff"),
        "diff.external": script("external"),
        "trailer.operation-id.command": script("trailer"),
        "commit.gpgSign": "true",
        "gpg.program": script("gpg"),
        "log.showSignature": "true",
        "gc.auto": "1",
        "maintenance.auto": "true",
        "maintenance.strategy": "incremental",
        "uploadpack.packObjectsHook": script("packobjects"),
        "core.untrackedCache": "true",
        "core.bare": "true",
        "core.worktree": str(tmp_path),
    }.items():
        box.person("config", key, value)
    box.write(".gitattributes", "* filter=evil.x=y diff=evil text\n")
    box.file("info/attributes", "* filter=evil.x=y diff=evil\n")

    git = box.git()
    changes = [FileChange(NOTE, b"one\r\n"), FileChange(".gitattributes", b"* filter=evil.x=y\n")]
    made = commit(git, *changes, message="m\n\nOperation-Id: op1\n")
    assert git.refresh_staging(changes)
    files = git.tree(made)
    assert git.blobs([files[NOTE][1]]) == {files[NOTE][1]: b"one\r\n"}
    assert git.contains_operation(Head("refs/heads/main", made), "op1")
    git.identity()
    git.object_format()
    assert [path.name for path in ran.iterdir()] == []
    assert not (tmp_path / NOTE).exists()
    box.person("--work-tree=.", "add", "MEMORY.md", fails=True)
    assert list(ran.iterdir()), "the traps do not work, so the test shows nothing"


def test_missing_object_is_not_fetched_by_a_program(box: Sandbox, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    upload = tmp_path / "upload"
    upload.write_text(f"#!/bin/sh\ntouch '{ran}'\n")
    upload.chmod(0o755)
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::{upload}",
        "remote.origin.uploadpack": str(upload),
        "protocol.ext.allow": "always",
        "protocol.allow": "always",
    }.items():
        box.person("config", key, value)
    git = box.git()
    missing = blob_id(b"not there")
    assert problem(lambda: git.blobs([missing])).problem is GitProblem.FAILED
    assert not ran.exists()
    box.person("cat-file", "-e", missing, fails=True)
    assert ran.exists(), "the trap does not work, so the test shows nothing"


def test_signing_program_that_sleeps_for_ever(box: Sandbox, tmp_path: Path) -> None:
    """Case B27."""
    gpg = tmp_path / "fake-gpg"
    gpg.write_text("#!/bin/sh\nsleep 600\n")
    gpg.chmod(0o755)
    box.person("config", "commit.gpgsign", "true")
    box.person("config", "gpg.program", str(gpg))
    began = time.monotonic()
    made = save(box, box.git())
    assert time.monotonic() - began < 8
    assert "gpgsig" not in box.person("cat-file", "commit", made)


def test_relative_folders_in_path_are_not_searched(box: Sandbox, tmp_path: Path) -> None:
    """A store may hold a file named git, and some have "." in PATH."""
    trap = box.root / "git"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/ran'\n")
    trap.chmod(0o755)
    git = box.git(environ=box.environ | {"PATH": f".::bin:{box.environ['PATH']}"})
    assert git.head().commit
    assert not (tmp_path / "ran").exists()
    git = box.git(environ=box.environ | {"PATH": "."})
    assert problem(git.head).problem is GitProblem.NO_GIT


def test_replaced_objects_are_seen_as_they_are(box: Sandbox) -> None:
    git = box.git()
    made = commit(git, FileChange(NOTE, b"true\n"), FileChange("lie.md", b"false\n"))
    files = git.tree(made)
    box.person("replace", files[NOTE][1], files["lie.md"][1])
    assert git.blobs([files[NOTE][1]]) == {files[NOTE][1]: b"true\n"}


# What stands in the way


def test_no_git_on_this_machine(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    git = box.git(environ=box.environ | {"PATH": str(tmp_path / "empty")})
    assert problem(git.head).problem is GitProblem.NO_GIT
    (tmp_path / "empty" / "git").write_text("not a program")
    assert problem(git.head).problem is GitProblem.NO_GIT
    (tmp_path / "empty" / "git").chmod(0o755)
    assert problem(git.head).problem is GitProblem.FAILED


def test_no_repository(tmp_path: Path) -> None:
    box = Sandbox(tmp_path)
    assert problem(box.git().head).problem is GitProblem.NO_REPOSITORY
    assert problem(box.git(tmp_path / "nowhere").head).problem is GitProblem.NO_REPOSITORY
    assert problem(box.git(tmp_path / "nowhere").init).problem is GitProblem.NO_REPOSITORY
    box.dir.mkdir()
    assert problem(box.git().head).problem is GitProblem.NO_REPOSITORY


@pytest.mark.parametrize("outer", ["outer", "with:colon"])
@pytest.mark.parametrize("damage", ["none", "no .git", "empty .git", "no HEAD", "bad HEAD"])
def test_git_never_goes_up_to_a_repository_around_the_store(tmp_path: Path, outer: str, damage: str) -> None:
    (tmp_path / outer).mkdir()
    box = Sandbox(tmp_path / outer)
    box.person("init", "-q", "-b", "trunk", at=box.folder)
    box.person("commit", "-q", "--allow-empty", "-m", "outer", at=box.folder)
    box.git().init()
    before = box.person("rev-parse", "HEAD", at=box.folder)
    match damage:
        case "no .git":
            shutil.rmtree(box.dir)
        case "empty .git":
            shutil.rmtree(box.dir)
            box.dir.mkdir()
        case "no HEAD":
            (box.dir / "HEAD").unlink()
        case "bad HEAD":
            (box.dir / "HEAD").write_text("garbage\n")
    if damage == "none":
        assert box.git().head() == Head("refs/heads/main", None)
        save(box, box.git())
        assert box.log() == ["remember-me: add k7m2pq"]
    else:
        assert problem(box.git().head).problem is GitProblem.NO_REPOSITORY
        changes = [FileChange(NOTE, b"x")]
        assert problem(lambda: box.git().refresh_staging(changes)).problem is GitProblem.NO_REPOSITORY
        seen = Head("refs/heads/trunk", before)
        failure = problem(lambda: box.git().commit(seen, changes, "m", at=AT, utc_offset="+0000"))
        assert failure.problem is GitProblem.NO_REPOSITORY
    assert box.person("rev-parse", "HEAD", at=box.folder) == before
    assert box.person("status", "--porcelain", "-uno", at=box.folder) == ""


def test_git_file_is_refused(box: Sandbox, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.git"
    box.dir.rename(elsewhere)
    box.dir.write_text(f"gitdir: {elsewhere}\n")
    failure = problem(box.git().head)
    assert failure.problem is GitProblem.REDIRECTED
    assert ".git" in failure.reason
    assert problem(box.git().init).problem is GitProblem.REDIRECTED
    box.dir.unlink()
    box.dir.symlink_to(elsewhere)
    assert problem(box.git().head).problem is GitProblem.REDIRECTED
    assert problem(box.git().init).problem is GitProblem.REDIRECTED


@pytest.mark.parametrize("part", ["objects", "refs", "refs/heads", "logs", "logs/HEAD", "index", "HEAD"])
def test_part_of_the_repository_that_leads_elsewhere(box: Sandbox, tmp_path: Path, part: str) -> None:
    target = tmp_path / "target"
    (box.dir / part).rename(target)
    (box.dir / part).symlink_to(target)
    failure = problem(box.git().head)
    assert failure.problem is GitProblem.REDIRECTED
    assert part in failure.reason


@pytest.mark.parametrize("part", ["refs/heads/main", "logs/refs/heads/main", "logs/refs"])
def test_branch_that_leads_elsewhere(box: Sandbox, tmp_path: Path, part: str) -> None:
    target = tmp_path / "target"
    git = box.git()
    seen = git.head()
    (box.dir / part).rename(target)
    (box.dir / part).symlink_to(target)
    failure = problem(lambda: git.commit(seen, [], "m", at=AT, utc_offset="+0000"))
    assert failure.problem is GitProblem.REDIRECTED


def test_common_directory_elsewhere_is_refused(box: Sandbox, tmp_path: Path) -> None:
    box.file("commondir", str(tmp_path))
    assert problem(box.git().head).problem is GitProblem.REDIRECTED


def test_detached_head(box: Sandbox) -> None:
    box.person("checkout", "-q", "--detach")
    failure = problem(box.git().head)
    assert failure.problem is GitProblem.DETACHED
    assert failure.hint
    assert str(box.root) in failure.hint


def conflict(box: Sandbox) -> None:
    """Two branches that changed the same line."""
    box.person("switch", "-qc", "other")
    box.write("MEMORY.md", "other\n")
    box.person("commit", "-qam", "other")
    box.person("switch", "-q", "main")
    box.write("MEMORY.md", "main\n")
    box.person("commit", "-qam", "main")


@pytest.mark.parametrize(
    ("command", "word"),
    [("merge", "merge"), ("cherry-pick", "cherry-pick"), ("revert", "revert"), ("rebase", "rebase")],
)
def test_merge_and_its_like_are_left_alone(box: Sandbox, command: str, word: str) -> None:
    conflict(box)
    target = "HEAD~1" if command == "revert" else "other"
    if command == "revert":
        box.write("MEMORY.md", "later\n")
        box.person("commit", "-qam", "later")
    box.person(command, target, fails=True)
    before = box.person("status", "--porcelain")
    failure = problem(lambda: commit(box.git(), FileChange(NOTE, b"x")))
    assert failure.problem is GitProblem.MERGING
    assert word in failure.reason
    assert box.person("status", "--porcelain") == before
    assert not box.marker.exists()


def test_repository_of_another_user(box: Sandbox) -> None:
    """Case B22, with git's own switch."""
    (box.home / ".gitconfig").write_text("")
    git = box.git(environ=box.environ | {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    for action in (git.head, git.object_format, lambda: git.blobs(["0" * 40]), lambda: git.tree("0" * 40)):
        failure = problem(action)
        assert failure.problem is GitProblem.FOREIGN_OWNER
        assert "safe.directory" in failure.reason
        assert str(box.root) in failure.reason
        assert failure.hint
        assert f"git config --global --add safe.directory {box.root}" in failure.hint
    assert (box.home / ".gitconfig").read_text() == ""
    box.configure("safe.directory", str(box.root))
    assert git.head().commit


def test_repository_owned_by_another_uid(box: Sandbox) -> None:
    """Case B22, for real."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a repository away")
    for folder, _, files in os.walk(box.root):
        for name in [".", *files]:
            os.chown(os.path.join(folder, name), 12345, 12345)
    failure = problem(box.git().head)
    assert failure.problem is GitProblem.FOREIGN_OWNER
    assert str(box.root) in failure.reason


def test_damaged_branch_is_not_taken_for_a_new_one(box: Sandbox) -> None:
    """What a power cut leaves where git does not sync."""
    (box.dir / "refs" / "heads" / "main").write_text("")
    failure = problem(box.git().head)
    assert failure.problem is GitProblem.FAILED
    assert "main" in failure.reason


def test_damaged_staging_area(box: Sandbox) -> None:
    (box.dir / "index").write_bytes(b"garbage")
    git = box.git()
    assert commit(git, FileChange(NOTE, b"x"))
    failure = problem(lambda: git.refresh_staging([FileChange(NOTE, b"x")]))
    assert failure.problem is GitProblem.FAILED
    assert not box.marker.exists()


def test_damaged_configuration(box: Sandbox) -> None:
    (box.dir / "config").write_text("[core\n")
    failure = problem(box.git().head)
    assert failure.problem is GitProblem.FAILED
    assert "config" in failure.reason


def test_fifo_in_place_of_head_does_not_block(box: Sandbox) -> None:
    (box.dir / "HEAD").unlink()
    os.mkfifo(box.dir / "HEAD")
    assert problem(box.git().head).problem is GitProblem.NO_REPOSITORY


def test_git_that_hangs_is_killed_with_all_its_children(box: Sandbox, tmp_path: Path) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\ntrap '' TERM\nsleep 61 &\necho $! > '{tmp_path}/pid'\nwait\nsleep 62\n")
    slow.chmod(0o755)
    git = box.git(environ=box.environ | {"PATH": f"{slow.parent}:{box.environ['PATH']}"}, timeout_seconds=0.3)
    began = time.monotonic()
    failure = problem(git.head)
    assert failure.problem is GitProblem.TIMEOUT
    assert failure.killed
    assert time.monotonic() - began < 5
    child = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not alive(child):
            break
        time.sleep(0.02)
    assert not alive(child)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def test_git_that_is_killed_from_outside(box: Sandbox, tmp_path: Path) -> None:
    dying = tmp_path / "bin" / "git"
    dying.parent.mkdir()
    dying.write_text("#!/bin/sh\nkill -9 $$\n")
    dying.chmod(0o755)
    failure = problem(box.git(environ=box.environ | {"PATH": str(dying.parent)}).head)
    assert failure.problem is GitProblem.FAILED
    assert failure.killed


# Lock files


@pytest.mark.parametrize("name", ["HEAD.lock", "refs/heads/main.lock"])
def test_foreign_lock_of_the_branch_stops_the_commit(box: Sandbox, name: str) -> None:
    lock = box.file(name, old=True)
    git = box.git()
    failure = problem(lambda: commit(git, FileChange(NOTE, b"x")))
    assert failure.problem is GitProblem.LOCKED
    assert f".git/{name}" in failure.reason
    assert "1 hour old" in failure.reason
    assert failure.hint
    assert str(lock) in failure.hint
    git.recover_locks()
    assert lock.exists()
    assert not box.marker.exists()
    lock.unlink()
    assert commit(git, FileChange(NOTE, b"x"))


def test_lock_that_comes_after_our_look(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    git = box.git()
    lock = box.file("HEAD.lock")
    monkeypatch.setattr(GitDir, "refuse_locks", lambda self, branch: None)
    failure = problem(lambda: commit(git, FileChange(NOTE, b"x")))
    assert failure.problem is GitProblem.LOCKED
    assert ".git/HEAD.lock" in failure.reason
    assert lock.exists()
    assert not box.marker.exists()


def test_foreign_lock_of_the_staging_area_stops_only_the_refresh(box: Sandbox) -> None:
    """Case B23."""
    lock = box.file("index.lock", old=True)
    git = box.git()
    change = box.write(NOTE, "one\n")
    made = commit(git, change)
    assert box.person("rev-parse", "HEAD") == made
    assert not git.refresh_staging([change])
    assert git.recover_locks() == ()
    assert lock.exists()
    assert not box.marker.exists()
    lock.unlink()
    assert git.refresh_staging([change])
    assert box.status() == ""


def test_lock_of_the_staging_area_that_comes_after_our_look(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    git = box.git()
    lock = box.file("index.lock")
    monkeypatch.setattr(GitDir, "exists", lambda self, name: False)
    assert not git.refresh_staging([FileChange(NOTE, b"x")])
    assert lock.exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux")
@pytest.mark.parametrize("how", ["cwd", "-C", "--git-dir"])
def test_living_git_makes_it_busy(box: Sandbox, tmp_path: Path, how: str) -> None:
    """A person's git that holds the staging area, as `git commit` does while the editor is open."""
    where = {"cwd": [], "-C": ["-C", "store"], "--git-dir": [f"--git-dir={box.dir}"]}[how]
    folder = box.root if how == "cwd" else tmp_path
    command = ["git", *where, "cat-file", "--batch"]
    lock = box.file("index.lock")
    other = tmp_path / "other"
    other.mkdir()
    box.person("init", "-q", at=other)
    git = box.git()
    with living_git(box, ["git", "cat-file", "--batch"], other):
        assert commit(git, FileChange(NOTE, b"x"))
        with living_git(box, command, folder):
            failure = problem(lambda: commit(git, FileChange(NOTE, b"y")))
            assert failure.problem is GitProblem.BUSY
    assert commit(git, FileChange(NOTE, b"y"))
    assert lock.exists()


@contextlib.contextmanager
def living_git(box: Sandbox, command: list[str], folder: Path) -> Iterator[None]:
    """A git that somebody else started and that waits for its stdin."""
    started = ["sh", "-c", '"$@"; exit', "sh", *command]
    with subprocess.Popen(started, cwd=folder, env=box.environ, stdin=subprocess.PIPE) as shell:
        wait_until(lambda: any(comm_of(pid) == "git" and parent_of(pid) == shell.pid for pid in os.listdir("/proc")))
        yield
        assert shell.stdin is not None
        shell.stdin.close()


def comm_of(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def parent_of(pid: str) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux")
def test_reader_of_our_own_makes_nothing_busy(box: Sandbox) -> None:
    """GitPython keeps a `git cat-file` for the history that undo reads, in the process that then commits."""
    box.file("index.lock")
    with subprocess.Popen(["git", "cat-file", "--batch"], cwd=box.root, env=box.environ, stdin=subprocess.PIPE) as own:
        wait_until(lambda: comm_of(str(own.pid)) == "git")
        assert commit(box.git(), FileChange(NOTE, b"x"))
        own.kill()


def wait_until(true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen within 5 seconds")


def leave_marker(box: Sandbox, *, existed: list[str] | None = None, content: str | None = None) -> None:
    """What a python leaves that is killed while its git works."""
    locks = ["index.lock", "HEAD.lock", "packed-refs.lock", "refs/heads/main.lock"]
    told = {"time_ns": time.time_ns() - 1_000_000_000, "locks": locks, "existed": existed or []}
    box.marker.write_text(json.dumps(told) if content is None else content)


def test_own_leftovers_are_removed(box: Sandbox) -> None:
    leave_marker(box)
    locks = [box.file(name) for name in ("index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock")]
    pack = box.file("objects/pack/tmp_pack_x1", "text")
    half = box.file("objects/ab/tmp_obj_x1", "text")
    report = box.file("fast_import_crash_1")
    git = box.git()
    assert sorted(git.recover_locks()) == sorted(str(lock.relative_to(box.dir)) for lock in locks)
    assert not any(path.exists() for path in (*locks, pack, half, report, box.marker))
    save(box, git)
    assert box.status() == ""


def test_next_commit_recovers_by_itself(box: Sandbox) -> None:
    leave_marker(box)
    box.file("HEAD.lock")
    save(box, box.git())
    assert not box.marker.exists()


def test_without_a_marker_nothing_is_ours(box: Sandbox) -> None:
    lock = box.file("HEAD.lock")
    assert box.git().recover_locks() == ()
    assert lock.exists()


def test_lock_that_was_there_before_stays(box: Sandbox) -> None:
    leave_marker(box, existed=["HEAD.lock"])
    lock, own = box.file("HEAD.lock"), box.file("index.lock")
    old = box.file("packed-refs.lock", old=True)
    assert box.git().recover_locks() == ("index.lock",)
    assert lock.exists()
    assert old.exists()
    assert not own.exists()
    assert not box.marker.exists()


def test_lock_of_another_user_stays(box: Sandbox) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    leave_marker(box)
    lock = box.file("HEAD.lock")
    os.chown(lock, 12345, 12345)
    assert box.git().recover_locks() == ()
    assert lock.exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux")
def test_nothing_is_removed_while_a_git_lives(box: Sandbox) -> None:
    leave_marker(box)
    told = box.marker.read_text()
    lock = box.file("index.lock")
    git = box.git()
    with living_git(box, ["git", "cat-file", "--batch"], box.root):
        assert git.recover_locks() == ()
        assert lock.exists()
        assert not git.refresh_staging([FileChange(NOTE, b"x")])
        assert box.marker.read_text() == told, "the proof that the lock is ours must stay"
    assert git.recover_locks() == ("index.lock",)


def test_without_proc_young_locks_stay_for_a_while(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS and Windows: a git may still live behind a lock that is younger than a minute."""
    monkeypatch.setattr("remember_me.store.gitdir._PROC", "/nothing")
    git = box.git()
    young = box.file("index.lock")
    assert problem(lambda: commit(git, FileChange(NOTE, b"x"))).problem is GitProblem.BUSY
    leave_marker(box)
    assert git.recover_locks() == ()
    assert young.exists()
    told = json.loads(box.marker.read_text())
    box.marker.write_text(json.dumps(told | {"time_ns": told["time_ns"] - 120 * 10**9}))
    os.utime(young, (time.time() - 61, time.time() - 61))
    assert git.recover_locks() == ("index.lock",)
    assert commit(git, FileChange(NOTE, b"x"))


@pytest.mark.parametrize("content", ["", "{half", "[]", "{}", "[" * 30_000, '{"time_ns": 1, "locks": 2}'])
def test_marker_that_a_power_cut_damaged(box: Sandbox, content: str) -> None:
    old = box.file("index.lock", old=True)
    leave_marker(box, content=content)
    time.sleep(0.02)
    own = box.file("HEAD.lock")
    assert box.git().recover_locks() == ("HEAD.lock",)
    assert not own.exists()
    assert old.exists()


def test_marker_cannot_name_other_files(box: Sandbox, tmp_path: Path) -> None:
    """A folder that somebody hands over may bring one along."""
    names = [
        "../../precious",
        "../MEMORY.md",
        "config",
        "refs/heads/../../config.lock",
        str(tmp_path / "precious"),
    ]
    (tmp_path / "precious").write_text("x")
    box.file("config.lock")
    box.marker.write_text(json.dumps({"time_ns": 0, "locks": [*names, 7, None], "existed": []}))
    assert box.git().recover_locks() == ()
    assert (tmp_path / "precious").exists()
    assert (box.root / "MEMORY.md").exists()
    assert (box.dir / "config.lock").exists()


@pytest.mark.parametrize("part", ["objects/pack", "refs/heads/sub"])
def test_leftovers_are_not_looked_for_outside_of_the_store(box: Sandbox, tmp_path: Path, part: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("tmp_pack_x", "x.lock"):
        (outside / name).write_text("precious")
    shutil.rmtree(box.dir / part, ignore_errors=True)
    (box.dir / part).symlink_to(outside)
    told = {"time_ns": 0, "locks": ["refs/heads/sub/x.lock"], "existed": []}
    leave_marker(box, content=json.dumps(told))
    assert box.git().recover_locks() == ()
    assert len(list(outside.iterdir())) == 2


def test_marker_tells_what_was_there_and_goes_after_the_write(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, object]] = []
    real = Git._start

    def look(self: Git, arguments: tuple[str, ...], stdin: bytes) -> object:
        if box.marker.exists():
            seen.append(json.loads(box.marker.read_text()))
            assert stat.S_IMODE(box.marker.stat().st_mode) == 0o600
        return real(self, arguments, stdin)

    box.file("index.lock", old=True)
    monkeypatch.setattr(Git, "_start", look)
    commit(box.git(), FileChange(NOTE, b"x"))
    assert len(seen) == 1
    assert seen[0]["existed"] == ["index.lock"]
    assert "refs/heads/main.lock" in seen[0]["locks"]  # type: ignore[operator]
    assert not box.marker.exists()


def test_marker_that_cannot_be_written(box: Sandbox) -> None:
    (box.root / ".remember-me").rmdir()
    failure = problem(lambda: commit(box.git(), FileChange(NOTE, b"x")))
    assert failure.problem is GitProblem.FAILED
    assert box.log() == ["base"]


KILLED = """
import os, sys
from pathlib import Path
from remember_me.store.git import FileChange, Git, GitFailed
from remember_me.store.lock import StoreLock
root = Path(sys.argv[1])
lock = StoreLock(root / ".remember-me" / "lock")
assert lock.acquire(5)
marker = root / ".remember-me" / "git-running"
git = Git(root, environ=os.environ, marker=marker, pass_fds=lambda: lock.inheritable_fds)
print("ready", flush=True)
for number in range(10_000):
    changes = [FileChange(f"memory/{number % 7}.md", f"{number}\\n".encode() * 1000)]
    git.commit(git.head(), changes, f"commit {number}", at=number, utc_offset="+0000")
    git.refresh_staging(changes)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux")
def test_kill_in_the_middle_needs_no_manual_step(box: Sandbox) -> None:
    """kill -9 of python and of its git, at twelve different moments; each time the next write works."""
    environ = box.environ | {"PYTHONPATH": str(PROJECT)}
    for round_number in range(12):
        python = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(box.root)],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        with python:
            assert python.stdout is not None
            assert python.stdout.readline() == b"ready\n"
            time.sleep(0.03 + 0.0037 * round_number)
            os.killpg(python.pid, signal.SIGKILL)
            kill_all_git_in(box.root)
        lock = StoreLock(box.root / ".remember-me" / "lock")
        assert lock.acquire(5)
        git = box.git(pass_fds=lambda lock=lock: lock.inheritable_fds)
        git.recover_locks()
        text = f"{round_number}\n"
        save(box, git, "memory/after.md", text)
        assert box.person("show", "HEAD:memory/after.md") + "\n" == text
        assert not list(box.dir.rglob("*.lock"))
        assert not list(box.dir.rglob("tmp_*"))
        assert not box.marker.exists()
        lock.release()
    assert box.person("fsck", "--strict", "--no-dangling") == ""


def kill_all_git_in(root: Path) -> None:
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            inside = os.readlink(f"/proc/{pid}/cwd") == str(root)
            if inside and Path(f"/proc/{pid}/comm").read_text().strip() == "git":
                os.kill(int(pid), signal.SIGKILL)
        except OSError:
            continue


def test_killed_python_leaves_the_lock_to_its_git(box: Sandbox, tmp_path: Path) -> None:
    """The store lock is free only when the git of a killed python has ended, too."""
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\necho $$ > '{tmp_path}/pid'\nexec sleep 60\n")
    slow.chmod(0o755)
    environ = box.environ | {"PYTHONPATH": str(PROJECT), "PATH": f"{slow.parent}:{box.environ['PATH']}"}
    python = subprocess.Popen([sys.executable, "-c", KILLED, str(box.root)], env=environ, stdout=subprocess.PIPE)
    with python:
        wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip() != "")
        python.kill()
    lock = StoreLock(box.root / ".remember-me" / "lock")
    try:
        assert not lock.acquire(0.1)
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert lock.acquire(5)
    lock.release()


# Reading


def test_tree_can_be_limited(box: Sandbox) -> None:
    git = box.git()
    made = commit(git, FileChange("memory/a.md", b"a"), FileChange("memory/sub/b.md", b"b"), FileChange("other", b"o"))
    assert set(git.tree(made)) == {"MEMORY.md", "memory/a.md", "memory/sub/b.md", "other"}
    assert set(git.tree(made, ["memory"])) == {"memory/a.md", "memory/sub/b.md"}
    assert set(git.tree(made, ["memory/", "other"])) == {"memory/a.md", "memory/sub/b.md", "other"}
    assert git.tree(made, ["nothing", "mem*"]) == {}


def test_blobs_are_exact(box: Sandbox) -> None:
    git = box.git()
    contents = [b"", b"\n", b"x" * 300_000, b"\0\xff\r\n", b"blob 3\n"]
    made = commit(git, *[FileChange(f"{number}", data) for number, data in enumerate(contents)])
    oids = [oid for path, (_, oid) in git.tree(made).items() if path != "MEMORY.md"]
    assert [git.blobs(oids + oids)[oid] for oid in oids] == contents
    assert git.blobs([]) == {}
    failure = problem(lambda: git.blobs([oids[0], made]))
    assert failure.problem is GitProblem.FAILED


def test_operations_are_found_by_their_exact_trailer(box: Sandbox) -> None:
    git = box.git()
    head = git.head()
    assert not git.contains_operation(head, "op1")
    commit(git, FileChange("a", b"1"), message="one\n\nOperation-Id: op1\nActor: person\n")
    commit(git, FileChange("a", b"2"), message="two\n\nOperation-Id: op22\nEntries: op3\n")
    head = git.head()
    assert git.contains_operation(head, "op1")
    assert git.contains_operation(head, "op22")
    assert not git.contains_operation(head, "op2")
    assert not git.contains_operation(head, "op3")
    assert not git.contains_operation(head, "op.*")
    assert not git.contains_operation(Head("refs/heads/main", None), "op1")


def test_ignored_paths_are_named_by_every_rule_of_git(box: Sandbox) -> None:
    """Of the repository, of a folder in it, of .git/info and of the machine; a rule may be taken back."""
    box.write(".gitignore", "*.md\n!keep.md\n")
    box.write("memory/.gitignore", "!*.md\n2026-*\n")
    box.file("info/exclude", "private/\n")
    (box.home / "ignore").write_text("*.bak\n")
    box.configure("core.excludesFile", str(box.home / "ignore"))
    paths = ["a.md", "keep.md", "memory/b.md", "memory/2026-01-01.md", "private/x.txt", "c.bak", "d.txt"]
    assert box.git().ignored(paths) == ["a.md", "memory/2026-01-01.md", "private/x.txt", "c.bak"]


def test_ignored_asks_the_rules_and_not_the_staging_area(box: Sandbox) -> None:
    """MEMORY.md is committed: git itself would say that it is not ignored."""
    box.write(".gitignore", "MEMORY.md\n")
    assert box.git().ignored(["MEMORY.md"]) == ["MEMORY.md"]


def test_ignored_takes_any_path_as_it_is(box: Sandbox) -> None:
    box.write(".gitignore", "*.md\n")
    odd = [" a b.md", 'say "hi".md', "zwei\nZeilen.md", "Grüße.md", "bytes-\udcff.md", "-v.md", ":(top)x.md", "[a].md"]
    git = box.git()
    assert git.ignored([*odd, "x.txt"]) == odd
    assert git.ignored(["x.txt"]) == []
    assert git.ignored([]) == []


def test_ignored_says_when_git_cannot_tell(box: Sandbox) -> None:
    assert problem(lambda: box.git().ignored(["../out.md"])).problem is GitProblem.FAILED
    (box.dir / "HEAD").unlink()
    assert problem(lambda: box.git().ignored(["a.md"])).problem is GitProblem.NO_REPOSITORY


def test_messages_are_whole_and_newest_first(box: Sandbox) -> None:
    git = box.git()
    base = git.head().commit
    first, second = "one\n\nOperation-Id: op1\nActor: person\n", "Grüße\n\n\nparagraph\n\nOperation-Id: op2\n"
    one = commit(git, FileChange("a", b"1"), message=first)
    two = commit(git, FileChange("a", b"2"), message=second)
    assert git.messages(two) == [second, first, "base\n"]
    assert git.messages(two, base) == [second, first]
    assert git.messages(two, one) == [second]
    assert git.messages(two, two) == []
    assert git.messages(one, two) == [], "what lies ahead is not behind"


def test_messages_follow_the_own_branch_through_a_merge(box: Sandbox) -> None:
    """As the history does."""
    box.person("switch", "-qc", "other")
    box.person("commit", "-q", "--allow-empty", "-m", "theirs")
    box.person("switch", "-q", "main")
    git = box.git()
    change = FileChange("a", b"1")
    commit(git, change, message="ours\n")
    assert git.refresh_staging([change])
    box.write("a", "1")
    box.person("merge", "-q", "--no-edit", "-m", "joined", "other")
    tip = box.person("rev-parse", "HEAD")
    assert git.messages(tip) == ["joined\n", "ours\n", "base\n"]


def test_messages_do_not_depend_on_the_machines_settings(box: Sandbox) -> None:
    for key, value in {
        "i18n.logOutputEncoding": "UTF-16",
        "log.showSignature": "true",
        "log.date": "relative",
        "format.pretty": "oneline",
        "color.ui": "always",
    }.items():
        box.configure(key, value)
    git = box.git()
    made = commit(git, FileChange("a", b"1"), message="Grüße\n\nOperation-Id: op1\n")
    assert git.messages(made) == ["Grüße\n\nOperation-Id: op1\n", "base\n"]
    assert git.contains_operation(git.head(), "op1")


def test_messages_of_a_commit_that_is_not_there(box: Sandbox) -> None:
    git = box.git()
    assert problem(lambda: git.messages("0" * 40)).problem is GitProblem.FAILED
    with pytest.raises(ValueError, match="object id"):
        git.messages("--all")
    with pytest.raises(ValueError, match="object id"):
        git.messages(box.person("rev-parse", "HEAD"), "main")


def test_head_names_the_branch_that_is_checked_out(box: Sandbox) -> None:
    box.person("branch", "another")
    box.person("switch", "-qc", "zweig/mit-schräg")
    assert box.git().head() == Head("refs/heads/zweig/mit-schräg", box.person("rev-parse", "HEAD"))
    save(box, box.git())
    box.person("checkout", "-q", "--orphan", "fresh")
    assert box.git().head() == Head("refs/heads/fresh", None)


def test_object_format_of_an_unborn_repository(new: Sandbox) -> None:
    assert new.git().object_format() == "sha1"


# Making a repository


def test_init_ignores_templates_and_the_default_branch(tmp_path: Path) -> None:
    box = Sandbox(tmp_path)
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    (template / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    box.configure("init.templateDir", str(template.parent))
    box.configure("init.defaultBranch", "trunk")
    git = box.git(environ=box.environ | {"GIT_TEMPLATE_DIR": str(template.parent), "GIT_DIR": str(tmp_path / "x")})
    git.init()
    assert git.head() == Head("refs/heads/main", None)
    assert not (box.dir / "hooks").exists()
    assert not (tmp_path / "x").exists()
    made = save(box, git)
    before = sorted(path.name for path in box.dir.iterdir())
    git.init("other")
    assert git.head() == Head("refs/heads/main", made)
    assert sorted(path.name for path in box.dir.iterdir()) == before


@pytest.mark.parametrize("missing", ["objects", "refs", "HEAD", "all but refs"])
def test_init_finishes_a_repository_that_was_begun(new: Sandbox, missing: str) -> None:
    for name in ("objects", "HEAD") if missing == "all but refs" else (missing,):
        path = new.dir / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    git = new.git()
    git.init()
    assert git.head() == Head("refs/heads/main", None)
    save(new, git)
    assert new.person("fsck", "--strict") == ""


def own_files(box: Sandbox) -> list[str]:
    return sorted(path.name for path in box.marker.parent.iterdir())


def test_init_makes_the_repository_as_a_whole(tmp_path: Path) -> None:
    """A git that dies on its way leaves nothing of it in the store."""
    box = Sandbox(tmp_path)
    dying = tmp_path / "bin" / "git"
    dying.parent.mkdir()
    real = shutil.which("git")
    dying.write_text(f'#!/bin/sh\ncase "$*" in *init*) {real} "$@"; kill -9 $$;; *) exec {real} "$@";; esac\n')
    dying.chmod(0o755)
    environ = box.environ | {"PATH": f"{dying.parent}:{box.environ['PATH']}"}
    assert problem(box.git(environ=environ).init).killed
    assert not box.dir.exists()
    assert own_files(box) == []
    box.git().init()
    assert box.git().head() == Head("refs/heads/main", None)
    assert own_files(box) == []


def test_init_of_two_at_once(tmp_path: Path) -> None:
    """The other one was first, and has committed already."""
    box = Sandbox(tmp_path)

    class Late(Git):
        def _start(self, arguments: tuple[str, ...], stdin: bytes) -> subprocess.Popen[bytes]:
            if "init" in arguments:
                box.git().init()
                save(box, box.git())
            return super()._start(arguments, stdin)

    Late(box.root, environ=box.environ, marker=box.marker).init()
    assert len(box.log()) == 1
    assert own_files(box) == []


def test_what_a_killed_init_left_is_removed(box: Sandbox) -> None:
    with subprocess.Popen(["true"]) as dead:
        dead.wait()
    for name in (f"git-running-{dead.pid}", "git-running-x", f"git-running-{os.getpid()}"):
        (box.marker.parent / name / ".git").mkdir(parents=True)
    box.git().recover_locks()
    assert own_files(box) == [f"git-running-{os.getpid()}"]


def test_init_that_cannot_put_it_into_the_store(tmp_path: Path) -> None:
    box = Sandbox(tmp_path)
    box.git().init()
    (box.dir / "HEAD").unlink()
    (tmp_path / "made" / ".git").mkdir(parents=True)
    failure = problem(lambda: GitDir(str(box.root)).take(tmp_path / "made"))
    assert failure.problem is GitProblem.FAILED
    assert ".git" in failure.reason


def test_store_reached_through_a_symlink(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(box.root)
    git = box.git(tmp_path / "link")
    save(box, git)
    assert box.status() == ""
