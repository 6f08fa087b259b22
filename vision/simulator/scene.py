"""A table with dice on it, drawn: surface, shadows, dice, then what a camera does to a picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import DiePatch, FacePose, Lamp, PlacedDie, render_die
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.polyhedra import polyhedron

Canvas = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Optics:
    """What lens, sensor and file do: blur (px), noise (share of full scale), vignette 0-1, gains, JPEG quality."""

    blur_px: float = 0.5
    noise: float = 0.012
    vignette: float = 0.2
    gain_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    gamma: float = 1.0
    sharpen: float = 0.3
    jpeg_quality: int | None = 85


@dataclass(frozen=True, slots=True)
class Rendered:
    """`image_bgr` before the optics, float32 0-255; `boxes` and `tops` belong to the dice in the order given."""

    canvas_bgr: Canvas
    boxes_xyxy_px: tuple[BoxXYXY, ...]
    tops: tuple[FacePose, ...]
    visible: tuple[float, ...]


def lay_surface(camera: PinholeCamera, texture_bgr: ImageBGR, mm_per_px: float, lamp: Lamp) -> Canvas:
    """The empty table: a texture (repeated as needed, its middle at the table's origin) under the lamp."""
    h, w = texture_bgr.shape[:2]
    to_mm = np.array([[mm_per_px, 0, -w / 2 * mm_per_px], [0, -mm_per_px, h / 2 * mm_per_px], [0, 0, 1]])
    canvas = cv2.warpPerspective(
        texture_bgr, camera.table_to_px() @ to_mm, (camera.width_px, camera.height_px),
        flags=cv2.INTER_AREA if camera.px_per_mm() * mm_per_px < 0.7 else cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    ).astype(np.float32)  # fmt: skip
    level = lamp.ambient + (1 - lamp.ambient) * max(0.0, lamp.direction[2] / float(np.linalg.norm(lamp.direction)))
    canvas *= np.array(lamp.gain_bgr, np.float32) * level
    return canvas


def cast_shadow(canvas: Canvas, camera: PinholeCamera, die: PlacedDie, lamp: Lamp) -> None:
    """Darkens the canvas (in place) where the die keeps the light away."""
    rotation, center = die.pose()
    vertices = polyhedron(die.style.sides).vertices @ rotation.T * die.inradius_mm() + center
    light = np.array(lamp.direction) / np.linalg.norm(lamp.direction)
    slope = light[:2] / max(0.25, light[2])
    on_table = vertices.copy()
    on_table[:, :2] -= vertices[:, 2:] * slope
    on_table[:, 2] = 0
    contact = vertices.copy()
    contact[:, 2] = 0
    scale = camera.px_per_mm()
    for points, blur_mm, strength in (
        (on_table, lamp.softness_mm, lamp.shadow),
        (contact, 1.6 + die.lift_mm * 0.2, 0.45 / (1 + die.lift_mm * 0.2)),
    ):
        pixels = camera.project(points)
        sigma = max(0.6, blur_mm * scale)
        pad = int(3 * sigma) + 2
        x0, y0 = np.floor(pixels.min(0)).astype(int) - pad
        x1, y1 = np.ceil(pixels.max(0)).astype(int) + pad
        x0, y0 = max(0, x0), max(0, y0)
        x1, y1 = min(camera.width_px, x1), min(camera.height_px, y1)
        if x1 - x0 < 2 or y1 - y0 < 2:
            continue
        coarse = max(1.0, sigma / 2.5)  # a wide blur is drawn small and enlarged
        mask = np.zeros((int(np.ceil((y1 - y0) / coarse)), int(np.ceil((x1 - x0) / coarse))), np.uint8)
        hull = cv2.convexHull(((pixels - (x0, y0)) / coarse).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(mask, (0, 0), sigma / coarse).astype(np.float32) / 255
        if coarse > 1:
            soft = np.asarray(cv2.resize(soft, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR), np.float32)
        opacity = 0.4 + 0.6 * die.style.opacity
        canvas[y0:y1, x0:x1] *= 1 - (strength * opacity) * soft[..., None]


def lay_patch(canvas: Canvas, patch: DiePatch, owner: npt.NDArray[np.int16] | None, index: int) -> int:
    """Lays a drawn die onto the canvas (in place); returns how many pixels it would fill if nothing were in its way."""
    height, width = canvas.shape[:2]
    h, w = patch.alpha.shape[:2]
    x0, y0, x1, y1 = max(0, patch.x_px), max(0, patch.y_px), min(width, patch.x_px + w), min(height, patch.y_px + h)
    if x1 <= x0 or y1 <= y0:
        return 0
    cut = (slice(y0 - patch.y_px, y1 - patch.y_px), slice(x0 - patch.x_px, x1 - patch.x_px))
    alpha = patch.alpha[cut]
    region = canvas[y0:y1, x0:x1]
    region += (patch.bgr[cut] - region) * alpha
    if owner is not None:
        owner[y0:y1, x0:x1][alpha[..., 0] > 0.4] = index
    return int((patch.alpha > 0.4).sum())


def draw_dice(
    canvas_bgr: Canvas, camera: PinholeCamera, dice: tuple[PlacedDie, ...], lamp: Lamp, fonts: NumeralFonts
) -> Rendered:
    """Draws the dice with their shadows onto the canvas (changed in place), the farthest first.

    `visible` is the share of each die that is neither hidden by other dice nor cut by the frame.
    """
    for die in dice:
        cast_shadow(canvas_bgr, camera, die, lamp)
    eye = camera.position_mm()
    order = sorted(range(len(dice)), key=lambda i: -float(np.linalg.norm(dice[i].pose()[1] - eye)))
    owner = np.full(canvas_bgr.shape[:2], -1, np.int16)
    patches: dict[int, DiePatch] = {}
    areas: dict[int, int] = {}
    for i in order:
        patches[i] = render_die(camera, dice[i], lamp, fonts)
        areas[i] = lay_patch(canvas_bgr, patches[i], owner, i)
    boxes: list[BoxXYXY] = []
    visible: list[float] = []
    for i in range(len(dice)):
        hull = patches[i].hull_xy_px
        low, high = hull.min(0), hull.max(0)
        boxes.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
        visible.append(float((owner == i).sum()) / max(1, areas[i]))
    return Rendered(canvas_bgr, tuple(boxes), tuple(patches[i].top for i in range(len(dice))), tuple(visible))


def photograph(canvas_bgr: Canvas, optics: Optics, rng: np.random.Generator) -> ImageBGR:
    """The canvas as a camera would deliver it, uint8."""
    image: Canvas = np.clip(canvas_bgr, 0, 255) / np.float32(255)
    if optics.blur_px > 0.2:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), optics.blur_px), np.float32)
    if optics.vignette:
        h, w = image.shape[:2]
        yy = (np.linspace(-1, 1, h, dtype=np.float32) ** 2)[:, None]
        xx = (np.linspace(-1, 1, w, dtype=np.float32) ** 2)[None]
        image = image * (1 - np.float32(optics.vignette * 0.5) * (xx + yy))[..., None]
    image = image * np.array(optics.gain_bgr, np.float32)
    if optics.gamma != 1.0:
        image = np.power(np.maximum(image, 0), optics.gamma)
    if optics.sharpen:
        soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), np.float32)
        image = image + np.float32(optics.sharpen) * (image - soft)
    if optics.noise:
        grain = rng.standard_normal(image.shape, np.float32) * np.float32(optics.noise)
        image = image + grain * (np.float32(0.4) + np.float32(0.8) * np.sqrt(np.clip(image, 0, 1)))
    out: ImageBGR = (np.clip(image, 0, 1) * 255).astype(np.uint8)
    if optics.jpeg_quality is not None:
        ok, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, optics.jpeg_quality])
        if ok:
            out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return out
