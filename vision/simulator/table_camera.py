"""Takes pictures of the simulated table: a cheap small one while things move, a large one to read the dice in.

Dice at rest are drawn once and laid again from memory, so that a quiet table costs little more than its noise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.cropped_camera import crop_camera
from tablesight.vision.simulator.die_renderer import DiePatch, Lamp, PlacedDie, outline_px, render_die
from tablesight.vision.simulator.hand import draw_hand
from tablesight.vision.simulator.mat_on_table import lay_mat
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.polyhedra import polyhedron
from tablesight.vision.simulator.scene import cast_shadow, lay_patch, lay_surface
from tablesight.vision.simulator.script import LyingDie, Moment
from tablesight.vision.simulator.surfaces import MM_PER_PX, surface_texture
from tablesight.vision.simulator.table_setting import TableSetting

STILL_JPEG_QUALITY: Final = 90
STRIP_PX: Final = 256
"""Noise is added in strips of this many rows, from one field that is cut at another place each time."""


class TableCamera:
    """Photographs moments of one table. `seed` decides the surface and the noise; `grain_mm` is how fine the surface is
    drawn: a large one seen from far needs less."""

    def __init__(self, setting: TableSetting, fonts: NumeralFonts, seed: int, grain_mm: float = MM_PER_PX) -> None:
        self._setting = setting
        self._rng = np.random.default_rng([seed, 30])
        still = setting.still_camera
        texture = surface_texture(
            setting.surface,
            int(still.height_px / still.px_per_mm() / grain_mm * 1.15),
            int(still.width_px / still.px_per_mm() / grain_mm * 1.15),
            self._rng,
        )
        bare = np.clip(lay_surface(still, texture, grain_mm, setting.lamp), 0, 255).astype(np.uint8)
        for mat in setting.mats:
            lay_mat(bare, still, mat, setting)
        small = cv2.resize(
            bare, (setting.preview_camera.width_px, setting.preview_camera.height_px), interpolation=cv2.INTER_AREA
        )
        self._still = _DiceLayer(still, bare, setting.lamp, fonts)
        self._preview = _DiceLayer(setting.preview_camera, np.asarray(small, np.uint8), setting.lamp, fonts)
        self._vignettes = {layer.camera.width_px: _vignette(layer.camera, setting) for layer in self._layers()}
        self._clean_still: tuple[frozenset[int], ImageBGR] | None = None
        grain = self._rng.normal(0, setting.noise * 255, (STRIP_PX + 64, still.width_px + 64, 3))
        self._grain = np.clip(np.round(grain), -127, 127).astype(np.int8)

    def preview(self, moment: Moment) -> ImageBGR:
        """The small picture, 640 px wide."""
        layer = self._preview
        moving_seats = {die.seat for die in moment.flying}
        resting = [die for die in moment.lying if die.seat not in moving_seats]
        picture = layer.with_dice(resting)
        if not moment.is_quiet:
            picture = picture.copy()
            layer.add(picture, [die for die in moment.lying if die.seat in moving_seats])
            for die in moment.flying:
                _draw_rough(picture, layer.camera, die.placed, self._setting.lamp)
            for hand in moment.hands:
                draw_hand(picture, layer.camera, hand, self._setting.lamp)
        return self._expose(self._shade(picture), layer.camera)

    def still(self, moment: Moment) -> ImageBGR:
        """The large picture; slow while something moves, because dice in flight are drawn in full."""
        layer = self._still
        numbers = frozenset(die.number for die in moment.lying)
        if moment.is_quiet and self._clean_still is not None and self._clean_still[0] == numbers:
            clean = self._clean_still[1]
        else:
            picture = layer.with_dice(list(moment.lying)).copy()
            layer.add(picture, [LyingDie(-1, d.seat, "", d.placed.face, "other", 0, d.placed) for d in moment.flying])
            for hand in moment.hands:
                draw_hand(picture, layer.camera, hand, self._setting.lamp)
            clean = self._shade(cv2.GaussianBlur(picture, (3, 3), 0.6))
            self._clean_still = (numbers, clean) if moment.is_quiet else None
        exposed = self._expose(clean, layer.camera)
        packed = cv2.imencode(".jpg", exposed, [cv2.IMWRITE_JPEG_QUALITY, STILL_JPEG_QUALITY])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)

    def boxes_xyxy_px(self, dice: Iterable[LyingDie]) -> list[BoxXYXY]:
        """Where the dice are in the still."""
        return [box_in_picture(self._setting.still_camera, die.placed) for die in dice]

    def _layers(self) -> tuple[_DiceLayer, _DiceLayer]:
        return self._still, self._preview

    def _shade(self, picture: npt.NDArray[np.uint8] | cv2.typing.MatLike) -> ImageBGR:
        vignette = self._vignettes[picture.shape[1]]
        return np.asarray(cv2.multiply(picture, vignette, scale=1 / 255), dtype=np.uint8)

    def _expose(self, clean: ImageBGR, camera: PinholeCamera) -> ImageBGR:
        """What the sensor makes of it: shake and noise."""
        shake_px = self._setting.shake_px * camera.width_px / self._setting.still_camera.width_px
        if shake_px:
            move = np.eye(2, 3, dtype=np.float32)
            move[:, 2] = self._rng.uniform(-shake_px, shake_px, 2)
            size = (camera.width_px, camera.height_px)
            clean = np.asarray(cv2.warpAffine(clean, move, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
        noisy = np.empty_like(clean)
        for top in range(0, clean.shape[0], STRIP_PX):
            strip = clean[top : top + STRIP_PX]
            y, x = (int(self._rng.integers(64)) for _ in range(2))
            grain = self._grain[y : y + strip.shape[0], x : x + strip.shape[1]]
            cv2.add(strip, grain, dst=noisy[top : top + STRIP_PX], dtype=cv2.CV_8U)
        return noisy


class _DiceLayer:
    """The table at one resolution, bare and with the dice that lie on it."""

    def __init__(self, camera: PinholeCamera, bare: ImageBGR, lamp: Lamp, fonts: NumeralFonts) -> None:
        self.camera = camera
        self._bare = bare
        self._lamp = lamp
        self._fonts = fonts
        self._patches: dict[int, DiePatch] = {}
        self._picture = bare
        self._numbers: frozenset[int] = frozenset()

    def with_dice(self, dice: list[LyingDie]) -> ImageBGR:
        """The table with these dice; do not change it."""
        numbers = frozenset(die.number for die in dice)
        if numbers != self._numbers:
            self._picture = self._bare.copy() if numbers else self._bare
            self._patches = {number: patch for number, patch in self._patches.items() if number in numbers}
            self.add(self._picture, dice)
            self._numbers = numbers
        return self._picture

    def add(self, picture: ImageBGR, dice: list[LyingDie]) -> None:
        """Draw dice with their shadows onto a picture (changed in place), seat by seat."""
        for seat in sorted({die.seat for die in dice}):
            self._add_together(picture, [die for die in dice if die.seat == seat])

    def _add_together(self, picture: ImageBGR, dice: list[LyingDie]) -> None:
        boxes = np.array([box_in_picture(self.camera, die.placed) for die in dice])
        pad = 90 * self.camera.px_per_mm() * self._lamp.shadow + 20 * self.camera.px_per_mm()
        left, top = (max(0, int(boxes[:, axis].min() - pad)) for axis in (0, 1))
        right = min(self.camera.width_px, int(boxes[:, 2].max() + pad))
        bottom = min(self.camera.height_px, int(boxes[:, 3].max() + pad))
        if right <= left or bottom <= top:
            return
        camera = crop_camera(self.camera, left, top, right, bottom)
        canvas = picture[top:bottom, left:right].astype(np.float32)
        for die in dice:
            cast_shadow(canvas, camera, die.placed, self._lamp)
        owner = np.empty(canvas.shape[:2], np.int16)  # which die each pixel shows: not asked for here
        eye = self.camera.position_mm()
        for die in sorted(dice, key=lambda die: -float(np.linalg.norm(die.placed.pose()[1] - eye))):
            patch = self._patch(die)
            lay_patch(canvas, replace(patch, x_px=patch.x_px - left, y_px=patch.y_px - top), owner, 0)
        picture[top:bottom, left:right] = np.clip(canvas, 0, 255).astype(np.uint8)

    def _patch(self, die: LyingDie) -> DiePatch:
        if die.number in self._patches:
            return self._patches[die.number]
        patch = render_die(self.camera, die.placed, self._lamp, self._fonts)
        if die.number >= 0:
            self._patches[die.number] = patch
        return patch


def box_in_picture(camera: PinholeCamera, die: PlacedDie) -> BoxXYXY:
    """The box around a die in the pictures of a camera, pixels."""
    outline, _ = outline_px(camera, die)
    low, high = outline.min(0), outline.max(0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _vignette(camera: PinholeCamera, setting: TableSetting) -> ImageBGR:
    """How much light reaches each pixel, 255 for all of it, shape (height, width, 3)."""
    yy = (np.linspace(-1, 1, camera.height_px, dtype=np.float32) ** 2)[:, None]
    xx = (np.linspace(-1, 1, camera.width_px, dtype=np.float32) ** 2)[None]
    light = (255 * (1 - setting.vignette * 0.5 * (xx + yy))).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(light[..., None], (*light.shape, 3)))


def _draw_rough(picture: ImageBGR, camera: PinholeCamera, die: PlacedDie, lamp: Lamp) -> None:
    """A die in flight, as a preview shows it: a blur of its faces, with a spot of ink on each."""
    shape = polyhedron(die.style.sides)
    rotation, center = die.pose()
    pixels = camera.project(shape.vertices @ rotation.T * die.inradius_mm() + center)
    left, top = np.floor(pixels.min(0)).astype(int) - 2
    right, bottom = np.ceil(pixels.max(0)).astype(int) + 3
    if left < 0 or top < 0 or right > camera.width_px or bottom > camera.height_px:
        return
    patch = picture[top:bottom, left:right].copy()
    light = np.array(lamp.direction) / np.linalg.norm(lamp.direction)
    normals = shape.normals @ rotation.T
    gain = np.array(lamp.gain_bgr)
    ink = np.array(die.style.ink_bgr[die.style.inks[0]])
    eye = camera.position_mm()
    for index in np.argsort(normals[:, 2]):
        face = shape.faces[index]
        middle = face.center @ rotation.T * die.inradius_mm() + center
        if float(normals[index] @ (eye - middle)) <= 0:
            continue
        shade = lamp.ambient + (1 - lamp.ambient) * max(0.0, float(normals[index] @ light))
        outline = np.round((pixels[face.corners] - (left, top)) * 16).astype(np.int32)
        body = np.clip(np.array(die.style.body_bgr) * shade * gain, 0, 255)
        cv2.fillConvexPoly(patch, outline, body.tolist(), cv2.LINE_AA, 4)
        spot = camera.project(middle[None])[0] - (left, top)
        radius = max(1, round(die.inradius_mm() * camera.px_per_mm() * face.inradius * 0.3))
        cv2.circle(patch, (int(spot[0]), int(spot[1])), radius, np.clip(ink * shade * gain, 0, 255).tolist(), -1)
    picture[top:bottom, left:right] = cv2.blur(patch, (3, 3))
