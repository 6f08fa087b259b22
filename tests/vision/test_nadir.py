"""The point below the camera, from mats and from dice, on simulated tables seen at an angle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tablesight.vision.kinds import KINDS
from tablesight.vision.lens import Lens
from tablesight.vision.mat_finder import Mat, MatFinder
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.nadir import MIDDLE, NadirFromDice, nadir_of_mats
from tablesight.vision.reading import DieReading
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import Moment
from tablesight.vision.simulator.table_camera import TableCamera, box_in_picture
from tablesight.vision.simulator.table_setting import TableOptions, TableSetting, lay_table

FONTS = len(NumeralFonts.load())
A4 = MatLayout.on("a4")


def tilted(setting: TableSetting, tilt_deg: float, azimuth_deg: float) -> TableSetting:
    camera = replace(setting.still_camera, tilt_rad=np.radians(tilt_deg), azimuth_rad=np.radians(azimuth_deg))
    return replace(setting, still_camera=camera, preview_camera=camera.resized(640))


def true_nadir(camera: PinholeCamera) -> np.ndarray:
    x, y, _ = camera.position_mm()
    pixel = camera.project(np.array([[x, y, 0.0]]))[0]
    return np.array([pixel[0] / camera.width_px, pixel[1] / camera.height_px])


def off(found: tuple[float, float], camera: PinholeCamera) -> float:
    """How far it is from the truth, in widths of the picture."""
    step = np.array(found) - true_nadir(camera)
    return float(np.hypot(step[0], step[1] * camera.height_px / camera.width_px))


def mats_of(setting: TableSetting, lens: Lens | None = None) -> list[Mat]:
    """The mats of a table as they would be found, without drawing it."""
    camera = setting.still_camera
    size = (camera.width_px, camera.height_px)
    return [Mat(m.seat, camera.table_to_px() @ m.to_table(A4), A4, 0.1, {}, size, lens) for m in setting.mats]


@pytest.mark.parametrize(("tilt_deg", "azimuth_deg"), [(0, 0), (12, 200), (25, 0), (35, 30)])
def test_mats_tell_it_exactly_where_the_focal_length_is_known(tilt_deg: float, azimuth_deg: float) -> None:
    setting = tilted(lay_table(2, TableOptions.parse("seed=3,mats=1"), FONTS), tilt_deg, azimuth_deg)
    camera = setting.still_camera
    lens = Lens(camera.focal_px / camera.width_px, 0.5, 0.5, (0, 0, 0, 0, 0))
    found = nadir_of_mats(mats_of(setting, lens))
    assert found is not None
    assert off(found, camera) < 0.002


def test_mats_tell_it_well_enough_with_a_lens_that_is_guessed() -> None:
    for tilt_deg in (10, 25):
        setting = tilted(lay_table(2, TableOptions.parse("seed=3,mats=1"), FONTS), tilt_deg, 0)
        found = nadir_of_mats(mats_of(setting))
        assert found is not None
        guessed = off(found, setting.still_camera)
        assert guessed < 0.6 * off(MIDDLE, setting.still_camera)


def test_mats_in_a_drawn_picture_tell_it() -> None:
    setting = tilted(lay_table(2, TableOptions.parse("seed=4,mats=1"), FONTS), 22, 0)
    still = TableCamera(setting, NumeralFonts.load(), 4).still(Moment(0, (), (), ()))
    mats = MatFinder(A4).find(still)
    assert len(mats) >= 1
    focal = setting.still_camera.focal_px / setting.still_camera.width_px
    found = nadir_of_mats(mats, focal)
    assert found is not None
    assert off(found, setting.still_camera) < 0.06


def test_without_mats_nothing_is_told() -> None:
    assert nadir_of_mats([]) is None


def dice_on(setting: TableSetting, count: int, rng: np.random.Generator) -> list[DieReading]:
    camera = setting.still_camera
    to_table = np.linalg.inv(camera.table_to_px())
    dice = []
    while len(dice) < count:
        x, y, w = to_table @ [rng.uniform(0.05, 0.95) * camera.width_px, rng.uniform(0.05, 0.95) * camera.height_px, 1]
        kind = KINDS[str(rng.choice(list(KINDS)))]
        placed = PlacedDie(setting.style_of(kind.id, 0), 1, x / w, y / w, float(rng.uniform(0, 6.28)))
        box = box_in_picture(camera, placed)
        dice.append(DieReading(box, kind.id, kind.color, kind.sides, "numeral", "white", 1, 1, 0.99, True, ()))
    return dice


@pytest.mark.parametrize(("tilt_deg", "azimuth_deg"), [(25, 0), (32, 180)])
def test_dice_of_a_few_rounds_tell_that_the_camera_looks_from_the_side(tilt_deg: float, azimuth_deg: float) -> None:
    setting = tilted(lay_table(3, TableOptions.parse("seed=5"), FONTS), tilt_deg, azimuth_deg)
    camera = setting.still_camera
    for seed in range(3):
        nadir = NadirFromDice(camera.focal_px / camera.width_px)
        nadir.learn(dice_on(setting, 120, np.random.default_rng(seed)), camera.width_px, camera.height_px)
        assert off(nadir.estimate(), camera) < 0.6 * off(MIDDLE, camera)


def test_a_camera_that_looks_straight_down_stays_one() -> None:
    setting = tilted(lay_table(3, TableOptions.parse("seed=5"), FONTS), 0, 0)
    camera = setting.still_camera
    for seed in range(10):
        nadir = NadirFromDice()
        nadir.learn(dice_on(setting, 60, np.random.default_rng(seed)), camera.width_px, camera.height_px)
        assert nadir.estimate() == MIDDLE


def test_few_dice_and_doubtful_ones_tell_nothing() -> None:
    setting = tilted(lay_table(3, TableOptions.parse("seed=5"), FONTS), 30, 0)
    camera = setting.still_camera
    rng = np.random.default_rng(7)
    nadir = NadirFromDice()
    nadir.learn(dice_on(setting, 5, rng), camera.width_px, camera.height_px)
    assert nadir.estimate() == MIDDLE
    doubtful = [replace(die, accepted=False) for die in dice_on(setting, 20, rng)]
    nadir.learn(doubtful, camera.width_px, camera.height_px)
    assert nadir.estimate() == MIDDLE
    nadir.learn(dice_on(setting, 90, rng), camera.width_px, camera.height_px)
    assert nadir.estimate() != MIDDLE
    nadir.forget()
    assert nadir.estimate() == MIDDLE


def test_a_few_boxes_that_are_no_dice_do_not_tilt_the_table() -> None:
    setting = tilted(lay_table(3, TableOptions.parse("seed=8"), FONTS), 28, 0)
    camera = setting.still_camera
    dice = dice_on(setting, 120, np.random.default_rng(9))
    for place in (0, 1, 2):
        left, top, right, bottom = dice[place].box_xyxy_px
        dice[place] = replace(dice[place], box_xyxy_px=(left, top, right + 3 * (right - left), bottom))
    nadir = NadirFromDice(camera.focal_px / camera.width_px)
    nadir.learn(dice, camera.width_px, camera.height_px)
    assert off(nadir.estimate(), camera) < 0.6 * off(MIDDLE, camera)
