"""What a die is made of: body, finish, print. Drawn at random, within what each kind may look like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar, get_args

import cv2
import numpy as np

from tablesight.vision.kinds import INKS, Color, Ink, Marking
from tablesight.vision.simulator.numerals import SIX_NINE_MARKS, SixNineMark
from tablesight.vision.simulator.polyhedra import opposite_faces

Finish = Literal["solid", "swirl", "speckle", "glitter", "clear", "metal"]
FINISHES: Final[tuple[Finish, ...]] = get_args(Finish)
BGR = tuple[float, float, float]
T = TypeVar("T")
_BLACK: Final[Ink] = "black"
_WHITE: Final[Ink] = "white"
_GOLD: Final[Ink] = "gold"

HSV_RANGES: Final[dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]] = {
    # OpenCV hue 0-179, saturation, value
    "yellow": ((21, 31), (150, 255), (175, 255)),
    "purple": ((128, 147), (80, 255), (60, 190)),
    "blue": ((101, 121), (130, 255), (70, 235)),
    "glitter": ((101, 122), (110, 255), (50, 200)),
    "red": ((-5, 6), (165, 255), (95, 240)),
    "green": ((42, 84), (100, 255), (55, 205)),
    "pink": ((155, 171), (55, 190), (185, 255)),
    "clear": ((0, 179), (0, 26), (170, 255)),
}

WIDE_HSV_RANGES: Final[dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]] = {
    # what people call by the same name: other makers' dice
    "yellow": ((20, 33), (115, 255), (140, 255)),
    "purple": ((124, 150), (60, 255), (40, 215)),
    "blue": ((98, 122), (95, 255), (45, 255)),
    "glitter": ((99, 123), (95, 255), (40, 220)),
    "red": ((-7, 7), (140, 255), (75, 250)),
    "green": ((38, 90), (65, 255), (40, 225)),
    "pink": ((153, 173), (45, 200), (170, 255)),
    "clear": ((0, 179), (0, 30), (150, 255)),
}


@dataclass(frozen=True, slots=True)
class DieStyle:
    """One physical die. `numbers[i]` and `inks[i]` are printed on face i of the polyhedron with `sides` faces.
    `rounding`: radius of its edges and corners over that of the ball inside it, 0 to 1."""

    color: Color
    sides: int
    finish: Finish
    body_bgr: BGR
    second_bgr: BGR
    numbers: tuple[int, ...]
    inks: tuple[Ink, ...]
    ink_bgr: Mapping[Ink, BGR]
    marking: Marking
    font: int
    numeral_scale: float
    six_nine: SixNineMark
    vertex_up: bool
    gloss: float
    opacity: float
    edge_light: float
    engraving: float
    seed: int
    rounding: float = 0.0

    def face_index(self, face: int) -> int:
        """Which face of the polyhedron carries this number."""
        return self.numbers.index(face)


def _bgr(hue: float, saturation: float, value: float) -> BGR:
    pixel = np.array([[[int(hue) % 180, int(np.clip(saturation, 0, 255)), int(np.clip(value, 0, 255))]]], np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(float)
    return (float(b), float(g), float(r))


def _other_body(rng: np.random.Generator) -> BGR:
    """A body that nobody would call by one of the named colours: orange, brown, turquoise, black, grey, white."""
    hue_margin, saturation_margin, value_margin = 3, 15, 12
    while True:
        hsv = (rng.uniform(0, 180), rng.uniform(0, 255), rng.uniform(12, 250))
        if rng.random() < 0.35:  # black, grey, white
            hsv = (hsv[0], rng.uniform(0, 40), hsv[2])
        if not any(
            (h0 - hue_margin <= hsv[0] <= h1 + hue_margin or h0 - hue_margin <= hsv[0] - 180)
            and s0 - saturation_margin <= hsv[1] <= s1 + saturation_margin
            and v0 - value_margin <= hsv[2] <= v1 + value_margin
            for name, ((h0, h1), (s0, s1), (v0, v1)) in WIDE_HSV_RANGES.items()
            if name != "clear"
        ):
            return _bgr(*hsv)


def _luminance(color: BGR) -> float:
    return 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2]


def _contrast(a: BGR, b: BGR) -> float:
    return abs(_luminance(a) - _luminance(b)) + 0.2 * sum(abs(x - y) for x, y in zip(a, b, strict=True))


def _ink_color(ink: Ink, rng: np.random.Generator) -> BGR:
    if ink == "white":
        level = rng.uniform(205, 255)
        return (level * rng.uniform(0.88, 1), level, level)
    if ink == "black":
        level = rng.uniform(4, 52)
        return (level, level * rng.uniform(0.8, 1.1), level * rng.uniform(0.8, 1.1))
    if ink == "gold":
        return _bgr(rng.uniform(17, 27), rng.uniform(110, 225), rng.uniform(155, 252))
    return _bgr(rng.uniform(0, 180), rng.uniform(90, 255), rng.uniform(40, 255))


def number_faces(sides: int, rng: np.random.Generator, regular: float = 0.75) -> tuple[int, ...]:
    """Numbers for each face: mostly opposite faces add up to sides + 1, sometimes any order."""
    pairs = opposite_faces(sides)
    if not pairs or rng.random() > regular:
        return tuple(int(n) for n in rng.permutation(sides) + 1)
    numbers = np.zeros(sides, int)
    for (i, j), low in zip(pairs, rng.permutation(sides // 2) + 1, strict=True):
        if rng.random() < 0.5:
            i, j = j, i
        numbers[i], numbers[j] = low, sides + 1 - low
    return tuple(int(n) for n in numbers)


def _finish(color: Color, rng: np.random.Generator) -> Finish:
    if color == "glitter":
        return "glitter"
    if color == "clear":
        return "clear"
    if color == "other":
        return weighted(rng, FINISHES, (28, 26, 14, 6, 10, 16))
    return weighted(rng, FINISHES, (66, 18, 9, 0, 7, 0))


def weighted(rng: np.random.Generator, options: Sequence[T], weights: Sequence[float]) -> T:
    """One of the options, with these weights."""
    p = np.array(weights, float)
    return options[int(rng.choice(len(options), p=p / p.sum()))]


def _inks(color: Color, sides: int, numbers: tuple[int, ...], rng: np.random.Generator) -> tuple[Ink, ...]:
    if color == "red":
        black = rng.random(sides) < 0.5 if rng.random() < 0.8 else np.array(numbers) <= sides // 2
        if rng.random() < 0.1:
            black[:] = rng.random() < 0.5
        inks: tuple[Ink, ...] = tuple(_BLACK if b else _WHITE for b in black)
        return inks
    if color == "glitter":
        return (_GOLD,) * sides
    if color == "blue":  # gold on blue would be the glitter die: that is how players tell them apart
        return (weighted(rng, INKS, (65, 35, 0, 0)),) * sides
    return (weighted(rng, INKS, (50, 30, 10, 10)),) * sides


def random_style(
    color: Color, sides: int, rng: np.random.Generator, fonts: int, pips: float = 0.3, finish: Finish | None = None,
    wide: bool = False,
) -> DieStyle:  # fmt: skip
    """A die of this colour and number of sides with random print and material.

    `fonts` is the number of fonts to choose from, `pips` the share of d6 with pips; `finish` fixes the material;
    `wide` lets the body be whatever people call by that colour's name.
    """
    body_range = (WIDE_HSV_RANGES if wide else HSV_RANGES).get(color)
    if body_range is None:
        body = _other_body(rng)
    else:
        (h0, h1), (s0, s1), (v0, v1) = body_range
        body = _bgr(rng.uniform(h0, h1), rng.uniform(s0, s1), rng.uniform(v0, v1))
    chosen = finish or _finish(color, rng)
    if chosen == "metal":
        body = _bgr(rng.uniform(8, 30), rng.uniform(5, 190), rng.uniform(90, 240))
    second = _other_body(rng)
    if color != "other" and body_range is not None:  # a swirl of the same colour family
        (h0, h1), (s0, s1), (v0, v1) = body_range
        second = _bgr(rng.uniform(h0, h1), rng.uniform(s0 * 0.5, s1), rng.uniform(v0 * 0.5, v1))
    numbers = number_faces(sides, rng)
    inks = _inks(color, sides, numbers, rng)
    ink_bgr = {ink: _ink_color(ink, rng) for ink in set(inks)}
    if color not in ("red", "glitter"):
        ink = inks[0]
        if _contrast(ink_bgr[ink], body) < (60 if color == "other" else 100):
            ink = "white" if _luminance(body) < 128 else "black"
            inks, ink_bgr = (ink,) * sides, {ink: _ink_color(ink, rng)}
    marking: Marking = "pips" if sides == 6 and color not in ("red", "glitter") and rng.random() < pips else "numeral"
    marked = (0.15, 0.5, 0.35) if sides >= 12 else (0.75, 0.15, 0.1)
    return DieStyle(
        color=color,
        sides=sides,
        finish=chosen,
        body_bgr=body,
        second_bgr=second,
        numbers=numbers,
        inks=inks,
        ink_bgr=ink_bgr,
        marking=marking,
        font=int(rng.integers(fonts)),
        numeral_scale=float(rng.uniform(0.8, 1.28)),
        six_nine=weighted(rng, SIX_NINE_MARKS, marked),
        vertex_up=bool(sides in (4, 8, 20) or (sides in (10, 12) and rng.random() < 0.6)),
        gloss=float(rng.uniform(0, 1) ** 1.5),
        opacity=float(rng.uniform(0.5, 0.88)) if chosen == "clear" else 1.0,
        edge_light=float(rng.normal(10, 26)),
        engraving=float(rng.uniform(0, 1)),
        seed=int(rng.integers(2**31)),
    )
