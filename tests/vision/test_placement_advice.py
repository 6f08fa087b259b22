"""Placement advice: each fault of a camera is named, a good one is left alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.mat_finder import MatFinder
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.placement_advice import Advice, advise, tilt_deg
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.mat_on_table import lay_mat
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.table_setting import TableOptions, lay_table
from tablesight.vision.sources.simulated import SimulatedSource

HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "green-d20", "clear-d6", "pink-d12", "glitter-d6")
FINDER = MatFinder(MatLayout.on("a4"))


@pytest.fixture(scope="module")
def still() -> ImageBGR:
    now_s = [0.0]
    options = TableOptions.parse("seed=1,mats=1,lamp=soft")
    table = SimulatedSource(seats=2, options=options, clock=lambda: now_s[0], wait=None)
    now_s[0] = table.throw({0: HAND, 1: HAND}) + 1
    return table.still().image_bgr


def about(image_bgr: ImageBGR, die_px: float | None = None) -> dict[str, Advice]:
    return {advice.topic: advice for advice in advise(image_bgr, FINDER.find(image_bgr), die_px)}


def test_a_good_camera_needs_no_advice(still: ImageBGR) -> None:
    advice = about(still)
    assert set(advice) == {"scale", "sharpness", "light", "glare", "tilt"}
    assert {item.grade for item in advice.values()} == {"good"}
    assert {item.sentence for item in advice.values()} == {""}


def test_a_camera_too_high_is_told_by_how_much(still: ImageBGR) -> None:
    half = cv2.resize(still, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = cv2.copyMakeBorder(half, 324, 324, 576, 576, cv2.BORDER_REFLECT)
    advice = about(np.asarray(small, np.uint8))["scale"]
    assert advice.grade == "poor"
    assert advice.value == pytest.approx(28, abs=2)
    # 2304 px that show 1.3 m need a lens of 66 degrees at 1 m; 48 px a die are reached at 58 % of that
    assert advice.sentence.startswith("Lower the camera by about 4")


def test_blur_darkness_glare_are_named(still: ImageBGR) -> None:
    blurred = np.asarray(cv2.GaussianBlur(still, (0, 0), 5), np.uint8)
    assert about(blurred)["sharpness"].grade == "poor"
    dark = (still * 0.15).astype(np.uint8)
    assert "dark" in about(dark)["light"].sentence
    glare = still.copy()
    cv2.circle(glare, (1100, 700), 180, (255, 255, 255), -1)
    assert about(glare)["glare"].grade == "fair"


@pytest.mark.parametrize(
    ("lamp", "dice", "grade"),
    [
        pytest.param(1.0, 6, "good", id="dice on it show that there is light"),
        pytest.param(0.3, 6, "poor", id="... and that there is not enough"),
        pytest.param(1.0, 0, "poor", id="nothing shows it on a bare black cloth"),
    ],
)
def test_a_dark_cloth_is_not_called_too_dark_where_the_dice_are_lit(lamp: float, dice: int, grade: str) -> None:
    cloth = np.full((648, 1152, 3), 24.0)
    for place in range(dice):
        cloth[300:324, 200 + 60 * place : 224 + 60 * place] = (40, 190, 220)
    cloth[100:104, 100:104] = 255 / lamp  # a lamp that is mirrored in something shiny says nothing of the light
    light = next(item for item in advise((cloth * lamp).astype(np.uint8), ()) if item.topic == "light")
    assert light.grade == grade


@pytest.mark.parametrize(("degrees", "grade"), [(10.0, "good"), (35.0, "fair"), (50.0, "poor")])
def test_a_view_from_the_side_is_a_tilt(degrees: float, grade: str) -> None:
    setting = lay_table(2, TableOptions.parse("seed=1,mats=1"), len(NumeralFonts.load()))
    focal_px = 2304 / 2 / np.tan(np.radians(33))
    camera = PinholeCamera(2304, 1296, float(focal_px), 800.0, tilt_rad=float(np.radians(degrees)))
    view = np.full((1296, 2304, 3), 70, np.uint8)
    for mat in setting.mats:
        lay_mat(view, camera, mat, setting)
    mats = FINDER.find(view)
    assert len(mats) == 2
    assert [tilt_deg(mat, 2304, 1296) for mat in mats] == pytest.approx([degrees, degrees], abs=2)
    assert about(view)["tilt"].grade == grade


def test_without_mats_the_size_of_the_dice_gives_the_scale(still: ImageBGR) -> None:
    plain = still[200:600, 1000:1300].copy()
    assert {item.topic for item in advise(plain, ())} == {"sharpness", "light", "glare"}
    assert {item.topic: item.grade for item in advise(plain, (), 40.0)}["scale"] == "fair"
