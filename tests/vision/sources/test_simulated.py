"""The simulated table as a camera: cheap when quiet, true to its script, and a truth that never reaches the pixels."""

from __future__ import annotations

import numpy as np
import pytest

from tablesight.vision.motion_gate import MotionGate
from tablesight.vision.simulator.table_setting import TableOptions, field_of_view
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.zones import default_zones

HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "green-d20", "clear-d6", "pink-d12", "glitter-d6")


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def source(seats: int = 2, options: str = "seed=1") -> tuple[SimulatedSource, Clock]:
    clock = Clock()
    return SimulatedSource(seats=seats, options=TableOptions.parse(options), clock=clock, wait=None), clock


@pytest.mark.parametrize("seats", [2, 6, 10])
def test_a_small_die_is_at_least_48_px_across_in_the_still(seats: int) -> None:
    table, clock = source(seats)
    clock.now_s = table.throw(dict.fromkeys(range(seats), ("yellow-d6", "clear-d6"))) + 0.1
    still = table.still().image_bgr
    assert still.shape == (field_of_view(seats).still_height_px, field_of_view(seats).still_width_px, 3)
    _, boxes = table.truth()
    # the box of a tilted camera's cube is larger than its top face; 46 of 48 px are left at the far side of the table
    assert min(min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes) >= 46


def test_what_lies_there_is_in_the_picture_where_the_truth_says() -> None:
    table, clock = source(options="seed=2,surface=plain")
    empty = table.still().image_bgr.astype(np.int16)
    clock.now_s = table.throw({0: HAND, 1: HAND}) + 0.1
    full = table.still().image_bgr.astype(np.int16)
    difference = np.abs(full - empty).max(axis=2)
    changed, noise = difference > 40, float(np.median(difference))
    dice, boxes = table.truth()
    assert len(dice) == 16
    inside = np.zeros(changed.shape, bool)
    for x0, y0, x1, y1 in (tuple(round(v) for v in box) for box in boxes):
        assert difference[y0:y1, x0:x1].mean() > 2 * noise
        inside[max(0, y0 - 60) : y1 + 60, max(0, x0 - 60) : x1 + 60] = True
    assert changed[~inside].mean() < 0.0005


def test_two_pictures_of_a_quiet_table_differ_by_noise_only() -> None:
    table, clock = source()
    clock.now_s = table.throw({0: HAND}) + 0.1
    first, second = (table.preview().image_bgr.astype(np.int16) for _ in range(2))
    difference = np.abs(first - second)
    assert 0.3 < difference.mean() < 8
    assert np.quantile(difference, 0.9999) < 40


@pytest.mark.parametrize(
    "options",
    [
        pytest.param("seed=1", id="soft lamp"),
        pytest.param("seed=2,lamp=hard,shake=5", id="hard side lamp and 5 px of shake"),
        pytest.param("seed=3,surface=cloth,lamp=warm", id="cloth under a warm lamp"),
        pytest.param("seed=5,surface=stripes", id="a striped cloth"),
    ],
)
def test_the_motion_gate_sees_each_throw_once(options: str) -> None:
    table, clock = source(2, options)
    gate = MotionGate(default_zones(2))
    settled: list[int] = []

    def watch(until_s: float) -> None:
        while clock.now_s < until_s:
            clock.now_s += 0.1
            settled.extend(gate.update(table.preview().image_bgr, clock.now_s).newly_settled)

    watch(2.0)
    assert sorted(settled) == [0, 1]
    for seat in (0, 1):
        gate.accept(seat, has_dice=False)
    settled.clear()
    for _ in range(2):
        watch(table.throw({0: HAND, 1: HAND}) + 2)
    assert sorted(settled) == [0, 0, 1, 1]
    watch(table.throw({1: ("yellow-d6",)}, only_color="yellow") + 2)
    assert sorted(settled) == [0, 0, 1, 1, 1]
    watch(table.clear() + 2)
    assert sorted(settled) == [0, 0, 1, 1, 1]
    state = gate.update(table.preview().image_bgr, clock.now_s + 0.1)
    assert [zone.state for zone in state.zones] == ["empty", "empty"]


def test_another_number_of_players_is_another_table() -> None:
    table, clock = source(2)
    clock.now_s = table.throw({0: HAND}) + 0.1
    table.configure(10, default_zones(10))
    assert table.truth()[0] == []
    assert table.still().image_bgr.shape[1] == field_of_view(10).still_width_px
    clock.now_s = table.throw({9: HAND}) + 0.1
    assert len(table.truth()[0]) == len(HAND)


@pytest.mark.parametrize(
    "text", ["seed=x", "lamp=neon", "surface=lava", "shake=-1", "shake=nan", "rounding=1", "colour=red", "seed", "=1"]
)
def test_unknown_options_get_a_clear_error(text: str) -> None:
    with pytest.raises(ValueError, match="after 'simulated:'"):
        TableOptions.parse(text)


def test_options_are_understood() -> None:
    assert TableOptions.parse("seed=7,surface=felt,lamp=hard,shake=5") == TableOptions(7, "felt", "hard", 5.0)
    assert TableOptions.parse("rounding=0.3").rounding == 0.3
    assert TableOptions.parse("") == TableOptions()


def test_the_time_to_draw_is_told_apart() -> None:
    table, _ = source()
    before_s, computed_s = table.drawn_s, table.drawn_cpu_s
    table.still()
    assert table.drawn_s > before_s
    assert table.drawn_cpu_s > computed_s
    still_s = table.drawn_s
    table.moment()
    assert table.drawn_s == still_s
