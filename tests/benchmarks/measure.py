"""Measuring: whole processes one after the other in turns, and calls within this process."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """What was measured of one thing, in seconds, one value for each run."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    def median(self) -> tuple[float, float]:
        """(wall, CPU)."""
        return statistics.median(self.wall), statistics.median(self.cpu)

    def p95(self) -> float:
        return sorted(self.wall)[min(len(self.wall) - 1, int(len(self.wall) * 0.95))]

    def spread(self) -> float:
        """How far the middle half of the runs lies apart, as a part of the median: 0 on a quiet machine."""
        low, middle, high = statistics.quantiles(self.wall, n=4)
        return (high - low) / middle


@dataclass(frozen=True)
class Process:
    """A command to measure. `check` gets what it printed, and says whether that is right; `stdin` gives what it reads
    for the number of its run."""

    arguments: Sequence[str]
    environ: Mapping[str, str]
    cwd: Path
    check: Callable[[str], bool] = lambda out: True
    stdin: Callable[[int], bytes] = lambda number: b""


class WrongAnswer(Exception):
    """A measured command failed, or printed something else than it should."""


def processes(cases: Mapping[str, Process], rounds: int) -> dict[str, Sample]:
    """Run every case `rounds` times, in turns, after a first run of each that does not count."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for number in range(rounds + 1):
        tell(f"  round {number} of {rounds}: {', '.join(cases)}")
        for name, case in cases.items():
            figures = _run(name, case, number)
            if number:
                taken[name].append(figures)
    return {name: Sample(tuple(w for w, _ in runs), tuple(c for _, c in runs)) for name, runs in taken.items()}


def _run(name: str, case: Process, number: int) -> tuple[float, float]:
    given = case.stdin(number)
    before = _cpu_of_children()
    began = time.perf_counter()
    done = subprocess.run(
        list(case.arguments),
        env=dict(case.environ),
        cwd=case.cwd,
        input=given,
        capture_output=True,
        start_new_session=True,
        check=False,
    )
    wall = time.perf_counter() - began
    cpu = _cpu_of_children() - before
    out = done.stdout.decode("utf-8", "replace")
    if done.returncode or not case.check(out):
        raise WrongAnswer(
            f"{name}: exit {done.returncode}\n{out[-500:]}{done.stderr.decode('utf-8', 'replace')[-500:]}"
        )
    return wall, cpu


def _cpu_of_children() -> float:
    """CPU seconds of the children that have ended, and of theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def calls(call: Callable[[], object], rounds: int) -> Sample:
    """Time a call in this process, its children included in CPU, after a first one that does not count."""
    wall: list[float] = []
    cpu: list[float] = []
    for number in range(rounds + 1):
        before = time.process_time() + _cpu_of_children()
        began = time.perf_counter()
        call()
        if number:
            wall.append(time.perf_counter() - began)
            cpu.append(time.process_time() + _cpu_of_children() - before)
    return Sample(tuple(wall), tuple(cpu))


def count_calls(functions: Sequence[Callable[..., object]], call: Callable[[], object]) -> int:
    """How often any of `functions` (of this package's own code) is called while `call` runs."""
    wanted = {function.__code__ for function in functions}  # type: ignore[attr-defined]
    found = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal found
        if event == "call" and frame.f_code in wanted:  # type: ignore[attr-defined]
            found += 1

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return found


def tell(line: str) -> None:
    """Progress, on stderr."""
    print(line, file=sys.stderr, flush=True)


def load() -> str:
    """How busy the machine is: the load average of the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
