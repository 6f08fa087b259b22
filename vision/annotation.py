"""Draws what was read on the picture, legible on a webcam's and on a phone's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from tablesight.vision.box_overlap import intersection
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, DieReading


@dataclass(frozen=True, slots=True)
class AnnotationStyle:
    """Sizes relative to the picture, colours BGR. Certain and doubtful differ in line and word, not in colour alone."""

    letter_share: float = 0.018  # height of a capital to the longer side: 11 px at 640, 83 px at 4608
    least_letter_px: int = 11
    line_share: float = 0.0028
    certain_bgr: tuple[int, int, int] = (96, 214, 64)
    doubtful_bgr: tuple[int, int, int] = (0, 160, 255)
    edge_bgr: tuple[int, int, int] = (16, 16, 16)
    dash_lines: float = 5.0  # length of a dash in line widths


STYLE: Final = AnnotationStyle()
_Point = tuple[int, int]
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_CAPITAL_PX: Final = 21.0
"""Height of a capital of the font at scale 1."""


def caption(die: DieReading) -> str:
    """What is written at a die: "red d6: -4", or for a doubtful one what else it may be: "? red d6: -4 or 4",
    "? green or blue d6: 6"."""
    what = f"{die.color} d{die.sides}" if die.color != "other" else f"d{die.sides}"
    if die.accepted:
        return f"{what}: {die.value}"
    other = next((c for c in die.candidates if (c.kind, c.value) != (die.kind, die.value)), None)
    if other is None:
        return f"? {what}: {die.value}"
    if other.kind == die.kind:
        return f"? {what}: {die.value} or {other.value}"
    color, shape = other.kind.split("-") if other.kind else ("another", f"d{die.sides}")
    if other.value != die.value or shape != f"d{die.sides}":
        return f"? {what}: {die.value} or {color} {shape}: {other.value}"
    return f"? {die.color} or {color} {shape}: {die.value}"


def draw_readings(image_bgr: ImageBGR, dice: Sequence[DieReading], style: AnnotationStyle = STYLE) -> ImageBGR:
    """A copy of the picture (height, width, 3) with a box and a caption for each die.

    A certain die has a whole green line; a doubtful one a dashed orange line, and its caption begins with "?".
    """
    drawn = np.array(image_bgr, np.uint8)
    height, width = drawn.shape[:2]
    line_px = max(2, round(max(width, height) * style.line_share))
    letter_px = max(style.least_letter_px, round(max(width, height) * style.letter_share))
    for die in dice:
        _draw_box(drawn, die, line_px, style)
    taken = [die.box_xyxy_px for die in dice]
    for die in dice:
        taken.append(_draw_caption(drawn, die, letter_px, line_px, taken, style))
    return drawn


def _draw_box(drawn: ImageBGR, die: DieReading, line_px: int, style: AnnotationStyle) -> None:
    left, top, right, bottom = (round(value) for value in die.box_xyxy_px)
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    sides = list(zip(corners, corners[1:] + corners[:1], strict=True))
    if die.accepted:
        pieces, color = sides, style.certain_bgr
    else:
        pieces = [piece for side in sides for piece in _dashes(*side, line_px * style.dash_lines)]
        color = style.doubtful_bgr
    for thickness, bgr in ((line_px * 2, style.edge_bgr), (line_px, color)):
        for start, end in pieces:
            cv2.line(drawn, start, end, bgr, thickness, cv2.LINE_AA)


def _dashes(
    start: tuple[int, int], end: tuple[int, int], dash_px: float
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Pieces of a straight line, as long as the gaps between them; the first begins and the last ends at a corner."""
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    steps = max(1, round(length / dash_px)) | 1
    points = [
        (round(start[0] + (end[0] - start[0]) * i / steps), round(start[1] + (end[1] - start[1]) * i / steps))
        for i in range(steps + 1)
    ]
    return list(zip(points[:-1:2], points[1::2], strict=True))


def _draw_caption(
    drawn: ImageBGR,
    die: DieReading,
    letter_px: int,
    line_px: int,
    taken: Sequence[BoxXYXY],
    style: AnnotationStyle,
) -> BoxXYXY:
    """Writes the caption where it covers least of other dice and captions; returns the box it takes.

    In a picture that is narrower than the caption the letters are as small as they must be.
    """
    text = caption(die)
    pad = max(2, letter_px // 3)
    thickness = max(1, round(letter_px / 9))
    (text_width, _), _ = cv2.getTextSize(text, _FONT, letter_px / _CAPITAL_PX, thickness)
    room_px = drawn.shape[1] - 2 * pad - 2 * line_px
    scale = letter_px / _CAPITAL_PX * min(1.0, room_px / text_width)
    (text_width, text_height), below = cv2.getTextSize(text, _FONT, scale, thickness)
    size_wh = (text_width + 2 * pad, text_height + below + 2 * pad)
    image_wh = (drawn.shape[1], drawn.shape[0])
    places = _places(die.box_xyxy_px, size_wh, line_px, image_wh)
    box = min(places, key=lambda place: sum(intersection(place, other) for other in taken))
    left, top, right, bottom = (int(value) for value in box)
    color = style.certain_bgr if die.accepted else style.doubtful_bgr
    cv2.rectangle(drawn, (left, top), (right, bottom), style.edge_bgr, cv2.FILLED)
    cv2.rectangle(drawn, (left, top), (right, bottom), color, max(1, line_px // 2), cv2.LINE_AA)
    origin = (left + pad, top + pad + text_height)
    cv2.putText(drawn, text, origin, _FONT, scale, (255, 255, 255), thickness, cv2.LINE_AA)
    return box


def _places(
    die_xyxy: BoxXYXY, size_wh: tuple[int, int], gap_px: int, image_wh: tuple[int, int]
) -> list[tuple[int, int, int, int]]:
    """Where a caption may stand: above, below, right, left, all moved into the picture; the best first."""
    left, top, right, bottom = (round(value) for value in die_xyxy)
    width, height = size_wh
    starts = (
        (left, top - height - gap_px),
        (left, bottom + gap_px),
        (right - width, top - height - gap_px),
        (right - width, bottom + gap_px),
        (right + gap_px, top),
        (left - width - gap_px, top),
    )
    places = []
    for x, y in starts:
        x, y = max(0, min(x, image_wh[0] - 1 - width)), max(0, min(y, image_wh[1] - 1 - height))
        places.append((x, y, x + width, y + height))
    return places
