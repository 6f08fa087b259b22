"""The camera as the watcher sees it: opened when needed, opened again after it failed, never a reason to die."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from logging import getLogger
from typing import Final, Literal

from tablesight.vision.frame import Frame, FrameSource, SourceError
from tablesight.vision.sources.errors import NoCamera, NoCameraWanted
from tablesight.vision.worker.effort import Effort

logger = getLogger(__name__)

LineState = Literal["starting", "watching", "no_camera", "error"]


@dataclass(frozen=True, slots=True)
class RetryTimes:
    """Seconds until a camera that failed is opened again: the first time, and at most."""

    first_s: float = 0.5
    most_s: float = 8.0


class CameraLine:
    """Wraps a source; `preview` and `still` give None where there is no picture, and say why in `message`.

    Where no camera is wanted there is none and nothing to say.
    """

    def __init__(
        self,
        open_source: Callable[[], FrameSource],
        times: RetryTimes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open_source = open_source
        self._times: Final = times or RetryTimes()
        self._clock = clock
        self._retry_s = self._times.first_s
        self._next_try_s = 0.0
        self.source: FrameSource | None = None
        self.state: LineState = "starting"
        self.message = ""
        self.name = ""
        self.openings = 0

    def open(self) -> bool:
        """Open the camera where it is not and its time has come; whether it is open."""
        if self.source is None and self._clock() >= self._next_try_s:
            try:
                self.source = self._open_source()
            except NoCameraWanted:
                logger.info("no camera is wanted: the dice are tapped in")
                self.state, self._next_try_s = "no_camera", math.inf
            except SourceError as error:
                self._fail(error)
            except Exception as error:  # a driver's own error must not end the process
                logger.exception("the camera could not be opened")
                self._fail(SourceError(f"the camera could not be opened ({error}): check it and its cable"))
            else:
                self.name = self.source.name
                self.openings += 1
        return self.source is not None

    def preview(self) -> Frame | None:
        """The next preview, or None."""
        return self._picture("preview")

    def still(self) -> Frame | None:
        """A still, or None."""
        return self._picture("still")

    def effort(self) -> Effort:
        """What this process has spent up to now, with this camera."""
        return Effort.now(self.source)

    def close(self) -> None:
        """Let the camera go."""
        source, self.source = self.source, None
        if source is not None:
            try:
                source.close()
            except Exception:  # what a broken camera says when it is closed helps nobody
                logger.warning("the camera could not be closed", exc_info=True)

    def _picture(self, what: Literal["preview", "still"]) -> Frame | None:
        if self.source is None:
            return None
        try:
            frame = self.source.preview() if what == "preview" else self.source.still()
        except SourceError as error:
            self._fail(error)
            return None
        except Exception as error:  # a driver's own error must not end the process
            logger.exception("the camera failed")
            self._fail(SourceError(f"the camera failed ({error}): check its cable"))
            return None
        self.state, self.message = "watching", ""
        self._retry_s = self._times.first_s
        return frame

    def _fail(self, error: SourceError) -> None:
        self.close()
        sentence = str(error)
        self.state = "no_camera" if isinstance(error, NoCamera) else "error"
        message = sentence[:1].upper() + sentence[1:]
        # said once: a camera that stays away for days must not fill the card's journal
        say = logger.debug if message == self.message else logger.warning
        say("%s (trying again in %.1f s at first)", sentence, self._retry_s)
        self.message = message
        self._next_try_s = self._clock() + self._retry_s
        self._retry_s = min(self._retry_s * 2, self._times.most_s)
