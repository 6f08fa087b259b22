"""Photoreal tables, up to what Blender does: what is planned, what is true of it, how it is kept."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from tablesight.vision.evaluation.labels import read_labels
from tablesight.vision.simulator.die_renderer import Lamp, render_die
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.polyhedra import polyhedron

TRAINING = Path(__file__).resolve().parents[2] / "models" / "training"
FONTS = NumeralFonts.load()


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch):
    """Imports a module of the training code, whose scripts know each other by name."""
    monkeypatch.syspath_prepend(str(TRAINING))

    def module(name: str) -> ModuleType:
        return importlib.import_module(name)

    return module


def _corners_cm(planned) -> np.ndarray:
    rotation, center = planned.die.pose()
    vertices = polyhedron(planned.die.style.sides).vertices @ rotation.T * planned.die.inradius_mm()
    return (vertices + center) / 10


@pytest.mark.parametrize("part", ["train", "held", "hands", "empty"])
def test_a_table_is_the_same_each_time_it_is_planned(load, part):
    plan_scene = load("photoreal.plan").plan_scene
    first, second = plan_scene(part, 3, len(FONTS)), plan_scene(part, 3, len(FONTS))
    assert first.dice == second.dice
    assert first.camera == second.camera
    assert np.array_equal(first.top.texture_bgr, second.top.texture_bgr)


def test_the_dice_of_a_table_lie_in_the_picture_and_apart(load):
    plan_scene = load("photoreal.plan").plan_scene
    for number in range(6):
        plan = plan_scene("train", number, len(FONTS))
        assert len(plan.dice) >= 6
        for planned in plan.dice:
            pixels = plan.camera.project(_corners_cm(planned) * 10)
            assert (pixels.mean(0) > 0).all()
            assert (pixels.mean(0) < (plan.camera.width_px, plan.camera.height_px)).all()
        spots = np.array([(p.die.x_mm, p.die.y_mm) for p in plan.dice])
        gaps = np.linalg.norm(spots[:, None] - spots[None], axis=-1) + np.eye(len(spots)) * 1e6
        reach = np.array([p.die.inradius_mm() for p in plan.dice])
        assert (gaps > reach[:, None] + reach[None]).all()


def test_hands_are_what_a_player_may_hold(load):
    plan_scene = load("photoreal.plan").plan_scene
    sizes = set()
    for number in range(40):
        kinds = [f"{p.die.style.color}-d{p.die.style.sides}" for p in plan_scene("hands", number, len(FONTS)).dice]
        assert kinds.count("yellow-d6") <= 1
        assert kinds.count("pink-d12") <= 1
        assert len(kinds) <= 11
        sizes.add(len(kinds))
    assert len(sizes) > 6


def test_the_top_print_lies_where_the_simulator_says(load):
    plan = load("photoreal.plan").plan_scene("train", 1, len(FONTS))
    truth = load("photoreal.truth").scene_truth(plan, [_corners_cm(planned) for planned in plan.dice])
    for planned, seen in zip(plan.dice, truth, strict=True):
        drawn = render_die(plan.camera, planned.die, Lamp((0, 0, 1), 0.6), FONTS).top
        expected = np.array([drawn.center_xy_px, drawn.up_xy_px, drawn.right_xy_px])
        found = np.array(
            [seen.top_xy_px[0], seen.top_xy_px[1] - seen.top_xy_px[0], seen.top_xy_px[2] - seen.top_xy_px[0]]
        )
        assert np.allclose(found, expected, atol=1e-6)


def test_a_die_behind_another_is_seen_in_part_only(load):
    plan = load("photoreal.plan").plan_scene("train", 1, len(FONTS))
    corners = [_corners_cm(planned) for planned in plan.dice]
    eye = plan.camera.position_mm() / 10
    corners[1] = corners[0] + (eye - corners[0].mean(0)) * 0.3
    truth = load("photoreal.truth").scene_truth(plan, corners)
    assert truth[1].visible > 0.9
    assert truth[0].visible < 0.3


def test_each_tile_of_the_sheet_holds_its_number_upright(load):
    prints = load("photoreal.prints")
    planned = next(
        p
        for n in range(9)
        for p in load("photoreal.plan").plan_scene("held", n, len(FONTS)).dice
        if p.die.style.sides == 12
    )
    style = planned.die.style
    sheet = prints.print_sheet(style, FONTS, 0.0, np.random.default_rng(0))
    tile_px, across = prints.TILE_PX, prints.columns(12)
    for index, number in enumerate(style.numbers):
        row, column = divmod(index, across)
        tile = sheet[row * tile_px : (row + 1) * tile_px, column * tile_px : (column + 1) * tile_px, 2]
        mask = FONTS.mask(style.font, str(number), style.six_nine)
        rows, columns = np.flatnonzero(tile.any(1)), np.flatnonzero(tile.any(0))
        ink = cv2.resize(tile[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], (40, 60)).astype(float)
        rows, columns = np.flatnonzero((mask > 0.5).any(1)), np.flatnonzero((mask > 0.5).any(0))
        shape = cv2.resize(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], (40, 60)).astype(float)
        assert np.corrcoef(ink.ravel(), shape.ravel())[0, 1] > 0.9


def test_crops_keep_the_pose_with_the_far_side_up(load):
    plan = load("photoreal.plan").plan_scene("train", 4, len(FONTS))
    truth = load("photoreal.truth").scene_truth(plan, [_corners_cm(planned) for planned in plan.dice])
    canvas = np.zeros((plan.camera.height_px, plan.camera.width_px, 3), np.float32)
    for seen in truth:  # a spot on the middle of each top print
        x, y = seen.top_xy_px[0]
        cv2.circle(canvas, (round(x), round(y)), 3, (255, 255, 255), -1)
    cut = load("photoreal.crops").cut_crops(canvas, truth, np.random.default_rng(1))
    assert len(cut) > 3
    for image, pose, labels in cut:
        assert image.shape == (112, 112, 3)
        assert labels.shape == (6,)
        assert (np.abs(pose[:2]) < 0.6).all()
        heights = image.sum(2)
        x, y = pose[:2] * 56 + 56
        bright = np.argwhere(heights > 0.6 * heights.max()) - (y, x)
        assert np.linalg.norm(bright, axis=1).min() < 5


def test_an_album_is_a_folder_that_can_be_evaluated_and_resumed(load, tmp_path):
    plan = load("photoreal.plan").plan_scene("train", 0, len(FONTS))
    truth = load("photoreal.truth").scene_truth(plan, [_corners_cm(planned) for planned in plan.dice])
    album = load("photoreal.album").Album(tmp_path)
    image = np.full((plan.camera.height_px, plan.camera.width_px, 3), 90, np.uint8)
    crop = (np.zeros((112, 112, 3), np.uint8), np.zeros(6, np.float32), np.arange(6, dtype=np.int16))
    assert not album.has("train", 0)
    album.add("train", 0, image, truth, [crop, crop])
    album.add("train", 1, image, [], [crop])
    assert album.has("train", 0)
    labels = read_labels(tmp_path / "train")
    assert {label.file for label in labels} == {"train_00000.jpg", "train_00001.jpg"}
    assert [label.face for label in labels if label.box_xyxy_px] == [p.die.face for p in plan.dice]
    album.close()
    with np.load(tmp_path / "train_000.npz") as shard:
        assert shard["images"].shape == (3, 112, 112, 3)
        assert shard["poses"].shape == (3, 6)
        assert shard["labels"].shape == (3, 6)


def test_a_job_says_everything_that_blender_needs(load, tmp_path):
    plan = load("photoreal.plan").plan_scene("empty", 2, len(FONTS))
    load("photoreal.job").write_job(tmp_path, plan, FONTS, threads=1)
    scene = json.loads((tmp_path / "scene.json").read_text())
    assert scene["dice"] == []
    assert len(scene["props"]) == len(plan.props)
    for name in ["table.png", "room.hdr", *(p["picture"] for p in scene["props"] if p["picture"])]:
        assert cv2.imread(str(tmp_path / name), cv2.IMREAD_UNCHANGED) is not None


def test_a_white_sheet_comes_out_near_white_under_any_light(load):
    develop = load("photoreal.develop")
    plain = develop.Development(0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    for number in range(8):
        light = load("photoreal.lights").random_light(False, np.random.default_rng(number))
        sheet = np.broadcast_to(np.array(light.white, np.float32), (20, 30, 3)).astype(np.float16)
        shown = develop.develop(sheet, light.white, plain)
        assert shown.std() < 6
        assert 200 < shown.mean() < 250
