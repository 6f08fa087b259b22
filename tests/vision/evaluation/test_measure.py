"""A folder of small photos, measured with a reader whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision.evaluation.labels import LabelError
from tablesight.vision.evaluation.measure import labelled_folders, measure_folder
from tablesight.vision.evaluation.montage import draw_montage, worst_reads
from tablesight.vision.evaluation.outcome import FolderOutcome
from tablesight.vision.evaluation.rate import Rate
from tablesight.vision.evaluation.report import render_report, render_table
from tablesight.vision.evaluation.summary import by_color, by_kind, by_sides, summarize, summarize_by
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, Candidate, DieReading, PhotoReading

HEAD = "file,x0,y0,x1,y1,sides,body_color,numeral_color,value,verified,die,notes\n"
ROWS = [
    "one.png,10,10,50,50,20,green,white,17,1,,",  # found, right
    "one.png,100,10,140,50,6,red,black,4,1,,",  # found, face right, ink wrong
    "two.png,10,10,50,50,12,purple,white,9,1,,",  # found, read 6, confident and accepted
    "two.png,100,10,140,50,10,pink,white,3,1,,",  # a d10, found: no hit, no false box
    "three.png,10,10,50,50,8,other,white,5,1,,",  # missed, but read right in its box
    "three.png,100,10,140,50,8,,,,0,,",  # found, nothing known of it
    "four.png,,,,,6,other,,,0,,",  # no box
    "five.png,10,10,50,50,6,red,white,2,1,,",  # the file is damaged
]
SIZES = {"one": 200, "two": 202, "three": 204, "four": 206}

RIGHT = DieReading(
    (0, 0, 1, 1), "green-d20", "green", 20, "numeral", "white", 17, 17, 0.99, True,
    (Candidate("green-d20", 17, 17, 0.99),),
)  # fmt: skip
RED = replace(RIGHT, kind="red-d6", color="red", sides=6, ink="white", face=4, value=4, confidence=0.7, accepted=False)
SIX = replace(
    RIGHT, kind="purple-d12", color="purple", sides=12, face=6, value=6, confidence=0.97,
    candidates=(Candidate("purple-d12", 6, 6, 0.97), Candidate("purple-d12", 9, 9, 0.03)),
)  # fmt: skip
D10 = replace(RIGHT, kind=None, color="pink", sides=10, face=3, value=3)
FIVE = replace(
    RIGHT, kind=None, color="other", sides=8, face=5, value=5, confidence=0.6, accepted=False,
    candidates=(Candidate(None, 5, 5, 0.6), Candidate("pink-d8", 5, 5, 0.35)),
)  # fmt: skip

READINGS: dict[int, dict[float, DieReading]] = {
    300: {},
    # by the photo's width: the reading of the die by the left of its box
    200: {10: RIGHT, 100: RED},
    202: {10: SIX, 100: D10},
    204: {10: FIVE, 100: FIVE},
    206: {30: RIGHT},  # where no box is given, a die found proves nothing
}


class KnownReader:
    """Finds every die but the first of photo three, and one thing that is none in photo two."""

    accept_from = 0.9

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        width = image_bgr.shape[1]
        dice = [
            replace(die, box_xyxy_px=(left + 2, 9, left + 41, 52))
            for left, die in READINGS[width].items()
            if (width, left) != (204, 10)
        ]
        if width == 202:
            dice.append(replace(RIGHT, box_xyxy_px=(60, 100, 90, 130)))
        return PhotoReading(width, 150, tuple(dice), 1, 1, 2)

    def read_boxes(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[DieReading, ...]:
        return tuple(READINGS[image_bgr.shape[1]][box[0]] for box in boxes_xyxy_px)


class Shifted(KnownReader):
    """Finds the die of photo two, with a far larger box."""

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        return PhotoReading(image_bgr.shape[1], 150, (replace(SIX, box_xyxy_px=(0, 0, 50, 50)),), 1, 1, 2)

    def read_boxes(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[DieReading, ...]:
        return (SIX,) * len(boxes_xyxy_px)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "dice"
    path.mkdir()
    (path / "labels.csv").write_text(HEAD + "".join(f"{row}\n" for row in ROWS))
    for name, width in SIZES.items():
        cv2.imwrite(str(path / f"{name}.png"), np.full((150, width, 3), 120, np.uint8))
    (path / "five.png").write_bytes(b"\x89PNG\r\n\x1a\n cut off")
    return path


@pytest.fixture
def outcome(folder: Path) -> FolderOutcome:
    return measure_folder(folder, KnownReader(), complete_boxes=True)


def test_figures_worked_out_by_hand(outcome: FolderOutcome) -> None:
    summary = summarize("dice", [outcome])
    assert summary.photos == 5
    assert summary.unreadable == 1
    assert summary.recall == Rate(4, 5)  # the d10 is not counted
    assert summary.precision == Rate(4, 5)  # the thing in photo two; a d10 found is no false box
    assert summary.face == Rate(3, 4)  # 17, 4, 5 right; 6 for 9
    assert summary.end_to_end == Rate(2, 4)  # 17 and 4; the 5 was not found
    assert summary.sides == Rate(5, 5)
    assert summary.color == Rate(4, 4)
    assert summary.named_color == Rate(3, 3)  # the die of another colour left out
    assert summary.red_sign == Rate(0, 1)  # black read as white
    assert summary.kind == Rate(4, 4)  # of a d8 of another colour: rightly none
    assert summary.ink == Rate(3, 4)
    assert summary.whole_photo == Rate(1, 1)  # only in photo one is everything verified and scored
    assert summary.whole_photo_silent_wrong == Rate(0, 1)
    assert summary.tight == Rate(4, 5)
    assert summary.hand == Rate(0, 1)  # the ink of photo one's second die was read wrong
    assert summary.hand_silent_right == summary.hand_silent_wrong == Rate(0, 1)  # it would be asked about
    assert summary.empty_clean == Rate(0, 0)
    assert summary.accepted == Rate(2, 4)
    assert summary.face_sure == Rate(3, 4), "a five of a doubtful colour too"
    assert summary.face_sure_wrong == Rate(1, 3)
    assert summary.accepted_face_wrong == Rate(1, 2)
    assert summary.accepted_wrong == Rate(1, 2)
    assert summary.confusions == ((9, 6, 1),)
    # 0.97 wrong, 0.99 right, 0.7 with the wrong ink, 0.6 right
    assert summary.ece == pytest.approx((0.97 + 0.01 + 0.7 + 0.4) / 4)


def test_without_complete_boxes_no_precision(folder: Path) -> None:
    summary = summarize("dice", [measure_folder(folder, KnownReader(), complete_boxes=False)])
    assert summary.precision == Rate(0, 0)
    assert summary.recall == Rate(4, 5)


def test_groups(outcome: FolderOutcome) -> None:
    sides = summarize_by([outcome], by_sides)
    assert list(sides) == ["d06", "d08", "d12", "d20"]
    assert sides["d12"].face == Rate(0, 1)
    colors = summarize_by([outcome], by_color)
    assert list(colors) == ["green", "other", "purple", "red"]
    assert colors["red"].ink == Rate(0, 1)
    kinds = summarize_by([outcome], by_kind)
    assert kinds["red-d6"].ink == Rate(0, 1)
    assert "pink-d10" not in kinds


def test_an_extra_die_or_a_miss_makes_the_photo_wrong(folder: Path) -> None:
    (folder / "labels.csv").write_text(
        HEAD + "two.png,10,10,50,50,12,purple,white,6,1,,\nthree.png,10,10,50,50,8,other,white,5,1,,\n"
    )
    complete = measure_folder(folder, KnownReader(), complete_boxes=True)
    assert [photo.whole_right for photo in complete.photos] == [False, False]
    loose = measure_folder(folder, KnownReader(), complete_boxes=False)
    assert [photo.whole_right for photo in loose.photos] == [True, False]
    # in photo two nothing is asked about, so the extra dice would be scored silently
    assert summarize("x", [complete]).whole_photo_silent_wrong == Rate(1, 2)


def test_what_is_not_labelled_cannot_be_wrong(folder: Path) -> None:
    (folder / "labels.csv").write_text(HEAD + "one.png,10,10,50,50,,,,17,1,,\none.png,100,10,140,50,,,black,4,1,,\n")
    unknown, ink_known = measure_folder(folder, KnownReader(), complete_boxes=False).dice
    assert unknown.all_right is True
    assert unknown.sides_right is unknown.color_right is unknown.kind_right is unknown.ink_right is None
    assert ink_known.all_right is False


def test_a_hand_is_right_only_with_all_that_counts(folder: Path) -> None:
    rows = ["one.png,10,10,50,50,20,green,white,17,1,,", "one.png,100,10,140,50,6,red,black,4,1,,"]
    (folder / "labels.csv").write_text(HEAD + "\n".join(rows) + "\ntwo.png,10,10,50,50,12,purple,black,6,1,,\n")
    summary = summarize("x", [measure_folder(folder, KnownReader(), complete_boxes=False)])
    assert summary.whole_photo == Rate(2, 2)
    # black on a red die is minus, and it was read as white; on a purple one it is nothing
    assert summary.hand == Rate(1, 2)
    assert summary.hand_silent_right == Rate(1, 2)
    assert summary.hand_silent_wrong == Rate(0, 2)  # the red die of photo one would be asked about


class TwoAreHeld(KnownReader):
    """Is told the kinds of each hand; knows then that the first die is green."""

    def __init__(self) -> None:
        self.told: list[tuple[str, ...]] = []

    def read_hand(self, image_bgr: ImageBGR, kinds: Sequence[str]) -> PhotoReading:
        self.told.append(tuple(kinds))
        seen = self.read(image_bgr)
        return replace(seen, dice=tuple(replace(die, accepted=True) for die in seen.dice))


def test_a_reader_of_hands_is_told_the_kinds_where_the_labels_say_them_all(folder: Path) -> None:
    rows = ["one.png,10,10,50,50,20,green,white,17,1,,", "one.png,100,10,140,50,6,red,white,4,1,,"]
    rows += ["two.png,10,10,50,50,12,other,white,6,1,,", "three.png,100,10,140,50,8,red,white,5,1,,"]
    rows += ["three.png,10,10,50,50,8,red,white,5,1,,"]
    (folder / "labels.csv").write_text(HEAD + "\n".join(rows) + "\n")
    reader = TwoAreHeld()
    one, two, three = measure_folder(folder, reader, complete_boxes=False).photos
    assert reader.told == [("green-d20", "red-d6"), ("red-d8", "red-d8")]
    assert one.silent
    assert one.hand_right
    assert two.silent  # of no kind of ours: read die by die
    assert not three.silent  # one of two dice is missing


def test_boxes_that_overlap_too_little_are_found_but_not_tight(folder: Path) -> None:
    (folder / "labels.csv").write_text(HEAD + "two.png,10,10,30,30,12,purple,white,6,1,,\n")
    summary = summarize("x", [measure_folder(folder, Shifted(), complete_boxes=False)])
    assert summary.recall == Rate(1, 1)
    assert summary.tight == Rate(0, 1)


def test_whatever_is_found_in_a_photo_without_dice_is_wrong(folder: Path) -> None:
    (folder / "labels.csv").write_text(HEAD + "one.png,,,,,,,,,1,,\nempty.png,,,,,,,,,1,,\nfour.png,,,,,,,,,0,,\n")
    cv2.imwrite(str(folder / "empty.png"), np.zeros((150, 300, 3), np.uint8))
    outcome = measure_folder(folder, KnownReader(), complete_boxes=False)
    assert [(photo.false_dice, photo.false_accepted) for photo in outcome.photos] == [(2, 1), (0, 0), (0, 0)]
    summary = summarize("x", [outcome])
    assert summary.empty_clean == Rate(1, 2)  # of photo four nobody said that it shows none
    assert summary.empty_accepted == Rate(1, 2)
    assert (summary.false_dice, summary.false_accepted) == (2, 1)
    assert summary.precision == Rate(0, 0)
    assert summary.whole_photo == summary.hand == Rate(0, 0)
    page = render_report([outcome], "tablesight evaluate dice", "2026-11-30", None)
    assert "| x |" not in page
    assert "| dice | 50.0 % (1/2" in page


def test_the_page_tells_all_of_it(outcome: FolderOutcome) -> None:
    page = render_report([outcome, outcome], "tablesight evaluate dice", "2026-11-30", "worst.jpg")
    assert page.count("\n| dice |") == 4  # both folders, by dice and by photos
    assert "| all |" in page
    assert "75.0 % (6/8" in page
    assert "| 9 | 6 | 2 |" in page
    assert "![dice read wrong, with what was read and what they show](worst.jpg)" in page
    assert "- five.png: expected a whole png photo" in page
    table = render_table([outcome])
    assert "dice: 5 photos, 1 unreadable" in table
    assert "found and face right   50.0 % (2/4" in table


def test_the_montage_shows_the_surest_of_the_wrong(outcome: FolderOutcome) -> None:
    worst = worst_reads([outcome])
    assert [die.label.face for die in worst] == [9]
    picture = draw_montage(worst)
    assert picture is not None
    assert picture.shape == (224, 1080, 3)
    assert draw_montage([]) is None


def test_folders_of_folders(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    assert labelled_folders(tmp_path) == (folder,)
    assert labelled_folders(folder) == (folder,)
    with pytest.raises(LabelError, match="got none"):
        labelled_folders(tmp_path / "nothing")
    with pytest.raises(LabelError, match="got No such file"):
        labelled_folders(tmp_path / "absent")


def test_a_box_outside_of_its_photo_is_refused(folder: Path) -> None:
    (folder / "labels.csv").write_text(HEAD + "one.png,9000,9000,9010,9010,6,red,white,6,1,,\n")
    with pytest.raises(LabelError, match=r"one\.png .* pixels\)"):
        measure_folder(folder, KnownReader(), complete_boxes=True)
