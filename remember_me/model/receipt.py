"""A receipt: one message that the user typed in a session with an agent (DESIGN section 5)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Receipt(NamedTuple):
    """`session` is client/id, `message_id` the client's own name for the message, `at` aware (UTC).

    `text` is the message as the hook got it, its end cut where it was too long. `source` says where it came from.
    `transcript` is the file in which the client keeps the conversation, or empty.
    """

    session: str
    message_id: str
    text: str
    at: datetime
    source: str
    transcript: str = ""
