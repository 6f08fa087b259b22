"""The prints of a die as one picture: a tile for each face, upright, laid on by plane projection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR

# How a face's print is chosen and turned is the simulator's own business; here it must come out the same.
from tablesight.vision.simulator.die_renderer import _print, _print_up
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.polyhedra import polyhedron
from tablesight.vision.simulator.styles import DieStyle

Array = npt.NDArray[np.float64]
TILE_PX: Final = 160


@dataclass(frozen=True, slots=True)
class FacePrint:
    """A face of the die with inscribed sphere 1: its middle, unit vectors to the top and to the right of its print
    (3,), the radius of its inscribed circle, and half the side of its tile."""

    normal: Array
    center: Array
    up: Array
    right: Array
    inradius: float
    reach: float


def face_prints(style: DieStyle) -> tuple[FacePrint, ...]:
    """Where each face's print lies, as the simulator turns it."""
    shape = polyhedron(style.sides)
    rng = np.random.default_rng(style.seed)
    prints = []
    for face, turn in [(face, _print_up(face, style, rng)) for face in shape.faces]:
        up = turn[0] * face.axis_u + turn[1] * face.axis_w
        reach = float(np.linalg.norm(face.plane_xy, axis=1).max()) * 1.15
        prints.append(FacePrint(face.normal, face.center, up, np.cross(up, face.normal), face.inradius, reach))
    return tuple(prints)


def columns(sides: int) -> int:
    """The tiles stand in rows of so many."""
    return int(np.ceil(sides**0.5))


def print_sheet(style: DieStyle, fonts: NumeralFonts, wear: float, rng: np.random.Generator) -> ImageBGR:
    """The sheet of tiles, blue first: red says where paint is, green which of the inks, blue how deep it is cut.

    `wear` (0 to 1) is the share of the paint that has come off.
    """
    across = columns(style.sides)
    sheet = np.zeros((across * TILE_PX, across * TILE_PX, 3), np.uint8)
    inks = list(style.ink_bgr)
    for index, place in enumerate(face_prints(style)):
        mask, reach = _print(style, index, fonts)
        size = round(TILE_PX * reach * place.inradius / place.reach)
        large = cv2.resize(mask, (size, size), interpolation=cv2.INTER_CUBIC)
        crisp = np.clip((large - 0.5) * 2.2 + 0.5, 0, 1)
        tile = np.zeros((TILE_PX, TILE_PX), np.float32)
        offset = (TILE_PX - size) // 2
        if offset >= 0:
            tile[offset : offset + size, offset : offset + size] = crisp
        else:
            tile[:] = crisp[-offset : TILE_PX - offset, -offset : TILE_PX - offset]
        paint = tile
        if wear > 0:
            field = cv2.resize(
                rng.random((40, 40)).astype(np.float32), (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC
            )
            paint = tile * np.clip((field - wear) * 8 + 0.5, 0, 1)
        row, column = divmod(index, across)
        cell = sheet[row * TILE_PX : (row + 1) * TILE_PX, column * TILE_PX : (column + 1) * TILE_PX]
        cell[..., 2] = np.round(paint * 255)
        cell[..., 1] = 255 * inks.index(style.inks[index])
        cell[..., 0] = np.round(cv2.GaussianBlur(tile, (0, 0), 1.8) * 255)
    return sheet
