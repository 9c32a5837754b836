"""Which entries rest on another one."""

from __future__ import annotations

import pytest

from remember_me.model.entry import Entry, Tag, Tier
from remember_me.policy.links import Link, links_of, rests_on

DAILY = Entry("k7m2pq", Tag.FACT, "Lives in Genoa", "", (), "memory/2026-11-29.md", 6, Tier.DAILY)
TOPIC = DAILY._replace(id="tpc111", note="memory/Lorebook-Style.md", tier=Tier.TOPIC)


def entry(**fields: str) -> Entry:
    return DAILY._replace(id="w3n8xa", fields=tuple(fields.items()))


@pytest.mark.parametrize(
    ("links", "daily", "topic"),
    [
        ("k7m2pq", True, False),
        ("^k7m2pq", True, False),
        ("K7M2PQ", True, False),
        (" c8w3tz , k7m2pq", True, False),
        ("[[2026-11-29#^k7m2pq]]", True, False),
        ("[[memory/2026-11-29#^k7m2pq|home]]", True, False),
        ("[[2026-11-29]]", False, False),
        ("[[2026-11-29#k7m2pq]]", False, False),
        ("k7m2p", False, False),
        ("k7m2pqx", False, False),
        ("see k7m2pq", False, False),
        ("[[lorebook-style]]", False, True),
        ("[[memory/lorebook-style.md|style]]", False, True),
        ("[[lorebook-style#Tone]]", False, True),
        ("[[lorebook-style#^tpc111]]", False, True),
        ("tpc111", False, True),
        ("[[lorebook]]", False, False),
        ("", False, False),
        (",", False, False),
        ("[[]]", False, False),
    ],
)
def test_links(links: str, daily: bool, topic: bool) -> None:
    found = entry(links=links)
    assert (rests_on(found, DAILY), rests_on(found, TOPIC)) == (daily, topic)


def test_what_took_its_place_rests_on_it_and_nothing_rests_on_itself() -> None:
    assert rests_on(entry(supersedes="k7m2pq"), DAILY)
    assert not rests_on(DAILY._replace(fields=(("links", "k7m2pq"),)), DAILY)
    assert not rests_on(entry(), DAILY)


def test_each_link_once_and_in_its_order() -> None:
    found = links_of(entry(links="b1b1b1, [[x/Note.md]], ^b1b1b1", supersedes="a1a1a1"))
    assert found == (Link("b1b1b1"), Link(None, "note"), Link("a1a1a1"))
