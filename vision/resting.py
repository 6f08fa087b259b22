"""How dice rest: flat on the table, leaning so that no face is level (cocked), or on top of another die."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from tablesight.vision.kinds import KINDS, WIDTH_MM
from tablesight.vision.look import SeenDie
from tablesight.vision.reading import DieReading
from tablesight.vision.zones import Point

Rest = Literal["flat", "leaning", "stacked"]

REACH_MM: Final[dict[int, float]] = {6: 24.0, 8: 23.3, 12: 23.3, 20: 27.3}
"""The longer side of the box around a die of this many sides, on the mean over all turns, millimetres."""


@dataclass(frozen=True, slots=True)
class RestSettings:
    """`level`: a top face that looks flatter than this share of what a level one would in its place leans; drawn dice
    that lie flat are at 0.95 to 1.07 of it, and of those that lean by 25 degrees half are under it. `fits`: so does a
    die that fits a level one less than this (`DiePosterior.level`); of 573 drawn dice that lie flat one is
    under it, and half of those that lean by 15 degrees and nine in ten that lean by 25
    (`python -m tablesight.vision.evaluation.leaning_dice`). `fits_well`: what fits better than
    this does not lean, however flat it looks: of 84 drawn dice that lean by 10 to 25 degrees 17 look too flat, and the
    best of them fits 0.2; of 934 that lie flat on mats under a hard lamp four look too flat, and fit 0.55 or more.
    `enough`: of so many dice the median says how a level one looks, whatever is wrong about camera and lens;
    `usual_fit`: how well level ones fit where nothing is. `apart`: two
    dice whose middles are nearer than this share of what two flat ones can be lie on one another."""

    level: float = 0.92
    fits: float = 0.2
    fits_well: float = 0.4
    usual_fit: float = 0.75
    enough: int = 4
    apart: float = 0.8


SETTINGS: Final = RestSettings()


def expected_flatness(center_xy_px: Point, width_px: int, height_px: int, nadir_xy: Point, focal: float) -> float:
    """Height over width of a level circle seen at a point of the picture (pixels): the cosine of the angle to the plumb
    line. `nadir_xy` in shares of the picture, `focal` in widths."""
    ray = np.array([center_xy_px[0] / width_px - 0.5, (center_xy_px[1] - height_px / 2) / width_px, focal])
    plumb = np.array([nadir_xy[0] - 0.5, (nadir_xy[1] - 0.5) * height_px / width_px, focal])
    return float(ray @ plumb / np.linalg.norm(ray) / np.linalg.norm(plumb))


def rests(seen: Sequence[SeenDie], dice: Sequence[DieReading], settings: RestSettings = SETTINGS) -> tuple[Rest, ...]:
    """How each die of a hand rests; `dice` are the readings of `seen`."""
    fits = [die.posterior.level for die in seen]
    leaning = _flattened([die.levelness for die in seen], settings)
    leaning -= {index for index, fit in enumerate(fits) if fit is not None and fit >= settings.fits_well}
    leaning |= _tilted(fits, settings)
    stacked = _stacked(dice, settings)
    return tuple(
        "stacked" if index in stacked else "leaning" if index in leaning else "flat" for index in range(len(seen))
    )


def _flattened(levelness: Sequence[float | None], settings: RestSettings) -> set[int]:
    """Dice whose top face looks too flat."""
    usual = min(1.1, _usual(levelness, 1.0, settings))
    return {index for index, level in enumerate(levelness) if level is not None and level < settings.level * usual}


def _tilted(fits: Sequence[float | None], settings: RestSettings) -> set[int]:
    """Dice that look as a level one does where it is seen from another side."""
    share = min(1.0, _usual(fits, settings.usual_fit, settings) / settings.usual_fit)
    return {index for index, fit in enumerate(fits) if fit is not None and fit < settings.fits * share}


def _usual(values: Sequence[float | None], unless_known: float, settings: RestSettings) -> float:
    """The median of the dice of a hand, where there are enough."""
    known = [value for value in values if value is not None]
    return float(np.median(known)) if len(known) >= settings.enough else unless_known


def _stacked(dice: Sequence[DieReading], settings: RestSettings) -> set[int]:
    """Dice nearer to each other than two flat ones can be.

    A flat die touches the sphere within it from outside only; two such spheres, of radii r and s, rest on the table
    at least 2 sqrt(r s) apart.
    """
    known = [(index, die) for index, die in enumerate(dice) if die.kind in KINDS]
    if len(known) < 2:
        return set()
    px_per_mm = float(np.median([_size(die) / REACH_MM[die.sides] for _, die in known]))
    found: set[int] = set()
    for place, (one, die) in enumerate(known):
        for other, near in known[place + 1 :]:
            least_px = float(np.sqrt(WIDTH_MM[die.sides] * WIDTH_MM[near.sides])) * px_per_mm
            step = np.subtract(_middle(die), _middle(near))
            if float(np.hypot(*step)) < settings.apart * least_px:
                found |= {one, other}
    return found


def _middle(die: DieReading) -> Point:
    left, top, right, bottom = die.box_xyxy_px
    return (left + right) / 2, (top + bottom) / 2


def _size(die: DieReading) -> float:
    left, top, right, bottom = die.box_xyxy_px
    return max(right - left, bottom - top)
