"""Light for photoreal tables: a room all round as a panorama with high range, and lamps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Panorama = npt.NDArray[np.float32]
RGB = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Lamp:
    """A square area lamp that shines on the table's middle: where it is and how large, centimetres, and its power."""

    position_cm: tuple[float, float, float]
    size_cm: float
    watts: float
    color: RGB


@dataclass(frozen=True, slots=True)
class Light:
    """`panorama` (h, 2h, 3) float32 RGB, its top row straight up. `white` is what a white sheet on the table sends back
    (RGB, before any exposure), without shadows."""

    panorama: Panorama
    lamps: tuple[Lamp, ...]
    white: RGB


_HEIGHT = 128


def random_light(held_out: bool, rng: np.random.Generator) -> Light:
    """A room with a window, a ceiling lamp, both or neither, and up to two lamps; `held_out` mixes them otherwise."""
    panorama = _walls(rng)
    if rng.random() < (0.55 if held_out else 0.45):
        for _ in range(int(rng.integers(1, 4))):
            _window(panorama, rng)
    if rng.random() < 0.5:
        _ceiling_lamp(panorama, rng)
    sky = _irradiance(panorama)
    lamps = []
    for _ in range(int(rng.choice(3, p=(0.2, 0.55, 0.25) if held_out else (0.25, 0.5, 0.25)))):
        share = float(np.exp(rng.uniform(np.log(0.3), np.log(2.5))))
        lamps.append(_lamp(sky, share, rng))
    white = sky / np.pi * 0.9
    for lamp in lamps:
        white = white + _from_lamp(lamp)
    return Light(panorama, tuple(lamps), (float(white[0]), float(white[1]), float(white[2])))


def _tint(rng: np.random.Generator, warm: float) -> npt.NDArray[np.float32]:
    """A light colour, RGB: `warm` -1 cold to 1 warm."""
    warm = float(np.clip(warm + rng.normal(0, 0.15), -1, 1))
    return np.array([1.0, 1 - 0.18 * max(0, warm) - 0.05 * max(0, -warm), 1 - 0.5 * max(0, warm)], np.float32) * (
        1 - 0.25 * max(0.0, -warm) * np.array([1, 0.5, 0], np.float32)
    )


def _walls(rng: np.random.Generator) -> Panorama:
    rows = np.linspace(1, -1, _HEIGHT, dtype=np.float32)[:, None, None]
    up, side, floor = (
        _tint(rng, rng.uniform(-0.3, 0.6)) * rng.uniform(*r) for r in ((0.3, 1), (0.15, 0.7), (0.05, 0.3))
    )
    walls = side + (up - side) * np.maximum(rows, 0) ** 0.7 + (floor - side) * np.maximum(-rows, 0)
    coarse = rng.uniform(0.5, 1.4, (5, 10, 3)).astype(np.float32) * rng.uniform(0.8, 1.2, (5, 10, 1)).astype(np.float32)
    blotches = cv2.resize(coarse, (2 * _HEIGHT, _HEIGHT), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.maximum(walls * blotches, 0.01), np.float32)


def _window(panorama: Panorama, rng: np.random.Generator) -> None:
    top, height = int(rng.integers(20, 42)), int(rng.integers(12, 34))
    left, width = int(rng.integers(0, 2 * _HEIGHT - 40)), int(rng.integers(10, 40))
    panorama[top : top + height, left : left + width] = _tint(rng, rng.uniform(-0.9, 0.2)) * rng.uniform(4, 25)
    if rng.random() < 0.7:  # a cross of bars
        panorama[top : top + height, left + width // 2] *= 0.05
        panorama[top + height // 2, left : left + width] *= 0.05


def _ceiling_lamp(panorama: Panorama, rng: np.random.Generator) -> None:
    disc = np.zeros(panorama.shape[:2], np.uint8)
    center = (int(rng.integers(2 * _HEIGHT)), int(rng.integers(6, 30)))
    cv2.ellipse(disc, center, (int(rng.integers(6, 24)), int(rng.integers(3, 8))), 0, 0, 360, 255, -1)
    panorama[disc > 0] = _tint(rng, rng.uniform(0, 1)) * rng.uniform(8, 50)


def _irradiance(panorama: Panorama) -> npt.NDArray[np.float64]:
    """Light that falls on the table from the upper half, RGB."""
    height = panorama.shape[0]
    polar = (np.arange(height // 2) + 0.5) / height * np.pi
    weight = np.sin(polar) * np.cos(polar) * (np.pi / height) * (2 * np.pi / panorama.shape[1])
    return np.asarray((panorama[: height // 2].astype(np.float64) * weight[:, None, None]).sum((0, 1)))


def _lamp(sky: npt.NDArray[np.float64], share: float, rng: np.random.Generator) -> Lamp:
    """A lamp that gives the table `share` times what the room gives."""
    around, slant = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 1.1)
    far = float(rng.uniform(45, 160))
    size = float(np.exp(rng.uniform(np.log(2), np.log(50))))
    position = (far * np.sin(slant) * np.cos(around), far * np.sin(slant) * np.sin(around), far * np.cos(slant))
    color = _tint(rng, rng.uniform(-0.4, 1.0))
    color = color / color.max()
    wanted = share * float(sky.mean())
    # Lambert: an area lamp of W watts gives W / pi / d^2 on its axis
    watts = wanted * np.pi * far**2 / max(0.2, float(np.cos(slant)))
    return Lamp(
        (float(position[0]), float(position[1]), float(position[2])), size, float(watts),
        (float(color[0]), float(color[1]), float(color[2])),
    )  # fmt: skip


def _from_lamp(lamp: Lamp) -> npt.NDArray[np.float64]:
    position = np.array(lamp.position_cm)
    far = float(np.linalg.norm(position))
    sheet: npt.NDArray[np.float64] = (
        np.array(lamp.color) * lamp.watts / np.pi / far**2 * position[2] / far * 0.9 / np.pi
    )
    return sheet
