"""libcamera's pixel formats to BGR."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR, SourceError

# libcamera names a packed format by its 32-bit word, the other way round than bytes lie in memory:
# RGB888 is blue, green, red; XBGR8888 is red, green, blue, unused.
_CODES: Final[dict[str, int | None]] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "YUYV": cv2.COLOR_YUV2BGR_YUY2,
    "UYVY": cv2.COLOR_YUV2BGR_UYVY,
}


def to_bgr(array: np.ndarray[Any, Any], pixel_format: str, size_wh: tuple[int, int]) -> ImageBGR:
    """A copy of `array`, as picamera2's `make_array` gives it, as shape (height, width, 3) uint8 BGR.

    Planar formats come as (1.5 x height, stride); the padding at the right is cut off. `size_wh` is the stream's size
    in pixels. Raises `SourceError` for a format that is not known.
    """
    width, height = size_wh
    if pixel_format == "MJPEG":
        image = cv2.imdecode(np.ascontiguousarray(array, np.uint8).reshape(-1), cv2.IMREAD_COLOR)
        if image is None:
            raise SourceError("expected a JPEG picture from the camera, got a damaged one: try again")
        return np.asarray(image, np.uint8)
    if pixel_format not in _CODES:
        raise SourceError(f"expected one of {', '.join(_CODES)} from the camera, got {pixel_format!r}: report this")
    code = _CODES[pixel_format]
    if code is None:
        return np.array(array[:height, :width], np.uint8)
    return np.ascontiguousarray(cv2.cvtColor(array, code)[:height, :width], np.uint8)
