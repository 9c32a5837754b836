"""aider: it has no hooks, so its settings name an index file to read, which each write to the store keeps fresh."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from remember_me.clients.base import NO_FILE, TAKE_OUT, CannotMerge, Client, Edit, Memo, Surroundings
from remember_me.store.anchor import state_folder

NAME = "aider"
INDEX_NAME = "aider-index.md"
_SCALAR, _EMPTY = "read is a word", "read is empty"
_ODD = "has `read` in a form that is not changed by a program"
_NO_ROOM = "has no `read`, and a form to which a program adds none"


class _Fault(ValueError):
    pass


class _Read(NamedTuple):
    """The key `read` of the settings. `kind` is word, flow, block or empty; `key`, `start` and `end` say where the key
    begins and where its value stands in the text, `items` where the items of a list do."""

    kind: str
    key: int
    start: int
    end: int
    items: tuple[tuple[int, int], ...] = ()


def index_path(around: Surroundings) -> Path:
    """Where the index file of aider lies."""
    return state_folder(around.environ, around.home) / INDEX_NAME


def config_path(around: Surroundings) -> Path:
    """The settings of aider that count everywhere."""
    return around.home / ".aider.conf.yml"


def add(path: Path, data: bytes | None, index: Path) -> bytes:
    """The settings with the index file among what aider reads. Raises CannotMerge."""
    if data is None:
        return f"read:\n  - {_word(str(index), flow=False)}\n".encode()
    try:
        text = _text(data)
        wanted = str(index)
        before = _parse(text)
        found = _reads(before)
        if found.count(wanted) == 1 and sum(map(_is_ours, found)) == 1:
            return data
        if any(map(_is_ours, found)):
            text = _without(text)
        changed = _with(text, wanted)
        others = [one for one in found if not _is_ours(one)]
        odd = _ODD if "read" in (before or {}) else _NO_ROOM
        _check(changed, {**(before or {}), "read": [*others, wanted]}, odd)
    except _Fault as fault:
        raise _refusal(path, fault, index) from None
    return changed.encode()


def remove(path: Path, data: bytes, memo: Memo, index: Path) -> bytes | None:
    """The settings without the index file. Raises CannotMerge where it is in them and they are not to be changed."""
    try:
        text = _text(data)
        before = _parse(text)
        found = _reads(before)
        if not any(map(_is_ours, found)):
            return data
        changed = _without(text, memo)
        others = [one for one in found if not _is_ours(one)]
        after = _parse(changed)
        if _reads(after) != others or _rest(after) != _rest(before):
            raise _Fault(_ODD)
    except _Fault as fault:
        if INDEX_NAME.encode() not in data:
            return data
        raise _refusal(path, fault, index, taking_out=True) from None
    return None if NO_FILE in memo and not changed.strip() else changed.encode()


def memo_of(data: bytes | None) -> Memo:
    """How `read` stands in the settings, where that cannot be told any more afterwards."""
    if data is None:
        return (NO_FILE,)
    try:
        found = _find(_text(data))
    except _Fault:
        return ()
    return {"word": (_SCALAR,), "empty": (_EMPTY,)}.get(found.kind, ()) if found is not None else ()


def _refusal(path: Path, fault: _Fault, index: Path, *, taking_out: bool = False) -> CannotMerge:
    snippet = f"read:\n  - {_word(str(index), flow=False)}"
    hint = TAKE_OUT if taking_out else None
    return CannotMerge(path, str(fault), snippet, hint=hint)


def _check(text: str, wanted: dict[str, Any], odd: str) -> None:
    """Raise _Fault with `odd` where the text does not say what is wanted: then it was not understood."""
    try:
        found = _parse(text)
    except _Fault:
        found = None
    if found != wanted:
        raise _Fault(odd)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _Fault("is no UTF-8") from None


def _parse(text: str) -> dict[str, Any] | None:
    """The settings as YAML has them; None for a file without any."""
    import yaml

    try:
        documents = list(yaml.safe_load_all(text))
    except (yaml.YAMLError, RecursionError, ValueError):
        raise _Fault("is no valid YAML") from None
    if len(documents) > 1:
        raise _Fault("holds several documents")
    found = documents[0] if documents else None
    if found is not None and not isinstance(found, dict):
        raise _Fault("holds no keys with values")
    return found


def _reads(document: dict[str, Any] | None) -> list[Any]:
    found = (document or {}).get("read")
    return found if isinstance(found, list) else [] if found is None else [found]


def _rest(document: dict[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (document or {}).items() if key != "read"}


def _is_ours(item: object) -> bool:
    return isinstance(item, str) and re.split(r"[/\\]", item)[-2:] == ["remember-me", INDEX_NAME]


def _find(text: str) -> _Read | None:
    """The key `read` of the root. Raises _Fault where it is there twice or has a form that is not understood."""
    import yaml

    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        raise _Fault("is no valid YAML") from None
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    found = [(key, value) for key, value in pairs if key.value == "read"]
    if len(found) > 1:
        raise _Fault("has `read` twice")
    if not found:
        return None
    key, value = found[0]
    start, end = value.start_mark.index, value.end_mark.index
    if isinstance(value, yaml.ScalarNode):
        if value.style not in (None, "'", '"') or text[start : start + 1] in ("&", "*", "!"):
            raise _Fault(_ODD)
        return _Read("word" if end > start else "empty", key.start_mark.index, start, end)
    if not isinstance(value, yaml.SequenceNode):
        raise _Fault(_ODD)
    items = tuple((item.start_mark.index, item.end_mark.index) for item in value.value)
    return _Read("flow" if value.flow_style else "block", key.start_mark.index, start, end, items)


def _with(text: str, wanted: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    found = _find(text)
    if found is None:
        block = f"read:{newline}  - {_word(wanted, flow=False)}"
        return f"{text}{block}{newline}" if not text or text.endswith("\n") else f"{text}{newline}{block}"
    if found.kind == "word":
        return f"{text[: found.start]}[{text[found.start : found.end]}, {_word(wanted, flow=True)}]{text[found.end :]}"
    if found.kind == "flow":
        at = found.items[-1][1] if found.items else found.start + 1
        return f"{text[:at]}{', ' if found.items else ''}{_word(wanted, flow=True)}{text[at:]}"
    lead, at = "  - ", found.key
    if found.items:
        at, last = found.items[-1]
        lead = text[_line_start(text, at) : at]
        if "\n" in text[at:last] or lead.strip() != "-":
            raise _Fault(_ODD)
    end = text.find("\n", at)
    line = f"{lead}{_word(wanted, flow=False)}"
    return f"{text}{newline}{line}" if end < 0 else f"{text[: end + 1]}{line}{newline}{text[end + 1 :]}"


def _without(text: str, memo: Memo = ()) -> str:
    """The text without our items, and without the key where it has no other."""
    while (found := _find(text)) is not None:
        ours = [at for at, (start, end) in enumerate(found.items) if _is_ours(_scalar(text[start:end]))]
        if found.kind == "word" and _is_ours(_scalar(text[found.start : found.end])):
            return f"{text[: found.start]}[]{text[found.end :]}"
        if not ours:
            break
        text = (_without_flow if found.kind == "flow" else _without_line)(text, found, ours[-1], memo)
    return text


def _without_flow(text: str, found: _Read, at: int, memo: Memo) -> str:
    items = found.items
    if len(items) == 2 and _SCALAR in memo:
        start, end = items[1 - at]
        return text[: found.start] + text[start:end] + text[found.end :]
    if at > 0:
        return text[: items[at - 1][1]] + text[items[at][1] :]
    return text[: items[0][0]] + text[items[1][0] if len(items) > 1 else items[0][1] :]


def _without_line(text: str, found: _Read, at: int, memo: Memo) -> str:
    start = _line_start(text, found.items[at][0])
    if len(found.items) == 1 and _EMPTY not in memo:
        start = _line_start(text, found.key)
    end = text.find("\n", found.items[at][1])
    if end >= 0:
        return text[:start] + text[end + 1 :]
    return re.sub(r"\r?\n\Z", "", text[:start])


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _scalar(text: str) -> object:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _word(text: str, *, flow: bool) -> str:
    """`text` as YAML reads it back, in quotes where it must be."""
    import yaml

    try:
        plain = yaml.safe_load(f"[{text}]") == [text] if flow else yaml.safe_load(f"- {text}") == [text]
    except yaml.YAMLError:
        plain = False
    return text if plain else json.dumps(text, ensure_ascii=False)


def _edits(around: Surroundings) -> tuple[Edit, ...]:
    path, index = config_path(around), index_path(around)
    return (
        Edit(
            path,
            lambda data: add(path, data, index),
            lambda data: remove(path, data, (), index),
            "read",
            memo=memo_of,
            remove_with=lambda data, memo: remove(path, data, memo, index),
        ),
    )


AIDER = Client(
    NAME,
    "aider",
    "aider",
    {},
    lambda around: around.has_program("aider") or config_path(around).exists() or (around.home / ".aider").is_dir(),
    _edits,
    lambda around: ("aider reads the index when it starts; it has no hooks, so it saves nothing by itself.",),
    index_path,
)
