"""A USB camera by V4L2: always at its highest resolution, previews decoded at a fraction of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from logging import getLogger
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.sources.preview import PREVIEW_WIDTH_PX, Clock, shrink
from tablesight.vision.sources.v4l2_flicker import set_flicker
from tablesight.vision.sources.v4l2_nodes import SYSFS, v4l2_nodes

logger = getLogger(__name__)

BUFFERS: Final = 2
"""Pictures the driver may keep for us: one to fill while we look at the other."""
STALE: Final = 4
"""A kept picture is as old as our last question; so many at most are thrown away until a new one comes."""
PREVIEW_AGE_S: Final = 0.05
"""A preview may be a little older than the question for it; a still may not."""
OTHER_CLOCK_S: Final = 60.0
"""A driver whose times differ from ours by more counts them on another clock."""
TRIES: Final = 4
"""USB cameras send a broken JPEG now and then, mostly just after they start."""
LARGEST_PX: Final = 10_000
"""Asked for as width and height: the driver answers with the largest size it has."""
FOCUS_FRAMES: Final = 45
"""Pictures after which a lens that focuses by itself is held where it is (1.5 s at 30 a second)."""

_MJPG: Final = cv2.VideoWriter.fourcc(*"MJPG")
_REDUCED: Final = (
    (8, cv2.IMREAD_REDUCED_COLOR_8),
    (4, cv2.IMREAD_REDUCED_COLOR_4),
    (2, cv2.IMREAD_REDUCED_COLOR_2),
)


def _open(number: int) -> Any:
    return cv2.VideoCapture(number, cv2.CAP_V4L2)


class V4L2Source:
    """/dev/video`number`. Raises `SourceError` for the Pi's own nodes, and where nothing answers or pictures end."""

    def __init__(
        self,
        number: int,
        clock: Clock = time.monotonic,
        flicker_hz: int = 50,
        open_capture: Callable[[int], Any] = _open,
        sysfs: Path = SYSFS,
    ) -> None:
        self._number = number
        self._clock = clock
        self._label = self._checked_label(sysfs)
        set_flicker(f"/dev/video{number}", flicker_hz)
        self._capture: Any = open_capture(number)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"expected a camera at /dev/video{number} ({self._label}), got no answer: is another program using it, "
                "and may this user read it (group video)?"
            )
        self._size_wh = self._configure()
        self._frames = 0
        try:
            self._take(reduced=True)
        except SourceError:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The driver's name of the camera and its resolution."""
        width, height = self._size_wh
        return f"USB camera {self._label} ({width} x {height}, video{self._number})"

    def preview(self) -> Frame:
        """A fresh picture, decoded at an eighth to the whole of its size, then 640 px wide."""
        return self._take(reduced=True)

    def still(self) -> Frame:
        """A fresh picture at the highest resolution."""
        return self._take(reduced=False)

    def close(self) -> None:
        """Lets the device go."""
        if self._capture is not None:
            self._capture.release()
        self._capture = None

    def _checked_label(self, sysfs: Path) -> str:
        node = next((node for node in v4l2_nodes(sysfs) if node.number == self._number), None)
        if node is None:
            raise SourceError(f"expected a camera at /dev/video{self._number}, got no such device: is it plugged in?")
        if not node.is_camera:
            raise SourceError(
                f"expected a USB camera at /dev/video{self._number}, got {node.name!r}, which gives no pictures: "
                "for the Pi's own camera use 'picamera2', else another number"
            )
        return node.name or "without a name"

    def _configure(self) -> tuple[int, int]:
        capture = self._capture
        capture.set(cv2.CAP_PROP_FOURCC, _MJPG)  # first: at full size only MJPG is fast enough for USB 2
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, LARGEST_PX)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, LARGEST_PX)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, BUFFERS)
        if int(capture.get(cv2.CAP_PROP_FOURCC)) == _MJPG:
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)  # the JPEG itself, so that a preview need not be decoded in full
        return int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))

    def _take(self, reduced: bool) -> Frame:
        if self._capture is None:
            raise SourceError(f"the camera {self._label} is closed: open it again")
        self._skip_stale(PREVIEW_AGE_S if reduced else 0.0)
        for attempt in range(TRIES):
            if attempt:
                self._grab()
            captured_at_s = self._clock()
            taken, raw = self._capture.retrieve()
            image_bgr = self._decoded(raw, reduced) if taken and raw is not None else None
            if image_bgr is not None:
                return Frame(shrink(image_bgr) if reduced else image_bgr, captured_at_s)
        raise SourceError(f"expected pictures from {self._label}, got {TRIES} broken ones: try another cable or port")

    def _skip_stale(self, age_s: float) -> None:
        """Grabs until a picture was taken at most `age_s` before now, or else the second one."""
        asked_at_s = time.monotonic()
        for number in range(STALE):
            self._grab()
            # the driver's time of the picture, milliseconds on the kernel's monotonic clock
            taken_at_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if abs(taken_at_s - asked_at_s) > OTHER_CLOCK_S:
                if number + 1 >= BUFFERS:
                    return
            elif taken_at_s >= asked_at_s - age_s:
                return

    def _grab(self) -> None:
        if not self._capture.grab():
            raise SourceError(f"expected a picture from {self._label}, got nothing: is the camera still plugged in?")
        self._frames += 1
        if self._frames == FOCUS_FRAMES and self._capture.get(cv2.CAP_PROP_AUTOFOCUS) == 1:
            held = self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            logger.info("focus of %s %s", self._label, "held" if held else "cannot be held")

    def _decoded(self, raw: np.ndarray[Any, Any], reduced: bool) -> ImageBGR | None:
        """BGR pixels of what the driver gave: BGR already, or the bytes of one JPEG; None where they are damaged."""
        if raw.ndim == 3 and raw.shape[2] == 3:
            return np.asarray(raw, np.uint8)
        flags = cv2.IMREAD_COLOR
        if reduced:
            flags = next((f for n, f in _REDUCED if self._size_wh[0] // n >= PREVIEW_WIDTH_PX), flags)
        try:
            image = cv2.imdecode(np.ascontiguousarray(raw, np.uint8).reshape(-1), flags)
        except cv2.error:
            return None
        return None if image is None else np.asarray(image, np.uint8)
