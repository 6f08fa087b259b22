"""Is what the camera reads in a zone a new roll, or dice that lie there from before?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tablesight.rules.games.panda_dice import Hand, kinds_of
from tablesight.webui.next_roll import Roll
from tablesight.webui.throws import SeenDie, Throw

AFTER_RESTART_S: Final = 10.0
"""How long after its restart the camera process may tell of dice that were read before as if they were new."""


class Freshness:
    """Follows each seat's zone from roll to roll. The caller holds a lock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._emptied: set[int] = set()
        self._used: dict[int, int] = {}
        self._restarted_at_s = float("-inf")

    def forget(self) -> None:
        """Whatever lies there counts as new: a new game, an undo."""
        self._emptied = set(range(10))
        self._used.clear()

    def emptied(self, seat: int) -> None:
        """The zone was seen empty, or a person asks to look again."""
        self._emptied.add(seat)

    def look_again(self, seat: int) -> None:
        """A person asks for it: the same dice count."""
        self._emptied.add(seat)
        self._used.pop(seat, None)

    def used(self, seat: int, throw: Throw | None) -> None:
        """The seat's roll is scored: what lies there now does not count again."""
        self._emptied.discard(seat)
        if throw is not None and throw.number is not None:
            self._used[seat] = throw.number

    def camera_restarted(self) -> None:
        """The camera process counts its throws anew."""
        self._used.clear()
        self._restarted_at_s = self._clock()

    def came_since(self, seat: int, die: SeenDie) -> bool:
        """Whether a die was thrown after the seat's last roll was scored (or may have been)."""
        used = self._used.get(seat)
        return used is None or die.throw is None or die.throw > used

    def is_new(self, throw: Throw, before: Hand | None, roll: Roll) -> bool:
        """Whether the throw can be the seat's roll. `before` are the dice of its last roll, None before the first."""
        if throw.number is not None and self._used.get(throw.seat) == throw.number:
            return False
        if before is None:
            return True
        told = [die.told for die in throw.dice if die.told]
        if roll.event == "seat_rerolled":
            just_restarted = self._clock() - self._restarted_at_s < AFTER_RESTART_S
            same = sorted((die.kind, die.value) for die in told) == sorted((die.kind, die.value) for die in before)
            return not (same and just_restarted)
        if sorted(die.kind for die in told) == sorted(kinds_of(before)):
            return False  # every roll but the first has other dice than the one before
        if throw.seat in self._emptied:
            return True
        if throw.number is not None:
            return len(throw.dice) != len(before) or len(before) == roll.count
        return len(throw.dice) == roll.count
