"""Who speaks in the acceptance tests of trust: a person, a script, an agent and what its user typed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.cli_runner import Cli, Result, bytes_of, git, trust_scripts

REFUSED, WAITS, NOT_FOUND = 4, 5, 3


def agent(session: str = "s1") -> dict[str, str]:
    """The environment of a command that an agent runs in that session."""
    return {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session}


AGENT = agent()


def trust_no_script(cli: Cli) -> None:
    """From now on a script is a script: what it writes waits."""
    Path(cli.environment()["HOME"], ".config", "remember-me", "config.toml").unlink()


def trust_scripts_again(cli: Cli) -> None:
    """From now on a script is the person again."""
    trust_scripts(Path(cli.environment()["HOME"]))


def types(cli: Cli, prompt: str, message: str = "m1", session: str = "s1") -> Result:
    """The user types a prompt to an agent; the client's hook hands it on."""
    return cli.ok("hook", "prompt", "--session", f"claude-code/{session}", "--message", message, stdin=prompt)


def add(cli: Cli, text: str, *options: str) -> str:
    """Save a text as the person and return its id."""
    return str(cli.ok("add", "--quiet", *options, "--", text).out.strip())


def proposed(cli: Cli, *words: str, stdin: str = "") -> str:
    """The id of what an agent wrote and what waits now."""
    done = cli.run("--json", *words, stdin=stdin, env=AGENT)
    assert done.code == 0, done.err
    answer = done.json()
    assert answer["state"] == "pending", answer
    return str(answer["id"])


def written(cli: Cli, text: str, quote: str, *options: str) -> dict[str, Any]:
    """An entry that an agent wrote on the user's own words, and that counts at once."""
    done = cli.run("--json", "add", "--tag", "FACT", "--quote", quote, *options, "--", text, env=AGENT)
    assert done.code == 0, done.err
    answer: dict[str, Any] = done.json()
    assert answer.get("state") != "pending", answer
    return answer


READS = (
    ("index",),
    ("list", "--all", "--json"),
    ("search", "{words}"),
    ("recall", "--prompt", "{words}"),
    ("hook", "prompt"),
)
"""What an agent reads before anything else; `{words}` is what is looked for."""
MORE_READS = (
    ("search", "{words}", "--json"),
    ("recall",),
    ("profile",),
    ("maintain",),
    ("promote",),
    ("decay",),
    ("checkin",),
    ("log",),
    ("diff",),
    ("status",),
    ("status", "--json"),
    ("tokens",),
    ("review", "--all"),
    ("hook", "session-start"),
)
"""All the other commands that show entries."""


def shown(
    cli: Cli, words: str, *, env: dict[str, str] | None = None, reads: Sequence[tuple[str, ...]] = READS
) -> Iterator[tuple[tuple[str, ...], str]]:
    """(command, what it printed) of every reading command."""
    for read in reads:
        command = tuple(word.format(words=words) for word in read)
        done = cli.run(*command, stdin=words if read == ("hook", "prompt") else "", env=env)
        assert done.code == 0, (command, done.err)
        # What was asked for may be repeated where nothing is found.
        said = done.out.replace(f'"{words}"', "").replace(json.dumps(words), "")
        yield command, said if command[0] != "search" or "Nothing found" not in done.out + done.err else ""


def serving(
    cli: Cli, words: str, *, env: dict[str, str] | None = None, reads: Sequence[tuple[str, ...]] = READS
) -> list[tuple[str, ...]]:
    """The commands that print `words`, in any case."""
    return [command for command, out in shown(cli, words, env=env, reads=reads) if words.casefold() in out.casefold()]


def titles(cli: Cli) -> list[str]:
    """The titles of the live entries, sorted."""
    return sorted(row["title"] for row in cli.json("list"))


def waiting(cli: Cli) -> list[str]:
    """The ids of what waits for the person."""
    return [row["id"] for row in cli.json("review")]


def files_with(cli: Cli, text: str) -> list[str]:
    """The files of the store that hold the text, git's own among them."""
    wanted = text.encode()
    return [path for path, data in bytes_of(cli.store, but=()).items() if wanted in data]


def objects_with(cli: Cli, text: str) -> list[str]:
    """The objects of git, reachable or not, that hold the text."""
    names = git(cli.store, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").split("\n")
    found = []
    for name, kind in (line.split() for line in names if line):
        if text in git(cli.store, "cat-file", kind if kind != "tree" else "-p", name):
            found.append(name)
    return found


def refusals(cli: Cli) -> dict[str, int]:
    """How often each rule refused a write, as `status` counts."""
    found: dict[str, int] = cli.json("status")["refusals"]
    return found
