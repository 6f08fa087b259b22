"""Zones: the default grid covers the picture once, and the page's polygons are checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.vision.zones import NO_ZONE, Zone, default_zones, label_image, seat_at, zones_from_json

SQUARE = [[0.1, 0.1], [0.4, 0.1], [0.4, 0.4], [0.1, 0.4]]


@pytest.mark.parametrize("seats", range(1, 11))
def test_the_default_grid_gives_every_seat_a_fair_part_at_a_side_of_the_table(seats: int) -> None:
    zones = default_zones(seats)
    assert [zone.seat for zone in zones] == list(range(seats))
    labels = label_image(zones, 640, 360)
    share = np.bincount(labels.ravel(), minlength=256)
    assert share[NO_ZONE] <= 640 * 360 * 0.01
    assert share[:seats].min() >= 0.7 / seats * 640 * 360 * 0.98
    for zone in zones:
        assert any(y in (0.0, 1.0) for _, y in zone.polygon)
        assert seat_at(zones, *zone.center) == zone.seat


@given(st.integers(1, 10), st.floats(0, 1), st.floats(0, 1))
def test_every_point_of_the_picture_has_an_owner(seats: int, x: float, y: float) -> None:
    assert seat_at(default_zones(seats), x, y) is not None


@given(st.integers(1, 10), st.integers(0, 639), st.integers(0, 359))
def test_labels_agree_with_seat_at_away_from_the_borders(seats: int, column: int, row: int) -> None:
    zones = default_zones(seats)
    x, y = (column + 0.5) / 640, (row + 0.5) / 360
    around = {seat_at(zones, x + dx, y + dy) for dx in (-0.004, 0, 0.004) for dy in (-0.006, 0, 0.006)} - {None}
    assert int(label_image(zones, 640, 360)[row, column]) in around


def test_the_page_may_draw_its_own_zones() -> None:
    zones = zones_from_json([{"seat": 1, "polygon": SQUARE}], seats=2)
    assert zones == (Zone(1, ((0.1, 0.1), (0.4, 0.1), (0.4, 0.4), (0.1, 0.4))),)
    assert seat_at(zones, 0.2, 0.2) == 1
    assert seat_at(zones, 0.5, 0.2) is None
    assert zones_from_json(None, seats=3) == default_zones(3)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({}, id="not a list"),
        pytest.param([[1]], id="a zone that is a list"),
        pytest.param([{"seat": 2, "polygon": SQUARE}], id="a seat that nobody has"),
        pytest.param([{"seat": True, "polygon": SQUARE}], id="a seat that is no number"),
        pytest.param([{"seat": 0, "polygon": SQUARE}] * 2, id="a seat twice"),
        pytest.param([{"seat": 0, "polygon": SQUARE[:2]}], id="a line"),
        pytest.param([{"seat": 0, "polygon": [[0, 0], [1, 0], [1, 1.5]]}], id="outside of the picture"),
        pytest.param([{"seat": 0, "polygon": [[0, 0], [1, 0], [1, float("nan")]]}], id="not a number"),
        pytest.param([{"seat": 0, "polygon": [[0, 0], [1, 0], "xy"]}], id="a corner that is text"),
    ],
)
def test_bad_zones_get_a_clear_error(value: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        zones_from_json(value, seats=2)


@pytest.mark.parametrize("seats", [0, 11, -1])
def test_only_one_to_ten_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 10 seats"):
        default_zones(seats)
