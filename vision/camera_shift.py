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
    as many pictures of another scene (dice were thrown) become what is compared with.

    Over a bare cloth, whose weave hardly stands out from the noise, pictures of the same table correlate less. How much
    is measured: in the first `learn` pictures, which are averaged, and from then on. `plain`: a table whose pictures
    correlate less than that shows nothing. `typical`: the correlation for which `same` and `better` are meant. `loud`:
    detail stronger than so many times the usual one, such as dice, counts no more than that.

    A cloth with nothing but wide folds looks much the same when it is pushed a little. A picture that is less like
    those before by more than `slips` times as much as they differ (and by `slip` at least) has been pushed where it is
    like them again when moved back: by more than the share `regained` of what it lost, in as many as `all_parts`."""

    width_px: int = 160
    least: float = 0.010
    same: float = 0.55
    better: float = 0.2
    parts: int = 6
    frames: int = 2
    settle: int = 8
    learn: int = 6
    plain: float = 0.1
    typical: float = 0.75
    loud: float = 4.0
    slip: float = 0.02
    slips: float = 4.0
    regained: float = 0.4
    all_parts: int = 10


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
        self._seen = 0
        self._usual = 0.0
        self._spread = 0.0

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
        if self._seen < self._settings.learn:
            self._learn(grey, in_place)
            return None
        # less stands out over a bare cloth, of what is there and of what has moved
        faint = min(1.0, self._usual / self._settings.typical)
        if in_place >= self._settings.same * faint:
            slipped = self._slipped(grey, in_place)
            if slipped is not None:
                return self._noted(grey, *slipped)
            self._agreed = self._strange = 0
            self._spread += 0.05 * (abs(in_place - self._usual) - self._spread)
            self._usual += 0.05 * (in_place - self._usual)
            cv2.accumulateWeighted(grey, self._reference, 0.05)
            return None
        x, y = self._best_shift(grey)
        shifted = _correlation(self._reference, grey, round(x), round(y))
        far = bool(np.hypot(x, y) >= self._settings.least * grey.shape[1])
        explained = far and shifted >= max(self._settings.same * faint, in_place + self._settings.better * faint)
        explained = explained and self._usual >= self._settings.plain
        if explained and _agreeing_parts(self._reference, grey, round(x), round(y), faint) >= self._settings.parts:
            return self._noted(grey, x, y)
        self._agreed = 0
        self._strange += 1
        if self._strange >= self._settings.settle:
            self._begin(grey)
        return None

    def _noted(self, grey: Grey, x: float, y: float) -> Shift | None:
        """A picture that seems to be shifted: told where as many in a row say the same."""
        same = bool(np.hypot(x - self._before[0], y - self._before[1]) < 1.5)
        self._agreed = self._agreed + 1 if same else 1
        self._before = (x, y)
        if self._agreed < self._settings.frames:
            return None
        self._begin(grey)
        return Shift(x / grey.shape[1], y / grey.shape[0])

    def _slipped(self, grey: Grey, in_place: float) -> tuple[float, float] | None:
        """How far a picture that is still much like the reference has been pushed; None where it has not."""
        assert self._reference is not None
        settings, lost = self._settings, self._usual - in_place
        if lost < max(settings.slip, settings.slips * self._spread):
            return None
        x, y = _climbed(self._reference, grey, *self._best_shift(grey))
        if np.hypot(x, y) < settings.least * grey.shape[1] or max(abs(x), abs(y)) > 0.25 * min(grey.shape):
            return None
        gains = _gains(self._reference, grey, x, y)
        back = float(np.median(gains)) > settings.regained * lost
        return (x, y) if back and int((gains > 0.25 * settings.regained * lost).sum()) >= settings.all_parts else None

    def _learn(self, grey: Grey, in_place: float) -> None:
        """Average the first pictures of a table; how much the last of them are like those before is what is usual."""
        assert self._reference is not None
        self._seen += 1
        if self._seen > 2:  # the first two say nothing of how much pictures differ
            self._spread = max(0.8 * self._spread, 0.5 * abs(in_place - self._usual))
        self._usual = in_place
        cv2.accumulateWeighted(grey, self._reference, 1 / (self._seen + 1))

    def _best_shift(self, grey: Grey) -> tuple[float, float]:
        """Where the picture is most like the reference when moved back."""
        assert self._reference is not None
        assert self._window is not None
        spectrum = np.fft.rfft2(self._reference * self._window).conj() * np.fft.rfft2(grey * self._window)
        surface = np.fft.irfft2(spectrum, s=grey.shape)
        row, column = (int(i) for i in np.unravel_index(int(np.argmax(surface)), surface.shape))
        height, width = grey.shape
        x = column + _vertex(
            surface[row, (column - 1) % width], surface[row, column], surface[row, (column + 1) % width]
        )
        y = row + _vertex(surface[row - 1, column], surface[row, column], surface[(row + 1) % height, column])
        return float(x if column <= width // 2 else x - width), float(y if row <= height // 2 else y - height)

    def _begin(self, grey: Grey) -> None:
        self._reference = grey.copy()
        self._seen, self._usual, self._spread = 1, 0.0, 0.0
        self._window = np.asarray(cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F), np.float32)
        self._agreed = self._strange = 0

    def _small(self, image_bgr: ImageBGR) -> Grey:
        """The preview small, grey and without its slow changes of brightness: a lamp that dims is no shift."""
        height, width = image_bgr.shape[:2]
        size = (self._settings.width_px, max(2, round(height * self._settings.width_px / width)))
        grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)  # a weave may be less than a level
        while grey.shape[1] >= 2 * size[0] and not any(side % 2 for side in grey.shape):
            half = (grey.shape[1] // 2, grey.shape[0] // 2)
            grey = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.float32)
        small = grey if grey.shape[::-1] == size else cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        # a little blur: a shift by half a pixel must still correlate
        fine = np.asarray(cv2.GaussianBlur(small, (3, 3), 0.9), dtype=np.float32)
        detail = fine - cv2.blur(fine, (9, 9))
        loud = min(25.0, self._settings.loud * max(0.3, float(np.median(np.abs(detail[::2, ::2])))))
        return np.asarray(np.clip(detail, -loud, loud), dtype=np.float32)


def _vertex(before: float, top: float, after: float) -> float:
    """Where a parabola through three neighbours has its vertex, from the middle one."""
    bend = before - 2 * top + after
    return 0.0 if bend >= 0 else float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))


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


def _climbed(reference: Grey, grey: Grey, x: float, y: float) -> tuple[float, float]:
    """The shift near (x, y) by which the second picture must be moved back to be most like the first. Wide folds under
    a window, as in the spectrum, seem to have moved less than they have."""
    column, row = round(x), round(y)
    known: dict[tuple[int, int], float] = {}

    def alike(at: tuple[int, int]) -> float:
        if at not in known:
            known[at] = _correlation(reference, grey, *at)
        return known[at]

    for _ in range(12):
        around = [(column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        best = max(around, key=alike)
        if best == (column, row):
            break
        column, row = best
    across = _vertex(alike((column - 1, row)), alike((column, row)), alike((column + 1, row)))
    return column + across, row + _vertex(alike((column, row - 1)), alike((column, row)), alike((column, row + 1)))


def _gains(reference: Grey, grey: Grey, x: float, y: float) -> Grey:
    """How much more the second picture is like the first when moved back by (x, y) than in place, in 16 parts."""
    height, width = grey.shape
    back = np.asarray(cv2.warpAffine(grey, np.array([[1, 0, -x], [0, 1, -y]]), (width, height)), np.float32)
    edge = int(np.ceil(max(abs(x), abs(y)))) + 1
    inner = (slice(edge, height - edge), slice(edge, width - edge))
    rows = [np.array_split(picture[inner], 4) for picture in (reference, grey, back)]
    parts = [[part for row in picture for part in np.array_split(row, 4, axis=1)] for picture in rows]
    return np.array([_alike(a, c) - _alike(a, b) for a, b, c in zip(*parts, strict=True)], np.float32)


def _agreeing_parts(reference: Grey, grey: Grey, x: int, y: int, faint: float) -> int:
    """In how many of 16 parts the second picture moved back is more like the first than in place; `faint`: how much
    like each other pictures of this table are at all, 0 to 1."""
    shifted = [np.array_split(half, 4, axis=1) for half in _overlap(reference, grey, x, y)]
    in_place = [np.array_split(half, 4, axis=1) for half in (reference, grey)]
    count = 0
    for first, second, first_there, second_there in zip(*shifted, *in_place, strict=True):
        rows = zip(*(np.array_split(part, 4) for part in (first, second, first_there, second_there)), strict=True)
        count += sum(_alike(a, b) > max(0.3 * faint, _alike(c, d) + 0.1 * faint) for a, b, c, d in rows)
    return count
