"""How much two boxes have in common."""

from __future__ import annotations

from tablesight.vision.reading import BoxXYXY


def intersection(first: BoxXYXY, second: BoxXYXY) -> float:
    """The area that lies in both, square pixels."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return max(0.0, width) * max(0.0, height)


def iou(first: BoxXYXY, second: BoxXYXY) -> float:
    """Intersection over union, 0 to 1."""
    common = intersection(first, second)
    if not common:
        return 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (first, second)]
    return common / (sum(areas) - common)
