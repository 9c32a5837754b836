"""Commands of what waits for a person: review, keep, restore."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from remember_me.app import proposals, shapes
from remember_me.app.proposals import Card
from remember_me.app.wiring import Session
from remember_me.cli.entries import insisting
from remember_me.cli.options import Globals
from remember_me.cli.output import (
    answer,
    answer_json,
    answer_line,
    command,
    moment,
    on_terminal,
    place,
    remark,
    report_write,
    say,
    session_of,
    tell_uncommitted,
    writer_of,
)
from remember_me.cli.words import Anew, globals_of
from remember_me.errors import RememberMeError
from remember_me.model.entry import Entry
from remember_me.store.store import Applied

CardId = Annotated[str, typer.Argument(metavar="ID", help="A proposal, or an entry that an agent wrote.")]


def review(
    ctx: typer.Context,
    card: Annotated[str | None, typer.Argument(metavar="[ID]", help="Only this one.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what agents wrote by themselves and you have not kept yet.")
    ] = False,
) -> None:
    """Show what waits for you. On a terminal each card takes one key: keep, edit, restore, skip, quit."""
    given = globals_of(ctx)
    opened = session_of(given)
    found = [proposals.card(opened, card)] if card else proposals.cards(opened, everything=everything)
    if given.json:
        answer_json([shapes.card_document(one, opened.view(), diff_of(one)) for one in found])
        return
    if given.quiet:
        for one in found:
            answer_line(one.id)
        return
    if found and on_terminal() and sys.stdin is not None and sys.stdin.isatty() and not given.yes:
        _ask_each(given, writer_of(given), found)
        return
    for number, one in enumerate(found):
        answer("\n".join(([""] if number else []) + card_lines(one)))
        answer_line(f"  {command(given, f'keep {one.id}')} · {command(given, f'restore {one.id}')}")
    if not found:
        remark(given, "Nothing waits for review.")


def card_lines(card: Card) -> list[str]:
    """A card as lines: who wants what and why it waits, the exact text, its quotes, and what it would change."""
    if card.fault is not None:
        at = f"{card.fault.path}:{card.fault.line}" if card.fault.line else card.fault.path
        return [
            f"^{card.id} cannot be read: {at}: {card.fault.reason}",
            "  it still waits: edit it, or restore it",
        ]
    proposal, entry = card.proposal, card.entry
    head = f"^{card.id} {card.verb} by {card.actor}"
    if proposal is not None:
        head += f" · {moment(proposal.at)}" + (f" · {proposal.session}" if proposal.session else "")
    lines = [head, f"  {'waits because ' if proposal is not None else ''}{card.because}"]
    if card.current is not None:
        lines += [
            f"  would change ^{card.current.id} ({place(card.current)}):",
            *(f"  {line}" for line in diff_of(card)),
        ]
    if card.corrected:
        lines.append(f"  rests on a text that was corrected since: {', '.join(f'^{one}' for one in card.corrected)}")
    elif card.moved:
        lines.append("  the entry was changed since this was proposed")
    if entry is not None and (card.current is None or entry.id != card.current.id):
        lines += [f"  {line}" for line in entry_words(entry)]
    return lines


def entry_words(entry: Entry) -> list[str]:
    """An entry as a card shows it: tag and title, every field, the body."""
    lines = [f"{entry.tag}: {entry.title}", *(f"  {key}: {value}" for key, value in entry.fields)]
    return lines + ([f"  {line}" for line in ("", *entry.body.split("\n"))] if entry.body else [])


def diff_of(card: Card) -> list[str]:
    """What the proposal would change in an entry that is there, as lines that begin with `-`, `+` or a space."""
    if card.current is None:
        return []
    before = entry_words(card.current)
    if card.verb in ("forget", "demote", "contradict") or card.entry is None:
        return [f"-{line}" for line in before]
    found = difflib.unified_diff(before, entry_words(card.entry), lineterm="", n=0)
    return [line for line in list(found)[2:] if not line.startswith("@@")]


_KEYS = {"k": "keep", "e": "edit", "r": "restore", "s": "skip", "q": "quit"}


def _ask_each(given: Globals, opened: Session, cards: Sequence[Card]) -> None:
    from remember_me.cli.render import wrapped

    for number, one in enumerate(cards, 1):
        shown = one
        while True:
            wrapped("\n".join([f"[{number} of {len(cards)}]", *card_lines(shown)]))
            choice = _KEYS.get(_key("  [k]eep  [e]dit  [r]estore  [s]kip  [q]uit "))
            if choice == "quit":
                return
            if choice == "edit" and shown.proposal is None and shown.fault is None:
                say(f"It counts already: {command(given, f'edit {shown.id}')}")
                continue
            if choice == "edit":
                from remember_me.cli.editor import open_editor

                open_editor(opened.store.proposals.folder / f"{shown.id}.md", 1)
                shown = proposals.card(opened, shown.id)
                continue
            try:
                if choice == "keep":
                    _keep(given, opened, shown.id, anew=False)
                elif choice == "restore":
                    _restore(given, opened, shown.id)
                elif choice is None:
                    continue
            except RememberMeError as error:
                say(f"{error}")
                if error.hint:
                    say(f"Hint: {error.hint}")
            break


def _key(question: str) -> str:
    """One key, without Enter where the terminal can do that."""
    print(question, end="", file=sys.stderr, flush=True)
    try:
        import termios
        import tty
    except ImportError:
        return sys.stdin.readline().strip().lower()[:1] or "q"
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        found = sys.stdin.read(1).lower()
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
    print(found, file=sys.stderr)
    return found or "q"


def keep(
    ctx: typer.Context,
    card: CardId,
    anyway: Annotated[bool, typer.Option("--anyway", help="Also where the entry was changed since.")] = False,
    anew: Anew = False,
) -> None:
    """Let what waits take effect, as it stands in its card."""
    given = globals_of(ctx)
    _keep(given, writer_of(given), card, anyway=anyway, anew=anew)


def _keep(given: Globals, opened: Session, card: str, *, anyway: bool = False, anew: bool = False) -> None:
    def write(_: bool, again: bool) -> Applied:
        return proposals.keep(opened, card, anyway=anyway, anew=again)

    applied = insisting(given, opened, write, anew=anew)
    report_write(given, opened, applied, "Kept", "says so already")


def restore(ctx: typer.Context, card: CardId) -> None:
    """Turn down what waits, or take back what an agent wrote: agents cannot bring it again."""
    given = globals_of(ctx)
    _restore(given, writer_of(given), card)


def _restore(given: Globals, opened: Session, card: str) -> None:
    found, applied = proposals.restore(opened, card)
    if given.json:
        answer_json({"id": found.id, "state": "restored", "operation": applied.operation.id if applied else None})
    elif given.quiet:
        answer_line(found.id)
    else:
        answer_line(f"Restored: {found.verb or 'the proposal'} ^{found.id} is turned down.")
        if found.proposal is not None:
            answer_line(f"  readable for a week: {opened.store.proposals.own_folder.name}/rejected/{found.id}.md")
    if applied is not None:
        tell_uncommitted(applied)
