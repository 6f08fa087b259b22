"""Says every half second that the camera process lives, but only while its main loop does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import getLogger
from typing import Any, Final

from tablesight.vision.process_activity import ProcessActivity

logger = getLogger(__name__)

BEAT_S: Final = 0.5
PATIENCE_S: Final = 4.0
"""A main loop without a sign of life for this long, in a process in which nothing runs or wants to run, hangs."""
MOST_S: Final = 20.0
"""... and one that is still computing, or waits for a core on a busy machine, after this long."""


class Heartbeat:
    """`beat` sends the status; the main loop calls `alive` in every turn, and `busy` around what may take longer.

    When the loop hangs the heartbeat stops and `hung` is called, once. `is_busy` tells whether the process computes.
    """

    def __init__(
        self,
        status: Callable[[], dict[str, Any]],
        send: Callable[[dict[str, Any]], None],
        beat_s: float = BEAT_S,
        patience_s: float = PATIENCE_S,
        most_s: float = MOST_S,
        hung: Callable[[], None] = lambda: None,
        is_busy: Callable[[], bool] | None = None,
    ) -> None:
        self._status = status
        self._send = send
        self._beat_s = beat_s
        self._patience_s = patience_s
        self._most_s = most_s
        self._hung = hung
        self._is_busy = is_busy
        self._alive_at_s = time.monotonic()
        self._busy_until_s = 0.0
        self._changed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self.alive()
        self._thread.start()

    def alive(self) -> None:
        """The main loop has got on."""
        self._alive_at_s = time.monotonic()

    def now(self) -> None:
        """Send the status at once: it has changed."""
        self._changed.set()

    @contextmanager
    def busy(self, seconds: float) -> Iterator[None]:
        """The main loop is about to do something that may take this long."""
        self._busy_until_s = time.monotonic() + seconds
        try:
            yield
        finally:
            self.alive()
            self._busy_until_s = 0.0

    def _run(self) -> None:
        is_busy = self._is_busy or ProcessActivity(os.getpid(), frozenset({threading.get_native_id()})).is_busy
        seen_busy_s = 0.0
        hangs = False
        while True:
            now_s, alive_s = time.monotonic(), self._alive_at_s
            late = now_s - alive_s > 2 * self._beat_s and now_s > self._busy_until_s
            if late and is_busy():
                seen_busy_s = now_s
            idle_s = now_s - max(alive_s, seen_busy_s)
            if late and (idle_s > self._patience_s or now_s - alive_s > self._most_s):
                if not hangs:
                    hangs = True
                    logger.error("the camera does not answer: no sign of life for %.0f s", now_s - alive_s)
                    self._hung()
            else:
                hangs = False
                self._send(self._status())
            self._changed.wait(self._beat_s)
            self._changed.clear()
