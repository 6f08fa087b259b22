"""The thirteen kinds of dice that the camera knows by name, and what each looks like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Color = Literal["yellow", "purple", "blue", "glitter", "red", "green", "clear", "pink", "other"]
Ink = Literal["white", "black", "gold", "other"]
Marking = Literal["numeral", "pips"]

COLORS: Final[tuple[Color, ...]] = ("yellow", "purple", "blue", "glitter", "red", "green", "clear", "pink", "other")
SIDES: Final[tuple[int, ...]] = (6, 8, 12, 20)
INKS: Final[tuple[Ink, ...]] = ("white", "black", "gold", "other")


@dataclass(frozen=True, slots=True)
class DieKind:
    """One kind of die. `width_mm` is the distance between two opposite faces."""

    id: str
    color: Color
    sides: int
    width_mm: float


WIDTH_MM: Final[dict[int, float]] = {6: 16.0, 8: 15.5, 12: 18.5, 20: 22.0}

_COLORS_OF_KINDS: Final[tuple[tuple[Color, tuple[int, ...]], ...]] = (
    ("yellow", (6, 8)),
    ("purple", (8, 12)),
    ("blue", (6, 8, 12)),
    ("glitter", (6,)),
    ("red", (6, 8)),
    ("green", (20,)),
    ("clear", (6,)),
    ("pink", (12,)),
)

KINDS: Final[dict[str, DieKind]] = {
    f"{color}-d{sides}": DieKind(f"{color}-d{sides}", color, sides, WIDTH_MM[sides])
    for color, all_sides in _COLORS_OF_KINDS
    for sides in all_sides
}


def kind_of(color: str, sides: int) -> DieKind | None:
    """The kind with this body colour and number of sides, or None where it is none of the thirteen."""
    return KINDS.get(f"{color}-d{sides}")


def signed_value(color: str, ink: str, face: int) -> int:
    """What a face says: on a red die black ink means minus, anywhere else the number itself."""
    return -face if color == "red" and ink == "black" else face
