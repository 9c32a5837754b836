"""The cache: whatever happened to the notes or to its file, it answers as one that was made just now."""

from __future__ import annotations

import multiprocessing
import os
import random
import sqlite3
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from remember_me.app.wiring import Surroundings, open_view
from remember_me.recall.cache import Cache
from remember_me.recall.search import Wanted, search
from remember_me.recall.update import Update

WORDS = ("apple", "brass", "clock", "garden", "letter", "music", "piano", "repair", "river", "table", "café", "京都")
QUERIES = ("brass clock", "repair the piano", "What is in the garden?", "京都", "cafe", "letter from March 2024")
TAGS = ("FACT", "PREFERENCE", "GOAL", "HYPOTHESIS")
STATUSES = ("active", "active", "active", "stale", "disabled", "superseded", "promoted")
ROUNDS = int(os.environ.get("REMEMBER_ME_TEST_ROUNDS", "40"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store")


def make_store(root: Path) -> Path:
    (root / "memory").mkdir(parents=True)
    (root / ".remember-me").mkdir()
    return root


def cache_of(root: Path) -> Cache:
    return Cache(open_view(Surroundings({"HOME": str(root), "TZ": "UTC"}, root)).reader)


def note(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.write_text(text, encoding="utf-8")
    return path


def found(root: Path, query: str, **wanted: object) -> list[str]:
    with cache_of(root).fresh() as db:
        return [hit.id or hit.title for hit in search(db, Wanted(query, **wanted))]  # type: ignore[arg-type]


def content(db: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """All tables, without the numbers that depend on the order in which notes and scopes came."""
    columns = """id, path, tag, status, title, description, body, signal, basis, confidence, impact, entry.scope,
        pinned, validated, facet, expires, aliases, created, seen, line, start, length, fields, head, flags"""
    return {
        "entry": sorted(db.execute(f"SELECT {columns} FROM entry JOIN note ON number = note").fetchall(), key=repr),
        "order": sorted(
            db.execute(
                """SELECT path, entry.scope, key & 65535, key >> 52, id, line
                FROM entry JOIN note ON number = note"""
            ).fetchall(),
            key=repr,
        ),
        "other": sorted(db.execute("SELECT id, path, ordinal, live, day FROM other JOIN note ON number = note")),
        "note": sorted(db.execute("SELECT path, digest FROM note")),
        "term": sorted(db.execute("SELECT * FROM term")),
        "scope": sorted(db.execute("SELECT name, entries FROM scope")),
        "phrase": sorted(db.execute("SELECT words, id FROM phrase JOIN entry USING (key)")),
        "spelled": sorted(db.execute("SELECT * FROM spelled")),
        "meta": db.execute("SELECT entries, terms, phrases, etag FROM meta").fetchall(),
    }


def answers(db: sqlite3.Connection) -> list[object]:
    every = ("active", "stale", "disabled", "superseded", "promoted")
    return [
        [(hit.id, hit.score, hit.title, hit.note, hit.line, hit.snippet, hit.marks) for hit in search(db, wanted)]
        for query in QUERIES
        for wanted in (Wanted(query), Wanted(query, scopes=("one",)), Wanted(query, tags=("GOAL",), statuses=every))
    ]


def state(root: Path) -> tuple[object, object]:
    with cache_of(root).fresh() as db:
        return content(db), answers(db)


def state_anew(root: Path) -> tuple[object, object]:
    """What a cache says that is made just now: in memory, so that the one on disk stays as it is."""
    cache = cache_of(root)
    db = cache._connect(Path(":memory:"))
    cache._fill(db)
    return content(db), answers(db)


# Any history of the notes


class Notes:
    """A store that is changed at random."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root, self.dice = root, dice
        self.ids = [f"k{number:04d}x" for number in range(40)]

    def entry(self) -> str:
        dice = self.dice
        words = " ".join(dice.choices(WORDS, k=dice.randint(2, 9)))
        head = dice.choice(("", "", "Anna: "))
        text = f"- {dice.choice(TAGS)}: {head}{words}{dice.choice('.?')} ^{dice.choice(self.ids)}\n"
        for line in ("impact: 3", "scope: one", "scope: two", "pinned: true", "aliases: harbor", "session: cli/1"):
            if dice.random() < 0.1:
                text += f"  - {line}\n"
        if (status := dice.choice(STATUSES)) != "active":
            text += f"  - status: {status}\n"
        return text if dice.random() < 0.7 else f"{text}\n  {' '.join(dice.choices(WORDS, k=5))}\n"

    def text(self) -> str:
        pieces = [self.entry() for _ in range(self.dice.randint(0, 6))]
        if self.dice.random() < 0.3:
            pieces.insert(0, f"## {self.dice.choice(WORDS)}\n\nProse about a {self.dice.choice(WORDS)}.\n\n")
        return "\n".join(pieces)

    def name(self) -> str:
        choices = [f"memory/2024-{self.dice.randint(1, 4):02d}-{self.dice.randint(1, 4):02d}.md" for _ in range(4)]
        return self.dice.choice([*choices, "MEMORY.md", "memory/topic.md", "memory/prose.md", "beside.md"])

    def write(self) -> None:
        path = self.root / self.name()
        text = self.text()
        if path.name == "topic.md":
            ident, tag = self.dice.choice(self.ids), self.dice.choice(TAGS)
            text = f"---\nid: {ident}\ntag: {tag}\ntitle: Some {self.dice.choice(WORDS)}\n---\n\nA {WORDS[0]}.\n"
        path.write_text(text, encoding="utf-8")

    def some(self) -> Path | None:
        there = sorted(path for path in (*self.root.glob("*.md"), *self.root.glob("memory/*.md")))
        return self.dice.choice(there) if there else None

    def change(self) -> None:
        path, kind = self.some(), self.dice.randrange(6)
        if path is None or kind < 2:
            self.write()
        elif kind == 2:
            path.unlink()
        elif kind == 3:
            path.rename(self.root / self.name())
        elif kind == 4:
            path.write_text(path.read_text(encoding="utf-8") + "\n" + self.entry(), encoding="utf-8")
        else:  # a hand edit that keeps size and time
            times, text = path.stat(), path.read_text(encoding="utf-8")
            path.write_text(text.replace("brass", "train").replace("clock", "table"), encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_after_any_changes_it_is_as_if_made_just_now(tmp_path: Path, seed: int) -> None:
    dice = random.Random(f"cache {seed}")
    notes = Notes(make_store(tmp_path / "store"), dice)
    for _ in range(6):
        notes.write()
    state(notes.root)
    for _ in range(4):
        for _ in range(dice.randint(1, 4)):
            notes.change()
        assert state(notes.root) == state_anew(notes.root)


def test_only_the_note_that_changed_is_parsed(root: Path) -> None:
    for day in range(1, 10):
        note(root, f"memory/2024-05-0{day}.md", f"- FACT: Number {day} ^k0000{day}\n")
    cache = cache_of(root)
    with cache.fresh():
        assert cache.parsed == 9
    note(root, "memory/2024-05-05.md", "- FACT: Another one ^k00005\n")
    with cache.fresh():
        assert cache.parsed == 10
    with cache.fresh():
        assert cache.parsed == 10


def test_a_settled_store_is_not_written_to(root: Path) -> None:
    path = note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert found(root, "clock") == ["k00005"]
    with cache_of(root).fresh() as db:
        db.execute("UPDATE meta SET looked_ns = looked_ns + 1000000000")
    cache_of(root)._write_stamp()
    before = (root / ".remember-me" / "cache.sqlite").stat()
    assert found(root, "clock") == ["k00005"]
    assert (root / ".remember-me" / "cache.sqlite").stat() == before


def test_the_live_occurrence_is_served_and_the_next_one_when_it_is_gone(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: Old clock ^k00005\n  - status: promoted\n")
    long_term = note(root, "MEMORY.md", "## Facts\n\n- FACT: New clock ^k00005\n")
    with cache_of(root).fresh() as db:
        assert [hit.note for hit in search(db, Wanted("clock"))] == ["MEMORY.md"]
    long_term.unlink()
    with cache_of(root).fresh() as db:
        assert search(db, Wanted("clock")) == []
        assert [hit.status for hit in search(db, Wanted("clock", statuses=("promoted",)))] == ["promoted"]


def test_the_etag_is_that_of_the_notes(root: Path) -> None:
    def etag() -> object:
        with cache_of(root).fresh() as db:
            return db.execute("SELECT etag FROM meta").fetchone()[0]

    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    first = etag()
    note(root, "memory/2024-05-06.md", "- FACT: A table ^k00006\n")
    assert etag() != first
    (root / "memory/2024-05-06.md").unlink()
    assert etag() == first


def test_tokens_are_kept_until_the_notes_change(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    cache = cache_of(root)
    with cache.fresh() as db:
        ((key,),) = db.execute("SELECT key FROM entry").fetchall()
        cache.keep_tokens(db, {key: 7})
    with cache_of(root).fresh() as db:
        assert db.execute("SELECT tokens FROM entry").fetchall() == [(7,)]
    stale = cache_of(root)
    with stale.fresh() as db:
        note(root, "memory/2024-05-05.md", "- FACT: Another clock ^k00005\n")
        state(root)
        stale.keep_tokens(db, {key: 9})
    with cache_of(root).fresh() as db:
        assert db.execute("SELECT tokens FROM entry").fetchall() == [(None,)]


# What waits in the spool


class Waiting:
    """A reader with notes that wait."""

    def __init__(self, cache: Cache, waiting: dict[str, bytes | None]) -> None:
        cache.reader.waiting = lambda: waiting  # type: ignore[method-assign]
        self.cache = cache

    def found(self, query: str) -> list[str]:
        with self.cache.fresh() as db:
            return [hit.id for hit in search(db, Wanted(query))]


def test_what_waits_is_found_and_what_waits_to_go_is_not(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    new = {"memory/2024-05-06.md": b"- FACT: A clock ^k00006\n"}
    assert Waiting(cache_of(root), new).found("clock") == ["k00006", "k00005"]
    assert found(root, "clock") == ["k00005"]
    assert Waiting(cache_of(root), {"memory/2024-05-05.md": None}).found("clock") == []
    assert found(root, "clock") == ["k00005"]
    assert Waiting(cache_of(root), {"memory/2024-05-05.md": b"- FACT: A table ^k00005\n"}).found("clock") == []
    assert found(root, "clock") == ["k00005"]


# A file that is damaged


def _flip(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice((1, 20, 400))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def _truncate(path: Path, dice: random.Random) -> None:
    os.truncate(path, dice.randrange(path.stat().st_size))


def _garbage(path: Path, dice: random.Random) -> None:
    path.write_bytes(dice.randbytes(dice.choice((0, 10, 5000))))


def _remove(path: Path, dice: random.Random) -> None:
    dice.choice((path, path.with_name("cache.stamp"))).unlink()


def _other_version(path: Path, dice: random.Random) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    cache_of(path.parents[1])._write_stamp()


def _other_store(path: Path, dice: random.Random) -> None:
    other = make_store(path.parents[2] / f"other-{dice.random()}")
    note(other, "memory/2020-01-01.md", "- FACT: A foreign clock ^k0fore\n")
    state(other)
    dice.choice((os.replace, lambda a, b: b.write_bytes(a.read_bytes())))(other / ".remember-me/cache.sqlite", path)


def _leftovers(path: Path, dice: random.Random) -> None:
    path.with_name("cache.sqlite-journal").write_bytes(dice.randbytes(2000))
    path.with_name(".cache.sqlite.new").write_bytes(dice.randbytes(2000))
    _flip(path, dice)


def _emptied(path: Path, dice: random.Random) -> None:
    db = sqlite3.connect(path)
    db.executescript("DELETE FROM stored; DELETE FROM term; UPDATE note SET number = number + 7")
    db.close()


DAMAGES = (_flip, _flip, _flip, _truncate, _garbage, _remove, _other_version, _other_store, _leftovers, _emptied)


@pytest.mark.parametrize("seed", range(50))
def test_a_damaged_file_is_made_anew(tmp_path: Path, seed: int) -> None:
    dice = random.Random(f"damage {seed}")
    notes = Notes(make_store(tmp_path / "store"), dice)
    for _ in range(5):
        notes.write()
    state(notes.root)
    damage: Callable[[Path, random.Random], None] = DAMAGES[seed % len(DAMAGES)]
    damage(notes.root / ".remember-me" / "cache.sqlite", dice)
    if dice.random() < 0.5:
        notes.change()
    assert state(notes.root) == state_anew(notes.root)
    assert state(notes.root) == state_anew(notes.root)


def test_a_file_that_is_overwritten_while_it_is_read_is_made_anew(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    cache, tries = cache_of(root), []

    def work(db: sqlite3.Connection) -> list[str]:
        tries.append(1)
        if len(tries) == 1:
            with cache.path.open("r+b") as file:
                file.write(b"no database" * 5000)
        return [hit.id for hit in search(db, Wanted("clock"))]

    assert cache.answer(work) == ["k00005"]
    assert len(tries) == 2
    assert state(root) == state_anew(root)


def test_a_file_that_fails_inside_is_made_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    state(root)
    note(root, "memory/2024-05-05.md", "- FACT: A table ^k00005\n")
    run, failures = Update.run, [sqlite3.DatabaseError("database disk image is malformed")]

    def fails_once(self: Update, *arguments: object) -> None:
        if failures:
            raise failures.pop()
        run(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Update, "run", fails_once)
    assert found(root, "table") == ["k00005"]


def test_another_time_zone_or_folder_makes_it_anew(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- [23:30] FACT: A clock ^k00005\n")
    with cache_of(root).fresh() as db:
        assert db.execute("SELECT seen FROM entry").fetchall() == [("2024-05-05",)]
    around = Surroundings({"HOME": str(root), "TZ": "America/New_York"}, root)
    with Cache(open_view(around).reader).fresh() as db:
        assert db.execute("SELECT seen FROM entry").fetchall() == [("2024-05-06",)]


# Several at once, and no right to write


def test_a_reader_goes_on_while_the_file_is_made_anew(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    with cache_of(root).fresh() as db:
        (root / ".remember-me" / "cache.stamp").unlink()
        note(root, "memory/2024-05-06.md", "- FACT: A clock ^k00006\n")
        assert found(root, "clock") == ["k00006", "k00005"]
        assert [hit.id for hit in search(db, Wanted("clock"))] == ["k00005"]


def _refresh_often(root: Path, seed: int, queue: multiprocessing.Queue[str]) -> None:
    notes = Notes(root, random.Random(f"process {seed}"))
    try:
        for number in range(15):
            name = f"memory/2024-0{seed + 5}-01.md"
            note(root, name, f"- FACT: Brass {number} ^k{seed}{number:04d}\n")
            if number % 5 == 4:
                with suppress(OSError):  # another one may be about to replace it
                    _remove(root / ".remember-me" / "cache.sqlite", notes.dice)
            hits = found(root, f"brass {number}", limit=50)
            if f"k{seed}{number:04d}" not in hits:
                queue.put(f"{seed}: {number} is not in {hits}")
    except BaseException:
        queue.put(traceback.format_exc())
    queue.put("done")


def test_processes_refresh_at_once(root: Path) -> None:
    notes = Notes(root, random.Random("at once"))
    for _ in range(10):
        notes.write()
    state(root)
    spawn = multiprocessing.get_context("spawn")
    queue: multiprocessing.Queue[str] = spawn.Queue()
    processes = [spawn.Process(target=_refresh_often, args=(root, seed, queue)) for seed in range(3)]
    for process in processes:
        process.start()
    said: list[str] = []
    while said.count("done") < len(processes):
        said.append(queue.get(timeout=120))
    for process in processes:
        process.join()
    assert said == ["done"] * len(processes)
    assert state(root) == state_anew(root)


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be made read-only like this on Windows")
def test_without_a_folder_to_write_in_it_is_held_in_memory(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    own = root / ".remember-me"
    own.rmdir()
    assert found(root, "clock") == ["k00005"]
    assert not own.exists()
    own.write_text("in the way")
    assert found(root, "clock") == ["k00005"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(root: Path) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    assert found(root, "clock") == ["k00005"]
    note(root, "memory/2024-05-06.md", "- FACT: A clock ^k00006\n")
    own = root / ".remember-me"
    own.chmod(0o500)
    try:
        assert found(root, "clock") == ["k00006", "k00005"]
    finally:
        own.chmod(0o700)


def test_no_lock_can_be_had(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    assert found(root, "clock") == ["k00005"]
    note(root, "memory/2024-05-06.md", "- FACT: A clock ^k00006\n")

    def barred(*arguments: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("remember_me.recall.cache.StoreLock.acquire", barred)
    assert found(root, "clock") == ["k00006", "k00005"]


def test_the_file_cannot_be_written(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")
    assert found(root, "clock") == ["k00005"]
    note(root, "memory/2024-05-06.md", "- FACT: A clock ^k00006\n")
    connect = Cache._connect

    def read_only(self: Cache, path: Path) -> sqlite3.Connection:
        db = connect(self, path)
        db.execute(f"PRAGMA query_only = {int(str(path) != ':memory:')}")
        return db

    monkeypatch.setattr(Cache, "_connect", read_only)
    assert found(root, "clock") == ["k00006", "k00005"]


def test_a_full_disk_is_no_error(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note(root, "memory/2024-05-05.md", "- FACT: A clock ^k00005\n")

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("remember_me.recall.cache.os.replace", full)
    assert found(root, "clock") == ["k00005"]


# Odd notes


def test_undated_notes_and_scopes(root: Path) -> None:
    note(root, "MEMORY.md", "## Facts\n\n- FACT: A long clock ^k00001\n  - scope: one\n\n- GOAL: A clock ^k00002\n")
    note(root, "memory/topic.md", "---\nid: k00003\ntag: FACT\ntitle: The clock\nscope: two\n---\n\nOf brass.\n")
    note(root, "memory/2024-05-05.md", "- FACT: Clock of the day ^k00004\n\n# Prose\n\nA clock in prose.\n")
    everything = {"k00001", "k00002", "k00003", "k00004", "memory/2024-05-05.md#Prose"}
    assert set(found(root, "clock")) == everything
    assert set(found(root, "clock", scopes=())) == everything - {"k00001", "k00003"}
    assert set(found(root, "clock", scopes=("one",))) == everything - {"k00003"}
    assert set(found(root, "clock", scopes=("one", "two"))) == everything
    assert set(found(root, "clock", scopes=("unknown",))) == everything - {"k00001", "k00003"}
    assert set(found(root, "clock", entries_only=True)) == everything - {"memory/2024-05-05.md#Prose"}


def test_bytes_that_are_no_utf8(root: Path) -> None:
    (root / "memory/2024-05-05.md").write_bytes(b"- FACT: A clock \xff and \xc3 ^k00005\n  - scope: \xfe\n")
    (root / "memory/2024-05-06.md").write_bytes(b"A clock \xff\n")
    assert found(root, "clock") == ["memory/2024-05-06.md", "k00005"]
    assert found(root, "clock", scopes=("\udcfe",), entries_only=True) == ["k00005"]


@pytest.mark.slow
def test_more_entries_in_one_note_than_a_key_can_tell(root: Path) -> None:
    lines = "".join(f"- FACT: Clock number{number} ^k{number:06d}x\n" for number in range(66_000))
    note(root, "memory/2024-05-05.md", lines)
    assert found(root, "number17")[0] == "k000017x"
    note(root, "memory/2024-05-05.md", lines.replace("number17 ", "table "))
    assert found(root, "table")[0] == "k000017x"


def test_many_scopes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remember_me.recall.update.LAST_SCOPE", 5)
    lines = "".join(f"- FACT: Clock {number} ^k{number:04d}x\n  - scope: s{number}\n" for number in range(12))
    note(root, "memory/2024-05-05.md", lines)
    assert found(root, "clock", scopes=("s7",)) == ["k0007x"]
    named = ("s1", "s7", "s8", "s9", "s11")
    assert set(found(root, "clock", scopes=named)) == {"k0001x", "k0007x", "k0008x", "k0009x", "k0011x"}
    note(root, "memory/2024-05-05.md", lines.replace("s7", "s3"))
    assert set(found(root, "clock", scopes=("s3",))) == {"k0007x", "k0003x"}
