"""What the rules of what is never stored find, on texts that were written without a look at them.

The figures are those of references/capture-rules.md: where a rule changes, the table there changes with it, and
`python tests/unit/test_corpora.py` prints it anew.
"""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from remember_me.model.receipt import Receipt
from remember_me.policy.exclusions import EXCLUSIONS, find_exclusion
from remember_me.policy.grounding import Grounded, Held, decide_grounding
from remember_me.policy.secrets import find_secrets
from tests.shared import shared_path

PROJECT = Path(__file__).parents[2]
CORPORA = PROJECT / "tests" / "corpora"
GROUNDING = ("grounding", "grounding-context", "grounding-late")
GROUPS = {"exclusions": ("refused", "allowed"), "secrets": ("secret", "clean")}
DICTATED = {
    "alarm code", "cvv", "door code", "lock code", "login", "meeting code", "passphrase", "password", "pin",
    "recovery code", "recovery phrase", "security answer", "unlock pattern", "voice code", "wifi",
}  # fmt: skip
RULES = [exclusion.rule for exclusion in EXCLUSIONS]


def corpus(name: str) -> dict[str, list[dict[str, str]]]:
    """One corpus; each text is labelled with its rule or kind."""
    found: dict[str, list[dict[str, str]]] = json.loads((CORPORA / name).read_text(encoding="utf-8"))
    return found


def held_out(name: str) -> dict[str, list[dict[str, str]]]:
    """A corpus without the few texts that by chance stand in its tuning set too."""
    tuned = {item["text"].casefold() for group in GROUPS[name] for item in corpus(f"{name}-tuning.json")[group]}
    found = corpus(f"{name}.json")
    return {group: [item for item in found[group] if item["text"].casefold() not in tuned] for group in GROUPS[name]}


def expander() -> Callable[[str], str]:
    """What puts well-formed tokens in place of the place holders of a text."""
    spec = importlib.util.spec_from_file_location("corpora_tokens", CORPORA / "tokens.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[str], str] = module.expand
    return found


def exclusion_rows() -> Iterator[str]:
    """The table of the exclusions: refused of those that must be, by which rule, and ordinary ones refused."""
    refused, allowed = (held_out("exclusions")[key] for key in ("refused", "allowed"))
    by_rule = {rule: Counter[str]() for rule in RULES}
    for item in refused:
        found = find_exclusion(item["text"])
        by_rule[item["rule"]]["all"] += 1
        if found is not None:
            by_rule[item["rule"]]["refused"] += 1
            by_rule[found.rule]["named"] += 1
            by_rule[item["rule"]]["right"] += found.rule == item["rule"]
    for item in allowed:
        found = find_exclusion(item["text"])
        if found is not None:
            by_rule[found.rule]["false"] += 1
    for rule, count in [*by_rule.items(), ("all", sum(by_rule.values(), Counter()))]:
        precision = count["named"] / (count["named"] + count["false"]) if count["named"] else 0.0
        recall = count["refused"] / count["all"]
        yield (
            f"| {rule} | {count['all']} | {count['refused']} | {count['right']} | {count['false']} "
            f"| {precision:.3f} | {recall:.3f} |"
        )


def secret_rows() -> Iterator[str]:
    """The table of the secrets: found of those that are there by how they came about, and false alarms."""
    texts, expand = held_out("secrets"), expander()
    kinds = [("dictated" if item["kind"] in DICTATED else "made by machines", item["text"]) for item in texts["secret"]]
    for group in ("made by machines", "dictated"):
        there = [text for kind, text in kinds if kind == group]
        found = sum(bool(find_secrets(expand(text))) for text in there)
        yield f"| {group} | {len(there)} | {found} | {found / len(there):.3f} |"
    false = sum(bool(find_secrets(expand(item["text"]))) for item in texts["clean"])
    yield f"| without a secret | {len(texts['clean'])} | {false} | {false / len(texts['clean']):.3f} |"


def grounding_rows() -> Iterator[str]:
    """The table of grounding: honest titles that wait, and those that pass of what says more or reduces caution."""
    for name in GROUNDING:
        texts = corpus(f"{name}.json")
        waits = sum(isinstance(ground(item), Held) for item in texts["honest"])
        more = [item for item in texts["overreaching"] if item["kind"] != "caution"]
        caution = [item for item in texts["overreaching"] if item["kind"] == "caution"]
        passes = [sum(isinstance(ground(item), Grounded) for item in group) for group in (more, caution)]
        yield (
            f"| {name} | {len(texts['honest'])} | {waits} | {len(more)} | {passes[0]} | {len(caution)} | {passes[1]} |"
        )


def ground(item: dict[str, str]) -> Grounded | Held:
    """The decision on a pair; where the corpus gives no message, the quote is all of it."""
    text = item.get("message", item["quote"])
    receipt = Receipt("claude-code/1", "m1", text, datetime(2026, 11, 30, tzinfo=UTC), "claude-code")
    return decide_grounding(item["title"], item.get("body", ""), item["quote"], [receipt])


def test_the_published_figures_are_true() -> None:
    published = (PROJECT / "references" / "capture-rules.md").read_text(encoding="utf-8").splitlines()
    wanted = [*exclusion_rows(), *secret_rows(), *grounding_rows()]
    assert [row for row in wanted if row not in published] == []


def test_the_corpora_have_their_size_and_say_how_they_were_written() -> None:
    sentences, texts = corpus("exclusions.json"), corpus("secrets.json")
    assert Counter(item["rule"] for item in sentences["refused"]) == dict.fromkeys(RULES, 40)
    assert len(sentences["allowed"]) == 200
    assert (len(texts["secret"]), len(texts["clean"])) == (200, 300)
    assert sentences["written"] >= "2026-11-29"
    assert texts["written"] >= "2026-11-29"


def test_the_pairs_of_grounding_have_their_number_and_none_was_tuned_on() -> None:
    pairs = corpus("grounding.json")
    assert (len(pairs["honest"]), len(pairs["overreaching"])) == (100, 100)
    groups = ("honest", "overreaching")
    tuned = {(item["quote"], item["title"]) for group in groups for item in corpus("grounding-tuning.json")[group]}
    assert not [item for group in groups for item in pairs[group] if (item["quote"], item["title"]) in tuned]


def test_nothing_that_says_more_than_its_quote_passes() -> None:
    names = (*GROUNDING, "grounding-tuning")
    pairs = [item for name in names for item in corpus(f"{name}.json")["overreaching"] if item["kind"] != "caution"]
    assert [item for item in pairs if isinstance(ground(item), Grounded)] == []


def test_nearly_no_text_of_the_tuning_sets_is_held_out() -> None:
    for name, groups in GROUPS.items():
        everything, left = corpus(f"{name}.json"), held_out(name)
        assert sum(len(everything[group]) - len(left[group]) for group in groups) <= 2


@pytest.mark.parametrize("name", ["openclaw", "claude-auto-memory", "skill", "native", "editors"])
def test_no_sentence_of_the_fixtures_is_refused(name: str) -> None:
    folder = shared_path("fixtures") / name
    lines = [
        line.strip(" \t\r-*>#")
        for path in sorted(folder.rglob("*.md"))
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n")
    ]
    assert [line for line in lines if line and find_exclusion(line)] == []


if __name__ == "__main__":
    print("\n".join([*exclusion_rows(), *secret_rows(), *grounding_rows()]))
