"""The rules of DESIGN sections 2 and 9 that can be read off the source. (Layers are import-linter's.)"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from remember_me.cli.commands import COMMANDS, PANELS

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "remember_me"
MODULES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_bytes()) for name, path in MODULES.items()}

RUN_PROGRAMS = {"store/git.py", "app/programs.py", "cli/editor.py", "hook/process.py"}
OPEN_FILES = {
    "app/actor.py",  # /proc
    "app/config.py",
    "app/programs.py",  # the null device
    "app/resources.py",
    "cli/failure.py",  # the crash log
    "cli/streams.py",  # the null device
    "hook/adapters.py",  # the head of a session's file
    "hook/keep.py",
    "hook/main.py",  # the log of the hook
    "hook/process.py",  # /proc, the null device
    "hook/read.py",
    "hook/settings.py",
    "recall/tokens.py",  # the vocabulary
    "store/files.py",
    "store/gitdir.py",  # HEAD, /proc
    "store/gitmarker.py",
    "store/lock.py",
    "store/clientprocess.py",  # /proc
    "store/transcripts.py",  # a client's own file
    "store/project.py",  # the remote in .git/config
}
PRINT = ("cli/", "hook/")

TOP_LEVEL = {
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "references",
    "remember_me",
    "templates",
    "tests",
}
BUILT = {"build", "dist"}

HEAVY = {"frontmatter", "git", "rich", "tiktoken", "typer", "watchdog", "yaml"}
"""Costs more to import than a bare Python to start."""

LINES_OF_A_MODULE = 400
LINES_OF_A_FUNCTION = 60


def test_the_top_level_is_the_cards() -> None:
    found = {path.name for path in PROJECT.iterdir() if not path.name.startswith(".")}
    assert found - BUILT == TOP_LEVEL


@pytest.mark.parametrize("name", MODULES)
def test_only_these_run_programs(name: str) -> None:
    if name not in RUN_PROGRAMS:
        calls = {"os.system", "os.popen", "os.posix_spawn", "os.posix_spawnp", "os.fork"}
        assert "subprocess" not in {module for module, _ in _imports(TREES[name])}
        assert not [call for call in _calls(TREES[name]) if call in calls or call.startswith(("os.exec", "os.spawn"))]


@pytest.mark.parametrize("name", MODULES)
def test_only_these_open_files(name: str) -> None:
    if name not in OPEN_FILES:
        assert not [call for call in _calls(TREES[name]) if _opens(call)]


@pytest.mark.parametrize("name", MODULES)
def test_only_the_edge_prints(name: str) -> None:
    if not name.startswith(PRINT):
        tree = TREES[name]
        streams = [
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and node.attr in ("stdout", "stderr")
            and _dotted(node).startswith("sys.")
        ]
        assert not streams
        assert not [call for call in _calls(tree) if call.split(".")[-1] in ("print", "echo", "secho", "input")]


@pytest.mark.parametrize("name", MODULES)
def test_heavy_packages_are_imported_where_they_are_needed(name: str) -> None:
    allowed = {"typer"} if name.startswith("cli/") else set()
    allowed |= {"rich"} if name == "cli/render.py" else set()
    at_the_top = {module for module, top in _imports(TREES[name]) if top}
    assert not at_the_top & (HEAVY - allowed)


@pytest.mark.parametrize("name", MODULES)
def test_modules_and_functions_stay_small(name: str) -> None:
    assert len(MODULES[name].read_text(encoding="utf-8").splitlines()) <= LINES_OF_A_MODULE
    long = {
        node.name: node.end_lineno - node.lineno + 1
        for node in ast.walk(TREES[name])
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= LINES_OF_A_FUNCTION
    }
    assert long == {}


@pytest.mark.parametrize("name", MODULES)
def test_memory_is_no_identifier(name: str) -> None:
    assert not [
        word
        for word in _identifiers(TREES[name])
        if "memory" in word.lower() and word not in ("memoryview", "MemoryError")
    ]


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_lives_in_it(name: str) -> None:
    docstring = ast.get_docstring(TREES[name])
    assert docstring
    assert docstring.split("\n\n")[0].endswith((".", ")"))


@pytest.mark.parametrize("name", MODULES)
def test_no_product_code_knows_of_tests(name: str) -> None:
    source = MODULES[name].read_text(encoding="utf-8")
    assert not re.search(r"\bpytest\b|PYTEST_|\bhypothesis\.", source)


def test_the_table_of_commands_is_sound() -> None:
    names = [name for command in COMMANDS for name in (command.name, *command.aliases)]
    assert len(names) == len(set(names))
    assert [panel for panel in PANELS if any(command.panel == panel for command in COMMANDS)] == list(PANELS)
    assert sorted(COMMANDS, key=lambda command: PANELS.index(command.panel)) == list(COMMANDS)
    assert all(command.summary.endswith(".") for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_its_function(command) -> None:
    function = getattr(importlib.import_module(command.module), command.function)
    assert next(iter(function.__annotations__)) == "ctx"
    assert function.__doc__


def test_the_helpers_find_what_they_look_for() -> None:
    tree = ast.parse(
        "import os.path, yaml\n"
        "def f(memory_x):\n  from git import Repo\n"
        "  open('x')\n  p.read_text()\n  os.open('x')\n  repo.open()\n"
    )
    assert set(_imports(tree)) == {("os", True), ("yaml", True), ("git", False)}
    assert [call for call in _calls(tree) if _opens(call)] == ["open", "p.read_text", "os.open", "repo.open"]
    assert "memory_x" in set(_identifiers(tree))


def _opens(call: str) -> bool:
    if call in ("open", "os.open", "io.open", "os.fdopen", "codecs.open"):
        return True
    owner, _, method = call.rpartition(".")
    if method == "open":
        return owner not in ("webbrowser",)
    return bool(owner) and method in ("read_text", "read_bytes", "write_text", "write_bytes")


def _imports(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """(top package, whether it is imported when the module is) of each import outside TYPE_CHECKING."""
    inner = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or _is_type_checking(function)
        for node in ast.walk(function)
    }
    typing_only = {id(node) for branch in ast.walk(tree) if _is_type_checking(branch) for node in ast.walk(branch)}
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], id(node) not in inner) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0], id(node) not in inner


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and _dotted(node.test).endswith("TYPE_CHECKING")


def _calls(tree: ast.AST) -> list[str]:
    """The dotted names of everything that is called; an unnamed owner is `?`."""
    return [_dotted(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return "?"


def _identifiers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for attribute in ("id", "attr", "name", "arg", "asname"):
            word = getattr(node, attribute, None)
            if isinstance(word, str):
                yield word
