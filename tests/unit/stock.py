"""The entries that a prompt may bring to mind, in memory: what the one in the cache must answer, said plainly."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from remember_me.recall.index import Line
from remember_me.recall.phrases import Said, Terms


class Known(NamedTuple):
    """A line with the terms of its phrases."""

    key: int
    id: str
    title: str
    description: str
    spoken: Collection[str]


class Stock:
    """The stock of these lines; their keys are given anew."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.said = [Said(line.title, line.description, line.aliases) for line in lines]
        self.entries = len(lines)
        self.filed = sum(len(said.phrases) for said in self.said)

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        return {term: sum(term in said.terms for said in self.said) for term in terms}

    def phrases(self, terms: Collection[str]) -> Iterator[tuple[Terms, Sequence[int]]]:
        found: dict[Terms, list[int]] = {}
        for key, said in enumerate(self.said):
            for stems in said.phrases:
                if all(stem in terms for stem in stems):
                    found.setdefault(stems, []).append(key)
        return iter(found.items())

    def having(self, terms: Iterable[str]) -> dict[int, set[str]]:
        wanted = set(terms)
        return {key: found for key, said in enumerate(self.said) if (found := said.terms & wanted)}

    def spelled(self, head: str) -> list[str]:
        return sorted({word for said in self.said for word in said.words if word.startswith(head)})

    def linked(self, key: int) -> list[Known]:
        return []

    def load(self, keys: Iterable[int]) -> list[Known]:
        return [self._known(key) for key in keys]

    def _known(self, key: int) -> Known:
        line = self.lines[key]
        spoken = {term for stems in self.said[key].phrases for term in stems}
        return Known(key, line.id, line.title, line.description, spoken)
