"""The light on the table, measured from the white and grey patches of the mats, and pictures corrected for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.mat_finder import Mat
from tablesight.vision.mat_layout import RectMM

Levels = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LightSettings:
    """`inner`: share of a patch's side that is measured. `clipped_level`: a white patch at or above it has lost its
    colour. `gains`: limits of what is corrected. `white_level`: where the white patch is put."""

    inner: float = 0.6
    clipped_level: float = 251.0
    gains: tuple[float, float] = (0.6, 1.9)
    white_level: float = 225.0


SETTINGS: Final = LightSettings()


@dataclass(frozen=True, slots=True)
class Light:
    """Mean levels (blue, green, red; 0-255) of the white and the grey patches that are seen."""

    white_bgr: tuple[float, float, float]
    grey_bgr: tuple[float, float, float]

    @property
    def is_clipped(self) -> bool:
        """Too bright: white has no colour left to measure."""
        return max(self.white_bgr) >= SETTINGS.clipped_level

    @property
    def is_dark(self) -> bool:
        """Too dark to read prints well."""
        return self.white_bgr[1] < 90

    def gains_bgr(self, settings: LightSettings = SETTINGS) -> tuple[float, float, float]:
        """What to multiply the channels with, so that paper is white; from the grey patches where white is clipped."""
        if self.is_clipped:
            grey = np.maximum(self.grey_bgr, 1.0)
            gains = grey[1] / grey
        else:
            gains = settings.white_level / np.maximum(self.white_bgr, 1.0)
        b, g, r = np.clip(gains, *settings.gains)
        return float(b), float(g), float(r)


def measure_light(image_bgr: ImageBGR, mats: Iterable[Mat], settings: LightSettings = SETTINGS) -> Light | None:
    """The light in a picture (height, width, 3) with these mats; None where no patch is free to be seen.

    A hand or a die on a patch must not tint the dice: the brightest half of the white patches, and the greys beside
    them, are taken.
    """
    pairs: list[tuple[Levels, Levels]] = []
    for mat in mats:
        for white_mm, grey_mm in mat.layout.patches_mm():
            white, grey = (_level(image_bgr, mat, rect, settings) for rect in (white_mm, grey_mm))
            if white is not None and grey is not None and white[1] > 1.25 * grey[1]:
                pairs.append((white, grey))
    if not pairs:
        return None
    pairs.sort(key=lambda pair: -float(pair[0][1]))
    best = pairs[: (len(pairs) + 1) // 2]
    white, grey = (np.median([pair[i] for pair in best], axis=0) for i in (0, 1))
    return Light((float(white[0]), float(white[1]), float(white[2])), (float(grey[0]), float(grey[1]), float(grey[2])))


def balanced(image_bgr: ImageBGR, gains_bgr: tuple[float, float, float]) -> ImageBGR:
    """The picture with its channels multiplied, as if taken under a white light."""
    ramp = np.arange(256, dtype=np.float64)[:, None] * np.array(gains_bgr)
    table = np.clip(np.round(ramp), 0, 255).astype(np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(image_bgr, table), dtype=np.uint8)


def _level(image_bgr: ImageBGR, mat: Mat, rect: RectMM, settings: LightSettings) -> Levels | None:
    """Median levels of the middle of a patch; None where it lies outside of the picture or is not even."""
    left, top, right, bottom = rect
    inset_x, inset_y = (right - left) * (1 - settings.inner) / 2, (bottom - top) * (1 - settings.inner) / 2
    corners = mat.rect_px((left + inset_x, top + inset_y, right - inset_x, bottom - inset_y))
    height, width = image_bgr.shape[:2]
    low, high = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
    if low.min() < 0 or high[0] > width or high[1] > height or (high - low).min() < 3:
        return None
    cut = image_bgr[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(cut.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners - low).astype(np.int32), 255)
    pixels = cut[mask > 0].astype(np.float64)
    if len(pixels) < 9 or float(pixels[:, 1].std()) > 25:
        return None
    return np.asarray(np.median(pixels, axis=0))
