"""Finds the mats in a picture by their AprilTags, at any angle and partly covered: two tags of a mat suffice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.lens import Lens
from tablesight.vision.mat_layout import FIRST_TAG, TAGS_PER_MAT, MatLayout, RectMM
from tablesight.vision.zones import MAX_SEATS, Point, Zone

Array = npt.NDArray[np.float64]

NEEDED_TAGS: Final = 2
_DICTIONARY: Final = cv2.aruco.DICT_APRILTAG_36h11


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat in a picture. `to_px` (3, 3) maps millimetres of the sheet to pixels of the picture, as they would be
    without the distortion of `lens` where that is known; `error_px` is how well the tags fit it, root mean square;
    `tags` are the corners of the tags that were seen, by number; `picture_wh_px` is the size of the picture."""

    seat: int
    to_px: Array
    layout: MatLayout
    error_px: float
    tags: dict[int, Array]
    picture_wh_px: tuple[int, int]
    lens: Lens | None = None

    def points_px(self, points_mm: Array) -> Array:
        """Pixels (n, 2) of points on the sheet (n, 2), millimetres."""
        points = np.asarray(cv2.perspectiveTransform(points_mm[None].astype(np.float64), self.to_px)[0], np.float64)
        return points if self.lens is None else self.lens.bent(points, *self.picture_wh_px)

    def points_mm(self, points_px: Array) -> Array:
        """Millimetres on the sheet (n, 2) of pixels (n, 2)."""
        inverse = np.linalg.inv(self.to_px)
        if self.lens is not None:
            points_px = self.lens.straight(points_px, *self.picture_wh_px)
        return np.asarray(cv2.perspectiveTransform(points_px[None].astype(np.float64), inverse)[0], np.float64)

    def tag_corners(self) -> tuple[Array, Array]:
        """The corners of the tags that were seen: on the sheet (n, 2), millimetres, and in the picture (n, 2)."""
        places = self.layout.tags_mm()
        on_sheet = np.concatenate([_corners(places[place]) for place in sorted(self.tags)])
        return on_sheet, np.concatenate([self.tags[place] for place in sorted(self.tags)])

    def rect_px(self, rect_mm: RectMM) -> Array:
        """The four corners (4, 2), pixels, of a rectangle on the sheet, clockwise from its top left."""
        left, top, right, bottom = rect_mm
        return self.points_px(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))

    @property
    def px_per_mm(self) -> float:
        """Scale in the middle of the sheet, the mean of both directions."""
        middle = np.array([[self.layout.width_mm / 2, self.layout.height_mm / 2]])
        ends = self.points_px(middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        across, along = ends[1] - ends[0], ends[2] - ends[0]
        return float(np.sqrt(abs(across[0] * along[1] - across[1] * along[0])))

    def zone(self, width_px: int, height_px: int, grow_mm: float = 0.0) -> Zone:
        """The roll area as a zone of a picture of this size, cut off at the picture's edge."""
        left, top, right, bottom = self.layout.roll_area_mm()
        corners = self.rect_px((left - grow_mm, top - grow_mm, right + grow_mm, bottom + grow_mm))
        points: list[Point] = [
            (float(np.clip(x / width_px, 0, 1)), float(np.clip(y / height_px, 0, 1))) for x, y in corners
        ]
        return Zone(self.seat, tuple(points))


class MatFinder:
    """Looks for the tags of all seats. `layout` is what was printed, `lens` what the camera's lens does to it."""

    def __init__(self, layout: MatLayout, lens: Lens | None = None) -> None:
        self._layout = layout
        self.lens = lens
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        parameters.minMarkerPerimeterRate = 0.02
        parameters.adaptiveThreshWinSizeMax = 33
        dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARY)
        self._detector = cv2.aruco.ArucoDetector(dictionary, parameters)

    def find(self, image_bgr: ImageBGR) -> tuple[Mat, ...]:
        """The mats of a picture (height, width, 3) by seat, each of which at least two tags are seen."""
        grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
        corners, ids, _ = self._detector.detectMarkers(grey)
        tags: dict[int, dict[int, Array]] = {}
        for number, corner in zip([] if ids is None else np.asarray(ids).ravel(), corners, strict=True):
            seat, place = divmod(int(number) - FIRST_TAG, TAGS_PER_MAT)
            if 0 <= seat < MAX_SEATS:
                tags.setdefault(seat, {})[place] = np.asarray(corner, np.float64).reshape(4, 2)
        size = (image_bgr.shape[1], image_bgr.shape[0])
        found = (self._mat(seat, seen, size) for seat, seen in sorted(tags.items()) if len(seen) >= NEEDED_TAGS)
        return tuple(mat for mat in found if mat is not None)

    def _mat(self, seat: int, seen: dict[int, Array], picture_wh_px: tuple[int, int]) -> Mat | None:
        places = self._layout.tags_mm()
        on_sheet = np.concatenate([_corners(places[place]) for place in sorted(seen)])
        in_picture = np.concatenate([seen[place] for place in sorted(seen)])
        if self.lens is not None:
            in_picture = self.lens.straight(in_picture, *picture_wh_px)
        to_px, _ = cv2.findHomography(on_sheet, in_picture, cv2.RANSAC, 4.0)
        if to_px is None:
            return None
        fitted = cv2.perspectiveTransform(on_sheet[None], to_px)[0]
        error = float(np.sqrt(((fitted - in_picture) ** 2).sum(axis=1).mean()))
        mat = Mat(seat, np.asarray(to_px, np.float64), self._layout, error, seen, picture_wh_px, self.lens)
        # a sheet that has moved between two rows of the sensor, or a tag of another sheet, fits nothing
        return mat if error < 0.1 * self._layout.tag_mm * mat.px_per_mm else None


def _corners(rect: RectMM) -> Array:
    left, top, right, bottom = rect
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
