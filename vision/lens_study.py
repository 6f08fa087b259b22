"""Collects views of mats for the calibration of a lens: only those that show a sheet somewhere else than before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.lens import Array, Lens, View, calibrate
from tablesight.vision.mat_finder import MatFinder
from tablesight.vision.mat_layout import MatLayout


@dataclass(frozen=True, slots=True)
class StudySettings:
    """`new`: a view counts when its corners lie this share of the picture's width away from those of every other view,
    on average. `wanted`: so many are enough. `all_tags`: a view must show this many tags of its mat."""

    new: float = 0.05
    wanted: int = 14
    all_tags: int = 4


SETTINGS: Final = StudySettings()


class LensStudy:
    """Feed it stills of one size while somebody moves a mat about, near the corners of the picture and tilted too."""

    def __init__(self, layout: MatLayout, settings: StudySettings = SETTINGS) -> None:
        self._finder = MatFinder(layout)
        self._settings = settings
        self._views: list[View] = []
        self._size_px: tuple[int, int] = (0, 0)

    @property
    def progress(self) -> tuple[int, int]:
        """Views so far, and how many are wanted."""
        return len(self._views), self._settings.wanted

    @property
    def is_complete(self) -> bool:
        """Whether there are enough."""
        return len(self._views) >= self._settings.wanted

    def look(self, still_bgr: ImageBGR) -> int:
        """Take what is new in a still (height, width, 3); how many views that were. Raises ValueError where the size
        differs from the one before."""
        size = (still_bgr.shape[1], still_bgr.shape[0])
        if self._views and size != self._size_px:
            raise ValueError(f"expected stills of {self._size_px} pixels, got {size}")
        self._size_px = size
        before = len(self._views)
        for mat in self._finder.find(still_bgr):
            if len(mat.tags) >= self._settings.all_tags:
                view = View(*mat.tag_corners())
                if all(self._differs(view.points_px, other.points_px) for other in self._views):
                    self._views.append(view)
        return len(self._views) - before

    def lens(self) -> Lens:
        """The lens from the views so far. Raises `LensError`."""
        return calibrate(self._views, *self._size_px)

    def _differs(self, one: Array, other: Array) -> bool:
        step = np.linalg.norm(one - other, axis=1).mean()
        return bool(step >= self._settings.new * self._size_px[0])
