"""The motion gate on drawn sequences: what happens at a table, and what a cheap camera adds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.motion_gate import GateState, MotionGate
from tablesight.vision.zones import default_zones

WIDTH, HEIGHT = 640, 360
FRAME_S = 0.1

Die = tuple[int, int, float, int]
"""x, y, yaw (degrees), face."""


@dataclass
class Table:
    """A drawn table under a noisy camera; `lamp`, `bands`, `noise` and `shift_px` are set by the tests."""

    surface_bgr: tuple[int, int, int] = (70, 110, 60)
    texture: float = 8.0
    noise: float = 4.0
    lamp: float = 1.0
    bands: float = 0.0
    jpeg_quality: int | None = 80
    shift_px: float = 0.0
    dice: list[Die] = field(default_factory=list)
    hand: tuple[int, int] | None = None
    objects: list[tuple[int, int, int, int]] = field(default_factory=list)
    seed: int = 1

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        coarse = self.rng.normal(0, self.texture, (HEIGHT // 4, WIDTH // 4, 1)).astype(np.float32)
        grain = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)[..., None]
        self.surface = (np.float32(self.surface_bgr) + grain).astype(np.float32)
        # drawing new noise for each frame costs more than the gate: shifted cuts of one large field are as good
        self.grains = self.rng.normal(0, 1, (HEIGHT + 97, WIDTH + 89, 3)).astype(np.float32)
        self.frame_number = 0

    def frame(self) -> ImageBGR:
        image = np.clip(self.surface, 0, 255).astype(np.uint8)
        for left, top, right, bottom in self.objects:
            cv2.rectangle(image, (left, top), (right, bottom), (200, 190, 180), -1)
        for x, y, yaw, face in self.dice:
            corners = cv2.boxPoints(((x, y), (13, 13), yaw)).astype(np.int32)
            cv2.fillConvexPoly(image, corners, (40, 30, 190), cv2.LINE_AA)
            cv2.putText(image, str(face), (x - 4, y + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (240, 240, 240), 1)
        if self.hand is not None:
            x, y = self.hand
            cv2.line(image, (x, y), (x - 40, HEIGHT + 60), (120, 150, 205), 60, cv2.LINE_AA)
            cv2.circle(image, (x, y), 38, (130, 160, 215), -1, cv2.LINE_AA)
        picture = image.astype(np.float32) * self.lamp
        if self.bands:
            rows = np.arange(HEIGHT) / HEIGHT * 4 * np.pi + self.frame_number * 1.3
            picture *= (1 + self.bands * np.sin(rows))[:, None, None].astype(np.float32)
        if self.shift_px:
            move = np.float32([[1, 0, self.rng.uniform(-1, 1)], [0, 1, self.rng.uniform(-1, 1)]])
            move[:, 2] *= self.shift_px
            picture = cv2.warpAffine(picture, move, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
        top, left = int(self.rng.integers(98)), int(self.rng.integers(90))
        grains = self.grains[top : top + HEIGHT, left : left + WIDTH]
        picture += grains * self.noise * np.sqrt((picture + 10) / 110)
        self.frame_number += 1
        noisy = np.clip(picture, 0, 255).astype(np.uint8)
        if self.jpeg_quality is None:
            return noisy
        packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg_quality])[1]
        return cv2.imdecode(packed, cv2.IMREAD_COLOR)


class Watch:
    """A gate over a drawn table, with the clock of the pictures; remembers what has settled."""

    def __init__(self, table: Table, seats: int = 2) -> None:
        self.table = table
        self.gate = MotionGate(default_zones(seats))
        self.at_s = 0.0
        self.settled: list[int] = []
        self.states: list[GateState] = []

    def look(self, frames: int = 1, each: Callable[[int], None] | None = None) -> GateState:
        for number in range(frames):
            if each is not None:
                each(number)
            state = self.gate.update(self.table.frame(), self.at_s)
            self.at_s += FRAME_S
            self.settled += state.newly_settled
            self.states.append(state)
        return self.states[-1]

    def begin_empty(self) -> None:
        """An empty table, looked at and confirmed by a reader that finds no dice."""
        state = self.look(12)
        for seat in state.newly_settled or self.settled:
            self.gate.accept(seat, has_dice=False)
        self.settled.clear()
        assert [zone.state for zone in self.look(5).zones] == ["empty"] * len(state.zones)

    def throw(self, dice: Iterable[Die], frames: int = 10) -> None:
        """Dice tumble in with less and less motion, then lie."""
        dice, lying = list(dice), list(self.table.dice)
        rng = np.random.default_rng(5)
        for number in range(frames):
            spread = 60 * (1 - number / frames) ** 1.5
            tumbling = [
                (int(x + rng.uniform(-spread, spread)), int(y + rng.uniform(-spread, spread)), rng.uniform(0, 90), 8)
                for x, y, _, _ in dice
            ]
            self.table.dice = lying + tumbling
            self.look()
        self.table.dice = lying + dice

    def pass_hand(self, path: Iterable[tuple[int, int]]) -> list[GateState]:
        seen = []
        for self.table.hand in path:
            seen.append(self.look())
        self.table.hand = None
        return seen


LEFT: list[Die] = [(100, 120, 20.0, 5), (150, 180, 65.0, 2), (200, 100, 10.0, 3)]
RIGHT: list[Die] = [(420, 120, 20.0, 4), (500, 220, 65.0, 1)]
ACROSS_LEFT = [(x, y) for x, y in zip(range(40, 300, 20), range(350, 90, -20), strict=True)]


def test_a_throw_settles_once_0_6_s_after_the_last_motion() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT)
    assert watch.states[-1].state_of(0) == "moving"
    assert watch.states[-1].state_of(1) == "empty"
    rested_at_s = watch.at_s
    watch.look(40)
    assert watch.settled == [0]
    at_s = next(state.at_s for state in watch.states[20:] if state.newly_settled)
    assert 0.55 <= at_s - rested_at_s <= 0.95
    assert watch.states[-1].state_of(0) == "settled"
    assert watch.states[-1].state_of(1) == "empty"


def test_two_players_throw_at_the_same_time() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT + RIGHT)
    watch.look(15)
    assert sorted(watch.settled) == [0, 1]


def test_a_hand_that_passes_over_lying_dice_is_motion_but_no_new_throw() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT)
    watch.look(15)
    seen = watch.pass_hand(ACROSS_LEFT)
    assert "moving" in {state.state_of(0) for state in seen}
    watch.look(20)
    assert watch.settled == [0]
    assert watch.states[-1].state_of(0) == "settled"


def test_a_hand_over_an_empty_table_is_no_throw() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.pass_hand(ACROSS_LEFT)
    watch.look(20)
    assert watch.settled == []
    assert watch.states[-1].state_of(0) == "empty"


def test_a_hand_that_holds_still_over_the_table_counts_as_moving() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.pass_hand(ACROSS_LEFT)
    held = watch.pass_hand([ACROSS_LEFT[-1]] * 30)
    assert watch.settled == []
    assert {state.state_of(0) for state in held} == {"moving"}


def test_dice_taken_up_again_mean_nothing_and_the_same_dice_may_come_back_as_a_new_throw() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT)
    watch.look(15)
    watch.pass_hand(ACROSS_LEFT)
    watch.table.dice = []
    watch.look(15)
    assert watch.settled == [0]
    assert watch.states[-1].state_of(0) == "empty"
    watch.throw(LEFT)
    watch.look(15)
    assert watch.settled == [0, 0]
    assert watch.states[-1].zones[0].settled_count == 3  # the empty table at the start was looked at once


def test_one_die_turned_in_place_is_something_new() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT)
    watch.look(15)
    watch.pass_hand(ACROSS_LEFT)
    x, y, yaw, _ = LEFT[0]
    watch.table.dice = [(x, y, yaw + 30, 1), *LEFT[1:]]
    watch.look(15)
    assert watch.settled == [0, 0]


def test_dice_that_lie_there_at_the_start_settle_and_after_them_the_table_is_learned() -> None:
    watch = Watch(Table(dice=list(LEFT)))
    watch.look(15)
    assert sorted(watch.settled) == [0, 1]
    watch.gate.accept(0, has_dice=True)
    watch.gate.accept(1, has_dice=False)
    assert watch.look().state_of(0) == "settled"
    assert watch.look().state_of(1) == "empty"
    watch.pass_hand(ACROSS_LEFT)
    watch.table.dice = []
    watch.look(15)
    assert watch.settled[2:] == [0]  # nobody has seen this part of the table empty: the reader must look
    watch.gate.accept(0, has_dice=False)
    assert watch.look().state_of(0) == "empty"


def test_a_phone_laid_on_the_mat_becomes_part_of_the_table() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.table.objects = [(60, 220, 140, 300)]
    watch.look(15)
    assert watch.settled == [0]
    watch.gate.accept(0, has_dice=False)
    assert watch.look(3).state_of(0) == "empty"
    watch.throw(LEFT)
    watch.look(15)
    assert watch.settled == [0, 0]


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param({"noise": 10.0}, id="a noisy sensor"),
        pytest.param({"jpeg_quality": 35}, id="coarse JPEG"),
        pytest.param({"bands": 0.08}, id="a lamp that flickers in bands"),
        pytest.param({"shift_px": 1.4}, id="a shaking camera, 5 px of the still"),
        pytest.param({"surface_bgr": (235, 238, 240), "texture": 2.0}, id="a white table"),
        pytest.param({"surface_bgr": (25, 22, 24), "texture": 3.0}, id="a black cloth"),
        pytest.param({"surface_bgr": (60, 90, 140), "texture": 25.0}, id="a strong pattern"),
    ],
)
def test_a_bad_camera_neither_stops_a_throw_nor_makes_one_up(trouble: dict[str, float]) -> None:
    watch = Watch(Table(**trouble))  # type: ignore[arg-type]  # values of several fields
    watch.begin_empty()
    watch.look(60)
    assert watch.settled == []
    assert {state.state_of(0) for state in watch.states[-60:]} == {"empty"}
    watch.throw(LEFT)
    watch.look(60)
    assert watch.settled == [0]
    assert watch.states[-1].state_of(0) == "settled"


def test_an_exposure_that_drifts_by_a_third_is_no_motion() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT)
    watch.look(15)

    def darken(number: int) -> None:
        watch.table.lamp = 1 - 0.33 * number / 100

    watch.look(100, darken)
    assert watch.settled == [0]
    assert {state.state_of(0) for state in watch.states[-100:]} == {"settled"}
    assert {state.state_of(1) for state in watch.states[-100:]} == {"empty"}


def test_a_lamp_that_is_dimmed_at_once_is_no_throw() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT)
    watch.look(15)
    watch.table.lamp = 0.6
    watch.look(30)
    assert watch.settled == [0]
    assert watch.states[-1].state_of(0) == "settled"


def test_lamp_off_is_cannot_see_and_changes_nothing() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.throw(LEFT)
    watch.look(15)
    watch.table.lamp = 0.02
    assert not watch.look(30).can_see
    watch.table.lamp = 1.0
    assert watch.look().can_see
    watch.look(15)
    assert watch.settled == [0]
    assert watch.states[-1].state_of(0) == "settled"
    assert watch.states[-1].state_of(1) == "empty"


def test_dice_thrown_in_the_dark_are_read_when_there_is_light() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    watch.table.lamp = 0.02
    watch.look(10)
    watch.table.dice = list(LEFT)
    watch.look(10)
    watch.table.lamp = 1.0
    watch.look(15)
    assert watch.settled == [0]


def test_a_covered_lens_is_cannot_see() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    for brightness in (12, 90):
        covered = np.full((HEIGHT, WIDTH, 3), brightness, dtype=np.uint8)
        for _ in range(5):
            assert not watch.gate.update(covered, watch.at_s).can_see
            watch.at_s += FRAME_S
        watch.look(15)
        assert watch.states[-1].can_see
        assert watch.settled == []
        assert watch.states[-1].state_of(0) == "empty"


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_every_zone_of_a_full_table_settles_by_itself(seats: int) -> None:
    watch = Watch(Table(), seats)
    watch.begin_empty()
    for zone in default_zones(seats):
        x, y = zone.center
        middle_x, middle_y = int(x * WIDTH), int(y * HEIGHT)
        watch.throw([(middle_x - 12, middle_y, 30.0, 4), (middle_x + 12, middle_y, 0.0, 2)], 6)
        watch.look(15)
    assert watch.settled == list(range(seats))


def test_another_picture_size_starts_afresh_and_junk_is_refused() -> None:
    watch = Watch(Table())
    watch.begin_empty()
    state = watch.gate.update(np.full((480, 640, 3), 90, np.uint8), watch.at_s)
    assert [zone.state for zone in state.zones] == ["moving", "moving"]
    for junk in (np.zeros((360, 640), np.uint8), np.zeros((0, 640, 3), np.uint8), np.zeros((360, 640, 3), np.float32)):
        with pytest.raises(ValueError, match="expected a uint8 picture"):
            watch.gate.update(junk, 0.0)  # type: ignore[arg-type]  # wrong on purpose
