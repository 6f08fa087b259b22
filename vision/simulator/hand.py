"""A hand over the table: a sleeve, an arm and a hand that reach in from a side, with their shadow. Drawn cheaply."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tablesight.vision.frame import ImageBGR
from tablesight.vision.simulator.camera import PinholeCamera
from tablesight.vision.simulator.die_renderer import Lamp

_HEIGHT_MM = 55.0
"""The hand is held this high over the table."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at `palm_xy_mm`; `towards_xy` is the unit vector from the elbow to it, `spread` 0 a fist to 1 open."""

    palm_xy_mm: tuple[float, float]
    towards_xy: tuple[float, float]
    spread: float
    skin_bgr: tuple[float, float, float]
    sleeve_bgr: tuple[float, float, float]


def draw_hand(picture: ImageBGR, camera: PinholeCamera, hand: Hand, lamp: Lamp) -> None:
    """Draws the hand onto the picture (changed in place), over everything that lies on the table."""
    light = np.array(lamp.direction) / np.linalg.norm(lamp.direction)
    slope = light[:2] / max(0.35, light[2])
    shadow = np.zeros(picture.shape[:2], np.uint8)
    _limbs(shadow, camera, hand, -slope * _HEIGHT_MM * 0.6, 0.0, 255, None)
    cut = _cut(shadow, camera.px_per_mm() * 14)
    if cut is not None:
        soft = cv2.blur(shadow[cut], (_odd(camera.px_per_mm() * 9),) * 2)
        dark = (256 - soft.astype(np.uint16) * (0.35 + 0.4 * lamp.shadow)).astype(np.uint16)
        picture[cut] = (picture[cut] * dark[..., None] >> 8).astype(np.uint8)
    skin = np.zeros(picture.shape[:2], np.uint8)
    sleeve = np.zeros(picture.shape[:2], np.uint8)
    _limbs(skin, camera, hand, np.zeros(2), _HEIGHT_MM, 255, sleeve)
    for mask, color in ((skin, hand.skin_bgr), (sleeve, hand.sleeve_bgr)):
        cut = _cut(mask, 0)
        if cut is None:
            continue
        inner = cv2.blur(mask[cut], (_odd(camera.px_per_mm() * 11),) * 2).astype(np.float32) / 255
        tone = np.array(color, np.float32) * np.array(lamp.gain_bgr, np.float32)
        painted = np.clip(tone * (0.55 + 0.45 * inner)[..., None], 0, 255).astype(np.uint8)
        cv2.copyTo(painted, mask[cut], picture[cut])


def _limbs(
    mask: npt.NDArray[np.uint8],
    camera: PinholeCamera,
    hand: Hand,
    shift_mm: npt.NDArray[np.float64],
    height_mm: float,
    value: int,
    sleeve: npt.NDArray[np.uint8] | None,
) -> None:
    """Fills the outline of hand and arm; the sleeve goes into a mask of its own where one is given."""
    along = np.array(hand.towards_xy)
    across = np.array([-along[1], along[0]])
    palm = np.array(hand.palm_xy_mm) + shift_mm
    scale = camera.px_per_mm() * camera.distance_mm / (camera.distance_mm - height_mm)

    def pixel(point: npt.NDArray[np.float64]) -> tuple[int, int]:
        x, y = camera.project(np.array([[point[0], point[1], height_mm]]))[0]
        limit = 20000  # OpenCV's lines overflow far outside of the picture
        return int(np.clip(x, -limit, limit)), int(np.clip(y, -limit, limit))

    def limb(
        start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], width_mm: float, into: npt.NDArray[np.uint8]
    ) -> None:
        cv2.line(into, pixel(start), pixel(end), value, max(1, round(width_mm * scale)))

    limb(palm - along * 12, palm + along * 22, 72, mask)
    reach = 30 + 45 * hand.spread
    for finger, turn in enumerate((-0.5, -0.17, 0.15, 0.45)):
        angle = turn * (0.35 + 0.65 * hand.spread)
        direction = along * math.cos(angle) + across * math.sin(angle)
        root = palm + along * 25 + across * (finger - 1.5) * 18
        limb(root, root + direction * reach, 16, mask)
    thumb = across * (1 if along[0] + along[1] > 0 else -1)
    limb(palm - thumb * 20, palm - thumb * (40 + 22 * hand.spread) + along * 25, 19, mask)
    limb(palm - along * 20, palm - along * 190, 56, mask)
    limb(palm - along * 170, palm - along * 800, 88, mask if sleeve is None else sleeve)


def _odd(size: float) -> int:
    return max(1, int(size) // 2 * 2 + 1)


def _cut(mask: npt.NDArray[np.uint8], pad: float) -> tuple[slice, slice] | None:
    """The part of the picture that the mask fills, `pad` pixels larger; None where it is empty."""
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return None
    margin = int(pad)
    return (
        slice(max(0, top - margin), min(mask.shape[0], top + height + margin)),
        slice(max(0, left - margin), min(mask.shape[1], left + width + margin)),
    )
