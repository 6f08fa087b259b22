"""Which found box is which labelled die."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablesight.vision.box_overlap import iou
from tablesight.vision.evaluation.box_matching import BoxMatch, match_boxes
from tablesight.vision.reading import BoxXYXY


@pytest.mark.parametrize(
    ("labels", "found", "expected"),
    [
        pytest.param([], [], BoxMatch((), (), ()), id="nothing at all"),
        pytest.param([(0, 0, 10, 10)], [], BoxMatch((), (0,), ()), id="a miss"),
        pytest.param([], [(0, 0, 10, 10)], BoxMatch((), (), (0,)), id="a false box"),
        pytest.param([(0, 0, 10, 10)], [(1, 1, 12, 11)], BoxMatch(((0, 0),), (), ()), id="a good box"),
        pytest.param(
            [(10, 10, 20, 20)], [(4, 4, 26, 26)], BoxMatch(((0, 0),), (), ()), id="a label of the top face only"
        ),
        pytest.param([(0, 0, 10, 10)], [(8, 0, 18, 10)], BoxMatch((), (0,), (0,)), id="a neighbour"),
        pytest.param(
            [(0, 0, 10, 10)], [(0, 0, 10, 10), (1, 1, 11, 11)], BoxMatch(((0, 0),), (), (1,)), id="a die found twice"
        ),
        pytest.param(
            [(0, 0, 10, 10), (12, 0, 22, 10)], [(-2, -2, 24, 12)], BoxMatch((), (0, 1), (0,)), id="two dice in one box"
        ),
        pytest.param(
            [(0, 0, 10, 10), (6, 0, 16, 10)],
            [(5, 0, 15, 10), (0, 0, 10, 10)],
            BoxMatch(((0, 1), (1, 0)), (), ()),
            id="touching dice, in another order",
        ),
    ],
)
def test_matching(labels: list[BoxXYXY], found: list[BoxXYXY], expected: BoxMatch) -> None:
    assert match_boxes(labels, found) == expected


def test_as_many_pairs_as_possible_come_before_the_best_overlap() -> None:
    labels: list[BoxXYXY] = [(0, 0, 10, 10), (4, 0, 14, 10)]
    # the first box fits both labels and the first one perfectly; the second fits the first label only
    found: list[BoxXYXY] = [(0, 0, 10, 10), (-4, 0, 6, 10)]
    assert len(match_boxes(labels, found).pairs) == 2


def test_overlap() -> None:
    assert iou((0, 0, 10, 10), (0, 0, 10, 10)) == 1
    assert iou((0, 0, 10, 10), (5, 0, 15, 10)) == pytest.approx(1 / 3)
    assert iou((0, 0, 10, 10), (10, 0, 20, 10)) == 0


numbers = st.integers(0, 60)
sizes = st.integers(1, 30)
boxes = st.lists(
    st.builds(lambda x, y, w, h: (float(x), float(y), float(x + w), float(y + h)), numbers, numbers, sizes, sizes),
    max_size=6,
)


@given(labels=boxes, found=boxes)
def test_every_box_is_counted_once(labels: list[BoxXYXY], found: list[BoxXYXY]) -> None:
    match = match_boxes(labels, found)
    assert sorted([i for i, _ in match.pairs] + list(match.missed)) == list(range(len(labels)))
    assert sorted([j for _, j in match.pairs] + list(match.extra)) == list(range(len(found)))


@given(found=boxes)
def test_boxes_match_themselves(found: list[BoxXYXY]) -> None:
    assert len(match_boxes(found, found).pairs) == len(found)
