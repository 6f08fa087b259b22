"""Where the picture of a reading lies in what the camera sees: it is cropped to the zone that was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Edges = tuple[float, float, float, float]

WHOLE: Final[Edges] = (0.0, 0.0, 1.0, 1.0)


def part_of(reading: Mapping[str, Any]) -> Edges:
    """Left, top, right, bottom of its picture, as shares of what the camera sees: all of it where nothing is said."""
    part = reading.get("part")
    if not isinstance(part, Sequence) or len(part) != len(WHOLE):
        return WHOLE
    left, top, right, bottom = (float(edge) for edge in part)
    return (left, top, right, bottom) if left < right and top < bottom else WHOLE


def place_of(box_px: Sequence[float], reading: Mapping[str, Any]) -> Edges:
    """A box in pixels of the reading's picture as shares of what the camera sees. Raises KeyError without a size."""
    left, top, right, bottom = part_of(reading)
    across, down = (right - left) / float(reading["width"]), (bottom - top) / float(reading["height"])
    x0, y0, x1, y1 = (float(edge) for edge in box_px)
    return left + x0 * across, top + y0 * down, left + x1 * across, top + y1 * down


def in_pixels(place: Edges, width_px: float, height_px: float) -> Edges:
    """A box in shares of what the camera sees as one in pixels of a picture of all of that."""
    left, top, right, bottom = place
    return left * width_px, top * height_px, right * width_px, bottom * height_px


def inside(points: Sequence[tuple[float, float]], reading: Mapping[str, Any]) -> tuple[tuple[float, float], ...]:
    """Points, shares of what the camera sees, as shares of the reading's picture."""
    left, top, right, bottom = part_of(reading)
    return tuple(((x - left) / (right - left), (y - top) / (bottom - top)) for x, y in points)
