"""`edit` where the transcript cannot go: an editor that is a program of its own, and a store in use."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from remember_me.cli.editor import open_editor
from remember_me.store.lock import StoreLock
from tests.cli_runner import Cli, trust_scripts

EDITORS = {
    "vim": ["+7", "FILE"],
    "/usr/bin/nano -w": ["-w", "+7", "FILE"],
    "emacsclient -nw": ["-nw", "+7", "FILE"],
    "hx": ["FILE:7"],
    "subl --wait": ["--wait", "FILE:7"],
    "code": ["--wait", "--goto", "FILE:7"],
    "'my editor' -x": ["-x", "FILE"],
}


@pytest.mark.parametrize("editor", EDITORS)
def test_each_editor_is_told_the_line_in_its_own_way(
    editor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    name = editor.split("'")[1] if editor.startswith("'") else Path(editor.split()[0]).name
    program = tmp_path / "bin" / name
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{log}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("VISUAL", editor.replace("/usr/bin/", ""))
    file = tmp_path / "2026-01-14.md"
    open_editor(file, 7)
    assert log.read_text().splitlines() == [word.replace("FILE", str(file)) for word in EDITORS[editor]]


def test_a_store_in_use_is_said_and_the_edit_is_taken_in_later(tmp_path: Path, home: Path) -> None:
    trust_scripts(home)
    cli = Cli(tmp_path / "store", {"EDITOR": f'{sys.executable} -c \'import sys; open(sys.argv[1], "a").write("x")\''})
    entry = cli.run("add", "--quiet", "--tag", "FACT", "Likes tea").out.strip()
    lock = StoreLock(cli.store / ".remember-me" / "lock")
    assert lock.acquire(0)
    try:
        done = cli.run("edit", entry)
    finally:
        lock.release()
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("saved, not yet committed: another command is working in the store.\nHint: ")
    assert "by editor" not in cli.ok("log").out
    assert cli.run("pin", entry).code == 0
    assert "edit by editor" in cli.ok("log").out
