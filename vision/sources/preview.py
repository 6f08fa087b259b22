"""The small picture that is watched for motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR

Clock = Callable[[], float]
"""Monotonic seconds, such as `time.monotonic`; tests pass their own."""

PREVIEW_WIDTH_PX: Final = 640


def shrink(image_bgr: ImageBGR, width_px: int = PREVIEW_WIDTH_PX) -> ImageBGR:
    """The picture at most `width_px` wide, aspect kept, areas averaged. A narrower one comes back unchanged."""
    height, width = image_bgr.shape[:2]
    if width <= width_px:
        return image_bgr
    size_wh = (width_px, max(1, round(height * width_px / width)))
    return np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
