"""How the camera hangs over the table and what its lens does: from the mats, else from the dice read so far."""

from __future__ import annotations

from collections.abc import Mapping

from tablesight.vision.hand_decoder import HandReading
from tablesight.vision.lens import Lens
from tablesight.vision.nadir import NadirFromDice, nadir_of_mats
from tablesight.vision.viewpoint import FOCAL
from tablesight.vision.worker.mat_follower import MatFollower
from tablesight.vision.zones import Point


class CameraPlace:
    """`lenses` are those of the cameras that were calibrated, by name."""

    def __init__(self, lenses: Mapping[str, Lens] | None = None) -> None:
        self._lenses = lenses or {}
        self._lens: Lens | None = None
        self._from_dice = NadirFromDice()

    @property
    def lens(self) -> Lens | None:
        """The lens of the camera, None where it was never calibrated."""
        return self._lens

    def opened(self, camera: str) -> None:
        """A camera of this name has been opened."""
        self._lens = self._lenses.get(camera)
        self._from_dice = NadirFromDice(self.focal)

    def moved(self) -> None:
        """The camera hangs elsewhere."""
        self._from_dice.forget()

    def learn(self, hand: HandReading, still_wh_px: tuple[int, int]) -> None:
        """A hand that was thrown, in a still of this size."""
        self._from_dice.learn(hand.dice, *still_wh_px)

    @property
    def focal(self) -> float:
        """Its focal length, in widths of the picture."""
        return FOCAL if self._lens is None else self._lens.focal

    def nadir_xy(self, follower: MatFollower | None) -> Point:
        """The point straight below the camera, shares of the picture's width and height."""
        below = nadir_of_mats(follower.mats) if follower is not None else None
        return self._from_dice.estimate() if below is None else below
