"""What lies under the dice: wood, felt, cloth, paper, stone, print. Textures at half a millimetre a pixel."""

from __future__ import annotations

from typing import Final, Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.simulator.noise import smooth_noise

SurfaceKind = Literal["plain", "wood", "felt", "cloth", "paper", "stone", "print", "stripes"]
SURFACES: Final[tuple[SurfaceKind, ...]] = get_args(SurfaceKind)
MM_PER_PX: Final = 0.5
Pixels = npt.NDArray[np.float32]


def _color(hue: tuple[float, float], sat: tuple[float, float], val: tuple[float, float], rng: np.random.Generator):  # type: ignore[no-untyped-def]
    pixel = np.array([[[int(rng.uniform(*hue)) % 180, int(rng.uniform(*sat)), int(rng.uniform(*val))]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def surface_texture(kind: SurfaceKind, height_px: int, width_px: int, rng: np.random.Generator) -> ImageBGR:
    """A texture (height, width, 3), uint8, to be laid by `tablesight.vision.simulator.scene.lay_surface`."""
    h, w = height_px, width_px
    if kind == "wood":
        base = _color((6, 20), (50, 190), (60, 225), rng)
        warp = smooth_noise(h, w, 120, rng) * rng.uniform(2, 12)
        rows = np.linspace(0, h * rng.uniform(0.01, 0.05), h, dtype=np.float32)[:, None]
        rings = 0.5 + 0.5 * np.sin((rows + warp) * rng.uniform(2, 7))
        fibre = cv2.resize(smooth_noise(h, max(4, w // 24), 2, rng), (w, h), interpolation=cv2.INTER_LINEAR)
        field = 1 - rng.uniform(0.05, 0.35) * rings - rng.uniform(0.05, 0.3) * (fibre - 0.5)
        image = base * field[..., None]
        if rng.random() < 0.5:  # planks
            for y in range(int(rng.integers(20, 120)), h, int(rng.integers(120, 260))):
                image[y : y + 2] *= 0.45
    elif kind == "felt":
        base = _color((0, 180), (60, 230), (35, 170), rng)
        grain = smooth_noise(h, w, 1.5, rng) + 0.6 * smooth_noise(h, w, 5, rng)
        image = base * (1 + rng.uniform(0.1, 0.5) * (grain - 0.8))[..., None]
    elif kind == "cloth":
        base = _color((0, 180), (0, 170), (60, 245), rng)
        period = rng.uniform(3, 9)
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        weave = np.sin(xx * 2 * np.pi / period) * np.sin(yy * 2 * np.pi / period)
        folds = smooth_noise(h, w, 110, rng)
        image = base * (1 + rng.uniform(0.03, 0.2) * weave + rng.uniform(0.05, 0.5) * (folds - 0.5))[..., None]
    elif kind == "paper":
        base = _color((0, 180), (0, 60), (170, 255), rng)
        image = base * (1 + 0.04 * (smooth_noise(h, w, 2, rng) - 0.5))[..., None]
    elif kind == "stone":
        base, other = _color((0, 180), (0, 70), (40, 235), rng), _color((0, 180), (0, 90), (20, 240), rng)
        field = smooth_noise(h, w, 60, rng) + 0.5 * smooth_noise(h, w, 14, rng) + 0.25 * smooth_noise(h, w, 3, rng)
        mix = np.clip((field - 0.9) * rng.uniform(0.8, 4) + 0.5, 0, 1)[..., None]
        image = base * (1 - mix) + other * mix
    elif kind == "print":
        image = _printed(h, w, rng)
    elif kind == "stripes":
        a, b = _color((0, 180), (0, 220), (30, 250), rng), _color((0, 180), (0, 220), (30, 250), rng)
        period = rng.uniform(10, 120)
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        bands = (np.sin(xx * 2 * np.pi / period) > 0).astype(np.float32)
        if rng.random() < 0.6:
            bands = np.abs(bands - (np.sin(yy * 2 * np.pi / period) > 0))
        image = a * (1 - bands[..., None]) + b * bands[..., None]
    else:
        base = _color((0, 180), (0, 200), (15, 255), rng)
        image = base * (1 + rng.uniform(0, 0.15) * (smooth_noise(h, w, 90, rng) - 0.5))[..., None]
    texture: ImageBGR = np.clip(image, 0, 255).astype(np.uint8)
    return texture


def _printed(h: int, w: int, rng: np.random.Generator) -> Pixels:
    """A score sheet, rulebook or box lid: lines of text and numbers, boxes, coloured blocks."""
    paper = _color((0, 180), (0, 90), (150, 255), rng)
    image = np.empty((h, w, 3), np.uint8)
    image[:] = paper
    for _ in range(int(rng.integers(0, 7))):
        x, y = int(rng.integers(w)), int(rng.integers(h))
        far = (x + int(rng.integers(20, 300)), y + int(rng.integers(20, 300)))
        color = _color((0, 180), (0, 230), (30, 250), rng).tolist()
        if rng.random() < 0.5:
            cv2.rectangle(image, (x, y), far, color, -1 if rng.random() < 0.5 else int(rng.integers(1, 5)))
        else:
            cv2.circle(image, (x, y), int(rng.integers(5, 80)), color, -1 if rng.random() < 0.5 else 3)
    ink = _color((0, 180), (0, 200), (0, 110), rng).tolist()
    size = rng.uniform(0.4, 2.2)
    step = max(8, int(30 * size))
    letters = "0123456789 aeionrtsPANDROYL6918"
    for y in range(step, h, step):
        if rng.random() < 0.3:
            continue
        line = "".join(letters[int(i)] for i in rng.integers(len(letters), size=int(rng.integers(4, 40))))
        place = (int(rng.integers(-40, w // 2)), y)
        cv2.putText(image, line, place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, max(1, int(size * 2)), cv2.LINE_AA)
    return image.astype(np.float32)
