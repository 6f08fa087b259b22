"""Notices that the camera has been pushed: the whole picture has moved, and stays moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR

Grey = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ShiftSettings:
    """`width_px`: previews are shrunk to this width. `least`: a shift of this share of the picture's width counts
    (1.2 %: 8 mm of a 70 cm table). `same`: correlation from which two pictures show the same. `better`: how much better
    than in place they must correlate when shifted, and in how many `parts` of 16: a hand that moves is a shift of one
    part only. `frames`: as many pictures in a row must say the same. `settle`:
    as many pictures of another scene (dice were thrown) become what is compared with."""

    width_px: int = 160
    least: float = 0.012
    same: float = 0.55
    better: float = 0.2
    parts: int = 6
    frames: int = 2
    settle: int = 8


SETTINGS: Final = ShiftSettings()


@dataclass(frozen=True, slots=True)
class Shift:
    """How far the picture has moved, as shares of its width and height, to the right and down."""

    dx: float
    dy: float


class CameraShift:
    """Feeds on previews in order; compares each with those before, as long as they show the same."""

    def __init__(self, settings: ShiftSettings = SETTINGS) -> None:
        self._settings = settings
        self._reference: Grey | None = None
        self._window: Grey | None = None
        self._before: tuple[float, float] = (0.0, 0.0)
        self._agreed = 0
        self._strange = 0

    def reset(self) -> None:
        """Another camera, or another picture size."""
        self._reference = None

    def update(self, image_bgr: ImageBGR, is_still: bool = True) -> Shift | None:
        """Look at the next preview (height, width, 3); the shift where one has just been noticed, else None.

        Pictures in which something moves are passed over: an arm that comes in looks like a table that goes out.
        """
        if not is_still:
            return None
        grey = self._small(image_bgr)
        if self._reference is None or self._reference.shape != grey.shape:
            self._begin(grey)
            return None
        in_place = _correlation(self._reference, grey, 0, 0)
        if in_place >= self._settings.same:
            self._agreed = self._strange = 0
            cv2.accumulateWeighted(grey, self._reference, 0.05)
            return None
        (x, y), _ = cv2.phaseCorrelate(self._reference, grey, self._window)
        shifted = _correlation(self._reference, grey, round(x), round(y))
        far = bool(np.hypot(x, y) >= self._settings.least * grey.shape[1])
        explained = far and shifted >= max(self._settings.same, in_place + self._settings.better)
        if explained and _agreeing_parts(self._reference, grey, round(x), round(y)) >= self._settings.parts:
            same = bool(np.hypot(x - self._before[0], y - self._before[1]) < 1.5)
            self._agreed = self._agreed + 1 if same else 1
            self._before = (x, y)
            if self._agreed >= self._settings.frames:
                self._begin(grey)
                return Shift(x / grey.shape[1], y / grey.shape[0])
            return None
        self._agreed = 0
        self._strange += 1
        if self._strange >= self._settings.settle:
            self._begin(grey)
        return None

    def _begin(self, grey: Grey) -> None:
        self._reference = grey.copy()
        self._window = np.asarray(cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F), np.float32)
        self._agreed = self._strange = 0

    def _small(self, image_bgr: ImageBGR) -> Grey:
        """The preview small, grey and without its slow changes of brightness: a lamp that dims is no shift."""
        height, width = image_bgr.shape[:2]
        size = (self._settings.width_px, max(2, round(height * self._settings.width_px / width)))
        grey = cv2.cvtColor(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        # a little blur: a shift by half a pixel must still correlate
        fine = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0.9), dtype=np.float32)
        return np.asarray(np.clip(fine - cv2.blur(fine, (9, 9)), -25, 25), dtype=np.float32)


def _overlap(reference: Grey, grey: Grey, x: int, y: int) -> tuple[Grey, Grey]:
    """What two pictures have in common when the second is moved back by (x, y)."""
    height, width = grey.shape
    if abs(x) > width // 2 or abs(y) > height // 2:
        x = y = 0
    first = reference[max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)]
    second = grey[max(0, y) : height - max(0, -y), max(0, x) : width - max(0, -x)]
    return first, second


def _alike(first: Grey, second: Grey) -> float:
    norm = float(np.sqrt((first * first).sum() * (second * second).sum()))
    return float((first * second).sum()) / norm if norm else 0.0


def _correlation(reference: Grey, grey: Grey, x: int, y: int) -> float:
    """How alike two pictures are where they overlap when the second is moved back by (x, y): -1 to 1."""
    return _alike(*_overlap(reference, grey, x, y))


def _agreeing_parts(reference: Grey, grey: Grey, x: int, y: int) -> int:
    """In how many of 16 parts the second picture moved back is more like the first than in place."""
    shifted = [np.array_split(half, 4, axis=1) for half in _overlap(reference, grey, x, y)]
    in_place = [np.array_split(half, 4, axis=1) for half in (reference, grey)]
    count = 0
    for first, second, first_there, second_there in zip(*shifted, *in_place, strict=True):
        rows = zip(*(np.array_split(part, 4) for part in (first, second, first_there, second_there)), strict=True)
        count += sum(_alike(a, b) > max(0.3, _alike(c, d) + 0.1) for a, b, c, d in rows)
    return count
