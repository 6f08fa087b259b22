"""Keeps a camera that could give pictures at any speed to about ten a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tablesight.vision.frame import Frame, FrameSource
from tablesight.vision.sources.preview import Clock

PREVIEW_S: Final = 0.1
"""Between two previews: enough to see when dice lie still (0.6 s), a third of the work of a camera's 30 a second."""


class PacedSource:
    """The same camera, whose previews wait until `preview_s` have gone by since the last. Stills are not held up."""

    def __init__(
        self,
        source: FrameSource,
        clock: Clock = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
        preview_s: float = PREVIEW_S,
    ) -> None:
        self._source = source
        self._clock = clock
        self._wait = wait
        self._preview_s = preview_s
        self._due_at_s = clock()

    @property
    def name(self) -> str:
        """The camera's name."""
        return self._source.name

    def preview(self) -> Frame:
        """The camera's next preview, not before its time."""
        early_s = self._due_at_s - self._clock()
        if early_s > 0:
            self._wait(early_s)
        # a camera that was late is not hurried afterwards
        self._due_at_s = max(self._due_at_s, self._clock() - self._preview_s) + self._preview_s
        return self._source.preview()

    def still(self) -> Frame:
        """The camera's still."""
        return self._source.still()

    def close(self) -> None:
        """Closes the camera."""
        self._source.close()
