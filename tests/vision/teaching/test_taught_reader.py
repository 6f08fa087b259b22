"""The real models on drawn dice with fonts that they were not trained on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tablesight.vision.evaluation.drawn_sets import DrawnTable, dice_set, draw_table
from tablesight.vision.evaluation.taught_dice import measure
from tablesight.vision.frame import ImageBGR
from tablesight.vision.kinds import KINDS
from tablesight.vision.posterior import DiePosterior
from tablesight.vision.reader import crop
from tablesight.vision.reading import BoxXYXY, DieReading, PhotoReading
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.teaching.body_color import body_color
from tablesight.vision.teaching.lesson_photo import MOST_DICE, read_lesson
from tablesight.vision.teaching.taught_folder import TaughtDie, packed_crop
from tablesight.vision.teaching.taught_reader import TaughtReader


@pytest.fixture(scope="module")
def reader() -> TaughtReader:
    return TaughtReader.load(threads=1)


@pytest.fixture(scope="module")
def table() -> DrawnTable:
    fonts = NumeralFonts.load()
    rng = np.random.default_rng(11)
    return draw_table(dice_set(rng, len(fonts)), ["yellow-d6", "pink-d12", "green-d20"], rng, fonts, by_hand=False)


def same(one: Sequence[DiePosterior], other: Sequence[DiePosterior]) -> bool:
    return all(
        np.allclose(getattr(a, name), getattr(b, name), atol=1e-5)
        for a, b in zip(one, other, strict=True)
        for name in ("colors", "shapes", "faces", "inks")
    )


def test_without_lessons_it_reads_as_the_models_do(reader: TaughtReader, table: DrawnTable) -> None:
    boxes = [die.box_xyxy_px for die in table.dice]
    expected = reader.untaught.posteriors(table.image_bgr, boxes, table.nadir_xy_px)
    assert same(reader.posteriors(table.image_bgr, boxes, table.nadir_xy_px), expected)
    taught = [TaughtDie(d.kind, d.value, packed_crop(crop(table.image_bgr, d.box_xyxy_px))) for d in table.dice]
    assert reader.teach(taught).dice == 3
    assert not same(reader.posteriors(table.image_bgr, boxes, table.nadir_xy_px), expected)
    assert reader.teach([]).to_json() | {"seconds": 0} == {
        "dice": 0, "uses_prints": False, "problem": "", "seconds": 0,
    }  # fmt: skip
    assert same(reader.posteriors(table.image_bgr, boxes, table.nadir_xy_px), expected)


def test_it_says_why_prints_are_not_used(reader: TaughtReader, table: DrawnTable) -> None:
    die = table.dice[0]
    learnt = reader.teach([TaughtDie(die.kind, die.value, packed_crop(crop(table.image_bgr, die.box_xyxy_px)))])
    reader.teach([])
    assert not learnt.uses_prints
    assert learnt.problem


def test_a_reader_that_doubts_colours_is_helped_by_what_was_taught(
    reader: TaughtReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    # as models are that never saw dice like these: they know each colour less surely
    monkeypatch.setitem(reader.untaught.temperatures, "color", 2.0)
    results = measure(reader, sets=2, photos=2, tables=1, first_seed=40)
    reader.teach([])
    taught, others = results["taught"], results["of another maker"]
    assert taught.dice == others.dice == 2 * len(KINDS)
    assert taught.after.asked < taught.before.asked
    assert taught.after.right >= taught.before.right
    assert taught.worse == 0
    assert others.worse <= 1
    assert others.after.silently_wrong <= others.before.silently_wrong


def test_the_colour_of_a_body_is_that_of_its_middle() -> None:
    plain = np.zeros((112, 112, 3), np.uint8)
    plain[:] = (30, 30, 200)
    ringed = plain.copy()
    ringed[:10], ringed[-10:], ringed[:, :10], ringed[:, -10:] = (0, 255, 0), (0, 255, 0), (0, 255, 0), (0, 255, 0)
    printed = plain.copy()
    printed[46:66, 46:66] = 255  # a number
    assert body_color(ringed) == pytest.approx(body_color(plain))
    assert body_color(printed) == pytest.approx(body_color(plain), abs=0.5)
    swirl = plain.copy()
    swirl[::2] = (200, 30, 30)
    assert np.abs(body_color(swirl) - body_color(plain)).max() > 30


class Photos:
    """Finds `count` dice side by side and takes them all for none of the kinds."""

    def __init__(self, count: int) -> None:
        self.boxes = [(10.0 + 20 * number, 10.0, 28.0 + 20 * number, 28.0) for number in range(count)]

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        dice = tuple(DieReading(box, None, "other", 6, "numeral", "white", 2, 2, 0.5, False, ()) for box in self.boxes)
        return PhotoReading(image_bgr.shape[1], image_bgr.shape[0], dice, 0, 0, 0)


class Boxes:
    """Reads every die as a d6 of this colour, or hardly as anything."""

    accept_from = 0.9

    def __init__(self, colors: dict[int, float]) -> None:
        self.colors = np.full(9, 1e-9)
        for place, p in colors.items():
            self.colors[place] = p

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DiePosterior, ...]:
        faces = np.zeros((5, 20))
        faces[:, 2] = 1
        shapes = np.array([1.0, 0, 0, 0, 0])
        return tuple(DiePosterior(self.colors, shapes, faces, np.full(4, 0.25), 0.0) for _ in boxes_xyxy_px)


PHOTO = np.zeros((60, 1200, 3), np.uint8)


def test_a_lesson_is_read_among_the_kinds_that_lie_there() -> None:
    lesson = read_lesson(Photos(2), Boxes({0: 0.4, 1: 0.6}), PHOTO, ["yellow-d6", "pink-d12"])
    assert [(die.kind, die.accepted) for die in lesson.reading.dice] == [("yellow-d6", True)] * 2
    assert len(lesson.crops_png) == 2
    assert TaughtDie("yellow-d6", 3, lesson.crops_png[0]).crop_bgr().shape == (112, 112, 3)


def test_a_lesson_without_kinds_is_read_as_any_photo() -> None:
    lesson = read_lesson(Photos(1), Boxes({0: 1.0}), PHOTO, [])
    assert lesson.reading.dice[0].kind is None


def test_a_die_that_is_none_of_the_kinds_that_lie_there_stays_as_it_was_read() -> None:
    lesson = read_lesson(Photos(1), Boxes({5: 1.0}), PHOTO, ["pink-d12"])
    assert lesson.reading.dice[0].kind is None


def test_a_heap_of_dice_is_cut_to_what_an_answer_holds() -> None:
    lesson = read_lesson(Photos(MOST_DICE + 3), Boxes({0: 1.0}), PHOTO, ["yellow-d6"])
    assert len(lesson.reading.dice) == len(lesson.crops_png) == MOST_DICE
