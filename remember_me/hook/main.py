"""`remember-me hook CLIENT EVENT`: what an agent client runs. It answers within a second or not at all, and exits 0."""

from __future__ import annotations

import os
import time

from remember_me.hook.adapters import ADAPTERS, EVENTS, PROMPT, START, Payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember_me.hook.adapters import Adapter

DEADLINE_SECONDS = 1.0
_RESERVE_SECONDS = 0.12
"""What is left for the answer itself, once there is no more waiting."""
_STDIN_BYTES = 4_000_000
_DRAIN_BYTES = 1 << 20
_LOG_BYTES = 64_000
_OPTIONS = ("--store", "--cwd", "--session", "--message")
_USAGE = """\
Usage: remember-me hook CLIENT EVENT [--store DIR] < JSON
       remember-me hook session-start [--store DIR] [--cwd DIR]
       remember-me hook prompt [--store DIR] [--cwd DIR]
                               [--session CLIENT/ID [--message ID]] < PROMPT

  For agent clients: `remember-me install CLIENT` registers it. CLIENT is claude-code,
  codex, gemini, opencode or copilot; EVENT is session-start, prompt, pre-compact, stop,
  session-end or permission. The answer is one JSON object in the client's own form, or
  nothing.

  For a wrapper of your own: print what an agent reads when a session begins, or the
  entries that a prompt brings to mind, as plain text.

  A prompt with a session is kept for 7 days as what the user typed, so that an agent's
  quote can be found in it. Always exits 0, within a second; what goes wrong is in
  ~/.local/state/remember-me/hook.log. For people: remember-me recall
"""


class Call:
    """What was called: the client ("" for a wrapper of the user's own), the event, and the options."""

    def __init__(self, words: list[str]) -> None:
        plain = []
        options = dict.fromkeys(_OPTIONS, "")
        rest = list(words)
        while rest:
            word = rest.pop(0)
            name, equals, value = word.partition("=")
            if name in options:
                options[name] = value if equals else (rest.pop(0) if rest else "")
            elif not word.startswith("-"):
                plain.append(word)
        self.client = plain[0] if len(plain) > 1 else ""
        self.event = plain[-1] if plain else ""
        self.store, self.cwd, self.session, self.message = options.values()

    @property
    def adapter(self) -> Adapter | None:
        """The client's adapter, None for a wrapper of the user's own. Raises LookupError for what is not known."""
        if self.event not in EVENTS or (not self.client and self.event not in (START, PROMPT)):
            raise LookupError("unknown event")
        if not self.client:
            return None
        if self.client not in ADAPTERS:
            raise LookupError("unknown client")
        return ADAPTERS[self.client]


def main(words: list[str]) -> int:
    """Run a hook. Nothing that goes wrong stops the agent: then nothing is printed."""
    began = time.monotonic()
    call = Call(words)
    if "--help" in words or "-h" in words:
        _print_usage(call)
        return 0
    _watch(call)
    try:
        _write(answer(call, began))
    except OSError as error:
        log(call, type(error).__name__)
    return 0


def _print_usage(call: Call) -> None:
    """Print the usage, if anybody reads it."""
    try:
        _write(_USAGE.encode())
    except OSError as error:
        log(call, type(error).__name__)


def answer(call: Call, began: float) -> bytes:
    """What is printed for a call that began at that moment (time.monotonic): a whole answer or nothing."""
    try:
        return respond(call, began).encode("utf-8", "replace")
    except BaseException as error:  # the agent goes on whatever happens, an interrupt too; the log says why
        log(call, type(error).__name__)
        return b""


def respond(call: Call, began: float) -> str:
    """The answer to a call that began at that moment (time.monotonic), in the client's form; empty for none."""
    from remember_me.hook.settings import load_machine

    adapter = call.adapter
    data = read_stdin() if adapter is not None or call.event == PROMPT else b""
    store = find_store(call.store)
    if store is None:
        return ""
    machine = load_machine()
    if machine.mode == "off":
        return ""
    payload = _payload(call, adapter, data)
    from remember_me.hook.events import Run, current_folder

    if not machine.acts_in(payload.cwd or current_folder()):
        return ""
    run = Run(store, call.client, payload, machine, began + DEADLINE_SECONDS - _RESERVE_SECONDS)
    text = run.answer(call.event)
    if adapter is None:
        return text if run.speaks else ""
    rendered = adapter.render(call.event, text)
    outcome = "silent" if not rendered else "spoke" if run.speaks else "shadow"
    run.sessions.fired(call.client, call.event, round(1000 * (time.monotonic() - began)), outcome)
    return rendered if run.speaks else ""


def _payload(call: Call, adapter: Adapter | None, data: bytes) -> Payload:
    if adapter is None:
        prompt = data.decode("utf-8", "replace")
        return Payload(call.session, call.message, prompt, call.cwd, interactive=True)
    from remember_me.hook.wire import parse_object

    payload = adapter.read(parse_object(data)) if data.strip() else Payload()
    payload.cwd = call.cwd or payload.cwd
    return payload


def find_store(given: str) -> str | None:
    """The real path of the store, or None where there is none that was ever used."""
    path = given or os.environ.get("REMEMBER_ME_HOME") or os.path.join(os.path.expanduser("~"), "remember-me")
    root = os.path.realpath(os.path.expanduser(path))
    own = os.path.join(root, ".remember-me")
    return root if os.path.isdir(own) and not os.path.islink(own) else None


def read_stdin() -> bytes:
    """What the client sends. Raises OverflowError for more than a hook reads, once all of it was taken."""
    if os.isatty(0):
        return b""
    pieces, size = [], 0
    while piece := os.read(0, _DRAIN_BYTES):
        size += len(piece)
        if size <= _STDIN_BYTES:
            pieces.append(piece)
    if size > _STDIN_BYTES:
        raise OverflowError("stdin")
    return b"".join(pieces)


def _write(answer: bytes) -> None:
    """Print it in one piece, as far as the system allows."""
    view = memoryview(answer)
    while view:
        view = view[os.write(1, view) :]


def _watch(call: Call) -> None:
    """End the process at the deadline, whatever it is waiting for.

    A thread and no signal: SQLite takes an interrupted read up again, and no handler would ever run.
    """
    from _thread import start_new_thread

    def end() -> None:
        time.sleep(DEADLINE_SECONDS)
        log(call, "Deadline")
        os._exit(0)

    start_new_thread(end, ())


def log(call: Call, what: str) -> None:
    """One line about what went wrong: never any text of an entry, a prompt or an environment."""
    try:
        base = os.environ.get("XDG_STATE_HOME", "")
        if not os.path.isabs(base):
            base = os.path.join(os.path.expanduser("~"), ".local", "state")
        folder = os.path.join(base, "remember-me")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "hook.log")
        known = call.client if call.client in ADAPTERS or not call.client else "?"
        event = call.event if call.event in EVENTS else "?"
        line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {known or '-'} {event} {what}\n"
        is_long = os.path.exists(path) and os.path.getsize(path) > _LOG_BYTES
        how = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_long else os.O_APPEND) | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(path, how, 0o600)
        os.write(descriptor, line.encode())
        os.close(descriptor)
    except OSError:
        return
