"""Somebody holds a mat under the simulated camera and moves it about, as `tablesight calibrate` asks people to."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.mat_layout import MatLayout, Paper
from tablesight.vision.simulator.camera import PinholeCamera

MOVE_S: Final = 0.5
"""The mat is held still somewhere for so long."""
DPI: Final = 100


class HeldMat:
    """Draws the sheet where it is at a time; `seed` decides where that is."""

    def __init__(self, paper: Paper, seed: int) -> None:
        self._layout = MatLayout.on(paper)
        self._paper = paper
        self._seed = seed

    def onto(self, picture_bgr: ImageBGR, camera: PinholeCamera, at_s: float) -> ImageBGR:
        """The picture (height, width, 3) of a camera with the sheet over it."""
        sheet = _sheet(self._paper)
        to_px = self._to_px(camera, at_s) @ np.diag([25.4 / DPI, 25.4 / DPI, 1.0])
        size = (picture_bgr.shape[1], picture_bgr.shape[0])
        laid = cv2.warpPerspective(sheet, to_px, size, flags=cv2.INTER_AREA)
        covered = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), to_px, size)
        return np.asarray(np.where(covered[..., None] > 127, laid, picture_bgr), np.uint8)

    def _to_px(self, camera: PinholeCamera, at_s: float) -> npt.NDArray[np.float64]:
        """From millimetres of the sheet to pixels: somewhere under the camera, tilted and turned by chance."""
        rng = np.random.default_rng([self._seed, 60, int(at_s / MOVE_S)])
        tilts, turn = rng.uniform(-32, 32, 2), rng.uniform(0, 360)
        rotation = cv2.Rodrigues(np.radians([0, 0, turn]))[0]
        rotation = cv2.Rodrigues(np.radians([*tilts, 0]))[0] @ rotation
        away_mm = camera.distance_mm * rng.uniform(0.8, 1.0)
        reach = np.array([camera.width_px, camera.height_px]) / camera.focal_px * away_mm * (0.25, 0.15)
        place = np.array([*(rng.uniform(-1, 1, 2) * reach), away_mm])
        middle = np.array([self._layout.width_mm / 2, self._layout.height_mm / 2, 0])
        f, cx, cy = camera.focal_px, camera.width_px / 2, camera.height_px / 2
        matrix = np.array([[f, 0, cx], [0, f, cy], [0, 0, 1]])
        return np.asarray(matrix @ np.c_[rotation[:, :2], place - rotation @ middle], np.float64)


@lru_cache(maxsize=1)
def _sheet(paper: Paper) -> ImageBGR:
    # imported here: nobody holds a mat during a game
    from tablesight.vision.mat_sheet import MatSeat, draw_mat

    drawn = np.asarray(draw_mat(MatLayout.on(paper), MatSeat(0, "", (200, 40, 40)), DPI))
    return np.asarray(cv2.cvtColor(drawn, cv2.COLOR_RGB2BGR), np.uint8)
