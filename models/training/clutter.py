"""What lies on a game table and is no die: coins, cards, pawns, phones, print, pens, hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import cv2
import numpy as np
from draws import random_color
from negatives import NEGATIVES

from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.noise import smooth_noise


def _text(rng: np.random.Generator, size: float) -> tuple[str, float, int]:
    text = str(rng.integers(1, 100)) if rng.random() < 0.7 else "".join(rng.choice(list("AEKQRSTX$&?"), 2))
    scale = size / 45 * rng.uniform(0.5, 1.2)
    return text, scale, max(1, int(scale * rng.uniform(1.5, 3.5)))


def _sprite(kind: str, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A thing `size` px long: BGR (n, n, 3) uint8 and alpha (n, n) uint8."""
    if kind in NEGATIVES:
        return NEGATIVES[kind][0](size, rng)
    n = size + 8
    image, alpha = np.zeros((n, n, 3), np.uint8), np.zeros((n, n), np.uint8)
    middle, half = n // 2, size // 2
    color = random_color(rng)
    if kind == "coin":
        metal = ((60, 120, 170), (150, 160, 165), (70, 170, 205))[int(rng.integers(3))]
        image[:] = metal
        cv2.circle(alpha, (middle, middle), half, 255, -1, cv2.LINE_AA)
        cv2.circle(
            image, (middle, middle), int(half * 0.85), tuple(c * 0.7 for c in metal), max(1, half // 12), cv2.LINE_AA
        )
        text, scale, width = _text(rng, size)
        cv2.putText(
            image,
            text,
            (middle - half // 2, middle + half // 4),
            cv2.FONT_HERSHEY_SIMPLEX,
            scale,
            tuple(c * 0.5 for c in metal),
            width,
            cv2.LINE_AA,
        )
    elif kind in ("card", "phone", "tile", "book"):
        ratio = rng.uniform(0.45, 0.75) if kind != "tile" else rng.uniform(0.85, 1)
        w = int(half * ratio)
        cv2.rectangle(alpha, (middle - w, middle - half), (middle + w, middle + half), 255, -1)
        image[:] = (25, 22, 20) if kind == "phone" else color
        if kind == "phone" and rng.random() < 0.6:
            cv2.rectangle(image, (middle - w + 3, middle - half + 3), (middle + w - 3, middle + half - 3), color, -1)
        for _ in range(int(rng.integers(1, 6))):
            text, scale, width = _text(rng, size * 0.6)
            place = (middle + int(rng.uniform(-w, w * 0.3)), middle + int(rng.uniform(-half * 0.6, half)))
            cv2.putText(image, text, place, int(rng.integers(0, 5)), scale, random_color(rng), width, cv2.LINE_AA)
    elif kind == "pawn":
        cv2.circle(alpha, (middle, middle), half // 2, 255, -1, cv2.LINE_AA)
        image[:] = color
        cv2.circle(
            image,
            (middle - half // 8, middle - half // 8),
            half // 4,
            tuple(min(255, c * 1.3 + 20) for c in color),
            -1,
            cv2.LINE_AA,
        )
        if rng.random() < 0.5:
            cv2.ellipse(alpha, (middle, middle + half // 3), (half // 2, half // 2), 0, 0, 360, 255, -1)
    elif kind == "pen":
        cv2.line(alpha, (middle, 4), (middle, n - 4), 255, max(2, size // 14), cv2.LINE_AA)
        image[:] = color
    else:  # blob: a hand, a snack, a stain
        points = [
            (middle + half * rng.uniform(0.4, 1) * np.cos(a), middle + half * rng.uniform(0.4, 1) * np.sin(a))
            for a in np.linspace(0, 2 * np.pi, 9)[:-1]
        ]
        cv2.fillPoly(alpha, [np.array(points, np.int32)], 255, cv2.LINE_AA)
        skin = (rng.uniform(60, 180), rng.uniform(90, 190), rng.uniform(130, 235))
        image[:] = skin if rng.random() < 0.6 else color
        image = np.clip(image * (0.7 + 0.6 * smooth_noise(n, n, size / 4, rng)[..., None]), 0, 255).astype(np.uint8)
        alpha[:] = cv2.GaussianBlur(alpha, (0, 0), max(0.6, size / 40))
    return image, alpha


GAME_THINGS: Final = {
    "coin": 24.0, "card": 88.0, "phone": 150.0, "tile": 25.0, "book": 220.0, "pawn": 30.0, "pen": 140.0, "blob": 90.0,
}  # fmt: skip
"""What may lie on a game table, and how long it is, millimetres."""
ALL_THINGS: Final = {**GAME_THINGS, **{kind: size for kind, (_, size) in NEGATIVES.items()}}


def scatter(
    canvas_bgr: np.ndarray, scale: float, level: float, rng: np.random.Generator,
    kinds: Mapping[str, float] = GAME_THINGS,
) -> None:  # fmt: skip
    """Lays up to eight things on the table, in place. `scale` is pixels per millimetre, `level` the light."""
    height, width = canvas_bgr.shape[:2]
    for _ in range(int(rng.integers(0, 9))):
        kind = list(kinds)[int(rng.integers(len(kinds)))]
        size = int(np.clip(kinds[kind] * scale * rng.uniform(0.6, 1.5), 8, 420))
        image, alpha = _sprite(kind, size, rng)
        n = image.shape[0]
        turn = cv2.getRotationMatrix2D((n / 2, n / 2), float(rng.uniform(0, 360)), 1.0)
        image = cv2.warpAffine(image, turn, (n, n), borderMode=cv2.BORDER_REPLICATE)
        alpha = cv2.warpAffine(alpha, turn, (n, n))
        x, y = int(rng.uniform(-n / 2, width - n / 2)), int(rng.uniform(-n / 2, height - n / 2))
        x0, y0, x1, y1 = max(0, x), max(0, y), min(width, x + n), min(height, y + n)
        if x1 <= x0 or y1 <= y0:
            continue
        cut = (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))
        a = alpha[cut].astype(np.float32)[..., None] / 255
        if rng.random() < 0.7:  # its shadow
            shadow = cv2.GaussianBlur(alpha, (0, 0), max(1.0, size / 20))[cut].astype(np.float32)[..., None] / 255
            canvas_bgr[y0:y1, x0:x1] *= 1 - 0.3 * shadow
        region = canvas_bgr[y0:y1, x0:x1]
        region += (image[cut].astype(np.float32) * level - region) * a


def lay_trays(canvas_bgr: np.ndarray, camera: PinholeCamera, rng: np.random.Generator) -> None:
    """Lays up to three round or many-sided trays, lids, coasters or board spaces on the table, in place: as large as a
    die or ten times so, with rims, spokes and numbers, seen by the camera as the table is. Dice may lie in them."""
    drawn = np.clip(canvas_bgr, 0, 255).astype(np.uint8)
    to_px = camera.table_to_px()
    span_mm = np.array(canvas_bgr.shape[1::-1]) / camera.px_per_mm() / 2
    for _ in range(int(rng.integers(1, 4))):
        radius = float(np.exp(rng.uniform(np.log(9), np.log(130))))
        middle = rng.uniform(-0.8, 0.8, 2) * span_mm
        sides = int(rng.choice((4, 5, 6, 8, 12, 60), p=(0.15, 0.08, 0.2, 0.12, 0.1, 0.35)))
        angles = 2 * np.pi * np.arange(sides) / sides + rng.uniform(0, 7)

        def outline(
            share: float, middle: np.ndarray = middle, angles: np.ndarray = angles, radius: float = radius
        ) -> np.ndarray:
            points = middle + radius * share * np.stack([np.cos(angles), np.sin(angles)], 1)
            mapped = np.c_[points, np.ones(len(points))] @ to_px.T
            pixels: np.ndarray = np.round(np.clip(mapped[:, :2] / mapped[:, 2:], -4000, 4000) * 16).astype(np.int32)
            return pixels

        level = rng.uniform(0.4, 1.05)
        cv2.fillPoly(drawn, [outline(1.0)], tuple(c * level for c in random_color(rng)), cv2.LINE_AA, 4)
        for share in sorted(rng.uniform(0.25, 0.95, int(rng.integers(0, 4))), reverse=True):
            ring = tuple(c * level for c in random_color(rng))
            cv2.fillPoly(drawn, [outline(float(share))], ring, cv2.LINE_AA, 4)
        if rng.random() < 0.5:  # spokes or folds
            ink, heart, rim = random_color(rng), outline(0.0)[0], outline(float(rng.uniform(0.6, 1.0)))
            for corner in rim[:: max(1, sides // int(rng.integers(3, 9)))]:
                start, end = (int(heart[0]), int(heart[1])), (int(corner[0]), int(corner[1]))
                cv2.line(drawn, start, end, ink, int(rng.integers(1, 4)), cv2.LINE_AA, 4)
        if rng.random() < 0.35:
            text, scale, width = _text(rng, radius * camera.px_per_mm())
            place = (outline(0.0)[0] / 16).astype(int)
            spot = (int(place[0] - 10 * scale), int(place[1] + 10 * scale))
            cv2.putText(drawn, text, spot, int(rng.integers(0, 5)), scale, random_color(rng), width, cv2.LINE_AA)
    canvas_bgr[:] = drawn
