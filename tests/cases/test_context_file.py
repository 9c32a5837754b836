"""B52: the section that we keep in an AGENTS.md. Whatever became of its markers, no byte of the person's is lost."""

from __future__ import annotations

import json
import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from remember_me.clients.section import BEGIN, END, SECTION_BYTES
from tests.cases.support import add, failed, put
from tests.cli_runner import Cli, git, trust_agents
from tests.shared import shared_path

PAIR_HINT = f"Leave one pair of lines, {BEGIN} and {END}, or none of them."
MARKERS = {"BEGIN": BEGIN, "END": END}

INSTEAD = "there are 2 begin and 2 end markers of remember-me instead of one pair"
ONLY_SHOWN = "the markers of remember-me stand in a code fence or a comment only"
REVERSED = "the end marker of remember-me stands before its begin marker"

LOST = {
    "orphan-begin": (
        "# Rules\n\nBEGIN\nold index\n\nMY OWN RULES, keep.\n",
        3,
        "the begin marker of remember-me has no end marker",
    ),
    "orphan-end": ("MY OWN RULES, keep.\nEND\n", 2, "the end marker of remember-me has no begin marker"),
    "double": ("BEGIN\n1\nEND\nKEEP C\nBEGIN\n2\nEND\n", 1, INSTEAD),
    "reversed": ("END\nKEEP A\nBEGIN\nKEEP B\n", 1, REVERSED),
    "fenced": ("Docs show this:\n\n```\nBEGIN\nexample\nEND\n```\nKEEP D\n", 4, ONLY_SHOWN),
    "quoted": ("> BEGIN\n> END\nKEEP E\n", 1, "a marker of remember-me stands there among other words"),
    "open": ("KEEP F\n\n~~~\ncode\n", 3, "a code fence begins there and is never closed"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def with_markers(text: str) -> str:
    for name, marker in MARKERS.items():
        text = text.replace(name, marker)
    return text


def registered(cli: Cli) -> list[dict[str, object]]:
    path = Path(cli.environment()["HOME"], ".local", "state", "remember-me", "contexts.json")
    rows: list[dict[str, object]] = json.loads(path.read_bytes())["files"] if path.exists() else []
    return rows


def soon(holds: Callable[[], bool]) -> bool:
    """Whether it holds within ten seconds: a process of its own sees to it."""
    until = time.monotonic() + 10
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return holds()


def inner(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    return text[text.index(BEGIN) + len(BEGIN) : text.index(END)]


@pytest.mark.parametrize("name", LOST)
def test_b52_a_file_with_anything_but_one_pair_is_left_alone(cli: Cli, project: Path, name: str) -> None:
    text, line, reason = LOST[name]
    add(cli, "Short answers")
    file = project / "AGENTS.md"
    data = with_markers(text).encode()
    file.write_bytes(data)
    before = file.stat()
    for words in (("context", str(file)),) * 2 + (("context", str(file), "--dry-run"),):
        result = failed(cli.run(*words), 7, f"{file}:{line}: {reason}; the file was left alone.")
        hint = "Close it, then run the command again." if name == "open" else PAIR_HINT
        assert result.err.split("\n")[1:] == [f"Hint: {hint}", ""]
    if BEGIN in with_markers(text) or END in with_markers(text):
        failed(cli.run("context", str(file), "--remove"), 7, f"{file}:{line}: {reason}; the file was left alone.")
    assert (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino) == (data, before.st_mtime_ns, before.st_ino)
    assert registered(cli) == []
    assert os.listdir(project) == ["AGENTS.md"]


def test_b52_the_inputs_of_the_case(cli: Cli, project: Path) -> None:
    folder = shared_path("cases", "inputs", "B52")
    add(cli, "Short answers")
    seen = 0
    for source in sorted(folder.glob("*.md")):
        data = source.read_bytes()
        assert BEGIN.encode() in data
        file = project / "AGENTS.md"
        file.write_bytes(data)
        for _ in range(2):
            result = cli.run("context", str(file))
            assert (result.code, result.out) == (7, "")
            assert result.err.startswith(f"Error: {file}:")
            assert len(result.err.splitlines()) == 2
        assert file.read_bytes() == data
        assert b"KEEP" in data.upper()
        seen += 1
    assert seen == 4


def test_the_section_is_put_behind_what_is_there_and_taken_out_again(cli: Cli, project: Path) -> None:
    entry = add(cli, "Short answers", "--tag", "PREFERENCE")
    file = project / "CLAUDE.md"
    for data in (b"# Mine\r\n\xff\xfe latin \xe9", b"\xef\xbb\xbfMine\n", b"", b"Mine\n\n", b"a\rb\x0c\xe2\x80\xa8c\n"):
        file.write_bytes(data)
        file.chmod(0o640)
        out = cli.run("context", str(file))
        assert (out.code, out.out.split("\n")[0]) == (0, f"Added a section to {file}.")
        changed = file.read_bytes()
        assert changed.startswith(data)
        assert f"{entry} PREFERENCE Short answers".encode() in changed
        assert (b"\r\n" + BEGIN.encode() + b"\r\n" in changed) == (b"\r\n" in data)
        assert changed.endswith(b"\n") == (data.endswith(b"\n") or not data)
        stamp = file.stat()
        again = cli.ok("context", str(file))
        assert again.out.split("\n")[0] == f"Nothing was changed: {file} is up to date."
        assert (file.stat().st_mtime_ns, file.stat().st_ino) == (stamp.st_mtime_ns, stamp.st_ino)
        assert cli.ok("context", str(file), "--remove").out == f"Took the section out of {file}.\n"
        assert file.read_bytes() == data
        assert stat.S_IMODE(file.stat().st_mode) == 0o640
        assert registered(cli) == []
        failed(cli.run("context", str(file), "--remove"), 3, f"There is no section of remember-me in {file}.")


def test_a_file_is_made_and_deleted(cli: Cli, project: Path) -> None:
    add(cli, "Short answers")
    file = project / "AGENTS.md"
    assert cli.run("context", str(file)).out.startswith(f"Made {file}.\n")
    assert file.read_text(encoding="utf-8").startswith(f"{BEGIN}\n")
    assert cli.ok("context", str(file), "--remove").out == f"Deleted {file}: there was nothing else in it.\n"
    assert os.listdir(project) == []
    cli.run("context", str(file))
    file.write_text(file.read_text(encoding="utf-8") + "Mine.\n", encoding="utf-8")
    assert cli.ok("context", str(file), "--remove").out == f"Took the section out of {file}.\n"
    assert file.read_bytes() == b"Mine.\n"


def test_only_what_is_in_the_section_is_replaced(cli: Cli, project: Path) -> None:
    add(cli, "Short answers")
    file = project / "GEMINI.md"
    before, after = "# A\n```\n" + BEGIN + "\n" + END + "\n```\n", "\n# B\n\tno end"
    file.write_text(
        f'{before}{BEGIN}\n<remember-me etag="0">\nold index\n</remember-me>\n{END}{after}', encoding="utf-8"
    )
    assert cli.ok("context", str(file)).out.startswith(f"Updated the section of {file}.\n")
    text = file.read_text(encoding="utf-8")
    assert text.startswith(f"{before}{BEGIN}\n<!-- Written by remember-me.")
    assert text.endswith(f"</remember-me>\n\n{END}{after}")
    assert "old index" not in text


def test_dry_run_shows_the_lines_and_writes_nothing(cli: Cli, project: Path) -> None:
    entry = add(cli, "Short\x1b[31m answers", "--tag", "FACT")
    file = project / "AGENTS.md"
    file.write_bytes(b"Mine.\n")
    out = cli.ok("context", str(file), "--dry-run").out.splitlines()
    assert out[:6] == ["--- AGENTS.md", "+++ AGENTS.md", "@@ -1 +1,13 @@", " Mine.", "+", f"+{BEGIN}"]
    assert f"+{entry} FACT Short\\x1b[31m answers" in out
    assert file.read_bytes() == b"Mine.\n"
    assert registered(cli) == []
    cli.run("context", str(file))
    assert cli.run("context", str(file), "--dry-run").err == "Nothing would change.\n"
    removal = cli.ok("context", str(file), "--remove", "--dry-run").out.splitlines()
    assert f"-{entry} FACT Short\\x1b[31m answers" in removal
    assert len(registered(cli)) == 1


def test_a_link_is_followed_and_kept(cli: Cli, project: Path, tmp_path: Path) -> None:
    add(cli, "Short answers")
    real = tmp_path / "dotfiles.md"
    real.write_bytes(b"Mine.\n")
    file = project / "AGENTS.md"
    file.symlink_to(real)
    cli.run("context", str(file))
    assert file.is_symlink()
    assert b"Short answers" in real.read_bytes()
    other = project / "CLAUDE.md"
    other.symlink_to("AGENTS.md")
    assert cli.ok("context", str(other)).out.startswith("Nothing was changed")
    cli.ok("context", str(other), "--remove")
    assert (real.read_bytes(), file.is_symlink(), registered(cli)) == (b"Mine.\n", True, [])


def test_the_project_of_the_folder_counts(cli: Cli, project: Path, tmp_path: Path) -> None:
    mine = add(cli, "Release on Fridays", "--tag", "GOAL", "--scope", "github.com/ada/cogwork")
    other = add(cli, "Other project", "--tag", "GOAL", "--scope", "github.com/ada/other")
    everywhere = add(cli, "Short answers", "--tag", "PREFERENCE")
    git(tmp_path, "init", "--quiet", str(project))
    git(project, "remote", "add", "origin", "https://ada:token@github.com/ada/cogwork.git")
    file = project / "AGENTS.md"
    out = cli.run("context", str(file)).out
    assert "kept up to date for the project github.com/ada/cogwork · take it out" in out
    text = file.read_text(encoding="utf-8")
    assert [entry in text for entry in (mine, other, everywhere)] == [True, False, True]
    assert "token" not in json.dumps(registered(cli)) + out + text
    rows = cli.json("context")
    assert rows == [
        {
            "file": str(file),
            "scope": "github.com/ada/cogwork",
            "kind": "section",
            "state": "same",
            "reason": None,
            "hint": None,
            "diff": None,
        }
    ]


def test_it_never_is_larger_than_clients_take(cli: Cli, project: Path) -> None:
    lines = "".join(
        f"- PREFERENCE: @{number} <!-- prefers option {number} of many, in words ^k{number:05d}\n  - pinned: true\n\n  "
        + "A body with @imports and <!-- comments.\n  \n" * 6
        for number in range(300)
    )
    put(cli, "memory/2026-01-01.md", lines)
    for data in (b"Mine.\n", b"Mine.\r\n\r\n"):
        file = project / "AGENTS.md"
        file.write_bytes(data)
        cli.run("context", str(file))
        size = len(file.read_bytes()) - len(data)
        assert SECTION_BYTES - 600 < size <= SECTION_BYTES + 2, size
        assert "more entries" in inner(file) or "more:" in inner(file) or "not shown" in inner(file)
        assert inner(file).count("<!--") == 1
        cli.ok("context", str(file), "--remove")
        assert file.read_bytes() == data


def test_every_write_brings_it_up_to_date(cli: Cli, project: Path) -> None:
    file = project / "AGENTS.md"
    cli.ok("init")
    cli.run("context", str(file))
    assert inner(file) == "\n"
    entry = add(cli, "Short answers")
    assert soon(lambda: entry in inner(file))
    cli.ok("disable", entry)
    assert soon(lambda: entry not in inner(file))
    cli.ok("undo")
    assert soon(lambda: entry in inner(file))
    found = cli.run("edit", entry, env={"EDITOR": "sed -i s/Short/Terse/"})
    assert found.code == 0
    assert soon(lambda: "Terse answers" in inner(file))


def test_an_agent_names_no_file_and_its_writes_refresh(cli: Cli, home: Path, project: Path) -> None:
    trust_agents(home)
    file = project / "AGENTS.md"
    agent = {"CLAUDECODE": "1"}
    cli.ok("init")
    for words in (("context", str(file)), ("context", str(file), "--remove"), ("context", str(file), "--dry-run")):
        result = failed(
            cli.run(*words, env=agent), 4, "Only the user says which file is kept up to date [context-person]."
        )
        assert result.err.endswith("Hint: It would carry what is remembered to wherever that file goes.\n")
    assert os.listdir(project) == []
    cli.run("context", str(file))
    cli.run("add", "Release on Fridays", "--tag", "FACT", env=agent)
    assert soon(lambda: "Release on Fridays" in inner(file))
    failed(
        cli.run("context", str(file), "--remove", env=agent),
        4,
        "Only the user says which file is kept up to date [context-person].",
    )
    assert cli.run("context", "--json", env=agent).json() == []


def test_what_went_wrong_with_one_file_does_not_stop_the_others(cli: Cli, project: Path, tmp_path: Path) -> None:
    add(cli, "Short answers")
    names = ("a", "b", "c", "d")
    files = {name: tmp_path / name / "AGENTS.md" for name in names}
    for file in files.values():
        file.parent.mkdir()
        cli.run("context", str(file))
    broken = files["a"].read_text(encoding="utf-8").replace(END, "")
    files["a"].write_text(broken, encoding="utf-8")
    files["b"].unlink()
    files["b"].parent.rmdir()
    files["c"].write_bytes(b"The person took it out.\n")
    put(cli, "memory/2026-01-01.md", "- FACT: By hand ^mht001\n")
    refreshed = cli.run("context", "--refresh")
    assert (refreshed.code, refreshed.out) == (7, f"Updated the section of {files['d']}.\n")
    assert refreshed.err.splitlines() == [
        f"{files['a']}: line 1: the begin marker of remember-me has no end marker; it was left alone.",
        f"{files['b']}: the file is gone; it was left alone.",
        f"{files['c']}: it has no section any more; it was left alone.",
        "Error: 1 of 4 files could not be brought up to date.",
        f"Hint: {PAIR_HINT}",
    ]
    assert files["a"].read_text(encoding="utf-8") == broken
    assert files["c"].read_bytes() == b"The person took it out.\n"
    assert "By hand" in inner(files["d"])
    assert [Path(str(row["file"])).parent.name for row in registered(cli)] == ["a", "c", "d"]


@pytest.mark.parametrize(
    ("name", "message", "code"),
    [
        ("folder", "{file} is a folder.", 2),
        ("nowhere/AGENTS.md", "There is no folder {file.parent}.", 2),
        ("utf16.md", "{file}: it is no text in UTF-8; the file was left alone.", 7),
        ("fifo", "{file}: is no ordinary file; the file was left alone.", 7),
        ("../store/memory/AGENTS.md", "{file} lies in the store itself.", 2),
        ("link.md", "{file} lies in the store itself.", 2),
    ],
)
def test_what_is_no_such_file(cli: Cli, project: Path, name: str, message: str, code: int) -> None:
    (project / "folder").mkdir()
    (project / "utf16.md").write_text("Mine.\n", encoding="utf-16")
    os.mkfifo(project / "fifo")
    put(cli, "MEMORY.md", "# Notes\n")
    (project / "link.md").symlink_to(cli.store / "MEMORY.md")
    file = project / name
    failed(cli.run("context", str(file)), code, message.format(file=file))
    assert registered(cli) == []
    assert (cli.store / "MEMORY.md").read_bytes() == b"# Notes\n"


def test_calls_that_mean_nothing(cli: Cli) -> None:
    failed(cli.run("context", "--remove"), 2, "No file was named.")
    failed(cli.run("context", "--dry-run"), 2, "No file was named.")
    failed(cli.run("context", "x", "--refresh"), 2, "--refresh takes all files, and nothing beside it.")
    assert cli.run("context").err.startswith("No file is kept up to date yet.")


def test_commands_at_once_leave_one_section(cli: Cli, project: Path) -> None:
    add(cli, "Short answers")
    file = project / "AGENTS.md"
    file.write_bytes(b"Mine.\n")
    codes: list[int] = []
    threads = [threading.Thread(target=lambda: codes.append(cli.run("context", str(file)).code)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [0] * 8
    assert file.read_bytes().count(BEGIN.encode()) == 1
    assert len(registered(cli)) == 1
    cli.ok("context", str(file), "--remove")
    assert file.read_bytes() == b"Mine.\n"


def test_a_file_has_one_store(cli: Cli, project: Path, tmp_path: Path) -> None:
    """Also under another name of it: else each store would take it from the other."""
    add(cli, "Short answers")
    file, link = project / "AGENTS.md", project / "CLAUDE.md"
    cli.run("context", str(file))
    link.symlink_to(file)
    other = Cli(tmp_path / "other", cli.environ)
    add(other, "Long answers")
    before = file.read_bytes()
    for name in (file, link):
        refused = other.run("context", str(name))
        assert refused.code == 2
        assert refused.err == (
            f"Error: {name} is kept up to date for the store {cli.store}.\n"
            f"Hint: Take that out first: remember-me --store {cli.store} context {file} --remove\n"
        )
    assert file.read_bytes() == before
    cli.run("context", str(link))
    assert len(registered(cli)) == 1
