"""What every game of the house offers: events in, states out, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from tablesight.rules.errors import BadSetup as BadSetup
from tablesight.rules.errors import IllegalEvent as IllegalEvent
from tablesight.rules.options import Option

Json = dict[str, Any]
Event = Mapping[str, Any]
"""A JSON object with a `type`; keys that a game does not know are ignored."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays (seat order, clockwise) and the options chosen at the table; options left out take the default."""

    players: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def seats(count: int, options: Mapping[str, Any] | None = None) -> Setup:
        """A setup without names: the players are called "seat 0", "seat 1" ..."""
        return Setup(tuple(f"seat {seat}" for seat in range(count)), options or {})


StateT = TypeVar("StateT")


class Game(Protocol[StateT]):
    """One game. Pure: no clock, no randomness, no I/O; a state is frozen and is never changed."""

    @property
    def id(self) -> str:
        """The name used on the command line and in files, e.g. "panda-royale"."""
        ...

    @property
    def title(self) -> str:
        """The name printed on the box."""
        ...

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The numbers of players that can play."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """Every choice the table has, with its default."""
        ...

    def initial(self, setup: Setup) -> StateT:
        """The state before the first event. Raises BadSetup."""
        ...

    def apply(self, state: StateT, event: Event) -> StateT:
        """The state after the event. Raises IllegalEvent, and then nothing has happened."""
        ...

    def legal(self, state: StateT) -> list[Json]:
        """What may come next: one object per event type, with its `type` and what a page needs to offer it."""
        ...

    def view(self, state: StateT) -> Json:
        """Everything a page shows, as JSON."""
        ...

    def report(self, state: StateT) -> Json:
        """The game so far as `tablesight referee` prints it, as JSON."""
        ...

    def dump(self, state: StateT) -> Json:
        """The state as JSON, with a version."""
        ...

    def load(self, data: Any) -> StateT:
        """The state that `dump` wrote. Raises ValueError where it is something else."""
        ...
