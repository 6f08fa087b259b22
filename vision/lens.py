"""What a lens does to straight lines, measured from views of a mat, and undone."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from logging import getLogger
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

logger = getLogger(__name__)

Array = npt.NDArray[np.float64]

LENSES_FILE: Final = "lenses.json"
"""In the data folder: the lenses of the cameras that were calibrated."""
LEAST_VIEWS: Final = 6
"""Fewer views of a flat sheet do not tell focal length and distortion apart."""
FOCAL_RANGE: Final = (0.35, 6.0)
"""Focal lengths, in widths of the picture, that a camera over a table can have: 110 down to 10 degrees across."""
MOST_ERROR: Final = 0.0015
"""Mean error, as a share of the picture's width (3 px of 2304), from which a calibration is none."""


class LensError(ValueError):
    """The views do not tell the lens: says why, and what to do."""


@dataclass(frozen=True, slots=True)
class View:
    """Corners of one mat in one picture: `points_mm` (n, 2) on the sheet and `points_px` (n, 2)."""

    points_mm: Array
    points_px: Array


@dataclass(frozen=True, slots=True)
class Lens:
    """A pinhole with distortion, for pictures of any size with this aspect: `focal` and `center_x` in widths of the
    picture, `center_y` in heights, `distortion` (k1, k2, p1, p2, k3) as OpenCV has it. `error` is how well the views
    fitted, root mean square, in widths."""

    focal: float
    center_x: float
    center_y: float
    distortion: tuple[float, float, float, float, float]
    error: float = 0.0

    def matrix(self, width_px: int, height_px: int) -> Array:
        """The camera matrix (3, 3) for pictures of this size."""
        focal = self.focal * width_px
        return np.array(
            [[focal, 0, self.center_x * width_px], [0, focal, self.center_y * height_px], [0, 0, 1]], np.float64
        )

    def field_deg(self) -> float:
        """How wide the lens sees, degrees across the picture."""
        return math.degrees(2 * math.atan(0.5 / self.focal))

    def straight(self, points_px: Array, width_px: int, height_px: int) -> Array:
        """Where points (n, 2), pixels, would be without distortion."""
        matrix = self.matrix(width_px, height_px)
        points = cv2.undistortPoints(points_px[:, None], matrix, np.array(self.distortion), None, None, matrix)
        return np.asarray(points, np.float64).reshape(-1, 2)

    def bent(self, points_px: Array, width_px: int, height_px: int) -> Array:
        """Where the camera shows points (n, 2), pixels, of the picture without distortion."""
        matrix = self.matrix(width_px, height_px)
        rays = np.concatenate([points_px, np.ones((len(points_px), 1))], axis=1) @ np.linalg.inv(matrix).T
        none = np.zeros(3)
        points, _ = cv2.projectPoints(rays, none, none, matrix, np.array(self.distortion))
        return np.asarray(points, np.float64).reshape(-1, 2)


def calibrate(views: Sequence[View], width_px: int, height_px: int) -> Lens:
    """The lens behind views of mats in pictures of this size (Zhang 2000). Raises LensError."""
    if len(views) < LEAST_VIEWS:
        raise LensError(
            f"expected at least {LEAST_VIEWS} views of a mat, got {len(views)}: move it about under the camera"
        )
    on_sheet = [np.c_[view.points_mm, np.zeros(len(view.points_mm))].astype(np.float32) for view in views]
    in_picture = [view.points_px.astype(np.float32) for view in views]
    guess = Lens(0.77, 0.5, 0.5, (0.0,) * 5).matrix(width_px, height_px)
    # square pixels; the middle of the lens is the middle of the picture: a sheet tells it badly, and crops are rare
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    )  # fmt: skip
    try:
        error, matrix, distortion, _, _ = cv2.calibrateCamera(
            on_sheet, in_picture, (width_px, height_px), guess, np.zeros(5), flags=flags
        )
    except cv2.error as problem:
        raise LensError(f"the views do not tell the lens ({problem.err}): tilt the mat more") from problem
    focal, bend = float(matrix[0, 0]) / width_px, tuple(float(k) for k in np.ravel(distortion)[:5])
    if not error <= MOST_ERROR * width_px:
        raise LensError(
            f"expected an error of at most {MOST_ERROR * width_px:.1f} px, got {error:.1f}: hold the mat flat"
        )
    if not FOCAL_RANGE[0] <= focal <= FOCAL_RANGE[1]:
        raise LensError(f"expected a focal length of {FOCAL_RANGE} widths, got {focal:.2f}: tilt the mat more")
    k1, k2, p1, p2, k3 = bend
    return Lens(focal, 0.5, 0.5, (k1, k2, p1, p2, k3), error / width_px)


def load_lenses(path: Path) -> dict[str, Lens]:
    """The lenses of the cameras calibrated so far, by the name of the camera; none where the file is damaged."""
    try:
        return {str(name): _lens(one) for name, one in json.loads(path.read_text()).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        logger.warning("the lenses in %s cannot be used, calibrate again: %s", path, error)
        return {}


def save_lens(path: Path, camera: str, lens: Lens) -> None:
    """Keep the lens of a camera, beside those of others. Raises OSError."""
    known = {**load_lenses(path), camera: lens}
    part = path.with_suffix(".part")
    part.write_text(json.dumps({name: asdict(one) for name, one in known.items()}, indent=1))
    part.replace(path)


def _lens(value: Mapping[str, Any]) -> Lens:
    k1, k2, p1, p2, k3 = (float(k) for k in value["distortion"])
    lens = Lens(
        float(value["focal"]), float(value["center_x"]), float(value["center_y"]), (k1, k2, p1, p2, k3),
        float(value["error"]),
    )  # fmt: skip
    if not FOCAL_RANGE[0] <= lens.focal <= FOCAL_RANGE[1] or not np.isfinite(lens.distortion).all():
        raise ValueError(f"expected a focal length of {FOCAL_RANGE} widths, got {lens.focal!r}")
    return lens
