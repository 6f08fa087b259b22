"""Sets of dice, one of each kind as a household owns them, drawn as a phone and as the table's camera see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import KINDS, SIDES
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import Lamp, PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import Optics, draw_dice, lay_surface, photograph
from tablesight.vision.simulator.styles import DieStyle, random_style
from tablesight.vision.simulator.surfaces import SurfaceKind, surface_texture

DiceSet = dict[str, DieStyle]
"""How each die is made and printed, by its kind; `foreign_set` has other names."""

SURFACES: Final[tuple[SurfaceKind, ...]] = ("wood", "wood", "felt", "felt", "plain", "cloth", "paper")
_STEP_MM: Final = 42.0


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """What lies there, and where (pixels)."""

    kind: str
    face: int
    value: int
    box_xyxy_px: BoxXYXY


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A picture (height, width, 3) of dice; `nadir_xy_px` is None for a photo taken by hand."""

    image_bgr: ImageBGR
    dice: tuple[DrawnDie, ...]
    nadir_xy_px: tuple[float, float] | None


def dice_set(rng: np.random.Generator, fonts: int) -> DiceSet:
    """One set: a font for all of it, materials and colours of any maker; sixes and nines are marked as they come."""
    font = int(rng.integers(fonts))
    made: DiceSet = {}
    for kind in KINDS.values():
        style = random_style(kind.color, kind.sides, rng, fonts, pips=0.15, wide=True)
        made[kind.id] = replace(style, font=font, numeral_scale=max(1.0, style.numeral_scale))
    return made


def foreign_set(rng: np.random.Generator, fonts: int, count: int = 13) -> DiceSet:
    """Dice that are none of the thirteen kinds: another colour, whatever the shape."""
    return {
        f"foreign-{number}": random_style("other", int(rng.choice(SIDES)), rng, fonts, pips=0.3)
        for number in range(count)
    }


def draw_table(
    dice: DiceSet, kinds: list[str], rng: np.random.Generator, fonts: NumeralFonts, by_hand: bool
) -> DrawnTable:
    """These kinds of a set, thrown: as a phone sees them, held by hand, or the camera over the table."""
    columns = int(np.ceil(np.sqrt(len(kinds) * 1.4)))
    rows = -(-len(kinds) // columns)
    placed = []
    for place, kind in enumerate(kinds):
        style = dice[kind]  # a household has several of a kind: one print, each its own piece of material
        style = replace(style, seed=(style.seed + 7919 * int(rng.integers(3))) % 2**31)
        x = (place % columns - (columns - 1) / 2) * _STEP_MM + rng.uniform(-9, 9)
        y = ((rows - 1) / 2 - place // columns) * _STEP_MM + rng.uniform(-9, 9)
        face = int(rng.integers(style.sides)) + 1
        placed.append(PlacedDie(style, face, float(x), float(y), float(rng.uniform(0, 2 * np.pi))))
    camera = _phone(columns, rows, rng) if by_hand else _table_camera(columns, rows, rng)
    lamp = _lamp(rng)
    texture = surface_texture(SURFACES[int(rng.integers(len(SURFACES)))], 640, 640, rng)
    canvas = lay_surface(camera, texture, 0.5, lamp)
    drawn = draw_dice(canvas, camera, tuple(placed), lamp, fonts)
    image = photograph(drawn.canvas_bgr, _optics(rng), rng)
    boxes = [_as_found(box, rng) for box in drawn.boxes_xyxy_px]
    truth = [
        DrawnDie(kind, die.face, -die.face if kind.startswith("red") and die.ink == "black" else die.face, box)
        for kind, die, box in zip(kinds, placed, boxes, strict=True)
    ]
    x, y, _ = camera.position_mm()
    nadir = camera.project(np.array([[x, y, 0.0]]))[0]
    return DrawnTable(image, tuple(truth), None if by_hand else (float(nadir[0]), float(nadir[1])))


def _table_camera(columns: int, rows: int, rng: np.random.Generator) -> PinholeCamera:
    """A 16 mm die is about 48 px across."""
    px_per_mm, distance = float(rng.uniform(2.7, 3.6)), float(rng.uniform(700, 1000))
    return PinholeCamera(
        round(px_per_mm * (columns + 1.0) * _STEP_MM), round(px_per_mm * (rows + 1.0) * _STEP_MM), px_per_mm * distance,
        distance, (0.0, 0.0), float(rng.uniform(0.02, 0.35)), float(rng.uniform(0, 2 * np.pi)),
    )  # fmt: skip


def _phone(columns: int, rows: int, rng: np.random.Generator) -> PinholeCamera:
    px_per_mm, distance = float(rng.uniform(4.0, 6.0)), float(rng.uniform(300, 500))
    return PinholeCamera(
        round(px_per_mm * (columns + 1.0) * _STEP_MM), round(px_per_mm * (rows + 1.0) * _STEP_MM), px_per_mm * distance,
        distance, (0.0, 0.0), float(rng.uniform(0.05, 0.6)), float(rng.uniform(-0.2, 0.2)), float(rng.normal(0, 0.08)),
    )  # fmt: skip


def _optics(rng: np.random.Generator) -> Optics:
    """Any decent camera; its white balance is a little off."""
    return Optics(
        blur_px=float(rng.uniform(0.4, 1.1)),
        noise=float(rng.uniform(0.004, 0.02)),
        vignette=float(rng.uniform(0, 0.3)),
        gain_bgr=(float(rng.uniform(0.93, 1.07)), 1.0, float(rng.uniform(0.93, 1.07))),
        gamma=float(rng.uniform(0.88, 1.12)),
        sharpen=float(rng.uniform(0, 0.7)),
        jpeg_quality=int(rng.integers(75, 95)),
    )


def _lamp(rng: np.random.Generator) -> Lamp:
    warm = float(rng.uniform(-0.6, 1.0))
    return Lamp(
        direction=(float(rng.normal(0, 0.6)), float(rng.normal(0, 0.6)), 1.0),
        ambient=float(rng.uniform(0.4, 0.75)),
        gain_bgr=(1 - 0.22 * max(0.0, warm) + 0.08 * max(0.0, -warm), 1.0, 1 + 0.08 * warm),
        shadow=float(rng.uniform(0.2, 0.6)),
        softness_mm=float(rng.uniform(1.5, 7)),
    )


def _as_found(box: BoxXYXY, rng: np.random.Generator) -> BoxXYXY:
    """The box as a detector would give it: off by a few hundredths."""
    x0, y0, x1, y1 = box
    size = max(x1 - x0, y1 - y0)
    off = rng.normal(0, 0.02, 4) * size
    return (float(x0 + off[0]), float(y0 + off[1]), float(x1 + off[2]), float(y1 + off[3]))
