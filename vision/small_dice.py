"""Dice that are small in a large photo: where no other were found it is looked at again, part by part and closer.

The detector finds dice from about ten pixels on, and looks at a photo with its longer side at 960 px at most: a die
24 px wide in a photo of 12 megapixels is 6 px wide then. Looking at every photo in its own size takes a second or more
and finds things in prints and textures that are no dice, so that it is done where nothing else was found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tablesight.vision.detector import DiceDetector
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, Detection


@dataclass(frozen=True, slots=True)
class SmallDiceSettings:
    """`from_px`: a photo whose longer side is shorter has been looked at closely enough. `long_sides_px`: how large it
    is looked at again, one after the other until dice are found that are `small_px` across there, each in parts of
    `part_px` that overlap by `overlap_px`; no larger than it is. Only dice that are smaller than `small_px` in the
    first look, at `first_px`, can have been missed there. `sure`: a larger one with this score means that the photo
    shows dice large enough."""

    from_px: int = 1500
    first_px: int = 960
    long_sides_px: tuple[int, ...] = (1920, 3840)
    part_px: int = 960
    overlap_px: int = 96
    small_px: float = 18.0
    sure: float = 0.6


SETTINGS: Final = SmallDiceSettings()


def with_small_dice(
    detector: DiceDetector,
    image_bgr: ImageBGR,
    found: Sequence[Detection],
    settings: SmallDiceSettings = SETTINGS,
) -> tuple[Detection, ...]:
    """What was `found` in a photo (height, width, 3), and the small dice where there seem to be no others."""
    longest = max(image_bgr.shape[:2])
    small_px = settings.small_px * longest / settings.first_px
    if longest < settings.from_px or any(d.score >= settings.sure and _size(d.box_xyxy_px) >= small_px for d in found):
        return tuple(found)
    closer: list[Detection] = []
    for side_px in settings.long_sides_px:
        scale = min(1.0, side_px / longest)
        seen = [d for d in _by_parts(detector, image_bgr, scale, settings) if _size(d.box_xyxy_px) < small_px]
        closer = seen + [d for d in closer if not _is_one_of(d, seen)]
        large = [d for d in closer if _size(d.box_xyxy_px) * scale >= settings.small_px]
        if scale == 1.0 or any(d.score >= settings.sure for d in large):
            break
    # what several small dice together were taken for gives way to them
    kept = [d for d in found if not any(_is_one_of(c, [d]) and c.score > d.score for c in closer)]
    return (*kept, *(d for d in closer if not _is_one_of(d, kept)))


def _by_parts(
    detector: DiceDetector, image_bgr: ImageBGR, scale: float, settings: SmallDiceSettings
) -> list[Detection]:
    """The dice of a picture that is looked at `scale` times as large, part by part, best score first; boxes in pixels
    of the picture. A box at the edge of a part is a piece of a die that lies whole in the next one."""
    height, width = image_bgr.shape[:2]
    part_px, step_px = (round(px / scale) for px in (settings.part_px, settings.part_px - settings.overlap_px))
    kept: list[Detection] = []
    found: list[Detection] = []
    for top in _starts(height, part_px, step_px):
        for left in _starts(width, part_px, step_px):
            part = image_bgr[top : top + part_px, left : left + part_px]
            for d in detector.detect(part, (max(1, round(max(part.shape[:2]) * scale)),)):
                if not _is_cut(d.box_xyxy_px, part, (left, top), (width, height), 2 / scale):
                    found.append(_moved(d, left, top))
    for d in sorted(found, key=lambda d: -d.score):
        if not _is_one_of(d, kept):
            kept.append(d)
    return kept


def _starts(length_px: int, part_px: int, step_px: int) -> list[int]:
    """Where the parts of a side begin: evenly, the last one ends where the side does."""
    count = max(1, math.ceil((length_px - part_px) / step_px) + 1)
    return [round(i * max(0, length_px - part_px) / max(1, count - 1)) for i in range(count)]


def _is_cut(
    box: BoxXYXY, part: ImageBGR, start_xy_px: tuple[int, int], whole_wh_px: tuple[int, int], edge_px: float
) -> bool:
    """Whether a box of a part that begins here touches an edge that is none of the whole picture's."""
    for axis in (0, 1):
        start_px, length_px, whole_px = start_xy_px[axis], part.shape[1 - axis], whole_wh_px[axis]
        if start_px > 0 and box[axis] < edge_px:
            return True
        if start_px + length_px < whole_px and box[axis + 2] > length_px - edge_px:
            return True
    return False


def _moved(d: Detection, left_px: int, top_px: int) -> Detection:
    x0, y0, x1, y1 = d.box_xyxy_px
    return Detection((x0 + left_px, y0 + top_px, x1 + left_px, y1 + top_px), d.score)


def _size(box: BoxXYXY) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def _is_one_of(d: Detection, others: Sequence[Detection]) -> bool:
    """Whether the middle of a box lies in another, or that one's in it."""
    return any(
        _holds_middle(d.box_xyxy_px, o.box_xyxy_px) or _holds_middle(o.box_xyxy_px, d.box_xyxy_px) for o in others
    )


def _holds_middle(box: BoxXYXY, other: BoxXYXY) -> bool:
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
