"""Boxes and zones follow the picture that was cropped to a zone."""

from __future__ import annotations

import pytest

from tablesight.vision.picture_part import WHOLE, in_pixels, inside, part_of, place_of

HALF = {"width": 400, "height": 300, "part": [0.5, 0.0, 1.0, 0.5]}


def test_a_box_of_a_part_has_its_place_in_the_whole() -> None:
    assert place_of([0, 0, 200, 150], HALF) == pytest.approx((0.5, 0.0, 0.75, 0.25))
    assert place_of([100, 30, 200, 60], {"width": 400, "height": 300}) == pytest.approx((0.25, 0.1, 0.5, 0.2))


def test_its_place_in_pixels_of_a_picture_of_the_whole() -> None:
    assert in_pixels(place_of([0, 0, 200, 150], HALF), 1600, 900) == pytest.approx((800, 0, 1200, 225))


def test_a_zone_of_the_whole_has_its_place_in_a_part() -> None:
    assert inside([(0.5, 0.0), (0.75, 0.25), (1.0, 0.5)], HALF) == ((0, 0), (0.5, 0.5), (1, 1))


@pytest.mark.parametrize("part", [None, "all", [0, 0, 1], [0.5, 0, 0.5, 1]])
def test_where_nothing_is_said_it_is_all_of_it(part: object) -> None:
    assert part_of({"part": part}) == WHOLE
