"""One line of the event log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LogEntry:
    """`seq` counts from 1; `at_s` is Unix time, seconds; `game` is None for what belongs to the whole house."""

    seq: int
    game: str | None
    at_s: float
    who: str
    event: dict[str, Any]
