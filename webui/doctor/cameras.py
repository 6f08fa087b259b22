"""Cameras: what libcamera and the kernel offer, and whether this user may open it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablesight.vision.sources.v4l2_nodes import V4L2Node, v4l2_nodes
from tablesight.webui.doctor.finding import Finding, advice, failure, ok

LIBCAMERA_TIMEOUT_S: Final = 20.0
"""The import and the list take 2 s on a Pi 4; libcamera is known to hang for good."""
DEVICE_MODEL: Final = Path("/proc/device-tree/model")
ASK_LIBCAMERA: Final = """
import json
try:
    from picamera2 import Picamera2
except ModuleNotFoundError as error:
    print(json.dumps({"missing": error.name}))
except Exception as error:
    print(json.dumps({"broken": f"{type(error).__name__}: {error}"}))
else:
    print(json.dumps({"cameras": [str(camera.get("Model", "camera")) for camera in Picamera2.global_camera_info()]}))
"""
"""Runs in a process of its own: a hanging or crashing libcamera takes only that one along."""


@dataclass(frozen=True, slots=True)
class LibcameraAnswer:
    """What picamera2 said: `cameras` by model name; `missing` the module that is not there; `broken` why it fails."""

    cameras: tuple[str, ...] = ()
    missing: str = ""
    broken: str = ""


def check_cameras(nodes: Sequence[V4L2Node] | None = None) -> Iterator[Finding]:
    """Findings about picamera2, V4L2 cameras, and whether there is any camera at all."""
    on_a_pi = is_raspberry_pi(DEVICE_MODEL)
    answer = ask_libcamera([sys.executable, "-c", ASK_LIBCAMERA], LIBCAMERA_TIMEOUT_S)
    yield judge_libcamera(answer, on_a_pi)
    cameras = [node for node in (v4l2_nodes() if nodes is None else nodes) if node.is_camera]
    for camera in cameras:
        yield check_node(camera, Path(f"/dev/video{camera.number}"))
    if not cameras and not answer.cameras:
        yield advice(
            "camera",
            "no camera is connected",
            "connect one (a ribbon cable only with the power off), or take photos with a phone on the page",
        )


def any_camera() -> bool:
    """Whether a camera is attached, by picamera2's or the kernel's list; none is opened."""
    if any(node.is_camera for node in v4l2_nodes()):
        return True
    return bool(ask_libcamera([sys.executable, "-c", ASK_LIBCAMERA], LIBCAMERA_TIMEOUT_S).cameras)


def is_raspberry_pi(device_model: Path) -> bool:
    """Whether the device tree names a Raspberry Pi."""
    try:
        return device_model.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        return False


def ask_libcamera(command: Sequence[str], timeout_s: float) -> LibcameraAnswer:
    """The cameras that picamera2 sees, asked in another process by `command`, which prints one JSON object."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s)
        answer = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return LibcameraAnswer(broken=f"libcamera did not answer within {timeout_s:g} s")
    except (json.JSONDecodeError, IndexError):
        last = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
        return LibcameraAnswer(broken=last)
    return LibcameraAnswer(tuple(answer.get("cameras", ())), answer.get("missing", ""), answer.get("broken", ""))


def judge_libcamera(answer: LibcameraAnswer, on_a_pi: bool) -> Finding:
    """Turns picamera2's answer into a finding; without picamera2 only a Raspberry Pi lacks something."""
    if answer.cameras:
        return ok("camera", f"picamera2 sees {', '.join(answer.cameras)}")
    if answer.missing and not on_a_pi:
        return ok("camera", "no picamera2 here: it is for the camera modules of a Raspberry Pi")
    if answer.missing in {"picamera2", "libcamera"}:
        return failure(
            "camera",
            f"the module {answer.missing} is missing: a camera module cannot be used",
            "sudo apt install python3-picamera2, then make clean and make run (a service: sudo deploy/install.sh)",
        )
    if answer.missing or "numpy" in answer.broken:
        return failure(
            "camera",
            f"picamera2 does not start: {answer.broken or 'no module ' + answer.missing}",
            "a library of the system does not fit numpy 2: "
            f"{sys.executable} -m pip install --ignore-installed 'simplejpeg>=1.8'",
        )
    if answer.broken:
        return failure("camera", f"picamera2 does not start: {answer.broken}", "restart the machine; then look again")
    return (
        advice(
            "camera",
            "picamera2 works and sees no camera module",
            "with the power off, push both ends of the ribbon cable in again, contacts the right way round",
        )
        if on_a_pi
        else ok("camera", "picamera2 works and sees no camera module")
    )


def check_node(node: V4L2Node, device: Path) -> Finding:
    """Whether this user may open a V4L2 camera."""
    text = f"{device} ({node.name or 'no name'})"
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except PermissionError:
        return failure("camera", f"{text} may not be opened by you", "sudo usermod -aG video $USER, then log in again")
    except OSError as error:
        return failure("camera", f"{text} cannot be opened: {error.strerror}", "unplug the camera and plug it in again")
    return ok("camera", text)
