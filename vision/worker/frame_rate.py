"""How many previews a second come, and how old the last one is."""

from __future__ import annotations

import time


class FrameRate:
    """Told of every preview."""

    def __init__(self) -> None:
        self.per_s = 0.0
        self._last_s: float | None = None

    def came(self) -> None:
        """A preview is there. The rate is a mean of the last ten or so."""
        now_s = time.monotonic()
        if self._last_s is not None:
            rate = 1 / max(0.001, now_s - self._last_s)
            self.per_s += 0.1 * (min(rate, 100.0) - self.per_s)
        self._last_s = now_s

    def stopped(self) -> None:
        """None came: the next one is the first of new ones."""
        self._last_s = None

    def is_younger(self, than_s: float) -> bool:
        """Whether the last preview came less than so many seconds ago."""
        return self._last_s is not None and time.monotonic() - self._last_s < than_s
