"""Says every half second that the camera process lives, but only while its main loop does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import getLogger
from typing import Any, Final

logger = getLogger(__name__)

BEAT_S: Final = 0.5
PATIENCE_S: Final = 3.0
"""A main loop without a sign of life for this long hangs: the heartbeat stops, and the web process starts us anew."""


class Heartbeat:
    """`beat` sends the status; the main loop calls `alive` in every turn, and `busy` around what may take longer."""

    def __init__(
        self,
        status: Callable[[], dict[str, Any]],
        send: Callable[[dict[str, Any]], None],
        beat_s: float = BEAT_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._status = status
        self._send = send
        self._beat_s = beat_s
        self._patience_s = patience_s
        self._patient_until_s = time.monotonic() + patience_s
        self._changed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def alive(self) -> None:
        """The main loop has got on."""
        self._patient_until_s = time.monotonic() + self._patience_s

    def now(self) -> None:
        """Send the status at once: it has changed."""
        self._changed.set()

    @contextmanager
    def busy(self, seconds: float) -> Iterator[None]:
        """The main loop is about to do something that may take this long."""
        self._patient_until_s = time.monotonic() + seconds
        try:
            yield
        finally:
            self.alive()

    def _run(self) -> None:
        hung = False
        while True:
            if time.monotonic() < self._patient_until_s:
                hung = False
                self._send(self._status())
            elif not hung:
                hung = True
                logger.error("the camera does not answer: no sign of life any more")
            self._changed.wait(self._beat_s)
            self._changed.clear()
