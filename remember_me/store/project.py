"""The project that a folder belongs to: a key that is the same in all its work trees and, with a remote, everywhere.

Read off the files of git, not from the git program: a hook has no time for it, and nothing that a repository
configures may run. Standard library only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

_LIMIT_BYTES = 256 * 1024
_SECTION = re.compile(r'\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)")
_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?:[^/@]*@)?(?P<host>\[[^\]]*\]|[^/:]*)(?::[0-9]*)?/+(?P<path>.*)", re.I
)
_SCP = re.compile(r"(?:[^/@:]*@)?(?P<host>[^/:@]{2,}):(?!//)/*(?P<path>.+)")


def project_key(cwd: str, home: str | None) -> str:
    """The key of the project in which `cwd` lies: `host/owner/name` of its remote, else the path of its main work tree,
    else that of `cwd`; below `home` as `~/…`. No credentials, no port, no `.git` at the end.
    """
    found = _git_folder(os.path.abspath(cwd))
    if found is None:
        return _path_key(os.path.realpath(cwd), home)
    top, common = found
    url = _remote(common)
    key = _url_key(url) if url else None
    return key or _path_key(_main_tree(top, common), home)


def _git_folder(cwd: str) -> tuple[str, str] | None:
    """(top of the work tree, the folder that all its work trees share), or None outside of any."""
    folder = os.path.realpath(cwd)
    while True:
        dot = os.path.join(folder, ".git")
        if os.path.isdir(dot):
            return folder, dot
        if os.path.isfile(dot):
            line = _read(dot).partition("\n")[0]
            if line.startswith("gitdir:"):
                private = os.path.normpath(os.path.join(folder, line.removeprefix("gitdir:").strip()))
                common = _read(os.path.join(private, "commondir")).strip()
                return folder, os.path.normpath(os.path.join(private, common)) if common else private
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _main_tree(top: str, common: str) -> str:
    return os.path.dirname(common) if os.path.basename(common) == ".git" else top


def _remote(common: str) -> str | None:
    """The URL of the remote `origin`, else of the first one that has any."""
    urls = dict(_remotes(_read(os.path.join(common, "config"))))
    return urls.get("origin") or next(iter(urls.values()), None)


def _remotes(config: str) -> Iterator[tuple[str, str]]:
    name: str | None = None
    for line in config.split("\n"):
        section = _SECTION.match(line)
        if section is not None:
            name = section[2] if section[1].lower() == "remote" else None
            continue
        setting = _SETTING.match(line)
        if name is not None and setting is not None and setting[1].lower() == "url":
            url = setting[2].split(" #")[0].split(" ;")[0].strip().strip('"')
            if url:
                yield name, url


def _url_key(url: str) -> str | None:
    """`host/owner/name` of a remote, or None where it is a path of this machine."""
    match = _URL.fullmatch(url)
    if match is not None:
        if match["scheme"].lower() == "file":
            return None
        host, path = match["host"], match["path"]
    else:
        match = _SCP.fullmatch(url)
        if match is None:
            return None
        host, path = match["host"], match["path"]
    path = re.sub(r"[?#].*", "", path).strip("/").removesuffix(".git").rstrip("/")
    key = f"{host.lower()}/{path}"
    return key if path and key.isprintable() and not re.search(r"[\s,]", key) else None


def _path_key(path: str, home: str | None) -> str:
    if home:
        real = os.path.realpath(home)
        if path == real or path.startswith(real + os.sep):
            path = "~" + path[len(real) :]
    return "".join(character if character.isprintable() else "?" for character in path.replace(os.sep, "/"))


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_LIMIT_BYTES).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""
