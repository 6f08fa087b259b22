"""The watcher on a simulated table with mats: the reader gets white light, and the point below the camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tablesight.vision.frame import Frame, ImageBGR
from tablesight.vision.kinds import COLORS
from tablesight.vision.lens import Lens
from tablesight.vision.mat_finder import MatFinder
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.mat_light import measure_light
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.reading import BoxXYXY, Detection
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import Moment, TableScript
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.simulator.table_setting import TableOptions, lay_table
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.camera_line import CameraLine
from tablesight.vision.worker.camera_place import CameraPlace
from tablesight.vision.worker.requests import Configure, ReadNow
from tablesight.vision.worker.table_watch import TableWatch
from tablesight.vision.zones import default_zones

HAND = ("yellow-d6", "purple-d8", "red-d6")


class TiltedCamera:
    """Looks at two mats with dice on one of them, from the side, under a warm lamp."""

    name = "tilted camera"

    def __init__(self) -> None:
        fonts = NumeralFonts.load()
        setting = lay_table(2, TableOptions.parse("seed=3,mats=1,lamp=warm"), len(fonts))
        camera = replace(setting.still_camera, tilt_rad=np.radians(20))
        self.setting = replace(setting, still_camera=camera, preview_camera=camera.resized(640))
        self._camera = TableCamera(self.setting, fonts, 3)
        script = TableScript(self.setting, self.setting.mat_zones(), np.random.default_rng(3))
        script.throw({0: HAND}, 0.0)
        self._moment: Moment = script.moment(9.0)
        self._at_s = 0.0

    def preview(self) -> Frame:
        self._at_s += 0.1
        return Frame(self._camera.preview(self._moment), self._at_s)

    def still(self) -> Frame:
        return Frame(self._camera.still(self._moment), self._at_s)

    def close(self) -> None: ...


class Eyes:
    """Sees a die in the left mat, always the same, and keeps the stills that it was shown."""

    accept_from = 0.9

    def __init__(self) -> None:
        self.shown: list[ImageBGR] = []

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] | None = None) -> tuple[Detection, ...]:
        x, y = 0.25 * image_bgr.shape[1], 0.5 * image_bgr.shape[0]
        return (Detection((x - 35, y - 35, x + 35, y + 35), 0.9),)

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DiePosterior, ...]:
        self.shown.append(image_bgr)
        colors, shapes, faces = np.zeros(len(COLORS)), np.zeros(len(SHAPES)), np.zeros((len(SHAPES), 20))
        colors[0] = shapes[0] = faces[:, 2] = 1
        return (DiePosterior(colors, shapes, faces, np.full(4, 0.25), 0.0),) * len(boxes_xyxy_px)

    def tilts(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[np.ndarray, ...]:
        return (np.full((8, 14), 1 / 14),) * len(boxes_xyxy_px)


class NoPulse:
    def alive(self) -> None: ...

    def now(self) -> None: ...


def test_every_still_is_read_in_white_light_and_with_the_point_below_the_camera() -> None:
    camera, eyes = TiltedCamera(), Eyes()
    reader = TableReader(eyes, eyes)
    focal = camera.setting.still_camera.focal_px / camera.setting.still_camera.width_px
    place = CameraPlace({camera.name: Lens(focal, 0.5, 0.5, (0, 0, 0, 0, 0))})
    watch = TableWatch(
        CameraLine(lambda: camera), lambda: reader, lambda: "", lambda *_: None, 2, wait=lambda _: None, place=place
    )
    watch.handle(Configure(2, default_zones(2), "a4"))
    for _ in range(30):
        watch.turn(NoPulse())
        if len(eyes.shown) >= 3:
            break
        watch.handle(ReadNow())
    assert len(eyes.shown) >= 3
    raw = camera.still().image_bgr
    finder = MatFinder(MatLayout.on("a4"))
    warm = measure_light(raw, finder.find(raw))
    assert warm is not None
    assert warm.white_bgr[0] < 0.85 * warm.white_bgr[2]
    seen = [measure_light(shown, finder.find(shown)) for shown in eyes.shown]
    lights = [light for light in seen if light is not None]
    assert len(lights) >= 3
    for light in lights:  # the third as well as the first: the light is not measured in what was corrected already
        assert light.white_bgr[0] > 0.95 * light.white_bgr[2]
    position = camera.setting.still_camera.position_mm()
    pixel = camera.setting.still_camera.project(np.array([[position[0], position[1], 0.0]]))[0]
    assert reader.focal == focal
    assert reader.nadir_xy is not None
    assert reader.nadir_xy[1] * raw.shape[0] == pytest.approx(pixel[1], abs=60)


class SlowMats:
    """Mats that are all known, as zones of the default grid; counts how often they were searched for."""

    def __init__(self) -> None:
        self.searches = 0
        self.zones, self.mats, self.missing, self.gains_bgr = default_zones(2), (), (), None

    def look(self, still_bgr: ImageBGR) -> bool:
        self.searches += 1
        return False


def test_a_search_for_mats_does_not_come_between_hands_that_settle_one_after_another(bench: Any) -> None:
    bench.begin()
    mats = SlowMats()
    right = [(420, 120, 4), (500, 220, 1)]
    for step in range(14):  # the dice of one zone lie still while those of the other tumble
        bench.camera.dice = [*right, (60 + 9 * step, 120, 5)]
        bench.turns(1)
        if step == 2:
            bench.watch._mats = mats
            bench.watch._next_search_s = 0.0  # it is due
            bench.watch._settings = replace(bench.watch._settings, restless_s=1e12)
    assert [reading["zone"] for reading in bench.readings()] == [1]
    assert mats.searches == 0
    bench.turns(12)
    assert [reading["zone"] for reading in bench.readings()] == [1, 0]
    assert mats.searches == 1
    for step in range(6):  # somebody who fidgets for ever does not keep the mats from being found
        bench.camera.dice = [*right, (60 + 9 * step, 120, 5)]
        bench.turns(1)
        assert mats.searches == 1 + (step > 3)
        if step == 3:
            bench.watch._next_search_s = 0.0
            bench.watch._settings = replace(bench.watch._settings, restless_s=5.0)
