"""The script of the simulated table: dice come to rest in their seat's zone, apart from each other."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tablesight.vision.kinds import KINDS, signed_value
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import TableScript
from tablesight.vision.simulator.table_setting import TableOptions, TableSetting, lay_table
from tablesight.vision.zones import Zone, default_zones, seat_at

FONTS = len(NumeralFonts.load())
HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "red-d8", "green-d20", "clear-d6", "pink-d12", "glitter-d6")


def table(seats: int, seed: int = 1) -> tuple[TableSetting, TableScript]:
    setting = lay_table(seats, TableOptions(seed=seed), FONTS)
    return setting, TableScript(setting, default_zones(seats), np.random.default_rng(seed))


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8, 10])
def test_a_whole_round_of_eleven_dice_each_lies_apart_and_in_its_zone(seats: int) -> None:
    setting, script = table(seats)
    hand = (*HAND, "yellow-d8", "purple-d12")
    end_s = script.throw(dict.fromkeys(range(seats), hand), now_s=10.0)
    moment = script.moment(end_s + 0.01)
    assert moment.is_quiet
    assert len(moment.lying) == 11 * seats
    camera = setting.still_camera
    for die in moment.lying:
        x, y = camera.project(np.array([[die.placed.x_mm, die.placed.y_mm, 0.0]]))[0]
        assert seat_at(default_zones(seats), x / camera.width_px, y / camera.height_px) == die.seat
    for a, b in itertools.combinations(moment.lying, 2):
        gap = math.dist((a.placed.x_mm, a.placed.y_mm), (b.placed.x_mm, b.placed.y_mm))
        assert gap >= a.placed.inradius_mm() + b.placed.inradius_mm()


def test_values_follow_from_kind_face_and_ink_and_red_dice_have_both_inks() -> None:
    _, script = table(2)
    inks: dict[tuple[str, int], set[str]] = {}
    for number in range(30):
        end_s = script.throw({0: HAND, 1: HAND}, now_s=100.0 * number)
        for die in script.moment(end_s).lying:
            assert 1 <= die.face <= KINDS[die.kind].sides
            assert die.value == signed_value(KINDS[die.kind].color, die.ink, die.face)
            inks.setdefault((die.kind, die.face), set()).add(die.ink)
    assert all(len(seen) == 1 for seen in inks.values())  # a face is printed in one ink
    for kind in ("red-d6", "red-d8"):
        assert {ink for (k, _), seen in inks.items() if k == kind for ink in seen} == {"black", "white"}


def test_every_face_of_a_die_comes_up() -> None:
    _, script = table(2, seed=4)
    faces = set()
    for number in range(40):
        end_s = script.throw({0: ("yellow-d6",) * 4}, now_s=100.0 * number)
        faces |= {die.face for die in script.moment(end_s).lying}
    assert faces == {1, 2, 3, 4, 5, 6}


def test_dice_tumble_with_less_and_less_motion_and_end_exactly_where_they_lie() -> None:
    _, script = table(2)
    end_s = script.throw({0: ("blue-d12",)}, now_s=0.0)
    times = np.arange(0, end_s + 0.1, 0.02)
    places = []
    for time_s in times:
        for die in script.moment(float(time_s)).flying:
            places.append((die.placed.x_mm, die.placed.y_mm))
    steps = [math.dist(a, b) for a, b in itertools.pairwise(places)]
    assert len(steps) > 20
    assert np.mean(steps[:5]) > 3 * np.mean(steps[-5:])
    (lying,) = script.moment(end_s).lying
    assert math.dist(places[-1], (lying.placed.x_mm, lying.placed.y_mm)) < 1.0


def test_a_throw_takes_the_dice_of_before_away_under_a_hand() -> None:
    _, script = table(2)
    first_end_s = script.throw({0: HAND, 1: HAND}, now_s=0.0)
    before = script.moment(first_end_s)
    end_s = script.throw({0: ("yellow-d6",)}, now_s=first_end_s + 1)
    counts = []
    for time_s in np.arange(first_end_s + 1, end_s, 0.05):
        moment = script.moment(float(time_s))
        mine = [die for die in moment.lying if die.seat == 0]
        if 0 < len(mine) < len(HAND) and not moment.flying:
            assert moment.hands
        counts.append(len(mine))
    assert min(counts) == 0
    after = script.moment(end_s)
    assert [die.kind for die in after.lying if die.seat == 0] == ["yellow-d6"]
    assert [die for die in after.lying if die.seat == 1] == [die for die in before.lying if die.seat == 1]


def test_on_a_tie_only_the_yellow_dice_are_thrown_again() -> None:
    _, script = table(2)
    first_end_s = script.throw({0: HAND, 1: HAND}, now_s=0.0)
    before = {die.number for die in script.moment(first_end_s).lying}
    end_s = script.throw({0: ("yellow-d6",), 1: HAND}, first_end_s, only_color="yellow")
    after = script.moment(end_s).lying
    assert sorted(die.kind for die in after if die.number not in before) == ["yellow-d6"] * 2
    assert len([die for die in after if die.number in before]) == 2 * (len(HAND) - 1)


def test_clear_empties_the_table() -> None:
    _, script = table(3)
    end_s = script.clear(script.throw({0: HAND, 2: HAND}, now_s=0.0))
    moment = script.moment(end_s + 0.01)
    assert not moment.lying
    assert moment.is_quiet
    assert script.clear(end_s + 1) == end_s + 1


@pytest.mark.parametrize(
    ("hands", "problem"),
    [
        pytest.param({5: ("yellow-d6",)}, "a seat with a zone", id="a seat that nobody has"),
        pytest.param({0: ("yellow-d7",)}, "expected one of yellow-d6", id="a die that does not exist"),
        pytest.param({0: ("green-d20",) * 400}, "room for 400 dice", id="more dice than fit"),
    ],
)
def test_what_cannot_be_thrown_is_refused_and_changes_nothing(hands: dict[int, tuple[str, ...]], problem: str) -> None:
    _, script = table(2)
    end_s = script.throw({0: HAND}, now_s=0.0)
    with pytest.raises(ValueError, match=problem):
        script.throw({1: ("yellow-d6",), **hands}, now_s=end_s)
    assert len(script.moment(end_s + 5).lying) == len(HAND)


def test_a_zone_may_be_anywhere_but_needs_room() -> None:
    setting = lay_table(2, TableOptions(), FONTS)
    left = Zone(0, ((0.02, 0.3), (0.3, 0.2), (0.3, 0.8), (0.02, 0.7)))
    script = TableScript(setting, [left], np.random.default_rng(0))
    end_s = script.throw({0: HAND}, now_s=0.0)
    for die in script.moment(end_s).lying:
        x, y = setting.still_camera.project(np.array([[die.placed.x_mm, die.placed.y_mm, 0.0]]))[0]
        assert left.contains(x / setting.still_camera.width_px, y / setting.still_camera.height_px)
    script.set_zones([Zone(0, ((0.0, 0.0), (0.01, 0.0), (0.01, 0.01)))])
    with pytest.raises(ValueError, match="too small"):
        script.throw({0: ("yellow-d6",)}, now_s=end_s)
