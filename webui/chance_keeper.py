"""Keeps the chances to win up to date, in a thread of its own: nobody waits for them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Final

from tablesight.rules.games.panda_state import PandaState

log = logging.getLogger(__name__)

GAMES: Final = 1000
"""So many ends of the game are rolled out: the chances are right to about 3 of 100."""


class ChanceKeeper:
    """`latest` answers at once, with None until the chances of this moment are known; then `ready` is called."""

    def __init__(self, ready: Callable[[], None]) -> None:
        self._ready = ready
        self._lock = threading.Lock()
        self._known: tuple[Any, list[float]] | None = None
        self._asked: Any = None

    def latest(self, game_id: str, state: PandaState) -> list[float] | None:
        """The chance of each seat after the last scored round; None while it is not known."""
        key = (game_id, state.round_number, state.current.outcome, state.totals)
        with self._lock:
            if self._known and self._known[0] == key:
                return self._known[1]
            # half a round has no chances of its own: those of its beginning stay
            entered = any(hand is not None for hand in state.current.layers[0])
            if state.current.outcome is None and entered:
                same_game = self._known and self._known[0][0] == game_id
                return self._known[1] if same_game and self._known else None
            if self._asked == key:
                return None
            self._asked = key
        threading.Thread(target=self._work, args=(key, state), name="chances", daemon=True).start()
        return None

    def _work(self, key: Any, state: PandaState) -> None:
        # numpy's random numbers take a while to import on a Pi
        from tablesight.webui.chances import win_chances

        try:
            chances = [round(chance, 3) for chance in win_chances(state, GAMES)]
        except Exception:
            log.exception("the chances to win could not be worked out")
            return
        with self._lock:
            if self._asked != key:
                return
            self._known = (key, chances)
        self._ready()
