"""`tablesight calibrate`, with a camera that shows a mat held under it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import Frame, SourceError
from tablesight.vision.lens import LENSES_FILE, Lens, load_lenses
from tablesight.vision.mat_layout import MatLayout
from tablesight.vision.mat_sheet import MatSeat, draw_mat
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.table_setting import TableOptions, lay_table
from tablesight.webui.cli import main
from tablesight.webui.commands.calibrate import calibrate

A4 = MatLayout.on("a4")
SIZE = (1280, 720)
STRAIGHT = Lens(0.8, 0.5, 0.5, (0, 0, 0, 0, 0))


class HeldMat:
    """Somebody moves a mat about; `still_at` is where it never moves."""

    name = "test camera"

    def __init__(self, moves: bool = True, broken: bool = False) -> None:
        self._rng = np.random.default_rng(1)
        self._moves = moves
        self._broken = broken
        self._sheet = cv2.cvtColor(np.asarray(draw_mat(A4, MatSeat(0, "Ana", (200, 40, 40)), 90)), cv2.COLOR_RGB2BGR)
        self._to_px = self._pose()

    def _pose(self) -> np.ndarray:
        turn = cv2.Rodrigues(np.radians([*self._rng.uniform(-28, 28, 2), self._rng.uniform(0, 360)]))[0]
        place = np.array([*(self._rng.uniform(-0.3, 0.3, 2) * (700, 350)), self._rng.uniform(600, 800)])
        middle = np.array([A4.width_mm / 2, A4.height_mm / 2, 0])
        return np.asarray(STRAIGHT.matrix(*SIZE) @ np.c_[turn[:, 0], turn[:, 1], place - turn @ middle])

    def still(self) -> Frame:
        if self._broken:
            raise SourceError("the camera is gone: plug it in again")
        if self._moves:
            self._to_px = self._pose()
        scale = np.diag([25.4 / 90, 25.4 / 90, 1])
        image = cv2.warpPerspective(self._sheet, self._to_px @ scale, SIZE, flags=cv2.INTER_AREA, borderValue=(60,) * 3)
        return Frame(np.asarray(image, np.uint8), 0.0)

    def preview(self) -> Frame:
        return self.still()

    def close(self) -> None: ...


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.now_s += seconds


def measure(source: HeldMat, path: Path) -> int:
    clock = Clock()
    return calibrate(source, A4, path, 30, clock, clock.wait)


def test_a_mat_moved_about_gives_the_lens_which_is_kept_by_camera(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new" / LENSES_FILE
    assert measure(HeldMat(), path) == 0
    lens = load_lenses(path)["test camera"]
    assert lens.focal == pytest.approx(0.8, rel=0.03)
    assert max(map(abs, lens.distortion)) < 0.1
    out = capsys.readouterr().out
    assert "view 14 of 14" in out
    assert "test camera: 6" in out


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        pytest.param(HeldMat(moves=False), "got 1: move it about", id="a mat that is not moved"),
        pytest.param(HeldMat(broken=True), "plug it in again", id="a camera that fails"),
    ],
)
def test_what_gives_no_lens_is_said_and_nothing_is_kept(
    tmp_path: Path, source: HeldMat, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure(source, tmp_path / LENSES_FILE) == 1
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / LENSES_FILE).exists()


def test_a_camera_that_is_none_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--camera", str(tmp_path / "nothing"), "--data-dir", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("tablesight calibrate: ")


def test_the_simulated_camera_has_somebody_who_moves_the_mat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = lay_table(2, TableOptions.parse("seed=3"), len(NumeralFonts.load())).still_camera
    field_deg = np.degrees(2 * np.arctan(camera.width_px / 2 / camera.focal_px))
    assert main(["calibrate", "--camera", "simulated:seed=3", "--data-dir", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "view 14 of 14" in out
    told = float(out.partition("simulated table: ")[2].partition(" ")[0])
    assert told == pytest.approx(field_deg, abs=2)
    assert not (tmp_path / LENSES_FILE).exists()  # it has another lens each evening
