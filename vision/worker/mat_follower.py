"""Zones from mats: found in stills, followed when they are moved, and the light measured from their patches."""

from __future__ import annotations

from logging import getLogger
from typing import Any, Final

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.lens import Lens
from tablesight.vision.mat_finder import Mat, MatFinder
from tablesight.vision.mat_layout import MatLayout, Paper
from tablesight.vision.mat_light import measure_light
from tablesight.vision.zones import Zone

logger = getLogger(__name__)

SEARCH_WIDTH_PX: Final = 1920
"""Stills are searched at this width: a tag is still 40 px across on the largest table, and it takes half the time."""
MOVED: Final = 0.005
"""A mat whose corners moved by this share of the picture's width has been moved."""


class MatFollower:
    """Remembers where each seat's mat was last seen: a hand or a dice box on its tags does not take the zone away."""

    def __init__(self, seats: int, paper: Paper) -> None:
        self._seats = seats
        self._finder = MatFinder(MatLayout.on(paper))
        self._zones: dict[int, Zone] = {}
        self._mats: dict[int, Mat] = {}
        self._gains_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The zones of the seats whose mats have been seen."""
        return tuple(self._zones[seat] for seat in sorted(self._zones))

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose mats have not been seen yet."""
        return tuple(seat for seat in range(self._seats) if seat not in self._zones)

    @property
    def mats(self) -> tuple[Mat, ...]:
        """The mats as they were last seen, in a picture `SEARCH_WIDTH_PX` wide at most."""
        return tuple(self._mats[seat] for seat in sorted(self._mats))

    def use(self, lens: Lens | None) -> None:
        """What the lens of the camera does, from now on."""
        self._finder.lens = lens

    def look(self, still_bgr: ImageBGR) -> bool:
        """Search a still (height, width, 3), as the camera took it; whether any zone is new or has moved."""
        height, width = still_bgr.shape[:2]
        scale = min(1.0, SEARCH_WIDTH_PX / width)
        size = (round(width * scale), round(height * scale))
        picture = still_bgr
        if scale < 1:
            picture = np.asarray(cv2.resize(still_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
        mats = [mat for mat in self._finder.find(picture) if mat.seat < self._seats]
        light = measure_light(picture, mats)
        if light is not None:
            self._gains_bgr = light.gains_bgr()
        changed = False
        for mat in mats:
            self._mats[mat.seat] = mat
            zone = mat.zone(*size)
            before = self._zones.get(mat.seat)
            if before is None or _distance(before, zone, height / width) > MOVED:
                self._zones[mat.seat] = zone
                changed = True
        return changed

    def find(self, still_bgr: ImageBGR) -> tuple[Mat, ...]:
        """The mats in a still at its full size, without following them."""
        return self._finder.find(still_bgr)

    @property
    def gains_bgr(self) -> tuple[float, float, float] | None:
        """What to multiply the channels with, so that paper is white; None where it is nearly so already."""
        return None if all(abs(gain - 1) < 0.03 for gain in self._gains_bgr) else self._gains_bgr

    def to_json(self) -> dict[str, Any]:
        """For a `mats` message: where the zones are, as shares of the picture, and whose mats are not seen."""
        return {
            "type": "mats",
            "zones": [
                {
                    "seat": zone.seat,
                    "polygon": [[round(x, 4), round(y, 4)] for x, y in zone.polygon],
                    "tags": len(self._mats[zone.seat].tags),
                }
                for zone in self.zones
            ],
            "missing": list(self.missing),
        }


def _distance(first: Zone, second: Zone, aspect: float) -> float:
    """The largest move of a corner, as a share of the picture's width."""
    moves = np.array(first.polygon) - np.array(second.polygon)
    return float(np.hypot(moves[:, 0], moves[:, 1] * aspect).max())
