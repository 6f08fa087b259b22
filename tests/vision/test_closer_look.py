"""A die is found again closer: where its box was wrong, and never another one."""

from __future__ import annotations

import numpy as np
import pytest

from tablesight.vision.closer_look import SETTINGS, find_closer
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, Detection

TABLE = np.zeros((400, 600, 3), np.uint8)


class Eyes:
    """Finds these boxes of the table in whatever part of it is shown: the part says by its pixels where it was cut."""

    def __init__(self, *found: tuple[BoxXYXY, float]) -> None:
        self.found = found
        self.sides: list[tuple[int, ...] | None] = []

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] | None = None) -> tuple[Detection, ...]:
        self.sides.append(long_sides_px)
        left, top = int(image_bgr[0, 0, 0]) * 2, int(image_bgr[0, 0, 1]) * 2
        return tuple(Detection((a - left, b - top, c - left, d - top), score) for (a, b, c, d), score in self.found)


@pytest.fixture(autouse=True)
def marked() -> None:
    TABLE[..., 0] = np.arange(600) // 2 % 256
    TABLE[..., 1] = (np.arange(400) // 2)[:, None]


WEAK = Detection((300.0, 200.0, 340.0, 240.0), 0.3)


@pytest.mark.parametrize(
    ("found", "box"),
    [
        pytest.param([((290.0, 196.0, 346.0, 252.0), 0.8)], (290.0, 196.0, 346.0, 252.0), id="a box too small"),
        pytest.param([((301.0, 200.0, 341.0, 241.0), 0.8)], WEAK.box_xyxy_px, id="one that was right stays"),
        pytest.param([], WEAK.box_xyxy_px, id="one that is not found again stays"),
        pytest.param([((340.0, 200.0, 400.0, 260.0), 0.9)], WEAK.box_xyxy_px, id="the die beside it is another one"),
        pytest.param(
            [((300.0, 200.0, 330.0, 240.0), 0.7), ((290.0, 190.0, 350.0, 250.0), 0.9)],
            (290.0, 190.0, 350.0, 250.0),
            id="the best of those in its place",
        ),
    ],
)
def test_a_die_is_found_again(found: list[tuple[BoxXYXY, float]], box: BoxXYXY) -> None:
    assert find_closer(Eyes(*found), TABLE, WEAK, 60.0).box_xyxy_px == pytest.approx(box)


def test_it_is_looked_at_as_large_as_is_good() -> None:
    eyes = Eyes()
    find_closer(eyes, TABLE, WEAK, 32.0)
    (sides,) = eyes.sides
    assert sides is not None
    assert sides[0] == pytest.approx(2 * SETTINGS.around * SETTINGS.die_px, rel=0.05)


def test_a_die_at_the_border_of_the_picture_and_one_beyond_it() -> None:
    corner = Detection((-20.0, -20.0, 10.0, 10.0), 0.3)
    assert find_closer(Eyes(), TABLE, corner, 40.0) == corner
    beyond = Detection((900.0, 900.0, 940.0, 940.0), 0.3)
    assert find_closer(Eyes(), TABLE, beyond, 40.0) == beyond
