"""Tracks frame by frame: what stays the same die, what is a new throw."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.vision.matching import match_points
from tablesight.vision.tracks import TrackedDie, ZoneTracks


def die(x: float, y: float, value: int = 3, kind: str = "yellow-d6", is_sure: bool = True) -> TrackedDie:
    return TrackedDie((x, y), 50.0, kind, value, is_sure)


A, B, C = die(100, 100, 1), die(200, 100, 2), die(300, 200, 3)


def test_a_first_throw_is_new_and_a_second_look_is_not() -> None:
    tracks = ZoneTracks()
    first = tracks.update([A, B, C])
    assert (first.is_new_throw, first.new, first.gone) == (True, 3, 0)
    again = tracks.update([C, A, B])
    assert not again.is_new_throw
    assert again.ids == (first.ids[2], first.ids[0], first.ids[1])


def test_dice_taken_up_are_no_throw() -> None:
    tracks = ZoneTracks()
    first = tracks.update([A, B, C])
    fewer = tracks.update([A, C])
    assert (fewer.is_new_throw, fewer.gone) == (False, 1)
    assert fewer.ids == (first.ids[0], first.ids[2])


def test_a_die_that_comes_back_after_the_zone_was_empty_is_new() -> None:
    tracks = ZoneTracks()
    first = tracks.update([A])
    tracks.clear()
    second = tracks.update([A])
    assert second.is_new_throw
    assert first.ids != second.ids


@pytest.mark.parametrize(("dx", "dy"), [(3, 4), (30, -20), (-35, 10)])
def test_a_nudged_die_is_the_same_die(dx: float, dy: float) -> None:
    tracks = ZoneTracks()
    first = tracks.update([A, C])
    nudged = tracks.update([replace(A, center_xy_px=(100 + dx, 100 + dy)), C])
    assert not nudged.is_new_throw
    assert nudged.ids == first.ids


def test_a_die_whose_place_was_seen_bare_is_new_even_in_the_same_place() -> None:
    tracks = ZoneTracks()
    first = tracks.update([A, C])
    tracks.lifted(first.ids[0])
    second = tracks.update([A, C])
    assert second.new == 1
    assert second.ids[1] == first.ids[1]


def test_a_die_thrown_again_is_new_and_the_others_stay() -> None:
    tracks = ZoneTracks()
    first = tracks.update([A, B, C])
    second = tracks.update([A, B, die(420, 300, 6)])
    assert second.new == 1
    assert second.ids[:2] == first.ids[:2]
    assert second.ids[2] not in first.ids


def test_a_die_turned_where_it_lies_is_new() -> None:
    tracks = ZoneTracks()
    tracks.update([A, B])
    assert tracks.update([replace(A, value=6), B]).new == 1


def test_another_kind_in_the_same_place_is_new() -> None:
    tracks = ZoneTracks()
    tracks.update([A, B])
    assert tracks.update([replace(A, kind="red-d6"), B]).new == 1


def test_a_doubtful_reading_of_a_die_that_was_not_touched_is_no_new_die() -> None:
    tracks = ZoneTracks()
    first = tracks.update([die(100, 100, 4)])
    second = tracks.update([die(101, 99, 1, is_sure=False)])
    assert not second.is_new_throw
    assert first.ids == second.ids


def test_a_pushed_camera_moves_all_dice() -> None:
    tracks = ZoneTracks()
    wide = [replace(d, still_wh_px=(2000, 1000)) for d in (A, B, C)]
    first = tracks.update(wide)
    tracks.shift(0.1, -0.05)
    moved = [replace(d, center_xy_px=(d.center_xy_px[0] + 200, d.center_xy_px[1] - 50)) for d in wide]
    second = tracks.update(moved)
    assert not second.is_new_throw
    assert second.ids == first.ids


points = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), max_size=7)


@given(points, points, st.integers(1, 400))
def test_matching_uses_each_point_once_and_never_beyond_reach(
    first: list[tuple[float, float]], second: list[tuple[float, float]], reach: float
) -> None:
    match = match_points(first, second, reach)
    assert sorted([a for a, _ in match.pairs] + list(match.only_first)) == list(range(len(first)))
    assert sorted([b for _, b in match.pairs] + list(match.only_second)) == list(range(len(second)))
    for a, b in match.pairs:
        assert np.hypot(first[a][0] - second[b][0], first[a][1] - second[b][1]) <= reach + 1e-9
    for a in match.only_first:  # nobody is left over who could have been matched
        for b in match.only_second:
            assert np.hypot(first[a][0] - second[b][0], first[a][1] - second[b][1]) > reach


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=10, unique=True), st.randoms())
def test_shaken_points_match_themselves(grid: list[tuple[int, int]], random: object) -> None:
    first = [(100.0 * x, 100.0 * y) for x, y in grid]
    order = list(range(len(first)))
    random.shuffle(order)  # type: ignore[attr-defined]  # a random.Random
    second = [(first[i][0] + 7, first[i][1] - 4) for i in order]
    match = match_points(first, second, 45)
    assert {a: order[b] for a, b in match.pairs} == {i: i for i in range(len(first))}
