"""The command with the models that come with it, on real photos and on the same photos in other clothes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pillow_heif
import pytest
from PIL import Image

from tablesight.vision.box_overlap import iou
from tablesight.vision.evaluation.measure import measure_folder
from tablesight.vision.evaluation.summary import summarize
from tablesight.vision.photo_reader import PhotoReader
from tablesight.webui import cli

PHOTOS: Final = Path(__file__).resolve().parents[2] / "photos"
D20: Final = PHOTOS / "burks" / "d20_A_07.jpg"


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    return PhotoReader.load()


def read_json(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, list[dict[str, Any]]]:
    capsys.readouterr()
    status = cli.main(["read", "--json", *(str(word) for word in words)])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def labelled_box(photo: Path) -> list[float]:
    with (photo.parent / "labels.csv").open(newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["file"] == photo.name)
    return [float(row[name]) for name in ("x0", "y0", "x1", "y1")]


def on_its_side(image: Image.Image, path: Path) -> float:
    """As a phone held upright writes it: the pixels lie on their side, EXIF says how to turn them."""
    exif = Image.Exif()
    exif[0x0112] = 6
    image.transpose(Image.Transpose.ROTATE_90).save(path, "JPEG", quality=95, exif=exif)
    return 1.0


def as_heic(image: Image.Image, path: Path) -> float:
    """As an iPhone writes it."""
    pillow_heif.from_pillow(image).save(path, quality=90)
    return 1.0


def as_60_megapixels(image: Image.Image, path: Path) -> float:
    """From a camera with very many pixels."""
    scale = 5.59
    size_wh = (round(image.width * scale), round(image.height * scale))
    assert size_wh[0] * size_wh[1] > 59e6
    image.resize(size_wh, Image.Resampling.BICUBIC).save(path, "JPEG", quality=80)
    return scale


@pytest.mark.parametrize("dress", [on_its_side, as_heic, as_60_megapixels])
def test_the_same_photo_in_other_clothes_is_read_the_same(
    dress: Callable[[Image.Image, Path], float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Image.open(D20) as image:
        scale = dress(image, tmp_path / "photo")
        size_wh = image.size
    status, (plain, dressed) = read_json(capsys, D20, tmp_path / "photo")
    assert status == 0
    assert [dressed["width"], dressed["height"]] == [round(side * scale) for side in size_wh]
    wanted = labelled_box(D20)
    for line, factor in ((plain, 1.0), (dressed, scale)):
        hits = [
            die for die in line["dice"] if iou(tuple(value / factor for value in die["box"]), tuple(wanted)) > 0.5
        ]  # fmt: skip
        assert [(die["sides"], die["face"]) for die in hits] == [(20, 7)]


def test_bad_files_among_real_photos_lose_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.jpg").write_text("no dice here")
    content = D20.read_bytes()
    (tmp_path / "cut.jpg").write_bytes(content[: len(content) // 2])
    status, lines = read_json(
        capsys, tmp_path / "text.jpg", D20, tmp_path / "cut.jpg", PHOTOS / "lurig" / "IMG_4885.jpg"
    )
    assert status == 1
    assert ["error" in line for line in lines] == [True, False, True, False]
    assert all(line["dice"] for line in lines if "dice" in line)


@pytest.mark.parametrize("name", ["burks", "lurig", "pips"])
def test_the_dice_of_the_photos_in_the_repository(name: str, reader: PhotoReader) -> None:
    # a floor, far below what the report tells of the large folders: it fails when something is badly broken
    summary = summarize(name, [measure_folder(PHOTOS / name, reader, complete_boxes=name == "pips")])
    assert summary.unreadable == 0
    assert summary.recall.value is not None
    assert summary.recall.value >= 0.8
    assert summary.face.value is not None
    assert summary.face.value >= 0.5
    assert summary.accepted_face_wrong.hits == 0
