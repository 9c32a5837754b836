"""`doctor`: each thing that is wrong with a store is found with its place, and only what is safe to mend is mended."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cases.support import add, failed, put, topic
from tests.cli_runner import Cli, bytes_of, git


def found(cli: Cli, *words: str, env: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """What doctor finds; its exit code says whether a problem is among it."""
    result = cli.run("doctor", "--json", *words, env=env)
    rows: list[dict[str, Any]] = result.json()["findings"]
    problems = [row for row in rows if row["severity"] != "note"]
    assert result.code == (10 if problems else 0), result.err
    return rows


def told(cli: Cli) -> list[str]:
    """Each finding as `severity where: what`."""
    return [f"{row['severity']} {row['where'] or '-'}: {row['what']}" for row in found(cli)]


def commit_by_hand(cli: Cli, *paths: str) -> None:
    git(cli.store, "add", *paths)
    git(cli.store, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "by hand")


def test_a_sound_store(cli: Cli) -> None:
    add(cli, "Short answers")
    put(cli, ".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n")
    put(cli, ".gitattributes", "*.md text\n")
    result = cli.ok("doctor")
    assert result.out == "Nothing found.\n"
    assert cli.json("doctor") == {"findings": [], "mended": []}
    assert cli.ok("doctor", "--fix").out == "Nothing found.\n"


def _spool(cli: Cli) -> None:
    put(cli, ".remember-me/spool/00000000000000000001-x-journal.json", "{")


def _database(name: str) -> Callable[[Cli], None]:
    return lambda cli: (put(cli, f".remember-me/{name}", "no database " * 400), None)[1]


def _twice(cli: Cli) -> None:
    put(cli, "memory/2026-01-01.md", "- FACT: One ^abcd11\n")
    put(cli, "memory/2026-01-02.md", "- FACT: One ^abcd11\n")


def _links(cli: Cli) -> None:
    entry = add(cli, "There")
    line = f"- FACT: One ^abcd11\n  - links: [[x]], {entry}, [[2026-01-01#^abcd11]], zzzz99, [[y#^yyyy88]]\n"
    put(cli, "memory/2026-01-01.md", f"{line}  - supersedes: xxxx77\n")


def _pending(cli: Cli) -> None:
    put(cli, ".remember-me/pending/abcd77.md", "no card\n")


def _ignored(cli: Cli) -> None:
    (cli.store / ".gitignore").unlink()
    (cli.store / ".remember-me" / ".gitignore").unlink()


def _committed(cli: Cli) -> None:
    git(cli.store, "add", "--force", ".remember-me/manifest.json")
    git(cli.store, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "by hand")


WRONG: dict[str, tuple[Callable[[Cli], None], list[str]]] = {
    "problem": (
        lambda cli: (put(cli, "memory/2026-01-01.md", "- FACT: x ^abcd11\n  - impact: 9\n"), None)[1],
        ["fault memory/2026-01-01.md:2: impact is 9, not one of 1, 2, 3"],
    ),
    "copy": (
        lambda cli: (put(cli, "memory/x.sync-conflict-20260101-120000.md", ""), None)[1],
        ["warning memory/x.sync-conflict-20260101-120000.md: a conflict copy or backup, which is not read"],
    ),
    "twice": (
        _twice,
        ["fault memory/2026-01-01.md:1: abcd11 is live in memory/2026-01-02.md:1 too, and that one is served"],
    ),
    "links": (
        _links,
        [
            "warning memory/2026-01-01.md:1: ^abcd11 links to zzzz99, which no entry has",
            "warning memory/2026-01-01.md:1: ^abcd11 links to yyyy88, which no entry has",
            "warning memory/2026-01-01.md:1: ^abcd11 supersedes xxxx77, which no entry has",
        ],
    ),
    "spool": (
        _spool,
        [
            "fault .remember-me/spool/00000000000000000001-x-journal.json: "
            "the spool file cannot be read and was left alone"
        ],
    ),
    "receipts": (_database("receipts.sqlite"), ["warning .remember-me/receipts.sqlite: is damaged"]),
    "cache": (_database("cache.sqlite"), ["warning .remember-me/cache.sqlite: is damaged"]),
    "card": (_pending, ["fault .remember-me/pending/abcd77.md:1: its head is no front matter any more"]),
    "ignored": (_ignored, ["fault .remember-me: git does not leave it out"]),
    "committed": (_committed, ["fault .remember-me: 1 files of ours are committed; they are of this machine alone"]),
    "folder": (
        lambda cli: os.chmod(cli.store / ".remember-me", 0o755),
        ["warning .remember-me: others can read it: its mode is 0755"],
    ),
    "remote": (
        lambda cli: (git(cli.store, "remote", "add", "origin", "https://x.invalid/y"), None)[1],
        ["note .git/config: the repository has the remote origin: what is pushed is out of reach of forget"],
    ),
    "merge": (
        lambda cli: (put(cli, ".git/MERGE_HEAD", ""), None)[1],
        ["fault -: git cannot commit now: a merge is under way in the repository"],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_is_found_and_nothing_is_changed(cli: Cli, name: str) -> None:
    add(cli, "Short answers")
    prepare, expected = WRONG[name]
    prepare(cli)
    notes = bytes_of(cli.store)
    head = git(cli.store, "rev-parse", "HEAD")
    shown = told(cli)
    assert [line for line in shown if not line.endswith("the next write commits it")] == (
        expected
        if name != "committed"
        else [*expected, "note -: 1 commit came from elsewhere since the last operation"]
    ) or sorted(shown) == sorted([*expected, "note -: 1 commit came from elsewhere since the last operation"])
    assert bytes_of(cli.store) == notes
    assert git(cli.store, "rev-parse", "HEAD") == head


@pytest.mark.parametrize("name", ["state.sqlite", "sessions.sqlite", "receipts.sqlite", "cache.sqlite"])
def test_looking_at_a_damaged_file_changes_nothing(cli: Cli, name: str) -> None:
    add(cli, "Short answers")
    put(cli, f".remember-me/{name}", "no database " * 400)
    before = sorted(path.name for path in (cli.store / ".remember-me").iterdir())
    for _ in range(2):
        assert told(cli) == [f"warning .remember-me/{name}: is damaged"]
    assert sorted(path.name for path in (cli.store / ".remember-me").iterdir()) == before
    assert (cli.store / ".remember-me" / name).read_text() == "no database " * 400


def test_state_that_was_set_aside(cli: Cli) -> None:
    add(cli, "Short answers")
    put(cli, ".remember-me/state.sqlite", "no database " * 400)
    cli.run("status")
    (aside,) = (path.name for path in (cli.store / ".remember-me").glob("state.sqlite.damaged-*"))
    what = "was damaged and set aside; what could be read of it was taken over"
    assert told(cli) == [f"warning .remember-me/{aside}: {what}"]


def test_what_was_forgotten_and_typed_again(cli: Cli) -> None:
    entry = add(cli, "Repairs clocks", "--tag", "FACT")
    cli.run("forget", entry, "--yes")
    put(cli, "memory/2026-01-01.md", "- FACT: repairs  CLOCKS ^abcd11\n")
    rows = [row for row in found(cli) if row["severity"] != "note"]
    assert [(row["where"], row["what"]) for row in rows] == [
        ("memory/2026-01-01.md:1", "says again what was forgotten as ^abcd11; it is not served")
    ]
    assert rows[0]["hint"].endswith(f"remember-me --store {cli.store} forget abcd11")
    put(cli, "memory/2026-01-01.md", "")
    (cli.store / ".remember-me" / "key").chmod(0o644)
    assert "warning .remember-me/key: others can read it: its mode is 0644" in told(cli)
    (cli.store / ".remember-me" / "key").unlink()
    what = "the key of the tombstones is missing: what was forgotten is known by its ids and sources alone"
    assert f"warning .remember-me/key: {what}" in told(cli)


@pytest.mark.parametrize("how", ["edited", "taken in", "committed", "deleted"])
def test_a_tombstone_that_was_taken_out(cli: Cli, how: str) -> None:
    """Found until its line is back, also after a later operation has taken the edit in."""
    cli.run("forget", add(cli, "Repairs clocks"), add(cli, "Lives in Rome"), "--yes")
    path = cli.store / "memory" / "forgotten.md"
    whole = path.read_text(encoding="utf-8")
    *others, last = whole.splitlines(keepends=True)
    gone = last.split()[2]
    if how == "deleted":
        path.unlink()
    else:
        path.write_text("".join(others) + last.replace("hmac-sha256:", "hmac-sha256:0"), encoding="utf-8")
    if how == "taken in":
        add(cli, "Another")
    if how == "committed":
        commit_by_hand(cli, "memory")
    what = f"the tombstone of {gone} was changed or taken out by hand"
    faults = [row for row in found(cli) if row["severity"] == "fault"]
    assert [row["what"] for row in faults][-1] == what
    assert len(faults) == (2 if how == "deleted" else 1)
    commit = faults[-1]["hint"].split()[-1].split(":")[0]
    assert last in git(cli.store, "show", f"{commit}:memory/forgotten.md")
    path.write_text(f"My own words.\n{whole}", encoding="utf-8")
    assert [row for row in found(cli) if row["severity"] != "note"] == []
    add(cli, "One more")
    assert [row for row in found(cli) if row["severity"] != "note"] == []


def test_what_undo_takes_back_is_no_fault(cli: Cli) -> None:
    waiting = cli.run("add", "An idea", "--json", env={"CLAUDECODE": "1"}).json()["id"]
    cli.ok("restore", waiting)
    assert cli.run("undo").code in (0, 4, 6)
    assert [line for line in told(cli) if "tombstone" in line] == []


def test_a_history_that_was_moved(cli: Cli) -> None:
    add(cli, "One")
    add(cli, "Two")
    put(cli, "memory/2026-01-01.md", "- FACT: By hand ^abcd11\n")
    commit_by_hand(cli, "memory")
    assert told(cli) == ["note -: 1 commit came from elsewhere since the last operation"]
    git(cli.store, "reset", "-q", "--hard", "HEAD~2")
    what = "the history was rewound or rewritten since the last operation: what it says may not be what was"
    assert f"fault -: {what}" in told(cli)


def test_hand_edits_are_no_fault(cli: Cli) -> None:
    entry = add(cli, "Short answers", "--tag", "FACT")
    note = next((cli.store / "memory").glob("2*.md"))
    edited = note.read_text(encoding="utf-8").replace("Short", "Terse")
    note.write_text(edited, encoding="utf-8")
    path = f"memory/{note.name}"
    assert told(cli) == [f"note {path}: was edited by hand since the last operation; the next write commits it"]
    assert cli.ok("doctor").out.endswith("Nothing found.\n")
    note.write_text("", encoding="utf-8")
    rows = [row for row in found(cli) if row["severity"] != "note"]
    assert [row["what"] for row in rows] == [f"^{entry} vanished in a hand edit"]
    assert rows[0]["hint"] == f"Bring it back: remember-me --store {cli.store} undo --entry {entry}"


def test_fix_quotes_the_value_and_nothing_else(cli: Cli) -> None:
    data = (
        "\ufeff---\r\nid: abcd11\r\ntag: FACT\r\n# mine\r\ntitle: Style: a guide # not a comment\r\n"
        "description:\tone: two\r\nmy-key: [a,  b]\r\n---\r\n\r\nBody\xa0here"
    ).encode()
    put(cli, "memory/style.md", data)
    before = cli.json("get", "abcd11")
    done = cli.run("doctor", "--fix")
    assert done.code == 0, done.err
    assert done.out.startswith(
        "Mended: memory/style.md: the values that YAML refused are in quotes now · take it back:"
    )
    assert done.out.endswith("Nothing else found.\n")
    mended = data.replace(b"Style: a guide # not a comment", b'"Style: a guide # not a comment"')
    assert (cli.store / "memory" / "style.md").read_bytes() == mended.replace(b"one: two", b'"one: two"')
    after = cli.json("get", "abcd11")
    assert {key: after[key] for key in ("title", "description", "body")} == {
        key: before[key] for key in ("title", "description", "body")
    }
    assert cli.json("log")[0]["verb"] == "doctor"
    cli.ok("undo")
    assert (cli.store / "memory" / "style.md").read_bytes() == data


def test_fix_mends_modes_and_the_ignore_file_and_nothing_of_a_persons(cli: Cli) -> None:
    add(cli, "Short answers")
    cli.run("forget", add(cli, "Repairs clocks"), "--yes")
    own = cli.store / ".remember-me"
    _ignored(cli)
    own.chmod(0o777)
    (own / "key").chmod(0o666)
    _twice(cli)
    put(cli, "memory/x 2.md", "")
    put(cli, "memory/odd.md", "---\ntag: FACT\nid: abcd33\ntitle: [a\n- b: c: d\n---\n")
    before = bytes_of(cli.store)
    done = cli.run("doctor", "--fix")
    assert done.code == 10
    assert [line for line in done.out.splitlines() if "ended" in line.split(":")[0]] == [
        "Mended: .remember-me: its mode is 0700 now, it was 0777",
        "Mended: .remember-me/key: its mode is 0600 now, it was 0666",
        "Mended: .remember-me/.gitignore was made anew, so that git leaves that folder out",
    ]
    assert [stat.S_IMODE(path.stat().st_mode) for path in (own, own / "key")] == [0o700, 0o600]
    assert bytes_of(cli.store) == before
    assert [row for row in found(cli) if row["fixable"]] == []


@pytest.mark.parametrize("actor", ["agent", "script"])
def test_only_a_person_has_it_mended(cli: Cli, home: Path, actor: str) -> None:
    put(cli, "memory/style.md", topic("abcd11", "Style: a guide"))
    add(cli, "Short answers")
    if actor == "script":
        (home / ".config" / "remember-me" / "config.toml").unlink()
    env = {"CLAUDECODE": "1"} if actor == "agent" else {}
    before = bytes_of(cli.store)
    failed(cli.run("doctor", "--fix", env=env), 4, "Only the user has the store mended [fix-person].")
    assert bytes_of(cli.store) == before
    assert [row["fixable"] for row in found(cli, env=env)] == [True]


def test_files_outside_that_are_kept_up_to_date(cli: Cli, home: Path, tmp_path: Path) -> None:
    entry = add(cli, "Short answers")
    files = [tmp_path / name / "AGENTS.md" for name in "abc"]
    for file in files:
        file.parent.mkdir()
        assert cli.run("context", str(file)).code == 0
    assert told(cli) == []
    files[0].write_text("<!-- remember-me:begin -->\n", encoding="utf-8")
    files[1].write_text(files[1].read_text(encoding="utf-8").replace(entry, "zzzzzz"), encoding="utf-8")
    files[2].unlink()
    no_end = "is not kept up to date: line 1: the begin marker of remember-me has no end marker"
    assert told(cli) == [
        f"warning {files[0]}: {no_end}",
        f"warning {files[1]}: is behind the store",
        f"note {files[2]}: is not kept up to date: the file is gone",
    ]
    assert f"Mended: {files[1]}: up to date now\n" in cli.run("doctor", "--fix").out
    assert entry in files[1].read_text(encoding="utf-8")
    registry = home / ".local" / "state" / "remember-me" / "contexts.json"
    registry.write_text("{", encoding="utf-8")
    (line,) = told(cli)
    assert line.startswith(f"warning {registry}: contexts.json cannot be read: ")


def test_without_git_or_with_an_old_one(cli: Cli, tmp_path: Path) -> None:
    add(cli, "Short answers")
    tools = tmp_path / "bin"
    tools.mkdir()
    assert told(Cli(cli.store, {**cli.environ, "PATH": str(tools)})) == [
        "fault -: git cannot commit now: git was not found on this machine"
    ]
    real = shutil.which("git")
    script = f'#!/bin/sh\nfor w; do [ "$w" = version ] && echo "git version 2.20.1" && exit; done\nexec {real} "$@"\n'
    (tools / "git").write_text(script, encoding="utf-8")
    (tools / "git").chmod(0o755)
    old = Cli(cli.store, {**cli.environ, "PATH": f"{tools}:/usr/bin:/bin"})
    assert told(old) == ["fault -: git 2.20 is too old"]


def test_no_store_and_settings_that_say_nothing(bare: Cli, cli: Cli) -> None:
    assert told(Cli(bare.store / "none", bare.environ)) == [f"fault -: There is no store at {bare.store / 'none'}"]
    put(cli, "remember-me.toml", "[decay]\ndiscard_days = 0\n")
    what = "decay.discard_days is 0, not from 1 to 3650"
    assert told(cli) == [f"fault -: {cli.store}/remember-me.toml:2: {what}"]
