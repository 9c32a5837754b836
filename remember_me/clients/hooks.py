"""Our hooks in a JSON file of a client's: put in, kept up to date and taken out, beside those of others."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from remember_me.clients.base import NO_FILE, TAKE_OUT, CannotMerge, Edit, Memo
from remember_me.clients.jsonedit import (
    BOM,
    Node,
    NotPlain,
    decode_json,
    drop_child,
    insert_item,
    insert_member,
    parse_json,
    replace_child,
    style_of,
    value_of,
)

HOOKS = "hooks"
_BLANK = "blank"
_PROGRAMS = ("remember-me", "remember-me.exe")
_MODULE = "remember_me"
_COMMANDS = ("command", "bash", "powershell")
_PYTHON = re.compile(r"python[0-9.]*(?:\.exe)?")
_EVENT = re.compile(r"[a-z]+(?:-[a-z]+)*")
_ONE_PROGRAM = re.compile(r"""(?:[^'"\\;&|<>()`\r\n]|\\[^\r\n]|'[^']*'|"(?:[^"\\`$]|\\.|\$(?!\())*")*""", re.DOTALL)
"""A line in which a shell finds one program with its words: no second one, no redirection, none inside."""


class HookFile(NamedTuple):
    """The hooks of one client as its file is to have them: for each event of the client's one group.

    A group is the object in the list of an event: of `nested` files with the hook in a list `hooks` of its own, else
    the hook itself. `head` are members that the root must have. A file that is `private` is read by the client for us
    alone, and goes when nothing but the head is left.
    """

    path: Path
    client: str
    groups: Mapping[str, dict[str, Any]]
    nested: bool = True
    head: Mapping[str, Any] = {}
    private: bool = False

    @property
    def document(self) -> dict[str, Any]:
        """What the file holds where nobody else wrote into it."""
        return {**self.head, HOOKS: {event: [group] for event, group in self.groups.items()}}

    def edit(self) -> Edit:
        """How the hooks get into the file and out again."""
        return Edit(
            self.path, self.add, lambda data: self.remove(data, ()), "hooks", memo=self.memo, remove_with=self.remove
        )

    def refuse(self, fault: NotPlain, *, hint: str | None = None) -> CannotMerge:
        """The error for a file that is left alone."""
        return CannotMerge(self.path, str(fault), json.dumps(self.document, ensure_ascii=False, indent=2), hint=hint)

    def add(self, data: bytes | None) -> bytes:
        """The file with our hooks as they are to be. Raises CannotMerge."""
        try:
            draft = _Draft(data or b"")
            if draft.is_blank:
                fresh = json.dumps(self.document, ensure_ascii=False, indent=2) + "\n"
                return (draft.text + fresh).encode() if draft.text == BOM else fresh.encode()
            if draft.root.kind != "object":
                raise NotPlain("holds no JSON object")
            for key, value in self.head.items():
                if draft.root.member(key) is None:
                    draft.put_member((), key, value)
            for event in draft.keys(HOOKS):
                if event not in self.groups:
                    self._drop_ours(draft, event)
            for event, group in self.groups.items():
                self._settle(draft, event, group)
        except NotPlain as fault:
            raise self.refuse(fault) from None
        return draft.data

    def remove(self, data: bytes, memo: Memo) -> bytes | None:
        """The file without our hooks. Raises CannotMerge where it seems to have some and is not to be changed."""
        try:
            draft = _Draft(data)
            if draft.is_blank or draft.root.kind != "object":
                return data
            changed = False
            for event in draft.keys(HOOKS):
                if self._drop_ours(draft, event):
                    changed = True
                    if not draft.children(HOOKS, event) and f"{HOOKS}/{event}" not in memo:
                        draft.drop_member((HOOKS,), event)
            if not changed:
                return data
            if not draft.children(HOOKS) and HOOKS not in memo:
                draft.drop_member((), HOOKS)
            return self._rest(draft, memo)
        except NotPlain as fault:
            if any(name.encode() in data for name in (*_PROGRAMS, _MODULE)):
                raise self.refuse(fault, hint=TAKE_OUT) from None
            return data

    def _rest(self, draft: _Draft, memo: Memo) -> bytes | None:
        """What is left of a file that our hooks are out of."""
        if self.private or NO_FILE in memo or _BLANK in memo:
            rest = value_of(draft.text, draft.root)
            if not rest or rest == self.head:
                return None if _BLANK not in memo else b""
        return draft.data

    def memo(self, data: bytes | None) -> Memo:
        """What is empty in the file, or that there is none."""
        if data is None:
            return (NO_FILE,)
        try:
            draft = _Draft(data)
            if draft.is_blank:
                return (_BLANK,)
            if draft.root.kind != "object" or draft.root.member(HOOKS) is None:
                return ()
            if not draft.children(HOOKS):
                return (HOOKS,)
            return tuple(f"{HOOKS}/{event}" for event in draft.keys(HOOKS) if not draft.children(HOOKS, event))
        except NotPlain:
            return ()

    def _settle(self, draft: _Draft, event: str, group: dict[str, Any]) -> None:
        """Let the event have our group once: as it is there already, else in the place of an older one, else last."""
        if draft.root.member(HOOKS) is None:
            draft.put_member((), HOOKS, {event: [group]})
            return
        if draft.find(HOOKS, event) is None:
            draft.children(HOOKS)
            draft.put_member((HOOKS,), event, [group])
            return
        ours = list(self._ours(draft, event))
        right = [place for place in ours if self._is_right(draft, event, place, group)]
        usable = [place for place in ours if self._is_alone(draft, event, place)]
        keep = next(iter(right or usable), None)
        for place in reversed(ours):
            if place != keep:
                self._drop(draft, event, place)
        if keep is None:
            draft.put_item((HOOKS, event), group)
        elif not right:
            place = next(self._ours(draft, event))  # the numbers have shifted
            draft.replace((HOOKS, event), place[0], group)

    def _ours(self, draft: _Draft, event: str) -> Iterator[tuple[int, int | None]]:
        """(number of the group, number of the hook in it) of each hook of ours."""
        draft.children(HOOKS, event)
        for at, group in enumerate(draft.value(HOOKS, event)):
            if not self.nested:
                if is_ours(group, self.client):
                    yield at, None
                continue
            hooks = group.get(HOOKS) if isinstance(group, dict) else None
            for number, hook in enumerate(hooks if isinstance(hooks, list) else ()):
                if is_ours(hook, self.client):
                    yield at, number

    def _is_alone(self, draft: _Draft, event: str, place: tuple[int, int | None]) -> bool:
        """Whether nobody else's hook is in the group."""
        return place[1] is None or len(draft.value(HOOKS, event)[place[0]][HOOKS]) == 1

    def _is_right(self, draft: _Draft, event: str, place: tuple[int, int | None], group: dict[str, Any]) -> bool:
        """Whether our hook stands there as it is to be, maybe together with others."""
        found = draft.value(HOOKS, event)[place[0]]
        if place[1] is None or found == group:
            return bool(found == group)
        rest = {key: value for key, value in found.items() if key != HOOKS}
        return (
            rest == {key: value for key, value in group.items() if key != HOOKS}
            and found[HOOKS][place[1]] == group[HOOKS][0]
        )

    def _drop_ours(self, draft: _Draft, event: str) -> bool:
        ours = list(self._ours(draft, event))
        for place in reversed(ours):
            self._drop(draft, event, place)
        return bool(ours)

    def _drop(self, draft: _Draft, event: str, place: tuple[int, int | None]) -> None:
        """Take out a hook of ours, and its group where that has no other. Later ones first: the numbers shift."""
        if place[1] is None or self._is_alone(draft, event, place):
            draft.drop((HOOKS, event), place[0])
        else:
            draft.drop((HOOKS, event, place[0], HOOKS), place[1])


class _Draft:
    """A document at work: read again after each change."""

    def __init__(self, data: bytes) -> None:
        self.before = data
        self._set(decode_json(data))
        self.style = style_of(self.text, self.root)

    def _set(self, text: str) -> None:
        self.text = text
        self.is_blank = not text.removeprefix(BOM).strip(" \t\r\n")
        self.root = parse_json(text) if not self.is_blank else Node("scalar", 0, 0)

    @property
    def data(self) -> bytes:
        return self.text.encode()

    def find(self, *path: str | int) -> Node | None:
        node: Node | None = self.root
        for step in path:
            if node is None:
                return None
            node = node.member(step) if isinstance(step, str) else node.children[step]
        return node

    def get(self, path: Sequence[str | int]) -> Node:
        """The list or object at `path`. Raises NotPlain where it is something else."""
        node = self.find(*path)
        wanted = "object" if not path or tuple(path) == (HOOKS,) else "array"
        if node is None or node.kind != wanted:
            what = "an object" if wanted == "object" else "a list"
            raise NotPlain(f"has {'.'.join(map(str, path))} as something else than {what}")
        return node

    def children(self, *path: str | int) -> tuple[Node, ...]:
        return self.get(path).children

    def keys(self, *path: str) -> tuple[str, ...]:
        """The keys of an object, none where it is not there."""
        if self.find(*path) is None:
            return ()
        keys = self.get(path).keys
        for key in keys:
            self.get(path).member(key)
        return keys

    def value(self, *path: str | int) -> Any:
        return value_of(self.text, self.get(path))

    def put_member(self, path: Sequence[str | int], key: str, value: object) -> None:
        self._set(insert_member(self.text, self.get(path), self.style, key, value))

    def put_item(self, path: Sequence[str | int], value: object) -> None:
        self._set(insert_item(self.text, self.get(path), self.style, value))

    def replace(self, path: Sequence[str | int], at: int, value: object) -> None:
        self._set(replace_child(self.text, self.get(path), at, self.style, value))

    def drop(self, path: Sequence[str | int], at: int) -> None:
        self._set(drop_child(self.text, self.get(path), at))

    def drop_member(self, path: Sequence[str | int], key: str) -> None:
        self.drop(path, self.get(path).keys.index(key))


class OurHook(NamedTuple):
    """A hook of ours in a file: its event, the number of its group in the event's list, its number in that group (0
    where the group is the hook itself), and the words of its command, the program first."""

    event: str
    group: int
    hook: int
    words: tuple[str, ...]


def our_hooks(data: bytes | str | Mapping[str, Any], client: str) -> list[OurHook]:
    """The hooks of ours for that client, in their order, in a file's bytes, its text or its document; none where it is
    no such file. Only a hook that does nothing else than call us is ours."""
    document = data if isinstance(data, Mapping) else _document(data)
    events = document.get(HOOKS)
    found: list[OurHook] = []
    for event, groups in events.items() if isinstance(events, dict) else ():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            nested = group.get(HOOKS) if isinstance(group, dict) else None
            for number, hook in enumerate(nested if isinstance(nested, list) else [group]):
                words = _words_of_ours(hook, client)
                if words is not None:
                    found.append(OurHook(event, at, number, words))
    return found


def is_ours(hook: object, client: str) -> bool:
    """Whether all that a hook does is to call `remember-me hook CLIENT EVENT`, wherever our program lies."""
    return _words_of_ours(hook, client) is not None


def _document(data: bytes | str) -> Mapping[str, Any]:
    try:
        found = json.loads((data.decode("utf-8") if isinstance(data, bytes) else data).removeprefix(BOM))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _words_of_ours(hook: object, client: str) -> tuple[str, ...] | None:
    """The words of a hook of ours; None for one that is not, or that runs something else as well."""
    if not isinstance(hook, dict):
        return None
    lines = [hook[key] for key in _COMMANDS if key in hook]
    calls = [_words(line, hook.get("args")) for line in lines]
    return calls[0] if calls and all(_calls_us(words, client) for words in calls) else None


def _words(line: object, arguments: object) -> tuple[str, ...]:
    """The words of one command; none where a shell would do more with the line than run one program."""
    if not isinstance(line, str):
        return ()
    if arguments:
        given = arguments if isinstance(arguments, list) else [None]
        return (line, *given) if all(isinstance(one, str) for one in given) else ()
    if not _ONE_PROGRAM.fullmatch(line):
        return ()
    try:
        return tuple(shlex.split(line))
    except ValueError:
        return ()


def _calls_us(words: Sequence[str], client: str) -> bool:
    """Whether the words are `PROGRAM hook CLIENT EVENT`, maybe with a `--store` before or behind, and nothing else."""
    if not words:
        return False
    name = re.split(r"[/\\]", words[0])[-1]
    as_module = _PYTHON.fullmatch(name) and tuple(words[1:3]) == ("-m", _MODULE)
    if not as_module and name not in _PROGRAMS:
        return False
    rest = _without_store(words[3 if as_module else 1 :])
    return len(rest) == 3 and rest[:2] == ["hook", client] and _EVENT.fullmatch(rest[2]) is not None


def _without_store(words: Sequence[str]) -> list[str]:
    """The words without one `--store X` or `--store=X` at their begin or end."""
    rest = list(words)
    for at, end in ((0, 2), (-2, None)):
        if rest[at:end][:1] == ["--store"] and len(rest) > 2:
            del rest[at:end]
            return rest
    for at in (0, -1):
        if rest and rest[at].startswith("--store="):
            del rest[at]
            return rest
    return rest


def set_member(data: bytes, key: str, value: object) -> tuple[bytes, str | None]:
    """(the file with that member of the root, the JSON that stood there before or None). Raises NotPlain."""
    draft = _Draft(data)
    root = draft.get(())
    old = root.member(key)
    before = None if old is None else draft.text[old.start : old.end]
    if old is None:
        draft.put_member((), key, value)
    elif value_of(draft.text, old) != value:
        draft.replace((), root.keys.index(key), value)
    return draft.data, before


def put_member_back(data: bytes, key: str, value: object, before: str | None) -> bytes:
    """The file as it was before `set_member`, where the member still has that value."""
    try:
        draft = _Draft(data)
        root = draft.get(())
        found = root.member(key)
        is_ours_still = found is not None and value_of(draft.text, found) == value
    except NotPlain:
        return data
    if found is None or not is_ours_still:
        return data
    if before is None:
        draft.drop_member((), key)
        return draft.data
    return f"{draft.text[: found.start]}{before}{draft.text[found.end :]}".encode()
