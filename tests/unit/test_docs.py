"""The documents say what is: README's console blocks run, and every command, code, module and JSON key is named."""

from __future__ import annotations

import inspect
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remember_me import errors
from remember_me.app.shapes import ENTRY_KEYS
from remember_me.cli.commands import COMMANDS
from tests.cli.golden import Result, Sandbox, normalize, told
from tests.cli_runner import Cli, git, trust_scripts
from tests.shared import shared_path

PROJECT = Path(__file__).parents[2]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
REFERENCES = {path.name: path.read_text(encoding="utf-8") for path in sorted((PROJECT / "references").glob("*.md"))}
DOCUMENTS = {"README.md": README} | {f"references/{name}": text for name, text in REFERENCES.items()}
ALL_NAMES = [name for command in COMMANDS for name in (command.name, *command.aliases)]

DAY_OF_README = datetime(2026, 11, 29, 12, tzinfo=UTC)
STORE_OF_README = "/home/ada/remember-me"
ID = "[0-9a-hjkmnp-tv-z]"
WRITTEN_ID = re.compile(rf"\b(?=[a-z]*[0-9])(?=[0-9]*[a-z])(?:{ID}{{8}}|{ID}{{6}})\b")
"""An id of an entry or an operation in the README: there each has a digit, so that no word looks like one."""


class Home(Sandbox):
    """A sandbox whose store is the default one."""

    def environment(self) -> dict[str, str]:
        return {name: value for name, value in super().environment().items() if name != "REMEMBER_ME_HOME"}

    def run_as_written(self, command: str, words: dict[str, str]) -> Result:
        """Run a command of the README: its ids and its day are put in as they are here."""
        today = datetime.now(UTC).date().isoformat()
        real = WRITTEN_ID.sub(lambda match: words.get(match[0], match[0]), command)
        return self.run(real.replace(DAY_OF_README.date().isoformat(), today))


def test_readme_runs(tmp_path: Path) -> None:
    home = Home(tmp_path)
    places = {str(home.home / "remember-me"): STORE_OF_README}
    words: dict[str, str] = {}
    commands = list(told(README))
    for command, text in commands:
        expected = normalize(text, {}, {}, (DAY_OF_README, DAY_OF_README))
        output = home.run_as_written(command, words).render()
        output = normalize(output, {}, places, (home.started_at, datetime.now(UTC)))
        words |= learned(expected, output)
        shown = normalize(output, {real: written for written, real in words.items()}, {}, (DAY_OF_README,) * 2)
        assert (command, shown) == (command, expected)
    assert len(commands) > 8
    assert len(set(words.values())) == len(words) > 4


def learned(expected: str, output: str) -> dict[str, str]:
    """Each id in the lines of the README and what stands in its place here."""
    words: dict[str, str] = {}
    for written, real in zip(expected.splitlines(), output.splitlines(), strict=False):
        pattern = WRITTEN_ID.sub(lambda match: f"({ID}{{{len(match[0])}}})", re.escape(written))
        match = re.fullmatch(pattern, real)
        words |= dict(zip(WRITTEN_ID.findall(written), match.groups(), strict=True)) if match else {}
    return words


def test_readme_names_every_command() -> None:
    assert not [name for name in ALL_NAMES if f"`{name}`" not in README]


def test_readme_names_no_command_that_is_not_there() -> None:
    called = set(re.findall(r"(?:^\$ |`|\n)remember-me ([a-z]+)", README))
    assert called <= {*ALL_NAMES, "hook"}, "hook stands in no table: it is answered before that is loaded"
    assert "add" in called


def test_readme_has_every_exit_code() -> None:
    classes = [value for value in vars(errors).values() if inspect.isclass(value)]
    codes = {value.exit_code for value in classes if issubclass(value, errors.RememberMeError)}
    listed = [int(code) for code in re.findall(r"^\| (\d+) \| \S.*\|$", README, re.MULTILINE)]
    assert listed == sorted({0, *codes, 130})
    assert codes == set(range(1, 11))


def test_readme_names_targets_that_make_has() -> None:
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"^make ([a-z]+)", README, re.MULTILINE))
    assert {"run", "test"} <= named <= targets


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    folder = (PROJECT / name).parent
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"```.*?```|`[^`]*`", "", DOCUMENTS[name], flags=re.DOTALL))
    assert not [link for link in links if "://" not in link and not (folder / link).exists()]


class TestArchitecture:
    TEXT = REFERENCES.get("architecture.md", "")

    def test_every_path_that_it_names_is_there(self) -> None:
        words = set(re.findall(r"`([\w.-]+/[\w./-]*)`", self.TEXT))
        assert len(words) > 25
        roots = (PROJECT, PROJECT / "remember_me")
        assert not [word for word in words if not any((root / word).exists() for root in roots)]

    def test_every_module_of_its_tree_is_there(self) -> None:
        tree = self.TEXT.split("```")[1].splitlines()
        assert tree[1].split()[0] == "remember_me/"
        found, folder = [], ""
        for line in tree[2:]:
            name, says = line.split(maxsplit=1)
            assert says
            folder = name if name.endswith("/") else folder if line.startswith("    ") else ""
            found.append(folder if name == folder else f"{folder}{name}")
        assert not [path for path in found if not (PROJECT / "remember_me" / path).exists()]
        folders = {f"{path.parent.name}/" for path in (PROJECT / "remember_me").glob("*/__init__.py")}
        assert folders <= set(found)


def test_templates_are_listed() -> None:
    folder = PROJECT / "templates"
    named = re.findall(r"^\| `([^`]+)`", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in folder.iterdir() if path.name != "README.md")


def test_glossary_has_the_words_of_the_design() -> None:
    section = shared_path("DESIGN.md").read_text(encoding="utf-8").split("## 2. Words")[1].split("## 3.")[0]
    words = [word for row in re.findall(r"^\| ([^|]+) \|", section, re.MULTILINE) for word in row.split(", ")]
    missing = [word for word in words if f"**{word}**" not in REFERENCES["glossary.md"]]
    assert missing == ["word"]  # the head of the table
    assert len(words) > 25


def shape(document: object) -> object:
    """The keys of a document in their order, all the way down; an array has the shape of its first item."""
    if isinstance(document, dict):
        return [(key, shape(value)) for key, value in document.items()]
    if isinstance(document, list):
        return [shape(document[0])] if document else []
    return None


def same_shape(real: object, written: object) -> bool:
    """Whether an answer has the documented keys; an empty array or a null may stand for what it could hold."""
    if isinstance(real, dict) and isinstance(written, dict):
        return [*real] == [*written] and all(same_shape(real[key], written[key]) for key in real)
    if isinstance(real, list) and isinstance(written, list):
        return not real or not written or same_shape(real[0], written[0])
    return real is None or written is None or type(real) is type(written)


EXAMPLES = {
    name: json.loads(text)
    for names, text in re.findall(r"^```json ([a-z -]+)\n(.*?)^```", REFERENCES["json.md"], re.MULTILINE | re.DOTALL)
    for name in names.split()
}


def _live_a_little(cli: Cli, found: dict[str, object], one: str) -> None:
    """The answers of the commands that change where an entry stands and how it counts."""
    found["reinforce"] = cli.json("reinforce", one, "--session", "c/2")
    found["link"] = cli.json("link", one, "[[2026-01-14]]")
    guess = str(cli.json("add", "Takes the tram", "--tag", "HYPOTHESIS", "--facet", "tone")["id"])
    found["profile"], found["decay"] = cli.json("profile"), cli.json("decay")
    found["checkin"] = cli.json("checkin")
    found["index"], found["search"] = cli.json("index"), cli.json("search", "tram")
    found["recall"], found["tokens"] = cli.json("recall"), cli.json("tokens")
    found["confirm"] = cli.json("confirm", guess)
    found["promote"], found["promote-apply"] = cli.json("promote"), cli.json("promote", "--apply")
    found["demote"] = cli.json("demote", one, "--reason", "replaced")
    found["contradict"] = cli.json("contradict", guess, "Takes the bicycle")
    for text in ("Buys bread on Tuesdays", "buys bread on tuesdays"):
        cli.ok("add", text, "--tag", "FACT", "--session", f"c/{len(text)}", "--expires", "2020-01-01")
    cli.ok("add", "Guess", "--tag", "HYPOTHESIS", "--field", "since=2020-01-01")
    found["maintain"] = cli.json("maintain", "--apply")


def _review_a_little(cli: Cli, found: dict[str, object], one: str) -> None:
    agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "7c1e90b2"}
    found["pending"] = cli.ok("--json", "correct", one, "Lives in Rome", env=agent).json()
    found["review"] = cli.json("review")
    found["keep"] = cli.json("keep", str(found["pending"]["id"]))  # type: ignore[index]
    cli.ok("add", "Lives in Porto", "--tag", "FACT", env=agent)
    found["restore"] = cli.json("restore", *(card["id"] for card in cli.json("review")))
    gone = cli.json("add", "--tag", "FACT", "Has a dog called Rex")["id"]
    (cli.store / "memory" / "2026-01-15.md").write_text("Has a dog called Rex, in prose.\n")
    (cli.store / "memory" / "x.md~").write_text("Has a dog called Rex\n")
    forgotten = cli.run("forget", gone, "--yes", "--json")
    assert forgotten.code == 9
    found["forget"] = json.loads(forgotten.out)
    (cli.store / "memory" / "x.md~").unlink()
    (cli.store / "memory" / "2026-01-15.md").unlink()
    found["erase"] = cli.json("erase")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What each command really answers, in a store where every part of every shape has something in it."""
    folder = tmp_path_factory.mktemp("json")
    trust_scripts(folder)
    where = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config"), "EDITOR": "sed -i s/Rome/Turin/"}
    cli = Cli(folder / "store", where)
    notes = folder / "store" / "memory"
    notes.mkdir(parents=True)
    (notes / "2026-01-14.md").write_text("Prose.\n\n- FACT: x ^abcd11\n  - impact: 9\n- FACT: y ^abcd22\n")
    (notes / "2026-01-14 2.md").write_text("")
    found: dict[str, object] = {}
    found["init"] = cli.json("init")
    entry = cli.json("add", "Lives in Rome", "--tag", "FACT", "--evidence", "I live in Rome", "--session", "c/1")
    one = str(entry["id"])
    found["add"] = entry
    found["edit"] = cli.json("edit", one)
    found["correct"] = cli.json("correct", one, "Lives in Genoa")
    for command in ("pin", "unpin", "disable", "enable", "get", "history"):
        found[command] = cli.json(command, one)
    _live_a_little(cli, found, one)
    _review_a_little(cli, found, one)
    found["list"] = cli.json("list", "--since", entry["created_at"][:10])
    found["diff"] = cli.json("diff")
    found["config"] = cli.json("config")
    found["config-change"] = cli.json("config", "store.timezone", "Europe/Rome")
    (notes / "2026-01-14.md").write_text("Prose.\n\n- FACT: x ^abcd11\n  - impact: 9\n")
    cli.ok("pin", one)
    found["error-refused"] = json.loads(cli.run("add", "Is tired today", "--json").err)
    found["status"] = cli.json("status")
    found["doctor"] = json.loads(cli.run("doctor", "--json").out)
    found["install"], found["uninstall"] = cli.json("install", "codex"), cli.json("uninstall", "codex")
    found["context"] = cli.json("context", str(folder / "AGENTS.md"))
    cli.ok("context", str(folder / "AGENTS.md"), "--remove")
    found["undo"], found["redo"] = cli.json("undo"), cli.json("redo")
    found["log"] = cli.json("log")
    found["demo"] = Cli(folder / "demo", where).json("demo")
    (notes / "2026-01-14.md").write_text("- FACT: x ^abcd11\n- FACT: y ^abcd22\n")
    found["error"] = json.loads(cli.run("get", "zzzz", "--json").err)
    found["error-ambiguous"] = json.loads(cli.run("get", "abcd", "--json").err)
    cli.ok("correct", "abcd11", "z")
    (notes / "2026-01-14.md").write_text("- FACT: zz ^abcd11\n- FACT: y ^abcd22\n")
    found["error-conflict"] = json.loads(cli.run("undo", "--json").err)
    assert git(folder / "store", "status", "--porcelain") == '?? "memory/2026-01-14 2.md"\n'
    return found


class TestJson:
    @pytest.mark.parametrize("name", EXAMPLES)
    def test_the_answer_has_the_documented_shape(self, answers: dict[str, object], name: str) -> None:
        assert same_shape(answers[name], EXAMPLES[name]), (shape(answers[name]), shape(EXAMPLES[name]))

    def test_every_command_is_documented(self) -> None:
        errors = {"error", "error-refused", "error-ambiguous", "error-conflict"}
        kinds = {"config-change", "promote-apply", "pending", *errors}
        assert set(EXAMPLES) - kinds == {command.name for command in COMMANDS}
        assert kinds < set(EXAMPLES)

    def test_every_part_was_there_to_compare(self, answers: dict[str, object]) -> None:
        status = answers["status"]
        assert isinstance(status, dict)
        assert status["problems"]
        assert status["copies"]
        assert status["vanished"]
        assert answers["get"]["evidence"]  # type: ignore[index]

    def test_an_entry_has_the_same_keys_everywhere(self, answers: dict[str, object]) -> None:
        keys = list(ENTRY_KEYS)
        assert list(answers["get"]) == keys  # type: ignore[call-overload]
        for name in ("add", "edit", "correct", "pin", "undo", "redo"):
            assert list(answers[name])[: len(keys)] == keys  # type: ignore[call-overload]
