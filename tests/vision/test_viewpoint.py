"""What the reader makes of where the camera is: the tilt under which each die is seen, and what to do without it."""

from __future__ import annotations

import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.reader import DiceReader
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import Lamp, PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import Optics, draw_dice, photograph
from tablesight.vision.simulator.styles import random_style
from tablesight.vision.viewpoint import TURNS_RAD, likely_viewpoints, tilts_deg_seen


def box_at(x: float, y: float) -> BoxXYXY:
    return (x - 10, y - 10, x + 10, y + 10)


def test_a_die_in_the_middle_is_seen_from_above_and_one_at_the_edge_is_not() -> None:
    middle, edge = tilts_deg_seen([box_at(500, 300), box_at(1000, 300)], (500, 300), 1000, 600)
    assert middle == pytest.approx(0, abs=0.1)
    assert 15 < edge < 40


def test_the_tilt_is_that_of_the_camera_which_drew_the_picture() -> None:
    """Where the lens is the one that is assumed, at any tilt."""
    for tilt in (0.2, 0.5, 0.8):
        camera = PinholeCamera(1000, 600, 950.0, 900.0, tilt_rad=tilt)
        eye = camera.position_mm()
        nadir = camera.project(np.array([[eye[0], eye[1], 0.0]]))[0]
        for spot in (np.array([0.0, 0.0, 0.0]), np.array([120.0, 60.0, 0.0])):
            x, y = camera.project(spot[None])[0]
            away = eye - spot
            true = np.degrees(np.arccos(away[2] / np.linalg.norm(away)))
            (seen,) = tilts_deg_seen([box_at(float(x), float(y))], (float(nadir[0]), float(nadir[1])), 1000, 600)
            assert seen == pytest.approx(true, abs=0.5)


def look(turn: int, tilt_step: int | None) -> np.ndarray:
    """What the network says of a die whose far side is up after this turn; of the others that it is not up."""
    table = np.full((len(TURNS_RAD), 14), 0.002)
    table[:, -1] = 0.9
    table[turn] = 1 / 14 if tilt_step is None else 0.004
    table[turn, -1] = 0.01
    if tilt_step is not None:
        table[turn, tilt_step] = 0.95
    return table


def test_what_the_dice_of_a_photo_agree_on_is_taken() -> None:
    (only,) = likely_viewpoints([look(0, 6)] * 5)
    assert only.turn_rad == 0
    assert only.tilt_deg == pytest.approx(30, abs=3)


def test_a_photo_held_sideways_is_known_by_its_dice() -> None:
    (only,) = likely_viewpoints([look(3, 5)] * 5)
    assert only.turn_rad == TURNS_RAD[3]


def test_what_one_die_cannot_tell_is_left_open() -> None:
    low, middle, high = (v.tilt_deg for v in likely_viewpoints([look(0, None)]))
    assert low < 15 < middle < 40 < high


def test_from_straight_above_no_side_is_the_far_one() -> None:
    table = np.full((len(TURNS_RAD), 14), 0.001)
    table[:, 0] = 0.98
    assert [(v.turn_rad, v.tilt_deg < 5) for v in likely_viewpoints([table])] == [(0.0, True)]


def table_of_d20(tilt_rad: float, seed: int) -> tuple[ImageBGR, tuple[PlacedDie, ...], tuple[BoxXYXY, ...]]:
    rng, fonts = np.random.default_rng(seed), NumeralFonts.load()
    dice = tuple(
        PlacedDie(
            random_style("green", 20, rng, len(fonts)), int(rng.integers(20)) + 1, (i % 4 - 1.5) * 45.0,
            (i // 4 - 1) * 45.0, float(rng.uniform(0, 7)),
        )
        for i in range(12)
    )  # fmt: skip
    camera = PinholeCamera(640, 512, 2400.0, 800.0, tilt_rad=tilt_rad)
    canvas = np.full((512, 640, 3), (95.0, 110.0, 105.0), np.float32)
    drawn = draw_dice(canvas, camera, dice, Lamp((0.4, 0.6, 1.6), 0.65), fonts)
    return photograph(drawn.canvas_bgr, Optics(), rng), dice, drawn.boxes_xyxy_px


def test_a_d20_seen_at_an_angle_is_read_by_the_face_that_lies_up_not_by_the_one_that_faces_the_camera() -> None:
    reader = DiceReader.load(threads=1)
    right: list[bool] = []
    sure: dict[float, list[float]] = {34.0: [], 2.0: []}
    for seed in range(4):
        image, dice, boxes = table_of_d20(0.6, seed)
        for tilt, confidences in sure.items():
            read = reader.posteriors(image, boxes, (320.0, 1e6), [tilt] * len(boxes))
            best = [p.candidates({"green-d20": 1.0}, 1)[0] for p in read]
            confidences += [one.p for one in best]
            right += [one.value == die.face for one, die in zip(best, dice, strict=True) if tilt == 34.0]
    assert np.mean(right) >= 0.9
    assert np.mean(sure[34.0]) > np.mean(sure[2.0]) + 0.1, "told wrong from where it is seen, it should be in doubt"
