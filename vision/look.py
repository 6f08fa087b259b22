"""One look at the table: the dice of one still, each with what is known of it and how good its picture is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.pooling import pooled_posterior
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reading import BoxXYXY

CLIPPED_LEVEL = 250
"""A channel at or above this has lost what was printed there."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die in one still. `sharpness` is the strength of its fine detail (levels), `clipped` the share of its pixels
    that are burnt out, 0 to 1. `views` are the readings behind `posterior` where there are several; `is_reused`: it lay
    there as in an earlier look and was not read again. `is_weak`: it was only found because a die was missing.
    `level_flatness`: the flatness that a level face would have where the die lies, 0 to 1."""

    box_xyxy_px: BoxXYXY
    score: float
    posterior: DiePosterior
    sharpness: float = 1.0
    clipped: float = 0.0
    views: tuple[DiePosterior, ...] = ()
    is_reused: bool = False
    is_weak: bool = False
    level_flatness: float = 1.0

    @property
    def evidence(self) -> tuple[DiePosterior, ...]:
        """Everything that was read of it in this look."""
        return () if self.is_reused else self.views or (self.posterior,)

    @property
    def levelness(self) -> float | None:
        """How flat the top face looks, against a level one: 1 where it is level, less where the die leans."""
        flatness = self.posterior.flatness
        return None if flatness is None else flatness / max(self.level_flatness, 1e-6)

    def with_views(self, more: Sequence[DiePosterior]) -> SeenDie:
        """The die after it was read again in the same still."""
        views = (*self.evidence, *more)
        return replace(self, posterior=pooled_posterior(views), views=views, is_reused=False)

    @property
    def center_xy_px(self) -> tuple[float, float]:
        """The middle of the box."""
        left, top, right, bottom = self.box_xyxy_px
        return (left + right) / 2, (top + bottom) / 2

    @property
    def size_px(self) -> float:
        """The longer side of the box."""
        left, top, right, bottom = self.box_xyxy_px
        return max(right - left, bottom - top)


def picture_quality(image_bgr: ImageBGR, box_xyxy_px: BoxXYXY) -> tuple[float, float]:
    """Sharpness and clipped share of what a box (pixels) of a picture (height, width, 3) shows."""
    height, width = image_bgr.shape[:2]
    left, top = (max(0, int(value)) for value in box_xyxy_px[:2])
    right, bottom = min(width, int(box_xyxy_px[2]) + 1), min(height, int(box_xyxy_px[3]) + 1)
    if right - left < 3 or bottom - top < 3:
        return 0.0, 1.0
    cut = image_bgr[top:bottom, left:right]
    grey = cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY)
    sharpness = float(np.mean(np.abs(cv2.Laplacian(grey, cv2.CV_16S))))
    clipped = float(np.mean(cut.min(axis=2) >= CLIPPED_LEVEL))
    return sharpness, clipped
