from __future__ import annotations

import numpy as np
import pytest

from tablesight.vision.simulator.camera import PinholeCamera


@pytest.mark.parametrize("tilt", [0.0, 0.4, 0.9])
def test_the_homography_agrees_with_the_projection(tilt: float) -> None:
    camera = PinholeCamera(640, 480, 700.0, 600.0, (30.0, -20.0), tilt, 0.8, 0.1)
    points = np.random.default_rng(0).uniform(-100, 100, (20, 2))
    flat = np.concatenate([points, np.zeros((20, 1))], 1)
    homogeneous = np.concatenate([points, np.ones((20, 1))], 1) @ camera.table_to_px().T
    np.testing.assert_allclose(camera.project(flat), homogeneous[:, :2] / homogeneous[:, 2:], atol=1e-6)


def test_the_point_looked_at_is_in_the_middle_and_away_is_up() -> None:
    camera = PinholeCamera(640, 480, 700.0, 600.0, tilt_rad=0.5)
    middle, away, right = camera.project(np.array([[0, 0, 0], [0, 10, 0], [10, 0, 0]], float))
    np.testing.assert_allclose(middle, [320, 240])
    assert away[1] < middle[1]
    assert right[0] > middle[0]


def test_a_smaller_picture_shows_the_same_view() -> None:
    camera = PinholeCamera(1280, 720, 900.0, 600.0, tilt_rad=0.3)
    point = np.array([[25.0, 40.0, 8.0]])
    np.testing.assert_allclose(camera.resized(640).project(point) * 2, camera.project(point))
