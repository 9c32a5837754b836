"""Erasing from the history, with real git: what goes, what stays byte for byte, and any interruption."""

from __future__ import annotations

import base64
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unicodedata
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remember_me.errors import CannotCommit
from remember_me.store.census import _Listing
from remember_me.store.erase import Erased, Place, Target, entry_rule, erase, plan_erasure, prove
from remember_me.store.finding import Sieve
from remember_me.store.git import Git, blob_id
from remember_me.store.gitmarker import _is_lock_name
from remember_me.store.lock import StoreLock
from remember_me.store.rewrite import _delta
from remember_me.store.shape import Shape
from tests.shared import shared_path
from tests.store.erase_driver import LINES, SECRET, TARGET
from tests.store.soundness import multiplied
from tests.store.test_git import Sandbox

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the set-up uses POSIX signals")

LOUD_LINES = LINES.replace("safe", "SAFE")
COMMITS = 60
DAYS = 6


class Store(Sandbox):
    """A store whose history has the secret."""

    linked: Path

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.linked = folder / "linked"
        self.map = self.root / ".remember-me" / "erase-map"

    def plan(self, shape: Shape = Shape()) -> object:  # noqa: B008 - a value
        return plan_erasure(self.git(), TARGET, entry_rule(shape, TARGET))

    def erase(self, target: Target = TARGET, shape: Shape = Shape()) -> Erased:  # noqa: B008 - a value
        return erase(self.git(), target, entry_rule(shape, target), map_path=self.map)

    def prove(self, text: str = SECRET) -> list[Place]:
        return [place for place in prove(self.git(), [text]) if not place.path.endswith("/erase-map")]

    def oid(self, name: str = "HEAD") -> str:
        return self.person("rev-parse", name)

    def raw(self, *arguments: str, stdin: bytes = b"", at: Path | None = None) -> bytes:
        """What git prints, as bytes."""
        done = subprocess.run(
            ["git", *arguments], cwd=at or self.root, env=self.environ, input=stdin, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, path: str, text: str | bytes, message: str = "more") -> str:
        """A commit of the person's git."""
        data = text.encode() if isinstance(text, str) else text
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)
        self.person("add", "-f", path)
        self.person("commit", "-qm", message)
        return self.oid()

    def fsck(self) -> str:
        return self.person("fsck", "--strict", "--full", "--no-dangling", "--no-progress")

    def states(self, *tips: str) -> list[State]:
        """Every commit that leads to `tips` (default: all refs), children last."""
        listed = self.person("rev-list", "--reverse", "--topo-order", *(tips or ("--all",))).split()
        return [self.state(commit) for commit in listed]

    def state(self, commit: str) -> State:
        head, _, message = self.raw("cat-file", "commit", commit).partition(b"\n\n")
        lines = [line for line in head.split(b"\n") if not line.startswith((b"tree ", b"parent "))]
        git = self.git()
        files = git.tree(commit)
        data = git.blobs({oid for mode, oid in files.values() if mode != "160000"})
        return State(
            len(re.findall(rb"(?m)^parent ", head)),
            tuple(lines),
            message,
            {path: (mode, data[oid]) for path, (mode, oid) in files.items()},
        )


class State(NamedTuple):
    """A commit without its ids."""

    parents: int
    head: tuple[bytes, ...]
    message: bytes
    files: dict[str, tuple[str, bytes]]

    def expected(self) -> State:
        """What has to be left: told by cutting a text out, not by the code under test."""
        files = {
            path: (mode, data.replace(LINES.encode(), b"").replace(LOUD_LINES.encode(), b""))
            for path, (mode, data) in self.files.items()
        }
        return self._replace(files=files, message=self.message.replace(SECRET.encode(), b"[erased]"))


def daily(number: int) -> str:
    return f"memory/2026-11-{number * DAYS // COMMITS + 1:02d}.md"


def history(at: int) -> Iterator[bytes]:
    """60 commits with an entry each, in the language of git fast-import; the secret in commit number `at`."""
    text: dict[str, str] = {}
    for number in range(COMMITS):
        path = daily(number)
        lines = LINES if number == at else f"- FACT: Note number {number} – Grüße ^nte{number:02d}x\n"
        text[path] = text.get(path, "---\ndate: x\n---\n") + "\n" + lines
        message = f"remember-me: add {number}\n\nOperation-Id: op{number}\nActor: person\n".encode()
        yield b"commit refs/heads/main\nauthor Anna T\xc3\xa9st <anna@example.invalid> %d +0530\n" % (10**9 + number)
        yield b"committer B <b@example.invalid> %d -0300\ndata %d\n%b" % (10**9 + 2 * number, len(message), message)
        data = text[path].encode()
        yield b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data)


def build(folder: Path, at: int = 6, *options: str) -> Store:
    folder.mkdir(exist_ok=True)
    store = Store(folder)
    store.person("init", "-q", "-b", "main", *options)
    store.raw("fast-import", "--quiet", stdin=b"".join(history(at)))
    store.person("reset", "-q", "--hard")
    (store.root / ".git/info").mkdir(exist_ok=True)
    (store.root / ".git/info/exclude").write_text(".remember-me\n")
    return store


def forget(store: Store, path: str) -> None:
    """What the caller does first: the note on disk is cleaned, in a commit of its own."""
    text = (store.root / path).read_text().replace(LINES, "")
    store.commit(path, text, "remember-me: forget secret1\n\nOperation-Id: op-forget\n")


def crowded(folder: Path) -> Store:
    """The secret wherever git may keep it."""
    store = build(folder)
    secret = daily(6)
    store.person("tag", "light", "HEAD~20")
    store.person("tag", "-a", "-m", f"About: {SECRET}", "noted", "HEAD~30")
    store.person("tag", "before", "HEAD~55")
    store.person("switch", "-qc", "side", "HEAD~10")
    store.commit("memory/2026-12-01.md", LINES + "\n- FACT: Side ^sde01x\n", f"side: {SECRET}")
    store.person("switch", "-q", "main")
    store.person("merge", "-q", "--no-ff", "-m", "a merge", "side")
    store.person("branch", "other", "HEAD~2")
    (store.root / secret).write_text((store.root / secret).read_text() + "\n" + LOUD_LINES)
    store.person("add", secret)
    (store.root / "memory/untracked.md").write_text(LINES)
    store.person("stash", "push", "-q", "--include-untracked", "-m", f"stashed {SECRET}")
    store.person("gc", "-q")
    store.commit("memory/2026-12-02.md", LINES, "to be amended away")
    (store.root / "memory/2026-12-02.md").write_text("- FACT: Amended ^amend1\n")
    store.person("commit", "-qa", "--amend", "-m", "amended")
    (store.root / "dropped.md").write_text(LINES)
    store.person("add", "-f", "dropped.md")
    store.person("rm", "-q", "--cached", "dropped.md")
    (store.root / "dropped.md").unlink()
    store.person("worktree", "add", "-q", "--detach", str(store.linked), "HEAD~5")
    (store.linked / "memory/2026-12-03.md").write_text(LINES + "- FACT: Linked ^nkd1xx\n")
    store.person("add", "memory/2026-12-03.md", at=store.linked)
    store.person("update-ref", "refs/worktree/mine", "HEAD~2", at=store.linked)
    store.person("update-ref", "refs/remotes/origin/main", "HEAD~3")
    store.person("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    store.person("update-ref", "refs/original/refs/heads/main", "HEAD~4")
    store.person("update-ref", "ORIG_HEAD", "HEAD~8")
    (store.dir / "FETCH_HEAD").write_text(f"{store.oid('HEAD~9')}\t\tbranch 'main' of example.invalid\n")
    forget(store, secret)
    forget(store, "memory/2026-12-01.md")
    (store.linked / daily(6)).unlink()
    return store


def copied(store: Store, to: Path) -> Store:
    """The same store elsewhere, its linked work tree with it."""
    shutil.copytree(store.folder, to, symlinks=True)
    copy = Store.__new__(Store)
    copy.folder, copy.home, copy.root, copy.linked = to, to / "home", to / "store", to / "linked"
    copy.dir, copy.marker = copy.root / ".git", copy.root / ".remember-me" / "git-running"
    copy.map = copy.root / ".remember-me" / "erase-map"
    copy.environ = {**store.environ, "HOME": str(copy.home)}
    if copy.linked.exists():
        (copy.dir / "worktrees/linked/gitdir").write_text(f"{copy.linked}/.git\n")
        (copy.linked / ".git").write_text(f"gitdir: {copy.dir}/worktrees/linked\n")
    return copy


def end_of(store: Store) -> dict[str, object]:
    """All that names something, and what hangs at it."""
    logs = sorted(path for path in store.dir.rglob("*") if "logs" in path.parts and path.is_file())
    return {
        "refs": store.person("for-each-ref"),
        "head": store.person("rev-parse", "HEAD", at=store.linked),
        "logs": {str(path.relative_to(store.dir)): path.read_text() for path in logs},
        "orig": (store.dir / "ORIG_HEAD").read_text(),
        "objects": sorted(store.person("rev-list", "--all", "--reflog", "--objects").splitlines()),
        "staged": [store.person("ls-files", "--stage", at=at) for at in (store.root, store.linked)],
        "linked": (store.linked / "memory/2026-12-03.md").read_text(),
        "left": sorted(
            path.name
            for path in store.root.rglob("*")
            if path.name.startswith(("tmp_", ".HEAD.", "git-running", "erase-map")) or path.suffix == ".lock"
        ),
    }


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return crowded(tmp_path_factory.mktemp("ready") / "box")


@pytest.fixture
def crowd(ready: Store, tmp_path: Path) -> Store:
    return copied(ready, tmp_path / "box")


# What goes, and what stays


@pytest.mark.parametrize("at", [6, 54])
@pytest.mark.parametrize("loose", [True, False])
@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_one_of_sixty_commits(tmp_path: Path, at: int, loose: bool, kind: str) -> None:
    store = build(tmp_path / "box", at, f"--object-format={kind}")
    forget(store, daily(at))
    if not loose:
        store.person("gc", "-q")
    before, first = store.states(), store.person("rev-list", "--reverse", "main").split()
    done = store.erase()
    assert done.commits == COMMITS + 1 - at
    assert done.refs == ("refs/heads/main",)
    after = store.states()
    assert after == [state.expected() for state in before]
    assert len(after) == COMMITS + 1
    assert store.person("rev-list", "--reverse", "main").split()[:at] == first[:at]
    assert store.prove() == []
    assert store.fsck() == ""
    assert store.status() == ""
    assert not store.map.exists()
    assert store.erase() == Erased(0, (), 0, ())


def test_wherever_git_may_keep_it(crowd: Store) -> None:
    before = crowd.states()
    found = {place.kind for place in crowd.prove()}
    assert found >= {"blob", "commit", "tag", "file"}
    done = crowd.erase()
    assert crowd.prove() == []
    assert crowd.fsck() == ""
    assert crowd.status() == ""
    assert sorted(map(repr, crowd.states())) == sorted(repr(state.expected()) for state in before)
    assert "refs/remotes/origin/main" in done.refs
    assert "refs/remotes" not in crowd.person("for-each-ref")
    assert crowd.person("cat-file", "tag", "noted").endswith("About: [erased]")
    assert crowd.person("rev-list", "--count", "noted") == "30"
    assert len(crowd.person("stash", "list").splitlines()) == 1
    assert "[erased]" in crowd.person("stash", "list")
    assert crowd.person("show", "stash@{0}^3:memory/untracked.md") == ""
    assert crowd.person("rev-list", "--parents", "-1", "stash").count(" ") == 3
    assert (crowd.linked / "memory/2026-12-03.md").read_text() == "- FACT: Linked ^nkd1xx\n"
    assert crowd.person("rev-parse", "--abbrev-ref", "HEAD", at=crowd.linked) == "HEAD"
    assert crowd.person("rev-parse", "refs/worktree/mine", at=crowd.linked) == crowd.person(
        "rev-parse", "HEAD~2", at=crowd.linked
    )
    assert crowd.person("status", "--porcelain", at=crowd.linked).splitlines() == [
        f" D {daily(6)}",
        "A  memory/2026-12-03.md",
    ]
    assert len(crowd.person("reflog").splitlines()) > 5


def test_stash_applies_afterwards(crowd: Store) -> None:
    crowd.erase()
    crowd.person("stash", "pop", "-q")
    assert (crowd.root / "memory/untracked.md").read_text() == ""


def test_the_shared_checker_finds_nothing(crowd: Store) -> None:
    tool = shared_path("tools", "erasure_check.sh")
    crowd.erase()
    told = subprocess.run(["bash", str(tool), str(crowd.root), SECRET], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout


def test_reflogs_keep_their_lines(crowd: Store) -> None:
    before = (crowd.dir / "logs/refs/heads/main").read_text().splitlines()
    crowd.erase()
    after = (crowd.dir / "logs/refs/heads/main").read_text().splitlines()
    assert [line.partition("<")[2] for line in after] == [line.partition("<")[2] for line in before]
    for line in after:
        for oid in line.split(" ")[:2]:
            assert not oid.strip("0") or crowd.person("cat-file", "-t", oid) == "commit"


def test_nothing_to_do_changes_nothing(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    before = {path: path.stat().st_mtime_ns for path in store.dir.rglob("*") if path.is_file()}
    assert store.erase() == Erased(0, (), 0, ())
    assert {path: path.stat().st_mtime_ns for path in store.dir.rglob("*") if path.is_file()} == before


def test_plan_names_what_is_not_ours(crowd: Store) -> None:
    crowd.person("remote", "add", "origin", "https://user:word@example.invalid/x.git")
    crowd.commit("notes/copy.txt", f"I wrote: {SECRET}\n", "mine")
    before = end_of(crowd)
    plan = plan_erasure(crowd.git(), TARGET, entry_rule(Shape(), TARGET))
    assert end_of(crowd) == before
    assert plan.remotes == ("origin",)
    assert {"refs/heads/main", "refs/heads/side", "refs/stash", "refs/tags/noted", "worktrees/linked/HEAD"} <= set(
        plan.refs
    )
    assert "refs/tags/before" not in plan.refs
    assert plan.foreign_paths == ("notes/copy.txt",)
    subjects = {crowd.person("show", "-s", "--format=%s", oid) for oid in plan.foreign_commits}
    assert {"a merge", f"side: {SECRET}", "amended", "mine"} <= subjects
    assert not any(subject.startswith("remember-me: add") for subject in subjects)
    assert plan.others == (Place("text", "notes/copy.txt", crowd.oid()),)
    assert plan.obstacles == ()
    assert crowd.erase().commits == plan.commits
    assert crowd.person("show", "HEAD:notes/copy.txt") == f"I wrote: {SECRET}"
    assert {place.kind for place in crowd.prove()} == {"blob"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shallow", "shallow clone"),
        ("objects/info/alternates", "borrows objects"),
        ("info/grafts", "grafts"),
        ("objects/pack/pack-1.promisor", "partial clone"),
    ],
)
def test_what_cannot_be_cleaned_is_refused_by_name(tmp_path: Path, name: str, words: str) -> None:
    store = build(tmp_path / "box")
    store.file(name)
    with pytest.raises(CannotCommit, match=words):
        store.erase()


def test_an_operation_under_way_is_refused(crowd: Store) -> None:
    (crowd.dir / "worktrees/linked/MERGE_HEAD").write_text(crowd.oid() + "\n")
    with pytest.raises(CannotCommit, match="a merge is under way in the linked work tree linked"):
        crowd.erase()


# Forms of notes and of commits


def test_topic_notes_long_term_notes_crlf_and_bom(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    topic = f"---\nid: topic01\ntag: FACT\ntitle: {SECRET}\n---\n"
    store.commit("memory/pelican.md", topic)
    bom = b"\xef\xbb\xbf# Facts\r\n\r\n" + LINES.replace("\n", "\r\n").encode() + b"\r\n- FACT: Other ^ther1x\r\n"
    store.commit("MEMORY.md", bom)
    store.commit("memory/2027-01-01.md", LINES)
    store.commit("only/MEMORY.md", "prose\n")
    store.write("memory/staged.md", topic.replace("topic01", "tpcs02"))
    store.person("add", "memory/staged.md")
    (store.root / "memory/staged.md").unlink()
    for path in ("memory/pelican.md", "MEMORY.md", "memory/2027-01-01.md"):
        store.person("rm", "-q", path)
    store.person("commit", "-qm", "gone", "--", "MEMORY.md", "memory/pelican.md", "memory/2027-01-01.md")
    store.erase()
    assert store.prove() == []
    assert store.status() == ""
    assert "memory/pelican.md" not in store.git().tree(store.oid("HEAD~3"))
    assert store.raw("show", "HEAD~2:MEMORY.md") == bom.replace(LINES.replace("\n", "\r\n").encode(), b"")
    assert store.raw("show", "HEAD~1:memory/2027-01-01.md") == b""
    assert store.fsck() == ""


def test_notes_beside_the_long_term_note_and_odd_paths(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    odd = os.fsdecode(b"b\xffd\nname.md")
    store.commit(odd, f"---\nid: topic01\ntag: FACT\ntitle: {SECRET}\n---\n")
    store.commit("2026-11-29.md", LINES)
    store.person("rm", "-q", odd, "2026-11-29.md")
    store.person("commit", "-qm", "gone")
    store.erase(shape=Shape(notes_dir="."))
    assert store.prove() == []
    assert store.fsck() == ""


def test_a_folder_whose_last_file_goes_and_a_commit_without_files(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    folder.mkdir()
    store = Store(folder)
    store.person("init", "-q", "-b", "main")
    store.commit("memory/topic.md", f"---\nid: topic01\ntag: FACT\ntitle: {SECRET}\n---\n", "only")
    store.person("rm", "-q", "memory/topic.md")
    store.person("commit", "-q", "--allow-empty", "-m", "gone")
    store.erase()
    assert [state.files for state in store.states()] == [{}, {}]
    assert store.prove() == []
    assert store.fsck() == ""


def test_the_same_statement_under_another_id_goes_and_prose_stays(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    text = f"# {SECRET}\n\n- FACT: {SECRET.upper()} ^ther1x\n- FACT: {SECRET} is wrong ^ther2x\n"
    store.commit("memory/2027-01-01.md", text)
    plan = plan_erasure(store.git(), TARGET, entry_rule(Shape(), TARGET))
    store.erase()
    assert store.raw("show", "HEAD:memory/2027-01-01.md").decode() == text.replace(
        f"- FACT: {SECRET.upper()} ^ther1x\n", ""
    )
    assert [(place.path, place.commit[:0]) for place in plan.others] == [("memory/2027-01-01.md", "")]


def test_commits_keep_headers_that_git_itself_would_drop(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    tree = store.oid("HEAD^{tree}")
    odd = [
        b"author  <> 12 +051800\ncommitter x <y@z> 99999999999 -0000\nencoding latin-1\n\nGr\xfc\xdfe, no line end",
        b"author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n",
        b"author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\nchange-id zyx\n\nm\n",
        b"author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n"
        b" -----END PGP SIGNATURE-----\nchange-id abc\n\nsigned\n",
        b"author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\nencoding latin-1\n\nAbout: " + SECRET.encode(),
    ]
    for rest in odd:
        raw = f"tree {tree}\nparent {store.oid()}\n".encode() + rest
        store.person(
            "update-ref",
            "HEAD",
            store.raw("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw).decode().strip(),
        )
    store.erase()
    for number, rest in enumerate(reversed(odd)):
        raw = store.raw("cat-file", "commit", f"HEAD~{number}").split(b"\n", 2)[2]
        unsigned = re.sub(rb"gpgsig .*\n(?: .*\n)*", b"", rest)
        assert raw == unsigned.replace(SECRET.encode(), b"[erased]")
    assert store.prove() == []


def test_a_merge_keeps_the_signed_tag_that_it_carries_unless_that_is_about_what_goes(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    person = "A <a@b> 1 +0000"
    made = []
    for oid in (store.oid("HEAD~3"), store.oid("HEAD~58")):
        tag = f"object {oid}\n type commit\n tag v1\n tagger {person}\n \n words\n -----BEGIN PGP SIGNATURE-----\n"
        raw = f"tree {store.oid('HEAD^{tree}')}\nparent {store.oid()}\nauthor {person}\ncommitter {person}\n"
        raw += f"mergetag {tag}\nmerge\n"
        made.append(store.raw("hash-object", "-t", "commit", "-w", "--stdin", stdin=raw.encode()).decode().strip())
        store.person("update-ref", "HEAD", made[-1])
    store.erase()
    assert b"mergetag" not in store.raw("cat-file", "commit", "HEAD~1")
    assert b"\nmergetag object " in store.raw("cat-file", "commit", "HEAD")
    assert store.raw("cat-file", "commit", "HEAD").endswith(b"\n\nmerge\n")


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("index.lock", True),
        ("refs/stash.lock", True),
        ("refs/heads/a/b.lock", True),
        ("worktrees/x/index.lock", True),
        ("worktrees/x/HEAD.lock", True),
        ("worktrees/x/refs/bisect/bad.lock", True),
        ("worktrees/x/config.lock", False),
        ("worktrees/../index.lock", False),
        ("worktrees/index.lock", False),
        ("refs/../config.lock", False),
        ("refs/heads/main", False),
        ("config.lock", False),
    ],
)
def test_lock_files_that_our_child_may_have_left(name: str, ours: bool) -> None:
    assert _is_lock_name(name) is ours


def test_text_that_the_sieve_must_not_pass_over() -> None:
    sieve = Sieve(TARGET)
    for text in (
        "PELICAN",
        "pelican",
        "ｐｅｌｉｃａｎ",
        "a — pelican “x”",
        "^secret1",
        "peli\u00adcan",
        "\ufeffpe\u200blican",
    ):
        assert sieve.may_hold(text.encode()), text
    for text in ("a — b “c”", "pelikan", "Grüße", ""):
        assert not sieve.may_hold(text.encode()), text
    for code in range(sys.maxunicode):
        if unicodedata.category(chr(code)) == "Cf" and chr(code) not in "\u200c\u200d":
            assert sieve.may_hold(f"peli{chr(code)}can".encode()), f"{code:x}"
    assert Sieve(TARGET._replace(needles=("straße",))).may_hold(b"STRASSE")
    assert Sieve(TARGET._replace(needles=())).may_hold(b"anything")
    assert sieve.cleaned(b"a THE SAFE opens with pelican four b") == b"a [erased] b"
    assert Sieve(TARGET._replace(texts=("Erased", "x"))).cleaned(b"erased x") == b"[...] [...]"
    latin = Sieve(TARGET._replace(texts=("Grüße",)))
    assert latin.cleaned("x Grüße".encode("latin-1"), "latin-1") == b"x [erased]"
    assert latin.cleaned("x Grüße".encode(), "no-such-encoding") == b"x [erased]"
    assert Sieve(TARGET._replace(texts=("", " "))).cleaned(b"a b") == b"a b"


def test_a_short_text_is_looked_for_as_whole_words_and_never_in_what_we_write() -> None:
    """Else `Rome` goes out of Romeo, and `person` out of the trailer of every commit."""
    sieve = Sieve(TARGET._replace(texts=("person", "add", "Rome", "k7m2pq")))
    ours = b"remember-me: add k7m2pq\n\nOperation-Id: op1\nEntries: k7m2pq\nActor: person\n"
    head = b"tree 0\nauthor person <a@b> 1 +0000\n\n"
    assert sieve.cleaned_commit(head + ours) == head + ours
    assert sieve.cleaned_commit(head + ours + b"By a person.\n") == head + ours + b"By a [erased].\n"
    worded = head + b"remember-me: the pelican opens the safe\n\nActor: the pelican opens the safe\n"
    telling = Sieve(TARGET._replace(texts=("The pelican opens the safe",)))
    assert telling.cleaned_commit(worded) == head + b"remember-me: [erased]\n\nActor: [erased]\n"
    long = Sieve(TARGET._replace(texts=("One line\n\nand another one",)))
    assert long.cleaned_commit(head + ours + b"\nOne line\n\nand another one") == head + ours + b"\n[erased]"
    assert sieve.cleaned_commit(head + b"remember-me: I add it\n") == head + b"remember-me: I [erased] it\n"
    assert sieve.cleaned_commit(head + b"Actor: person\n") == head + b"Actor: [erased]\n"
    assert sieve.cleaned(b"Romeo in Rome, personal ROME") == b"Romeo in [erased], personal [erased]"
    assert not sieve.holds_text(b"Romeo, personal, adds")
    for text in (b"rome", b"(Rome)", b"in\nRome.", b'"a\\nRome"', "éRome".encode(), b"^k7m2pq"):
        assert sieve.holds_text(text), text
    assert Sieve(TARGET).holds_text(f"x{SECRET}s".encode()), "a long one is known wherever it stands"


def test_the_proof_knows_a_short_text_by_whole_words(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    store.commit("memory/2027-01-01.md", "- FACT: Romeo ^ther1x\n", "Romeo")
    assert store.prove("Rome") == store.prove("person") == []
    store.commit("memory/2027-01-01.md", "- FACT: Rome ^ther1x\n", "about a person")
    assert sorted(place.kind for place in store.prove("Rome")) == ["blob"]
    assert {place.kind for place in store.prove("person")} == {"commit", "file"}


NAMES = st.sampled_from([b"a", b"b", b"x100644 a", b"a 100644 b", b"100644 a", b"2026-11-29.md"])
ENTRIES = st.dictionaries(NAMES, st.sampled_from([b"1" * 20, b"2" * 20, b"\0" * 20, b"100644 a\0" + b"3" * 11]))


@given(st.lists(ENTRIES, min_size=1, max_size=6))
def test_trees_as_differences(trees: list[dict[bytes, bytes]]) -> None:
    listing = _Listing(re.compile(rb"[0-7]+ [^\0]+\0.{20}", re.DOTALL))
    before: set[bytes] = set()
    for tree in trees:
        entries = [b"100644 %b\0%b" % (name, tree[name]) for name in sorted(tree)]
        removed, added = listing.turn_into(b"".join(entries))
        assert removed == before - set(entries)
        assert added == set(entries) - before
        before = set(entries)


@pytest.mark.parametrize(("old", "new"), [(b"", b""), (b"abc", b"abc"), (b"abab", b"ab"), (b"a" * 200_000, b"b" * 300)])
def test_a_delta_says_the_new_bytes(tmp_path: Path, old: bytes, new: bytes) -> None:
    """Read here by the rules of git's pack format, so that the writer is not its own judge."""
    delta = _delta(old, new + old[3:])
    assert applied(old, delta) == new + old[3:]


def applied(old: bytes, delta: bytes) -> bytes:
    at, sizes = 0, []
    for _ in range(2):
        size = shift = 0
        while True:
            byte = delta[at]
            at += 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        sizes.append(size)
    out = b""
    while at < len(delta):
        command = delta[at]
        at += 1
        if command & 128:
            assert command == 0xBF
            start, size = int.from_bytes(delta[at : at + 4], "little"), int.from_bytes(delta[at + 4 : at + 6], "little")
            at += 6
            out += old[start : start + size]
        else:
            out += delta[at : at + command]
            at += command
    assert sizes == [len(old), len(out)]
    return out


# Debris, races and interruptions


def test_debris_of_killed_commands(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    store.commit("memory/2027-01-01.md", LINES + "- FACT: x ^ther1x\n")
    oid = store.oid("HEAD:memory/2027-01-01.md")
    loose = store.dir / "objects" / oid[:2] / oid[2:]
    shutil.copy(loose, store.dir / "objects" / "tmp_obj_abc123")
    pack = store.raw("pack-objects", "--stdout", stdin=f"{oid}\n".encode())
    (store.dir / "objects/pack/pack-stale.pack").write_bytes(pack)
    (store.dir / "objects/tmp_obj_other").write_bytes(b"not ours to judge")
    assert {place.kind for place in store.prove()} == {"blob", "debris"}
    store.erase()
    assert store.prove() == []
    assert (store.dir / "objects/tmp_obj_other").exists()


def test_other_unreachable_objects_stay(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    store.commit("memory/2027-01-01.md", "- FACT: innocent ^ther1x\n")
    innocent = store.raw("hash-object", "-w", "--stdin", stdin=b"nothing to see").decode().strip()
    store.person("repack", "-adq", "--keep-unreachable")
    store.erase()
    assert store.person("cat-file", "-p", innocent) == "nothing to see"


def test_a_kept_pack_stays_kept_and_accelerators_go(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    store.person("repack", "-adq", "--write-midx", "--write-bitmap-index")
    store.person("commit-graph", "write", "--reachable")
    next((store.dir / "objects/pack").glob("*.pack")).with_suffix(".keep").touch()
    forget(store, daily(6))
    store.erase()
    assert store.prove() == []
    assert store.fsck() == ""
    assert len(list((store.dir / "objects/pack").glob("*.keep"))) == 1


def test_packed_refs_and_replace_refs(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    store.person("replace", "HEAD~3", "HEAD~4")
    store.person("pack-refs", "--all")
    old = store.oid()
    store.erase()
    assert old not in (store.dir / "packed-refs").read_text()
    replaced = store.person("--no-replace-objects", "rev-parse", "HEAD~3")
    assert store.person("for-each-ref", "--format=%(refname)", "refs/replace") == f"refs/replace/{replaced}"


def test_a_store_without_a_commit(tmp_path: Path) -> None:
    folder = tmp_path / "box"
    folder.mkdir()
    store = Store(folder)
    store.person("init", "-q", "-b", "main")
    assert store.erase() == Erased(0, (), 0, ())
    assert store.prove() == []


@pytest.mark.parametrize(
    "setting",
    [
        ["update-index", "--split-index"],
        ["update-index", "--index-version", "4"],
        ["update-index", "--untracked-cache"],
    ],
)
def test_staging_areas_of_other_forms(tmp_path: Path, setting: list[str]) -> None:
    store = build(tmp_path / "box")
    store.person(*setting)
    store.write("staged.md", "x")
    store.person("add", "staged.md")
    store.erase()
    assert store.prove() == []
    assert store.fsck() == ""
    assert store.person("diff", "--cached", "--name-only") == "staged.md"


def test_lines_of_a_reflog_that_git_did_not_write(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    log = store.dir / "logs/HEAD"
    log.write_text(log.read_text() + f"a note: {SECRET}\n")
    store.erase()
    assert log.read_text().splitlines()[-1] == "a note: [erased]"


def test_the_proof_names_what_it_cannot_read_and_every_form_in_files(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    folder = tmp_path / "exports"
    folder.mkdir()
    forms = {
        "utf16": SECRET.encode("utf-16-le"),
        "hex": SECRET.encode().hex().upper().encode(),
        "base64": base64.b64encode(b"ab" + SECRET.encode()),
        "percent": urllib.parse.quote(SECRET).encode(),
        "loud": SECRET.upper().encode(),
    }
    for name, data in forms.items():
        (folder / name).write_bytes(b"before " + data + b" behind")
    (folder / "link").symlink_to(SECRET)
    (folder / f"x {SECRET}").write_text("")
    (folder / "clean").write_text("The safe opens with pelican five")
    found = prove(store.git(), [SECRET, " "], [folder, tmp_path / "not-there"])
    assert {Path(place.path).name for place in found} == {*forms, "link", f"x {SECRET}"}
    assert prove(store.git(), [], [folder]) == ()


def test_notes_of_git_stay_on_their_commits(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    store.person("notes", "add", "-m", "about a commit", "HEAD~3")
    store.person("notes", "add", "-m", "about an old one", "HEAD~58")
    store.erase()
    assert store.person("notes", "show", "HEAD~3") == "about a commit"
    assert store.person("notes", "show", "HEAD~58") == "about an old one"
    assert store.erase() == Erased(0, (), 0, ())


def test_the_way_back_of_a_switch(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    store.person("switch", "-q", "--detach", "HEAD~4")
    store.person("switch", "-q", "main")
    store.erase()
    store.person("switch", "-q", "--detach", "-")
    assert store.oid() == store.oid("main~4")


def test_a_lock_of_another_command_stops_it_halfway_and_a_second_run_ends_it(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    lock = store.file("index.lock", old=True)
    with pytest.raises(CannotCommit, match=r"index\.lock"):
        store.erase()
    assert lock.exists()
    assert store.prove() != []
    lock.unlink()
    store.erase()
    assert store.prove() == []
    assert store.fsck() == ""
    assert store.person("diff", "--cached") == ""


def test_a_ref_that_is_locked_moves_nothing(crowd: Store) -> None:
    crowd.file("refs/heads/other.lock", old=True)
    before = crowd.person("for-each-ref")
    with pytest.raises(CannotCommit, match=r"other\.lock"):
        crowd.erase()
    assert crowd.person("for-each-ref") == before


def test_a_detached_head_and_a_tag_on_a_file(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    store.person("tag", "file", f"HEAD:{daily(6)}")
    store.person("tag", "tree", "HEAD:memory")
    store.person("tag", "-a", "-m", "of a tree", "deep", "HEAD^{tree}")
    store.person("tag", "-a", "-m", "of a tag", "deeper", "deep")
    store.person("switch", "-q", "--detach", "HEAD~1")
    store.person("branch", "-qD", "main")
    store.erase()
    assert store.prove() == []
    assert store.fsck() == ""
    assert LINES not in store.person("cat-file", "blob", "file")
    assert store.person("rev-parse", "deeper^{tree}") == store.person("rev-parse", "deep^{}")
    assert len(store.states("HEAD")) == COMMITS - 1


def test_names_of_files_with_the_text_are_told(tmp_path: Path) -> None:
    store = build(tmp_path / "box", at=-1)
    store.commit(f"notes/{SECRET}.txt", "x")
    plan = plan_erasure(store.git(), TARGET, entry_rule(Shape(), TARGET))
    assert plan.others == (Place("name", f"notes/{SECRET}.txt", store.oid()),)


def test_a_conflict_that_was_resolved_leaves_no_trace(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    for branch in ("one", "two"):
        store.person("switch", "-qc", branch, "main")
        store.commit(daily(6), (store.root / daily(6)).read_text() + f"- FACT: {branch} ^{branch}abc\n", branch)
    store.configure("rerere.enabled", "true")
    store.person("merge", "-q", "one", fails=True)
    (store.root / daily(6)).write_text("- FACT: both ^bth01x\n")
    store.person("add", daily(6))
    store.person("commit", "-qm", "resolved")
    store.erase()
    assert store.prove() == []
    assert store.fsck() == ""


def test_a_branch_that_moves_meanwhile(crowd: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first transaction is refused, and the second one takes the new commit along."""
    moved: list[str] = []
    ask = Git.ask

    def racing(self: Git, *arguments: str, **options: object) -> bytes:
        if arguments[0] == "update-ref" and not moved:
            crowd.person("switch", "-q", "--detach")
            crowd.person("commit", "-q", "--allow-empty", "-m", "theirs")
            crowd.person("branch", "-qf", "main", "HEAD")
            crowd.person("switch", "-q", "main")
            moved.append(crowd.oid())
        return ask(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Git, "ask", racing)
    crowd.erase()
    assert crowd.log()[0] == "theirs"
    assert moved
    assert crowd.oid() not in moved
    assert crowd.prove() == []
    assert crowd.fsck() == ""


def test_a_branch_that_never_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = build(tmp_path / "box")
    ask = Git.ask

    def racing(self: Git, *arguments: str, **options: object) -> bytes:
        if arguments[0] == "update-ref":
            store.person("commit", "-q", "--allow-empty", "-m", "theirs")
        return ask(self, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Git, "ask", racing)
    with pytest.raises(CannotCommit, match="keeps changing"):
        store.erase()
    assert store.fsck() == ""


def test_files_of_linked_work_trees_that_only_look_like_it(crowd: Store) -> None:
    (crowd.linked / daily(50)).write_text(f"half written: {SECRET}\n")
    (left,) = crowd.erase().left
    assert left.startswith(str(crowd.linked / daily(50)))
    assert crowd.prove() == []


@pytest.fixture(scope="module")
def reference(ready: Store, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """How it ends without an interruption."""
    store = copied(ready, tmp_path_factory.mktemp("reference") / "box")
    store.erase()
    assert store.prove() == []
    return end_of(store)


def begun(store: Store, stop_at: int = 0) -> subprocess.Popen[bytes]:
    """An erasure in a process group of its own, once it has the lock."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.store.erase_driver", str(store.root), str(store.home), str(stop_at)],
        cwd=Path(__file__).resolve().parents[2],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"now\n"
    child.stdout.close()
    return child


def assert_ends_as_without(store: Store, reference: dict[str, object]) -> None:
    lock = StoreLock(store.root / ".remember-me" / "lock")
    assert lock.acquire(20), "a git that outlives its parent holds the lock until it ends"
    store.erase()
    lock.release()
    assert end_of(store) == reference
    assert store.prove() == []
    assert store.fsck() == ""


STEPS = range(1, 300) if multiplied(1, 10) > 1 else [26, 28, 32, 34, 36, 39, 45, 61, 64, 150]


@pytest.mark.parametrize("stop_at", STEPS)
def test_killed_at_a_step_and_run_again(crowd: Store, reference: dict[str, object], stop_at: int) -> None:
    code = begun(crowd, stop_at).wait()
    if code == 0:
        pytest.skip("it has fewer steps")
    assert code == -signal.SIGKILL
    assert_ends_as_without(crowd, reference)


@pytest.mark.parametrize("round_", range(multiplied(4, 200)))
def test_killed_at_any_time_and_run_again(crowd: Store, reference: dict[str, object], round_: int) -> None:
    chance = random.Random(time.time_ns() + round_)
    for _ in range(chance.randint(1, 2)):
        child = begun(crowd)
        time.sleep(chance.uniform(0, 0.5))
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    assert_ends_as_without(crowd, reference)


def test_a_map_that_is_cut_short_or_speaks_of_what_stays(tmp_path: Path) -> None:
    store = build(tmp_path / "box")
    before = store.states()
    store.map.write_text(f"{store.oid('HEAD~59')} -\nnonsense\n{blob_id(b'')} {store.oid()[:20]}")
    store.erase()
    assert store.states() == [state.expected() for state in before]
    assert store.fsck() == ""
