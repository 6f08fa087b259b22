"""Random lamps, surfaces, cameras and dice shared by the crop and the scene generator."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import COLORS, KINDS, SIDES, Color
from tablesight.vision.posterior import SHAPES
from tablesight.vision.simulator.die_renderer import Lamp
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import Optics
from tablesight.vision.simulator.styles import DieStyle, random_style, weighted
from tablesight.vision.simulator.surfaces import SURFACES, surface_texture

REPO = Path(__file__).resolve().parents[2]
DATA = REPO / "data"


def training_fonts() -> NumeralFonts:
    """The fonts for training; none of them is on the simulated table."""
    return NumeralFonts.load(DATA / "numerals_train.npz")


def random_lamp(rng: np.random.Generator) -> Lamp:
    """A lamp from any side: warm or cold; one in four a bare bulb with little light from elsewhere."""
    warm = rng.uniform(-1, 1) * rng.random()
    gain = (float(1 - 0.32 * max(0, warm) + 0.1 * max(0, -warm)), 1.0, float(1 + 0.12 * warm))
    level = rng.uniform(0.75, 1.2)
    bare = rng.random() < 0.25
    return Lamp(
        direction=(float(rng.normal(0, 1)), float(rng.normal(0, 1)), float(rng.uniform(0.7, 2.6))),
        ambient=float(rng.uniform(0.18, 0.45) if bare else rng.uniform(0.3, 0.88)),
        gain_bgr=tuple(float(g * level) for g in gain),  # type: ignore[arg-type]
        shadow=float(rng.uniform(0.55, 0.85) if bare else rng.uniform(0.1, 0.75)),
        softness_mm=float(rng.uniform(0.3, 1.5) if bare else rng.uniform(0.8, 9)),
    )


def random_optics(rng: np.random.Generator, scale: float = 1.0) -> Optics:
    """A lens, sensor and file from good to cheap; `scale` multiplies the blur."""
    return Optics(
        blur_px=float(rng.uniform(0.2, 1.3) * scale),
        noise=float(rng.uniform(0, 0.035) * rng.random()),
        vignette=float(rng.uniform(0, 0.5)),
        gain_bgr=(float(rng.uniform(0.88, 1.12)), 1.0, float(rng.uniform(0.88, 1.12))),
        gamma=float(rng.uniform(0.8, 1.25)),
        sharpen=float(rng.uniform(0, 1.0)),
        jpeg_quality=int(rng.integers(55, 97)) if rng.random() < 0.8 else None,
    )


ROUNDEST = {6: 0.5, 8: 0.4, 12: 0.6, 20: 0.75, 10: 0.4}
"""By sides, the largest rounding (`DieStyle.rounding`): tumbled dice, the outline of a d20 nearly a circle."""


def random_die_style(rng: np.random.Generator, fonts: int) -> DieStyle:
    """Any die; half of them with sharp edges, as cast, the others rounded, as tumbled; clear ones like glass or milky:
    on a coloured cloth they have its colour."""
    style = _sharp_die_style(rng, fonts)
    if style.finish == "clear":
        style = replace(style, opacity=float(rng.uniform(0.12, 0.88)))
    return replace(style, rounding=float(rng.uniform(0.05, ROUNDEST[style.sides]))) if rng.random() < 0.5 else style


def _sharp_die_style(rng: np.random.Generator, fonts: int) -> DieStyle:
    """One in ten a blue or a glitter d6, which are the hardest to tell apart; one in twenty clear, with the cloth seen
    through; five in ten of the thirteen kinds; the rest any colour with any shape, the hardest most often."""
    pick = rng.random()
    if pick < 0.1:
        twin: Color = "glitter" if rng.random() < 0.5 else "blue"
        return random_style(twin, 6, rng, fonts, pips=0.0, wide=bool(rng.random() < 0.4))
    if pick < 0.15:
        return random_style("clear", SIDES[int(rng.integers(4))], rng, fonts, pips=0.1, wide=True)
    if pick < 0.65:
        kind = list(KINDS.values())[int(rng.integers(len(KINDS)))]
        return random_style(kind.color, kind.sides, rng, fonts, pips=0.12, wide=bool(rng.random() < 0.4))
    sides = SHAPES[int(rng.choice(5, p=(0.15, 0.19, 0.15, 0.46, 0.05)))]
    color: Color = "other" if rng.random() < 0.6 else COLORS[int(rng.integers(len(COLORS)))]
    return random_style(color, sides, rng, fonts, pips=0.4, wide=True)


def random_color(rng: np.random.Generator) -> tuple[float, float, float]:
    """Any colour, BGR."""
    pixel = np.array([[[rng.integers(180), int(255 * rng.random() ** 0.7), int(rng.uniform(15, 255))]]], np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(float)
    return float(b), float(g), float(r)


class TextureBank:
    """Surfaces drawn once per process; each use is recoloured a little by the caller's lamp."""

    def __init__(self, rng: np.random.Generator, count: int = 60, size_px: int = 640) -> None:
        weights = (14, 20, 14, 14, 14, 8, 10, 6)
        self._textures = [
            surface_texture(weighted(rng, SURFACES, weights), size_px, size_px, rng) for _ in range(count)
        ]

    def pick(self, rng: np.random.Generator) -> ImageBGR:
        """One of the textures, mirrored and shifted at random."""
        texture = self._textures[int(rng.integers(len(self._textures)))]
        texture = np.rot90(texture, int(rng.integers(4)))
        return np.ascontiguousarray(np.roll(texture, rng.integers(texture.shape[0], size=2), (0, 1)))
