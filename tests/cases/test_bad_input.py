"""Bad input: each with its exit code and its sentence; what was there stays as it was."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cases.support import add, failed, ids, known, numstat, put, sound, today, topic
from tests.cases.terminal import on_terminal
from tests.cli_runner import Cli, bytes_of, command_line, git

EMPTY = ("The text is empty.", "Give it as an argument, or `-` to read it from stdin.")
UTF8 = ("{} is no valid UTF-8.", "Convert it first, for example with iconv -t UTF-8.")
NUL = ("{} holds a NUL character.", "Remove it; notes are plain text.")
LONG_FORM = "Give the long form as the text."


def refused(cli: Cli, words: tuple[str, ...], code: int, message: str, hint: str | None, stdin: bytes = b"") -> None:
    """The call ends with the code, the sentence and, unless None, the hint, and changes nothing."""
    before = bytes_of(cli.store, but=()) if cli.store.exists() else {}
    done = failed(cli.run(*words, stdin=stdin), code, message)
    if hint is not None:
        assert done.err.split("\n", 1)[1] == f"Hint: {hint}\n"
    assert (bytes_of(cli.store, but=()) if cli.store.exists() else {}) == before


@pytest.mark.parametrize(
    ("words", "stdin", "message", "hint"),
    [
        (("add", ""), b"", *EMPTY),
        (("add", " \t "), b"", *EMPTY),
        (("add", "-"), b"", *EMPTY),
        (("add", "-"), b"\n\r\n  \n", *EMPTY),
        (("add", "-"), b"\xef\xbb\xbf\n", *EMPTY),
        (("add",), b"", "There is nothing to save.", "Give a text, - to read it from stdin, or --file X.md."),
        (("add", "-"), b"a\0b", NUL[0].format("The text"), NUL[1]),
        (("add", "-"), "words".encode("utf-16"), NUL[0].format("The text"), NUL[1]),
        (("add", "-"), b"caf\xe9", UTF8[0].format("The text"), UTF8[1]),
        (("add", "caf\udce9"), b"", UTF8[0].format("The text"), UTF8[1]),
        (("add", "x", "--title", "caf\udce9"), b"", UTF8[0].format("The title"), UTF8[1]),
        (("add", "x", "--scope", "caf\udce9"), b"", UTF8[0].format("The value of scope"), UTF8[1]),
        (("add", "x", "--evidence", "caf\udce9"), b"", UTF8[0].format("The quote"), UTF8[1]),
        (("add", "x", "--title", ""), b"", "The title is empty.", "Leave --title out to take it from the text."),
        (("add", "x", "--title", "T" * 501), b"", "The title has 501 characters, more than 500.", LONG_FORM),
        (("add", "x", "--title", "a\nb"), b"", "The title has more than one line.", LONG_FORM),
        (("add", "x", "--title", "a\rb"), b"", "The title has more than one line.", LONG_FORM),
        (("add", "x", "--tag", "IDEA"), b"", "IDEA is no tag.", "The tags are FACT, PREFERENCE, GOAL, HYPOTHESIS."),
        (("add", "x", "--tag", ""), b"", "'' is no tag.", None),
        (("add", "x", "--tag", "F" * 900), b"", f"{'F' * 59}… is no tag.", None),
        (("add", "x", "--impact", "4"), b"", "impact is 4, not one of 1, 2, 3.", None),
        (("add", "x", "--impact", "x" * 900), b"", f"impact is {'x' * 59}…, not one of 1, 2, 3.", None),
        (("add", "x", "--confidence", "0.9"), b"", "confidence is 0.9, not one of high, medium, low.", None),
        (("add", "x", "--expires", "2026-02-30"), b"", "expires is 2026-02-30, which is no date.", None),
        (("add", "x", "--field", "novalue"), b"", "novalue is no field.", "Write it as key=value."),
        (("add", "x", "--field", "Bad Key=v"), b"", "Bad Key is no field name.", None),
        (("add", "x", "--field", "id=abcdef"), b"", "id is no field name.", None),
        (("add", "x", "--field", "mood="), b"", "The value of mood is empty.", None),
        (("add", "x", "--evidence", " "), b"", "The quote is empty.", None),
        (("add", "x", "--file", "y.md"), b"", "A text and --file were both given.", "Give one of the two."),
        (("correct", "abcdef", ""), b"", *EMPTY),
        (("correct", "abcdef", "-"), b"a\0b", NUL[0].format("The text"), NUL[1]),
        (("list", "--tag", "IDEA"), b"", "IDEA is no tag.", "Possible are FACT, PREFERENCE, GOAL, HYPOTHESIS."),
        (("list", "--tier", "x"), b"", "x is no tier.", "Possible are daily, long-term, topic."),
        (("list", "--limit", "0"), b"", "Invalid value for '--limit' / '-n': 0 is no number from 1 on.", None),
        (("remove", "x"), b"", "There is no command 'remove'.", None),
    ],
)  # fmt: skip
def test_what_cannot_be_saved(cli: Cli, words: tuple[str, ...], stdin: bytes, message: str, hint: str | None) -> None:
    refused(cli, words, 2, message, hint, stdin)


def test_what_cannot_be_saved_makes_no_store(bare: Cli) -> None:
    for words in (("add", ""), ("add", "x", "--tag", "IDEA"), ("add", "x", "--expires", "soon")):
        assert bare.run(*words).code == 2
        assert not bare.store.exists()


def test_a_title_of_500_characters_is_one(cli: Cli) -> None:
    entry = add(cli, "the long form", "--title", "T" * 500)
    assert cli.json("get", entry)["title"] == "T" * 500


def test_control_characters_are_kept_and_shown_as_escapes(cli: Cli) -> None:
    text = "bell\x07 escape\x1b[31m c1\x9b delete\x7f bidi\u202e tag\U000e0041"
    done = cli.run("add", "--tag", "FACT", "--", text).ok()
    assert "bell\\x07 escape\\x1b[31m c1\\x9b delete\\x7f bidi\\u202e tag\\U000e0041" in done.out
    (row,) = cli.json("list")
    assert row["title"] == text
    assert text.encode() in (cli.store / row["note"]).read_bytes()


def test_a_note_never_grows_beyond_what_can_be_read(cli: Cli) -> None:
    """A capture that made its note unreadable would lose all that stands in it."""
    hint = "Keep a text of that size as a file outside of the notes."
    failed(cli.run("add", "-", stdin=b"w " * 9_000_000, timeout=30), 2, "The text is larger than 16 MiB.")
    path = f"memory/{today(cli)}.md"
    full = b"- FACT: first ^mgr001\n" + b"z" * (16 * 1024 * 1024 - 50) + b"\n"
    note = put(cli, path, full)
    message = f"{path} would be larger than 16 MiB."
    for words in (("add", "does not fit any more"), ("correct", "mgr001", "much longer than before " * 3)):
        done = failed(cli.run(*words), 2, message)
        assert done.err.endswith(f"Hint: {hint}\n")
        assert note.read_bytes() == full
    cli.ok("pin", "mgr001")
    cli.ok("undo")
    assert note.read_bytes() == full
    note.write_bytes(b"x" * (16 * 1024 * 1024 + 1))
    failed(cli.run("add", "x"), 8, f"{path} is larger than 16 MiB.")
    assert cli.json("list") == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [(("get", "zzzzzz"), "entry"), (("correct", "zzzzzz", "x"), "entry"), (("pin", "zzzzzz"), "entry"),
     (("history", "zzzzzz"), "entry"), (("edit", "zzzzzz"), "entry"), (("undo", "zzzzzz"), "operation"),
     (("redo", "zzzzzz"), "operation"), (("undo", "--entry", "../x"), "entry"),
     (("diff", "zzzzzz"), "operation or entry")],
)  # fmt: skip
def test_what_is_not_there(cli: Cli, words: tuple[str, ...], kind: str) -> None:
    failed(cli.run(*words), 3, f"There is no {kind} {words[1] if words[1] != '--entry' else words[2]}.")


def test_a_beginning_that_several_ids_share(cli: Cli) -> None:
    put(cli, "MEMORY.md", "- FACT: a ^mab001\n- FACT: b ^mab002\n")
    for words in (("get", "mab"), ("pin", "^MAB"), ("history", "mab")):
        shown = words[1]
        done = failed(cli.run(*words), 3, f"{shown} fits 2 entries: mab001, mab002.")
        assert done.err.endswith("Hint: Give one more character of the id.\n")


def test_a_store_that_is_a_file(bare: Cli) -> None:
    bare.store.write_text("mine\n")
    for words in (("add", "x"), ("init",), ("demo",), ("list",), ("status",), ("undo",)):
        what = "folder" if words[0] in ("add", "init", "demo") else "store"
        done = failed(bare.run(*words), 8, f"{bare.store} is a file, not a {what}.")
        assert done.err.endswith("Hint: Give another folder with --store or REMEMBER_ME_HOME.\n")
    assert known(bare.run("config")).code == 2
    assert bare.store.read_text() == "mine\n"


def test_no_store_yet(bare: Cli) -> None:
    for words in (("list",), ("get", "abcdef"), ("status",), ("undo",), ("pin", "abcdef"), ("edit",), ("log",)):
        done = failed(bare.run(*words), 8, f"There is no store at {bare.store}.")
        assert done.err.endswith("Hint: Save something with `remember-me add`, or make one with `remember-me init`.\n")
        assert not bare.store.exists()


def test_a_folder_with_other_files_is_left_alone(bare: Cli) -> None:
    bare.store.mkdir()
    for name in ("code.py", "README.md", ".env"):
        put(bare, name, "mine\n")
    before = bytes_of(bare.store, but=())
    for words in (("init",), ("add", "x"), ("demo",)):
        message = f"{bare.store} holds other files (.env, README.md, code.py) and no notes, so it was left alone."
        failed(bare.run(*words), 8, message)
    failed(bare.run("list"), 8, f"{bare.store} is no store: it has no remember-me.toml, MEMORY.md or memory folder.")
    assert bytes_of(bare.store, but=()) == before


def test_a_store_inside_of_another_repository(bare: Cli, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    git(project, "init", "-q")
    inside = Cli(project / "docs" / "store", bare.environ)
    message = f"{inside.store} lies in the work tree of the repository {project}."
    for words in (("init",), ("add", "x"), ("demo",)):
        done = failed(inside.run(*words), 8, message)
        assert "--inside-repository" in done.err
        assert not inside.store.exists()
    inside.ok("init", "--inside-repository")
    entry = add(inside, "x")
    assert git(inside.store, "rev-parse", "--show-toplevel").strip() == str(inside.store)
    assert ids(inside) == [entry]
    assert git(project, "status", "--short") == "?? docs/\n"
    sound(inside)


def without_git(cli: Cli, tmp_path: Path) -> None:
    """A PATH on which there is no git."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "cat"):
        (folder / name).symlink_to(shutil.which(name) or "")
    cli.environ["PATH"] = str(folder)


def test_no_git_on_the_machine(bare: Cli, tmp_path: Path) -> None:
    path = os.environ["PATH"]
    without_git(bare, tmp_path)
    said = "saved, not yet committed: git was not found on this machine.\nHint: Install git.\n"
    for words in (("init",), ("add", "one"), ("add", "two")):
        done = bare.run(*words)
        assert (done.code, done.err) == (0, said), words
    first, second = (row["id"] for row in reversed(bare.json("list")))
    assert (bare.run("pin", first).code, bare.run("correct", second, "other").err) == (0, said)
    state = bare.json("status")
    assert (state["uncommitted"], state["reason"], state["hint"]) == (
        5,
        "git was not found on this machine",
        "Install git.",
    )
    failed(
        bare.run("undo"),
        6,
        "Nothing was undone or redone, because git cannot commit: git was not found on this machine.",
    )
    for words in (("log",), ("history", first), ("diff",)):
        failed(bare.run(*words), 6, "There is no history to read: git was not found on this machine.")
    bare.environ["PATH"] = path
    third = add(bare, "three")
    subjects = git(bare.store, "log", "--reverse", "--format=%s").splitlines()
    verbs = ["init", f"add {first}", f"add {second}", f"pin {first}", f"correct {second}", f"add {third}"]
    assert subjects == [f"remember-me: {verb}" for verb in verbs]
    sound(bare)


def test_a_git_that_is_broken(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text("#!/bin/sh\necho 'git: cannot start' >&2\nexit 127\n")
    (folder / "git").chmod(0o755)
    done = cli.run("add", "one", env={"PATH": str(folder)})
    assert done.code == 0
    assert done.err.startswith("saved, not yet committed: git said: git: cannot start.\n")
    add(cli, "two")
    sound(cli)


def test_a_folder_where_the_note_should_be(cli: Cli) -> None:
    path = f"memory/{today(cli)}.md"
    (cli.store / path).mkdir(parents=True)
    done = failed(cli.run("add", "x"), 8, f"{path} is no ordinary file.")
    assert done.err.endswith("Hint: Move it out of the store, or make it an ordinary file.\n")
    assert f"Problem: {path}: is a folder and is not read\n" in cli.ok("status").out
    (cli.store / "MEMORY.md").mkdir()
    assert "Problem: MEMORY.md: is a folder and is not read\n" in cli.ok("status").out
    put(cli, "memory/fine.md", topic("mfn001", "fine"))
    cli.ok("pin", "mfn001")


EDITORS = {
    "false": "The editor false ended with exit code 1.",
    'sh -c "exit 3"': "The editor sh ended with exit code 3.",
    'sh -c "kill -9 $$"': "The editor sh was ended by signal 9.",
    "/nonexistent/editor": "The editor /nonexistent/editor could not be started: no such file or directory.",
    "/tmp": "The editor /tmp could not be started: permission denied.",
    "'unbalanced": "The editor 'unbalanced could not be started: no such file or directory.",
}


@pytest.mark.parametrize("editor", EDITORS)
def test_an_editor_that_fails(cli: Cli, editor: str) -> None:
    entry = add(cli, "x")
    before = bytes_of(cli.store)
    done = failed(cli.run("edit", entry, env={"EDITOR": editor}), 1, EDITORS[editor])
    assert len(done.err.splitlines()) == 2
    assert bytes_of(cli.store) == before
    sound(cli)


def test_what_a_failing_editor_saved_is_kept(cli: Cli) -> None:
    entry = add(cli, "before", "--tag", "FACT")
    editor = "sh -c 'sed -i s/before/after/ \"$1\"; exit 4' sh"
    done = failed(cli.run("edit", entry, env={"EDITOR": editor}), 1, "The editor sh ended with exit code 4.")
    assert done.err.endswith("Hint: What it saved is kept; `remember-me status` shows it.\n")
    assert "was edited by hand" in cli.ok("status").out
    assert cli.json("get", entry)["title"] == "after"
    other = add(cli, "another")
    assert git(cli.store, "log", "-2", "--format=%s") == f"remember-me: add {other}\nremember-me: edit {entry}\n"
    assert numstat(cli, "HEAD~1") == [(1, 1, f"memory/{today(cli)}.md")]


def test_without_an_editor_and_a_terminal_nothing_waits(cli: Cli) -> None:
    """The usual editors would wait for keys that nobody can press: an agent is never blocked."""
    entry = add(cli, "x")
    environ = cli.environment()
    del environ["EDITOR"]
    done = subprocess.run(
        command_line("--store", str(cli.store), "edit", entry),
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=20,
        start_new_session=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: There is no terminal for an editor.\nHint: Set VISUAL or EDITOR")


def test_an_editor_on_a_terminal(cli: Cli, tmp_path: Path) -> None:
    entry = add(cli, "before", "--tag", "FACT")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\ntest -t 0 && test -t 1 && sed -i s/before/after/ "$1"\n')
    editor.chmod(0o755)
    shown = on_terminal(cli, "edit", entry, environ={"EDITOR": str(editor)})
    assert shown.code == 0
    assert cli.json("get", entry)["title"] == "after"
    sound(cli)
