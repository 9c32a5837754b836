"""Settings: those of a store, which travel with it, and those of this machine, which never do (DESIGN 3)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from remember_me.errors import InvalidInput
from remember_me.notes.clock import zone
from remember_me.notes.layout import SETTINGS_NAME

STORE, MACHINE = "store", "machine"


class Setting(NamedTuple):
    """One setting: its key `section.name`, where it is kept, its default, and the values it may have.

    `choices` is empty where any text is possible; `check` then names a rule of `_fault`.
    """

    key: str
    kept_in: str
    default: str
    choices: tuple[str, ...] = ()
    check: str = ""


SETTINGS = (
    Setting("store.notes", STORE, "memory", check="folder"),
    Setting("store.timezone", STORE, "", check="zone"),
    Setting("trust.scripts", MACHINE, "review", ("review", "person")),
    Setting("agents.mode", MACHINE, "enabled", ("off", "shadow", "enabled")),
)


class Found(NamedTuple):
    """A setting with its value and the file that says so; None means that it is the default."""

    setting: Setting
    value: str
    origin: Path | None


class BadSetting(InvalidInput):
    """A settings file says something that is none of the possible values; names file and line."""

    def __init__(self, path: Path, line: int | None, reason: str) -> None:
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {reason}.", hint="`remember-me config` shows the settings and their defaults.")


def machine_config_path(environ: Mapping[str, str]) -> Path:
    """The settings of this machine (XDG)."""
    configured = environ.get("XDG_CONFIG_HOME", "")
    base = Path(configured) if os.path.isabs(configured) else home(environ) / ".config"
    return base / "remember-me" / "config.toml"


def home(environ: Mapping[str, str]) -> Path:
    """The user's home folder."""
    return Path(environ["HOME"]) if environ.get("HOME") else Path(os.path.expanduser("~"))


def load_settings(root: Path, environ: Mapping[str, str]) -> dict[str, Found]:
    """All settings by key. Raises BadSetting for an unknown one or an impossible value."""
    files = {STORE: root / SETTINGS_NAME, MACHINE: machine_config_path(environ)}
    written = {kept_in: _read(path, kept_in) for kept_in, path in files.items()}
    found: dict[str, Found] = {}
    for setting in SETTINGS:
        value = written[setting.kept_in].get(setting.key)
        origin = files[setting.kept_in] if value is not None else None
        found[setting.key] = Found(setting, setting.default if value is None else value, origin)
    return found


def find_setting(key: str) -> Setting:
    """The setting of that key. Raises InvalidInput."""
    for setting in SETTINGS:
        if setting.key == key:
            return setting
    known = ", ".join(setting.key for setting in SETTINGS)
    raise InvalidInput(f"There is no setting {key}.", hint=f"The settings are {known}.")


def check_value(setting: Setting, value: object) -> str:
    """`value` as the setting keeps it. Raises InvalidInput; a boolean is never taken for a word."""
    reason = _fault(setting, value)
    if reason:
        raise InvalidInput(f"{setting.key} {reason}.")
    return str(value)


def with_value(text: str, setting: Setting, value: str) -> str:
    """The text of a settings file with one value changed or added; all other lines stay."""
    section, name = setting.key.split(".")
    line = f'{name} = "{value}"'
    at = _line_of(text, setting.key)
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    lines = lines if lines[-1] else lines[:-1]
    if at is not None:
        old = lines[at - 1]
        ending = old[len(old.rstrip("\r\n")) :]
        comment = re.search(r"""=\s*(?:"[^"]*"|'[^']*'|[^#"']*?)(\s*#.*)?$""", old.rstrip("\r\n"))
        lines[at - 1] = line + (comment[1] or "" if comment else "") + ending
        return "".join(lines)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    for number, existing in enumerate(lines):
        if existing.strip() == f"[{section}]":
            lines.insert(number + 1, line + "\n")
            return "".join(lines)
    return "".join([*lines, "\n" if lines else "", f"[{section}]\n", line + "\n"])


def settings_text(path: Path) -> str | None:
    """The text of a settings file; None where there is none. Raises BadSetting."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(
            path, None, f"could not be read: {getattr(error, 'strerror', None) or 'it is no UTF-8'}"
        ) from None


def _read(path: Path, kept_in: str) -> dict[str, str]:
    text = settings_text(path)
    if text is None:
        return {}
    import tomllib

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line ([0-9]+)", str(error))
        raise BadSetting(path, int(where[1]) if where else None, "is no valid TOML; words stand in quotes") from None
    values: dict[str, str] = {}
    for key, value in _flat(document):
        setting = next((s for s in SETTINGS if s.key == key), None)
        line = _line_of(text, key)
        if setting is None:
            raise BadSetting(path, line, f"there is no setting {key}")
        if setting.kept_in != kept_in:
            raise BadSetting(path, line, f"{key} belongs in the settings of the {setting.kept_in}")
        reason = _fault(setting, value)
        if reason:
            raise BadSetting(path, line, f"{key} {reason}")
        values[key] = value
    return values


def _flat(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for section, values in document.items():
        if isinstance(values, dict):
            for name, value in values.items():
                yield f"{section}.{name}", value
        else:
            yield section, values


def _line_of(text: str, key: str) -> int | None:
    section, _, name = key.rpartition(".")
    current = ""
    for number, line in enumerate(text.split("\n"), start=1):
        header = re.match(r"\s*\[([^\]]+)\]", line)
        if header:
            current = header[1].strip()
        elif current == section and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line):
            return number
    return None


def _fault(setting: Setting, value: object) -> str | None:
    if not isinstance(value, str):
        return f"is {str(value).lower()} and not a word in quotes"
    if setting.choices and value not in setting.choices:
        return f"is {value or 'empty'}, not one of {', '.join(setting.choices)}"
    if setting.check == "folder" and (
        value in ("", "..") or "/" in value or "\\" in value or (value[0] == "." and value != ".")
    ):
        return f"is {value or 'empty'}, which is no folder name"
    if setting.check == "zone" and value and zone(value) is None:
        return f"is {value}, a time zone that is not known here"
    return None
