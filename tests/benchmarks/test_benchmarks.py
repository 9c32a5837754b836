"""The tools of the benchmark do what they say. No time is asserted anywhere (DESIGN section 11)."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from remember_me.model.entry import is_id
from remember_me.notes import layout
from remember_me.notes.note import parse_note
from remember_me.store.listing import scan_folders
from tests.benchmarks import notes, table
from tests.benchmarks.measure import Process, Sample, WrongAnswer, calls, count_calls, processes
from tests.benchmarks.table import Row

PROJECT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("count", "days", "files"), [(0, 5, 0), (1, 1, 1), (10, 365, 10), (1_000, 365, 365), (7, 3, 3)]
)
def test_the_notes_hold_what_was_asked_for_and_read_back(count: int, days: int, files: int) -> None:
    wanted = list(notes.entries(count, days))
    found = []
    names = []
    for name, data in notes.daily_notes(count, days):
        note = parse_note(f"memory/{name}", data)
        assert not note.problems
        assert note.data() == data
        names.append(name)
        found += note.entries
    assert len(names) == files
    assert names == sorted(names)
    assert [(e.id, e.tag, e.title, e.body, e.fields, e.created_at) for e in found] == [
        (e.id, e.tag, e.title, e.body, e.fields, e.at) for e in wanted
    ]
    assert all(is_id(entry.id) for entry in wanted)
    assert len({entry.id for entry in wanted}) == count
    first = notes.LAST_DAY - timedelta(days=days - 1)
    assert all(first <= date.fromisoformat(name[:10]) <= notes.LAST_DAY for name in names)


def test_ids_of_a_million_entries_differ() -> None:
    ids = {notes.entry_id(number) for number in (*range(0, 1_000_000, 37), 999_998, 32**5 - 1)}
    assert len(ids) == len(range(0, 1_000_000, 37)) + 2
    assert all(is_id(entry) for entry in ids)


def test_the_same_numbers_give_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    assert notes.write_notes(tmp_path, 200, 50) == 50
    code = (
        "import sys; from pathlib import Path; from tests.benchmarks.notes import write_notes;"
        "write_notes(Path(sys.argv[1]), 200, 50)"
    )
    environ = {"PYTHONPATH": str(PROJECT), "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "again")], env=environ, check=True)
    assert _digest(tmp_path / "memory") == _digest(tmp_path / "again" / "memory")


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def test_the_table_as_it_is_written() -> None:
    rows = [
        Row("`get ID`", 5.125, "P", 4.0, 7.5, "jrnl 4.6 14.2 P"),
        Row("a | b", 123.4, "µs", None, 100),
        Row("parsed", 2, "notes", goal=2),
        Row("no goal", 12.34, "P", 0.01),
    ]
    text = table.render({"Commands": rows, "Empty": []}, ["a fact"], ["nb: not here"])
    assert text.startswith(table.INTRODUCTION)
    assert text.removeprefix(table.INTRODUCTION) == (
        """\

- a fact

## Commands

| what     | goal      | wall              | CPU    | peers in this run |
|----------|-----------|-------------------|--------|-------------------|
| `get ID` | ≤ 7.5 P   | 5.12 P met        | 4 P    | jrnl 4.6 14.2 P   |
| a \\| b   | ≤ 100 µs  | 123 µs **missed** |        |                   |
| parsed   | ≤ 2 notes | 2 notes met       |        |                   |
| no goal  |           | 12.3 P            | 0.01 P |                   |

## Left out

- nb: not here
"""
    )


def test_what_is_said_of_the_machine_names_no_machine() -> None:
    facts = " ".join(table.machine_facts(date(2026, 11, 29)))
    assert facts.startswith("2026-11-29, ")
    assert "cores" in facts
    assert "typer 0." in facts
    for secret in (_hostname(), str(PROJECT), str(Path.home())):
        assert len(secret) < 2 or secret not in facts


def _hostname() -> str:
    import platform

    return platform.node()


def test_what_was_kept_names_no_machine_either() -> None:
    results = PROJECT / "tests" / "benchmarks" / "results.md"
    text = results.read_text(encoding="utf-8")
    assert text.startswith(table.INTRODUCTION)
    assert "/home/" not in text
    assert "/tmp" not in text


def test_a_sample_is_told_by_its_median_and_how_far_it_spreads() -> None:
    sample = Sample((1.0, 2.0, 3.0, 4.0, 100.0), (1.0, 1.0, 1.0, 1.0, 1.0))
    assert sample.median() == (3.0, 1.0)
    assert sample.p95() == 100.0
    assert Sample((2.0,) * 5, (1.0,) * 5).spread() == 0


def test_processes_are_run_in_turns_and_their_answers_checked(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def case(name: str, out: str) -> Process:
        code = f"open({str(log)!r}, 'a').write({name!r}); print({out!r})"
        return Process([sys.executable, "-S", "-c", code], {}, tmp_path, lambda found: found == "right\n")

    found = processes({"a": case("a", "right"), "b": case("b", "right")}, 2)
    assert log.read_text() == "ababab"
    assert {name: (len(sample.wall), len(sample.cpu)) for name, sample in found.items()} == {"a": (2, 2), "b": (2, 2)}
    assert all(cpu > 0 for sample in found.values() for cpu in sample.cpu)
    with pytest.raises(WrongAnswer, match=r"^c: exit 0\nwrong"):
        processes({"c": case("c", "wrong")}, 1)
    with pytest.raises(WrongAnswer, match=r"^d: exit 3"):
        processes({"d": Process([sys.executable, "-S", "-c", "raise SystemExit(3)"], {}, tmp_path)}, 1)


def test_calls_are_counted_and_timed(tmp_path: Path) -> None:
    """And a daily note's name is known for one without the patterns of conflict copies."""
    notes.write_notes(tmp_path, 30, 30)
    (tmp_path / "memory" / "other.md").write_bytes(b"")
    assert count_calls([layout.is_copy], lambda: scan_folders(tmp_path, "memory")) == 2
    assert len(calls(lambda: scan_folders(tmp_path, "memory"), 3).wall) == 3


def test_the_command_line_refuses_too_few_rounds() -> None:
    done = subprocess.run(
        [sys.executable, str(PROJECT / "tests" / "benchmarks" / "run.py"), "--rounds", "3"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "at least 9, or the medians mean little" in done.stderr
