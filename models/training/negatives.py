"""Things that a detector of dice takes for dice until it has seen them: medals, balls, tags, labels, clip art."""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from draws import random_color
from empty_prints import Pen

from tablesight.vision.simulator.noise import smooth_noise

Sprite = tuple[np.ndarray, np.ndarray]
"""BGR (n, n, 3) uint8 and alpha (n, n) uint8."""
_CLIPART: Final = Path("/usr/share/openclipart/png")
"""Debian's openclipart-png: eight thousand drawings in the public domain."""
_DICE_WORDS: Final = ("dice", "die_", "d20", "domino")


def _ink(rng: np.random.Generator) -> tuple[int, int, int]:
    r, g, b = (int(v) for v in random_color(rng))
    return r, g, b


def _grid(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns and rows from -1 to 1 over the thing, which fills all but 4 px at each side."""
    line = (np.arange(size + 8, dtype=np.float32) - (size + 7) / 2) / (size / 2)
    return line[None, :], line[:, None]


def _shaded(height: np.ndarray, body: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A surface of this height, in widths of the thing, lit from a side."""
    dy, dx = np.gradient(height)
    angle, steep = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.4)
    light = 0.75 + steep * (dx * np.cos(angle) + dy * np.sin(angle))
    shine = np.clip(light - rng.uniform(0.9, 1.3), 0, 1) * rng.uniform(0, 1.5)
    shaded: np.ndarray = np.clip(body * np.clip(light, 0.1, 1.6)[..., None] + 200 * shine[..., None], 0, 255)
    return shaded.astype(np.uint8)


def medal(size: int, rng: np.random.Generator) -> Sprite:
    """A worn coin: a round or bent disc with a relief that is no number."""
    n = size + 8
    x, y = _grid(size)
    bent = 1 + 0.12 * rng.random() * np.sin(np.arctan2(y, x) * int(rng.integers(2, 6)) + rng.uniform(0, 7))
    radius = np.hypot(x, y) * bent
    alpha = np.clip((0.98 - radius) * size / 4, 0, 1)
    relief = smooth_noise(n, n, max(2.0, size * rng.uniform(0.04, 0.2)), rng)
    relief = relief * (radius < 0.75) + 0.5 * np.exp(-(((radius - 0.88) / 0.05) ** 2)) * (rng.random() < 0.7)
    metals = ((60, 120, 170), (150, 160, 165), (70, 170, 205), (90, 95, 100), (130, 130, 130))
    body = np.array(metals[int(rng.integers(len(metals)))], np.float32) * rng.uniform(0.6, 1.4)
    return _shaded(relief * size * rng.uniform(0.02, 0.12), body, rng), (alpha * 255).astype(np.uint8)


def ball(size: int, rng: np.random.Generator) -> Sprite:
    """A marble, bead, berry, bulb or lamp: round or long, of one colour or veined, with a glint."""
    n = size + 8
    x, y = _grid(size)
    radius = np.hypot(x, y / rng.uniform(0.6, 1))
    body = np.broadcast_to(random_color(rng), (n, n, 3))
    if rng.random() < 0.5:
        veins = smooth_noise(n, n, max(2.0, size * rng.uniform(0.05, 0.4)), rng)[..., None]
        body = body * veins + np.array(random_color(rng)) * (1 - veins)
    lit = np.sqrt(np.clip(1 - radius**2, 0, 1)) * rng.uniform(0.2, 0.8) + rng.uniform(0.2, 0.8)
    spot = rng.uniform(-0.5, 0.5, 2)
    glint = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (2 * rng.uniform(0.05, 0.3) ** 2)) * rng.uniform(0, 230)
    image = np.clip(body * lit[..., None] + glint[..., None], 0, 255).astype(np.uint8)
    return image, (np.clip((1 - radius) * size / rng.uniform(3, 12), 0, 1) * 255).astype(np.uint8)


def tag(size: int, rng: np.random.Generator) -> Sprite:
    """A square tag or matrix code, as on mats and parcels."""
    cells = int(rng.integers(5, 14))
    code = np.zeros((cells + 2, cells + 2), np.uint8)
    code[1:-1, 1:-1] = (rng.random((cells, cells)) < 0.5) * 255
    if rng.random() < 0.3:
        code = 255 - code
    rim = int(rng.integers(0, 3))
    code = np.pad(code, rim, constant_values=255 if code[0, 0] == 0 else 0)
    image = np.full((size + 8, size + 8, 3), 255, np.uint8)
    pair = np.sort(rng.uniform(0, 255, 2)) if rng.random() < 0.3 else np.array([rng.uniform(0, 50), 235])
    square = cv2.resize(code, (size, size), interpolation=cv2.INTER_NEAREST).astype(np.float32) / 255
    image[4:-4, 4:-4] = (pair[0] + square * (pair[1] - pair[0]))[..., None].astype(np.uint8)
    alpha = np.zeros((size + 8, size + 8), np.uint8)
    alpha[4:-4, 4:-4] = 255
    return image, alpha


def label(size: int, rng: np.random.Generator) -> Sprite:
    """A flat tile, key, sticker or space of a board, of any outline, with a sign or two on it."""
    n = size + 8
    paper, ink, line = (_ink(rng) for _ in range(3))
    pen = Pen(n, n, paper, rng)
    signs = string.ascii_letters + string.digits * 6 + "?!&%+*#"
    text = "".join(rng.choice(list(signs), int(rng.integers(0, 4))))
    pen.text((n / 2, n / 2), text, size * rng.uniform(0.2, 0.6), ink)
    for _ in range(int(rng.integers(0, 3))):
        place = tuple(n / 2 + rng.uniform(-0.36, 0.36, 2) * size)
        pen.text((float(place[0]), float(place[1])), str(rng.integers(0, 30)), size * rng.uniform(0.08, 0.16), ink)
    mask = Pen(n, n, (0, 0, 0), rng)
    corners = int(rng.choice((4, 4, 4, 6, 8, 40)))
    if corners == 4:
        w, h = size / 2, size / 2 * rng.uniform(0.55, 1)
        box = (n / 2 - w, n / 2 - h, n / 2 + w, n / 2 + h)
        round_px = size * rng.uniform(0, 0.2)
        mask.draw.rounded_rectangle(box, round_px, (255, 255, 255))
        pen.draw.rounded_rectangle(box, round_px, None, line, int(size * rng.uniform(0, 0.06)))
    else:
        angles = 2 * np.pi * np.arange(corners) / corners
        points = [(n / 2 + size / 2 * np.cos(a), n / 2 + size / 2 * np.sin(a)) for a in angles]
        mask.draw.polygon(points, (255, 255, 255))
        pen.draw.polygon(points, None, line, int(size * rng.uniform(0, 0.06)))
    return pen.bgr(), mask.bgr()[..., 0]


@cache
def _clipart_paths() -> tuple[Path, ...]:
    paths = sorted(_CLIPART.rglob("*.png"))
    return tuple(p for p in paths if not any(word in str(p).lower() for word in _DICE_WORDS))


def clipart(size: int, rng: np.random.Generator) -> Sprite:
    """A drawing of anything at all; a ball where Debian's openclipart-png is not installed."""
    paths = _clipart_paths()
    image = cv2.imread(str(paths[int(rng.integers(len(paths)))]), cv2.IMREAD_UNCHANGED) if paths else None
    if image is None or image.ndim != 3 or image.shape[2] != 4:
        return ball(size, rng)
    scale = size / max(image.shape[:2])
    w, h = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
    small = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA)
    n = size + 8
    left, top = (n - w) // 2, (n - h) // 2
    body, alpha = np.zeros((n, n, 3), np.uint8), np.zeros((n, n), np.uint8)
    body[top : top + h, left : left + w], alpha[top : top + h, left : left + w] = small[..., :3], small[..., 3]
    if rng.random() < 0.5:  # drawings have flat colours: real things do not
        grain = 0.5 + smooth_noise(n, n, max(2.0, size * rng.uniform(0.02, 0.4)), rng)
        body = np.clip(body * grain[..., None] + rng.normal(0, 12, 3), 0, 255).astype(np.uint8)
    return body, alpha


NEGATIVES: Final[dict[str, tuple[Callable[[int, np.random.Generator], Sprite], float]]] = {
    "medal": (medal, 24.0),
    "ball": (ball, 18.0),
    "tag": (tag, 26.0),
    "label": (label, 24.0),
    "clipart": (clipart, 45.0),
}
"""How to draw each, and how long it is, millimetres."""
