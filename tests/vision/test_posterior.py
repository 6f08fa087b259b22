from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.vision.kinds import COLORS, INKS, KINDS
from tablesight.vision.posterior import SHAPES, DiePosterior, mean_posterior


def peaked(size: int, index: int, p: float) -> np.ndarray:
    out = np.full(size, (1 - p) / (size - 1))
    out[index] = p
    return out


def posterior(color: str, sides: int, face: int, ink: str = "white", p: float = 0.99) -> DiePosterior:
    faces = np.zeros((5, 20))
    for s, n in enumerate(SHAPES):
        faces[s, :n] = 1 / n
    faces[SHAPES.index(sides)] = 0
    faces[SHAPES.index(sides), :sides] = peaked(sides, face - 1, p)
    return DiePosterior(
        peaked(9, COLORS.index(color), p), peaked(5, SHAPES.index(sides), p), faces, peaked(4, INKS.index(ink), p), 0.0
    )


@pytest.mark.parametrize(
    ("color", "sides", "face", "ink", "kind", "value"),
    [
        pytest.param("red", 6, 4, "black", "red-d6", -4, id="black on red is negative"),
        pytest.param("red", 8, 4, "white", "red-d8", 4, id="white on red is positive"),
        pytest.param("yellow", 6, 4, "black", "yellow-d6", 4, id="black on yellow is an ordinary number"),
        pytest.param("glitter", 6, 2, "gold", "glitter-d6", 2, id="gold on glitter"),
        pytest.param("red", 12, 9, "black", None, -9, id="a red d12 is none of the thirteen"),
        pytest.param("other", 6, 1, "white", None, 1, id="an unknown colour has no kind"),
    ],
)
def test_reading(color: str, sides: int, face: int, ink: str, kind: str | None, value: int) -> None:
    reading = posterior(color, sides, face, ink).reading((0, 0, 10, 10), 0.5)
    assert (reading.kind, reading.value, reading.face, reading.sides, reading.color) == (
        kind,
        value,
        face,
        sides,
        color,
    )
    assert reading.accepted
    assert reading.candidates[0].p == reading.confidence


def test_a_doubtful_die_is_not_accepted_and_names_both_candidates() -> None:
    unsure = mean_posterior((posterior("green", 20, 6), posterior("green", 20, 9)))
    reading = unsure.reading((0, 0, 10, 10), 0.9)
    assert not reading.accepted
    assert {c.face for c in reading.candidates[:2]} == {6, 9}


def test_the_expected_hand_decides_between_kinds() -> None:
    unsure = mean_posterior((posterior("yellow", 6, 5), posterior("clear", 6, 5)))
    reading = unsure.reading((0, 0, 10, 10), 0.9, {"clear-d6": 1.0, "green-d20": 1.0})
    assert reading.kind == "clear-d6"
    assert reading.accepted


def test_a_d10_is_never_accepted() -> None:
    assert not posterior("green", 10, 7).reading((0, 0, 10, 10), 0.1).accepted


@given(st.integers(0, 2**32 - 1))
def test_candidates_are_probabilities_in_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    faces = np.zeros((5, 20))
    for s, n in enumerate(SHAPES):
        faces[s, :n] = rng.dirichlet(np.full(n, 0.3))
    die = DiePosterior(rng.dirichlet(np.ones(9)), rng.dirichlet(np.ones(5)), faces, rng.dirichlet(np.ones(4)), 0.1)
    everything = die.candidates(count=1000)
    assert sum(c.p for c in everything) == pytest.approx(1, abs=1e-3)
    assert [c.p for c in everything] == sorted((c.p for c in everything), reverse=True)
    hand = die.candidates(dict.fromkeys(KINDS, 1.0), count=1000)
    assert sum(c.p for c in hand) == pytest.approx(1, abs=1e-6)
    assert all(c.kind in KINDS for c in hand)


@pytest.mark.parametrize(
    ("ink", "more_probable"),
    [pytest.param("gold", "glitter", id="gold speaks for glitter"), pytest.param("white", "blue", id="white for blue")],
)
def test_the_ink_votes_on_blue_against_glitter_and_on_nothing_else(ink: str, more_probable: str) -> None:
    colors = np.full(9, 0.02)
    colors[COLORS.index("blue")] = colors[COLORS.index("glitter")] = 0.43
    before = replace(posterior("blue", 6, 3, ink), colors=colors)
    after = before.told_by_ink()
    other = {"glitter": "blue", "blue": "glitter"}[more_probable]
    assert after.colors[COLORS.index(more_probable)] > 2 * after.colors[COLORS.index(other)]
    rest = [i for i, color in enumerate(COLORS) if color not in ("blue", "glitter")]
    assert after.colors[rest] == pytest.approx(before.colors[rest])
    assert after.colors.sum() == pytest.approx(1)


def test_what_may_be_no_die_is_never_accepted_silently() -> None:
    print_on_paper = replace(posterior("clear", 6, 4), die=0.8)
    assert not print_on_paper.reading((0, 0, 10, 10), 0.5).accepted
    assert replace(print_on_paper, die=0.97).reading((0, 0, 10, 10), 0.5).accepted
