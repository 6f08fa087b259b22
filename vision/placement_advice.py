"""Says whether the camera hangs well, and in words what to do: height, sharpness, light, glare, tilt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import cv2
import numpy as np

from tablesight.vision.frame import ImageBGR
from tablesight.vision.mat_finder import Mat
from tablesight.vision.mat_light import measure_light

Grade = Literal["good", "fair", "poor"]
Topic = Literal["scale", "sharpness", "light", "glare", "tilt"]

SMALL_DIE_MM: Final = 16.0


@dataclass(frozen=True, slots=True)
class AdviceSettings:
    """`good_die_px` and `poor_die_px`: pixels across a 16 mm die from which prints are read well, and under which they
    are not. `sharp` and `blurred`: strength of the finest detail against coarser detail. `field_deg`: how wide the lens
    sees (66 degrees: Raspberry Pi Camera Module 3), for heights in centimetres. `dark` and `bright`: mean levels.
    `lit`: a table that is darker than that is dark by itself where the brightest things on it reach this level, as
    white paper must (`mat_light.Light.is_dark`); what is smaller than `least_share` of the picture, half a die, does
    not count: a lamp that is mirrored in something is bright in any light. `glare`: share of burnt out pixels.
    `tilt_deg`: beyond it the far side becomes small."""

    good_die_px: float = 48.0
    poor_die_px: float = 32.0
    sharp: float = 0.30
    blurred: float = 0.18
    field_deg: float = 66.0
    dark: float = 45.0
    bright: float = 225.0
    lit: float = 90.0
    least_share: float = 0.0005
    glare: float = 0.01
    tilt_deg: float = 25.0


SETTINGS: Final = AdviceSettings()


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing about the camera: how good it is, the number behind that, and what to do (empty where it is good)."""

    topic: Topic
    grade: Grade
    value: float
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """For the page."""
        return {"topic": self.topic, "grade": self.grade, "value": round(self.value, 3), "sentence": self.sentence}


def advise(
    image_bgr: ImageBGR, mats: Sequence[Mat], die_px: float | None = None, settings: AdviceSettings = SETTINGS
) -> tuple[Advice, ...]:
    """Everything that can be said about a still (height, width, 3). The scale comes from the mats, else from `die_px`,
    how large a 16 mm die appears; without both nothing is said about it."""
    advice: list[Advice] = []
    if mats:
        die_px = float(np.median([mat.px_per_mm for mat in mats])) * SMALL_DIE_MM
    if die_px is not None:
        advice.append(_scale(die_px, image_bgr.shape[1], settings))
    advice.append(_sharpness(image_bgr, settings))
    advice.append(_light(image_bgr, mats, settings))
    advice.append(_glare(image_bgr, settings))
    if mats:
        advice.append(_tilt(image_bgr, mats, settings))
    return tuple(advice)


def _scale(die_px: float, width_px: int, settings: AdviceSettings) -> Advice:
    if die_px >= settings.good_die_px:
        return Advice("scale", "good", die_px, "")
    grade: Grade = "fair" if die_px >= settings.poor_die_px else "poor"
    visible_mm = width_px / die_px * SMALL_DIE_MM
    height_mm = visible_mm / 2 / math.tan(math.radians(settings.field_deg / 2))
    lower_cm = height_mm * (1 - die_px / settings.good_die_px) / 10
    step_cm = 5 if lower_cm >= 10 else 1
    centimetres = max(step_cm, round(lower_cm / step_cm) * step_cm)
    return Advice("scale", grade, die_px, f"Lower the camera by about {centimetres} cm: the dice appear too small.")


def _sharpness(image_bgr: ImageBGR, settings: AdviceSettings) -> Advice:
    """The finest detail against detail twice as coarse: blur takes the first away and leaves the second."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    coarse = cv2.GaussianBlur(grey, (0, 0), 4.0)
    edges = cv2.absdiff(smooth, coarse).astype(np.float32)
    strong = edges >= max(12.0, float(np.quantile(edges[::4, ::4], 0.995)) * 0.5)
    if int(strong.sum()) < 100:
        return Advice("sharpness", "fair", 0.0, "Lay some dice on the table to judge the sharpness by.")
    gradient = np.abs(cv2.Laplacian(smooth, cv2.CV_32F))
    value = float(gradient[strong].mean() / edges[strong].mean())
    if value >= settings.sharp:
        return Advice("sharpness", "good", value, "")
    grade: Grade = "fair" if value >= settings.blurred else "poor"
    return Advice("sharpness", grade, value, "The picture is blurred: clean the lens, or focus on the table.")


def _light(image_bgr: ImageBGR, mats: Sequence[Mat], settings: AdviceSettings) -> Advice:
    light = measure_light(image_bgr, mats)
    level = float(cv2.mean(image_bgr)[1]) if light is None else light.white_bgr[1]
    is_dark = level < settings.dark if light is None else light.is_dark
    if is_dark and (light is not None or _brightest(image_bgr, settings) < settings.lit):
        return Advice("light", "poor", level, "It is too dark: bring a lamp nearer, or turn on another one.")
    if level > settings.bright and (light is None or light.is_clipped):
        return Advice("light", "fair", level, "It is too bright: turn the lamp away, or lower the exposure.")
    return Advice("light", "good", level, "")


def _brightest(image_bgr: ImageBGR, settings: AdviceSettings) -> float:
    """The level of the brightest things on the table: dice and hands show how much light there is, a cloth does not."""
    height, width = image_bgr.shape[:2]
    size = (320, max(1, round(height * 320 / width)))
    small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA) if width > 320 else image_bgr
    return float(np.quantile(np.asarray(small).max(axis=2), 1 - settings.least_share))


def _glare(image_bgr: ImageBGR, settings: AdviceSettings) -> Advice:
    burnt = float(np.mean(image_bgr[::2, ::2].min(axis=2) >= 252))
    if burnt < settings.glare:
        return Advice("glare", "good", burnt, "")
    return Advice("glare", "fair", burnt, "A lamp is mirrored on the table: move it, or lay down a cloth.")


def _tilt(image_bgr: ImageBGR, mats: Sequence[Mat], settings: AdviceSettings) -> Advice:
    degrees = float(np.median([tilt_deg(mat, image_bgr.shape[1], image_bgr.shape[0], settings) for mat in mats]))
    if degrees <= settings.tilt_deg:
        return Advice("tilt", "good", degrees, "")
    grade: Grade = "fair" if degrees <= 1.6 * settings.tilt_deg else "poor"
    return Advice("tilt", grade, degrees, "The camera looks from the side: hang it over the middle of the table.")


def tilt_deg(mat: Mat, width_px: int, height_px: int, settings: AdviceSettings = SETTINGS) -> float:
    """How far the camera's axis is from straight down, degrees, for a lens of `field_deg`."""
    focal = width_px / 2 / math.tan(math.radians(settings.field_deg / 2))
    lens = np.array([[focal, 0, width_px / 2], [0, focal, height_px / 2], [0, 0, 1.0]])
    columns = np.linalg.inv(lens) @ mat.to_px
    normal = np.cross(columns[:, 0], columns[:, 1])
    return math.degrees(math.acos(min(1.0, abs(float(normal[2])) / float(np.linalg.norm(normal)))))
