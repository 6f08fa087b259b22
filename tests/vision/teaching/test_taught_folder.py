from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tablesight.vision.teaching import taught_folder
from tablesight.vision.teaching.taught_folder import TaughtDie, TaughtError, load_taught, packed_crop, save_taught


def picture(shade: int) -> bytes:
    return packed_crop(np.full((112, 112, 3), shade, np.uint8))


DICE = (TaughtDie("yellow-d6", 4, picture(10), "a"), TaughtDie("red-d8", -8, picture(20), "b"))


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    assert load_taught(tmp_path / "taught") == ()
    save_taught(tmp_path / "taught", DICE)
    assert load_taught(tmp_path / "taught") == DICE
    assert load_taught(tmp_path / "taught")[1].crop_bgr()[0, 0].tolist() == [20, 20, 20]
    save_taught(tmp_path / "taught", DICE[:1])
    assert load_taught(tmp_path / "taught") == DICE[:1]
    assert [path.name for path in tmp_path.iterdir()] == ["taught"]


def test_a_power_cut_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    save_taught(tmp_path / "taught", DICE)
    (tmp_path / "taught").rename(tmp_path / "taught.old")
    assert load_taught(tmp_path / "taught") == DICE


def test_what_is_damaged_is_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    save_taught(tmp_path, DICE)
    next(tmp_path.glob("*yellow*.png")).write_bytes(b"no picture")
    assert load_taught(tmp_path) == DICE[1:]
    assert "left out" in caplog.text
    (tmp_path / "dice.json").write_text('{"dice": 3}')
    assert load_taught(tmp_path) == ()
    (tmp_path / "dice.json").write_text("[")
    assert load_taught(tmp_path) == ()


def test_a_picture_elsewhere_is_not_read(tmp_path: Path) -> None:
    save_taught(tmp_path / "taught", DICE[:1])
    (tmp_path / "secret.png").write_bytes(picture(9))
    entry = {"kind": "yellow-d6", "value": 1, "picture": "../secret.png"}
    (tmp_path / "taught" / "dice.json").write_text(json.dumps({"dice": [entry]}))
    assert load_taught(tmp_path / "taught") == ()


def test_the_newest_dice_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taught_folder, "MOST_DICE", 1)
    save_taught(tmp_path, DICE)
    assert load_taught(tmp_path) == DICE[1:]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        pytest.param("yellow-d6", 0, id="zero"),
        pytest.param("yellow-d6", 7, id="seven on a d6"),
        pytest.param("yellow-d6", -1, id="minus on a yellow die"),
        pytest.param("red-d8", -9, id="minus nine on a d8"),
        pytest.param("red-d8", 0, id="zero on a red die"),
        pytest.param("orange-d6", 1, id="a kind that is none"),
        pytest.param("red-d6", True, id="true"),
    ],
)
def test_a_die_that_is_none_is_refused(kind: str, value: int) -> None:
    with pytest.raises(TaughtError):
        TaughtDie(kind, value, picture(1))


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(TaughtError, match="112 by 112"):
        TaughtDie("red-d6", 1, packed_crop(np.zeros((50, 50, 3), np.uint8))).crop_bgr()
