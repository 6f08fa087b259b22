"""What differs between two pictures: the quick answer never says less than the exact one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablesight.vision.frame import ImageBGR
from tablesight.vision.picture_change import changed, row_offsets, surely_same

HEIGHT, WIDTH = 27, 46


def pictures(
    seed: int, light: int, noise: float, spot: int, size: int, width: int = WIDTH
) -> tuple[ImageBGR, ImageBGR]:
    """A table, and the same in a light that is brighter in some rows, with noise, and with something laid there."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 256, (HEIGHT, width, 3)).astype(float)
    later = table + rng.integers(-light, light + 1, (HEIGHT, 1, 3)) + rng.normal(0, noise, table.shape)
    row, column = int(rng.integers(HEIGHT - size)), int(rng.integers(width - size))
    later[row : row + size, column : column + size] += spot
    return table.astype(np.uint8), np.clip(later, 0, 255).astype(np.uint8)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 2**31),
    st.integers(0, 9),
    st.floats(0, 3),
    st.integers(-30, 30),
    st.integers(1, 20),
    st.floats(8, 25),
    st.booleans(),
    st.booleans(),
    st.sampled_from([WIDTH, 48]),
)
def test_what_is_surely_the_same_has_not_changed(
    seed: int, light: int, noise: float, spot: int, size: int, level: float, envelope: bool, part: bool, width: int
) -> None:
    before, after = pictures(seed, light, noise, spot, size, width)
    where = np.ones((HEIGHT, width), np.uint8)
    where[:, : width // 2 if part else 0] = 0
    if surely_same(after, before, level, envelope, where):
        assert not (changed(after, before, level, envelope) * where).any()


def test_a_push_by_a_pixel_and_a_change_beside_the_zones_leave_a_table_surely_the_same() -> None:
    edge = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    edge[:, 20:36] = np.where(np.arange(16) % 4 < 2, 180, 90)[:, None]  # fine stripes
    pushed = np.roll(edge, 1, axis=1)
    assert not surely_same(pushed, edge, 13.0)
    assert surely_same(pushed, edge, 13.0, envelope=True)
    beside = (np.arange(WIDTH) < 15).astype(np.uint8) * np.ones((HEIGHT, 1), np.uint8)
    assert surely_same(pushed, edge, 13.0, where=beside)


def test_a_table_at_rest_is_surely_the_same_and_one_with_a_die_on_it_is_not() -> None:
    before, after = pictures(1, light=2, noise=1.0, spot=0, size=5)
    assert surely_same(after, before, 13.0)
    before, after = pictures(1, light=2, noise=1.0, spot=-60, size=5)
    assert not surely_same(after, before, 13.0)
    assert changed(after, before, 13.0, envelope=False).any()


@pytest.mark.parametrize("light", [pytest.param(0, id="steady"), pytest.param(6, id="flickering")])
def test_the_light_of_each_row_is_taken_away(light: int) -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(60, 180, (HEIGHT, WIDTH, 3)).astype(np.uint8)
    later = (table.astype(int) + light).astype(np.uint8)
    assert not changed(later, table, 3.0, envelope=False).any()
    assert (row_offsets(later, table) == light).all()
