"""The point of the picture straight below the camera: the far side of each die is the one away from it.

A camera that hangs above the table's middle has it in the middle of the picture; one on a tripod at the edge has it at
the lower edge or beyond. It is told by the mats, or by how the dice get smaller towards the far side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.kinds import KINDS
from tablesight.vision.mat_finder import Mat
from tablesight.vision.reading import DieReading
from tablesight.vision.viewpoint import FOCAL
from tablesight.vision.zones import Point

Array = npt.NDArray[np.float64]

MIDDLE: Final[Point] = (0.5, 0.5)
FARTHEST: Final = 3.0
"""So far from the middle, in widths of the picture, at most: a camera that looks along the table sees no top faces."""
REACH_MM: Final[dict[int, float]] = {6: 24.0, 8: 23.3, 12: 23.3, 20: 27.3}
"""The longer side of the box around a die of this many sides, on the mean over all turns, millimetres."""


@dataclass(frozen=True, slots=True)
class NadirSettings:
    """For the estimate from dice. `least`: it is made from so many dice on, the newest `most`. `spread`: how much the
    sizes of boxes differ by chance, above all by how a die is turned (a share). `level`: how much a camera's table is
    expected to grow from the middle of the picture to its right edge, before anything is seen (0.2 is 15 degrees of
    tilt). `sure`: the squared distance from a level table, in its own uncertainty, from which it is believed
    (chi-squared with two degrees of freedom: by chance once in 400)."""

    least: int = 12
    most: int = 400
    spread: float = 0.1
    level: float = 0.2
    sure: float = 12.0


SETTINGS: Final = NadirSettings()


def nadir_of_mats(mats: Sequence[Mat], focal: float = FOCAL) -> Point | None:
    """From mats that lie flat on the table: shares of the picture's width and height; None without mats.

    `focal` is the focal length in widths of the picture; that of the mats' own lens is taken where it is known.
    """
    normals = [_normal(mat, focal) for mat in mats]
    if not normals:
        return None
    x, y, z = np.median(normals, axis=0)
    width, height = mats[0].picture_wh_px
    lens = mats[0].lens
    focal_px = width * (focal if lens is None else lens.focal)
    return _within(0.5 + focal_px * x / z / width, 0.5 + focal_px * y / z / height, height / width)


def _normal(mat: Mat, focal: float) -> Array:
    """Unit vector (3,), in the camera's axes (right, down, forward), from the camera down to the table."""
    width, height = mat.picture_wh_px
    focal_px = width * (focal if mat.lens is None else mat.lens.focal)
    to_rays = np.array([[1 / focal_px, 0, -width / 2 / focal_px], [0, 1 / focal_px, -height / 2 / focal_px], [0, 0, 1]])
    columns = to_rays @ mat.to_px
    normal = np.cross(columns[:, 0], columns[:, 1])
    normal = normal / np.linalg.norm(normal)
    return np.asarray(normal if normal[2] > 0 else -normal)


class NadirFromDice:
    """Learns it from the dice read so far: how large each appears against how large its kind is."""

    def __init__(self, focal: float = FOCAL, settings: NadirSettings = SETTINGS) -> None:
        self._focal = focal
        self._settings = settings
        self._seen: deque[tuple[float, float, float]] = deque(maxlen=settings.most)
        self._aspect = 9 / 16

    def forget(self) -> None:
        """The camera hangs elsewhere."""
        self._seen.clear()

    def learn(self, dice: Sequence[DieReading], width_px: int, height_px: int) -> None:
        """Dice of a still of this size; those that are not accepted tell nothing."""
        self._aspect = height_px / width_px
        for die in dice:
            if die.accepted and die.kind in KINDS:
                left, top, right, bottom = die.box_xyxy_px
                size = max(right - left, bottom - top) / width_px / REACH_MM[die.sides]
                x, y = (left + right) / 2 / width_px - 0.5, ((top + bottom) / 2 - height_px / 2) / width_px
                self._seen.append((x, y, size))

    def estimate(self) -> Point:
        """Shares of the picture's width and height; the middle as long as what was seen fits a level table too.

        Seen by a pinhole, the scale of a plane is linear in the picture: scale = a + b x + c y, and the nadir lies at
        focal^2 (b, c) / a. The slopes are fitted with a prior that the camera looks straight down, more or less.
        """
        settings = self._settings
        if len(self._seen) < settings.least:
            return MIDDLE
        seen = np.array(self._seen)
        middle = seen[:, :2].mean(axis=0)
        relative = seen[:, 2] / np.median(seen[:, 2]) - 1
        places = np.c_[np.ones(len(seen)), seen[:, :2] - middle]
        weights = np.ones(len(seen))
        prior = np.diag([0.0, 1.0, 1.0]) * (settings.spread / (2 * settings.level)) ** 2
        fit = np.zeros(3)
        for _ in range(4):  # a box that is no die's must not tilt the table (Huber's weights)
            fit = np.linalg.solve(places.T @ (places * weights[:, None]) + prior, places.T @ (weights * relative))
            off = np.abs(relative - places @ fit)
            weights = np.minimum(1.0, 1.5 * settings.spread / np.maximum(off, 1e-9))
        precision = (places.T @ (places * weights[:, None]) + prior) / settings.spread**2
        slopes = np.linalg.inv(np.linalg.inv(precision)[1:, 1:])
        if fit[1:] @ slopes @ fit[1:] < settings.sure:
            return MIDDLE
        scale = 1 + fit[0] - fit[1:] @ middle  # in the middle of the picture
        if scale <= 0.1:
            return MIDDLE
        x, y = self._focal**2 * fit[1:] / scale
        return _within(0.5 + float(x), 0.5 + float(y) / self._aspect, self._aspect)


def _within(x: float, y: float, aspect: float) -> Point:
    """The point, not farther from the middle than makes sense."""
    away = np.hypot(x - 0.5, (y - 0.5) * aspect)
    shrink = min(1.0, FARTHEST / max(float(away), 1e-9))
    return float(0.5 + (x - 0.5) * shrink), float(0.5 + (y - 0.5) * shrink)
