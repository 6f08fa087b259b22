"""Several looks at one die become one opinion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.vision.kinds import COLORS, INKS
from tablesight.vision.pooling import PoolSettings, pooled_posterior
from tablesight.vision.posterior import SHAPES, DiePosterior

D20 = SHAPES.index(20)


def look(faces: dict[int, float], black: float = 0.5, red: float = 0.5) -> DiePosterior:
    """A d20 with these faces, an ink that is black or white, a colour that is red or pink."""
    table = np.full((len(SHAPES), 20), 0.05)
    table[D20] = 1e-6
    for face, p in faces.items():
        table[D20, face - 1] = p
    table /= table.sum(axis=1, keepdims=True)
    colors, shapes, inks = np.full(len(COLORS), 1e-6), np.full(len(SHAPES), 1e-6), np.full(len(INKS), 1e-6)
    colors[COLORS.index("red")], colors[COLORS.index("pink")] = red, 1 - red
    inks[INKS.index("black")], inks[INKS.index("white")] = black, 1 - black
    shapes[D20] = 1
    return DiePosterior(colors / colors.sum(), shapes / shapes.sum(), table, inks / inks.sum(), 0.0)


def test_looks_that_agree_are_surer_than_each_of_them_and_less_so_than_independent_ones() -> None:
    one = look({14: 0.8, 4: 0.2})
    pooled = pooled_posterior([one, one, one]).faces[D20, 13]
    independent = pooled_posterior([one, one, one], PoolSettings(shared=0.0)).faces[D20, 13]
    assert one.faces[D20, 13] < pooled < independent
    assert pooled == pytest.approx(0.8**1.5 / (0.8**1.5 + 0.2**1.5), abs=0.01)
    assert pooled_posterior([one, one], PoolSettings(shared=1.0)).faces[D20, 13] == pytest.approx(0.8, abs=0.02)


def test_looks_that_differ_are_no_surer() -> None:
    pooled = pooled_posterior([look({14: 0.8, 4: 0.2}), look({14: 0.2, 4: 0.8})])
    assert pooled.faces[D20, 13] == pytest.approx(0.5, abs=0.01)


def test_no_single_look_has_a_veto() -> None:
    good, blind = look({14: 0.9, 4: 0.1}), look({4: 0.6, 7: 0.4})
    assert pooled_posterior([good, good, good, blind]).faces[D20, 13] > 0.5


def test_six_against_nine_colour_and_ink_get_no_surer_by_looking_again() -> None:
    one = look({6: 0.9, 9: 0.06, 5: 0.04}, black=0.9, red=0.8)
    pooled = pooled_posterior([one] * 4)
    six, nine = pooled.faces[D20, 5], pooled.faces[D20, 8]
    assert nine / (six + nine) == pytest.approx(0.06 / 0.96, abs=0.006)
    assert pooled.faces[D20, 4] < 0.03  # a five it is less and less
    assert pooled.black_share() == pytest.approx(0.9, abs=0.006)
    assert pooled.colors[COLORS.index("red")] == pytest.approx(0.8, abs=0.02)


def test_one_against_seven_gets_no_surer_by_looking_again() -> None:
    pooled = pooled_posterior([look({7: 0.83, 1: 0.15, 5: 0.02})] * 3)
    one, seven = pooled.faces[D20, 0], pooled.faces[D20, 6]
    assert one / (one + seven) == pytest.approx(0.15 / 0.98, abs=0.006)
    assert seven < 0.86


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.01, 0.99)), min_size=1, max_size=6))
def test_the_opinion_is_made_of_probabilities_whatever_the_order(shares: list[tuple[float, float]]) -> None:
    looks = [look({7: a, 17: 1 - a}, b, a) for a, b in shares]
    pooled, turned = pooled_posterior(looks), pooled_posterior(looks[::-1])
    for name in ("colors", "shapes", "inks"):
        assert getattr(pooled, name).sum() == pytest.approx(1)
        assert getattr(pooled, name) == pytest.approx(getattr(turned, name))
    assert pooled.faces.sum(axis=1) == pytest.approx(np.ones(len(SHAPES)))


def test_without_a_look_there_is_no_opinion() -> None:
    with pytest.raises(ValueError, match="expected at least one look"):
        pooled_posterior([])
