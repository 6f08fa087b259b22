from __future__ import annotations

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
