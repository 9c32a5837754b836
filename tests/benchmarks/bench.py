"""What is measured, and against which goals of PERFORMANCE.md."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from remember_me.app.actor import Channel
from remember_me.app.start import init
from remember_me.app.wiring import Session, Surroundings, open_session, open_view
from remember_me.notes.note import parse_note
from remember_me.store.manifest import load_manifest
from tests.benchmarks import notes, peers, precision, retrieval
from tests.benchmarks.measure import Process, Sample, calls, count_calls, load, processes, tell
from tests.benchmarks.table import Row, machine_facts, render

RESULTS = Path(__file__).with_name("results.md")
LEAST_ROUNDS = 9
YEAR, DECADE = 365, 3_650
QUIET_SPREAD = 0.15
"""A machine on which the middle half of P lies within this part of its median."""


@dataclass
class Bench:
    """One run: its folder, what the measured processes see, and what it has found."""

    folder: Path
    rounds: int
    sections: dict[str, list[Row]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    bare: list[Sample] = field(default_factory=list)

    def __post_init__(self) -> None:
        home = self.folder / "home"
        settings = home / ".config" / "remember-me"
        settings.mkdir(parents=True)
        (settings / "config.toml").write_text('[trust]\nscripts = "person"\n')
        (home / ".gitconfig").write_text("[user]\n  name = Bench\n  email = bench@example.invalid\n")
        self.environ = {
            "PATH": peers.clean_path(),
            "HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
        }
        script = Path(sys.executable).with_name("remember-me")
        self.program = [str(script)] if script.exists() else [sys.executable, "-m", "remember_me"]

    # Stores

    def store(self, count: int, days: int) -> Path:
        """A store with so many entries in so many daily notes, all committed and seen."""
        root = self.folder / f"store-{count}-{days}"
        if not root.exists():
            tell(f"making a store with {count} entries in {days} notes")
            notes.write_notes(root, count, days)
            around = self.around(root)
            init(around)
            # A second look, so that no note is younger than the manifest trusts.
            reason, _ = open_session(around).store.settle()
            assert reason is None, reason
        return root

    def around(self, root: Path) -> Surroundings:
        return Surroundings(self.environ, root, Channel((self.environ,), terminal=True))

    # Whole processes

    def command(self, root: Path, *words: str, check: Callable[[str], bool] = bool) -> Process:
        return Process([*self.program, *words], self.environ | {"REMEMBER_ME_HOME": str(root)}, self.folder, check)

    def in_turns(self, cases: dict[str, Process]) -> tuple[Sample, dict[str, Sample]]:
        """(P, the others): run in turns."""
        bare = Process([sys.executable, "-c", "pass"], self.environ, self.folder)
        found = processes({"P": bare, **cases}, self.rounds)
        self.bare.append(found["P"])
        return found.pop("P"), found

    def commands(self, others: dict[str, dict[str, Process]]) -> None:
        """The commands at 1,000 entries beside the peers', and `add` at 10,000."""
        root = self.store(1_000, YEAR)
        some = notes.entry_id(500)
        title = next(entry.title for entry in notes.entries(1_000, YEAR) if entry.id == some)
        mine = {
            "--help": (self.command(root, "--help", check=lambda out: "add" in out), 7.0),
            "get ID": (self.command(root, "get", some, check=lambda out: title in out), 7.5),
            "get ID --text": (self.command(root, "get", some, "--text", check=lambda out: title in out), 7.5),
            "list, all 1,000": (self.command(root, "list", check=lambda out: out.count("\n") >= 1_000), 7.5),
            "list --tag GOAL": (self.command(root, "list", "--tag", "GOAL"), 7.5),
            "status": (self.command(root, "status", check=lambda out: "entries" in out), None),
            "add TEXT": (self.command(root, "add", "A new one"), 9.0),
            "add TEXT --tag FACT": (self.command(root, "add", "A new one", "--tag", "FACT"), 9.0),
        }
        cases = {name: case for name, (case, _) in mine.items()}
        cases |= {f"{peer} {name}": case for peer, found in others.items() for name, case in found.items()}
        bare, found = self.in_turns(cases)
        rows = [
            self._row(name, found[name], bare, goal, _beside(name, found, bare, others))
            for name, (_, goal) in mine.items()
        ]
        self._keep("Commands, whole process, 1,000 entries in 365 daily notes", rows, bare)
        large = self.store(10_000, DECADE)
        bare, found = self.in_turns(
            {
                "get ID": self.command(large, "get", some),
                "status": self.command(large, "status"),
                "add TEXT": self.command(large, "add", "A new one"),
            }
        )
        rows = [self._row(name, sample, bare, None, "") for name, sample in found.items()]
        self._keep("Commands, whole process, 10,000 entries in 3,650 daily notes", rows, bare)

    def reads(self, others: dict[str, dict[str, Process]]) -> None:
        """What an agent reads with, in a store that nothing writes to meanwhile."""
        goals = {
            1_000: {"index": 7.5, "search WORDS": 7.5},
            10_000: {},
        }
        for count, days in ((1_000, YEAR), (10_000, DECADE)):
            root = self.store(count, days)
            words = next(entry.title for entry in notes.entries(count, days) if entry.id == notes.entry_id(500))
            cases = {
                "index": self.command(root, "index", check=lambda out: "more entries" in out),
                "search WORDS": self.command(root, "search", words, check=lambda out: notes.entry_id(500) in out),
                "recall": self.command(root, "recall", check=lambda out: out.endswith("</remember-me>\n")),
                "recall --prompt TEXT": self.command(root, "recall", "--prompt", f"What of {words}?"),
            }
            beside = others if count == 1_000 else {}
            bare, found = self.in_turns(
                cases | {f"{peer} {name}": case for peer, some in beside.items() for name, case in some.items()}
            )
            rows = [
                self._row(name, found[name], bare, goals[count].get(name), _beside(name, found, bare, beside))
                for name in cases
            ]
            self._keep(f"What an agent reads, whole process, {count:,} entries, nothing changed", rows, bare)

    def hooks(self, sizes: Sequence[int]) -> None:
        """The hooks of a client, whole process: a session that begins, and prompts of which each leaves a receipt."""
        for count in sizes:
            days = YEAR if count == 1_000 else DECADE
            root = self.store(count, days)
            some = self.command(root, "add", "--tag", "FACT", "--quiet", "The zeppelin hangar opens on Fridays")
            entry = subprocess.run(list(some.arguments), env=dict(some.environ), capture_output=True, check=True).stdout
            self._bring_up(root)
            cases = {
                "session-start": self._hook(root, "session-start", "", "SessionStart"),
                "prompt that hits": self._hook(root, "prompt", "Is the zeppelin hangar open?", entry.decode().strip()),
                "prompt that does not": self._hook(root, "prompt", "please fix the failing test in the parser", ""),
            }
            goal = {1_000: 2.5, 10_000: 2.7, 100_000: 3.5}.get(count)
            bare, found = self.in_turns(cases)
            goals = {"session-start": 2.5 if count <= 10_000 else None}
            rows = [
                self._row(f"hook claude-code {name}", found[name], bare, goals.get(name, goal), "") for name in cases
            ]
            self._keep(f"Hooks of a client, whole process, {count:,} entries, nothing changed", rows, bare)

    def _hook(self, root: Path, event: str, prompt: str, wanted: str) -> Process:
        """That hook, in a new session each time; `wanted` must stand in what it prints, nothing where it is empty."""

        def stdin(number: int) -> bytes:
            name = f"{event}-{len(prompt)}-{number}"
            document = {"session_id": name, "prompt_id": name, "prompt": prompt, "cwd": str(self.folder)}
            return json.dumps(document).encode()

        def check(out: str) -> bool:
            return wanted in out if wanted else not out

        return replace(self.command(root, "hook", "claude-code", event, check=check), stdin=stdin)

    def _bring_up(self, root: Path) -> None:
        """Let the cache be up to the notes, with the block of the folder in which the hooks run."""
        done = self.command(root, "recall", "--cwd", str(self.folder))
        subprocess.run(list(done.arguments), env=dict(done.environ), cwd=self.folder, check=True, capture_output=True)

    def quality(self, sizes: Sequence[int]) -> None:
        """How well search and recall answer, and how fast at any size."""
        title = "Recall of what a prompt needs"
        self.sections[title], left_out = precision.rows()
        self.remarks += left_out
        if retrieval.LOCOMO.exists():
            self.sections["LoCoMo, turn and session level"] = retrieval.locomo(self.folder)
        else:
            self.remarks.append("LoCoMo: its data are not here")
        for count in sizes:
            self.sections[f"The cache in this process, {count:,} entries"] = retrieval.scale(self.folder, count)

    def _keep(self, title: str, rows: list[Row], bare: Sample) -> None:
        """A section, with how quiet the machine was while it was measured."""
        self.sections[f"{title} (noise {bare.spread():.0%})"] = rows

    @staticmethod
    def _row(name: str, sample: Sample, bare: Sample, goal: float | None, beside: str) -> Row:
        (wall, cpu), (bare_wall, bare_cpu) = sample.median(), bare.median()
        return Row(f"`{name}`", wall / bare_wall, "P", cpu / bare_cpu, goal, beside)

    # In this process

    def checks(self) -> None:
        """The nothing-changed check of a writer and of a reader, and what the system's part of it is."""
        for days, goal in ((YEAR, 0.25), (DECADE, 1.0)):
            rows: list[Row] = []
            root = self.store(1_000 if days == YEAR else 10_000, days)
            bare, _ = self.in_turns({})
            session, reader = open_session(self.around(root)), open_view(self.around(root)).reader
            assert session.store.settle()[0] is None
            look = lambda s=session: _look(s)  # noqa: E731
            assert not look()
            parts: dict[str, tuple[Callable[[], object], float | None]] = {
                "a writer's: the head, the manifest, the notes": (look, goal),
                "of it git's answer about the head": (session.store.git.head, None),
                "a reader's: the manifest and the notes": (
                    lambda r=reader: load_manifest(r.manifest_path).changed(r.files.scan().notes),
                    None,
                ),
                "bare os.scandir and stat of the folder": (lambda f=root / "memory": _bare_look(f), None),
            }
            for name, (call, wanted) in parts.items():
                sample = calls(call, max(self.rounds, 25))
                (wall, cpu), (bare_wall, bare_cpu) = sample.median(), bare.median()
                what = f"{name} (p95 {sample.p95() / bare_wall:.2f} P)"
                rows.append(Row(what, wall / bare_wall, "P", cpu / bare_cpu, wanted))
            self._keep(f"The check that nothing has changed, in this process, {days:,} notes", rows, bare)

    def parsing(self) -> None:
        """What an entry costs to read, and what is read when one note has changed."""
        rows: list[Row] = []
        for count, days in ((1_000, YEAR), (10_000, DECADE)):
            data = [(f"memory/{name}", found) for name, found in notes.daily_notes(count, days)]
            sample = calls(lambda d=data: [parse_note(path, found) for path, found in d], self.rounds)
            wall, cpu = sample.median()
            rows.append(Row(f"parse, per entry, of {count:,}", wall / count * 1e6, "µs", cpu / count * 1e6))
        root = self.store(1_000, YEAR)
        changed = sorted((root / "memory").iterdir())[100]
        changed.write_bytes(changed.read_bytes() + b"\nA thought.\n")
        session = open_session(self.around(root))
        seen = count_calls([parse_note], lambda: session.store.find(notes.entry_id(500)))
        rows.append(Row("one of 365 notes changed: notes parsed by `get ID` of another note", seen, "notes", goal=2))
        seen = count_calls([parse_note], lambda: session.store.settle())
        rows.append(Row("one of 365 notes changed: its states parsed to commit the edit", seen, "states", goal=2))
        self.sections["Reading"] = rows


def _look(session: Session) -> bool:
    """Whether a hand has changed a note: what every write looks at first."""
    session.store.ledger.load([])
    return bool(session.store.ledger.hand_edits().notes)


def _bare_look(folder: Path) -> int:
    with os.scandir(folder) as found:
        return sum(item.stat(follow_symlinks=False).st_size for item in found)


def _beside(name: str, found: dict[str, Sample], bare: Sample, others: dict[str, dict[str, Process]]) -> str:
    """What the peers take for the same."""
    command = next((word for word in ("--help", "get", "list", "add") if name.startswith(word)), None)
    shown = [
        f"{peer} {found[f'{peer} {command}'].median()[0] / bare.median()[0]:.1f} P"
        for peer, cases in others.items()
        if command in cases
    ]
    return ", ".join(shown)


def _peers(bench: Bench, wanted: bool) -> dict[str, dict[str, Process]]:
    found: dict[str, dict[str, Process]] = {}
    for name in peers.PACKAGES:
        if not wanted:
            bench.remarks.append(f"{name}: not asked for (`--peers`)")
            continue
        program = peers.install(name, bench.folder)
        if program is None:
            bench.remarks.append(f"{name}: could not be installed here")
            continue
        entries = notes.entries(1_000, YEAR)
        label = f"{name} {peers.version_of(program, name)}"
        found[label] = peers.SET_UP[name](program, bench.folder, entries, bench.environ)
    return found


def _noise(bench: Bench, load_before: str) -> list[str]:
    """How long P took over the run, and how quiet the machine was."""
    spread = max(sample.spread() for sample in bench.bare)
    wall = sorted(sample.median()[0] * 1e3 for sample in bench.bare)
    cpu = sorted(sample.median()[1] * 1e3 for sample in bench.bare)
    verdict = "quiet" if spread <= QUIET_SPREAD else "not quiet: of wall and CPU, trust the smaller ratio"
    return [
        f"{bench.rounds} runs of each process; P took {wall[0]:.1f} to {wall[-1]:.1f} ms wall, "
        f"{cpu[0]:.1f} to {cpu[-1]:.1f} ms CPU",
        f"noise is within which part of its median the middle half of P lay: at most {spread:.0%}; the load was "
        f"{load_before} before and {load()} after, so the machine was {verdict}",
    ]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help=f"runs of each process, at least {LEAST_ROUNDS}")
    parser.add_argument(
        "--peers", action="store_true", help="install other tools in a temporary folder, and measure them"
    )
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000], help="entries of the stores to search"
    )
    parser.add_argument("--output", type=Path, default=RESULTS)
    given = parser.parse_args(words)
    if given.rounds < LEAST_ROUNDS:
        parser.error(f"--rounds: at least {LEAST_ROUNDS}, or the medians mean little")
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    before = load()
    with tempfile.TemporaryDirectory(prefix="remember-me-bench-") as folder:
        bench = Bench(Path(folder), given.rounds)
        others = _peers(bench, given.peers)
        bench.hooks(given.sizes)
        bench.reads(others)
        bench.commands(others)
        bench.checks()
        bench.parsing()
        bench.quality(given.sizes)
    text = render(bench.sections, [*machine_facts(date.today()), *_noise(bench, before)], bench.remarks)
    print(text, end="")
    given.output.write_text(text, encoding="utf-8")
    return 0
