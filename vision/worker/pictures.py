"""Pictures for the page: scaled and packed as JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR

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
