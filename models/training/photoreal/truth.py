"""What is true of a rendered table: boxes, how much of each die is seen, how the top prints lie."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from photoreal.plan import ScenePlan
from photoreal.prints import face_prints
from tablesight.vision.reading import BoxXYXY
from tablesight.vision.simulator.die_renderer import PlacedDie

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SeenTruth:
    """One die in the picture. `outline_xy_px` (n, 2) is its convex outline, `visible` the share of it that is neither
    hidden nor cut off, `top_xy_px` (3, 2) the middle of the top print and the ends of its up and right vectors on the
    inscribed circle, `far_xy` the unit vector in the picture to the die's far side, `tilt_rad` how obliquely it is
    seen."""

    die: PlacedDie
    outline_xy_px: Array
    box_xyxy_px: BoxXYXY
    visible: float
    top_xy_px: Array
    far_xy: Array
    tilt_rad: float


def scene_truth(plan: ScenePlan, vertices_cm: list[Array]) -> list[SeenTruth]:
    """The dice in the order of the plan; `vertices_cm` are those of the rounded dice, in the world."""
    camera = plan.camera
    outlines = [cv2.convexHull(camera.project(v * 10).astype(np.float32))[:, 0].astype(float) for v in vertices_cm]
    eye = camera.position_mm()
    order = sorted(range(len(outlines)), key=lambda i: -float(np.linalg.norm(vertices_cm[i].mean(0) * 10 - eye)))
    owner = np.full((camera.height_px, camera.width_px), -1, np.int16)
    for i in order:
        cv2.fillConvexPoly(owner, np.round(outlines[i]).astype(np.int32), i)
    result = []
    for i, planned in enumerate(plan.dice):
        outline = outlines[i]
        low, high = outline.min(0), outline.max(0)
        area = max(1.0, float(cv2.contourArea(outline.astype(np.float32))))
        middle = vertices_cm[i].mean(0) * 10
        ray = eye - middle
        away = -ray * (1, 1, 0)
        away /= max(1e-9, float(np.linalg.norm(away)))
        far = np.diff(camera.project(np.stack([middle, middle + away])), axis=0)[0]
        result.append(
            SeenTruth(
                planned.die,
                outline,
                (float(low[0]), float(low[1]), float(high[0]), float(high[1])),
                min(1.0, float((owner == i).sum()) / area),
                camera.project(_top(planned.die)),
                far / max(1e-9, float(np.linalg.norm(far))),
                float(np.arccos(ray[2] / np.linalg.norm(ray))),
            )
        )
    return result


def _top(die: PlacedDie) -> Array:
    rotation, center = die.pose()
    place = face_prints(die.style)[die.style.face_index(die.face)]
    radius = die.inradius_mm()
    middle = place.center @ rotation.T * radius + center
    ends = (middle + v @ rotation.T * radius * place.inradius for v in (place.up, place.right))
    return np.stack([middle, *ends])
