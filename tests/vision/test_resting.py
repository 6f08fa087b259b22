"""Dice that lie flat, lean, or lie on one another."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tablesight.vision.kinds import COLORS, KINDS
from tablesight.vision.look import SeenDie
from tablesight.vision.nadir import MIDDLE
from tablesight.vision.photo_reader import ModelError, PhotoReader
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.reading import DieReading
from tablesight.vision.resting import REACH_MM, expected_flatness, rests
from tablesight.vision.simulator.die_renderer import PlacedDie
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.script import LyingDie, Moment
from tablesight.vision.simulator.table_camera import TableCamera
from tablesight.vision.simulator.table_setting import TableOptions, lay_table
from tablesight.vision.table_models import table_reader
from tablesight.vision.worker.zone_book import ZoneBook
from tablesight.vision.zones import Zone

WHOLE = (Zone(0, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))),)
PX_PER_MM = 3.0


def pair(
    kind: str, x_mm: float, flatness: float | None = 0.95, level: float = 0.95, fit: float | None = None
) -> tuple[SeenDie, DieReading]:
    """A die of this kind at a place, with what its top face looks like, and how well it fits a level one."""
    kind_of = KINDS[kind]
    half = REACH_MM[kind_of.sides] * PX_PER_MM / 2
    box = (x_mm * PX_PER_MM - half, 300 - half, x_mm * PX_PER_MM + half, 300 + half)
    even = DiePosterior(
        np.full(len(COLORS), 1 / 9),
        np.full(len(SHAPES), 0.2),
        np.full((5, 20), 0.05),
        np.full(4, 0.25),
        0.0,
        flatness,
        fit,
    )
    reading = DieReading(box, kind, kind_of.color, kind_of.sides, "numeral", "white", 3, 3, 0.99, True, ())
    return SeenDie(box, 0.9, even, level_flatness=level), reading


def rests_of(*pairs: tuple[SeenDie, DieReading]) -> tuple[str, ...]:
    return rests([seen for seen, _ in pairs], [reading for _, reading in pairs])


def test_a_circle_looks_flatter_the_farther_it_is_from_the_plumb_line() -> None:
    assert expected_flatness((640, 360), 1280, 720, MIDDLE, 0.77) == pytest.approx(1)
    aside = expected_flatness((1280, 360), 1280, 720, MIDDLE, 0.77)
    assert aside == pytest.approx(math.cos(math.atan(0.5 / 0.77)))
    assert expected_flatness((1280, 360), 1280, 720, (1.0, 0.5), 0.77) == pytest.approx(1)


def test_a_die_that_looks_flatter_than_a_level_one_leans() -> None:
    assert rests_of(pair("yellow-d6", 0), pair("red-d8", 60, 0.7)) == ("flat", "leaning")
    assert rests_of(pair("yellow-d6", 0, 0.7, level=0.7)) == ("flat",)  # far from the plumb line all look so
    assert rests_of(pair("yellow-d6", 0, None)) == ("flat",)
    assert rests_of(pair("yellow-d6", 0, 0.8, fit=0.6)) == ("flat",)  # it fits a level one, however flat it looks
    assert rests_of(pair("yellow-d6", 0, 0.8, fit=0.3)) == ("leaning",)


def test_a_die_that_looks_as_if_seen_from_another_side_leans() -> None:
    assert rests_of(pair("yellow-d6", 0, fit=0.8), pair("red-d8", 60, fit=0.05)) == ("flat", "leaning")
    assert rests_of(pair("yellow-d6", 0, fit=0.3)) == ("flat",)
    # an eye that is not quite where it is thought to be makes all fit less
    hand = [pair("yellow-d6", 60.0 * place, fit=0.15) for place in range(5)]
    assert rests_of(*hand) == ("flat",) * 5
    assert rests_of(*hand, pair("blue-d12", 400, fit=0.01)) == ("flat",) * 5 + ("leaning",)


def test_what_is_wrong_of_all_dice_is_wrong_of_the_camera() -> None:
    hand = [pair("yellow-d6", 60.0 * place, 0.82) for place in range(5)]
    assert rests_of(*hand) == ("flat",) * 5
    assert rests_of(*hand, pair("blue-d12", 400, 0.6)) == ("flat",) * 5 + ("leaning",)


@pytest.mark.parametrize(
    ("kinds", "apart_mm", "expected"),
    [
        pytest.param(("yellow-d6", "red-d6"), 16.2, "flat", id="two d6 side by side"),
        pytest.param(("yellow-d6", "red-d6"), 9.0, "stacked", id="a d6 half on another"),
        pytest.param(("green-d20", "red-d6"), 19.0, "flat", id="a d6 beside a d20"),
        pytest.param(("green-d20", "red-d8"), 8.0, "stacked", id="a d8 on a d20"),
    ],
)
def test_dice_nearer_than_flat_ones_can_be_lie_on_one_another(
    kinds: tuple[str, str], apart_mm: float, expected: str
) -> None:
    first, second = kinds
    assert rests_of(pair(first, 0), pair(second, apart_mm), pair("clear-d6", 200)) == (expected, expected, "flat")


@pytest.mark.parametrize("lamp", ["soft", "hard"])
def test_drawn_dice_that_lean_are_doubts_and_flat_ones_are_not_said_to_lean(lamp: str) -> None:
    try:
        reader = table_reader(PhotoReader.load())
    except ModelError as error:
        pytest.skip(f"the models are not there: {error}")
    fonts = NumeralFonts.load()
    counts = {0: [0, 0, 0], 25: [0, 0, 0]}
    for lean_deg, seed in ((lean, seed) for lean in counts for seed in (901, 902)):
        setting = lay_table(2, TableOptions.parse(f"seed={seed},lamp={lamp}"), len(fonts))
        rng = np.random.default_rng(seed)
        lying = []
        for place in range(15):
            kind = KINDS[str(rng.choice([k for k in KINDS if KINDS[k].sides in (8, 12)]))]
            axis = rng.normal(size=2)
            turn = cv2.Rodrigues(np.radians(lean_deg) * np.array([*axis / np.linalg.norm(axis), 0]))[0]
            # every third die leans: the others tell how level ones look
            tumble = tuple((float(a), float(b), float(c)) for a, b, c in turn) if place % 3 == 0 else None
            face = int(rng.integers(1, kind.sides + 1))
            row, column = divmod(place, 5)
            spot = (-200 + 100.0 * column, 100 - 95.0 * row, float(rng.uniform(0, 6.28)))
            placed = PlacedDie(setting.style_of(kind.id, place), face, *spot, 0.0, tumble)
            lying.append(LyingDie(place, 0, kind.id, face, "white", face, placed))
        camera = TableCamera(setting, fonts, seed)
        still = camera.still(Moment(1, tuple(lying), (), ()))
        position = setting.still_camera.position_mm()
        below = setting.still_camera.project(np.array([[position[0], position[1], 0.0]]))[0]
        reader.forget_size()
        reader.nadir_xy = (below[0] / still.shape[1], below[1] / still.shape[0])
        hand = ZoneBook().read(0, reader.look(still, WHOLE, [0]).dice[0], reader.accept_from)
        boxes = camera.boxes_xyxy_px(lying)
        for die, box in zip(lying, boxes, strict=True):
            if die.number % 3:
                continue
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            for seen, reading, rest in zip(hand.seen, hand.hand.dice, hand.rests, strict=True):
                if math.dist(seen.center_xy_px, middle) < 25:
                    counts[lean_deg][0] += 1
                    counts[lean_deg][1] += rest == "leaning"
                    counts[lean_deg][2] += reading.accepted
    flat, leaning = counts[0], counts[25]
    assert flat[0] >= 8
    assert flat[1] <= 1
    assert leaning[1] >= 0.6 * leaning[0]
    assert leaning[2] <= 0.2 * leaning[0]


def test_the_sentence_names_the_seat_and_goes_with_the_dice() -> None:
    book = ZoneBook()
    seen, _ = pair("red-d8", 60, 0.6)
    colors, shapes, faces = np.zeros(len(COLORS)), np.zeros(len(SHAPES)), np.zeros((5, 20))
    colors[COLORS.index("red")] = shapes[SHAPES.index(8)] = faces[:, 2] = 1
    sure = DiePosterior(colors, shapes, faces, np.array([0.99, 0.01, 0, 0]), 0.0, 0.6)
    hand = book.read(1, [replace(seen, posterior=sure)], 0.9)
    assert [die.accepted for die in hand.hand.dice] == [False]
    assert book.uneven() == ""
    entered = book.enter(1, hand, (1280, 720), lambda _: False)
    assert entered.to_json(0, 0, 1.0)["dice"][0]["rests"] == "leaning"
    assert book.uneven().startswith("A die of seat 2 leans")
    book.cleared(1)
    assert book.uneven() == ""
