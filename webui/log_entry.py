"""One line of the event log."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

MAX_SEQ: Final = 10**12
"""Far beyond any house, and far below where a browser can no longer count."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """`seq` counts from 1; `at_s` is Unix time, seconds; `game` is None for what belongs to the whole house."""

    seq: int
    game: str | None
    at_s: float
    who: str
    event: dict[str, Any]


def checked_entry(seq: Any, game: Any, at_s: Any, who: Any, event: Any) -> LogEntry:
    """The entry of fields that were read from a file. Raises ValueError."""
    if type(seq) is not int or not 1 <= seq <= MAX_SEQ:
        raise ValueError(f"expected a sequence number from 1 to {MAX_SEQ}, got {seq!r:.40}")
    if game is not None and not isinstance(game, str):
        raise ValueError(f"expected the id of a game or nothing, got {game!r:.40}")
    if type(at_s) not in (int, float) or not math.isfinite(at_s) or abs(at_s) > MAX_SEQ:
        raise ValueError(f"expected a time in seconds, got {at_s!r:.40}")
    if not isinstance(who, str):
        raise ValueError(f"expected the name of a device, got {who!r:.40}")
    if not isinstance(event, dict):
        raise ValueError(f"expected an event, got {event!r:.40}")
    return LogEntry(seq, game, at_s, who, event)
