"""What can be wrong with a setup, an event or a log."""

from __future__ import annotations


class IllegalEvent(ValueError):
    """The event cannot happen in this state; the message says what came, what was expected and what to do."""


class BadSetup(ValueError):
    """The game cannot start like this: wrong number of players, an unknown option, a wrong value."""


class IllegalLog(IllegalEvent):
    """An event of a log is illegal; `index` counts from 0."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"event {index}: {reason}")
        self.index = index
        self.reason = reason
