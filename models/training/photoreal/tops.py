"""What photoreal tables are covered with. Training and held-out tables have different coverings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.simulator.noise import smooth_noise
from tablesight.vision.simulator.styles import weighted
from tablesight.vision.simulator.surfaces import SurfaceKind, surface_texture

Pixels = npt.NDArray[np.float32]
SIZE_PX: Final = 900
_TRAIN: Final[tuple[SurfaceKind, ...]] = ("wood", "felt", "plain", "cloth", "print", "stripes")
_HELD_OUT: Final = ("wood", "planks", "felt", "tartan", "map", "leather", "marble", "paper")


@dataclass(frozen=True, slots=True)
class TableTop:
    """`texture_bgr` (900, 900, 3) covers `size_cm` of the table and is mirrored beyond."""

    texture_bgr: ImageBGR
    size_cm: float
    turn_rad: float
    roughness: float


def random_top(held_out: bool, rng: np.random.Generator) -> TableTop:
    """A covering; `held_out` ones are not seen in training."""
    if held_out:
        kind = weighted(rng, _HELD_OUT, (3, 2, 3, 2, 2, 2, 2, 2))
        image = _held_out(kind, rng)
    else:
        kind = weighted(rng, _TRAIN, (6, 6, 3, 4, 3, 1))
        image = surface_texture(kind, SIZE_PX, SIZE_PX, rng)
    shiny = kind in ("wood", "planks", "marble", "plain", "leather")
    return TableTop(
        image,
        float(rng.uniform(12, 40)),
        float(rng.uniform(0, 2 * np.pi)),
        float(rng.uniform(0.2, 0.7) if shiny else rng.uniform(0.7, 1.0)),
    )


def _color(rng: np.random.Generator, saturation: tuple[int, int], value: tuple[int, int]) -> Pixels:
    pixel = np.array([[[rng.integers(180), rng.integers(*saturation), rng.integers(*value)]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _held_out(kind: str, rng: np.random.Generator) -> ImageBGR:
    n = SIZE_PX
    image: npt.NDArray[np.floating[Any]]
    if kind in ("wood", "planks"):
        base = np.array([rng.uniform(25, 110), rng.uniform(60, 160), rng.uniform(100, 215)], np.float32)
        along = cv2.resize(smooth_noise(n, n // 14, 4, rng), (n, n), interpolation=cv2.INTER_CUBIC)
        broad = cv2.resize(smooth_noise(n, n // 8, 60, rng), (n, n), interpolation=cv2.INTER_CUBIC)
        image = base * (0.72 + 0.3 * along + 0.25 * broad)[..., None]
        if kind == "planks":
            step = int(rng.integers(160, 420))
            for y in range(int(rng.integers(step)), n, step):
                image[y - step if y >= step else 0 : y] *= rng.uniform(0.75, 1.15)
                image[y : y + 5] *= 0.3
    elif kind == "felt":
        base = _color(rng, (60, 220), (40, 170))
        fibres = smooth_noise(n, n, 2, rng) + smooth_noise(n, n, 4, rng) + 0.5 * smooth_noise(n, n, 40, rng)
        image = base * (0.55 + 0.36 * fibres)[..., None]
    elif kind == "tartan":
        image = np.empty((n, n, 3), np.float32)
        image[:] = _color(rng, (40, 200), (60, 220))
        for _ in range(int(rng.integers(3, 7))):
            color, period, width = (
                _color(rng, (20, 220), (20, 240)),
                int(rng.integers(120, 420)),
                int(rng.integers(10, 80)),
            )
            start = int(rng.integers(period))
            for x in range(start, n, period):
                image[:, x : x + width] += (color - image[:, x : x + width]) * 0.5
                image[x : x + width] += (color - image[x : x + width]) * 0.5
        image *= (0.85 + 0.3 * smooth_noise(n, n, 3, rng))[..., None]
    elif kind == "map":  # a printed play mat: regions, lines, hexagons
        field = smooth_noise(n, n, 120, rng) + 0.5 * smooth_noise(n, n, 30, rng)
        colors = np.stack([_color(rng, (30, 190), (60, 230)) for _ in range(6)])
        image = colors[np.clip((field * 4).astype(int), 0, 5)]
        ink = _color(rng, (0, 120), (0, 90)).tolist()
        side = int(rng.integers(50, 140))
        for row in range(-1, n // side + 2):
            for column in range(-1, n // side + 2):
                middle = (column * side * 1.732 + (row % 2) * side * 0.866, row * side * 1.5)
                corners = [
                    (middle[0] + side * np.sin(a), middle[1] + side * np.cos(a)) for a in np.arange(6) * np.pi / 3
                ]
                cv2.polylines(image, [np.round(corners).astype(np.int32)], True, ink, 2, cv2.LINE_AA)
    elif kind == "leather":
        base = _color(rng, (60, 200), (30, 130))
        cells = np.abs(smooth_noise(n, n, 10, rng) - 0.5) + np.abs(smooth_noise(n, n, 16, rng) - 0.5)
        image = base * (0.7 + 0.7 * np.clip(cells, 0, 0.7))[..., None]
    elif kind == "marble":
        base, vein = _color(rng, (0, 40), (60, 250)), _color(rng, (0, 90), (20, 240))
        field = smooth_noise(n, n, 128, rng) + 0.4 * smooth_noise(n, n, 40, rng) + 0.15 * smooth_noise(n, n, 8, rng)
        veins = np.exp(-np.abs(field - 0.8) * rng.uniform(15, 60))[..., None]
        image = base + (vein - base) * veins
    else:
        base = _color(rng, (0, 50), (190, 255))
        image = base * (0.96 + 0.06 * smooth_noise(n, n, 2, rng))[..., None]
        line = _color(rng, (60, 200), (90, 220)).tolist()
        step = int(rng.integers(40, 120))
        if rng.random() < 0.6:  # squared or ruled
            for x in range(0, n, step):
                cv2.line(image, (0, x), (n, x), line, 2, cv2.LINE_AA)
                if rng.random() < 0.9:
                    cv2.line(image, (x, 0), (x, n), line, 2, cv2.LINE_AA)
    texture: ImageBGR = np.clip(image, 0, 255).astype(np.uint8)
    return texture
