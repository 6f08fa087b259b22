"""`tablesight read` on photos good and bad, with a reader whose answers are known."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import Candidate, DieReading, PhotoReading
from tablesight.webui.commands import read

SURE = DieReading(
    (10.04, 20.0, 50.0, 60.0), "green-d20", "green", 20, "numeral", "white", 17, 17, 0.99871, True,
    (Candidate("green-d20", 17, 17, 0.99871),),
)  # fmt: skip
DOUBTFUL = DieReading(
    (70.0, 20.0, 110.0, 60.0), "red-d6", "red", 6, "pips", "black", 4, -4, 0.61, False,
    (Candidate("red-d6", 4, -4, 0.61), Candidate("red-d6", 4, 4, 0.3), Candidate(None, 5, 5, 0.05)),
)  # fmt: skip


class FakeReader:
    """Finds the same two dice in every picture, none in a black one."""

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        height, width = image_bgr.shape[:2]
        dice = (SURE, DOUBTFUL) if image_bgr.any() else ()
        return PhotoReading(width, height, dice, 10.04, 20.0, 31.5)


def put(path: Path, level: int = 150) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), np.full((480, 640, 3), level, np.uint8))
    return path


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_json_has_every_field_of_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = put(tmp_path / "a.png")
    assert read.read_photos(FakeReader(), [photo], as_json=True, annotate=None) == 0
    (line,) = lines(capsys)
    assert line == {
        "file": str(photo),
        "width": 640,
        "height": 480,
        "dice": [
            {
                "box": [10.0, 20.0, 50.0, 60.0], "kind": "green-d20", "color": "green", "sides": 20,
                "marking": "numeral", "ink": "white", "face": 17, "value": 17, "confidence": 0.9987, "accepted": True,
                "candidates": [{"face": 17, "kind": "green-d20", "value": 17, "p": 0.9987}],
            },
            {
                "box": [70.0, 20.0, 110.0, 60.0], "kind": "red-d6", "color": "red", "sides": 6,
                "marking": "pips", "ink": "black", "face": 4, "value": -4, "confidence": 0.61, "accepted": False,
                "candidates": [
                    {"face": 4, "kind": "red-d6", "value": -4, "p": 0.61},
                    {"face": 4, "kind": "red-d6", "value": 4, "p": 0.3},
                    {"face": 5, "kind": None, "value": 5, "p": 0.05},
                ],
            },
        ],
        "ms": {"detect": 10.0, "read": 20.0, "total": 31.5},
    }  # fmt: skip


def test_a_bad_file_in_the_middle_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "b.jpg"
    bad.write_text("no dice here")
    photos = [put(tmp_path / "a.png"), bad, tmp_path / "absent.jpg", put(tmp_path / "c.png", 0)]
    assert read.read_photos(FakeReader(), photos, as_json=True, annotate=None) == 1
    read_first, text, absent, empty = lines(capsys)
    assert len(read_first["dice"]) == 2
    assert text.keys() == absent.keys() == {"file", "error"}
    assert "plain text" in text["error"]
    assert "no such file" in absent["error"]
    assert empty["dice"] == []


def test_people_get_a_table_and_errors_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photos = [put(tmp_path / "a.png"), tmp_path / "absent.jpg", put(tmp_path / "c.png", 0)]
    assert read.read_photos(FakeReader(), photos, as_json=False, annotate=None) == 1
    printed = capsys.readouterr()
    out = printed.out.splitlines()
    assert out[0].endswith("a.png: 640 x 480, 2 dice, 32 ms")
    assert out[1].split() == ["green", "d20", "17", "99.9", "%"]
    assert " ".join(out[2].split()) == "? red d6 -4 61.0 % pips or 4 30 %, 5 (another die) 5 %"
    assert out[3].endswith("c.png: 640 x 480, no dice, 32 ms")
    assert "absent.jpg: expected a readable photo" in printed.err


def test_a_folder_stands_for_the_photos_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b.png", "a.JPG", "notes.txt", "empty/.keep"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if path.suffix in (".png", ".JPG"):
            put(path)
        else:
            path.write_text("x")
    assert read.read_photos(FakeReader(), [tmp_path], as_json=True, annotate=None) == 0
    assert [Path(line["file"]).name for line in lines(capsys)] == ["a.JPG", "b.png"]
    assert read.read_photos(FakeReader(), [tmp_path / "empty"], as_json=True, annotate=None) == 1
    (line,) = lines(capsys)
    assert "expected photos in the folder or below" in line["error"]


def test_the_folders_below_are_read_too_and_it_is_said_where_the_pictures_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("b/2.png", "a/1.png", "a/deep/3.png", ".hidden/4.png"):
        put(tmp_path / "in" / name)
    assert read.read_photos(FakeReader(), [tmp_path / "in"], as_json=True, annotate=None) == 0
    assert [Path(line["file"]).name for line in lines(capsys)] == ["1.png", "3.png", "2.png"]
    out = tmp_path / "in" / "out"  # is not read again the second time
    assert read.read_photos(FakeReader(), [tmp_path / "in"], as_json=False, annotate=out) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"3 pictures with boxes: {out}"
    assert read.read_photos(FakeReader(), [tmp_path / "in"], as_json=True, annotate=out) == 0
    assert len(lines(capsys)) == 3


def test_annotated_pictures_are_saved_and_never_over_a_photo(tmp_path: Path) -> None:
    photos = [put(tmp_path / "one" / "a.png"), put(tmp_path / "two" / "a.png")]
    before = photos[0].read_bytes()
    for _ in range(2):
        assert read.read_photos(FakeReader(), photos, as_json=True, annotate=tmp_path / "one") == 0
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["a-read-2.jpg", "a-read.jpg", "a.png"]
    assert photos[0].read_bytes() == before
    drawn = cv2.imread(str(tmp_path / "one" / "a-read.jpg"))
    assert drawn is not None
    assert drawn.shape == (480, 640, 3)
    assert drawn.std() > 1


def test_where_pictures_cannot_be_saved_the_reading_is_still_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    photo = put(tmp_path / "a.png")
    assert read.read_photos(FakeReader(), [photo], as_json=True, annotate=tmp_path / "file") == 1
    printed = capsys.readouterr()
    assert len(json.loads(printed.out)["dice"]) == 2
    assert "name another for --annotate" in printed.err


def test_a_name_that_is_no_text_can_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = Path(os.fsdecode(os.fsencode(tmp_path) + b"/w\xfcrfel.png"))
    photo.write_bytes(put(tmp_path / "a.png").read_bytes())
    for as_json in (True, False):
        assert read.read_photos(FakeReader(), [photo], as_json=as_json, annotate=None) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert Path(json.loads(first)["file"]) == photo
    assert "w\\xfcrfel.png: 640 x 480" in second


def test_the_arguments_are_those_of_the_contract() -> None:
    parser = argparse.ArgumentParser()
    read.add_arguments(parser)
    args = parser.parse_args(["a.jpg", "b.jpg", "--json", "--annotate", "out"])
    assert args.photos == [Path("a.jpg"), Path("b.jpg")]
    assert args.json
    assert args.annotate == Path("out")
