"""Photos of one camera: later ones are read with what the earlier ones told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tablesight.vision.evaluation.fixed_camera import FixedCameraReader
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, PhotoReading
from tablesight.vision.viewpoint import TURNS_RAD


class FromTheSide:
    """A photo reader whose dice all look as if seen from 30 degrees off straight above, the far side up."""

    accept_from = 0.9

    def __init__(self) -> None:
        self.told: list[tuple[float, float] | None] = []
        self.reader = self

    def read(self, image_bgr: ImageBGR, nadir_xy_px: tuple[float, float] | None = None) -> PhotoReading:
        self.told.append(nadir_xy_px)
        return PhotoReading(image_bgr.shape[1], image_bgr.shape[0], (), 1, 1, 2)

    def read_boxes(
        self, image_bgr: ImageBGR, boxes: Sequence[BoxXYXY], nadir_xy_px: tuple[float, float] | None = None
    ) -> tuple[()]:
        self.told.append(nadir_xy_px)
        return ()

    def tilts(self, image_bgr: ImageBGR, boxes: Sequence[BoxXYXY]) -> tuple[np.ndarray, ...]:
        look = np.full((len(TURNS_RAD), 14), 0.002)
        look[:, -1] = 0.97
        look[0, 6], look[0, -1] = 0.97, 0.002
        return (look,) * len(boxes)


def test_the_first_dice_tell_the_later_photos_from_where_the_camera_looks() -> None:
    photos = FromTheSide()
    reader = FixedCameraReader(photos)  # type: ignore[arg-type]  # all of a photo reader that is used
    picture = np.zeros((600, 800, 3), np.uint8)
    middle: list[BoxXYXY] = [(380, 280, 420, 320)] * 3
    for _ in range(3):
        reader.read(picture)
        reader.read_boxes(picture, middle)
    assert photos.told[:4] == [None] * 4, "three dice are too few"
    below = photos.told[4]
    assert photos.told[5] == below
    assert below is not None
    assert abs(below[0] - 400) < 20
    assert np.degrees(np.arctan2(below[1] - 300, 0.95 * 800)) > 22
