"""The detector's geometry, with a network that sees the brightest spot as a die."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.detector import DetectorSettings, DiceDetector, _halved
from tablesight.vision.frame import ImageBGR
from tablesight.vision.model_files import Model


class BrightestSpot:
    """Answers as the network does: a heat of 1 in the brightest cell (4 px), two cells to each side of the box."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, ...]] = []

    def run(self, _outputs: None, feed: dict[str, np.ndarray]) -> Any:
        picture = feed["image"][0]
        self.sizes.append(picture.shape[:2])
        rows, columns = picture.shape[0] // 4, picture.shape[1] // 4
        cells = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA).sum(2, dtype=int)
        heat = np.zeros((rows, columns), np.float32)
        heat[np.unravel_index(cells.argmax(), cells.shape)] = 0.9
        return heat[None, None], np.full((1, 4, rows, columns), np.log(2), np.float32)


def with_spot(width: int, height: int, x: int, y: int) -> ImageBGR:
    image = np.full((height, width, 3), 20, np.uint8)
    cv2.circle(image, (x, y), width // 60, (255, 255, 255), -1)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), width / 80), np.uint8)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        pytest.param(2304, 1296, id="a still"),
        pytest.param(4608, 2592, id="a still of 12 megapixels"),
        pytest.param(1297, 973, id="odd sides"),
        pytest.param(300, 401, id="smaller than the largest size that is wanted, upright"),
    ],
)
def test_boxes_come_back_in_pixels_of_the_picture_from_every_size(width: int, height: int) -> None:
    eyes = BrightestSpot()
    detector = DiceDetector(Model(eyes, {}), DetectorSettings(score=0.4, iou=2, contained=2))
    x, y = round(0.7 * width), round(0.4 * height)
    found = detector.detect(with_spot(width, height, x, y), (240, 480, 960))
    assert len(found) == len(eyes.sizes) == (3 if max(width, height) >= 960 else 2)
    assert all(side % 32 == 0 for size in eyes.sizes for side in size)
    for detection in found:
        x0, y0, x1, y1 = detection.box_xyxy_px
        cell = (x1 - x0) / 4
        assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((x, y), abs=1.5 * cell)


def test_halving_gives_what_the_mean_over_areas_gives_and_never_too_little() -> None:
    rng = np.random.default_rng(0)
    still = cv2.GaussianBlur(rng.integers(0, 255, (648, 1152, 3)).astype(np.uint8), (0, 0), 3)
    for w, h in ((1000, 562), (500, 281), (288, 162), (70, 39)):
        part = _halved(still, w, h)
        assert w <= part.shape[1] < 2 * w or h <= part.shape[0] < 2 * h
        assert part.shape[1] >= w
        assert part.shape[0] >= h
        mean = cv2.resize(still, (w, h), interpolation=cv2.INTER_AREA).astype(int)
        assert np.abs(cv2.resize(part, (w, h), interpolation=cv2.INTER_LINEAR) - mean).mean() < 2
