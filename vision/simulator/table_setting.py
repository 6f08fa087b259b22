"""One evening's table: how the camera hangs, what the table is made of, which lamp is on, how the dice are printed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.kinds import KINDS, Ink
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import Lamp
from tablesight.vision.simulator.styles import DieStyle, random_style
from tablesight.vision.simulator.surfaces import SURFACES, SurfaceKind
from tablesight.vision.zones import MAX_SEATS, Zone, default_zones, grid_rows

LampKind = Literal["soft", "hard", "warm", "cold"]
_LAMPS: Final[tuple[LampKind, ...]] = get_args(LampKind)

_QUIET_SURFACES: Final[tuple[SurfaceKind, ...]] = ("wood", "wood", "felt", "felt", "plain", "cloth")


@dataclass(frozen=True, slots=True)
class FieldOfView:
    """What the camera takes in, millimetres across, and the size of its still."""

    width_mm: float
    still_width_px: int
    still_height_px: int


def field_of_view(seats: int, mats: bool = False) -> FieldOfView:
    """More players need a larger table, and a larger table more pixels: a 16 mm die is always 46 px across or more.

    A table with mats must hold as many sheets of A4.
    """
    if mats:
        columns = max(grid_rows(seats))
        width_mm = 330 * max(columns, 2.4 * (1 + (len(grid_rows(seats)) > 1)) / 2)
        step = next((w for w in (2304, 2880, 3456, 4608) if w / width_mm >= 2.9), 4608)
        return FieldOfView(width_mm, step, step * 9 // 16)
    if seats <= 4:
        return FieldOfView(700, 2304, 1296)
    if seats <= 6:
        return FieldOfView(740, 2304, 1296)
    if seats <= 8:
        return FieldOfView(900, 2880, 1620)
    if seats <= MAX_SEATS:
        return FieldOfView(1080, 3456, 1944)
    raise ValueError(f"expected at most {MAX_SEATS} seats, got {seats!r}")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What may be chosen about the simulated table; None leaves it to the seed."""

    seed: int = 0
    surface: SurfaceKind | None = None
    lamp: LampKind | None = None
    shake_px: float = 0.0
    """The camera shakes by up to this many pixels of the still."""
    mats: bool = False
    """Each seat has a printed mat."""
    rounding: float = 0.0
    """How tumbled the dice are, as `DieStyle.rounding`: 0 has sharp edges, 0.3 is common in cheap dice."""

    @classmethod
    def parse(cls, text: str) -> TableOptions:
        """Options as written after "simulated:", such as "seed=7,surface=felt,lamp=hard,shake=5".

        Raises ValueError for anything else.
        """
        options = cls()
        for part in filter(None, text.split(",")):
            key, _, value = part.partition("=")
            try:
                if key == "seed" and int(value) >= 0:
                    options = replace(options, seed=int(value))
                elif key == "shake" and 0 <= float(value) <= 50:
                    options = replace(options, shake_px=float(value))
                elif key == "mats" and value in ("0", "1"):
                    options = replace(options, mats=value == "1")
                elif key == "rounding" and 0 <= float(value) <= 0.75:
                    options = replace(options, rounding=float(value))
                elif key == "surface":
                    options = replace(options, surface=SURFACES[SURFACES.index(value)])
                elif key == "lamp":
                    options = replace(options, lamp=_LAMPS[_LAMPS.index(value)])
                else:
                    raise ValueError(part)
            except ValueError as error:
                raise ValueError(
                    "expected seed=NUMBER from 0, shake=0 to 50, mats=0|1, rounding=0 to 0.75, lamp="
                    + "|".join(_LAMPS) + " or surface=" + "|".join(SURFACES) + f" after 'simulated:', got {part!r}"
                ) from error  # fmt: skip
        return options


@dataclass(frozen=True, slots=True)
class PlacedMat:
    """A mat on the table: its middle, millimetres, and how far it is turned (0: its top points away)."""

    seat: int
    x_mm: float
    y_mm: float
    turn_rad: float

    def to_table(self, layout: MatLayout) -> npt.NDArray[np.float64]:
        """The matrix (3, 3) from millimetres of the sheet to millimetres of the table."""
        c, s = math.cos(self.turn_rad), math.sin(self.turn_rad)
        turn = np.array([[c, -s, self.x_mm], [s, c, self.y_mm], [0, 0, 1.0]])
        from_middle = np.array([[1, 0, -layout.width_mm / 2], [0, -1, layout.height_mm / 2], [0, 0, 1.0]])
        return np.asarray(turn @ from_middle, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class TableSetting:
    """All that stays the same while a table is played on."""

    still_camera: PinholeCamera
    preview_camera: PinholeCamera
    lamp: Lamp
    surface: SurfaceKind
    vignette: float
    noise: float
    shake_px: float
    prints: dict[str, DieStyle]
    """How each kind of die is printed, by kind id: all dice of a kind alike."""
    mats: tuple[PlacedMat, ...] = ()
    mat_layout: MatLayout = field(default_factory=lambda: MatLayout.on("a4"))

    def style_of(self, kind: str, number: int) -> DieStyle:
        """The die `number` of a kind: the print of its kind in a piece of material of its own."""
        style = self.prints[kind]
        return replace(style, seed=(style.seed + 7919 * number) % 2**31)

    def mat_zones(self) -> tuple[Zone, ...]:
        """The roll areas of the mats as zones of the picture."""
        camera, zones = self.still_camera, []
        left, top, right, bottom = self.mat_layout.roll_area_mm()
        sheet = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]])
        for mat in self.mats:
            to_px = camera.table_to_px() @ mat.to_table(self.mat_layout)
            corners = cv2.perspectiveTransform(sheet, to_px)[0] / (camera.width_px, camera.height_px)
            zones.append(Zone(mat.seat, tuple((float(x), float(y)) for x, y in np.clip(corners, 0, 1))))
        return tuple(zones)

    def ink_of(self, kind: str, face: int) -> Ink:
        """The ink of a face: on red dice some are black, some white, the same ones on all dice of a kind."""
        style = self.prints[kind]
        return style.inks[style.face_index(face)]


def lay_table(seats: int, options: TableOptions, fonts: int) -> TableSetting:
    """Sets up the table of a seed; `fonts` is the number of fonts that the numerals file has."""
    rng = np.random.default_rng([options.seed, 20])
    view = field_of_view(seats, options.mats)
    distance_mm = view.width_mm * float(rng.uniform(1.0, 1.4))
    camera = PinholeCamera(
        view.still_width_px,
        view.still_height_px,
        view.still_width_px * distance_mm / view.width_mm,
        distance_mm,
        tilt_rad=math.radians(float(rng.uniform(0, 9))),
        roll_rad=math.radians(float(rng.normal(0, 1.0))),
    )
    lamp_kind = options.lamp or ("soft", "soft", "warm", "cold")[int(rng.integers(4))]
    surface = options.surface or _QUIET_SURFACES[int(rng.integers(len(_QUIET_SURFACES)))]
    return TableSetting(
        still_camera=camera,
        preview_camera=camera.resized(640),
        lamp=_lamp(lamp_kind, rng),
        surface=surface,
        vignette=float(rng.uniform(0.05, 0.25)),
        noise=float(rng.uniform(0.006, 0.014)),
        shake_px=options.shake_px,
        prints=_prints(options, fonts),
        mats=_mats(seats, view, rng) if options.mats else (),
    )


def _mats(seats: int, view: FieldOfView, rng: np.random.Generator) -> tuple[PlacedMat, ...]:
    """A mat in each zone of the default grid, a little askew; those of the far row face the far side."""
    height_mm = view.width_mm * view.still_height_px / view.still_width_px
    mats = []
    for zone in default_zones(seats):
        x, y = zone.center
        far = len(grid_rows(seats)) > 1 and y < 0.5
        place = ((x - 0.5) * view.width_mm * 0.97, (0.5 - y) * height_mm * 0.95)
        jitter = rng.normal(0, 3, 2)
        turn = (math.pi if far else 0.0) + float(rng.normal(0, math.radians(1.5)))
        mats.append(PlacedMat(zone.seat, place[0] + jitter[0], place[1] + jitter[1], turn))
    return tuple(mats)


def _lamp(kind: LampKind, rng: np.random.Generator) -> Lamp:
    around = float(rng.uniform(0, 2 * math.pi))
    flat = 1.3 if kind == "hard" else float(rng.uniform(0.2, 0.8))
    direction = (flat * math.cos(around), flat * math.sin(around), 1.0)
    gains = {"warm": (0.78, 0.94, 1.06), "cold": (1.07, 1.0, 0.93)}
    return Lamp(
        direction=direction,
        ambient=0.3 if kind == "hard" else float(rng.uniform(0.5, 0.7)),
        gain_bgr=gains.get(kind, (1.0, 1.0, 1.0)),
        shadow=0.75 if kind == "hard" else float(rng.uniform(0.25, 0.5)),
        softness_mm=0.8 if kind == "hard" else float(rng.uniform(2.5, 7.0)),
    )


def _prints(options: TableOptions, fonts: int) -> dict[str, DieStyle]:
    """One print for each kind: the same font throughout the box, sixes and nines marked where both occur.

    A box of dice is made to be read: of several drawn at random the most legible print is taken.
    """
    font = int(np.random.default_rng([options.seed, 21]).integers(fonts))
    prints: dict[str, DieStyle] = {}
    for number, kind in enumerate(KINDS.values()):
        rng = np.random.default_rng([options.seed, 22, number])
        drawn = [random_style(kind.color, kind.sides, rng, fonts, pips=0.25) for _ in range(6)]
        while kind.color == "red" and not any(len(set(style.inks)) == 2 for style in drawn):
            drawn.append(random_style(kind.color, kind.sides, rng, fonts))
        if kind.color == "red":
            drawn = [style for style in drawn if len(set(style.inks)) == 2]
        style = max(drawn, key=_legibility)
        if kind.sides >= 12 and style.six_nine == "none":
            style = replace(style, six_nine="underline")
        # the numbers of a d20 of 22 mm are 4.5 mm high, 0.6 of the circle in its faces
        least = 1.2 if kind.sides == 20 else 1.0
        scale = max(least, style.numeral_scale)
        prints[kind.id] = replace(style, font=font, numeral_scale=scale, rounding=options.rounding)
    return prints


def _legibility(style: DieStyle) -> float:
    """How far the ink (of red dice the worse one) is from the body, in brightness and colour."""
    body = np.array(style.body_bgr)
    weights = np.array([0.114, 0.587, 0.299])
    distances = []
    for ink_bgr in style.ink_bgr.values():
        step = np.array(ink_bgr) - body
        distances.append(abs(float(weights @ step)) + 0.2 * float(np.abs(step).sum()))
    return min(distances)
