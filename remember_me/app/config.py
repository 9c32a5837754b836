"""Settings: those of a store, which travel with it, and those of this machine, which never do (DESIGN 3)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from remember_me.errors import InvalidInput, shorten
from remember_me.notes.clock import zone
from remember_me.notes.layout import SETTINGS_NAME
from remember_me.policy import limits
from remember_me.store.files import read_regular

STORE, MACHINE = "store", "machine"

_BOM = "\ufeff"
_LIMIT_BYTES = 1024 * 1024
_LONGEST_FOLDER_CHARACTERS = 60
_PLAIN_LINE = re.compile(
    r"[ \t]*(?:\[(?P<section>[a-z_]+)\][ \t]*|(?P<key>[a-z_]+)[ \t]*=[ \t]*"
    r"(?:\"(?P<word>[^\"\\\x00-\x1f\x7f]*)\"|(?P<number>0|[1-9][0-9]{0,8}))[ \t]*)?(?:#[^\x00-\x08\x0b-\x1f\x7f]*)?\Z"
)
_HEADER = re.compile(r"\s*\[\s*([^\[\]]*?)\s*\]")


class Setting(NamedTuple):
    """One setting: its key `section.name`, where it is kept, its default, and the values it may have.

    `choices` is empty where any text is possible; `check` then names a rule of `_fault`. A setting with `most` is a
    whole number from 1 to that, and above the one that `above` names.
    """

    key: str
    kept_in: str
    default: str
    choices: tuple[str, ...] = ()
    check: str = ""
    most: int | None = None
    above: str | None = None


def _number(key: str, default: int, most: int, above: str | None = None) -> Setting:
    return Setting(key, STORE, str(default), most=most, above=above)


_MOST_DAYS = 3650

SETTINGS = (
    Setting("store.notes", STORE, "memory", check="folder"),
    Setting("store.timezone", STORE, "", check="zone"),
    _number("decay.fade_high_days", limits.FADE_HIGH_DAYS, _MOST_DAYS),
    _number("decay.fade_medium_days", limits.FADE_MEDIUM_DAYS, _MOST_DAYS, above="decay.fade_high_days"),
    _number("decay.discard_days", limits.DISCARD_DAYS, _MOST_DAYS, above="decay.fade_medium_days"),
    _number("decay.unvalidated_sessions", limits.UNVALIDATED_SESSIONS, 1000),
    _number("promote.sessions", limits.PROMOTE_SESSIONS, 1000),
    _number("capture.hypotheses_per_session", limits.HYPOTHESES_PER_SESSION, 1000),
    _number("maintain.notes", limits.REVIEWED_NOTES, _MOST_DAYS),
    _number("maintain.every_days", limits.MAINTAIN_EVERY_DAYS, _MOST_DAYS),
    _number("maintain.long_term_tokens", limits.LONG_TERM_TOKENS, 1_000_000),
    Setting("maintain.auto", STORE, "remind", ("remind", "apply", "off")),
    Setting("trust.scripts", MACHINE, "review", ("review", "person")),
    Setting("review.agent", MACHINE, "ungrounded", ("ungrounded", "always", "never")),
    Setting("agents.mode", MACHINE, "enabled", ("off", "shadow", "enabled")),
    Setting("agents.receipts", MACHINE, "interactive", ("interactive", "all")),
    Setting("agents.folders", MACHINE, ""),
)


class Found(NamedTuple):
    """A setting with its value and the file that says so; None means that it is the default."""

    setting: Setting
    value: str
    origin: Path | None


class BadSetting(InvalidInput):
    """A settings file says something that is none of the possible values; names file and line."""

    hint = "Mend the line, or take it out to have the default."

    def __init__(self, path: Path, line: int | None, reason: str, *, hint: str | None = None) -> None:
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {reason}.", hint=hint)


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
    for setting in SETTINGS:
        _check_order(setting, found)
    return found


def limits_of(settings: Mapping[str, Found]) -> limits.Limits:
    """The numbers of the rules as the store's settings have them."""
    return limits.Limits(**{name: int(settings[key].value) for name, key in _LIMIT_KEYS.items()})


_LIMIT_KEYS = {
    "fade_high_days": "decay.fade_high_days",
    "fade_medium_days": "decay.fade_medium_days",
    "discard_days": "decay.discard_days",
    "unvalidated_sessions": "decay.unvalidated_sessions",
    "promote_sessions": "promote.sessions",
    "reviewed_notes": "maintain.notes",
    "maintain_every_days": "maintain.every_days",
    "long_term_tokens": "maintain.long_term_tokens",
    "hypotheses_per_session": "capture.hypotheses_per_session",
}


def _check_order(setting: Setting, found: Mapping[str, Found]) -> None:
    """Raise BadSetting where a number is not above the one it has to be above, at the line that was written."""
    if setting.above is None:
        return
    high, low = found[setting.key], found[setting.above]
    if int(high.value) > int(low.value):
        return
    wrong = high if high.origin is not None else low
    if wrong.origin is not None:
        line = _line_of(settings_text(wrong.origin) or "", wrong.setting.key)
        reason = f"{setting.key} is {high.value}, not above {setting.above}, which is {low.value}"
        raise BadSetting(wrong.origin, line, reason, hint="Change one of the two, or take it out to have the default.")


def find_setting(key: str) -> Setting:
    """The setting of that key. Raises InvalidInput."""
    for setting in SETTINGS:
        if setting.key == key:
            return setting
    known = ", ".join(setting.key for setting in SETTINGS)
    raise InvalidInput(f"There is no setting {shorten(key)}.", hint=f"The settings are {known}.")


def check_value(setting: Setting, value: object) -> str:
    """`value` as the setting keeps it. Raises InvalidInput; a boolean is never taken for a word."""
    if setting.most is not None and isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    reason = _fault(setting, value)
    if reason:
        raise InvalidInput(f"{setting.key} {reason}.")
    return str(value)


def with_value(text: str, setting: Setting, value: str) -> str:
    """The text of a settings file with one value changed or added; all other lines stay.

    Raises InvalidInput where the value would not read back, as where the file has the section in another form.
    """
    import json

    section, name = setting.key.split(".")
    written: str | int = value if setting.most is None else int(value)
    line = f"{name} = {json.dumps(written, ensure_ascii=False)}"
    newline = "\r\n" if "\r\n" in text else "\n"
    plain = text.removeprefix(_BOM)
    lines = re.findall(r"[^\n]*\n|[^\n]+", plain)
    at = _line_of(plain, setting.key)
    if at is not None:
        old = lines[at - 1]
        ending = old[len(old.rstrip("\r\n")) :]
        comment = re.search(r"""=\s*(?:"[^"]*"|'[^']*'|[^#"']*?)(\s*#.*)?$""", old.rstrip("\r\n"))
        lines[at - 1] = line + (comment[1] or "" if comment else "") + ending
    else:
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += newline
        header = next((n for n, one in enumerate(lines) if (m := _HEADER.match(one)) and m[1] == section), None)
        if header is not None:
            lines.insert(header + 1, line + newline)
        else:
            lines += [newline] * bool(lines) + [f"[{section}]{newline}", line + newline]
    changed = "".join(lines)
    if _flat_or_none(changed) != {**(_flat_or_none(plain) or {}), setting.key: written}:
        raise InvalidInput(
            f"The settings file has {setting.key} in a form that only a hand can change.",
            hint=f"Write it as {line} below a line [{section}].",
        )
    return text[: len(text) - len(plain)] + changed


def settings_text(path: Path, *, follow: bool = True) -> str | None:
    """The text of a settings file; None where there is none. Raises BadSetting, also for a link without `follow`."""
    if not follow and path.is_symlink():
        raise BadSetting(path, None, "is a link and is not followed", hint="Put the file itself into the store.")
    try:
        return read_regular(path, _LIMIT_BYTES).decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise BadSetting(path, None, "is no UTF-8", hint="Save it again as UTF-8.") from None
    except ValueError as error:
        raise BadSetting(path, None, str(error), hint="Put an ordinary file in its place.") from None
    except OSError as error:
        reason = f"could not be read: {(error.strerror or str(error)).lower()}"
        raise BadSetting(path, None, reason, hint="Check its permissions.") from None


def _read(path: Path, kept_in: str) -> dict[str, str]:
    text = settings_text(path, follow=kept_in == MACHINE)
    if text is None:
        return {}
    text = text.removeprefix(_BOM)
    document = _plain_document(text) or _parse(text, path)
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
        values[key] = str(value)
    return values


def _plain_document(text: str) -> dict[str, Any] | None:
    """The document of a file in the form that we write: sections, `key = "word"`, comments; None for any other.

    Importing tomllib takes half as long as a bare Python, and nearly all settings files have this form.
    """
    document: dict[str, Any] = {}
    section: dict[str, str | int] | None = None
    for line in text.replace("\r\n", "\n").split("\n"):
        found = _PLAIN_LINE.match(line)
        if found is None:
            return None
        if found["section"]:
            if found["section"] in document:
                return None
            section = document.setdefault(found["section"], {})
        elif found["key"]:
            if section is None or found["key"] in section:
                return None
            section[found["key"]] = found["word"] if found["number"] is None else int(found["number"])
    return document


def _parse(text: str, path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line ([0-9]+)", str(error))
        last = text.rstrip("\n").count("\n") + 1
        raise BadSetting(path, int(where[1]) if where else last, "is no valid TOML; words stand in quotes") from None


def _flat_or_none(text: str) -> dict[str, Any] | None:
    import tomllib

    try:
        return dict(_flat(tomllib.loads(text)))
    except tomllib.TOMLDecodeError:
        return None


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
        header = _HEADER.match(line)
        if header:
            current = header[1]
        elif current == section and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line):
            return number
    return None


def _fault(setting: Setting, value: object) -> str | None:
    if setting.most is not None:
        if isinstance(value, bool) or not isinstance(value, int):
            return f"is {shorten(str(value).lower())}, not a whole number"
        return None if 1 <= value <= setting.most else f"is {value}, not from 1 to {setting.most}"
    if not isinstance(value, str):
        return f"is {shorten(str(value).lower())} and not a word in quotes"
    shown = shorten(value)
    if setting.choices and value not in setting.choices:
        return f"is {shown}, not one of {', '.join(setting.choices)}"
    if setting.check == "folder" and not _is_folder_name(value):
        return f"is {shown}, which is no name for the folder of the notes"
    if setting.check == "zone" and value and zone(value) is None:
        return f"is {shown}, a time zone that is not known here"
    return None


def _is_folder_name(value: str) -> bool:
    """Whether the notes may lie in a folder of that name, in the store and on every system."""
    return value == "." or (
        0 < len(value) <= _LONGEST_FOLDER_CHARACTERS
        and value.isprintable()
        and not set(value) & set('/\\:*?"<>|')
        and value[0] not in ". "
        and value[-1] not in ". "
        and not value.lower().endswith((".md", ".toml"))
    )
