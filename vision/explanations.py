"""The most probable explanations of a die, (kind, face, value), from the probabilities of its colour, shape, face, ink.

All explanations are listed once; weighing them is then a few operations on arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from tablesight.vision.kinds import COLORS, KINDS, SIDES, kind_of, signed_value
from tablesight.vision.reading import Candidate

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

SHAPES: Final = (*SIDES, 10)
"""Classes of the shape head: the four shapes that are read, and the d10, which is known as none of them."""
MOST_SIDES: Final = max(SHAPES)
KIND_IDS: Final = tuple(KINDS)
COLOR_OF_KIND: Final = np.array([COLORS.index(kind.color) for kind in KINDS.values()])
SHAPE_OF_KIND: Final = np.array([SHAPES.index(kind.sides) for kind in KINDS.values()])
_LEAST: Final = 1e-6
"""A colour with a shape that is less probable explains nothing."""


@dataclass(frozen=True, slots=True)
class _Ways:
    """Every way in which a die can look: `pair` (n,) is its place in a table of colours and shapes, `face` (n,) that in
    one of shapes and faces, `ink` (n,) 0 for any, 1 for black and 2 for white, which matter on red dice, and `means`
    (n,) the place in `explanations` of what it means; all dice that are none of the thirteen kinds are alike."""

    pair: Indices
    face: Indices
    ink: Indices
    means: Indices
    explanations: tuple[tuple[str | None, int, int], ...]


@cache
def _ways() -> _Ways:
    found: list[tuple[int, int, int, int]] = []
    places: dict[tuple[str | None, int, int], int] = {}
    for c, color in enumerate(COLORS):
        for s, sides in enumerate(SHAPES):
            kind = kind_of(color, sides)
            for face in range(1, sides + 1):
                for ink, name in ((1, "black"), (2, "white")) if color == "red" else ((0, "white"),):
                    explanation = (kind.id if kind else None, face, signed_value(color, name, face))
                    place = places.setdefault(explanation, len(places))
                    found.append((c * len(SHAPES) + s, s * MOST_SIDES + face - 1, ink, place))
    pair, face_index, ink_index, means = np.array(found).T
    return _Ways(pair, face_index, ink_index, means, tuple(places))


def kind_probabilities(colors: Floats, shapes: Floats) -> Floats:
    """Probability of each of the thirteen kinds, (13,), from those of `COLORS` (9,) and `SHAPES` (5,)."""
    return np.asarray(colors[COLOR_OF_KIND] * shapes[SHAPE_OF_KIND])


def best_explanations(
    colors: Floats,
    shapes: Floats,
    faces: Floats,
    black_share: float,
    kind_weights: Mapping[str, float] | None = None,
    count: int = 6,
) -> tuple[Candidate, ...]:
    """The most probable explanations, best first, from the probabilities of `COLORS` (9,), of `SHAPES` (5,), of the
    faces given each shape (5, 20), and that the ink of a red die is black.

    With `kind_weights` (kind id -> weight) only those kinds are considered and the probabilities are renormalised over
    them.
    """
    ways = _ways()
    weights = np.outer(colors, shapes)
    if kind_weights is not None:
        prior = np.zeros_like(weights)
        prior[COLOR_OF_KIND, SHAPE_OF_KIND] = [kind_weights.get(kind, 0.0) for kind in KIND_IDS]
        weights = weights * prior
    weights[weights < _LEAST] = 0.0
    of_pair = weights.ravel()[ways.pair]
    of_way = of_pair * faces.ravel()[ways.face] * np.array([1.0, black_share, 1 - black_share])[ways.ink]
    total_of = np.bincount(ways.means, weights=of_way)
    total_of[np.bincount(ways.means, weights=of_pair) == 0] = -1.0  # not considered, which is less than impossible
    total = float(of_way.sum()) if kind_weights is not None else 1.0
    best = np.argsort(-total_of, kind="stable")[:count] if count > 1 else np.argmax(total_of, keepdims=True)
    chosen = [(ways.explanations[place], float(total_of[place])) for place in map(int, best) if total_of[place] >= 0]
    return tuple(Candidate(kind, face, value, p / max(total, 1e-12)) for (kind, face, value), p in chosen)
