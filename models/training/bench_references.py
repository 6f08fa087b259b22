"""Well-known detectors for comparison, with random weights: only their architecture matters for speed.

They are made by a program under the AGPL. It is installed into an environment outside of this folder, run there as a
command, and thrown away: nothing of it is imported, kept or shipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

NAMES = {"yolov8n": "YOLOv8n-640", "yolo11n": "YOLO11n-640"}
PACKAGES = ("ultralytics", "onnx")


def make_references(folder: Path) -> Path:
    """Writes yolov8n.onnx and yolo11n.onnx into the folder (some gigabytes of packages, minutes) and returns it.

    Raises subprocess.CalledProcessError, with what the command said on standard error.
    """
    place = folder / "venv"
    print(f"installing {' and '.join(PACKAGES)} into {place}, to be thrown away", file=sys.stderr, flush=True)
    venv.create(place, with_pip=True)
    _run([str(place / "bin/pip"), "install", "-q", *PACKAGES], folder)
    for name in NAMES:
        command = [str(place / "bin/yolo"), "export", f"model={name}.yaml", "format=onnx", "imgsz=640"]
        _run([*command, "simplify=False", "opset=17"], folder)
        if not (folder / f"{name}.onnx").is_file():
            raise FileNotFoundError(f"expected {name}.onnx from {' '.join(command)} in {folder}, it is not there")
    return folder


def _run(command: list[str], folder: Path) -> None:
    environment = {**os.environ, "YOLO_CONFIG_DIR": str(folder), "YOLO_AUTOINSTALL": "false"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=sys.stderr)
