"""One line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

State = Literal["ok", "advice", "failure"]

OK: Final[State] = "ok"
ADVICE: Final[State] = "advice"
FAILURE: Final[State] = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do where that is not well.

    `topic` is one word (`camera`), `text` says what was found, `remedy` what to do: empty exactly where `state` is ok.
    """

    topic: str
    state: State
    text: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if (self.state == OK) != (not self.remedy):
            raise ValueError(f"expected a remedy exactly where it is not ok, got {self.state!r} with {self.remedy!r}")


def ok(topic: str, text: str) -> Finding:
    """All is well."""
    return Finding(topic, OK, text)


def advice(topic: str, text: str, remedy: str) -> Finding:
    """It works, and could be better."""
    return Finding(topic, ADVICE, text, remedy)


def failure(topic: str, text: str, remedy: str) -> Finding:
    """It does not work until something is done."""
    return Finding(topic, FAILURE, text, remedy)
