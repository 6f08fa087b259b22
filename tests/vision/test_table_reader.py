"""Which part of the still is looked at, at which size, and whose dice are whose."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import COLORS
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.reading import BoxXYXY, Detection
from tablesight.vision.table_reader import SETTINGS, TableReader
from tablesight.vision.zones import default_zones


class BlobEyes:
    """Finds white squares; remembers what it was shown."""

    accept_from = 0.9

    def __init__(self) -> None:
        self.parts: list[tuple[int, int]] = []
        self.sides: list[tuple[int, ...] | None] = []
        self.read: list[list[BoxXYXY]] = []

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] | None = None) -> tuple[Detection, ...]:
        self.parts.append((image_bgr.shape[1], image_bgr.shape[0]))
        self.sides.append(long_sides_px)
        count, _, stats, _ = cv2.connectedComponentsWithStats((image_bgr[..., 0] > 200).astype(np.uint8))
        boxes = [(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h, _ in stats[1:count]]
        return tuple(Detection(box, 0.9) for box in boxes)

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DiePosterior, ...]:
        self.read.append(list(boxes_xyxy_px))
        for x0, y0, x1, y1 in boxes_xyxy_px:
            assert image_bgr[int(y0) : int(y1), int(x0) : int(x1)].min() > 200
        colors, shapes, faces = np.zeros(len(COLORS)), np.zeros(len(SHAPES)), np.zeros((len(SHAPES), 20))
        colors[0] = shapes[0] = faces[:, 2] = 1
        one = DiePosterior(colors, shapes, faces, np.full(4, 0.25), 0.0)
        return (one,) * len(boxes_xyxy_px)

    def tilts(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[np.ndarray, ...]:
        return (np.full((8, 14), 1 / 14),) * len(boxes_xyxy_px)


def still(*centers: tuple[int, int], size: int = 60) -> ImageBGR:
    image = np.full((1296, 2304, 3), 60, np.uint8)
    for x, y in centers:
        image[y - size // 2 : y + size // 2, x - size // 2 : x + size // 2] = 230
    return image


def test_dice_belong_to_the_zone_that_their_middle_lies_in() -> None:
    eyes = BlobEyes()
    picture = still((300, 300), (1100, 500), (1148, 900), (1500, 400))
    look = TableReader(eyes, eyes).look(picture, default_zones(2), [0, 1])
    assert [die.box_xyxy_px[:2] for die in look.dice[0]] == [(270, 270), (1070, 470), (1118, 870)]
    assert [die.box_xyxy_px[:2] for die in look.dice[1]] == [(1470, 370)]


def test_only_the_zones_asked_for_are_looked_at_and_read() -> None:
    eyes = BlobEyes()
    picture = still((300, 300), (1500, 400), (2200, 1200))
    look = TableReader(eyes, eyes).look(picture, default_zones(4), [3])
    assert set(look.dice) == {3}
    assert [die.box_xyxy_px for die in look.dice[3]] == [(2170, 1170, 2230, 1230)]
    width, height = eyes.parts[0]
    assert width < 0.6 * 2304
    assert height < 0.6 * 1296
    assert len(eyes.read[0]) == 1


def test_the_size_of_the_dice_is_learned_and_sets_the_scale() -> None:
    eyes = BlobEyes()
    reader = TableReader(eyes, eyes)
    picture = still((300, 300), (500, 300), (700, 300))
    reader.look(picture, default_zones(1), [0])
    assert eyes.sides[0] == SETTINGS.first_sides_px
    reader.look(picture, default_zones(1), [0])
    assert eyes.sides[1] is not None
    assert [60 * side / 2304 for side in eyes.sides[1]] == pytest.approx(SETTINGS.die_px, rel=0.05)
    reader.forget_size()
    reader.look(picture, default_zones(1), [0])
    assert eyes.sides[2] == SETTINGS.first_sides_px


def test_a_box_lid_does_not_change_what_is_known_of_the_size() -> None:
    eyes = BlobEyes()
    reader = TableReader(eyes, eyes)
    for _ in range(3):
        reader.look(still((300, 300), (500, 300)), default_zones(1), [0])
    assert reader.look(still((600, 600), size=300), default_zones(1), [0]).dice == {0: ()}
    assert reader.look(still((600, 600), size=20), default_zones(1), [0]).dice == {0: ()}
    reader.look(still((300, 300)), default_zones(1), [0])
    assert eyes.sides[-1] == eyes.sides[-3]


def test_what_fills_a_fifth_of_the_picture_is_no_die() -> None:
    eyes = BlobEyes()
    assert TableReader(eyes, eyes).look(still((600, 600), size=480), default_zones(1), [0]).dice == {0: ()}


def test_an_empty_zone_has_no_dice() -> None:
    eyes = BlobEyes()
    assert TableReader(eyes, eyes).look(still(), default_zones(2), [0, 1]).dice == {0: (), 1: ()}


def test_known_dice_are_not_read_again_and_the_others_a_few_at_a_time() -> None:
    eyes = BlobEyes()
    reader = TableReader(eyes, eyes)
    centers = [(200 + 150 * i, 400) for i in range(9)]
    first = reader.look(still(*centers), default_zones(1), [0]).dice[0]
    assert [len(boxes) for boxes in eyes.read] == [6, 3]
    alive: list[int] = []
    moved = [(x + 6, y - 5) for x, y in centers]
    again = reader.look(still(*moved), default_zones(1), [0], known=first[:7], alive=lambda: alive.append(1))
    assert [len(boxes) for boxes in eyes.read] == [6, 3, 2]
    assert len(again.dice[0]) == 9
    assert alive == [1, 1], "after finding, and after the few that were read"
