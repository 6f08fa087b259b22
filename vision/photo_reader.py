"""Finds and reads all dice of a picture."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tablesight.vision.detector import DiceDetector
from tablesight.vision.frame import ImageBGR
from tablesight.vision.model_files import ModelError
from tablesight.vision.reader import DiceReader
from tablesight.vision.reading import BoxXYXY, Detection, DieReading, PhotoReading
from tablesight.vision.small_dice import with_small_dice
from tablesight.vision.strangers import StrangerSettings, is_no_die

__all__ = ["ModelError", "PhotoReader"]


PRINT: Final = StrangerSettings(weak_reading=0.3)
"""In a photo any dice may lie, also such as the reader does not know: only what it has no idea of is left out."""
_SURE: Final = 0.6
_SMALLEST: Final = 0.4
"""A d6 is three quarters as wide as a d20, and perspective seldom halves it: what is smaller than this share of the
largest sure die of a photo is dust or print."""


def _of_one_size(detections: Sequence[Detection]) -> tuple[Detection, ...]:
    """The detections without those far too small to lie on the same table as the others."""

    def size(d: Detection) -> float:
        x0, y0, x1, y1 = d.box_xyxy_px
        return max(x1 - x0, y1 - y0)

    largest = max((size(d) for d in detections if d.score >= _SURE), default=0.0)
    return tuple(d for d in detections if size(d) >= _SMALLEST * largest)


class PhotoReader:
    """Detector and reader together, without any expectation of what lies there."""

    def __init__(self, detector: DiceDetector, reader: DiceReader) -> None:
        self.detector, self.reader = detector, reader

    @classmethod
    def load(cls, folder: Path | None = None, threads: int = 2) -> PhotoReader:
        """The models that come with the package (or from `folder`); raises `ModelError`."""
        return cls(DiceDetector.load(folder, threads), DiceReader.load(folder, threads))

    @property
    def accept_from(self) -> float:
        """The probability from which a die is accepted."""
        return self.reader.accept_from

    def read(self, image_bgr: ImageBGR, nadir_xy_px: tuple[float, float] | None = None) -> PhotoReading:
        """All dice of a picture (height, width, 3), from the top left to the bottom right.

        `nadir_xy_px` is the point of the picture straight below the camera, where that is known.
        """
        start = time.perf_counter()
        detections = _of_one_size(with_small_dice(self.detector, image_bgr, self.detector.detect(image_bgr)))
        found = time.perf_counter()
        ordered = sorted(detections, key=lambda d: (d.box_xyxy_px[1], d.box_xyxy_px[0]))
        posteriors = self.reader.posteriors(image_bgr, [d.box_xyxy_px for d in ordered], nadir_xy_px)
        accept_from = self.reader.accept_from
        dice = tuple(
            p.reading(d.box_xyxy_px, accept_from)
            for d, p in zip(ordered, posteriors, strict=True)
            if not is_no_die(d.score, p, PRINT)
        )
        end = time.perf_counter()
        height, width = image_bgr.shape[:2]
        return PhotoReading(width, height, dice, (found - start) * 1e3, (end - found) * 1e3, (end - start) * 1e3)

    def read_boxes(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DieReading, ...]:
        """The dice in boxes that are given."""
        posteriors = self.reader.posteriors(image_bgr, boxes_xyxy_px, nadir_xy_px)
        accept_from = self.reader.accept_from
        return tuple(p.reading(b, accept_from) for p, b in zip(posteriors, boxes_xyxy_px, strict=True))
