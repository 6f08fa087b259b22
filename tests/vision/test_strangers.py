"""Coins, cards and foreign dice are left out; doubtful dice of the game are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tablesight.vision.kinds import COLORS
from tablesight.vision.look import SeenDie
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.strangers import is_stranger


def thing(known: float, best_face: float, score: float) -> SeenDie:
    """A yellow d6 with probability `known`, else none of the kinds; its face is sure to `best_face`."""
    colors, shapes = np.zeros(len(COLORS)), np.zeros(len(SHAPES))
    colors[COLORS.index("yellow")], colors[COLORS.index("other")] = known, 1 - known
    shapes[SHAPES.index(6)] = 1
    faces = np.full((len(SHAPES), 20), (1 - best_face) / 5)
    faces[:, 0] = best_face
    return SeenDie((0, 0, 50, 50), score, DiePosterior(colors, shapes, faces, np.full(4, 0.25), 0.0))


@pytest.mark.parametrize(
    ("known", "best_face", "score", "expected"),
    [
        pytest.param(0.98, 0.99, 0.45, False, id="a sure die with a weak box"),
        pytest.param(0.98, 0.40, 0.75, False, id="a doubtful die with a good box"),
        pytest.param(0.47, 0.60, 0.60, False, id="a die whose colour is in doubt"),
        pytest.param(0.03, 0.90, 0.90, True, id="somebody's own dice"),
        pytest.param(0.25, 0.60, 0.45, True, id="a letter"),
        pytest.param(0.90, 0.25, 0.50, True, id="a corner of a card"),
    ],
)
def test_strangers(known: float, best_face: float, score: float, expected: bool) -> None:
    assert is_stranger(thing(known, best_face, score)) is expected


@pytest.mark.parametrize(
    ("die", "score", "expected"),
    [
        pytest.param(0.05, 0.95, True, id="surely none, whatever the detector says"),
        pytest.param(0.2, 0.5, True, id="neither is convinced"),
        pytest.param(0.2, 0.9, False, id="the detector is"),
        pytest.param(0.9, 0.5, False, id="the pose network is"),
    ],
)
def test_what_is_no_die_at_all(die: float, score: float, expected: bool) -> None:
    sure = thing(0.98, 0.99, score)
    assert is_stranger(replace(sure, posterior=replace(sure.posterior, die=die))) is expected
