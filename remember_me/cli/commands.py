"""The table of all commands: what `--help` lists and where each command's function lives."""

from __future__ import annotations

from typing import NamedTuple

PROGRAM = "remember-me"

PANELS = ("start", "write", "read", "life", "review", "agents")
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
RECALL = "remember_me.cli.recall"
LIFE = "remember_me.cli.life"
REVIEW = "remember_me.cli.review"
PROPOSALS = "remember_me.cli.proposals"
FORGET = "remember_me.cli.forget"
AGENTS = "remember_me.cli.agents"
CONTEXT = "remember_me.cli.context"
DOCTOR = "remember_me.cli.doctor"

COMMANDS: tuple[Command, ...] = (
    Command("init", "start", START, "init", "Make a store, or adopt a folder that already holds notes."),
    Command("demo", "start", START, "demo", "Try it out in a throw-away store with sample notes."),
    Command("status", "start", START, "status", "Say what the store holds and what needs you."),
    Command("doctor", "start", DOCTOR, "doctor", "Look for what is wrong, and mend what is safe to mend."),
    Command("config", "start", START, "config", "Show or change the settings."),
    Command("add", "write", WRITE, "add", "Save something worth remembering.", ("remember", "save")),
    Command("edit", "write", WRITE, "edit", "Open an entry in your editor."),
    Command("correct", "write", WRITE, "correct", "Replace the text of an entry; its id stays."),
    Command("contradict", "write", WRITE, "contradict", "End an entry that turned out wrong; save what holds."),
    Command("confirm", "write", WRITE, "confirm", "Say that a guess is right."),
    Command("reinforce", "write", WRITE, "reinforce", "Say that behaviour aligned with an entry again."),
    Command("pin", "write", WRITE, "pin", "Show an entry to agents every time."),
    Command("unpin", "write", WRITE, "unpin", "Take the pin off an entry."),
    Command("enable", "write", WRITE, "enable", "Serve a disabled entry again."),
    Command("disable", "write", WRITE, "disable", "Stop serving an entry, without deleting it."),
    Command("link", "write", WRITE, "link", "Link an entry to notes or other entries."),
    Command("index", "read", RECALL, "index", "List what there is to know, within a budget of tokens."),
    Command("get", "read", READ, "get", "Show one entry in full.", ("show",)),
    Command("list", "read", READ, "list_entries", "List the entries, one line each."),
    Command("search", "read", RECALL, "search", "Find entries and passages by words."),
    Command("recall", "read", RECALL, "recall", "Print the block that an agent reads."),
    Command("profile", "read", READ, "profile", "Show how to answer you, by facet."),
    Command("history", "read", READ, "history", "Show every revision of an entry."),
    Command("tokens", "read", RECALL, "tokens", "Show where a budget of tokens goes."),
    Command("promote", "life", LIFE, "promote", "Show what is due for MEMORY.md, or put it there."),
    Command("demote", "life", LIFE, "demote", "Take an entry out of MEMORY.md, with a reason."),
    Command("decay", "life", LIFE, "decay", "Show how sure each guess reads now, or on a day."),
    Command("checkin", "life", LIFE, "checkin", "Ask about one guess, or answer the question."),
    Command("maintain", "life", LIFE, "maintain", "Show the weekly maintenance, or do it."),
    Command("forget", "life", FORGET, "forget", "Delete entries for good; they cannot come back."),
    Command("erase", "life", FORGET, "erase", "Finish erasing what was forgotten from the history."),
    Command("review", "review", PROPOSALS, "review", "Show what waits for you: keep, edit or restore it."),
    Command("keep", "review", PROPOSALS, "keep", "Let what waits take effect."),
    Command("restore", "review", PROPOSALS, "restore", "Turn down what waits, or take back what an agent wrote."),
    Command("undo", "review", REVIEW, "undo", "Take back the newest operation, or any by its id."),
    Command("redo", "review", REVIEW, "redo", "Apply again what undo took back."),
    Command("log", "review", REVIEW, "log", "List the operations, newest first."),
    Command("diff", "review", REVIEW, "diff", "Show what an operation changed."),
    Command("install", "agents", AGENTS, "install", "Let an agent client read and keep memories."),
    Command("uninstall", "agents", AGENTS, "uninstall", "Take remember-me out of an agent client again."),
    Command("context", "agents", CONTEXT, "context", "Keep a section of an AGENTS.md up to date."),
)
