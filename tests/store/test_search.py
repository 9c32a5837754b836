"""The search in real notes, through the cache."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remember_me.app.wiring import Surroundings, open_view
from remember_me.recall import search as engine
from remember_me.recall.cache import Cache
from remember_me.recall.search import Hit, Wanted, search


class Store:
    """A folder with notes that can be searched."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "memory").mkdir(parents=True)
        (root / ".remember-me").mkdir()

    def note(self, name: str, text: str) -> None:
        path = self.root / ("MEMORY.md" if name == "MEMORY" else f"memory/{name}.md")
        path.write_text(text, encoding="utf-8")

    @contextmanager
    def cache(self) -> Iterator[object]:
        around = Surroundings({"HOME": str(self.root), "TZ": "UTC"}, self.root)
        with Cache(open_view(around).reader).fresh() as db:
            yield db

    def hits(self, query: str, **wanted: object) -> list[Hit]:
        with self.cache() as db:
            return search(db, Wanted(query, **wanted))  # type: ignore[arg-type]

    def ids(self, query: str, **wanted: object) -> list[str]:
        return [hit.id for hit in self.hits(query, **wanted)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store of odd entries, for odd queries."""
    found = Store(tmp_path_factory.mktemp("odd") / "store")
    found.note("2024-05-05", '- FACT: The NEAR clock AND the col:umn* "quoted" (tea) ^k00001\n\n- FACT: Tea ^k00002\n')
    found.note("prose", "To be or not to be, that is it.\n")
    return found


def test_a_hit_has_all_that_is_shown(store: Store) -> None:
    store.note(
        "2024-05-05",
        "# Day\n\n- [10:00] GOAL: Repair the brass clock ^k00001\n  - expires: 2024-06-01\n  - scope: shop\n\n"
        "  Before winter.\n",
    )
    (hit,) = store.hits("clocks of brass")
    assert (hit.id, hit.title, hit.note, hit.line) == ("k00001", "Repair the brass clock", "memory/2024-05-05.md", 3)
    assert (hit.tag, hit.status, hit.scope) == ("GOAL", "active", "shop")
    assert (hit.created, hit.expires) == ("2024-05-05", "2024-06-01")
    assert hit.snippet == "Repair the brass clock Before winter."
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["brass", "clock"]
    assert hit.score > 0


def test_a_passage_is_found_by_its_address(store: Store) -> None:
    store.note("2024-05-05", "# Trip\n\nWe took the night train.\n\n- FACT: A clock ^k00001\n")
    (hit,) = store.hits("night train")
    assert (hit.id, hit.title, hit.tag, hit.line) == ("", "memory/2024-05-05.md#Trip", "", 3)
    assert store.hits("night train", entries_only=True) == []
    assert store.hits("night train", tags=("FACT",)) == []


def test_description_aliases_and_body_are_searched(store: Store) -> None:
    store.note(
        "2024-05-05", "- FACT: One ^k00001\n  - description: about pianos\n  - aliases: harbor\n\n  With a violin.\n"
    )
    assert store.ids("piano") == store.ids("harbour") == store.ids("violins") == ["k00001"]


def test_expired_entries_are_found(store: Store) -> None:
    store.note("2024-05-05", "- FACT: A clock ^k00001\n  - expires: 2020-01-01\n")
    assert [(hit.id, hit.expires) for hit in store.hits("clock")] == [("k00001", "2020-01-01")]


def test_what_is_not_live_is_found_when_it_is_asked_for(store: Store) -> None:
    statuses = ("active", "disabled", "stale", "discarded", "promoted", "superseded")
    entries = [f"- FACT: A clock ^k0000{number}\n  - status: {status}\n" for number, status in enumerate(statuses)]
    store.note("2024-05-05", "\n".join(entries))
    assert store.ids("clock") == ["k00000"]
    assert store.ids("clock", statuses=("stale",)) == ["k00002"]
    assert set(store.ids("clock", statuses=("stale", "superseded"))) == {"k00002", "k00005"}
    assert set(store.ids("clock", statuses=statuses)) == {f"k0000{number}" for number in range(6)}
    assert store.ids("clock", statuses=("unheard",)) == []


def test_since(store: Store) -> None:
    store.note("2024-05-05", "- FACT: A clock ^k00001\n")
    store.note("2024-05-09", "- FACT: A clock ^k00002\n\n- FACT: A clock ^k00003\n  - since: 2020-01-01\n")
    store.note("MEMORY", "## Facts\n\n- FACT: A clock ^k00004\n  - since: 2024-05-06\n\n- FACT: A clock ^k00005\n")
    assert set(store.ids("clock", since=date(2024, 5, 6))) == {"k00002", "k00004"}
    assert set(store.ids("clock", since=date(2024, 5, 9))) == {"k00002"}
    assert store.ids("clock", since=date(2024, 5, 10)) == []


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """7,000 entries about clocks; twelve old ones are goals, in project x, or stale."""
    found = Store(tmp_path_factory.mktemp("crowd") / "store")
    for number in range(70):
        lines: list[str] = []
        for each in range(100):
            rare = number < 12 and each == 50
            lines.append(
                f"- {'GOAL' if rare else 'FACT'}: Clock number {number} and {each} ^k{number:03d}{each:03d}x\n"
            )
            lines += ["  - scope: x\n"] if number < 12 and each in (50, 51) else []
            lines += ["  - status: stale\n"] if number < 12 and each == 60 else []
        month, day = divmod(number, 28)
        found.note(f"2024-{month + 1:02d}-{day + 1:02d}", "".join(lines))
    return found


@pytest.mark.parametrize(
    ("wanted", "suffix"),
    [
        ({"tags": ("GOAL",)}, "050x"),
        ({"tags": ("goal",)}, "050x"),
        ({"statuses": ("stale",)}, "060x"),
        ({"tags": ("GOAL",), "scopes": ("x",)}, "050x"),
    ],
)
def test_filters_lose_nothing_among_many(crowded: Store, wanted: dict[str, object], suffix: str) -> None:
    hits = crowded.ids("clock", limit=12, **wanted)
    assert sorted(hits) == [f"k{number:03d}{suffix}" for number in range(12)]
    assert len(crowded.ids("clock", limit=5, **wanted)) == 5


def test_a_date_among_many(crowded: Store) -> None:
    hits = crowded.hits("clock", since=date(2024, 3, 14), limit=50)
    assert len(hits) == 50
    assert {hit.created for hit in hits} == {"2024-03-14"}
    assert {hit.created for hit in crowded.hits("clock in february 2024", limit=20)} <= {
        f"2024-02-{day:02d}" for day in range(1, 29)
    }


def test_a_scope_among_many(crowded: Store) -> None:
    hits = crowded.hits("clock", scopes=("x",), limit=60)
    assert len(hits) == 60
    assert {hit.scope for hit in hits} <= {None, "x"}


def test_the_limit(crowded: Store) -> None:
    for limit in (1, 10, 100, 500):
        assert len(crowded.hits("clock", limit=limit)) == limit
    assert crowded.hits("clock", limit=0) == crowded.hits("clock", limit=-1) == []


def test_many_scopes_lose_nothing(crowded: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST_RANGES", 1)
    hits = crowded.hits("clock", scopes=("x", "y", "z"), tags=("GOAL",), limit=12)
    assert sorted(hit.id for hit in hits) == [f"k{number:03d}050x" for number in range(12)]
    assert {hit.scope for hit in crowded.hits("clock", scopes=("y", "z"), limit=100)} == {None}


# Odd queries


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   \n\t",
        "\0",
        '"',
        '""""',
        "NEAR",
        "NEAR(clock tea, 3)",
        "clock*",
        "t:clock",
        "word:clock",
        "clock AND tea",
        "clock OR",
        "NOT",
        "- + ^ {} ()",
        "'; DROP TABLE stored; --",
        "clock\ud800",
        "\U0001f600",
        "§fact",
        "x" * 100_000,
        "clock " * 20_000,
        " ".join(f"word{number}" for number in range(15_000)),
    ],
)
def test_no_query_is_an_error_or_syntax(odd: Store, query: str) -> None:
    hits = odd.ids(query)
    assert set(hits) <= {"k00001", "k00002", ""}
    if "clock" in query:
        assert "k00001" in hits


def test_words_are_never_operators(odd: Store) -> None:
    assert odd.ids("near column tea") == odd.ids("NEAR column* tea") == odd.ids('"near" column AND tea') != []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=st.text(max_size=80))
def test_any_text_is_a_query(odd: Store, query: str) -> None:
    assert len(odd.hits(query)) <= 3


def test_stop_words_alone_are_looked_for_as_they_stand(odd: Store) -> None:
    (hit,) = odd.hits("to be or NOT to be")
    assert hit.note == "memory/prose.md"
    assert odd.hits("be to not or") == []
    assert odd.hits("to be or not to be", entries_only=True) == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("昨日、妹と京都の寺を訪れた", "京都"),
        ("我喜欢在周末喝绿茶", "绿茶"),
        ("我喜欢在周末喝绿茶", "茶"),
        ("서울에서 친구를 만났다", "친구"),
        ("Café Zürich opens", "cafe zurich"),
        ("Cafe\u0301 Zu\u0308rich opens", "CAFÉ"),
        ("がっこうへ行く", unicodedata.normalize("NFD", "がっこう")),
        ("Große Straße", "GROSSE STRASSE"),
        ("Она любит чай", "ЧАЙ"),
    ],
)
def test_every_script(store: Store, text: str, query: str) -> None:
    store.note("2024-05-05", f"- FACT: {text} ^k00001\n")
    (hit,) = store.hits(query)
    assert hit.id == "k00001"
    assert hit.marks


# Ranking, as far as it can be seen from outside


def test_neighbours_help(store: Store) -> None:
    filler = "".join(f"- FACT: Some other matter {number} ^k001{number:02d}\n" for number in range(20))
    store.note("2024-05-05", "- FACT: Anna asked about Lisbon ^k00001\n\n- FACT: The hotel was full ^k00002\n")
    store.note("2024-05-06", f"{filler}\n- FACT: The hotel was full ^k00003\n")
    assert store.ids("hotel in Lisbon")[:2] == ["k00002", "k00001"]


def test_the_newest_of_equals_comes_first(store: Store) -> None:
    for day in (5, 7, 6):
        store.note(f"2024-05-0{day}", f"- FACT: A clock ^k0000{day}\n")
    assert store.ids("clock") == ["k00007", "k00006", "k00005"]


def test_a_month_that_is_named_finds_its_entries(store: Store) -> None:
    store.note("2023-05-05", "- FACT: A table ^k00001\n")
    store.note("2023-06-05", "- FACT: A table ^k00002\n")
    assert store.ids("may 2023")[:1] == ["k00001"]
    assert store.ids("2023-06-05")[:1] == ["k00002"]
    assert store.ids("in June")[:1] == ["k00002"]


def test_an_empty_store(store: Store) -> None:
    assert store.hits("clock") == store.hits("the") == store.hits("May 2023") == []
