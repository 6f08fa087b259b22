"""Which ink the faces of the red dice have, as people said it: the camera process learns it from their corrections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tablesight.rules.games.panda_dice import Die
from tablesight.rules.games.panda_state import PandaState
from tablesight.webui.record import Place, Record


class ConfirmedInks:
    """`send` gives a message to the camera process, and says whether that is there to take it.

    Black on a red die is minus, so the value that a person gives a red die tells its ink.
    """

    def __init__(self, send: Callable[[dict[str, Any]], bool]) -> None:
        self._send = send
        self._game = ""
        self._told: set[tuple[Place, str, int]] = set()

    def note(self, record: Record | None) -> None:
        """Tell of the dice that people have named in this game since the last time; nothing of an old game."""
        if record is None or not isinstance(record.state, PandaState):
            return
        confirmed = {
            (place, die.kind, die.value) for place in record.note.by_hand if (die := _red(record.state, place))
        }
        if record.id != self._game:
            self._game, self._told = record.id, confirmed
        for place, kind, value in sorted(confirmed - self._told):
            ink = "black" if value < 0 else "white"
            if self._send({"type": "confirm_ink", "kind": kind, "face": abs(value), "ink": ink}):
                self._told.add((place, kind, value))


def _red(state: PandaState, place: Place) -> Die | None:
    """The die in this place where it is a red one."""
    round_number, seat, number = place
    try:
        die = (state.rounds[round_number - 1].lying[seat] or ())[number]
    except IndexError:
        return None
    return die if die.kind.startswith("red-") else None
