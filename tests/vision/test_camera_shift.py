"""A pushed camera is noticed; dice, hands, lamps and noise are not mistaken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablesight.vision.camera_shift import CameraShift
from tablesight.vision.frame import ImageBGR
from tablesight.vision.motion_gate import MotionGate
from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.zones import default_zones

HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "green-d20", "clear-d6", "pink-d12", "glitter-d6")


def moved(image_bgr: ImageBGR, dx: float, dy: float) -> ImageBGR:
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    size = (image_bgr.shape[1], image_bgr.shape[0])
    return np.asarray(cv2.warpAffine(image_bgr, move, size, borderMode=cv2.BORDER_REFLECT), np.uint8)


@pytest.mark.parametrize("options", ["seed=1", "seed=3,surface=felt", "seed=4,mats=1", "seed=6,surface=cloth,shake=5"])
@pytest.mark.parametrize(("dx", "dy"), [(27, 0), (-20, 14), (3, -40)])
def test_three_centimetres_are_noticed_within_two_frames(options: str, dx: float, dy: float) -> None:
    now_s = [0.0]
    table = SimulatedSource(seats=2, options=TableOptions.parse(options), clock=lambda: now_s[0], wait=None)
    camera = CameraShift()
    now_s[0] = table.throw({0: HAND, 1: HAND}) + 1
    for _ in range(10):
        assert camera.update(table.preview().image_bgr) is None
    first, second = (camera.update(moved(table.preview().image_bgr, dx, dy)) for _ in range(2))
    assert first is None
    assert second is not None
    assert second.dx * 640 == pytest.approx(dx, abs=5)
    assert second.dy * 360 == pytest.approx(dy, abs=5)
    for _ in range(5):
        assert camera.update(moved(table.preview().image_bgr, dx, dy)) is None


@pytest.mark.parametrize("options", ["seed=1", "seed=2,lamp=hard,shake=5", "seed=3,surface=plain", "seed=4,mats=1"])
def test_a_whole_game_at_the_table_is_no_shift(options: str) -> None:
    now_s = [0.0]
    table = SimulatedSource(seats=3, options=TableOptions.parse(options), clock=lambda: now_s[0], wait=None)
    camera, gate = CameraShift(), MotionGate(default_zones(3))
    for _ in range(3):
        end_s = table.throw({0: HAND, 1: HAND, 2: HAND}) + 1
        while now_s[0] < end_s:
            now_s[0] += 0.1
            picture = table.preview().image_bgr
            gate.update(picture, now_s[0])
            assert camera.update(picture, gate.still_for_s() >= 0.25) is None
    dimmed = (table.preview().image_bgr * 0.6).astype(np.uint8)
    for _ in range(3):
        assert camera.update(dimmed) is None


def pushed(table: SimulatedSource, dx: float, dy: float) -> ImageBGR:
    """A preview of the empty table after the camera was pushed: what moves is the table, not noise or the lens."""
    camera = table._camera
    bare, small = camera._preview._bare, camera._preview.camera
    return camera._expose(camera._shade(moved(bare, dx, dy)), small)


def is_noticed(camera: CameraShift, table: SimulatedSource, still: int, dx: float, dy: float) -> None:
    """After so many previews of the table at rest a push by (dx, dy) pixels is told with the second that shows it."""
    for _ in range(still):
        assert camera.update(pushed(table, 0, 0)) is None
    assert camera.update(pushed(table, dx, dy)) is None
    shift = camera.update(pushed(table, dx, dy))
    assert shift is not None
    assert shift.dx * 640 == pytest.approx(dx, abs=4)
    assert shift.dy * 360 == pytest.approx(dy, abs=4)


@pytest.mark.parametrize(
    "options", ["seed=7,surface=felt,lamp=hard,shake=5", "seed=7,surface=plain", "seed=4,surface=felt"]
)
@pytest.mark.parametrize(("dx", "dy"), [(9, 0), (-20, 12), (60, 30)])
def test_over_a_bare_cloth_too(options: str, dx: float, dy: float) -> None:
    table = SimulatedSource(seats=3, options=TableOptions.parse(options), clock=lambda: 0.0, wait=None)
    is_noticed(CameraShift(), table, 12, dx, dy)


@pytest.mark.parametrize("options", ["seed=0,surface=cloth", "seed=3,surface=cloth,lamp=hard"])
@pytest.mark.parametrize(("dx", "dy"), [(9, 0), (-7, 6)])
def test_over_wide_folds_that_look_much_the_same_when_pushed(options: str, dx: float, dy: float) -> None:
    table = SimulatedSource(seats=3, options=TableOptions.parse(options), clock=lambda: 0.0, wait=None)
    camera = CameraShift()
    is_noticed(camera, table, 18, dx, dy)
    assert all(camera.update(pushed(table, dx, dy)) is None for _ in range(12))


@pytest.mark.parametrize("surface", ["cloth", "felt", "plain", "wood", "stone"])
@pytest.mark.parametrize("seed", [0, 2])
def test_a_flickering_lamp_and_dice_that_come_one_by_one_are_no_shift(surface: str, seed: int) -> None:
    now_s, rng = [0.0], np.random.default_rng(seed)
    options = TableOptions.parse(f"seed={seed},surface={surface},lamp=hard,shake={5 * (seed // 2)}")
    table = SimulatedSource(seats=2, options=options, clock=lambda: now_s[0], wait=None)
    camera = CameraShift()
    rows = np.arange(360)[:, None, None]
    lying = 0
    for frame in range(60):
        if frame % 10 == 9:  # one more die lies in each zone; what moves is passed over
            lying += 1
            now_s[0] = table.throw(dict.fromkeys(range(2), HAND[:lying])) + 1
        now_s[0] += 0.1
        bands = 1 + 0.08 * np.sin(rows / 360 * 2 * np.pi * 2.4 + rng.uniform(0, 2 * np.pi))
        flickering = np.clip(table.preview().image_bgr * bands * rng.uniform(0.9, 1.1), 0, 255).astype(np.uint8)
        assert camera.update(flickering) is None


def test_a_picture_of_nothing_but_noise_is_no_shift() -> None:
    rng = np.random.default_rng(1)
    camera = CameraShift()
    for _ in range(60):
        noise = np.clip(rng.normal(120, 3, (360, 640, 3)), 0, 255).astype(np.uint8)
        assert camera.update(noise) is None
