"""Pictures for the page: scaled and packed as JPEG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.zones import Point

MARGIN: Final = 0.02
"""So much of the still's width is kept around a zone: a die may reach beyond its border."""
STILL_WIDTH_PX: Final = 1600
STILL_QUALITY: Final = 85
PREVIEW_QUALITY: Final = 70


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A JPEG; `scale` is its size over that of the picture it was made from."""

    jpeg: bytes
    width: int
    height: int
    scale: float


@dataclass(frozen=True, slots=True)
class StillPart:
    """What is kept of a still: `image_bgr` (height, width, 3) begins at `left_px` and `top_px` of it."""

    image_bgr: ImageBGR
    left_px: int
    top_px: int
    still_wh_px: tuple[int, int]

    def shares(self) -> list[float]:
        """Left, top, right, bottom, as shares of the still."""
        (width, height), (part_height, part_width) = self.still_wh_px, self.image_bgr.shape[:2]
        right, bottom = self.left_px + part_width, self.top_px + part_height
        return [round(edge, 6) for edge in (self.left_px / width, self.top_px / height, right / width, bottom / height)]


def part_of_zone(still_bgr: ImageBGR, polygon: Sequence[Point], boxes_xyxy_px: Sequence[BoxXYXY]) -> StillPart:
    """The part of a still (height, width, 3) that shows a zone (shares of the picture) and these dice whole, with a
    little of the table around them; all of it where there is no zone."""
    height, width = still_bgr.shape[:2]
    size = (width, height)
    corners = [(x * width, y * height) for x, y in polygon] or [(0.0, 0.0), (float(width), float(height))]
    corners += [corner for left, top, right, bottom in boxes_xyxy_px for corner in ((left, top), (right, bottom))]
    margin = MARGIN * width
    low = [max(0, int(min(corner[axis] for corner in corners) - margin)) for axis in (0, 1)]
    high = [min(size[axis], int(max(corner[axis] for corner in corners) + margin) + 1) for axis in (0, 1)]
    part = np.ascontiguousarray(still_bgr[low[1] : high[1], low[0] : high[0]])
    return StillPart(part, low[0], low[1], size)


def page_picture(image_bgr: ImageBGR, max_width_px: int = STILL_WIDTH_PX, quality: int = STILL_QUALITY) -> PagePicture:
    """The picture (height, width, 3) at most `max_width_px` wide. Raises ValueError where it cannot be packed."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, max_width_px / width)
    if scale < 1:
        size = (max_width_px, max(1, round(height * scale)))
        image_bgr = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    packed, data = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not packed:
        raise ValueError(f"expected a picture that can be packed as JPEG, got one of {width}x{height}")
    return PagePicture(data.tobytes(), image_bgr.shape[1], image_bgr.shape[0], scale)
