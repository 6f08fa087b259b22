"""Zones: which part of the picture belongs to which seat. Coordinates are fractions of the picture, 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

MIN_SEATS: Final = 1
MAX_SEATS: Final = 10

NO_ZONE: Final = 255
"""Label of the pixels that belong to nobody."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Zone:
    """A seat's part of the picture: a polygon (x, y), x and y as fractions of its width and height."""

    seat: int
    polygon: tuple[Point, ...]

    def contains(self, x: float, y: float) -> bool:
        """Whether the point (fractions) lies in the zone or on its border."""
        polygon = np.array(self.polygon, dtype=np.float32)
        return cv2.pointPolygonTest(polygon, (float(x), float(y)), False) >= 0

    @property
    def center(self) -> Point:
        """The mean of the corners, as fractions."""
        count = len(self.polygon)
        return sum(x for x, _ in self.polygon) / count, sum(y for _, y in self.polygon) / count


def grid_rows(seats: int) -> tuple[int, ...]:
    """How many zones lie in each row of the default grid, from the top: at most two rows, so each touches a side."""
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"expected {MIN_SEATS} to {MAX_SEATS} seats, got {seats!r}")
    if seats <= 3:
        return (seats,)
    return (seats // 2, seats - seats // 2)


def default_zones(seats: int) -> tuple[Zone, ...]:
    """The picture divided for `seats` players: one row up to three, else two, numbered from the top left."""
    rows = grid_rows(seats)
    zones: list[Zone] = []
    for row, columns in enumerate(rows):
        top, bottom = row / len(rows), (row + 1) / len(rows)
        for column in range(columns):
            left, right = column / columns, (column + 1) / columns
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            zones.append(Zone(len(zones), corners))
    return tuple(zones)


def zones_from_json(value: Any, seats: int) -> tuple[Zone, ...]:
    """Zones as the page sends them: `[{"seat", "polygon": [[x, y], ...]}, ...]`; None is the default grid.

    Raises ValueError where a seat is unknown or twice, or a polygon is none (fewer than 3 corners, not within 0 to 1).
    """
    if value is None:
        return default_zones(seats)
    if not isinstance(value, list):
        raise ValueError(f"expected a list of zones or null, got {value!r:.100}")
    zones: list[Zone] = []
    for item in value:
        if not isinstance(item, dict):
            raise ValueError(f"expected a zone with 'seat' and 'polygon', got {item!r:.100}")
        seat = item.get("seat")
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < seats:
            raise ValueError(f"expected a seat from 0 to {seats - 1}, got {seat!r}")
        if any(zone.seat == seat for zone in zones):
            raise ValueError(f"expected one zone for each seat, got seat {seat} twice")
        zones.append(Zone(seat, _polygon(item.get("polygon"))))
    return tuple(sorted(zones, key=lambda zone: zone.seat))


def _polygon(value: Any) -> tuple[Point, ...]:
    if not isinstance(value, list) or not 3 <= len(value) <= 50:
        raise ValueError(f"expected a polygon of 3 to 50 corners, got {value!r:.100}")
    corners: list[Point] = []
    for corner in value:
        if (
            not isinstance(corner, list | tuple)
            or len(corner) != 2
            or not all(isinstance(c, int | float) and math.isfinite(c) and 0 <= c <= 1 for c in corner)
        ):
            raise ValueError(f"expected corners [x, y] with x and y from 0 to 1, got {corner!r:.100}")
        corners.append((float(corner[0]), float(corner[1])))
    return tuple(corners)


def seat_at(zones: Sequence[Zone], x: float, y: float) -> int | None:
    """The seat whose zone holds the point (fractions); the first one where zones overlap, None where none does."""
    return next((zone.seat for zone in zones if zone.contains(x, y)), None)


def label_image(zones: Sequence[Zone], width: int, height: int) -> npt.NDArray[np.uint8]:
    """Which zone each pixel lies in: shape (height, width), the zone's index in `zones`, `NO_ZONE` outside of all."""
    labels = np.full((height, width), NO_ZONE, dtype=np.uint8)
    for index in range(len(zones) - 1, -1, -1):  # the first zone wins where they overlap, as in `seat_at`
        corners = np.array(zones[index].polygon) * (width, height)
        # pixel centres lie at +0.5: without the shift neighbouring zones would share a row of pixels
        cv2.fillPoly(labels, [np.round(corners - 0.5).astype(np.int32)], index)
    return labels
