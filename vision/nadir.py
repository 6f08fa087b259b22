"""The point of the picture straight below the camera: the far side of each die is the one away from it.

A camera that hangs above the table's middle has it in the middle of the picture; one on a tripod at the edge has it at
the lower edge or beyond. The mats tell it; or how the dice look that were seen so far: of each die, turned eight ways,
the pose network tells how far from straight above it is seen and whether its far side is up. Six dice tell it to 2 or 3
degrees; how they get smaller towards the far side took a hundred dice and told half of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.mat_finder import Mat
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.viewpoint import FOCAL, TURNS_RAD, upright_log_prior
from tablesight.vision.zones import Point

Array = npt.NDArray[np.float64]

MIDDLE: Final[Point] = (0.5, 0.5)
FARTHEST: Final = 3.0
"""So far from the middle, in widths of the picture, at most: a camera that looks along the table sees no top faces."""
_STEP_DEG: Final = 5.0
_STEPS: Final = 13
_WAYS_ROUND: Final = 16
_ANY_SIDE_DEG: Final = 6.0
"""Seen from this near to straight above no side of a die is the far one."""
_ORDER: Final = np.argsort(TURNS_RAD)
_TURNS: Final = np.array(TURNS_RAD)[_ORDER]


@dataclass(frozen=True, slots=True)
class NadirSettings:
    """It is estimated from `least` dice on, the newest `most`. `trust`: how much each die counts, less than 1, as dice
    of one kind of print err alike."""

    least: int = 6
    most: int = 80
    trust: float = 0.5


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
    """Weighs where the nadir may be against every die seen; `focal` is the focal length in widths of the picture."""

    def __init__(self, focal: float = FOCAL, settings: NadirSettings = SETTINGS) -> None:
        self.focal, self._settings = focal, settings
        self._told: deque[Array] = deque(maxlen=settings.most)
        self._aspect = 9 / 16
        tilts_deg = np.concatenate([[0.0], np.repeat(np.arange(1, _STEPS) * _STEP_DEG, _WAYS_ROUND)])
        azimuths_rad = np.concatenate([[0.0], np.tile(np.arange(_WAYS_ROUND) * 2 * np.pi / _WAYS_ROUND, _STEPS - 1)])
        reach = focal * np.tan(np.radians(tilts_deg))
        self._steps = np.c_[reach * np.cos(azimuths_rad), reach * np.sin(azimuths_rad)]
        """(n, 2): from the middle of the picture to where the nadir may be, widths of the picture."""
        self._plumbs = np.c_[self._steps, np.full(len(self._steps), focal)]
        self._prior = np.array([upright_log_prior(t, a) for t, a in zip(tilts_deg, azimuths_rad, strict=True)])

    def __len__(self) -> int:
        """How many dice it was told of."""
        return len(self._told)

    def forget(self) -> None:
        """The camera hangs elsewhere."""
        self._told.clear()

    def learn(self, boxes_xyxy_px: Sequence[BoxXYXY], looks: Sequence[Array], width_px: int, height_px: int) -> None:
        """Dice of a picture of this size and, of each, what `DiceReader.tilts` says: (8, 14)."""
        for box, look in zip(boxes_xyxy_px, looks, strict=True):
            self._told.append(self._weigh(box, look, width_px, height_px))

    def estimate(self) -> Point | None:
        """Shares of the picture's width and height; None before there were enough dice."""
        if len(self._told) < self._settings.least:
            return None
        log_odds = self._prior + self._settings.trust * np.sum(self._told, axis=0)
        odds = np.exp(log_odds - log_odds.max())
        x, y = odds @ self._steps / odds.sum()
        return _within(0.5 + float(x), 0.5 + float(y) / self._aspect, self._aspect)

    def _weigh(self, box: BoxXYXY, look: Array, width_px: int, height_px: int) -> Array:
        """(n,): the logarithm of how well each place of the nadir fits this die."""
        self._aspect = height_px / width_px
        logs = np.log(np.clip(look, 1e-4, 1))[_ORDER]
        left, top, right, bottom = box
        die = np.array([(left + right) / 2 - width_px / 2, (top + bottom) / 2 - height_px / 2]) / width_px
        ray = np.array([*die, self.focal])
        cosines = self._plumbs @ ray / np.linalg.norm(self._plumbs, axis=1) / np.linalg.norm(ray)
        steps = np.minimum(np.degrees(np.arccos(np.clip(cosines, -1, 1))) / _STEP_DEG, _STEPS - 1)
        # the far side is the one away from the nadir: between two of the turns that were looked at
        away_x, away_y = (die - self._steps).T
        turns = (np.pi / 2 - np.arctan2(-away_y, away_x) - _TURNS[0]) / (2 * np.pi / len(_TURNS)) % len(_TURNS)
        one, share = turns.astype(int) % len(_TURNS), (turns % 1)[:, None]
        rows = (1 - share) * logs[one] + share * logs[(one + 1) % len(_TURNS)]
        rows[steps * _STEP_DEG < _ANY_SIDE_DEG] = np.log(np.exp(logs).mean(0))
        low = np.minimum(steps.astype(int), _STEPS - 2)
        at, between = np.arange(len(steps)), steps - low
        return np.asarray((1 - between) * rows[at, low] + between * rows[at, low + 1])


def _within(x: float, y: float, aspect: float) -> Point:
    """The point, not farther from the middle than makes sense."""
    away = np.hypot(x - 0.5, (y - 0.5) * aspect)
    shrink = min(1.0, FARTHEST / max(float(away), 1e-9))
    return float(0.5 + (x - 0.5) * shrink), float(0.5 + (y - 0.5) * shrink)
