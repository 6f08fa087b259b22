"""Draws one die. Its faces are planar: each print is a homography warp of a mask; body, light and edges are layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.kinds import WIDTH_MM, Ink
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.noise import smooth_noise
from tablesight.vision.simulator.numerals import MASK_PX, NumeralFonts, pip_mask
from tablesight.vision.simulator.polyhedra import Face, polyhedron, rotation_to_up
from tablesight.vision.simulator.styles import DieStyle

Array = npt.NDArray[np.float64]
Layer = npt.NDArray[np.float32]

_NUMERAL_HEIGHT: Final = {4: 0.42, 6: 0.62, 8: 0.52, 10: 0.5, 12: 0.56, 20: 0.47}
"""Height of a digit as a share of the face's inscribed circle's diameter, at numeral scale 1."""
_TARGET_PX: Final = 80
"""Small dice are drawn at two or three times their size and averaged down, so that prints stay crisp."""

_AROUND: Final = np.array([[np.cos(a), np.sin(a)] for a in np.arange(24) * np.pi / 12])
_SQUARE: Final = ((-1, 1), (1, 1), (1, -1), (-1, -1))
_MASK_CORNERS: Final = np.array([[0, 0], [MASK_PX, 0], [MASK_PX, MASK_PX], [0, MASK_PX]], np.float32)


@dataclass(frozen=True, slots=True)
class Lamp:
    """`direction` (3,) points from the table to the light; `ambient` 0 to 1; `gain_bgr` is the light's colour."""

    direction: tuple[float, float, float]
    ambient: float
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shadow: float = 0.5
    softness_mm: float = 4.0


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die on the table: `face` is up, `yaw_rad` turns it, `lift_mm` and `tumble` (3, 3) are for dice in flight."""

    style: DieStyle
    face: int
    x_mm: float
    y_mm: float
    yaw_rad: float
    lift_mm: float = 0.0
    tumble: tuple[tuple[float, float, float], ...] | None = None
    width_mm: float | None = None

    @property
    def ink(self) -> Ink:
        """Ink of the face that is up."""
        return self.style.inks[self.style.face_index(self.face)]

    def inradius_mm(self) -> float:
        """Half the distance between opposite faces."""
        return (self.width_mm or WIDTH_MM.get(self.style.sides, 16.0)) / 2

    def pose(self) -> tuple[Array, Array]:
        """Rotation (3, 3) of the unit polyhedron and position (3,) of its centre, mm."""
        shape = polyhedron(self.style.sides)
        rotation = rotation_to_up(shape.normals[self.style.face_index(self.face)], self.yaw_rad)
        if self.tumble is not None:
            rotation = np.array(self.tumble) @ rotation
        height = -float((shape.vertices @ rotation.T)[:, 2].min()) * self.inradius_mm()
        return rotation, np.array([self.x_mm, self.y_mm, height + self.lift_mm])


@dataclass(frozen=True, slots=True)
class FacePose:
    """Where the print of the top face is in the picture, pixels: its centre, and the vectors from the centre up and
    right to the inscribed circle."""

    center_xy_px: tuple[float, float]
    up_xy_px: tuple[float, float]
    right_xy_px: tuple[float, float]


@dataclass(frozen=True, slots=True)
class DiePatch:
    """A drawn die: `bgr` (h, w, 3) float32 0-255 and `alpha` (h, w, 1), to be laid at (`x_px`, `y_px`)."""

    x_px: int
    y_px: int
    bgr: Layer
    alpha: Layer
    hull_xy_px: npt.NDArray[np.float32]
    top: FacePose


def _print_up(face: Face, style: DieStyle, rng: np.random.Generator) -> Array:
    """Unit vector (2,) in the face's own axes that points to the top of its print."""
    corner = int(rng.integers(len(face.plane_xy)))
    towards = face.plane_xy[corner]
    if not style.vertex_up:
        towards = towards + face.plane_xy[(corner + 1) % len(face.plane_xy)]
    angle = np.arctan2(towards[1], towards[0]) + rng.normal(0, 0.03)
    return np.array([np.cos(angle), np.sin(angle)])


def _print(style: DieStyle, index: int, fonts: NumeralFonts) -> tuple[Layer, float]:
    """The mask of a face's print and how far it reaches from the centre, in inscribed radii."""
    number = style.numbers[index]
    rng = np.random.default_rng(style.seed + 99)
    if style.marking == "pips":
        return pip_mask(number, rng.uniform(0.5, 0.62), rng.uniform(0.13, 0.22)), 1.0
    text = str(number)
    scale = style.numeral_scale * (0.86 if len(text) > 1 else 1.0)
    return fonts.mask(style.font % len(fonts), text, style.six_nine), _NUMERAL_HEIGHT[style.sides] * scale * 2.13


def _body(style: DieStyle, height: int, width: int, rng: np.random.Generator) -> Layer:
    body = np.empty((height, width, 3), np.float32)
    body[:] = style.body_bgr
    size = float(max(height, width))
    second = np.array(style.second_bgr, np.float32)
    if style.finish == "swirl":
        field = smooth_noise(height, width, size * rng.uniform(0.1, 0.5), rng)
        field = field + 0.5 * (smooth_noise(height, width, size * rng.uniform(0.03, 0.1), rng) - 0.5)
        mix = np.clip((field - rng.uniform(0.35, 0.65)) * rng.uniform(1.5, 8) + 0.5, 0, 1)[..., None]
        body = body * (1 - mix) + second * mix
    elif style.finish == "speckle":
        field = smooth_noise(height, width, max(1.5, size * rng.uniform(0.012, 0.04)), rng)
        mix = np.clip((field - rng.uniform(0.6, 0.85)) * 8, 0, 1)[..., None]
        body = body * (1 - mix) + second * mix
    elif style.finish == "glitter":
        depth = smooth_noise(height, width, size * rng.uniform(0.05, 0.3), rng)[..., None]
        body = body * (0.65 + 0.7 * depth)
        for scale in (rng.uniform(0.012, 0.02), rng.uniform(0.02, 0.04)):
            flakes = smooth_noise(height, width, max(1.2, size * scale), rng)
            bright = np.clip((flakes - rng.uniform(0.68, 0.86)) * 6, 0, 1)[..., None]
            sparkle = np.array([rng.uniform(190, 255), rng.uniform(120, 255), rng.uniform(80, 255)], np.float32)
            body = body + bright * (sparkle - body) * rng.uniform(0.3, 1.0)
    elif style.finish == "metal":
        ramp = np.linspace(rng.uniform(0.4, 0.9), rng.uniform(0.8, 1.6), width, dtype=np.float32)[None, :, None]
        body = body * ramp * (0.8 + 0.4 * smooth_noise(height, width, size * 0.3, rng)[..., None])
    else:
        body = body * (1 + rng.uniform(0, 0.12) * (smooth_noise(height, width, size * 0.2, rng)[..., None] - 0.5))
    return body.astype(np.float32)


def outline_px(camera: PinholeCamera, die: PlacedDie) -> tuple[Array, float]:
    """Points (n, 2) of the picture whose convex hull is the die, and the radius of its edges, pixels.

    A die with rounded edges is a smaller polyhedron with a ball at each of its points.
    """
    rounding, radius = die.style.rounding, die.inradius_mm()
    rotation, center = die.pose()
    pixels = camera.project(polyhedron(die.style.sides).vertices @ rotation.T * radius * (1 - rounding) + center)
    if not rounding:
        return pixels, 0.0
    ends = camera.project(np.stack([center, center + camera.axes()[0] * radius * rounding]))
    ball_px = float(np.linalg.norm(ends[1] - ends[0]))
    return (pixels[:, None] + ball_px * _AROUND).reshape(-1, 2), ball_px


def _side_light(lamp: Lamp, camera: PinholeCamera, width: int, height: int) -> Layer:
    """(h, w): how bright the rounded edges are, which look away from the middle of the die."""
    right, down, _ = camera.axes()
    light = np.array(lamp.direction) / np.linalg.norm(lamp.direction)
    yy, xx = np.mgrid[:height, :width].astype(np.float32)
    x, y = xx - width / 2, yy - height / 2
    lambert = (x * (light @ right) + y * (light @ down)) / np.maximum(1.0, np.hypot(x, y))
    return np.asarray(lamp.ambient + (1 - lamp.ambient) * np.maximum(0.0, lambert), np.float32)


def _polygon(mask: npt.NDArray[np.uint8], points_xy_px: Array, value: int = 255) -> None:
    cv2.fillConvexPoly(mask, np.round(points_xy_px * 16).astype(np.int32), value, cv2.LINE_AA, 4)


def render_die(camera: PinholeCamera, die: PlacedDie, lamp: Lamp, fonts: NumeralFonts) -> DiePatch:
    """Draws the die as this camera sees it under this lamp."""
    style = die.style
    shape = polyhedron(style.sides)
    rotation, center = die.pose()
    radius = die.inradius_mm()
    pixels = camera.project(shape.vertices @ rotation.T * radius + center)
    outline, ball_px = outline_px(camera, die)
    low, high = outline.min(0), outline.max(0)
    extent = float((high - low).max())
    zoom = 1 if extent >= _TARGET_PX else 2 if extent >= _TARGET_PX / 3 else 3
    x0, y0 = int(np.floor(low[0])) - 3, int(np.floor(low[1])) - 3
    width, height = int(np.ceil(high[0])) + 3 - x0, int(np.ceil(high[1])) + 3 - y0
    w, h = width * zoom, height * zoom
    size = extent * zoom

    def to_patch(points_mm: Array) -> Array:
        return (camera.project(points_mm) - (x0, y0)) * zoom

    corners = (pixels - (x0, y0)) * zoom
    rng = np.random.default_rng(style.seed)
    ups = [_print_up(face, style, rng) for face in shape.faces]
    layer = _body(style, h, w, rng)
    shade = _side_light(lamp, camera, w, h) if ball_px else np.full((h, w), 0.6, np.float32)
    ink_alpha = np.zeros((h, w), np.float32)
    ink_color = np.zeros((h, w, 3), np.float32)
    ghost = np.zeros((h, w), np.float32)
    glare = np.zeros((h, w), np.float32)
    edges = np.zeros((h, w), np.uint8)
    light = np.array(lamp.direction) / np.linalg.norm(lamp.direction)
    eye = camera.position_mm()
    normals = shape.normals @ rotation.T
    top_index = style.face_index(die.face)
    line = max(1, round(size * 0.012))
    for index in np.argsort(normals[:, 2]):
        face = shape.faces[index]
        middle = face.center @ rotation.T * radius + center
        facing = float(normals[index] @ (eye - middle))
        if facing <= 0 and style.finish != "clear":
            continue
        polygon = corners[face.corners]
        fx0, fy0 = np.maximum(np.floor(polygon.min(0)).astype(int) - 1, 0)
        fx1, fy1 = np.minimum(np.ceil(polygon.max(0)).astype(int) + 2, (w, h))
        fw, fh = int(fx1 - fx0), int(fy1 - fy0)
        if fw < 2 or fh < 2:
            continue
        region = (slice(fy0, fy1), slice(fx0, fx1))
        mask = np.zeros((fh, fw), np.uint8)
        _polygon(mask, polygon - (fx0, fy0))
        area = mask.astype(np.float32) / 255
        up = ups[index][0] * face.axis_u + ups[index][1] * face.axis_w
        right = np.cross(up, face.normal)
        up_mm, right_mm = (v @ rotation.T * radius * face.inradius for v in (up, right))
        printed, reach = _print(style, int(index), fonts)
        square = np.stack([middle + reach * (sx * right_mm + sy * up_mm) for sx, sy in _SQUARE])
        homography = cv2.getPerspectiveTransform(_MASK_CORNERS, (to_patch(square) - (fx0, fy0)).astype(np.float32))
        ink = cv2.warpPerspective(printed, homography, (fw, fh), flags=cv2.INTER_LINEAR) * area
        if facing <= 0:
            ghost[region] = np.maximum(ghost[region], ink)
            continue
        lambert = max(0.0, float(normals[index] @ light))
        brightness = lamp.ambient + (1 - lamp.ambient) * lambert
        if style.finish == "metal":
            brightness = 0.35 + 0.9 * brightness * float(
                np.random.default_rng(style.seed + int(index)).uniform(0.5, 1.5)
            )
        shade[region] += (brightness - shade[region]) * area
        inked = np.array(style.ink_bgr[style.inks[index]], np.float32)
        ink_color[region] += (inked - ink_color[region]) * area[..., None]
        ink_alpha[region] = np.maximum(ink_alpha[region] * (1 - area), ink)
        view = (eye - middle) / np.linalg.norm(eye - middle)
        mirror = 2 * lambert * normals[index] - light
        shine = max(0.0, float(mirror @ view)) ** 14 * style.gloss
        if shine > 0.03:
            spot = polygon.mean(0) + (polygon[int(rng.integers(len(polygon)))] - polygon.mean(0)) * rng.uniform(0, 0.9)
            spread = size * rng.uniform(0.05, 0.3)
            yy = ((np.arange(fy0, fy1, dtype=np.float32) - spot[1]) / spread)[:, None]
            xx = ((np.arange(fx0, fx1, dtype=np.float32) - spot[0]) / spread)[None]
            glare[region] += area * shine * np.exp(-0.5 * (yy * yy + xx * xx)).astype(np.float32)
        cv2.polylines(edges, [np.round(polygon * 16).astype(np.int32)], True, 255, line, cv2.LINE_AA, 4)
    silhouette = np.zeros((h, w), np.uint8)
    hull = cv2.convexHull(((outline - (x0, y0)) * zoom).astype(np.float32))[:, 0]
    _polygon(silhouette, hull.astype(float))
    soft = size * 0.02 * (0.5 + style.engraving)
    rounded = cv2.GaussianBlur(silhouette.astype(np.float32) / 255, (0, 0), soft)
    alpha = np.clip((rounded - 0.5) * max(1.5, soft * 1.6) + 0.5, 0, 1)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.4, soft * 0.6, ball_px * zoom * 0.5)), np.float32)
    ink_blur = 0.3 + 0.006 * size * style.engraving
    ink_alpha = np.asarray(cv2.GaussianBlur(ink_alpha, (0, 0), ink_blur), np.float32)
    inside = layer * shade[..., None]
    if style.finish == "clear":
        inside = inside * (1 - 0.35 * ghost[..., None]) + 0.35 * ghost[..., None] * ink_color.max()
    shift = max(1.0, size * 0.012)
    moved = cv2.warpAffine(ink_alpha, np.array([[1, 0, light[0] * shift], [0, 1, -light[1] * shift]]), (w, h))
    relief = (moved - ink_alpha) * style.engraving * 70
    inside = inside * (1 - ink_alpha[..., None]) + ink_color * (0.45 + 0.55 * shade[..., None]) * ink_alpha[..., None]
    inside = inside + relief[..., None]
    rim = cv2.GaussianBlur(edges.astype(np.float32) / 255, (0, 0), max(0.5, soft * 0.8, ball_px * zoom * 0.3))
    inside = inside + rim[..., None] * style.edge_light + glare[..., None] * 235
    inside = inside * np.array(lamp.gain_bgr, np.float32)
    if style.opacity < 1:
        solid = np.maximum(ink_alpha, np.minimum(1, glare + 0.5 * rim))
        solid = np.maximum(solid, ghost * (1 - style.opacity))
        alpha = alpha * (style.opacity + (1 - style.opacity) * solid)
    if zoom > 1:
        inside = np.asarray(cv2.resize(inside, (width, height), interpolation=cv2.INTER_AREA), np.float32)
        alpha = np.asarray(cv2.resize(alpha, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    face = shape.faces[top_index]
    middle = face.center @ rotation.T * radius + center
    up = ups[top_index][0] * face.axis_u + ups[top_index][1] * face.axis_w
    right = np.cross(up, face.normal)
    ends = camera.project(np.stack([middle, *(middle + v @ rotation.T * radius * face.inradius for v in (up, right))]))
    pose = FacePose(*((float(p[0]), float(p[1])) for p in (ends[0], ends[1] - ends[0], ends[2] - ends[0])))
    return DiePatch(
        x0, y0, inside.astype(np.float32), alpha[..., None].astype(np.float32),
        (hull / zoom + (x0, y0)).astype(np.float32), pose,
    )  # fmt: skip
