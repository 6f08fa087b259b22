"""What users of other dice readers complain about, as tests: the part that is about watching and needs no models."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tablesight.vision.camera_shift import CameraShift
from tablesight.vision.frame import ImageBGR
from tablesight.vision.motion_gate import GateState, MotionGate
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.hand import Hand, draw_hand
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import FlyingDie, Moment
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.simulator.table_setting import TableOptions, TableSetting, lay_table
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.worker.mat_follower import MatFollower
from tablesight.vision.zones import default_zones

HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "green-d20", "clear-d6", "pink-d12", "glitter-d6")

Spoil = Callable[[ImageBGR], ImageBGR]


class Evening:
    """A simulated table for two, watched by a motion gate, ten pictures a second."""

    def __init__(self, options: str) -> None:
        self.now_s = 0.0
        self.table = SimulatedSource(seats=2, options=TableOptions.parse(options), clock=lambda: self.now_s, wait=None)
        self.gate = MotionGate(default_zones(2))
        self.settled: list[int] = []
        self.watch(2.0)
        assert self.settled == []

    def watch(self, until_s: float, spoil: Spoil | None = None) -> GateState:
        state = None
        while state is None or self.now_s < until_s:
            self.now_s += 0.1
            picture = self.table.preview().image_bgr
            state = self.gate.update(picture if spoil is None else spoil(picture), self.now_s)
            for seat in state.newly_settled:
                # as the reader would say: a shadow that falls into another zone is looked at, and is no dice
                has_dice = any(die.seat == seat for die in self.table.moment().lying)
                self.gate.accept(seat, has_dice)
                self.settled += [seat] * has_dice
        return state

    def throw(self) -> GateState:
        return self.watch(self.table.throw({0: HAND}) + 1.5)


def lamp_off(picture: ImageBGR) -> ImageBGR:
    return (picture * 0.02).astype(np.uint8)


def lens_covered(picture: ImageBGR) -> ImageBGR:
    rng = np.random.default_rng(1)
    return np.clip(rng.normal(38, 2, picture.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("options", ["seed=1", "seed=2,lamp=hard,shake=5", "seed=3,surface=felt"])
@pytest.mark.parametrize("spoil", [lamp_off, lens_covered])
def test_2_a_covered_lens_or_a_lamp_off_is_cannot_see_and_the_next_good_picture_is_taken(
    options: str, spoil: Spoil
) -> None:
    evening = Evening(options)
    evening.throw()
    assert evening.settled == [0]
    for _ in range(2):
        assert not evening.watch(evening.now_s + 2, spoil).can_see
        assert evening.watch(evening.now_s + 0.1).can_see
        state = evening.watch(evening.now_s + 2)
        assert evening.settled == [0]
        assert [zone.state for zone in state.zones] == ["settled", "empty"]
    evening.throw()  # and the game goes on
    assert evening.settled == [0, 0]


@pytest.mark.parametrize("options", ["seed=4", "seed=5,lamp=hard"])
def test_4_a_hand_that_holds_dice_over_the_table_is_no_roll(options: str) -> None:
    evening = Evening(options)
    setting = evening.table.setting
    camera = setting.preview_camera
    styles = [setting.style_of(kind, number) for number, kind in enumerate(HAND[:4])]

    def holding(picture: ImageBGR, sway_mm: float = 0.0) -> ImageBGR:
        hand = Hand((-120.0 + sway_mm, 0.0), (0.0, 1.0), 0.2, (118, 150, 205), (90, 60, 40))
        picture = picture.copy()
        draw_hand(picture, camera, hand, setting.lamp)
        dice = tuple(
            FlyingDie(
                number, 0, PlacedDie(style, 1, -135.0 + 18 * (number % 2) + sway_mm, 18.0 * (number // 2), 0.3, 60.0)
            )
            for number, style in enumerate(styles)
        )
        in_the_hand = evening.table._camera.preview(Moment(-1, (), dice, (hand,)))
        shown = np.abs(in_the_hand.astype(int) - picture).max(axis=2) > 30
        picture[shown] = in_the_hand[shown]
        return picture

    # it comes in, shakes the dice, holds them quite still for two seconds, and leaves with them
    for step in range(10):
        evening.watch(evening.now_s + 0.1, lambda picture, step=step: holding(picture, 40 * math.sin(step)))  # type: ignore[misc]
    state = evening.watch(evening.now_s + 2, holding)
    assert state.state_of(0) == "moving"
    state = evening.watch(evening.now_s + 2)
    assert state.state_of(0) == "empty"
    assert evening.settled == []


@pytest.mark.parametrize("options", ["seed=6", "seed=7,surface=cloth,shake=5"])
def test_4_dice_put_back_are_no_roll(options: str) -> None:
    evening = Evening(options)
    evening.throw()
    state = evening.watch(evening.table.clear() + 1.5)
    assert evening.settled == [0]
    assert [zone.state for zone in state.zones] == ["empty", "empty"]


def pushed(setting: TableSetting, x_mm: float) -> TableSetting:
    """The same table after somebody has pushed the camera's arm."""
    camera = replace(setting.still_camera, look_at_mm=(x_mm, 0.0))
    return replace(setting, still_camera=camera, preview_camera=camera.resized(setting.preview_camera.width_px))


@pytest.mark.parametrize("options", ["seed=8", "seed=9,surface=wood,lamp=hard"])
def test_7_a_camera_shifted_3_cm_between_rounds_is_noticed_within_two_frames(options: str) -> None:
    fonts = NumeralFonts.load()
    setting = lay_table(2, TableOptions.parse(options), len(fonts))
    before, after = (TableCamera(one, fonts, 8) for one in (setting, pushed(setting, 30)))
    empty = Moment(1, (), (), ())
    watch = CameraShift()
    assert all(watch.update(before.preview(empty)) is None for _ in range(10))  # a second of the table as it is
    seen = [watch.update(after.preview(empty)) for _ in range(2)]
    (shift,) = [one for one in seen if one is not None]
    expected = -30 * setting.still_camera.px_per_mm() / setting.still_camera.width_px
    assert shift.dx == pytest.approx(expected, abs=0.01)
    assert abs(shift.dy) < 0.01


def test_7_mats_are_found_anew_by_a_camera_shifted_3_cm() -> None:
    fonts = NumeralFonts.load()
    setting = lay_table(2, TableOptions.parse("seed=10,mats=1"), len(fonts))
    moved = pushed(setting, 30)
    empty = Moment(1, (), (), ())
    follower = MatFollower(2, "a4")
    for one in (setting, moved):
        assert follower.look(TableCamera(one, fonts, 8).still(empty))
        for found, true in zip(follower.zones, one.mat_zones(), strict=True):
            assert np.abs(np.array(found.polygon) - np.array(true.polygon)).max() < 0.006
