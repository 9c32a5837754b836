"""Erase: takes entries out of the git history of a store, and proves that they are gone (DESIGN section 5, Forget).

The number of commits, their order, persons, dates and messages, and every other entry's bytes stay as they are; only
commits from the first that holds a forgotten entry get new ids. All that names an old object is moved first, in one
transaction for the refs; then the old objects are deleted, also those that nothing names. Each step can be done again:
what became of each object is found anew from the objects, or in a map on disk once they begin to go.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from remember_me.errors import CannotCommit
from remember_me.notes import layout
from remember_me.notes.layout import NoteKind
from remember_me.notes.note import encode
from remember_me.store.census import Census
from remember_me.store.files import Disk, Raced, read_regular, write_private
from remember_me.store.finding import Finding, Rule, Target
from remember_me.store.git import Git, GitFailed, GitProblem
from remember_me.store.gitwords import decoded, is_object_id
from remember_me.store.listing import NOTE_LIMIT_BYTES
from remember_me.store.proof import Place, prove, remove_debris
from remember_me.store.rewrite import Rewrite
from remember_me.store.roots import Roots
from remember_me.store.shape import Shape

__all__ = ["Erased", "Erasure", "Place", "Rule", "Target", "entry_rule", "erase", "plan_erasure", "prove", "remotes_of"]

_ROUNDS = 5
_OPERATION = b"\nOperation-Id: "


class Erasure(NamedTuple):
    """What erasing would do. `refs` are the names that move, `commits` how many get a new id.

    `foreign_commits` are those among them that are not ours, `foreign_paths` files in the history that are not.
    `others` are places with an exact text that stay: another entry, or a foreign file. `remotes` may have a copy,
    `obstacles` are sentences about what has to go first.
    """

    commits: int
    refs: tuple[str, ...]
    foreign_commits: tuple[str, ...]
    foreign_paths: tuple[str, ...]
    remotes: tuple[str, ...]
    others: tuple[Place, ...]
    obstacles: tuple[str, ...]


class Erased(NamedTuple):
    """What was done: commits with a new id, refs that moved, objects that are gone, and files left to look at."""

    commits: int
    refs: tuple[str, ...]
    objects: int
    left: tuple[str, ...]


def entry_rule(shape: Shape, target: Target) -> Rule:
    """The rule for notes: the lines of each forgotten entry go, and a topic note as a whole."""
    guesses = (layout.LONG_TERM_NAME, shape.note_path("1970-01-01.md"), shape.note_path("unknown.md"))

    def clean(path: str, data: bytes) -> bytes | None:
        if len(data) > NOTE_LIMIT_BYTES:
            return data
        left: bytes | None = data
        for name in (path,) if path else guesses:
            if left is not None and layout.is_note_path(name, shape.notes_dir):
                left = _without(shape, name, left, target)
        return left

    return clean


def _without(shape: Shape, path: str, data: bytes, target: Target) -> bytes | None:
    note = shape.parse(path, data)
    gone = [at for at, entry in enumerate(note.entries) if entry.id in target.ids or target.forgotten(entry)]
    if not gone:
        return data
    if note.kind is NoteKind.TOPIC:
        return None
    text = note.text
    for at in reversed(gone):
        text = text[: note.items[at].start] + text[note.items[at].end :]
    return encode(text)


class _Survey:
    """The repository as it stands, and what of it is to go."""

    def __init__(self, git: Git, target: Target, rule: Rule) -> None:
        self.roots = Roots(git)
        staged = self.roots.staged()
        self.named = self.roots.ids() | set(staged)
        self.census = Census(git, sorted(self.roots.ids()), staged)
        self.finding = Finding(git, self.census, target, rule)


def plan_erasure(git: Git, target: Target, rule: Rule, *, notes_dir: str = "memory") -> Erasure:
    """What `erase` would do, and what stands in its way. Writes nothing. Raises CannotCommit where git fails."""
    with _told():
        survey = _Survey(git, target, rule)
        census, finding = survey.census, survey.finding
        commits = finding.commits()
        # To a ref it matters only whether its object stays; any other id stands for the new one.
        moves = survey.roots.moves(lambda oid: "0" * len(oid) if finding.is_doomed(oid) else oid)
        foreign = {
            path
            for oid, paths in census.paths.items()
            if census.is_reachable(oid)
            for path in paths
            if not (layout.is_tracked_path(path, notes_dir) or path == ".gitignore")
        }
        return Erasure(
            commits=len(commits),
            refs=tuple(sorted(moves.keys() & (survey.roots.refs.keys() | survey.roots.symbolic.keys()))),
            foreign_commits=tuple(oid for oid in commits if _OPERATION not in census.commits[oid].raw),
            foreign_paths=tuple(sorted(foreign)),
            remotes=remotes_of(git),
            others=tuple(_others(survey)),
            obstacles=tuple(survey.roots.obstacles()),
        )


def remotes_of(git: Git) -> tuple[str, ...]:
    """The names of the remotes, in their order. Raises GitFailed."""
    named = git.ask("config", "-z", "--name-only", "--get-regexp", r"^remote\..*\.url$", codes=(0, 1))
    return tuple(sorted({key[len("remote.") : -len(".url")] for key in decoded(named).split("\0") if key}))


def _others(survey: _Survey) -> Iterator[Place]:
    census, finding = survey.census, survey.finding
    for oid in finding.literal:
        yield Place("text", *census.where(oid))
    for oid, paths in census.paths.items():
        for path in paths:
            if census.is_reachable(oid) and finding.sieve.holds_text(encode(path)):
                yield Place("name", path, census.where(oid)[1])


def erase(git: Git, target: Target, rule: Rule, *, map_path: Path) -> Erased:
    """Takes what `target` forgets out of all of the history. The store lock must be held.

    `map_path` is a file of our own, with object ids only; it exists while an erasure is unfinished. After any
    interruption the same call finishes the work. Raises CannotCommit, also where a repository keeps changing.
    """
    git.recover_locks()
    with _told():
        for _ in range(_ROUNDS):
            try:
                return _erase_once(git, target, rule, map_path)
            except Raced:
                continue  # a reflog, or a file of a linked work tree, was changed in between
            except GitFailed as failure:
                if failure.problem is not GitProblem.MOVED:
                    raise
    raise CannotCommit(
        "The history was not erased: another command keeps changing the repository.",
        hint="Stop what works in it, then run `remember-me erase`.",
    )


def _erase_once(git: Git, target: Target, rule: Rule, map_path: Path) -> Erased:
    survey = _Survey(git, target, rule)
    roots, census, finding = survey.roots, survey.census, survey.finding
    for obstacle in roots.obstacles():
        raise CannotCommit(f"The history was not erased: {obstacle[0].lower()}{obstacle[1:]}")
    commits = len(finding.commits())
    known = {
        old: new
        for old, new in _load_map(map_path).items()
        if old not in census.kinds or not census.is_reachable(old) or finding.is_doomed(old)
    }
    with git.writing():
        mapping = {**known, **Rewrite(git, census, finding).run()}
    # A new object may have been there before, unreachable and so taken for one that goes: it stays.
    doomed = finding.doomed.union(known).difference(new for new in mapping.values() if new)

    def moved(oid: str) -> str | None:
        now: str | None = oid
        while now is not None and now in mapping:
            now = mapping[now]
        return None if now in doomed else now

    if doomed:
        _save_map(map_path, {oid: mapping.get(oid) for oid in doomed})
    commands = roots.moves(moved)
    with git.writing(roots.locks(commands)):
        roots.move(commands)
        roots.pack_refs(doomed.__contains__)
        roots.clean_stagings({oid: moved(oid) for oid in finding.cleaned})
        roots.carry_notes({oid: new for oid in finding.commits() if (new := moved(oid))})
    roots.clean_files(moved, finding.sieve.cleaned)
    left = roots.clean_linked(finding.cleaned, finding.sieve.holds_text)
    _refuse_named(git, survey, doomed)
    with git.writing():
        _remove_objects(git, doomed)
    remove_debris(git, target.texts)
    map_path.unlink(missing_ok=True)
    return Erased(commits, tuple(sorted(commands)), len(doomed), tuple(left))


def _refuse_named(git: Git, survey: _Survey, doomed: set[str]) -> None:
    """Starts over where something names an object that is to go, or one that was not there: it may build on such."""
    now = Roots(git)
    named = now.ids() | set(now.staged())
    if not doomed.isdisjoint(named) or named - survey.named - survey.census.kinds.keys():
        raise GitFailed(GitProblem.MOVED, "another command worked in the repository at the same time")


def _remove_objects(git: Git, doomed: set[str]) -> None:
    """Deletes the objects, loose and packed. What else lies in their packs goes into a new one first."""
    if not doomed:
        return
    objects = Path(git.folder.path, "objects")
    packs = {index: _packed(git, index) for index in sorted(objects.glob("pack/pack-*.idx"))}
    touched = [index for index, held in packs.items() if not doomed.isdisjoint(held)]
    if touched:
        kept = {oid for index in touched for oid in packs[index]} - doomed
        if kept:
            _repack(git, kept, keep=any(index.with_suffix(".keep").exists() for index in touched))
        # The accelerators speak of packs and commits that are going; git makes them anew when it likes.
        for file in objects.glob("pack/multi-pack-index*"):
            file.unlink()
        for index in touched:
            _remove_pack(index)
    for file in (objects / "info" / "commit-graph", *objects.glob("info/commit-graphs/*")):
        file.unlink(missing_ok=True)
    for oid in doomed:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(objects / oid[:2] / oid[2:])


def _packed(git: Git, index: Path) -> set[str]:
    if not index.with_suffix(".pack").exists():
        _remove_pack(index)  # half of one that a killed command of ours was removing
        return set()
    listed = git.ask("show-index", stdin=read_regular(index, sys.maxsize))
    return {line.split()[1] for line in listed.decode().splitlines()}


def _repack(git: Git, kept: Iterable[str], *, keep: bool) -> None:
    where = os.path.join(git.folder.path, "objects", "pack", "pack")
    stdin = "".join(f"{oid}\n" for oid in kept).encode()
    made = git.ask("pack-objects", "-q", "--delta-base-offset", where, stdin=stdin).decode().split()
    if keep:
        for name in made:
            Path(f"{where}-{name}.keep").touch()


def _remove_pack(index: Path) -> None:
    """The pack goes first: an index without a pack holds no text, and git passes it over."""
    for suffix in (".pack", ".keep", ".rev", ".bitmap", ".mtimes", ".idx"):
        index.with_suffix(suffix).unlink(missing_ok=True)


def _load_map(path: Path) -> dict[str, str | None]:
    """What an interrupted run found out: object id -> the new one or None. Lines that are cut short do not count."""
    try:
        lines = decoded(read_regular(path, sys.maxsize)).splitlines()
    except FileNotFoundError:
        return {}
    pairs = [line.split(" ") for line in lines]
    return {
        pair[0]: pair[1] if is_object_id(pair[1]) else None
        for pair in pairs
        if len(pair) == 2 and is_object_id(pair[0]) and (pair[1] == "-" or is_object_id(pair[1]))
    }


def _save_map(path: Path, mapping: Mapping[str, str | None]) -> None:
    lines = (f"{old} {new or '-'}\n" for old, new in sorted(mapping.items()))
    write_private(path, "".join(lines).encode(), Disk())


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except GitFailed as failure:
        sentence = f"The history was not erased: {failure.reason}."
        raise CannotCommit(sentence, hint=failure.hint) from failure
