"""Forgetting through the command line: the secret wherever it may be kept, and the command killed at any time."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cases.terminal import on_terminal
from tests.cli_runner import Cli, bytes_of, command_line, trust_scripts
from tests.shared import SHARED, shared_path
from tests.store.erase_setting import ERASED_ELSEWHERE, LINES, SECRET, SECRET_ID, Setting, day_of
from tests.store.soundness import leftovers, multiplied
from tests.store.test_crash_cli import kill_gits_in

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the set-up uses /proc and signals")

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}
COMMITS = 120
CHECK = SHARED / "tools" / "erasure_check.sh"


def setting(home: Path, folder: Path, at: int, commits: int = COMMITS) -> Setting:
    """A store with the secret in git and in what we keep beside it."""
    trust_scripts(home)
    made = Setting(folder)
    made.build(commits, at)
    made.hide_in_git()
    made.hide_beside_git()
    return made


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_wherever_it_is_kept(home: Path, tmp_path: Path, share: float) -> None:
    """Gone from git and from all that is ours; what is not ours is named with the next command, and left alone."""
    at = int(COMMITS * share)
    made = setting(home, tmp_path, at)
    places = made.hide_out_of_reach()
    own = {"cache.sqlite", "receipts.sqlite"}
    assert own < {Path(place).name for place in made.holding()}, "the control: it is where it was put"
    assert any("pending/" in place for place in made.holding())
    assert "git" in made.holding()
    commits, expected, notes = made.commits(), made.states(expected=True), made.notes()
    reflog = made.git("reflog", "--format=%gs").splitlines()

    done = made.forget()

    root = made.store
    assert done.code == ERASED_ELSEWHERE, (done.out, done.err)
    told = [line for line in done.err.splitlines() if line.startswith("Still there: ")]
    assert sorted(told) == sorted(
        [
            f"Still there: export.json · take the words out of it, or rm {root}/export.json",
            f"Still there: exports/2026.md · take the words out of it, or rm {root}/exports/2026.md",
            f"Still there: memory/2027-01-06.md~ · rm '{root}/memory/2027-01-06.md~'",
            f"Still there: memory/.2027-01-06.md.swp · close its editor, then rm {root}/memory/.2027-01-06.md.swp",
            f"Still there: the remote there · git -C {root} push --force --all there"
            f" && git -C {root} push --force --tags there, then ask its owner to prune",
        ]
    )
    assert done.err.endswith(
        "Error: Forgotten here, but 5 places out of reach may still have it.\nHint: Do what is said above.\n"
    )
    assert sorted(made.holding()) == sorted(f"store/{path}" for path in places)
    after = made.states()
    assert [state for state in after if b"remember-me: forget" not in state.head] == expected
    assert len(after) == len(commits) + 1
    assert made.commits()[: at - 1] == commits[: at - 1], "what came before it keeps its ids"
    left = made.notes()
    assert f"^{SECRET_ID} forgotten hmac-sha256:" in left.pop("forgotten.md").decode()
    day = Path(day_of(at)).name
    assert left == notes | {day: notes[day].replace(f"\n{LINES}".encode(), b"")}
    assert made.fsck() == ""
    untracked = ["export.json", "exports/", "memory/.2027-01-06.md.swp", "memory/2027-01-06.md~"]
    assert made.git("status", "--porcelain").decode().split()[1::2] == untracked
    assert made.git("stash", "list").count(b"\n") == 1
    assert (made.linked / "memory/2027-01-04.md").read_text() == "- FACT: Linked ^linked1\n"
    assert made.git("show", ":memory/2027-01-04.md", at=made.linked) == b"- FACT: Linked ^linked1\n"
    assert made.git("reflog", "--format=%gs").splitlines()[1:] == [
        line.replace(SECRET.encode(), b"[erased]") for line in reflog
    ]
    assert made.cli.run("erase", "--yes").err == "Nothing waits to be erased.\n"


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_the_shared_checker_finds_nothing(home: Path, tmp_path: Path, share: float) -> None:
    """With no copy out of reach the command ends with 0, and a check of another hand finds nothing."""
    script = shared_path("tools", "erasure_check.sh")
    made = setting(home, tmp_path, int(COMMITS * share))
    assert made.checked_by_another_hand(script) != ""
    done = made.forget()
    assert done.code == 0, (done.out, done.err)
    assert made.checked_by_another_hand(script) == ""


def test_a_repository_of_others_is_asked_about_on_a_terminal(home: Path, tmp_path: Path) -> None:
    """Yes to forgetting and no to the history: the notes are cleared, the history stays until `erase`."""
    made = setting(home, tmp_path, 12)
    made.hide_out_of_reach()
    shown = on_terminal(made.cli, "forget", SECRET_ID, columns=200, keys=b"y\nn\n")
    assert "Forget 1 entry for good? [y/N]" in shown.text
    named = re.search(r"\d commits are not of remember-me, for example ([0-9a-f]{12})\.", shown.text)
    assert named
    assert b"remember-me" not in made.git("log", "-1", "--format=%B", named[1])
    assert "The remotes there may have a copy." in shown.text
    assert "commits of refs/heads/main, refs/heads/side, " in shown.text
    assert "Rewrite them? [y/N]" in shown.text
    assert "The history still has it. Erase it there: " in shown.text
    assert shown.code == 0
    assert LINES not in (made.store / day_of(12)).read_text()
    assert "git" in made.holding()
    assert made.cli.run("erase", "--yes").code == ERASED_ELSEWHERE
    assert "git" not in made.holding()


def test_without_a_yes_nothing_is_done(home: Path, tmp_path: Path) -> None:
    made = setting(home, tmp_path, 12)
    before, commits = made.holding(), made.commits()
    assert made.cli.run("forget", SECRET_ID).code == 2
    assert (made.holding(), made.commits()) == (before, commits)


# What else it takes along, and what it must leave


def small(home: Path, folder: Path) -> Cli:
    trust_scripts(home)
    cli = Cli(folder / "store")
    cli.ok("init")
    return cli


def test_a_mere_yes_takes_nothing_else_along(home: Path, tmp_path: Path) -> None:
    """The quote of an entry may be a word that stands everywhere."""
    cli = small(home, tmp_path)
    entry = cli.ok("add", "--quiet", "--tag", "FACT", "--evidence", "yes", "Keeps a parrot").out.strip()
    cli.ok("add", "--quiet", "--tag", "FACT", "--evidence", "yes", "Yesterday was fine")
    card = cli.ok("--json", "add", "--tag", "FACT", "Says yes, knows yesterday", env=AGENT).json()["id"]
    log = cli.json("log")
    done = cli.run("forget", entry, "--yes")
    assert (done.code, [row["id"] for row in cli.json("review")]) == (0, [card]), done.err
    assert [(row["verb"], row["actor"]) for row in cli.json("log")[1:]] == [(row["verb"], row["actor"]) for row in log]


def test_a_short_title_goes_as_a_whole_word(home: Path, tmp_path: Path) -> None:
    cli = small(home, tmp_path)
    entry = cli.ok("add", "--quiet", "--tag", "FACT", "Oslo").out.strip()
    cli.ok("add", "--quiet", "--tag", "FACT", "Knows the Oslofjord")
    cards = [
        cli.ok("--json", "add", "--tag", "FACT", text, env=AGENT).json()["id"]
        for text in ("Was in oslo", "Oslofjord again")
    ]
    done = cli.run("forget", entry, "--yes")
    assert (done.code, [row["id"] for row in cli.json("review")]) == (0, cards[1:]), done.err


def test_many_revisions_of_another_entry_with_the_words_are_one_line(home: Path, tmp_path: Path) -> None:
    cli = small(home, tmp_path)
    entry = cli.ok("add", "--quiet", "--tag", "FACT", SECRET).out.strip()
    for number in range(5):
        cli.ok("add", "--quiet", "--tag", "FACT", f"{number}: {SECRET}, or so")
    done = cli.run("forget", entry, "--yes")
    assert done.code == ERASED_ELSEWHERE
    (line,) = [line for line in done.err.splitlines() if line.startswith("Still there: ")]
    place, _, command = line.partition(" · another entry or file has the words; which: ")
    assert re.fullmatch(r"Still there: blob [0-9a-f]{12} and 5 more", place)
    found = subprocess.run(shlex.split(command), capture_output=True, text=True, check=True)
    assert "memory/" in found.stdout


def test_what_a_crash_left_beside_the_notes_goes_with_erase(home: Path, tmp_path: Path) -> None:
    """The notes were cleared, and the command was killed before the card, the receipt and halves of files were."""
    cli = small(home, tmp_path)
    cli.ok("hook", "prompt", "--session", "claude-code/s1", "--message", "m1", stdin="I have a quagga.")
    cli.ok("add", "--tag", "FACT", "The quagga is called Anna")
    for text in ("Feeds the quagga", "Feeds the zebra"):
        assert cli.ok("--json", "add", "--tag", "FACT", text, env=AGENT).json()["state"] == "pending"
    own = cli.store / ".remember-me"
    before = {path: path.read_bytes() for path in [*own.glob("pending/*"), own / "receipts.sqlite"]}
    assert cli.run("forget", "--match", "quagga", "--later", "--yes").code == 0
    for path, data in before.items():
        path.write_bytes(data)
    (own / "pending" / ".abcdef.md.0a1b2c3d").write_text("half of a card about a quagga")
    (own / ".erase.json.0a1b2c3d").write_text('{"texts": ["quagga')
    done = cli.run("erase", "--yes")
    assert done.code == 0, done.err
    assert [path for path in own.rglob("*") if path.is_file() and b"quagga" in path.read_bytes()] == []
    assert [row["entry"]["title"] for row in cli.json("review")] == ["Feeds the zebra"]


def test_a_crash_before_the_notes_were_cleared(home: Path, tmp_path: Path) -> None:
    """Also of an entry that a hand wrote and that has no id yet; one fence, one commit."""
    cli = small(home, tmp_path)
    note = cli.store / "memory" / "2026-01-14.md"
    note.parent.mkdir()
    note.write_text("- FACT: The quagga is called Anna\n- FACT: The zebra is called Ben\n")
    cli.ok("add", "--tag", "FACT", "Feeds a quagga")
    shutil.copytree(cli.store, tmp_path / "copy")
    assert Cli(tmp_path / "copy").run("forget", "--match", "quagga", "--later", "--yes").code == 0
    shutil.copy(tmp_path / "copy/.remember-me/erase.json", cli.store / ".remember-me/erase.json")
    done = cli.run("erase", "--yes")
    assert done.code == 0, done.err
    assert note.read_text() == "- FACT: The zebra is called Ben\n"
    assert [row["verb"] for row in cli.json("log")].count("forget") == 1
    assert b"quagga" not in b"".join(bytes_of(cli.store, but=()).values())
    assert (cli.store / "memory/forgotten.md").read_text().count(" forgotten hmac-sha256:") == 2


class Killed:
    """One setting, brought back before each round, and what its end has to be."""

    def __init__(self, made: Setting, state_home: Path, seed: int) -> None:
        self.made, self.dice = made, random.Random(seed)
        self.saved = made.folder.parent / "saved"
        self.state_home = state_home
        shutil.copytree(made.folder, self.saved, symlinks=True)
        shutil.copytree(state_home, self.saved / "state")
        self.expected, self.commits, self.notes = made.states(expected=True), made.commits(), made.notes()
        self.held = made.holding()
        self.counts = {"not begun": 0, "notes not cleared": 0, "not erased": 0, "ended": 0}
        began = time.monotonic()
        assert made.forget().code == 0
        self.usual = time.monotonic() - began

    def again(self) -> None:
        for folder in (self.made.store, self.made.linked, self.state_home):
            shutil.rmtree(folder)
        shutil.copytree(self.saved / "store", self.made.store, symlinks=True)
        shutil.copytree(self.saved / "linked", self.made.linked, symlinks=True)
        shutil.copytree(self.saved / "state", self.state_home)

    def kill(self, *words: str) -> int | None:
        """Kills a command somewhere on its way, and its git with it, or not."""
        process = subprocess.Popen(
            command_line("--store", str(self.made.store), *words),
            env=self.made.cli.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        intent = self.made.store / ".remember-me" / "erase.json"
        if self.dice.random() < 0.9:  # most of what comes before writes nothing
            while process.poll() is None and not intent.exists():
                time.sleep(0.0005)
            time.sleep(self.usual * 0.6 * self.dice.random() ** 2)
        else:
            time.sleep(self.usual * self.dice.uniform(0, 1))
        with suppress(ProcessLookupError):  # it has ended
            os.killpg(process.pid, signal.SIGKILL)
        if self.dice.random() < 0.5:
            kill_gits_in(self.made.store)
        process.wait(30)
        return process.returncode

    def note(self) -> None:
        """Where the kill came."""
        if not (self.made.store / ".remember-me" / "erase.json").exists():
            kind = "ended" if "git" not in self.made.holding() else "not begun"
        else:
            notes = b"".join(self.made.notes().values())
            kind = "notes not cleared" if SECRET.encode() in notes else "not erased"
        self.counts[kind] += 1

    def finish(self) -> None:
        if self.dice.random() < 0.3:
            self.kill("erase", "--yes")
        done = self.made.cli.run("erase", "--yes", timeout=120)
        assert done.code == 0, (done.out, done.err)
        if "git" in self.made.holding():
            assert self.made.commits() == self.commits
            assert self.made.holding() == self.held
            assert self.made.forget().code == 0

    def check(self) -> None:
        made = self.made
        assert made.holding() == []
        after = made.states()
        assert [state for state in after if b"remember-me: forget" not in state.head] == self.expected
        assert len(after) == len(self.commits) + 1
        left = made.notes()
        assert left.pop("forgotten.md").count(b"^secret forgotten ") == 1
        assert left == {name: data.replace(f"\n{LINES}".encode(), b"") for name, data in self.notes.items()}
        assert made.fsck() == ""
        assert leftovers(made.store) == []
        assert made.git("status", "--porcelain") == b""
        assert not (made.store / ".remember-me" / "erase.map").exists()
        if CHECK.exists():
            assert made.checked_by_another_hand(CHECK) == ""


@pytest.mark.usefixtures("real_processes")  # how long a command takes counts
def test_killed_at_random_times_and_run_again(home: Path, tmp_path: Path) -> None:
    rounds = multiplied(5, 100)
    (tmp_path / "box").mkdir()
    killed = Killed(setting(home, tmp_path / "box", 30, commits=300), home / ".local" / "state", seed=rounds)
    killed.check()
    for number in range(rounds):
        killed.again()
        killed.kill("forget", SECRET_ID, "--yes")
        killed.note()
        killed.finish()
        killed.check()
        print(number, killed.counts)
    assert sum(killed.counts.values()) == rounds
