"""Frozen dataclasses to JSON and back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from tablesight.rules.snapshot import from_json, to_json


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    shape: Literal["line", "cloud"]
    points: tuple[Point, ...]
    size: tuple[int, str]
    closed: bool
    first: Point | None


DRAWING = Drawing("line", (Point(1, "a"), Point(2)), (3, "mm"), True, Point(0))


def test_there_and_back() -> None:
    assert from_json(Drawing, json.loads(json.dumps(to_json(DRAWING)))) == DRAWING


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        pytest.param("shape", "circle", r"state.shape: expected one of", id="a word that is none"),
        pytest.param("points", {}, r"state.points: expected a list", id="no list"),
        pytest.param("points", [{"x": 1}], r"state.points\[0\]: expected the fields x, label", id="a field too few"),
        pytest.param("points", [{"x": "1", "label": None}], r"points\[0\].x: expected int, got '1'", id="text"),
        pytest.param("points", [{"x": True, "label": None}], r"points\[0\].x: expected int, got True", id="true"),
        pytest.param("size", [3], r"state.size: expected 2 entries, got 1", id="a tuple too short"),
        pytest.param("closed", 1, r"state.closed: expected bool, got 1", id="1 is not true"),
        pytest.param("first", [], r"state.first: expected an object", id="an object or nothing"),
    ],
)
def test_another_shape_is_refused(key: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_json(Drawing, {**to_json(DRAWING), key: value})


def test_what_is_no_state_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="expected a value made of dataclasses"):
        to_json({1, 2})
