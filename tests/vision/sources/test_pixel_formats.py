"""Each of libcamera's formats, against the same picture in BGR."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR, SourceError
from tablesight.vision.sources.pixel_formats import to_bgr

WIDTH, HEIGHT = 64, 48


def picture() -> ImageBGR:
    """Red, green / blue, gray; the chroma of YUV 4:2:0 keeps it."""
    image_bgr: ImageBGR = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image_bgr[: HEIGHT // 2, : WIDTH // 2] = (30, 40, 200)
    image_bgr[: HEIGHT // 2, WIDTH // 2 :] = (50, 180, 60)
    image_bgr[HEIGHT // 2 :, : WIDTH // 2] = (190, 70, 40)
    image_bgr[HEIGHT // 2 :, WIDTH // 2 :] = 128
    return image_bgr


def i420(image_bgr: ImageBGR) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)


def nv12(image_bgr: ImageBGR, swapped: bool = False) -> np.ndarray[Any, np.dtype[np.uint8]]:
    planes = i420(image_bgr)
    chroma = planes[HEIGHT:].reshape(2, -1)
    return np.concatenate(
        [planes[:HEIGHT], chroma[::-1].T.reshape(-1, WIDTH) if swapped else chroma.T.reshape(-1, WIDTH)]
    )


def padded_i420(image_bgr: ImageBGR, stride: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """As the Pi's ISP writes it: rows of `stride` bytes, those of the chroma planes half as long."""
    planes = i420(image_bgr)
    luma = np.pad(planes[:HEIGHT], ((0, 0), (0, stride - WIDTH)))
    chroma = planes[HEIGHT:].reshape(2, HEIGHT // 2, WIDTH // 2)
    chroma = np.pad(chroma, ((0, 0), (0, 0), (0, (stride - WIDTH) // 2)))
    return np.concatenate([luma.reshape(-1), chroma.reshape(-1)]).reshape(HEIGHT * 3 // 2, stride)


ALPHA = np.full((HEIGHT, WIDTH, 1), 255, np.uint8)


@pytest.mark.parametrize(
    ("pixel_format", "array"),
    [
        pytest.param("RGB888", picture(), id="RGB888 is BGR in memory"),
        pytest.param("BGR888", picture()[:, :, ::-1].copy(), id="BGR888 is RGB in memory"),
        pytest.param("XBGR8888", np.concatenate([picture()[:, :, ::-1], ALPHA], 2), id="XBGR8888 is RGBX in memory"),
        pytest.param("XRGB8888", np.concatenate([picture(), ALPHA], 2), id="XRGB8888 is BGRX in memory"),
        pytest.param("YUV420", i420(picture()), id="YUV420"),
        pytest.param("YUV420", padded_i420(picture(), 128), id="YUV420 with padded rows"),
        pytest.param("NV12", nv12(picture()), id="NV12"),
        pytest.param("NV21", nv12(picture(), swapped=True), id="NV21"),
        pytest.param("MJPEG", cv2.imencode(".jpg", picture())[1], id="MJPEG"),
    ],
)
def test_every_format_gives_the_same_picture(pixel_format: str, array: np.ndarray[Any, Any]) -> None:
    image_bgr = to_bgr(array, pixel_format, (WIDTH, HEIGHT))
    assert image_bgr.shape == (HEIGHT, WIDTH, 3)
    assert image_bgr.dtype == np.uint8
    assert image_bgr.flags.c_contiguous
    inner = np.abs(image_bgr.astype(int) - picture())[4:20, 4:28]
    assert inner.max() <= 4
    for y, x in ((10, 50), (36, 12), (36, 50)):
        assert np.abs(image_bgr[y, x].astype(int) - picture()[y, x]).max() <= 4


def test_the_copy_outlives_the_camera_buffer() -> None:
    array = picture()
    image_bgr = to_bgr(array, "RGB888", (WIDTH, HEIGHT))
    array[:] = 0
    assert image_bgr.any()


def test_an_unknown_format_and_a_broken_jpeg_are_told() -> None:
    with pytest.raises(SourceError, match="'SRGGB10'"):
        to_bgr(picture(), "SRGGB10", (WIDTH, HEIGHT))
    with pytest.raises(SourceError, match="damaged"):
        to_bgr(np.zeros(100, np.uint8), "MJPEG", (WIDTH, HEIGHT))
