from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tablesight.vision.kinds import KINDS
from tablesight.vision.reader import CROP_PX, rectified
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import Lamp, PlacedDie, render_die
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import Optics, draw_dice, photograph
from tablesight.vision.simulator.styles import random_style

CAMERA = PinholeCamera(200, 200, 1300.0, 260.0)
LAMP = Lamp((0.3, 0.2, 1.0), 0.6)


@pytest.fixture(scope="module")
def fonts() -> NumeralFonts:
    return NumeralFonts.load()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_is_drawn_where_it_lies_at_its_size(kind, fonts: NumeralFonts) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(3)
    style = random_style(kind.color, kind.sides, rng, len(fonts))
    die = PlacedDie(style, 3, 4.0, -2.0, 0.5)
    drawn = draw_dice(np.full((200, 200, 3), 128, np.float32), CAMERA, (die,), LAMP, fonts)
    x0, y0, x1, y1 = drawn.boxes_xyxy_px[0]
    assert abs((x0 + x1) / 2 - (100 + 4 * 5)) < 8
    assert abs((y0 + y1) / 2 - (100 + 2 * 5)) < 8
    assert kind.width_mm * 5 * 0.95 < max(x1 - x0, y1 - y0) < kind.width_mm * 5 * 1.9
    assert np.abs(drawn.canvas_bgr[int(y0) : int(y1), int(x0) : int(x1)] - 128).mean() > 10


def test_red_dice_carry_both_inks(fonts: NumeralFonts) -> None:
    rng = np.random.default_rng(0)
    mixed = [len(set(random_style("red", 6, rng, len(fonts)).inks)) for _ in range(40)]
    assert np.mean([m == 2 for m in mixed]) > 0.7


def test_the_same_die_is_drawn_the_same_twice(fonts: NumeralFonts) -> None:
    style = random_style("glitter", 6, np.random.default_rng(5), len(fonts))
    a, b = (render_die(CAMERA, PlacedDie(style, 2, 0, 0, 1.0), LAMP, fonts) for _ in range(2))
    np.testing.assert_array_equal(a.bgr, b.bgr)


def _circularity(hull_xy_px: np.ndarray) -> float:
    """Area over that of the smallest circle around it, 0 to 1."""
    return float(cv2.contourArea(hull_xy_px) / (np.pi * cv2.minEnclosingCircle(hull_xy_px)[1] ** 2))


@pytest.mark.parametrize("sides", [6, 8, 12, 20])
def test_a_tumbled_die_has_a_rounder_outline_within_the_sharp_one_and_its_top_face_where_it_was(
    sides: int, fonts: NumeralFonts
) -> None:
    sharp = random_style("blue", sides, np.random.default_rng(8), len(fonts), finish="solid")
    tilted = PinholeCamera(200, 200, 1300.0, 260.0, tilt_rad=0.7)
    drawn = [
        render_die(tilted, PlacedDie(replace(sharp, rounding=rounding), 3, 0, 0, 0.4), LAMP, fonts)
        for rounding in (0.0, 0.25, 0.5)
    ]
    shapes = [_circularity(patch.hull_xy_px) for patch in drawn]
    assert shapes[0] + 0.02 < shapes[1]
    assert shapes[1] + 0.02 < shapes[2]
    for patch in drawn[1:]:
        inside = [cv2.pointPolygonTest(drawn[0].hull_xy_px, (float(x), float(y)), True) for x, y in patch.hull_xy_px]
        assert min(inside) > -1.5
        assert patch.top == drawn[0].top


def test_the_top_face_pose_is_upright_when_the_print_is(fonts: NumeralFonts) -> None:
    """The pose of the print, cut out and turned upright, shows the same picture whatever the yaw."""
    style = random_style("blue", 12, np.random.default_rng(8), len(fonts), finish="solid")
    clean = Optics(noise=0, vignette=0, jpeg_quality=None)
    upright = []
    for yaw in (0.3, 2.1, 4.4):
        camera = PinholeCamera(CROP_PX, CROP_PX, 800.0, 260.0)
        canvas = np.full((CROP_PX, CROP_PX, 3), 90, np.float32)
        drawn = draw_dice(canvas, camera, (PlacedDie(style, 7, 0, 0, yaw),), Lamp((0, 0, 1), 1.0), fonts)
        top = drawn.tops[0]
        pose = np.array([*top.center_xy_px, *top.up_xy_px, *top.right_xy_px]) / (CROP_PX / 2)
        pose[:2] -= 1
        image = photograph(drawn.canvas_bgr, clean, np.random.default_rng(0))
        upright.append(rectified(image, pose).astype(float)[14:42, 14:42])
    assert np.abs(upright[0] - upright[1]).mean() < 12
    assert np.abs(upright[0] - upright[2]).mean() < 12
