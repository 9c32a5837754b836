"""The table of all commands: what `--help` lists and where each command's function lives."""

from __future__ import annotations

from typing import NamedTuple

PROGRAM = "remember-me"

PANELS = ("start", "write", "read", "review")
"""The groups of `--help`, in their order (DESIGN section 8)."""


class Command(NamedTuple):
    """One command. Its module is imported when the command is asked for, never for `--help`.

    A NamedTuple and not a dataclass: `dataclasses` costs 1.6 × a bare Python and `--help` needs nothing else.
    """

    name: str
    panel: str
    module: str
    function: str
    summary: str
    aliases: tuple[str, ...] = ()
    hidden: bool = False


START = "remember_me.cli.start"
WRITE = "remember_me.cli.write"
READ = "remember_me.cli.read"
REVIEW = "remember_me.cli.review"

COMMANDS: tuple[Command, ...] = (
    Command("init", "start", START, "init", "Make a store, or adopt a folder that already holds notes."),
    Command("demo", "start", START, "demo", "Try it out in a throw-away store with sample notes."),
    Command("status", "start", START, "status", "Say what the store holds and what needs you."),
    Command("config", "start", START, "config", "Show or change the settings."),
    Command("add", "write", WRITE, "add", "Save something worth remembering.", ("remember", "save")),
    Command("edit", "write", WRITE, "edit", "Open an entry in your editor."),
    Command("correct", "write", WRITE, "correct", "Replace the text of an entry; its id stays."),
    Command("pin", "write", WRITE, "pin", "Show an entry to agents every time."),
    Command("unpin", "write", WRITE, "unpin", "Take the pin off an entry."),
    Command("enable", "write", WRITE, "enable", "Serve a disabled entry again."),
    Command("disable", "write", WRITE, "disable", "Stop serving an entry, without deleting it."),
    Command("get", "read", READ, "get", "Show one entry in full.", ("show",)),
    Command("list", "read", READ, "list_entries", "List the entries, one line each."),
    Command("history", "read", READ, "history", "Show every revision of an entry."),
    Command("undo", "review", REVIEW, "undo", "Take back the newest operation, or any by its id."),
    Command("redo", "review", REVIEW, "redo", "Apply again what undo took back."),
    Command("log", "review", REVIEW, "log", "List the operations, newest first."),
    Command("diff", "review", REVIEW, "diff", "Show what an operation changed."),
)
