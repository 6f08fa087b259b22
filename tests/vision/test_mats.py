"""Mats: printed, laid on the simulated table, found again, and the light measured from their patches."""

from __future__ import annotations

import re
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.mat_finder import MatFinder
from tablesight.vision.mat_layout import PAPERS_MM, MatLayout, Paper, tag_ids
from tablesight.vision.mat_light import balanced, measure_light
from tablesight.vision.mat_sheet import GREY, MatSeat, draw_mat, mats_pdf
from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.sources.simulated import SimulatedSource

A4 = MatLayout.on("a4")
HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "green-d20", "clear-d6", "pink-d12", "glitter-d6")


def scene(
    seats: Sequence[int], turn_deg: float = 0.0, tilt: float = 0.0, gain_bgr: tuple[float, float, float] = (1, 1, 1)
) -> tuple[ImageBGR, dict[int, np.ndarray]]:
    """Sheets side by side on a dark table seen at an angle, 2.6 px/mm; and each one's true matrix from mm to px."""
    image = np.full((1400, 2400, 3), 60, np.uint8)
    truth: dict[int, np.ndarray] = {}
    for place, seat in enumerate(seats):
        sheet = cv2.cvtColor(
            np.asarray(draw_mat(A4, MatSeat(seat, f"Player {seat}", (200, 40, 40)), 200)), cv2.COLOR_RGB2BGR
        )
        angle = np.radians(turn_deg)
        c, s = 2.6 * np.cos(angle), 2.6 * np.sin(angle)
        x, y = 640 + 1080 * place, 700
        turn = np.array([[c, -s, x - c * 148.5 + s * 105], [s, c, y - s * 148.5 - c * 105], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, 1, 0], [0, tilt / 1400, 1]])
        to_px = lean @ turn
        scale = np.diag([25.4 / 200, 25.4 / 200, 1])
        warped = cv2.warpPerspective(sheet, to_px @ scale, (2400, 1400), dst=None, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), to_px @ scale, (2400, 1400))
        image[mask > 200] = warped[mask > 200]
        truth[seat] = to_px
    noisy = image * np.array(gain_bgr) + np.random.default_rng(1).normal(0, 3, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), truth


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_pdf_has_a_page_for_each_seat_at_true_size(paper: Paper) -> None:
    seats = [MatSeat(seat, f"Łucja {seat}", (30, 120, 200)) for seat in range(10)]
    content = mats_pdf(seats, paper, dpi=72)
    assert content.startswith(b"%PDF")
    pages = re.findall(rb"/MediaBox \[ ?([\d. ]+?) ?\]", content)
    assert len(pages) == 10
    for page in pages:
        _, _, width_pt, height_pt = (float(value) for value in page.split())
        assert (width_pt * 25.4 / 72, height_pt * 25.4 / 72) == pytest.approx(PAPERS_MM[paper], abs=0.4)


@pytest.mark.parametrize("turn_deg", [0, 17, 90, 133, 180, 261])
@pytest.mark.parametrize("tilt", [0.0, 0.25])
def test_a_mat_is_found_at_any_angle_to_a_pixel(turn_deg: float, tilt: float) -> None:
    image, truth = scene([3, 7], turn_deg, tilt)
    mats = MatFinder(A4).find(image)
    assert [mat.seat for mat in mats] == [3, 7]
    points = np.array([[45.0, 20.0], [250.0, 30.0], [148.5, 105.0], [60.0, 190.0]])
    for mat in mats:
        true_px = cv2.perspectiveTransform(points[None], truth[mat.seat])[0]
        assert np.abs(mat.points_px(points) - true_px).max() < 1.5
        assert np.abs(mat.points_mm(true_px) - points).max() < 0.7


def test_a_partly_covered_mat_is_found_by_two_tags_and_not_by_one() -> None:
    image, truth = scene([0])
    for covered in (1, 2, 3):
        picture = image.copy()
        for place in range(covered):
            corners = cv2.perspectiveTransform(np.array([np.reshape(A4.tags_mm()[place], (2, 2))]), truth[0])[0]
            (x0, y0), (x1, y1) = np.round(corners).astype(int)
            picture[y0 - 5 : y0 + (y1 - y0) // 2, x0 - 5 : x1] = (120, 150, 205)
        mats = MatFinder(A4).find(picture)
        if covered == 3:
            assert mats == ()
            continue
        (mat,) = mats
        assert len(mat.tags) == 4 - covered
        middle = np.array([[148.5, 105.0]])
        assert np.abs(mat.points_px(middle) - cv2.perspectiveTransform(middle[None], truth[0])[0]).max() < 3


def test_an_empty_table_has_no_mats() -> None:
    assert MatFinder(A4).find(np.full((400, 600, 3), 90, np.uint8)) == ()


def test_tags_of_different_seats_are_different() -> None:
    numbers = [number for seat in range(10) for number in tag_ids(seat)]
    assert len(set(numbers)) == 40


@pytest.mark.parametrize(
    "gain_bgr",
    [
        pytest.param((0.55, 0.8, 0.95), id="a warm lamp, 2700 K"),
        pytest.param((0.95, 0.85, 0.7), id="a cold lamp"),
        pytest.param((0.5, 0.5, 0.5), id="half the light"),
    ],
)
def test_the_white_balance_makes_grey_grey_again(gain_bgr: tuple[float, float, float]) -> None:
    image, _ = scene([2], gain_bgr=gain_bgr)
    light = measure_light(image, MatFinder(A4).find(image))
    assert light is not None
    assert light.white_bgr == pytest.approx(tuple(255 * gain for gain in gain_bgr), abs=4)
    corrected = balanced(image, light.gains_bgr())
    (mat,) = MatFinder(A4).find(corrected)
    after = measure_light(corrected, [mat])
    assert after is not None
    assert max(after.grey_bgr) - min(after.grey_bgr) < 6
    assert max(after.white_bgr) - min(after.white_bgr) < 8


def test_a_hand_on_a_patch_does_not_tint_the_light() -> None:
    image, truth = scene([2])
    white, grey = A4.patches_mm()[0]
    for rect in (white, grey):
        corners = cv2.perspectiveTransform(np.array([np.reshape(rect, (2, 2))]), truth[2])[0]
        (x0, y0), (x1, y1) = np.round(corners).astype(int)
        image[y0:y1, x0:x1] = (118, 150, 205)
    light = measure_light(image, MatFinder(A4).find(image))
    assert light is not None
    assert light.white_bgr == pytest.approx((255, 255, 255), abs=4)
    assert light.grey_bgr == pytest.approx((GREY,) * 3, abs=4)


@pytest.mark.parametrize(
    ("seats", "options"), [(2, "seed=1,lamp=warm"), (4, "seed=3,lamp=hard,shake=5"), (10, "seed=5")]
)
def test_all_mats_of_a_simulated_table_with_dice_on_them_are_found(seats: int, options: str) -> None:
    now_s = [0.0]
    table = SimulatedSource(
        seats=seats, options=TableOptions.parse(options + ",mats=1"), clock=lambda: now_s[0], wait=None
    )
    now_s[0] = table.throw(dict.fromkeys(range(seats), HAND)) + 0.1
    still = table.still().image_bgr
    mats = MatFinder(A4).find(still)
    assert [mat.seat for mat in mats] == list(range(seats))
    size = np.array([still.shape[1], still.shape[0]])
    for mat, true in zip(mats, table.setting.mat_zones(), strict=True):
        found = np.array(mat.zone(int(size[0]), int(size[1])).polygon) * size
        assert np.abs(found - np.array(true.polygon) * size).max() < 8  # the shake is 5 px
    dice, boxes = table.truth()
    for die, box in zip(dice, boxes, strict=True):
        center = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]) / size
        assert mats[die.seat].zone(int(size[0]), int(size[1])).contains(*center)


@pytest.mark.parametrize("seats", [0, 11])
def test_only_one_to_ten_sheets(seats: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 10 seats"):
        mats_pdf([MatSeat(0, "A", (0, 0, 0))] * seats, "a4")
    with pytest.raises(ValueError, match="expected paper of a4 or letter"):
        MatLayout.on("a3")  # type: ignore[arg-type]  # wrong on purpose
