"""`tablesight evaluate`: folders, flags, output."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision import photo_reader
from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY, DieReading, PhotoReading
from tablesight.webui.commands import evaluate

DIE = DieReading((11, 11, 49, 49), "red-d6", "red", 6, "numeral", "white", 4, 4, 0.98, True, ())


class FakeReader:
    """Finds one die, and another where there is none."""

    accept_from = 0.9

    def read(self, image_bgr: ImageBGR) -> PhotoReading:
        elsewhere = DieReading((80, 80, 99, 99), None, "other", 6, "pips", "black", 1, 1, 0.4, False, ())
        return PhotoReading(100, 100, (DIE, elsewhere), 1, 1, 2)

    def read_boxes(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[DieReading, ...]:
        return (DIE,) * len(boxes_xyxy_px)


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two folders: in "scenes" the die shows what is read, in "single" it shows a 5."""
    for name, face in (("scenes", 4), ("single", 5)):
        folder = tmp_path / name
        folder.mkdir()
        cv2.imwrite(str(folder / "a.png"), np.full((100, 100, 3), 120, np.uint8))
        (folder / "labels.csv").write_text(
            "file,x0,y0,x1,y1,sides,body_color,numeral_color,value,verified,die,notes\n"
            f"a.png,10,10,50,50,6,red,white,{face},1,,\n"
        )
    monkeypatch.setattr(photo_reader.PhotoReader, "load", lambda *_: FakeReader())
    return tmp_path


def run(*words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    evaluate.add_arguments(parser)
    return evaluate.run(parser.parse_args([str(word) for word in words]))


def test_json_has_each_folder_and_all_together(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folders, "--json", "--complete-boxes-in", "sc*") == 0
    result = json.loads(capsys.readouterr().out)
    assert [folder["name"] for folder in result["folders"]] == ["scenes", "single"]
    assert result["folders"][0]["face"]["value"] == 1
    assert result["folders"][0]["precision"]["value"] == 0.5
    assert result["folders"][1]["precision"]["value"] is None
    assert result["all"]["face"]["hits"] == 1
    assert result["all"]["face"]["of"] == 2
    assert result["all"]["accepted_face_wrong"]["value"] == 0.5
    assert set(result["by_kind"]) == {"red-d6"}
    assert result["all"]["curve"][0].keys() == {"threshold", "coverage", "accuracy"}


def test_one_folder_and_the_flag_for_all_boxes(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--complete-boxes", folders / "single") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("single: 1 photos\n")
    assert "precision              50.0 % (1/2" in printed
    assert "all:" not in printed


def test_only_some_folders(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folders, "--json", "--only", "sin*") == 0
    assert [folder["name"] for folder in json.loads(capsys.readouterr().out)["folders"]] == ["single"]
    assert run(folders, "--only", "absent") == 2
    assert "named absent" in capsys.readouterr().err


def test_hands_that_are_known_and_a_camera_that_hangs_still_are_not_measured_together(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folders, "--hands-known", "--fixed-camera-in", "sc*") == 2
    assert "got both" in capsys.readouterr().err


def test_the_report_and_its_picture(folders: Path) -> None:
    report = folders / "out" / "REPORT.md"
    assert run(folders, "--report", report) == 0
    assert "(REPORT-worst.jpg)" in report.read_text()
    assert cv2.imread(str(report.with_name("REPORT-worst.jpg"))) is not None
    assert run(folders / "scenes", "--report", report) == 0
    assert "worst.jpg" not in report.read_text()
    assert not report.with_name("REPORT-worst.jpg").exists()


def test_the_picture_shows_only_what_may_be_shown(folders: Path) -> None:
    report = folders / "REPORT.md"
    assert run(folders, "--report", report, "--picture-of", "scenes") == 0  # nothing is wrong there
    assert not report.with_name("REPORT-worst.jpg").exists()
    assert run(folders, "--report", report, "--picture-of", "scenes", "--picture-of", "sin*") == 0
    assert report.with_name("REPORT-worst.jpg").exists()


def test_the_page_names_no_folder_of_this_machine() -> None:
    words = ["evaluate", "/home/kim/photos", "--report", "../models/REPORT.md", "--only", "*d8*"]
    assert evaluate.command_line(words) == "tablesight evaluate photos --report REPORT.md --only '*d8*'"


def test_details_have_a_row_for_each_die(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folders, "--details", folders / "details.csv") == 0
    with (folders / "details.csv").open(newline="") as file:
        right, wrong = csv.DictReader(file)
    assert (right["folder"], right["face"], right["read_face"], right["face_right"]) == ("scenes", "4", "4", "1")
    assert (wrong["folder"], wrong["face"], wrong["read_face"], wrong["face_right"]) == ("single", "5", "4", "0")
    assert wrong["accepted"] == "1"
    assert run(folders, "--details", folders / "absent" / "details.csv") == 1
    assert "expected to write" in capsys.readouterr().err


def test_a_photo_that_cannot_be_read_is_told_and_the_rest_measured(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folders / "single" / "a.png").unlink()
    assert run(folders, "--json") == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["all"]["unreadable"] == 1
    assert "no such file" in printed.err


@pytest.mark.parametrize("name", ["absent", "empty"])
def test_a_folder_without_labels_is_told(name: str, folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folders / "empty").mkdir()
    assert run(folders / name) == 2
    assert "labels.csv" in capsys.readouterr().err


def test_missing_models_are_told(
    folders: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(*_: object) -> None:
        raise photo_reader.ModelError("expected detector.onnx, got none")

    monkeypatch.setattr(photo_reader.PhotoReader, "load", load)
    assert run(folders) == 2
    assert "expected detector.onnx" in capsys.readouterr().err
