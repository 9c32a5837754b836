"""What happens at each event of a client, and what its agent is told then (DESIGN sections 4 to 6)."""

from __future__ import annotations

import os
import time

from remember_me.hook.adapters import COMPACT, END, PERMISSION, PROMPT, START, STOP, Payload
from remember_me.hook.keep import Sessions, keep_prompt
from remember_me.hook.process import ends, is_agents_shell, run_detached
from remember_me.hook.read import MARKER_NAME, PROMPTED, read_block, read_prompted
from remember_me.hook.words import may_hold_secret, states_something, typed
from remember_me.store.tables import TEXT_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from remember_me.hook.read import Found
    from remember_me.hook.settings import Machine

PROMPTED_ENTRIES = 3
HOOK_BYTES = 9_500
"""What a hook may print at most; clients cut what is longer than 10,000 (DESIGN section 6)."""

SAVING = (
    "If the user states here what they want remembered, save it in their own words and tell them so in one line:"
    " remember-me add 'TEXT' --tag FACT|PREFERENCE|GOAL --quote 'THEIR EXACT WORDS'\n"
)
_CLOSING = f"</{MARKER_NAME}>\n"


class Run:
    """One hook at work. `store` is the real path of the store, `client` the name of the client, or empty for a wrapper
    of the user's own; `until` is the moment (time.monotonic) at which its answer must be there."""

    def __init__(self, store: str, client: str, payload: Payload, machine: Machine, until: float) -> None:
        self.store = store
        self.own = os.path.join(store, ".remember-me")
        self.payload = payload
        self.cwd = payload.cwd or current_folder()
        self.session = f"{client}/{payload.session}" if client and payload.session else payload.session
        self.machine = machine
        self.until = until
        self.sessions = Sessions(self.own)
        self._scope: str | None = None

    @property
    def scope(self) -> str:
        """The key of the project in which the agent works."""
        if self._scope is None:
            from remember_me.store.project import project_key

            self._scope = _composed(project_key(self.cwd, os.environ.get("HOME")))
        return self._scope

    @property
    def speaks(self) -> bool:
        """Whether the answer is printed: in the mode shadow a hook does all but that."""
        return self.machine.mode == "enabled"

    def answer(self, event: str) -> str:
        """What the agent is told at that event, or nothing; what is to be kept of it is kept.

        Not whether it is said: see `speaks`.
        """
        if event == START:
            return self._start()
        if event == PROMPT:
            return self._prompt()
        if not self.session:
            return ""
        if event in (COMPACT, STOP):
            self._queue(event)
        elif event == PERMISSION:
            self.sessions.stop(self.session, self.scope)
        elif event == END and self.sessions.end(self.session, self.scope):
            run_detached(self.store, self.cwd, ["hook", "after-session"])
        return ""

    def _start(self) -> str:
        if self.session and self.sessions.state(self.session)[2]:
            self._has_seen(set())  # at once: one client runs the hooks of start and prompt at the same moment
        found = self._current(lambda: read_block(self.store, self.scope, _today()))
        text = _with_notice(found.text, self.sessions.notice())
        self._has_seen(found.ids)
        return text

    def _has_seen(self, ids: set[str]) -> None:
        if self.session and self.speaks:
            said = self.payload
            self.sessions.has_seen(self.session, self.scope, said.interactive, ids, said.process)

    def _prompt(self) -> str:
        prompt = typed(self.payload)
        if not prompt:
            return ""
        seen, stopped, compacted = self.sessions.state(self.session) if self.session else (set(), False, False)
        asks = states_something(prompt)
        if self.session and not stopped and self._is_kept(prompt):
            message = self.payload.message or str(time.time_ns())
            keep_prompt(self.own, self.session, message, prompt, self.payload.transcript)
            if asks and not self.speaks:  # its agent is not told to save it
                self.sessions.queue(self.session, message, PROMPT, self.scope, self.payload.transcript)
        if compacted:  # of a client that does not start its session anew
            return _with_notice(self._start(), SAVING if asks else "")
        today = _today()
        found = self._current(lambda: read_prompted(self.store, self.scope, today, prompt, PROMPTED_ENTRIES, seen))
        if found.ids:
            self._has_seen(seen | found.ids)
        saving = SAVING if asks else ""
        if not (found.text or saving):
            return ""
        lead = PROMPTED if found.text else ""
        return f"<{MARKER_NAME}>\n{lead}{found.text}{saving}{_CLOSING}"

    def _is_kept(self, prompt: str) -> bool:
        """Whether a receipt is made: of what a person typed, and never of a secret."""
        if not self._is_captured or is_agents_shell():
            return False
        kept = prompt[:TEXT_BYTES]
        if not may_hold_secret(kept):
            return True
        from remember_me.policy.secrets import find_secrets

        return not find_secrets(kept)

    @property
    def _is_captured(self) -> bool:
        """Whether anything of this session is kept: a person sits at it, or this machine's settings say all.

        A client says whether one does; a wrapper of the user's own is called where there is one.
        """
        return self.payload.interactive is True or self.machine.receipts == "all"

    def _queue(self, event: str) -> None:
        if event == COMPACT and self.payload.compacts:
            self.sessions.compact(self.session, self.scope)
        _, stopped, _ = self.sessions.state(self.session)
        if not stopped and self._is_captured and not is_agents_shell():
            message = self.payload.message or str(time.time_ns())
            self.sessions.queue(self.session, message, event, self.scope, self.payload.transcript)

    def _current(self, read: Callable[[], Found]) -> Found:
        """What `read` gives; where the cache is behind the notes, after it was brought up to them, if that ends in
        time."""
        found = read()
        if found.stale:
            child = run_detached(self.store, self.cwd, ["recall", "--cwd", ".", "--quiet"])
            if child is not None and ends(child, self.until):
                found = read()
        return found


def _with_notice(text: str, notice: str) -> str:
    """The block with lines of ours at its end, as far as there is room for them."""
    if not text or not notice or len(text.encode()) + len(notice.encode()) > HOOK_BYTES:
        return text
    return f"{text.removesuffix(_CLOSING)}{notice}{_CLOSING}"


def _composed(scope: str) -> str:
    """The key as notes and cache have it."""
    if scope.isascii():
        return scope
    from unicodedata import normalize

    return normalize("NFC", scope)


def current_folder() -> str:
    """The folder of this process, or the home where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return os.path.expanduser("~")


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())
