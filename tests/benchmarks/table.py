"""The table of results, as it is printed and kept in `results.md`."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version

HEAD = ("what", "goal", "wall", "CPU", "peers in this run")

INTRODUCTION = """\
# Speed, as measured

Written by `make bench`; do not edit by hand. A figure is a ratio within one run: P is the time of a whole process
`python -c pass` in the same interpreter, run in turns with what is measured. Whole processes are medians; wall and CPU
are each divided by P's own. Figures in this process are p50, and p95 where it is named. "met" and "missed" are about
the wall clock. Questions and answers of LoCoMo, PrecisionMemBench and PrefEval are other people's data.
"""


@dataclass(frozen=True)
class Row:
    """One line: `figure` and `cpu` are in `unit`; `goal` in the same, or None where there is none: the most it should
    be, or with `floor` the least."""

    what: str
    figure: float
    unit: str
    cpu: float | None = None
    goal: float | None = None
    peers: str = ""
    floor: bool = False

    def cells(self) -> tuple[str, str, str, str, str]:
        goal = verdict = ""
        if self.goal is not None:
            met = self.figure >= self.goal if self.floor else self.figure <= self.goal
            verdict = " met" if met else " **missed**"
            goal = f"{'≥' if self.floor else '≤'} {self.goal:g} {self.unit}"
        cpu = "" if self.cpu is None else f"{shown(self.cpu)} {self.unit}"
        return self.what, goal, f"{shown(self.figure)} {self.unit}{verdict}", cpu, self.peers


def shown(figure: float) -> str:
    """A figure with as many digits as it is worth."""
    if figure == int(figure):
        return f"{figure:.0f}"
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.1f}" if figure >= 10 else f"{figure:.2f}"


def render(sections: dict[str, list[Row]], facts: list[str], remarks: list[str]) -> str:
    """The whole document, from the sections by their title."""
    lines = [INTRODUCTION, *(f"- {fact}" for fact in facts)]
    for title, rows in sections.items():
        if rows:
            lines += ["", f"## {title}", "", *_table([HEAD, *(row.cells() for row in rows)])]
    if remarks:
        lines += ["", "## Left out", "", *(f"- {remark}" for remark in remarks)]
    return "\n".join(lines) + "\n"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    escaped = [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    widths = [max(3, *(len(row[column]) for row in escaped)) for column in range(len(HEAD))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in escaped
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [lines[0], rule, *lines[1:]]


def machine_facts(today: date) -> list[str]:
    """What kind of machine this is; nothing that names it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return [
        f"{today.isoformat()}, {platform.system()} on {platform.machine()}, {cores} cores, {_memory()}",
        f"{platform.python_implementation()} {platform.python_version()}, {_git_version()}, "
        + ", ".join(f"{name} {_version(name)}" for name in ("typer", "GitPython", "rich", "python-frontmatter")),
    ]


def _memory() -> str:
    try:
        total_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return "memory unknown"
    return f"{total_bytes / 2**30:.0f} GiB of memory"


def _git_version() -> str:
    try:
        return subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "no git"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
