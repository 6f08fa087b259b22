"""Draws whole pictures of tables for the detector: up to 14 dice of 10 to 420 px among things that are no dice.

`python models/training/make_scenes.py --shards 10 --first 0` writes data/scenes/s_NNN.npz (JPEG bytes and boxes); a
shard already there is left alone.
"""

from __future__ import annotations

import cv2
import numpy as np
from clutter import ALL_THINGS, lay_trays, scatter
from draws import TextureBank, random_die_style, random_lamp, random_optics, training_fonts
from empty_prints import SHEETS, lay_sheet
from shards import draw_shards
from tqdm import tqdm

from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import WIDTH_MM
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.mat_sheet import MatSeat, draw_mat
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import draw_dice, lay_surface, photograph
from tablesight.vision.zones import MAX_SEATS

WIDTH_PX, HEIGHT_PX = 512, 384


def mat(rng: np.random.Generator) -> ImageBGR:
    """A sheet of Tablesight's own mats."""
    hue = rng.integers(0, 200, 3)
    seat = MatSeat(int(rng.integers(MAX_SEATS)), "Ada", (int(hue[0]), int(hue[1]), int(hue[2])))
    sheet = draw_mat(MatLayout.on(("a4", "letter")[int(rng.integers(2))]), seat, dpi=100)
    return np.ascontiguousarray(np.asarray(sheet, np.uint8)[..., ::-1])


TRAINING_SHEETS = (*SHEETS[::2], mat)
"""Half of the kinds of print; the others are kept to see what the detector makes of print that it does not know."""


def _dice(camera: PinholeCamera, rng: np.random.Generator, fonts: int) -> tuple[PlacedDie, ...]:
    """Dice that do not overlap, spread or huddled, some at the frame's edge."""
    if rng.random() < 0.15:
        return ()
    span_mm = np.array([WIDTH_PX, HEIGHT_PX]) / camera.px_per_mm() / 2
    count = int(rng.integers(1, 15)) if camera.px_per_mm() < 3.5 else int(rng.integers(1, 4))
    huddle = rng.random() < 0.4
    heart = rng.uniform(-0.5, 0.5, 2) * span_mm
    uniform_set = rng.random() < 0.25
    dice: list[PlacedDie] = []
    style = random_die_style(rng, fonts)
    for _ in range(count):
        if not uniform_set:
            style = random_die_style(rng, fonts)
        width = WIDTH_MM.get(style.sides, 16.0) * float(rng.uniform(0.9, 1.1))
        for _attempt in range(12):
            spot = heart + rng.normal(0, 22, 2) if huddle else rng.uniform(-1.0, 1.0, 2) * span_mm
            gap = 1.08 if huddle else 1.25
            if all(np.hypot(spot[0] - d.x_mm, spot[1] - d.y_mm) > (width / 2 + d.inradius_mm()) * gap for d in dice):
                face = int(rng.integers(style.sides)) + 1
                dice.append(
                    PlacedDie(style, face, float(spot[0]), float(spot[1]), float(rng.uniform(0, 7)), width_mm=width)
                )
                break
    return tuple(dice)


def draw_scene(rng: np.random.Generator, fonts: NumeralFonts, bank: TextureBank) -> tuple[np.ndarray, np.ndarray]:
    """A picture (384, 512, 3) uint8 and the boxes (n, 4) of the dice at least 35 % visible, pixels."""
    die_px = float(np.exp(rng.uniform(np.log(11), np.log(190))))
    if rng.random() < 0.12:  # close-ups
        die_px = float(rng.uniform(150, 420))
    distance = float(rng.uniform(250, 1500))
    tilt = float(rng.uniform(0, 0.3)) if rng.random() < 0.5 else float(rng.uniform(0, 1.0))
    camera = PinholeCamera(
        WIDTH_PX, HEIGHT_PX, die_px / 18 * distance, distance, (0.0, 0.0), tilt, float(rng.uniform(0, 7)),
        float(rng.normal(0, 0.1)),
    )  # fmt: skip
    lamp = random_lamp(rng)
    canvas = lay_surface(
        camera, bank.pick(rng), float(np.clip(rng.uniform(0.3, 1.2) / camera.px_per_mm() * 2, 0.1, 2)), lamp
    )
    if rng.random() < 0.3:  # a tray or a sheet
        w, h = rng.uniform(0.3, 0.9, 2) * (WIDTH_PX, HEIGHT_PX)
        x, y = rng.uniform(0, WIDTH_PX - w), rng.uniform(0, HEIGHT_PX - h)
        patch = canvas[int(y) : int(y + h), int(x) : int(x + w)]
        patch *= rng.uniform(0.2, 1.5, 3).astype(np.float32)
        np.clip(patch, 0, 255, out=patch)
    if rng.random() < 0.3:
        lay_trays(canvas, camera, rng)
    for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.4 else 0):
        lay_sheet(
            canvas, TRAINING_SHEETS[int(rng.integers(len(TRAINING_SHEETS)))](rng), float(rng.uniform(0.5, 1)), rng
        )
    if rng.random() < 0.75:
        scatter(canvas, camera.px_per_mm(), lamp.ambient + 0.5 * (1 - lamp.ambient), rng, ALL_THINGS)
    drawn = draw_dice(canvas, camera, _dice(camera, rng, len(fonts)), lamp, fonts)
    boxes = []
    for box, visible in zip(drawn.boxes_xyxy_px, drawn.visible, strict=True):
        if visible > 0.35:
            boxes.append(np.clip(box, 0, (WIDTH_PX, HEIGHT_PX, WIDTH_PX, HEIGHT_PX)))
    image = photograph(drawn.canvas_bgr, random_optics(rng, 0.8), rng)
    return image, np.array(boxes, np.float32).reshape(-1, 4)


def draw_shard(rng: np.random.Generator, size: int, name: str) -> dict[str, np.ndarray]:
    """Many of them, as `scenes_of` reads them."""
    fonts, bank = training_fonts(), TextureBank(rng, 30)
    files, boxes, owners = [], [], []
    for i in tqdm(range(size), desc=name, mininterval=10):
        image, found = draw_scene(rng, fonts, bank)
        files.append(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
        boxes.append(found)
        owners.append(np.full(len(found), i))
    return {
        "files": np.concatenate(files), "ends": np.cumsum([len(f) for f in files]),
        "boxes": np.concatenate(boxes), "owners": np.concatenate(owners),
    }  # fmt: skip


if __name__ == "__main__":
    draw_shards("scenes", 5000, 10, 500, draw_shard, __doc__)
