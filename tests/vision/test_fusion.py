"""Several looks at the same dice: matched, averaged, glare and phantoms left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tablesight.vision.fusion import fuse
from tablesight.vision.kinds import COLORS
from tablesight.vision.look import SeenDie, picture_quality
from tablesight.vision.posterior import SHAPES, DiePosterior


def posterior(face: int, sure: float) -> DiePosterior:
    faces = np.zeros((len(SHAPES), 20))
    for row, sides in enumerate(SHAPES):
        faces[row, :sides] = (1 - sure) / (sides - 1)
        faces[row, face - 1] = sure
    colors, shapes = np.zeros(len(COLORS)), np.zeros(len(SHAPES))
    colors[0] = shapes[0] = 1
    return DiePosterior(colors, shapes, faces, np.full(4, 0.25), 0.0)


def seen(x: float, y: float, face: int, sure: float = 0.9, **quality: float) -> SeenDie:
    values = {"score": 0.7, "sharpness": 10.0, "clipped": 0.0, **quality}
    return SeenDie((x - 25, y - 25, x + 25, y + 25), values["score"], posterior(face, sure), values["sharpness"],
                   values["clipped"])  # fmt: skip


def face_of(die: SeenDie) -> int:
    return die.posterior.candidates()[0].face


def test_one_look_is_taken_as_it_is() -> None:
    look = [seen(100, 100, 3), seen(200, 100, 4)]
    assert fuse([look]) == tuple(look)
    assert fuse([[]]) == ()
    assert fuse([]) == ()


def test_shaken_looks_are_matched_and_pooled() -> None:
    first = [seen(100, 100, 3, 0.9), seen(160, 100, 4, 0.5)]
    second = [seen(166, 104, 4, 0.7), seen(106, 104, 3, 0.7)]
    left, right = fuse([first, second])
    assert (face_of(left), face_of(right)) == (3, 4)
    assert left.posterior.candidates()[0].p > 0.9  # two that agree are surer than each
    assert 0.6 < right.posterior.candidates()[0].p < 0.9
    assert left.center_xy_px == (106, 104)


def test_a_look_full_of_glare_or_blur_does_not_count() -> None:
    good = seen(100, 100, 3, 0.8)
    for bad in (seen(100, 100, 5, 0.99, clipped=0.4), seen(100, 100, 5, 0.99, sharpness=3.0)):
        (die,) = fuse([[bad], [good], [bad]])
        assert face_of(die) == 3
        assert die.posterior.candidates()[0].p == pytest.approx(0.8)


def test_a_phantom_of_one_look_is_left_out_and_a_die_missed_once_is_kept() -> None:
    a, b, phantom = seen(100, 100, 3), seen(200, 100, 4), seen(400, 300, 1, score=0.45)
    assert len(fuse([[a, b], [a, b, phantom], [a]])) == 2


def test_a_die_found_once_with_a_high_score_is_kept() -> None:
    assert len(fuse([[seen(100, 100, 3, score=0.95)], [], []])) == 1


def test_a_die_that_was_not_read_again_adds_no_evidence() -> None:
    first = seen(100, 100, 3, 0.8)
    (die,) = fuse([[first], [replace(first, is_reused=True)], [replace(first, is_reused=True)]])
    assert die.posterior.candidates()[0].p == pytest.approx(0.8, abs=1e-6)
    (twice,) = fuse([[first.with_views([first.posterior])]])
    assert twice.posterior.candidates()[0].p > 0.85


def test_quality_tells_blur_and_glare() -> None:
    rng = np.random.default_rng(1)
    sharp = rng.integers(0, 200, (60, 60, 3)).astype(np.uint8)
    smooth = np.full((60, 60, 3), 100, np.uint8)
    burnt = sharp.copy()
    burnt[:30] = 255
    box = (10.0, 10.0, 50.0, 50.0)
    assert picture_quality(sharp, box)[0] > 10 * (picture_quality(smooth, box)[0] + 1)
    assert picture_quality(burnt, box)[1] == pytest.approx(0.5, abs=0.05)
    assert picture_quality(sharp, (-20.0, -20.0, 1.0, 1.0)) == (0.0, 1.0)
    assert replace(seen(0, 0, 1)).size_px == 50
