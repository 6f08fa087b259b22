"""What a photoreal die is made of: figures for Cycles, drawn at random within what its style says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tablesight.vision.simulator.styles import BGR, DieStyle, Finish

RGB = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Material:
    """Colours are linear RGB, 0 to 1. `inks` are the paints of the prints (a die has one or two), `scale` is the size
    of the swirl or speckle in 1/cm, `flakes` how many glitter flakes there are along a centimetre and `flake_share` how
    many of them shine; `engraving` is how deep the print is cut, 0 to 1."""

    finish: Finish
    body: RGB
    second: RGB
    inks: tuple[RGB, ...]
    roughness: float
    coat: float
    transmission: float
    ior: float
    scale: float
    distortion: float
    contrast: float
    flakes: float
    flake_share: float
    flake: RGB
    engraving: float
    ink_roughness: float
    ink_metal: float
    seed: int


def linear(color: BGR) -> RGB:
    """sRGB 0 to 255, blue first, as linear RGB 0 to 1."""
    values = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10.31 else c / 255 / 12.92 for c in reversed(color)]
    return (values[0], values[1], values[2])


def random_material(style: DieStyle, held_out: bool, rng: np.random.Generator) -> Material:
    """A material for this style; `held_out` draws from ranges that training does not see."""

    def between(train: tuple[float, float], held: tuple[float, float]) -> float:
        return float(rng.uniform(*(held if held_out else train)))

    body = linear(style.body_bgr)
    transmission, roughness = 0.0, between((0.08, 0.5), (0.03, 0.38))
    if style.finish == "clear":
        transmission = between((0.85, 1.0), (0.9, 1.0))
        roughness = between((0.03, 0.22), (0.0, 0.15))
        top = max(body)
        if style.color == "clear":
            body = (0.93 + 0.07 * body[0], 0.93 + 0.07 * body[1], 0.93 + 0.07 * body[2])
        else:  # light goes through the tint twice or more: start from a lighter one
            body = (_lift(body[0] / top), _lift(body[1] / top), _lift(body[2] / top))
    elif style.finish == "metal":
        roughness = between((0.15, 0.5), (0.2, 0.45))
    elif style.finish == "glitter" and rng.random() < 0.3:
        transmission = between((0.1, 0.4), (0.15, 0.5))
    elif rng.random() < 0.12:  # a little see-through
        transmission = between((0.05, 0.3), (0.1, 0.4))
    inks = tuple(linear(bgr) for bgr in style.ink_bgr.values())
    warm = rng.uniform(0.0, 1.0)
    return Material(
        style.finish,
        body,
        linear(style.second_bgr),
        inks,
        roughness,
        float(rng.uniform(0.3, 1)) if style.gloss > 0.4 or style.finish == "glitter" else 0.0,
        transmission,
        between((1.45, 1.55), (1.5, 1.58)),
        between((0.6, 3.0), (0.9, 4.0)),
        between((0.0, 3.0), (1.0, 4.5)),
        between((1.5, 8), (2, 9)),
        between((10, 22), (14, 28)),
        between((0.06, 0.3), (0.1, 0.36)),
        (0.1 + 0.5 * warm, 0.25 + 0.5 * float(rng.random()), 0.9),
        between((0.15, 0.9), (0.3, 1.0)),
        float(rng.uniform(0.3, 0.7)),
        float(rng.uniform(0.2, 0.8)) if "gold" in style.ink_bgr and rng.random() < 0.6 else 0.0,
        int(rng.integers(1 << 20)),
    )


def _lift(channel: float) -> float:
    return float(np.clip(channel, 0.03, 1) ** 0.6)
