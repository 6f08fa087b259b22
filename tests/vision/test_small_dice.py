"""Dice that are small in a large photo are looked for in its parts, where no others were found."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablesight.vision.evaluation.box_matching import match_boxes
from tablesight.vision.evaluation.small_dice import large_photo
from tablesight.vision.frame import ImageBGR
from tablesight.vision.photo_reader import ModelError, PhotoReader
from tablesight.vision.reading import BoxXYXY, Detection
from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.small_dice import with_small_dice

WIDTH_PX, HEIGHT_PX = 4000, 3000


class Squares:
    """Finds white squares of 10 px or more in what it looks at, as the network does dice; keeps how large that was."""

    def __init__(self) -> None:
        self.looked_at_px: list[int] = []

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] = (240, 480, 960)) -> tuple[Detection, ...]:
        scale = max(long_sides_px) / max(image_bgr.shape[:2])
        small = cv2.resize(image_bgr[..., 0], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        self.looked_at_px.append(max(small.shape))
        count, _, stats, _ = cv2.connectedComponentsWithStats((small > 127).astype(np.uint8))
        found = [tuple(float(v) / scale for v in (x, y, x + w, y + h)) for x, y, w, h, _ in stats[1:count]]
        return tuple(Detection(box, 0.7) for box in found if max(box[2] - box[0], box[3] - box[1]) * scale >= 10)  # type: ignore[arg-type]  # four floats


def photo(*squares: tuple[int, int, int], size_px: tuple[int, int] = (HEIGHT_PX, WIDTH_PX)) -> ImageBGR:
    image = np.zeros((*size_px, 3), np.uint8)
    for x, y, side in squares:
        image[y : y + side, x : x + side] = 255
    return image


def look(image: ImageBGR) -> tuple[list[BoxXYXY], list[int]]:
    squares = Squares()
    found = with_small_dice(squares, image, squares.detect(image))  # type: ignore[arg-type]  # stands in for a detector
    return [d.box_xyxy_px for d in found], squares.looked_at_px[1:]


def test_small_dice_are_found_once_wherever_they_lie_also_where_two_parts_meet() -> None:
    spots = [(x, y, 24) for y in range(5, HEIGHT_PX - 30, 247) for x in range(3, WIDTH_PX - 30, 331)]
    found, _ = look(photo(*spots))
    match = match_boxes([(float(x), float(y), float(x + s), float(y + s)) for x, y, s in spots], found)
    assert (match.missed, match.extra) == ((), ())
    assert max(abs(found[b][0] - spots[a][0]) for a, b in match.pairs) < 3


def test_a_photo_that_shows_dice_large_enough_is_not_looked_at_again() -> None:
    found, again = look(photo((100, 100, 200), (2000, 1500, 24)))
    assert len(found) == 1
    assert again == []


def test_a_small_photo_has_been_seen_closely_enough() -> None:
    assert look(photo((100, 100, 12), size_px=(900, 1400))) == ([], [])


def test_it_is_looked_at_no_closer_than_dice_need_and_than_it_is() -> None:
    _, again = look(photo((2000, 1500, 40)))  # 19 px at 1920
    assert set(again) == {960}
    assert len(again) == 6
    _, again = look(photo((700, 500, 20), size_px=(1200, 1600)))
    assert set(again) == {960}
    assert len(again) == 4


def test_a_large_thing_in_a_part_is_no_small_die() -> None:
    image = photo()
    squares = Squares()
    image[1000:1300, 1000:1300] = 255
    assert with_small_dice(squares, image, ()) == ()  # type: ignore[arg-type]  # the first look did not take it for one


def test_a_die_of_24_px_is_found_in_a_photo_of_12_megapixels() -> None:
    try:
        reader = PhotoReader.load()
    except ModelError as error:
        pytest.skip(f"the models are not there: {error}")
    image, lying, boxes = large_photo(TableOptions.parse("seed=6001,lamp=soft"), 24.0)
    assert np.median([max(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes]) == pytest.approx(24, abs=2)
    assert len(match_boxes(boxes, [d.box_xyxy_px for d in reader.detector.detect(image)]).pairs) <= 2
    match = match_boxes(boxes, [die.box_xyxy_px for die in reader.read(image).dice])
    assert len(match.pairs) >= 0.7 * len(lying)
    assert len(match.extra) <= 1
