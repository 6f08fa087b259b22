"""A pinhole camera that looks down at a table. The table is the plane z = 0, millimetres, x to the right, y away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PinholeCamera:
    """`look_at_mm` is the table point in the middle of the picture; `tilt_rad` 0 looks straight down; `azimuth_rad`
    turns the camera round the table, `roll_rad` about its own axis; `focal_px` is the focal length in pixels."""

    width_px: int
    height_px: int
    focal_px: float
    distance_mm: float
    look_at_mm: tuple[float, float] = (0.0, 0.0)
    tilt_rad: float = 0.0
    azimuth_rad: float = 0.0
    roll_rad: float = 0.0

    def position_mm(self) -> Array:
        """Where the camera is, (3,)."""
        s, c = np.sin(self.tilt_rad), np.cos(self.tilt_rad)
        offset = np.array([s * np.sin(self.azimuth_rad), -s * np.cos(self.azimuth_rad), c]) * self.distance_mm
        return np.array([*self.look_at_mm, 0.0]) + offset

    def axes(self) -> Array:
        """Rows: the picture's right, down and forward directions in table coordinates, (3, 3)."""
        s, c = np.sin(self.tilt_rad), np.cos(self.tilt_rad)
        sa, ca = np.sin(self.azimuth_rad), np.cos(self.azimuth_rad)
        forward = np.array([-s * sa, s * ca, -c])
        right = np.array([ca, sa, 0.0])
        down = np.cross(forward, right)
        cr, sr = np.cos(self.roll_rad), np.sin(self.roll_rad)
        return np.stack([cr * right + sr * down, cr * down - sr * right, forward])

    def project(self, points_mm: Array) -> Array:
        """Pixels (n, 2) of points (n, 3)."""
        local = (points_mm - self.position_mm()) @ self.axes().T
        center = np.array([self.width_px / 2, self.height_px / 2])
        pixels: Array = local[:, :2] / local[:, 2:] * self.focal_px + center
        return pixels

    def table_to_px(self) -> Array:
        """Homography (3, 3) from table millimetres (x, y, 1) to pixels."""
        square = np.array([[-100, -100, 0], [100, -100, 0], [100, 100, 0], [-100, 100, 0]], float)
        square[:, :2] += np.array(self.look_at_mm)
        axes, position = self.axes(), self.position_mm()
        k = np.array([[self.focal_px, 0, self.width_px / 2], [0, self.focal_px, self.height_px / 2], [0, 0, 1]])
        columns = np.stack([axes[:, 0], axes[:, 1], -axes @ position], 1)
        raw = k @ columns
        homography: Array = raw / raw[2, 2]
        return homography

    def px_per_mm(self) -> float:
        """Scale in the middle of the picture."""
        return self.focal_px / self.distance_mm

    def resized(self, width_px: int) -> PinholeCamera:
        """The same view at another resolution."""
        scale = width_px / self.width_px
        return PinholeCamera(
            width_px, round(self.height_px * scale), self.focal_px * scale, self.distance_mm, self.look_at_mm,
            self.tilt_rad, self.azimuth_rad, self.roll_rad,
        )  # fmt: skip
