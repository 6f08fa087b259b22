"""Which found box is which labelled die."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from tablesight.vision.box_overlap import iou
from tablesight.vision.reading import BoxXYXY

IOU_THRESHOLD: Final = 0.5
"""Overlap from which two boxes are the same die, where their centres do not lie in each other."""


@dataclass(frozen=True, slots=True)
class BoxMatch:
    """`pairs` of (index of the label, index of the found box), and the indices left over on each side."""

    pairs: tuple[tuple[int, int], ...]
    missed: tuple[int, ...]
    extra: tuple[int, ...]


def match_boxes(labels_xyxy: Sequence[BoxXYXY], found_xyxy: Sequence[BoxXYXY]) -> BoxMatch:
    """One to one, as many as possible, then the greatest overlap (Hungarian assignment).

    Two boxes can be the same die where the centre of each lies in the other (labels may be loose, or show the top face
    only) or where their IoU is at least `IOU_THRESHOLD`.
    """
    gain = np.zeros((len(labels_xyxy), len(found_xyxy)))
    for i, label in enumerate(labels_xyxy):
        for j, found in enumerate(found_xyxy):
            overlap = iou(label, found)
            if overlap >= IOU_THRESHOLD or (_holds_center(label, found) and _holds_center(found, label)):
                gain[i, j] = 1.0 + overlap / 100  # a pair more counts more than any overlap
    rows, columns = linear_sum_assignment(gain, maximize=True)
    pairs = tuple((int(i), int(j)) for i, j in zip(rows, columns, strict=True) if gain[i, j] > 0)
    return BoxMatch(
        pairs,
        missed=tuple(sorted(set(range(len(labels_xyxy))) - {i for i, _ in pairs})),
        extra=tuple(sorted(set(range(len(found_xyxy))) - {j for _, j in pairs})),
    )


def _holds_center(outer: BoxXYXY, inner: BoxXYXY) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
