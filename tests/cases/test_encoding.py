"""B15, B18: what Notepad, PowerShell and a Mac save is read as meant and keeps its bytes."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests.cases.support import add, failed, ids, insertion, problems, put, sound, today, topic
from tests.cli_runner import Cli, bytes_of, git
from tests.shared import shared_path

BOM = b"\xef\xbb\xbf"


def windows(text: str) -> bytes:
    """The text as Notepad saves it."""
    return BOM + text.replace("\n", "\r\n").encode()


def is_windows(data: bytes) -> bool:
    """Whether the BOM is first and once, and every line ends with CRLF."""
    return data.startswith(BOM) and data.count(BOM) == 1 and data.count(b"\n") == data.count(b"\r\n")


NOTES = {
    "memory/win.md": topic("mbm001", "Windows note", "Typed in Notepad.\nSecond line.", more="impact: 2\n"),
    "MEMORY.md": "# Long-term memory\n\n- keeps CRLF\n\n- PREFERENCE: long term ^mbm002\n  - impact: 2\n",
    "memory/2026-01-01.md": "- [10:00] FACT: first line is an entry ^mbm003\n\n  body",
}


def test_b15_bom_and_crlf_are_read_and_kept(cli: Cli) -> None:
    """`promote` is a later issue: `pin` and `correct` write into a note of each kind."""
    daily = f"memory/{today(cli)}.md"
    files = {path: put(cli, path, windows(text)) for path, text in NOTES.items()}
    files[daily] = put(cli, daily, windows("---\nmood: ok\n---\n\n- [09:00] FACT: typed ^mbm004\n"))
    before = bytes_of(cli.store)
    found = {entry["id"]: entry for entry in cli.json("list")}
    assert {entry: (row["tag"], row["title"], row["body"], row["impact"]) for entry, row in found.items()} == {
        "mbm001": ("FACT", "Windows note", "Typed in Notepad.\nSecond line.", 2),
        "mbm002": ("PREFERENCE", "long term", None, 2),
        "mbm003": ("FACT", "first line is an entry", "body", 1),
        "mbm004": ("FACT", "typed", None, 1),
    }
    new = add(cli, "appended\r\nwith\r\nmore")
    added = insertion(before[daily], files[daily].read_bytes())
    assert new.encode() in added
    assert b"  appended\r\n  with\r\n  more\r\n" in added
    for entry in found:
        cli.ok("pin", entry)
        cli.ok("correct", entry, "-", stdin="New title\n\nnew body\n")
    for path, file in files.items():
        assert is_windows(file.read_bytes()), path
        assert git(cli.store, "show", f"HEAD:{path}").encode() == file.read_bytes()
    assert files["memory/2026-01-01.md"].read_bytes().endswith(b"  new body")
    for _ in range(9):
        cli.ok("undo")
    assert bytes_of(cli.store) == before
    sound(cli)


@pytest.mark.parametrize("text", ['[agents]\nmode = "off"\n', '# mine\n[trust]\nscripts = "person"\n', ""])
def test_b15_settings_that_notepad_saved(cli: Cli, home: Path, text: str) -> None:
    file = home / ".config" / "remember-me" / "config.toml"
    file.write_bytes(windows(text))
    assert cli.json("config", "agents.mode")[0]["value"] == ("off" if "off" in text else "enabled")
    cli.ok("config", "agents.mode", "shadow")
    assert cli.json("config", "agents.mode")[0]["value"] == "shadow"
    assert is_windows(file.read_bytes()) or not text
    assert file.read_bytes().startswith(BOM)
    store_file = put(cli, "remember-me.toml", windows('[store]\ntimezone = ""\n'))
    cli.ok("config", "store.timezone", "UTC")
    assert store_file.read_bytes() == windows('[store]\ntimezone = "UTC"\n')


def test_b15_utf16_is_reported_and_never_written(cli: Cli) -> None:
    """What Notepad calls Unicode. NUL bytes are no text; the other notes are served."""
    path = f"memory/{today(cli)}.md"
    data = "- FACT: wide ^mbm005\n".encode("utf-16")
    note = put(cli, path, data)
    put(cli, "memory/fine.md", topic("mbm006", "fine"))
    assert problems(cli) == [f"{path}:1: holds NUL bytes; is it UTF-16 or a binary file?"]
    assert ids(cli) == ["mbm006"]
    failed(cli.run("add", "x"), 8, f"{path} holds NUL bytes, so nothing can be added to it.")
    assert note.read_bytes() == data
    cli.ok("pin", "mbm006")


def test_b15_bytes_that_are_no_utf8_are_kept(cli: Cli) -> None:
    path = f"memory/{today(cli)}.md"
    data = "- FACT: caf\xe9 ^mbm007\n\n  na\xefve body\n".encode("latin-1")
    note = put(cli, path, data)
    assert problems(cli) == [f"{path}:1: holds bytes that are no UTF-8; they are kept as they are"]
    assert cli.ok("get", "mbm007").out.startswith("^mbm007 FACT: caf\\udce9\n")
    new = add(cli, "x")
    assert new.encode() in insertion(data, note.read_bytes())
    cli.ok("pin", "mbm007")
    assert insertion(data, note.read_bytes().replace(b"  - pinned: true\n", b"")) != b""
    cli.ok("undo")
    cli.ok("undo")
    assert note.read_bytes() == data
    sound(cli)


LINE_ENDS = "one\x0btwo\x0cthree\x85four\u2028five\u2029six"


def test_b15_only_lf_and_crlf_end_a_line(cli: Cli) -> None:
    new = add(cli, LINE_ENDS)
    assert cli.json("get", new)["title"] == LINE_ENDS
    assert cli.ok("get", new, "--text").out == LINE_ENDS + "\n"
    assert ids(cli) == [new]


def test_b18_composed_and_decomposed_are_one_word(cli: Cli) -> None:
    """`search` and `forget --match` are later issues; scopes and duplicates are compared today."""
    composed, decomposed = "Café Zoé", unicodedata.normalize("NFD", "Café Zoé")
    assert composed != decomposed
    put(cli, "memory/a.md", topic("mnf001", composed, composed, more=f"scope: {composed}\n"))
    put(cli, "memory/b.md", topic("mnf002", decomposed, decomposed, more=f"scope: {decomposed}\n"))
    before = bytes_of(cli.store)
    for scope in (composed, decomposed):
        assert {row["id"] for row in cli.json("list", "--scope", scope)} == {"mnf001", "mnf002"}
    new = add(cli, f"{decomposed} again", "--scope", decomposed)
    assert cli.json("get", new)["title"] == f"{decomposed} again"
    assert cli.ok("get", new, "--text").out == f"{decomposed} again\n"
    after = bytes_of(cli.store)
    assert {path: after[path] for path in before} == before
    for text, scope in ((decomposed, composed), (composed, decomposed)):
        assert cli.json("add", text, "--scope", scope, "--session", "c/1")["id"] == "mnf001"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_b18_a_name_on_disk_is_kept(cli: Cli, form: str) -> None:
    name = unicodedata.normalize(form, "memory/Café.md")
    put(cli, name, topic("mnf003", "x"))
    cli.ok("pin", "mnf003")
    assert cli.json("get", "mnf003")["note"] == name
    assert git(cli.store, "-c", "core.quotePath=false", "ls-files", "-z", "memory").split("\0")[0] == name
    sound(cli)


def test_the_inputs_of_the_case(cli: Cli) -> None:
    source = shared_path("cases", "inputs", "B15")
    long_term = put(cli, "MEMORY.md", (source / "MEMORY.md").read_bytes())
    data = (source / "2026-03-01.md").read_bytes().replace(b"id: m-bm01", b"id: mbm01x").replace(b"type:", b"tag:")
    note = put(cli, "memory/win.md", data)
    daily = put(cli, f"memory/{today(cli)}.md", (source / "2026-03-01.md").read_bytes())
    before = daily.read_bytes()
    assert cli.json("get", "mbm01x")["title"] == "Windows note"
    new = add(cli, "appended")
    assert new.encode() in insertion(before, daily.read_bytes())
    cli.ok("disable", "mbm01x")
    assert insertion(data, note.read_bytes()) == b"status: disabled\r\n"
    assert is_windows(daily.read_bytes())
    assert long_term.read_bytes() == (source / "MEMORY.md").read_bytes()
