"""What `index`, `search` and `recall` do once their words are parsed. Does without Typer: see direct.py."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remember_me.app import recall as reading
from remember_me.cli.options import Globals
from remember_me.cli.output import answer, answer_json, answer_line, command, on_terminal, remark, session_of, view_of
from remember_me.errors import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remember_me.app.wiring import View
    from remember_me.recall.context import Block
    from remember_me.recall.search import Hit
    from remember_me.store.state import State


def show_index(
    given: Globals,
    *,
    tokens: int | None = None,
    most_bytes: int | None = None,
    scope: str | None = None,
    at: str | None = None,
) -> None:
    """Show the index, of now or of an earlier day."""
    view = view_of(given)
    asked = reading.Asked(tokens, most_bytes, view.scopes(scope))
    if at is not None:
        from remember_me.app import past

        found = past.index_at(session_of(given), view, at, dict(os.environ), asked)
    else:
        found = reading.index(view, state_of(view), dict(os.environ), asked)
    if given.json:
        answer_json({"text": found.text, "shown": list(found.shown), "left_out": found.left_out})
    elif found.text:
        answer(found.text.removesuffix("\n"))
    else:
        remark(given, f"There is no entry to list. Save one: {command(given, 'add TEXT')}")


def show_search(
    given: Globals,
    words: str,
    *,
    tags: Iterable[str] = (),
    scope: str | None = None,
    statuses: Iterable[str] = (),
    since: str | None = None,
    limit: int | None = None,
) -> None:
    """Show what a search finds, best first; where nothing is found, what was searched."""
    view = view_of(given)
    scopes, statuses = view.scopes(scope), tuple(statuses)
    wanted = reading.wanted_of(words, tags=tags, scopes=scopes, statuses=statuses, since=since, limit=limit)
    hits = reading.search(view, wanted)
    if given.json:
        answer_json([_hit_document(hit) for hit in hits])
        return
    if on_terminal() and hits:
        from remember_me.cli.render import hits_list

        hits_list(hits)
    else:
        for hit in hits:
            answer_line(f"{hit.id or '-'} {hit.tag or 'PROSE'} {hit.title} — {hit.note}:{hit.line}")
            if hit.snippet and hit.snippet != hit.title:
                answer_line(f"  {_marked(hit)}")
    if not hits:
        where = f" in {scopes[0]} and what belongs to no project" if scopes else ""
        what = "live entries" if not statuses else f"entries that are {' or '.join(statuses)}"
        remark(given, f"Nothing found for {shorten(words)!r}: looked through {what} and the prose of the notes{where}.")


def _marked(hit: Hit) -> str:
    """The snippet with the matched words in asterisks."""
    text, at = "", 0
    for start, end in hit.marks:
        text += f"{hit.snippet[at:start]}*{hit.snippet[start:end]}*"
        at = end
    return text + hit.snippet[at:]


def _hit_document(hit: Hit) -> dict[str, object]:
    return {
        "id": hit.id or None,
        "tag": hit.tag or None,
        "title": hit.title,
        "status": hit.status if hit.id else None,
        "scope": hit.scope,
        "created_on": hit.created,
        "expires_on": hit.expires,
        "note": hit.note,
        "line": hit.line,
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "score": round(hit.score, 4),
    }


def show_recall(
    given: Globals,
    *,
    prompt: str = "",
    tokens: int | None = None,
    most_bytes: int | None = None,
    scope: str | None = None,
    since: str | None = None,
) -> None:
    """Print the recall block, or nothing where the reader has it already."""
    view = view_of(given)
    asked = reading.Asked(tokens, most_bytes, view.scopes(scope), prompt, since)
    block = reading.recall(view, state_of(view), dict(os.environ), asked)
    if given.json:
        answer_json(_block_document(block, since))
        return
    if block.text:
        answer(block.text.removesuffix("\n"))
    elif block.etag == since:
        return  # the reader has it
    elif block.left_out:
        answer_line(f"None of {block.left_out} entries fits into {most_bytes} bytes. See {command(given, 'list')}")
    else:
        remark(given, f"There is nothing to recall yet. Save something: {command(given, 'add TEXT')}")


def _block_document(block: Block, etag: str | None) -> dict[str, object]:
    return {
        "etag": block.etag,
        "changed": etag != block.etag,
        "text": block.text,
        "shown": list(block.shown),
        "full": list(block.full),
        "left_out": block.left_out,
    }


def state_of(view: View) -> State:
    """What is known beside the notes of that store."""
    from remember_me.store.state import STATE_NAME, State

    return State(view.reader.own_folder / STATE_NAME)
