"""The colour of a die's body, as it looks in its crop: few numbers, robust against print, glare and edges."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.reader import CROP_PX

BodyColor = npt.NDArray[np.float64]

_REACH: Final = 32
"""Pixels around the middle of the crop that belong to the die whatever its shape."""
_ROWS, _COLUMNS = np.mgrid[0:CROP_PX, 0:CROP_PX] - (CROP_PX - 1) / 2
_MIDDLE: Final = _ROWS**2 + _COLUMNS**2 < _REACH**2
LIGHTNESS: Final = 0.4
"""Lightness counts less than hue and chroma: shadows and exposure change it first."""


def body_color(crop_bgr: ImageBGR) -> BodyColor:
    """(7,) of a crop of the reader (112, 112, 3), in units of CIELAB: median lightness (times 0.4), medians of a and b,
    and their lower and upper quartiles, which tell a swirl or glitter from a plain body."""
    lab = cv2.cvtColor(crop_bgr.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2LAB)[_MIDDLE]
    low, middle, high = np.percentile(lab, (25, 50, 75), axis=0)
    return np.array([LIGHTNESS * middle[0], middle[1], middle[2], low[1], low[2], high[1], high[2]])
