"""A cut of another camera's picture, so that a part of a large still can be drawn by itself."""

from __future__ import annotations

from dataclasses import dataclass

from tablesight.vision.simulator.camera import Array, PinholeCamera


@dataclass(frozen=True, slots=True)
class CroppedCamera(PinholeCamera):
    """Sees what `whole` sees in the rectangle at (`left_px`, `top_px`), `width_px` by `height_px` large."""

    whole: PinholeCamera | None = None
    left_px: int = 0
    top_px: int = 0

    def project(self, points_mm: Array) -> Array:
        """Pixels (n, 2) of points (n, 3), counted from the corner of the cut."""
        assert self.whole is not None
        pixels: Array = self.whole.project(points_mm) - (self.left_px, self.top_px)
        return pixels


def crop_camera(whole: PinholeCamera, left: int, top: int, right: int, bottom: int) -> CroppedCamera:
    """The camera that sees only these pixels of `whole`."""
    return CroppedCamera(
        right - left, bottom - top, whole.focal_px, whole.distance_mm, whole.look_at_mm, whole.tilt_rad,
        whole.azimuth_rad, whole.roll_rad, whole, left, top,
    )  # fmt: skip
