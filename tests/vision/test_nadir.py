"""The point below the camera, from mats and from dice, on simulated tables seen at an angle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import KINDS
from tablesight.vision.lens import Lens
from tablesight.vision.mat_finder import Mat, MatFinder
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.nadir import MIDDLE, NadirFromDice, nadir_of_mats
from tablesight.vision.reader import DiceReader
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import Lamp, PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.scene import draw_dice, lay_surface
from tablesight.vision.simulator.script import Moment
from tablesight.vision.simulator.styles import random_style
from tablesight.vision.simulator.surfaces import surface_texture
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.simulator.table_setting import TableOptions, TableSetting, lay_table
from tablesight.vision.viewpoint import FOCAL

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


def throw(camera: PinholeCamera, count: int, rng: np.random.Generator) -> tuple[ImageBGR, list[BoxXYXY]]:
    """A picture of dice on a bare table, and their boxes."""
    fonts = NumeralFonts.load()
    to_table = np.linalg.inv(camera.table_to_px())
    dice: list[PlacedDie] = []
    while len(dice) < count:
        x, y, w = to_table @ [rng.uniform(0.1, 0.9) * camera.width_px, rng.uniform(0.1, 0.9) * camera.height_px, 1]
        kind = list(KINDS.values())[int(rng.integers(len(KINDS)))]
        if all(np.hypot(x / w - d.x_mm, y / w - d.y_mm) > 28 for d in dice):
            style = random_style(kind.color, kind.sides, rng, len(fonts))
            face = int(rng.integers(kind.sides)) + 1
            dice.append(PlacedDie(style, face, x / w, y / w, float(rng.uniform(0, 6.28))))
    lamp = Lamp((0.3, 0.4, 1.0), 0.6)
    table = lay_surface(camera, surface_texture("wood", 512, 512, rng), 0.4, lamp)
    drawn = draw_dice(table, camera, tuple(dice), lamp, fonts)
    picture = np.clip(drawn.canvas_bgr, 0, 255).astype(np.uint8)
    return picture, [(float(a), float(b), float(c), float(d)) for a, b, c, d in drawn.boxes_xyxy_px]


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader.load(threads=1)


@pytest.mark.parametrize(("tilt_deg", "roll_deg"), [(0, 0), (20, 0), (38, 5)])
def test_two_throws_tell_from_where_the_camera_looks(reader: DiceReader, tilt_deg: float, roll_deg: float) -> None:
    camera = PinholeCamera(1280, 960, FOCAL * 1280, 600, (0, 0), np.radians(tilt_deg), 0.0, np.radians(roll_deg))
    nadir = NadirFromDice()
    for seed in range(2):
        picture, boxes = throw(camera, 7, np.random.default_rng(seed))
        nadir.learn(boxes, reader.tilts(picture, boxes), 1280, 960)
    found = nadir.estimate()
    assert found is not None
    assert off(found, camera) < 0.05 + 0.2 * off(MIDDLE, camera)


def test_a_few_dice_tell_nothing_and_a_moved_camera_is_forgotten(reader: DiceReader) -> None:
    camera = PinholeCamera(1280, 960, FOCAL * 1280, 600, (0, 0), np.radians(25))
    nadir = NadirFromDice()
    picture, boxes = throw(camera, 8, np.random.default_rng(4))
    looks = reader.tilts(picture, boxes)
    nadir.learn(boxes[:5], looks[:5], 1280, 960)
    assert nadir.estimate() is None
    nadir.learn(boxes[5:], looks[5:], 1280, 960)
    assert nadir.estimate() is not None
    nadir.forget()
    assert nadir.estimate() is None


def test_one_look_that_errs_does_not_tilt_the_table(reader: DiceReader) -> None:
    camera = PinholeCamera(1280, 960, FOCAL * 1280, 600)
    picture, boxes = throw(camera, 12, np.random.default_rng(5))
    looks = list(reader.tilts(picture, boxes))
    looks[0] = np.full((8, 14), 1e-4)
    looks[0][2, 11] = 1.0  # surely seen from the side, at 55 degrees
    nadir = NadirFromDice()
    nadir.learn(boxes, looks, 1280, 960)
    found = nadir.estimate()
    assert found is not None
    assert off(found, camera) < 0.1
