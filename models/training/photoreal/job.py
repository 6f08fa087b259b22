"""A planned table as files that Blender reads: scene.json, and pictures beside it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from photoreal.plan import PlannedDie, ScenePlan
from photoreal.prints import columns, face_prints, print_sheet
from photoreal.props import Prop
from tablesight.vision.simulator.numerals import NumeralFonts
from tablesight.vision.simulator.polyhedra import polyhedron


def write_job(folder: Path, plan: ScenePlan, fonts: NumeralFonts, threads: int) -> None:
    """Fills the folder; everything in it is in centimetres."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([plan.number, 99])
    camera = plan.camera
    cv2.imwrite(str(folder / "room.hdr"), np.ascontiguousarray(plan.light.panorama[..., ::-1]))
    cv2.imwrite(str(folder / "table.png"), plan.top.texture_bgr)
    scene = {
        "size_px": [camera.width_px, camera.height_px],
        "samples": plan.samples,
        "seed": plan.number,
        "threads": threads,
        "camera": {
            "position": (camera.position_mm() / 10).tolist(),
            "axes": camera.axes().tolist(),
            "focal_px": camera.focal_px,
            "distance": camera.distance_mm / 10,
            "fstop": plan.fstop,
        },
        "lamps": [asdict(lamp) for lamp in plan.light.lamps],
        "table": {
            "size": plan.top.size_cm,
            "turn": plan.top.turn_rad,
            "roughness": plan.top.roughness,
        },
        "dice": [_die(folder, i, planned, fonts, rng) for i, planned in enumerate(plan.dice)],
        "props": [_prop(folder, i, prop) for i, prop in enumerate(plan.props)],
    }
    (folder / "scene.json").write_text(json.dumps(scene))


def _die(
    folder: Path, number: int, planned: PlannedDie, fonts: NumeralFonts, rng: np.random.Generator
) -> dict[str, Any]:
    die = planned.die
    shape = polyhedron(die.style.sides)
    rotation, center = die.pose()
    name = f"die{number}.png"
    wear = float(rng.uniform(0.05, 0.25)) if rng.random() < 0.15 else 0.0
    cv2.imwrite(str(folder / name), print_sheet(die.style, fonts, wear, rng))
    prints = face_prints(die.style)
    return {
        "prints": name,
        "columns": columns(die.style.sides),
        "vertices": shape.vertices.tolist(),
        "faces": [face.corners.tolist() for face in shape.faces],
        "tiles": [
            {
                "normal": p.normal.tolist(),
                "center": p.center.tolist(),
                "up": p.up.tolist(),
                "right": p.right.tolist(),
                "reach": p.reach,
            }
            for p in prints
        ],
        "radius": die.inradius_mm() / 10,
        "rotation": rotation.tolist(),
        "position": (center / 10).tolist(),
        "rounding": planned.rounding * min(p.inradius for p in prints),
        "material": asdict(planned.material),
    }


def _prop(folder: Path, number: int, prop: Prop) -> dict[str, Any]:
    name = None
    if prop.picture_bgr is not None:
        name = f"prop{number}.png"
        cv2.imwrite(str(folder / name), prop.picture_bgr)
    return {
        "shape": prop.shape,
        "size": prop.size_cm,
        "position": prop.position_cm,
        "turn": prop.turn_rad,
        "color": prop.color,
        "metal": prop.metal,
        "roughness": prop.roughness,
        "picture": name,
    }
