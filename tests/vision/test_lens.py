"""The lens, measured from views of a mat, and what knowing it is worth."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.lens import LEAST_VIEWS, Lens, LensError, View, calibrate, load_lenses, save_lens
from tablesight.vision.lens_study import LensStudy, StudySettings
from tablesight.vision.mat_finder import MatFinder
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.mat_sheet import MatSeat, draw_mat

A4 = MatLayout.on("a4")
WIDE = Lens(0.62, 0.5, 0.5, (-0.26, 0.07, 0.0, 0.0, 0.0))
"""A cheap wide-angle webcam: the corners of the picture are pulled in by 8 % of its width."""
SIZE = (1280, 720)


def pose(rng: np.random.Generator, lean_deg: float = 25) -> np.ndarray:
    """The matrix (3, 3) from the sheet to the straight picture, of a sheet that somebody holds under the camera."""
    turn = cv2.Rodrigues(np.radians([*rng.uniform(-lean_deg, lean_deg, 2), rng.uniform(0, 360)]))[0]
    middle = np.array([A4.width_mm / 2, A4.height_mm / 2, 0])
    distance = float(rng.uniform(420, 700))
    place = np.array([*(rng.uniform(-0.32, 0.32, 2) * (1, 0.5) * distance / WIDE.focal), distance])
    columns = np.c_[turn[:, 0], turn[:, 1], place - turn @ middle]
    return np.asarray(WIDE.matrix(*SIZE) @ columns)


def photo(to_px: np.ndarray, lens: Lens = WIDE, seat: int = 0) -> ImageBGR:
    """The sheet as a camera with this lens shows it."""
    dpi = 100
    sheet = cv2.cvtColor(np.asarray(draw_mat(A4, MatSeat(seat, "Ana", (200, 40, 40)), dpi)), cv2.COLOR_RGB2BGR)
    grid = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1).reshape(-1, 2).astype(np.float64)
    on_sheet = cv2.perspectiveTransform(lens.straight(grid, *SIZE)[None], np.linalg.inv(to_px))[0] * dpi / 25.4
    at = on_sheet.reshape(SIZE[1], SIZE[0], 2).astype(np.float32)
    shown = cv2.remap(sheet, at[..., 0], at[..., 1], cv2.INTER_AREA, borderValue=(60, 60, 60))
    return np.asarray(cv2.GaussianBlur(shown, (3, 3), 0.6), np.uint8)


def views(count: int, rng: np.random.Generator, noise_px: float = 0.2) -> list[View]:
    corners = np.array([[x, y] for x in (13.0, 39.0, 258.0, 284.0) for y in (13.0, 39.0, 171.0, 197.0)])
    found = []
    for _ in range(count):
        straight = cv2.perspectiveTransform(corners[None], pose(rng))[0]
        found.append(View(corners, WIDE.bent(straight, *SIZE) + rng.normal(0, noise_px, corners.shape)))
    return found


def worst_px(lens: Lens) -> float:
    """How far the worst point of the picture is from where it should be when straightened with this lens."""
    grid = np.array([[x, y] for x in np.linspace(20, 1260, 13) for y in np.linspace(20, 700, 9)])
    return float(np.linalg.norm(WIDE.bent(lens.straight(grid, *SIZE), *SIZE) - grid, axis=1).max())


def test_bending_and_straightening_are_inverse() -> None:
    points = np.array([[10.0, 10.0], [640.0, 360.0], [1200.0, 100.0], [400.0, 700.0]])
    assert np.abs(WIDE.straight(WIDE.bent(points, *SIZE), *SIZE) - points).max() < 0.3
    assert np.abs(WIDE.bent(points, *SIZE) - points).max() > 20
    half = WIDE.bent(points / 2, SIZE[0] // 2, SIZE[1] // 2)
    assert half == pytest.approx(WIDE.bent(points, *SIZE) / 2)


def test_views_of_a_mat_tell_the_lens() -> None:
    lens = calibrate(views(14, np.random.default_rng(1)), *SIZE)
    assert lens.focal == pytest.approx(WIDE.focal, rel=0.02)
    assert lens.error * SIZE[0] < 0.5
    without = Lens(WIDE.focal, 0.5, 0.5, (0, 0, 0, 0, 0))
    assert worst_px(without) > 30
    assert worst_px(lens) < 3


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        pytest.param(lambda some: some[: LEAST_VIEWS - 1], "at least", id="too few views"),
        pytest.param(
            lambda some: [View(v.points_mm, np.roll(v.points_px, 3, axis=0)) for v in some], "error", id="wrong corners"
        ),
    ],
)
def test_views_that_tell_no_lens_say_what_to_do(spoil: object, problem: str) -> None:
    some = views(8, np.random.default_rng(2))
    with pytest.raises(LensError, match=f"expected .*{problem}.*: "):
        calibrate(spoil(some), *SIZE)  # type: ignore[operator]  # a function of the table above


def test_a_study_takes_only_what_is_new_and_a_mat_is_found_better_with_its_lens() -> None:
    rng = np.random.default_rng(3)
    study = LensStudy(A4, StudySettings(wanted=10))
    shown = photo(pose(rng))
    assert study.look(shown) == 1
    assert study.look(shown) == 0  # the same view again
    assert study.look(np.full_like(shown, 60)) == 0
    for _ in range(60):
        if study.is_complete:
            break
        study.look(photo(pose(rng)))
    assert study.progress == (10, 10)
    lens = study.lens()
    assert worst_px(lens) < 6
    flat = pose(np.random.default_rng(5), lean_deg=5)
    picture = photo(flat, seat=4)
    points = np.array([[45.0, 20.0], [250.0, 30.0], [148.5, 105.0], [60.0, 190.0], [230.0, 180.0]])
    true_px = WIDE.bent(cv2.perspectiveTransform(points[None], flat)[0], *SIZE)
    errors = []
    for known in (None, lens):
        (mat,) = MatFinder(A4, known).find(picture)
        errors.append(float(np.abs(mat.points_px(points) - true_px).max()))
        assert np.abs(mat.points_mm(mat.points_px(points)) - points).max() < 0.1
    assert errors[1] < 1.5
    assert errors[0] > 2 * errors[1]


def test_stills_of_different_sizes_are_refused() -> None:
    study = LensStudy(A4)
    study.look(photo(pose(np.random.default_rng(3))))
    with pytest.raises(ValueError, match="expected stills of"):
        study.look(np.zeros((100, 200, 3), np.uint8))


def test_lenses_are_kept_by_camera_and_a_damaged_file_is_none(tmp_path: Path) -> None:
    path = tmp_path / "lenses.json"
    assert load_lenses(path) == {}
    other = Lens(0.8, 0.5, 0.5, (0.1, 0, 0, 0, 0), 0.001)
    save_lens(path, "USB camera (0)", WIDE)
    save_lens(path, "Raspberry Pi camera", other)
    save_lens(path, "USB camera (0)", WIDE)
    assert load_lenses(path) == {"USB camera (0)": WIDE, "Raspberry Pi camera": other}
    for damaged in ("{", "[]", '{"a": {"focal": 1}}', '{"a": 3}', path.read_text().replace("0.62", "99")):
        path.write_text(damaged)
        assert load_lenses(path) == {}
