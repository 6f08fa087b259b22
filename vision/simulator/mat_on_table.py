"""Lays a printed mat on the simulated table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.mat_sheet import RGB, MatSeat, draw_mat
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.table_setting import PlacedMat, TableSetting

_DPI: Final = 120
_COLORS: Final[tuple[RGB, ...]] = (
    (31, 119, 180), (214, 90, 20), (44, 140, 44), (190, 40, 50), (130, 90, 170),
    (120, 80, 70), (200, 80, 160), (90, 90, 90), (150, 150, 30), (20, 150, 170),
)  # fmt: skip


def lay_mat(picture: ImageBGR, camera: PinholeCamera, mat: PlacedMat, setting: TableSetting) -> None:
    """Draws the sheet onto the empty table (changed in place), under its lamp."""
    layout, lamp = setting.mat_layout, setting.lamp
    sheet = draw_mat(layout, MatSeat(mat.seat, f"Player {mat.seat + 1}", _COLORS[mat.seat]), _DPI)
    paper = cv2.cvtColor(np.asarray(sheet), cv2.COLOR_RGB2BGR)
    to_sheet = np.diag([25.4 / _DPI, 25.4 / _DPI, 1.0])
    to_px = camera.table_to_px() @ mat.to_table(layout) @ to_sheet
    size = (camera.width_px, camera.height_px)
    height, width = paper.shape[:2]
    edge = cv2.perspectiveTransform(np.array([[[0.0, 0.0], [width, 0], [width, height], [0, height]]]), to_px)[0]
    left, top = np.clip(np.floor(edge.min(axis=0)).astype(int) - 8, 0, size)
    right, bottom = np.clip(np.ceil(edge.max(axis=0)).astype(int) + 8, 0, size)
    if right <= left or bottom <= top:
        return
    shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
    part = (int(right - left), int(bottom - top))
    drawn = cv2.warpPerspective(paper, shift @ to_px, part, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), shift @ to_px, part, flags=cv2.INTER_LINEAR)
    light = np.array(lamp.direction)
    level = lamp.ambient + (1 - lamp.ambient) * float(light[2] / np.linalg.norm(light))
    lit = np.clip(drawn.astype(np.float32) * 0.93 * level * np.array(lamp.gain_bgr, np.float32), 0, 255)
    region = picture[top:bottom, left:right]
    shadow = cv2.GaussianBlur(mask, (0, 0), 3).astype(np.float32)[..., None] / 255
    alpha = mask.astype(np.float32)[..., None] / 255
    under = region * (1 - 0.25 * shadow)
    region[:] = np.clip(under * (1 - alpha) + lit * alpha, 0, 255).astype(np.uint8)
