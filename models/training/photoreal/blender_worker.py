"""Renders job folders named on standard input, one a line, and answers each with a line of JSON.

Runs in Blender's own environment (bpy, numpy before 2), with PYTHONPATH=models/training, as photoreal.blender_worker.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from photoreal.blender_scene import build_scene


def render(folder: Path) -> dict[str, Any]:
    """Leaves light.npy (h, w, 3) float16, linear RGB, and hulls.npz: the vertices of each die in the world, cm."""
    start = time.monotonic()
    job = json.loads((folder / "scene.json").read_text())
    dice = build_scene(folder, job)
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    hulls = {}
    for i, thing in enumerate(dice):
        points = np.empty(len(thing.data.vertices) * 3)
        thing.data.vertices.foreach_get("co", points)
        turn = np.array(thing.matrix_world)
        hulls[f"die{i}"] = points.reshape(-1, 3) @ turn[:3, :3].T + turn[:3, 3]
    np.savez(folder / "hulls.npz", **hulls)
    built, cpu = time.monotonic(), time.process_time()
    path = folder / "light.exr"
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "16"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    width, height = job["size_px"]
    pixels = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(pixels)
    light = pixels.reshape(height, width, image.channels)[::-1, :, :3]
    np.save(folder / "light.npy", np.clip(light, 0, 60000).astype(np.float16))
    path.unlink()
    return {
        "build_s": round(built - start, 2),
        "render_s": round(time.monotonic() - built, 2),
        "cpu_s": round(time.process_time() - cpu, 2),
    }


def main() -> None:
    """Serve until standard input ends. Blender's own talk goes to standard error."""
    import os

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            answer = render(Path(line.strip()))
        except Exception as error:  # the other side must hear of it, whatever it was
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
