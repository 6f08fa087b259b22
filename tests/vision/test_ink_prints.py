"""The inks of the red dice are learned, help a doubtful reading and never change a sure one silently."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tablesight.vision.ink_prints import InkPrints
from tablesight.vision.kinds import COLORS, INKS
from tablesight.vision.posterior import SHAPES, DiePosterior

BOX = (0.0, 0.0, 10.0, 10.0)


def red_d6(face: int, black: float) -> DiePosterior:
    colors, shapes, inks = np.full(len(COLORS), 1e-4), np.full(len(SHAPES), 1e-4), np.full(len(INKS), 1e-4)
    colors[COLORS.index("red")] = shapes[SHAPES.index(6)] = 1
    inks[INKS.index("black")], inks[INKS.index("white")] = black, 1 - black
    faces = np.full((len(SHAPES), 20), 1e-6)
    faces[:, face - 1] = 1
    return DiePosterior(
        colors / colors.sum(), shapes / shapes.sum(), faces / faces.sum(1, keepdims=True), inks / inks.sum(), 0.0
    )


def learn(prints: InkPrints, face: int, black: float, times: int) -> None:
    for _ in range(times):
        looked = red_d6(face, black)
        prints.learn(looked, looked.reading(BOX, 0.9))


def test_before_anything_is_known_the_lower_half_is_only_mildly_black() -> None:
    prints = InkPrints()
    assert prints.black("red-d6", 2) == pytest.approx(0.6)
    assert prints.black("red-d6", 5) == pytest.approx(0.4)
    assert prints.weighed(red_d6(5, 0.999)).black_share() > 0.99


def test_a_face_seen_white_twice_is_known_and_settles_a_doubt() -> None:
    prints = InkPrints()
    learn(prints, 2, 0.02, 2)
    assert prints.known("red-d6", 2) == "white"
    doubtful = red_d6(2, 0.55)
    reading = prints.weighed(doubtful).reading(BOX, 0.9)
    assert reading.value == 2
    assert reading.accepted
    assert not prints.contradicts(doubtful, reading)


def test_a_sure_reading_against_what_is_known_is_a_contradiction() -> None:
    prints = InkPrints()
    learn(prints, 2, 0.02, 3)
    sure = red_d6(2, 0.97)
    reading = prints.weighed(sure).reading(BOX, 0.9)
    assert prints.contradicts(sure, reading)


def test_faces_that_have_shown_both_inks_are_not_known() -> None:
    prints = InkPrints()
    learn(prints, 4, 0.02, 2)
    learn(prints, 4, 0.98, 1)
    assert prints.known("red-d6", 4) is None


def test_doubtful_readings_teach_nothing() -> None:
    prints = InkPrints()
    learn(prints, 4, 0.6, 5)
    assert prints.seen.get("red-d6", {}) == {}


def test_they_are_kept_in_a_file_and_a_damaged_file_is_no_trouble(tmp_path: Path) -> None:
    prints = InkPrints()
    learn(prints, 2, 0.02, 2)
    path = tmp_path / "ink-prints.json"
    prints.save(path)
    assert InkPrints.load(path).known("red-d6", 2) == "white"
    path.write_text('{"red-d6": {"2": [1')
    assert InkPrints.load(path).seen == {}
    assert InkPrints.load(tmp_path / "none.json").seen == {}


def test_what_a_person_says_is_known_at_once_and_the_last_word_counts() -> None:
    prints = InkPrints()
    learn(prints, 2, 0.98, 5)
    prints.confirm("red-d6", 2, "white")
    assert prints.known("red-d6", 2) == "white"
    looks_white = prints.weighed(red_d6(2, 0.4)).reading(BOX, 0.9)
    assert looks_white.value == 2
    assert looks_white.accepted
    prints.confirm("red-d6", 2, "black")
    assert prints.known("red-d6", 2) == "black"


@pytest.mark.parametrize(
    ("kind", "face", "ink"),
    [("blue-d6", 2, "white"), ("red-d6", 7, "white"), ("red-d6", 0, "white"), ("red-d8", 8, "gold")],
)
def test_what_cannot_be_is_not_learned(kind: str, face: int, ink: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        InkPrints().confirm(kind, face, ink)
