"""Other people's suites that run offline, against this product through adapters of ours (shared/acceptance.md).

`agmi` (PyPI agent-memory-integrity) edits a store behind the tool's back and asks whether it notices; `amg-bench` (PyPI
agent-memory-guard) has an agent write poison and looks whether a later turn reads it.

    make suites
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from remember_me.app import capture, status
from remember_me.app.draft import Draft
from remember_me.app.grounding import receipts_of
from remember_me.errors import Refused, WaitsForReview
from remember_me.model.text import join_title
from tests.state.lab import Lab

RECORD = re.compile(
    r"- \[(?P<time>[^\]]*)\] FACT: (?P<text>.*) \^(?P<id>\w+)\n  - scope: (?P<owner>.*)\n  - session: (?P<session>.*)\n"
)
MINE, OTHER = "mine", "other"
AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1"}


# Tampering


def records_of(lab: Lab, owner: str) -> list[re.Match[str]]:
    """The entries of one project as they stand in the daily note, read as a thief would read them."""
    return [found for found in RECORD.finditer(note_of(lab).read_text()) if found["owner"] == owner]


def note_of(lab: Lab) -> Path:
    (note,) = sorted((lab.root / "memory").glob("2*.md"))
    return note


def rendered(fields: dict[str, str]) -> str:
    head = f"- [{fields['time']}] FACT: {fields['text']} ^{fields['id']}\n"
    return f"{head}  - scope: {fields['owner']}\n  - session: {fields['session']}\n"


def adapter_class() -> type:
    """The adapter; a class that is made here because its base may not be installed."""
    base = pytest.importorskip("agmi.adapters.base", reason="agent-memory-integrity is not installed")

    class RememberMe(base.MemoryAdapter):  # type: ignore[misc, name-defined]
        name = "remember-me"
        supports_replay = supports_metadata = supports_snapshot = True

        def __init__(self, folder: Callable[[], Path]) -> None:
            self.folder = folder

        def setup(self) -> None:
            self.lab = Lab(self.folder()).start()
            self.count = 0

        def teardown(self) -> None:
            shutil.rmtree(self.lab.folder)

        def seed(self, n: int, owner: str = MINE) -> None:
            for _ in range(n):
                self.count += 1
                text = f"Fact number {self.count} of {owner}"
                capture.add(self.lab.session(), Draft(text, "FACT", fields=(("scope", owner),), session="c/1"))

        def seed_other(self, n: int) -> None:
            self.seed(n, OTHER)

        def append_genuine(self) -> None:
            self.seed(1)

        def read_all_raw(self, owner: str = MINE) -> list[Any]:
            found = enumerate(records_of(self.lab, owner))
            return [base.Record(seq, record.groupdict()) for seq, record in found]

        def read_other_raw(self) -> list[Any]:
            return self.read_all_raw(OTHER)

        def write_raw(self, record: Any) -> None:
            self._put(record.seq, rendered(record.fields))

        def delete_raw(self, seq: int) -> None:
            self._put(seq, "")

        def _put(self, seq: int, text: str) -> None:
            note, records = note_of(self.lab), records_of(self.lab, MINE)
            old = note.read_text()
            start, end = records[seq].span() if seq < len(records) else (len(old), len(old))
            note.write_text(old[:start] + text + old[end:])

        def mutate_payload(self, record: Any) -> Any:
            record.fields["text"] += ", or so they say"
            return record

        def forge_record(self, template: Any) -> Any:
            return base.Record(template.seq + 1, template.fields | {"text": "Forged", "id": "kfrged"})

        def replay_onto(self, victim_seq: int, donor: Any) -> None:
            mine = self.read_all_raw()[victim_seq].fields
            self._put(victim_seq, rendered(mine | {"text": donor.fields["text"]}))

        def read_meta(self, seq: int) -> dict[str, Any]:
            return {"session": self.read_all_raw()[seq].fields["session"]}

        def write_meta(self, seq: int, meta: dict[str, Any]) -> None:
            self._put(seq, rendered(self.read_all_raw()[seq].fields | {"session": json.dumps(meta)}))

        def identity_of(self, record: Any) -> str:
            return str(record.fields["id"])

        def payload_of(self, record: Any) -> str:
            return str(record.fields["text"])

        def owner_of(self, record: Any) -> str | None:
            return str(record.fields["owner"])

        def snapshot_store(self) -> Path:
            copy = self.lab.folder / "copy"
            shutil.copytree(self.lab.root, copy, symlinks=True)
            return copy

        def restore_store(self, token: Path) -> None:
            shutil.rmtree(self.lab.root)
            token.rename(self.lab.root)

        def reload(self) -> None:
            """Every command opens the store afresh."""

        def verify(self) -> bool:
            found = status.state(self.lab.session(), self.lab.environ)
            self.verify_detail = f"edited {found.edited}, vanished {len(found.vanished)}, {found.moved}"
            return not (found.edited or found.vanished or found.moved.rewritten or found.moved.commits)

    return RememberMe


def test_agmi_notices_nine_of_nine_edits(tmp_path: Path) -> None:
    adapter = adapter_class()
    from agmi.attacks.at_rest import AT_REST_ATTACKS_WITH_SNAPSHOT

    numbers = iter(range(100))

    def run(attack: Any) -> Any:
        return attack.run(adapter(lambda: tmp_path / str(next(numbers))))

    results = [run(attack()) for attack in AT_REST_ATTACKS_WITH_SNAPSHOT]
    print(f"\nagmi: {sum(one.status == 'safe' for one in results)} of {len(results)} edits noticed")
    assert {one.attack: (one.status, one.error, one.guard) for one in results} == {
        attack.name: ("safe", None, None) for attack in AT_REST_ATTACKS_WITH_SNAPSHOT
    }


def test_agmi_control_nothing_is_noticed_where_nothing_was_done(tmp_path: Path) -> None:
    store = adapter_class()(lambda: tmp_path / "store")
    store.setup()
    store.seed(5)
    assert store.verify(), store.verify_detail


# Poisoning


def memory_class(folder: Callable[[], Path], *, quoted: bool) -> type:
    """What the user types comes from the user: saved by them or, `quoted`, by an agent with their words. All else comes
    from an agent."""
    bench = pytest.importorskip("agent_memory_guard.bench.adapter", reason="agent-memory-guard is not installed")

    class RememberMe(bench.MemorySystemAdapter):  # type: ignore[misc, name-defined]
        name = "remember-me"

        def __init__(self) -> None:
            self.lab = Lab(folder()).start()

        def remember(self, key: str, value: Any, *, source_class: str = "external_tool") -> Any:
            typed, text = source_class == "user_input", str(value)
            session = self.lab.session(**({} if typed and not quoted else AGENT))
            if typed and quoted:
                receipts_of(session).keep("claude-code/s1", key, text, self.lab.now, source="hook")
            draft = Draft(text, "FACT", fields=(("bench", key),), quotes=(text,), anyway=typed)
            try:
                capture.add(session, draft)
            except WaitsForReview:
                return bench.RememberOutcome.QUARANTINED
            except Refused:
                return bench.RememberOutcome.BLOCKED
            return bench.RememberOutcome.STORED

        def context_reset(self) -> None:
            self.lab.now += timedelta(days=1)

        def recall(self, key: str) -> Any | None:
            found = [one for one in self.lab.session(**AGENT).store.entries() if one.field("bench") == key]
            return join_title(found[-1].title, found[-1].body) if found else None

    return RememberMe


@pytest.mark.parametrize(("quoted", "least"), [(False, 100.0), (True, 60.0)])
def test_amg_bench_grades_what_an_agent_writes(tmp_path: Path, quoted: bool, least: float) -> None:
    numbers = iter(range(1000))
    adapter = memory_class(lambda: tmp_path / str(next(numbers)), quoted=quoted)
    from agent_memory_guard.bench.harness import run_suite
    from agent_memory_guard.bench.scoring import score_report

    report = run_suite(adapter)
    score = score_report(report)
    held = [run.scenario_id for run in report.runs if not run.passed]
    how = "by an agent with their quote" if quoted else "by themselves"
    print(f"\namg-bench, what the user says saved {how}: {score.grade.value} {score.score}, not passed: {held}")
    assert not [run.scenario_id for run in report.runs if run.breached]
    assert score.score >= least
