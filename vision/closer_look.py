"""Finds one die again in a small part of a picture, larger than when the whole table was looked at.

Where hard shadows lie beside a die, or a clear one on white paper, its box reaches too far or leaves out its sides, and
what is cut out by it is read badly; looked at closer it is found well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Protocol

from tablesight.vision.box_overlap import iou
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, Detection


class Finder(Protocol):
    """What finds dice: `tablesight.vision.detector.DiceDetector`."""

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] | None = None) -> tuple[Detection, ...]:
        """Dice in a picture, looked at with its longer side at each of these sizes."""


@dataclass(frozen=True, slots=True)
class CloserSettings:
    """`die_px`: how large a die is made: nine boxes that left out the sides of dice on mats under a hard lamp all came
    out larger so, with scores of 0.54 to 0.83 (0.21 to 0.61 before); a corner of a die did not. `around`: how much is
    looked at around the middle of the box, in sizes of a die. `same_die`: the middles of both boxes are nearer than
    this, in sizes of a die. `same_box`: boxes that overlap more than this (intersection over union) are as good as each
    other."""

    die_px: float = 64.0
    around: float = 1.5
    same_die: float = 0.35
    same_box: float = 0.8


SETTINGS: Final = CloserSettings()


def find_closer(
    finder: Finder, image_bgr: ImageBGR, found: Detection, size_px: float, settings: CloserSettings = SETTINGS
) -> Detection:
    """The die of a detection in a picture (height, width, 3), found again where dice are `size_px` wide; the detection
    itself where it is not found again, or just there."""
    height, width = image_bgr.shape[:2]
    x, y = _middle(found.box_xyxy_px)
    reach = settings.around * size_px
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = image_bgr[top : min(height, int(y + reach) + 1), left : min(width, int(x + reach) + 1)]
    if min(part.shape[:2]) < 2:
        return found
    side = max(64, round(max(part.shape[:2]) * settings.die_px / size_px))
    best = found
    for one in finder.detect(part, (side,)):
        x0, y0, x1, y1 = one.box_xyxy_px
        box = (x0 + left, y0 + top, x1 + left, y1 + top)
        near = math.dist(_middle(box), (x, y)) <= settings.same_die * size_px
        if near and (best is found or one.score > best.score):
            best = Detection(box, one.score)
    return found if iou(best.box_xyxy_px, found.box_xyxy_px) > settings.same_box else best


def _middle(box: BoxXYXY) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
