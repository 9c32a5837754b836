"""Put a store together for one command: where it lies, who calls, and what comes in from outside."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remember_me.app.config import Found, home, limits_of, load_settings
from remember_me.errors import Refused, StoreDamaged
from remember_me.model.entry import composed
from remember_me.model.revision import AGENT_PREFIX, SCRIPT
from remember_me.notes import layout
from remember_me.policy.decay import effective_confidence
from remember_me.policy.limits import Limits
from remember_me.store.files import Disk
from remember_me.store.reader import OWN_FOLDER, Reader
from remember_me.store.shape import Shape

if TYPE_CHECKING:
    from remember_me.app.actor import Channel
    from remember_me.model.entry import Entry
    from remember_me.store.sessions import AgentSessions
    from remember_me.store.state import State
    from remember_me.store.store import Request, Store

ENTRY_ID_CHARACTERS = 6
DEFAULT_FOLDER = "remember-me"


class Surroundings(NamedTuple):
    """What a command sees of the world. `store_given` is --store as typed, or None. `project` gives the key of the
    project that an agent is bound to; without it that is the one of the current folder."""

    environ: Mapping[str, str]
    store_given: Path | None = None
    channel: Channel | None = None
    clock: Callable[[], datetime] | None = None
    new_id: Callable[[int], str] | None = None
    disk: Disk = Disk()
    project: Callable[[], str | None] | None = None


class Session(NamedTuple):
    """One command at work on one store: the store, its settings, and the actor. `client_session` is the agent
    session (`client/id`) that it runs in, as the environment says, or None; `environ` is that environment."""

    store: Store
    settings: Mapping[str, Found]
    actor: str
    created: str | None = None
    client_session: str | None = None
    environ: Mapping[str, str] = MappingProxyType({})

    @property
    def limits(self) -> Limits:
        """The numbers of the rules that are in force in this store."""
        return limits_of(self.settings)

    @property
    def review(self) -> str:
        """Which writes of agents wait for review (`review.agent`)."""
        return self.settings["review.agent"].value

    @property
    def state(self) -> State:
        return self.store.state

    @property
    def agent_sessions(self) -> AgentSessions:
        """What the hooks of agent clients left in this store."""
        from remember_me.store.sessions import AgentSessions
        from remember_me.store.tables import SESSIONS_NAME

        return AgentSessions(self.store.own_folder / SESSIONS_NAME)

    def now(self) -> datetime:
        """The moment of this command, aware."""
        return self.store.tools.now()

    def today(self) -> date:
        """The UTC date of this command: what the rules write into fields."""
        return self.now().astimezone(UTC).date()

    def view(self) -> View:
        """The store as it reads at the moment of this command."""
        return View(self.store, self.now(), self.limits)

    def counted(self, refusal: Refused) -> Refused:
        """`refusal`, for `raise`: each one is counted by its rule, also where no write was tried."""
        self.state.count_refusal(refusal.rule)
        return refusal

    def session_name(self, given: str | None = None) -> str:
        """The session that this command belongs to: as given, else the client's, else one per UTC day."""
        from remember_me.policy.confirm import terminal_session

        return given or self.client_session or terminal_session(self.today())

    def request(
        self,
        verb: str,
        session: str | None = None,
        *,
        undoes: str | None = None,
        redoes: str | None = None,
        anyway: bool = False,
        anew: bool = False,
        scope: str | None = None,
    ) -> Request:
        """What the gateway is told about an operation of this command. `scope` is that of what it touches."""
        from remember_me.policy.trust import reviews
        from remember_me.store.store import Request, Visit

        visit = Visit(self.session_name(session), scope) if self.actor != SCRIPT else None
        return Request(
            verb,
            self.actor,
            session or self.client_session,
            undoes,
            redoes,
            anyway,
            visit,
            anew=anew and not reviews(self.actor),
            review=self.review,
        )

    def new_entry_id(self) -> str:
        return self.store.tools.new_id(ENTRY_ID_CHARACTERS)


def store_path(around: Surroundings) -> Path:
    """Where the store lies: --store, else REMEMBER_ME_HOME, else ~/remember-me; never found by walking up."""
    given = around.store_given or around.environ.get("REMEMBER_ME_HOME") or None
    if given is None:
        return home(around.environ) / DEFAULT_FOLDER
    text = str(given)
    if text == "~" or text.startswith("~/"):
        return home(around.environ) / text[2:]
    return Path(os.path.abspath(text))


class View(NamedTuple):
    """A store as it reads at one moment (aware), by the numbers of its settings."""

    reader: Reader
    now: datetime
    limits: Limits

    def scopes(self, given: str | None) -> tuple[str, ...] | None:
        """The projects that are shown for `--scope`: None is all. Raises Refused where an agent asks for another."""
        if given is not None:
            self.reader.check_scope(given)
        wanted = self.reader.bound_to or given
        return None if wanted is None else (composed(wanted),)

    def confidence(self, entry: Entry) -> str | None:
        """The effective confidence of a HYPOTHESIS; None for the other tags."""
        return effective_confidence(entry, self.now, self.limits)


def open_view(around: Surroundings) -> View:
    """Open the store for a command that only reads. Raises StoreDamaged where there is none."""
    root = find_store(around)
    settings = load_settings(root, around.environ)
    reader = Reader(root, _shape(settings, around.environ), around.disk)
    now = around.clock() if around.clock else datetime.now(UTC)
    reader.bound_to = _bound_to(around)
    return View(reader, now, limits_of(settings))


def _bound_to(around: Surroundings) -> str | None:
    """The project of an agent: that of the folder in which it runs the command."""
    from remember_me.app.actor import decide_actor, this_channel

    channel = around.channel or this_channel(around.environ)
    if not decide_actor(channel, scripts_are_persons=False).startswith(AGENT_PREFIX):
        return None
    return _project(around)


def _project(around: Surroundings) -> str | None:
    if around.project is not None:
        return around.project()
    from remember_me.app.scope import key_of_folder

    return key_of_folder(None, around.environ)


def open_session(around: Surroundings, *, created: str | None = None) -> Session:
    """Open the store for a command that writes or looks into its history. Raises StoreDamaged where there is none."""
    return assemble(find_store(around), around, created=created)


def find_store(around: Surroundings) -> Path:
    """The real path of the store. Raises StoreDamaged where there is none."""
    path = store_path(around)
    if not path.exists():
        raise StoreDamaged(
            f"There is no store at {path}.",
            hint="Save something with `remember-me add`, or make one with `remember-me init`.",
        )
    if not path.is_dir():
        raise StoreDamaged(
            f"{path} is a file, not a store.", hint="Give another folder with --store or REMEMBER_ME_HOME."
        )
    if not is_store(path):
        raise StoreDamaged(
            f"{path} is no store: it has no {layout.SETTINGS_NAME}, {layout.LONG_TERM_NAME} or memory folder.",
            hint="Make one there with `remember-me init`.",
        )
    root = Path(os.path.realpath(path))
    refuse_links(root)
    return root


def refuse_links(root: Path) -> None:
    """Raise StoreDamaged where our own folder leads out of the store: somebody may have handed it over like that."""
    for name in (OWN_FOLDER, f"{OWN_FOLDER}/spool"):
        if os.path.islink(root / name):
            raise StoreDamaged(
                f"{name} is a link and is not followed.", hint="Remove the link; a folder is made in its place."
            )


def assemble(root: Path, around: Surroundings, *, created: str | None = None) -> Session:
    """The store at the real path `root`, with everything that writing needs."""
    from remember_me.app.actor import client_session, decide_actor, this_channel
    from remember_me.notes.clock import zone
    from remember_me.store.anchor import CONTEXTS_NAME, Anchor, state_folder
    from remember_me.store.git import Git
    from remember_me.store.lock import StoreLock
    from remember_me.store.store import Store, Tools

    settings = load_settings(root, around.environ)
    shape = _shape(settings, around.environ)
    own = root / OWN_FOLDER
    lock = StoreLock(own / "lock")
    git = Git(root, environ=around.environ, marker=own / "git-running", pass_fds=lambda: lock.inheritable_fds)
    tools = Tools(
        now=around.clock or _clock(settings["store.timezone"].value),
        new_id=around.new_id or random_id,
        zone_name=shape.timezone if shape.timezone and zone(shape.timezone) is not None else None,
        disk=around.disk,
    )
    channel = around.channel or this_channel(around.environ)
    actor = decide_actor(channel, scripts_are_persons=settings["trust.scripts"].value == "person")
    visitor = client_session(channel, actor) or _session_of_process(actor, own)
    store = Store(root, shape, git, lock, tools)
    folder = state_folder(around.environ, home(around.environ))
    store.anchor = Anchor(folder, root, around.disk)
    store.after_write = _refreshing(folder / CONTEXTS_NAME, root, around.environ)
    if actor.startswith(AGENT_PREFIX):
        store.bound_to = _project(around)
    return Session(store, settings, actor, created, visitor, around.environ)


def _session_of_process(actor: str, own_folder: Path) -> str | None:
    """The session of an agent whose client does not name it to the shell: the one that its hook saw."""
    from remember_me.app.actor import SESSION_VARIABLES
    from remember_me.store.tables import SESSIONS_NAME

    client = actor.removeprefix(AGENT_PREFIX)
    if client == actor or client not in SESSION_VARIABLES or not (own_folder / SESSIONS_NAME).exists():
        return None
    from remember_me.store.clientprocess import client_process
    from remember_me.store.sessions import AgentSessions

    return AgentSessions(own_folder / SESSIONS_NAME).of_process(client, client_process(client))


def _refreshing(registry: Path, root: Path, environ: Mapping[str, str]) -> Callable[[], None]:
    """What follows a write: a process of its own brings the files up to date that are registered, if any are."""

    def refresh() -> None:
        if os.path.exists(registry):
            from remember_me.app.programs import start_detached

            start_detached(("--store", os.fspath(root), "context", "--refresh", "--quiet"), environ)

    return refresh


def _shape(settings: Mapping[str, Found], environ: Mapping[str, str]) -> Shape:
    return Shape(settings["store.notes"].value, settings["store.timezone"].value or machine_zone_name(environ))


def is_store(path: Path) -> bool:
    """Whether the folder has the shape of a store: our settings, MEMORY.md, or the note folder."""
    return any(os.path.lexists(path / name) for name in (layout.SETTINGS_NAME, layout.LONG_TERM_NAME, "memory"))


def random_id(characters: int) -> str:
    """A random id of that many characters that has the form of an id."""
    from remember_me.model.entry import ID_ALPHABET, is_id

    while True:
        found = "".join(ID_ALPHABET[byte % len(ID_ALPHABET)] for byte in os.urandom(characters))
        if is_id(found):
            return found


def _clock(zone_name: str) -> Callable[[], datetime]:
    from remember_me.notes.clock import zone

    at = zone(zone_name) if zone_name else None
    return lambda: datetime.now(at).astimezone(at)


def machine_zone_name(environ: Mapping[str, str]) -> str | None:
    """The name of the machine's time zone as the system says it, or None; whether it is known is not checked."""
    name = environ.get("TZ", "").lstrip(":")
    if name:
        return name
    target = os.path.realpath("/etc/localtime")
    _, found, name = target.partition("/zoneinfo/")
    return name.removeprefix("posix/").removeprefix("right/") if found else None
