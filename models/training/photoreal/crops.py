"""Single dice cut out of a rendered table, as `make_crops.py` draws them."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from draws import random_optics

from photoreal.develop import Canvas
from photoreal.truth import SeenTruth
from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import COLORS, INKS
from tablesight.vision.posterior import SHAPES
from tablesight.vision.reader import CROP_PX, MARGIN
from tablesight.vision.simulator.scene import photograph

_VISIBLE = 0.85


def cut_crops(
    canvas: Canvas, dice: list[SeenTruth], rng: np.random.Generator
) -> list[tuple[ImageBGR, npt.NDArray[np.float32], npt.NDArray[np.int16]]]:
    """The crop (112, 112, 3), pose (6,) in half crops and labels (6,) of each die that is seen well enough: its far
    side up, give or take 15 degrees."""
    return [_cut(canvas, die, rng) for die in dice if die.visible >= _VISIBLE]


def _cut(
    canvas: Canvas, seen: SeenTruth, rng: np.random.Generator
) -> tuple[ImageBGR, npt.NDArray[np.float32], npt.NDArray[np.int16]]:
    turn = float(rng.normal(0, 0.13)) - np.pi / 2 - np.arctan2(seen.far_xy[1], seen.far_xy[0])
    c, s = np.cos(turn), np.sin(turn)
    rotate = np.array([[c, -s], [s, c]])
    turned = seen.outline_xy_px @ rotate.T
    low, high = turned.min(0), turned.max(0)
    side = float((high - low).max())
    # some dice are small in the picture: a small crop, enlarged after the camera
    size = CROP_PX if rng.random() < 0.6 else int(rng.integers(44, CROP_PX))
    zoom = size / (MARGIN * float(rng.normal(1, 0.045)) * side)
    middle = (low + high) / 2 + rng.normal(0, 0.025, 2) * side
    matrix = np.concatenate([rotate * zoom, (size / 2 - middle * zoom)[:, None]], 1)
    source = cv2.GaussianBlur(canvas, (0, 0), 0.4 / zoom) if zoom < 0.75 else canvas
    cut = cv2.warpAffine(source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    image = photograph(np.asarray(cut, np.float32), random_optics(rng, 0.5 + 0.5 * size / CROP_PX), rng)
    if size != CROP_PX:
        image = np.asarray(cv2.resize(image, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR), np.uint8)
    top = (seen.top_xy_px @ matrix[:, :2].T + matrix[:, 2]) * CROP_PX / size
    pose = np.concatenate([top[0] - CROP_PX / 2, top[1] - top[0], top[2] - top[0]]) / (CROP_PX / 2)
    die = seen.die
    labels = (
        die.face - 1, SHAPES.index(die.style.sides), COLORS.index(die.style.color), INKS.index(die.ink),
        int(die.style.marking == "pips"), round(float(np.degrees(seen.tilt_rad))),
    )  # fmt: skip
    return image, pose.astype(np.float32), np.array(labels, np.int16)
