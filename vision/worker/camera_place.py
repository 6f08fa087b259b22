"""How the camera hangs over the table, as far as the mats tell it, and what its lens does."""

from __future__ import annotations

from collections.abc import Mapping

from tablesight.vision.lens import Lens
from tablesight.vision.nadir import nadir_of_mats
from tablesight.vision.viewpoint import FOCAL
from tablesight.vision.worker.mat_follower import MatFollower
from tablesight.vision.zones import Point


class CameraPlace:
    """`lenses` are those of the cameras that were calibrated, by name."""

    def __init__(self, lenses: Mapping[str, Lens] | None = None) -> None:
        self._lenses = lenses or {}
        self._lens: Lens | None = None

    @property
    def lens(self) -> Lens | None:
        """The lens of the camera, None where it was never calibrated."""
        return self._lens

    def opened(self, camera: str) -> None:
        """A camera of this name has been opened."""
        self._lens = self._lenses.get(camera)

    def measured(self, camera: str, lens: Lens) -> None:
        """The lens of the camera of this name, which is open."""
        self._lenses = {**self._lenses, camera: lens}
        self._lens = lens

    @property
    def focal(self) -> float:
        """Its focal length, in widths of the picture."""
        return FOCAL if self._lens is None else self._lens.focal

    def nadir_xy(self, follower: MatFollower | None) -> Point | None:
        """The point straight below the camera, shares of the picture's width and height; None without mats."""
        return nadir_of_mats(follower.mats) if follower is not None else None
