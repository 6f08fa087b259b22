"""A folder of photos as a camera."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import Frame, SourceError
from tablesight.vision.sources.folder import PhotoFolderSource


def put(folder: Path, name: str, level: int, width: int = 1280, height: int = 960) -> Path:
    path = folder / name
    assert cv2.imwrite(str(path), np.full((height, width, 3), level, np.uint8))
    return path


def level(frame: Frame) -> int:
    return round(float(frame.image_bgr.mean()))


def levels(source: PhotoFolderSource, clock: Any, count: int) -> list[int]:
    seen = []
    for _ in range(count):
        seen.append(level(source.preview()))
        clock.pass_s(5.0)
    return seen


def test_each_photo_is_shown_for_a_while_and_then_the_first_again(tmp_path: Path, clock: Any) -> None:
    for index, name in enumerate(["a.png", "b.PNG", "c.bmp"]):
        put(tmp_path, name, 50 * index + 50)
    source = PhotoFolderSource(tmp_path, clock)
    seen = []
    for _ in range(16):
        seen.append(level(source.preview()))
        clock.pass_s(1.25)
    assert seen == [50] * 4 + [100] * 4 + [150] * 4 + [50] * 4


def test_the_preview_is_small_and_the_still_is_the_whole_photo(tmp_path: Path, clock: Any) -> None:
    put(tmp_path, "a.png", 90)
    source = PhotoFolderSource(tmp_path, clock)
    assert source.preview().image_bgr.shape == (480, 640, 3)
    assert source.still().image_bgr.shape == (960, 1280, 3)
    assert source.still().captured_at_s == clock()
    assert source.name == f"photos in {tmp_path.name}"


def test_a_new_photo_is_shown_next_and_the_round_goes_on(tmp_path: Path, clock: Any) -> None:
    for index, name in enumerate(["b.png", "c.png", "d.png"]):
        put(tmp_path, name, 60 + 20 * index)
    source = PhotoFolderSource(tmp_path, clock)
    assert levels(source, clock, 3) == [60, 80, 100]
    assert levels(source, clock, 1) == [60]
    put(tmp_path, "z.png", 200)
    assert levels(source, clock, 4) == [200, 60, 80, 100]


def test_a_photo_that_changes_is_shown_again(tmp_path: Path, clock: Any) -> None:
    put(tmp_path, "a.png", 60)
    source = PhotoFolderSource(tmp_path, clock)
    assert levels(source, clock, 2) == [60, 60]
    os.utime(put(tmp_path, "a.png", 160), (1, 1))
    assert levels(source, clock, 1) == [160]


def test_a_half_copied_photo_is_passed_over_until_it_is_whole(tmp_path: Path, clock: Any) -> None:
    put(tmp_path, "a.png", 60)
    whole = put(tmp_path, "b.png", 120).read_bytes()
    (tmp_path / "b.png").write_bytes(whole[: len(whole) // 2])
    source = PhotoFolderSource(tmp_path, clock)
    assert levels(source, clock, 3) == [60, 60, 60]
    (tmp_path / "b.png").write_bytes(whole)
    assert levels(source, clock, 2) == [120, 60]


def test_a_photo_taken_away_is_not_missed(tmp_path: Path, clock: Any) -> None:
    put(tmp_path, "a.png", 60)
    put(tmp_path, "b.png", 90)
    source = PhotoFolderSource(tmp_path, clock)
    (tmp_path / "a.png").unlink()
    assert levels(source, clock, 3) == [60, 90, 90]


def test_a_photo_taken_away_and_put_back_is_shown_next(tmp_path: Path, clock: Any) -> None:
    for index, name in enumerate(["a.png", "b.png", "c.png"]):
        put(tmp_path, name, 60 + 30 * index)
    source = PhotoFolderSource(tmp_path, clock)
    assert levels(source, clock, 3) == [60, 90, 120]
    (tmp_path / "c.png").rename(tmp_path / "c.away")
    assert levels(source, clock, 1) == [60]
    (tmp_path / "c.away").rename(tmp_path / "c.png")
    assert levels(source, clock, 1) == [120]


def test_other_and_hidden_files_are_left_alone(tmp_path: Path, clock: Any) -> None:
    put(tmp_path, "a.png", 60)
    (tmp_path / "labels.csv").write_text("file,x0\n")
    (tmp_path / "._a.png").write_bytes(b"what a Mac leaves behind")
    (tmp_path / "sub.jpg").mkdir()
    assert levels(PhotoFolderSource(tmp_path, clock), clock, 2) == [60, 60]


def test_an_empty_folder_says_so(tmp_path: Path, clock: Any) -> None:
    with pytest.raises(SourceError, match=r"expected photos in the folder .* got none"):
        PhotoFolderSource(tmp_path, clock)


def test_a_folder_without_a_readable_photo_names_one_and_why(tmp_path: Path, clock: Any) -> None:
    (tmp_path / "notes.jpg").write_text("no dice here")
    with pytest.raises(SourceError, match=r"'notes.jpg' .*plain text"):
        PhotoFolderSource(tmp_path, clock)


def test_an_unplugged_drive_is_an_error_and_its_return_is_not(tmp_path: Path, clock: Any) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    put(folder, "a.png", 60)
    source = PhotoFolderSource(folder, clock)
    folder.rename(tmp_path / "away")
    assert level(source.preview()) == 60
    clock.pass_s(6)
    with pytest.raises(SourceError, match="plugged in"):
        source.preview()
    shutil.move(tmp_path / "away", folder)
    assert level(source.preview()) == 60


def test_closing_twice_is_fine(tmp_path: Path, clock: Any) -> None:
    put(tmp_path, "a.png", 60)
    source = PhotoFolderSource(tmp_path, clock)
    source.close()
    source.close()
