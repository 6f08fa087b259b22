"""What lies on one photoreal table, under which light, seen from where. Everything random is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from draws import random_die_style

from photoreal.lights import Light, random_light
from photoreal.materials import Material, random_material
from photoreal.props import Prop, random_props
from photoreal.tops import TableTop, random_top
from tablesight.rules.games.panda_dice import BOX, IN_BAG, PINK, YELLOW_D6
from tablesight.vision.kinds import COLORS, KINDS, WIDTH_MM
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.polyhedra import polyhedron
from tablesight.vision.simulator.styles import DieStyle, random_style

Part = Literal["train", "held", "hands", "empty"]
PARTS: Final[tuple[Part, ...]] = ("train", "held", "hands", "empty")


@dataclass(frozen=True, slots=True)
class PlannedDie:
    """A die, what it is made of, and the radius of its rounded edges as a share of a face's inscribed circle."""

    die: PlacedDie
    material: Material
    rounding: float


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """One picture to be rendered. `fstop` None keeps everything sharp."""

    part: Part
    number: int
    camera: PinholeCamera
    dice: tuple[PlannedDie, ...]
    light: Light
    top: TableTop
    fstop: float | None
    samples: int
    props: tuple[Prop, ...] = ()

    @property
    def name(self) -> str:
        """Such as "train_00012"."""
        return f"{self.part}_{self.number:05d}"


class FaceDeck:
    """Deals faces so that each face of each shape comes up equally often."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._cards: dict[int, list[int]] = {}

    def deal(self, sides: int) -> int:
        """The next face of a die with so many sides."""
        cards = self._cards.setdefault(sides, [])
        if not cards:
            cards += [int(n) + 1 for n in self._rng.permutation(sides)]
        return cards.pop()


def plan_scene(part: Part, number: int, fonts: int) -> ScenePlan:
    """The table of this number. `fonts` is the number of fonts of this part; the same number gives the same plan."""
    rng = np.random.default_rng([PARTS.index(part), number, 4242])
    camera = _camera(part, rng)
    styles = _styles(part, rng, fonts)
    deck = FaceDeck(rng)
    places = _places(part, camera, styles, rng)
    dice = []
    for style, place in zip(styles, places, strict=False):
        placed = PlacedDie(
            style, deck.deal(style.sides), *place[:2], float(rng.uniform(0, 2 * np.pi)), width_mm=place[2]
        )
        rounding = float(rng.uniform(0.05, 0.24) if part == "train" else rng.uniform(0.08, 0.3))
        dice.append(PlannedDie(placed, random_material(style, part != "train", rng), rounding))
    sharp = rng.random() < 0.75
    view_cm = camera.width_px / camera.px_per_mm() / 10
    props = random_props(view_cm, view_cm * 0.8, rng) if part == "empty" else ()
    return ScenePlan(
        part, number, camera, tuple(dice), random_light(part != "train", rng), random_top(part != "train", rng),
        None if sharp else float(rng.uniform(4, 11)), 4, props,
    )  # fmt: skip


def _camera(part: Part, rng: np.random.Generator) -> PinholeCamera:
    tilt = float(rng.uniform(0, 0.28)) if rng.random() < 0.4 else float(rng.uniform(0, 0.95))
    width, view_mm = int(rng.integers(94, 130)) * 4, float(rng.uniform(138, 156))
    height = width * 25 // 32
    if part in ("hands", "empty"):
        width, height, view_mm = 640, 480, float(rng.uniform(140, 200))
        tilt = min(tilt, float(rng.uniform(0.1, 0.75)))
    distance = view_mm * float(rng.uniform(1.3, 5.0))
    return PinholeCamera(
        width, height, width * distance / view_mm, distance, (0.0, 0.0), tilt,
        float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.06)),
    )  # fmt: skip


def _styles(part: Part, rng: np.random.Generator, fonts: int) -> list[DieStyle]:
    if part == "empty":
        return []
    if part == "hands":
        font = int(rng.integers(fonts))  # a box of dice has one print
        drawn = [random_style(KINDS[k].color, KINDS[k].sides, rng, fonts, pips=0.15) for k in _hand(rng)]
        return [replace(style, font=font) for style in drawn]
    kinds = [list(KINDS.values())[int(i)] for i in rng.permutation(len(KINDS))]
    styles = [
        random_style(k.color, k.sides, rng, fonts, pips=0.12, wide=bool(part == "train" and rng.random() < 0.4))
        for k in kinds[:10]
    ]
    for _ in range(2):  # a d20 has the most faces and is one of thirteen kinds only
        color = COLORS[int(rng.integers(len(COLORS)))]
        styles.append(random_style(color, 20, rng, fonts, wide=part == "train"))
    styles.append(random_die_style(rng, fonts))
    return [styles[int(i)] for i in rng.permutation(len(styles))]


def _hand(rng: np.random.Generator) -> list[str]:
    """What a player may hold in a round: a yellow d6, dice from the bag, perhaps a pink one."""
    bag = [kind for kind in IN_BAG for _ in range(BOX[kind])]
    hand = [YELLOW_D6, *(bag[int(i)] for i in rng.permutation(len(bag))[: int(rng.integers(10))])]
    return [*hand, PINK] if rng.random() < 0.4 else hand


def _places(
    part: Part, camera: PinholeCamera, styles: Sequence[DieStyle], rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """x, y and width of each die, millimetres: none overlap, all are in the picture, some touch."""
    to_mm = np.linalg.inv(camera.table_to_px())
    places: list[tuple[float, float, float]] = []
    reaches: list[float] = []
    huddle = rng.random() < 0.3
    for style in styles:
        width = WIDTH_MM.get(style.sides, 16.0) * float(rng.uniform(0.94, 1.06))
        reach = float(np.linalg.norm(polyhedron(style.sides).vertices, axis=1).max()) * width / 2
        for attempt in range(400):
            spread = 0.36 if not huddle else 0.12 + 0.25 * attempt / 400
            pixel = np.array([0.5 + rng.uniform(-1, 1) * spread * 1.28, 0.53 + rng.uniform(-1, 1) * spread * 1.1, 1.0])
            if not (0.12 < pixel[0] < 0.88 and 0.16 < pixel[1] < 0.86):
                continue
            pixel[:2] *= camera.width_px, camera.height_px
            spot = to_mm @ pixel
            x, y = spot[:2] / spot[2]
            gap = float(rng.uniform(0.88, 1.1))
            if all(
                np.hypot(x - px, y - py) > (reach + r) * gap for (px, py, _), r in zip(places, reaches, strict=True)
            ):
                places.append((float(x), float(y), width))
                reaches.append(reach)
                break
        else:
            break
    return places
