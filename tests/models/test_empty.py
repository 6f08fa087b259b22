"""Pictures without dice, as `make evaluate-empty` makes them."""

from __future__ import annotations

import importlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision.evaluation.labels import read_labels

TRAINING = Path(__file__).resolve().parents[2] / "models" / "training"
HEAD = "file,x0,y0,x1,y1,sides,body_color,numeral_color,value,verified\n"


@pytest.fixture(autouse=True)
def _scripts_know_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TRAINING))


def test_each_sheet_has_something_printed_on_it():
    for sheet in importlib.import_module("empty_prints").SHEETS:
        image = sheet(np.random.default_rng(3))
        assert image.dtype == np.uint8
        assert image.std() > 5, sheet.__name__


def test_a_part_says_of_each_picture_that_it_shows_no_die(tmp_path):
    make_empty = importlib.import_module("make_empty")
    (tmp_path / "prints").mkdir()
    (tmp_path / "prints" / "prints_099.jpg").write_bytes(b"of an earlier run")
    assert make_empty.write_part(tmp_path / "prints", make_empty.printed(2)) == 2
    labels = read_labels(tmp_path / "prints")
    assert [label.file for label in labels] == ["prints_000.jpg", "prints_001.jpg"]
    assert all(label.says_no_die for label in labels)
    assert not (tmp_path / "prints" / "prints_099.jpg").exists()


def test_the_parts_of_a_photo_without_dice_hold_none(tmp_path):
    make_empty = importlib.import_module("make_empty")
    photo = np.full((600, 900, 3), 60, np.uint8)
    photo[200:300, 120:220] = 255  # the die
    cv2.imwrite(str(tmp_path / "a.png"), photo)
    cv2.imwrite(str(tmp_path / "b.png"), photo)
    (tmp_path / "labels.csv").write_text(HEAD + "a.png,120,200,220,300,6,red,white,1,1\nb.png,,,,,6,red,white,1,1\n")
    (strip,) = make_empty.without_dice([tmp_path], 9)  # where the die of b lies nobody has said
    assert strip.max() == 60
    assert strip.shape == (600, 665, 3)


@pytest.mark.parametrize("part", ["mats", "cluttered"])
def test_drawn_parts_are_the_same_each_time(part):
    make = getattr(importlib.import_module("make_empty"), part)
    first, second = next(make(1)), next(make(1))
    assert np.array_equal(first, second)
    assert first.std() > 1
