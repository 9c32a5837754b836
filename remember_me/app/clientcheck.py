"""What `doctor` says of the agent clients: their version, whether our hooks are there and run, and what competes.

Nothing of a client is changed; its settings are read, and its program is asked for its version.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from remember_me.app.findings import NOTE, WARNING, Finding
from remember_me.app.programs import ask_program
from remember_me.clients import claude_code
from remember_me.clients.base import CannotMerge, Client, Edit, Surroundings
from remember_me.clients.hooks import OurHook, our_hooks
from remember_me.clients.skill import SKILL
from remember_me.notes.clock import render_offset
from remember_me.notes.note import decode
from remember_me.store.listing import reason_of
from remember_me.store.outside import read_outside
from remember_me.store.sessions import Fired

VERSION_SECONDS = 5.0
SLOW_MS = 1_000
"""A hook stops after that long by itself (DESIGN section 9); one that took longer was held up by the machine."""

_VERSION = re.compile(r"[0-9]+\.[0-9]+[0-9A-Za-z.+-]*")


_PLUGIN = re.compile(r"^const (PROGRAM|OPTIONS) = (.*)$", re.MULTILINE)
"""Where our plugin names the program that it calls, and for which store."""


class Seen(NamedTuple):
    """What is known here: the `store` of this call, the last hooks that ran, and the mode of hooks."""

    store: Path
    fired: Sequence[Fired] = ()
    mode: str = "enabled"


class _Part(NamedTuple):
    """One file of a client's: its bytes, and whether what is ours is in it: all of it, none, or not as it should be."""

    edit: Edit
    data: bytes | None
    state: str
    reason: str | None = None


_THERE, _MISSING, _CHANGED, _UNREADABLE = "there", "missing", "changed", "unreadable"


def check_clients(clients: Iterable[Client], around: Surroundings, seen: Seen) -> Iterator[Finding]:
    """What there is to say of each client that seems to be in use."""
    used = [client for client in clients if client.is_there(around) and _is_used(client, around)]
    with ThreadPoolExecutor(max_workers=max(len(used), 1)) as pool:
        versions = list(pool.map(lambda client: _version(client, around), used))
    for client, version in zip(used, versions, strict=True):
        yield from _check(client, version, around, seen)


def _is_used(client: Client, around: Surroundings) -> bool:
    """Whether there is a folder of the client's. Nothing is said of a program that merely lies on the PATH."""
    return _folder(client.edits(around)[0].path, around.home).exists()


def _folder(path: Path, home: Path) -> Path:
    """The folder of a client in the home that leads to `path`, `~/.claude` or `~/.config/opencode`; else its own."""
    try:
        first, *rest = path.relative_to(home).parts
    except ValueError:
        return path.parent
    return home / first / rest[0] if first == ".config" and len(rest) > 1 else home / first


def _version(client: Client, around: Surroundings) -> str:
    """Its version as its program says it, else why there is none."""
    program = shutil.which(client.program, path=around.environ.get("PATH", os.defpath))
    if program is None:
        return "(not on the PATH)"
    found = _VERSION.search(ask_program([program, "--version"], around.environ, VERSION_SECONDS) or "")
    return found[0] if found else "(does not say its version)"


def _check(client: Client, version: str, around: Surroundings, seen: Seen) -> Iterator[Finding]:
    parts = _parts(client, around, seen)
    known = f"{client.title} {version}"
    for part in parts:
        if part.state == _UNREADABLE:
            hint = f"`remember-me install {client.name} --dry-run` shows what belongs into it."
            yield Finding(WARNING, part.reason or "cannot be read", str(part.edit.path), hint)
    if parts[0].state in (_MISSING, _UNREADABLE):
        if client.name == "claude-code" and claude_code.is_plugin_on(_json(parts[0].data or b"")):
            yield Finding(NOTE, f"{known}: installed as a plugin; {_last(client, seen)}")
            return
        yield Finding(NOTE, f"{known}: not installed", hint="Install it:", command=f"install {client.name}")
        return
    yield from _out_of_date(client, parts, around)
    mode = "" if seen.mode == "enabled" else f"; the mode is {seen.mode}"
    yield Finding(NOTE, f"{known}: installed{mode}; {_last(client, seen)}")
    yield from _slow(client, seen)
    for part in parts:
        yield from _pointers(client, part, seen)
    if client.name == "codex":
        yield from _untrusted(parts)
    if client.name == "claude-code":
        yield from _competing(parts, around.environ)


def _parts(client: Client, around: Surroundings, seen: Seen) -> list[_Part]:
    """The files of a client. Its hooks may name this store or find it by themselves: both are as they should be."""
    ways = (around, around._replace(store=seen.store), around._replace(store=None))
    found = [[_part(edit) for edit in client.edits(way)] for way in ways]
    return next((parts for parts in found if all(part.state == _THERE for part in parts)), found[0])


def _out_of_date(client: Client, parts: Sequence[_Part], around: Surroundings) -> Iterator[Finding]:
    """Files of a client that are not as installing would leave them."""
    again = f"install {client.name}"
    for part in parts:
        place = str(part.edit.path)
        if part.state == _CHANGED and part.edit.what == SKILL:
            yield Finding(NOTE, f"{client.title}: its skill was edited by hand, or is of another version", place)
        elif part.state in (_CHANGED, _MISSING):
            is_so = "lacks what is ours" if part.state == _MISSING else "has not what would be installed now"
            yield Finding(WARNING, f"{client.title}: {is_so}", place, "Bring it up to date:", again)
    index = client.index_file(around) if client.index_file is not None else None
    if index is not None and not index.exists():
        yield Finding(WARNING, f"{client.title}: its index file is gone", str(index), "Write it anew:", again)


def _part(edit: Edit) -> _Part:
    try:
        data = read_outside(edit.path)
    except OSError as error:
        return _Part(edit, None, _UNREADABLE, f"cannot be read: {reason_of(error)}")
    except ValueError as error:
        return _Part(edit, None, _UNREADABLE, str(error))
    if data is None:
        return _Part(edit, None, _MISSING)
    try:
        if edit.add(data) == data:
            return _Part(edit, data, _THERE)
        return _Part(edit, data, _MISSING if edit.remove(data) == data else _CHANGED)
    except CannotMerge as error:
        return _Part(edit, data, _UNREADABLE, str(error).removeprefix(f"{edit.path} ").rstrip("."))


def _last(client: Client, seen: Seen) -> str:
    """When each of its events fired last, and how long that took."""
    if not client.events:
        return "it has no hooks"
    mine = [one for one in seen.fired if one.client == client.name]
    if not mine:
        return "no hook has run yet"
    runs = (f"{one.event} {one.at:%Y-%m-%d %H:%M} {render_offset(one.at)} ({one.took_ms} ms)" for one in mine)
    return f"last run: {', '.join(runs)}"


def _slow(client: Client, seen: Seen) -> Iterator[Finding]:
    for one in seen.fired:
        if one.client == client.name and one.took_ms > SLOW_MS:
            what = f"{client.title}: its hook {one.event} took {one.took_ms} ms, and says nothing after {SLOW_MS} ms"
            yield Finding(WARNING, what, hint="Look at what keeps the machine or the disk busy.")


def _pointers(client: Client, part: _Part, seen: Seen) -> Iterator[Finding]:
    """Hooks that lead to another store, to a program that is gone, or that run twice."""
    ours, place = _calls(client, part), str(part.edit.path)
    again = f"install {client.name}"
    for program in dict.fromkeys(hook.words[0] for hook in ours):
        if os.path.isabs(program) and not os.path.exists(program):
            yield Finding(WARNING, f"{client.title} runs {program}, which is gone", place, "Install it anew:", again)
    for store in dict.fromkeys(_store_of(hook) for hook in ours):
        if store is not None and os.path.realpath(os.path.expanduser(store)) != os.path.realpath(seen.store):
            what = f"{client.title} uses the store {store}, not {seen.store}"
            yield Finding(WARNING, what, place, "To have this one there:", again)
    meant = Counter(client.events.values())
    for event, number in Counter(_event_of(hook, client) for hook in ours).items():
        if number > max(meant[event], 1):
            what = f"{client.title} runs the hook {event} {number} times"
            yield Finding(WARNING, what, place, "Take out all but one, by hand.")


def _calls(client: Client, part: _Part) -> list[OurHook]:
    """The calls of our program in a file of the client's: its hooks, or what a plugin of ours says of itself."""
    if not part.edit.own or part.edit.what == SKILL:
        return our_hooks(part.data or b"", client.name)
    says = dict(_PLUGIN.findall(decode(part.data or b"")))
    try:
        program, options = json.loads(says.get("PROGRAM", '""')), json.loads(says.get("OPTIONS", "[]"))
    except ValueError:
        return []
    return [OurHook("", 0, 0, (str(program), "hook", client.name, *map(str, options)))]


def _store_of(hook: OurHook) -> str | None:
    """The store that a hook names, or None."""
    for at, word in enumerate(hook.words):
        name, equals, value = word.partition("=")
        if name == "--store":
            return value if equals else next(iter(hook.words[at + 1 :]), None)
    return None


def _event_of(hook: OurHook, client: Client) -> str:
    at = hook.words.index(client.name)
    return hook.words[at + 1] if at + 1 < len(hook.words) else ""


def _untrusted(parts: Iterable[_Part]) -> Iterator[Finding]:
    """Codex runs no hook that its user did not trust, and says nothing about it."""
    for part in parts:
        if part.edit.path.name != "hooks.json" or part.data is None:
            continue
        path = part.edit.path
        trusted = _trusted_hooks(path.parent / "config.toml")
        places = {f"{name}:" for name in (str(path), os.path.realpath(path))}
        lacking = [key for key in _own_hooks(part.data) if not any(f"{place}{key}" in trusted for place in places)]
        if lacking:
            events = ", ".join(dict.fromkeys(key.split(":")[0] for key in lacking))
            hint = "In Codex, type /hooks and trust those of remember-me; until then it runs none of them."
            yield Finding(WARNING, f"Codex does not trust our hooks yet: {events}", str(path), hint)


def _own_hooks(data: bytes) -> Iterator[str]:
    """`event:group:hook` of each hook of ours, as Codex names them."""
    for hook in our_hooks(data, "codex"):
        yield f"{re.sub(r'(?<!^)(?=[A-Z])', '_', hook.event).lower()}:{hook.group}:{hook.hook}"


def _trusted_hooks(config: Path) -> set[str]:
    import tomllib

    try:
        document = tomllib.loads(decode(read_outside(config) or b""))
    except (OSError, ValueError):
        return set()
    hooks = document.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    rows = state.items() if isinstance(state, dict) else ()
    return {key for key, value in rows if isinstance(value, dict) and value.get("trusted_hash")}


def _competing(parts: Iterable[_Part], environ: Mapping[str, str]) -> Iterator[Finding]:
    """Claude Code's own auto memory, and our hooks from a plugin beside those of the settings."""
    for part in parts:
        if part.edit.path.name != "settings.json" or part.data is None:
            continue
        settings, place = _json(part.data), str(part.edit.path)
        if not claude_code.is_alone(settings, environ):
            what = "Claude Code keeps an auto memory of its own beside this one"
            yield Finding(NOTE, what, place, "To switch it off:", "install claude-code --no-auto-memory")
        if claude_code.is_plugin_on(settings) and our_hooks(part.data, "claude-code"):
            what = "Claude Code runs our hooks twice: from its settings and from the plugin remember-me"
            yield Finding(WARNING, what, place, "Keep one of them:", "uninstall claude-code")


def _json(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
