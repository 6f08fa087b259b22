"""The explanations of a die as arrays are those that come of going through them one by one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.vision.explanations import KIND_IDS, SHAPES, best_explanations, kind_probabilities
from tablesight.vision.kinds import COLORS, kind_of, signed_value
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reading import Candidate


def one_by_one(die: DiePosterior, kind_weights: Mapping[str, float] | None, count: int) -> tuple[Candidate, ...]:
    """As it was done before there were arrays."""
    found: dict[tuple[str | None, int, int], float] = {}
    black = die.black_share()
    for c, color in enumerate(COLORS):
        for s, sides in enumerate(SHAPES):
            kind = kind_of(color, sides)
            prior = 1.0
            if kind_weights is not None:
                prior = kind_weights.get(kind.id, 0.0) if kind else 0.0
            weight = float(die.colors[c] * die.shapes[s]) * prior
            if weight < 1e-6:
                continue
            for face in range(1, sides + 1):
                p = weight * float(die.faces[s, face - 1])
                inks = (("black", black), ("white", 1 - black)) if color == "red" else (("white", 1.0),)
                for ink, share in inks:
                    key = (kind.id if kind else None, face, signed_value(color, ink, face))
                    found[key] = found.get(key, 0.0) + p * share
    total = sum(found.values()) if kind_weights is not None else 1.0
    best = sorted(found.items(), key=lambda item: -item[1])[:count]
    return tuple(Candidate(kind, face, value, p / max(total, 1e-12)) for (kind, face, value), p in best)


def random_die(seed: int) -> DiePosterior:
    rng = np.random.default_rng(seed)
    faces = np.zeros((len(SHAPES), max(SHAPES)))
    for row, sides in enumerate(SHAPES):
        faces[row, :sides] = rng.dirichlet(np.full(sides, 0.3))
    colors, shapes, inks = (rng.dirichlet(np.full(n, 0.3)) for n in (len(COLORS), len(SHAPES), 4))
    return DiePosterior(colors, shapes, faces, inks, 0.1)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**31),
    st.one_of(st.none(), st.dictionaries(st.sampled_from(KIND_IDS), st.floats(0, 1))),
    st.sampled_from((1, 6, 1000)),
)
def test_arrays_say_what_going_through_them_says(seed: int, weights: dict[str, float] | None, count: int) -> None:
    die = random_die(seed)
    expected = [one for one in one_by_one(die, weights, count) if one.p > 1e-12]  # the impossible come in any order
    got = best_explanations(die.colors, die.shapes, die.faces, die.black_share(), weights, count)[: len(expected)]
    assert [(one.kind, one.face, one.value) for one in got] == [(one.kind, one.face, one.value) for one in expected]
    assert [one.p for one in got] == pytest.approx([one.p for one in expected], abs=1e-12)


def test_the_kinds_are_the_colours_with_the_shapes() -> None:
    die = random_die(1)
    kinds = dict(zip(KIND_IDS, kind_probabilities(die.colors, die.shapes), strict=True))
    assert kinds == pytest.approx(dict(die.kinds()))
    assert kinds["red-d8"] == pytest.approx(die.colors[COLORS.index("red")] * die.shapes[SHAPES.index(8)])


def test_nothing_is_expected_of_a_hand_without_kinds() -> None:
    die = random_die(2)
    assert best_explanations(die.colors, die.shapes, die.faces, 0.5, {}) == ()
