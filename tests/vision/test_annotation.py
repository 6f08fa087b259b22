"""Boxes and captions on pictures."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.annotation import STYLE, caption, draw_readings
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, Candidate, DieReading

RED_4 = Candidate("red-d6", 4, -4, 0.6)
RED_PLUS_4 = Candidate("red-d6", 4, 4, 0.3)


def reading(
    box_xyxy_px: BoxXYXY = (200, 200, 280, 280), accepted: bool = True, candidates: tuple[Candidate, ...] = (RED_4,)
) -> DieReading:
    return DieReading(
        box_xyxy_px, "red-d6", "red", 6, "numeral", "black", 4, -4, 0.6, accepted=accepted, candidates=candidates
    )


def changed(before: ImageBGR, after: ImageBGR) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return (before != after).any(axis=2)


@pytest.mark.parametrize(
    ("die", "expected"),
    [
        pytest.param(reading(), "red d6: -4", id="certain"),
        pytest.param(reading(accepted=False), "? red d6: -4", id="doubtful without another candidate"),
        pytest.param(
            reading(accepted=False, candidates=(RED_4, RED_PLUS_4)), "? red d6: -4 or 4", id="doubtful ink of a red die"
        ),
        pytest.param(
            reading(accepted=False, candidates=(RED_4, Candidate("pink-d12", 4, 4, 0.3), RED_PLUS_4)),
            "? red d6: -4 or pink d12: 4",
            id="doubtful kind and value",
        ),
        pytest.param(
            reading(accepted=False, candidates=(RED_4, Candidate("blue-d6", 4, -4, 0.3), RED_PLUS_4)),
            "? red or blue d6: -4",
            id="doubtful colour",
        ),
        pytest.param(
            reading(accepted=False, candidates=(RED_4, Candidate(None, 4, -4, 0.3), RED_PLUS_4)),
            "? red or another d6: -4",
            id="maybe none of the game's colours",
        ),
        pytest.param(
            DieReading((0, 0, 9, 9), None, "other", 20, "numeral", "gold", 20, 20, 0.99, True, ()),
            "d20: 20",
            id="a die that is none of the thirteen",
        ),
    ],
)
def test_captions_say_kind_value_and_doubt(die: DieReading, expected: str) -> None:
    assert caption(die) == expected


@pytest.mark.parametrize(
    ("width", "height", "box"),
    [(640, 480, (200, 200, 280, 280)), (4000, 3000, (1200, 1200, 1600, 1600))],
    ids=["640 px", "12 megapixels"],
)
def test_line_and_letters_grow_with_the_picture(width: int, height: int, box: BoxXYXY) -> None:
    image_bgr: ImageBGR = np.full((height, width, 3), 150, np.uint8)
    drawn = draw_readings(image_bgr, [reading(box)])
    assert (image_bgr == 150).all()
    changes = changed(image_bgr, drawn)
    left, top = int(box[0]), int(box[1])
    caption_rows = np.flatnonzero(changes[:top, left + 5 : left + 20].any(axis=1))
    letter_px = max(STYLE.least_letter_px, width * STYLE.letter_share)
    assert letter_px < caption_rows.size < 3 * letter_px + 8
    # a scaled-down view 640 px wide still has letters of eight pixels
    assert letter_px * 640 / width >= 8


def test_a_doubtful_die_looks_different_without_colour() -> None:
    image_bgr: ImageBGR = np.full((480, 640, 3), 150, np.uint8)
    certain = draw_readings(image_bgr, [reading(accepted=True)])
    doubtful = draw_readings(image_bgr, [reading(accepted=False)])
    row_certain = changed(image_bgr, certain)[280, 210:270]
    row_doubtful = changed(image_bgr, doubtful)[280, 210:270]
    assert row_certain.all()
    assert 0.2 < row_doubtful.mean() < 0.95


@pytest.mark.parametrize(
    "box", [(0, 0, 30, 30), (610, 0, 640, 30), (0, 450, 30, 480), (610, 450, 640, 480), (-20, -20, 700, 500)]
)
def test_captions_stay_inside_the_picture(box: BoxXYXY) -> None:
    image_bgr: ImageBGR = np.full((480, 640, 3), 150, np.uint8)
    whole = (draw_readings(image_bgr, [reading()]) > 200).all(axis=2).sum()
    assert whole > 50
    ink = (draw_readings(image_bgr, [reading(box)]) > 200).all(axis=2).sum()
    assert ink == whole  # no letter is cut off


def test_a_caption_wider_than_the_picture_gets_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    written = []

    def put(image: ImageBGR, text: str, origin: tuple[int, int], font: int, scale: float, *rest: Any) -> None:
        (width, _), _ = cv2.getTextSize(text, font, scale, rest[1])
        written.append((origin[0], origin[0] + width, image.shape[1]))

    monkeypatch.setattr(cv2, "putText", put)
    die = reading((60, 60, 100, 100), accepted=False, candidates=(RED_4, Candidate("pink-d12", 12, 12, 0.3)))
    for width in (120, 200, 640):
        draw_readings(np.full((150, width, 3), 150, np.uint8), [die])
    assert len(written) == 3
    assert all(left >= 0 and right <= width for left, right, width in written)
    assert written[0][1] - written[0][0] > 80  # no smaller than it must be


def test_neighbours_do_not_write_over_each_other() -> None:
    image_bgr: ImageBGR = np.full((480, 640, 3), 150, np.uint8)
    dice = [reading((x, 200.0, x + 40.0, 240.0)) for x in (200.0, 245.0, 290.0)]
    alone = [(draw_readings(image_bgr, [die]) == 255).all(axis=2).sum() for die in dice]
    together = (draw_readings(image_bgr, dice) == 255).all(axis=2).sum()
    assert together == pytest.approx(sum(alone), rel=0.1)


def test_no_dice_leave_the_picture_as_it_is() -> None:
    image_bgr: ImageBGR = np.full((48, 64, 3), 150, np.uint8)
    drawn = draw_readings(image_bgr, [])
    assert (drawn == image_bgr).all()
    assert drawn is not image_bgr
