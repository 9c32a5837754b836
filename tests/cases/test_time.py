"""B33, B36: an entry goes into the note of the day on the person's clock, and no date is ever invented."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from remember_me.app import capture
from remember_me.app.actor import Channel
from remember_me.app.draft import Draft
from remember_me.app.start import open_for_writing
from remember_me.app.wiring import Surroundings
from tests.cases.support import add, failed, known, problems, put, sound, topic
from tests.cli_runner import Cli, bytes_of, git

ZONES = ("Pacific/Kiritimati", "Asia/Shanghai", "America/Los_Angeles", "Etc/GMT+12")


@pytest.fixture(autouse=True)
def _zones_are_known() -> None:
    for zone in ZONES:
        if not Path("/usr/share/zoneinfo", zone).exists():
            pytest.skip(f"the time zone {zone} is not known here")


def surroundings(store: Path, home: Path, now: datetime, zone: str) -> Surroundings:
    """A person at a terminal, on a clock that stands at `now` (UTC) and shows the time of `zone`."""
    environ = {"HOME": str(home), "TZ": zone, "GIT_CONFIG_NOSYSTEM": "1", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    return Surroundings(environ, store, Channel((environ,), True), clock=lambda: now.astimezone(ZoneInfo(zone)))


@pytest.mark.parametrize(
    ("zone", "now", "day", "stamp"),
    [
        ("Asia/Shanghai", "2026-03-01T16:30:00", "2026-03-02", "00:30 +08:00"),
        ("Asia/Shanghai", "2026-03-01T15:59:59", "2026-03-01", "23:59 +08:00"),
        ("America/Los_Angeles", "2026-03-02T05:00:00", "2026-03-01", "21:00 -08:00"),
        ("America/Los_Angeles", "2026-03-02T08:00:00", "2026-03-02", "00:00 -08:00"),
        ("UTC", "2026-02-28T23:59:59", "2026-02-28", "23:59 +00:00"),
        ("UTC", "2028-02-29T00:00:00", "2028-02-29", "00:00 +00:00"),
        ("Asia/Kathmandu", "2026-03-01T18:15:00", "2026-03-02", "00:00 +05:45"),
        ("America/St_Johns", "2026-03-01T03:29:00", "2026-02-28", "23:59 -03:30"),
        ("Pacific/Kiritimati", "2026-12-31T10:00:00", "2027-01-01", "00:00 +14:00"),
        ("Europe/Rome", "2026-10-25T00:30:00", "2026-10-25", "02:30 +02:00"),
        ("Europe/Rome", "2026-10-25T01:30:00", "2026-10-25", "02:30 +01:00"),
        ("Europe/Rome", "2026-03-29T01:00:00", "2026-03-29", "03:00 +02:00"),
    ],
)
def test_b33_the_note_is_the_day_on_the_persons_clock(
    tmp_path: Path, home: Path, zone: str, now: str, day: str, stamp: str
) -> None:
    """A clock option is not there for people: the seam is the one that the wiring has for the clock."""
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)
    session = open_for_writing(surroundings(tmp_path / "store", home, at, zone), create=True)
    applied = capture.add(session, Draft("after midnight", "FACT"))
    entry = applied.entries[0]
    note = tmp_path / "store" / "memory" / f"{day}.md"
    assert [file.name for file in note.parent.iterdir()] == [note.name]
    assert note.read_text() == (
        f"---\ndate: {day}\ntimezone: {zone}\n---\n\n- [{stamp}] FACT: after midnight ^{entry.id}\n"
    )
    assert entry.created_at == at.replace(second=0)
    if zone == "Asia/Shanghai":
        found = Cli(tmp_path / "store", {"TZ": "Asia/Tokyo"}).json("get", entry.id)
        assert datetime.fromisoformat(found["created_at"]) == at.replace(second=0)
    commit = git(tmp_path / "store", "log", "-1", "--format=%cI")
    assert datetime.fromisoformat(commit.strip()) == at


def test_b33_a_session_that_is_alive_at_midnight_goes_on_in_the_new_note(tmp_path: Path, home: Path) -> None:
    now = [datetime(2026, 3, 1, 15, 59, 30, tzinfo=UTC)]
    around = surroundings(tmp_path / "store", home, now[0], "Asia/Shanghai")
    around = around._replace(clock=lambda: now[0].astimezone(ZoneInfo("Asia/Shanghai")))
    session = open_for_writing(around, create=True)
    for text in ("before", "after", "back again"):
        capture.add(session, Draft(text, "FACT"))
        now[0] += timedelta(minutes=1) if text == "before" else -timedelta(minutes=1)
    notes = {file.name: file.read_text() for file in (tmp_path / "store" / "memory").iterdir()}
    assert {name: text.count("FACT: ") for name, text in notes.items()} == {"2026-03-01.md": 2, "2026-03-02.md": 1}
    assert "FACT: after " in notes["2026-03-02.md"]


@pytest.mark.parametrize("setting", ["TZ", "store.timezone"])
def test_b33_on_the_real_clock(cli: Cli, setting: str) -> None:
    """Between UTC+14 and UTC-12 it is never the same day."""
    days = []
    for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):
        if setting == "TZ":
            cli.environ["TZ"] = zone
        else:
            cli.ok("config", "store.timezone", zone)
        before = datetime.now(ZoneInfo(zone)).date()
        entry = add(cli, f"in {zone}")
        after = datetime.now(ZoneInfo(zone)).date()
        found = cli.json("get", entry)
        day = date.fromisoformat(found["note"].removeprefix("memory/").removesuffix(".md"))
        assert day in (before, after)
        assert found["created_at"].endswith({"Pacific/Kiritimati": "+14:00", "Etc/GMT+12": "-12:00"}[zone])
        assert entry in [row["id"] for row in cli.json("list", "--since", day.isoformat())]
        days.append(day)
    assert days[0] > days[1]
    titles = [row["title"] for row in cli.json("list")]
    assert titles == ["in Pacific/Kiritimati", "in Etc/GMT+12"]
    sound(cli)


def test_b33_a_zone_that_is_not_known_is_no_reason_to_lose_the_entry(cli: Cli) -> None:
    cli.environ["TZ"] = "Mars/Olympus"
    entry = add(cli, "x")
    note = cli.store / cli.json("get", entry)["note"]
    assert "timezone" not in note.read_text()
    assert problems(cli) == []


BAD_DATES = {
    'since: "last tuesday"': "since is last tuesday, which is no date",
    'since: "2026-02-30T25:61:00"': "since is 2026-02-30T25:61:00, which is no date",
    "since: 2026-02-29": "since is 2026-02-29, which is no date",
    "since: 0000-00-00": "since is 0000-00-00, which is no date",
    "since: 99999-01-01": "since is 99999-01-01, which is no date",
    "since: 2026": "since is 2026, which is no date",
    "since: ２０２６-03-01": "since is ２０２６-03-01, which is no date",
    "since:": "since is empty, which is no date",
    "since: [last week, today]": "since is last week, today, which is no date",
    "since: {a: b}": "since holds no plain value",
    "expires: 2026-13-01": "expires is 2026-13-01, which is no date",
    "validated: yes": "validated is yes, which is no date",
    "reinforced: tomorrow, 2 sessions": "reinforced is tomorrow, 2 sessions, which is no date",
    "reinforced: 2026-02-30, 2 sessions": "reinforced is 2026-02-30, 2 sessions, which is no date",
}


def test_b36_a_date_that_cannot_be_read_is_reported_and_left(cli: Cli) -> None:
    """`decay` and `index` are later issues: no date is invented for `list` or `get`, and none is written back."""
    for number, line in enumerate(BAD_DATES):
        put(cli, f"memory/t{number:02}.md", topic(f"mfv0{number:02}", f"t{number}", "A.", more=f"{line}\n"))
    before = bytes_of(cli.store)
    assert problems(cli) == [f"memory/t{n:02}.md:5: {reason}" for n, reason in enumerate(BAD_DATES.values())]
    found = {row["id"]: row for row in cli.json("list")}
    assert len(found) == len(BAD_DATES)
    for row in found.values():
        assert (row["created_at"], row["expires_on"], row["reinforced_on"]) == (None, None, None)
    assert cli.json("list", "--since", "0001-01-01") == []
    for entry in ("mfv000", "mfv002", "mfv008", "mfv012"):
        cli.ok("correct", entry, "corrected")
    for path, data in bytes_of(cli.store).items():
        number = path[-5:-3]
        changed = number in ("00", "02", "08", "12")
        assert data == (
            before[path].replace(f"title: t{int(number)}\n".encode(), b"title: corrected\n")
            if changed
            else before[path]
        )


LONG_TERM = (
    "- [2031-01-01 10:00 +01:00] FACT: future ^mfd021\n- [10:00] FACT: no date ^mfd022\n- FACT: none ^mfd023\n"
    "- [9999-12-31 23:59 -12:00] FACT: last ^mfd024\n- [0001-01-01 00:00 +14:00] FACT: first ^mfd025\n"
)
DAILY = (
    "- [25:61] FACT: a ^mfd001\n- [14:32 +99:00] FACT: b ^mfd002\n- [14:32 XYZ] FACT: c ^mfd003\n"
    "- [2026-02-30 10:00] FACT: d ^mfd004\n- [24:00] FACT: e ^mfd005\n- [14:32 GMT+99] FACT: f ^mfd006\n"
    "- [14:32 Z] FACT: good ^mfd007\n"
)


def test_b36_times_that_cannot_be_and_dates_far_away(cli: Cli) -> None:
    """What is no time is shown as written; the day is then the note's, and no zone is guessed for it."""
    put(cli, "MEMORY.md", LONG_TERM)
    put(cli, "memory/2031-01-01.md", DAILY)
    put(cli, "memory/9999-12-31.md", "- [23:59 -12:00] FACT: z ^mfd011\n")
    put(cli, "memory/0001-01-01.md", "- [00:00 +14:00] FACT: y ^mfd013\n")
    before = bytes_of(cli.store)
    found = {row["id"]: row["created_at"] for row in cli.json("list")}
    assert found == {
        **{f"mfd00{number}": "2031-01-01" for number in range(1, 7)},
        "mfd007": "2031-01-01T14:32:00+00:00",
        "mfd011": "9999-12-31T23:59:00-12:00",
        "mfd013": "0001-01-01T00:00:00+14:00",
        "mfd021": "2031-01-01T10:00:00+01:00",
        "mfd022": None,
        "mfd023": None,
        "mfd024": "9999-12-31T23:59:00-12:00",
        "mfd025": "0001-01-01T00:00:00+14:00",
    }
    said = ["25:61", "14:32 +99:00", "14:32 XYZ", "2026-02-30 10:00", "24:00", "14:32 GMT+99"]
    assert problems(cli) == [
        f"memory/2031-01-01.md:{line}: [{text}] is no possible time, shown as written"
        for line, text in enumerate(said, 1)
    ]
    assert [row["id"] for row in cli.json("list", "--since", "9999-01-01")] == ["mfd024", "mfd011"]
    for entry in ("mfd001", "mfd013", "mfd022", "mfd024"):
        assert known(cli.run("get", entry)).code == 0
        cli.ok("correct", entry, f"corrected {entry}")
    after = bytes_of(cli.store)
    for path, data in before.items():
        assert [line.partition("FACT: ")[0] for line in after[path].decode().splitlines()] == [
            line.partition("FACT: ")[0] for line in data.decode().splitlines()
        ]
    sound(cli)


@pytest.mark.parametrize("given", ["2026-02-30", "tomorrow", "", "２０２６-03-01"])
def test_b36_a_date_that_a_person_types_is_checked(cli: Cli, given: str) -> None:
    shown = given or "''"
    failed(cli.run("list", "--since", given), 2, f"{shown} is no date.")
    before = bytes_of(cli.store)
    assert cli.run("add", "--expires", given, "x").code == 2
    assert bytes_of(cli.store) == before


def test_b36_a_daily_note_of_the_future_is_a_note(cli: Cli) -> None:
    """Clock skew of a synced machine: today's entries go into today's note all the same."""
    put(cli, "memory/2999-01-01.md", "- FACT: from the future ^mfv001\n")
    entry = add(cli, "today")
    assert [row["id"] for row in cli.json("list")] == ["mfv001", entry]
    assert cli.json("get", entry)["note"] != "memory/2999-01-01.md"
    cli.ok("undo")
    cli.ok("pin", "mfv001")
    sound(cli)
