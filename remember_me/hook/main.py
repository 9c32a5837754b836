"""`remember-me hook EVENT`: print what an agent client shows its agent, within a deadline, and always exit 0."""

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from remember_me.hook.read import Found

_EVENTS = ("session-start", "prompt")
_WAIT_SECONDS = 1.0
_PROMPTED = 3
_PROMPT_BYTES = 1_000_000
_USAGE = """\
Usage: remember-me hook session-start [--store DIR] [--cwd DIR]
       remember-me hook prompt [--store DIR] [--cwd DIR]
                               [--session CLIENT/ID [--message ID]] < PROMPT

  For agent clients: print what an agent reads when a session begins, for the
  project of that folder, or the entries that a prompt brings to mind, or
  nothing. With --session the prompt is kept for 7 days as what the user typed,
  so that an agent's quote can be found in it. Always exits 0; what goes wrong is in
  ~/.local/state/remember-me/hook.log. For people: remember-me recall
"""


def main(words: list[str]) -> int:
    """Run a hook. Nothing that goes wrong stops the agent: then nothing is printed."""
    try:
        if "--help" in words or "-h" in words:
            sys.stdout.write(_USAGE)
        else:
            _run(words)
    except Exception as error:  # the agent goes on whatever happens; the log says why
        _log(error)
    return 0


def _run(words: list[str]) -> None:
    event, store, cwd, session, message = _parsed(words)
    if event not in _EVENTS or store is None:
        return
    prompt = _prompt() if event == "prompt" else None
    if prompt is not None and not prompt.strip():
        return
    if prompt is not None and session:
        _keep_receipt(store, session, message, prompt)
    from remember_me.store.project import project_key

    scope = project_key(cwd, os.environ.get("HOME"))
    found = _read(store, scope, prompt)
    if found.stale:
        child = _refresh(store, cwd)
        if child is not None and _ends(child):
            found = _read(store, scope, prompt)
    if found.text:
        sys.stdout.buffer.write(found.text.encode("utf-8", "replace"))
        sys.stdout.flush()


def _read(store: str, scope: str, prompt: "str | None") -> "Found":
    from remember_me.hook.read import read_block, read_prompted

    today = time.strftime("%Y-%m-%d", time.gmtime())
    if prompt is None:
        return read_block(store, scope, today)
    return read_prompted(store, scope, today, prompt, _PROMPTED)


def _prompt() -> str:
    """What the user typed, from stdin."""
    return sys.stdin.buffer.read(_PROMPT_BYTES).decode("utf-8", "replace")


def _keep_receipt(store: str, session: str, message: str, prompt: str) -> None:
    """Keep what the user typed: an agent's quote is looked for in it."""
    from datetime import UTC, datetime
    from pathlib import Path

    from remember_me.store.receipts import RECEIPTS_NAME, Receipts

    receipts = Receipts(Path(store, ".remember-me", RECEIPTS_NAME))
    receipts.keep(session, message or str(time.time_ns()), prompt, datetime.now(UTC), source="hook")


def _parsed(words: list[str]) -> tuple[str, str | None, str, str, str]:
    """(event, folder of the store or None, folder of the agent, its session, the id of the message)."""
    event = ""
    options = dict.fromkeys(("--store", "--cwd", "--session", "--message"), "")
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if name in options:
            options[name] = value or (rest.pop(0) if rest else "")
        elif not event and not word.startswith("-"):
            event = word
    store, cwd, session, message = options.values()
    given = store or os.environ.get("REMEMBER_ME_HOME") or os.path.join(os.path.expanduser("~"), "remember-me")
    root = os.path.realpath(os.path.expanduser(given))
    found = root if os.path.isdir(os.path.join(root, ".remember-me")) else None
    return event, found, cwd or os.getcwd(), session, message


def _refresh(store: str, cwd: str) -> int | None:
    """Start what brings the cache up to the notes, detached; its process id, or None.

    It runs in the agent's folder, because an agent sees the project that it works in. -P: nothing there is imported.
    """
    null = os.open(os.devnull, os.O_RDWR)
    try:
        os.chdir(cwd)
        words = [sys.executable, "-P", "-m", "remember_me", "--store", store, "recall", "--cwd", ".", "--quiet"]
        return os.posix_spawn(
            sys.executable,
            words,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)],
            setsid=True,
        )
    except OSError:
        return None
    finally:
        os.close(null)


def _ends(child: int) -> bool:
    """Whether the child ends within the deadline."""
    until = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < until:
        done, _ = os.waitpid(child, os.WNOHANG)
        if done:
            return True
        time.sleep(0.005)
    return False


def _log(error: Exception) -> None:
    """One line about what went wrong, without any text of an entry."""
    try:
        base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
        folder = os.path.join(base, "remember-me")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "hook.log"), "w", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {type(error).__name__}\n")
    except OSError:
        return
