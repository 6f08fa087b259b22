"""Things on photoreal tables that are no dice: coins, cards, pawns, plain cubes, beads, pens, phones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR

Shape = Literal["disc", "slab", "pawn", "cube", "ball", "rod"]
_KINDS: Final = ("coin", "chip", "card", "tile", "phone", "book", "pawn", "cube", "bead", "pen", "cup")
RGB = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Prop:
    """A thing that lies on the table. `size_cm` is width, depth, height; `picture_bgr` is printed on its top."""

    shape: Shape
    size_cm: RGB
    position_cm: RGB
    turn_rad: float
    color: RGB
    metal: float
    roughness: float
    picture_bgr: ImageBGR | None = None


def random_props(width_cm: float, height_cm: float, rng: np.random.Generator) -> tuple[Prop, ...]:
    """Up to fourteen things within this part of the table, some on top of each other."""
    props = []
    for _ in range(int(rng.integers(0, 15))):
        kind = _KINDS[int(rng.integers(len(_KINDS)))]
        place = (float(rng.uniform(-0.5, 0.5) * width_cm), float(rng.uniform(-0.5, 0.5) * height_cm))
        props.append(_prop(kind, place, rng))
    return tuple(props)


def _prop(kind: str, place: tuple[float, float], rng: np.random.Generator) -> Prop:
    color = _color(rng)
    shape: Shape = "slab"
    metal, roughness, picture = 0.0, float(rng.uniform(0.1, 0.8)), None
    if kind == "coin":
        shape, width, metal = "disc", float(rng.uniform(1.6, 2.8)), 1.0
        size = (width, width, 0.2)
        color = ((0.8, 0.45, 0.2), (0.6, 0.58, 0.52), (0.75, 0.6, 0.25))[int(rng.integers(3))]
        picture = _round_print(rng, True)
        roughness = float(rng.uniform(0.2, 0.5))
    elif kind == "chip":
        shape, width = "disc", float(rng.uniform(1.5, 4.0))
        size, picture = (width, width, 0.35), _round_print(rng, False)
    elif kind == "card":
        size, picture = (6.3, 8.8, 0.04), _card(rng, 400, 560)
    elif kind == "tile":
        width = float(rng.uniform(1.5, 4.5))
        size, picture = (width, width, float(rng.uniform(0.15, 0.7))), _card(rng, 300, 300)
    elif kind == "phone":
        size, picture, color = (7.2, 15.0, 0.8), _card(rng, 400, 830, dark=True), (0.02, 0.02, 0.02)
        roughness = 0.08
    elif kind == "book":
        size, picture = (float(rng.uniform(12, 22)), float(rng.uniform(15, 28)), 0.5), _card(rng, 600, 800)
    elif kind == "pawn":
        width = float(rng.uniform(1.2, 1.8))
        shape, size = "pawn", (width, width, width * 1.8)
    elif kind == "cube":
        width = float(rng.uniform(0.8, 2.0))
        shape, size = "cube", (width, width, width)
    elif kind == "bead":
        width = float(rng.uniform(0.6, 2.2))
        shape, size = "ball", (width, width, width * float(rng.uniform(0.4, 1)))
    elif kind == "pen":
        shape, size = "rod", (0.8, 14.0, 0.8)
    else:
        width = float(rng.uniform(5, 8))
        shape, size = "disc", (width, width, float(rng.uniform(1, 7)))
    return Prop(shape, size, (*place, size[2] / 2), float(rng.uniform(0, 7)), color, metal, roughness, picture)


def _color(rng: np.random.Generator) -> RGB:
    pixel = np.array([[[rng.integers(180), int(255 * rng.random() ** 0.6), int(rng.uniform(20, 255))]]], np.uint8)
    b, g, r = (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(float) / 255) ** 2.2
    return float(r), float(g), float(b)


def _bgr(rng: np.random.Generator) -> tuple[int, int, int]:
    r, g, b = (int(255 * c ** (1 / 2.2)) for c in _color(rng))
    return b, g, r


def _text(
    image: ImageBGR, center: tuple[float, float], height: float, text: str, ink: tuple[int, int, int],
    rng: np.random.Generator,
) -> None:  # fmt: skip
    font, width = int(rng.integers(0, 5)), max(1, int(height / rng.uniform(6, 12)))
    (w, h), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = height / h
    corner = (int(center[0] - w * scale / 2), int(center[1] + height / 2))
    cv2.putText(image, text, corner, font, scale, ink, width, cv2.LINE_AA)


def _round_print(rng: np.random.Generator, coin: bool) -> ImageBGR:
    image = np.full((256, 256, 3), 225 if coin else 255, np.uint8)
    if not coin:
        image[:] = _bgr(rng)
    ink = (90, 90, 90) if coin else _bgr(rng)
    cv2.circle(image, (128, 128), int(rng.uniform(95, 118)), ink, int(rng.integers(2, 12)), cv2.LINE_AA)
    if rng.random() < 0.8:
        _text(image, (128, 128), rng.uniform(50, 110), str(rng.integers(1, 51)), ink, rng)
    return image


def _card(rng: np.random.Generator, width: int, height: int, dark: bool = False) -> ImageBGR:
    image = np.empty((height, width, 3), np.uint8)
    image[:] = (12, 10, 10) if dark else _bgr(rng)
    for _ in range(int(rng.integers(0, 6))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        if rng.random() < 0.5:
            far = (x + int(rng.integers(20, width)), y + int(rng.integers(20, height // 2)))
            cv2.rectangle(image, (x, y), far, _bgr(rng), -1)
        else:
            cv2.circle(image, (x, y), int(rng.integers(10, width // 3)), _bgr(rng), -1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 10))):
        text = str(rng.integers(1, 100)) if rng.random() < 0.6 else "".join(rng.choice(list("AEJQKRSTabcn$&?"), 4))
        place = (rng.uniform(0, width), rng.uniform(0, height))
        _text(image, place, rng.uniform(15, 130), text, _bgr(rng), rng)
    return image
