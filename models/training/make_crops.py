"""Draws single dice as the reader will be given them: cut out by a box, with ground truth.

`python models/training/make_crops.py --shards 24 --size 2000 --first 0` writes data/crops/s_NNN.npz; a shard already
there is left alone, so an interrupted run is resumed by running it again.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from draws import TextureBank, random_die_style, random_lamp, random_optics, training_fonts
from shards import draw_shards
from tqdm import tqdm

from tablesight.vision.kinds import COLORS, INKS, WIDTH_MM
from tablesight.vision.posterior import SHAPES
from tablesight.vision.reader import CROP_PX, MARGIN
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import PlacedDie, outline_px
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import draw_dice, lay_surface, photograph


def _neighbours(die: PlacedDie, rng: np.random.Generator, fonts: int) -> list[PlacedDie]:
    others = []
    for _ in range(int(rng.choice(4, p=(0.62, 0.22, 0.11, 0.05)))):
        angle, gap = rng.uniform(0, 2 * np.pi), rng.uniform(1.02, 1.5)
        style = random_die_style(rng, fonts)
        other = PlacedDie(style, int(rng.integers(style.sides)) + 1, 0, 0, float(rng.uniform(0, 7)))
        reach = (die.inradius_mm() + other.inradius_mm()) * gap * 1.12
        others.append(
            PlacedDie(
                other.style, other.face, float(np.cos(angle) * reach), float(np.sin(angle) * reach), other.yaw_rad
            )
        )
    return others


def draw_crop(
    rng: np.random.Generator, fonts: NumeralFonts, bank: TextureBank
) -> tuple[np.ndarray, np.ndarray, tuple[Any, ...]]:
    """One crop (112, 112, 3) uint8, its pose (6,) in units of half the crop, and the labels: face - 1, shape, colour,
    ink, pips, tilt in degrees. The side away from the camera is up, give or take 15 degrees.

    Six in ten are photographed smaller (a die 25 to 93 px wide) and enlarged: blur, noise and the coarse colours of a
    JPEG file are then as large as they are on a small die."""
    style = random_die_style(rng, len(fonts))
    side_px = CROP_PX if rng.random() < 0.4 else int(rng.integers(30, CROP_PX))
    width = WIDTH_MM.get(style.sides, 16.0) * float(rng.uniform(0.92, 1.08))
    face = int(rng.integers(style.sides)) + 1
    die = PlacedDie(style, face, 0.0, 0.0, float(rng.uniform(0, 2 * np.pi)), width_mm=width)
    tilt = float(rng.uniform(0, 0.28)) if rng.random() < 0.4 else float(rng.uniform(0, 0.98))
    view = PinholeCamera(
        side_px, side_px, 1000.0, width * float(rng.uniform(5, 45)), (0.0, 0.0), tilt,
        float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.13)),
    )  # fmt: skip
    outline, _ = outline_px(view, die)
    low, high = outline.min(0), outline.max(0)
    zoom = side_px / (MARGIN * float(rng.normal(1, 0.045)) * float((high - low).max()))
    middle = (low + high) / 2 - side_px / 2 + rng.normal(0, 0.025, 2) * (high - low).max()
    shift = np.linalg.solve(view.axes()[:2, :2] * view.px_per_mm(), middle)
    camera = PinholeCamera(
        side_px, side_px, 1000.0 * zoom, view.distance_mm, (float(shift[0]), float(shift[1])),
        tilt, view.azimuth_rad, view.roll_rad,
    )  # fmt: skip
    lamp = random_lamp(rng)
    canvas = lay_surface(camera, bank.pick(rng), float(rng.uniform(0.12, 0.6)), lamp)
    drawn = draw_dice(canvas, camera, (die, *_neighbours(die, rng, len(fonts))), lamp, fonts)
    image = photograph(drawn.canvas_bgr, random_optics(rng), rng)
    if side_px != CROP_PX:
        image = np.asarray(cv2.resize(image, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR), np.uint8)
    top = drawn.tops[0]
    pose = np.array([*top.center_xy_px, *top.up_xy_px, *top.right_xy_px], np.float32)
    pose[:2] -= side_px / 2
    pose /= side_px / 2
    labels = (
        face - 1, SHAPES.index(style.sides), COLORS.index(style.color), INKS.index(die.ink),
        int(style.marking == "pips"), round(float(np.degrees(tilt))),
    )  # fmt: skip
    return image, pose, labels


def draw_shard(rng: np.random.Generator, size: int, name: str) -> dict[str, np.ndarray]:
    """Many of them: images, poses and labels."""
    fonts, bank = training_fonts(), TextureBank(rng)
    images = np.zeros((size, CROP_PX, CROP_PX, 3), np.uint8)
    poses = np.zeros((size, 6), np.float32)
    labels = np.zeros((size, 6), np.int16)
    for i in tqdm(range(size), desc=name, mininterval=10):
        images[i], poses[i], labels[i] = draw_crop(rng, fonts, bank)
    return {"images": images, "poses": poses, "labels": labels}


if __name__ == "__main__":
    draw_shards("crops", 1000, 24, 2000, draw_shard, __doc__)
