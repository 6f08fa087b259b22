"""Measures the lens while somebody moves a mat about under the camera, and says how far it has got."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from logging import getLogger
from typing import Any, Final

from tablesight.vision.frame import ImageBGR
from tablesight.vision.lens import Lens, LensError
from tablesight.vision.lens_study import LensStudy
from tablesight.vision.mat_layout import MatLayout, Paper

logger = getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CalibrationTimes:
    """Seconds: between two stills, time to move the mat; and until it is given up."""

    gap_s: float = 0.3
    most_s: float = 90.0


TIMES: Final = CalibrationTimes()


class CalibrationDesk:
    """One calibration at a time. `done` is given the lens that was measured."""

    def __init__(
        self,
        send: Callable[[dict[str, Any], bytes], None],
        done: Callable[[Lens], None],
        times: CalibrationTimes = TIMES,
    ) -> None:
        self._send = send
        self._done = done
        self._times = times
        self._study: LensStudy | None = None
        self._until_s = self._next_s = 0.0

    @property
    def is_running(self) -> bool:
        """Whether the camera is busy with it."""
        return self._study is not None

    def start(self, paper: Paper, now_s: float) -> None:
        """Begin anew, with a mat on this paper."""
        self._study = LensStudy(MatLayout.on(paper))
        self._until_s, self._next_s = now_s + self._times.most_s, now_s
        self._tell(self._study, "looking")

    def stop(self) -> None:
        """Give it up: nothing was measured."""
        study, self._study = self._study, None
        if study is not None:
            self._tell(study, "stopped")

    def wants_still(self, now_s: float) -> bool:
        """Whether it is time for the next still."""
        return self._study is not None and now_s >= self._next_s

    def look(self, still_bgr: ImageBGR, now_s: float) -> None:
        """A still as the camera took it (height, width, 3)."""
        if self._study is None:
            return
        try:
            new = self._study.look(still_bgr)
        except ValueError as error:  # the camera has changed the size of its pictures
            logger.warning("the lens is not measured: %s", error)
            self.stop()
            return
        self._next_s = now_s + self._times.gap_s
        if self._study.is_complete or now_s >= self._until_s:
            self._finish()
        elif new:
            self._tell(self._study, "looking")

    def _finish(self) -> None:
        study, self._study = self._study, None
        assert study is not None
        try:
            lens = study.lens()
        except LensError as error:
            logger.warning("the lens could not be measured: %s", error)
            self._tell(study, "failed")
        else:
            self._done(lens)
            self._tell(study, "done", field_deg=round(lens.field_deg(), 1), error=round(lens.error, 6))

    def _tell(self, study: LensStudy, state: str, **more: Any) -> None:
        views, wanted = study.progress
        self._send({"type": "calibration", "state": state, "views": views, "wanted": wanted, **more}, b"")
