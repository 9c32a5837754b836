"""The project that a folder belongs to: a key that is the same in all its work trees and, with a remote, everywhere.

Read off the files of git, not from the git program: a hook has no time for it, and nothing that a repository
configures may run. Standard library only, and not `re`, which takes longer to load than all of this.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LIMIT_BYTES = 256 * 1024
_IN_SCHEMES = str.maketrans("", "", "+-.")


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
    for raw in config.split("\n"):
        line = raw.strip()
        if line.startswith("["):
            name = _remote_of_section(line)
        elif name is not None:
            key, equals, value = line.partition("=")
            url = value.split(" #")[0].split(" ;")[0].strip().strip('"')
            if equals and url and key.strip().lower() == "url":
                yield name, url


def _remote_of_section(line: str) -> str | None:
    """The name of the remote that a line like `[remote "origin"]` begins, None for another section."""
    words, _, _ = line[1:].rpartition("]")
    kind, _, name = words.strip().partition(" ")
    name = name.strip()
    if kind.lower() != "remote" or len(name) < 2 or name[0] != '"' or name[-1] != '"':
        return None
    return name[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def _url_key(url: str) -> str | None:
    """`host/owner/name` of a remote, or None where it is a path of this machine."""
    scheme, is_url, rest = url.partition("://")
    if is_url and scheme[:1].isalpha() and scheme.translate(_IN_SCHEMES).isalnum():
        if scheme.lower() == "file":
            return None
        host, _, path = rest.partition("/")
        host = host.rpartition("@")[2]
        name, colon, port = host.rpartition(":")
        host = name if colon and not port.strip("0123456789") else host
    else:
        before, colon, path = url.partition(":")
        host = before.rpartition("@")[2]
        if not colon or "/" in before or "@" in before[: -len(host) - 1] or len(host) < 2 or path.startswith("//"):
            return None
    path = path.partition("?")[0].partition("#")[0].strip("/").removesuffix(".git").rstrip("/")
    key = f"{host.lower()}/{path}"
    apart = any(letter.isspace() or letter == "," for letter in key)
    return key if host and path and key.isprintable() and not apart else None


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
