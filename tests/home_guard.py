"""A guard in this process: whatever touches the home of the person who runs the tests raises."""

from __future__ import annotations

import os
import pwd
import sys
from pathlib import Path
from typing import Any

touched: list[str] = []
"""What was tried since the last reset: "event path"."""

# The positions of the paths in the arguments of each audit event.
_PATHS_OF: dict[str, tuple[int, ...]] = {
    "open": (0,),
    "os.chmod": (0,),
    "os.link": (0, 1),
    "os.listdir": (0,),
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.scandir": (0,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.utime": (0,),
    "sqlite3.connect": (0,),
    "subprocess.Popen": (2,),
}

_homes: tuple[str, ...] = ()
_allowed: tuple[str, ...] = ()


def real_home() -> Path:
    """What the system says, whatever HOME says."""
    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def install(allowed: tuple[Path, ...]) -> None:
    """Guard the real home from now on, except `allowed` and the interpreter's own folders."""
    global _homes, _allowed
    if _homes:
        return
    home = real_home()
    if home == Path(home.anchor):  # a container's user without a home: "/"
        return
    own = (Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).parent)
    _homes = _spellings(home)
    _allowed = tuple(spelling for path in (*allowed, *own) for spelling in _spellings(path))
    sys.addaudithook(_audit)


def _spellings(path: Path) -> tuple[str, ...]:
    return tuple({os.path.abspath(path), os.path.realpath(path)})


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    positions = _PATHS_OF.get(event)
    if positions is None:
        return
    for position in positions:
        _check(event, arguments[position])
    if event == "subprocess.Popen" and arguments[3]:
        _check("HOME of a child", dict(arguments[3]).get("HOME"))


def _check(event: str, path: Any) -> None:
    if not isinstance(path, (str, bytes, os.PathLike)):
        return  # a descriptor, or nothing
    name = os.path.abspath(os.fsdecode(path))
    if _inside(name, _homes) and not _inside(name, _allowed):
        touched.append(f"{event} {name}")
        raise AssertionError(f"a test touches the real home: {event} {name}")


def _inside(name: str, folders: tuple[str, ...]) -> bool:
    return any(name == folder or name.startswith(folder + os.sep) for folder in folders)
