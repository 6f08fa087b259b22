"""From where a die is seen: which of its sides is the far one, and how far from straight above it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.reading import BoxXYXY

Floats = npt.NDArray[np.float64]

TILT_STEP_DEG: Final = 5.0
"""Between the classes of the pose network's tilt, which begin at 0."""
_CLOSE_DEG: Final = 8.0
"""Tilts that differ by no more than this make no difference to a reading."""
FOCAL: Final = 0.95
"""Focal length in widths of the picture of a lens that is not known: those of webcams and of a Raspberry Pi have 0.7 to
0.95, and a camera on the ceiling that looks at the table alone 1.4."""
_TOGETHER: Final = 0.5
"""How much more two dice of one photo tell of its tilt than one: less than twice as much, they may err alike."""


_EIGHTH: Final = float(np.pi / 4)
TURNS_RAD: Final = tuple(_EIGHTH * k for k in (0, 1, -1, 2, -2, 3, -3, 4))
"""How a photo may be turned, counter-clockwise, until the far side of its dice is up."""
_PRIOR: Final = (0.6, 0.08, 0.08, 0.08, 0.08, 0.03, 0.03, 0.02)
"""Of these turns: people hold a phone or a webcam upright, mostly."""
_WORTH_A_LOOK: Final = 0.15
"""A turn this much less probable than the best is not tried."""
_LOW_DEG: Final = 12.0
_UPRIGHT_DEG: Final = 32.0
"""Who looks at a table from farther off straight above than this holds the camera upright."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Turned counter-clockwise by `turn_rad` the far side of a die is up; it is seen from `tilt_deg` off straight
    above. `weight`: how probable that is, in any unit."""

    turn_rad: float
    tilt_deg: float
    weight: float = 1.0


def turn_away(box_xyxy_px: BoxXYXY, nadir_xy_px: tuple[float, float]) -> float:
    """Angle, counter-clockwise, that brings the side of the die that is away from the nadir to the top of its crop."""
    x0, y0, x1, y1 = box_xyxy_px
    dx, dy = (x0 + x1) / 2 - nadir_xy_px[0], (y0 + y1) / 2 - nadir_xy_px[1]
    return float(np.pi / 2 - np.arctan2(-dy, dx))


def tilts_deg_seen(
    boxes_xyxy_px: Sequence[BoxXYXY], nadir_xy_px: tuple[float, float], width_px: int, height_px: int
) -> Floats:
    """(n,): the angle between straight down and the ray from the camera to each box."""
    focal, center = FOCAL * width_px, np.array([width_px / 2, height_px / 2])
    boxes = np.array(boxes_xyxy_px, float)
    rays = np.c_[(boxes[:, :2] + boxes[:, 2:]) / 2 - center, np.full(len(boxes), focal)]
    down = np.array([*(np.array(nadir_xy_px) - center), focal])
    cosines = rays @ down / np.linalg.norm(rays, axis=1) / np.linalg.norm(down)
    return np.asarray(np.degrees(np.arccos(np.clip(cosines, -1, 1))))


def upright_log_prior(tilt_deg: float, down_rad: float) -> float:
    """How much less probable a camera is that looks from `tilt_deg` off straight above and in whose picture the point
    below it lies in the direction `down_rad` (clockwise from the right) than one that is held upright."""
    if tilt_deg < _LOW_DEG:
        return 0.0
    away = abs((down_rad - np.pi / 2 + np.pi) % (2 * np.pi) - np.pi) / _EIGHTH
    by_turn = np.log([_PRIOR[0], _PRIOR[1], _PRIOR[3], _PRIOR[5], _PRIOR[7]])
    odds = float(np.interp(away, np.arange(5), by_turn - by_turn[0]))
    return odds * (1.0 if tilt_deg <= _UPRIGHT_DEG else 3.0)


def likely_viewpoints(looks: Sequence[npt.NDArray[np.float64]]) -> tuple[Viewpoint, ...]:
    """From where the dice of a photo are probably seen.

    `looks` has an array (8, 14) for each die: seen turned by each of `TURNS_RAD`, the probabilities of the tilts in
    steps of 5 degrees, and last that the far side is not up.
    """
    together = 1 + _TOGETHER * (len(looks) - 1)
    table = np.clip(np.stack(looks), 1e-6, 1 - 1e-6)
    up = np.log(1 - table[:, :, -1]).mean(0) * together
    tilts = np.log(table[:, :, :-1]).mean(0) * together
    joint = np.exp(tilts - tilts.max(1, keepdims=True))
    joint *= (np.array(_PRIOR) * np.exp(up - up.max()) / joint.sum(1))[:, None]
    joint[1:, np.arange(joint.shape[1]) * TILT_STEP_DEG > _UPRIGHT_DEG] = 0
    turns = joint.sum(1)
    found: list[Viewpoint] = []
    for turn_rad, weight, row in zip(TURNS_RAD, turns / turns.max(), joint, strict=True):
        if weight < _WORTH_A_LOOK:
            continue
        likely = _thirds_deg(row)
        found += [Viewpoint(turn_rad, float(tilt), float(weight) / len(likely)) for tilt in likely]
    if all(v.tilt_deg < _LOW_DEG for v in found):  # from above any side is as far as the others
        found = [v for v in found if v.turn_rad == TURNS_RAD[0]] or found
    return tuple(found)


def _thirds_deg(weights: Floats) -> Floats:
    """Three tilts of equal probability, or the mean where they are close together."""
    reached = np.concatenate([[0.0], np.cumsum(weights / weights.sum())])
    three = (np.interp([1 / 6, 1 / 2, 5 / 6], reached, np.arange(len(reached))) - 0.5) * TILT_STEP_DEG
    three = np.maximum(three, 0.0)
    return three if three[2] - three[0] > _CLOSE_DEG else three[1:2]
