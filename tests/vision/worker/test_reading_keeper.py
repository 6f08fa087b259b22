"""Readings that are kept, for finding out why a die was read wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tablesight.vision.evaluation.simulated_games import keep_mistakes
from tablesight.vision.hand_decoder import HandReading
from tablesight.vision.look import SeenDie
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.worker.reading_keeper import FOLDER, ReadingKeeper, kept_looks
from tablesight.vision.worker.zone_book import ZoneHand

STILL = np.random.default_rng(1).integers(0, 256, (200, 400, 3)).astype(np.uint8)
LEFT = ((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0))


def look(seed: int) -> DiePosterior:
    rng = np.random.default_rng(seed)
    faces = rng.dirichlet(np.ones(20), len(SHAPES))
    return DiePosterior(
        rng.dirichlet(np.ones(9)), rng.dirichlet(np.ones(5)), faces, rng.dirichlet(np.ones(4)), 0.25, 0.9, None, 0.75
    )


def hand() -> ZoneHand:
    one = SeenDie((20, 30, 50, 60), 0.9, look(1))
    twice = replace(one, box_xyxy_px=(80, 90, 110, 120)).with_views([look(2)])
    return ZoneHand((one, twice), HandReading((), 1.0, (), ()))


def test_what_was_seen_comes_back_with_every_look_at_each_die(tmp_path: Path) -> None:
    ReadingKeeper(tmp_path / "kept").keep("ab-0-1", STILL, LEFT, hand())
    path = tmp_path / "kept" / "ab-0-1.npz"
    first, second = kept_looks(path)
    assert [len(first), len(second)] == [1, 2]
    for back, one in ((first[0], look(1)), (second[1], look(2))):
        assert (back.faces == one.faces).all()
        assert (back.pips, back.flatness, back.level, back.die) == (one.pips, one.flatness, one.level, one.die)
    with np.load(path) as kept:
        left, top, right, bottom = kept["boxes_xyxy_px"][0].astype(int)
        assert (kept["image_bgr"][top:bottom, left:right] == STILL[30:60, 20:50]).all()


def test_nothing_is_kept_unless_a_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(FOLDER, raising=False)
    ReadingKeeper.from_environment().keep("ab-0-1", STILL, LEFT, hand())
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    ReadingKeeper.from_environment().keep("ab-0-1", STILL, LEFT, hand())
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["ab-0-1.npz"]


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    ReadingKeeper(tmp_path / "file").keep("ab-0-1", STILL, LEFT, hand())
    assert "could not be kept" in caplog.text


def test_only_the_mistakes_of_a_game_stay(tmp_path: Path) -> None:
    readings, keep = tmp_path / "readings", tmp_path / "keep"
    for name in ("ab-0-1", "cd-1-2"):
        ReadingKeeper(readings).keep(name, STILL, LEFT, hand())
    keep_mistakes({(3, 1): {"reading": "cd-1-2", "wrong": ["..."], "lay": []}}, readings, keep, "2-mats")
    assert {path.name for path in keep.iterdir()} == {"2-mats-round-3-seat-1.json", "2-mats-round-3-seat-1.npz"}
