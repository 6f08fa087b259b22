"""A still that is being read, as under white light where it is looked at."""

from __future__ import annotations

from typing import Final

import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.mat_light import balanced
from tablesight.vision.zones import Zone

AROUND: Final = 0.07
"""So much of the still's width is corrected around a zone as well: half of the widest die that is looked for
(`table_reader.TableReaderSettings.largest_share`)."""


class TakenStill:
    """`raw_bgr` (height, width, 3) is as the camera took it at `at_s` (Unix time). `shows` are the seats whose zones
    lay still then, have not stirred since, and have not been read in it. `gains_bgr` makes white paper white, None
    where there is nothing to correct."""

    def __init__(
        self, raw_bgr: ImageBGR, at_s: float, shows: set[int], gains_bgr: tuple[float, float, float] | None = None
    ) -> None:
        self.raw_bgr, self.at_s, self.shows = raw_bgr, at_s, shows
        self._gains_bgr = gains_bgr
        self._white_bgr = raw_bgr if gains_bgr is None else np.zeros_like(raw_bgr)

    @property
    def image_bgr(self) -> ImageBGR:
        """All of the still (height, width, 3), black where nothing has been shown yet."""
        return self._white_bgr

    def show(self, zone: Zone) -> ImageBGR:
        """The still with this zone, those shown before, and a little around each.

        Of ten zones mostly one or two are read in one still: to correct all of it takes longer than to find their dice.
        """
        if self._gains_bgr is not None:
            height, width = self.raw_bgr.shape[:2]
            corners = np.array(zone.polygon) * (width, height)
            left, top = np.maximum(corners.min(axis=0) - AROUND * width, 0).astype(int)
            right, bottom = (corners.max(axis=0) + AROUND * width).astype(int) + 1
            part = np.ascontiguousarray(self.raw_bgr[top:bottom, left:right])
            self._white_bgr[top:bottom, left:right] = balanced(part, self._gains_bgr)
        return self._white_bgr
