"""Keeps all that was seen of each hand that is told, where a folder is named for it: for finding out why a die was read
wrong. Nothing is kept otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from logging import getLogger
from pathlib import Path
from typing import Any, Final

import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.look import SeenDie
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.worker.pictures import part_of_zone
from tablesight.vision.worker.zone_book import ZoneHand
from tablesight.vision.zones import Point

logger = getLogger(__name__)

FOLDER: Final = "TABLESIGHT_KEEP_READINGS"
"""The variable of the environment that names the folder."""


class ReadingKeeper:
    """Writes a file `ID.npz` for each reading: the part of the still around the zone, as it was read and without loss,
    and for each die its box in that part and every look at it. `folder` None: nothing is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @classmethod
    def from_environment(cls) -> ReadingKeeper:
        """With the folder that the environment names, if it names one."""
        name = os.environ.get(FOLDER)
        return cls(Path(name) if name else None)

    def keep(self, reading_id: str, still_bgr: ImageBGR, polygon: Sequence[Point], hand: ZoneHand | None) -> None:
        """Write what was seen of a hand in a still (height, width, 3); a full disk is no reason to stop reading."""
        if self._folder is None or hand is None:
            return
        boxes = [die.box_xyxy_px for die in hand.seen]
        part = part_of_zone(still_bgr, polygon, boxes)
        inside = np.array(boxes, float).reshape(-1, 4) - np.array([part.left_px, part.top_px] * 2)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            np.savez(self._folder / f"{reading_id}.npz", image_bgr=part.image_bgr, boxes_xyxy_px=inside, **_looks(hand))
        except OSError as error:
            logger.warning("the reading %s could not be kept: %s", reading_id, error)


def kept_looks(path: Path) -> list[list[DiePosterior]]:
    """For each die of a kept reading, every look at it."""
    with np.load(path) as kept:
        looks: list[list[DiePosterior]] = [[] for _ in kept["boxes_xyxy_px"]]
        heads = (kept[name] for name in ("colors", "shapes", "faces", "inks", "numbers"))
        for owner, colors, shapes, faces, inks, numbers in zip(kept["of_die"], *heads, strict=True):
            pips, flatness, level, die = (None if np.isnan(number) else float(number) for number in numbers)
            look = DiePosterior(colors, shapes, faces, inks, pips or 0.0, flatness, level, 0.0 if die is None else die)
            looks[int(owner)].append(look)
    return looks


def _looks(hand: ZoneHand) -> dict[str, Any]:
    """Arrays of all looks at the dice of a hand, by what they tell."""
    looks = [(index, look) for index, die in enumerate(hand.seen) for look in _evidence(die)]
    return {
        "of_die": np.array([index for index, _ in looks], float),
        "colors": np.array([look.colors for _, look in looks]),
        "shapes": np.array([look.shapes for _, look in looks]),
        "faces": np.array([look.faces for _, look in looks]),
        "inks": np.array([look.inks for _, look in looks]),
        "numbers": np.array([[look.pips, _number(look.flatness), _number(look.level), look.die] for _, look in looks]),
    }


def _evidence(die: SeenDie) -> tuple[DiePosterior, ...]:
    return die.evidence or (die.posterior,)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
