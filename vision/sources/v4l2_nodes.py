"""The kernel's list of video devices, and which of them are cameras one can read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

SYSFS: Final = Path("/sys/class/video4linux")

NOT_CAMERAS: Final = ("unicam", "bcm2835", "pispbe", "rp1-cfe", "rpivid", "rpi-hevc")
"""Names of the Pi's own receivers, scalers and codecs: raw or no pictures; libcamera (picamera2) drives those."""


@dataclass(frozen=True, slots=True)
class V4L2Node:
    """/dev/video`number`: its name as the driver gives it, and whether pictures can be expected of it."""

    number: int
    name: str
    is_camera: bool


def v4l2_nodes(sysfs: Path = SYSFS) -> tuple[V4L2Node, ...]:
    """All nodes by number. A USB camera's second node (index 1 and up) carries metadata and is no camera."""
    nodes = []
    for folder in sysfs.glob("video*"):
        digits = folder.name.removeprefix("video")
        if not digits.isdecimal():
            continue
        name = _read(folder / "name")
        own = any(part in name.lower() for part in NOT_CAMERAS)
        nodes.append(V4L2Node(int(digits), name, is_camera=not own and _read(folder / "index") in ("", "0")))
    return tuple(sorted(nodes, key=lambda node: node.number))


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
